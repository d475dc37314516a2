/* SPDX-License-Identifier: Apache-2.0 */
/*
 * module.h - a module as it was read: where everything is defined, what each type is, what people call things.
 *
 * In: bytes. Out: struct nf_module, every bound checked. May use: base, spirv.
 *
 * Conventions, here and in all folders behind: a `uint32_t` named `at` is a word offset into the module; an instruction
 * is known by where it begins. An index (node, region, function, instance...) names an element of a flat array; 0 is
 * none.
 */
#ifndef NF_MODULE_H
#define NF_MODULE_H

#include "base/base.h"
#include "spirv/spirv.h"

/* Where words were in the input: from word `at` on, as far as the next entry, they were at `input` and behind. */
struct nf_moves {
    struct nf_move {
        uint32_t at, input;
    } * at;
    uint32_t count, capacity;
};

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
    bool inexact;      /* the size depends on a specialization constant */
    bool generic;      /* it is, or holds in memory, a generic pointer (through pointees not) */
};

struct nf_function {
    uint32_t id, at, body, end;           /* body: the first OpLabel, 0 in a declaration; end: behind OpFunctionEnd */
    uint32_t type, result_type;           /* type ids */
    uint32_t parameters, parameter_count; /* the first OpFunctionParameter, and how many */
    uint32_t entry_at;                    /* the OpEntryPoint, 0 when it is no kernel */
    bool exported, imported, address_taken;
    bool unordered;                        /* something is used before it is defined, other than by a phi */
    bool unknown_ops;                      /* has instructions that the table lacks: the ids in it must stay */
    bool reachable;                        /* from a kernel or an exported function */
    struct nf_function_analysis *analysis; /* infer/infer.h; NULL before */
};

enum {
    NF_IS_CONSTANT = 0x80 /* in nf_module.linkage: a variable that the module says is never written */
};

struct nf_module {
    struct nf_arena *arena;
    const nf_options *options;

    struct nf_moves moves; /* in ascending order; empty: everything is where it was */
    uint32_t input_count;  /* words of the input */

    /* read.c */
    uint32_t *words, count; /* the input in host order, header included */
    const char *bytes;      /* its literal strings: nf_string() */
    uint32_t version, bound;
    bool swapped;
    uint32_t address_bits;
    uint32_t *def;      /* by id: where it is defined, 0 when it is not */
    uint32_t *index_of; /* by id: index into types, functions or variables */
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
    bool number_pointers;    /* some constant is a pointer made of an integer */
    uint64_t roles;          /* a bit for each: nf_has_role() */
    uint32_t code_storage;   /* the storage class of function pointers; 0: there are none */
    bool folded;             /* the host's values are in it: it is not the input any more */
    uint8_t *generic_values; /* types.c; by id: 1 for a value of a generic pointer type */
    uint32_t *type_of;       /* types.c; by id: index into types of its result type, 0: it has none */

    /* what other folders make of it; NULL before */
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
/* The operand words after result type and result: nf_operand(m, at, 0) is the first. The caller knows that it is
 * there. */
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

/* ---- read.c: bytes -> nf_module; needs nothing, gives def, index_of, functions; every bound checked here ---- */

void nf_read(struct nf_module *m, const void *bytes, size_t size);
/* Forget what was read, and read the module in `words` instead: it was made of the input. */
void nf_read_again(struct nf_module *m, const struct nf_words *words);
/* Read what was made here of a module that was checked: as far as where things are defined, no functions, no types. */
void nf_take_words(struct nf_module *m, const struct nf_words *words);

/* ---- peek.c: what can be said at a glance ---- */

nf_status nf_peek(const void *bytes, size_t size, nf_summary *summary);
/* @return whether an instruction of that opcode comes before the first whose length does not fit. */
bool nf_peek_for(const void *bytes, size_t size, uint32_t opcode);

/* ---- operands.c: one instruction ---- */

/* The literal string that begins at word `at`. */
static inline const char *nf_string(const struct nf_module *m, uint32_t at)
{
    return m->bytes + 4 * (size_t)at;
}
/* The id that the instruction defines, or 0; the id of its result type, or 0. */
uint32_t nf_unknown_result_id(const struct nf_module *m, uint32_t at);
uint32_t nf_unknown_result_type(const struct nf_module *m, uint32_t at);
static inline uint32_t nf_result_id(const struct nf_module *m, uint32_t at)
{
    const struct nf_op *op = nf_op_find(nf_opcode(m, at));
    if (nf_is_unknown(op)) return nf_unknown_result_id(m, at);
    return nf_has_result(op) ? m->words[at + nf_result_word(op)] : 0;
}
static inline uint32_t nf_result_type(const struct nf_module *m, uint32_t at)
{
    const struct nf_op *op = nf_op_find(nf_opcode(m, at));
    if (nf_is_unknown(op)) return nf_unknown_result_type(m, at);
    return nf_has_type(op) ? m->words[at + 1] : 0;
}
static inline bool nf_ends_block(uint32_t opcode)
{
    return (opcode >= OpBranch && opcode <= OpUnreachable) || opcode == OpKill;
}
/* A constant that is made of others. */
bool nf_is_made_constant(uint32_t opcode);
/* How many bytes a constant chain goes from its base, which points to something else than its types say; 0 for any other
 * instruction: see prepare/byte_chains.c. */
uint32_t nf_byte_chain_index(const struct nf_module *m, uint32_t at);
/* @return whether one of its ids is marked in `marks`, which is by id. */
bool nf_has_marked_operand(const struct nf_module *m, uint32_t at, const uint8_t *marks);
/* The operands of an instruction whose ids are the module's, though it may stand elsewhere; of the one at `at`. */
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
/* The role of the instruction at `at`, extended instructions included. */
enum nf_role nf_extended_role(const struct nf_module *m, uint32_t at);
static inline enum nf_role nf_role_at(const struct nf_module *m, uint32_t at)
{
    const struct nf_op *op = nf_op_find(nf_opcode(m, at));
    return op->opcode == OpExtInst ? nf_extended_role(m, at) : (enum nf_role)op->role;
}
/* Is there an instruction of that role in a function, extended ones aside, or a constant that is computed by one? Stages
 * look no further where nothing is theirs. */
static inline bool nf_has_role(const struct nf_module *m, enum nf_role role)
{
    return m->roles >> role & 1;
}
static inline void nf_note_role(struct nf_module *m, const struct nf_op *op)
{
    _Static_assert(NF_ROLE_printf < 64, "a bit for each role");
    m->roles |= (uint64_t)1 << op->role;
}
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

/* ---- definitions.c ---- */

/* Does the module say that it needs the capability? */
bool nf_declares(const struct nf_module *m, uint32_t capability);
/* Does the device have the extension, as far as it says? One that lists none has all. */
bool nf_profile_takes_extension(const nf_profile *profile, const char *name);

/* ---- check.c ---- */

/* Refuse a module that has instructions of an extended set that is neither OpenCL.std nor debug information. */
void nf_check_extended_sets(struct nf_module *m);

/* ---- edit.c: a module made of another, to be read again --------------------------------------------------------- */

/* The word of the input that the word `at` was: what messages name. */
uint32_t nf_input_word(const struct nf_module *m, uint32_t at);
void nf_note_move(struct nf_module *m, struct nf_moves *moves, uint32_t at, uint32_t input);

/* A module on its way: functions are written first, then what stands before them. */
struct nf_edit {
    struct nf_module *m;
    struct nf_builder build;               /* new ids; definitions besides the input's */
    struct nf_words out, functions;        /* what is being written */
    struct nf_moves moves, function_moves; /* of `out`, of `functions` */
    bool knows_input;                      /* its definitions are known to `build` */
    uint32_t capabilities[6];              /* that the module needs besides the input's, 0: none */
};

/* Nothing is written yet. */
struct nf_edit nf_edit_begin(struct nf_module *m);
/* An id for `opcode type? operands`: the input's, one that was made before, or a new one. `type` 0: none. */
uint32_t nf_edit_define(struct nf_edit *e, uint32_t opcode, uint32_t type, const uint32_t *operands, uint32_t count);
/* The module needs the capability, if it did not before. */
void nf_edit_need(struct nf_edit *e, uint32_t capability);
/* A 32-bit constant. */
uint32_t nf_edit_number(struct nf_edit *e, uint32_t value);
/* An instruction, `operands` being all its words behind the first. */
void nf_edit_emit(struct nf_edit *e, uint32_t opcode, const uint32_t *operands, uint32_t count);
/* One with a result and two operands that are ids, or one, `right` being 0. @return its id. */
uint32_t nf_edit_value(struct nf_edit *e, uint32_t opcode, uint32_t type, uint32_t left, uint32_t right);
/* The words of the input from `at` to `end`, as they are. */
void nf_edit_keep(struct nf_edit *e, uint32_t at, uint32_t end);
/* All functions, each instruction by `put`, or as it is where that returns false; and all that stands before them.
 * @return the module. */
struct nf_words nf_edit_functions(struct nf_edit *e, bool (*put)(struct nf_edit *e, uint32_t at, void *data),
                                  void *data);
/* The same with nothing for `put` to know, if one of the functions' instructions is `wanted`. @return whether one is. */
bool nf_edit_where(struct nf_module *m, bool (*wanted)(const struct nf_module *m, uint32_t at),
                   bool (*put)(struct nf_edit *e, uint32_t at, void *data), struct nf_words *out);
/* All functions are written: what comes now stands before them. */
void nf_edit_module_scope(struct nf_edit *e);
/* All is written. @return the module, which m->moves belongs to from here on. */
struct nf_words nf_edit_end(struct nf_edit *e);

/* Do private and local addresses have a place of their own among integers? With 32-bit addresses only the profile gives them one. */
static inline bool nf_has_windows(const struct nf_module *m)
{
    const nf_profile *profile = m->options->profile;
    return m->address_bits != 32 || (profile && (profile->private_window || profile->local_window));
}
/* The logarithm of the size of each window in bytes. */
static inline uint32_t nf_window_bits(const struct nf_module *m)
{
    const nf_profile *profile = m->options->profile;
    if (profile && profile->window_bits) return profile->window_bits;
    return m->address_bits == 32 ? 28 : 32;
}

/* ---- types.c: sizes and offsets as OpenCL C lays types out ---- */

void nf_types(struct nf_module *m);
/* The type with this id, or a type of kind NONE: index into types. */
static inline uint32_t nf_type_index(const struct nf_module *m, uint32_t type_id)
{
    uint32_t index = type_id < m->bound ? m->index_of[type_id] : 0;
    return index < m->type_count && m->types[index].id == type_id ? index : 0;
}
/* The same itself. Never NULL. */
static inline const struct nf_type *nf_type(const struct nf_module *m, uint32_t type_id)
{
    return &m->types[nf_type_index(m, type_id)];
}
/* The type of the value `id`. Never NULL. */
static inline const struct nf_type *nf_type_of(const struct nf_module *m, uint32_t id)
{
    return &m->types[id < m->bound ? m->type_of[id] : 0];
}
/* A vector's element, or what is none itself. */
static inline const struct nf_type *nf_scalar_of(const struct nf_module *m, const struct nf_type *type)
{
    return type->kind == NF_KIND_VECTOR ? nf_type(m, type->element) : type;
}
/* Is it a generic pointer itself? */
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
uint32_t nf_width_of(const struct nf_module *m, const struct nf_type *type); /* an integer's bits, 0: it is none */
/* The constant integer `id` holds: true when it is an OpConstant whose value cannot change. */
bool nf_constant(const struct nf_module *m, uint32_t id, int64_t *value);
nf_set nf_space_of_storage(uint32_t storage); /* one space; 0 for Generic and what holds no address */
/* The space of a concrete pointer type. What points to a function is code, whatever storage class it has. */
nf_set nf_space_of(const struct nf_module *m, const struct nf_type *pointer);
uint32_t nf_storage_of_space(const struct nf_module *m, nf_set space);
const char *nf_space_name(nf_set space);

/* ---- call_order.c: who calls whom ---- */

struct nf_call_of {
    uint32_t caller, next; /* index into functions; of the next call of the same function, 0: none */
};
struct nf_call_order {
    uint32_t *functions, count; /* indices, callees first; without those that come to a cycle of calls */
    struct nf_call_of *calls;
    uint32_t *first;   /* by function: its first call, 0: there is none */
    uint32_t *waiting; /* by function: its calls of functions that have no place in the order; 0: it has one itself */
    uint32_t *size; /* by function: words, what it calls included, UINT32_MAX at most; without a place: some of them */
};
struct nf_call_order nf_order_calls(const struct nf_module *m);

/* ---- names.c: names and source lines ---- */

/* The name that the module gives an imported or exported function, "" when none. */
const char *nf_linkage_name(const struct nf_module *m, uint32_t id);
uint32_t nf_name_word(const struct nf_module *m,
                      uint32_t id); /* where its OpName's string begins, 0 when it has none */
const char *nf_function_name(struct nf_module *m, const struct nf_function *f); /* "%ID" when it has none */
/* The function that the instruction at `at` is in, or NULL. */
const struct nf_function *nf_function_around(const struct nf_module *m, uint32_t at);
/* What the function, which has a body, begins with behind its variables. */
uint32_t nf_behind_variables(const struct nf_module *m, const struct nf_function *f);
/* Which of the function's parameters the one at `at` is, from 0 on. */
uint32_t nf_parameter_index(const struct nf_module *m, const struct nf_function *f, uint32_t at);
/* Is it what the host's C++ library has and no device? Unoptimized modules call it where std::variant, say, would throw. Such
 * code is not reached, so anything is right there. */
bool nf_is_cxx_runtime(const char *name);
/* "FILE:LINE", "" when the module does not say. */
const char *nf_source_of(struct nf_module *m, const struct nf_function *f, uint32_t at);

#endif
