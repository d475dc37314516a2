#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Installs the packages for the tests, builds everything, and runs all tests that need only packages of this system.
#     tools/test.sh [CTEST OPTION...]        such as -R rewrite
# Finally prints the skipped tests with the reasons; the second last line has the number of skipped tests, the last line the numbers
# of the passed, the failed and all tests. Exit status: 0 if no test failed.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
build=${NONFLAT_BUILD:-$root/build}
"$root/tools/build.sh"
unset OPENCL_LAYERS NONFLAT_MODE 2>/dev/null || true
# ctest's log has the output of each test, and two more files list the skipped and the failed tests.
log=$build/Testing/Temporary/LastTest.log
skipped=$build/Testing/Temporary/LastTestsDisabled.log failed=$build/Testing/Temporary/LastTestsFailed.log
rm -f "$log" "$skipped" "$failed"
# Shows one line per test while they run. Drops ctest's list of skipped tests, which has no reasons.
echo 1 >"$build/ctest.status"
{ ctest --test-dir "$build" --output-on-failure --no-tests=error -j "$(nproc)" "$@" && echo 0 >"$build/ctest.status"; } |
    grep --line-buffered -vE '^ +Start +[0-9]+: |^Internal ctest changing |^The following tests did not run:|^	 *[0-9]+ - [^ ]+ \(Skipped\)|^$' || true
read -r status <"$build/ctest.status"
rm -f "$build/ctest.status"
[ -e "$log" ] || exit 1
touch "$skipped" "$failed"
awk '
    FILENAME == failed_file { failed++; next }
    FILENAME != log_file { sub(/^[0-9]*:/, ""); is_skipped[$0] = 1; next }
    / Testing: / { name = $3; tests++ }
    /^SKIPPED/ && !(name in why) { why[name] = $0; sub(/^SKIPPED:? */, "", why[name]) }
    /^Test (Passed|Skipped|Pass Reason)/ { finish() }
    function finish() {
        if (!(name in is_skipped)) {
            if (name in why) parts = parts "\n  " name ": " why[name]
            return
        }
        skipped++
        reason = name in why ? why[name] : "it does not say why"
        if (!(reason in count)) order[++reasons] = reason
        count[reason]++
        names[reason] = names[reason] " " name
    }
    function list(text,   words, n, i, line) { # in lines of at most about 100 columns
        n = split(text, words, " ")
        for (i = 1; i <= n; i++) {
            if (length(line words[i]) > 100) { print "      " line; line = "" }
            line = line " " words[i]
        }
        print "      " line
    }
    END {
        if (parts) print "\nPassed, but for a part that was skipped:" parts
        if (reasons) print "\nSkipped:"
        for (i = 1; i <= reasons; i++) {
            printf "  %3d: %s\n", count[order[i]], order[i]
            list(names[order[i]])
        }
        printf "\n%d skipped\n%d passed, %d failed, of %d tests\n", skipped, tests - skipped - failed, failed, tests
    }' log_file="$log" failed_file="$failed" "$failed" "$skipped" "$log"
exit "$status"
