#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Checks that forms.inc equals the output of generate.py for forms.txt and the table of instructions.
#     forms.sh
# Exit status: 0 equal, 1 different, 77 skipped because Python is missing.
set -u
emit=$(cd "$(dirname "$0")/../../src/emit" && pwd)
command -v python3 > /dev/null || { echo "SKIPPED: python3 is not installed"; exit 77; }
made=$(mktemp) || exit 1
trap 'rm -f "$made"' EXIT
python3 "$emit/generate.py" > "$made" || exit 1
cmp "$made" "$emit/forms.inc" || { echo "FAILED: run src/emit/generate.py > src/emit/forms.inc"; exit 1; }
echo "passed"
