/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ext.h - the groups of instructions of the OpenCL extended instruction set; a file implements each group. Each
 * function returns true if the instruction belongs to its group.
 */
#ifndef JUDGE_EXT_H
#define JUDGE_EXT_H

#include "judge.h"

#include <spirv/unified1/OpenCL.std.h>

bool nfj_ext_math(struct item *item, const struct inst *in, uint32_t number);
bool nfj_ext_integer(struct item *item, const struct inst *in, uint32_t number);
bool nfj_ext_memory(struct item *item, const struct inst *in, uint32_t number);
void nfj_printf(struct item *item, const struct inst *in);

static inline const struct cell *ext_value(const struct item *item, const struct inst *in, uint32_t i)
{
    return value(item, operand(item, in, 2 + i));
}

static inline uint32_t ext_type_id(const struct item *item, const struct inst *in, uint32_t i)
{
    return item->module->ids[item->module->words[in->word + 5 + i]].type;
}

static inline const struct type *ext_type(const struct item *item, const struct inst *in, uint32_t i)
{
    return nfj_type(item->module, ext_type_id(item, in, i));
}

#endif
