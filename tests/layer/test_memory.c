/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_memory.c - memory ends at each allocation of the layer in turn, in a process that has just begun: whatever a call
 * says then, nothing is left behind, no handle of ours reaches the driver, and a driver of OpenCL 1.2 is never called
 * for what it does not have.
 */
#define _GNU_SOURCE
#include "common.h"

#include <dlfcn.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *old, size_t size);

/* Where allocations may fail: those of the layer, and those that the C library does for it. */
static uintptr_t ranges[2][2];
static _Thread_local int left = -1; /* allocations that still go well; -1: all do */
static _Thread_local bool failed;

static bool fails(const void *caller)
{
    uintptr_t address = (uintptr_t)caller;
    bool counts = false;
    if (left < 0) return false;
    for (int i = 0; i < 2; i++)
        counts = counts || (address >= ranges[i][0] && address < ranges[i][1]);
    if (!counts) return false;
    if (left > 0) {
        left--;
        return false;
    }
    failed = true;
    return true;
}

__attribute__((visibility("default"))) void *malloc(size_t size)
{
    return fails(__builtin_return_address(0)) ? NULL : __libc_malloc(size);
}

__attribute__((visibility("default"))) void *calloc(size_t count, size_t size)
{
    return fails(__builtin_return_address(0)) ? NULL : __libc_calloc(count, size);
}

__attribute__((visibility("default"))) void *realloc(void *old, size_t size)
{
    return fails(__builtin_return_address(0)) ? NULL : __libc_realloc(old, size);
}

static int note_range(struct dl_phdr_info *info, size_t size, void *unused)
{
    (void)size, (void)unused;
    bool layer = strstr(info->dlpi_name, "libnonflat_layer") != NULL, c = strstr(info->dlpi_name, "/libc.so") != NULL;
    for (int i = 0; (layer || c) && i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &info->dlpi_phdr[i];
        if (part->p_type != PT_LOAD) continue;
        uintptr_t start = info->dlpi_addr + part->p_vaddr;
        uintptr_t *range = ranges[layer];
        if (!range[0] || start < range[0]) range[0] = start;
        if (start + part->p_memsz > range[1]) range[1] = start + part->p_memsz;
    }
    return 0;
}

/* ---- what is done ---- */

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

/* Source that the driver builds as it is, which the cache keeps where there is one. */
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

/* The worker has a reference while it writes. */
static void wait_for_worker(void)
{
    const struct timespec pause = {0, 1000000};
    for (int i = 0; i < 5000 && (stub->programs || stub->contexts); i++)
        nanosleep(&pause, NULL);
}

/* In a process of its own. @return 0: memory did not end any more, 1: it did, 2: that did harm. */
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
    bool old = kind == STUB_KHR || kind == STUB_SPIR;
    if (check_nothing_left(NULL) || (old && stub->created_il != called)) return 2;
    return failed;
}

/* Every other process finds nothing in the cache, where there is one. */
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
            _exit(run_one(kind, count));
        }
        waitpid(child, &status, 0);
        if (!WIFEXITED(status) || WEXITSTATUS(status) == 2) fail_msg("allocation %d: %x", count, (unsigned)status);
        status = WEXITSTATUS(status);
        if (status == 0) printf("%d allocations\n", count);
        if (status == 0) assert_true(count > 4);
    }
}

int main(void)
{
    static enum stub_device il = STUB_IL, khr = STUB_KHR, bitcode = STUB_SPIR, alone = STUB_NOTHING, gpu = STUB_GPU,
                            fast = STUB_FAST, processor = STUB_GENERIC;
    const struct CMUnitTest tests[] = {
        {"new device", memory_ends, NULL, NULL, &il},
        {"device of the KHR call", memory_ends, NULL, NULL, &khr},
        {"device of bitcode", memory_ends, NULL, NULL, &bitcode},
        {"device that is left alone", memory_ends, NULL, NULL, &alone},
        {"device with generic pointers", memory_ends, NULL, NULL, &gpu},
        {"device whose binaries are kept", memory_ends, NULL, NULL, &fast},
        {"processor with generic pointers", memory_ends, NULL, NULL, &processor},
    };
    return cmocka_run_group_tests(tests, find_stub, free_modules);
}
