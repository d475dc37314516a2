/* SPDX-License-Identifier: Apache-2.0 */
/*
 * globals.c - memory for program-scope variables that kernels write, on devices that have none. nonflat-spir moves such
 * variables to a buffer: the last argument of every kernel, filled by a kernel of its own (spir/globals_name.h). The
 * buffer is made and filled when the first kernel of a build is created, and lives as long as the program, as
 * variables do. The application sees neither that argument nor that kernel.
 *
 * A kernel is bound to the one buffer, and each device has variables of its own: so each device is a group of its own
 * (program.c) in programs that have any. nonflat-spir refuses such variables for a group of several.
 */
#include "layer/program/program.h"

#include "layer/spir/globals_name.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

static struct nf_cl_group *group_of(struct nf_cl_program *program, cl_program inner)
{
    for (cl_uint i = 0; i < program->group_count; i++)
        if (program->groups[i].inner == inner && program->groups[i].delivery == NF_CL_DELIVER_SPIR)
            return &program->groups[i];
    return NULL;
}

static cl_device_id device_of(const struct nf_cl_program *program, const struct nf_cl_group *group)
{
    for (cl_uint i = 0; i < program->device_count; i++)
        if (program->targets[i].group >= 0 && &program->groups[program->targets[i].group] == group)
            return program->targets[i].device;
    return NULL;
}

bool nf_cl_globals_alone(const struct nf_cl_program *program, const struct nf_cl_group *group)
{
    cl_uint count = 0;
    for (cl_uint i = 0; i < program->device_count; i++)
        count += program->targets[i].group >= 0 && &program->groups[program->targets[i].group] == group;
    return count == 1;
}

/* How many bytes do the variables of the driver's program need? @return CL_SUCCESS when that is known. */
static cl_int ask_size(cl_program inner, uint64_t *bytes)
{
    size_t size = 0;
    cl_int error = NF_CL_CALL(clGetProgramInfo, CL_INVALID_PROGRAM, inner, CL_PROGRAM_KERNEL_NAMES, 0, NULL, &size);
    if (error != CL_SUCCESS) return error;
    char *names = calloc(1, size + 1);
    if (!names) return CL_OUT_OF_HOST_MEMORY;
    error = NF_CL_CALL(clGetProgramInfo, CL_INVALID_PROGRAM, inner, CL_PROGRAM_KERNEL_NAMES, size, names, NULL);
    *bytes = 0;
    for (const char *at = names; error == CL_SUCCESS && at && !*bytes; at = strchr(at, ';')) {
        at += *at == ';';
        *bytes = nf_globals_bytes(at);
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

static cl_int fill(cl_context context, cl_device_id device, cl_program inner, uint64_t bytes, cl_mem memory)
{
    char name[NF_GLOBALS_NAME_SIZE];
    cl_int error = CL_SUCCESS;
    nf_globals_name(bytes, name);
    cl_kernel kernel = nf_cl_next()->clCreateKernel(inner, name, &error);
    if (!kernel) return error;
    cl_command_queue queue = nf_cl_next()->clCreateCommandQueue(context, device, 0, &error);
    if (queue) {
        error = run_first(queue, kernel, memory);
        NF_CL_CALL(clReleaseCommandQueue, CL_INVALID_COMMAND_QUEUE, queue);
    }
    NF_CL_CALL(clReleaseKernel, CL_INVALID_KERNEL, kernel);
    return error;
}

static cl_int make_memory(cl_context context, cl_device_id device, cl_program inner, uint64_t bytes, cl_mem *memory)
{
    cl_int error = CL_OUT_OF_HOST_MEMORY;
    void *zeros = calloc(1, bytes);
    if (!zeros) return error;
    *memory = nf_cl_next()->clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, bytes, zeros, &error);
    free(zeros);
    if (!*memory) return error;
    error = fill(context, device, inner, bytes, *memory);
    if (error == CL_SUCCESS) return error;
    nf_cl_log(NF_CL_ERROR, "%llu bytes of program-scope variables cannot be filled: OpenCL error %d",
              (unsigned long long)bytes, error);
    NF_CL_CALL(clReleaseMemObject, CL_INVALID_MEM_OBJECT, *memory);
    *memory = NULL;
    return error;
}

/* Make sure that the group's memory is there, if it needs any. No lock is held while the driver works: of two threads
 * that come at once the second gives its own back. */
static cl_int prepare(struct nf_cl_program *program, struct nf_cl_group *group, cl_program inner)
{
    cl_mem memory = NULL;
    uint64_t bytes = 0;
    nf_cl_hold(program->lock);
    bool known = group->globals_known;
    nf_cl_give(program->lock);
    if (known) return CL_SUCCESS;
    cl_int error = ask_size(inner, &bytes);
    if (error == CL_SUCCESS && bytes)
        error = make_memory(program->context, device_of(program, group), inner, bytes, &memory);
    if (error != CL_SUCCESS) return error;
    nf_cl_hold(program->lock);
    if (!group->globals_known) {
        group->globals_known = true;
        group->globals = memory;
        memory = NULL;
    }
    nf_cl_give(program->lock);
    if (memory) NF_CL_CALL(clReleaseMemObject, CL_INVALID_MEM_OBJECT, memory);
    return CL_SUCCESS;
}

void nf_cl_globals_forget(struct nf_cl_program *program, struct nf_cl_group *group)
{
    if (nf_cl_program_kernels(program) > 0) return; /* they have it as their argument */
    nf_cl_hold(program->lock);
    cl_mem memory = group->globals;
    group->globals = NULL;
    group->globals_known = false;
    nf_cl_give(program->lock);
    if (memory) NF_CL_CALL(clReleaseMemObject, CL_INVALID_MEM_OBJECT, memory);
}

/* ---- kernels ---- */

static cl_mem memory_of(struct nf_cl_program *program, cl_program inner)
{
    nf_cl_hold(program->lock);
    const struct nf_cl_group *group = group_of(program, inner);
    cl_mem memory = group ? group->globals : NULL;
    nf_cl_give(program->lock);
    return memory;
}

cl_int nf_cl_globals_prepare(struct nf_cl_program *program, cl_program inner)
{
    nf_cl_hold(program->lock);
    struct nf_cl_group *group = group_of(program, inner);
    nf_cl_give(program->lock);
    return group ? prepare(program, group, inner) : CL_SUCCESS;
}

bool nf_cl_globals_hidden(struct nf_cl_program *program, cl_program inner)
{
    return nf_cl_globals_prepare(program, inner) == CL_SUCCESS && memory_of(program, inner) != NULL;
}

size_t nf_cl_globals_size(struct nf_cl_program *program, cl_program inner)
{
    size_t size = 0;
    cl_mem memory = nf_cl_globals_hidden(program, inner) ? memory_of(program, inner) : NULL;
    if (memory) NF_CL_CALL(clGetMemObjectInfo, CL_INVALID_MEM_OBJECT, memory, CL_MEM_SIZE, sizeof size, &size, NULL);
    return size;
}

cl_int nf_cl_globals_bind(struct nf_cl_program *program, cl_program inner, cl_kernel kernel, cl_uint *visible)
{
    cl_uint count = 0;
    cl_mem memory = memory_of(program, inner);
    *visible = UINT_MAX;
    if (!memory) return CL_SUCCESS;
    cl_int error =
        NF_CL_CALL(clGetKernelInfo, CL_INVALID_KERNEL, kernel, CL_KERNEL_NUM_ARGS, sizeof count, &count, NULL);
    if (error != CL_SUCCESS || count == 0) return error;
    *visible = count - 1;
    return NF_CL_CALL(clSetKernelArg, CL_INVALID_KERNEL, kernel, *visible, sizeof memory, &memory);
}

bool nf_cl_globals_is_ours(const char *name)
{
    return nf_globals_bytes(name) > 0;
}

/* ---- clCreateKernelsInProgram ---- */

/* Move what is not ours from `all` to `kernels`, and give ours back. @return how many were moved. */
static cl_uint sort_out(const cl_kernel *all, cl_uint count, cl_kernel *kernels)
{
    cl_uint kept = 0;
    for (cl_uint i = 0; i < count; i++) {
        char name[NF_GLOBALS_NAME_SIZE] = "";
        cl_int error =
            NF_CL_CALL(clGetKernelInfo, CL_INVALID_KERNEL, all[i], CL_KERNEL_FUNCTION_NAME, sizeof name, name, NULL);
        if (error == CL_SUCCESS && nf_cl_globals_is_ours(name)) /* a longer name does not fit */
            NF_CL_CALL(clReleaseKernel, CL_INVALID_KERNEL, all[i]);
        else
            kernels[kept++] = all[i];
    }
    return kept;
}

cl_int nf_cl_globals_create_all(struct nf_cl_program *program, cl_program inner, cl_uint room, cl_kernel *kernels,
                                cl_uint *made)
{
    cl_uint count = 0;
    if (!nf_cl_globals_hidden(program, inner))
        return NF_CL_CALL(clCreateKernelsInProgram, CL_INVALID_PROGRAM, inner, room, kernels, made);
    cl_int error = NF_CL_CALL(clCreateKernelsInProgram, CL_INVALID_PROGRAM, inner, 0, NULL, &count);
    if (error != CL_SUCCESS) return error;
    *made = count ? count - 1 : 0;
    if (!kernels) return CL_SUCCESS;
    if (room < *made) return CL_INVALID_VALUE;
    cl_kernel *all = calloc(count + 1, sizeof *all);
    if (!all) return CL_OUT_OF_HOST_MEMORY;
    error = NF_CL_CALL(clCreateKernelsInProgram, CL_INVALID_PROGRAM, inner, count, all, NULL);
    if (error == CL_SUCCESS) *made = sort_out(all, count, kernels);
    free(all);
    return error;
}
