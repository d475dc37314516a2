/* SPDX-License-Identifier: Apache-2.0 */
/*
 * spir.h - interfaces between the stages of nonflat-spir, in the order in which they process the module.
 *
 * The program takes one SPIR-V module without generic pointers and gives SPIR 1.2 bitcode that a given device builds:
 *
 *     input -> translate -> unused -> print -> phis -> lower -> link -> lower -> link -> names -> inline -> locals
 *           -> check -> bitcode
 *
 * Every stage after translate modifies the LLVM module in place. A stage that can fail returns false after
 * nf_helper_error(). May use: helper.
 */
#ifndef NONFLAT_SPIR_H
#define NONFLAT_SPIR_H

#include "layer/helper/helper.h"

#include <llvm-c/Core.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Address spaces of SPIR 1.2. */
enum { NF_SPACE_PRIVATE = 0, NF_SPACE_GLOBAL = 1, NF_SPACE_CONSTANT = 2, NF_SPACE_LOCAL = 3, NF_SPACE_GENERIC = 4 };

/* ---- input.c ----------------------------------------------------------------------------------------------------- */

/* Returns true if the bytes are a SPIR-V module in which every instruction fits its length; converts them to the host's
 * byte order. */
bool nf_check_spirv(struct nf_bytes *bytes);
/* Returns true if the module has no generic pointers. needs: nf_check_spirv(). */
bool nf_check_no_generic(const struct nf_bytes *bytes);

/* ---- translate.cpp ----------------------------------------------------------------------------------------------- */

/* Returns the module as LLVM IR with OpenCL 1.2 builtins, or NULL with `*message` (malloc'ed) if it cannot be read. */
LLVMModuleRef nf_translate(LLVMContextRef context, const unsigned char *spirv, size_t size, char **message);

/* Returns `value` with the global variable `from` replaced by `to`. Constants of any kind that contain `from` are
 * expanded to instructions before the instruction `before`. */
LLVMValueRef nf_expand_constant(LLVMValueRef value, LLVMValueRef from, LLVMValueRef to, LLVMValueRef before);

/* ---- device.c ---------------------------------------------------------------------------------------------------- */

/* The features of a device: one table of devices/, or two for `generic`, which has only the functions that both list;
 * devices/generate.py describes the format. */
struct nf_device {
    const char *name;
    const char *tables[2]; /* the second is NULL if there is only one */
    bool narrow;           /* size_t has 32 bits in the module */
};

/* Sets `*device` to the device of that name: pocl, oclgrind or generic. @return false for any other name. */
bool nf_device_find(const char *name, struct nf_device *device);
/* Returns true if the device has the function or LLVM intrinsic of that name. */
bool nf_device_has(const struct nf_device *device, const char *function);
/* Returns true unless a table lists the LLVM instruction as one that the device does not execute. */
bool nf_device_executes(const struct nf_device *device, const char *opcode);
/* Returns true if the device uses kernel names as file names, whose length is limited. */
bool nf_device_needs_short_names(const struct nf_device *device);
/* Returns true if the device supports work-item ids in kernels only, so that every function must be inlined. */
bool nf_device_inlines(const struct nf_device *device);
/* Returns true if addresses inside initializers are null on the device, or end the process. */
bool nf_device_drops_initializer_addresses(const struct nf_device *device);
/* Returns true if all kernels share one instance of a program-scope variable. */
bool nf_device_shares_globals(const struct nf_device *device);
/* Returns true if the device's printf is a C function. */
bool nf_device_has_c_printf(const struct nf_device *device);

/* ---- module.c ---------------------------------------------------------------------------------------------------- */

bool nf_is_kernel(LLVMValueRef function);
bool nf_is_local(LLVMValueRef variable);
/* Returns true if `value` is the variable or a constant that contains it. */
bool nf_contains(LLVMValueRef value, LLVMValueRef variable);
/* Runs LLVM passes, given in the syntax of opt's -passes=. @return false, after nf_helper_error(), if they fail. */
bool nf_run_passes(LLVMModuleRef module, const char *passes);

/* ---- replace.c --------------------------------------------------------------------------------------------------- */

/* Returns true if an instruction of `function` uses the variable or a constant that contains it. */
bool nf_uses(LLVMValueRef function, LLVMValueRef variable);
/* Replaces the variable by `by` in `function`. `by` has the same type and dominates all uses of the variable. */
void nf_replace_in(LLVMValueRef function, LLVMValueRef variable, LLVMValueRef by);

/* ---- unused.c, print.c, phis.c, lower.c -------------------------------------------------------------------------- */

/* unused.c: removes functions and variables that no kernel reaches. */
bool nf_drop_unused(LLVMModuleRef module);
/* print.c: converts vector arguments of printf to the form that C passes, if the device's printf is a C function. */
void nf_convert_printf_vectors(LLVMModuleRef module, const struct nf_device *device);
/* phis.c: completes phis to one entry for each edge. */
void nf_complete_phis(LLVMModuleRef module);
/* lower.c: replaces LLVM intrinsics that the device lacks by functions with names of the library, which may lack
 * them. */
void nf_lower_intrinsics(LLVMModuleRef module, const struct nf_device *device);

/* ---- link.c, names.c, inline.c, locals.c, check.c ---------------------------------------------------------------- */

/* link.c: links a definition of each function that the device lacks and the library has. */
bool nf_link_library(LLVMModuleRef module, const struct nf_device *device);
/* names.c: renames, if `shorten`, or else refuses kernels whose names are too long for the device. */
bool nf_fit_names(LLVMModuleRef module, const struct nf_device *device, bool shorten);
/* inline.c: inlines functions into their kernels if the device requires it. */
bool nf_inline(LLVMModuleRef module, const struct nf_device *device);
/* locals.c: gives each kernel its own local variables, with the names that SPIR 1.2 consumers expect. */
bool nf_split_locals(LLVMModuleRef module);
/* check.c: refuses a module that uses a feature that the device lacks, and removes declarations that it does not
 * use. */
bool nf_check(LLVMModuleRef module, const struct nf_device *device);

#ifdef __cplusplus
}
#endif

#endif
