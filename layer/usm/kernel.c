/* SPDX-License-Identifier: Apache-2.0 */
/*
 * kernel.c - the allocations that a kernel may access. Takes its pointer arguments, pointer lists and indirect-access
 * flags; gives an immutable nf_usm_access_set for each launch. The driver gets the application's list of SVM pointers
 * and the extension's list of pointers as one list, because each list that is set replaces the previous list.
 */
#include "layer/usm/usm.h"

#include <stdlib.h>
#include <string.h>

/* A growing array of pointers. */
struct list {
    const void **items;
    size_t count;
};

struct kernel {
    struct nf_usm_record record;
    struct nf_usm_context *context;
    unsigned types;                     /* mask of NF_USM_TYPE_BIT: types of allocations that are accessed indirectly */
    bool all_types;                     /* indirect access to all types: CL_KERNEL_EXEC_INFO_SVM_INDIRECT_ACCESS_KHR */
    bool unrecorded;                    /* the memory of an argument could not be recorded */
    bool is_listed;                     /* the driver has a list of pointers that is not empty */
    struct list arguments;              /* by argument index; NULL: no allocation of this library */
    struct list named;                  /* CL_KERNEL_EXEC_INFO_USM_PTRS_INTEL */
    struct list svm;                    /* CL_KERNEL_EXEC_INFO_SVM_PTRS, set by the application */
    struct nf_usm_access_set *accesses; /* allocations that a launch may access; NULL: must be computed again */
};

static struct kernel *find(cl_kernel handle)
{
    return (struct kernel *)nf_usm_find(NF_USM_KERNEL, handle);
}

static void destroy(struct kernel *kernel)
{
    if (!kernel) return;
    free(kernel->arguments.items);
    free(kernel->named.items);
    free(kernel->svm.items);
    nf_usm_access_set_put(kernel->accesses);
    nf_usm_context_put(kernel->context);
    free(kernel);
}

static void forget_reach(struct kernel *kernel)
{
    nf_usm_access_set_put(kernel->accesses);
    kernel->accesses = NULL;
}

/* Replaces the contents of a list. Returns false if host memory is exhausted; then the list is unchanged. */
static bool replace(struct list *list, size_t count, const void *items)
{
    const void **copy = malloc((count ? count : 1) * sizeof *copy);
    if (!copy) return false;
    if (count) memcpy((void *)copy, items, count * sizeof *copy);
    free(list->items);
    list->items = copy;
    list->count = count;
    return true;
}

/* ---- creation and release ---- */

static struct kernel *enter(cl_kernel handle, struct nf_usm_context *context)
{
    struct kernel *kernel = calloc(1, sizeof *kernel);
    if (!kernel) return NULL;
    kernel->record.handle = handle;
    kernel->context = context;
    atomic_fetch_add(&context->users, 1);
    destroy((struct kernel *)nf_usm_register(NF_USM_KERNEL, &kernel->record));
    return kernel;
}

/* Registers a kernel if its context is served. Returns false if host memory is exhausted: the caller must not return
 * the kernel, because its launches would count as launches that access no allocation. Returns true, without registering
 * the kernel, if the driver does not tell its context. */
static bool enter_served(cl_kernel handle)
{
    cl_context context = NULL;
    if (!handle || NF_CL_CALL(clGetKernelInfo, CL_INVALID_KERNEL, handle, CL_KERNEL_CONTEXT, sizeof context, &context,
                              NULL) != CL_SUCCESS)
        return true;
    struct nf_usm_context *owner = nf_usm_context_find(context);
    return !owner || enter(handle, owner);
}

cl_kernel CL_API_CALL nf_usm_create_kernel(cl_program program, const char *name, cl_int *error)
{
    if (!nf_cl_next()->clCreateKernel) return NULL;
    cl_kernel kernel = nf_cl_next()->clCreateKernel(program, name, error);
    if (enter_served(kernel)) return kernel;
    NF_CL_CALL(clReleaseKernel, CL_INVALID_KERNEL, kernel);
    if (error) *error = CL_OUT_OF_HOST_MEMORY;
    return NULL;
}

cl_int CL_API_CALL nf_usm_create_kernels_in_program(cl_program program, cl_uint count, cl_kernel *kernels,
                                                    cl_uint *count_ret)
{
    cl_uint got = 0;
    cl_int error = NF_CL_CALL(clCreateKernelsInProgram, CL_INVALID_PROGRAM, program, count, kernels, &got);
    if (count_ret) *count_ret = got;
    if (error != CL_SUCCESS || !kernels) return error;
    for (cl_uint i = 0; i < got && i < count; i++)
        if (!enter_served(kernels[i])) error = CL_OUT_OF_HOST_MEMORY;
    for (cl_uint i = 0; error != CL_SUCCESS && i < got && i < count; i++)
        nf_usm_release_kernel(kernels[i]);
    return error;
}

cl_kernel CL_API_CALL nf_usm_clone_kernel(cl_kernel source, cl_int *error)
{
    if (!nf_cl_next()->clCloneKernel) {
        if (error) *error = CL_INVALID_OPERATION;
        return NULL;
    }
    cl_kernel handle = nf_cl_next()->clCloneKernel(source, error);
    struct kernel *from = handle ? find(source) : NULL, *to = from ? enter(handle, from->context) : NULL;
    if (!from) return handle;
    if (to) to->types = from->types;
    if (to) to->all_types = from->all_types;
    if (to) to->unrecorded = from->unrecorded;
    if (to) to->is_listed = from->is_listed;
    if (to && replace(&to->arguments, from->arguments.count, from->arguments.items) &&
        replace(&to->named, from->named.count, from->named.items) &&
        replace(&to->svm, from->svm.count, from->svm.items))
        return handle;
    nf_usm_release_kernel(handle);
    if (error) *error = CL_OUT_OF_HOST_MEMORY;
    return NULL;
}

cl_int CL_API_CALL nf_usm_retain_kernel(cl_kernel kernel)
{
    nf_usm_retain(NF_USM_KERNEL, kernel);
    return NF_CL_CALL(clRetainKernel, CL_INVALID_KERNEL, kernel);
}

cl_int CL_API_CALL nf_usm_release_kernel(cl_kernel kernel)
{
    destroy((struct kernel *)nf_usm_release(NF_USM_KERNEL, kernel));
    return NF_CL_CALL(clReleaseKernel, CL_INVALID_KERNEL, kernel);
}

/* ---- arguments ---- */

/* Records the pointer of an argument; NULL for a pointer to memory that this library did not allocate. If host memory
 * is exhausted, later launches count as accesses to the allocations of all types, whatever flags the application sets:
 * the access set may then contain too many allocations, never too few. */
static void set_argument(struct kernel *kernel, cl_uint index, const void *pointer)
{
    struct list *list = &kernel->arguments;
    if (index >= list->count && pointer) {
        const void **items = realloc((void *)list->items, (index + 1) * sizeof *items);
        if (items) {
            for (size_t i = list->count; i <= index; i++)
                items[i] = NULL;
            list->items = items;
            list->count = index + 1;
        } else {
            kernel->unrecorded = true;
            forget_reach(kernel);
        }
    }
    if (index < list->count && list->items[index] != pointer) {
        list->items[index] = pointer;
        forget_reach(kernel);
    }
}

cl_int CL_API_CALL nf_usm_set_kernel_arg(cl_kernel handle, cl_uint index, size_t size, const void *value)
{
    cl_int error = NF_CL_CALL(clSetKernelArg, CL_INVALID_KERNEL, handle, index, size, value);
    struct kernel *kernel = error == CL_SUCCESS ? find(handle) : NULL;
    cl_mem buffer = NULL;
    if (size == sizeof buffer && value) memcpy(&buffer, value, sizeof buffer);
    if (kernel) set_argument(kernel, index, buffer ? nf_usm_buffer_memory(buffer) : NULL);
    return error;
}

cl_int CL_API_CALL nf_usm_set_kernel_arg_svm_pointer(cl_kernel handle, cl_uint index, const void *value)
{
    struct kernel *kernel = find(handle);
    const bool calls_driver = !kernel || kernel->context->is_core;
    cl_int error = calls_driver ? NF_CL_CALL(clSetKernelArgSVMPointer, CL_INVALID_OPERATION, handle, index, value)
                                : kernel->context->calls.set_argument(handle, index, value);
    if (kernel && error == CL_SUCCESS) set_argument(kernel, index, nf_usm_block_find(value) ? value : NULL);
    return error;
}

cl_int CL_API_CALL nf_usm_set_kernel_arg_pointer(cl_kernel handle, cl_uint index, const void *value)
{
    struct kernel *kernel = find(handle);
    if (!kernel) {
        clSetKernelArgMemPointerINTEL_fn call =
            (clSetKernelArgMemPointerINTEL_fn)nf_usm_native_of_kernel(handle, "clSetKernelArgMemPointerINTEL");
        return call ? call(handle, index, value) : CL_INVALID_KERNEL;
    }
    cl_int error = kernel->context->calls.set_argument(handle, index, value);
    if (error == CL_SUCCESS) set_argument(kernel, index, nf_usm_block_find(value) ? value : NULL);
    return error;
}

/* ---- lists and flags ---- */

/* Returns true if the driver has to get a pointer of the application's list of SVM pointers. With cl_khr_unified_svm a
 * listed pointer outside of all SVM is not an error, and has no effect; drivers may refuse it. Without that extension,
 * the library has no record of some SVM allocations. */
static bool is_svm(const struct kernel *kernel, const void *pointer)
{
    struct nf_usm_svm_memory memory;
    return !kernel->context->type_count || nf_usm_svm_find(kernel->context, pointer, &memory) ||
           nf_usm_block_find(pointer);
}

/* Sets the driver's list. Drivers refuse an empty list: a list of the scratch memory replaces an earlier list, which
 * could otherwise have freed memory. `all` has room for one pointer more. */
static cl_int set_driver_list(struct kernel *kernel, const void **all, size_t count)
{
    const struct nf_usm_svm *calls = &kernel->context->calls;
    const bool is_listed = count > 0;
    if (!is_listed && !kernel->is_listed) return CL_SUCCESS;
    if (!is_listed && !(all[count++] = nf_usm_scratch(kernel->context))) return CL_OUT_OF_RESOURCES;
    cl_int error = calls->set_info((cl_kernel)(uintptr_t)kernel->record.handle, calls->pointers_info,
                                   count * sizeof *all, (const void *)all);
    if (error == CL_SUCCESS) kernel->is_listed = is_listed;
    return error;
}

/* Passes the application's lists to the driver, plus `more` for a launch. For a launch, pointers of the extension's
 * list that the application has freed since are omitted, because drivers refuse them. */
static cl_int pass_lists(struct kernel *kernel, size_t more_count, const void *const *more)
{
    size_t count = 0;
    const void **all = malloc((kernel->named.count + kernel->svm.count + more_count + 1) * sizeof *all);
    cl_int error = all ? CL_SUCCESS : CL_OUT_OF_HOST_MEMORY;
    if (!all) return error;
    for (size_t i = 0; i < kernel->svm.count; i++)
        if (is_svm(kernel, kernel->svm.items[i])) all[count++] = kernel->svm.items[i];
    for (size_t i = 0; i < kernel->named.count; i++)
        if (!more || nf_usm_block_find(kernel->named.items[i])) all[count++] = kernel->named.items[i];
    for (size_t i = 0; i < more_count; i++)
        all[count++] = more[i];
    error = set_driver_list(kernel, all, count);
    free(all);
    return error;
}

cl_int nf_usm_kernel_list_memories(cl_kernel handle, size_t count, const void *const *memories)
{
    struct kernel *kernel = find(handle);
    return kernel ? pass_lists(kernel, count, memories) : CL_SUCCESS;
}

static cl_int set_list(struct kernel *kernel, struct list *list, size_t size, const void *value)
{
    struct list before = *list;
    if (size % sizeof(void *) != 0 || (size && !value)) return CL_INVALID_VALUE;
    list->items = NULL;
    cl_int error = replace(list, size / sizeof(void *), value) ? pass_lists(kernel, 0, NULL) : CL_OUT_OF_HOST_MEMORY;
    if (error == CL_SUCCESS) {
        free(before.items);
        forget_reach(kernel);
        return error;
    }
    free(list->items);
    *list = before;
    return error;
}

/* Passes to a driver with its own types of memory whether the kernel accesses any of these types indirectly. */
static cl_int pass_flag(struct kernel *kernel, unsigned types)
{
    const cl_bool any = types != 0;
    if (!kernel->context->calls.alloc_of_type) return CL_SUCCESS;
    return NF_CL_CALL(clSetKernelExecInfo, CL_INVALID_OPERATION, (cl_kernel)(uintptr_t)kernel->record.handle,
                      CL_KERNEL_EXEC_INFO_SVM_INDIRECT_ACCESS_KHR, sizeof any, &any);
}

/* Removes from the driver's list the allocations that launches have added, if the kernel may not access any type of
 * memory indirectly any more: they could be mapped to the host, or freed, at the next launch. */
static cl_int unlist(struct kernel *kernel, unsigned types, bool all_types)
{
    static const void *const none[1];
    return types || all_types || !kernel->context->needs_listing ? CL_SUCCESS : pass_lists(kernel, 0, none);
}

static cl_int set_flag(struct kernel *kernel, cl_unified_shared_memory_type_intel type, size_t size, const void *value)
{
    if (size != sizeof(cl_bool) || !value) return CL_INVALID_VALUE;
    const unsigned bit = NF_USM_TYPE_BIT(type);
    const unsigned types = *(const cl_bool *)value ? kernel->types | bit : kernel->types & ~bit;
    cl_int error = pass_flag(kernel, types);
    if (error == CL_SUCCESS) error = unlist(kernel, types, kernel->all_types);
    if (error != CL_SUCCESS) return error;
    kernel->types = types;
    forget_reach(kernel);
    return CL_SUCCESS;
}

/* Sets the flag of cl_khr_unified_svm, which is independent of Intel's three. */
static cl_int set_all_types(struct kernel *kernel, size_t size, const void *value)
{
    if (size != sizeof(cl_bool) || !value) return CL_INVALID_VALUE;
    const cl_bool all_types = *(const cl_bool *)value;
    cl_int error = unlist(kernel, kernel->types, all_types);
    if (error != CL_SUCCESS) return error;
    kernel->all_types = all_types;
    forget_reach(kernel);
    return CL_SUCCESS;
}

cl_int CL_API_CALL nf_usm_set_kernel_exec_info(cl_kernel handle, cl_kernel_exec_info name, size_t size,
                                               const void *value)
{
    struct kernel *kernel = find(handle);
    if (!kernel) return NF_CL_CALL(clSetKernelExecInfo, CL_INVALID_OPERATION, handle, name, size, value);
    if (name == CL_KERNEL_EXEC_INFO_SVM_INDIRECT_ACCESS_KHR && kernel->context->type_count)
        return set_all_types(kernel, size, value);
    switch (name) {
    case CL_KERNEL_EXEC_INFO_INDIRECT_HOST_ACCESS_INTEL: return set_flag(kernel, CL_MEM_TYPE_HOST_INTEL, size, value);
    case CL_KERNEL_EXEC_INFO_INDIRECT_DEVICE_ACCESS_INTEL:
        return set_flag(kernel, CL_MEM_TYPE_DEVICE_INTEL, size, value);
    case CL_KERNEL_EXEC_INFO_INDIRECT_SHARED_ACCESS_INTEL:
        return set_flag(kernel, CL_MEM_TYPE_SHARED_INTEL, size, value);
    case CL_KERNEL_EXEC_INFO_USM_PTRS_INTEL: return set_list(kernel, &kernel->named, size, value);
    case CL_KERNEL_EXEC_INFO_SVM_PTRS: return set_list(kernel, &kernel->svm, size, value);
    default: return NF_CL_CALL(clSetKernelExecInfo, CL_INVALID_OPERATION, handle, name, size, value);
    }
}

/* ---- the access set of a launch ---- */

/* Copies to `target` the pointers of `list` that lie in live allocations, and returns their count. Sets `*all_are` to
 * false if a pointer other than NULL does not: an allocation may contain it at the next launch. */
static size_t collect(const struct list *list, const void **target, bool *all_are)
{
    size_t count = 0;
    for (size_t i = 0; i < list->count; i++) {
        if (nf_usm_block_find(list->items[i]))
            target[count++] = list->items[i];
        else if (list->items[i])
            *all_are = false;
    }
    return count;
}

/* Returns the access set of the kernel. NULL: it can access no allocation of this library, or host memory is exhausted
 * and `*error` is set. Sets `*stays` to whether the result is valid until the application sets another argument, list
 * or flag. */
static struct nf_usm_access_set *make_access_set(const struct kernel *kernel, bool *stays, cl_int *error)
{
    size_t most = kernel->arguments.count + kernel->named.count + kernel->svm.count, count;
    const void **all = malloc((most ? most : 1) * sizeof *all);
    struct nf_usm_access_set *accesses = NULL;
    *stays = true;
    if (!all) {
        *error = CL_OUT_OF_HOST_MEMORY;
        return NULL;
    }
    count = collect(&kernel->arguments, all, stays);
    count += collect(&kernel->named, all + count, stays);
    count += collect(&kernel->svm, all + count, stays);
    const unsigned types = kernel->all_types || kernel->unrecorded ? ~0u : kernel->types;
    bool any = count || types;
    if (any) accesses = nf_usm_access_set_new(types, count, all);
    if (any && !accesses) *error = CL_OUT_OF_HOST_MEMORY;
    free(all);
    return accesses;
}

struct nf_usm_access_set *nf_usm_kernel_access_set(cl_kernel handle, cl_int *error)
{
    struct kernel *kernel = find(handle);
    *error = CL_SUCCESS;
    if (!kernel) return NULL;
    bool stays = true;
    struct nf_usm_access_set *accesses = kernel->accesses ? kernel->accesses : make_access_set(kernel, &stays, error);
    if (!accesses || !stays) return accesses;
    kernel->accesses = accesses;
    atomic_fetch_add(&accesses->users, 1);
    return accesses;
}
