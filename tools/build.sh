#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Installs what is missing of Debian 12's packages, then configures and builds the given targets (everything without).
#     tools/build.sh [TARGET...]
# The build folder is ./build, or $NONFLAT_BUILD. Needs root only when something has to be installed. No PyPI.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
build=${NONFLAT_BUILD:-$root/build}

packages="gcc g++ cmake ninja-build pkg-config python3
    clang-15 llvm-15-dev llvm-15-tools libllvmspirvlib-15-dev llvm-spirv-15
    spirv-tools spirv-headers opencl-headers ocl-icd-opencl-dev libcmocka-dev
    libxxhash-dev libinih-dev libzstd-dev clang-format-14
    pocl-opencl-icd oclgrind"

missing=
for package in $packages; do
    state=$(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null || true)
    [ "$state" = installed ] || missing="$missing $package"
done
if [ -n "$missing" ]; then
    echo "== installing:$missing"
    export DEBIAN_FRONTEND=noninteractive
    log=$(mktemp)
    # shellcheck disable=SC2086 # a list
    { apt-get update -qq && apt-get install -y -qq -o Dpkg::Use-Pty=0 --no-install-recommends $missing; } >"$log" 2>&1 ||
        { cat "$log"; exit 1; }
    rm -f "$log"
fi

echo "== building in $build"
cmake -S "$root" -B "$build" -G Ninja >"$build.log" 2>&1 || { cat "$build.log"; exit 1; }
ninja -C "$build" "$@" >>"$build.log" 2>&1 || { tail -50 "$build.log"; exit 1; }
rm -f "$build.log"
