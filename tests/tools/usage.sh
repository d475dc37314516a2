#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Every misuse of the command has one clear line on standard error and the right exit status. usage.sh NONFLAT SPIRV_AS TESTS
set -u
nonflat=$1 assemble=$2 tests=$3
here=$(mktemp -d)
trap 'rm -rf "$here"' EXIT
cd "$here" || exit 2
failures=0 cases=0

fail() {
    echo "FAIL: $*"
    failures=$((failures + 1))
}

# expect STATUS REGEX ARGUMENT...: checks the status, and that exactly one line on standard error matches.
expect() {
    local wanted=$1 regex=$2 status=0
    shift 2
    cases=$((cases + 1))
    timeout 120 ${as_nobody-} "$nonflat" "$@" >out 2>err </dev/null || status=$?
    [ "$status" -eq "$wanted" ] || fail "$* ended with $status, not $wanted: $(head -c 300 err)"
    if [ "$(wc -l <err)" -ne 1 ]; then fail "$* says $(wc -l <err) lines: $(head -c 300 err)"; fi
    grep -E -q "^nonflat: .*$regex" err || fail "$* says: $(head -c 300 err), not $regex"
}

# full STATUS ARGUMENT...: the same with standard output on a full disk.
full() {
    local wanted=$1 status=0
    shift
    cases=$((cases + 1))
    timeout 120 "$nonflat" "$@" >/dev/full 2>err </dev/null || status=$?
    [ "$status" -eq "$wanted" ] || fail "$* on a full disk ended with $status, not $wanted"
    { [ "$(wc -l <err)" -eq 1 ] && grep -q 'No space left' err; } || fail "$* on a full disk says: $(head -c 300 err)"
}

"$assemble" --target-env spv1.2 "$tests/probe.spvasm" -o good.spv || exit 2
head -c 200 good.spv >cut.spv
head -c 201 good.spv >odd.spv
head -c 12 good.spv >head.spv
cp "$tests/probe.spvasm" good.spvasm
printf 'BC\300\336and so on' >good.bc
gzip -c good.spv >good.spv.gz
echo 'no module' >text.txt
mkdir empty
cp /bin/true program

expect 2 'no subcommand' 
expect 2 "unknown subcommand 'look'" look
expect 2 "unknown subcommand 'look'" help look
expect 2 "unknown option '--look'" --look
for subcommand in "" scan run; do
    # shellcheck disable=SC2086 # words
    "$nonflat" help $subcommand >out 2>err || fail "help $subcommand ends with $?"
    # shellcheck disable=SC2086
    "$nonflat" $subcommand --help | cmp -s - out || fail "help $subcommand says something else than --help"
done
for subcommand in specialize run scan explain doctor; do
    expect 2 "unknown option '--nothing'" $subcommand --nothing
    expect 2 "'--help' takes no argument" $subcommand --help=1
done
for subcommand in specialize explain; do
    options=$([ $subcommand = specialize ] && echo --report -)
    expect 2 'no input given' $subcommand $options
    expect 2 "cannot open missing.spv: No such file" $subcommand $options missing.spv
    expect 2 "Is a directory" $subcommand $options empty
    expect 2 "unknown mode 'quick'" $subcommand $options --mode quick good.spv
    expect 2 "one input at a time" $subcommand $options good.spv good.spv
    expect 3 'text.txt is not a SPIR-V module$' $subcommand $options text.txt
    expect 3 "program is not a SPIR-V module; 'nonflat scan --extract FOLDER'" $subcommand $options program
    expect 3 'good.spvasm is not a SPIR-V module: it looks like SPIR-V as text' $subcommand $options good.spvasm
    expect 3 'good.spv.gz is not a SPIR-V module: it is compressed with gzip' $subcommand $options good.spv.gz
    expect 3 'good.bc is not a SPIR-V module: it is LLVM bitcode' $subcommand $options good.bc
    expect 3 'cut.spv: error: word [0-9]+, OpEntryPoint: id' $subcommand $options cut.spv
    expect 3 'odd.spv: error: 201 bytes: not a whole number of words' $subcommand $options odd.spv
    expect 3 'head.spv: error: 12 bytes: too short for a SPIR-V header' $subcommand $options head.spv
done
full 2 specialize --report - good.spv
full 2 specialize -o - good.spv
full 2 explain good.spv
full 2 explain good.spv --html -
expect 2 "unknown form of addresses 'flags'; the forms are unknown, windows, flat and numbered" specialize --report - --addresses flags good.spv
expect 2 "unknown form of addresses ''" specialize --report - --addresses '' good.spv
expect 2 "unknown form of addresses 'fla7'" specialize --report - --addresses fla7 good.spv
expect 2 "unknown form of addresses 'window'" specialize --report - --addresses window:1,2 good.spv
for windows in '' , 0x200000000000 0x200000000000, ,0x200000000000 0x2g,0x1 -1,-1 0x200000000000,0x220000000000,0 0x10000000000000000,0x220000000000; do
    expect 2 'is not a pair of addresses such as' specialize --report - --addresses windows:$windows good.spv
done
expect 2 "unknown fault 'mesa'" specialize --report - --faults mesa_atomic_stores,mesa good.spv
expect 2 "unknown fault ''" specialize --report - --faults ,mesa_atomic_stores good.spv
expect 2 'each window begins at a multiple of its size, 0x100000000000$' specialize --report - --addresses flat:0x200000000000,0x220000000000 good.spv
expect 2 "the form 'numbered' has no windows" specialize --report - --addresses numbered:0x200000000000,0x220000000000 good.spv
expect 2 'each window begins at a multiple of its size, 0x100000000$' specialize --report - --addresses windows:0x200000000000,0x220010000000 good.spv
expect 2 'each window begins at a multiple of its size, 0x10000000$' specialize --report - --addresses windows:0xe0000000,0xf8000000 good.spv
expect 2 'the two windows must differ' specialize --report - --addresses windows:0x200000000000,0x200000000000 good.spv
expect 2 'none begins at 0' specialize --report - --addresses unknown:0,0x220000000000 good.spv
expect 2 "unknown stages 'rx'; the letters are r, c, s and w" specialize --report - --trace rx good.spv
expect 2 "no kernel 'missing'; there are .*plain" explain good.spv --kernel missing
expect 2 "unknown color mode 'pink'" explain good.spv --color pink
expect 2 'No space left' explain good.spv --html /dev/full
expect 2 'No such file' explain good.spv --html missing/page.html
expect 2 'Is a directory' explain good.spv --html empty
expect 2 'no file given' scan
expect 2 'cannot open missing: No such file' scan missing
expect 2 'no SPIR-V module in program' scan program
expect 2 'no SPIR-V module in text.txt' scan text.txt
printf 'PK\003\004 and so on' >wheel.whl
expect 2 'no SPIR-V module in wheel.whl: it is a zip archive' scan wheel.whl
expect 2 'no SPIR-V module in empty$' scan empty
expect 2 'no SPIR-V module in empty nor in the others$' scan empty text.txt
expect 2 'neither a file nor a folder' scan /dev/null
expect 2 "unknown device 'toaster'" scan --device toaster good.spv
expect 2 "specialize: unknown device 'toaster'; the devices are any pocl-3.1" specialize --device toaster good.spv -o out.spv
expect 2 "unknown SPIR-V capability 'Flying'" scan --capabilities Kernel,Flying good.spv
expect 2 "'float' is not a SPIR-V extension" scan --extensions float good.spv
expect 2 "'two' is not a version" scan --il two good.spv
expect 2 "'0' is not a number of jobs" scan --jobs 0 good.spv
expect 2 "'many' is not a number of jobs" scan -j many good.spv
expect 2 "'--il' needs an argument" scan good.spv --il
expect 2 'cannot make the folder' scan good.spv --extract missing/folder
full 2 scan good.spv
full 2 scan good.spv --json
full 2 --help
full 2 --version
full 2 completion bash
expect 2 'no command given' run
expect 2 'cannot start /no/such' run --summary -- /no/such
expect 2 'starts no command' run --summary --print
expect 2 'cannot use the layer missing.so: No such file' run --layer missing.so -- true
expect 2 'cannot use the layer text.txt: Exec format error' run --layer text.txt -- true
expect 2 'cannot use the layer empty: Is a directory' run --layer empty -- true
mkdir a:b && cp program a:b/layer.so
expect 2 "cannot contain ':'" run --layer a:b/layer.so -- true
expect 2 'cannot use the translator missing: No such file' run --spir missing -- true
expect 2 'cannot use the translator text.txt: Permission denied' run --spir text.txt -- true
expect 2 'cannot use the translator empty: it is not a file' run --spir empty -- true
expect 2 'cannot write modules to missing: No such file' run --dump missing -- true
expect 2 'cannot write modules to text.txt: Not a directory' run --dump text.txt -- true
expect 2 'cannot start text.txt: No such file' run -- text.txt
expect 2 'cannot start ./text.txt: Permission denied' run -- ./text.txt
expect 2 "unknown mode 'quick'" run --mode quick -- true
expect 2 'it takes no argument' doctor good.spv
expect 2 'cannot use the layer' doctor --layer missing.so
expect 2 "unknown shell 'tcsh'" completion tcsh
expect 2 'name one shell' completion

# Files of every size and kind, for all subcommands that read one.
: >empty.spv
truncate -s 600M huge.spv
for subcommand in "specialize --report -" explain; do
    # shellcheck disable=SC2086 # words
    expect 3 'empty.spv is not a SPIR-V module: it is empty' $subcommand empty.spv
    # shellcheck disable=SC2086
    expect 2 'huge.spv: File too large' $subcommand huge.spv
done
expect 2 'File too large' specialize /dev/zero --report -
expect 2 'no SPIR-V module in empty.spv' scan empty.spv
expect 2 'no SPIR-V module in huge.spv' scan huge.spv
rm huge.spv
for subcommand in "cache list" "cache verify" "cache prune"; do
    # shellcheck disable=SC2086
    expect 2 'it must be a folder that you own' $subcommand --folder good.spv
done
expect 2 "unknown action 'grow'; the actions are list, verify, prune, warm, export, import and describe" cache grow
expect 2 'no action given; the actions are list' cache
expect 2 "'many' is not a number of megabytes" cache prune --size many
expect 2 'cannot open missing.spv: No such file' cache warm missing.spv
grep -q 'scan' err && fail "cache warm speaks of scan: $(cat err)"
expect 2 'no SPIR-V module in text.txt' cache warm text.txt
NONFLAT_CACHE=off expect 2 'there is no cache: it is switched off' cache warm good.spv
mkdir writable && chmod 777 writable
expect 2 'writable is not trusted' cache warm --folder writable good.spv
OCL_ICD_VENDORS=$here/empty expect 2 "there is no OpenCL device; 'nonflat doctor'" cache warm --folder "$here/new" good.spv

# If output cannot be written, existing files remain, and the error is reported.
echo kept >kept.spv && chmod 444 kept.spv
expect 2 'No space left' specialize good.spv -o /dev/full
expect 2 'No space left' specialize good.spv -o out.spv --report /dev/full
expect 2 'No such file' specialize good.spv -o missing/out.spv
expect 2 'Is a directory' specialize good.spv -o empty
expect 3 '.' specialize text.txt -o kept.spv
[ "$(cat kept.spv)" = kept ] || fail "a failure wrote over the output that was there"

# Standard output that is closed, or a pipe without a reader. With the default signal handling, SIGPIPE ends the command silently.
for arguments in "explain good.spv" "scan good.spv" "scan good.spv --json" "specialize good.spv --report -" --help \
    "completion zsh" "explain --help"; do
    cases=$((cases + 2))
    # shellcheck disable=SC2086
    timeout 60 "$nonflat" $arguments >&- 2>err </dev/null
    status=$?
    [ $status -eq 2 ] && [ "$(wc -l <err)" -eq 1 ] && grep -q 'Bad file descriptor' err ||
        fail "$arguments without standard output ends with $status: $(head -c 300 err)"
    # shellcheck disable=SC2086
    (trap '' PIPE; sleep 0.2; timeout 60 "$nonflat" $arguments 2>err </dev/null; echo $? >status) | true
    [ "$(cat status)" -eq 2 ] && [ "$(wc -l <err)" -eq 1 ] && grep -q 'Broken pipe' err ||
        fail "$arguments into a broken pipe ends with $(cat status): $(head -c 300 err)"
done

# A truncated module: scan prints the reason, and the status shows it.
timeout 60 "$nonflat" scan cut.spv >out 2>err
[ $? -eq 3 ] || fail "scan of a cut module does not end with 3"
grep -q 'malformed SPIR-V: OpEntryPoint: id .* is not defined' out || fail "scan of a cut module says $(cat out)"
[ -n "$(tail -1 out)" ] || fail "what scan says of one file ends with an empty line"

# Modules are grouped by their reasons, which contain no ids.
"$assemble" --target-env spv1.2 "$tests/../rewrite/module-scope-initializer-struct.spvasm" -o held.spv || exit 2
timeout 60 "$nonflat" scan held.spv --no-globals >out 2>err
[ $? -eq 1 ] || fail "scan of a module with an address that the device cannot know does not end with 1"
grep -q 'no, because: constant contains the address of a module-scope variable, .* (1 module)' out ||
    fail "scan of a module with an address that the device cannot know says $(cat out)"

# On a device without program-scope variables, the layer provides a buffer.
"$assemble" --target-env spv1.2 "$tests/../rewrite/module-scope-written.spvasm" -o written.spv || exit 2
timeout 60 "$nonflat" scan written.spv --no-globals >out 2>err
[ $? -eq 0 ] || fail "scan of a module that writes a module-scope variable ends with no: $(cat out)"

# No permission. The superuser may read everything, so another user is needed.
cp good.spv secret.spv && chmod 000 secret.spv && chmod 755 "$here"
if [ "$(id -u)" -eq 0 ]; then
    as_nobody=$(command -v setpriv >/dev/null && echo setpriv --reuid=65534 --regid=65534 --clear-groups)
fi
if [ "$(id -u)" -eq 0 ] && { [ -z "$as_nobody" ] || ! $as_nobody test -x "$nonflat"; }; then
    echo "SKIPPED: what is said without permission, as only root can run $nonflat"
else
    expect 2 'Permission denied' specialize secret.spv --report -
    expect 2 'Permission denied' explain secret.spv
    expect 2 'Permission denied' scan secret.spv
    expect 2 'Permission denied' explain good.spv --html /nobody.html
fi
unset as_nobody

# No terminal: no color, no progress bar. A terminal: both, but no color if NO_COLOR is set.
escape=$(printf '\033')
for arguments in "explain good.spv" "scan good.spv"; do
    # shellcheck disable=SC2086
    "$nonflat" $arguments >out 2>&1
    grep -q "$escape" out && fail "$arguments into a pipe has escape codes"
done
if script -qec true /dev/null >out 2>&1 </dev/null; then
    TERM=xterm script -qec "'$nonflat' explain good.spv" /dev/null </dev/null >out 2>&1
    grep -q "$escape\[3" out || fail "explain on a terminal has no color"
    TERM=xterm NO_COLOR=1 script -qec "'$nonflat' explain good.spv" /dev/null </dev/null >out 2>&1
    grep -q "$escape" out && fail "explain on a terminal has colour although NO_COLOR is set"
    TERM=xterm script -qec "'$nonflat' scan good.spv" /dev/null </dev/null >out 2>&1
    grep -q '100%' out || fail "scan on a terminal draws no bar"
else
    echo "SKIPPED: what a terminal shows, there is no program 'script', or no pseudo-terminal"
fi

echo "$cases cases, $failures failures"
[ "$failures" -eq 0 ]
