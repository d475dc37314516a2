/* SPDX-License-Identifier: Apache-2.0 */
/*
 * internal.h - shared by the files of this folder only: the functions that import_bodies.c calls to define an import,
 * and the addresses of pointers into built-in variables.
 */
#ifndef NF_PREPARE_INTERNAL_H
#define NF_PREPARE_INTERNAL_H

#include "prepare/prepare.h"

/* ---- memchr_strlen.c: memchr and strlen ---- */
bool nf_can_lower_memchr(const struct nf_module *m, const struct nf_function *f);
void nf_lower_memchr(struct nf_edit *e, const struct nf_function *f);
bool nf_can_lower_strlen(const struct nf_module *m, const struct nf_function *f);
void nf_lower_strlen(struct nf_edit *e, const struct nf_function *f);

/* ---- bfloat16.c: conversions between float and bfloat16, which is the high 16 bits of a float ---- */
#define NF_TO_BFLOAT "__devicelib_ConvertFToBF16INTEL"
#define NF_FROM_BFLOAT "__devicelib_ConvertBF16ToFINTEL"
bool nf_can_lower_bfloat16(const struct nf_module *m, const struct nf_function *f);
void nf_lower_bfloat16(struct nf_edit *e, const struct nf_function *f);

/* ---- address_constants.c ---- */
/* Returns true for the type of a concrete pointer whose integer in memory may differ from its device address: a private
 * or local pointer, and a global one if buffers are numbered; none in mode `hint`. Needs no nf_types(). */
bool nf_is_flat_pointer(const struct nf_module *m, uint32_t type);
/* Returns true for a constant of a type for which nf_is_flat_pointer() returns true, except the address of a function,
 * which lies in memory as it is. A private constant is the address of a function or null. */
bool nf_is_flat_constant(const struct nf_module *m, uint32_t id);

/* ---- inputs.c: built-in variables ---- */

/* The address of a pointer into a built-in variable. */
struct nf_input_address {
    uint32_t variable; /* id of the built-in variable; 0: the pointer points into none */
    uint32_t base;     /* id of the pointer from which it is derived; 0 for the variable itself */
    int64_t offset;    /* bytes */
    uint32_t index;    /* id of a variable index of a vector component; 0: none */
    bool known;        /* offset and index are valid */
    bool direct;       /* the pointer is the variable, or an access chain to a component with that component's type */
};

enum {
    NF_INPUT_MADE = 1,  /* a module-scope constant that is derived from the address of a built-in variable */
    NF_INPUT_KEPT = 2,  /* a built-in variable that needs a private copy, or a pointer that is derived from the copy */
    NF_INPUT_NEEDED = 4 /* the current function uses the copy of this variable, or this derived constant */
};

struct nf_inputs {
    struct nf_edit to;
    struct nf_input_address *addresses; /* by id */
    uint8_t *marks;                     /* by id: NF_INPUT_* */
    /* By id: the id that replaces this id; for NF_INPUT_KEPT and NF_INPUT_MADE, in the current function. */
    uint32_t *replacement;
    /* For the interfaces of functions, by id of a changed pointer type: the id of the original type, if it is needed;
     * by id of a kernel's changed parameter: its new id. */
    uint32_t *interface_id;
    uint32_t first_made, last_made; /* range of words that contains all MADE constants */
    bool moves;                     /* built-in variables move to storage class Input */
    bool must_change;               /* the module must be changed */
    bool inputs_change;             /* pointers to Input become pointers to Function */
    bool globals_change;            /* pointers to CrossWorkgroup become generic */
    bool passes_copies;             /* kernels have the copies; other functions get pointers to them as parameters */
    bool uses_copies;               /* the function that is being written uses a NEEDED id */
};

enum { NF_INPUT_COMPONENTS = 4 }; /* the maximal number of components of a built-in variable that one load reads */
/* The part of a variable that a load reads: the index `at` of the component, and the offset `shift` in bytes within
 * it; or `count` whole components, the first of which is `at`. */
struct nf_input_part {
    const struct nf_type *whole, *component, *result;
    uint32_t at, shift, count;
};

/* ---- input_addresses.c ---- */

/* Finds the addresses in built-in variables, and which types and functions of the module must change. */
void nf_find_input_uses(struct nf_inputs *p);
/* Returns true if `id` is a variable of the module scope. */
bool nf_is_module_variable(const struct nf_module *m, uint32_t id);
/* Returns true if the instruction at `at` is at module scope and can have no address as operand: it is neither a
 * variable nor a made constant. */
bool nf_uses_no_address(const struct nf_module *m, uint32_t at);
/* Returns true if the load at `at` reads the whole built-in variable. */
bool nf_is_whole_load(const struct nf_inputs *p, uint32_t at);
/* Returns true if the load at `at` reads a number or a vector that lies within one component of a built-in variable or
 * covers several whole components, and stores that part in `part`. */
bool nf_reads_component(const struct nf_inputs *p, uint32_t at, struct nf_input_part *part);
/* Returns true if the instruction is a load that is replaced by a load of the whole variable. */
bool nf_is_replaced_load(const struct nf_inputs *p, uint32_t at);

/* ---- untyped_types.c: types of pointers that had no pointee, for untyped.c ---- */
/* The module whose untyped pointers get a pointee. */
struct nf_untyping {
    struct nf_edit to;
    uint32_t byte;      /* the type of a byte: the pointee of pointers that had none */
    uint32_t *new_type; /* by id of a value: its new type, 0 if its type does not change */
    uint32_t *pointee;  /* by id of a variable or an access chain that had no pointee: its new pointee */
    bool *computed;     /* by id of a composite constant: a constituent became a cast, or is such a composite */
    uint32_t *phi_cast; /* by id: the same pointer cast to the type that phis expect, 0: no phi needs the cast */
    uint32_t *phi_cast_type;
    struct nf_words waiting; /* casts that belong after the variables and phis that are being written */
    uint32_t known;          /* end of the words of to.out whose types are registered in to.build */
    bool constants;          /* the module scope is being written: casts are OpSpecConstantOp */
};

/* Return the type of the value in the input, and its type in the output so far. */
uint32_t nf_untyped_type_before(const struct nf_untyping *u, uint32_t id);
uint32_t nf_untyped_type_now(const struct nf_untyping *u, uint32_t id);
/* Return the id of a type. At module scope its definition is emitted at once, so that it precedes its use. */
uint32_t nf_untyped_define(struct nf_untyping *u, uint32_t opcode, const uint32_t *operands, uint32_t count);
uint32_t nf_untyped_integer_type(struct nf_untyping *u, uint32_t width);
uint32_t nf_untyped_vector_type(struct nf_untyping *u, uint32_t component, uint32_t count);
uint32_t nf_untyped_half_type(struct nf_untyping *u);
/* Returns the type of a pointer to `pointee` in the storage class of the pointer `id`. */
uint32_t nf_untyped_pointer_like(struct nf_untyping *u, uint32_t id, uint32_t pointee);
/* Returns the type of the components of a vector or of a cooperative matrix; any other type is returned as it is. */
uint32_t nf_untyped_component_of(const struct nf_untyping *u, uint32_t type);
/* Returns true if `id` is an untyped pointer in the input. */
bool nf_untyped_is(const struct nf_untyping *u, uint32_t id);
/* The first function emits a cast of `pointer` to `type`, as `id`. The others return `id`, or a cast of it to the
 * wanted type if it is a pointer of another type; nf_untyped_as_constant() returns a constant if `id` is one. */
void nf_untyped_put_cast(struct nf_untyping *u, struct nf_words *to, uint32_t type, uint32_t id, uint32_t pointer);
uint32_t nf_untyped_as_type(struct nf_untyping *u, uint32_t id, uint32_t wanted);
uint32_t nf_untyped_as_constant(struct nf_untyping *u, uint32_t id, uint32_t wanted);
uint32_t nf_untyped_as_pointer_to(struct nf_untyping *u, uint32_t id, uint32_t pointee);

#endif
