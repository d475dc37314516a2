#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Compares the outputs of a core whose arrays move at every growth with those of the usual core:
#     moves.sh MOVING GROWING WORK FOLDER_OF_MODULES FOLDER_OF_GZIPPED_MODULES
set -eu
moving=$1 growing=$2 work=$3 modules=$4 packed=$5
compared=0 failed=0
mkdir -p "$work"
for module in "$packed"/*.spv.gz; do
    gzip -dc "$module" >"$work/$(basename "$module" .gz)"
done
for module in "$modules"/*.spv "$work"/*.spv; do
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
