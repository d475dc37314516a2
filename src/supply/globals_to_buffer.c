/* SPDX-License-Identifier: Apache-2.0 */
/*
 * globals_to_buffer.c - moves module-scope variables that kernels may write to a buffer, for a device without such
 * variables. The caller allocates the buffer and passes it to every kernel as the last argument.
 *
 *     %counter = OpVariable %_ptr_CrossWorkgroup_uint CrossWorkgroup %uint_5
 *     %k = OpFunction %void None %type                   ... OpStore %counter %n
 *
 *     %k = OpFunction %void None %type_and_memory
 *     %memory = OpFunctionParameter %_ptr_CrossWorkgroup_uchar
 *     %place = OpInBoundsPtrAccessChain %_ptr_CrossWorkgroup_uchar %memory %ulong_16
 *     %counter_here = OpBitcast %_ptr_CrossWorkgroup_uint %place
 *                                                        ... OpStore %counter_here %n
 *     and a kernel nonflat_globals_20 that stores 5 there
 *
 * The caller zeroes the buffer; an added kernel, nonflat_globals_SIZE, stores the initializers, and its name contains
 * the size of the buffer in bytes. A function that uses such a variable, or calls one that does, gets the parameter as
 * well. Constant expressions of the address are computed at the beginning of each function that uses them. Variables
 * that no function reaches are removed: only lists for a linker (llvm.used) name them, and no code reads the lists.
 *
 * The hard case is an address inside a constant, because the address of the buffer is unknown until the program runs.
 * In the initializer of a variable that moves, the added kernel stores the address. On a device whose constants cannot
 * hold addresses (NF_FAULT_MESA_CONSTANT_ADDRESSES), constants whose initializers are addresses of constants (tables of
 * strings) move to the buffer as well, with all constants that they point to. A constant pointer to one of these is
 * computed as an integer: the buffer's own address, which is stored in the buffer, plus the offset. The origin of that
 * integer must be hidden from the driver: Mesa 25's compiler does not terminate on a global pointer that is converted
 * to a constant pointer. Any other constant with an address of the buffer is refused. A function that needs the buffer
 * and whose own address is taken is refused as well, because a call through a pointer cannot pass the buffer. In
 * bitcode (NF_PROFILE_SPIR12) a variable of global memory may be a constant as well.
 *
 * needs: a module that was read, and its types.  gives: the words of a new module, to be read again.
 */
#include <stdio.h>

#include "supply/supply.h"

enum { MAX_NAME = 40, POINTER_BYTES = 8 };
enum fate { STAYS, MOVED, MADE_OF_MOVED };

struct memory {
    struct nf_edit to;
    uint8_t *fate;       /* by id: enum fate */
    const bool *reached; /* by id of a constant or variable: a function uses it, directly or through others */
    uint64_t *place;     /* by id of a moved variable: its offset in the buffer */
    uint32_t *align;     /* by id: its Alignment decoration, 0: none */
    uint64_t size;       /* of the buffer, in bytes */
    bool has_constants;  /* constants have moved, so the buffer's own address is stored at offset `own` */
    uint64_t own;
    bool *needs;                               /* by function: it gets the parameter */
    uint32_t bytes;                            /* type of the parameter: a global pointer to bytes */
    uint32_t parameter;                        /* the id of the parameter in the current function */
    uint32_t *here;                            /* by id: its replacement in the current function, 0: none yet */
    uint32_t *used, used_count, used_capacity; /* the ids that have a replacement in the current function */
    struct nf_words interface;                 /* variables that the added kernel reads, for its entry point */
};

/* ---- Choosing the variables, and their offsets ---- */

/* Returns true if the variable is a constant that the device supports: in constant memory or, in bitcode, in global
 * memory. */
static bool is_constant(const struct nf_module *m, uint32_t id)
{
    uint32_t storage = nf_variable_storage_class(m, m->def[id]);
    bool global = storage == NF_STORAGE_CROSS_WORKGROUP && m->options->profile->flags & NF_PROFILE_SPIR12;
    return storage == NF_STORAGE_UNIFORM_CONSTANT || (global && m->linkage[id] & NF_IS_CONSTANT);
}

static bool is_moved_variable(const struct nf_module *m, uint32_t id)
{
    return nf_variable_storage_class(m, m->def[id]) == NF_STORAGE_CROSS_WORKGROUP && !is_constant(m, id) &&
           m->linkage[id] != 1 + NF_LINKAGE_IMPORT;
}

static void note_alignments(struct memory *y)
{
    const struct nf_module *m = y->to.m;
    for (uint32_t at = NF_HEADER_WORDS; at < m->body_at; at = nf_next(m, at))
        if (nf_decorates(m, at, NF_DECORATION_ALIGNMENT) && nf_length(m, at) > 3)
            y->align[nf_annotated_id(m, at)] = nf_decoration_operand(m, at, 0);
}

static void assign_place(struct memory *y, uint32_t id)
{
    const struct nf_module *m = y->to.m;
    const struct nf_type *type = nf_type(m, nf_type_of(m, id)->element);
    uint64_t align = y->align[id] > type->align ? y->align[id] : type->align;
    align = align ? align : 1;
    y->size = (y->size + align - 1) / align * align;
    y->place[id] = y->size;
    y->fate[id] = MOVED;
    y->size += type->size;
}

/* Returns true if the constant variable can move: it has an initializer, and this module defines it. */
static bool is_constant_with_contents(const struct nf_module *m, uint32_t id)
{
    uint32_t at = m->def[id];
    return nf_opcode(m, at) == OpVariable && is_constant(m, id) && nf_length(m, at) > 4 &&
           m->linkage[id] != 1 + NF_LINKAGE_IMPORT;
}

/* Moves all constant variables to which the constant expression `constant` refers. Returns true if it refers to a moved
 * variable. */
static bool move_referenced(struct memory *y, uint32_t constant)
{
    const struct nf_module *m = y->to.m;
    uint32_t at = m->def[constant];
    bool any = false;
    if (!y->fate[constant] && is_constant_with_contents(m, constant)) assign_place(y, constant);
    if (y->fate[constant]) return true;
    if (!nf_is_made_constant(nf_opcode(m, at))) return false;
    struct nf_operands walk = nf_walk(m, at);
    while (nf_operands_next(&walk))
        if (walk.kind == NF_OPERAND_ID) any |= move_referenced(y, nf_current_operand(&walk));
    return any;
}

/* Moves constants that point to constants or to moved variables, and those to which they or moved variables point,
 * until none is added: a moved constant may refer to other constants, before or after it. If a constant has moved,
 * reserves room for the buffer's own address, at `own`. */
static void find_tables(struct memory *y)
{
    const struct nf_module *m = y->to.m;
    uint64_t size;
    do {
        size = y->size;
        for (uint32_t i = 0; i < m->variable_count; i++) {
            uint32_t id = m->variables[i], at = m->def[id];
            bool constant = is_constant_with_contents(m, id);
            if (!y->reached[id] || (!constant && !y->fate[id])) continue;
            if (nf_length(m, at) > 4 && move_referenced(y, nf_variable_initializer(m, at)) && !y->fate[id])
                assign_place(y, id);
        }
    } while (y->size != size);
    for (uint32_t i = 0; i < m->variable_count; i++)
        y->has_constants |= y->fate[m->variables[i]] && is_constant_with_contents(m, m->variables[i]);
    if (!y->has_constants) return;
    y->own = (y->size + POINTER_BYTES - 1) / POINTER_BYTES * POINTER_BYTES;
    y->size = y->own + POINTER_BYTES;
}

/* Marks variables without uses as moved: they have no place, and are removed. */
static void drop_unreached(struct memory *y)
{
    const struct nf_module *m = y->to.m;
    for (uint32_t i = 0; i < m->variable_count; i++)
        if (!y->reached[m->variables[i]] && (is_moved_variable(m, m->variables[i]) || is_constant(m, m->variables[i])))
            y->fate[m->variables[i]] = MOVED;
}

/* Finds the variables that move to the buffer, and the constants that contain addresses of such variables. Returns true
 * if a variable moves. Refuses the module if the initializer of a variable that stays has such an address. */
static bool find_moved(struct memory *y)
{
    struct nf_module *m = y->to.m;
    note_alignments(y);
    y->reached = nf_reached_by_functions(m);
    for (uint32_t i = 0; i < m->variable_count; i++)
        if (is_moved_variable(m, m->variables[i]) && y->reached[m->variables[i]]) assign_place(y, m->variables[i]);
    if (nf_has_fault(m->options->profile, NF_FAULT_MESA_CONSTANT_ADDRESSES) ||
        nf_has_fault(m->options->profile, NF_FAULT_OCLGRIND_CONSTANT_ADDRESSES))
        find_tables(y);
    if (!y->size) return false;
    drop_unreached(y);
    for (uint32_t at = NF_HEADER_WORDS; at < m->body_at; at = nf_next(m, at)) {
        uint32_t id = nf_result_id(m, at);
        if (nf_is_made_constant(nf_opcode(m, at)) && nf_has_marked_operand(m, at, y->fate)) y->fate[id] = MADE_OF_MOVED;
        if (nf_opcode(m, at) == OpVariable && !y->fate[id] && nf_has_marked_operand(m, at, y->fate))
            nf_fail(m->arena, NF_REFUSED, 0,
                    "constant %%%u contains the address of a module-scope variable, which this device does not know "
                    "before the program runs",
                    id);
    }
    return true;
}

/* ---- Choosing the functions ---- */

static bool uses_moved(const struct memory *y, const struct nf_function *f)
{
    for (uint32_t at = f->body; at < f->end; at = nf_next(y->to.m, at))
        if (nf_has_marked_operand(y->to.m, at, y->fate)) return true;
    return false;
}

static bool calls_needing(const struct memory *y, const struct nf_function *f)
{
    const struct nf_module *m = y->to.m;
    for (uint32_t at = f->body; at < f->end; at = nf_next(m, at))
        if (nf_opcode(m, at) == OpFunctionCall && y->needs[m->index_of[nf_callee(m, at)]]) return true;
    return false;
}

/* Adds the function that an entry point of the same name calls: translators emit such pairs, and when they read a pair
 * they treat the called function as the kernel. */
static void add_kernel_body(struct memory *y, const struct nf_function *entry)
{
    const struct nf_module *m = y->to.m;
    for (uint32_t at = entry->body; at < entry->end; at = nf_next(m, at)) {
        uint32_t callee = nf_opcode(m, at) == OpFunctionCall ? nf_callee(m, at) : 0;
        if (callee && m->linkage[callee] && strcmp(nf_linkage_name(m, callee), nf_string(m, entry->entry_at + 3)) == 0)
            y->needs[m->index_of[callee]] = true;
    }
}

static void find_functions(struct memory *y)
{
    struct nf_module *m = y->to.m;
    bool grows = true;
    for (uint32_t i = 1; i < m->function_count; i++) {
        const struct nf_function *f = &m->functions[i];
        if (f->entry_at) add_kernel_body(y, f);
        y->needs[i] |= f->body && (f->entry_at || uses_moved(y, f));
    }
    while (grows) {
        grows = false;
        for (uint32_t i = 1; i < m->function_count; i++) {
            if (y->needs[i] || !m->functions[i].body || !calls_needing(y, &m->functions[i])) continue;
            y->needs[i] = grows = true;
        }
    }
    for (uint32_t i = 1; i < m->function_count; i++)
        if (y->needs[i] && m->functions[i].address_taken)
            nf_fail(m->arena, NF_REFUSED, 0,
                    "%s uses module-scope variables, which the device lacks, so its address cannot be taken",
                    nf_function_name(m, &m->functions[i]));
}

/* ---- Rewriting a function ---- */

static uint32_t address_constant(struct memory *y, uint64_t value)
{
    uint32_t width = y->to.m->address_bits == 32 ? 32 : 64;
    uint32_t type = nf_edit_define(&y->to, OpTypeInt, 0, (uint32_t[]){width, 0}, 2);
    return nf_edit_define(&y->to, OpConstant, type, (uint32_t[]){(uint32_t)value, (uint32_t)(value >> 32)}, width / 32);
}

/* Emits a pointer of the given type to offset `at` of the buffer. */
static uint32_t emit_place(struct memory *y, uint64_t at, uint32_t type)
{
    uint32_t id = nf_build_id(&y->to.build);
    nf_edit_emit(&y->to, OpInBoundsPtrAccessChain, (uint32_t[]){y->bytes, id, y->parameter, address_constant(y, at)},
                 4);
    if (type == y->bytes) return id;
    uint32_t pointer = nf_build_id(&y->to.build);
    nf_edit_emit(&y->to, OpBitcast, (uint32_t[]){type, pointer, id}, 3);
    return pointer;
}

static uint32_t integer_type(struct memory *y)
{
    return nf_edit_define(&y->to, OpTypeInt, 0, (uint32_t[]){y->to.m->address_bits == 32 ? 32 : 64, 0}, 2);
}

/* Emits a pointer to the buffer's own address, in the buffer. */
static uint32_t emit_self_pointer(struct memory *y)
{
    uint32_t words[2] = {NF_STORAGE_CROSS_WORKGROUP, integer_type(y)};
    return emit_place(y, y->own, nf_edit_define(&y->to, OpTypePointer, 0, words, 2));
}

static void store_self(struct memory *y)
{
    uint32_t bits = nf_build_id(&y->to.build), target = emit_self_pointer(y);
    nf_edit_emit(&y->to, OpConvertPtrToU, (uint32_t[]){integer_type(y), bits, y->parameter}, 3);
    nf_edit_emit(&y->to, OpStore,
                 (uint32_t[]){target, bits, NF_MEMORY_VOLATILE | NF_MEMORY_ALIGNED, y->to.m->address_bits / 8}, 4);
}

/* Emits the address of a moved constant as a pointer to constant memory. */
static uint32_t emit_constant_place(struct memory *y, uint64_t at, uint32_t type)
{
    uint32_t integer = integer_type(y), source = emit_self_pointer(y), own = nf_build_id(&y->to.build);
    uint32_t bits = nf_build_id(&y->to.build), pointer = nf_build_id(&y->to.build);
    nf_edit_emit(&y->to, OpLoad,
                 (uint32_t[]){integer, own, source, NF_MEMORY_VOLATILE | NF_MEMORY_ALIGNED, y->to.m->address_bits / 8},
                 5);
    nf_edit_emit(&y->to, OpIAdd, (uint32_t[]){integer, bits, own, address_constant(y, at)}, 4);
    nf_edit_emit(&y->to, OpConvertUToPtr, (uint32_t[]){type, pointer, bits}, 3);
    return pointer;
}

static uint32_t emit_variable(struct memory *y, uint32_t id)
{
    uint32_t type = nf_value_type(y->to.m, y->to.m->def[id]);
    bool constant = nf_type(y->to.m, type)->storage == NF_STORAGE_UNIFORM_CONSTANT;
    return constant ? emit_constant_place(y, y->place[id], type) : emit_place(y, y->place[id], type);
}

static uint32_t replacement_of(struct memory *y, uint32_t id);

/* If `words` is a constant chain whose offset counts bytes although its base has a larger pointee, inserts the
 * missing bitcast: a module without generic pointers has not been through prepare/byte_chains.c, and consumers that
 * validate refuse the chain in a function. Returns the number of words. */
static uint32_t repair_byte_chain(struct memory *y, uint32_t at, uint32_t *words)
{
    uint32_t bytes = nf_byte_chain_index(y->to.m, at);
    if (!bytes) return nf_length(y->to.m, at);
    words[4] = nf_edit_value(&y->to, OpBitcast, words[1], words[4], 0);
    words[5] = bytes;
    return 6;
}

/* Emits the computation of a constant expression of a moved address. */
static uint32_t emit_constant(struct memory *y, uint32_t at)
{
    const struct nf_module *m = y->to.m;
    bool operation = nf_opcode(m, at) == OpSpecConstantOp;
    uint32_t skipped = operation ? 4 : 3, length = nf_length(m, at);
    uint32_t *words = NF_NEW(m->arena, uint32_t, length + 1);
    memcpy(words, m->words + at, length * sizeof *words);
    struct nf_operands walk = nf_walk(m, at);
    while (nf_operands_next(&walk))
        if (walk.kind == NF_OPERAND_ID) words[walk.at] = replacement_of(y, words[walk.at]);
    if (operation) length = repair_byte_chain(y, at, words);
    uint32_t opcode = operation ? words[3] : OpCompositeConstruct, id = nf_build_id(&y->to.build);
    words[skipped - 2] = words[1];
    words[skipped - 1] = id;
    nf_edit_emit(&y->to, opcode, words + skipped - 2, length - skipped + 2);
    return id;
}

/* Returns the replacement of `id` in the current function, emitting it if necessary: `id` itself if it does not
 * depend on a moved variable. */
static uint32_t replacement_of(struct memory *y, uint32_t id)
{
    const struct nf_module *m = y->to.m;
    if (!y->fate[id]) return id;
    if (y->here[id]) return y->here[id];
    uint32_t at = m->def[id];
    y->here[id] = y->fate[id] == MOVED ? emit_variable(y, id) : emit_constant(y, at);
    NF_RESERVE(m->arena, y->used, y->used_capacity, (size_t)y->used_count + 1);
    y->used[y->used_count++] = id;
    return y->here[id];
}

static void forget_function(struct memory *y)
{
    while (y->used_count)
        y->here[y->used[--y->used_count]] = 0;
}

static uint32_t longer_type(struct memory *y, const struct nf_function *f)
{
    const struct nf_module *m = y->to.m;
    uint32_t at = m->def[f->type], count = nf_length(m, at) - 2;
    uint32_t *types = NF_NEW(m->arena, uint32_t, count + 1);
    memcpy(types, m->words + at + 2, count * sizeof *types);
    types[count] = y->bytes;
    return nf_edit_define(&y->to, OpTypeFunction, 0, types, count + 1);
}

/* Emits all replacements that the function needs at its beginning, where they dominate all uses, and stores for the
 * initializers of private variables that use them. */
static void emit_beginning(struct memory *y, const struct nf_function *f)
{
    const struct nf_module *m = y->to.m;
    for (uint32_t at = f->body; at < f->end; at = nf_next(m, at)) {
        struct nf_operands walk = nf_walk(m, at);
        while (nf_operands_next(&walk))
            if (walk.kind == NF_OPERAND_ID) replacement_of(y, nf_current_operand(&walk));
    }
    for (uint32_t at = f->body; at < f->end; at = nf_next(m, at))
        if (nf_opcode(m, at) == OpVariable && nf_length(m, at) > 4 && y->fate[nf_variable_initializer(m, at)])
            nf_edit_emit(&y->to, OpStore, (uint32_t[]){nf_value_id(m, at), y->here[nf_variable_initializer(m, at)]}, 2);
}

static void rewrite_instruction(struct memory *y, const struct nf_function *f, uint32_t at)
{
    const struct nf_module *m = y->to.m;
    uint32_t start = y->to.out.count, length = nf_length(m, at), opcode = nf_opcode(m, at);
    nf_append_words(&y->to.out, m->words + at, length);
    if (opcode == OpFunction) y->to.out.at[start + 4] = longer_type(y, f);
    if (opcode == OpVariable && length > 4 && y->fate[nf_variable_initializer(m, at)]) {
        y->to.out.at[start] = nf_first_word(opcode, --length); /* emit_beginning() stores the initializer */
        y->to.out.count--;
        return;
    }
    struct nf_operands walk = nf_walk(m, at);
    while (nf_operands_next(&walk))
        if (walk.kind == NF_OPERAND_ID && y->fate[nf_current_operand(&walk)])
            y->to.out.at[start + walk.at] = y->here[nf_current_operand(&walk)];
    if (opcode != OpFunctionCall || !y->needs[m->index_of[nf_callee(m, at)]]) return;
    nf_append_word(&y->to.out, y->parameter);
    y->to.out.at[start] = nf_first_word(opcode, length + 1);
}

static void emit_parameter(struct memory *y)
{
    y->parameter = nf_build_id(&y->to.build);
    nf_edit_emit(&y->to, OpFunctionParameter, (uint32_t[]){y->bytes, y->parameter}, 2);
}

static void rewrite_function(struct memory *y, const struct nf_function *f)
{
    const struct nf_module *m = y->to.m;
    bool in_head = true;
    for (uint32_t at = f->at; at < f->end; at = nf_next(m, at)) {
        uint32_t opcode = nf_opcode(m, at);
        bool head = at <= f->body || opcode == OpVariable || nf_debug_at(m, at) != NF_DEBUG_NONE;
        if (at == f->body) emit_parameter(y);
        if (in_head && !head) emit_beginning(y, f);
        in_head &= head;
        rewrite_instruction(y, f, at);
    }
    forget_function(y);
}

/* ---- The kernel that stores the initializers ---- */

static uint32_t aligned(uint64_t at, uint32_t most)
{
    uint64_t low = at & (~at + 1);
    return low && low < most ? (uint32_t)low : most;
}

static bool is_made_of_moved(const struct memory *y, uint32_t id)
{
    return y->fate[id] != STAYS;
}

/* Emits a copy of the initializer, which contains no address, from a new constant variable: it may be large. */
static void copy_initial(struct memory *y, uint64_t to, uint32_t constant)
{
    const struct nf_type *type = nf_type_of(y->to.m, constant);
    uint32_t byte = nf_edit_define(&y->to, OpTypeInt, 0, (uint32_t[]){8, 0}, 2), source = nf_build_id(&y->to.build);
    uint32_t pointer = nf_edit_define(&y->to, OpTypePointer, 0, (uint32_t[]){NF_STORAGE_UNIFORM_CONSTANT, type->id}, 2);
    uint32_t bytes = nf_edit_define(&y->to, OpTypePointer, 0, (uint32_t[]){NF_STORAGE_UNIFORM_CONSTANT, byte}, 2);
    nf_append_words(&y->to.build.definitions,
                    (uint32_t[]){nf_first_word(OpVariable, 5), pointer, source, NF_STORAGE_UNIFORM_CONSTANT, constant},
                    5);
    nf_append_word(&y->interface, source);
    uint32_t target = emit_place(y, to, y->bytes), from = nf_build_id(&y->to.build);
    nf_edit_emit(&y->to, OpBitcast, (uint32_t[]){bytes, from, source}, 3);
    nf_edit_emit(
        &y->to, OpCopyMemorySized,
        (uint32_t[]){target, from, address_constant(y, type->size), NF_MEMORY_ALIGNED, aligned(to, type->align)}, 5);
}

static void store_initial(struct memory *y, uint64_t to, uint32_t constant)
{
    const struct nf_type *type = nf_type_of(y->to.m, constant);
    uint32_t words[2] = {NF_STORAGE_CROSS_WORKGROUP, type->id}, value = replacement_of(y, constant);
    uint32_t target = emit_place(y, to, nf_edit_define(&y->to, OpTypePointer, 0, words, 2));
    nf_edit_emit(&y->to, OpStore, (uint32_t[]){target, value, NF_MEMORY_ALIGNED, aligned(to, type->align)}, 4);
}

static void write_initial(struct memory *y, uint64_t to, uint32_t constant)
{
    const struct nf_module *m = y->to.m;
    uint32_t at = m->def[constant], opcode = nf_opcode(m, at);
    const struct nf_type *type = nf_type_of(m, constant);
    bool composite = opcode == OpConstantComposite || opcode == OpSpecConstantComposite;
    if (opcode == OpConstantNull || opcode == OpUndef) return;
    if (!composite || type->kind == NF_KIND_VECTOR) {
        store_initial(y, to, constant);
    } else if (!is_made_of_moved(y, constant)) {
        copy_initial(y, to, constant);
    } else {
        uint64_t element = type->kind == NF_KIND_ARRAY ? nf_type(m, type->element)->size : 0;
        for (uint32_t i = 0; i + 3 < nf_length(m, at); i++)
            write_initial(y, to + (element ? i * element : type->offsets[i]), nf_constituent(m, at, i));
    }
}

/* Emits the kernel that initializes the buffer, and returns its id. */
static uint32_t emit_kernel(struct memory *y)
{
    const struct nf_module *m = y->to.m;
    uint32_t nothing = nf_edit_define(&y->to, OpTypeVoid, 0, NULL, 0), id = nf_build_id(&y->to.build);
    uint32_t type = nf_edit_define(&y->to, OpTypeFunction, 0, (uint32_t[]){nothing, y->bytes}, 2);
    nf_edit_emit(&y->to, OpFunction, (uint32_t[]){nothing, id, 0, type}, 4);
    emit_parameter(y);
    nf_edit_emit(&y->to, OpLabel, (uint32_t[]){nf_build_id(&y->to.build)}, 1);
    if (y->has_constants) store_self(y);
    for (uint32_t i = 0; i < m->variable_count; i++) {
        uint32_t variable = m->variables[i], at = m->def[variable];
        if (y->reached[variable] && y->fate[variable] == MOVED && nf_length(m, at) > 4)
            write_initial(y, y->place[variable], nf_variable_initializer(m, at));
    }
    nf_edit_emit(&y->to, OpReturn, NULL, 0);
    nf_edit_emit(&y->to, OpFunctionEnd, NULL, 0);
    forget_function(y);
    return id;
}

static void emit_entry_point(struct memory *y, uint32_t kernel)
{
    char name[MAX_NAME];
    uint32_t start = y->to.out.count;
    snprintf(name, sizeof name, "nonflat_globals_%llu", (unsigned long long)y->size);
    nf_append_words(&y->to.out, (uint32_t[]){0, NF_EXECUTION_MODEL_KERNEL, kernel}, 3);
    nf_append_string(&y->to.out, name);
    if (y->to.m->version >= 0x10400) nf_append_words(&y->to.out, y->interface.at, y->interface.count);
    y->to.out.at[start] = nf_first_word(OpEntryPoint, y->to.out.count - start);
}

/* ---- Module scope ---- */

/* Emits the entry point without the moved variables in its interface. */
static void emit_shorter_entry_point(struct memory *y, uint32_t at)
{
    const struct nf_module *m = y->to.m;
    uint32_t start = y->to.out.count, list = at + 4 + (uint32_t)strlen(nf_string(m, at + 3)) / 4;
    nf_append_words(&y->to.out, m->words + at, list - at);
    for (uint32_t i = list; i < nf_next(m, at); i++)
        if (!y->fate[m->words[i]]) nf_append_word(&y->to.out, m->words[i]);
    y->to.out.at[start] = nf_first_word(OpEntryPoint, y->to.out.count - start);
}

/* Returns the entry of the added parameter in a list of arguments, such as "kernel_arg_type.NAME.int*,", which
 * translators leave for each kernel; NULL for any other string. */
static const char *entry_of_parameter(const char *list)
{
    static const char types[] = "kernel_arg_type.", qualifiers[] = "kernel_arg_type_qual.";
    if (strncmp(list, types, sizeof types - 1) == 0) return "uchar*,";
    return strncmp(list, qualifiers, sizeof qualifiers - 1) == 0 ? "," : NULL;
}

static void emit_string(struct memory *y, uint32_t at)
{
    const struct nf_module *m = y->to.m;
    const char *text = nf_string(m, at + 2), *entry = entry_of_parameter(text);
    uint32_t start = y->to.out.count;
    if (!entry) {
        nf_edit_keep(&y->to, at, nf_next(m, at));
        return;
    }
    size_t size = strlen(text) + strlen(entry) + 1;
    char *longer = NF_NEW(m->arena, char, size);
    snprintf(longer, size, "%s%s", text, entry);
    nf_append_words(&y->to.out, m->words + at, 2);
    nf_append_string(&y->to.out, longer);
    y->to.out.at[start] = nf_first_word(OpString, y->to.out.count - start);
}

/* Emits an instruction of the module scope. A moved variable becomes a null pointer if debug information may refer
 * to it, otherwise it is dropped. */
static void rewrite_module_scope_instruction(struct memory *y, uint32_t at)
{
    const struct nf_module *m = y->to.m;
    uint32_t opcode = nf_opcode(m, at), id = nf_result_id(m, at);
    bool annotation = opcode == OpName || opcode == OpDecorate || opcode == OpDecorateString;
    bool debugged = m->ext_debug || m->ext_shader_debug;
    if (annotation && nf_annotated_id(m, at) < m->bound && y->fate[nf_annotated_id(m, at)]) return;
    if (opcode == OpEntryPoint) {
        emit_shorter_entry_point(y, at);
    } else if (opcode == OpString) {
        emit_string(y, at);
    } else if (!id || !y->fate[id]) {
        nf_edit_keep(&y->to, at, nf_next(m, at));
    } else if (y->fate[id] == MOVED && debugged) {
        nf_edit_emit(&y->to, OpConstantNull, (uint32_t[]){nf_value_type(m, at), id}, 2);
    }
}

bool nf_supply_globals_to_buffer(struct nf_module *m, struct nf_words *out)
{
    struct memory y = {.to = nf_edit_begin(m), .interface = {.arena = m->arena}};
    y.fate = NF_NEW(m->arena, uint8_t, m->bound);
    y.place = NF_NEW(m->arena, uint64_t, m->bound);
    y.align = NF_NEW(m->arena, uint32_t, m->bound);
    y.here = NF_NEW(m->arena, uint32_t, m->bound);
    y.needs = NF_NEW(m->arena, bool, m->function_count);
    if (!m->kernel_count || !find_moved(&y)) return false;
    find_functions(&y);
    nf_edit_need(&y.to, NF_CAPABILITY_INT8);
    if (m->address_bits == 64) nf_edit_need(&y.to, NF_CAPABILITY_INT64);
    uint32_t byte = nf_edit_define(&y.to, OpTypeInt, 0, (uint32_t[]){8, 0}, 2);
    y.bytes = nf_edit_define(&y.to, OpTypePointer, 0, (uint32_t[]){NF_STORAGE_CROSS_WORKGROUP, byte}, 2);
    for (uint32_t i = 1; i < m->function_count; i++) {
        if (y.needs[i])
            rewrite_function(&y, &m->functions[i]);
        else
            nf_edit_keep(&y.to, m->functions[i].at, m->functions[i].end);
    }
    uint32_t kernel = emit_kernel(&y);
    nf_edit_module_scope(&y.to);
    bool listed = false;
    for (uint32_t at = NF_HEADER_WORDS; at < m->body_at; at = nf_next(m, at)) {
        if (nf_opcode(m, at) == OpEntryPoint && !listed) {
            emit_entry_point(&y, kernel);
            listed = true;
        }
        rewrite_module_scope_instruction(&y, at);
    }
    *out = nf_edit_end(&y.to);
    return true;
}
