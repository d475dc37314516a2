/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_growth.c - operations whose cost may grow with the number of live allocations grow linearly, not quadratically:
 * frees of memory that commands still use, launches of kernels with long lists, launches that may access all memory,
 * many launches. The measure is the processor time for two sizes, and the minimum of several tries, because load on the
 * machine only increases times.
 */
#define _GNU_SOURCE
#include "common.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { FEW = 500, TIMES = 8, TRIES = 8, MOST = 24 }; /* the square of TIMES is 64 */

static double now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static void **allocate(size_t count)
{
    void **all = malloc(count * sizeof *all);
    assert_non_null(all);
    for (size_t i = 0; i < count; i++)
        all[i] = shared_memory(64);
    return all;
}

static void free_all(void **all, size_t count)
{
    for (size_t i = 0; i < count; i++)
        assert_int_equal(usm.clMemBlockingFreeINTEL(context, all[i]), CL_SUCCESS);
    free(all);
}

static void run(cl_kernel kernel)
{
    cl_event event = launch(queue, kernel, 1, 0, NULL);
    assert_int_equal(clWaitForEvents(1, &event), CL_SUCCESS);
    clReleaseEvent(event);
}

/* ---- what is measured ---- */

/* Returns the milliseconds for `count` frees of memory that a command which cannot run yet may access, and for one
 * allocation and one free after that command is complete. */
static double frees_that_wait(size_t count)
{
    void **all = allocate(count);
    cl_event gate = clCreateUserEvent(context, NULL);
    cl_kernel kernel = make_kernel("increment");
    reach_all(kernel);
    usm.clSetKernelArgMemPointerINTEL(kernel, 0, all[0]);
    cl_event event = launch(queue, kernel, 1, 1, &gate);
    double begin = now_ms();
    free_all(all, count);
    double took = now_ms() - begin;
    clSetUserEventStatus(gate, CL_COMPLETE);
    clWaitForEvents(1, &event);
    begin = now_ms();
    free_memory(shared_memory(64));
    took += now_ms() - begin;
    clReleaseEvent(event);
    clReleaseEvent(gate);
    clReleaseKernel(kernel);
    return took;
}

static double launches_with_lists(size_t count)
{
    void **all = allocate(count);
    cl_kernel kernel = make_kernel("increment");
    usm.clSetKernelArgMemPointerINTEL(kernel, 0, all[0]);
    double begin = now_ms();
    assert_int_equal(clSetKernelExecInfo(kernel, CL_KERNEL_EXEC_INFO_USM_PTRS_INTEL, count * sizeof *all, all),
                     CL_SUCCESS);
    run(kernel);
    free_all(all, count);
    double took = now_ms() - begin;
    clReleaseKernel(kernel);
    return took;
}

static double launches_that_reach_all(size_t count)
{
    void **all = allocate(count);
    cl_kernel kernel = make_kernel("increment");
    reach_all(kernel);
    usm.clSetKernelArgMemPointerINTEL(kernel, 0, all[0]);
    double begin = now_ms();
    run(kernel);
    double took = now_ms() - begin;
    free_all(all, count);
    clReleaseKernel(kernel);
    return took;
}

/* The same number of launches of one kernel, in an out-of-order queue. */
static double launches_without_order(size_t count)
{
    const size_t one = 1;
    int *data = shared_memory(64);
    cl_kernel kernel = make_kernel("increment");
    usm.clSetKernelArgMemPointerINTEL(kernel, 0, data);
    cl_command_queue own = make_queue(true);
    double begin = now_ms();
    for (size_t i = 0; i < count; i++)
        assert_int_equal(clEnqueueNDRangeKernel(own, kernel, 1, NULL, &one, NULL, 0, NULL, NULL), CL_SUCCESS);
    assert_int_equal(clFinish(own), CL_SUCCESS);
    double took = now_ms() - begin;
    clReleaseCommandQueue(own);
    clReleaseKernel(kernel);
    free_memory(data);
    return took;
}

/* A failure of an event for which thousands of commands wait. All events are retained: PoCL 3.1 crashes if an event
 * fails that has no other reference. */
static double failures(size_t count)
{
    const int one = 1;
    char *memory = shared_memory(count * 64);
    cl_event gate = clCreateUserEvent(context, NULL), *all = malloc(count * sizeof *all);
    assert_non_null(all);
    cl_command_queue own = make_queue(false);
    double begin = now_ms();
    for (size_t i = 0; i < count; i++)
        assert_int_equal(usm.clEnqueueMemFillINTEL(own, memory + i * 64, &one, sizeof one, 64, 1, &gate, &all[i]),
                         CL_SUCCESS);
    clSetUserEventStatus(gate, -5);
    cl_int status = CL_QUEUED;
    while (status > CL_COMPLETE)
        clGetEventInfo(all[count - 1], CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL);
    double took = now_ms() - begin;
    for (size_t i = 0; i < count; i++)
        clReleaseEvent(all[i]);
    free(all);
    clReleaseEvent(gate);
    clReleaseCommandQueue(own);
    free_memory(memory);
    return took;
}

/* ---- at two sizes ---- */

static void grows_no_faster(double (*cost)(size_t))
{
    double few = 1e9, many = 1e9;
    cost(1); /* the driver compiles */
    for (int i = 0; i < TRIES && (i == 0 || many > MOST * few); i++) {
        double a = cost(FEW), b = cost((size_t)FEW * TIMES);
        if (a < few) few = a;
        if (b < many) many = b;
    }
    printf("%d: %.3f ms, %d times as many: %.1f times that\n", FEW, few, TIMES, many / few);
    assert_true(many <= MOST * few);
}

static void of_frees_that_wait(void **unused)
{
    (void)unused;
    grows_no_faster(frees_that_wait);
}

static void of_launches_with_lists(void **unused)
{
    (void)unused;
    grows_no_faster(launches_with_lists);
}

static void of_launches_that_reach_all(void **unused)
{
    (void)unused;
    grows_no_faster(launches_that_reach_all);
}

static void of_launches_without_order(void **unused)
{
    (void)unused;
    grows_no_faster(launches_without_order);
}

static void of_failures(void **unused)
{
    (void)unused;
    grows_no_faster(failures);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(of_frees_that_wait),
        cmocka_unit_test(of_launches_with_lists),
        cmocka_unit_test(of_launches_that_reach_all),
        cmocka_unit_test(of_launches_without_order),
        cmocka_unit_test(of_failures),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
