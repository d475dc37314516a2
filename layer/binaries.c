/* SPDX-License-Identifier: Apache-2.0 */
/*
 * binaries.c - remembers on disk what a driver built, for drivers whose builds are slow and whose binaries are quick to
 * load (device.c says which). Takes a program and the options of a build; gives a built driver program, or nothing.
 *
 * A binary is only good for the very driver, device and processor that made it, so those are in its key, with whatever
 * the driver reads from the environment. The driver's log is kept with it: what an application can see is the same
 * with and without a hit. A binary that the driver refuses is forgotten.
 */
#define _GNU_SOURCE
#include "layer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern char **environ;

static const char kind[] = "binary";

/* ---- the key ---- */

static bool append_device(struct nf_cl_bytes *key, cl_device_id device, cl_device_info name)
{
    char text[1024] = "";
    NF_CL_CALL(clGetDeviceInfo, CL_INVALID_DEVICE, device, name, sizeof(text) - 1, text, NULL);
    return nf_cl_append_text(key, text);
}

static bool append_platform(struct nf_cl_bytes *key, cl_platform_id platform, cl_platform_info name)
{
    char text[1024] = "";
    NF_CL_CALL(clGetPlatformInfo, CL_INVALID_PLATFORM, platform, name, sizeof(text) - 1, text, NULL);
    return nf_cl_append_text(key, text);
}

static char processor[16384];
static pthread_once_t processor_once = PTHREAD_ONCE_INIT;

/* What the first processor of /proc/cpuinfo is and can do; drivers for the host compile for exactly that. */
static void read_processor(void)
{
    static const char *const wanted[] = {"model name", "flags", "Features", "CPU part", "CPU implementer"};
    char *line = NULL;
    size_t capacity = 0, used = 0;
    FILE *file = fopen("/proc/cpuinfo", "re");
    while (file && getline(&line, &capacity, file) > 1) {
        bool take = false;
        for (size_t i = 0; i < sizeof(wanted) / sizeof(wanted[0]); i++)
            take = take || strncmp(line, wanted[i], strlen(wanted[i])) == 0;
        size_t length = strlen(line);
        if (!take || length >= sizeof(processor) - used) continue;
        memcpy(processor + used, line, length);
        used += length;
    }
    free(line);
    if (file) fclose(file);
}

static bool append_environment(struct nf_cl_bytes *key)
{
    static const char *const prefixes[] = {"CL_CONFIG_", "POCL_", "IGC_", "NEO", "SYCL_CPU_", "OCL_"};
    bool good = true;
    for (char **at = environ; good && at && *at; at++)
        for (size_t i = 0; good && i < sizeof(prefixes) / sizeof(prefixes[0]); i++)
            if (strncmp(*at, prefixes[i], strlen(prefixes[i])) == 0 && strncmp(*at, "OCL_ICD", 7) != 0)
                good = nf_cl_append_text(key, *at);
    return good;
}

static bool make_key(const struct nf_cl_request *request, const struct nf_cl_device *device, const char *options,
                     const nf_spec_value *specs, size_t spec_count, struct nf_cl_bytes *key)
{
    static const cl_device_info device_names[] = {CL_DEVICE_NAME, CL_DEVICE_VENDOR, CL_DEVICE_VERSION,
                                                  CL_DRIVER_VERSION};
    static const cl_platform_info platform_names[] = {CL_PLATFORM_NAME, CL_PLATFORM_VENDOR, CL_PLATFORM_VERSION};
    bool good = true;
    pthread_once(&processor_once, read_processor);
    for (size_t i = 0; good && i < sizeof(device_names) / sizeof(device_names[0]); i++)
        good = append_device(key, device->id, device_names[i]);
    for (size_t i = 0; good && i < sizeof(platform_names) / sizeof(platform_names[0]); i++)
        good = append_platform(key, device->platform, platform_names[i]);
    for (size_t i = 0; good && i < spec_count; i++) {
        const uint64_t spec[] = {specs[i].id, specs[i].size, specs[i].value};
        good = nf_cl_append(key, spec, sizeof(spec));
    }
    return good && nf_cl_append_text(key, processor) && append_environment(key) && nf_cl_append_text(key, options) &&
           nf_cl_cache_key(request, key);
}

/* ---- in and out ---- */

bool nf_cl_binary_wanted(const struct nf_cl_program *program, const struct nf_cl_group *group)
{
    const struct nf_cl_config *config = nf_cl_config();
    return group->lead->cache_binaries && program->device_count == 1 && !config->dump &&
           (config->cache || config->system_cache);
}

/* A value is the driver's log with its NUL, and the binary. */
static cl_program load(const struct nf_cl_program *program, const struct nf_cl_bytes *value, const char *options,
                       char **log)
{
    const char *text = value->data;
    const char *end = memchr(text, 0, value->size);
    cl_int error = CL_SUCCESS, status = CL_SUCCESS;
    if (!end) return NULL;
    const unsigned char *binary = (const unsigned char *)end + 1;
    size_t size = value->size - (size_t)(end + 1 - text);
    cl_program inner = nf_cl_next()->clCreateProgramWithBinary(program->context, 1, &program->slots[0].device, &size,
                                                               &binary, &status, &error);
    if (!inner) return NULL;
    if (status == CL_SUCCESS &&
        nf_cl_next()->clBuildProgram(inner, 1, &program->slots[0].device, options, NULL, NULL) == CL_SUCCESS) {
        *log = strdup(text);
        return inner;
    }
    NF_CL_CALL(clReleaseProgram, CL_INVALID_PROGRAM, inner);
    return NULL;
}

cl_program nf_cl_binary_get(struct nf_cl_program *program, const struct nf_cl_group *group, const char *options,
                            uint64_t *state, char **log)
{
    struct nf_cl_request request = nf_cl_request_for(program, group, false);
    nf_spec_value *specs = NULL;
    size_t spec_count = 0;
    struct nf_cl_bytes key = {NULL, 0}, value = {NULL, 0};
    cl_program inner = NULL;
    if (nf_cl_program_copy_specs(program, &specs, &spec_count, state) &&
        make_key(&request, group->lead, options ? options : "", specs, spec_count, &key) &&
        nf_cl_store_get(kind, &key, &value)) {
        inner = load(program, &value, options, log);
        if (!inner) nf_cl_store_drop(kind, &key);
    }
    free(value.data);
    free(key.data);
    free(specs);
    return inner;
}

/* @return log and binary of a built driver program in one block. */
static bool fetch(cl_program inner, cl_device_id device, struct nf_cl_bytes *value)
{
    size_t size = 0, log_size = 0;
    if (NF_CL_CALL(clGetProgramInfo, CL_INVALID_PROGRAM, inner, CL_PROGRAM_BINARY_SIZES, sizeof(size), &size, NULL) !=
            CL_SUCCESS ||
        size == 0 ||
        NF_CL_CALL(clGetProgramBuildInfo, CL_INVALID_PROGRAM, inner, device, CL_PROGRAM_BUILD_LOG, 0, NULL,
                   &log_size) != CL_SUCCESS)
        return false;
    unsigned char *binary = malloc(size);
    char *log = calloc(1, log_size + 1);
    bool good = binary && log &&
                NF_CL_CALL(clGetProgramBuildInfo, CL_INVALID_PROGRAM, inner, device, CL_PROGRAM_BUILD_LOG, log_size,
                           log, NULL) == CL_SUCCESS &&
                NF_CL_CALL(clGetProgramInfo, CL_INVALID_PROGRAM, inner, CL_PROGRAM_BINARIES, sizeof(binary), &binary,
                           NULL) == CL_SUCCESS &&
                nf_cl_append_text(value, log) && nf_cl_append(value, binary, size);
    free(binary);
    free(log);
    return good;
}

void nf_cl_binary_put(struct nf_cl_program *program, const struct nf_cl_group *group, const char *options)
{
    struct nf_cl_request request = nf_cl_request_for(program, group, false);
    nf_spec_value *specs = NULL;
    size_t spec_count = 0;
    uint64_t state = 0;
    struct nf_cl_bytes key = {NULL, 0}, value = {NULL, 0};
    if (nf_cl_program_copy_specs(program, &specs, &spec_count, &state) &&
        make_key(&request, group->lead, options ? options : "", specs, spec_count, &key) &&
        fetch(group->inner, program->slots[0].device, &value))
        nf_cl_store_put(kind, &key, &value);
    free(value.data);
    free(key.data);
    free(specs);
}
