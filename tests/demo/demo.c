/* SPDX-License-Identifier: Apache-2.0 */
/*
 * demo.c - an ordinary OpenCL program that does not use Nonflat: it gives a SPIR-V module to the first device, runs the
 * kernels of demo.cl, and compares every number with one that it computes itself.
 *
 *     demo MODULE.spv     by clCreateProgramWithIL
 *     demo MODULE.bc      by clCreateProgramWithBinary, as SPIR 1.2 bitcode
 *
 * Exit status: 0 all results are right, 1 some are wrong, 2 the device refused the module.
 */
#define CL_TARGET_OPENCL_VERSION 300
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS /* an OpenCL 1.2 device has only the older clCreateCommandQueue */
#include <CL/cl.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "right.h"

static void must(cl_int error, const char *what)
{
    if (error == CL_SUCCESS) return;
    printf("  %s failed with %d\n", what, error);
    exit(2);
}

/* ---- The device ------------------------------------------------------------------------------------------------- */

typedef struct device {
    cl_device_id id;
    cl_context context;
    cl_command_queue queue;
    cl_mem in, out;
} device;

static device open_device(const int *in)
{
    device d;
    cl_platform_id platform;
    cl_int error;
    char name[128] = "", version[128] = "";
    must(clGetPlatformIDs(1, &platform, NULL), "clGetPlatformIDs");
    must(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &d.id, NULL), "clGetDeviceIDs");
    clGetDeviceInfo(d.id, CL_DEVICE_NAME, sizeof name, name, NULL);
    clGetPlatformInfo(platform, CL_PLATFORM_VERSION, sizeof version, version, NULL);
    printf("  device: %.40s (%.40s)\n", name, version);
    d.context = clCreateContext(NULL, 1, &d.id, NULL, NULL, &error);
    must(error, "clCreateContext");
    d.queue = clCreateCommandQueue(d.context, d.id, 0, &error);
    must(error, "clCreateCommandQueue");
    d.in = clCreateBuffer(d.context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, COUNT * sizeof *in, (void *)in, &error);
    must(error, "clCreateBuffer");
    d.out = clCreateBuffer(d.context, CL_MEM_WRITE_ONLY, COUNT * sizeof *in, NULL, &error);
    must(error, "clCreateBuffer");
    return d;
}

static unsigned char *read_module(const char *path, size_t *size)
{
    enum { LARGEST = 1 << 20 };
    unsigned char *bytes = malloc(LARGEST);
    FILE *file = fopen(path, "rb");
    if (!file || !bytes) {
        perror(path);
        exit(2);
    }
    *size = fread(bytes, 1, LARGEST, file);
    fclose(file);
    return bytes;
}

static cl_program build(const device *d, const char *path)
{
    size_t size = 0;
    unsigned char *module = read_module(path, &size);
    size_t length = strlen(path);
    int is_bitcode = length > 3 && strcmp(path + length - 3, ".bc") == 0;
    cl_int error = CL_SUCCESS;
    cl_program program;
    if (is_bitcode) {
        const unsigned char *bytes = module;
        program = clCreateProgramWithBinary(d->context, 1, &d->id, &size, &bytes, NULL, &error);
        must(error, "clCreateProgramWithBinary");
    } else {
        program = clCreateProgramWithIL(d->context, module, size, &error);
        must(error, "clCreateProgramWithIL");
    }
    error = clBuildProgram(program, 1, &d->id, is_bitcode ? "-x spir -spir-std=1.2" : "", NULL, NULL);
    if (error != CL_SUCCESS) {
        static char log[1 << 14];
        clGetProgramBuildInfo(program, d->id, CL_PROGRAM_BUILD_LOG, sizeof log - 1, log, NULL);
        printf("  %s\n", log);
    }
    must(error, "clBuildProgram");
    free(module);
    return program;
}

/* Runs the kernel `name` and compares the results. @return true if all results are right. */
static int run(const device *d, cl_program program, const char *name, const int *in, int (*right)(const int *, int))
{
    static int out[COUNT];
    const size_t count = COUNT, group = GROUP;
    cl_int error;
    cl_kernel kernel = clCreateKernel(program, name, &error);
    must(error, "clCreateKernel");
    memset(out, 0, sizeof out);
    must(clEnqueueWriteBuffer(d->queue, d->out, CL_TRUE, 0, sizeof out, out, 0, NULL, NULL), "clEnqueueWriteBuffer");
    must(clSetKernelArg(kernel, 0, sizeof d->in, &d->in), "clSetKernelArg");
    must(clSetKernelArg(kernel, 1, sizeof d->out, &d->out), "clSetKernelArg");
    must(clSetKernelArg(kernel, 2, GROUP * sizeof *in, NULL), "clSetKernelArg");
    must(clEnqueueNDRangeKernel(d->queue, kernel, 1, NULL, &count, &group, 0, NULL, NULL), "clEnqueueNDRangeKernel");
    must(clEnqueueReadBuffer(d->queue, d->out, CL_TRUE, 0, sizeof out, out, 0, NULL, NULL), "clEnqueueReadBuffer");
    int good = 0;
    for (int i = 0; i < COUNT; i++)
        good += out[i] == right(in, i);
    printf("  %-9s %4d of %d right; the first is %d, should be %d\n", name, good, COUNT, out[0], right(in, 0));
    clReleaseKernel(kernel);
    return good == COUNT;
}

int main(int argc, char **argv)
{
    if (argc != 2) {
        fprintf(stderr, "usage: demo MODULE.spv|MODULE.bc\n");
        return 2;
    }
    setvbuf(stdout, NULL, _IOLBF, 0);
    int in[COUNT];
    for (int i = 0; i < COUNT; i++)
        in[i] = (i * 7919 + 104729) % 10007 + 1;
    device d = open_device(in);
    cl_program program = build(&d, argv[1]);
    int good = run(&d, program, "sums", in, right_sum);
    good &= run(&d, program, "smallest", in, right_smallest);
    good &= run(&d, program, "where", in, right_where);
    good &= run(&d, program, "list", in, right_list);
    clReleaseProgram(program);
    clReleaseMemObject(d.in);
    clReleaseMemObject(d.out);
    clReleaseCommandQueue(d.queue);
    clReleaseContext(d.context);
    return good ? 0 : 1;
}
