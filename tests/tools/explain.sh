#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The output of `nonflat explain` for a module whose pointers are all known: probe.spvasm. explain.sh NONFLAT SPIRV_AS TESTS
set -u
nonflat=$1 assemble=$2 tests=$3
here=$(mktemp -d)
trap 'rm -rf "$here"' EXIT
cd "$here" || exit 2
failures=0

# has FILE REGEX WHAT, and hasnt.
has() {
    grep -E -q -- "$2" "$1" || { echo "FAIL: $3: no '$2' in $1"; failures=$((failures + 1)); }
}
hasnt() {
    ! grep -E -q -- "$2" "$1" || { echo "FAIL: $3: '$(grep -E -m1 -- "$2" "$1")' in $1"; failures=$((failures + 1)); }
}

"$assemble" --target-env spv1.2 "$tests/probe.spvasm" -o probe.spv || exit 2
"$nonflat" explain probe.spv >text || { echo "FAIL: it ends with $?"; exit 1; }
has text '^probe.spv: 2 kernels' 'the head'
has text 'sum \(private\) \[clone . of 3\]' 'clones in the tree'
has text 'sum \(local\) \[clone . of 3\]' 'clones in the tree'
has text 'sum \(value, private, local\) \[clone . of 3\]' 'clones in the tree'
has text '^ after, clone 1 of 3' 'versions of a function'
has text 'demo\.cl:3  return p\[0\];' 'the line of source'
has text '^    \^ ambiguous: private or local; decided at run time by a tag, because' 'the ambiguity'
has text '^        called by mixed with %chosen: private\|local' 'who called'
has text '^  - %loaded = OpLoad int32 %p .*; %p is private\|local' 'an ambiguous line before'
has text '^  \+ .*OpFunctionCall int32 %nonflat\.' 'an ambiguous line after'
has text '; %p is private$' 'the spaces of one instance'
has text 'no kernel reaches lonely' 'what is left out'
"$nonflat" explain probe.spv --kernel plain >text || exit 1
has text '^kernel plain' 'one kernel'
hasnt text '^kernel mixed' 'one kernel'

"$nonflat" explain probe.spv --html page.html || exit 1
has page.html '<svg ' 'the picture'
[ "$(grep -o '<g class="node' page.html | wc -l)" -eq 5 ] || { echo "FAIL: not five functions in the picture"; failures=$((failures + 1)); }
has page.html 'class="ambiguous" title="%[0-9]+: generic, found to be private\|local"' 'colours'
has page.html 'prefers-color-scheme:dark' 'dark'
has page.html 'return p\[0\];' 'the line of source'
has page.html 'id="h[0-9]+"><summary><code>nonflat\.' 'what decides at run time'
for link in $(grep -o 'href="#[a-z0-9]*"' page.html | sed 's/href="#//; s/"//' | sort -u); do
    has page.html "id=\"$link\"" "a link that leads nowhere"
done
[ -z "$(grep -o ' id="[a-z0-9]*"' page.html | sort | uniq -d)" ] || { echo "FAIL: one name twice"; failures=$((failures + 1)); }
hasnt page.html 'https?://|<script|url\([^#]|@import|src=' 'a page that needs others'
hasnt page.html 'script>alert' 'a name that is not escaped'
has page.html '&lt;script&gt;alert' 'a name that is not escaped'
"$nonflat" explain probe.spv --html - | cmp -s - page.html || { echo "FAIL: --html - writes something else"; failures=$((failures + 1)); }

# A source file that the module only names is read if that is requested.
printf '\n\n    return elsewhere;\n' >demo.cl
# A checksum that translators write in place of the text is not mistaken for it.
awk '/OpSource/ {skip = 5} skip > 0 {skip--; next} /OpMemoryModel/ {print "%info = OpExtInstImport \"OpenCL.DebugInfo.100\""} 1
     /%file = OpString/ {print "%checksum = OpString \"//__CSK_MD5:0\""}
     /%void = OpTypeVoid/ {print "%from = OpExtInst %void %info DebugSource %file %checksum"}' "$tests/probe.spvasm" >named.spvasm
"$assemble" --target-env spv1.2 named.spvasm -o named.spv || exit 2
"$nonflat" explain named.spv >text
has text 'demo\.cl:3' 'the place'
hasnt text 'return' 'a file that nobody asked for'
"$nonflat" explain named.spv --source >text
has text 'demo\.cl:3  return elsewhere;' 'a line of a file'
mkfifo pipe && sed 's/demo\.cl/pipe/' named.spvasm | "$assemble" --target-env spv1.2 - -o pipe.spv
timeout 20 "$nonflat" explain pipe.spv --source >text || { echo "FAIL: source from a pipe ends with $?"; failures=$((failures + 1)); }

# Modules with nothing to explain; and a mangled name, with its readable part.
"$assemble" --target-env spv1.2 "$tests/../rewrite/nothing-generic.spvasm" -o nothing.spv || exit 2
"$nonflat" explain nothing.spv >text || { echo "FAIL: a module with nothing generic ends with $?"; failures=$((failures + 1)); }
has text '^nothing.spv: 1 kernel, .*; it comes out as it is, byte for byte$' 'nothing generic'
hasnt text 'accesses through generic' 'nothing generic'
"$nonflat" explain nothing.spv --html page.html
has page.html 'It comes out as it is, byte for byte' 'nothing generic'
"$nonflat" explain probe.spv --mode off >text
has text 'byte for byte, as the mode is off$' 'the mode off'
hasnt text 'generic: ' 'spaces that nobody inferred'
sed 's/"sum"/"_Z3sumPKi"/' "$tests/probe.spvasm" >mangled.spvasm
"$assemble" --target-env spv1.2 mangled.spvasm -o mangled.spv || exit 2
"$nonflat" explain mangled.spv >text
has text '^function sum  _Z3sumPKi$' 'a mangled name'
has text '^    sum \(private\) \[clone . of 3\]' 'a mangled name in the tree'

# A refused module: the reason, and the available information about it. Generic pointers that remain because of an option.
"$assemble" --target-env spv1.2 "$tests/../rewrite/import-unknown-refused.spvasm" -o refused.spv || exit 2
"$nonflat" explain refused.spv --html page.html 2>/dev/null
[ $? -eq 1 ] || { echo "FAIL: a refused module does not end with 1"; failures=$((failures + 1)); }
has page.html 'cannot be specialized\.</b> error: word .*\(mystery\) is imported' 'the reason'
has page.html 'OpLoad int32' 'the lines of a refused module'
hasnt page.html '<th>after|id="only"' 'what there is not'
has page.html '>function mystery' 'the name of an import'
"$nonflat" explain probe.spv --mode hint >text
has text '^    \^ ambiguous: private or local; stays generic, because' 'hint'

# A pointer converted from an integer: the exposed address, the instruction that exposed it, and the origin of the integer.
"$assemble" --target-env spv1.2 "$tests/../rewrite/number-with-exposed-local-address.spvasm" -o number.spv || exit 2
"$nonflat" explain number.spv >text
has text 'local: OpFunctionParameter %[0-9]+, exposed by OpShiftRightLogical %[0-9]+; as a number: OpShiftLeftLogical %[0-9]+, then .*OpConvertUToPtr %' 'what exposed it'
has text "global: the host's memory; as a number: OpShiftLeftLogical %" 'what the host knows'

# Debug lines in the form of DPC++; instructions after an access that was split keep their positions.
"$assemble" --target-env spv1.2 "$tests/../rewrite/debug-line-of-dpcpp.spvasm" -o dpcpp.spv || exit 2
"$nonflat" explain dpcpp.spv >text
has text '^  k\.cpp:7 ' 'a DebugLine'
hasnt text 'DebugLine|DebugScope' 'debug information as a line'
has text '^  \+ %[0-9]+ = OpPhi int32' 'the end of a split'
has text '^    OpStore %' 'a line that stays'

echo "$failures failures"
[ "$failures" -eq 0 ]
