#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Tests of the command line of nonflat-spir, and of bad input: each has the right exit status and one clear line. command.sh NONFLAT_SPIR
set -u
translator=$1
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
fail() { echo "FAILED: $*" | tee -a "$work/failed"; } # a file, as some of it is said behind a pipe

# expect STATUS TEXT ARGUMENT...: standard input is the caller's.
expect() {
    wanted=$1 text=$2
    shift 2
    out=$("$translator" "$@" 2>&1 > /dev/null)
    status=$?
    if [ $status -ne "$wanted" ] || ! printf '%s\n' "$out" | grep -qF "$text"; then
        fail "nonflat-spir $*: status $status, not $wanted; said '$out', not '$text'"
    fi
}

word() { printf "\\$(printf %03o $(($1 & 255)))\\$(printf %03o $(($1 >> 8 & 255)))\\$(printf %03o $(($1 >> 16 & 255)))\\$(printf %03o $(($1 >> 24 & 255)))"; }
header() { word 0x07230203; word 0x00010000; word 0; word "$1"; word 0; }

expect 0 "" --help < /dev/null
expect 0 "" --version < /dev/null
expect 2 "unknown argument" --nonsense < /dev/null
expect 2 "unknown device 'toaster'" --device=toaster < /dev/null
expect 2 "cannot read /nonexistent" --builtins=/nonexistent < /dev/null
expect 2 "cannot read /nonexistent" --input=/nonexistent < /dev/null
expect 3 "empty" --device=pocl < /dev/null
expect 3 "not a SPIR-V module" --input=- <<END
abc
END
bad=$work/bad
header 0 > "$bad"
expect 3 "id bound 0" --device=pocl < "$bad"
{ header 5; word 0; } > "$bad"
expect 3 "word 5" --device=pocl < "$bad"
{ header 5; word $((9 << 16 | 17)); } > "$bad"
expect 3 "does not fit" --device=pocl < "$bad"
{ word 1; word 2; word 3; word 4; word 5; } > "$bad"
expect 3 "magic number" --device=pocl < "$bad"

# Limits, and the end of the parent process.
expect 2 "unknown argument '--memory=0'" --memory=0 < /dev/null
expect 2 "unknown argument '--seconds=3x'" --seconds=3x < /dev/null
head -c 100000000 /dev/zero | expect 4 "more memory is needed than it may take (90 megabytes)" --memory=90
# A process that has used a second before it executes this program, which then reads on. It uses the second without interruption, because
# the kernel measures this limit in ticks, and may miss work between forks or waits on a busy machine.
cat > "$work/late" <<'END'
#!/bin/sh
enough() { [ $((${14} + ${15})) -ge 120 ]; } # hundredths of a second
while read -r line < /proc/self/stat && ! enough $line; do :; done
exec "$SPIR" "$@"
END
chmod +x "$work/late"
(
    export SPIR="$translator"
    translator=$work/late
    expect 4 "more processor time is needed than it may take (1 seconds)" --memory=4000 --seconds=1 < /dev/zero
)
# The host's own limit, which kills without a message, is not reached.
(
    ulimit -t 2
    export SPIR="$translator"
    translator=$work/late
    expect 4 "more processor time is needed than it may take (1 seconds)" --memory=4000 --seconds=100 < /dev/zero
)
sh -c 'exit 0' & gone=$!
wait $gone
expect 4 "" --parent=$gone < /dev/null
# A host whose children are in a separate PID namespace, in which it has no id. Most users may not create one.
if unshare -p true 2> /dev/null; then
    said=$(unshare -p sh -c '"$1" --parent=99999999 2>&1; exit 0' sh "$translator" < /dev/null)
    case $said in *empty*) ;; *) fail "started from another namespace it said '$said'" ;; esac
fi
mkfifo "$work/input"
{ exec sleep 600 > "$work/input"; } & # keeps the pipe open
keeper=$!
sh -c '"$1" --parent=$$ < "$2/input" & echo $! > "$2/started"; wait' sh "$translator" "$work" &
host=$!
for i in $(seq 100); do [ -s "$work/started" ] && break || sleep 0.3; done
started=$(cat "$work/started")
sleep 0.3
kill -0 "$started" || fail "it did not wait for its input"
kill -KILL $host
for i in $(seq 100); do kill -0 "$started" 2> /dev/null && sleep 0.3 || break; done
if kill -0 "$started" 2> /dev/null && ! grep -q '^State:.Z' "/proc/$started/status"; then
    fail "it outlives the process that started it"
    kill "$started"
fi
kill $keeper
[ -e "$work/failed" ] && exit 1
echo "passed"
