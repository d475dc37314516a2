#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Tests the layer, the translator and a real driver together: a module that cannot be built is a failed build with a
# reason, and never ends the process; a module that can be built runs.
#     layer.sh DEVICE LAYER SPIR_TRY WORK_FOLDER
# Exit status: 0 passed, 1 failed, 77 skipped because a tool or driver is missing.
set -u
find=$(cd "$(dirname "$0")/../.." && pwd)/tools/toolchain.sh
device=$1 layer=$2 try=$3 work=$4
mkdir -p "$work" && cd "$work" || exit 1
failures=0

skip() { echo "SKIPPED: $*"; exit 77; }
clang=$("$find" clang) && to_spirv=$("$find" llvm-spirv) ||
    skip "clang or llvm-spirv is not installed"
case $device in
pocl) driver=/etc/OpenCL/vendors/pocl.icd ;;
*) driver=/usr/lib/oclgrind/liboclgrind-rt-icd.so ;;
esac
[ -e $driver ] || skip "$device is not installed"
mkdir -p icd
if [ "$device" = pocl ]; then cp $driver icd/; else echo $driver > icd/oclgrind.icd; fi

# compile NAME: compiles OpenCL C on standard input, with generic pointers, to NAME.spv.
compile() {
    "$clang" -x cl -cl-std=CL2.0 -target spir64-unknown-unknown -O1 -emit-llvm -c -Xclang -finclude-default-header - \
        -o "$1.bc" && "$to_spirv" "$1.bc" -o "$1.spv" || { echo "FAILED: cannot compile $1"; exit 1; }
}

# expect STATUS TEXT FILE HOW [VARIABLE=VALUE...]
expect() {
    status=$1 text=$2 file=$3 how=$4
    shift 4
    out=$(env OPENCL_LAYERS="$layer" OCL_ICD_VENDORS="$PWD/icd" POCL_CACHE_DIR="$PWD/pocl-cache" NONFLAT_CACHE=off \
        NONFLAT_LOG=off "$@" "$try" "$file" "$how" 2>&1)
    got=$?
    if [ $got -ne "$status" ] || ! printf '%s\n' "$out" | grep -qF "$text"; then
        echo "FAILED: $file on $device: status $got, not $status; said '$out', not '$text'"
        failures=$((failures + 1))
    fi
}

compile unknown << 'END'
int nowhere_to_be_found(int *p);
kernel void caller(global int *v) { v[0] = nowhere_to_be_found(v); }
END
compile good << 'END'
int first(int *p) { return *p; }
kernel void reader(global int *v, int n) { int own[2] = {n, 2}; v[0] = first(v) + first(own + (n & 1)); }
END
long=$(printf 'a%.0s' $(seq 300))
compile long << END
kernel void $long(global int *v) { int *p = v; *p = 1; }
END
printf '\003\002\043\007\000\000\001\000' > cut.spv

printf '#!/bin/sh\nexec sleep 60\n' > slow
printf '#!/bin/sh\nkill -SEGV $$\n' > crash
chmod +x slow crash

expect 0 "ok 1" good.spv launch
expect 0 "ok 1" long.spv launch
expect 1 "nowhere_to_be_found" unknown.spv launch
expect 1 "error" cut.spv launch
# Without the translator the device gets OpenCL C.
expect 0 "ok 1" good.spv launch NONFLAT_SPIR=/nowhere/nonflat-spir
expect 1 "did not end within 1 seconds" good.spv launch NONFLAT_SPIR="$PWD/slow" NONFLAT_SPIR_TIMEOUT=1
expect 1 "crashed" good.spv launch NONFLAT_SPIR="$PWD/crash"
[ $failures -eq 0 ] && echo "passed: $device"
exit $failures
