/* SPDX-License-Identifier: Apache-2.0 */
/*
 * values.c - maps values of the input to values of the output: ids, parts of tuples, constants, memory form.
 *
 *     %p of {local}                %p, a concrete pointer
 *     %p of {private, global}      a tag, a private and a global pointer, all with new ids
 *
 * Names and decorations are repeated for each copy of a value (nf_remember_copy()). flat.c converts a tuple to one
 * integer, its memory form, and back.
 *
 * needs: the sets of the instance that is written.  gives: ids and tuples of its values.
 */
#include "rewrite/internal.h"

static void constant_tuple(struct nf_output *o, uint32_t id);

/* ---- Ids ---- */

void nf_remember_copy(struct nf_output *o, uint32_t id, uint32_t copy, enum nf_copy_kind kind)
{
    if (!o->copies.annotated[id] || !copy) return;
    NF_RESERVE(o->m->arena, o->copies.at, o->copies.capacity, (size_t)o->copies.count + 1);
    o->copies.at[o->copies.count] = (struct nf_copy_of){copy, o->copies.first[id], kind};
    o->copies.first[id] = ++o->copies.count;
}

uint32_t nf_output_id(struct nf_output *o, uint32_t id)
{
    uint32_t copy = o->body.keep_ids ? id : nf_new_id(o);
    nf_remember_copy(o, id, copy, NF_COPY_SAME);
    return copy;
}

uint32_t nf_part_id(struct nf_output *o, const struct nf_tuple *tuple, uint32_t id)
{
    return nf_single(tuple->set) ? nf_output_id(o, id) : nf_new_id(o);
}

struct nf_tuple *nf_tuple_of(struct nf_output *o, uint32_t id)
{
    if (o->m->def[id] < o->m->body_at && !o->body.tuple_index[id]) constant_tuple(o, id);
    if (!o->body.tuple_index[id]) nf_fail(o->m->arena, NF_MALFORMED, o->body.at, "id %u is not a generic pointer", id);
    return &o->body.tuples[o->body.tuple_index[id]];
}

struct nf_tuple *nf_new_tuple(struct nf_output *o, uint32_t id)
{
    if (!o->body.tuple_count) o->body.tuple_count = 1;
    NF_RESERVE(o->m->arena, o->body.tuples, o->body.tuple_capacity, (size_t)o->body.tuple_count + 1);
    o->body.tuple_index[id] = o->body.tuple_count;
    o->body.tuples[o->body.tuple_count] = (struct nf_tuple){0};
    return &o->body.tuples[o->body.tuple_count++];
}

bool nf_needs_flat_cast(const struct nf_output *o, const struct nf_tuple *tuple, nf_set space)
{
    bool whole = o->m->analysis->flat && !tuple->dead && tuple->made && !(tuple->set & NF_CODE);
    return whole && !(tuple->set & space) && (space & NF_TAGGED) && o->m->options->mode != NF_MODE_DYNAMIC;
}

uint32_t nf_part_as(struct nf_output *o, const struct nf_tuple *tuple, nf_set space, uint32_t generic_type)
{
    uint32_t type = nf_part_type(o, generic_type, space);
    uint32_t part = tuple->set & space ? tuple->part[nf_number(space)] : 0;
    if (part) return part;
    /* The part has no id if an unreachable block uses the value before its definition (prepare/order.c). */
    if (tuple->set & space) return nf_null(o, type);
    if (nf_needs_flat_cast(o, tuple, space))
        return NF_EMIT_NEW(o, OpConvertUToPtr, type, nf_tuple_to_integer(o, tuple, generic_type, true));
    uint32_t own = tuple->set ? tuple->part[nf_number(tuple->set)] : 0;
    /* Hint mode: an integer of unknown space stays generic, and may flow into a value that has one space. */
    if (tuple->set == NF_GENERIC && own && !tuple->dead && space & (NF_PRIVATE | NF_LOCAL | NF_GLOBAL))
        return NF_EMIT_NEW(o, OpGenericCastToPtr, type, own);
    if (space != NF_GENERIC || !own) return nf_null(o, type);
    uint32_t cast =
        tuple->set == NF_CONSTANT ? OpBitcast : OpPtrCastToGeneric; /* a constant pointer cannot be cast to Generic */
    /* A dead tuple is cast, too: an access chain from null yields a member's offset, which must not become null. */
    return NF_EMIT_NEW(o, cast, type, own);
}

static uint32_t concrete_constant(struct nf_output *o, uint32_t id, nf_set set)
{
    struct nf_module *m = o->m;
    uint32_t at = m->def[id], length = nf_length(m, at), type = nf_part_type(o, nf_type_id_of(m, id), set);
    uint32_t *words = NF_NEW(m->arena, uint32_t, length);
    if (nf_spec_opcode(m, at) == OpPtrCastToGeneric) {
        words[0] = OpBitcast, words[1] = nf_mapped(o, nf_spec_operand(m, at, 0));
        bool same = nf_type_of(m, nf_spec_operand(m, at, 0))->element == nf_type_of(m, id)->element;
        return same ? words[1] : nf_global(o, OpSpecConstantOp, type, words, 2);
    }
    for (uint32_t i = 3; i < length; i++) {
        uint32_t word = nf_word(m, at, i);
        words[i - 3] = i == 3 ? word : nf_mapped(o, word);
        if (i > 3 && nf_is_generic_value(m, word))
            words[i - 3] = nf_part_as(o, nf_tuple_of(o, word), set, nf_type_id_of(m, word));
    }
    return nf_global(o, OpSpecConstantOp, type, words, length - 3);
}

/* Returns the id of a constant's pointer in `space`, or null if its set lacks the space. Flat devices get null as well:
 * the cast through an integer that nf_part_as() would emit belongs into a function, not among constants. */
static uint32_t constant_part(struct nf_output *o, const struct nf_tuple *tuple, nf_set space, uint32_t type)
{
    return tuple->set & space ? nf_part_as(o, tuple, space, type) : nf_null(o, nf_part_type(o, type, space));
}

/* Returns the tuple of a constant select, whose condition is a specialization constant: a select for each part. */
static struct nf_tuple constant_select(struct nf_output *o, uint32_t id, nf_set set)
{
    struct nf_module *m = o->m;
    uint32_t at = m->def[id], type = nf_type_id_of(m, id), condition = nf_mapped(o, nf_spec_operand(m, at, 0));
    struct nf_tuple yes = *nf_tuple_of(o, nf_spec_operand(m, at, 1)), no = *nf_tuple_of(o, nf_spec_operand(m, at, 2)),
                    tuple = {.set = set, .made = true};
    for (unsigned n = 0; n < NF_PARTS; n++) {
        nf_set space = nf_space(n);
        if (!(set & space)) continue;
        uint32_t words[4] = {OpSelect, condition, constant_part(o, &yes, space, type),
                             constant_part(o, &no, space, type)};
        tuple.part[n] = nf_global(o, OpSpecConstantOp, nf_part_type(o, type, space), words, 4);
    }
    uint32_t tags[4] = {OpSelect, condition, nf_tag_as(o, &yes), nf_tag_as(o, &no)};
    if (!nf_single(set)) tuple.tag = nf_global(o, OpSpecConstantOp, nf_uint_type(o), tags, 4);
    return tuple;
}

static void constant_tuple(struct nf_output *o, uint32_t id)
{
    struct nf_module *m = o->m;
    uint32_t type = nf_type_id_of(m, id), at = m->def[id];
    nf_set set = nf_set_of(m, NULL, id);
    struct nf_tuple tuple = {.set = set ? set : NF_GLOBAL, .dead = !set, .made = set != 0};
    if (nf_keeps_generic(o)) {
        tuple.set = NF_GENERIC;
        tuple.part[nf_number(NF_GENERIC)] = nf_memory_type(o, id);
    } else if (nf_is_spec_op(m, at, OpSelect)) {
        tuple = constant_select(o, id, tuple.set);
    } else if (!nf_single(tuple.set)) {
        nf_fail(m->arena, NF_REFUSED, at, "a constant address may be in several spaces");
    } else {
        uint32_t part = set ? concrete_constant(o, id, set) : nf_null(o, nf_part_type(o, type, tuple.set));
        tuple.part[nf_number(tuple.set)] = part;
    }
    *nf_new_tuple(o, id) = tuple;
}

/* The values from which a pointer derives, each once. */
struct sources {
    uint32_t ids[32], count;
};

/* Adds a pointer. Returns false if the array is full. */
static bool add_source(struct sources *s, uint32_t id)
{
    for (uint32_t i = 0; i < s->count; i++)
        if (s->ids[i] == id) return true;
    if (s->count == sizeof s->ids / sizeof *s->ids) return false;
    s->ids[s->count++] = id;
    return true;
}

/* Adds the operands at `first` and every `step`th word after it, up to `end`. Returns false if the array is full. */
static bool add_operands(struct sources *s, const struct nf_module *m, uint32_t first, uint32_t step, uint32_t end)
{
    for (uint32_t at = first; at < end; at += step)
        if (!add_source(s, m->words[at])) return false;
    return true;
}

bool nf_is_by_value(const struct nf_module *m, uint32_t at)
{
    if (nf_opcode(m, at) != OpFunctionParameter) return false;
    const struct nf_type *type = nf_type(m, nf_value_type(m, at));
    return type->kind == NF_KIND_POINTER && type->storage == NF_STORAGE_FUNCTION && type->element;
}

/* Adds the sources of pointer `id`. Returns false if `id` may be null although they are not, or the array is full. */
static bool add_sources(struct sources *s, const struct nf_module *m, uint32_t id)
{
    uint32_t at = m->def[id], opcode = nf_opcode(m, at), end = nf_next(m, at);
    if (nf_type_of(m, id)->kind != NF_KIND_POINTER) return false;
    if (opcode == OpPhi) return add_operands(s, m, at + 3, 2, end);
    if (opcode == OpSelect) return add_operands(s, m, at + 4, 1, end);
    switch (nf_role_at(m, at)) {
    case NF_ROLE_variable: return true;
    case NF_ROLE_chain:
        if (opcode >= OpUntypedAccessChainKHR) return false;
        /* fall through */
    case NF_ROLE_cast:
    case NF_ROLE_bitcast:
    case NF_ROLE_copy: return add_source(s, nf_operand(m, at, 0));
    case NF_ROLE_parameter: return nf_is_by_value(m, at) && nf_function_around(m, at)->entry_at;
    default: return false;
    }
}

bool nf_is_non_null(const struct nf_module *m, uint32_t id)
{
    struct sources s = {.ids = {id}, .count = 1};
    for (uint32_t i = 0; i < s.count; i++)
        if (!add_sources(&s, m, s.ids[i])) return false;
    return true;
}

/* ---- Conversion to memory form and back ---- */

nf_set nf_evidence_of(const struct nf_output *o, uint32_t id)
{
    const struct nf_module *m = o->m;
    uint32_t node = m->def[id] >= m->body_at ? m->analysis->values[id].node : 0;
    return nf_evidence(nf_instance_at(m, o->body.instance), node);
}

uint32_t nf_to_memory(struct nf_output *o, uint32_t id)
{
    uint32_t type = nf_type_id_of(o->m, id);
    const struct nf_tuple *tuple = nf_tuple_of(o, id);
    return nf_keeps_generic(o) ? nf_part_as(o, tuple, NF_GENERIC, type)
                               : nf_tuple_to_integer(o, tuple, type, nf_is_non_null(o->m, id));
}

void nf_set_tuple(struct nf_output *o, uint32_t id, struct nf_tuple tuple)
{
    tuple.dead = o->body.tuples[o->body.tuple_index[id]].dead;
    tuple.made = true;
    o->body.tuples[o->body.tuple_index[id]] = tuple;
}

struct nf_tuple nf_define_tuple(struct nf_output *o, uint32_t id, const struct nf_tuple *from, uint32_t type)
{
    struct nf_tuple tuple = {.set = nf_tuple_of(o, id)->set};
    for (unsigned n = 0; n < NF_PARTS; n++)
        if (nf_has(tuple.set, n)) tuple.part[n] = nf_part_as(o, from, nf_space(n), type);
    if (!nf_single(tuple.set)) tuple.tag = nf_tag_as(o, from);
    nf_set_tuple(o, id, tuple);
    return tuple;
}

void nf_from_memory(struct nf_output *o, uint32_t form, uint32_t id)
{
    uint32_t type = nf_type_id_of(o->m, id);
    nf_set set = nf_tuple_of(o, id)->set;
    struct nf_tuple tuple = {.set = set};
    if (!nf_keeps_generic(o))
        tuple = nf_tuple_from_integer(o, form, set, nf_evidence_of(o, id), type);
    else if (set == NF_GENERIC)
        tuple.part[nf_number(NF_GENERIC)] = form;
    else
        tuple.part[nf_number(set)] = NF_EMIT_NEW(o, OpGenericCastToPtr, nf_part_type(o, type, set), form);
    nf_set_tuple(o, id, tuple);
    if (nf_single(set)) nf_remember_copy(o, id, tuple.part[nf_number(set)], NF_COPY_MADE);
}

void nf_rename_to(struct nf_output *o, uint32_t id, uint32_t copy)
{
    uint32_t newest = o->copies.first[id];
    if (newest && o->copies.at[newest - 1].id == o->body.renamed[id]) /* that id will not be defined */
        o->copies.first[id] = o->copies.at[newest - 1].next;
    nf_remember_copy(o, id, copy, NF_COPY_OTHER);
    o->body.renamed[id] = copy;
}

struct nf_tuple nf_narrowed(struct nf_output *o, uint32_t id)
{
    struct nf_tuple tuple = *nf_tuple_of(o, id);
    bool dead;
    if (nf_keeps_generic(o) || nf_single(tuple.set)) return tuple;
    nf_set spaces = nf_effective_set(o->m, nf_instance_at(o->m, o->body.instance), id, &dead) & tuple.set;
    if (!spaces || spaces == tuple.set) return tuple;
    tuple.set = spaces;
    if (!nf_single(spaces)) return tuple;
    tuple.tag = tuple.condition = 0;
    return tuple;
}
