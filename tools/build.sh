#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Installs the missing packages of this system (Debian 12 or newer, or a derivative), then configures and builds the given targets
# (all, if none is given).
#     tools/build.sh [TARGET...]
#     tools/build.sh --install [PACKAGE...]     only installs, these packages too
# Prints the packages that the system does not offer, and the features that depend on them. Needs root and a network only to install
# packages; with NONFLAT_INSTALL=no it installs nothing and builds with the installed ones. Does not use PyPI. The build folder is
# ./build, or $NONFLAT_BUILD. Warnings are errors with NONFLAT_WERROR=ON.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
build=${NONFLAT_BUILD:-$root/build}

extra=
if [ "${1-}" = --install ]; then
    shift
    extra="$* "
fi
say() { printf '== %s\n' "$*"; }
installed() { [ "$(dpkg-query -W -f='${db:Status-Status}' "$1" 2>/dev/null)" = installed ]; }
# Prints the version that apt would install, or nothing.
candidate() { apt-cache policy "$1" 2>/dev/null | sed -n 's/^  Candidate: *//p' | grep -v '(none)'; }
obtainable() { installed "$1" || [ -n "$(candidate "$1")" ]; }

# Prints the LLVM version to install, for which both clang and llvm-spirv are installed or available: 15, as the bitcode translator
# needs it, else the newest of 40 to 11; nothing if there is none.
llvm_version() {
    for version in 15 $(seq 40 -1 11); do
        if obtainable "clang-$version" && obtainable "llvm-spirv-$version"; then
            echo "$version"
            return
        fi
    done
}

# Prints the wanted packages, one per line, each with the features that depend on it.
wanted_packages() {
    llvm=$(llvm_version)
    cat <<LIST
gcc: anything
g++: the tests and the listings of nonflat explain
cmake: anything
ninja-build: anything
pkg-config: anything
opencl-headers: the layer
ocl-icd-opencl-dev: programs that use OpenCL, so the tests
libxxhash-dev: the layer's cache
libinih-dev: the layer's settings
spirv-tools: the tests
spirv-headers: the tests
libcmocka-dev: the tests
python3: half of the tests
libzstd-dev: compressed device images in nonflat scan
clang-${llvm:-15}: kernels in OpenCL C as tests and demonstration
llvm-spirv-${llvm:-15}: kernels in OpenCL C as tests and demonstration
libclang-${llvm:-15}-dev: generic pointers in OpenCL C source
llvm-${llvm:-15}-dev: generic pointers in OpenCL C source
libllvmspirvlib-${llvm:-15}-dev: generic pointers in OpenCL C source, and with LLVM 15 drivers that accept bitcode only, such as PoCL 3.1
llvm-${llvm:-15}-tools: the tests that compare texts (FileCheck)
pocl-opencl-icd: tests and demonstration on PoCL
oclgrind: tests on Oclgrind, which checks every access
csmith: random C programs as tests
abigail-tools: the test of the ABI
clang-format-14: the test of the layout of C files
LIST
    for package in $extra; do echo "$package: the caller of this script"; done
    if obtainable spirv-tools-dev; then # in older systems a part of spirv-tools
        echo "spirv-tools-dev: the tests and the listings of nonflat explain"
    fi
    if mesa=$(candidate mesa-opencl-icd) && dpkg --compare-versions "$mesa" ge 24; then # older versions accept no SPIR-V
        echo "mesa-opencl-icd: tests and demonstration on Mesa's rusticl"
    fi
}

# Sorts the packages that are not installed into $missing, which apt offers, and the lines of $lacking, which it does not.
look() {
    wanted_packages >"$list"
    missing='' lacking=''
    while IFS=: read -r package use; do
        if installed "$package"; then
            continue
        elif [ -n "$(candidate "$package")" ]; then
            missing="$missing $package"
        else
            lacking="$lacking
$package:$use"
        fi
    done <"$list"
}

install_packages() {
    look
    [ -n "$missing$lacking" ] || return 0
    # The package lists may never have been fetched, or be outdated.
    if [ "$(id -u)" -eq 0 ] && { [ -n "$missing" ] || ! ls /var/lib/apt/lists/*_Packages* >/dev/null 2>&1; }; then
        apt-get update -qq >"$log" 2>&1 || { tail -5 "$log"; say "apt-get cannot fetch the package lists; the existing lists are used"; }
        look
    fi
    [ -z "$missing" ] || install_missing
    [ -z "$lacking" ] || {
        say "this system has no package for:"
        printf '%s\n' "$lacking" | sed '/^$/d; s/^\([^:]*\): */     \1, so these are missing: /'
    }
}

install_missing() {
    if [ "$(id -u)" -ne 0 ]; then
        say "these packages are missing, and only root can install them:$missing"
        return
    fi
    say "installing:$missing"
    # shellcheck disable=SC2086 # a list
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq -o Dpkg::Use-Pty=0 --no-install-recommends $missing >"$log" 2>&1 ||
        { cat "$log"; say "apt-get cannot install these packages; the build continues without them"; }
}

log=$(mktemp) list=$(mktemp)
trap 'rm -f "$log" "$list"' EXIT
if [ "${NONFLAT_INSTALL:-yes}" = no ]; then
    :
elif command -v apt-get >/dev/null; then
    install_packages
else
    say "this system has no apt-get; the build uses the software that is installed"
fi

[ -z "$extra" ] || exit 0

say "building in $build"
cmake -S "$root" -B "$build" -G Ninja "-DNONFLAT_WERROR=${NONFLAT_WERROR:-OFF}" >"$build.log" 2>&1 || { cat "$build.log"; exit 1; }
sed -n 's/^-- \(.*left out.*\)/== \1/p' "$build.log"
ninja -C "$build" "$@" >>"$build.log" 2>&1 || { tail -50 "$build.log"; exit 1; }
rm -f "$build.log"
