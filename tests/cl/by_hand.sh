#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The commands specialize and explain accept source. by_hand.sh NONFLAT NONFLAT_CL SPIRV_VAL
set -u
nonflat=$1 compiler=$2 validate=$3
here=$(cd "$(dirname "$0")" && pwd)
failures=0
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
export NONFLAT_CL="$compiler"

# expect STATUS TEXT ARGUMENT...
expect() {
    wanted=$1 text=$2
    shift 2
    "$nonflat" "$@" >"$work/out" 2>&1
    status=$?
    if [ $status -ne "$wanted" ] || ! grep -qF -e "$text" "$work/out"; then
        echo "FAILED: nonflat $*: status $status, not $wanted; nothing like '$text' in: $(head -20 "$work/out")"
        failures=$((failures + 1))
    fi
}

cp "$here/programs/unnamed_parameter.cl" "$work/k.cl"
cp "$here/programs/cxx_methods.cl" "$work/k.clcpp"
for source in k.cl k.clcpp; do
    expect 0 '"result": "specialized"' specialize "$work/$source" -o "$work/out.spv" --report -
    "$validate" --target-env spv1.3 "$work/out.spv" || failures=$((failures + 1))
done
expect 0 "k.cl:4" explain "$work/k.cl" --options -g
echo 'int x(' >"$work/bad.cl"
expect 1 "bad.cl:1:7: error" specialize "$work/bad.cl" -o "$work/out.spv"
expect 1 "unknown option '-cl-nonsense'" specialize "$work/k.cl" --options -cl-nonsense -o "$work/out.spv"
expect 2 "is not source by its name" specialize "$work/out.spv" --options -g -o "$work/again.spv"
printf '#ifndef N\n#error no N\n#endif\nint f(int *p) { return *p; }\nkernel void k(global int *o) { o[0] = f(o) + N; }\n' >"$work/n.cl"
expect 1 "no N" specialize "$work/n.cl" -o "$work/out.spv"
expect 0 '"result"' specialize "$work/n.cl" --options "-DN=2" -o "$work/out.spv" --report -
NONFLAT_CL=/nowhere/nonflat-cl
expect 2 "nonflat-cl that compiles it is not here" explain "$work/k.cl"
[ $failures -eq 0 ] && echo "passed"
exit $failures
