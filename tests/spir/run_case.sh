#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Runs one case: OpenCL C (or SPIR-V assembly) -> SPIR-V -> features supplied by the core -> nonflat-spir -> FileCheck -> each installed
# driver. run_case.sh CASE NONFLAT FIT_TOOL NONFLAT_SPIR SPIR_RUN WORK_FOLDER DEVICE...
# A case with a line "// SPECIALIZE" has generic pointers, which `nonflat specialize` removes first; one with "// UNSUPPLIED" reaches
# nonflat-spir unchanged; "// VARIABLES" moves variables to a buffer; "// OPTIONS" gives nonflat-spir more options.
# Exit status: 0 passed, 1 failed, 77 skipped because a tool or driver is missing.
set -u
find=$(cd "$(dirname "$0")/../.." && pwd)/tools/toolchain.sh
case=$1 command=$2 supply=$3 translator=$4 runner=$5 work=$6
shift 6
name=$(basename "$case")
mkdir -p "$work/$name" && cd "$work/$name" || exit 1

fail() { echo "FAILED: $*"; exit 1; }
skip() { echo "SKIPPED: $*"; exit 77; }
tool() { command -v "$1" > /dev/null || skip "$1 is not installed"; }

disassemble=$("$find" llvm-dis) && filecheck=$("$find" FileCheck) || skip "llvm-dis or FileCheck is not installed"

case $case in
*.spvasm)
    tool spirv-as
    spirv-as --target-env spv1.4 "$case" -o in.spv || fail "spirv-as" ;;
*)
    clang=$("$find" clang) && to_spirv=$("$find" llvm-spirv) || skip "clang or llvm-spirv is not installed"
    # OpenCL C 3.0 without generic pointers, as nonflat-spir gets it after specialization
    no=-__opencl_c_generic_address_space,-__opencl_c_pipes,-__opencl_c_device_enqueue
    "$clang" -cl-std=CL3.0 -target spir64-unknown-unknown -Xclang -cl-ext=+all,$no -O1 -emit-llvm -c \
        -Xclang -finclude-default-header "$case" -o in.bc || fail "clang"
    "$to_spirv" --spirv-ext=+all in.bc -o in.spv || fail "llvm-spirv" ;;
esac

has() { grep -qE "^(; )?// $1" "$case"; }
if has SPECIALIZE; then
    "$command" specialize --spir12 in.spv -o special.spv || fail "nonflat specialize"
    mv special.spv in.spv
fi

# A case that must be refused names the devices to which this applies (all of them without a name).
refused() { grep -E "^(//|;) REFUSED( $1)?:" "$case" | sed 's/^[^:]*: *//'; }

options=$(grep -E "^(; )?// OPTIONS " "$case" | sed 's/^.*OPTIONS //')
for device in "$@"; do
    why=$(refused "$device")
    flags=--spir12
    has VARIABLES && flags="$flags --no-globals --globals-in-memory"
    [ "$device" = oclgrind ] && flags="$flags --fault=oclgrind_constant_addresses"
    cp in.spv supplied.spv
    # shellcheck disable=SC2086
    if ! has UNSUPPLIED && ! "$supply" $flags in.spv supplied.spv 2> "$device.err"; then
        [ -n "$why" ] && grep -qF "$why" "$device.err" && continue
        fail "$device: $(cat "$device.err")"
    fi
    # shellcheck disable=SC2086
    "$translator" --device="$device" $options < supplied.spv > "$device.bc" 2> "$device.err"
    status=$?
    if [ -n "$why" ]; then
        [ $status -eq 1 ] || fail "$device: exit status $status, a refusal was expected"
        grep -qF "$why" "$device.err" || fail "$device: the reason is not '$why' but: $(cat "$device.err")"
        continue
    fi
    [ $status -eq 0 ] || fail "$device: exit status $status: $(cat "$device.err")"
    "$disassemble" "$device.bc" -o "$device.ll" || fail "$device: not bitcode"
    if grep -q "CHECK" "$case"; then
        "$filecheck" --allow-unused-prefixes --check-prefixes="CHECK,CHECK-$device" "$case" < "$device.ll" || fail "$device: FileCheck"
    fi
    has KERNEL || continue
    case $device in
    pocl) driver=/etc/OpenCL/vendors/pocl.icd ;;
    oclgrind) driver=/usr/lib/oclgrind/liboclgrind-rt-icd.so ;;
    *) continue ;;
    esac
    [ -e $driver ] || skip "$device is not installed"
    rm -rf icd oclgrind.log && mkdir icd
    if [ "$device" = pocl ]; then cp $driver icd/; else echo $driver > icd/$device.icd; fi
    env -u OPENCL_LAYERS OCL_ICD_VENDORS="$PWD/icd" POCL_CACHE_DIR="$PWD/pocl-cache" OCLGRIND_DATA_RACES=1 \
        OCLGRIND_LOG="$PWD/oclgrind.log" "$runner" "$case" "$device.bc" > "$device.out" 2>&1 ||
        fail "$device: $(cat "$device.out")"
    if [ -s oclgrind.log ]; then fail "Oclgrind reports: $(cat oclgrind.log)"; fi
done
echo "passed: $name on $*"
