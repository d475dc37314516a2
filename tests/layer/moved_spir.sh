#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The translator for Oclgrind, pretending that it lacks program-scope variables: they are moved to a buffer as for PoCL, and Oclgrind checks
# every access. MOVED_SPIR is the translator, MOVED_TABLE the capabilities of Oclgrind.
table=$(mktemp) || exit 2
trap 'rm -f "$table"' EXIT
grep -v '^g' "$MOVED_TABLE" >"$table"
first=$1
shift
[ "$first" = --device=oclgrind ] || { echo "$first is not for Oclgrind" >&2; exit 2; }
"$MOVED_SPIR" --builtins="$table" "$@"
