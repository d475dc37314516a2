#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A shipped SYCL library on a device without a generic address space, before and after: dpnp, from PyPI with Intel's CPU
# driver (about 1 GB, into conformance/work or $NONFLAT_SYCL_ENV), on that driver below a test layer that takes its generic
# pointers away. dpnp's answers are compared with NumPy's. Exit status 0: it fails without Nonflat, and is right with it.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
build=${NONFLAT_BUILD:-$root/build}
unset OPENCL_LAYERS NONFLAT_MODE 2>/dev/null || true

if ! python3 -c 'import ensurepip, venv' 2>/dev/null; then
    echo "== installing: python3-venv"
    log=$(mktemp)
    export DEBIAN_FRONTEND=noninteractive
    { apt-get update -qq && apt-get install -y -qq --no-install-recommends python3-venv; } >"$log" 2>&1 ||
        { cat "$log"; exit 1; }
    rm -f "$log"
fi
"$root/tools/build.sh" nonflat_command nonflat_layer nonflat_strict
"$root/conformance/setup" sycl
sycl=${NONFLAT_SYCL_ENV:-$root/conformance/work/sycl}
vendors=$build/demo-sycl && mkdir -p "$vendors"
echo "$sycl/lib/libintelocl.so" >"$vendors/driver.icd"
export OCL_ICD_VENDORS="$vendors" LD_LIBRARY_PATH="$sycl/lib" SYCL_CACHE_PERSISTENT=0

strict=$build/tests/layer/libnonflat_strict.so
echo
echo "BEFORE: dpnp on a device without generic pointers"
before=0
OPENCL_LAYERS=$strict "$sycl/bin/python" "$root/conformance/dpnp_smoke.py" 2>&1 || before=$?
echo
echo "AFTER: the same with Nonflat"
after=0
OPENCL_LAYERS=$strict "$build/tools/nonflat" run --summary -- "$sycl/bin/python" "$root/conformance/dpnp_smoke.py" || after=$?
echo
if [ "$after" -ne 0 ]; then
    echo "WRONG: with Nonflat it ended with status $after"
    exit 1
fi
if [ "$before" -eq 0 ]; then
    echo "Nonflat is right, but this device did not fail without it: no demonstration"
    exit 1
fi
echo "RIGHT: it fails without Nonflat, and gives NumPy's results with it."
