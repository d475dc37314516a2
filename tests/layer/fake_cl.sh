#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A fake compiler that returns the same module for every source, so that the tests need no real one: FAKE_CL_MODULE, or without that
# variable a module with generic pointers. With FAKE_CL_BEGAN it creates that file, and waits until the file FAKE_CL_GO exists.
cat > /dev/null
if [ -n "$FAKE_CL_BEGAN" ]; then
    echo began >> "$FAKE_CL_BEGAN"
    while [ ! -e "$FAKE_CL_GO" ]; do sleep 0.01; done
fi
body=$(mktemp) || exit 2
{ printf 'module 0 0\n'; cat "$TEST_MODULES/${FAKE_CL_MODULE:-generic}.spv"; } > "$body"
cat "$body"
printf 'NONFLAT:%016x' "$(wc -c < "$body")"
rm -f "$body"
