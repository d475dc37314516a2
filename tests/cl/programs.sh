#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Programs of source through the layer on a real driver: each computes what its first lines say. With `macros`, what source
# can ask is the same with and without the layer; with `untouched`, what has nothing generic reaches the driver as it is.
# With `calls`, CL_CALLS looks at what each call of OpenCL says of such a program, and FOLDER takes files of its own.
#     programs.sh programs|macros|untouched|calls CL_RUN LAYER VENDORS [CL_CALLS FOLDER]
set -u
what=$1 run=$2 layer=$3
here=$(cd "$(dirname "$0")" && pwd)
export OCL_ICD_VENDORS="$4" NONFLAT_CONFIG=off NONFLAT_LOG=info
failures=0
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
export NONFLAT_CACHE="$work/cache"

with() { OPENCL_LAYERS=$layer "$run" "$@"; }
without() { OPENCL_LAYERS='' "$run" "$@"; }
fail() {
    echo "FAILED: $1"
    failures=$((failures + 1))
}

# PoCL from 5.0 on has generic pointers itself, and so its source to itself; it lacks OpenCL C 2.0, in which all these are written.
case $what in
programs | macros | calls)
    if with "$here/programs/unnamed_parameter.cl" 2>&1 | grep -q "^nonflat: device .* has generic pointers"; then
        echo "SKIPPED: this driver has generic pointers in source itself"
        exit 77
    fi ;;
esac

case $what in
calls) NONFLAT_CACHE=off OPENCL_LAYERS=$layer "$5" "$6" || fail "as said above" ;;
programs)
    for program in "$here"/programs/*.cl; do
        name=$(basename "$program")
        with "$program" >"$work/log" 2>&1
        status=$?
        if [ $status -ne 0 ] && [ $status -ne 77 ]; then
            fail "$name: $(cat "$work/log")"
        elif grep -q -e "Invalid read" -e "Invalid write" "$work/log"; then
            fail "$name: $(grep -A3 Invalid "$work/log")"
        fi
    done
    with "$here/programs/unnamed_parameter.cl" >/dev/null 2>"$work/log"
    grep -q "compiled by nonflat-cl" "$work/log" || fail "it was not compiled by us"
    ! grep -v "^nonflat: " "$work/log" || fail "the driver had to refuse it"
    NONFLAT_SOURCE=off with "$here/programs/unnamed_parameter.cl" >"$work/log" 2>&1
    ! grep -q "nonflat-cl" "$work/log" || fail "it is switched off, and all the same: $(cat "$work/log")"
    ;;
macros)
    # PoCL 3.1 defines one extension as nothing, not as 1; the two features are what we supply. Oclgrind 21.10 has no 3.0.
    supplied='generic_address_space\|program_scope_global_variables'
    for OPTIONS in -cl-std=CL2.0 -cl-std=CL3.0; do
        export OPTIONS
        without --macros "$here/macros.txt" >"$work/all" 2>/dev/null
        ! grep -q FAILED "$work/all" || [ $OPTIONS = -cl-std=CL2.0 ] || continue
        grep -v -e cl_khr_depth_images -e "$supplied" "$work/all" >"$work/without"
        with --macros "$here/macros.txt" 2>"$work/log" | grep -v -e cl_khr_depth_images -e "$supplied" >"$work/with"
        [ "$(wc -l <"$work/without")" -gt 20 ] || fail "$OPTIONS: too few macros: $(cat "$work/without")"
        grep -q "compiled by nonflat-cl" "$work/log" || fail "$OPTIONS: not compiled by us"
        diff "$work/without" "$work/with" || fail "$OPTIONS: the source sees another device"
    done
    ;;
untouched)
    for program in "$here"/untouched/*.cl; do
        name=$(basename "$program")
        # What this one computes is whether the driver's compiler has generic pointers.
        [ "$name" != unnamed_private.cl ] || without "$program" >/dev/null 2>&1 || continue
        without --binary "$program" >"$work/without" 2>"$work/log.without"
        native=$?
        with --binary "$program" >"$work/with" 2>"$work/log"
        [ $? -eq $native ] || fail "$name: $(cat "$work/with")"
        # This one is compiled by us, which comes to nothing where the driver keeps variables apart; by then Oclgrind has
        # been asked for its language, so that it writes other bytes.
        if [ "$name" != variables_refused.cl ]; then
            cmp "$work/without" "$work/with" || fail "$name: another binary"
            ! grep -q "compiled by nonflat-cl" "$work/log" || fail "$name: compiled by us"
        fi
        grep -v "^nonflat: " "$work/log" | diff "$work/log.without" - || fail "$name: another log"
    done
    ;;
esac
[ $failures -eq 0 ] && echo "passed"
exit $failures
