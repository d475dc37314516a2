/* SPDX-License-Identifier: Apache-2.0 */
/*
 * view.c - reads a module into the arrays of nf_view. Checks all bounds, although the core has read the module before.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/modules/modules.h"

enum { LARGEST_BOUND = 0x3fffff };

static uint32_t swap(uint32_t word)
{
    return word >> 24 | (word >> 8 & 0xff00) | (word << 8 & 0xff0000) | word << 24;
}

static int take_words(struct nf_view *view, const void *bytes, size_t size)
{
    view->count = (uint32_t)(size / 4);
    if (size / 4 < NF_SPV_HEADER_WORDS || size / 4 > UINT32_MAX / 2) return -1;
    view->words = malloc(size);
    if (!view->words) return -1;
    memcpy(view->words, bytes, (size_t)view->count * 4);
    if (view->words[0] == swap(NF_SPV_MAGIC))
        for (uint32_t i = 0; i < view->count; i++)
            view->words[i] = swap(view->words[i]);
    view->version = view->words[1];
    view->bound = view->words[3];
    if (view->words[0] != NF_SPV_MAGIC || view->bound > LARGEST_BOUND) return -1;
    for (uint32_t at = NF_SPV_HEADER_WORDS; at < view->count; at += nf_view_length(view, at))
        if (nf_view_length(view, at) == 0 || nf_view_length(view, at) > view->count - at) return -1;
    return 0;
}

/* Returns true for the opcodes of type declarations; OpTypeForwardPointer (39) declares no type. */
static bool declares_type(uint32_t opcode)
{
    return (opcode >= 19 && opcode <= 38) || opcode == 322 || opcode == 327 || opcode == 4417 || opcode == 4456 ||
           opcode == 6086 || (opcode >= 5698 && opcode <= 5720 && opcode != 5699);
}

static int holds_generic(const struct nf_view *view, uint32_t at)
{
    uint32_t opcode = nf_view_opcode(view, at), length = nf_view_length(view, at);
    if (opcode == NF_SPV_TYPE_POINTER || opcode == NF_SPV_TYPE_UNTYPED_POINTER)
        return length > 2 && view->words[at + 2] == NF_SPV_STORAGE_GENERIC;
    if (opcode == NF_SPV_TYPE_VECTOR || opcode == NF_SPV_TYPE_ARRAY)
        return length > 2 && view->words[at + 2] < view->bound && view->is_generic[view->words[at + 2]];
    for (uint32_t i = 2; opcode == NF_SPV_TYPE_STRUCT && i < length; i++)
        if (view->words[at + i] < view->bound && view->is_generic[view->words[at + i]]) return 1;
    return 0;
}

uint32_t nf_view_result(const struct nf_view *view, uint32_t at)
{
    uint32_t opcode = nf_view_opcode(view, at), length = nf_view_length(view, at);
    if (length < 2 || opcode == NF_SPV_LOOP_CONTROL) return 0;
    uint32_t first = view->words[at + 1];
    if (opcode == NF_SPV_LABEL) return first < view->bound ? first : 0;
    if (length < 3 || first >= view->bound || !view->is_type[first]) return 0;
    return view->words[at + 2] < view->bound ? view->words[at + 2] : 0;
}

static void note_declaration(struct nf_view *view, uint32_t at)
{
    uint32_t opcode = nf_view_opcode(view, at), length = nf_view_length(view, at);
    uint32_t first = length > 1 ? view->words[at + 1] : 0;
    bool is_type = declares_type(opcode);
    uint32_t result = is_type || opcode == NF_SPV_STRING || opcode == NF_SPV_EXT_INST_IMPORT ? first : 0;
    if (is_type && first < view->bound) {
        view->is_type[first] = 1;
        view->is_generic[first] = (uint8_t)holds_generic(view, at);
    }
    if (opcode == NF_SPV_NAME && length > 2 && first < view->bound) view->name[first] = at + 2;
    /* An imported function often has only a linkage name. */
    if (opcode == NF_SPV_DECORATE && length > 4 && view->words[at + 2] == NF_SPV_LINKAGE_ATTRIBUTES &&
        first < view->bound && !view->name[first])
        view->name[first] = at + 3;
    bool has_type = (opcode >= 41 && opcode <= 52) || opcode == 59 || opcode == 1 || opcode == NF_SPV_EXT_INST ||
                    opcode == 4418 || opcode >= 5600;
    if (!result && has_type) result = nf_view_result(view, at);
    if (result && result < view->bound) view->def[result] = at;
}

static void note_mention(struct nf_view *view, struct nf_view_function *function, uint32_t at)
{
    uint32_t opcode = nf_view_opcode(view, at), length = nf_view_length(view, at);
    uint32_t first = length > 1 ? view->words[at + 1] : 0;
    if (first < view->bound && view->is_generic[first] && opcode != NF_SPV_LOOP_CONTROL) function->mentions_generic = 1;
    /* Operands are checked as well, because a constant of generic pointer type is defined outside the function. */
    uint32_t begin = opcode == NF_SPV_LOAD            ? 3
                     : opcode == NF_SPV_STORE         ? 1
                     : opcode == NF_SPV_FUNCTION_CALL ? 4
                                                      : length;
    uint32_t end = opcode == NF_SPV_LOAD ? 4 : opcode == NF_SPV_STORE ? 3 : length;
    for (uint32_t i = begin; i < end && i < length; i++) {
        uint32_t id = view->words[at + i], def = id < view->bound ? view->def[id] : 0;
        uint32_t type = def && def < function->at ? view->words[def + 1] : 0;
        if (type < view->bound && view->is_generic[type]) function->mentions_generic = 1;
    }
}

static void note_function(struct nf_view *view, uint32_t at)
{
    struct nf_view_function *function = &view->functions[view->function_count++];
    uint32_t id = nf_view_length(view, at) > 2 ? view->words[at + 2] : 0;
    *function = (struct nf_view_function){.id = id < view->bound ? id : 0, .at = at};
    view->function_index[function->id] = view->function_count;
    for (; at < view->count; at += nf_view_length(view, at)) {
        uint32_t result = nf_view_result(view, at);
        if (result) view->def[result] = at;
        note_mention(view, function, at);
        if (nf_view_opcode(view, at) == NF_SPV_FUNCTION_END) break;
    }
    function->end = at < view->count ? at + nf_view_length(view, at) : view->count;
}

/* Sets `entry` of the kernels. Called after all functions are known, because entry points come before them. */
static void note_kernels(struct nf_view *view)
{
    for (uint32_t at = NF_SPV_HEADER_WORDS; at < view->count; at += nf_view_length(view, at)) {
        if (nf_view_opcode(view, at) == NF_SPV_FUNCTION) break;
        if (nf_view_opcode(view, at) != NF_SPV_ENTRY_POINT || nf_view_length(view, at) < 4) continue;
        uint32_t id = view->words[at + 2];
        if (view->words[at + 1] != NF_SPV_KERNEL || id >= view->bound || !view->function_index[id]) continue;
        view->functions[view->function_index[id] - 1].entry = at;
        view->kernel_count++;
    }
}

int nf_view_open(struct nf_view *view, const void *bytes, size_t size)
{
    memset(view, 0, sizeof *view);
    if (take_words(view, bytes, size) < 0) return -1;
    uint32_t functions = 0;
    for (uint32_t at = NF_SPV_HEADER_WORDS; at < view->count; at += nf_view_length(view, at))
        functions += nf_view_opcode(view, at) == NF_SPV_FUNCTION;
    size_t ids = (size_t)view->bound + 1;
    view->def = calloc(ids, sizeof *view->def);
    view->name = calloc(ids, sizeof *view->name);
    view->is_type = calloc(ids, 1);
    view->is_generic = calloc(ids, 1);
    view->function_index = calloc(ids, sizeof *view->function_index);
    view->functions = calloc((size_t)functions + 1, sizeof *view->functions);
    if (!view->def || !view->name || !view->is_type || !view->is_generic || !view->function_index || !view->functions)
        return -1;
    for (uint32_t at = NF_SPV_HEADER_WORDS; at < view->count;) {
        if (nf_view_opcode(view, at) == NF_SPV_FUNCTION) {
            note_function(view, at);
            at = view->functions[view->function_count - 1].end;
            continue;
        }
        note_declaration(view, at);
        at += nf_view_length(view, at);
    }
    note_kernels(view);
    return 0;
}

void nf_view_close(struct nf_view *view)
{
    free(view->words);
    free(view->def);
    free(view->name);
    free(view->is_type);
    free(view->is_generic);
    free(view->function_index);
    free(view->functions);
    memset(view, 0, sizeof *view);
}

char *nf_view_string(const struct nf_view *view, uint32_t word, char *text, size_t size)
{
    size_t length = 0;
    for (; word < view->count && length + 1 < size; word++) {
        for (int shift = 0; shift < 32 && length + 1 < size; shift += 8) {
            text[length] = (char)(view->words[word] >> shift & 0xff);
            if (!text[length++]) return text;
        }
    }
    text[length] = '\0';
    return text;
}

char *nf_view_function_name(const struct nf_view *view, const struct nf_view_function *function, char *text,
                            size_t size)
{
    if (function->entry) return nf_view_string(view, function->entry + 3, text, size);
    if (view->name[function->id]) nf_view_string(view, view->name[function->id], text, size);
    if (!view->name[function->id] || !*text) snprintf(text, size, "%%%u", function->id);
    return text;
}

bool nf_view_is_debug(const struct nf_view *view, uint32_t at)
{
    uint32_t opcode = nf_view_opcode(view, at);
    if (opcode == NF_SPV_LINE || opcode == NF_SPV_NO_LINE) return true;
    if (opcode != NF_SPV_EXT_INST || nf_view_length(view, at) < 5 || view->words[at + 3] >= view->bound) return false;
    uint32_t set = view->def[view->words[at + 3]];
    char name[64] = "";
    if (set && nf_view_opcode(view, set) == NF_SPV_EXT_INST_IMPORT) nf_view_string(view, set + 2, name, sizeof name);
    return strstr(name, "DebugInfo") != NULL;
}

uint32_t nf_view_storage(const struct nf_view *view, uint32_t type_id)
{
    uint32_t at = type_id < view->bound ? view->def[type_id] : 0;
    if (!at || nf_view_length(view, at) < 3) return UINT32_MAX;
    uint32_t opcode = nf_view_opcode(view, at);
    return opcode == NF_SPV_TYPE_POINTER || opcode == NF_SPV_TYPE_UNTYPED_POINTER ? view->words[at + 2] : UINT32_MAX;
}

int nf_view_reach(const struct nf_view *view, uint32_t from, uint8_t *mark)
{
    uint32_t *queue = malloc(((size_t)view->function_count + 1) * sizeof *queue), head = 0, tail = 0;
    if (!queue) return -1;
    memset(mark, 0, view->function_count);
    mark[from] = 1;
    queue[tail++] = from;
    while (head < tail) {
        const struct nf_view_function *f = &view->functions[queue[head++]];
        for (uint32_t at = f->at; at < f->end; at += nf_view_length(view, at)) {
            if (nf_view_opcode(view, at) != NF_SPV_FUNCTION_CALL || nf_view_length(view, at) < 4) continue;
            uint32_t callee = view->words[at + 3] < view->bound ? view->function_index[view->words[at + 3]] : 0;
            if (!callee || mark[callee - 1]) continue;
            mark[callee - 1] = 1;
            queue[tail++] = callee - 1;
        }
    }
    free(queue);
    return 0;
}
