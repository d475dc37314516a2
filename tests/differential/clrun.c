/* SPDX-License-Identifier: Apache-2.0 */
/*
 * clrun.c - an ordinary OpenCL host program that runs one kernel, or a list of them, and prints the contents of the
 * buffers.
 *
 * The differential tests need it to run the same kernel on many drivers, with and without a layer. This program depends
 * on neither: it uses the first device that the loader reports, so OCL_ICD_VENDORS and OPENCL_LAYERS select both.
 *
 * Takes: clrun [--options TEXT] [--entry core|khr|any] [--repeat N]
 *            (FILE KERNELS GLOBAL LOCAL SPEC... | --batch LIST)
 *     FILE     *.spv is SPIR-V, *.bc is SPIR bitcode, *.cl is OpenCL C
 *     KERNELS  one name, or several joined by '+', run in turn with the same arguments
 *     LIST     a file of lines NAME FILE KERNELS GLOBAL LOCAL SPEC...; lines that share FILE share its build
 * Gives, for each: "begin NAME", one "argN HEX" for each buffer argument, "end NAME ok|build|run|usage". "begin" is
 * also printed to standard error, so that a driver's messages there can be attributed to a job. Exit status: 0 success,
 * 2 wrong usage or a file error, 3 a build failed, 4 a run failed (of several, the highest).
 */
#include "spec.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CL_TARGET_OPENCL_VERSION 300
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl.h>

enum { OK = 0, USAGE = 2, BUILD = 3, RUN = 4, MAX_ARGUMENTS = 32, MAX_WORDS = MAX_ARGUMENTS + 8 };

typedef cl_program (*create_il_function)(cl_context, const void *, size_t, cl_int *);

struct host {
    cl_platform_id platform;
    cl_device_id device;
    cl_context context;
    cl_command_queue queue;
    const char *options;
    const char *entry; /* "core", "khr" or "any" */
    int repeat;
    char file[4096]; /* of `program` */
    cl_program program;
};

struct job {
    const char *name;
    const char *file;
    char *kernels;
    size_t global, local;
    unsigned count;
    struct spec specs[MAX_ARGUMENTS];
    cl_mem buffers[MAX_ARGUMENTS];
};

static int complain(const char *what, cl_int code)
{
    fprintf(stderr, "clrun: %s: error %d\n", what, (int)code);
    return -1;
}

static int find_device(struct host *host)
{
    cl_platform_id platforms[16];
    cl_uint count = 0;
    cl_int code = clGetPlatformIDs(16, platforms, &count);
    if (code != CL_SUCCESS) return complain("clGetPlatformIDs", code);
    for (cl_uint i = 0; i < count && i < 16; ++i) {
        if (clGetDeviceIDs(platforms[i], CL_DEVICE_TYPE_ALL, 1, &host->device, NULL) != CL_SUCCESS) continue;
        host->platform = platforms[i];
        return 0;
    }
    return complain("no device", CL_DEVICE_NOT_FOUND);
}

static int open_host(struct host *host)
{
    cl_int code;
    if (find_device(host)) return -1;
    host->context = clCreateContext(NULL, 1, &host->device, NULL, NULL, &code);
    if (!host->context) return complain("clCreateContext", code);
    host->queue = clCreateCommandQueue(host->context, host->device, 0, &code);
    return host->queue ? 0 : complain("clCreateCommandQueue", code);
}

static void close_host(struct host *host)
{
    if (host->program) clReleaseProgram(host->program);
    if (host->queue) clReleaseCommandQueue(host->queue);
    if (host->context) clReleaseContext(host->context);
}

static unsigned char *read_file(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    unsigned char *bytes = NULL;
    if (!file) return NULL;
    if (fseek(file, 0, SEEK_END) == 0) {
        long end = ftell(file);
        rewind(file);
        bytes = end < 0 ? NULL : calloc((size_t)end + 1, 1);
        *size = bytes ? fread(bytes, 1, (size_t)end, file) : 0;
    }
    fclose(file);
    return bytes;
}

static cl_program create_from_il(struct host *host, const void *bytes, size_t size, cl_int *code)
{
    cl_program program = NULL;
    create_il_function khr;
    if (strcmp(host->entry, "khr") != 0) program = clCreateProgramWithIL(host->context, bytes, size, code);
    if (program || strcmp(host->entry, "core") == 0) return program;
    *(void **)&khr = clGetExtensionFunctionAddressForPlatform(host->platform, "clCreateProgramWithILKHR");
    return khr ? khr(host->context, bytes, size, code) : NULL;
}

static int ends(const char *text, const char *tail)
{
    size_t length = strlen(text), want = strlen(tail);
    return length >= want && strcmp(text + length - want, tail) == 0;
}

static cl_program create_program(struct host *host, const char *path, const unsigned char *bytes, size_t size,
                                 cl_int *code)
{
    const char *text = (const char *)bytes;
    if (ends(path, ".spv")) return create_from_il(host, bytes, size, code);
    if (ends(path, ".bc")) return clCreateProgramWithBinary(host->context, 1, &host->device, &size, &bytes, NULL, code);
    return clCreateProgramWithSource(host->context, 1, &text, &size, code);
}

static void print_log(struct host *host, cl_program program)
{
    size_t size = 0;
    char *log;
    clGetProgramBuildInfo(program, host->device, CL_PROGRAM_BUILD_LOG, 0, NULL, &size);
    log = calloc(size + 1, 1);
    if (!log) return;
    clGetProgramBuildInfo(program, host->device, CL_PROGRAM_BUILD_LOG, size, log, NULL);
    fprintf(stderr, "%s\n", log);
    free(log);
}

/* Makes host->program the built program of `path`, unless it is already. */
static int build(struct host *host, const char *path)
{
    char options[1024];
    size_t size = 0;
    cl_int code = CL_SUCCESS;
    unsigned char *bytes;
    if (host->program && strcmp(host->file, path) == 0) return OK;
    if (host->program) clReleaseProgram(host->program);
    bytes = read_file(path, &size);
    if (!bytes) fprintf(stderr, "clrun: cannot read %s\n", path);
    host->program = bytes ? create_program(host, path, bytes, size, &code) : NULL;
    free(bytes);
    if (!host->program) return bytes ? (complain("create program", code), BUILD) : USAGE;
    snprintf(options, sizeof options, "%s%s", ends(path, ".bc") ? "-x spir -spir-std=1.2 " : "", host->options);
    code = clBuildProgram(host->program, 1, &host->device, options, NULL, NULL);
    if (code != CL_SUCCESS) {
        complain("clBuildProgram", code);
        print_log(host, host->program);
        clReleaseProgram(host->program);
        host->program = NULL;
        return BUILD;
    }
    snprintf(host->file, sizeof host->file, "%s", path);
    return OK;
}

static int make_buffers(struct host *host, struct job *job)
{
    cl_int code;
    for (unsigned i = 0; i < job->count; ++i) {
        struct spec *spec = &job->specs[i];
        if (spec->kind != SPEC_BUFFER) continue;
        job->buffers[i] =
            clCreateBuffer(host->context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, spec->size, spec->bytes, &code);
        if (!job->buffers[i]) return complain("clCreateBuffer", code);
    }
    return 0;
}

static int set_argument(cl_kernel kernel, struct job *job, unsigned i)
{
    struct spec *spec = &job->specs[i];
    switch (spec->kind) {
    case SPEC_BUFFER: return clSetKernelArg(kernel, i, sizeof(cl_mem), &job->buffers[i]);
    case SPEC_SAME: return clSetKernelArg(kernel, i, sizeof(cl_mem), &job->buffers[spec->same]);
    case SPEC_LOCAL: return clSetKernelArg(kernel, i, spec->size, NULL);
    case SPEC_VALUE: return clSetKernelArg(kernel, i, spec->size, spec->bytes);
    }
    return CL_INVALID_VALUE;
}

static int run_kernel(struct host *host, struct job *job, const char *name)
{
    cl_int code;
    cl_kernel kernel = clCreateKernel(host->program, name, &code);
    if (!kernel) return complain("clCreateKernel", code);
    for (unsigned i = 0; i < job->count && code == CL_SUCCESS; ++i)
        code = set_argument(kernel, job, i);
    for (int i = 0; i < host->repeat && code == CL_SUCCESS; ++i)
        code = clEnqueueNDRangeKernel(host->queue, kernel, 1, NULL, &job->global, &job->local, 0, NULL, NULL);
    if (code == CL_SUCCESS) code = clFinish(host->queue);
    clReleaseKernel(kernel);
    return code == CL_SUCCESS ? 0 : complain(name, code);
}

static int print_buffers(struct host *host, struct job *job)
{
    for (unsigned i = 0; i < job->count; ++i) {
        struct spec *spec = &job->specs[i];
        cl_int code;
        if (!job->buffers[i]) continue;
        code = clEnqueueReadBuffer(host->queue, job->buffers[i], CL_TRUE, 0, spec->size, spec->bytes, 0, NULL, NULL);
        if (code != CL_SUCCESS) return complain("clEnqueueReadBuffer", code);
        printf("arg%u ", i);
        for (size_t j = 0; j < spec->size; ++j)
            printf("%02x", spec->bytes[j]);
        printf("\n");
    }
    return 0;
}

static int run_job(struct host *host, struct job *job)
{
    char *rest = job->kernels, *name;
    int status = build(host, job->file);
    if (status != OK) return status;
    if (make_buffers(host, job)) return RUN;
    while ((name = strsep(&rest, "+")))
        if (run_kernel(host, job, name)) return RUN;
    return print_buffers(host, job) ? RUN : OK;
}

static void free_job(struct job *job)
{
    for (unsigned i = 0; i < job->count; ++i) {
        if (job->buffers[i]) clReleaseMemObject(job->buffers[i]);
        spec_free(&job->specs[i]);
    }
}

/* `words` are NAME FILE KERNELS GLOBAL LOCAL SPEC... @return 0, or -1 after a message. */
static int parse_job(struct job *job, char **words, unsigned count)
{
    memset(job, 0, sizeof *job);
    if (count < 5 || count - 5 > MAX_ARGUMENTS) {
        fprintf(stderr, "clrun: expected NAME FILE KERNELS GLOBAL LOCAL SPEC...\n");
        return -1;
    }
    job->name = words[0];
    job->file = words[1];
    job->kernels = words[2];
    job->global = strtoul(words[3], NULL, 10);
    job->local = strtoul(words[4], NULL, 10);
    for (unsigned i = 5; i < count; ++i) {
        struct spec *spec = &job->specs[job->count];
        int bad = spec_parse(words[i], spec);
        ++job->count;
        if (bad || (spec->kind == SPEC_SAME && (spec->same >= i - 5 || job->specs[spec->same].kind != SPEC_BUFFER))) {
            fprintf(stderr, "clrun: bad argument %s\n", words[i]);
            return -1;
        }
    }
    return 0;
}

static int do_job(struct host *host, char **words, unsigned count)
{
    static const char *const said[] = {"ok", "", "usage", "build", "run"};
    struct job job;
    int status;
    printf("begin %s\n", count ? words[0] : "-");
    fprintf(stderr, "begin %s\n", count ? words[0] : "-");
    fflush(stdout);
    status = parse_job(&job, words, count) ? USAGE : run_job(host, &job);
    free_job(&job);
    printf("end %s %s\n", count ? words[0] : "-", said[status]);
    fflush(stdout);
    return status;
}

static int do_batch(struct host *host, const char *path)
{
    FILE *list = fopen(path, "r");
    char *line = NULL;
    size_t room = 0;
    int worst = OK;
    if (!list) {
        fprintf(stderr, "clrun: cannot read %s\n", path);
        return USAGE;
    }
    while (getline(&line, &room, list) >= 0) {
        char *words[MAX_WORDS], *rest = line, *word;
        unsigned count = 0;
        while ((word = strsep(&rest, " \t\n")))
            if (*word && count < MAX_WORDS) words[count++] = word;
        if (count == 0 || words[0][0] == '#') continue;
        int status = do_job(host, words, count);
        worst = status > worst ? status : worst;
    }
    free(line);
    fclose(list);
    return worst;
}

static int usage(void)
{
    fprintf(stderr, "usage: clrun [--options TEXT] [--entry core|khr|any] [--repeat N]\n"
                    "             (FILE KERNELS GLOBAL LOCAL SPEC... | --batch LIST)\n");
    return USAGE;
}

int main(int argc, char **argv)
{
    struct host host = {.options = "", .entry = "any", .repeat = 1};
    const char *batch = NULL;
    int i = 1, status;
    for (; i + 1 < argc && strncmp(argv[i], "--", 2) == 0; i += 2) {
        if (strcmp(argv[i], "--options") == 0)
            host.options = argv[i + 1];
        else if (strcmp(argv[i], "--entry") == 0)
            host.entry = argv[i + 1];
        else if (strcmp(argv[i], "--repeat") == 0)
            host.repeat = atoi(argv[i + 1]);
        else if (strcmp(argv[i], "--batch") == 0)
            batch = argv[i + 1];
        else
            return usage();
    }
    if (batch ? i != argc : argc - i < 4) return usage();
    if (open_host(&host)) return RUN;
    if (batch) {
        status = do_batch(&host, batch);
    } else {
        argv[i - 1] = (char *)"run"; /* the name of the only job */
        status = do_job(&host, argv + i - 1, (unsigned)(argc - i + 1));
    }
    close_host(&host);
    return status;
}
