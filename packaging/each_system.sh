# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# For scripts that try something in several systems of tools/system.sh and say at the end how it went:
#     . each_system.sh
#     each_system COMMAND WHAT SYSTEM...      "The packages work on" debian12 sid  ->  The packages work on: debian12 sid
# COMMAND is called with each SYSTEM. Its status is 0 if all is well, 77 if the system cannot be had here, after it has said why, and
# another if it failed. Returns 0 if all that could be had are well, 1 if one failed, 77 if none could be had. As errors end nothing in
# COMMAND (it is asked for its status), each step whose failure counts returns by itself.
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
