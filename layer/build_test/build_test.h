/* SPDX-License-Identifier: Apache-2.0 */
/*
 * build_test.h - nonflat-try: builds a module, or OpenCL C, from standard input with the driver of the device that the
 * arguments name, so that the process that started it learns whether the driver survives the build.
 *
 * It prints "building" before the build and an end mark after it, whatever its result: output with the former and
 * without the latter means that the driver ended the process. May use: layer/helper.
 */
#ifndef NONFLAT_TRY_H
#define NONFLAT_TRY_H

#include "layer/helper/helper.h"

#include <stdint.h>

enum { NF_TRY_SPECS = 256 };
enum { NF_TRY_IDLE_DIMENSIONS = 3 }; /* a launch of the idle copy in this many dimensions returns at once */

/* A module, its build and its device. Names are those that the driver reports. */
struct nf_try_request {
    const char *loader; /* file name of the OpenCL loader */
    const char *platform, *device, *driver;
    const char *options;
    bool compile; /* clCompileProgram instead of clBuildProgram */
    bool launch;  /* kernels are launched, too */
    bool source;  /* the input is OpenCL C */
    struct nf_try_spec {
        uint32_t id;
        size_t size;
        uint64_t value;
    } specs[NF_TRY_SPECS];
    size_t spec_count;
    struct nf_bytes module;
};

/* ---- build.c ----------------------------------------------------------------------------------------------------- */

/* Finds the device. @return false, after nf_helper_error(), if it cannot be used. */
bool nf_try_find(const struct nf_try_request *request);
/* Builds the module and creates its kernels; on request, also launches those of its idle copy. The driver's results are
 * ignored. */
void nf_try_build(const struct nf_try_request *request);

/* ---- idle.c ------------------------------------------------------------------------------------------------------ */

/* Makes the idle copy of a module, malloc'ed. @return false if it has no kernels, is malformed, or memory is exhausted. */
bool nf_try_make_idle(const struct nf_bytes *module, struct nf_bytes *idle);

#endif
