/* SPDX-License-Identifier: Apache-2.0 */
/*
 * layer.h - what the files of the layer share, in the order in which a call travels through them.
 *
 * An application's call arrives in intercept.c, finds its record (registry.c), acts (program.c, build.c, query.c,
 * globals.c, info.c, extension.c) and goes on to the next layer or the driver. Bytes travel: program.c -> cache.c ->
 * specialise.c (the core library) -> deliver.c (the driver's own program, through translate.c where it takes bitcode).
 *
 * Locks: the registry has one mutex for all lookups and counts; programs have some for their build state. Neither is
 * ever held while the driver or the application is called.
 */
#ifndef NONFLAT_LAYER_H
#define NONFLAT_LAYER_H

#define CL_TARGET_OPENCL_VERSION 300
#define CL_USE_DEPRECATED_OPENCL_1_0_APIS
#define CL_USE_DEPRECATED_OPENCL_1_1_APIS
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#define CL_USE_DEPRECATED_OPENCL_2_0_APIS
#define CL_USE_DEPRECATED_OPENCL_2_1_APIS
#define CL_USE_DEPRECATED_OPENCL_2_2_APIS
#include <CL/cl.h>
#include <CL/cl_ext.h>
#include <CL/cl_icd.h>
#include <CL/cl_layer.h>

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "nonflat/nonflat.h"
#include "store.h"

/* ---- layer.c: the exports and the chain ------------------------------------------------------------------------ */

extern _Atomic(const cl_icd_dispatch *) nf_cl_newest;
/* @return the table of the layer or driver behind us; a call that it lacks is NULL. Never NULL itself. */
static inline const cl_icd_dispatch *nf_cl_next(void)
{
    return atomic_load_explicit(&nf_cl_newest, memory_order_acquire);
}
/* Call `name` of the next table, or give `otherwise` when the loader has no such slot. */
#define NF_CL_CALL(name, otherwise, ...) (nf_cl_next()->name ? nf_cl_next()->name(__VA_ARGS__) : (otherwise))

/* A parameter name that only this layer answers, for a NULL program: how a second copy notices the first. */
#define NF_CL_PROBE_PARAM ((cl_program_info)0x4e46504cu)
#define NF_CL_PROBE_ANSWER 0x6e6f6e666c617421ull

/* Any function: cast it to its own type before the call. */
typedef void (*nf_cl_function)(void);

/* ---- environ.c: OPENCL_LAYERS, which one loader cuts while it reads it ------------------------------------------ */

/* Undo the cuts up to our own entry: call while the loader starts us. */
void nf_cl_environ_mend(void);
/* Undo the cuts behind our own entry: call once the loader is done. Cheap after the first time. */
void nf_cl_environ_mend_late(void);

/* ---- config.c, log.c: settings and messages ---------------------------------------------------------------------- */

enum nf_cl_level { NF_CL_ERROR = 1, NF_CL_WARNING, NF_CL_INFO, NF_CL_DEBUG };
enum nf_cl_choice { NF_CL_BY_ITSELF, NF_CL_ON, NF_CL_OFF };

/* What may differ from device to device. */
struct nf_cl_device_config {
    bool mode_given; /* it holds for every device, those with generic pointers too */
    nf_mode mode;
    enum nf_cl_choice binaries; /* whether what the driver builds is kept */
};

/* Each is described once, in README.md; a text that is not set is NULL. */
struct nf_cl_config {
    bool secure; /* a privileged process: nothing of the user's is read or written */
    struct nf_cl_device_config device;
    const char *dump;
    const char *summary;
    const char *spir;
    unsigned spir_timeout; /* seconds */
    const char *cache;
    const char *system_cache;
    uint64_t cache_limit; /* bytes */
    enum nf_cl_level level;
    const char *log_file;
};

/* @return the settings, read once per process. */
const struct nf_cl_config *nf_cl_config(void);
/* @return what holds for a device of that name and vendor. */
struct nf_cl_device_config nf_cl_config_for(const char *name, const char *vendor);
/* @return the name that setting `index` has in files, NULL behind the last. */
const char *nf_cl_setting_name(size_t index);

/* Write one line "nonflat: ..." when `level` is wanted. */
void nf_cl_log(enum nf_cl_level level, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* @return a fresh string of the arguments, or NULL. */
char *nf_cl_format(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* ---- device.c: what each device can do, asked once -------------------------------------------------------------- */

enum nf_cl_delivery {
    NF_CL_DELIVER_NOTHING, /* the device takes neither SPIR-V nor bitcode */
    NF_CL_DELIVER_IL,      /* clCreateProgramWithIL */
    NF_CL_DELIVER_IL_KHR,  /* clCreateProgramWithILKHR */
    NF_CL_DELIVER_SPIR     /* clCreateProgramWithBinary of SPIR 1.2 bitcode */
};

struct nf_cl_device {
    cl_device_id id;
    cl_platform_id platform;
    cl_uint version; /* major * 100 + minor */
    cl_uint address_bits;
    enum nf_cl_delivery delivery;
    uint32_t il_version; /* newest SPIR-V version word taken, 0: none */
    bool generic;        /* it has generic pointers itself */
    struct nf_cl_device_config config;
    bool served;                /* we stand between it and programs made from IL */
    bool native_specs;          /* clSetProgramSpecializationConstant reaches the driver's own module */
    bool cache_binaries;        /* its builds are slow and its binaries load quickly */
    bool no_writable_globals;   /* it says that it has no module-scope variables */
    bool private_escapes;       /* NF_PROFILE_PRIVATE_ESCAPES */
    struct nf_cl_device *chain; /* next in the table's bucket */
};

/* @return the record of `device`, alive until the layer is unloaded; NULL for a device that answers nothing. A
 * sub-device has its parent's record. */
const struct nf_cl_device *nf_cl_device_find(cl_device_id device);
/* @return the device that a sub-device is a part of, or NULL. */
cl_device_id nf_cl_device_parent(cl_device_id device);
/* Forget every record. */
void nf_cl_device_forget(void);

/* ---- specialise.c, cache.c: SPIR-V in, SPIR-V for a profile out -------------------------------------------------- */

struct nf_cl_request {
    const void *module;
    size_t size;
    nf_mode mode;
    bool library;
    const nf_profile *profile;
    const nf_spec_value *specs;
    size_t spec_count;
};

/* One answer; shared by everybody who asked the same, so read-only. */
struct nf_cl_special {
    nf_status status;
    bool changed;             /* `bytes` differ from the module asked about */
    struct nf_cl_bytes bytes; /* the output; empty unless status is NF_OK and `changed` */
    nf_counts counts;
    char *report; /* our part of the build log, "" when nothing is worth saying */
};

/* Ask the core library. @return a fresh answer, or NULL when memory ends. */
struct nf_cl_special *nf_cl_specialise(const struct nf_cl_request *request);
void nf_cl_special_free(struct nf_cl_special *special);

/* As nf_cl_specialise(), remembered; `*hit` says whether it was. Give the answer back with nf_cl_cache_put(). */
struct nf_cl_special *nf_cl_cache_get(const struct nf_cl_request *request, bool *hit);
void nf_cl_cache_put(struct nf_cl_special *special);
/* Append everything that the answer to `request` depends on. */
bool nf_cl_cache_key(const struct nf_cl_request *request, struct nf_cl_bytes *key);
/* Forget all answers that nobody holds. */
void nf_cl_cache_forget(void);

/* ---- summary.c: what was done, for the setting `summary` --------------------------------------------------------- */

/* A program was made of a module with that answer. */
void nf_cl_summary_count(const struct nf_cl_special *special, bool hit);
/* The layer's own work begins; ends. The clock is 0 when nobody wants to know. */
uint64_t nf_cl_summary_clock(void);
void nf_cl_summary_time(uint64_t since);

/* ---- worker.c: what nobody has to wait for ----------------------------------------------------------------------- */

struct nf_cl_job {
    void (*run)(struct nf_cl_job *job); /* frees it, too */
    size_t weight;                      /* bytes that it holds */
    struct nf_cl_job *next;
};

/* Run `job` soon, on another thread; at once, on this one, when too much waits already. */
void nf_cl_later(struct nf_cl_job *job);
/* Wait until all jobs are done and the thread is gone. */
void nf_cl_worker_wait(void);
/* nf_cl_store_put() as such a job. Takes the key, whatever happens, and copies the value. */
void nf_cl_store_put_later(const char *kind, struct nf_cl_bytes *key, const struct nf_cl_bytes *value);

/* ---- translate.c: the translator program ------------------------------------------------------------------------- */

/* @return the path of a translator that can be started, or NULL. */
const char *nf_cl_translator(void);
/* Translate SPIR-V to SPIR 1.2 bitcode for `device`; `globals`: variables may be moved to memory that kernels get. On
 * failure `*message` says why. Both outputs are the caller's. */
bool nf_cl_translate(const struct nf_cl_device *device, bool globals, const void *module, size_t size,
                     struct nf_cl_bytes *bitcode, char **message);

/* What the translator calls the device: which builtins it may use depends on the driver. */
const char *nf_cl_device_family(const struct nf_cl_device *device);

/* ---- bitcode.c: the same, remembered ----------------------------------------------------------------------------- */

/* As nf_cl_translate(). */
bool nf_cl_bitcode_get(const struct nf_cl_device *device, bool globals, const void *module, size_t size,
                       struct nf_cl_bytes *bitcode, char **message);

/* ---- registry.c: which handles are ours -------------------------------------------------------------------------- */

struct nf_cl_program;

void nf_cl_registry_add(struct nf_cl_program *program);
/* @return the record behind `handle`, pinned, when it is a live one of ours; else NULL. `handle` is never read. */
struct nf_cl_program *nf_cl_program_get(cl_program handle);
/* @return the lock that a program at that address has. Nobody holds two, and none survives a fork taken. */
pthread_mutex_t *nf_cl_program_lock(const struct nf_cl_program *program);
void nf_cl_program_pin(struct nf_cl_program *program);
void nf_cl_program_put(struct nf_cl_program *program);
/* The application's own count. Release of an unpinned last reference destroys. */
void nf_cl_program_retain(struct nf_cl_program *program);
bool nf_cl_program_release(struct nf_cl_program *program);
cl_uint nf_cl_program_references(struct nf_cl_program *program);
cl_uint nf_cl_program_kernels(struct nf_cl_program *program);
bool nf_cl_registry_empty(void);

enum { NF_CL_GROUPS = 8 };

/* A kernel of a program of ours: one of the driver's for every group of devices that it works on. The application holds
 * the first. */
struct nf_cl_kernel {
    struct nf_cl_program *program;
    cl_uint visible; /* an argument of that index and above is none of the application's; UINT_MAX: the driver knows */
    cl_uint count;
    struct nf_cl_kernel_part {
        cl_kernel kernel;
        int group;
    } parts[NF_CL_GROUPS];
};

/* How many kernels alive are of programs of several groups, or have an argument of ours: while there are none, nobody
 * is looked up. */
extern atomic_uint nf_cl_special_kernels;

/* Remember a kernel, which keeps its program alive. @return false when memory ends. */
bool nf_cl_kernel_add(const struct nf_cl_kernel *kernel);
/* @return whether `handle` is a kernel of ours; then `*kernel` is a copy, good while the application holds the kernel.
 */
bool nf_cl_kernel_find(cl_kernel handle, struct nf_cl_kernel *kernel);
/* @return the program of a kernel of ours, pinned, or NULL. */
struct nf_cl_program *nf_cl_kernel_program(cl_kernel handle);
void nf_cl_kernel_retain(cl_kernel handle);
/* Before the driver's own release: afterwards the handle may be somebody else's. @return whether that was the last
 * reference of a kernel of ours; then `*kernel` is what it was, and its program is pinned. */
bool nf_cl_kernel_release(cl_kernel handle, struct nf_cl_kernel *kernel);

/* ---- program.c: programs made from IL ---------------------------------------------------------------------------- */

/* Devices of one context that take a module the same way share one specialised module and one driver program; each has
 * its own where variables of the module lie in memory of ours. */
struct nf_cl_group {
    enum nf_cl_delivery delivery;
    const struct nf_cl_device *lead;   /* one of them */
    struct nf_cl_device_config config; /* the same for all of them */
    bool generic;                      /* all of them have generic pointers */
    bool native_specs;
    nf_profile profile;    /* what all of them take */
    cl_program inner;      /* the driver's program, or NULL */
    char *binary_log;      /* `inner` came from the cache: what the driver said when it built it; else NULL */
    bool inner_library;    /* `inner` was made for compiling */
    uint64_t inner_specs;  /* state of the spec values when `inner` was made */
    unsigned serial;       /* changes with every build of `inner`, and with `inner` */
    bool globals_known;    /* whether the last build needs memory for variables */
    cl_mem globals;        /* that memory, or NULL */
    bool asked_for_binary; /* the application has asked `inner` for its binary */
    bool refused;          /* no driver program could be made: `report` says why */
    char *report;          /* our part of the build log */
};

struct nf_cl_slot {
    cl_device_id device;
    int group;      /* index into groups, -1: a device that takes nothing */
    bool attempted; /* built, compiled or linked for it at least once */
    bool failed;    /* the last attempt ended before the driver saw it */
    bool deferred;  /* compiled for us to link: the driver has not seen it */
    cl_program_binary_type kind;
    char *options; /* as the application gave them */
};

struct nf_cl_callback {
    void(CL_CALLBACK *notify)(cl_program program, void *user);
    void *user;
    struct nf_cl_callback *next;
};

struct nf_cl_program {
    void *dispatch; /* first: what every loader reads of a handle */
    cl_context context;
    struct nf_cl_bytes module; /* what the application gave, or what linking made of it */
    nf_summary summary;
    bool linked;
    bool library; /* linked with -create-library */
    cl_uint device_count;
    struct nf_cl_slot *slots;
    cl_uint group_count;
    struct nf_cl_group groups[NF_CL_GROUPS];
    nf_spec_value *specs;
    size_t spec_count;
    uint64_t spec_state;    /* changes with every spec value */
    bool building, counted; /* counted: in the summary */
    struct nf_cl_callback *release_callbacks;
    pthread_mutex_t *lock; /* guards everything above that changes after creation; shared by some programs */
    /* guarded by the registry */
    cl_uint references, kernels, pins;
    struct nf_cl_program *chain;
};

/* clCreateProgramWithIL, and by its KHR name. */
cl_program nf_cl_program_create(cl_context context, const void *il, size_t length, bool khr, cl_int *error);
/* A program of ours over `module` (owned by it from now on) for devices of `context`; no driver program yet. */
struct nf_cl_program *nf_cl_program_new(cl_context context, const cl_device_id *devices, cl_uint device_count,
                                        struct nf_cl_bytes module, cl_int *error);
/* Called by the registry when nobody holds it any more. */
void nf_cl_program_destroy(struct nf_cl_program *program);
/* The driver's program of one group. */
struct nf_cl_executable {
    cl_program inner;
    int group;
};
/* The groups that were built, in the order of the devices; none was: the first that has a driver program. */
cl_uint nf_cl_program_executables(struct nf_cl_program *program, struct nf_cl_executable list[NF_CL_GROUPS]);
/* @return the one to ask about executables: one that was built well, if there is one. Its program is NULL when there is
 * none at all. */
struct nf_cl_executable nf_cl_program_executable(struct nf_cl_program *program);
/* @return the driver's program of that, or NULL. */
cl_program nf_cl_program_inner(struct nf_cl_program *program);
/* @return the slot of a device; of a sub-device that of a parent, when the driver lists that. NULL: not of the program.
 */
struct nf_cl_slot *nf_cl_program_slot(const struct nf_cl_program *program, cl_device_id device);
/* @return the driver's program for one device, or NULL. */
cl_program nf_cl_program_inner_for(struct nf_cl_program *program, cl_device_id device);
/* @return `handle`, or the driver's program when it is one of ours (NULL while there is none). */
cl_program nf_cl_program_translate(cl_program handle);
/* clSetProgramSpecializationConstant */
cl_int nf_cl_program_set_spec(struct nf_cl_program *program, cl_uint id, size_t size, const void *value);
/* Copy a module, with values as the defaults of its spec constants. @return false when memory ends. */
uint32_t nf_cl_word_at(const struct nf_cl_bytes *module, size_t index); /* of either byte order */
bool nf_cl_spec_apply(const struct nf_cl_bytes *module, const nf_spec_value *specs, size_t count,
                      struct nf_cl_bytes *copy);

/* ---- deliver.c: the driver's own program ------------------------------------------------------------------------- */

enum nf_cl_delivered { NF_CL_READY, NF_CL_REFUSED, NF_CL_MALFORMED, NF_CL_FAILED };

/* Make sure that `group` has a driver program for building (or compiling: `library`). On NF_CL_REFUSED its report says
 * why; on NF_CL_FAILED `*error` is the driver's code. */
enum nf_cl_delivered nf_cl_deliver(struct nf_cl_program *program, struct nf_cl_group *group, bool library,
                                   cl_int *error);
/* Is the module well formed for `group`? NF_CL_READY also when it would be refused: the build says so. */
enum nf_cl_delivered nf_cl_examine(struct nf_cl_program *program, struct nf_cl_group *group, cl_int *error);
/* What the core is asked for a group when no spec value has to be folded. */
struct nf_cl_request nf_cl_request_for(const struct nf_cl_program *program, const struct nf_cl_group *group,
                                       bool library);
/* A copy of the spec values, and the state that they belong to. @return false when memory ends. */
bool nf_cl_program_copy_specs(struct nf_cl_program *program, nf_spec_value **specs, size_t *count, uint64_t *state);
/* Give `group` a driver program that came from the cache, with what was said when it was built. */
void nf_cl_deliver_binary(struct nf_cl_program *program, struct nf_cl_group *group, cl_program inner, uint64_t state,
                          const char *report, char *log);
/* Take the driver program of `group` away: it came from the cache, and another is wanted. */
void nf_cl_deliver_nothing(struct nf_cl_program *program, struct nf_cl_group *group);
/* The driver's clCreateProgramWithIL by the core or the KHR name, for bytes that need nothing of us. */
cl_program nf_cl_deliver_il(cl_context context, bool khr, const void *il, size_t length, cl_int *error);

/* ---- globals.c: variables of a program on devices that have none ------------------------------------------------- */

/* Has the module variables in program scope, of those that kernels may write? */
bool nf_cl_globals_among(const struct nf_cl_bytes *module);
/* Has the group one device? Only then can it have such memory. */
bool nf_cl_globals_alone(const struct nf_cl_program *program, const struct nf_cl_group *group);
/* Make the memory that the kernels of the driver's program need, if they need any and it is not there. */
cl_int nf_cl_globals_prepare(struct nf_cl_program *program, cl_program inner);
/* The same, and do they need any? Then one kernel, and the last argument of the others, are none of the application's.
 */
bool nf_cl_globals_hidden(struct nf_cl_program *program, cl_program inner);
/* Give the memory to a new kernel. `*visible` is the number of arguments that the application knows, UINT_MAX when
 * none is ours. */
cl_int nf_cl_globals_bind(struct nf_cl_program *program, cl_program inner, cl_kernel kernel, cl_uint *visible);
/* clCreateKernelsInProgram of the driver's program, without the kernel of ours. They have no memory yet. */
cl_int nf_cl_globals_create_all(struct nf_cl_program *program, cl_program inner, cl_uint room, cl_kernel *kernels,
                                cl_uint *made);
/* How many bytes do the variables take? 0 also when the driver keeps them itself. */
size_t nf_cl_globals_size(struct nf_cl_program *program, cl_program inner);
/* Is that the name of the kernel that fills the memory? */
bool nf_cl_globals_is_ours(const char *name);
/* The group is built anew, or goes: so does its memory. */
void nf_cl_globals_forget(struct nf_cl_program *program, struct nf_cl_group *group);

/* ---- binaries.c: what a driver built, on disk ------------------------------------------------------------------- */

struct nf_cl_binary; /* the question for one binary: everything that it depends on */

bool nf_cl_binary_wanted(const struct nf_cl_program *program, const struct nf_cl_group *group);
/* @return the question for what building `group` with `options` would make, or NULL when it is not kept. */
struct nf_cl_binary *nf_cl_binary_ask(struct nf_cl_program *program, const struct nf_cl_group *group,
                                      const char *options);
/* Look for it, and give the group the driver program that is found, built. @return false when there is none. */
bool nf_cl_binary_take(struct nf_cl_binary *binary, struct nf_cl_program *program, struct nf_cl_group *group,
                       const char *options);
/* The driver is about to build what was asked for. */
void nf_cl_binary_begin(struct nf_cl_binary *binary, struct nf_cl_program *program, struct nf_cl_group *group);
/* The driver has built it, and nobody builds it anew before this returns: keep the outcome, soon. Ends the question. */
void nf_cl_binary_keep(struct nf_cl_binary *binary);
void nf_cl_binary_free(struct nf_cl_binary *binary);

/* ---- kernel_extension.c: extension functions that take a kernel ------------------------------------------------- */

/* @return our function for one of that name, in front of `theirs`; NULL when it takes no kernel. */
nf_cl_function nf_cl_kernel_extension(const char *name, nf_cl_function theirs);

/* ---- names.c, build.c, query.c, info.c, extension.c: the calls --------------------------------------------------- */

/* clCreateKernel of the driver's program, by the name that the driver knows. */
cl_kernel nf_cl_create_named(struct nf_cl_program *program, cl_program inner, const char *name, cl_int *error);
/* The driver's list of kernel names, between ';', with the module's own names, fresh. NULL when memory ends. */
char *nf_cl_own_names(const struct nf_cl_program *program, const char *names);

typedef void(CL_CALLBACK *nf_cl_notify)(cl_program program, void *user);

cl_int nf_cl_build(struct nf_cl_program *program, cl_uint device_count, const cl_device_id *devices,
                   const char *options, bool compile, nf_cl_notify notify, void *user);
cl_program nf_cl_link(cl_context context, cl_uint device_count, const cl_device_id *devices, const char *options,
                      cl_uint input_count, const cl_program *inputs, nf_cl_notify notify, void *user, cl_int *error);

cl_int nf_cl_program_info(struct nf_cl_program *program, cl_program_info name, size_t size, void *value,
                          size_t *size_ret);
cl_int nf_cl_build_info(struct nf_cl_program *program, cl_device_id device, cl_program_build_info name, size_t size,
                        void *value, size_t *size_ret);
/* Answer a query: the rules of every clGet...Info. */
cl_int nf_cl_answer(const void *data, size_t data_size, size_t size, void *value, size_t *size_ret);

cl_int CL_API_CALL nf_cl_get_device_info(cl_device_id device, cl_device_info name, size_t size, void *value,
                                         size_t *size_ret);

void *CL_API_CALL nf_cl_get_extension(const char *name);
void *CL_API_CALL nf_cl_get_platform_extension(cl_platform_id platform, const char *name);
/* @return the driver's extension function for the platform of `device`, or NULL. */
nf_cl_function nf_cl_driver_extension(cl_device_id device, const char *name);

/* ---- intercept.c: the dispatch table ----------------------------------------------------------------------------- */

extern const cl_icd_dispatch nf_cl_dispatch;
/* @return our own function of that name, or NULL. */
nf_cl_function nf_cl_intercepted(const char *name);

/* ---- link.c: several SPIR-V modules to one ----------------------------------------------------------------------- */

struct nf_cl_link_input {
    const void *module;
    size_t size;
    const nf_spec_value *specs;
    size_t spec_count;
};

/* Link modules: imports meet exports, spec constants take their values. `library` allows imports to stay open. On
 * NF_OK `*output` is the caller's; otherwise `*message` is. */
nf_status nf_cl_link_modules(const struct nf_cl_link_input *inputs, size_t count, bool library,
                             struct nf_cl_bytes *output, char **message);

#endif
