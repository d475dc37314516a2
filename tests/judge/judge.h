/* SPDX-License-Identifier: Apache-2.0 */
/*
 * judge.h - declarations that the files of the judge share.
 *
 * The judge is a reference interpreter of OpenCL SPIR-V in which a value that derives from an address has a provenance:
 * the object of that address. The judge decides whether a specialized module still has the meaning of the original, so
 * it shares no code with the core and has no notion of tags: objects have plain numeric addresses, those of different
 * spaces overlap on purpose, and integer arithmetic on addresses has no special treatment.
 *
 * Data flow: read.c (words -> types, names) -> constants.c (module-scope values and objects) -> decode.c (function
 * bodies -> flat instructions) -> schedule.c (groups, items) -> run.c and the files of handlers.
 */
#ifndef JUDGE_H
#define JUDGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <spirv/unified1/spirv.h>

/* ---- Values --------------------------------------------------------------------------------------------------- */

/* A scalar. `bits` is zero-extended; bits set in `undef` are undefined; `prov` is the provenance of the bits. */
struct cell {
    uint64_t bits;
    uint64_t undef;
    uint32_t prov;
    uint32_t spare;
};

/* A provenance is 0 (none), PROV_MIXED (several) or an object's index with its generation in the top eight bits. */
#define PROV_MIXED 0xffffffffu
#define PROV_INDEX(p) ((p)&0xffffffu)
#define PROV_GENERATION(p) ((p) >> 24)

enum space {
    SPACE_PRIVATE,
    SPACE_LOCAL,
    SPACE_GLOBAL,
    SPACE_CONSTANT,
    SPACE_CODE,
    SPACE_INPUT,
    SPACE_GENERIC,
    SPACE_COUNT
};

/* A block of memory. `undef` has one byte for each byte of memory, with a bit for each of its bits; `prov` one
 * provenance for each byte. */
struct object {
    uint8_t *data;
    uint8_t *undef;
    uint32_t *prov; /* meaningful only while has_prov */
    uint64_t base;  /* numeric address in its own address space */
    uint64_t size;
    const char *name; /* or NULL */
    uint32_t owner;   /* item (private) or group (local) to which it belongs; 0: to all */
    int16_t argument; /* index of the kernel argument whose buffer this is, or -1 */
    uint8_t space;
    uint8_t generation;
    bool alive;
    bool read_only;
    bool has_prov;
};

/* ---- The module ------------------------------------------------------------------------------------------------ */

struct leaf {
    uint32_t offset;
    uint32_t size;
};

struct type {
    uint16_t op;  /* SpvOpType... */
    uint8_t bits; /* width of the scalar, for vectors of the component; for pointers, of an address; 0 for aggregates */
    bool is_float;
    bool is_pointer;   /* is a pointer, or a vector of pointers */
    uint8_t space;     /* of pointers */
    uint32_t element;  /* id of a type: pointee, component, element, or return type */
    uint32_t count;    /* number of components, elements, members or parameters */
    uint32_t *members; /* ids of the types of members or parameters */
    uint64_t *offsets;
    uint64_t size;
    uint32_t align;
    uint32_t cells;
    struct leaf *leaves; /* created on first use */
};

struct item;
struct inst;
typedef void (*handler)(struct item *, const struct inst *);

/* One decoded instruction. References to values are offsets into the frame if >= 0, else ~index into the constants. */
struct inst {
    handler run;
    int32_t dst;
    int32_t a, b, c; /* the first three operands */
    uint32_t n;      /* number of cells of the result */
    uint8_t bits;    /* width of the result's scalars */
    uint8_t sbits;   /* width of the first operand's scalars */
    uint8_t space;   /* storage class of the first operand, if it is a pointer */
    bool is_float;   /* the first operand consists of floats */
    uint16_t op;
    uint16_t nops;
    uint32_t type; /* result type id */
    uint32_t ops;  /* index of its operands in the module's pool */
    uint32_t word; /* word offset of the instruction in the module */
};

/*
 * How the instructions of an opcode are decoded and executed. `form` has a letter for each operand after result type
 * and result: v value, l literal or type, f function, b label; the last letter repeats.
 */
struct opinfo {
    uint16_t op;
    const char *form;
    handler run;
};

struct function {
    uint32_t id;
    uint32_t first; /* word offset of OpFunction */
    uint32_t type;  /* function type id */
    uint32_t parameter_count;
    uint32_t parameter_cells;
    uint32_t *parameters; /* ids */
    uint32_t cells;
    struct inst *code; /* NULL until the function is called first */
    uint32_t object;
    bool has_body;
};

struct edge {
    const struct inst *target;
    uint32_t moves, count, cells;
};

struct move {
    int32_t dst, src;
    uint32_t n;
};

/* Facts about an id that are known before execution. */
struct id_info {
    const char *name;
    const char *linkage; /* name of an imported or exported symbol */
    uint32_t word;       /* definition */
    uint32_t type;       /* id of the value's type */
    int32_t ref;         /* value reference */
    uint32_t function;   /* index + 1 */
    uint32_t alignment;
    int16_t builtin; /* or -1 */
    int32_t spec;    /* SpecId or -1 */
    uint32_t scope;  /* word offset of a module-scope value that is not evaluated yet, or 0 */
    bool defined;    /* ref is valid */
    bool by_value;
    bool saturate;
    bool packed;
    bool imported;
    uint8_t rounding; /* 1 + its FPRoundingMode, 0: none */
};

#define VECTOR(T)                                                                                                      \
    struct {                                                                                                           \
        T *at;                                                                                                         \
        uint32_t count, room;                                                                                          \
    }

struct module {
    const char *path;
    uint32_t *words;
    uint32_t word_count;
    uint32_t bound;
    uint32_t address_bits;
    struct type **types;
    struct id_info *ids;
    uint32_t opencl_std; /* ids of the extended instruction sets */
    VECTOR(struct function) functions;
    VECTOR(struct edge) edges;
    VECTOR(struct move) moves;
    VECTOR(int32_t) pool;
    VECTOR(struct cell) constants;
    VECTOR(uint32_t) scope;   /* word offsets of module-scope values, in order */
    VECTOR(uint32_t) entries; /* word offsets of OpEntryPoint */
    VECTOR(uint32_t) modes;   /* word offsets of OpExecutionMode */
};

/* ---- The machine ------------------------------------------------------------------------------------------------ */

struct frame {
    const struct function *function;
    const struct inst *back;
    uint32_t base; /* of the caller */
    int32_t dst;   /* cell of the result, in the caller's frame */
    uint32_t cells;
    uint32_t vars; /* number of private objects at entry */
    uint64_t address;
    uint32_t chunk, used;
};

enum state { RUNNING, WAITING, FINISHED };

struct chunk {
    uint8_t *bytes;
    uint32_t size;
};

/* A work-item: the state of its execution. */
struct item {
    struct judge *judge;
    struct module *module;
    struct cell *frame;
    const struct inst *pc;
    const struct function *function;
    enum state state;
    uint64_t budget; /* instructions until the next item's turn */
    VECTOR(struct cell) cells;
    VECTOR(struct frame) frames;
    VECTOR(uint32_t) vars; /* indices of private objects, sorted by address */
    VECTOR(struct chunk) chunks;
    struct cell *scratch;
    uint32_t scratch_room;
    uint32_t top; /* cells in use */
    uint32_t chunk, used;
    uint64_t address;
    uint32_t number; /* 1 + linear id in the whole range */
    uint32_t local;  /* linear id in the group */
    uint64_t global_id[3], local_id[3];
    const struct inst *waits_at;
};

/* An argument of the kernel as given on the command line. */
struct argument {
    const char *text;
    uint8_t *bytes; /* contents of a buffer or a value */
    uint64_t size;
    char element[12]; /* type name for printing */
    int same;         /* index of the argument whose buffer this is as well, or -1 */
    uint64_t offset;
    enum { ARG_VALUE, ARG_BUFFER, ARG_LOCAL, ARG_SAME, ARG_NULL } kind;
    VECTOR(struct fixup) fixups;
    uint32_t object; /* index of the object: a buffer, or the shared copy of a value */
};

/* At `at`, the address of argument `target`'s buffer plus `offset` is written. */
struct fixup {
    uint64_t at;
    int target;
    uint64_t offset;
};

struct options {
    const char *kernel;
    uint64_t global[3], local[3];
    uint64_t bases[SPACE_COUNT];
    bool has_local;
    bool zero_private; /* address 0 is valid in private and local memory, where a null pointer is all ones */
    bool strict;
    bool share_values; /* all items of a group share by-value arguments */
    bool sharing;      /* share_values applies to the current run */
    bool dump;
    bool hex; /* dump bytes */
    uint32_t subgroup;
    uint64_t max_steps;
    struct argument *args;
    int arg_count; /* the last ones may be buffers that are only reachable by addresses in other arguments */
    int extra_count;
    struct spec {
        uint32_t id;
        uint64_t value;
    } * specs;
    int spec_count;
};

struct builtin_variable {
    uint32_t object;
    uint32_t type;
    int builtin;
};

/* The state of one run of one module. */
struct judge {
    struct module *module;
    const struct options *options;
    VECTOR(struct object) objects;
    VECTOR(uint32_t) free_objects;
    VECTOR(uint32_t) by_space[SPACE_COUNT]; /* indices of module-scope objects and buffers, sorted by address */
    uint64_t next_address[SPACE_COUNT];
    VECTOR(struct builtin_variable) builtins;
    VECTOR(uint32_t) local_scope; /* word offsets of module-scope values that contain local addresses */
    VECTOR(uint32_t) locals;      /* indices of local objects */
    VECTOR(char) output;          /* of printf */
    struct item *items;
    uint32_t item_count; /* per group */
    uint64_t groups[3], group_id[3];
    uint32_t group; /* linear + 1 */
    uint64_t steps;
    uint32_t reports;
    uint8_t *reported; /* by word offset */
    struct item *current;
};

/* util.c */
void *nfj_alloc(size_t size);
void *nfj_grow(void *at, uint32_t *room, uint32_t need, size_t size);
_Noreturn void nfj_usage(const char *format, ...);
_Noreturn void nfj_cannot(const struct module *module, const char *format, ...);
const char *nfj_op_name(uint16_t op);
void nfj_result_of(uint16_t op, bool *has_result, bool *has_type);
double nfj_half_to_double(uint16_t half);
uint16_t nfj_double_to_half(double value, int rounding);

#define PUSH(v, x)                                                                                                     \
    ((v).count == (v).room ? (void)((v).at = nfj_grow((v).at, &(v).room, (v).count + 1, sizeof *(v).at)) : (void)0,    \
     (v).at[(v).count++] = (x))

/* read.c */
struct module *nfj_read(const char *path);
void nfj_free_module(struct module *module);

/* types.c */
const struct type *nfj_type(const struct module *module, uint32_t id);
void nfj_read_type(struct module *module, uint32_t word);
const struct leaf *nfj_leaves(struct module *module, struct type *type);
uint64_t nfj_round_up(uint64_t value, uint64_t align);
uint32_t nfj_chain_step(struct module *m, const struct type *type, uint32_t index, uint32_t *next, uint64_t *offset);

/* constants.c */
void nfj_make_scope(struct judge *judge);
void nfj_remake_local_scope(struct judge *judge);

/* decode.c */
uint32_t nfj_check(const struct module *module);
void nfj_decode(struct module *module, struct function *function);
struct inst nfj_decode_one(struct module *module, uint32_t word, uint16_t op, uint32_t first, uint32_t end);

/* memory.c */
uint32_t nfj_new_object(struct judge *judge, enum space space, uint64_t size, uint64_t align, const char *name);
uint32_t nfj_prov(const struct judge *judge, uint32_t object);
struct cell nfj_pointer_to(const struct judge *judge, uint32_t object, enum space space);
uint64_t nfj_null(const struct judge *judge, enum space space);
uint64_t nfj_flat_base(const struct module *module, enum space space);
enum space nfj_flat_space(const struct module *module, uint64_t flat);
void nfj_set_undefined(struct object *object, uint64_t offset, uint64_t size);
struct object *nfj_access(struct item *item, const struct inst *in, const struct cell *pointer, enum space space,
                          uint64_t size, bool write, uint64_t *offset);
void nfj_load_leaf(const struct object *object, uint64_t offset, uint32_t size, struct cell *to);
void nfj_store_leaf(struct object *object, uint64_t offset, uint32_t size, const struct cell *from);
void nfj_load(struct item *item, const struct inst *in, const struct cell *pointer, enum space space, uint32_t type,
              struct cell *to);
void nfj_store(struct item *item, const struct inst *in, const struct cell *pointer, enum space space, uint32_t type,
               const struct cell *from);
void nfj_copy(struct item *item, const struct inst *in, const struct cell *to, enum space to_space,
              const struct cell *from, enum space from_space, uint64_t size);
uint32_t nfj_push_variable(struct item *item, uint64_t size, uint64_t align, const char *name);
void nfj_pop_variables(struct item *item, const struct frame *frame);
void nfj_report(struct item *item, const struct inst *in, const char *format, ...);

/* run.c and the other files of handlers; each table ends with an entry without a handler */
extern const struct opinfo nfj_run_ops[], nfj_arith_ops[], nfj_convert_ops[], nfj_memory_ops[], nfj_pointer_ops[],
    nfj_atomic_ops[], nfj_group_ops[], nfj_ext_ops[], nfj_compare_ops[];
const struct opinfo *nfj_opinfo(uint16_t op);
void nfj_unknown(struct item *item, const struct inst *in);
struct cell *nfj_enter(struct item *item, struct function *function, int32_t dst);
void nfj_run_item(struct item *item);

/* schedule.c */
void nfj_launch(struct judge *judge);
void nfj_wait(struct item *item, const struct inst *in);

/* group.c: executes an instruction at which all items of the scope have arrived */
void nfj_group_step(struct judge *judge, struct item **who, uint32_t count, const struct inst *in);

/* arith.c */
void nfj_join(struct cell *to, const struct cell *a, const struct cell *b);
double nfj_to_double(uint64_t bits, unsigned width);
uint64_t nfj_from_double(double value, unsigned width);
uint64_t nfj_operate(uint16_t op, unsigned bits, uint64_t x, uint64_t y);

/* imports.c */
bool nfj_imported(struct item *item, const struct inst *in, const char *name);
/* atomic.c, pointer.c: the effects of instructions, for calls of functions with the same effects. */
void nfj_atomic_call(struct item *item, const struct inst *in, uint16_t op, enum space space,
                     const struct cell *pointer, const struct cell *by);
void nfj_cast_explicit(struct item *item, const struct inst *in, struct cell pointer, enum space from);
uint32_t nfj_semantics(const struct item *item, const struct cell *pointer, enum space from);

/* args.c, dump.c */
void nfj_parse_argument(struct argument *argument, const char *text);
void nfj_bind_arguments(struct judge *judge, struct options *options);
void nfj_dump(const struct judge *judge, FILE *to);
uint32_t nfj_compare(const struct judge *a, const struct judge *b);

/* main.c */
void nfj_run_module(struct judge *judge, struct module *module, struct options *options);

static inline const struct cell *value(const struct item *item, int32_t ref)
{
    return ref >= 0 ? item->frame + ref : item->module->constants.at + ~ref;
}

static inline uint64_t mask_of(unsigned bits)
{
    return bits >= 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1;
}

static inline int64_t sign_extend(uint64_t x, unsigned bits)
{
    unsigned shift = 64 - bits;
    return bits >= 64 ? (int64_t)x : (int64_t)(x << shift) >> shift;
}

static inline int32_t operand(const struct item *item, const struct inst *in, uint32_t i)
{
    return item->module->pool.at[in->ops + i];
}

#endif
