/* SPDX-License-Identifier: Apache-2.0 */
/*
 * parts.h - what the files of this folder that write the input anew share with each other and with nobody else:
 * builtins.c, integer_tests.c, initializers.c.
 */
#ifndef NF_PREPARE_PARTS_H
#define NF_PREPARE_PARTS_H

#include "prepare/prepare.h"

/* A module on its way: functions are written first, then what stands before them. */
struct nf_edit {
    struct nf_module *m;
    struct nf_words out, functions, globals; /* what is being written; definitions besides the input's */
    struct nf_moves moves, function_moves;   /* of `out`, of `functions` */
    uint32_t next_id;
    uint32_t capability; /* that the module needs besides the input's, 0: none */
};

/* Nothing is written yet. */
struct nf_edit nf_edit_begin(struct nf_module *m);
/* An id for `opcode type? operands`: the input's, one that was made before, or a new one. `type` 0: none. */
uint32_t nf_edit_define(struct nf_edit *e, uint32_t opcode, uint32_t type, const uint32_t *operands, uint32_t count);
/* A 32-bit constant. */
uint32_t nf_edit_number(struct nf_edit *e, uint32_t value);
/* An instruction, `operands` being all its words behind the first. */
void nf_edit_emit(struct nf_edit *e, uint32_t opcode, const uint32_t *operands, uint32_t count);
/* The words of the input from `at` to `end`, as they are. */
void nf_edit_keep(struct nf_edit *e, uint32_t at, uint32_t end);
/* All functions, each instruction by `put`, or as it is where that returns false; and all that stands before them.
 * @return the module. */
struct nf_words nf_edit_functions(struct nf_edit *e, bool (*put)(struct nf_edit *e, uint32_t at, void *data),
                                  void *data);
/* All functions are written: what comes now stands before them. */
void nf_edit_module_scope(struct nf_edit *e);
/* All is written. @return the module, which m->moves belongs to from here on. */
struct nf_words nf_edit_end(struct nf_edit *e);

#endif
