#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Runs commands in another release of Debian or Ubuntu on this machine, to test what the packages of this system cannot show.
#     tools/system.sh make NAME [PACKAGE...]            create the system unless it exists; PACKAGEs are for `run`
#     tools/system.sh run NAME [OPTION...] COMMAND...   in the system with those packages, with this environment
#     tools/system.sh fresh NAME [OPTION...] COMMAND... in a clean minimal system, with a fresh environment
# NAME is debian12, debian13, sid, ubuntu24.04, or another suite of Debian that debootstrap knows; debian12-i386 is a 32-bit system.
# Options: --bind PATH (writable, at the same path), --read PATH (read-only), --lend PATH THERE (read-only, at another path),
# --copy PATH THERE (a source tree without its build folders). All other files that `run` and `fresh` write are removed at their end,
# so a system never changes.
#
# The systems are in $NONFLAT_SYSTEMS (default /var/tmp/nonflat-systems), about 400 MB each, and can be removed at any time: every
# mount belongs to a mount name space that ends with the command. Needs root, debootstrap and a mirror: $NONFLAT_MIRROR, by default
# the one that apt uses here; for Ubuntu $NONFLAT_UBUNTU_MIRROR. Exit status: the command's; 77 with the reason if the system is not available.
set -eu
self=$(realpath "$0")
systems=${NONFLAT_SYSTEMS:-/var/tmp/nonflat-systems}

unavailable() { echo "SKIPPED: ${name:-it} is not available here: $*" >&2; exit 77; }
usage() { sed -n '3,10s/^# \{0,1\}//p' "$self" >&2; exit 2; }

# Prints debootstrap's name of the suite.
suite() {
    case ${name%-i386} in
    debian12) echo bookworm ;;
    debian13) echo trixie ;;
    ubuntu24.04) echo noble ;;
    *) echo "${name%-i386}" ;;
    esac
}

# Prints the options that select another architecture than this machine's.
architecture() {
    case $name in
    *-i386) echo --arch=i386 ;;
    esac
}

# Prints the command that makes the kernel say i686, for which programs are then built.
personality() {
    case $name in
    *-i386) echo setarch i686 ;;
    esac
}

# Prints the name of the debootstrap script. All Ubuntu releases have the same script; debootstrap may lack a link for a newer one.
script() {
    case $name in
    ubuntu*) echo gutsy ;;
    *) suite ;;
    esac
}

# Prints the components of the archive that contain the packages of tools/build.sh.
components() {
    case $name in
    ubuntu*) echo "main universe" ;;
    *) echo main ;;
    esac
}

# Prints the URL of the archive: for Debian, the one that apt uses for this system.
mirror() {
    case $name in
    ubuntu*) echo "${NONFLAT_UBUNTU_MIRROR:-http://archive.ubuntu.com/ubuntu}" && return ;;
    esac
    found=${NONFLAT_MIRROR:-$(apt-get indextargets --format '$(ORIGIN) $(COMPONENT) $(REPO_URI)' 'Created-By: Packages' 2>/dev/null |
        awk '$1 == "Debian" && $2 == "main" && $3 !~ /security/ { print $3; exit }')}
    echo "${found:-http://deb.debian.org/debian}"
}

# Mounts a system at the folder $1 from its overlay layers $2. Writes go to the folder $3, or to memory if that is empty.
assemble() {
    mount -t tmpfs -o mode=755 writes "$1"
    mkdir "$1/system"
    written=$1
    if [ -n "$3" ] && mkdir -p "$3/upper" "$3/work" &&
        mount -t overlay -o "lowerdir=$2,upperdir=$3/upper,workdir=$3/work" system "$1/system" 2>/dev/null; then
        :
    else
        mkdir "$written/upper" "$written/work"
        mount -t overlay -o "lowerdir=$2,upperdir=$written/upper,workdir=$written/work" system "$1/system"
    fi
    furnish "$1/system"
}

# Mounts the kernel's file systems and copies network settings. Without /sys, PoCL finds no memory and aborts.
furnish() {
    mount -t proc proc "$1/proc" 2>/dev/null || mount --rbind /proc "$1/proc"
    mount --rbind /sys "$1/sys" && mount --rbind /dev "$1/dev"
    cp -L /etc/resolv.conf /etc/hosts "$1/etc/"
    echo force-unsafe-io >"$1/etc/dpkg/dpkg.cfg.d/90host" # after a crash the system is discarded anyway
    apt-config dump Acquire::http Acquire::https Acquire::Check-Valid-Until Acquire::Check-Date >"$1/etc/apt/apt.conf.d/90host"
}

inside() { # FOLDER COMMAND...
    new_root=$1
    shift
    # shellcheck disable=SC2046 # two words, or none
    $(personality) chroot "$new_root" env -i HOME=/root TERM=dumb LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive \
        PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin "$@"
}

quietly() { "$@" >"$log" 2>&1 || { tail -20 "$log" >&2; return 1; }; }

# Runs debootstrap and fetches apt's lists. needs: a mount name space of its own.
bootstrap() { # FOLDER
    # shellcheck disable=SC2046 # a word, or none
    quietly debootstrap $(architecture) --variant=minbase "$(suite)" "$1" "$(mirror)" "/usr/share/debootstrap/scripts/$(script)"
    rm -f "$1/etc/apt/sources.list.d"/*
    echo "deb $(mirror) $(suite) $(components)" >"$1/etc/apt/sources.list"
    furnish "$1"
    quietly inside "$1" apt-get -qq update
}

# Installs packages in an overlay layer above the clean system. needs: a mount name space of its own.
add_packages() { # FOLDER LAYER PACKAGE...
    folder=$1 layer=$2
    shift 2
    mount -t tmpfs none "$folder"
    mkdir -p "$layer" "$layer.work" "$folder/system"
    mount -t overlay -o "lowerdir=$systems/$name/clean,upperdir=$layer,workdir=$layer.work" system "$folder/system" 2>/dev/null ||
        { echo "no overlay file system on $systems" >&2; return 1; }
    furnish "$folder/system"
    mount --bind "$systems/$name/archives" "$folder/system/var/cache/apt/archives"
    quietly inside "$folder/system" apt-get -qq update
    quietly inside "$folder/system" apt-get -y -qq -o Dpkg::Use-Pty=0 --no-install-recommends install "$@"
}

in_name_space() { unshare --mount --pid --fork --kill-child --propagation private "$self" "$@"; }

# Creates the clean system if it does not exist, and a layer with these packages if any are given. A lock admits one process at a time.
make_system() { # [PACKAGE...]
    [ "$(id -u)" -eq 0 ] || unavailable "only root can make and enter it"
    for program in debootstrap unshare chroot flock; do
        command -v $program >/dev/null || unavailable "$program is not installed"
    done
    unshare --mount --pid --fork true 2>/dev/null || unavailable "no mounts are allowed here"
    mkdir -p "$systems/$name/archives/partial" "$systems/mount"
    exec 9>"$systems/$name/lock"
    flock 9
    if [ ! -e "$systems/$name/clean" ]; then
        [ -e "/usr/share/debootstrap/scripts/$(script)" ] || unavailable "debootstrap knows no such system"
        echo "== making $name ($(suite), $(mirror)) in $systems" >&2
        rm -rf --one-file-system "$systems/$name/new"
        in_name_space --bootstrap "$name" "$systems/$name/new" 9>&- || unavailable "debootstrap or apt failed, as said above"
        mv "$systems/$name/new" "$systems/$name/clean"
    fi
    if [ $# -gt 0 ] && [ "$(cat "$systems/$name/packages.list" 2>/dev/null)" != "$*" ]; then
        echo "== installing into $name: $*" >&2
        rm -rf --one-file-system "$systems/$name/packages" "$systems/$name/packages.new" "$systems/$name/packages.new.work"
        in_name_space --packages "$name" "$systems/mount" "$systems/$name/packages.new" "$@" 9>&- ||
            unavailable "its packages cannot be installed, as said above"
        rm -rf --one-file-system "$systems/$name/packages.new.work"
        mv "$systems/$name/packages.new" "$systems/$name/packages"
        echo "$*" >"$systems/$name/packages.list"
    fi
    exec 9>&-
}

# Creates the folder $writes for the writes of a command in a clean system, and locks it while it is in use. Removes such folders of
# commands that were killed. apt locks its package folder, so each command has its own with hard links to the same files.
begin_writes() {
    exec 9>"$systems/$name/lock"
    flock 9
    for old in "$systems/$name"/fresh.*; do
        [ -d "$old" ] && flock --nonblock "$old" true && rm -rf --one-file-system "$old"
    done
    writes=$(mktemp -d "$systems/$name/fresh.XXXXXX")
    exec 8<"$writes"
    flock 8
    mkdir -p "$writes/archives/partial"
    find "$systems/$name/archives" -maxdepth 1 -name '*.deb' -exec ln -t "$writes/archives" {} +
    exec 9>&-
}

# Moves newly fetched packages to the shared folder, and removes $writes.
end_writes() {
    find "$writes/archives" -maxdepth 1 -name '*.deb' -links 1 -exec mv -n -t "$systems/$name/archives" {} +
    rm -rf --one-file-system "$writes"
}

# Mounts a file or folder of this system in the other one.
place() { # --bind|--read PATH THERE
    if [ -d "$2" ]; then mkdir -p "$3"; else mkdir -p "$(dirname "$3")" && { [ -e "$3" ] || touch "$3"; }; fi
    mount --rbind "$2" "$3"
    [ "$1" = --bind ] || mount -o remount,bind,ro "$3"
}

# Copies a source tree without build results, for a system that must not see those of another.
copy_tree() { # PATH THERE
    mkdir -p "$2"
    tar -C "$1" --exclude='./build*' --exclude=./.git --exclude=./conformance/work -cf - . | tar -C "$2" -xf -
}

# Mounts the system and runs the command; with `run` by exec. needs: a mount name space of its own.
enter() { # run|fresh WRITES OPTION... COMMAND...
    kind=$1 writes=$2
    shift 2
    layers=$systems/$name/clean
    [ "$kind" = fresh ] || [ ! -e "$systems/$name/packages" ] || layers=$systems/$name/packages:$layers
    assemble "$systems/mount" "$layers" "$writes"
    root=$systems/mount/system
    while :; do
        case ${1-} in
        --bind | --read) place "$1" "$2" "$root$2" && shift 2 ;;
        --lend) place --read "$2" "$root$3" && shift 3 ;;
        --copy) copy_tree "$2" "$root$3" && shift 3 ;;
        *) break ;;
        esac
    done
    [ $# -gt 0 ] || usage
    if [ "$kind" = run ]; then
        here=$PWD
        cd "$root" # chroot starts in the root, as the current folder may not exist inside
        # shellcheck disable=SC2016 # the inner shell's
        exec $(personality) chroot "$root" /bin/sh -c 'cd "$1" 2>/dev/null || cd /; shift; exec "$@"' sh "$here" "$@"
    fi
    mount --bind "$writes/archives" "$root/var/cache/apt/archives"
    inside "$root" "$@"
}

verb=${1-} name=${2-}
[ $# -ge 2 ] || usage
shift 2
case $name in '' | -* | */* | .*) usage ;; esac
log=$systems/$name/log
case $verb in
make) make_system "$@" ;;
run) # by exec at each step, so that the caller's signals and the exit status are those of the command
    [ -e "$systems/$name/packages" ] || make_system
    exec unshare --mount --propagation private "$self" --enter "$name" run "" "$@" ;;
fresh)
    make_system
    begin_writes
    trap end_writes EXIT
    trap 'exit 143' TERM INT HUP
    in_name_space --enter "$name" fresh "$writes" "$@" ;; # all processes in it hold the lock
--bootstrap) bootstrap "$@" ;;
--packages) add_packages "$@" ;;
--enter) enter "$@" ;;
*) usage ;;
esac
