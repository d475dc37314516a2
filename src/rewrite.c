/* SPDX-License-Identifier: Apache-2.0 */
/*
 * rewrite.c - the bodies of all instances, each generic pointer in its parts.
 *
 *     %g = OpPtrCastToGeneric %_ptr_Generic_int %l          (gone: g is l)
 *     %e = OpInBoundsPtrAccessChain %_ptr_Generic_int %g %i    %e = OpInBoundsPtrAccessChain %_ptr_Workgroup_int %l %i
 *     %v = OpLoad %int %e                                   %v = OpLoad %int %e
 *
 * The sets were decided before; nothing is decided here. A value of one space is one pointer. A value of several is a
 * tag and a pointer for each (see convert.c); what moves pointers about (chain, bitcast, phi, select, parameters,
 * results) is done for each part, and what goes through the pointer is dispatched (dispatch.c).
 *
 * The first instance of a function keeps the input's ids, the others get new ones. A phi's operands are filled in when
 * the function is finished, because a loop's come later.
 *
 * needs: instances.  gives: bodies, helpers, and the types and constants that they need.
 */
#include "output.h"

static uint32_t type_id_of(const struct nf_module *m, uint32_t id)
{
    return nf_result_type(m, m->def[id]);
}

static bool is_generic_value(const struct nf_module *m, uint32_t id)
{
    return id < m->bound && m->def[id] && nf_opcode(m, m->def[id]) != OpFunction && nf_is_generic(m, type_id_of(m, id));
}

static bool hint(const struct nf_output *o)
{
    return o->m->options->mode == NF_MODE_HINT;
}

nf_set nf_effective(const struct nf_module *m, nf_set set, bool *dead)
{
    *dead = !set;
    if (!set) set = NF_GLOBAL;
    /* Addresses of 32 bits have no room for a tag in memory: there only what must be is tagged. */
    if (m->options->mode == NF_MODE_DYNAMIC && !(set & NF_CODE) && m->address_bits == 64) {
        set |= NF_TAGGED;
        *dead = false;
    }
    if (m->options->mode == NF_MODE_HINT && !nf_single(set)) set = NF_GENERIC;
    return set;
}

nf_set nf_effective_set(const struct nf_module *m, const struct nf_instance *instance, uint32_t id, bool *dead)
{
    return nf_effective(m, nf_set_of(m, instance, id), dead);
}

/* ---- Ids ---- */

void nf_remember_copy(struct nf_output *o, uint32_t id, uint32_t copy)
{
    if (!o->annotated[id] || !copy) return;
    NF_RESERVE(o->m, o->copies_of, o->copies_capacity, (size_t)o->copies_count + 1);
    o->copies_of[o->copies_count] = (struct nf_copy_of){copy, o->first_copy[id]};
    o->first_copy[id] = ++o->copies_count;
}

/* The id of something that is no generic pointer. */
static uint32_t mapped(struct nf_output *o, uint32_t id)
{
    struct nf_module *m = o->m;
    if (id >= m->bound || !m->def[id]) return id;
    if (m->def[id] >= m->body_at) return o->renamed[id] ? o->renamed[id] : id;
    return nf_memory_type(o, id); /* marks it as used, whatever it is */
}

static uint32_t own_id(struct nf_output *o, uint32_t id)
{
    uint32_t copy = o->keep_ids ? id : nf_new_id(o);
    nf_remember_copy(o, id, copy);
    return copy;
}

/* The id for a part of `id`: the input's where there is only one part, so that its name and decorations stay. */
static uint32_t part_id(struct nf_output *o, const struct nf_rep *rep, uint32_t id)
{
    return nf_single(rep->set) ? own_id(o, id) : nf_new_id(o);
}

static void constant_rep(struct nf_output *o, uint32_t id);

struct nf_rep *nf_rep_of(struct nf_output *o, uint32_t id)
{
    if (o->m->def[id] < o->m->body_at && !o->rep_index[id]) constant_rep(o, id);
    return &o->reps[o->rep_index[id]];
}

static struct nf_rep *new_rep(struct nf_output *o, uint32_t id)
{
    if (!o->rep_count) o->rep_count = 1;
    NF_RESERVE(o->m, o->reps, o->rep_capacity, (size_t)o->rep_count + 1);
    o->rep_index[id] = o->rep_count;
    o->reps[o->rep_count] = (struct nf_rep){0};
    return &o->reps[o->rep_count++];
}

/* A constant expression on a concrete pointer in place of one on a generic one. */
static uint32_t concrete_constant(struct nf_output *o, uint32_t id, nf_set set)
{
    struct nf_module *m = o->m;
    uint32_t at = m->def[id], length = nf_length(m, at), type = nf_part_type(o, type_id_of(m, id), set);
    uint32_t *words = NF_NEW(m, uint32_t, length);
    if (m->words[at + 3] == OpPtrCastToGeneric) return mapped(o, m->words[at + 4]);
    for (uint32_t i = 3; i < length; i++) {
        uint32_t word = m->words[at + i];
        words[i - 3] = i == 3 ? word : mapped(o, word);
        if (i > 3 && is_generic_value(m, word))
            words[i - 3] = nf_part_as(o, nf_rep_of(o, word), set, type_id_of(m, word));
    }
    return nf_global(o, OpSpecConstantOp, type, words, length - 3);
}

/* A constant that one of two others is, by a specialisation constant. */
static struct nf_rep constant_select(struct nf_output *o, uint32_t id, nf_set set)
{
    struct nf_module *m = o->m;
    uint32_t at = m->def[id], type = type_id_of(m, id), condition = mapped(o, m->words[at + 4]);
    struct nf_rep yes = *nf_rep_of(o, m->words[at + 5]), no = *nf_rep_of(o, m->words[at + 6]),
                  rep = {.set = set, .made = true};
    for (unsigned n = 0; n < NF_PARTS; n++) {
        nf_set space = (nf_set)(1u << n);
        if (!(set & space)) continue;
        uint32_t words[4] = {OpSelect, condition, nf_part_as(o, &yes, space, type), nf_part_as(o, &no, space, type)};
        rep.part[n] = nf_global(o, OpSpecConstantOp, nf_part_type(o, type, space), words, 4);
    }
    uint32_t tags[4] = {OpSelect, condition, nf_tag_as(o, &yes), nf_tag_as(o, &no)};
    if (!nf_single(set)) rep.tag = nf_global(o, OpSpecConstantOp, nf_uint_type(o), tags, 4);
    return rep;
}

static void constant_rep(struct nf_output *o, uint32_t id)
{
    struct nf_module *m = o->m;
    uint32_t type = type_id_of(m, id), at = m->def[id];
    nf_set set = nf_set_of(m, NULL, id);
    struct nf_rep rep = {.set = set ? set : NF_GLOBAL, .dead = !set, .made = set != 0};
    if (hint(o)) {
        rep.set = NF_GENERIC;
        rep.part[nf_number(NF_GENERIC)] = nf_memory_type(o, id);
    } else if (nf_opcode(m, at) == OpSpecConstantOp && m->words[at + 3] == OpSelect) {
        rep = constant_select(o, id, rep.set);
    } else if (!nf_single(rep.set)) {
        nf_fail(m, NF_REFUSED, at, "a constant address that may be in several spaces");
    } else {
        uint32_t part = set ? concrete_constant(o, id, set) : nf_null(o, nf_part_type(o, type, rep.set));
        rep.part[nf_number(rep.set)] = part;
    }
    *new_rep(o, id) = rep;
}

/* A variable, or a place in one: cannot be null. */
static bool is_non_null(const struct nf_module *m, uint32_t id)
{
    for (int steps = 0; steps < 32; steps++) {
        uint32_t at = m->def[id];
        switch (nf_role_at(m, at)) {
        case NF_ROLE_variable: return true;
        case NF_ROLE_chain:
            if (nf_opcode(m, at) >= OpUntypedAccessChainKHR) return false;
            /* fall through */
        case NF_ROLE_cast:
        case NF_ROLE_bitcast:
        case NF_ROLE_copy: id = nf_operand(m, at, 0); break;
        case NF_ROLE_parameter: return nf_type_of(m, id)->storage == NF_STORAGE_FUNCTION;
        default: return false;
        }
        if (nf_type_of(m, id)->kind != NF_KIND_POINTER) return false;
    }
    return false;
}

/* ---- Between parts and memory ---- */

/* A generic pointer as it lies in memory. */
static uint32_t to_memory(struct nf_output *o, uint32_t id)
{
    uint32_t type = type_id_of(o->m, id);
    const struct nf_rep *rep = nf_rep_of(o, id);
    return hint(o) ? nf_part_as(o, rep, NF_GENERIC, type) : nf_encode(o, rep, type, is_non_null(o->m, id));
}

static void set_rep(struct nf_output *o, uint32_t id, struct nf_rep rep)
{
    rep.dead = o->reps[o->rep_index[id]].dead;
    rep.made = true;
    o->reps[o->rep_index[id]] = rep;
}

static nf_set evidence_of(const struct nf_output *o, uint32_t id)
{
    const struct nf_module *m = o->m;
    uint32_t node = m->values[id].node;
    return node ? m->instances[o->instance].masks[node - o->f->first_node] : 0;
}

/* The instruction that masks a tag away, looked for against the flow; 0 when it is in another function. */
static uint32_t find_mask(const struct nf_module *m, uint32_t id, int depth)
{
    uint32_t at = m->def[id];
    if (depth > 12 || at < m->body_at) return 0;
    if (nf_role_at(m, at) == NF_ROLE_mask) return at;
    struct nf_operands walk = nf_walk(m, at);
    while (nf_operands_next(&walk)) {
        uint32_t found = walk.kind == NF_OPERAND_ID ? find_mask(m, m->words[at + walk.at], depth + 1) : 0;
        if (found) return found;
    }
    return 0;
}

/* Bits whose tag may be masked off still have one space, or nobody knows which. */
static struct nf_rep decode_lost(struct nf_output *o, uint32_t bits, uint32_t id, nf_set set)
{
    struct nf_module *m = o->m;
    uint32_t type = type_id_of(m, id), mask = find_mask(m, id, 0);
    nf_set inferred = nf_spaces_of(evidence_of(o, id));
    struct nf_rep rep = {.set = set};
    if (!nf_single(inferred))
        nf_fail(m, NF_REFUSED, mask ? mask : o->at,
                "the top bits of a pointer that may be in several spaces are masked off (OpBitwiseAnd), and with them "
                "its space");
    struct nf_rep known = nf_decode(o, bits, inferred, type, true);
    for (unsigned n = 0; n < NF_PARTS; n++)
        if (set >> n & 1) rep.part[n] = nf_part_as(o, &known, (nf_set)(1u << n), type);
    if (!nf_single(set)) rep.tag = nf_tag_as(o, &known);
    return rep;
}

static void from_memory(struct nf_output *o, uint32_t bits, uint32_t id)
{
    uint32_t type = type_id_of(o->m, id);
    nf_set set = nf_rep_of(o, id)->set;
    struct nf_rep rep = {.set = set};
    if (!hint(o) && evidence_of(o, id) & NF_LOST)
        rep = decode_lost(o, bits, id, set);
    else if (!hint(o))
        rep = nf_decode(o, bits, set, type, false);
    else if (set == NF_GENERIC)
        rep.part[nf_number(NF_GENERIC)] = bits;
    else
        rep.part[nf_number(set)] = NF_EMIT_NEW(o, OpGenericCastToPtr, nf_part_type(o, type, set), bits);
    set_rep(o, id, rep);
    if (nf_single(set)) nf_remember_copy(o, id, rep.part[nf_number(set)]);
}

/* Any operand as it goes into memory, into an aggregate, or to somebody who knows nothing of parts. */
static uint32_t as_bits(struct nf_output *o, uint32_t id)
{
    return is_generic_value(o->m, id) ? to_memory(o, id) : mapped(o, id);
}

/* The space of a concrete pointer, an integer's bits... are copied under this id. */
static void rename_to(struct nf_output *o, uint32_t id, uint32_t copy)
{
    o->renamed[id] = copy;
    nf_remember_copy(o, id, copy);
}

/* ---- Instructions whose operands are bits ---- */

/* Concrete pointers as integers have the canonical form too: the integer may be read as a generic pointer. */
static bool emit_concrete_conversion(struct nf_output *o, uint32_t at)
{
    struct nf_module *m = o->m;
    uint32_t operand = nf_operand(m, at, 0), id = nf_result_id(m, at), type = nf_result_type(m, at);
    bool to_integer = nf_opcode(m, at) == OpConvertPtrToU;
    const struct nf_type *pointer = nf_type(m, to_integer ? type_id_of(m, operand) : type);
    const struct nf_type *integer = nf_type(m, to_integer ? type : type_id_of(m, operand));
    nf_set space = nf_space_of_storage(pointer->storage);
    bool tagged = space == NF_LOCAL || space == NF_PRIVATE;
    if (hint(o) || m->address_bits == 32 || !tagged || integer->size != 8 || !pointer->element) return false;
    uint32_t pointer_type = nf_memory_type(o, pointer->id), operand_id = mapped(o, operand);
    rename_to(o, id,
              to_integer ? nf_encode_pointer(o, operand_id, pointer_type, space, is_non_null(m, operand))
                         : nf_decode_pointer(o, operand_id, pointer_type, space));
    return true;
}

/* The instruction as it is, ids mapped, generic pointers as bits. */
static void emit_plain(struct nf_output *o, uint32_t at)
{
    struct nf_module *m = o->m;
    const struct nf_op *op = nf_op_find(nf_opcode(m, at));
    bool converts = op->opcode == OpConvertPtrToU || op->opcode == OpConvertUToPtr;
    if (converts && emit_concrete_conversion(o, at)) return;
    uint32_t near[32], length = nf_length(m, at), *words = length > 32 ? NF_NEW(m, uint32_t, length) : near;
    uint32_t id = nf_result_id(m, at), bits = 0;
    memcpy(words, m->words + at, length * sizeof *words);
    if (op->result & 1) words[1] = nf_memory_type(o, words[1]);
    if (op->result & 2) words[1 + (op->result & 1)] = bits = is_generic_value(m, id) ? nf_new_id(o) : o->renamed[id];
    struct nf_operands walk = nf_walk(m, at);
    while (nf_operands_next(&walk))
        if (walk.kind == NF_OPERAND_ID) words[walk.at] = as_bits(o, words[walk.at]);
    nf_put_all(m, &o->bodies, words, length);
    if (id && is_generic_value(m, id)) from_memory(o, bits, id);
}

/* An instruction of an extension that the table lacks: it goes through as long as nothing in it changed its id. */
static void emit_unknown(struct nf_output *o, uint32_t at)
{
    struct nf_module *m = o->m;
    if (!o->keep_ids)
        nf_fail(m, NF_REFUSED, at, "unknown instruction %u in a function that is needed for several spaces",
                nf_opcode(m, at));
    for (uint32_t i = 1; i < nf_length(m, at); i++) {
        uint32_t id = m->words[at + i];
        if (id >= m->bound || !m->def[id]) continue;
        if (m->def[id] < m->body_at) mapped(o, id);
        if (nf_is_generic(m, id) && !hint(o))
            nf_fail(m, NF_REFUSED, at, "unknown instruction %u makes a generic pointer", nf_opcode(m, at));
        if (is_generic_value(m, id) && !nf_single(nf_rep_of(o, id)->set))
            nf_fail(m, NF_REFUSED, at, "unknown instruction %u takes a pointer that may be in several spaces",
                    nf_opcode(m, at));
    }
    nf_put_all(m, &o->bodies, m->words + at, nf_length(m, at));
}

/* ---- Instructions that move pointers: once for each part ---- */

static void emit_parts(struct nf_output *o, uint32_t at)
{
    struct nf_module *m = o->m;
    uint32_t id = nf_result_id(m, at), type = nf_result_type(m, at), opcode = nf_opcode(m, at);
    bool untyped = opcode >= OpUntypedAccessChainKHR && opcode <= OpUntypedInBoundsPtrAccessChainKHR;
    uint32_t base = nf_operand(m, at, untyped), base_type = type_id_of(m, base), length = nf_length(m, at);
    struct nf_rep rep = {.set = nf_rep_of(o, id)->set};
    uint32_t *words = NF_NEW(m, uint32_t, length);
    memcpy(words, m->words + at, length * sizeof *words);
    for (uint32_t i = 3; i < length; i++)
        if (i != 3u + untyped) words[i] = mapped(o, words[i]);
    for (unsigned n = 0; n < NF_PARTS; n++) {
        nf_set space = (nf_set)(1u << n);
        if (!(rep.set & space)) continue;
        words[3 + untyped] = nf_part_as(o, nf_rep_of(o, base), space, base_type);
        words[1] = nf_part_type(o, type, space);
        if (opcode == OpBitcast && words[1] == nf_part_type(o, base_type, space)) {
            rep.part[n] = words[3];
            if (o->f->unknown_ops) rep.part[n] = 0, words[0] = 4 << 16 | OpCopyObject;
            if (rep.part[n]) continue;
        }
        words[2] = rep.part[n] = part_id(o, &rep, id);
        nf_put_all(m, &o->bodies, words, length);
    }
    if (!nf_single(rep.set)) rep.tag = nf_tag_as(o, nf_rep_of(o, base));
    set_rep(o, id, rep);
}

/* Concrete to generic: the pointer itself. */
static void emit_cast_to_generic(struct nf_output *o, uint32_t at)
{
    struct nf_module *m = o->m;
    uint32_t id = nf_result_id(m, at), operand = nf_operand(m, at, 0), type = nf_result_type(m, at);
    nf_set space = nf_space_of_storage(nf_type(m, type_id_of(m, operand))->storage);
    struct nf_rep source = {.set = space}, rep = {.set = nf_rep_of(o, id)->set};
    uint32_t pointer = mapped(o, operand);
    if (!space)
        nf_fail(m, NF_REFUSED, at, "a pointer of storage class %u becomes generic",
                nf_type(m, type_id_of(m, operand))->storage);
    if (nf_memory_type(o, type_id_of(m, operand)) != nf_part_type(o, type, space))
        pointer = NF_EMIT_NEW(o, OpBitcast, nf_part_type(o, type, space), pointer);
    if (o->f->unknown_ops && nf_single(rep.set)) {
        uint32_t copy = part_id(o, &rep, id);
        NF_EMIT(o, OpCopyObject, nf_part_type(o, type, space), copy, pointer);
        pointer = copy;
    }
    source.part[nf_number(space)] = pointer;
    for (unsigned n = 0; n < NF_PARTS; n++)
        if (rep.set >> n & 1) rep.part[n] = nf_part_as(o, &source, (nf_set)(1u << n), type);
    if (!nf_single(rep.set)) rep.tag = nf_uint(o, space);
    set_rep(o, id, rep);
}

/* Generic to concrete: that part, null where it is another (MiniAS's dynamic cast), the part in any case if not
 * explicit. */
static void emit_cast_to_concrete(struct nf_output *o, uint32_t at)
{
    struct nf_module *m = o->m;
    uint32_t id = nf_result_id(m, at), operand = nf_operand(m, at, 0), type = nf_memory_type(o, nf_result_type(m, at));
    nf_set space = nf_space_of_storage(nf_type(m, nf_result_type(m, at))->storage);
    const struct nf_rep rep = *nf_rep_of(o, operand);
    bool is_explicit = nf_opcode(m, at) == OpGenericCastToPtrExplicit;
    if (rep.set == NF_GENERIC) {
        emit_plain(o, at);
        return;
    }
    if (!(rep.set & space) || rep.dead) {
        rename_to(o, id, nf_null(o, type));
        return;
    }
    uint32_t pointer = rep.part[nf_number(space)];
    if (nf_part_type(o, type_id_of(m, operand), space) != type) pointer = NF_EMIT_NEW(o, OpBitcast, type, pointer);
    if (is_explicit && !nf_single(rep.set))
        NF_EMIT(o, OpSelect, type, o->renamed[id], nf_has_tag(o, &rep, space), pointer, nf_null(o, type));
    else
        rename_to(o, id, pointer);
}

static void emit_select(struct nf_output *o, uint32_t at)
{
    struct nf_module *m = o->m;
    uint32_t id = nf_result_id(m, at), type = nf_result_type(m, at), condition = mapped(o, m->words[at + 3]);
    struct nf_rep rep = {.set = nf_rep_of(o, id)->set};
    const uint32_t arm[2] = {m->words[at + 4], m->words[at + 5]};
    for (unsigned n = 0; n < NF_PARTS; n++) {
        nf_set space = (nf_set)(1u << n);
        if (!(rep.set & space)) continue;
        uint32_t yes = nf_part_as(o, nf_rep_of(o, arm[0]), space, type),
                 no = nf_part_as(o, nf_rep_of(o, arm[1]), space, type);
        rep.part[n] = part_id(o, &rep, id);
        NF_EMIT(o, OpSelect, nf_part_type(o, type, space), rep.part[n], condition, yes, no);
    }
    if (!nf_single(rep.set)) {
        uint32_t yes = nf_tag_as(o, nf_rep_of(o, arm[0])), no = nf_tag_as(o, nf_rep_of(o, arm[1]));
        rep.tag = NF_EMIT_NEW(o, OpSelect, nf_uint_type(o), condition, yes, no);
    }
    set_rep(o, id, rep);
}

static void patch_later(struct nf_output *o, uint32_t value, uint32_t part, uint32_t link)
{
    NF_RESERVE(o->m, o->patches, o->patch_capacity, (size_t)o->patch_count + 1);
    o->patches[o->patch_count++] = (struct nf_phi_patch){o->bodies.count, value, part, link};
    nf_put(o->m, &o->bodies, 0);
}

static uint32_t find_link(const struct nf_output *o, uint32_t label, uint32_t phi, uint32_t value)
{
    if (!o->link_head) return 0;
    for (uint32_t l = o->link_head[label]; l; l = o->links[l].next)
        if (o->links[l].phi == phi && o->links[l].value == value) return l;
    return 0;
}

static void emit_phi(struct nf_output *o, uint32_t at)
{
    struct nf_module *m = o->m;
    uint32_t id = nf_result_id(m, at), type = nf_result_type(m, at), length = nf_length(m, at);
    bool generic = nf_is_generic(m, type);
    const struct nf_rep rep = generic ? *nf_rep_of(o, id) : (struct nf_rep){0};
    for (unsigned n = 0; n <= NF_PARTS; n++) {
        bool wanted = n == NF_PARTS ? rep.tag != 0 : generic ? rep.set >> n & 1 : n == 0;
        if (!wanted) continue;
        nf_put(m, &o->bodies, length << 16 | OpPhi);
        nf_put(m, &o->bodies,
               !generic        ? nf_memory_type(o, type)
               : n == NF_PARTS ? nf_uint_type(o)
                               : nf_part_type(o, type, (nf_set)(1u << n)));
        nf_put(m, &o->bodies, !generic ? o->renamed[id] : n == NF_PARTS ? rep.tag : rep.part[n]);
        for (uint32_t i = 3; i + 1 < length; i += 2) {
            uint32_t link = generic && hint(o) ? find_link(o, m->words[at + i + 1], id, m->words[at + i]) : 0;
            patch_later(o, m->words[at + i], generic ? n : UINT32_MAX, link);
            nf_put(m, &o->bodies, mapped(o, m->words[at + i + 1]));
        }
    }
}

static void fill_in_phis(struct nf_output *o)
{
    for (uint32_t i = 0; i < o->patch_count; i++) {
        const struct nf_phi_patch *patch = &o->patches[i];
        uint32_t id;
        if (patch->part == UINT32_MAX)
            id = mapped(o, patch->value);
        else if (patch->part == NF_PARTS)
            id = nf_tag_as(o, nf_rep_of(o, patch->value));
        else if (patch->link && o->links[patch->link].cast)
            id = o->links[patch->link].cast;
        else
            id = nf_part_as(o, nf_rep_of(o, patch->value), (nf_set)(1u << patch->part), type_id_of(o->m, patch->value));
        o->bodies.at[patch->at] = id;
    }
    o->patch_count = 0;
}

/* Hint mode: what becomes generic in a successor's phi does so here. */
static void close_block(struct nf_output *o, uint32_t label)
{
    if (o->block_closed || !o->link_head) return;
    o->block_closed = true;
    for (uint32_t l = o->link_head[label]; l; l = o->links[l].next) {
        uint32_t value = o->links[l].value;
        const struct nf_rep *rep = nf_rep_of(o, value);
        o->links[l].cast = 0;
        if (nf_rep_of(o, o->links[l].phi)->set == NF_GENERIC && rep->set != NF_GENERIC && !rep->dead)
            o->links[l].cast = nf_part_as(o, rep, NF_GENERIC, type_id_of(o->m, value));
    }
}

/* ---- Pointers and integers ---- */

static void emit_to_integer(struct nf_output *o, uint32_t at)
{
    struct nf_module *m = o->m;
    uint32_t id = nf_result_id(m, at), type = nf_memory_type(o, nf_result_type(m, at)),
             bits = to_memory(o, nf_operand(m, at, 0));
    if (hint(o))
        NF_EMIT(o, OpConvertPtrToU, type, o->renamed[id], bits);
    else if (nf_type(m, nf_result_type(m, at))->size * 8 == m->address_bits && type == o->address_type)
        rename_to(o, id, bits);
    else
        NF_EMIT(o, nf_opcode(m, at) == OpBitcast ? OpBitcast : OpUConvert, type, o->renamed[id], bits);
}

static void emit_to_pointer(struct nf_output *o, uint32_t at)
{
    struct nf_module *m = o->m;
    uint32_t operand = nf_operand(m, at, 0), bits = mapped(o, operand), type = type_id_of(m, operand);
    if (hint(o))
        bits = NF_EMIT_NEW(o, nf_opcode(m, at), nf_memory_type(o, nf_result_type(m, at)), bits);
    else if (nf_memory_type(o, type) != o->address_type)
        bits = NF_EMIT_NEW(o, nf_opcode(m, at) == OpBitcast ? OpBitcast : OpUConvert, o->address_type, bits);
    from_memory(o, bits, nf_result_id(m, at));
}

/* Both operands' one space, when they have the same (a null has every). */
static nf_set common_space(const struct nf_rep *a, const struct nf_rep *b)
{
    nf_set set = a->dead ? b->set : a->set;
    return nf_single(set) && (b->dead || b->set == set) ? set : 0;
}

static void emit_compare(struct nf_output *o, uint32_t at)
{
    struct nf_module *m = o->m;
    uint32_t id = nf_result_id(m, at), type = nf_memory_type(o, nf_result_type(m, at)), opcode = nf_opcode(m, at);
    uint32_t x = m->words[at + 3], y = m->words[at + 4], pointer_type = type_id_of(m, x);
    const struct nf_rep a = *nf_rep_of(o, x), b = *nf_rep_of(o, y);
    nf_set space = hint(o) && !common_space(&a, &b) ? NF_GENERIC : common_space(&a, &b);
    if (space) {
        uint32_t left = nf_part_as(o, &a, space, pointer_type), right = nf_part_as(o, &b, space, type_id_of(m, y));
        NF_EMIT(o, opcode, type, o->renamed[id], left, right);
        return;
    }
    uint32_t left = to_memory(o, x), right = to_memory(o, y);
    if (opcode != OpPtrDiff) {
        NF_EMIT(o, opcode == OpPtrEqual ? OpIEqual : OpINotEqual, type, o->renamed[id], left, right);
        return;
    }
    uint64_t size = nf_type(m, nf_type(m, pointer_type)->element)->size;
    uint32_t bytes = NF_EMIT_NEW(o, OpISub, o->address_type, left, right);
    uint32_t count = NF_EMIT_NEW(o, OpSDiv, o->address_type, bytes, nf_address_constant(o, size ? size : 1));
    if (type == o->address_type)
        rename_to(o, id, count);
    else
        NF_EMIT(o, OpSConvert, type, o->renamed[id], count);
}

static void emit_semantics(struct nf_output *o, uint32_t at)
{
    struct nf_module *m = o->m;
    enum { WORKGROUP_MEMORY = 0x100, CROSS_WORKGROUP_MEMORY = 0x200 };
    uint32_t pointer = nf_operand(m, at, 0);
    struct nf_rep rep = {.set = nf_space_of_storage(nf_type_of(m, pointer)->storage)};
    if (is_generic_value(m, pointer)) rep = *nf_rep_of(o, pointer);
    if (rep.set == NF_GENERIC || !rep.set) {
        emit_plain(o, at);
        return;
    }
    uint32_t type = nf_memory_type(o, nf_result_type(m, at)), result = 0;
    for (nf_set space = NF_PRIVATE; space <= NF_CODE; space = (nf_set)(space << 1)) {
        if (!(rep.set & space)) continue;
        uint32_t value = space == NF_LOCAL ? WORKGROUP_MEMORY : space == NF_PRIVATE ? 0 : CROSS_WORKGROUP_MEMORY;
        const uint32_t words[2] = {value, 0};
        uint32_t constant = nf_global(o, OpConstant, type, words, nf_type(m, nf_result_type(m, at))->size == 8 ? 2 : 1);
        result = result ? NF_EMIT_NEW(o, OpSelect, type, nf_has_tag(o, &rep, space), constant, result) : constant;
    }
    rename_to(o, nf_result_id(m, at), result);
}

/* ---- Accesses ---- */

static bool can_dispatch(enum nf_role role)
{
    switch (role) {
    case NF_ROLE_load:
    case NF_ROLE_store:
    case NF_ROLE_copy_memory:
    case NF_ROLE_atomic:
    case NF_ROLE_out:
    case NF_ROLE_vload:
    case NF_ROLE_vstore:
    case NF_ROLE_prefetch:
    case NF_ROLE_touch:
    case NF_ROLE_block_read: return true;
    default: return false;
    }
}

/* Drop alias scopes from a memory-access mask: the arms are about other pointers than the scopes were. Returns the
 * words. */
static uint32_t without_alias_scopes(struct nf_module *m, uint32_t at, uint32_t *words)
{
    enum { ALIAS_SCOPE = 0x10000, NO_ALIAS = 0x20000, ALIGNED = 2, AVAILABLE = 8, VISIBLE = 16 };
    const struct nf_op *op = nf_op_find(nf_opcode(m, at));
    const char *mask_letter = strchr(op->operands, 'm');
    uint32_t length = nf_length(m, at);
    memcpy(words, m->words + at, length * sizeof *words);
    if (!mask_letter) return length;
    uint32_t mask_at = 1 + (op->result & 1) + (op->result >> 1) + (uint32_t)(mask_letter - op->operands);
    if (mask_at >= length) return length;
    uint32_t mask = words[mask_at], kept = mask_at + 1 + !!(mask & ALIGNED) + !!(mask & AVAILABLE) + !!(mask & VISIBLE);
    uint32_t dropped = !!(mask & ALIAS_SCOPE) + !!(mask & NO_ALIAS);
    words[mask_at] = mask & ~(uint32_t)(ALIAS_SCOPE | NO_ALIAS);
    if (kept + dropped > length) return length;
    memmove(words + kept, words + kept + dropped, (length - kept - dropped) * sizeof *words);
    words[0] = (length - dropped) << 16 | op->opcode;
    return length - dropped;
}

/* An operand of an access in the form of the output. */
static struct nf_operand_form form_of(struct nf_output *o, uint32_t at, uint32_t word, bool is_id, bool is_value,
                                      nf_set *first)
{
    struct nf_module *m = o->m;
    struct nf_operand_form form = {.word = word};
    if (!is_id) return form;
    bool local = m->def[word] >= m->body_at;
    uint32_t type = type_id_of(m, word);
    if (!is_generic_value(m, word)) {
        form.word = mapped(o, word);
        form.type = local && type ? nf_memory_type(o, type) : 0;
        if (!*first && nf_type(m, type)->kind == NF_KIND_POINTER)
            *first = nf_space_of_storage(nf_type(m, type)->storage);
        return form;
    }
    const struct nf_rep *rep = nf_rep_of(o, word);
    form.generic_type = type;
    if (is_value || (nf_role_at(m, at) == NF_ROLE_printf && !nf_single(rep->set))) {
        form.word = to_memory(o, word);
        form.type = hint(o) ? nf_memory_type(o, type) : o->address_type;
    } else if (nf_single(rep->set)) {
        form.word = rep->part[nf_number(rep->set)];
        form.type = nf_part_type(o, type, rep->set);
        if (!*first) *first = rep->set;
    } else {
        form.rep = *rep;
    }
    return form;
}

static void emit_access(struct nf_output *o, uint32_t at)
{
    struct nf_module *m = o->m;
    uint32_t near[64], length = nf_length(m, at), *words = length > 64 ? NF_NEW(m, uint32_t, length) : near;
    uint32_t id = nf_result_id(m, at), opcode = nf_opcode(m, at);
    const struct nf_op *op = nf_op_find(opcode);
    enum nf_role role = nf_role_at(m, at);
    struct nf_operand_form near_forms[16],
        *forms = length > 16 ? NF_NEW(m, struct nf_operand_form, length) : near_forms;
    bool generic_result = id && is_generic_value(m, id), ambiguous = false;
    nf_set first = 0;
    uint32_t first_word = 1 + (op->result & 1) + (op->result >> 1), count = 0;
    memcpy(words, m->words + at, length * sizeof *words);
    struct nf_operands walk = nf_operands_begin(
        words, length, opcode == OpExtInst && m->words[at + 3] == m->ext_opencl ? NF_EXT_OPENCL_STD : NF_EXT_OTHER, 1);
    bool touches_several = false;
    for (struct nf_operands look = walk; nf_operands_next(&look);)
        touches_several |= look.kind == NF_OPERAND_ID && is_generic_value(m, words[look.at]) &&
                           !nf_single(nf_rep_of(o, words[look.at])->set);
    if (touches_several && role != NF_ROLE_printf) {
        length = without_alias_scopes(m, at, words);
        walk.count = length;
    }
    while (nf_operands_next(&walk)) {
        uint32_t index = walk.at - first_word;
        bool is_value = (role == NF_ROLE_store && index == 1) || (role == NF_ROLE_vstore && index == 2);
        forms[count] = form_of(o, at, words[walk.at], walk.kind == NF_OPERAND_ID, is_value, &first);
        ambiguous |= forms[count++].rep.set != 0;
    }
    if (ambiguous && !can_dispatch(role))
        nf_fail(m, NF_REFUSED, at,
                "a pointer that may be in several spaces, in an instruction that cannot be done for each");
    uint32_t type = nf_result_type(m, at) ? nf_memory_type(o, nf_result_type(m, at)) : 0;
    uint32_t result = generic_result ? nf_new_id(o) : id ? o->renamed[id] : 0;
    if (ambiguous) {
        nf_dispatch(o, opcode, type, result, forms, count);
    } else {
        for (uint32_t i = 0; i < count; i++)
            words[i] = forms[i].word;
        nf_access(o, opcode, type, result, words, count, first);
    }
    if (generic_result) from_memory(o, result, id);
}

/* ---- Functions and calls ---- */

/* The types of a generic parameter's or result's parts, tag first. */
static void put_part_types(struct nf_output *o, struct nf_words *types, uint32_t type, nf_set set)
{
    if (!nf_single(set)) nf_put(o->m, types, nf_uint_type(o));
    for (unsigned n = 0; n < NF_PARTS; n++)
        if (set >> n & 1) nf_put(o->m, types, nf_part_type(o, type, (nf_set)(1u << n)));
}

/* Set of the result of the function that is emitted for `instance`; 0 when it is no generic pointer. */
static nf_set result_set(struct nf_output *o, uint32_t instance)
{
    struct nf_module *m = o->m;
    const struct nf_instance *i = &m->instances[instance];
    const struct nf_function *f = &m->functions[i->function];
    bool dead;
    if (!nf_is_generic(m, f->result_type)) return 0;
    return nf_effective(m, f->return_node ? nf_spaces_of(i->masks[f->return_node - f->first_node]) : 0, &dead);
}

static uint32_t result_type(struct nf_output *o, uint32_t instance)
{
    struct nf_module *m = o->m;
    uint32_t type = m->functions[m->instances[instance].function].result_type;
    nf_set set = result_set(o, instance);
    if (!set || m->instances[instance].open) return nf_memory_type(o, type);
    if (nf_single(set)) return nf_part_type(o, type, set);
    struct nf_words members = {0};
    put_part_types(o, &members, type, set);
    uint32_t id = nf_global(o, OpTypeStruct, 0, members.at, members.count);
    nf_drop(m, members.at);
    return id;
}

static void emit_parameter(struct nf_output *o, uint32_t at, struct nf_words *types)
{
    struct nf_module *m = o->m;
    uint32_t id = nf_result_id(m, at), type = nf_result_type(m, at);
    bool open = m->instances[o->instance].open;
    if (!nf_is_generic(m, type) || open) {
        uint32_t bits = nf_is_generic(m, type) ? nf_new_id(o) : o->renamed[id];
        nf_put(m, types, nf_memory_type(o, type));
        NF_EMIT(o, OpFunctionParameter, nf_memory_type(o, type), bits);
        if (!nf_is_generic(m, type)) return;
        o->decode_queue[o->decode_count++] = bits;
        o->decode_queue[o->decode_count++] = id;
        return;
    }
    struct nf_rep rep = {.set = nf_rep_of(o, id)->set};
    put_part_types(o, types, type, rep.set);
    if (!nf_single(rep.set)) rep.tag = nf_emit_new(o, OpFunctionParameter, nf_uint_type(o), NULL, 0);
    for (unsigned n = 0; n < NF_PARTS; n++) {
        if (!(rep.set >> n & 1)) continue;
        rep.part[n] = part_id(o, &rep, id);
        NF_EMIT(o, OpFunctionParameter, nf_part_type(o, type, (nf_set)(1u << n)), rep.part[n]);
    }
    set_rep(o, id, rep);
}

static void emit_head(struct nf_output *o)
{
    struct nf_module *m = o->m;
    const struct nf_function *f = o->f;
    struct nf_words types = {0};
    uint32_t result = result_type(o, o->instance), start = o->bodies.count;
    nf_put(m, &types, result);
    NF_EMIT(o, OpFunction, result, m->instances[o->instance].emitted_id, m->words[f->at + 3], 0);
    for (uint32_t at = f->parameters; at < f->end && nf_opcode(m, at) != OpLabel && nf_opcode(m, at) != OpFunctionEnd;
         at = nf_next(m, at)) {
        if (nf_opcode(m, at) == OpFunctionParameter)
            emit_parameter(o, at, &types);
        else
            nf_put_all(m, &o->bodies, m->words + at, nf_length(m, at));
    }
    o->bodies.at[start + 4] = nf_global(o, OpTypeFunction, 0, types.at, types.count);
    nf_drop(m, types.at);
}

static void emit_return(struct nf_output *o, uint32_t at)
{
    struct nf_module *m = o->m;
    uint32_t value = m->words[at + 1], type = type_id_of(m, value), near[NF_PARTS + 1], count = 0;
    nf_set set = result_set(o, o->instance);
    if (!set || m->instances[o->instance].open) {
        NF_EMIT(o, OpReturnValue, as_bits(o, value));
        return;
    }
    const struct nf_rep rep = *nf_rep_of(o, value);
    if (nf_single(set)) {
        NF_EMIT(o, OpReturnValue, nf_part_as(o, &rep, set, type));
        return;
    }
    near[count++] = nf_tag_as(o, &rep);
    for (unsigned n = 0; n < NF_PARTS; n++)
        if (set >> n & 1) near[count++] = nf_part_as(o, &rep, (nf_set)(1u << n), type);
    /* Shipped translators crash on OpCompositeConstruct of a struct. */
    uint32_t tuple = result_type(o, o->instance), all = nf_null(o, tuple);
    for (uint32_t i = 0; i < count; i++)
        all = NF_EMIT_NEW(o, OpCompositeInsert, tuple, near[i], all, i);
    NF_EMIT(o, OpReturnValue, all);
}

static void put_argument(struct nf_output *o, struct nf_words *call, uint32_t id, nf_set set)
{
    struct nf_module *m = o->m;
    const struct nf_rep rep = *nf_rep_of(o, id);
    if (!nf_single(set)) nf_put(m, call, nf_tag_as(o, &rep));
    for (unsigned n = 0; n < NF_PARTS; n++)
        if (set >> n & 1) nf_put(m, call, nf_part_as(o, &rep, (nf_set)(1u << n), type_id_of(m, id)));
}

/* Parts of a call's result, of the callee's set, as the caller's set wants them. */
static void take_result(struct nf_output *o, uint32_t id, uint32_t result, uint32_t callee)
{
    struct nf_module *m = o->m;
    uint32_t type = type_id_of(m, id);
    nf_set set = result_set(o, callee);
    struct nf_rep given = {.set = set, .made = true}, rep = {.set = nf_rep_of(o, id)->set};
    if (nf_single(set)) {
        given.part[nf_number(set)] = result;
    } else {
        uint32_t member = 0;
        given.tag = NF_EMIT_NEW(o, OpCompositeExtract, nf_uint_type(o), result, member++);
        for (unsigned n = 0; n < NF_PARTS; n++)
            if (set >> n & 1)
                given.part[n] =
                    NF_EMIT_NEW(o, OpCompositeExtract, nf_part_type(o, type, (nf_set)(1u << n)), result, member++);
    }
    for (unsigned n = 0; n < NF_PARTS; n++)
        if (rep.set >> n & 1) rep.part[n] = nf_part_as(o, &given, (nf_set)(1u << n), type);
    if (!nf_single(rep.set)) rep.tag = nf_tag_as(o, &given);
    set_rep(o, id, rep);
    if (nf_single(rep.set) && rep.part[nf_number(rep.set)] == result) nf_remember_copy(o, id, result);
}

static uint32_t callee_of(struct nf_output *o, uint32_t at)
{
    struct nf_module *m = o->m;
    uint32_t low = 0, high = o->f->call_count;
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        if (o->f->calls[middle].at < at)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == o->f->call_count || o->f->calls[low].at != at) return 0;
    return m->instances[m->instances[o->instance].callees[low]].same_as;
}

static bool takes_generic(const struct nf_module *m, uint32_t at)
{
    if (nf_is_generic(m, nf_result_type(m, at))) return true;
    for (uint32_t i = 4; i < nf_length(m, at); i++)
        if (is_generic_value(m, m->words[at + i])) return true;
    return false;
}

/* A call of an imported function that takes generic pointers: known ones are done here, others cannot be. */
static void emit_import(struct nf_output *o, uint32_t at, const struct nf_function *f)
{
    struct nf_module *m = o->m;
    const char *name = nf_linkage_name(m, f->id);
    bool moves = !strncmp(name, "llvm.memmove.", 13) || !strncmp(name, "llvm.memcpy.", 12);
    bool sets = !strncmp(name, "llvm.memset.", 12);
    if ((!moves && !sets) || nf_length(m, at) < 7 || !is_generic_value(m, m->words[at + 4]))
        nf_fail(m, NF_REFUSED, at, "function %u (%s) is imported and takes or returns a generic pointer", f->id, name);
    struct nf_rep reps[2] = {*nf_rep_of(o, m->words[at + 4])};
    uint32_t types[2] = {type_id_of(m, m->words[at + 4]), 0}, value = m->words[at + 5];
    if (moves && is_generic_value(m, value)) {
        reps[1] = *nf_rep_of(o, value);
        types[1] = type_id_of(m, value);
    } else if (moves) {
        const struct nf_type *type = nf_type_of(m, value);
        reps[1].set = nf_space_of_storage(type->storage);
        reps[1].part[nf_number(reps[1].set)] = mapped(o, value);
        types[1] = type->id;
    }
    uint32_t size = mapped(o, m->words[at + 6]), size_type = nf_memory_type(o, type_id_of(m, m->words[at + 6]));
    nf_memory_call(o, reps, types, moves ? 0 : mapped(o, value), size, size_type);
}

static void emit_call(struct nf_output *o, uint32_t at)
{
    struct nf_module *m = o->m;
    uint32_t callee = callee_of(o, at), id = m->words[at + 2];
    const struct nf_function *f = &m->functions[m->slot[m->words[at + 3]]];
    if (!callee) {
        if (takes_generic(m, at) && !hint(o)) {
            emit_import(o, at, f);
            return;
        }
        emit_plain(o, at);
        return;
    }
    const struct nf_instance *target = &m->instances[callee];
    bool generic = is_generic_value(m, id);
    uint32_t result = generic ? nf_new_id(o) : o->renamed[id];
    struct nf_words call = {0};
    nf_put_all(m, &call, (uint32_t[]){result_type(o, callee), result, target->emitted_id}, 3);
    for (uint32_t i = 0; i < f->parameter_count; i++) {
        uint32_t argument = m->words[at + 4 + i], node = f->parameter_nodes[i];
        bool dead;
        if (!is_generic_value(m, argument) || target->open)
            nf_put(m, &call, as_bits(o, argument));
        else
            put_argument(o, &call, argument,
                         nf_effective(m, node ? nf_spaces_of(target->masks[node - f->first_node]) : 0, &dead));
    }
    nf_emit(o, OpFunctionCall, call.at, call.count);
    nf_drop(m, call.at);
    if (generic && target->open)
        from_memory(o, result, id);
    else if (generic)
        take_result(o, id, result, callee);
}

/* ---- The driver ---- */

static bool touches_generic(const struct nf_module *m, uint32_t at)
{
    if (nf_is_generic(m, nf_result_type(m, at))) return true;
    struct nf_operands walk = nf_walk(m, at);
    while (nf_operands_next(&walk))
        if (walk.kind == NF_OPERAND_ID && is_generic_value(m, m->words[at + walk.at])) return true;
    return false;
}

/* Debug information about a pointer that has become several is dropped, and so is the lifetime of what is no variable.
 */
static void emit_silent(struct nf_output *o, uint32_t at)
{
    struct nf_module *m = o->m;
    uint32_t opcode = nf_opcode(m, at);
    if ((opcode == OpLifetimeStart || opcode == OpLifetimeStop) && nf_rep_of(o, m->words[at + 1])->set != NF_PRIVATE)
        return;
    if (opcode != OpExtInst || m->words[at + 3] == m->ext_opencl) {
        emit_access(o, at);
        return;
    }
    struct nf_operands walk = nf_walk(m, at);
    while (nf_operands_next(&walk)) {
        if (walk.kind != NF_OPERAND_ID || !is_generic_value(m, m->words[at + walk.at])) continue;
        if (!nf_single(nf_rep_of(o, m->words[at + walk.at])->set)) return;
    }
    emit_access(o, at);
}

static void emit_bitcast(struct nf_output *o, uint32_t at)
{
    struct nf_module *m = o->m;
    bool from = is_generic_value(m, nf_operand(m, at, 0)), to = nf_is_generic(m, nf_result_type(m, at));
    if (from && to)
        emit_parts(o, at);
    else if (from && nf_type(m, nf_result_type(m, at))->kind == NF_KIND_POINTER)
        emit_cast_to_concrete(o, at);
    else if (to && nf_type_of(m, nf_operand(m, at, 0))->kind == NF_KIND_POINTER)
        emit_cast_to_generic(o, at);
    else if (from)
        emit_to_integer(o, at);
    else
        emit_to_pointer(o, at);
}

static void emit_generic(struct nf_output *o, uint32_t at)
{
    struct nf_module *m = o->m;
    bool generic_result = nf_is_generic(m, nf_result_type(m, at));
    switch (nf_role_at(m, at)) {
    case NF_ROLE_chain:
    case NF_ROLE_copy: emit_parts(o, at); break;
    case NF_ROLE_bitcast: emit_bitcast(o, at); break;
    case NF_ROLE_cast:
    case NF_ROLE_cast_explicit:
        if (generic_result)
            emit_cast_to_generic(o, at);
        else
            emit_cast_to_concrete(o, at);
        break;
    case NF_ROLE_select: emit_select(o, at); break;
    case NF_ROLE_phi: emit_phi(o, at); break;
    case NF_ROLE_to_integer: emit_to_integer(o, at); break;
    case NF_ROLE_to_pointer: emit_to_pointer(o, at); break;
    case NF_ROLE_compare: emit_compare(o, at); break;
    case NF_ROLE_semantics: emit_semantics(o, at); break;
    case NF_ROLE_return: emit_return(o, at); break;
    case NF_ROLE_null:
    case NF_ROLE_construct:
    case NF_ROLE_extract:
    case NF_ROLE_insert:
    case NF_ROLE_extract_dynamic:
    case NF_ROLE_insert_dynamic:
    case NF_ROLE_shuffle:
    case NF_ROLE_pass:
    case NF_ROLE_group_value:
    case NF_ROLE_call_indirect: emit_plain(o, at); break;
    case NF_ROLE_nothing:
    case NF_ROLE_touch: emit_silent(o, at); break;
    default: emit_access(o, at); break;
    }
}

static void emit_instruction(struct nf_output *o, uint32_t at)
{
    struct nf_module *m = o->m;
    uint32_t opcode = nf_opcode(m, at);
    if (nf_op_find(opcode)->opcode == 0xffff)
        emit_unknown(o, at);
    else if (opcode == OpFunctionCall)
        emit_call(o, at);
    else if (opcode == OpPhi)
        emit_phi(o, at);
    else if (touches_generic(m, at) || opcode == OpReturnValue || opcode == OpGenericPtrMemSemantics)
        emit_generic(o, at);
    else
        emit_plain(o, at);
}

/* Give every result its id, and every generic pointer its set. */
static void prepare(struct nf_output *o)
{
    struct nf_module *m = o->m;
    const struct nf_instance *instance = &m->instances[o->instance];
    for (uint32_t at = o->f->parameters; at < o->f->end; at = nf_next(m, at)) {
        uint32_t id = nf_result_id(m, at);
        if (!id) continue;
        if (!nf_is_generic(m, nf_result_type(m, at))) {
            o->renamed[id] = own_id(o, id);
            continue;
        }
        bool dead;
        nf_set set = nf_effective_set(m, instance, id, &dead);
        struct nf_rep *rep = new_rep(o, id);
        rep->set = set;
        rep->dead = dead;
        if (nf_opcode(m, at) != OpPhi) continue;
        for (unsigned n = 0; n < NF_PARTS; n++)
            if (set >> n & 1) rep->part[n] = part_id(o, rep, id);
        if (!nf_single(set)) rep->tag = nf_new_id(o);
        rep->made = true;
    }
}

static void link_phis(struct nf_output *o)
{
    struct nf_module *m = o->m;
    if (!hint(o)) return;
    if (!o->link_head) o->link_head = NF_NEW(m, uint32_t, m->bound);
    if (!o->link_count) o->link_count = 1;
    for (uint32_t at = o->f->body; at < o->f->end; at = nf_next(m, at)) {
        if (nf_opcode(m, at) == OpLabel) o->link_head[m->words[at + 1]] = 0;
    }
    for (uint32_t at = o->f->body; at < o->f->end; at = nf_next(m, at)) {
        if (nf_opcode(m, at) != OpPhi || !nf_is_generic(m, m->words[at + 1])) continue;
        for (uint32_t i = 3; i + 1 < nf_length(m, at); i += 2) {
            NF_RESERVE(m, o->links, o->link_capacity, (size_t)o->link_count + 1);
            uint32_t *head = &o->link_head[m->words[at + i + 1]];
            o->links[o->link_count] = (struct nf_phi_link){m->words[at + 2], m->words[at + i], 0, *head};
            *head = o->link_count++;
        }
    }
}

/* A by-value argument of a kernel that may be written: on some drivers all work-items of a group share its one copy. */
static bool is_written_argument(struct nf_output *o, uint32_t at)
{
    struct nf_module *m = o->m;
    if (!m->instances[o->instance].root || !o->f->entry_at || hint(o)) return false;
    const struct nf_type *type = nf_type(m, m->words[at + 1]);
    struct nf_value v = m->values[m->words[at + 2]];
    if (type->kind != NF_KIND_POINTER || type->storage != NF_STORAGE_FUNCTION || !type->element || !v.node)
        return false;
    const struct nf_region *r = &m->graph->regions[nf_place_of(m, v).region];
    return r->stored || r->host;
}

static void declare_copies(struct nf_output *o)
{
    struct nf_module *m = o->m;
    for (uint32_t at = o->f->parameters; nf_opcode(m, at) != OpLabel; at = nf_next(m, at)) {
        if (nf_opcode(m, at) != OpFunctionParameter || !is_written_argument(o, at)) continue;
        uint32_t id = m->words[at + 2], copy = nf_new_id(o);
        NF_EMIT(o, OpVariable, nf_memory_type(o, m->words[at + 1]), copy, NF_STORAGE_FUNCTION);
        o->by_value[o->by_value_count++] = id;
        o->by_value[o->by_value_count++] = copy;
    }
}

static void copy_arguments(struct nf_output *o)
{
    struct nf_module *m = o->m;
    enum { ALIGNED = 2 };
    for (uint32_t i = 0; i < o->by_value_count; i += 2) {
        uint32_t id = o->by_value[i], copy = o->by_value[i + 1];
        const struct nf_type *type = nf_type(m, nf_type_of(m, id)->element);
        uint32_t size = nf_address_constant(o, type->size);
        if (type->size) NF_EMIT(o, OpCopyMemorySized, copy, o->renamed[id], size, ALIGNED, type->align);
        o->renamed[id] = copy;
    }
    o->by_value_count = 0;
}

static void decode_parameters(struct nf_output *o)
{
    for (uint32_t i = 0; i < o->decode_count; i += 2)
        from_memory(o, o->decode_queue[i], o->decode_queue[i + 1]);
    o->decode_count = 0;
}

static bool stays_at_head(uint32_t opcode)
{
    return opcode == OpLabel || opcode == OpVariable || opcode == OpUntypedVariableKHR || opcode == OpLine ||
           opcode == OpNoLine || opcode == OpExtInst;
}

void nf_rewrite_instance(struct nf_output *o, uint32_t index)
{
    struct nf_module *m = o->m;
    struct nf_instance *instance = &m->instances[index];
    uint32_t label = 0;
    o->instance = index;
    o->f = &m->functions[instance->function];
    o->keep_ids = instance->emitted_id == o->f->id;
    o->decode_queue = NF_NEW(m, uint32_t, 2 * (size_t)o->f->parameter_count + 1);
    o->by_value = NF_NEW(m, uint32_t, 2 * (size_t)o->f->parameter_count + 1);
    nf_remember_copy(o, o->f->id, instance->emitted_id);
    prepare(o);
    link_phis(o);
    emit_head(o);
    for (uint32_t at = o->f->body; at < o->f->end; at = nf_next(m, at)) {
        uint32_t opcode = nf_opcode(m, at);
        o->at = at;
        if (o->by_value_count && !stays_at_head(opcode)) copy_arguments(o);
        if (o->decode_count && !stays_at_head(opcode)) decode_parameters(o);
        if (opcode == OpLabel) {
            label = m->words[at + 1];
            o->block_closed = false;
        }
        if (nf_ends_block(opcode) || opcode == OpLoopMerge || opcode == OpSelectionMerge) close_block(o, label);
        emit_instruction(o, at);
        if (at == o->f->body) declare_copies(o);
    }
    fill_in_phis(o);
}
