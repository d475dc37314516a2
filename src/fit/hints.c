/* SPDX-License-Identifier: Apache-2.0 */
/*
 * hints.c - the table of features that change no result, and the decision which of them the device lacks.
 *
 *     OpCapability ExpectAssumeKHR                  (dropped)
 *     OpExtension "SPV_KHR_expect_assume"           (dropped)
 *     OpAssumeTrueKHR %c                            (dropped)
 *
 * A row lists the extension and capabilities that declare the hint, and its instructions, decorations, execution modes
 * and mask bits. A new hint is a new row.
 *
 * A declaration whose instructions do not occur, for example because src/supply replaced them, has no effect either,
 * but Mesa refuses a module with it: `needs` of such a row lists the instructions. Instructions that are replaced by
 * others also have rows (`spelled`), so that their declarations are dropped.
 *
 * needs: the profile, the module's declarations.  gives: the dropped rows (nf_fit.dropped_hints), and functions that
 * query the dropped rows.
 */
#include "fit/internal.h"

struct hint {
    const char *extension;
    uint32_t core; /* the first version (word) in which the feature needs no extension; 0: none */
    uint32_t capabilities[5];
    uint32_t kept; /* a capability of the extension that is no hint, and so is never dropped; 0: none */
    struct nf_range opcodes, decorations, modes;
    struct nf_range needs;                      /* the row is not dropped if the module has one of these instructions */
    struct nf_range spelled;                    /* instructions that are replaced by others */
    uint32_t memory, function, loop, fast_math; /* mask bits */
};

static const struct hint hints[] = {
    {.extension = "SPV_INTEL_memory_access_aliasing",
     .capabilities = {5910},
     .opcodes = {OpAliasDomainDeclINTEL, OpAliasScopeListDeclINTEL},
     .decorations = {5914, 5915},
     .memory = 0x30000},
    {.extension = "SPV_KHR_expect_assume", .capabilities = {5629}, .opcodes = {OpAssumeTrueKHR, OpExpectKHR}},
    {.extension = "SPV_INTEL_optnone", .capabilities = {6094}, .function = 0x10000},
    {.extension = "SPV_EXT_optnone", .capabilities = {6094}, .function = 0x10000},
    {.extension = "SPV_INTEL_fp_fast_math_mode", .capabilities = {5837}, .fast_math = 0x30000},
    {.extension = "SPV_KHR_float_controls2", .capabilities = {6029}, .modes = {6028, 6028}, .fast_math = 0x70000},
    {.extension = "SPV_GOOGLE_hlsl_functionality1",
     .core = NF_VERSION_1_4,
     .decorations = {5635, 5635}}, /* UserSemantic */
    {.extension = "SPV_KHR_no_integer_wrap_decoration", .core = NF_VERSION_1_4, .decorations = {4469, 4470}},
    /* The hints are the float controls that request a device's default behavior, so not RoundingModeRTZ (capability
     * 4468, mode 4463). */
    {.extension = "SPV_KHR_float_controls",
     .core = NF_VERSION_1_4,
     .capabilities = {4464, 4465, 4466, 4467},
     .kept = 4468,
     .modes = {4459, 4462}},
    {.extension = "SPV_INTEL_fpga_loop_controls", .capabilities = {5888}, .loop = 0xffff0000},
    {.extension = "SPV_INTEL_unstructured_loop_controls",
     .capabilities = {5886},
     .opcodes = {OpLoopControlINTEL, OpLoopControlINTEL}},
    {.extension = "SPV_INTEL_fpga_memory_attributes", .capabilities = {5824}, .decorations = {5825, 5836}},
    {.extension = "SPV_INTEL_fpga_memory_accesses", .capabilities = {5898}, .decorations = {5899, 5902}},
    {.extension = "SPV_INTEL_fpga_cluster_attributes", .capabilities = {5904}, .decorations = {5905, 5905}},
    {.extension = "SPV_INTEL_fpga_cluster_attributes", .capabilities = {6150}, .decorations = {6151, 6151}},
    {.extension = "SPV_INTEL_loop_fuse", .capabilities = {5906}, .decorations = {5907, 5907}},
    {.extension = "SPV_INTEL_fpga_buffer_location", .capabilities = {5920}, .decorations = {5921, 5921}},
    {.extension = "SPV_INTEL_fpga_argument_interfaces", .capabilities = {6174}, .decorations = {6175, 6183}},
    {.extension = "SPV_INTEL_global_variable_decorations", .capabilities = {6146}, .decorations = {6147, 6149}},
    {.extension = "SPV_INTEL_global_variable_host_access", .capabilities = {6187}, .decorations = {6188, 6188}},
    {.extension = "SPV_INTEL_global_variable_fpga_decorations", .capabilities = {6189}, .decorations = {6190, 6191}},
    {.extension = "SPV_INTEL_cache_controls", .capabilities = {6441}, .decorations = {6442, 6443}},
    {.extension = "SPV_INTEL_kernel_attributes", .capabilities = {5892, 5897, 6161}, .modes = {5893, 5896}},
    {.extension = "SPV_INTEL_maximum_registers", .capabilities = {6460}, .modes = {6461, 6463}},
    {.extension = "SPV_INTEL_subgroup_requirements", .capabilities = {5934}, .modes = {5935, 5935}},
    {.extension = "", .core = NF_VERSION_1_6, .capabilities = {71}, .decorations = {26, 27}}, /* UniformDecoration */
    {.extension = "SPV_KHR_integer_dot_product",
     .core = NF_VERSION_1_6,
     .capabilities = {6019, 6016, 6017, 6018},
     .spelled = {OpSDot, OpSUDotAccSat}},
    {.extension = "SPV_KHR_bit_instructions", .capabilities = {6025}, .spelled = {OpBitFieldInsert, OpBitReverse}},
    {.extension = "", .core = NF_VERSION_1_0, .capabilities = {18}, .needs = {261, 271}}, /* Groups */
    {.extension = "SPV_KHR_uniform_group_instructions", .capabilities = {6400}, .needs = {6401, 6408}},
    {.extension = "SPV_KHR_subgroup_rotate",
     .capabilities = {6026},
     .needs = {OpGroupNonUniformRotateKHR, OpGroupNonUniformRotateKHR}},
    {.extension = "SPV_EXT_shader_atomic_float_add",
     .capabilities = {6033, 6034},
     .needs = {OpAtomicFAddEXT, OpAtomicFAddEXT}},
    {.extension = "SPV_EXT_shader_atomic_float_min_max",
     .capabilities = {5612, 5613},
     .needs = {OpAtomicFMinEXT, OpAtomicFMaxEXT}},
    /* Only variables of variable length (needs) are on a stack that has to be saved. */
    {.extension = "SPV_INTEL_variable_length_array",
     .capabilities = {5817},
     .opcodes = {5819, 5820},
     .needs = {5818, 5818}},
    {.extension = "SPV_KHR_non_semantic_info", .core = NF_VERSION_1_6},
};
enum { HINT_COUNT = sizeof hints / sizeof *hints, NON_SEMANTIC = HINT_COUNT - 1 };

bool nf_fit_takes_capability(const nf_profile *p, uint32_t capability)
{
    if (!p->capability_count) return true;
    for (size_t i = 0; i < p->capability_count; i++)
        if (p->capabilities[i] == capability) return true;
    return false;
}

uint32_t nf_fit_newest_version(const struct nf_fit *f)
{
    uint32_t newest = f->profile->max_version ? f->profile->max_version : UINT32_MAX;
    return f->spir12 && newest > NF_VERSION_1_3 ? NF_VERSION_1_3
                                                : newest; /* SPIRV-LLVM-Translator 15 lacks most of SPIR-V 1.4 */
}

static bool declares_any(const struct nf_fit *f, const struct hint *hint)
{
    for (size_t i = 0; i < 5 && hint->capabilities[i]; i++)
        if (nf_declares(f->m, hint->capabilities[i])) return true;
    return false;
}

/* Returns true if the module declares one of the row's capabilities and has one of the instructions that need it. */
static bool is_needed(const struct nf_fit *f, const struct hint *hint)
{
    if (!hint->needs.last || !declares_any(f, hint)) return false;
    for (uint32_t at = f->m->body_at; at < f->m->count; at = nf_next(f->m, at))
        if (nf_in_range(hint->needs, nf_opcode(f->m, at))) return true;
    return false;
}

static bool lacks(const struct nf_fit *f, const struct hint *hint)
{
    if (f->spir12) return true;
    bool core = hint->core && nf_fit_newest_version(f) >= hint->core && f->m->version >= hint->core;
    if (!core && !nf_profile_takes_extension(f->profile, hint->extension)) return true;
    for (size_t i = 0; i < 5 && hint->capabilities[i]; i++)
        if (!nf_fit_takes_capability(f->profile, hint->capabilities[i])) return true;
    return false;
}

void nf_fit_choose_hints(struct nf_fit *f)
{
    for (unsigned i = 0; i < HINT_COUNT; i++) {
        if (!lacks(f, &hints[i]) || is_needed(f, &hints[i])) continue;
        f->dropped_hints |= UINT64_C(1) << i;
        f->no_memory |= hints[i].memory;
        f->no_function |= hints[i].function;
        f->no_loop |= hints[i].loop;
        f->no_fast_math |= hints[i].fast_math;
    }
}

static struct nf_range range_of(const struct hint *hint, enum nf_hint_kind kind)
{
    switch (kind) {
    case NF_HINT_OPCODE: return hint->opcodes;
    case NF_HINT_DECORATION: return hint->decorations;
    case NF_HINT_MODE: return hint->modes;
    default: return hint->spelled;
    }
}

bool nf_fit_is_dropped(const struct nf_fit *f, enum nf_hint_kind kind, uint32_t number)
{
    for (unsigned i = 0; i < HINT_COUNT; i++)
        if (f->dropped_hints >> i & 1 && nf_in_range(range_of(&hints[i], kind), number)) return true;
    return false;
}

bool nf_fit_is_dropped_capability(const struct nf_fit *f, uint32_t capability)
{
    for (unsigned i = 0; i < HINT_COUNT; i++)
        for (size_t c = 0; f->dropped_hints >> i & 1 && c < 5 && hints[i].capabilities[c]; c++)
            if (hints[i].capabilities[c] == capability) return true;
    return false;
}

/* Returns true if the module keeps a capability of the row's extension, whether or not it keeps the hint. */
static bool keeps_extension(const struct nf_fit *f, const struct hint *hint)
{
    return hint->kept && nf_declares(f->m, hint->kept);
}

bool nf_fit_is_dropped_extension(const struct nf_fit *f, const char *name)
{
    for (unsigned i = 0; i < HINT_COUNT; i++)
        if (f->dropped_hints >> i & 1 && strcmp(name, hints[i].extension) == 0) return !keeps_extension(f, &hints[i]);
    return false;
}

bool nf_fit_is_non_semantic(const struct nf_fit *f, uint32_t set)
{
    uint32_t at = nf_match(f->m, set, OpExtInstImport);
    return at && strncmp(nf_string(f->m, at + 2), "NonSemantic.", 12) == 0;
}

bool nf_fit_drops_non_semantic_sets(const struct nf_fit *f)
{
    return f->dropped_hints >> NON_SEMANTIC & 1;
}

void nf_fit_execution_mode_id(struct nf_fit *f, uint32_t at)
{
    uint32_t entry = nf_mode_entry_point(f->m, at);
    uint64_t flags = 0;
    bool known = nf_length(f->m, at) == 5 && nf_fit_constant(f, nf_mode_operand(f->m, at, 1), &flags);
    bool contracts =
        nf_execution_mode(f->m, at) != NF_MODE_FAST_MATH_DEFAULT || (known && flags & NF_FAST_MATH_ALLOW_CONTRACT);
    f->changed = true;
    if (contracts || entry >= f->m->bound || f->no_contraction[entry]) return;
    f->no_contraction[entry] = true;
    NF_FIT_EMIT(f, OpExecutionMode, entry, NF_MODE_CONTRACTION_OFF);
}

/* Returns true if the module uses the row's feature without declaring its extension. */
static bool uses(const struct nf_fit *f, const struct hint *hint)
{
    const struct nf_module *m = f->m;
    bool used = declares_any(f, hint) || keeps_extension(f, hint);
    for (uint32_t at = NF_HEADER_WORDS; at < m->body_at; at = nf_next(m, at)) {
        uint32_t opcode = nf_opcode(m, at);
        if (opcode == OpExtension && strcmp(nf_string(m, at + 1), hint->extension) == 0) return false;
        if (opcode == OpDecorate) used |= nf_in_range(hint->decorations, nf_decoration_at(m, at));
        if (opcode == OpExecutionMode || opcode == OpExecutionModeId)
            used |= nf_in_range(hint->modes, nf_execution_mode(m, at));
        if (opcode == OpExtInstImport && hint == &hints[NON_SEMANTIC])
            used |= nf_fit_is_non_semantic(f, nf_declared_id(m, at));
    }
    return used;
}

void nf_fit_add_extensions(struct nf_fit *f, uint32_t old_version)
{
    for (unsigned i = 0; i < HINT_COUNT; i++) {
        const struct hint *hint = &hints[i];
        bool was_core = hint->core && old_version >= hint->core && f->version < hint->core;
        bool dropped = f->dropped_hints >> i & 1 && !keeps_extension(f, hint);
        if (dropped || !was_core || !uses(f, hint)) continue;
        uint32_t words[16] = {0};
        size_t length = strlen(hint->extension);
        memcpy(words, hint->extension, length);
        nf_fit_emit(f, OpExtension, (uint32_t)(length / 4 + 1), words);
    }
}
