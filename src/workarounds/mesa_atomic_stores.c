/* SPDX-License-Identifier: Apache-2.0 */
/*
 * mesa_atomic_stores.c - replaces atomic stores, which a driver's compiler treats as plain stores, by exchanges.
 *
 *     OpAtomicStore %p %scope %semantics %v                %old = OpAtomicExchange %uint %p %scope %semantics %v
 *     OpAtomicFlagClear %p %scope %semantics               %old = OpAtomicExchange %uint %p %scope %semantics %uint_0
 *
 * Mesa 25 turns both into plain stores, and removes a store that is followed by another store to the same address, even
 * if an atomic operation in between reads it: a flag that is cleared, tested and cleared is still set at the test. Mesa
 * does not treat an exchange with an unused result as a store.
 *
 * needs: a module that was read, and its types.  gives: the words of a new module, to be read again.
 */
#include "workarounds/internal.h"

static bool is_store(const struct nf_module *m, uint32_t at)
{
    return nf_opcode(m, at) == OpAtomicStore || nf_opcode(m, at) == OpAtomicFlagClear;
}

static bool rewrite(struct nf_edit *e, uint32_t at, void *data)
{
    (void)data;
    if (!is_store(e->m, at)) return false;
    uint32_t pointer = nf_store_pointer(e->m, at), type = nf_type_of(e->m, pointer)->element;
    if (!type) return false;
    bool clears = nf_opcode(e->m, at) == OpAtomicFlagClear;
    uint32_t id = nf_build_id(&e->build);
    if (!clears) type = nf_type_of(e->m, nf_effect_operand(e->m, at, 3))->id;
    uint32_t value = clears ? nf_edit_define(e, OpConstantNull, type, NULL, 0) : nf_effect_operand(e->m, at, 3);
    nf_edit_emit(e, OpAtomicExchange,
                 (uint32_t[]){type, id, pointer, nf_effect_operand(e->m, at, 1), nf_effect_operand(e->m, at, 2), value},
                 6);
    return true;
}

bool nf_workaround_mesa_atomic_stores(struct nf_module *m, struct nf_words *out)
{
    return nf_edit_where(m, is_store, rewrite, out);
}
