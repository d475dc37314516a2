#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Demonstrates Nonflat on the OpenCL devices of this machine: PoCL, rusticl, or any other driver in /etc/OpenCL/vendors. Installs the
# packages that it needs, builds, and runs one unchanged OpenCL program on each device without and with Nonflat; every number is
# compared with the host's.
#     tools/demo.sh [DRIVER...]        such as pocl or rusticl: the .icd files with these names only; without any, all
# Exit status 0: there is a device that accepts SPIR-V, SPIR 1.2 bitcode or OpenCL C, and on each every number is right with Nonflat.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
build=${NONFLAT_BUILD:-$root/build}
"$root/tools/build.sh" demo_parts
unset OPENCL_LAYERS NONFLAT_MODE 2>/dev/null || true

demo=$build/tests/demo
nonflat=$build/tools/nonflat
layer=$build/layer/libnonflat_layer.so
drivers=${OCL_ICD_VENDORS:-/etc/OpenCL/vendors}
# rusticl has no device unless this variable names its driver: a GPU's if this user may use one, and the CPU's.
gpu=$(for node in /dev/dri/renderD*; do [ ! -w "$node" ] || echo "radeonsi,iris,asahi,panfrost,nouveau,"; done | head -1)
export RUSTICL_ENABLE="${RUSTICL_ENABLE:-${gpu}llvmpipe}"

# Prints how a process has ended, by its exit status.
fate() {
    if [ "$1" -eq 124 ]; then
        echo "hangs"
    elif [ "$1" -gt 128 ]; then
        echo "DIES"
    else
        echo "refused"
    fi
}

# Prints a command and runs it. Stores its exit status in $status, and its output in the file NAME.
attempt() { # NAME COMMAND...
    name=$work/$1
    shift
    echo "  \$ $*" | sed "s|$build/||g"
    status=0
    timeout 300 env "$@" >"$name" 2>&1 || status=$?
    cat "$name"
    [ "$status" -le 128 ] || echo "  the driver ends the whole process: $(kill -l $((status - 128)) 2>/dev/null || true) (status $status)"
    fate "$status" >"$name.fate"
}

# Prints the result of one kernel in an attempt.
verdict() { # NAME KERNEL
    awk -v kernel="$2" -v fate="$(cat "$work/$1.fate")" '
        $1 == kernel { print $2 == $4 ? "right" : ($4 - $2) " of " $4 " WRONG"; said = 1 }
        END { if (!said) print fate }' "$work/$1"
}

row() { printf '  %-9s  %-17s  ' "$1" "$2"; [ -z "$4" ] || printf '%-18s  ' "$3"; printf '%s\n' "$5"; }

# Describes the driver that OCL_ICD_VENDORS names, and runs the program on it. Results go to $shown, $helped and $wrong.
demonstrate() {
    "$nonflat" doctor >"$work/doctor" 2>&1 || true
    plan=$(sed -n 's/^  Nonflat *//p' "$work/doctor" | head -1)
    device=$(grep -B3 '^  Nonflat ' "$work/doctor" | head -1)
    echo
    died=$(grep -m1 -o '\(crashes ([^)]*)\|hangs\) when devices are listed' "$work/doctor" || true)
    echo "==== $1: ${device:-${died:-no device}}"
    case $plan in
    '' | cannot*)
        if [ -n "$died" ]; then
            echo "     left out: its driver DIES when devices are listed, and ends the program; no layer can prevent that"
        else
            echo "     left out: ${plan:-it shows no device}"
        fi
        return ;;
    esac
    echo "     Nonflat $plan"
    naive=
    ! grep -q 'SPIR bitcode: yes' "$work/doctor" || naive=yes
    echo
    echo "BEFORE, the program as it is"
    attempt alone "$demo/demo" "$demo/demo.spv"
    alone=$status
    if [ -n "$naive" ]; then
        echo
        echo "BEFORE, the module naively translated to the device's own form (SPIR 1.2 bitcode)"
        attempt naive "$demo/demo" "$demo/demo.bc"
    fi
    echo
    echo "AFTER, the same program and module with the layer in place, and nothing else changed"
    attempt layer OPENCL_LAYERS="$layer" "$demo/demo" "$demo/demo.spv"
    echo
    row kernel 'BEFORE, as it is' 'BEFORE, naively' "$naive" 'AFTER, with Nonflat'
    for kernel in sums smallest where list; do
        row $kernel "$(verdict alone $kernel)" "${naive:+$(verdict naive $kernel)}" "$naive" "$(verdict layer $kernel)"
    done
    shown=$((shown + 1))
    [ "$alone" -eq 0 ] || helped="$helped, $1"
    [ "$status" -eq 0 ] || wrong="$wrong, $1"
}

echo
echo "The program: $root/tests/demo/demo.c, with the kernels of demo.cl as SPIR-V."
echo "Generic pointers in it: $(spirv-dis "$demo/demo.spv" | grep -c 'OpTypePointer Generic') types, $(
    spirv-dis "$demo/demo.spv" | grep -c 'OpPtrCastToGeneric') casts."
shown=0 helped='' wrong='' seen=''
for icd in "$drivers"/rusticl*.icd "$drivers"/*.icd; do # stock Mesa first
    driver=$(basename "$icd" .icd)
    case " $seen " in
    *" $driver "*) continue ;;
    esac
    seen="$seen $driver"
    case " ${*:-$driver} " in
    *" $driver "*) ;;
    *) continue ;;
    esac
    work=$demo/on-$driver
    rm -rf "$work"
    mkdir -p "$work/vendors"
    export OCL_ICD_VENDORS="$work/vendors"
    ! cp "$icd" "$work/vendors/" 2>/dev/null || demonstrate "$driver"
done

echo
if [ "$shown" -eq 0 ]; then
    echo "There is no OpenCL device here that Nonflat can serve: no demonstration. 'nonflat doctor' prints the details."
    exit 1
elif [ -n "$wrong" ]; then
    echo "WRONG: with Nonflat the program fails on ${wrong#, }"
    exit 1
elif [ -z "$helped" ]; then
    echo "RIGHT, and it was right before: every device here has generic pointers itself, and needs no Nonflat."
else
    echo "RIGHT: refused, dead or wrong before on ${helped#, }; every number right with Nonflat."
fi
