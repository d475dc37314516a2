#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Runs SYCL programs on devices without a generic address space, without and with Nonflat, using packages from PyPI (about 1 GB, in
# conformance/work or $NONFLAT_SYCL_ENV): the SYCL run-time with its compiler, the library dpnp, and Intel's CPU driver.
#     1. examples/sycl/buffers.cpp on Debian's PoCL: compiled by DPC++, every number compared with the host's
#     2. dpnp, whose results are compared with NumPy's: it needs shared memory, which PoCL lacks, so it runs on Intel's CPU driver
#        behind a test layer that hides its generic pointers
# Exit status 0: both fail without Nonflat, and are right with it.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
build=${NONFLAT_BUILD:-$root/build}
unset OPENCL_LAYERS NONFLAT_MODE 2>/dev/null || true

python3 -c 'import ensurepip, venv' 2>/dev/null || "$root/tools/build.sh" --install python3-venv
"$root/tools/build.sh" nonflat_command nonflat_layer nonflat-spir nonflat_strict
"$root/conformance/setup" sycl
sycl=${NONFLAT_SYCL_ENV:-$root/conformance/work/sycl}
work=$build/demo-sycl
mkdir -p "$work/pocl" "$work/intel"
cp /etc/OpenCL/vendors/pocl.icd "$work/pocl/"
echo "$sycl/lib/libintelocl.so" >"$work/intel/driver.icd"
echo "== compiling examples/sycl/buffers.cpp"
g++ -std=c++17 -I "$sycl/include" "$root/examples/sycl/buffers.cpp" -L "$sycl/lib" -lsycl -o "$work/buffers"
export LD_LIBRARY_PATH="$sycl/lib" SYCL_CACHE_PERSISTENT=0

failures=0
# Runs a command without Nonflat, where it must fail, and with it, where it must succeed. $strict is the test layer, or empty.
compare() { # WHAT COMMAND...
    what=$1 before=0 after=0
    shift
    echo
    echo "BEFORE: $what"
    OPENCL_LAYERS=$strict "$@" 2>&1 || before=$?
    echo
    echo "AFTER: the same with Nonflat"
    OPENCL_LAYERS=$strict "$build/tools/nonflat" run --summary -- "$@" 2>&1 || after=$?
    if [ "$before" -eq 0 ] || [ "$after" -ne 0 ]; then
        echo "WRONG: it ended with status $before without Nonflat and $after with it"
        failures=$((failures + 1))
    fi
}

strict=
OCL_ICD_VENDORS=$work/pocl compare "a SYCL program on PoCL" "$work/buffers"
strict=$build/tests/layer/libnonflat_strict.so
OCL_ICD_VENDORS=$work/intel compare "dpnp on a device without generic pointers" "$sycl/bin/python" "$root/conformance/dpnp_smoke.py"
echo
[ "$failures" -eq 0 ] || exit 1
echo "RIGHT: both fail without Nonflat, and are right with it."
