# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# For scripts that use an installed Nonflat in a clean system, as use-debs and use-wheel do:
#     . each_driver.sh
#     each_driver FOLDER COMMAND      an unchanged program (FOLDER/demo, demo.spv) without and with Nonflat on every driver; then COMMAND DRIVER
# A driver that Nonflat cannot serve is left out, with the reason. Ends the script unless on each of the other drivers the program is
# refused without Nonflat and right with it; there must be at least one. Then $used contains their names. While COMMAND runs,
# OCL_ICD_VENDORS names this driver alone, and the file doctor has the output of `nonflat doctor` for it. Writes that file, ~/vendors, and
# $log, which is the caller's.
: "${log:?a file for what is shown only if a command fails}"
say() { printf '== %s\n' "$*"; }
fail() { printf 'FAILED: %s\n' "$*"; exit 1; }
apt() { apt-get -y -qq -o Dpkg::Use-Pty=0 "$@" >"$log" 2>&1 || { cat "$log"; fail "apt-get $*"; }; }

each_driver() {
    folder=$1 then=$2 used=
    export RUSTICL_ENABLE=llvmpipe
    for icd in /etc/OpenCL/vendors/*.icd; do
        driver=$(basename "$icd" .icd)
        export OCL_ICD_VENDORS="$HOME/vendors/$driver"
        mkdir -p "$OCL_ICD_VENDORS" && cp "$icd" "$OCL_ICD_VENDORS/"
        nonflat doctor >doctor 2>&1 || true
        plan=$(sed -n 's/^  Nonflat *//p' doctor | head -1)
        case $plan in
        '' | cannot*) echo "$driver: left out: ${plan:-it shows no device}"; continue ;;
        esac
        grep -q '^nothing is broken' doctor || { cat doctor; fail "the doctor is not content with $driver"; }
        # Newer loaders read nonflat.lay, so the layer is disabled by a setting.
        if NONFLAT_MODE=off "$folder/demo" "$folder/demo.spv" >"$log" 2>&1; then fail "$driver computed the program rightly without Nonflat"; fi
        nonflat run -- "$folder/demo" "$folder/demo.spv" >"$log" 2>&1 || { cat "$log"; fail "the program does not run on $driver"; }
        used="$used $driver"
        echo "$driver: right, and not without Nonflat ($(grep -m1 device: "$log" | sed 's/ *device: *//'))"
        "$then" "$driver"
    done
    unset OCL_ICD_VENDORS
    [ -n "$used" ] || fail "no driver of this system could be used"
}
