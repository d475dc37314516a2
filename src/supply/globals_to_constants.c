/* SPDX-License-Identifier: Apache-2.0 */
/*
 * globals_to_constants.c - moves module-scope variables that are only read from global to constant memory.
 *
 *     %table = OpVariable %_ptr_CrossWorkgroup_arr CrossWorkgroup %values
 *     %p = OpInBoundsPtrAccessChain %_ptr_CrossWorkgroup_uint %table %zero %i
 *
 *     %table = OpVariable %_ptr_UniformConstant_arr UniformConstant %values
 *     %p = OpInBoundsPtrAccessChain %_ptr_UniformConstant_uint %table %zero %i
 *
 * SYCL compilers place every table and every string in global memory. Mesa refuses the initializer of such a variable,
 * or crashes on it, whereas every device supports initialized constant memory. A variable is moved if all its uses are
 * provably reads: loads and copies, through chains and casts; if neither the host nor another module may write it; and
 * if its initializer contains no address.
 *
 * The hard case: an address that flows elsewhere (into a phi, a call, memory, another initializer) may merge with an
 * address of global memory there, and one pointer cannot have two storage classes. Such a variable is left to
 * globals_to_buffer.c.
 *
 * needs: a module that was read, and its types.  gives: the words of a new module, to be read again.
 */
#include "supply/supply.h"

struct constants {
    struct nf_edit to;
    uint32_t *root; /* by id of a pointer: the variable that it points into, through chains and casts only */
    bool *other;    /* by id of a variable: it has a use that is not a read */
};

static bool is_read(const struct nf_module *m, uint32_t at, uint32_t index)
{
    uint32_t first = nf_operand_at(m, at, 0) - at;
    switch (nf_role_at(m, at)) {
    case NF_ROLE_load: return nf_opcode(m, at) == OpLoad;
    case NF_ROLE_copy_memory: return index == first + 1;
    case NF_ROLE_vload:
    case NF_ROLE_prefetch: return true;
    default: return false;
    }
}

/* Returns true if the instruction names or decorates the variable without accessing it. */
static bool is_annotation(const struct nf_module *m, uint32_t at)
{
    uint32_t opcode = nf_opcode(m, at);
    return opcode == OpName || opcode == OpMemberName || opcode == OpDecorate || opcode == OpDecorateString ||
           opcode == OpEntryPoint || nf_debug_at(m, at) != NF_DEBUG_NONE;
}

/* Returns true if the result of `at` points into the same variable as its operand in word `index`. */
static bool derives(const struct nf_module *m, uint32_t at, uint32_t index)
{
    bool constant = nf_opcode(m, at) == OpSpecConstantOp;
    const struct nf_type *type = nf_type_of(m, nf_result_id(m, at));
    if (type->kind != NF_KIND_POINTER || type->storage != NF_STORAGE_CROSS_WORKGROUP) return false;
    if (constant) return index == 4 && nf_derives_pointer(nf_op_find(nf_spec_opcode(m, at))->role);
    return index == nf_operand_at(m, at, 0) - at && nf_derives_pointer(nf_role_at(m, at));
}

/* Returns true if the host or another module may write the variable. */
static bool has_host_access(const struct nf_module *m, uint32_t id)
{
    if (m->linkage[id] & NF_IS_CONSTANT) return false;
    if (m->linkage[id]) return true;
    for (uint32_t at = NF_HEADER_WORDS; at < m->body_at; at = nf_next(m, at)) {
        bool decorates = nf_opcode(m, at) == OpDecorate || nf_opcode(m, at) == OpDecorateString;
        if (decorates && nf_annotated_id(m, at) == id &&
            (nf_decoration_at(m, at) == NF_DECORATION_HOST_ACCESS ||
             nf_decoration_at(m, at) == NF_DECORATION_HOST_ACCESS_OLD))
            return true;
    }
    return false;
}

static bool mentions_address(const struct nf_module *m, uint32_t id)
{
    uint32_t at = m->def[id];
    if (!at || nf_opcode(m, at) == OpVariable || nf_opcode(m, at) == OpFunction) return at != 0;
    if (!nf_is_made_constant(nf_opcode(m, at))) return false;
    struct nf_operands walk = nf_walk(m, at);
    while (nf_operands_next(&walk))
        if (walk.kind == NF_OPERAND_ID && mentions_address(m, nf_current_operand(&walk))) return true;
    return false;
}

/* Records a use of a pointer into `root`, in word `index` of the instruction `at`. */
static void note_use(struct constants *c, uint32_t at, uint32_t index, uint32_t root)
{
    const struct nf_module *m = c->to.m;
    if (derives(m, at, index))
        c->root[nf_result_id(m, at)] = root;
    else if (!is_read(m, at, index))
        c->other[root] = true;
}

/* Finds the roots and uses of all pointers into variables. Returns true if any variable can be moved. */
static bool find(struct constants *c)
{
    const struct nf_module *m = c->to.m;
    bool any = false;
    for (uint32_t i = 0; i < m->variable_count; i++) {
        uint32_t id = m->variables[i], at = m->def[id];
        if (nf_variable_storage_class(m, at) != NF_STORAGE_CROSS_WORKGROUP) continue;
        c->root[id] = id;
        c->other[id] =
            has_host_access(m, id) || (nf_length(m, at) > 4 && mentions_address(m, nf_variable_initializer(m, at)));
    }
    for (uint32_t at = NF_HEADER_WORDS; at < m->count; at = nf_next(m, at)) {
        if (is_annotation(m, at)) continue; /* OpName may name an id beyond the bound */
        struct nf_operands walk = nf_walk(m, at);
        while (nf_operands_next(&walk)) {
            uint32_t root = walk.kind == NF_OPERAND_ID ? c->root[nf_current_operand(&walk)] : 0;
            if (root) note_use(c, at, walk.at, root);
        }
    }
    for (uint32_t i = 0; i < m->variable_count; i++)
        any |= c->root[m->variables[i]] && !c->other[m->variables[i]];
    return any;
}

static bool changes(const struct constants *c, uint32_t id)
{
    return id && c->root[id] && !c->other[c->root[id]];
}

static uint32_t constant_pointer(struct constants *c, uint32_t id)
{
    uint32_t element = nf_type_of(c->to.m, id)->element;
    return nf_edit_define(&c->to, OpTypePointer, 0, (uint32_t[]){NF_STORAGE_UNIFORM_CONSTANT, element}, 2);
}

static void rewrite_instruction(struct constants *c, uint32_t at)
{
    struct nf_edit *e = &c->to;
    uint32_t start = e->out.count;
    nf_append_words(&e->out, e->m->words + at, nf_length(e->m, at));
    if (changes(c, nf_result_id(e->m, at))) e->out.at[start + 1] = constant_pointer(c, nf_result_id(e->m, at));
}

/* Emits the module scope. A definition whose type changes is moved to the end of the definitions, after its new type:
 * only functions use it. */
static void rewrite_module_scope(struct constants *c)
{
    const struct nf_module *m = c->to.m;
    for (uint32_t at = NF_HEADER_WORDS; at < m->body_at; at = nf_next(m, at)) {
        uint32_t id = nf_result_id(m, at);
        if (!changes(c, id)) {
            nf_edit_keep(&c->to, at, nf_next(m, at));
            continue;
        }
        uint32_t type = constant_pointer(c, id), start;
        bool variable = nf_opcode(m, at) == OpVariable;
        bool empty = variable && nf_length(m, at) == 4;
        uint32_t null =
            empty ? nf_edit_define(&c->to, OpConstantNull, nf_type(m, nf_value_type(m, at))->element, NULL, 0) : 0;
        start = c->to.build.definitions.count;
        nf_append_words(&c->to.build.definitions, m->words + at, nf_length(m, at));
        c->to.build.definitions.at[start + 1] = type;
        if (variable) c->to.build.definitions.at[start + 3] = NF_STORAGE_UNIFORM_CONSTANT;
        if (!empty) continue; /* a variable in constant memory needs an initializer: zeros */
        nf_append_word(&c->to.build.definitions, null);
        c->to.build.definitions.at[start] = nf_first_word(OpVariable, 5);
    }
}

bool nf_supply_globals_to_constants(struct nf_module *m, struct nf_words *out)
{
    struct constants c = {.to = nf_edit_begin(m)};
    c.root = NF_NEW(m->arena, uint32_t, m->bound);
    c.other = NF_NEW(m->arena, bool, m->bound);
    if (!find(&c)) return false;
    for (uint32_t i = 1; i < m->function_count; i++)
        for (uint32_t at = m->functions[i].at; at < m->functions[i].end; at = nf_next(m, at))
            rewrite_instruction(&c, at);
    nf_edit_module_scope(&c.to);
    rewrite_module_scope(&c);
    *out = nf_edit_end(&c.to);
    return true;
}
