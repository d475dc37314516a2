#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Runs the demonstration with the layer on one driver. Any report of Oclgrind's is a failure.
#     run.sh DEMO MODULE LAYER pocl|oclgrind|rusticl [TRANSLATOR]
# Exit status: 0 right, 1 not, 77 skipped: the driver is not installed, or the layer cannot support it here.
set -u
demo=$1 module=$2 layer=$3 driver=$4 translator=${5-}
. "$(dirname "$0")/../drivers.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
choose_driver "$driver" "$work" || { echo "SKIPPED: $driver is not installed"; exit 77; }

# The driver's message about a refused module shows which forms of input it accepts; Oclgrind continues after a
# refusal.
takes_no_spirv() { [ "$driver" = oclgrind ] || "$demo" "$module" 2>&1 | grep -q "clCreateProgramWithIL failed"; }
if [ "$driver" = rusticl ] && takes_no_spirv; then
    echo "SKIPPED: this rusticl takes no SPIR-V"
    exit 77
fi
if [ -z "$translator" ] && takes_no_spirv; then
    echo "SKIPPED: this $driver takes bitcode only, and there is no LLVM 15 for the translator"
    exit 77
fi
OPENCL_LAYERS=$layer "$demo" "$module" >"$work/log" 2>&1
status=$?
cat "$work/log"
if grep -E -q 'FATAL ERROR|Invalid (read|write)|Undefined external|data race|Uninitialized' "$work/log"; then
    echo "FAIL: the device reports invalid accesses"
    exit 1
fi
exit $status
