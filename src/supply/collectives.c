/* SPDX-License-Identifier: Apache-2.0 */
/*
 * collectives.c - replaces group operations of a work-group, for a device that implements group operations of
 * sub-groups only.
 *
 *     %sum = OpGroupIAdd %uint %workgroup Reduce %x
 *
 *     %all = OpBitcast %_ptr_Workgroup_uint %scratch         local memory with an element for each work-item
 *     %sum = OpFunctionCall %uint %nonflat_scan_iadd_32 %all %own %size %uint_0 %x
 *
 * Such a device may accept the instruction and return a result per sub-group, so each instruction whose scope is the
 * constant Workgroup is replaced. The library computes an inclusive scan in steps of doubling distance, separated by
 * barriers. Sums and products of floats are computed in a loop that few work-items execute; so are all scans on a
 * device that takes bitcode, which is a processor or an interpreter, and for work-groups that may have more than
 * MOST_IN_STEPS work-items. All uses share one array in local memory, as wide as the widest value, because a barrier
 * separates any two of them.
 *
 * Hard cases: vectors are split into components, and booleans are stored as integers. Results of float additions and
 * multiplications depend on the order of the operations, which is as in native implementations: in eight lanes, or
 * sequential in a function marked OptNone, where native implementations do not vectorize.
 *
 * needs: a module that was read, and its types.  gives: the words of a new module, to be read again.
 */
#include <stdio.h>

#include "supply/internal.h"

enum { ALL = 261, ANY = 262, BROADCAST = 263, FADD = 265, FMUL = 6402 };
enum { BUILT_IN_WORKGROUP_SIZE = 25, BUILT_IN_LOCAL_INVOCATION_ID = 27 };
enum { MODE_LOCAL_SIZE = 17, MOST_IN_STEPS = 1024, REDUCE = 0, REDUCE_IN_ORDER = 3 };

/* The operation's name in the library; `logical`: it operates on booleans. */
static const struct collective {
    uint32_t opcode;
    const char *name;
    bool logical;
} collectives[] = {
    {ALL, "and", true},    {ANY, "or", true},     {264, "iadd", false}, {FADD, "fadd", false},  {266, "fmin", false},
    {267, "umin", false},  {268, "smin", false},  {269, "fmax", false}, {270, "umax", false},   {271, "smax", false},
    {6401, "imul", false}, {FMUL, "fmul", false}, {6403, "and", false}, {6404, "or", false},    {6405, "xor", false},
    {6406, "and", true},   {6407, "or", true},    {6408, "xor", true},  {BROADCAST, "", false},
};

struct group {
    struct nf_edit to;
    struct nf_library library;
    uint32_t scratch; /* the array in local memory */
    uint32_t width;   /* bytes of the widest value */
    uint32_t most;    /* an upper bound of the work-group size */
    uint32_t size_variable, id_variable;
    struct nf_built_ins built_ins;
};

static const struct collective *find(const struct nf_module *m, uint32_t at)
{
    int64_t scope;
    uint32_t opcode = nf_opcode(m, at);
    for (size_t i = 0; i < sizeof collectives / sizeof *collectives; i++)
        if (collectives[i].opcode == opcode)
            return nf_constant(m, nf_group_scope(m, at), &scope) && scope == NF_SCOPE_WORKGROUP ? &collectives[i]
                                                                                                : NULL;
    return NULL;
}

/* ---- Emitting ---- */

static uint32_t emit(struct group *g, uint32_t opcode, uint32_t type, const uint32_t *operands, uint32_t count)
{
    uint32_t words[8] = {type, nf_build_id(&g->to.build)};
    memcpy(words + 2, operands, count * sizeof *operands);
    nf_edit_emit(&g->to, opcode, words, count + 2);
    return words[1];
}
#define EMIT(g, opcode, type, ...)                                                                                     \
    emit((g), (opcode), (type), (uint32_t[]){__VA_ARGS__}, sizeof((uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t))

static uint32_t int_type(struct group *g, uint32_t width)
{
    nf_edit_need_int(&g->to, width);
    return nf_edit_define(&g->to, OpTypeInt, 0, (uint32_t[]){width, 0}, 2);
}

static uint32_t pointer_type(struct group *g, uint32_t storage, uint32_t element)
{
    return nf_edit_define(&g->to, OpTypePointer, 0, (uint32_t[]){storage, element}, 2);
}

/* ---- Position of a work-item, and size of the work-group ---- */

static uint32_t word_type(struct group *g)
{
    return int_type(g, g->to.m->address_bits == 32 ? 32 : 64);
}

static uint32_t built_in(struct group *g, uint32_t which)
{
    uint32_t vector = nf_edit_define(&g->to, OpTypeVector, 0, (uint32_t[]){word_type(g), 3}, 2);
    return nf_built_in(&g->built_ins, which, vector);
}

/* Loads the components of a three-component built-in variable as 32-bit integers. */
static void load_built_in(struct group *g, uint32_t variable, uint32_t parts[3])
{
    const struct nf_module *m = g->to.m;
    const struct nf_type *pointer = variable < m->bound ? nf_type_of(m, variable) : NULL;
    uint32_t uint = int_type(g, 32), word = word_type(g);
    uint32_t vector = pointer ? pointer->element : nf_edit_define(&g->to, OpTypeVector, 0, (uint32_t[]){word, 3}, 2);
    if (pointer) word = nf_type(m, vector)->element;
    uint32_t loaded = EMIT(g, OpLoad, vector, variable);
    for (uint32_t i = 0; i < 3; i++) {
        parts[i] = EMIT(g, OpCompositeExtract, word, loaded, i);
        if (word != uint) parts[i] = EMIT(g, OpUConvert, uint, parts[i]);
    }
}

/* Emits x + width * (y + height * z). */
static uint32_t linear(struct group *g, const uint32_t at[3], const uint32_t sizes[3])
{
    uint32_t uint = int_type(g, 32);
    uint32_t planes = EMIT(g, OpIMul, uint, sizes[1], at[2]), rows = EMIT(g, OpIAdd, uint, at[1], planes);
    uint32_t before = EMIT(g, OpIMul, uint, sizes[0], rows);
    return EMIT(g, OpIAdd, uint, at[0], before);
}

static void load_position(struct group *g, uint32_t sizes[3], uint32_t *own, uint32_t *size)
{
    uint32_t ids[3], uint = int_type(g, 32);
    load_built_in(g, g->size_variable, sizes);
    load_built_in(g, g->id_variable, ids);
    *own = linear(g, ids, sizes);
    *size = EMIT(g, OpIMul, uint, sizes[0], EMIT(g, OpIMul, uint, sizes[1], sizes[2]));
}

/* ---- One instruction ---- */

static uint32_t scratch_for(struct group *g, uint32_t type, uint32_t bytes)
{
    uint32_t wanted = pointer_type(g, NF_STORAGE_WORKGROUP, type);
    if (bytes > g->width) g->width = bytes;
    return EMIT(g, OpBitcast, wanted, g->scratch);
}

/* Returns true if the library computes the operation in loops, in the order of native implementations; false if in
 * steps of doubling distance. */
static bool is_in_order(const struct group *g, const char *operation)
{
    bool rounds = strcmp(operation, "fadd") == 0 || strcmp(operation, "fmul") == 0;
    return rounds || g->most > MOST_IN_STEPS || g->to.m->options->profile->flags & NF_PROFILE_SPIR12;
}

static uint32_t scan(struct group *g, const char *operation, uint32_t kind, uint32_t type, uint32_t value)
{
    char name[40];
    uint32_t sizes[3], own, size, bytes = (uint32_t)nf_type(g->to.m, type)->size;
    bytes = bytes ? bytes : 4; /* 0: the type uint that scan_bool() added is not described */
    load_position(g, sizes, &own, &size);
    snprintf(name, sizeof name, "nonflat_scan_%s_%u%s", operation, 8 * bytes,
             is_in_order(g, operation) ? "_in_order" : "");
    uint32_t all = scratch_for(g, type, bytes), function = nf_library_import(&g->library, name);
    return EMIT(g, OpFunctionCall, type, function, all, own, size, nf_edit_number(&g->to, kind), value);
}

/* Scans integers of 8 or 16 bits as the high bits of 32, where all operations have the same identities; products, whose
 * identity is 1, are scanned as the low bits. */
static uint32_t scan_narrow(struct group *g, const char *operation, uint32_t kind, uint32_t type, uint32_t value)
{
    uint32_t uint = int_type(g, 32), unused = 32 - 8 * (uint32_t)nf_type(g->to.m, type)->size;
    uint32_t shift = nf_edit_number(&g->to, strcmp(operation, "imul") == 0 ? 0 : unused);
    uint32_t shifted = EMIT(g, OpShiftLeftLogical, uint, EMIT(g, OpUConvert, uint, value), shift);
    uint32_t result = scan(g, operation, kind, uint, shifted);
    return EMIT(g, OpUConvert, type, EMIT(g, OpShiftRightLogical, uint, result, shift));
}

static uint32_t scan_bool(struct group *g, const char *operation, uint32_t kind, uint32_t type, uint32_t value)
{
    uint32_t uint = int_type(g, 32), zero = nf_edit_number(&g->to, 0), one = nf_edit_number(&g->to, 1);
    uint32_t number = EMIT(g, OpSelect, uint, value, one, zero);
    uint32_t result = scan(g, operation, kind, uint, number);
    return EMIT(g, OpINotEqual, type, EMIT(g, OpBitwiseAnd, uint, result, one), zero);
}

/* Emits the linear local id of the work-item that OpGroupBroadcast names by one, two or three indices. */
static uint32_t chosen_index(struct group *g, uint32_t index, const uint32_t sizes[3])
{
    const struct nf_module *m = g->to.m;
    const struct nf_type *type = nf_type_of(m, index);
    uint32_t uint = int_type(g, 32), zero = nf_edit_number(&g->to, 0), at[3] = {index, zero, zero};
    uint32_t count = type->kind == NF_KIND_VECTOR ? type->count : 1, element = count > 1 ? type->element : type->id;
    for (uint32_t i = 0; i < count && i < 3; i++) {
        if (count > 1) at[i] = EMIT(g, OpCompositeExtract, element, index, i);
        if (nf_type(m, element)->size != 4) at[i] = EMIT(g, OpUConvert, uint, at[i]);
    }
    return linear(g, at, sizes);
}

/* Emits a broadcast of a scalar, as an integer of the same size. */
static uint32_t broadcast(struct group *g, uint32_t type_id, uint32_t value, uint32_t index)
{
    const struct nf_type *type = nf_type(g->to.m, type_id);
    char name[40];
    uint32_t sizes[3], own, size, bytes = (uint32_t)type->size, integer = int_type(g, 8 * bytes);
    load_position(g, sizes, &own, &size);
    snprintf(name, sizeof name, "nonflat_broadcast_%u", 8 * bytes);
    uint32_t all = scratch_for(g, integer, bytes), from = chosen_index(g, index, sizes);
    uint32_t function = nf_library_import(&g->library, name);
    if (integer != type_id) value = EMIT(g, OpBitcast, integer, value);
    uint32_t result = EMIT(g, OpFunctionCall, integer, function, all, own, from, value);
    return integer != type_id ? EMIT(g, OpBitcast, type_id, result) : result;
}

/* Returns the `kind` argument of the library's functions: SPIR-V's GroupOperation (0 reduction, 1 inclusive scan, 2
 * exclusive scan), or REDUCE_IN_ORDER for float reductions in functions marked OptNone. */
static uint32_t kind_of(const struct nf_module *m, const struct collective *c, uint32_t at)
{
    bool plain = c->opcode == ALL || c->opcode == ANY, in_order = c->opcode == FADD || c->opcode == FMUL;
    uint32_t kind = plain ? REDUCE : nf_group_operation(m, at);
    in_order &= kind == REDUCE && nf_function_control(m, nf_function_around(m, at)->at) & NF_FUNCTION_OPT_NONE;
    return in_order ? REDUCE_IN_ORDER : kind;
}

static uint32_t emit_scalar(struct group *g, const struct collective *c, uint32_t at, uint32_t type, uint32_t value)
{
    if (c->opcode == BROADCAST) return broadcast(g, type, value, nf_value_operand(g->to.m, at, 2));
    uint32_t kind = kind_of(g->to.m, c, at);
    bool narrow = nf_type(g->to.m, type)->kind == NF_KIND_INT && nf_type(g->to.m, type)->size < 4;
    if (c->logical) return scan_bool(g, c->name, kind, type, value);
    return (narrow ? scan_narrow : scan)(g, c->name, kind, type, value);
}

static void rewrite_collective(struct group *g, const struct collective *c, uint32_t at)
{
    const struct nf_module *m = g->to.m;
    uint32_t result_type = nf_value_type(m, at), id = nf_value_id(m, at);
    const struct nf_type *type = nf_type(m, result_type);
    bool value_first = c->opcode == ALL || c->opcode == ANY || c->opcode == BROADCAST;
    uint32_t value = nf_value_operand(m, at, value_first ? 1 : 2), parts[18] = {result_type, id};
    if (type->kind != NF_KIND_VECTOR) {
        uint32_t result = emit_scalar(g, c, at, result_type, value);
        nf_edit_emit(&g->to, OpCopyObject, (uint32_t[]){result_type, id, result}, 3);
        return;
    }
    for (uint32_t i = 0; i < type->count && i < 16; i++)
        parts[i + 2] = emit_scalar(g, c, at, type->element, EMIT(g, OpCompositeExtract, type->element, value, i));
    nf_edit_emit(&g->to, OpCompositeConstruct, parts, type->count + 2);
}

/* ---- Module scope ---- */

/* Returns an upper bound of the work-group size: the largest LocalSize if every kernel has one and it is below the
 * device's limit; else that limit, or MOST_IN_STEPS if the profile does not give it. */
static uint32_t most_work_items(const struct nf_module *m)
{
    uint32_t fixed = 0, device = m->options->profile->max_work_group_size;
    uint64_t most = 0;
    device = device ? device : MOST_IN_STEPS;
    for (uint32_t at = NF_HEADER_WORDS; at < m->body_at; at = nf_next(m, at)) {
        if (nf_opcode(m, at) != OpExecutionMode || nf_execution_mode(m, at) != MODE_LOCAL_SIZE) continue;
        uint64_t size = (uint64_t)nf_mode_operand(m, at, 0) * nf_mode_operand(m, at, 1) * nf_mode_operand(m, at, 2);
        most = size > most ? size : most;
        fixed++;
    }
    return fixed == m->kernel_count && most < device ? (uint32_t)most : device;
}

static void define_scratch(struct group *g)
{
    uint32_t element = int_type(g, 8 * g->width), uint = int_type(g, 32);
    uint32_t length = nf_edit_define(&g->to, OpConstant, uint, &g->most, 1);
    uint32_t array = nf_edit_define(&g->to, OpTypeArray, 0, (uint32_t[]){element, length}, 2);
    uint32_t type = pointer_type(g, NF_STORAGE_WORKGROUP, array);
    struct nf_words *variables = &g->built_ins.variables;
    nf_append_words(variables, (uint32_t[]){4 << 16 | OpVariable, type, g->scratch, NF_STORAGE_WORKGROUP}, 4);
}

bool nf_supply_collectives(struct nf_module *m, struct nf_words *out)
{
    struct group g = {.to = nf_edit_begin(m), .built_ins = {.variables = {.arena = m->arena}}};
    bool any = false;
    for (uint32_t at = m->body_at; at < m->count && !any; at = nf_next(m, at))
        any = find(m, at) != NULL;
    if (!any || !m->kernel_count) return false;
    g.library.to = g.built_ins.to = &g.to;
    g.most = most_work_items(m);
    g.scratch = nf_build_id(&g.to.build);
    g.size_variable = built_in(&g, BUILT_IN_WORKGROUP_SIZE);
    g.id_variable = built_in(&g, BUILT_IN_LOCAL_INVOCATION_ID);
    for (uint32_t at = m->body_at; at < m->count; at = nf_next(m, at)) {
        const struct collective *c = find(m, at);
        if (c)
            rewrite_collective(&g, c, at);
        else
            nf_edit_keep(&g.to, at, nf_next(m, at));
    }
    nf_library_emit(&g.library);
    define_scratch(&g);
    nf_built_ins_emit(&g.built_ins, g.scratch);
    *out = nf_edit_end(&g.to);
    return true;
}
