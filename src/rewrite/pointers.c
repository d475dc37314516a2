/* SPDX-License-Identifier: Apache-2.0 */
/*
 * pointers.c - instructions that compute a pointer from pointers: emitted once for each part, and for the tag.
 *
 *     %s = OpSelect %_ptr_Generic_int %c %a %b      %s_p = OpSelect %_ptr_Function_int %c %a_p %b_p
 *                                                   %s_g = OpSelect %_ptr_CrossWorkgroup_int %c %a_g %b_g
 *                                                   %s_t = OpSelect %uint %c %a_t %b_t
 *
 * The hard case is a cast to one space of a pointer that may be in another: OpGenericCastToPtrExplicit tests the tag
 * and yields null for another space, and OpGenericCastToPtr yields the part without a test.
 *
 * needs: the tuples of the operands.  gives: the tuple of the result.
 */
#include "rewrite/internal.h"

/* Returns true if the result of the access chain may lie in another memory than its base, or in none: an index may hold
 * an address; or it is far, or the base is null, and the result is marked NF_LOOSE. */
static bool may_leave_memory(const struct nf_output *o, uint32_t at, uint32_t base)
{
    const struct nf_module *m = o->m;
    uint32_t id = nf_result_id(m, at);
    if (nf_keeps_generic(o) || nf_role_at(m, at) != NF_ROLE_chain) return false;
    if (m->analysis->far[id] || !nf_spaces_of(nf_evidence_of(o, base)))
        return nf_evidence_of(o, id) & NF_LOOSE && nf_can_compute_space(o);
    return nf_evidence_of_index(m, nf_instance_at(m, o->body.instance), at);
}

/* Returns the words of the instruction at `at`, with mapped operands but for the base pointer. */
static uint32_t *map_words(struct nf_output *o, uint32_t at)
{
    const struct nf_module *m = o->m;
    uint32_t length = nf_length(m, at), base_word = nf_base_word(m, at), *words = NF_NEW(m->arena, uint32_t, length);
    memcpy(words, m->words + at, length * sizeof *words);
    for (uint32_t i = 3; i < length; i++) {
        if (i == base_word) continue;
        if (nf_is_generic_value(m, words[i]))
            nf_fail(m->arena, NF_MALFORMED, at, "the index %u is a pointer", words[i]);
        words[i] = nf_mapped(o, words[i]);
    }
    return words;
}

/* Emits an access chain such as (char *)p + ((ulong)q - (ulong)p) as a sum of integers: a flat address, and distances,
 * each of which is the address of a chain from null. The sum begins at the pointer before all chains and bitcasts that
 * lead to `at`: in between, the pointer may have the device address of null, whose flat address is 0. */
static void emit_as_integers(struct nf_output *o, uint32_t at)
{
    const struct nf_module *m = o->m;
    uint32_t id = nf_result_id(m, at), base = id, bytes = 0;
    for (uint32_t last = UINT32_MAX; at < last && at >= m->body_at && !nf_tuple_of(o, base)->integer;
         last = at, at = m->def[base]) {
        if (nf_opcode(m, at) != OpBitcast && nf_role_at(m, at) != NF_ROLE_chain) break;
        uint32_t base_word = nf_base_word(m, at), from = nf_word(m, at, base_word), *words = map_words(o, at);
        if (bytes && (!nf_is_generic_value(m, from) || m->def[from] >= at)) break; /* later: unreachable code */
        base = from;
        if (nf_opcode(m, at) == OpBitcast) continue;
        words[base_word] = nf_null(o, nf_part_type(o, nf_type_id_of(m, base), NF_GLOBAL));
        words[1] = nf_part_type(o, nf_result_type(m, at), NF_GLOBAL);
        words[2] = nf_new_id(o);
        nf_append_words(&o->bodies, words, nf_length(m, at));
        uint32_t distance = NF_EMIT_NEW(o, OpConvertPtrToU, o->address_type, words[2]);
        bytes = bytes ? NF_EMIT_NEW(o, OpIAdd, o->address_type, bytes, distance) : distance;
    }
    if (nf_spaces_of(nf_evidence_of(o, base)))
        bytes = NF_EMIT_NEW(o, OpIAdd, o->address_type, nf_to_memory(o, base), bytes);
    nf_from_memory(o, bytes, id);
}

void nf_emit_parts(struct nf_output *o, uint32_t at)
{
    struct nf_module *m = o->m;
    uint32_t id = nf_result_id(m, at), type = nf_result_type(m, at), opcode = nf_opcode(m, at);
    uint32_t base_word = nf_base_word(m, at), base = nf_word(m, at, base_word), base_type = nf_type_id_of(m, base);
    struct nf_tuple tuple = {.set = nf_tuple_of(o, id)->set};
    uint32_t length = nf_length(m, at), *words = map_words(o, at);
    if (opcode == OpPtrCastToGeneric) words[0] = nf_first_word(opcode = OpBitcast, length); /* generic already */
    if (may_leave_memory(o, at, base)) {
        emit_as_integers(o, at);
        return;
    }
    for (unsigned n = 0; n < NF_PARTS; n++) {
        nf_set space = nf_space(n);
        if (!(tuple.set & space)) continue;
        words[base_word] = nf_part_as(o, nf_tuple_of(o, base), space, base_type);
        words[1] = nf_part_type(o, type, space);
        if (opcode == OpBitcast && words[1] == nf_part_type(o, base_type, space)) {
            tuple.part[n] = words[3];
            if (o->body.f->unknown_ops) tuple.part[n] = 0, words[0] = nf_first_word(OpCopyObject, 4);
            if (tuple.part[n]) continue;
        }
        words[2] = tuple.part[n] = nf_part_id(o, &tuple, id);
        nf_append_words(&o->bodies, words, length);
    }
    const struct nf_tuple *from = nf_tuple_of(o, base);
    if (opcode == OpBitcast || opcode == OpCopyObject) tuple.integer = from->integer; /* keeps the address */
    tuple.condition = from->condition;
    tuple.when_true = from->when_true;
    tuple.tag = from->tag;
    if (!nf_single(tuple.set) && !tuple.tag && !tuple.condition) tuple.tag = nf_tag_as(o, from);
    nf_set_tuple(o, id, tuple);
}

static bool is_usm(uint32_t storage)
{
    return storage == NF_STORAGE_DEVICE_ONLY || storage == NF_STORAGE_HOST_ONLY;
}

/* Emits the conversion of a concrete pointer of the type `from` to the type `to`. Their storage classes differ only for
 * the subspaces of global memory of SPV_INTEL_usm_storage_classes: device and host allocations. */
static uint32_t as_type(struct nf_output *o, uint32_t pointer, const struct nf_type *from, const struct nf_type *to,
                        uint32_t to_id)
{
    if (is_usm(from->storage) && from->storage != to->storage) {
        uint32_t type = nf_pointer_type(o, NF_STORAGE_CROSS_WORKGROUP, nf_memory_type(o, from->element));
        pointer = NF_EMIT_NEW(o, OpPtrCastToCrossWorkgroupINTEL, type, pointer);
        return type == to_id ? pointer : NF_EMIT_NEW(o, OpBitcast, to_id, pointer);
    }
    if (!is_usm(to->storage) || from->storage == to->storage) return NF_EMIT_NEW(o, OpBitcast, to_id, pointer);
    uint32_t type = nf_pointer_type(o, NF_STORAGE_CROSS_WORKGROUP, nf_memory_type(o, to->element));
    if (from->element != to->element) pointer = NF_EMIT_NEW(o, OpBitcast, type, pointer);
    return NF_EMIT_NEW(o, OpCrossWorkgroupCastToPtrINTEL, to_id, pointer);
}

void nf_emit_cast_to_generic(struct nf_output *o, uint32_t at)
{
    struct nf_module *m = o->m;
    uint32_t id = nf_result_id(m, at), operand = nf_operand(m, at, 0), type = nf_result_type(m, at);
    nf_set space = nf_space_of(m, nf_type(m, nf_type_id_of(m, operand)));
    struct nf_tuple source = {.set = space}, tuple = {.set = nf_tuple_of(o, id)->set};
    uint32_t pointer = nf_mapped(o, operand);
    if (!space)
        nf_fail(m->arena, NF_REFUSED, at, "a pointer of storage class %u is cast to generic",
                nf_type(m, nf_type_id_of(m, operand))->storage);
    if (nf_memory_type(o, nf_type_id_of(m, operand)) != nf_part_type(o, type, space))
        pointer = as_type(o, pointer, nf_type_of(m, operand), nf_type(m, type), nf_part_type(o, type, space));
    if (o->body.f->unknown_ops && nf_single(tuple.set)) {
        uint32_t copy = nf_part_id(o, &tuple, id);
        NF_EMIT(o, OpCopyObject, nf_part_type(o, type, space), copy, pointer);
        pointer = copy;
    }
    source.part[nf_number(space)] = pointer;
    nf_define_tuple(o, id, &source, type);
}

/* Casts a generic pointer to a concrete pointer: the tuple's part for that space; if there is none, null, or on a flat
 * device a cast through an integer. A pointer that stays generic is cast as it is. An explicit cast of an ambiguous
 * pointer yields null if its tag or condition names another space. */
void nf_emit_cast_to_concrete(struct nf_output *o, uint32_t at)
{
    struct nf_module *m = o->m;
    uint32_t id = nf_result_id(m, at), operand = nf_operand(m, at, 0), type = nf_memory_type(o, nf_result_type(m, at));
    nf_set space = nf_space_of(m, nf_type(m, nf_result_type(m, at)));
    const struct nf_tuple tuple = *nf_tuple_of(o, operand);
    bool is_explicit = nf_opcode(m, at) == OpGenericCastToPtrExplicit;
    if (tuple.set == NF_GENERIC) {
        nf_emit_plain(o, at);
        return;
    }
    /* An explicit cast yields null for another space: on a flat device its operand has one (nf_find_flat()). */
    bool flat = !is_explicit && nf_needs_flat_cast(o, &tuple, space);
    if (!flat && (!(tuple.set & space) || tuple.dead)) {
        nf_rename_to(o, id, nf_null(o, type));
        return;
    }
    uint32_t pointer = nf_part_as(o, &tuple, space, nf_type_id_of(m, operand));
    if (nf_part_type(o, nf_type_id_of(m, operand), space) != type)
        pointer = as_type(o, pointer, nf_type_of(m, operand), nf_type(m, nf_result_type(m, at)), type);
    if (is_explicit && !nf_single(tuple.set))
        NF_EMIT(o, OpSelect, type, o->body.renamed[id], nf_has_tag(o, &tuple, space), pointer, nf_null(o, type));
    else
        nf_rename_to(o, id, pointer);
}

/* Emits the select of one part. If only one operand has the pointer for that space, the result is that pointer: where
 * the condition selects the other operand, the tag names another space, and this pointer is not used. */
static uint32_t select_part(struct nf_output *o, uint32_t at, struct nf_tuple *tuple, nf_set space)
{
    uint32_t type = nf_result_type(o->m, at), condition = nf_mapped(o, nf_select_condition(o->m, at));
    const struct nf_tuple yes = *nf_tuple_of(o, nf_select_true(o->m, at)),
                          no = *nf_tuple_of(o, nf_select_false(o->m, at));
    if (!nf_single(tuple->set) && !yes.dead && !no.dead) {
        if (yes.set & ~no.set & space) return yes.part[nf_number(space)];
        if (no.set & ~yes.set & space) return no.part[nf_number(space)];
    }
    uint32_t left = nf_part_as(o, &yes, space, type), right = nf_part_as(o, &no, space, type);
    uint32_t id = nf_part_id(o, tuple, nf_result_id(o->m, at));
    NF_EMIT(o, OpSelect, nf_part_type(o, type, space), id, condition, left, right);
    return id;
}

void nf_emit_select(struct nf_output *o, uint32_t at)
{
    struct nf_module *m = o->m;
    uint32_t id = nf_result_id(m, at), condition = nf_mapped(o, nf_select_condition(m, at));
    struct nf_tuple tuple = {.set = nf_tuple_of(o, id)->set};
    for (unsigned n = 0; n < NF_PARTS; n++)
        if (nf_has(tuple.set, n)) tuple.part[n] = select_part(o, at, &tuple, nf_space(n));
    const struct nf_tuple yes = *nf_tuple_of(o, nf_select_true(m, at)), no = *nf_tuple_of(o, nf_select_false(m, at));
    bool split = !nf_single(tuple.set) && nf_is_split(m, nf_instance_at(m, o->body.instance), id);
    if (split) nf_split_select(o, &tuple, condition, &yes, &no);
    if (!nf_single(tuple.set) && (!split || (o->body.tag_required && o->body.tag_required[id] == o->body.instance))) {
        uint32_t left = nf_tag_as(o, &yes), right = nf_tag_as(o, &no);
        tuple.tag = NF_EMIT_NEW(o, OpSelect, nf_uint_type(o), condition, left, right);
    }
    nf_set_tuple(o, id, tuple);
}

void nf_emit_semantics(struct nf_output *o, uint32_t at)
{
    struct nf_module *m = o->m;
    uint32_t pointer = nf_operand(m, at, 0);
    struct nf_tuple tuple = {.set = nf_space_of(m, nf_type_of(m, pointer))};
    if (nf_is_generic_value(m, pointer)) tuple = *nf_tuple_of(o, pointer);
    if (tuple.set == NF_GENERIC || !tuple.set) {
        nf_emit_plain(o, at);
        return;
    }
    uint32_t type = nf_memory_type(o, nf_result_type(m, at)), result = 0;
    for (nf_set space = NF_PRIVATE; space <= NF_CODE; space = (nf_set)(space << 1)) {
        if (!(tuple.set & space)) continue;
        uint32_t value = space == NF_LOCAL     ? NF_SEMANTICS_WORKGROUP_MEMORY
                         : space == NF_PRIVATE ? 0
                                               : NF_SEMANTICS_CROSS_WORKGROUP_MEMORY;
        uint32_t constant = nf_integer(o, type, value);
        result = result ? NF_EMIT_NEW(o, OpSelect, type, nf_has_tag(o, &tuple, space), constant, result) : constant;
    }
    nf_rename_to(o, nf_result_id(m, at), result);
}

void nf_emit_bitcast(struct nf_output *o, uint32_t at)
{
    struct nf_module *m = o->m;
    bool from = nf_is_generic_value(m, nf_operand(m, at, 0)), to = nf_is_generic(m, nf_result_type(m, at));
    if (from && to)
        nf_emit_parts(o, at);
    else if (from)
        nf_emit_cast_to_concrete(o, at);
    else
        nf_emit_cast_to_generic(o, at);
}
