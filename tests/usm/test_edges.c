/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_edges.c - shared memory in unusual situations: empty commands, the application's own SVM, queues that are
 * released early, recorded commands, drivers that refuse, platforms without the layer.
 */
#define _GNU_SOURCE
#include "coarse.h"
#include "common.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

enum { ITEMS = 64, BYTES = ITEMS * sizeof(int) };

static cl_int status_of(cl_event event)
{
    cl_int status = -1;
    assert_int_equal(clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL),
                     CL_SUCCESS);
    return status;
}

static void wait_and_release(cl_event event)
{
    assert_int_equal(clWaitForEvents(1, &event), CL_SUCCESS);
    assert_int_equal(clReleaseEvent(event), CL_SUCCESS);
}

/* A long launch of a kernel that uses `data` and may access `all`. */
static cl_event launch_slow(cl_command_queue on, int *data, bool all)
{
    const int rounds = 300 * 1000 * 1000;
    cl_kernel kernel = make_kernel("slow");
    if (all) reach_all(kernel);
    assert_int_equal(usm.clSetKernelArgMemPointerINTEL(kernel, 0, data), CL_SUCCESS);
    assert_int_equal(clSetKernelArg(kernel, 1, sizeof rounds, &rounds), CL_SUCCESS);
    cl_event event = launch(on, kernel, 1, 0, NULL);
    clReleaseKernel(kernel);
    return event;
}

/* ---- nothing ---- */

/* A copy and a fill of no bytes are commands nevertheless: they wait, and have the right type. */
static void nothing_at_all(void **unused)
{
    (void)unused;
    char *data = shared_memory(64), byte = 1;
    cl_event gate = clCreateUserEvent(context, NULL), events[3];
    const cl_command_type types[] = {CL_COMMAND_MEMCPY_INTEL, CL_COMMAND_MEMFILL_INTEL, CL_COMMAND_MEMFILL_INTEL};
    cl_command_queue other = make_queue(false);
    data[0] = 7;
    assert_int_equal(usm.clEnqueueMemcpyINTEL(other, CL_FALSE, data, &byte, 0, 1, &gate, &events[0]), CL_SUCCESS);
    assert_int_equal(usm.clEnqueueMemFillINTEL(other, data, &byte, 1, 0, 0, NULL, &events[1]), CL_SUCCESS);
    assert_int_equal(usm.clEnqueueMemsetINTEL(other, data, 1, 0, 0, NULL, &events[2]), CL_SUCCESS);
    clFlush(other);
    assert_int_not_equal(status_of(events[0]), CL_COMPLETE);
    clSetUserEventStatus(gate, CL_COMPLETE);
    for (int i = 0; i < 3; i++) {
        cl_command_type type = 0;
        assert_int_equal(clGetEventInfo(events[i], CL_EVENT_COMMAND_TYPE, sizeof type, &type, NULL), CL_SUCCESS);
        assert_int_equal(type, types[i]);
        wait_and_release(events[i]);
    }
    assert_int_equal(data[0], 7);
    clReleaseEvent(gate);
    clReleaseCommandQueue(other);
    free_memory(data);
}

/* An empty command may run after the application has released its queue and its context. */
static void nothing_outlives_its_context(void **unused)
{
    (void)unused;
    cl_int error = -1;
    const char byte = 1;
    cl_event event = NULL;
    cl_context other = clCreateContext(NULL, 1, &device, NULL, NULL, &error);
    cl_command_queue early = clCreateCommandQueueWithProperties(other, device, NULL, &error);
    cl_event gate = clCreateUserEvent(other, &error);
    char *data = usm.clDeviceMemAllocINTEL(other, device, NULL, 64, 0, &error);
    assert_int_equal(usm.clEnqueueMemFillINTEL(early, data, &byte, 1, 0, 1, &gate, &event), CL_SUCCESS);
    assert_int_equal(clFlush(early), CL_SUCCESS);
    assert_int_equal(usm.clMemFreeINTEL(other, data), CL_SUCCESS);
    clReleaseCommandQueue(early);
    clReleaseContext(other);
    assert_int_equal(clSetUserEventStatus(gate, CL_COMPLETE), CL_SUCCESS);
    wait_and_release(event);
    clReleaseEvent(gate);
}

static void no_pointer_is_an_argument(void **unused)
{
    (void)unused;
    cl_kernel kernel = make_kernel("increment");
    int *data = shared_memory(BYTES);
    memset(data, 0, BYTES);
    assert_int_equal(usm.clSetKernelArgMemPointerINTEL(kernel, 0, NULL), CL_SUCCESS);
    assert_int_equal(usm.clSetKernelArgMemPointerINTEL(kernel, 0, data), CL_SUCCESS);
    wait_and_release(launch(queue, kernel, ITEMS, 0, NULL));
    assert_int_equal(data[ITEMS - 1], 1);
    clReleaseKernel(kernel);
    free_memory(data);
}

/* ---- lists and flags ---- */

static void run_follow(cl_kernel kernel, cl_ulong *slot, int *data)
{
    slot[0] = (cl_ulong)(uintptr_t)data;
    assert_int_equal(usm.clSetKernelArgMemPointerINTEL(kernel, 0, slot), CL_SUCCESS);
    wait_and_release(launch(queue, kernel, ITEMS, 0, NULL));
}

/* SVM pointers that the application lists remain listed if the layer adds its own, also at launches that may access all
 * memory. */
static void lists_are_merged(void **unused)
{
    (void)unused;
    cl_device_svm_capabilities svm = 0;
    clGetDeviceInfo(device, CL_DEVICE_SVM_CAPABILITIES, sizeof svm, &svm, NULL);
    int *own = svm ? clSVMAlloc(context, CL_MEM_READ_WRITE, BYTES, 0) : NULL;
    if (!own) skip();
    const int zero = 0;
    cl_ulong *slot = shared_memory(sizeof *slot);
    int *named = shared_memory(BYTES);
    memset(named, 0, BYTES);
    cl_kernel kernel = make_kernel("follow");
    assert_int_equal(clEnqueueSVMMemFill(queue, own, &zero, sizeof zero, BYTES, 0, NULL, NULL), CL_SUCCESS);
    assert_int_equal(clSetKernelExecInfo(kernel, CL_KERNEL_EXEC_INFO_SVM_PTRS, sizeof own, &own), CL_SUCCESS);
    assert_int_equal(clSetKernelExecInfo(kernel, CL_KERNEL_EXEC_INFO_USM_PTRS_INTEL, sizeof named, &named), CL_SUCCESS);
    run_follow(kernel, slot, own);
    run_follow(kernel, slot, named);
    reach_all(kernel);
    run_follow(kernel, slot, own);
    run_follow(kernel, slot, named);
    assert_int_equal(clEnqueueSVMMap(queue, CL_TRUE, CL_MAP_READ, own, BYTES, 0, NULL, NULL), CL_SUCCESS);
    assert_int_equal(own[0], 2);
    assert_int_equal(own[ITEMS - 1], 2);
    assert_int_equal(named[ITEMS - 1], 2);
    assert_int_equal(clEnqueueSVMUnmap(queue, own, 0, NULL, NULL), CL_SUCCESS);
    assert_int_equal(clFinish(queue), CL_SUCCESS);
    clReleaseKernel(kernel);
    clSVMFree(context, own);
    free_memory(named);
    free_memory(slot);
}

/* An empty list replaces an earlier list, although drivers accept no empty list: a launch does not use the memory that
 * was listed, which may be freed. */
static void a_list_is_taken_back(void **unused)
{
    static const cl_kernel_exec_info lists[] = {CL_KERNEL_EXEC_INFO_USM_PTRS_INTEL, CL_KERNEL_EXEC_INFO_SVM_PTRS};
    (void)unused;
    for (int i = 0; i < 2; i++) {
        cl_kernel kernel = make_kernel("increment");
        int *data = shared_memory(BYTES), *listed = shared_memory(BYTES);
        memset(data, 0, BYTES);
        assert_int_equal(clSetKernelExecInfo(kernel, lists[i], 0, NULL), CL_SUCCESS);
        assert_int_equal(clSetKernelExecInfo(kernel, lists[i], sizeof listed, &listed), CL_SUCCESS);
        assert_int_equal(usm.clSetKernelArgMemPointerINTEL(kernel, 0, data), CL_SUCCESS);
        wait_and_release(launch(queue, kernel, ITEMS, 0, NULL));
        assert_int_equal(clSetKernelExecInfo(kernel, lists[i], 0, NULL), CL_SUCCESS);
        wait_and_release(launch(queue, kernel, ITEMS, 0, NULL));
        free_memory(listed);
        wait_and_release(launch(queue, kernel, ITEMS, 0, NULL));
        assert_int_equal(data[ITEMS - 1], 3);
        clReleaseKernel(kernel);
        free_memory(data);
    }
}

static void what_was_named_is_freed(void **unused)
{
    (void)unused;
    cl_kernel kernel = make_kernel("follow");
    cl_ulong *slot = shared_memory(sizeof *slot);
    int *data = shared_memory(BYTES), *passing = shared_memory(BYTES);
    const void *named[] = {data, passing};
    memset(data, 0, BYTES);
    reach_all(kernel);
    assert_int_equal(clSetKernelExecInfo(kernel, CL_KERNEL_EXEC_INFO_USM_PTRS_INTEL, sizeof named, named), CL_SUCCESS);
    free_memory(passing);
    run_follow(kernel, slot, data);
    assert_int_equal(data[0], 1);
    clReleaseKernel(kernel);
    free_memory(data);
    free_memory(slot);
}

/* An argument that is not used may be freed, and its address may belong to another allocation when it is set again. */
static void an_address_that_comes_again(void **unused)
{
    (void)unused;
    const int first = 0, second = 1;
    int *others[2] = {shared_memory(BYTES), shared_memory(BYTES)};
    cl_kernel kernel = make_kernel("either");
    others[0][0] = others[1][0] = 0;
    for (int i = 0; i < 40; i++) {
        int *data = shared_memory(1 << 20);
        data[0] = i;
        assert_int_equal(usm.clSetKernelArgMemPointerINTEL(kernel, 0, data), CL_SUCCESS);
        assert_int_equal(usm.clSetKernelArgMemPointerINTEL(kernel, 1, others[i % 2]), CL_SUCCESS);
        assert_int_equal(clSetKernelArg(kernel, 2, sizeof first, &first), CL_SUCCESS);
        wait_and_release(launch(queue, kernel, 1, 0, NULL));
        assert_int_equal(data[0], i + 1);
        free_memory(data);
        assert_int_equal(usm.clSetKernelArgMemPointerINTEL(kernel, 1, others[(i + 1) % 2]), CL_SUCCESS);
        assert_int_equal(clSetKernelArg(kernel, 2, sizeof second, &second), CL_SUCCESS);
        wait_and_release(launch(queue, kernel, 1, 0, NULL));
        assert_int_equal(others[(i + 1) % 2][0], i / 2 + 1);
    }
    clReleaseKernel(kernel);
    free_memory(others[1]);
    free_memory(others[0]);
}

/* A kernel whose permission to access all memory has been revoked delays no free of other memory. */
static void a_flag_is_taken_back(void **unused)
{
    (void)unused;
    const cl_bool no = CL_FALSE;
    const int none = 0, rounds = 300 * 1000 * 1000;
    int *data = shared_memory(BYTES), *other = shared_memory(BYTES);
    data[0] = 0;
    cl_kernel kernel = make_kernel("slow");
    reach_all(kernel);
    usm.clSetKernelArgMemPointerINTEL(kernel, 0, data);
    clSetKernelArg(kernel, 1, sizeof none, &none);
    wait_and_release(launch(queue, kernel, 1, 0, NULL));
    const cl_kernel_exec_info names[] = {CL_KERNEL_EXEC_INFO_INDIRECT_HOST_ACCESS_INTEL,
                                         CL_KERNEL_EXEC_INFO_INDIRECT_DEVICE_ACCESS_INTEL,
                                         CL_KERNEL_EXEC_INFO_INDIRECT_SHARED_ACCESS_INTEL};
    for (int i = 0; i < 3; i++)
        assert_int_equal(clSetKernelExecInfo(kernel, names[i], sizeof no, &no), CL_SUCCESS);
    clSetKernelArg(kernel, 1, sizeof rounds, &rounds);
    cl_event event = launch(queue, kernel, 1, 0, NULL);
    assert_int_equal(usm.clMemBlockingFreeINTEL(context, other), CL_SUCCESS);
    assert_int_not_equal(status_of(event), CL_COMPLETE);
    wait_and_release(event);
    clReleaseKernel(kernel);
    free_memory(data);
}

/* ---- queues ---- */

/* The memory that a queue's commands use stays known after the application has released the queue; while the
 * application holds it, the queue is served. */
static void queues_that_go_early(void **unused)
{
    (void)unused;
    int *data = shared_memory(BYTES), *other = shared_memory(BYTES);
    data[0] = 0;
    cl_command_queue early = make_queue(false);
    assert_int_equal(clRetainCommandQueue(early), CL_SUCCESS);
    assert_int_equal(clReleaseCommandQueue(early), CL_SUCCESS);
    cl_event event = launch_slow(early, data, true);
    assert_int_equal(clReleaseCommandQueue(early), CL_SUCCESS);
    assert_int_equal(usm.clMemBlockingFreeINTEL(context, other), CL_SUCCESS);
    assert_int_equal(status_of(event), CL_COMPLETE);
    assert_int_equal(data[0], 1);
    clReleaseEvent(event);
    free_memory(data);
}

/* ---- a refusal of the driver returns the driver's error ---------------------------------------------------------- */

static void a_refused_allocation(void **unused)
{
    (void)unused;
    coarse_refuse_one_fn refuse_one = NULL;
    *(void **)&refuse_one = clGetExtensionFunctionAddressForPlatform(platform, COARSE_REFUSE_ONE);
    if (!refuse_one) skip();
    cl_int error = 0;
    refuse_one(0, 0, 0);
    assert_null(usm.clSharedMemAllocINTEL(context, device, NULL, BYTES, 0, &error));
    assert_int_equal(error, COARSE_REFUSED);
    int *data = shared_memory(BYTES);
    data[0] = 1;
    free_memory(data);
}

/* Cached allocations are freed when memory is exhausted. */
static void memory_that_is_kept(void **unused)
{
    enum { COUNT = 8, SIZE = 8 << 20, MORE = 40 << 20 };
    (void)unused;
    void *all[COUNT];
    unsigned long pages = 0;
    struct rlimit before, tight;
    if (clGetExtensionFunctionAddressForPlatform(platform, COARSE_REFUSE_ONE)) skip(); /* nothing is cached there */
    if (getenv("TEST_KHR")) skip();                                                    /* nor there */
    for (int i = 0; i < COUNT; i++)
        all[i] = device_memory(SIZE);
    for (int i = 0; i < COUNT; i++)
        free_memory(all[i]);
    FILE *file = fopen("/proc/self/statm", "r");
    if (!file || fscanf(file, "%lu", &pages) != 1) skip();
    fclose(file);
    assert_int_equal(getrlimit(RLIMIT_AS, &before), 0);
    tight = before;
    tight.rlim_cur = pages * (rlim_t)sysconf(_SC_PAGESIZE) + MORE / 2;
    assert_int_equal(setrlimit(RLIMIT_AS, &tight), 0);
    cl_int error = -1;
    void *memory = usm.clDeviceMemAllocINTEL(context, device, NULL, MORE, 0, &error);
    assert_int_equal(setrlimit(RLIMIT_AS, &before), 0);
    assert_int_equal(error, CL_SUCCESS);
    free_memory(memory);
}

/* ---- recorded commands for SVM, if the driver has them: the extension has none of its own ------------------------ */

typedef cl_int(CL_API_CALL *svm_copy_fn)(cl_command_buffer_khr, cl_command_queue, void *, const void *, size_t, cl_uint,
                                         const cl_sync_point_khr *, cl_sync_point_khr *, void *);
typedef cl_int(CL_API_CALL *svm_copy_newer_fn)(cl_command_buffer_khr, cl_command_queue, const void *, void *,
                                               const void *, size_t, cl_uint, const cl_sync_point_khr *,
                                               cl_sync_point_khr *, void *);
typedef cl_int(CL_API_CALL *svm_fill_fn)(cl_command_buffer_khr, cl_command_queue, void *, const void *, size_t, size_t,
                                         cl_uint, const cl_sync_point_khr *, cl_sync_point_khr *, void *);
typedef cl_int(CL_API_CALL *svm_fill_newer_fn)(cl_command_buffer_khr, cl_command_queue, const void *, void *,
                                               const void *, size_t, size_t, cl_uint, const cl_sync_point_khr *,
                                               cl_sync_point_khr *, void *);

/* The commands have an additional parameter since 0.9.5. @return 0 if the device does not report the extension. */
static cl_version command_buffers(void)
{
    static cl_name_version list[512];
    size_t size = 0;
    clGetDeviceInfo(device, CL_DEVICE_EXTENSIONS_WITH_VERSION, sizeof list, list, &size);
    for (size_t i = 0; i < size / sizeof list[0]; i++)
        if (strcmp(list[i].name, "cl_khr_command_buffer") == 0) return list[i].version;
    return 0;
}

#define FIND(type, name)                                                                                               \
    type name##_found;                                                                                                 \
    *(void **)&name##_found = clGetExtensionFunctionAddressForPlatform(platform, #name)

static void record(cl_command_buffer_khr buffer, int *target, const int *source, int *filled, bool newer)
{
    const int nine = 9;
    cl_int copied, set;
    if (newer) {
        FIND(svm_copy_newer_fn, clCommandSVMMemcpyKHR);
        FIND(svm_fill_newer_fn, clCommandSVMMemFillKHR);
        copied = clCommandSVMMemcpyKHR_found(buffer, NULL, NULL, target, source, BYTES, 0, NULL, NULL, NULL);
        set = clCommandSVMMemFillKHR_found(buffer, NULL, NULL, filled, &nine, sizeof nine, BYTES, 0, NULL, NULL, NULL);
    } else {
        FIND(svm_copy_fn, clCommandSVMMemcpyKHR);
        FIND(svm_fill_fn, clCommandSVMMemFillKHR);
        copied = clCommandSVMMemcpyKHR_found(buffer, NULL, target, source, BYTES, 0, NULL, NULL, NULL);
        set = clCommandSVMMemFillKHR_found(buffer, NULL, filled, &nine, sizeof nine, BYTES, 0, NULL, NULL, NULL);
    }
    assert_int_equal(copied, CL_SUCCESS);
    assert_int_equal(set, CL_SUCCESS);
}

static void recorded_copies_and_fills(void **unused)
{
    (void)unused;
    FIND(void *, clCommandSVMMemcpyKHR);
    FIND(clCreateCommandBufferKHR_fn, clCreateCommandBufferKHR);
    FIND(clFinalizeCommandBufferKHR_fn, clFinalizeCommandBufferKHR);
    FIND(clEnqueueCommandBufferKHR_fn, clEnqueueCommandBufferKHR);
    FIND(clReleaseCommandBufferKHR_fn, clReleaseCommandBufferKHR);
    cl_version version = command_buffers();
    if (!version || !clCommandSVMMemcpyKHR_found) skip();
    cl_int error = -1;
    int *source = shared_memory(BYTES), *target = device_memory(BYTES), *filled = host_memory(BYTES);
    int *back = host_memory(BYTES);
    cl_command_buffer_khr buffer = clCreateCommandBufferKHR_found(1, &queue, NULL, &error);
    assert_int_equal(error, CL_SUCCESS);
    record(buffer, target, source, filled, version >= CL_MAKE_VERSION(0, 9, 5));
    assert_int_equal(clFinalizeCommandBufferKHR_found(buffer), CL_SUCCESS);
    for (int round = 0; round < 3; round++) {
        cl_event event = NULL;
        memset(source, round + 1, BYTES);
        memset(filled, 0, BYTES);
        assert_int_equal(clEnqueueCommandBufferKHR_found(1, &queue, buffer, 0, NULL, &event), CL_SUCCESS);
        wait_and_release(event);
        assert_int_equal(filled[ITEMS - 1], 9);
        assert_int_equal(usm.clEnqueueMemcpyINTEL(queue, CL_TRUE, back, target, BYTES, 0, NULL, NULL), CL_SUCCESS);
        assert_memory_equal(back, source, BYTES);
    }
    clReleaseCommandBufferKHR_found(buffer);
    free_memory(back);
    free_memory(filled);
    free_memory(target);
    free_memory(source);
}

/* ---- platforms and devices that the layer does not serve --------------------------------------------------------- */

static void check_other(cl_platform_id other)
{
    static char text[16384];
    cl_device_id devices[8];
    cl_uint count = 0;
    cl_int error = -1;
    assert_int_equal(clGetPlatformInfo(other, CL_PLATFORM_EXTENSIONS, sizeof text, text, NULL), CL_SUCCESS);
    assert_null(strstr(text, "cl_intel_unified_shared_memory"));
    assert_null(clGetExtensionFunctionAddressForPlatform(other, "clHostMemAllocINTEL"));
    if (clGetDeviceIDs(other, CL_DEVICE_TYPE_ALL, 8, devices, &count) != CL_SUCCESS) return;
    for (cl_uint i = 0; i < count && i < 8; i++) {
        cl_ulong capabilities = 0;
        assert_int_equal(clGetDeviceInfo(devices[i], CL_DEVICE_EXTENSIONS, sizeof text, text, NULL), CL_SUCCESS);
        assert_null(strstr(text, "cl_intel_unified_shared_memory"));
        error = clGetDeviceInfo(devices[i], CL_DEVICE_HOST_MEM_CAPABILITIES_INTEL, sizeof capabilities, &capabilities,
                                NULL);
        assert_true(error != CL_SUCCESS || capabilities == 0);
    }
    cl_context theirs = clCreateContext(NULL, 1, devices, NULL, NULL, &error);
    assert_int_equal(error, CL_SUCCESS);
    assert_null(usm.clHostMemAllocINTEL(theirs, NULL, 64, 0, &error));
    assert_int_equal(error, CL_INVALID_CONTEXT);
    assert_int_equal(usm.clMemFreeINTEL(theirs, text), CL_INVALID_CONTEXT);
    assert_int_equal(clReleaseContext(theirs), CL_SUCCESS);
}

static void other_platforms(void **unused)
{
    (void)unused;
    cl_platform_id platforms[16];
    cl_uint count = 0;
    clGetPlatformIDs(16, platforms, &count);
    if (count < 2) skip();
    for (cl_uint i = 0; i < count; i++)
        if (platforms[i] != platform) check_other(platforms[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_at_all),
        cmocka_unit_test(nothing_outlives_its_context),
        cmocka_unit_test(no_pointer_is_an_argument),
        cmocka_unit_test(lists_are_merged),
        cmocka_unit_test(a_list_is_taken_back),
        cmocka_unit_test(what_was_named_is_freed),
        cmocka_unit_test(an_address_that_comes_again),
        cmocka_unit_test(a_flag_is_taken_back),
        cmocka_unit_test(queues_that_go_early),
        cmocka_unit_test(a_refused_allocation),
        cmocka_unit_test(memory_that_is_kept),
        cmocka_unit_test(recorded_copies_and_fills),
        cmocka_unit_test(other_platforms),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
