/* SPDX-License-Identifier: Apache-2.0 */
/*
 * compile.c - programs created from source, on devices whose compilers lack generic pointers. The application's handle
 * remains the driver's source program. If the source uses generic pointers, nonflat-cl compiles it to a module, and a
 * record of the same handle treats the module like IL. The driver builds other source, with the exceptions below.
 *
 * Each build decides again whether the driver or the layer compiles the source:
 *     - no language version with generic pointers is selected: the driver; the source is not read
 *     - the driver's compiler has no generic pointers: the driver if it accepts the source, else the layer
 *     - the driver's compiler accepts generic pointers that the device lacks: the layer if the source uses any
 *     - the source tests for the feature by name: the layer, because the macro told the source that the device has it
 *     - the source writes program-scope variables that the device lacks and the layer supplies: the layer
 *     - the source rejects, by `#error`, a feature that the layer supplies: the layer, and the build fails
 *     - the source is C++ for OpenCL, which the driver's compiler lacks: the layer, even if the source is invalid
 *     - the source is invalid, and the driver's log also reports errors about unnamed pointers: the layer
 *     - the source uses pipes or device-side enqueue, which only a driver can implement: the driver
 *     - nonflat-cl cannot compile it, or the layer cannot build it although it has no generic pointers: the driver, so
 *       that error codes and messages are the driver's; the layer's reason precedes them in the build log
 */
#include "layer/program/program.h"

#include <stdlib.h>
#include <string.h>

static bool is_refused_option(cl_int error)
{
    return error == CL_INVALID_BUILD_OPTIONS || error == CL_INVALID_COMPILER_OPTIONS;
}

/* Returns true if the driver read the source and refused it. A language version that the compiler does not support is
 * an invalid option. */
static bool is_refusal(cl_int error)
{
    return error == CL_BUILD_PROGRAM_FAILURE || error == CL_COMPILE_PROGRAM_FAILURE || is_refused_option(error);
}

/* ---- choice between the driver's compiler and nonflat-cl ---- */

/* Whether nonflat-cl compiled the source, and which features the source uses that the device lacks. */
struct findings {
    bool compiled;
    bool generic;   /* generic pointers */
    bool variables; /* program-scope variables; the driver would accept the source and give each kernel its own copy */
};

/* Returns true if the layer must supply the module's program-scope variables: because the module may write one or
 * expose its address; in a compiled part, because it has one that kernels may write, since other parts may write it. */
static bool has_variables(const struct nf_cl_bytes *module, bool part)
{
    return part ? nf_cl_has_variables(module) : nf_cl_writes_variables(module);
}

static struct findings compile(const struct nf_cl_source_program *origin, bool part, struct nf_cl_compiled *compiled)
{
    nf_summary summary;
    struct findings found = {.compiled = nf_cl_compile(&origin->source, compiled)};
    if (!found.compiled) {
        nf_cl_log(NF_CL_INFO, "source with options '%s' is left to the driver: %s", origin->source.options,
                  compiled->log ? compiled->log : "out of memory");
        return found;
    }
    found.generic =
        nf_summarize(compiled->module.data, compiled->module.size, &summary) == NF_OK && summary.uses_generic;
    found.variables = nf_cl_source_program_lacks_variables(origin) && has_variables(&compiled->module, part);
    return found;
}

/* Compiles the source with the facts that the driver's compiler shows; the result is not `compiled` if that fails. The
 * driver's compiler is not queried if the result cannot depend on its answer: a query is a build, and some compilers
 * have state, so that their next build would give other bytes. */
static struct findings examine(struct nf_cl_source_program *origin, bool part, struct nf_cl_compiled *compiled)
{
    const struct findings none = {.compiled = false};
    bool other = false, known = nf_cl_source_program_is_probed(origin);
    if (known && !nf_cl_source_program_probe(origin, &other)) return none;
    struct findings found = compile(origin, part, compiled);
    bool needless = found.compiled && !found.generic && !found.variables &&
                    !nf_cl_source_program_tests_features(origin) && !nf_cl_language_is_cxx(origin->source.options);
    if (known || needless) return found;
    if (!nf_cl_source_program_probe(origin, &other)) return none;
    if (!other) return found;
    nf_cl_compiled_free(compiled);
    return compile(origin, part, compiled);
}

static void say(const struct nf_cl_source_program *origin, const struct findings *found, bool by_layer)
{
    if (found->compiled)
        nf_cl_log(NF_CL_INFO, "source with options '%s' has %sgeneric pointers%s%s", origin->source.options,
                  found->generic ? "" : "no ", found->variables ? " and program-scope variables" : "",
                  by_layer ? ": compiled by nonflat-cl" : "");
}

static void dump(const struct nf_cl_source_program *origin, const struct nf_cl_compiled *compiled)
{
    char *stem = nf_cl_dump_begin();
    if (!stem) return;
    nf_cl_dump_file(stem, ".cl", origin->source.text, strlen(origin->source.text));
    nf_cl_dump_file(stem, ".options", origin->source.options, strlen(origin->source.options));
    if (compiled->log) nf_cl_dump_file(stem, ".cl.log", compiled->log, strlen(compiled->log));
    if (compiled->module.size) nf_cl_dump_file(stem, ".cl.spv", compiled->module.data, compiled->module.size);
    free(stem);
}

/* Ends a build that was made without the application's callback: calls the callback unless the call was rejected.
 * Returns `error`, the result of the build. */
static cl_int answered(cl_program handle, const struct nf_cl_call *call, cl_int error)
{
    bool done = error == CL_SUCCESS || error == CL_BUILD_PROGRAM_FAILURE || error == CL_COMPILE_PROGRAM_FAILURE;
    nf_cl_registry_end_building(handle);
    if (done && call->notify) call->notify(handle, call->user);
    return error;
}

/* Calls the driver without the application's callback, because the decision is still open. */
static cl_int try_driver(struct nf_cl_source_program *origin, const struct nf_cl_call *call)
{
    cl_int error = nf_cl_call_driver(origin->handle, call, NULL, NULL);
    if (call->compile && error == CL_SUCCESS) nf_cl_headers_store(origin);
    return error;
}

static cl_int build_by_driver(struct nf_cl_source_program *origin, const struct nf_cl_call *call)
{
    nf_cl_registry_end_building(origin->handle);
    cl_int error = nf_cl_call_driver(origin->handle, call, call->notify, call->user);
    if (call->compile && error == CL_SUCCESS) nf_cl_headers_store(origin);
    return error;
}

/* Returns the first device for which the layer's build failed, or NULL if only builds by drivers failed. */
static cl_device_id failed_device(struct nf_cl_program *program, const struct nf_cl_source_program *origin)
{
    for (cl_uint i = 0; i < origin->device_count; i++) {
        cl_build_status status = CL_BUILD_NONE;
        if (origin->by_driver[i]) continue;
        nf_cl_build_info(program, origin->devices[i], CL_PROGRAM_BUILD_STATUS, sizeof status, &status, NULL);
        if (status == CL_BUILD_ERROR) return origin->devices[i];
    }
    return NULL;
}

/* Returns the reason why the layer's build failed, with its log, malloc'ed; NULL if only builds by drivers failed. */
static char *failure_of(struct nf_cl_program *program, const struct nf_cl_source_program *origin)
{
    static const char failed[] = "the module that nonflat-cl made of this source could not be built: ";
    size_t size = 0, head = sizeof failed - 1;
    cl_device_id device = failed_device(program, origin);
    if (!device || nf_cl_build_info(program, device, CL_PROGRAM_BUILD_LOG, 0, NULL, &size) != CL_SUCCESS || size < 2)
        return NULL;
    char *text = calloc(1, head + size + 1);
    if (!text) return NULL;
    memcpy(text, failed, head);
    nf_cl_build_info(program, device, CL_PROGRAM_BUILD_LOG, size, text + head, NULL);
    return text;
}

/* Builds the program with the layer. `accepted`: the driver accepts the source as well, possibly with another meaning;
 * if the layer's build fails, the driver builds it. */
static cl_int build_by_layer(struct nf_cl_source_program *origin, struct nf_cl_compiled *compiled,
                             const struct nf_cl_call *call, bool accepted)
{
    cl_int error;
    struct nf_cl_program *program = nf_cl_program_from_source(origin, compiled, &error);
    if (!program) return error;
    nf_cl_program_pin(program);
    struct nf_cl_call quiet = *call;
    quiet.notify = NULL;
    quiet.user = NULL;
    error = nf_cl_build(program, accepted ? &quiet : call);
    bool by_driver = accepted && is_refusal(error);
    if (by_driver) nf_cl_reason_keep(origin->handle, failure_of(program, origin));
    if (by_driver) nf_cl_registry_drop(program, NULL);
    nf_cl_program_unpin(program);
    if (by_driver) return build_by_driver(origin, call);
    return accepted ? answered(origin->handle, call, error) : error;
}

/* Returns true if the messages of nonflat-cl show a line with #error, which may contain blanks. */
static bool shows_error(const char *log)
{
    for (const char *at = log; (at = strchr(at, '#')); at++)
        if (strncmp(at + 1 + strspn(at + 1, " \t"), "error", 5) == 0) return true;
    return false;
}

/* Returns true if the source rejects, by #error, a supplied feature: it compiles if the feature is absent. */
static bool refuses_feature(const struct nf_cl_source_program *origin, const struct nf_cl_compiled *compiled)
{
    static char none[] = "";
    struct nf_cl_compiled other = {.log = NULL};
    if (!compiled->log || !shows_error(compiled->log) || !nf_cl_source_program_tests_features(origin)) return false;
    struct nf_cl_source_program plain = *origin;
    struct nf_cl_facts facts = *origin->source.facts;
    facts.supplied = none;
    plain.source.facts = &facts;
    bool refuses = nf_cl_compile(&plain.source, &other);
    nf_cl_compiled_free(&other);
    return refuses;
}

/* The decision about the source for the devices that have the facts in `origin->source.facts`. */
struct verdict {
    struct findings found;
    bool certain; /* the layer builds it even if the driver's compiler accepts it */
    bool by_layer;
    bool refused; /* there is no module, and the log gives the reason */
    char *reason; /* why the layer leaves the source to the driver; malloc'ed */
};

/* Returns true if nonflat-cl reports errors in source in C++ for OpenCL, which the driver's compiler lacks. */
static bool is_wrong_cxx(const struct nf_cl_source_program *origin, const struct nf_cl_compiled *compiled)
{
    return compiled->log && strstr(compiled->log, " error: ") && nf_cl_source_program_is_unknown_cxx(origin);
}

/* Returns true if the source uses pipes or queues, which the device lacks. clang represents both with generic pointers;
 * a driver's compiler without generic pointers gives the better message. */
static bool uses_pipes_or_queues(const struct nf_cl_source_program *origin, const struct nf_cl_compiled *compiled)
{
    return origin->named_only && !nf_cl_source_program_is_unknown_cxx(origin) &&
           nf_cl_uses_pipes_or_enqueue(&compiled->module);
}

static struct verdict evaluate(struct nf_cl_source_program *origin, bool part, struct nf_cl_compiled *compiled)
{
    struct verdict verdict = {.found = examine(origin, part, compiled)};
    if (verdict.found.compiled && uses_pipes_or_queues(origin, compiled)) {
        nf_cl_log(NF_CL_INFO, "source with options '%s' is left to the driver: it has pipes or queues",
                  origin->source.options);
        verdict.found = (struct findings){.compiled = false};
        verdict.reason = nf_cl_format("it has pipes or queues, which the device does not have");
    } else if (!verdict.found.compiled) {
        verdict.reason = nf_cl_reason_of(compiled->log);
    }
    const struct findings *found = &verdict.found;
    verdict.certain = found->compiled && (nf_cl_source_program_tests_features(origin) || found->variables);
    verdict.refused = !found->compiled && (refuses_feature(origin, compiled) || is_wrong_cxx(origin, compiled));
    verdict.by_layer = verdict.certain || found->generic || verdict.refused ||
                       (found->compiled && nf_cl_source_program_is_unknown_cxx(origin));
    return verdict;
}

/* Returns true if the driver's log for a device reports a change of address space. */
static bool reports_space_change(cl_program handle, cl_device_id device)
{
    char *log = nf_cl_driver_log(handle, device);
    bool blames = log && strstr(log, "changes address space");
    free(log);
    return blames;
}

/* Returns true if the driver's messages about invalid source are misleading: its compiler lacks generic pointers, which
 * the layer adds to the device, so it also reports them as errors. The actual errors are in the log of nonflat-cl. */
static bool is_log_misleading(const struct nf_cl_source_program *origin, const struct nf_cl_compiled *compiled)
{
    return compiled->log && strstr(compiled->log, " error: ") && !strstr(compiled->log, "changes address space") &&
           reports_space_change(origin->handle, origin->devices[0]);
}

/* Builds invalid source for one device. With several devices, each has its own driver log. */
static cl_int build_wrong(struct nf_cl_source_program *origin, struct nf_cl_compiled *compiled,
                          const struct nf_cl_call *call)
{
    cl_int error = try_driver(origin, call);
    bool refused = error == CL_BUILD_PROGRAM_FAILURE || error == CL_COMPILE_PROGRAM_FAILURE;
    if (!refused || !is_log_misleading(origin, compiled)) return answered(origin->handle, call, error);
    origin->by_driver[0] = false;
    return build_by_layer(origin, compiled, call, false);
}

static bool same_module(const struct nf_cl_compiled *a, const struct nf_cl_compiled *b)
{
    return a->module.size == b->module.size && a->module.size > 0 &&
           memcmp(a->module.data, b->module.data, a->module.size) == 0;
}

/* Leaves each device whose facts differ to its driver, unless the source compiles to the same module with these
 * facts. */
static void leave_differing_devices(struct nf_cl_source_program *origin, const struct nf_cl_compiled *compiled)
{
    for (cl_uint i = 0; i < origin->device_count; i++) {
        struct nf_cl_compiled other = {.log = NULL};
        struct nf_cl_source source = origin->source;
        if (origin->by_driver[i]) continue;
        source.facts = nf_cl_source_program_facts(origin, i);
        if (nf_cl_facts_same(source.facts, origin->source.facts)) continue;
        origin->by_driver[i] = !nf_cl_compile(&source, &other) || !same_module(compiled, &other);
        nf_cl_compiled_free(&other);
        if (origin->by_driver[i])
            nf_cl_log(NF_CL_INFO,
                      "source with options '%s' gives another module for device %u and is left to the driver there",
                      origin->source.options, i);
    }
}

/* Decides the build. One module serves all devices for which the layer builds: the first such device in the list, and
 * those with the same facts, or with facts for which the source compiles to the same module. */
static struct verdict choose(struct nf_cl_source_program *origin, bool part, struct nf_cl_compiled *compiled)
{
    struct verdict verdict = evaluate(origin, part, compiled);
    while (!verdict.by_layer && nf_cl_source_program_next_facts(origin)) {
        nf_cl_compiled_free(compiled);
        free(verdict.reason);
        verdict = evaluate(origin, part, compiled);
    }
    if (verdict.by_layer) leave_differing_devices(origin, compiled);
    return verdict;
}

static cl_int build_origin(struct nf_cl_source_program *origin, const struct nf_cl_call *call)
{
    struct nf_cl_compiled compiled = {.log = NULL};
    struct verdict verdict = choose(origin, call->compile, &compiled);
    const struct findings *found = &verdict.found;
    bool tried = found->compiled && verdict.by_layer && !verdict.certain && compiled.passes && origin->named_only;
    cl_int error = tried ? try_driver(origin, call) : CL_SUCCESS;
    bool taken = tried && !is_refusal(error);
    say(origin, found, verdict.by_layer && !taken);
    dump(origin, &compiled);
    nf_cl_reason_keep(origin->handle, verdict.reason);
    if (taken)
        error = answered(origin->handle, call, error);
    else if (verdict.by_layer)
        error = build_by_layer(origin, &compiled, call, !found->generic && !verdict.refused);
    else if (!found->compiled && origin->named_only && origin->device_count == 1)
        error = build_wrong(origin, &compiled, call);
    else
        error = build_by_driver(origin, call);
    if (is_refused_option(error)) nf_cl_reason_keep(origin->handle, NULL); /* the driver reports the same error */
    nf_cl_compiled_free(&compiled);
    return error;
}

/* ---- clBuildProgram and clCompileProgram ---- */

static bool is_well_formed(const struct nf_cl_call *call)
{
    bool headers = call->header_count ? call->headers && call->names : !call->headers && !call->names;
    return (call->device_count == 0) == (call->devices == NULL) && (call->notify || !call->user) && headers;
}

/* Stores the headers of a program that the driver compiled and the layer did not read: a later link with a program of
 * the layer needs them. */
static void note_headers(cl_program handle, const struct nf_cl_call *call)
{
    struct nf_cl_source_program origin;
    if (nf_cl_source_program_find(handle, "", 0, NULL, &origin) &&
        nf_cl_source_program_add_headers(&origin, call->header_count, call->headers, call->names))
        nf_cl_headers_store(&origin);
    nf_cl_source_program_free(&origin);
}

static bool is_building(struct nf_cl_program *program)
{
    nf_cl_lock_acquire(program->lock);
    bool building = program->building;
    nf_cl_lock_release(program->lock);
    return building;
}

/* Builds a program that has no record. `held`: the references counted by its previous record, or NULL if it had
 * none. */
static cl_int build_without_record(cl_program handle, const struct nf_cl_call *call,
                                   const struct nf_cl_dropped_references *held)
{
    struct nf_cl_source_program origin = {.handle = handle};
    cl_int error;
    nf_cl_reason_keep(handle, NULL);
    if (!call->compile && is_well_formed(call) && nf_cl_cached_source_build(handle, call, held, &error)) return error;
    bool looked = is_well_formed(call) && nf_cl_options_may_be_generic(call->options) &&
                  nf_cl_source_program_find(handle, call->options, call->device_count, call->devices, &origin) &&
                  nf_cl_source_program_add_headers(&origin, call->header_count, call->headers, call->names);
    if (looked) {
        if (held) origin.references = nf_cl_registry_references(held, origin.watch);
        error = build_origin(&origin, call);
    } else {
        nf_cl_registry_end_building(handle);
        error = nf_cl_call_driver(handle, call, call->notify, call->user);
        if (call->header_count && error == CL_SUCCESS) note_headers(handle, call);
    }
    nf_cl_source_program_free(&origin);
    return error;
}

cl_int nf_cl_source_build(cl_program handle, struct nf_cl_program *record, const struct nf_cl_call *call)
{
    NF_CL_UNCANCELED;
    if (record && !is_well_formed(call)) return CL_INVALID_VALUE;
    if (record && (nf_cl_program_kernels(record) > 0 || is_building(record))) return CL_INVALID_OPERATION;
    if (!record && nf_cl_registry_is_building(handle)) return CL_INVALID_OPERATION;
    struct nf_cl_dropped_references held = {0, record ? nf_cl_registry_watch(handle) : NULL};
    bool first = !record || nf_cl_registry_drop(record, &held); /* this build selects a compiler anew */
    cl_int error = first ? build_without_record(handle, call, record ? &held : NULL) : CL_INVALID_OPERATION;
    nf_cl_registry_unwatch(held.since);
    return error;
}
