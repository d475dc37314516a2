#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Runs one case of the fit stage: assembly -> fit_tool with the arguments on the case's RUN line -> FileCheck on the result, which must be
# valid, and must not change when it is fitted again. run_case.sh CASE FIT_TOOL WORK_FOLDER "; RUN: arguments" runs the tool, "; REFUSED:
# text" says that the module must be refused for that reason, "; UNCHANGED" that the output is the input. Exit status: 0 passed, 1 failed,
# 77 skipped because a tool is missing.
set -u
find=$(cd "$(dirname "$0")/../.." && pwd)/tools/toolchain.sh
case=$1 tool=$2
mkdir -p "$3" && cd "$3" || exit 1
name=$(basename "$case" .spvasm)

fail() { echo "FAILED: $name: $*"; exit 1; }
for program in spirv-as spirv-dis spirv-val; do
    command -v $program > /dev/null || { echo "SKIPPED: $program is not installed"; exit 77; }
done
filecheck=$("$find" FileCheck) || { echo "SKIPPED: FileCheck is not installed"; exit 77; }

environment=$(sed -n 's/^; FROM: *//p' "$case")
spirv-as --preserve-numeric-ids --target-env "${environment:-spv1.4}" "$case" -o "$name.in.spv" || fail "spirv-as"
arguments=$(sed -n 's/^; RUN: *//p' "$case")
# shellcheck disable=SC2086
"$tool" $arguments "$name.in.spv" "$name.out.spv" 2> "$name.err"
status=$?
reason=$(sed -n 's/^; REFUSED: *//p' "$case")
if [ -n "$reason" ]; then
    [ $status -eq 1 ] || fail "exit status $status, a refusal was expected"
    grep -qF "$reason" "$name.err" || fail "not refused for '$reason' but: $(cat "$name.err")"
    echo "passed: $name"
    exit 0
fi
[ $status -eq 0 ] || fail "exit status $status: $(cat "$name.err")"
if grep -q "^; UNCHANGED" "$case"; then
    cmp -s "$name.in.spv" "$name.out.spv" || fail "the output is not the input"
    echo "passed: $name"
    exit 0
fi
cmp -s "$name.in.spv" "$name.out.spv" && fail "nothing was changed"
spirv-val "$name.out.spv" || fail "the output is not valid"
spirv-dis --no-color "$name.out.spv" -o "$name.txt" || fail "spirv-dis"
"$filecheck" "$case" < "$name.txt" || fail "FileCheck"
# shellcheck disable=SC2086
"$tool" $arguments "$name.out.spv" "$name.twice.spv" || fail "the second time"
cmp -s "$name.out.spv" "$name.twice.spv" || fail "a second run changes the output"
echo "passed: $name"
