/* SPDX-License-Identifier: Apache-2.0 */
/*
 * program.h - programs that were made from IL, and what the driver has of them.
 *
 * In: the application's module, its devices, options and values. Out: driver programs over the specialized module, one
 * for each group of devices that take it the same way, and answers that name the application's module. May use: base,
 * store, specialize, translate, device, spir, public. Of spir it has the forms of two names, which both have to make.
 *
 * Locks: the registry has one mutex for all lookups and counts; programs have some for their build state. Neither is
 * ever held while the driver or the application is called.
 */
#ifndef NONFLAT_LAYER_PROGRAM_H
#define NONFLAT_LAYER_PROGRAM_H

#include "layer/device/device.h"
#include "layer/specialize/specialize.h"
#include "layer/translate/translate.h"

/* ---- what a program is ------------------------------------------------------------------------------------------- */

enum { NF_CL_GROUPS = 8 };

/* Memory for variables, held by the build that it was made for, and by every kernel that has it as an argument. */
struct nf_cl_memory {
    cl_mem buffer;
    size_t bytes;
    atomic_uint holders;
};

/* A program of the driver's. A build puts another into its place while other threads still ask this one, so everybody
 * who uses it holds it; the last one gives it back to the driver. */
struct nf_cl_inner {
    cl_program program;
    char *entry; /* where its bitcode is kept on disk, or NULL */
    atomic_uint holders;
    /* guarded by the lock of the program that it belongs to */
    bool globals_known;           /* whether the last build needs memory for variables */
    struct nf_cl_memory *globals; /* that memory, or NULL */
};

/* Why what we made of a module is not used. */
struct nf_cl_failure {
    char *why;    /* owned; NULL: there is no such reason */
    bool late;    /* it took too long */
    bool passing; /* it may well go the next time */
};

/* Devices of one context that take a module the same way share one specialized module and one driver program; each has
 * its own where variables of the module lie in memory of ours. */
struct nf_cl_group {
    enum nf_cl_delivery delivery;
    const struct nf_cl_device *lead;   /* one of them */
    struct nf_cl_device_config config; /* the same for all of them */
    bool generic;                      /* all of them have generic pointers */
    bool native;                       /* all of them take the module as it is */
    nf_mode by_default;                /* the same for all of them */
    bool any_memory;                   /* one of them answers wrongly in which memory a pointer points */
    bool generic_waits;                /* one of them waits for events of copies through generic pointers alone */
    bool theirs; /* of a program that has source: `inner` is what the driver makes of that itself */
    bool native_specs;
    nf_profile profile;        /* what all of them take */
    struct nf_cl_inner *inner; /* the driver's program, or NULL */
    char *binary_log;          /* `inner` came from the cache: what the driver said when it built it; else NULL */
    bool inner_library;        /* `inner` was made for compiling */
    uint64_t inner_specs;      /* state of the spec values when `inner` was made */
    unsigned serial;           /* changes with every build of `inner`, and with `inner` */
    bool changed;              /* `inner` is not of the application's own bytes */
    bool untouched;            /* nobody has built `inner` yet */
    unsigned builds;           /* that the driver was asked for of `inner` */
    bool asked_for_binary;     /* the application has asked `inner` for its binary */
    bool refused;              /* no driver program could be made: `report` says why */
    char *report;              /* our part of the build log */
    struct nf_cl_failure own;  /* why the application's own module is built, not what we made of it; else empty */
};

/* A device that a program is for, and what became of the last build for it. */
struct nf_cl_target {
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
    void *dispatch;           /* first: what every loader reads of a handle */
    cl_program handle;        /* what the application holds: this, or the driver's program that has the source */
    bool from_source;         /* compiled by us from the source that `handle` has */
    struct nf_cl_bytes notes; /* what the source says of its kernels: records of nf_cl_notes_next() */
    bool kept;                /* built from source by the driver, earlier: `notes` are what it said of its kernels */
    char *compiler_log;       /* what our compiler said of the source, or NULL */
    cl_context context;
    struct nf_cl_bytes module; /* what the application gave, or what linking made of it */
    nf_summary summary;
    bool linked;
    bool library;       /* linked with -create-library */
    bool of_source;     /* linked of what we compiled from source */
    char *link_options; /* as the application gave them to clLinkProgram, or NULL */
    cl_uint device_count;
    struct nf_cl_target *targets;
    cl_uint group_count;
    struct nf_cl_group groups[NF_CL_GROUPS];
    nf_spec_value *specs;
    size_t spec_count;
    uint64_t spec_state;    /* changes with every spec value */
    bool building, counted; /* counted: in the summary */
    struct nf_cl_callback *release_callbacks;
    struct nf_cl_lock *lock; /* guards everything above that changes after creation; shared by some programs */
    /* guarded by the registry */
    cl_uint references, kernels, pins;
    void (*destroy)(struct nf_cl_program *program); /* when nobody holds it any more */
    bool listed;                                    /* the registry finds it */
    struct nf_cl_program *chain;
};

/* A kernel of a program of ours: one of the driver's for every group of devices that it works on. The application holds
 * the first. */
struct nf_cl_kernel {
    struct nf_cl_program *program;
    cl_uint visible; /* an argument of that index and above is none of the application's; UINT_MAX: the driver knows */
    cl_uint count;
    struct nf_cl_kernel_part {
        cl_kernel kernel;
        int group;
        struct nf_cl_memory *memory; /* its last argument, or NULL */
    } parts[NF_CL_GROUPS];
};

/* ---- registry.c: which handles are ours -------------------------------------------------------------------------- */

/* A handle of the driver's that may become one of ours while other threads retain and release it. */
struct nf_cl_watch;
/* What the application had of a record that is gone, and what has come to it since. */
struct nf_cl_held {
    cl_uint references;
    struct nf_cl_watch *since;
};

/* List a program, which the application held `references` times when `watch` began. Another record behind the same handle
 * goes. `destroy` is called when nobody holds it any more. */
void nf_cl_registry_add(struct nf_cl_program *program, cl_uint references, const struct nf_cl_watch *watch,
                        void (*destroy)(struct nf_cl_program *program));
/* Its handle is the driver's program alone from now on. `held->since`, if it is not NULL, begins anew. @return false when
 * another thread was first. */
bool nf_cl_registry_drop(struct nf_cl_program *program, struct nf_cl_held *held);
/* @return what counts the references from now on, or NULL when memory ends: everybody takes that for a count of none. */
struct nf_cl_watch *nf_cl_registry_watch(cl_program handle);
void nf_cl_registry_unwatch(struct nf_cl_watch *watch);
/* @return whether a program that was one of ours is being built anew, and it is not decided yet whose it is. */
bool nf_cl_registry_is_building(cl_program handle);
/* It is the driver's; the application is called back next. */
void nf_cl_registry_decided(cl_program handle);
/* @return how many references there are by now; `watch` begins anew. */
cl_uint nf_cl_registry_held(const struct nf_cl_held *held, struct nf_cl_watch *watch);
/* The driver has taken or given back a reference of a handle that was none of ours when it was asked. */
void nf_cl_registry_note(cl_program handle, int by);
/* @return the record behind `handle`, pinned, when it is a live one of ours; else NULL. `handle` is never read. */
struct nf_cl_program *nf_cl_program_get(cl_program handle);
/* @return the lock that a program at that address has; some share one. */
struct nf_cl_lock *nf_cl_program_lock(const struct nf_cl_program *program);
void nf_cl_program_pin(struct nf_cl_program *program);
void nf_cl_program_put(struct nf_cl_program *program);
/* The application's own count. Release of an unpinned last reference destroys. */
void nf_cl_program_retain(struct nf_cl_program *program);
bool nf_cl_program_release(struct nf_cl_program *program);
cl_uint nf_cl_program_references(struct nf_cl_program *program);
cl_uint nf_cl_program_kernels(struct nf_cl_program *program);
bool nf_cl_registry_empty(void);

/* How many kernels alive are of programs of several groups, or have an argument of ours: while there are none, nobody
 * is looked up. */
extern atomic_uint nf_cl_special_kernels;

/* Remember a kernel, which keeps its program alive. @return false when memory ends. */
bool nf_cl_kernel_add(const struct nf_cl_kernel *kernel);
/* @return whether `handle` is a kernel of ours; then `*kernel` is a copy, good while the application holds it. */
bool nf_cl_kernel_find(cl_kernel handle, struct nf_cl_kernel *kernel);
/* @return the program of a kernel of ours, pinned, or NULL. */
struct nf_cl_program *nf_cl_kernel_program(cl_kernel handle);
void nf_cl_kernel_retain(cl_kernel handle);
/* Before the driver's own release: afterwards the handle may be somebody else's. @return whether that was the last
 * reference of a kernel of ours; then `*kernel` is what it was, and its program is pinned. */
bool nf_cl_kernel_release(cl_kernel handle, struct nf_cl_kernel *kernel);

/* ---- specs.c: values of spec constants --------------------------------------------------------------------------- */

/* clSetProgramSpecializationConstant */
cl_int nf_cl_program_set_spec(struct nf_cl_program *program, cl_uint id, size_t size, const void *value);
/* A copy of the spec values, and the state that they belong to. @return false when memory ends. */
bool nf_cl_program_copy_specs(struct nf_cl_program *program, nf_spec_value **specs, size_t *count, uint64_t *state);

/* ---- inner.c: the driver's programs behind a handle -------------------------------------------------------------- */

/* Take over a new program of the driver's; the caller holds it. @return NULL when memory ends: then it is released. */
struct nf_cl_inner *nf_cl_inner_new(cl_program program);
/* One more holder: with the lock of the program that it belongs to, or by somebody who holds it. NULL is fine. */
struct nf_cl_inner *nf_cl_inner_share(struct nf_cl_inner *inner);
/* One holder less. NULL is fine. No lock may be held: the driver may be called. */
void nf_cl_inner_drop(struct nf_cl_inner *inner);

/* The driver's program of one group, held by whoever has this. */
struct nf_cl_executable {
    struct nf_cl_inner *inner;
    int group;
};
/* The groups that were built, in the order of the devices; none was: the first that has a driver program. */
cl_uint nf_cl_program_executables(struct nf_cl_program *program, struct nf_cl_executable list[NF_CL_GROUPS]);
void nf_cl_executables_drop(const struct nf_cl_executable *list, cl_uint count);
/* Did the driver build it for a device of the group? */
bool nf_cl_executable_is_built(const struct nf_cl_program *program, const struct nf_cl_executable *executable);
/* @return the one to ask about executables: one that was built well, if there is one. Its program is NULL when there is
 * none at all. */
struct nf_cl_executable nf_cl_program_executable(struct nf_cl_program *program);
/* @return the target that a device is; of a sub-device that of a parent, when the driver lists that. NULL: the program
 * is not for it. */
struct nf_cl_target *nf_cl_program_target(const struct nf_cl_program *program, cl_device_id device);
/* Does the device's own driver see to the program's source? `target` may be NULL. */
static inline bool nf_cl_target_is_theirs(const struct nf_cl_program *program, const struct nf_cl_target *target)
{
    return target && target->group >= 0 && program->groups[target->group].theirs;
}
/* @return the driver's program for one device; its program is NULL when there is none. */
struct nf_cl_executable nf_cl_program_executable_for(struct nf_cl_program *program, cl_device_id device);
/* @return `handle`, or the driver's program when it is one of ours (NULL while there is none): then `*held` is what
 * the caller has to drop. */
cl_program nf_cl_program_translate(cl_program handle, struct nf_cl_inner **held);

/* ---- globals.c: variables of a program on devices that have none ------------------------------------------------- */

/* Has the group one device? Only then can it have such memory. */
bool nf_cl_globals_alone(const struct nf_cl_program *program, const struct nf_cl_group *group);
/* Do the kernels of a built driver program need memory? Then it is made, if it is not there, and the caller holds it:
 * one kernel, and the last argument of the others, are ours, not the application's. Else it is NULL. */
cl_int nf_cl_globals_get(struct nf_cl_program *program, const struct nf_cl_executable *executable,
                         struct nf_cl_memory **memory);
/* @return how many bytes the variables take; 0 also when the driver keeps them itself. */
size_t nf_cl_globals_size(struct nf_cl_program *program, const struct nf_cl_executable *executable);
/* Give the memory to a new kernel, which holds it from then on. `*visible` is the number of arguments that the
 * application knows, UINT_MAX when none is ours. Takes the hold. */
cl_int nf_cl_globals_bind(struct nf_cl_kernel_part *part, struct nf_cl_memory *memory, cl_uint *visible);
/* clCreateKernelsInProgram of the driver's program, without the kernel of ours. They have no memory yet. */
cl_int nf_cl_globals_create_all(struct nf_cl_program *program, const struct nf_cl_executable *executable, cl_uint room,
                                cl_kernel *kernels, cl_uint *made);
/* Is that the name of the kernel that fills the memory? */
bool nf_cl_globals_is_ours(const char *name);
/* The driver's program is built anew: it gets other memory. */
void nf_cl_globals_forget(struct nf_cl_program *program, struct nf_cl_inner *inner);
/* One more holder of it, who has another one's word that it is there; one less. NULL is fine. */
struct nf_cl_memory *nf_cl_memory_share(struct nf_cl_memory *memory);
void nf_cl_memory_drop(struct nf_cl_memory *memory);

/* ---- names.c: kernel names that a driver cannot bear ------------------------------------------------------------- */

/* clCreateKernel of the driver's program, by the name that the driver knows. */
cl_kernel nf_cl_create_named(struct nf_cl_program *program, cl_program inner, const char *name, cl_int *error);
/* The driver's list of kernel names, between ';', with the module's own names, fresh. NULL when memory ends. `hidden`: the
 * one that fills memory of ours is among them. */
char *nf_cl_own_names(const struct nf_cl_program *program, const char *names, bool hidden);

/* ---- program.c: its life ----------------------------------------------------------------------------------------- */

/* Was it built with -cl-kernel-arg-info? */
bool nf_cl_program_shows_arguments(struct nf_cl_program *program);
/* A program of ours over `module` (owned by it from now on) for devices of `context`; no driver program yet. For those with
 * `theirs[i]` (which may be NULL) it never gets the module: `inner`, which is taken, is their driver program. */
struct nf_cl_program *nf_cl_program_new(cl_context context, const cl_device_id *devices, cl_uint device_count,
                                        struct nf_cl_bytes module, const bool *theirs, struct nf_cl_inner *inner,
                                        cl_int *error);
/* What is known of a program of the driver's that has source. */
struct nf_cl_origin {
    cl_program handle;
    cl_uint references; /* that the application had when it was asked for them */
    struct nf_cl_watch *watch;
    cl_context context;
    cl_uint device_count;
    cl_device_id *devices;
    bool *theirs; /* for each device: its own driver's compiler gets the source, whatever it is; or NULL */
    struct nf_cl_source source;   /* all but facts and options is owned */
    struct nf_cl_facts *lists;    /* for each device: what it lists; borrowed */
    bool named_only;              /* the compilers of its devices have no generic pointers */
    struct nf_cl_header *headers; /* those of `source` */
};
/* The same behind such a handle: `compiled`, which is taken, was made of its source. */
struct nf_cl_program *nf_cl_program_from_source(const struct nf_cl_origin *origin, struct nf_cl_compiled *compiled,
                                                cl_int *error);

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
/* Does the driver get the application's own bytes, without a look at them? */
bool nf_cl_passes(const struct nf_cl_program *program, const struct nf_cl_group *group);
/* Take the driver program of `group` away, as it cannot be built. Takes the report, which says why. */
void nf_cl_deliver_refusal(struct nf_cl_program *program, struct nf_cl_group *group, char *report);
/* Give `group` a driver program that came from the cache, with what was said when it was built. Takes the hold. */
void nf_cl_deliver_binary(struct nf_cl_program *program, struct nf_cl_group *group, struct nf_cl_inner *inner,
                          uint64_t state, const char *report, char *log);
/* Take the driver program of `group` away: it came from the cache, and another is wanted. */
void nf_cl_deliver_nothing(struct nf_cl_program *program, struct nf_cl_group *group);
/* The driver's clCreateProgramWithIL by the core or the KHR name, for bytes that need nothing of us. */
cl_program nf_cl_deliver_il(cl_context context, bool khr, const void *il, size_t length, cl_int *error);

/* ---- trial.c: what a device could do without --------------------------------------------------------------------- */

/* Can the application's own module be built where what was made of it is not? */
bool nf_cl_can_do_without(const struct nf_cl_group *group);
/* Do all devices take the module as it is, and has nobody asked for more? Then linking is the driver's. */
bool nf_cl_is_native(const struct nf_cl_program *program);
/* From now on the application's own module is what the driver gets. Takes the failure; says at `level` what it is. */
void nf_cl_give_way(struct nf_cl_program *program, struct nf_cl_group *group, enum nf_cl_level level,
                    struct nf_cl_failure *failure);
/* clBuildProgram of the driver's, for as long as the setting says. @return its answer. `*failure` is the caller's; it is
 * empty when the build is good, and when it is the arguments that are not. */
cl_int nf_cl_try(struct nf_cl_inner *inner, cl_uint count, const cl_device_id *devices, const char *options,
                 struct nf_cl_failure *failure);

/* ---- guard.c: drivers that end the process ------------------------------------------------------------------------- */

struct nf_cl_call;

/* @return whether the driver program of `group` must not be built with these options, as the driver would end the process; then
 * `*failure` says why. `doubted`: a process has ended over it, so whatever keeps the trial from ending well counts. */
bool nf_cl_guard(struct nf_cl_program *program, const struct nf_cl_group *group, const struct nf_cl_call *call,
                 bool doubted, struct nf_cl_failure *failure);

/* ---- attempt.c: what was made of a module and ended the process ----------------------------------------------------- */

/* How far a process has come with what the question is about. */
enum nf_cl_step {
    NF_CL_NO_STEP,
    NF_CL_MAKES,       /* it is being made, and given to the driver */
    NF_CL_BUILDS,      /* the driver builds it */
    NF_CL_BUILDS_AGAIN /* the same, after a process had ended over that and another one had not */
};

void nf_cl_attempt_begin(const struct nf_cl_bytes *key, enum nf_cl_step step);
void nf_cl_attempt_end(const struct nf_cl_bytes *key);
/* @return where a process has ended in between. */
enum nf_cl_step nf_cl_attempt_last(const struct nf_cl_bytes *key);
/* What is said of a build over which one has, when nobody knows better. */
extern const char nf_cl_attempt_ended[];

/* ---- binaries.c: what a driver built, on disk -------------------------------------------------------------------- */

struct nf_cl_binary; /* the question for one binary: everything that it depends on */

bool nf_cl_binary_wanted(const struct nf_cl_program *program, const struct nf_cl_group *group);
/* @return the question for what building `group` with `options` would make, or NULL when nothing of it is kept. */
struct nf_cl_binary *nf_cl_binary_ask(struct nf_cl_program *program, const struct nf_cl_group *group,
                                      const char *options);
/* Look for it, and give the group the driver program that is found, built. */
enum nf_cl_taken {
    NF_CL_NOT_KNOWN,
    NF_CL_TAKEN,
    NF_CL_KNOWN_TO_FAIL /* the application's own module is to be built: the group has been told */
};
enum nf_cl_taken nf_cl_binary_take(struct nf_cl_binary *binary, struct nf_cl_program *program,
                                   struct nf_cl_group *group, const char *options);
/* Remember why the application's own module is built in its place. Ends the question. */
void nf_cl_binary_refuse(struct nf_cl_binary *binary, const struct nf_cl_failure *failure);
/* What was made of the module is made, or built, if that is what the question is about; the driver has survived it. */
void nf_cl_binary_attempt(struct nf_cl_binary *binary, enum nf_cl_step step);
void nf_cl_binary_survived(struct nf_cl_binary *binary);
/* Has a process ended while the driver built it? Then the build is to be tried by another one before. */
bool nf_cl_binary_is_doubted(const struct nf_cl_binary *binary);
/* The driver is about to build what was asked for. */
void nf_cl_binary_begin(struct nf_cl_binary *binary, struct nf_cl_program *program, struct nf_cl_group *group);
/* The driver has built it, and nobody builds it anew before this returns: keep the outcome, soon. Ends the question. */
void nf_cl_binary_keep(struct nf_cl_binary *binary);
void nf_cl_binary_free(struct nf_cl_binary *binary);

/* The same for other programs of the driver's. */
bool nf_cl_binaries_can_be_kept(void);
/* Append everything that building for the device depends on, but for what is built. */
bool nf_cl_binary_question(struct nf_cl_bytes *key, const struct nf_cl_device *device, const char *options,
                           const nf_spec_value *specs, size_t spec_count);
struct nf_cl_loaded {
    cl_program program;
    char *said, *log; /* owned: what was kept with it, and the driver's log */
};
/* A built program of the driver's out of the cache. @return false when there is none. */
bool nf_cl_binary_load(const struct nf_cl_bytes *key, cl_context context, cl_device_id device, const char *options,
                       struct nf_cl_loaded *loaded);
/* Keep one that was built in so many microseconds, and a text with it. */
void nf_cl_binary_store(const struct nf_cl_bytes *key, cl_program built, cl_device_id device, uint64_t spent,
                        const char *said);
uint64_t nf_cl_microseconds(void);

/* ---- driver.c: the application's call, for the driver ------------------------------------------------------------- */

typedef void(CL_CALLBACK *nf_cl_notify)(cl_program program, void *user);

/* One call of clBuildProgram or clCompileProgram. */
struct nf_cl_call {
    cl_uint device_count;
    const cl_device_id *devices;
    const char *options;
    bool compile;
    cl_uint header_count;
    const cl_program *headers;
    const char **names;
    nf_cl_notify notify;
    void *user;
};

/* The call as it is, for the driver; with a callback of its own. Programs named as headers become those that it knows. */
cl_int nf_cl_call_driver(cl_program handle, const struct nf_cl_call *call, nf_cl_notify notify, void *user);

/* ---- build.c: clBuildProgram and clCompileProgram ---------------------------------------------------------------- */

cl_int nf_cl_build(struct nf_cl_program *program, const struct nf_cl_call *call);

/* The driver program of the first group was built elsewhere with those options. */
void nf_cl_note_built(struct nf_cl_program *program, const char *options);

/* ---- options.c: words of build options --------------------------------------------------------------------------- */

/* @return whether source that is built so may have generic pointers: OpenCL C 2.0 and newer, C++ for OpenCL. */
bool nf_cl_options_may_be_generic(const char *options);
/* The options that a module needs which was compiled from source with all of them, fresh, or NULL. */
char *nf_cl_options_for_module(const char *options);

/* ---- source.c: a driver's program as source ---------------------------------------------------------------------- */

/* Ask the driver for the devices alone; for source, context and references. @return false when it does not tell. The
 * origin is to be freed in any case. */
bool nf_cl_origin_begin(cl_program handle, const char *options, struct nf_cl_origin *origin);
bool nf_cl_origin_read(struct nf_cl_origin *origin);
/* Ask the driver. `count` devices of a call: those that it is about, 0: all. @return false when the program has no source, or
 * when none of these devices is served; those that are not are theirs. What the source can ask is what the first one
 * that is served lists. The origin is to be freed in any case. */
bool nf_cl_origin_find(cl_program handle, const char *options, cl_uint count, const cl_device_id *devices,
                       struct nf_cl_origin *origin);
/* Have the drivers' compilers say what the source can ask, as it matters; its options are known. `*other`: that is not
 * what the devices list. @return false when they do not say. */
bool nf_cl_origin_ask(struct nf_cl_origin *origin, bool *other);
/* @return what the source can ask of a device that is not theirs: as its compiler said, or before that as it lists. */
const struct nf_cl_facts *nf_cl_origin_facts(const struct nf_cl_origin *origin, cl_uint device);
/* Are these the same to any source? */
bool nf_cl_facts_same(const struct nf_cl_facts *a, const struct nf_cl_facts *b);
/* Go on to the devices of which source can ask something else than it could so far: the others are theirs from now on.
 * @return false when there is none. */
bool nf_cl_origin_next(struct nf_cl_origin *origin);
/* Is the source in C++ for OpenCL, of which none of the drivers' compilers has said that it builds anything? */
bool nf_cl_origin_is_foreign(const struct nf_cl_origin *origin);
/* Have they said so already? */
bool nf_cl_origin_is_known(const struct nf_cl_origin *origin);
/* Add the headers of a compilation. @return false when one of them has no source. */
bool nf_cl_origin_add_headers(struct nf_cl_origin *origin, cl_uint count, const cl_program *headers,
                              const char *const *names);
void nf_cl_origin_free(struct nf_cl_origin *origin);
/* Does the source, a header or an option ask whether a feature that we supply is there, by its name? */
bool nf_cl_origin_asks(const struct nf_cl_origin *origin);
/* Has a device no program-scope variables? */
bool nf_cl_origin_lacks_variables(const struct nf_cl_origin *origin);
/* Keep the headers that a program of the driver's was compiled with, if any, until it is compiled again. */
void nf_cl_headers_keep(struct nf_cl_origin *origin);
/* The module of a driver's program that was compiled from source, for linking it with one of ours for `device`. */
bool nf_cl_source_module(cl_program handle, cl_device_id device, struct nf_cl_bytes *module);
/* @return a device for which a program of the driver's has generic pointers when we compile it, or NULL. */
cl_device_id nf_cl_source_device(cl_program handle);

/* ---- language.c: what a driver's compiler makes of a version of OpenCL C ------------------------------------------ */

struct nf_cl_language {
    struct nf_cl_facts facts; /* those names that have a macro, and what we supply */
    bool named_only;          /* it has no generic pointers, as it should where the device has none */
    bool absent;              /* it builds nothing in that version */
};

/* Are features named by macros in the version of the language that `options` ask for? */
bool nf_cl_language_has_features(const char *options);
/* Do they ask for C++ for OpenCL? */
bool nf_cl_language_is_cxx(const char *options);
/* Has it been asked, in this process, or is it remembered? */
bool nf_cl_language_is_known(const struct nf_cl_device *device, const char *options);
/* Asked once for a driver and the version in `options`, then kept for good; without a context it is not asked. @return NULL
 * when it is not known, or memory ends. */
const struct nf_cl_language *nf_cl_language_find(cl_context context, const struct nf_cl_device *device,
                                                 const char *options);

/* ---- compile.c: programs that come as source --------------------------------------------------------------------- */

/* The call for a program of the driver's; `ours`: the record that an earlier call made of its source, or NULL. */
cl_int nf_cl_source_build(cl_program handle, struct nf_cl_program *ours, const struct nf_cl_call *call);

/* ---- reflected.c: what a driver said of kernels ------------------------------------------------------------------ */

/* What the driver says of the kernels of a program that it has built from source, as records of
 * nf_cl_notes_next(), fresh; NULL when it does not tell. */
char *nf_cl_reflected(cl_program program);

/* ---- kept.c: source that a driver takes as it is ----------------------------------------------------------------- */

/* The call for a program that the driver builds as it is, out of the cache or into it; `references`: those that the
 * application has, 0: as the driver says. @return false when the call is the driver's alone. */
bool nf_cl_kept_build(cl_program handle, const struct nf_cl_call *call, const struct nf_cl_held *held, cl_int *error);

/* ---- create.c: clCreateProgramWithIL ----------------------------------------------------------------------------- */

/* clCreateProgramWithIL, and by its KHR name. */
cl_program nf_cl_program_create(cl_context context, const void *il, size_t length, bool khr, cl_int *error);

/* ---- join.c: clLinkProgram --------------------------------------------------------------------------------------- */

/* Programs that the driver compiled where unnamed pointers are private go into a library: who links it may want them to be
 * generic. @return a device for which it has to be ours, or NULL. */
cl_device_id nf_cl_link_device(const char *options, cl_uint count, const cl_program *programs);

cl_program nf_cl_link(cl_context context, cl_uint device_count, const cl_device_id *devices, const char *options,
                      cl_uint input_count, const cl_program *inputs, nf_cl_notify notify, void *user, cl_int *error);

/* ---- info.c: clGetProgramInfo and clGetProgramBuildInfo ---------------------------------------------------------- */

cl_int nf_cl_program_info(struct nf_cl_program *program, cl_program_info name, size_t size, void *value,
                          size_t *size_ret);
cl_int nf_cl_build_info(struct nf_cl_program *program, cl_device_id device, cl_program_build_info name, size_t size,
                        void *value, size_t *size_ret);

/* ---- reasons.c: why source was left to the driver ------------------------------------------------------------------- */

/* @return what of our compiler's log is a reason of ours, not one of the source's, fresh; NULL: nothing. */
char *nf_cl_reason_of(const char *log);
/* Takes `text`, which NULL forgets: it comes first in the log of the driver's program from now on. */
void nf_cl_reason_keep(cl_program handle, char *text);
/* The application is about to release the driver's program. */
void nf_cl_reason_release(cl_program handle);
/* @return whether there is a reason; then `*error` is the answer to the question for the build log. */
bool nf_cl_reason_log(cl_program handle, cl_device_id device, size_t size, void *value, size_t *size_ret,
                      cl_int *error);

#endif
