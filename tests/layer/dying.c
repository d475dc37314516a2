/* SPDX-License-Identifier: Apache-2.0 */
/*
 * dying.c - a test layer that turns any driver into one that ends the process. A build option selects how:
 *
 *     -Ddie=abort, crash, exit  the build ends the process in this way
 *     -Ddie=sleep, killed       in a trial the build does not end; the process of the trial is killed, as by the
 *                               out-of-memory killer
 *     -Ddie=kernels, launch     the process ends when a kernel is created, or launched
 *     -Ddie=hang                a launch does not end in a trial
 *     -Ddie=bare                the build ends the process unless LD_PRELOAD is set
 *     -Ddie=talkative           the build ends the process after much output, with a backtrace after the reason
 *     -Ddie=worn                a process of trials ends at each build after its first, as if that broke the driver
 *     -Drefused, -Dslow         the build fails in a trial; the build takes some time
 *
 * TEST_BUILDS names a file that gets one line for each build, with "tried" or "built", the module's size and the
 * options; "copied" is a build of a trial while the program that is tried exists, and "loaded" a build without a
 * module. A launch gets a line with "launched" and the number of dimensions. TEST_PROCESSES names a file that gets the
 * process id of each process that tries builds.
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

/* Nonflat is inactive in that process. */
static int is_trial(void)
{
    const char *mode = getenv("NONFLAT_MODE");
    return mode && strcmp(mode, "off") == 0;
}

static void write_line(const char *path, const char *line)
{
    int file = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    if (file < 0) return;
    if (write(file, line, strlen(line)) < 0) perror(path);
    close(file);
}

static void write_down(const char *word, size_t number, const char *options)
{
    const char *path = getenv("TEST_BUILDS");
    char line[512];
    snprintf(line, sizeof line, "%s %zu %s\n", word, number, options);
    if (path) write_line(path, line);
}

static void write_process_down(void)
{
    const char *path = getenv("TEST_PROCESSES");
    char line[32];
    snprintf(line, sizeof line, "%ld\n", (long)getpid());
    if (path) write_line(path, line);
}

static int programs; /* that exist, in a process that tries builds */
static int builds;

static void write_build_down(cl_program program, const char *options)
{
    size_t size = 0, text = 0;
    next.clGetProgramInfo(program, CL_PROGRAM_IL, 0, NULL, &size);
    next.clGetProgramInfo(program, CL_PROGRAM_SOURCE, 0, NULL, &text);
    if (is_trial() && builds++ == 0) write_process_down();
    const char *trial = size + text == 0 ? "loaded" : programs > 0 ? "copied" : "tried";
    write_down(is_trial() ? trial : "built", size, options);
    programs++;
}

static cl_int CL_API_CALL release(cl_program program)
{
    programs--;
    return next.clReleaseProgram(program);
}

static bool dies_with_kernels, dies_at_launch, hangs_at_launch;

static void talk(void)
{
    for (int i = 0; i < 20000; i++)
        fputs("a shader that is dumped\n", stderr);
    fputs("the reason, at last\nstack backtrace:\n", stderr);
    for (int i = 0; i < 100; i++)
        fprintf(stderr, "%4d:     0x7ff65b884549 - <unknown>\n             at ../src/stub.rs:231:13\n", i);
    fputs("aborting\n", stderr);
}

static void live_or_die(cl_program program, const char *options)
{
    if (!options) options = "";
    write_build_down(program, options);
    dies_with_kernels = strstr(options, "die=kernels");
    dies_at_launch = strstr(options, "die=launch");
    hangs_at_launch = strstr(options, "die=hang");
    if (strstr(options, "slow")) usleep(300000);
    if (strstr(options, "die=worn") && is_trial() && programs == 1 && builds > 1) abort();
    if (strstr(options, "die=worn")) return;
    if (strstr(options, "die=bare") && !getenv("LD_PRELOAD")) abort();
    if (strstr(options, "die=bare") || dies_with_kernels || dies_at_launch || hangs_at_launch) return;
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
    if (options && strstr(options, "refused") && is_trial()) return CL_BUILD_PROGRAM_FAILURE;
    return next.clBuildProgram(program, count, devices, options, notify, user);
}

static cl_int CL_API_CALL compile(cl_program program, cl_uint count, const cl_device_id *devices, const char *options,
                                  cl_uint headers, const cl_program *header_list, const char **names, notify_fn notify,
                                  void *user)
{
    live_or_die(program, options);
    return next.clCompileProgram(program, count, devices, options, headers, header_list, names, notify, user);
}

static void die_if(bool dies)
{
    if (dies) fputs("panicked at stub.rs\n", stderr);
    if (dies) abort();
}

static cl_kernel CL_API_CALL create_kernel(cl_program program, const char *name, cl_int *error)
{
    die_if(dies_with_kernels);
    return next.clCreateKernel(program, name, error);
}

static cl_int CL_API_CALL create_kernels(cl_program program, cl_uint count, cl_kernel *kernels, cl_uint *count_ret)
{
    die_if(dies_with_kernels);
    return next.clCreateKernelsInProgram(program, count, kernels, count_ret);
}

/* A driver that compiles at the launch compiles the whole program, whichever kernel is launched. */
static cl_int CL_API_CALL launch(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions, const size_t *offset,
                                 const size_t *global, const size_t *local, cl_uint count, const cl_event *events,
                                 cl_event *event)
{
    write_down("launched", dimensions, "");
    die_if(dies_at_launch);
    if (hangs_at_launch && is_trial()) pause();
    return next.clEnqueueNDRangeKernel(queue, kernel, dimensions, offset, global, local, count, events, event);
}

const cl_icd_dispatch test_layer_calls = {.clBuildProgram = build,
                                          .clCompileProgram = compile,
                                          .clReleaseProgram = release,
                                          .clCreateKernel = create_kernel,
                                          .clCreateKernelsInProgram = create_kernels,
                                          .clEnqueueNDRangeKernel = launch};
const char test_layer_name[] = "dying";
