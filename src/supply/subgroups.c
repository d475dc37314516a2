/* SPDX-License-Identifier: Apache-2.0 */
/*
 * subgroups.c - what the work-items of a sub-group compute together, for a device that lacks the extension for it.
 *
 *     %x = OpGroupBitwiseXorKHR %uint %subgroup Reduce %v   ->   %x = OpGroupNonUniformBitwiseXor %uint %subgroup Reduce %v
 *
 * Products, and what is computed bit by bit, are in SPV_KHR_uniform_group_instructions; compilers write them for sums over a
 * sub-group of such kinds. Stock Mesa 25.0 ends the process over the extension's, and computes those of SPIR-V 1.3, which mean the
 * same where all work-items come by. A device that takes no 1.3 gets what the module has, and judges that. Those of a
 * work-group are collectives.c's.
 *
 * needs: read; scopes that are constants, where they are to be.  gives: another module, to be read again.
 */
#include "supply/supply.h"

enum { UNIFORM_ARITHMETIC = 6400, NON_UNIFORM_ARITHMETIC = 63 };

static const struct {
    uint32_t uniform, core;
} of_1_3[] = {
    {6401, 351}, {6402, 352},              /* products */
    {6403, 359}, {6404, 360}, {6405, 361}, /* and, or, xor of bits */
    {6406, 362}, {6407, 363}, {6408, 364}, /* of truth values */
};

/* 0: it is no such instruction, or no sub-group's. */
static uint32_t core_form(const struct nf_module *m, uint32_t at)
{
    int64_t scope;
    uint32_t opcode = nf_opcode(m, at);
    for (size_t i = 0; i < sizeof of_1_3 / sizeof *of_1_3; i++)
        if (of_1_3[i].uniform == opcode)
            return nf_constant(m, m->words[at + 3], &scope) && scope == NF_SCOPE_SUBGROUP ? of_1_3[i].core : 0;
    return 0;
}

bool nf_needs_subgroups(const struct nf_module *m)
{
    const nf_profile *p = m->options->profile;
    bool newer = !p->max_version || p->max_version >= NF_VERSION_1_3;
    return newer && nf_declares(m, UNIFORM_ARITHMETIC) &&
           !nf_profile_takes_extension(p, "SPV_KHR_uniform_group_instructions");
}

static bool put(struct nf_edit *e, uint32_t at, void *unused)
{
    uint32_t core = core_form(e->m, at);
    (void)unused;
    if (core) nf_edit_emit(e, core, e->m->words + at + 1, nf_length(e->m, at) - 1);
    return core != 0;
}

bool nf_supply_subgroups(struct nf_module *m, struct nf_words *out)
{
    bool any = false;
    for (uint32_t at = m->body_at; at < m->count && !any; at = nf_next(m, at))
        any = core_form(m, at) != 0;
    if (!any) return false;
    struct nf_edit e = nf_edit_begin(m);
    nf_edit_need(&e, NON_UNIFORM_ARITHMETIC);
    *out = nf_edit_functions(&e, put, NULL);
    if (m->version < NF_VERSION_1_3) out->at[1] = NF_VERSION_1_3;
    return true;
}
