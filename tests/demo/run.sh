#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Runs the demonstration with the layer on one driver. Any report of Oclgrind's is a failure.
#     run.sh DEMO MODULE LAYER ICD
set -u
vendors=$(mktemp -d)
trap 'rm -rf "$vendors"' EXIT
case $4 in
*.icd) cp "$4" "$vendors/" ;;
*) echo "$4" >"$vendors/driver.icd" ;;
esac
log=$vendors/log
OCL_ICD_VENDORS=$vendors OPENCL_LAYERS=$3 "$1" "$2" >"$log" 2>&1
status=$?
cat "$log"
if grep -E -q 'FATAL ERROR|Invalid (read|write)|Undefined external|data race|Uninitialized' "$log"; then
    echo "FAIL: the device reports invalid accesses"
    exit 1
fi
exit $status
