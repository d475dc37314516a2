#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Modules with 32-bit addresses: functions with a parameter of type size_t, which has another name there, are found in the tables
# of 64-bit devices; a function that no device has is still refused.
#     narrow.sh NONFLAT_SPIR WORK_FOLDER
# Exit status: 0 passed, 1 failed, 77 skipped because a tool is missing.
set -u
find=$(cd "$(dirname "$0")/../.." && pwd)/tools/toolchain.sh
translator=$1 work=$2
mkdir -p "$work" && cd "$work" || exit 1
clang=$("$find" clang) && to_spirv=$("$find" llvm-spirv) || { echo "SKIPPED: clang or llvm-spirv is not installed"; exit 77; }
fail() { echo "FAILED: $*"; exit 1; }

# translate: compiles OpenCL C on standard input, and translates it for each device.
translate() {
    "$clang" -x cl -cl-std=CL1.2 -target spir-unknown-unknown -O1 -emit-llvm -c -Xclang -finclude-default-header - -o k.bc &&
        "$to_spirv" k.bc -o k.spv || fail "cannot compile"
    for device in pocl oclgrind generic; do
        "$translator" --device=$device --text --input=k.spv > k.$device.ll 2> k.$device.said || return 1
    done
}
translate << 'END' || fail "$(cat k.*.said)"
kernel void k(global const int *in, global ushort *out)
{
    int4 v = vload4(get_global_id(0), in);
    vstore3(convert_ushort3(v.xyz), get_local_id(0), out);
}
END
grep -q '_Z6vload4jPU3AS1Ki' k.pocl.ll || fail "the call of vload4 has another name: $(grep vload4 k.pocl.ll)"
grep -q 'e-p:32:32' k.pocl.ll || fail "the module has no addresses of 32 bits"
if translate << 'END'
float4 __attribute__((overloadable)) vload5(uint n, global const float *p);
kernel void k(global float4 *p) { *p = vload5(1, (global float *)p); }
END
then fail "a function that no device has was accepted"; fi
grep -q "calls '_Z6vload5jPU3AS1Kf', which device 'pocl' does not have" k.pocl.said || fail "it was refused without its name"
echo "passed"
