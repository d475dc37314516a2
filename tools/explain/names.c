/* SPDX-License-Identifier: Apache-2.0 */
/*
 * names.c - the names of functions and ids, as the page and the printed text show them.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/explain/explain.h"

const char *nf_short_name(const char *name, char *text, size_t size)
{
    const char *at = strncmp(name, "_Z", 2) == 0 ? name + 2 : name, *last = NULL;
    size_t last_length = 0;
    while (at != name && (strncmp(at, "TS", 2) == 0 || *at == 'N' || *at == 'K' || *at == 'L'))
        at += *at == 'T' ? 2 : 1;
    while (at != name && isdigit((unsigned char)*at)) {
        char *begin = NULL;
        unsigned long length = strtoul(at, &begin, 10);
        if (length == 0 || length > strlen(begin)) break;
        last = begin;
        last_length = length;
        at = begin + length;
    }
    if (last)
        snprintf(text, size, "%.*s%s", (int)last_length, last, *at == 'I' ? "<...>" : "");
    else
        snprintf(text, size, "%s", name);
    return text;
}

/* ---- Ids ---- */

enum {
    OP_VOID = 19,
    OP_BOOL = 20,
    OP_INT = 21,
    OP_FLOAT = 22,
    OP_VECTOR = 23,
    OP_ARRAY = 28,
    OP_STRUCT = 30,
    OP_CONSTANT = 43
};

static const char *storage_name(uint32_t storage)
{
    switch (storage) {
    case 0: return "constant";
    case 1: return "input";
    case 4: return "local";
    case 5: return "global";
    case 6:
    case 7: return "private";
    case NF_SPV_STORAGE_GENERIC: return "generic";
    default: return "other";
    }
}

static const char *type_text(const struct nf_view *view, uint32_t id, int depth, char *text, size_t size)
{
    uint32_t at = id < view->bound ? view->def[id] : 0, length = at ? nf_view_length(view, at) : 0;
    const uint32_t *words = view->words + at;
    char part[64];
    snprintf(text, size, "%%%u", id);
    if (!at || depth > 3) return text;
    switch (nf_view_opcode(view, at)) {
    case OP_VOID: snprintf(text, size, "void"); break;
    case OP_BOOL: snprintf(text, size, "bool"); break;
    case OP_INT:
        if (length > 2) snprintf(text, size, "int%u", words[2]);
        break;
    case OP_FLOAT:
        if (length > 2) snprintf(text, size, "float%u", words[2]);
        break;
    case OP_VECTOR:
        if (length > 3)
            snprintf(text, size, "%sx%u", type_text(view, words[2], depth + 1, part, sizeof part), words[3]);
        break;
    case OP_ARRAY:
        if (length > 3) snprintf(text, size, "%s[]", type_text(view, words[2], depth + 1, part, sizeof part));
        break;
    case OP_STRUCT:
        if (view->name[id]) nf_view_string(view, view->name[id], text, size);
        break;
    case NF_SPV_TYPE_POINTER:
        if (length > 3)
            snprintf(text, size, "%s %s*", type_text(view, words[3], depth + 1, part, sizeof part),
                     storage_name(words[2]));
        break;
    case NF_SPV_TYPE_UNTYPED_POINTER:
        if (length > 2) snprintf(text, size, "%s*", storage_name(words[2]));
        break;
    default: break;
    }
    return text;
}

const char *nf_id_text(const struct nf_view *view, uint32_t id, char *text, size_t size)
{
    uint32_t at = id < view->bound ? view->def[id] : 0;
    if (at && view->is_type[id]) return type_text(view, id, 0, text, size);
    uint32_t type = at && nf_view_opcode(view, at) == OP_CONSTANT ? view->def[view->words[at + 1]] : 0;
    if (type && nf_view_opcode(view, type) == OP_INT && nf_view_length(view, at) <= 5 && nf_view_length(view, at) > 3) {
        uint64_t value = view->words[at + 3];
        if (nf_view_length(view, at) > 4) value |= (uint64_t)view->words[at + 4] << 32;
        snprintf(text, size, "%llu", (unsigned long long)value);
        return text;
    }
    snprintf(text, size, "%%");
    if (id < view->bound && view->name[id]) nf_view_string(view, view->name[id], text + 1, size - 1);
    if (!text[1]) snprintf(text + 1, size - 1, "%u", id);
    return text;
}

void nf_put_escaped(FILE *file, const char *text, size_t length)
{
    for (size_t i = 0; i < length && text[i]; i++) {
        unsigned char c = (unsigned char)text[i];
        if (c == '<')
            fputs("&lt;", file);
        else if (c == '>')
            fputs("&gt;", file);
        else if (c == '&')
            fputs("&amp;", file);
        else if (c == '"')
            fputs("&quot;", file);
        else if (c >= 0x20 || c == '\t')
            putc(c, file);
        else
            putc('?', file);
    }
}

const char *nf_clone_text(const struct nf_explain *e, uint32_t out_index, char text[32])
{
    uint32_t all = 0, position = 0;
    for (uint32_t i = 0; i < e->out.function_count; i++) {
        if (!e->origin[out_index] || e->origin[i] != e->origin[out_index]) continue;
        all++;
        if (i <= out_index) position++;
    }
    text[0] = '\0';
    if (all > 1) snprintf(text, 32, "%u of %u", position, all);
    return text;
}

bool nf_has_output_version(const struct nf_explain *e, uint32_t in_index)
{
    for (uint32_t i = 0; i < e->out.function_count; i++)
        if (e->origin[i] == in_index + 1) return true;
    return e->out.words == NULL;
}
