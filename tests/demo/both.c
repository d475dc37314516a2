/* SPDX-License-Identifier: Apache-2.0 */
/*
 * both.c - an ordinary OpenCL program for several devices, which does not use Nonflat itself: one context, one program
 * from a SPIR-V module with generic pointers, built once for all devices of the first platform. Each device computes
 * `where` of the input; then each computes `sums` of the results of the previous device, so that buffers move between
 * devices. Every number is compared with one that the host computes.
 *
 *     both MODULE.spv
 *
 * Exit status: 0 all results are right, 1 some are wrong, 2 the module was refused, or there are not two devices.
 */
#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>

#include <stdio.h>
#include <stdlib.h>

#include "right.h"

enum { MOST_DEVICES = 8, LARGEST = 1 << 20 };

static cl_device_id devices[MOST_DEVICES];
static cl_uint device_count;
static cl_command_queue queues[MOST_DEVICES];
static cl_context context;

static void must(cl_int error, const char *what)
{
    if (error == CL_SUCCESS) return;
    printf("  %s failed with %d\n", what, error);
    exit(2);
}

static void open_devices(void)
{
    cl_platform_id platform;
    cl_int error;
    must(clGetPlatformIDs(1, &platform, NULL), "clGetPlatformIDs");
    must(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, MOST_DEVICES, devices, &device_count), "clGetDeviceIDs");
    device_count = device_count < MOST_DEVICES ? device_count : MOST_DEVICES;
    printf("  %u devices\n", device_count);
    if (device_count < 2) exit(2);
    context = clCreateContext(NULL, device_count, devices, NULL, NULL, &error);
    must(error, "clCreateContext");
    for (cl_uint i = 0; i < device_count; i++) {
        queues[i] = clCreateCommandQueueWithProperties(context, devices[i], NULL, &error);
        must(error, "clCreateCommandQueueWithProperties");
    }
}

static cl_program build(const char *path)
{
    static unsigned char module[LARGEST];
    static char log[1 << 14];
    FILE *file = fopen(path, "rb");
    cl_int error;
    if (!file) {
        perror(path);
        exit(2);
    }
    size_t size = fread(module, 1, sizeof module, file);
    fclose(file);
    cl_program program = clCreateProgramWithIL(context, module, size, &error);
    must(error, "clCreateProgramWithIL");
    error = clBuildProgram(program, device_count, devices, "", NULL, NULL);
    if (error != CL_SUCCESS) {
        clGetProgramBuildInfo(program, devices[0], CL_PROGRAM_BUILD_LOG, sizeof log - 1, log, NULL);
        printf("  %s\n", log);
    }
    must(error, "clBuildProgram");
    return program;
}

static cl_mem create_buffer(const int *contents)
{
    cl_int error;
    cl_mem_flags flags = CL_MEM_READ_WRITE | (contents ? CL_MEM_COPY_HOST_PTR : 0);
    cl_mem buffer = clCreateBuffer(context, flags, COUNT * sizeof *contents, (void *)contents, &error);
    must(error, "clCreateBuffer");
    return buffer;
}

static void launch(cl_program program, const char *name, cl_uint device, cl_mem in, cl_mem out)
{
    const size_t count = COUNT, group = GROUP;
    cl_int error;
    cl_kernel kernel = clCreateKernel(program, name, &error);
    must(error, "clCreateKernel");
    must(clSetKernelArg(kernel, 0, sizeof in, &in), "clSetKernelArg");
    must(clSetKernelArg(kernel, 1, sizeof out, &out), "clSetKernelArg");
    must(clSetKernelArg(kernel, 2, GROUP * sizeof(int), NULL), "clSetKernelArg");
    must(clEnqueueNDRangeKernel(queues[device], kernel, 1, NULL, &count, &group, 0, NULL, NULL),
         "clEnqueueNDRangeKernel");
    must(clFinish(queues[device]), "clFinish");
    clReleaseKernel(kernel);
}

/* Reads `buffer` on the queue of `device`. Returns true if all numbers equal the host's. */
static int compare(const char *name, cl_uint device, cl_mem buffer, const int *in, int (*right)(const int *, int),
                   int found[COUNT])
{
    int good = 0;
    must(clEnqueueReadBuffer(queues[device], buffer, CL_TRUE, 0, COUNT * sizeof *found, found, 0, NULL, NULL),
         "clEnqueueReadBuffer");
    for (int i = 0; i < COUNT; i++)
        good += found[i] == right(in, i);
    printf("  device %u %-6s %4d of %d right\n", device, name, good, COUNT);
    return good == COUNT;
}

int main(int argc, char **argv)
{
    int in[COUNT], found[MOST_DEVICES][COUNT], sums[COUNT], good = 1;
    cl_mem wheres[MOST_DEVICES];
    if (argc != 2) {
        fprintf(stderr, "usage: both MODULE.spv\n");
        return 2;
    }
    setvbuf(stdout, NULL, _IOLBF, 0);
    for (int i = 0; i < COUNT; i++)
        in[i] = (i * 7919 + 104729) % 10007 + 1;
    open_devices();
    cl_program program = build(argv[1]);
    cl_mem input = create_buffer(in), output = create_buffer(NULL);
    for (cl_uint i = 0; i < device_count; i++) {
        wheres[i] = create_buffer(NULL);
        launch(program, "where", i, input, wheres[i]);
        good &= compare("where", i, wheres[i], in, right_where, found[i]);
    }
    for (cl_uint i = 0; i < device_count; i++) {
        cl_uint before = (i + device_count - 1) % device_count;
        launch(program, "sums", i, wheres[before], output);
        good &= compare("sums", i, output, found[before], right_sum, sums);
    }
    for (cl_uint i = 0; i < device_count; i++) {
        clReleaseMemObject(wheres[i]);
        clReleaseCommandQueue(queues[i]);
    }
    clReleaseMemObject(input);
    clReleaseMemObject(output);
    clReleaseProgram(program);
    clReleaseContext(context);
    return good ? 0 : 1;
}
