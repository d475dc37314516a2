/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_api.c - calls for programs made from IL other than creating and building one: a subset of the devices, other
 * options, binaries, queries about kernels, callbacks that call the layer, compiling and linking for devices that
 * accept bitcode, and functions of OpenCL 2 that old drivers must never get.
 */
#define _GNU_SOURCE
#include "common.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

static cl_build_status status_of(cl_program program, cl_device_id device)
{
    cl_build_status status = 77;
    assert_int_equal(clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_STATUS, sizeof status, &status, NULL),
                     CL_SUCCESS);
    return status;
}

static cl_program_binary_type kind_of(cl_program program, cl_device_id device)
{
    cl_program_binary_type kind = 77;
    assert_int_equal(clGetProgramBuildInfo(program, device, CL_PROGRAM_BINARY_TYPE, sizeof kind, &kind, NULL),
                     CL_SUCCESS);
    return kind;
}

static void some_devices_of_several(void **unused)
{
    cl_device_id list[] = {devices[0][STUB_IL], devices[0][STUB_KHR], devices[0][STUB_SPIR], devices[0][STUB_GENERIC]};
    cl_uint number = 0;
    char options[16] = "";
    (void)unused;
    cl_context context = make_context_of(4, list);
    cl_program program = make_program(context, &generic_module);
    assert_int_equal(clGetProgramInfo(program, CL_PROGRAM_NUM_DEVICES, sizeof number, &number, NULL), CL_SUCCESS);
    assert_int_equal(number, 4);
    assert_int_equal(clBuildProgram(program, 1, &list[2], "-one", NULL, NULL), CL_SUCCESS);
    assert_int_equal(status_of(program, list[0]), CL_BUILD_NONE);
    assert_int_equal(status_of(program, list[1]), CL_BUILD_NONE);
    assert_int_equal(status_of(program, list[2]), CL_BUILD_SUCCESS);
    assert_int_equal(clBuildProgram(program, 2, list, "-two", NULL, NULL), CL_SUCCESS);
    assert_int_equal(status_of(program, list[0]), CL_BUILD_SUCCESS);
    assert_int_equal(status_of(program, list[1]), CL_BUILD_SUCCESS);
    clGetProgramBuildInfo(program, list[1], CL_PROGRAM_BUILD_OPTIONS, sizeof options, options, NULL);
    assert_string_equal(options, "-two");
    clGetProgramBuildInfo(program, list[2], CL_PROGRAM_BUILD_OPTIONS, sizeof options, options, NULL);
    assert_string_equal(options, "-one");
    clReleaseProgram(program);
    clReleaseContext(context);
}

static void built_again_with_other_options(void **unused)
{
    char options[16] = "";
    (void)unused;
    cl_context context = make_context(STUB_IL);
    cl_program program = make_program(context, &generic_module);
    int created = stub->created_il;
    assert_int_equal(clBuildProgram(program, 0, NULL, "-a", NULL, NULL), CL_SUCCESS);
    assert_int_equal(clBuildProgram(program, 0, NULL, "-b", NULL, NULL), CL_SUCCESS);
    assert_string_equal(stub->options, "-b");
    assert_int_equal(stub->created_il, created); /* the driver program is the same */
    clGetProgramBuildInfo(program, devices[0][STUB_IL], CL_PROGRAM_BUILD_OPTIONS, sizeof options, options, NULL);
    assert_string_equal(options, "-b");
    clReleaseProgram(program);
    clReleaseContext(context);
}

/* A build whose arguments the driver rejects changes nothing. */
static void a_build_that_is_not_taken(void **unused)
{
    static const cl_int errors[] = {CL_INVALID_BUILD_OPTIONS, CL_INVALID_OPERATION};
    char options[16] = "";
    (void)unused;
    cl_context context = make_context(STUB_IL);
    cl_program program = make_program(context, &generic_module);
    assert_int_equal(clBuildProgram(program, 0, NULL, "-a", NULL, NULL), CL_SUCCESS);
    for (int i = 0; i < 2; i++) {
        cl_device_id twice[] = {devices[0][STUB_IL], devices[0][STUB_IL]};
        stub->fail_build = errors[i];
        assert_int_equal(clBuildProgram(program, 2, twice, "-b", NULL, NULL), errors[i]);
        stub->fail_build = 0;
        clGetProgramBuildInfo(program, twice[0], CL_PROGRAM_BUILD_OPTIONS, sizeof options, options, NULL);
        assert_string_equal(options, "-a");
        assert_int_equal(status_of(program, twice[0]), CL_BUILD_SUCCESS);
    }
    stub->fail_build = CL_BUILD_PROGRAM_FAILURE;
    assert_int_equal(clBuildProgram(program, 0, NULL, "-c", NULL, NULL), CL_BUILD_PROGRAM_FAILURE);
    stub->fail_build = 0;
    clGetProgramBuildInfo(program, devices[0][STUB_IL], CL_PROGRAM_BUILD_OPTIONS, sizeof options, options, NULL);
    assert_string_equal(options, "-c");
    clReleaseProgram(program);
    clReleaseContext(context);
}

/* A driver may end the process if a program made from bitcode is built again after its binary was queried. */
static void bitcode_is_made_anew_after_its_binary(void **unused)
{
    size_t size = 0;
    (void)unused;
    cl_context context = make_context(STUB_SPIR);
    cl_program program = make_program(context, &generic_module);
    int created = stub->created_binary;
    for (int i = 0; i < 4; i++) {
        assert_int_equal(clBuildProgram(program, 0, NULL, "", NULL, NULL), CL_SUCCESS);
        assert_int_equal(stub->created_binary, created + (i == 0 ? 1 : i));
        if (i > 0) clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, NULL);
    }
    assert_int_equal(size, 4);
    cl_kernel kernel = clCreateKernel(program, "k", NULL);
    assert_int_equal(clBuildProgram(program, 0, NULL, "", NULL, NULL), CL_INVALID_OPERATION);
    assert_int_equal(clCompileProgram(program, 0, NULL, "", 0, NULL, NULL, NULL, NULL), CL_INVALID_OPERATION);
    clReleaseKernel(kernel);
    clReleaseProgram(program);
    clReleaseContext(context);
}

/* A driver may end the process if a program made from bitcode is built a third time. */
static void bitcode_is_made_anew_after_two_builds(void **unused)
{
    (void)unused;
    cl_context context = make_context(STUB_SPIR);
    cl_program program = make_program(context, &generic_module);
    int created = stub->created_binary;
    for (int i = 0; i < 6; i++) {
        assert_int_equal(clBuildProgram(program, 0, NULL, "", NULL, NULL), CL_SUCCESS);
        assert_int_equal(stub->created_binary, created + i / 2 + 1);
    }
    clReleaseProgram(program);
    clReleaseContext(context);
}

static void a_program_has_no_source(void **unused)
{
    static const enum stub_device kinds[] = {STUB_IL, STUB_KHR, STUB_FAST, STUB_SPIR};
    (void)unused;
    for (int i = 0; i < 4; i++) {
        size_t before = 77, after = 77;
        cl_context context = make_context(kinds[i]);
        cl_program program = make_program(context, &generic_module);
        assert_int_equal(clGetProgramInfo(program, CL_PROGRAM_SOURCE, 0, NULL, &before), CL_SUCCESS);
        assert_int_equal(clBuildProgram(program, 0, NULL, "", NULL, NULL), CL_SUCCESS);
        assert_int_equal(clGetProgramInfo(program, CL_PROGRAM_SOURCE, 0, NULL, &after), CL_SUCCESS);
        assert_int_equal(before, kinds[i] == STUB_SPIR); /* such drivers report an empty string */
        assert_int_equal(after, before);
        clReleaseProgram(program);
        clReleaseContext(context);
    }
}

static void binaries_are_the_drivers_own(void **unused)
{
    unsigned char binary[16] = {0}, *targets[] = {binary};
    const unsigned char *given = binary;
    size_t size = 0;
    cl_int error = -1;
    (void)unused;
    cl_device_id device = devices[0][STUB_IL];
    cl_context context = make_context(STUB_IL);
    cl_program program = make_program(context, &generic_module), seen = NULL;
    assert_int_equal(clBuildProgram(program, 0, NULL, "", NULL, NULL), CL_SUCCESS);
    assert_int_equal(clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, NULL), CL_SUCCESS);
    assert_int_equal(clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof targets, targets, NULL), CL_SUCCESS);
    cl_program again = clCreateProgramWithBinary(context, 1, &device, &size, &given, NULL, &error);
    assert_int_equal(error, CL_SUCCESS);
    assert_int_equal(stub->module.size, size);
    assert_memory_equal(stub->module.data, binary, size);
    assert_int_equal(clBuildProgram(again, 0, NULL, "", NULL, NULL), CL_SUCCESS);
    cl_kernel kernel = clCreateKernel(again, "k", NULL);
    assert_int_equal(clGetKernelInfo(kernel, CL_KERNEL_PROGRAM, sizeof seen, &seen, NULL), CL_SUCCESS);
    assert_ptr_equal(seen, again);
    clReleaseKernel(kernel);
    clReleaseProgram(again);
    clReleaseProgram(program);
    clReleaseContext(context);
}

static void kernels_answer_for_themselves(void **unused)
{
    char name[16] = "";
    size_t size = 0;
    (void)unused;
    cl_context context = make_context(STUB_IL);
    cl_program program = make_program(context, &generic_module);
    assert_int_equal(clBuildProgram(program, 0, NULL, "", NULL, NULL), CL_SUCCESS);
    cl_kernel kernel = clCreateKernel(program, "k", NULL);
    assert_int_equal(clGetKernelArgInfo(kernel, 0, CL_KERNEL_ARG_NAME, sizeof name, name, NULL), CL_SUCCESS);
    assert_string_equal(name, "argument");
    assert_int_equal(
        clGetKernelWorkGroupInfo(kernel, devices[0][STUB_IL], CL_KERNEL_WORK_GROUP_SIZE, sizeof size, &size, NULL),
        CL_SUCCESS);
    assert_int_equal(size, 128);
    clReleaseKernel(kernel);
    clReleaseProgram(program);
    clReleaseContext(context);
}

/* ---- callbacks ---- */

static cl_context callback_context;
static atomic_int callbacks;

/* Makes every call that an application may make in a callback, including the release of the program. */
static void CL_CALLBACK use_all(cl_program program, void *user)
{
    cl_kernel kernel = clCreateKernel(program, "k", NULL);
    cl_int error = clBuildProgram(*(cl_program *)user, 0, NULL, "", NULL, NULL);
    cl_program another = clCreateProgramWithIL(callback_context, generic_module.data, generic_module.size, NULL);
    size_t size = 0;
    bool good =
        kernel && another && error == CL_SUCCESS && clBuildProgram(another, 0, NULL, "", NULL, NULL) == CL_SUCCESS;
    good = good && clGetProgramInfo(program, CL_PROGRAM_KERNEL_NAMES, 0, NULL, &size) == CL_SUCCESS && size > 0;
    clReleaseProgram(another);
    clReleaseKernel(kernel);
    clReleaseProgram(program);
    atomic_fetch_add(&callbacks, good ? 1 : 100);
}

static void call_back(enum stub_device kind, bool async)
{
    struct timespec pause = {0, 1000000};
    callback_context = make_context(kind);
    atomic_store(&callbacks, 0);
    stub->async = async;
    cl_program other = make_program(callback_context, &generic_module);
    cl_program program = make_program(callback_context, &generic_module);
    assert_int_equal(clBuildProgram(program, 0, NULL, "", use_all, &other), CL_SUCCESS);
    for (int i = 0; i < 5000 && !atomic_load(&callbacks); i++)
        nanosleep(&pause, NULL);
    assert_int_equal(atomic_load(&callbacks), 1);
    clReleaseProgram(other);
    stub->async = 0;
    for (int i = 0; i < 5000 && stub->programs; i++)
        nanosleep(&pause, NULL);
    clReleaseContext(callback_context);
}

static void a_callback_may_do_everything(void **unused)
{
    static const enum stub_device kinds[] = {STUB_IL, STUB_KHR, STUB_SPIR, STUB_FAST, STUB_SOURCE};
    (void)unused;
    for (int i = 0; i < 10; i++)
        call_back(kinds[i / 2], i % 2);
}

/* ---- devices that accept bitcode --------------------------------------------------------------------------------- */

static void linked_for_bitcode(void **unused)
{
    cl_int error = -1;
    (void)unused;
    cl_context context = make_context(STUB_SPIR);
    cl_program parts[] = {make_program(context, &caller_module), make_program(context, &callee_module)};
    int created = stub->created_binary;
    for (int i = 0; i < 2; i++) {
        assert_int_equal(clCompileProgram(parts[i], 0, NULL, "", 0, NULL, NULL, NULL, NULL), CL_SUCCESS);
        assert_int_equal(status_of(parts[i], devices[0][STUB_SPIR]), CL_BUILD_SUCCESS);
        assert_int_equal(kind_of(parts[i], devices[0][STUB_SPIR]), CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT);
    }
    cl_program library = clLinkProgram(context, 0, NULL, "-create-library", 1, &parts[1], NULL, NULL, &error);
    assert_int_equal(error, CL_SUCCESS);
    assert_int_equal(stub->created_binary, created); /* the driver has got nothing yet */
    cl_program both[] = {parts[0], library};
    cl_program linked = clLinkProgram(context, 0, NULL, "", 2, both, NULL, NULL, &error);
    assert_int_equal(error, CL_SUCCESS);
    assert_int_equal(stub->created_binary, created + 1);
    assert_memory_equal(stub->module.data, "BC\xC0\xDE", 4);
    assert_int_equal(kind_of(library, devices[0][STUB_SPIR]), CL_PROGRAM_BINARY_TYPE_LIBRARY);
    assert_int_equal(kind_of(linked, devices[0][STUB_SPIR]), CL_PROGRAM_BINARY_TYPE_EXECUTABLE);
    cl_kernel kernel = clCreateKernel(linked, "k", &error);
    assert_int_equal(error, CL_SUCCESS);
    clReleaseKernel(kernel);
    clReleaseProgram(linked);
    clReleaseProgram(library);
    clReleaseProgram(parts[0]);
    clReleaseProgram(parts[1]);
    clReleaseContext(context);
}

static void spec_values_are_folded_for_bitcode(void **unused)
{
    const uint32_t value = 0x12345678;
    bool found = false;
    (void)unused;
    cl_context context = make_context(STUB_SPIR);
    cl_program program = make_program(context, &spec_module);
    int before = stub->specs;
    assert_int_equal(clSetProgramSpecializationConstant(program, 5, sizeof value, &value), CL_SUCCESS);
    assert_int_equal(clBuildProgram(program, 0, NULL, "", NULL, NULL), CL_SUCCESS);
    assert_int_equal(stub->specs, before); /* such drivers would end the process */
    for (size_t at = 0; at + 4 <= stub->module.size; at += 4)
        found = found || memcmp(stub->module.data + at, &value, 4) == 0;
    assert_true(found);
    clReleaseProgram(program);
    clReleaseContext(context);
}

static void old_drivers_never_see_what_they_lack(void **unused)
{
    static const enum stub_device kinds[] = {STUB_KHR, STUB_SPIR, STUB_SOURCE, STUB_NOTHING};
    const struct bytes *modules[] = {&generic_module, &plain_module};
    (void)unused;
    int created = stub->created_il;
    for (int i = 0; i < 4; i++) {
        cl_context context = make_context(kinds[i]);
        for (int j = 0; j < 2; j++) {
            cl_int error = -1;
            cl_program program = clCreateProgramWithIL(context, modules[j]->data, modules[j]->size, &error);
            assert_int_equal(error, kinds[i] == STUB_NOTHING ? CL_INVALID_OPERATION : CL_SUCCESS);
            if (program) clBuildProgram(program, 0, NULL, "", NULL, NULL);
            if (program) clReleaseProgram(program);
        }
        assert_null(clCreateProgramWithIL(context, "no SPIR-V", 9, NULL));
        clReleaseContext(context);
    }
    assert_int_equal(stub->created_il, created);
    cl_context context = make_context(STUB_SPIR);
    cl_program program = make_program(context, &generic_module);
    cl_int error = 0;
    assert_int_equal(clBuildProgram(program, 0, NULL, "", NULL, NULL), CL_SUCCESS);
    cl_kernel kernel = clCreateKernel(program, "k", NULL);
    assert_null(clCloneKernel(kernel, &error));
    assert_int_equal(error, CL_INVALID_OPERATION);
    clReleaseKernel(kernel);
    clReleaseProgram(program);
    clReleaseContext(context);
}

#define TEST(name) cmocka_unit_test_teardown(name, check_nothing_left)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(some_devices_of_several),
        TEST(built_again_with_other_options),
        TEST(a_build_that_is_not_taken),
        TEST(bitcode_is_made_anew_after_its_binary),
        TEST(bitcode_is_made_anew_after_two_builds),
        TEST(a_program_has_no_source),
        TEST(binaries_are_the_drivers_own),
        TEST(kernels_answer_for_themselves),
        TEST(a_callback_may_do_everything),
        TEST(linked_for_bitcode),
        TEST(spec_values_are_folded_for_bitcode),
        TEST(old_drivers_never_see_what_they_lack),
    };
    return cmocka_run_group_tests(tests, find_stub, free_modules);
}
