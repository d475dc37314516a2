/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_exit.c - processes that end while they use shared memory, in different ways: everything is freed after main(),
 * by a static object or a function of atexit(); nothing is freed; commands are still running; some wait for an event
 * that never completes, in several queues, and their memory has been freed; a thread still allocates; a callback ends
 * the process; the process forks while threads copy. Each must end by its own exit status.
 */
#define _GNU_SOURCE
#include "common.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { BYTES = 4096, SKIPPED = 77, QUEUES = 4, COMMANDS = 8, FORKS = 200, THREADS = 4 };

static const char *way = "";
static int *data;
static cl_kernel kernel;
static cl_event event, gate;

static bool is(const char *name)
{
    return strcmp(way, name) == 0;
}

/* Frees everything as static objects of C++ do, after main(). */
static void give_back(void)
{
    if (clWaitForEvents(1, &event) != CL_SUCCESS || data[0] != 2) _exit(1);
    clReleaseEvent(event);
    clReleaseKernel(kernel);
    if (usm.clMemBlockingFreeINTEL(context, data) != CL_SUCCESS) _exit(2);
    tear_down(NULL);
}

static void __attribute__((destructor)) after_main(void)
{
    if (is("late")) give_back();
}

static void CL_CALLBACK leave(cl_event done, cl_int status, void *unused)
{
    (void)done, (void)status, (void)unused;
    exit(0);
}

/* Commands in several queues that wait for an event which never completes, and whose memory is freed. */
static void leave_commands(void)
{
    for (int i = 0; i < QUEUES * COMMANDS; i++) {
        static cl_command_queue queues[QUEUES];
        cl_command_queue *own = &queues[i % QUEUES];
        int *memory = shared_memory(BYTES);
        if (!*own) *own = make_queue(false);
        usm.clSetKernelArgMemPointerINTEL(kernel, 0, memory);
        launch(*own, kernel, 1, 1, &gate);
        usm.clEnqueueMemcpyINTEL(*own, CL_FALSE, memory, data, BYTES, 0, NULL, NULL);
        usm.clMemBlockingFreeINTEL(context, memory);
    }
}

static void *allocate_for_ever(void *unused)
{
    for (;;)
        usm.clMemFreeINTEL(context, usm.clSharedMemAllocINTEL(context, device, NULL, BYTES, 0, NULL));
    return unused;
}

static atomic_bool enough;

static void *copy_until_enough(void *unused)
{
    cl_command_queue own = make_queue(false);
    char *from = shared_memory(BYTES), *to = shared_memory(BYTES);
    for (int i = 1; !atomic_load(&enough); i++) {
        usm.clEnqueueMemcpyINTEL(own, CL_FALSE, to, from, BYTES, 0, NULL, NULL);
        if (i % COMMANDS == 0) clFinish(own);
    }
    clFinish(own);
    clReleaseCommandQueue(own);
    free_memory(from);
    free_memory(to);
    return unused;
}

/* A fork acquires all locks, in a fixed order. */
static void fork_among_copies(void)
{
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, copy_until_enough, NULL);
    for (int i = 0; i < FORKS; i++) {
        int status = -1;
        pid_t child = fork();
        if (child == 0) _exit(0);
        if (waitpid(child, &status, 0) != child || status != 0) _exit(4);
    }
    atomic_store(&enough, true);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
}

/* The work of a process before its main() returns. */
static int live(void)
{
    pthread_t thread;
    alarm(120);
    if (set_up(NULL) != CL_SUCCESS) return 3;
    data = shared_memory(BYTES);
    data[0] = 0;
    kernel = make_kernel("increment");
    reach_all(kernel);
    usm.clSetKernelArgMemPointerINTEL(kernel, 0, data);
    /* One launch before: PoCL 3.1 compiles at the first launch, in a separate thread, which fails after main(). */
    event = launch(queue, kernel, 1, 0, NULL);
    clWaitForEvents(1, &event);
    clReleaseEvent(event);
    if (is("behind") || is("many")) gate = clCreateUserEvent(context, NULL);
    event = launch(queue, kernel, 1, gate != NULL, gate ? &gate : NULL);
    if (is("many")) leave_commands();
    if (is("forks")) fork_among_copies();
    if (is("handler")) atexit(give_back);
    if (is("callback")) clSetEventCallback(event, CL_COMPLETE, leave, NULL);
    if (is("callback")) pause();
    if (is("left")) clWaitForEvents(1, &event);
    if (is("thread")) pthread_create(&thread, NULL, allocate_for_ever, NULL);
    if (is("thread")) usleep(10 * 1000);
    return 0;
}

/* Returns how a process ends that runs this case; -1: it could not be started. */
static int end_of(const char *name)
{
    char *const words[] = {"usm_exit", (char *)name, NULL};
    int status = -1;
    pid_t child = fork();
    if (child == 0) {
        execv("/proc/self/exe", words);
        _exit(9);
    }
    return waitpid(child, &status, 0) == child ? status : -1;
}

static void ends_by_itself(const char *name)
{
    for (int i = 0; i < 3; i++)
        assert_int_equal(end_of(name), 0);
}

static void given_back_after_main(void **unused)
{
    (void)unused;
    ends_by_itself("late");
}

static void left(void **unused)
{
    (void)unused;
    ends_by_itself("left");
}

static void with_a_command_in_flight(void **unused)
{
    (void)unused;
    ends_by_itself("running");
}

static void behind_what_never_comes(void **unused)
{
    (void)unused;
    ends_by_itself("behind");
}

static void with_freed_memory_behind_what_never_comes(void **unused)
{
    (void)unused;
    ends_by_itself("many");
}

static void given_back_at_exit(void **unused)
{
    (void)unused;
    ends_by_itself("handler");
}

static void from_a_callback(void **unused)
{
    (void)unused;
    ends_by_itself("callback");
}

static void with_a_thread_that_goes_on(void **unused)
{
    (void)unused;
    ends_by_itself("thread");
}

static void with_threads_that_copy_while_it_forks(void **unused)
{
    (void)unused;
    assert_int_equal(end_of("forks"), 0);
}

int main(int count, char **words)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(given_back_after_main),
        cmocka_unit_test(left),
        cmocka_unit_test(with_a_command_in_flight),
        cmocka_unit_test(behind_what_never_comes),
        cmocka_unit_test(with_a_thread_that_goes_on),
        cmocka_unit_test(with_freed_memory_behind_what_never_comes),
        cmocka_unit_test(given_back_at_exit),
        cmocka_unit_test(from_a_callback),
        cmocka_unit_test(with_threads_that_copy_while_it_forks),
    };
    if (count > 1) {
        way = words[1];
        return live();
    }
    int first = end_of("left");
    if (first != -1 && WIFEXITED(first) && WEXITSTATUS(first) == SKIPPED) return SKIPPED;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
