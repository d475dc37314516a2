/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_exit.c - a process must end even if a thread of the layer is busy: when the driver hangs in that thread, when
 * that thread ends the process, in a callback of the application, and when the driver shuts down at exit, which must
 * happen after the layer's work.
 */
#define _GNU_SOURCE
#include "common.h"

#include <dlfcn.h>
#include <malloc.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* Keeps the thread busy with a binary of a program that has been released. */
static void build_and_release(void(CL_CALLBACK *notify)(cl_program, void *))
{
    char options[32];
    snprintf(options, sizeof options, "-n%ld", (long)getpid());
    cl_context context = make_context(STUB_FAST);
    cl_program program = make_program(context, &generic_module);
    if (notify) clSetProgramReleaseCallback(program, notify, NULL);
    clBuildProgram(program, 0, NULL, options, NULL, NULL);
    clReleaseProgram(program);
    clReleaseContext(context);
}

static void CL_CALLBACK end_process(cl_program program, void *user)
{
    (void)program, (void)user;
    exit(5);
}

static void end_in_callback(void)
{
    stub->slow_binaries = 1;
    build_and_release(end_process);
    pause();
}

/* Builds again, so that the worker thread has another job after the current one. */
static void CL_CALLBACK build_again(cl_program program, void *user)
{
    (void)program, (void)user;
    cl_context context = make_context(STUB_FAST);
    program = make_program(context, &generic_module);
    exit(clBuildProgram(program, 0, NULL, "-another", NULL, NULL) == CL_SUCCESS ? 5 : 1);
}

static void build_in_callback(void)
{
    stub->slow_binaries = 1;
    build_and_release(build_again);
    cl_context context = make_context(STUB_FAST);
    clBuildProgram(make_program(context, &generic_module), 0, NULL, "-another", NULL, NULL);
    pause();
}

static void end_in_fork_of_callback(void)
{
    stub->slow_binaries = 1;
    build_and_release(NULL);
    exit(5);
}

static void end_while_driver_hangs(void)
{
    stub->slow_binaries = 100;
    build_and_release(NULL);
    exit(5);
}

static void end_layer_while_driver_hangs(void)
{
    stub->slow_binaries = 100;
    build_and_release(NULL);
    void *layer = dlopen(getenv("TEST_LAYER"), RTLD_NOW | RTLD_NOLOAD);
    void *end = layer ? dlsym(layer, "clDeinitLayer") : NULL;
    if (!end) _exit(1);
    ((cl_int(*)(void))(intptr_t)end)();
    _exit(5);
}

/* A specialized module is built in a separate thread, with a time limit; the application's callback is called when the
 * build ends. */
static void build_for_gpu(int milliseconds)
{
    cl_context context = make_context(STUB_GPU);
    cl_program program = make_program(context, &generic_module);
    stub->slow_changed = milliseconds;
    clBuildProgram(program, 0, NULL, "", end_process, NULL);
}

static void end_when_built(void)
{
    build_for_gpu(10);
    pause();
}

static void end_when_built_later(void)
{
    stub->async = 1;
    build_for_gpu(10);
    pause();
}

static void *build_slowly(void *unused)
{
    build_for_gpu(100000);
    return unused;
}

static void end_while_another_builds(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, build_slowly, NULL);
    while (!atomic_load(&stub->built))
        sched_yield();
    exit(5);
}

static void wait_until_asleep(void)
{
    while (!atomic_load(&stub->asleep))
        sched_yield();
}

/* A child process created by a system call, without fork handlers, while a thread of the layer sleeps in the driver. */
static void end_in_a_child_of_a_call(void)
{
    int status = 0;
    wait_until_asleep();
    pid_t child = (pid_t)syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
    if (child == 0) {
        alarm(8);
        exit(5);
    }
    waitpid(child, &status, 0);
    _exit(WIFEXITED(status) ? WEXITSTATUS(status) : 1);
}

static void end_while_a_binary_is_read(void)
{
    stub->slow_binaries = 100;
    build_and_release(NULL);
    end_in_a_child_of_a_call();
}

static void end_while_a_build_is_tried(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, build_slowly, NULL);
    end_in_a_child_of_a_call();
}

/* ---- the driver has registered its exit handler after the layer -------------------------------------------------- */

static cl_program leave_a_binary_to_be_read(int seconds)
{
    stub->asleep = 0;
    stub->slow_binaries = seconds;
    build_and_release(NULL);
    wait_until_asleep();
    return make_program(make_context(STUB_FAST), &generic_module);
}

static void end_after_a_late_driver(void)
{
    setenv("STUB_TAKEN_APART", "1", 1);
    cl_program program = leave_a_binary_to_be_read(1);
    clBuildProgram(program, 0, NULL, "", NULL, NULL);
    exit(5);
}

/* Repeated queries must allocate no memory each time. */
static void call_meanwhile(void)
{
    cl_uint count;
    cl_program program = leave_a_binary_to_be_read(5);
    const size_t before = mallinfo2().uordblks;
    for (int i = 0; i < 100000; i++)
        clGetProgramInfo(program, CL_PROGRAM_NUM_DEVICES, sizeof count, &count, NULL);
    _exit(mallinfo2().uordblks < before + (1 << 20) ? 5 : 1);
}

static void ends(void (*way)(void), unsigned seconds)
{
    pid_t child = fork();
    if (child == 0) {
        alarm(seconds);
        way();
        _exit(1);
    }
    int status = -1;
    waitpid(child, &status, 0);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 5);
}

static void exit_in_a_callback(void **unused)
{
    (void)unused;
    ends(end_in_callback, 8);
    ends(build_in_callback, 16);
}

static void exit_waits_for_what_is_soon_done(void **unused)
{
    (void)unused;
    ends(end_in_fork_of_callback, 8);
}

static void exit_while_the_driver_hangs(void **unused)
{
    (void)unused;
    ends(end_while_driver_hangs, 30);
    ends(end_layer_while_driver_hangs, 30);
}

static void exit_where_modules_are_tried(void **unused)
{
    (void)unused;
    ends(end_when_built, 8);
    ends(end_when_built_later, 8);
    ends(end_while_another_builds, 30);
}

/* In a child process that a system call created, the layer waits for no thread: each of the two waits would take ten
 * seconds. */
static void a_child_of_a_call_waits_for_nothing(void **unused)
{
    (void)unused;
    ends(end_while_a_binary_is_read, 30);
    ends(end_while_a_build_is_tried, 30);
}

static void exit_after_a_late_driver(void **unused)
{
    (void)unused;
    ends(end_after_a_late_driver, 30);
}

static void calls_meanwhile_take_no_memory(void **unused)
{
    (void)unused;
    ends(call_meanwhile, 60);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(exit_in_a_callback),
        cmocka_unit_test(exit_waits_for_what_is_soon_done),
        cmocka_unit_test(exit_while_the_driver_hangs),
        cmocka_unit_test(exit_where_modules_are_tried),
        cmocka_unit_test(a_child_of_a_call_waits_for_nothing),
        cmocka_unit_test(exit_after_a_late_driver),
        cmocka_unit_test(calls_meanwhile_take_no_memory),
    };
    return cmocka_run_group_tests(tests, find_stub, free_modules);
}
