#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Runs one case of the judge: run_case.sh CASE JUDGE WORK_FOLDER SPIRV_AS FILECHECK [CLANG LLVM_SPIRV]
# A case says on lines RUN: how the kernel is launched (each line is one run), EXIT: the status wanted, CHECK: what is
# printed on standard output and error. Assembly is appended to prelude.spvasm; OpenCL C is compiled at -O0 and at -O2 (or the one level on
# its line LEVELS:), with the compiler's options on its line FLAGS: if it has one.
set -u
case=$1 judge=$2 work=$3 as=$4 check=$5 clang=${6:-} translate=${7:-}
here=$(dirname "$0")
name=$(basename "$case")
mkdir -p "$work" || exit 2
want=$(sed -n 's/.*EXIT: *//p' "$case")

# Runs the judge on the module $1 as all RUN lines say; $2 names the compilation.
try() {
    sed -n 's/.*RUN: *//p' "$case" >"$work/$name.runs"
    [ -s "$work/$name.runs" ] || { echo "$name has no RUN line"; exit 2; }
    : >"$work/$name.$2.out"
    while read -r line; do
        # shellcheck disable=SC2086 # the line is a list of words
        "$judge" "$1" --dump $line >>"$work/$name.$2.out" 2>&1
        status=$?
        if [ "$status" -ne "${want:-0}" ]; then
            echo "$name ($2): exit status $status, ${want:-0} wanted, for: $line"
            cat "$work/$name.$2.out"
            exit 1
        fi
    done <"$work/$name.runs"
    "$check" "$case" --input-file "$work/$name.$2.out" || exit 1
}

case $name in
*.spvasm)
    cat "$here/prelude.spvasm" "$case" | "$as" - --target-env spv1.2 --preserve-numeric-ids -o "$work/$name.spv" || exit 1
    try "$work/$name.spv" asm
    ;;
*.cl | *.clcpp)
    [ -n "$translate" ] || { echo "SKIPPED: no clang and llvm-spirv here to compile $name"; exit 77; }
    standard=CL2.0 language=cl
    [ "${name##*.}" = clcpp ] && standard=clc++2021 language=clcpp
    flags=$(sed -n 's/.*FLAGS: *//p' "$case")
    for level in $(sed -n 's/.*LEVELS: *\(O[0-9]\).*/\1/p' "$case" | grep . || echo O0 O2); do
        # shellcheck disable=SC2086 # a list of words, mostly empty
        "$clang" $flags -x $language -cl-std=$standard -target spir64-unknown-unknown -$level -emit-llvm -c \
            -Xclang -finclude-default-header "$case" -o "$work/$name.$level.bc" &&
            "$translate" "$work/$name.$level.bc" -o "$work/$name.$level.spv" || exit 1
        if grep -aq _Z13get_global_id "$work/$name.$level.spv"; then
            echo "SKIPPED: this llvm-spirv leaves the built-in functions of C++ for OpenCL undefined"
            exit 77
        fi
        try "$work/$name.$level.spv" $level
    done
    ;;
esac
