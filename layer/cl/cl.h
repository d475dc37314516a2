/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cl.h - interfaces between the stages of nonflat-cl, in the order in which they process a program.
 *
 * The program takes OpenCL C or C++ for OpenCL source, the options of a build and the facts about a device, and gives
 * the SPIR-V of this source for that device:
 *
 *     source, options, device -> words -> arguments -> compile -> initializers, recursion, dimensions, exchange,
 *                                                          |          legalize, wide_module, wide -> write -> SPIR-V
 *                                                          \-> notes
 *
 * The layer starts it as a separate process, because a compiler must not run in the application's process. May use:
 * helper.
 */
#ifndef NONFLAT_CL_H
#define NONFLAT_CL_H

#include "layer/helper/helper.h"

#include <llvm-c/Core.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Names of files in memory: the headers that accompany the source, and the source itself. Messages name the source
 * NF_CL_INPUT, but its path must differ from the paths where a header of that name would be found. */
#define NF_CL_MEMORY "/nonflat-cl/"
#define NF_CL_ROOT NF_CL_MEMORY "headers/"
#define NF_CL_SYSTEM NF_CL_MEMORY "system/"
#define NF_CL_DEVICE NF_CL_SYSTEM "device.h"
#define NF_CL_SOURCE NF_CL_MEMORY "input/the program's own source"
#define NF_CL_INPUT "input.cl"

/* An array of owned strings. */
struct nf_texts {
    char **items;
    size_t count;
};

/* A file in memory. */
struct nf_file {
    const char *name; /* as in the source's #include */
    const char *data;
    size_t size;
};

/* ---- words.c ----------------------------------------------------------------------------------------------------- */

/* Appends a copy of `length` bytes. @return false, after nf_helper_error(), if out of memory. */
bool nf_texts_add(struct nf_texts *texts, const char *text, size_t length);
bool nf_texts_print(struct nf_texts *texts, const char *format, ...) __attribute__((format(printf, 2, 3)));
void nf_texts_free(struct nf_texts *texts);
/* Splits the options of a build at blanks outside of quotes, and appends the words. @return false, after
 * nf_helper_error(), if that fails. */
bool nf_words(const char *options, struct nf_texts *words);

/* ---- arguments.c ------------------------------------------------------------------------------------------------- */

/* The facts about the device that source can query. */
struct nf_target {
    unsigned version; /* __OPENCL_VERSION__ */
    unsigned address_bits;
    const char *extensions; /* separated by blanks, including macros of a target; NULL: all that clang supports */
    const char *features;   /* of OpenCL C 3.0, separated by blanks */
    const char *supplied;   /* features that the device lacks and the layer supplies */
    bool embedded, no_images;
};

/* Returns the contents of the header NF_CL_DEVICE, malloc'ed, or NULL after nf_helper_error(). */
char *nf_device_header(const struct nf_target *target, const char *options);
/* Appends the arguments of `clang -cc1` for the file `input`. @return false, after nf_helper_error(), for an unknown
 * option, or if out of memory. */
bool nf_arguments(const struct nf_target *target, const char *options, const char *input, struct nf_texts *arguments);

/* ---- compile.cpp ------------------------------------------------------------------------------------------------- */

/* Compiles the source. Prints the compiler's messages, with source lines, to standard error, and calls nf_note() for
 * every file that was searched for on disk. @return the module, or NULL. */
LLVMModuleRef nf_compile(LLVMContextRef context, const struct nf_texts *arguments, const struct nf_file *files,
                         size_t file_count);
/* Returns true if a compiler without generic pointers, where unnamed pointers are private, would accept the source.
 * Prints nothing. */
bool nf_check(const struct nf_texts *arguments, const struct nf_file *files, size_t file_count);

/* ---- initializers.cpp -------------------------------------------------------------------------------------------- */

/* Evaluates the constructors of program-scope variables. @return false, after nf_helper_error(), if that is not
 * possible before a launch, or if SPIR-V cannot represent an initializer. */
bool nf_initialize(LLVMModuleRef module);

/* ---- recursion.cpp ----------------------------------------------------------------------------------------------- */

/* Replaces tail recursion by loops where LLVM's passes can; other recursion stays. */
void nf_loop_recursion(LLVMModuleRef module);

/* ---- dimensions.c ------------------------------------------------------------------------------------------------ */

/* Replaces queries of a dimension above 2, such as get_global_size(3), by the constants that OpenCL C defines for
 * them. */
void nf_bound_dimensions(LLVMModuleRef module);

/* ---- exchange.c -------------------------------------------------------------------------------------------------- */

/* Replaces compare-and-exchange of floats by compare-and-exchange of integers. @return false, after nf_helper_error(),
 * if out of memory. */
bool nf_exchange_floats(LLVMModuleRef module);

/* ---- legalize.c -------------------------------------------------------------------------------------------------- */

/* Returns true if the module has integers of more than 64 bits, or `long double`, which SPIR-V for OpenCL lacks. A
 * literal with `ull` has 128 bits in clang. */
bool nf_has_odd_integers(LLVMModuleRef module);
/* Removes integers of more than 64 bits and `long double`: by inlining, constant folding and narrowing, and integers
 * that remain by nf_expand_wide(). @return false after nf_helper_error() if that fails. */
bool nf_legalize(LLVMModuleRef module);

/* ---- wide_module.cpp, wide.cpp ----------------------------------------------------------------------------------- */

/* Marks functions that take or return integers of 128 bits for inlining, and removes `optnone` from all functions. */
void nf_inline_wide(LLVMModuleRef module);
/* Replaces integers of 128 bits by pairs of 64-bit integers. @return false after nf_helper_error() if that is not
 * possible. */
bool nf_expand_wide(LLVMModuleRef module);
/* Widens switches on integers of other widths than 8, 16, 32 or 64 bits, which optimizers make. */
void nf_widen_switches(LLVMModuleRef module);

/* ---- write.cpp --------------------------------------------------------------------------------------------------- */

/* Writes the module as SPIR-V, malloc'ed. Afterwards the module can only be disposed of. @return false after
 * nf_helper_error(). */
bool nf_write(LLVMModuleRef module, struct nf_bytes *spirv);

/* ---- notes.c ----------------------------------------------------------------------------------------------------- */

/* Adds a record to the notes, whose format notes.c describes: facts for the reader of the output that are not in the
 * module. */
void nf_note(const char *kind, const char *name, const char *value, size_t size);
/* Adds a record for each kernel: its attributes and the properties of its arguments in the source. */
void nf_note_kernels(LLVMModuleRef module);
/* Writes all notes to standard output, and sets `*size` to their length in bytes. @return false if they cannot be
 * written. */
bool nf_notes_write(size_t *size);

#ifdef __cplusplus
}
#endif

#endif
