/* SPDX-License-Identifier: Apache-2.0 */
/*
 * globals.c - a buffer for program-scope variables that kernels write, on devices without such variables. The core
 * moves the variables to a buffer that is the last argument of every kernel; an additional kernel initializes it, and
 * its name contains the size of the buffer (NF_PROFILE_GLOBALS_IN_MEMORY). The buffer is created and initialized at the
 * first call after a build that needs it, such as the creation of a kernel, and lives until the program is built again
 * or released, as variables do. Both the argument and the kernel are hidden from the application.
 *
 * Each device has a buffer with its own copy of the variables, and a kernel of the driver has one buffer as its
 * argument. So in programs with such variables each device that lacks them is a group of its own, as long as groups are
 * free; only a group of one device has a buffer (program.c).
 */
#include "layer/program/program.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NAME "nonflat_globals_"
enum { NAME_SIZE = sizeof NAME + 20 };

/* Returns the size of the buffer in bytes if `name` is the kernel that initializes it, else 0. */
static uint64_t bytes_of(const char *name)
{
    return strncmp(name, NAME, sizeof NAME - 1) == 0 ? strtoull(name + sizeof NAME - 1, NULL, 10) : 0;
}

/* ---- references ---- */

struct nf_cl_globals_buffer *nf_cl_globals_buffer_retain(struct nf_cl_globals_buffer *memory)
{
    if (memory) atomic_fetch_add_explicit(&memory->holders, 1, memory_order_relaxed);
    return memory;
}

void nf_cl_globals_buffer_release(struct nf_cl_globals_buffer *memory)
{
    if (!memory || atomic_fetch_sub(&memory->holders, 1) != 1) return;
    NF_CL_CALL(clReleaseMemObject, CL_INVALID_MEM_OBJECT, memory->buffer);
    free(memory);
}

/* ---- size and device ---- */

static cl_device_id device_of(const struct nf_cl_program *program, const struct nf_cl_group *group)
{
    for (cl_uint i = 0; i < program->device_count; i++)
        if (program->targets[i].group >= 0 && &program->groups[program->targets[i].group] == group)
            return program->targets[i].device;
    return NULL;
}

bool nf_cl_globals_single_device(const struct nf_cl_program *program, const struct nf_cl_group *group)
{
    cl_uint count = 0;
    for (cl_uint i = 0; i < program->device_count; i++)
        count += program->targets[i].group >= 0 && &program->groups[program->targets[i].group] == group;
    return count == 1;
}

/* Sets `*bytes` to the size of the variables of a driver program; 0 if it has none. The name of the hidden kernel,
 * which fills the buffer, contains the size. @return an error if a query fails. */
static cl_int query_size(cl_program driver_program, uint64_t *bytes)
{
    size_t size = 0;
    cl_int error =
        NF_CL_CALL(clGetProgramInfo, CL_INVALID_PROGRAM, driver_program, CL_PROGRAM_KERNEL_NAMES, 0, NULL, &size);
    if (error != CL_SUCCESS) return error;
    char *names = calloc(1, size + 1);
    if (!names) return CL_OUT_OF_HOST_MEMORY;
    error =
        NF_CL_CALL(clGetProgramInfo, CL_INVALID_PROGRAM, driver_program, CL_PROGRAM_KERNEL_NAMES, size, names, NULL);
    *bytes = 0;
    for (const char *at = names; error == CL_SUCCESS && at && !*bytes; at = strchr(at, ';')) {
        at += *at == ';';
        *bytes = bytes_of(at);
    }
    free(names);
    return error;
}

/* ---- the buffer ---- */

static cl_int run_first(cl_command_queue queue, cl_kernel kernel, cl_mem memory)
{
    const size_t one = 1;
    cl_int error = NF_CL_CALL(clSetKernelArg, CL_INVALID_KERNEL, kernel, 0, sizeof memory, &memory);
    if (error == CL_SUCCESS)
        error =
            NF_CL_CALL(clEnqueueNDRangeKernel, CL_INVALID_OPERATION, queue, kernel, 1, NULL, &one, NULL, 0, NULL, NULL);
    return error == CL_SUCCESS ? NF_CL_CALL(clFinish, CL_INVALID_COMMAND_QUEUE, queue) : error;
}

static cl_int fill(cl_context context, cl_device_id device, cl_program driver_program, uint64_t bytes, cl_mem memory)
{
    char name[NAME_SIZE];
    cl_int error = CL_SUCCESS;
    snprintf(name, sizeof name, NAME "%llu", (unsigned long long)bytes);
    cl_kernel kernel = nf_cl_next()->clCreateKernel(driver_program, name, &error);
    if (!kernel) return error;
    cl_command_queue queue = nf_cl_next()->clCreateCommandQueue(context, device, 0, &error);
    if (queue) {
        error = run_first(queue, kernel, memory);
        NF_CL_CALL(clReleaseCommandQueue, CL_INVALID_COMMAND_QUEUE, queue);
    }
    NF_CL_CALL(clReleaseKernel, CL_INVALID_KERNEL, kernel);
    return error;
}

static cl_int make_buffer(cl_context context, cl_device_id device, cl_program driver_program, uint64_t bytes,
                          cl_mem *buffer)
{
    cl_int error = CL_OUT_OF_HOST_MEMORY;
    void *zeros = calloc(1, bytes);
    if (!zeros) return error;
    *buffer = nf_cl_next()->clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, bytes, zeros, &error);
    free(zeros);
    if (!*buffer) return error;
    error = fill(context, device, driver_program, bytes, *buffer);
    if (error == CL_SUCCESS) return error;
    if (error != CL_INVALID_PROGRAM_EXECUTABLE) /* not reported: the application has called this during a build */
        nf_cl_log(NF_CL_ERROR, "%llu bytes of program-scope variables cannot be filled: OpenCL error %d",
                  (unsigned long long)bytes, error);
    NF_CL_CALL(clReleaseMemObject, CL_INVALID_MEM_OBJECT, *buffer);
    return error;
}

/* Creates and initializes a buffer, `*memory`, with one reference, which is the caller's. @return an error if that
 * fails; then `*memory` is unchanged. */
static cl_int make_memory(cl_context context, cl_device_id device, cl_program driver_program, uint64_t bytes,
                          struct nf_cl_globals_buffer **memory)
{
    struct nf_cl_globals_buffer *new_buffer = calloc(1, sizeof *new_buffer);
    cl_int error =
        new_buffer ? make_buffer(context, device, driver_program, bytes, &new_buffer->buffer) : CL_OUT_OF_HOST_MEMORY;
    if (error != CL_SUCCESS) {
        free(new_buffer);
        return error;
    }
    new_buffer->bytes = bytes;
    atomic_init(&new_buffer->holders, 1);
    *memory = new_buffer;
    return CL_SUCCESS;
}

/* Stores `new_buffer` as the buffer of `driver_program` unless another thread has stored one in the meantime, which is
 * possible because no lock is held during driver calls. Takes over the reference. @return the stored buffer, with a
 * reference for the caller. */
static struct nf_cl_globals_buffer *keep(struct nf_cl_program *program, struct nf_cl_driver_program *driver_program,
                                         struct nf_cl_globals_buffer *new_buffer)
{
    nf_cl_lock_acquire(program->lock);
    bool first = !driver_program->globals_known;
    if (first) driver_program->globals = new_buffer;
    driver_program->globals_known = true;
    struct nf_cl_globals_buffer *kept = nf_cl_globals_buffer_retain(driver_program->globals);
    nf_cl_lock_release(program->lock);
    if (!first) nf_cl_globals_buffer_release(new_buffer);
    return kept;
}

cl_int nf_cl_globals_get(struct nf_cl_program *program, const struct nf_cl_executable *executable,
                         struct nf_cl_globals_buffer **memory)
{
    const struct nf_cl_group *group = &program->groups[executable->group];
    struct nf_cl_driver_program *driver_program = executable->driver_program;
    uint64_t bytes = 0;
    *memory = NULL;
    if (!(group->profile.flags & NF_PROFILE_GLOBALS_IN_MEMORY) || group->by_driver) return CL_SUCCESS;
    nf_cl_lock_acquire(program->lock);
    bool known = driver_program->globals_known;
    if (known) *memory = nf_cl_globals_buffer_retain(driver_program->globals);
    nf_cl_lock_release(program->lock);
    if (known) return CL_SUCCESS;
    cl_int error = query_size(driver_program->program, &bytes);
    if (error == CL_SUCCESS && bytes)
        error = make_memory(program->context, device_of(program, group), driver_program->program, bytes, memory);
    if (error == CL_SUCCESS) *memory = keep(program, driver_program, *memory);
    return error;
}

void nf_cl_globals_reset(struct nf_cl_program *program, struct nf_cl_driver_program *driver_program)
{
    if (nf_cl_program_kernels(program) > 0) return; /* the driver refuses a build while kernels exist */
    nf_cl_lock_acquire(program->lock);
    struct nf_cl_globals_buffer *memory = driver_program->globals;
    driver_program->globals = NULL;
    driver_program->globals_known = false;
    nf_cl_lock_release(program->lock);
    nf_cl_globals_buffer_release(memory);
}

/* ---- kernels ---- */

size_t nf_cl_globals_size(struct nf_cl_program *program, const struct nf_cl_executable *executable)
{
    struct nf_cl_globals_buffer *memory = NULL;
    cl_int error = nf_cl_globals_get(program, executable, &memory);
    size_t bytes = error == CL_SUCCESS && memory ? memory->bytes : 0;
    nf_cl_globals_buffer_release(memory);
    return bytes;
}

cl_int nf_cl_globals_bind(struct nf_cl_kernel_part *part, struct nf_cl_globals_buffer *memory, cl_uint *visible)
{
    cl_uint count = 0;
    *visible = UINT_MAX;
    if (!memory) return CL_SUCCESS;
    cl_int error =
        NF_CL_CALL(clGetKernelInfo, CL_INVALID_KERNEL, part->kernel, CL_KERNEL_NUM_ARGS, sizeof count, &count, NULL);
    if (error == CL_SUCCESS && count > 0) {
        *visible = count - 1;
        error = NF_CL_CALL(clSetKernelArg, CL_INVALID_KERNEL, part->kernel, *visible, sizeof memory->buffer,
                           &memory->buffer);
    }
    if (error == CL_SUCCESS)
        part->memory = memory;
    else
        nf_cl_globals_buffer_release(memory);
    return error;
}

bool nf_cl_globals_is_initializer(const char *name)
{
    return bytes_of(name) > 0;
}

/* ---- clCreateKernelsInProgram ---- */

/* Moves the visible kernels from `all` to `kernels`, and releases the hidden kernel. @return the number of visible
 * kernels. */
static cl_uint remove_initializer_kernels(const cl_kernel *all, cl_uint count, cl_kernel *kernels)
{
    cl_uint kept = 0;
    for (cl_uint i = 0; i < count; i++) {
        char name[NAME_SIZE] = "";
        cl_int error =
            NF_CL_CALL(clGetKernelInfo, CL_INVALID_KERNEL, all[i], CL_KERNEL_FUNCTION_NAME, sizeof name, name, NULL);
        if (error == CL_SUCCESS && nf_cl_globals_is_initializer(name)) /* the query fails for longer names */
            NF_CL_CALL(clReleaseKernel, CL_INVALID_KERNEL, all[i]);
        else
            kernels[kept++] = all[i];
    }
    return kept;
}

cl_int nf_cl_globals_create_all(struct nf_cl_program *program, const struct nf_cl_executable *executable, cl_uint room,
                                cl_kernel *kernels, cl_uint *made)
{
    cl_program driver_program = executable->driver_program->program;
    cl_uint count = 0;
    struct nf_cl_globals_buffer *memory = NULL;
    cl_int error = nf_cl_globals_get(program, executable, &memory);
    bool hidden = memory != NULL;
    nf_cl_globals_buffer_release(memory);
    if (error != CL_SUCCESS) return error;
    if (!hidden) return NF_CL_CALL(clCreateKernelsInProgram, CL_INVALID_PROGRAM, driver_program, room, kernels, made);
    error = NF_CL_CALL(clCreateKernelsInProgram, CL_INVALID_PROGRAM, driver_program, 0, NULL, &count);
    if (error != CL_SUCCESS) return error;
    *made = count ? count - 1 : 0;
    if (!kernels) return CL_SUCCESS;
    if (room < *made) return CL_INVALID_VALUE;
    cl_kernel *all = calloc(count + 1, sizeof *all);
    if (!all) return CL_OUT_OF_HOST_MEMORY;
    error = NF_CL_CALL(clCreateKernelsInProgram, CL_INVALID_PROGRAM, driver_program, count, all, NULL);
    if (error == CL_SUCCESS) *made = remove_initializer_kernels(all, count, kernels);
    free(all);
    return error;
}
