/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_addresses.c - device memory on a device without SVM, but with buffers that report their address.
 */
#define _GNU_SOURCE
#include "common.h"

#include <stdlib.h>
#include <string.h>

enum { ITEMS = 256, BYTES = ITEMS * sizeof(int) };

static cl_ulong capability(cl_device_info name)
{
    cl_ulong value = ~0ull;
    assert_int_equal(clGetDeviceInfo(device, name, sizeof(value), &value, NULL), CL_SUCCESS);
    return value;
}

static void device_memory_alone(void **unused)
{
    (void)unused;
    cl_int error = CL_SUCCESS;
    assert_int_not_equal(capability(CL_DEVICE_DEVICE_MEM_CAPABILITIES_INTEL), 0);
    assert_int_equal(capability(CL_DEVICE_HOST_MEM_CAPABILITIES_INTEL), 0);
    assert_int_equal(capability(CL_DEVICE_SINGLE_DEVICE_SHARED_MEM_CAPABILITIES_INTEL), 0);
    assert_null(usm.clSharedMemAllocINTEL(context, device, NULL, 64, 0, &error));
    assert_int_equal(error, CL_INVALID_OPERATION);
    assert_null(usm.clHostMemAllocINTEL(context, NULL, 64, 0, &error));
    assert_int_equal(error, CL_INVALID_OPERATION);
}

static void copies_and_fills(void **unused)
{
    (void)unused;
    int there[ITEMS], back[ITEMS];
    const int seven = 7;
    int *a = device_memory(BYTES), *b = device_memory(BYTES);
    for (int i = 0; i < ITEMS; i++)
        there[i] = i;
    assert_int_equal(usm.clEnqueueMemcpyINTEL(queue, CL_FALSE, a, there, BYTES, 0, NULL, NULL), CL_SUCCESS);
    assert_int_equal(usm.clEnqueueMemcpyINTEL(queue, CL_FALSE, b, a, BYTES, 0, NULL, NULL), CL_SUCCESS);
    assert_int_equal(usm.clEnqueueMemFillINTEL(queue, b + 8, &seven, sizeof(seven), 8 * sizeof(int), 0, NULL, NULL),
                     CL_SUCCESS);
    assert_int_equal(usm.clEnqueueMemcpyINTEL(queue, CL_TRUE, back, b, BYTES, 0, NULL, NULL), CL_SUCCESS);
    for (int i = 0; i < ITEMS; i++)
        assert_int_equal(back[i], i >= 8 && i < 16 ? 7 : i);
    assert_int_equal(usm.clEnqueueMemcpyINTEL(queue, CL_TRUE, back, there, BYTES, 0, NULL, NULL), CL_SUCCESS);
    assert_memory_equal(back, there, BYTES);
    cl_event event = NULL;
    assert_int_equal(usm.clEnqueueMigrateMemINTEL(queue, a, BYTES, 0, 0, NULL, &event), CL_SUCCESS);
    assert_int_equal(clWaitForEvents(1, &event), CL_SUCCESS);
    clReleaseEvent(event);
    free_memory(b);
    assert_int_equal(usm.clMemBlockingFreeINTEL(context, a), CL_SUCCESS);
}

static void kernels(void **unused)
{
    (void)unused;
    int back[ITEMS], zero = 0;
    int *data = device_memory(BYTES);
    uint64_t *slot = device_memory(sizeof(*slot)), address = (uint64_t)(uintptr_t)data;
    cl_kernel direct = make_kernel("increment"), indirect = make_kernel("follow");
    reach_all(indirect);
    usm.clEnqueueMemFillINTEL(queue, data, &zero, sizeof(zero), BYTES, 0, NULL, NULL);
    assert_int_equal(usm.clEnqueueMemcpyINTEL(queue, CL_TRUE, slot, &address, sizeof(address), 0, NULL, NULL),
                     CL_SUCCESS);
    assert_int_equal(usm.clSetKernelArgMemPointerINTEL(direct, 0, data), CL_SUCCESS);
    assert_int_equal(usm.clSetKernelArgMemPointerINTEL(indirect, 0, slot), CL_SUCCESS);
    clReleaseEvent(launch(queue, direct, ITEMS, 0, NULL));
    clReleaseEvent(launch(queue, indirect, ITEMS, 0, NULL));
    assert_int_equal(usm.clEnqueueMemcpyINTEL(queue, CL_TRUE, back, data, BYTES, 0, NULL, NULL), CL_SUCCESS);
    for (int i = 0; i < ITEMS; i++)
        assert_int_equal(back[i], 2);
    clReleaseKernel(direct);
    clReleaseKernel(indirect);
    free_memory(slot);
    free_memory(data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(device_memory_alone), cmocka_unit_test(copies_and_fills),
                                       cmocka_unit_test(kernels)};
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
