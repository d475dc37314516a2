/* SPDX-License-Identifier: Apache-2.0 */
/*
 * spir.h - what the parts of nonflat-spir say to each other, in the order in which the module passes them.
 *
 * The program takes one SPIR-V module without generic pointers and gives SPIR 1.2 bitcode that a given device builds:
 *
 *     input -> translate -> unused -> print -> phis -> variables -> hints -> lower -> link -> lower -> inline -> variables
 *           -> globals -> locals -> check -> bitcode
 *
 * Every stage works on the LLVM module in place. A stage that can fail returns false after nf_complain(). May use:
 * alone.
 */
#ifndef NONFLAT_SPIR_H
#define NONFLAT_SPIR_H

#include "layer/alone/alone.h"

#include <llvm-c/Core.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Address spaces of SPIR. */
enum { NF_SPACE_PRIVATE = 0, NF_SPACE_GLOBAL = 1, NF_SPACE_CONSTANT = 2, NF_SPACE_LOCAL = 3, NF_SPACE_GENERIC = 4 };

/* ---- input.c ----------------------------------------------------------------------------------------------------- */

/* Is this a SPIR-V module whose instructions fit its length? Gives it the host's byte order. */
bool nf_check_spirv(struct nf_bytes *bytes);

/* ---- translate.cpp ----------------------------------------------------------------------------------------------- */

/* The module as LLVM IR with OpenCL 1.2 builtins; NULL with `*message` (malloc'ed) when it cannot be read. */
LLVMModuleRef nf_translate(LLVMContextRef context, const unsigned char *spirv, size_t size, char **message);

/* `value` with the global variable `from` in it replaced by `to`: a constant of any kind that is made of it becomes
 * instructions, put in front of the instruction `before`. */
LLVMValueRef nf_spell_out(LLVMValueRef value, LLVMValueRef from, LLVMValueRef to, LLVMValueRef before);

/* ---- device.c ---------------------------------------------------------------------------------------------------- */

/* What a device has: the text of a table in devices/, whose first lines explain its form. */
struct nf_device {
    const char *name;
    const char *tables[2]; /* a function must be in every table that is not NULL */
};

/* Find a device that the program knows by itself. */
bool nf_device_find(const char *name, struct nf_device *device);
bool nf_device_has(const struct nf_device *device, const char *function);
/* Does the device execute this LLVM instruction? */
bool nf_device_executes(const struct nf_device *device, const char *opcode);
/* Does the device make file names of kernel names? */
bool nf_device_needs_short_names(const struct nf_device *device);
/* Can only kernels ask for the work-item's id? */
bool nf_device_inlines(const struct nf_device *device);
/* Are addresses inside initialisers null, or worse? */
bool nf_device_loses_addresses(const struct nf_device *device);
/* Are program-scope variables that kernels write shared between kernels? */
bool nf_device_shares_globals(const struct nf_device *device);
/* Is its printf a library in C? */
bool nf_device_prints_as_c(const struct nf_device *device);

/* ---- module.c ---------------------------------------------------------------------------------------------------- */

bool nf_is_kernel(LLVMValueRef function);
bool nf_is_local(LLVMValueRef variable);
/* Is `value` the variable, or a constant made of it? */
bool nf_mentions(LLVMValueRef value, LLVMValueRef variable);
/* Run passes of LLVM, named as opt's -passes= names them. */
bool nf_run_passes(LLVMModuleRef module, const char *passes);

/* ---- replace.c --------------------------------------------------------------------------------------------------- */

/* Does an instruction of `function` use the variable, or a constant made of it? */
bool nf_uses(LLVMValueRef function, LLVMValueRef variable);
/* Let `function` use `by`, which has the same type and is there before everything that uses the variable. */
void nf_replace_in(LLVMValueRef function, LLVMValueRef variable, LLVMValueRef by);

/* ---- unused.c, print.c, phis.c, variables.c, hints.c, lower.c, link.c, names.c, inline.c, globals.c, locals.c, check.c ------- */

/* unused.c: drop the functions and variables that no kernel reaches. */
bool nf_drop_unused(LLVMModuleRef module);
/* print.c: printf gets vectors as its library takes them. */
void nf_print_as_c(LLVMModuleRef module, const struct nf_device *device);
/* phis.c: one entry for each edge. */
void nf_complete_phis(LLVMModuleRef module);
/* variables.c: functions have their variables from beginning to end, and save no stack. */
void nf_settle_variables(LLVMModuleRef module);

/* hints.c: drop what only helps an optimiser. */
void nf_drop_hints(LLVMModuleRef module);
/* lower.c: calls of LLVM intrinsics that the device lacks become calls of library functions. */
void nf_lower_intrinsics(LLVMModuleRef module, const struct nf_device *device);
/* link.c: bring in our own definition of each function that the device lacks and we have. */
bool nf_link_library(LLVMModuleRef module, const struct nf_device *device);
/* names.c: kernels whose names the device cannot take are renamed, or refused. */
bool nf_fit_names(LLVMModuleRef module, const struct nf_device *device, bool shorten);
/* inline.c: functions go into the kernels that call them, where the device knows no other way. */
bool nf_inline(LLVMModuleRef module, const struct nf_device *device);
/* globals.c: program-scope variables that kernels write go into memory that the host gives. */
bool nf_move_globals(LLVMModuleRef module, const struct nf_device *device);
/* Is it a program-scope variable in global memory that kernels may write? */
bool nf_is_writable(LLVMValueRef variable);
/* Is it one of those that globals.c moves? */
bool nf_is_moved(LLVMValueRef variable, const struct nf_device *device);
/* Is it used, and is the address of a variable inside its initialiser: as a part, or as an integer? */
bool nf_holds_inner_address(LLVMValueRef variable);
/* Is what lies there only loaded? */
bool nf_is_only_read(LLVMValueRef value);
/* locals.c: each kernel gets its own local variables, named as SPIR 1.2 consumers expect. */
bool nf_own_locals(LLVMModuleRef module);
/* check.c: is there nothing left that the device does not have? */
bool nf_check(LLVMModuleRef module, const struct nf_device *device);

/* The name of some kernel that reaches `function`; "" when none does. */
const char *nf_kernel_reaching(LLVMValueRef function);

#ifdef __cplusplus
}
#endif

#endif
