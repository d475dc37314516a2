#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Checks that a privileged process ignores the user's settings: secure.sh TEST-PROGRAM
# The devices test, as a set-user-id program, must pass with the mode "off" in its environment or in the user's file, which
# would make it fail in an ordinary one. Exit status 77 if set-user-id programs do not work on this machine.
[ "$(id -u)" -eq 0 ] || { echo "SKIPPED: only root can make a set-user-id program"; exit 77; }
# The program runs as user nobody, who may have no access to the build folder (such as one in root's home), so it runs copies.
copy=$(mktemp -d) || exit 1
trap 'rm -rf "$copy"' EXIT
chmod 755 "$copy"
cp "$1" "$copy/program" && chown nobody "$copy/program" && chmod 4755 "$copy/program" || exit 1
cp "$OPENCL_LAYERS" "$copy/layer.so" && cp "$(cat "$OCL_ICD_VENDORS"/*.icd)" "$copy/driver.so" &&
    cp "$TEST_MODULES"/*.spv "$copy/" && echo "$copy/driver.so" >"$copy/driver.icd" || exit 1
export OPENCL_LAYERS="$copy/layer.so" OCL_ICD_VENDORS="$copy" TEST_MODULES="$copy"
export NONFLAT_SPIR=/bin/cat TEST_OFFERS=0 NONFLAT_DUMP="$copy/dump" NONFLAT_LOG="debug:$copy/log"
export NONFLAT_CACHE="$copy/cache" XDG_CONFIG_HOME="$copy/config"
mkdir -p "$copy/config/nonflat" && echo "mode = off" >"$copy/config/nonflat/nonflat.conf" || exit 1
as_nobody=$(stat -c %U "$copy/program")
for mode in "" off; do # by the user's file, and by a variable
    export NONFLAT_MODE="$mode"
    if "$1" >/dev/null 2>&1; then
        echo "FAILED: the settings do not count in an ordinary process either"
        exit 1
    fi
    rm -rf "$copy/log" "$copy/dump" "$copy/cache"
    "$copy/program"
    status=$?
    for path in log dump cache; do
        [ -e "$copy/$path" ] && { echo "FAILED: it wrote the user's $path"; exit 1; }
    done
    [ $status -ne 0 ] && findmnt -n -o OPTIONS -T "$copy" 2>/dev/null | grep -q nosuid &&
        { echo "SKIPPED: set-user-id programs do not work in $copy"; exit 77; }
    echo "as $as_nobody: $status"
    [ $status -eq 0 ] || exit $status
done
