/* SPDX-License-Identifier: Apache-2.0 */
/*
 * unified_svm.h - the names of cl_khr_unified_svm 0.9, for headers of OpenCL that lack them: the extension is not
 * final, so newer headers have it only with CL_ENABLE_BETA_EXTENSIONS, and older headers lack it. Include it after
 * CL/cl_ext.h.
 */
#ifndef NONFLAT_LAYER_UNIFIED_SVM_H
#define NONFLAT_LAYER_UNIFIED_SVM_H

#ifndef cl_khr_unified_svm

/* Bit masks of the capabilities of one type of memory. */
typedef cl_bitfield cl_svm_capabilities_khr;
#define CL_SVM_CAPABILITY_SINGLE_ADDRESS_SPACE_KHR (1 << 0)
#define CL_SVM_CAPABILITY_SYSTEM_ALLOCATED_KHR (1 << 1)
#define CL_SVM_CAPABILITY_DEVICE_OWNED_KHR (1 << 2)
#define CL_SVM_CAPABILITY_DEVICE_UNASSOCIATED_KHR (1 << 3)
#define CL_SVM_CAPABILITY_CONTEXT_ACCESS_KHR (1 << 4)
#define CL_SVM_CAPABILITY_HOST_OWNED_KHR (1 << 5)
#define CL_SVM_CAPABILITY_HOST_READ_KHR (1 << 6)
#define CL_SVM_CAPABILITY_HOST_WRITE_KHR (1 << 7)
#define CL_SVM_CAPABILITY_HOST_MAP_KHR (1 << 8)
#define CL_SVM_CAPABILITY_DEVICE_READ_KHR (1 << 9)
#define CL_SVM_CAPABILITY_DEVICE_WRITE_KHR (1 << 10)
#define CL_SVM_CAPABILITY_DEVICE_ATOMIC_ACCESS_KHR (1 << 11)
#define CL_SVM_CAPABILITY_CONCURRENT_ACCESS_KHR (1 << 12)
#define CL_SVM_CAPABILITY_CONCURRENT_ATOMIC_ACCESS_KHR (1 << 13)
#define CL_SVM_CAPABILITY_INDIRECT_ACCESS_KHR (1 << 14)

/* Queries of platforms and devices, and a property of kernels. */
#define CL_PLATFORM_SVM_TYPE_CAPABILITIES_KHR 0x0909
#define CL_DEVICE_SVM_TYPE_CAPABILITIES_KHR 0x1077
#define CL_KERNEL_EXEC_INFO_SVM_INDIRECT_ACCESS_KHR 0x11BB

/* Properties of an allocation, and the flags of CL_SVM_ALLOC_ACCESS_FLAGS_KHR. */
typedef cl_properties cl_svm_alloc_properties_khr;
#define CL_SVM_ALLOC_ASSOCIATED_DEVICE_HANDLE_KHR 0x2078
#define CL_SVM_ALLOC_ACCESS_FLAGS_KHR 0x2079
#define CL_SVM_ALLOC_ALIGNMENT_KHR 0x207A
typedef cl_bitfield cl_svm_alloc_access_flags_khr;
#define CL_SVM_ALLOC_ACCESS_HOST_NOREAD_KHR (1 << 0)
#define CL_SVM_ALLOC_ACCESS_HOST_NOWRITE_KHR (1 << 1)
#define CL_SVM_ALLOC_ACCESS_DEVICE_NOREAD_KHR (1 << 8)
#define CL_SVM_ALLOC_ACCESS_DEVICE_NOWRITE_KHR (1 << 9)

/* Properties and flags of a free; none are defined. */
typedef cl_properties cl_svm_free_properties_khr;
typedef cl_bitfield cl_svm_free_flags_khr;

/* Queries of pointers. */
typedef cl_uint cl_svm_pointer_info_khr;
#define CL_SVM_INFO_TYPE_INDEX_KHR 0x2088
#define CL_SVM_INFO_CAPABILITIES_KHR 0x2089
#define CL_SVM_INFO_PROPERTIES_KHR 0x208A
#define CL_SVM_INFO_ACCESS_FLAGS_KHR 0x208B
#define CL_SVM_INFO_BASE_PTR_KHR 0x419B
#define CL_SVM_INFO_SIZE_KHR 0x419C
#define CL_SVM_INFO_ASSOCIATED_DEVICE_HANDLE_KHR 0x419D

typedef void *(CL_API_CALL *clSVMAllocWithPropertiesKHR_fn)(cl_context, const cl_svm_alloc_properties_khr *, cl_uint,
                                                            size_t, cl_int *);
typedef cl_int(CL_API_CALL *clSVMFreeWithPropertiesKHR_fn)(cl_context, const cl_svm_free_properties_khr *,
                                                           cl_svm_free_flags_khr, void *);
typedef cl_int(CL_API_CALL *clGetSVMPointerInfoKHR_fn)(cl_context, cl_device_id, const void *, cl_svm_pointer_info_khr,
                                                       size_t, void *, size_t *);
typedef cl_int(CL_API_CALL *clGetSVMSuggestedTypeIndexKHR_fn)(cl_context, cl_svm_capabilities_khr,
                                                              cl_svm_capabilities_khr,
                                                              const cl_svm_alloc_properties_khr *, size_t, cl_uint *);

#endif

/* A query of the extension's draft that the headers lack. */
#define NF_USM_DEVICE_SVM_CONCURRENT_ACCESS_ATOM_SIZE 0x1078

#endif
