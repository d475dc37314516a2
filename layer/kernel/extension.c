/* SPDX-License-Identifier: Apache-2.0 */
/*
 * extension.c - extension functions that take a kernel: like launch.c, for functions that an application gets by name.
 * Takes the driver's function; gives a function of the layer that is bound to it, so that a call, which may be as
 * frequent as a launch, needs no lookup. Each driver has its own function, so macros define DRIVERS functions for each
 * kind of call (`enum shape`); if there are more drivers, the application gets the driver's function itself.
 */
#include "layer/kernel/kernel.h"

#include <string.h>

/* By shape and entry: the driver's function, NULL if the entry is free, and nf_cl_epoch() at its last binding. If all
 * entries are used, an entry of an earlier loader is replaced, because its driver may be unloaded. */
enum { DRIVERS = 8 };
enum shape { POINTER, ADDRESS, LOCAL_SIZE, GROUP_COUNT, LAUNCH_COUNT, COMMAND, SUB_GROUP, SHAPES };
static _Atomic(nf_cl_function) driver_functions[SHAPES][DRIVERS];
static unsigned epochs[SHAPES][DRIVERS];
static struct nf_cl_lock lock = NF_CL_LOCK_INIT;

#define FOR_EACH_DRIVER(MAKE) MAKE(0) MAKE(1) MAKE(2) MAKE(3) MAKE(4) MAKE(5) MAKE(6) MAKE(7)
#define LIST(name)                                                                                                     \
    {                                                                                                                  \
        (nf_cl_function) name##_0, (nf_cl_function)name##_1, (nf_cl_function)name##_2, (nf_cl_function)name##_3,       \
            (nf_cl_function)name##_4, (nf_cl_function)name##_5, (nf_cl_function)name##_6, (nf_cl_function)name##_7     \
    }

/* ---- arguments: USM pointers, SVM pointers, addresses of buffers ---- */

typedef cl_int(CL_API_CALL *pointer_fn)(cl_kernel kernel, cl_uint index, const void *value);

static cl_int set_pointer(int driver, cl_kernel handle, cl_uint index, const void *value)
{
    pointer_fn call = (pointer_fn)atomic_load_explicit(&driver_functions[POINTER][driver], memory_order_relaxed);
    if (nf_cl_all_kernels_are_single()) return call(handle, index, value);
    struct nf_cl_kernel kernel;
    cl_int error = nf_cl_kernel_for_argument(handle, index, &kernel);
    for (cl_uint i = 0; i < kernel.count && error == CL_SUCCESS; i++)
        error = call(kernel.parts[i].kernel, index, value);
    return error;
}

#define SET_POINTER(n)                                                                                                 \
    static cl_int CL_API_CALL set_pointer_##n(cl_kernel kernel, cl_uint index, const void *value)                      \
    {                                                                                                                  \
        return set_pointer(n, kernel, index, value);                                                                   \
    }
FOR_EACH_DRIVER(SET_POINTER)

typedef cl_int(CL_API_CALL *address_fn)(cl_kernel kernel, cl_uint index, cl_ulong value);

static cl_int set_address(int driver, cl_kernel handle, cl_uint index, cl_ulong value)
{
    address_fn call = (address_fn)atomic_load_explicit(&driver_functions[ADDRESS][driver], memory_order_relaxed);
    if (nf_cl_all_kernels_are_single()) return call(handle, index, value);
    struct nf_cl_kernel kernel;
    cl_int error = nf_cl_kernel_for_argument(handle, index, &kernel);
    for (cl_uint i = 0; i < kernel.count && error == CL_SUCCESS; i++)
        error = call(kernel.parts[i].kernel, index, value);
    return error;
}

#define SET_ADDRESS(n)                                                                                                 \
    static cl_int CL_API_CALL set_address_##n(cl_kernel kernel, cl_uint index, cl_ulong value)                         \
    {                                                                                                                  \
        return set_address(n, kernel, index, value);                                                                   \
    }
FOR_EACH_DRIVER(SET_ADDRESS)

/* ---- queries about a launch, and clEnqueueNDCountKernelINTEL ---- */

/* The type of the queries that suggest a work-group size for a global size, or return how many work-groups of a given
 * size can run at once. */
typedef cl_int(CL_API_CALL *range_fn)(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions,
                                      const size_t *offset, const size_t *given, size_t *answer);

static cl_int query_range(enum shape shape, int driver, cl_command_queue queue, cl_kernel kernel, cl_uint dimensions,
                          const size_t *offset, const size_t *given, size_t *answer)
{
    range_fn call = (range_fn)atomic_load_explicit(&driver_functions[shape][driver], memory_order_relaxed);
    if (!nf_cl_choose_for_queue(&kernel, queue)) return CL_INVALID_PROGRAM_EXECUTABLE;
    return call(queue, kernel, dimensions, offset, given, answer);
}

#define GET_LOCAL_SIZE(n)                                                                                              \
    static cl_int CL_API_CALL get_local_size_##n(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions,         \
                                                 const size_t *offset, const size_t *global, size_t *local)            \
    {                                                                                                                  \
        return query_range(LOCAL_SIZE, n, queue, kernel, dimensions, offset, global, local);                           \
    }
FOR_EACH_DRIVER(GET_LOCAL_SIZE)

#define GET_GROUP_COUNT(n)                                                                                             \
    static cl_int CL_API_CALL get_group_count_##n(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions,        \
                                                  const size_t *offset, const size_t *local, size_t *count)            \
    {                                                                                                                  \
        return query_range(GROUP_COUNT, n, queue, kernel, dimensions, offset, local, count);                           \
    }
FOR_EACH_DRIVER(GET_GROUP_COUNT)

typedef cl_int(CL_API_CALL *launch_count_fn)(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions,
                                             const size_t *offset, const size_t *count, const size_t *local,
                                             cl_uint wait_count, const cl_event *wait, cl_event *event);

#define LAUNCH_WITH_COUNT(n)                                                                                           \
    static cl_int CL_API_CALL launch_count_##n(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions,           \
                                               const size_t *offset, const size_t *count, const size_t *local,         \
                                               cl_uint wait_count, const cl_event *wait, cl_event *event)              \
    {                                                                                                                  \
        launch_count_fn call =                                                                                         \
            (launch_count_fn)atomic_load_explicit(&driver_functions[LAUNCH_COUNT][n], memory_order_relaxed);           \
        if (!nf_cl_choose_for_queue(&kernel, queue)) return CL_INVALID_PROGRAM_EXECUTABLE;                             \
        return call(queue, kernel, dimensions, offset, count, local, wait_count, wait, event);                         \
    }
FOR_EACH_DRIVER(LAUNCH_WITH_COUNT)

/* clGetKernelSubGroupInfoKHR is wrapped here as well as in the table, because some drivers provide it by name only. */
#define GET_SUB_GROUP(n)                                                                                               \
    static cl_int CL_API_CALL get_sub_group_##n(cl_kernel kernel, cl_device_id device, cl_uint name,                   \
                                                size_t input_size, const void *input, size_t size, void *value,        \
                                                size_t *size_ret)                                                      \
    {                                                                                                                  \
        nf_cl_sub_group_fn call =                                                                                      \
            (nf_cl_sub_group_fn)atomic_load_explicit(&driver_functions[SUB_GROUP][n], memory_order_relaxed);           \
        return nf_cl_query_sub_group(call, kernel, device, name, input_size, input, size, value, size_ret);            \
    }
FOR_EACH_DRIVER(GET_SUB_GROUP)

/* ---- launches in a command buffer; the types differ between versions of the headers ---- */

typedef cl_int(CL_API_CALL *command_fn)(void *buffer, cl_command_queue queue, const void *properties, cl_kernel kernel,
                                        cl_uint dimensions, const size_t *offset, const size_t *global,
                                        const size_t *local, cl_uint wait_count, const cl_uint *wait, cl_uint *point,
                                        void **command);

/* Records a launch of the driver kernel for the queue's device. `queue` may be NULL, and PoCL's query for the queue of
 * a command buffer gives a wrong answer. So without a queue a kernel that has several driver kernels is refused,
 * because PoCL aborts if it gets a kernel for another device. */
static cl_int launch_command(int driver, void *buffer, cl_command_queue queue, const void *properties, cl_kernel handle,
                             cl_uint dimensions, const size_t *offset, const size_t *global, const size_t *local,
                             cl_uint wait_count, const cl_uint *wait, cl_uint *point, void **command)
{
    command_fn call = (command_fn)atomic_load_explicit(&driver_functions[COMMAND][driver], memory_order_relaxed);
    struct nf_cl_kernel kernel;
    if (!queue && !nf_cl_all_kernels_are_single() && nf_cl_kernel_find(handle, &kernel) &&
        kernel.program->group_count > 1) {
        nf_cl_log(NF_CL_ERROR, "a launch of a kernel for several groups of devices cannot be recorded in a command "
                               "buffer without a queue");
        return CL_INVALID_OPERATION;
    }
    if (!nf_cl_choose_for_queue(&handle, queue)) return CL_INVALID_PROGRAM_EXECUTABLE;
    return call(buffer, queue, properties, handle, dimensions, offset, global, local, wait_count, wait, point, command);
}

#define COMMAND_LAUNCH(n)                                                                                              \
    static cl_int CL_API_CALL command_##n(void *buffer, cl_command_queue queue, const void *properties,                \
                                          cl_kernel kernel, cl_uint dimensions, const size_t *offset,                  \
                                          const size_t *global, const size_t *local, cl_uint wait_count,               \
                                          const cl_uint *wait, cl_uint *point, void **command)                         \
    {                                                                                                                  \
        return launch_command(n, buffer, queue, properties, kernel, dimensions, offset, global, local, wait_count,     \
                              wait, point, command);                                                                   \
    }
FOR_EACH_DRIVER(COMMAND_LAUNCH)

/* ---- by name ---- */

static const nf_cl_function bound_functions[SHAPES][DRIVERS] = {
    [POINTER] = LIST(set_pointer),         [ADDRESS] = LIST(set_address),       [LOCAL_SIZE] = LIST(get_local_size),
    [GROUP_COUNT] = LIST(get_group_count), [LAUNCH_COUNT] = LIST(launch_count), [COMMAND] = LIST(command),
    [SUB_GROUP] = LIST(get_sub_group),
};

static const struct {
    const char *name;
    enum shape shape;
} extensions[] = {
    {"clSetKernelArgMemPointerINTEL", POINTER},
    {"clSetKernelArgSVMPointerARM", POINTER},
    {"clSetKernelArgDevicePointerEXT", ADDRESS},
    {"clGetKernelSuggestedLocalWorkSizeKHR", LOCAL_SIZE},
    {"clGetKernelSuggestedLocalWorkSizeINTEL", LOCAL_SIZE},
    {"clGetKernelMaxConcurrentWorkGroupCountINTEL", GROUP_COUNT},
    {"clEnqueueNDCountKernelINTEL", LAUNCH_COUNT},
    {"clCommandNDRangeKernelKHR", COMMAND},
    {"clGetKernelSubGroupInfoKHR", SUB_GROUP},
};

/* Returns the entry of the driver's function, else a free entry, else an entry of an earlier loader; DRIVERS if there
 * is none. needs: the lock. */
static int place_of(enum shape shape, nf_cl_function function)
{
    int best = DRIVERS;
    for (int i = DRIVERS - 1; i >= 0; i--) {
        nf_cl_function there = atomic_load_explicit(&driver_functions[shape][i], memory_order_relaxed);
        if (there == function) return i;
        bool free = !there, older = epochs[shape][i] != nf_cl_epoch();
        bool best_is_free =
            best < DRIVERS && !atomic_load_explicit(&driver_functions[shape][best], memory_order_relaxed);
        if (free || (older && !best_is_free)) best = i;
    }
    return best;
}

/* Returns a function of the layer that is bound to the driver's function; the driver's function itself if all are
 * used. */
static nf_cl_function bind_function(enum shape shape, nf_cl_function function)
{
    nf_cl_lock_acquire(&lock);
    int place = place_of(shape, function);
    if (place < DRIVERS) {
        atomic_store(&driver_functions[shape][place], function);
        epochs[shape][place] = nf_cl_epoch();
    }
    nf_cl_lock_release(&lock);
    return place < DRIVERS ? bound_functions[shape][place] : function;
}

nf_cl_function nf_cl_kernel_extension(const char *name, nf_cl_function function)
{
    for (size_t i = 0; i < sizeof extensions / sizeof extensions[0]; i++)
        if (strcmp(extensions[i].name, name) == 0) return bind_function(extensions[i].shape, function);
    return NULL;
}
