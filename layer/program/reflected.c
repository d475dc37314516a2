/* SPDX-License-Identifier: Apache-2.0 */
/*
 * reflected.c - a driver's information about kernels that it has built from source: attributes, and names, types and
 * qualifiers of their arguments. Measured: binaries of Intel's processor driver lose it. Takes a built program; gives
 * the records that kernel/reflect.c reads, in the format of nonflat-cl:
 *
 * kernel 5 54\nfirstreqd_work_group_size(64,1,1)\n1\tnone\tint*\trestrict \tin\n
 *
 * If a query for an argument fails, the kernel's record ends there, and the layer later answers the query with an
 * error, too.
 */
#define _GNU_SOURCE
#include "layer/program/program.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_KERNELS = 4096, TEXT = 1024 };

/* Returns the number that nonflat-cl's records have for the address space: 0 means private. */
static int memory_of(cl_kernel_arg_address_qualifier address)
{
    return address == CL_KERNEL_ARG_ADDRESS_GLOBAL     ? 1
           : address == CL_KERNEL_ARG_ADDRESS_CONSTANT ? 2
           : address == CL_KERNEL_ARG_ADDRESS_LOCAL    ? 3
                                                       : 0;
}

static const char *access_of(cl_kernel_arg_access_qualifier access)
{
    return access == CL_KERNEL_ARG_ACCESS_READ_ONLY    ? "read_only"
           : access == CL_KERNEL_ARG_ACCESS_WRITE_ONLY ? "write_only"
           : access == CL_KERNEL_ARG_ACCESS_READ_WRITE ? "read_write"
                                                       : "none";
}

static bool query_argument(cl_kernel kernel, cl_uint index, cl_kernel_arg_info name, size_t size, void *value)
{
    return NF_CL_CALL(clGetKernelArgInfo, CL_INVALID_KERNEL, kernel, index, name, size, value, NULL) == CL_SUCCESS;
}

/* Appends the line of one argument. @return false if a query fails, or if memory is exhausted. */
static bool append_argument(struct nf_cl_bytes *lines, cl_kernel kernel, cl_uint index)
{
    cl_kernel_arg_address_qualifier address;
    cl_kernel_arg_access_qualifier access;
    cl_kernel_arg_type_qualifier type;
    char type_name[TEXT] = "", name[TEXT] = "";
    if (!query_argument(kernel, index, CL_KERNEL_ARG_ADDRESS_QUALIFIER, sizeof address, &address) ||
        !query_argument(kernel, index, CL_KERNEL_ARG_ACCESS_QUALIFIER, sizeof access, &access) ||
        !query_argument(kernel, index, CL_KERNEL_ARG_TYPE_QUALIFIER, sizeof type, &type) ||
        !query_argument(kernel, index, CL_KERNEL_ARG_TYPE_NAME, sizeof type_name - 1, type_name) ||
        !query_argument(kernel, index, CL_KERNEL_ARG_NAME, sizeof name - 1, name))
        return false;
    char *line = nf_cl_format(
        "%d\t%s\t%s\t%s%s%s%s\t%s\n", memory_of(address), access_of(access), type_name,
        type & CL_KERNEL_ARG_TYPE_CONST ? "const " : "", type & CL_KERNEL_ARG_TYPE_RESTRICT ? "restrict " : "",
        type & CL_KERNEL_ARG_TYPE_VOLATILE ? "volatile " : "", type & CL_KERNEL_ARG_TYPE_PIPE ? "pipe" : "", name);
    bool good = line && nf_cl_append(lines, line, strlen(line));
    free(line);
    return good;
}

static bool append_kernel(struct nf_cl_bytes *records, cl_kernel kernel)
{
    char name[TEXT] = "", attributes[TEXT] = "";
    cl_uint count = 0;
    struct nf_cl_bytes lines = {NULL, 0};
    bool good = NF_CL_CALL(clGetKernelInfo, CL_INVALID_KERNEL, kernel, CL_KERNEL_FUNCTION_NAME, sizeof name - 1, name,
                           NULL) == CL_SUCCESS &&
                NF_CL_CALL(clGetKernelInfo, CL_INVALID_KERNEL, kernel, CL_KERNEL_ATTRIBUTES, sizeof attributes - 1,
                           attributes, NULL) == CL_SUCCESS &&
                NF_CL_CALL(clGetKernelInfo, CL_INVALID_KERNEL, kernel, CL_KERNEL_NUM_ARGS, sizeof count, &count,
                           NULL) == CL_SUCCESS &&
                nf_cl_append(&lines, attributes, strlen(attributes)) && nf_cl_append(&lines, "\n", 1);
    for (cl_uint i = 0; good && i < count; i++)
        if (!append_argument(&lines, kernel, i)) break;
    char *head = good ? nf_cl_format("kernel %zu %zu\n%s", strlen(name), lines.size, name) : NULL;
    good = head && nf_cl_append(records, head, strlen(head)) && nf_cl_append(records, lines.data, lines.size);
    free(head);
    free(lines.data);
    return good;
}

char *nf_cl_reflect_driver_kernels(cl_program program)
{
    cl_uint count = 0;
    if (NF_CL_CALL(clCreateKernelsInProgram, CL_INVALID_PROGRAM, program, 0, NULL, &count) != CL_SUCCESS ||
        count > MOST_KERNELS)
        return NULL;
    struct nf_cl_bytes records = {NULL, 0};
    cl_kernel *kernels = calloc(count + 1, sizeof *kernels);
    bool good = kernels && (count == 0 || NF_CL_CALL(clCreateKernelsInProgram, CL_INVALID_PROGRAM, program, count,
                                                     kernels, NULL) == CL_SUCCESS);
    for (cl_uint i = 0; good && i < count; i++)
        good = append_kernel(&records, kernels[i]);
    for (cl_uint i = 0; kernels && i < count; i++)
        if (kernels[i]) NF_CL_CALL(clReleaseKernel, CL_INVALID_KERNEL, kernels[i]);
    free(kernels);
    if (good && nf_cl_append(&records, "", 1)) return records.data;
    free(records.data);
    return NULL;
}
