#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Tests of `nonflat doctor` on PoCL and Oclgrind, without any driver, and with one that crashes. doctor.sh NONFLAT CRASHING_DRIVER
set -u
nonflat=$1 crashing=$2
here=$(mktemp -d)
trap 'rm -rf "$here"' EXIT
cd "$here" || exit 2
failures=0
unset OPENCL_LAYERS NONFLAT_MODE OCL_ICD_FILENAMES
export HOME=$here XDG_CACHE_HOME=$here/cache

fail() {
    echo "FAIL: $*: $(tail -c 600 out)"
    failures=$((failures + 1))
}

# examine STATUS DRIVER...: runs doctor with these drivers only; its output goes to `out`.
examine() {
    local wanted=$1 status=0 driver
    shift
    rm -rf vendors && mkdir vendors
    for driver in "$@"; do echo "$driver" >"vendors/$(basename "$driver").icd"; done
    OCL_ICD_VENDORS=$here/vendors timeout 280 "$nonflat" doctor >out 2>&1 || status=$?
    [ "$status" -eq "$wanted" ] || fail "with '$*' it ends with $status, not $wanted"
}

examine 1
grep -q 'there is no OpenCL device' out || fail "without a driver"
examine 1 "$crashing"
grep -q "the driver of $here/vendors/$(basename "$crashing").icd crashes (Segmentation fault) when devices are listed" out ||
    fail "with a crashing driver"
grep -q 'there is no OpenCL device' out && fail "a driver that crashes is none"
[ "$(ls vendors)" = "$(basename "$crashing").icd" ] || fail "the folder of drivers is another: $(ls vendors)"

grep -q '^translator  none' out && [ -x "$(dirname "$nonflat")/../layer/spir/nonflat-spir" ] && fail "a translator that is there"

pocl=$(cat /etc/OpenCL/vendors/pocl.icd 2>/dev/null)
oclgrind=$(ls /usr/lib/oclgrind/liboclgrind-rt-icd.so /usr/lib/*/oclgrind/liboclgrind-rt-icd.so 2>/dev/null | head -1)
[ -n "$pocl" ] || echo "SKIPPED: what it says of PoCL, which is not installed"
[ -n "$oclgrind" ] || echo "SKIPPED: what it says of Oclgrind, which is not installed"
for driver in $pocl $oclgrind; do
    examine 0 "$driver"
    grep -q 'the loader loads it' out || fail "the layer with $driver"
    if grep -q 'takes *SPIR-V.*generic pointers: yes' out; then # PoCL 6 and newer
        grep -q 'probe *without: right' out || fail "without the layer on $driver"
        grep -q 'leaves it alone, except for modules that query' out || fail "the plan for $driver"
    else
        grep -q 'probe *without: refused: clCreateProgramWithIL gives CL_INVALID_[A-Z]* (-[0-9]*)' out || fail "without the layer on $driver"
    fi
    grep -q 'with: *right' out || fail "with the layer on $driver"
    if [ "$driver" = "$oclgrind" ]; then
        grep -q "SYCL's pointers: none: it has no SVM" out || fail "shared memory on $driver"
    elif grep -q 'generic pointers: no' out; then
        grep -q "SYCL's pointers: over its SVM, by libnonflat_usm.so" out || fail "shared memory on $driver"
    fi
    grep -q 'nothing is broken' out || fail "the end with $driver"
    form='flat: all memories share one address space'
    [ "$driver" = "$pocl" ] || form='numbered: the high 16 bits of an address are the number of its buffer'
    # Oclgrind on a 32-bit host has other addresses.
    [ "$driver" = "$pocl" ] || [ "$(getconf LONG_BIT)" = 64 ] || form="unknown: nothing is known of this driver's addresses"
    grep -q "^  addresses $form\$" out || fail "the form of addresses on $driver"
    NONFLAT_ADDRESSES=windows examine 0 "$driver"
    grep -q '^  addresses windows: ' out || fail "the setting of addresses on $driver"
    examine 0 "$driver"
    # The compiler that builds a program in OpenCL C, with nonflat-cl and without.
    grep -q 'generic pointers: no' out || continue
    if [ -x "$(dirname "$nonflat")/../layer/cl/nonflat-cl" ]; then
        grep -q 'source *nonflat-cl compiles OpenCL C that uses generic pointers' out || fail "source on $driver"
    fi
    [ "$driver" = "$pocl" ] || continue
    NONFLAT_CL=/nowhere/nonflat-cl examine 0 "$driver"
    grep -q "source *the driver compiles all OpenCL C: the program nonflat-cl is not installed" out || fail "source without nonflat-cl"
    NONFLAT_SOURCE=off examine 0 "$driver"
    grep -q "source *the driver compiles all OpenCL C: the setting source is off" out || fail "source that is off"
done

# A cache folder that the layer would not use, and one that it could not create.
mkdir -p open && chmod 777 open
NONFLAT_CACHE=$here/open examine 1
grep -q "cache $here/open must be a folder that you own and no other user may write to" out || fail "a cache that is open to all"
mkdir -p shelf
NONFLAT_CACHE_SYSTEM=$here/shelf:$here/none:$here/open examine 1
grep -q "^read-only   $here/shelf: 0 files, 0.0 MB$" out || fail "a read-only cache"
grep -q "^read-only   $here/none: does not exist$" out || fail "a read-only cache that is not there"
grep -q "the read-only cache $here/open must be a folder of yours" out || fail "a read-only cache that is open to all"
NONFLAT_CACHE=/dev/null/cache examine 1
grep -q 'cache /dev/null/cache cannot be created' out || fail "a cache that cannot be made"
if [ -n "$pocl" ]; then
    NONFLAT_MODE=off examine 0 "$pocl"
    grep -q '^  addresses' out && fail "addresses though the mode is off"
    grep -q 'generic pointers: yes\|needs Nonflat, but the mode is off' out || fail "the mode off"
    OPENCL_LAYERS=/no/such.so examine 1 "$pocl"
    grep -q 'OPENCL_LAYERS names /no/such.so, which cannot be read' out || fail "a layer that is not there"
    grep -q 'export OPENCL_LAYERS=/no' out && fail "it advises to keep a layer that is not there"
fi

# A rusticl whose devices are not enabled, and a virtual environment with a loader of its own.
mkdir -p environment/lib && cp "$(ldconfig -p | sed -n 's/.*libOpenCL.so.1 .*=> //p' | head -1)" environment/lib/libOpenCL.so.1
VIRTUAL_ENV=$here/environment examine 1 "librusticl-that-is-not-there.so"
grep -q 'rusticl is installed, but shows no device: export RUSTICL_ENABLE=llvmpipe' out || fail "rusticl that is off"
grep -q "loader of its own, $here/environment/lib/libOpenCL.so.1" out || fail "the loader of an environment"
grep -q "LD_LIBRARY_PATH=$here/environment/lib" out || fail "how to ask that loader"
examine 1
grep -q 'rusticl\|virtual environment' out && fail "advice that nobody needs"

# The SYCL runtime's cache entries from before the layer was installed are reported.
mkdir -p cache/libsycl_cache/x && touch -d 2001-01-01 cache/libsycl_cache/x/0.bin
examine 1
grep -q '1 files, 0.0 MB, 1 from before this layer' out || fail "an old SYCL cache"

echo "$failures failures"
[ "$failures" -eq 0 ]
