/* SPDX-License-Identifier: Apache-2.0 */
/*
 * info.c - clGetProgramInfo and clGetProgramBuildInfo for programs of the layer. The driver program answers queries
 * about binaries, kernel names and its log; options, and the IL of a program that is not linked, are returned as the
 * application gave them.
 */
#define _GNU_SOURCE
#include "layer/program/program.h"

#include <stdlib.h>
#include <string.h>

/* ---- clGetProgramInfo ---- */

static cl_int answer_devices(const struct nf_cl_program *program, size_t size, void *value, size_t *size_ret)
{
    size_t total = program->device_count * sizeof(cl_device_id);
    if (value && size < total) return CL_INVALID_VALUE;
    for (cl_uint i = 0; value && i < program->device_count; i++)
        ((cl_device_id *)value)[i] = program->targets[i].device;
    if (size_ret) *size_ret = total;
    return CL_SUCCESS;
}

/* Finds the position of `device` in the driver program's list of devices. @return the length of the list, or 0 if the
 * device is not in it or a query fails. */
static cl_uint driver_position(cl_program driver_program, cl_device_id device, cl_uint *position)
{
    size_t size = 0;
    if (NF_CL_CALL(clGetProgramInfo, CL_INVALID_PROGRAM, driver_program, CL_PROGRAM_DEVICES, 0, NULL, &size) !=
        CL_SUCCESS)
        return 0;
    cl_device_id *devices = malloc(size ? size : 1);
    cl_uint count = (cl_uint)(size / sizeof *devices), found = 0;
    if (!devices || NF_CL_CALL(clGetProgramInfo, CL_INVALID_PROGRAM, driver_program, CL_PROGRAM_DEVICES, size, devices,
                               NULL) != CL_SUCCESS)
        count = 0;
    while (found < count && devices[found] != device)
        found++;
    free(devices);
    *position = found;
    return found < count ? count : 0;
}

/* Returns the driver program to query for its binary, and notes the query in the group; NULL if there is none. A
 * program whose kernels have a hidden argument has no binary, because a program that loads the binary would not pass
 * the argument. */
static struct nf_cl_driver_program *binary_source(struct nf_cl_program *program, const struct nf_cl_target *target)
{
    struct nf_cl_executable executable = nf_cl_program_executable_for(program, target->device);
    if (!executable.driver_program) return NULL;
    if (nf_cl_globals_size(program, &executable)) {
        nf_cl_driver_program_release(executable.driver_program);
        return NULL;
    }
    nf_cl_lock_acquire(program->lock);
    program->groups[target->group].queried = true;
    nf_cl_lock_release(program->lock);
    return executable.driver_program;
}

static size_t binary_size(struct nf_cl_program *program, const struct nf_cl_target *target)
{
    cl_uint position = 0;
    struct nf_cl_driver_program *driver_program = binary_source(program, target);
    cl_uint count = driver_program ? driver_position(driver_program->program, target->device, &position) : 0;
    size_t *sizes = calloc(count + 1, sizeof *sizes);
    size_t size = 0;
    if (sizes && count &&
        NF_CL_CALL(clGetProgramInfo, CL_INVALID_PROGRAM, driver_program->program, CL_PROGRAM_BINARY_SIZES,
                   count * sizeof *sizes, sizes, NULL) == CL_SUCCESS)
        size = sizes[position];
    nf_cl_driver_program_release(driver_program);
    free(sizes);
    return size;
}

static cl_int answer_binary_sizes(struct nf_cl_program *program, size_t size, void *value, size_t *size_ret)
{
    size_t total = program->device_count * sizeof(size_t);
    if (value && size < total) return CL_INVALID_VALUE;
    for (cl_uint i = 0; value && i < program->device_count; i++)
        ((size_t *)value)[i] = binary_size(program, &program->targets[i]);
    if (size_ret) *size_ret = total;
    return CL_SUCCESS;
}

static cl_int copy_binary(struct nf_cl_program *program, const struct nf_cl_target *target, unsigned char *into)
{
    cl_uint position = 0;
    struct nf_cl_driver_program *driver_program = binary_source(program, target);
    cl_uint count = driver_program ? driver_position(driver_program->program, target->device, &position) : 0;
    unsigned char **places = calloc((size_t)count + 1, sizeof *places);
    cl_int error = places ? CL_SUCCESS : CL_OUT_OF_HOST_MEMORY;
    if (places && count) {       /* otherwise the binary has size 0 */
        places[position] = into; /* the driver skips devices whose place is NULL */
        error = NF_CL_CALL(clGetProgramInfo, CL_INVALID_PROGRAM, driver_program->program, CL_PROGRAM_BINARIES,
                           count * sizeof *places, places, NULL);
    }
    nf_cl_driver_program_release(driver_program);
    free(places);
    return error;
}

static cl_int answer_binaries(struct nf_cl_program *program, size_t size, void *value, size_t *size_ret)
{
    size_t total = program->device_count * sizeof(unsigned char *);
    if (value && size < total) return CL_INVALID_VALUE;
    if (size_ret) *size_ret = total;
    for (cl_uint i = 0; value && i < program->device_count; i++) {
        unsigned char *into = ((unsigned char **)value)[i];
        cl_int error = into ? copy_binary(program, &program->targets[i], into) : CL_SUCCESS;
        if (error != CL_SUCCESS) return error;
    }
    return CL_SUCCESS;
}

static cl_int answer_names(struct nf_cl_program *program, const struct nf_cl_executable *executable, size_t size,
                           void *value, size_t *size_ret)
{
    cl_program driver_program = executable->driver_program->program;
    size_t length = 0;
    cl_int error =
        NF_CL_CALL(clGetProgramInfo, CL_INVALID_PROGRAM, driver_program, CL_PROGRAM_KERNEL_NAMES, 0, NULL, &length);
    if (error != CL_SUCCESS) return error;
    char *names = calloc(1, length + 1);
    if (names)
        error = NF_CL_CALL(clGetProgramInfo, CL_INVALID_PROGRAM, driver_program, CL_PROGRAM_KERNEL_NAMES, length, names,
                           NULL);
    char *own = names && error == CL_SUCCESS
                    ? nf_cl_original_names(program, names, nf_cl_globals_size(program, executable) > 0)
                    : NULL;
    if (error == CL_SUCCESS)
        error = own ? nf_cl_answer(own, strlen(own) + 1, size, value, size_ret) : CL_OUT_OF_HOST_MEMORY;
    free(own);
    free(names);
    return error;
}

/* Answers with the number of kernels without the hidden kernel. */
static cl_int answer_kernel_count(cl_program driver_program, size_t size, void *value, size_t *size_ret)
{
    size_t count = 0;
    cl_int error = NF_CL_CALL(clGetProgramInfo, CL_INVALID_PROGRAM, driver_program, CL_PROGRAM_NUM_KERNELS,
                              sizeof count, &count, NULL);
    count -= count > 0;
    return error == CL_SUCCESS ? nf_cl_answer(&count, sizeof count, size, value, size_ret) : error;
}

/* Returns true if the devices of the program's first group do not accept IL, so that the layer adds IL. */
static bool adds_il(const struct nf_cl_program *program)
{
    return program->group_count && !nf_cl_takes_il(program->groups[0].delivery);
}

/* Answers that the program has no source: drivers of bitcode report an empty string, drivers of IL no bytes. */
static cl_int answer_no_source(const struct nf_cl_program *program, size_t size, void *value, size_t *size_ret)
{
    return nf_cl_answer("", adds_il(program), size, value, size_ret);
}

/* Answers queries while there is no driver program. */
static cl_int answer_without_driver(const struct nf_cl_program *program, cl_program_info name, size_t size, void *value,
                                    size_t *size_ret)
{
    const cl_bool no = CL_FALSE;
    switch (name) {
    case CL_PROGRAM_NUM_KERNELS:
    case CL_PROGRAM_KERNEL_NAMES: return CL_INVALID_PROGRAM_EXECUTABLE;
    case CL_PROGRAM_SOURCE: return answer_no_source(program, size, value, size_ret);
    case CL_PROGRAM_SCOPE_GLOBAL_CTORS_PRESENT:
    case CL_PROGRAM_SCOPE_GLOBAL_DTORS_PRESENT: return nf_cl_answer(&no, sizeof no, size, value, size_ret);
    default: return CL_INVALID_VALUE;
    }
}

static cl_int answer_from_driver(struct nf_cl_program *program, cl_program_info name, size_t size, void *value,
                                 size_t *size_ret)
{
    struct nf_cl_executable executable = nf_cl_program_executable(program);
    if (!executable.driver_program) return answer_without_driver(program, name, size, value, size_ret);
    cl_program driver_program = executable.driver_program->program;
    cl_int error;
    if (name == CL_PROGRAM_KERNEL_NAMES)
        error = answer_names(program, &executable, size, value, size_ret);
    else if (name == CL_PROGRAM_NUM_KERNELS && nf_cl_globals_size(program, &executable))
        error = answer_kernel_count(driver_program, size, value, size_ret);
    else if (name == CL_PROGRAM_SOURCE && program->groups[executable.group].delivery == NF_CL_DELIVER_SOURCE)
        error = answer_no_source(program, size, value, size_ret); /* the driver has text that the layer wrote */
    else
        error = NF_CL_CALL(clGetProgramInfo, CL_INVALID_PROGRAM, driver_program, name, size, value, size_ret);
    nf_cl_driver_program_release(executable.driver_program);
    return error;
}

cl_int nf_cl_program_info(struct nf_cl_program *program, cl_program_info name, size_t size, void *value,
                          size_t *size_ret)
{
    cl_uint number;
    switch (name) {
    case CL_PROGRAM_REFERENCE_COUNT:
        number = nf_cl_program_references(program) + nf_cl_program_kernels(program); /* each kernel holds one */
        return nf_cl_answer(&number, sizeof number, size, value, size_ret);
    case CL_PROGRAM_SOURCE:
        if (!program->from_source) return answer_from_driver(program, name, size, value, size_ret);
        return NF_CL_CALL(clGetProgramInfo, CL_INVALID_PROGRAM, program->handle, name, size, value, size_ret);
    case CL_PROGRAM_CONTEXT: return nf_cl_answer(&program->context, sizeof program->context, size, value, size_ret);
    case CL_PROGRAM_NUM_DEVICES:
        return nf_cl_answer(&program->device_count, sizeof program->device_count, size, value, size_ret);
    case CL_PROGRAM_DEVICES: return answer_devices(program, size, value, size_ret);
    case CL_PROGRAM_BINARY_SIZES: return answer_binary_sizes(program, size, value, size_ret);
    case CL_PROGRAM_BINARIES: return answer_binaries(program, size, value, size_ret);
    case CL_PROGRAM_IL:
        if (program->from_source)
            return NF_CL_CALL(clGetProgramInfo, CL_INVALID_PROGRAM, program->handle, name, size, value, size_ret);
        return nf_cl_answer(program->module.data, program->linked ? 0 : program->module.size, size, value, size_ret);
    default: return answer_from_driver(program, name, size, value, size_ret);
    }
}

/* ---- clGetProgramBuildInfo ---- */

/* A copy of the build state of one device, taken under the lock. */
struct snapshot {
    bool known, building, attempted, failed, deferred, adds_il;
    cl_program_binary_type kind;
    struct nf_cl_executable executable; /* holds a reference to its driver program */
    char *options, *report, *binary_log, *compiler_log;
};

static struct snapshot take_snapshot(struct nf_cl_program *program, cl_device_id device)
{
    struct snapshot seen = {0};
    const struct nf_cl_target *target = nf_cl_program_target(program, device);
    if (!target) return seen;
    nf_cl_lock_acquire(program->lock);
    const struct nf_cl_group *group = target->group >= 0 ? &program->groups[target->group] : NULL;
    seen.known = true;
    seen.building = program->building;
    seen.attempted = target->attempted;
    seen.failed = target->failed;
    seen.deferred = target->deferred;
    seen.kind = target->kind;
    seen.executable.group = target->group;
    seen.executable.driver_program = group ? nf_cl_driver_program_retain(group->driver_program) : NULL;
    seen.adds_il = group && !nf_cl_takes_il(group->delivery);
    const char *options = program->link_options ? program->link_options : target->options;
    seen.options = nf_cl_format("%s", options ? options : "");
    seen.binary_log = group && group->binary_log ? strdup(group->binary_log) : NULL;
    seen.compiler_log = nf_cl_format("%s", target->attempted && program->compiler_log ? program->compiler_log : "");
    seen.report = nf_cl_format("%s", target->attempted && group && group->report ? group->report : "");
    nf_cl_lock_release(program->lock);
    return seen;
}

/* Returns the driver program in the snapshot, or NULL. */
static cl_program driver_program_of(const struct snapshot *seen)
{
    return seen->executable.driver_program ? seen->executable.driver_program->program : NULL;
}

static cl_int answer_log(const struct snapshot *seen, cl_device_id device, size_t size, void *value, size_t *size_ret)
{
    bool asks_driver = driver_program_of(seen) && !seen->failed && !seen->deferred;
    char *log = asks_driver && !seen->binary_log ? nf_cl_driver_log(driver_program_of(seen), device) : NULL;
    char *both = nf_cl_format("%s%s%s", seen->compiler_log ? seen->compiler_log : "", seen->report ? seen->report : "",
                              log                               ? log
                              : asks_driver && seen->binary_log ? seen->binary_log
                                                                : "");
    cl_int error = both ? nf_cl_answer(both, strlen(both) + 1, size, value, size_ret) : CL_OUT_OF_HOST_MEMORY;
    free(both);
    free(log);
    return error;
}

static cl_int answer_status(const struct snapshot *seen, cl_device_id device, size_t size, void *value,
                            size_t *size_ret)
{
    cl_build_status status = CL_BUILD_NONE;
    if (seen->failed)
        status = CL_BUILD_ERROR;
    else if (seen->building)
        status = CL_BUILD_IN_PROGRESS;
    else if (seen->deferred)
        status = CL_BUILD_SUCCESS;
    else if (driver_program_of(seen)) /* the driver decides whether a build for a device counts for its sub-devices */
        return NF_CL_CALL(clGetProgramBuildInfo, CL_INVALID_PROGRAM, driver_program_of(seen), device,
                          CL_PROGRAM_BUILD_STATUS, size, value, size_ret);
    return nf_cl_answer(&status, sizeof status, size, value, size_ret);
}

/* Answers a query of the binary type if the driver takes no IL: Oclgrind reports a compiled object even after a
 * successful build. */
static cl_int answer_added_kind(const struct snapshot *seen, cl_device_id device, size_t size, void *value,
                                size_t *size_ret)
{
    cl_program_binary_type kind = CL_PROGRAM_BINARY_TYPE_NONE;
    cl_build_status status = CL_BUILD_NONE;
    cl_int error = NF_CL_CALL(clGetProgramBuildInfo, CL_INVALID_PROGRAM, driver_program_of(seen), device,
                              CL_PROGRAM_BINARY_TYPE, sizeof kind, &kind, NULL);
    if (error == CL_SUCCESS)
        error = NF_CL_CALL(clGetProgramBuildInfo, CL_INVALID_PROGRAM, driver_program_of(seen), device,
                           CL_PROGRAM_BUILD_STATUS, sizeof status, &status, NULL);
    if (seen->attempted && status == CL_BUILD_SUCCESS) kind = seen->kind;
    return error == CL_SUCCESS ? nf_cl_answer(&kind, sizeof kind, size, value, size_ret) : error;
}

static cl_int answer_build_rest(struct nf_cl_program *program, const struct snapshot *seen, cl_device_id device,
                                cl_program_build_info name, size_t size, void *value, size_t *size_ret)
{
    const size_t nothing = 0;
    bool variables = driver_program_of(seen) && name == CL_PROGRAM_BUILD_GLOBAL_VARIABLE_TOTAL_SIZE;
    const size_t moved = variables ? nf_cl_globals_size(program, &seen->executable) : 0;
    if (moved) return nf_cl_answer(&moved, sizeof moved, size, value, size_ret);
    cl_program_binary_type kind = seen->deferred ? seen->kind : CL_PROGRAM_BINARY_TYPE_NONE;
    bool asks_driver = driver_program_of(seen) && !seen->failed && !seen->deferred;
    if (asks_driver && seen->adds_il && name == CL_PROGRAM_BINARY_TYPE)
        return answer_added_kind(seen, device, size, value, size_ret);
    if (asks_driver)
        return NF_CL_CALL(clGetProgramBuildInfo, CL_INVALID_PROGRAM, driver_program_of(seen), device, name, size, value,
                          size_ret);
    switch (name) {
    case CL_PROGRAM_BINARY_TYPE: return nf_cl_answer(&kind, sizeof kind, size, value, size_ret);
    case CL_PROGRAM_BUILD_GLOBAL_VARIABLE_TOTAL_SIZE:
        return nf_cl_answer(&nothing, sizeof nothing, size, value, size_ret);
    default: return CL_INVALID_VALUE;
    }
}

/* Returns the driver program, with a reference, of a device that is left to the driver; else NULL. */
static struct nf_cl_driver_program *driver_program_left(struct nf_cl_program *program, cl_device_id device)
{
    bool is = nf_cl_target_is_left_to_driver(program, nf_cl_program_target(program, device));
    return is ? nf_cl_program_executable_for(program, device).driver_program : NULL;
}

cl_int nf_cl_build_info(struct nf_cl_program *program, cl_device_id device, cl_program_build_info name, size_t size,
                        void *value, size_t *size_ret)
{
    struct nf_cl_driver_program *driver_program = driver_program_left(program, device);
    if (driver_program) {
        cl_int answer = NF_CL_CALL(clGetProgramBuildInfo, CL_INVALID_PROGRAM, driver_program->program, device, name,
                                   size, value, size_ret);
        nf_cl_driver_program_release(driver_program);
        return answer;
    }
    struct snapshot seen = take_snapshot(program, device);
    cl_int error = CL_INVALID_DEVICE;
    if (seen.known && name == CL_PROGRAM_BUILD_LOG)
        error = answer_log(&seen, device, size, value, size_ret);
    else if (seen.known && name == CL_PROGRAM_BUILD_STATUS)
        error = answer_status(&seen, device, size, value, size_ret);
    else if (seen.known && name == CL_PROGRAM_BUILD_OPTIONS)
        error = seen.options ? nf_cl_answer(seen.options, strlen(seen.options) + 1, size, value, size_ret)
                             : CL_OUT_OF_HOST_MEMORY;
    else if (seen.known)
        error = answer_build_rest(program, &seen, device, name, size, value, size_ret);
    nf_cl_driver_program_release(seen.executable.driver_program);
    free(seen.options);
    free(seen.report);
    free(seen.binary_log);
    free(seen.compiler_log);
    return error;
}
