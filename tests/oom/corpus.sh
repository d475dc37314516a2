#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Runs a test of this folder on the compiled corpus: corpus.sh TEST FOLDER_OF_GZIPPED_MODULES WORK [ARGUMENT...]
set -eu
test=$1 modules=$2 work=$3
shift 3
mkdir -p "$work"
for module in "$modules"/*.spv.gz; do
    gzip -dc "$module" >"$work/$(basename "$module" .gz)"
done
exec "$test" "$@" "$work"/*.spv
