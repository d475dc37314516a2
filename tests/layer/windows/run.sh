#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Runs the tests of the layer under Wine, through the Khronos loader over the stub driver: run.sh BUILD SOURCES. packaging/windows, which
# compiles the layer, calls it. The loader finds driver and layer in the registry; packaging/windows_layer.bat writes the layer's value.
# Prints a table of the tests that passed, and of those that cannot run, with the reason. Exit status: 0 no test failed, 1 a test failed.
set -eu
root=$(cd "$(dirname "$0")/../../.." && pwd)
build=$(realpath "$1") sources=$(realpath "$2")
work=$build/windows
tests=$root/tests/layer
cc="x86_64-w64-mingw32-gcc -std=gnu11 -O1 -D__USE_MINGW_ANSI_STDIO=1 -D_WIN32_WINNT=0x0A00 -I $work/include"
export WINEPREFIX="$work/wine" WINEDEBUG=-all WINEDLLOVERRIDES=opencl=n # Wine has a loader of its own
cd "$work"

loader=$sources/OpenCL-ICD-Loader/loader
: >include/icd_cmake_config.h
loader_options="-w -DCL_TARGET_OPENCL_VERSION=310 -DCL_NO_NON_ICD_DISPATCH_EXTENSION_PROTOTYPES -DCL_ENABLE_LAYERS
    -DOPENCL_ICD_LOADER_VERSION_MAJOR=3 -DOPENCL_ICD_LOADER_VERSION_MINOR=1 -DOPENCL_ICD_LOADER_VERSION_REV=0 -I $loader -I $loader/../include"
loader_files="$loader/icd.c $loader/icd_trace.c $loader/icd_dispatch.c $loader/icd_dispatch_generated.c"
libraries="-lcfgmgr32 -lruntimeobject -lole32 -ladvapi32"
[ -e OpenCL.dll ] || $cc $loader_options -DCL_SHARED_BUILD -shared $loader_files "$loader"/windows/*.c "$loader/windows/OpenCL.def" \
    -o OpenCL.dll -Wl,--out-implib,libOpenCL.dll.a $libraries
[ -e cllayerinfo.exe ] || $cc $loader_options -DCL_LAYER_INFO $loader_files "$loader"/windows/*.c "$loader/cllayerinfo.c" \
    -o cllayerinfo.exe $libraries

: >config.h
test_options="-w -I $tests/windows -I $tests -I $sources/cmocka/include -DHAVE_INTTYPES_H=1 -include $tests/windows/posix.h"
[ -e cmocka.o ] || $cc $test_options -include stdint.h -I . -DHAVE_CONFIG_H -DHAVE_SIGNAL_H=1 -DHAVE_MALLOC_H=1 -DHAVE_STRINGS_H=1 \
    -c "$sources/cmocka/src/cmocka.c" -o cmocka.o
$cc $test_options -shared -static "$tests/stub_driver.c" "$tests/stub_kernels.c" -o stub.dll -lpthread
$cc $test_options -c "$tests/common.c" -o common.o
$cc $test_options -c "$tests/windows/shell.c" -o shell.o
$cc "$tests/windows/ordinary.c" -o ordinary.exe -ladvapi32
for test in programs api devices mixed source native overhead threads windows; do
    $cc $test_options "$tests/test_$test.c" common.o shell.o cmocka.o libOpenCL.dll.a -o "test_$test.exe" -static -lpthread -ladvapi32
done
$cc "$tests/codes.c" libOpenCL.dll.a -o codes.exe

wine reg add 'HKLM\SOFTWARE\Khronos\OpenCL\Vendors' /v "$(winepath -w "$work/stub.dll")" /t REG_DWORD /d 0 /f >/dev/null
cp "$root/packaging/windows_layer.bat" .
wine cmd /c windows_layer.bat >/dev/null 2>&1 || { echo "FAILED windows_layer.bat"; exit 1; }
export TEST_MODULES="$(winepath -w "$build/tests/layer")" TEST_LAYER="$(winepath -w "$work/nonflat_layer.dll")" TEST_NO_FORK=1 \
    NONFLAT_CACHE=off NONFLAT_CONFIG=off NONFLAT_BUILD_TIMEOUT=4 TEST_OFFERS=0 TEST_SOURCE=0
failed=0
reasons() { sed -n 's/\r*$//; s/^needs //p' "$1" | sort | uniq -c | sed 's/^ *\([0-9]*\) \(.*\)/\1 need \2/' | paste -sd, | sed 's/,/, /g'; }
# row NAME LOG STATUS PASSED SKIPPED
row() {
    verdict=passed
    [ "$3" -eq 0 ] || verdict="FAILED ($3)" failed=1
    printf '| %s | %s | %s | %s | %s |\n' "$1" "$verdict" "$4" "$5" "$(reasons "$2")"
    [ "$3" -eq 0 ] || tail -30 "$2"
}
printf '\n| test | result | passed | cannot be tried | why |\n|---|---|---:|---:|---|\n'
for test in programs api devices mixed source native overhead threads windows; do
    status=0
    timeout 300 wine ordinary.exe "test_$test.exe" >"$test.log" 2>&1 || status=$?
    row "$test" "$test.log" $status "$(grep -c '\[       OK \]' "$test.log" || true)" "$(sed -n 's/.*\[  SKIPPED \] tests: \([0-9]*\).*/\1/p' "$test.log")"
done
status=0
timeout 60 wine test_windows.exe administrator >administrator.log 2>&1 || status=$?
row "windows, as administrator" administrator.log $status $((status == 0)) ""
status=0
wine ordinary.exe "codes.exe $(winepath -w "$build/tests/layer/plain.spv" | sed 's/\\/\\\\/g')" 2>&1 | tr -d '\r' |
    diff "$tests/codes.expected" - >codes.log || status=$?
row "codes of misuse" codes.log $status "$(wc -l <"$tests/codes.expected")" ""
status=0
timeout 60 wine cllayerinfo.exe >information.log 2>&1 && grep -q Nonflat information.log || status=1
row cllayerinfo information.log $status $((status == 0)) ""
wine cmd /c windows_layer.bat remove >/dev/null 2>&1
status=0
wine ordinary.exe test_programs.exe >removed.log 2>&1 && status=1
row "windows_layer.bat remove" removed.log $status $((status == 0)) ""
exit $failed
