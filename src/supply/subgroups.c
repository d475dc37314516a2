/* SPDX-License-Identifier: Apache-2.0 */
/*
 * subgroups.c - replaces sub-group operations of extensions that a device lacks by sub-group operations of SPIR-V 1.3.
 *
 *     %x = OpGroupBitwiseXorKHR %uint %subgroup Reduce %v
 *     %r = OpGroupNonUniformRotateKHR %uint %subgroup %v %delta %cluster
 *
 *     %x = OpGroupNonUniformBitwiseXor %uint %subgroup Reduce %v
 *     %moved = %id + %delta
 *     %from = (%id - %id % %cluster) + %moved % %cluster
 *     %r = OpGroupNonUniformShuffle %uint %subgroup %v %from
 *
 * Products and bitwise reductions over a sub-group are in SPV_KHR_uniform_group_instructions, which compilers use.
 * Stock Mesa 25.0 crashes on the extension's instructions, but implements the instructions of SPIR-V 1.3, which are
 * equivalent if all work-items execute them. Mesa also crashes on a rotation, but has shuffles; without a cluster size
 * the rotation wraps at the maximum sub-group size. A device that does not support SPIR-V 1.3 gets the module
 * unchanged, and accepts or refuses it. Operations of a work-group are replaced in collectives.c.
 *
 * needs: a module that was read, and its types; constant scopes, if the device requires them.  gives: the words of a
 * new module, to be read again.
 */
#include "supply/internal.h"

enum {
    UNIFORM_ARITHMETIC = 6400,
    NON_UNIFORM_ARITHMETIC = 63,
    ROTATE = 6026,
    SHUFFLE = 65
}; /* numbers of capabilities */
enum { BUILT_IN_SUBGROUP_MAX_SIZE = 37, BUILT_IN_SUBGROUP_LOCAL_INVOCATION_ID = 41 };
enum { CLUSTER_WORD = 6 };

static const struct {
    uint32_t uniform, core;
} of_1_3[] = {
    {6401, 351}, {6402, 352},              /* products */
    {6403, 359}, {6404, 360}, {6405, 361}, /* bitwise and, or, xor */
    {6406, 362}, {6407, 363}, {6408, 364}, /* logical and, or, xor */
};

struct subgroups {
    struct nf_edit to;
    struct nf_built_ins built_ins;
    bool arithmetic, rotates; /* whether group arithmetic is replaced, and rotations: the device lacks them */
};

static bool lacks(const struct nf_module *m, uint32_t capability, const char *extension)
{
    return nf_declares(m, capability) && !nf_profile_takes_extension(m->options->profile, extension);
}

static bool lacks_arithmetic(const struct nf_module *m)
{
    return lacks(m, UNIFORM_ARITHMETIC, "SPV_KHR_uniform_group_instructions");
}

static bool lacks_rotate(const struct nf_module *m)
{
    return lacks(m, ROTATE, "SPV_KHR_subgroup_rotate");
}

bool nf_needs_subgroups(const struct nf_module *m)
{
    const nf_profile *p = m->options->profile;
    bool newer = !p->max_version || p->max_version >= NF_VERSION_1_3;
    return newer && (lacks_arithmetic(m) || lacks_rotate(m));
}

static bool is_of_subgroup(const struct nf_module *m, uint32_t at)
{
    int64_t scope;
    return nf_constant(m, nf_group_scope(m, at), &scope) && scope == NF_SCOPE_SUBGROUP;
}

/* Returns the opcode of SPIR-V 1.3 for a sub-group operation of the extension, 0 for any other instruction. */
static uint32_t core_form(const struct subgroups *s, uint32_t at)
{
    uint32_t opcode = nf_opcode(s->to.m, at);
    for (size_t i = 0; s->arithmetic && i < sizeof of_1_3 / sizeof *of_1_3; i++)
        if (of_1_3[i].uniform == opcode) return is_of_subgroup(s->to.m, at) ? of_1_3[i].core : 0;
    return 0;
}

static bool is_rotation(const struct subgroups *s, uint32_t at)
{
    return s->rotates && nf_opcode(s->to.m, at) == OpGroupNonUniformRotateKHR && is_of_subgroup(s->to.m, at);
}

/* ---- Rotations ---- */

static uint32_t emit(struct subgroups *s, uint32_t opcode, uint32_t left, uint32_t right)
{
    uint32_t uint = nf_edit_define(&s->to, OpTypeInt, 0, (uint32_t[]){32, 0}, 2);
    return nf_edit_value(&s->to, opcode, uint, left, right);
}

static uint32_t load(struct subgroups *s, uint32_t which)
{
    uint32_t uint = nf_edit_define(&s->to, OpTypeInt, 0, (uint32_t[]){32, 0}, 2);
    return emit(s, OpLoad, nf_built_in(&s->built_ins, which, uint), 0);
}

static void emit_rotation(struct subgroups *s, uint32_t at)
{
    const uint32_t *words = s->to.m->words + at;
    bool clustered = nf_length(s->to.m, at) > CLUSTER_WORD;
    uint32_t own = load(s, BUILT_IN_SUBGROUP_LOCAL_INVOCATION_ID),
             moved = emit(s, OpIAdd, own, nf_value_operand(s->to.m, at, 2));
    uint32_t size = clustered ? words[CLUSTER_WORD] : load(s, BUILT_IN_SUBGROUP_MAX_SIZE);
    uint32_t from = emit(s, OpUMod, moved, size);
    if (clustered) from = emit(s, OpIAdd, emit(s, OpISub, own, emit(s, OpUMod, own, size)), from);
    nf_edit_emit(&s->to, OpGroupNonUniformShuffle,
                 (uint32_t[]){nf_value_type(s->to.m, at), nf_value_id(s->to.m, at), nf_value_operand(s->to.m, at, 0),
                              nf_value_operand(s->to.m, at, 1), from},
                 5);
    nf_edit_need(&s->to, SHUFFLE);
}

/* ---- The module ---- */

static void rewrite(struct subgroups *s, uint32_t at)
{
    const struct nf_module *m = s->to.m;
    uint32_t core = core_form(s, at);
    if (core) {
        nf_edit_emit(&s->to, core, m->words + at + 1, nf_length(m, at) - 1);
        nf_edit_need(&s->to, NON_UNIFORM_ARITHMETIC);
    } else if (is_rotation(s, at)) {
        emit_rotation(s, at);
    } else {
        nf_edit_keep(&s->to, at, nf_next(m, at));
    }
}

bool nf_supply_subgroups(struct nf_module *m, struct nf_words *out)
{
    struct subgroups s = {.to = nf_edit_begin(m), .arithmetic = lacks_arithmetic(m), .rotates = lacks_rotate(m)};
    bool any = false;
    s.built_ins.to = &s.to;
    for (uint32_t at = m->body_at; at < m->count && !any; at = nf_next(m, at))
        any = core_form(&s, at) || is_rotation(&s, at);
    if (!any) return false;
    for (uint32_t at = m->body_at; at < m->count; at = nf_next(m, at))
        rewrite(&s, at);
    nf_built_ins_emit(&s.built_ins, 0);
    *out = nf_edit_end(&s.to);
    if (m->version < NF_VERSION_1_3) out->at[1] = NF_VERSION_1_3;
    return true;
}
