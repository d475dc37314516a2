/* SPDX-License-Identifier: Apache-2.0 */
/* wide.h - what wide.cpp and wide_module.cpp share: which types have integers of 128 bits in them. */
#ifndef NONFLAT_CL_WIDE_H
#define NONFLAT_CL_WIDE_H

#include "cl.h"

#include <llvm/IR/Function.h>
#include <llvm/IR/Module.h>

#include <map>

namespace nf_wide
{

bool is_wide(const llvm::Type *type);
/* Is there an integer of more than 64 bits in memory of the type? */
bool holds_wide(const llvm::Type *type);
/* A pointer to such memory, where pointers say what they point to. */
bool points_to_wide(llvm::Type *type);
/* The type of a pointer to `pointee` in the memory that `pointer` points to. */
llvm::Type *pointer_to(llvm::Type *pointee, llvm::Type *pointer);
/* Say what of the function is not known here. @return false. */
bool refuse(const llvm::Function &function, const char *what);
/* Make pairs of the function's integers. `variables`: of the module, as pointers to bytes. @return false with a complaint. */
bool expand_function(llvm::Function &function, const std::map<llvm::Value *, llvm::Value *> &variables);

} // namespace nf_wide

#endif
