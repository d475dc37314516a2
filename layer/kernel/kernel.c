/* SPDX-License-Identifier: Apache-2.0 */
/*
 * kernel.c - creation, retain, release and queries of kernels. The application's handle is a kernel of the driver. If
 * the devices of a context accept a module in different ways, there is a driver program for each way, and a kernel of
 * one driver program does not work on the devices of another. So a kernel of each driver program whose build did not
 * fail is created; the application gets the first of these kernels. launch.c sets arguments on all of them, and
 * launches the kernel for the device of the queue.
 */
#include "layer/kernel/kernel.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* ---- creation ---- */

static void release_parts(const struct nf_cl_kernel *kernel, cl_uint first)
{
    for (cl_uint i = first; i < kernel->count; i++) {
        NF_CL_CALL(clReleaseKernel, CL_INVALID_KERNEL, kernel->parts[i].kernel);
        nf_cl_globals_buffer_release(kernel->parts[i].memory);
    }
}

/* Creates the group's driver kernel of that name, with the buffer for program-scope variables that it needs. */
static cl_int create_part(struct nf_cl_program *program, const struct nf_cl_executable *executable, const char *name,
                          struct nf_cl_kernel_part *part, cl_uint *visible)
{
    struct nf_cl_globals_buffer *memory = NULL;
    cl_int error = nf_cl_globals_get(program, executable, &memory);
    if (error != CL_SUCCESS) return error;
    *part = (struct nf_cl_kernel_part){NULL, executable->group, NULL};
    if (memory && name && nf_cl_globals_is_initializer(name))
        error = CL_INVALID_KERNEL_NAME;
    else
        part->kernel = nf_cl_create_named(program, executable, name, &error);
    if (!part->kernel) {
        nf_cl_globals_buffer_release(memory);
        return error;
    }
    error = nf_cl_globals_bind(part, memory, visible);
    if (error != CL_SUCCESS) NF_CL_CALL(clReleaseKernel, CL_INVALID_KERNEL, part->kernel);
    return error;
}

/* Adds the driver kernels of the groups for which `kernel` has none yet. A group for which the build has failed is
 * skipped: the kernel does not work on its devices. */
static cl_int create_parts(struct nf_cl_kernel *kernel, const char *name)
{
    struct nf_cl_executable list[NF_CL_GROUPS];
    cl_uint count = nf_cl_program_executables(kernel->program, list);
    cl_int error = CL_SUCCESS;
    for (cl_uint i = 0; i < count && error == CL_SUCCESS; i++) {
        cl_uint visible = UINT_MAX;
        if (kernel->count && kernel->parts[0].group == list[i].group) continue;
        error = create_part(kernel->program, &list[i], name, &kernel->parts[kernel->count], &visible);
        if (error == CL_SUCCESS) {
            kernel->visible = visible < kernel->visible ? visible : kernel->visible;
            kernel->count++;
        } else if (error == CL_INVALID_PROGRAM_EXECUTABLE) {
            error = CL_SUCCESS;
        }
    }
    nf_cl_executables_drop(list, count);
    return error == CL_SUCCESS && !kernel->count ? CL_INVALID_PROGRAM_EXECUTABLE : error;
}

static cl_int create(struct nf_cl_program *program, const char *name, cl_kernel *handle)
{
    struct nf_cl_kernel kernel = {.program = program, .visible = UINT_MAX};
    cl_int error = create_parts(&kernel, name);
    if (error == CL_SUCCESS && !nf_cl_kernel_add(&kernel)) error = CL_OUT_OF_HOST_MEMORY;
    if (error == CL_SUCCESS)
        *handle = kernel.parts[0].kernel;
    else
        release_parts(&kernel, 0);
    return error;
}

cl_kernel CL_API_CALL nf_cl_create_kernel(cl_program handle, const char *name, cl_int *error)
{
    cl_kernel kernel = NULL;
    struct nf_cl_program *program = nf_cl_program_get(handle);
    if (!program) return nf_cl_next()->clCreateKernel(handle, name, error);
    cl_int result = create(program, name, &kernel);
    nf_cl_program_unpin(program);
    if (error) *error = result;
    return kernel;
}

/* ---- all kernels of a program ---- */

/* Returns the driver's name of a kernel, which the caller frees, or NULL. */
static char *driver_name(cl_kernel kernel, cl_int *error)
{
    size_t length = 0;
    *error = NF_CL_CALL(clGetKernelInfo, CL_INVALID_KERNEL, kernel, CL_KERNEL_FUNCTION_NAME, 0, NULL, &length);
    if (*error != CL_SUCCESS) return NULL;
    char *name = calloc(1, length + 1);
    *error = CL_OUT_OF_HOST_MEMORY;
    if (name)
        *error = NF_CL_CALL(clGetKernelInfo, CL_INVALID_KERNEL, kernel, CL_KERNEL_FUNCTION_NAME, length, name, NULL);
    if (*error == CL_SUCCESS) return name;
    free(name);
    return NULL;
}

char *nf_cl_kernel_own_name(cl_kernel kernel, const struct nf_cl_program *program, cl_int *error)
{
    char *name = driver_name(kernel, error);
    char *own = name ? nf_cl_original_names(program, name, false) : NULL;
    if (name && !own) *error = CL_OUT_OF_HOST_MEMORY;
    free(name);
    return own;
}

/* Registers a driver kernel as a kernel of the layer; releases it on failure. */
static cl_int adopt(struct nf_cl_program *program, const struct nf_cl_executable *executable, cl_kernel handle)
{
    struct nf_cl_kernel kernel = {program, UINT_MAX, 1, {{handle, executable->group, NULL}}};
    struct nf_cl_globals_buffer *memory = NULL;
    cl_int error = nf_cl_globals_get(program, executable, &memory);
    if (error == CL_SUCCESS) error = nf_cl_globals_bind(&kernel.parts[0], memory, &kernel.visible);
    if (error == CL_SUCCESS && program->group_count > 1) {
        char *name = nf_cl_kernel_own_name(handle, program, &error);
        if (name) error = create_parts(&kernel, name);
        free(name);
    }
    if (error == CL_SUCCESS && !nf_cl_kernel_add(&kernel)) error = CL_OUT_OF_HOST_MEMORY;
    if (error != CL_SUCCESS) release_parts(&kernel, 0);
    return error;
}

/* Registers all kernels or none: after an error the application has no kernel. */
static cl_int adopt_all(struct nf_cl_program *program, const struct nf_cl_executable *executable, cl_kernel *kernels,
                        cl_uint count)
{
    cl_int error = CL_SUCCESS;
    for (cl_uint i = 0; i < count; i++) {
        if (error == CL_SUCCESS) {
            error = adopt(program, executable, kernels[i]);
            for (cl_uint j = 0; error != CL_SUCCESS && j < i; j++)
                nf_cl_release_kernel(kernels[j]);
        } else {
            NF_CL_CALL(clReleaseKernel, CL_INVALID_KERNEL, kernels[i]);
        }
    }
    for (cl_uint i = 0; error != CL_SUCCESS && i < count; i++)
        kernels[i] = NULL;
    return error;
}

cl_int CL_API_CALL nf_cl_create_kernels_in_program(cl_program handle, cl_uint count, cl_kernel *kernels,
                                                   cl_uint *count_ret)
{
    struct nf_cl_program *program = nf_cl_program_get(handle);
    if (!program) return NF_CL_CALL(clCreateKernelsInProgram, CL_INVALID_PROGRAM, handle, count, kernels, count_ret);
    struct nf_cl_executable executable = nf_cl_program_executable(program);
    cl_uint made = 0;
    cl_int error = CL_INVALID_PROGRAM_EXECUTABLE;
    if (executable.driver_program) error = nf_cl_globals_create_all(program, &executable, count, kernels, &made);
    if (error == CL_SUCCESS && kernels) error = adopt_all(program, &executable, kernels, made < count ? made : count);
    if (error == CL_SUCCESS && count_ret) *count_ret = made;
    nf_cl_driver_program_release(executable.driver_program);
    nf_cl_program_unpin(program);
    return error;
}

/* ---- retain and release ---- */

cl_int CL_API_CALL nf_cl_retain_kernel(cl_kernel kernel)
{
    cl_int error = NF_CL_CALL(clRetainKernel, CL_INVALID_KERNEL, kernel);
    if (error == CL_SUCCESS) nf_cl_kernel_retain(kernel);
    return error;
}

cl_int CL_API_CALL nf_cl_release_kernel(cl_kernel handle)
{
    struct nf_cl_kernel kernel;
    bool last = nf_cl_kernel_release(handle, &kernel);
    if (last) release_parts(&kernel, 1);
    cl_int error = NF_CL_CALL(clReleaseKernel, CL_INVALID_KERNEL, handle);
    if (last) {
        nf_cl_globals_buffer_release(kernel.parts[0].memory);
        nf_cl_program_unpin(kernel.program);
    }
    return error;
}

static cl_int clone_parts(const struct nf_cl_kernel *source, cl_kernel *handle)
{
    struct nf_cl_kernel copy = {.program = source->program, .visible = source->visible};
    cl_int error = CL_SUCCESS;
    for (cl_uint i = 0; i < source->count && error == CL_SUCCESS; i++) {
        copy.parts[i].group = source->parts[i].group;
        copy.parts[i].kernel = nf_cl_next()->clCloneKernel(source->parts[i].kernel, &error);
        if (copy.parts[i].kernel)
            copy.parts[copy.count++].memory = nf_cl_globals_buffer_retain(source->parts[i].memory);
    }
    if (error == CL_SUCCESS && !nf_cl_kernel_add(&copy)) error = CL_OUT_OF_HOST_MEMORY;
    if (error == CL_SUCCESS)
        *handle = copy.parts[0].kernel;
    else
        release_parts(&copy, 0);
    return error;
}

/* Returns true if a driver of the kernel's groups should have clCloneKernel, because it takes IL or its device reports
 * OpenCL 2.1 or newer. In the dispatch tables of older drivers the entry may be anything, and a device without a record
 * has reported no version. */
static bool can_be_cloned(const struct nf_cl_kernel *kernel)
{
    bool can = false;
    for (cl_uint i = 0; i < kernel->count; i++) {
        const struct nf_cl_group *group = &kernel->program->groups[kernel->parts[i].group];
        can = can || nf_cl_takes_il(group->delivery) || (group->lead && group->lead->version >= 201);
    }
    return can;
}

cl_kernel CL_API_CALL nf_cl_clone_kernel(cl_kernel source, cl_int *error)
{
    struct nf_cl_kernel kernel;
    cl_kernel copy = NULL;
    cl_int result = CL_INVALID_OPERATION;
    if (nf_cl_next()->clCloneKernel) {
        if (!nf_cl_kernel_find(source, &kernel)) return nf_cl_next()->clCloneKernel(source, error);
        if (can_be_cloned(&kernel)) result = clone_parts(&kernel, &copy);
    }
    if (error) *error = result;
    return copy;
}

/* ---- queries ---- */

static cl_int answer_name(cl_kernel kernel, const struct nf_cl_program *program, size_t size, void *value,
                          size_t *size_ret)
{
    cl_int error = CL_SUCCESS;
    char *name = nf_cl_kernel_own_name(kernel, program, &error);
    if (name) error = nf_cl_answer(name, strlen(name) + 1, size, value, size_ret);
    free(name);
    return error;
}

/* Answers CL_KERNEL_ATTRIBUTES from the compiler's notes, because drivers find only some of the attributes in a
 * module. */
static cl_int answer_attributes(cl_kernel handle, const struct nf_cl_kernel *kernel, size_t size, void *value,
                                size_t *size_ret)
{
    cl_int error = CL_SUCCESS;
    char *own = nf_cl_kernel_own_name(handle, kernel->program, &error);
    bool found = own && nf_cl_reflect_attributes(kernel, own, size, value, size_ret, &error);
    free(own);
    if (found || error != CL_SUCCESS) return error;
    return NF_CL_CALL(clGetKernelInfo, CL_INVALID_KERNEL, handle, CL_KERNEL_ATTRIBUTES, size, value, size_ret);
}

cl_int CL_API_CALL nf_cl_get_kernel_info(cl_kernel handle, cl_kernel_info name, size_t size, void *value,
                                         size_t *size_ret)
{
    struct nf_cl_kernel kernel;
    bool answered_here = name == CL_KERNEL_PROGRAM || name == CL_KERNEL_FUNCTION_NAME;
    answered_here = (answered_here || (name == CL_KERNEL_NUM_ARGS && !nf_cl_all_kernels_are_single())) &&
                    nf_cl_kernel_find(handle, &kernel);
    if (answered_here && name == CL_KERNEL_PROGRAM)
        return nf_cl_answer(&kernel.program->handle, sizeof kernel.program->handle, size, value, size_ret);
    if (answered_here && name == CL_KERNEL_FUNCTION_NAME)
        return answer_name(handle, kernel.program, size, value, size_ret);
    if (answered_here && kernel.visible != UINT_MAX)
        return nf_cl_answer(&kernel.visible, sizeof kernel.visible, size, value, size_ret);
    if (name == CL_KERNEL_ATTRIBUTES && nf_cl_kernel_find(handle, &kernel) && kernel.program->notes.size)
        return answer_attributes(handle, &kernel, size, value, size_ret);
    return NF_CL_CALL(clGetKernelInfo, CL_INVALID_KERNEL, handle, name, size, value, size_ret);
}

/* Answers clGetKernelArgInfo. The driver decides whether the query is answered, because some drivers answer only with
 * -cl-kernel-arg-info; any error of the driver but CL_KERNEL_ARG_INFO_NOT_AVAILABLE is returned. If the program was
 * built with that option or comes from the cache, the layer answers even if the driver does not. The driver's answer
 * about a module may differ from its answer about the source, so the notes of the compiler or the facts of the module
 * replace it if they have the argument. */
static cl_int answer_argument(cl_kernel handle, const struct nf_cl_kernel *kernel, cl_uint index,
                              cl_kernel_arg_info name, size_t size, void *value, size_t *size_ret)
{
    cl_int error = NF_CL_CALL(clGetKernelArgInfo, CL_INVALID_KERNEL, handle, index, name, size, value, size_ret);
    cl_int unused;
    if (error != CL_SUCCESS && error != CL_KERNEL_ARG_INFO_NOT_AVAILABLE) return error;
    if (error != CL_SUCCESS && !nf_cl_program_shows_arguments(kernel->program)) return error;
    char *own = nf_cl_kernel_own_name(handle, kernel->program, &unused);
    nf_cl_reflect_argument(kernel, own, index, name, size, value, size_ret, &error);
    free(own);
    return error;
}

cl_int CL_API_CALL nf_cl_get_kernel_arg_info(cl_kernel handle, cl_uint index, cl_kernel_arg_info name, size_t size,
                                             void *value, size_t *size_ret)
{
    struct nf_cl_kernel kernel;
    cl_int error = nf_cl_all_kernels_are_single() ? CL_SUCCESS : nf_cl_kernel_for_argument(handle, index, &kernel);
    if (error != CL_SUCCESS) return error;
    if (nf_cl_kernel_find(handle, &kernel) && nf_cl_is_reflected(&kernel))
        return answer_argument(handle, &kernel, index, name, size, value, size_ret);
    return NF_CL_CALL(clGetKernelArgInfo, CL_INVALID_KERNEL, handle, index, name, size, value, size_ret);
}
