#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Tests the messages of `nonflat run` about missing OpenCL drivers, on systems made of a few files: drivers.sh NONFLAT
# TOOLS_DRIVERS
set -u
nonflat=$1 drivers=$2
here=$(mktemp -d)
trap 'rm -rf "$here"' EXIT
cd "$here" || exit 2
failures=0
unset OPENCL_LAYERS OCL_ICD_VENDORS OCL_ICD_FILENAMES RUSTICL_ENABLE VIRTUAL_ENV CONDA_PREFIX

# expect TEXT COMMAND...: TEXT is the whole line that the command prints.
expect() {
    local text=$1 said
    shift
    said=$("$@" 2>&1)
    [ "$said" = "$text" ] || { echo "FAIL: $*: '$said' and not '$text'"; failures=$((failures + 1)); }
}
# gpu DRIVER: the machine has a GPU with this driver in the kernel.
gpu() {
    rm -rf root/sys
    mkdir -p root/sys/class/drm/renderD128/device
    ln -s "../../../bus/pci/drivers/$1" root/sys/class/drm/renderD128/device/driver
}
# icd FILE...: the .icd files, below the root.
icd() {
    rm -rf root/etc root/env
    local file
    for file; do mkdir -p "root/$(dirname "$file")" && echo lib.so >"root/$file"; done
}

mkdir -p root/usr/bin
processor='install a driver with apt: for the processor pocl-opencl-icd'
expect "none: install a driver (names of Debian's packages): for the processor pocl-opencl-icd" "$drivers" root x
install -m 755 /dev/null root/usr/bin/apt-get
expect "none: $processor" "$drivers" root x
gpu virtio_gpu
expect "none: $processor" "$drivers" root x
gpu amdgpu
expect "none: $processor; for AMD's GPU mesa-opencl-icd, and then RUSTICL_ENABLE=radeonsi" "$drivers" root x
gpu xe
expect "none: $processor; for Intel's GPU intel-opencl-icd" "$drivers" root x

# Drivers of the system, of an environment, and those that a variable names.
some="some: $processor; for Intel's GPU intel-opencl-icd" none=${some/some/none}
icd etc/OpenCL/vendors/pocl.icd etc/OpenCL/vendors/rusticl.icd
expect "$some" "$drivers" root x
icd env/etc/OpenCL/vendors/intel-cpu.icd env/bin/program
chmod +x root/env/bin/program
expect "$none" "$drivers" root program
expect "$some" "$drivers" root root/env/bin/program
expect "$some" env "PATH=/nowhere:$here/root/env/bin" "$drivers" root program
expect "$none" env "PATH=/nowhere:$here/root/env/bin" "$drivers" root other
expect "$some" env "VIRTUAL_ENV=$here/root/env" "$drivers" root other
expect "$some" env "CONDA_PREFIX=$here/root/env" "$drivers" root other
expect "$none" env "VIRTUAL_ENV=$here/root/env" "OCL_ICD_VENDORS=$here" "$drivers" root other
expect "$some" env "OCL_ICD_VENDORS=$here/root/env/etc/OpenCL/vendors" "$drivers" root other
expect "$some" env "OCL_ICD_VENDORS=$here/one.icd" "$drivers" root other
expect "$some" env OCL_ICD_FILENAMES=lib.so "$drivers" root other

# rusticl alone.
icd etc/OpenCL/vendors/rusticl.icd
rusticl="rusticl: Mesa's rusticl is the only driver, and it may show no device unless a variable is set:"
expect "$rusticl for the processor RUSTICL_ENABLE=llvmpipe" "$drivers" root x
expect "$some" env RUSTICL_ENABLE=iris "$drivers" root x
gpu panthor
expect "$rusticl RUSTICL_ENABLE=panfrost, or for the processor RUSTICL_ENABLE=llvmpipe" "$drivers" root x

# The command prints the message on standard error; its output and its exit status stay the same.
mkdir empty full && echo lib.so >full/a.icd
said=$(OCL_ICD_VENDORS=empty "$nonflat" run -- sh -c 'echo out; echo err >&2; exit 5' 2>err)
[ $? -eq 5 ] && [ "$said" = out ] || { echo "FAIL: status or output of the command change: $said"; failures=$((failures + 1)); }
grep -q '^nonflat: run: there is no OpenCL driver in empty; install a driver.* pocl-opencl-icd' err && [ "$(wc -l <err)" -eq 2 ] &&
    grep -q '^err$' err || { echo "FAIL: $(cat err)"; failures=$((failures + 1)); }
expect '' env OCL_ICD_VENDORS=full "$nonflat" run -- true
[ $failures -eq 0 ]
