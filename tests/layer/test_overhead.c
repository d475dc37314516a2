/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_overhead.c - the overhead of the layer for intercepted calls that need no work, and that it intercepts no
 * others. The next table consists of functions that return at once. The limit is 100 ns a call, and 10 ns for the calls
 * of every launch; because the machine may be busy, the test fails only above ten times as much.
 */
#define _GNU_SOURCE
#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>
#include <CL/cl_icd.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    SLOTS = sizeof(cl_icd_dispatch) / sizeof(void *),
    ROUNDS = 200000,
    TRIES = 5,
    KERNELS = 50000,
    INTERCEPTED = 28
};

typedef cl_int(CL_API_CALL *init_fn)(cl_uint, const cl_icd_dispatch *, cl_uint *, const cl_icd_dispatch **);

static cl_int CL_API_CALL next_program_info(cl_program program, cl_program_info name, size_t size, void *value,
                                            size_t *size_ret)
{
    (void)program, (void)name, (void)size, (void)value, (void)size_ret;
    return CL_INVALID_PROGRAM;
}

static cl_int CL_API_CALL next_program(cl_program program)
{
    (void)program;
    return CL_SUCCESS;
}

static cl_int CL_API_CALL next_kernel(cl_kernel kernel)
{
    (void)kernel;
    return CL_SUCCESS;
}

static cl_int CL_API_CALL next_kernel_info(cl_kernel kernel, cl_kernel_info name, size_t size, void *value,
                                           size_t *size_ret)
{
    (void)kernel, (void)name, (void)size, (void)value, (void)size_ret;
    return CL_SUCCESS;
}

static cl_int CL_API_CALL next_device_info(cl_device_id device, cl_device_info name, size_t size, void *value,
                                           size_t *size_ret)
{
    (void)device, (void)name, (void)size, (void)value, (void)size_ret;
    return CL_SUCCESS;
}

static cl_int CL_API_CALL next_set_arg(cl_kernel kernel, cl_uint index, size_t size, const void *value)
{
    (void)kernel, (void)index, (void)size, (void)value;
    return CL_SUCCESS;
}

static cl_int CL_API_CALL next_launch(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions,
                                      const size_t *offset, const size_t *global, const size_t *local, cl_uint count,
                                      const cl_event *wait, cl_event *event)
{
    (void)queue, (void)kernel, (void)dimensions, (void)offset, (void)global, (void)local;
    (void)count, (void)wait, (void)event;
    return CL_SUCCESS;
}

static cl_int CL_API_CALL next_set_pointer(cl_kernel kernel, cl_uint index, const void *value)
{
    (void)kernel, (void)index, (void)value;
    return CL_SUCCESS;
}

typedef cl_int(CL_API_CALL *set_pointer_fn)(cl_kernel, cl_uint, const void *);

static void *CL_API_CALL next_extension(cl_platform_id platform, const char *name)
{
    const set_pointer_fn function = next_set_pointer;
    void *address = NULL;
    (void)platform;
    if (strcmp(name, "clSetKernelArgMemPointerINTEL") == 0) memcpy(&address, &function, sizeof address);
    return address;
}

static const cl_icd_dispatch next = {.clSetKernelArg = next_set_arg,
                                     .clEnqueueNDRangeKernel = next_launch,
                                     .clGetExtensionFunctionAddressForPlatform = next_extension,
                                     .clGetProgramInfo = next_program_info,
                                     .clRetainProgram = next_program,
                                     .clRetainKernel = next_kernel,
                                     .clGetKernelInfo = next_kernel_info,
                                     .clGetDeviceInfo = next_device_info};
static const cl_icd_dispatch *ours;

static void retain_program(const cl_icd_dispatch *table, uintptr_t handle)
{
    table->clRetainProgram((cl_program)handle);
}

static void program_info(const cl_icd_dispatch *table, uintptr_t handle)
{
    table->clGetProgramInfo((cl_program)handle, CL_PROGRAM_CONTEXT, 0, NULL, NULL);
}

static void retain_kernel(const cl_icd_dispatch *table, uintptr_t handle)
{
    table->clRetainKernel((cl_kernel)handle);
}

static void kernel_info(const cl_icd_dispatch *table, uintptr_t handle)
{
    table->clGetKernelInfo((cl_kernel)handle, CL_KERNEL_NUM_ARGS, 0, NULL, NULL);
}

static void device_info(const cl_icd_dispatch *table, uintptr_t handle)
{
    table->clGetDeviceInfo((cl_device_id)handle, CL_DEVICE_NAME, 0, NULL, NULL);
}

static void set_arg(const cl_icd_dispatch *table, uintptr_t handle)
{
    table->clSetKernelArg((cl_kernel)handle, 0, sizeof handle, &handle);
}

static void launch(const cl_icd_dispatch *table, uintptr_t handle)
{
    table->clEnqueueNDRangeKernel(NULL, (cl_kernel)handle, 1, NULL, NULL, NULL, 0, NULL, NULL);
}

static set_pointer_fn our_set_pointer;

static void set_pointer(const cl_icd_dispatch *table, uintptr_t handle)
{
    (table == ours ? our_set_pointer : next_set_pointer)((cl_kernel)handle, 0, &handle);
}

/* Returns the minimum of several measurements, in nanoseconds a call. */
static double measure(void (*call)(const cl_icd_dispatch *, uintptr_t), const cl_icd_dispatch *table)
{
    double best = 1e9;
    for (int i = 0; i < TRIES; i++) {
        struct timespec start, end;
        clock_gettime(CLOCK_MONOTONIC, &start);
        for (int j = 0; j < ROUNDS; j++)
            call(table, 0x10000u + 64u * (unsigned)(j % KERNELS));
        clock_gettime(CLOCK_MONOTONIC, &end);
        double each = ((double)(end.tv_sec - start.tv_sec) * 1e9 + (double)(end.tv_nsec - start.tv_nsec)) / ROUNDS;
        best = each < best ? each : best;
    }
    return best;
}

static void a_call_costs_little(void **unused)
{
    static const struct {
        const char *name;
        void (*call)(const cl_icd_dispatch *, uintptr_t);
        double most; /* the last three are called for every launch */
    } calls[] = {
        {"clRetainProgram", retain_program, 1000}, {"clGetProgramInfo", program_info, 1000},
        {"clRetainKernel", retain_kernel, 1000},   {"clGetKernelInfo", kernel_info, 1000},
        {"clGetDeviceInfo", device_info, 1000},    {"clSetKernelArg", set_arg, 100},
        {"clEnqueueNDRangeKernel", launch, 100},   {"clSetKernelArgMemPointerINTEL", set_pointer, 100},
    };
    (void)unused;
    void *address =
        ours->clGetExtensionFunctionAddressForPlatform((cl_platform_id)&next, "clSetKernelArgMemPointerINTEL");
    assert_non_null(address);
    memcpy(&our_set_pointer, &address, sizeof address);
    assert_ptr_not_equal(our_set_pointer, next_set_pointer);
    for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++) {
        double cost = measure(calls[i].call, ours) - measure(calls[i].call, &next);
        print_message("%-29s %5.1f ns more a call\n", calls[i].name, cost);
        assert_true(cost < calls[i].most);
    }
}

static void other_calls_are_not_touched(void **unused)
{
    void *slots[SLOTS];
    int used = 0;
    (void)unused;
    memcpy(slots, ours, sizeof slots);
    for (int i = 0; i < SLOTS; i++)
        used += slots[i] != NULL;
    assert_int_equal(used, INTERCEPTED);
    assert_null(ours->clEnqueueReadBuffer);
    assert_null(ours->clCreateBuffer);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(other_calls_are_not_touched),
        cmocka_unit_test(a_call_costs_little),
    };
    void *layer = dlopen(getenv("TEST_LAYER"), RTLD_NOW | RTLD_LOCAL),
         *address = layer ? dlsym(layer, "clInitLayer") : NULL;
    init_fn init;
    cl_uint count = 0;
    memcpy(&init, &address, sizeof init);
    if (!init || init(SLOTS, &next, &count, &ours) != CL_SUCCESS) {
        fprintf(stderr, "the layer TEST_LAYER does not start\n");
        return 1;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
