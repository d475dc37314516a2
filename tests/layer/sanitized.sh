#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Runs a test that is compiled with a sanitizer; once more where the sanitizer's own run-time could not map memory, of a size that
# nobody has (seen: 561 TB, where one thread began while another loaded a library). That says nothing of what is tested; a report does.
#     sanitized.sh TEST
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
