#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Assembles a text to a seed: assemble.sh SPIRV_AS IN.spvasm OUT.spv. A text for a newer assembler becomes an empty module, which is a valid
# seed.
set -u
as=$1 in=$2 out=$3
target=$(sed -n 's/^; *TARGET: *//p' "$in" | head -n 1)
"$as" --target-env "${target:-spv1.2}" "$in" -o "$out" 2>/dev/null && exit 0
echo "no seed of $in: the assembler does not know it" >&2
printf '\003\002\043\007\000\000\001\000\000\000\000\000\001\000\000\000\000\000\000\000' >"$out"
