/* SPDX-License-Identifier: Apache-2.0 */
/*
 * assess.c - assesses one module: how many of its accesses are generic, how the core specializes it, and whether a
 * device accepts the result.
 *
 * The core decides which missing features matter, not the declarations in the module: a capability that is only a hint
 * is declared, but the core drops it. So each feature that the device lacks is removed from an otherwise sufficient
 * profile; if the core then refuses the module, the module needs that feature. Only the first 64 capabilities and the
 * first 64 extensions that a module declares are considered.
 */
#define _XOPEN_SOURCE 700

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "spirv/spirv.h"
#include "tools/scan/scan.h"

enum { MOST_FEATURES = 64 };

static void add_reason(struct nf_assessment *a, const char *format, const char *what)
{
    size_t before = a->reasons ? strlen(a->reasons) : 0, size = before + strlen(format) + strlen(what) + 2;
    char *longer = realloc(a->reasons, size);
    if (!longer) return;
    a->reasons = longer;
    snprintf(longer + before, size - before, format, what);
    strcat(longer, "\n");
}

/* Adds the first error in the core's log as a reason, after the short `prefix`, and without its word offset and ids,
 * which differ between modules. */
static void add_log_reason(struct nf_assessment *a, const char *prefix, const char *log)
{
    char line[256];
    size_t length = strlen(prefix);
    memcpy(line, prefix, length);
    const char *error = strstr(log, "error: "), *at = error ? error + 7 : log;
    if (strncmp(at, "word ", 5) == 0) {
        at += 5 + strspn(at + 5, "0123456789");
        at += strspn(at, ",: ");
    }
    for (; *at && *at != '\n' && length + 1 < sizeof line; at++) {
        size_t digits = *at == '%' ? strspn(at + 1, "0123456789") : 0;
        if (digits) at += digits + (at[digits + 1] == ' '); /* skips the id and the blank after it */
        if (!digits) line[length++] = *at;
    }
    line[length] = '\0';
    add_reason(a, "%s", length ? line : "refused");
}

/* ---- Ambiguities ---- */

/* Appends the origin of a chain to `group`: "private: OpVariable %15 (x) in f, then OpSelect %19" becomes "private from
 * OpVariable". */
static void add_origin(char *group, size_t size, const char *because)
{
    size_t space = strcspn(because, ":"), used = strlen(group);
    const char *origin = because + space + (because[space] ? 1 : 0);
    origin += strspn(origin, " ");
    if (strncmp(origin, "from ", 5) == 0) origin += 5;
    const char *end = strstr(origin, ", then ");
    size_t length = end ? (size_t)(end - origin) : strlen(origin);
    for (size_t i = 0; i < length; i++)
        if (origin[i] == '%' || strncmp(origin + i, " in ", 4) == 0 || strncmp(origin + i, " at ", 4) == 0) length = i;
    while (length && origin[length - 1] == ' ')
        length--;
    snprintf(group + used, size - used, "%s%.*s from %.*s", used ? ", " : "", (int)space, because, (int)length, origin);
}

static char *instruction_text(const nf_ambiguous_access *access)
{
    char text[96];
    snprintf(text, sizeof text, "%s %%%u (word %u)", access->opcode_name, access->pointer, access->word);
    return strdup(text);
}

static void free_ambiguity(struct nf_ambiguity *ambiguity)
{
    free(ambiguity->group);
    free(ambiguity->kernel);
    free(ambiguity->function);
    free(ambiguity->instruction);
    free(ambiguity->source);
    free(ambiguity->because);
}

/* Returns true if `*kept` is a copy of the ambiguity; false if memory is exhausted. */
static bool keep_ambiguity(const nf_ambiguous_access *access, struct nf_ambiguity *kept)
{
    char group[512] = "", because[4096] = "";
    for (int i = 0; i < 5; i++) {
        size_t used = strlen(because);
        if (!access->because[i]) continue;
        add_origin(group, sizeof group, access->because[i]);
        snprintf(because + used, sizeof because - used, "%s\n", access->because[i]);
    }
    *kept = (struct nf_ambiguity){strdup(group),
                                  strdup(access->kernel_name),
                                  strdup(access->function_name),
                                  instruction_text(access),
                                  strdup(access->source),
                                  strdup(because)};
    bool complete = kept->group && kept->kernel && kept->function && kept->instruction && kept->source && kept->because;
    if (!complete) free_ambiguity(kept);
    return complete;
}

/* Copies the ambiguities from the result, which is freed before the ambiguities are printed; keeps as many as
 * there is memory for. */
static void keep_ambiguities(struct nf_assessment *a, const nf_result *result)
{
    size_t count = 0;
    const nf_ambiguous_access *accesses = nf_result_ambiguities(result, &count);
    a->ambiguities = count ? calloc(count, sizeof *a->ambiguities) : NULL;
    while (a->ambiguities && a->ambiguity_count < count &&
           keep_ambiguity(&accesses[a->ambiguity_count], &a->ambiguities[a->ambiguity_count]))
        a->ambiguity_count++;
}

/* ---- Kernels ---- */

static bool mentions_generic(const struct nf_view *input, uint32_t kernel, uint8_t *mark)
{
    if (nf_view_reach(input, kernel, mark) < 0) return true;
    for (uint32_t i = 0; i < input->function_count; i++)
        if (mark[i] && input->functions[i].mentions_generic) return true;
    return false;
}

/* Returns true if every access is static or dead in instance `from` and in all instances that it calls, directly or
 * through others. `queue` and `is_queued` have room for all instances. */
static bool is_static_from(const nf_result *result, size_t from, size_t *queue, uint8_t *is_queued)
{
    size_t head = 0, tail = 0, count = 0;
    memset(is_queued, 0, nf_result_instance_count(result));
    is_queued[from] = 1;
    queue[tail++] = from;
    while (head < tail) {
        size_t index = queue[head++];
        const nf_access_info *accesses = nf_result_accesses(result, index, &count);
        for (size_t i = 0; i < count; i++)
            if (accesses[i].verdict > NF_VERDICT_STATIC) return false;
        const nf_call_info *calls = nf_result_calls(result, index, &count);
        for (size_t i = 0; i < count; i++) {
            if (is_queued[calls[i].instance]) continue;
            is_queued[calls[i].instance] = 1;
            queue[tail++] = calls[i].instance;
        }
    }
    return true;
}

static void count_static_instances(struct nf_assessment *a, const struct nf_view *input, const uint8_t *generic,
                                   const nf_result *result)
{
    size_t count = nf_result_instance_count(result), *queue = malloc((count + 1) * sizeof *queue);
    uint8_t *is_queued = malloc(count + 1);
    for (size_t i = 0; queue && is_queued && i < count; i++) {
        const nf_instance_info *instance = nf_result_instance(result, i);
        uint32_t index = instance->function < input->bound ? input->function_index[instance->function] : 0;
        if (!index || !generic[index - 1] || instance->caller != i) continue;
        a->static_kernels += (uint32_t)is_static_from(result, i, queue, is_queued);
    }
    free(queue);
    free(is_queued);
}

/* Counts the generic kernels in which nothing is decided at run time. A module with several generic kernels, some of
 * which are not static, is specialized again, with the inference as part of the result; if that fails, none of them
 * counts. */
static void count_static(struct nf_assessment *a, const unsigned char *bytes, size_t size, const struct nf_view *input,
                         const uint8_t *generic)
{
    uint32_t open = a->counts.predicated + a->counts.dispatched + a->counts.unknown;
    if (a->status != NF_OK || (open && a->generic_kernels == 1)) return;
    if (!open) {
        a->static_kernels = a->generic_kernels;
        return;
    }
    nf_options options = NF_OPTIONS_INIT;
    nf_result *result = NULL;
    options.keep_inference = 1;
    if (nf_specialize(bytes, size, &options, &result) == NF_OK) count_static_instances(a, input, generic, result);
    nf_result_free(result);
}

static void count_kernels(struct nf_assessment *a, const unsigned char *bytes, size_t size, const struct nf_view *input)
{
    uint8_t *mark = malloc((size_t)input->function_count + 1), *generic = calloc(1, (size_t)input->function_count + 1);
    for (uint32_t i = 0; mark && generic && i < input->function_count; i++) {
        if (!input->functions[i].entry || !mentions_generic(input, i, mark)) continue;
        generic[i] = 1;
        a->generic_kernels++;
    }
    if (generic) count_static(a, bytes, size, input, generic);
    free(mark);
    free(generic);
}

/* ---- The device ---- */

/* The features that the module declares, and the subset that the device lacks. */
struct features {
    uint32_t declared[MOST_FEATURES], lacking[MOST_FEATURES];
    size_t declared_count, lacking_count;
    char *declared_extensions[MOST_FEATURES], *lacking_extensions[MOST_FEATURES];
    size_t declared_extension_count, lacking_extension_count;
};

static void add_capability(struct features *f, uint32_t capability, const nf_profile *profile)
{
    for (size_t i = 0; i < f->declared_count; i++)
        if (f->declared[i] == capability) return;
    if (f->declared_count == MOST_FEATURES) return;
    f->declared[f->declared_count++] = capability;
    /* The core removes the generic address space, so the device need not support it. */
    if (capability != NF_SPV_GENERIC_POINTER && !nf_takes_capability(profile, capability))
        f->lacking[f->lacking_count++] = capability;
}

static void add_extension(struct features *f, const char *name, const nf_profile *profile)
{
    for (size_t i = 0; i < f->declared_extension_count; i++)
        if (strcmp(f->declared_extensions[i], name) == 0) return;
    char *copy = f->declared_extension_count < MOST_FEATURES ? strdup(name) : NULL;
    if (!copy) return;
    f->declared_extensions[f->declared_extension_count++] = copy;
    if (!nf_takes_extension(profile, copy)) f->lacking_extensions[f->lacking_extension_count++] = copy;
}

/* Collects the declared features, at most MOST_FEATURES of each kind. Called for the input, and for the output that is
 * specialized for a device with all features, as the core may declare further features for the code that it adds. */
static void read_features(const struct nf_view *view, const nf_profile *profile, struct features *f)
{
    for (uint32_t at = NF_SPV_HEADER_WORDS; at < view->count; at += nf_view_length(view, at)) {
        uint32_t opcode = nf_view_opcode(view, at);
        char name[128];
        if (opcode == NF_SPV_CAPABILITY && nf_view_length(view, at) > 1)
            add_capability(f, view->words[at + 1], profile);
        else if (opcode == NF_SPV_EXTENSION)
            add_extension(f, nf_view_string(view, at + 1, name, sizeof name), profile);
        else if (opcode == NF_SPV_FUNCTION || opcode == NF_SPV_ENTRY_POINT)
            return;
    }
}

static nf_status try_profile(const unsigned char *bytes, size_t size, const nf_profile *profile, nf_result **result)
{
    nf_options options = NF_OPTIONS_INIT;
    options.profile = profile;
    return nf_specialize(bytes, size, &options, result);
}

static bool is_refused(const unsigned char *bytes, size_t size, const nf_profile *profile)
{
    nf_result *result = NULL;
    nf_status status = try_profile(bytes, size, profile, &result);
    nf_result_free(result);
    return status == NF_REFUSED;
}

/* Returns true if the core refuses the module for a device that supports the declared capabilities in `f` except
 * `capability`, and every version and extension. */
static bool needs_capability(const unsigned char *bytes, size_t size, const struct features *f, uint32_t capability)
{
    uint32_t others[MOST_FEATURES + 1] = {UINT32_MAX};
    nf_profile profile = {.struct_size = sizeof profile, .capabilities = others, .capability_count = 1};
    for (size_t i = 0; i < f->declared_count; i++)
        if (f->declared[i] != capability) others[profile.capability_count++] = f->declared[i];
    return is_refused(bytes, size, &profile);
}

static bool needs_extension(const unsigned char *bytes, size_t size, const struct features *f, const char *name)
{
    const char *others[MOST_FEATURES];
    nf_profile profile = {.struct_size = sizeof profile, .extensions = others};
    for (size_t i = 0; i < f->declared_extension_count; i++)
        if (strcmp(f->declared_extensions[i], name) != 0) others[profile.extension_count++] = f->declared_extensions[i];
    if (profile.extension_count == 0) profile.extension_count = SIZE_MAX;
    return is_refused(bytes, size, &profile);
}

/* Adds a reason for each declared feature that the device lacks and the module needs. Sets the lists of `profile` to
 * the declared features without hints: features that the device lacks and the module does not need. */
static void drop_hints(struct nf_assessment *a, const unsigned char *bytes, size_t size, const struct features *f,
                       nf_profile *profile, uint32_t *capabilities, const char **extensions)
{
    char number[16];
    capabilities[profile->capability_count++] = UINT32_MAX; /* no capability: an empty list would mean "all" */
    for (size_t i = 0, k = 0; i < f->declared_count; i++) {
        int lacks = k < f->lacking_count && f->lacking[k] == f->declared[i];
        int needs = lacks && needs_capability(bytes, size, f, f->declared[i]);
        k += (size_t)lacks;
        if (needs) add_reason(a, "lacks capability %s", nf_capability_name(f->declared[i], number));
        if (needs || !lacks) capabilities[profile->capability_count++] = f->declared[i];
    }
    for (size_t i = 0, k = 0; i < f->declared_extension_count; i++) {
        int lacks = k < f->lacking_extension_count && f->lacking_extensions[k] == f->declared_extensions[i];
        int needs = lacks && needs_extension(bytes, size, f, f->declared_extensions[i]);
        k += (size_t)lacks;
        if (needs) add_reason(a, "lacks extension %s", f->declared_extensions[i]);
        if (needs || !lacks) extensions[profile->extension_count++] = f->declared_extensions[i];
    }
    if (profile->extension_count == 0) profile->extension_count = SIZE_MAX;
}

/* Adds the reasons why the device does not accept the module: the features that the device lacks, and, if the module
 * needs a newer version of SPIR-V, the core's reason. */
static void name_lacking(struct nf_assessment *a, const unsigned char *bytes, size_t size, const struct nf_view *view,
                         const nf_result *any, const nf_profile *profile)
{
    struct features f = {0};
    struct nf_view output;
    read_features(view, profile, &f);
    if (nf_view_open(&output, nf_result_bytes(any), nf_result_size(any)) == 0) read_features(&output, profile, &f);
    nf_view_close(&output);
    uint32_t capabilities[MOST_FEATURES + 1];
    const char *extensions[MOST_FEATURES];
    nf_profile old = {.struct_size = sizeof old,
                      .max_version = profile->max_version,
                      .capabilities = capabilities,
                      .extensions = extensions,
                      .address_form = profile->address_form};
    drop_hints(a, bytes, size, &f, &old, capabilities, extensions);
    nf_result *result = NULL;
    if (old.max_version && try_profile(bytes, size, &old, &result) == NF_REFUSED)
        add_log_reason(a, "", nf_result_log(result));
    nf_result_free(result);
    for (size_t i = 0; i < f.declared_extension_count; i++)
        free(f.declared_extensions[i]);
}

static bool is_limited(const nf_profile *p)
{
    return p->max_version || p->flags || p->extension_count || p->capability_count;
}

static void assess_for_device(struct nf_assessment *a, const unsigned char *bytes, size_t size,
                              const struct nf_view *view, const nf_result *any, const struct nf_device_profile *device)
{
    if (!is_limited(&device->profile)) return;
    nf_result *result = NULL;
    nf_status status = try_profile(bytes, size, &device->profile, &result);
    if (status != NF_OK) {
        a->runs = NF_RUNS_NO;
        if (!(device->profile.flags & NF_PROFILE_SPIR12)) name_lacking(a, bytes, size, view, any, &device->profile);
        if (!a->reasons) add_log_reason(a, "", result ? nf_result_log(result) : "out of memory");
    }
    nf_result_free(result);
}

/* ---- The module ---- */

void nf_assess(const unsigned char *bytes, size_t size, const struct nf_device_profile *device, struct nf_assessment *a)
{
    memset(a, 0, sizeof *a);
    nf_result *result = NULL;
    struct nf_view view = {0};
    nf_summarize(bytes, size, &a->summary);
    a->status = try_profile(bytes, size, NULL, &result);
    if (result) a->counts = nf_result_counts(result);
    bool is_read = (a->status == NF_OK || a->status == NF_REFUSED) && nf_view_open(&view, bytes, size) == 0;
    if (!is_read) {
        a->runs = NF_RUNS_MALFORMED;
        if (a->status == NF_MALFORMED)
            add_log_reason(a, "malformed SPIR-V: ", nf_result_log(result));
        else
            add_reason(a, "%s", "out of memory");
    } else {
        uint32_t tagged = a->counts.dispatched + a->counts.unknown;
        a->runs = tagged && !device->takes_generic ? NF_RUNS_DISPATCH : NF_RUNS_YES;
        if (tagged + a->counts.predicated) keep_ambiguities(a, result);
        count_kernels(a, bytes, size, &view);
        if (a->status == NF_OK) assess_for_device(a, bytes, size, &view, result, device);
        if (a->status == NF_REFUSED && !device->takes_generic) {
            a->runs = NF_RUNS_NO;
            add_log_reason(a, "", nf_result_log(result));
        }
    }
    nf_view_close(&view);
    nf_result_free(result);
}

void nf_assessment_free(struct nf_assessment *a)
{
    for (size_t i = 0; i < a->ambiguity_count; i++)
        free_ambiguity(&a->ambiguities[i]);
    free(a->ambiguities);
    free(a->reasons);
    memset(a, 0, sizeof *a);
}
