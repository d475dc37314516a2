#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Builds and installs AdaptiveCpp with its OpenCL back end and its generic compiler, in the system of conformance/adaptivecpp.
#     adaptivecpp_build.sh SOURCE PREFIX LLVM    SOURCE is not written to; the folder build beside PREFIX has headers/CL
# The headers of OpenCL and the translator to SPIR-V, which its build would clone, are Debian's.
set -eu
source=$1 prefix=$2 llvm=$3
work=$(dirname "$prefix")/build
mkdir -p "$work"/headers/include "$work"/translator
for project in headers translator; do
    printf 'cmake_minimum_required(VERSION 3.12)\nproject(%s NONE)\n' $project >"$work"/$project/CMakeLists.txt
done
export CMAKE_GENERATOR=Ninja
cmake -S "$source" -B "$work"/adaptivecpp -DCMAKE_BUILD_TYPE=Release -DCMAKE_INSTALL_PREFIX="$prefix" \
    -DCMAKE_C_COMPILER="clang-$llvm" -DCMAKE_CXX_COMPILER="clang++-$llvm" -DCLANG_EXECUTABLE_PATH="/usr/bin/clang++-$llvm" \
    -DLLVM_DIR="/usr/lib/llvm-$llvm/lib/cmake/llvm" -DACPP_COMPILER_FEATURE_PROFILE=full -DWITH_OPENCL_BACKEND=ON \
    -DWITH_CUDA_BACKEND=OFF -DWITH_ROCM_BACKEND=OFF -DWITH_LEVEL_ZERO_BACKEND=OFF \
    -DFETCHCONTENT_SOURCE_DIR_OCL-HEADERS="$work"/headers -DFETCHCONTENT_SOURCE_DIR_OCL-CXX-HEADERS="$work"/headers \
    -DFETCHCONTENT_SOURCE_DIR_LLVMSPIRVTRANSLATOR="$work"/translator
cmake --build "$work"/adaptivecpp --target install --parallel "$(nproc)"

# If every OpenCL device is a CPU, AdaptiveCpp's selectors give all devices the same score, and select its own CPU back end. This change
# makes them prefer any other device with the same score.
selectors=$prefix/include/AdaptiveCpp/hipSYCL/sycl/device_selector.hpp
sed -i 's/return s(devices\[a\]) > s(devices\[b\]);/auto rank = [\&](int i) { return 2 * s(devices[i]) + !(devices[i] == device{get_host_device()}); }; return rank(a) > rank(b);/' \
    "$selectors"
grep -q 'rank(a) > rank(b)' "$selectors"

# Local accessors lack get_multi_ptr(), which most programs of HeCBench with local memory call.
accessor=$prefix/include/AdaptiveCpp/hipSYCL/sycl/libkernel/accessor.hpp
sed -i 's/^  local_ptr<dataT> get_pointer() const$/  template <access::decorated D> local_ptr<dataT, D> get_multi_ptr() const { return local_ptr<dataT, D>{get_pointer().get()}; }\n\n  ACPP_KERNEL_TARGET\n&/' \
    "$accessor"
grep -q 'local_ptr<dataT, D> get_multi_ptr' "$accessor"
