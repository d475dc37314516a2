#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# If nonflat-cl is missing, crashes, hangs, or writes too much or invalid output, each program has the same result as with the driver alone,
# in bounded time, and nothing is cached. A missing nonflat-cl is reported once. helper.sh CL_RUN LAYER NONFLAT_CL POCL_VENDORS
set -u
run=$1 layer=$2 compiler=$3
here=$(cd "$(dirname "$0")" && pwd)
failures=0
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
export OCL_ICD_VENDORS="$4" NONFLAT_CONFIG=off NONFLAT_CACHE="$work/cache" NONFLAT_SPIR_TIMEOUT=20 NONFLAT_CL="$work/nonflat-cl"
fail() {
    echo "FAILED: $1"
    failures=$((failures + 1))
}
# The names that PoCL gives to sources.
plain() { sed -e 's/tempfile_[A-Za-z0-9]*/tempfile/g' -e 's/[^ ]*tempfile\.cl/tempfile.cl/g'; }
with() { OPENCL_LAYERS=$layer NONFLAT_LOG=info "$run" "$1"; }

generic="$here/programs/unnamed_parameter.cl" named="$here/untouched/newer_with_named.cl"
for program in "$generic" "$named"; do
    OPENCL_LAYERS='' "$run" "$program" 2>/dev/null | plain >"$work/native.$(basename "$program")"
done
grep -q "FAILED: clBuildProgram: -11" "$work/native.unnamed_parameter.cl" || fail "PoCL takes it alone"
grep -q '^0 0 0 0 0 0 0 0 ' "$work/native.newer_with_named.cl" || fail "PoCL does not take this alone"

left='^nonflat: this source is left to the driver: '
# as_natively WHAT: checks that both programs behave as without the layer, except for the layer's reason in the build log. Stores the
# layer's messages about the second program in `said`, and the program's output in `all`.
as_natively() {
    for program in "$named" "$generic"; do
        with "$program" 2>"$work/said" | plain >"$work/all"
        grep -v "$left" "$work/all" | cat -s >"$work/out"
        diff "$work/native.$(basename "$program")" "$work/out" || fail "$1: $(basename "$program") is not as natively: $(cat "$work/said")"
    done
}

NONFLAT_CL=/nowhere/nonflat-cl as_natively absent
[ "$(grep -c "nonflat-cl was not found" "$work/said")" -eq 1 ] || fail "absent: not said once: $(cat "$work/said")"

# trouble NAME WORDS COMMANDS: checks that WORDS are in the layer's message.
trouble() {
    printf '#!/bin/sh\n%s\n' "$3" >"$work/nonflat-cl"
    chmod 755 "$work/nonflat-cl"
    as_natively "$1"
    grep "$left" "$work/all" | grep -q "$2" || fail "$1: the build log does not say it: $(cat "$work/all")"
    grep "left to the driver" "$work/said" | grep -q "$2" || fail "$1: nothing like '$2' in: $(cat "$work/said")"
}
trouble crash crashed 'kill -SEGV $$'
trouble refusal "no such thing" 'echo "no such thing" >&2; exit 1'
trouble nonsense "nonflat-cl" 'cat >/dev/null; echo hello'
trouble silence "nonflat-cl" 'exit 0'
NONFLAT_SPIR_TIMEOUT=1
trouble hang "second" 'sleep 600'
NONFLAT_SPIR_TIMEOUT=20
trouble flood "nonflat-cl" 'exec yes'

# The same output from a compiler that works now.
printf '#!/bin/sh\nexec "%s" "$@"\n' "$compiler" >"$work/nonflat-cl"
with "$generic" >"$work/out" 2>&1 || fail "it works again, and all the same: $(cat "$work/out")"
[ $failures -eq 0 ] && echo "passed"
exit $failures
