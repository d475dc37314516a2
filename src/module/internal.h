/* SPDX-License-Identifier: Apache-2.0 */
/*
 * internal.h - shared only by the files of this folder, which read a module.
 */
#ifndef NF_MODULE_INTERNAL_H
#define NF_MODULE_INTERNAL_H

#include "module/module.h"

/* ---- definitions.c ---- */
uint32_t nf_address_bits_of(uint32_t addressing_model);
/* Records the id of an imported instruction set, if the set is known. */
void nf_note_import(struct nf_module *m, uint32_t at);
void nf_check_bound(const struct nf_module *m, uint32_t at, uint32_t id);
void nf_find_definitions(struct nf_module *m);
static inline bool nf_is_type(const struct nf_module *m, uint32_t id)
{
    uint32_t def = id < m->bound ? m->def[id] : 0, opcode = def ? nf_opcode(m, def) : OpLabel;
    return opcode != OpLabel && nf_op_find(opcode)->result == 2 && opcode != OpString && opcode != OpExtInstImport;
}

/* ---- operands.c ---- */
enum nf_ext_set nf_ext_set_of(const struct nf_module *m, const uint32_t *words);

/* ---- decoration_groups.c: replaces decoration groups by decorations of their targets; false if there are none ---- */
bool nf_expand_decoration_groups(struct nf_module *m, struct nf_words *expanded);

/* ---- renumber.c: gives the ids of a module with a large bound new numbers; refuses unknown instructions ---- */
void nf_renumber_ids(struct nf_module *m);

/* ---- check.c ---- */
void nf_check_structure(struct nf_module *m);
void nf_check_references(struct nf_module *m);

#endif
