#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Compares the outputs of a core whose arrays move at every growth with those of the usual core:
#     moves.sh MOVING GROWING MODULE.spv...
set -eu
moving=$1 growing=$2 compared=0 failed=0
shift 2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for module; do
    rm -f "$work/moving" "$work/growing"
    moved=0 grown=0
    "$moving" "$module" "$work/moving" >/dev/null 2>&1 || moved=$?
    "$growing" "$module" "$work/growing" >/dev/null 2>&1 || grown=$?
    if [ "$moved" != "$grown" ]; then
        echo "FAIL $module: status $moved if arrays move, else $grown"
        failed=$((failed + 1))
    elif [ "$grown" = 0 ] && ! cmp -s "$work/moving" "$work/growing"; then
        echo "FAIL $module: another output if arrays move"
        failed=$((failed + 1))
    fi
    compared=$((compared + 1))
done
echo "$compared modules, $failed failed"
[ "$compared" -ge 100 ] && [ "$failed" = 0 ]
