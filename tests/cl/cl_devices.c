/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cl_devices.c - source with generic pointers where a context has several devices, where a device is a part of one, and
 * where many threads build and run at once. Runs through the layer on a real driver.
 *
 *     cl_devices all        all devices of the first platform in one context, and each by itself
 *     cl_devices parts      sub-devices of the first device
 *     cl_devices threads N  N threads, each with programs of its own, for some rounds
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

/* What `k` puts there on `device`, which holds 2 before. */
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

/* Built for the devices of `context` at once, each computes. */
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
    /* Built for one of them, the program is known there and nowhere else. */
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
        one_round((number + round) % 5); /* others build the same at that time */
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
    if (strcmp(arguments[1], "threads") == 0 && count == 3) threads(atoi(arguments[2]));
    puts(failures ? "" : "passed");
    return failures != 0;
}
