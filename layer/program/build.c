/* SPDX-License-Identifier: Apache-2.0 */
/*
 * build.c - clBuildProgram and clCompileProgram for programs of the layer. Takes the application's device list, options
 * and callback; ensures that each group of devices has a driver program, and builds these driver programs. If no driver
 * program can be created for a group, its build fails with the reason in the build log.
 *
 * The application's callback is called once, with the application's handle, when the last group is done. The callback
 * may call the layer again, so no lock is held during the callback, and a driver may report the end of a build from its
 * own thread long after clBuildProgram has returned. A call that returns an error other than a build failure has no
 * callback, even if some groups were built: the application must then do the clean-up of its callback itself.
 */
#define _GNU_SOURCE
#include "layer/program/program.h"
#include "layer/translate/translate.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* One build, shared by the driver callbacks of all groups. */
struct build {
    struct nf_cl_program *program; /* pinned */
    nf_cl_notify notify;
    void *user;
    atomic_int open;      /* number of device groups that are still building, plus one for the caller */
    atomic_int completed; /* number of groups whose build ended, with success or failure */
};

/* User data of one driver build. The driver holds a reference until it calls back, the layer until the build call
 * returns. If the driver returns an error without calling back, its reference is never dropped, because it may still
 * call. */
struct ticket {
    struct build *build;
    struct nf_cl_group *group;
    struct nf_cl_binary *binary; /* the query of the cache, or NULL; if `kept`, the binary is stored after the build */
    atomic_int used;             /* set by whichever comes first: the callback, or the end of a call that failed */
    atomic_int holders;
    struct ticket *abandoned; /* the next ticket in the list of those that keep_ticket() has kept */
};

static _Atomic(struct ticket *) abandoned;

static void drop_ticket(struct ticket *ticket)
{
    if (atomic_fetch_sub(&ticket->holders, 1) == 1) free(ticket);
}

/* Keeps a ticket allocated until the process ends, and reachable, so that leak checkers do not report it. */
static void keep_ticket(struct ticket *ticket)
{
    struct ticket *older = atomic_load(&abandoned);
    do {
        ticket->abandoned = older;
    } while (!atomic_compare_exchange_weak(&abandoned, &older, ticket));
}

/* Ends one device group of a build, or the caller's part. The last one ends the build, calls the application's callback
 * if any group completed, and frees `build`. */
static void end_part(struct build *build)
{
    if (atomic_fetch_sub(&build->open, 1) != 1) return;
    nf_cl_lock_acquire(build->program->lock);
    build->program->building = false;
    nf_cl_lock_release(build->program->lock);
    if (build->notify && atomic_load(&build->completed) > 0) build->notify(build->program->handle, build->user);
    nf_cl_program_unpin(build->program);
    free(build);
}

/* Removes from the cache bitcode that the driver did not build: the cached file may be defective. */
static void drop_unbuilt(struct nf_cl_program *program, const struct nf_cl_group *group)
{
    const struct nf_cl_executable executable = {group->driver_program, (int)(group - program->groups)};
    if (group->driver_program->entry && !nf_cl_executable_is_built(program, &executable))
        nf_cl_bitcode_drop(group->driver_program->entry);
}

static void CL_CALLBACK on_driver_done(cl_program driver_program, void *user)
{
    struct ticket *ticket = user;
    (void)driver_program; /* the callback gets the layer's handle instead */
    if (atomic_exchange(&ticket->used, 1)) return;
    struct build *build = ticket->build;
    if (ticket->binary) nf_cl_binary_store_later(ticket->binary);
    drop_unbuilt(build->program, ticket->group);
    drop_ticket(ticket);
    atomic_fetch_add(&build->completed, 1);
    end_part(build);
}

/* ---- one group ---- */

struct part {
    struct nf_cl_group *group;
    cl_device_id *devices;
    cl_uint count;
    const struct nf_cl_call *call; /* the application's call, which is for all devices */
};

/* Builds the application's source program, with its headers. */
static cl_int call_with_source(const struct part *part, cl_program driver_program, nf_cl_notify notify, void *user)
{
    struct nf_cl_call call = *part->call;
    call.device_count = part->count;
    call.devices = part->devices;
    return nf_cl_call_driver(driver_program, &call, notify, user);
}

static cl_int call_driver(const struct part *part, cl_program driver_program, const char *options, nf_cl_notify notify,
                          void *user)
{
    if (part->group->by_driver) return call_with_source(part, driver_program, notify, user);
    if (part->call->compile)
        return NF_CL_CALL(clCompileProgram, CL_INVALID_OPERATION, driver_program, part->count, part->devices, options,
                          0, NULL, NULL, notify, user);
    return NF_CL_CALL(clBuildProgram, CL_INVALID_OPERATION, driver_program, part->count, part->devices, options, notify,
                      user);
}

static cl_int build_part(struct build *build, const struct part *part);

/* Finishes a ticket after the driver's call. If that failed without a callback, none is expected, and the device group
 * ends here; a late callback finds the ticket marked as used. */
static void settle_ticket(struct ticket *ticket, struct build *build, cl_int error)
{
    if (error == CL_SUCCESS || atomic_exchange(&ticket->used, 1)) {
        drop_ticket(ticket);
        return;
    }
    nf_cl_binary_free(ticket->binary);
    keep_ticket(ticket);
    if (error == CL_BUILD_PROGRAM_FAILURE || error == CL_COMPILE_PROGRAM_FAILURE)
        atomic_fetch_add(&build->completed, 1);
    end_part(build);
}

/* Builds without a callback: the build ends when the call returns. Takes ownership of `binary`. */
static cl_int build_now(const struct part *part, const char *options, struct nf_cl_binary *binary)
{
    cl_int error = call_driver(part, part->group->driver_program->program, options, NULL, NULL);
    if (binary && error == CL_SUCCESS)
        nf_cl_binary_store_later(binary);
    else
        nf_cl_binary_free(binary);
    return error;
}

static cl_int build_notified(struct build *build, const struct part *part, const char *options,
                             struct nf_cl_binary *binary)
{
    struct ticket *ticket = calloc(1, sizeof *ticket);
    if (!ticket) {
        nf_cl_binary_free(binary);
        return CL_OUT_OF_HOST_MEMORY;
    }
    ticket->build = build;
    ticket->group = part->group;
    ticket->binary = binary;
    atomic_init(&ticket->holders, 2);
    atomic_fetch_add(&build->open, 1);
    nf_cl_keep_loader();
    cl_int error = call_driver(part, part->group->driver_program->program, options, on_driver_done, ticket);
    settle_ticket(ticket, build, error);
    return error;
}

static cl_int build_ready(struct build *build, const struct part *part, struct nf_cl_binary *binary)
{
    nf_cl_globals_reset(build->program, part->group->driver_program);
    bool changed = nf_cl_changes_options(build->program, part->group);
    char *own = changed ? nf_cl_driver_options(build->program, part->group, part->call->options) : NULL;
    const char *options = changed ? own : part->call->options;
    cl_int error = CL_OUT_OF_HOST_MEMORY;
    if (changed && !own)
        nf_cl_binary_free(binary);
    else if (build->notify)
        error = build_notified(build, part, options, binary);
    else
        error = build_now(part, options, binary);
    if (error == CL_BUILD_PROGRAM_FAILURE) nf_cl_bitcode_drop(part->group->driver_program->entry);
    free(own);
    return error;
}

/* Sets the build states of the part's devices for a new build, which end_attempt() ends. @return the previous states,
 * or NULL if memory is exhausted. */
static struct nf_cl_target *begin_attempt(struct nf_cl_program *program, const struct part *part, bool failed,
                                          bool deferred)
{
    struct nf_cl_target *before = calloc(part->count, sizeof *before);
    for (cl_uint i = 0; i < part->count; i++) {
        struct nf_cl_target *target = nf_cl_program_target(program, part->devices[i]);
        nf_cl_lock_acquire(program->lock);
        if (before)
            before[i] = *target;
        else
            free(target->options);
        target->attempted = true;
        target->failed = failed;
        target->deferred = deferred;
        target->kind = part->call->compile ? CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT : CL_PROGRAM_BINARY_TYPE_EXECUTABLE;
        target->options = nf_cl_format("%s", part->call->options ? part->call->options : "");
        nf_cl_lock_release(program->lock);
    }
    return before;
}

/* Restores the previous states unless `taken`: the driver rejected the call itself, or another build follows. Frees
 * `before`, which may be NULL. */
static void end_attempt(struct nf_cl_program *program, const struct part *part, struct nf_cl_target *before, bool taken)
{
    for (cl_uint i = before ? part->count : 0; i-- > 0;) { /* in reverse order: a device may occur twice */
        struct nf_cl_target *target = nf_cl_program_target(program, part->devices[i]);
        nf_cl_lock_acquire(program->lock);
        free(taken ? before[i].options : target->options);
        if (!taken) { /* all members but the device and its group, which other threads read without the lock */
            target->attempted = before[i].attempted;
            target->failed = before[i].failed;
            target->deferred = before[i].deferred;
            target->kind = before[i].kind;
            target->options = before[i].options;
        }
        nf_cl_lock_release(program->lock);
    }
    free(before);
}

static void note_attempt(struct nf_cl_program *program, const struct part *part, bool failed, bool deferred)
{
    end_attempt(program, part, begin_attempt(program, part, failed, deferred), true);
}

void nf_cl_note_built(struct nf_cl_program *program, const char *options)
{
    const struct nf_cl_call call = {.options = options};
    const struct part part = {&program->groups[0], &program->targets[0].device, 1, &call};
    note_attempt(program, &part, false, false);
}

/* Loads the binary of an earlier build from the cache. @return NF_CL_TAKEN also if kernels exist, with `*error` set;
 * NF_CL_KNOWN_TO_FAIL if an entry states that the build fails. */
static enum nf_cl_taken take_binary(struct nf_cl_program *program, const struct part *part, struct nf_cl_binary *binary,
                                    cl_int *error)
{
    struct nf_cl_group *group = part->group;
    if (nf_cl_group_state(group) == NF_CL_BUILT)
        return NF_CL_NOT_KNOWN; /* this program was built before, so a new build is requested */
    if (group->driver_program && nf_cl_program_kernels(program) > 0) {
        *error = CL_INVALID_OPERATION;
        return NF_CL_TAKEN;
    }
    char *options = nf_cl_driver_options(program, group, part->call->options);
    enum nf_cl_taken taken = options ? nf_cl_binary_take(binary, program, group, options) : NF_CL_NOT_KNOWN;
    free(options);
    if (taken == NF_CL_TAKEN)
        note_attempt(program, part, false, false);
    else if (nf_cl_group_state(group) != NF_CL_CREATED)
        nf_cl_deliver_none(program, group);
    return taken;
}

/* Defers a compilation to the link: drivers do not compile bitcode, and the layer writes OpenCL C from whole modules
 * only, so it links the modules and builds the result. */
static cl_int compile_later(struct build *build, const struct part *part)
{
    if (nf_cl_program_kernels(build->program) > 0) return CL_INVALID_OPERATION;
    note_attempt(build->program, part, false, true);
    atomic_fetch_add(&build->completed, 1);
    return CL_SUCCESS;
}

/* Builds a specialized module for which there is a fallback. Takes ownership of `binary`. Sets `*falls_back` if the
 * build failed, so that the original module has to be built. */
static cl_int build_tried(struct build *build, const struct part *part, struct nf_cl_binary *binary, bool *falls_back)
{
    struct nf_cl_failure failure;
    nf_cl_globals_reset(build->program, part->group->driver_program);
    cl_int error =
        nf_cl_timed_build(part->group->driver_program, part->count, part->devices, part->call->options, &failure);
    nf_cl_binary_unmark(binary);
    *falls_back = failure.why != NULL;
    if (error == CL_SUCCESS) atomic_fetch_add(&build->completed, 1);
    if (*falls_back) {
        nf_cl_binary_store_failure(binary, &failure);
        nf_cl_fall_back(build->program, part->group, NF_CL_WARNING, &failure);
    } else if (binary && error == CL_SUCCESS) {
        nf_cl_binary_store_later(binary);
    } else {
        nf_cl_binary_free(binary);
    }
    return error;
}

/* Returns true unless the driver rejected the call itself. */
static bool is_call_accepted(cl_int error)
{
    return error == CL_SUCCESS || error == CL_BUILD_PROGRAM_FAILURE || error == CL_COMPILE_PROGRAM_FAILURE;
}

/* Builds the driver program of the device group, or, if that fails and there is a fallback, the original module. Takes
 * ownership of `binary`. */
static cl_int build_delivered(struct build *build, const struct part *part, struct nf_cl_binary *binary)
{
    bool tried = part->group->changed && !part->call->compile && nf_cl_has_fallback(part->group);
    bool falls_back = false;
    struct nf_cl_target *before = begin_attempt(build->program, part, false, false);
    nf_cl_lock_acquire(build->program->lock);
    part->group->builds++;
    nf_cl_lock_release(build->program->lock);
    if (tried)
        nf_cl_binary_mark(binary, NF_CL_BUILDS);
    else
        nf_cl_binary_unmark(binary); /* the driver builds the original module, so no mark is needed */
    if (binary) nf_cl_binary_begin(binary, build->program, part->group);
    cl_int error = tried ? build_tried(build, part, binary, &falls_back) : build_ready(build, part, binary);
    end_attempt(build->program, part, before, is_call_accepted(error) && !falls_back);
    nf_cl_stats_build();
    if (error == CL_BUILD_PROGRAM_FAILURE && !falls_back) nf_cl_report_unlisted(build->program, part->group);
    return falls_back ? build_part(build, part) : error;
}

/* Ends the build of a device group whose module was refused. A compilation succeeds nevertheless, because the linked
 * module may be accepted. */
static cl_int end_refused(struct build *build, const struct part *part)
{
    note_attempt(build->program, part, !part->call->compile, part->call->compile);
    atomic_fetch_add(&build->completed, 1);
    return part->call->compile ? CL_SUCCESS : CL_BUILD_PROGRAM_FAILURE;
}

static cl_int end_failed(struct build *build, const struct part *part)
{
    note_attempt(build->program, part, true, false);
    atomic_fetch_add(&build->completed, 1);
    return part->call->compile ? CL_COMPILE_PROGRAM_FAILURE : CL_BUILD_PROGRAM_FAILURE;
}

/* Ends the build of a module that is malformed once its spec values are set, or once it is linked. */
static cl_int end_malformed(struct build *build, const struct part *part)
{
    nf_cl_log(NF_CL_ERROR, "%s", part->group->report ? part->group->report : "malformed SPIR-V");
    return end_failed(build, part);
}

/* Returns true if nonflat-cl refused the source, so that there is no module, and the driver must not be called. */
static bool is_refused_source(const struct nf_cl_program *program)
{
    return program->from_source && !program->kept && program->module.size == 0;
}

/* Loads the binary `built` of a trial that has just succeeded. @return false if it is empty, or the driver does not
 * load it. */
static bool load_tried(struct build *build, const struct part *part, const struct nf_cl_binary *binary,
                       const struct nf_cl_bytes *built)
{
    struct nf_cl_program *program = build->program;
    char *options = built->size ? nf_cl_driver_options(program, part->group, part->call->options) : NULL;
    bool loaded = options && nf_cl_binary_take_tried(binary, program, part->group, options, built);
    free(options);
    if (!loaded) return false;
    note_attempt(program, part, false, false);
    atomic_fetch_add(&build->completed, 1);
    return true;
}

/* Builds the driver program of the device group, or loads what a trial has built. If the build would end the process,
 * the group falls back to the original module, or the build fails. Takes ownership of `binary`. */
static cl_int build_guarded(struct build *build, const struct part *part, struct nf_cl_binary *binary)
{
    struct nf_cl_program *program = build->program;
    struct nf_cl_failure failure;
    struct nf_cl_bytes built;
    bool crashes =
        nf_cl_build_would_crash(program, part->group, part->call, nf_cl_binary_needs_trial(binary), &failure, &built);
    bool loaded = !crashes && load_tried(build, part, binary, &built);
    free(built.data);
    if (loaded) {
        nf_cl_binary_free(binary);
        return CL_SUCCESS;
    }
    if (!crashes) return build_delivered(build, part, binary);
    if (part->group->changed && !part->call->compile && nf_cl_has_fallback(part->group)) {
        nf_cl_binary_store_failure(binary, &failure);
        nf_cl_fall_back(program, part->group, NF_CL_WARNING, &failure);
        return build_part(build, part);
    }
    nf_cl_binary_free(binary);
    nf_cl_deliver_refusal(program, part->group, failure.why);
    return end_failed(build, part);
}

/* Builds the application's source program with the driver's compiler. */
static cl_int build_source(struct build *build, const struct part *part)
{
    if (!part->group->driver_program) return end_failed(build, part);
    struct nf_cl_target *before = begin_attempt(build->program, part, false, false);
    cl_int error = build_ready(build, part, NULL);
    end_attempt(build->program, part, before, is_call_accepted(error));
    return error;
}

static cl_int build_part(struct build *build, const struct part *part)
{
    struct nf_cl_program *program = build->program;
    cl_int error = CL_SUCCESS;
    if (part->group->by_driver) return build_source(build, part);
    if (is_refused_source(program)) return end_failed(build, part);
    if (part->call->compile && !nf_cl_takes_il(part->group->delivery)) return compile_later(build, part);
    struct nf_cl_binary *binary =
        part->call->compile ? NULL : nf_cl_binary_query(program, part->group, part->call->options);
    enum nf_cl_taken taken = binary ? take_binary(program, part, binary, &error) : NF_CL_NOT_KNOWN;
    if (taken != NF_CL_NOT_KNOWN) nf_cl_binary_free(binary);
    if (taken == NF_CL_KNOWN_TO_FAIL) return build_part(build, part); /* now with the original module */
    if (taken == NF_CL_TAKEN) {
        atomic_fetch_add(&build->completed, error == CL_SUCCESS);
        return error;
    }
    bool own = part->group->fallback.why;
    nf_cl_binary_mark(binary, NF_CL_MAKES);
    enum nf_cl_delivered delivered = nf_cl_deliver(program, part->group, part->call->compile, &error);
    if (binary && !own && part->group->fallback.why) { /* `binary` is the query for the specialized module */
        nf_cl_binary_store_failure(binary, &part->group->fallback);
        binary = nf_cl_binary_query(program, part->group, part->call->options);
    }
    if (delivered == NF_CL_READY) return build_guarded(build, part, binary);
    nf_cl_binary_free(binary);
    if (delivered == NF_CL_REFUSED) return end_refused(build, part);
    return delivered == NF_CL_MALFORMED ? end_malformed(build, part) : error;
}

/* ---- the whole build ---- */

/* Validates the arguments of a call, and with several groups that no kernels exist, because each driver program counts
 * its own kernels only. With one group, the driver checks that. */
static cl_int check(struct nf_cl_program *program, const struct nf_cl_call *call)
{
    if ((call->device_count == 0) != (call->devices == NULL) || (!call->notify && call->user)) return CL_INVALID_VALUE;
    for (cl_uint i = 0; i < call->device_count; i++)
        if (!nf_cl_program_target(program, call->devices[i])) return CL_INVALID_DEVICE;
    if (program->group_count > 1 && nf_cl_program_kernels(program) > 0) return CL_INVALID_OPERATION;
    return CL_SUCCESS;
}

/* Collects the devices of the call that belong to group `index`, in the call's order; without a list, all devices of
 * the group. */
static cl_uint choose(const struct nf_cl_program *program, int index, cl_uint count, const cl_device_id *devices,
                      cl_device_id *chosen)
{
    cl_uint found = 0;
    for (cl_uint i = 0; i < (devices ? count : program->device_count); i++) {
        const struct nf_cl_target *target = devices ? nf_cl_program_target(program, devices[i]) : &program->targets[i];
        if (target->group == index) chosen[found++] = devices ? devices[i] : target->device;
    }
    return found;
}

static cl_int build_parts(struct build *build, const struct nf_cl_call *call)
{
    struct nf_cl_program *program = build->program;
    const cl_device_id *devices = call->devices;
    cl_uint count = call->device_count;
    cl_device_id *chosen = calloc(program->device_count + count + 1, sizeof *chosen);
    cl_int result = CL_SUCCESS;
    if (!chosen) return CL_OUT_OF_HOST_MEMORY;
    if (choose(program, -1, count, devices, chosen) > 0)
        result = CL_INVALID_OPERATION; /* a device that accepts no form of the module, or has no group */
    for (cl_uint i = 0; i < program->group_count; i++) {
        struct part part = {&program->groups[i], chosen, 0, call};
        part.count = choose(program, (int)i, count, devices, chosen);
        cl_int error = part.count ? build_part(build, &part) : CL_SUCCESS;
        result = result == CL_SUCCESS ? error : result;
    }
    free(chosen);
    return result;
}

static bool begin(struct nf_cl_program *program)
{
    nf_cl_lock_acquire(program->lock);
    bool free_to_go = !program->building;
    program->building = true;
    nf_cl_lock_release(program->lock);
    return free_to_go;
}

cl_int nf_cl_build(struct nf_cl_program *program, const struct nf_cl_call *call)
{
    NF_CL_UNCANCELED;
    cl_int error = check(program, call);
    if (error == CL_SUCCESS && call->compile && program->linked)
        error = CL_INVALID_OPERATION; /* a linked program has no IL to compile */
    if (error != CL_SUCCESS) return error;
    struct build *build = calloc(1, sizeof *build);
    if (!build) return CL_OUT_OF_HOST_MEMORY;
    if (!begin(program)) {
        free(build);
        return CL_INVALID_OPERATION;
    }
    nf_cl_program_pin(program);
    build->program = program;
    build->notify = call->notify;
    build->user = call->user;
    atomic_init(&build->open, 1);
    error = build_parts(build, call);
    if (!is_call_accepted(error)) build->notify = NULL; /* no thread reads it before end_part() below */
    end_part(build);
    return error;
}
