/* SPDX-License-Identifier: Apache-2.0 */
/*
 * core.h - the structures that the stages share, and every stage's prototype in pipeline order: the table of contents.
 *
 * Conventions:
 *   - A `uint32_t` named `at` is a word offset into the untouched input; an instruction is known by where it begins.
 *   - An index (node, region, function, instance...) names an element of a flat array; 0 is none.
 *   - Everything is allocated from one arena and lives until the call ends. Failure of any kind (no memory, malformed
 *     input, a refusal) leaves through nf_fail(), which jumps back to nf_specialize(); no stage checks for it.
 */
#ifndef NF_CORE_H
#define NF_CORE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "nonflat/nonflat.h"
#include "opcodes.h"
#include "spirv.h"

/* ---- Address-space sets ---- */

/* The bits of a set. The first five are spaces; the others are evidence that nf_spaces_of() turns into spaces. */
enum {
    NF_PRIVATE = 1 << 0,
    NF_LOCAL = 1 << 1,
    NF_GLOBAL = 1 << 2,
    NF_CONSTANT = 1 << 3,
    NF_CODE = 1 << 4,
    NF_WEAK = 1 << 5, /* bits from the host, as wide as an address: null or global, as nothing else outlives a kernel */
    NF_NARROW = 1 << 6, /* bits from the host too narrow for an address: an offset, unless they are put together */
    NF_HOLE = 1 << 7,   /* a pointer made of an integer: if nothing else is known of it, it may be anything */
    NF_LOST = 1 << 8,   /* made of an integer whose top bits were masked off: a tag in memory may be gone */
    NF_PIECES = 1 << 9, /* of one node only: memory that is accessed in pieces, which puts narrow bits together */
    NF_SHED = 1 << 10,  /* made of an integer whose top bits may be gone: shifted out, cut off */
    NF_SPACES = NF_PRIVATE | NF_LOCAL | NF_GLOBAL | NF_CONSTANT | NF_CODE,
    NF_TAGGED = NF_PRIVATE | NF_LOCAL | NF_GLOBAL,
    NF_SPACE_COUNT = 5
};
typedef uint16_t nf_set;

/* ---- arena.c: memory ----------------------------------------------------------------------------------------------
 */

struct nf_block;
struct nf_arena {
    nf_allocator allocator;
    struct nf_block *blocks; /* the newest first; small requests are cut from the newest small block */
    uint8_t *next, *end;
    size_t in_blocks; /* bytes of all small blocks */
};

struct nf_module;
void nf_arena_free(struct nf_arena *arena);
/* Zeroed memory for `count` elements of `size` bytes. Never returns NULL: leaves through nf_fail(). */
void *nf_new(struct nf_module *m, size_t count, size_t size);
/* An array that grows: room for `needed` elements, contents kept, new elements zeroed. `*capacity` is in elements. */
void *nf_grow(struct nf_module *m, void *array, uint32_t *capacity, size_t needed, size_t size);
/* Give back an array made by nf_grow() before the call ends; NULL is fine. */
void nf_drop(struct nf_module *m, void *array);
#define NF_NEW(m, type, count) ((type *)nf_new((m), (count), sizeof(type)))
#define NF_RESERVE(m, array, capacity, needed) ((array) = nf_grow((m), (array), &(capacity), (needed), sizeof *(array)))

/* A growing run of words: the output, and its sections. */
struct nf_words {
    uint32_t *at;
    uint32_t count, capacity;
};
void nf_put(struct nf_module *m, struct nf_words *words, uint32_t word);
void nf_put_all(struct nf_module *m, struct nf_words *words, const uint32_t *source, size_t count);

/* The bytes of `words` with a literal string's first character in the first byte: SPIR-V has it in the low-order byte
 * of a word. It is `words` itself, or a copy on hosts that have that byte last. */
const char *nf_bytes_of(struct nf_module *m, const uint32_t *words, size_t count);
/* Append a literal string and the zeros that fill its last word. */
void nf_put_string(struct nf_module *m, struct nf_words *words, const char *string);

/* A growing NUL-terminated text: the log, the report. */
struct nf_text {
    char *at;
    uint32_t count, capacity;
};
void nf_print(struct nf_module *m, struct nf_text *text, const char *format, ...) __attribute__((format(printf, 3, 4)));
void nf_print_json_string(struct nf_module *m, struct nf_text *text, const char *string);

/* Where words were in the input: from word `at` on, as far as the next entry, they were at `input` and behind. */
struct nf_moves {
    struct nf_move {
        uint32_t at, input;
    } * at;
    uint32_t count, capacity;
};

/* ---- The module as read ---- */

enum nf_kind {
    NF_KIND_NONE,
    NF_KIND_VOID,
    NF_KIND_BOOL,
    NF_KIND_INT,
    NF_KIND_FLOAT,
    NF_KIND_VECTOR,
    NF_KIND_ARRAY,
    NF_KIND_STRUCT,
    NF_KIND_POINTER,
    NF_KIND_FUNCTION,
    NF_KIND_OPAQUE /* images, events, matrices...: no address inside, size unknown */
};

struct nf_type {
    uint32_t id, at;
    uint32_t
        element; /* type id: of a vector's or array's element, a pointer's pointee (0: untyped), a function's result */
    uint32_t count;    /* vector components, array elements, struct members, function parameters */
    uint32_t storage;  /* of a pointer */
    uint32_t align;    /* bytes, at least 1 */
    uint64_t size;     /* bytes in memory; 0 when it has none */
    uint32_t *offsets; /* of a struct's members, bytes */
    uint8_t kind;      /* enum nf_kind */
    bool aggregate;    /* SSA values of it are followed part by part: struct, array, vector of address-wide elements */
    bool inexact;      /* the size depends on a specialisation constant */
    bool generic;      /* it is, or holds in memory, a generic pointer (through pointees not) */
};

struct nf_function {
    uint32_t id, at, body, end;           /* body: the first OpLabel, 0 in a declaration; end: behind OpFunctionEnd */
    uint32_t type, result_type;           /* type ids */
    uint32_t parameters, parameter_count; /* the first OpFunctionParameter, and how many */
    uint32_t entry_at;                    /* the OpEntryPoint, 0 when it is no kernel */
    bool exported, imported, address_taken;
    bool unordered;   /* something is used before it is defined, other than by a phi */
    bool unknown_ops; /* has instructions that the table lacks: the ids in it must stay */
    bool reachable;   /* from a kernel or an exported function */
    /* constrain.c: */
    uint32_t component;             /* strongly connected component of the call graph; callees have lower numbers */
    uint32_t first_node, last_node; /* the nodes of its component: [first, last) */
    uint32_t *parameter_nodes, return_node;
    uint32_t host_store, host; /* its component's host memory: the first of its three nodes, and the region */
    struct nf_call *calls;
    uint32_t call_count, call_capacity;
    uint32_t call_sites; /* how often it may be called; once its component is constrained: from outside of that */
    uint32_t copied_in, copied_to; /* the component that its summary was copied into last, and the first node there */
    struct nf_template *summary;
    /* instances.c: */
    uint32_t instances, instance_count; /* newest first, linked by nf_instance.next */
};

/* A call of a function outside the caller's own component: where the callee's summary was copied to. */
struct nf_call {
    uint32_t at, callee; /* the call instruction; index of the function */
    uint32_t base;       /* node that the summary's node 0 became; 0 inside one component */
};

enum {
    NF_MAX_BOUND = 0x3fffff,
    NF_IS_CONSTANT = 0x80 /* in nf_module.linkage: a variable that the module says is never written */
};

struct nf_module {
    jmp_buf failed;
    nf_status status;
    struct nf_arena arena;
    const nf_options *options;
    struct nf_text log, report;

    struct nf_moves moves; /* in ascending order; empty: everything is where it was */
    uint32_t input_count;  /* words of the input */

    /* read.c */
    uint32_t *words, count; /* the input in host order, header included */
    const char *bytes;      /* its literal strings: nf_string() */
    uint32_t version, bound;
    bool swapped;
    uint32_t address_bits;
    uint32_t *def;  /* by id: where it is defined, 0 when it is not */
    uint32_t *slot; /* by id: index into types, functions or variables */
    struct nf_type *types;
    uint32_t type_count, type_capacity;
    struct nf_function *functions;
    uint32_t function_count, function_capacity;
    uint32_t body_at;                                 /* the first OpFunction, or the end */
    uint32_t ext_opencl, ext_debug, ext_shader_debug; /* ids of the imported instruction sets, 0: not imported */
    uint32_t *variables;                              /* ids of the module-scope variables */
    uint32_t variable_count, variable_capacity;
    uint8_t *linkage; /* by id: 0, or 1 + the linkage type; and NF_IS_CONSTANT */
    uint32_t kernel_count;
    bool uses_generic;
    bool uses_subgroups;      /* by its capabilities */
    bool unordered_constants; /* some constant comes before one that it is made of */
    bool untyped_pointers;
    uint32_t code_storage; /* the storage class of function pointers; 0: there are none */
    bool folded;           /* the host's values are in it: it is not the input any more */

    /* graph.c, constrain.c */
    uint32_t *order, order_count; /* functions, callees first */
    struct nf_graph *graph;
    struct nf_value *values; /* by id */

    /* instances.c */
    struct nf_instance *instances;
    uint32_t instance_count, instance_capacity;
    uint8_t *slots;         /* by id: a variable of a pointer that is only loaded and stored as a whole */
    uint32_t *gather_nodes; /* by word: see nf_gather_node(); NULL when there is none */
    nf_set *constant_sets;  /* by id: evidence for generic constant expressions; NULL when there is none */

    /* rewrite.c */
    struct nf_output *output;
    nf_counts counts;
    nf_ambiguous_access *ambiguities;
    uint32_t ambiguity_count, ambiguity_capacity;
    bool solved; /* the instances and their sets are known */
};

/* Leave the pipeline: `at` is the word offset that the message is about, 0 when there is none. */
_Noreturn void nf_fail(struct nf_module *m, nf_status status, uint32_t at, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

static inline uint32_t nf_opcode(const struct nf_module *m, uint32_t at)
{
    return m->words[at] & 0xffff;
}
static inline uint32_t nf_length(const struct nf_module *m, uint32_t at)
{
    return m->words[at] >> 16;
}
static inline uint32_t nf_next(const struct nf_module *m, uint32_t at)
{
    return at + nf_length(m, at);
}
/* The operand words after result type and result: nf_operand(m, at, 0) is the first. The caller knows that it is there.
 */
static inline uint32_t nf_operand_at(const struct nf_module *m, uint32_t at, uint32_t index)
{
    const struct nf_op *op = nf_op_find(nf_opcode(m, at));
    return at + 1 + (op->result & 1) + (op->result >> 1) + index;
}
static inline uint32_t nf_operand(const struct nf_module *m, uint32_t at, uint32_t index)
{
    return m->words[nf_operand_at(m, at, index)];
}
static inline uint32_t nf_operand_count(const struct nf_module *m, uint32_t at)
{
    return at + nf_length(m, at) - nf_operand_at(m, at, 0);
}

/* ---- read.c: bytes -> nf_module; needs nothing, gives def, slot, functions; every bound checked here ---- */
void nf_read(struct nf_module *m, const void *bytes, size_t size);
nf_status nf_read_summary(const void *bytes, size_t size, nf_summary *summary);
/* The literal string that begins at word `at`. */
static inline const char *nf_string(const struct nf_module *m, uint32_t at)
{
    return m->bytes + 4 * (size_t)at;
}
/* The id that the instruction defines, or 0; the id of its result type, or 0. */
uint32_t nf_result_id(const struct nf_module *m, uint32_t at);
uint32_t nf_result_type(const struct nf_module *m, uint32_t at);
bool nf_ends_block(uint32_t opcode);
/* A constant that is made of others. */
bool nf_is_made_constant(uint32_t opcode);
struct nf_operands nf_walk(const struct nf_module *m, uint32_t at);
/* The role of the instruction at `at`, extended instructions included. */
enum nf_role nf_role_at(const struct nf_module *m, uint32_t at);
/* Does the instruction make a pointer into what its first pointer operand points into? */
static inline bool nf_derives_pointer(enum nf_role role)
{
    return role == NF_ROLE_chain || role == NF_ROLE_bitcast || role == NF_ROLE_cast || role == NF_ROLE_copy;
}
/* What the instruction tells debuggers: core SPIR-V's lines, OpenCL.DebugInfo.100, NonSemantic.Shader.DebugInfo. */
enum nf_debug { NF_DEBUG_NONE, NF_DEBUG_LINE, NF_DEBUG_NO_LINE, NF_DEBUG_SCOPE, NF_DEBUG_NO_SCOPE, NF_DEBUG_OTHER };
enum nf_debug nf_debug_at(const struct nf_module *m, uint32_t at);

static inline bool nf_is_linkage(const struct nf_module *m, uint32_t at)
{
    return nf_opcode(m, at) == OpDecorate && m->words[at + 2] == NF_DECORATION_LINKAGE;
}
/* The name that the module gives an imported or exported function, "" when none. */
const char *nf_linkage_name(const struct nf_module *m, uint32_t id);

/* Does the module say that it needs the capability? */
bool nf_declares(const struct nf_module *m, uint32_t capability);
/* Forget what was read, and read the module in `words` instead: it was made of the input. */
void nf_read_again(struct nf_module *m, const struct nf_words *words);
/* The word of the input that the word `at` was: what messages name. */
uint32_t nf_input_word(const struct nf_module *m, uint32_t at);
void nf_note_move(struct nf_module *m, struct nf_moves *moves, uint32_t at, uint32_t input);

/* ---- order.c: blocks before those that they dominate; constants after those that they are made of ---- */
void nf_order(struct nf_module *m);

/* ---- globals.c: a refusal where a module-scope variable is written, if the profile says that there are none ---- */
void nf_check_globals(struct nf_module *m);

/* ---- builtins.c: calls of built-in functions as the instructions they stand for. False when there are none. ---- */
bool nf_lower_builtins(struct nf_module *m, struct nf_words *lowered);

/* ---- integer_tests.c: integers that are compared as pointers. False when there are none. ---- */
bool nf_lower_integer_tests(struct nf_module *m, struct nf_words *lowered);

/* ---- initialisers.c: constants with addresses of local memory. False when there are none. ---- */
bool nf_lower_initialisers(struct nf_module *m, struct nf_words *lowered);

/* ---- fold.c: specialisation constants with the values that the host gave ------------------------------------------
 */
void nf_fold(struct nf_module *m);

/* ---- types.c: sizes and offsets as OpenCL C lays types out ---- */
void nf_types(struct nf_module *m);
/* The type with this id, or a type of kind NONE. Never NULL. */
const struct nf_type *nf_type(const struct nf_module *m, uint32_t type_id);
/* The type of the value `id`. Never NULL. */
const struct nf_type *nf_type_of(const struct nf_module *m, uint32_t id);
bool nf_is_generic(const struct nf_module *m, uint32_t type_id); /* a generic pointer itself */
static inline bool nf_is_generic_vector(const struct nf_type *type)
{
    return type->kind == NF_KIND_VECTOR && type->generic;
}
/* The constant integer `id` holds: true when it is an OpConstant whose value cannot change. */
bool nf_constant(const struct nf_module *m, uint32_t id, int64_t *value);
nf_set nf_space_of_storage(uint32_t storage); /* one space; 0 for Generic and what holds no address */
/* The space of a concrete pointer type. What points to a function is code, whatever storage class it has. */
nf_set nf_space_of(const struct nf_module *m, const struct nf_type *pointer);
uint32_t nf_storage_of_space(const struct nf_module *m, nf_set space);
const char *nf_space_name(nf_set space);

/* ---- graph.c: nodes, inclusion edges, regions that unify -----------------------------------------------------------
 */
#include "graph.h"

/* ---- constrain.c: instructions -> graph, one component of the call graph after the other ---- */
void nf_constrain(struct nf_module *m);
/* Set of the value `id` (of generic pointer type) by the masks of an instance; constants need no masks. */
nf_set nf_set_of(const struct nf_module *m, const struct nf_instance *instance, uint32_t id);
/* The spaces that a set's evidence allows; 0 when the pointer can only be null or undefined. */
nf_set nf_spaces_of(nf_set evidence);

/* A gather or a scatter through a vector of generic pointers: the vector's type, NULL for any other instruction; the
 * node that stands for all its pointers, 0 when they can only be null. */
const struct nf_type *nf_gathered_type(const struct nf_module *m, uint32_t at);
uint32_t nf_gather_node(const struct nf_module *m, uint32_t at);

/* ---- components.c: strongly connected components of the call graph, callees first ---- */
uint32_t *nf_components(struct nf_module *m, uint32_t *count);

/* ---- imports.c: what is known of functions without a body ---- */
enum nf_import {
    NF_IMPORT_UNKNOWN, /* may keep what it is given */
    NF_IMPORT_MOVE,    /* (target, source, size, ...): memmove, memcpy */
    NF_IMPORT_FILL,    /* (target, byte, size, ...): memset */
    NF_IMPORT_OUT,     /* writes one pointee through each generic pointer, keeps none */
    NF_IMPORT_GLOBAL   /* takes and gives global memory only, and keeps nothing */
};
enum nf_import nf_import_of(const struct nf_module *m, const struct nf_function *f);

bool nf_is_root(const struct nf_module *m, const struct nf_function *f);

/* ---- summary.c: a component's graph reduced to what callers see ---------------------------------------------------
 */
enum nf_host_node { NF_HOST_STORE, NF_HOST_WIDE, NF_HOST_NARROW };
void nf_summarize_function(struct nf_module *m, struct nf_function *f);
/* How many cells its summary has beyond NF_FEW_CELLS in each region; give these up, before it is summarised again. */
uint32_t nf_template_surplus(const struct nf_function *f);
void nf_template_thin(struct nf_module *m, const struct nf_function *f);
/* Copy the callee's summary into the graph; node i of the summary becomes the returned node + i. With `share_host` the
 * callee's host memory is the caller's, otherwise it is one of its own. */
uint32_t nf_instantiate(struct nf_module *m, const struct nf_function *callee, bool share_host);
/* The copied node of parameter `index`, of the result, of the host's memory; 0 when it carries no address. */
uint32_t nf_template_parameter(const struct nf_function *callee, uint32_t index, uint32_t base);
uint32_t nf_template_result(const struct nf_function *callee, uint32_t base);
uint32_t nf_template_host(enum nf_host_node which, uint32_t base);
/* Module-scope variables that the callee touches: the `index`th one's id, and a value that points to its copy. */
bool nf_template_variable(const struct nf_function *callee, uint32_t index, uint32_t base, uint32_t *id,
                          struct nf_value *copy);
/* The summary's nodes: how many, and which node of the callee's own graph the `index`th one stands for. */
uint32_t nf_template_count(const struct nf_function *callee);
uint32_t nf_template_actual(const struct nf_function *callee, uint32_t index);

/* ---- instances.c: which function is needed for which spaces --------------------------------------------------------
 */
struct nf_instance {
    uint32_t function; /* index */
    uint32_t next;     /* of the same function */
    nf_set *masks;     /* by node, from the function's first_node */
    uint64_t key;
    uint32_t *callees;   /* by index in the function's calls: instance */
    uint32_t same_as;    /* a twin that is emitted in its place, or itself */
    uint32_t emitted_id; /* rewrite.c: id of the function that is emitted for it */
    uint32_t caller;     /* the instance that first asked for it, 0 for a root */
    uint32_t kernel;     /* the function index of the kernel it was first reached from, 0 when none */
    bool root;           /* called from outside: a kernel, an exported function */
    bool open;           /* takes what any further caller brings: recursive, indirect, or past the bound */
    bool queued, live;
};
void nf_instances(struct nf_module *m);
/* The evidence for `node`, one of the function's own, in an instance of it; none for node 0. */
static inline nf_set nf_evidence(const struct nf_module *m, const struct nf_instance *instance, uint32_t node)
{
    return node ? instance->masks[node - m->functions[instance->function].first_node] : 0;
}

/* ---- rewrite.c and friends: instances -> output module --------------------------------------------------------------
 */
void nf_rewrite(struct nf_module *m, struct nf_words *output);

/* ---- fit.c: what the device's profile lacks goes, or is rewritten ---- */
/* False when there is nothing to do. `in` is a whole module. */
bool nf_fit(struct nf_module *m, const struct nf_words *in, struct nf_words *out);

/* ---- names.c: names and source lines ---- */
uint32_t nf_name_word(const struct nf_module *m,
                      uint32_t id); /* where its OpName's string begins, 0 when it has none */
const char *nf_function_name(struct nf_module *m, const struct nf_function *f); /* "%ID" when it has none */
/* The function that the instruction at `at` is in, or NULL. */
const struct nf_function *nf_function_around(const struct nf_module *m, uint32_t at);
/* "FILE:LINE", "" when the module does not say. */
const char *nf_source_of(struct nf_module *m, const struct nf_function *f, uint32_t at);

/* ---- why.c: why an access is ambiguous ---- */
/* Who flows into whom, for one component of the call graph: built when its first ambiguity is explained. */
struct nf_backward {
    uint32_t component, *heads, *from, *next, *previous, *queue, count;
};
struct nf_ambiguous_access nf_explain(struct nf_module *m, uint32_t instance, uint32_t at, uint32_t pointer,
                                      struct nf_backward *b);

/* ---- report.c: what was done with each generic access ---- */
bool nf_is_generic_access(const struct nf_module *m, uint32_t at);
/* What the access at `at` is in this instance, and the pointer that makes it so. */
nf_verdict nf_judge(const struct nf_module *m, const struct nf_instance *instance, uint32_t at, uint32_t *pointer);
void nf_count_accesses(struct nf_module *m);
void nf_write_report(struct nf_module *m, nf_outcome outcome, uint64_t microseconds);

/* ---- inference.c: what was inferred, as a structure for callers ---- */
struct nf_inference {
    nf_instance_info *instances;
    struct nf_inference_ends {
        uint32_t pointers, calls, accesses; /* where this instance's end and the next one's begin */
    } * ends;
    nf_pointer_info *pointers;
    nf_call_info *calls;
    nf_access_info *accesses;
    uint32_t instance_count, pointer_count, call_count, access_count;
    uint32_t pointer_capacity, call_capacity, access_capacity;
};
void nf_collect_inference(struct nf_module *m, struct nf_inference *inference);

/* ---- result.c: what the call leaves behind ---- */
nf_status nf_keep_result(const struct nf_module *m, nf_outcome outcome, const struct nf_words *output,
                         const struct nf_inference *inference, const void *module, size_t size, nf_result **result);

/* ---- dump.c: what a stage saw, if the options ask for it ---- */
void nf_dump_read(struct nf_module *m);
void nf_dump_constraints(struct nf_module *m);
void nf_dump_solution(struct nf_module *m);
void nf_dump_written(struct nf_module *m, const struct nf_words *output);

#endif
