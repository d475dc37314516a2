/* SPDX-License-Identifier: Apache-2.0 */
/*
 * builder.c - creates ids, instructions, types and constants of the output.
 *
 *     nf_uint(o, 4)                %4 = OpConstant %uint 4      the same id at every call
 *
 * SPIR-V does not allow a non-aggregate type twice. So one table has the unique definitions of the input
 * (definitions.c) and all new ones; equal ones get one id.
 */
#include "rewrite/internal.h"

void nf_emit(struct nf_output *o, uint32_t opcode, const uint32_t *operands, uint32_t count)
{
    nf_build(&o->bodies, opcode, operands, count);
}

uint32_t nf_emit_new(struct nf_output *o, uint32_t opcode, const uint32_t *words, uint32_t count)
{
    uint32_t id = nf_new_id(o);
    nf_append_words(&o->bodies, (uint32_t[]){nf_first_word(opcode, count + 2), words[0], id}, 3);
    nf_append_words(&o->bodies, words + 1, count - 1);
    return id;
}

uint32_t nf_global(struct nf_output *o, uint32_t opcode, uint32_t type, const uint32_t *operands, uint32_t count)
{
    uint32_t id = nf_build_definition(&o->build, opcode, type, operands, count);
    if (id < o->m->bound && !o->used[id]) o->used[id] = 1;
    return id;
}

/* ---- Types ---- */

uint32_t nf_uint_type(struct nf_output *o)
{
    return nf_global(o, OpTypeInt, 0, (uint32_t[]){32, 0}, 2);
}

uint32_t nf_byte_type(struct nf_output *o)
{
    return nf_global(o, OpTypeInt, 0, (uint32_t[]){8, 0}, 2);
}

uint32_t nf_bool_type(struct nf_output *o)
{
    return nf_global(o, OpTypeBool, 0, NULL, 0);
}

uint32_t nf_void_type(struct nf_output *o)
{
    return nf_global(o, OpTypeVoid, 0, NULL, 0);
}

uint32_t nf_pointer_type(struct nf_output *o, uint32_t storage, uint32_t pointee)
{
    return nf_global(o, OpTypePointer, 0, (uint32_t[]){storage, pointee}, 2);
}

uint32_t nf_part_type(struct nf_output *o, uint32_t generic_type, nf_set space)
{
    const struct nf_type *type = nf_type(o->m, generic_type);
    if (space == NF_GENERIC) return nf_memory_type(o, generic_type);
    uint32_t storage = nf_storage_of_space(o->m, space);
    if (!type->element) return nf_global(o, OpTypeUntypedPointerKHR, 0, &storage, 1);
    return nf_pointer_type(o, storage, nf_memory_type(o, type->element));
}

/* ---- Constants ---- */

uint32_t nf_uint(struct nf_output *o, uint32_t value)
{
    return nf_global(o, OpConstant, nf_uint_type(o), &value, 1);
}

uint32_t nf_integer(struct nf_output *o, uint32_t type, uint32_t value)
{
    return nf_global(o, OpConstant, type, (uint32_t[]){value, 0}, nf_type(o->m, type)->size == 8 ? 2 : 1);
}

uint32_t nf_address_constant(struct nf_output *o, uint64_t value)
{
    uint32_t words[2] = {(uint32_t)value, (uint32_t)(value >> 32)};
    return nf_global(o, OpConstant, o->address_type, words, o->m->address_bits == 32 ? 1 : 2);
}

uint32_t nf_null(struct nf_output *o, uint32_t type)
{
    return nf_global(o, OpConstantNull, type, NULL, 0);
}
