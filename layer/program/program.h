/* SPDX-License-Identifier: Apache-2.0 */
/*
 * program.h - programs created from IL or compiled from source by the layer, and the driver programs behind them.
 *
 * Takes the application's module, its devices, options and spec values. Gives driver programs built from the
 * specialized module, one for each group of devices with equal requirements, and query results that name the
 * application's module. May use: base, store, specialize, translate, device, spir, public. From spir it includes two
 * headers that define the kernel names on which the layer and nonflat-spir must agree.
 *
 * Locks: the registry has one mutex for all lookups and reference counts; each program has a lock for its build state,
 * which it may share with other programs. Neither is held during a call of the driver or of an application callback.
 */
#ifndef NONFLAT_LAYER_PROGRAM_H
#define NONFLAT_LAYER_PROGRAM_H

#include "layer/device/device.h"
#include "layer/specialize/specialize.h"
#include "layer/store/store.h"
#include "layer/translate/translate.h"

/* ---- the records of programs ------------------------------------------------------------------------------------- */

enum { NF_CL_GROUPS = 8 };

/* A buffer for program-scope variables. The build for which it was made and each kernel that has it as an argument hold
 * a reference to it. */
struct nf_cl_globals_buffer {
    cl_mem buffer;
    size_t bytes;
    atomic_uint holders;
};

/* A program object of the driver. A build may replace it while other threads still query it, so `holders` counts its
 * users; when the last user drops its reference, the object is released to the driver. */
struct nf_cl_driver_program {
    cl_program program;
    char *entry; /* name of the disk cache entry with its bitcode, or NULL */
    atomic_uint holders;
    /* The lock of its program guards these members. */
    bool globals_known;                   /* `globals` is determined for the last build */
    struct nf_cl_globals_buffer *globals; /* the buffer for variables, or NULL if none is needed */
};

/* Why the specialized module is not used. */
struct nf_cl_failure {
    char *why;      /* owned; NULL: no failure; nf_cl_fall_back() also accepts NULL if memory is exhausted */
    bool expires;   /* it is stored for a week only: a build that ended a process or exceeded a time limit */
    bool transient; /* it is not stored, because the next attempt may succeed */
};

/* The life of a group's driver program, which nf_cl_group_state() derives from the fields of the group. A call of the
 * application, or a decision of the layer, leads from one state to the next. A program is replaced if it must not be
 * built again, for other spec values, for clCompileProgram, or by the original module (`fallback`).
 *
 *     NONE -- module specialized --> CREATED -- built --> BUILT -- built again
 *       |                               ^                   |
 *       |                               +---- replaced -----+
 *       |                               |                   |
 *       +-- loaded as a binary -> LOADED ------------------+
 *
 * A group that is left to the driver uses the application's source program itself, which is never replaced; the group
 * has none of these states. */
enum nf_cl_state {
    NF_CL_NONE,    /* there is no driver program: none was created yet, or the module was refused */
    NF_CL_CREATED, /* it has not been built yet */
    NF_CL_BUILT,   /* the driver has been called to build it, with or without success */
    NF_CL_LOADED   /* it was created from a binary of the cache or of a trial, and is built */
};

/* Devices of one context with equal requirements share one specialized module and one driver program. A device that
 * needs a buffer for the module's program-scope variables has its own group, if one of the NF_CL_GROUPS is free. */
struct nf_cl_group {
    /* Common properties of its devices, which do not change once the program is created. */
    enum nf_cl_delivery delivery;
    const struct nf_cl_device *lead;   /* its first device; may be NULL if `by_driver` */
    struct nf_cl_device_config config; /* of `lead`; all devices have its `mode` and `mode_given` */
    nf_mode by_default;                /* of `lead`; if `native`, equal for all devices */
    nf_profile profile;                /* supported by all devices of the group */
    uint32_t c_version, c_features;    /* equal for all devices of the group */
    uint32_t faults[NF_CL_FAULTS];     /* faults of any device of the group; `profile` points here */
    bool by_driver;                    /* left to the driver, which compiles or links it itself */
    bool generic;                      /* all devices support generic pointers */
    bool native;                       /* all devices accept the original module */
    bool native_specs;                 /* all drivers set specialization constants themselves */
    bool wrong_memory_queries;         /* a device gives wrong results for queries of a pointer's memory */
    bool waits_on_generic_only;        /* a device implements OpGroupWaitEvents for generic pointers only */
    /* Its driver program. */
    struct nf_cl_driver_program *driver_program; /* or NULL; if `by_driver`, the source program */
    char *binary_log;                            /* its build log if it was loaded as a binary, else NULL */
    bool for_compile;                            /* the driver program was created for clCompileProgram */
    bool changed;                                /* specialization changed the module of the driver program */
    bool queried;                                /* the application has queried its binary */
    unsigned builds;                             /* number of builds of this driver program */
    uint64_t driver_specs;                       /* `spec_state` of the program when the driver program was created */
    unsigned serial;                             /* counts replacements of the driver program, and cacheable builds */
    char *report;                                /* the layer's part of the build log */
    struct nf_cl_failure fallback;               /* why the group falls back to the original module; else empty */
};

/* Returns the state of the driver program of a device group that is not `by_driver`. */
static inline enum nf_cl_state nf_cl_group_state(const struct nf_cl_group *group)
{
    if (!group->driver_program) return NF_CL_NONE;
    if (group->binary_log) return NF_CL_LOADED;
    return group->builds ? NF_CL_BUILT : NF_CL_CREATED;
}

/* A device of a program and the state of the last build for it. */
struct nf_cl_target {
    cl_device_id device;
    int group;      /* index into `groups`; -1: the device accepts no module, or no group was free */
    bool attempted; /* built, compiled or linked at least once for this device */
    bool failed;    /* the last build failed before the driver was called */
    bool deferred;  /* compiled, or linked to a library; the current driver program was not built for it */
    cl_program_binary_type kind;
    char *options; /* as given by the application */
};

struct nf_cl_callback {
    void(CL_CALLBACK *notify)(cl_program program, void *user);
    void *user;
    struct nf_cl_callback *next;
};

struct nf_cl_program {
    void *dispatch;           /* must be first: loaders read the dispatch table through the handle */
    cl_program handle;        /* the application's handle: this record, or the driver's source program */
    bool from_source;         /* `handle` is a source program of the driver that has this record */
    struct nf_cl_bytes notes; /* facts about kernels from the source: records of nf_cl_notes_next() */
    bool kept;                /* source program, built from the cache; `notes` are the driver's (reflected.c) */
    char *compiler_log;       /* messages of nonflat-cl about the source, or NULL */
    cl_context context;
    struct nf_cl_bytes module; /* the application's module, or the linked module */
    nf_summary summary;
    bool linked;
    bool library;       /* linked with -create-library */
    bool of_source;     /* an input of the link was compiled from source by the layer */
    char *link_options; /* options given to clLinkProgram, or NULL */
    cl_uint device_count;
    struct nf_cl_target *targets;
    cl_uint group_count;
    struct nf_cl_group groups[NF_CL_GROUPS];
    nf_spec_value *specs;
    size_t spec_count;
    uint64_t spec_state; /* changes whenever a spec value may have changed */
    bool building;       /* a build is in progress */
    bool counted;        /* included in the run statistics */
    struct nf_cl_callback *release_callbacks;
    struct nf_cl_lock *lock; /* guards all mutable fields above; programs may share one */
    /* Guarded by the registry's mutex. */
    cl_uint references, kernels, pins;              /* the application's; live kernels; users: calls, builds and jobs */
    void (*destroy)(struct nf_cl_program *program); /* called when the last reference is dropped */
    bool listed;                                    /* the registry finds this record by its handle */
    struct nf_cl_program *chain;
};

/* A kernel of a program of the layer: one driver kernel for each device group that it is created for. The application's
 * handle is the first driver kernel. */
struct nf_cl_kernel {
    struct nf_cl_program *program;
    cl_uint visible; /* number of arguments that queries report; UINT_MAX: all */
    cl_uint count;
    struct nf_cl_kernel_part {
        cl_kernel kernel;
        int group;
        struct nf_cl_globals_buffer *memory; /* the buffer bound to the last argument, or NULL */
    } parts[NF_CL_GROUPS];
};

/* ---- registry.c: lookup of handles, and reference counts --------------------------------------------------------- */

/* Counts the retains and releases of a driver handle while the layer may create a record for the handle. */
struct nf_cl_watch;
/* The number of references that the application had when a record was dropped, and a watch that counts later
 * changes. */
struct nf_cl_dropped_references {
    cl_uint references;
    struct nf_cl_watch *since;
};

/* Adds a record to the table. The application held `references` references to it when `watch` began; `watch` may be
 * NULL. An older record of the same handle is removed, and its count is used instead. `destroy` is called when the last
 * reference is dropped. */
void nf_cl_registry_add(struct nf_cl_program *program, cl_uint references, const struct nf_cl_watch *watch,
                        void (*destroy)(struct nf_cl_program *program));
/* Removes the record, which the caller has pinned, so that its handle denotes the driver program alone. Sets
 * `held->references`, sets the count of the watch `held->since` to 0, and marks the watch for
 * nf_cl_registry_is_building(); both `held` and `held->since` may be NULL. @return false if another thread removed the
 * record first. */
bool nf_cl_registry_drop(struct nf_cl_program *program, struct nf_cl_dropped_references *held);
/* Starts a count of the references to `handle`, to be ended by nf_cl_registry_unwatch(). @return NULL if out of memory;
 * all functions here accept NULL, as a count of 0. */
struct nf_cl_watch *nf_cl_registry_watch(cl_program handle);
void nf_cl_registry_unwatch(struct nf_cl_watch *watch);
/* Returns true if a build in progress has dropped the record of `handle` and has not decided yet whether to create
 * another record. */
bool nf_cl_registry_is_building(cl_program handle);
/* Records that the build that has dropped the record of `handle` creates no other record. Call it before the
 * application's callback is called. */
void nf_cl_registry_end_building(cl_program handle);
/* Returns the application's current number of references to the handle whose record was dropped: those in `held`, with
 * the later changes. Sets the count of `watch`, which may be NULL, to 0. */
cl_uint nf_cl_registry_references(const struct nf_cl_dropped_references *held, struct nf_cl_watch *watch);
/* Adds `by` to the reference count of a handle for which a call found no record: to the record, if there is one by now,
 * else to the watches of the handle. */
void nf_cl_registry_adjust(cl_program handle, int by);
/* Returns the record of `handle`, pinned, or NULL if the handle has none. `handle` is compared and never
 * dereferenced. */
struct nf_cl_program *nf_cl_program_get(cl_program handle);
/* Returns the lock for a record at that address; several records may share a lock. */
struct nf_cl_lock *nf_cl_program_lock(const struct nf_cl_program *program);
void nf_cl_program_pin(struct nf_cl_program *program);
void nf_cl_program_unpin(struct nf_cl_program *program);
/* Add and drop a reference of the application to a record that the caller has pinned. A record without references and
 * kernels is destroyed when it is unpinned. nf_cl_program_release() returns false if there was no reference to drop. If
 * the record was dropped in the meantime, the watches of the handle count the reference. */
void nf_cl_program_retain(struct nf_cl_program *program);
bool nf_cl_program_release(struct nf_cl_program *program);
/* Returns the number of the application's references to the program. */
cl_uint nf_cl_program_references(struct nf_cl_program *program);
/* Returns the number of the program's live kernels. */
cl_uint nf_cl_program_kernels(struct nf_cl_program *program);
/* Returns true if no handle has a record. */
bool nf_cl_registry_empty(void);

/* Number of live kernels whose program has several groups, or that have a hidden argument. While it is 0, the
 * calls that set arguments and enqueue kernels skip the lookup of the kernel; most queries do not. */
extern atomic_uint nf_cl_special_kernels;

/* Adds a copy of `kernel` to the table; it keeps its program alive. @return false if out of memory. */
bool nf_cl_kernel_add(const struct nf_cl_kernel *kernel);
/* Returns true if `handle` is a kernel of the layer; `*kernel` is then a copy, valid while the application holds the
 * kernel. */
bool nf_cl_kernel_find(cl_kernel handle, struct nf_cl_kernel *kernel);
/* Adds a reference to a kernel of the layer; does nothing for another handle. */
void nf_cl_kernel_retain(cl_kernel handle);
/* Must be called before the driver releases the kernel, because the driver may reuse the handle afterwards. @return
 * true if that was the last reference to a kernel of the layer; `*kernel` is then a copy of its record, and its program
 * is pinned. */
bool nf_cl_kernel_release(cl_kernel handle, struct nf_cl_kernel *kernel);

/* ---- specs.c: values of spec constants --------------------------------------------------------------------------- */

/* Implements clSetProgramSpecializationConstant. */
cl_int nf_cl_program_set_spec(struct nf_cl_program *program, cl_uint id, size_t size, const void *value);
/* Copies the spec values, and the `spec_state` for which they are valid, to the caller, which frees `*specs`. @return
 * false if out of memory. */
bool nf_cl_program_copy_specs(struct nf_cl_program *program, nf_spec_value **specs, size_t *count, uint64_t *state);

/* ---- driver_program.c: the driver programs of a handle ----------------------------------------------------------- */

/* Takes ownership of a new driver program; the caller holds one reference. @return NULL if out of memory; `program` is
 * then released. */
struct nf_cl_driver_program *nf_cl_driver_program_new(cl_program program);
/* Adds a reference. The caller holds the lock of the program that it belongs to, or a reference. NULL is allowed. */
struct nf_cl_driver_program *nf_cl_driver_program_retain(struct nf_cl_driver_program *driver_program);
/* Drops a reference. NULL is allowed. The caller must hold no lock, because the driver may be called. */
void nf_cl_driver_program_release(struct nf_cl_driver_program *driver_program);

/* Gets the module of a driver program, or with CL_PROGRAM_SOURCE its text with the NUL byte. `*module` is empty before
 * the call; the caller frees `module->data` in any case. @return false if the program has none, or a query fails. */
bool nf_cl_fetch_module(cl_program program, cl_program_info name, struct nf_cl_bytes *module);

/* The driver program of one group, with one reference. */
struct nf_cl_executable {
    struct nf_cl_driver_program *driver_program;
    int group;
};
/* Fills `list` with the groups that were built, in the order of the devices; if none was, with the first group that has
 * a driver program. @return the number of entries, to be dropped with nf_cl_executables_drop(). */
cl_uint nf_cl_program_executables(struct nf_cl_program *program, struct nf_cl_executable list[NF_CL_GROUPS]);
void nf_cl_executables_drop(const struct nf_cl_executable *list, cl_uint count);
/* Returns true if the driver has built this driver program successfully for at least one device. */
bool nf_cl_executable_is_built(const struct nf_cl_program *program, const struct nf_cl_executable *executable);
/* Returns the driver program that answers queries about executables: preferably one with a successful build. Its
 * `driver_program` is NULL if there is no driver program. */
struct nf_cl_executable nf_cl_program_executable(struct nf_cl_program *program);
/* Returns the target of `device`; if there is none, and no device of the program takes IL, the target of the closest
 * ancestor of the sub-device `device` that the program lists; else NULL. */
struct nf_cl_target *nf_cl_program_target(const struct nf_cl_program *program, cl_device_id device);
/* Returns true if the program's source is left to the driver of that device. `target` may be NULL. */
static inline bool nf_cl_target_is_left_to_driver(const struct nf_cl_program *program,
                                                  const struct nf_cl_target *target)
{
    return target && target->group >= 0 && program->groups[target->group].by_driver;
}
/* Returns the driver program for one device; its `driver_program` is NULL if there is none. */
struct nf_cl_executable nf_cl_program_executable_for(struct nf_cl_program *program, cl_device_id device);
/* Returns `handle` if it has no record, else its driver program, or NULL if that does not exist yet. The caller drops
 * `*held`, which may be NULL. */
cl_program nf_cl_program_translate(cl_program handle, struct nf_cl_driver_program **held);

/* ---- globals.c: a buffer for program-scope variables on devices without them ------------------------------------- */

/* Returns true if the group has exactly one device; only then can its variables be kept in a buffer. */
bool nf_cl_globals_single_device(const struct nf_cl_program *program, const struct nf_cl_group *group);
/* Sets `*memory` to the buffer for variables of a built driver program, creating and filling it if necessary, or to
 * NULL if the program needs none. The caller gets a reference to it. If there is a buffer, one kernel of the driver
 * program and the last argument of all others are hidden from the application. */
cl_int nf_cl_globals_get(struct nf_cl_program *program, const struct nf_cl_executable *executable,
                         struct nf_cl_globals_buffer **memory);
/* Returns the size of the buffer for variables in bytes, creating it if necessary; 0 if there is none, or if that
 * fails. */
size_t nf_cl_globals_size(struct nf_cl_program *program, const struct nf_cl_executable *executable);
/* Sets the buffer, which may be NULL, as the last argument of a new kernel. Takes over the reference, also if it fails.
 * Sets `*visible` to the number of arguments that queries report, UINT_MAX if none is hidden. */
cl_int nf_cl_globals_bind(struct nf_cl_kernel_part *part, struct nf_cl_globals_buffer *memory, cl_uint *visible);
/* Implements clCreateKernelsInProgram for the driver program without its hidden kernel; `made` is not NULL. The kernels
 * have no buffer yet. */
cl_int nf_cl_globals_create_all(struct nf_cl_program *program, const struct nf_cl_executable *executable, cl_uint room,
                                cl_kernel *kernels, cl_uint *made);
/* Returns true if that is the name of the hidden kernel that fills the buffer. */
bool nf_cl_globals_is_initializer(const char *name);
/* Drops the buffer of a driver program that is about to be built again, unless the program has kernels, because the
 * driver then refuses the build. */
void nf_cl_globals_reset(struct nf_cl_program *program, struct nf_cl_driver_program *driver_program);
/* nf_cl_globals_buffer_retain() adds a reference for a caller that already holds one; nf_cl_globals_buffer_release()
 * drops one. NULL is allowed. */
struct nf_cl_globals_buffer *nf_cl_globals_buffer_retain(struct nf_cl_globals_buffer *memory);
void nf_cl_globals_buffer_release(struct nf_cl_globals_buffer *memory);

/* ---- names.c: kernel names that a driver does not support -------------------------------------------------------- */

/* Calls clCreateKernel for the driver program, with the kernel's name in the driver, and then, if the driver has no
 * such kernel, with `name`. */
cl_kernel nf_cl_create_named(struct nf_cl_program *program, const struct nf_cl_executable *executable, const char *name,
                             cl_int *error);
/* Returns the driver's list `names` of kernel names, separated by ';', with each name replaced by the kernel's name in
 * the original module, malloc'ed, or NULL if out of memory. `hidden`: omits the kernel that fills the buffer for
 * variables. */
char *nf_cl_original_names(const struct nf_cl_program *program, const char *names, bool hidden);

/* ---- program.c: creation and destruction ------------------------------------------------------------------------- */

/* Returns true if queries may show kernel arguments: the program was built with -cl-kernel-arg-info, or is `kept`. */
bool nf_cl_program_shows_arguments(struct nf_cl_program *program);
/* Creates a program from `module` for devices of `context`, without driver programs; takes ownership of `module.data`.
 * Devices with `by_driver[i]` (`by_driver` may be NULL) never get the module: `driver_program`, which may be NULL, is
 * their driver program; its reference is taken over. @return NULL if it fails, with `*error` set. */
struct nf_cl_program *nf_cl_program_new(cl_context context, const cl_device_id *devices, cl_uint device_count,
                                        struct nf_cl_bytes module, const bool *by_driver,
                                        struct nf_cl_driver_program *driver_program, cl_int *error);
/* A source program of the driver: its devices, its source, and the facts about a device that the source can test. */
struct nf_cl_source_program {
    cl_program handle;
    cl_uint references; /* the driver's count when it was queried */
    struct nf_cl_watch *watch;
    cl_context context;
    cl_uint device_count;
    cl_device_id *devices;
    bool *by_driver;              /* per device: its driver's compiler gets the source; or NULL */
    struct nf_cl_source source;   /* all but facts and options is owned */
    struct nf_cl_facts *reported; /* per device that is not `by_driver`: facts whose strings its nf_cl_device owns */
    bool named_only;              /* no compiler of the devices that are not `by_driver` has generic pointers */
    struct nf_cl_header *headers; /* the headers of `source` */
};
/* As nf_cl_program_new(), for the source program `origin->handle`, which remains the application's handle. `compiled`
 * is the result of compiling its source. Takes ownership of the module in it, and, on success, of its notes and log. */
struct nf_cl_program *nf_cl_program_from_source(const struct nf_cl_source_program *origin,
                                                struct nf_cl_compiled *compiled, cl_int *error);

/* ---- create_driver_program.c: creation of the driver program ----------------------------------------------------- */

enum nf_cl_delivered {
    NF_CL_READY,     /* there is a driver program to be built */
    NF_CL_REFUSED,   /* the module is not supported; the group's report gives the reason */
    NF_CL_MALFORMED, /* the module is not well formed; the group's report gives the reason */
    NF_CL_FAILED     /* `*error` is the error code of the driver or of the layer */
};

/* Ensures that `group` has a driver program for clBuildProgram, or for clCompileProgram if `for_compile`. */
enum nf_cl_delivered nf_cl_deliver(struct nf_cl_program *program, struct nf_cl_group *group, bool for_compile,
                                   cl_int *error);
/* Specializes the module for `group`, which finds out whether the module is well formed. @return NF_CL_READY also if
 * the module would be refused, because the build reports that; NF_CL_FAILED if memory is exhausted, unless the group
 * has a fallback. */
enum nf_cl_delivered nf_cl_examine(struct nf_cl_program *program, struct nf_cl_group *group, cl_int *error);
/* Returns the request to the core library for a device group, without spec values. `for_compile`: the call is
 * clCompileProgram, so the module will be linked with others. */
struct nf_cl_request nf_cl_request_for(const struct nf_cl_program *program, const struct nf_cl_group *group,
                                       bool for_compile);
/* Returns true if the module is not specialized for `group`: the driver gets the application's module, or bitcode
 * translated from it. */
bool nf_cl_is_passed_through(const struct nf_cl_program *program, const struct nf_cl_group *group);
/* Removes the driver program of `group` because it must not be built. Takes ownership of `report`, which gives the
 * reason. */
void nf_cl_deliver_refusal(struct nf_cl_program *program, struct nf_cl_group *group, char *report);
/* Gives `group` a driver program that was loaded as a binary, from the cache or from a trial, with the report and the
 * driver's log of its build. `state` is the program's `spec_state` for which the binary was built. Takes over the
 * reference, and ownership of `log`. */
void nf_cl_deliver_binary(struct nf_cl_program *program, struct nf_cl_group *group,
                          struct nf_cl_driver_program *driver_program, uint64_t state, const char *report, char *log);
/* Removes the driver program of `group`, such as one from the cache that does not suit this build. */
void nf_cl_deliver_none(struct nf_cl_program *program, struct nf_cl_group *group);
/* Creates a driver program from IL, with clCreateProgramWithIL or, if `khr`, its KHR variant. @return NULL with
 * CL_INVALID_OPERATION if the driver lacks the function, or, without `khr`, if no device of the context reports OpenCL
 * 2.1 or newer. `error` may be NULL. */
cl_program nf_cl_deliver_il(cl_context context, bool khr, const void *il, size_t length, cl_int *error);

/* ---- timed_build.c: builds with the original module as a fallback ------------------------------------------------ */

/* Returns true if the layer may fall back to the original module: all devices accept it, and no setting selects a mode
 * other than hint. */
bool nf_cl_has_fallback(const struct nf_cl_group *group);
/* Returns true if the program was not compiled from source, all its devices accept the original module, and no setting
 * selects a mode. If it holds for all inputs of a link that are the layer's, the driver links them. */
bool nf_cl_all_native(const struct nf_cl_program *program);
/* Makes the device group fall back to the original module from now on. Takes ownership of the failure, and logs it at
 * `level`. */
void nf_cl_fall_back(struct nf_cl_program *program, struct nf_cl_group *group, enum nf_cl_level level,
                     struct nf_cl_failure *failure);
/* Calls the driver's clBuildProgram with the time limit `build-timeout`. @return the driver's error code,
 * CL_BUILD_PROGRAM_FAILURE after the time limit. The caller owns `*failure`; its `why` is NULL if the build succeeds,
 * if the call's arguments are invalid, or if memory is exhausted before the build. */
cl_int nf_cl_timed_build(struct nf_cl_driver_program *driver_program, cl_uint count, const cl_device_id *devices,
                         const char *options, struct nf_cl_failure *failure);

/* ---- unlisted.c: capabilities that a module declares and its device does not list -------------------------------- */

/* Returns a line that names the capabilities that the module declares and the device does not list, malloc'ed; NULL if
 * there are none, or if out of memory. */
char *nf_cl_unlisted(const struct nf_cl_device *device, const struct nf_cl_bytes *module);
/* Adds the line of nf_cl_unlisted() to the report of `group`, whose driver program could not be built, if the group
 * takes IL. */
void nf_cl_report_unlisted(struct nf_cl_program *program, struct nf_cl_group *group);

/* ---- crash_isolation.c: builds that would end the process -------------------------------------------------------- */

struct nf_cl_call;

/* Returns true if the driver program of `group` must not be built with these options, because the driver would end the
 * process, or would not end the build; `*failure`, which the caller owns, then gives the reason. `needs_trial`: an
 * earlier process ended during this build, so that a trial without a result counts as a failure. The build is not tried
 * if the device is not guarded and no trial is needed, or if the program has kernels. If a trial has just succeeded,
 * the call is not a compilation and nf_cl_binary_is_quick() is true, sets `*built` to the log of the trial, with its
 * NUL, and the binary; else to nothing. The caller frees its data. */
bool nf_cl_build_would_crash(struct nf_cl_program *program, const struct nf_cl_group *group,
                             const struct nf_cl_call *call, bool needs_trial, struct nf_cl_failure *failure,
                             struct nf_cl_bytes *built);

/* ---- crash_journal.c: specialized modules during whose build a process ended ------------------------------------- */

/* The step that a process had reached. */
enum nf_cl_build_step {
    NF_CL_NO_STEP,
    NF_CL_MAKES,       /* specialization, and creation of the driver program */
    NF_CL_BUILDS,      /* build by the driver */
    NF_CL_BUILDS_AGAIN /* second build by the driver, after a build that ended its process and a successful trial */
};

/* Write and remove the mark that this process performs a step of the build with that key. */
void nf_cl_journal_begin(const struct nf_cl_bytes *key, enum nf_cl_build_step step);
void nf_cl_journal_end(const struct nf_cl_bytes *key);
/* Returns the step during which an earlier process on this machine ended less than a week ago, NF_CL_NO_STEP if none
 * did. Removes a damaged mark, and the mark of a process that ended a week ago or earlier. */
enum nf_cl_build_step nf_cl_journal_last(const struct nf_cl_bytes *key);
/* The message about a build during which a process ended, if no better message is known. */
extern const char nf_cl_journal_message[];

/* ---- binaries.c: cache of the driver's binaries on disk ---------------------------------------------------------- */

struct nf_cl_binary; /* a cache query: the key and state of one build */

/* Returns true if the binary of a build for the group is to be cached. */
bool nf_cl_binary_wanted(const struct nf_cl_program *program, const struct nf_cl_group *group);
/* Returns true if the program has one device only, and binaries are cached for it (nf_cl_device.cache_binaries). */
bool nf_cl_binary_is_quick(const struct nf_cl_program *program, const struct nf_cl_group *group);
/* Returns the cache query for a build of `group` with `options`; NULL if neither the binary nor a failure of this build
 * would be stored, or if out of memory. */
struct nf_cl_binary *nf_cl_binary_query(struct nf_cl_program *program, const struct nf_cl_group *group,
                                        const char *options);
enum nf_cl_taken {
    NF_CL_NOT_KNOWN,
    NF_CL_TAKEN,
    NF_CL_KNOWN_TO_FAIL /* the group has fallen back to the original module */
};
/* Looks the query up. On NF_CL_TAKEN the device group has a built driver program from the cache. */
enum nf_cl_taken nf_cl_binary_take(struct nf_cl_binary *binary, struct nf_cl_program *program,
                                   struct nf_cl_group *group, const char *options);
/* Loads the binary that a trial has built; `built`: the driver's log with its NUL, then the binary. If the driver loads
 * it, stores log and binary in the cache under the key of `binary`, unless that is NULL or for a failure only. @return
 * true if the driver has loaded it, so that the device group has a driver program. */
bool nf_cl_binary_take_tried(const struct nf_cl_binary *binary, struct nf_cl_program *program,
                             struct nf_cl_group *group, const char *options, const struct nf_cl_bytes *built);
/* Stores the reason for which the device group falls back to the original module, unless it is transient. Frees
 * `binary`, which may be NULL. */
void nf_cl_binary_store_failure(struct nf_cl_binary *binary, const struct nf_cl_failure *failure);
/* nf_cl_binary_mark() records on disk that the process begins `step` of a build that has a fallback;
 * nf_cl_binary_unmark() removes that record. If the build needs a trial, a mark for NF_CL_MAKES changes nothing, so the
 * record of the earlier process stays, and a mark for NF_CL_BUILDS records NF_CL_BUILDS_AGAIN. `binary` may be NULL. */
void nf_cl_binary_mark(struct nf_cl_binary *binary, enum nf_cl_build_step step);
void nf_cl_binary_unmark(struct nf_cl_binary *binary);
/* Returns true if an earlier process ended during this build, which therefore has to be tried in another process
 * first. */
bool nf_cl_binary_needs_trial(const struct nf_cl_binary *binary);
/* Notes that the driver's build begins now. Pins the program until `binary` is freed. */
void nf_cl_binary_begin(struct nf_cl_binary *binary, struct nf_cl_program *program, struct nf_cl_group *group);
/* Stores the binary of a finished build in the background, if binaries are cached for it. Frees `binary`. No other
 * thread may start a build of the group during the call. */
void nf_cl_binary_store_later(struct nf_cl_binary *binary);
void nf_cl_binary_free(struct nf_cl_binary *binary);

/* Returns true if binaries can be cached: there is a cache, the processor is known, modules are not dumped, and the
 * environment gives the driver no settings that the key lacks. */
bool nf_cl_binaries_can_be_kept(void);
/* Appends everything on which a build for the device depends, except the module: what the device and its platform
 * report, the spec values, the file of the driver, the layers below, the processor, the variables that drivers read,
 * and the options. @return false if out of memory. */
bool nf_cl_append_build_key(struct nf_cl_bytes *key, const struct nf_cl_device *device, const char *options,
                            const nf_spec_value *specs, size_t spec_count);
struct nf_cl_loaded {
    cl_program program;
    char *stored_text, *log; /* owned: the text that was stored with the binary, and the driver's log */
};
/* Loads a built driver program from the cache. If there is none, claims the build unless `claim` is NULL. @return true
 * if a program was loaded. */
bool nf_cl_binary_load(const struct nf_cl_bytes *key, cl_context context, cl_device_id device, const char *options,
                       struct nf_cl_loaded *loaded, struct nf_cl_claim *claim);
/* Stores in the background the binary and the log of `built`, whose build took `spent` microseconds, together with a
 * text. */
void nf_cl_binary_store(const struct nf_cl_bytes *key, cl_program built, cl_device_id device, uint64_t spent,
                        const char *stored_text);

/* ---- driver.c: builds of source programs by the driver ----------------------------------------------------------- */

typedef void(CL_CALLBACK *nf_cl_notify)(cl_program program, void *user);

/* The arguments of one call of clBuildProgram or clCompileProgram. */
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

/* Calls the driver with the application's arguments and the given callback. Headers that were created from IL as
 * programs of the layer are replaced by their driver programs. */
cl_int nf_cl_call_driver(cl_program handle, const struct nf_cl_call *call, nf_cl_notify notify, void *user);

/* ---- build.c: clBuildProgram and clCompileProgram ---------------------------------------------------------------- */

/* Implements clBuildProgram, or with `call->compile` clCompileProgram, for a program of the layer. */
cl_int nf_cl_build(struct nf_cl_program *program, const struct nf_cl_call *call);

/* Records that the driver program of the first device was loaded as a binary that was built with these options. */
void nf_cl_note_built(struct nf_cl_program *program, const char *options);

/* ---- create.c: clCreateProgramWithIL ----------------------------------------------------------------------------- */

/* Implements clCreateProgramWithIL, and with `khr` its KHR variant. */
cl_program nf_cl_program_create(cl_context context, const void *il, size_t length, bool khr, cl_int *error);

/* ---- link_options.c: the options of a linked program ------------------------------------------------------------- */

/* The inputs of clLinkProgram. */
struct nf_cl_link_inputs {
    cl_uint count;
    struct nf_cl_program *const *programs; /* borrowed; NULL for a driver program */
    bool from_source;                      /* the layer compiles an input from source */
};

/* Returns false if some option of a library cannot be an option of any driver. The layer checks them because it builds
 * no library, so that no driver rejects them; for an executable the driver checks the options of the build. Drivers to
 * which devices are left get the options of the link as well. */
bool nf_cl_are_library_options(const char *options);

/* Returns the options for the one build of the linked module, malloc'ed: the options with which every input of the
 * layer was compiled, and the options of the link that apply to a build, except those that affect arithmetic if an
 * input is a library without -enable-link-options. NULL if out of memory. */
char *nf_cl_link_options(const struct nf_cl_link_inputs *inputs, const char *options);

/* Returns the options of a link, malloc'ed, without pure permissions such as -cl-finite-math-only; NULL if it has none
 * of them, or if out of memory. */
char *nf_cl_without_permissions(const char *options);

/* ---- link_program.c: clLinkProgram ------------------------------------------------------------------------------- */

/* With -create-library the layer also links programs that the driver compiled with private unnamed pointers, because
 * the program that uses the library may need them to be generic. @return a device for which the layer has to compile
 * an input that the driver has compiled in this way, or NULL. */
cl_device_id nf_cl_link_device(const char *options, cl_uint count, const cl_program *programs);

/* Calls the driver's clLinkProgram. Some options of a link are only permissions for the compiler, and PoCL (3.1 to 7.1)
 * refuses them, so a refused link is repeated without these options. The link of a library, where the options need
 * -enable-link-options, is not repeated. A link with a callback is not repeated either, because PoCL calls the callback
 * for the refused link, too. */
cl_program nf_cl_link_by_driver(cl_context context, cl_uint device_count, const cl_device_id *devices,
                                const char *options, cl_uint input_count, const cl_program *programs,
                                nf_cl_notify notify, void *user, cl_int *error);

/* Implements clLinkProgram if an input is a program of the layer, or nf_cl_link_device() returns a device. */
cl_program nf_cl_link(cl_context context, cl_uint device_count, const cl_device_id *devices, const char *options,
                      cl_uint input_count, const cl_program *inputs, nf_cl_notify notify, void *user, cl_int *error);

/* ---- info.c: clGetProgramInfo and clGetProgramBuildInfo ---------------------------------------------------------- */

/* Implement the two queries for a program of the layer. */
cl_int nf_cl_program_info(struct nf_cl_program *program, cl_program_info name, size_t size, void *value,
                          size_t *size_ret);
cl_int nf_cl_build_info(struct nf_cl_program *program, cl_device_id device, cl_program_build_info name, size_t size,
                        void *value, size_t *size_ret);

/* ---- reasons.c: the reasons for leaving source to the driver ----------------------------------------------------- */

/* Returns the part of nonflat-cl's log that gives a reason other than an error in the source, malloc'ed, or NULL. */
char *nf_cl_reason_of(const char *log);
/* Takes ownership of `text`, which precedes the build log of the driver's program from now on. NULL removes it. */
void nf_cl_reason_keep(cl_program handle, char *text);
/* Removes the reason if the application is about to release the last reference of the driver's program. */
void nf_cl_reason_release(cl_program handle);
/* Returns true if there is a reason, and the driver's log can be read; the query for the build log is then answered,
 * and `*error` is its result. */
bool nf_cl_reason_log(cl_program handle, cl_device_id device, size_t size, void *value, size_t *size_ret,
                      cl_int *error);

#include "layer/program/source.h"

#endif
