/* SPDX-License-Identifier: Apache-2.0 */
/*
 * choose.c - which of the driver's kernels a handle stands for. Takes the kernel that the application holds, and an
 * argument, a device or a queue; gives the driver's kernel for that device's group, or all of them. A handle that is
 * none of ours stands for itself: whoever calls goes on with it, and the driver judges it.
 */
#include "layer/kernel/kernel.h"

#include <limits.h>

void nf_cl_kernel_parts(cl_kernel handle, struct nf_cl_kernel *kernel)
{
    if (!nf_cl_kernel_find(handle, kernel)) *kernel = (struct nf_cl_kernel){NULL, UINT_MAX, 1, {{handle, 0, NULL}}};
}

cl_int nf_cl_kernel_for_argument(cl_kernel handle, cl_uint index, struct nf_cl_kernel *kernel)
{
    nf_cl_kernel_parts(handle, kernel);
    return index < kernel->visible ? CL_SUCCESS : CL_INVALID_ARG_INDEX;
}

/* Put the part for the group in the place of the handle. @return false when there is none: drivers are not asked about
 * another's device, as that ends the process of one. */
static bool choose_part(const struct nf_cl_kernel *kernel, int group, cl_kernel *handle)
{
    cl_uint i = 0;
    while (i < kernel->count && kernel->parts[i].group != group)
        i++;
    if (i < kernel->count) *handle = kernel->parts[i].kernel;
    return i < kernel->count;
}

static const struct nf_cl_target *target_for_queue(const struct nf_cl_program *program, cl_command_queue queue)
{
    cl_device_id device = NULL;
    NF_CL_CALL(clGetCommandQueueInfo, CL_INVALID_COMMAND_QUEUE, queue, CL_QUEUE_DEVICE, sizeof device, &device, NULL);
    const struct nf_cl_target *target = nf_cl_program_target(program, device);
    while (device && !target) { /* a queue's device is one: that of a sub-device may be asked for its parent */
        device = nf_cl_device_parent(device);
        target = nf_cl_program_target(program, device);
    }
    return target;
}

bool nf_cl_find_for_queue(cl_kernel *handle, cl_command_queue queue)
{
    struct nf_cl_kernel kernel;
    if (!queue || !nf_cl_kernel_find(*handle, &kernel) || kernel.program->group_count < 2) return true;
    const struct nf_cl_target *target = target_for_queue(kernel.program, queue);
    return !target || choose_part(&kernel, target->group, handle);
}

cl_int nf_cl_kernel_for_device(cl_kernel *handle, cl_device_id device)
{
    struct nf_cl_kernel kernel;
    if (nf_cl_kernels_are_plain() || !nf_cl_kernel_find(*handle, &kernel) || kernel.program->group_count < 2)
        return CL_SUCCESS;
    const struct nf_cl_target *target = device ? nf_cl_program_target(kernel.program, device) : NULL;
    if (!device) return kernel.count > 1 ? CL_INVALID_DEVICE : CL_SUCCESS;
    return !target || choose_part(&kernel, target->group, handle) ? CL_SUCCESS : CL_INVALID_DEVICE;
}
