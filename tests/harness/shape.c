/* SPDX-License-Identifier: Apache-2.0 */
/*
 * shape.c - the runner of the shape tests: one .spvasm file, every mode, every property.
 *
 *     shape_test FILECHECK FILE.spvasm      leaves FILE.MODE.txt, the annotated output, in the current folder
 *
 * The runner checks for every file, in addition to the expectations in its comments (expect.c):
 *   - the input assembles, and validates unless the file gives a reason why not;
 *   - `auto`, `dynamic` and `hint` succeed, `static` succeeds or refuses, and `off` returns the input, unless the file
 *     has other expectations;
 *   - an output of `auto`, `dynamic` or `static` has no generic pointers; the validator reports no error of an output
 *     that the input does not have; kernels, their parameters and the specialization ids are unchanged;
 *   - the same input gives the same bytes; the output does not change when specialized again (except for `hint`); the
 *     input in the other byte order gives the same output in that order; an input without generic pointers does not
 *     change;
 *   - the report is JSON, its counts are consistent and equal those of the C interface.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "shape.h"

const char *const shape_mode_names[NF_MODE_COUNT] = {"auto", "static", "hint", "dynamic", "off"};

static const char *mode_now = "input";
static int failures;

/* One run of the library. */
typedef struct run {
    nf_status status;
    nf_result *result;
    words output;
} run;

void shape_fail(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    printf("FAIL %s: ", mode_now);
    vprintf(format, arguments);
    putchar('\n');
    va_end(arguments);
    failures++;
}

static run specialize(words input, int mode, const expectations *e)
{
    nf_options options = NF_OPTIONS_INIT;
    options.mode = (nf_mode)mode;
    options.check = 1;
    options.library = e->library;
    options.profile = e->has_profile ? &e->profile : NULL;
    options.spec_values = e->spec_count ? e->spec : NULL;
    options.spec_value_count = e->spec_count;
    run r = {NF_OK, NULL, {NULL, 0}};
    r.status = nf_specialize(input.data, input.count * 4, &options, &r.result);
    if (!r.result) {
        shape_fail("no result, status %s", nf_status_string(r.status));
        return r;
    }
    r.output.data = (uint32_t *)nf_result_bytes(r.result);
    r.output.count = nf_result_size(r.result) / 4;
    if ((r.status == NF_OK) != (r.output.data != NULL)) shape_fail("an output without NF_OK, or NF_OK without one");
    if (nf_result_size(r.result) % 4 != 0) shape_fail("the output is %zu bytes long", nf_result_size(r.result));
    return r;
}

static int same(words a, words b)
{
    return a.count == b.count && memcmp(a.data, b.data, a.count * 4) == 0;
}

/* ---- Properties of every run ------------------------------------------------------------------------------------ */

static void check_status(const run *r, int mode, const expectations *e)
{
    int wanted = expect_status(e, mode);
    int wanted_auto = expect_status(e, NF_MODE_AUTO);
    if (wanted < 0 && mode == NF_MODE_STATIC && r->status == NF_REFUSED) return;
    if (wanted < 0 && mode != NF_MODE_OFF && wanted_auto > 0 && (int)r->status == wanted_auto) return;
    if (wanted < 0) wanted = NF_OK;
    if ((int)r->status != wanted)
        shape_fail("status %d, not %d; the log says: %s", (int)r->status, wanted, nf_result_log(r->result));
    if (r->status == NF_REFUSED && nf_result_log(r->result)[0] == '\0') shape_fail("refused without a reason");
}

/* Returns true if two messages of the validator differ in ids and numbers only. */
static int same_complaint(const char *a, const char *b)
{
    static const char digits[] = "0123456789";
    while (*a && *b) {
        a += strspn(a, digits);
        b += strspn(b, digits);
        if (*a != *b) return 0;
        a += *a != '\0';
        b += *b != '\0';
    }
    return *a == *b;
}

/* For the output, the validator may report only errors that it also reports for the input. */
static void check_valid(words input, words output, const expectations *e)
{
    char *before = text_validate(e->target, input);
    char *after = text_validate(e->target, output);
    if (after && e->validates_output && !(before && same_complaint(before, after)))
        shape_fail("the output does not validate: %s", after);
    free(before);
    free(after);
}

static void check_nothing_generic(words output)
{
    const char *what = find_generic(output);
    if (what) shape_fail("the output is still generic: %s", what);
    char *text = text_disassemble(output);
    for (char *hit = strstr(text, " Generic"); hit; hit = strstr(hit + 1, " Generic")) {
        char *line = hit;
        while (line > text && line[-1] != '\n')
            line--;
        int is_name = strncmp(line, "OpName", 6) == 0 || strncmp(line, "OpMemberName", 12) == 0 || strchr(line, '"');
        if (!is_name) shape_fail("the output says Generic: %.*s", (int)strcspn(line, "\n"), line);
    }
    free(text);
}

static void check_repeats(words input, const run *r, int mode, const expectations *e)
{
    run again = specialize(input, mode, e);
    if (again.status != r->status || !same(again.output, r->output)) shape_fail("a second run gives something else");
    nf_result_free(again.result);

    words swapped = swap_bytes(input);
    run other = specialize(swapped, mode, e);
    words back = swap_bytes(other.output);
    if (other.status != r->status || !same(back, r->output)) shape_fail("the other byte order gives something else");
    nf_result_free(other.result);
    free(back.data);
    free(swapped.data);

    if (r->status != NF_OK || mode == NF_MODE_HINT) return; /* hint mode may rename generic pointers each time */
    run twice = specialize(r->output, mode, e);
    if (twice.status != NF_OK || !same(twice.output, r->output))
        shape_fail("the output, specialized again, changes; the log says: %s", nf_result_log(twice.result));
    else if (nf_result_outcome(twice.result) != NF_UNCHANGED)
        shape_fail("the output, specialized again, is not called unchanged");
    nf_result_free(twice.result);
}

static void check_unchanged(words input, const run *r, int mode)
{
    int must = mode == NF_MODE_OFF || !find_generic(input);
    int is = same(input, r->output);
    if (must && !is) shape_fail("nothing to do, but the output is not the input");
    if ((nf_result_outcome(r->result) == NF_UNCHANGED) != is) shape_fail("the outcome does not say what happened");
}

static long report_number(const char *report, const char *path)
{
    char value[64];
    if (json_value(report, path, value, sizeof value)) return atol(value);
    shape_fail("the report has no %s", path);
    return -1;
}

static void check_report(const run *r)
{
    const char *report = nf_result_report(r->result);
    nf_counts c = nf_result_counts(r->result);
    if (!json_well_formed(report)) {
        shape_fail("the report is not JSON: %s", report);
        return;
    }
    static const char *const results[] = {"unchanged", "specialized", "refused"};
    char value[64] = "";
    json_value(report, "result", value, sizeof value);
    const char *wanted = results[nf_result_outcome(r->result)];
    if (strcmp(value, wanted) != 0) shape_fail("the report's result is '%s', not '%s'", value, wanted);
    if (r->status != NF_OK) return;
    const struct {
        const char *path;
        uint32_t count;
    } fields[] = {
        {"input.kernels", c.kernels},          {"accesses.generic", c.generic},       {"accesses.static", c.is_static},
        {"accesses.predicated", c.predicated}, {"accesses.dispatched", c.dispatched}, {"accesses.dead", c.dead},
        {"accesses.unknown", c.unknown},       {"instances.functions", c.functions},  {"instances.clones", c.clones}};
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++) {
        long number = report_number(report, fields[i].path);
        if (number != (long)fields[i].count)
            shape_fail("the report's %s is %ld, but nf_counts has %u", fields[i].path, number, fields[i].count);
    }
    if (c.generic != c.is_static + c.predicated + c.dispatched + c.dead + c.unknown)
        shape_fail("the accesses do not add up to generic: %s", report);
}

/* ---- The expectations of the file -------------------------------------------------------------------------------- */

/* Checks one "path=value" (or >=, <=, ~). */
static void check_field(const char *report, char *wanted)
{
    size_t length = strcspn(wanted, "=<>~");
    char operation = wanted[length];
    char *value = wanted + length + (strchr("<>", operation) ? 2 : 1);
    char found[4096];
    if (operation == '\0') {
        shape_fail("REPORT has no operator: %s", wanted);
        return;
    }
    wanted[length] = '\0';
    if (!json_value(report, wanted, found, sizeof found)) {
        shape_fail("the report has no %s: %s", wanted, report);
        return;
    }
    int good = operation == '='   ? strcmp(found, value) == 0
               : operation == '~' ? strstr(found, value) != NULL
               : operation == '>' ? atol(found) >= atol(value)
                                  : atol(found) <= atol(value);
    if (!good) shape_fail("%s is %s, wanted %c %s", wanted, found, operation, value);
}

static void check_expectations(const run *r, int mode, const expectations *e)
{
    int unknown_allowed = 0;
    for (size_t i = 0; i < e->count; i++) {
        const expectation *item = &e->list[i];
        if (!expect_applies(e, item, mode)) continue;
        if (strcmp(item->keyword, "LOG") == 0 && !strstr(nf_result_log(r->result), item->text))
            shape_fail("the log does not say '%s' but: %s", item->text, nf_result_log(r->result));
        if (strcmp(item->keyword, "REPORT") != 0) continue;
        unknown_allowed |= strstr(item->text, "unknown") != NULL;
        char *copy = strdup(item->text);
        for (char *word = strtok(copy, " "); word; word = strtok(NULL, " "))
            check_field(nf_result_report(r->result), word);
        free(copy);
    }
    if (mode == NF_MODE_AUTO && !unknown_allowed && nf_result_counts(r->result).unknown)
        shape_fail("%u accesses have an unknown space", nf_result_counts(r->result).unknown);
}

/* @return true if the file has a check line with one of the two prefixes. */
static int has_checks(const char *source, const char *prefix)
{
    char mark[32];
    int has = 0;
    for (const char *tail = ":-"; *tail; tail++) {
        snprintf(mark, sizeof mark, "; %s%c", prefix, *tail);
        has |= strstr(source, mark) != NULL;
    }
    return has;
}

static void run_filecheck(const char *filecheck, const char *path, const char *text_path, const char *prefixes)
{
    char command[4096];
    snprintf(command, sizeof command, "'%s' '%s' --check-prefixes=%s --allow-unused-prefixes --input-file='%s' 2>&1",
             filecheck, path, prefixes, text_path);
    fflush(stdout);
    int status = system(command);
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) shape_fail("FileCheck is not content with %s", text_path);
}

static void check_text(const char *filecheck, const char *path, const char *source, const run *r, int mode,
                       const expectations *e)
{
    static const char *const upper[NF_MODE_COUNT] = {"AUTO", "STATIC", "HINT", "DYNAMIC", "OFF"};
    const char *name = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
    char text_path[512], prefixes[64] = "";
    snprintf(text_path, sizeof text_path, "%s.%s.txt", name, shape_mode_names[mode]);
    char *text = text_disassemble(r->output);
    FILE *file = fopen(text_path, "w");
    if (!file || fputs(text, file) == EOF || fclose(file) == EOF) shape_fail("cannot write %s", text_path);
    free(text);
    if (e->checked[mode] && has_checks(source, "CHECK")) strcat(prefixes, "CHECK");
    if (has_checks(source, upper[mode])) {
        if (prefixes[0]) strcat(prefixes, ",");
        strcat(prefixes, upper[mode]);
    }
    if (prefixes[0]) run_filecheck(filecheck, path, text_path, prefixes);
}

/* ---- The sequence of checks -------------------------------------------------------------------------------------- */

static char *read_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    char *bytes = calloc(1, 1 << 20);
    if (!file || !bytes || fread(bytes, 1, (1 << 20) - 1, file) == 0) {
        perror(path);
        exit(2);
    }
    fclose(file);
    return bytes;
}

static void check_mode(const char *filecheck, const char *path, const char *source, words input, int mode,
                       const expectations *e)
{
    mode_now = shape_mode_names[mode];
    run r = specialize(input, mode, e);
    if (!r.result) return;
    check_status(&r, mode, e);
    check_report(&r);
    check_repeats(input, &r, mode, e);
    check_expectations(&r, mode, e);
    if (r.status == NF_OK) {
        if (mode != NF_MODE_HINT && mode != NF_MODE_OFF) check_nothing_generic(r.output);
        check_unchanged(input, &r, mode);
        check_valid(input, r.output, e);
        if (!e->spec_count) check_interface(input, r.output);
        check_text(filecheck, path, source, &r, mode, e);
    }
    nf_result_free(r.result);
}

int main(int argc, char **argv)
{
    if (argc != 3) {
        fprintf(stderr, "usage: shape_test FILECHECK FILE.spvasm\n");
        return 2;
    }
    char *source = read_file(argv[2]);
    char *cut = strdup(source);
    expectations e;
    expect_read(cut, &e);
    words input = text_assemble(e.target, source);
    if (input.data) {
        char *message = e.validates_input ? text_validate(e.target, input) : NULL;
        if (message) shape_fail("the input does not validate: %s", message);
        free(message);
        for (int mode = 0; mode < NF_MODE_COUNT; mode++)
            check_mode(argv[1], argv[2], source, input, mode, &e);
    }
    printf("%d failures\n", failures);
    free(e.list);
    free(input.data);
    free(cut);
    free(source);
    return failures != 0;
}
