#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Measures the page of `nonflat explain` in headless Chromium, light and dark, wide and narrow, by browser.js. browser.sh NONFLAT SPIRV_AS
# TESTS
set -u
nonflat=$1 assemble=$2 tests=$3
browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome) || {
    echo "SKIPPED: there is no Chromium"
    exit 77
}
here=$(mktemp -d)
trap 'rm -rf "$here"' EXIT
failures=0
"$assemble" --target-env spv1.2 "$tests/probe.spvasm" -o "$here/probe.spv" || exit 2
"$nonflat" explain "$here/probe.spv" --html "$here/page.html" || exit 1
{ cat "$here/page.html"; echo "<script>"; cat "$tests/browser.js"; echo "</script>"; } >"$here/measured.html"

for scheme in 1 0; do # light, dark
    for width in 1300 500; do
        HOME=$here timeout 100 "$browser" --headless --no-sandbox --disable-gpu --disable-dev-shm-usage \
            --user-data-dir="$here/profile" --blink-settings=preferredColorScheme=$scheme --window-size=$width,900 \
            --dump-dom "file://$here/measured.html" >"$here/dom" 2>"$here/log"
        found=$(sed -n 's/.*<pre id="measured">\([^<]*\)<.*/\1/p' "$here/dom" | head -1)
        wanted="scheme=$([ $scheme = 1 ] && echo light || echo dark) nodes=5 overlaps=0 faint=0 wide=0 fewer=1"
        if [ "$found" != "$wanted" ]; then
            echo "FAIL: $width wide: '$found', not '$wanted'; $(tail -2 "$here/log")"
            failures=$((failures + 1))
        fi
    done
done
echo "$failures failures"
[ "$failures" -eq 0 ]
