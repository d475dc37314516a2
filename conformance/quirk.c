/* SPDX-License-Identifier: Apache-2.0 */
/*
 * quirk.c - nonflat-quirk: runs the kernels of small programs on the first device, without Nonflat.
 *
 * Takes: nonflat-quirk SECONDS < LIST    each line: ITEMS FILE.spv|FILE.cl [OPTIONS], a module in SPIR-V or source with
 *                                        build options. The kernel `k` has two arguments: `global int *out` of ITEMS
 *                                        elements, `global int *in` of 64, with 0, 1, 2...
 *        nonflat-quirk --driver          prints the device with the version of its driver; its extensions, and
 *                                        "sub-groups" if it has them
 *
 * Gives: for each line one line on standard output: the elements of `out` after one work-group of ITEMS work-items, or
 * the failure, or "skipped" if the device accepts no SPIR-V. A program that takes more than SECONDS of processor time
 * ends the process by SIGPROF. Exit status: 0 all programs ran, 2 wrong usage or a file error, 77 there is no device.
 */
#define _XOPEN_SOURCE 700
#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>

enum { MOST_ITEMS = 64, INPUTS = 64, TROUBLE = 2, SKIPPED = 77 };

static cl_context context;
static cl_device_id device;

/* Prints an error, if there is one, and returns true then. */
static bool failed(cl_int error, const char *what)
{
    if (error != CL_SUCCESS) printf("%s fails: %d\n", what, error);
    return error != CL_SUCCESS;
}

static void open_first(void)
{
    cl_platform_id platform;
    if (clGetPlatformIDs(1, &platform, NULL) != CL_SUCCESS ||
        clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL) != CL_SUCCESS)
        exit(SKIPPED);
    context = clCreateContext(NULL, 1, &device, NULL, NULL, NULL);
    if (!context) exit(SKIPPED);
}

static void print_driver(void)
{
    static char extensions[65536];
    char name[256] = "", version[256] = "";
    cl_uint groups = 0;
    clGetDeviceInfo(device, CL_DEVICE_NAME, sizeof name - 1, name, NULL);
    clGetDeviceInfo(device, CL_DRIVER_VERSION, sizeof version - 1, version, NULL);
    printf("%s, %s\n", name, version);
    clGetDeviceInfo(device, CL_DEVICE_EXTENSIONS, sizeof extensions - 1, extensions, NULL);
    clGetDeviceInfo(device, CL_DEVICE_MAX_NUM_SUB_GROUPS, sizeof groups, &groups, NULL);
    printf("%s%s\n", extensions, groups ? " sub-groups" : "");
}

static char *read_file(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    long length = -1;
    if (file && fseek(file, 0, SEEK_END) == 0) length = ftell(file);
    char *data = length >= 0 ? calloc(1, (size_t)length + 1) : NULL;
    if (data) rewind(file);
    *size = data ? fread(data, 1, (size_t)length, file) : 0;
    if (file) fclose(file);
    if (*size) return data;
    fprintf(stderr, "cannot read %s\n", path);
    exit(TROUBLE);
}

static bool is_source(const char *path)
{
    size_t length = strlen(path);
    return length > 3 && strcmp(path + length - 3, ".cl") == 0;
}

static bool takes_modules(void)
{
    char versions[256] = "";
    clGetDeviceInfo(device, CL_DEVICE_IL_VERSION, sizeof versions - 1, versions, NULL);
    return strstr(versions, "SPIR-V");
}

/* Devices of OpenCL 1.2 have only the extension's function. */
static cl_program create_from_module(const void *data, size_t size, cl_int *error)
{
    cl_platform_id platform = NULL;
    cl_program program = clCreateProgramWithIL(context, data, size, error);
    if (program) return program;
    clGetDeviceInfo(device, CL_DEVICE_PLATFORM, sizeof platform, &platform, NULL);
    void *found = clGetExtensionFunctionAddressForPlatform(platform, "clCreateProgramWithILKHR");
    cl_program (*create)(cl_context, const void *, size_t, cl_int *);
    memcpy(&create, &found, sizeof create);
    return found ? create(context, data, size, error) : NULL;
}

static cl_program create(const char *path, cl_int *error)
{
    size_t size;
    char *data = read_file(path, &size);
    const char *text = data;
    cl_program program = is_source(path) ? clCreateProgramWithSource(context, 1, &text, &size, error)
                                         : create_from_module(data, size, error);
    free(data);
    return program;
}

static void print_log(cl_program program)
{
    static char log[65536];
    if (clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, sizeof log - 1, log, NULL) == CL_SUCCESS)
        fprintf(stderr, "%s\n", log);
}

static void launch(cl_kernel kernel, size_t items)
{
    cl_int in[INPUTS], out[MOST_ITEMS];
    for (int i = 0; i < INPUTS; i++)
        in[i] = i;
    memset(out, -1, sizeof out);
    cl_command_queue queue = clCreateCommandQueueWithProperties(context, device, NULL, NULL);
    cl_mem result = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof out, out, NULL);
    cl_mem input = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof in, in, NULL);
    clSetKernelArg(kernel, 0, sizeof result, &result);
    clSetKernelArg(kernel, 1, sizeof input, &input);
    if (failed(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, &items, 0, NULL, NULL), "the launch")) return;
    if (failed(clEnqueueReadBuffer(queue, result, CL_TRUE, 0, sizeof out, out, 0, NULL, NULL), "the kernel")) return;
    for (size_t i = 0; i < items; i++)
        printf("%s%d", i ? " " : "", out[i]);
    printf("\n");
}

static void run(const char *path, const char *options, size_t items)
{
    cl_int error = CL_SUCCESS;
    if (!is_source(path) && !takes_modules()) {
        printf("skipped\n");
        return;
    }
    cl_program program = create(path, &error);
    if (failed(error, "the creation")) return;
    error = clBuildProgram(program, 1, &device, options, NULL, NULL);
    if (error != CL_SUCCESS) print_log(program);
    if (failed(error, "the build")) return;
    cl_kernel kernel = clCreateKernel(program, "k", &error);
    if (!failed(error, "clCreateKernel")) launch(kernel, items);
}

static void limit_time(long seconds)
{
    const struct itimerval timer = {.it_value.tv_sec = seconds};
    setitimer(ITIMER_PROF, &timer, NULL);
}

int main(int argc, char **argv)
{
    bool driver = argc == 2 && strcmp(argv[1], "--driver") == 0;
    long seconds = argc == 2 ? strtol(argv[1], NULL, 10) : 0;
    if (!driver && seconds <= 0) {
        fprintf(stderr, "usage: nonflat-quirk SECONDS < LIST\n       nonflat-quirk --driver\n");
        return TROUBLE;
    }
    setvbuf(stdout, NULL, _IOLBF, 0);
    open_first();
    if (driver) {
        print_driver();
        return 0;
    }
    char line[4096], path[2048];
    while (fgets(line, sizeof line, stdin)) {
        unsigned items = 0;
        int end = 0;
        line[strcspn(line, "\n")] = '\0';
        if (sscanf(line, "%u %2047s%n", &items, path, &end) != 2 || !items || items > MOST_ITEMS) return TROUBLE;
        limit_time(seconds);
        run(path, line + end, items);
    }
    return 0;
}
