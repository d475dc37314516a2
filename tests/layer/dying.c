/* SPDX-License-Identifier: Apache-2.0 */
/*
 * dying.c - a test layer that makes any driver one that ends the process: a build with an option that ends with die=HOW,
 * such as -Ddie=HOW, ends it that way (abort, crash, exit), and with -Ddie=sleep it does not end in the process that is there to try it; with
 * -Ddie=killed that one is killed, as the system does when memory ends; with -Ddie=kernels the process ends when kernels are
 * created. With -Ddie=bare it ends unless LD_PRELOAD is set, as a driver that needs a preload does; with -Ddie=talkative after
 * much output. TEST_BUILDS names a file that gets one line for
 * each build, with the module's size, "tried" or "built" and the options.
 */
#define _GNU_SOURCE
#include "test_layer.h"

#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef void(CL_CALLBACK *notify_fn)(cl_program program, void *user);

/* Nonflat switches itself off in that process. */
static int is_trial(void)
{
    const char *mode = getenv("NONFLAT_MODE");
    return mode && strcmp(mode, "off") == 0;
}

static void write_down(cl_program program, const char *options)
{
    const char *path = getenv("TEST_BUILDS");
    char line[512];
    size_t size = 0;
    int file = path ? open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600) : -1;
    if (file < 0) return;
    next.clGetProgramInfo(program, CL_PROGRAM_IL, 0, NULL, &size);
    int length = snprintf(line, sizeof line, "%s %zu %s\n", is_trial() ? "tried" : "built", size, options);
    if (write(file, line, (size_t)length) < 0) perror(path);
    close(file);
}

static bool dies_with_kernels;

static void talk(void)
{
    for (int i = 0; i < 20000; i++)
        fputs("a shader that is dumped\n", stderr);
    fputs("the reason, at last\n", stderr);
}

static void live_or_die(cl_program program, const char *options)
{
    if (!options) options = "";
    write_down(program, options);
    dies_with_kernels = strstr(options, "die=kernels");
    if (strstr(options, "die=bare") && !getenv("LD_PRELOAD")) abort();
    if (strstr(options, "die=bare") || dies_with_kernels) return;
    if (strstr(options, "die=talkative")) talk();
    if (strstr(options, "die=talkative")) abort();
    if (strstr(options, "die=")) fputs("panicked at stub.rs\n", stderr);
    if (strstr(options, "die=abort")) abort();
    if (strstr(options, "die=crash")) raise(SIGSEGV);
    if (strstr(options, "die=exit")) exit(0);
    if (strstr(options, "die=sleep") && is_trial()) pause();
    if (strstr(options, "die=killed") && is_trial()) raise(SIGKILL);
}

static cl_int CL_API_CALL build(cl_program program, cl_uint count, const cl_device_id *devices, const char *options,
                                notify_fn notify, void *user)
{
    live_or_die(program, options);
    return next.clBuildProgram(program, count, devices, options, notify, user);
}

static cl_int CL_API_CALL compile(cl_program program, cl_uint count, const cl_device_id *devices, const char *options,
                                  cl_uint headers, const cl_program *header_list, const char **names, notify_fn notify,
                                  void *user)
{
    live_or_die(program, options);
    return next.clCompileProgram(program, count, devices, options, headers, header_list, names, notify, user);
}

static cl_int CL_API_CALL create_kernels(cl_program program, cl_uint count, cl_kernel *kernels, cl_uint *count_ret)
{
    if (dies_with_kernels) fputs("panicked at stub.rs\n", stderr);
    if (dies_with_kernels) abort();
    return next.clCreateKernelsInProgram(program, count, kernels, count_ret);
}

const cl_icd_dispatch test_layer_calls = {
    .clBuildProgram = build, .clCompileProgram = compile, .clCreateKernelsInProgram = create_kernels};
const char test_layer_name[] = "dying";
