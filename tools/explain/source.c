/* SPDX-License-Identifier: Apache-2.0 */
/*
 * source.c - finds the source line of an instruction, and the text of the line: in the module if the module contains
 * the text, else, if the user permits it, in the file that the module names. Lines come from OpLine, or from DebugLine
 * of NonSemantic.Shader.DebugInfo, which DPC++ emits.
 */
#define _XOPEN_SOURCE 700

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "tools/explain/explain.h"

enum {
    OP_SOURCE = 3,
    OP_CONSTANT = 43,
    DEBUG_SOURCE = 35,
    DEBUG_LINE = 103,
    DEBUG_NO_LINE = 104,
    LARGEST_SOURCE = 16 << 20
};

/* Returns the number of the debug information instruction at `at`, 0 if it is another instruction. */
static uint32_t debug_number(const struct nf_view *view, uint32_t at)
{
    return nf_view_opcode(view, at) == NF_SPV_EXT_INST && nf_view_is_debug(view, at) ? view->words[at + 4] : 0;
}

/* Returns operand word `index` of the definition of `id`, 0 if it is not an id. */
static uint32_t operand_of(const struct nf_view *view, uint32_t id, uint32_t index)
{
    uint32_t at = id < view->bound ? view->def[id] : 0;
    return at && nf_view_length(view, at) > index && view->words[at + index] < view->bound ? view->words[at + index]
                                                                                           : 0;
}

static void take_debug_line(struct nf_source_walk *walk, uint32_t at)
{
    const struct nf_view *view = walk->view;
    if (nf_view_length(view, at) < 7) return;
    uint32_t line = view->words[at + 6] < view->bound ? view->def[view->words[at + 6]] : 0;
    walk->file = operand_of(view, view->words[at + 5], 5);
    walk->line = line && nf_view_opcode(view, line) == OP_CONSTANT ? view->words[line + 3] : 0;
}

void nf_source_step(struct nf_source_walk *walk, uint32_t at)
{
    const struct nf_view *view = walk->view;
    uint32_t opcode = nf_view_opcode(view, at);
    if (opcode == NF_SPV_LINE && nf_view_length(view, at) >= 3) {
        walk->file = view->words[at + 1] < view->bound ? view->words[at + 1] : 0;
        walk->line = view->words[at + 2];
    } else if (debug_number(view, at) == DEBUG_LINE) {
        take_debug_line(walk, at);
    } else if (opcode == NF_SPV_NO_LINE || opcode == NF_SPV_LABEL || debug_number(view, at) == DEBUG_NO_LINE) {
        walk->file = 0;
    }
}

const char *nf_source_place(const struct nf_source_walk *walk, char *text, size_t size)
{
    uint32_t at = walk->file ? walk->view->def[walk->file] : 0;
    text[0] = '\0';
    if (!at || walk->line == 0 || nf_view_opcode(walk->view, at) != NF_SPV_STRING) return text;
    nf_view_string(walk->view, at + 2, text, size);
    size_t length = strlen(text);
    snprintf(text + length, size - length, ":%u", walk->line);
    return text;
}

const char *nf_source_short(const char *place)
{
    const char *slash = strrchr(place, '/');
    return slash ? slash + 1 : place;
}

/* ---- Text ---- */

/* Returns the word at which the text of the file begins if the instruction at `at` contains it, else 0. */
static uint32_t text_given_at(const struct nf_view *view, uint32_t at, uint32_t file)
{
    uint32_t length = nf_view_length(view, at);
    char begin[16];
    if (nf_view_opcode(view, at) == OP_SOURCE && length > 4 && view->words[at + 3] == file) return at + 4;
    if (length < 7 || debug_number(view, at) != DEBUG_SOURCE || view->words[at + 5] != file) return 0;
    uint32_t string = view->words[at + 6] < view->bound ? view->def[view->words[at + 6]] : 0;
    if (!string || nf_view_opcode(view, string) != NF_SPV_STRING) return 0;
    /* Translators write a checksum as the text if they do not have the text. */
    return strncmp(nf_view_string(view, string + 2, begin, sizeof begin), "//__CSK", 7) == 0 ? 0 : string + 2;
}

/* Returns the text of the file that OpSource or DebugSource contains, without that of continued instructions,
 * malloc'ed. Returns NULL if there is none before the first function, or memory is exhausted. */
static char *text_in_module(const struct nf_view *view, uint32_t file)
{
    for (uint32_t at = NF_SPV_HEADER_WORDS; at < view->count; at += nf_view_length(view, at)) {
        if (nf_view_opcode(view, at) == NF_SPV_FUNCTION) return NULL;
        uint32_t word = text_given_at(view, at, file);
        size_t size = word ? (size_t)(view->count - word) * 4 + 1 : 0;
        char *text = word ? malloc(size) : NULL;
        if (text) return nf_view_string(view, word, text, size);
    }
    return NULL;
}

/* Returns the contents of a regular file, malloc'ed; NULL if it has more than 16 MiB, cannot be opened, or memory is
 * exhausted. */
static char *text_on_disk(const char *path)
{
    struct stat is;
    if (stat(path, &is) < 0 || !S_ISREG(is.st_mode) || is.st_size > LARGEST_SOURCE) return NULL;
    FILE *file = fopen(path, "rb");
    char *text = file ? malloc((size_t)is.st_size + 1) : NULL;
    if (text) text[fread(text, 1, (size_t)is.st_size, file)] = '\0';
    if (file) fclose(file);
    return text;
}

/* Returns the text of the file, which is read only once; NULL if no text is available, or memory is exhausted. */
static const char *text_of(struct nf_sources *sources, const struct nf_view *view, uint32_t file)
{
    for (size_t i = 0; i < sources->count; i++)
        if (sources->list[i].file == file) return sources->list[i].text;
    void *larger = realloc(sources->list, (sources->count + 1) * sizeof *sources->list);
    if (!larger) return NULL;
    sources->list = larger;
    char path[512], *text = text_in_module(view, file);
    if (!text && sources->reads_files)
        text = text_on_disk(nf_view_string(view, view->def[file] + 2, path, sizeof path));
    sources->list[sources->count++] = (struct nf_source_text){file, text};
    return text;
}

const char *nf_source_line(const struct nf_source_walk *walk, char *text, size_t size)
{
    const char *line = walk->file ? text_of(walk->sources, walk->view, walk->file) : NULL;
    text[0] = '\0';
    for (uint32_t i = 1; line && i < walk->line; i++) {
        line = strchr(line, '\n');
        if (line) line++;
    }
    if (line) {
        line += strspn(line, " \t");
        snprintf(text, size, "%.*s", (int)strcspn(line, "\r\n"), line);
    }
    return text;
}

void nf_sources_free(struct nf_sources *sources)
{
    for (size_t i = 0; i < sources->count; i++)
        free(sources->list[i].text);
    free(sources->list);
    memset(sources, 0, sizeof *sources);
}
