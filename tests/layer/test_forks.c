/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_forks.c - hosts with fork handlers that use OpenCL: work in progress is finished or released before the fork,
 * and the child can build programs. The handlers are registered before the layer's, so they run during a fork while the
 * layer holds all its locks.
 */
#define _GNU_SOURCE
#include "common.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static cl_context context;
static cl_program program;
static void (*before_fork)(void), (*in_child)(void);

static void run_before(void)
{
    if (before_fork) before_fork();
}

static void run_in_child(void)
{
    if (in_child) in_child();
}

/* Handlers assert nothing: the alarm ends a process that waits forever. */
static void build(void)
{
    static int number;
    char options[48];
    snprintf(options, sizeof options, "-n%ld.%d", (long)getpid(), number++);
    program = clCreateProgramWithIL(context, generic_module.data, generic_module.size, NULL);
    if (clBuildProgram(program, 0, NULL, options, NULL, NULL) != CL_SUCCESS) _exit(3);
}

static void use_and_release(void)
{
    char text[64];
    cl_kernel kernel = clCreateKernel(program, "k", NULL);
    if (clGetProgramInfo(program, CL_PROGRAM_KERNEL_NAMES, sizeof text, text, NULL) != CL_SUCCESS) _exit(4);
    if (clReleaseKernel(kernel) != CL_SUCCESS || clReleaseProgram(program) != CL_SUCCESS) _exit(5);
}

static void build_anew(void)
{
    use_and_release();
    build();
}

/* Work that is normally deferred is done at once: a thread of the layer would wait for this one, or not exist in the
 * child. */
static void build_and_keep(void)
{
    time_t start = time(NULL);
    stub->slow_binaries = 2;
    build_anew();
    stub->slow_binaries = 0;
    if (time(NULL) - start < 1) _exit(6);
}

/* Runs in a separate process, which forks. @return the exit status of that process, which is 0 if that of its child
 * is. */
static int fork_with(enum stub_device kind, void (*before)(void), void (*child)(void))
{
    int status = -1;
    pid_t host = fork();
    if (host == 0) {
        alarm(30);
        context = make_context(kind);
        build();
        before_fork = before;
        in_child = child;
        pid_t forked = fork();
        if (forked) waitpid(forked, &status, 0);
        if (before != use_and_release) use_and_release();
        exit(forked ? WEXITSTATUS(status) + WTERMSIG(status) : 0);
    }
    assert_int_equal(waitpid(host, &status, 0), host);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static void a_host_releases_before_it_forks(void **unused)
{
    static const enum stub_device kinds[] = {STUB_IL, STUB_SPIR, STUB_FAST, STUB_GPU};
    (void)unused;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        assert_int_equal(fork_with(kinds[i], use_and_release, NULL), 0);
}

/* On a device that accepts the original module, a specialized module is built in a separate thread. */
static void a_host_builds_in_its_handlers(void **unused)
{
    static const enum stub_device kinds[] = {STUB_IL, STUB_SPIR, STUB_GPU};
    (void)unused;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        assert_int_equal(fork_with(kinds[i], build_anew, build_anew), 0);
}

static void what_is_built_there_is_kept_at_once(void **unused)
{
    (void)unused;
    assert_int_equal(fork_with(STUB_FAST, build_and_keep, NULL), 0);
    assert_int_equal(fork_with(STUB_FAST, NULL, build_and_keep), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_host_releases_before_it_forks),
        cmocka_unit_test(a_host_builds_in_its_handlers),
        cmocka_unit_test(what_is_built_there_is_kept_at_once),
    };
    if (pthread_atfork(run_before, NULL, run_in_child) != 0) return 1;
    return cmocka_run_group_tests(tests, find_stub, free_modules);
}
