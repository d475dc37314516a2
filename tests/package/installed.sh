#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The example, built and run against an installed tree: installed.sh WAY BUILD SOURCE CC SPIRV-AS SPIRV-DIS
# WAY: pkg-config, pkg-config-static or cmake. The prefix differs from the configured one, and contains a space.
set -eu
way=$1 build=$2 source=$3 cc=$4 as=$5 dis=$6
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
prefix="$work/a prefix"
for component in core dev; do
    cmake --install "$build" --prefix "$prefix" --component $component >/dev/null
done
pc=$(find "$prefix" -name nonflat.pc)
libdir=$(dirname "$(dirname "$pc")")
export PKG_CONFIG_PATH="${pc%/*}"
sanitizers=$(sed -n 's/^CMAKE_C_FLAGS:[A-Z]*=//p' "$build/CMakeCache.txt" | grep -o -e '-fsanitize=[a-z,]*' || true)
example=$work/specialize
case $way in
pkg-config)
    eval "$cc" "$sanitizers" '"$source/examples/specialize.c"' "$(pkg-config --cflags --libs nonflat)" -o '"$example"'
    ;;
pkg-config-static)
    eval "$cc" "$sanitizers" '"$source/examples/specialize.c"' "$(pkg-config --cflags nonflat)" '"$libdir/libnonflat.a"' -o '"$example"'
    ;;
cmake)
    # Uses the generator of the build, because make may not be installed.
    CMAKE_GENERATOR=$(sed -n 's/^CMAKE_GENERATOR:INTERNAL=//p' "$build/CMakeCache.txt")
    export CMAKE_GENERATOR
    cmake -S "$source/examples" -B "$work/build" "-DCMAKE_PREFIX_PATH=$prefix" "-DCMAKE_C_COMPILER=$cc" \
        "-DCMAKE_C_FLAGS=$sanitizers" >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
    cmake --build "$work/build" >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
    example=$work/build/specialize
    printf 'cmake_minimum_required(VERSION 3.16)\nproject(x C)\nfind_package(nonflat 99 REQUIRED)\n' >"$work/CMakeLists.txt"
    if cmake -S "$work" -B "$work/wrong" "-DCMAKE_PREFIX_PATH=$prefix" >"$work/log" 2>&1 ||
        ! grep -q 'requested version "99"' "$work/log"; then
        echo "FAILED: version 99 was found, or not looked for"
        exit 1
    fi
    ;;
esac
readelf -d "$example" | grep -q 'NEEDED.*libnonflat' && linked=shared || linked=static
case $way:$linked in
*-static:shared | pkg-config:static | cmake:static) echo "FAILED: linked $linked"; exit 1 ;;
esac
export LD_LIBRARY_PATH="$libdir"
"$as" --target-env opencl2.2 "$source/tests/rewrite/select-mixed.spvasm" -o "$work/in.spv"
"$example" "$work/in.spv" "$work/out.spv" >"$work/said"
cat "$work/said"
grep -q '^[1-9][0-9]* generic accesses' "$work/said"
"$dis" "$work/in.spv" | grep -q 'OpTypePointer Generic'
if "$dis" "$work/out.spv" | grep -q Generic; then
    echo "FAILED: there are generic pointers in the output"
    exit 1
fi
head -c 40 "$work/in.spv" >"$work/cut.spv"
status=0
"$example" "$work/cut.spv" "$work/out.spv" 2>"$work/said" || status=$?
cat "$work/said"
[ $status -eq 3 ] && grep -q malformed "$work/said"
