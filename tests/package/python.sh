#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Tests the Python package with an installed tree, as in the wheel: python.sh BUILD SOURCE PYTHON SPIRV-AS LIBDIR VERSION
set -eu
build=$1 source=$2 python=$3 as=$4 libdir=$5 version=$6
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cmake --install "$build" --prefix "$work/nonflat" >/dev/null
[ "$libdir" = lib ] || ln -s "$work/nonflat/$libdir"/libnonflat_*.so "$work/nonflat/lib/"
for file in "$source"/packaging/python/nonflat/*.py; do
    sed "s/@VERSION@/$version/" "$file" >"$work/nonflat/$(basename "$file")"
done
"$as" --target-env opencl2.2 "$source/tests/rewrite/select-mixed.spvasm" -o "$work/in.spv"
cd "$work"
PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=$work "$python" "$source/tests/package/python_package.py" "$work/in.spv"
