/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_environ.c - after a real loader has read OPENCL_LAYERS, a child process still gets all of it. TEST_LIST is the
 * value with which the test was started.
 */
#define _GNU_SOURCE
#include "common.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void a_child_gets_the_whole_list(void **unused)
{
    char line[8192] = "";
    (void)unused;
    cl_context context = make_context(STUB_IL);
    cl_program program = make_program(context, &generic_module);
    clReleaseProgram(program);
    clReleaseContext(context);
    FILE *child = popen("printf '%s' \"$OPENCL_LAYERS\"", "r");
    assert_non_null(child);
    assert_non_null(fgets(line, sizeof line, child));
    pclose(child);
    assert_string_equal(line, getenv("TEST_LIST"));
    assert_string_equal(getenv("OPENCL_LAYERS"), getenv("TEST_LIST"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_child_gets_the_whole_list)};
    return cmocka_run_group_tests(tests, find_stub, free_modules);
}
