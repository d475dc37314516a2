/* SPDX-License-Identifier: Apache-2.0 */
/*
 * pointers.c - instructions that move pointers about: done once for each part, and for the tag.
 *
 *     %s = OpSelect %_ptr_Generic_int %c %a %b      %s_p = OpSelect %_ptr_Function_int %c %a_p %b_p
 *                                                   %s_g = OpSelect %_ptr_CrossWorkgroup_int %c %a_g %b_g
 *                                                   %s_t = OpSelect %uint %c %a_t %b_t
 *
 * A phi's operands are filled in when the function is finished, because a loop's come later. Comparisons and integers
 * take the canonical form, unless both sides have the same one space.
 */
#include "rewrite/parts.h"

/* ---- Instructions whose operands are bits ---- */

/* The address as the device has it. */
static bool emit_compared(struct nf_output *o, uint32_t at, uint32_t pointer)
{
    uint32_t id = nf_result_id(o->m, at);
    if (!o->body.compared || !o->body.compared[id]) return false;
    NF_EMIT(o, OpConvertPtrToU, nf_memory_type(o, nf_result_type(o->m, at)), o->body.renamed[id], pointer);
    return true;
}

/* What makes an integer as wide as an address of another type, or the other way round. */
static uint32_t resize(const struct nf_output *o, const struct nf_type *type)
{
    return type->kind == NF_KIND_INT && type->size * 8 != o->m->address_bits ? OpUConvert : OpBitcast;
}

/* The integer `id` of a module as one of the type that addresses have. */
static uint32_t as_address(struct nf_output *o, uint32_t id)
{
    uint32_t type = nf_type_id_of(o->m, id), integer = nf_mapped(o, id);
    if (nf_memory_type(o, type) == o->address_type) return integer;
    return NF_EMIT_NEW(o, resize(o, nf_type(o->m, type)), o->address_type, integer);
}

/* The result of the instruction at `at`, an integer, is the address `address`. */
static void give_address(struct nf_output *o, uint32_t at, uint32_t address)
{
    uint32_t id = nf_result_id(o->m, at), type = nf_memory_type(o, nf_result_type(o->m, at));
    if (type == o->address_type)
        nf_rename_to(o, id, address);
    else
        NF_EMIT(o, resize(o, nf_type_of(o->m, id)), type, o->body.renamed[id], address);
}

/* Concrete pointers as integers have the canonical form too: the integer may be read as a generic pointer. */
bool nf_emit_concrete_conversion(struct nf_output *o, uint32_t at)
{
    struct nf_module *m = o->m;
    uint32_t operand = nf_operand(m, at, 0), id = nf_result_id(m, at), type = nf_result_type(m, at);
    bool to_integer = nf_opcode(m, at) == OpConvertPtrToU;
    const struct nf_type *pointer = nf_type(m, to_integer ? nf_type_id_of(m, operand) : type);
    const struct nf_type *integer = nf_type(m, to_integer ? type : nf_type_id_of(m, operand));
    nf_set space = nf_space_of(m, pointer);
    if (nf_hints(o) || m->address_bits == 32 || !nf_has_canonical_form(m, pointer) || integer->size != 8) return false;
    uint32_t pointer_type = nf_memory_type(o, pointer->id);
    if (!to_integer) {
        uint32_t canonical = nf_restore_tag(o, as_address(o, operand), space);
        nf_rename_to(o, id, nf_pointer_from_canonical(o, canonical, pointer_type, space));
    } else if (!emit_compared(o, at, nf_mapped(o, operand))) {
        bool non_null = nf_is_non_null(m, operand);
        give_address(o, at, nf_pointer_to_canonical(o, nf_mapped(o, operand), pointer_type, space, non_null));
    }
    return true;
}

/* LLVM's vectorizers make vectors of two pointers of them, to turn both into integers: they are already. What else is
 * done to such a vector as a whole would need one part of it for each space. */
bool nf_emit_vector(struct nf_output *o, uint32_t at)
{
    struct nf_module *m = o->m;
    enum nf_role role = nf_role_at(m, at);
    bool casts = role == NF_ROLE_to_integer || role == NF_ROLE_bitcast;
    bool moves = role == NF_ROLE_to_pointer || role == NF_ROLE_chain || role == NF_ROLE_compare ||
                 role == NF_ROLE_cast || role == NF_ROLE_cast_explicit;
    if (nf_hints(o) || !(casts || moves)) return false;
    uint32_t id = nf_result_id(m, at), operand = nf_operand(m, at, 0);
    const struct nf_type *from = nf_type_of(m, operand), *to = nf_type_of(m, id);
    if (!nf_is_generic_vector(from) && !nf_is_generic_vector(to)) return false;
    uint32_t type = nf_memory_type(o, to->id);
    if (moves || type != nf_memory_type(o, from->id))
        nf_fail(m->arena, NF_REFUSED, at,
                "vectors of generic pointers are only stored, taken apart, and made integers of 64 bits");
    NF_EMIT(o, OpCopyObject, type, o->body.renamed[id], nf_memory_form(o, operand));
    return true;
}

/* ---- Instructions that move pointers: once for each part ---- */

void nf_emit_parts(struct nf_output *o, uint32_t at)
{
    struct nf_module *m = o->m;
    uint32_t id = nf_result_id(m, at), type = nf_result_type(m, at), opcode = nf_opcode(m, at);
    bool untyped = opcode >= OpUntypedAccessChainKHR && opcode <= OpUntypedInBoundsPtrAccessChainKHR;
    uint32_t base = nf_operand(m, at, untyped), base_type = nf_type_id_of(m, base), length = nf_length(m, at);
    struct nf_tuple tuple = {.set = nf_tuple_of(o, id)->set};
    uint32_t *words = NF_NEW(m->arena, uint32_t, length);
    memcpy(words, m->words + at, length * sizeof *words);
    for (uint32_t i = 3; i < length; i++) {
        if (i == 3u + untyped) continue;
        if (nf_is_generic_value(m, words[i]))
            nf_fail(m->arena, NF_MALFORMED, at, "the index %u is a pointer", words[i]);
        words[i] = nf_mapped(o, words[i]);
    }
    for (unsigned n = 0; n < NF_PARTS; n++) {
        nf_set space = (nf_set)(1u << n);
        if (!(tuple.set & space)) continue;
        words[3 + untyped] = nf_part_as(o, nf_tuple_of(o, base), space, base_type);
        words[1] = nf_part_type(o, type, space);
        if (opcode == OpBitcast && words[1] == nf_part_type(o, base_type, space)) {
            tuple.part[n] = words[3];
            if (o->body.f->unknown_ops) tuple.part[n] = 0, words[0] = 4 << 16 | OpCopyObject;
            if (tuple.part[n]) continue;
        }
        words[2] = tuple.part[n] = nf_part_id(o, &tuple, id);
        nf_put_all(&o->bodies, words, length);
    }
    const struct nf_tuple *from = nf_tuple_of(o, base);
    if (opcode == OpBitcast || opcode == OpCopyObject) tuple.canonical = from->canonical; /* the same address */
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

/* A concrete pointer of the type `from` as one of the type `to`. Where they differ in more than the pointee, it is a
 * part of the global space: allocated on the device, or on the host (SPV_INTEL_usm_storage_classes). */
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

/* Concrete to generic: the pointer itself. */
void nf_emit_cast_to_generic(struct nf_output *o, uint32_t at)
{
    struct nf_module *m = o->m;
    uint32_t id = nf_result_id(m, at), operand = nf_operand(m, at, 0), type = nf_result_type(m, at);
    nf_set space = nf_space_of(m, nf_type(m, nf_type_id_of(m, operand)));
    struct nf_tuple source = {.set = space}, tuple = {.set = nf_tuple_of(o, id)->set};
    uint32_t pointer = nf_mapped(o, operand);
    if (!space)
        nf_fail(m->arena, NF_REFUSED, at, "a pointer of storage class %u becomes generic",
                nf_type(m, nf_type_id_of(m, operand))->storage);
    if (nf_memory_type(o, nf_type_id_of(m, operand)) != nf_part_type(o, type, space))
        pointer = as_type(o, pointer, nf_type_of(m, operand), nf_type(m, type), nf_part_type(o, type, space));
    if (o->body.f->unknown_ops && nf_single(tuple.set)) {
        uint32_t copy = nf_part_id(o, &tuple, id);
        NF_EMIT(o, OpCopyObject, nf_part_type(o, type, space), copy, pointer);
        pointer = copy;
    }
    source.part[nf_number(space)] = pointer;
    nf_take_parts(o, id, &source, type);
}

/* Generic to concrete: that part, null where it is another (MiniAS's dynamic cast), the part in any case if not
 * explicit. */
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
    if (!(tuple.set & space) || tuple.dead) {
        nf_rename_to(o, id, nf_null(o, type));
        return;
    }
    uint32_t pointer = tuple.part[nf_number(space)];
    if (nf_part_type(o, nf_type_id_of(m, operand), space) != type)
        pointer = as_type(o, pointer, nf_type_of(m, operand), nf_type(m, nf_result_type(m, at)), type);
    if (is_explicit && !nf_single(tuple.set))
        NF_EMIT(o, OpSelect, type, o->body.renamed[id], nf_has_tag(o, &tuple, space), pointer, nf_null(o, type));
    else
        nf_rename_to(o, id, pointer);
}

/* A part that only one arm has needs no select: it is not looked at where the other arm was taken. */
static uint32_t select_part(struct nf_output *o, uint32_t at, struct nf_tuple *tuple, nf_set space)
{
    uint32_t type = nf_result_type(o->m, at), condition = nf_mapped(o, o->m->words[at + 3]);
    const struct nf_tuple yes = *nf_tuple_of(o, o->m->words[at + 4]), no = *nf_tuple_of(o, o->m->words[at + 5]);
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
    uint32_t id = nf_result_id(m, at), condition = nf_mapped(o, m->words[at + 3]);
    struct nf_tuple tuple = {.set = nf_tuple_of(o, id)->set};
    for (unsigned n = 0; n < NF_PARTS; n++)
        if (tuple.set >> n & 1) tuple.part[n] = select_part(o, at, &tuple, (nf_set)(1u << n));
    const struct nf_tuple yes = *nf_tuple_of(o, m->words[at + 4]), no = *nf_tuple_of(o, m->words[at + 5]);
    bool split = !nf_single(tuple.set) && nf_is_split(m, &m->instances[o->body.instance], id);
    if (split) nf_split_select(o, &tuple, condition, &yes, &no);
    if (!nf_single(tuple.set) && (!split || (o->body.tag_wanted && o->body.tag_wanted[id] == o->body.instance))) {
        uint32_t left = nf_tag_as(o, &yes), right = nf_tag_as(o, &no);
        tuple.tag = NF_EMIT_NEW(o, OpSelect, nf_uint_type(o), condition, left, right);
    }
    nf_set_tuple(o, id, tuple);
}

/* What a patch is, when it is no part: a value that is no generic pointer, or the block that an operand comes from. */
enum { PATCH_PLAIN = NF_PARTS + 1, PATCH_LABEL };

static void patch_later(struct nf_output *o, uint32_t value, uint32_t part, uint32_t link)
{
    NF_RESERVE(o->m->arena, o->body.patches, o->body.patch_capacity, (size_t)o->body.patch_count + 1);
    o->body.patches[o->body.patch_count++] = (struct nf_phi_patch){o->bodies.count, value, part, link};
    nf_put(&o->bodies, 0);
}

static uint32_t find_link(const struct nf_output *o, uint32_t label, uint32_t phi, uint32_t value)
{
    if (!o->phi_casts.of_block) return 0;
    for (uint32_t l = o->phi_casts.of_block[label]; l; l = o->phi_casts.at[l].next)
        if (o->phi_casts.at[l].phi == phi && o->phi_casts.at[l].value == value) return l;
    return 0;
}

void nf_emit_phi(struct nf_output *o, uint32_t at)
{
    struct nf_module *m = o->m;
    uint32_t id = nf_result_id(m, at), type = nf_result_type(m, at), length = nf_length(m, at);
    bool generic = nf_is_generic(m, type);
    const struct nf_tuple tuple = generic ? *nf_tuple_of(o, id) : (struct nf_tuple){0};
    for (unsigned n = 0; n <= NF_PARTS; n++) {
        bool wanted = n == NF_PARTS ? tuple.tag != 0 : generic ? tuple.set >> n & 1 : n == 0;
        if (!wanted) continue;
        nf_put(&o->bodies, length << 16 | OpPhi);
        nf_put(&o->bodies, !generic        ? nf_memory_type(o, type)
                           : n == NF_PARTS ? nf_uint_type(o)
                                           : nf_part_type(o, type, (nf_set)(1u << n)));
        nf_put(&o->bodies, !generic ? o->body.renamed[id] : n == NF_PARTS ? tuple.tag : tuple.part[n]);
        for (uint32_t i = 3; i + 1 < length; i += 2) {
            if (!generic && nf_is_generic_value(m, m->words[at + i]))
                nf_fail(m->arena, NF_MALFORMED, at, "id %u is a generic pointer, and the result is none",
                        m->words[at + i]);
            uint32_t link = generic && nf_hints(o) ? find_link(o, m->words[at + i + 1], id, m->words[at + i]) : 0;
            patch_later(o, m->words[at + i], generic ? n : PATCH_PLAIN, link);
            patch_later(o, m->words[at + i + 1], PATCH_LABEL, 0);
        }
    }
}

void nf_fill_in_phis(struct nf_output *o)
{
    for (uint32_t i = 0; i < o->body.patch_count; i++) {
        const struct nf_phi_patch *patch = &o->body.patches[i];
        uint32_t id;
        if (patch->part == PATCH_LABEL)
            id = o->body.exit_label && o->body.exit_label[patch->value] ? o->body.exit_label[patch->value]
                                                                        : nf_mapped(o, patch->value);
        else if (patch->part == PATCH_PLAIN)
            id = nf_mapped(o, patch->value);
        else if (patch->part == NF_PARTS)
            id = nf_tag_as(o, nf_tuple_of(o, patch->value));
        else if (patch->link && o->phi_casts.at[patch->link].cast)
            id = o->phi_casts.at[patch->link].cast;
        else
            id = nf_part_as(o, nf_tuple_of(o, patch->value), (nf_set)(1u << patch->part),
                            nf_type_id_of(o->m, patch->value));
        o->bodies.at[patch->at] = id;
    }
    o->body.patch_count = 0;
}

/* What a phi is made of has a tag, even if a condition would do elsewhere: marked before anything is emitted. */
void nf_want_tags(struct nf_output *o)
{
    struct nf_module *m = o->m;
    uint32_t count = 0;
    for (uint32_t at = o->body.f->body; at < o->body.f->end; at = nf_next(m, at)) {
        if (nf_opcode(m, at) != OpPhi || !nf_is_generic(m, m->words[at + 1])) continue;
        if (nf_single(nf_tuple_of(o, m->words[at + 2])->set)) continue;
        for (uint32_t i = 3; i + 1 < nf_length(m, at); i += 2) {
            NF_RESERVE(m->arena, o->body.worklist, o->body.worklist_capacity, (size_t)count + 1);
            o->body.worklist[count++] = m->words[at + i];
        }
    }
    if (count && !o->body.tag_wanted) o->body.tag_wanted = NF_NEW(m->arena, uint32_t, m->bound);
    while (count) {
        uint32_t id = o->body.worklist[--count], at = m->def[id], first, last;
        if (at < m->body_at || o->body.tag_wanted[id] == o->body.instance || !nf_is_generic(m, nf_result_type(m, at)))
            continue;
        o->body.tag_wanted[id] = o->body.instance;
        enum nf_role role = nf_role_at(m, at);
        if (role == NF_ROLE_select)
            first = 1, last = 2;
        else if (role == NF_ROLE_chain || role == NF_ROLE_bitcast || role == NF_ROLE_copy)
            first = last = 0;
        else
            continue;
        NF_RESERVE(m->arena, o->body.worklist, o->body.worklist_capacity, (size_t)count + 2);
        for (; first <= last; first++)
            o->body.worklist[count++] = nf_operand(m, at, first);
    }
}

/* Hint mode: what becomes generic in a successor's phi does so here. */
void nf_close_block(struct nf_output *o, uint32_t label)
{
    if (o->body.block.closed || !o->phi_casts.of_block) return;
    o->body.block.closed = true;
    for (uint32_t l = o->phi_casts.of_block[label]; l; l = o->phi_casts.at[l].next) {
        uint32_t value = o->phi_casts.at[l].value;
        const struct nf_tuple *tuple = nf_tuple_of(o, value);
        o->phi_casts.at[l].cast = 0;
        if (nf_tuple_of(o, o->phi_casts.at[l].phi)->set == NF_GENERIC && tuple->set != NF_GENERIC && !tuple->dead)
            o->phi_casts.at[l].cast = nf_part_as(o, tuple, NF_GENERIC, nf_type_id_of(o->m, value));
    }
}

/* ---- Pointers and integers ---- */

void nf_emit_to_integer(struct nf_output *o, uint32_t at)
{
    struct nf_module *m = o->m;
    uint32_t id = nf_result_id(m, at), type = nf_memory_type(o, nf_result_type(m, at)), operand = nf_operand(m, at, 0);
    const struct nf_tuple *tuple = nf_tuple_of(o, operand);
    if (nf_single(tuple->set) && emit_compared(o, at, nf_part_as(o, tuple, tuple->set, nf_type_id_of(m, operand))))
        return;
    uint32_t form = nf_to_memory(o, operand);
    if (nf_hints(o))
        NF_EMIT(o, OpConvertPtrToU, type, o->body.renamed[id], form);
    else
        give_address(o, at, form);
}

void nf_emit_to_pointer(struct nf_output *o, uint32_t at)
{
    struct nf_module *m = o->m;
    uint32_t operand = nf_operand(m, at, 0);
    uint32_t form =
        nf_hints(o) ? NF_EMIT_NEW(o, nf_opcode(m, at), nf_memory_type(o, nf_result_type(m, at)), nf_mapped(o, operand))
                    : as_address(o, operand);
    nf_from_memory(o, form, nf_result_id(m, at));
}

/* Both operands' one space, when they have the same (a null has every). */
static nf_set common_space(const struct nf_tuple *a, const struct nf_tuple *b)
{
    nf_set set = a->dead ? b->set : a->set;
    return nf_single(set) && (b->dead || b->set == set) ? set : 0;
}

void nf_emit_compare(struct nf_output *o, uint32_t at)
{
    struct nf_module *m = o->m;
    uint32_t id = nf_result_id(m, at), type = nf_memory_type(o, nf_result_type(m, at)), opcode = nf_opcode(m, at);
    uint32_t x = m->words[at + 3], y = m->words[at + 4], pointer_type = nf_type_id_of(m, x);
    const struct nf_tuple a = *nf_tuple_of(o, x), b = *nf_tuple_of(o, y);
    nf_set space = nf_hints(o) && !common_space(&a, &b) ? NF_GENERIC : common_space(&a, &b);
    if (space) {
        uint32_t left = nf_part_as(o, &a, space, pointer_type), right = nf_part_as(o, &b, space, nf_type_id_of(m, y));
        NF_EMIT(o, opcode, type, o->body.renamed[id], left, right);
        return;
    }
    uint32_t left = nf_to_memory(o, x), right = nf_to_memory(o, y);
    if (opcode != OpPtrDiff) {
        NF_EMIT(o, opcode == OpPtrEqual ? OpIEqual : OpINotEqual, type, o->body.renamed[id], left, right);
        return;
    }
    uint64_t size = nf_type(m, nf_type(m, pointer_type)->element)->size;
    uint32_t bytes = NF_EMIT_NEW(o, OpISub, o->address_type, left, right);
    uint32_t count = NF_EMIT_NEW(o, OpSDiv, o->address_type, bytes, nf_address_constant(o, size ? size : 1));
    if (type == o->address_type)
        nf_rename_to(o, id, count);
    else
        NF_EMIT(o, resize(o, nf_type_of(m, id)) == OpBitcast ? OpBitcast : OpSConvert, type, o->body.renamed[id],
                count);
}

void nf_emit_semantics(struct nf_output *o, uint32_t at)
{
    struct nf_module *m = o->m;
    enum { WORKGROUP_MEMORY = 0x100, CROSS_WORKGROUP_MEMORY = 0x200 };
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
        uint32_t value = space == NF_LOCAL ? WORKGROUP_MEMORY : space == NF_PRIVATE ? 0 : CROSS_WORKGROUP_MEMORY;
        const uint32_t words[2] = {value, 0};
        uint32_t constant = nf_global(o, OpConstant, type, words, nf_type(m, nf_result_type(m, at))->size == 8 ? 2 : 1);
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
    else if (from && nf_type(m, nf_result_type(m, at))->kind == NF_KIND_POINTER)
        nf_emit_cast_to_concrete(o, at);
    else if (to && nf_type_of(m, nf_operand(m, at, 0))->kind == NF_KIND_POINTER)
        nf_emit_cast_to_generic(o, at);
    else if (from)
        nf_emit_to_integer(o, at);
    else
        nf_emit_to_pointer(o, at);
}

void nf_note_phi_casts(struct nf_output *o)
{
    struct nf_module *m = o->m;
    if (!nf_hints(o)) return;
    if (!o->phi_casts.of_block) o->phi_casts.of_block = NF_NEW(m->arena, uint32_t, m->bound);
    if (!o->phi_casts.count) o->phi_casts.count = 1;
    for (uint32_t at = o->body.f->body; at < o->body.f->end; at = nf_next(m, at)) {
        if (nf_opcode(m, at) == OpLabel) o->phi_casts.of_block[m->words[at + 1]] = 0;
    }
    for (uint32_t at = o->body.f->body; at < o->body.f->end; at = nf_next(m, at)) {
        if (nf_opcode(m, at) != OpPhi || !nf_is_generic(m, m->words[at + 1])) continue;
        for (uint32_t i = 3; i + 1 < nf_length(m, at); i += 2) {
            NF_RESERVE(m->arena, o->phi_casts.at, o->phi_casts.capacity, (size_t)o->phi_casts.count + 1);
            uint32_t *head = &o->phi_casts.of_block[m->words[at + i + 1]];
            o->phi_casts.at[o->phi_casts.count] = (struct nf_phi_cast){m->words[at + 2], m->words[at + i], 0, *head};
            *head = o->phi_casts.count++;
        }
    }
}
