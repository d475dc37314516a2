/* SPDX-License-Identifier: Apache-2.0 */
/*
 * address_constants.c - replaces constant integers of addresses, constant generic pointers that are converted from
 * integers, and composite constants with private or local pointers by instructions.
 *
 *     #define GONE ((node *)-1)
 *     %gone = OpSpecConstantOp %_ptr_Generic_node ConvertUToPtr %ulong_max
 *     %word = OpSpecConstantOp %ulong ConvertPtrToU %variable
 *     %pair = OpConstantComposite %pair_type %uint_7 %local_variable
 *
 *     function: ... OpPhi (%p, %gone) ...         function: %here = OpConvertUToPtr %_ptr_Generic_node %ulong_max
 *                                                           ... OpPhi (%p, %here) ...
 *
 * Programs use pointers from integers as sentinels, such as the end of a list or a free slot. A sentinel must keep its
 * integer value when it is stored and loaded, even if the pointers with which it merges are converted between device
 * addresses and a memory form. In a function, the rewriting gives a computed pointer the same form as the pointers with
 * which it merges; a constant is shared by functions whose pointers have different forms. So each function that uses
 * the constant computes it, and the rules for instructions apply. A composite lies in memory when it is stored, where a
 * pointer is a flat address, so a function computes composites of such pointers as well.
 *
 * The hard case is a constant that is derived from such a constant, by an expression or as a constituent: the function
 * computes it as well, after its operands. Initializers of variables are not changed: a generic pointer from an integer
 * is that integer in memory, and private and local pointers are left in initializers of module-scope variables only,
 * where rewrite/typed_pointers_in_memory.c and initializers.c handle them.
 *
 * needs: a module that was read.  gives: the words of a new module, to be read again.
 */
#include "prepare/internal.h"

struct lowering {
    struct nf_edit to;
    uint8_t *marks;           /* by id of the module scope: a constant that is computed from an address, is a generic
                               * pointer converted from an integer or contains a pointer that is a flat address in
                               * memory, or is derived from such a constant */
    uint32_t *replacements;   /* by id of a marked constant: the id that replaces it in the current function; 0: none */
    struct nf_words replaced; /* the constants that have a replacement in the current function */
};

/* Returns true if `id` is an integer constant other than 0, which would make a null pointer. */
static bool is_nonzero_integer(const struct nf_module *m, uint32_t id)
{
    uint32_t at = m->def[id];
    if (nf_opcode(m, at) != OpConstant || nf_opcode(m, m->def[nf_value_type(m, at)]) != OpTypeInt) return false;
    for (uint32_t i = 0; i < nf_operand_count(m, at); i++)
        if (nf_constant_word(m, at, i)) return true;
    return false;
}

bool nf_is_flat_pointer(const struct nf_module *m, uint32_t type)
{
    const nf_profile *profile = m->options->profile;
    bool numbered = profile && profile->address_form == NF_ADDRESSES_NUMBERED;
    if (m->options->mode == NF_MODE_HINT || !nf_is_pointer_type_at(m, m->def[type])) return false;
    nf_set space = nf_space_of_storage(nf_pointer_storage_class(m, m->def[type]));
    return space == NF_PRIVATE || space == NF_LOCAL || (space == NF_GLOBAL && numbered);
}

bool nf_is_flat_constant(const struct nf_module *m, uint32_t id)
{
    return nf_is_flat_pointer(m, nf_defined_type(m, id)) && !nf_is_constant_function_address(m, id);
}

/* Returns true if a constituent of the composite is a pointer that is a flat address in memory. */
static bool has_flat_pointer(const struct nf_module *m, uint32_t at)
{
    for (uint32_t i = 0; i < nf_constituent_count(m, at); i++)
        if (nf_is_flat_constant(m, nf_constituent(m, at, i))) return true;
    return false;
}

static bool is_address_constant(const struct lowering *l, uint32_t at)
{
    const struct nf_module *m = l->to.m;
    if (!nf_is_made_constant(nf_opcode(m, at))) return false;
    if (nf_has_marked_operand(m, at, l->marks)) return true;
    if (nf_opcode(m, at) != OpSpecConstantOp) return has_flat_pointer(m, at);
    if (nf_length(m, at) < 5) return false;
    switch (nf_spec_opcode(m, at)) {
    case OpConvertPtrToU: return true;
    case OpBitcast: return nf_converts_pointer(m, nf_spec_operand(m, at, 0), nf_value_type(m, at));
    case OpConvertUToPtr:
        return nf_is_generic_type_at(m, m->def[nf_value_type(m, at)]) &&
               is_nonzero_integer(m, nf_spec_operand(m, at, 0));
    default: return false;
    }
}

static bool find_constants(struct lowering *l)
{
    const struct nf_module *m = l->to.m;
    bool any = false;
    for (uint32_t at = NF_HEADER_WORDS; at < m->body_at; at = nf_next(m, at)) {
        if (!is_address_constant(l, at)) continue;
        l->marks[nf_value_id(m, at)] = 1;
        any = true;
    }
    return any;
}

/* Returns true if the operands of the instruction must be constants. */
static bool takes_constants(const struct nf_module *m, uint32_t at)
{
    return nf_opcode(m, at) == OpVariable;
}

/* Returns true for a constant expression that is a pointer, such as an access chain into a variable. The integer of such
 * a pointer is computed from an instruction: Mesa refuses the constant. */
static bool is_pointer_expression(const struct nf_module *m, uint32_t id)
{
    uint32_t at = nf_match(m, id, OpSpecConstantOp);
    return at && nf_is_pointer_type_at(m, m->def[nf_value_type(m, at)]);
}

/* Emits the instruction that replaces the constant `id`, after the instructions for its operands. Refuses a constant of
 * more than MOST steps. */
static void put_replacement(struct lowering *l, uint32_t id, int depth)
{
    enum { MOST = 16 };
    const struct nf_module *m = l->to.m;
    uint32_t at = m->def[id], first = nf_opcode(m, at) == OpSpecConstantOp ? 4 : 3, count = nf_length(m, at) - first;
    if (l->replacements[id]) return;
    if (depth > MOST) nf_fail(m->arena, NF_REFUSED, at, "a constant address is computed in more than %u steps", MOST);
    uint32_t *words = NF_NEW(m->arena, uint32_t, count + 2);
    memcpy(words + 2, m->words + at + first, count * sizeof *words);
    struct nf_ids ids = nf_ids_at(m, at);
    while (nf_ids_next(&ids)) {
        uint32_t operand = nf_current_id(&ids);
        if (!l->marks[operand] && !is_pointer_expression(m, operand)) continue;
        put_replacement(l, operand, depth + 1);
        words[ids.at - first + 2] = l->replacements[operand];
    }
    words[0] = nf_value_type(m, at);
    words[1] = l->replacements[id] = nf_build_id(&l->to.build);
    nf_append_word(&l->replaced, id);
    nf_edit_emit(&l->to, first == 4 ? nf_spec_opcode(m, at) : OpCompositeConstruct, words, count + 2);
}

/* Emits the instructions for all marked constants that the function uses, at its beginning, so that they dominate all
 * uses. */
static void put_replacements(struct lowering *l, const struct nf_function *f)
{
    const struct nf_module *m = l->to.m;
    for (uint32_t at = f->body; at < f->end; at = nf_next(m, at)) {
        struct nf_ids ids = nf_ids_at(m, at);
        while (!takes_constants(m, at) && nf_ids_next(&ids))
            if (l->marks[nf_current_id(&ids)]) put_replacement(l, nf_current_id(&ids), 0);
    }
}

static void put_instruction(struct lowering *l, uint32_t at)
{
    const struct nf_module *m = l->to.m;
    uint32_t start = l->to.out.count;
    nf_edit_keep(&l->to, at, nf_next(m, at));
    struct nf_ids ids = nf_ids_at(m, at);
    while (!takes_constants(m, at) && nf_ids_next(&ids))
        if (l->marks[nf_current_id(&ids)]) l->to.out.at[start + ids.at] = l->replacements[nf_current_id(&ids)];
}

static void put_function(struct lowering *l, const struct nf_function *f)
{
    const struct nf_module *m = l->to.m;
    uint32_t rest = f->body ? nf_after_variables(m, f) : f->end;
    nf_edit_keep(&l->to, f->at, rest);
    if (f->body) put_replacements(l, f);
    for (uint32_t at = rest; at < f->end; at = nf_next(m, at))
        put_instruction(l, at);
    for (uint32_t i = 0; i < l->replaced.count; i++)
        l->replacements[l->replaced.at[i]] = 0;
    l->replaced.count = 0;
}

bool nf_lower_address_constants(struct nf_module *m, struct nf_words *lowered)
{
    struct lowering l = {.to = nf_edit_begin(m), .replaced = {.arena = m->arena}};
    l.marks = NF_NEW_ARRAY(m->arena, uint8_t, m->bound);
    if (!find_constants(&l)) {
        nf_arena_drop(m->arena, l.marks);
        return false;
    }
    l.replacements = NF_NEW(m->arena, uint32_t, m->bound);
    for (uint32_t i = 1; i < m->function_count; i++)
        put_function(&l, &m->functions[i]);
    nf_edit_module_scope(&l.to);
    nf_edit_keep(&l.to, NF_HEADER_WORDS, m->body_at);
    *lowered = nf_edit_end(&l.to);
    return true;
}
