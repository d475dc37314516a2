/* SPDX-License-Identifier: Apache-2.0 */
/*
 * timed_build.c - builds of specialized modules on devices that accept the original module. Such devices work without
 * the layer, so the layer must not cause a failure that the application would not have had without it. Takes a driver
 * program and the application's options; gives the result of its build, and whether the original module must be built
 * instead.
 *
 *     hint: specialized module -> driver: "internal compiler error"   ->   original module -> driver: success
 *
 * Hazard: a build that exceeds `build-timeout` counts as failed but cannot be stopped. Such a build continues in its
 * own thread, and its result is discarded.
 */
#define _GNU_SOURCE
#include "layer/program/program.h"

#include <stdlib.h>
#include <string.h>

bool nf_cl_has_fallback(const struct nf_cl_group *group)
{
    const struct nf_cl_device_config *config = &group->config;
    return group->native && (!config->mode_given || config->mode == NF_MODE_HINT);
}

bool nf_cl_all_native(const struct nf_cl_program *program)
{
    bool native = program->group_count > 0 && !program->from_source;
    for (cl_uint i = 0; i < program->group_count; i++)
        native = native && program->groups[i].native && !program->groups[i].config.mode_given;
    return native;
}

void nf_cl_fall_back(struct nf_cl_program *program, struct nf_cl_group *group, enum nf_cl_level level,
                     struct nf_cl_failure *failure)
{
    if (!failure->why) failure->why = strdup("out of memory");
    if (failure->why)
        nf_cl_log(level, "a module of %zu bytes is given to the driver unchanged: %.*s", program->module.size,
                  (int)strcspn(failure->why, "\n"), failure->why);
    nf_cl_lock_acquire(program->lock);
    free(group->fallback.why);
    group->fallback = *failure;
    nf_cl_lock_release(program->lock);
    *failure = (struct nf_cl_failure){NULL, false, false};
}

/* ---- one build ---- */

/* One build, shared by the building thread and the waiting thread, which may stop waiting first. */
struct trial {
    struct nf_cl_job job; /* must be first: job.run() casts its argument to the whole structure */
    struct nf_cl_driver_program *driver_program;
    cl_uint count;
    cl_device_id *devices;
    char *options; /* NULL if the application passed NULL */
    cl_int error;
    atomic_int holders;
};

static void drop_trial(struct trial *trial)
{
    if (!trial || atomic_fetch_sub(&trial->holders, 1) != 1) return;
    nf_cl_driver_program_release(trial->driver_program);
    free(trial->devices);
    free(trial->options);
    free(trial);
}

static void run_trial(struct nf_cl_job *job)
{
    struct trial *trial = (struct trial *)job;
    trial->error = NF_CL_CALL(clBuildProgram, CL_INVALID_OPERATION, trial->driver_program->program, trial->count,
                              trial->devices, trial->options, NULL, NULL);
    drop_trial(trial);
}

static struct trial *new_trial(struct nf_cl_driver_program *driver_program, cl_uint count, const cl_device_id *devices,
                               const char *options)
{
    struct trial *trial = calloc(1, sizeof *trial);
    if (!trial) return NULL;
    atomic_init(&trial->holders, 1);
    trial->job.run = run_trial;
    trial->driver_program = nf_cl_driver_program_retain(driver_program);
    trial->count = count;
    trial->devices = malloc((count + 1) * sizeof *devices);
    trial->options = options ? strdup(options) : NULL;
    if (trial->devices && (!options || trial->options)) {
        memcpy(trial->devices, devices, count * sizeof *devices);
        return trial;
    }
    drop_trial(trial);
    return NULL;
}

/* Returns true for errors that the call's arguments cause, whatever the module is. */
static bool is_caused_by_arguments(cl_int error)
{
    return error == CL_INVALID_VALUE || error == CL_INVALID_DEVICE || error == CL_INVALID_BUILD_OPTIONS ||
           error == CL_INVALID_OPERATION;
}

/* Returns a message with the first non-empty line of the driver's log, if the log has less than 1 KiB, malloc'ed; NULL
 * if memory is exhausted. */
static char *failure_message(const struct trial *trial)
{
    char log[1024] = "";
    NF_CL_CALL(clGetProgramBuildInfo, CL_INVALID_PROGRAM, trial->driver_program->program, trial->devices[0],
               CL_PROGRAM_BUILD_LOG, sizeof log - 1, log, NULL);
    const char *line = log + strspn(log, " \t\r\n");
    return nf_cl_format("the driver does not build the specialized module (error %d)%s%.*s", trial->error,
                        *line ? ": " : "", (int)strcspn(line, "\r\n"), line);
}

cl_int nf_cl_timed_build(struct nf_cl_driver_program *driver_program, cl_uint count, const cl_device_id *devices,
                         const char *options, struct nf_cl_failure *failure)
{
    const unsigned seconds = nf_cl_config()->build_timeout;
    struct trial *trial = new_trial(driver_program, count, devices, options);
    *failure = (struct nf_cl_failure){NULL, false, false};
    if (!trial) return CL_OUT_OF_HOST_MEMORY;
    atomic_fetch_add(&trial->holders, 1);
    if (!nf_cl_run_with_timeout(&trial->job, seconds)) {
        failure->expires = true;
        failure->why = nf_cl_format("the driver's build of the specialized module took longer than %u s", seconds);
        drop_trial(trial);
        return CL_BUILD_PROGRAM_FAILURE;
    }
    cl_int error = trial->error;
    if (error != CL_SUCCESS && !is_caused_by_arguments(error)) failure->why = failure_message(trial);
    failure->transient = error == CL_OUT_OF_HOST_MEMORY || error == CL_OUT_OF_RESOURCES;
    drop_trial(trial);
    return error;
}
