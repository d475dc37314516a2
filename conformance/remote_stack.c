/* SPDX-License-Identifier: Apache-2.0 */
/*
 * remote_stack.c - checks whether a driver writes to the stack of a call after the call has returned. After each call
 * it examines the part of the stack that contained the call's variables. The exit status is 0 if nothing changed there,
 * 1 if something did.
 */
#define _GNU_SOURCE
#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>

#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <time.h>

enum { ROUNDS = 500, WORDS = 4096, TURNS = 20 };

/* Returns how many words of a cleared part of the stack changed within 0.2 ms. */
static int changed(void)
{
    volatile uint64_t area[WORDS];
    const struct timespec pause = {0, 200000};
    int count = 0;
    for (int i = 0; i < WORDS; i++)
        area[i] = 0;
    for (int i = 0; i < TURNS; i++)
        sched_yield();
    nanosleep(&pause, NULL);
    for (int i = 0; i < WORDS; i++)
        count += area[i] != 0;
    return count;
}

int main(void)
{
    cl_platform_id platform;
    cl_device_id device;
    int count = 0;
    if (clGetPlatformIDs(1, &platform, NULL) || clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL))
        return 2;
    cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, NULL);
    if (!context) return 2;
    for (int i = 0; i < ROUNDS; i++) {
        cl_command_queue queue = clCreateCommandQueueWithProperties(context, device, NULL, NULL);
        count += changed();
        if (queue) clReleaseCommandQueue(queue);
        count += changed();
    }
    printf("%d words of the stack changed after %d calls\n", count, 2 * ROUNDS);
    return count != 0;
}
