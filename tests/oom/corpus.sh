#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Exhausted memory on the compiled corpus: corpus.sh OOM_TEST FOLDER_OF_GZIPPED_MODULES WORK [--most N]
set -eu
test=$1 modules=$2 work=$3
shift 3
mkdir -p "$work"
for module in "$modules"/*.spv.gz; do
    gzip -dc "$module" >"$work/$(basename "$module" .gz)"
done
exec "$test" "$@" "$work"/*.spv
