/* SPDX-License-Identifier: Apache-2.0 */
/*
 * module.h - a module as it was read: definitions, types, functions, names; and how a stage makes a new module from it.
 *
 * Takes bytes. Gives struct nf_module, with the properties that read.c checks. May use: base, spirv.
 *
 * Conventions, here and in all folders that use this folder: a `uint32_t` named `at` is a word offset into the module,
 * and identifies the instruction that begins there. An index (node, region, function, instance...) names an element of
 * a flat array; 0 is none.
 */
#ifndef NF_MODULE_H
#define NF_MODULE_H

#include "base/base.h"
#include "spirv/spirv.h"

/* Maps word offsets of the module to word offsets of the input: `at` and the following words, up to the next entry,
 * correspond to `input` and the following words. */
struct nf_moves {
    struct nf_move {
        uint32_t at, input;
    } * at;
    uint32_t count, capacity;
};

enum nf_kind { /* infer/module_scope.c relies on the order of the kinds that may have bits of an address */
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
               NF_KIND_OPAQUE /* images, events, matrices...: contains no address, and its size is unknown */
};

struct nf_type {
    uint32_t id, at;
    uint32_t element;  /* type id of the element, of the pointee (0: untyped), or of a function's result */
    uint32_t count;    /* number of vector components, array elements, struct members, function parameters */
    uint32_t storage;  /* storage class of a pointer */
    uint32_t align;    /* in bytes, at least 1 */
    uint64_t size;     /* in bytes; 0 for a type that has no size in memory */
    uint32_t *offsets; /* byte offsets of a struct's members */
    uint8_t kind;      /* enum nf_kind */
    /* Its elements are analyzed separately in SSA values: a struct, an array, a vector of pointers or 64-bit values. */
    bool aggregate;
    bool inexact;  /* the size depends on a specialization constant */
    bool generic;  /* it is a generic pointer, or contains one in memory (not through a pointee) */
    bool concrete; /* it is a private, local or global pointer, or contains one in memory (not through a pointee) */
};

struct nf_function {
    uint32_t id, at, body, end;           /* body: the first OpLabel, 0 in a declaration; end: after OpFunctionEnd */
    uint32_t type, result_type;           /* type ids */
    uint32_t parameters, parameter_count; /* the first OpFunctionParameter; the number of parameters */
    uint32_t entry_at;                    /* its OpEntryPoint, 0: it is not a kernel */
    bool exported, imported, address_taken;
    bool unordered; /* a use, other than by a phi, precedes the definition */
    /* The function has instructions that are not in the opcode table. Any id may be an operand of such an instruction,
     * so the values of the function keep their ids. */
    bool unknown_ops;
    bool reachable;                        /* from a kernel, an exported function, or through a function pointer */
    struct nf_function_analysis *analysis; /* infer/infer.h; NULL before inference */
};

enum {
    NF_IS_CONSTANT = 0x80 /* in nf_module.linkage: the variable is decorated Constant */
};

struct nf_module {
    struct nf_arena *arena;
    const nf_options *options;

    struct nf_moves moves; /* in ascending order; empty: all offsets are as in the input */
    uint32_t input_count;  /* number of words in the input */

    /* Set by nf_read(). */
    uint32_t *words, count; /* the module in host byte order, header included */
    const char *bytes;      /* the same words as bytes, from which literal strings can be read: nf_string() */
    uint32_t version, bound;
    bool swapped;
    uint32_t address_bits;
    uint32_t *def;      /* by id: offset of the definition, 0: it has none */
    uint32_t *index_of; /* by id: index into `types` or `functions` */
    struct nf_type *types;
    uint32_t type_count, type_capacity;
    struct nf_function *functions;
    uint32_t function_count, function_capacity;
    uint32_t body_at;                                 /* the first OpFunction, or the end of the module */
    uint32_t ext_opencl, ext_debug, ext_shader_debug; /* ids of the imported instruction sets, 0: not imported */
    uint32_t *variables;                              /* ids of the module-scope variables */
    uint32_t variable_count, variable_capacity;
    uint8_t *linkage; /* by id: 0, or 1 + the linkage type; and NF_IS_CONSTANT */
    uint32_t kernel_count;
    bool uses_generic;
    bool uses_subgroups;      /* the module declares a capability of sub-groups */
    bool unordered_constants; /* a constant precedes one of its operands */
    bool untyped_pointers;
    uint64_t roles;        /* a bit for each role that occurs: nf_has_role() */
    uint32_t code_storage; /* the storage class of function pointers; 0: there are none */
    /* Values of specialization constants were folded, so the words differ from the input. */
    bool folded;
    uint8_t *generic_values; /* set by types.c; by id: 1 for a value of a generic pointer type */
    uint32_t *type_of;       /* set by types.c; by id: index into types of its result type, 0: it has none */

    /* Results of other folders; NULL before they are computed. */
    struct nf_graph *graph;       /* graph/graph.h */
    struct nf_analysis *analysis; /* infer/infer.h */
};

static inline uint32_t nf_opcode(const struct nf_module *m, uint32_t at)
{
    return nf_opcode_of(m->words[at]);
}
static inline uint32_t nf_length(const struct nf_module *m, uint32_t at)
{
    return nf_length_of(m->words[at]);
}
static inline uint32_t nf_next(const struct nf_module *m, uint32_t at)
{
    return at + nf_length(m, at);
}

#include "module/layouts.h"

/* Return the word offset of operand `index`, counted after the result type and the result; its word; and the number of
 * these words. The caller makes sure that the operand exists. */
static inline uint32_t nf_operand_at(const struct nf_module *m, uint32_t at, uint32_t index)
{
    const struct nf_op *op = nf_op_find(nf_opcode(m, at));
    return at + nf_first_operand(op) + index;
}
static inline uint32_t nf_operand(const struct nf_module *m, uint32_t at, uint32_t index)
{
    return m->words[nf_operand_at(m, at, index)];
}
static inline uint32_t nf_operand_count(const struct nf_module *m, uint32_t at)
{
    return at + nf_length(m, at) - nf_operand_at(m, at, 0);
}

/* ---- read.c: bytes -> nf_module; needs nothing, gives def, index_of, functions; checks every bound ---- */

void nf_read(struct nf_module *m, const void *bytes, size_t size);
/* Reads the module in `words`, which a stage made from the input, in place of the current module. */
void nf_read_again(struct nf_module *m, const struct nf_words *words);
/* Reads a module that a stage made from a checked module: its header, definitions, extended instruction sets and width
 * of addresses, but no functions and no types. */
void nf_take_words(struct nf_module *m, const struct nf_words *words);

/* ---- peek.c: properties of a module, without reading all of it ---- */

nf_status nf_peek(const void *bytes, size_t size, nf_summary *summary);
/* Returns true if an instruction with that opcode is the first instruction of invalid length, or precedes it. Returns
 * false if the bytes do not begin with the header of a module. */
bool nf_peek_for(const void *bytes, size_t size, uint32_t opcode);

/* ---- operands.c: the result, the operands and the role of one instruction ---- */

/* Returns the literal string that begins at word `at`. */
static inline const char *nf_string(const struct nf_module *m, uint32_t at)
{
    return m->bytes + 4 * (size_t)at;
}
/* Return the result id, or the result type, of an instruction that is not in the opcode table; 0 if it has none. */
uint32_t nf_unknown_result_id(const struct nf_module *m, uint32_t at);
uint32_t nf_unknown_result_type(const struct nf_module *m, uint32_t at);
static inline uint32_t nf_result_id(const struct nf_module *m, uint32_t at)
{
    const struct nf_op *op = nf_op_find(nf_opcode(m, at));
    if (nf_is_unknown(op)) return nf_unknown_result_id(m, at);
    return nf_has_result(op) ? nf_word(m, at, nf_result_word(op)) : 0;
}
static inline uint32_t nf_result_type(const struct nf_module *m, uint32_t at)
{
    const struct nf_op *op = nf_op_find(nf_opcode(m, at));
    if (nf_is_unknown(op)) return nf_unknown_result_type(m, at);
    return nf_has_type(op) ? nf_value_type(m, at) : 0;
}
static inline bool nf_ends_block(uint32_t opcode)
{
    return (opcode >= OpBranch && opcode <= OpUnreachable) || opcode == OpKill;
}
/* Returns true for the instructions that have to stand directly before a branch. */
static inline bool nf_precedes_branch(uint32_t opcode)
{
    return opcode == OpLoopMerge || opcode == OpSelectionMerge || opcode == OpLoopControlINTEL;
}
/* Returns true for the instruction before which other instructions can be added at the end of a block: the terminator,
 * or the merge instruction or loop control directly before it. llvm-spirv 15 also writes an OpLoopMerge ahead of other
 * instructions. */
static inline bool nf_begins_block_end(const struct nf_module *m, uint32_t at)
{
    bool merges = nf_precedes_branch(nf_opcode(m, at));
    while (merges &&
           (nf_precedes_branch(nf_opcode(m, at)) || nf_opcode(m, at) == OpLine || nf_opcode(m, at) == OpNoLine))
        at = nf_next(m, at);
    return nf_ends_block(nf_opcode(m, at));
}
/* Returns the id of the type of the value `id`, or 0 if the module, which is then invalid, does not define it. */
static inline uint32_t nf_defined_type(const struct nf_module *m, uint32_t id)
{
    return m->def[id] ? nf_result_type(m, m->def[id]) : 0;
}
/* Returns true for constants that have other constants as operands. */
bool nf_is_made_constant(uint32_t opcode);
/* Returns the id of the index, in bytes, of a constant access chain whose base lacks a cast to a pointer to bytes;
 * 0 for any other instruction. See prepare/byte_chains.c. */
uint32_t nf_byte_chain_index(const struct nf_module *m, uint32_t at);
/* Returns true if an operand of the instruction is marked in `marks`, which is by id. */
bool nf_has_marked_operand(const struct nf_module *m, uint32_t at, const uint8_t *marks);
/* Iterate over the operands of an instruction: nf_walk() for the instruction at `at`, nf_walk_words() for an
 * instruction in other memory that uses ids of the module. */
struct nf_operands nf_walk_in_context(const struct nf_module *m, const uint32_t *words);
static inline struct nf_operands nf_walk_words(const struct nf_module *m, const uint32_t *words)
{
    uint32_t opcode = nf_opcode_of(words[0]);
    if (opcode == OpExtInst || opcode == OpSwitch) return nf_walk_in_context(m, words);
    return nf_operands_begin(words, nf_length_of(words[0]), NF_EXT_OTHER, 1);
}
static inline struct nf_operands nf_walk(const struct nf_module *m, uint32_t at)
{
    return nf_walk_words(m, m->words + at);
}
struct nf_ids nf_ids_in_context(const struct nf_module *m, const uint32_t *words);
static inline struct nf_ids nf_ids_at(const struct nf_module *m, uint32_t at)
{
    const uint32_t *words = m->words + at;
    uint32_t opcode = nf_opcode_of(words[0]);
    if (opcode == OpExtInst || opcode == OpSwitch) return nf_ids_in_context(m, words);
    return nf_ids_begin(words, NF_EXT_OTHER, 1);
}
/* Returns the role of the extended instruction of the OpExtInst at `at`. */
enum nf_role nf_extended_role(const struct nf_module *m, uint32_t at);
/* Returns the role of the instruction at `at`; for OpExtInst, the role of the extended instruction. */
static inline enum nf_role nf_role_at(const struct nf_module *m, uint32_t at)
{
    const struct nf_op *op = nf_op_find(nf_opcode(m, at));
    return op->opcode == OpExtInst ? nf_extended_role(m, at) : (enum nf_role)op->role;
}
/* Returns true if a function has an instruction of that role, except extended and unknown instructions, or an
 * OpSpecConstantOp has the role. Stages that only handle certain roles skip a module without them. */
static inline bool nf_has_role(const struct nf_module *m, enum nf_role role)
{
    return m->roles >> role & 1;
}
static inline void nf_note_role(struct nf_module *m, const struct nf_op *op)
{
    _Static_assert(NF_ROLE_printf < 64, "a bit for each role");
    m->roles |= (uint64_t)1 << op->role;
}
/* Returns true if the result of an instruction of that role points into the object of its first pointer operand. */
static inline bool nf_derives_pointer(enum nf_role role)
{
    return role == NF_ROLE_chain || role == NF_ROLE_bitcast || role == NF_ROLE_cast || role == NF_ROLE_copy;
}
enum { NF_ANY_OPERAND = 1 << 16, NF_NO_OPERAND };
/* Returns which operand points to the memory that the instruction writes, counted like the operands of nf_operand();
 * NF_ANY_OPERAND if it is the only pointer operand, at any position; NF_NO_OPERAND if the instruction writes no memory,
 * and for calls and instructions with unknown effects. */
uint32_t nf_written_operand(const struct nf_module *m, uint32_t at);
/* Returns true if nf_written_operand() returns the operand in word `index`, or NF_ANY_OPERAND. */
static inline bool nf_writes_through(const struct nf_module *m, uint32_t at, uint32_t index)
{
    uint32_t written = nf_written_operand(m, at);
    return written == NF_ANY_OPERAND || at + index == nf_operand_at(m, at, written);
}
/* Instructions for debuggers: core SPIR-V's lines, OpenCL.DebugInfo.100, NonSemantic.Shader.DebugInfo. */
enum nf_debug { NF_DEBUG_NONE, NF_DEBUG_LINE, NF_DEBUG_NO_LINE, NF_DEBUG_SCOPE, NF_DEBUG_NO_SCOPE, NF_DEBUG_OTHER };
enum nf_debug nf_debug_at(const struct nf_module *m, uint32_t at);
/* Returns true for OpName and OpDecorate, which annotate one id, nf_annotated_id(), and do not use its value. */
static inline bool nf_is_name_or_decoration(const struct nf_module *m, uint32_t at)
{
    return nf_opcode(m, at) == OpName || nf_opcode(m, at) == OpDecorate;
}
static inline bool nf_is_linkage(const struct nf_module *m, uint32_t at)
{
    return nf_decorates(m, at, NF_DECORATION_LINKAGE);
}

/* ---- definitions.c ---- */

/* Returns true if the module declares the capability. */
bool nf_declares(const struct nf_module *m, uint32_t capability);
/* Returns an array by id: true for the constants and module-scope variables that functions use, directly or through
 * others. */
const bool *nf_reached_by_functions(const struct nf_module *m);
/* Returns true if the device has the extension according to the profile, in which an empty list means all extensions,
 * and the count SIZE_MAX none. */
bool nf_profile_takes_extension(const nf_profile *profile, const char *name);
/* Returns true if the profile, which may be NULL, lists the fault. */
bool nf_has_fault(const nf_profile *profile, nf_fault fault);

/* Returns true if LLVM's SPIR-V back end wrote the module. It writes llvm.memmove as a copy, and, as the alignment of a
 * copy, that of the target only. */
bool nf_is_of_llvm_back_end(const struct nf_module *m);
/* Returns true if the copy at `at` may be a move of overlapping bytes: target and source are derived from one pointer,
 * and LLVM's SPIR-V back end wrote the module. */
bool nf_is_move_inside_object(const struct nf_module *m, uint32_t at);

/* ---- check.c ---- */

/* Refuses a module that has instructions of an extended set that is not OpenCL.std, and whose name is not that of a
 * non-semantic set or of debug information. */
void nf_check_extended_sets(struct nf_module *m);

/* ---- edit.c: makes a new module from one that was read ----------------------------------------------------------- */

/* Returns the offset in the input of the word at `at`, for messages. */
uint32_t nf_input_word(const struct nf_module *m, uint32_t at);
/* Records that the words from `at` on, in the module that is being made, have the offsets from `input` on in the
 * input. */
void nf_note_move(struct nf_module *m, struct nf_moves *moves, uint32_t at, uint32_t input);

/* A module that is being made: the functions are written first, then the sections before them. */
struct nf_edit {
    struct nf_module *m;
    struct nf_builder build;               /* makes new ids, and definitions that the input does not have */
    struct nf_words out, functions;        /* the words that are being written; the functions, once they are finished */
    struct nf_moves moves, function_moves; /* offsets of the input for `out` and for `functions` */
    bool knows_input;                      /* true once `build` contains the definitions of the input */
    uint32_t capabilities[6];              /* capabilities to declare in addition to the input's, 0: no more */
};

/* Begins a new module, which has no words yet. */
struct nf_edit nf_edit_begin(struct nf_module *m);
/* Returns the id of the definition `opcode type? operands`: of the input, made before, or new. `type` 0 means that it
 * has no result type. */
uint32_t nf_edit_define(struct nf_edit *e, uint32_t opcode, uint32_t type, const uint32_t *operands, uint32_t count);
/* Declares the capability, unless the input does. There is room for six; further ones are ignored. */
void nf_edit_need(struct nf_edit *e, uint32_t capability);
/* Adds the capability that an integer type of 8, 16 or 64 bits requires; 32 bits require none. */
void nf_edit_need_int(struct nf_edit *e, uint32_t width);
/* Returns the integer type of that width, and adds its capability. */
uint32_t nf_edit_int_type(struct nf_edit *e, uint32_t width);
/* Returns the id of a 32-bit integer constant. */
uint32_t nf_edit_number(struct nf_edit *e, uint32_t value);
/* Appends an instruction; `operands` are all its words after the first. */
void nf_edit_emit(struct nf_edit *e, uint32_t opcode, const uint32_t *operands, uint32_t count);
/* Appends an instruction with a result and two ids as operands, or one id if `right` is 0. Returns its result id. */
uint32_t nf_edit_value(struct nf_edit *e, uint32_t opcode, uint32_t type, uint32_t left, uint32_t right);
/* Appends instructions that compute the vector that the instruction at `at` of the input computes, component by
 * component. Scalar operands are used for every component. The types of the input must be known. */
void nf_edit_by_component(struct nf_edit *e, uint32_t at);
/* Appends the words of the input from `at` to `end`. */
void nf_edit_keep(struct nf_edit *e, uint32_t at, uint32_t end);
/* Appends the instruction at `at` of the input, with `map[id]` in place of each operand `id` for which it is not 0. */
void nf_edit_mapped(struct nf_edit *e, uint32_t at, const uint32_t *map);
/* Writes all functions, each of their instructions by `put` or, if that returns false, unchanged; then the sections
 * before them, unchanged. Returns the module. */
struct nf_words nf_edit_functions(struct nf_edit *e, bool (*put)(struct nf_edit *e, uint32_t at, void *data),
                                  void *data);
/* If `wanted` returns true for an instruction in a function, calls nf_edit_functions() with NULL as `data`, sets `*out`
 * to the module and returns true; otherwise returns false. */
bool nf_edit_where(struct nf_module *m, bool (*wanted)(const struct nf_module *m, uint32_t at),
                   bool (*put)(struct nf_edit *e, uint32_t at, void *data), struct nf_words *out);
/* Ends the functions: later words go to the sections before them. */
void nf_edit_module_scope(struct nf_edit *e);
/* Ends the module and returns it. m->moves describes that module from here on. */
struct nf_words nf_edit_end(struct nf_edit *e);

/* ---- steps.c: a sequence of steps that each may make a new module ------------------------------------------------ */

/* Changes the module `m`, read and with types: writes a whole module to `out`, which lives in m->arena, and returns
 * true; or returns false if there is nothing to change. Refuses the module by nf_fail(). */
typedef bool (*nf_step)(struct nf_module *m, struct nf_words *out);

struct nf_steps {
    struct nf_arena *arena;
    const nf_options *options;
    struct nf_words words; /* the module as the last step left it */
    struct nf_module read; /* the same words, read; not read yet if its `words` are NULL */
    bool changed;          /* a step has changed the module */
};
/* Begins a sequence on the module `in`, with the options and the arena of `m`. */
struct nf_steps nf_steps_begin(struct nf_module *m, const struct nf_words *in);
/* Runs the step on the current module of the sequence. */
void nf_steps_take(struct nf_steps *s, nf_step take);

/* Returns the size of an address in bytes; 8 for a module with logical addressing, which does not state one. */
static inline uint32_t nf_word_size(const struct nf_module *m)
{
    return m->address_bits == 32 ? 4 : 8;
}
/* Returns true if integers have room for windows of private and local addresses: always with 64-bit addresses, also for
 * a flat device, which needs none (nf_is_flat()); with 32-bit addresses only if the profile gives windows, and its form
 * is not flat. */
static inline bool nf_has_windows(const struct nf_module *m)
{
    const nf_profile *profile = m->options->profile;
    bool given = profile && (profile->private_window || profile->local_window);
    return m->address_bits != 32 || (given && profile->address_form != NF_ADDRESSES_FLAT);
}
/* Returns log2 of the size of each window in bytes. */
static inline uint32_t nf_window_bits(const struct nf_module *m)
{
    const nf_profile *profile = m->options->profile;
    if (profile && profile->window_bits) return profile->window_bits;
    return m->address_bits == 32 ? 28 : 32;
}

/* Return true if the instruction at `at` is the type of a pointer; of a generic pointer. nf_types() need not have
 * run. */
static inline bool nf_is_pointer_type_at(const struct nf_module *m, uint32_t at)
{
    return nf_opcode(m, at) == OpTypePointer || nf_opcode(m, at) == OpTypeUntypedPointerKHR;
}
static inline bool nf_is_generic_type_at(const struct nf_module *m, uint32_t at)
{
    return nf_is_pointer_type_at(m, at) && nf_pointer_storage_class(m, at) == NF_STORAGE_GENERIC;
}
/* Returns true for a constant private pointer that is not null: only the address of a function is such a constant. */
static inline bool nf_is_constant_function_address(const struct nf_module *m, uint32_t id)
{
    uint32_t type = m->def[id] < m->body_at ? m->def[nf_defined_type(m, id)] : 0;
    return type && nf_is_pointer_type_at(m, type) && nf_pointer_storage_class(m, type) == NF_STORAGE_FUNCTION &&
           nf_opcode(m, m->def[id]) != OpConstantNull;
}

/* ---- types.c: sizes and offsets, as OpenCL C lays types out ---- */

/* Describes the types of the module, and records the types of its values. Must be called again after folding. */
void nf_types(struct nf_module *m);
/* Returns the index in `types` of the type with this id, or 0, the index of a type of kind NONE. */
static inline uint32_t nf_type_index(const struct nf_module *m, uint32_t type_id)
{
    uint32_t index = type_id < m->bound ? m->index_of[type_id] : 0;
    return index < m->type_count && m->types[index].id == type_id ? index : 0;
}
/* Returns the type with this id, never NULL. */
static inline const struct nf_type *nf_type(const struct nf_module *m, uint32_t type_id)
{
    return &m->types[nf_type_index(m, type_id)];
}
/* Returns the type of the value `id`, never NULL. */
static inline const struct nf_type *nf_type_of(const struct nf_module *m, uint32_t id)
{
    return &m->types[id < m->bound ? m->type_of[id] : 0];
}
/* Returns the element type of a vector; any other type is returned as it is. */
static inline const struct nf_type *nf_scalar_of(const struct nf_module *m, const struct nf_type *type)
{
    return type->kind == NF_KIND_VECTOR ? nf_type(m, type->element) : type;
}
/* Returns true for a generic pointer, but not for a type that contains one. */
static inline bool nf_is_generic_pointer(const struct nf_type *type)
{
    return type->kind == NF_KIND_POINTER && type->storage == NF_STORAGE_GENERIC;
}
static inline bool nf_is_generic(const struct nf_module *m, uint32_t type_id)
{
    return nf_is_generic_pointer(nf_type(m, type_id));
}
static inline bool nf_is_generic_vector(const struct nf_type *type)
{
    return type->kind == NF_KIND_VECTOR && type->generic;
}
static inline bool nf_is_generic_value(const struct nf_module *m, uint32_t id)
{
    return id < m->bound && m->generic_values[id];
}
/* Returns the width of an integer type in bits, 0 for any other type. */
uint32_t nf_width_of(const struct nf_module *m, const struct nf_type *type);
/* Sets `*value`, sign-extended, and returns true if `id` is an integer constant of at most 64 bits that is not a
 * specialization constant. */
bool nf_constant(const struct nf_module *m, uint32_t id, int64_t *value);
/* Returns the space of a storage class; 0 for Generic, and for storage classes without addresses. */
nf_set nf_space_of_storage(uint32_t storage);
/* Returns the space of a pointer type that is not generic. A pointer to a function is in code, whatever its storage
 * class. */
nf_set nf_space_of(const struct nf_module *m, const struct nf_type *pointer);
uint32_t nf_storage_of_space(const struct nf_module *m, nf_set space);
const char *nf_space_name(nf_set space);

/* ---- call_order.c: the call graph, callees first ---- */

struct nf_call_of {
    uint32_t caller, next; /* index of the calling function; index of the next call of the same callee, 0: none */
};
struct nf_call_order {
    uint32_t *functions, count; /* indices, callees before callers; without functions that reach a cycle of calls */
    struct nf_call_of *calls;
    uint32_t *first; /* by function: index of its first call; 0: no function calls it */
    /* By function: number of its calls of functions that are not in the order; 0: the function itself is in the
     * order. */
    uint32_t *waiting;
    /* By function: its words plus the size of the callee of each of its calls, at most UINT32_MAX. For a function that
     * is not in the order, only some of the callees count. */
    uint32_t *size;
};
struct nf_call_order nf_order_calls(const struct nf_module *m);
/* Refuses the module if a kernel may call a recursive function. */
void nf_refuse_recursion(struct nf_module *m, const struct nf_call_order *order);

/* ---- names.c: names and source lines ---- */

/* Returns the linkage name of an imported or exported function, "" if it has none. */
const char *nf_linkage_name(const struct nf_module *m, uint32_t id);
/* Returns the word offset of the string in the OpName of `id`; 0 if it has no OpName. */
uint32_t nf_name_word(const struct nf_module *m, uint32_t id);
/* Returns the name of a kernel's entry point or the OpName of a function, "%ID" if it has none. */
const char *nf_function_name(struct nf_module *m, const struct nf_function *f);
/* Returns the function that contains the instruction at `at`, or NULL. */
const struct nf_function *nf_function_around(const struct nf_module *m, uint32_t at);
/* Returns the first instruction after the variables of a function that has a body. */
uint32_t nf_after_variables(const struct nf_module *m, const struct nf_function *f);
/* Returns the first OpFunctionParameter from `at` on: lines may stand between the parameters. There must be one. */
uint32_t nf_parameter_from(const struct nf_module *m, uint32_t at);
/* Returns the index, from 0 on, of the OpFunctionParameter at `at`. */
uint32_t nf_parameter_index(const struct nf_module *m, const struct nf_function *f, uint32_t at);
/* Returns true for the name of a function of the host's C++ library, by its prefix. No device has these functions.
 * Unoptimized modules call them where the C++ code would throw, such as in std::variant. Such calls are assumed not to
 * be executed, so that any replacement is correct. */
bool nf_is_cxx_runtime(const char *name);
/* Returns "FILE:LINE" of the instruction, "" if the module has no line for it. */
const char *nf_source_of(struct nf_module *m, const struct nf_function *f, uint32_t at);

/* ---- known_imports.c: the effects of functions without a body, by their names ---- */
enum nf_import {
    NF_IMPORT_UNKNOWN, /* may capture its arguments, and return them later */
    NF_IMPORT_MOVE,    /* (target, source, size, ...): memmove, memcpy */
    NF_IMPORT_FILL,    /* (target, byte, size, ...): memset */
    NF_IMPORT_OUT,     /* stores one pointee through each generic pointer, captures none */
    NF_IMPORT_GLOBAL   /* takes and returns pointers to global memory only, captures none */
};
/* Returns the effect of the function on its pointer arguments. */
enum nf_import nf_import_of(const struct nf_module *m, const struct nf_function *f);
/* Returns true if a function of that linkage name may have a known effect: its types decide. */
bool nf_is_known_import(const char *name);

#endif
