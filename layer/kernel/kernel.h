/* SPDX-License-Identifier: Apache-2.0 */
/*
 * kernel.h - kernels of programs of ours.
 *
 * In: calls with a kernel that the application holds, which is a kernel of the driver's. Out: the same calls for the
 * driver's kernel that works on the device at hand, or for all of them. May use: base, translate, device, program.
 */
#ifndef NONFLAT_LAYER_KERNEL_H
#define NONFLAT_LAYER_KERNEL_H

#include "layer/program/program.h"

/* ---- choose.c: the driver's kernels behind a handle -------------------------------------------------------------- */

/* Is there no kernel alive that needs a look? Then each is the driver's only kernel, with the driver's arguments. */
static inline bool nf_cl_kernels_are_plain(void)
{
    return atomic_load_explicit(&nf_cl_special_kernels, memory_order_relaxed) == 0;
}

/* The driver's kernels behind a handle: itself alone when it is none of ours. */
void nf_cl_kernel_parts(cl_kernel handle, struct nf_cl_kernel *kernel);
/* The same, for an argument that is to reach all of them. @return CL_SUCCESS, or CL_INVALID_ARG_INDEX for one that the
 * application does not know. */
cl_int nf_cl_kernel_for_argument(cl_kernel handle, cl_uint index, struct nf_cl_kernel *kernel);
/* Put the driver's kernel to ask about `device` in the place of the handle. It may be none: several devices make it
 * necessary to name one. @return CL_SUCCESS or CL_INVALID_DEVICE. */
cl_int nf_cl_kernel_for_device(cl_kernel *handle, cl_device_id device);
/* Put the driver's kernel for the device of `queue` in the place of the handle. @return false when there is none. */
bool nf_cl_find_for_queue(cl_kernel *kernel, cl_command_queue queue);
static inline bool nf_cl_choose_for_queue(cl_kernel *kernel, cl_command_queue queue)
{
    return nf_cl_kernels_are_plain() || nf_cl_find_for_queue(kernel, queue);
}

/* ---- kernel.c: making, keeping and asking ------------------------------------------------------------------------ */

cl_kernel CL_API_CALL nf_cl_create_kernel(cl_program program, const char *name, cl_int *error);
cl_int CL_API_CALL nf_cl_create_kernels_in_program(cl_program program, cl_uint count, cl_kernel *kernels,
                                                   cl_uint *count_ret);
cl_int CL_API_CALL nf_cl_retain_kernel(cl_kernel kernel);
cl_int CL_API_CALL nf_cl_release_kernel(cl_kernel kernel);
cl_kernel CL_API_CALL nf_cl_clone_kernel(cl_kernel source, cl_int *error);
cl_int CL_API_CALL nf_cl_get_kernel_info(cl_kernel kernel, cl_kernel_info name, size_t size, void *value,
                                         size_t *size_ret);
cl_int CL_API_CALL nf_cl_get_kernel_arg_info(cl_kernel kernel, cl_uint index, cl_kernel_arg_info name, size_t size,
                                             void *value, size_t *size_ret);

/* ---- reflect.c: what the source says of kernels that we compiled --------------------------------------------------- */

/* clGetKernelArgInfo; `own` is the name that the source has. @return false when the source says nothing of it. */
bool nf_cl_reflect_argument(const struct nf_cl_kernel *kernel, const char *own, cl_uint index, cl_kernel_arg_info name,
                            size_t size, void *value, size_t *size_ret, cl_int *error);
/* CL_KERNEL_ATTRIBUTES, the same. */
bool nf_cl_reflect_attributes(const struct nf_cl_kernel *kernel, const char *own, size_t size, void *value,
                              size_t *size_ret, cl_int *error);

/* ---- launch.c: arguments and launches ---------------------------------------------------------------------------- */

cl_int CL_API_CALL nf_cl_set_kernel_arg(cl_kernel kernel, cl_uint index, size_t size, const void *value);
cl_int CL_API_CALL nf_cl_set_kernel_arg_svm_pointer(cl_kernel kernel, cl_uint index, const void *value);
cl_int CL_API_CALL nf_cl_set_kernel_exec_info(cl_kernel kernel, cl_kernel_exec_info name, size_t size,
                                              const void *value);
cl_int CL_API_CALL nf_cl_get_kernel_work_group_info(cl_kernel kernel, cl_device_id device,
                                                    cl_kernel_work_group_info name, size_t size, void *value,
                                                    size_t *size_ret);
cl_int CL_API_CALL nf_cl_get_kernel_sub_group_info(cl_kernel kernel, cl_device_id device, cl_kernel_sub_group_info name,
                                                   size_t input_size, const void *input, size_t size, void *value,
                                                   size_t *size_ret);
cl_int CL_API_CALL nf_cl_get_kernel_sub_group_info_khr(cl_kernel kernel, cl_device_id device,
                                                       cl_kernel_sub_group_info name, size_t input_size,
                                                       const void *input, size_t size, void *value, size_t *size_ret);
cl_int CL_API_CALL nf_cl_enqueue_nd_range_kernel(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions,
                                                 const size_t *offset, const size_t *global, const size_t *local,
                                                 cl_uint wait_count, const cl_event *wait, cl_event *event);
cl_int CL_API_CALL nf_cl_enqueue_task(cl_command_queue queue, cl_kernel kernel, cl_uint wait_count,
                                      const cl_event *wait, cl_event *event);

/* ---- extension.c: extension functions that take a kernel --------------------------------------------------------- */

/* @return our function for one of that name, in front of `theirs`; NULL when it takes no kernel. */
nf_cl_function nf_cl_kernel_extension(const char *name, nf_cl_function theirs);

#endif
