/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_memory.c - each allocation of the layer fails in turn, in a fresh process: whatever a call returns then, nothing
 * leaks, no handle of the layer reaches the driver, and a driver of OpenCL 1.2 is never called for a function that it
 * lacks.
 *
 * With TEST_ONCE=1 a single allocation fails, in any thread: unfinished work must not be taken for finished. The calls
 * after it work as usual, built modules have no generic pointers, and every error means that memory is exhausted.
 */
#define _GNU_SOURCE
#include "common.h"

#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *old, size_t size);

/* The code whose allocations may fail: the layer, the C library on its behalf, and the dynamic linker, which allocates
 * thread-local variables. */
enum { LAYER, LIBC, LINKER, RANGES };
static uintptr_t ranges[RANGES][2];
static _Thread_local int left = -1; /* number of allocations that still succeed; -1: all do */
static _Thread_local bool failed;
static bool once;
static atomic_int left_once = -1; /* of all threads */
static atomic_bool failed_once;

/* @return true if this allocation has to fail. */
static bool fails_once(void)
{
    int now = atomic_load(&left_once);
    while (now >= 0)
        if (atomic_compare_exchange_weak(&left_once, &now, now - 1)) break;
    if (now == 0) atomic_store(&failed_once, true);
    return now == 0;
}

static bool fails(const void *caller)
{
    uintptr_t address = (uintptr_t)caller;
    bool counts = false;
    if (left < 0 && atomic_load(&left_once) < 0) return false;
    for (int i = 0; i < RANGES; i++)
        counts = counts || (address >= ranges[i][0] && address < ranges[i][1]);
    if (!counts) return false;
    if (left < 0) return fails_once();
    if (left > 0) {
        left--;
        return false;
    }
    failed = true;
    return true;
}

static void *nothing(void)
{
    errno = ENOMEM; /* the C library checks it */
    return NULL;
}

__attribute__((visibility("default"))) void *malloc(size_t size)
{
    return fails(__builtin_return_address(0)) ? nothing() : __libc_malloc(size);
}

__attribute__((visibility("default"))) void *calloc(size_t count, size_t size)
{
    return fails(__builtin_return_address(0)) ? nothing() : __libc_calloc(count, size);
}

__attribute__((visibility("default"))) void *realloc(void *old, size_t size)
{
    return fails(__builtin_return_address(0)) ? nothing() : __libc_realloc(old, size);
}

static int note_range(struct dl_phdr_info *info, size_t size, void *unused)
{
    (void)size, (void)unused;
    static const char *const names[RANGES] = {"libnonflat_layer", "/libc.so", "/ld-"};
    int which = 0;
    while (which < RANGES && !strstr(info->dlpi_name, names[which]))
        which++;
    for (int i = 0; which < RANGES && i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &info->dlpi_phdr[i];
        if (part->p_type != PT_LOAD) continue;
        uintptr_t start = info->dlpi_addr + part->p_vaddr;
        uintptr_t *range = ranges[which];
        if (!range[0] || start < range[0]) range[0] = start;
        if (start + part->p_memsz > range[1]) range[1] = start + part->p_memsz;
    }
    return 0;
}

/* ---- the calls ---- */

static void use_kernel(cl_program program)
{
    char text[256];
    size_t size = 0;
    cl_kernel kernel = clCreateKernel(program, "k", NULL);
    clGetProgramInfo(program, CL_PROGRAM_KERNEL_NAMES, sizeof text, text, NULL);
    clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, NULL);
    if (!kernel) return;
    clGetKernelInfo(kernel, CL_KERNEL_FUNCTION_NAME, sizeof text, text, NULL);
    cl_kernel clone = clCloneKernel(kernel, NULL);
    if (clone) clReleaseKernel(clone);
    clReleaseKernel(kernel);
}

static void use(cl_context context, cl_device_id device)
{
    char text[4096];
    const uint32_t value = 3;
    clGetDeviceInfo(device, CL_DEVICE_EXTENSIONS, sizeof text, text, NULL);
    cl_program program = clCreateProgramWithIL(context, spec_module.data, spec_module.size, NULL);
    if (!program) return;
    clSetProgramSpecializationConstant(program, 5, sizeof value, &value);
    clBuildProgram(program, 0, NULL, "-cl-mad-enable", NULL, NULL);
    clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, sizeof text, text, NULL);
    use_kernel(program);
    clReleaseProgram(program);
}

/* Source that the driver builds unchanged, which the layer caches if there is a cache. */
static void use_source(cl_context context)
{
    const char *text = "kernel void k() {}";
    cl_program program = clCreateProgramWithSource(context, 1, &text, NULL, NULL);
    if (!program) return;
    clBuildProgram(program, 0, NULL, "-cl-mad-enable", NULL, NULL);
    use_kernel(program);
    clReleaseProgram(program);
}

static void link_two(cl_context context)
{
    cl_program parts[2] = {clCreateProgramWithIL(context, caller_module.data, caller_module.size, NULL),
                           clCreateProgramWithIL(context, callee_module.data, callee_module.size, NULL)};
    for (int i = 0; i < 2 && parts[0] && parts[1]; i++)
        clCompileProgram(parts[i], 0, NULL, NULL, 0, NULL, NULL, NULL, NULL);
    cl_program whole = parts[0] && parts[1] ? clLinkProgram(context, 0, NULL, NULL, 2, parts, NULL, NULL, NULL) : NULL;
    if (whole) use_kernel(whole);
    if (whole) clReleaseProgram(whole);
    for (int i = 0; i < 2; i++)
        if (parts[i]) clReleaseProgram(parts[i]);
}

/* The worker thread has a reference while it writes. */
static void wait_for_worker(void)
{
    const struct timespec pause = {0, 1000000};
    for (int i = 0; i < 5000 && (stub->programs || stub->contexts); i++)
        nanosleep(&pause, NULL);
}

/* ---- a single failed allocation ---------------------------------------------------------------------------------- */

static const char *harm; /* the first violation */

static void expect(bool good, const char *what)
{
    if (!good && !harm) harm = what;
}

static bool is_of_memory(cl_int error)
{
    return error == CL_SUCCESS || error == CL_OUT_OF_HOST_MEMORY;
}

/* Returns true if the driver does not support generic pointers. */
static bool is_flat(enum stub_device kind)
{
    return kind == STUB_IL || kind == STUB_KHR || kind == STUB_SPIR || kind == STUB_FAST;
}

static void use_kernel_once(cl_program program, bool good)
{
    cl_int error = -1;
    char text[64] = "";
    cl_kernel kernel = clCreateKernel(program, "k", &error);
    expect(is_of_memory(error) && (kernel || !good), "clCreateKernel");
    if (!kernel) return;
    error = clGetKernelInfo(kernel, CL_KERNEL_FUNCTION_NAME, sizeof text, text, NULL);
    expect(is_of_memory(error) && (error || strcmp(text, "k") == 0) && (!error || !good), "clGetKernelInfo");
    expect(clReleaseKernel(kernel) == CL_SUCCESS, "clReleaseKernel");
}

/* `good`: the allocation has failed earlier, and this build must succeed. */
static void build_once(cl_program program, enum stub_device kind, const char *options, bool good)
{
    cl_int error = clBuildProgram(program, 0, NULL, options, NULL, NULL);
    expect(is_of_memory(error) || error == CL_BUILD_PROGRAM_FAILURE, "clBuildProgram's error");
    expect(!good || !error, "clBuildProgram");
    if (error != CL_SUCCESS) return;
    expect(!is_flat(kind) || !driver_saw_generic(), "a generic pointer");
    use_kernel_once(program, good);
}

static void session(cl_context context, enum stub_device kind, bool good)
{
    const uint32_t value = 3;
    cl_int error = -1;
    cl_program program = clCreateProgramWithIL(context, spec_module.data, spec_module.size, &error);
    expect(is_of_memory(error) && (program || !good), "clCreateProgramWithIL");
    if (!program) return;
    error = clSetProgramSpecializationConstant(program, 5, sizeof value, &value);
    expect(is_of_memory(error) && (!good || !error), "clSetProgramSpecializationConstant");
    build_once(program, kind, "-cl-mad-enable", good);
    build_once(program, kind, "-cl-mad-enable", good || atomic_load(&failed_once));
    expect(clReleaseProgram(program) == CL_SUCCESS, "clReleaseProgram");
}

static void source_session(cl_context context, bool good)
{
    const char *text = "kernel void k() {}";
    cl_int error = -1;
    cl_program program = clCreateProgramWithSource(context, 1, &text, NULL, &error);
    expect(is_of_memory(error) && (program || !good), "clCreateProgramWithSource");
    if (!program) return;
    error = clBuildProgram(program, 0, NULL, "-cl-mad-enable", NULL, NULL);
    expect(is_of_memory(error) && (!good || !error), "clBuildProgram of source");
    if (!error) use_kernel_once(program, good);
    expect(clReleaseProgram(program) == CL_SUCCESS, "clReleaseProgram");
}

static void all_sessions(enum stub_device kind, bool good)
{
    cl_context context = make_context(kind);
    bool il = kind != STUB_NOTHING;
    if (il) session(context, kind, good);
    if (il) link_two(context);
    source_session(context, good);
    clReleaseContext(context);
}

/* Runs in a separate process, in which everything is initialized once. @return as run_one() */
static int run_once(enum stub_device kind, int count)
{
    dl_iterate_phdr(note_range, NULL);
    atomic_store(&left_once, count);
    all_sessions(kind, false);
    wait_for_worker();
    atomic_store(&left_once, -1);
    all_sessions(kind, true);
    wait_for_worker();
    if (check_nothing_left(NULL)) expect(false, "something is left behind");
    if (harm) printf("allocation %d: %s\n", count, harm);
    fflush(stdout);
    return harm ? 2 : atomic_load(&failed_once);
}

/* ---- in turn ---- */

/* Runs in a separate process. @return 0: no allocation failed, 1: one failed, 2: one failed and something was
 * violated. */
static int run_one(enum stub_device kind, int count)
{
    cl_context context = make_context(kind);
    int called = stub->created_il;
    dl_iterate_phdr(note_range, NULL);
    left = count;
    use(context, devices[0][kind]);
    link_two(context);
    use_source(context);
    left = -1;
    clReleaseContext(context);
    wait_for_worker();
    bool old = kind == STUB_KHR || kind == STUB_SPIR || kind == STUB_SOURCE;
    if (check_nothing_left(NULL) || (old && stub->created_il != called)) return 2;
    return failed;
}

/* Every other process finds nothing in the cache, if there is one. */
static void clear_cache(void)
{
    char command[256];
    const char *folder = getenv("NONFLAT_CACHE");
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    if (folder && *folder == '/') assert_int_equal(system(command), 0);
}

/* The state is an enum stub_device. */
static void memory_ends(void **state)
{
    enum stub_device kind = *(enum stub_device *)*state;
    int status = 1;
    for (int count = 0; status == 1; count++) {
        if (count % 2 == 0) clear_cache();
        pid_t child = fork();
        if (child == 0) {
            alarm(20);
            fclose(stderr);
            _exit(once ? run_once(kind, count) : run_one(kind, count));
        }
        waitpid(child, &status, 0);
        if (!WIFEXITED(status) || WEXITSTATUS(status) > 1) fail_msg("allocation %d: %x", count, (unsigned)status);
        status = WEXITSTATUS(status);
        if (status == 0) printf("%d allocations\n", count);
        if (status == 0) assert_true(count > 4);
    }
}

int main(void)
{
    once = getenv("TEST_ONCE") != NULL;
    static enum stub_device il = STUB_IL, khr = STUB_KHR, bitcode = STUB_SPIR, alone = STUB_NOTHING, gpu = STUB_GPU,
                            fast = STUB_FAST, processor = STUB_GENERIC, source = STUB_SOURCE;
    const struct CMUnitTest tests[] = {
        {"new device", memory_ends, NULL, NULL, &il},
        {"device of the KHR call", memory_ends, NULL, NULL, &khr},
        {"device of bitcode", memory_ends, NULL, NULL, &bitcode},
        {"device of OpenCL C", memory_ends, NULL, NULL, &source},
        {"device that is left alone", memory_ends, NULL, NULL, &alone},
        {"device with generic pointers", memory_ends, NULL, NULL, &gpu},
        {"device whose binaries are kept", memory_ends, NULL, NULL, &fast},
        {"processor with generic pointers", memory_ends, NULL, NULL, &processor},
    };
    return cmocka_run_group_tests(tests, find_stub, free_modules);
}
