/* SPDX-License-Identifier: Apache-2.0 */
/*
 * crash_isolation.c - isolation of builds that would end the process. Some drivers are known to end the process instead
 * of refusing a module. For such drivers, and with the setting `guard = on`, a build without a stored result is first
 * tried in a separate process, the program `nonflat-try`; if that process dies, the application continues, and its
 * build falls back to the original module, if the device accepts that, or fails with a message. Takes a driver program
 * that is about to be built; gives the reason why it must not be built, or nothing.
 *
 *     clBuildProgram -> nonflat-try: "panicked at ...", SIGABRT   ->   CL_BUILD_PROGRAM_FAILURE, the log says so
 *
 * The trial of a build creates all kernels of the program; the trial of a compilation creates none. If the driver
 * compiles kernels only at their launch, the trial also launches the kernels of a copy of the module whose kernels
 * return at once (layer/build_test/idle.c). A build that does not end within the time limit of the trial would not end
 * in the application either, so it fails as well.
 *
 * If the driver loads binaries quickly, the trial returns its binary, and the application's process loads that binary
 * instead of building. Otherwise each module costs one more build, once, because the result is stored on disk. A death,
 * or a build that does not end, counts for a week, because the machine may have been out of memory or busy. A trial
 * that another process killed does not count as a death. If the trial cannot be run, the build proceeds as without it.
 */
#define _GNU_SOURCE
#include "layer/program/program.h"
#include "layer/store/store.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const char kind[] = "trial";

/* The input of a trial: the module or the text in the form that the driver gets, and the arguments of the build. */
struct trial_input {
    const struct nf_cl_device *device;
    char *options; /* for the driver */
    bool compile, text, needs_trial, binary;
    struct nf_cl_bytes module;
    nf_spec_value *specs;
    size_t spec_count;

    struct nf_cl_bytes key;
    struct nf_cl_claim claim;
};

static bool make_key(struct trial_input *trial_input)
{
    char *label = nf_cl_format("trial of a build%s, %zu bytes",
                               trial_input->device->launch_tried ? " and launches" : "", trial_input->module.size);
    bool good = label && nf_cl_append_head(&trial_input->key, label) &&
                nf_cl_append_program(&trial_input->key, nf_cl_build_tester()) &&
                nf_cl_append_build_key(&trial_input->key, trial_input->device, trial_input->options, trial_input->specs,
                                       trial_input->spec_count) &&
                nf_cl_append(&trial_input->key, &trial_input->compile, sizeof trial_input->compile) &&
                nf_cl_append(&trial_input->key, trial_input->module.data, trial_input->module.size);
    free(label);
    return good;
}

static void free_trial_input(struct trial_input *trial_input)
{
    free(trial_input->options);
    free(trial_input->module.data);
    free(trial_input->specs);
    free(trial_input->key.data);
}

/* ---- stored results ---- */

/* Looks up the result of an earlier trial; if the disk has none, claims the trial. An entry consists of its expiry time
 * and the reason why the module must not be built, which is empty if it may be. Sets `*why` to the reason, malloc'ed,
 * or NULL, and `*sure`, unless the reason was in memory, to whether the result is on disk. @return true if there is a
 * result. */
static bool recall(struct trial_input *trial_input, bool disk, char **why, bool *sure)
{
    struct nf_cl_bytes value = {NULL, 0};
    uint64_t expires = 0;
    *why = nf_cl_failure_find(&trial_input->key);
    if (*why) return true;
    bool known = disk && nf_cl_store_get_or_claim(kind, &trial_input->key, &value, &trial_input->claim) &&
                 value.size >= sizeof expires;
    if (known) memcpy(&expires, value.data, sizeof expires);
    if (nf_cl_store_has_expired(expires)) known = false;
    if (known && value.size > sizeof expires)
        known = (*why = strndup((const char *)value.data + sizeof expires, value.size - sizeof expires)) != NULL;
    free(value.data);
    *sure = known;
    return known;
}

static void remember(struct trial_input *trial_input, bool disk, const char *why)
{
    struct nf_cl_bytes value = {NULL, 0}, key = {NULL, 0};
    uint64_t expires = why ? nf_cl_store_expiry() : 0;
    bool good = nf_cl_append(&value, &expires, sizeof expires) && (!why || nf_cl_append(&value, why, strlen(why))) &&
                nf_cl_append(&key, trial_input->key.data, trial_input->key.size);
    if (good && disk) nf_cl_store_put_later(kind, &key, &value);
    free(key.data);
    free(value.data);
    if (why) nf_cl_failure_note(&trial_input->key, why);
}

/* ---- the trial ---- */

enum { ARGUMENTS = 8, REASON_MOST = 600 };

static char *query_device(cl_device_id device, cl_device_info name, const char *option)
{
    char text[1024] = "";
    NF_CL_CALL(clGetDeviceInfo, CL_INVALID_DEVICE, device, name, sizeof text - 1, text, NULL);
    return nf_cl_format("%s%s", option, text);
}

static char *query_platform(cl_platform_id platform, const char *option)
{
    char text[1024] = "";
    NF_CL_CALL(clGetPlatformInfo, CL_INVALID_PLATFORM, platform, CL_PLATFORM_NAME, sizeof text - 1, text, NULL);
    return nf_cl_format("%s%s", option, text);
}

/* Returns `option` followed by the path of the loader in this process, because the application may have its own loader,
 * which finds its own drivers, or else by the loader's usual name; malloc'ed, or NULL. */
static char *find_loader(const char *option)
{
    struct nf_cl_object object;
    bool found = nf_cl_object_find((const void *)(uintptr_t)nf_cl_next()->clGetPlatformIDs, &object);
    return nf_cl_format("%s%s", option, found && strstr(object.path, "/libOpenCL.so") ? object.path : "libOpenCL.so.1");
}

static char **make_arguments(const struct trial_input *trial_input)
{
    const struct nf_cl_device *device = trial_input->device;
    char **list = calloc(ARGUMENTS, sizeof *list);
    size_t count = 0;
    if (!list) return NULL;
    list[count++] = strdup(nf_cl_build_tester());
    list[count++] = strdup(NF_TRY_PROTOCOL);
    list[count++] = find_loader("--loader=");
    list[count++] = query_platform(device->platform, "--platform=");
    list[count++] = query_device(device->id, CL_DEVICE_NAME, "--device=");
    list[count++] = query_device(device->id, CL_DRIVER_VERSION, "--driver=");
    list[count++] = nf_cl_format("--seconds=%u", nf_cl_config()->spir_timeout);
    return nf_cl_strings_check(list, count);
}

static struct nf_try_spec *copy_specs(const struct trial_input *trial_input)
{
    struct nf_try_spec *list = calloc(trial_input->spec_count + 1, sizeof *list);
    for (size_t i = 0; list && i < trial_input->spec_count; i++) {
        const nf_spec_value *spec = &trial_input->specs[i];
        list[i] = (struct nf_try_spec){spec->id, (uint32_t)spec->size, spec->value};
    }
    return list;
}

/* Returns the environment of the trial: the layers below this one, and settings that make this layer inactive if a
 * system-wide file loads it. */
static char **make_variables(void)
{
    char **list = calloc(6, sizeof *list), *below = nf_cl_layers_below();
    if (list) {
        list[0] = below ? nf_cl_format("OPENCL_LAYERS=%s", below) : NULL;
        list[1] = strdup("NONFLAT_CONFIG=off");
        list[2] = strdup("NONFLAT_MODE=off");
        list[3] = strdup("NONFLAT_GUARD=off");
        list[4] = strdup("NONFLAT_CACHE=off");
        list = nf_cl_strings_check(list, 5);
    }
    free(below);
    return list;
}

/* Returns true for a line of a backtrace, as Rust prints it: "  12:     0x7ff6 - name", "      at file.rs:12:5". */
static bool is_of_backtrace(const char *line)
{
    size_t blanks = strspn(line, " "), digits = strspn(line + blanks, "0123456789");
    if (strncmp(line, "stack backtrace:", 16) == 0 || strncmp(line, "note: Some details are omitted", 30) == 0)
        return true;
    return blanks > 0 && ((digits > 0 && line[blanks + digits] == ':') || strncmp(line + blanks, "at ", 3) == 0);
}

/* Removes backtraces from the trial's output, in place, because they do not contain the reason and would hide the lines
 * with the reason. Returns its last lines, at most REASON_MOST characters. */
static const char *last_lines(char *output)
{
    char *end = output;
    for (char *line = output; *line;) {
        size_t length = strcspn(line, "\n");
        length += line[length] == '\n';
        if (!is_of_backtrace(line)) {
            memmove(end, line, length);
            end += length;
        }
        line += length;
    }
    *end = 0;
    if ((size_t)(end - output) < REASON_MOST) return output;
    const char *line = strchr(end - REASON_MOST, '\n');
    return line && line[1] ? line + 1 : end - REASON_MOST;
}

/* Appends to the reason `*why`, unless it is NULL, the capabilities that the module declares and the device does not
 * list. The new reason is malloc'ed, and the old one freed; it is kept if memory is exhausted. */
static void add_unlisted(const struct trial_input *trial_input, char **why)
{
    char *line = *why && !trial_input->text ? nf_cl_unlisted(trial_input->device, &trial_input->module) : NULL;
    char *both = line ? nf_cl_format("%s%s", *why, line) : NULL;
    free(line);
    if (!both) return;
    free(*why);
    *why = both;
}

static uint32_t flags_of(const struct trial_input *trial_input)
{
    return (trial_input->compile ? NF_TRY_COMPILE : 0u) | (trial_input->device->launch_tried ? NF_TRY_LAUNCH : 0u) |
           (trial_input->text ? NF_TRY_SOURCE : 0u) | (trial_input->binary ? NF_TRY_BINARY : 0u);
}

/* Sets `*why` to the reason why the build must not happen, malloc'ed; leaves it NULL if the build may happen. */
static void explain(const struct trial_input *trial_input, const struct nf_cl_tried *tried, char **why)
{
    const char *message = tried->message ? tried->message : "out of memory";
    if (tried->end == NF_CL_DIED)
        *why = nf_cl_format(
            "nonflat: the build failed, because the driver ended the separate process in which Nonflat tried it:\n%s\n",
            tried->output && *tried->output ? last_lines(tried->output) : message);
    else if (tried->end == NF_CL_STOPPED)
        *why = nf_cl_format(
            "nonflat: the build failed, because the driver did not end it within %u seconds in the separate process "
            "in which Nonflat tried it\n",
            nf_cl_config()->spir_timeout);
    else if (tried->end == NF_CL_UNTRIED && trial_input->needs_trial)
        *why = nf_cl_format("%s; %s", nf_cl_journal_message, message);
    else if (tried->end == NF_CL_UNTRIED)
        nf_cl_log(NF_CL_WARNING, "it is not known whether the driver survives this build: %s", message);
    add_unlisted(trial_input, why);
}

/* Runs the trial. Sets `*why` to the reason why the build must not happen, malloc'ed, or leaves it NULL; sets `*sure`
 * to whether the result is not transient. @return true if the driver has returned in the trial, or `*why` is set. */
static bool try_build(const struct trial_input *trial_input, struct nf_cl_tried *tried, char **why, bool *sure)
{
    char **arguments = make_arguments(trial_input), **variables = make_variables();
    struct nf_try_spec *specs = copy_specs(trial_input);
    const struct nf_cl_trial trial = {.arguments = arguments,
                                      .variables = variables,
                                      .flags = flags_of(trial_input),
                                      .options = trial_input->options,
                                      .specs = specs,
                                      .spec_count = trial_input->spec_count,
                                      .module = &trial_input->module};
    if (arguments && variables && specs) nf_cl_try(&trial, tried);
    explain(trial_input, tried, why);
    *sure = tried->end == NF_CL_RETURNED || tried->validity != NF_CL_TRANSIENT;
    free(specs);
    nf_cl_strings_free(arguments);
    nf_cl_strings_free(variables);
    return tried->end == NF_CL_RETURNED || *why;
}

bool nf_cl_build_would_crash(struct nf_cl_program *program, const struct nf_cl_group *group,
                             const struct nf_cl_call *call, bool needs_trial, struct nf_cl_failure *failure,
                             struct nf_cl_bytes *built)
{
    struct nf_cl_tried tried = {.end = NF_CL_UNTRIED};
    struct trial_input trial_input = {.device = group->lead,
                                      .compile = call->compile,
                                      .text = group->delivery == NF_CL_DELIVER_SOURCE,
                                      .needs_trial = needs_trial,
                                      .binary = !call->compile && nf_cl_binary_is_quick(program, group)};
    const struct nf_cl_config *config = nf_cl_config();
    bool disk = config->cache || config->system_cache, sure = false, known = false;
    uint64_t state;
    *failure = (struct nf_cl_failure){NULL, true, false};
    *built = (struct nf_cl_bytes){NULL, 0};
    /* If kernels exist, the program was built before, and the driver refuses to build it again. */
    if (!(group->lead->guarded || needs_trial) || !group->driver_program || nf_cl_program_kernels(program) > 0)
        return false;
    trial_input.options = nf_cl_driver_options(program, group, call->options);
    if (trial_input.options &&
        nf_cl_fetch_module(group->driver_program->program, trial_input.text ? CL_PROGRAM_SOURCE : CL_PROGRAM_IL,
                           &trial_input.module) &&
        (!group->native_specs ||
         nf_cl_program_copy_specs(program, &trial_input.specs, &trial_input.spec_count, &state)) &&
        make_key(&trial_input)) {
        known = recall(&trial_input, disk, &failure->why, &sure);
        if (!known && (known = try_build(&trial_input, &tried, &failure->why, &sure)))
            remember(&trial_input, disk && sure, failure->why);
    }
    if (needs_trial && !known && !failure->why) failure->why = strdup(nf_cl_journal_message);
    failure->transient = !sure;
    nf_cl_claim_release_later(&trial_input.claim);
    *built = tried.built;
    tried.built = (struct nf_cl_bytes){NULL, 0};
    nf_cl_tried_free(&tried);
    free_trial_input(&trial_input);
    return failure->why;
}
