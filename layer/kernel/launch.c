/* SPDX-License-Identifier: Apache-2.0 */
/*
 * launch.c - sets a kernel's arguments and launches it. Takes the application's kernel; an argument is set on the
 * driver kernels of all groups of devices, a launch uses the driver kernel for its queue's device. Programs make these
 * calls most often: while every kernel is a single driver kernel without additional arguments, they read one counter
 * and are passed through.
 */
#include "layer/kernel/kernel.h"

/* ---- arguments ---- */

cl_int CL_API_CALL nf_cl_set_kernel_arg(cl_kernel handle, cl_uint index, size_t size, const void *value)
{
    if (nf_cl_all_kernels_are_single())
        return NF_CL_CALL(clSetKernelArg, CL_INVALID_KERNEL, handle, index, size, value);
    struct nf_cl_kernel kernel;
    cl_int error = nf_cl_kernel_for_argument(handle, index, &kernel);
    for (cl_uint i = 0; i < kernel.count && error == CL_SUCCESS; i++)
        error = NF_CL_CALL(clSetKernelArg, CL_INVALID_KERNEL, kernel.parts[i].kernel, index, size, value);
    return error;
}

cl_int CL_API_CALL nf_cl_set_kernel_arg_svm_pointer(cl_kernel handle, cl_uint index, const void *value)
{
    if (nf_cl_all_kernels_are_single())
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
    if (nf_cl_all_kernels_are_single())
        return NF_CL_CALL(clSetKernelExecInfo, CL_INVALID_OPERATION, handle, name, size, value);
    struct nf_cl_kernel kernel;
    cl_int error = CL_SUCCESS;
    nf_cl_kernel_driver_kernels(handle, &kernel);
    for (cl_uint i = 0; i < kernel.count && error == CL_SUCCESS; i++)
        error = NF_CL_CALL(clSetKernelExecInfo, CL_INVALID_OPERATION, kernel.parts[i].kernel, name, size, value);
    return error;
}

/* ---- queries about a device ---- */

cl_int CL_API_CALL nf_cl_get_kernel_work_group_info(cl_kernel kernel, cl_device_id device,
                                                    cl_kernel_work_group_info name, size_t size, void *value,
                                                    size_t *size_ret)
{
    cl_int error = nf_cl_kernel_for_device(&kernel, device);
    if (error != CL_SUCCESS) return error;
    return NF_CL_CALL(clGetKernelWorkGroupInfo, CL_INVALID_KERNEL, kernel, device, name, size, value, size_ret);
}

/* ---- launches ---- */

cl_int CL_API_CALL nf_cl_enqueue_nd_range_kernel(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions,
                                                 const size_t *offset, const size_t *global, const size_t *local,
                                                 cl_uint wait_count, const cl_event *wait, cl_event *event)
{
    if (!nf_cl_choose_for_queue(&kernel, queue)) return CL_INVALID_PROGRAM_EXECUTABLE;
    cl_int error = NF_CL_CALL(clEnqueueNDRangeKernel, CL_INVALID_KERNEL, queue, kernel, dimensions, offset, global,
                              local, wait_count, wait, event);
    nf_cl_exit_renew();
    return error;
}

cl_int CL_API_CALL nf_cl_enqueue_task(cl_command_queue queue, cl_kernel kernel, cl_uint wait_count,
                                      const cl_event *wait, cl_event *event)
{
    if (!nf_cl_choose_for_queue(&kernel, queue)) return CL_INVALID_PROGRAM_EXECUTABLE;
    return NF_CL_CALL(clEnqueueTask, CL_INVALID_KERNEL, queue, kernel, wait_count, wait, event);
}
