/* SPDX-License-Identifier: Apache-2.0 */
/*
 * annotations.c - reads the names, decorations and entry points that affect the text.
 *
 *     OpName %n "count"                                    the identifier count_12
 *     OpDecorate %id BuiltIn GlobalInvocationId            get_global_id()
 *     OpDecorate %i FPRoundingMode RTZ                     convert_float_rtz()
 *
 * The hard case: an annotation may name an id that nothing defines.
 *
 * needs: the module that was read.  gives: name_at, decorations, and NF_ID_BY_VALUE and NF_ID_SHARED in the facts.
 */
#include "emit/internal.h"

enum { DECORATION_VOLATILE = 21, ATTRIBUTE_BY_VALUE = 2 };

const struct nf_decorations *nf_decorations_of(const struct nf_emitter *e, uint32_t id)
{
    static const struct nf_decorations none = {0};
    return id < e->m->bound && e->decorations[id] ? e->decorations[id] : &none;
}

static struct nf_decorations *decorations_to_set(struct nf_emitter *e, uint32_t id)
{
    if (!e->decorations[id]) e->decorations[id] = NF_NEW(e->arena, struct nf_decorations, 1);
    return e->decorations[id];
}

/* Applies the decoration at `at`, an OpDecorate, to `id`. */
static void decorate(struct nf_emitter *e, uint32_t id, uint32_t at)
{
    const struct nf_module *m = e->m;
    uint32_t value = nf_length(m, at) > 3 ? nf_decoration_operand(m, at, 0) : 0;
    if (id >= m->bound) return;
    switch (nf_decoration_at(m, at)) {
    case NF_DECORATION_ALIGNMENT: decorations_to_set(e, id)->align = value; break;
    case NF_DECORATION_BUILT_IN:
        decorations_to_set(e, id)->built_in = (uint16_t)(value < UINT16_MAX ? value + 1 : UINT16_MAX);
        break;
    case NF_DECORATION_CPACKED: decorations_to_set(e, id)->packed = true; break;
    case DECORATION_VOLATILE: decorations_to_set(e, id)->is_volatile = true; break;
    case NF_DECORATION_SATURATED: decorations_to_set(e, id)->saturated = true; break;
    case NF_DECORATION_ROUNDING: decorations_to_set(e, id)->rounding = (uint8_t)(value < 4 ? value + 1 : 0); break;
    case NF_DECORATION_FUNC_PARAM_ATTR:
        if (value == ATTRIBUTE_BY_VALUE) e->facts[id] |= NF_ID_BY_VALUE;
        break;
    default: break;
    }
}

/* Marks a function that several entry points name; nf_function.entry_at is only the last entry point. */
static void note_entry_point(struct nf_emitter *e, uint32_t at)
{
    const struct nf_module *m = e->m;
    uint32_t function = nf_entry_point_function(m, at);
    if (m->functions[m->index_of[function]].entry_at != at) e->facts[function] |= NF_ID_SHARED;
}

void nf_read_annotations(struct nf_emitter *e)
{
    const struct nf_module *m = e->m;
    for (uint32_t at = NF_HEADER_WORDS; at < m->body_at; at = nf_next(m, at)) {
        switch (nf_opcode(m, at)) {
        case OpName:
            if (nf_annotated_id(m, at) < m->bound) e->name_at[nf_annotated_id(m, at)] = at + 2;
            break;
        case OpEntryPoint: note_entry_point(e, at); break;
        case OpDecorate: decorate(e, nf_annotated_id(m, at), at); break;
        default: break;
        }
    }
}
