/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_objects.c - buffers and images over shared memory, and commands from one to the other. On the strict
 * coarse-grained device a command on such an object uses the memory, and every error is a fault; the behavior must be
 * the same on any other device.
 */
#define _GNU_SOURCE
#include "common.h"

enum { SIDE = 16, ITEMS = SIDE * SIDE, BYTES = ITEMS * sizeof(int) };

static const size_t corner[3] = {0, 0, 0}, square[3] = {SIDE, SIDE, 1}, rows[3] = {SIDE * sizeof(int), SIDE, 1};

static int *memory_of(int value)
{
    int *data = shared_memory(BYTES);
    for (int i = 0; i < ITEMS; i++)
        data[i] = value;
    return data;
}

static void check_all(const int *data, int value)
{
    for (int i = 0; i < ITEMS; i++)
        assert_int_equal(data[i], value);
}

static cl_mem buffer_over(void *data)
{
    cl_int error = -1;
    cl_mem buffer = clCreateBuffer(context, data ? CL_MEM_USE_HOST_PTR : 0, BYTES, data, &error);
    assert_int_equal(error, CL_SUCCESS);
    return buffer;
}

static cl_mem image_over(void *data)
{
    const cl_image_format format = {CL_RGBA, CL_UNSIGNED_INT8};
    const cl_image_desc desc = {.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = SIDE, .image_height = SIDE};
    cl_int error = -1;
    cl_bool has_images = CL_FALSE;
    clGetDeviceInfo(device, CL_DEVICE_IMAGE_SUPPORT, sizeof has_images, &has_images, NULL);
    if (!has_images) skip();
    cl_mem image = clCreateImage(context, data ? CL_MEM_USE_HOST_PTR : 0, &format, &desc, data, &error);
    assert_int_equal(error, CL_SUCCESS);
    return image;
}

/* Checks the contents of an object, in a way that every driver supports. */
static void check_object(cl_mem object, bool is_image, int value)
{
    static int back[ITEMS];
    back[ITEMS - 1] = ~value;
    cl_int error = is_image ? clEnqueueReadImage(queue, object, CL_TRUE, corner, square, 0, 0, back, 0, NULL, NULL)
                            : clEnqueueReadBuffer(queue, object, CL_TRUE, 0, BYTES, back, 0, NULL, NULL);
    assert_int_equal(error, CL_SUCCESS);
    check_all(back, value);
}

static void run_increment(cl_mem buffer, size_t count)
{
    cl_kernel kernel = make_kernel("increment");
    assert_int_equal(clSetKernelArg(kernel, 0, sizeof buffer, &buffer), CL_SUCCESS);
    cl_event event = launch(queue, kernel, count, 0, NULL);
    assert_int_equal(clWaitForEvents(1, &event), CL_SUCCESS);
    clReleaseEvent(event);
    clReleaseKernel(kernel);
}

static void a_part_of_a_buffer(void **unused)
{
    (void)unused;
    cl_uint alignment = 0; /* in bits */
    clGetDeviceInfo(device, CL_DEVICE_MEM_BASE_ADDR_ALIGN, sizeof alignment, &alignment, NULL);
    const cl_buffer_region half = {BYTES / 2, BYTES / 2};
    if (half.origin % (alignment / 8)) skip();
    int *data = memory_of(1);
    cl_int error = -1;
    cl_mem whole = buffer_over(data);
    cl_mem part = clCreateSubBuffer(whole, 0, CL_BUFFER_CREATE_TYPE_REGION, &half, &error);
    assert_int_equal(error, CL_SUCCESS);
    run_increment(part, ITEMS / 2);
    assert_int_equal(data[ITEMS / 2 - 1], 1);
    assert_int_equal(data[ITEMS / 2], 2);
    assert_int_equal(data[ITEMS - 1], 2);
    int back = 0;
    assert_int_equal(clEnqueueReadBuffer(queue, part, CL_TRUE, 0, sizeof back, &back, 0, NULL, NULL), CL_SUCCESS);
    assert_int_equal(back, 2);
    clReleaseMemObject(part);
    clReleaseMemObject(whole);
    free_memory(data);
}

static void rectangles_of_buffers(void **unused)
{
    (void)unused;
    int *data = memory_of(3), *other = memory_of(4), plain[ITEMS] = {0};
    cl_mem buffer = buffer_over(data), second = buffer_over(other);
    assert_int_equal(
        clEnqueueReadBufferRect(queue, buffer, CL_TRUE, corner, corner, rows, 0, 0, 0, 0, plain, 0, NULL, NULL),
        CL_SUCCESS);
    check_all(plain, 3);
    cl_event event = NULL;
    assert_int_equal(clEnqueueCopyBufferRect(queue, buffer, second, corner, corner, rows, 0, 0, 0, 0, 0, NULL, &event),
                     CL_SUCCESS);
    assert_int_equal(clWaitForEvents(1, &event), CL_SUCCESS);
    cl_command_type type = 0;
    assert_int_equal(clGetEventInfo(event, CL_EVENT_COMMAND_TYPE, sizeof type, &type, NULL), CL_SUCCESS);
    assert_int_equal(type, CL_COMMAND_COPY_BUFFER_RECT);
    clReleaseEvent(event);
    check_all(other, 3);
    clReleaseMemObject(second);
    clReleaseMemObject(buffer);
    free_memory(other);
    free_memory(data);
}

/* Invalid arguments get the driver's error for a buffer over shared memory, too, and nothing beyond its end is
 * accessed. */
static void what_the_driver_refuses(void **unused)
{
    (void)unused;
    int *data = memory_of(3), plain[ITEMS + 1] = {0};
    cl_int error = CL_SUCCESS;
    cl_mem buffer = clCreateBuffer(context, CL_MEM_USE_HOST_PTR, BYTES / 2, data, &error);
    cl_mem closed = clCreateBuffer(context, CL_MEM_USE_HOST_PTR | CL_MEM_HOST_NO_ACCESS, BYTES, data, &error);
    assert_int_equal(error, CL_SUCCESS);
    const size_t last = BYTES / 2 - 4;
    assert_int_equal(clEnqueueReadBuffer(queue, buffer, CL_TRUE, last, 8, plain, 0, NULL, NULL), CL_INVALID_VALUE);
    assert_int_equal(clEnqueueWriteBuffer(queue, buffer, CL_TRUE, last, 8, plain, 0, NULL, NULL), CL_INVALID_VALUE);
    assert_int_equal(clEnqueueFillBuffer(queue, buffer, plain, 4, last, 8, 0, NULL, NULL), CL_INVALID_VALUE);
    assert_int_equal(clEnqueueFillBuffer(queue, buffer, plain, 3, 0, 6, 0, NULL, NULL), CL_INVALID_VALUE);
    assert_int_equal(clEnqueueCopyBuffer(queue, closed, buffer, 0, last, 8, 0, NULL, NULL), CL_INVALID_VALUE);
    assert_int_equal(clEnqueueCopyBuffer(queue, buffer, buffer, 0, 4, 8, 0, NULL, NULL), CL_MEM_COPY_OVERLAP);
    assert_null(clEnqueueMapBuffer(queue, buffer, CL_TRUE, CL_MAP_READ, last, 8, 0, NULL, NULL, &error));
    assert_int_equal(error, CL_INVALID_VALUE);
    assert_int_equal(clEnqueueReadBuffer(queue, closed, CL_TRUE, 0, 4, plain, 0, NULL, NULL), CL_INVALID_OPERATION);
    assert_int_equal(clEnqueueWriteBuffer(queue, closed, CL_TRUE, 0, 4, plain, 0, NULL, NULL), CL_INVALID_OPERATION);
    assert_int_equal(clFinish(queue), CL_SUCCESS);
    check_all(data, 3);
    clReleaseMemObject(closed);
    clReleaseMemObject(buffer);
    free_memory(data);
}

/* Returns the type of a command, after it has completed without an error. Releases its event. */
static cl_command_type complete(cl_event event)
{
    cl_command_type type = 0;
    assert_int_equal(clWaitForEvents(1, &event), CL_SUCCESS);
    assert_int_equal(clGetEventInfo(event, CL_EVENT_COMMAND_TYPE, sizeof type, &type, NULL), CL_SUCCESS);
    clReleaseEvent(event);
    return type;
}

/* A transfer between a buffer and the bytes over which it was created has nothing to copy. */
static void transfers_to_the_same_bytes(void **unused)
{
    (void)unused;
    cl_event event = NULL;
    int *data = memory_of(3);
    cl_mem buffer = buffer_over(data);
    run_increment(buffer, ITEMS);
    assert_int_equal(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, BYTES, data, 0, NULL, NULL), CL_SUCCESS);
    check_all(data, 4);
    assert_int_equal(clEnqueueReadBuffer(queue, buffer, CL_FALSE, 8, BYTES - 8, data + 2, 0, NULL, &event), CL_SUCCESS);
    assert_int_equal(complete(event), CL_COMMAND_READ_BUFFER);
    data[ITEMS - 1] = 7;
    assert_int_equal(clEnqueueWriteBuffer(queue, buffer, CL_TRUE, 0, BYTES, data, 0, NULL, NULL), CL_SUCCESS);
    assert_int_equal(clEnqueueWriteBuffer(queue, buffer, CL_FALSE, 4, 4, data + 1, 0, NULL, &event), CL_SUCCESS);
    assert_int_equal(complete(event), CL_COMMAND_WRITE_BUFFER);
    run_increment(buffer, ITEMS);
    assert_int_equal(data[0], 5);
    assert_int_equal(data[ITEMS - 1], 8);
    clReleaseMemObject(buffer);
    free_memory(data);
}

/* Patterns are aligned to their size relative to the buffer, wherever the buffer begins; and a buffer that the host may
 * not read may be copied. */
static void fills_and_copies_of_a_part(void **unused)
{
    (void)unused;
    const cl_mem_flags closed = CL_MEM_HOST_NO_ACCESS;
    const int pattern[4] = {5, 6, 7, 8};
    int *data = memory_of(1), *other = memory_of(2);
    cl_int error = CL_SUCCESS;
    cl_mem buffer = clCreateBuffer(context, CL_MEM_USE_HOST_PTR | closed, BYTES / 2, data + 1, &error);
    cl_mem plain = clCreateBuffer(context, closed, BYTES / 2, NULL, &error), second = buffer_over(other);
    assert_int_equal(clEnqueueFillBuffer(queue, buffer, pattern, 16, 16, 32, 0, NULL, NULL), CL_SUCCESS);
    assert_int_equal(clEnqueueCopyBuffer(queue, buffer, plain, 0, 0, BYTES / 2, 0, NULL, NULL), CL_SUCCESS);
    assert_int_equal(clEnqueueCopyBuffer(queue, plain, second, 0, 4, BYTES / 2, 0, NULL, NULL), CL_SUCCESS);
    assert_int_equal(clFinish(queue), CL_SUCCESS);
    for (int i = 0; i < 16; i++)
        assert_int_equal(data[i], i < 5 || i >= 13 ? 1 : pattern[(i - 5) % 4]);
    assert_memory_equal(other + 1, data + 1, BYTES / 2);
    assert_int_equal(other[0], 2);
    assert_int_equal(other[1 + ITEMS / 2], 2);
    clReleaseMemObject(second);
    clReleaseMemObject(plain);
    clReleaseMemObject(buffer);
    free_memory(other);
    free_memory(data);
}

static void an_image_over_shared_memory(void **unused)
{
    (void)unused;
    int *data = memory_of(0x01020304);
    cl_mem image = image_over(data);
    const cl_uint color[4] = {5, 5, 5, 5};
    cl_int error = -1;
    size_t row = 0;
    check_object(image, true, 0x01020304);
    assert_int_equal(clEnqueueFillImage(queue, image, color, corner, square, 0, NULL, NULL), CL_SUCCESS);
    check_object(image, true, 0x05050505);
    int *mapped = clEnqueueMapImage(queue, image, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, corner, square, &row, NULL, 0,
                                    NULL, NULL, &error);
    assert_int_equal(error, CL_SUCCESS);
    assert_ptr_equal(mapped, data);
    check_all(mapped, 0x05050505);
    mapped[0] = 6;
    assert_int_equal(clEnqueueUnmapMemObject(queue, image, mapped, 0, NULL, NULL), CL_SUCCESS);
    int first = 0;
    const size_t one[3] = {1, 1, 1};
    assert_int_equal(clEnqueueReadImage(queue, image, CL_TRUE, corner, one, 0, 0, &first, 0, NULL, NULL), CL_SUCCESS);
    assert_int_equal(first, 6);
    clReleaseMemObject(image);
    free_memory(data);
}

static void between_images_and_buffers(void **unused)
{
    (void)unused;
    int *data[4];
    for (int i = 0; i < 4; i++)
        data[i] = memory_of(i + 1);
    cl_mem buffers[2] = {buffer_over(data[0]), buffer_over(data[1])};
    cl_mem images[2] = {image_over(data[2]), image_over(data[3])}, plain = buffer_over(NULL);
    assert_int_equal(clEnqueueCopyBufferToImage(queue, buffers[0], images[0], 0, corner, square, 0, NULL, NULL),
                     CL_SUCCESS);
    assert_int_equal(clEnqueueCopyImage(queue, images[0], images[1], corner, corner, square, 0, NULL, NULL),
                     CL_SUCCESS);
    assert_int_equal(clEnqueueCopyImageToBuffer(queue, images[1], buffers[1], corner, square, 0, 0, NULL, NULL),
                     CL_SUCCESS);
    assert_int_equal(clEnqueueCopyImageToBuffer(queue, images[0], plain, corner, square, 0, 0, NULL, NULL), CL_SUCCESS);
    check_object(images[0], true, 1);
    check_object(images[1], true, 1);
    check_object(buffers[1], false, 1);
    check_object(plain, false, 1);
    check_all(data[1], 1);
    clReleaseMemObject(plain);
    for (int i = 0; i < 2; i++) {
        clReleaseMemObject(images[i]);
        clReleaseMemObject(buffers[i]);
    }
    for (int i = 0; i < 4; i++)
        free_memory(data[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_part_of_a_buffer),         cmocka_unit_test(rectangles_of_buffers),
        cmocka_unit_test(what_the_driver_refuses),    cmocka_unit_test(transfers_to_the_same_bytes),
        cmocka_unit_test(fills_and_copies_of_a_part), cmocka_unit_test(an_image_over_shared_memory),
        cmocka_unit_test(between_images_and_buffers),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
