#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# `nonflat run --summary`: its line, its exit status, and its sums.
#     summary.sh NONFLAT [PROGRAM MODULE]      the demonstration, which makes one program with four kernels
set -u
nonflat=$1 program=${2-} module=${3-} failures=0

# expect STATUS LINE COMMAND...
expect() {
    local wanted=$1 line=$2 status=0 said
    shift 2
    said=$("$nonflat" run --summary -- "$@" 2>&1 >/dev/null) || status=$?
    [ "$status" -eq "$wanted" ] || { echo "FAIL: $* ended with $status"; failures=$((failures + 1)); }
    [ "$said" = "nonflat: $line" ] || { echo "FAIL: $* says '$said', not '$line'"; failures=$((failures + 1)); }
}

expect 0 'no OpenCL program was created from SPIR-V through the layer' true
expect 5 '3 modules, 4 kernels: 9 of 10 generic accesses made static, 0 predicated, 1 dispatched; 2 of 3 from the cache; 3.0 ms' \
    sh -c 'echo modules=2 kernels=3 generic=7 static=7 hits=1 misses=1 time_us=2500 >>"$NONFLAT_SUMMARY"
           echo future=9 modules=1 kernels=1 generic=3 static=2 dispatched=1 hits=1 time_us=500 >>"$NONFLAT_SUMMARY"; exit 5'
expect 0 '0 modules (1 refused), 0 kernels: 0 of 0 generic accesses made static, 0 predicated, 0 dispatched; 0 of 0 from the cache; 0.0 ms' \
    sh -c 'echo refused=1 >>"$NONFLAT_SUMMARY"'
expect 0 '2 modules, 2 kernels: 3 of 3 generic accesses made static, 0 predicated, 0 dispatched; 0 of 2 from the cache; 0.0 ms; 3 of 4 builds of the driver saved, 1.25 s' \
    sh -c 'echo modules=2 kernels=2 generic=3 static=3 misses=2 builds=1 loads=3 saved_us=1250000 >>"$NONFLAT_SUMMARY"'
expect 0 '2 modules left as they are; 3 of 4 builds of the driver saved, 1.25 s' \
    sh -c 'echo modules=2 builds=1 loads=3 saved_us=1250000 >>"$NONFLAT_SUMMARY"'
expect 0 '1 module left as it is; 0 of 1 builds of the driver saved, 0.00 s' \
    sh -c 'echo modules=1 builds=1 >>"$NONFLAT_SUMMARY"'
# shellcheck disable=SC2016
expect 143 'no OpenCL program was created from SPIR-V through the layer' sh -c 'kill -TERM $$'
pocl=/etc/OpenCL/vendors/pocl.icd
if [ -n "$program" ] && [ -e $pocl ]; then
    here=$(mktemp -d)
    cp $pocl "$here"
    for cached in 0 1; do
        said=$(OCL_ICD_VENDORS=$here NONFLAT_CACHE=$here/cache "$nonflat" run --summary -- "$program" "$module" 2>&1 >/dev/null)
        echo "$said" | grep -q "^nonflat: 1 module, 4 kernels: .* made static, .*; $cached of 1 from the cache; " ||
            { echo "FAIL: on PoCL it says '$said'"; failures=$((failures + 1)); }
    done
    rm -rf "$here"
else
    echo "SKIPPED: a real program, PoCL is not installed"
fi
[ -z "$(find "${TMPDIR:-/tmp}" -maxdepth 1 -name 'nonflat-summary-*' -mmin -1 2>/dev/null)" ] ||
    { echo "FAIL: a file is left behind"; failures=$((failures + 1)); }

echo "$failures failures"
[ "$failures" -eq 0 ]
