/* SPDX-License-Identifier: Apache-2.0 */
/*
 * parts.h - the module that is being written: what the files of this folder share with each other and with nobody else.
 *
 * Function bodies are written first, because they decide which types, constants and helpers are needed; write.c puts
 * the sections together. An id of the input keeps its number where it can; what is new gets numbers from the bound on.
 */
#ifndef NF_REWRITE_PARTS_H
#define NF_REWRITE_PARTS_H

#include "rewrite/rewrite.h"

enum {
    NF_WRITTEN = 0x7fffffff, /* in nf_output.argument_of */
    /* first words of keys for nf_note_made(), behind all opcodes: */
    NF_DISPATCH_KEY = 0x10000, /* | opcode: a helper that does it for each space */
    NF_MEMORY_KEY = 0x20000,   /* a helper that copies or fills bytes */
    NF_NAME_KEY = 0x30000,     /* with a name: a kernel that copies by-value arguments has it */
    NF_COPIES_KEY = 0x40000,   /* with a kernel's id: it copies by-value arguments */
    NF_RESHAPED_KEY,           /* with a function's id: its parameters are others in the output */
    NF_PARTS = 6
};

/* A generic pointer in the output: one concrete pointer for each space in its set, and which of them it is. */
struct nf_tuple {
    nf_set set;              /* never 0 in the output */
    bool dead;               /* it can only be null or undefined: the space in `set` is any */
    uint32_t condition;      /* id of a bool that says which of two spaces it is in (split.c): no tag is needed; or 0 */
    nf_set when_true;        /* the space that the condition stands for */
    bool made;               /* part ids were given, though the instruction may still be to come (phi) */
    uint32_t tag;            /* id of a 32-bit integer holding the space's bit; 0 while the set has one space */
    uint32_t part[NF_PARTS]; /* ids, by number of the space's bit */
    uint32_t integer;        /* where it was made of that: it goes back as it came; or 0 */
};

/* A range of integers that are the addresses of one space: `start` is a multiple of its size, 2^bits. */
struct nf_window {
    uint64_t base;
    uint32_t bits;
};
/* Those of one space: what does not fit into the first lies in the second, if there is one. */
struct nf_windows {
    struct nf_window at[2];
    uint32_t count;
};

struct nf_phi_patch {
    uint32_t at;    /* where in the body the operand's id belongs */
    uint32_t value; /* id in the input */
    uint32_t part;  /* which part of it, NF_PARTS: the tag */
    uint32_t link;  /* hint mode: the operand's cast at the end of its block */
};

/* A variable that holds one pointer (tuple_variables.c). */
struct nf_tuple_variable {
    nf_set set; /* of all that goes in or comes out */
    bool open;  /* used otherwise as well: it stays as it is */
    uint32_t tag, part[NF_PARTS];
};

/* Hint mode: the phi operands of one space that become generic at the end of the block that they come from. */
struct nf_phi_casts {
    struct nf_phi_cast {
        uint32_t phi, value, cast, next;
    } * at;
    uint32_t count, capacity;
    uint32_t *of_block; /* by label of the input: the first one */
};

/* The block that is being written. */
struct nf_block_state {
    uint32_t label;             /* the input's, or what a split has made of it */
    bool closed;                /* what belongs at its end is there */
    uint32_t line_at, scope_at; /* its last line and scope, 0: none */
};

/* The instance that is being written. Its arrays are made once, and used for one instance after the other. */
struct nf_body {
    const struct nf_function *f;
    uint32_t instance;
    uint32_t at;   /* the instruction that is being rewritten */
    bool keep_ids; /* ids of the input are kept: its first instance */
    struct nf_block_state block;
    uint32_t function_at;  /* where the function begins in the bodies */
    uint32_t variables_at; /* where its variables begin */
    uint32_t entry_at;     /* where they have ended */

    /* values, by id of the input */
    uint32_t *renamed;
    uint32_t *tuple_index; /* into tuples */
    struct nf_tuple *tuples;
    uint32_t tuple_count, tuple_capacity;
    uint32_t *raw_of;      /* what was loaded, where that may be a function; NULL: it never is */
    uint32_t *argument_of; /* the kernel's by-value argument that it points into, NF_WRITTEN: it is one that may be
                              written; NULL: there are none */

    /* phis */
    struct nf_phi_patch *patches;
    uint32_t patch_count, patch_capacity;
    uint32_t *exit_label; /* by label of the input: the block in which it ends, 0: itself; NULL: no block was split */
    uint32_t *tag_wanted; /* by id of the input: the instance in which a phi needs its tag; NULL: none does */
    uint32_t *worklist, worklist_capacity;

    /* arguments */
    uint32_t *number_parameters; /* that arrive as flat addresses, and the id of each: taken apart behind the
                                       variables */
    uint32_t number_parameter_count;
    uint32_t *by_value; /* that are written: parameter, its copy */
    uint32_t by_value_count;

    /* variables */
    uint32_t *temporaries; /* ids, in the order in which the function's calls need them */
    uint32_t temporary_count, temporary_capacity, next_temporary;
    uint32_t *own_variables; /* to be declared: pointer's type, type, id */
    uint32_t own_variable_count, own_variable_capacity;
    uint32_t *tuple_variable_of; /* by id of the input: into tuple_variables, 0: it is none; NULL: none is */
    struct nf_tuple_variable *tuple_variables;
    uint32_t tuple_variable_count, tuple_variable_capacity;
};

/* Ids of the output that stand for one of the input: what is annotated may be written several times. */
struct nf_copies {
    uint32_t *first; /* by id of the input: newest copy's index + 1 */
    struct nf_copy_of {
        uint32_t id, next;
    } * at;
    uint32_t count, capacity;
    uint8_t *annotated; /* by id of the input */
};

/* The module that is being written. */
struct nf_output {
    struct nf_module *m;
    struct nf_builder build; /* ids; types and constants for the bodies: behind the input's own; helpers */
    struct nf_words early;   /* the 64-bit integer type and what comes before all other types */
    struct nf_words bodies, helpers, names, declarations;
    uint32_t helper_count;
    uint8_t *hazards;    /* by instance: enum nf_hazard; NULL: there are none (vectors.c) */
    uint32_t dispatched; /* accesses through a tag, where that is a hazard */
    bool *large;         /* by function: not to be put into its callers; NULL: nobody has asked */
    struct nf_copies copies;

    uint32_t *type_of_type; /* by id: the type that stands for it in the output, 0: itself */
    uint8_t *used;          /* by id of the input, module scope: the output needs it */
    uint32_t address_type;  /* unsigned integer as wide as an address */
    uint32_t uint_type, bool_type;
    uint32_t debug_none;          /* DebugInfoNone of the input */
    bool concrete_memory;         /* private and local pointers lie in memory: see concrete.c */
    bool raw_addresses;           /* some of them lie there as the device has them */
    struct nf_windows windows[2]; /* of private and of local memory */
    bool numbered;                /* addresses hold numbers of buffers: flat.c */
    bool has_out_imports;         /* some import writes through its pointers: calls of it need temporaries */

    struct nf_body body;
    struct nf_phi_casts phi_casts;
};

/* ---- make.c: types, constants, instructions ---- */
uint32_t nf_new_id(struct nf_output *o);
/* Append an instruction of `count` operand words to the bodies. */
void nf_emit(struct nf_output *o, uint32_t opcode, const uint32_t *operands, uint32_t count);
/* The same with result type and a new result id, which is returned. */
uint32_t nf_emit_new(struct nf_output *o, uint32_t opcode, uint32_t type, const uint32_t *operands, uint32_t count);
#define NF_EMIT(o, opcode, ...)                                                                                        \
    nf_emit((o), (opcode), (uint32_t[]){__VA_ARGS__}, sizeof((uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t))
#define NF_EMIT_NEW(o, opcode, type, ...)                                                                              \
    nf_emit_new((o), (opcode), (type), (uint32_t[]){__VA_ARGS__}, sizeof((uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t))
/* A type or constant at module scope, made once: `opcode`, then operands without the result. */
uint32_t nf_global(struct nf_output *o, uint32_t opcode, uint32_t type, const uint32_t *operands, uint32_t count);
uint32_t nf_uint(struct nf_output *o, uint32_t value); /* a 32-bit constant */
uint32_t nf_address_constant(struct nf_output *o, uint64_t value);
uint32_t nf_null(struct nf_output *o, uint32_t type);
uint32_t nf_pointer_type(struct nf_output *o, uint32_t storage, uint32_t pointee);
/* The output's form of a type of the input as it lies in memory: a generic pointer is an integer there. */
static inline uint32_t nf_memory_type(struct nf_output *o, uint32_t type)
{
    uint32_t same = o->type_of_type[type];
    uint32_t id = same ? same : type;
    if (id < o->m->bound && !o->used[id]) o->used[id] = 1;
    return id;
}
/* The type of a generic pointer type's part for one space. */
uint32_t nf_part_type(struct nf_output *o, uint32_t generic_type, nf_set space);
uint32_t nf_uint_type(struct nf_output *o);
uint32_t nf_bool_type(struct nf_output *o);
uint32_t nf_void_type(struct nf_output *o);

/* ---- flat.c: addresses as integers ---- */
/* Of a numbered buffer: offsets below it, which are negative, and above. */
#define NF_HALF_OF_OFFSETS 0x80000000u
/* Finds the device's windows: before anything is written. */
void nf_begin_addresses(struct nf_output *o);
/* Is an address of the space the device's own as an integer? */
bool nf_is_bare(const struct nf_output *o, nf_set space);
/* Does an integer tell the space of its address, or need not? */
bool nf_tells_spaces(const struct nf_output *o);
/* What is added to a constant address of the space; 0: nothing, or more than an addition is needed. */
uint64_t nf_constant_base(const struct nf_output *o, nf_set space);
uint32_t nf_pointer_to_integer(struct nf_output *o, uint32_t pointer, uint32_t type, nf_set space, bool non_null);
uint32_t nf_pointer_from_integer(struct nf_output *o, uint32_t integer, uint32_t type, nf_set space);
/* The same of an integer that the program makes a concrete pointer of: one in no window, which is one of 32 bits where addresses
 * have 64, is an address as the device has it. */
uint32_t nf_concrete_from_integer(struct nf_output *o, uint32_t integer, uint32_t type, nf_set space);
/* The same of an integer that may be an address as the device has it. */
uint32_t nf_pointer_from_raw(struct nf_output *o, uint32_t integer, uint32_t type, nf_set space);
/* A generic pointer as it lies in memory and in integers, and back; `generic_type` is the input's. */
uint32_t nf_tuple_to_integer(struct nf_output *o, const struct nf_tuple *tuple, uint32_t generic_type, bool non_null);
struct nf_tuple nf_tuple_from_integer(struct nf_output *o, uint32_t integer, nf_set set, uint32_t generic_type);

/* ---- escapes.c: addresses that leave the driver's sight ---- */
/* The pointer, or its address, in the driver's eyes known elsewhere from here on, where the profile asks for that. */
uint32_t nf_escaped_pointer(struct nf_output *o, uint32_t pointer, uint32_t type, nf_set space);
uint32_t nf_escaped_address(struct nf_output *o, uint32_t pointer, uint32_t type, nf_set space);

/* ---- tuples.c: generic pointers in SSA ---- */
/* The tag of `tuple`. */
uint32_t nf_tag_as(struct nf_output *o, const struct nf_tuple *tuple);
uint32_t nf_has_tag(struct nf_output *o, const struct nf_tuple *tuple, nf_set space); /* a bool */

/* ---- dispatch.c: accesses whose pointers are ambiguous ---- */
struct nf_operand_form {
    uint32_t word;         /* literal, or id in the output */
    uint32_t type;         /* of an id that is passed as argument: its type in the output; 0: literal or module scope */
    struct nf_tuple tuple; /* an ambiguous pointer; its set is 0 when this is none */
    uint32_t generic_type;
    nf_set space; /* of a pointer with one space */
};
/* Call the helper that does `opcode` with these operands; its result has `result_type` (0: none) and the id `result`
 * (0: a new one). Returns the result's id. */
uint32_t nf_dispatch(struct nf_output *o, uint32_t opcode, uint32_t result_type, uint32_t result,
                     const struct nf_operand_form *forms, uint32_t count);
/* Give a helper its name, `nonflat.WHAT.NUMBER`. */
void nf_name_helper(struct nf_output *o, uint32_t id, const char *what);
/* The instruction itself; `first_space` is the space of its first pointer operand. */
void nf_access(struct nf_output *o, uint32_t opcode, uint32_t type, uint32_t id, const uint32_t *words, uint32_t count,
               nf_set first_space);

/* ---- vectors.c: kernels that a driver's vectorizer is to leave alone ---- */
enum nf_hazard {
    NF_HAZARD_DISPATCH = 1, /* an access through a tag */
    NF_HAZARD_ESCAPE = 2,   /* an address becomes an integer */
    NF_HAZARD_CALLED = 4,   /* not to be put into its callers */
    NF_HAZARD_NUMBER = 8    /* a pointer is a constant number */
};
/* There is one, and kernels can be kept from it. */
bool nf_can_stop_vectorizer(const struct nf_output *o);
/* The instance that is being written has one. */
void nf_note_hazard(struct nf_output *o, enum nf_hazard hazard);
/* May the function that is being written be put into its callers by a driver that hides escapes? */
bool nf_may_inline(struct nf_output *o);
/* The execution modes of such kernels. */
void nf_put_vector_hints(struct nf_output *o, struct nf_words *out);

/* ---- split.c: pointers whose space a condition decides ---- */
struct nf_split_access {
    uint32_t opcode, type, result; /* `type` 0: no result; `result` 0: none is wanted */
    struct nf_operand_form *forms;
    uint32_t count;
};
/* The condition of a select that is split, of its own condition and its arms. */
void nf_split_select(struct nf_output *o, struct nf_tuple *tuple, uint32_t condition, const struct nf_tuple *yes,
                     const struct nf_tuple *no);
/* The access, one branch for each pointer that is split; dispatched for those that are not. */
void nf_emit_split_access(struct nf_output *o, const struct nf_split_access *access);

/* A block that the input does not have begins here; what comes before it has been ended. */
void nf_begin_block(struct nf_output *o, uint32_t label);
/* The line and the scope that hold in the block: they must be said again in a new one, behind its phis. */
void nf_repeat_line(struct nf_output *o);

/* ---- memory_functions.c: memory functions that compilers leave as imports ---- */
uint32_t nf_byte_pointer(struct nf_output *o, nf_set space);
/* The part of `tuple` in `space` as a pointer to bytes; `type` is the pointer's in the input. */
uint32_t nf_as_byte_pointer(struct nf_output *o, const struct nf_tuple *tuple, nf_set space, uint32_t type);
/* memmove from tuples[1] to tuples[0], or, with a `value` (an id of an 8-bit integer), memset of tuples[0]; `types` are
 * the pointers' types in the input. */
void nf_memory_call(struct nf_output *o, const struct nf_tuple *tuples, const uint32_t *types, uint32_t value,
                    uint32_t size, uint32_t size_type);

/* ---- concrete.c: are there private or local pointers in memory? Once for the module. ---- */
void nf_find_concrete_memory(struct nf_output *o);

/* ---- definitions.c: types and constants of the input ---- */
void nf_map_definitions(struct nf_output *o);
static inline bool nf_is_annotation(uint32_t opcode)
{
    return opcode == OpName || opcode == OpMemberName || (opcode >= OpDecorate && opcode <= OpGroupMemberDecorate) ||
           opcode == OpDecorateId || opcode == OpDecorateString || opcode == OpMemberDecorateString;
}
/* Is the id of the input defined in a function? Is it there in the output? */
bool nf_is_in_body(const struct nf_module *m, uint32_t id);
bool nf_is_emitted(const struct nf_output *o, uint32_t id);
/* The bodies are written: note what of the module scope they and its roots use. */
void nf_find_used(struct nf_output *o);

/* ---- annotations.c: names and decorations ---- */
void nf_find_annotated(struct nf_output *o);
/* Note the names of kernels that copy by-value arguments. */
void nf_note_kernel_names(struct nf_output *o);
/* Repeat an annotation for every copy of its target. */
void nf_put_annotation(struct nf_output *o, struct nf_words *out, uint32_t at, uint32_t target_word);
void nf_put_group_decorate(struct nf_output *o, struct nf_words *out, uint32_t at);

/* ---- body.c: the body of an instance ---- */
void nf_rewrite_instance(struct nf_output *o, uint32_t instance);

/* ---- write.c: the sections of the module ---- */
void nf_write_module(struct nf_output *o, struct nf_words *output);

/* ---- values.c: ids, parts, constants, memory ---- */
struct nf_tuple *nf_tuple_of(struct nf_output *o, uint32_t id);
/* `copy` is an id of the output that stands for `id`: names and decorations are repeated for it. */
void nf_remember_copy(struct nf_output *o, uint32_t id, uint32_t copy);
uint32_t nf_type_id_of(const struct nf_module *m, uint32_t id);
static inline bool nf_hints(const struct nf_output *o)
{
    return o->m->options->mode == NF_MODE_HINT;
}
/* The id of something that is no generic pointer. */
static inline uint32_t nf_mapped(struct nf_output *o, uint32_t id)
{
    const struct nf_module *m = o->m;
    if (id >= m->bound) return id;
    uint32_t def = m->def[id];
    if (def >= m->body_at) return o->body.renamed[id] ? o->body.renamed[id] : id;
    return def ? nf_memory_type(o, id) : id; /* marks it as used, whatever it is */
}
uint32_t nf_own_id(struct nf_output *o, uint32_t id);
uint32_t nf_part_id(struct nf_output *o, const struct nf_tuple *tuple, uint32_t id);
struct nf_tuple *nf_new_tuple(struct nf_output *o, uint32_t id);
bool nf_is_non_null(const struct nf_module *m, uint32_t id);
uint32_t nf_to_memory(struct nf_output *o, uint32_t id);
void nf_set_tuple(struct nf_output *o, uint32_t id, struct nf_tuple tuple);
/* Give `id` the parts and the tag of `from`, a pointer of the generic type `type`, and say which these are. */
struct nf_tuple nf_take_parts(struct nf_output *o, uint32_t id, const struct nf_tuple *from, uint32_t type);
void nf_from_memory(struct nf_output *o, uint32_t form, uint32_t id);
/* Any operand as it goes into memory, into an aggregate, or to somebody who knows nothing of parts. */
static inline uint32_t nf_memory_form(struct nf_output *o, uint32_t id)
{
    return nf_is_generic_value(o->m, id) ? nf_to_memory(o, id) : nf_mapped(o, id);
}
/* What is known of the value in the instance that is written; nothing of one of the module scope. */
nf_set nf_evidence_of(const struct nf_output *o, uint32_t id);
void nf_rename_to(struct nf_output *o, uint32_t id, uint32_t copy);

/* The pointer `id` without a part that only keeps its bits: as it is accessed. */
struct nf_tuple nf_narrowed(struct nf_output *o, uint32_t id);

/* Does the tuple, on a device with one address space, become a pointer of `space` by a cast through an integer? */
bool nf_needs_flat_cast(const struct nf_output *o, const struct nf_tuple *tuple, nf_set space);
/* Part and tag of `tuple` as a value of the larger set `set`. */
uint32_t nf_part_as(struct nf_output *o, const struct nf_tuple *tuple, nf_set space, uint32_t generic_type);

/* ---- integers.c: pointers as integers, and comparisons ---- */
/* Is it one of the few roles of which there are instructions on vectors of pointers as a whole? */
static inline bool nf_may_be_vector(enum nf_role role)
{
    switch (role) {
    case NF_ROLE_to_integer:
    case NF_ROLE_bitcast:
    case NF_ROLE_to_pointer:
    case NF_ROLE_chain:
    case NF_ROLE_compare:
    case NF_ROLE_cast:
    case NF_ROLE_cast_explicit: return true;
    default: return false;
    }
}
/* Instructions on vectors of generic pointers, which are vectors of integers in the output. */
bool nf_emit_vector(struct nf_output *o, uint32_t at, enum nf_role role);
bool nf_emit_concrete_conversion(struct nf_output *o, uint32_t at);
void nf_emit_to_integer(struct nf_output *o, uint32_t at);
void nf_emit_to_pointer(struct nf_output *o, uint32_t at);
void nf_emit_compare(struct nf_output *o, uint32_t at);

/* ---- plain.c: what is written as it is ---- */
void nf_emit_plain(struct nf_output *o, uint32_t at);

/* ---- pointers.c: pointers that move ---- */
void nf_emit_parts(struct nf_output *o, uint32_t at);
void nf_emit_cast_to_generic(struct nf_output *o, uint32_t at);
void nf_emit_cast_to_concrete(struct nf_output *o, uint32_t at);
void nf_emit_select(struct nf_output *o, uint32_t at);
void nf_emit_semantics(struct nf_output *o, uint32_t at);
void nf_emit_bitcast(struct nf_output *o, uint32_t at);

/* ---- phis.c ---- */
void nf_emit_phi(struct nf_output *o, uint32_t at);
/* The function is written: the operands of its phis are known. */
void nf_fill_in_phis(struct nf_output *o);
void nf_want_tags(struct nf_output *o);
/* Hint mode: what is to become generic at the end of which block; and the end of the block `label`. */
void nf_note_phi_casts(struct nf_output *o);
void nf_close_block(struct nf_output *o, uint32_t label);

/* ---- access.c: accesses ---- */
void nf_emit_access(struct nf_output *o, uint32_t at);
void nf_emit_silent(struct nf_output *o, uint32_t at);

/* ---- concrete.c: private and local pointers in memory ---- */
/* Is it a concrete pointer type whose addresses are others in integers and in memory than on the device? */
bool nf_has_flat_address(const struct nf_output *o, const struct nf_type *type);
bool nf_stores_concrete(const struct nf_output *o, uint32_t at);
bool nf_takes_concrete(const struct nf_output *o, uint32_t at); /* only with o->concrete_memory */
/* The pointer `id` as it lies in memory. */
uint32_t nf_stored_pointer(struct nf_output *o, uint32_t id);
void nf_give_concrete(struct nf_output *o, uint32_t at, uint32_t raw);
bool nf_emit_concrete_parts(struct nf_output *o, uint32_t at); /* only with o->concrete_memory */
bool nf_emit_code_pointer(struct nf_output *o, uint32_t at);   /* only with o->body.raw_of */

/* ---- tuple_variables.c: variables of one pointer. False when the instruction is not of one. ---- */
void nf_find_tuple_variables(struct nf_output *o);
bool nf_emit_tuple_variable(struct nf_output *o, uint32_t at); /* only with o->body.tuple_variable_of */

/* ---- gather.c: gathers and scatters. False when the vector's pointers are not generic. ---- */
bool nf_emit_gather(struct nf_output *o, uint32_t at);

/* ---- calls.c: functions and calls ---- */
void nf_emit_head(struct nf_output *o);
void nf_emit_return(struct nf_output *o, uint32_t at);
void nf_emit_call(struct nf_output *o, uint32_t at);
void nf_emit_indirect_call(struct nf_output *o, uint32_t at);

/* ---- imports.c: calls of functions without a body ---- */
/* The declaration of a function without a body. */
void nf_emit_declaration(struct nf_output *o, const struct nf_function *f);
void nf_declare_temporaries(struct nf_output *o);
void nf_emit_import(struct nf_output *o, uint32_t at, const struct nf_function *f);

/* ---- entry.c: before a function's first instruction ---- */
void nf_declare_copies(struct nf_output *o);
void nf_copy_arguments(struct nf_output *o);
void nf_take_number_parameters(struct nf_output *o);

/* ---- own_variables.c: pointers that lie in memory for a moment ---- */
/* Memory operands of the stores that let an address escape. */
enum { NF_VOLATILE_ALIGNED = NF_MEMORY_VOLATILE | NF_MEMORY_ALIGNED, NF_ESCAPE_ALIGNMENT = 8 };
/* Does the driver's compiler not see that an address escapes as an integer? */
bool nf_hides_escapes(const struct nf_output *o);
/* A variable of the function that is being written, for a pointer of type `type`; one for each type. */
uint32_t nf_own_variable(struct nf_output *o, uint32_t type);
/* The function is written: declare its variables. */
void nf_declare_own_variables(struct nf_output *o);

#endif
