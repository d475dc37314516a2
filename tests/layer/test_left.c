/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_left.c - source programs in a context of two devices, of which the layer serves one and leaves the other to its
 * driver. The compiler is fake_cl.sh.
 */
#define _GNU_SOURCE
#include "common.h"

#include <stdlib.h>
#include <string.h>

static const char *source = "kernel void k(global int *p) { int *q = p; *q = 1; }";

static cl_context open_both(enum stub_device left, enum stub_device served)
{
    const cl_device_id both[] = {devices[0][left], devices[0][served]};
    return make_context_of(2, both);
}

/* Builds source for which fake_cl.sh returns that module. */
static cl_program build(cl_context context, const char *module, cl_int expected)
{
    cl_int error = -1;
    setenv("FAKE_CL_MODULE", module, 1);
    cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, &error);
    assert_int_equal(error, CL_SUCCESS);
    assert_int_equal(clBuildProgram(program, 0, NULL, "-cl-std=CL3.0", NULL, NULL), expected);
    return program;
}

/* The device that reports no version has no record, and the driver of the other device has no clCloneKernel. */
static void a_clone_where_a_version_is_unknown(void **unused)
{
    cl_int error = -1;
    (void)unused;
    stub->unknown = 1u << STUB_NOTHING;
    cl_context context = open_both(STUB_NOTHING, STUB_SOURCE);
    cl_program program = build(context, "generic", CL_SUCCESS);
    cl_kernel kernel = clCreateKernel(program, "k", &error);
    assert_int_equal(error, CL_SUCCESS);
    assert_int_equal(stub->kernels, 2); /* the layer's program and the driver's each have one */
    assert_null(clCloneKernel(kernel, &error));
    assert_int_equal(error, CL_INVALID_OPERATION);
    clReleaseKernel(kernel);
    clReleaseProgram(program);
    clReleaseContext(context);
}

/* The driver accepts source that the layer could not build, because the translator refuses its module. The reason names
 * the translator's message, although the first device of the program is left to its driver, which has built it. */
static void the_reason_is_of_the_device_that_failed(void **unused)
{
    (void)unused;
    setenv("FAKE_SPIR", "refuse", 1);
    cl_context context = open_both(STUB_GENERIC, STUB_SPIR_3);
    cl_program program = build(context, "globals", CL_SUCCESS);
    for (int i = 0; i < 2; i++) {
        const char *log = build_log(program, devices[0][i ? STUB_SPIR_3 : STUB_GENERIC]);
        const char *reason = strstr(log, "nonflat-cl made of this source could not be built: ");
        assert_non_null(reason);
        assert_non_null(strstr(reason, "function 'foo' is not on this device"));
    }
    clReleaseProgram(program);
    clReleaseContext(context);
    unsetenv("FAKE_SPIR");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(a_clone_where_a_version_is_unknown, check_nothing_left),
        cmocka_unit_test_teardown(the_reason_is_of_the_device_that_failed, check_nothing_left),
    };
    return cmocka_run_group_tests(tests, find_stub, free_modules);
}
