/* SPDX-License-Identifier: Apache-2.0 */
/*
 * internal.h - for the files of src/emit only: the state of one emission, the forms of instructions, and the functions
 * that the files share.
 *
 * Integer values have the unsigned types of OpenCL C; an instruction that is signed casts its operands. In memory,
 * scalars have types that may alias (u32, f32...), a pointer is an integer of the width of an address, and a bool is a
 * byte.
 */
#ifndef NF_EMIT_INTERNAL_H
#define NF_EMIT_INTERNAL_H

#include "emit/emit.h"

/* The forms that an instruction can take in the text: X(name, traits). The function nf_form_NAME() of a form writes the
 * expression, or the whole statement if the traits have STATEMENT; that of `refused` refuses the module. */
#define NF_FORMS(X)                                                                                                    \
    X(refused, EFFECT | STATEMENT)                                                                                     \
    X(nothing, SILENT)                                                                                                 \
    X(undefined, PRIMARY | RAW_HALF)                                                                                   \
    X(variable, EFFECT | STATEMENT)                                                                                    \
    X(call, EFFECT | RAW_HALF)                                                                                         \
    X(operator, 0)                                                                                                     \
    X(multiply, 0)                                                                                                     \
    X(signed_operator, 0)                                                                                              \
    X(signed_modulo, PRIMARY)                                                                                          \
    X(float_modulo, PRIMARY)                                                                                           \
    X(prefix, 0)                                                                                                       \
    X(dot_product, PRIMARY)                                                                                            \
    X(shift, 0)                                                                                                        \
    X(signed_shift, 0)                                                                                                 \
    X(bit_count, PRIMARY)                                                                                              \
    X(bit_reverse, PRIMARY)                                                                                            \
    X(bit_field_insert, PRIMARY | REPEATS)                                                                             \
    X(bit_field_extract, PRIMARY | REPEATS)                                                                            \
    X(extended_arithmetic, STATEMENT | REPEATS)                                                                        \
    X(count_trailing_zeros, PRIMARY | REPEATS)                                                                         \
    X(compare, 0)                                                                                                      \
    X(signed_compare, 0)                                                                                               \
    X(negated_compare, 0)                                                                                              \
    X(relation, PRIMARY)                                                                                               \
    X(negated_relation, 0)                                                                                             \
    X(pointer_difference, 0)                                                                                           \
    X(all_or_any, PRIMARY)                                                                                             \
    X(logical, 0)                                                                                                      \
    X(logical_not, 0)                                                                                                  \
    X(select, RAW_HALF)                                                                                                \
    X(convert, 0)                                                                                                      \
    X(convert_to_integer, 0)                                                                                           \
    X(convert_saturated, 0)                                                                                            \
    X(bitcast, RAW_HALF)                                                                                               \
    X(copy, RAW_HALF)                                                                                                  \
    X(copy_logical, STATEMENT | RAW_HALF)                                                                              \
    X(extract_dynamic, PRIMARY | RAW_HALF)                                                                             \
    X(insert_dynamic, STATEMENT | RAW_HALF)                                                                            \
    X(shuffle, PRIMARY | RAW_HALF | REPEATS)                                                                           \
    X(construct, PRIMARY | RAW_HALF)                                                                                   \
    X(extract, RAW_HALF)                                                                                               \
    X(insert, STATEMENT | RAW_HALF)                                                                                    \
    X(load, READS | RAW_HALF)                                                                                          \
    X(store, EFFECT | STATEMENT | RAW_HALF)                                                                            \
    X(copy_memory, EFFECT | STATEMENT | RAW_HALF)                                                                      \
    X(copy_sized, EFFECT | STATEMENT | RAW_HALF)                                                                       \
    X(chain, RAW_HALF)                                                                                                 \
    X(atomic, EFFECT | STATEMENT | RAW_HALF | REPEATS)                                                                 \
    X(signed_atomic, EFFECT | STATEMENT | RAW_HALF | REPEATS)                                                          \
    X(float_atomic, EFFECT | STATEMENT | RAW_HALF | REPEATS)                                                           \
    X(atomic_flag, EFFECT | STATEMENT | RAW_HALF)                                                                      \
    X(barrier, EFFECT | STATEMENT)                                                                                     \
    X(memory_barrier, EFFECT | STATEMENT)                                                                              \
    X(async_copy, EFFECT | RAW_HALF)                                                                                   \
    X(wait_events, EFFECT | STATEMENT)                                                                                 \
    X(group, EFFECT)                                                                                                   \
    X(broadcast, EFFECT | RAW_HALF)                                                                                    \
    X(reduce, EFFECT)                                                                                                  \
    X(signed_reduce, EFFECT)                                                                                           \
    X(subgroup, EFFECT | RAW_HALF | REPEATS)                                                                           \
    X(ballot_count, EFFECT)                                                                                            \
    X(intel_shuffle, EFFECT | RAW_HALF | REPEATS)                                                                      \
    X(sampled_image, SILENT)                                                                                           \
    X(image_of_sampled, SILENT)                                                                                        \
    X(image_sample, EFFECT | REPEATS)                                                                                  \
    X(image_read, EFFECT | REPEATS)                                                                                    \
    X(image_write, EFFECT | STATEMENT | REPEATS)                                                                       \
    X(image_size, PRIMARY | REPEATS)                                                                                   \
    X(image_query, PRIMARY)                                                                                            \
    X(function, PRIMARY)                                                                                               \
    X(bit_function, PRIMARY | RAW_HALF)                                                                                \
    X(quiet_nan, PRIMARY | RAW_HALF)                                                                                   \
    X(next_after, PRIMARY)                                                                                             \
    X(signed_arguments, PRIMARY)                                                                                       \
    X(signed_function, 0)                                                                                              \
    X(signed_upsample, 0)                                                                                              \
    X(signed_last, PRIMARY)                                                                                            \
    X(signed_result, 0)                                                                                                \
    X(out_pointer, EFFECT)                                                                                             \
    X(vector_load, READS | RAW_HALF)                                                                                   \
    X(vector_store, EFFECT | RAW_HALF)                                                                                 \
    X(printf, EFFECT)                                                                                                  \
    X(prefetch, EFFECT | RAW_HALF)                                                                                     \
    X(std_select, PRIMARY | RAW_HALF)

enum nf_form_kind {
#define X(name, traits) NF_FORM_##name,
    NF_FORMS(X)
#undef X
};

enum nf_trait {
    NF_TRAIT_EFFECT = 1,    /* counts as a side effect: is written at its position, even if its result has no use */
    NF_TRAIT_READS = 2,     /* reads memory: may be written at its use if no side effect lies between */
    NF_TRAIT_STATEMENT = 4, /* writes whole statements, not an expression */
    NF_TRAIT_SILENT = 8,    /* writes nothing of its own */
    NF_TRAIT_PRIMARY = 16,  /* its expression needs no parentheses as an operand */
    NF_TRAIT_REPEATS = 64,  /* no operand is inlined as an expression: most of these forms write one twice */
    NF_TRAIT_RAW_HALF = 32  /* moves values: takes halves as their bits if the compiler has no half */
};

struct nf_form {
    uint8_t kind;     /* enum nf_form_kind */
    const char *text; /* an operator or a name */
};

/* An instruction: a core or an extended instruction, or the operation of an OpSpecConstantOp. */
struct nf_insn {
    const struct nf_op *op;
    const struct nf_form *form;
    uint32_t at, type, id; /* word index of the instruction; ids of result type and result, 0: none */
    uint32_t count;        /* number of operands */
    const uint32_t *operands;
};

/* Facts about an id. */
enum nf_id_fact {
    NF_ID_USED = 1,          /* a type or a variable of the module: the text names it */
    NF_ID_TYPE_RAW = 2,      /* a type: the text names its twin in which floats are integers */
    NF_ID_INLINED = 4,       /* a value: written at its only use */
    NF_ID_CROSSING = 8,      /* a value: used in another block, so declared at the head of its function */
    NF_ID_DECLARED = 16,     /* a value: has its declaration */
    NF_ID_BY_VALUE = 32,     /* a parameter: a pointer to a structure that is passed by value */
    NF_ID_RAW_VARIABLE = 64, /* a module-scope variable, declared with a raw type */
    NF_ID_SHARED = 128       /* a function: is called, or is the body of several kernels */
};

/* Decorations of values that change their text. */
struct nf_decorations {
    uint32_t align;    /* 0: none */
    uint16_t built_in; /* 1 + the number of the built-in */
    uint8_t rounding;  /* 1 + the rounding mode */
    bool saturated, packed, is_volatile;
};

/* A name that something in the text must have, so that no identifier may be equal: the name of a kernel, a symbol of a
 * library, or a type of the text. */
struct nf_fixed_name {
    const char *name;
    struct nf_fixed_name *next;
};

struct nf_block_info;
struct nf_emitter;

/* The type of the functions nf_form_NAME(): each writes an instruction of the form NAME. */
typedef void nf_writer(struct nf_emitter *e, const struct nf_insn *i);

struct nf_emitter {
    struct nf_module *m;
    struct nf_arena *arena;
    nf_writer *const *writers;                          /* by enum nf_form_kind: the nf_form_NAME() of each form */
    struct nf_text *to;                                 /* the section to which text is appended */
    struct nf_text head, helpers, variables, functions; /* the sections of the program, in this order */
    struct nf_text declarations, body; /* the current function: the declarations at its head, and the statements */
    struct nf_renamed *renamed;
    uint32_t version, features;
    uint8_t *raw_needs;     /* by id of a constant: 0: not known yet; else 1 + its enum nf_raw_need */
    uint32_t operations;    /* depth of the constant operation that is being written */
    uint32_t needs;         /* NF_NEEDS_* */
    uint32_t widened_sizes; /* bit n: the text widens or narrows vectors of n halves */
    uint8_t *facts;         /* by id: enum nf_id_fact */
    uint8_t *uses;          /* by id: number of uses in written instructions, at most 2; a use in a phi counts as 2 */
    uint32_t *block_of;     /* by id: number of the block that defines the value, or that the label begins */
    uint32_t *moment;       /* by id: the value of `effects` at the earliest load in an inlined expression, if any */
    uint8_t *depth;         /* by id: the depth of an inlined expression */
    uint32_t effects;       /* number of side effects counted so far */
    uint32_t *name_at;      /* by id: word of its OpName, 0: none */
    struct nf_fixed_name **fixed;        /* by number: the fixed names that end with it */
    struct nf_decorations **decorations; /* by id; NULL: the id has none */
    struct nf_builder made;              /* the helpers made so far, by their keys */
    const struct nf_function *function;
    uint8_t *reached;      /* by function index: a kernel or an exported function reaches it */
    uint8_t *waits;        /* by function index: it reaches a barrier or a collective function */
    bool has_local_memory; /* the module has pointers to local memory */
    bool in_kernel;        /* the current function is a kernel */
    bool widens;           /* the current instruction is written with floats for halves, because the compiler has no
                            * half */
    bool dry;              /* nothing is written: the walk only finds the labels that are needed */
    uint32_t indent, line_file;
    uint32_t *locals; /* module-scope variables in local memory */
    uint32_t local_count, local_words;
    uint32_t *local_uses; /* by function index: a bit for each of `locals` that it or a callee names */
    size_t longest;       /* greatest length of a section in bytes; doubled when the sections are joined to the
                           * program */
};

/* Features that the text needs beyond OpenCL C 1.2 without extensions. */
enum {
    NF_NEEDS_FP64 = 1,
    NF_NEEDS_FP16 = 2,
    NF_NEEDS_ATOMICS64 = 4,
    NF_NEEDS_3D_WRITES = 8,
    NF_NEEDS_SUBGROUPS = 16,
    NF_NEEDS_HALF_HELPERS = 32
};

/* ---- text.c: writes text ---- */

/* Writes the argument of one conversion of a format. */
typedef void nf_say_argument(struct nf_emitter *e, char conversion, va_list *arguments);
/* Appends a format. `say_argument` writes the replacement of each `%` and the character after it. */
void nf_say_format(struct nf_emitter *e, const char *format, va_list *arguments, nf_say_argument *say_argument);
/* Appends formatted text. %s, %u, %c and %% are as in printf, and %x begins with 0x. */
void nf_say_text(struct nf_emitter *e, const char *format, ...);
void nf_say_plain_argument(struct nf_emitter *e, char conversion, va_list *arguments);
void nf_say_string(struct nf_emitter *e, const char *string);
void nf_say_number(struct nf_emitter *e, uint64_t number);
void nf_say_hex(struct nf_emitter *e, uint64_t number);
void nf_say_char(struct nf_emitter *e, char character);
/* Begins a line of the current function. */
void nf_say_indent(struct nf_emitter *e);
/* Appends a string literal of `length` bytes. */
void nf_say_literal(struct nf_emitter *e, const char *bytes, size_t length);
/* Refuses the module because of the instruction at `at`. */
_Noreturn void nf_refuse(struct nf_emitter *e, uint32_t at, const char *format, ...)
    __attribute__((format(NF_PRINTF, 3, 4)));

/* ---- annotations.c: names and decorations ---- */

void nf_read_annotations(struct nf_emitter *e);
/* Returns the decorations of the id, never NULL. */
const struct nf_decorations *nf_decorations_of(const struct nf_emitter *e, uint32_t id);

/* ---- names.c: identifiers ---- */

/* Finds the names that identifiers must differ from, before any of them is written. */
void nf_find_fixed_names(struct nf_emitter *e);
/* Returns true if the identifier `name`, which ends with `number`, is a fixed name. */
bool nf_is_fixed_name(const struct nf_emitter *e, const char *name, uint32_t number);
/* Writes the identifier of an id: its name in the module, or `letter`, followed by its number. */
void nf_say_name(struct nf_emitter *e, uint32_t id, char letter);
/* Writes the identifier of the raw twin of a type. */
void nf_say_raw_name(struct nf_emitter *e, uint32_t type);
void nf_say_member(struct nf_emitter *e, uint32_t member);

/* ---- types.c ---- */

/* Write the type of values, the type in memory, and the type in memory with integers in place of floats. */
void nf_say_type(struct nf_emitter *e, uint32_t type, bool is_signed);
void nf_say_memory_type(struct nf_emitter *e, uint32_t type);
void nf_say_raw_type(struct nf_emitter *e, uint32_t type);
/* Writes the type of values in parentheses. */
void nf_say_cast(struct nf_emitter *e, uint32_t type, bool is_signed);
void nf_say_scalar(struct nf_emitter *e, const struct nf_type *type, bool is_signed);
void nf_say_space(struct nf_emitter *e, const struct nf_type *pointer);
void nf_say_pointee(struct nf_emitter *e, uint32_t type);
/* Declares all structures and arrays that the text names. */
void nf_declare_types(struct nf_emitter *e);
uint32_t nf_bits_of_type(const struct nf_emitter *e, const struct nf_type *type);
bool nf_is_half(const struct nf_emitter *e, const struct nf_type *type);
bool nf_is_vector(const struct nf_type *type);
bool nf_is_bool(const struct nf_emitter *e, const struct nf_type *type);
/* Returns true for integers that C promotes to int. */
bool nf_is_narrow(const struct nf_emitter *e, const struct nf_type *type);

/* ---- instructions.c: decoding ---- */

struct nf_insn nf_insn_at(const struct nf_emitter *e, uint32_t at);
/* Returns a set of enum nf_trait. */
uint8_t nf_traits_of(const struct nf_form *form);

/* ---- expressions.c ---- */

/* Writes the instruction as an expression, without parentheses around it. */
void nf_say_expression(struct nf_emitter *e, const struct nf_insn *i);
/* Returns true if values of the type are halves that the compiler does not have. */
bool nf_is_emulated_half(const struct nf_emitter *e, uint32_t type);
/* Writes the beginning of a call of half_to_float() or float_to_half() for a type. */
void nf_say_half_helper(struct nf_emitter *e, const char *name, const struct nf_type *type);

/* ---- say.c: formatted text that contains values and types ---- */

/* Appends formatted text. In addition to the conversions of nf_say_text(), an id follows for %v, the id's value; %e,
 * the value without parentheses around an expression; %i, the value as a signed value; and %p, the value as operand of
 * a postfix operator. A type's id follows for %t, the type of values; %I, the signed type of values; and %m, the type
 * in memory. */
void nf_say(struct nf_emitter *e, const char *format, ...);

/* ---- variable_names.c: variables as operands ---- */

void nf_say_variable(struct nf_emitter *e, uint32_t id);
void nf_say_variable_object(struct nf_emitter *e, uint32_t id);
/* Returns true if the variable has a name in this function, and is not accessed through a pointer. */
bool nf_is_variable_object(const struct nf_emitter *e, uint32_t id);

/* ---- constants.c ---- */

bool nf_is_constant(const struct nf_emitter *e, uint32_t id);
void nf_say_constant(struct nf_emitter *e, uint32_t id);
void nf_say_zero(struct nf_emitter *e, uint32_t type);
void nf_say_integer(struct nf_emitter *e, uint64_t value, uint32_t bits);
/* Writes the initializer of a module-scope variable; `raw`: floats as integers. */
void nf_say_initializer(struct nf_emitter *e, uint32_t id, bool raw, uint32_t depth);
/* The kinds of module-scope variables that are initialized with the bits of a constant as integers. */
enum nf_raw_need {
    NF_RAW_NEVER,
    NF_RAW_IN_CONSTANTS, /* constant variables: it contains a half, and the compiler has none */
    NF_RAW_ALWAYS        /* all: it contains a NaN or an infinity, which not every compiler accepts in an initializer */
};

/* Refuses a constant that is nested too deeply. */
enum nf_raw_need nf_raw_need_of(struct nf_emitter *e, uint32_t id, uint32_t depth);

/* ---- floats.c: floating-point literals ---- */

bool nf_is_finite(uint64_t bits, uint32_t width);
void nf_say_float(struct nf_emitter *e, uint64_t bits, uint32_t width);

/* ---- values.c: operands ---- */

void nf_say_value(struct nf_emitter *e, uint32_t id);
void nf_say_signed(struct nf_emitter *e, uint32_t id);
void nf_say_postfix(struct nf_emitter *e, uint32_t id);
/* Writes a value without parentheses around it, where any expression is allowed. */
void nf_say_unparenthesized(struct nf_emitter *e, uint32_t id);
/* Write a value in its memory representation, and the conversion back around an expression: nf_load_begin() opens it,
 * nf_load_end() closes it. */
void nf_say_stored(struct nf_emitter *e, uint32_t id);
void nf_load_begin(struct nf_emitter *e, uint32_t type);
void nf_load_end(struct nf_emitter *e, uint32_t type);
/* Declares, at the head of the function, a value that another block uses, unless the value is declared already. */
void nf_declare_value(struct nf_emitter *e, uint32_t id);
/* Begins the statement that assigns the result: everything up to and including the equals sign. */
void nf_assign(struct nf_emitter *e, const struct nf_insn *i);
/* Declares the result before a sequence of statements that assigns it. */
void nf_declare_result(struct nf_emitter *e, const struct nf_insn *i);
/* Writes an instruction for which nf_is_written() returns true. */
void nf_say_statement(struct nf_emitter *e, const struct nf_insn *i);
/* Writes the beginning of a conversion of a signed result to its unsigned type; a parenthesis closes it. */
void nf_open_signed(struct nf_emitter *e, uint32_t type);

/* ---- uses.c: which instructions are written, and where ---- */

void nf_find_uses(struct nf_emitter *e, const struct nf_function *f);
/* Returns true if the instruction is written as a statement of its own. */
bool nf_is_written(const struct nf_emitter *e, const struct nf_insn *i);

/* ---- flow.c: blocks, dominators and loops of a function ---- */

enum { NF_NO_BLOCK = UINT32_MAX };

struct nf_block_info {
    uint32_t label, at, end;              /* id of the label; its word; the word of the terminator */
    uint32_t successors, successor_count; /* index of the first successor in nf_flow.successors; their number */
    uint32_t order;                       /* position in reverse postorder; NF_NO_BLOCK: not reachable */
    uint32_t dominator, loop;             /* immediate dominator; the header of its loop, NF_NO_BLOCK for a header */
    uint32_t outer;                       /* of a header: the header of the loop around its own loop */
    uint32_t entries;                     /* number of predecessors, without those of back edges */
    uint32_t last_entry; /* 1 + the predecessor that `entries` counted last, so that it is counted once */
    uint32_t first_case; /* for a target of the current switch: the number of the first successor that is this block */
    bool is_header, needs_label;
    uint32_t merges, exits, next; /* lists of blocks: written after this block; after its loop; next in the list */
};

struct nf_flow {
    struct nf_block_info *blocks; /* by number */
    uint32_t count;
    uint32_t *successors;
    uint32_t *same;   /* by successor of a switch: the next successor that is the same block; NF_NO_BLOCK: none */
    uint32_t *order;  /* block numbers in reverse postorder */
    uint32_t reached; /* number of blocks in `order`: those that the entry reaches */
};

struct nf_flow nf_find_flow(struct nf_emitter *e, const struct nf_function *f);
/* Returns true if the text of `to` is written in place of the edge: `to` has no other predecessor, apart from those of
 * back edges, and the edge leaves no loop. */
bool nf_is_nested(const struct nf_flow *flow, uint32_t from, uint32_t to);

/* ---- structure.c: loops, conditions and jumps ---- */

void nf_say_body(struct nf_emitter *e, struct nf_flow *flow);

/* ---- edges.c: the values of phis along an edge ---- */

/* Returns true if the edge assigns a value to a phi. */
bool nf_has_copies(const struct nf_emitter *e, const struct nf_block_info *from, const struct nf_block_info *to);
void nf_say_copies(struct nf_emitter *e, const struct nf_block_info *from, const struct nf_block_info *to);
void nf_declare_phis(struct nf_emitter *e, const struct nf_block_info *block);

/* ---- chains.c: pointers to parts of objects ---- */

/* Writes the lvalue that the pointer `id` points to. */
void nf_say_object(struct nf_emitter *e, uint32_t id);

/* Returns the alignment that a compiler assumes of an access through the pointer if the access is written as an lvalue.
 * The compiler derives the alignment of a part of an object from the alignment of the object. */
uint32_t nf_assumed_alignment(struct nf_emitter *e, uint32_t id);

/* ---- variables.c ---- */

/* Find the variables that are written as integers, before any text; write the variables that the text names. */
void nf_find_raw_variables(struct nf_emitter *e);
void nf_declare_module_variables(struct nf_emitter *e);
/* Finds the functions that kernels or exported functions reach, the functions that reach a barrier, and the local
 * variables that each function and its callees need. */
void nf_find_locals(struct nf_emitter *e);
/* Sets `*id` to the next local variable that the function needs, from index `*index`, which advances. Returns false if
 * there is none. */
bool nf_next_local(const struct nf_emitter *e, const struct nf_function *f, uint32_t *index, uint32_t *id);
/* Declares the local variables that a kernel needs, at its head. */
void nf_declare_locals(struct nf_emitter *e, const struct nf_function *f);

/* ---- builtins.c: built-in variables ---- */

/* Returns the built-in variable that the instruction loads, 0 for any other instruction. */
uint32_t nf_loaded_built_in(const struct nf_emitter *e, const struct nf_insn *i);
/* Returns the built-in variable from which `id` was loaded, 0 if `id` is another value. The text loads a built-in
 * variable wherever the value is used. */
uint32_t nf_built_in_of(const struct nf_emitter *e, uint32_t id);
/* Writes the value of a built-in variable. */
void nf_say_built_in(struct nf_emitter *e, uint32_t variable, const struct nf_insn *i);
/* Writes one component of the built-in variable, as a value of the type. */
void nf_say_built_in_component(struct nf_emitter *e, uint32_t variable, uint32_t type, uint32_t component);

/* ---- groups.c ---- */

/* Returns true for a function of all work-items of a work-group, which contains a barrier. */
bool nf_is_collective(const struct nf_emitter *e, const struct nf_insn *i);

/* ---- memory.c ---- */

struct nf_memory_operands nf_memory_of(const struct nf_insn *i, uint32_t index);
bool nf_is_volatile_access(const struct nf_insn *i);
/* Returns true if the instruction is a load or a store through the pointer `id`, with less alignment than a compiler
 * would assume, or if the instruction is a copy of memory. */
bool nf_is_unaligned_pointer(struct nf_emitter *e, const struct nf_insn *i, uint32_t id);

/* ---- barriers.c: orders, scopes and fences ---- */

/* Returns the scope or the memory semantics that the operand gives. Refuses an operand that is not constant. */
uint32_t nf_constant_operand(struct nf_emitter *e, const struct nf_insn *i, uint32_t operand);
/* Return the names of an order and a scope in OpenCL C 2.0, NULL if the compiler does not have them. */
const char *nf_order_name(const struct nf_emitter *e, uint32_t semantics);
const char *nf_scope_name(const struct nf_emitter *e, uint32_t scope);
/* Writes a fence for the memories that the semantics name, with the order and the scope if the compiler has both. */
void nf_say_fence(struct nf_emitter *e, uint32_t semantics, uint32_t scope);

/* ---- helpers.c: functions that the text defines for itself ---- */

/* Write the name of a function, and define it if the text does not have it yet. */
void nf_say_signed_modulo(struct nf_emitter *e, uint32_t type);
void nf_say_float_modulo(struct nf_emitter *e, uint32_t type);
void nf_say_bit_reverse(struct nf_emitter *e, uint32_t type);
void nf_say_float_atomic(struct nf_emitter *e, const char *operation, const struct nf_type *pointer);
void nf_say_copy_function(struct nf_emitter *e, const struct nf_type *target, const struct nf_type *source);
/* Write the name of a type: a structure that holds a value with less alignment than its type needs; a structure of
 * `size` bytes. */
void nf_say_unaligned_type(struct nf_emitter *e, uint32_t type, uint32_t align);
void nf_say_bytes_type(struct nf_emitter *e, uint32_t size, uint32_t align);
/* Defines half_to_float() and float_to_half() for the sizes of vectors with which the text calls them. */
void nf_say_half_helpers(struct nf_emitter *e);
/* Writes the name of a helper that calls the function `name` with floats and stores its second result as a half. */
void nf_say_narrowing_function(struct nf_emitter *e, const char *name, uint32_t type, const struct nf_type *pointer);

/* ---- extended.c ---- */

/* Writes a pointer, cast to the type for which the functions of the language are declared. */
void nf_say_plain_pointer(struct nf_emitter *e, uint32_t id, bool is_signed, bool is_const);

/* ---- functions.c ---- */

void nf_say_functions(struct nf_emitter *e);

/* ---- composites.c ---- */

/* Writes `.m0.a[1]` and similar text for literal indices. Returns the type of the selected part. */
uint32_t nf_say_path(struct nf_emitter *e, uint32_t type, const uint32_t *indices, uint32_t count);

/* ---- functions that write one instruction each ---- */
#define X(name, traits) nf_writer nf_form_##name;
NF_FORMS(X)
#undef X

static inline bool nf_has_feature(const struct nf_emitter *e, uint32_t feature)
{
    return e->features & feature;
}

#endif
