/* SPDX-License-Identifier: Apache-2.0 */
/*
 * forwarded.c - accesses to private memory through a pointer whose variable is not known are volatile.
 *
 *     %p = OpSelect %_ptr %c %a_1 %b_1                     the same
 *     %x = OpLoad %uint %p Aligned 4                       %x = OpLoad %uint %p Volatile|Aligned 4
 *     OpStore %a_1 %seven Aligned 4                        the same
 *     %y = OpLoad %uint %p Aligned 4                       %y = OpLoad %uint %p Volatile|Aligned 4
 *
 * Mesa takes %x for %y: a store to a private variable only makes its nir_opt_copy_prop_vars forget what it knows of that
 * variable, and nothing of what was loaded from or stored to a pointer that may be the variable's. What is volatile it never
 * knows. A pointer made of an address is such a one, and so is a parameter: but a kernel's own, which is a variable there.
 *
 * needs: read, types.  gives: another module, to be read again.
 */
#include "supply/parts.h"

struct forwarded {
    struct nf_edit to;
    bool *of_variable; /* by id: a pointer into a variable that can be seen */
};

static void find_of_variable(struct forwarded *w, uint32_t at)
{
    const struct nf_module *m = w->to.m;
    const uint32_t *words = m->words + at;
    if (nf_opcode(m, at) == OpVariable)
        w->of_variable[words[2]] = true;
    else if (nf_derives_pointer(nf_op_find(nf_opcode(m, at))->role))
        w->of_variable[words[2]] = w->of_variable[words[3]];
}

static void find_all(struct forwarded *w)
{
    const struct nf_module *m = w->to.m;
    for (uint32_t i = 1; i < m->function_count; i++) {
        const struct nf_function *f = &m->functions[i];
        uint32_t at = f->parameters;
        for (uint32_t k = 0; f->entry_at && k < f->parameter_count; k++, at = nf_next(m, at))
            w->of_variable[m->words[at + 2]] = true;
        for (at = f->body; at && at < f->end; at = nf_next(m, at))
            find_of_variable(w, at);
    }
}

static bool is_unknown(const struct forwarded *w, uint32_t pointer)
{
    return nf_type_of(w->to.m, pointer)->storage == NF_STORAGE_FUNCTION && !w->of_variable[pointer];
}

/* Where the memory operands of an access are that must be volatile; 0: it need not, or is. */
static uint32_t operands_to_change(const struct forwarded *w, uint32_t at)
{
    const struct nf_module *m = w->to.m;
    const uint32_t *words = m->words + at;
    bool wanted = false;
    switch (nf_opcode(m, at)) {
    case OpLoad: wanted = is_unknown(w, words[3]); break;
    case OpStore: wanted = is_unknown(w, words[1]); break;
    case OpCopyMemory:
    case OpCopyMemorySized: wanted = is_unknown(w, words[1]) || is_unknown(w, words[2]); break;
    default: break;
    }
    if (!wanted) return 0;
    uint32_t mask_at = nf_memory_operands_word(nf_op_find(nf_opcode(m, at)));
    return nf_memory_operands(words, nf_length(m, at), mask_at).mask & NF_MEMORY_VOLATILE ? 0 : mask_at;
}

static bool put(struct nf_edit *e, uint32_t at, void *data)
{
    const struct forwarded *w = data;
    uint32_t mask_at = operands_to_change(w, at), start = e->out.count, length = nf_length(e->m, at);
    if (!mask_at) return false;
    nf_edit_keep(e, at, at + length);
    if (mask_at == length) {
        e->out.at[start] = nf_first_word(nf_opcode(e->m, at), length + 1);
        nf_put(&e->out, NF_MEMORY_VOLATILE);
        return true;
    }
    e->out.at[start + mask_at] |= NF_MEMORY_VOLATILE;
    uint32_t second = nf_memory_operands(e->m->words + at, length, mask_at).end; /* a copy's, for what it reads */
    if (second < length) e->out.at[start + second] |= NF_MEMORY_VOLATILE;
    return true;
}

bool nf_supply_forwarded(struct nf_module *m, struct nf_words *out)
{
    struct forwarded w = {nf_edit_begin(m), NF_NEW(m->arena, bool, m->bound)};
    bool any = false;
    find_all(&w);
    for (uint32_t at = m->body_at; at < m->count && !any; at = nf_next(m, at))
        any = operands_to_change(&w, at);
    if (any) *out = nf_edit_functions(&w.to, put, &w);
    return any;
}
