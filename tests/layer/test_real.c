/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_real.c - tests that need a real driver: programs that are linked, given spec constants, rebuilt or made from the
 * driver's own binary compute correct results. The environment selects driver and layers, as for any application. Exit
 * status 77, and a reason, if there is no driver.
 */
#define _GNU_SOURCE
#define CL_TARGET_OPENCL_VERSION 300
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

struct bytes {
    unsigned char data[1 << 16];
    size_t size;
};

static cl_device_id device;
static cl_context context;
static cl_command_queue queue;
static struct bytes generic_module, spec_module, caller_module, callee_module, globals_module;

static cl_program make(const struct bytes *module)
{
    cl_int error = -1;
    cl_program program = clCreateProgramWithIL(context, module->data, module->size, &error);
    assert_int_equal(error, CL_SUCCESS);
    return program;
}

/* PoCL releases a kernel some time after the end of the command that ran it, and refuses to build again until then. */
static cl_int build_when_free(cl_program program, const char *options)
{
    enum { TRIES = 200, PAUSE = 10000 /* microseconds */ };
    cl_int error = CL_INVALID_OPERATION;
    for (int i = 0; i < TRIES && error == CL_INVALID_OPERATION; i++) {
        if (i) usleep(PAUSE);
        error = clBuildProgram(program, 0, NULL, options, NULL, NULL);
    }
    return error;
}

static void build(cl_program program, const char *options)
{
    cl_int error = build_when_free(program, options);
    char log[4096] = "";
    if (error != CL_SUCCESS) clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, sizeof log, log, NULL);
    if (error != CL_SUCCESS) fail_msg("build: %d\n%s", error, log);
}

/* Runs a kernel that stores one number, and returns the number. */
static uint32_t run_kernel(cl_kernel kernel)
{
    cl_int error = -1;
    uint32_t value = 0;
    const size_t one = 1;
    cl_mem buffer = clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, sizeof value, &value, &error);
    assert_int_equal(clSetKernelArg(kernel, 0, sizeof buffer, &buffer), CL_SUCCESS);
    assert_int_equal(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &one, NULL, 0, NULL, NULL), CL_SUCCESS);
    assert_int_equal(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, sizeof value, &value, 0, NULL, NULL), CL_SUCCESS);
    clReleaseMemObject(buffer);
    return value;
}

static uint32_t run_named(cl_program program, const char *name)
{
    cl_int error = -1;
    cl_kernel kernel = clCreateKernel(program, name, &error);
    assert_int_equal(error, CL_SUCCESS);
    uint32_t value = run_kernel(kernel);
    clReleaseKernel(kernel);
    return value;
}

static uint32_t run(cl_program program)
{
    return run_named(program, "k");
}

static void plain_build_and_rebuild(void **unused)
{
    (void)unused;
    cl_program program = make(&generic_module);
    build(program, NULL);
    assert_int_equal(run(program), 7);
    build(program, "-cl-opt-disable");
    assert_int_equal(run(program), 7);
    for (int i = 0; i < 2; i++) { /* without the layer, this ends the process on PoCL with bitcode */
        size_t size = 0;
        assert_int_equal(clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, NULL), CL_SUCCESS);
        assert_true(size > 0);
        build(program, i ? NULL : "-cl-mad-enable");
        assert_int_equal(run(program), 7);
    }
    clReleaseProgram(program);
}

/* Without the layer, PoCL ends the process at the third build of a program made from bitcode. */
static void built_many_times(void **unused)
{
    (void)unused;
    cl_program program = make(&generic_module);
    for (int i = 0; i < 6; i++) {
        char options[16];
        snprintf(options, sizeof options, "-DN=%d", i);
        build(program, options);
    }
    assert_int_equal(run(program), 7);
    clReleaseProgram(program);
}

static void spec_constants(void **unused)
{
    const uint32_t value = 1234;
    (void)unused;
    cl_program program = make(&spec_module);
    assert_int_equal(clSetProgramSpecializationConstant(program, 5, sizeof value, &value), CL_SUCCESS);
    build(program, NULL);
    assert_int_equal(run(program), 1234);
    clReleaseProgram(program);
}

static void linked_programs(void **unused)
{
    const uint32_t value = 4321;
    cl_int error = -1;
    (void)unused;
    cl_program parts[] = {make(&caller_module), make(&callee_module)};
    assert_int_equal(clSetProgramSpecializationConstant(parts[1], 5, sizeof value, &value), CL_SUCCESS);
    for (int i = 0; i < 2; i++)
        assert_int_equal(clCompileProgram(parts[i], 0, NULL, NULL, 0, NULL, NULL, NULL, NULL), CL_SUCCESS);
    cl_program library = clLinkProgram(context, 0, NULL, "-create-library", 1, &parts[1], NULL, NULL, &error);
    assert_int_equal(error, CL_SUCCESS);
    cl_program with_library[] = {parts[0], library};
    cl_program linked[] = {clLinkProgram(context, 0, NULL, NULL, 2, parts, NULL, NULL, &error),
                           clLinkProgram(context, 0, NULL, NULL, 2, with_library, NULL, NULL, NULL)};
    for (int i = 0; i < 2; i++) {
        assert_non_null(linked[i]);
        assert_int_equal(run(linked[i]), 4321);
        clReleaseProgram(linked[i]);
        clReleaseProgram(parts[i]);
    }
    clReleaseProgram(library);
}

/* The binary is the driver's own, so it works without the layer. */
static void drivers_binary(void **unused)
{
    size_t size = 0;
    cl_int error = -1, status = -1;
    (void)unused;
    cl_program program = make(&generic_module);
    build(program, NULL);
    assert_int_equal(clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, NULL), CL_SUCCESS);
    assert_true(size > 0);
    unsigned char *binary = malloc(size);
    assert_int_equal(clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof binary, &binary, NULL), CL_SUCCESS);
    clReleaseProgram(program);
    program = clCreateProgramWithBinary(context, 1, &device, &size, (const unsigned char **)&binary, &status, &error);
    assert_int_equal(error, CL_SUCCESS);
    build(program, NULL);
    assert_int_equal(run(program), 7);
    clReleaseProgram(program);
    free(binary);
}

/* Compiles and links for one device, which is listed once or twice. */
static void run_linked_for(cl_device_id only)
{
    const cl_device_id list[] = {only, only};
    for (cl_uint count = 1; count <= 2; count++) {
        cl_int error = -1;
        cl_uint number = 0;
        cl_program parts[] = {make(&caller_module), make(&callee_module)};
        for (int i = 0; i < 2; i++)
            assert_int_equal(clCompileProgram(parts[i], count, list, NULL, 0, NULL, NULL, NULL, NULL), CL_SUCCESS);
        cl_program linked = clLinkProgram(context, count, list, NULL, 2, parts, NULL, NULL, &error);
        assert_int_equal(error, CL_SUCCESS);
        assert_int_equal(clGetProgramInfo(linked, CL_PROGRAM_NUM_DEVICES, sizeof number, &number, NULL), CL_SUCCESS);
        assert_int_equal(number, 1);
        assert_int_equal(run(linked), 7);
        clReleaseProgram(linked);
        clReleaseProgram(parts[0]);
        clReleaseProgram(parts[1]);
    }
}

/* Sub-devices are separate devices, which are created and released. */
static void sub_devices(void **unused)
{
    const cl_device_partition_property one[] = {CL_DEVICE_PARTITION_BY_COUNTS, 1,
                                                CL_DEVICE_PARTITION_BY_COUNTS_LIST_END, 0};
    cl_device_id sub = NULL;
    cl_int error = -1;
    (void)unused;
    if (clCreateSubDevices(device, one, 1, &sub, NULL) != CL_SUCCESS) {
        print_message("SKIPPED: this driver makes no sub-devices\n");
        return;
    }
    cl_context whole = context, part = clCreateContext(NULL, 1, &sub, NULL, NULL, &error);
    cl_command_queue whole_queue = queue;
    assert_int_equal(error, CL_SUCCESS);
    context = part;
    queue = clCreateCommandQueue(part, sub, 0, &error);
    assert_int_equal(error, CL_SUCCESS);
    cl_program program = make(&generic_module), variables = make(&globals_module);
    assert_int_equal(clBuildProgram(program, 1, &sub, NULL, NULL, NULL), CL_SUCCESS);
    assert_int_equal(run(program), 7);
    assert_int_equal(clBuildProgram(variables, 1, &sub, NULL, NULL, NULL), CL_SUCCESS);
    assert_int_equal(run(variables), 7);
    assert_int_equal(run(variables), 9);
    clReleaseProgram(program);
    clReleaseProgram(variables);
    run_linked_for(sub);
    /* PoCL 3.1's worker releases the last command's event after the read has returned, and sometimes crashed there if
     * queue, context and device had been released before. */
    nanosleep(&(struct timespec){.tv_nsec = 50 * 1000 * 1000}, NULL);
    clReleaseCommandQueue(queue);
    clReleaseContext(part);
    clReleaseDevice(sub);
    context = whole;
    queue = whole_queue;
}

/* Two devices with different settings, and program-scope variables, get a driver program each: one kernel works on
 * both, and each device has its own variables. */
static void two_devices(void **unused)
{
    cl_device_id both[2] = {NULL};
    cl_platform_id platform = NULL;
    cl_uint count = 0;
    cl_int error = -1;
    (void)unused;
    assert_int_equal(clGetDeviceInfo(device, CL_DEVICE_PLATFORM, sizeof platform, &platform, NULL), CL_SUCCESS);
    assert_int_equal(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 2, both, &count), CL_SUCCESS);
    if (count < 2 || !getenv("TEST_MIXED")) {
        assert_null(getenv("TEST_MIXED"));
        print_message("SKIPPED: this is for two devices\n");
        return;
    }
    cl_context saved = context;
    cl_command_queue saved_queue = queue, queues[2];
    context = clCreateContext(NULL, 2, both, NULL, NULL, &error);
    assert_int_equal(error, CL_SUCCESS);
    for (int i = 0; i < 2; i++)
        queues[i] = clCreateCommandQueue(context, both[i], 0, NULL);
    cl_program programs[] = {make(&generic_module), make(&globals_module)};
    cl_kernel kernels[3] = {NULL};
    for (int i = 0; i < 2; i++) {
        build(programs[i], NULL);
        kernels[i] = clCreateKernel(programs[i], "k", &error);
        assert_int_equal(error, CL_SUCCESS);
        clReleaseProgram(programs[i]);
    }
    kernels[2] = clCloneKernel(kernels[1], &error);
    assert_int_equal(error, CL_SUCCESS);
    for (int i = 0; i < 2; i++) {
        queue = queues[i];
        assert_int_equal(run_kernel(kernels[0]), 7);
        assert_int_equal(run_kernel(kernels[1]), 7);
        assert_int_equal(run_kernel(kernels[2]), 9);
        assert_int_equal(run_kernel(kernels[0]), 7);
        size_t size = 0;
        assert_int_equal(
            clGetKernelWorkGroupInfo(kernels[1], both[i], CL_KERNEL_WORK_GROUP_SIZE, sizeof size, &size, NULL),
            CL_SUCCESS);
    }
    for (int i = 0; i < 3; i++) {
        assert_int_equal(clSetKernelArg(kernels[i], 1, sizeof(size_t), &count), CL_INVALID_ARG_INDEX);
        assert_int_equal(clReleaseKernel(kernels[i]), CL_SUCCESS);
    }
    /* The program is built for one of them only. */
    const size_t one = 1;
    cl_program program = make(&globals_module);
    assert_int_equal(clBuildProgram(program, 1, &both[1], NULL, NULL, NULL), CL_SUCCESS);
    queue = queues[1];
    kernels[0] = clCreateKernel(program, "k", &error);
    assert_int_equal(run_kernel(kernels[0]), 7);
    assert_int_equal(clEnqueueNDRangeKernel(queues[0], kernels[0], 1, NULL, &one, NULL, 0, NULL, NULL),
                     CL_INVALID_PROGRAM_EXECUTABLE);
    clReleaseKernel(kernels[0]);
    clReleaseProgram(program);
    for (int i = 0; i < 2; i++)
        clReleaseCommandQueue(queues[i]);
    clReleaseContext(context);
    context = saved;
    queue = saved_queue;
}

/* ---- program-scope variables ---- */

/* Variables keep their values between kernels, are initialized by every build, and are separate in every program. */
static void variables_are_kept(void **unused)
{
    (void)unused;
    cl_program program = make(&globals_module), other = make(&globals_module);
    build(program, NULL);
    build(other, NULL);
    assert_int_equal(run_named(program, "peek"), 25);
    assert_int_equal(run(program), 7);
    assert_int_equal(run(program), 9);
    assert_int_equal(run_named(program, "peek"), 31);
    assert_int_equal(run_named(other, "peek"), 25);
    build(program, "-cl-opt-disable");
    assert_int_equal(run_named(program, "peek"), 25);
    clReleaseProgram(program);
    clReleaseProgram(other);
}

/* A kernel keeps the variables alive after the program is released. */
static void variables_outlive_the_program(void **unused)
{
    cl_int error = -1;
    (void)unused;
    cl_program program = make(&globals_module);
    build(program, NULL);
    cl_kernel counts = clCreateKernel(program, "k", &error), peeks = clCreateKernel(program, "peek", &error);
    assert_int_equal(clReleaseProgram(program), CL_SUCCESS);
    assert_int_equal(run_kernel(counts), 7);
    assert_int_equal(clReleaseKernel(counts), CL_SUCCESS);
    assert_int_equal(run_kernel(peeks), 28);
    assert_int_equal(clReleaseKernel(peeks), CL_SUCCESS);
}

static cl_int query_address(cl_kernel kernel, cl_uint index, cl_kernel_arg_address_qualifier *where)
{
    return clGetKernelArgInfo(kernel, index, CL_KERNEL_ARG_ADDRESS_QUALIFIER, sizeof *where, where, NULL);
}

/* The arguments and kernels that the layer adds for them are invisible. */
static void variables_add_nothing(void **unused)
{
    size_t count = 0, size = 0;
    cl_uint arguments = 0, made = 0;
    cl_int error = -1;
    char names[64] = "";
    cl_kernel kernels[2] = {NULL, NULL};
    cl_kernel_arg_address_qualifier where = 0;
    (void)unused;
    cl_program program = make(&globals_module);
    build(program, "-cl-kernel-arg-info");
    assert_int_equal(clGetProgramInfo(program, CL_PROGRAM_NUM_KERNELS, sizeof count, &count, NULL), CL_SUCCESS);
    assert_int_equal(count, 2);
    assert_int_equal(clGetProgramInfo(program, CL_PROGRAM_KERNEL_NAMES, sizeof names, names, &size), CL_SUCCESS);
    assert_true(strcmp(names, "k;peek") == 0 || strcmp(names, "peek;k") == 0);
    assert_int_equal(size, sizeof("k;peek"));
    assert_null(clCreateKernel(program, "nonflat_globals_32", &error));
    assert_int_equal(error, CL_INVALID_KERNEL_NAME);
    assert_int_equal(clCreateKernelsInProgram(program, 0, NULL, &made), CL_SUCCESS);
    assert_int_equal(made, 2);
    assert_int_equal(clCreateKernelsInProgram(program, 1, kernels, NULL), CL_INVALID_VALUE);
    assert_int_equal(clCreateKernelsInProgram(program, 2, kernels, &made), CL_SUCCESS);
    assert_int_equal(made, 2);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(clGetKernelInfo(kernels[i], CL_KERNEL_NUM_ARGS, sizeof arguments, &arguments, &size),
                         CL_SUCCESS);
        assert_int_equal(arguments, 1);
        assert_int_equal(size, sizeof arguments);
        error = query_address(kernels[i], 0, &where);
        if (error != CL_KERNEL_ARG_INFO_NOT_AVAILABLE) { /* the answer of Intel's drivers for all programs made from
                                                          * IL */
            assert_int_equal(error, CL_SUCCESS);
            assert_int_equal(where, CL_KERNEL_ARG_ADDRESS_GLOBAL);
            assert_int_equal(query_address(kernels[i], 1, &where), CL_INVALID_ARG_INDEX);
        }
        for (cl_uint at = 1; at < 3; at++)
            assert_int_equal(clSetKernelArg(kernels[i], at, sizeof(cl_mem), NULL), CL_INVALID_ARG_INDEX);
        int got = run_kernel(kernels[i]);
        assert_true(got >= 7 && got <= 28);
        assert_int_equal(clReleaseKernel(kernels[i]), CL_SUCCESS);
    }
    assert_int_equal(run_named(program, "peek"), 28);
    clReleaseProgram(program);
}

/* A binary's kernels would lack their buffer without the layer, so there is none; if the driver itself supports such
 * variables, its binary is usable. */
static void variables_and_binaries(void **unused)
{
    size_t size = 1;
    cl_int error = -1, status = -1;
    (void)unused;
    cl_program program = make(&globals_module);
    build(program, NULL);
    assert_int_equal(clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, NULL), CL_SUCCESS);
    if (size == 0) { /* then the layer keeps the variables */
        size_t total = 0;
        assert_int_equal(clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_GLOBAL_VARIABLE_TOTAL_SIZE,
                                               sizeof total, &total, NULL),
                         CL_SUCCESS);
        assert_int_equal(total, 32);
    }
    assert_true(size == 0 || !getenv("TEST_MOVED"));
    unsigned char *binary = malloc(size + 1);
    binary[0] = 77;
    assert_int_equal(clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof binary, &binary, NULL), CL_SUCCESS);
    clReleaseProgram(program);
    if (size == 0) {
        assert_int_equal(binary[0], 77);
    } else {
        program =
            clCreateProgramWithBinary(context, 1, &device, &size, (const unsigned char **)&binary, &status, &error);
        assert_int_equal(error, CL_SUCCESS);
        build(program, NULL);
        assert_int_equal(run(program), 7);
        assert_int_equal(run_named(program, "peek"), 28);
        clReleaseProgram(program);
    }
    free(binary);
}

static int find_device(void)
{
    cl_platform_id platform;
    cl_uint count = 0;
    if (clGetPlatformIDs(1, &platform, &count) != CL_SUCCESS || count == 0) return -1;
    return clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL) == CL_SUCCESS ? 0 : -1;
}

static void read_module(const char *name, struct bytes *module)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s.spv", getenv("TEST_MODULES"), name);
    FILE *file = fopen(path, "rb");
    if (!file) {
        fprintf(stderr, "cannot read %s\n", path);
        exit(1);
    }
    module->size = fread(module->data, 1, sizeof module->data, file);
    fclose(file);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plain_build_and_rebuild),
        cmocka_unit_test(built_many_times),
        cmocka_unit_test(spec_constants),
        cmocka_unit_test(linked_programs),
        cmocka_unit_test(drivers_binary),
        cmocka_unit_test(sub_devices),
        cmocka_unit_test(two_devices),
        cmocka_unit_test(variables_are_kept),
        cmocka_unit_test(variables_outlive_the_program),
        cmocka_unit_test(variables_add_nothing),
        cmocka_unit_test(variables_and_binaries),
    };
    if (find_device() != 0) {
        printf("SKIPPED: no OpenCL driver here\n");
        return 77;
    }
    read_module("generic", &generic_module);
    read_module("spec", &spec_module);
    read_module("caller", &caller_module);
    read_module("callee", &callee_module);
    read_module("globals", &globals_module);
    context = clCreateContext(NULL, 1, &device, NULL, NULL, NULL);
    queue = clCreateCommandQueue(context, device, 0, NULL); /* OpenCL 1.2 devices lack the newer function */
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    clReleaseCommandQueue(queue);
    clReleaseContext(context);
    return failed;
}
