#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Installs what the tests need, builds everything, and runs all tests that need nothing but Debian 12's packages.
#     tools/test.sh [CTEST OPTION...]        such as -R rewrite
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
build=${NONFLAT_BUILD:-$root/build}
"$root/tools/build.sh"
unset OPENCL_LAYERS NONFLAT_MODE 2>/dev/null || true
exec ctest --test-dir "$build" --output-on-failure -j "$(nproc)" "$@"
