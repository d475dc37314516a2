#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Checks that the man page names all subcommands and options of --help, and that shells can load the completions. manual.sh NONFLAT
# NONFLAT.1
set -u
nonflat=$1 page=$2 failures=0

fail() {
    echo "FAIL: $*"
    failures=$((failures + 1))
}

subcommands=$("$nonflat" --help | sed -n 's/^  \([a-z][a-z]*\)  .*/\1/p')
[ "$(echo "$subcommands" | wc -w)" -ge 6 ] || fail "--help names only: $subcommands"
for subcommand in $subcommands; do
    section=$(awk -v name="$subcommand" '/^\.Ss /{inside = $3 == name} inside' "$page")
    [ -n "$section" ] || fail "the man page has no section for $subcommand"
    help=$("$nonflat" "$subcommand" --help) || fail "$subcommand --help ends with $?"
    echo "$help" | grep -q '^exit status: ' || fail "$subcommand --help does not say what its statuses mean"
    for option in $(echo "$help" | sed -n 's/^  --\([a-z0-9-]*\).*/\1/p'); do
        [ "$option" = help ] || echo "$section" | grep -q "^\.It Fl -$option" || fail "the man page lacks $subcommand --$option"
    done
    for option in $(echo "$section" | sed -n 's/^\.It Fl -\([a-z0-9-]*\).*/\1/p'); do
        echo "$help" | grep -q -- "^  --$option" || fail "the man page has $subcommand --$option, which there is not"
    done
done
"$nonflat" --version | head -1 | grep -E -q '^nonflat [0-9]+\.[0-9]+\.[0-9]+$' || fail "--version says no version"

if command -v mandoc >/dev/null; then
    complaints=$(mandoc -Tlint -Wwarning "$page" 2>&1 | grep -v 'mandoc.db')
    [ -z "$complaints" ] || fail "mandoc says: $complaints"
elif command -v man >/dev/null; then
    complaints=$(man --warnings -E UTF-8 -l "$page" 2>&1 >/dev/null)
    [ -z "$complaints" ] || fail "man says: $complaints"
else
    echo "SKIPPED: the man page's form, there is neither mandoc nor man"
fi

for shell in bash zsh fish; do
    if ! command -v $shell >/dev/null; then
        echo "SKIPPED: completion for $shell, which is not installed"
        continue
    fi
    "$nonflat" completion $shell >"/tmp/nonflat-completion.$$" && $shell -n "/tmp/nonflat-completion.$$" ||
        fail "$shell cannot read its completion"
    rm -f "/tmp/nonflat-completion.$$"
done
# offer WORD...: prints bash's completions of the last word.
offer() {
    # shellcheck disable=SC2034,SC1090 # read by the function
    (source <("$nonflat" completion bash); COMP_WORDS=(nonflat "$@"); COMP_CWORD=$#; _nonflat; echo "${COMPREPLY[@]}")
}
[ "$(offer expl)" = explain ] || fail "bash completes 'expl' to '$(offer expl)'"
[ "$(offer scan --dev)" = --device ] || fail "bash completes '--dev' to '$(offer scan --dev)'"
[ "$(offer scan --device pocl)" = pocl-3.1 ] || fail "bash completes 'pocl' to '$(offer scan --device pocl)'"
[ "$(offer run -- tru)" != '' ] || fail "bash completes no command behind --"
if command -v fish >/dev/null; then
    offered=$(fish -c "'$nonflat' completion fish | source; complete -C 'nonflat explain --htm'" 2>/dev/null | head -1)
    [ "${offered%%	*}" = --html ] || fail "fish completes '--htm' to '$offered'"
fi

echo "$failures failures"
[ "$failures" -eq 0 ]
