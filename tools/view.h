/* SPDX-License-Identifier: Apache-2.0 */
/*
 * view.h - a SPIR-V module as the command's subcommands look at it: words in host order, functions, calls, names.
 *
 * Takes bytes that the core library has already accepted; gives arrays by id. It needs no table of instructions: an
 * instruction of a function has a result exactly when its first operand names a type.
 */
#ifndef NF_TOOLS_VIEW_H
#define NF_TOOLS_VIEW_H

#include <stddef.h>
#include <stdint.h>

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

typedef struct nf_view_function {
    uint32_t id, at, end; /* words [at, end), OpFunction to OpFunctionEnd */
    uint32_t entry;       /* word of its kernel OpEntryPoint, 0 when it is none */
    int mentions_generic; /* has a value of generic pointer type, or of a type that holds one */
} nf_view_function;

typedef struct nf_view {
    uint32_t *words, count, bound, version;
    uint32_t *def;            /* by id: the word where it is defined, 0 when it is not */
    uint32_t *name;           /* by id: the word of its OpName's text, 0 when it has none */
    uint8_t *is_type;         /* by id */
    uint8_t *is_generic;      /* by type id: a generic pointer, or something that holds one by value */
    uint32_t *function_index; /* by id: 1 + index into functions */
    nf_view_function *functions;
    uint32_t function_count, kernel_count;
} nf_view;

/* @return 0, or -1 when memory is short or the bytes are no module. Call nf_view_close() either way. */
int nf_view_open(nf_view *view, const void *bytes, size_t size);
void nf_view_close(nf_view *view);

static inline uint32_t nf_view_opcode(const nf_view *view, uint32_t at)
{
    return view->words[at] & 0xffff;
}
static inline uint32_t nf_view_length(const nf_view *view, uint32_t at)
{
    return view->words[at] >> 16;
}

/* Copy the literal string that begins at `word` into `text`, cut to `size`. @return `text`. */
char *nf_view_string(const nf_view *view, uint32_t word, char *text, size_t size);
/* The name of a function: its entry point's, else its OpName, else "%ID". @return `text`. */
char *nf_view_function_name(const nf_view *view, const nf_view_function *function, char *text, size_t size);
/* The result id of the instruction at `at` inside a function, 0 when it has none. */
uint32_t nf_view_result(const nf_view *view, uint32_t at);
/* Does the instruction at `at` only say where others come from? OpLine, OpNoLine, and those of debug information. */
int nf_view_is_debug(const nf_view *view, uint32_t at);
/* The storage class of a pointer type, UINT32_MAX for any other type. */
uint32_t nf_view_storage(const nf_view *view, uint32_t type_id);

/* Set mark[i] for each function index that `from` reaches by calls, itself included. `mark` has function_count bytes.
 */
int nf_view_reach(const nf_view *view, uint32_t from, uint8_t *mark);

#endif
