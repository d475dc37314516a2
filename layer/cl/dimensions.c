/* SPDX-License-Identifier: Apache-2.0 */
/*
 * dimensions.c - removes queries of dimensions above 2, which no launch has. OpenCL C defines the answer 1 for sizes
 * and counts and 0 for ids; SPIR-V built-ins have three components, and an access beyond them is undefined.
 *
 *     get_local_size(7)  ->  1
 *     get_group_id(d)    ->  d < 3 ? get_group_id(d) : 0
 *
 * needs: a module as clang emitted it. gives: a module that queries dimensions 0 to 2 only.
 */
#include "cl.h"

enum { DIMENSIONS = 3 };

static const struct {
    const char *name;
    unsigned beyond;
} questions[] = {
    {"_Z15get_global_sizej", 1}, {"_Z14get_local_sizej", 1},    {"_Z23get_enqueued_local_sizej", 1},
    {"_Z14get_num_groupsj", 1},  {"_Z13get_global_idj", 0},     {"_Z12get_local_idj", 0},
    {"_Z12get_group_idj", 0},    {"_Z17get_global_offsetj", 0},
};

/* Replaces one call. `data` points to the answer for other dimensions. */
static void replace_call(LLVMBuilderRef builder, LLVMValueRef call, const void *data)
{
    const unsigned beyond = *(const unsigned *)data;
    LLVMValueRef dimension = LLVMGetOperand(call, 0), other = LLVMConstInt(LLVMTypeOf(call), beyond, 0);
    if (LLVMIsAConstantInt(dimension)) {
        if (LLVMConstIntGetZExtValue(dimension) < DIMENSIONS) return;
        LLVMReplaceAllUsesWith(call, other);
        LLVMInstructionEraseFromParent(call);
        return;
    }
    LLVMTypeRef type = LLVMTypeOf(dimension);
    LLVMPositionBuilderBefore(builder, call);
    LLVMValueRef inside = LLVMBuildICmp(builder, LLVMIntULT, dimension, LLVMConstInt(type, DIMENSIONS, 0), "");
    LLVMValueRef bounded = LLVMBuildSelect(builder, inside, dimension, LLVMConstNull(type), "");
    LLVMValueRef query = LLVMInstructionClone(call);
    LLVMInsertIntoBuilder(builder, query);
    LLVMSetOperand(query, 0, bounded);
    LLVMReplaceAllUsesWith(call, LLVMBuildSelect(builder, inside, query, other, ""));
    LLVMInstructionEraseFromParent(call);
}

void nf_bound_dimensions(LLVMModuleRef module)
{
    for (size_t i = 0; i < sizeof questions / sizeof *questions; i++) {
        LLVMValueRef function = LLVMGetNamedFunction(module, questions[i].name);
        if (function && LLVMIsDeclaration(function)) nf_helper_each_call(function, replace_call, &questions[i].beyond);
    }
}
