/* SPDX-License-Identifier: Apache-2.0 */
/*
 * choose.c - maps a kernel handle to driver kernels. Takes the application's handle, and an argument, a device or a
 * queue; gives the driver kernel for that device's group, or all of them. A handle that is not a kernel of the layer is
 * returned unchanged: the call is passed through, and the driver validates the handle.
 */
#include "layer/kernel/kernel.h"

#include <limits.h>

void nf_cl_kernel_driver_kernels(cl_kernel handle, struct nf_cl_kernel *kernel)
{
    if (!nf_cl_kernel_find(handle, kernel)) *kernel = (struct nf_cl_kernel){NULL, UINT_MAX, 1, {{handle, 0, NULL}}};
}

cl_int nf_cl_kernel_for_argument(cl_kernel handle, cl_uint index, struct nf_cl_kernel *kernel)
{
    nf_cl_kernel_driver_kernels(handle, kernel);
    return index < kernel->visible ? CL_SUCCESS : CL_INVALID_ARG_INDEX;
}

/* Replaces the handle by the driver kernel of a group. Returns false if there is none: the driver kernel of another
 * group must not be queried for the device, because one driver aborts the process then. */
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
    while (device && !target) { /* the device may be a sub-device of the target's */
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
    if (nf_cl_all_kernels_are_single() || !nf_cl_kernel_find(*handle, &kernel) || kernel.program->group_count < 2)
        return CL_SUCCESS;
    const struct nf_cl_target *target = device ? nf_cl_program_target(kernel.program, device) : NULL;
    if (!device) return kernel.count > 1 ? CL_INVALID_DEVICE : CL_SUCCESS;
    return !target || choose_part(&kernel, target->group, handle) ? CL_SUCCESS : CL_INVALID_DEVICE;
}
