/* SPDX-License-Identifier: Apache-2.0 */
/*
 * bench.c - the overhead of the layer for shared memory over the driver's own SVM: allocation and free for each kind
 * and size, with few and many live allocations, and launches with many live allocations. Both sides alternate in one
 * process, and the result is the median of many rounds, so that other load on the machine affects both. Not a test,
 * because times depend on the machine; usm/launch_instructions counts instructions, which do not.
 *
 *     usm_bench                    all of it
 *     usm_bench launches           only those
 *     usm_bench LAUNCHES ALIVE     that many launches with so many live allocations, to count instructions
 */
#define _GNU_SOURCE
#include "common.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MANY = 10000, FEW = 10, TURNS = 41, LAUNCH_TURNS = 401, LAUNCHES = 20 };

static double now_us(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3;
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *list, size_t count)
{
    qsort(list, count, sizeof(*list), compare);
    return list[count / 2];
}

/* ---- allocation and free, by the driver and by the layer --------------------------------------------------------- */

enum kind { DRIVERS, HOST, DEVICE, SHARED, KINDS };
static const char *const kind_names[] = {"driver", "host", "device", "shared"};

/* @return NULL if that much memory is not available. */
static void *take(enum kind kind, size_t size)
{
    switch (kind) {
    case HOST: return usm.clHostMemAllocINTEL(context, NULL, size, 0, NULL);
    case DEVICE: return usm.clDeviceMemAllocINTEL(context, device, NULL, size, 0, NULL);
    case SHARED: return usm.clSharedMemAllocINTEL(context, device, NULL, size, 0, NULL);
    default: return clSVMAlloc(context, CL_MEM_READ_WRITE | CL_MEM_SVM_FINE_GRAIN_BUFFER, size, 0);
    }
}

static void give(enum kind kind, void *memory)
{
    if (kind == DRIVERS)
        clSVMFree(context, memory);
    else
        usm.clMemFreeINTEL(context, memory);
}

static size_t take_all(enum kind kind, void **list, size_t count, size_t size)
{
    size_t taken = 0;
    while (taken < count && (list[taken] = take(kind, size)) != NULL)
        taken++;
    return taken;
}

/* Frees the newest first, which a driver that walks a list finds first, or last. */
static void give_all(enum kind kind, void **list, size_t count)
{
    while (count > 0)
        give(kind, list[--count]);
}

/* @return the time of one allocation and its free, for `count` times `width` of them; negative: the device lacks such
 * memory. */
static double pairs(enum kind kind, size_t size, size_t count, size_t width)
{
    void *held[8];
    bool good = true;
    double begin = now_us(CLOCK_MONOTONIC);
    for (size_t i = 0; i < count && good; i++) {
        size_t taken = take_all(kind, held, width, size);
        give_all(kind, held, taken);
        good = taken == width;
    }
    return good ? (now_us(CLOCK_MONOTONIC) - begin) / (double)(width * count) : -1;
}

/* Alternates both sides in each round; with many live allocations, the driver's are created and freed in its turn. */
static void compare_allocations(size_t size, size_t alive, size_t other_size, double *worst)
{
    static double times[KINDS][TURNS];
    static void *others[MANY];
    const size_t turns = alive ? 5 : TURNS, width = size > 16u << 20 ? 1 : 8, count = alive || size > 1u << 20 ? 4 : 60;
    for (size_t turn = 0; turn < turns; turn++)
        for (enum kind kind = 0; kind < KINDS; kind++) {
            size_t there = take_all(kind, others, alive, other_size);
            times[kind][turn] = pairs(kind, size, count, width);
            give_all(kind, others, there);
        }
    double driver = median(times[DRIVERS], turns);
    printf("%10zu bytes, %5zu alive: driver %9.3f us", size, alive, driver);
    for (enum kind kind = HOST; kind < KINDS; kind++) {
        double ours = median(times[kind], turns);
        printf(", %s %9.3f (%.2f)", kind_names[kind], ours, ours / driver);
        if (ours / driver > *worst) *worst = ours / driver;
    }
    puts("");
    fflush(stdout);
}

/* ---- launches ---- */

static void launch_often(cl_kernel kernel, const void *pointer, bool ours, size_t count)
{
    const size_t one = 1;
    for (size_t i = 0; i < count; i++) {
        if (ours)
            usm.clSetKernelArgMemPointerINTEL(kernel, 0, pointer);
        else
            clSetKernelArgSVMPointer(kernel, 0, pointer);
        clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &one, &one, 0, NULL, NULL);
        clFinish(queue);
    }
}

/* @return this thread's processor time for one launch, because the time until the driver's thread wakes up is random,
 * and much longer than the layer's part. */
static double time_launches(cl_kernel kernel, const void *pointer, bool ours)
{
    launch_often(kernel, pointer, ours, LAUNCHES); /* warm-up: wakes the driver's threads */
    double begin = now_us(CLOCK_THREAD_CPUTIME_ID);
    launch_often(kernel, pointer, ours, LAUNCHES);
    return (now_us(CLOCK_THREAD_CPUTIME_ID) - begin) / LAUNCHES;
}

/* Prints the driver's time, and the additional time of the layer with few live allocations and with many: the median of
 * differences within a round, which depend little on the speed of the machine. */
static void compare_launches(void)
{
    static double theirs[LAUNCH_TURNS], few[LAUNCH_TURNS], many[LAUNCH_TURNS];
    static void *alive[MANY];
    cl_kernel kernel = make_kernel("increment"), indirect = make_kernel("increment");
    int *data = shared_memory(64), *svm = clSVMAlloc(context, CL_MEM_READ_WRITE | CL_MEM_SVM_FINE_GRAIN_BUFFER, 64, 0);
    reach_all(indirect);
    for (size_t turn = 0; turn < LAUNCH_TURNS; turn++) {
        theirs[turn] = time_launches(kernel, svm, false);
        few[turn] = time_launches(indirect, data, true) - theirs[turn];
        size_t there = take_all(SHARED, alive, MANY, 100);
        many[turn] = time_launches(indirect, data, true) - theirs[turn];
        give_all(SHARED, alive, there);
    }
    printf("processor time of argument, launch and finish: driver %.3f us", median(theirs, LAUNCH_TURNS));
    printf(", layer over it %+.3f us, with %d alive %+.3f us\n", median(few, LAUNCH_TURNS), MANY,
           median(many, LAUNCH_TURNS));
    clSVMFree(context, svm);
    free_memory(data);
    clReleaseKernel(kernel);
    clReleaseKernel(indirect);
}

static void only_launch(size_t count, size_t alive)
{
    cl_kernel kernel = make_kernel("increment");
    void **others = calloc(alive + 1, sizeof(*others));
    int *data = shared_memory(64);
    reach_all(kernel);
    size_t there = take_all(SHARED, others, alive, 100);
    launch_often(kernel, data, true, count);
    give_all(SHARED, others, there);
    free_memory(data);
    free(others);
    clReleaseKernel(kernel);
}

int main(int count, char **words)
{
    const size_t sizes[] = {64,     1000,    4096,    30000,    100000,   262144,
                            262145, 1 << 20, 4 << 20, 16 << 20, 64 << 20, 256 << 20};
    double worst = 0;
    set_up(NULL);
    if (count == 2) {
        compare_launches();
        return tear_down(NULL);
    }
    if (count > 2) {
        only_launch(strtoul(words[1], NULL, 10), strtoul(words[2], NULL, 10));
        return tear_down(NULL);
    }
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
        compare_allocations(sizes[i], 0, 0, &worst);
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
        compare_allocations(sizes[i], MANY, 100, &worst);
    compare_allocations(1 << 20, MANY, 1 << 19, &worst);
    printf("allocation and free: at most %.2f of the driver's\n", worst);
    compare_launches();
    return tear_down(NULL);
}
