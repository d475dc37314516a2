/* SPDX-License-Identifier: Apache-2.0 */
/*
 * try.h - nonflat-try: a module on standard input is built by the driver of the device that the arguments name, so that
 * whoever has started it learns whether the driver lives through that.
 *
 * Before the driver is asked it writes "building", and when the driver has answered, whatever it answered, an end mark:
 * what has the one and not the other was ended by the driver. May use: layer/alone.
 */
#ifndef NONFLAT_TRY_H
#define NONFLAT_TRY_H

#include "layer/alone/alone.h"

#include <stdint.h>

enum { NF_TRY_SPECS = 256 };

/* What is built, and for whom. A name is what the driver itself says. */
struct nf_try_request {
    const char *loader; /* the library of the OpenCL loader */
    const char *platform, *device, *driver;
    const char *options;
    bool compile; /* clCompileProgram, not clBuildProgram */
    struct nf_try_spec {
        uint32_t id;
        size_t size;
        uint64_t value;
    } specs[NF_TRY_SPECS];
    size_t spec_count;
    struct nf_bytes module;
};

/* ---- build.c ----------------------------------------------------------------------------------------------------- */

/* Find the device. @return false, with the reason said, when the driver cannot be asked. */
bool nf_try_find(const struct nf_try_request *request);
/* Have the module built, and kernels made of it. What the driver answers does not matter. */
void nf_try_build(const struct nf_try_request *request);

#endif
