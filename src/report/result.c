/* SPDX-License-Identifier: Apache-2.0 */
/*
 * result.c - makes the nf_result, which outlives the call, and answers queries about it.
 *
 * The result owns the memory of the output, which leaves the arena, and copies of other contents of the arena, made
 * with the caller's allocator.
 *
 * needs: the module after its last stage, whether that stage succeeded or failed.  gives: the nf_result.
 */
#include "report/report.h"

struct nf_result {
    nf_allocator allocator;
    nf_outcome outcome;
    nf_counts counts;
    size_t size;
    uint32_t *made;             /* the output, taken over from the arena; NULL: none, or it equals the input */
    void *unchanged;            /* a copy of the input, if it is the output; or NULL */
    char *text;                 /* the output in OpenCL C, taken over from the arena; or NULL */
    nf_renamed_kernel *renamed; /* followed by their names in the same block */
    uint32_t renamed_count;
    char *log, *report;
    nf_ambiguous_access *ambiguities; /* followed by their texts in the same block */
    uint32_t ambiguity_count;
    struct nf_inference inference;
};

/* Returns a copy of `size` bytes, followed by `room` zero bytes, or NULL if the allocation fails. The allocation has at
 * least one byte, so that NULL always means a failure. */
static void *keep(const nf_allocator *allocator, const void *source, size_t size, size_t room)
{
    char *copy = allocator->allocate(allocator->user, size + room ? size + room : 1);
    if (!copy) return NULL;
    if (size) memcpy(copy, source, size);
    memset(copy + size, 0, room);
    return copy;
}

/* Takes over the output, to limit the peak of memory, or copies the unchanged input; returns false if that fails. */
static bool keep_output(nf_result *r, const struct nf_module *m, struct nf_words *output, const void *module,
                        size_t size)
{
    r->size = output->count ? (size_t)output->count * 4 : size;
    if (!output->count) return (r->unchanged = keep(&r->allocator, module, size, 0));
    nf_arena_detach(m->arena, output->at);
    r->made = output->at;
    for (uint32_t i = 0; m->swapped && i < output->count; i++)
        r->made[i] = nf_swapped(r->made[i]);
    return true;
}

/* ---- OpenCL C ---- */

static char *keep_name(const char **name, char *room)
{
    size_t size = strlen(*name) + 1;
    *name = memcpy(room, *name, size);
    return room + size;
}

static bool keep_text(nf_result *r, const struct nf_module *m, const struct nf_text_output *text)
{
    size_t bytes = 0;
    for (uint32_t i = 0; i < text->renamed_count; i++)
        bytes += strlen(text->renamed[i].name) + strlen(text->renamed[i].c_name) + 2;
    r->renamed_count = text->renamed_count;
    r->renamed = keep(&r->allocator, text->renamed, text->renamed_count * sizeof *r->renamed, bytes);
    if (!r->renamed) return false;
    char *room = (char *)(r->renamed + text->renamed_count);
    for (uint32_t i = 0; i < text->renamed_count; i++)
        room = keep_name(&r->renamed[i].c_name, keep_name(&r->renamed[i].name, room));
    nf_arena_detach(m->arena, text->text.at);
    r->text = text->text.at;
    r->size = text->text.count;
    return true;
}

/* ---- Ambiguities ---- */

enum { TEXTS = 4 + 5 };

static void list_texts(nf_ambiguous_access *a, const char **texts[TEXTS])
{
    texts[0] = &a->kernel_name;
    texts[1] = &a->function_name;
    texts[2] = &a->opcode_name;
    texts[3] = &a->source;
    for (int i = 0; i < 5; i++)
        texts[4 + i] = &a->because[i];
}

static size_t text_bytes(nf_ambiguous_access *a)
{
    const char **texts[TEXTS];
    size_t bytes = 0;
    list_texts(a, texts);
    for (int i = 0; i < TEXTS; i++)
        if (*texts[i]) bytes += strlen(*texts[i]) + 1;
    return bytes;
}

static char *keep_texts(nf_ambiguous_access *a, char *room)
{
    const char **texts[TEXTS];
    list_texts(a, texts);
    for (int i = 0; i < TEXTS; i++) {
        if (!*texts[i]) continue;
        size_t size = strlen(*texts[i]) + 1;
        *texts[i] = memcpy(room, *texts[i], size);
        room += size;
    }
    return room;
}

static nf_ambiguous_access *keep_ambiguities(const nf_allocator *allocator, const struct nf_account *account)
{
    size_t bytes = 0;
    for (uint32_t i = 0; i < account->ambiguity_count; i++)
        bytes += text_bytes(&account->ambiguities[i]);
    nf_ambiguous_access *copy = keep(allocator, account->ambiguities, account->ambiguity_count * sizeof *copy, bytes);
    char *room = copy ? (char *)(copy + account->ambiguity_count) : NULL;
    for (uint32_t i = 0; copy && i < account->ambiguity_count; i++)
        room = keep_texts(&copy[i], room);
    return copy;
}

/* ---- Inference ---- */

static bool keep_inference(const nf_allocator *allocator, const struct nf_inference *from, struct nf_inference *to)
{
    *to = (struct nf_inference){.instance_count = from->instance_count};
    if (!from->instance_count) return true;
    to->instances = keep(allocator, from->instances, from->instance_count * sizeof *to->instances, 0);
    to->ends = keep(allocator, from->ends, from->instance_count * sizeof *to->ends, 0);
    to->pointers = keep(allocator, from->pointers, from->pointer_count * sizeof *to->pointers, 0);
    to->calls = keep(allocator, from->calls, from->call_count * sizeof *to->calls, 0);
    to->accesses = keep(allocator, from->accesses, from->access_count * sizeof *to->accesses, 0);
    return to->instances && to->ends && to->pointers && to->calls && to->accesses;
}

/* ---- The result ---- */

nf_status nf_keep_result(const struct nf_module *m, const struct nf_account *account, nf_outcome outcome,
                         struct nf_words *output, const struct nf_text_output *text,
                         const struct nf_inference *inference, const void *module, size_t size, nf_result **result)
{
    const nf_allocator *allocator = &m->arena->allocator;
    nf_result *r = allocator->allocate(allocator->user, sizeof *r);
    if (!r) return NF_OUT_OF_MEMORY;
    *r = (nf_result){.allocator = *allocator, .counts = account->counts, .outcome = outcome};
    r->counts.kernels = m->kernel_count;
    r->ambiguity_count = account->ambiguity_count;
    r->log = keep(allocator, account->log.at, account->log.count, 1);
    r->report = keep(allocator, account->report.at, account->report.count, 1);
    r->ambiguities = keep_ambiguities(allocator, account);
    bool kept = keep_inference(allocator, inference, &r->inference);
    if (m->arena->failure.status == NF_OK)
        kept &= text->text.count ? keep_text(r, m, text) : keep_output(r, m, output, module, size);
    if (!kept || !r->log || !r->report || !r->ambiguities) {
        nf_result_free(r);
        return NF_OUT_OF_MEMORY;
    }
    *result = r;
    return m->arena->failure.status;
}

void nf_result_free(nf_result *result)
{
    if (!result) return;
    nf_allocator allocator = result->allocator;
    struct nf_inference *inference = &result->inference;
    void *const blocks[] = {result->unchanged,   result->log,          result->report,
                            result->ambiguities, inference->instances, inference->ends,
                            inference->pointers, inference->calls,     inference->accesses};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++)
        if (blocks[i]) allocator.release(allocator.user, blocks[i]);
    if (result->renamed) allocator.release(allocator.user, result->renamed);
    nf_release(&allocator, result->made);
    nf_release(&allocator, result->text);
    allocator.release(allocator.user, result);
}

nf_outcome nf_result_outcome(const nf_result *result)
{
    return result->outcome;
}

const void *nf_result_bytes(const nf_result *result)
{
    if (result->text) return result->text;
    return result->made ? result->made : result->unchanged;
}

size_t nf_result_size(const nf_result *result)
{
    return result->size;
}

const nf_renamed_kernel *nf_result_renamed_kernels(const nf_result *result, size_t *count)
{
    *count = result->renamed_count;
    return *count ? result->renamed : NULL;
}

const char *nf_result_log(const nf_result *result)
{
    return result->log;
}

const char *nf_result_report(const nf_result *result)
{
    return result->report;
}

nf_counts nf_result_counts(const nf_result *result)
{
    return result->counts;
}

const nf_ambiguous_access *nf_result_ambiguities(const nf_result *result, size_t *count)
{
    *count = result->ambiguity_count;
    return *count ? result->ambiguities : NULL;
}

size_t nf_result_instance_count(const nf_result *result)
{
    return result->inference.instance_count;
}

const nf_instance_info *nf_result_instance(const nf_result *result, size_t index)
{
    return &result->inference.instances[index];
}

const nf_pointer_info *nf_result_pointers(const nf_result *result, size_t index, size_t *count)
{
    const struct nf_inference *inference = &result->inference;
    uint32_t begin = index ? inference->ends[index - 1].pointers : 0;
    *count = inference->ends[index].pointers - begin;
    return inference->pointers + begin;
}

const nf_call_info *nf_result_calls(const nf_result *result, size_t index, size_t *count)
{
    const struct nf_inference *inference = &result->inference;
    uint32_t begin = index ? inference->ends[index - 1].calls : 0;
    *count = inference->ends[index].calls - begin;
    return inference->calls + begin;
}

const nf_access_info *nf_result_accesses(const nf_result *result, size_t index, size_t *count)
{
    const struct nf_inference *inference = &result->inference;
    uint32_t begin = index ? inference->ends[index - 1].accesses : 0;
    *count = inference->ends[index].accesses - begin;
    return inference->accesses + begin;
}
