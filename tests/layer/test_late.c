/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_late.c - unusual orders of destruction: an application that uses and releases its programs from destructors,
 * after main() has returned, with work in progress; and a loader that is closed and opened again, while programs of its
 * first instance still exist. ocl-icd's applications never call clDeinitLayer.
 */
#define _GNU_SOURCE
#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "by_name.h"

/* The functions of one instance of the loader. */
struct opencl {
    void *library;
    cl_int (*clGetPlatformIDs)(cl_uint, cl_platform_id *, cl_uint *);
    cl_int (*clGetDeviceIDs)(cl_platform_id, cl_device_type, cl_uint, cl_device_id *, cl_uint *);
    cl_context (*clCreateContext)(const cl_context_properties *, cl_uint, const cl_device_id *, void *, void *,
                                  cl_int *);
    cl_program (*clCreateProgramWithIL)(cl_context, const void *, size_t, cl_int *);
    cl_int (*clBuildProgram)(cl_program, cl_uint, const cl_device_id *, const char *, void *, void *);
    cl_kernel (*clCreateKernel)(cl_program, const char *, cl_int *);
    cl_int (*clGetProgramInfo)(cl_program, cl_program_info, size_t, void *, size_t *);
    cl_int (*clReleaseKernel)(cl_kernel);
    cl_int (*clReleaseProgram)(cl_program);
    cl_int (*clReleaseContext)(cl_context);
};

struct life {
    cl_context context;
    cl_program program;
    cl_kernel kernel;
};

static struct opencl opencl;
static struct life late;
static unsigned char module[1 << 16];
static size_t module_size;

static void find(const char *name, void *function)
{
    void *address = dlsym(opencl.library, name);
    check(address != NULL, name);
    memcpy(function, &address, sizeof address);
}

#define FIND(name) find(#name, &opencl.name)

static void open_loader(const char *path)
{
    opencl.library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    check(opencl.library != NULL, path);
    FIND(clGetPlatformIDs);
    FIND(clGetDeviceIDs);
    FIND(clCreateContext);
    FIND(clCreateProgramWithIL);
    FIND(clBuildProgram);
    FIND(clCreateKernel);
    FIND(clGetProgramInfo);
    FIND(clReleaseKernel);
    FIND(clReleaseProgram);
    FIND(clReleaseContext);
}

static struct life begin(void)
{
    struct life life = {NULL, NULL, NULL};
    cl_platform_id platform;
    cl_device_id device;
    cl_int error = -1;
    check(opencl.clGetPlatformIDs(1, &platform, NULL) == CL_SUCCESS, "no platform");
    check(opencl.clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL) == CL_SUCCESS, "no device");
    life.context = opencl.clCreateContext(NULL, 1, &device, NULL, NULL, &error);
    check(error == CL_SUCCESS, "no context");
    life.program = opencl.clCreateProgramWithIL(life.context, module, module_size, &error);
    check(error == CL_SUCCESS, "the layer is not there");
    check(opencl.clBuildProgram(life.program, 0, NULL, "", NULL, NULL) == CL_SUCCESS, "no build");
    life.kernel = opencl.clCreateKernel(life.program, "k", &error);
    check(error == CL_SUCCESS, "no kernel");
    return life;
}

static void end(const struct life *life)
{
    size_t size = 0;
    check(opencl.clGetProgramInfo(life->program, CL_PROGRAM_IL, 0, NULL, &size) == CL_SUCCESS && size == module_size,
          "the program is not ours any more");
    check(opencl.clReleaseProgram(life->program) == CL_SUCCESS, "release of the program");
    check(opencl.clReleaseKernel(life->kernel) == CL_SUCCESS, "release of the kernel");
    check(opencl.clReleaseContext(life->context) == CL_SUCCESS, "release of the context");
}

/* Runs before the loader's destructors, and before those of older libraries. */
static void use_late(void)
{
    struct life another = begin();
    end(&another);
    end(&late);
    puts("used in a destructor");
}

int main(int count, char **arguments)
{
    check(count == 2, "usage: layer_late LOADER");
    module_size = read_module(module, sizeof module);
    for (int i = 0; i < 4; i++) {
        open_loader(arguments[1]);
        struct life life = begin();
        if (i % 2 == 0) end(&life); /* else the program is never released */
        dlclose(opencl.library);
    }
    open_loader(arguments[1]);
    late = begin();
    atexit(use_late);
    return 0;
}
