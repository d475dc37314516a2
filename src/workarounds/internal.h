/* SPDX-License-Identifier: Apache-2.0 */
/*
 * internal.h - shared by the files of this folder: the steps, each in the file of its name, parts of access chains, and
 * accesses to half-precision numbers in private memory.
 */
#ifndef NF_WORKAROUNDS_INTERNAL_H
#define NF_WORKAROUNDS_INTERNAL_H

#include "workarounds/workarounds.h"

/* The largest component count of a vector. */
enum { NF_MOST_COMPONENTS = 16 };

/* Each step is an nf_step of module/module.h. */

/* ---- mesa_fdiv_by_zero.c: replaces a division by constant zero by a multiplication by infinity ---- */
bool nf_workaround_mesa_fdiv_by_zero(struct nf_module *m, struct nf_words *out);

/* ---- mesa_undef_initializers.c: zeroes undefined constants, and drops undefined initializers of local memory ---- */
bool nf_workaround_mesa_undef_initializers(struct nf_module *m, struct nf_words *out);

/* ---- mesa_atomic_stores.c: replaces atomic stores by atomic exchanges ---- */
bool nf_workaround_mesa_atomic_stores(struct nf_module *m, struct nf_words *out);

/* ---- mesa_local_at_null.c: reserves address 0 of local memory, so that no variable of the program lies there ---- */
bool nf_workaround_mesa_local_at_null(struct nf_module *m, struct nf_words *out);

/* ---- mesa_unsigned_addresses.c: sign-extends 32-bit addresses before they are subtracted or compared ---- */
bool nf_workaround_mesa_unsigned_addresses(struct nf_module *m, struct nf_words *out);

/* ---- mesa_packed_private.c: drops CPacked where it does not change the layout ---- */
bool nf_workaround_mesa_packed_private(struct nf_module *m, struct nf_words *out);

/* ---- mesa_by_value_padding.c: passes structures with padding by value as arrays of integers ---- */
bool nf_workaround_mesa_by_value_padding(struct nf_module *m, struct nf_words *out);

/* ---- mesa_split_accesses.c: splits misaligned accesses of local memory, and copies that a driver miscompiles ---- */
bool nf_workaround_mesa_split_accesses(struct nf_module *m, struct nf_words *out);

/* ---- mesa_constant_null_access.c: replaces an accessed constant null pointer by a converted integer zero ---- */
bool nf_workaround_mesa_constant_null_access(struct nf_module *m, struct nf_words *out);

/* ---- mesa_inbounds_struct_arrays.c: indexes an array through a bitcast if the result may leave the array ---- */
bool nf_workaround_mesa_inbounds_struct_arrays(struct nf_module *m, struct nf_words *out);

/* ---- mesa_lcssa_pointers.c: carries pointers out of loops as integers ---- */
bool nf_workaround_mesa_lcssa_pointers(struct nf_module *m, struct nf_words *out);

/* ---- mesa_private_store_forwarding.c: makes private accesses through pointers of unknown origin volatile ---- */
bool nf_workaround_mesa_private_store_forwarding(struct nf_module *m, struct nf_words *out);

/* ---- mesa_uniform_loads.c: makes the addresses of conditional loads non-uniform ---- */
bool nf_workaround_mesa_uniform_loads(struct nf_module *m, struct nf_words *out);

/* ---- mesa_no_private_memory.c: adds a private variable to each kernel if the module computes private pointers ---- */
bool nf_workaround_mesa_no_private_memory(struct nf_module *m, struct nf_words *out);

/* ---- mesa_phi_precision.c: sign-extends 8-bit integers by shifts in place of OpSConvert ---- */
bool nf_workaround_mesa_phi_precision(struct nf_module *m, struct nf_words *out);

/* ---- mesa_subgroup_barriers.c: replaces sub-group barriers by memory barriers ---- */
bool nf_workaround_mesa_subgroup_barriers(struct nf_module *m, struct nf_words *out);

/* ---- mesa_called_barriers.c: requests inlining of all functions, or of those with barriers; refuses recursion ---- */
bool nf_workaround_mesa_called_barriers(struct nf_module *m, struct nf_words *out);

/* ---- mesa_unnamed_functions.c: names functions that have no name ---- */
bool nf_workaround_mesa_unnamed_functions(struct nf_module *m, struct nf_words *out);

/* ---- chains.c ---- */

/* The words of an access chain up to its base pointer. */
enum { NF_CHAIN_HEAD = 4 };
/* Returns the word of the first index of an access chain that selects a part of the pointee. OpPtrAccessChain has an
 * index before it, which moves the base. */
uint32_t nf_first_part_index(uint32_t opcode);
/* Returns the type that an index selects from a type, NULL if it is unknown. */
const struct nf_type *nf_part_of(const struct nf_module *m, const struct nf_type *type, uint32_t index);
/* Returns the value of which `pointer` is a bit cast, directly or through other bit casts; otherwise `pointer`. */
uint32_t nf_without_casts(const struct nf_module *m, uint32_t pointer);
/* Emits an access chain with the opcode, type, result and base in `head`, and the indices of the chain at `at` in the
 * words from `from` to before `to`. */
void nf_emit_chain(struct nf_edit *e, uint32_t at, const uint32_t head[NF_CHAIN_HEAD], uint32_t from, uint32_t to);

/* ---- mesa_no_private_memory.c, mesa_local_at_null.c ---- */

/* The length, in 32-bit integers, of the variable that reserves address 0 where private or local memory begins
 * there: 128 bytes, the size and alignment of long16, the largest type. */
enum { NF_NULL_GUARD_WORDS = 32 };

/* ---- mesa_private_half_access.c ---- */

/* Returns the pointer, of `type`, to the first component of a vector in the array of vectors of `count` components at
 * `pointer`. `offset`: the id of the index of the vector. */
uint32_t nf_first_component(struct nf_edit *e, uint32_t pointer, uint32_t type, uint32_t offset, uint32_t count);
/* Returns the pointer through which a vload_half or vstore_half instruction accesses memory; 0 for any other
 * instruction. */
uint32_t nf_half_access_pointer(const struct nf_module *m, uint32_t at);
/* Emits a private variable that can hold the halves of one vload_half or vstore_half, and returns its id. Call it at
 * the beginning of a function. */
uint32_t nf_emit_half_buffer(struct nf_edit *e);
/* Emits the instruction at `at` so that it accesses the variable `room`, with volatile copies between the variable and
 * memory. */
void nf_emit_half_access(struct nf_edit *e, uint32_t at, uint32_t room);

#endif
