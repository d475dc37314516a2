/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sub_groups.c - answers queries about the sub-groups of a kernel that a driver refuses, as PoCL's client does for
 * devices of other machines. Takes the application's module, and the sizes that the device supports. Gives the size
 * that the kernel requires; or else, if the code does not depend on the size, one of the device's sizes, because each
 * of them is correct. If the code depends on the size, the layer cannot determine the size, and the driver's error is
 * returned.
 */
#include "layer/kernel/kernel.h"

#include <stdlib.h>
#include <string.h>

enum {
    MOST_SIZES = 16,
    SUB_GROUP_SIZES = 0x4108,       /* CL_DEVICE_SUB_GROUP_SIZES_INTEL */
    COMPILE_SUB_GROUP_SIZE = 0x410A /* CL_KERNEL_COMPILE_SUB_GROUP_SIZE_INTEL */
};

/* Returns the size in the middle of the device's list, as a compromise; 0 if it lists none, or more than MOST_SIZES.
 * PoCL's client refuses a buffer that is larger than the list. */
static size_t usual_size(cl_device_id device)
{
    size_t sizes[MOST_SIZES], bytes = 0;
    cl_int error = NF_CL_CALL(clGetDeviceInfo, CL_INVALID_DEVICE, device, SUB_GROUP_SIZES, 0, NULL, &bytes);
    if (error != CL_SUCCESS || !bytes || bytes > sizeof sizes) return 0;
    error = NF_CL_CALL(clGetDeviceInfo, CL_INVALID_DEVICE, device, SUB_GROUP_SIZES, bytes, sizes, NULL);
    return error == CL_SUCCESS ? sizes[bytes / sizeof *sizes / 2] : 0;
}

/* The size of a kernel's sub-groups. */
struct sizes {
    size_t required; /* by the kernel; 0: no size */
    size_t size;     /* of the launches; 0: the layer cannot determine it */
};

static struct sizes sizes_of(cl_kernel handle, const struct nf_cl_program *program, cl_device_id device)
{
    cl_int unused;
    char *name = nf_cl_kernel_own_name(handle, program, &unused);
    struct sizes sizes = {name ? nf_cl_required_subgroup_size(&program->module, name) : 0, 0};
    sizes.size =
        sizes.required || !name || nf_cl_shows_subgroups(&program->module) ? sizes.required : usual_size(device);
    free(name);
    return sizes;
}

/* Returns the target if its device gets the application's SPIR-V, specialized or not; else NULL. */
static const struct nf_cl_target *target_with_il(const struct nf_cl_program *program, cl_device_id device)
{
    const struct nf_cl_target *target = device                       ? nf_cl_program_target(program, device)
                                        : program->device_count == 1 ? &program->targets[0]
                                                                     : NULL;
    const struct nf_cl_group *group = target && target->group >= 0 ? &program->groups[target->group] : NULL;
    return group && !group->by_driver && nf_cl_takes_il(group->delivery) ? target : NULL;
}

/* Returns the product of a work-group size of one to three dimensions, 0 if there is none. */
static size_t work_items(size_t input_size, const void *input)
{
    size_t local[3] = {1, 1, 1};
    if (!input || !input_size || input_size > sizeof local || input_size % sizeof *local) return 0;
    memcpy(local, input, input_size);
    return local[0] * local[1] * local[2];
}

/* Returns the number of work-items of a work-group that consists of `count` sub-groups of `size` work-items; 0 if the
 * kernel cannot have it. */
static size_t local_size(cl_kernel kernel, cl_device_id device, size_t count, size_t size)
{
    size_t most = 0;
    nf_cl_get_kernel_work_group_info(kernel, device, CL_KERNEL_WORK_GROUP_SIZE, sizeof most, &most, NULL);
    return count && count <= most / size ? count * size : 0;
}

static cl_int answer(cl_kernel kernel, cl_device_id device, cl_kernel_sub_group_info name, struct sizes sizes,
                     size_t input_size, const void *input, size_t size, void *value, size_t *size_ret, cl_int error)
{
    size_t items = work_items(input_size, input), result[3] = {sizes.size, 1, 1}, count = 0;
    size_t bytes = sizeof *result;
    switch (name) {
    case CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE:
        if (!items) return error;
        break;
    case CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE:
        if (!items) return error;
        result[0] = items / sizes.size + (items % sizes.size != 0);
        break;
    case CL_KERNEL_LOCAL_SIZE_FOR_SUB_GROUP_COUNT:
        if (!input || input_size != sizeof count) return error;
        memcpy(&count, input, sizeof count);
        result[0] = local_size(kernel, device, count, sizes.size);
        if (!result[0]) result[1] = result[2] = 0;
        if (size && size <= sizeof result && size % sizeof *result == 0) bytes = size; /* of one to three dimensions */
        break;
    case COMPILE_SUB_GROUP_SIZE: result[0] = sizes.required; break;
    default: return error;
    }
    return nf_cl_answer(result, bytes, size, value, size_ret);
}

/* Answers a query after the driver has returned `error`, which is returned if the layer has no better answer. */
static cl_int answer_after(cl_int error, cl_kernel handle, cl_device_id device, cl_kernel_sub_group_info name,
                           size_t input_size, const void *input, size_t size, void *value, size_t *size_ret)
{
    struct nf_cl_kernel kernel;
    if ((error != CL_INVALID_VALUE && error != CL_INVALID_OPERATION) || !nf_cl_kernel_find(handle, &kernel))
        return error;
    const struct nf_cl_target *target = target_with_il(kernel.program, device);
    if (!target) return error;
    struct sizes sizes = sizes_of(handle, kernel.program, target->device);
    if (!sizes.size) return error;
    cl_int own = answer(handle, target->device, name, sizes, input_size, input, size, value, size_ret, error);
    if (own == CL_SUCCESS) nf_cl_log(NF_CL_DEBUG, "the driver does not answer query 0x%x about sub-groups", name);
    return own;
}

cl_int nf_cl_query_sub_group(nf_cl_sub_group_fn call, cl_kernel handle, cl_device_id device,
                             cl_kernel_sub_group_info name, size_t input_size, const void *input, size_t size,
                             void *value, size_t *size_ret)
{
    cl_kernel kernel = handle;
    cl_int error = nf_cl_kernel_for_device(&kernel, device);
    if (error != CL_SUCCESS) return error;
    error = call ? call(kernel, device, name, input_size, input, size, value, size_ret) : CL_INVALID_OPERATION;
    return answer_after(error, handle, device, name, input_size, input, size, value, size_ret);
}

cl_int CL_API_CALL nf_cl_get_kernel_sub_group_info(cl_kernel kernel, cl_device_id device, cl_kernel_sub_group_info name,
                                                   size_t input_size, const void *input, size_t size, void *value,
                                                   size_t *size_ret)
{
    return nf_cl_query_sub_group(nf_cl_next()->clGetKernelSubGroupInfo, kernel, device, name, input_size, input, size,
                                 value, size_ret);
}

cl_int CL_API_CALL nf_cl_get_kernel_sub_group_info_khr(cl_kernel kernel, cl_device_id device,
                                                       cl_kernel_sub_group_info name, size_t input_size,
                                                       const void *input, size_t size, void *value, size_t *size_ret)
{
    return nf_cl_query_sub_group(nf_cl_next()->clGetKernelSubGroupInfoKHR, kernel, device, name, input_size, input,
                                 size, value, size_ret);
}
