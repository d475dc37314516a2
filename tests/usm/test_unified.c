/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_unified.c - conformance to the text of cl_khr_unified_svm, on a device that has only SVM, or buffers that report
 * their address: the types of memory, every function, the core's commands on every type, and every error code.
 */
#define _GNU_SOURCE
#define CL_USE_DEPRECATED_OPENCL_1_1_APIS
#include "common.h"
#include "layer/usm/unified_svm.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ITEMS = 64, BYTES = ITEMS * sizeof(int), TYPES_MAX = 64, THREADS = 4, ROUNDS = 200 };

/* The capabilities of the types of memory for which the extension's headers have macros. */
enum {
    BASIC = CL_SVM_CAPABILITY_SINGLE_ADDRESS_SPACE_KHR | CL_SVM_CAPABILITY_DEVICE_READ_KHR |
            CL_SVM_CAPABILITY_DEVICE_WRITE_KHR,
    ATOMIC = CL_SVM_CAPABILITY_DEVICE_ATOMIC_ACCESS_KHR,
    HOST = CL_SVM_CAPABILITY_HOST_READ_KHR | CL_SVM_CAPABILITY_HOST_WRITE_KHR,
    SHARING = CL_SVM_CAPABILITY_DEVICE_UNASSOCIATED_KHR | CL_SVM_CAPABILITY_CONTEXT_ACCESS_KHR,
    INDIRECT = CL_SVM_CAPABILITY_INDIRECT_ACCESS_KHR,
    CONCURRENT = CL_SVM_CAPABILITY_CONCURRENT_ACCESS_KHR,
    COARSE_TYPE = BASIC | ATOMIC | SHARING | CL_SVM_CAPABILITY_HOST_MAP_KHR,
    FINE_TYPE = COARSE_TYPE | HOST | CONCURRENT,
    DEVICE_TYPE = BASIC | ATOMIC | INDIRECT | CL_SVM_CAPABILITY_DEVICE_OWNED_KHR,
    HOST_TYPE = BASIC | SHARING | HOST | INDIRECT | CL_SVM_CAPABILITY_HOST_OWNED_KHR,
    SHARED_TYPE = BASIC | HOST | INDIRECT,
    SYSTEM_TYPE = FINE_TYPE | INDIRECT | CL_SVM_CAPABILITY_SYSTEM_ALLOCATED_KHR
};

static clSVMAllocWithPropertiesKHR_fn allocate;
static clSVMFreeWithPropertiesKHR_fn release;
static clGetSVMPointerInfoKHR_fn ask;
static clGetSVMSuggestedTypeIndexKHR_fn suggest;
static cl_svm_capabilities_khr types[TYPES_MAX];
static cl_uint type_count;
/* Properties that associate an allocation with the device. */
static cl_svm_alloc_properties_khr of_device[] = {CL_SVM_ALLOC_ASSOCIATED_DEVICE_HANDLE_KHR, 0, 0};

static int set_up_unified(void **unused)
{
    size_t size = 0;
    int error = set_up(unused);
    if (error) return error;
    of_device[1] = (cl_svm_alloc_properties_khr)(uintptr_t)device;
#define FIND(variable, name) *(void **)&variable = clGetExtensionFunctionAddressForPlatform(platform, #name);
    FIND(allocate, clSVMAllocWithPropertiesKHR)
    FIND(release, clSVMFreeWithPropertiesKHR)
    FIND(ask, clGetSVMPointerInfoKHR)
    FIND(suggest, clGetSVMSuggestedTypeIndexKHR)
#undef FIND
    if (!allocate || !release || !ask || !suggest) return 1;
    error = clGetDeviceInfo(device, CL_DEVICE_SVM_TYPE_CAPABILITIES_KHR, sizeof types, types, &size);
    type_count = (cl_uint)(size / sizeof types[0]);
    return error;
}

static cl_device_svm_capabilities svm(void)
{
    cl_device_svm_capabilities all = 0;
    clGetDeviceInfo(device, CL_DEVICE_SVM_CAPABILITIES, sizeof all, &all, NULL);
    return all;
}

/* Returns true if the device has memory that it shares with the host. */
static bool shares(void)
{
    cl_ulong value = 0;
    clGetDeviceInfo(device, CL_DEVICE_HOST_MEM_CAPABILITIES_INTEL, sizeof value, &value, NULL);
    return value != 0;
}

static cl_uint index_of(cl_svm_capabilities_khr required)
{
    cl_uint index = 0;
    assert_int_equal(suggest(context, required, 0, NULL, 0, &index), CL_SUCCESS);
    return index;
}

/* Returns the first index from `index` on of a type that the device supports. */
static cl_uint next_type(cl_uint index)
{
    while (index < type_count && !types[index])
        index++;
    return index;
}

static void *memory_of(cl_uint index, size_t size)
{
    cl_int error = -1;
    bool is_free = types[index] & CL_SVM_CAPABILITY_DEVICE_UNASSOCIATED_KHR;
    void *memory = allocate(context, is_free ? NULL : of_device, index, size, &error);
    assert_int_equal(error, CL_SUCCESS);
    assert_non_null(memory);
    return memory;
}

static void give_back(void *memory)
{
    assert_int_equal(release(context, NULL, 0, memory), CL_SUCCESS);
}

static cl_command_type type_of(cl_event event)
{
    cl_command_type type = 0;
    assert_int_equal(clGetEventInfo(event, CL_EVENT_COMMAND_TYPE, sizeof type, &type, NULL), CL_SUCCESS);
    return type;
}

/* Returns true if the driver is coarse.c. Its commands report another type, and it does not validate arguments. */
static bool is_strict(void)
{
    const char *layers = getenv("OPENCL_LAYERS");
    return layers && strstr(layers, "nonflat_coarse");
}

/* Returns the type of a command on memory of that type; 0 if coarse.c executes the command. */
static cl_command_type expected(cl_uint index, cl_command_type type)
{
    return is_strict() && svm() && (types[index] & CL_SVM_CAPABILITY_HOST_MAP_KHR) ? 0 : type;
}

/* Waits for the command and checks its type, unless that is 0. */
static void done(cl_event event, cl_command_type type)
{
    assert_int_equal(clWaitForEvents(1, &event), CL_SUCCESS);
    if (type) assert_int_equal(type_of(event), type);
    assert_int_equal(clReleaseEvent(event), CL_SUCCESS);
}

static void read_back(int *to, const void *from, size_t size)
{
    assert_int_equal(clEnqueueSVMMemcpy(queue, CL_TRUE, to, from, size, 0, NULL, NULL), CL_SUCCESS);
}

static void write_there(void *to, const void *from, size_t size)
{
    assert_int_equal(clEnqueueSVMMemcpy(queue, CL_TRUE, to, from, size, 0, NULL, NULL), CL_SUCCESS);
}

/* ---- queries about devices and platforms ------------------------------------------------------------------------- */

static bool lists(const cl_name_version *list, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(list[i].name, "cl_khr_unified_svm") == 0) return list[i].version == CL_MAKE_VERSION(0, 9, 0);
    return false;
}

static void named_by_device_and_platform(void **unused)
{
    static cl_name_version list[512];
    char text[16384] = "";
    size_t size = 0;
    (void)unused;
    assert_int_equal(clGetDeviceInfo(device, CL_DEVICE_EXTENSIONS, sizeof text, text, &size), CL_SUCCESS);
    assert_int_equal(size, strlen(text) + 1);
    assert_non_null(strstr(text, "cl_khr_unified_svm"));
    assert_null(strstr(strstr(text, "cl_khr_unified_svm") + 1, "cl_khr_unified_svm"));
    assert_int_equal(clGetPlatformInfo(platform, CL_PLATFORM_EXTENSIONS, sizeof text, text, &size), CL_SUCCESS);
    assert_non_null(strstr(text, "cl_khr_unified_svm"));
    assert_int_equal(clGetDeviceInfo(device, CL_DEVICE_EXTENSIONS_WITH_VERSION, sizeof list, list, &size), CL_SUCCESS);
    assert_true(lists(list, size / sizeof list[0]));
    assert_int_equal(clGetPlatformInfo(platform, CL_PLATFORM_EXTENSIONS_WITH_VERSION, sizeof list, list, &size),
                     CL_SUCCESS);
    assert_true(lists(list, size / sizeof list[0]));
    for (int i = 0; i < 4; i++) {
        const char *names[] = {"clSVMAllocWithPropertiesKHR", "clSVMFreeWithPropertiesKHR", "clGetSVMPointerInfoKHR",
                               "clGetSVMSuggestedTypeIndexKHR"};
        assert_ptr_equal(clGetExtensionFunctionAddress(names[i]),
                         clGetExtensionFunctionAddressForPlatform(platform, names[i]));
    }
}

/* Each type of the platform has the capabilities that all devices with it have, and each type is supported by at least
 * one device. */
static void types_of_platform_and_devices(void **unused)
{
    cl_svm_capabilities_khr common[TYPES_MAX] = {0}, listed[TYPES_MAX], here[TYPES_MAX];
    cl_device_id devices[16];
    cl_uint count = 0;
    size_t size = 0, again = 0;
    (void)unused;
    assert_int_equal(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 16, devices, &count), CL_SUCCESS);
    assert_int_equal(clGetPlatformInfo(platform, CL_PLATFORM_SVM_TYPE_CAPABILITIES_KHR, sizeof listed, listed, &size),
                     CL_SUCCESS);
    assert_int_equal(size, type_count * sizeof types[0]);
    assert_true(type_count >= 1 && type_count <= TYPES_MAX);
    for (cl_uint i = 0; i < count; i++) {
        assert_int_equal(clGetDeviceInfo(devices[i], CL_DEVICE_SVM_TYPE_CAPABILITIES_KHR, sizeof here, here, &again),
                         CL_SUCCESS);
        assert_int_equal(size, again);
        for (cl_uint k = 0; k < type_count; k++)
            if (here[k]) common[k] = common[k] ? common[k] & here[k] : here[k];
    }
    assert_memory_equal(common, listed, size);
    for (cl_uint k = 0; k < type_count; k++)
        assert_int_not_equal(listed[k], 0);
    assert_int_equal(clGetDeviceInfo(device, CL_DEVICE_SVM_TYPE_CAPABILITIES_KHR, size - 1, here, NULL),
                     CL_INVALID_VALUE);
    assert_int_equal(clGetPlatformInfo(platform, CL_PLATFORM_SVM_TYPE_CAPABILITIES_KHR, size - 1, here, NULL),
                     CL_INVALID_VALUE);
}

static bool has_type(cl_svm_capabilities_khr all)
{
    for (cl_uint i = 0; i < type_count; i++)
        if ((types[i] & all) == all) return true;
    return false;
}

static void types_are_what_svm_gives(void **unused)
{
    const bool fine = svm() & CL_DEVICE_SVM_FINE_GRAIN_BUFFER;
    size_t atom = 7;
    (void)unused;
    assert_true(has_type(DEVICE_TYPE));
    assert_int_equal(has_type(COARSE_TYPE), shares());
    assert_int_equal(has_type(HOST_TYPE), shares());
    assert_int_equal(has_type(SHARED_TYPE), shares());
    if (shares() && svm()) {
        assert_int_equal(has_type(FINE_TYPE), fine);
        assert_int_equal(has_type(SYSTEM_TYPE), (svm() & CL_DEVICE_SVM_FINE_GRAIN_SYSTEM) != 0);
        assert_int_equal(has_type(CL_SVM_CAPABILITY_CONCURRENT_ATOMIC_ACCESS_KHR),
                         fine && (svm() & CL_DEVICE_SVM_ATOMICS));
    }
    for (cl_uint i = 0; i < type_count; i++) {
        const bool is_free = types[i] & CL_SVM_CAPABILITY_DEVICE_UNASSOCIATED_KHR;
        if (!types[i]) continue;
        if (types[i] & CL_SVM_CAPABILITY_DEVICE_OWNED_KHR) assert_false(is_free);
        if (types[i] & CL_SVM_CAPABILITY_HOST_OWNED_KHR) assert_true(is_free && (types[i] & HOST) == HOST);
        assert_int_equal(types[i] & BASIC, BASIC);
    }
    assert_int_equal(clGetDeviceInfo(device, NF_USM_DEVICE_SVM_CONCURRENT_ACCESS_ATOM_SIZE, sizeof atom, &atom, NULL),
                     CL_SUCCESS);
    assert_int_equal(atom, has_type(CONCURRENT) ? 1 : 0);
}

/* ---- suggestions ---- */

static void suggestions_have_what_is_required(void **unused)
{
    cl_svm_capabilities_khr all = 0;
    (void)unused;
    for (cl_uint i = 0; i < type_count; i++) {
        all |= types[i];
        if (types[i]) assert_int_equal(types[index_of(types[i])] & types[i], types[i]);
    }
    for (int bit = 0; bit < 64; bit++) {
        const cl_svm_capabilities_khr one = (cl_svm_capabilities_khr)1 << bit;
        cl_uint index = index_of(one), desired = 0;
        if (all & one)
            assert_true(index < type_count && (types[index] & one));
        else
            assert_int_equal(index, CL_UINT_MAX);
        assert_int_equal(suggest(context, 0, one, of_device, 16, &desired), CL_SUCCESS);
        assert_true(desired < type_count);
        if (all & one) assert_true(types[desired] & one);
    }
    assert_int_equal(index_of(~all), CL_UINT_MAX);
}

/* The suggested type is the one that a macro of the headers denotes. */
static void suggestions_are_what_is_meant(void **unused)
{
    cl_uint index = 0;
    (void)unused;
    assert_true(types[index_of(DEVICE_TYPE)] & CL_SVM_CAPABILITY_DEVICE_OWNED_KHR);
    assert_int_equal(suggest(context, DEVICE_TYPE, 0, of_device, 0, &index), CL_SUCCESS);
    assert_int_equal(index, index_of(DEVICE_TYPE));
    assert_int_equal(suggest(context, BASIC, 0, NULL, (size_t)-1 / 2, &index), CL_SUCCESS);
    assert_int_equal(index, CL_UINT_MAX);
    if (!shares()) return;
    assert_true(types[index_of(HOST_TYPE)] & CL_SVM_CAPABILITY_HOST_OWNED_KHR);
    assert_false(types[index_of(SHARED_TYPE)] &
                 (CL_SVM_CAPABILITY_HOST_OWNED_KHR | CL_SVM_CAPABILITY_DEVICE_OWNED_KHR |
                  CL_SVM_CAPABILITY_SYSTEM_ALLOCATED_KHR | CL_SVM_CAPABILITY_HOST_MAP_KHR));
    assert_false(types[index_of(COARSE_TYPE)] & CL_SVM_CAPABILITY_HOST_READ_KHR);
}

static void wrong_suggestions(void **unused)
{
    const cl_svm_alloc_properties_khr unknown[] = {0x2077, 1, 0}, flags[] = {CL_SVM_ALLOC_ACCESS_FLAGS_KHR, 1 << 2, 0},
                                      odd[] = {CL_SVM_ALLOC_ALIGNMENT_KHR, 3, 0},
                                      twice[] = {CL_SVM_ALLOC_ALIGNMENT_KHR, 4, CL_SVM_ALLOC_ALIGNMENT_KHR, 4, 0};
    cl_uint index = 0;
    (void)unused;
    assert_int_equal(suggest(NULL, 0, 0, NULL, 0, &index), CL_INVALID_CONTEXT);
    assert_int_equal(suggest(context, 0, 0, unknown, 0, &index), CL_INVALID_PROPERTY);
    assert_int_equal(suggest(context, 0, 0, flags, 0, &index), CL_INVALID_PROPERTY);
    assert_int_equal(suggest(context, 0, 0, odd, 0, &index), CL_INVALID_PROPERTY);
    assert_int_equal(suggest(context, 0, 0, twice, 0, &index), CL_INVALID_PROPERTY);
    assert_int_equal(suggest(context, 0, 0, NULL, 0, NULL), CL_INVALID_VALUE);
}

/* ---- allocations and queries about them -------------------------------------------------------------------------- */

#define CHECK(pointer, with, name, type, wanted)                                                                       \
    do {                                                                                                               \
        type answer;                                                                                                   \
        size_t answer_size = 0;                                                                                        \
        memset(&answer, 0x5a, sizeof answer);                                                                          \
        assert_int_equal(ask(context, with, pointer, name, sizeof answer, &answer, &answer_size), CL_SUCCESS);         \
        assert_int_equal(answer_size, sizeof answer);                                                                  \
        assert_true(answer == (wanted));                                                                               \
    } while (0)

/* All queries about an allocation, with a pointer into it. */
static void check_all(const char *base, size_t offset, size_t size, cl_uint index, cl_device_id associated,
                      cl_svm_alloc_access_flags_khr access)
{
    for (int i = 0; i < 2; i++) {
        const cl_device_id with = i ? device : NULL;
        CHECK(base + offset, with, CL_SVM_INFO_TYPE_INDEX_KHR, cl_uint, index);
        CHECK(base + offset, with, CL_SVM_INFO_CAPABILITIES_KHR, cl_svm_capabilities_khr, types[index]);
        CHECK(base + offset, with, CL_SVM_INFO_ACCESS_FLAGS_KHR, cl_svm_alloc_access_flags_khr, access);
        CHECK(base + offset, with, CL_SVM_INFO_BASE_PTR_KHR, const void *, base);
        CHECK(base + offset, with, CL_SVM_INFO_SIZE_KHR, size_t, size);
        CHECK(base + offset, with, CL_SVM_INFO_ASSOCIATED_DEVICE_HANDLE_KHR, cl_device_id, associated);
    }
}

/* Queries about a pointer that belongs to no allocation. */
static void check_none(const void *pointer)
{
    size_t size = 7;
    for (int i = 0; i < 2; i++) {
        const cl_device_id with = i ? device : NULL;
        CHECK(pointer, with, CL_SVM_INFO_TYPE_INDEX_KHR, cl_uint, CL_UINT_MAX);
        CHECK(pointer, with, CL_SVM_INFO_CAPABILITIES_KHR, cl_svm_capabilities_khr, 0);
        CHECK(pointer, with, CL_SVM_INFO_ACCESS_FLAGS_KHR, cl_svm_alloc_access_flags_khr, 0);
        CHECK(pointer, with, CL_SVM_INFO_BASE_PTR_KHR, void *, NULL);
        CHECK(pointer, with, CL_SVM_INFO_SIZE_KHR, size_t, 0);
        CHECK(pointer, with, CL_SVM_INFO_ASSOCIATED_DEVICE_HANDLE_KHR, cl_device_id, NULL);
        assert_int_equal(ask(context, with, pointer, CL_SVM_INFO_PROPERTIES_KHR, 0, NULL, &size), CL_SUCCESS);
        assert_int_equal(size, 0);
    }
}

static void check_properties(const void *pointer, const cl_svm_alloc_properties_khr *wanted, size_t count)
{
    cl_svm_alloc_properties_khr list[8] = {0};
    size_t size = 0;
    assert_int_equal(ask(context, NULL, pointer, CL_SVM_INFO_PROPERTIES_KHR, sizeof list, list, &size), CL_SUCCESS);
    assert_int_equal(size, count * sizeof list[0]);
    assert_memory_equal(list, wanted, size);
}

static void allocations_are_known(void **unused)
{
    const size_t sizes[] = {1, 64, 1000, 5000, 300000};
    (void)unused;
    for (cl_uint i = next_type(0); i < type_count; i = next_type(i + 1)) {
        const bool is_free = types[i] & CL_SVM_CAPABILITY_DEVICE_UNASSOCIATED_KHR;
        for (int k = 0; k < 5; k++) {
            char *memory = memory_of(i, sizes[k]), *other = memory_of(i, sizes[k]);
            check_all(memory, 0, sizes[k], i, is_free ? NULL : device, 0);
            check_all(memory, sizes[k] - 1, sizes[k], i, is_free ? NULL : device, 0);
            assert_int_equal((uintptr_t)memory % 128, 0);
            give_back(memory);
            check_none(memory);
            check_all(other, sizes[k] / 2, sizes[k], i, is_free ? NULL : device, 0);
            give_back(other);
        }
    }
}

static void properties_are_told_as_given(void **unused)
{
    const cl_svm_alloc_access_flags_khr access =
        CL_SVM_ALLOC_ACCESS_HOST_NOREAD_KHR | CL_SVM_ALLOC_ACCESS_DEVICE_NOWRITE_KHR;
    (void)unused;
    for (cl_uint i = next_type(0); i < type_count; i = next_type(i + 1)) {
        const cl_svm_alloc_properties_khr handle = (cl_svm_alloc_properties_khr)(uintptr_t)device;
        const cl_svm_alloc_properties_khr all[] = {CL_SVM_ALLOC_ALIGNMENT_KHR,
                                                   32,
                                                   CL_SVM_ALLOC_ACCESS_FLAGS_KHR,
                                                   access,
                                                   CL_SVM_ALLOC_ASSOCIATED_DEVICE_HANDLE_KHR,
                                                   handle,
                                                   0},
                                          turned[] = {CL_SVM_ALLOC_ASSOCIATED_DEVICE_HANDLE_KHR, handle,
                                                      CL_SVM_ALLOC_ALIGNMENT_KHR, 0, 0},
                                          none[] = {0};
        cl_int error = -1;
        char *memory = allocate(context, all, i, 100, &error);
        assert_int_equal(error, CL_SUCCESS);
        check_all(memory, 50, 100, i, device, access);
        check_properties(memory + 99, all, 7);
        assert_int_equal(ask(context, NULL, memory, CL_SVM_INFO_PROPERTIES_KHR, 6 * sizeof all[0], &error, NULL),
                         CL_INVALID_VALUE);
        give_back(memory);
        memory = allocate(context, turned, i, 100, NULL);
        check_properties(memory, turned, 5);
        give_back(memory);
        if (!(types[i] & CL_SVM_CAPABILITY_DEVICE_UNASSOCIATED_KHR)) continue;
        memory = allocate(context, none, i, 100, &error);
        check_properties(memory, none, 1);
        give_back(memory);
        memory = allocate(context, NULL, i, 100, &error);
        check_properties(memory, none, 0);
        give_back(memory);
    }
}

static void alignments(void **unused)
{
    (void)unused;
    for (cl_uint i = next_type(0); i < type_count; i = next_type(i + 1))
        for (size_t alignment = 1; alignment <= 128; alignment *= 2) {
            const cl_svm_alloc_properties_khr properties[] = {CL_SVM_ALLOC_ASSOCIATED_DEVICE_HANDLE_KHR,
                                                              (cl_svm_alloc_properties_khr)(uintptr_t)device,
                                                              CL_SVM_ALLOC_ALIGNMENT_KHR, alignment, 0};
            cl_int error = -1;
            void *memory = allocate(context, properties, i, 3, &error);
            assert_int_equal(error, CL_SUCCESS);
            assert_int_equal((uintptr_t)memory % alignment, 0);
            give_back(memory);
        }
}

static void nothing_is_allocated(void **unused)
{
    (void)unused;
    for (cl_uint i = next_type(0); i < type_count; i = next_type(i + 1)) {
        cl_int error = -1;
        assert_null(allocate(context, of_device, i, 0, &error));
        assert_int_equal(error, CL_SUCCESS);
    }
    if (svm()) assert_null(clSVMAlloc(context, CL_MEM_READ_WRITE, 0, 0));
    give_back(NULL);
}

static void refuses(cl_context with, const cl_svm_alloc_properties_khr *properties, cl_uint index, cl_int wanted)
{
    cl_int error = -1;
    assert_null(allocate(with, properties, index, 64, &error));
    assert_int_equal(error, wanted);
    assert_null(allocate(with, properties, index, 64, NULL));
}

static void wrong_allocations(void **unused)
{
    const cl_svm_alloc_properties_khr bad[][5] = {
        {0x2077, 1, 0},
        {CL_SVM_ALLOC_ALIGNMENT_KHR, 3, 0},
        {CL_SVM_ALLOC_ALIGNMENT_KHR, 256, 0},
        {CL_SVM_ALLOC_ACCESS_FLAGS_KHR, 1 << 2, 0},
        {CL_SVM_ALLOC_ACCESS_FLAGS_KHR, 1 << 10, 0},
        {CL_SVM_ALLOC_ALIGNMENT_KHR, 16, CL_SVM_ALLOC_ALIGNMENT_KHR, 16, 0},
        {CL_SVM_ALLOC_ACCESS_FLAGS_KHR, 0, CL_SVM_ALLOC_ACCESS_FLAGS_KHR, 0, 0},
    };
    const cl_uint index = index_of(DEVICE_TYPE);
    (void)unused;
    refuses(NULL, of_device, index, CL_INVALID_CONTEXT);
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        for (cl_uint k = next_type(0); k < type_count; k = next_type(k + 1))
            refuses(context, bad[i], k, CL_INVALID_PROPERTY);
    refuses(context, NULL, index, CL_INVALID_PROPERTY); /* such a type requires a device */
    refuses(context, of_device, type_count, CL_INVALID_VALUE);
    refuses(context, of_device, CL_UINT_MAX, CL_INVALID_VALUE);
}

/* Returns a device of another context, if the platform has one. */
static void a_device_that_is_not_ours(void **unused)
{
    cl_device_id devices[16];
    cl_uint count = 0;
    void *memory = memory_of(index_of(DEVICE_TYPE), 64);
    (void)unused;
    clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 16, devices, &count);
    for (cl_uint i = 0; i < count; i++) {
        cl_svm_alloc_properties_khr theirs[] = {CL_SVM_ALLOC_ASSOCIATED_DEVICE_HANDLE_KHR,
                                                (cl_svm_alloc_properties_khr)(uintptr_t)devices[i], 0};
        cl_uint index;
        size_t size;
        if (devices[i] == device) continue;
        refuses(context, theirs, index_of(DEVICE_TYPE), CL_INVALID_PROPERTY);
        assert_int_equal(suggest(context, 0, 0, theirs, 0, &index), CL_INVALID_PROPERTY);
        assert_int_equal(ask(context, devices[i], memory, CL_SVM_INFO_SIZE_KHR, sizeof size, &size, NULL),
                         CL_INVALID_DEVICE);
    }
    give_back(memory);
}

static bool any_of(const cl_svm_capabilities_khr *list)
{
    for (cl_uint k = 0; k < type_count; k++)
        if (list[k]) return true;
    return false;
}

/* A type that one device of the context lacks is not available in the context; a device without any types counts only
 * if it is given. */
static void a_type_that_a_device_lacks(void **unused)
{
    cl_svm_capabilities_khr here[TYPES_MAX] = {0};
    cl_device_id devices[16];
    cl_uint count = 0, index = 0, lacking = 0;
    cl_int error = -1;
    (void)unused;
    clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 16, devices, &count);
    cl_context all = clCreateContext(NULL, count, devices, NULL, NULL, &error);
    assert_int_equal(error, CL_SUCCESS);
    for (cl_uint i = 0; i < count; i++) {
        const cl_svm_alloc_properties_khr named[] = {CL_SVM_ALLOC_ASSOCIATED_DEVICE_HANDLE_KHR,
                                                     (cl_svm_alloc_properties_khr)(uintptr_t)devices[i], 0};
        clGetDeviceInfo(devices[i], CL_DEVICE_SVM_TYPE_CAPABILITIES_KHR, sizeof here, here, NULL);
        for (cl_uint k = 0; k < type_count; k++) {
            if (here[k]) continue;
            lacking++;
            refuses(all, named, k, CL_INVALID_OPERATION);
            assert_int_equal(suggest(all, 0, ~(cl_svm_capabilities_khr)0, named, 0, &index), CL_SUCCESS);
            assert_int_not_equal(index, k);
            if (!any_of(here)) continue;
            refuses(all, NULL, k, CL_INVALID_OPERATION);
            assert_int_equal(suggest(all, 0, ~(cl_svm_capabilities_khr)0, NULL, 0, &index), CL_SUCCESS);
            assert_int_not_equal(index, k);
        }
    }
    clReleaseContext(all);
    assert_true(lacking || !getenv("TEST_HALF"));
}

static void wrong_queries(void **unused)
{
    void *memory = memory_of(index_of(DEVICE_TYPE), 64);
    size_t size = 0;
    (void)unused;
    assert_int_equal(ask(NULL, NULL, memory, CL_SVM_INFO_SIZE_KHR, sizeof size, &size, NULL), CL_INVALID_CONTEXT);
    assert_int_equal(ask(context, NULL, memory, 0x2087, sizeof size, &size, NULL), CL_INVALID_VALUE);
    assert_int_equal(ask(context, NULL, memory, CL_SVM_INFO_SIZE_KHR, sizeof size - 1, &size, NULL), CL_INVALID_VALUE);
    assert_int_equal(ask(context, NULL, memory, CL_SVM_INFO_SIZE_KHR, 0, NULL, &size), CL_SUCCESS);
    assert_int_equal(size, sizeof size);
    check_none(NULL);
    check_none(&size);
    cl_context other = clCreateContext(NULL, 1, &device, NULL, NULL, NULL);
    assert_int_equal(ask(other, NULL, memory, CL_SVM_INFO_SIZE_KHR, sizeof size, &size, NULL), CL_SUCCESS);
    assert_int_equal(size, 0);
    assert_int_equal(release(other, NULL, 0, memory), CL_INVALID_VALUE);
    clReleaseContext(other);
    give_back(memory);
}

static void wrong_frees(void **unused)
{
    const cl_svm_free_properties_khr unknown[] = {1, 1, 0}, none[] = {0};
    (void)unused;
    for (cl_uint i = next_type(0); i < type_count; i = next_type(i + 1)) {
        char *memory = memory_of(i, 256);
        assert_int_equal(release(NULL, NULL, 0, memory), CL_INVALID_CONTEXT);
        assert_int_equal(release(context, unknown, 0, memory), CL_INVALID_PROPERTY);
        assert_int_equal(release(context, NULL, 1, memory), CL_INVALID_VALUE);
        assert_int_equal(release(context, NULL, 0, memory + 1), CL_INVALID_VALUE);
        assert_int_equal(release(context, NULL, 0, &i), CL_INVALID_VALUE);
        assert_int_equal(release(context, none, 0, memory), CL_SUCCESS);
        assert_int_equal(release(context, NULL, 0, memory), CL_INVALID_VALUE);
    }
}

/* Memory of clSVMAlloc has a type, too, and either function frees memory of the other. */
static void memory_of_the_core(void **unused)
{
    (void)unused;
    if (!svm()) skip();
    char *coarse = clSVMAlloc(context, CL_MEM_READ_WRITE, 1000, 0),
         *other = clSVMAlloc(context, CL_MEM_READ_ONLY, 64, 16);
    assert_non_null(coarse);
    assert_non_null(other);
    check_all(coarse, 999, 1000, index_of(COARSE_TYPE), NULL, 0);
    check_properties(coarse, NULL, 0);
    check_all(other, 0, 64, index_of(COARSE_TYPE), NULL, 0);
    give_back(coarse);
    check_none(coarse);
    clSVMFree(context, other);
    check_none(other);
    clSVMFree(context, NULL);
    if (svm() & CL_DEVICE_SVM_FINE_GRAIN_BUFFER) {
        char *fine = clSVMAlloc(context, CL_MEM_READ_WRITE | CL_MEM_SVM_FINE_GRAIN_BUFFER, 1000, 0);
        assert_non_null(fine);
        check_all(fine, 10, 1000, index_of(FINE_TYPE), NULL, 0);
        clSVMFree(context, fine);
    }
    for (cl_uint i = next_type(0); i < type_count; i = next_type(i + 1)) {
        char *memory = memory_of(i, 64);
        clSVMFree(context, memory);
        check_none(memory);
    }
}

/* Both extensions recognize each other's allocations. */
static void both_extensions(void **unused)
{
    cl_unified_shared_memory_type_intel type = 0;
    (void)unused;
    char *theirs = device_memory(500), *ours = memory_of(index_of(DEVICE_TYPE), 500);
    check_all(theirs, 1, 500, index_of(DEVICE_TYPE), device, 0);
    assert_int_equal(usm.clGetMemAllocInfoINTEL(context, ours + 1, CL_MEM_ALLOC_TYPE_INTEL, sizeof type, &type, NULL),
                     CL_SUCCESS);
    assert_int_equal(type, CL_MEM_TYPE_DEVICE_INTEL);
    give_back(theirs);
    free_memory(ours);
    check_none(ours);
    if (!shares()) return;
    cl_device_id associated = device;
    ours = allocate(context, of_device, index_of(HOST_TYPE), 500, NULL);
    check_all(ours, 1, 500, index_of(HOST_TYPE), device, 0);
    assert_int_equal(
        usm.clGetMemAllocInfoINTEL(context, ours, CL_MEM_ALLOC_DEVICE_INTEL, sizeof associated, &associated, NULL),
        CL_SUCCESS);
    assert_null(associated);
    give_back(ours);
}

/* ---- commands on every type of memory ---------------------------------------------------------------------------- */

static void copies_and_fills(void **unused)
{
    (void)unused;
    for (cl_uint i = next_type(0); i < type_count; i = next_type(i + 1)) {
        int there[ITEMS], back[ITEMS], filled[ITEMS];
        const int seven = 7;
        int *a = memory_of(i, BYTES), *b = memory_of(i, BYTES);
        cl_event events[3];
        for (int k = 0; k < ITEMS; k++) {
            there[k] = k;
            filled[k] = k >= 8 && k < 16 ? 7 : k;
        }
        assert_int_equal(clEnqueueSVMMemcpy(queue, CL_FALSE, a, there, BYTES, 0, NULL, &events[0]), CL_SUCCESS);
        assert_int_equal(clEnqueueSVMMemcpy(queue, CL_FALSE, b, a, BYTES, 1, &events[0], &events[1]), CL_SUCCESS);
        assert_int_equal(
            clEnqueueSVMMemFill(queue, b + 8, &seven, sizeof seven, 8 * sizeof seven, 1, &events[1], &events[2]),
            CL_SUCCESS);
        read_back(back, b, BYTES);
        assert_memory_equal(back, filled, BYTES);
        done(events[0], expected(i, CL_COMMAND_SVM_MEMCPY));
        done(events[1], expected(i, CL_COMMAND_SVM_MEMCPY));
        done(events[2], expected(i, CL_COMMAND_SVM_MEMFILL));
        read_back(back, a + 8, BYTES / 2);
        assert_memory_equal(back, there + 8, BYTES / 2);
        if (expected(i, 1)) {
            assert_int_equal(clEnqueueSVMMemcpy(queue, CL_TRUE, a, a + 1, 2 * sizeof(int), 0, NULL, NULL),
                             CL_MEM_COPY_OVERLAP);
            assert_int_equal(clEnqueueSVMMemcpy(queue, CL_TRUE, a, NULL, 4, 0, NULL, NULL), CL_INVALID_VALUE);
            assert_int_equal(clEnqueueSVMMemcpy(queue, CL_TRUE, NULL, a, 4, 0, NULL, NULL), CL_INVALID_VALUE);
            assert_int_equal(clEnqueueSVMMemFill(queue, a, &seven, 3, 3, 0, NULL, NULL), CL_INVALID_VALUE);
            assert_int_equal(clEnqueueSVMMemFill(queue, a, &seven, 4, 5, 0, NULL, NULL), CL_INVALID_VALUE);
        }
        give_back(a);
        give_back(b);
    }
}

/* Copies and fills of no bytes are commands, with any pointers. */
static void nothing_at_all(void **unused)
{
    char *bogus = (char *)(uintptr_t)0xdeadbeef;
    const short two = 1;
    const void *none[] = {NULL};
    (void)unused;
    for (cl_uint i = next_type(0); i < type_count; i = next_type(i + 1)) {
        char *memory = memory_of(i, 64), *pointers[] = {memory, NULL, bogus};
        cl_event event = NULL;
        for (int k = 0; k < 9; k++) {
            char *to = pointers[k / 3], *from = pointers[k % 3];
            assert_int_equal(clEnqueueSVMMemcpy(queue, k % 2, to, from, 0, 0, NULL, &event), CL_SUCCESS);
            done(event, CL_COMMAND_SVM_MEMCPY);
            assert_int_equal(clEnqueueSVMMemFill(queue, to, &two, sizeof two, 0, 0, NULL, &event), CL_SUCCESS);
            done(event, CL_COMMAND_SVM_MEMFILL);
        }
        assert_int_equal(clEnqueueSVMMigrateMem(queue, 1, none, NULL, 0, 0, NULL, &event), CL_SUCCESS);
        done(event, CL_COMMAND_SVM_MIGRATE_MEM);
        give_back(memory);
    }
    if (is_strict()) return;
    assert_int_equal(clEnqueueSVMMemcpy(queue, CL_TRUE, NULL, &two, 1, 0, NULL, NULL), CL_INVALID_VALUE);
    assert_int_equal(clEnqueueSVMMemFill(queue, NULL, &two, 1, 1, 0, NULL, NULL), CL_INVALID_VALUE);
    assert_int_equal(clEnqueueSVMMemFill(queue, NULL, NULL, 1, 0, 0, NULL, NULL), CL_INVALID_VALUE);
}

/* Host memory may be source and destination of a copy. */
static void copies_of_the_host(void **unused)
{
    int from[ITEMS], to[ITEMS] = {0};
    (void)unused;
    for (int k = 0; k < ITEMS; k++)
        from[k] = k;
    read_back(to, from, BYTES);
    assert_memory_equal(to, from, BYTES);
}

static void maps(void **unused)
{
    (void)unused;
    for (cl_uint i = next_type(0); i < type_count; i = next_type(i + 1)) {
        int *memory = memory_of(i, BYTES), back[ITEMS];
        cl_event events[2];
        if (types[i] & CL_SVM_CAPABILITY_HOST_MAP_KHR) {
            assert_int_equal(clEnqueueSVMMap(queue, CL_TRUE, CL_MAP_WRITE, memory, BYTES, 0, NULL, &events[0]),
                             CL_SUCCESS);
            for (int k = 0; k < ITEMS; k++)
                memory[k] = k;
            assert_int_equal(clEnqueueSVMUnmap(queue, memory, 0, NULL, &events[1]), CL_SUCCESS);
            done(events[0], expected(i, CL_COMMAND_SVM_MAP));
            done(events[1], expected(i, CL_COMMAND_SVM_UNMAP));
            read_back(back, memory, BYTES);
            assert_int_equal(back[ITEMS - 1], ITEMS - 1);
        } else {
            assert_int_equal(clEnqueueSVMMap(queue, CL_TRUE, CL_MAP_WRITE, memory, BYTES, 0, NULL, NULL),
                             CL_INVALID_VALUE);
            assert_int_equal(clEnqueueSVMUnmap(queue, memory, 0, NULL, NULL), CL_INVALID_VALUE);
        }
        if (!is_strict()) {
            assert_int_equal(clEnqueueSVMMap(queue, CL_TRUE, CL_MAP_WRITE, NULL, BYTES, 0, NULL, NULL),
                             CL_INVALID_VALUE);
            assert_int_equal(clEnqueueSVMUnmap(queue, NULL, 0, NULL, NULL), CL_INVALID_VALUE);
        }
        give_back(memory);
    }
}

/* The host reads and writes memory directly if its type permits that; after a command, a wait is sufficient. */
static void direct_access(void **unused)
{
    (void)unused;
    for (cl_uint i = next_type(0); i < type_count; i = next_type(i + 1)) {
        if ((types[i] & HOST) != HOST) continue;
        int *memory = memory_of(i, BYTES);
        cl_kernel kernel = make_kernel("increment");
        for (int k = 0; k < ITEMS; k++)
            memory[k] = k;
        assert_int_equal(clSetKernelArgSVMPointer(kernel, 0, memory), CL_SUCCESS);
        done(launch(queue, kernel, ITEMS, 0, NULL), CL_COMMAND_NDRANGE_KERNEL);
        for (int k = 0; k < ITEMS; k++)
            assert_int_equal(memory[k], k + 1);
        clReleaseKernel(kernel);
        give_back(memory);
    }
}

static void migrations(void **unused)
{
    const void *pointers[TYPES_MAX];
    size_t sizes[TYPES_MAX];
    cl_event event = NULL;
    (void)unused;
    for (cl_uint i = next_type(0); i < type_count; i = next_type(i + 1)) {
        pointers[i] = memory_of(i, 64 + i);
        sizes[i] = i % 2 ? 0 : 64 + i;
    }
    assert_int_equal(clEnqueueSVMMigrateMem(queue, type_count, pointers, NULL, 0, 0, NULL, &event), CL_SUCCESS);
    done(event, CL_COMMAND_SVM_MIGRATE_MEM);
    assert_int_equal(
        clEnqueueSVMMigrateMem(queue, type_count, pointers, sizes, CL_MIGRATE_MEM_OBJECT_HOST, 0, NULL, &event),
        CL_SUCCESS);
    done(event, CL_COMMAND_SVM_MIGRATE_MEM);
    const cl_uint block = index_of(DEVICE_TYPE);
    sizes[block] = 64 + block + 1;
    assert_int_equal(clEnqueueSVMMigrateMem(queue, type_count, pointers, sizes, 0, 0, NULL, NULL), CL_INVALID_VALUE);
    assert_int_equal(clEnqueueSVMMigrateMem(queue, type_count, pointers, NULL, 1 << 7, 0, NULL, NULL),
                     CL_INVALID_VALUE);
    const void *none[] = {pointers[block], NULL};
    const size_t some[] = {1, 1};
    assert_int_equal(clEnqueueSVMMigrateMem(queue, 2, none, some, 0, 0, NULL, NULL), CL_INVALID_VALUE);
    for (cl_uint i = next_type(0); i < type_count; i = next_type(i + 1))
        give_back((void *)pointers[i]);
}

/* ---- kernels ---- */

static void arguments(void **unused)
{
    const int zero = 0;
    (void)unused;
    for (cl_uint i = next_type(0); i < type_count; i = next_type(i + 1)) {
        int *memory = memory_of(i, 2 * BYTES), back[2 * ITEMS];
        cl_kernel kernel = make_kernel("increment");
        assert_int_equal(clEnqueueSVMMemFill(queue, memory, &zero, sizeof zero, 2 * BYTES, 0, NULL, NULL), CL_SUCCESS);
        assert_int_equal(clSetKernelArgSVMPointer(kernel, 0, NULL), CL_SUCCESS);
        assert_int_equal(clSetKernelArgSVMPointer(kernel, 0, memory + ITEMS), CL_SUCCESS);
        clReleaseEvent(launch(queue, kernel, ITEMS, 0, NULL));
        read_back(back, memory, 2 * BYTES);
        assert_int_equal(back[ITEMS - 1], 0);
        assert_int_equal(back[ITEMS], 1);
        assert_int_equal(back[2 * ITEMS - 1], 1);
        clReleaseKernel(kernel);
        give_back(memory);
    }
}

/* Launches the kernel, which follows a pointer to memory of that type. */
static void run_follow(cl_kernel kernel, cl_uint index)
{
    const int zero = 0;
    int *data = memory_of(index, BYTES), back[ITEMS];
    void *slot = memory_of(index_of(DEVICE_TYPE), sizeof(cl_ulong));
    const cl_ulong address = (cl_ulong)(uintptr_t)data;
    assert_int_equal(clEnqueueSVMMemFill(queue, data, &zero, sizeof zero, BYTES, 0, NULL, NULL), CL_SUCCESS);
    write_there(slot, &address, sizeof address);
    assert_int_equal(clSetKernelArgSVMPointer(kernel, 0, slot), CL_SUCCESS);
    clReleaseEvent(launch(queue, kernel, ITEMS, 0, NULL));
    read_back(back, data, BYTES);
    assert_int_equal(back[0], 1);
    assert_int_equal(back[ITEMS - 1], 1);
    give_back(slot);
    give_back(data);
}

static void memory_behind_an_argument(void **unused)
{
    const cl_bool yes = CL_TRUE, no = CL_FALSE;
    cl_int error = -1;
    (void)unused;
    cl_kernel kernel = make_kernel("follow");
    assert_int_equal(clSetKernelExecInfo(kernel, CL_KERNEL_EXEC_INFO_SVM_INDIRECT_ACCESS_KHR, sizeof yes, &yes),
                     CL_SUCCESS);
    cl_kernel clone = clCloneKernel(kernel, &error);
    for (cl_uint i = next_type(0); i < type_count; i = next_type(i + 1)) {
        if (!(types[i] & INDIRECT)) continue;
        run_follow(kernel, i);
        if (clone) run_follow(clone, i);
    }
    if (clone) clReleaseKernel(clone);
    assert_int_equal(clSetKernelExecInfo(kernel, CL_KERNEL_EXEC_INFO_SVM_INDIRECT_ACCESS_KHR, sizeof no, &no),
                     CL_SUCCESS);
    assert_int_equal(clSetKernelExecInfo(kernel, CL_KERNEL_EXEC_INFO_SVM_INDIRECT_ACCESS_KHR, 1, &no),
                     CL_INVALID_VALUE);
    assert_int_equal(clSetKernelExecInfo(kernel, CL_KERNEL_EXEC_INFO_SVM_INDIRECT_ACCESS_KHR, sizeof no, NULL),
                     CL_INVALID_VALUE);
    clReleaseKernel(kernel);
}

/* Listed pointers can be followed without the flag; listed pointers outside of allocations are no error. */
static void memory_that_is_listed(void **unused)
{
    const int zero = 0;
    (void)unused;
    if (!shares()) skip();
    for (cl_uint i = next_type(0); i < type_count; i = next_type(i + 1)) {
        cl_kernel kernel = make_kernel("follow");
        int *data = memory_of(i, BYTES), back[ITEMS];
        cl_ulong *slot = memory_of(index_of(HOST_TYPE), sizeof *slot);
        const void *listed[] = {data + 1, NULL, (void *)(uintptr_t)0xdeadbee0};
        slot[0] = (cl_ulong)(uintptr_t)data;
        assert_int_equal(clEnqueueSVMMemFill(queue, data, &zero, sizeof zero, BYTES, 0, NULL, NULL), CL_SUCCESS);
        assert_int_equal(clSetKernelExecInfo(kernel, CL_KERNEL_EXEC_INFO_SVM_PTRS, sizeof listed, listed), CL_SUCCESS);
        assert_int_equal(clSetKernelArgSVMPointer(kernel, 0, slot), CL_SUCCESS);
        clReleaseEvent(launch(queue, kernel, ITEMS, 0, NULL));
        read_back(back, data, BYTES);
        assert_int_equal(back[ITEMS - 1], 1);
        assert_int_equal(clSetKernelExecInfo(kernel, CL_KERNEL_EXEC_INFO_SVM_PTRS, 0, NULL), CL_SUCCESS);
        clReleaseKernel(kernel);
        give_back(slot);
        give_back(data);
    }
}

/* ---- clEnqueueSVMFree ---- */

static atomic_uint called;

/* PoCL's device "basic" runs commands in the thread that flushes or waits, which never returns from a command that
 * waits for a user event. */
static bool runs_in_this_thread(void)
{
    char text[256] = "";
    clGetDeviceInfo(device, CL_DEVICE_NAME, sizeof text - 1, text, NULL);
    return strncmp(text, "basic", strlen("basic")) == 0;
}

static void CL_CALLBACK free_them(cl_command_queue on, cl_uint count, void **pointers, void *user)
{
    assert_ptr_equal(on, queue);
    assert_ptr_equal(user, &called);
    for (cl_uint i = 0; i < count; i++)
        clSVMFree(context, pointers[i]);
    atomic_store(&called, count);
}

/* The free is executed after the command, on any thread. */
static void wait_until_unknown(const void *pointer)
{
    cl_uint index = 0;
    for (int i = 0; i < 5000 && index != CL_UINT_MAX; i++) {
        if (i) usleep(1000);
        assert_int_equal(ask(context, NULL, pointer, CL_SVM_INFO_TYPE_INDEX_KHR, sizeof index, &index, NULL),
                         CL_SUCCESS);
    }
    check_none(pointer);
}

static cl_uint one_of_each(void **pointers)
{
    cl_uint count = 0;
    for (cl_uint i = next_type(0); i < type_count; i = next_type(i + 1))
        pointers[count++] = memory_of(i, 64);
    if (svm()) pointers[count++] = clSVMAlloc(context, CL_MEM_READ_WRITE, 64, 0);
    return count;
}

static void frees_in_a_queue(void **unused)
{
    void *pointers[TYPES_MAX + 2];
    cl_event event = NULL, gate = clCreateUserEvent(context, NULL);
    (void)unused;
    if (runs_in_this_thread()) skip();
    cl_uint count = one_of_each(pointers);
    pointers[count++] = NULL;
    assert_int_equal(clEnqueueSVMFree(queue, count, pointers, NULL, NULL, 1, &gate, &event), CL_SUCCESS);
    clFlush(queue);
    check_all(pointers[0], 1, 64, 0, types[0] & CL_SVM_CAPABILITY_DEVICE_UNASSOCIATED_KHR ? NULL : device, 0);
    clSetUserEventStatus(gate, CL_COMPLETE);
    done(event, CL_COMMAND_SVM_FREE);
    clReleaseEvent(gate);
    for (cl_uint i = 0; i < count; i++)
        wait_until_unknown(pointers[i]);
    count = one_of_each(pointers);
    assert_int_equal(clEnqueueSVMFree(queue, count, pointers, NULL, NULL, 0, NULL, NULL), CL_SUCCESS);
    assert_int_equal(clFinish(queue), CL_SUCCESS);
    for (cl_uint i = 0; i < count; i++)
        wait_until_unknown(pointers[i]);
}

static void frees_by_the_application(void **unused)
{
    void *pointers[TYPES_MAX + 1];
    cl_event event = NULL;
    (void)unused;
    cl_uint count = one_of_each(pointers);
    atomic_store(&called, 0);
    assert_int_equal(clEnqueueSVMFree(queue, count, pointers, free_them, &called, 0, NULL, &event), CL_SUCCESS);
    done(event, CL_COMMAND_SVM_FREE);
    for (int i = 0; i < 5000 && !atomic_load(&called); i++)
        usleep(1000);
    assert_int_equal(atomic_load(&called), count);
    for (cl_uint i = 0; i < count; i++)
        check_none(pointers[i]);
}

/* A free that waits for a failing command frees nothing. */
static void a_free_that_fails(void **unused)
{
    cl_event gate = clCreateUserEvent(context, NULL), event = NULL;
    cl_int status = CL_QUEUED;
    (void)unused;
    if (runs_in_this_thread()) skip();
    cl_command_queue other = make_queue(true);
    void *memory = memory_of(index_of(DEVICE_TYPE), 64);
    assert_int_equal(clEnqueueSVMFree(other, 1, &memory, NULL, NULL, 1, &gate, &event), CL_SUCCESS);
    clFlush(other);
    assert_int_equal(clSetUserEventStatus(gate, -5), CL_SUCCESS);
    for (int i = 0; i < 5000 && status > CL_COMPLETE; i++) {
        usleep(1000);
        clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL);
    }
    assert_true(status < 0);
    check_all(memory, 0, 64, index_of(DEVICE_TYPE), device, 0);
    clReleaseEvent(event);
    clReleaseEvent(gate);
    clReleaseCommandQueue(other);
    give_back(memory);
}

static void frees_of_nothing(void **unused)
{
    void *none[] = {NULL};
    cl_event event = NULL;
    (void)unused;
    assert_int_equal(clEnqueueSVMFree(queue, 0, NULL, NULL, NULL, 0, NULL, &event), CL_SUCCESS);
    done(event, CL_COMMAND_SVM_FREE);
    assert_int_equal(clEnqueueSVMFree(queue, 1, none, NULL, NULL, 0, NULL, &event), CL_SUCCESS);
    done(event, CL_COMMAND_SVM_FREE);
    assert_int_equal(clEnqueueSVMFree(queue, 1, NULL, NULL, NULL, 0, NULL, NULL), CL_INVALID_VALUE);
    assert_int_equal(clEnqueueSVMFree(queue, 0, none, NULL, NULL, 0, NULL, NULL), CL_INVALID_VALUE);
}

/* ---- threads ---- */

static atomic_uint wrong;

/* Allocates, queries and frees; counts failures, because only the main thread may end the test. */
static void one_round(cl_uint index, size_t size)
{
    char *memory[4], *base = NULL;
    for (int k = 0; k < 4; k++)
        memory[k] = allocate(context, of_device, index, size, NULL);
    for (int k = 0; k < 4; k++) {
        ask(context, NULL, memory[k] + size - 1, CL_SVM_INFO_BASE_PTR_KHR, sizeof base, &base, NULL);
        if (!memory[k] || base != memory[k]) atomic_fetch_add(&wrong, 1);
        if (k % 2)
            clSVMFree(context, memory[k]);
        else if (release(context, NULL, 0, memory[k]) != CL_SUCCESS)
            atomic_fetch_add(&wrong, 1);
    }
}

static void *allocate_and_ask(void *argument)
{
    const cl_uint first = (cl_uint)(uintptr_t)argument;
    for (cl_uint i = 0; i < ROUNDS; i++) {
        const cl_uint index = next_type((first + i) % type_count);
        one_round(index < type_count ? index : next_type(0), 100 + 50 * (size_t)i);
    }
    return NULL;
}

static void many_threads(void **unused)
{
    pthread_t threads[THREADS];
    (void)unused;
    for (uintptr_t i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, allocate_and_ask, (void *)i), 0);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    assert_int_equal(atomic_load(&wrong), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(named_by_device_and_platform),
        cmocka_unit_test(types_of_platform_and_devices),
        cmocka_unit_test(types_are_what_svm_gives),
        cmocka_unit_test(suggestions_have_what_is_required),
        cmocka_unit_test(suggestions_are_what_is_meant),
        cmocka_unit_test(wrong_suggestions),
        cmocka_unit_test(allocations_are_known),
        cmocka_unit_test(properties_are_told_as_given),
        cmocka_unit_test(alignments),
        cmocka_unit_test(nothing_is_allocated),
        cmocka_unit_test(wrong_allocations),
        cmocka_unit_test(a_device_that_is_not_ours),
        cmocka_unit_test(a_type_that_a_device_lacks),
        cmocka_unit_test(wrong_queries),
        cmocka_unit_test(wrong_frees),
        cmocka_unit_test(memory_of_the_core),
        cmocka_unit_test(both_extensions),
        cmocka_unit_test(copies_and_fills),
        cmocka_unit_test(nothing_at_all),
        cmocka_unit_test(copies_of_the_host),
        cmocka_unit_test(maps),
        cmocka_unit_test(direct_access),
        cmocka_unit_test(migrations),
        cmocka_unit_test(arguments),
        cmocka_unit_test(memory_behind_an_argument),
        cmocka_unit_test(memory_that_is_listed),
        cmocka_unit_test(frees_in_a_queue),
        cmocka_unit_test(frees_by_the_application),
        cmocka_unit_test(a_free_that_fails),
        cmocka_unit_test(frees_of_nothing),
        cmocka_unit_test(many_threads),
    };
    return cmocka_run_group_tests(tests, set_up_unified, tear_down);
}
