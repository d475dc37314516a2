#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Runs a test that is compiled with a sanitizer, and runs it once more if the sanitizer's run-time could not map memory of an impossible
# size (observed: 561 TB, when one thread started while another loaded a library). Such a failure does not concern the tested code, whereas
# a report of the sanitizer does. sanitized.sh TEST
log=$(mktemp)
trap 'rm -f "$log"' EXIT
"$@" >"$log" 2>&1
status=$?
cat "$log"
if [ $status -ne 0 ] && grep -q 'Sanitizer failed to allocate' "$log" && ! grep -qE 'WARNING: ThreadSanitizer|FAILED' "$log"; then
    echo "== the sanitizer itself failed: once more"
    "$@"
    status=$?
fi
exit $status
