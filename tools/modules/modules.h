/* SPDX-License-Identifier: Apache-2.0 */
/*
 * modules.h - SPIR-V modules as the subcommands look at them.
 *
 * In: paths, and bytes of files of any kind. Out: the modules in them, each once; of a module that the core has
 * accepted its words in host order, functions, calls, names. May use: base.
 */
#ifndef NF_TOOLS_MODULES_H
#define NF_TOOLS_MODULES_H

#include <stddef.h>
#include <stdint.h>

#include "tools/base/base.h"

/* ---- view.c: a module -------------------------------------------------------------------------------------------- */

/* Takes bytes that the core library has already accepted; gives arrays by id. It needs no table of instructions: an
 * instruction of a function has a result exactly when its first operand names a type. */

/* Numbers of the SPIR-V specification that the subcommands ask for. */
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
    uint32_t entry;       /* word of its kernel OpEntryPoint, 0 when it is none */
    int mentions_generic; /* has a value of generic pointer type, or of a type that holds one */
};

struct nf_view {
    uint32_t *words, count, bound, version;
    uint32_t *def;            /* by id: the word where it is defined, 0 when it is not */
    uint32_t *name;           /* by id: the word of its OpName's text, 0 when it has none */
    uint8_t *is_type;         /* by id */
    uint8_t *is_generic;      /* by type id: a generic pointer, or something that holds one by value */
    uint32_t *function_index; /* by id: 1 + index into functions */
    struct nf_view_function *functions;
    uint32_t function_count, kernel_count;
};

/* @return 0, or -1 when memory is short or the bytes are no module. Call nf_view_close() either way. */
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

/* Copy the literal string that begins at `word` into `text`, cut to `size`. @return `text`. */
char *nf_view_string(const struct nf_view *view, uint32_t word, char *text, size_t size);
/* The name of a function: its entry point's, else its OpName, else "%ID". @return `text`. */
char *nf_view_function_name(const struct nf_view *view, const struct nf_view_function *function, char *text,
                            size_t size);
/* The result id of the instruction at `at` inside a function, 0 when it has none. */
uint32_t nf_view_result(const struct nf_view *view, uint32_t at);
/* Does the instruction at `at` only say where others come from? OpLine, OpNoLine, and those of debug information. */
bool nf_view_is_debug(const struct nf_view *view, uint32_t at);
/* The storage class of a pointer type, UINT32_MAX for any other type. */
uint32_t nf_view_storage(const struct nf_view *view, uint32_t type_id);

/* Set mark[i] for each function index that `from` reaches by calls, itself included. `mark` has function_count
 * bytes. */
int nf_view_reach(const struct nf_view *view, uint32_t from, uint8_t *mark);

/* ---- find.c: the modules inside a file's bytes ------------------------------------------------------------------- */

/* How a module was packed: shown to people. */
enum nf_packing { NF_PACKED_PLAIN = 0, NF_PACKED_BUNDLE = 1, NF_PACKED_ZSTD = 2 };

struct nf_found {
    const unsigned char *bytes;
    size_t size;
    uint64_t offset; /* in the file; of a compressed one: of its frame */
    uint64_t hash;
    int packing; /* enum nf_packing bits */
};

/* What one file holds. Zero it first; nf_finds_free() gives it back. */
struct nf_finds {
    struct nf_found *modules;
    size_t count, capacity;
    unsigned char **unpacked; /* decompressed images, which `bytes` may point into */
    size_t unpacked_count;
    size_t unread; /* compressed images that this build cannot decompress, or that are damaged */
    bool short_of_memory;
};

/* Find every module in `bytes`, which must outlive `finds`. */
void nf_find_modules(const unsigned char *bytes, size_t size, struct nf_finds *finds);
void nf_finds_free(struct nf_finds *finds);

/* ---- collect.c: files -------------------------------------------------------------------------------------------- */

struct nf_file {
    char *path;
    const unsigned char *bytes; /* mapped; NULL while it is not */
    size_t size;
    bool is_named; /* on the command line itself, not found in a folder */
    int failed;    /* could not be read: errno */
    struct nf_finds finds;
    size_t *modules; /* by index in finds: index of the distinct module */
    size_t fresh;    /* of them: not in an earlier file */
};

struct nf_files {
    struct nf_file *list;
    size_t count, capacity;
};

/* Add `path`, or everything below it that may hold modules when it is a folder. @return 0, or -1 after a complaint. */
int nf_collect(struct nf_files *files, const char *path);
/* Map the file's bytes, once. Sets `failed`. */
void nf_file_map(struct nf_file *file);
/* Give each module of each file, all of which have been looked into, the index of the first one with the same bytes.
 * @return the distinct ones in order of appearance, to be freed, `*count` of them; NULL: no memory. */
const struct nf_found **nf_files_distinct(struct nf_files *files, size_t *count);
/* Say that there is no module in `paths`, which `files` came of, and what a single file is instead.
 * @return NF_EXIT_TROUBLE. */
int nf_complain_of_no_module(const char *subcommand, const struct nf_files *files, char *const *paths);
void nf_files_free(struct nf_files *files);

#endif
