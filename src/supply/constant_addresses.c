/* SPDX-License-Identifier: Apache-2.0 */
/*
 * constant_addresses.c - computes constants that contain an address as an integer at the beginning of each function
 * that uses them.
 *
 *     %i = OpSpecConstantOp %ulong ConvertPtrToU %a      %entry = OpLabel
 *     %h = OpSpecConstantOp %uint UConvert %i            %i1 = OpConvertPtrToU %ulong %a
 *     %c = OpConstantComposite %v2uint %h %h             %h1 = OpUConvert %uint %i1
 *     %entry = OpLabel                                   %c1 = OpCompositeConstruct %v2uint %h1 %h1
 *     OpStore %p %c                                      OpStore %p %c1
 *
 * An optimizer folds computations with the address of a variable of local or constant memory into constant expressions,
 * and a translator keeps such expressions in vectors and in chains of conversions. Mesa ends the process or refuses the
 * module, Intel's driver crashes, and Oclgrind computes other values. Constants that are only pointers into a variable
 * stay, except for bit casts of pointers into local memory, which Mesa refuses.
 *
 * The hard case: an initializer has to be a constant, so the constants that an initializer uses stay constants.
 *
 * needs: a module that was read, and its types.  gives: the words of a new module, to be read again.
 */
#include "supply/supply.h"

struct constants {
    struct nf_edit to;
    struct nf_words at;       /* the constants that are computed from an address, in the order of the module */
    uint8_t *computed, *kept; /* by id: the constant is in `at`; an instruction that needs a constant may use it */
    uint8_t *used;            /* by id: the current function uses the constant */
    uint32_t *value;          /* by id: the id that replaces the constant in the current function, 0: none */
    uint32_t first; /* the first instruction after the current function's variables; 0: it uses no constant of `at` */
};

/* Returns true for a constant expression that converts a pointer to a value of another kind, and for a bit cast of a
 * pointer into local memory, which Mesa does not support either. */
static bool converts_address(const struct nf_module *m, uint32_t at)
{
    if (nf_opcode(m, at) != OpSpecConstantOp) return false;
    const struct nf_type *type = nf_type(m, nf_value_type(m, at));
    if (type->kind == NF_KIND_POINTER)
        return type->storage == NF_STORAGE_WORKGROUP && nf_spec_opcode(m, at) == OpBitcast;
    struct nf_ids ids = nf_ids_at(m, at);
    while (nf_ids_next(&ids))
        if (nf_type_of(m, nf_current_id(&ids))->kind == NF_KIND_POINTER) return true;
    return false;
}

/* Returns true if the module has any constant expression: the types of the input are not known here, and the rewriting
 * may turn another constant expression into one that this pass replaces. */
bool nf_needs_constant_addresses(const struct nf_module *m)
{
    for (uint32_t at = NF_HEADER_WORDS; at < m->body_at; at = nf_next(m, at))
        if (nf_opcode(m, at) == OpSpecConstantOp) return true;
    return false;
}

/* Marks the operands of the instruction that are computed constants. Returns true if it has any. */
static bool mark_operands(const struct constants *c, uint32_t at, uint8_t *marks)
{
    bool any = false;
    struct nf_ids ids = nf_ids_at(c->to.m, at);
    while (nf_ids_next(&ids)) {
        uint32_t id = nf_current_id(&ids);
        if (c->computed[id]) marks[id] = any = true;
    }
    return any;
}

/* Marks the operands of marked constants, and their operands; operands are defined before their users. */
static void mark_through_constants(const struct constants *c, uint8_t *marks)
{
    for (uint32_t i = c->at.count; i-- > 0;)
        if (marks[nf_value_id(c->to.m, c->at.at[i])]) mark_operands(c, c->at.at[i], marks);
}

/* Marks the operands from which a computed constant is derived, if they are constant expressions of pointers. */
static void mark_pointers(const struct constants *c, uint32_t at)
{
    const struct nf_module *m = c->to.m;
    struct nf_ids ids = nf_ids_at(m, at);
    while (nf_ids_next(&ids)) {
        uint32_t id = nf_current_id(&ids);
        if (nf_opcode(m, m->def[id]) == OpSpecConstantOp && nf_type_of(m, id)->kind == NF_KIND_POINTER)
            c->computed[id] = true;
    }
}

/* Finds the constants that are computed from an address: the conversions of pointers, the constants that use the
 * conversions, and the pointers that are converted. */
static void find_computed(struct constants *c)
{
    const struct nf_module *m = c->to.m;
    struct nf_words made = {.arena = m->arena};
    for (uint32_t at = NF_HEADER_WORDS; at < m->body_at; at = nf_next(m, at)) {
        if (!nf_is_made_constant(nf_opcode(m, at))) continue;
        nf_append_word(&made, at);
        if (converts_address(m, at) || nf_has_marked_operand(m, at, c->computed))
            c->computed[nf_value_id(m, at)] = true;
    }
    for (uint32_t i = made.count; i-- > 0;)
        if (c->computed[nf_value_id(m, made.at[i])]) mark_pointers(c, made.at[i]);
    for (uint32_t i = 0; i < made.count; i++)
        if (c->computed[nf_value_id(m, made.at[i])]) nf_append_word(&c->at, made.at[i]);
}

/* Returns true if the operands of the instruction have to be constants: at module scope, and in initializers. */
static bool needs_constants(const struct constants *c, uint32_t at)
{
    const struct nf_module *m = c->to.m;
    if (at >= m->body_at) return nf_opcode(m, at) == OpVariable;
    return !nf_is_name_or_decoration(m, at) && !c->computed[nf_result_id(m, at)];
}

/* Finds the constants that stay. An instruction that is not in the opcode table may use any of them. */
static void find_kept(struct constants *c)
{
    const struct nf_module *m = c->to.m;
    for (uint32_t at = NF_HEADER_WORDS; at < m->count; at = nf_next(m, at))
        if (needs_constants(c, at)) mark_operands(c, at, c->kept);
    for (uint32_t i = 1; i < m->function_count; i++)
        if (m->functions[i].unknown_ops) memcpy(c->kept, c->computed, m->bound);
    mark_through_constants(c, c->kept);
}

/* Prepares for a function: finds the constants that it uses, and makes ids for their values. */
static void begin_function(struct constants *c, const struct nf_function *f)
{
    const struct nf_module *m = c->to.m;
    if (c->first) {
        memset(c->used, 0, m->bound);
        memset(c->value, 0, m->bound * sizeof *c->value);
    }
    c->first = 0;
    for (uint32_t at = f->body; at && at < f->end; at = nf_next(m, at))
        if (!needs_constants(c, at) && mark_operands(c, at, c->used)) c->first = nf_after_variables(m, f);
    if (!c->first) return;
    mark_through_constants(c, c->used);
    for (uint32_t i = 0; i < c->at.count; i++) {
        uint32_t id = nf_value_id(m, c->at.at[i]);
        if (c->used[id]) c->value[id] = nf_build_id(&c->to.build);
    }
}

/* Emits the instruction that computes a constant: the operation of an OpSpecConstantOp, whose opcode is in the word
 * after the result, or else OpCompositeConstruct. */
static void emit_value(struct constants *c, uint32_t at)
{
    const struct nf_module *m = c->to.m;
    struct nf_words *out = &c->to.out;
    uint32_t start = out->count, length = nf_length(m, at), opcode = OpCompositeConstruct;
    nf_edit_mapped(&c->to, at, c->value);
    out->at[start + 2] = c->value[nf_value_id(m, at)];
    if (nf_opcode(m, at) == OpSpecConstantOp) {
        opcode = nf_spec_opcode(m, at);
        memmove(out->at + start + 3, out->at + start + 4, (length - 4) * sizeof *out->at);
        out->count--;
    }
    out->at[start] = nf_first_word(opcode, out->count - start);
}

/* Emits an instruction of a function. Before the first instruction after the variables, emits the values of the
 * function's constants. */
static void emit_instruction(struct constants *c, uint32_t at)
{
    struct nf_module *m = c->to.m;
    if (nf_opcode(m, at) == OpFunction) begin_function(c, nf_function_around(m, at));
    for (uint32_t i = 0; at == c->first && i < c->at.count; i++)
        if (c->used[nf_value_id(m, c->at.at[i])]) emit_value(c, c->at.at[i]);
    if (c->first && !needs_constants(c, at))
        nf_edit_mapped(&c->to, at, c->value);
    else
        nf_edit_keep(&c->to, at, nf_next(m, at));
}

/* Returns true if the instruction of the module scope is, or annotates, a constant without uses. */
static bool is_unused(const struct constants *c, uint32_t at)
{
    const struct nf_module *m = c->to.m;
    uint32_t id = nf_is_name_or_decoration(m, at) ? nf_annotated_id(m, at) : nf_result_id(m, at);
    return id < m->bound && c->computed[id] && !c->kept[id];
}

bool nf_supply_constant_addresses(struct nf_module *m, struct nf_words *out)
{
    struct constants c = {.to = nf_edit_begin(m), .at = {.arena = m->arena}};
    c.computed = NF_NEW(m->arena, uint8_t, m->bound);
    find_computed(&c);
    if (!c.at.count) return false;
    c.kept = NF_NEW(m->arena, uint8_t, m->bound);
    c.used = NF_NEW(m->arena, uint8_t, m->bound);
    c.value = NF_NEW(m->arena, uint32_t, m->bound);
    find_kept(&c);
    for (uint32_t i = 1; i < m->function_count; i++)
        for (uint32_t at = m->functions[i].at; at < m->functions[i].end; at = nf_next(m, at))
            emit_instruction(&c, at);
    nf_edit_module_scope(&c.to);
    for (uint32_t at = NF_HEADER_WORDS; at < m->body_at; at = nf_next(m, at))
        if (!is_unused(&c, at)) nf_edit_keep(&c.to, at, nf_next(m, at));
    *out = nf_edit_end(&c.to);
    return true;
}
