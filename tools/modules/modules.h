/* SPDX-License-Identifier: Apache-2.0 */
/*
 * modules.h - finds SPIR-V modules in files, and reads them for the subcommands.
 *
 * Takes paths, and contents of files of any kind. Gives the distinct modules in these files; for a module that the core
 * has accepted, the words in host byte order, the functions, calls and names. May use: base.
 */
#ifndef NF_TOOLS_MODULES_H
#define NF_TOOLS_MODULES_H

#include <stddef.h>
#include <stdint.h>

#include "tools/base/base.h"

/* ---- view.c: a module -------------------------------------------------------------------------------------------- */

/* view.c reads a module that the core library has accepted, and fills arrays indexed by id. It needs no table of
 * instructions: except for OpLabel and OpLoopControlINTEL, an instruction in a function has a result if and only if its
 * first operand is a type. */

/* Constants of the SPIR-V specification. */
enum {
    NF_SPV_MAGIC = 0x07230203,
    NF_SPV_HEADER_WORDS = 5,
    NF_SPV_NAME = 5,
    NF_SPV_STRING = 7,
    NF_SPV_LINE = 8,
    NF_SPV_EXTENSION = 10,
    NF_SPV_EXT_INST_IMPORT = 11,
    NF_SPV_EXT_INST = 12,
    NF_SPV_ENTRY_POINT = 15,
    NF_SPV_CAPABILITY = 17,
    NF_SPV_TYPE_VECTOR = 23,
    NF_SPV_TYPE_ARRAY = 28,
    NF_SPV_TYPE_STRUCT = 30,
    NF_SPV_TYPE_POINTER = 32,
    NF_SPV_FUNCTION = 54,
    NF_SPV_FUNCTION_PARAMETER = 55,
    NF_SPV_FUNCTION_END = 56,
    NF_SPV_FUNCTION_CALL = 57,
    NF_SPV_LOAD = 61,
    NF_SPV_STORE = 62,
    NF_SPV_DECORATE = 71,
    NF_SPV_LABEL = 248,
    NF_SPV_NO_LINE = 317,
    NF_SPV_TYPE_UNTYPED_POINTER = 4417,
    NF_SPV_LOOP_CONTROL = 5887,
    NF_SPV_STORAGE_GENERIC = 8,
    NF_SPV_KERNEL = 6,
    NF_SPV_LINKAGE_ATTRIBUTES = 41,
    NF_SPV_GENERIC_POINTER = 38
};

struct nf_view_function {
    uint32_t id, at, end; /* words [at, end), OpFunction to OpFunctionEnd */
    uint32_t entry;       /* word of its OpEntryPoint with the execution model Kernel; 0: none */
    int mentions_generic; /* has a value of a generic pointer type, or of a type that contains one */
};

struct nf_view {
    uint32_t *words, count, bound, version;
    uint32_t *def;            /* by id: the word of its definition; 0: none */
    uint32_t *name;           /* by id: the word of the string of its OpName, else of its linkage name; 0: none */
    uint8_t *is_type;         /* by id */
    uint8_t *is_generic;      /* by type id: is or contains a generic pointer */
    uint32_t *function_index; /* by id: 1 + index into functions; 0: none */
    struct nf_view_function *functions;
    uint32_t function_count, kernel_count;
};

/* Fills `view` with a module. Returns 0, or -1 if memory is exhausted, the bytes are not a module, or its id bound
 * exceeds the limit of the SPIR-V specification (0x3fffff). Call nf_view_close() in both cases. */
int nf_view_open(struct nf_view *view, const void *bytes, size_t size);
void nf_view_close(struct nf_view *view);

static inline uint32_t nf_view_opcode(const struct nf_view *view, uint32_t at)
{
    return view->words[at] & 0xffff;
}
static inline uint32_t nf_view_length(const struct nf_view *view, uint32_t at)
{
    return view->words[at] >> 16;
}

/* Copies to `text`, truncated to `size` bytes with the NUL byte, the literal string that begins at `word`. Returns
 * `text`. */
char *nf_view_string(const struct nf_view *view, uint32_t word, char *text, size_t size);
/* Writes the name of a function, truncated to `size` bytes: the name of its entry point if it is a kernel, else its
 * OpName, else the name in its LinkageAttributes, else "%ID". Returns `text`. */
char *nf_view_function_name(const struct nf_view *view, const struct nf_view_function *function, char *text,
                            size_t size);
/* Returns the result id of an instruction of a function, 0 if it has none. */
uint32_t nf_view_result(const struct nf_view *view, uint32_t at);
/* Returns true if the instruction is debug information: OpLine, OpNoLine, or an instruction of an extended instruction
 * set whose name contains "DebugInfo". */
bool nf_view_is_debug(const struct nf_view *view, uint32_t at);
/* Returns the storage class of a pointer type, UINT32_MAX for any other type. */
uint32_t nf_view_storage(const struct nf_view *view, uint32_t type_id);

/* Sets mark[i] to 1 for each function index that `from` reaches by direct calls (OpFunctionCall), including `from`, and
 * to 0 for the others. `mark` has function_count bytes. Returns 0, or -1 if memory is exhausted. */
int nf_view_reach(const struct nf_view *view, uint32_t from, uint8_t *mark);

/* ---- find.c: the modules in the contents of a file --------------------------------------------------------------- */

/* How a module was packed, for the output. */
enum nf_packing { NF_PACKED_PLAIN = 0, NF_PACKED_BUNDLE = 1, NF_PACKED_ZSTD = 2 };

struct nf_found {
    const unsigned char *bytes;
    size_t size;
    uint64_t offset; /* in bytes from the start of the file; in a compressed image, the offset of its outermost frame */
    uint64_t hash;   /* of the bytes, to find equal modules */
    int packing;     /* mask of enum nf_packing */
};

/* The modules of one file. Zero it before use; nf_module_list_free() frees it. */
struct nf_module_list {
    struct nf_found *modules;
    size_t count, capacity;
    unsigned char **unpacked; /* decompressed images, into which `bytes` may point */
    size_t unpacked_count;
    size_t unread; /* number of frames that could not be decompressed; without libzstd, of likely frames */
    bool short_of_memory;
};

/* Adds to `finds` the modules in `bytes`, which must outlive `finds`: in an ELF file, in its sections; in offload
 * bundles of up to 4096 entries and in Zstandard frames, up to three deep. `finds->unread` counts frames that cannot be
 * decompressed; `finds->short_of_memory` is set if a module is missing because memory was exhausted. */
void nf_find_modules(const unsigned char *bytes, size_t size, struct nf_module_list *finds);
void nf_module_list_free(struct nf_module_list *finds);

/* ---- collect.c: files -------------------------------------------------------------------------------------------- */

struct nf_file {
    char *path;
    const unsigned char *bytes; /* mapped contents, or NULL */
    size_t size;
    bool is_named; /* named on the command line, not found in a folder */
    int failed;    /* errno if the file cannot be read, else 0 */
    struct nf_module_list finds;
    size_t *modules;    /* by index in finds: index of the distinct module with the same bytes */
    size_t first_found; /* number of modules that no earlier file contains */
};

struct nf_files {
    struct nf_file *list;
    size_t count, capacity;
};

/* Adds the file `path`; or, if it is a folder, the files below it that begin like a module or a container, or may not
 * be read, without following symbolic links. Returns 0, or -1 after printing an error; some files may then have been
 * added. */
int nf_collect(struct nf_files *files, const char *path);
/* Maps the contents of the file, and sets `size`; for an empty file both keep their values, and `bytes` stays NULL.
 * Sets `failed` if the file cannot be read. */
void nf_file_map(struct nf_file *file);
/* Returns the distinct modules of all files in order of appearance, `*count` of them, an array that the caller frees;
 * NULL if memory is exhausted, or a file's `finds.short_of_memory` is set. Sets `modules` and `first_found` of each
 * file. needs: nf_find_modules() was called on each file with contents. */
const struct nf_found **nf_files_distinct(struct nf_files *files, size_t *count);
/* Prints that there is no module in `paths`, from which `files` were collected, and for a single named file also its
 * probable kind, if known. Returns NF_EXIT_TROUBLE. */
int nf_print_no_module(const char *subcommand, const struct nf_files *files, char *const *paths);
void nf_files_free(struct nf_files *files);

#endif
