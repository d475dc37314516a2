/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fit.c - removes from a module the requirements that the device does not meet.
 *
 * Compilers often declare a capability or an extension for a mere hint, and a newer SPIR-V version for one decoration.
 * A device that lacks these refuses the whole module. For features that the profile lacks, this pass drops hints,
 * replaces newer instructions by older instructions, and lowers the version. The pass refuses a module with any other
 * requirement, and names the requirement; it does not judge capabilities and extensions if the device's lists are
 * partial or the device takes SPIR 1.2. Before and after, for a device that takes SPIR-V 1.0 without extensions:
 *
 *     ; Version: 1.4                                         ; Version: 1.0
 *     OpCapability MemoryAccessAliasingINTEL
 *     OpExtension "SPV_INTEL_memory_access_aliasing"
 *     OpDecorate %sum NoSignedWrap
 *     %v = OpLoad %int %p Aligned|NoAliasINTELMask 4 %list   %v = OpLoad %int %p Aligned 4
 *     %c = OpPtrEqual %bool %p %q                            %a = OpConvertPtrToU %ulong %p
 *                                                            %b = OpConvertPtrToU %ulong %q
 *                                                            %c = OpIEqual %bool %a %b
 *
 * Steps: 1. find the definitions; 2. decide which hints to drop; 3. write every instruction in its new form; 4. replace
 * the ids of dropped instructions. The input's words are not changed.
 */
#include "fit/internal.h"

#include <stdio.h>

enum { FIRST_OF_EXTENSIONS = 4096 }; /* the lowest opcode of an instruction of an extension */

/* ---- One instruction in its new form ---- */

static void refuse_version(struct nf_fit *f, const char *what, uint32_t needed)
{
    nf_fail(f->m->arena, NF_REFUSED, 0, "%s needs SPIR-V %u.%u, but the device accepts at most SPIR-V %u.%u", what,
            needed >> 16 & 0xff, needed >> 8 & 0xff, f->version >> 16 & 0xff, f->version >> 8 & 0xff);
}

static void fit_capability(struct nf_fit *f, uint32_t at)
{
    static const struct {
        struct nf_range capabilities;
        uint32_t version;
    } since[] = {{{58, 60}, NF_VERSION_1_1}, {{61, 68}, NF_VERSION_1_3}, {{71, 71}, NF_VERSION_1_6}};
    uint32_t capability = nf_capability_at(f->m, at);
    char number[16];
    if (nf_fit_is_dropped_capability(f, capability)) {
        f->changed = true;
        return;
    }
    for (size_t i = 0; i < sizeof since / sizeof *since; i++)
        if (nf_in_range(since[i].capabilities, capability) && f->version < since[i].version) {
            char what[80];
            snprintf(what, sizeof what, "capability %s", nf_capability_name(capability, number));
            refuse_version(f, what, since[i].version);
        }
    bool judged = !f->spir12 && !(f->profile->flags & NF_PROFILE_PARTIAL_LISTS);
    if (judged && !nf_fit_takes_capability(f->profile, capability))
        nf_fail(f->m->arena, NF_REFUSED, 0, "the module needs SPIR-V capability %s, which the device does not have",
                nf_capability_name(capability, number));
    nf_fit_copy(f, at);
}

static void fit_extension(struct nf_fit *f, uint32_t at)
{
    const char *name = nf_string(f->m, at + 1);
    if (nf_fit_is_dropped_extension(f, name)) {
        f->changed = true;
        return;
    }
    bool linkonce = strcmp(name, "SPV_KHR_linkonce_odr") == 0;
    if (!f->spir12 && !nf_profile_takes_extension(f->profile, name)) {
        bool judged = !(f->profile->flags & NF_PROFILE_PARTIAL_LISTS);
        if (!linkonce && !judged) {
            nf_fit_copy(f, at);
            return;
        }
        if (!linkonce)
            nf_fail(f->m->arena, NF_REFUSED, 0, "the module needs extension %s, which the device does not have", name);
        f->changed = true;
        return;
    }
    nf_fit_copy(f, at);
}

/* Drops a linkage decoration with a type above LinkOnceODR: llvm-spirv has a nonstandard type for functions that it
 * generates, such as its translation of a computed memory order of atomics. Writes LinkOnceODR as Export for bitcode
 * and for a device without the extension, because no other module of the program defines the name. Returns false, and
 * writes nothing, for any other decoration, which the caller copies. */
static bool fit_linkage(struct nf_fit *f, uint32_t at)
{
    uint32_t length = nf_length(f->m, at);
    if (length >= 5 && nf_word(f->m, at, length - 1) > NF_LINKAGE_LINK_ONCE_ODR) {
        f->changed = true;
        return true;
    }
    bool known = !f->spir12 && nf_profile_takes_extension(f->profile, "SPV_KHR_linkonce_odr");
    if (known || length < 5 || nf_word(f->m, at, length - 1) != NF_LINKAGE_LINK_ONCE_ODR) return false;
    nf_fit_copy_part(f, at, length, length - 1, NF_LINKAGE_EXPORT);
    return true;
}

/* Returns true if the decoration at `at` repeats a no-wrap decoration of its target. llvm-spirv writes it once for the
 * instruction's flag and once for its metadata, and a driver that validates refuses the repetition. */
static bool repeats_no_wrap(struct nf_fit *f, uint32_t at)
{
    uint32_t id = nf_annotated_id(f->m, at), decoration = nf_decoration_at(f->m, at);
    bool no_wrap = decoration == NF_DECORATION_NO_SIGNED_WRAP || decoration == NF_DECORATION_NO_UNSIGNED_WRAP;
    if (nf_opcode(f->m, at) != OpDecorate || !no_wrap || id >= f->m->bound) return false;
    uint8_t bit = decoration == NF_DECORATION_NO_SIGNED_WRAP ? 1 : 2;
    bool twice = f->no_wrap[id] & bit;
    f->no_wrap[id] |= bit;
    return twice;
}

/* Returns true for the parameter attribute NoReadWrite on the way to SPIR 1.2. The attribute is a hint, and
 * SPIRV-LLVM-Translator 15 crashes on it. */
static bool is_no_read_write(const struct nf_fit *f, uint32_t at, uint32_t index)
{
    return f->spir12 && nf_word(f->m, at, index) == NF_DECORATION_FUNC_PARAM_ATTR && nf_length(f->m, at) > index + 1 &&
           nf_word(f->m, at, index + 1) == NF_PARAMETER_NO_READ_WRITE;
}

/* Writes an OpDecorate or OpMemberDecorate in a form that the device accepts, or drops it; `index` is the word index of
 * the decoration. */
static void fit_decoration(struct nf_fit *f, uint32_t at, uint32_t index)
{
    uint32_t decoration = nf_word(f->m, at, index);
    bool newer = decoration == NF_DECORATION_MAX_BYTE_OFFSET && f->version < NF_VERSION_1_1;
    bool hint = nf_fit_is_dropped(f, NF_HINT_DECORATION, decoration) || is_no_read_write(f, at, index);
    if (newer || hint || repeats_no_wrap(f, at)) {
        f->changed = true;
        return;
    }
    if (decoration == NF_DECORATION_LINKAGE && fit_linkage(f, at)) return;
    uint32_t fast_math = f->no_fast_math;
    if (decoration == NF_DECORATION_FAST_MATH_MODE && nf_word(f->m, at, index + 1) & fast_math)
        nf_fit_copy_part(f, at, nf_length(f->m, at), index + 1, nf_word(f->m, at, index + 1) & ~fast_math);
    else
        nf_fit_copy(f, at);
}

static void fit_decorate_id(struct nf_fit *f, uint32_t at)
{
    uint32_t decoration = nf_decoration_at(f->m, at);
    bool hint = decoration == NF_DECORATION_ALIGNMENT_ID || decoration == NF_DECORATION_MAX_BYTE_OFFSET_ID;
    if (nf_fit_is_dropped(f, NF_HINT_DECORATION, decoration) || (hint && f->version < NF_VERSION_1_2))
        f->changed = true;
    else if (f->version < NF_VERSION_1_2)
        refuse_version(f, "OpDecorateId", NF_VERSION_1_2);
    else
        nf_fit_copy(f, at);
}

static void fit_mode(struct nf_fit *f, uint32_t at)
{
    uint32_t mode = nf_execution_mode(f->m, at);
    if (nf_fit_is_dropped(f, NF_HINT_MODE, mode)) {
        f->changed = true;
        return;
    }
    if (mode >= 33 && mode <= 36 && f->version < NF_VERSION_1_1)
        refuse_version(f, "an execution mode of subgroups", NF_VERSION_1_1);
    nf_fit_copy(f, at);
}

/* Writes an execution mode with ids. Before SPIR-V 1.2, and for bitcode (SPIR 1.2), the modes SubgroupsPerWorkgroupId,
 * LocalSizeId and LocalSizeHintId become the older modes, which take literals; other modes, and operands that are not
 * constant, are then refused. A mode that is a dropped hint is passed to nf_fit_execution_mode_id(). */
static void fit_mode_id(struct nf_fit *f, uint32_t at)
{
    static const uint32_t older[] = {36, 17, 18}; /* in place of modes 37, 38 and 39 */
    uint32_t mode = nf_execution_mode(f->m, at), length = nf_length(f->m, at);
    if (nf_fit_is_dropped(f, NF_HINT_MODE, mode)) {
        nf_fit_execution_mode_id(f, at);
        return;
    }
    uint32_t words[5] = {nf_mode_entry_point(f->m, at), mode};
    bool simple = mode >= 37 && mode <= 39 && length <= 6;
    for (uint32_t i = 0; simple && i + 3 < length; i++) {
        uint64_t value;
        simple = nf_fit_constant(f, nf_mode_operand(f->m, at, i), &value);
        words[2 + i] = (uint32_t)value;
    }
    if (f->version >= NF_VERSION_1_2 && !f->spir12) {
        nf_fit_copy(f, at);
        return;
    }
    if (!simple && f->version >= NF_VERSION_1_2)
        nf_fail(f->m->arena, NF_REFUSED, 0, "execution mode %u has values that SPIR 1.2 cannot express", mode);
    if (!simple) refuse_version(f, "OpExecutionModeId", NF_VERSION_1_2);
    words[1] = older[mode - 37];
    nf_fit_emit(f, OpExecutionMode, length - 1, words);
}

/* Writes an entry point. Before SPIR-V 1.4 its interface lists Input and Output variables only. */
static void fit_entry_point(struct nf_fit *f, uint32_t at)
{
    uint32_t begin = f->to->count, length = nf_length(f->m, at);
    uint32_t at_interface = 3 + (uint32_t)(strlen(nf_string(f->m, at + 3)) / 4) + 1;
    if (f->version >= NF_VERSION_1_4) {
        nf_fit_copy(f, at);
        return;
    }
    nf_append_words(f->to, f->m->words + at, at_interface);
    for (uint32_t i = at_interface; i < length; i++) {
        uint32_t variable = nf_word(f->m, at, i);
        uint32_t def = variable < f->m->bound ? f->m->def[variable] : 0;
        uint32_t storage =
            def && nf_opcode(f->m, def) == OpVariable ? nf_variable_storage_class(f->m, def) : NF_STORAGE_INPUT;
        if (storage == NF_STORAGE_INPUT || storage == NF_STORAGE_OUTPUT)
            nf_append_word(f->to, variable);
        else
            f->changed = true;
    }
    f->to->at[begin] = nf_first_word(OpEntryPoint, f->to->count - begin);
}

/* Writes, without the dropped bits, an instruction whose memory operands begin at word `index`. Two sets of memory
 * operands are merged if the version allows one only, or either has dropped bits. Refuses an instruction that must be
 * changed if its memory operands have other bits than the dropped ones and NF_MEMORY_PLAIN. */
static void fit_access(struct nf_fit *f, uint32_t at, uint32_t index)
{
    uint32_t gone = f->no_memory, length = nf_length(f->m, at);
    const struct nf_memory_operands first = nf_memory_operands(f->m->words + at, length, index),
                                    second = nf_memory_operands(f->m->words + at, length, first.end);
    bool two = second.end > first.end; /* OpCopyMemory from 1.4 on: for the target, and the source */
    uint32_t mask = first.mask, align = first.align;
    if (!(mask & gone) && !(two && (f->version < NF_VERSION_1_4 || second.mask & gone))) {
        nf_fit_copy(f, at);
        return;
    }
    if (two) {
        align = align < second.align ? align : second.align;
        mask = align ? (mask | second.mask) : (mask | second.mask) & ~(uint32_t)NF_MEMORY_ALIGNED;
    }
    if (mask & ~gone & ~(uint32_t)NF_MEMORY_PLAIN)
        nf_fail(f->m->arena, NF_REFUSED, 0, "memory operands %#x are not supported", mask);
    mask &= ~gone;
    nf_fit_copy_part(f, at, index, 0, 0);
    uint32_t begin = f->to->count - index;
    if (mask) nf_append_word(f->to, mask);
    if (mask & NF_MEMORY_ALIGNED) nf_append_word(f->to, align);
    f->to->at[begin] = nf_first_word(nf_opcode(f->m, at), f->to->count - begin);
}

static void write_loop_merge(struct nf_fit *f, uint32_t at)
{
    uint32_t control = nf_loop_control(f->m, at);
    uint32_t gone = f->no_loop;
    if (f->version < NF_VERSION_1_4) gone |= ~(uint32_t)0xf;
    if (f->version < NF_VERSION_1_1) gone |= ~(uint32_t)0x3;
    if (!(control & gone)) {
        nf_fit_copy(f, at);
        return;
    }
    /* Parameters are ordered from the lowest bit on, and only the lowest parameter, of DependencyLength (8), may
     * remain. */
    uint32_t kept = control & ~gone & 0xf;
    uint32_t length = 4 + ((kept & 8) != 0);
    nf_fit_copy_part(f, at, length < nf_length(f->m, at) ? length : nf_length(f->m, at), 3, kept);
}

/* Drops an OpLoopMerge, or notes it to be written ahead of the block's branch. In kernels it is only a hint. llvm-spirv
 * writes an OpLoopMerge for each loop attribute, also ahead of instructions on which the branch depends, and some with
 * the same block as merge block and continue target; drivers that validate refuse such modules. So an OpLoopMerge is
 * written only if it is the first valid one of its own block and of its merge block, and its block ends with OpBranch
 * or OpBranchConditional. */
static void fit_loop_merge(struct nf_fit *f, uint32_t at)
{
    uint32_t merge = nf_merge_block(f->m, at), after = at + nf_length(f->m, at);
    uint32_t next = after < f->m->count ? nf_opcode(f->m, after) : 0;
    bool stays = !f->merge && merge < f->m->bound && merge != nf_continue_target(f->m, at) && !f->merged[merge];
    if (stays) {
        f->merge = at;
        f->merged[merge] = true;
    }
    f->changed |= !stays || (next != OpBranch && next != OpBranchConditional);
}

static void end_block(struct nf_fit *f, uint32_t opcode)
{
    if (f->merge && (opcode == OpBranch || opcode == OpBranchConditional)) write_loop_merge(f, f->merge);
    f->merge = 0;
}

static void fit_function(struct nf_fit *f, uint32_t at)
{
    uint32_t gone = f->no_function;
    if (nf_function_control(f->m, at) & gone)
        nf_fit_copy_part(f, at, nf_length(f->m, at), 3, nf_function_control(f->m, at) & ~gone);
    else
        nf_fit_copy(f, at);
}

static void drop(struct nf_fit *f, uint32_t at)
{
    uint32_t opcode = nf_opcode(f->m, at);
    if (nf_has_result(nf_op_find(opcode))) f->dropped[nf_result_id(f->m, at)] = true;
    if (opcode == OpExpectKHR) f->replaced[nf_value_id(f->m, at)] = nf_value_operand(f->m, at, 0);
    f->changed = true;
}

/* Returns true for OpenCL.DebugInfo.100 if the driver validates. In that set a type and its members refer to each
 * other, and a validator refuses the forward reference. */
static bool is_debug_set(const struct nf_fit *f, uint32_t set)
{
    return f->profile->flags & NF_PROFILE_VALIDATES && f->m->ext_debug && set == f->m->ext_debug;
}

/* Returns true if the whole instruction is dropped: it belongs to a dropped hint, is a hint of a newer version, or
 * belongs to debug information that the driver would refuse, or to a non-semantic set that is dropped. */
static bool is_dropped(const struct nf_fit *f, uint32_t at)
{
    uint32_t opcode = nf_opcode(f->m, at);
    switch (opcode) {
    case OpModuleProcessed: return f->version < NF_VERSION_1_1;
    case OpDecorateString:
    case OpMemberDecorateString:
        return f->version < NF_VERSION_1_4 || nf_fit_is_dropped(f, NF_HINT_DECORATION, nf_decoration_at(f->m, at));
    case OpExtInstImport:
    case OpExtInst: {
        uint32_t set = opcode == OpExtInst ? nf_extended_set(f->m, at) : nf_declared_id(f->m, at);
        return is_debug_set(f, set) || (nf_fit_drops_non_semantic_sets(f) && nf_fit_is_non_semantic(f, set));
    }
    default: return opcode >= FIRST_OF_EXTENSIONS && nf_fit_is_dropped(f, NF_HINT_OPCODE, opcode);
    }
}

/* Refuses an instruction of the ranges in `since` if the device's version is older. Other functions of src/fit handle
 * the other newer instructions. */
static void check_version(struct nf_fit *f, uint32_t at)
{
    static const struct {
        struct nf_range opcodes;
        uint32_t version;
    } since[] = {{{OpSizeOf, OpMemoryNamedBarrier}, NF_VERSION_1_1},
                 {{OpGroupNonUniformElect, OpGroupNonUniformQuadSwap}, NF_VERSION_1_3},
                 {{OpCopyLogical, OpCopyLogical}, NF_VERSION_1_4},
                 {{OpPtrDiff, OpPtrDiff}, NF_VERSION_1_4}};
    uint32_t opcode = nf_opcode(f->m, at);
    for (size_t i = 0; i < sizeof since / sizeof *since; i++)
        if (nf_in_range(since[i].opcodes, opcode) && f->version < since[i].version)
            refuse_version(f, nf_op_find(opcode)->name, since[i].version);
}

/* Returns the index of the word where the opcode's memory operands begin; 0 if it has none. */
static uint32_t access_index(uint32_t opcode)
{
    bool plain = opcode == OpLoad || opcode == OpStore || opcode == OpCopyMemory || opcode == OpCopyMemorySized;
    return plain ? nf_memory_operands_word(nf_op_find(opcode)) : 0;
}

static void fit_instruction(struct nf_fit *f, uint32_t at)
{
    uint32_t opcode = nf_opcode(f->m, at);
    if (nf_ends_block(opcode)) end_block(f, opcode);
    if (is_dropped(f, at)) {
        drop(f, at);
        return;
    }
    if (f->spir12 && nf_fit_spir_instruction(f, at)) return;
    uint32_t access = access_index(opcode);
    if (access && access < nf_length(f->m, at)) {
        fit_access(f, at, access);
        return;
    }
    if (nf_fit_older_form(f, at) || nf_fit_integers(f, at)) return;
    check_version(f, at);
    switch (opcode) {
    case OpCapability: fit_capability(f, at); break;
    case OpExtension: fit_extension(f, at); break;
    case OpEntryPoint: fit_entry_point(f, at); break;
    case OpExecutionMode: fit_mode(f, at); break;
    case OpExecutionModeId: fit_mode_id(f, at); break;
    case OpDecorate: fit_decoration(f, at, 2); break;
    case OpMemberDecorate: fit_decoration(f, at, 3); break;
    case OpDecorateId: fit_decorate_id(f, at); break;
    case OpLoopMerge: fit_loop_merge(f, at); break;
    case OpFunction: fit_function(f, at); break;
    default: nf_fit_copy(f, at); break;
    }
}

/* ---- The whole module ---- */

/* Returns true if the instruction is a name or decoration of a dropped id. */
static bool annotates_dropped(const struct nf_fit *f, const uint32_t *words)
{
    switch (nf_opcode_of(words[0])) {
    case OpName:
    case OpDecorate:
    case OpDecorateId:
    case OpDecorateString: return words[1] < f->m->bound && f->dropped[words[1]];
    default: return false;
    }
}

/* Appends a section to the output, with replaced ids. */
static void put_section(struct nf_fit *f, struct nf_words *out, const struct nf_words *section)
{
    for (uint32_t at = 0; at < section->count; at += nf_length_of(section->at[at])) {
        const uint32_t *words = section->at + at;
        if (annotates_dropped(f, words)) continue;
        uint32_t begin = out->count;
        nf_append_words(out, words, nf_length_of(words[0]));
        struct nf_operands walk = nf_walk_words(f->m, words);
        while (nf_operands_next(&walk))
            if (walk.kind == NF_OPERAND_ID) out->at[begin + walk.at] = nf_fit_current(f, words[walk.at]);
    }
}

static void write_sections(struct nf_fit *f, uint32_t old_version)
{
    bool after_capabilities = false;
    f->to = &f->head;
    for (uint32_t at = NF_HEADER_WORDS; at < f->m->count; at += nf_length(f->m, at)) {
        uint32_t opcode = nf_opcode(f->m, at);
        if (opcode != OpCapability && !after_capabilities) {
            after_capabilities = true;
            nf_fit_add_extensions(f, old_version);
        }
        if (opcode == OpFunction) f->to = &f->body;
        fit_instruction(f, at);
    }
}

bool nf_may_need_fitting(const nf_profile *p)
{
    return p && (p->flags & (NF_PROFILE_SPIR12 | NF_PROFILE_VALIDATES) || p->max_version || p->extension_count ||
                 p->capability_count);
}

bool nf_takes_untyped_pointers(const nf_profile *p)
{
    return !p || (!(p->flags & NF_PROFILE_SPIR12) && nf_profile_takes_extension(p, "SPV_KHR_untyped_pointers") &&
                  nf_fit_takes_capability(p, NF_CAPABILITY_UNTYPED_POINTERS));
}

/* Finds the entry points with ContractionOff, and the import of OpenCL.std. */
static void find_contraction_modes(struct nf_fit *f)
{
    const struct nf_module *m = f->m;
    for (uint32_t at = NF_HEADER_WORDS; at < m->body_at; at = nf_next(m, at))
        if (nf_opcode(m, at) == OpExecutionMode && nf_execution_mode(m, at) == NF_MODE_CONTRACTION_OFF &&
            nf_mode_entry_point(m, at) < m->bound)
            f->no_contraction[nf_mode_entry_point(m, at)] = true;
    f->ext_opencl = m->ext_opencl;
}

static struct nf_fit begin(const struct nf_module *m, const nf_profile *profile)
{
    const struct nf_words none = {.arena = m->arena};
    struct nf_fit f = {.m = m, .profile = profile, .spir12 = profile->flags & NF_PROFILE_SPIR12};
    f.head = f.body = none;
    f.build = nf_build_begin(m->arena, m->words[3]); /* the header's bound, which may be greater than m->bound */
    f.replaced = NF_NEW(m->arena, uint32_t, m->bound);
    f.dropped = NF_NEW(m->arena, bool, m->bound);
    f.merged = NF_NEW(m->arena, bool, m->bound);
    f.no_wrap = NF_NEW(m->arena, uint8_t, m->bound);
    f.no_contraction = NF_NEW(m->arena, bool, m->bound);
    f.version = nf_fit_newest_version(&f);
    f.changed = f.version < m->version;
    find_contraction_modes(&f);
    return f;
}

bool nf_fit(const struct nf_module *m, struct nf_words *out)
{
    const nf_profile *profile = m->options->profile;
    if (!nf_may_need_fitting(profile)) return false;
    struct nf_fit f = begin(m, profile);
    nf_fit_choose_hints(&f);
    if (f.spir12) nf_fit_spir_begin(&f);
    write_sections(&f, m->version);
    if (!f.changed) return false;
    out->count = 0;
    nf_append_words(out, m->words, NF_HEADER_WORDS);
    if (f.version < m->version) out->at[1] = f.version;
    put_section(&f, out, &f.head);
    put_section(&f, out, &f.build.definitions);
    put_section(&f, out, &f.body);
    out->at[3] = f.build.next_id;
    return true;
}
