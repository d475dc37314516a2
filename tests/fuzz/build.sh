# SPDX-License-Identifier: Apache-2.0
# Sourced by ./run and ./volume: builds a fuzz program with clang.

# build_fuzz SOURCE FOLDER PROGRAM C_FLAGS CXX_FLAGS [CMAKE_OPTION...]: configures the folder only once. A failure ends the script with its
# log.
build_fuzz() {
    source=$1 build=$2 program=$3 c_flags=$4 cxx_flags=$5
    shift 5
    clang=${CLANG:-$("$source/tools/toolchain.sh" clang)}
    [ -f "$build/build.ninja" ] || cmake -S "$source" -B "$build" -G Ninja -DNONFLAT_LLVM=OFF "$@" -DCMAKE_C_COMPILER="$clang" \
        -DCMAKE_CXX_COMPILER="$(echo "$clang" | sed 's/clang\(-[0-9]*\)\{0,1\}$/clang++\1/')" \
        -DCMAKE_C_FLAGS="$c_flags" -DCMAKE_CXX_FLAGS="$cxx_flags" >"$build.log" 2>&1 || { cat "$build.log" >&2; exit 2; }
    ninja -C "$build" -j 2 "$program" >"$build.log" 2>&1 || { cat "$build.log" >&2; exit 2; }
}
