#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The `nonflat` command: exit statuses, one clear line for every misuse, and the files that remain after a failure. command.sh NONFLAT
# SPIRV_AS SHAPES LAYER
set -u
nonflat=$1 assemble=$2 shapes=$3 layer=$4
usm=$(dirname "$layer")/libnonflat_usm.so
here=$(mktemp -d)
trap 'rm -rf "$here"' EXIT
cd "$here" || exit 2
failures=0

fail() {
    echo "FAIL: $*"
    failures=$((failures + 1))
}

# expect STATUS REGEX COMMAND...: checks the exit status, and that one line on standard error matches REGEX ('' for no output).
expect() {
    local wanted=$1 regex=$2 status=0
    shift 2
    "$@" >out 2>err </dev/null || status=$?
    [ "$status" -eq "$wanted" ] || fail "$* ended with $status, not $wanted: $(head -c 300 err)"
    if [ -z "$regex" ]; then
        [ ! -s err ] || fail "$* says: $(head -c 300 err)"
    else
        [ "$(wc -l <err)" -eq 1 ] || fail "$* says $(wc -l <err) lines: $(head -c 300 err)"
        grep -E -q "^nonflat: .*$regex" err || fail "$* says: $(head -c 300 err), not $regex"
    fi
}

for shape in select-mixed phi-alternates nothing-generic import-unknown-refused; do
    "$assemble" --target-env spv1.2 "$shapes/$shape.spvasm" -o "$shape.spv" || exit 2
done

# Usage.
expect 0 '' "$nonflat" --help
grep -q specialize out || fail "--help does not name specialize"
expect 0 '' "$nonflat" --version
grep -E -q '^nonflat [0-9]+\.[0-9]+\.[0-9]+$' out || fail "--version says $(cat out)"
expect 0 '' "$nonflat" specialize --help
expect 0 '' "$nonflat" run --help
expect 2 'no subcommand' "$nonflat"
expect 2 "unknown subcommand 'frobnicate'" "$nonflat" frobnicate
expect 2 'no input' "$nonflat" specialize
expect 2 'no output' "$nonflat" specialize select-mixed.spv
expect 2 "unknown option '--frob'" "$nonflat" specialize select-mixed.spv -o x.spv --frob
expect 2 "'-o' needs an argument" "$nonflat" specialize select-mixed.spv -o
expect 2 "unknown mode 'quick'" "$nonflat" specialize select-mixed.spv -o x.spv --mode quick
expect 2 "'--library' takes no argument" "$nonflat" specialize select-mixed.spv -o x.spv --library=1
expect 2 'one input at a time' "$nonflat" specialize select-mixed.spv phi-alternates.spv -o x.spv
expect 2 'cannot both go' "$nonflat" specialize select-mixed.spv -o - --report -
expect 2 'No such file' "$nonflat" specialize missing.spv -o x.spv
expect 2 'Is a directory' "$nonflat" specialize . -o x.spv
expect 2 'Is a directory' "$nonflat" specialize select-mixed.spv -o .
expect 2 'No such file' "$nonflat" specialize select-mixed.spv -o missing/x.spv
expect 2 'No space left' "$nonflat" specialize select-mixed.spv -o /dev/full
expect 2 'No space left' "$nonflat" specialize select-mixed.spv --report /dev/full
if [ "$(id -u)" -ne 0 ]; then
    touch secret.spv && chmod 000 secret.spv
    expect 2 'Permission denied' "$nonflat" specialize secret.spv -o x.spv
fi
[ ! -e x.spv ] || fail "an output although it failed"
[ -z "$(find . -name '*.tmp')" ] || fail "a temporary file is left behind"

# Work.
expect 0 '' "$nonflat" specialize select-mixed.spv -o x.spv --report x.json
grep -q '"result": *"specialized"' x.json || fail "the report says $(cat x.json)"
expect 0 '' "$nonflat" specialize --mode=dynamic -o y.spv -- phi-alternates.spv
"$nonflat" specialize - -o - <select-mixed.spv >piped.spv || fail "a pipe does not work"
cmp -s piped.spv x.spv || fail "a pipe gives something else"
for form in unknown windows flat numbered windows:0x200000000000,0x220000000000 unknown:200000000000,220000000000 \
    windows:0xE0000000,0xf0000000; do
    expect 0 '' "$nonflat" specialize --addresses "$form" select-mixed.spv -o formed.spv
done
expect 0 '' "$nonflat" specialize nothing-generic.spv -o same.spv
cmp -s nothing-generic.spv same.spv || fail "nothing to do, but the output is not the input"
ln -s target.spv link.spv && cp x.spv target.spv
expect 0 '' "$nonflat" specialize phi-alternates.spv -o link.spv
[ -L link.spv ] || fail "a symbolic link was replaced"

# A module that is refused, and a file that is no module: the old output remains.
cp x.spv kept.spv
expect 1 'mystery' "$nonflat" specialize import-unknown-refused.spv -o kept.spv --report r.json
grep -q '"result": *"refused"' r.json || fail "the report says $(cat r.json)"
"$nonflat" specialize phi-alternates.spv -o kept.spv --mode static >out 2>err
[ $? -eq 1 ] || fail "an ambiguous pointer is no error in static mode"
grep -q '^nonflat: ' err || fail "static mode says nothing"
head -c 50 select-mixed.spv >cut.spv
expect 3 'word|byte' "$nonflat" specialize cut.spv -o kept.spv
expect 3 'x.json is not a SPIR-V module' "$nonflat" specialize x.json -o kept.spv
: >empty.spv
expect 3 '.' "$nonflat" specialize empty.spv -o kept.spv
cmp -s kept.spv x.spv || fail "a failed run changed the output"

# run.
unset OPENCL_LAYERS NONFLAT_MODE
expect 2 'no command' "$nonflat" run
expect 2 "unknown mode 'quick'" "$nonflat" run --mode quick -- true
expect 2 'cannot start /no/such/program' "$nonflat" run -- /no/such/program
expect 2 'cannot use the layer' "$nonflat" run --layer missing.so -- true
expect 7 '' "$nonflat" run -- sh -c 'exit 7'
# shellcheck disable=SC2016 # the inner shell expands it
[ "$("$nonflat" run -- sh -c 'echo $OPENCL_LAYERS')" = "$layer:$usm" ] || fail "OPENCL_LAYERS is not the layer"
# shellcheck disable=SC2016
[ "$(OPENCL_LAYERS=/a.so:/b.so "$nonflat" run -- sh -c 'echo $OPENCL_LAYERS')" = "/a.so:/b.so:$layer:$usm" ] ||
    fail "layers that were set are not kept in front"
# shellcheck disable=SC2016
[ "$(OPENCL_LAYERS=$layer "$nonflat" run -- sh -c 'echo $OPENCL_LAYERS')" = "$layer:$usm" ] || fail "the layer is there twice"
# shellcheck disable=SC2016
[ "$("$nonflat" run --mode dynamic -- sh -c 'echo $NONFLAT_MODE')" = dynamic ] || fail "the mode is not handed on"
[ "$("$nonflat" run -- echo --mode x)" = '--mode x' ] || fail "the command's own options are taken"
[ "$(eval "$("$nonflat" run --print)"; echo "$OPENCL_LAYERS")" = "$layer:$usm" ] || fail "--print does not print the settings"

echo "$failures failures"
[ "$failures" -eq 0 ]
