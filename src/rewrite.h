/* SPDX-License-Identifier: Apache-2.0 */
/*
 * rewrite.h - what the files that rewrite function bodies share.
 */
#ifndef NF_REWRITE_H
#define NF_REWRITE_H

#include "output.h"

/* ---- rewrite_values.c: ids, parts, constants, memory ---- */
uint32_t nf_type_id_of(const struct nf_module *m, uint32_t id);
bool nf_is_generic_value(const struct nf_module *m, uint32_t id);
bool nf_hints(const struct nf_output *o);
uint32_t nf_mapped(struct nf_output *o, uint32_t id);
uint32_t nf_own_id(struct nf_output *o, uint32_t id);
uint32_t nf_part_id(struct nf_output *o, const struct nf_rep *rep, uint32_t id);
struct nf_rep *nf_new_rep(struct nf_output *o, uint32_t id);
bool nf_is_non_null(const struct nf_module *m, uint32_t id);
uint32_t nf_to_memory(struct nf_output *o, uint32_t id);
void nf_set_rep(struct nf_output *o, uint32_t id, struct nf_rep rep);
/* Give `id` the parts and the tag of `from`, a pointer of the generic type `type`, and say which these are. */
struct nf_rep nf_take_parts(struct nf_output *o, uint32_t id, const struct nf_rep *from, uint32_t type);
void nf_from_memory(struct nf_output *o, uint32_t bits, uint32_t id);
uint32_t nf_as_bits(struct nf_output *o, uint32_t id);
void nf_rename_to(struct nf_output *o, uint32_t id, uint32_t copy);

/* ---- rewrite_pointers.c: pointers that move ---- */
/* Instructions on vectors of generic pointers, which are vectors of integers in the output. */
bool nf_emit_vector(struct nf_output *o, uint32_t at);
bool nf_emit_concrete_conversion(struct nf_output *o, uint32_t at);
void nf_emit_parts(struct nf_output *o, uint32_t at);
void nf_emit_cast_to_generic(struct nf_output *o, uint32_t at);
void nf_emit_cast_to_concrete(struct nf_output *o, uint32_t at);
void nf_emit_select(struct nf_output *o, uint32_t at);
void nf_emit_phi(struct nf_output *o, uint32_t at);
void nf_fill_in_phis(struct nf_output *o);
void nf_close_block(struct nf_output *o, uint32_t label);
void nf_emit_to_integer(struct nf_output *o, uint32_t at);
void nf_emit_to_pointer(struct nf_output *o, uint32_t at);
void nf_emit_compare(struct nf_output *o, uint32_t at);
void nf_emit_semantics(struct nf_output *o, uint32_t at);
void nf_emit_bitcast(struct nf_output *o, uint32_t at);
void nf_want_tags(struct nf_output *o);
void nf_link_phis(struct nf_output *o);

/* ---- compared.c: integers of addresses that are only compared ---- */
void nf_find_compared(struct nf_output *o);

/* ---- rewrite_access.c: accesses ---- */
void nf_emit_access(struct nf_output *o, uint32_t at);
void nf_emit_silent(struct nf_output *o, uint32_t at);

/* ---- rewrite_concrete.c: private and local pointers in memory ---- */
/* Is it a private or local pointer type, whose addresses have a tag in integers and in memory? */
bool nf_has_tagged_form(const struct nf_module *m, const struct nf_type *type);
bool nf_stores_concrete(const struct nf_output *o, uint32_t at);
bool nf_takes_concrete(const struct nf_output *o, uint32_t at);
/* The pointer `id` as it lies in memory. */
uint32_t nf_canonical_pointer(struct nf_output *o, uint32_t id);
void nf_give_concrete(struct nf_output *o, uint32_t at, uint32_t raw);
bool nf_emit_concrete_parts(struct nf_output *o, uint32_t at);
bool nf_emit_code_pointer(struct nf_output *o, uint32_t at);

/* ---- rewrite_slots.c: variables of one pointer in 32-bit functions. False when the instruction is not of one. ---- */
void nf_find_tuple_slots(struct nf_output *o);
bool nf_emit_tuple_slot(struct nf_output *o, uint32_t at);

/* ---- rewrite_gather.c: gathers and scatters. False when the vector's pointers are not generic. ---- */
bool nf_emit_gather(struct nf_output *o, uint32_t at);

/* ---- rewrite_calls.c: functions and calls ---- */
void nf_emit_head(struct nf_output *o);
void nf_emit_return(struct nf_output *o, uint32_t at);
void nf_emit_call(struct nf_output *o, uint32_t at);
void nf_emit_indirect_call(struct nf_output *o, uint32_t at);

/* ---- rewrite_imports.c: calls of functions without a body ---- */
void nf_declare_temporaries(struct nf_output *o);
void nf_emit_import(struct nf_output *o, uint32_t at, const struct nf_function *f);

/* ---- rewrite_entry.c: before a function's first instruction ---- */
void nf_declare_copies(struct nf_output *o);
void nf_copy_arguments(struct nf_output *o);
void nf_declare_slots(struct nf_output *o);
void nf_decode_parameters(struct nf_output *o);

/* ---- rewrite.c: instructions ---- */
void nf_emit_plain(struct nf_output *o, uint32_t at);

#endif
