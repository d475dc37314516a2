#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Checks that all installed files are where a packager expects them, and work there: layout.sh BUILD SOVERSION LIBDIR
set -eu
build=$1 soversion=$2 libdir=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cmake --install "$build" --prefix "$work" >/dev/null
for file in bin/nonflat include/nonflat/nonflat.h \
    "$libdir/libnonflat.so" "$libdir/libnonflat.so.$soversion" "$libdir/libnonflat.a" "$libdir/libnonflat_layer.so" "$libdir/libnonflat_usm.so" \
    "$libdir/pkgconfig/nonflat.pc" "$libdir/cmake/nonflat/nonflat-config.cmake" \
    share/doc/nonflat/README.md share/doc/nonflat/LICENSE share/doc/nonflat/docs/README.md \
    share/bash-completion/completions/nonflat libexec/nonflat/nonflat-try; do
    [ -e "$work/$file" ] || { echo "FAILED: not installed: $file"; exit 1; }
done
lay=$(find "$work" -name nonflat.lay)
if [ -n "$lay" ]; then # under the prefix unless the build is configured for /usr
    layer=$(cat "$lay")
    [ "$layer" = "$work/$libdir/libnonflat_layer.so" ] || { echo "FAILED: nonflat.lay names $layer"; exit 1; }
fi
"$work/bin/nonflat" --version
"$work/bin/nonflat" run --print | grep -F "$work/$libdir/libnonflat_layer.so"
