#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Runs source programs through the layer on a real driver: each must have the results, and print the text, that its first lines state. With
# `macros`, the macros
# that source can test must be the same with and without the layer; with `untouched`, source without generic pointers must reach the driver
# unchanged.
# With `calls`, CL_CALLS tests the OpenCL calls for such programs; FOLDER is for its files. With `answers`, the answers to queries about a
# program without generic pointers must be the same with and without the layer.
# ONLY=GLOB selects programs by name. programs.sh programs|macros|untouched|calls|answers CL_RUN LAYER VENDORS [CL_CALLS FOLDER |
# CL_ANSWERS]
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

# PoCL supports generic pointers itself from 5.0 on, so the layer leaves source to it; it lacks OpenCL C 2.0, in which all these programs
# are written.
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
    for program in "$here"/programs/${ONLY:-*}.cl; do
        name=$(basename "$program")
        with "$program" >"$work/log" 2>&1
        status=$?
        if [ $status -ne 0 ] && [ $status -ne 77 ]; then
            fail "$name: $(cat "$work/log")"
        elif grep -q -e "Invalid read" -e "Invalid write" "$work/log"; then
            fail "$name: $(grep -A3 Invalid "$work/log")"
        fi
        sed -n 's/^\/\/ prints: //p' "$program" | while read -r line; do
            grep -q -x -F -e "$line" "$work/log" || echo "$name does not print '$line': $(cat "$work/log")"
        done >"$work/unsaid"
        [ ! -s "$work/unsaid" ] || fail "$(cat "$work/unsaid")"
    done
    with "$here/programs/unnamed_parameter.cl" >/dev/null 2>"$work/log"
    grep -q "compiled by nonflat-cl" "$work/log" || fail "it was not compiled by us"
    ! grep -v "^nonflat: " "$work/log" || fail "the driver had to refuse it"
    NONFLAT_SOURCE=off with "$here/programs/unnamed_parameter.cl" >"$work/log" 2>&1
    ! grep -q "nonflat-cl" "$work/log" || fail "it is switched off, and all the same: $(cat "$work/log")"
    ;;
macros)
    # Macros that are not compared: features that the layer supplies, and those that clang's header then removes; the version of clang, and
    # features that clang lacks for SPIR-V. Features that OpenCL C 2.0 always has are defined by the layer, even where a newer header omits
    # them.
    supplied='__opencl_c_\(generic_address_space\|program_scope_global_variables\|named_address_space_builtins\)'
    compiler='__clang_.*\|__VERSION__\|__CLANG_ATOMIC_.*\|__GCC_.*\|__BOOL_WIDTH__\|__BIGGEST_ALIGNMENT__\|__WINT_.*\|__half'
    compiler="$compiler\|__opencl_subgroup_builtins\|__REGISTER_PREFIX__\|__PI[CE]__\|__pi[ce]__\|__code_model_.*"
    newer='__[A-Z0-9]*_NORM_MAX__\|__FPCLASS_.*\|__MEMORY_SCOPE_.*\|__STDC_EMBED_.*\|__U\?INT[A-Z0-9]*_C\|CLK_UNORM_INT_.*101010.*'
    machine='__FLOAT128__\|__SIZEOF_FLOAT128__\|__SIZEOF_INT128__\|__SEG_[FG]S\|__seg_[fg]s'
    always='__opencl_c_\(atomic_.*\|device_enqueue\|pipes\|work_group_collective_functions\)'
    compared() {
        sed -e 's/=0xffffffffffffffffUL$/=18446744073709551615UL/' -e 's/(0xffffffffffffffffUL)/(18446744073709551615UL)/' \
            -e 's/=long int$/=long/' -e 's/=long unsigned int$/=ulong/' -e 's/^\(cl_khr_depth_images=\)$/\11/' |
            grep -v -x -e "\($supplied\|$compiler\|$newer\|$machine\|$1\)=.*"
    }
    for OPTIONS in -cl-std=CL2.0 "-cl-std=CL2.0 -cl-opt-disable" "-cl-std=CL3.0 -cl-mad-enable -cl-single-precision-constant"; do
        export OPTIONS
        without --macros "$here/macros.txt" >"$work/all" 2>/dev/null
        ! grep -q FAILED "$work/all" || [ "$OPTIONS" = -cl-std=CL2.0 ] || continue # Oclgrind 21.10 has no 3.0
        grep -q '^__opencl_c_pipes=' "$work/all" && forgotten=- || forgotten=$always
        [ "$OPTIONS" = "${OPTIONS#-cl-std=CL2.0}" ] && forgotten=-
        compared "$forgotten" <"$work/all" >"$work/without"
        with --macros "$here/macros.txt" 2>"$work/log" | compared "$forgotten" >"$work/with"
        [ "$(wc -l <"$work/without")" -gt 400 ] || fail "$OPTIONS: too few macros: $(cat "$work/without")"
        grep -q "compiled by nonflat-cl" "$work/log" || fail "$OPTIONS: not compiled by us"
        diff "$work/without" "$work/with" || fail "$OPTIONS: the source sees another device"
    done
    ;;
answers)
    # PoCL crashes on some of the queries, without the layer: then the output before the crash is compared. Logs contain temporary names.
    tell() {
        (OPENCL_LAYERS=$1 "$answers" "$program" "$options" 2>/dev/null; echo "exit status $?") 2>/dev/null |
            sed 's/tempfile[-_A-Za-z0-9]*/tempfile/'
    }
    answers=$5 whole=0
    for program in "$here"/answers/*.cl; do
        for options in "" "-cl-std=CL2.0 -cl-kernel-arg-info -DVALUE=7" "-cl-std=CL3.0 -cl-no-such-option"; do
            tell '' >"$work/without"
            tell "$layer" >"$work/with"
            grep -q '^clCreateKernel: ' "$work/without" || fail "$(basename "$program") '$options': no answers"
            diff "$work/without" "$work/with" || fail "$(basename "$program") '$options': the layer shows"
            ! grep -q '^exit status 0' "$work/without" || whole=$((whole + 1))
        done
    done
    [ $whole -ge 15 ] || fail "the driver ended the process in all but $whole of 30"
    ;;
untouched)
    for program in "$here"/untouched/*.cl; do
        name=$(basename "$program")
        # If the driver's compiler cannot build the first of these programs, the layer builds all three: they are skipped.
        case $name in
        unnamed_private.cl | pipes.cl | queues.cl) without "$here/untouched/unnamed_private.cl" >/dev/null 2>&1 || continue ;;
        esac
        without --binary "$program" >"$work/without" 2>"$work/log.without"
        native=$?
        with --binary "$program" >"$work/with" 2>"$work/log"
        status=$?
        [ $native -lt 128 ] || [ $status -lt 128 ] || continue # rusticl 25.0 ends the process over one, and prints addresses
        [ $status -eq $native ] || fail "$name: $(cat "$work/with")"
        # The layer compiles this one, in vain if the driver keeps variables per kernel; by then Oclgrind's compiler has been probed, after
        # which it writes different bytes.
        # PoCL assigns a name to the source; the log begins with the reason for which the layer left it to the driver.
        [ $native -eq 0 ] || sed -i -e 's/tempfile_[A-Za-z0-9]*/tempfile/' -e '/^nonflat: this source is left to/d' "$work/without" "$work/with"
        if [ "$name" != variables_refused.cl ]; then
            cmp "$work/without" "$work/with" || fail "$name: another binary"
            ! grep -q "compiled by nonflat-cl" "$work/log" || fail "$name: compiled by us"
        fi
        # Oclgrind does not support the address in a constant; the layer puts it into a buffer.
        if [ "$name" = variables_refused.cl ] && grep -q "FATAL ERROR" "$work/log.without"; then
            ! grep -v "^nonflat: " "$work/log" || fail "$name: compiled by us, it has a log of its own"
            continue
        fi
        grep -v "^nonflat: " "$work/log" | diff "$work/log.without" - || fail "$name: another log"
    done
    ;;
esac
[ $failures -eq 0 ] && echo "passed"
exit $failures
