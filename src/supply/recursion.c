/* SPDX-License-Identifier: Apache-2.0 */
/*
 * recursion.c - refuses a kernel that may call a recursive function, for devices that take bitcode.
 *
 *     %even = OpFunction ... OpFunctionCall %int %odd        refused: kernel 'k' calls 'even', which is recursive
 *     %odd = OpFunction ... OpFunctionCall %int %even
 *
 * SPIR-V forbids recursion. An interpreter with only one set of values for each function computes a wrong result, and a
 * driver that inlines all functions ends the process.
 *
 * needs: a module that was read.  gives: the unchanged module, or a refusal.
 */
#include "supply/supply.h"

bool nf_supply_recursion(struct nf_module *m, struct nf_words *out)
{
    struct nf_call_order order = nf_order_calls(m);
    (void)out;
    nf_refuse_recursion(m, &order);
    return false;
}
