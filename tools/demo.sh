#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The main job, before and after, on Debian's PoCL: a device without a generic address space.
# Installs what it needs, builds, and runs one unchanged OpenCL program three times; every number is compared with what
# the host computes. Exit status 0: the device refuses the program by itself, a naive translation computes nonsense, and
# with Nonflat everything is right.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
build=${NONFLAT_BUILD:-$root/build}
"$root/tools/build.sh" nonflat_command nonflat_layer nonflat-spir demo demo_modules
unset OPENCL_LAYERS NONFLAT_MODE 2>/dev/null || true

demo=$build/tests/demo
mkdir -p "$demo/vendors"
cp /etc/OpenCL/vendors/pocl.icd "$demo/vendors/"
export OCL_ICD_VENDORS="$demo/vendors"

# Show a command, run it, and keep its status and, in the file NAME, what it says.
attempt() { # NAME COMMAND...
    name=$demo/said-$1
    shift
    echo "  \$ $*" | sed "s|$build/||g"
    status=0
    env "$@" >"$name" || status=$?
    cat "$name"
}

# What an attempt made of one kernel, in a word.
verdict() { # NAME KERNEL
    awk -v kernel="$2" '$1 == kernel { print $2 == $4 ? "right" : ($4 - $2) " of " $4 " WRONG"; said = 1 }
                        END { if (!said) print "refused" }' "$demo/said-$1"
}

echo
echo "The program: $root/tests/demo/demo.c, with the kernels of demo.cl as SPIR-V."
echo "Generic pointers in it: $(spirv-dis "$demo/demo.spv" | grep -c 'OpTypePointer Generic') types, $(
    spirv-dis "$demo/demo.spv" | grep -c 'OpPtrCastToGeneric') casts."
echo
echo "BEFORE, the program as it is: the device takes no such module"
attempt alone "$demo/demo" "$demo/demo.spv"
refused=$status
echo
echo "BEFORE, the module naively translated to the device's own form (SPIR 1.2 bitcode): it builds, and computes nonsense"
attempt naive "$demo/demo" "$demo/demo.bc"
nonsense=$status
echo
echo "AFTER, the same program and module with the layer in place, and nothing else changed"
attempt layer OPENCL_LAYERS="$build/layer/libnonflat_layer.so" "$demo/demo" "$demo/demo.spv"
right=$status
echo

row() { printf '  %-9s  %-16s  %-18s  %s\n' "$@"; }
row kernel 'BEFORE, as it is' 'BEFORE, naively' 'AFTER, with Nonflat'
for kernel in sums smallest where list; do
    row $kernel "$(verdict alone $kernel)" "$(verdict naive $kernel)" "$(verdict layer $kernel)"
done
echo

if [ "$right" -ne 0 ]; then
    echo "WRONG: with Nonflat the program ended with status $right"
    exit 1
fi
if [ "$refused" -ne 2 ] || [ "$nonsense" -ne 1 ]; then
    echo "Nonflat is right, but this device did not fail without it (statuses $refused and $nonsense): no demonstration"
    exit 1
fi
echo "RIGHT: refused before, nonsense when translated naively, every number right with Nonflat."
