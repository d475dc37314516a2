/* SPDX-License-Identifier: Apache-2.0 */
/*
 * walk.c - random OpenCL calls: several contexts; programs made from SPIR-V that are built, compiled, linked and
 * rebuilt; kernels; commands that wait for each other and for user events; callbacks; invalid arguments. The results of
 * all calls are printed, without anything that differs between runs, so that two runs with one seed can be compared:
 * without the layer and with it.
 *
 *     walk SEED STEPS [DEVICES], with TEST_MODULES set; each context has DEVICES devices: those of the platform, or
 *     sub-devices of its first
 *
 * With TEST_ALL it also prints the driver's information about how it built a program: its log, and all queries about
 * kernels.
 */
#define _GNU_SOURCE
#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>

#include <sched.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CONTEXTS = 3, PROGRAMS = 6, KERNELS = 6, EVENTS = 5, USERS = 2, WORDS = 16, MODULES = 5, DEVICES = 4 };

struct bytes {
    unsigned char data[1 << 14];
    size_t size;
};

struct program {
    cl_program handle;
    int references;
    bool imports;   /* built alone it lacks a function, which drivers may detect at the build or later */
    bool compiled;  /* compiled after its last build: some drivers still create kernels of that build */
    bool halves;    /* compiled, then built for one device: Intel's driver creates no kernels then, and does not compile
                    * again */
    unsigned parts; /* a bit for each device for which it is compiled, or linked as a library */
};

struct kernel {
    cl_kernel handle;
    int references;
};

static struct {
    cl_context handle;
    cl_command_queue queues[DEVICES];
    cl_mem buffer;
    struct program programs[PROGRAMS];
    struct kernel kernels[KERNELS];
    cl_event events[EVENTS], users[USERS], last;
    atomic_int built, called; /* number of callbacks of builds and of events */
    int expected_calls;       /* number of events; all callbacks have run once the events are complete */
} contexts[CONTEXTS], *now;

static cl_device_id devices[DEVICES];
static cl_uint device_count = 1;
static struct bytes modules[MODULES];
static const char *const module_names[MODULES] = {"generic", "plain", "spec", "caller", "callee"};
static uint64_t state;

static unsigned draw(unsigned below)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)(state >> 33) % below;
}

static void __attribute__((format(printf, 1, 2))) say(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    printf("%d ", (int)(now - contexts));
    vprintf(format, arguments);
    va_end(arguments);
    putchar('\n');
    fflush(stdout);
}

static struct program *any_program(void)
{
    return &now->programs[draw(PROGRAMS)];
}

static struct kernel *any_kernel(void)
{
    return &now->kernels[draw(KERNELS)];
}

static cl_device_id any_device(void)
{
    return devices[draw(device_count)];
}

static unsigned all_devices(void)
{
    return (1u << device_count) - 1;
}

static cl_command_queue any_queue(void)
{
    return now->queues[draw(device_count)];
}

/* ---- programs ---- */

static void create_program(void)
{
    struct program *p = any_program();
    unsigned which = draw(MODULES), cut = draw(8) == 0;
    cl_int error = 1;
    if (p->handle) return;
    p->handle = clCreateProgramWithIL(now->handle, modules[which].data, modules[which].size - 4 * cut, &error);
    p->references = p->handle != NULL;
    p->compiled = p->halves = false;
    p->parts = 0;
    p->imports = strcmp(module_names[which], "caller") == 0;
    say("create program %d, %s%s: %d", (int)(p - now->programs), module_names[which], cut ? ", cut" : "", error);
}

static void set_value(void)
{
    struct program *p = any_program();
    static const size_t sizes[] = {4, 4, 4, 8, 1};
    uint64_t value = draw(5);
    unsigned id = draw(4) ? 5 : 6;
    size_t size = sizes[draw(5)];
    if (p->handle)
        say("value of %u of program %d: %d", id, (int)(p - now->programs),
            clSetProgramSpecializationConstant(p->handle, id, size, &value));
}

static void CL_CALLBACK on_program(cl_program program, void *user)
{
    (void)program;
    atomic_fetch_add((atomic_int *)user, 1);
}

/* Builds with a callback, for which it waits, or without one. A driver may omit the callback after an error. */
static void build_program(void)
{
    static const char *const options[] = {"", "-cl-mad-enable", NULL, "-cl-opt-disable"};
    struct program *p = any_program();
    const char *chosen = options[draw(4)];
    int notified = draw(2), listed = draw(2), compile = draw(3) == 0 || p->imports, before = atomic_load(&now->built);
    void(CL_CALLBACK * notify)(cl_program, void *) = notified ? on_program : NULL;
    void *user = notified ? &now->built : NULL;
    unsigned which = draw(device_count), meant = listed ? 1u << which : all_devices();
    cl_device_id device = devices[which];
    cl_int error;
    if (!p->handle) return;
    if (p->imports && p->compiled) return; /* some drivers compile a program with imports only once */
    if (p->halves && compile) return;
    if (device_count > 1) p->halves = !compile && listed && (p->compiled || p->halves);
    p->compiled = compile;
    if (compile)
        error =
            clCompileProgram(p->handle, (cl_uint)listed, listed ? &device : NULL, chosen, 0, NULL, NULL, notify, user);
    else
        error = clBuildProgram(p->handle, (cl_uint)listed, listed ? &device : NULL, chosen, notify, user);
    p->parts = compile && error == CL_SUCCESS ? p->parts | meant : p->parts & ~meant;
    while (notified && error == CL_SUCCESS && atomic_load(&now->built) == before)
        sched_yield();
    say("%s program %d%s: %d", compile ? "compile" : "build", (int)(p - now->programs), notified ? ", notified" : "",
        error);
}

static void link_programs(void)
{
    struct program *into = any_program(), *a = any_program(), *b = any_program();
    cl_program inputs[] = {a->handle, b->handle};
    unsigned parts = a->parts | b->parts;
    bool library;
    cl_int error = 1;
    if (into->handle || !a->handle || !b->handle || a == b) return;
    if (parts && parts != all_devices()) return; /* OpenCL leaves such a device out, and Intel's driver refuses it */
    library = draw(4) == 0;
    into->handle = clLinkProgram(now->handle, 0, NULL, library ? "-create-library" : "", 2, inputs, NULL, NULL, &error);
    if (into->handle && error != CL_SUCCESS) { /* some drivers return a program in spite of an error */
        clReleaseProgram(into->handle);
        into->handle = NULL;
    }
    into->references = into->handle != NULL;
    into->imports = a->imports && b->imports;
    into->compiled = into->halves = false;
    into->parts = into->handle && library ? all_devices() : 0;
    say("link program %d: %d", (int)(into - now->programs),
        error == CL_LINK_PROGRAM_FAILURE ? CL_INVALID_OPERATION : error); /* drivers return either code */
}

static void query_program(void)
{
    struct program *p = any_program();
    char text[512] = "";
    cl_uint number = 0;
    size_t size = 0;
    cl_context context = NULL;
    cl_build_status status = CL_BUILD_NONE;
    cl_device_id device = any_device();
    if (!p->handle || p->compiled) return;
    cl_int error = clGetProgramInfo(p->handle, CL_PROGRAM_KERNEL_NAMES, sizeof text, text, NULL);
    say("names of program %d: %d %s", (int)(p - now->programs), error, error ? "" : text);
    error = clGetProgramInfo(p->handle, CL_PROGRAM_NUM_KERNELS, sizeof size, &size, NULL);
    say("kernels: %d %zu", error, error ? 0 : size);
    error = clGetProgramInfo(p->handle, CL_PROGRAM_NUM_DEVICES, sizeof number, &number, NULL);
    say("devices: %d %u", error, number);
    error = clGetProgramInfo(p->handle, CL_PROGRAM_IL, 0, NULL, &size);
    say("il: %d %zu", error, size);
    error = clGetProgramInfo(p->handle, CL_PROGRAM_CONTEXT, sizeof context, &context, NULL);
    say("context: %d %d", error, context == now->handle);
    say("too small: %d", clGetProgramInfo(p->handle, CL_PROGRAM_NUM_DEVICES, 1, &number, NULL));
    error = clGetProgramBuildInfo(p->handle, device, CL_PROGRAM_BUILD_STATUS, sizeof status, &status, NULL);
    say("status: %d %d", error, status);
    error = clGetProgramBuildInfo(p->handle, device, CL_PROGRAM_BUILD_OPTIONS, sizeof text, text, NULL);
    say("options: %d %s", error, error ? "" : text);
    say("log: %d", clGetProgramBuildInfo(p->handle, device, CL_PROGRAM_BUILD_LOG, 0, NULL, &size));
    say("no device: %d", clGetProgramBuildInfo(p->handle, NULL, CL_PROGRAM_BUILD_LOG, 0, NULL, &size));
}

/* Prints information that depends on the module that was built, even if it computes the same results. */
static void query_build(void)
{
    struct program *p = any_program();
    char log[4096] = "";
    cl_device_id device = any_device();
    cl_program_binary_type type = 0;
    size_t sizes[DEVICES] = {0};
    if (!getenv("TEST_ALL") || !p->handle || p->compiled) return;
    cl_int error = clGetProgramBuildInfo(p->handle, device, CL_PROGRAM_BUILD_LOG, sizeof log - 1, log, NULL);
    say("log of program %d: %d %s", (int)(p - now->programs), error, log);
    error = clGetProgramBuildInfo(p->handle, device, CL_PROGRAM_BINARY_TYPE, sizeof type, &type, NULL);
    say("type: %d %u", error, type);
    error = clGetProgramInfo(p->handle, CL_PROGRAM_BINARY_SIZES, sizeof sizes, sizes, NULL);
    say("binaries: %d %d", error, sizes[0] > 0);
}

static void hold_program(void)
{
    struct program *p = any_program();
    if (!p->handle) return;
    if (draw(3) == 0) {
        say("retain program %d: %d", (int)(p - now->programs), clRetainProgram(p->handle));
        p->references++;
        return;
    }
    say("release program %d: %d", (int)(p - now->programs), clReleaseProgram(p->handle));
    if (--p->references == 0) p->handle = NULL;
}

/* ---- kernels ---- */

static void create_kernel(void)
{
    struct program *p = any_program();
    struct kernel *k = any_kernel();
    cl_int error = 1;
    if (!p->handle || k->handle || p->compiled || p->halves) return;
    if (draw(4)) {
        k->handle = clCreateKernel(p->handle, draw(6) ? "k" : "other", &error);
    } else {
        cl_uint count = 0;
        error = clCreateKernelsInProgram(p->handle, 1, &k->handle, &count);
        if (error != CL_SUCCESS) k->handle = NULL;
    }
    k->references = k->handle != NULL;
    say("kernel of program %d: %d", (int)(p - now->programs), error);
}

static void clone_kernel(void)
{
    struct kernel *from = any_kernel(), *to = any_kernel();
    cl_int error = 1;
    if (!from->handle || to->handle) return;
    to->handle = clCloneKernel(from->handle, &error);
    to->references = to->handle != NULL;
    say("clone: %d", error);
}

static void set_argument(void)
{
    struct kernel *k = any_kernel();
    if (!k->handle) return;
    switch (draw(4)) {
    case 0: say("argument 1: %d", clSetKernelArg(k->handle, 1, sizeof(cl_mem), &now->buffer)); break;
    case 1: say("short argument: %d", clSetKernelArg(k->handle, 0, 2, &now->buffer)); break;
    default: say("argument: %d", clSetKernelArg(k->handle, 0, sizeof(cl_mem), &now->buffer)); break;
    }
}

static void query_kernel(void)
{
    struct kernel *k = any_kernel();
    char text[64] = "";
    cl_uint number = 0;
    size_t size = 0;
    if (!k->handle) return;
    cl_int error = clGetKernelInfo(k->handle, CL_KERNEL_FUNCTION_NAME, sizeof text, text, NULL);
    say("name: %d %s", error, text);
    error = clGetKernelInfo(k->handle, CL_KERNEL_NUM_ARGS, sizeof number, &number, NULL);
    say("arguments: %d %u", error, number);
    error = clGetKernelInfo(k->handle, CL_KERNEL_REFERENCE_COUNT, sizeof number, &number, NULL);
    say("references: %d %u", error, number);
    error = clGetKernelWorkGroupInfo(k->handle, any_device(), CL_KERNEL_WORK_GROUP_SIZE, sizeof size, &size, NULL);
    say("group: %d %d", error, size > 0);
    say("unknown: %d", clGetKernelInfo(k->handle, 0x7777, sizeof number, &number, NULL));
}

static void query_argument(const struct kernel *k, cl_uint index)
{
    static const cl_kernel_arg_info names[] = {CL_KERNEL_ARG_ADDRESS_QUALIFIER, CL_KERNEL_ARG_ACCESS_QUALIFIER,
                                               CL_KERNEL_ARG_TYPE_QUALIFIER, CL_KERNEL_ARG_TYPE_NAME,
                                               CL_KERNEL_ARG_NAME};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char value[64] = "";
        size_t size = 0;
        cl_int error = clGetKernelArgInfo(k->handle, index, names[i], sizeof value - 1, value, &size);
        say("argument %u, %zu: %d %zu %s", index, i, error, error ? 0 : size, error || i < 3 ? "" : value);
    }
}

static void query_whole_kernel(void)
{
    static const cl_kernel_work_group_info names[] = {
        CL_KERNEL_WORK_GROUP_SIZE, CL_KERNEL_COMPILE_WORK_GROUP_SIZE, CL_KERNEL_LOCAL_MEM_SIZE,
        CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE, CL_KERNEL_GLOBAL_WORK_SIZE};
    struct kernel *k = any_kernel();
    char text[128] = "";
    cl_uint count = 0;
    if (!getenv("TEST_ALL") || !k->handle) return;
    cl_int error = clGetKernelInfo(k->handle, CL_KERNEL_ATTRIBUTES, sizeof text, text, NULL);
    say("attributes: %d %s", error, error ? "" : text);
    clGetKernelInfo(k->handle, CL_KERNEL_NUM_ARGS, sizeof count, &count, NULL);
    for (cl_uint i = 0; i <= count; i++)
        query_argument(k, i);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        size_t sizes[3] = {0};
        error = clGetKernelWorkGroupInfo(k->handle, any_device(), names[i], sizeof sizes, sizes, NULL);
        say("group, %zu: %d %zu %zu %zu", i, error, sizes[0], sizes[1], sizes[2]);
    }
}

static void hold_kernel(void)
{
    struct kernel *k = any_kernel();
    if (!k->handle) return;
    if (draw(3) == 0) {
        say("retain kernel: %d", clRetainKernel(k->handle));
        k->references++;
        return;
    }
    say("release kernel: %d", clReleaseKernel(k->handle));
    if (--k->references == 0) k->handle = NULL;
}

/* ---- commands ---- */

static void CL_CALLBACK on_event(cl_event event, cl_int status, void *user)
{
    (void)event;
    if (status == CL_COMPLETE) atomic_fetch_add((atomic_int *)user, 1);
}

static void keep_event(cl_event event)
{
    cl_event *place = &now->events[draw(EVENTS)];
    if (now->last) clReleaseEvent(now->last);
    now->last = event;
    clRetainEvent(event);
    if (*place) clReleaseEvent(*place);
    *place = event;
    clRetainEvent(event);
    clReleaseEvent(event);
    if (draw(2)) {
        say("event call-back: %d", clSetEventCallback(event, CL_COMPLETE, on_event, &now->called));
        now->expected_calls++;
    }
}

/* Fills the wait list of a command: the previous command, so that results are deterministic, and a random choice of the
 * others. */
static cl_uint wait_list(cl_event *list)
{
    cl_uint count = 0;
    if (now->last) list[count++] = now->last;
    for (int i = 0; i < EVENTS; i++)
        if (now->events[i] && draw(2)) list[count++] = now->events[i];
    for (int i = 0; i < USERS; i++)
        if (now->users[i] && draw(2)) list[count++] = now->users[i];
    return count;
}

static void run_kernel(void)
{
    struct kernel *k = any_kernel();
    const size_t one = 1;
    cl_event list[EVENTS + USERS + 1], event = NULL;
    if (!k->handle) return;
    cl_uint count = wait_list(list);
    cl_int error =
        clEnqueueNDRangeKernel(any_queue(), k->handle, 1, NULL, &one, NULL, count, count ? list : NULL, &event);
    say("run: %d", error);
    if (error == CL_SUCCESS) keep_event(event);
}

static void fill_buffer(void)
{
    cl_event list[EVENTS + USERS + 1], event = NULL;
    cl_uint count = wait_list(list), value = draw(100);
    cl_int error = clEnqueueFillBuffer(any_queue(), now->buffer, &value, sizeof value, 0, WORDS * sizeof value, count,
                                       count ? list : NULL, &event);
    say("fill: %d", error);
    if (error == CL_SUCCESS) keep_event(event);
}

static void user_event(void)
{
    cl_event *place = &now->users[draw(USERS)];
    cl_int error = 1;
    if (*place) {
        say("set: %d", clSetUserEventStatus(*place, CL_COMPLETE));
        say("release user event: %d", clReleaseEvent(*place));
        *place = NULL;
        return;
    }
    *place = clCreateUserEvent(now->handle, &error);
    say("user event: %d", error);
}

/* Releases all waiting commands, after which the contents of memory are deterministic. */
static void finish(void)
{
    cl_uint words[WORDS];
    for (int i = 0; i < USERS; i++) {
        if (!now->users[i]) continue;
        clSetUserEventStatus(now->users[i], CL_COMPLETE);
        clReleaseEvent(now->users[i]);
        now->users[i] = NULL;
    }
    for (cl_uint i = 0; i < device_count; i++)
        say("finish: %d", clFinish(now->queues[i]));
    say("read: %d", clEnqueueReadBuffer(any_queue(), now->buffer, CL_TRUE, 0, sizeof words, words, 0, NULL, NULL));
    say("memory: %u %u", words[0], words[WORDS - 1]);
    while (atomic_load(&now->called) < now->expected_calls)
        sched_yield();
    say("%d call-backs", now->expected_calls);
}

/* ---- the walk ---- */

static void (*const steps[])(void) = {create_program, create_program, set_value,     build_program, build_program,
                                      build_program,  link_programs,  query_program, hold_program,  create_kernel,
                                      create_kernel,  create_kernel,  clone_kernel,  set_argument,  set_argument,
                                      query_kernel,   hold_kernel,    run_kernel,    run_kernel,    run_kernel,
                                      fill_buffer,    user_event,     finish,        query_build,   query_whole_kernel};

static void open_context(void)
{
    const cl_command_queue_properties properties[] = {CL_QUEUE_PROPERTIES, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, 0};
    const cl_uint zeros[WORDS] = {0};
    cl_int error = 1;
    now->handle = clCreateContext(NULL, device_count, devices, NULL, NULL, &error);
    for (cl_uint i = 0; i < device_count; i++)
        now->queues[i] = clCreateCommandQueueWithProperties(now->handle, devices[i], properties, NULL);
    now->buffer = clCreateBuffer(now->handle, CL_MEM_COPY_HOST_PTR, sizeof zeros, (void *)zeros, NULL);
    say("context: %d", error);
}

static void close_context(void)
{
    finish();
    for (int i = 0; i < EVENTS; i++)
        if (now->events[i]) clReleaseEvent(now->events[i]);
    if (now->last) clReleaseEvent(now->last);
    for (int i = 0; i < KERNELS; i++)
        while (now->kernels[i].references-- > 0)
            clReleaseKernel(now->kernels[i].handle);
    for (int i = 0; i < PROGRAMS; i++)
        while (now->programs[i].references-- > 0)
            clReleaseProgram(now->programs[i].handle);
    for (cl_uint i = 0; i < device_count; i++)
        say("close queue: %d", clReleaseCommandQueue(now->queues[i]));
    say("close: %d %d", clReleaseMemObject(now->buffer), clReleaseContext(now->handle));
}

static int read_modules(void)
{
    for (int i = 0; i < MODULES; i++) {
        char path[4096];
        snprintf(path, sizeof path, "%s/%s.spv", getenv("TEST_MODULES"), module_names[i]);
        FILE *file = fopen(path, "rb");
        if (file) modules[i].size = fread(modules[i].data, 1, sizeof modules[i].data, file);
        if (file) fclose(file);
        if (modules[i].size < 20) return -1;
    }
    return 0;
}

/* Finds the platform's first `device_count` devices, or as many sub-devices of its only one. @return true if there are
 * so many. */
static bool find_devices(void)
{
    cl_platform_id platform;
    cl_device_id whole;
    cl_uint found = 0, units = 0;
    if (clGetPlatformIDs(1, &platform, NULL) ||
        clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, device_count, devices, &found))
        return false;
    if (found >= device_count) return true;
    whole = devices[0];
    clGetDeviceInfo(whole, CL_DEVICE_MAX_COMPUTE_UNITS, sizeof units, &units, NULL);
    const cl_device_partition_property parts[] = {CL_DEVICE_PARTITION_EQUALLY, units / device_count, 0};
    return found == 1 && clCreateSubDevices(whole, parts, device_count, devices, NULL) == CL_SUCCESS;
}

int main(int count, char **arguments)
{
    if (count == 4) device_count = (cl_uint)atoi(arguments[3]);
    if (count < 3 || count > 4 || device_count < 1 || device_count > DEVICES || !getenv("TEST_MODULES") ||
        read_modules()) {
        fprintf(stderr, "usage: TEST_MODULES=FOLDER walk SEED STEPS [DEVICES]\n");
        return 2;
    }
    if (!find_devices()) {
        fprintf(stderr, "no %u devices\n", device_count);
        return 2;
    }
    state = strtoull(arguments[1], NULL, 10) * 2654435761u + 1;
    for (int i = 0; i < CONTEXTS; i++) {
        now = &contexts[i];
        open_context();
    }
    for (int i = atoi(arguments[2]); i > 0; i--) {
        now = &contexts[draw(CONTEXTS)];
        steps[draw(sizeof steps / sizeof steps[0])]();
    }
    for (int i = 0; i < CONTEXTS; i++) {
        now = &contexts[i];
        close_context();
    }
    return 0;
}
