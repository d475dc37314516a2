#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A translator that does what FAKE_SPIR says, so that tests need none. It takes SPIR-V and gives four bytes of bitcode
# magic followed by its input. A descriptor above 2 that was left open is a failure of its own.
for open in /proc/$$/fd/*; do
    case ${open##*/} in
    0 | 1 | 2 | 10 | 255) ;; # the last two are the shell's own
    *) [ -e "$open" ] && case $(readlink "$open") in */fake_spir.sh | /proc/* ) ;; *) echo "descriptor ${open##*/} is open" >&2; exit 1 ;; esac ;;
    esac
done
[ -n "$FAKE_SPIR_ARGUMENTS" ] && echo "$*" > "$FAKE_SPIR_ARGUMENTS"
case $FAKE_SPIR in
refuse) echo "function 'foo' is not on this device" >&2; exit 1 ;;
crash) kill -SEGV $$ ;;
hang) sleep 600 ;;
garbage) echo hello; exit 0 ;;
silent) exit 0 ;;
noisy) i=0; while [ $i -lt 20000 ]; do echo "a message that fills every pipe there ever was" >&2; i=$((i + 1)); done; exit 1 ;;
*) printf 'BC\300\336'; exec cat ;;
esac
