#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Finds LLVM's programs, whose names contain a version. Files that need one version, such as layer/spir/CMakeLists.txt, name it.
#     tools/toolchain.sh PROGRAM...    clang, clang++, llvm-spirv, FileCheck, llvm-dis, llvm-nm, opt, clang-format: prints the path
#                                      of each on a line, or an empty line if it is not installed (then the exit status is 1)
#     tools/toolchain.sh version       the LLVM version that is used, such as 15, or an empty line
# Bitcode of clang requires the llvm-spirv of the same LLVM, so all programs are of one LLVM version that has both:
# $NONFLAT_LLVM_VERSION, else 15, to which the bitcode translator is linked, else the newest of 40 to 11; else the programs without a
# version in their names. FileCheck may be of any version, but the same is preferred; clang-format is version 14, which formats the
# tree. CMake calls this script in cmake/toolchain.cmake, Python in conformance/toolchain.py.
set -u

has() { command -v "$1" >/dev/null 2>&1; }

version=
for candidate in ${NONFLAT_LLVM_VERSION:-15 $(seq 40 -1 11)}; do
    if has "clang-$candidate" && has "llvm-spirv-$candidate"; then
        version=$candidate
        break
    fi
done

# Prints the first of these names that is a program in PATH or a path to one.
first_of() {
    for name; do
        command -v "$name" 2>/dev/null && return
    done
    echo
    return 1
}

find_program() {
    case $1 in
    version) echo "$version" && [ -n "$version" ] ;;
    clang-format) first_of clang-format-14 ;;
    FileCheck)
        names=
        for candidate in $version $(seq 40 -1 11); do
            names="$names FileCheck-$candidate /usr/lib/llvm-$candidate/bin/FileCheck"
        done
        # shellcheck disable=SC2086 # a list
        first_of $names FileCheck ;;
    *)
        if [ -n "$version" ]; then
            first_of "$1-$version" "/usr/lib/llvm-$version/bin/$1"
        else
            first_of "$1"
        fi ;;
    esac
}

[ $# -gt 0 ] || { sed -n '4,6s/^# \{0,1\}//p' "$0" >&2; exit 2; }
status=0
for program; do
    find_program "$program" || status=1
done
exit $status
