/* SPDX-License-Identifier: Apache-2.0 */
/*
 * internal.h - the state of the output module and the prototypes that only the files of this folder share.
 *
 * Function bodies are written first, because they decide which types, constants and helpers are needed; write.c then
 * assembles the sections. An id of the input keeps its number where possible; new ids begin at the input's bound.
 */
#ifndef NF_REWRITE_INTERNAL_H
#define NF_REWRITE_INTERNAL_H

#include "rewrite/rewrite.h"

enum {
    /* First words of keys for nf_note_made(), each greater than any opcode, with the other words of the key: */
    NF_DISPATCH_KEY = 0x10000, /* | opcode; the result type, the forms of the operands: a helper that dispatches */
    NF_MEMORY_KEY = 0x20000,   /* two spaces, the type of the size: a helper that copies or fills bytes */
    NF_NAME_KEY = 0x30000,     /* the name of a kernel that copies its by-value arguments */
    NF_COPIES_KEY = 0x40000,   /* a kernel's id: the kernel copies its by-value arguments */
    NF_RESHAPED_KEY,           /* a function's id: its parameter list changes in the output */
    NF_PARTS = 6               /* the five spaces, and NF_GENERIC in hint mode */
};

/* A generic pointer in the output: a concrete pointer for each space in its set, and a tag that selects one. */
struct nf_tuple {
    nf_set set;              /* never 0 in the output */
    bool dead;               /* the pointer can only be null or undefined, so that the space in `set` is arbitrary */
    uint32_t condition;      /* id of a bool that selects one of two spaces and replaces the tag (split.c); or 0 */
    nf_set when_true;        /* the space that a true condition selects */
    bool made;               /* the part ids are assigned; the part ids of a phi are assigned before it is emitted */
    uint32_t tag;            /* id of a 32-bit integer with the space's bit; 0: `condition` or the only space decides */
    uint32_t part[NF_PARTS]; /* ids, by the number of the space's bit */
    uint32_t integer;        /* id of the flat address that the tuple was converted from, to reuse it; or 0 */
};

/* A window: 2^bits integers that are the addresses of one space. `base` is the integer of device address 0. If `start`
 * is 0, the window's middle is `base` rounded down to a multiple of 2^bits; else it begins there, and wraps at 2^47. */
struct nf_window {
    uint64_t base;
    uint32_t bits;
    uint64_t start;
};
#define NF_PROCESS_ADDRESSES (((uint64_t)1 << 47) - 1) /* the bits of an address of a process */
/* The windows of one space. An address that does not fit into the first window lies in the second, if `count` is 2. */
struct nf_windows {
    struct nf_window at[2];
    uint32_t count;
};

struct nf_phi_patch {
    uint32_t at;    /* word offset, in the bodies, of the operand to fill in */
    uint32_t value; /* id of the operand in the input */
    uint32_t part;  /* number of the part; NF_PARTS: the tag; greater: a PATCH_ value of phis.c */
    uint32_t link;  /* index into phi_casts of the operand's cast at the end of its incoming block; 0: none */
};

/* A variable that holds one generic pointer and becomes a variable for each part (tuple_variables.c). */
struct nf_tuple_variable {
    nf_set set; /* the spaces of all pointers that are stored to the variable or loaded from it */
    bool open;  /* the variable has uses other than whole loads and stores, and is not replaced */
    uint32_t tag, part[NF_PARTS];
};

/* In hint mode and on flat devices: the phi operands that need a cast at the end of their incoming block. */
struct nf_phi_casts {
    struct nf_phi_cast {
        uint32_t phi, value, cast, next;
    } * at;
    uint32_t count, capacity;
    uint32_t *of_block; /* by label of the input: index of the block's first cast; 0: none */
};

/* The block that is being written. */
struct nf_block_state {
    uint32_t label;             /* label in the output; splitting an access begins a block with a new label */
    bool closed;                /* the casts of phi operands at its end are emitted */
    uint32_t line_at, scope_at; /* word offsets of its last line and scope in the input; 0: none */
};

/* The instance that is being written. Its arrays are allocated once and reused for every instance. */
struct nf_body {
    const struct nf_function *f;
    uint32_t instance;
    uint32_t at;   /* the instruction that is being rewritten */
    bool keep_ids; /* this instance keeps the ids of the input; the function's other instances get new ids */
    struct nf_block_state block;
    uint32_t function_at;  /* word offset in the bodies at which the function begins */
    uint32_t variables_at; /* word offset after the input's variables, where temporaries are inserted */
    uint32_t entry_at;     /* word offset after all variables */

    /* values, by id of the input */
    uint32_t *renamed;     /* the output's id of a value that is not a generic pointer */
    uint32_t *tuple_index; /* the index of a generic pointer's tuple in tuples; 0: none */
    struct nf_tuple *tuples;
    uint32_t tuple_count, tuple_capacity;
    uint32_t *raw_of; /* the pointer as loaded, before its conversion from a flat address, for calls through it; NULL:
                       * the module takes no function's address, or memory holds no private or local pointer */

    /* phis */
    struct nf_phi_patch *patches;
    uint32_t patch_count, patch_capacity;
    uint32_t *exit_label; /* by label of the input: the label of the output's block that ends the input's block, 0: the
                           * same label; NULL: no block was split */
    uint32_t *tag_required; /* by id of the input: the last instance in which a phi needs the value's tag; NULL: none */
    uint32_t *worklist, worklist_capacity;

    /* arguments */
    uint32_t *number_parameters; /* pairs: the id of a parameter that is passed as a flat address, and the input's id,
                                    which becomes a tuple after the variables */
    uint32_t number_parameter_count;
    uint32_t *by_value; /* pairs: a by-value argument that may be written, and its copy */
    uint32_t by_value_count;

    /* variables */
    uint32_t *own_variables; /* of temporaries.c: triples of pointee type, pointer type and id */
    uint32_t own_variable_count, own_variable_capacity;
    uint32_t *tuple_variable_of; /* by id of the input: index into tuple_variables, 0: none; NULL: all are 0 */
    struct nf_tuple_variable *tuple_variables;
    uint32_t tuple_variable_count, tuple_variable_capacity;
};

/* A copy is defined like the input's id; is made for the id in another form, and gets its names and alignment only; or
 * is another value of the input, which gets its names only. */
enum nf_copy_kind { NF_COPY_SAME, NF_COPY_MADE, NF_COPY_OTHER };

/* The ids of the output for each annotated id of the input: clones emit one definition several times. */
struct nf_copies {
    uint32_t *first; /* by id of the input: index + 1 of its newest copy; 0: none */
    struct nf_copy_of {
        uint32_t id, next;
        enum nf_copy_kind kind;
    } * at;
    uint32_t count, capacity;
    uint8_t *annotated; /* by id of the input: it has a name or a decoration, or is a function */
};

/* The module that is being written. */
struct nf_output {
    struct nf_module *m;
    struct nf_builder build; /* new ids, the table of unique definitions, and new types and constants, which are
                                written after the input's own */
    struct nf_words early;   /* the address type, if the input has none: it precedes all other types */
    struct nf_words bodies, helpers, names, declarations;
    uint32_t helper_count;
    uint8_t *hazards;    /* by instance: enum nf_hazard; NULL: there are none (vectorizer_hints.c) */
    uint32_t dispatched; /* number of dispatched accesses, counted where NF_HAZARD_DISPATCH is noted */
    bool *large;         /* by function: must not be inlined into its callers; NULL: not computed yet */
    struct nf_copies copies;

    uint32_t *type_of_type;       /* by id: the type or constant that replaces it in the output, 0: itself */
    uint8_t *used;                /* by id of the input at module scope: the output uses it */
    uint32_t address_type;        /* unsigned integer as wide as an address */
    uint32_t debug_none;          /* DebugInfoNone of the input */
    bool concrete_memory;         /* private or local pointers lie in memory: see typed_pointers_in_memory.c */
    bool raw_addresses;           /* private or local pointers in memory may be device addresses, not flat addresses */
    struct nf_windows windows[2]; /* of private and of local memory */
    bool numbered;                /* device addresses hold buffer numbers: see flat.c */

    struct nf_body body;
    struct nf_phi_casts phi_casts;
};

/* ---- builder.c: types, constants, instructions ---- */
static inline uint32_t nf_new_id(struct nf_output *o)
{
    return nf_build_id(&o->build);
}
/* Appends an instruction with `count` operand words to the bodies. */
void nf_emit(struct nf_output *o, uint32_t opcode, const uint32_t *operands, uint32_t count);
/* Appends an instruction with a new result id, which it returns. `words`: the result type, then the operands. A macro
 * passes them as an array, whose elements GCC and clang evaluate in order, so that new constants get the same ids. */
uint32_t nf_emit_new(struct nf_output *o, uint32_t opcode, const uint32_t *words, uint32_t count);
#define NF_EMIT(o, opcode, ...)                                                                                        \
    nf_emit((o), (opcode), (uint32_t[]){__VA_ARGS__}, sizeof((uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t))
#define NF_EMIT_NEW(o, opcode, type, ...)                                                                              \
    nf_emit_new((o), (opcode), (uint32_t[]){(type), __VA_ARGS__},                                                      \
                sizeof((uint32_t[]){0, __VA_ARGS__}) / sizeof(uint32_t))
/* Returns the id of the type or constant at module scope with this opcode and these operands, which exclude the result
 * id. Creates it if the output's table of definitions has none. */
uint32_t nf_global(struct nf_output *o, uint32_t opcode, uint32_t type, const uint32_t *operands, uint32_t count);
uint32_t nf_uint(struct nf_output *o, uint32_t value);                   /* a 32-bit constant */
uint32_t nf_integer(struct nf_output *o, uint32_t type, uint32_t value); /* of an integer type, 32 or 64 bits wide */
uint32_t nf_address_constant(struct nf_output *o, uint64_t value);
uint32_t nf_null(struct nf_output *o, uint32_t type);
uint32_t nf_pointer_type(struct nf_output *o, uint32_t storage, uint32_t pointee);
/* Returns the output's id of a type or constant of the input and marks it as used. Except in hint mode, a generic
 * pointer type becomes the integer type of its memory form. */
static inline uint32_t nf_memory_type(struct nf_output *o, uint32_t type)
{
    uint32_t same = o->type_of_type[type];
    uint32_t id = same ? same : type;
    if (id < o->m->bound && !o->used[id]) o->used[id] = 1;
    return id;
}
/* Returns the concrete pointer type that `generic_type` has in `space`. */
uint32_t nf_part_type(struct nf_output *o, uint32_t generic_type, nf_set space);
uint32_t nf_uint_type(struct nf_output *o);
uint32_t nf_byte_type(struct nf_output *o);
uint32_t nf_bool_type(struct nf_output *o);
uint32_t nf_void_type(struct nf_output *o);

/* ---- flat.c: addresses as integers ---- */
/* Added to an address of a numbered buffer, whose offsets lie in [-2^31, 2^31), so that none is negative. */
#define NF_HALF_OF_OFFSETS 0x80000000u
/* Chooses the windows of the profile's address form. Must be called before the output is written. */
void nf_begin_addresses(struct nf_output *o);
/* Returns true if each flat address of `space` is the device address itself. */
bool nf_has_identity_address(const struct nf_output *o, nf_set space);
/* Returns true if the space of a flat address can be computed, or is not needed: the device has one address space. */
bool nf_can_compute_space(const struct nf_output *o);
/* Returns the first window of the space; NULL if it has none. */
const struct nf_window *nf_first_window(const struct nf_output *o, nf_set space);
/* Emit the conversion of a concrete pointer of the output's type `type` to its flat address (`non_null`: without a test
 * for null), and back. */
uint32_t nf_pointer_to_integer(struct nf_output *o, uint32_t pointer, uint32_t type, nf_set space, bool non_null);
uint32_t nf_pointer_from_integer(struct nf_output *o, uint32_t integer, uint32_t type, nf_set space);
/* Returns true if addresses have 64 bits, and the space has exactly one window, of 32 bits. */
bool nf_has_short_window(const struct nf_output *o, nf_set space);
/* Emits the signed 32-bit distance of a pointer, not null, of a space with a short window, from device address 0. */
uint32_t nf_distance_in_window(struct nf_output *o, uint32_t pointer, uint32_t type, nf_set space);
/* Emits the conversion of an integer that the program itself converts to a concrete pointer. With 64-bit addresses an
 * integer below 2^32 has lost its high bits; with 32-bit addresses one outside of the window is a device address. */
uint32_t nf_concrete_from_integer(struct nf_output *o, uint32_t integer, uint32_t type, nf_set space);
/* Emits the conversion of an integer that is a flat address or, outside of the space's windows, a device address. */
uint32_t nf_pointer_from_raw(struct nf_output *o, uint32_t integer, uint32_t type, nf_set space);
/* Emit the conversion of a generic pointer to its flat address, and back. `generic_type` is the pointer's type in the
 * input. `evidence`: that of the integer; 0 if the pointer is only used for an access. */
uint32_t nf_tuple_to_integer(struct nf_output *o, const struct nf_tuple *tuple, uint32_t generic_type, bool non_null);
struct nf_tuple nf_tuple_from_integer(struct nf_output *o, uint32_t integer, nf_set set, nf_set evidence,
                                      uint32_t generic_type);

/* ---- escapes.c: addresses whose escape the driver's compiler misses ---- */
/* Return the pointer, or its address as an integer; if must_escape(), it is loaded from a volatile temporary. */
uint32_t nf_escaped_pointer(struct nf_output *o, uint32_t pointer, uint32_t type, nf_set space);
uint32_t nf_escaped_address(struct nf_output *o, uint32_t pointer, uint32_t type, nf_set space);

/* ---- tuples.c: generic pointers in SSA ---- */
/* Return the id of the tuple's tag; the id of a bool that is true if the tag names `space`. */
uint32_t nf_tag_as(struct nf_output *o, const struct nf_tuple *tuple);
uint32_t nf_has_tag(struct nf_output *o, const struct nf_tuple *tuple, nf_set space);

/* ---- dispatch.c: accesses whose pointers are ambiguous ---- */
struct nf_operand_form {
    uint32_t word;         /* literal, or id in the output */
    uint32_t type;         /* output type of an id that the helper takes as a parameter; 0: not passed */
    struct nf_tuple tuple; /* an ambiguous pointer; its set is 0 for other operands */
    uint32_t generic_type; /* the input's type of a generic pointer */
    nf_set space;          /* the space of a pointer in one space */
};
/* Emits a call of the helper that executes `opcode` with these operands, and makes the helper if there is none yet. The
 * call has the type `result_type` (0: none) and the id `result` (0: a new id). Returns the result's id. */
uint32_t nf_dispatch(struct nf_output *o, uint32_t opcode, uint32_t result_type, uint32_t result,
                     const struct nf_operand_form *forms, uint32_t count);
/* Ends the helper `id` in o->bodies, names it `nonflat.WHAT.NUMBER`, and restores o->bodies from `bodies`. */
void nf_end_helper(struct nf_output *o, struct nf_words bodies, uint32_t id, const char *what);
/* Emits the access itself, with concrete pointers. `first_space`: of its first operand; 0 if no pointer, or unknown. */
void nf_access(struct nf_output *o, uint32_t opcode, uint32_t type, uint32_t id, const uint32_t *words, uint32_t count,
               nf_set first_space);

/* ---- vectorizer_hints.c: kernels that a driver's vectorizer must not transform ---- */
enum nf_hazard {
    NF_HAZARD_DISPATCH = 1, /* an access is dispatched on a tag */
    NF_HAZARD_ESCAPE = 2,   /* an address becomes an integer */
    NF_HAZARD_CALLED = 4,   /* the function must not be inlined into its callers */
    NF_HAZARD_NUMBER = 8    /* a constant integer is converted to a pointer */
};
/* Records a hazard of the instance that is being written, if a hint can stop the driver from vectorizing. */
void nf_note_hazard(struct nf_output *o, enum nf_hazard hazard);
/* Returns true unless inlining the function that is written could make Intel's vectorizer take minutes. */
bool nf_may_inline(struct nf_output *o);
/* Writes the VecTypeHint execution modes of the kernels that must not be vectorized. */
void nf_emit_vector_hints(struct nf_output *o, struct nf_words *out);

/* ---- split.c: pointers whose space a condition decides ---- */
struct nf_split_access {
    uint32_t opcode, type, result; /* `type` and `result` are 0 if the access has no result */
    struct nf_operand_form *forms;
    uint32_t count;
};
/* Sets the condition of `tuple`, the result of a split select, from the select's condition and its two arms. */
void nf_split_select(struct nf_output *o, struct nf_tuple *tuple, uint32_t condition, const struct nf_tuple *yes,
                     const struct nf_tuple *no);
/* Emits the access, with a branch on the condition of each split pointer. Dispatches on the tags of the others. */
void nf_emit_split_access(struct nf_output *o, const struct nf_split_access *access);

/* Begins a block that the input does not have; the preceding block already has its terminator. */
void nf_begin_block(struct nf_output *o, uint32_t label);
/* Emits the current line and scope, which end with a block, again in the new block after its phis. */
void nf_repeat_line(struct nf_output *o);

/* ---- memory_functions.c: memory functions that compilers leave as imports ---- */
uint32_t nf_byte_pointer(struct nf_output *o, nf_set space);
/* Returns the tuple's part in `space` as a pointer to bytes; `type` is the pointer's type in the input. */
uint32_t nf_as_byte_pointer(struct nf_output *o, const struct nf_tuple *tuple, nf_set space, uint32_t type);
/* Emits a memmove from tuples[1] to tuples[0] or, with a `value` (the id of an 8-bit integer), a memset of tuples[0].
 * `types` are the pointers' types in the input. */
void nf_memory_call(struct nf_output *o, const struct nf_tuple *tuples, const uint32_t *types, uint32_t value,
                    uint32_t size, uint32_t size_type);

/* ---- typed_pointers_in_memory.c ---- */
/* Sets concrete_memory and raw_addresses, and allocates body.raw_of. */
void nf_find_concrete_memory(struct nf_output *o);

/* ---- definitions.c: types and constants of the input ---- */
/* Fills type_of_type and finds the address type, before any body is written. */
void nf_map_definitions(struct nf_output *o);
static inline bool nf_is_annotation(uint32_t opcode)
{
    return opcode == OpName || opcode == OpMemberName || (opcode >= OpDecorate && opcode <= OpGroupMemberDecorate) ||
           opcode == OpDecorateId || opcode == OpDecorateString || opcode == OpMemberDecorateString;
}
/* Return true if the input defines the id in a function; if the output has a definition of it. */
bool nf_is_defined_in_body(const struct nf_module *m, uint32_t id);
bool nf_is_emitted(const struct nf_output *o, uint32_t id);
/* When all bodies have marked the ids that they use, marks those of roots (is_root()) and those that marked ids use. */
void nf_find_used(struct nf_output *o);

/* ---- annotations.c: names and decorations ---- */
void nf_find_annotated(struct nf_output *o);
/* Records the names of the kernels that copy by-value arguments. */
void nf_note_kernel_names(struct nf_output *o);
/* Writes the annotation for each copy of its target that it fits. */
void nf_emit_annotation(struct nf_output *o, struct nf_words *out, uint32_t at);

/* ---- body.c: the body of an instance ---- */
void nf_rewrite_instance(struct nf_output *o, uint32_t instance);

/* ---- write.c: the sections of the module ---- */
void nf_write_module(struct nf_output *o, struct nf_words *output);

/* ---- values.c: ids, parts, constants, memory ---- */
/* Returns the tuple of the generic pointer `id`. The result is valid until the next tuple is made. */
struct nf_tuple *nf_tuple_of(struct nf_output *o, uint32_t id);
/* Records `copy` as an output id for the input's `id`, so that it gets the names and decorations of `id`. */
void nf_remember_copy(struct nf_output *o, uint32_t id, uint32_t copy, enum nf_copy_kind kind);
static inline uint32_t nf_type_id_of(const struct nf_module *m, uint32_t id)
{
    return nf_result_type(m, m->def[id]);
}
static inline bool nf_keeps_generic(const struct nf_output *o)
{
    return o->m->options->mode == NF_MODE_HINT;
}
/* Returns the output's id of a label, a type, or a value that is not a generic pointer. */
static inline uint32_t nf_mapped(struct nf_output *o, uint32_t id)
{
    const struct nf_module *m = o->m;
    if (id >= m->bound) return id;
    uint32_t def = m->def[id];
    if (def >= m->body_at) return o->body.renamed[id] ? o->body.renamed[id] : id;
    return def ? nf_memory_type(o, id) : id; /* marks any module-scope id as used */
}
/* Returns the id for a value of the instance being written: `id` itself if the instance keeps ids, else a new id. */
uint32_t nf_output_id(struct nf_output *o, uint32_t id);
/* Returns the id for a part of `id`: nf_output_id() if it is the only part, to keep names and decorations. */
uint32_t nf_part_id(struct nf_output *o, const struct nf_tuple *tuple, uint32_t id);
struct nf_tuple *nf_new_tuple(struct nf_output *o, uint32_t id);
/* Returns true for a parameter that is a typed private pointer. In a kernel, it points to a by-value argument. */
bool nf_is_by_value(const struct nf_module *m, uint32_t at);
/* Returns true if the pointer `id` is known not to be null: it points into a variable or a by-value argument. */
bool nf_is_non_null(const struct nf_module *m, uint32_t id);
/* Emits the conversion of the generic pointer `id` to its memory form. */
uint32_t nf_to_memory(struct nf_output *o, uint32_t id);
/* Sets the tuple of `id`; `dead` is not changed. */
void nf_set_tuple(struct nf_output *o, uint32_t id, struct nf_tuple tuple);
/* Converts `from`, a pointer of the generic type `type`, to the set of `id`. Returns the result, the tuple of `id`. */
struct nf_tuple nf_define_tuple(struct nf_output *o, uint32_t id, const struct nf_tuple *from, uint32_t type);
/* Emits the conversion of the memory form `form` to the tuple of `id`. */
void nf_from_memory(struct nf_output *o, uint32_t form, uint32_t id);
/* Returns the id of any operand in the form that memory, aggregates, and callees without tuple parameters take. */
static inline uint32_t nf_memory_form(struct nf_output *o, uint32_t id)
{
    return nf_is_generic_value(o->m, id) ? nf_to_memory(o, id) : nf_mapped(o, id);
}
/* Returns the evidence of the value in the instance that is being written; 0 for a value at module scope. */
nf_set nf_evidence_of(const struct nf_output *o, uint32_t id);
/* Maps `id` to `copy` in the output, so that no instruction is emitted for `id`. */
void nf_rename_to(struct nf_output *o, uint32_t id, uint32_t copy);

/* Returns the tuple of `id` for an access, without a global part that only preserves bits (nf_value_set()). */
struct nf_tuple nf_narrowed(struct nf_output *o, uint32_t id);

/* Returns true if the device has one address space and the tuple has no part in `space`, so that a cast through an
 * integer makes the pointer in `space`. */
bool nf_needs_flat_cast(const struct nf_output *o, const struct nf_tuple *tuple, nf_set space);
/* Returns the id of the tuple's pointer in `space`; null, or a cast, if the tuple lacks that part. */
uint32_t nf_part_as(struct nf_output *o, const struct nf_tuple *tuple, nf_set space, uint32_t generic_type);

/* ---- integers.c: pointers as integers, and comparisons ---- */
/* Copies a conversion of a vector of generic pointers to integers, and refuses any other instruction on such vectors.
 * Returns false, without output, if the instruction has no such vector, and in hint mode. */
bool nf_emit_vector(struct nf_output *o, uint32_t at, enum nf_role role);
/* Emits a conversion of a concrete pointer to or from a flat address. Returns false if it can be copied. */
bool nf_emit_concrete_conversion(struct nf_output *o, uint32_t at);
void nf_emit_to_integer(struct nf_output *o, uint32_t at);
void nf_emit_to_pointer(struct nf_output *o, uint32_t at);
void nf_emit_compare(struct nf_output *o, uint32_t at);
/* Emits a comparison of the integers of two pointers in one short window; returns false if they are not known to be. */
bool nf_emit_window_comparison(struct nf_output *o, uint32_t at);

/* ---- copy_instruction.c ---- */
/* Emits the instruction with its ids mapped, and generic pointers in their memory form. */
void nf_emit_plain(struct nf_output *o, uint32_t at);

/* ---- pointers.c: instructions from pointers to pointers ---- */
/* Emits an access chain, a bitcast or a copy of a generic pointer once for each part. */
void nf_emit_parts(struct nf_output *o, uint32_t at);
void nf_emit_cast_to_generic(struct nf_output *o, uint32_t at);
void nf_emit_cast_to_concrete(struct nf_output *o, uint32_t at);
void nf_emit_select(struct nf_output *o, uint32_t at);
void nf_emit_semantics(struct nf_output *o, uint32_t at);
void nf_emit_bitcast(struct nf_output *o, uint32_t at);

/* ---- phis.c ---- */
void nf_emit_phi(struct nf_output *o, uint32_t at);
/* Fills in the operands of the function's phis, once the function is written. */
void nf_fill_in_phis(struct nf_output *o);
/* Marks the values whose tag a phi needs, before the function is written. */
void nf_mark_needed_tags(struct nf_output *o);
/* In hint mode and on flat devices: find the phi operands to cast at the end of each block; emit a block's casts. */
void nf_note_phi_casts(struct nf_output *o);
void nf_close_block(struct nf_output *o, uint32_t label);

/* ---- access.c: accesses ---- */
void nf_emit_access(struct nf_output *o, uint32_t at);
/* Returns the type, in memory, of what the generic pointer points to. */
uint32_t nf_pointee_in_memory(struct nf_output *o, uint32_t pointer);
/* Emits a store of the value of the temporary `variable` through the generic pointer. */
void nf_copy_back(struct nf_output *o, uint32_t at, uint32_t pointer, uint32_t variable);
/* Emits debug information or an instruction of the role `touch`. Drops some of them, as access.c describes. */
void nf_emit_silent(struct nf_output *o, uint32_t at);

/* ---- typed_pointers_in_memory.c ---- */
/* Returns true if `type` is a typed concrete pointer whose flat addresses differ from its device addresses. */
bool nf_has_flat_address(const struct nf_output *o, const struct nf_type *type);
/* Return true if the instruction stores a pointer with flat addresses; loads or extracts one (if concrete_memory). */
bool nf_stores_typed_pointer(const struct nf_output *o, uint32_t at);
bool nf_loads_typed_pointer(const struct nf_output *o, uint32_t at);
/* Emits the conversion of the concrete pointer `id` to its form in memory. */
uint32_t nf_stored_pointer(struct nf_output *o, uint32_t id);
/* Emits the conversion of `raw`, the result of the load or extract at `at`, to the concrete pointer. */
void nf_emit_loaded_pointer(struct nf_output *o, uint32_t at, uint32_t raw);
/* Emits the instruction, and returns true, if it makes an aggregate of concrete pointers. Needs o->concrete_memory. */
bool nf_emit_concrete_parts(struct nf_output *o, uint32_t at);
/* Emits the instruction, and returns true, if it casts a loaded pointer to a function pointer. Needs o->body.raw_of. */
bool nf_emit_code_pointer(struct nf_output *o, uint32_t at);

/* ---- tuple_variables.c ---- */
/* Finds the variables of one generic pointer that become a variable for each part. */
void nf_find_tuple_variables(struct nf_output *o);
/* Emits the instruction, and returns true, if it declares, loads or stores a tuple variable. */
bool nf_emit_tuple_variable(struct nf_output *o, uint32_t at);

/* ---- gather.c ---- */
/* Emits the instruction, and returns true, if it is a gather or scatter through a vector of generic pointers. */
bool nf_emit_gather(struct nf_output *o, uint32_t at);

/* ---- calls.c: functions and calls ---- */
void nf_emit_head(struct nf_output *o);
void nf_emit_return(struct nf_output *o, uint32_t at);
void nf_emit_call(struct nf_output *o, uint32_t at);
void nf_emit_indirect_call(struct nf_output *o, uint32_t at);

/* ---- imports.c: calls of functions without a body ---- */
/* Emits the declaration of a function without a body, unless its calls are replaced. */
void nf_emit_declaration(struct nf_output *o, const struct nf_function *f);
void nf_emit_import(struct nf_output *o, uint32_t at, const struct nf_function *f);

/* ---- prologue.c: before a function's first instruction ---- */
/* Declare the copies of a kernel's by-value arguments; copy the arguments to them. */
void nf_declare_copies(struct nf_output *o);
void nf_copy_arguments(struct nf_output *o);
/* Converts to tuples the parameters that are passed as flat addresses. */
void nf_convert_integer_parameters(struct nf_output *o);

/* ---- temporaries.c: variables that the output adds ---- */
/* Memory operands of the volatile accesses of a temporary. */
enum { NF_VOLATILE_ALIGNED = NF_MEMORY_VOLATILE | NF_MEMORY_ALIGNED, NF_ESCAPE_ALIGNMENT = 8 };
/* Returns true if the driver's compiler does not detect the escape of an address as an integer. */
static inline bool nf_hides_escapes(const struct nf_output *o)
{
    return nf_has_fault(o->m->options->profile, NF_FAULT_INTEL_ESCAPING_ADDRESSES);
}
/* Returns a temporary of the type `type` in the function that is being written. Calls with other values of `number`, in
 * ascending order, return other temporaries. */
uint32_t nf_temporary(struct nf_output *o, uint32_t type, uint32_t number);
/* Declares the temporaries at the beginning of the function, once the function is written. */
void nf_declare_temporary_variables(struct nf_output *o);

#endif
