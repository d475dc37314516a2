/* SPDX-License-Identifier: Apache-2.0 */
/*
 * stub_driver.c - an OpenCL driver that computes nothing: it counts references to its objects, records the calls that
 * reach it (stub.h) and checks that every handle is its own, because a real driver would crash on another. Most tests
 * of the layer need no other driver. The functions for kernels are in stub_kernels.c.
 */
#define _GNU_SOURCE
#include "generic.h"
#include "stub_objects.h"

struct stub_state stub_data = {.arguments = 1};
pthread_mutex_t stub_lock = PTHREAD_MUTEX_INITIALIZER;

static struct _cl_platform_id platforms[PLATFORMS];
static struct _cl_device_id devices[PLATFORMS][STUB_DEVICES];

/* Hosts call drivers in their fork handlers, too: during a fork the forking thread has the lock. */
static _Thread_local bool forks __attribute__((tls_model("initial-exec"))); /* initial-exec: works even if memory is
                                                                             * exhausted */

static void hold(void)
{
    if (!forks) pthread_mutex_lock(&stub_lock);
}

static void let_go(void)
{
    if (!forks) pthread_mutex_unlock(&stub_lock);
}

static void begin_fork(void)
{
    hold();
    forks = true;
}

static void end_fork(void)
{
    forks = false;
    let_go();
}

static __attribute__((constructor)) void fill(void)
{
    void *slots[sizeof stub_dispatch / sizeof(void *)], *kernels[sizeof stub_dispatch / sizeof(void *)];
    memcpy(slots, &stub_dispatch, sizeof slots);
    memcpy(kernels, &stub_kernel_calls, sizeof kernels);
    for (size_t i = 0; i < sizeof slots / sizeof slots[0]; i++)
        slots[i] = kernels[i] ? kernels[i] : slots[i];
    memcpy(&stub_dispatch, slots, sizeof slots);
    pthread_atfork(begin_fork, end_fork, end_fork); /* a child gets a consistent driver, so that a failure is the
                                                     * layer's */
    for (int i = 0; i < PLATFORMS; i++) {
        platforms[i].object.dispatch = &stub_dispatch;
        platforms[i].object.magic = PLATFORM;
        for (int j = 0; j < STUB_DEVICES; j++) {
            devices[i][j].object.dispatch = &stub_dispatch;
            devices[i][j].object.magic = DEVICE;
            devices[i][j].kind = (enum stub_device)j;
            devices[i][j].platform = &platforms[i];
        }
    }
}

/* ---- platforms and devices ---- */

static cl_int CL_API_CALL get_platform_info(cl_platform_id platform, cl_platform_info name, size_t size, void *value,
                                            size_t *size_ret)
{
    (void)platform;
    switch (name) {
    case CL_PLATFORM_PROFILE: return give_text("FULL_PROFILE", size, value, size_ret);
    case CL_PLATFORM_VERSION: return give_text("OpenCL 3.0 stub", size, value, size_ret);
    case CL_PLATFORM_NAME: return give_text(*stub_data.platform ? stub_data.platform : "Stub", size, value, size_ret);
    case CL_PLATFORM_VENDOR: return give_text("Nonflat", size, value, size_ret);
    case CL_PLATFORM_EXTENSIONS: return give_text("cl_khr_icd", size, value, size_ret);
    case CL_PLATFORM_ICD_SUFFIX_KHR: return give_text("INTEL", size, value, size_ret);
    default: return CL_INVALID_VALUE;
    }
}

static cl_int CL_API_CALL get_device_ids(cl_platform_id platform, cl_device_type type, cl_uint count,
                                         cl_device_id *list, cl_uint *count_ret)
{
    (void)type;
    for (cl_uint i = 0; list && i < count && i < STUB_DEVICES; i++)
        list[i] = &devices[platform - platforms][i];
    if (count_ret) *count_ret = STUB_DEVICES;
    return CL_SUCCESS;
}

static const struct {
    const char *version, *il, *extensions;
    cl_bool generic;
    int max_global; /* -1: the query fails */
} kinds[STUB_DEVICES] = {
    [STUB_IL] = {"OpenCL 3.0 stub", "SPIR-V_1.0 SPIR-V_1.4", "cl_khr_fp64", CL_FALSE, 65536},
    [STUB_KHR] = {"OpenCL 1.2 stub", "SPIR-V_1.0 SPIR-V_1.2", "cl_khr_il_program", CL_FALSE, -1},
    [STUB_SPIR] = {"OpenCL 1.2 stub", "", "cl_khr_spir cl_khr_fp64", CL_FALSE, -1},
    [STUB_GENERIC] = {"OpenCL 3.0 stub", "SPIR-V_1.4", "", CL_TRUE, 65536},
    [STUB_GENERIC_2] = {"OpenCL 2.1 stub", "SPIR-V_1.4", "", CL_FALSE, 65536},
    [STUB_NOTHING] = {"OpenCL 1.2 stub", "", "", CL_FALSE, -1},
    [STUB_IL_2] = {"OpenCL 3.0 stub", "SPIR-V_1.4", "cl_khr_fp64", CL_FALSE, 65536},
    [STUB_FAST] = {"OpenCL 3.0 stub", "SPIR-V_1.4", "cl_khr_fp64", CL_FALSE, 65536},
    [STUB_GPU] = {"OpenCL 3.0 stub", "SPIR-V_1.4", "", CL_TRUE, 65536},
    [STUB_INTEL_GPU] = {"OpenCL 3.0 stub", "SPIR-V_1.4", "", CL_TRUE, 65536},
    [STUB_SPIR_3] = {"OpenCL 3.0 stub", "", "cl_khr_spir", CL_FALSE, 0},
    [STUB_SOURCE] = {"OpenCL 1.2 stub", "", "cl_khr_fp64", CL_FALSE, -1},
    [STUB_SOURCE_3] = {"OpenCL 3.0 stub", "", "cl_khr_fp16", CL_FALSE, 65536},
};

static bool is_among(enum stub_device kind, atomic_uint *kinds_of)
{
    return atomic_load(kinds_of) >> kind & 1;
}

static cl_device_type type_of(enum stub_device kind)
{
    bool gpu = kind == STUB_GPU || kind == STUB_INTEL_GPU || is_among(kind, &stub_data.gpus);
    return gpu ? CL_DEVICE_TYPE_GPU : CL_DEVICE_TYPE_CPU;
}

static const char *vendor_of(enum stub_device kind)
{
    return kind == STUB_FAST || kind == STUB_INTEL_GPU ? "Intel" : "Nonflat";
}

static bool is_three(cl_device_id device)
{
    return strncmp(kinds[device->kind].version, "OpenCL 3", 8) == 0;
}

/* Answers the queries of cl_khr_spirv_queries. */
static bool lists_spirv(cl_device_id device)
{
    return is_three(device) && getenv("STUB_LISTS");
}

static cl_int get_spirv_info(cl_device_id device, cl_device_info name, size_t size, void *value, size_t *size_ret)
{
    static const cl_uint capabilities[] = {4, 5, 6, 38}; /* Addresses, Linkage, Kernel; GenericPointer */
    size_t count = kinds[device->kind].generic ? 4 : 3;
    if (name == 0x12ba && lists_spirv(device)) return give(NULL, 0, size, value, size_ret); /* extensions: none */
    if (name == 0x12bb && is_three(device))                                                 /* capabilities */
        return give(capabilities, count * sizeof(cl_uint), size, value, size_ret);
    return CL_INVALID_VALUE;
}

static cl_int get_version(cl_device_id device, size_t size, void *value, size_t *size_ret)
{
    char text[96];
    const int number = 10; /* length of "OpenCL N.N" */
    if (is_among(device->kind, &stub_data.unknown)) return CL_OUT_OF_RESOURCES;
    snprintf(text, sizeof text, "%.*s %s", number, kinds[device->kind].version,
             *stub_data.driver ? stub_data.driver : "stub");
    return give_text(text, size, value, size_ret);
}

/* Like PoCL's client for other machines, it accepts no buffer of another size. */
static cl_int get_sub_group_sizes(cl_device_id device, size_t size, void *value, size_t *size_ret)
{
    const size_t sizes[] = {8, 16, 32};
    bool eight = is_among(device->kind, &stub_data.eights);
    size_t bytes = eight ? sizeof *sizes : sizeof sizes;
    if (!(eight || is_among(device->kind, &stub_data.silent)) || (value && size != bytes)) return CL_INVALID_VALUE;
    return give(sizes, bytes, size, value, size_ret);
}

static cl_int get_memory_info(cl_device_id device, cl_device_info name, size_t size, void *value, size_t *size_ret)
{
    const cl_uint bits = is_among(device->kind, &stub_data.narrow) ? 32 : 64;
    const cl_device_svm_capabilities svm =
        is_among(device->kind, &stub_data.system_svm) ? CL_DEVICE_SVM_FINE_GRAIN_SYSTEM : 0;
    const cl_ulong global_size = atomic_load(&stub_data.global_size);
    switch (name) {
    case CL_DEVICE_SVM_CAPABILITIES:
        return is_three(device) ? give(&svm, sizeof svm, size, value, size_ret) : CL_INVALID_VALUE;
    case CL_DEVICE_GLOBAL_MEM_SIZE:
        return global_size ? give(&global_size, sizeof global_size, size, value, size_ret) : CL_INVALID_VALUE;
    case CL_DEVICE_ADDRESS_BITS: return give(&bits, sizeof bits, size, value, size_ret);
    case 0x4503: /* CL_DEVICE_REMOTE_SERVER_IP_POCL */
        return is_among(device->kind, &stub_data.remote) ? give_text("127.0.0.1", size, value, size_ret)
                                                         : CL_INVALID_VALUE;
    case 0x4108: /* CL_DEVICE_SUB_GROUP_SIZES_INTEL */ return get_sub_group_sizes(device, size, value, size_ret);
    default: return get_spirv_info(device, name, size, value, size_ret);
    }
}

static cl_int get_compiler_info(cl_device_id device, cl_device_info name, size_t size, void *value, size_t *size_ret)
{
    const cl_bool has = device->kind != STUB_NOTHING, images = device->kind == STUB_SOURCE_3;
    switch (name) {
    case CL_DEVICE_IMAGE_SUPPORT: return give(&images, sizeof images, size, value, size_ret);
    case CL_DEVICE_COMPILER_AVAILABLE: return give(&has, sizeof has, size, value, size_ret);
    case CL_DEVICE_OPENCL_C_VERSION:
        return give_text(is_among(device->kind, &stub_data.old)   ? "OpenCL C 1.1 stub"
                         : atomic_load(&stub_data.language) == 20 ? "OpenCL C 2.0 stub"
                                                                  : "OpenCL C 1.2 stub",
                         size, value, size_ret);
    default: return get_memory_info(device, name, size, value, size_ret);
    }
}

static cl_int CL_API_CALL get_device_info(cl_device_id device, cl_device_info name, size_t size, void *value,
                                          size_t *size_ret)
{
    static const cl_name_version features[] = {{CL_MAKE_VERSION(3, 0, 0), "__opencl_c_int64"},
                                               {CL_MAKE_VERSION(3, 0, 0), "__opencl_c_atomic_order_acq_rel"},
                                               {CL_MAKE_VERSION(3, 0, 0), "__opencl_c_atomic_scope_device"}};
    static const cl_name_version spirv[] = {{CL_MAKE_VERSION(1, 4, 0), "SPIR-V"}};
    const cl_device_id none = NULL;
    if (!own(device, DEVICE)) return CL_INVALID_DEVICE;
    const cl_device_type type = type_of(device->kind);
    bool three = is_three(device);
    size_t max_global = (size_t)kinds[device->kind].max_global;
    switch (name) {
    case CL_DEVICE_VERSION: return get_version(device, size, value, size_ret);
    case CL_DEVICE_VENDOR: return give_text(vendor_of(device->kind), size, value, size_ret);
    case CL_DEVICE_TYPE: return give(&type, sizeof type, size, value, size_ret);
    case CL_DRIVER_VERSION: return give_text("1", size, value, size_ret);
    case CL_DEVICE_NAME: return give_text(*stub_data.name ? stub_data.name : "stub device", size, value, size_ret);
    case CL_DEVICE_EXTENSIONS:
        return give_text(lists_spirv(device) ? "cl_khr_spirv_queries" : kinds[device->kind].extensions, size, value,
                         size_ret);
    case CL_DEVICE_PLATFORM: return give(&device->platform, sizeof device->platform, size, value, size_ret);
    case CL_DEVICE_PARENT_DEVICE: return give(&none, sizeof none, size, value, size_ret);
    case CL_DEVICE_IL_VERSION:
        if (!three && device->kind != STUB_KHR && device->kind != STUB_GENERIC_2) return CL_INVALID_VALUE;
        return give_text(kinds[device->kind].il, size, value, size_ret);
    case CL_DEVICE_GENERIC_ADDRESS_SPACE_SUPPORT:
        return three ? give(&kinds[device->kind].generic, sizeof(cl_bool), size, value, size_ret) : CL_INVALID_VALUE;
    case CL_DEVICE_OPENCL_C_FEATURES:
        return three ? give(features, atomic_load(&stub_data.language) == 30 ? sizeof features : sizeof *features, size,
                            value, size_ret)
                     : CL_INVALID_VALUE;
    case CL_DEVICE_ILS_WITH_VERSION:
        return three ? give(spirv, *kinds[device->kind].il ? sizeof spirv : 0, size, value, size_ret)
                     : CL_INVALID_VALUE;
    case CL_DEVICE_EXTENSIONS_WITH_VERSION: return three ? give(spirv, 0, size, value, size_ret) : CL_INVALID_VALUE;
    case CL_DEVICE_MAX_GLOBAL_VARIABLE_SIZE:
        return kinds[device->kind].max_global < 0 ? CL_INVALID_VALUE
                                                  : give(&max_global, sizeof max_global, size, value, size_ret);
    default: return get_compiler_info(device, name, size, value, size_ret);
    }
}

/* ---- contexts and queues ---- */

static cl_context CL_API_CALL create_context(const cl_context_properties *properties, cl_uint count,
                                             const cl_device_id *list,
                                             void(CL_CALLBACK *notify)(const char *, const void *, size_t, void *),
                                             void *user, cl_int *error)
{
    (void)properties, (void)notify, (void)user;
    cl_context context = make(sizeof *context, CONTEXT_MAGIC);
    context->count = count < STUB_DEVICES ? count : STUB_DEVICES;
    memcpy(context->devices, list, context->count * sizeof *list);
    atomic_fetch_add(&stub_data.contexts, 1);
    set_error(error, CL_SUCCESS);
    return context;
}

static cl_int CL_API_CALL retain_context(cl_context context)
{
    if (!own(context, CONTEXT_MAGIC)) return CL_INVALID_CONTEXT;
    atomic_fetch_add(&context->object.references, 1);
    return CL_SUCCESS;
}

static cl_int CL_API_CALL release_context(cl_context context)
{
    if (!own(context, CONTEXT_MAGIC)) return CL_INVALID_CONTEXT;
    if (atomic_fetch_sub(&context->object.references, 1) == 1) {
        atomic_fetch_sub(&stub_data.contexts, 1);
        free(context);
    }
    return CL_SUCCESS;
}

static cl_int CL_API_CALL get_context_info(cl_context context, cl_context_info name, size_t size, void *value,
                                           size_t *size_ret)
{
    if (!own(context, CONTEXT_MAGIC)) return CL_INVALID_CONTEXT;
    if (name == CL_CONTEXT_DEVICES)
        return give(context->devices, context->count * sizeof(cl_device_id), size, value, size_ret);
    if (name == CL_CONTEXT_NUM_DEVICES) return give(&context->count, sizeof context->count, size, value, size_ret);
    return CL_INVALID_VALUE;
}

static cl_command_queue CL_API_CALL create_queue(cl_context context, cl_device_id device,
                                                 const cl_queue_properties *properties, cl_int *error)
{
    (void)properties;
    if (!own(context, CONTEXT_MAGIC)) return NULL;
    cl_command_queue queue = make(sizeof *queue, QUEUE);
    queue->device = device;
    set_error(error, CL_SUCCESS);
    return queue;
}

static cl_command_queue CL_API_CALL create_old_queue(cl_context context, cl_device_id device,
                                                     cl_command_queue_properties properties, cl_int *error)
{
    (void)properties;
    return create_queue(context, device, NULL, error);
}

static cl_int CL_API_CALL release_queue(cl_command_queue queue)
{
    free(queue);
    return CL_SUCCESS;
}

static cl_int CL_API_CALL get_queue_info(cl_command_queue queue, cl_command_queue_info name, size_t size, void *value,
                                         size_t *size_ret)
{
    if (!own(queue, QUEUE) || name != CL_QUEUE_DEVICE) return CL_INVALID_COMMAND_QUEUE;
    return give(&queue->device, sizeof queue->device, size, value, size_ret);
}

/* ---- programs ---- */

static void remember(const void *data, size_t size)
{
    hold();
    stub_data.module.size = size;
    memcpy(stub_data.module.data, data, size < sizeof stub_data.module.data ? size : sizeof stub_data.module.data);
    let_go();
}

static cl_program make_program(cl_context context, const void *il, size_t size, cl_int *error)
{
    cl_int failure = atomic_exchange(&stub_data.fail_create, 0);
    if (!own(context, CONTEXT_MAGIC)) failure = CL_INVALID_CONTEXT;
    set_error(error, failure);
    if (failure) return NULL;
    cl_program program = make(sizeof *program, PROGRAM);
    retain_context(context);
    program->context = context;
    program->il_size = size;
    program->il = malloc(size ? size : 1);
    if (size) memcpy(program->il, il, size);
    atomic_fetch_add(&stub_data.programs, 1);
    return program;
}

static cl_program create_il(cl_context context, const void *il, size_t length, cl_int *error)
{
    uint32_t magic = 0;
    if (il && length >= 20) memcpy(&magic, il, 4);
    if (magic != 0x07230203u) {
        set_error(error, CL_INVALID_VALUE);
        return NULL;
    }
    cl_int refusal = has_generic(il, length) ? 0 : atomic_load(&stub_data.refuse_changed);
    if (refusal) {
        set_error(error, refusal);
        return NULL;
    }
    remember(il, length);
    return make_program(context, il, length, error);
}

static cl_program CL_API_CALL create_with_il(cl_context context, const void *il, size_t length, cl_int *error)
{
    atomic_fetch_add(&stub_data.created_il, 1);
    bool any = false;
    for (cl_uint i = 0; own(context, CONTEXT_MAGIC) && i < context->count; i++)
        any = any || (strncmp(kinds[context->devices[i]->kind].version, "OpenCL 1", 8) != 0 &&
                      *kinds[context->devices[i]->kind].il);
    if (context && !any) {
        set_error(error, CL_INVALID_OPERATION);
        return NULL;
    }
    return create_il(context, il, length, error);
}

static cl_program CL_API_CALL create_with_il_khr(cl_context context, const void *il, size_t length, cl_int *error)
{
    atomic_fetch_add(&stub_data.created_khr, 1);
    return create_il(context, il, length, error);
}

static void note_brackets(const char *text)
{
    int open = 0;
    for (; *text; text++) {
        open += (*text == '(') - (*text == ')');
        if (open > atomic_load(&stub_data.deepest)) atomic_store(&stub_data.deepest, open);
    }
}

static cl_program CL_API_CALL create_with_source(cl_context context, cl_uint count, const char **strings,
                                                 const size_t *lengths, cl_int *error)
{
    atomic_fetch_add(&stub_data.created_source, 1);
    cl_program program = make_program(context, NULL, 0, error);
    if (count && !lengths) note_brackets(strings[0]);
    if (!program || !count) return program;
    program->source = lengths ? strndup(strings[0], lengths[0]) : strdup(strings[0]); /* there is only one string */
    hold();
    snprintf(stub_data.text, sizeof stub_data.text, "%s", program->source);
    let_go();
    return program;
}

static cl_program CL_API_CALL create_with_binary(cl_context context, cl_uint count, const cl_device_id *list,
                                                 const size_t *lengths, const unsigned char **binaries, cl_int *status,
                                                 cl_int *error)
{
    atomic_fetch_add(&stub_data.created_binary, 1);
    for (cl_uint i = 0; i < count; i++)
        own(list[i], DEVICE);
    remember(binaries[0], lengths[0]);
    for (cl_uint i = 0; status && i < count; i++)
        status[i] = CL_SUCCESS;
    cl_program program = make_program(context, NULL, 0, error);
    if (program) program->from_bitcode = lengths[0] >= 4 && memcmp(binaries[0], "BC\xC0\xDE", 4) == 0;
    if (program) program->count = count < STUB_DEVICES ? count : STUB_DEVICES;
    for (cl_uint i = 0; program && i < program->count; i++)
        program->devices[i] = list[i];
    return program;
}

static cl_int CL_API_CALL retain_program(cl_program program)
{
    if (!own(program, PROGRAM)) return CL_INVALID_PROGRAM;
    atomic_fetch_add(&program->object.references, 1);
    return CL_SUCCESS;
}

static cl_int CL_API_CALL release_program(cl_program program)
{
    if (!own(program, PROGRAM)) return CL_INVALID_PROGRAM;
    if (atomic_fetch_sub(&program->object.references, 1) == 1) {
        atomic_fetch_sub(&stub_data.programs, 1);
        release_context(program->context);
        program->object.magic = FORMER;
        free(program->il);
        free(program->source);
        free(program);
    }
    return CL_SUCCESS;
}

/* ---- builds ---- */

typedef void(CL_CALLBACK *notify_fn)(cl_program, void *);

struct later {
    notify_fn notify;
    cl_program program;
    void *user;
};

static void *call_later(void *argument)
{
    struct later *later = argument;
    struct timespec pause = {0, 2000000};
    nanosleep(&pause, NULL);
    later->program->is_built = true;
    later->notify(later->program, later->user);
    release_program(later->program);
    free(later);
    return NULL;
}

static cl_int begin_later(cl_program program, notify_fn notify, void *user)
{
    pthread_t thread;
    pthread_attr_t detached; /* created detached, because pthread_detach() frees memory that the end of the thread may
                              * still use */
    struct later *later = malloc(sizeof *later);
    *later = (struct later){notify, program, user};
    retain_program(program);
    pthread_attr_init(&detached);
    pthread_attr_setdetachstate(&detached, PTHREAD_CREATE_DETACHED);
    pthread_create(&thread, &detached, call_later, later);
    pthread_attr_destroy(&detached);
    return CL_SUCCESS;
}

static cl_int end_build(cl_program program, bool compile, const char *options, notify_fn notify, void *user)
{
    hold();
    snprintf(stub_data.options, sizeof stub_data.options, "%s", options ? options : "");
    let_go();
    cl_int failure = atomic_load(&stub_data.fail_build);
    if (!failure && notify && atomic_load(&stub_data.async)) return begin_later(program, notify, user);
    if (failure) atomic_store(&program->has_failed, true);
    if (!failure) atomic_store(compile ? &program->is_compiled : &program->is_built, true);
    if (notify && !(failure && atomic_load(&stub_data.lose_callback))) notify(program, user);
    return failure;
}

static bool own_devices(cl_uint count, const cl_device_id *list)
{
    for (cl_uint i = 0; i < count; i++)
        if (!own(list[i], DEVICE)) return false;
    return true;
}

/* Returns the kinds of the devices that a build is for, a bit for each. */
static unsigned kinds_of(cl_program program, cl_uint count, const cl_device_id *list)
{
    const cl_device_id *all = program->count ? program->devices : program->context->devices;
    cl_uint all_count = program->count ? program->count : program->context->count;
    unsigned kinds = 0;
    for (cl_uint i = 0; i < (list ? count : all_count); i++)
        kinds |= 1u << (list ? list[i] : all[i])->kind;
    return kinds;
}

static bool lists_agree(cl_uint count, const cl_device_id *list, notify_fn notify, const void *user)
{
    return (count == 0) == (list == NULL) && (notify || !user);
}

static atomic_bool taken_apart;

static void take_apart(void)
{
    atomic_store(&taken_apart, true);
}

static cl_int CL_API_CALL build_program(cl_program program, cl_uint count, const cl_device_id *list,
                                        const char *options, notify_fn notify, void *user)
{
    if (!own(program, PROGRAM)) return CL_INVALID_PROGRAM;
    if (!lists_agree(count, list, notify, user)) return CL_INVALID_VALUE;
    if (!own_devices(count, list)) return CL_INVALID_DEVICE;
    if (atomic_load(&program->kernels) > 0) return CL_INVALID_OPERATION;
    atomic_fetch_add(&stub_data.built, 1);
    int *touch = atomic_load(&stub_data.touch);
    if (touch) *(volatile int *)touch = 1;
    unsigned kinds = kinds_of(program, count, list);
    if (kinds & atomic_load(&stub_data.fail_devices)) return CL_BUILD_PROGRAM_FAILURE;
    if (program->il_size && !program->from_bitcode && !has_generic(program->il, program->il_size)) {
        atomic_fetch_add(&stub_data.asleep, 1);
        usleep((useconds_t)atomic_load(&stub_data.slow_changed) * 1000);
        if (atomic_load(&taken_apart)) abort(); /* a build is in progress after the driver has been shut down */
        if (atomic_load(&stub_data.end_changed)) _exit(atomic_load(&stub_data.end_changed));
        if (getenv("STUB_END_CHANGED")) abort(); /* in every process */
        cl_int failure = atomic_load(&stub_data.fail_changed);
        if (failure) {
            atomic_store(&program->has_failed, true);
            if (notify) notify(program, user);
            return failure;
        }
    }
    if (getenv("STUB_TAKEN_APART") && atomic_load(&stub_data.asleep))
        atexit(take_apart); /* registered late, as parts of drivers do */
    if (!atomic_load(&stub_data.fail_build)) atomic_fetch_or(&program->built_for, kinds);
    return end_build(program, false, options, notify, user);
}

static cl_int CL_API_CALL compile_program(cl_program program, cl_uint count, const cl_device_id *list,
                                          const char *options, cl_uint header_count, const cl_program *headers,
                                          const char **names, notify_fn notify, void *user)
{
    (void)names;
    if (!own(program, PROGRAM)) return CL_INVALID_PROGRAM;
    if (!lists_agree(count, list, notify, user) || (header_count == 0) != (headers == NULL)) return CL_INVALID_VALUE;
    if (!own_devices(count, list)) return CL_INVALID_DEVICE;
    for (cl_uint i = 0; i < header_count; i++)
        if (!own(headers[i], PROGRAM)) return CL_INVALID_PROGRAM;
    if (!program->il_size && !program->source && program->count)
        return CL_INVALID_OPERATION; /* the program has a binary only */
    atomic_fetch_add(&stub_data.compiled, 1);
    if (!atomic_load(&stub_data.fail_build)) atomic_fetch_or(&program->compiled_for, kinds_of(program, count, list));
    return end_build(program, true, options, notify, user);
}

static cl_program CL_API_CALL link_program(cl_context context, cl_uint count, const cl_device_id *list,
                                           const char *options, cl_uint input_count, const cl_program *inputs,
                                           notify_fn notify, void *user, cl_int *error)
{
    set_error(error, CL_INVALID_VALUE);
    if (!lists_agree(count, list, notify, user) || input_count == 0 || !inputs) return NULL;
    set_error(error, CL_INVALID_PROGRAM);
    for (cl_uint i = 0; i < input_count; i++)
        if (!own(inputs[i], PROGRAM)) return NULL;
    if (atomic_load(&stub_data.strict_links) && options && strstr(options, "-cl-finite-math-only")) {
        if (notify) notify(inputs[0], user);
        set_error(error, CL_INVALID_LINKER_OPTIONS);
        return NULL;
    }
    atomic_fetch_add(&stub_data.linked, 1);
    cl_program program = own_devices(count, list) ? make_program(context, NULL, 0, error) : NULL;
    if (program) set_error(error, end_build(program, false, options, notify, user));
    return program;
}

/* ---- queries ---- */

static size_t size_of_binary(void)
{
    return atomic_load(&stub_data.told_binaries) ? 4 + sizeof(uint64_t) : 4;
}

static cl_int give_binaries(cl_program program, void *value, size_t *size_ret)
{
    const uint64_t sum = stub_sum(program->il, program->il_size);
    unsigned char binary[4 + sizeof sum] = "stub";
    memcpy(binary + 4, &sum, sizeof sum);
    for (cl_uint i = 0; value && i < program->context->count; i++)
        if (((unsigned char **)value)[i]) memcpy(((unsigned char **)value)[i], binary, size_of_binary());
    if (size_ret) *size_ret = program->context->count * sizeof(void *);
    return CL_SUCCESS;
}

static cl_int CL_API_CALL get_program_info(cl_program program, cl_program_info name, size_t size, void *value,
                                           size_t *size_ret)
{
    size_t sizes[STUB_DEVICES];
    if (!own(program, PROGRAM)) return CL_INVALID_PROGRAM;
    const size_t kernels = count_kernels(program);
    for (int i = 0; i < STUB_DEVICES; i++)
        sizes[i] = program->is_built ? size_of_binary() : 0;
    cl_uint references = (cl_uint)atomic_load(&program->object.references);
    switch (name) {
    case CL_PROGRAM_REFERENCE_COUNT: return give(&references, sizeof references, size, value, size_ret);
    case CL_PROGRAM_NUM_DEVICES:
        return give(&program->context->count, sizeof program->context->count, size, value, size_ret);
    case CL_PROGRAM_DEVICES:
        return give(program->context->devices, program->context->count * sizeof(cl_device_id), size, value, size_ret);
    case CL_PROGRAM_BINARY_SIZES: return give(sizes, program->context->count * sizeof(size_t), size, value, size_ret);
    case CL_PROGRAM_BINARIES:
        atomic_fetch_add(&stub_data.asleep, 1);
        sleep((unsigned)atomic_load(&stub_data.slow_binaries));
        if (atomic_load(&taken_apart)) abort(); /* a binary is read after the driver has been shut down */
        return give_binaries(program, value, size_ret);
    case CL_PROGRAM_IL: return give(program->il, program->il_size, size, value, size_ret);
    case CL_PROGRAM_CONTEXT: return give(&program->context, sizeof program->context, size, value, size_ret);
    case CL_PROGRAM_SOURCE:
        if (program->source) return give_text(program->source, size, value, size_ret);
        return give("", program->il_size == 0, size, value, size_ret);
    case CL_PROGRAM_NUM_KERNELS:
        return program->is_built ? give(&kernels, sizeof kernels, size, value, size_ret)
                                 : CL_INVALID_PROGRAM_EXECUTABLE;
    case CL_PROGRAM_KERNEL_NAMES:
        return program->is_built ? give_text(kernel_names(program), size, value, size_ret)
                                 : CL_INVALID_PROGRAM_EXECUTABLE;
    default: return CL_INVALID_VALUE;
    }
}

static cl_int give_options(size_t size, void *value, size_t *size_ret)
{
    hold();
    cl_int error = give_text(stub_data.options, size, value, size_ret);
    let_go();
    return error;
}

static cl_int CL_API_CALL get_build_info(cl_program program, cl_device_id device, cl_program_build_info name,
                                         size_t size, void *value, size_t *size_ret)
{
    if (!own(program, PROGRAM) || !own(device, DEVICE)) return CL_INVALID_PROGRAM;
    cl_build_status status = program->is_built || program->is_compiled ? CL_BUILD_SUCCESS
                             : program->has_failed                     ? CL_BUILD_ERROR
                                                                       : CL_BUILD_NONE;
    cl_program_binary_type kind = program->is_built && !program->from_bitcode ? CL_PROGRAM_BINARY_TYPE_EXECUTABLE
                                  : program->is_built || program->is_compiled ? CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT
                                                                              : CL_PROGRAM_BINARY_TYPE_NONE;
    unsigned kinds = atomic_load(&program->built_for) | atomic_load(&program->compiled_for);
    if (kinds && !(kinds & 1u << device->kind)) { /* the linked program was not built for this device */
        status = CL_BUILD_NONE;
        kind = CL_PROGRAM_BINARY_TYPE_NONE;
    }
    switch (name) {
    case CL_PROGRAM_BUILD_STATUS: return give(&status, sizeof status, size, value, size_ret);
    case CL_PROGRAM_BUILD_LOG: return give_text("the stub's log", size, value, size_ret);
    case CL_PROGRAM_BUILD_OPTIONS: return give_options(size, value, size_ret);
    case CL_PROGRAM_BINARY_TYPE: return give(&kind, sizeof kind, size, value, size_ret);
    default: return CL_INVALID_VALUE;
    }
}

static cl_int CL_API_CALL set_release_callback(cl_program program, notify_fn notify, void *user)
{
    (void)notify, (void)user;
    return own(program, PROGRAM) ? CL_SUCCESS : CL_INVALID_PROGRAM;
}

static cl_int CL_API_CALL set_spec(cl_program program, cl_uint id, size_t size, const void *value)
{
    if (!own(program, PROGRAM)) return CL_INVALID_PROGRAM;
    atomic_fetch_add(&stub_data.specs, 1);
    hold();
    stub_data.spec_id = id;
    stub_data.spec_value = 0;
    memcpy(&stub_data.spec_value, value, size < 8 ? size : 8);
    let_go();
    return CL_SUCCESS;
}

/* ---- extension functions ---- */

static cl_int CL_API_CALL variable_pointer(cl_device_id device, cl_program program, const char *name, size_t *size_ret,
                                           void **pointer_ret)
{
    (void)name;
    if (!own(device, DEVICE)) return CL_INVALID_DEVICE;
    if (!own(program, PROGRAM)) return CL_INVALID_PROGRAM;
    *size_ret = 4;
    *pointer_ret = device->platform; /* distinguishes the two platforms */
    return CL_SUCCESS;
}

static cl_int CL_API_CALL function_pointer(cl_device_id device, cl_program program, const char *name, cl_ulong *ret)
{
    (void)name;
    *ret = 7;
    return own(device, DEVICE) && own(program, PROGRAM) ? CL_SUCCESS : CL_INVALID_PROGRAM;
}

static cl_int CL_API_CALL access_variable(cl_command_queue queue, cl_program program, const char *name,
                                          cl_bool blocking, size_t size, size_t offset, void *memory, cl_uint count,
                                          const cl_event *wait, cl_event *event)
{
    (void)name, (void)blocking, (void)size, (void)offset, (void)memory, (void)count, (void)wait, (void)event;
    return own(queue, QUEUE) && own(program, PROGRAM) ? CL_SUCCESS : CL_INVALID_PROGRAM;
}

static cl_int CL_API_CALL access_pipe(cl_command_queue queue, cl_program program, const char *name, cl_bool blocking,
                                      void *memory, size_t size, cl_uint count, const cl_event *wait, cl_event *event)
{
    (void)name, (void)blocking, (void)size, (void)memory, (void)count, (void)wait, (void)event;
    return own(queue, QUEUE) && own(program, PROGRAM) ? CL_SUCCESS : CL_INVALID_PROGRAM;
}

static struct stub_state *get_state(void)
{
    return &stub_data;
}

typedef void (*function)(void);

static cl_int CL_API_CALL get_platform_ids(cl_uint count, cl_platform_id *list, cl_uint *count_ret)
{
    for (cl_uint i = 0; list && i < count && i < PLATFORMS; i++)
        list[i] = &platforms[i];
    if (count_ret) *count_ret = PLATFORMS;
    return CL_SUCCESS;
}

CL_API_ENTRY cl_int CL_API_CALL clGetPlatformInfo(cl_platform_id platform, cl_platform_info name, size_t size,
                                                  void *value, size_t *size_ret)
{
    return get_platform_info(platform, name, size, value, size_ret);
}

/* The exported names are also those of the loader, whose symbols take precedence within a process: so the driver does
 * not call them. */
static void *CL_API_CALL find_function(const char *name)
{
    static const struct {
        const char *name;
        function function;
    } functions[] = {
        {"clIcdGetPlatformIDsKHR", (function)get_platform_ids},
        {"clGetPlatformInfo", (function)get_platform_info},
        {"clCreateProgramWithILKHR", (function)create_with_il_khr},
        {"clCreateProgramWithIL", (function)create_with_il},
        {"clBuildProgram", (function)build_program},
        {"clGetDeviceGlobalVariablePointerINTEL", (function)variable_pointer},
        {"clGetDeviceFunctionPointerINTEL", (function)function_pointer},
        {"clEnqueueReadGlobalVariableINTEL", (function)access_variable},
        {"clEnqueueWriteGlobalVariableINTEL", (function)access_variable},
        {"clEnqueueReadHostPipeINTEL", (function)access_pipe},
        {"clEnqueueWriteHostPipeINTEL", (function)access_pipe},
        {"stubState", (function)get_state},
    };
    void *address = stub_kernel_function(name);
    for (size_t i = 0; i < sizeof functions / sizeof functions[0]; i++)
        if (strcmp(functions[i].name, name) == 0) memcpy(&address, &functions[i].function, sizeof address);
    return address;
}

CL_API_ENTRY void *CL_API_CALL clGetExtensionFunctionAddress(const char *name)
{
    return find_function(name);
}

CL_API_ENTRY cl_int CL_API_CALL clIcdGetPlatformIDsKHR(cl_uint count, cl_platform_id *list, cl_uint *count_ret)
{
    return get_platform_ids(count, list, count_ret);
}

static void *CL_API_CALL get_platform_extension(cl_platform_id platform, const char *name)
{
    return own(platform, PLATFORM) ? find_function(name) : NULL;
}

cl_icd_dispatch stub_dispatch = {
    .clGetPlatformInfo = get_platform_info,
    .clGetDeviceIDs = get_device_ids,
    .clGetDeviceInfo = get_device_info,
    .clCreateContext = create_context,
    .clRetainContext = retain_context,
    .clReleaseContext = release_context,
    .clGetContextInfo = get_context_info,
    .clReleaseCommandQueue = release_queue,
    .clCreateCommandQueue = create_old_queue,
    .clGetCommandQueueInfo = get_queue_info,
    .clCreateProgramWithSource = create_with_source,
    .clCreateProgramWithBinary = create_with_binary,
    .clRetainProgram = retain_program,
    .clReleaseProgram = release_program,
    .clBuildProgram = build_program,
    .clGetProgramInfo = get_program_info,
    .clGetProgramBuildInfo = get_build_info,
    .clGetExtensionFunctionAddress = find_function,
    .clCompileProgram = compile_program,
    .clLinkProgram = link_program,
    .clGetExtensionFunctionAddressForPlatform = get_platform_extension,
    .clCreateCommandQueueWithProperties = create_queue,
    .clCreateProgramWithIL = create_with_il,
    .clSetProgramReleaseCallback = set_release_callback,
    .clSetProgramSpecializationConstant = set_spec,
};
