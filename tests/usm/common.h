/* SPDX-License-Identifier: Apache-2.0 */
/*
 * common.h - declarations that the tests of shared memory share: one device of the driver that the environment selects,
 * and the extension's functions.
 */
#ifndef USM_COMMON_H
#define USM_COMMON_H

#define CL_TARGET_OPENCL_VERSION 300
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#define CL_ENABLE_BETA_EXTENSIONS /* command buffers, which newer headers declare */
#include <CL/cl.h>
#include <CL/cl_ext.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* One member for each function of the extension, looked up by name. */
#define USM_FUNCTIONS(X)                                                                                               \
    X(clHostMemAllocINTEL)                                                                                             \
    X(clDeviceMemAllocINTEL)                                                                                           \
    X(clSharedMemAllocINTEL)                                                                                           \
    X(clMemFreeINTEL)                                                                                                  \
    X(clMemBlockingFreeINTEL)                                                                                          \
    X(clGetMemAllocInfoINTEL)                                                                                          \
    X(clSetKernelArgMemPointerINTEL)                                                                                   \
    X(clEnqueueMemcpyINTEL)                                                                                            \
    X(clEnqueueMemFillINTEL)                                                                                           \
    X(clEnqueueMemsetINTEL)                                                                                            \
    X(clEnqueueMigrateMemINTEL)                                                                                        \
    X(clEnqueueMemAdviseINTEL)

struct usm {
#define X(name) name##_fn name;
    USM_FUNCTIONS(X)
#undef X
};

extern cl_platform_id platform;
extern cl_device_id device;
extern cl_context context;
extern cl_command_queue queue;
extern struct usm usm;

/* Returns a new queue, out-of-order or in-order. */
cl_command_queue make_queue(bool out_of_order);
/* Returns a kernel of the program below. */
cl_kernel make_kernel(const char *name);
/* Allocate memory; a failure ends the test. */
void *shared_memory(size_t size);
void *host_memory(size_t size);
void *device_memory(size_t size);
void free_memory(void *pointer);
/* Allows a kernel to access memory that is not an argument of it. */
void reach_all(cl_kernel kernel);
/* Launches the kernel with `count` items, in the queue `on`. */
cl_event launch(cl_command_queue on, cl_kernel kernel, size_t count, cl_uint wait_count, const cl_event *wait);

/* Selects the first device that has cl_intel_unified_shared_memory. Ends the process with 77 if the test does not apply
 * (there is no driver, PoCL has shared memory of its own, or TEST_BARE is set and no device reports addresses), and with
 * 1 if no device has the extension. */
int set_up(void **unused);
int tear_down(void **unused);

#endif
