/* SPDX-License-Identifier: Apache-2.0 */
/*
 * common.h - what the tests of the layer share: the stub driver's platforms and devices, and the modules.
 */
#ifndef COMMON_H
#define COMMON_H

#define CL_TARGET_OPENCL_VERSION 300
#define CL_USE_DEPRECATED_OPENCL_1_1_APIS
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#define CL_USE_DEPRECATED_OPENCL_2_2_APIS
#include <CL/cl.h>
#include <CL/cl_ext.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "stub.h"

struct bytes {
    unsigned char *data;
    size_t size;
};

extern cl_platform_id platforms[2];
extern cl_device_id devices[2][STUB_DEVICES];
extern struct stub_state *stub;
extern struct bytes generic_module, plain_module, spec_module, caller_module, callee_module, long_module, local_module;

/* Find the stub driver, through whatever loader the test is linked to. Ends the process when it is not there. */
int find_stub(void **unused);
int free_modules(void **unused);
/* Every object of the driver is gone, and no handle was foreign to it. */
int check_nothing_left(void **unused);

cl_context make_context(enum stub_device kind);
cl_context make_context_of(cl_uint count, const cl_device_id *list);
void *extension(int platform, const char *name);
/* Make a program of `module`, which must succeed. */
cl_program make_program(cl_context context, const struct bytes *module);
/* Whether the module that reached the driver declares GenericPointer. */
bool driver_saw_generic(void);
/* From here on a system call of the list ends the process (`answer` SECCOMP_RET_KILL_PROCESS), or fails
 * (SECCOMP_RET_ERRNO | an error), in threads that are started from now on as well. Where there are no sandboxes nothing
 * is forbidden. */
void forbid_calls(const unsigned *calls, unsigned count, unsigned answer);
/* The build log of `program`; a static buffer. */
const char *build_log(cl_program program, cl_device_id device);

#endif
