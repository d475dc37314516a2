/* SPDX-License-Identifier: Apache-2.0 */
/* wide.h - declarations that wide.cpp and wide_module.cpp share: types that contain integers of 128 bits, and the
 * replacement of these integers in a function. */
#ifndef NONFLAT_CL_WIDE_H
#define NONFLAT_CL_WIDE_H

#include "cl.h"

#include <llvm/IR/Function.h>
#include <llvm/IR/Module.h>

#include <map>

namespace nf_wide
{

bool is_wide(const llvm::Type *type);
/* Returns true if a value of the type contains an integer of more than 64 bits. */
bool holds_wide(const llvm::Type *type);
/* Returns true for a typed pointer to a type for which holds_wide() is true, and for a pointer to such a pointer. */
bool points_to_wide(llvm::Type *type);
/* Returns the type of a pointer to `pointee` in the address space of `pointer`. */
llvm::Type *pointer_to(llvm::Type *pointee, llvm::Type *pointer);
/* Replaces each 128-bit integer parameter of a kernel by a vector of two 64-bit integers, and each parameter for which
 * points_to_wide() is true by a pointer to 64-bit integers. Returns `old` if it has no such parameters, is not a
 * kernel, or has parameters that cannot be replaced (can_be_narrow()); else a new function with its body and its name.
 * Sets `bytes[p]`, for each old parameter `p` that is such a pointer, to the pointer to bytes that replaces it. */
llvm::Function *with_halves_as_parameters(llvm::Function &old, std::map<llvm::Value *, llvm::Value *> &bytes);
/* Prints an error: the function contains `what`, which is not supported. @return false. */
bool refuse(const llvm::Function &function, const char *what);
/* Replaces the function's integers of 128 bits by pairs. `variables` maps replaced variables of the module to pointers
 * to bytes. @return false after nf_helper_error(). */
bool expand_function(llvm::Function &function, const std::map<llvm::Value *, llvm::Value *> &variables);

} // namespace nf_wide

#endif
