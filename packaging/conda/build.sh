#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Runs in the folder of the source, with conda's variables.
set -eu
cmake -S . -B conda-build -G Ninja -DCMAKE_BUILD_TYPE=Release "-DCMAKE_INSTALL_PREFIX=$PREFIX" -DCMAKE_INSTALL_LIBDIR=lib "-DCMAKE_PREFIX_PATH=$PREFIX" \
    -DNONFLAT_LAY_DIR=etc/OpenCL/layers -DNONFLAT_LLVM=OFF -DNONFLAT_TESTS=OFF -DCMAKE_DISABLE_FIND_PACKAGE_SPIRV-Tools=ON
ninja -C conda-build
cmake --install conda-build --strip
