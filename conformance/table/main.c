/* SPDX-License-Identifier: Apache-2.0 */
/*
 * main.c - nonflat-table: specializes many modules and checks properties of each output, or measures the cost.
 *
 * In:
 *     nonflat-table [--mode auto|dynamic|hint] [--device MAJOR.MINOR] [FACT...] [--write FOLDER] LIST    check
 *     nonflat-table --cost LIST     measure over all files of LIST
 *     nonflat-table --time LIST     the same, specialization only
 *     nonflat-table --parse LIST    only parse, to count instructions
 * With --device each module is specialized for a device that accepts SPIR-V up to that version, as the layer does;
 * --takes-global and --tagged-merges set NF_PROFILE_TAKES_GLOBAL and NF_PROFILE_TAGGED_MERGES. With --write the changed
 * outputs are written to FOLDER under the names of the inputs. A module that takes longer than MODULE_SECONDS ends the
 * process by SIGALRM; the Python program that started it records that, and starts another process for the rest.
 *
 * Out: one line with a JSON object on standard output for each module (for --cost one in total); the Python program
 * `modules` adds them up. Exit status: 0 whatever the results are, 2 usage or file errors.
 */
#define _POSIX_C_SOURCE 200809L
#include "list.h"
#include "scan.h"

#include <nonflat/nonflat.h>
#include <spirv-tools/libspirv.h>

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cost.h"

enum { MODULE_SECONDS = 60 };

struct verdict {
    spv_result_t code;
    char message[160]; /* numbers are replaced by '#', so that messages for input and output can be compared */
};

struct checks {
    spv_context context;
    nf_options options;
    const char *mode, *folder; /* folder: for the outputs, or NULL */
};

/* Copies a message with each number replaced by '#', because numbers differ between two modules with the same error. */
static void normalize(const char *from, char *to, size_t room)
{
    size_t n = 0;
    for (; *from && n + 1 < room; from++) {
        int digit = *from >= '0' && *from <= '9';
        if (!digit)
            to[n++] = *from;
        else if (n == 0 || to[n - 1] != '#')
            to[n++] = '#';
    }
    to[n] = '\0';
}

static void validate(spv_context context, const uint32_t *words, size_t count, struct verdict *verdict)
{
    spv_diagnostic diagnostic = NULL;
    verdict->code = spvValidateBinary(context, words, count, &diagnostic);
    verdict->message[0] = '\0';
    if (diagnostic) normalize(diagnostic->error, verdict->message, sizeof verdict->message);
    spvDiagnosticDestroy(diagnostic);
}

/* Only parses the module, to count the instructions for that. */
static void parse_only(void *user, const char *path, const uint32_t *words, size_t size)
{
    (void)path;
    spvBinaryParse(user, NULL, words, size / 4, NULL, NULL, NULL);
}

static void validate_only(void *user, const uint32_t *words, size_t count)
{
    spvValidateBinary(user, words, count, NULL);
}

static void validate_without_aliases(spv_context context, const struct module *module, struct verdict *verdict)
{
    uint32_t *copy = malloc(module->count * sizeof *copy);
    verdict->code = SPV_ERROR_OUT_OF_MEMORY;
    if (copy) validate(context, copy, without_aliases(module, copy), verdict);
    free(copy);
}

/* Returns NULL if `after` is no worse than `before`, else the message. The order of declarations decides which of
 * several errors is reported first, so messages are compared only without alias information, which is rejected
 * anywhere. */
static const char *worse(const struct verdict *before, const struct verdict *after)
{
    if (after->code == SPV_SUCCESS) return NULL;
    if (before->code == SPV_SUCCESS) return after->message;
    return strcmp(before->message, after->message) ? after->message : NULL;
}

static void put_field(const char *name, const char *text)
{
    printf(",\"%s\":", name);
    if (text)
        put_string(text);
    else
        printf("null");
}

/* Specializes `bytes` again. Returns NULL if the result equals `want`, else the difference. */
static const char *again(const struct checks *checks, const void *bytes, size_t size, const nf_result *want)
{
    nf_result *result = NULL;
    const char *trouble = NULL;
    nf_status status = nf_specialize(bytes, size, &checks->options, &result);
    if (status != NF_OK)
        trouble = nf_status_string(status);
    else if (nf_result_size(result) != nf_result_size(want) ||
             memcmp(nf_result_bytes(result), nf_result_bytes(want), nf_result_size(want)) != 0)
        trouble = "other bytes";
    nf_result_free(result);
    return trouble;
}

static void check_output(const struct checks *checks, const struct module *input, const nf_result *result)
{
    size_t size = nf_result_size(result);
    const void *bytes = nf_result_bytes(result);
    struct module output;
    struct verdict before, after, before_scrubbed, after_scrubbed;
    int keeps_generic = checks->options.mode == NF_MODE_HINT;
    if (module_open(&output, bytes, size / 4)) {
        put_field("output", "not well-formed");
        return;
    }
    put_field("generic_left", keeps_generic ? NULL : generic_left(&output));
    validate(checks->context, input->words, input->count, &before);
    validate(checks->context, output.words, output.count, &after);
    put_field("worse", before.code == SPV_SUCCESS ? worse(&before, &after) : NULL);
    printf(",\"valid_before\":%s,\"valid_after\":%s", before.code ? "false" : "true", after.code ? "false" : "true");
    if (before.code != SPV_SUCCESS) {
        validate_without_aliases(checks->context, input, &before_scrubbed);
        validate_without_aliases(checks->context, &output, &after_scrubbed);
        put_field("worse_scrubbed", worse(&before_scrubbed, &after_scrubbed));
        printf(",\"scrubbed_valid_before\":%s", before_scrubbed.code ? "false" : "true");
    }
    put_field("not_deterministic", again(checks, input->words, (size_t)input->count * 4, result));
    if (!keeps_generic) put_field("not_idempotent", again(checks, bytes, size, result));
    module_close(&output);
}

static void put_counts(const struct module *input, const nf_result *result, double seconds)
{
    uint32_t roots[ROOT_COUNT];
    nf_counts c = nf_result_counts(result);
    printf(
        ",\"kernels\":%u,\"generic\":%u,\"static\":%u,\"predicated\":%u,\"dispatched\":%u,\"dead\":%u,\"unknown\":%u",
        c.kernels, c.generic, c.is_static, c.predicated, c.dispatched, c.dead, c.unknown);
    printf(",\"functions\":%u,\"clones\":%u,\"seconds\":%.6f,\"roots\":{", c.functions, c.clones, seconds);
    if (count_roots(input, roots) == 0)
        for (int i = 0; i < ROOT_COUNT; i++)
            printf("%s\"%s\":%u", i ? "," : "", root_name((enum root)i), roots[i]);
    printf("},\"report\":");
    for (const char *c = nf_result_report(result); *c; c++) /* one object per line */
        putchar(*c == '\n' ? ' ' : *c);
}

static void write_output(const char *folder, const char *path, const nf_result *result)
{
    char name[4096];
    const char *slash = strrchr(path, '/');
    snprintf(name, sizeof name, "%s/%s", folder, slash ? slash + 1 : path);
    FILE *file = fopen(name, "wb");
    bool good = file && fwrite(nf_result_bytes(result), nf_result_size(result), 1, file) == 1;
    if (file && fclose(file) == 0 && good) return;
    fprintf(stderr, "nonflat-table: cannot write %s\n", name);
    exit(2);
}

static void check_words(const struct checks *checks, const char *path, const uint32_t *words, size_t size)
{
    struct module input;
    nf_result *result = NULL;
    printf("{\"file\":");
    put_string(path);
    if (module_open(&input, words, size / 4)) {
        printf(",\"bytes\":%zu,\"status\":\"input not well-formed\"}\n", size);
        return;
    }
    double start = cpu_seconds();
    nf_status status = nf_specialize(words, size, &checks->options, &result);
    double seconds = cpu_seconds() - start;
    int generic = generic_left(&input) != NULL;
    printf(",\"bytes\":%zu,\"is_generic\":%s,\"status\":", size, generic ? "true" : "false");
    put_string(nf_status_string(status));
    printf(",\"ok\":%s", status == NF_OK ? "true" : "false");
    if (status == NF_OK) {
        int same = nf_result_size(result) == size && memcmp(nf_result_bytes(result), words, size) == 0;
        printf(",\"output_bytes\":%zu,\"changed\":%s", nf_result_size(result), same ? "false" : "true");
        put_counts(&input, result, seconds);
        if (checks->folder && !same) write_output(checks->folder, path, result);
        check_output(checks, &input, result);
    } else {
        put_field("log", result ? nf_result_log(result) : "");
    }
    printf("}\n");
    nf_result_free(result);
    module_close(&input);
}

static void check_module(void *user, const char *path, const uint32_t *words, size_t size)
{
    alarm(MODULE_SECONDS);
    check_words(user, path, words, size);
    alarm(0);
    fflush(stdout);
}

static int parse_mode(const char *name, nf_mode *mode)
{
    static const char *const names[] = {"auto", "static", "hint", "dynamic", "off"};
    for (int i = 0; i < 5; i++)
        if (strcmp(names[i], name) == 0) {
            *mode = (nf_mode)i;
            return 0;
        }
    return -1;
}

/* Returns the profile flag of a FACT option, 0 if `text` is none. */
static uint32_t flag_of(const char *text)
{
    static const struct {
        const char *text;
        uint32_t flag;
    } flags[] = {{"--takes-global", NF_PROFILE_TAKES_GLOBAL}, {"--tagged-merges", NF_PROFILE_TAGGED_MERGES}};
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
        if (strcmp(text, flags[i].text) == 0) return flags[i].flag;
    return 0;
}

/* Converts "1.4" to the version word of a module header. Returns 0 if the text is no version. */
static uint32_t parse_version(const char *text)
{
    unsigned major = 0, minor = 0;
    return sscanf(text, "%u.%u", &major, &minor) == 2 && major < 256 && minor < 256 ? major << 16 | minor << 8 : 0;
}

int main(int argc, char **argv)
{
    struct checks checks = {.options = NF_OPTIONS_INIT, .mode = "auto"};
    nf_profile profile = NF_PROFILE_INIT;
    int cost = 0, i = 1, bad = 0;
    for (; i < argc - 1 && !bad; i++) {
        if (strcmp(argv[i], "--cost") == 0 || strcmp(argv[i], "--time") == 0 || strcmp(argv[i], "--parse") == 0)
            cost = argv[i][2];
        else if (strcmp(argv[i], "--mode") == 0)
            checks.mode = argv[++i];
        else if (flag_of(argv[i]))
            profile.flags |= flag_of(argv[i]);
        else if (strcmp(argv[i], "--write") == 0)
            checks.folder = argv[++i];
        else if (strcmp(argv[i], "--device") == 0)
            bad = !(profile.max_version = parse_version(argv[++i]));
        else
            bad = 1;
    }
    if (bad || i != argc - 1 || parse_mode(checks.mode, &checks.options.mode)) {
        fprintf(stderr,
                "usage: nonflat-table [--cost | --time | --parse | --mode MODE --device MAJOR.MINOR --write FOLDER "
                "--takes-global --tagged-merges] LIST\n");
        return 2;
    }
    checks.options.profile = profile.max_version || profile.flags ? &profile : NULL;
    checks.context = spvContextCreate(SPV_ENV_UNIVERSAL_1_6);
    bad = cost == 'p' ? for_each_module(argv[i], parse_only, checks.context)
          : cost      ? measure_cost(cost == 'c' ? validate_only : NULL, checks.context, argv[i])
                      : for_each_module(argv[i], check_module, &checks);
    spvContextDestroy(checks.context);
    if (bad) fprintf(stderr, "nonflat-table: cannot read %s\n", argv[i]);
    return bad ? 2 : 0;
}
