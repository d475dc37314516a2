/* SPDX-License-Identifier: Apache-2.0 */
/*
 * build_test.h - nonflat-try: builds modules, or OpenCL C, with the driver of the device that the arguments name, so
 * that a crash of the driver ends only this process. The program does many builds, because starting a driver takes
 * longer than most builds.
 *
 * The program consists of two processes. The child runs the driver and answers requests (wire.h). The parent waits for
 * the child, keeps the end of its output, and reports its exit. May use: layer/helper.
 */
#ifndef NONFLAT_TRY_H
#define NONFLAT_TRY_H

#include "layer/build_test/wire.h"
#include "layer/helper/helper.h"

enum { NF_TRY_IDLE_DIMENSIONS = 3 }; /* the idle copy's kernels return at once in a launch with these dimensions */

/* The device. Names are as the driver reports them. */
struct nf_try_device {
    const char *loader; /* file name of the OpenCL loader */
    const char *platform, *device, *driver;
};

/* A module, or OpenCL C, and how to build it. */
struct nf_try_request {
    struct nf_try_head head;
    struct nf_try_spec *specs;
    char *options;
    struct nf_bytes module; /* followed by a zero byte that `size` does not count */
};

/* ---- build.c ----------------------------------------------------------------------------------------------------- */

/* Finds the device and creates a context. @return false, after nf_helper_error(), if it cannot be used. */
bool nf_try_find(const struct nf_try_device *device);
/* Compiles the module on request; else builds it, creates its kernels and, on request, launches the kernels of its idle
 * copy (idle.c). Sets `*built` to the driver's log with its NUL and the binary, malloc'ed, if the request has
 * NF_TRY_BINARY, the build succeeds and the driver gives both; else to no bytes. Releases the program and the kernels.
 * @return the driver's error code for the build, CL_INVALID_PROGRAM if the program cannot be created. */
int32_t nf_try_build(const struct nf_try_request *request, struct nf_bytes *built);

/* ---- serve.c ----------------------------------------------------------------------------------------------------- */

/* Answers requests from the socket until its other end is closed, none has come for some seconds, a build has failed,
 * or many were done; answers none if the device cannot be used. `seconds`: a build that takes 10 seconds longer than
 * that ends the process. @return the exit status. */
int nf_try_serve(int socket, const struct nf_try_device *device, unsigned seconds);

/* ---- watch.c ----------------------------------------------------------------------------------------------------- */

/* Splits the process in two, and returns in the child, which then runs the driver and answers requests on the socket.
 * The calling process never returns from here: it reads the child's output, reports the child's exit through the
 * socket, kills the child if the other end of the socket is closed, and ends. @return false, after nf_helper_error(),
 * if the child cannot be started. */
bool nf_try_start(int socket);

/* ---- idle.c ------------------------------------------------------------------------------------------------------ */

/* Makes the idle copy of a module, malloc'ed. @return false if it has no kernels, is malformed, or memory is
 * exhausted. */
bool nf_try_make_idle(const struct nf_bytes *module, struct nf_bytes *idle);

#endif
