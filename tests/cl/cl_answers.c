/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cl_answers.c - prints the answers to all queries about a program that it builds, or compiles and links: with the
 * layer and without it the text is the same if the source has no generic pointers. `cl_answers FILE.cl [OPTIONS]`
 */
#define CL_TARGET_OPENCL_VERSION 300
#include "open_first.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static cl_context context;
static cl_device_id device;

static char *read_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    char *text = calloc(1, 1 << 16);
    if (!file || !text || fread(text, 1, (1 << 16) - 1, file) == 0) {
        fprintf(stderr, "cl_answers: cannot read %s\n", path);
        exit(2);
    }
    fclose(file);
    return text;
}

static void open_device(void)
{
    cl_int error = open_first(&device, &context);
    if (error == CL_SUCCESS) return;
    fprintf(stderr, "cl_answers: no device: %d\n", error);
    exit(2);
}

/* A query about an object of any kind. */
typedef cl_int query_function(void *object, cl_uint name, size_t size, void *answer, size_t *length);

static cl_int query_program(void *program, cl_uint name, size_t size, void *answer, size_t *length)
{
    return clGetProgramInfo(program, name, size, answer, length);
}

static cl_int query_build(void *program, cl_uint name, size_t size, void *answer, size_t *length)
{
    return clGetProgramBuildInfo(program, device, name, size, answer, length);
}

static cl_int query_kernel(void *kernel, cl_uint name, size_t size, void *answer, size_t *length)
{
    return clGetKernelInfo(kernel, name, size, answer, length);
}

static cl_int query_group(void *kernel, cl_uint name, size_t size, void *answer, size_t *length)
{
    return clGetKernelWorkGroupInfo(kernel, device, name, size, answer, length);
}

/* The values of failed queries are ignored. */
static void print_text(query_function *query, void *object, cl_uint name, const char *what)
{
    static char answer[1 << 15];
    size_t length = 0;
    answer[0] = 0;
    cl_int error = query(object, name, sizeof answer, answer, &length);
    printf("%s: %d, %zu bytes '%s'\n", what, error, error ? 0 : length, error ? "" : answer);
}
#define PRINT_TEXT(query, object, name) print_text(query, object, name, #name)

static void print_number(query_function *query, void *object, cl_uint name, size_t size, const char *what)
{
    cl_ulong answer = 0; /* little-endian, like all systems on which PoCL runs */
    cl_int error = query(object, name, size, &answer, NULL);
    printf("%s: %d, %llu\n", what, error, error ? 0 : (unsigned long long)answer);
}
#define PRINT_NUMBER(query, object, name, type) print_number(query, object, name, sizeof(type), #name)

static void print_argument(cl_kernel kernel, cl_uint index)
{
    char type[256] = "", name[256] = "";
    cl_uint space = 0, access = 0;
    cl_ulong qualifiers = 0;
    cl_int errors[] = {
        clGetKernelArgInfo(kernel, index, CL_KERNEL_ARG_ADDRESS_QUALIFIER, sizeof space, &space, NULL),
        clGetKernelArgInfo(kernel, index, CL_KERNEL_ARG_ACCESS_QUALIFIER, sizeof access, &access, NULL),
        clGetKernelArgInfo(kernel, index, CL_KERNEL_ARG_TYPE_NAME, sizeof type, type, NULL),
        clGetKernelArgInfo(kernel, index, CL_KERNEL_ARG_TYPE_QUALIFIER, sizeof qualifiers, &qualifiers, NULL),
        clGetKernelArgInfo(kernel, index, CL_KERNEL_ARG_NAME, sizeof name, name, NULL),
    };
    for (size_t i = 0; i < sizeof errors / sizeof *errors; i++)
        printf("%d ", errors[i]);
    printf("argument %u: %x %x '%s' %llx '%s'\n", index, space, access, type, (unsigned long long)qualifiers, name);
}

static void print_kernel(cl_kernel kernel)
{
    cl_uint count = 0;
    size_t group[3] = {0};
    PRINT_TEXT(query_kernel, kernel, CL_KERNEL_FUNCTION_NAME);
    PRINT_TEXT(query_kernel, kernel, CL_KERNEL_ATTRIBUTES);
    PRINT_NUMBER(query_group, kernel, CL_KERNEL_LOCAL_MEM_SIZE, cl_ulong);
    cl_int error = query_group(kernel, CL_KERNEL_COMPILE_WORK_GROUP_SIZE, sizeof group, group, NULL);
    printf("work-group: %d, %zu %zu %zu\n", error, group[0], group[1], group[2]);
    error = clGetKernelInfo(kernel, CL_KERNEL_NUM_ARGS, sizeof count, &count, NULL);
    printf("arguments: %d, %u\n", error, count);
    for (cl_uint i = 0; i <= count; i++) /* the last index is beyond the arguments */
        print_argument(kernel, i);
}

static void print_kernels(cl_program program)
{
    cl_kernel kernels[16];
    cl_uint count = 0;
    cl_int error = clCreateKernelsInProgram(program, 16, kernels, &count);
    printf("clCreateKernelsInProgram: %d, %u\n", error, error ? 0 : count);
    for (cl_uint i = 0; !error && i < count; i++) {
        print_kernel(kernels[i]);
        clReleaseKernel(kernels[i]);
    }
    clCreateKernel(program, "no_such_kernel", &error);
    printf("clCreateKernel: %d\n", error);
}

static void print_program(cl_program program)
{
    size_t binary = 0;
    PRINT_NUMBER(query_build, program, CL_PROGRAM_BUILD_STATUS, cl_build_status);
    PRINT_NUMBER(query_build, program, CL_PROGRAM_BINARY_TYPE, cl_program_binary_type);
    PRINT_NUMBER(query_build, program, CL_PROGRAM_BUILD_GLOBAL_VARIABLE_TOTAL_SIZE, size_t);
    PRINT_TEXT(query_build, program, CL_PROGRAM_BUILD_OPTIONS);
    PRINT_TEXT(query_build, program, CL_PROGRAM_BUILD_LOG);
    PRINT_NUMBER(query_program, program, CL_PROGRAM_NUM_KERNELS, size_t);
    PRINT_NUMBER(query_program, program, CL_PROGRAM_REFERENCE_COUNT, cl_uint);
    PRINT_TEXT(query_program, program, CL_PROGRAM_KERNEL_NAMES);
    PRINT_TEXT(query_program, program, CL_PROGRAM_SOURCE);
    PRINT_TEXT(query_program, program, CL_PROGRAM_IL);
    cl_int error = clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof binary, &binary, NULL);
    printf("binary: %d, %s\n", error, binary ? "some" : "none");
    print_kernels(program);
}

static void build(const char *text, const char *options)
{
    cl_int error;
    cl_program program = clCreateProgramWithSource(context, 1, &text, NULL, &error);
    printf("--- clCreateProgramWithSource: %d\n", error);
    if (!program) return;
    print_program(program);
    printf("--- clBuildProgram: %d\n", clBuildProgram(program, 1, &device, options, NULL, NULL));
    print_program(program);
    clReleaseProgram(program);
}

static void print_linked(cl_program part, const char *options)
{
    cl_int error;
    cl_program linked = clLinkProgram(context, 1, &device, options, 1, &part, NULL, NULL, &error);
    printf("--- clLinkProgram '%s': %d\n", options, error);
    if (!linked) return;
    print_program(linked);
    clReleaseProgram(linked);
}

static void compile_and_link(const char *text, const char *options)
{
    cl_program part = clCreateProgramWithSource(context, 1, &text, NULL, NULL);
    cl_int error = clCompileProgram(part, 1, &device, options, 0, NULL, NULL, NULL, NULL);
    printf("--- clCompileProgram: %d\n", error);
    print_program(part);
    if (error == CL_SUCCESS) print_linked(part, "");
    if (error == CL_SUCCESS) print_linked(part, "-create-library");
    clReleaseProgram(part);
}

int main(int count, char **words)
{
    if (count < 2) {
        fprintf(stderr, "usage: cl_answers FILE.cl [OPTIONS]\n");
        return 2;
    }
    const char *options = count > 2 ? words[2] : NULL;
    char *text = read_file(words[1]);
    open_device();
    setvbuf(stdout, NULL, _IOLBF, 0); /* the output before a crash of the driver counts */
    build(text, options);
    compile_and_link(text, options);
    clReleaseContext(context);
    free(text);
    return 0;
}
