/* SPDX-License-Identifier: Apache-2.0 */
/*
 * spir.c - the forms that make the way through SPIRV-LLVM-Translator to SPIR 1.2 right.
 *
 * The translator makes a work-group barrier of a subgroup barrier, which hangs or corrupts where not every work-item comes
 * by; it adds 0.0 to load a float atomically, which turns -0.0 into 0.0; and it takes two functions of one name for one. So:
 *
 *     OpName %f "f"  OpName %g "f"                            OpName %f "f"  OpName %g "f.12"
 *     OpControlBarrier %Subgroup %Subgroup %sem           ->   nothing: a subgroup is one work-item there
 *     %f = OpAtomicLoad %float %p %scope %sem             ->   %u = OpAtomicLoad %uint ...; %f = OpBitcast %float %u
 */
#include "fit/parts.h"

/* ---- Names ---- */

/* Is the function `id` known outside by another name than its OpName? */
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

/* Note the name, which may be an OpName's or an entry point's. @return false when another function has it already. */
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

/* A second function of the same name gets its id at the end of it. */
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

/* A subgroup of one work-item waits for nobody; what else the barrier orders stays ordered. */
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

static bool memory_barrier(struct nf_fit *f, uint32_t at)
{
    uint64_t memory;
    if (!nf_fit_constant(f, f->m->words[at + 1], &memory) || memory < NF_SCOPE_SUBGROUP) return false;
    f->changed = true;
    return true;
}

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
}

bool nf_fit_spir_instruction(struct nf_fit *f, uint32_t at)
{
    uint32_t opcode = nf_opcode(f->m, at);
    switch (opcode) {
    case OpName: return function_name(f, at);
    case OpControlBarrier: return control_barrier(f, at);
    case OpMemoryBarrier: return memory_barrier(f, at);
    case OpAtomicLoad: return atomic_load(f, at);
    default: return nf_fit_unimplemented(f, at);
    }
}
