#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Checks that libnonflat.a exports only the public functions: own_names.sh NM CC FLAGS ARCHIVE CORE SOURCE SPIRV-AS
# A program that has a function of its own for every inner name of the core (nf_node, nf_find...) links with the archive and
# specializes as without these functions; with CORE, the archive in which the names are global, it does not link.
set -eu
nm=$1 cc=$2 flags=$3 archive=$4 core=$5 source=$6 as=$7
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
names() { "$nm" --defined-only --extern-only --format=posix "$1" | awk 'NF > 1 { print $1 }' | grep -v '^__odr_asan' | sort -u; }
names "$archive" >"$work/public"
names "$core" >"$work/all"
tr -s '[:space:](' '\n' <"$source/include/nonflat/nonflat.h" | tr -d '*' | grep '^nf_' | sort -u >"$work/declared"
if comm -23 "$work/public" "$work/declared" | grep . || ! grep -qx nf_specialize "$work/public"; then
    echo "FAILED: above are names in $archive that the public header does not have, or nf_specialize is not there"
    exit 1
fi
comm -23 "$work/all" "$work/public" >"$work/inner"
for name in nf_node nf_read nf_rewrite; do
    grep -qx $name "$work/inner" || { echo "FAILED: $name is not an inner name: is this the core?"; exit 1; }
done
{
    echo '#include <stdlib.h>'
    sed 's/.*/int &(void);\nint &(void) { abort(); }/' "$work/inner"
} >"$work/names.c"
"$as" --target-env opencl2.2 "$source/tests/rewrite/select-mixed.spvasm" -o "$work/in.spv"
build() { # PROGRAM FILE...
    # shellcheck disable=SC2086 # a list
    "$cc" $flags -w -I"$source/include" -o "$@"
}
build "$work/plain" "$source/examples/specialize.c" "$archive"
build "$work/own" "$source/examples/specialize.c" "$work/names.c" "$archive"
for program in plain own; do
    "$work/$program" "$work/in.spv" "$work/$program.spv" >"$work/$program.said"
done
cmp "$work/plain.spv" "$work/own.spv"
if build "$work/wrong" "$source/examples/specialize.c" "$work/names.c" "$core" 2>"$work/said"; then
    echo "FAILED: linked with $core too: these names meet nobody"
    exit 1
fi
grep -q 'multiple definition\|duplicate symbol' "$work/said" || { cat "$work/said"; exit 1; }
echo "$(wc -l <"$work/public") public names; $(wc -l <"$work/inner") inner names are the program's"
