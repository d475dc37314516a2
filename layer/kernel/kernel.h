/* SPDX-License-Identifier: Apache-2.0 */
/*
 * kernel.h - kernels of programs that the layer handles.
 *
 * Takes calls with a kernel handle of the application, which is a kernel of the driver. Gives the same calls for the
 * driver kernel of one device, or for all driver kernels of that handle. May use: base, specialize, translate, device,
 * program.
 */
#ifndef NONFLAT_LAYER_KERNEL_H
#define NONFLAT_LAYER_KERNEL_H

#include "layer/program/program.h"

/* ---- choose.c: from a handle to driver kernels ------------------------------------------------------------------- */

/* Returns true if every living kernel is a single driver kernel with exactly the application's arguments, so that calls
 * can be passed through. */
static inline bool nf_cl_all_kernels_are_single(void)
{
    return atomic_load_explicit(&nf_cl_special_kernels, memory_order_relaxed) == 0;
}

/* Gets the driver kernels of a handle; only the handle itself if the handle is not a kernel of the layer. */
void nf_cl_kernel_driver_kernels(cl_kernel handle, struct nf_cl_kernel *kernel);
/* Gets the driver kernels of a handle on which argument `index` is to be set. Returns CL_SUCCESS, or
 * CL_INVALID_ARG_INDEX for an argument that the layer has added. */
cl_int nf_cl_kernel_for_argument(cl_kernel handle, cl_uint index, struct nf_cl_kernel *kernel);
/* Replaces the handle by the driver kernel for queries about `device`, which may be NULL unless there are several
 * driver kernels. Returns CL_SUCCESS or CL_INVALID_DEVICE. */
cl_int nf_cl_kernel_for_device(cl_kernel *handle, cl_device_id device);
/* Replaces the handle by the driver kernel for the device of `queue`. Returns false if the device's group has none, and
 * true, with the handle unchanged, if the handle is not a kernel of the layer, or if its program has only one group or
 * lacks the queue's device. */
bool nf_cl_find_for_queue(cl_kernel *kernel, cl_command_queue queue);
/* As nf_cl_find_for_queue(), without a lookup while every kernel is a single driver kernel. */
static inline bool nf_cl_choose_for_queue(cl_kernel *kernel, cl_command_queue queue)
{
    return nf_cl_all_kernels_are_single() || nf_cl_find_for_queue(kernel, queue);
}

/* ---- kernel.c: creation, retain, release and queries ------------------------------------------------------------- */

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

/* Returns the name that a kernel of the driver has in the application's module, which the caller frees; NULL, and sets
 * `*error`, if it fails. */
char *nf_cl_kernel_own_name(cl_kernel kernel, const struct nf_cl_program *program, cl_int *error);

/* ---- sub_groups.c: queries about sub-groups that a driver leaves unanswered -------------------------------------- */

typedef cl_int(CL_API_CALL *nf_cl_sub_group_fn)(cl_kernel kernel, cl_device_id device, cl_kernel_sub_group_info name,
                                                size_t input_size, const void *input, size_t size, void *value,
                                                size_t *size_ret);
/* Calls the driver's function for the driver kernel of `device`. If the driver refuses the query, answers with the size
 * that the layer has determined, if there is one, and else returns the driver's error. If `call` is NULL, because the
 * driver lacks the function, the driver's error is CL_INVALID_OPERATION. If `device` is NULL, the layer answers only if
 * the program has exactly one device. */
cl_int nf_cl_query_sub_group(nf_cl_sub_group_fn call, cl_kernel handle, cl_device_id device,
                             cl_kernel_sub_group_info name, size_t input_size, const void *input, size_t size,
                             void *value, size_t *size_ret);
cl_int CL_API_CALL nf_cl_get_kernel_sub_group_info(cl_kernel kernel, cl_device_id device, cl_kernel_sub_group_info name,
                                                   size_t input_size, const void *input, size_t size, void *value,
                                                   size_t *size_ret);
cl_int CL_API_CALL nf_cl_get_kernel_sub_group_info_khr(cl_kernel kernel, cl_device_id device,
                                                       cl_kernel_sub_group_info name, size_t input_size,
                                                       const void *input, size_t size, void *value, size_t *size_ret);

/* ---- reflect.c: argument information of kernels that the layer compiled, or wrote in OpenCL C -------------------- */

/* Returns true if the layer may have information about the kernel that its driver cannot have. */
bool nf_cl_is_reflected(const struct nf_cl_kernel *kernel);

/* Answers clGetKernelArgInfo, with the result in `*error`; `own` is the kernel's name in the source. Returns false,
 * with `*error` unchanged, if neither the notes nor the module have the argument. */
bool nf_cl_reflect_argument(const struct nf_cl_kernel *kernel, const char *own, cl_uint index, cl_kernel_arg_info name,
                            size_t size, void *value, size_t *size_ret, cl_int *error);
/* Answers the query of CL_KERNEL_ATTRIBUTES, with the result in `*error`. Returns false, with `*error` unchanged, if
 * neither the notes nor the module have the kernel. */
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
cl_int CL_API_CALL nf_cl_enqueue_nd_range_kernel(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions,
                                                 const size_t *offset, const size_t *global, const size_t *local,
                                                 cl_uint wait_count, const cl_event *wait, cl_event *event);
cl_int CL_API_CALL nf_cl_enqueue_task(cl_command_queue queue, cl_kernel kernel, cl_uint wait_count,
                                      const cl_event *wait, cl_event *event);

/* ---- extension.c: extension functions that take a kernel --------------------------------------------------------- */

/* Returns the layer's function of that name, which calls the driver's function `driver_function`; that function itself
 * if too many drivers have one; NULL if the layer has no function of that name. */
nf_cl_function nf_cl_kernel_extension(const char *name, nf_cl_function driver_function);

#endif
