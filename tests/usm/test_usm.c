/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_usm.c - every function of cl_intel_unified_shared_memory, on a device that has only SVM. The environment selects
 * driver and layers, as for any application. Exit status 77, and a reason, if there is no driver.
 */
#define _GNU_SOURCE
#define CL_USE_DEPRECATED_OPENCL_1_1_APIS
#include "common.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { ITEMS = 256, MANY = 10000, MIXED = 60 };

/* ---- queries about devices and platforms ------------------------------------------------------------------------- */

static bool lists(const cl_name_version *list, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(list[i].name, "cl_intel_unified_shared_memory") == 0) return list[i].version != 0;
    return false;
}

static void named_by_device_and_platform(void **unused)
{
    (void)unused;
    char text[16384] = "";
    cl_name_version list[512];
    size_t size = 0, again = 0;
    assert_int_equal(clGetPlatformInfo(platform, CL_PLATFORM_EXTENSIONS, 0, NULL, &size), CL_SUCCESS);
    assert_int_equal(clGetPlatformInfo(platform, CL_PLATFORM_EXTENSIONS, size, text, &again), CL_SUCCESS);
    assert_int_equal(size, again);
    assert_int_equal(size, strlen(text) + 1);
    assert_non_null(strstr(text, "cl_intel_unified_shared_memory"));
    assert_int_equal(clGetPlatformInfo(platform, CL_PLATFORM_EXTENSIONS, size - 1, text, NULL), CL_INVALID_VALUE);
    assert_int_equal(clGetDeviceInfo(device, CL_DEVICE_EXTENSIONS, sizeof text, text, &size), CL_SUCCESS);
    assert_int_equal(size, strlen(text) + 1);
    assert_int_equal(clGetPlatformInfo(platform, CL_PLATFORM_EXTENSIONS_WITH_VERSION, sizeof list, list, &size),
                     CL_SUCCESS);
    assert_true(lists(list, size / sizeof list[0]));
    assert_int_equal(clGetDeviceInfo(device, CL_DEVICE_EXTENSIONS_WITH_VERSION, sizeof list, list, &size), CL_SUCCESS);
    assert_true(lists(list, size / sizeof list[0]));
}

static cl_ulong capability(cl_device_info name)
{
    cl_ulong value = ~0ull;
    assert_int_equal(clGetDeviceInfo(device, name, sizeof value, &value, NULL), CL_SUCCESS);
    return value;
}

static void capabilities_are_what_svm_gives(void **unused)
{
    (void)unused;
    cl_device_svm_capabilities svm = 0;
    const cl_ulong concurrent = CL_UNIFIED_SHARED_MEMORY_CONCURRENT_ACCESS_INTEL;
    assert_int_equal(clGetDeviceInfo(device, CL_DEVICE_SVM_CAPABILITIES, sizeof svm, &svm, NULL), CL_SUCCESS);
    if (!svm) clGetDeviceInfo(device, CL_DEVICE_SVM_CAPABILITIES_ARM, sizeof svm, &svm, NULL);
    if (!getenv("TEST_KHR")) assert_int_not_equal(svm, 0);
    assert_true(capability(CL_DEVICE_HOST_MEM_CAPABILITIES_INTEL) & CL_UNIFIED_SHARED_MEMORY_ACCESS_INTEL);
    assert_true(capability(CL_DEVICE_DEVICE_MEM_CAPABILITIES_INTEL) & CL_UNIFIED_SHARED_MEMORY_ACCESS_INTEL);
    cl_ulong shared = capability(CL_DEVICE_SINGLE_DEVICE_SHARED_MEM_CAPABILITIES_INTEL);
    assert_true(shared & CL_UNIFIED_SHARED_MEMORY_ACCESS_INTEL);
    if (!(svm & CL_DEVICE_SVM_ATOMICS)) assert_false(shared & concurrent);
    if (!(svm & CL_DEVICE_SVM_FINE_GRAIN_SYSTEM))
        assert_int_equal(capability(CL_DEVICE_SHARED_SYSTEM_MEM_CAPABILITIES_INTEL), 0);
}

static void functions_by_name(void **unused)
{
    (void)unused;
#define X(name)                                                                                                        \
    assert_non_null(clGetExtensionFunctionAddressForPlatform(platform, #name));                                        \
    assert_non_null(clGetExtensionFunctionAddress(#name));
    USM_FUNCTIONS(X)
#undef X
    assert_null(clGetExtensionFunctionAddressForPlatform(platform, "clNoSuchFunctionINTEL"));
}

/* ---- allocation ---- */

static void check_info(const void *pointer, cl_uint type, const void *base, size_t size, cl_device_id of)
{
    cl_uint got_type = 0;
    const void *got_base = &got_type;
    size_t got_size = 77, length = 0;
    cl_device_id got_device = (cl_device_id)(uintptr_t)77;
    assert_int_equal(
        usm.clGetMemAllocInfoINTEL(context, pointer, CL_MEM_ALLOC_TYPE_INTEL, sizeof got_type, &got_type, &length),
        CL_SUCCESS);
    assert_int_equal(length, sizeof got_type);
    usm.clGetMemAllocInfoINTEL(context, pointer, CL_MEM_ALLOC_BASE_PTR_INTEL, sizeof got_base, &got_base, NULL);
    usm.clGetMemAllocInfoINTEL(context, pointer, CL_MEM_ALLOC_SIZE_INTEL, sizeof got_size, &got_size, NULL);
    usm.clGetMemAllocInfoINTEL(context, pointer, CL_MEM_ALLOC_DEVICE_INTEL, sizeof got_device, &got_device, NULL);
    assert_int_equal(got_type, type);
    assert_ptr_equal(got_base, base);
    assert_int_equal(got_size, size);
    assert_ptr_equal(got_device, of);
}

static void a_pointer_is_known_from_its_first_byte_to_its_last(void **unused)
{
    (void)unused;
    const size_t sizes[] = {1, 63, 64, 65, 4096, 5000, 32768, 32769, 100000, 262144, 262145, 1 << 20, 5 << 20};
    int local = 0;
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        char *shared = shared_memory(sizes[i]), *host = host_memory(sizes[i]), *own = device_memory(sizes[i]);
        check_info(shared, CL_MEM_TYPE_SHARED_INTEL, shared, sizes[i], device);
        check_info(shared + sizes[i] - 1, CL_MEM_TYPE_SHARED_INTEL, shared, sizes[i], device);
        check_info(host + sizes[i] / 2, CL_MEM_TYPE_HOST_INTEL, host, sizes[i], NULL);
        check_info(own + sizes[i] / 2, CL_MEM_TYPE_DEVICE_INTEL, own, sizes[i], device);
        memset(shared, 1, sizes[i]);
        memset(host, 1, sizes[i]);
        free_memory(own);
        free_memory(host);
        free_memory(shared);
        check_info(shared, CL_MEM_TYPE_UNKNOWN_INTEL, NULL, 0, NULL);
    }
    check_info(&local, CL_MEM_TYPE_UNKNOWN_INTEL, NULL, 0, NULL);
    check_info(NULL, CL_MEM_TYPE_UNKNOWN_INTEL, NULL, 0, NULL);
}

static void one_past_the_end_is_another(void **unused)
{
    (void)unused;
    char *odd = shared_memory(100);
    check_info(odd + 100, CL_MEM_TYPE_UNKNOWN_INTEL, NULL, 0, NULL);
    free_memory(odd);
}

static void alignments(void **unused)
{
    (void)unused;
    for (cl_uint alignment = 1; alignment <= 4096; alignment *= 2)
        for (size_t size = 1; size <= 1 << 17; size = size * 3 + 1) {
            cl_int error = -1;
            char *memory = usm.clSharedMemAllocINTEL(context, device, NULL, size, alignment, &error);
            assert_int_equal(error, CL_SUCCESS);
            assert_int_equal((uintptr_t)memory % alignment, 0);
            memset(memory, 0x55, size);
            free_memory(memory);
        }
}

static void wrong_allocations(void **unused)
{
    (void)unused;
    const cl_mem_properties_intel unknown[] = {12345, 1, 0},
                                  twice[] = {CL_MEM_ALLOC_FLAGS_INTEL, 0, CL_MEM_ALLOC_FLAGS_INTEL, 0, 0};
    const cl_mem_properties_intel both[] = {
        CL_MEM_ALLOC_FLAGS_INTEL,
        CL_MEM_ALLOC_INITIAL_PLACEMENT_DEVICE_INTEL | CL_MEM_ALLOC_INITIAL_PLACEMENT_HOST_INTEL, 0};
    cl_int error = 0;
    assert_null(usm.clSharedMemAllocINTEL(context, device, NULL, 0, 0, &error));
    assert_int_equal(error, CL_INVALID_BUFFER_SIZE);
    assert_null(usm.clSharedMemAllocINTEL(context, device, NULL, SIZE_MAX, 0, &error));
    assert_int_equal(error, CL_INVALID_BUFFER_SIZE);
    assert_null(usm.clHostMemAllocINTEL(context, NULL, 64, 3, &error));
    assert_int_equal(error, CL_INVALID_VALUE);
    assert_null(usm.clHostMemAllocINTEL(NULL, NULL, 64, 0, &error));
    assert_int_equal(error, CL_INVALID_CONTEXT);
    assert_null(usm.clDeviceMemAllocINTEL(context, NULL, NULL, 64, 0, &error));
    assert_int_equal(error, CL_INVALID_DEVICE);
    assert_null(usm.clSharedMemAllocINTEL(context, device, unknown, 64, 0, &error));
    assert_int_equal(error, CL_INVALID_PROPERTY);
    assert_null(usm.clSharedMemAllocINTEL(context, device, twice, 64, 0, &error));
    assert_int_equal(error, CL_INVALID_PROPERTY);
    assert_null(usm.clSharedMemAllocINTEL(context, device, both, 64, 0, &error));
    assert_int_equal(error, CL_INVALID_PROPERTY);
    assert_null(usm.clSharedMemAllocINTEL(context, device, NULL, 0, 0, NULL));
}

static void flags_can_be_asked(void **unused)
{
    (void)unused;
    const cl_mem_properties_intel here[] = {CL_MEM_ALLOC_FLAGS_INTEL, CL_MEM_ALLOC_INITIAL_PLACEMENT_HOST_INTEL, 0};
    cl_ulong flags = 0;
    cl_int error = -1;
    void *memory = usm.clSharedMemAllocINTEL(context, NULL, here, 64, 0, &error);
    assert_int_equal(error, CL_SUCCESS);
    assert_int_equal(usm.clGetMemAllocInfoINTEL(context, memory, CL_MEM_ALLOC_FLAGS_INTEL, sizeof flags, &flags, NULL),
                     CL_SUCCESS);
    assert_int_equal(flags, CL_MEM_ALLOC_INITIAL_PLACEMENT_HOST_INTEL);
    assert_int_equal(usm.clGetMemAllocInfoINTEL(context, memory, 12345, sizeof flags, &flags, NULL), CL_INVALID_VALUE);
    assert_int_equal(usm.clGetMemAllocInfoINTEL(context, memory, CL_MEM_ALLOC_FLAGS_INTEL, 1, &flags, NULL),
                     CL_INVALID_VALUE);
    free_memory(memory);
}

static void wrong_frees(void **unused)
{
    (void)unused;
    int local = 0;
    char *memory = shared_memory(256);
    assert_int_equal(usm.clMemFreeINTEL(context, NULL), CL_SUCCESS);
    assert_int_equal(usm.clMemBlockingFreeINTEL(context, NULL), CL_SUCCESS);
    assert_int_equal(usm.clMemFreeINTEL(context, &local), CL_INVALID_VALUE);
    assert_int_equal(usm.clMemFreeINTEL(context, memory + 8), CL_INVALID_VALUE);
    assert_int_equal(usm.clMemFreeINTEL(NULL, memory), CL_INVALID_CONTEXT);
    free_memory(memory);
    assert_int_equal(usm.clMemFreeINTEL(context, memory), CL_INVALID_VALUE);
    assert_int_equal(usm.clMemBlockingFreeINTEL(context, memory), CL_INVALID_VALUE);
}

/* All bytes of all allocations are distinct. */
static void many_allocations(void **unused)
{
    (void)unused;
    static uint32_t *all[MANY];
    for (uint32_t i = 0; i < MANY; i++) {
        size_t words = 1 + i * 7 % 40;
        all[i] = shared_memory(words * sizeof(uint32_t));
        for (size_t k = 0; k < words; k++)
            all[i][k] = i;
    }
    for (uint32_t i = 0; i < MANY; i++) {
        size_t words = 1 + i * 7 % 40;
        for (size_t k = 0; k < words; k++)
            assert_int_equal(all[i][k], i);
        check_info(&all[i][words - 1], CL_MEM_TYPE_SHARED_INTEL, all[i], words * sizeof(uint32_t), device);
    }
    for (uint32_t i = 0; i < MANY; i++)
        free_memory(all[(i * 7919) % MANY]);
}

/* Returns sizes that are allocated in slots, in separate blocks, and in blocks that span several steps of the look-up
 * table. */
static size_t mixed_size(unsigned i)
{
    const size_t sizes[] = {100, 300000, 4096, 1 << 20, 70000, 262145, 3 << 20};
    return sizes[i % 7] + i % 5;
}

static void check_mixed(char *const *all, bool rest_is_gone)
{
    for (unsigned i = 0; i < MIXED; i++) {
        const size_t size = mixed_size(i), places[] = {0, 1, size / 3, size / 2, size - 1};
        bool gone = rest_is_gone && i % 3;
        for (unsigned k = 0; k < 5; k++) {
            if (gone)
                check_info(all[i] + places[k], CL_MEM_TYPE_UNKNOWN_INTEL, NULL, 0, NULL);
            else
                check_info(all[i] + places[k], CL_MEM_TYPE_SHARED_INTEL, all[i], size, device);
        }
        const void *base = all[i];
        usm.clGetMemAllocInfoINTEL(context, all[i] + size, CL_MEM_ALLOC_BASE_PTR_INTEL, sizeof base, &base, NULL);
        assert_ptr_not_equal(base, all[i]);
        usm.clGetMemAllocInfoINTEL(context, all[i] - 1, CL_MEM_ALLOC_BASE_PTR_INTEL, sizeof base, &base, NULL);
        assert_ptr_not_equal(base, all[i]);
    }
}

static void neighbors_of_all_sizes(void **unused)
{
    (void)unused;
    static char *all[MIXED];
    for (unsigned i = 0; i < MIXED; i++)
        all[i] = shared_memory(mixed_size(i));
    check_mixed(all, false);
    for (unsigned i = 0; i < MIXED; i++)
        if (i % 3) free_memory(all[i]);
    check_mixed(all, true);
    for (unsigned i = 0; i < MIXED; i++)
        if (i % 3) all[i] = shared_memory(mixed_size(i));
    check_mixed(all, false);
    for (unsigned i = 0; i < MIXED; i++)
        free_memory(all[(i * 19) % MIXED]);
}

/* ---- kernels ---- */

static void wait_and_release(cl_event event)
{
    assert_int_equal(clWaitForEvents(1, &event), CL_SUCCESS);
    assert_int_equal(clReleaseEvent(event), CL_SUCCESS);
}

static void an_argument(void **unused)
{
    (void)unused;
    cl_kernel kernel = make_kernel("increment");
    int *data = shared_memory((ITEMS + 1) * sizeof(int));
    for (int i = 0; i <= ITEMS; i++)
        data[i] = i;
    assert_int_equal(usm.clSetKernelArgMemPointerINTEL(kernel, 0, data + 1), CL_SUCCESS);
    wait_and_release(launch(queue, kernel, ITEMS, 0, NULL));
    assert_int_equal(data[0], 0);
    for (int i = 1; i <= ITEMS; i++)
        assert_int_equal(data[i], i + 1);
    assert_int_not_equal(usm.clSetKernelArgMemPointerINTEL(kernel, 5, data), CL_SUCCESS);
    assert_int_not_equal(usm.clSetKernelArgMemPointerINTEL(NULL, 0, data), CL_SUCCESS);
    free_memory(data);
    clReleaseKernel(kernel);
}

/* An older function that launches one work-item. */
static void a_task(void **unused)
{
    (void)unused;
    cl_kernel kernel = make_kernel("increment");
    int *data = shared_memory(2 * sizeof *data);
    cl_event event = NULL;
    data[0] = data[1] = 5;
    assert_int_equal(usm.clSetKernelArgMemPointerINTEL(kernel, 0, data), CL_SUCCESS);
    assert_int_equal(clEnqueueTask(queue, kernel, 0, NULL, &event), CL_SUCCESS);
    wait_and_release(event);
    assert_int_equal(data[0], 6);
    assert_int_equal(data[1], 5);
    free_memory(data);
    clReleaseKernel(kernel);
}

static void run_follow(cl_kernel kernel, uint64_t *slot, int *data)
{
    memset(data, 0, ITEMS * sizeof(int));
    slot[0] = (uint64_t)(uintptr_t)data;
    assert_int_equal(usm.clSetKernelArgMemPointerINTEL(kernel, 0, slot), CL_SUCCESS);
    wait_and_release(launch(queue, kernel, ITEMS, 0, NULL));
    for (int i = 0; i < ITEMS; i++)
        assert_int_equal(data[i], 1);
}

static void memory_behind_an_argument(void **unused)
{
    (void)unused;
    cl_kernel kernel = make_kernel("follow");
    uint64_t *slot = host_memory(sizeof *slot);
    int *data = shared_memory(ITEMS * sizeof(int));
    reach_all(kernel);
    run_follow(kernel, slot, data);
    cl_int error = -1;
    cl_kernel clone = clCloneKernel(kernel, &error);
    if (error == CL_SUCCESS) { /* not every driver has it */
        run_follow(clone, slot, data);
        clReleaseKernel(clone);
    }
    clReleaseKernel(kernel);
    free_memory(data);
    free_memory(slot);
}

static void memory_that_is_listed(void **unused)
{
    (void)unused;
    cl_kernel kernel = make_kernel("follow");
    uint64_t *slot = shared_memory(sizeof *slot);
    int *data = shared_memory(ITEMS * sizeof(int));
    void *listed[] = {data};
    assert_int_equal(clSetKernelExecInfo(kernel, CL_KERNEL_EXEC_INFO_USM_PTRS_INTEL, sizeof listed, listed),
                     CL_SUCCESS);
    run_follow(kernel, slot, data);
    assert_int_equal(clSetKernelExecInfo(kernel, CL_KERNEL_EXEC_INFO_INDIRECT_HOST_ACCESS_INTEL, 1, listed),
                     CL_INVALID_VALUE);
    assert_int_equal(clSetKernelExecInfo(kernel, CL_KERNEL_EXEC_INFO_USM_PTRS_INTEL, 3, listed), CL_INVALID_VALUE);
    clReleaseKernel(kernel);
    free_memory(data);
    free_memory(slot);
}

static void a_linked_list(void **unused)
{
    (void)unused;
    enum { NODES = 100 };
    cl_kernel kernel = make_kernel("chain");
    uint64_t *nodes[NODES];
    int *sum = host_memory(sizeof(int));
    for (int i = 0; i < NODES; i++) {
        nodes[i] = i % 2 ? shared_memory(2 * sizeof(uint64_t)) : host_memory(2 * sizeof(uint64_t));
        nodes[i][0] = i ? (uint64_t)(uintptr_t)nodes[i - 1] : 0;
        nodes[i][1] = (uint64_t)i;
    }
    reach_all(kernel);
    usm.clSetKernelArgMemPointerINTEL(kernel, 0, nodes[NODES - 1]);
    usm.clSetKernelArgMemPointerINTEL(kernel, 1, sum);
    wait_and_release(launch(queue, kernel, 1, 0, NULL));
    assert_int_equal(*sum, NODES * (NODES - 1) / 2);
    for (int i = 0; i < NODES; i++)
        free_memory(nodes[i]);
    free_memory(sum);
    clReleaseKernel(kernel);
}

/* The maximal size that the device reports. Most of it is not accessed. */
static void the_longest_allocation(void **unused)
{
    (void)unused;
    cl_ulong most = 0;
    clGetDeviceInfo(device, CL_DEVICE_MAX_MEM_ALLOC_SIZE, sizeof most, &most, NULL);
    cl_device_svm_capabilities svm = 0;
    clGetDeviceInfo(device, CL_DEVICE_SVM_CAPABILITIES, sizeof svm, &svm, NULL);
    void *theirs = svm ? clSVMAlloc(context, CL_MEM_READ_WRITE, most, 0) : NULL;
    if (!theirs || getenv("TEST_LOOKED_AT")) skip(); /* too large for the driver, or for valgrind */
    clSVMFree(context, theirs);
    cl_kernel kernel = make_kernel("increment");
    for (size_t less = 0; less < 3 * 4096; less += 1365) {
        const size_t size = (size_t)most - less;
        char *before = shared_memory(100), *memory = shared_memory(size), *after = shared_memory(100);
        int *last = (int *)(void *)(memory + (size - sizeof(int)) / sizeof(int) * sizeof(int));
        check_info(memory, CL_MEM_TYPE_SHARED_INTEL, memory, size, device);
        check_info(memory + size - 1, CL_MEM_TYPE_SHARED_INTEL, memory, size, device);
        check_info(memory + size, CL_MEM_TYPE_UNKNOWN_INTEL, NULL, 0, NULL);
        check_info(memory - 1, CL_MEM_TYPE_UNKNOWN_INTEL, NULL, 0, NULL);
        check_info(before, CL_MEM_TYPE_SHARED_INTEL, before, 100, device);
        check_info(after, CL_MEM_TYPE_SHARED_INTEL, after, 100, device);
        memory[0] = 1;
        *last = 2;
        assert_int_equal(usm.clSetKernelArgMemPointerINTEL(kernel, 0, last), CL_SUCCESS);
        wait_and_release(launch(queue, kernel, 1, 0, NULL));
        assert_int_equal(*last, 3);
        free_memory(after);
        free_memory(memory);
        free_memory(before);
    }
    clReleaseKernel(kernel);
}

/* ---- copies and fills ---- */

/* Checks the type of a command, and that its profiling times can be queried. */
static void check_event(cl_event event, cl_command_type type)
{
    cl_command_type got = 0;
    cl_ulong begin = 0, end = 0;
    assert_non_null(event);
    assert_int_equal(clWaitForEvents(1, &event), CL_SUCCESS);
    assert_int_equal(clGetEventInfo(event, CL_EVENT_COMMAND_TYPE, sizeof got, &got, NULL), CL_SUCCESS);
    assert_int_equal(got, type);
    assert_int_equal(clRetainEvent(event), CL_SUCCESS);
    assert_int_equal(clReleaseEvent(event), CL_SUCCESS);
    assert_int_equal(clGetEventInfo(event, CL_EVENT_COMMAND_TYPE, sizeof got, &got, NULL), CL_SUCCESS);
    assert_int_equal(got, type);
    assert_int_equal(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_START, sizeof begin, &begin, NULL),
                     CL_SUCCESS);
    assert_int_equal(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof end, &end, NULL), CL_SUCCESS);
    assert_true(end >= begin);
    assert_int_equal(clReleaseEvent(event), CL_SUCCESS);
}

static void copies(void **unused)
{
    (void)unused;
    char plain[1000], back[1000];
    char *shared = shared_memory(1000), *own = device_memory(1000), *host = host_memory(1000);
    cl_event event = NULL;
    for (int i = 0; i < 1000; i++)
        plain[i] = (char)i;
    assert_int_equal(usm.clEnqueueMemcpyINTEL(queue, CL_FALSE, own, plain, 1000, 0, NULL, &event), CL_SUCCESS);
    check_event(event, CL_COMMAND_MEMCPY_INTEL);
    assert_int_equal(usm.clEnqueueMemcpyINTEL(queue, CL_TRUE, shared, own, 1000, 0, NULL, &event), CL_SUCCESS);
    check_event(event, CL_COMMAND_MEMCPY_INTEL);
    assert_int_equal(usm.clEnqueueMemcpyINTEL(queue, CL_TRUE, host, shared, 1000, 0, NULL, NULL), CL_SUCCESS);
    assert_memory_equal(host, plain, 1000);
    assert_int_equal(usm.clEnqueueMemcpyINTEL(queue, CL_TRUE, back, host + 10, 500, 0, NULL, NULL), CL_SUCCESS);
    assert_memory_equal(back, plain + 10, 500);
    assert_int_equal(usm.clEnqueueMemcpyINTEL(queue, CL_TRUE, back, plain, 1000, 0, NULL, NULL), CL_SUCCESS);
    assert_memory_equal(back, plain, 1000);
    assert_int_equal(usm.clEnqueueMemcpyINTEL(queue, CL_TRUE, shared, shared + 10, 20, 0, NULL, NULL),
                     CL_MEM_COPY_OVERLAP);
    assert_int_equal(usm.clEnqueueMemcpyINTEL(queue, CL_TRUE, NULL, shared, 20, 0, NULL, NULL), CL_INVALID_VALUE);
    assert_int_equal(usm.clEnqueueMemcpyINTEL(NULL, CL_TRUE, host, shared, 20, 0, NULL, NULL),
                     CL_INVALID_COMMAND_QUEUE);
    assert_int_not_equal(usm.clEnqueueMemcpyINTEL(queue, CL_TRUE, host, shared, 20, 1, NULL, NULL), CL_SUCCESS);
    free_memory(host);
    free_memory(own);
    free_memory(shared);
}

static void fills(void **unused)
{
    (void)unused;
    static const uint64_t pattern[16] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};
    char *memory = shared_memory(1024);
    cl_event event = NULL;
    for (size_t unit = 1; unit <= 128; unit *= 2) {
        memset(memory, 0, 1024);
        assert_int_equal(usm.clEnqueueMemFillINTEL(queue, memory, pattern, unit, 512, 0, NULL, &event), CL_SUCCESS);
        check_event(event, CL_COMMAND_MEMFILL_INTEL);
        for (size_t at = 0; at < 512; at += unit)
            assert_memory_equal(memory + at, pattern, unit);
        assert_int_equal(memory[512], 0);
    }
    assert_int_equal(usm.clEnqueueMemsetINTEL(queue, memory + 3, 7, 10, 0, NULL, &event), CL_SUCCESS);
    check_event(event, CL_COMMAND_MEMFILL_INTEL);
    for (int i = 0; i < 10; i++)
        assert_int_equal(memory[3 + i], 7);
    assert_int_equal(usm.clEnqueueMemFillINTEL(queue, memory, pattern, 3, 9, 0, NULL, NULL), CL_INVALID_VALUE);
    assert_int_equal(usm.clEnqueueMemFillINTEL(queue, memory, pattern, 4, 6, 0, NULL, NULL), CL_INVALID_VALUE);
    assert_int_equal(usm.clEnqueueMemFillINTEL(queue, memory, NULL, 4, 8, 0, NULL, NULL), CL_INVALID_VALUE);
    assert_int_equal(usm.clEnqueueMemFillINTEL(queue, NULL, pattern, 4, 8, 0, NULL, NULL), CL_INVALID_VALUE);
    free_memory(memory);
}

static void hints(void **unused)
{
    (void)unused;
    void *memory = shared_memory(1024);
    cl_event event = NULL;
    assert_int_equal(usm.clEnqueueMigrateMemINTEL(queue, memory, 1024, 0, 0, NULL, &event), CL_SUCCESS);
    check_event(event, CL_COMMAND_MIGRATEMEM_INTEL);
    assert_int_equal(usm.clEnqueueMemAdviseINTEL(queue, memory, 1024, 0, 0, NULL, &event), CL_SUCCESS);
    check_event(event, CL_COMMAND_MEMADVISE_INTEL);
    free_memory(memory);
}

/* Returns true if a command of an out-of-order queue overtakes one that waits, in the driver itself: Mesa's rusticl
 * accepts such queues and runs their commands in order. */
static bool driver_overtakes(void)
{
    cl_command_queue free_queue = make_queue(true);
    cl_event gate = clCreateUserEvent(context, NULL), first = NULL, second = NULL;
    cl_int status = -1, zero = 0;
    cl_mem buffers[2];
    for (int i = 0; i < 2; i++)
        assert_non_null(buffers[i] = clCreateBuffer(context, 0, 64, NULL, NULL));
    assert_int_equal(clEnqueueFillBuffer(free_queue, buffers[0], &zero, 4, 0, 64, 1, &gate, &first), CL_SUCCESS);
    assert_int_equal(clEnqueueFillBuffer(free_queue, buffers[1], &zero, 4, 0, 64, 0, NULL, &second), CL_SUCCESS);
    clFlush(free_queue);
    for (int i = 0; i < 300 && status != CL_COMPLETE; i++) {
        usleep(10 * 1000);
        clGetEventInfo(second, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL);
    }
    clSetUserEventStatus(gate, CL_COMPLETE);
    clWaitForEvents(1, &first);
    const cl_event events[] = {gate, first, second};
    for (int i = 0; i < 3; i++)
        clReleaseEvent(events[i]);
    for (int i = 0; i < 2; i++)
        clReleaseMemObject(buffers[i]);
    clReleaseCommandQueue(free_queue);
    return status == CL_COMPLETE;
}

/* An empty command stays ordered after its wait list, and waits for nothing else. */
static void nothing_waits_for_its_list_alone(void **unused)
{
    (void)unused;
    if (!driver_overtakes()) skip();
    cl_command_queue free_queue = make_queue(true);
    char *memory = shared_memory(64);
    cl_event gate = clCreateUserEvent(context, NULL), first = NULL, second = NULL;
    cl_int status = -1;
    assert_int_equal(usm.clEnqueueMigrateMemINTEL(free_queue, memory, 64, 0, 1, &gate, &first), CL_SUCCESS);
    assert_int_equal(usm.clEnqueueMemAdviseINTEL(free_queue, memory, 64, 0, 0, NULL, &second), CL_SUCCESS);
    assert_int_equal(clWaitForEvents(1, &second), CL_SUCCESS);
    clGetEventInfo(first, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL);
    assert_int_not_equal(status, CL_COMPLETE);
    clSetUserEventStatus(gate, CL_COMPLETE);
    wait_and_release(first);
    clReleaseEvent(second);
    clReleaseEvent(gate);
    free_memory(memory);
    clReleaseCommandQueue(free_queue);
}

/* A launch of an out-of-order queue waits for its wait list only: the host may wait for the launch before the host
 * completes the event for which the previous launch waits. */
static void a_launch_waits_for_its_list_alone(void **unused)
{
    (void)unused;
    if (!driver_overtakes()) skip();
    cl_command_queue free_queue = make_queue(true);
    int *data[2] = {shared_memory(64), shared_memory(64)};
    cl_kernel kernel = make_kernel("increment");
    cl_event gate = clCreateUserEvent(context, NULL), events[2];
    cl_int status = -1;
    for (int i = 0; i < 2; i++) {
        data[i][0] = 1;
        assert_int_equal(usm.clSetKernelArgMemPointerINTEL(kernel, 0, data[i]), CL_SUCCESS);
        events[i] = launch(free_queue, kernel, 1, i == 0, i == 0 ? &gate : NULL);
    }
    for (int i = 0; i < 1000 && status != CL_COMPLETE; i++) {
        usleep(10 * 1000);
        clGetEventInfo(events[1], CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL);
    }
    clSetUserEventStatus(gate, CL_COMPLETE);
    assert_int_equal(status, CL_COMPLETE);
    for (int i = 0; i < 2; i++) {
        wait_and_release(events[i]);
        assert_int_equal(data[i][0], 2);
        free_memory(data[i]);
    }
    clReleaseEvent(gate);
    clReleaseKernel(kernel);
    clReleaseCommandQueue(free_queue);
}

/* ---- blocking free ---- */

/* clMemBlockingFreeINTEL waits for a launch that uses the memory, also after user events that failed or that were never
 * set. */
static void it_waits_for_work(void **unused)
{
    (void)unused;
    cl_event failed = clCreateUserEvent(context, NULL);
    assert_int_equal(clSetUserEventStatus(failed, -1), CL_SUCCESS);
    clReleaseEvent(failed);
    clReleaseEvent(clCreateUserEvent(context, NULL));
    cl_kernel kernel = make_kernel("slow");
    int *data = shared_memory(2 * sizeof(int)), rounds = 100 * 1000 * 1000;
    cl_int status = -1;
    data[0] = 0;
    usm.clSetKernelArgMemPointerINTEL(kernel, 0, data);
    clSetKernelArg(kernel, 1, sizeof rounds, &rounds);
    cl_event event = launch(queue, kernel, 1, 0, NULL);
    assert_int_equal(usm.clMemBlockingFreeINTEL(context, data), CL_SUCCESS);
    clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL);
    assert_int_equal(status, CL_COMPLETE);
    clReleaseEvent(event);
    clReleaseKernel(kernel);
}

static void it_does_not_wait_behind_user_events(void **unused)
{
    (void)unused;
    cl_kernel kernel = make_kernel("increment");
    int *data = shared_memory(ITEMS * sizeof(int)), *other = shared_memory(64);
    memset(data, 0, ITEMS * sizeof(int));
    reach_all(kernel);
    usm.clSetKernelArgMemPointerINTEL(kernel, 0, data);
    cl_event gate = clCreateUserEvent(context, NULL);
    cl_event event = launch(queue, kernel, ITEMS, 1, &gate);
    assert_int_equal(usm.clMemBlockingFreeINTEL(context, other), CL_SUCCESS); /* the launch could access it, and does
                                                                               * not */
    assert_int_equal(clSetUserEventStatus(gate, CL_COMPLETE), CL_SUCCESS);
    wait_and_release(event);
    assert_int_equal(data[ITEMS - 1], 1);
    clReleaseEvent(gate);
    free_memory(data);
    clReleaseKernel(kernel);
}

/* Later work in other queues does not affect a waiting command. */
static void it_knows_one_queue_from_another(void **unused)
{
    (void)unused;
    cl_command_queue busy = make_queue(false), late = make_queue(false);
    cl_kernel kernel = make_kernel("increment"), other = make_kernel("increment");
    int *data = shared_memory(ITEMS * sizeof(int)), *more = shared_memory(64);
    usm.clSetKernelArgMemPointerINTEL(kernel, 0, data);
    usm.clSetKernelArgMemPointerINTEL(other, 0, more);
    cl_event gate = clCreateUserEvent(context, NULL);
    cl_event event = launch(late, kernel, ITEMS, 1, &gate);
    for (int i = 0; i < 200; i++) {
        clReleaseEvent(launch(busy, other, 1, 0, NULL));
        if (i % 20 == 19) clFinish(busy);
    }
    assert_int_equal(usm.clMemBlockingFreeINTEL(context, data), CL_SUCCESS);
    int *again = shared_memory(ITEMS * sizeof(int));
    assert_ptr_not_equal(again, data);
    assert_int_equal(clSetUserEventStatus(gate, CL_COMPLETE), CL_SUCCESS);
    wait_and_release(event);
    clReleaseEvent(gate);
    free_memory(again);
    free_memory(more);
    clReleaseKernel(kernel);
    clReleaseKernel(other);
    clReleaseCommandQueue(busy);
    clReleaseCommandQueue(late);
}

struct freed {
    void *memory;
    cl_int error;
    pthread_mutex_t mutex;
    pthread_cond_t done;
    bool over;
};

static void CL_CALLBACK free_in_callback(cl_event event, cl_int status, void *user)
{
    struct freed *freed = user;
    (void)event;
    (void)status;
    freed->error = usm.clMemBlockingFreeINTEL(context, freed->memory);
    pthread_mutex_lock(&freed->mutex);
    freed->over = true;
    pthread_cond_signal(&freed->done);
    pthread_mutex_unlock(&freed->mutex);
}

/* The SYCL run-time frees memory of a command in a callback for its event, while others run. */
static void it_works_in_a_callback(void **unused)
{
    (void)unused;
    cl_kernel first = make_kernel("slow"), second = make_kernel("slow");
    int *data = shared_memory(2 * sizeof(int)), *more = shared_memory(2 * sizeof(int)), rounds = 1000;
    struct freed freed = {data, -1, PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, false};
    reach_all(first);
    reach_all(second);
    usm.clSetKernelArgMemPointerINTEL(first, 0, data);
    clSetKernelArg(first, 1, sizeof rounds, &rounds);
    usm.clSetKernelArgMemPointerINTEL(second, 0, more);
    clSetKernelArg(second, 1, sizeof rounds, &rounds);
    const size_t one = 1;
    cl_event event = NULL;
    assert_int_equal(clEnqueueNDRangeKernel(queue, first, 1, NULL, &one, NULL, 0, NULL, &event), CL_SUCCESS);
    assert_int_equal(clSetEventCallback(event, CL_COMPLETE, free_in_callback, &freed), CL_SUCCESS);
    for (int i = 0; i < 50; i++)
        assert_int_equal(clEnqueueNDRangeKernel(queue, second, 1, NULL, &one, NULL, 0, NULL, NULL), CL_SUCCESS);
    clFlush(queue);
    pthread_mutex_lock(&freed.mutex);
    while (!freed.over)
        pthread_cond_wait(&freed.done, &freed.mutex);
    pthread_mutex_unlock(&freed.mutex);
    assert_int_equal(freed.error, CL_SUCCESS);
    assert_int_equal(clFinish(queue), CL_SUCCESS);
    clReleaseEvent(event);
    free_memory(more);
    clReleaseKernel(first);
    clReleaseKernel(second);
}

/* ---- events in call-backs ---- */

struct queried {
    cl_command_type type;
    cl_int errors[2];
    cl_ulong begin, end;
    atomic_bool over;
};

static void CL_CALLBACK query_in_callback(cl_event event, cl_int status, void *user)
{
    struct queried *queried = user;
    (void)status;
    clGetEventInfo(event, CL_EVENT_COMMAND_TYPE, sizeof queried->type, &queried->type, NULL);
    queried->errors[0] =
        clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_START, sizeof queried->begin, &queried->begin, NULL);
    queried->errors[1] =
        clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof queried->end, &queried->end, NULL);
    atomic_store(&queried->over, true);
}

/* @return what a callback of the event can query if the application has released the event before. */
static struct queried query_later(cl_event gate, cl_event event)
{
    struct queried queried = {.errors = {-1, -1}};
    assert_int_equal(clSetEventCallback(event, CL_COMPLETE, query_in_callback, &queried), CL_SUCCESS);
    assert_int_equal(clReleaseEvent(event), CL_SUCCESS);
    assert_int_equal(clFlush(queue), CL_SUCCESS);
    assert_int_equal(clSetUserEventStatus(gate, CL_COMPLETE), CL_SUCCESS);
    assert_int_equal(clReleaseEvent(gate), CL_SUCCESS);
    while (!atomic_load(&queried.over))
        usleep(1000);
    assert_int_equal(queried.errors[0], CL_SUCCESS);
    assert_int_equal(queried.errors[1], CL_SUCCESS);
    return queried;
}

static void a_callback_learns_of_an_event_that_was_let_go(void **unused)
{
    (void)unused;
    int *data = shared_memory(64), *other = shared_memory(64);
    cl_kernel kernel = make_kernel("increment");
    cl_event gate = clCreateUserEvent(context, NULL), event = NULL;
    assert_int_equal(usm.clEnqueueMemcpyINTEL(queue, CL_FALSE, data, other, 64, 1, &gate, &event), CL_SUCCESS);
    assert_int_equal(query_later(gate, event).type, CL_COMMAND_MEMCPY_INTEL);
    gate = clCreateUserEvent(context, NULL);
    usm.clSetKernelArgMemPointerINTEL(kernel, 0, data);
    struct queried queried = query_later(gate, launch(queue, kernel, 1, 1, &gate));
    assert_int_equal(queried.type, CL_COMMAND_NDRANGE_KERNEL);
    assert_true(queried.begin <= queried.end);
    clReleaseKernel(kernel);
    free_memory(other);
    free_memory(data);
}

/* ---- command buffers ---- */

/* A recorded command may use the block: the free waits for it, as for a launch. */
static void it_waits_for_command_buffers(void **unused)
{
    (void)unused;
#define FIND(name)                                                                                                     \
    name##_fn name##_found;                                                                                            \
    *(void **)&name##_found = clGetExtensionFunctionAddressForPlatform(platform, #name)
    FIND(clCreateCommandBufferKHR);
    FIND(clCommandNDRangeKernelKHR);
    FIND(clFinalizeCommandBufferKHR);
    FIND(clEnqueueCommandBufferKHR);
    FIND(clReleaseCommandBufferKHR);
    if (!clCreateCommandBufferKHR_found) skip();
    cl_int error = -1, status = -1;
    const size_t one = 1;
    const int rounds = 100 * 1000 * 1000;
    int *data = shared_memory(2 * sizeof(int));
    cl_kernel kernel = make_kernel("slow");
    usm.clSetKernelArgMemPointerINTEL(kernel, 0, data);
    clSetKernelArg(kernel, 1, sizeof rounds, &rounds);
    cl_command_buffer_khr buffer = clCreateCommandBufferKHR_found(1, &queue, NULL, &error);
    assert_int_equal(error, CL_SUCCESS);
    assert_int_equal(
        clCommandNDRangeKernelKHR_found(buffer, NULL, NULL, kernel, 1, NULL, &one, NULL, 0, NULL, NULL, NULL),
        CL_SUCCESS);
    assert_int_equal(clFinalizeCommandBufferKHR_found(buffer), CL_SUCCESS);
    cl_event event = NULL;
    assert_int_equal(clEnqueueCommandBufferKHR_found(1, &queue, buffer, 0, NULL, &event), CL_SUCCESS);
    clFlush(queue);
    assert_int_equal(usm.clMemBlockingFreeINTEL(context, data), CL_SUCCESS);
    clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL);
    assert_int_equal(status, CL_COMPLETE);
    clReleaseEvent(event);
    clReleaseCommandBufferKHR_found(buffer);
    clReleaseKernel(kernel);
}

/* Each recorded kernel has the arguments of the time of recording. */
static void recorded_arguments(void **unused)
{
    (void)unused;
    FIND(clCreateCommandBufferKHR);
    FIND(clCommandNDRangeKernelKHR);
    FIND(clFinalizeCommandBufferKHR);
    FIND(clEnqueueCommandBufferKHR);
    FIND(clReleaseCommandBufferKHR);
    if (!clCreateCommandBufferKHR_found) skip();
    enum { RECORDED = 5 };
    const size_t one = 1;
    cl_int error = -1;
    int *data[RECORDED];
    cl_kernel kernel = make_kernel("increment");
    cl_command_buffer_khr buffer = clCreateCommandBufferKHR_found(1, &queue, NULL, &error);
    assert_int_equal(error, CL_SUCCESS);
    for (int i = 0; i < RECORDED; i++) {
        data[i] = shared_memory(64);
        data[i][0] = i;
        usm.clSetKernelArgMemPointerINTEL(kernel, 0, data[i]);
        assert_int_equal(
            clCommandNDRangeKernelKHR_found(buffer, NULL, NULL, kernel, 1, NULL, &one, NULL, 0, NULL, NULL, NULL),
            CL_SUCCESS);
    }
    clReleaseKernel(kernel);
    assert_int_equal(clFinalizeCommandBufferKHR_found(buffer), CL_SUCCESS);
    for (int round = 1; round <= 3; round++) {
        cl_event event = NULL;
        assert_int_equal(clEnqueueCommandBufferKHR_found(1, &queue, buffer, 0, NULL, &event), CL_SUCCESS);
        wait_and_release(event);
        for (int i = 0; i < RECORDED; i++)
            assert_int_equal(data[i][0], i + round);
    }
    clReleaseCommandBufferKHR_found(buffer);
    for (int i = 0; i < RECORDED; i++)
        free_memory(data[i]);
}

/* ---- parts of devices ---- */

static void a_part_of_a_device(void **unused)
{
    (void)unused;
    const cl_device_partition_property one_each[] = {CL_DEVICE_PARTITION_EQUALLY, 1, 0};
    cl_device_id parts[64];
    cl_uint count = 0;
    cl_int error = -1;
    if (clCreateSubDevices(device, one_each, 64, parts, &count) != CL_SUCCESS) skip();
    cl_context both = clCreateContext(NULL, count, parts, NULL, NULL, &error);
    assert_int_equal(error, CL_SUCCESS);
    for (cl_uint i = 0; i < count; i++) {
        cl_device_id of = NULL;
        int *memory = usm.clSharedMemAllocINTEL(both, parts[i], NULL, 64, 0, &error);
        assert_int_equal(error, CL_SUCCESS);
        usm.clGetMemAllocInfoINTEL(both, memory, CL_MEM_ALLOC_DEVICE_INTEL, sizeof of, &of, NULL);
        assert_ptr_equal(of, parts[i]);
        assert_int_equal(usm.clMemFreeINTEL(context, memory), CL_INVALID_VALUE); /* another context's */
        assert_int_equal(usm.clMemFreeINTEL(both, memory), CL_SUCCESS);
    }
    clReleaseContext(both);
    for (cl_uint i = 0; i < count; i++)
        clReleaseDevice(parts[i]);
}

/* ---- processes ---- */

/* A child process can look up pointers, and allocate small blocks from slots: without the driver, which may not work
 * after a fork. */
static void a_child_of_fork_goes_its_way(void **unused)
{
    (void)unused;
    cl_device_svm_capabilities svm = 0;
    char *memory = shared_memory(64);
    clGetDeviceInfo(device, CL_DEVICE_SVM_CAPABILITIES, sizeof svm, &svm, NULL);
    bool fine = svm & CL_DEVICE_SVM_FINE_GRAIN_BUFFER;
    pid_t child = fork();
    if (child == 0) {
        size_t size = 0;
        usm.clGetMemAllocInfoINTEL(context, memory, CL_MEM_ALLOC_SIZE_INTEL, sizeof size, &size, NULL);
        void *more = fine ? usm.clSharedMemAllocINTEL(context, device, NULL, 64, 0, NULL) : NULL;
        _exit(size == 64 && (!fine || more) && usm.clMemFreeINTEL(context, more) == CL_SUCCESS ? 0 : 1);
    }
    int status = -1;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    free_memory(memory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(named_by_device_and_platform),
        cmocka_unit_test(capabilities_are_what_svm_gives),
        cmocka_unit_test(functions_by_name),
        cmocka_unit_test(a_pointer_is_known_from_its_first_byte_to_its_last),
        cmocka_unit_test(one_past_the_end_is_another),
        cmocka_unit_test(alignments),
        cmocka_unit_test(wrong_allocations),
        cmocka_unit_test(flags_can_be_asked),
        cmocka_unit_test(wrong_frees),
        cmocka_unit_test(many_allocations),
        cmocka_unit_test(neighbors_of_all_sizes),
        cmocka_unit_test(an_argument),
        cmocka_unit_test(a_task),
        cmocka_unit_test(memory_behind_an_argument),
        cmocka_unit_test(memory_that_is_listed),
        cmocka_unit_test(a_linked_list),
        cmocka_unit_test(the_longest_allocation),
        cmocka_unit_test(copies),
        cmocka_unit_test(fills),
        cmocka_unit_test(hints),
        cmocka_unit_test(nothing_waits_for_its_list_alone),
        cmocka_unit_test(a_launch_waits_for_its_list_alone),
        cmocka_unit_test(it_waits_for_work),
        cmocka_unit_test(it_does_not_wait_behind_user_events),
        cmocka_unit_test(it_knows_one_queue_from_another),
        cmocka_unit_test(it_works_in_a_callback),
        cmocka_unit_test(a_callback_learns_of_an_event_that_was_let_go),
        cmocka_unit_test(it_waits_for_command_buffers),
        cmocka_unit_test(recorded_arguments),
        cmocka_unit_test(a_part_of_a_device),
        cmocka_unit_test(a_child_of_fork_goes_its_way),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
