/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_devices.c - the answers to device queries through the layer, including queries for sizes. With TEST_OFFERS=0 the
 * translator is missing, and devices that would need it get OpenCL C. With TEST_SOURCE=1 nonflat-cl exists, so that
 * generic pointers are available in source, too.
 */
#include "common.h"

#include <stdlib.h>
#include <string.h>

static bool offers;   /* the layer offers IL where the driver accepts bitcode */
static bool compiles; /* OpenCL C */

static const char *text(enum stub_device kind, cl_device_info name)
{
    static char value[512];
    size_t size = 0;
    if (clGetDeviceInfo(devices[0][kind], name, 0, NULL, &size) != CL_SUCCESS) return NULL;
    assert_true(size <= sizeof value);
    assert_int_equal(clGetDeviceInfo(devices[0][kind], name, sizeof value, value, NULL), CL_SUCCESS);
    assert_int_equal(strlen(value) + 1, size);
    if (size > 1) /* a buffer that is one byte too small is an error according to the specification */
        assert_int_equal(clGetDeviceInfo(devices[0][kind], name, size - 1, value, NULL), CL_INVALID_VALUE);
    return value;
}

static int generic(enum stub_device kind)
{
    cl_bool value = 77;
    size_t size = 0;
    cl_int error =
        clGetDeviceInfo(devices[0][kind], CL_DEVICE_GENERIC_ADDRESS_SPACE_SUPPORT, sizeof value, &value, &size);
    if (error != CL_SUCCESS) return -1;
    assert_int_equal(size, sizeof value);
    return (int)value;
}

/* Returns the size in bytes of a list, into a buffer for `room`; -1 if the device has no such list. */
static long list_of(enum stub_device kind, cl_device_info info, void *list, size_t room)
{
    size_t size = 0, again = 0;
    if (clGetDeviceInfo(devices[0][kind], info, 0, NULL, &size) != CL_SUCCESS) return -1;
    assert_int_equal(clGetDeviceInfo(devices[0][kind], info, room, list, &again), CL_SUCCESS);
    assert_int_equal(size, again);
    return (long)size;
}

/* Returns how often `name` occurs in a list of names with versions; -1 if the device has no such list. */
static int named(enum stub_device kind, cl_device_info info, const char *name)
{
    cl_name_version list[32];
    long size = list_of(kind, info, list, sizeof list);
    int count = 0;
    for (long i = 0; i < size / (long)sizeof *list; i++)
        count += strcmp(list[i].name, name) == 0;
    return size < 0 ? -1 : count;
}

/* An application that queries this builds OpenCL C with generic pointers next: without nonflat-cl the answer is the
 * driver's. */
static void generic_support(void **unused)
{
    (void)unused;
    assert_int_equal(generic(STUB_IL), compiles);
    assert_int_equal(generic(STUB_KHR), -1);
    assert_int_equal(generic(STUB_GENERIC), CL_TRUE);
    assert_int_equal(generic(STUB_GENERIC_2), -1);
    assert_int_equal(generic(STUB_NOTHING), -1);
    assert_int_equal(generic(STUB_SPIR), -1);
    assert_int_equal(generic(STUB_SPIR_3), compiles);
    assert_int_equal(generic(STUB_SOURCE), -1);
    assert_int_equal(generic(STUB_SOURCE_3), compiles);
}

/* Returns the number of capabilities that the device lists if GenericPointer is among them once; -1: it has no list,
 * -2: it is not among them. */
static int capabilities(enum stub_device kind)
{
    enum { SPIRV_CAPABILITIES = 0x12bb, GENERIC_POINTER = 38 };
    cl_uint list[32];
    long size = list_of(kind, SPIRV_CAPABILITIES, list, sizeof list);
    int count = 0;
    for (long i = 0; i < size / (long)sizeof *list; i++)
        count += list[i] == GENERIC_POINTER;
    if (size < 0) return -1;
    return count == 1 ? (int)(size / (long)sizeof *list) : -2;
}

/* The queries that a run-time makes before it delivers SPIR-V. */
static void spirv_capabilities(void **unused)
{
    (void)unused;
    assert_int_equal(capabilities(STUB_IL), 4); /* the driver has three of them */
    assert_int_equal(capabilities(STUB_GENERIC), 4);
    assert_int_equal(capabilities(STUB_KHR), -1);
}

static void features(void **unused)
{
    static const char name[] = "__opencl_c_generic_address_space";
    (void)unused;
    assert_int_equal(named(STUB_IL, CL_DEVICE_OPENCL_C_FEATURES, name), compiles);
    assert_int_equal(named(STUB_IL, CL_DEVICE_OPENCL_C_FEATURES, "__opencl_c_int64"), 1);
    assert_int_equal(named(STUB_GENERIC, CL_DEVICE_OPENCL_C_FEATURES, name), 0);
    assert_int_equal(named(STUB_SPIR_3, CL_DEVICE_OPENCL_C_FEATURES, name), compiles);
    assert_int_equal(named(STUB_SOURCE_3, CL_DEVICE_OPENCL_C_FEATURES, name), compiles);
    assert_int_equal(named(STUB_KHR, CL_DEVICE_OPENCL_C_FEATURES, name), -1);
}

static void il(void **unused)
{
    (void)unused;
    assert_string_equal(text(STUB_IL, CL_DEVICE_IL_VERSION), "SPIR-V_1.0 SPIR-V_1.4");
    assert_string_equal(text(STUB_KHR, CL_DEVICE_EXTENSIONS), "cl_khr_il_program");
    assert_int_equal(named(STUB_IL, CL_DEVICE_ILS_WITH_VERSION, "SPIR-V"), 1);
    static const enum stub_device old[] = {STUB_SPIR, STUB_SOURCE}, new[] = {STUB_SPIR_3, STUB_SOURCE_3};
    assert_string_equal(text(STUB_SPIR, CL_DEVICE_EXTENSIONS), "cl_khr_spir cl_khr_fp64 cl_khr_il_program");
    assert_string_equal(text(STUB_SOURCE, CL_DEVICE_EXTENSIONS), "cl_khr_fp64 cl_khr_il_program");
    for (int i = 0; i < 2; i++) {
        assert_non_null(strstr(text(old[i], CL_DEVICE_IL_VERSION), "SPIR-V_1.4"));
        assert_int_equal(named(new[i], CL_DEVICE_ILS_WITH_VERSION, "SPIR-V"), 5);
        assert_int_equal(named(new[i], CL_DEVICE_EXTENSIONS_WITH_VERSION, "cl_khr_il_program"), 1);
    }
    assert_null(text(STUB_NOTHING, CL_DEVICE_IL_VERSION));
    assert_string_equal(text(STUB_NOTHING, CL_DEVICE_EXTENSIONS), "");
}

static void creation_follows(void **unused)
{
    static const enum stub_device kinds[] = {STUB_SPIR, STUB_SPIR_3, STUB_SOURCE, STUB_SOURCE_3};
    (void)unused;
    for (int i = 0; i < 4; i++) {
        cl_context context = make_context(kinds[i]);
        cl_program program = make_program(context, &generic_module);
        int binaries = stub->created_binary, sources = stub->created_source;
        bool bitcode = offers && i < 2; /* without a translator the device gets OpenCL C */
        assert_int_equal(clBuildProgram(program, 0, NULL, "", NULL, NULL), CL_SUCCESS);
        assert_int_equal(stub->created_source - sources, !bitcode);
        assert_int_equal(stub->created_binary - binaries, bitcode);
        clReleaseProgram(program);
        clReleaseContext(context);
    }
    cl_int error = 0;
    cl_context context = make_context(STUB_NOTHING);
    assert_null(clCreateProgramWithIL(context, generic_module.data, generic_module.size, &error));
    assert_int_equal(error, CL_INVALID_OPERATION);
    clReleaseContext(context);
}

/* Compilers recurse for nested brackets, and run in the host's thread, whose stack may be small. */
static void compilers_are_asked_in_a_flat_way(void **unused)
{
    const char *text = "kernel void k(global int *p) { int *g = p; g[0] = 1; }";
    (void)unused;
    if (!compiles) {
        print_message("needs nonflat-cl\n");
        skip();
    }
    cl_context context = make_context(STUB_SPIR_3);
    cl_program program = clCreateProgramWithSource(context, 1, &text, NULL, NULL);
    assert_non_null(program);
    stub->deepest = 0;
    clBuildProgram(program, 0, NULL, "-cl-std=CL3.0", NULL, NULL);
    assert_true(stub->deepest >= 3 && stub->deepest <= 16);
    clReleaseProgram(program);
    clReleaseContext(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(generic_support),
        cmocka_unit_test(spirv_capabilities),
        cmocka_unit_test(features),
        cmocka_unit_test(il),
        cmocka_unit_test_teardown(creation_follows, check_nothing_left),
        cmocka_unit_test_teardown(compilers_are_asked_in_a_flat_way, check_nothing_left),
    };
    const char *value = getenv("TEST_OFFERS");
    offers = value && *value == '1';
    value = getenv("TEST_SOURCE");
    compiles = value && *value == '1';
    return cmocka_run_group_tests(tests, find_stub, free_modules);
}
