/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_chain.c - the layer without a loader: its exports, dispatch tables of other lengths, a second copy, and
 * OPENCL_LAYERS. Each test acts as the loader, so that it can violate one rule.
 */
#define _GNU_SOURCE
#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>
#include <CL/cl_icd.h>
#include <CL/cl_layer.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <dlfcn.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SLOTS = sizeof(cl_icd_dispatch) / sizeof(void *), MORE = 16, LIVES = 20, SPIRV_CAPABILITIES = 0x12bb };

typedef cl_int(CL_API_CALL *init_fn)(cl_uint, const cl_icd_dispatch *, cl_uint *, const cl_icd_dispatch **);
typedef cl_int(CL_API_CALL *init_properties_fn)(cl_uint, const cl_icd_dispatch *, cl_uint *, const cl_icd_dispatch **,
                                                const intptr_t *);
typedef cl_int(CL_API_CALL *layer_info_fn)(cl_uint, size_t, void *, size_t *);
typedef cl_int(CL_API_CALL *deinit_fn)(void);

static const char *self, *layer_path;
static int reached;

static cl_int CL_API_CALL next_program_info(cl_program program, cl_program_info name, size_t size, void *value,
                                            size_t *size_ret)
{
    (void)program, (void)name, (void)size, (void)value, (void)size_ret;
    reached++;
    return CL_INVALID_PROGRAM;
}

static cl_int CL_API_CALL next_retain_program(cl_program program)
{
    (void)program;
    reached++;
    return CL_INVALID_PROGRAM;
}

/* A dispatch table longer than the layer's. */
struct table {
    cl_icd_dispatch table;
    void *more[MORE];
};

static struct table next = {.table = {.clGetProgramInfo = next_program_info, .clRetainProgram = next_retain_program}};

static void *open_layer(const char *path)
{
    void *layer = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!layer) fail_msg("%s", dlerror());
    return layer;
}

static void find(void *layer, const char *name, void *function)
{
    void *address = dlsym(layer, name);
    assert_non_null(address);
    memcpy(function, &address, sizeof address);
}

static const cl_icd_dispatch *init(void *layer, const cl_icd_dispatch *target, cl_uint count)
{
    init_fn start;
    cl_uint given = 0;
    const cl_icd_dispatch *table = NULL;
    find(layer, "clInitLayer", &start);
    assert_int_equal(start(count, target, &given, &table), CL_SUCCESS);
    assert_int_equal(given, SLOTS);
    assert_non_null(table);
    return table;
}

static int used_slots(const cl_icd_dispatch *table)
{
    void *slots[SLOTS];
    int used = 0;
    memcpy(slots, table, sizeof slots);
    for (int i = 0; i < SLOTS; i++)
        used += slots[i] != NULL;
    return used;
}

static void exports(void **unused)
{
    layer_info_fn info;
    cl_layer_api_version version = 0;
    char name[16];
    size_t size = 0;
    (void)unused;
    void *layer = open_layer(layer_path);
    find(layer, "clGetLayerInfo", &info);
    assert_int_equal(info(CL_LAYER_API_VERSION, sizeof version, &version, &size), CL_SUCCESS);
    assert_int_equal(version, CL_LAYER_API_VERSION_100);
    assert_int_equal(size, sizeof version);
    assert_int_equal(info(CL_LAYER_NAME, sizeof name, name, NULL), CL_SUCCESS);
    assert_string_equal(name, "Nonflat");
    assert_int_equal(info(CL_LAYER_NAME, 3, name, NULL), CL_INVALID_VALUE);
    assert_int_equal(info(0, 0, NULL, NULL), CL_INVALID_VALUE);
    assert_null(dlsym(layer, "nf_specialize"));
    assert_null(dlsym(layer, "nf_cl_dispatch"));
    dlclose(layer);
}

static void bad_arguments(void **unused)
{
    init_fn start;
    cl_uint given = 0;
    const cl_icd_dispatch *table = NULL;
    (void)unused;
    void *layer = open_layer(layer_path);
    find(layer, "clInitLayer", &start);
    assert_int_equal(start(SLOTS, NULL, &given, &table), CL_INVALID_VALUE);
    assert_int_equal(start(SLOTS, &next.table, NULL, &table), CL_INVALID_VALUE);
    assert_int_equal(start(SLOTS, &next.table, &given, NULL), CL_INVALID_VALUE);
    assert_int_equal(start(0, &next.table, &given, &table), CL_INVALID_VALUE);
    dlclose(layer);
}

static void tables_of_other_lengths(void **unused)
{
    static const cl_uint counts[] = {SLOTS + MORE, SLOTS, SLOTS - 1, 60};
    (void)unused;
    void *layer = open_layer(layer_path);
    for (int i = 0; i < 4; i++) {
        /* Only the announced part may be read: the memory after it would crash when called. */
        struct table *cut = malloc(sizeof *cut);
        memset(cut, 0xff, sizeof *cut);
        memcpy(cut, &next, counts[i] * sizeof(void *));
        const cl_icd_dispatch *table = init(layer, &cut->table, counts[i]);
        free(cut); /* the table is the loader's; the layer has copied it */
        reached = 0;
        assert_int_equal(table->clRetainProgram(NULL), CL_INVALID_PROGRAM);
        assert_int_equal(reached, 1);
        cl_int error = 0;
        /* A call that the next layer or driver does not implement returns an error. */
        assert_null(table->clCreateProgramWithIL(NULL, "", 1, &error));
        assert_int_equal(error, CL_INVALID_OPERATION);
        assert_int_equal(table->clSetProgramSpecializationConstant(NULL, 0, 0, NULL), CL_INVALID_OPERATION);
    }
    dlclose(layer);
}

/* A layer between the two copies passes the query on. */
static const cl_icd_dispatch *behind;

static cl_int CL_API_CALL between_program_info(cl_program program, cl_program_info name, size_t size, void *value,
                                               size_t *size_ret)
{
    return behind->clGetProgramInfo(program, name, size, value, size_ret);
}

static void second_copy_passes_through(void **unused)
{
    char command[8192], copy[4096];
    (void)unused;
    snprintf(copy, sizeof copy, "/tmp/nonflat-copy-%ld.so", (long)getpid());
    snprintf(command, sizeof command, "cp '%s' '%s'", layer_path, copy);
    assert_int_equal(system(command), 0);
    void *first = open_layer(layer_path), *second = open_layer(copy);
    unlink(copy);
    assert_ptr_not_equal(first, second);
    behind = init(first, &next.table, SLOTS);
    assert_true(used_slots(behind) > 10);
    cl_icd_dispatch between = *behind;
    between.clGetProgramInfo = between_program_info;
    assert_int_equal(used_slots(init(second, &between, SLOTS)), 0);
    /* The same file twice in one chain. */
    assert_int_equal(used_slots(init(first, &between, SLOTS)), 0);
    dlclose(second);
    dlclose(first);
}

/* ---- space on the stack for a driver that writes to its caller's frame too late ---------------------------------- */

static uintptr_t record;

static cl_int CL_API_CALL next_release_context(cl_context context)
{
    volatile char here = 0;
    (void)context;
    record = (uintptr_t)&here;
    reached++;
    return CL_INVALID_CONTEXT;
}

static size_t distance(const cl_icd_dispatch *table)
{
    volatile char here = 0;
    record = 0;
    assert_int_equal(table->clReleaseContext(NULL), CL_INVALID_CONTEXT);
    return (uintptr_t)&here - record;
}

static void *on_a_small_stack(void *table)
{
    static size_t found;
    found = distance(table);
    return &found;
}

static void calls_have_a_gap(void **unused)
{
    static const char *const without[] = {"", "cpu", "remotely basic"};
    const size_t least = 64 << 10, most = 512 << 10, small = 256 << 10;
    struct table behind_it = next;
    (void)unused;
    behind_it.table.clReleaseContext = next_release_context;
    void *layer = open_layer(layer_path);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(setenv("POCL_DEVICES", without[i], 1), 0);
        assert_null(init(layer, &behind_it.table, SLOTS)->clReleaseContext);
    }
    assert_int_equal(setenv("POCL_DEVICES", "basic remote remote", 1), 0);
    const cl_icd_dispatch *table = init(layer, &behind_it.table, SLOTS);
    assert_null(table->clReleaseSampler); /* the next table lacks this function */
    assert_non_null(table->clReleaseContext);
    reached = 0;
    for (size_t i = 0, last = 0; i < 40; i++) {
        size_t found = distance(table);
        assert_true(found >= least && found < most && found != last);
        last = found;
    }
    assert_int_equal(reached, 40);
    assert_int_equal(table->clRetainProgram(NULL), CL_INVALID_PROGRAM); /* calls that the layer intercepts arrive as
                                                                         * well */
    assert_int_equal(reached, 41);
    pthread_t thread;
    pthread_attr_t attributes;
    void *found = NULL;
    pthread_attr_init(&attributes);
    assert_int_equal(pthread_attr_setstacksize(&attributes, small), 0);
    assert_int_equal(pthread_create(&thread, &attributes, on_a_small_stack, (void *)table), 0);
    pthread_join(thread, &found);
    assert_true(*(size_t *)found < least / 8);
    pthread_attr_destroy(&attributes);
    unsetenv("POCL_DEVICES");
    init(layer, &next.table, SLOTS);
    dlclose(layer);
}

static void properties_and_deinit(void **unused)
{
    init_properties_fn start;
    deinit_fn deinit;
    cl_uint given = 0;
    const cl_icd_dispatch *table = NULL;
    (void)unused;
    void *layer = open_layer(layer_path);
    find(layer, "clInitLayerWithProperties", &start);
    find(layer, "clDeinitLayer", &deinit);
    assert_int_equal(start(SLOTS, &next.table, &given, &table, NULL), CL_SUCCESS);
    assert_int_equal(deinit(), CL_SUCCESS);
    /* A call from a static destructor is passed on. */
    reached = 0;
    assert_int_equal(table->clRetainProgram(NULL), CL_INVALID_PROGRAM);
    assert_int_equal(reached, 1);
    assert_int_equal(start(SLOTS, &next.table, &given, &table, NULL), CL_SUCCESS);
    assert_int_equal(deinit(), CL_SUCCESS);
    /* If a loader unloads the layer while a caller still has its table, the code stays loaded. */
    dlclose(layer);
    reached = 0;
    assert_int_equal(table->clRetainProgram(NULL), CL_INVALID_PROGRAM);
    assert_int_equal(reached, 1);
}

/* ---- several loaders in succession ------------------------------------------------------------------------------- */

/* The driver of the current loader: it accepts SPIR-V, with or without generic pointers. */
static int life;
static char functions[LIVES]; /* a different address for each driver */

static cl_int CL_API_CALL driver_device_info(cl_device_id device, cl_device_info name, size_t size, void *value,
                                             size_t *size_ret)
{
    static const char *const texts[][2] = {{"OpenCL 3.0 even", "OpenCL 3.0 odd"}, {"SPIR-V_1.2", "SPIR-V_1.2"}};
    static const cl_uint bits = 64, kernel = 6;
    static const cl_bool no = CL_FALSE;
    const void *answer = NULL;
    size_t length = 0;
    cl_bool generic = life % 2;
    (void)device;
    switch (name) {
    case CL_DEVICE_VERSION: answer = texts[0][life % 2]; break;
    case CL_DEVICE_IL_VERSION: answer = texts[1][life % 2]; break;
    case CL_DEVICE_NAME:
    case CL_DEVICE_VENDOR:
    case CL_DRIVER_VERSION:
    case CL_DEVICE_EXTENSIONS: answer = ""; break;
    case CL_DEVICE_GENERIC_ADDRESS_SPACE_SUPPORT: answer = &generic, length = sizeof generic; break;
    case CL_DEVICE_ADDRESS_BITS: answer = &bits, length = sizeof bits; break;
    case SPIRV_CAPABILITIES: answer = &kernel, length = sizeof kernel; break;
    case CL_DEVICE_IMAGE_SUPPORT: answer = &no, length = sizeof no; break;
    case CL_DEVICE_PLATFORM: answer = &self, length = sizeof self; break;
    default: return CL_INVALID_VALUE;
    }
    if (!length) length = strlen(answer) + 1;
    if (value && size < length) return CL_INVALID_VALUE;
    if (value) memcpy(value, answer, length);
    if (size_ret) *size_ret = length;
    return CL_SUCCESS;
}

static cl_int CL_API_CALL driver_platform_info(cl_platform_id platform, cl_platform_info name, size_t size, void *value,
                                               size_t *size_ret)
{
    (void)platform, (void)name;
    if (value && size) *(char *)value = '\0';
    if (size_ret) *size_ret = 1;
    return CL_SUCCESS;
}

static cl_program CL_API_CALL driver_create(cl_context context, const void *module, size_t size, cl_int *error)
{
    (void)context, (void)module, (void)size;
    if (error) *error = CL_INVALID_VALUE;
    return NULL;
}

static void *CL_API_CALL driver_function(cl_platform_id platform, const char *name)
{
    (void)platform;
    return strcmp(name, "clSetKernelArgMemPointerINTEL") == 0 ? &functions[life] : NULL;
}

/* Returns true if the layer reports, unlike the driver, that the device takes modules with generic pointers. */
static int takes_generic(const cl_icd_dispatch *table)
{
    size_t size = 0;
    cl_device_id device = (cl_device_id)functions;
    assert_int_equal(table->clGetDeviceInfo(device, SPIRV_CAPABILITIES, 0, NULL, &size), CL_SUCCESS);
    return size == 2 * sizeof(cl_uint);
}

/* Each loader has another driver with the same handles and other functions: the layer must not use records of the
 * previous one. */
static void loaders_one_after_the_other(void **unused)
{
    static const char name[] = "clSetKernelArgMemPointerINTEL";
    cl_platform_id platform = (cl_platform_id)functions;
    (void)unused;
    void *layer = open_layer(layer_path);
    cl_icd_dispatch driver = {.clGetProgramInfo = next_program_info,
                              .clGetDeviceInfo = driver_device_info,
                              .clGetPlatformInfo = driver_platform_info,
                              .clCreateProgramWithIL = driver_create,
                              .clGetExtensionFunctionAddressForPlatform = driver_function};
    for (life = 0; life < LIVES; life++) {
        driver.clCreateProgramWithIL = life % 4 < 2 ? driver_create : NULL; /* without this function no module can be
                                                                             * delivered */
        const cl_icd_dispatch *table = init(layer, &driver, SLOTS);
        assert_int_equal(takes_generic(table), life % 4 == 0);
        void *ours = table->clGetExtensionFunctionAddressForPlatform(platform, name);
        assert_non_null(ours);
        assert_ptr_not_equal(ours, &functions[life]); /* the layer has room for eight drivers at a time */
        assert_ptr_equal(table->clGetExtensionFunctionAddressForPlatform(platform, name), ours);
    }
    dlclose(layer);
}

/* ---- OPENCL_LAYERS ---- */

/* The kernel places the variables of a process when it starts, so each case is a separate process. */
enum twist { PLAIN, NEXT_IS_GONE, SET_BY_HOST, TWISTS };

static char next_value[] = "NEXT=/lib.so";

/* Modifies the variable as ocl-icd does: before it loads a layer, it terminates the string after that layer's name.
 * Then queries the layer, as applications do once the loader is ready. */
static void cut_and_init(char *list, int position)
{
    void *layer = open_layer(layer_path);
    const cl_icd_dispatch *table = NULL;
    char *at = list, *end = strchr(at, ':');
    for (int i = 0; at; i++) {
        if (end) *end++ = '\0';
        if (i == position) table = init(layer, &next.table, SLOTS);
        at = end;
        end = end ? strchr(end, ':') : NULL;
    }
    size_t size = 0;
    assert_int_equal(table->clGetDeviceInfo(NULL, CL_DEVICE_EXTENSIONS, 0, NULL, &size), CL_INVALID_DEVICE);
    dlclose(layer);
}

/* A system call that reads memory of a process ends the process, as in some sandboxes. */
static void forbid_peeking(void)
{
    struct sock_filter filter[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_process_vm_readv, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog program = {sizeof filter / sizeof filter[0], filter};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0) prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

/* Runs one case, in a process of its own. @return 0 if the variable has not changed. */
static int run_case(const char *value, int position, enum twist twist)
{
    static char own[8192], wanted[8192];
    char *list = getenv("OPENCL_LAYERS"), *behind = getenv("NEXT") - strlen("NEXT=");
    forbid_peeking();
    if (twist == NEXT_IS_GONE) unsetenv("NEXT");
    if (twist == SET_BY_HOST) { /* followed by text that looks like its continuation */
        int length = snprintf(own, sizeof own, "OPENCL_LAYERS=%s", value) + 1;
        snprintf(own + length, sizeof own - (size_t)length, "%s", layer_path);
        putenv(own);
        list = own + strlen("OPENCL_LAYERS=");
        behind = own + length;
    }
    snprintf(wanted, sizeof wanted, "%s", behind);
    cut_and_init(list, position);
    if (strcmp(behind, wanted) != 0 || behind[-1] != '\0') return 1;
    if (twist == PLAIN) return strcmp(getenv("OPENCL_LAYERS"), value) != 0;
    return strlen(getenv("OPENCL_LAYERS")) != strcspn(value, ":"); /* the layer cannot be certain, so the variable stays
                                                                    * cut */
}

/* @return the exit status of the process of a case. */
static int in_process(const char *value, int position, enum twist twist)
{
    char number[16], which[16], list[8300], layer[8300];
    snprintf(number, sizeof number, "%d", position);
    snprintf(which, sizeof which, "%d", (int)twist);
    snprintf(list, sizeof list, "OPENCL_LAYERS=%s", value);
    snprintf(layer, sizeof layer, "TEST_LAYER=%s", layer_path);
    char *arguments[] = {(char *)self, (char *)value, number, which, NULL};
    char *variables[] = {layer, list, next_value, "LAST=1", NULL};
    pid_t child = fork();
    if (child == 0) {
        execve(self, arguments, variables);
        _exit(127);
    }
    int status = -1;
    waitpid(child, &status, 0);
    return status;
}

static void layers_are_restored(void **unused)
{
    static const char *const forms[] = {"%s",  "/none/a.so:%s", "/none/a.so:b.so:%s", "/none/a.so:%s:/none/c=d.so:e.so",
                                        "%s:", "%s:/none/b.so"};
    static const int positions[] = {0, 1, 2, 1, 0, 0};
    char value[8192];
    (void)unused;
    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) {
        snprintf(value, sizeof value, forms[i], layer_path);
        for (int twist = 0; twist < TWISTS; twist++)
            if (in_process(value, positions[i], (enum twist)twist) != 0) fail_msg("%s, %d", value, twist);
    }
}

int main(int count, char **arguments)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(exports),
        cmocka_unit_test(bad_arguments),
        cmocka_unit_test(tables_of_other_lengths),
        cmocka_unit_test(second_copy_passes_through),
        cmocka_unit_test(calls_have_a_gap),
        cmocka_unit_test(properties_and_deinit),
        cmocka_unit_test(loaders_one_after_the_other),
        cmocka_unit_test(layers_are_restored),
    };
    self = arguments[0];
    layer_path = getenv("TEST_LAYER");
    if (!layer_path) {
        fprintf(stderr, "TEST_LAYER is not set\n");
        return 1;
    }
    if (count == 4) return run_case(arguments[1], atoi(arguments[2]), (enum twist)atoi(arguments[3]));
    return cmocka_run_group_tests(tests, NULL, NULL);
}
