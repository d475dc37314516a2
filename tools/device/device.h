/* SPDX-License-Identifier: Apache-2.0 */
/*
 * device.h - the target device of `nonflat scan` and `nonflat specialize`.
 *
 * Takes --device NAME, --il, --capabilities and related options. Gives a profile for the core library; the device need
 * not exist on this machine. May use: base, src/spirv.
 */
#ifndef NF_TOOLS_DEVICE_H
#define NF_TOOLS_DEVICE_H

#include <stdbool.h>
#include <stdint.h>

#include "tools/base/base.h"

/* ---- device_profile.c: the target device ------------------------------------------------------------------------- */

struct nf_device_profile {
    const char *subcommand; /* for errors */
    const char *name;
    bool takes_generic; /* the device has a generic address space natively */
    nf_profile profile;
    uint32_t *capabilities; /* owned; profile.capabilities points here */
    char **extensions;      /* owned; profile.extensions points here */
};

/* Reads --device, --il, --capabilities, --extensions, --spir12, --no-globals. For a device without writable
 * module-scope variables it also sets NF_PROFILE_GLOBALS_IN_MEMORY, as the layer does. Returns 0, or -1 after printing
 * an error. The caller calls nf_device_profile_free() in both cases. */
int nf_device_profile_read(const char *subcommand, const struct nf_arguments *arguments,
                           struct nf_device_profile *device);
void nf_device_profile_free(struct nf_device_profile *device);

/* The names of the built-in devices, for completion and error messages. */
#define NF_DEVICE_NAMES                                                                                                \
    "any pocl-3.1 oclgrind-21.10 intel-cpu intel-fpga-emulation opencl-1.2 openclon12 opencl-3.0-minimal"

/* Return true if the profile lists the capability or extension, or does not limit them. */
bool nf_takes_capability(const nf_profile *profile, uint32_t capability);
bool nf_takes_extension(const nf_profile *profile, const char *name);

#endif
