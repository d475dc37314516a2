/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_memory.c - each allocation of the layer fails in turn: a call returns an error or succeeds, and everything after
 * it works as usual.
 */
#define _GNU_SOURCE
#include "common.h"
#include "layer/usm/unified_svm.h"

#include <link.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *old, size_t size);

static uintptr_t range[2];       /* address range of the layer */
static atomic_int left = -1;     /* number of allocations that still succeed, on any thread; -1: all do */
static atomic_bool failed, once; /* once: only one allocation fails, and all later ones succeed again */

static bool fails(const void *caller)
{
    uintptr_t address = (uintptr_t)caller;
    if (address < range[0] || address >= range[1]) return false;
    int now = atomic_load(&left);
    while (now >= 0 && !atomic_compare_exchange_weak(&left, &now, now > 0 || once ? now - 1 : 0)) {
    }
    if (now == 0) atomic_store(&failed, true);
    return now == 0;
}

__attribute__((visibility("default"))) void *malloc(size_t size)
{
    return fails(__builtin_return_address(0)) ? NULL : __libc_malloc(size);
}

__attribute__((visibility("default"))) void *calloc(size_t count, size_t size)
{
    return fails(__builtin_return_address(0)) ? NULL : __libc_calloc(count, size);
}

__attribute__((visibility("default"))) void *realloc(void *old, size_t size)
{
    return fails(__builtin_return_address(0)) ? NULL : __libc_realloc(old, size);
}

static int note_range(struct dl_phdr_info *info, size_t size, void *unused)
{
    (void)size, (void)unused;
    for (int i = 0; strstr(info->dlpi_name, "libnonflat_usm") && i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &info->dlpi_phdr[i];
        if (part->p_type != PT_LOAD) continue;
        uintptr_t start = info->dlpi_addr + part->p_vaddr;
        if (!range[0] || start < range[0]) range[0] = start;
        if (start + part->p_memsz > range[1]) range[1] = start + part->p_memsz;
    }
    return 0;
}

/* ---- what is done ---- */

static cl_program program;
enum { ITEMS = 64, BYTES = ITEMS * sizeof(int) };

static void use_memory(int *shared, int *host, int *remote)
{
    const int one = 1;
    size_t items = ITEMS;
    cl_event done = NULL;
    cl_kernel kernel = clCreateKernel(program, "increment", NULL);
    cl_command_queue other = clCreateCommandQueueWithProperties(context, device, NULL, NULL);
    if (shared) usm.clEnqueueMemFillINTEL(queue, shared, &one, sizeof one, BYTES, 0, NULL, NULL);
    if (shared && kernel && usm.clSetKernelArgMemPointerINTEL(kernel, 0, shared) == CL_SUCCESS)
        clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, NULL, 0, NULL, &done);
    if (remote && shared)
        usm.clEnqueueMemcpyINTEL(queue, CL_FALSE, remote, shared, BYTES, done != NULL, done ? &done : NULL, NULL);
    if (remote && host) usm.clEnqueueMemcpyINTEL(other ? other : queue, CL_TRUE, host, remote, BYTES, 0, NULL, NULL);
    if (shared) usm.clEnqueueMigrateMemINTEL(queue, shared, BYTES, 0, 0, NULL, NULL);
    if (done) clReleaseEvent(done);
    if (other) clReleaseCommandQueue(other);
    if (kernel) clReleaseKernel(kernel);
    clFinish(queue);
}

static void CL_CALLBACK note_call(cl_event event, cl_int status, void *user)
{
    (void)event, (void)status;
    atomic_fetch_add((atomic_int *)user, 1);
}

/* A free that fails because memory is exhausted has freed nothing. */
static void free_at_last(void *memory)
{
    cl_int error = usm.clMemBlockingFreeINTEL(context, memory);
    if (error == CL_SUCCESS) return;
    assert_int_equal(error, CL_OUT_OF_HOST_MEMORY);
    left = -1;
    free_memory(memory);
}

/* Other records of the layer: further names of the memory, lists and copies of kernels, events. */
static void use_objects(int *shared)
{
    static atomic_int calls;
    const size_t items = ITEMS;
    const cl_bool yes = CL_TRUE;
    const void *list[] = {shared};
    cl_mem buffer = clCreateBuffer(context, CL_MEM_USE_HOST_PTR, BYTES, shared, NULL);
    cl_event gate = clCreateUserEvent(context, NULL), done = NULL;
    cl_kernel kernel = clCreateKernel(program, "increment", NULL);
    if (kernel) {
        clSetKernelExecInfo(kernel, CL_KERNEL_EXEC_INFO_USM_PTRS_INTEL, sizeof list, list);
        clSetKernelExecInfo(kernel, CL_KERNEL_EXEC_INFO_INDIRECT_SHARED_ACCESS_INTEL, sizeof yes, &yes);
    }
    if (kernel && buffer && clSetKernelArg(kernel, 0, sizeof buffer, &buffer) == CL_SUCCESS)
        clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, NULL, gate != NULL, gate ? &gate : NULL, &done);
    if (done) clSetEventCallback(done, CL_COMPLETE, note_call, &calls);
    int *passing = usm.clSharedMemAllocINTEL(context, device, NULL, BYTES, 0, NULL);
    if (passing) free_at_last(passing);
    if (gate) clSetUserEventStatus(gate, CL_COMPLETE);
    clFinish(queue);
    if (buffer) clReleaseMemObject(buffer);
    if (done) clReleaseEvent(done);
    if (gate) clReleaseEvent(gate);
    if (kernel) clReleaseKernel(kernel);
}

/* Memory of each type of cl_khr_unified_svm, and of the core, freed in the queue; or immediately, if that fails. */
static void use_unified(void)
{
    const cl_svm_alloc_properties_khr of_device[] = {CL_SVM_ALLOC_ASSOCIATED_DEVICE_HANDLE_KHR,
                                                     (cl_svm_alloc_properties_khr)(uintptr_t)device, 0};
    void *all[16] = {clSVMAlloc(context, CL_MEM_READ_WRITE, BYTES, 0)};
    clSVMAllocWithPropertiesKHR_fn allocate = NULL;
    cl_uint count = all[0] != NULL;
    cl_int error = CL_SUCCESS;
    *(void **)&allocate = clGetExtensionFunctionAddressForPlatform(platform, "clSVMAllocWithPropertiesKHR");
    for (cl_uint i = 0; error != CL_INVALID_VALUE && count < 16; i++) {
        void *memory = allocate(context, of_device, i, BYTES, &error);
        assert_int_equal(memory != NULL, error == CL_SUCCESS);
        if (memory) all[count++] = memory;
    }
    if (count && clEnqueueSVMFree(queue, count, all, NULL, NULL, 0, NULL, NULL) != CL_SUCCESS)
        for (cl_uint i = 0; i < count; i++)
            clSVMFree(context, all[i]);
    clFinish(queue);
}

static void use(void)
{
    cl_unified_shared_memory_type_intel type;
    int *shared = usm.clSharedMemAllocINTEL(context, device, NULL, BYTES, 0, NULL);
    int *host = usm.clHostMemAllocINTEL(context, NULL, BYTES, 0, NULL);
    int *remote = usm.clDeviceMemAllocINTEL(context, device, NULL, BYTES, 0, NULL);
    use_memory(shared, host, remote);
    if (shared) use_objects(shared);
    if (shared) usm.clGetMemAllocInfoINTEL(context, shared, CL_MEM_ALLOC_TYPE_INTEL, sizeof type, &type, NULL);
    if (shared) free_at_last(shared);
    if (host) usm.clMemFreeINTEL(context, host);
    if (remote) usm.clMemFreeINTEL(context, remote);
    if (!getenv("TEST_KHR")) use_unified();
}

/* Checks that everything works. */
static void check_use(void)
{
    int *shared = shared_memory(BYTES), *host = host_memory(BYTES), *remote = device_memory(BYTES);
    memset(host, 0, BYTES);
    use_memory(shared, host, remote);
    clFinish(queue);
    assert_int_equal(usm.clEnqueueMemcpyINTEL(queue, CL_TRUE, host, remote, BYTES, 0, NULL, NULL), CL_SUCCESS);
    for (int i = 0; i < ITEMS; i++)
        assert_int_equal(host[i], 2);
    free_memory(shared);
    free_memory(host);
    free_memory(remote);
}

/* Runs in a separate context, because its one-time initialization may fail, too. */
static void try_once(int count, const char *source)
{
    cl_context whole = context;
    cl_command_queue usual = queue;
    context = clCreateContext(NULL, 1, &device, NULL, NULL, NULL);
    assert_non_null(context);
    queue = make_queue(false);
    program = clCreateProgramWithSource(context, 1, &source, NULL, NULL);
    assert_int_equal(clBuildProgram(program, 0, NULL, NULL, NULL, NULL), CL_SUCCESS);
    left = count;
    use();
    left = -1;
    check_use();
    clReleaseProgram(program);
    clReleaseCommandQueue(queue);
    clReleaseContext(context);
    context = whole;
    queue = usual;
}

static void find_layer(void)
{
    dl_iterate_phdr(note_range, NULL);
    assert_int_not_equal(range[0], 0);
}

static void fail_each(void)
{
    static const char source[] = "kernel void increment(global int *data) { data[get_global_id(0)] += 1; }";
    find_layer();
    int count = 0;
    do {
        failed = false;
        try_once(count++, source);
    } while (failed && count < 10000);
    printf("%d allocations\n", count - 1);
    assert_true(count > 4);
}

static void memory_ends(void **unused)
{
    (void)unused;
    once = false;
    fail_each();
}

static void memory_is_short_once(void **unused)
{
    (void)unused;
    once = true;
    fail_each();
}

/* An argument for which the layer cannot grow its list is accessible all the same: at a launch after others, and after
 * a flag that excludes its type. */
static void argument_is_not_recorded(void **unused)
{
    (void)unused;
    const char *source = "kernel void add(global int *to, global int *from) { to[get_global_id(0)] += *from; }";
    const cl_bool no = CL_FALSE;
    int *to = shared_memory(BYTES), *from = shared_memory(BYTES), one = 1;
    cl_mem buffer = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof one, &one, NULL);
    program = clCreateProgramWithSource(context, 1, &source, NULL, NULL);
    assert_int_equal(clBuildProgram(program, 0, NULL, NULL, NULL, NULL), CL_SUCCESS);
    cl_kernel kernel = clCreateKernel(program, "add", NULL);
    memset(to, 0, BYTES);
    *from = 20;
    assert_int_equal(usm.clSetKernelArgMemPointerINTEL(kernel, 0, to), CL_SUCCESS);
    assert_int_equal(clSetKernelArg(kernel, 1, sizeof buffer, &buffer), CL_SUCCESS);
    clReleaseEvent(launch(queue, kernel, ITEMS, 0, NULL));
    find_layer();
    failed = once = false;
    left = 0;
    assert_int_equal(usm.clSetKernelArgMemPointerINTEL(kernel, 1, from), CL_SUCCESS);
    left = -1;
    assert_true(failed);
    clReleaseEvent(launch(queue, kernel, ITEMS, 0, NULL));
    clSetKernelExecInfo(kernel, CL_KERNEL_EXEC_INFO_INDIRECT_SHARED_ACCESS_INTEL, sizeof no, &no);
    clReleaseEvent(launch(queue, kernel, ITEMS, 0, NULL));
    clFinish(queue);
    for (int i = 0; i < ITEMS; i++)
        assert_int_equal(to[i], 41);
    clReleaseKernel(kernel);
    clReleaseProgram(program);
    clReleaseMemObject(buffer);
    free_memory(from);
    free_memory(to);
}

/* Launches a long kernel in a new context, with `count` allocations. A launch that succeeds has ended when its memory
 * is freed. */
static void launch_and_free(int count, const char *source)
{
    const size_t one = 1;
    const int rounds = 30 * 1000 * 1000;
    cl_context whole = context;
    cl_event done = NULL;
    cl_int status = -1;
    context = clCreateContext(NULL, 1, &device, NULL, NULL, NULL);
    assert_non_null(context);
    cl_command_queue on = make_queue(false);
    program = clCreateProgramWithSource(context, 1, &source, NULL, NULL);
    assert_int_equal(clBuildProgram(program, 0, NULL, NULL, NULL, NULL), CL_SUCCESS);
    cl_kernel kernel = clCreateKernel(program, "slow", NULL);
    int *data = shared_memory(BYTES);
    assert_int_equal(usm.clSetKernelArgMemPointerINTEL(kernel, 0, data), CL_SUCCESS);
    assert_int_equal(clSetKernelArg(kernel, 1, sizeof rounds, &rounds), CL_SUCCESS);
    left = count;
    cl_int error = clEnqueueNDRangeKernel(on, kernel, 1, NULL, &one, NULL, 0, NULL, &done);
    left = -1;
    assert_true(error == CL_SUCCESS || error == CL_OUT_OF_HOST_MEMORY);
    assert_int_equal(usm.clMemBlockingFreeINTEL(context, data), CL_SUCCESS);
    if (error == CL_SUCCESS) clGetEventInfo(done, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL);
    assert_true(error != CL_SUCCESS || status == CL_COMPLETE);
    clFinish(on);
    if (done) clReleaseEvent(done);
    clReleaseKernel(kernel);
    clReleaseProgram(program);
    clReleaseCommandQueue(on);
    clReleaseContext(context);
    context = whole;
}

static void no_launch_is_lost(void **unused)
{
    static const char source[] = "kernel void slow(global int *data, int rounds) {\n"
                                 "    for (int i = 0; i < rounds; i++) *data = *data * 1664525 + 1013904223;\n"
                                 "}\n";
    int count = 0;
    (void)unused;
    find_layer();
    once = true;
    do {
        failed = false;
        launch_and_free(count++, source);
    } while (failed && count < 100);
    assert_true(count > 1 && count < 100);
}

int main(void)
{
    /* The last test leaves drivers without memory in the middle of a launch, after which some are not usable. */
    const struct CMUnitTest tests[] = {cmocka_unit_test(argument_is_not_recorded), cmocka_unit_test(memory_ends),
                                       cmocka_unit_test(memory_is_short_once), cmocka_unit_test(no_launch_is_lost)};
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
