# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# For scripts that try something in several systems of tools/system.sh and say at the end how it went:
#     . each_system.sh
#     each_system COMMAND WHAT SYSTEM...      "The packages work on" debian12 sid  ->  The packages work on: debian12 sid
# COMMAND is called with each SYSTEM. Its status is 0 if all tests pass, 77 if the system is not available here, after printing the reason,
# and another one if a test failed. Returns 0 if the tests pass in all available systems, 1 if one failed, 77 if none is available. Errors
# do not end COMMAND, because its status is tested, so each step whose failure counts must return explicitly.
each_system() {
    command=$1 what=$2
    shift 2
    checked='' skipped='' failed=''
    for system; do
        echo "==== $system"
        status=0
        "$command" "$system" || status=$?
        case $status in
        0) checked="$checked $system" ;;
        77) skipped="$skipped $system" ;;
        *) failed="$failed $system" ;;
        esac
    done
    [ -z "$skipped" ] || echo "SKIPPED, as said above:$skipped"
    [ -z "$failed" ] || { echo "FAILED:$failed"; return 1; }
    [ -n "$checked" ] || return 77
    echo "$what:$checked"
}
