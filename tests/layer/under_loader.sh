#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Runs the tests of the layer under another ICD loader: under_loader.sh BUILD-FOLDER /path/to/libOpenCL.so.1
# The test programs take whichever libOpenCL.so.1 the dynamic linker finds first. Exit status: 0 all tests passed, 1 a test failed, 2 usage.
if [ $# -ne 2 ] || [ ! -e "$2" ]; then
    echo "usage: $0 BUILD-FOLDER /path/to/libOpenCL.so.1" >&2
    exit 2
fi
build=$(cd "$1" && pwd) loader=$(readlink -f "$2") failed=0
links=$(mktemp -d) || exit 2
trap 'rm -rf "$links"' EXIT
ln -s "$loader" "$links/libOpenCL.so.1" # only the loader itself, not what lies beside it
tests=$build/tests/layer layer=$build/layer/libnonflat_layer.so strict=$build/tests/layer/libnonflat_strict.so
here=$(cd "$(dirname "$0")" && pwd)
export LD_LIBRARY_PATH="$links:$(dirname "$loader")${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
export TEST_MODULES="$tests" OCL_ICD_VENDORS="$tests/vendors" TEST_OFFERS=1 NONFLAT_SOURCE=off TEST_LIST="$strict:$layer"
export TEST_LAYER="$layer" TEST_BELOW="$tests/liblayer_passing_below.so" NONFLAT_SPIR_MEMORY=8 # as CMakeLists.txt has it
export NONFLAT_CACHE=off TEST_SPIR="$here/fake_spir.sh" NONFLAT_SPIR="$here/fake_spir.sh" NONFLAT_SPIR_TIMEOUT=2

# run NAME OPENCL_LAYERS PROGRAM...
run() {
    name=$1 list=$2
    shift 2
    if OPENCL_LAYERS=$list "$@" >"$links/log" 2>&1; then
        echo "ok      $name"
    elif [ $? -eq 77 ]; then
        echo "SKIPPED $name: $(grep -m1 -o 'SKIPPED: .*' "$links/log")"
    else
        echo "FAILED  $name"
        cat "$links/log"
        failed=1
    fi
}
for test in programs api devices translator mixed threads settings cache; do
    run $test "$layer" "$tests/layer_$test"
done
run environ "$TEST_LIST" "$tests/layer_environ"
run "programs between others" "$tests/liblayer_passing_below.so:$layer:$tests/liblayer_passing_above.so" \
    "$tests/layer_programs"
run "the layer twice" "$layer:$layer" "$tests/layer_programs"
if [ -x "$build/tests/usm/usm_functions" ]; then
    export OCL_ICD_VENDORS="$build/tests/usm/vendors"
    coarse=$build/tests/usm/libnonflat_coarse.so usm=$build/layer/libnonflat_usm.so
    run "shared memory" "$usm" "$build/tests/usm/usm_functions"
    run "shared memory, views" "$coarse:$usm" "$build/tests/usm/usm_views"
    export OCL_ICD_VENDORS="$tests/vendors"
fi
run unloaded "$layer" env NONFLAT_CACHE="$links/cache" NONFLAT_BUILD_TIMEOUT=1 NONFLAT_LOG=off "$tests/layer_unloaded" libOpenCL.so.1
run late "$layer" "$tests/layer_late" libOpenCL.so.1
exit $failed
