/* SPDX-License-Identifier: Apache-2.0 */
/*
 * spir.c - writes the forms that SPIRV-LLVM-Translator translates correctly to SPIR 1.2.
 *
 * The translator crashes on a built-in variable that is not loaded as a whole. It translates a subgroup barrier to a
 * work-group barrier, which hangs or corrupts memory if not every work-item reaches it. It translates an atomic load of
 * a float to an atomic addition of 0.0, which turns -0.0 into 0.0. And it merges two functions of the same name. So:
 *
 *     %p = OpBitcast %ptr_ulong %GlobalInvocationId            %all = OpLoad %v3ulong %GlobalInvocationId
 *     %x = OpLoad %ulong %p                               ->   %x = OpCompositeExtract %ulong %all 0
 *     OpName %f "f"  OpName %g "f"                            OpName %f "f"  OpName %g "f.12"
 *     OpControlBarrier %Subgroup %Subgroup %sem           ->   nothing: a subgroup is one work-item there
 *     %f = OpAtomicLoad %float %p %scope %sem             ->   %u = OpAtomicLoad %uint ...; %f = OpBitcast %float %u
 *
 * The hard case is the address of a built-in variable that is cast or indexed: it is tracked from instruction to
 * instruction (nf_fit_address), and a use other than a load is refused.
 *
 * needs: a module as read.  gives: words in the section that is being written (nf_fit.to).
 */
#include "fit/parts.h"

/* ---- Built-in variables ---- */

/* Returns the size in bytes, in OpenCL's layout, of the type defined at `at`: a scalar, a vector or an array of those;
 * 0 for other types. */
static uint32_t type_size(const struct nf_fit *f, uint32_t at)
{
    uint64_t count;
    switch (at ? nf_opcode(f->m, at) : 0) {
    case OpTypeInt:
    case OpTypeFloat: return f->m->words[at + 2] / 8;
    case OpTypeVector:
        return type_size(f, f->m->def[f->m->words[at + 2]]) * (f->m->words[at + 3] == 3 ? 4 : f->m->words[at + 3]);
    case OpTypeArray:
        if (!nf_fit_constant(f, f->m->words[at + 3], &count) || count > UINT16_MAX) return 0;
        return type_size(f, f->m->def[f->m->words[at + 2]]) * (uint32_t)count;
    default: return 0;
    }
}

/* Returns the word offset of the definition of the pointee type of `id`; 0 if it is no pointer. */
static uint32_t pointee(const struct nf_fit *f, uint32_t id)
{
    uint32_t type = nf_fit_type_of(f, id);
    return type && nf_opcode(f->m, type) == OpTypePointer ? f->m->def[f->m->words[type + 3]] : 0;
}

static const struct nf_fit_address *address_of(const struct nf_fit *f, uint32_t id)
{
    return id < f->m->bound && f->addresses[id].variable ? &f->addresses[id] : NULL;
}

static _Noreturn void refuse(struct nf_fit *f, uint32_t variable, const char *what)
{
    nf_fail(f->m->arena, NF_REFUSED, 0,
            "built-in variable %%%u is used by %s: bitcode for this device has it as a value only", variable, what);
}

/* Advances `address` by `index` elements of `size` bytes. */
static void step(struct nf_fit *f, struct nf_fit_address *address, uint32_t index, uint32_t size)
{
    uint64_t value;
    if (nf_fit_constant(f, index, &value)) {
        address->offset += (uint32_t)value * size;
        return;
    }
    uint32_t type = pointee(f, address->variable);
    bool component =
        type && nf_opcode(f->m, type) == OpTypeVector && size == type_size(f, f->m->def[f->m->words[type + 2]]);
    if (!component || address->offset || address->index) refuse(f, address->variable, "an address that is computed");
    address->index = index;
}

/* Returns the address that an access chain yields. `words` are the base and the indices; with `has_element` the first
 * index is that of OpPtrAccessChain. */
static struct nf_fit_address chain(struct nf_fit *f, bool has_element, const uint32_t *words, uint32_t count)
{
    struct nf_fit_address address = *address_of(f, words[0]);
    uint32_t type = pointee(f, words[0]);
    uint32_t i = 1;
    if (has_element && i < count) step(f, &address, words[i++], type_size(f, type));
    for (; i < count; i++) {
        bool steps = type && (nf_opcode(f->m, type) == OpTypeVector || nf_opcode(f->m, type) == OpTypeArray);
        if (!steps) refuse(f, address.variable, "an access chain into a type that it does not have");
        type = f->m->def[f->m->words[type + 2]];
        step(f, &address, words[i], type_size(f, type));
    }
    return address;
}

/* Records the address of `result` and drops the instruction, if it derives a pointer from one into a built-in variable.
 * Returns false otherwise. */
static bool derive(struct nf_fit *f, uint32_t opcode, uint32_t result, const uint32_t *words, uint32_t count)
{
    if (!count || !address_of(f, words[0]) || result >= f->m->bound) return false;
    switch (opcode) {
    case OpBitcast:
    case OpCopyObject:
    case OpPtrCastToGeneric:
    case OpGenericCastToPtr: f->addresses[result] = *address_of(f, words[0]); break;
    case OpAccessChain:
    case OpInBoundsAccessChain: f->addresses[result] = chain(f, false, words, count); break;
    case OpPtrAccessChain:
    case OpInBoundsPtrAccessChain: f->addresses[result] = chain(f, true, words, count); break;
    default: return false;
    }
    f->dropped[result] = true;
    f->changed = true;
    return true;
}

/* Writes the extraction of a component of the loaded vector `all`, or of its low `size` bytes, as a value of `type`. */
static void take_component(struct nf_fit *f, const struct nf_fit_address *address, uint32_t all,
                           uint32_t component_type, uint32_t component_size, uint32_t type, uint32_t size,
                           uint32_t result)
{
    if (address->offset / component_size >= f->m->words[pointee(f, address->variable) + 3])
        refuse(f, address->variable, "a load past its end");
    uint32_t whole = size == component_size && type == component_type ? result : nf_build_id(&f->build);
    if (address->index)
        NF_FIT_EMIT(f, OpVectorExtractDynamic, component_type, whole, all, address->index);
    else
        NF_FIT_EMIT(f, OpCompositeExtract, component_type, whole, all, address->offset / component_size);
    if (whole == result) return;
    if (size == component_size) {
        NF_FIT_EMIT(f, OpBitcast, type, result, whole);
        return;
    }
    bool low =
        size < component_size && address->offset % component_size == 0 && nf_opcode(f->m, f->m->def[type]) == OpTypeInt;
    if (!low) refuse(f, address->variable, "a load across its components");
    NF_FIT_EMIT(f, OpUConvert, type, result, whole);
}

/* Replaces a load through a pointer into a built-in variable by a load of the variable and an extraction. Returns false
 * if the pointer points into none. */
static bool load(struct nf_fit *f, uint32_t at)
{
    const struct nf_fit_address *address = address_of(f, f->m->words[at + 3]);
    if (!address) return false;
    uint32_t type = f->m->words[at + 1], result = f->m->words[at + 2];
    uint32_t variable_type = pointee(f, address->variable);
    uint32_t variable_type_id = variable_type ? f->m->words[variable_type + 1] : 0;
    if (!variable_type) refuse(f, address->variable, "OpLoad");
    if (type == variable_type_id && !address->offset && !address->index) {
        NF_FIT_EMIT(f, OpLoad, type, result, address->variable);
        return true;
    }
    bool vector = nf_opcode(f->m, variable_type) == OpTypeVector;
    uint32_t all = nf_build_id(&f->build);
    NF_FIT_EMIT(f, OpLoad, variable_type_id, all, address->variable);
    uint32_t size = type_size(f, f->m->def[type]);
    if (vector) {
        uint32_t component = f->m->words[variable_type + 2];
        take_component(f, address, all, component, type_size(f, f->m->def[component]), type, size, result);
    } else if (size == type_size(f, variable_type) && !address->offset) {
        NF_FIT_EMIT(f, OpBitcast, type, result, all);
    } else {
        refuse(f, address->variable, "a load of a part of it");
    }
    return true;
}

/* Refuses any other instruction that takes such a pointer, except names, decorations and the like. */
static void check_uses(struct nf_fit *f, uint32_t at)
{
    uint32_t opcode = nf_opcode(f->m, at);
    if (opcode == OpName || opcode == OpDecorate || opcode == OpEntryPoint || opcode == OpDecorateId ||
        opcode == OpVariable || opcode == OpExtInst)
        return;
    struct nf_operands walk = nf_operands_begin(f->m->words + at, nf_length(f->m, at), NF_EXT_OTHER, 1);
    while (nf_operands_next(&walk)) {
        const struct nf_fit_address *address =
            walk.kind == NF_OPERAND_ID ? address_of(f, f->m->words[at + walk.at]) : NULL;
        if (address) refuse(f, address->variable, nf_op_find(opcode)->name);
    }
}

/* ---- Names ---- */

/* Returns true if the function `id` is an entry point or has a linkage name, so that its OpName is not used. */
static bool has_outer_name(const struct nf_fit *f, uint32_t id)
{
    for (uint32_t at = NF_HEADER_WORDS; at < f->m->count; at += nf_length(f->m, at)) {
        uint32_t opcode = nf_opcode(f->m, at);
        if (opcode == OpFunction) return false;
        if (opcode == OpEntryPoint && f->m->words[at + 2] == id) return true;
        if (opcode == OpDecorate && f->m->words[at + 1] == id && f->m->words[at + 2] == NF_DECORATION_LINKAGE)
            return true;
    }
    return false;
}

static uint32_t hash_of(const char *text)
{
    uint32_t hash = 2166136261u;
    for (; *text; text++)
        hash = (hash ^ (unsigned char)*text) * 16777619u;
    return hash;
}

/* Records the name of a function, from an OpName or entry point. Returns false if another function has the name
 * already. */
static bool take_name(struct nf_fit *f, const char *text, uint32_t id)
{
    uint32_t bucket = hash_of(text) % f->name_bucket_count;
    while (f->names[bucket].text && strcmp(f->names[bucket].text, text) != 0)
        bucket = (bucket + 1) % f->name_bucket_count;
    if (f->names[bucket].text) return f->names[bucket].id == id;
    f->names[bucket].text = text;
    f->names[bucket].id = id;
    return true;
}

static bool is_function(const struct nf_fit *f, uint32_t id)
{
    return id < f->m->bound && f->m->def[id] && nf_opcode(f->m, f->m->def[id]) == OpFunction;
}

static void note_names(struct nf_fit *f)
{
    uint32_t count = 8;
    for (uint32_t at = NF_HEADER_WORDS; at < f->m->count; at += nf_length(f->m, at))
        count += nf_opcode(f->m, at) == OpName || nf_opcode(f->m, at) == OpEntryPoint;
    f->name_bucket_count = 2 * count;
    f->names = NF_NEW(f->m->arena, struct nf_fit_name, f->name_bucket_count);
    for (uint32_t at = NF_HEADER_WORDS; at < f->m->count; at += nf_length(f->m, at))
        if (nf_opcode(f->m, at) == OpEntryPoint) take_name(f, nf_string(f->m, at + 3), f->m->words[at + 2]);
}

/* Appends the id to the name of a function whose name another one has. Returns false if the name can be copied. */
static bool function_name(struct nf_fit *f, uint32_t at)
{
    uint32_t id = f->m->words[at + 1];
    if (!is_function(f, id) || take_name(f, nf_string(f->m, at + 2), id) || has_outer_name(f, id)) return false;
    struct nf_text text = {.arena = f->m->arena};
    nf_print(&text, "%s.%u", nf_string(f->m, at + 2), id);
    struct nf_words words = {.arena = f->m->arena};
    nf_put(&words, id);
    nf_put_string(&words, text.at);
    nf_fit_emit(f, OpName, words.count, words.at);
    return true;
}

/* ---- Barriers and atomics ---- */

/* Replaces a subgroup barrier, which has nothing to wait for because a subgroup of SPIR 1.2 is one work-item, by the
 * memory barrier that it implies, if its memory scope is wider. Returns false for other barriers. */
static bool control_barrier(struct nf_fit *f, uint32_t at)
{
    uint64_t execution, memory, semantics;
    if (!nf_fit_constant(f, f->m->words[at + 1], &execution) || execution < NF_SCOPE_SUBGROUP) return false;
    f->changed = true;
    bool narrow = nf_fit_constant(f, f->m->words[at + 2], &memory) && memory >= NF_SCOPE_SUBGROUP;
    bool orders_nothing = nf_fit_constant(f, f->m->words[at + 3], &semantics) && semantics == 0;
    if (!narrow && !orders_nothing) NF_FIT_EMIT(f, OpMemoryBarrier, f->m->words[at + 2], f->m->words[at + 3]);
    return true;
}

/* Drops a memory barrier whose scope is a subgroup or narrower. */
static bool memory_barrier(struct nf_fit *f, uint32_t at)
{
    uint64_t memory;
    if (!nf_fit_constant(f, f->m->words[at + 1], &memory) || memory < NF_SCOPE_SUBGROUP) return false;
    f->changed = true;
    return true;
}

/* Replaces an atomic load of a float by one of its bits. */
static bool atomic_load(struct nf_fit *f, uint32_t at)
{
    uint32_t type = f->m->def[f->m->words[at + 1]];
    uint32_t pointer_type = nf_fit_type_of(f, f->m->words[at + 3]);
    if (!type || nf_opcode(f->m, type) != OpTypeFloat || !pointer_type ||
        nf_opcode(f->m, pointer_type) != OpTypePointer)
        return false;
    uint32_t bits = nf_fit_int_type(f, f->m->words[type + 2]);
    uint32_t pointer_to_bits = nf_fit_pointer_type(f, f->m->words[pointer_type + 2], bits);
    uint32_t pointer = nf_build_id(&f->build), value = nf_build_id(&f->build);
    NF_FIT_EMIT(f, OpBitcast, pointer_to_bits, pointer, f->m->words[at + 3]);
    NF_FIT_EMIT(f, OpAtomicLoad, bits, value, pointer, f->m->words[at + 4], f->m->words[at + 5]);
    NF_FIT_EMIT(f, OpBitcast, f->m->words[at + 1], f->m->words[at + 2], value);
    return true;
}

void nf_fit_spir_begin(struct nf_fit *f)
{
    note_names(f);
    for (uint32_t at = NF_HEADER_WORDS; at < f->m->count; at += nf_length(f->m, at)) {
        if (nf_opcode(f->m, at) == OpFunction) return;
        if (nf_opcode(f->m, at) != OpDecorate || f->m->words[at + 2] != NF_DECORATION_BUILT_IN) continue;
        uint32_t id = f->m->words[at + 1];
        uint32_t def = id < f->m->bound ? f->m->def[id] : 0;
        if (def && nf_opcode(f->m, def) == OpVariable) f->addresses[id].variable = id;
    }
}

bool nf_fit_spir_instruction(struct nf_fit *f, uint32_t at)
{
    uint32_t opcode = nf_opcode(f->m, at);
    uint32_t length = nf_length(f->m, at);
    if (opcode == OpLoad && load(f, at)) return true;
    const struct nf_op *op = nf_op_find(opcode);
    if (nf_has_type(op) && nf_has_result(op) && length >= 4) {
        bool constant = opcode == OpSpecConstantOp;
        const uint32_t *words = f->m->words + at + 3 + constant;
        if (derive(f, constant ? f->m->words[at + 3] : opcode, f->m->words[at + 2], words, length - 3 - constant))
            return true;
    }
    check_uses(f, at);
    switch (opcode) {
    case OpName: return function_name(f, at);
    case OpControlBarrier: return control_barrier(f, at);
    case OpMemoryBarrier: return memory_barrier(f, at);
    case OpAtomicLoad: return atomic_load(f, at);
    default: return nf_fit_unimplemented(f, at);
    }
}
