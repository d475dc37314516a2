#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# `nonflat cache` over the stub driver: an application finds the entries that `warm` has created, and defective entries are named and
# removed. cache_command.sh NONFLAT LAYER APPLICATION
set -u
nonflat=$1 layer=$2 application=$3 failures=0
here=$(mktemp -d)
trap 'rm -rf "$here"' EXIT
cache=$here/cache
export NONFLAT_CONFIG=off
unset NONFLAT_CACHE OPENCL_LAYERS

fail() {
    echo "FAIL: $*"
    failures=$((failures + 1))
}

# expect STATUS REGEX ARGUMENT...: checks the exit status and the output of `nonflat cache ARGUMENT...`.
expect() {
    local wanted=$1 regex=$2 status=0
    shift 2
    "$nonflat" cache "$@" >"$here/out" 2>&1 || status=$?
    [ $status -eq "$wanted" ] || fail "cache $* ended with $status, not $wanted: $(head -c 300 "$here/out")"
    grep -E -q -- "$regex" "$here/out" || fail "cache $* says: $(head -c 500 "$here/out"), not $regex"
}

# A file that contains a module, as the executable of an application may.
{ head -c 4096 "$application"; cat "$TEST_MODULES/generic.spv"; head -c 64 /dev/zero; } >"$here/program"

expect 2 "no file given" warm --folder "$cache"
expect 2 "no OpenCL device is called 'none'" warm --folder "$cache" --layer "$layer" --device none "$here/program"
expect 2 "no SPIR-V module" warm --folder "$cache" --layer "$layer" "$0"
expect 0 "stub device: 1 module, 1 built" warm --folder "$cache" --layer "$layer" --device 'stub*' "$here/program"
cat "$here/program" "$here/program" >"$here/twice"
expect 0 "stub device: 1 module, 1 built" warm --folder "$cache" --layer "$layer" "$here/twice" "$here/program"
expect 0 "module of [0-9]+ bytes, auto" list --folder "$cache"
expect 0 "binary of [0-9]+ bytes for stub device" list --folder "$cache"
expect 0 "entries are whole" verify --folder "$cache"

# An application with the layer finds the entries.
OPENCL_LAYERS=$layer NONFLAT_CACHE=$cache NONFLAT_SUMMARY=$here/summary "$application" build generic 1
grep -q " hits=1 misses=0 " "$here/summary" || fail "the application did not find it: $(cat "$here/summary")"

# A folder given by name gets all entries, whatever other folders contain.
NONFLAT_CACHE_SYSTEM=$cache expect 0 "1 built" warm --folder "$here/whole" --layer "$layer" "$here/program"
expect 0 "^$(find "$cache" -name '*.nonflat' | wc -l) entries" list --folder "$here/whole"

# A module that cannot be built is named once, with its position and the reason.
{ head -c 64 /dev/zero; head -c 300 "$TEST_MODULES/generic.spv"; } >"$here/cut"
expect 0 "stub device: the module at byte 64 of $here/cut: clCreateProgramWithIL gives CL_INVALID_" warm \
    --folder "$cache" --layer "$layer" "$here/cut"
[ "$(grep -c '^nonflat: ' "$here/out")" -eq "$(grep -c ' 0 built, 1 refused' "$here/out")" ] ||
    fail "a refusal is not said once: $(cat "$here/out")"
# A new folder, by a relative path.
(cd "$here" && expect 0 "1 built" warm --folder new --layer "$layer" program && expect 0 "^[1-9][0-9]* entries" list --folder new
    exit $failures) || failures=$((failures + 1))

# With a description in place of the device: the application finds the module, and no binary is stored.
"$nonflat" cache describe "$here/device" --device 'stub*' || fail "describe ended with $?"
grep -q '^device 102b "stub device"$' "$here/device" || fail "the description is: $(head -c 500 "$here/device")"
OCL_ICD_VENDORS=$here/nowhere expect 0 "stub device: 1 module, 1 prepared" warm --folder "$here/described" --layer "$layer" \
    --profile "$here/device" "$here/program"
[ -z "$(find "$here/described" -name 'binary-*' -o -name 'attempt-*')" ] || fail "a description has $(ls "$here/described")"
rm -f "$here/summary"
OPENCL_LAYERS=$layer NONFLAT_CACHE=$here/described NONFLAT_SUMMARY=$here/summary "$application" build generic 1
grep -q " hits=1 misses=0 " "$here/summary" || fail "by a description it was not found: $(cat "$here/summary")"
# The same as OpenCL C, for which the description has the properties of the device's compiler.
NONFLAT_DELIVERY=source OCL_ICD_VENDORS=$here/nowhere expect 0 "stub device: 1 module, 1 prepared" warm --folder "$here/text" \
    --layer "$layer" --profile "$here/device" "$here/program"
rm -f "$here/summary"
NONFLAT_DELIVERY=source OPENCL_LAYERS=$layer NONFLAT_CACHE=$here/text NONFLAT_SUMMARY=$here/summary "$application" build generic 1
grep -q " hits=1 misses=0 " "$here/summary" || fail "by a description no text was found: $(cat "$here/summary")"
# Another device has another profile.
sed 's/^device 105b .*/device 105b "SPIR-V_1.0"/' "$here/device" >"$here/older"
expect 0 "1 prepared" warm --folder "$here/older-cache" --layer "$layer" --profile "$here/older" "$here/program"
rm -f "$here/summary"
OPENCL_LAYERS=$layer NONFLAT_CACHE=$here/older-cache NONFLAT_SUMMARY=$here/summary "$application" build generic 1
grep -q " hits=0 misses=1 " "$here/summary" || fail "another device's module was taken: $(cat "$here/summary")"
# A file that is not a description is not accepted as one.
expect 2 "exclude each other" warm --profile "$here/device" --device stub --layer "$layer" "$here/program"
expect 2 "cannot open" warm --profile "$here/none" --layer "$layer" "$here/program"
expect 2 "describes no device" warm --profile /dev/null --layer "$layer" "$here/program"
expect 2 "no OpenCL device is called 'none'" describe "$here/none" --device none
for line in 'device' 'device 102b' 'device 102b "x' 'device 102b :0' 'device 102b :0g' 'host 102b "x"' 'device zz "x"'; do
    { cat "$here/device"; echo "$line"; } >"$here/bad"
    expect 2 "is not a line of a device's description" warm --profile "$here/bad" --layer "$layer" "$here/program"
done
{ cat "$here/device"; printf 'device 1030 :'; head -c 80000 /dev/zero | tr '\0' 0 | sed 's/$/00/'; } >"$here/bad"
expect 2 "is not a line of a device's description" warm --profile "$here/bad" --layer "$layer" "$here/program"

entry=$(find "$cache" -name 'module-*' | head -1)
printf x | dd of="$entry" bs=1 seek=100 conv=notrunc status=none
expect 1 "$(basename "$entry"): damaged" verify --folder "$cache"
expect 0 "damaged" list --folder "$cache"
expect 0 "1 entries removed, 1 of them not whole" prune --folder "$cache"
[ -e "$entry" ] && fail "prune left a damaged entry"
entry=$(find "$cache" -name 'binary-*' | head -1)
chmod 666 "$entry"
expect 1 "not trusted" verify --folder "$cache"
expect 0 "0 entries, 0.0" prune --size 0 --folder "$cache"
chmod 777 "$cache"
expect 2 "is not trusted" list --folder "$cache"
mkdir -m 700 "$here/documents"
echo mine >"$here/documents/thesis.pdf"
for verb in list verify "prune --size 0"; do
    expect 2 "documents is not a cache of Nonflat: it contains thesis.pdf" $verb --folder "$here/documents"
done
expect 2 "documents is not a cache of Nonflat: it contains thesis.pdf" warm --folder "$here/documents" --layer "$layer" "$here/program"
OPENCL_LAYERS=$layer NONFLAT_CACHE=$here/documents NONFLAT_CACHE_SIZE=1 "$application" build generic 1 2>"$here/said"
grep -q "documents is not used: it contains thesis.pdf" "$here/said" || fail "a foreign folder: $(cat "$here/said")"
[ "$(ls -A "$here/documents")" = thesis.pdf ] || fail "documents: $(ls -A "$here/documents")"
ln -s "$cache" "$here/link"
touch "$here/file"
for other in link file file/cache; do
    OPENCL_LAYERS=$layer NONFLAT_LOG=warning NONFLAT_CACHE=$here/$other "$application" build generic 1 2>"$here/said"
    [ "$(grep -c "$other is not used: it is a link, or not a folder" "$here/said")" = 1 ] || fail "$other: $(cat "$here/said")"
done
expect 2 "unknown action 'mend'" mend
expect 2 "not a number of megabytes" prune --size some --folder "$here"
expect 2 "unexpected argument .more." list more
HOME=$here/nobody XDG_CACHE_HOME= expect 0 "0 entries" list
NONFLAT_CACHE=off expect 2 "there is no cache" list
[ $failures -eq 0 ] && echo "all of nonflat cache's outcomes are right"
exit $((failures > 0))
