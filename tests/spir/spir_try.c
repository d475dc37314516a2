/* SPDX-License-Identifier: Apache-2.0 */
/*
 * spir_try.c - checks whether a driver survives a module. Builds the module, compiles every kernel, and launches each
 * with arguments that suit the driver's information about them.
 *
 *     spir_try FILE build|launch
 *
 * FILE is SPIR-V, which a layer must handle if the driver does not, or SPIR 1.2 bitcode. With `build` nothing is
 * launched. Results are ignored; crashes and refusals count. Prints "ok KERNELS" and exits with 0; otherwise prints
 * what failed and exits with 1. The caller checks for a signal or a time-out.
 */
#define CL_TARGET_OPENCL_VERSION 210
#include <CL/cl.h>

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BUFFER_SIZE = 1 << 20, LOCAL_SIZE = 4096, VALUE_LIMIT = 1024, KERNEL_LIMIT = 256, SPIRV_MAGIC = 0x07230203 };

static unsigned char zeros[BUFFER_SIZE], ones[VALUE_LIMIT]; /* values of 1, as 64-bit integers */

static void need(cl_int error, const char *what)
{
    if (error == CL_SUCCESS) return;
    printf("%s: error %d\n", what, error);
    exit(1);
}

static unsigned char *read_file(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    if (!file || fseek(file, 0, SEEK_END)) need(CL_INVALID_VALUE, path);
    *size = (size_t)ftell(file);
    rewind(file);
    unsigned char *data = malloc(*size + 1);
    if (!data || fread(data, 1, *size, file) != *size) need(CL_INVALID_VALUE, path);
    fclose(file);
    return data;
}

static bool is_spirv(const unsigned char *data, size_t size)
{
    uint32_t magic = 0;
    if (size >= sizeof magic) memcpy(&magic, data, sizeof magic);
    return magic == SPIRV_MAGIC;
}

static cl_program build(cl_context context, cl_device_id device, const char *path)
{
    size_t size;
    unsigned char *data = read_file(path, &size);
    const unsigned char *binary = data;
    const char *options = "-cl-kernel-arg-info";
    cl_int status, error;
    cl_program program;
    if (is_spirv(data, size)) {
        program = clCreateProgramWithIL(context, data, size, &error);
        need(error, "clCreateProgramWithIL");
    } else {
        options = "-x spir -spir-std=1.2 -cl-kernel-arg-info";
        program = clCreateProgramWithBinary(context, 1, &device, &size, &binary, &status, &error);
        need(error, "clCreateProgramWithBinary");
    }
    error = clBuildProgram(program, 1, &device, options, NULL, NULL);
    if (error != CL_SUCCESS) {
        static char log[1 << 16];
        clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, sizeof log - 1, log, NULL);
        printf("clBuildProgram: error %d: %s\n", error, log);
        exit(1);
    }
    free(data);
    return program;
}

/* ---- Launching -------------------------------------------------------------------------------------------------- */

/* Sets an argument to integers of value 1, in the only size that the driver accepts. Returns false if it accepts none
 * of the tried sizes. With a step of zero, or a count as large as an address, loops of the kernel would not end. */
static bool give_value(cl_kernel kernel, cl_uint index)
{
    for (size_t size = 1; size <= VALUE_LIMIT; size++)
        if (clSetKernelArg(kernel, index, size, ones) == CL_SUCCESS) return true;
    return false;
}

static void give_argument(cl_context context, cl_kernel kernel, cl_uint index)
{
    cl_int error;
    cl_kernel_arg_address_qualifier space = CL_KERNEL_ARG_ADDRESS_GLOBAL;
    need(clGetKernelArgInfo(kernel, index, CL_KERNEL_ARG_ADDRESS_QUALIFIER, sizeof space, &space, NULL),
         "clGetKernelArgInfo");
    if (space == CL_KERNEL_ARG_ADDRESS_LOCAL) {
        need(clSetKernelArg(kernel, index, LOCAL_SIZE, NULL), "clSetKernelArg: local memory");
    } else if (space == CL_KERNEL_ARG_ADDRESS_PRIVATE) {
        need(give_value(kernel, index) ? CL_SUCCESS : CL_INVALID_ARG_SIZE, "clSetKernelArg: a value");
    } else {
        cl_mem buffer = clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, sizeof zeros, zeros, &error);
        need(error, "clCreateBuffer");
        need(clSetKernelArg(kernel, index, sizeof buffer, &buffer), "clSetKernelArg: a buffer");
    }
}

static void launch(cl_context context, cl_device_id device, cl_kernel kernel)
{
    cl_int error;
    cl_uint arguments;
    size_t one = 1;
    cl_command_queue queue = clCreateCommandQueue(context, device, 0, &error); /* all types of OpenCL 1.2 */
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
    if (count != 3) return 2;
    for (size_t i = 0; i < sizeof ones; i += sizeof(uint64_t))
        ones[i] = 1;
    need(clGetPlatformIDs(1, &platform, NULL), "clGetPlatformIDs");
    need(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL), "clGetDeviceIDs");
    cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &error);
    need(error, "clCreateContext");
    cl_program program = build(context, device, arguments[1]);
    need(clCreateKernelsInProgram(program, KERNEL_LIMIT, kernel, &kernels), "clCreateKernelsInProgram");
    if (strcmp(arguments[2], "launch") == 0)
        for (cl_uint i = 0; i < kernels; i++)
            launch(context, device, kernel[i]);
    /* PoCL compiles, and loads the result, at this query. */
    need(clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, NULL), "CL_PROGRAM_BINARY_SIZES");
    printf("ok %u\n", kernels);
    return 0;
}
