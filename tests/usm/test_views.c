/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_views.c - shared memory that the host and commands access in turns: host pointers of other commands, buffers
 * over it, several queues, commands that wait for the host. On the strict coarse-grained device every error is a fault;
 * the behavior must be the same on any other device.
 */
#define _GNU_SOURCE
#include "coarse.h"
#include "common.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { ITEMS = 256, BYTES = ITEMS * sizeof(int) };

static void wait_and_release(cl_event event)
{
    assert_int_equal(clWaitForEvents(1, &event), CL_SUCCESS);
    assert_int_equal(clReleaseEvent(event), CL_SUCCESS);
}

static void set_all(int *data, int value)
{
    for (int i = 0; i < ITEMS; i++)
        data[i] = value;
}

static void check_all(const int *data, int value)
{
    for (int i = 0; i < ITEMS; i++)
        assert_int_equal(data[i], value);
}

static cl_kernel increment_of(void *data)
{
    cl_kernel kernel = make_kernel("increment");
    reach_all(kernel);
    assert_int_equal(usm.clSetKernelArgMemPointerINTEL(kernel, 0, data), CL_SUCCESS);
    return kernel;
}

static cl_command_type type_of(cl_event event)
{
    cl_command_type type = 0;
    assert_int_equal(clGetEventInfo(event, CL_EVENT_COMMAND_TYPE, sizeof(type), &type, NULL), CL_SUCCESS);
    return type;
}

/* ---- host pointers ---- */

static void buffers_to_and_from_shared_memory(void **unused)
{
    (void)unused;
    int *data = shared_memory(BYTES), *back = host_memory(BYTES);
    cl_mem buffer = clCreateBuffer(context, CL_MEM_READ_WRITE, BYTES, NULL, NULL);
    cl_kernel kernel = increment_of(data);
    cl_event event = NULL;
    set_all(data, 1);
    cl_event launched = launch(queue, kernel, ITEMS, 0, NULL);
    assert_int_equal(clEnqueueWriteBuffer(queue, buffer, CL_FALSE, 0, BYTES, data, 0, NULL, NULL), CL_SUCCESS);
    assert_int_equal(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, BYTES, back, 0, NULL, &event), CL_SUCCESS);
    check_all(back, 2);
    assert_int_equal(type_of(event), CL_COMMAND_READ_BUFFER);
    wait_and_release(event);
    assert_int_equal(type_of(launched), CL_COMMAND_NDRANGE_KERNEL);
    wait_and_release(launched);
    const size_t origin[3] = {0, 0, 0}, region[3] = {16, 4, 1};
    set_all(back, 0);
    assert_int_equal(
        clEnqueueReadBufferRect(queue, buffer, CL_TRUE, origin, origin, region, 0, 0, 0, 0, back, 0, NULL, NULL),
        CL_SUCCESS);
    assert_int_equal(back[15], 2);
    assert_int_equal(back[16], 0);
    set_all(data, 9);
    assert_int_equal(
        clEnqueueWriteBufferRect(queue, buffer, CL_TRUE, origin, origin, region, 0, 0, 0, 0, data, 0, NULL, NULL),
        CL_SUCCESS);
    assert_int_equal(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, BYTES, back, 0, NULL, NULL), CL_SUCCESS);
    assert_int_equal(back[0], 9);
    assert_int_equal(back[16], 2);
    clReleaseMemObject(buffer);
    clReleaseKernel(kernel);
    free_memory(back);
    free_memory(data);
}

static void images_to_and_from_shared_memory(void **unused)
{
    (void)unused;
    const cl_image_format format = {CL_RGBA, CL_UNSIGNED_INT8};
    const cl_image_desc desc = {.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 16, .image_height = 16};
    const size_t origin[3] = {0, 0, 0}, region[3] = {16, 16, 1};
    cl_int error = -1;
    cl_bool has_images = CL_FALSE;
    clGetDeviceInfo(device, CL_DEVICE_IMAGE_SUPPORT, sizeof(has_images), &has_images, NULL);
    if (!has_images) skip();
    cl_mem image = clCreateImage(context, CL_MEM_READ_WRITE, &format, &desc, NULL, &error);
    assert_int_equal(error, CL_SUCCESS);
    int *data = shared_memory(BYTES), *back = shared_memory(BYTES);
    set_all(data, 0x01020304);
    assert_int_equal(clEnqueueWriteImage(queue, image, CL_FALSE, origin, region, 0, 0, data, 0, NULL, NULL),
                     CL_SUCCESS);
    assert_int_equal(clEnqueueReadImage(queue, image, CL_TRUE, origin, region, 0, 0, back, 0, NULL, NULL), CL_SUCCESS);
    check_all(back, 0x01020304);
    clReleaseMemObject(image);
    free_memory(back);
    free_memory(data);
}

/* The SYCL run-time creates buffers over any pointer that it gets, and reads results back to it. */
static void a_buffer_over_shared_memory(void **unused)
{
    (void)unused;
    cl_int error = -1;
    int *data = shared_memory(BYTES), other[ITEMS];
    set_all(data, 1);
    cl_mem buffer = clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR, BYTES, data, &error);
    assert_int_equal(error, CL_SUCCESS);
    cl_mem plain = clCreateBuffer(context, CL_MEM_READ_WRITE, BYTES, NULL, &error);
    cl_kernel kernel = make_kernel("increment");
    assert_int_equal(clSetKernelArg(kernel, 0, sizeof(buffer), &buffer), CL_SUCCESS);
    wait_and_release(launch(queue, kernel, ITEMS, 0, NULL));
    assert_int_equal(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, BYTES, other, 0, NULL, NULL), CL_SUCCESS);
    check_all(other, 2);
    int *mapped = clEnqueueMapBuffer(queue, buffer, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, sizeof(int),
                                     BYTES - sizeof(int), 0, NULL, NULL, &error);
    assert_int_equal(error, CL_SUCCESS);
    assert_ptr_equal(mapped, data + 1);
    for (int i = 0; i < ITEMS - 1; i++)
        mapped[i]++;
    assert_int_equal(clEnqueueUnmapMemObject(queue, buffer, mapped, 0, NULL, NULL), CL_SUCCESS);
    wait_and_release(launch(queue, kernel, ITEMS, 0, NULL));
    assert_int_equal(clEnqueueCopyBuffer(queue, buffer, plain, 0, 0, BYTES, 0, NULL, NULL), CL_SUCCESS);
    assert_int_equal(clEnqueueReadBuffer(queue, plain, CL_TRUE, 0, BYTES, other, 0, NULL, NULL), CL_SUCCESS);
    assert_int_equal(other[0], 3);
    assert_int_equal(other[1], 4);
    const int seven = 7;
    assert_int_equal(clEnqueueFillBuffer(queue, buffer, &seven, sizeof(seven), 0, BYTES, 0, NULL, NULL), CL_SUCCESS);
    assert_int_equal(clFinish(queue), CL_SUCCESS);
    check_all(data, 7);
    assert_int_equal(clEnqueueCopyBuffer(queue, plain, buffer, 0, 0, BYTES, 0, NULL, NULL), CL_SUCCESS);
    assert_int_equal(clFinish(queue), CL_SUCCESS);
    assert_int_equal(data[1], 4);
    clReleaseMemObject(plain);
    clReleaseMemObject(buffer);
    clReleaseKernel(kernel);
    free_memory(data);
}

/* oneMKL computes on the host with device pointers if the device is a CPU. */
static void device_memory_of_a_processor(void **unused)
{
    (void)unused;
    cl_device_type type = 0;
    clGetDeviceInfo(device, CL_DEVICE_TYPE, sizeof(type), &type, NULL);
    if (!(type & CL_DEVICE_TYPE_CPU)) skip();
    int *data = device_memory(BYTES);
    cl_kernel kernel = increment_of(data);
    set_all(data, 4);
    wait_and_release(launch(queue, kernel, ITEMS, 0, NULL));
    check_all(data, 5);
    clReleaseKernel(kernel);
    free_memory(data);
}

/* ---- order ---- */

/* A launch that waits for a user event leaves the memory accessible to the host until the event is set. */
static void the_host_writes_what_a_waiting_launch_will_read(void **unused)
{
    (void)unused;
    cl_command_queue queues[2] = {make_queue(false), make_queue(true)};
    for (int i = 0; i < 2; i++) {
        int *data = shared_memory(BYTES), *copied = shared_memory(BYTES);
        cl_kernel kernel = increment_of(data);
        cl_event gate = clCreateUserEvent(context, NULL), copy = NULL;
        cl_event event = launch(queues[i], kernel, ITEMS, 1, &gate);
        assert_int_equal(usm.clEnqueueMemcpyINTEL(queues[i], CL_FALSE, copied, data, BYTES, 1, &event, &copy),
                         CL_SUCCESS);
        clFlush(queues[i]);
        set_all(data, 10);
        set_all(copied, 0);
        assert_int_equal(clSetUserEventStatus(gate, CL_COMPLETE), CL_SUCCESS);
        wait_and_release(copy);
        check_all(data, 11);
        check_all(copied, 11);
        clReleaseEvent(event);
        clReleaseEvent(gate);
        clReleaseKernel(kernel);
        free_memory(copied);
        free_memory(data);
    }
    clReleaseCommandQueue(queues[0]);
    clReleaseCommandQueue(queues[1]);
}

/* One queue waits for the host, which waits for another queue: a deadlock if the two depended on each other because of
 * their memory. */
static void a_queue_that_waits_holds_up_no_other(void **unused)
{
    (void)unused;
    cl_command_queue other = make_queue(false);
    int *data = shared_memory(BYTES), *more = shared_memory(BYTES);
    cl_kernel kernel = increment_of(data), second = increment_of(more);
    cl_event gate = clCreateUserEvent(context, NULL);
    set_all(data, 0);
    set_all(more, 0);
    cl_event event = launch(queue, kernel, ITEMS, 1, &gate);
    for (int i = 0; i < 10; i++) {
        wait_and_release(launch(other, second, ITEMS, 0, NULL));
        check_all(more, i + 1);
    }
    assert_int_equal(clSetUserEventStatus(gate, CL_COMPLETE), CL_SUCCESS);
    wait_and_release(event);
    check_all(data, 1);
    clReleaseEvent(gate);
    clReleaseKernel(second);
    clReleaseKernel(kernel);
    clReleaseCommandQueue(other);
    free_memory(more);
    free_memory(data);
}

/* For a queue of another context the memory is ordinary host memory, which copies may use. */
static void memory_of_another_context(void **unused)
{
    (void)unused;
    cl_int error = -1;
    cl_context other = clCreateContext(NULL, 1, &device, NULL, NULL, &error);
    assert_int_equal(error, CL_SUCCESS);
    int *data = shared_memory(BYTES), *theirs = usm.clSharedMemAllocINTEL(other, device, NULL, BYTES, 0, &error);
    int *back = device_memory(BYTES);
    assert_int_equal(error, CL_SUCCESS);
    set_all(data, 1);
    set_all(theirs, 2);
    assert_int_equal(usm.clEnqueueMemcpyINTEL(queue, CL_FALSE, back, theirs, BYTES, 0, NULL, NULL), CL_SUCCESS);
    assert_int_equal(usm.clEnqueueMemcpyINTEL(queue, CL_TRUE, theirs, data, BYTES, 0, NULL, NULL), CL_SUCCESS);
    check_all(theirs, 1);
    assert_int_equal(usm.clEnqueueMemcpyINTEL(queue, CL_TRUE, data, back, BYTES, 0, NULL, NULL), CL_SUCCESS);
    check_all(data, 2);
    assert_int_equal(usm.clMemBlockingFreeINTEL(other, theirs), CL_SUCCESS);
    free_memory(back);
    free_memory(data);
    clReleaseContext(other);
}

/* Returns how many of the platform's first two devices have the extension; sets `with` to one that has it, and
 * `without` to one that has not. */
static int find_two(cl_device_id devices[2], cl_device_id *with, cl_device_id *without)
{
    cl_uint count = 0;
    int found = 0;
    if (clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 2, devices, &count) != CL_SUCCESS || count < 2) return 0;
    for (int i = 0; i < 2; i++) {
        char text[16384] = "";
        clGetDeviceInfo(devices[i], CL_DEVICE_EXTENSIONS, sizeof text - 1, text, NULL);
        bool has = strstr(text, "cl_intel_unified_shared_memory") != NULL;
        *(has ? with : without) = devices[i];
        found += has;
    }
    return found;
}

/* A context of a device that can share memory and one that cannot: each does what it supports. */
static void one_of_two_devices(void **unused)
{
    (void)unused;
    cl_device_id devices[2], with = NULL, without = NULL;
    cl_int error = CL_SUCCESS, seven = 7, back = 0;
    if (find_two(devices, &with, &without) != 1) skip();
    cl_context both = clCreateContext(NULL, 2, devices, NULL, NULL, &error);
    assert_int_equal(error, CL_SUCCESS);
    assert_null(usm.clDeviceMemAllocINTEL(both, without, NULL, BYTES, 0, &error));
    assert_int_equal(error, CL_INVALID_OPERATION);
    assert_null(usm.clSharedMemAllocINTEL(both, without, NULL, BYTES, 0, &error));
    assert_int_equal(error, CL_INVALID_OPERATION);
    int *data = usm.clSharedMemAllocINTEL(both, with, NULL, BYTES, 0, &error);
    assert_int_equal(error, CL_SUCCESS);
    cl_command_queue queues[2] = {clCreateCommandQueueWithProperties(both, with, NULL, NULL),
                                  clCreateCommandQueueWithProperties(both, without, NULL, NULL)};
    assert_int_equal(usm.clEnqueueMemFillINTEL(queues[0], data, &seven, sizeof seven, BYTES, 0, NULL, NULL),
                     CL_SUCCESS);
    assert_int_equal(clFinish(queues[0]), CL_SUCCESS);
    check_all(data, 7);
    cl_mem buffer = clCreateBuffer(both, 0, sizeof seven, NULL, NULL);
    assert_int_equal(clEnqueueWriteBuffer(queues[1], buffer, CL_TRUE, 0, sizeof seven, &seven, 0, NULL, NULL),
                     CL_SUCCESS);
    assert_int_equal(clEnqueueReadBuffer(queues[1], buffer, CL_TRUE, 0, sizeof back, &back, 0, NULL, NULL), CL_SUCCESS);
    assert_int_equal(back, 7);
    clReleaseMemObject(buffer);
    for (int i = 0; i < 2; i++)
        clReleaseCommandQueue(queues[i]);
    assert_int_equal(usm.clMemBlockingFreeINTEL(both, data), CL_SUCCESS);
    clReleaseContext(both);
}

/* Memory moves from one device of a context to the other and back. */
static void two_devices(void **unused)
{
    (void)unused;
    cl_device_id devices[2], with, without;
    cl_int error = -1;
    if (find_two(devices, &with, &without) != 2) skip();
    cl_context before = context, both = clCreateContext(NULL, 2, devices, NULL, NULL, &error);
    assert_int_equal(error, CL_SUCCESS);
    const char *text = "kernel void add(global int *data) { data[get_global_id(0)] += 1; }";
    cl_program program = clCreateProgramWithSource(both, 1, &text, NULL, &error);
    assert_int_equal(clBuildProgram(program, 0, NULL, NULL, NULL, NULL), CL_SUCCESS);
    cl_kernel kernel = clCreateKernel(program, "add", &error);
    cl_command_queue queues[2];
    for (int i = 0; i < 2; i++)
        queues[i] = clCreateCommandQueueWithProperties(both, devices[i], NULL, &error);
    int *data = usm.clSharedMemAllocINTEL(both, devices[1], NULL, BYTES, 0, &error);
    assert_int_equal(error, CL_SUCCESS);
    int *host = usm.clHostMemAllocINTEL(both, NULL, BYTES, 0, &error);
    assert_int_equal(error, CL_SUCCESS);
    set_all(data, 0);
    reach_all(kernel);
    usm.clSetKernelArgMemPointerINTEL(kernel, 0, data);
    for (int i = 0; i < 10; i++) {
        wait_and_release(launch(queues[i % 2], kernel, ITEMS, 0, NULL));
        check_all(data, i + 1);
    }
    assert_int_equal(usm.clEnqueueMemcpyINTEL(queues[1], CL_TRUE, host, data, BYTES, 0, NULL, NULL), CL_SUCCESS);
    check_all(host, 10);
    assert_int_equal(usm.clMemBlockingFreeINTEL(both, data), CL_SUCCESS);
    assert_int_equal(usm.clMemFreeINTEL(both, host), CL_SUCCESS);
    assert_int_equal(usm.clMemFreeINTEL(before, host), CL_INVALID_VALUE);
    for (int i = 0; i < 2; i++)
        clReleaseCommandQueue(queues[i]);
    clReleaseKernel(kernel);
    clReleaseProgram(program);
    clReleaseContext(both);
}

static void a_failed_event_fails_the_launch(void **unused)
{
    (void)unused;
    int *data = shared_memory(BYTES);
    cl_kernel kernel = increment_of(data);
    cl_command_queue other = make_queue(true);
    cl_event gate = clCreateUserEvent(context, NULL);
    cl_int status = 1;
    set_all(data, 5);
    cl_event event = launch(other, kernel, ITEMS, 1, &gate);
    assert_int_equal(clSetUserEventStatus(gate, -7), CL_SUCCESS);
    assert_int_not_equal(clWaitForEvents(1, &event), CL_SUCCESS);
    clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof(status), &status, NULL);
    assert_true(status < 0);
    check_all(data, 5);
    clReleaseEvent(event);
    clReleaseEvent(gate);
    clReleaseCommandQueue(other);
    clReleaseKernel(kernel);
    free_memory(data);
}

/* If the driver refuses a transition, one command fails: memory that was not unmapped remains accessible to the host,
 * and unmapped memory is mapped again, so that the next command can use it. The commands are in other queues, because
 * with PoCL 3.1 a failure also fails the later commands of its queue. */
static void a_refused_move_fails_one_launch(int unmap, unsigned after, int later)
{
    enum { BLOCKS = 3 };
    coarse_refuse_one_fn refuse_one = NULL;
    *(void **)&refuse_one = clGetExtensionFunctionAddressForPlatform(platform, COARSE_REFUSE_ONE);
    if (!refuse_one) skip();
    int *data[BLOCKS];
    for (int i = 0; i < BLOCKS; i++)
        set_all(data[i] = shared_memory(BYTES), i);
    cl_kernel kernel = increment_of(data[0]);
    cl_command_queue queues[] = {make_queue(true), make_queue(false)}, unlucky = make_queue(after % 2);
    refuse_one(unmap, after, later);
    cl_event failed = launch(unlucky, kernel, ITEMS, 0, NULL);
    assert_int_not_equal(clWaitForEvents(1, &failed), CL_SUCCESS);
    for (int i = 0; i < 4; i++) {
        wait_and_release(launch(queues[i % 2], kernel, ITEMS, 0, NULL));
        for (int k = 0; k < BLOCKS; k++)
            check_all(data[k], k ? k : i + 1 + (unmap == 0));
    }
    clReleaseEvent(failed);
    clReleaseCommandQueue(unlucky);
    clReleaseCommandQueue(queues[0]);
    clReleaseCommandQueue(queues[1]);
    clReleaseKernel(kernel);
    for (int i = 0; i < BLOCKS; i++)
        free_memory(data[i]);
}

static void refused_unmaps(void **unused)
{
    (void)unused;
    for (unsigned after = 0; after < 3; after++)
        a_refused_move_fails_one_launch(1, after, 0);
}

static void refused_maps(void **unused)
{
    (void)unused;
    for (unsigned after = 0; after < 3; after++)
        a_refused_move_fails_one_launch(0, after, 0);
}

static void unmaps_that_fail(void **unused)
{
    (void)unused;
    for (unsigned after = 0; after < 3; after++)
        a_refused_move_fails_one_launch(1, after, 1);
}

static void maps_that_fail(void **unused)
{
    (void)unused;
    for (unsigned after = 0; after < 3; after++)
        a_refused_move_fails_one_launch(0, after, 1);
}

/* ---- threads: each has a queue, launches, and memory that it allocates and frees --------------------------------- */

enum { THREADS = 16, ROUNDS = 20 };

static void *look_and_launch(void *argument)
{
    cl_command_queue own = make_queue((uintptr_t)argument % 2);
    int *data = shared_memory(BYTES);
    cl_kernel kernel = make_kernel("increment");
    assert_int_equal(usm.clSetKernelArgMemPointerINTEL(kernel, 0, data), CL_SUCCESS);
    for (int i = 0; i < ROUNDS; i++) {
        int *passing = shared_memory(BYTES + (size_t)i * 1000);
        set_all(data, i);
        cl_event event = launch(own, kernel, ITEMS, 0, NULL), copied = NULL;
        assert_int_equal(usm.clEnqueueMemcpyINTEL(own, CL_FALSE, passing, data, BYTES, 1, &event, &copied), CL_SUCCESS);
        clReleaseEvent(event);
        clFlush(own);
        if (i % 3) {
            wait_and_release(copied);
            check_all(passing, i + 1);
            free_memory(passing);
        } else {
            assert_int_equal(usm.clMemBlockingFreeINTEL(context, passing), CL_SUCCESS);
            wait_and_release(copied);
        }
    }
    clReleaseKernel(kernel);
    assert_int_equal(usm.clMemBlockingFreeINTEL(context, data), CL_SUCCESS);
    clReleaseCommandQueue(own);
    return NULL;
}

/* Every launch may access the memory of all threads, so each thread checks its own only at the end. */
static void *launch_alone(void *argument)
{
    const int zero = 0;
    int *data = *(int **)argument;
    cl_command_queue own = make_queue(false);
    cl_kernel kernel = increment_of(data);
    assert_int_equal(usm.clEnqueueMemFillINTEL(own, data, &zero, sizeof(zero), BYTES, 0, NULL, NULL), CL_SUCCESS);
    for (int i = 0; i < ROUNDS; i++) {
        void *passing = shared_memory(BYTES), *more = device_memory(100000);
        clReleaseEvent(launch(own, kernel, ITEMS, 0, NULL));
        free_memory(passing);
        assert_int_equal(usm.clMemBlockingFreeINTEL(context, more), CL_SUCCESS);
    }
    assert_int_equal(clFinish(own), CL_SUCCESS);
    clReleaseKernel(kernel);
    clReleaseCommandQueue(own);
    return NULL;
}

/* Other allocations and frees must not hide a thread's own memory. */
static void *allocate_alone(void *argument)
{
    unsigned state = (unsigned)(uintptr_t)argument * 7919 + 1;
    for (int i = 0; i < 10 * ROUNDS; i++) {
        state = state * 1664525 + 1013904223;
        size_t size = (size_t)1 << (6 + (state >> 8) % 15), got = 0;
        char *memory = state >> 31 ? shared_memory(size) : device_memory(size);
        const void *base = NULL;
        for (int k = 1; k <= 4; k++) {
            const char *inside = memory + size * (size_t)k / 4 - 1;
            usm.clGetMemAllocInfoINTEL(context, inside, CL_MEM_ALLOC_BASE_PTR_INTEL, sizeof base, &base, NULL);
            usm.clGetMemAllocInfoINTEL(context, inside, CL_MEM_ALLOC_SIZE_INTEL, sizeof got, &got, NULL);
            assert_ptr_equal(base, memory);
            assert_int_equal(got, size);
        }
        free_memory(memory);
    }
    return NULL;
}

enum { ALLOCATIONS = 20, ALLOCATION = 1 << 14, FOREIGN = 1 << 18 };

/* Queries a pointer to memory that is not an allocation of the extension, while other threads allocate and free memory
 * at lower addresses. */
static void *query_foreign_memory(void *argument)
{
    (void)argument;
    for (int i = 0; i < 2 * ROUNDS; i++) {
        char *own[ALLOCATIONS];
        char *foreign = mmap(NULL, FOREIGN, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        assert_ptr_not_equal(foreign, MAP_FAILED);
        for (int k = 0; k < ALLOCATIONS; k++)
            own[k] = shared_memory(ALLOCATION);
        for (int k = 0; k < FOREIGN / ALLOCATION; k++) {
            cl_uint type = CL_MEM_TYPE_HOST_INTEL;
            usm.clGetMemAllocInfoINTEL(context, foreign + ALLOCATION * k, CL_MEM_ALLOC_TYPE_INTEL, sizeof type, &type,
                                       NULL);
            assert_int_equal(type, CL_MEM_TYPE_UNKNOWN_INTEL);
        }
        for (int k = 0; k < ALLOCATIONS; k++)
            free_memory(own[k]);
        munmap(foreign, FOREIGN);
    }
    return NULL;
}

static void run_threads(void *(*what)(void *), int **data)
{
    pthread_t threads[THREADS];
    for (uintptr_t i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, what, data ? (void *)&data[i] : (void *)i), 0);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
}

static void threads_that_look(void **unused)
{
    (void)unused;
    run_threads(look_and_launch, NULL);
}

static void threads_that_allocate(void **unused)
{
    (void)unused;
    run_threads(allocate_alone, NULL);
}

static void threads_that_ask_for_foreign_memory(void **unused)
{
    (void)unused;
    run_threads(query_foreign_memory, NULL);
}

static void threads_that_reach_everything(void **unused)
{
    (void)unused;
    int *data[THREADS];
    for (int i = 0; i < THREADS; i++)
        data[i] = shared_memory(BYTES);
    run_threads(launch_alone, data);
    for (int i = 0; i < THREADS; i++) {
        check_all(data[i], ROUNDS);
        free_memory(data[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(buffers_to_and_from_shared_memory),
        cmocka_unit_test(images_to_and_from_shared_memory),
        cmocka_unit_test(a_buffer_over_shared_memory),
        cmocka_unit_test(device_memory_of_a_processor),
        cmocka_unit_test(the_host_writes_what_a_waiting_launch_will_read),
        cmocka_unit_test(a_queue_that_waits_holds_up_no_other),
        cmocka_unit_test(memory_of_another_context),
        cmocka_unit_test(two_devices),
        cmocka_unit_test(one_of_two_devices),
        cmocka_unit_test(a_failed_event_fails_the_launch),
        cmocka_unit_test(refused_unmaps),
        cmocka_unit_test(refused_maps),
        cmocka_unit_test(unmaps_that_fail),
        cmocka_unit_test(maps_that_fail),
        cmocka_unit_test(threads_that_look),
        cmocka_unit_test(threads_that_allocate),
        cmocka_unit_test(threads_that_ask_for_foreign_memory),
        cmocka_unit_test(threads_that_reach_everything),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
