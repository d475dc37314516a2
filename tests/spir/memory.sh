#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Each allocation of a program's own code fails in turn: it must report that (exit status 4, which is never cached), and not a refusal of
# the input (1). memory.sh FAILING.so INPUT PROGRAM [ARGUMENT...]
failing=$1 input=$2
shift 2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
n=0
while :; do
    rm -f "$work/failed"
    LD_PRELOAD=$failing TEST_FAIL_AT=$n TEST_FAIL_COUNT=$work/failed "$@" <"$input" >"$work/out" 2>"$work/err"
    status=$?
    [ -e "$work/failed" ] || break
    if [ $status -ne 4 ] || ! grep -q 'more memory is needed' "$work/err"; then
        echo "FAILED: allocation $n ends with $status"
        cat "$work/err"
        exit 1
    fi
    n=$((n + 1))
done
echo "$n allocations; without a failing one it ends with $status"
[ $n -gt 0 ] && [ $status -eq 0 ]
