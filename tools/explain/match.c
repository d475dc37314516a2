/* SPDX-License-Identifier: Apache-2.0 */
/*
 * match.c - maps functions and lines of the output to functions and lines of the input.
 *
 * The core reports the input function of each instance that it wrote to the output; one instance of a function keeps
 * the ids: the one for unknown callers, else an open one, else the first. Output functions without an instance are
 * matched by the names of kernels, or by their ids.
 */
#include <stdlib.h>
#include <string.h>

#include "tools/explain/explain.h"

bool nf_is_helper(const struct nf_view *output, const struct nf_view_function *function)
{
    char name[16];
    uint32_t word = output->name[function->id];
    return word && strncmp(nf_view_string(output, word, name, sizeof name), "nonflat.", 8) == 0;
}

/* Returns 1 + the index of the input kernel with the same name if `out` is a kernel and there is one, else of the input
 * function with the same id; 0 if there is none, or `out` is a helper function. */
static uint32_t find_origin(const struct nf_explain *e, const struct nf_view_function *out)
{
    char wanted[512], name[512];
    if (nf_is_helper(&e->out, out)) return 0;
    for (uint32_t i = 0; out->entry && i < e->in.function_count; i++) {
        const struct nf_view_function *in = &e->in.functions[i];
        if (in->entry && strcmp(nf_view_function_name(&e->out, out, wanted, sizeof wanted),
                                nf_view_function_name(&e->in, in, name, sizeof name)) == 0)
            return i + 1;
    }
    return out->id < e->in.bound ? e->in.function_index[out->id] : 0;
}

int nf_match_functions(struct nf_explain *e)
{
    const nf_result *result = e->facts->result;
    e->origin = calloc((size_t)e->out.function_count + 1, sizeof *e->origin);
    if (!e->origin) return -1;
    for (uint32_t i = 0; i < e->out.function_count; i++)
        e->origin[i] = find_origin(e, &e->out.functions[i]);
    for (size_t i = 0; i < nf_result_instance_count(result); i++) {
        const nf_instance_info *instance = nf_result_instance(result, i);
        uint32_t index = instance->output < e->out.bound ? e->out.function_index[instance->output] : 0;
        if (index && instance->function < e->in.bound) e->origin[index - 1] = e->in.function_index[instance->function];
    }
    return 0;
}

/* ---- Lines ---- */

/* Returns true if instruction `b` of the output may come from `a` of the input. Compares the result ids; in a clone,
 * whose ids differ, and if `a` has no result, compares the opcodes and whether both have a result. */
static bool is_same(const struct nf_explain *e, uint32_t a, uint32_t b, bool keeps_ids)
{
    uint32_t x = nf_view_result(&e->in, a), y = nf_view_result(&e->out, b);
    if (x && keeps_ids) return x == y;
    return nf_view_opcode(&e->in, a) == nf_view_opcode(&e->out, b) && !x == !y;
}

/* Marks the rows whose instructions are equal if each id of the output is replaced by the id in the same row of the
 * input. */
static void mark_same(const struct nf_explain *e, struct nf_row *rows, size_t count)
{
    uint32_t *stands_for = calloc((size_t)e->in.bound + 1, sizeof *stands_for);
    for (size_t i = 0; stands_for && i < count; i++) {
        uint32_t result = rows[i].in && rows[i].out ? nf_view_result(&e->in, rows[i].in) : 0;
        if (result) stands_for[result] = nf_view_result(&e->out, rows[i].out);
    }
    for (size_t i = 0; stands_for && i < count; i++) {
        if (!rows[i].in || !rows[i].out) continue;
        const uint32_t *a = e->in.words + rows[i].in, *b = e->out.words + rows[i].out;
        rows[i].is_same = a[0] == b[0];
        for (uint32_t k = 1; k < a[0] >> 16 && rows[i].is_same; k++)
            rows[i].is_same = a[k] == b[k] || (a[k] < e->in.bound && stands_for[a[k]] && stands_for[a[k]] == b[k]);
    }
    free(stands_for);
}

/* Merges rows that have only an instruction of the input with the following rows that have only one of the output:
 * [a,-] [b,-] [-,x] becomes [a,x] [b,-]. Returns the new number of rows. */
static size_t merge_rows(struct nf_row *rows, size_t count)
{
    size_t kept = 0;
    for (size_t i = 0; i < count;) {
        size_t gone = i, come;
        while (gone < count && rows[gone].in && !rows[gone].out)
            gone++;
        for (come = gone; come < count && !rows[come].in && rows[come].out;)
            come++;
        size_t left = gone - i, right = come - gone, both = left > right ? left : right;
        for (size_t k = 0; k < both; k++) {
            uint32_t out = k < right ? rows[gone + k].out : 0;
            rows[kept++] = (struct nf_row){k < left ? rows[i + k].in : 0, out, 0};
        }
        if (both == 0) rows[kept++] = rows[i];
        i = both ? come : i + 1;
    }
    return kept;
}

/* The rows under construction. */
struct rows {
    const struct nf_explain *e;
    struct nf_row *list;
    size_t count;
    bool keeps_ids;
};

/* Matches words [a, a_end) of the input with words [b, b_end) of the output. */
static void match_words(struct rows *r, uint32_t a, uint32_t a_end, uint32_t b, uint32_t b_end)
{
    enum { BY_ID = 60, BY_OPCODE = 8 };
    const struct nf_view *in = &r->e->in, *out = &r->e->out;
    for (; a < a_end; a += nf_view_length(in, a)) {
        uint32_t ahead = b;
        int steps = 0, farthest = r->keeps_ids && nf_view_result(in, a) ? BY_ID : BY_OPCODE;
        while (ahead < b_end && steps < farthest && !is_same(r->e, a, ahead, r->keeps_ids)) {
            ahead += nf_view_length(out, ahead);
            steps++;
        }
        bool is_found = ahead < b_end && steps < farthest;
        for (; is_found && b < ahead; b += nf_view_length(out, b))
            r->list[r->count++] = (struct nf_row){0, b, 0};
        r->list[r->count++] = (struct nf_row){a, is_found ? b : 0, 0};
        if (is_found) b += nf_view_length(out, b);
    }
    for (; b < b_end; b += nf_view_length(out, b))
        r->list[r->count++] = (struct nf_row){0, b, 0};
}

/* Finds the sections of a function: its head, each basic block, OpFunctionEnd. Sets `*parts` to their beginnings and
 * the end of the last, malloc'ed. Returns the number of sections, 0 if memory is exhausted. */
static size_t find_parts(const struct nf_view *view, const struct nf_view_function *function, uint32_t **parts)
{
    size_t count = 0;
    *parts = malloc(((size_t)(function->end - function->at) + 2) * sizeof **parts);
    if (!*parts) return 0;
    for (uint32_t at = function->at; at < function->end; at += nf_view_length(view, at)) {
        uint32_t opcode = nf_view_opcode(view, at);
        if (at == function->at || opcode == NF_SPV_LABEL || opcode == NF_SPV_FUNCTION_END) (*parts)[count++] = at;
    }
    (*parts)[count] = function->end;
    return count;
}

/* Returns the key of a section: the label of a block, 0 for the head, UINT32_MAX for OpFunctionEnd. */
static uint32_t key_of(const struct nf_view *view, uint32_t at)
{
    uint32_t opcode = nf_view_opcode(view, at);
    return opcode == NF_SPV_LABEL ? nf_view_result(view, at) : opcode == NF_SPV_FUNCTION_END ? UINT32_MAX : 0;
}

/* Replaces, for each section, the word offset by the key of the section. In a clone the labels have other ids, but the
 * blocks are usually in the same order as in the version that kept the ids; if the two have different numbers of
 * sections, the clone's own labels are the keys. */
static void find_keys(const struct nf_explain *e, const struct nf_view_function *in, const struct nf_view_function *out,
                      uint32_t *keys, size_t count)
{
    uint32_t index = in->id < e->out.bound ? e->out.function_index[in->id] : 0, *parts = NULL;
    const struct nf_view_function *model = index && in->id != out->id ? &e->out.functions[index - 1] : NULL;
    bool has_model = model && find_parts(&e->out, model, &parts) == count;
    for (size_t i = 0; i < count; i++)
        keys[i] = key_of(&e->out, has_model ? parts[i] : keys[i]);
    free(parts);
}

/* Matches the sections of a function. The output's blocks may be in another order: each block is matched with the
 * output's block of the same label, and with the new blocks after it, into which the block may have been split. */
static void match_parts(struct rows *r, const struct nf_view_function *in, const struct nf_view_function *out)
{
    uint32_t *a = NULL, *b = NULL, *keys = NULL;
    size_t a_count = find_parts(&r->e->in, in, &a), b_count = find_parts(&r->e->out, out, &b);
    keys = a_count && b_count ? calloc(b_count, sizeof *keys) : NULL;
    if (keys) {
        memcpy(keys, b, b_count * sizeof *keys);
        find_keys(r->e, in, out, keys, b_count);
    }
    for (size_t i = 0; keys && i < a_count; i++) {
        uint32_t key = key_of(&r->e->in, a[i]);
        size_t k = 0, end;
        while (k < b_count && keys[k] != key)
            k++;
        for (end = k + 1; end < b_count && keys[end] >= r->e->in.bound && keys[end] != UINT32_MAX;)
            end++;
        match_words(r, a[i], a[i + 1], k < b_count ? b[k] : 0, k < b_count ? b[end] : 0);
    }
    free(a);
    free(b);
    free(keys);
}

struct nf_row *nf_match_lines(const struct nf_explain *e, const struct nf_view_function *in,
                              const struct nf_view_function *out, size_t *count)
{
    size_t most = in->end - in->at + (out ? out->end - out->at : 0) + 1;
    struct rows r = {e, malloc(most * sizeof *r.list), 0, out && in->id == out->id};
    *count = 0;
    if (!r.list) return NULL;
    if (out)
        match_parts(&r, in, out);
    else
        match_words(&r, in->at, in->end, 0, 0);
    *count = merge_rows(r.list, r.count);
    mark_same(e, r.list, *count);
    return r.list;
}
