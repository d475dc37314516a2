/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_unloaded.c - an application that closes the loader while a thread of the layer, or one of the driver with a
 * callback of the layer, is inside of it: each case is a process of its own, which opens the loader, makes such a
 * thread, closes the loader, and lets the thread return. The layer must keep the loader loaded; if no thread of the
 * layer was ever started, it must not.
 *     layer_unloaded LOADER
 */
#define _GNU_SOURCE
#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>

#include <dlfcn.h>
#include <semaphore.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "by_name.h"
#include "stub.h"

enum { WAIT_SECONDS = 2 };

static void *library;
static struct stub_state *stub;
static unsigned char module[1 << 16];
static size_t module_size;
static sem_t called, closed, returned;

/* Opens the loader, and returns a program for a device of that kind. Sets `context` to its context. */
static cl_program open_program(const char *loader, enum stub_device kind, cl_context *context)
{
    cl_platform_id platform;
    cl_device_id devices[STUB_DEVICES];
    stub_state_fn get;
    cl_int error = -1;
    library = dlopen(loader, RTLD_NOW | RTLD_LOCAL);
    check(library != NULL, loader);
    CORE(clGetPlatformIDs);
    CORE(clGetDeviceIDs);
    CORE(clCreateContext);
    CORE(clCreateProgramWithIL);
    CORE(clGetExtensionFunctionAddressForPlatform);
    check(call_clGetPlatformIDs(1, &platform, NULL) == CL_SUCCESS, "no platform");
    check(call_clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, STUB_DEVICES, devices, NULL) == CL_SUCCESS, "no device");
    void *address = call_clGetExtensionFunctionAddressForPlatform(platform, "stubState");
    check(address != NULL, "this is not the stub driver");
    memcpy(&get, &address, sizeof get);
    stub = get();
    *context = call_clCreateContext(NULL, 1, &devices[kind], NULL, NULL, &error);
    check(error == CL_SUCCESS, "no context");
    cl_program program = call_clCreateProgramWithIL(*context, module, module_size, &error);
    check(error == CL_SUCCESS, "no program");
    return program;
}

/* Releases both handles, closes the loader, and returns true if it is no longer loaded. */
static bool close_all(const char *loader, cl_program program, cl_context context)
{
    CORE(clReleaseProgram);
    CORE(clReleaseContext);
    check(call_clReleaseProgram(program) == CL_SUCCESS, "release of the program");
    check(call_clReleaseContext(context) == CL_SUCCESS, "release of the context");
    dlclose(library);
    return dlopen(loader, RTLD_NOLOAD | RTLD_NOW) == NULL;
}

static void CL_CALLBACK notify(cl_program program, void *user)
{
    (void)program, (void)user;
    sem_post(&called);
    sem_wait(&closed);
    sem_post(&returned);
}

/* A build without threads or callbacks. */
static void build_and_close(const char *loader)
{
    cl_context context;
    cl_program program = open_program(loader, STUB_IL, &context);
    CORE(clBuildProgram);
    check(call_clBuildProgram(program, 0, NULL, "", NULL, NULL) == CL_SUCCESS, "no build");
    check(close_all(loader, program, context), "the loader stays, although nothing can call it");
}

/* The driver's thread calls the layer's callback, and the layer's calls the application's. When that returns, the layer
 * releases the program. */
static void close_in_callback(const char *loader)
{
    cl_context context;
    cl_program program = open_program(loader, STUB_IL, &context);
    CORE(clBuildProgram);
    stub->async = 1;
    check(call_clBuildProgram(program, 0, NULL, "", notify, NULL) == CL_SUCCESS, "no build");
    sem_wait(&called);
    check(!close_all(loader, program, context), "the loader has gone, although the driver calls back");
    sem_post(&closed);
    sem_wait(&returned);
    usleep(100000);
}

/* The worker thread reads the driver's binary, for the cache, and then releases the driver's program. */
static void close_while_binary_is_read(const char *loader)
{
    cl_context context;
    cl_program program = open_program(loader, STUB_FAST, &context);
    char options[32]; /* options that differ in each run, so that the cache has no entry for them */
    CORE(clBuildProgram);
    snprintf(options, sizeof options, "-n%ld", (long)getpid());
    stub->slow_binaries = 1;
    check(call_clBuildProgram(program, 0, NULL, options, NULL, NULL) == CL_SUCCESS, "no build");
    check(!close_all(loader, program, context), "the loader has gone, although the worker reads a binary");
    sleep(WAIT_SECONDS);
}

/* The thread of a build for which there is a fallback is left alone after one second. */
static void close_while_build_is_late(const char *loader)
{
    cl_context context;
    cl_program program = open_program(loader, STUB_GPU, &context);
    CORE(clBuildProgram);
    stub->slow_changed = 2000;
    check(call_clBuildProgram(program, 0, NULL, "", NULL, NULL) == CL_SUCCESS, "no build");
    check(!close_all(loader, program, context), "the loader has gone, although a build is in progress");
    sleep(WAIT_SECONDS);
}

/* Ends the process with the status 1 if the loader stays loaded even without the layer, as some builds of it do. */
static void close_without_layer(const char *loader)
{
    cl_uint count;
    unsetenv("OPENCL_LAYERS");
    library = dlopen(loader, RTLD_NOW | RTLD_LOCAL);
    check(library != NULL, loader);
    CORE(clGetPlatformIDs);
    call_clGetPlatformIDs(0, NULL, &count);
    dlclose(library);
    exit(dlopen(loader, RTLD_NOLOAD | RTLD_NOW) != NULL);
}

/* Runs a case in a process of its own, without a cache unless it uses the worker. Returns the number of failures. */
static int run(void (*of_case)(const char *), const char *loader)
{
    int status;
    pid_t child = fork();
    check(child >= 0, "fork");
    if (child == 0) {
        if (of_case != close_while_binary_is_read) setenv("NONFLAT_CACHE", "off", 1);
        of_case(loader);
        exit(0);
    }
    check(waitpid(child, &status, 0) == child, "waitpid");
    if (WIFSIGNALED(status)) fprintf(stderr, "FAILED: the process has ended with signal %d\n", WTERMSIG(status));
    return status != 0;
}

int main(int count, char **arguments)
{
    check(count == 2, "usage: layer_unloaded LOADER");
    module_size = read_module(module, sizeof module);
    sem_init(&called, 0, 0);
    sem_init(&closed, 0, 0);
    sem_init(&returned, 0, 0);
    int failures = run(close_without_layer, arguments[1]) ? 0 : run(build_and_close, arguments[1]);
    failures += run(close_in_callback, arguments[1]);
    failures += run(close_while_binary_is_read, arguments[1]);
    failures += run(close_while_build_is_late, arguments[1]);
    if (failures == 0) puts("passed");
    return failures > 0;
}
