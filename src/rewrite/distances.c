/* SPDX-License-Identifier: Apache-2.0 */
/*
 * distances.c - numbers that are made of distances between addresses alone.
 *
 *     %d = OpISub %ulong %last %first       both of one object, as C asks for: their tags are gone
 *     %n = OpSDiv %ulong %d %4
 *     %z = OpExtInst %ulong %std clz %n     no tag is seen: std::nth_element counts its steps so
 *
 * To the inference the difference of two addresses carries both, as it may be added to an address of either memory. Who looks
 * at its top bits sees those of a number all the same. So where a look would be refused (observed.c), this asks where the number
 * comes from: through arithmetic, variables, arguments of all calls, results. The addresses of a difference must be in
 * the same memories, as far as is known: one that may be a null pointer alone takes nothing off the other.
 *
 * The hard case is a loop that halves the number: what is asked about already is taken for a distance, and the answer is no if
 * any of all that it is made of is none.
 *
 * needs: the evidence of all instances.  gives: an answer.
 */
#include "rewrite/parts.h"

enum { MOST = 256 }; /* values, before nobody knows */

struct search {
    const struct nf_module *m;
    uint32_t ids[MOST], count;
};

static bool ask(struct search *s, uint32_t id)
{
    for (uint32_t i = 0; i < s->count; i++)
        if (s->ids[i] == id) return true;
    if (s->count == MOST) return false;
    s->ids[s->count++] = id;
    return true;
}

static bool ask_operands(struct search *s, uint32_t at, uint32_t first, uint32_t step)
{
    for (uint32_t word = first; word < nf_length(s->m, at); word += step)
        if (!ask(s, s->m->words[at + word])) return false;
    return true;
}

/* ---- Differences ---- */

static bool is_address(const struct nf_module *m, uint32_t id)
{
    return m->def[id] >= m->body_at && nf_opcode(m, m->def[id]) == OpConvertPtrToU;
}

/* Are the two pointers in the same memories, in every instance of their function? */
static bool meet(const struct nf_module *m, const struct nf_function *f, uint32_t x, uint32_t y)
{
    const nf_set tagged = NF_PRIVATE | NF_LOCAL;
    for (uint32_t i = f->analysis->instances; i; i = nf_instance_at(m, i)->next) {
        const struct nf_instance *instance = nf_instance_at(m, i);
        nf_set a = nf_evidence(instance, m->analysis->values[x].node),
               b = nf_evidence(instance, m->analysis->values[y].node);
        if (instance->live && (a ^ b) & tagged) return false;
    }
    return true;
}

static bool is_difference(const struct nf_module *m, uint32_t at)
{
    uint32_t x = m->words[at + 3], y = m->words[at + 4];
    if (!is_address(m, x) || !is_address(m, y)) return false;
    x = nf_operand(m, m->def[x], 0);
    y = nf_operand(m, m->def[y], 0);
    const struct nf_function *f = nf_function_around(m, at);
    return f && m->def[x] >= m->body_at && m->def[y] >= m->body_at && meet(m, f, x, y);
}

/* ---- Where a number comes from ---- */

/* A variable of the function that is only loaded and stored as a whole: by what is stored. */
static bool ask_variable(struct search *s, uint32_t load)
{
    const struct nf_module *m = s->m;
    uint32_t variable = m->words[load + 3];
    const struct nf_function *f = nf_function_around(m, load);
    bool is_one = m->def[variable] >= m->body_at && nf_opcode(m, m->def[variable]) == OpVariable;
    if (!f || !is_one || nf_length(m, m->def[variable]) > 4) return false;
    for (uint32_t at = f->body; at < f->end; at = nf_next(m, at)) {
        struct nf_ids ids = nf_ids_at(m, at);
        while (nf_ids_next(&ids)) {
            uint32_t opcode = nf_opcode(m, at);
            if (m->words[at + ids.at] != variable || opcode == OpLoad || nf_debug_at(m, at) != NF_DEBUG_NONE) continue;
            if (opcode == OpLifetimeStart || opcode == OpLifetimeStop) continue;
            if (opcode != OpStore || m->words[at + 2] == variable || !ask(s, m->words[at + 2])) return false;
        }
    }
    return true;
}

/* What all calls pass; what the host passes to a kernel is a number of its own. */
static bool ask_callers(struct search *s, uint32_t parameter)
{
    const struct nf_module *m = s->m;
    const struct nf_function *f = nf_function_around(m, parameter);
    if (!f || f->exported || f->address_taken) return false;
    uint32_t index = nf_parameter_index(m, f, parameter);
    for (uint32_t at = m->body_at; at < m->count; at = nf_next(m, at)) {
        if (nf_opcode(m, at) != OpFunctionCall || m->words[at + 3] != f->id) continue;
        if (index + 4 >= nf_length(m, at) || !ask(s, m->words[at + 4 + index])) return false;
    }
    return true;
}

static bool ask_callee(struct search *s, uint32_t call)
{
    const struct nf_module *m = s->m;
    const struct nf_function *f = &m->functions[m->index_of[m->words[call + 3]]];
    for (uint32_t at = f->body; f->body && at < f->end; at = nf_next(m, at))
        if (nf_opcode(m, at) == OpReturnValue && !ask(s, m->words[at + 1])) return false;
    return f->body != 0;
}

static bool follow(struct search *s, uint32_t id)
{
    const struct nf_module *m = s->m;
    uint32_t at = m->def[id];
    if (at < m->body_at) return nf_constant(m, id, &(int64_t){0});
    if (nf_role_at(m, at) == NF_ROLE_top_bits) return true;
    switch (nf_opcode(m, at)) {
    case OpISub: return is_difference(m, at) || ask_operands(s, at, 3, 1);
    case OpIAdd:
    case OpIMul:
    case OpSDiv:
    case OpUDiv:
    case OpSRem:
    case OpSMod:
    case OpUMod:
    case OpShiftLeftLogical:
    case OpShiftRightLogical:
    case OpShiftRightArithmetic:
    case OpBitwiseAnd:
    case OpBitwiseOr:
    case OpBitwiseXor:
    case OpNot:
    case OpSNegate:
    case OpSConvert:
    case OpUConvert:
    case OpCopyObject: return ask_operands(s, at, 3, 1);
    case OpSelect: return ask_operands(s, at, 4, 1);
    case OpPhi: return ask_operands(s, at, 3, 2);
    case OpLoad: return ask_variable(s, at);
    case OpFunctionParameter: return ask_callers(s, at);
    case OpFunctionCall: return ask_callee(s, at);
    default: return false;
    }
}

bool nf_is_distance(const struct nf_module *m, uint32_t id)
{
    struct search s = {.m = m, .ids = {id}, .count = 1};
    for (uint32_t i = 0; i < s.count; i++)
        if (!follow(&s, s.ids[i])) return false;
    return true;
}
