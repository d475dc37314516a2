/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_strictness.c - the strict coarse-grained device of coarse.c runs correct programs and ends incorrect ones: each
 * runs in a separate process, with plain SVM and without the layer for shared memory.
 */
#define _GNU_SOURCE
#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SIZE = 4096 };

static const char source[] =
    "kernel void follow(global ulong *slot) { global int *data = (global int *)slot[0]; data[0] += 1; }\n";

struct program {
    cl_context context;
    cl_command_queue queue;
    cl_kernel kernel;
    uint64_t *slot; /* contains the address of data */
    int *data;
};

static void map(struct program *p, void *memory)
{
    if (clEnqueueSVMMap(p->queue, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, memory, SIZE, 0, NULL, NULL) != CL_SUCCESS)
        _exit(3);
}

static void unmap(struct program *p, void *memory)
{
    if (clEnqueueSVMUnmap(p->queue, memory, 0, NULL, NULL) != CL_SUCCESS || clFinish(p->queue) != CL_SUCCESS) _exit(3);
}

static void start(struct program *p)
{
    cl_platform_id platform;
    cl_device_id device;
    const char *text = source;
    if (clGetPlatformIDs(1, &platform, NULL) != CL_SUCCESS ||
        clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL) != CL_SUCCESS)
        _exit(77);
    p->context = clCreateContext(NULL, 1, &device, NULL, NULL, NULL);
    p->queue = clCreateCommandQueueWithProperties(p->context, device, NULL, NULL);
    cl_program program = clCreateProgramWithSource(p->context, 1, &text, NULL, NULL);
    clBuildProgram(program, 1, &device, "-cl-std=CL1.2", NULL, NULL);
    p->kernel = clCreateKernel(program, "follow", NULL);
    p->slot = clSVMAlloc(p->context, CL_MEM_READ_WRITE, SIZE, 0);
    p->data = clSVMAlloc(p->context, CL_MEM_READ_WRITE, SIZE, 0);
    if (!p->kernel || !p->slot || !p->data) _exit(3);
    map(p, p->slot);
    map(p, p->data);
    p->slot[0] = (uint64_t)(uintptr_t)p->data;
    p->data[0] = 1;
    unmap(p, p->slot);
    unmap(p, p->data);
}

static void run(struct program *p, bool named)
{
    const size_t one = 1;
    void *list[] = {p->data};
    if (named) clSetKernelExecInfo(p->kernel, CL_KERNEL_EXEC_INFO_SVM_PTRS, sizeof list, list);
    clSetKernelArgSVMPointer(p->kernel, 0, p->slot);
    if (clEnqueueNDRangeKernel(p->queue, p->kernel, 1, NULL, &one, NULL, 0, NULL, NULL) != CL_SUCCESS) _exit(3);
    clFinish(p->queue);
}

/* ---- test programs, each in a separate process ------------------------------------------------------------------- */

static void right(struct program *p)
{
    run(p, true);
    map(p, p->data);
    if (p->data[0] != 2) _exit(1);
    unmap(p, p->data);
    clSVMFree(p->context, p->data);
    clSVMFree(p->context, p->slot);
}

static void touch_unmapped(struct program *p)
{
    *(volatile int *)p->data = 1;
}

static void reach_unnamed(struct program *p)
{
    run(p, false);
}

static void use_mapped(struct program *p)
{
    map(p, p->data);
    run(p, true);
}

static void unmap_twice(struct program *p)
{
    unmap(p, p->data);
}

static void overrun(struct program *p)
{
    map(p, p->data);
    ((volatile char *)p->data)[SIZE] = 1;
}

/* @return how a program ended: its status, or 128 plus the signal. */
static int outcome(void (*what)(struct program *))
{
    int status = 0;
    pid_t child = fork();
    if (child == 0) {
        struct program p;
        signal(SIGSEGV, SIG_DFL); /* cmocka's */
        signal(SIGABRT, SIG_DFL);
        alarm(60);
        start(&p);
        what(&p);
        _exit(0);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

static void right_programs_run(void **unused)
{
    (void)unused;
    assert_int_equal(outcome(right), 0);
}

static void wrong_programs_end(void **unused)
{
    (void)unused;
    assert_int_equal(outcome(touch_unmapped), 128 + SIGSEGV);
    assert_int_equal(outcome(reach_unnamed), 128 + SIGSEGV);
    assert_int_equal(outcome(overrun), 128 + SIGSEGV);
    assert_int_equal(outcome(use_mapped), 128 + SIGABRT);
    assert_int_equal(outcome(unmap_twice), 128 + SIGABRT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(right_programs_run), cmocka_unit_test(wrong_programs_end)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
