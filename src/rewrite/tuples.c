/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tuples.c - a generic pointer in SSA: a tag, and one concrete pointer for each space that it may be in.
 *
 *     %p of {private, global}      %p_tag, %p_private, %p_global
 *
 * Except in hint mode, accesses go through typed pointers of one storage class, so private and local memory may be
 * separate RAMs. A pointer of one space has no tag, and a split pointer may have a condition instead. As an integer,
 * and in memory other than tuple variables, a generic pointer is a flat address.
 *
 * needs: the tuples.  gives: their tags, and tests of the tags.
 */
#include "rewrite/internal.h"

uint32_t nf_tag_as(struct nf_output *o, const struct nf_tuple *tuple)
{
    if (tuple->tag) return tuple->tag;
    if (!tuple->condition) return nf_uint(o, tuple->set);
    uint32_t yes = nf_uint(o, tuple->when_true), no = nf_uint(o, tuple->set & ~(unsigned)tuple->when_true);
    return NF_EMIT_NEW(o, OpSelect, nf_uint_type(o), tuple->condition, yes, no);
}

uint32_t nf_has_tag(struct nf_output *o, const struct nf_tuple *tuple, nf_set space)
{
    if (tuple->condition && tuple->when_true == space) return tuple->condition;
    return NF_EMIT_NEW(o, OpIEqual, nf_bool_type(o), nf_tag_as(o, tuple), nf_uint(o, space));
}
