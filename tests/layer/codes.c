/* SPDX-License-Identifier: Apache-2.0 */
/*
 * codes.c - prints OpenCL's error codes for invalid calls on programs made from IL and on their kernels, one line each;
 * codes.sh runs it with and without the layer and compares. Takes a module, which the driver must accept unchanged, and
 * the index of the device.
 */
#define CL_TARGET_OPENCL_VERSION 300
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static cl_context context;
static cl_device_id device, other;
static unsigned char module[1 << 16];
static size_t module_size;
static char buffer[1 << 16];

#define SAY(call) printf("%d  %s\n", (int)(call), #call)

static cl_int created(cl_context in, const void *il, size_t size)
{
    cl_int error = 77;
    cl_program program = clCreateProgramWithIL(in, il, size, &error);
    if ((program != NULL) != (error == CL_SUCCESS)) return 7777;
    if (program) clReleaseProgram(program);
    return error;
}

static cl_program fresh(void)
{
    cl_program program = clCreateProgramWithIL(context, module, module_size, NULL);
    if (!program) {
        fprintf(stderr, "the driver does not take the module\n");
        exit(2);
    }
    return program;
}

static void CL_CALLBACK notify(cl_program program, void *user)
{
    (void)program, (void)user;
}

static void creating(void)
{
    SAY(created(NULL, module, module_size));
    SAY(created(context, NULL, module_size));
    SAY(created(context, module, 0));
    SAY(created(context, NULL, 0));
    SAY(created(context, module, module_size));
    cl_program program = clCreateProgramWithIL(context, module, module_size, NULL);
    SAY(program == NULL);
    clReleaseProgram(program);
    SAY(clRetainProgram(NULL));
    SAY(clReleaseProgram(NULL));
}

static void building(void)
{
    cl_program program = fresh();
    int user = 0;
    SAY(clBuildProgram(NULL, 0, NULL, "", NULL, NULL));
    SAY(clBuildProgram(program, 1, NULL, "", NULL, NULL));
    SAY(clBuildProgram(program, 0, &device, "", NULL, NULL));
    SAY(clBuildProgram(program, 0, NULL, "", NULL, &user));
    if (other) SAY(clBuildProgram(program, 1, &other, "", NULL, NULL));
    SAY(clCompileProgram(NULL, 0, NULL, "", 0, NULL, NULL, NULL, NULL));
    SAY(clCompileProgram(program, 1, NULL, "", 0, NULL, NULL, NULL, NULL));
    SAY(clCompileProgram(program, 0, NULL, "", 1, NULL, NULL, NULL, NULL));
    SAY(clCompileProgram(program, 0, NULL, "", 0, &program, NULL, NULL, NULL));
    SAY(clBuildProgram(program, 0, NULL, NULL, NULL, NULL));
    SAY(clBuildProgram(program, 1, &device, "", notify, &user));
    cl_kernel kernel = clCreateKernel(program, "k", NULL);
    SAY(clBuildProgram(program, 0, NULL, "-cl-mad-enable", NULL, NULL));
    clReleaseKernel(kernel);
    clReleaseProgram(program);
}

static cl_int linked(cl_context in, cl_uint devices, const cl_device_id *list, cl_uint count, const cl_program *inputs,
                     void *user)
{
    cl_int error = 77;
    cl_program program = clLinkProgram(in, devices, list, "", count, inputs, NULL, user, &error);
    if (program) clReleaseProgram(program);
    return error;
}

static void linking(void)
{
    cl_program program = fresh(), nothing = NULL;
    SAY(linked(context, 0, NULL, 1, &program, NULL)); /* `program` has not been compiled */
    SAY(clCompileProgram(program, 0, NULL, "", 0, NULL, NULL, NULL, NULL));
    SAY(linked(context, 0, NULL, 0, NULL, NULL));
    SAY(linked(context, 0, NULL, 1, NULL, NULL));
    SAY(linked(context, 0, NULL, 0, &program, NULL));
    SAY(linked(context, 0, NULL, 1, &nothing, NULL));
    SAY(linked(context, 1, NULL, 1, &program, NULL));
    SAY(linked(context, 0, &device, 1, &program, NULL));
    SAY(linked(context, 0, NULL, 1, &program, buffer));
    if (other) SAY(linked(context, 1, &other, 1, &program, NULL));
    SAY(linked(context, 0, NULL, 1, &program, NULL));
    clReleaseProgram(program);
}

static void asking_before(void)
{
    cl_program program = fresh();
    size_t size = 0;
    cl_int error = 77;
    SAY(clGetProgramInfo(NULL, CL_PROGRAM_CONTEXT, sizeof buffer, buffer, NULL));
    SAY(clGetProgramInfo(program, 0x9999, sizeof buffer, buffer, NULL));
    SAY(clGetProgramInfo(program, CL_PROGRAM_CONTEXT, 1, buffer, NULL));
    SAY(clGetProgramInfo(program, CL_PROGRAM_DEVICES, 1, buffer, NULL));
    SAY(clGetProgramInfo(program, CL_PROGRAM_NUM_DEVICES, 1, buffer, NULL));
    SAY(clGetProgramInfo(program, CL_PROGRAM_REFERENCE_COUNT, 1, buffer, NULL));
    SAY(clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, 1, buffer, NULL));
    SAY(clGetProgramInfo(program, CL_PROGRAM_BINARIES, 1, buffer, NULL));
    SAY(clGetProgramInfo(program, CL_PROGRAM_IL, 1, buffer, NULL));
    SAY(clGetProgramInfo(program, CL_PROGRAM_IL, 0, NULL, &size));
    SAY(size == module_size);
    SAY(clGetProgramInfo(program, CL_PROGRAM_SOURCE, 0, NULL, &size));
    SAY(clGetProgramInfo(program, CL_PROGRAM_NUM_KERNELS, sizeof buffer, buffer, NULL));
    SAY(clGetProgramInfo(program, CL_PROGRAM_KERNEL_NAMES, sizeof buffer, buffer, NULL));
    SAY(clGetProgramBuildInfo(NULL, device, CL_PROGRAM_BUILD_LOG, 0, NULL, NULL));
    SAY(clGetProgramBuildInfo(program, NULL, CL_PROGRAM_BUILD_LOG, 0, NULL, NULL));
    if (other) SAY(clGetProgramBuildInfo(program, other, CL_PROGRAM_BUILD_LOG, 0, NULL, NULL));
    SAY(clGetProgramBuildInfo(program, device, 0x9999, sizeof buffer, buffer, NULL));
    SAY(clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_STATUS, 1, buffer, NULL));
    SAY(clGetProgramBuildInfo(program, device, CL_PROGRAM_BINARY_TYPE, 1, buffer, NULL));
    SAY(clCreateKernel(program, "k", &error) == NULL);
    SAY(error);
    SAY(clCreateKernelsInProgram(program, 0, NULL, NULL));
    clReleaseProgram(program);
}

static void asking_after(void)
{
    cl_program program = fresh();
    cl_kernel kernels[4] = {NULL};
    cl_uint count = 0;
    cl_int error = 77;
    SAY(clBuildProgram(program, 1, &device, "", NULL, NULL));
    SAY(clGetProgramInfo(program, CL_PROGRAM_NUM_KERNELS, 1, buffer, NULL));
    SAY(clGetProgramInfo(program, CL_PROGRAM_KERNEL_NAMES, 1, buffer, NULL));
    SAY(clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_STATUS, 1, buffer, NULL));
    SAY(clGetProgramBuildInfo(program, device, CL_PROGRAM_BINARY_TYPE, 1, buffer, NULL));
    SAY(clCreateKernel(NULL, "k", &error) == NULL);
    SAY(error);
    SAY(clCreateKernel(program, NULL, &error) == NULL);
    SAY(error);
    SAY(clCreateKernel(program, "nothing", &error) == NULL);
    SAY(error);
    SAY(clCreateKernelsInProgram(NULL, 4, kernels, &count));
    SAY(clCreateKernelsInProgram(program, 0, kernels, &count));
    SAY(clCreateKernelsInProgram(program, 4, kernels, &count));
    SAY(count);
    SAY(clGetKernelInfo(NULL, CL_KERNEL_PROGRAM, sizeof buffer, buffer, NULL));
    SAY(clGetKernelInfo(kernels[0], CL_KERNEL_PROGRAM, 1, buffer, NULL));
    SAY(clGetKernelInfo(kernels[0], CL_KERNEL_FUNCTION_NAME, 1, buffer, NULL));
    SAY(clGetKernelInfo(kernels[0], 0x9999, sizeof buffer, buffer, NULL));
    SAY(clRetainKernel(NULL));
    SAY(clReleaseKernel(NULL));
    SAY(clCloneKernel(NULL, &error) == NULL);
    SAY(error);
    clReleaseKernel(kernels[0]);
    clReleaseProgram(program);
}

static void launching(void)
{
    cl_program program = fresh();
    const size_t one = 1;
    cl_mem nothing = NULL;
    SAY(clBuildProgram(program, 1, &device, "", NULL, NULL));
    cl_kernel kernel = clCreateKernel(program, "k", NULL);
    cl_command_queue queue = clCreateCommandQueue(context, device, 0, NULL);
    SAY(clSetKernelArg(NULL, 0, sizeof nothing, &nothing));
    SAY(clSetKernelArg(kernel, 1, sizeof nothing, &nothing));
    SAY(clSetKernelArg(kernel, 0, 0, NULL));
    SAY(clSetKernelArg(kernel, 0, sizeof nothing, &nothing));
    SAY(clEnqueueNDRangeKernel(NULL, kernel, 1, NULL, &one, NULL, 0, NULL, NULL));
    SAY(clEnqueueNDRangeKernel(queue, kernel, 0, NULL, &one, NULL, 0, NULL, NULL));
    SAY(clGetKernelWorkGroupInfo(NULL, device, CL_KERNEL_WORK_GROUP_SIZE, sizeof buffer, buffer, NULL));
    SAY(clGetKernelWorkGroupInfo(kernel, device, 0x9999, sizeof buffer, buffer, NULL));
    SAY(clGetKernelWorkGroupInfo(kernel, device, CL_KERNEL_WORK_GROUP_SIZE, 1, buffer, NULL));
    SAY(clGetKernelWorkGroupInfo(kernel, NULL, CL_KERNEL_WORK_GROUP_SIZE, sizeof buffer, buffer, NULL));
    if (other) SAY(clGetKernelWorkGroupInfo(kernel, other, CL_KERNEL_WORK_GROUP_SIZE, sizeof buffer, buffer, NULL));
    SAY(clGetKernelArgInfo(NULL, 0, CL_KERNEL_ARG_NAME, sizeof buffer, buffer, NULL));
    clReleaseCommandQueue(queue);
    clReleaseKernel(kernel);
    clReleaseProgram(program);
}

static void the_rest(void)
{
    cl_program program = fresh();
    int value = 0;
    SAY(clSetProgramSpecializationConstant(NULL, 0, sizeof value, &value));
    SAY(clSetProgramSpecializationConstant(program, 0, sizeof value, NULL));
    SAY(clSetProgramSpecializationConstant(program, 0x7777, sizeof value, &value));
    SAY(clGetDeviceInfo(NULL, CL_DEVICE_IL_VERSION, 0, NULL, NULL));
    SAY(clGetDeviceInfo(device, CL_DEVICE_IL_VERSION, 1, buffer, NULL));
    SAY(clGetDeviceInfo(device, CL_DEVICE_GENERIC_ADDRESS_SPACE_SUPPORT, 1, buffer, NULL));
    clReleaseProgram(program);
}

int main(int count, char **arguments)
{
    cl_platform_id platform;
    cl_device_id devices[16] = {NULL};
    cl_uint found = 0;
    FILE *file = count > 1 ? fopen(arguments[1], "rb") : NULL;
    size_t number = count > 2 ? (size_t)atoi(arguments[2]) : 0;
    if (!file || number >= 16 || clGetPlatformIDs(1, &platform, NULL) != CL_SUCCESS ||
        clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 16, devices, &found) != CL_SUCCESS || number >= found) {
        fprintf(stderr, "usage: codes MODULE [DEVICE], with an OpenCL driver\n");
        return 2;
    }
    module_size = fread(module, 1, sizeof module, file);
    fclose(file);
    device = devices[number];
    other = number + 1 < found ? devices[number + 1] : NULL;
    context = clCreateContext(NULL, 1, &device, NULL, NULL, NULL);
    if (!context) return 2;
    creating();
    building();
    linking();
    asking_before();
    asking_after();
    launching();
    the_rest();
    clReleaseContext(context);
    return 0;
}
