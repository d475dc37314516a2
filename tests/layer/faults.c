/* SPDX-License-Identifier: Apache-2.0 */
/*
 * faults.c - a test layer that makes a driver fail in calls that only Nonflat makes: with TEST_FAULTS=SEED, creating
 * and building SPIR-V that is not the application's fails or takes long at random, and so do all calls about binaries.
 * With TEST_TYPE=accelerator devices report that type, so that a CPU driver gets modules that Nonflat changes for
 * accelerators only.
 *
 * SPIR-V counts as the application's if it is one of the files of TEST_MODULES, or the beginning of one, which are all
 * the modules that the walk uses, or a link of them: a link has generic pointers, because one of the parts always has
 * some, whereas a module from the layer has none.
 */
#define _GNU_SOURCE
#include "generic.h"
#include "test_layer.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SOME = 4096, SLOW_MICROSECONDS = 2500000 };
enum fault { NONE, CREATE, BUILD, SLOW, BINARY, FAULTS };

typedef void(CL_CALLBACK *notify_fn)(cl_program program, void *user);

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static cl_program doomed[SOME]; /* the fault of each program in `doomed` */
static enum fault dooms[SOME];
static uint64_t state;

static bool is_on(void)
{
    const char *seed = getenv("TEST_FAULTS");
    if (seed && !state) state = strtoull(seed, NULL, 10) * 2654435761u + 1;
    return seed != NULL;
}

static unsigned draw(unsigned below)
{
    pthread_mutex_lock(&lock);
    state = state * 6364136223846793005u + 1442695040888963407u;
    unsigned drawn = (unsigned)(state >> 33) % below;
    pthread_mutex_unlock(&lock);
    return drawn;
}

static void write_down(const char *what)
{
    const char *path = getenv("TEST_FAULTS_DONE");
    FILE *file = path ? fopen(path, "a") : NULL;
    if (!file) return;
    fprintf(file, "%s\n", what);
    fclose(file);
}

static void doom(cl_program program, enum fault fault)
{
    pthread_mutex_lock(&lock);
    for (int i = 0; i < SOME && program; i++)
        if (!doomed[i]) {
            doomed[i] = program;
            dooms[i] = fault;
            break;
        }
    pthread_mutex_unlock(&lock);
}

static enum fault doom_of(cl_program program)
{
    enum fault fault = NONE;
    pthread_mutex_lock(&lock);
    for (int i = 0; i < SOME && doomed[i]; i++)
        if (doomed[i] == program) fault = dooms[i];
    pthread_mutex_unlock(&lock);
    return fault;
}

/* Forgets a program, because a driver may give the next one the same handle. */
static void spare(cl_program program)
{
    pthread_mutex_lock(&lock);
    for (int i = 0; i < SOME && doomed[i]; i++)
        if (doomed[i] == program) dooms[i] = NONE;
    pthread_mutex_unlock(&lock);
}

/* ---- the application's modules and the layer's ------------------------------------------------------------------- */

static bool is_file(const char *name, const void *il, size_t length)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s.spv", getenv("TEST_MODULES"), name);
    FILE *file = fopen(path, "rb");
    char *data = malloc(length + 1);
    bool same = file && data && fread(data, 1, length, file) == length && memcmp(data, il, length) == 0;
    free(data);
    if (file) fclose(file);
    return same;
}

static bool is_theirs(const void *il, size_t length)
{
    static const char *const names[] = {"generic", "plain", "spec", "caller", "callee"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (is_file(names[i], il, length)) return true;
    return has_generic(il, length);
}

/* ---- the calls ---- */

static cl_program CL_API_CALL create_with_il(cl_context context, const void *il, size_t length, cl_int *error)
{
    enum fault fault = is_on() && !is_theirs(il, length) ? (enum fault)draw(FAULTS) : NONE;
    if (fault == CREATE) {
        write_down("create");
        if (error) *error = CL_INVALID_VALUE;
        return NULL;
    }
    cl_program program = next.clCreateProgramWithIL(context, il, length, error);
    spare(program);
    if (fault != NONE) doom(program, fault);
    return program;
}

static cl_program CL_API_CALL create_with_binary(cl_context context, cl_uint count, const cl_device_id *devices,
                                                 const size_t *sizes, const unsigned char **binaries, cl_int *status,
                                                 cl_int *error)
{
    enum fault fault = is_on() ? (enum fault)draw(FAULTS) : NONE;
    if (fault == CREATE) {
        write_down("create with binary");
        if (error) *error = CL_INVALID_BINARY;
        return NULL;
    }
    cl_program program = next.clCreateProgramWithBinary(context, count, devices, sizes, binaries, status, error);
    spare(program);
    if (fault == BUILD) doom(program, fault);
    return program;
}

static cl_int CL_API_CALL build(cl_program program, cl_uint count, const cl_device_id *devices, const char *options,
                                notify_fn notify, void *user)
{
    static const cl_int errors[] = {CL_BUILD_PROGRAM_FAILURE, CL_OUT_OF_RESOURCES, CL_OUT_OF_HOST_MEMORY,
                                    CL_INVALID_PROGRAM, -9999};
    enum fault fault = doom_of(program);
    if (fault == BUILD) {
        write_down("build");
        return errors[draw(sizeof errors / sizeof *errors)];
    }
    if (fault == SLOW) {
        write_down("slow");
        usleep(SLOW_MICROSECONDS);
    }
    return next.clBuildProgram(program, count, devices, options, notify, user);
}

static cl_int CL_API_CALL program_info(cl_program program, cl_program_info name, size_t size, void *value,
                                       size_t *size_ret)
{
    if (doom_of(program) == BINARY && (name == CL_PROGRAM_BINARIES || name == CL_PROGRAM_BINARY_SIZES)) {
        write_down("binary");
        return CL_OUT_OF_HOST_MEMORY;
    }
    return next.clGetProgramInfo(program, name, size, value, size_ret);
}

static cl_int CL_API_CALL device_info(cl_device_id device, cl_device_info name, size_t size, void *value,
                                      size_t *size_ret)
{
    const cl_device_type type = CL_DEVICE_TYPE_ACCELERATOR;
    if (name != CL_DEVICE_TYPE || !getenv("TEST_TYPE"))
        return next.clGetDeviceInfo(device, name, size, value, size_ret);
    return give(&type, sizeof type, size, value, size_ret);
}

const char test_layer_name[] = "faults";

const cl_icd_dispatch test_layer_calls = {
    .clCreateProgramWithIL = create_with_il,
    .clCreateProgramWithBinary = create_with_binary,
    .clBuildProgram = build,
    .clGetProgramInfo = program_info,
    .clGetDeviceInfo = device_info,
};
