/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_required_sizes.c - a kernel that requires a sub-group size, on a driver that reports to be Mesa's rusticl. The
 * device STUB_IL lists sub-groups of 8 work-items, and STUB_IL_2 lists no sizes. The driver must not get the
 * requirement of a size that the device does not list, and the build log must have a warning.
 */
#define _GNU_SOURCE
#include "common.h"

#include <stdlib.h>
#include <string.h>

enum { OP_EXECUTION_MODE = 16, MODE_SUBGROUP_SIZE = 35 };
static const char warning[] = "warning: kernel 'k' requires sub-groups of 32 work-items and has operations on "
                              "sub-groups, but the device has sub-groups of 8: results may be wrong\n";

/* Returns the index of the word that contains the required size; 0 if the module requires none. */
static size_t find_size(const uint32_t *words, size_t count)
{
    for (size_t at = 5; at + 3 < count && words[at] >> 16; at += words[at] >> 16)
        if (words[at] == (4u << 16 | OP_EXECUTION_MODE) && words[at + 2] == MODE_SUBGROUP_SIZE) return at + 3;
    return 0;
}

/* Returns the size that the module requires which the driver received; 0 if it requires none. */
static uint32_t driver_size(void)
{
    static uint32_t words[sizeof stub->module.data / sizeof(uint32_t)];
    memcpy(words, stub->module.data, stub->module.size);
    size_t at = find_size(words, stub->module.size / sizeof *words);
    return at ? words[at] : 0;
}

/* Builds the module with a required size of `size` for a device, and checks what the driver and the log have. */
static void build(enum stub_device kind, uint32_t size, uint32_t in_driver, bool warns)
{
    struct bytes module = read_test_module("required_size");
    uint32_t *words = (uint32_t *)module.data;
    words[find_size(words, module.size / sizeof *words)] = size;
    cl_context context = make_context(kind);
    cl_program program = make_program(context, &module);
    assert_int_equal(clBuildProgram(program, 0, NULL, "", NULL, NULL), CL_SUCCESS);
    assert_false(driver_saw_generic()); /* the driver received the specialized module */
    assert_int_equal(driver_size(), in_driver);
    const char *log = build_log(program, devices[0][kind]);
    if (warns)
        assert_non_null(strstr(log, warning));
    else
        assert_null(strstr(log, "warning"));
    clReleaseProgram(program);
    clReleaseContext(context);
    free(module.data);
}

static void a_size_that_the_device_lacks_is_removed(void **unused)
{
    (void)unused;
    build(STUB_IL, 32, 0, true);
}

static void a_size_that_the_device_has_stays(void **unused)
{
    (void)unused;
    build(STUB_IL, 8, 8, false);
}

/* The result of the first test, for the same module, must not be used for this device. */
static void without_a_list_every_size_stays(void **unused)
{
    (void)unused;
    build(STUB_IL_2, 32, 32, false);
    build(STUB_IL_2, 8, 8, false);
}

/* One program for both devices: each has a build log of its own. */
static void devices_with_other_sizes_have_other_modules(void **unused)
{
    const cl_device_id both[] = {devices[0][STUB_IL], devices[0][STUB_IL_2]};
    struct bytes module = read_test_module("required_size");
    (void)unused;
    cl_context context = make_context_of(2, both);
    cl_program program = make_program(context, &module);
    assert_int_equal(clBuildProgram(program, 0, NULL, "", NULL, NULL), CL_SUCCESS);
    assert_non_null(strstr(build_log(program, both[0]), warning));
    assert_null(strstr(build_log(program, both[1]), "warning"));
    clReleaseProgram(program);
    clReleaseContext(context);
    free(module.data);
}

/* Source that the layer compiles to a module without generic pointers. */
static void a_build_of_source_has_the_warning(void **unused)
{
    const char *source = "#ifdef __opencl_c_generic_address_space\nkernel void k(global uint *p) { int *q; }\n#endif\n";
    cl_int error = -1;
    (void)unused;
    setenv("FAKE_CL_MODULE", "required_size_plain", 1);
    cl_context context = make_context(STUB_IL);
    cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, &error);
    assert_int_equal(error, CL_SUCCESS);
    assert_int_equal(clBuildProgram(program, 0, NULL, "-cl-std=CL3.0", NULL, NULL), CL_SUCCESS);
    assert_int_equal(driver_size(), 0);
    assert_non_null(strstr(build_log(program, devices[0][STUB_IL]), warning));
    clReleaseProgram(program);
    clReleaseContext(context);
}

static int set_up(void **unused)
{
    int failed = find_stub(unused);
    if (failed) return failed;
    strcpy(stub->platform, "rusticl"); /* the layer queries the sizes of this driver's devices only */
    stub->eights = 1u << STUB_IL;
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(a_size_that_the_device_lacks_is_removed, check_nothing_left),
        cmocka_unit_test_teardown(a_size_that_the_device_has_stays, check_nothing_left),
        cmocka_unit_test_teardown(without_a_list_every_size_stays, check_nothing_left),
        cmocka_unit_test_teardown(devices_with_other_sizes_have_other_modules, check_nothing_left),
        cmocka_unit_test_teardown(a_build_of_source_has_the_warning, check_nothing_left),
    };
    return cmocka_run_group_tests(tests, set_up, free_modules);
}
