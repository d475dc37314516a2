#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# NONFLAT_DUMP stores the inputs of a build from source: the source and the options as the application gave them, the log of nonflat-cl and
# its module; for sources that are left to the driver because of their options, it stores nothing. dump.sh CL_RUN LAYER POCL_VENDORS
# SPIRV_VAL
set -u
run=$1 validate=$4
here=$(cd "$(dirname "$0")" && pwd)
failures=0
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
export OPENCL_LAYERS="$2" OCL_ICD_VENDORS="$3" NONFLAT_CONFIG=off NONFLAT_CACHE="$work/cache"
fail() {
    echo "FAILED: $1"
    failures=$((failures + 1))
}

# dumps WHAT STATUS FILE.cl: sets `stem`, the beginning of the names of the source's files.
dumps() {
    rm -rf "$work/dump"
    NONFLAT_DUMP="$work/dump" "$run" "$3" >"$work/out" 2>&1
    status=$?
    [ $status -eq "$2" ] || fail "$1: status $status: $(cat "$work/out")"
    stem=$(ls "$work"/dump/*.cl 2>/dev/null)
    [ "$(echo "$stem" | wc -w)" -eq 1 ] || fail "$1: not one source: $(ls "$work/dump")"
    stem=${stem%.cl}
}
# is_of WHAT FILE.cl: checks that source and options are those of the file, byte for byte.
is_of() {
    cmp "$stem.cl" "$2" || fail "$1: another source"
    sed -n 's/^\/\/ options://p' "$2" | head -n 1 | tr -d '\n' | cmp - "$stem.options" || fail "$1: other options"
}

cp "$here/programs/defines_quotes.cl" "$work/k.cl"
for time in first second; do # which finds it in the cache
    dumps "$time" 0 "$work/k.cl"
    is_of "$time" "$work/k.cl"
    "$validate" --target-env spv1.3 "$stem.cl.spv" || fail "$time: no module of our compiler's"
    for ending in .in.spv .out.spv .json .log; do
        [ -n "$(find "$work/dump" -name "*$ending")" ] || fail "$time: no $ending of the core's: $(ls "$work/dump")"
    done
    cmp "$stem.cl.spv" "$work"/dump/*.in.spv || fail "$time: the core did not get what our compiler made"
done

# A source that does not compile is dumped, too, because it is the most interesting.
printf '// options: -cl-std=CL2.0 -DX="a b"\nkernel void k(global int *o) {\n  int *p = o;\n  nothing;\n}\n' >"$work/bad.cl"
dumps "wrong source" 1 "$work/bad.cl"
is_of "wrong source" "$work/bad.cl"
grep -q "input.cl:4:3: error" "$stem.cl.log" || fail "wrong source: no log of it: $(cat "$stem.cl.log")"
[ ! -e "$stem.cl.spv" ] || fail "wrong source: a module"

printf '// expect: 0 1 2 3 4 5 6 7\nkernel void k(global int *o, global int *i) { o[get_global_id(0)] = get_global_id(0); }\n' >"$work/old.cl"
rm -rf "$work/dump"
NONFLAT_DUMP="$work/dump" "$run" "$work/old.cl" >"$work/out" 2>&1 || fail "old language: $(cat "$work/out")"
[ ! -e "$work/dump" ] || [ -z "$(ls "$work/dump")" ] || fail "old language: $(ls "$work/dump")"
[ $failures -eq 0 ] && echo "passed"
exit $failures
