/* SPDX-License-Identifier: Apache-2.0 */
/* common.c - see common.h. */
#define _GNU_SOURCE
#include "common.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

cl_platform_id platforms[2];
cl_device_id devices[2][STUB_DEVICES];
struct stub_state *stub;
struct bytes generic_module, plain_module, spec_module, caller_module, callee_module, long_module, local_module;

static void die(const char *what)
{
    fprintf(stderr, "the tests cannot start: %s\n", what);
    exit(1);
}

struct bytes read_test_module(const char *name)
{
    struct bytes module;
    char path[4096];
    const char *folder = getenv("TEST_MODULES");
    snprintf(path, sizeof path, "%s/%s.spv", folder ? folder : ".", name);
    FILE *file = fopen(path, "rb");
    if (!file) die(path);
    module.data = malloc(1 << 16);
    module.size = fread(module.data, 1, 1 << 16, file);
    fclose(file);
    return module;
}

void *extension(int platform, const char *name)
{
    return clGetExtensionFunctionAddressForPlatform(platforms[platform], name);
}

int find_stub(void **unused)
{
    cl_uint count = 0;
    stub_state_fn get;
    (void)unused;
    if (clGetPlatformIDs(2, platforms, &count) != CL_SUCCESS || count != 2) die("the stub driver is not there");
    for (int i = 0; i < 2; i++)
        if (clGetDeviceIDs(platforms[i], CL_DEVICE_TYPE_ALL, STUB_DEVICES, devices[i], NULL) != CL_SUCCESS)
            die("no devices");
    void *address = extension(0, "stubState");
    if (!address) die("this is not the stub driver");
    memcpy(&get, &address, sizeof get);
    stub = get();
    generic_module = read_test_module("generic");
    plain_module = read_test_module("plain");
    spec_module = read_test_module("spec");
    caller_module = read_test_module("caller");
    callee_module = read_test_module("callee");
    long_module = read_test_module("long");
    local_module = read_test_module("local");
    return 0;
}

int free_modules(void **unused)
{
    (void)unused;
    free(generic_module.data);
    free(plain_module.data);
    free(spec_module.data);
    free(caller_module.data);
    free(callee_module.data);
    free(long_module.data);
    free(local_module.data);
    return 0;
}

static bool is_something_left(void)
{
    return stub->programs || stub->kernels || stub->contexts || stub->buffers;
}

/* The thread of an asynchronous build calls the application's function first and releases the program after that, so
 * this check waits for it. */
int check_nothing_left(void **unused)
{
    (void)unused;
    const struct timespec pause = {0, 1000000};
    for (int i = 0; i < 5000 && is_something_left(); i++)
        nanosleep(&pause, NULL);
    bool left = stub->foreign || is_something_left();
    if (left)
        fprintf(stderr, "left behind: %d programs, %d kernels, %d contexts, %d buffers; %d foreign handles\n",
                stub->programs, stub->kernels, stub->contexts, stub->buffers, stub->foreign);
    return left;
}

#ifdef _WIN32
/* Skips the test if one of the devices accepts bitcode only, because there is no translator on Windows. */
static void require_translator(cl_uint count, const cl_device_id *list)
{
    for (cl_uint i = 0; i < count; i++)
        for (int platform = 0; platform < 2; platform++)
            if (list[i] == devices[platform][STUB_SPIR] || list[i] == devices[platform][STUB_SPIR_3])
                lacks("nonflat-spir");
}
#endif

cl_context make_context_of(cl_uint count, const cl_device_id *list)
{
    cl_int error = -1;
#ifdef _WIN32
    require_translator(count, list);
#endif
    cl_context context = clCreateContext(NULL, count, list, NULL, NULL, &error);
    assert_int_equal(error, CL_SUCCESS);
    return context;
}

cl_context make_context(enum stub_device kind)
{
    return make_context_of(1, &devices[0][kind]);
}

cl_program make_program(cl_context context, const struct bytes *module)
{
    cl_int error = -1;
    cl_program program = clCreateProgramWithIL(context, module->data, module->size, &error);
    assert_int_equal(error, CL_SUCCESS);
    assert_non_null(program);
    return program;
}

bool driver_saw_generic(void)
{
    uint32_t words[sizeof stub->module.data / 4];
    memcpy(words, stub->module.data, stub->module.size);
    for (size_t at = 5; at < stub->module.size / 4 && words[at] >> 16; at += words[at] >> 16)
        if (words[at] == (2u << 16 | 17) && words[at + 1] == 38) return true;
    return false;
}

const char *build_log(cl_program program, cl_device_id device)
{
    static char log[8192];
    size_t size = 0;
    assert_int_equal(clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, 0, NULL, &size), CL_SUCCESS);
    assert_true(size > 0 && size <= sizeof log);
    assert_int_equal(clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, sizeof log, log, NULL), CL_SUCCESS);
    assert_int_equal(strlen(log) + 1, size);
    return log;
}
