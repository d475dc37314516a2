#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Checks that the public header compiles alone, in C99 and later and in C++: header.sh CC CXX INCLUDE
set -eu
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
printf '#include <nonflat/nonflat.h>\nint main(void) { nf_options o = NF_OPTIONS_INIT; return o.mode; }\n' >use.c
cp use.c use.cpp
for standard in c99 c11 c17; do
    "$1" -std=$standard -Wall -Wextra -Wpedantic -Werror -I "$3" -fsyntax-only use.c
done
for standard in c++11 c++20; do
    "$2" -std=$standard -Wall -Wextra -Wpedantic -Werror -I "$3" -fsyntax-only use.cpp
done
