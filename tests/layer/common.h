/* SPDX-License-Identifier: Apache-2.0 */
/*
 * common.h - declarations that the tests of the layer share: the stub driver's platforms and devices, and the modules.
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

/* Finds the stub driver with the loader to which the test is linked. Ends the process if there is none. */
int find_stub(void **unused);
int free_modules(void **unused);
/* Returns the module NAME.spv of the tests, malloc'ed. Ends the process if there is none. */
struct bytes read_test_module(const char *name);
/* Asserts that all objects of the driver have been released, and that it got no foreign handle. */
int check_nothing_left(void **unused);

cl_context make_context(enum stub_device kind);
cl_context make_context_of(cl_uint count, const cl_device_id *list);
void *extension(int platform, const char *name);
/* Creates a program from `module`, which must succeed. */
cl_program make_program(cl_context context, const struct bytes *module);
/* Returns true if the module that reached the driver declares GenericPointer. */
bool driver_saw_generic(void);
/* From this call on, the listed system calls end the process (`answer` SECCOMP_RET_KILL_PROCESS) or fail
 * (SECCOMP_RET_ERRNO | an error), also in threads that are started later. Has no effect on systems without seccomp. */
void forbid_calls(const unsigned *calls, unsigned count, unsigned answer);
/* Returns the build log of `program`, in a static buffer. */
const char *build_log(cl_program program, cl_device_id device);

#endif
