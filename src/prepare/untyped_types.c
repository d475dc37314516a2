/* SPDX-License-Identifier: Apache-2.0 */
/*
 * untyped_types.c - the types of pointers that get a pointee, and casts between them, for untyped.c.
 *
 *     %up                                     the type that untyped pointers had: now a pointer to bytes
 *     nf_untyped_pointer_like(u, p, %uint)    the type of a pointer to %uint in the memory of p
 *     nf_untyped_as_type(u, p, type)          p, or a cast of it that is written in front of its use
 *
 * needs: a module that was read, and its types.  gives: definitions and casts in the words that are being written.
 */
#include "prepare/internal.h"

/* ---- Types ---- */

/* Returns the type that the value had in the input. */
uint32_t nf_untyped_type_before(const struct nf_untyping *u, uint32_t id)
{
    return nf_result_type(u->to.m, u->to.m->def[id]);
}

uint32_t nf_untyped_type_now(const struct nf_untyping *u, uint32_t id)
{
    return u->new_type[id] ? u->new_type[id] : nf_untyped_type_before(u, id);
}

/* Returns the id of a type. At module scope its definition is emitted at once, so that it precedes its use. */
uint32_t nf_untyped_define(struct nf_untyping *u, uint32_t opcode, const uint32_t *operands, uint32_t count)
{
    struct nf_builder *b = &u->to.build;
    if (!u->constants) return nf_build_definition(b, opcode, 0, operands, count);
    nf_build_note(b, u->to.out.at, u->known, u->to.out.count, OpTypeFunction);
    uint32_t id = nf_build_definition(b, opcode, 0, operands, count);
    nf_append_words(&u->to.out, b->definitions.at, b->definitions.count);
    b->definitions.count = 0;
    u->known = u->to.out.count;
    return id;
}

uint32_t nf_untyped_integer_type(struct nf_untyping *u, uint32_t width)
{
    if (width == 8) return u->byte;
    if (width == 16) nf_edit_need(&u->to, NF_CAPABILITY_INT16);
    if (width == 64) nf_edit_need(&u->to, NF_CAPABILITY_INT64);
    return nf_untyped_define(u, OpTypeInt, (uint32_t[]){width, 0}, 2);
}

uint32_t nf_untyped_vector_type(struct nf_untyping *u, uint32_t component, uint32_t count)
{
    if (count > 4) nf_edit_need(&u->to, NF_CAPABILITY_VECTOR16);
    return nf_untyped_define(u, OpTypeVector, (uint32_t[]){component, count}, 2);
}

uint32_t nf_untyped_half_type(struct nf_untyping *u)
{
    nf_edit_need(&u->to, NF_CAPABILITY_FLOAT16_BUFFER);
    return nf_untyped_define(u, OpTypeFloat, (uint32_t[]){16}, 1);
}

/* Returns the type of a pointer to `pointee` in the storage class of the pointer `id`. */
uint32_t nf_untyped_pointer_like(struct nf_untyping *u, uint32_t id, uint32_t pointee)
{
    return nf_untyped_define(u, OpTypePointer, (uint32_t[]){nf_type_of(u->to.m, id)->storage, pointee}, 2);
}

/* Returns the type of the components of a vector or of a cooperative matrix; any other type is returned as it is. */
uint32_t nf_untyped_component_of(const struct nf_untyping *u, uint32_t type)
{
    const struct nf_type *t = nf_type(u->to.m, type);
    if (nf_opcode(u->to.m, t->at) == OpTypeCooperativeMatrixKHR) return nf_type_operand(u->to.m, t->at, 0);
    return t->kind == NF_KIND_VECTOR ? t->element : type;
}

bool nf_untyped_is(const struct nf_untyping *u, uint32_t id)
{
    const struct nf_type *type = nf_type_of(u->to.m, id);
    return type->kind == NF_KIND_POINTER && !type->element;
}

/* ---- Casts ---- */

void nf_untyped_put_cast(struct nf_untyping *u, struct nf_words *to, uint32_t type, uint32_t id, uint32_t pointer)
{
    if (u->constants)
        nf_build(to, OpSpecConstantOp, (uint32_t[]){type, id, OpBitcast, pointer}, 4);
    else
        nf_build(to, OpBitcast, (uint32_t[]){type, id, pointer}, 3);
}

/* Returns the pointer `id`, cast to the type `wanted` if it has another type. */
uint32_t nf_untyped_as_type(struct nf_untyping *u, uint32_t id, uint32_t wanted)
{
    if (nf_untyped_type_now(u, id) == wanted || nf_type_of(u->to.m, id)->kind != NF_KIND_POINTER) return id;
    uint32_t cast = nf_build_id(&u->to.build);
    nf_untyped_put_cast(u, &u->to.out, wanted, cast, id);
    return cast;
}

/* Returns the constant `id`, cast to the type `wanted` if it is a pointer of another type: the cast is a constant, too,
 * which a function adds to the module scope. */
uint32_t nf_untyped_as_constant(struct nf_untyping *u, uint32_t id, uint32_t wanted)
{
    if (u->constants || nf_untyped_type_now(u, id) == wanted || nf_type_of(u->to.m, id)->kind != NF_KIND_POINTER)
        return nf_untyped_as_type(u, id, wanted);
    return nf_build_definition(&u->to.build, OpSpecConstantOp, wanted, (uint32_t[]){OpBitcast, id}, 2);
}

/* Returns the pointer `id`, cast to a pointer to `pointee` if it has another type; any other value unchanged. */
uint32_t nf_untyped_as_pointer_to(struct nf_untyping *u, uint32_t id, uint32_t pointee)
{
    return nf_type_of(u->to.m, id)->kind == NF_KIND_POINTER
               ? nf_untyped_as_type(u, id, nf_untyped_pointer_like(u, id, pointee))
               : id;
}
