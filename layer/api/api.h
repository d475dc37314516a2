/* SPDX-License-Identifier: Apache-2.0 */
/*
 * api.h - the functions of the layer's dispatch table.
 *
 * Takes a call of the application. Gives the result of program/, kernel/ and device/ if the layer handles the object,
 * else the result of the next layer or the driver. May use: base, device, kernel, program, specialize, translate.
 */
#ifndef NONFLAT_LAYER_API_H
#define NONFLAT_LAYER_API_H

#include "layer/kernel/kernel.h"

/* ---- calls.c: programs ------------------------------------------------------------------------------------------- */

/* A parameter name of clGetProgramInfo that only this layer answers, and only for a NULL program. With it the layer
 * detects a second copy of itself in the chain. */
#define NF_CL_PROBE_PARAM ((cl_program_info)0x4e46504cu)
#define NF_CL_PROBE_ANSWER 0x6e6f6e666c617421ull

cl_int CL_API_CALL nf_cl_retain_program(cl_program program);
cl_int CL_API_CALL nf_cl_release_program(cl_program program);
cl_program CL_API_CALL nf_cl_create_program_with_il(cl_context context, const void *il, size_t length, cl_int *error);
cl_int CL_API_CALL nf_cl_build_program(cl_program program, cl_uint device_count, const cl_device_id *devices,
                                       const char *options, nf_cl_notify notify, void *user);
cl_int CL_API_CALL nf_cl_compile_program(cl_program program, cl_uint device_count, const cl_device_id *devices,
                                         const char *options, cl_uint header_count, const cl_program *headers,
                                         const char **names, nf_cl_notify notify, void *user);
cl_program CL_API_CALL nf_cl_link_program(cl_context context, cl_uint device_count, const cl_device_id *devices,
                                          const char *options, cl_uint input_count, const cl_program *inputs,
                                          nf_cl_notify notify, void *user, cl_int *error);
cl_int CL_API_CALL nf_cl_get_program_info(cl_program program, cl_program_info name, size_t size, void *value,
                                          size_t *size_ret);
cl_int CL_API_CALL nf_cl_get_program_build_info(cl_program program, cl_device_id device, cl_program_build_info name,
                                                size_t size, void *value, size_t *size_ret);
cl_int CL_API_CALL nf_cl_set_program_release_callback(cl_program program, nf_cl_notify notify, void *user);
cl_int CL_API_CALL nf_cl_set_program_spec(cl_program program, cl_uint id, size_t size, const void *value);

/* ---- extension.c: extension functions that take a program or IL -------------------------------------------------- */

/* Returns the layer's function of that name, or NULL. */
nf_cl_function nf_cl_program_extension(const char *name);
/* clCreateProgramWithILKHR */
cl_program CL_API_CALL nf_cl_create_program_with_il_khr(cl_context context, const void *il, size_t length,
                                                        cl_int *error);

/* ---- table.c: the dispatch table, and functions by name ---------------------------------------------------------- */

extern const cl_icd_dispatch nf_cl_dispatch;

#endif
