#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Runs dpnp, a NumPy implemented with SYCL kernels, on Debian's OpenCL drivers: the unmodified packages from PyPI (about 1 GB, in
# conformance/work or $NONFLAT_SYCL_ENV), on each driver that has SVM but no shared memory (USM). Installs the packages that it
# needs, builds, and runs 14 operations on each driver without and with Nonflat's two layers; the results are compared with NumPy's.
#     tools/demo-dpnp.sh [DRIVER...]        such as pocl or rusticl: the .icd files with these names only; without any, all
# Exit status 0: there is such a device, and on each all 14 results are right with Nonflat, but not without it.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
build=${NONFLAT_BUILD:-$root/build}
unset OPENCL_LAYERS NONFLAT_MODE 2>/dev/null || true

python3 -c 'import ensurepip, venv' 2>/dev/null || "$root/tools/build.sh" --install python3-venv
"$root/tools/build.sh" demo_parts nonflat_usm
"$root/conformance/setup" sycl
sycl=${NONFLAT_SYCL_ENV:-$root/conformance/work/sycl}
nonflat=$build/tools/nonflat
drivers=${OCL_ICD_VENDORS:-/etc/OpenCL/vendors}
export RUSTICL_ENABLE="${RUSTICL_ENABLE:-llvmpipe}" SYCL_CACHE_PERSISTENT=0
work=$build/demo-dpnp
mkdir -p "$work"

shown=0 wrong=0
# Runs dpnp on the driver that OCL_ICD_VENDORS names. Counts in $shown and $wrong.
demonstrate() { # NAME
    "$nonflat" doctor >"$work/doctor" 2>&1 || true
    echo
    if ! grep -q 'over its SVM' "$work/doctor"; then
        echo "==== $1: left out: $(sed -n 's/^  memory .*pointers: /its shared memory: /p' "$work/doctor" | grep . || echo none)"
        return
    fi
    shown=$((shown + 1)) before=0 after=0
    echo "==== $1: $(awk '/^[^ ]/ { device = $0 } /over its SVM/ { print device; exit }' "$work/doctor")"
    echo
    echo "BEFORE: dpnp as it is"
    LD_LIBRARY_PATH=$sycl/lib timeout 600 "$sycl/bin/python" "$root/conformance/dpnp_smoke.py" >"$work/before" 2>&1 || before=$?
    tail -1 "$work/before"
    echo
    echo "AFTER: the same with Nonflat"
    LD_LIBRARY_PATH=$sycl/lib timeout 1800 "$nonflat" run -- "$sycl/bin/python" "$root/conformance/dpnp_smoke.py" 2>&1 || after=$?
    if [ "$before" -eq 0 ] || [ "$after" -ne 0 ]; then
        echo "WRONG: it ended with status $before without Nonflat and $after with it"
        wrong=$((wrong + 1))
    fi
}

for icd in "$drivers"/*.icd; do
    [ -e "$icd" ] || continue
    name=$(basename "$icd" .icd)
    if [ $# -gt 0 ]; then
        case " $* " in *" $name "*) ;; *) continue ;; esac
    fi
    mkdir -p "$work/$name"
    cp "$icd" "$work/$name/"
    OCL_ICD_VENDORS=$work/$name
    export OCL_ICD_VENDORS
    demonstrate "$name"
done
echo
if [ "$shown" -eq 0 ]; then
    echo "WRONG: no driver here has SVM and no shared memory of its own: apt-get install pocl-opencl-icd mesa-opencl-icd"
    exit 1
fi
[ "$wrong" -eq 0 ] || exit 1
echo "RIGHT: dpnp fails on these devices without Nonflat, and is right with it."
