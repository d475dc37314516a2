/* SPDX-License-Identifier: Apache-2.0 */
/*
 * untyped.c - gives untyped pointers (SPV_KHR_untyped_pointers) a pointee: they become pointers to bytes, and an access
 * first casts its pointer to the type of the access.
 *
 *     %up = OpTypeUntypedPointerKHR Generic                %up = OpTypePointer Generic %uchar
 *     %v = OpUntypedVariableKHR %uf Function %uint         %v = OpVariable %_ptr_Function_uint Function
 *     %q = OpUntypedPtrAccessChainKHR %up %uint %p %i      %a = OpBitcast %_ptr_Generic_uint %p
 *                                                          %q = OpPtrAccessChain %_ptr_Generic_uint %a %i
 *     %x = OpLoad %float %q                                %b = OpBitcast %_ptr_Generic_float %q
 *                                                          %x = OpLoad %float %b
 *
 * A variable and an access chain get the pointee that they name, so that most accesses need no cast. As an operand of a
 * call, a phi or a store, such a pointer is cast to a pointer to bytes, which replaces its old type. The specification
 * defines the difference of two untyped pointers (OpPtrDiff) in bytes. A device with untyped pointers supports typed
 * pointers as well, so inference and rewriting handle typed pointers only, and a device without the extension gets
 * a module without it. The hard case is a phi: the cast of an operand is emitted where the operand is defined.
 *
 * needs: a module that was read.  gives: the words of a new module, to be read again.
 */
#include "prepare/internal.h"

enum { WIDEST_VECTOR = 16 };

static bool is_untyped_chain(uint32_t opcode)
{
    return opcode >= OpUntypedAccessChainKHR && opcode <= OpUntypedInBoundsPtrAccessChainKHR;
}

/* ---- Variables and access chains ---- */

/* Gives the variable or the access chain `id` a pointee. Returns its new pointer type. */
static uint32_t name_pointee(struct nf_untyping *u, uint32_t id, uint32_t pointee)
{
    u->pointee[id] = pointee;
    return u->new_type[id] = nf_untyped_pointer_like(u, id, pointee);
}

/* Returns the pointee of a pointer, 0 if its type and its definition have none. */
static uint32_t pointee_of(const struct nf_untyping *u, uint32_t id)
{
    const struct nf_type *type = nf_type_of(u->to.m, id);
    return type->element ? type->element : u->pointee[id];
}

/* Writes the variable with its type; a variable without a type, an import, gets the type of a byte. */
static void put_variable(struct nf_untyping *u, uint32_t at)
{
    struct nf_module *m = u->to.m;
    uint32_t id = nf_value_id(m, at), length = nf_length(m, at), words[4];
    words[0] = name_pointee(u, id, length > 4 ? nf_untyped_variable_type(m, at) : u->byte);
    words[1] = id;
    words[2] = nf_variable_storage_class(m, at);
    if (length > 5)
        words[3] = nf_untyped_as_constant(u, nf_untyped_variable_initializer(m, at), nf_untyped_variable_type(m, at));
    nf_edit_emit(&u->to, OpVariable, words, length > 5 ? 4 : 3);
}

/* Returns true if the result of the instruction is an untyped pointer to a function. */
static bool names_function(const struct nf_module *m, uint32_t at)
{
    const struct nf_type *type = nf_type(m, nf_result_type(m, at));
    return nf_opcode(m, at) == OpConstantFunctionPointerINTEL && type->kind == NF_KIND_POINTER && !type->element;
}

/* Returns the type of the function whose address is the result of the instruction, or of a cast of it; else 0. */
static uint32_t function_named(const struct nf_module *m, uint32_t at)
{
    uint32_t cast = nf_match_conversion(m, at, OpPtrCastToGeneric);
    if (cast) at = m->def[cast];
    return names_function(m, at) ? nf_function_type(m, m->def[nf_function_pointed_to(m, at)]) : 0;
}

/* Returns the type of the element of `type` that the indices from word `next` on select. Refuses an index that selects
 * no member. */
static uint32_t type_inside(const struct nf_untyping *u, uint32_t at, uint32_t next, uint32_t type)
{
    const struct nf_module *m = u->to.m;
    for (; next < nf_length(m, at); next++) {
        const struct nf_type *of = nf_type(m, type);
        int64_t member;
        if (of->kind == NF_KIND_STRUCT && nf_constant(m, nf_word(m, at, next), &member) && member >= 0 &&
            member < of->count)
            type = nf_member_type(m, of->at, (uint32_t)member);
        else if (of->kind == NF_KIND_ARRAY || of->kind == NF_KIND_VECTOR)
            type = of->element;
        else
            nf_fail(m->arena, NF_MALFORMED, at, "the index in word %u selects no member of its type", next);
    }
    return type;
}

/* Emits a typed access chain. `first` is the word of the element type, in an instruction or a constant expression. */
static void put_chain(struct nf_untyping *u, uint32_t at, uint32_t opcode, uint32_t first)
{
    static const uint32_t typed[] = {OpAccessChain,    OpInBoundsAccessChain,   0, 0,
                                     OpPtrAccessChain, OpInBoundsPtrAccessChain};
    struct nf_module *m = u->to.m;
    bool counts = opcode >= OpUntypedPtrAccessChainKHR;
    uint32_t id = nf_value_id(m, at), length = nf_length(m, at), base = nf_word(m, at, first + 1), count = 0;
    uint32_t pointee = type_inside(u, at, first + 2 + counts, nf_word(m, at, first));
    uint32_t *words = NF_NEW(m->arena, uint32_t, length);
    words[count++] = name_pointee(u, id, pointee);
    words[count++] = id;
    if (u->constants) words[count++] = typed[opcode - OpUntypedAccessChainKHR];
    words[count++] = nf_untyped_as_pointer_to(u, base, nf_word(m, at, first));
    for (uint32_t i = first + 2; i < length; i++)
        words[count++] = nf_word(m, at, i);
    nf_edit_emit(&u->to, u->constants ? OpSpecConstantOp : typed[opcode - OpUntypedAccessChainKHR], words, count);
}

/* ---- Instructions that depend on the pointee ---- */

/* An instruction that is being rewritten: words[0] is its first word. */
struct instruction {
    uint32_t at, opcode, length, *words;
    uint64_t done; /* by word: the operand has its final type already */
};

static void cast_operand(struct nf_untyping *u, struct instruction *i, uint32_t word, uint32_t type)
{
    i->words[word] = nf_untyped_as_type(u, nf_word(u->to.m, i->at, word), type);
    if (word < 64) i->done |= UINT64_C(1) << word;
}

static void cast_to_pointee(struct nf_untyping *u, struct instruction *i, uint32_t word, uint32_t pointee)
{
    uint32_t id = nf_word(u->to.m, i->at, word);
    if (nf_type_of(u->to.m, id)->kind == NF_KIND_POINTER)
        cast_operand(u, i, word, nf_untyped_pointer_like(u, id, pointee));
}

static void atomic(struct nf_untyping *u, struct instruction *i)
{
    const uint32_t *words = u->to.m->words + i->at;
    switch (i->opcode) {
    case OpAtomicStore: cast_to_pointee(u, i, 1, nf_untyped_type_before(u, words[4])); break;
    case OpAtomicFlagClear: cast_to_pointee(u, i, 1, nf_untyped_integer_type(u, 32)); break;
    case OpAtomicFlagTestAndSet: cast_to_pointee(u, i, 3, nf_untyped_integer_type(u, 32)); break;
    default: cast_to_pointee(u, i, 3, words[1]); break;
    }
}

/* Casts the untyped pointers of a copy to the pointee of its other pointer or, if both are untyped, to the pointee that
 * the definition of one of them gives. Refuses the copy if neither definition gives one. */
static void cast_copy_operands(struct nf_untyping *u, struct instruction *i, uint32_t first)
{
    struct nf_module *m = u->to.m;
    const uint32_t *words = m->words + i->at;
    uint32_t one = words[first], other = words[first + 1];
    if (!nf_untyped_is(u, one) && !nf_untyped_is(u, other)) return;
    uint32_t pointee = pointee_of(u, nf_untyped_is(u, one) ? other : one);
    if (!pointee) pointee = pointee_of(u, one);
    if (!pointee)
        nf_fail(m->arena, NF_REFUSED, i->at, "both pointers are untyped, so the size of the copy is not known");
    cast_to_pointee(u, i, first, pointee);
    cast_to_pointee(u, i, first + 1, pointee);
}

static void call(struct nf_untyping *u, struct instruction *i)
{
    struct nf_module *m = u->to.m;
    uint32_t function = m->def[nf_callee(m, i->at)];
    uint32_t type = nf_opcode(m, function) == OpFunction ? m->def[nf_function_type(m, function)] : 0;
    for (uint32_t word = 4; type && word < i->length && word - 1 < nf_length(m, type); word++)
        cast_operand(u, i, word, nf_parameter_type(m, type, word - 4));
}

/* Returns the pointee of the last operand of a function with two results: frexp, lgamma_r and remquo store an integer,
 * the others a value of the result type. */
static uint32_t out_type(struct nf_untyping *u, const char *name, uint32_t result)
{
    const struct nf_type *type = nf_type(u->to.m, result);
    bool integer = !strcmp(name, "frexp") || !strcmp(name, "lgamma_r") || !strcmp(name, "remquo");
    if (!integer) return result;
    uint32_t word = nf_untyped_integer_type(u, 32);
    return type->kind == NF_KIND_VECTOR ? nf_untyped_vector_type(u, word, type->count) : word;
}

static void extended(struct nf_untyping *u, struct instruction *i)
{
    const uint32_t *words = u->to.m->words + i->at;
    const struct nf_op *op = nf_op_find_std(words[4]);
    bool half = op && strstr(op->name, "half");
    switch (nf_role_at(u->to.m, i->at)) {
    case NF_ROLE_out: cast_to_pointee(u, i, i->length - 1, out_type(u, op->name, words[1])); break;
    case NF_ROLE_vload:
        cast_to_pointee(u, i, 6, half ? nf_untyped_half_type(u) : nf_untyped_component_of(u, words[1]));
        break;
    case NF_ROLE_vstore:
        cast_to_pointee(
            u, i, 7, half ? nf_untyped_half_type(u) : nf_untyped_component_of(u, nf_untyped_type_before(u, words[5])));
        break;
    case NF_ROLE_printf: cast_to_pointee(u, i, 5, u->byte); break;
    default: break;
    }
}

static void refuse(const struct nf_untyping *u, const struct instruction *i)
{
    nf_fail(u->to.m->arena, NF_REFUSED, i->at, "an operand is an untyped pointer whose pointee type is not known");
}

/* Returns an integer type, or a vector of integers, whose size in bytes is the constant `size`; 0 if there is none. */
static uint32_t type_of_size(struct nf_untyping *u, uint32_t size)
{
    int64_t bytes;
    bool known = nf_constant(u->to.m, size, &bytes) && bytes > 0 && bytes <= 128 && !(bytes & (bytes - 1));
    if (!known) return 0;
    return bytes <= 8 ? nf_untyped_integer_type(u, (uint32_t)bytes * 8)
                      : nf_untyped_vector_type(u, nf_untyped_integer_type(u, 64), (uint32_t)bytes / 8);
}

/* Casts the pointer to the packet of a pipe to a pointer to a type of the packet's size: an array of bytes, if no
 * integer has that size. The last operands are the pointer, the size and the alignment. */
static void packet(struct nf_untyping *u, struct instruction *i)
{
    uint32_t word = i->length - 3, size = nf_word(u->to.m, i->at, i->length - 2);
    bool blocking = i->opcode == OpReadPipeBlockingINTEL || i->opcode == OpWritePipeBlockingINTEL;
    bool pipe = i->opcode >= OpReadPipe && i->opcode <= OpReservedWritePipe;
    if (!(pipe || blocking) || !nf_untyped_is(u, nf_word(u->to.m, i->at, word))) return;
    uint32_t type = type_of_size(u, size);
    if (!type && !nf_constant(u->to.m, size, &(int64_t){0})) refuse(u, i);
    if (!type) type = nf_untyped_define(u, OpTypeArray, (uint32_t[]){u->byte, size}, 2);
    cast_to_pointee(u, i, word, type);
}

static void async_copy(struct nf_untyping *u, struct instruction *i)
{
    uint32_t type = type_of_size(u, nf_value_operand(u->to.m, i->at, 3));
    if (!type) nf_fail(u->to.m->arena, NF_REFUSED, i->at, "no scalar or vector type has the size of its elements");
    cast_to_pointee(u, i, 4, type);
    cast_to_pointee(u, i, 5, type);
    memmove(i->words + 6, i->words + 7, 3 * sizeof *i->words);
    i->opcode = OpGroupAsyncCopy;
    i->length = 9;
}

/* Casts the operand in word `word` of a cast between storage classes to a pointer to the pointee of the result. The
 * address of a function stays a pointer to a function. */
static void cast(struct nf_untyping *u, struct instruction *i, uint32_t word)
{
    struct nf_module *m = u->to.m;
    uint32_t pointee = nf_type(m, i->words[1])->element, function = function_named(m, m->def[i->words[2]]);
    if (!pointee && function) i->words[1] = name_pointee(u, i->words[2], function);
    cast_to_pointee(u, i, word, pointee ? pointee : function ? function : u->byte);
}

static void bitcast(struct nf_untyping *u, struct instruction *i)
{
    if (nf_untyped_type_now(u, i->words[3]) == i->words[1] && !u->constants) i->opcode = OpCopyObject;
}

/* Casts every other operand to the type that the untyped pointer had, which is now a pointer to bytes. */
static void cast_other_operands(struct nf_untyping *u, struct instruction *i)
{
    struct nf_module *m = u->to.m;
    struct nf_ids ids = nf_ids_at(m, i->at);
    while (nf_ids_next(&ids)) {
        uint32_t id = nf_current_id(&ids);
        bool done = ids.at < 64 && i->done >> ids.at & 1;
        if (u->new_type[id] && !done) cast_operand(u, i, ids.at, nf_untyped_type_before(u, id));
    }
}

/* Casts each component of the vector of pointers in word `word` to a pointer to `pointee`. */
static void cast_vector(struct nf_untyping *u, struct instruction *i, uint32_t word, uint32_t pointee)
{
    struct nf_module *m = u->to.m;
    uint32_t vector = nf_word(m, i->at, word);
    const struct nf_type *type = nf_type_of(m, vector), *from = nf_type(m, type->element);
    if (from->kind != NF_KIND_POINTER || from->element || type->count > WIDEST_VECTOR) return;
    uint32_t *words = NF_NEW(m->arena, uint32_t, (size_t)type->count + 2);
    uint32_t pointer = nf_untyped_define(u, OpTypePointer, (uint32_t[]){from->storage, pointee}, 2);
    for (uint32_t n = 0; n < type->count; n++) {
        uint32_t component = nf_build_id(&u->to.build);
        nf_edit_emit(&u->to, OpCompositeExtract, (uint32_t[]){from->id, component, vector, n}, 4);
        words[2 + n] = nf_build_id(&u->to.build);
        nf_untyped_put_cast(u, &u->to.out, pointer, words[2 + n], component);
    }
    words[0] = nf_untyped_vector_type(u, pointer, type->count);
    words[1] = i->words[word] = nf_build_id(&u->to.build);
    nf_edit_emit(&u->to, OpCompositeConstruct, words, type->count + 2);
    if (word < 64) i->done |= UINT64_C(1) << word;
}

/* Casts the pointer of an indirect call to a pointer to the type of function that the call implies. */
static void call_indirect(struct nf_untyping *u, struct instruction *i)
{
    uint32_t *types = NF_NEW(u->to.m->arena, uint32_t, i->length);
    types[0] = i->words[1];
    for (uint32_t word = 4; word < i->length; word++)
        types[word - 3] = nf_untyped_type_before(u, i->words[word]);
    if (nf_untyped_is(u, i->words[3]))
        cast_to_pointee(u, i, 3, nf_untyped_define(u, OpTypeFunction, types, i->length - 3));
}

/* Returns true if no operand is an untyped pointer or a vector of them. */
static bool is_typed(const struct nf_untyping *u, const struct instruction *i)
{
    const struct nf_module *m = u->to.m;
    struct nf_ids ids = nf_ids_at(m, i->at);
    while (nf_ids_next(&ids)) {
        const struct nf_type *type = nf_type_of(m, nf_current_id(&ids));
        if (type->kind == NF_KIND_VECTOR) type = nf_type(m, type->element);
        if (type->kind == NF_KIND_POINTER && !type->element) return false;
    }
    return true;
}

/* Rewrites the instructions that take_operands() does not list: by role, if their pointer needs a type from another
 * operand; the pointers of all others are cast to the type that they had. */
static void by_role(struct nf_untyping *u, struct instruction *i)
{
    const uint32_t *words = u->to.m->words + i->at;
    switch (nf_role_at(u->to.m, i->at)) {
    case NF_ROLE_atomic: atomic(u, i); break;
    case NF_ROLE_block_read:
        if (!is_typed(u, i)) cast_to_pointee(u, i, 3, nf_untyped_component_of(u, words[1]));
        break;
    case NF_ROLE_store: /* a store of a block or of a matrix */
        if (!is_typed(u, i)) cast_to_pointee(u, i, 1, nf_untyped_component_of(u, nf_untyped_type_before(u, words[2])));
        break;
    case NF_ROLE_gather: cast_vector(u, i, 3, nf_untyped_component_of(u, words[1])); break;
    case NF_ROLE_scatter: cast_vector(u, i, 2, nf_untyped_component_of(u, nf_untyped_type_before(u, words[1]))); break;
    case NF_ROLE_send:
    case NF_ROLE_receive: packet(u, i); break;
    case NF_ROLE_call_indirect: call_indirect(u, i); break;
    default: break;
    }
    cast_other_operands(u, i);
}

static void take_operands(struct nf_untyping *u, struct instruction *i)
{
    const uint32_t *words = u->to.m->words + i->at;
    switch (i->opcode) {
    case OpLoad: cast_to_pointee(u, i, 3, i->words[1]); break;
    case OpStore:
        cast_to_pointee(u, i, 1, nf_untyped_type_before(u, words[2]));
        cast_operand(u, i, 2, nf_untyped_type_before(u, words[2]));
        break;
    case OpCopyMemory: cast_copy_operands(u, i, 1); break;
    case OpGroupAsyncCopy: cast_copy_operands(u, i, 4); break;
    case OpUntypedGroupAsyncCopyKHR: async_copy(u, i); break;
    case OpFunctionCall: call(u, i); break;
    case OpPtrCastToGeneric:
    case OpGenericCastToPtr:
    case OpGenericCastToPtrExplicit:
    case OpPtrCastToCrossWorkgroupINTEL:
    case OpCrossWorkgroupCastToPtrINTEL: cast(u, i, 3); break;
    case OpBitcast: bitcast(u, i); break;
    case OpConvertPtrToU: break;
    case OpPtrEqual:
    case OpPtrNotEqual: cast_operand(u, i, 4, nf_untyped_type_now(u, words[3])); break;
    case OpUntypedArrayLengthKHR:
    case OpUntypedVariableLengthArrayINTEL: refuse(u, i); break;
    case OpPhi:
        for (uint32_t word = 3; word < i->length; word += 2)
            if (u->phi_cast[words[word]]) i->words[word] = u->phi_cast[words[word]];
        break;
    case OpExtInst:
        extended(u, i);
        cast_other_operands(u, i);
        break;
    default: by_role(u, i);
    }
}

/* ---- Instruction by instruction ---- */

static struct instruction begin(struct nf_untyping *u, uint32_t at)
{
    struct nf_module *m = u->to.m;
    struct instruction i = {.at = at, .opcode = nf_opcode(m, at), .length = nf_length(m, at)};
    i.words = NF_NEW_ARRAY(m->arena, uint32_t, i.length);
    memcpy(i.words, m->words + at, i.length * sizeof *i.words);
    return i;
}

static void end(struct nf_untyping *u, const struct instruction *i)
{
    nf_edit_emit(&u->to, i->opcode, i->words + 1, i->length - 1);
    nf_arena_drop(u->to.m->arena, i->words);
}

/* Emits the cast of a phi's operand: directly after its definition, or, if `waits`, after the variables and phis of
 * the block. */
static void put_phi_cast(struct nf_untyping *u, uint32_t at, bool waits)
{
    uint32_t id = nf_result_id(u->to.m, at);
    if (id && u->phi_cast[id])
        nf_untyped_put_cast(u, waits ? &u->waiting : &u->to.out, u->phi_cast_type[id], u->phi_cast[id], id);
}

/* Returns true for the instructions at the beginning of a function or a block, between which no cast is allowed. */
static bool must_come_first(const struct nf_module *m, uint32_t at)
{
    switch (nf_opcode(m, at)) {
    case OpFunction:
    case OpFunctionParameter:
    case OpLabel:
    case OpVariable:
    case OpUntypedVariableKHR:
    case OpPhi:
    case OpLine:
    case OpNoLine: return true;
    default: return nf_debug_at(m, at) != NF_DEBUG_NONE;
    }
}

static void put_in_function(struct nf_untyping *u, uint32_t at)
{
    struct nf_module *m = u->to.m;
    uint32_t opcode = nf_opcode(m, at);
    bool first = must_come_first(m, at), debug = nf_debug_at(m, at) != NF_DEBUG_NONE;
    nf_note_move(m, &u->to.moves, u->to.out.count, nf_input_word(m, at));
    if (!first && u->waiting.count) {
        nf_append_words(&u->to.out, u->waiting.at, u->waiting.count);
        u->waiting.count = 0;
    }
    if (opcode == OpUntypedPrefetchKHR) return; /* a prefetch is a hint, which may be dropped */
    if (opcode == OpUntypedVariableKHR) {
        put_variable(u, at);
    } else if (is_untyped_chain(opcode)) {
        put_chain(u, at, opcode, 3);
    } else {
        struct instruction i = begin(u, at);
        if (!debug && !first) take_operands(u, &i);
        if (opcode == OpPhi) take_operands(u, &i);
        if (opcode == OpVariable && i.length > 4)
            i.words[4] = nf_untyped_as_constant(u, i.words[4], nf_type(m, i.words[1])->element);
        end(u, &i);
    }
    put_phi_cast(u, at, first);
}

/* ---- The module scope ---- */

static bool is_definition(const struct nf_module *m, uint32_t at)
{
    uint32_t opcode = nf_opcode(m, at);
    return (opcode >= OpTypeVoid && opcode <= OpTypeForwardPointer) || opcode == OpTypeUntypedPointerKHR ||
           (nf_result_type(m, at) && opcode != OpExtInst);
}

static bool is_dropped(const struct nf_untyping *u, uint32_t at)
{
    const struct nf_module *m = u->to.m;
    uint32_t opcode = nf_opcode(m, at), id = nf_result_id(m, at);
    if (opcode == OpCapability) return nf_capability_at(m, at) == NF_CAPABILITY_UNTYPED_POINTERS;
    if (opcode == OpExtension) return !strcmp(nf_string(m, at + 1), "SPV_KHR_untyped_pointers");
    return id && id == u->byte;
}

static void put_constant_operation(struct nf_untyping *u, uint32_t at)
{
    struct nf_module *m = u->to.m;
    uint32_t opcode = nf_spec_opcode(m, at);
    if (is_untyped_chain(opcode)) {
        put_chain(u, at, opcode, 4);
        return;
    }
    struct instruction i = begin(u, at);
    if (opcode == OpPtrCastToGeneric || opcode == OpGenericCastToPtr) {
        cast(u, &i, 4);
    } else if (opcode != OpBitcast && opcode != OpConvertPtrToU) {
        cast_other_operands(u, &i);
    }
    end(u, &i);
}

/* Writes a composite constant, whose constituents are cast to the types of its members. It is an
 * OpSpecConstantComposite if a constituent becomes a cast, or is such a composite itself. */
static void put_composite(struct nf_untyping *u, uint32_t at)
{
    struct nf_module *m = u->to.m;
    struct instruction i = begin(u, at);
    const struct nf_type *type = nf_type(m, nf_value_type(m, at));
    for (uint32_t word = 3; word < i.length; word++) {
        uint32_t part = type->kind == NF_KIND_STRUCT && word - 3 < type->count ? nf_member_type(m, type->at, word - 3)
                                                                               : type->element;
        if (nf_type(m, part)->kind == NF_KIND_POINTER) cast_operand(u, &i, word, part);
        bool computed = i.words[word] != nf_word(m, at, word) || u->computed[i.words[word]];
        if (computed) i.opcode = OpSpecConstantComposite;
        u->computed[i.words[2]] |= computed;
    }
    end(u, &i);
}

static void put_in_scope(struct nf_untyping *u, uint32_t at)
{
    struct nf_module *m = u->to.m;
    switch (nf_opcode(m, at)) {
    case OpTypeUntypedPointerKHR:
        nf_edit_emit(&u->to, OpTypePointer,
                     (uint32_t[]){nf_declared_id(m, at), nf_pointer_storage_class(m, at), u->byte}, 3);
        break;
    case OpUntypedVariableKHR: put_variable(u, at); break;
    case OpSpecConstantOp: put_constant_operation(u, at); break;
    case OpConstantComposite:
    case OpSpecConstantComposite: put_composite(u, at); break;
    default: {
        struct instruction i = begin(u, at);
        if (names_function(m, at)) i.words[1] = name_pointee(u, i.words[2], function_named(m, at));
        if (i.opcode == OpVariable && i.length > 4) cast_operand(u, &i, 4, nf_type(m, i.words[1])->element);
        end(u, &i);
    }
    }
    put_phi_cast(u, at, false);
}

static void put_scope(struct nf_untyping *u)
{
    struct nf_module *m = u->to.m;
    bool defined = false;
    u->constants = true;
    for (uint32_t at = NF_HEADER_WORDS; at < m->body_at; at = nf_next(m, at)) {
        if (!defined && is_definition(m, at)) {
            nf_edit_emit(&u->to, OpTypeInt, (uint32_t[]){u->byte, 8, 0}, 3);
            defined = true;
        }
        nf_note_move(m, &u->to.moves, u->to.out.count, nf_input_word(m, at));
        if (!is_dropped(u, at)) put_in_scope(u, at);
    }
    nf_build_note(&u->to.build, u->to.out.at, u->known, u->to.out.count, OpTypeFunction);
    u->constants = false;
}

/* ---- Facts that the rewriting needs in advance ------------------------------------------------------------------- */

/* Refuses the module if a parameter of a kernel is an untyped pointer to a private object, which is passed by value:
 * nothing in the module tells its size. */
static void refuse_by_value(const struct nf_untyping *u)
{
    const struct nf_module *m = u->to.m;
    for (uint32_t i = 1; i < m->function_count; i++) {
        const struct nf_function *f = &m->functions[i];
        for (uint32_t n = 0; f->entry_at && n < f->parameter_count; n++) {
            const struct nf_type *type = nf_type(m, nf_type_of_parameter(m, f, n));
            if (type->kind == NF_KIND_POINTER && !type->element && type->storage == NF_STORAGE_FUNCTION)
                nf_fail(m->arena, NF_REFUSED, f->at,
                        "a by-value argument is an untyped pointer, so the size of the argument is not known");
        }
    }
}

static void find_byte(struct nf_untyping *u)
{
    struct nf_module *m = u->to.m;
    for (uint32_t i = 1; i < m->type_count && !u->byte; i++)
        if (nf_width_of(m, &m->types[i]) == 8 && !nf_signedness(m, m->types[i].at)) u->byte = m->types[i].id;
    if (!u->byte) u->byte = nf_build_id(&u->to.build);
    nf_edit_need(&u->to, NF_CAPABILITY_INT8);
}

/* Finds operands of phis whose type differs from the phi's, or will differ after the rewriting. */
static void find_phi_casts(struct nf_untyping *u)
{
    struct nf_module *m = u->to.m;
    for (uint32_t at = m->body_at; at < m->count; at = nf_next(m, at)) {
        if (nf_opcode(m, at) != OpPhi || nf_type_of(m, nf_value_id(m, at))->kind != NF_KIND_POINTER) continue;
        for (uint32_t i = 0; i < nf_phi_count(m, at); i++) {
            uint32_t id = nf_phi_value(m, at, i), opcode = nf_opcode(m, m->def[id]), type = nf_value_type(m, at);
            bool changes = opcode == OpUntypedVariableKHR || is_untyped_chain(opcode) ||
                           (opcode == OpSpecConstantOp && is_untyped_chain(nf_spec_opcode(m, m->def[id]))) ||
                           function_named(m, m->def[id]);
            if (u->phi_cast[id] || (!changes && nf_untyped_type_before(u, id) == type)) continue;
            u->phi_cast[id] = nf_build_id(&u->to.build);
            u->phi_cast_type[id] = type;
        }
    }
}

void nf_lower_untyped(struct nf_module *m, struct nf_words *lowered)
{
    struct nf_untyping u = {.to = nf_edit_begin(m), .waiting = {.arena = m->arena}};
    nf_types(m);
    u.new_type = NF_NEW(m->arena, uint32_t, m->bound);
    u.computed = NF_NEW(m->arena, bool, m->bound);
    u.pointee = NF_NEW(m->arena, uint32_t, m->bound);
    u.phi_cast = NF_NEW(m->arena, uint32_t, m->bound);
    u.phi_cast_type = NF_NEW(m->arena, uint32_t, m->bound);
    refuse_by_value(&u);
    find_byte(&u);
    find_phi_casts(&u);
    put_scope(&u);
    struct nf_words scope = u.to.out;
    struct nf_moves scope_moves = u.to.moves;
    u.to.out = (struct nf_words){.arena = m->arena};
    u.to.moves = (struct nf_moves){0};
    for (uint32_t at = m->body_at; at < m->count; at = nf_next(m, at))
        put_in_function(&u, at);
    nf_edit_module_scope(&u.to);
    for (uint32_t i = 0; i < scope_moves.count; i++)
        nf_note_move(m, &u.to.moves, scope_moves.at[i].at + u.to.out.count, scope_moves.at[i].input);
    nf_append_words(&u.to.out, scope.at, scope.count);
    *lowered = nf_edit_end(&u.to);
}
