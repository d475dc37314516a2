/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_programs.c - programs made from IL, through the loader, over the stub driver: the calls that reach the driver,
 * the results that the application sees, and that no handle of the layer ever reaches the driver.
 */
#define _GNU_SOURCE
#include "common.h"

#include <string.h>
#include <time.h>

static void build(cl_program program)
{
    assert_int_equal(clBuildProgram(program, 0, NULL, "-cl-mad-enable", NULL, NULL), CL_SUCCESS);
}

/* ---- creating and building ---- */

static void generic_is_specialized(void **unused)
{
    (void)unused;
    cl_context context = make_context(STUB_IL);
    cl_program program = make_program(context, &generic_module);
    build(program);
    assert_int_equal(stub->module.size % 4, 0);
    assert_false(driver_saw_generic());
    assert_memory_not_equal(stub->module.data, generic_module.data, stub->module.size);
    assert_string_equal(stub->options, "-cl-mad-enable");
    assert_int_equal(clReleaseProgram(program), CL_SUCCESS);
    assert_int_equal(clReleaseContext(context), CL_SUCCESS);
}

static void plain_passes_byte_for_byte(void **unused)
{
    (void)unused;
    cl_context context = make_context(STUB_IL);
    cl_program program = make_program(context, &plain_module);
    build(program);
    assert_int_equal(stub->module.size, plain_module.size);
    assert_memory_equal(stub->module.data, plain_module.data, plain_module.size);
    assert_string_equal(build_log(program, devices[0][STUB_IL]), "the stub's log");
    clReleaseProgram(program);
    clReleaseContext(context);
}

static void generic_devices_are_left_alone(void **unused)
{
    static const enum stub_device kinds[] = {STUB_GENERIC, STUB_GENERIC_2};
    (void)unused;
    for (int i = 0; i < 2; i++) {
        cl_context context = make_context(kinds[i]);
        cl_program program = make_program(context, &generic_module);
        assert_int_equal(stub->module.size, generic_module.size);
        assert_memory_equal(stub->module.data, generic_module.data, generic_module.size);
        clReleaseProgram(program);
        clReleaseContext(context);
    }
}

static void khr_device_gets_the_khr_call(void **unused)
{
    (void)unused;
    int core = stub->created_il, khr = stub->created_khr;
    cl_context context = make_context(STUB_KHR);
    cl_program program = make_program(context, &generic_module);
    build(program);
    assert_int_equal(stub->created_il, core);
    assert_int_equal(stub->created_khr, khr + 1);
    assert_false(driver_saw_generic());
    clReleaseProgram(program);
    clReleaseContext(context);
}

static void khr_entry_is_ours(void **unused)
{
    cl_program(CL_API_CALL * create)(cl_context, const void *, size_t, cl_int *);
    static const enum stub_device kinds[] = {STUB_KHR, STUB_IL};
    (void)unused;
    for (int i = 0; i < 2; i++) {
        void *address = i ? clGetExtensionFunctionAddressForPlatform(platforms[0], "clCreateProgramWithILKHR")
                          : clGetExtensionFunctionAddress("clCreateProgramWithILKHR");
        cl_int error = -1;
        memcpy(&create, &address, sizeof create);
        assert_non_null(create);
        cl_context context = make_context(kinds[i]);
        cl_program program = create(context, generic_module.data, generic_module.size, &error);
        assert_int_equal(error, CL_SUCCESS);
        build(program);
        assert_false(driver_saw_generic());
        clReleaseProgram(program);
        clReleaseContext(context);
    }
}

static void core_names_asked_by_name_are_ours(void **unused)
{
    cl_program(CL_API_CALL * create)(cl_context, const void *, size_t, cl_int *);
    cl_int(CL_API_CALL * build_by_name)(cl_program, cl_uint, const cl_device_id *, const char *, void *, void *);
    (void)unused;
    void *address = extension(0, "clCreateProgramWithIL");
    memcpy(&create, &address, sizeof create);
    address = extension(0, "clBuildProgram");
    memcpy(&build_by_name, &address, sizeof build_by_name);
    cl_context context = make_context(STUB_IL);
    cl_program program = create(context, generic_module.data, generic_module.size, NULL);
    assert_non_null(program);
    assert_int_equal(build_by_name(program, 0, NULL, "", NULL, NULL), CL_SUCCESS);
    assert_false(driver_saw_generic());
    clReleaseProgram(program);
    clReleaseContext(context);
}

static void driver_errors_come_through(void **unused)
{
    (void)unused;
    cl_int error = 0;
    cl_context context = make_context(STUB_IL);
    stub->fail_create = CL_OUT_OF_RESOURCES;
    assert_null(clCreateProgramWithIL(context, generic_module.data, generic_module.size, &error));
    assert_int_equal(error, CL_OUT_OF_RESOURCES);
    cl_program program = make_program(context, &generic_module);
    stub->fail_build = CL_BUILD_PROGRAM_FAILURE;
    assert_int_equal(clBuildProgram(program, 0, NULL, NULL, NULL, NULL), CL_BUILD_PROGRAM_FAILURE);
    stub->fail_build = 0;
    assert_non_null(strstr(build_log(program, devices[0][STUB_IL]), "the stub's log"));
    build(program);
    clReleaseProgram(program);
    clReleaseContext(context);
}

/* ---- bad input ---- */

static void malformed_gets_the_drivers_answer(void **unused)
{
    unsigned char broken[4096];
    cl_int error = 0;
    (void)unused;
    cl_context context = make_context(STUB_IL);
    assert_null(clCreateProgramWithIL(context, NULL, 0, &error));
    assert_int_equal(error, CL_INVALID_VALUE);
    assert_null(clCreateProgramWithIL(context, "abc", 3, &error));
    assert_int_equal(error, CL_INVALID_VALUE);
    /* The module is cut in the middle of an instruction: this driver accepts it, so the application gets a program. */
    memcpy(broken, generic_module.data, generic_module.size);
    cl_program program = clCreateProgramWithIL(context, broken, generic_module.size - 6, &error);
    assert_int_equal(error, CL_SUCCESS);
    assert_int_equal(stub->module.size, generic_module.size - 6);
    clReleaseProgram(program);
    assert_null(clCreateProgramWithIL(NULL, generic_module.data, generic_module.size, &error));
    assert_int_equal(error, CL_INVALID_CONTEXT);
    clReleaseContext(context);
}

static void wrong_arguments(void **unused)
{
    (void)unused;
    cl_context context = make_context(STUB_IL);
    cl_program program = make_program(context, &generic_module);
    cl_device_id other = devices[0][STUB_IL_2];
    char small[1];
    assert_int_equal(clBuildProgram(program, 1, NULL, "", NULL, NULL), CL_INVALID_VALUE);
    assert_int_equal(clBuildProgram(program, 0, &other, "", NULL, NULL), CL_INVALID_VALUE);
    assert_int_equal(clBuildProgram(program, 1, &other, "", NULL, NULL), CL_INVALID_DEVICE);
    assert_int_equal(clBuildProgram(program, 0, NULL, "", NULL, small), CL_INVALID_VALUE);
    assert_int_equal(clGetProgramInfo(program, CL_PROGRAM_CONTEXT, 1, small, NULL), CL_INVALID_VALUE);
    assert_int_equal(clGetProgramInfo(program, CL_PROGRAM_IL, 1, small, NULL), CL_INVALID_VALUE);
    assert_int_equal(clGetProgramInfo(program, CL_PROGRAM_KERNEL_NAMES, 0, NULL, NULL), CL_INVALID_PROGRAM_EXECUTABLE);
    assert_int_equal(clGetProgramBuildInfo(program, other, CL_PROGRAM_BUILD_LOG, 0, NULL, NULL), CL_INVALID_DEVICE);
    cl_int error = 0;
    assert_null(clCreateKernel(program, "k", &error));
    assert_int_equal(error, CL_INVALID_PROGRAM_EXECUTABLE);
    assert_int_equal(clBuildProgram(NULL, 0, NULL, "", NULL, NULL), CL_INVALID_PROGRAM);
    assert_int_equal(clRetainProgram(NULL), CL_INVALID_PROGRAM);
    assert_int_equal(clReleaseProgram(NULL), CL_INVALID_PROGRAM);
    assert_int_equal(clReleaseKernel(NULL), CL_INVALID_KERNEL);
    clReleaseProgram(program);
    clReleaseContext(context);
}

/* ---- queries ---- */

static void queries(void **unused)
{
    (void)unused;
    cl_context context = make_context(STUB_IL), seen_context = NULL;
    cl_program program = make_program(context, &generic_module);
    cl_device_id device = NULL;
    cl_uint number = 0;
    size_t size = 0;
    unsigned char il[4096], binary[16] = {0}, *targets[] = {binary};
    char text[64];
    assert_int_equal(clGetProgramInfo(program, CL_PROGRAM_CONTEXT, sizeof context, &seen_context, NULL), CL_SUCCESS);
    assert_ptr_equal(seen_context, context);
    clGetProgramInfo(program, CL_PROGRAM_NUM_DEVICES, sizeof number, &number, NULL);
    assert_int_equal(number, 1);
    clGetProgramInfo(program, CL_PROGRAM_DEVICES, sizeof device, &device, NULL);
    assert_ptr_equal(device, devices[0][STUB_IL]);
    assert_int_equal(clGetProgramInfo(program, CL_PROGRAM_IL, sizeof il, il, &size), CL_SUCCESS);
    assert_int_equal(size, generic_module.size);
    assert_memory_equal(il, generic_module.data, size);
    cl_build_status status = 0;
    clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_STATUS, sizeof status, &status, NULL);
    assert_int_equal(status, CL_BUILD_NONE);
    build(program);
    clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_STATUS, sizeof status, &status, NULL);
    assert_int_equal(status, CL_BUILD_SUCCESS);
    clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_OPTIONS, sizeof text, text, NULL);
    assert_string_equal(text, "-cl-mad-enable");
    assert_int_equal(clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, NULL), CL_SUCCESS);
    assert_int_equal(size, 4);
    assert_int_equal(clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof targets, targets, NULL), CL_SUCCESS);
    assert_memory_equal(binary, "stub", 4);
    assert_int_equal(clGetProgramInfo(program, CL_PROGRAM_KERNEL_NAMES, sizeof text, text, NULL), CL_SUCCESS);
    assert_string_equal(text, "k");
    const char *log = build_log(program, device);
    assert_int_equal(strncmp(log, "nonflat: ", 9), 0);
    assert_non_null(strstr(log, "\nthe stub's log"));
    clReleaseProgram(program);
    clReleaseContext(context);
}

/* ---- kernels and lives ---- */

static cl_program program_of(cl_kernel kernel)
{
    cl_program program = NULL;
    assert_int_equal(clGetKernelInfo(kernel, CL_KERNEL_PROGRAM, sizeof program, &program, NULL), CL_SUCCESS);
    return program;
}

static void kernels_know_our_program(void **unused)
{
    cl_kernel several[2] = {NULL, NULL};
    cl_uint count = 0;
    (void)unused;
    cl_context context = make_context(STUB_IL);
    cl_program program = make_program(context, &generic_module);
    build(program);
    cl_kernel kernel = clCreateKernel(program, "k", NULL), clone = clCloneKernel(kernel, NULL);
    assert_int_equal(clCreateKernelsInProgram(program, 2, several, &count), CL_SUCCESS);
    assert_int_equal(count, 1);
    assert_ptr_equal(program_of(kernel), program);
    assert_ptr_equal(program_of(clone), program);
    assert_ptr_equal(program_of(several[0]), program);
    assert_int_equal(clRetainKernel(kernel), CL_SUCCESS);
    assert_int_equal(clReleaseKernel(kernel), CL_SUCCESS);
    assert_int_equal(clReleaseProgram(program), CL_SUCCESS);
    /* The kernels keep the program alive: it can be queried, and even retained again. */
    assert_ptr_equal(program_of(kernel), program);
    assert_int_equal(clRetainProgram(program), CL_SUCCESS);
    assert_int_equal(clReleaseKernel(several[0]), CL_SUCCESS);
    assert_int_equal(clReleaseKernel(clone), CL_SUCCESS);
    assert_int_equal(clReleaseKernel(kernel), CL_SUCCESS);
    cl_uint references = 0;
    assert_int_equal(clGetProgramInfo(program, CL_PROGRAM_REFERENCE_COUNT, 4, &references, NULL), CL_SUCCESS);
    assert_int_equal(references, 1);
    assert_int_equal(clReleaseProgram(program), CL_SUCCESS);
    clReleaseContext(context);
}

static void foreign_programs_go_through(void **unused)
{
    const char *text = "kernel void k() {}";
    (void)unused;
    cl_context context = make_context(STUB_IL);
    cl_program theirs = clCreateProgramWithSource(context, 1, &text, NULL, NULL);
    build(theirs);
    cl_kernel kernel = clCreateKernel(theirs, "k", NULL);
    assert_ptr_equal(program_of(kernel), theirs);
    clReleaseKernel(kernel);
    /* A program of the layer as a header of a source program: it has no source, and nothing crashes. */
    cl_program ours = make_program(context, &generic_module);
    const char *name = "header.h";
    assert_int_equal(clCompileProgram(theirs, 0, NULL, "", 1, &ours, &name, NULL, NULL), CL_SUCCESS);
    clReleaseProgram(ours);
    clReleaseProgram(theirs);
    clReleaseContext(context);
}

static int released;

static void CL_CALLBACK on_release(cl_program program, void *user)
{
    assert_ptr_equal(program, *(cl_program *)user);
    released++;
}

static void release_callback_gets_our_handle(void **unused)
{
    (void)unused;
    cl_context context = make_context(STUB_IL);
    cl_program program = make_program(context, &generic_module);
    released = 0;
    assert_int_equal(clSetProgramReleaseCallback(program, on_release, &program), CL_SUCCESS);
    assert_int_equal(clSetProgramReleaseCallback(program, NULL, NULL), CL_INVALID_VALUE);
    clRetainProgram(program);
    clReleaseProgram(program);
    assert_int_equal(released, 0);
    clReleaseProgram(program);
    assert_int_equal(released, 1);
    clReleaseContext(context);
}

/* ---- callbacks ---- */

struct call {
    cl_program program;
    cl_build_status status;
    atomic_int count;
};

static void CL_CALLBACK on_built(cl_program program, void *user)
{
    struct call *call = user;
    call->program = program;
    /* Calls into the layer from a callback must not deadlock. */
    clGetProgramBuildInfo(program, devices[0][STUB_IL], CL_PROGRAM_BUILD_STATUS, sizeof call->status, &call->status,
                          NULL);
    atomic_fetch_add(&call->count, 1);
}

static void wait_for(struct call *call)
{
    struct timespec pause = {0, 1000000};
    for (int i = 0; i < 5000 && atomic_load(&call->count) == 0; i++)
        nanosleep(&pause, NULL);
    assert_int_equal(atomic_load(&call->count), 1);
}

static void callbacks(void **unused)
{
    (void)unused;
    cl_context context = make_context(STUB_IL);
    for (int async = 0; async < 2; async++) {
        struct call call = {0};
        cl_program program = make_program(context, &generic_module);
        stub->async = async;
        assert_int_equal(clBuildProgram(program, 0, NULL, "", on_built, &call), CL_SUCCESS);
        cl_program seen = program;
        if (async) /* the last reference is released while the build is still running */
            clReleaseProgram(program);
        wait_for(&call);
        assert_ptr_equal(call.program, seen);
        assert_int_equal(call.status, CL_BUILD_SUCCESS);
        if (!async) clReleaseProgram(program);
    }
    stub->async = 0;
    clReleaseContext(context);
    struct timespec pause = {0, 20000000};
    nanosleep(&pause, NULL); /* until the driver's thread has released its program */
}

static void failed_callbacks(void **unused)
{
    (void)unused;
    cl_context context = make_context(STUB_IL);
    for (int lost = 0; lost < 2; lost++) {
        struct call call = {0};
        cl_program program = make_program(context, &generic_module);
        stub->fail_build = CL_BUILD_PROGRAM_FAILURE;
        stub->lose_callback = lost;
        assert_int_equal(clBuildProgram(program, 0, NULL, "", on_built, &call), CL_BUILD_PROGRAM_FAILURE);
        stub->fail_build = 0;
        stub->lose_callback = 0;
        assert_int_equal(call.count, 1);
        clReleaseProgram(program);
    }
    clReleaseContext(context);
}

/* ---- specialization constants ---- */

static void spec_constants_reach_a_driver_that_takes_them(void **unused)
{
    const uint32_t value = 99;
    (void)unused;
    cl_context context = make_context(STUB_IL);
    cl_program program = make_program(context, &spec_module);
    int before = stub->specs;
    assert_int_equal(clSetProgramSpecializationConstant(program, 5, 4, &value), CL_SUCCESS);
    assert_int_equal(stub->specs, before + 1);
    assert_int_equal(stub->spec_id, 5);
    assert_int_equal(stub->spec_value, 99);
    build(program);
    clReleaseProgram(program);
    clReleaseContext(context);
}

static bool module_has_word(uint32_t wanted)
{
    bool found = false;
    for (size_t at = 0; at + 4 <= stub->module.size; at += 4)
        found = found || memcmp(stub->module.data + at, &wanted, 4) == 0;
    return found;
}

static void spec_constants_are_folded_elsewhere(void **unused)
{
    const uint32_t value = 0x12345678, other = 0x23456789;
    (void)unused;
    cl_context context = make_context(STUB_KHR);
    cl_program program = make_program(context, &spec_module);
    int before = stub->specs;
    assert_int_equal(clSetProgramSpecializationConstant(program, 6, 4, &value), CL_INVALID_SPEC_ID);
    assert_int_equal(clSetProgramSpecializationConstant(program, 5, 2, &value), CL_INVALID_VALUE);
    assert_int_equal(clSetProgramSpecializationConstant(program, 5, 4, NULL), CL_INVALID_VALUE);
    assert_int_equal(clSetProgramSpecializationConstant(program, 5, 4, &value), CL_SUCCESS);
    build(program);
    assert_true(module_has_word(value));
    assert_int_equal(clSetProgramSpecializationConstant(program, 5, 4, &other), CL_SUCCESS);
    build(program);
    assert_true(module_has_word(other));
    assert_false(module_has_word(value));
    assert_int_equal(stub->specs, before);
    /* While kernels exist, the program cannot be replaced by another module. */
    cl_kernel kernel = clCreateKernel(program, "k", NULL);
    clSetProgramSpecializationConstant(program, 5, 4, &value);
    assert_int_equal(clBuildProgram(program, 0, NULL, "", NULL, NULL), CL_INVALID_OPERATION);
    clReleaseKernel(kernel);
    clReleaseProgram(program);
    clReleaseContext(context);
}

/* ---- several devices ---- */

static void devices_that_differ_share_a_context(void **unused)
{
    (void)unused;
    cl_device_id both[] = {devices[0][STUB_IL], devices[0][STUB_GENERIC]};
    cl_context context = make_context_of(2, both);
    cl_program program = make_program(context, &generic_module);
    assert_int_equal(clBuildProgram(program, 1, &both[0], "", NULL, NULL), CL_SUCCESS);
    assert_false(driver_saw_generic());
    build(program);
    size_t sizes[2] = {0, 0};
    assert_int_equal(clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof sizes, sizes, NULL), CL_SUCCESS);
    assert_int_equal(sizes[0], 4);
    assert_int_equal(sizes[1], 4);
    clReleaseProgram(program);
    clReleaseContext(context);
}

/* ---- extension functions ---- */

/* Looks the function up by platform, or by name alone, as in OpenCL 1.1. */
static void look_up(bool by_platform, int platform, const char *name, void *function)
{
    void *address = by_platform ? extension(platform, name) : clGetExtensionFunctionAddress(name);
    assert_non_null(address);
    memcpy(function, &address, sizeof address);
}

typedef cl_int(CL_API_CALL *pointer_fn)(cl_device_id, cl_program, const char *, size_t *, void **);
typedef cl_int(CL_API_CALL *function_fn)(cl_device_id, cl_program, const char *, cl_ulong *);
typedef cl_int(CL_API_CALL *variable_fn)(cl_command_queue, cl_program, const char *, cl_bool, size_t, size_t, void *,
                                         cl_uint, const cl_event *, cl_event *);
typedef cl_int(CL_API_CALL *pipe_fn)(cl_command_queue, cl_program, const char *, cl_bool, void *, size_t, cl_uint,
                                     const cl_event *, cl_event *);

/* Calls the extension functions for `program`, which must have been built to answer. */
static void call_extensions(bool by_platform, int platform, cl_command_queue queue, cl_program program, cl_int expected)
{
    static const char *const variables[] = {"clEnqueueReadGlobalVariableINTEL", "clEnqueueWriteGlobalVariableINTEL"};
    static const char *const pipes[] = {"clEnqueueReadHostPipeINTEL", "clEnqueueWriteHostPipeINTEL"};
    cl_device_id device = NULL;
    pointer_fn pointer;
    function_fn function;
    variable_fn variable;
    pipe_fn pipe;
    void *found = NULL;
    size_t size = 0;
    cl_ulong number = 0;
    clGetCommandQueueInfo(queue, CL_QUEUE_DEVICE, sizeof device, &device, NULL);
    look_up(by_platform, platform, "clGetDeviceGlobalVariablePointerINTEL", &pointer);
    assert_int_equal(pointer(device, program, "v", &size, &found), expected);
    if (expected == CL_SUCCESS) {
        assert_ptr_equal(found, platforms[platform]); /* the function of the program's own platform */
        assert_int_equal(pointer(NULL, program, "v", &size, &found), CL_INVALID_DEVICE);
    }
    look_up(by_platform, platform, "clGetDeviceFunctionPointerINTEL", &function);
    assert_int_equal(function(device, program, "f", &number), expected);
    if (expected == CL_SUCCESS) assert_int_equal(number, 7);
    for (int i = 0; i < 2; i++) {
        look_up(by_platform, platform, variables[i], &variable);
        assert_int_equal(variable(queue, program, "v", CL_TRUE, 4, 0, &number, 0, NULL, NULL), expected);
        look_up(by_platform, platform, pipes[i], &pipe);
        assert_int_equal(pipe(queue, program, "p", CL_TRUE, &number, 4, 0, NULL, NULL), expected);
    }
}

static void extension_functions_get_the_drivers_program(void **unused)
{
    (void)unused;
    for (int i = 0; i < 4; i++) {
        int platform = i % 2;
        cl_device_id device = devices[platform][STUB_IL];
        cl_context context = make_context_of(1, &device);
        cl_command_queue queue = clCreateCommandQueueWithProperties(context, device, NULL, NULL);
        cl_program program = make_program(context, &generic_module), library = make_program(context, &caller_module);
        build(program);
        call_extensions(i < 2, platform, queue, program, CL_SUCCESS);
        call_extensions(i < 2, platform, queue, library, CL_INVALID_PROGRAM_EXECUTABLE); /* not built */
        clReleaseProgram(library);
        clReleaseProgram(program);
        clReleaseCommandQueue(queue);
        clReleaseContext(context);
    }
}

/* ---- compiling and linking ---- */

static void modules_are_linked_before_they_are_specialized(void **unused)
{
    const uint32_t value = 0x12345678;
    cl_int error = -1;
    (void)unused;
    cl_context context = make_context(STUB_IL);
    cl_program parts[] = {make_program(context, &caller_module), make_program(context, &callee_module)};
    assert_null(clLinkProgram(context, 0, NULL, "", 2, parts, NULL, NULL, &error));
    assert_int_equal(error, CL_INVALID_OPERATION); /* not compiled yet */
    assert_int_equal(clSetProgramSpecializationConstant(parts[1], 5, 4, &value), CL_SUCCESS);
    for (int i = 0; i < 2; i++)
        assert_int_equal(clCompileProgram(parts[i], 0, NULL, "", 0, NULL, NULL, NULL, NULL), CL_SUCCESS);
    cl_program linked = clLinkProgram(context, 0, NULL, "", 2, parts, NULL, NULL, &error);
    assert_int_equal(error, CL_SUCCESS);
    assert_false(driver_saw_generic());
    assert_true(module_has_word(value));
    stub->fail_build = CL_INVALID_BUILD_OPTIONS;
    cl_program failed = clLinkProgram(context, 0, NULL, "-nonsense", 2, parts, NULL, NULL, &error);
    stub->fail_build = 0;
    assert_int_equal(error, CL_INVALID_LINKER_OPTIONS);
    clReleaseProgram(failed);
    assert_int_equal(clCompileProgram(linked, 0, NULL, "", 0, NULL, NULL, NULL, NULL), CL_INVALID_OPERATION);
    clReleaseProgram(parts[0]);
    clReleaseProgram(parts[1]);
    cl_kernel kernel = clCreateKernel(linked, "k", &error);
    assert_int_equal(error, CL_SUCCESS);
    assert_ptr_equal(program_of(kernel), linked);
    size_t size = 1;
    assert_int_equal(clGetProgramInfo(linked, CL_PROGRAM_IL, 0, NULL, &size), CL_SUCCESS);
    assert_int_equal(size, 0);
    clReleaseKernel(kernel);
    clReleaseProgram(linked);
    clReleaseContext(context);
}

static void a_missing_function_fails_the_link(void **unused)
{
    cl_int error = 0;
    (void)unused;
    cl_context context = make_context(STUB_IL);
    cl_program part = make_program(context, &caller_module);
    assert_int_equal(clCompileProgram(part, 0, NULL, "", 0, NULL, NULL, NULL, NULL), CL_SUCCESS);
    cl_program linked = clLinkProgram(context, 0, NULL, "", 1, &part, NULL, NULL, &error);
    assert_int_equal(error, CL_LINK_PROGRAM_FAILURE);
    assert_non_null(linked);
    assert_non_null(strstr(build_log(linked, devices[0][STUB_IL]), "put"));
    clReleaseProgram(linked);
    clReleaseProgram(part);
    clReleaseContext(context);
}

static void libraries_link_into_programs(void **unused)
{
    cl_int error = -1;
    cl_program_binary_type kind = 0;
    (void)unused;
    cl_context context = make_context(STUB_IL);
    cl_program parts[] = {make_program(context, &caller_module), make_program(context, &callee_module)};
    for (int i = 0; i < 2; i++)
        assert_int_equal(clCompileProgram(parts[i], 0, NULL, "", 0, NULL, NULL, NULL, NULL), CL_SUCCESS);
    cl_program library = clLinkProgram(context, 0, NULL, "-create-library", 1, &parts[1], NULL, NULL, &error);
    assert_int_equal(error, CL_SUCCESS);
    clGetProgramBuildInfo(library, devices[0][STUB_IL], CL_PROGRAM_BINARY_TYPE, sizeof kind, &kind, NULL);
    assert_int_equal(kind, CL_PROGRAM_BINARY_TYPE_LIBRARY);
    cl_program both[] = {parts[0], library};
    struct call call = {0};
    cl_program linked = clLinkProgram(context, 0, NULL, "", 2, both, on_built, &call, &error);
    assert_int_equal(error, CL_SUCCESS);
    assert_int_equal(call.count, 1);
    assert_ptr_equal(call.program, linked);
    assert_false(driver_saw_generic());
    clReleaseProgram(linked);
    clReleaseProgram(library);
    clReleaseProgram(parts[0]);
    clReleaseProgram(parts[1]);
    clReleaseContext(context);
}

#define TEST(name) cmocka_unit_test_teardown(name, check_nothing_left)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(generic_is_specialized),
        TEST(plain_passes_byte_for_byte),
        TEST(generic_devices_are_left_alone),
        TEST(khr_device_gets_the_khr_call),
        TEST(khr_entry_is_ours),
        TEST(core_names_asked_by_name_are_ours),
        TEST(driver_errors_come_through),
        TEST(malformed_gets_the_drivers_answer),
        TEST(wrong_arguments),
        TEST(queries),
        TEST(kernels_know_our_program),
        TEST(foreign_programs_go_through),
        TEST(release_callback_gets_our_handle),
        TEST(callbacks),
        TEST(failed_callbacks),
        TEST(spec_constants_reach_a_driver_that_takes_them),
        TEST(spec_constants_are_folded_elsewhere),
        TEST(devices_that_differ_share_a_context),
        TEST(extension_functions_get_the_drivers_program),
        TEST(modules_are_linked_before_they_are_specialized),
        TEST(a_missing_function_fails_the_link),
        TEST(libraries_link_into_programs),
    };
    return cmocka_run_group_tests(tests, find_stub, free_modules);
}
