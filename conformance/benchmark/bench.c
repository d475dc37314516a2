/* SPDX-License-Identifier: Apache-2.0 */
/*
 * bench.c - nonflat-bench: measures how long kernels run, drivers build and calls take, on the first device of the
 * loader.
 *
 * Takes: nonflat-bench kernels LIST    lines NAME FILE KERNELS GLOBAL LOCAL SPEC..., as clrun takes them
 *        nonflat-bench builds LIST     a SPIR-V file a line
 *        nonflat-bench calls FILE      any SPIR-V file with a kernel
 * Kernels of LIST take turns, ROUNDS times, so that other load on the machine affects all of them equally. Gives: "NAME
 * MICROSECONDS" a line: the fastest run of each kernel, the CPU time of all builds, or the time of one call of each
 * kind.
 */
#define _GNU_SOURCE
#include "../../tests/differential/spec.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define CL_TARGET_OPENCL_VERSION 300
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl.h>

enum { ROUNDS = 40, MAX_JOBS = 64, MAX_WORDS = 16, MAX_SPECS = MAX_WORDS - 5, CALLS = 200000 };

struct host {
    cl_device_id device;
    cl_context context;
    cl_command_queue queue;
};

struct job {
    char name[64];
    cl_kernel before, kernel; /* `before` is a kernel that prepares the buffers, or NULL */
    size_t global, local;
    double best;
};

static double now(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec * 1e6 + (double)t.tv_nsec * 1e-3;
}

static int open_host(struct host *host)
{
    cl_platform_id platform;
    cl_int code = clGetPlatformIDs(1, &platform, NULL);
    if (code == CL_SUCCESS) code = clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &host->device, NULL);
    if (code == CL_SUCCESS) host->context = clCreateContext(NULL, 1, &host->device, NULL, NULL, &code);
    if (code == CL_SUCCESS) host->queue = clCreateCommandQueue(host->context, host->device, 0, &code);
    if (code != CL_SUCCESS) fprintf(stderr, "nonflat-bench: no device: error %d\n", (int)code);
    return code == CL_SUCCESS ? 0 : -1;
}

static cl_program build(const struct host *host, const char *path)
{
    FILE *file = fopen(path, "rb");
    static unsigned char bytes[16 << 20];
    size_t size = file ? fread(bytes, 1, sizeof bytes, file) : 0;
    cl_int code = CL_INVALID_VALUE;
    if (file) fclose(file);
    cl_program program = size ? clCreateProgramWithIL(host->context, bytes, size, &code) : NULL;
    if (program) code = clBuildProgram(program, 1, &host->device, "", NULL, NULL);
    if (code == CL_SUCCESS) return program;
    fprintf(stderr, "nonflat-bench: %s: error %d\n", path, (int)code);
    if (program) clReleaseProgram(program);
    return NULL;
}

/* ---- kernels ---- */

static int set_arguments(const struct host *host, struct job *job, char **specs, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        struct spec spec;
        cl_int code = CL_SUCCESS;
        if (spec_parse(specs[i], &spec) || spec.kind == SPEC_SAME) return -1;
        cl_mem buffer = NULL;
        const void *value = spec.bytes;
        size_t size = spec.size;
        if (spec.kind == SPEC_BUFFER) { /* retained until the process ends */
            buffer = clCreateBuffer(host->context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, size, spec.bytes, &code);
            value = &buffer;
            size = sizeof buffer;
        }
        if (code == CL_SUCCESS) code = clSetKernelArg(job->kernel, i, size, value);
        if (code == CL_SUCCESS && job->before) code = clSetKernelArg(job->before, i, size, value);
        spec_free(&spec);
        if (code != CL_SUCCESS) return -1;
    }
    return 0;
}

static int open_job(const struct host *host, struct job *job, char **words, unsigned count)
{
    char *first, *second = words[2];
    memset(job, 0, sizeof *job);
    job->best = 1e30;
    snprintf(job->name, sizeof job->name, "%s", words[0]);
    job->global = strtoul(words[3], NULL, 10);
    job->local = strtoul(words[4], NULL, 10);
    cl_program program = build(host, words[1]);
    if (!program) return -1;
    if (strchr(second, '+')) {
        first = strsep(&second, "+");
        job->before = clCreateKernel(program, first, NULL);
    }
    job->kernel = clCreateKernel(program, second, NULL);
    return job->kernel ? set_arguments(host, job, words + 5, count - 5) : -1;
}

static int run_job(const struct host *host, struct job *job)
{
    cl_int code = CL_SUCCESS;
    if (job->before)
        code = clEnqueueNDRangeKernel(host->queue, job->before, 1, NULL, &job->global, &job->local, 0, NULL, NULL);
    if (code == CL_SUCCESS) code = clFinish(host->queue);
    double start = now(CLOCK_MONOTONIC);
    if (code == CL_SUCCESS)
        code = clEnqueueNDRangeKernel(host->queue, job->kernel, 1, NULL, &job->global, &job->local, 0, NULL, NULL);
    if (code == CL_SUCCESS) code = clFinish(host->queue);
    double time = now(CLOCK_MONOTONIC) - start;
    if (time < job->best) job->best = time;
    return code == CL_SUCCESS ? 0 : -1;
}

static unsigned read_jobs(const struct host *host, FILE *list, struct job *jobs)
{
    char *line = NULL;
    size_t room = 0;
    unsigned count = 0;
    while (count < MAX_JOBS && getline(&line, &room, list) >= 0) {
        char *words[MAX_WORDS], *rest = line, *word;
        unsigned n = 0;
        while ((word = strsep(&rest, " \n")))
            if (*word && n < MAX_WORDS) words[n++] = word;
        if (n < 5) continue;
        if (open_job(host, &jobs[count], words, n) == 0)
            count++;
        else
            fprintf(stderr, "nonflat-bench: %s cannot be run\n", words[0]);
    }
    free(line);
    return count;
}

static int time_kernels(const struct host *host, FILE *list)
{
    static struct job jobs[MAX_JOBS];
    unsigned count = read_jobs(host, list, jobs);
    for (int round = 0; round < ROUNDS; round++)
        for (unsigned i = 0; i < count; i++)
            if (run_job(host, &jobs[i])) return -1;
    for (unsigned i = 0; i < count; i++)
        printf("%s %.1f\n", jobs[i].name, jobs[i].best);
    return 0;
}

/* ---- builds ---- */

/* Prints a line for each module at once, because drivers crash on some. */
static int time_builds(const struct host *host, FILE *list)
{
    char path[4096];
    double start = now(CLOCK_PROCESS_CPUTIME_ID);
    while (fgets(path, sizeof path, list)) {
        path[strcspn(path, "\n")] = '\0';
        cl_program program = build(host, path);
        if (program) clReleaseProgram(program);
        printf("builds %.0f\n", now(CLOCK_PROCESS_CPUTIME_ID) - start);
        fflush(stdout);
    }
    return 0;
}

/* ---- calls ---- */

#define TIME_CALLS(name, call)                                                                                         \
    do {                                                                                                               \
        double start = now(CLOCK_MONOTONIC);                                                                           \
        for (int i = 0; i < CALLS; i++)                                                                                \
            call;                                                                                                      \
        printf("%s %.4f\n", name, (now(CLOCK_MONOTONIC) - start) / CALLS);                                             \
    } while (0)

static void time_kernel_calls(cl_kernel kernel)
{
    cl_ulong nothing = 0;
    cl_uint number;
    cl_program program;
    TIME_CALLS("clSetKernelArg", clSetKernelArg(kernel, 0, sizeof nothing, &nothing));
    TIME_CALLS("clGetKernelInfo", clGetKernelInfo(kernel, CL_KERNEL_NUM_ARGS, sizeof number, &number, NULL));
    TIME_CALLS("clGetKernelInfo(PROGRAM)", clGetKernelInfo(kernel, CL_KERNEL_PROGRAM, sizeof program, &program, NULL));
}

static void time_other_calls(const struct host *host, cl_program program, cl_kernel kernel)
{
    cl_uint number;
    TIME_CALLS("clGetProgramInfo", clGetProgramInfo(program, CL_PROGRAM_NUM_DEVICES, sizeof number, &number, NULL));
    TIME_CALLS("clRetainKernel+clReleaseKernel", (clRetainKernel(kernel), clReleaseKernel(kernel)));
    TIME_CALLS("clRetainProgram+clReleaseProgram", (clRetainProgram(program), clReleaseProgram(program)));
    TIME_CALLS("clGetDeviceInfo",
               clGetDeviceInfo(host->device, CL_DEVICE_MAX_COMPUTE_UNITS, sizeof number, &number, NULL));
    TIME_CALLS("clGetContextInfo",
               clGetContextInfo(host->context, CL_CONTEXT_NUM_DEVICES, sizeof number, &number, NULL));
}

static int time_calls(const struct host *host, const char *path)
{
    cl_program program = build(host, path);
    cl_uint number;
    if (!program || clCreateKernelsInProgram(program, 0, NULL, &number) != CL_SUCCESS || number < 1) return -1;
    cl_kernel *kernels = calloc(number, sizeof *kernels); /* retained until the process ends */
    if (!kernels || clCreateKernelsInProgram(program, number, kernels, NULL) != CL_SUCCESS) return -1;
    time_kernel_calls(kernels[0]);
    time_other_calls(host, program, kernels[0]);
    return 0;
}

int main(int argc, char **argv)
{
    struct host host = {0};
    if (argc != 3) {
        fprintf(stderr, "usage: nonflat-bench (kernels LIST | builds LIST | calls FILE)\n");
        return 2;
    }
    if (open_host(&host)) return 1;
    if (strcmp(argv[1], "calls") == 0) return time_calls(&host, argv[2]) ? 1 : 0;
    FILE *list = fopen(argv[2], "r");
    if (!list) {
        fprintf(stderr, "nonflat-bench: cannot read %s\n", argv[2]);
        return 2;
    }
    int bad = strcmp(argv[1], "kernels") == 0 ? time_kernels(&host, list) : time_builds(&host, list);
    fclose(list);
    return bad ? 1 : 0;
}
