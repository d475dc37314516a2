/* SPDX-License-Identifier: Apache-2.0 */
/*
 * compile.c - compiles source with the program `nonflat-cl`, and caches the results on disk. The key contains the whole
 * input of the program. The program's notes name the files that it has read, the headers on disk; these are compared
 * with the disk before an entry is used. Refusals are not cached, because the reason may be a missing header.
 */
#define _GNU_SOURCE
#include "layer/store/store.h"
#include "layer/translate/translate.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char kind[] = "source";

/* ---- the program's arguments ---- */

enum { FIXED_ARGUMENTS = 10 };

static char **make_arguments(const struct nf_cl_source *source)
{
    const struct nf_cl_facts *facts = source->facts;
    char **list = calloc(FIXED_ARGUMENTS + source->header_count + 1, sizeof *list);
    size_t count = 0;
    if (!list) return NULL;
    list[count++] = strdup(nf_cl_compiler());
    list[count++] = strdup("--notes");
    list[count++] = nf_cl_format("--version=%u", facts->version);
    list[count++] = nf_cl_format("--address-bits=%u", facts->address_bits);
    list[count++] = nf_cl_format("--extensions=%s", facts->extensions);
    list[count++] = nf_cl_format("--features=%s", facts->features);
    list[count++] = nf_cl_format("--supplied=%s", facts->supplied);
    list[count++] = nf_cl_format("--options=%s", source->options);
    if (facts->embedded) list[count++] = strdup("--embedded");
    if (facts->no_images) list[count++] = strdup("--no-images");
    for (size_t i = 0; i < source->header_count; i++)
        list[count++] = nf_cl_format("--header=%zu:%s", strlen(source->headers[i].text), source->headers[i].name);
    return nf_cl_strings_check(list, count);
}

/* Returns the parts of the input: the source and its headers. If there are headers, each part has its terminating
 * zero. */
static struct nf_cl_bytes *make_input(const struct nf_cl_source *source)
{
    struct nf_cl_bytes *input = calloc(1 + source->header_count, sizeof *input);
    if (!input) return NULL;
    input[0] = (struct nf_cl_bytes){(void *)source->text, strlen(source->text) + (source->header_count > 0)};
    for (size_t i = 0; i < source->header_count; i++)
        input[1 + i] = (struct nf_cl_bytes){source->headers[i].text, strlen(source->headers[i].text) + 1};
    return input;
}

/* ---- the program's output ---- */

/* Splits the output into notes and module. @return false if it has no module, or if out of memory. */
static bool split(const struct nf_cl_bytes *output, struct nf_cl_compiled *compiled)
{
    struct nf_cl_bytes rest = *output;
    struct nf_cl_note note;
    while (nf_cl_notes_next(&rest, &note)) {
        if (nf_cl_note_is(&note, "passes")) compiled->passes = true;
        if (!nf_cl_note_is(&note, "module")) continue;
        compiled->notes.size = compiled->module.size = 0;
        return nf_cl_append(&compiled->notes, output->data, (size_t)(note.kind - (const char *)output->data)) &&
               nf_cl_append(&compiled->module, rest.data, rest.size);
    }
    return false;
}

/* Runs the program. The log gets its messages, or on failure the reason. */
static bool run(const struct nf_cl_source *source, struct nf_cl_compiled *compiled, struct nf_cl_outcome *outcome)
{
    char **arguments = make_arguments(source);
    struct nf_cl_bytes *input = make_input(source);
    const struct nf_cl_run job = {.name = "the compiler nonflat-cl",
                                  .takes = "source",
                                  .gives = "module",
                                  .arguments = arguments,
                                  .input = input,
                                  .input_count = 1 + source->header_count,
                                  .message_limit = 1 << 20};
    bool good = arguments && input && nf_cl_run(&job, outcome) && split(&outcome->output, compiled);
    char **log = outcome->message ? &outcome->message : &outcome->error_output;
    compiled->log = *log;
    *log = NULL;
    nf_cl_strings_free(arguments);
    free(input);
    return good;
}

/* ---- the cache ---- */

static bool make_key(const struct nf_cl_source *source, struct nf_cl_bytes *key)
{
    const struct nf_cl_facts *facts = source->facts;
    const cl_uint numbers[] = {facts->version, facts->address_bits, facts->embedded, facts->no_images,
                               (cl_uint)source->header_count};
    char *label = nf_cl_format("source of %zu bytes, %s", strlen(source->text), source->options);
    char *here = getcwd(NULL, 0); /* -I paths are relative to it */
    bool good = label && nf_cl_append_head(key, label) && nf_cl_append_program(key, nf_cl_compiler()) &&
                nf_cl_append(key, numbers, sizeof numbers) && nf_cl_append_text(key, facts->extensions) &&
                nf_cl_append_text(key, facts->features) && nf_cl_append_text(key, facts->supplied) &&
                nf_cl_append_text(key, source->options) && nf_cl_append_text(key, here) &&
                nf_cl_append_text(key, source->text);
    for (size_t i = 0; i < source->header_count && good; i++)
        good = nf_cl_append_text(key, source->headers[i].name) && nf_cl_append_text(key, source->headers[i].text);
    free(here);
    free(label);
    return good;
}

/* Loads an entry: the log with its NUL, followed by the program's output. @return false if there is none, or if a
 * header has changed. */
static bool take_entry(const struct nf_cl_bytes *key, struct nf_cl_compiled *compiled, struct nf_cl_claim *claim)
{
    struct nf_cl_bytes entry = {NULL, 0};
    if (!nf_cl_store_get_or_claim(kind, key, &entry, claim)) return false;
    const char *end = memchr(entry.data, '\0', entry.size);
    bool good = end != NULL;
    if (good) {
        struct nf_cl_bytes output = {(void *)(end + 1), entry.size - (size_t)(end + 1 - (char *)entry.data)};
        good = split(&output, compiled) && nf_cl_notes_are_valid(compiled->notes);
        if (good) compiled->log = strdup(entry.data);
    }
    free(entry.data);
    return good && compiled->log;
}

static void keep_entry(struct nf_cl_bytes *key, const struct nf_cl_compiled *compiled, const struct nf_cl_bytes *output)
{
    struct nf_cl_bytes entry = {NULL, 0};
    if (nf_cl_append_text(&entry, compiled->log) && nf_cl_append(&entry, output->data, output->size))
        nf_cl_store_put_later(kind, key, &entry);
    free(entry.data);
}

bool nf_cl_compile(const struct nf_cl_source *source, struct nf_cl_compiled *compiled)
{
    const struct nf_cl_config *config = nf_cl_config();
    struct nf_cl_bytes key = {NULL, 0};
    struct nf_cl_outcome outcome = {.message = NULL};
    struct nf_cl_claim claim = {.name = ""};
    *compiled = (struct nf_cl_compiled){.log = NULL};
    bool disk = !config->dump && (config->cache || config->system_cache) && make_key(source, &key);
    bool good = disk && take_entry(&key, compiled, &claim);
    if (!good) {
        nf_cl_compiled_free(compiled);
        good = run(source, compiled, &outcome);
        if (good && disk && outcome.validity == NF_CL_PERMANENT) keep_entry(&key, compiled, &outcome.output);
    }
    nf_cl_claim_release_later(&claim);
    nf_cl_outcome_free(&outcome);
    free(key.data);
    return good;
}

void nf_cl_compiled_free(struct nf_cl_compiled *compiled)
{
    free(compiled->module.data);
    free(compiled->notes.data);
    free(compiled->log);
    *compiled = (struct nf_cl_compiled){.log = NULL};
}
