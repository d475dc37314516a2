#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A fake translator that behaves as FAKE_SPIR says, so that the tests need no real one. The script reads SPIR-V and writes four bytes of
# bitcode magic, its input and the end mark. FAKE_SPIR_RUNS is a file to which each run adds a line. An inherited descriptor above 2 is
# reported as a failure.
for open in /proc/$$/fd/*; do
    case ${open##*/} in
    0 | 1 | 2 | 10 | 255) ;; # the last two are the shell's own
    *) [ -e "$open" ] && case $(readlink "$open") in */fake_spir.sh | /proc/* ) ;; *) echo "descriptor ${open##*/} is open" >&2; exit 1 ;; esac ;;
    esac
done
[ -n "$FAKE_SPIR_ARGUMENTS" ] && echo "$*" > "$FAKE_SPIR_ARGUMENTS"
[ -n "$FAKE_SPIR_RUNS" ] && echo run >> "$FAKE_SPIR_RUNS"
[ "$FAKE_SPIR" = slow ] && sleep 0.2
[ "$FAKE_SPIR" = killed_once ] && [ "$(wc -l < "$FAKE_SPIR_RUNS")" = 1 ] && kill -KILL $$
case $FAKE_SPIR in
refuse) echo "function 'foo' is not on this device" >&2; exit 1 ;;
trouble) echo "cannot read its input" >&2; exit 2 ;;
crash) kill -SEGV $$ ;;
hang) sleep 600 ;;
stop) kill -STOP $$ ;;
garbage) echo hello; exit 0 ;;
silent) exit 0 ;;
noisy) i=0; while [ $i -lt 20000 ]; do echo "a message that fills every pipe there ever was" >&2; i=$((i + 1)); done; exit 1 ;;
cut) printf 'BC\300\336'; head -c 100; kill -SEGV $$ ;;
killed) printf 'BC\300\336'; head -c 100; kill -KILL $$ ;;
cut_well) printf 'BC\300\336'; head -c 100 ;;
longer) printf 'BC\300\336'; head -c 100; printf 'NONFLAT:%016x' 105 ;;
flood) head -c 16000000 /dev/zero && echo flooded >> "$FAKE_SPIR_RUNS.flooded"; exec yes ;; # a mark: nobody stopped it
*)
    body=$(mktemp) || exit 2
    { printf 'BC\300\336'; cat; } > "$body"
    cat "$body"
    printf 'NONFLAT:%016x' "$(wc -c < "$body")"
    rm -f "$body" ;;
esac
