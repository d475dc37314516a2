/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cl.h - what the parts of nonflat-cl say to each other, in the order in which a program passes them.
 *
 * The program takes OpenCL C or C++ for OpenCL source, the options of a build and what a device is, and gives the SPIR-V
 * that this source is on that device:
 *
 *     source, options, device -> words -> arguments -> compile -> initializers, recursion, dimensions, exchange, legalize, wide_module, wide -> write -> SPIR-V
 *                                                         \-> notes
 *
 * It is started by the layer, which must not have a compiler in the application's process. May use: alone.
 */
#ifndef NONFLAT_CL_H
#define NONFLAT_CL_H

#include "layer/alone/alone.h"

#include <llvm-c/Core.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Where the headers that come with the source stand, and the source itself: names that no file has. The source is shown as
 * NF_CL_INPUT, but must not lie where a header of that name is looked for. */
#define NF_CL_MEMORY "/nonflat-cl/"
#define NF_CL_ROOT NF_CL_MEMORY "headers/"
#define NF_CL_SYSTEM NF_CL_MEMORY "system/"
#define NF_CL_DEVICE NF_CL_SYSTEM "device.h"
#define NF_CL_SOURCE NF_CL_MEMORY "input/the program's own source"
#define NF_CL_INPUT "input.cl"

/* Texts in a row, one owner. */
struct nf_texts {
    char **items;
    size_t count;
};

/* A file that lies in memory. */
struct nf_file {
    const char *name; /* as the source includes it */
    const char *data;
    size_t size;
};

/* ---- words.c ----------------------------------------------------------------------------------------------------- */

/* Add a text of `length` bytes. @return false when memory ends, with a complaint. */
bool nf_texts_add(struct nf_texts *texts, const char *text, size_t length);
bool nf_texts_print(struct nf_texts *texts, const char *format, ...) __attribute__((format(printf, 2, 3)));
void nf_texts_free(struct nf_texts *texts);
/* Take a build's options apart, at blanks outside of quotes. */
bool nf_words(const char *options, struct nf_texts *words);

/* ---- arguments.c ------------------------------------------------------------------------------------------------- */

/* What the source can ask about the device. */
struct nf_target {
    unsigned version; /* __OPENCL_VERSION__ */
    unsigned address_bits;
    const char *extensions; /* with blanks between them, also macros of a target; NULL: all that the compiler knows */
    const char *features;   /* of OpenCL C 3.0, the same */
    const char *supplied;   /* more of these, which the device itself has not */
    bool embedded, no_images;
};

/* What the source is to find at NF_CL_DEVICE, fresh, or NULL with a complaint. */
char *nf_device_header(const struct nf_target *target, const char *options);
/* The arguments of clang's compiler proper for the file `input`. @return false with a complaint when an option is unknown. */
bool nf_arguments(const struct nf_target *target, const char *options, const char *input, struct nf_texts *arguments);

/* ---- compile.cpp ------------------------------------------------------------------------------------------------- */

/* The module, or NULL. What the compiler says goes to standard error, with lines of the source. Of every file that was
 * looked for on disk, nf_note() is told. */
LLVMModuleRef nf_compile(LLVMContextRef context, const struct nf_texts *arguments, const struct nf_file *files,
                         size_t file_count);
/* Would the source pass a compiler that has no generic pointers, so that unnamed ones are private? Nothing is said. */
bool nf_check(const struct nf_texts *arguments, const struct nf_file *files, size_t file_count);

/* ---- initializers.cpp -------------------------------------------------------------------------------------------- */

/* Give program-scope variables what constructors would. @return false with a complaint when that is not known, or when SPIR-V
 * cannot have what they begin with. */
bool nf_initialize(LLVMModuleRef module);

/* ---- recursion.cpp ----------------------------------------------------------------------------------------------- */

/* Make loops of functions that end in a call of themselves. */
void nf_loop_recursion(LLVMModuleRef module);

/* ---- dimensions.c ------------------------------------------------------------------------------------------------ */

/* Answer questions about dimensions that no launch has. */
void nf_bound_dimensions(LLVMModuleRef module);

/* ---- exchange.c -------------------------------------------------------------------------------------------------- */

/* Compare and exchange floats as integers. @return false when memory ends, with a complaint. */
bool nf_exchange_floats(LLVMModuleRef module);

/* ---- legalize.c -------------------------------------------------------------------------------------------------- */

/* Are there integers of a size that SPIR-V for OpenCL has not? A literal with `ull` has 128 bits for clang. */
bool nf_has_odd_integers(LLVMModuleRef module);
/* Fold them away, or make pairs of them. @return false with a complaint when that cannot be done. */
bool nf_legalize(LLVMModuleRef module);

/* ---- wide_module.cpp, wide.cpp ---------------------------------------------------------------------------------------------------- */

/* Have functions that take or give integers of 128 bits inlined. */
void nf_inline_wide(LLVMModuleRef module);
/* Make pairs of what is left of such integers. @return false with a complaint when that cannot be done. */
bool nf_expand_wide(LLVMModuleRef module);
/* Give switches on integers of another width than 8, 16, 32 or 64 bits, as optimizers make them, one of these. */
void nf_widen_switches(LLVMModuleRef module);

/* ---- write.cpp --------------------------------------------------------------------------------------------------- */

/* SPIR-V bytes, malloc'ed. @return false with a complaint. The module is used up. */
bool nf_write(LLVMModuleRef module, struct nf_bytes *spirv);

/* ---- notes.c ----------------------------------------------------------------------------------------------------- */

/* What a caller wants to know beside the module: records of KIND, lengths, name and value, as notes.c describes them. */
void nf_note(const char *kind, const char *name, const char *value, size_t size);
/* Note what the source says of each kernel and its arguments. */
void nf_note_kernels(LLVMModuleRef module);
/* Write all notes to standard output, and say how many bytes that were. */
bool nf_notes_write(size_t *size);

#ifdef __cplusplus
}
#endif

#endif
