#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Checks that the statements of the documents about the kernels in examples/kernels are true: kernels.sh NONFLAT FOLDER CLANG LLVM-SPIRV
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0
for source in "$2"/*.cl; do
    name=$(basename "$source" .cl)
    "$3" -cl-std=CL2.0 -target spir64-unknown-unknown -O1 -gline-tables-only -emit-llvm -c -Xclang -finclude-default-header \
        "$source" -o "$work/in.bc"
    "$4" "$work/in.bc" -o "$work/in.spv"
    expected=$(sed -n 's/^ \* expect: \(.*\) \*\/$/\1/p' "$source")
    status=0
    "$1" specialize "$work/in.spv" -o "$work/out.spv" --report "$work/report" 2>"$work/log" || status=$?
    got=$(sed -n 's/.*"static": \([0-9]*\), "predicated": \([0-9]*\), "dispatched": \([0-9]*\).*/static \1, predicated \2, dispatched \3/p' "$work/report")
    case $expected in
    static*) [ $status -eq 0 ] && [ "$got" = "$expected" ] ;;
    refused) [ $status -eq 1 ] && [ -s "$work/log" ] ;;
    *) false ;;
    esac && echo "$name: $expected" || { echo "FAILED: $name: expected '$expected', got '$got', status $status"; cat "$work/log"; failed=1; }
done
exit $failed
