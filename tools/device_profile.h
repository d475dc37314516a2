/* SPDX-License-Identifier: Apache-2.0 */
/*
 * device_profile.h - the devices that `nonflat scan` can measure modules against.
 */
#ifndef NF_TOOLS_DEVICE_PROFILE_H
#define NF_TOOLS_DEVICE_PROFILE_H

#include "command.h"
#include "nonflat/nonflat.h"

typedef struct nf_device_profile {
    const char *name;
    int takes_generic; /* the device has a generic address space itself */
    nf_profile profile;
    uint32_t *capabilities; /* owned; profile.capabilities points here */
    char **extensions;      /* owned; profile.extensions points here */
} nf_device_profile;

/* From --device, --il, --capabilities, --extensions, --spir12, --no-globals. @return 0, or -1 after a complaint. */
int nf_device_profile_read(const nf_arguments *arguments, nf_device_profile *device);
void nf_device_profile_free(nf_device_profile *device);

/* The names of the built-in devices, for completion and complaints. */
#define NF_DEVICE_NAMES "any pocl-3.1 oclgrind-21.10 intel-cpu intel-fpga-emulation opencl-1.2 opencl-3.0-minimal"

int nf_takes_capability(const nf_profile *profile, uint32_t capability);
int nf_takes_extension(const nf_profile *profile, const char *name);

#endif
