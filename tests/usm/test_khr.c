/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_khr.c - Intel's allocations on a device that has only cl_khr_unified_svm (khr.c): each uses a matching type of
 * the driver, and the driver's extension is passed through.
 */
#define _GNU_SOURCE
#define CL_USE_DEPRECATED_OPENCL_1_1_APIS
#include "common.h"
#include "layer/usm/unified_svm.h"

#include <string.h>

enum { HOST_INDEX = 1, DEVICE_INDEX = 2, SHARED_INDEX = 4 };

static clGetSVMPointerInfoKHR_fn ask;

static cl_uint index_of(const void *pointer)
{
    cl_uint index = 0;
    assert_int_equal(ask(context, NULL, pointer, CL_SVM_INFO_TYPE_INDEX_KHR, sizeof index, &index, NULL), CL_SUCCESS);
    return index;
}

static cl_device_id device_of(const void *pointer)
{
    cl_device_id found = NULL;
    assert_int_equal(ask(context, NULL, pointer, CL_SVM_INFO_ASSOCIATED_DEVICE_HANDLE_KHR, sizeof found, &found, NULL),
                     CL_SUCCESS);
    return found;
}

static void each_has_its_type(void **unused)
{
    const size_t sizes[] = {1, 4096, 300000};
    (void)unused;
    for (int i = 0; i < 3; i++) {
        char *own = device_memory(sizes[i]), *hosts = host_memory(sizes[i]), *both = shared_memory(sizes[i]);
        char *of_none = usm.clSharedMemAllocINTEL(context, NULL, NULL, sizes[i], 0, NULL);
        assert_int_equal(index_of(own), DEVICE_INDEX);
        assert_int_equal(index_of(own + sizes[i] - 1), DEVICE_INDEX);
        assert_int_equal(index_of(hosts), HOST_INDEX);
        assert_int_equal(index_of(both), SHARED_INDEX);
        assert_int_equal(index_of(of_none), SHARED_INDEX);
        assert_ptr_equal(device_of(own), device);
        assert_ptr_equal(device_of(both), device);
        assert_null(device_of(hosts));
        free_memory(own);
        free_memory(hosts);
        free_memory(both);
        clSVMFree(context, of_none);
    }
}

/* The driver answers queries about its own extension: the library adds neither the name nor the functions. */
static void the_extension_is_the_drivers(void **unused)
{
    static cl_name_version list[512];
    cl_svm_capabilities_khr types[8];
    char text[16384] = "";
    size_t size = 0;
    unsigned found = 0;
    (void)unused;
    assert_int_equal(clGetDeviceInfo(device, CL_DEVICE_EXTENSIONS, sizeof text, text, NULL), CL_SUCCESS);
    assert_null(strstr(strstr(text, "cl_khr_unified_svm") + 1, "cl_khr_unified_svm"));
    assert_int_equal(clGetDeviceInfo(device, CL_DEVICE_EXTENSIONS_WITH_VERSION, sizeof list, list, &size), CL_SUCCESS);
    for (size_t i = 0; i < size / sizeof list[0]; i++)
        found += strcmp(list[i].name, "cl_khr_unified_svm") == 0;
    assert_int_equal(found, 1);
    assert_int_equal(clGetDeviceInfo(device, CL_DEVICE_SVM_TYPE_CAPABILITIES_KHR, sizeof types, types, &size),
                     CL_SUCCESS);
    assert_int_equal(size, 5 * sizeof types[0]);
    assert_null(clGetExtensionFunctionAddressForPlatform(platform, "clGetSVMSuggestedTypeIndexKHR"));
}

/* Memory from the driver's own functions does not belong to the library. */
static void memory_of_the_driver(void **unused)
{
    clSVMAllocWithPropertiesKHR_fn allocate = NULL;
    cl_unified_shared_memory_type_intel type = 7;
    cl_int error = -1;
    (void)unused;
    *(void **)&allocate = clGetExtensionFunctionAddressForPlatform(platform, "clSVMAllocWithPropertiesKHR");
    int *memory = allocate(context, NULL, HOST_INDEX, 256, &error);
    assert_int_equal(error, CL_SUCCESS);
    assert_int_equal(usm.clGetMemAllocInfoINTEL(context, memory, CL_MEM_ALLOC_TYPE_INTEL, sizeof type, &type, NULL),
                     CL_SUCCESS);
    assert_int_equal(type, CL_MEM_TYPE_UNKNOWN_INTEL);
    memory[0] = 1;
    cl_kernel kernel = make_kernel("increment");
    assert_int_equal(clSetKernelArgSVMPointer(kernel, 0, memory), CL_SUCCESS);
    cl_event event = launch(queue, kernel, 1, 0, NULL);
    assert_int_equal(clWaitForEvents(1, &event), CL_SUCCESS);
    assert_int_equal(memory[0], 2);
    clReleaseEvent(event);
    clReleaseKernel(kernel);
    clSVMFree(context, memory);
}

static void capabilities(void **unused)
{
    const cl_device_info names[] = {CL_DEVICE_HOST_MEM_CAPABILITIES_INTEL, CL_DEVICE_DEVICE_MEM_CAPABILITIES_INTEL,
                                    CL_DEVICE_SINGLE_DEVICE_SHARED_MEM_CAPABILITIES_INTEL};
    cl_ulong value = 0;
    (void)unused;
    for (int i = 0; i < 3; i++) {
        assert_int_equal(clGetDeviceInfo(device, names[i], sizeof value, &value, NULL), CL_SUCCESS);
        assert_int_equal(value, CL_UNIFIED_SHARED_MEMORY_ACCESS_INTEL | CL_UNIFIED_SHARED_MEMORY_ATOMIC_ACCESS_INTEL);
    }
    assert_int_equal(
        clGetDeviceInfo(device, CL_DEVICE_SHARED_SYSTEM_MEM_CAPABILITIES_INTEL, sizeof value, &value, NULL),
        CL_SUCCESS);
    assert_int_equal(value, 0);
}

static int set_up_khr(void **unused)
{
    int error = set_up(unused);
    *(void **)&ask = clGetExtensionFunctionAddressForPlatform(platform, "clGetSVMPointerInfoKHR");
    return error || !ask;
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(each_has_its_type),
                                       cmocka_unit_test(the_extension_is_the_drivers),
                                       cmocka_unit_test(memory_of_the_driver), cmocka_unit_test(capabilities)};
    return cmocka_run_group_tests(tests, set_up_khr, tear_down);
}
