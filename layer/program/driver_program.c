/* SPDX-License-Identifier: Apache-2.0 */
/*
 * driver_program.c - the driver programs of a handle. Takes a program, and a device unless the query concerns the whole
 * program; gives the driver program, or NULL if none exists yet.
 */
#include "layer/program/program.h"

#include <stdlib.h>

/* ---- references ---- */

struct nf_cl_driver_program *nf_cl_driver_program_new(cl_program program)
{
    struct nf_cl_driver_program *driver_program = calloc(1, sizeof *driver_program);
    if (!driver_program) {
        NF_CL_CALL(clReleaseProgram, CL_INVALID_PROGRAM, program);
        return NULL;
    }
    driver_program->program = program;
    atomic_init(&driver_program->holders, 1);
    return driver_program;
}

struct nf_cl_driver_program *nf_cl_driver_program_retain(struct nf_cl_driver_program *driver_program)
{
    if (driver_program) atomic_fetch_add_explicit(&driver_program->holders, 1, memory_order_relaxed);
    return driver_program;
}

void nf_cl_driver_program_release(struct nf_cl_driver_program *driver_program)
{
    if (!driver_program || atomic_fetch_sub(&driver_program->holders, 1) != 1) return;
    nf_cl_globals_buffer_release(driver_program->globals);
    free(driver_program->entry);
    NF_CL_CALL(clReleaseProgram, CL_INVALID_PROGRAM, driver_program->program);
    free(driver_program);
}

/* ---- its module ---- */

bool nf_cl_fetch_module(cl_program program, cl_program_info name, struct nf_cl_bytes *module)
{
    size_t size = 0;
    if (NF_CL_CALL(clGetProgramInfo, CL_INVALID_PROGRAM, program, name, 0, NULL, &size) != CL_SUCCESS || size == 0)
        return false;
    module->data = malloc(size);
    module->size = size;
    return module->data &&
           NF_CL_CALL(clGetProgramInfo, CL_INVALID_PROGRAM, program, name, size, module->data, NULL) == CL_SUCCESS;
}

/* ---- lookup ---- */

/* Returns the parent of a sub-device, or NULL. Queries the driver only if no group takes IL: the application may have
 * passed an invalid handle, which a driver that takes IL rejects in the call itself, but may dereference in a query. */
static cl_device_id parent_of(const struct nf_cl_program *program, cl_device_id device)
{
    for (cl_uint i = 0; i < program->group_count; i++)
        if (nf_cl_takes_il(program->groups[i].delivery)) return NULL;
    return nf_cl_device_parent(device);
}

/* The walk over parents is needed because PoCL lists the parents as the devices of a context of sub-devices. */
struct nf_cl_target *nf_cl_program_target(const struct nf_cl_program *program, cl_device_id device)
{
    for (; device; device = parent_of(program, device))
        for (cl_uint i = 0; i < program->device_count; i++)
            if (program->targets[i].device == device) return &program->targets[i];
    return NULL;
}

struct nf_cl_executable nf_cl_program_executable_for(struct nf_cl_program *program, cl_device_id device)
{
    const struct nf_cl_target *target = nf_cl_program_target(program, device);
    struct nf_cl_executable found = {NULL, target ? target->group : -1};
    nf_cl_lock_acquire(program->lock);
    if (found.group >= 0)
        found.driver_program = nf_cl_driver_program_retain(program->groups[found.group].driver_program);
    nf_cl_lock_release(program->lock);
    return found;
}

/* Adds the group of a target to the list unless the list has it. @return the new length of the list. */
static cl_uint note_group(const struct nf_cl_program *program, int group, struct nf_cl_executable *list, cl_uint count)
{
    for (cl_uint i = 0; i < count; i++)
        if (list[i].group == group) return count;
    list[count] = (struct nf_cl_executable){nf_cl_driver_program_retain(program->groups[group].driver_program), group};
    return count + 1;
}

cl_uint nf_cl_program_executables(struct nf_cl_program *program, struct nf_cl_executable list[NF_CL_GROUPS])
{
    cl_uint count = 0;
    nf_cl_lock_acquire(program->lock);
    for (int any = 0; any < 2 && count == 0; any++)
        for (cl_uint i = 0; i < program->device_count && (!any || count == 0); i++) {
            const struct nf_cl_target *target = &program->targets[i];
            bool good = any || (target->attempted && !target->failed);
            if (good && target->group >= 0 && program->groups[target->group].driver_program)
                count = note_group(program, target->group, list, count);
        }
    nf_cl_lock_release(program->lock);
    return count;
}

bool nf_cl_executable_is_built(const struct nf_cl_program *program, const struct nf_cl_executable *executable)
{
    bool good = false;
    for (cl_uint i = 0; i < program->device_count && !good; i++) {
        cl_build_status status = CL_BUILD_NONE;
        if (program->targets[i].group == executable->group)
            NF_CL_CALL(clGetProgramBuildInfo, CL_INVALID_PROGRAM, executable->driver_program->program,
                       program->targets[i].device, CL_PROGRAM_BUILD_STATUS, sizeof status, &status, NULL);
        good = status == CL_BUILD_SUCCESS;
    }
    return good;
}

void nf_cl_executables_drop(const struct nf_cl_executable *list, cl_uint count)
{
    for (cl_uint i = 0; i < count; i++)
        nf_cl_driver_program_release(list[i].driver_program);
}

struct nf_cl_executable nf_cl_program_executable(struct nf_cl_program *program)
{
    struct nf_cl_executable list[NF_CL_GROUPS] = {{NULL, -1}};
    cl_uint count = nf_cl_program_executables(program, list), chosen = 0;
    while (count > 1 && chosen < count && !nf_cl_executable_is_built(program, &list[chosen]))
        chosen++;
    chosen %= count ? count : 1;
    struct nf_cl_executable found = list[chosen];
    list[chosen].driver_program = NULL;
    nf_cl_executables_drop(list, count);
    return found;
}

cl_program nf_cl_program_translate(cl_program handle, struct nf_cl_driver_program **held)
{
    struct nf_cl_program *program = nf_cl_program_get(handle);
    *held = NULL;
    if (!program) return handle;
    *held = nf_cl_program_executable(program).driver_program;
    nf_cl_program_unpin(program);
    return *held ? (*held)->program : NULL;
}
