/* SPDX-License-Identifier: Apache-2.0 */
#include "common.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

cl_platform_id platform;
cl_device_id device;
cl_context context;
cl_command_queue queue;
struct usm usm;
static cl_program program;

/* The kernel `increment` adds 1 to each element of its argument, `follow` to each element of the array whose address is
 * in its argument, and `either` to the first element of one of its arguments. `chain` adds up a linked list; the test
 * is at the end of its loop, because with a test at the beginning Mesa 26.2 reads one element too many if all
 * work-items load from one address. */
static const char source[] =
    "kernel void increment(global int *data) { data[get_global_id(0)] += 1; }\n"
    "kernel void follow(global ulong *slot) { global int *data = (global int *)slot[0]; data[get_global_id(0)] += 1; "
    "}\n"
    "kernel void chain(global ulong *first, global int *sum) {\n"
    "    int total = 0;\n"
    "    global ulong *node = first;\n"
    "    do { total += (int)node[1]; node = (global ulong *)node[0]; } while (node);\n"
    "    sum[0] = total;\n"
    "}\n"
    "kernel void slow(global int *data, int rounds) {\n"
    "    int value = data[0];\n"
    "    for (int i = 0; i < rounds; i++) value = value * 1664525 + 1013904223;\n"
    "    data[1] = value; data[0] += 1;\n"
    "}\n"
    "kernel void either(global int *one, global int *other, int second) { if (second) other[0] += 1; else one[0] += 1; "
    "}\n";

cl_command_queue make_queue(bool out_of_order)
{
    cl_int error = -1;
    const cl_queue_properties properties[] = {
        CL_QUEUE_PROPERTIES, CL_QUEUE_PROFILING_ENABLE | (out_of_order ? CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE : 0),
        0};
    cl_command_queue made = clCreateCommandQueueWithProperties(context, device, properties, &error);
    assert_int_equal(error, CL_SUCCESS);
    return made;
}

cl_kernel make_kernel(const char *name)
{
    cl_int error = -1;
    cl_kernel kernel = clCreateKernel(program, name, &error);
    assert_int_equal(error, CL_SUCCESS);
    return kernel;
}

void *shared_memory(size_t size)
{
    cl_int error = -1;
    void *memory = usm.clSharedMemAllocINTEL(context, device, NULL, size, 0, &error);
    assert_int_equal(error, CL_SUCCESS);
    assert_non_null(memory);
    return memory;
}

void *host_memory(size_t size)
{
    cl_int error = -1;
    void *memory = usm.clHostMemAllocINTEL(context, NULL, size, 0, &error);
    assert_int_equal(error, CL_SUCCESS);
    assert_non_null(memory);
    return memory;
}

void *device_memory(size_t size)
{
    cl_int error = -1;
    void *memory = usm.clDeviceMemAllocINTEL(context, device, NULL, size, 0, &error);
    assert_int_equal(error, CL_SUCCESS);
    assert_non_null(memory);
    return memory;
}

void free_memory(void *pointer)
{
    assert_int_equal(usm.clMemFreeINTEL(context, pointer), CL_SUCCESS);
}

void reach_all(cl_kernel kernel)
{
    const cl_bool yes = CL_TRUE;
    const cl_kernel_exec_info names[] = {CL_KERNEL_EXEC_INFO_INDIRECT_HOST_ACCESS_INTEL,
                                         CL_KERNEL_EXEC_INFO_INDIRECT_DEVICE_ACCESS_INTEL,
                                         CL_KERNEL_EXEC_INFO_INDIRECT_SHARED_ACCESS_INTEL};
    for (int i = 0; i < 3; i++)
        assert_int_equal(clSetKernelExecInfo(kernel, names[i], sizeof yes, &yes), CL_SUCCESS);
}

cl_event launch(cl_command_queue on, cl_kernel kernel, size_t count, cl_uint wait_count, const cl_event *wait)
{
    cl_event event = NULL;
    assert_int_equal(clEnqueueNDRangeKernel(on, kernel, 1, NULL, &count, NULL, wait_count, wait, &event), CL_SUCCESS);
    assert_int_equal(clFlush(on), CL_SUCCESS);
    return event;
}

/* Returns true if the device's buffers report their address, by the first stable version of the extension or a later
 * one. */
static bool tells_address(cl_device_id candidate)
{
    static cl_name_version list[512];
    size_t size = 0;
    clGetDeviceInfo(candidate, CL_DEVICE_EXTENSIONS_WITH_VERSION, sizeof list, list, &size);
    for (size_t i = 0; i < size / sizeof list[0]; i++)
        if (strcmp(list[i].name, "cl_ext_buffer_device_address") == 0) return CL_VERSION_MAJOR(list[i].version) >= 1;
    return false;
}

static bool has_extension(cl_device_id candidate)
{
    char text[16384] = "";
    return clGetDeviceInfo(candidate, CL_DEVICE_EXTENSIONS, sizeof text - 1, text, NULL) == CL_SUCCESS &&
           strstr(text, "cl_intel_unified_shared_memory");
}

/* PoCL 4 and newer have shared memory of their own, and the layer is inactive for them, unless bare.c or svm.c removes
 * that feature. */
static bool needs_no_layer(cl_device_id candidate)
{
    char name[256] = "", text[256] = "";
    if (getenv("TEST_BARE") || getenv("TEST_SVM")) return false;
    clGetPlatformInfo(platform, CL_PLATFORM_NAME, sizeof name - 1, name, NULL);
    clGetDeviceInfo(candidate, CL_DRIVER_VERSION, sizeof text - 1, text, NULL);
    return strstr(name, "Portable Computing Language") && atoi(text) >= 4;
}

static void find_device(void)
{
    cl_platform_id platforms[16];
    cl_device_id devices[16];
    cl_uint platform_count = 0, count = 0;
    bool tells_addresses = false;
    clGetPlatformIDs(16, platforms, &platform_count);
    for (cl_uint i = 0; i < platform_count && i < 16 && !device; i++) {
        if (clGetDeviceIDs(platforms[i], CL_DEVICE_TYPE_ALL, 16, devices, &count) != CL_SUCCESS) continue;
        for (cl_uint k = 0; k < count && k < 16 && !device; k++) {
            tells_addresses = tells_addresses || tells_address(devices[k]);
            if (has_extension(devices[k])) {
                platform = platforms[i];
                device = devices[k];
            }
        }
    }
    if (device && needs_no_layer(device)) {
        puts("SKIPPED: this PoCL has shared memory of its own");
        exit(77);
    }
    if (device) return;
    if (platform_count == 0) {
        puts("SKIPPED: no OpenCL driver");
        exit(77);
    }
    if (getenv("TEST_BARE") && !tells_addresses) {
        puts("SKIPPED: no device has cl_ext_buffer_device_address 1.0");
        exit(77);
    }
    puts("FAILED: no device has cl_intel_unified_shared_memory");
    exit(1);
}

int set_up(void **unused)
{
    const char *text = source;
    cl_int error = -1;
    (void)unused;
    find_device();
#define X(name) *(void **)&usm.name = clGetExtensionFunctionAddressForPlatform(platform, #name);
    USM_FUNCTIONS(X)
#undef X
    context = clCreateContext(NULL, 1, &device, NULL, NULL, &error);
    if (error != CL_SUCCESS) return error;
    queue = make_queue(false);
    program = clCreateProgramWithSource(context, 1, &text, NULL, &error);
    return error != CL_SUCCESS ? error : clBuildProgram(program, 1, &device, "-cl-std=CL1.2", NULL, NULL);
}

int tear_down(void **unused)
{
    (void)unused;
    clReleaseProgram(program);
    clReleaseCommandQueue(queue);
    return clReleaseContext(context);
}
