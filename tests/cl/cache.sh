#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Checks that the output of nonflat-cl is cached, and is used again only while all its inputs are the same. cache.sh CL_RUN LAYER NONFLAT_CL
# POCL_VENDORS
# OCLGRIND_VENDORS LAYER_WITH_ANOTHER_VERSION
set -u
run=$1 compiler=$3 pocl=$4 oclgrind=$5 version=$6
failures=0
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
export OPENCL_LAYERS="$2" OCL_ICD_VENDORS="$pocl" NONFLAT_CONFIG=off NONFLAT_CACHE="$work/cache" NONFLAT_CL="$work/nonflat-cl"

# A compiler that counts its runs. The layer starts it with a separate environment, without the variables of this script.
new_compiler() {
    printf '#!/bin/sh\n# %s\necho >>"%s"\nexec "%s" "$@"\n' "$1" "$work/asked" "$compiler" >"$work/new"
    chmod 755 "$work/new"
    mv -f "$work/new" "$work/nonflat-cl"
}

# expect RUNS VALUE WHAT: the program computes VALUE, and the compiler ran RUNS times for it.
expect() {
    : >"$work/asked"
    "$run" "$work/k.cl" >"$work/out" 2>&1
    asked=$(wc -l <"$work/asked")
    [ "$(tail -n 1 "$work/out" | cut -d' ' -f1)" = "$2" ] || {
        echo "FAILED: $3: no $2 in $(cat "$work/out")"
        failures=$((failures + 1))
    }
    [ "$asked" -eq "$1" ] || {
        echo "FAILED: $3: asked $asked times, not $1"
        failures=$((failures + 1))
    }
}

# write_source OPTIONS SUMMAND
write_source() {
    printf '// options: -cl-std=CL2.0 -I %s -I %s %s\n#include "value.h"\n#ifndef MORE\n#define MORE 0\n#endif\n' \
        "$work/first" "$work/second" "$1" >"$work/k.cl"
    printf 'int get(int *p) { return *p; }\nkernel void k(global int *out, global int *in)\n' >>"$work/k.cl"
    printf '{ int x = VALUE; out[get_global_id(0)] = get(&x) + get(in) + MORE + %s; }\n' "$2" >>"$work/k.cl"
}

mkdir "$work/first" "$work/second"
echo '#define VALUE 10' >"$work/second/value.h"
new_compiler one
write_source "" 0
# The first time, the driver's compiler is probed for its features; then the source is compiled with the results of the probe.
"$run" "$work/k.cl" >"$work/out" 2>&1
expect 0 10 "the second time"
expect 0 10 "the third time"
write_source "" 1
expect 1 11 "another source"
write_source -DMORE=5 1
expect 1 16 "another option"
write_source "" 0
expect 0 10 "the first source again"
echo '#define VALUE 20' >"$work/second/value.h"
expect 1 20 "a header has changed"
expect 0 20 "a header has changed, and that is known"
echo '#define VALUE 30' >"$work/first/value.h"
expect 1 30 "a header that was missing is there"
rm "$work/first/value.h"
expect 1 20 "it is gone again"
rm "$work/second/value.h"
: >"$work/asked"
"$run" "$work/k.cl" >"$work/out" 2>&1 && {
    echo "FAILED: there is no header, and all the same: $(cat "$work/out")"
    failures=$((failures + 1))
}
echo '#define VALUE 20' >"$work/second/value.h"
expect 0 20 "the header is back, as it was"
export OCL_ICD_VENDORS="$oclgrind"
"$run" "$work/k.cl" >"$work/out" 2>&1
: >"$work/asked"
write_source "" 7
expect 1 27 "another device"
export OCL_ICD_VENDORS="$pocl"
expect 1 27 "the source is known of another device only"
new_compiler two
expect 1 27 "another compiler"
expect 0 27 "the other compiler's"
# The driver's compiler is probed again if there is another driver.
answers() {
    find "$work/cache" -name 'language-*' | wc -l
}
known=$(answers)
OPENCL_LAYERS="$version:$OPENCL_LAYERS" "$run" "$work/k.cl" >"$work/out" 2>&1
[ "$(answers)" -eq "$known" ] || {
    echo "FAILED: the same driver was asked again"
    failures=$((failures + 1))
}
NONFLAT_TEST_DRIVER_VERSION="of tomorrow" OPENCL_LAYERS="$version:$OPENCL_LAYERS" "$run" "$work/k.cl" >"$work/out" 2>&1
[ "$known" -gt 0 ] && [ "$(answers)" -gt "$known" ] || {
    echo "FAILED: another driver was not asked, $known answers are known: $(cat "$work/out")"
    failures=$((failures + 1))
}
# A damaged entry is a miss.
for file in "$work"/cache/source-*; do
    printf 'x' | dd of="$file" bs=1 seek=$(($(wc -c <"$file") - 5)) conv=notrunc 2>/dev/null
done
expect 1 27 "damaged entries"
[ $failures -eq 0 ] && echo "passed"
exit $failures
