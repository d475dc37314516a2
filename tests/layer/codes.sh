#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# OpenCL answers misuse in the same way with and without the layer: codes.sh CODES LAYER MODULE [DEVICE]
# The module has no generic pointers, and the device accepts it. Set NONFLAT_MODE=auto for a device with generic pointers.
codes=$1 layer=$2 module=$3 device=${4:-0}
here=$(mktemp -d) || exit 1
trap 'rm -rf "$here"' EXIT
env -u OPENCL_LAYERS "$codes" "$module" "$device" >"$here/without" 2>"$here/error" || { cat "$here/error"; exit 1; }
OPENCL_LAYERS=$layer "$codes" "$module" "$device" >"$here/with" 2>>"$here/error" || { cat "$here/error"; exit 1; }
[ "$(wc -l <"$here/with")" -gt 60 ] || { echo "FAILED: only $(wc -l <"$here/with") answers"; exit 1; }
if diff "$here/without" "$here/with" >"$here/differences"; then
    echo "$(wc -l <"$here/with") answers are the same"
else
    echo "FAILED: < without the layer, > with it"
    cat "$here/differences"
    exit 1
fi
