/* SPDX-License-Identifier: Apache-2.0 */
/*
 * internal.h - the calls of cl_khr_unified_svm, and the core calls that it extends. Only this folder includes it.
 */
#ifndef NONFLAT_LAYER_USM_INTERNAL_H
#define NONFLAT_LAYER_USM_INTERNAL_H

#include "layer/usm/usm.h"

/* ---- svm.c: allocation and free of the driver's own SVM ---------------------------------------------------------- */

/* Allocates memory of the driver, with flags of clSVMAlloc, and adds it to the context's list. Returns NULL on
 * failure. */
void *nf_usm_svm_allocate(struct nf_usm_context *context, enum nf_usm_type type, const struct nf_usm_request *request,
                          cl_svm_mem_flags flags, size_t size);
/* Frees the block or the driver's SVM that begins at `pointer`. Returns false if no block and no SVM begins there. */
bool nf_usm_svm_release(struct nf_usm_context *context, void *pointer);
void *CL_API_CALL nf_usm_svm_alloc(cl_context context, cl_svm_mem_flags flags, size_t size, cl_uint alignment);
void CL_API_CALL nf_usm_svm_free(cl_context context, void *pointer);
cl_int CL_API_CALL nf_usm_enqueue_svm_free(cl_command_queue queue, cl_uint count, void **pointers,
                                           void(CL_CALLBACK *notify)(cl_command_queue, cl_uint, void **, void *),
                                           void *user, cl_uint wait_count, const cl_event *wait, cl_event *event);

/* ---- svm_commands.c: the core's commands for SVM ----------------------------------------------------------------- */

cl_int CL_API_CALL nf_usm_enqueue_svm_copy(cl_command_queue queue, cl_bool blocking, void *target, const void *source,
                                           size_t size, cl_uint wait_count, const cl_event *wait, cl_event *event);
cl_int CL_API_CALL nf_usm_enqueue_svm_fill(cl_command_queue queue, void *target, const void *pattern,
                                           size_t pattern_size, size_t size, cl_uint wait_count, const cl_event *wait,
                                           cl_event *event);
cl_int CL_API_CALL nf_usm_enqueue_svm_map(cl_command_queue queue, cl_bool blocking, cl_map_flags flags, void *pointer,
                                          size_t size, cl_uint wait_count, const cl_event *wait, cl_event *event);
cl_int CL_API_CALL nf_usm_enqueue_svm_unmap(cl_command_queue queue, void *pointer, cl_uint wait_count,
                                            const cl_event *wait, cl_event *event);
cl_int CL_API_CALL nf_usm_enqueue_svm_migrate(cl_command_queue queue, cl_uint count, const void **pointers,
                                              const size_t *sizes, cl_mem_migration_flags flags, cl_uint wait_count,
                                              const cl_event *wait, cl_event *event);

/* ---- unified.c: the functions of cl_khr_unified_svm -------------------------------------------------------------- */

void *CL_API_CALL nf_usm_unified_alloc(cl_context context, const cl_svm_alloc_properties_khr *properties, cl_uint index,
                                       size_t size, cl_int *error);
cl_int CL_API_CALL nf_usm_unified_free(cl_context context, const cl_svm_free_properties_khr *properties,
                                       cl_svm_free_flags_khr flags, void *pointer);
cl_int CL_API_CALL nf_usm_unified_pointer_info(cl_context context, cl_device_id device, const void *pointer,
                                               cl_svm_pointer_info_khr name, size_t size, void *value,
                                               size_t *size_ret);
cl_int CL_API_CALL nf_usm_unified_suggest(cl_context context, cl_svm_capabilities_khr required,
                                          cl_svm_capabilities_khr desired,
                                          const cl_svm_alloc_properties_khr *properties, size_t size, cl_uint *index);

#endif
