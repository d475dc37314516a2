/* SPDX-License-Identifier: Apache-2.0 */
/*
 * inner.c - the driver's programs behind a handle of ours. Takes a program and a device, or what is asked of the whole
 * program; gives the driver's program for it, which may not be there yet.
 */
#include "layer/program/program.h"

/* Only where every group takes bitcode; other drivers judge the handle themselves, which may be none at all, so it is
 * not read here. */
static cl_device_id parent_of(const struct nf_cl_program *program, cl_device_id device)
{
    for (cl_uint i = 0; i < program->group_count; i++)
        if (program->groups[i].delivery != NF_CL_DELIVER_SPIR) return NULL;
    return nf_cl_device_parent(device);
}

/* PoCL says that a context of sub-devices has their parents. */
struct nf_cl_target *nf_cl_program_target(const struct nf_cl_program *program, cl_device_id device)
{
    for (; device; device = parent_of(program, device))
        for (cl_uint i = 0; i < program->device_count; i++)
            if (program->targets[i].device == device) return &program->targets[i];
    return NULL;
}

cl_program nf_cl_program_inner_for(struct nf_cl_program *program, cl_device_id device)
{
    const struct nf_cl_target *target = nf_cl_program_target(program, device);
    nf_cl_hold(program->lock);
    cl_program inner = target && target->group >= 0 ? program->groups[target->group].inner : NULL;
    nf_cl_give(program->lock);
    return inner;
}

/* Note the group of a target, unless it is there already. */
static cl_uint note_group(const struct nf_cl_program *program, int group, struct nf_cl_executable *list, cl_uint count)
{
    for (cl_uint i = 0; i < count; i++)
        if (list[i].group == group) return count;
    list[count] = (struct nf_cl_executable){program->groups[group].inner, group};
    return count + 1;
}

cl_uint nf_cl_program_executables(struct nf_cl_program *program, struct nf_cl_executable list[NF_CL_GROUPS])
{
    cl_uint count = 0;
    nf_cl_hold(program->lock);
    for (int any = 0; any < 2 && count == 0; any++)
        for (cl_uint i = 0; i < program->device_count && (!any || count == 0); i++) {
            const struct nf_cl_target *target = &program->targets[i];
            bool good = any || (target->attempted && !target->failed);
            if (good && target->group >= 0 && program->groups[target->group].inner)
                count = note_group(program, target->group, list, count);
        }
    nf_cl_give(program->lock);
    return count;
}

/* Did the driver build it for a device of the group? */
static bool built_well(const struct nf_cl_program *program, const struct nf_cl_executable *executable)
{
    bool good = false;
    for (cl_uint i = 0; i < program->device_count && !good; i++) {
        cl_build_status status = CL_BUILD_NONE;
        if (program->targets[i].group == executable->group)
            NF_CL_CALL(clGetProgramBuildInfo, CL_INVALID_PROGRAM, executable->inner, program->targets[i].device,
                       CL_PROGRAM_BUILD_STATUS, sizeof status, &status, NULL);
        good = status == CL_BUILD_SUCCESS;
    }
    return good;
}

struct nf_cl_executable nf_cl_program_executable(struct nf_cl_program *program)
{
    struct nf_cl_executable list[NF_CL_GROUPS] = {{NULL, -1}};
    cl_uint count = nf_cl_program_executables(program, list);
    for (cl_uint i = 0; count > 1 && i < count; i++)
        if (built_well(program, &list[i])) return list[i];
    return list[0];
}

cl_program nf_cl_program_inner(struct nf_cl_program *program)
{
    return nf_cl_program_executable(program).inner;
}

cl_program nf_cl_program_translate(cl_program handle)
{
    struct nf_cl_program *program = nf_cl_program_get(handle);
    if (!program) return handle;
    cl_program inner = nf_cl_program_inner(program);
    nf_cl_program_put(program);
    return inner;
}
