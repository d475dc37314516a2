#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Runs programs with generic pointers on devices of PoCL-remote, as if on other machines: two servers on this machine's loopback
# address, each with a processor. Installs the packages that it needs, builds Nonflat, and builds PoCL's server and client in a clean
# system of Debian unstable (3 GB in $NONFLAT_SYSTEMS, made by debootstrap, so this needs root; ten minutes the first time).
#     tools/demo-cluster.sh [OPTION...]      the options of conformance/remote, such as --source PATH: another version of PoCL than Debian's
#     1. the program of tools/demo.sh on one server, and one program on both servers at the same time
#     2. the same on servers whose devices refuse generic pointers
#     3. where modules are specialized: once on the client for both servers, or in the servers
#     4. a SYCL program and dpnp, if conformance/setup sycl has installed their packages (1 GB from PyPI)
# Exit status 0: each is refused or wrong without Nonflat, and right with it.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
build=${NONFLAT_BUILD:-$root/build}
unset OPENCL_LAYERS NONFLAT_MODE 2>/dev/null || true

"$root/tools/build.sh" --install debootstrap
"$root/tools/build.sh" demo_parts nonflat_usm nonflat_strict
status=0
"$root/conformance/remote" --build "$build" "$@" || status=$?
echo
case $status in
0) echo "RIGHT: refused or wrong without Nonflat, and right with it." ;;
1) echo "WRONG: at least one line above says FAILED." ;;
*) echo "PoCL-remote is not available here, for the reason above." ;;
esac
exit $status
