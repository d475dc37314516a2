/* SPDX-License-Identifier: Apache-2.0 */
/*
 * described.c - a driver with one device that answers queries from a description (describe.c), refuses the queries that
 * the description lacks, and reports each build as successful without building anything. Takes the file of `nonflat
 * cache warm --profile`; gives the dispatch table of a driver, over which the layer specializes modules as for the
 * device itself.
 */
#define _GNU_SOURCE
#include <ctype.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/cache/cache.h"

enum { MOST_ANSWERS = 128 };

/* A platform, device, context or program of this driver. The ICD loader reads the dispatch table at its beginning. */
struct object {
    const cl_icd_dispatch *calls;
    atomic_int references;
};

static struct object platform, device, context;

struct answer {
    const struct object *whose;
    unsigned query;
    size_t size;
    unsigned char *value;
};

static struct answer answers[MOST_ANSWERS];
static size_t answer_count;

/* ---- the description ---- */

static int digit_of(char c)
{
    return isdigit((unsigned char)c) ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

static bool take_bytes(const char *text, struct answer *answer)
{
    for (; text[0] && text[0] != '\n'; text += 2) {
        int high = digit_of(text[0]), low = high < 0 ? -1 : digit_of(text[1]);
        if (low < 0 || answer->size == NF_CACHE_ANSWER_MOST) return false;
        answer->value[answer->size++] = (unsigned char)(high * 16 + low);
    }
    return true;
}

static bool take_text(const char *text, struct answer *answer)
{
    const size_t length = strcspn(text, "\"\n");
    if (text[length] != '"' || length >= NF_CACHE_ANSWER_MOST) return false;
    memcpy(answer->value, text, length);
    answer->value[length] = '\0';
    answer->size = length + 1;
    return true;
}

/* Parses one line. Returns false if the line does not belong to a description. */
static bool take_line(const char *line)
{
    char whose[16];
    unsigned query;
    int length = 0;
    if (*line == '#' || *line == '\n') return true;
    if (sscanf(line, "%15s %x %n", whose, &query, &length) != 2 || length == 0) return false;
    const bool of_platform = strcmp(whose, "platform") == 0;
    if ((!of_platform && strcmp(whose, "device") != 0) || answer_count == MOST_ANSWERS) return false;
    struct answer *answer = &answers[answer_count++];
    *answer = (struct answer){of_platform ? &platform : &device, query, 0, malloc(NF_CACHE_ANSWER_MOST)};
    if (!answer->value) return false;
    return line[length] == '"'   ? take_text(line + length + 1, answer)
           : line[length] == ':' ? take_bytes(line + length + 1, answer)
                                 : false;
}

static const struct answer *find_answer(const struct object *whose, unsigned query)
{
    for (size_t i = 0; i < answer_count; i++)
        if (answers[i].whose == whose && answers[i].query == query) return &answers[i];
    return NULL;
}

static int read_description(const char *path)
{
    FILE *file = fopen(path, "re");
    char *line = NULL;
    size_t capacity = 0, number = 0;
    bool good = file != NULL;
    if (!file) return nf_print_error("cannot open %s", path);
    for (; good && getline(&line, &capacity, file) > 0; number++)
        good = take_line(line);
    free(line);
    fclose(file);
    if (!good) return nf_print_error("%s:%zu is not a line of a device's description", path, number);
    if (!find_answer(&device, CL_DEVICE_NAME) || !find_answer(&device, CL_DEVICE_VERSION))
        return nf_print_error("%s describes no device; 'nonflat cache describe' writes such a file", path);
    return NF_EXIT_DONE;
}

/* ---- driver functions that answer from a description ---- */

static cl_int give(const void *data, size_t data_size, size_t size, void *value, size_t *size_ret)
{
    if (value && size < data_size) return CL_INVALID_VALUE;
    if (value) memcpy(value, data, data_size);
    if (size_ret) *size_ret = data_size;
    return CL_SUCCESS;
}

static cl_int give_answer(const struct object *whose, unsigned query, size_t size, void *value, size_t *size_ret)
{
    const struct answer *answer = find_answer(whose, query);
    return answer ? give(answer->value, answer->size, size, value, size_ret) : CL_INVALID_VALUE;
}

static cl_int CL_API_CALL get_platforms(cl_uint count, cl_platform_id *list, cl_uint *found)
{
    if (list && count) list[0] = (cl_platform_id)(void *)&platform;
    if (found) *found = 1;
    return CL_SUCCESS;
}

static cl_int CL_API_CALL platform_info(cl_platform_id id, cl_platform_info query, size_t size, void *value,
                                        size_t *size_ret)
{
    (void)id;
    return give_answer(&platform, query, size, value, size_ret);
}

static cl_int CL_API_CALL get_devices(cl_platform_id id, cl_device_type type, cl_uint count, cl_device_id *list,
                                      cl_uint *found)
{
    (void)id;
    (void)type;
    if (list && count) list[0] = (cl_device_id)(void *)&device;
    if (found) *found = 1;
    return CL_SUCCESS;
}

static cl_int CL_API_CALL device_info(cl_device_id id, cl_device_info query, size_t size, void *value, size_t *size_ret)
{
    const void *const platform_id = &platform, *const none = NULL;
    (void)id;
    if (query == CL_DEVICE_PLATFORM) return give(&platform_id, sizeof platform_id, size, value, size_ret);
    if (query == CL_DEVICE_PARENT_DEVICE) return give(&none, sizeof none, size, value, size_ret);
    return give_answer(&device, query, size, value, size_ret);
}

static cl_context CL_API_CALL create_context(const cl_context_properties *properties, cl_uint count,
                                             const cl_device_id *list,
                                             void(CL_CALLBACK *notify)(const char *, const void *, size_t, void *),
                                             void *user, cl_int *error)
{
    (void)properties;
    (void)count;
    (void)list;
    (void)notify;
    (void)user;
    if (error) *error = CL_SUCCESS;
    return (cl_context)(void *)&context;
}

static cl_int CL_API_CALL keep_context(cl_context id)
{
    (void)id;
    return CL_SUCCESS;
}

static cl_int CL_API_CALL context_info(cl_context id, cl_context_info query, size_t size, void *value, size_t *size_ret)
{
    const void *const devices[] = {&device};
    const cl_uint one = 1;
    (void)id;
    if (query == CL_CONTEXT_DEVICES) return give(devices, sizeof devices, size, value, size_ret);
    return query == CL_CONTEXT_NUM_DEVICES ? give(&one, sizeof one, size, value, size_ret) : CL_INVALID_VALUE;
}

static cl_program make_program(cl_int *error)
{
    struct object *program = calloc(1, sizeof *program);
    if (error) *error = program ? CL_SUCCESS : CL_OUT_OF_HOST_MEMORY;
    if (!program) return NULL;
    program->calls = platform.calls;
    atomic_init(&program->references, 1);
    return (cl_program)(void *)program;
}

static cl_program CL_API_CALL create_with_il(cl_context id, const void *il, size_t size, cl_int *error)
{
    (void)id;
    (void)il;
    (void)size;
    return make_program(error);
}

static cl_program CL_API_CALL create_with_source(cl_context id, cl_uint count, const char **texts,
                                                 const size_t *lengths, cl_int *error)
{
    (void)id;
    (void)count;
    (void)texts;
    (void)lengths;
    return make_program(error);
}

static cl_program CL_API_CALL create_with_binary(cl_context id, cl_uint count, const cl_device_id *list,
                                                 const size_t *sizes, const unsigned char **binaries, cl_int *status,
                                                 cl_int *error)
{
    (void)id;
    (void)list;
    (void)sizes;
    (void)binaries;
    for (cl_uint i = 0; status && i < count; i++)
        status[i] = CL_SUCCESS;
    return make_program(error);
}

static cl_int CL_API_CALL retain_program(cl_program id)
{
    atomic_fetch_add(&((struct object *)(void *)id)->references, 1);
    return CL_SUCCESS;
}

static cl_int CL_API_CALL release_program(cl_program id)
{
    struct object *program = (void *)id;
    if (atomic_fetch_sub(&program->references, 1) == 1) free(program);
    return CL_SUCCESS;
}

static cl_int CL_API_CALL build(cl_program id, cl_uint count, const cl_device_id *list, const char *options,
                                void(CL_CALLBACK *notify)(cl_program, void *), void *user)
{
    (void)count;
    (void)list;
    (void)options;
    if (notify) notify(id, user);
    return CL_SUCCESS;
}

static cl_int CL_API_CALL build_info(cl_program id, cl_device_id device_id, cl_program_build_info query, size_t size,
                                     void *value, size_t *size_ret)
{
    const cl_build_status status = CL_BUILD_SUCCESS;
    (void)id;
    (void)device_id;
    if (query == CL_PROGRAM_BUILD_STATUS) return give(&status, sizeof status, size, value, size_ret);
    return query == CL_PROGRAM_BUILD_LOG ? give("", 1, size, value, size_ret) : CL_INVALID_VALUE;
}

static cl_int CL_API_CALL program_info(cl_program id, cl_program_info query, size_t size, void *value, size_t *size_ret)
{
    const size_t none = 0;
    (void)id;
    if (query == CL_PROGRAM_KERNEL_NAMES) return give("", 1, size, value, size_ret);
    return query == CL_PROGRAM_NUM_KERNELS ? give(&none, sizeof none, size, value, size_ret) : CL_INVALID_VALUE;
}

static cl_int CL_API_CALL set_spec(cl_program id, cl_uint number, size_t size, const void *value)
{
    (void)id;
    (void)number;
    (void)size;
    (void)value;
    return CL_SUCCESS;
}

static void *CL_API_CALL find_extension(cl_platform_id id, const char *name)
{
    void *address = NULL;
    __typeof__(clCreateProgramWithIL) *create = create_with_il;
    (void)id;
    if (strcmp(name, "clCreateProgramWithILKHR") == 0) memcpy(&address, &create, sizeof address);
    return address;
}

static const cl_icd_dispatch calls = {
    .clGetPlatformIDs = get_platforms,
    .clGetPlatformInfo = platform_info,
    .clGetDeviceIDs = get_devices,
    .clGetDeviceInfo = device_info,
    .clCreateContext = create_context,
    .clRetainContext = keep_context,
    .clReleaseContext = keep_context,
    .clGetContextInfo = context_info,
    .clCreateProgramWithSource = create_with_source,
    .clCreateProgramWithBinary = create_with_binary,
    .clCreateProgramWithIL = create_with_il,
    .clRetainProgram = retain_program,
    .clReleaseProgram = release_program,
    .clBuildProgram = build,
    .clGetProgramInfo = program_info,
    .clGetProgramBuildInfo = build_info,
    .clSetProgramSpecializationConstant = set_spec,
    .clGetExtensionFunctionAddressForPlatform = find_extension,
};

const cl_icd_dispatch *nf_cache_described(const char *path)
{
    platform.calls = device.calls = context.calls = &calls;
    return read_description(path) == NF_EXIT_DONE ? &calls : NULL;
}
