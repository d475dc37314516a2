/* SPDX-License-Identifier: Apache-2.0 */
/*
 * launch.c - setting a kernel's arguments and launching it. Takes the kernel that the application holds; an argument
 * reaches the driver's kernels for all groups of devices, a launch takes the one for its queue's device. These are the
 * calls that programs make most often: while every kernel alive is one kernel of the driver's, with its arguments, they
 * go on after a look at one number.
 */
#include "layer/kernel/kernel.h"

#include <limits.h>

/* ---- the driver's kernels behind a handle ---- */

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

/* ---- arguments ---- */

cl_int CL_API_CALL nf_cl_set_kernel_arg(cl_kernel handle, cl_uint index, size_t size, const void *value)
{
    if (nf_cl_kernels_are_plain()) return NF_CL_CALL(clSetKernelArg, CL_INVALID_KERNEL, handle, index, size, value);
    struct nf_cl_kernel kernel;
    cl_int error = nf_cl_kernel_for_argument(handle, index, &kernel);
    for (cl_uint i = 0; i < kernel.count && error == CL_SUCCESS; i++)
        error = NF_CL_CALL(clSetKernelArg, CL_INVALID_KERNEL, kernel.parts[i].kernel, index, size, value);
    return error;
}

cl_int CL_API_CALL nf_cl_set_kernel_arg_svm_pointer(cl_kernel handle, cl_uint index, const void *value)
{
    if (nf_cl_kernels_are_plain())
        return NF_CL_CALL(clSetKernelArgSVMPointer, CL_INVALID_OPERATION, handle, index, value);
    struct nf_cl_kernel kernel;
    cl_int error = nf_cl_kernel_for_argument(handle, index, &kernel);
    for (cl_uint i = 0; i < kernel.count && error == CL_SUCCESS; i++)
        error = NF_CL_CALL(clSetKernelArgSVMPointer, CL_INVALID_OPERATION, kernel.parts[i].kernel, index, value);
    return error;
}

cl_int CL_API_CALL nf_cl_set_kernel_exec_info(cl_kernel handle, cl_kernel_exec_info name, size_t size,
                                              const void *value)
{
    if (nf_cl_kernels_are_plain())
        return NF_CL_CALL(clSetKernelExecInfo, CL_INVALID_OPERATION, handle, name, size, value);
    struct nf_cl_kernel kernel;
    cl_int error = CL_SUCCESS;
    nf_cl_kernel_parts(handle, &kernel);
    for (cl_uint i = 0; i < kernel.count && error == CL_SUCCESS; i++)
        error = NF_CL_CALL(clSetKernelExecInfo, CL_INVALID_OPERATION, kernel.parts[i].kernel, name, size, value);
    return error;
}

/* ---- questions about a device ---- */

cl_int CL_API_CALL nf_cl_get_kernel_work_group_info(cl_kernel kernel, cl_device_id device,
                                                    cl_kernel_work_group_info name, size_t size, void *value,
                                                    size_t *size_ret)
{
    cl_int error = nf_cl_kernel_for_device(&kernel, device);
    if (error != CL_SUCCESS) return error;
    return NF_CL_CALL(clGetKernelWorkGroupInfo, CL_INVALID_KERNEL, kernel, device, name, size, value, size_ret);
}

cl_int CL_API_CALL nf_cl_get_kernel_sub_group_info(cl_kernel kernel, cl_device_id device, cl_kernel_sub_group_info name,
                                                   size_t input_size, const void *input, size_t size, void *value,
                                                   size_t *size_ret)
{
    cl_int error = nf_cl_kernel_for_device(&kernel, device);
    if (error != CL_SUCCESS) return error;
    return NF_CL_CALL(clGetKernelSubGroupInfo, CL_INVALID_OPERATION, kernel, device, name, input_size, input, size,
                      value, size_ret);
}

cl_int CL_API_CALL nf_cl_get_kernel_sub_group_info_khr(cl_kernel kernel, cl_device_id device,
                                                       cl_kernel_sub_group_info name, size_t input_size,
                                                       const void *input, size_t size, void *value, size_t *size_ret)
{
    cl_int error = nf_cl_kernel_for_device(&kernel, device);
    if (error != CL_SUCCESS) return error;
    return NF_CL_CALL(clGetKernelSubGroupInfoKHR, CL_INVALID_OPERATION, kernel, device, name, input_size, input, size,
                      value, size_ret);
}

/* ---- launches ---- */

cl_int CL_API_CALL nf_cl_enqueue_nd_range_kernel(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions,
                                                 const size_t *offset, const size_t *global, const size_t *local,
                                                 cl_uint wait_count, const cl_event *wait, cl_event *event)
{
    if (!nf_cl_choose_for_queue(&kernel, queue)) return CL_INVALID_PROGRAM_EXECUTABLE;
    return NF_CL_CALL(clEnqueueNDRangeKernel, CL_INVALID_KERNEL, queue, kernel, dimensions, offset, global, local,
                      wait_count, wait, event);
}

cl_int CL_API_CALL nf_cl_enqueue_task(cl_command_queue queue, cl_kernel kernel, cl_uint wait_count,
                                      const cl_event *wait, cl_event *event)
{
    if (!nf_cl_choose_for_queue(&kernel, queue)) return CL_INVALID_PROGRAM_EXECUTABLE;
    return NF_CL_CALL(clEnqueueTask, CL_INVALID_KERNEL, queue, kernel, wait_count, wait, event);
}
