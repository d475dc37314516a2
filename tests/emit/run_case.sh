#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# One case of the output in OpenCL C: a module -> nonflat specialize --to c -> FileCheck -> a compiler's check -> each installed driver.
#     run_case.sh CASE NONFLAT SPIR_RUN WORK_FOLDER DEVICE...
# A case is SPIR-V assembly, or OpenCL C that clang compiles to a module; it may also be one of tests/spir/cases. In its comments:
#     TEXT: pattern, TEXT-NEXT:...     FileCheck's, for the text of an assembly case, or of an OpenCL C case that LLVM 15 compiled
#     TO: c:fp64,images                the argument of --to; "c" without this line; ADDRESSES: FORM that of --addresses; FAULTS:
#                                      NAMES that of --faults
#     STD: CL2.0                       the version of the language in which the text must compile, and is built; CL1.2 without
#                                      this line
#     BITS: 32                         of the addresses of an OpenCL C case and of its text; 64 without this line
#     TEXT-REFUSED: text               the module must be refused for that reason
#     MORE: flags                      more of clang's flags for an OpenCL C case, such as -O0
#     KERNEL, ARG, EXPECT...           what spir_run runs: its head describes them
# Exit status: 0 passed, 1 failed, 77 skipped because a tool is missing, or every driver.
set -u
find=$(cd "$(dirname "$0")/../.." && pwd)/tools/toolchain.sh
case=$1 command=$2 runner=$3 work=$4
shift 4
name=$(basename "$case")
mkdir -p "$work/$name" && cd "$work/$name" || exit 1

fail() { echo "FAILED: $name: $*"; exit 1; }
skip() { echo "SKIPPED: $*"; exit 77; }
# Modules of OpenCL C cases differ from one LLVM to another: patterns of the text are for those of LLVM 15.
is_of_llvm_15() { case $case in *.spvasm) true ;; *) [ "$("$find" version)" = 15 ] ;; esac; }
said() { sed -n "s/^\(; \)\?\(\/\/ \)\?$1: *//p" "$case" | head -1; }

bits=$(said BITS)
target=spir${bits:-64}-unknown-unknown
target=$(echo "$target" | sed s/spir32/spir/)
clang=$("$find" clang) && filecheck=$("$find" FileCheck) || skip "clang or FileCheck is not installed"
case $case in
*.spvasm)
    command -v spirv-as > /dev/null || skip "spirv-as is not installed"
    spirv-as --target-env spv1.4 "$case" -o in.spv || fail "spirv-as" ;;
*)
    to_spirv=$("$find" llvm-spirv) || skip "llvm-spirv is not installed"
    no=-__opencl_c_generic_address_space,-__opencl_c_pipes,-__opencl_c_device_enqueue
    # shellcheck disable=SC2046
    "$clang" -cl-std=CL3.0 -target "$target" -Xclang -cl-ext=+all,$no -O1 $(said MORE) -emit-llvm -c \
        -Xclang -finclude-default-header "$case" -o in.bc || fail "clang"
    "$to_spirv" --spirv-ext=+all in.bc -o in.spv || {
        is_of_llvm_15 || skip "this llvm-spirv makes no module of it"
        fail "llvm-spirv"
    } ;;
esac

to=$(said TO)
addresses=$(said ADDRESSES)
faults=$(said FAULTS)
specialize() { "$command" specialize --to "${to:-c}" --addresses "${addresses:-unknown}" ${faults:+--faults "$faults"} in.spv -o "$1"; }
specialize out.cl 2> log
status=$?
reason=$(said TEXT-REFUSED)
if [ -n "$reason" ]; then
    [ $status -eq 1 ] || fail "exit status $status, a refusal was expected"
    grep -qF "$reason" log || fail "not refused for '$reason' but: $(cat log)"
    echo "passed: $name is refused"
    exit 0
fi
! grep -q "both pointers are untyped" log || skip "this llvm-spirv leaves out how large the elements of an asynchronous copy are"
[ $status -eq 0 ] || fail "exit status $status: $(cat log)"
specialize again.cl || fail "the second time"
cmp -s out.cl again.cl || fail "a second run gives another text"
if grep -q "TEXT[-A-Z]*:" "$case" && is_of_llvm_15; then
    "$filecheck" --check-prefix=TEXT "$case" < out.cl || fail "FileCheck"
fi
std=$(said STD)
"$clang" -x cl -cl-std="${std:-CL1.2}" ${bits:+-target "$target"} -fsyntax-only -Xclang -finclude-default-header -Werror=implicit-function-declaration \
    -Wno-everything out.cl 2> compiler.log || fail "the compiler refuses the text: $(head -5 compiler.log)"

grep -qE "^(; )?// KERNEL" "$case" || { echo "passed: $name compiles"; exit 0; }
ran=
for device in "$@"; do
    case $device in
    pocl) driver=/etc/OpenCL/vendors/pocl.icd ;;
    oclgrind) driver=/usr/lib/oclgrind/liboclgrind-rt-icd.so ;;
    *) fail "no device $device" ;;
    esac
    grep -qE "^(; )?// (ONLY|KERNEL-ONLY) " "$case" && ! grep -qE "^(; )?// (ONLY|KERNEL-ONLY) .*$device" "$case" && continue
    [ -e $driver ] || { echo "SKIPPED: $device is not installed"; continue; }
    rm -rf icd oclgrind.log && mkdir icd
    if [ "$device" = pocl ]; then cp $driver icd/; else echo $driver > icd/$device.icd; fi
    env -u OPENCL_LAYERS OCL_ICD_VENDORS="$PWD/icd" POCL_CACHE_DIR="$PWD/pocl-cache" OCLGRIND_DATA_RACES=1 \
        OCLGRIND_LOG="$PWD/oclgrind.log" "$runner" "$case" out.cl "-cl-std=${std:-CL1.2}" > "$device.out" 2>&1 || {
        lacks=$(grep -oE "undeclared identifier '_cl_\w+|undefined symbol: _Z[0-9]+_cl_\w+" "$device.out" | head -1)
        [ -n "$lacks" ] && [ "$("$find" version)" != 15 ] || fail "$device: $(cat "$device.out")"
        echo "SKIPPED: this PoCL lacks a built-in function of OpenCL C 1.2: $(echo "$lacks" | grep -oE '\w+$')"
        continue
    }
    if [ -s oclgrind.log ]; then fail "Oclgrind reports: $(cat oclgrind.log)"; fi
    ran="$ran $device"
done
[ -n "$ran" ] || exit 77
echo "passed: $name on$ran"
