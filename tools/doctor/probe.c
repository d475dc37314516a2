/* SPDX-License-Identifier: Apache-2.0 */
/*
 * probe.c - queries drivers, each time in a new child process: a loader reads OPENCL_LAYERS only once, and a driver
 * that crashes or hangs must not end `nonflat doctor`.
 *
 * Takes a value for OPENCL_LAYERS. Gives the answers to the queries, which the child sends through a pipe. The child
 * opens the loader with dlopen(), so that the command works without OpenCL.
 */
#define _GNU_SOURCE
#define CL_TARGET_OPENCL_VERSION 300
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS

#include <CL/cl.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "tools/doctor/doctor.h"
#include "layer/base/base.h"

enum { PATIENCE_SECONDS = 90, ITEMS = 4 };

static const uint32_t probe_module[] = {
#include "tools/doctor/probe_module.inc"
};
static const uint32_t probe_module_32[] = {
#include "tools/doctor/probe_module_32.inc"
};

/* ---- The loader ---- */

#define FUNCTIONS(X)                                                                                                   \
    X(clGetPlatformIDs)                                                                                                \
    X(clGetPlatformInfo)                                                                                               \
    X(clGetDeviceIDs)                                                                                                  \
    X(clGetDeviceInfo)                                                                                                 \
    X(clGetExtensionFunctionAddressForPlatform)                                                                        \
    X(clCreateContext)                                                                                                 \
    X(clCreateProgramWithIL)                                                                                           \
    X(clBuildProgram)                                                                                                  \
    X(clGetProgramBuildInfo)                                                                                           \
    X(clCreateKernel)                                                                                                  \
    X(clSetKernelArg)                                                                                                  \
    X(clCreateBuffer)                                                                                                  \
    X(clCreateCommandQueue)                                                                                            \
    X(clEnqueueNDRangeKernel)                                                                                          \
    X(clEnqueueReadBuffer)

/* The functions of the loader; NULL: the loader is older than the function. */
struct opencl {
#define X(name) __typeof__(&name) name;
    FUNCTIONS(X)
#undef X
    void *library;
};

static int open_loader(struct opencl *cl)
{
    cl->library = dlopen("libOpenCL.so.1", RTLD_NOW | RTLD_GLOBAL);
    if (!cl->library) return -1;
#define X(name) *(void **)&cl->name = dlsym(cl->library, #name);
    FUNCTIONS(X)
#undef X
    return cl->clGetPlatformIDs && cl->clGetDeviceIDs && cl->clGetDeviceInfo ? 0 : -1;
}

/* ---- Parent and child ---- */

typedef void child_work(const struct opencl *cl, int pipe, const void *what);

/* Replaces standard input by an open pipe that stays empty: the client of PoCL-remote 7.1 waits for input there, and
 * treats the end of the input as a lost connection. */
static void empty_input(void)
{
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) == 0) dup2(ends[0], STDIN_FILENO);
}

/* Runs `work` in this process, a new child of fork(), with OPENCL_LAYERS set to `layers` (NULL: unset) and without
 * output; then ends the process. */
static _Noreturn void become_child(const char *layers, int pipe, child_work *work, const void *what)
{
    struct opencl cl = {0};
    int null = open("/dev/null", O_RDWR);
    if (null >= 0) {
        dup2(null, STDOUT_FILENO);
        dup2(null, STDERR_FILENO);
    }
    empty_input();
    signal(SIGPIPE, SIG_IGN); /* the parent stops reading after NF_MOST_DEVICES devices */
    if (layers)
        setenv("OPENCL_LAYERS", layers, 1);
    else
        unsetenv("OPENCL_LAYERS");
    if (open_loader(&cl) == 0) work(&cl, pipe, what);
    _exit(0); /* skips destructors, in which some drivers crash */
}

static int64_t now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * INT64_C(1000) + now.tv_nsec / 1000000;
}

/* Reads up to `size` bytes until the child closes its end or `deadline` passes. Returns the number of bytes. Sets
 * `*is_late` to whether the deadline passed. */
static size_t read_until(int pipe, void *bytes, size_t size, int64_t deadline, bool *is_late)
{
    size_t have = 0;
    while (have < size) {
        int64_t left = deadline - now_ms();
        struct pollfd wait = {pipe, POLLIN, 0};
        int ready = left > 0 ? poll(&wait, 1, (int)left) : 0;
        if (ready < 0 && errno == EINTR) continue;
        *is_late = ready == 0;
        if (ready <= 0) break;
        ssize_t got = read(pipe, (char *)bytes + have, size - have);
        if (got <= 0) break;
        have += (size_t)got;
    }
    return have;
}

/* Runs `work` in a child and receives at most `size` bytes. Returns the number of bytes; 0 also if no child can be
 * started. Sets `*end_signal` to the signal that ended the child; 0: none; -1: the child took too long. */
static size_t examine_in_child(const char *layers, child_work *work, const void *what, void *bytes, size_t size,
                               int *end_signal)
{
    int ends[2], status = 0;
    bool is_late = false;
    *end_signal = 0;
    if (pipe(ends) < 0) return 0;
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        close(ends[0]);
        become_child(layers, ends[1], work, what);
    }
    close(ends[1]);
    size_t got = child > 0 ? read_until(ends[0], bytes, size, now_ms() + PATIENCE_SECONDS * 1000, &is_late) : 0;
    close(ends[0]);
    if (child > 0 && is_late) kill(child, SIGKILL);
    if (child > 0)
        while (waitpid(child, &status, 0) < 0 && errno == EINTR)
            ;
    *end_signal = is_late ? -1 : WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    return got;
}

/* Sends bytes. After an error the record is too short, which the parent detects. */
static void put(int pipe, const void *bytes, size_t size)
{
    const char *at = bytes;
    while (size > 0) {
        ssize_t sent = write(pipe, at, size);
        if (sent <= 0) return;
        at += sent;
        size -= (size_t)sent;
    }
}

/* ---- Devices ---- */

static void copy_text(char target[NF_DOCTOR_TEXT], const char *text)
{
    snprintf(target, NF_DOCTOR_TEXT, "%s", text ? text : "");
}

static void query_text(const struct opencl *cl, cl_device_id device, cl_device_info what, char *text, size_t size)
{
    size_t needed = 0;
    text[0] = '\0';
    if (cl->clGetDeviceInfo(device, what, 0, NULL, &needed) != CL_SUCCESS || needed == 0) return;
    char *all = calloc(1, needed + 1);
    if (all && cl->clGetDeviceInfo(device, what, needed, all, NULL) == CL_SUCCESS) snprintf(text, size, "%s", all);
    free(all);
}

static bool has_word(const char *text, const char *word)
{
    size_t length = strlen(word);
    for (const char *at = text; (at = strstr(at, word)) != NULL; at += length)
        if ((at == text || at[-1] == ' ') && (at[length] == ' ' || at[length] == '\0')) return true;
    return false;
}

/* Returns true if the device has generic pointers: devices of OpenCL 1.x have none, those of 2.x have them, and newer
 * devices are queried. */
static bool query_generic(const struct opencl *cl, cl_device_id device, uint32_t version)
{
    cl_bool answer = CL_FALSE;
    if (version < 300) return version >= 200;
    cl_int error = cl->clGetDeviceInfo(device, CL_DEVICE_GENERIC_ADDRESS_SPACE_SUPPORT, sizeof answer, &answer, NULL);
    return error == CL_SUCCESS && answer;
}

/* Returns true if the device has a compiler of OpenCL C 1.2 or newer. */
static bool query_compiler(const struct opencl *cl, cl_device_id device)
{
    char version[NF_DOCTOR_TEXT];
    cl_bool available = CL_FALSE;
    cl->clGetDeviceInfo(device, CL_DEVICE_COMPILER_AVAILABLE, sizeof available, &available, NULL);
    query_text(cl, device, CL_DEVICE_OPENCL_C_VERSION, version, sizeof version);
    return nf_cl_compiles_c(available, version);
}

/* Determines which driver builds for the device, and where the device is. */
static void query_builder(const struct opencl *cl, cl_device_id device, const char *version, struct nf_doctor_device *d)
{
    size_t size = 0;
    cl_int server = cl->clGetDeviceInfo(device, NF_CL_DEVICE_REMOTE_SERVER_IP, 0, NULL, &size);
    d->elsewhere = nf_cl_is_elsewhere(d->platform, version, server);
    copy_text(d->builder, nf_cl_builder(d->platform, version, d->name));
}

/* Determines the address form by the layer's own code and settings. Windows are reserved in this child, which has
 * loaded the same drivers as an application; the addresses that are free may differ in an application. */
static void query_addresses(const struct opencl *cl, cl_device_id device, struct nf_doctor_device *d)
{
    const struct nf_cl_driver_names names = {d->builder, d->vendor, (cl_device_type)d->type, d->driver};
    struct nf_cl_spaces memory = {.names = &names, .name = d->name, .elsewhere = d->elsewhere};
    nf_profile profile = NF_PROFILE_INIT;
    cl->clGetDeviceInfo(device, CL_DEVICE_ADDRESS_BITS, sizeof memory.address_bits, &memory.address_bits, NULL);
    cl->clGetDeviceInfo(device, CL_DEVICE_GLOBAL_MEM_SIZE, sizeof memory.global_size, &memory.global_size, NULL);
    cl->clGetDeviceInfo(device, CL_DEVICE_SVM_CAPABILITIES, sizeof memory.svm, &memory.svm, NULL);
    const char *why = nf_cl_set_addresses(&profile, &memory, nf_cl_config_for(d->name, d->vendor).addresses);
    nf_cl_describe_addresses(&profile, why, d->addresses);
}

static void query_device(const struct opencl *cl, cl_device_id device, struct nf_doctor_device *d)
{
    char version[NF_DOCTOR_TEXT], extensions[16384];
    unsigned major = 0, minor = 0;
    size_t globals = 0;
    cl_device_type type = CL_DEVICE_TYPE_CPU;
    cl->clGetDeviceInfo(device, CL_DEVICE_TYPE, sizeof type, &type, NULL);
    d->type = type;
    query_text(cl, device, CL_DEVICE_NAME, d->name, sizeof d->name);
    query_text(cl, device, CL_DEVICE_VENDOR, d->vendor, sizeof d->vendor);
    query_text(cl, device, CL_DRIVER_VERSION, d->driver, sizeof d->driver);
    query_text(cl, device, CL_DEVICE_VERSION, version, sizeof version);
    query_text(cl, device, CL_DEVICE_IL_VERSION, d->il, sizeof d->il);
    query_text(cl, device, CL_DEVICE_EXTENSIONS, extensions, sizeof extensions);
    if (sscanf(version, "OpenCL %u.%u", &major, &minor) == 2) d->version = major * 100 + minor;
    query_builder(cl, device, version, d);
    d->has_generic = query_generic(cl, device, d->version);
    d->takes_spir = has_word(extensions, "cl_khr_spir");
    d->takes_source = query_compiler(cl, device);
    d->has_shared_memory = has_word(extensions, "cl_intel_unified_shared_memory");
    if (strstr(d->il, "SPIR-V_")) d->il_by = d->version >= 201 ? 1 : has_word(extensions, "cl_khr_il_program") ? 2 : 0;
    cl_int error = cl->clGetDeviceInfo(device, CL_DEVICE_MAX_GLOBAL_VARIABLE_SIZE, sizeof globals, &globals, NULL);
    d->no_writable_globals = error != CL_SUCCESS || globals == 0;
    query_addresses(cl, device, d);
}

/* Returns the device at these indices, and sets `*platform`; or returns NULL. The indices come from another child, on
 * the assumption that the drivers list the same devices in the same order each time. */
static cl_device_id device_at(const struct opencl *cl, uint32_t platform_index, uint32_t device_index,
                              cl_platform_id *platform)
{
    cl_platform_id platforms[NF_MOST_DEVICES];
    cl_device_id devices[NF_MOST_DEVICES];
    cl_uint count = 0;
    if (cl->clGetPlatformIDs(NF_MOST_DEVICES, platforms, &count) != CL_SUCCESS || platform_index >= count) return NULL;
    *platform = platforms[platform_index];
    if (cl->clGetDeviceIDs(*platform, CL_DEVICE_TYPE_ALL, NF_MOST_DEVICES, devices, &count) != CL_SUCCESS) return NULL;
    return device_index < count ? devices[device_index] : NULL;
}

/* Sets the path of the loader, and, if the loader has ocl-icd's function for this, as the Khronos loader does, the name
 * and version of the loader. */
static void query_loader(const struct opencl *cl, struct nf_doctor_list *list)
{
    typedef cl_int CL_API_CALL info_function(cl_uint, size_t, void *, size_t *);
    enum { INFO_VERSION = 2, INFO_NAME = 3 };
    void *(*find)(const char *);
    info_function *query_loader_info;
    Dl_info where;
    char name[128] = "", version[64] = "";
    if (dladdr((void *)(uintptr_t)cl->clGetPlatformIDs, &where)) copy_text(list->loader, where.dli_fname);
    *(void **)&find = dlsym(cl->library, "clGetExtensionFunctionAddress");
    *(void **)&query_loader_info = find ? find("clGetICDLoaderInfoOCLICD") : NULL;
    if (!query_loader_info) return;
    query_loader_info(INFO_NAME, sizeof name, name, NULL);
    query_loader_info(INFO_VERSION, sizeof version, version, NULL);
    snprintf(list->loader_version, sizeof list->loader_version, "%.127s %.63s", name, version);
}

/* Returns true if a file whose path contains the name of the layer is mapped in this process. */
static bool is_layer_loaded(void)
{
    char line[4096];
    FILE *maps = fopen("/proc/self/maps", "re");
    int found = 0;
    while (maps && !found && fgets(line, sizeof line, maps))
        found = strstr(line, "libnonflat_layer.so") != NULL;
    if (maps) fclose(maps);
    return found;
}

static void list_in_child(const struct opencl *cl, int pipe, const void *what)
{
    (void)what;
    struct nf_doctor_list list = {.found_loader = true};
    cl_platform_id platforms[NF_MOST_DEVICES];
    cl_uint count = 0;
    query_loader(cl, &list);
    list.platforms_error = cl->clGetPlatformIDs(NF_MOST_DEVICES, platforms, &count);
    list.layer_loaded = is_layer_loaded();
    if (list.platforms_error) count = 0;
    put(pipe, &list, offsetof(struct nf_doctor_list, devices));
    for (cl_uint i = 0; i < count && i < NF_MOST_DEVICES; i++) {
        cl_device_id devices[NF_MOST_DEVICES];
        cl_uint device_count = 0;
        if (cl->clGetDeviceIDs(platforms[i], CL_DEVICE_TYPE_ALL, NF_MOST_DEVICES, devices, &device_count)) continue;
        for (cl_uint k = 0; k < device_count && k < NF_MOST_DEVICES; k++) {
            struct nf_doctor_device device = {.platform_index = i, .device_index = k};
            cl->clGetPlatformInfo(platforms[i], CL_PLATFORM_NAME, sizeof device.platform - 1, device.platform, NULL);
            query_device(cl, devices[k], &device);
            put(pipe, &device, sizeof device);
        }
    }
}

void nf_doctor_list_devices(const char *layers, struct nf_doctor_list *list)
{
    int end_signal = 0;
    memset(list, 0, sizeof *list);
    size_t fixed = offsetof(struct nf_doctor_list, devices), got;
    got = examine_in_child(layers, list_in_child, NULL, list, fixed + sizeof list->devices, &end_signal);
    list->count = got > fixed ? (got - fixed) / sizeof list->devices[0] : 0;
    list->end_signal = end_signal;
}

/* ---- The probe ---- */

static void say(int pipe, struct nf_doctor_run *run, int step)
{
    run->step = step;
    put(pipe, run, sizeof *run);
}

static cl_program create_program(const struct opencl *cl, cl_context context, cl_platform_id platform,
                                 cl_device_id device, int by_khr, cl_int *error)
{
    cl_uint bits = 64;
    cl->clGetDeviceInfo(device, CL_DEVICE_ADDRESS_BITS, sizeof bits, &bits, NULL);
    const void *module = bits == 32 ? probe_module_32 : probe_module;
    size_t size = bits == 32 ? sizeof probe_module_32 : sizeof probe_module;
    typedef cl_program CL_API_CALL create_function(cl_context, const void *, size_t, cl_int *);
    create_function *create = cl->clCreateProgramWithIL;
    if (by_khr && cl->clGetExtensionFunctionAddressForPlatform)
        *(void **)&create = cl->clGetExtensionFunctionAddressForPlatform(platform, "clCreateProgramWithILKHR");
    *error = CL_INVALID_OPERATION;
    return create ? create(context, module, size, error) : NULL;
}

/* Stores the first non-empty line of the build log; nothing if the log has 8 KiB or more. */
static void keep_log(const struct opencl *cl, cl_program program, cl_device_id device, struct nf_doctor_run *run)
{
    char log[8192] = "";
    cl->clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, sizeof log - 1, log, NULL);
    const char *line = log + strspn(log, " \t\r\n");
    snprintf(run->log, sizeof run->log, "%.*s", (int)strcspn(line, "\r\n"), line);
}

static double milliseconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

/* Returns the expected result of work-item `me`. */
static cl_int expected(int me, const cl_int *data)
{
    cl_int own = 100 + 200 + 300 + 400 + 4 * me, global = data[0] + data[1] + data[2] + data[3];
    cl_int sums[] = {10 + 20 + 30 + 40, own, global, global};
    return sums[me] + 10000 * own;
}

static void run_in_child(const struct opencl *cl, int pipe, const void *what)
{
    const struct nf_doctor_device *d = what;
    struct nf_doctor_run run = {0};
    cl_int data[2 * ITEMS] = {0, 0, 0, 0, 7, 8, 9, 11};
    size_t items = ITEMS;
    cl_platform_id platform = NULL;
    cl_device_id device = device_at(cl, d->platform_index, d->device_index, &platform);
    say(pipe, &run, NF_STEP_CONTEXT);
    if (!device) return;
    cl_context context = cl->clCreateContext(NULL, 1, &device, NULL, NULL, &run.error);
    cl_command_queue queue = context ? cl->clCreateCommandQueue(context, device, 0, &run.error) : NULL;
    say(pipe, &run, queue ? NF_STEP_CREATE : NF_STEP_CONTEXT);
    if (!queue) return;
    double start = milliseconds();
    cl_program program = create_program(cl, context, platform, device, d->version < 201, &run.error);
    say(pipe, &run, program ? NF_STEP_BUILD : NF_STEP_CREATE);
    if (!program) return;
    run.error = cl->clBuildProgram(program, 1, &device, "", NULL, NULL);
    if (run.error) keep_log(cl, program, device, &run);
    if (!run.error) run.build_ms = milliseconds() - start;
    say(pipe, &run, run.error ? NF_STEP_BUILD : NF_STEP_KERNEL);
    if (run.error) return;
    cl_kernel kernel = cl->clCreateKernel(program, "probe", &run.error);
    cl_mem buffer = cl->clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof data, data, NULL);
    if (kernel && buffer) run.error = cl->clSetKernelArg(kernel, 0, sizeof buffer, &buffer);
    say(pipe, &run, run.error ? NF_STEP_KERNEL : NF_STEP_RUN);
    if (!kernel || !buffer || run.error) return;
    run.error = cl->clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, &items, 0, NULL, NULL);
    if (!run.error) run.error = cl->clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, sizeof data, data, 0, NULL, NULL);
    run.idle = !run.error;
    for (int i = 0; i < ITEMS; i++)
        run.idle = run.idle && data[i] == 0;
    say(pipe, &run, run.error ? NF_STEP_RUN : NF_STEP_COMPARE);
    for (int i = 0; !run.error && i < ITEMS; i++)
        if (data[i] != expected(i, data + ITEMS)) return;
    if (!run.error) say(pipe, &run, NF_STEP_RIGHT);
}

void nf_doctor_run_probe(const char *layers, const struct nf_doctor_device *device, struct nf_doctor_run *run)
{
    struct nf_doctor_run records[16];
    int end_signal = 0;
    memset(run, 0, sizeof *run);
    size_t got = examine_in_child(layers, run_in_child, device, records, sizeof records, &end_signal) / sizeof *run;
    if (got) *run = records[got - 1];
    run->end_signal = run->step == NF_STEP_RIGHT ? 0 : end_signal;
}
