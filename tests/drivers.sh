# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# The OpenCL drivers that a Debian system has, for scripts: choose_driver NAME FOLDER makes pocl, oclgrind or rusticl the only driver of
# what is started after it; FOLDER takes a small file. Returns 1 if it is not installed.
choose_driver() {
    case $1 in
    pocl) library=$(cat /etc/OpenCL/vendors/pocl*.icd 2>/dev/null) ;;
    rusticl)
        library=$(cat /etc/OpenCL/vendors/rusticl*.icd 2>/dev/null)
        export RUSTICL_ENABLE=llvmpipe ;;
    oclgrind) library=$(ls /usr/lib/oclgrind/liboclgrind-rt-icd.so /usr/lib/*/oclgrind/liboclgrind-rt-icd.so 2>/dev/null) ;;
    *) library= ;;
    esac
    [ -n "$library" ] || return 1
    mkdir -p "$2/vendors"
    printf '%s\n' "$library" >"$2/vendors/driver.icd"
    export OCL_ICD_VENDORS="$2/vendors"
}
