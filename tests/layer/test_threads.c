/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_threads.c - many threads create, build, query and release the same and different programs for TEST_SECONDS.
 * Intended for a build with ThreadSanitizer or AddressSanitizer; without them it still checks that all reference counts
 * are exact at the end.
 */
#define _GNU_SOURCE
#include "common.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { THREADS = 16 };

static cl_context context, fast_context, mixed_context;
static cl_command_queue mixed_queues[2];
static cl_kernel mixed_kernel; /* retained and released by all threads */
static cl_program shared;
static atomic_int stop, rounds, wrong;

static void CL_CALLBACK on_built(cl_program program, void *user)
{
    size_t size = 0;
    clGetProgramBuildInfo(program, devices[0][STUB_IL], CL_PROGRAM_BUILD_LOG, 0, NULL, &size);
    atomic_fetch_add((atomic_int *)user, 1);
}

/* The first failures are printed; only the main thread may use assertions. */
static void check_line(int good, int line)
{
    if (!good && atomic_fetch_add(&wrong, 1) < 10) fprintf(stderr, "wrong: line %d\n", line);
}
#define check(good) check_line(good, __LINE__)

static void use_own(int number)
{
    const struct bytes *modules[] = {&generic_module, &plain_module, &spec_module};
    const struct bytes *module = modules[number % 3];
    cl_int error = -1;
    atomic_int called = 0;
    cl_program program = clCreateProgramWithIL(context, module->data, module->size, &error), seen = NULL;
    check(error == CL_SUCCESS);
    check(clBuildProgram(program, 0, NULL, "", number % 2 ? on_built : NULL, number % 2 ? &called : NULL) ==
          CL_SUCCESS);
    while (number % 2 && !atomic_load(&called))
        sched_yield();
    cl_kernel kernel = clCreateKernel(program, "k", &error);
    check(error == CL_SUCCESS);
    check(clReleaseProgram(program) == CL_SUCCESS);
    check(clGetKernelInfo(kernel, CL_KERNEL_PROGRAM, sizeof seen, &seen, NULL) == CL_SUCCESS && seen == program);
    check(clReleaseKernel(kernel) == CL_SUCCESS);
}

/* A device whose binaries are cached: they are read while the program is already being built again, or released. */
static void use_fast(int number)
{
    char options[16];
    snprintf(options, sizeof options, "-n%d", number % 8);
    cl_program program = clCreateProgramWithIL(fast_context, generic_module.data, generic_module.size, NULL);
    check(clBuildProgram(program, 0, NULL, options, NULL, NULL) == CL_SUCCESS);
    if (number % 3 == 0) check(clBuildProgram(program, 0, NULL, "-again", NULL, NULL) == CL_SUCCESS);
    cl_kernel kernel = NULL;
    check(clCreateKernelsInProgram(program, 1, &kernel, NULL) == CL_SUCCESS);
    check(clReleaseKernel(kernel) == CL_SUCCESS);
    check(clReleaseProgram(program) == CL_SUCCESS);
}

static void use_linker(void)
{
    cl_int error = -1;
    cl_program parts[] = {clCreateProgramWithIL(context, caller_module.data, caller_module.size, NULL),
                          clCreateProgramWithIL(context, callee_module.data, callee_module.size, NULL)};
    for (int i = 0; i < 2; i++)
        check(clCompileProgram(parts[i], 0, NULL, "", 0, NULL, NULL, NULL, NULL) == CL_SUCCESS);
    cl_program linked = clLinkProgram(context, 0, NULL, "", 2, parts, NULL, NULL, &error);
    check(error == CL_SUCCESS);
    for (int i = 0; i < 2; i++)
        check(clReleaseProgram(parts[i]) == CL_SUCCESS);
    check(clReleaseProgram(linked) == CL_SUCCESS);
}

static void use_values(uint32_t value)
{
    cl_program program = clCreateProgramWithIL(context, spec_module.data, spec_module.size, NULL);
    check(clSetProgramSpecializationConstant(program, 5, sizeof value, &value) == CL_SUCCESS);
    check(clBuildProgram(program, 0, NULL, "", NULL, NULL) == CL_SUCCESS);
    check(clReleaseProgram(program) == CL_SUCCESS);
}

static void use_shared(void)
{
    char text[64];
    size_t size = 0;
    check(clRetainProgram(shared) == CL_SUCCESS);
    cl_int error = clBuildProgram(shared, 0, NULL, "", NULL, NULL);
    check(error == CL_SUCCESS || error == CL_INVALID_OPERATION); /* another thread is building it */
    check(clGetProgramBuildInfo(shared, devices[0][STUB_IL], CL_PROGRAM_BUILD_OPTIONS, sizeof text, text, NULL) ==
          CL_SUCCESS);
    check(clGetProgramBuildInfo(shared, devices[0][STUB_IL], CL_PROGRAM_BUILD_LOG, 0, NULL, &size) == CL_SUCCESS);
    cl_kernel kernel = clCreateKernel(shared, "k", NULL), clone = clCloneKernel(kernel, NULL);
    check(clGetProgramInfo(shared, CL_PROGRAM_KERNEL_NAMES, sizeof text, text, NULL) == CL_SUCCESS);
    check(clGetProgramInfo(shared, CL_PROGRAM_IL, 0, NULL, &size) == CL_SUCCESS && size == generic_module.size);
    check(clReleaseKernel(kernel) == CL_SUCCESS);
    check(clReleaseKernel(clone) == CL_SUCCESS);
    check(clReleaseProgram(shared) == CL_SUCCESS);
}

/* Kernels that are two driver kernels: each thread sets the arguments of its own kernels, as OpenCL requires, and all
 * threads hold and query a shared one. */
static void use_mixed(int number)
{
    const uint64_t value = (uint64_t)number;
    const size_t one = 1;
    size_t size = 0;
    cl_int error = -1;
    check(clRetainKernel(mixed_kernel) == CL_SUCCESS);
    cl_program program = clCreateProgramWithIL(mixed_context, generic_module.data, generic_module.size, NULL);
    check(clBuildProgram(program, 0, NULL, "", NULL, NULL) == CL_SUCCESS);
    cl_kernel kernel = clCreateKernel(program, "k", &error);
    check(error == CL_SUCCESS && clReleaseProgram(program) == CL_SUCCESS);
    check(clSetKernelArg(kernel, 0, sizeof value, &value) == CL_SUCCESS);
    cl_kernel kernels[] = {kernel, clCloneKernel(kernel, NULL), mixed_kernel};
    for (int i = 0; i < 6; i++)
        check(clEnqueueNDRangeKernel(mixed_queues[i % 2], kernels[i / 2], 1, NULL, &one, NULL, 0, NULL, NULL) ==
              CL_SUCCESS);
    check(clGetKernelWorkGroupInfo(mixed_kernel, devices[0][STUB_KHR], CL_KERNEL_WORK_GROUP_SIZE, sizeof size, &size,
                                   NULL) == CL_SUCCESS);
    for (int i = 0; i < 3; i++)
        check(clReleaseKernel(kernels[i]) == CL_SUCCESS);
}

static void *work(void *argument)
{
    int number = (int)(intptr_t)argument;
    while (!atomic_load(&stop)) {
        int round = number + atomic_fetch_add(&rounds, 1);
        use_own(round);
        use_shared();
        use_fast(round);
        use_linker();
        use_values((uint32_t)round % 5);
        use_mixed(round);
    }
    return NULL;
}

/* In a child of a process with busy threads no lock may be held forever. */
static void fork_among_them(void)
{
    pid_t child = fork();
    if (child == 0) {
        alarm(60);
        size_t size = 0;
        cl_program program = clCreateProgramWithIL(context, generic_module.data, generic_module.size, NULL);
        _exit(program &&
                      clGetProgramBuildInfo(shared, devices[0][STUB_IL], CL_PROGRAM_BUILD_LOG, 0, NULL, &size) ==
                          CL_SUCCESS &&
                      clBuildProgram(program, 0, NULL, "", NULL, NULL) == CL_SUCCESS &&
                      clReleaseProgram(program) == CL_SUCCESS
                  ? 0
                  : 1);
    }
    int status = -1;
    waitpid(child, &status, 0);
    check(status == 0);
}

/* A context whose two devices get SPIR-V by different functions, and a kernel for all threads. */
static void open_mixed(void)
{
    const uint64_t value = 1;
    const cl_device_id list[] = {devices[0][STUB_IL], devices[0][STUB_KHR]};
    mixed_context = make_context_of(2, list);
    for (int i = 0; i < 2; i++)
        mixed_queues[i] = clCreateCommandQueueWithProperties(mixed_context, list[i], NULL, NULL);
    cl_program program = make_program(mixed_context, &generic_module);
    assert_int_equal(clBuildProgram(program, 0, NULL, "", NULL, NULL), CL_SUCCESS);
    mixed_kernel = clCreateKernel(program, "k", NULL);
    assert_int_equal(stub->kernels, 2);
    assert_int_equal(clSetKernelArg(mixed_kernel, 0, sizeof value, &value), CL_SUCCESS);
    clReleaseProgram(program);
}

static void close_mixed(void)
{
    assert_int_equal(clReleaseKernel(mixed_kernel), CL_SUCCESS);
    for (int i = 0; i < 2; i++)
        clReleaseCommandQueue(mixed_queues[i]);
    clReleaseContext(mixed_context);
}

/* ---- one program, rebuilt by all threads ------------------------------------------------------------------------- */

static cl_device_id rebuilt_device;
static cl_command_queue rebuilt_queue;
static bool rebuilt_with_values;
static cl_uint rebuilt_devices;

static void check_may_be_busy(cl_int error)
{
    check(error == CL_SUCCESS || error == CL_INVALID_OPERATION); /* another thread builds it, or has a kernel of it */
}

static void query_rebuilt(void)
{
    char text[256];
    size_t size = 0;
    cl_build_status status = CL_BUILD_NONE;
    check(clGetProgramBuildInfo(shared, rebuilt_device, CL_PROGRAM_BUILD_LOG, sizeof text, text, NULL) == CL_SUCCESS);
    check(clGetProgramBuildInfo(shared, rebuilt_device, CL_PROGRAM_BUILD_STATUS, sizeof status, &status, NULL) ==
          CL_SUCCESS);
    clGetProgramBuildInfo(shared, rebuilt_device, CL_PROGRAM_BUILD_GLOBAL_VARIABLE_TOTAL_SIZE, sizeof size, &size,
                          NULL);
    clGetProgramInfo(shared, CL_PROGRAM_KERNEL_NAMES, sizeof text, text, NULL);
    clGetProgramInfo(shared, CL_PROGRAM_NUM_KERNELS, sizeof size, &size, NULL);
}

static void launch_rebuilt(int number)
{
    const size_t one = 1;
    const uint64_t value = 1;
    cl_int error = CL_SUCCESS;
    cl_kernel kernel = NULL;
    if (number % 2)
        kernel = clCreateKernel(shared, "k", &error);
    else
        error = clCreateKernelsInProgram(shared, 1, &kernel, NULL);
    check(error == CL_SUCCESS || error == CL_INVALID_PROGRAM_EXECUTABLE); /* it is being rebuilt */
    if (error != CL_SUCCESS) return;
    check(clSetKernelArg(kernel, 0, sizeof value, &value) == CL_SUCCESS);
    check(clSetKernelArg(kernel, 1, sizeof value, &value) == CL_INVALID_ARG_INDEX);
    cl_kernel clone = clCloneKernel(kernel, &error);
    error = clEnqueueNDRangeKernel(rebuilt_queue, kernel, 1, NULL, &one, NULL, 0, NULL, NULL);
    /* A kernel that was created between the builds for two devices belongs to one of them. */
    check(error == CL_SUCCESS || (rebuilt_devices > 1 && error == CL_INVALID_PROGRAM_EXECUTABLE));
    check(clReleaseKernel(kernel) == CL_SUCCESS);
    if (clone) check(clReleaseKernel(clone) == CL_SUCCESS);
}

static void *rebuild(void *argument)
{
    int number = (int)(intptr_t)argument;
    while (!atomic_load(&stop)) {
        int round = number + atomic_fetch_add(&rounds, 1);
        uint32_t value = (uint32_t)round / 2 % 2;
        if (rebuilt_with_values)
            check(clSetProgramSpecializationConstant(shared, 5, sizeof value, &value) == CL_SUCCESS);
        check_may_be_busy(clBuildProgram(shared, 0, NULL, "", NULL, NULL));
        query_rebuilt();
        if (round % 8 == 0) launch_rebuilt(round / 8);
    }
    return NULL;
}

static void run_threads(void *(*what)(void *))
{
    pthread_t list[THREADS];
    const char *seconds = getenv("TEST_SECONDS");
    atomic_store(&stop, 0);
    atomic_store(&rounds, 0);
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&list[i], NULL, what, (void *)(intptr_t)i), 0);
    sleep(seconds ? (unsigned)atoi(seconds) : 2);
    atomic_store(&stop, 1);
    for (int i = 0; i < THREADS; i++)
        pthread_join(list[i], NULL);
    assert_int_equal(atomic_load(&wrong), 0);
    assert_true(atomic_load(&rounds) > THREADS);
    printf("%d rounds\n", atomic_load(&rounds));
}

static void wait_for_driver(void)
{
    struct timespec pause = {0, 10000000};
    for (int i = 0; i < 1000 && stub->programs; i++)
        nanosleep(&pause, NULL);
}

/* Each build replaces the driver program that the other threads query. */
static void rebuild_on(cl_uint count, const enum stub_device *kinds, bool values)
{
    cl_device_id list[2];
    for (cl_uint i = 0; i < count; i++)
        list[i] = devices[0][kinds[i]];
    rebuilt_with_values = values;
    rebuilt_devices = count;
    stub->async = 0;
    stub->arguments = 1;
    rebuilt_device = list[count - 1];
    for (int round = 0; round < 2; round++) { /* the second round finds the cache entries of the first */
        cl_context one = make_context_of(count, list);
        rebuilt_queue = clCreateCommandQueueWithProperties(one, rebuilt_device, NULL, NULL);
        shared = make_program(one, &spec_module);
        assert_int_equal(clBuildProgram(shared, 0, NULL, "", NULL, NULL), CL_SUCCESS);
        if (round) run_threads(rebuild);
        clReleaseProgram(shared);
        clReleaseCommandQueue(rebuilt_queue);
        clReleaseContext(one);
        wait_for_driver();
    }
}

static void rebuilt_from_the_cache(void **unused)
{
    (void)unused;
    const enum stub_device kind = STUB_FAST;
    rebuild_on(1, &kind, false); /* each build finds the cached binary */
}

/* The buffer for its variables is an argument of its kernels. */
static void rebuilt_with_variables(void **unused)
{
    (void)unused;
    strcpy(stub->names, "nonflat_globals_8;k");
    const enum stub_device kind = STUB_SPIR_3;
    rebuild_on(1, &kind, true);
    *stub->names = '\0';
}

/* A driver program and a driver kernel for each of two devices that get SPIR-V in different ways. */
static void rebuilt_for_two_devices(void **unused)
{
    const enum stub_device kinds[] = {STUB_IL, STUB_KHR};
    (void)unused;
    rebuild_on(2, kinds, true);
}

/* One of the devices has its variables in a buffer of the layer. */
static void rebuilt_for_two_devices_with_variables(void **unused)
{
    const enum stub_device kinds[] = {STUB_IL, STUB_SPIR_3};
    (void)unused;
    strcpy(stub->names, "nonflat_globals_8;k");
    rebuild_on(2, kinds, true);
    *stub->names = '\0';
}

/* The specialized module is built in a separate thread, and one of the two devices gets the original module. */
static void rebuilt_for_two_devices_with_generic_pointers(void **unused)
{
    const enum stub_device kinds[] = {STUB_GENERIC, STUB_GPU};
    (void)unused;
    rebuild_on(2, kinds, true);
}

/* Binaries are cached, or the failure of the specialized module is stored. */
static void rebuilt_where_builds_fail(void **unused)
{
    const enum stub_device kind = STUB_GPU;
    (void)unused;
    rebuild_on(1, &kind, true);
    stub->fail_changed = CL_BUILD_PROGRAM_FAILURE;
    rebuild_on(1, &kind, true);
    stub->fail_changed = 0;
}

/* Every thread builds programs from the same few sources, which are cached, and creates their kernels. */
static void *build_sources(void *argument)
{
    static const char *texts[] = {"kernel void k() {}", "kernel void k() { ; }", "kernel void k() { ;; }"};
    int number = (int)(intptr_t)argument;
    while (!atomic_load(&stop)) {
        int round = number + atomic_fetch_add(&rounds, 1);
        size_t size = 0;
        cl_int error = -1;
        atomic_int called = 0;
        cl_program program = clCreateProgramWithSource(fast_context, 1, &texts[round % 3], NULL, &error), seen = NULL;
        check(error == CL_SUCCESS);
        check(clBuildProgram(program, 0, NULL, round % 5 ? "-a" : "-b", round % 2 ? on_built : NULL,
                             round % 2 ? &called : NULL) == CL_SUCCESS);
        while (round % 2 && !atomic_load(&called))
            sched_yield();
        check(clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, NULL) == CL_SUCCESS);
        cl_kernel kernel = clCreateKernel(program, "k", &error);
        check(error == CL_SUCCESS);
        check(clReleaseProgram(program) == CL_SUCCESS);
        check(clGetKernelInfo(kernel, CL_KERNEL_PROGRAM, sizeof seen, &seen, NULL) == CL_SUCCESS && seen == program);
        check(clReleaseKernel(kernel) == CL_SUCCESS);
    }
    return NULL;
}

static void sources_from_the_cache(void **unused)
{
    (void)unused;
    fast_context = make_context(STUB_GENERIC);
    run_threads(build_sources);
    clReleaseContext(fast_context);
    wait_for_driver();
}

/* ---- everything at once ---- */

static void threads(void **unused)
{
    pthread_t list[THREADS];
    const char *seconds = getenv("TEST_SECONDS");
    struct timespec pause = {0, 50000000};
    (void)unused;
    atomic_store(&stop, 0);
    atomic_store(&rounds, 0);
    stub->async = 1;
    context = make_context(STUB_IL);
    fast_context = make_context(STUB_FAST);
    stub->arguments = 1;
    open_mixed();
    shared = make_program(context, &generic_module);
    assert_int_equal(clBuildProgram(shared, 0, NULL, "", NULL, NULL), CL_SUCCESS);
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&list[i], NULL, work, (void *)(intptr_t)i), 0);
    time_t end = time(NULL) + (seconds ? atoi(seconds) : 2);
    bool forks = !getenv("TEST_NO_FORK");
    while (time(NULL) < end) {
        nanosleep(&pause, NULL);
        if (forks) fork_among_them();
    }
    atomic_store(&stop, 1);
    for (int i = 0; i < THREADS; i++)
        pthread_join(list[i], NULL);
    cl_uint references = 0;
    clGetProgramInfo(shared, CL_PROGRAM_REFERENCE_COUNT, sizeof references, &references, NULL);
    assert_int_equal(references, 1);
    assert_int_equal(atomic_load(&wrong), 0);
    assert_true(atomic_load(&rounds) > THREADS);
    close_mixed();
    clReleaseProgram(shared);
    clReleaseContext(context);
    clReleaseContext(fast_context);
    wait_for_driver(); /* its threads release their objects */
    printf("%d rounds\n", atomic_load(&rounds));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(rebuilt_from_the_cache, check_nothing_left),
        cmocka_unit_test_teardown(rebuilt_with_variables, check_nothing_left),
        cmocka_unit_test_teardown(rebuilt_for_two_devices, check_nothing_left),
        cmocka_unit_test_teardown(rebuilt_for_two_devices_with_variables, check_nothing_left),
        cmocka_unit_test_teardown(rebuilt_for_two_devices_with_generic_pointers, check_nothing_left),
        cmocka_unit_test_teardown(rebuilt_where_builds_fail, check_nothing_left),
        cmocka_unit_test_teardown(sources_from_the_cache, check_nothing_left),
        cmocka_unit_test_teardown(threads, check_nothing_left)};
    return cmocka_run_group_tests(tests, find_stub, free_modules);
}
