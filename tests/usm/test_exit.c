/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_exit.c - processes that end with shared memory in their hands, one way each: everything is given back after main(); it
 * is left; commands are still running; one waits for what never comes; a thread goes on allocating. None may end otherwise
 * than by itself.
 */
#define _GNU_SOURCE
#include "common.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { BYTES = 4096, SKIPPED = 77 };

static const char *way = "";
static int *data;
static cl_kernel kernel;
static cl_event event, gate;

static bool is(const char *name)
{
    return strcmp(way, name) == 0;
}

/* As static objects of C++ do, when main() is over. */
static void __attribute__((destructor)) after_main(void)
{
    if (!is("late")) return;
    if (clWaitForEvents(1, &event) != CL_SUCCESS || data[0] != 2) _exit(1);
    clReleaseEvent(event);
    clReleaseKernel(kernel);
    if (usm.clMemBlockingFreeINTEL(context, data) != CL_SUCCESS) _exit(2);
    tear_down(NULL);
}

static void *allocate_for_ever(void *unused)
{
    for (;;)
        usm.clMemFreeINTEL(context, usm.clSharedMemAllocINTEL(context, device, NULL, BYTES, 0, NULL));
    return unused;
}

/* What a process does before its main() returns. */
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
    /* Once before: PoCL 3.1 compiles at the first launch, in a thread of its own, which is wrong when main() is over. */
    event = launch(queue, kernel, 1, 0, NULL);
    clWaitForEvents(1, &event);
    clReleaseEvent(event);
    if (is("behind")) gate = clCreateUserEvent(context, NULL);
    event = launch(queue, kernel, 1, gate != NULL, gate ? &gate : NULL);
    if (is("left")) clWaitForEvents(1, &event);
    if (is("thread")) pthread_create(&thread, NULL, allocate_for_ever, NULL);
    if (is("thread")) usleep(10 * 1000);
    return 0;
}

/* How a process of its own ends that goes this way; -1: there is none. */
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
    for (int i = 0; i < 5; i++)
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

static void with_a_thread_that_goes_on(void **unused)
{
    (void)unused;
    ends_by_itself("thread");
}

int main(int count, char **words)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(given_back_after_main),      cmocka_unit_test(left),
        cmocka_unit_test(with_a_command_in_flight),   cmocka_unit_test(behind_what_never_comes),
        cmocka_unit_test(with_a_thread_that_goes_on),
    };
    if (count > 1) {
        way = words[1];
        return live();
    }
    int first = end_of("left");
    if (first != -1 && WIFEXITED(first) && WEXITSTATUS(first) == SKIPPED) return SKIPPED;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
