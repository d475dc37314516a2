/* SPDX-License-Identifier: Apache-2.0 */
/*
 * escapes.c - makes the escape of private and local addresses visible to the driver's compiler.
 *
 *     %a = OpConvertPtrToU %ulong %p           OpStore %own %p Volatile
 *                                              %own_a = OpBitcast %_ptr_Function_ulong %own
 *                                              %a = OpLoad %ulong %own_a Volatile
 *
 * The compilers of some drivers do not detect that an address escapes when it is converted to an integer, or passed to
 * a function whose result may hold it, and move accesses over that instruction. So the address is passed through
 * volatile memory.
 *
 * needs: a pointer; a temporary variable (temporaries.c).  gives: the pointer or its address, loaded from memory.
 */
#include "rewrite/internal.h"

/* Stores the pointer to a temporary, volatile. Returns the temporary. */
static uint32_t store_volatile(struct nf_output *o, uint32_t pointer, uint32_t type)
{
    uint32_t variable = nf_temporary(o, type, 0);
    NF_EMIT(o, OpStore, variable, pointer, NF_VOLATILE_ALIGNED, NF_ESCAPE_ALIGNMENT);
    return variable;
}

static uint32_t load_volatile(struct nf_output *o, uint32_t variable, uint32_t type)
{
    return NF_EMIT_NEW(o, OpLoad, type, variable, NF_VOLATILE_ALIGNED, NF_ESCAPE_ALIGNMENT);
}

static bool must_escape(struct nf_output *o, nf_set space)
{
    bool hidden = space == NF_PRIVATE || space == NF_LOCAL;
    if (!hidden || !nf_hides_escapes(o) || o->m->address_bits != 64) return false;
    nf_note_hazard(o, NF_HAZARD_ESCAPE);
    return true;
}

uint32_t nf_escaped_pointer(struct nf_output *o, uint32_t pointer, uint32_t type, nf_set space)
{
    return must_escape(o, space) ? load_volatile(o, store_volatile(o, pointer, type), type) : pointer;
}

uint32_t nf_escaped_address(struct nf_output *o, uint32_t pointer, uint32_t type, nf_set space)
{
    if (!must_escape(o, space)) return NF_EMIT_NEW(o, OpConvertPtrToU, o->address_type, pointer);
    uint32_t variable = store_volatile(o, pointer, type);
    uint32_t as_integer = NF_EMIT_NEW(o, OpBitcast, nf_pointer_type(o, NF_STORAGE_FUNCTION, o->address_type), variable);
    return load_volatile(o, as_integer, o->address_type);
}
