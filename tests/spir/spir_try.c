/* SPDX-License-Identifier: Apache-2.0 */
/*
 * spir_try.c - does a driver survive this bitcode? Builds it, has every kernel compiled, and launches each with
 * arguments made up from what the driver says about them.
 *
 *     spir_try FILE.bc [build]
 *
 * With `build` nothing is launched. Results mean nothing, crashes and refusals do. Prints "ok KERNELS" and exits with
 * 0; otherwise prints what failed and exits with 1. Whoever runs it looks for a signal or a time-out.
 */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BUFFER_SIZE = 1 << 20, LOCAL_SIZE = 4096, VALUE_LIMIT = 1024, KERNEL_LIMIT = 256 };

static void need(cl_int error, const char *what)
{
    if (error == CL_SUCCESS) return;
    printf("%s: error %d\n", what, error);
    exit(1);
}

static cl_program build(cl_context context, cl_device_id device, const char *path)
{
    FILE *file = fopen(path, "rb");
    if (!file || fseek(file, 0, SEEK_END)) need(CL_INVALID_VALUE, path);
    size_t size = (size_t)ftell(file);
    rewind(file);
    unsigned char *data = malloc(size + 1);
    if (!data || fread(data, 1, size, file) != size) need(CL_INVALID_VALUE, path);
    fclose(file);
    const unsigned char *binary = data;
    cl_int status, error;
    cl_program program = clCreateProgramWithBinary(context, 1, &device, &size, &binary, &status, &error);
    need(error, "clCreateProgramWithBinary");
    error = clBuildProgram(program, 1, &device, "-x spir -spir-std=1.2", NULL, NULL);
    if (error != CL_SUCCESS) {
        static char log[1 << 16];
        clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, sizeof log - 1, log, NULL);
        printf("clBuildProgram: error %d: %s\n", error, log);
        exit(1);
    }
    free(data);
    return program;
}

/* An argument that the driver takes: a buffer, local memory, or zeros of the size that it asks for. */
static void give_argument(cl_context context, cl_kernel kernel, cl_uint index)
{
    static unsigned char zeros[VALUE_LIMIT];
    cl_int error;
    for (size_t size = 1; size <= sizeof zeros; size++)
        if (size != sizeof(cl_mem) && clSetKernelArg(kernel, index, size, zeros) == CL_SUCCESS) return;
    if (clSetKernelArg(kernel, index, LOCAL_SIZE, NULL) == CL_SUCCESS) return;
    cl_mem buffer = clCreateBuffer(context, CL_MEM_READ_WRITE, BUFFER_SIZE, NULL, &error);
    need(error, "clCreateBuffer");
    if (clSetKernelArg(kernel, index, sizeof buffer, &buffer) == CL_SUCCESS) return;
    need(clSetKernelArg(kernel, index, sizeof(cl_mem), zeros), "clSetKernelArg");
}

static void launch(cl_context context, cl_device_id device, cl_kernel kernel)
{
    cl_int error;
    cl_uint arguments;
    size_t one = 1;
    cl_command_queue queue = clCreateCommandQueue(context, device, 0, &error);
    need(error, "clCreateCommandQueue");
    need(clGetKernelInfo(kernel, CL_KERNEL_NUM_ARGS, sizeof arguments, &arguments, NULL), "clGetKernelInfo");
    for (cl_uint i = 0; i < arguments; i++)
        give_argument(context, kernel, i);
    need(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &one, &one, 0, NULL, NULL), "clEnqueueNDRangeKernel");
    need(clFinish(queue), "clFinish");
}

int main(int count, char **arguments)
{
    cl_platform_id platform;
    cl_device_id device;
    cl_int error;
    cl_uint kernels;
    static cl_kernel kernel[KERNEL_LIMIT];
    size_t size;
    if (count < 2) return 2;
    need(clGetPlatformIDs(1, &platform, NULL), "clGetPlatformIDs");
    need(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL), "clGetDeviceIDs");
    cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &error);
    need(error, "clCreateContext");
    cl_program program = build(context, device, arguments[1]);
    need(clCreateKernelsInProgram(program, KERNEL_LIMIT, kernel, &kernels), "clCreateKernelsInProgram");
    /* PoCL compiles when it is asked for the result. */
    need(clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, NULL), "CL_PROGRAM_BINARY_SIZES");
    for (cl_uint i = 0; i < kernels && count < 3; i++)
        launch(context, device, kernel[i]);
    printf("ok %u\n", kernels);
    return 0;
}
