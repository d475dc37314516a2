/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_counts.c - other threads retain and release a source program while it is being built, before it is known whether
 * the layer will handle it: it must live as long as the application holds it, and no longer.
 */
#define _GNU_SOURCE
#include "common.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static char folder[] = "/tmp/nonflat-counts-XXXXXX", began[64], go[64];
static cl_context context;

static void sleep_for(long milliseconds)
{
    const struct timespec time = {0, milliseconds * 1000000};
    nanosleep(&time, NULL);
}

static void *build(void *program)
{
    return (void *)(intptr_t)clBuildProgram(program, 0, NULL, "-cl-std=CL2.0", NULL, NULL);
}

static cl_program make_source(void)
{
    const char *text = "kernel void k(global int *p) { int *q = p; *q = 1; }";
    cl_int error = -1;
    cl_program program = clCreateProgramWithSource(context, 1, &text, NULL, &error);
    assert_int_equal(error, CL_SUCCESS);
    return program;
}

static cl_uint references(cl_program program)
{
    cl_uint count = 0;
    assert_int_equal(clGetProgramInfo(program, CL_PROGRAM_REFERENCE_COUNT, sizeof count, &count, NULL), CL_SUCCESS);
    return count;
}

/* Waits until `count` compilers run; each adds a line to the file. */
static void wait_for_compilers(int count)
{
    struct stat info = {0};
    for (int i = 0; i < 10000 && info.st_size < count * (off_t)strlen("began\n"); i++) {
        if (stat(began, &info) != 0) info.st_size = 0;
        sleep_for(5);
    }
}

/* Builds the program from `count` threads at a time, and calls `meanwhile` when all compilers run. */
static void build_and(cl_program program, int count, void (*meanwhile)(cl_program program))
{
    pthread_t threads[2];
    unlink(began);
    unlink(go);
    for (int i = 0; i < count; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, build, program), 0);
    wait_for_compilers(count);
    if (meanwhile) meanwhile(program);
    fclose(fopen(go, "w"));
    for (int i = 0; i < count; i++) {
        void *error = NULL;
        pthread_join(threads[i], &error);
        assert_int_equal((intptr_t)error, CL_SUCCESS);
    }
}

static void retain(cl_program program)
{
    assert_int_equal(clRetainProgram(program), CL_SUCCESS);
}

static void release(cl_program program)
{
    assert_int_equal(clReleaseProgram(program), CL_SUCCESS);
}

/* Creates and releases a kernel of the built program. */
static void use(cl_program program)
{
    cl_int error = -1;
    assert_false(driver_saw_generic());
    cl_kernel kernel = clCreateKernel(program, "k", &error);
    assert_int_equal(error, CL_SUCCESS);
    assert_int_equal(clReleaseKernel(kernel), CL_SUCCESS);
}

static void retained_while_it_is_built(void **unused)
{
    (void)unused;
    for (int again = 0; again < 2; again++) {
        cl_program program = make_source();
        if (again) build_and(program, 1, NULL);
        build_and(program, 1, retain);
        assert_int_equal(references(program), 2);
        release(program);
        use(program);
        assert_int_equal(references(program), 1);
        release(program);
        assert_int_equal(stub->programs, 0);
    }
}

static void released_while_it_is_built(void **unused)
{
    (void)unused;
    for (int again = 0; again < 2; again++) {
        cl_program program = make_source();
        retain(program);
        if (again) build_and(program, 1, NULL);
        build_and(program, 1, release);
        assert_int_equal(references(program), 1);
        use(program);
        release(program);
        assert_int_equal(stub->programs, 0);
    }
}

static void built_by_two(void **unused)
{
    (void)unused;
    cl_program program = make_source();
    build_and(program, 2, retain);
    assert_int_equal(references(program), 2);
    release(program);
    use(program);
    release(program);
    assert_int_equal(stub->programs, 0);
}

static void build_meanwhile(cl_program program)
{
    assert_int_equal((intptr_t)build(program), CL_INVALID_OPERATION);
}

/* Once a source program is a program of the layer, it can be built while another build of it runs. Before that, the
 * driver decides whether two builds may run at the same time. */
static void built_while_it_is_built(void **unused)
{
    (void)unused;
    cl_program program = make_source();
    build_and(program, 1, NULL);
    build_and(program, 1, build_meanwhile);
    assert_int_equal(references(program), 1);
    use(program);
    build_and(program, 1, NULL);
    release(program);
    assert_int_equal(stub->programs, 0);
}

static int open_all(void **unused)
{
    (void)unused;
    if (find_stub(NULL) || !mkdtemp(folder)) return 1;
    snprintf(began, sizeof began, "%s/began", folder);
    snprintf(go, sizeof go, "%s/go", folder);
    setenv("FAKE_CL_BEGAN", began, 1);
    setenv("FAKE_CL_GO", go, 1);
    context = make_context(STUB_IL);
    return 0;
}

static int close_all(void **unused)
{
    clReleaseContext(context);
    unlink(began);
    unlink(go);
    rmdir(folder);
    free_modules(unused);
    return check_nothing_left(unused);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(retained_while_it_is_built),
        cmocka_unit_test(released_while_it_is_built),
        cmocka_unit_test(built_by_two),
        cmocka_unit_test(built_while_it_is_built),
    };
    return cmocka_run_group_tests(tests, open_all, close_all);
}
