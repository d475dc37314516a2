/* SPDX-License-Identifier: Apache-2.0 */
/*
 * composites.c - writes operations on vectors, arrays and structures that are values.
 *
 *     OpCompositeExtract %v 1         v.s1
 *     OpCompositeInsert %x %s 0 2     T12 v9 = s; v9.m0.a[2] = x;
 *     OpVectorShuffle %a %b 0 5       (uint2)(a.s0, b.s1)
 *
 * The members of a structure have the types that they have in memory: a pointer is an integer, a bool a byte. The
 * components of a vector that is not itself a member are values, and a bool is 0 or -1 there.
 *
 * needs: the types.  gives: OpenCL C text.
 */
#include "emit/internal.h"

uint32_t nf_say_path(struct nf_emitter *e, uint32_t type, const uint32_t *indices, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        const struct nf_type *t = nf_type(e->m, type);
        bool has_part = t->kind == NF_KIND_STRUCT || t->kind == NF_KIND_ARRAY || t->kind == NF_KIND_VECTOR;
        if (!has_part || indices[i] >= t->count) nf_refuse(e, t->at, "an index that selects no member of its type");
        if (t->kind == NF_KIND_STRUCT) {
            nf_say_char(e, '.');
            nf_say_member(e, indices[i]);
            type = nf_member_type(e->m, t->at, indices[i]);
            continue;
        }
        if (t->kind == NF_KIND_ARRAY)
            nf_say(e, ".a[%u]", indices[i]);
        else
            nf_say(e, ".s%c", "0123456789abcdef"[indices[i] & 15]);
        type = t->element;
    }
    return type;
}

/* Returns true if the last step of the path is into a vector. */
static bool ends_in_vector(const struct nf_emitter *e, uint32_t type, const uint32_t *indices, uint32_t count)
{
    bool is_vector = false;
    for (uint32_t i = 0; i < count; i++) {
        const struct nf_type *t = nf_type(e->m, type);
        is_vector = nf_is_vector(t);
        if (t->kind == NF_KIND_STRUCT && indices[i] < t->count)
            type = nf_member_type(e->m, t->at, indices[i]);
        else
            type = t->element;
    }
    return is_vector;
}

void nf_form_extract(struct nf_emitter *e, const struct nf_insn *i)
{
    uint32_t type = nf_type_of(e->m, i->operands[0])->id, built_in = nf_built_in_of(e, i->operands[0]);
    if (built_in && i->count == 2) {
        nf_say_built_in_component(e, built_in, i->type, i->operands[1]);
        return;
    }
    bool from_vector = ends_in_vector(e, type, i->operands + 1, i->count - 1);
    bool is_value = from_vector && nf_is_vector(nf_type(e->m, type));
    if (is_value && nf_type(e->m, i->type)->kind == NF_KIND_BOOL)
        nf_say_char(e, '(');
    else
        nf_load_begin(e, i->type);
    nf_say_postfix(e, i->operands[0]);
    nf_say_path(e, type, i->operands + 1, i->count - 1);
    nf_load_end(e, i->type);
}

/* Writes the value of a component of a vector (`in_vector`), where a bool is 0 or -1, or of a member in memory form. */
static void say_part(struct nf_emitter *e, uint32_t id, bool in_vector)
{
    bool is_bool = nf_type_of(e->m, id)->kind == NF_KIND_BOOL;
    if (in_vector && is_bool)
        nf_say(e, "-%p", id);
    else if (in_vector)
        nf_say_value(e, id);
    else
        nf_say_stored(e, id);
}

void nf_form_insert(struct nf_emitter *e, const struct nf_insn *i)
{
    uint32_t type = i->type;
    nf_assign(e, i);
    nf_say(e, "%v; ", i->operands[1]);
    nf_say_name(e, i->id, 'v');
    nf_say_path(e, type, i->operands + 2, i->count - 2);
    nf_say_string(e, " = ");
    say_part(e, i->operands[0], nf_is_vector(nf_type(e->m, type)));
    nf_say_char(e, ';');
}

void nf_form_construct(struct nf_emitter *e, const struct nf_insn *i)
{
    const struct nf_type *type = nf_type(e->m, i->type);
    bool is_vector = nf_is_vector(type), is_array = type->kind == NF_KIND_ARRAY;
    nf_say(e, is_vector ? "(%t)(" : is_array ? "(%t){{" : "(%t){", i->type);
    for (uint32_t n = 0; n < i->count; n++) {
        if (n) nf_say_string(e, ", ");
        say_part(e, i->operands[n], is_vector);
    }
    nf_say_string(e, is_vector ? ")" : is_array ? "}}" : "}");
}

void nf_form_extract_dynamic(struct nf_emitter *e, const struct nf_insn *i)
{
    bool is_bool = nf_type(e->m, i->type)->kind == NF_KIND_BOOL;
    nf_say(e, is_bool ? "(%p[%v] & 1)" : "%p[%v]", i->operands[0], i->operands[1]);
}

void nf_form_insert_dynamic(struct nf_emitter *e, const struct nf_insn *i)
{
    nf_assign(e, i);
    nf_say(e, "%v; ", i->operands[0]);
    nf_say_name(e, i->id, 'v');
    nf_say(e, "[%v] = ", i->operands[2]);
    say_part(e, i->operands[1], true);
    nf_say_char(e, ';');
}

void nf_form_shuffle(struct nf_emitter *e, const struct nf_insn *i)
{
    uint32_t first = nf_type_of(e->m, i->operands[0])->count, second = nf_type_of(e->m, i->operands[1])->count;
    nf_say(e, "(%t)(", i->type);
    for (uint32_t n = 2; n < i->count; n++) {
        uint32_t from = i->operands[n];
        if (n > 2) nf_say_string(e, ", ");
        if (from >= first + second) {
            nf_say_char(e, '0');
            continue;
        }
        nf_say(e, "%p.s%c", i->operands[from >= first], "0123456789abcdef"[(from >= first ? from - first : from) & 15]);
    }
    nf_say_char(e, ')');
}
