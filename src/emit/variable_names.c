/* SPDX-License-Identifier: Apache-2.0 */
/*
 * variable_names.c - writes variables as operands: as the object, and as the address of the object.
 *
 *     OpVariable Function %uint          x5, (&x5)
 *     OpVariable Workgroup %T            x9, (&x9) in a kernel; in any other function x9 is an argument, the address
 *
 * The hard case is a module-scope variable that is declared with integers in place of floats (constants.c): its
 * address is cast to the type of the pointer.
 *
 * needs: types, decorations.  gives: OpenCL C text, and a mark for each variable that the text names.
 */
#include "emit/internal.h"

bool nf_is_variable_object(const struct nf_emitter *e, uint32_t id)
{
    if (e->facts[id] & NF_ID_RAW_VARIABLE) return false;
    return nf_type_of(e->m, id)->storage != NF_STORAGE_WORKGROUP || e->in_kernel;
}

void nf_say_variable_object(struct nf_emitter *e, uint32_t id)
{
    if (nf_decorations_of(e, id)->built_in) nf_refuse(e, e->m->def[id], "the address of a built-in variable");
    e->facts[id] |= NF_ID_USED;
    nf_say_name(e, id, 'x');
}

void nf_say_variable(struct nf_emitter *e, uint32_t id)
{
    if (nf_is_variable_object(e, id)) {
        nf_say_string(e, "(&");
        nf_say_variable_object(e, id);
        nf_say_char(e, ')');
    } else if (e->facts[id] & NF_ID_RAW_VARIABLE) {
        e->facts[id] |= NF_ID_USED;
        nf_say_char(e, '(');
        nf_say_cast(e, nf_type_of(e->m, id)->id, false);
        nf_say_char(e, '&');
        nf_say_name(e, id, 'x');
        nf_say_char(e, ')');
    } else {
        nf_say_name(e, id, 'x');
    }
}
