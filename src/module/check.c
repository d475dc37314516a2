/* SPDX-License-Identifier: Apache-2.0 */
/*
 * check.c - checks that a module satisfies the rules of SPIR-V on which the later stages rely.
 *
 *     %x = OpIAdd %int %a %b     %int is a type; %a and %b are defined, and not in another function
 *
 * Ids are defined, and instructions fit their grammar, except those that the opcode table lacks; functions, parameters
 * and blocks are nested correctly; calls and types refer to functions and types. The checks also record properties of
 * the module. The hard case is a reference to a function further on: checks that need all functions run in a second
 * pass, nf_check_references().
 *
 * needs: instructions of valid length, and definitions.  gives: functions, variables, linkage, body_at and properties
 * of nf_module; or NF_MALFORMED.
 */
#include "module/internal.h"

/* Checks an operand that is not defined before its use in the same function or at module scope. Labels, forward
 * pointers and operands of phis may be defined later. Any other use before a definition is recorded, so that order.c
 * sorts the function. */
static void check_id_defined_elsewhere(struct nf_module *m, uint32_t at, uint32_t opcode, struct nf_function *f,
                                       uint32_t id)
{
    if (!id || id >= m->bound) nf_fail(m->arena, NF_MALFORMED, at, "id %u is not below the bound %u", id, m->bound);
    uint32_t def = m->def[id];
    if (!def) nf_fail(m->arena, NF_MALFORMED, at, "id %u is not defined", id);
    bool elsewhere = f && def >= m->body_at && (def < f->at || def >= f->end) && nf_opcode(m, def) != OpFunction;
    if (elsewhere) nf_fail(m->arena, NF_MALFORMED, at, "id %u belongs to another function", id);
    if (def < at) return;
    if (f && def < f->end && opcode != OpPhi && nf_opcode(m, def) != OpLabel) f->unordered = true;
    if (!nf_is_made_constant(opcode)) return;
    if (def >= m->body_at) nf_fail(m->arena, NF_MALFORMED, at, "operand %u of a constant is not a constant", id);
    m->unordered_constants = true;
}

/* Checks an operand. Fast path: nearly all operands are defined before their use, in the same function or at module
 * scope. */
static inline void check_id(struct nf_module *m, uint32_t at, uint32_t opcode, struct nf_function *f, uint32_t id)
{
    uint32_t def = id < m->bound ? m->def[id] : 0;
    bool known = def && def < at && (!f || def < m->body_at || def >= f->at);
    if (!known) check_id_defined_elsewhere(m, at, opcode, f, id);
}

/* Returns true if the words from `i` on, after the leading ids, are literals of a kind without further constraints. */
static bool are_unconstrained_literals(const struct nf_op *op, uint32_t i, uint32_t length)
{
    const char *letters = op->operands + op->ids;
    if (op->more != NF_NO_MORE) return false;
    while (*letters == 'l' && i < length)
        letters++, i++;
    return i == length || *letters == 'L';
}

/* Checks the operands after the leading ids, from `end` on. Nearly always these are literals or memory operands. */
static void check_rest(struct nf_module *m, uint32_t at, const struct nf_op *op, struct nf_function *f, uint32_t end)
{
    uint32_t length = nf_length(m, at), last = 0;
    if (are_unconstrained_literals(op, end, length)) return;
    if (op->more == NF_MORE_IN_MEMORY) last = nf_last_memory_ids(m->words + at, end, length);
    for (uint32_t i = last; last && i < length; i++)
        check_id(m, at, op->opcode, f, nf_word(m, at, i));
    if (last) return;
    struct nf_operands walk = nf_walk(m, at);
    walk.at = end - 1; /* the words before `end` have been checked */
    while (nf_operands_next(&walk))
        if (walk.kind == NF_OPERAND_ID) check_id(m, at, op->opcode, f, nf_current_operand(&walk));
    if (walk.broken)
        nf_fail(m->arena, NF_MALFORMED, at, "word %u of the instruction does not match the SPIR-V grammar", walk.at);
}

static void check_ids(struct nf_module *m, uint32_t at, const struct nf_op *op, struct nf_function *f)
{
    if (nf_has_type(op) && !nf_is_type(m, nf_value_type(m, at)))
        nf_fail(m->arena, NF_MALFORMED, at, "result type %u is not a type", nf_value_type(m, at));
    uint32_t first = nf_first_operand(op), length = nf_length(m, at);
    uint32_t end = nf_leading_ids_end(op, length);
    for (uint32_t i = first; i < end; i++)
        check_id(m, at, op->opcode, f, nf_word(m, at, i));
    if (end != length) check_rest(m, at, op, f, end);
}

static uint32_t end_of_function(const struct nf_module *m, uint32_t at)
{
    while (at < m->count && nf_opcode(m, at) != OpFunctionEnd)
        at = nf_next(m, at);
    return at < m->count ? nf_next(m, at) : at;
}

static struct nf_function *add_function(struct nf_module *m, uint32_t at)
{
    NF_RESERVE(m->arena, m->functions, m->function_capacity, (size_t)m->function_count + 1);
    struct nf_function *f = &m->functions[m->function_count];
    f->id = nf_value_id(m, at);
    f->result_type = nf_value_type(m, at);
    f->type = nf_function_type(m, at);
    f->at = at;
    f->parameters = nf_next(m, at);
    f->end = end_of_function(m, at);
    m->index_of[f->id] = m->function_count++;
    if (nf_opcode(m, nf_is_type(m, f->type) ? m->def[f->type] : at) != OpTypeFunction)
        nf_fail(m->arena, NF_MALFORMED, at, "the type %u of the function is not a function type", f->type);
    if (nf_return_type(m, m->def[f->type]) != f->result_type)
        nf_fail(m->arena, NF_MALFORMED, at, "result type %u is not the return type of function type %u", f->result_type,
                f->type);
    return f;
}

static void add_parameter(struct nf_module *m, struct nf_function *f, uint32_t at)
{
    if (!f || f->body) nf_fail(m->arena, NF_MALFORMED, at, "the parameter is not at the beginning of a function");
    uint32_t type = m->def[f->type], index = f->parameter_count++;
    if (index >= nf_length(m, type) - 3 || nf_parameter_type(m, type, index) != nf_value_type(m, at))
        nf_fail(m->arena, NF_MALFORMED, at, "parameter %u does not match the function's type %u", index, f->type);
}

static void end_function(struct nf_module *m, struct nf_function *f, uint32_t at)
{
    if (!f) nf_fail(m->arena, NF_MALFORMED, at, "no function begins before this instruction");
    if (f->parameter_count != nf_length(m, m->def[f->type]) - 3)
        nf_fail(m->arena, NF_MALFORMED, f->at, "the function has %u parameters, but its type %u has another number",
                f->parameter_count, f->type);
    f->end = nf_next(m, at);
}

/* The state of the walk over the module: the function, and whether a block has begun in it. */
struct nesting {
    struct nf_function *f;
    bool in_block;
};

/* Returns true for names and forward pointers before the first function, which may refer to an id that is not defined.
 * In and after functions, where stages map the ids of all instructions, they are checked like all other
 * instructions. */
static bool may_name_undefined_ids(const struct nf_module *m, uint32_t opcode)
{
    if (m->body_at < m->count) return false;
    return opcode == OpName || opcode == OpMemberName || opcode == OpTypeForwardPointer;
}

static void check_block_end(struct nf_module *m, uint32_t at, bool in_block)
{
    uint32_t opcode = nf_opcode(m, at);
    if (opcode == OpLabel && in_block) nf_fail(m->arena, NF_MALFORMED, at, "the block before it does not end");
    if (opcode == OpFunctionEnd && in_block) nf_fail(m->arena, NF_MALFORMED, at, "the last block does not end");
}

static void begin_function(struct nf_module *m, struct nesting *n, uint32_t at)
{
    if (n->f) nf_fail(m->arena, NF_MALFORMED, at, "the function before it does not end");
    if (m->body_at == m->count) m->body_at = at;
    n->f = add_function(m, at);
}

static void begin_block(struct nf_module *m, struct nesting *n, uint32_t at)
{
    if (!n->f) nf_fail(m->arena, NF_MALFORMED, at, "the block is outside of a function");
    if (!n->f->body) n->f->body = at;
    n->in_block = true;
}

static bool may_be_between_blocks(uint32_t opcode)
{
    return opcode == OpLine || opcode == OpNoLine || opcode == OpExtInst;
}

/* Returns true if the instruction begins or ends a function or a block, or is a parameter. */
static bool is_structural(uint32_t opcode)
{
    return (opcode >= OpFunction && opcode <= OpFunctionEnd) || opcode == OpLabel || nf_ends_block(opcode);
}

static void check_nesting(struct nf_module *m, struct nesting *n, uint32_t at)
{
    uint32_t opcode = nf_opcode(m, at);
    check_block_end(m, at, n->in_block);
    switch (opcode) {
    case OpFunction: begin_function(m, n, at); break;
    case OpFunctionEnd:
        end_function(m, n->f, at);
        n->f = NULL;
        break;
    case OpFunctionParameter: add_parameter(m, n->f, at); break;
    case OpLabel: begin_block(m, n, at); break;
    default:
        if (n->f && !n->in_block && !may_be_between_blocks(opcode))
            nf_fail(m->arena, NF_MALFORMED, at, "the instruction is outside of a block");
        break;
    }
    if (n->f && nf_ends_block(opcode)) n->in_block = false;
}

/* Checks the nesting of functions, parameters and blocks, and the ids of the instructions in the opcode table, except
 * where may_name_undefined_ids(). Collects the functions, sets body_at, and notes roles and unknown instructions. */
void nf_check_structure(struct nf_module *m)
{
    struct nesting n = {NULL, false};
    m->body_at = m->count;
    for (uint32_t at = NF_HEADER_WORDS; at < m->count; at = nf_next(m, at)) {
        const struct nf_op *op = nf_op_find(nf_opcode(m, at));
        if (nf_is_unknown(op)) {
            if (n.f) n.f->unknown_ops = true;
            check_nesting(m, &n, at); /* an unknown instruction is assumed to belong to a block */
            continue;
        }
        if (n.f) nf_note_role(m, op);
        if (!may_name_undefined_ids(m, op->opcode)) check_ids(m, at, op, n.f);
        if (op->opcode == OpTypeForwardPointer && nf_effect_operand(m, at, 0) >= m->bound)
            nf_fail(m->arena, NF_MALFORMED, at, "id %u is not below the bound %u", nf_effect_operand(m, at, 0),
                    m->bound);
        if ((n.f && !n.in_block) || is_structural(op->opcode)) check_nesting(m, &n, at);
    }
    if (n.f) nf_fail(m->arena, NF_MALFORMED, n.f->at, "the function does not end");
}

/* ---- References to functions and types, after all of them are known ---- */

static struct nf_function *function_of(struct nf_module *m, uint32_t at, uint32_t id)
{
    uint32_t def = id < m->bound ? m->def[id] : 0;
    if (!def || nf_opcode(m, def) != OpFunction) nf_fail(m->arena, NF_MALFORMED, at, "id %u is not a function", id);
    return &m->functions[m->index_of[id]];
}

static void check_call(struct nf_module *m, uint32_t at)
{
    struct nf_function *callee = function_of(m, at, nf_callee(m, at));
    if (callee->body && callee->parameter_count != nf_length(m, at) - 4)
        nf_fail(m->arena, NF_MALFORMED, at, "the call has %u arguments, but function %%%u has %u parameters",
                nf_length(m, at) - 4, callee->id, callee->parameter_count);
}

/* Records that the function's address is taken, and the storage class of function pointers: compilers use Function or
 * CodeSectionINTEL. Checks that it is not Generic, which SPV_INTEL_function_pointers excludes. */
static void note_function_pointer(struct nf_module *m, uint32_t at)
{
    uint32_t type = m->def[nf_value_type(m, at)];
    function_of(m, at, nf_function_pointed_to(m, at))->address_taken = true;
    if (nf_is_generic_type_at(m, type))
        nf_fail(m->arena, NF_MALFORMED, at, "the type of a constant function pointer is generic");
    if (nf_opcode(m, type) == OpTypePointer) m->code_storage = nf_pointer_storage_class(m, type);
}

/* Marks a function whose address the host queries and passes to a kernel. */
static void note_indirect(struct nf_module *m, uint32_t id)
{
    if (nf_opcode(m, m->def[id]) == OpFunction) m->functions[m->index_of[id]].address_taken = true;
}

static void check_type(struct nf_module *m, uint32_t at, uint32_t id)
{
    if (!nf_is_type(m, id)) nf_fail(m->arena, NF_MALFORMED, at, "id %u is not a type", id);
}

/* Checks that the result of OpGenericPtrMemSemantics is a 32-bit integer: a constant replaces it once the space is
 * known. */
static void check_semantics(struct nf_module *m, uint32_t at)
{
    uint32_t type = m->def[nf_value_type(m, at)];
    if (nf_opcode(m, type) != OpTypeInt || nf_scalar_width(m, type) != 32)
        nf_fail(m->arena, NF_MALFORMED, at, "result type %u is not a 32-bit integer", nf_value_type(m, at));
}

/* Records the role of a constant expression. Checks that PtrCastToGeneric has a generic result: validators do not. */
static void check_constant_cast(struct nf_module *m, uint32_t at)
{
    uint32_t opcode = nf_spec_opcode(m, at);
    nf_note_role(m, nf_op_find(opcode));
    if (opcode == OpPtrCastToGeneric && !nf_is_generic_type_at(m, m->def[nf_value_type(m, at)]))
        nf_fail(m->arena, NF_MALFORMED, at, "result type %u of PtrCastToGeneric is not generic", nf_value_type(m, at));
}

static void note_linkage(struct nf_module *m, uint32_t at)
{
    uint32_t target = nf_annotated_id(m, at), length = nf_length(m, at), kind = nf_word(m, at, length - 1);
    if (length < 5) return;
    m->linkage[target] |= (uint8_t)(kind < 8 ? 1 + kind : 0);
    if (nf_opcode(m, m->def[target]) != OpFunction) return;
    struct nf_function *f = function_of(m, at, target);
    f->imported = kind == NF_LINKAGE_IMPORT;
    f->exported = kind == NF_LINKAGE_EXPORT || kind == NF_LINKAGE_LINK_ONCE_ODR;
}

static bool is_of_subgroups(uint32_t capability)
{
    enum { GROUPS = 18, DISPATCH = 58, NON_UNIFORM = 61, NON_UNIFORM_QUAD = 68, SHUFFLE = 5568, IMAGE_BLOCK_IO = 5570 };
    return capability == GROUPS || capability == DISPATCH ||
           (capability >= NON_UNIFORM && capability <= NON_UNIFORM_QUAD) ||
           (capability >= SHUFFLE && capability <= IMAGE_BLOCK_IO);
}

static void note_decoration(struct nf_module *m, uint32_t at)
{
    switch (nf_decoration_at(m, at)) {
    case NF_DECORATION_LINKAGE: note_linkage(m, at); break;
    case NF_DECORATION_CONSTANT: m->linkage[nf_annotated_id(m, at)] |= NF_IS_CONSTANT; break;
    case NF_DECORATION_REFERENCED_INDIRECTLY: note_indirect(m, nf_annotated_id(m, at)); break;
    default: break;
    }
}

static void note_variable(struct nf_module *m, uint32_t at)
{
    if (at >= m->body_at) return;
    NF_RESERVE(m->arena, m->variables, m->variable_capacity, (size_t)m->variable_count + 1);
    m->variables[m->variable_count++] = nf_result_id(m, at);
}

static void check_members(struct nf_module *m, uint32_t at)
{
    for (uint32_t i = 0; i + 2 < nf_length(m, at); i++)
        check_type(m, at, nf_type_operand(m, at, i));
}

/* Checks that an operand of an instruction at module scope is not defined in a function. */
static void check_outside(struct nf_module *m, uint32_t at, uint32_t id)
{
    if (at < m->body_at && m->def[id] >= m->body_at)
        nf_fail(m->arena, NF_MALFORMED, at, "operand %u of a constant is not a constant", id);
}

static void check_parts(struct nf_module *m, uint32_t at)
{
    if (!m->unordered_constants) return;
    struct nf_operands walk = nf_walk(m, at);
    while (nf_operands_next(&walk))
        if (walk.kind == NF_OPERAND_ID) check_outside(m, at, nf_current_operand(&walk));
}

void nf_check_references(struct nf_module *m)
{
    for (uint32_t at = NF_HEADER_WORDS; at < m->count; at = nf_next(m, at)) {
        switch (nf_opcode(m, at)) {
        case OpFunctionCall: check_call(m, at); break;
        case OpGenericPtrMemSemantics: check_semantics(m, at); break;
        case OpSpecConstantOp: check_constant_cast(m, at); /* fall through */
        case OpConstantComposite:
        case OpSpecConstantComposite: check_parts(m, at); break;
        case OpEntryPoint:
            function_of(m, at, nf_entry_point_function(m, at))->entry_at = at;
            m->kernel_count++;
            break;
        case OpConstantFunctionPointerINTEL: note_function_pointer(m, at); break;
        case OpMemoryModel: m->address_bits = nf_address_bits_of(nf_addressing_model(m, at)); break;
        case OpDecorate: note_decoration(m, at); break;
        case OpVariable:
            if (nf_length(m, at) > 4) check_outside(m, at, nf_variable_initializer(m, at));
            /* fall through */
        case OpUntypedVariableKHR: note_variable(m, at); break;
        case OpCapability:
            m->uses_generic |= nf_capability_at(m, at) == NF_CAPABILITY_GENERIC_POINTER;
            m->uses_subgroups |= is_of_subgroups(nf_capability_at(m, at));
            break;
        case OpTypePointer: check_type(m, at, nf_pointee_type(m, at)); /* fall through */
        case OpTypeUntypedPointerKHR:
            m->uses_generic |= nf_pointer_storage_class(m, at) == NF_STORAGE_GENERIC;
            m->untyped_pointers |= nf_opcode(m, at) == OpTypeUntypedPointerKHR;
            break;
        case OpTypeArray: check_outside(m, at, nf_array_length(m, at)); /* fall through */
        case OpTypeVector: check_type(m, at, nf_element_type(m, at)); break;
        case OpTypeStruct:
        case OpTypeFunction: check_members(m, at); break;
        default: break;
        }
    }
}

/* ---- Extended instructions ---- */

static bool names_debug(const char *name)
{
    return strncmp(name, "NonSemantic.", 12) == 0 || strstr(name, "debug") || strstr(name, "Debug");
}

/* Refuses instructions of unknown extended sets, because their effect on addresses is not known. Debug information has
 * no such effect. */
void nf_check_extended_sets(struct nf_module *m)
{
    for (uint32_t at = NF_HEADER_WORDS; at < m->count; at = nf_next(m, at)) {
        if (nf_opcode(m, at) != OpExtInst || nf_ext_set_of(m, m->words + at) == NF_EXT_OPENCL_STD) continue;
        uint32_t import = nf_extended_set(m, at) < m->bound ? m->def[nf_extended_set(m, at)] : 0;
        if (!import || nf_opcode(m, import) != OpExtInstImport)
            nf_fail(m->arena, NF_MALFORMED, at, "id %u is not an extended instruction set", nf_extended_set(m, at));
        if (!names_debug(nf_string(m, import + 2)))
            nf_fail(m->arena, NF_REFUSED, at, "the extended instruction set \"%.200s\" is not known",
                    nf_string(m, import + 2));
    }
}
