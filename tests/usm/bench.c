/* SPDX-License-Identifier: Apache-2.0 */
/*
 * bench.c - what the layer for shared memory costs over the driver's own SVM, as ratios of one run: allocation and
 * free, with few and many alive, and launches with many alive. Not a test: times depend on the machine.
 */
#define _GNU_SOURCE
#include "common.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { ALIVE = 10000, ROUNDS = 500, BATCHES = 21 };

static double now_us(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3;
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *list)
{
    qsort(list, BATCHES, sizeof(*list), compare);
    return list[BATCHES / 2];
}

/* ---- allocation and free, of the driver and of the layer ---- */

static void *take(bool ours, size_t size)
{
    void *memory = ours ? usm.clSharedMemAllocINTEL(context, device, NULL, size, 0, NULL)
                        : clSVMAlloc(context, CL_MEM_READ_WRITE | CL_MEM_SVM_FINE_GRAIN_BUFFER, size, 0);
    if (!memory) exit(1);
    return memory;
}

static void give(bool ours, void *memory)
{
    if (ours)
        usm.clMemFreeINTEL(context, memory);
    else
        clSVMFree(context, memory);
}

static double pairs(bool ours, size_t size, int count)
{
    void *held[8];
    double begin = now_us();
    for (int i = 0; i < count; i++) {
        for (int k = 0; k < 8; k++)
            held[k] = take(ours, size);
        for (int k = 0; k < 8; k++)
            give(ours, held[k]);
    }
    return (now_us() - begin) / (8.0 * count);
}

static void compare_allocations(size_t size, int alive)
{
    double theirs[BATCHES], ours[BATCHES];
    void **others = malloc((size_t)alive * sizeof(*others) + 1);
    for (int side = 0; side < 2; side++) {
        for (int i = 0; i < alive; i++)
            others[i] = take(side, size);
        for (int i = 0; i < BATCHES; i++)
            (side ? ours : theirs)[i] = pairs(side, size, alive ? 10 : 100);
        for (int i = alive - 1; i >= 0; i--)
            give(side, others[i]);
    }
    double a = median(theirs), b = median(ours);
    printf("alloc+free %7zu bytes, %5d alive: driver %8.3f us, layer %8.3f us, ratio %.2f\n", size, alive, a, b, b / a);
    free(others);
}

/* ---- launches ---- */

static double launches(cl_kernel kernel, const void *pointer, bool ours)
{
    const size_t one = 1;
    double begin = now_us();
    for (int i = 0; i < ROUNDS; i++) {
        if (ours)
            usm.clSetKernelArgMemPointerINTEL(kernel, 0, pointer);
        else
            clSetKernelArgSVMPointer(kernel, 0, pointer);
        clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &one, &one, 0, NULL, NULL);
        clFinish(queue);
    }
    return (now_us() - begin) / ROUNDS;
}

int main(void)
{
    set_up(NULL);
    const size_t sizes[] = {64, 1000, 30000, 100000, 4 << 20};
    for (size_t i = 0; i < 5; i++)
        compare_allocations(sizes[i], 0);
    compare_allocations(64, ALIVE / 2);
    compare_allocations(1000, ALIVE / 2);
    cl_kernel kernel = make_kernel("increment"), indirect = make_kernel("increment");
    int *data = shared_memory(64), *svm = clSVMAlloc(context, CL_MEM_READ_WRITE | CL_MEM_SVM_FINE_GRAIN_BUFFER, 64, 0);
    reach_all(indirect);
    void **alive = malloc(ALIVE * sizeof(*alive));
    for (int alive_count = 0; alive_count <= ALIVE; alive_count += ALIVE) {
        for (int i = 0; i < alive_count; i++)
            alive[i] = shared_memory(100);
        double theirs[BATCHES], ours[BATCHES];
        for (int i = 0; i < BATCHES; i++) {
            theirs[i] = launches(kernel, svm, false);
            ours[i] = launches(indirect, data, true);
        }
        double a = median(theirs), b = median(ours);
        printf("launch and finish, %5d alive: driver %.3f us, layer %.3f us, %+.3f us\n", alive_count, a, b, b - a);
    }
    return 0;
}
