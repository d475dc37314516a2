/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cl_devices.c - source with generic pointers in contexts of several devices, on sub-devices, and in many threads that
 * build and run at once. Runs through the layer on a real driver.
 *
 *     cl_devices all        all devices of the first platform in one context, and each by itself
 *     cl_devices parts      sub-devices of the first device
 *     cl_devices threads N  N threads, each with programs of its own, for some rounds
 *     cl_devices mixed      two devices, one of which is not served because of a setting
 *     cl_devices differing  two devices that are served; the first one has no images
 */
#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 8, ROUNDS = 4 };

static const char generic[] = "int first(int *p) { return *p; }\n"
                              "__kernel void k(__global int *out) { int x = ADD; out[0] = first(&x) + first(out); }\n";

static cl_platform_id platform;
static cl_device_id devices[MOST];
static cl_uint device_count;
static atomic_int failures;

static void check(int good, const char *what, int line)
{
    if (!good) printf("FAILED: line %d: %s\n", line, what);
    failures += !good;
}
#define CHECK(condition) check(condition, #condition, __LINE__)

static cl_context make_context(cl_uint count, const cl_device_id *list)
{
    cl_int error;
    cl_context context = clCreateContext(NULL, count, list, NULL, NULL, &error);
    CHECK(error == CL_SUCCESS);
    return context;
}

/* Returns the result of `k` on `device`, whose buffer holds 2 before. */
static int run(cl_context context, cl_device_id device, cl_program program)
{
    cl_int error, value = 2;
    size_t one = 1;
    cl_kernel kernel = clCreateKernel(program, "k", &error);
    if (error != CL_SUCCESS) return -1000 + error;
    cl_command_queue queue = clCreateCommandQueue(context, device, 0, &error);
    cl_mem buffer = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof value, &value, &error);
    CHECK(clSetKernelArg(kernel, 0, sizeof buffer, &buffer) == CL_SUCCESS);
    CHECK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &one, &one, 0, NULL, NULL) == CL_SUCCESS);
    CHECK(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, sizeof value, &value, 0, NULL, NULL) == CL_SUCCESS);
    clReleaseMemObject(buffer);
    clReleaseCommandQueue(queue);
    clReleaseKernel(kernel);
    return value;
}

static int add_of(int number)
{
    return 10 + number;
}

static cl_program build(cl_context context, cl_uint count, const cl_device_id *list, int add, cl_int *error)
{
    const char *text = generic;
    char options[64];
    snprintf(options, sizeof options, "-cl-std=CL2.0 -DADD=%d", add);
    cl_program program = clCreateProgramWithSource(context, 1, &text, NULL, NULL);
    *error = clBuildProgram(program, count, list, options, NULL, NULL);
    return program;
}

/* Builds for all devices of `context` at once; each must compute the result. */
static void build_for(cl_uint count, const cl_device_id *list, int explicitly)
{
    cl_int error;
    cl_build_status status;
    cl_context context = make_context(count, list);
    cl_program program = build(context, explicitly ? count : 0, explicitly ? list : NULL, 40, &error);
    CHECK(error == CL_SUCCESS);
    for (cl_uint i = 0; i < count && error == CL_SUCCESS; i++) {
        CHECK(clGetProgramBuildInfo(program, list[i], CL_PROGRAM_BUILD_STATUS, sizeof status, &status, NULL) ==
                  CL_SUCCESS &&
              status == CL_BUILD_SUCCESS);
        CHECK(run(context, list[i], program) == 42);
    }
    clReleaseProgram(program);
    clReleaseContext(context);
}

static void all(void)
{
    CHECK(device_count > 1);
    build_for(device_count, devices, 0);
    build_for(device_count, devices, 1);
    for (cl_uint i = 0; i < device_count; i++)
        build_for(1, devices + i, 0);
    /* A program that is built for one device can be used on that one only. */
    cl_int error;
    cl_context context = make_context(device_count, devices);
    cl_program program = build(context, 1, devices + 1, 7, &error);
    CHECK(error == CL_SUCCESS && run(context, devices[1], program) == 9);
    clReleaseProgram(program);
    clReleaseContext(context);
}

static void parts(void)
{
    const cl_device_partition_property half[] = {CL_DEVICE_PARTITION_EQUALLY, 1, 0};
    cl_device_id list[64];
    cl_uint count = 0;
    cl_int error = clCreateSubDevices(devices[0], half, 64, list, &count);
    CHECK(error == CL_SUCCESS && count > 0);
    if (error != CL_SUCCESS) return;
    cl_uint used = count < 2 ? count : 2;
    build_for(used, list, 0);
    build_for(1, list, 1);
    for (cl_uint i = 0; i < count; i++)
        clReleaseDevice(list[i]);
}

/* ---- one device that the layer serves, and one that it does not -------------------------------------------------- */

static const char asking[] = "#include \"value.h\"\n"
                             "#ifdef __opencl_c_generic_address_space\n"
                             "int first(int *p) { return *p; }\n"
                             "#else\n"
                             "int first(__global int *p) { return *p + 100; }\n"
                             "#endif\n"
                             "int helper(int x);\n"
                             "__kernel void k(__global int *out) { out[0] = helper(first(out) + VALUE); }\n";
static const char helping[] = "int helper(int x) { return x * 3; }\n";
static const char whole[] = "#define VALUE 5\nint helper(int x) { return x; }\n";

static cl_device_id served, other;

static cl_build_status status_on(cl_program program, cl_device_id device)
{
    cl_build_status status = CL_BUILD_NONE;
    CHECK(clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_STATUS, sizeof status, &status, NULL) == CL_SUCCESS);
    return status;
}

static int log_has(cl_program program, cl_device_id device, const char *word)
{
    static char log[1 << 16];
    log[0] = '\0';
    CHECK(clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, sizeof log, log, NULL) == CL_SUCCESS);
    return strstr(log, word) != NULL;
}

/* Source that both compilers accept is built for each device by its own, whichever devices are built and in any
 * order. */
static void mixed_builds(cl_context context)
{
    static const char options[] = "-cl-std=CL3.0 -DWORTH=1";
    const char *texts[] = {whole, strchr(asking, '\n') + 1};
    cl_program program = clCreateProgramWithSource(context, 2, texts, NULL, NULL);
    char seen[64] = "";
    CHECK(clBuildProgram(program, 0, NULL, options, NULL, NULL) == CL_SUCCESS);
    CHECK(run(context, served, program) == 7);
    CHECK(run(context, other, program) == 107);
    CHECK(log_has(program, served, "nonflat:") && !log_has(program, other, "nonflat:"));
    CHECK(clGetProgramBuildInfo(program, other, CL_PROGRAM_BUILD_OPTIONS, sizeof seen, seen, NULL) == CL_SUCCESS);
    CHECK(strstr(seen, "-cl-std=CL3.0") && strstr(seen, "-DWORTH=1"));
    CHECK(clBuildProgram(program, 1, &other, options, NULL, NULL) == CL_SUCCESS);
    CHECK(run(context, other, program) == 107);
    CHECK(clBuildProgram(program, 1, &served, options, NULL, NULL) == CL_SUCCESS);
    CHECK(run(context, served, program) == 7);
    CHECK(clBuildProgram(program, 2, devices, options, NULL, NULL) == CL_SUCCESS);
    CHECK(run(context, other, program) == 107 && run(context, served, program) == 7);
    clReleaseProgram(program);
}

/* Source that one of the compilers refuses is nevertheless built for the other device. */
static void mixed_refusal(cl_context context)
{
    cl_int error;
    cl_program program = build(context, 0, NULL, 40, &error);
    CHECK(error == CL_BUILD_PROGRAM_FAILURE);
    CHECK(status_on(program, served) == CL_BUILD_SUCCESS && status_on(program, other) == CL_BUILD_ERROR);
    CHECK(run(context, served, program) == 42);
    CHECK(log_has(program, other, "error"));
    clReleaseProgram(program);
}

static cl_program compile_part(cl_context context, const char *text, const char *options, cl_program header)
{
    const char *name = "value.h";
    cl_program program = clCreateProgramWithSource(context, 1, &text, NULL, NULL);
    CHECK(clCompileProgram(program, 0, NULL, options, 1, &header, &name, NULL, NULL) == CL_SUCCESS);
    return program;
}

/* PoCL 3.1 can link only for the first devices of a context: not for the other one if it is second. */
static void mixed_link(cl_context context, const cl_program *parts)
{
    cl_int error;
    int first = devices[0] == other;
    cl_program linked = clLinkProgram(context, 0, NULL, NULL, 2, parts, NULL, NULL, &error);
    CHECK(linked && error == (first ? CL_SUCCESS : CL_LINK_PROGRAM_FAILURE));
    if (!linked) return;
    CHECK(run(context, served, linked) == 96);
    CHECK(status_on(linked, other) == (first ? CL_BUILD_SUCCESS : CL_BUILD_ERROR));
    if (first)
        CHECK(run(context, other, linked) == 396);
    else
        CHECK(log_has(linked, other, "cannot link"));
    clReleaseProgram(linked);
}

static void mixed_parts(cl_context context)
{
    const char *text = "#define VALUE 30\n";
    cl_program header = clCreateProgramWithSource(context, 1, &text, NULL, NULL);
    cl_program parts[] = {compile_part(context, asking, "-cl-std=CL3.0", header),
                          compile_part(context, helping, "", header)};
    mixed_link(context, parts);
    clReleaseProgram(parts[0]);
    clReleaseProgram(parts[1]);
    clReleaseProgram(header);
}

static void mixed(void)
{
    cl_bool has[2] = {CL_FALSE, CL_FALSE};
    CHECK(device_count == 2);
    for (int i = 0; i < 2; i++)
        clGetDeviceInfo(devices[i], CL_DEVICE_GENERIC_ADDRESS_SPACE_SUPPORT, sizeof has[i], &has[i], NULL);
    served = devices[has[1] ? 1 : 0];
    other = devices[has[1] ? 0 : 1];
    if (has[0] && has[1]) { /* also without the layer */
        puts("SKIPPED: this driver has generic pointers in source itself");
        exit(77);
    }
    CHECK(has[0] || has[1]);
    cl_context context = make_context(2, devices);
    mixed_builds(context);
    mixed_refusal(context);
    mixed_parts(context);
    clReleaseContext(context);
}

/* ---- two devices whose features, which source can test, are different -------------------------------------------- */

/* `first` and `second` are the results on both devices, or the build status of a device for which the build fails. */
static void differ(cl_context context, const char *text, int first, int second)
{
    const int expected[] = {first, second};
    cl_program program = clCreateProgramWithSource(context, 1, &text, NULL, NULL);
    clBuildProgram(program, 0, NULL, "-cl-std=CL2.0", NULL, NULL);
    for (int i = 0; i < 2; i++) {
        cl_build_status status = status_on(program, devices[i]);
        CHECK((status == CL_BUILD_SUCCESS ? run(context, devices[i], program) : status) == expected[i]);
    }
    clReleaseProgram(program);
}

/* A build for the second device alone does not depend on the first one. */
static void differ_by_name(cl_context context, const char *text, int expected)
{
    cl_program program = clCreateProgramWithSource(context, 1, &text, NULL, NULL);
    CHECK(clBuildProgram(program, 1, devices + 1, "-cl-std=CL2.0", NULL, NULL) == CL_SUCCESS);
    CHECK(run(context, devices[1], program) == expected && status_on(program, devices[0]) == CL_BUILD_NONE);
    clReleaseProgram(program);
}

static void differing(void)
{
    static const char either[] =
        "#ifdef __IMAGE_SUPPORT__\n#define ADD 10\n#else\n#define ADD 20\n#endif\n"
        "int first(int *p) { return *p; }\n__kernel void k(__global int *out) { out[0] = first(out) + ADD; }\n";
    CHECK(device_count == 2);
    cl_context context = make_context(2, devices);
    /* The source tests no feature. */
    differ(context,
           "int first(int *p) { return *p; }\n__kernel void k(__global int *out) { out[0] = first(out) + 1; }\n", 3, 3);
    /* The devices need different modules: the layer delivers the module of the first one. */
    differ(context, either, 22, CL_BUILD_ERROR);
    differ_by_name(context, either, 12);
    /* The layer builds the program for the second device only; on the first one the driver's own compiler has
     * images. */
    differ(context,
           "#ifdef __IMAGE_SUPPORT__\nint first(int *p) { return *p; }\n#else\n#define first(p) *p\n#endif\n"
           "__kernel void k(__global int *out) { out[0] = first(out) + 1; }\n",
           CL_BUILD_ERROR, 3);
    clReleaseContext(context);
}

/* ---- threads ---- */

static cl_context shared;

static void CL_CALLBACK on_built(cl_program program, void *user)
{
    (void)program;
    atomic_fetch_add((atomic_int *)user, 1);
}

static void one_round(int number)
{
    const char *text = generic;
    atomic_int called = 0;
    char options[64];
    snprintf(options, sizeof options, "-cl-std=CL2.0 -DADD=%d", add_of(number));
    cl_program program = clCreateProgramWithSource(shared, 1, &text, NULL, NULL);
    CHECK(clBuildProgram(program, 1, devices, options, on_built, &called) == CL_SUCCESS);
    for (int i = 0; i < 10000 && !called; i++) {
        cl_build_status status = CL_BUILD_NONE;
        clGetProgramBuildInfo(program, devices[0], CL_PROGRAM_BUILD_STATUS, sizeof status, &status, NULL);
    }
    CHECK(run(shared, devices[0], program) == add_of(number) + 2);
    CHECK(called == 1);
    clReleaseProgram(program);
}

static void *work(void *user)
{
    int number = *(int *)user;
    for (int round = 0; round < ROUNDS; round++)
        one_round((number + round) % 5); /* other threads build the same source at that time */
    return NULL;
}

static void threads(int count)
{
    pthread_t ids[64];
    int numbers[64];
    shared = make_context(1, devices);
    for (int i = 0; i < count; i++) {
        numbers[i] = i;
        pthread_create(&ids[i], NULL, work, &numbers[i]);
    }
    for (int i = 0; i < count; i++)
        pthread_join(ids[i], NULL);
    clReleaseContext(shared);
}

int main(int count, char **arguments)
{
    if (count < 2) return 2;
    CHECK(clGetPlatformIDs(1, &platform, NULL) == CL_SUCCESS);
    CHECK(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, MOST, devices, &device_count) == CL_SUCCESS);
    if (failures) return 1;
    if (strcmp(arguments[1], "all") == 0) all();
    if (strcmp(arguments[1], "parts") == 0) parts();
    if (strcmp(arguments[1], "mixed") == 0) mixed();
    if (strcmp(arguments[1], "differing") == 0) differing();
    if (strcmp(arguments[1], "threads") == 0 && count == 3) threads(atoi(arguments[2]));
    puts(failures ? "" : "passed");
    return failures != 0;
}
