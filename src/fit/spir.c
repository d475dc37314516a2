/* SPDX-License-Identifier: Apache-2.0 */
/*
 * spir.c - writes the forms that SPIRV-LLVM-Translator translates correctly to SPIR 1.2.
 *
 * The translator translates a subgroup barrier to a work-group barrier, which hangs or corrupts memory if not every
 * work-item reaches it. The translator translates an atomic load of a float to an atomic addition of 0.0, which turns
 * -0.0 into 0.0. And it merges two functions of the same name. So:
 *
 *     OpName %f "f"  OpName %g "f"                            OpName %f "f"  OpName %g "f.12"
 *     OpControlBarrier %Subgroup %Subgroup %sem           ->   nothing: a subgroup is one work-item there
 *     %y = OpCopyObject %int %x                                nothing: %x is used, not a variable on the stack
 *     %f = OpAtomicLoad %float %p %scope %sem             ->   %u = OpAtomicLoad %uint ...; %f = OpBitcast %float %u
 *
 * needs: a module that was read.  gives: words in the section that is being written (nf_fit.to).
 */
#include "fit/internal.h"

/* ---- Names ---- */

/* Returns true if the function `id` is an entry point or has a linkage name, so that its OpName is not used. */
static bool has_outer_name(const struct nf_fit *f, uint32_t id)
{
    for (uint32_t at = NF_HEADER_WORDS; at < f->m->count; at += nf_length(f->m, at)) {
        uint32_t opcode = nf_opcode(f->m, at);
        if (opcode == OpFunction) return false;
        if (opcode == OpEntryPoint && nf_entry_point_function(f->m, at) == id) return true;
        if (opcode == OpDecorate && nf_annotated_id(f->m, at) == id &&
            nf_decoration_at(f->m, at) == NF_DECORATION_LINKAGE)
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
    return nf_match(f->m, id, OpFunction);
}

static void note_names(struct nf_fit *f)
{
    uint32_t count = 8;
    for (uint32_t at = NF_HEADER_WORDS; at < f->m->count; at += nf_length(f->m, at))
        count += nf_opcode(f->m, at) == OpName || nf_opcode(f->m, at) == OpEntryPoint;
    f->name_bucket_count = 2 * count;
    f->names = NF_NEW(f->m->arena, struct nf_fit_name, f->name_bucket_count);
    for (uint32_t at = NF_HEADER_WORDS; at < f->m->count; at += nf_length(f->m, at))
        if (nf_opcode(f->m, at) == OpEntryPoint)
            take_name(f, nf_string(f->m, at + 3), nf_entry_point_function(f->m, at));
}

/* Appends the id to the name of a function if another function has the same name. Returns false if the name can be
 * copied. */
static bool function_name(struct nf_fit *f, uint32_t at)
{
    uint32_t id = nf_annotated_id(f->m, at);
    if (!is_function(f, id) || take_name(f, nf_string(f->m, at + 2), id) || has_outer_name(f, id)) return false;
    struct nf_text text = {.arena = f->m->arena};
    nf_print(&text, "%s.%u", nf_string(f->m, at + 2), id);
    struct nf_words words = {.arena = f->m->arena};
    nf_append_word(&words, id);
    nf_append_string(&words, text.at);
    nf_fit_emit(f, OpName, words.count, words.at);
    return true;
}

/* ---- Barriers and atomics ---- */

/* Replaces a subgroup barrier by the memory barrier that it implies, or drops it if it orders nothing beyond its
 * subgroup: a subgroup of SPIR 1.2 is one work-item, so no work-item has to wait. Returns false for other barriers. */
static bool control_barrier(struct nf_fit *f, uint32_t at)
{
    uint64_t execution, memory, semantics;
    if (!nf_fit_constant(f, nf_effect_operand(f->m, at, 0), &execution) || execution < NF_SCOPE_SUBGROUP) return false;
    f->changed = true;
    bool narrow = nf_fit_constant(f, nf_effect_operand(f->m, at, 1), &memory) && memory >= NF_SCOPE_SUBGROUP;
    bool orders_nothing = nf_fit_constant(f, nf_effect_operand(f->m, at, 2), &semantics) && semantics == 0;
    if (!narrow && !orders_nothing)
        NF_FIT_EMIT(f, OpMemoryBarrier, nf_effect_operand(f->m, at, 1), nf_effect_operand(f->m, at, 2));
    return true;
}

/* Drops a memory barrier whose scope is a subgroup or narrower. Returns false for other barriers. */
static bool memory_barrier(struct nf_fit *f, uint32_t at)
{
    uint64_t memory;
    if (!nf_fit_constant(f, nf_effect_operand(f->m, at, 0), &memory) || memory < NF_SCOPE_SUBGROUP) return false;
    f->changed = true;
    return true;
}

/* Replaces an atomic load of a float by an atomic load of its bits. Returns false for other loads. */
static bool atomic_load(struct nf_fit *f, uint32_t at)
{
    uint32_t type = f->m->def[nf_value_type(f->m, at)];
    uint32_t pointer_type = nf_fit_type_of(f, nf_load_pointer(f->m, at));
    if (!type || nf_opcode(f->m, type) != OpTypeFloat || !pointer_type ||
        nf_opcode(f->m, pointer_type) != OpTypePointer)
        return false;
    uint32_t bits = nf_fit_int_type(f, nf_scalar_width(f->m, type));
    uint32_t pointer_to_bits = nf_fit_pointer_type(f, nf_pointer_storage_class(f->m, pointer_type), bits);
    uint32_t pointer = nf_build_id(&f->build), value = nf_build_id(&f->build);
    NF_FIT_EMIT(f, OpBitcast, pointer_to_bits, pointer, nf_load_pointer(f->m, at));
    NF_FIT_EMIT(f, OpAtomicLoad, bits, value, pointer, nf_value_operand(f->m, at, 1), nf_value_operand(f->m, at, 2));
    NF_FIT_EMIT(f, OpBitcast, nf_value_type(f->m, at), nf_value_id(f->m, at), value);
    return true;
}

/* Drops a copy, and uses its operand instead: the translator turns a copy into a variable. Keeps a copy whose operand
 * is its own result, which an unreachable block may contain, and returns false. */
static bool copy_object(struct nf_fit *f, uint32_t at)
{
    if (nf_fit_current(f, nf_value_operand(f->m, at, 0)) == nf_value_id(f->m, at)) return false;
    nf_fit_alias(f, nf_value_type(f->m, at), nf_value_id(f->m, at), nf_value_operand(f->m, at, 0));
    return true;
}

void nf_fit_spir_begin(struct nf_fit *f)
{
    note_names(f);
}

bool nf_fit_spir_instruction(struct nf_fit *f, uint32_t at)
{
    uint32_t opcode = nf_opcode(f->m, at);
    switch (opcode) {
    case OpName: return function_name(f, at);
    case OpControlBarrier: return control_barrier(f, at);
    case OpMemoryBarrier: return memory_barrier(f, at);
    case OpAtomicLoad: return atomic_load(f, at);
    case OpCopyObject: return copy_object(f, at);
    default: return nf_fit_unimplemented(f, at);
    }
}
