/* SPDX-License-Identifier: Apache-2.0 */
/*
 * function_pointers.c - refuses function pointers, for a device that does not support them, and names the function.
 *
 *     %f = OpConstantFunctionPointerINTEL %pointer %twice          refused: 'twice' is pointed to
 *     %r = OpFunctionPointerCallINTEL %int %f %x                   refused: 'k' calls through one
 *
 * Function pointers cannot be replaced. A driver's own message would only state that the build failed, or name an
 * internal id. The capability alone, which compilers declare, and function pointers in functions that are never called
 * are harmless. So the check is made on the output, which lacks unreachable functions.
 *
 * needs: a module that was read.  gives: the unchanged module, or a refusal.
 */
#include "supply/supply.h"

static const char extension[] = "SPV_INTEL_function_pointers";

static void refuse(struct nf_module *m, uint32_t at, const struct nf_function *f, const char *does)
{
    nf_fail(m->arena, NF_REFUSED, 0, "%s %s (%s of %s), and the device has no function pointers",
            nf_function_name(m, f), does, nf_op_find(nf_opcode(m, at))->name, extension);
}

bool nf_supply_function_pointers(struct nf_module *m, struct nf_words *out)
{
    (void)out;
    if (nf_profile_takes_extension(m->options->profile, extension)) return false;
    for (uint32_t at = NF_HEADER_WORDS; at < m->count; at = nf_next(m, at)) {
        if (nf_opcode(m, at) == OpConstantFunctionPointerINTEL)
            refuse(m, at, &m->functions[m->index_of[nf_function_pointed_to(m, at)]], "is pointed to");
        if (nf_opcode(m, at) == OpFunctionPointerCallINTEL)
            refuse(m, at, nf_function_around(m, at), "calls through a pointer");
    }
    return false;
}
