/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_loaders.c - closes the loader and opens it again, at another address, while the layer stays loaded: AdaptiveCpp
 * does so whenever its last queue is released. Each time, shared memory is allocated, copied and freed; then the
 * objects are leaked, or released and the loader is closed while callbacks of its commands may still be pending.
 *     usm_loaders LOADER [stays]
 * On a coarse-grained device the layer uses such callbacks itself, and the loader stays loaded, unless the driver has
 * shared memory of its own.
 */
#define _GNU_SOURCE
#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>
#include <CL/cl_ext.h>

#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "../layer/by_name.h"

enum { LIVES = 24, BYTES = 1 << 16, COPIES = 16, PAGE = 4096 };

static void *library;
static int is_served; /* the functions of shared memory are the layer's, not the driver's own */

#define EXTENSION(name)                                                                                                \
    name##_fn call_##name;                                                                                             \
    void *address_of_##name = call_clGetExtensionFunctionAddressForPlatform(platform, #name);                          \
    check(address_of_##name != NULL, #name);                                                                           \
    memcpy(&call_##name, &address_of_##name, sizeof call_##name)

static void live(int number)
{
    CORE(clGetPlatformIDs);
    CORE(clGetDeviceIDs);
    CORE(clCreateContext);
    CORE(clReleaseContext);
    CORE(clCreateCommandQueueWithProperties);
    CORE(clReleaseCommandQueue);
    CORE(clReleaseEvent);
    CORE(clFinish);
    CORE(clGetExtensionFunctionAddressForPlatform);
    cl_platform_id platform;
    cl_device_id device;
    cl_int error = -1;
    check(call_clGetPlatformIDs(1, &platform, NULL) == CL_SUCCESS, "no platform");
    check(call_clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL) == CL_SUCCESS, "no device");
    EXTENSION(clSharedMemAllocINTEL);
    EXTENSION(clEnqueueMemcpyINTEL);
    EXTENSION(clMemBlockingFreeINTEL);
    Dl_info owner;
    is_served = dladdr(address_of_clEnqueueMemcpyINTEL, &owner) && strstr(owner.dli_fname, "libnonflat_usm") != NULL;
    cl_context context = call_clCreateContext(NULL, 1, &device, NULL, NULL, &error);
    check(error == CL_SUCCESS, "no context");
    cl_command_queue queue = call_clCreateCommandQueueWithProperties(context, device, NULL, &error);
    check(error == CL_SUCCESS, "no queue");
    char *from = call_clSharedMemAllocINTEL(context, device, NULL, BYTES, 0, &error);
    check(from && error == CL_SUCCESS, "no shared memory");
    char *to = call_clSharedMemAllocINTEL(context, device, NULL, BYTES, 0, &error);
    check(to && error == CL_SUCCESS, "no second shared memory");
    memset(from, number + 1, BYTES);
    for (int i = 0; i < COPIES; i++) {
        cl_event event;
        check(call_clEnqueueMemcpyINTEL(queue, CL_FALSE, to, from, BYTES, 0, NULL, &event) == CL_SUCCESS, "no copy");
        call_clReleaseEvent(event);
    }
    check(call_clFinish(queue) == CL_SUCCESS, "clFinish");
    check(to[BYTES - 1] == number + 1, "what was copied is not there");
    if (number % 3 == 2) return; /* leak everything */
    check(call_clMemBlockingFreeINTEL(context, from) == CL_SUCCESS, "from");
    check(call_clMemBlockingFreeINTEL(context, to) == CL_SUCCESS, "to");
    check(call_clReleaseCommandQueue(queue) == CL_SUCCESS, "release of the queue");
    check(call_clReleaseContext(context) == CL_SUCCESS, "release of the context");
}

/* Occupies the page of one of the loader's functions, so that the next loader is loaded elsewhere. */
static void take_place(const void *function)
{
    uintptr_t page = (uintptr_t)function / PAGE * PAGE;
    void *place = (void *)page; /* NOLINT(performance-no-int-to-ptr): an address */
    mmap(place, PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
}

int main(int count, char **arguments)
{
    int gone = 0;
    check(count == 2 || count == 3, "usage: usm_loaders LOADER [stays]");
    for (int i = 0; i < LIVES; i++) {
        library = dlopen(arguments[1], RTLD_NOW | RTLD_LOCAL);
        check(library != NULL, arguments[1]);
        const void *function = dlsym(library, "clGetPlatformIDs");
        live(i);
        dlclose(library);
        void *still = dlopen(arguments[1], RTLD_NOLOAD | RTLD_NOW);
        if (still) {
            dlclose(still);
            continue;
        }
        take_place(function);
        gone++;
    }
    if (count == 3 && is_served)
        check(gone == 0, "the loader has gone, although the layer has callbacks");
    else
        check(gone > LIVES / 2, "the loader stays");
    puts("passed");
    return 0;
}
