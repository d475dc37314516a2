/* SPDX-License-Identifier: Apache-2.0 */
/*
 * input_addresses.c - analyzes pointers into built-in variables for inputs.c: which component they point to, which
 * loads read a constant part of a variable, and which pointers need a private copy because they have other uses.
 *
 *     %c = OpBitcast %_ptr_Input_uchar %WorkgroupId             byte 0
 *     %d = OpPtrAccessChain %_ptr_Input_uchar %c %ulong_8       byte 8
 *     %e = OpBitcast %_ptr_Input_ulong %d                       byte 8
 *     %y = OpLoad %ulong %e                                     component 1
 *     %x = OpExtInst %ulong2 vloadn %i %c 2                     a use of %c that needs a copy
 *
 * needs: a module that was read, and its types.  gives: addresses and marks.
 */
#include "prepare/internal.h"

bool nf_is_module_variable(const struct nf_module *m, uint32_t id)
{
    return nf_match(m, id, OpVariable) && m->def[id] < m->body_at;
}

/* ---- Addresses ---- */

static void find_variables(struct nf_inputs *p)
{
    const struct nf_module *m = p->to.m;
    for (uint32_t at = NF_HEADER_WORDS; at < m->body_at; at = nf_next(m, at)) {
        uint32_t id = nf_opcode(m, at) == OpDecorate ? nf_annotated_id(m, at) : 0;
        if (!id || nf_decoration_at(m, at) != NF_DECORATION_BUILT_IN || !nf_is_module_variable(m, id)) continue;
        p->addresses[id] = (struct nf_input_address){.variable = id, .known = true, .direct = true};
        p->must_change |= p->moves && nf_variable_storage_class(m, m->def[id]) != NF_STORAGE_INPUT;
    }
}

/* Advances `address` by `index` elements of `size` bytes. `components`: the elements are components of the variable.
 * Clears `known` unless `index` is a small constant, or selects one of the components from offset 0. */
static void step(const struct nf_inputs *p, struct nf_input_address *address, uint32_t index, uint64_t size,
                 bool components)
{
    int64_t value;
    if (nf_constant(p->to.m, index, &value) && value >= -UINT16_MAX && value <= UINT16_MAX && size <= UINT16_MAX)
        address->offset += value * (int64_t)size;
    else if (components && address->known && !address->offset && !address->index)
        address->index = index;
    else
        address->known = false;
}

/* Advances `address` by the indices of an access chain, in the words from `at` to `end`; `base` is its base pointer. */
static void follow(const struct nf_inputs *p, struct nf_input_address *address, uint32_t base, bool has_element,
                   uint32_t at, uint32_t end)
{
    const struct nf_module *m = p->to.m;
    const struct nf_type *type = nf_type(m, nf_type_of(m, base)->element);
    bool whole = type == nf_type(m, nf_type_of(m, address->variable)->element);
    int64_t member;
    if (has_element && at < end) step(p, address, m->words[at++], type->size, false);
    for (; at < end; at++) {
        if (type->kind == NF_KIND_STRUCT && nf_constant(m, m->words[at], &member) && member >= 0 &&
            member < type->count) {
            address->offset += type->offsets[member];
            type = nf_type(m, nf_member_type(m, type->at, member));
            continue;
        }
        bool components = type->kind == NF_KIND_VECTOR;
        address->known &= components || type->kind == NF_KIND_ARRAY;
        type = nf_type(m, type->element);
        step(p, address, m->words[at], type->size, components && whole);
    }
    address->direct &=
        !has_element && whole && address->known && !address->index && type->id == nf_type_of(m, address->base)->element;
}

/* Returns the offset of the word with the pointer from which the instruction derives its result, or 0 if its result is
 * not such a pointer. Sets `*opcode` to the opcode of the instruction, or of the operation of an OpSpecConstantOp. */
static uint32_t base_word(const struct nf_module *m, uint32_t at, uint32_t *opcode)
{
    bool constant = nf_opcode(m, at) == OpSpecConstantOp;
    *opcode = constant ? nf_spec_opcode(m, at) : nf_opcode(m, at);
    switch (*opcode) {
    case OpBitcast:
    case OpCopyObject:
    case OpPtrCastToGeneric:
    case OpGenericCastToPtr:
    case OpAccessChain:
    case OpInBoundsAccessChain:
    case OpPtrAccessChain:
    case OpInBoundsPtrAccessChain:
        return nf_type_of(m, nf_result_id(m, at))->kind == NF_KIND_POINTER ? at + 3 + constant : 0;
    default: return 0;
    }
}

static void derive(struct nf_inputs *p, uint32_t at)
{
    const struct nf_module *m = p->to.m;
    uint32_t opcode, word = base_word(m, at, &opcode), base = word ? m->words[word] : 0, id = nf_result_id(m, at);
    if (!base || !p->addresses[base].variable) return;
    struct nf_input_address *address = &p->addresses[id];
    *address = p->addresses[base];
    address->base = base;
    bool has_element = opcode == OpPtrAccessChain || opcode == OpInBoundsPtrAccessChain;
    if (has_element || opcode == OpAccessChain || opcode == OpInBoundsAccessChain) {
        address->base = id; /* from which follow() takes the type of the result */
        follow(p, address, base, has_element, word + 1, nf_next(m, at));
        address->base = base;
    } else {
        address->direct = false;
    }
}

/* ---- Loads ---- */

static bool is_number(const struct nf_type *type)
{
    return type->kind == NF_KIND_INT || type->kind == NF_KIND_FLOAT;
}

bool nf_is_whole_load(const struct nf_inputs *p, uint32_t at)
{
    const struct nf_module *m = p->to.m;
    const struct nf_input_address *address = &p->addresses[nf_load_pointer(m, at)];
    return address->known && !address->offset && !address->index &&
           nf_type_of(m, address->variable)->element == nf_result_type(m, at);
}

bool nf_reads_component(const struct nf_inputs *p, uint32_t at, struct nf_input_part *part)
{
    const struct nf_module *m = p->to.m;
    const struct nf_input_address *address = &p->addresses[nf_load_pointer(m, at)];
    if (!address->variable || !address->known || address->offset < 0) return false;
    part->whole = nf_type(m, nf_type_of(m, address->variable)->element);
    bool parts = part->whole->kind == NF_KIND_VECTOR || part->whole->kind == NF_KIND_ARRAY;
    part->component = parts ? nf_type(m, part->whole->element) : part->whole;
    part->result = nf_type(m, nf_result_type(m, at));
    uint64_t size = part->component->size, bytes = part->result->size, offset = (uint64_t)address->offset;
    if (part->component->kind != NF_KIND_INT || !size || !is_number(nf_scalar_of(m, part->result))) return false;
    if (nf_width_of(m, part->component) != 8 * size || offset / size >= (parts ? part->whole->count : 1)) return false;
    part->at = (uint32_t)(offset / size);
    part->shift = (uint32_t)(offset % size);
    if (part->result->kind == NF_KIND_INT ? nf_width_of(m, part->result) != 8 * bytes : bytes < 4) return false;
    if (part->result->kind == NF_KIND_VECTOR && part->result->count == 3) return false;
    part->count = bytes > size && !part->shift && !address->index ? (uint32_t)(bytes / size) : 1;
    if (part->count > 1)
        return bytes % size == 0 && part->count <= NF_INPUT_COMPONENTS && part->at + part->count <= part->whole->count;
    return part->shift + bytes <= size && (!address->index || (bytes == size && !offset));
}

static bool is_load(const struct nf_module *m, uint32_t at)
{
    return nf_opcode(m, at) == OpLoad;
}

bool nf_is_replaced_load(const struct nf_inputs *p, uint32_t at)
{
    struct nf_input_part part;
    return is_load(p->to.m, at) && p->addresses[nf_load_pointer(p->to.m, at)].variable &&
           (nf_is_whole_load(p, at) || nf_reads_component(p, at, &part));
}

/* ---- Uses ---- */

bool nf_uses_no_address(const struct nf_module *m, uint32_t at)
{
    return at < m->body_at && !nf_is_made_constant(nf_opcode(m, at)) && nf_opcode(m, at) != OpVariable;
}

static void keep(struct nf_inputs *p, uint32_t id)
{
    for (; id && !(p->marks[id] & NF_INPUT_KEPT); id = p->addresses[id].base)
        p->marks[id] |= NF_INPUT_KEPT;
    p->must_change = true;
}

static bool only_reads(const struct nf_module *m, uint32_t at, uint32_t index)
{
    switch (nf_role_at(m, at)) {
    case NF_ROLE_load: return is_load(m, at);
    case NF_ROLE_copy_memory: return index > nf_operand_at(m, at, 0) - at;
    case NF_ROLE_vload:
    case NF_ROLE_prefetch: return true;
    default: return false;
    }
}

/* Returns true if the use at `index` is the base of another pointer into the variable (a cast, a chain), or the pointer
 * of a load that is replaced. */
static bool leads_to_load(const struct nf_inputs *p, uint32_t at, uint32_t index)
{
    const struct nf_module *m = p->to.m;
    uint32_t id = nf_result_id(m, at), opcode;
    if (id && p->addresses[id].base) return at + index == base_word(m, at, &opcode);
    return nf_is_replaced_load(p, at) && at + index == at + 3;
}

static void note_use(struct nf_inputs *p, uint32_t at, uint32_t index)
{
    const struct nf_module *m = p->to.m;
    uint32_t id = nf_word(m, at, index);
    const struct nf_type *type = nf_type_of(m, id);
    if (leads_to_load(p, at, index)) {
        bool stays =
            p->moves ? p->addresses[id].direct : !p->addresses[id].base && is_load(m, at) && nf_is_whole_load(p, at);
        p->must_change |= is_load(m, at) && !stays;
        return;
    }
    if (nf_opcode(m, at) == OpVariable)
        nf_fail(m->arena, NF_REFUSED, at, "the initializer of a variable contains the address of a built-in variable");
    keep(p, id);
    bool reads = only_reads(m, at, index);
    p->passes_copies |= at >= m->body_at && !reads;
    if (p->marks[id] & NF_INPUT_MADE && !p->addresses[id].variable) type = nf_type(m, 0);
    if (reads || type->kind != NF_KIND_POINTER || type->storage == NF_STORAGE_INPUT ||
        type->storage == NF_STORAGE_GENERIC)
        return;
    if (type->storage != NF_STORAGE_CROSS_WORKGROUP)
        nf_fail(m->arena, NF_REFUSED, at,
                "a pointer to a built-in variable in storage class %u is stored, converted or merged", type->storage);
    p->globals_change = true;
}

/* Marks the constant at `at` if it is derived from the address of a built-in variable. */
static void note_constant(struct nf_inputs *p, uint32_t at)
{
    const struct nf_module *m = p->to.m;
    struct nf_ids ids = nf_ids_at(m, at);
    bool made = false;
    if (!nf_is_made_constant(nf_opcode(m, at))) return;
    while (nf_ids_next(&ids))
        made |= p->addresses[nf_current_id(&ids)].variable || p->marks[nf_current_id(&ids)] & NF_INPUT_MADE;
    if (!made) return;
    p->marks[nf_result_id(m, at)] |= NF_INPUT_MADE;
    if (!p->first_made) p->first_made = at;
    p->last_made = nf_next(m, at);
}

static void find_addresses(struct nf_inputs *p)
{
    const struct nf_module *m = p->to.m;
    for (uint32_t at = NF_HEADER_WORDS; at < m->count; at = nf_next(m, at)) {
        if (nf_uses_no_address(m, at)) continue;
        derive(p, at);
        if (at < m->body_at) note_constant(p, at);
    }
}

static void find_uses(struct nf_inputs *p)
{
    const struct nf_module *m = p->to.m;
    for (uint32_t at = NF_HEADER_WORDS; at < m->count; at = nf_next(m, at)) {
        if (nf_uses_no_address(m, at)) continue;
        struct nf_ids ids = nf_ids_at(m, at);
        while (nf_ids_next(&ids)) {
            uint32_t id = nf_current_id(&ids);
            if (p->addresses[id].variable || p->marks[id] & NF_INPUT_MADE) note_use(p, at, ids.at);
        }
    }
    for (uint32_t i = 0; i < m->variable_count; i++) {
        uint32_t id = m->variables[i];
        p->inputs_change |=
            p->marks[id] & NF_INPUT_KEPT && nf_variable_storage_class(m, m->def[id]) == NF_STORAGE_INPUT;
    }
}

void nf_find_input_uses(struct nf_inputs *p)
{
    find_variables(p);
    find_addresses(p);
    find_uses(p);
}
