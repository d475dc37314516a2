/* SPDX-License-Identifier: Apache-2.0 */
/*
 * refuse_global_stores.c - refuses writes of module-scope variables for a device without writable module-scope
 * variables.
 *
 *     %counter = OpVariable %_ptr_CrossWorkgroup_uint CrossWorkgroup %uint_5
 *     ...        OpStore %counter %n
 *
 * Some drivers for such devices reject the module, others silently give each kernel its own copy of the variable. This
 * stage refuses the module, with a reason, where it finds an instruction that writes the variable: a store, an atomic
 * or a copy. A variable that is only read, or whose address is stored or passed on, is not refused: a program that
 * works without Nonflat must work with it. Devices that take bitcode are exempt, and if the caller allocates memory for
 * these variables, supply/globals_to_buffer.c moves them there instead.
 *
 * needs: a module that was read.  gives: the unchanged module, or a refusal.
 */
#include "prepare/prepare.h"

static bool is_writable_variable(const struct nf_module *m, uint32_t id)
{
    uint32_t at = m->def[id];
    bool is_variable = nf_is_variable_in(m, at, NF_STORAGE_CROSS_WORKGROUP);
    return is_variable && !(m->linkage[id] & NF_IS_CONSTANT);
}

void nf_refuse_global_stores(struct nf_module *m)
{
    const nf_profile *profile = m->options->profile;
    const uint32_t elsewhere = NF_PROFILE_SPIR12 | NF_PROFILE_GLOBALS_IN_MEMORY;
    if (!profile || !(profile->flags & NF_PROFILE_NO_WRITABLE_GLOBALS) || profile->flags & elsewhere) return;
    /* By id of a pointer: the variable into which it points. */
    uint32_t *variable = NF_NEW(m->arena, uint32_t, m->bound);
    for (uint32_t i = 0; i < m->variable_count; i++)
        if (is_writable_variable(m, m->variables[i])) variable[m->variables[i]] = m->variables[i];
    for (uint32_t at = m->body_at; at < m->count; at = nf_next(m, at)) {
        uint32_t id = nf_result_id(m, at);
        struct nf_ids ids = nf_ids_at(m, at);
        while (nf_ids_next(&ids)) {
            uint32_t into = variable[nf_current_id(&ids)];
            if (!into) continue;
            if (id && nf_derives_pointer(nf_role_at(m, at))) variable[id] = into;
            if (!nf_writes_through(m, at, ids.at)) continue;
            uint32_t name = nf_name_word(m, into);
            nf_fail(m->arena, NF_REFUSED, at,
                    "%s writes the module-scope variable %%%u (%s), and the device lacks writable ones",
                    nf_function_name(m, nf_function_around(m, at)), into, name ? nf_string(m, name) : "");
        }
    }
}
