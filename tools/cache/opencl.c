/* SPDX-License-Identifier: Apache-2.0 */
/*
 * opencl.c - the OpenCL functions that `nonflat cache` calls, from the loader or from the layer over a device that only
 * a file describes (described.c), and the search for a device by name.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fnmatch.h>
#include <string.h>

#include "tools/cache/cache.h"

enum { MOST_PLATFORMS = 16, MOST_DEVICES = 64 };

static bool find_function(void *library, const char *name, void *function)
{
    void *address = dlsym(library, name);
    memcpy(function, &address, sizeof address);
    return address != NULL;
}

bool nf_cache_open_loader(struct nf_cache_opencl *cl)
{
    void *library = dlopen("libOpenCL.so.1", RTLD_NOW | RTLD_GLOBAL);
    return library && find_function(library, "clGetPlatformIDs", &cl->get_platforms) &&
           find_function(library, "clGetDeviceIDs", &cl->get_devices) &&
           find_function(library, "clGetPlatformInfo", &cl->platform_info) &&
           find_function(library, "clGetDeviceInfo", &cl->device_info) &&
           find_function(library, "clCreateContext", &cl->create_context) &&
           find_function(library, "clCreateProgramWithIL", &cl->create) &&
           find_function(library, "clBuildProgram", &cl->build) &&
           find_function(library, "clGetProgramBuildInfo", &cl->build_info) &&
           find_function(library, "clReleaseProgram", &cl->release);
}

/* Looks up a function of the layer, or of the driver if the layer lacks it. */
#define TAKE(member, name) cl->member = layer->name ? layer->name : driver->name

bool nf_cache_open_layer(struct nf_cache_opencl *cl, const char *path, const cl_icd_dispatch *driver)
{
    enum { ENTRIES = sizeof *driver / sizeof(void *) };
    __typeof__(clInitLayer) *start;
    const cl_icd_dispatch *layer = NULL;
    cl_uint count = 0;
    void *library = dlopen(path, RTLD_NOW);
    if (!library || !find_function(library, "clInitLayer", &start) ||
        start(ENTRIES, driver, &count, &layer) != CL_SUCCESS || !layer || count < ENTRIES)
        return false;
    TAKE(get_platforms, clGetPlatformIDs);
    TAKE(get_devices, clGetDeviceIDs);
    TAKE(platform_info, clGetPlatformInfo);
    TAKE(device_info, clGetDeviceInfo);
    TAKE(create_context, clCreateContext);
    TAKE(create, clCreateProgramWithIL);
    TAKE(build, clBuildProgram);
    TAKE(build_info, clGetProgramBuildInfo);
    TAKE(release, clReleaseProgram);
    return true;
}

cl_device_id nf_cache_find_device(const struct nf_cache_opencl *cl, const char *pattern, size_t number,
                                  char name[NF_CACHE_NAME_SIZE])
{
    cl_platform_id platforms[MOST_PLATFORMS];
    cl_uint platform_count = 0;
    if (cl->get_platforms(MOST_PLATFORMS, platforms, &platform_count) != CL_SUCCESS) return NULL;
    for (cl_uint i = 0; i < platform_count && i < MOST_PLATFORMS; i++) {
        cl_device_id devices[MOST_DEVICES];
        cl_uint count = 0;
        if (cl->get_devices(platforms[i], CL_DEVICE_TYPE_ALL, MOST_DEVICES, devices, &count) != CL_SUCCESS) continue;
        for (cl_uint j = 0; j < count && j < MOST_DEVICES; j++) {
            memset(name, 0, NF_CACHE_NAME_SIZE);
            cl->device_info(devices[j], CL_DEVICE_NAME, NF_CACHE_NAME_SIZE - 1, name, NULL);
            if (fnmatch(pattern, name, 0) == 0 && number-- == 0) return devices[j];
        }
    }
    return NULL;
}
