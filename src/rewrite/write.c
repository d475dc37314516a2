/* SPDX-License-Identifier: Apache-2.0 */
/*
 * write.c - the output module, section by section.
 *
 * Types of the input stay where they are, with generic pointers inside them replaced by integers: no struct is cloned,
 * and sizes and offsets stay. What nothing needs any more is left out, so that no trace of Generic remains:
 *
 *     OpTypePointer Generic %int                         (gone)
 *     %node = OpTypeStruct %int %_ptr_Generic_node       %node = OpTypeStruct %int %ulong
 *     %table = OpConstantComposite %arr %g0 %g1          ... of OpSpecConstantOp %ulong ConvertPtrToU ...
 *
 * Two pointer types may become one by this; non-aggregate types must not be declared twice, so the second is dropped
 * and its id replaced (type_of_type). Names and decorations are repeated for each copy of what they are about.
 *
 * needs: instances.  gives: the output's words.
 */
#include "rewrite/parts.h"

/* ---- Types of the input in the output -------------------------------------------------------------------------------
 */

/* Types and constants that must not be there twice: found by what they are. */
static bool is_unique(uint32_t opcode)
{
    return (opcode >= OpTypeVoid && opcode <= OpTypeVector) || opcode == OpTypePointer || opcode == OpTypeFunction ||
           opcode == OpTypeUntypedPointerKHR || opcode == OpConstant || opcode == OpConstantNull;
}

static void map_definition(struct nf_output *o, uint32_t at, const uint8_t *forwarded)
{
    struct nf_module *m = o->m;
    const struct nf_op *op = nf_op_find(nf_opcode(m, at));
    uint32_t id = nf_result_id(m, at), length = nf_length(m, at);
    if (!is_unique(op->opcode) || length > 256) return;
    if (nf_is_generic(m, nf_result_type(m, at))) return; /* a null, which is not written: it stands for no other */
    if (nf_is_generic(m, id) && m->options->mode != NF_MODE_HINT) {
        o->type_of_type[id] = o->address_type;
        return;
    }
    uint32_t key[258] = {op->opcode, op->result & 1 ? m->words[at + 1] : 0}, first = 1 + (op->result & 1) + 1;
    if (key[1] && o->type_of_type[key[1]]) key[1] = o->type_of_type[key[1]];
    for (uint32_t i = first; i < length; i++) {
        bool is_id = op->operands[i - first < strlen(op->operands) ? i - first : strlen(op->operands) - 1] != 'l';
        uint32_t word = m->words[at + i];
        is_id &= op->opcode != OpConstant;
        key[2 + i - first] = is_id && word < m->bound && o->type_of_type[word] ? o->type_of_type[word] : word;
    }
    uint32_t same = nf_find_made(o, key, 2 + length - first);
    if (!same)
        nf_note_made(o, key, 2 + length - first, id);
    else if (!forwarded[id])
        o->type_of_type[id] = same;
}

/* The integer type that generic pointers in memory become must come before every struct. */
static void find_address_type(struct nf_output *o)
{
    struct nf_module *m = o->m;
    for (uint32_t i = 1; i < m->type_count && !o->address_type; i++) {
        const struct nf_type *type = &m->types[i];
        bool plain = type->kind == NF_KIND_INT && nf_length(m, type->at) == 4 && m->words[type->at + 3] == 0;
        if (plain && type->size * 8 == (m->address_bits == 32 ? 32 : 64)) o->address_type = type->id;
    }
    if (o->address_type) return;
    o->address_type = nf_new_id(o);
    uint32_t width = m->address_bits == 32 ? 32 : 64;
    nf_put_all(&o->early, (uint32_t[]){4 << 16 | OpTypeInt, o->address_type, width, 0}, 4);
    nf_note_made(o, (uint32_t[]){OpTypeInt, 0, width, 0}, 4, o->address_type);
}

static void map_definitions(struct nf_output *o)
{
    struct nf_module *m = o->m;
    uint8_t *forwarded = NULL;
    uint32_t capacity = 0;
    NF_RESERVE(m->arena, forwarded, capacity, m->bound);
    find_address_type(o);
    if (o->address_type < m->bound) o->used[o->address_type] = 1;
    for (uint32_t at = NF_HEADER_WORDS; at < m->body_at; at = nf_next(m, at))
        if (nf_opcode(m, at) == OpTypeForwardPointer) forwarded[m->words[at + 1]] = 1;
    for (uint32_t at = NF_HEADER_WORDS; at < m->body_at; at = nf_next(m, at))
        map_definition(o, at, forwarded);
    nf_drop(m->arena, forwarded);
}

/* ---- What is needed ---- */

static bool is_annotation(uint32_t opcode)
{
    return opcode == OpName || opcode == OpMemberName || (opcode >= OpDecorate && opcode <= OpGroupMemberDecorate) ||
           opcode == OpDecorateId || opcode == OpDecorateString || opcode == OpMemberDecorateString;
}

static bool in_body(const struct nf_module *m, uint32_t id)
{
    return id < m->bound && m->def[id] >= m->body_at;
}

static bool is_emitted(const struct nf_output *o, uint32_t id)
{
    const struct nf_module *m = o->m;
    if (id >= m->bound || !m->def[id]) return true;
    return in_body(m, id) ? o->copies.first[id] != 0 : o->used[id] && !o->type_of_type[id];
}

/* Annotated ids in bodies are the ones whose copies are to be remembered. Functions are, for debug information. */
static void find_annotated(struct nf_output *o)
{
    struct nf_module *m = o->m;
    for (uint32_t at = NF_HEADER_WORDS; at < m->body_at; at = nf_next(m, at)) {
        uint32_t opcode = nf_opcode(m, at);
        if (!is_annotation(opcode)) continue;
        uint32_t first = opcode == OpGroupDecorate ? 2 : 1, last = opcode == OpGroupDecorate ? nf_length(m, at) : 2;
        for (uint32_t i = first; i < last; i++)
            if (in_body(m, m->words[at + i])) o->copies.annotated[m->words[at + i]] = 1;
    }
    for (uint32_t i = 1; i < m->function_count; i++)
        o->copies.annotated[m->functions[i].id] = 1;
}

static void use_operands(struct nf_output *o, uint32_t at)
{
    struct nf_module *m = o->m;
    const struct nf_op *op = nf_op_find(nf_opcode(m, at));
    if (op->result & 1) nf_memory_type(o, m->words[at + 1]);
    struct nf_operands walk = nf_walk(m, at);
    while (nf_operands_next(&walk))
        if (walk.kind == NF_OPERAND_ID && !in_body(m, m->words[at + walk.at]))
            nf_memory_type(o, m->words[at + walk.at]);
}

/* Instructions of the module scope that stay whatever uses them. */
static bool is_root(uint32_t opcode)
{
    return opcode == OpEntryPoint || opcode == OpExecutionMode || opcode == OpExecutionModeId || opcode == OpExtInst ||
           opcode == OpVariable || opcode == OpUntypedVariableKHR || opcode == OpExtInstImport || opcode == OpString ||
           opcode == OpDecorationGroup;
}

static void find_used(struct nf_output *o)
{
    struct nf_module *m = o->m;
    uint32_t *order = NULL, count = 0, capacity = 0;
    for (uint32_t at = NF_HEADER_WORDS; at < m->body_at; at = nf_next(m, at)) {
        uint32_t opcode = nf_opcode(m, at), id = nf_result_id(m, at);
        if (is_root(opcode)) {
            if (id) o->used[id] = 1;
            use_operands(o, at);
        } else if (opcode == OpDecorateId && is_emitted(o, m->words[at + 1])) {
            use_operands(o, at);
        } else if (!id && !is_annotation(opcode)) {
            use_operands(o, at);
        } else if (id) {
            NF_RESERVE(m->arena, order, capacity, (size_t)count + 1);
            order[count++] = at;
        }
    }
    bool again = true;
    while (again) {
        /* A second round is needed only where a forward pointer refers upwards. */
        again = false;
        for (uint32_t i = count; i-- > 0;) {
            uint32_t id = nf_result_id(m, order[i]);
            if (o->used[id] != 1) continue;
            o->used[id] = 2;
            again = true;
            use_operands(o, order[i]);
        }
    }
    nf_drop(m->arena, order);
}

/* ---- Constants that hold generic pointers ---------------------------------------------------------------------------
 */

struct writer {
    struct nf_output *o;
    struct nf_words *out;
    uint32_t zero; /* the address constant 0, once it is there */
};

static uint32_t put_definition(struct writer *w, uint32_t opcode, uint32_t type, const uint32_t *operands,
                               uint32_t count)
{
    uint32_t id = nf_new_id(w->o);
    nf_put_all(w->out, (uint32_t[]){(count + 3) << 16 | opcode, type, id}, 3);
    nf_put_all(w->out, operands, count);
    return id;
}

static uint32_t concrete_part(struct writer *w, uint32_t id, nf_set space);

/* The generic constant `id` as it lies in memory. */
static uint32_t canonical_constant(struct writer *w, uint32_t id)
{
    struct nf_output *o = w->o;
    struct nf_module *m = o->m;
    nf_set set = nf_set_of(m, NULL, id);
    if (!set) {
        if (!w->zero) w->zero = put_definition(w, OpConstantNull, o->address_type, NULL, 0);
        return w->zero;
    }
    if (!nf_single(set) || set == NF_PRIVATE || (set == NF_LOCAL && m->address_bits == 32))
        nf_fail(m->arena, NF_REFUSED, m->def[id], "an initializer with an address whose space cannot be told");
    uint32_t part = concrete_part(w, id, set);
    uint32_t canonical = put_definition(w, OpSpecConstantOp, o->address_type, (uint32_t[]){OpConvertPtrToU, part}, 2);
    if (set != NF_LOCAL) return canonical;
    uint32_t tag = put_definition(w, OpConstant, o->address_type, (uint32_t[]){0, 1u << 30}, 2);
    return put_definition(w, OpSpecConstantOp, o->address_type, (uint32_t[]){OpIAdd, canonical, tag}, 3);
}

static uint32_t concrete_part(struct writer *w, uint32_t id, nf_set space)
{
    struct nf_output *o = w->o;
    struct nf_module *m = o->m;
    uint32_t at = m->def[id], length = nf_length(m, at), words[32];
    if (!nf_is_generic(m, nf_result_type(m, at))) return nf_memory_type(o, id);
    if (nf_opcode(m, at) != OpSpecConstantOp || length > 32)
        nf_fail(m->arena, NF_REFUSED, at, "an initializer that cannot be done without generic pointers");
    if (m->words[at + 3] == OpPtrCastToGeneric) return nf_memory_type(o, m->words[at + 4]);
    const struct nf_type *type = nf_type(m, nf_result_type(m, at));
    words[0] = m->words[at + 3];
    for (uint32_t i = 4; i < length; i++) {
        uint32_t operand = m->words[at + i];
        bool generic = operand < m->bound && m->def[operand] && nf_is_generic(m, nf_result_type(m, m->def[operand]));
        words[i - 3] = generic ? concrete_part(w, operand, space) : nf_memory_type(o, operand);
    }
    uint32_t storage = nf_storage_of_space(m, space), pointee = nf_memory_type(o, type->element),
             key[4] = {OpTypePointer, 0, storage, pointee};
    uint32_t pointer = nf_find_made(o, key, 4);
    if (!pointer || pointer >= m->bound) {
        pointer = nf_new_id(o);
        nf_put_all(w->out, (uint32_t[]){4 << 16 | OpTypePointer, pointer, storage, pointee}, 4);
    }
    return put_definition(w, OpSpecConstantOp, pointer, words, length - 3);
}

/* ---- Sections ---- */

/* Copy an instruction of the module scope with ids mapped. */
static void put_mapped(struct writer *w, uint32_t at)
{
    struct nf_output *o = w->o;
    struct nf_module *m = o->m;
    const struct nf_op *op = nf_op_find(nf_opcode(m, at));
    uint32_t length = nf_length(m, at), *words = NF_NEW(m->arena, uint32_t, length);
    memcpy(words, m->words + at, length * sizeof *words);
    if (op->result & 1) words[1] = nf_memory_type(o, words[1]);
    struct nf_operands walk = nf_walk(m, at);
    while (nf_operands_next(&walk)) {
        uint32_t id = words[walk.at];
        if (walk.kind != NF_OPERAND_ID || in_body(m, id)) continue;
        bool value = id < m->bound && m->def[id] && nf_is_generic(m, nf_result_type(m, m->def[id]));
        if (value && m->options->mode != NF_MODE_HINT)
            words[walk.at] = canonical_constant(w, id);
        else
            words[walk.at] = nf_memory_type(o, id);
    }
    nf_put_all(w->out, words, length);
}

static void put_capability(struct nf_words *out, uint32_t capability)
{
    nf_put_all(out, (uint32_t[]){2 << 16 | OpCapability, capability}, 2);
}

/* GenericPointer goes; it implied Addresses, which others imply too and may be all that was left of it. */
static void put_capabilities(struct nf_output *o, struct nf_words *out)
{
    const struct nf_module *m = o->m;
    bool keep = m->options->mode == NF_MODE_HINT;
    for (uint32_t at = NF_HEADER_WORDS; at < m->body_at && nf_opcode(m, at) == OpCapability; at = nf_next(m, at))
        if (keep || m->words[at + 1] != NF_CAPABILITY_GENERIC_POINTER) put_capability(out, m->words[at + 1]);
    if (!keep && !nf_declares(m, NF_CAPABILITY_ADDRESSES)) put_capability(out, NF_CAPABILITY_ADDRESSES);
    if (m->address_bits == 64 && !nf_declares(m, NF_CAPABILITY_INT64)) put_capability(out, NF_CAPABILITY_INT64);
}

/* The name of a function's copy: two functions of one name are one to some consumers. */
static void put_copy_name(struct writer *w, uint32_t at, uint32_t copy)
{
    struct nf_module *m = w->o->m;
    struct nf_text name = {.arena = m->arena};
    nf_print(&name, "%s.%u", nf_string(m, at + 2), copy);
    nf_put_all(w->out, (uint32_t[]){(name.count / 4 + 3) << 16 | OpName, copy}, 2);
    nf_put_string(w->out, name.at);
    nf_drop(m->arena, name.at);
}

/* ---- Names of kernels ---- */

enum { NAME_KEY = 0x30000, LONGEST_NAME = 1024 };

/* The key of the name that begins at word `at`; the number of its words, 0 when it is too long to be looked for. */
static uint32_t name_key(const struct nf_module *m, uint32_t at, uint32_t key[LONGEST_NAME])
{
    uint32_t length = (uint32_t)strlen(nf_string(m, at)) / 4 + 1;
    if (length >= LONGEST_NAME) return 0;
    key[0] = NAME_KEY;
    memcpy(key + 1, m->words + at, length * sizeof *key);
    return length + 1;
}

/* Those of kernels that copy by-value arguments. */
static void note_kernel_names(struct nf_output *o)
{
    struct nf_module *m = o->m;
    uint32_t key[LONGEST_NAME];
    for (uint32_t at = NF_HEADER_WORDS; at < m->body_at; at = nf_next(m, at)) {
        if (nf_opcode(m, at) != OpEntryPoint || !nf_find_made(o, (uint32_t[]){NF_COPIES_KEY, m->words[at + 2]}, 2))
            continue;
        uint32_t length = name_key(m, at + 3, key);
        if (length && !nf_find_made(o, key, length)) nf_note_made(o, key, length, m->words[at + 2]);
    }
}

/* clang gives a kernel's body to a function of the kernel's name, which the kernel calls. Drivers take that function
 * for the kernel, and lose the copies that the kernel makes of its arguments: then it may not have the name. */
static bool is_name_of_kernel(struct nf_output *o, uint32_t at)
{
    struct nf_module *m = o->m;
    uint32_t key[LONGEST_NAME], target = m->words[at + 1];
    bool linkage = nf_is_linkage(m, at);
    if ((!linkage && nf_opcode(m, at) != OpName) || m->options->library || m->options->mode == NF_MODE_HINT)
        return false;
    if (target >= m->bound || !m->def[target] || nf_opcode(m, m->def[target]) != OpFunction) return false;
    const struct nf_function *f = &m->functions[m->index_of[target]];
    if (f->entry_at || f->imported) return false;
    uint32_t length = name_key(m, at + (linkage ? 3 : 2), key);
    return length && nf_find_made(o, key, length);
}

/* LLVM's translator writes memset of unknown size as a function of this name, with a body; readers forget the body, and
 * make the intrinsic function of its first three parameters again. */
static bool is_name_of_intrinsic(struct nf_output *o, uint32_t at)
{
    static const char prefix[] = "spirv.llvm_";
    struct nf_module *m = o->m;
    bool linkage = nf_is_linkage(m, at);
    if (!linkage && nf_opcode(m, at) != OpName) return false;
    return nf_find_made(o, (uint32_t[]){NF_RESHAPED_KEY, m->words[at + 1]}, 2) &&
           strncmp(nf_string(m, at + (linkage ? 3 : 2)), prefix, strlen(prefix)) == 0;
}

/* Repeat an annotation for every copy of its target. */
static void put_annotation(struct writer *w, uint32_t at, uint32_t target_word)
{
    struct nf_output *o = w->o;
    struct nf_module *m = o->m;
    uint32_t target = m->words[at + target_word], length = nf_length(m, at);
    bool spec_id = nf_opcode(m, at) == OpDecorate && m->words[at + 2] == NF_DECORATION_SPEC_ID;
    if (is_name_of_kernel(o, at) || is_name_of_intrinsic(o, at)) return;
    if (spec_id && nf_opcode(m, m->def[target]) < OpSpecConstantTrue) return; /* its value is known now */
    if (target >= m->bound || !in_body(m, target)) {
        if (is_emitted(o, target)) nf_put_all(w->out, m->words + at, length);
        return;
    }
    bool linkage = nf_is_linkage(m, at);
    for (uint32_t c = o->copies.first[target]; c; c = o->copies.at[c - 1].next) {
        uint32_t copy = o->copies.at[c - 1].id;
        if (linkage && copy != target) continue;
        if (copy != target && nf_opcode(m, at) == OpName && nf_opcode(m, m->def[target]) == OpFunction) {
            put_copy_name(w, at, copy);
            continue;
        }
        nf_put_all(w->out, m->words + at, length);
        w->out->at[w->out->count - length + target_word] = copy;
    }
}

/* The group's targets one by one: each may have become several. */
static void put_group_decorate(struct writer *w, uint32_t at)
{
    struct nf_output *o = w->o;
    struct nf_module *m = o->m;
    uint32_t start = w->out->count;
    nf_put_all(w->out, m->words + at, 2);
    for (uint32_t i = 2; i < nf_length(m, at); i++) {
        uint32_t target = m->words[at + i];
        if (!in_body(m, target)) {
            if (is_emitted(o, target)) nf_put(w->out, target);
            continue;
        }
        for (uint32_t c = o->copies.first[target]; c; c = o->copies.at[c - 1].next)
            nf_put(w->out, o->copies.at[c - 1].id);
    }
    w->out->at[start] = (w->out->count - start) << 16 | OpGroupDecorate;
}

static bool is_used_definition(const struct nf_output *o, uint32_t at)
{
    const struct nf_module *m = o->m;
    uint32_t id = nf_result_id(m, at), type = nf_result_type(m, at);
    if (m->options->mode != NF_MODE_HINT && nf_is_generic(m, type)) return false;
    return o->used[id] && !o->type_of_type[id];
}

static bool comes_before_types(uint32_t opcode)
{
    return opcode < OpTypeVoid || is_annotation(opcode) || opcode == OpDecorationGroup || opcode == OpExecutionModeId ||
           opcode == 330 /* OpModuleProcessed */;
}

/* Debug information names functions that may be gone. */
static void put_debug_information(struct writer *w, uint32_t at)
{
    struct nf_module *m = w->o->m;
    put_mapped(w, at);
    uint32_t *words = w->out->at + w->out->count - nf_length(m, at);
    struct nf_operands walk = nf_walk(m, at);
    while (nf_operands_next(&walk)) {
        uint32_t id = m->words[at + walk.at];
        if (walk.kind == NF_OPERAND_ID && in_body(m, id) && !is_emitted(w->o, id)) words[walk.at] = w->o->debug_none;
    }
    enum { DEBUG_TYPE_POINTER = 3, STORAGE_WORD = 6 };
    if (m->words[at + 3] == m->ext_debug && m->words[at + 4] == DEBUG_TYPE_POINTER &&
        words[STORAGE_WORD] == NF_STORAGE_GENERIC)
        words[STORAGE_WORD] = NF_STORAGE_CROSS_WORKGROUP;
}

static void put_definitions(struct writer *w)
{
    struct nf_output *o = w->o;
    struct nf_module *m = o->m;
    nf_put_all(w->out, o->early.at, o->early.count);
    uint32_t hoisted = o->address_type < m->bound && o->used[o->address_type] ? m->def[o->address_type] : 0;
    if (hoisted) nf_put_all(w->out, m->words + hoisted, nf_length(m, hoisted));
    for (uint32_t at = NF_HEADER_WORDS; at < m->body_at; at = nf_next(m, at)) {
        uint32_t opcode = nf_opcode(m, at), id = nf_result_id(m, at);
        if (comes_before_types(opcode) && opcode != OpExtInst && opcode != OpUndef && opcode != OpLine) continue;
        if (at == hoisted) continue;
        if (opcode == OpTypeForwardPointer) {
            if (is_emitted(o, m->words[at + 1])) nf_put_all(w->out, m->words + at, 3);
        } else if (opcode == OpExtInst) {
            put_debug_information(w, at);
        } else if (!id || is_used_definition(o, at)) {
            put_mapped(w, at);
        }
    }
    nf_put_all(w->out, o->globals.at, o->globals.count);
}

static void put_head(struct writer *w)
{
    struct nf_output *o = w->o;
    struct nf_module *m = o->m;
    bool annotated = false;
    put_capabilities(o, w->out);
    for (uint32_t at = NF_HEADER_WORDS; at < m->body_at; at = nf_next(m, at)) {
        uint32_t opcode = nf_opcode(m, at);
        if (!opcode || opcode == OpCapability || !comes_before_types(opcode)) continue;
        if (opcode == OpExtInst || opcode == OpUndef || opcode == OpLine) continue;
        if (opcode > OpMemberName && is_annotation(opcode) && !annotated) {
            nf_put_all(w->out, o->names.at, o->names.count);
            annotated = true;
        }
        if (opcode == OpGroupDecorate)
            put_group_decorate(w, at);
        else if (is_annotation(opcode))
            put_annotation(w, at, 1);
        else
            nf_put_all(w->out, m->words + at, nf_length(m, at));
    }
    if (!annotated) nf_put_all(w->out, o->names.at, o->names.count);
}

static void write_module(struct nf_output *o, struct nf_words *output)
{
    struct nf_module *m = o->m;
    struct writer w = {.o = o, .out = output};
    find_used(o);
    note_kernel_names(o);
    NF_RESERVE(m->arena, output->at, output->capacity,
               (size_t)m->body_at + o->globals.count + o->helpers.count + o->bodies.count + 64);
    nf_put_all(output, m->words, NF_HEADER_WORDS);
    put_head(&w);
    put_definitions(&w);
    nf_put_all(output, o->declarations.at, o->declarations.count);
    nf_put_all(output, o->helpers.at, o->helpers.count);
    nf_put_all(output, o->bodies.at, o->bodies.count);
    nf_drop(m->arena, o->bodies.at);
    nf_drop(m->arena, o->helpers.at);
    nf_drop(m->arena, o->globals.at);
    output->at[3] = o->next_id;
}

/* ---- The driver ---- */

/* Which function each instance becomes: the first, or the one that others know by its id, keeps the input's. */
static void choose_ids(struct nf_output *o, const struct nf_function *f)
{
    struct nf_module *m = o->m;
    uint32_t keeper = 0;
    for (uint32_t i = f->instances; i; i = m->instances[i].next) {
        const struct nf_instance *instance = &m->instances[i];
        if (!instance->live || instance->same_as != i) continue;
        bool known = instance->root || (instance->open && f->address_taken);
        if (!keeper || known || !(m->instances[keeper].root || m->instances[keeper].open)) keeper = i;
    }
    for (uint32_t i = f->instances; i; i = m->instances[i].next)
        if (m->instances[i].live && m->instances[i].same_as == i)
            m->instances[i].emitted_id = i == keeper ? f->id : nf_new_id(o);
}

static void rewrite_instances(struct nf_output *o, const struct nf_function *f)
{
    struct nf_module *m = o->m;
    uint32_t *list = NF_NEW(m->arena, uint32_t, f->instance_count + 1), count = 0;
    for (uint32_t i = f->instances; i; i = m->instances[i].next)
        if (m->instances[i].live && m->instances[i].same_as == i) list[count++] = i;
    for (uint32_t i = count; i-- > 0;)
        nf_rewrite_instance(o, list[i]);
    m->counts.functions += count;
    if (count) m->counts.clones += count - 1;
}

static uint32_t find_debug_none(const struct nf_module *m)
{
    for (uint32_t at = NF_HEADER_WORDS; m->ext_debug && at < m->body_at; at = nf_next(m, at))
        if (nf_opcode(m, at) == OpExtInst && m->words[at + 3] == m->ext_debug && m->words[at + 4] == 0)
            return m->words[at + 2];
    return 0;
}

/* The sets are in the bodies now. */
static void free_graph(struct nf_module *m)
{
    struct nf_graph *g = m->graph;
    nf_drop(m->arena, g->nodes);
    nf_drop(m->arena, g->edges);
    nf_drop(m->arena, g->regions);
    nf_drop(m->arena, g->copies);
    nf_drop(m->arena, g->links);
    nf_drop(m->arena, g->queue);
    nf_drop(m->arena, g->pairs);
    memset(g, 0, sizeof *g);
}

void nf_rewrite(struct nf_module *m, struct nf_words *output)
{
    struct nf_output *o = NF_NEW(m->arena, struct nf_output, 1);
    o->m = m;
    o->early = o->globals = o->bodies = o->helpers = o->names = o->declarations = (struct nf_words){.arena = m->arena};
    o->next_id = m->bound;
    o->type_of_type = NF_NEW(m->arena, uint32_t, m->bound);
    o->used = NF_NEW(m->arena, uint8_t, m->bound);
    o->copies.first = NF_NEW(m->arena, uint32_t, m->bound);
    o->copies.annotated = NF_NEW(m->arena, uint8_t, m->bound);
    o->body.renamed = NF_NEW(m->arena, uint32_t, m->bound);
    o->body.tuple_index = NF_NEW(m->arena, uint32_t, m->bound);
    o->body.tuple_count = 1;
    NF_RESERVE(m->arena, o->body.tuples, o->body.tuple_capacity, 64);
    NF_RESERVE(m->arena, o->bodies.at, o->bodies.capacity, (size_t)(m->count - m->body_at) + 64);
    o->debug_none = find_debug_none(m);
    find_annotated(o);
    map_definitions(o);
    nf_find_concrete_memory(o);
    for (uint32_t i = 1; i < m->function_count; i++) {
        const struct nf_function *f = &m->functions[i];
        choose_ids(o, f);
        o->has_out_imports |= !f->body && nf_import_of(m, f) == NF_IMPORT_OUT;
    }
    for (uint32_t i = 1; i < m->function_count; i++) {
        if (m->functions[i].body)
            rewrite_instances(o, &m->functions[i]);
        else
            nf_emit_declaration(o, &m->functions[i]);
    }
    free_graph(m);
    write_module(o, output);
}
