#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Checks that nonflat-compare finds no difference between a build and itself, and each deliberate difference of the altered library: test.sh
# PROGRAM LIBRARY ALTERED FOLDER_OF_MODULES
set -eu
program=$1 library=$2 altered=$3 folder=$4
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
ls "$folder"/select*.spv "$folder"/import-unknown-refused.spv >"$work/list"

fail() { # reason
    cat "$work/out" >&2
    echo "FAIL $1" >&2
    exit 1
}

"$program" --trace --jobs 2 "$work/list" "$library" "$altered" >"$work/out" || fail "the same library, and yet a difference"
grep -q ' 0 modules come out differently' "$work/out" || fail "no figures"
for what in status log output report inference trace crash link; do
    status=0
    NONFLAT_ALTERED=$what "$program" --trace "$work/list" "$library" "$altered" >"$work/out" || status=$?
    [ $status = 1 ] || [ $what = crash ] || fail "$what: exit status $status"
    [ $status != 0 ] || fail "$what: exit status 0"
    case $what in
    crash) grep -q '^DIFFERENT: a build ended by signal' "$work/out" ;;
    link) grep -q '^DIFFERENT .*: output (1 linked)' "$work/out" ;;
    *) grep -q "^DIFFERENT .*: $what (" "$work/out" ;;
    esac || fail "$what differs, and is not named"
done
echo >"$work/list" "$work/none.spv"
"$program" "$work/list" "$library" "$altered" >"$work/out" 2>&1 && fail "nothing compared, and yet success"
exit 0
