/* SPDX-License-Identifier: Apache-2.0 */
/*
 * builtins.c - built-in variables. The module loads them as a whole only, because the profile requests that
 * (prepare/inputs.c).
 *
 *     %v = OpLoad %v3ulong %GlobalInvocationId
 *     %x = OpCompositeExtract %ulong %v 0           get_global_id(0)
 *
 * On a device without sub-groups, each work-item is a sub-group of its own if the caller requests that; otherwise a
 * module that loads a built-in variable of sub-groups is refused.
 *
 * needs: decorations.  gives: OpenCL C text.
 */
#include "emit/internal.h"

enum shape { PER_DIMENSION, SCALAR, SUBGROUP, MASK };

struct row {
    uint16_t number;
    uint8_t shape;
    const char *function; /* PER_DIMENSION: the function is called with a dimension; else the text is an expression */
    const char *single;   /* SUBGROUP, MASK: the expression if each work-item is a sub-group; for a mask, its low
                           * component */
    uint32_t since;       /* the version of OpenCL C that has the function; the next row is for earlier ones */
};

#define LOCAL_SIZE "(get_local_size(0) * get_local_size(1) * get_local_size(2))"
#define ENQUEUED_SIZE "(get_enqueued_local_size(0) * get_enqueued_local_size(1) * get_enqueued_local_size(2))"
#define LOCAL_ID "((get_local_id(2) * get_local_size(1) + get_local_id(1)) * get_local_size(0) + get_local_id(0))"
#define GLOBAL_ID                                                                                                      \
    "(((get_global_id(2) - get_global_offset(2)) * get_global_size(1) + get_global_id(1) - get_global_offset(1)) * "   \
    "get_global_size(0) + get_global_id(0) - get_global_offset(0))"

/* A work-group at the end may be smaller than the enqueued size from OpenCL C 2.0 on. */
static const struct row rows[] = {
    {24, PER_DIMENSION, "get_num_groups", NULL, 0},
    {25, PER_DIMENSION, "get_local_size", NULL, 0},
    {26, PER_DIMENSION, "get_group_id", NULL, 0},
    {27, PER_DIMENSION, "get_local_id", NULL, 0},
    {28, PER_DIMENSION, "get_global_id", NULL, 0},
    {29, SCALAR, LOCAL_ID, NULL, 0},
    {30, SCALAR, "get_work_dim()", NULL, 0},
    {31, PER_DIMENSION, "get_global_size", NULL, 0},
    {32, PER_DIMENSION, "get_enqueued_local_size", NULL, 200},
    {32, PER_DIMENSION, "get_local_size", NULL, 0},
    {33, PER_DIMENSION, "get_global_offset", NULL, 0},
    {34, SCALAR, GLOBAL_ID, NULL, 0},
    {36, SUBGROUP, "get_sub_group_size()", "1u", 0},
    {37, SUBGROUP, "get_max_sub_group_size()", "1u", 0},
    {38, SUBGROUP, "get_num_sub_groups()", LOCAL_SIZE, 0},
    {39, SUBGROUP, "get_enqueued_num_sub_groups()", ENQUEUED_SIZE, 200},
    {39, SUBGROUP, "get_num_sub_groups()", LOCAL_SIZE, 0},
    {40, SUBGROUP, "get_sub_group_id()", LOCAL_ID, 0},
    {41, SUBGROUP, "get_sub_group_local_id()", "0u", 0},
    {4416, MASK, "get_sub_group_eq_mask()", "1u", 0},
    {4417, MASK, "get_sub_group_ge_mask()", "1u", 0},
    {4418, MASK, "get_sub_group_gt_mask()", "0u", 0},
    {4419, MASK, "get_sub_group_le_mask()", "1u", 0},
    {4420, MASK, "get_sub_group_lt_mask()", "0u", 0},
};

static const struct row *find_row(struct nf_emitter *e, uint32_t variable)
{
    uint32_t number = nf_decorations_of(e, variable)->built_in - 1u;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (rows[i].number == number && rows[i].since <= e->version) return &rows[i];
    nf_refuse(e, e->m->def[variable], "built-in variable %u", number);
}

uint32_t nf_loaded_built_in(const struct nf_emitter *e, const struct nf_insn *i)
{
    if (i->form->kind != NF_FORM_load) return 0;
    return nf_decorations_of(e, i->operands[0])->built_in ? i->operands[0] : 0;
}

uint32_t nf_built_in_of(const struct nf_emitter *e, uint32_t id)
{
    uint32_t def = id < e->m->bound ? e->m->def[id] : 0;
    if (!def || nf_opcode(e->m, def) != OpLoad) return 0;
    struct nf_insn load = nf_insn_at(e, def);
    return nf_loaded_built_in(e, &load);
}

static void say_scalar(struct nf_emitter *e, const struct row *row, uint32_t variable, uint32_t type,
                       uint32_t component)
{
    if (row->shape == SCALAR) {
        nf_say_cast(e, type, false);
        nf_say_string(e, row->function);
    } else if (nf_has_feature(e, NF_C_SUBGROUPS)) {
        if (row->shape != MASK) e->needs |= NF_NEEDS_SUBGROUPS;
        nf_say_string(e, row->function);
        if (row->shape == MASK) nf_say_text(e, ".s%u", component);
    } else if (nf_has_feature(e, NF_C_SINGLE_SUBGROUPS) && row->shape == MASK && component) {
        nf_say_string(e, "0u");
    } else if (nf_has_feature(e, NF_C_SINGLE_SUBGROUPS)) {
        nf_say_cast(e, type, false);
        nf_say_string(e, row->single);
    } else {
        nf_refuse(e, e->m->def[variable], "sub-groups, which the compiler does not have");
    }
}

void nf_say_built_in_component(struct nf_emitter *e, uint32_t variable, uint32_t type, uint32_t component)
{
    const struct row *row = find_row(e, variable);
    if (row->shape == PER_DIMENSION) {
        nf_say_cast(e, type, false);
        nf_say_text(e, "%s(%u)", row->function, component);
    } else {
        say_scalar(e, row, variable, type, component);
    }
}

void nf_say_built_in(struct nf_emitter *e, uint32_t variable, const struct nf_insn *i)
{
    const struct nf_type *type = nf_type(e->m, i->type);
    if (!nf_is_vector(type)) {
        nf_say_built_in_component(e, variable, i->type, 0);
        return;
    }
    nf_say_cast(e, i->type, false);
    nf_say_char(e, '(');
    for (uint32_t n = 0; n < type->count; n++) {
        if (n) nf_say_string(e, ", ");
        nf_say_built_in_component(e, variable, type->element, n);
    }
    nf_say_char(e, ')');
}
