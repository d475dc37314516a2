/* SPDX-License-Identifier: Apache-2.0 */
/*
 * mesa_split_accesses.c - splits misaligned accesses of local memory, as in packed structures, and copies of memory.
 *
 *     %v = OpLoad %int %p Aligned 1        %b = OpBitcast %_ptr_Workgroup_uchar %p
 *                                          %v0 = OpLoad %uchar %b Aligned 1
 *                                          %b1 = OpInBoundsPtrAccessChain %_ptr_Workgroup_uchar %b %uint_1
 *                                          %v1 = OpLoad %uchar %b1 Aligned 1 ...
 *                                          %all = OpCompositeConstruct %v4uchar %v0 %v1 %v2 %v3
 *                                          %v = OpBitcast %int %all
 *
 * Mesa's llvmpipe silently rounds such an address down. The driver accesses each component of a vector separately, so
 * only an access that is less aligned than a component is split, into pieces of that alignment. The address of a member
 * of a packed structure in local memory is computed as a step over bytes from the variable. Accesses of pointers are
 * not split; generic pointers in memory are integers at this stage. Compilers emit no accesses of whole structures, but
 * copies of them (OpCopyMemorySized), which Mesa performs member by member: such copies become loads and stores of
 * pieces, too. A copy of more than MOST_COPIED pieces, of a size that is not constant, or without an alignment is left
 * as it is.
 *
 * Mesa miscompiles many copies. It treats a copy to an array element or a member as a copy of that part alone, and 25.0
 * removes a store to the source of a copy if a later store replaces the value:
 *
 *     OpCopyMemorySized %a_i %x %ulong_12 Aligned 4        three times an OpLoad and an OpStore of %uint
 *
 * Copies to an element or a member become loads and stores of pieces, too. So do copies of constants, because Mesa 25.0
 * for GPUs ends the process on a kernel with several of them. mesa_inbounds_struct_arrays.c mitigates the fault for
 * copies that cannot be split.
 *
 * needs: a module that was read, and its types.  gives: the words of a new module, to be read again.
 */
#include "workarounds/internal.h"

enum { MOST_PIECES = 8, MOST_COPIED = 256, MOST_CHAINS = 64 };

struct access {
    const struct nf_type *value, *component; /* equal unless the value is a vector */
    uint32_t pointer, pieces;                /* `pieces`: the number of pieces of a component */
    uint32_t piece_type, whole_type; /* ids: the integer type of a piece, the vector of all pieces of a component */
    uint32_t operands[2];            /* memory operands of a piece: mask, alignment */
};

/* Computes the memory operands for each piece of the access: Volatile if the access is, and Aligned, with the alignment
 * of the whole access. Returns that alignment; 0: the access has none. */
static uint32_t piece_operands(const uint32_t *words, uint32_t length, uint32_t at, uint32_t operands[2])
{
    struct nf_memory_operands memory = nf_memory_operands(words, length, at);
    operands[0] = (memory.mask & NF_MEMORY_VOLATILE) | NF_MEMORY_ALIGNED;
    operands[1] = memory.align & (0u - memory.align);
    return operands[1];
}

/* Returns true if the access at `at` must be split; then all of `a` but the ids of types is set. */
static bool find_access(const struct nf_module *m, uint32_t at, struct access *a)
{
    const uint32_t *words = m->words + at;
    bool loads = nf_opcode(m, at) == OpLoad;
    if (!loads && nf_opcode(m, at) != OpStore) return false;
    if (!nf_has_fault(m->options->profile, NF_FAULT_MESA_MISALIGNED_LOCAL)) return false;
    uint32_t align = piece_operands(words, nf_length(m, at), loads ? 4 : 3, a->operands);
    a->pointer = loads ? nf_load_pointer(m, at) : nf_store_pointer(m, at);
    a->value = loads ? nf_type(m, nf_value_type(m, at)) : nf_type_of(m, nf_store_object(m, at));
    a->component = nf_scalar_of(m, a->value);
    bool number = a->component->kind == NF_KIND_INT || a->component->kind == NF_KIND_FLOAT;
    if (nf_type_of(m, a->pointer)->storage != NF_STORAGE_WORKGROUP || !number) return false;
    if (a->value->kind == NF_KIND_VECTOR && (a->value->count < 2 || a->value->count > NF_MOST_COMPONENTS)) return false;
    uint32_t size = (uint32_t)a->component->size;
    if (!align || align >= size || size > MOST_PIECES) return false;
    a->pieces = size / align;
    return true;
}

struct copy {
    uint32_t to, from, pieces; /* pointers, and the number of pieces */
    uint32_t operands[2];
    bool overlaps; /* target and source may overlap */
};

/* Returns true if the device miscompiles the copy at `at`, of the given alignment. */
static bool is_wrong_copy(const struct nf_module *m, uint32_t at, uint32_t align)
{
    const nf_profile *profile = m->options->profile;
    uint32_t storages[] = {nf_type_of(m, nf_copy_target(m, at))->storage,
                           nf_type_of(m, nf_copy_source(m, at))->storage};
    bool local = storages[0] == NF_STORAGE_WORKGROUP || storages[1] == NF_STORAGE_WORKGROUP;
    bool constant = storages[1] == NF_STORAGE_UNIFORM_CONSTANT;
    if (constant && nf_has_fault(profile, NF_FAULT_MESA_CONSTANT_COPIES)) return true;
    if (local && align < sizeof(uint64_t) && nf_has_fault(profile, NF_FAULT_MESA_MISALIGNED_LOCAL)) return true;
    return nf_has_fault(profile, NF_FAULT_MESA_MEMORY_COPIES);
}

/* Returns a number with the same lowest bit as the distance by which an index moves over parts of that size. */
static uint64_t distance_of(const struct nf_module *m, uint32_t index, uint64_t size)
{
    int64_t value;
    return nf_constant(m, index, &value) ? (uint64_t)value * size : size;
}

/* Returns a number whose lowest set bit is the alignment of the distance by which the access chain at `at` moves; 1 if
 * an index selects no known part. */
static uint64_t distance_of_chain(const struct nf_module *m, uint32_t at)
{
    uint32_t first = nf_first_part_index(nf_opcode(m, at));
    const struct nf_type *type = nf_type(m, nf_type_of(m, nf_base_pointer(m, at))->element);
    uint64_t all = first == 5 ? distance_of(m, nf_chain_index(m, at, 0), type->size) : 0;
    for (uint32_t i = first; i < nf_length(m, at); i++) {
        const struct nf_type *part = nf_part_of(m, type, nf_word(m, at, i));
        int64_t member;
        if (!part) return 1;
        if (type->kind != NF_KIND_STRUCT)
            all |= distance_of(m, nf_word(m, at, i), part->size);
        else if (nf_constant(m, nf_word(m, at, i), &member))
            all |= type->offsets[member];
        type = part;
    }
    return all;
}

/* Returns the alignment that the decorations of a pointer, or else its type, give. */
static uint32_t declared_alignment(const struct nf_module *m, uint32_t id)
{
    for (uint32_t at = NF_HEADER_WORDS; at < m->body_at; at = nf_next(m, at))
        if (nf_decorates(m, at, NF_DECORATION_ALIGNMENT) && nf_annotated_id(m, at) == id && nf_length(m, at) > 3)
            return nf_word(m, at, 3);
    return nf_type(m, nf_type_of(m, id)->element)->align;
}

/* Returns the alignment of the memory to which a pointer points, at most 8, from its definition; 1 if MOST_CHAINS or
 * more instructions derive it. */
static uint32_t alignment_of(const struct nf_module *m, uint32_t id)
{
    uint64_t all = sizeof(uint64_t);
    for (int i = 0; i < MOST_CHAINS; i++) {
        uint32_t at = m->def[id];
        if (!at || !nf_derives_pointer(nf_role_at(m, at))) {
            all |= declared_alignment(m, id);
            return (uint32_t)(all & (0 - all));
        }
        if (nf_role_at(m, at) == NF_ROLE_chain) all |= distance_of_chain(m, at);
        id = nf_value_operand(m, at, 0);
    }
    return 1;
}

/* Computes the memory operands of the pieces of a copy. Returns their alignment, at most 8: the smaller alignment of
 * target and source, which SPIR-V 1.4 may give separately. LLVM's SPIR-V back end gives that of the target only, so
 * that of the source is then derived from its definition. */
static uint32_t copy_operands(const struct nf_module *m, uint32_t at, uint32_t first, uint32_t operands[2])
{
    const uint32_t *words = m->words + at;
    uint32_t length = nf_length(m, at), align = piece_operands(words, length, first, operands), other[2];
    uint32_t second = nf_memory_operands(words, length, first).end;
    if (second < length) {
        uint32_t source = piece_operands(words, length, second, other);
        operands[0] |= other[0];
        if (source < align) align = source;
    } else if (align && nf_is_of_llvm_back_end(m)) {
        uint32_t source = alignment_of(m, nf_copy_source(m, at));
        if (source < align) align = operands[1] = source;
    }
    return align < sizeof(uint64_t) ? align : sizeof(uint64_t);
}

/* Returns true if the copy at `at` must be split; then `c` describes it. */
static bool find_copy(const struct nf_module *m, uint32_t at, struct copy *c)
{
    bool sized = nf_opcode(m, at) == OpCopyMemorySized;
    if (!sized && nf_opcode(m, at) != OpCopyMemory) return false;
    uint32_t align = copy_operands(m, at, sized ? 4 : 3, c->operands);
    int64_t size = (int64_t)nf_type(m, nf_type_of(m, nf_copy_target(m, at))->element)->size;
    if (!align || !is_wrong_copy(m, at, align) || (sized && !nf_constant(m, nf_effect_operand(m, at, 2), &size)))
        return false;
    while (size % align)
        align /= 2;
    if (size <= 0 || size / align > MOST_COPIED) return false;
    *c = (struct copy){nf_copy_target(m, at),
                       nf_copy_source(m, at),
                       (uint32_t)(size / align),
                       {c->operands[0], align},
                       nf_is_move_inside_object(m, at)};
    return true;
}

static uint32_t emit(struct nf_edit *e, uint32_t opcode, uint32_t type, const uint32_t *operands, uint32_t count)
{
    uint32_t words[NF_MOST_COMPONENTS + 2] = {type, nf_build_id(&e->build)};
    memcpy(words + 2, operands, count * sizeof *operands);
    nf_edit_emit(e, opcode, words, count + 2);
    return words[1];
}

static void find_types(struct nf_edit *e, struct access *a)
{
    if (a->pieces == MOST_PIECES) nf_edit_need(e, NF_CAPABILITY_VECTOR16);
    a->piece_type = nf_edit_int_type(e, 8 * a->operands[1]);
    a->whole_type = nf_edit_define(e, OpTypeVector, 0, (uint32_t[]){a->piece_type, a->pieces}, 2);
}

/* ---- Addresses ---- */

/* A byte offset from a pointer: a constant part, and the id of a computed part, 0: none. */
struct offset {
    uint64_t known;
    uint32_t rest;
};

static uint32_t address_constant(struct nf_edit *e, uint64_t value)
{
    uint32_t wide = e->m->address_bits == 64;
    uint32_t type = nf_edit_define(e, OpTypeInt, 0, (uint32_t[]){e->m->address_bits, 0}, 2);
    return nf_edit_define(e, OpConstant, type, (uint32_t[]){(uint32_t)value, (uint32_t)(value >> 32)}, 1 + wide);
}

/* Adds `size` times the index to the offset. */
static void add_index(struct nf_edit *e, struct offset *offset, uint32_t index, uint64_t size)
{
    int64_t value;
    if (nf_constant(e->m, index, &value)) {
        offset->known += (uint64_t)value * size;
        return;
    }
    uint32_t type = nf_edit_define(e, OpTypeInt, 0, (uint32_t[]){e->m->address_bits, 0}, 2);
    if (nf_type_of(e->m, index)->size * 8 != e->m->address_bits) index = emit(e, OpSConvert, type, &index, 1);
    uint32_t bytes = emit(e, OpIMul, type, (uint32_t[]){index, address_constant(e, size)}, 2);
    offset->rest = offset->rest ? emit(e, OpIAdd, type, (uint32_t[]){offset->rest, bytes}, 2) : bytes;
}

/* Returns the access chain that computes `pointer`, or the pointer of which `pointer` is a bit cast, if the distance by
 * which it moves its base is known from its types and indices; otherwise 0. */
static uint32_t known_chain(const struct nf_module *m, uint32_t pointer)
{
    uint32_t at = m->def[nf_without_casts(m, pointer)], opcode = at ? nf_opcode(m, at) : 0,
             first = nf_first_part_index(opcode);
    if (first == 4 && opcode != OpAccessChain && opcode != OpInBoundsAccessChain) return 0;
    const struct nf_type *type = nf_type(m, nf_type_of(m, nf_base_pointer(m, at))->element);
    for (uint32_t i = first; i < nf_length(m, at) && type; i++)
        type = nf_part_of(m, type, nf_word(m, at, i));
    return type ? at : 0;
}

/* Adds to the offset the distance by which the access chain at `at` moves its base. Returns the base. */
static uint32_t add_chain(struct nf_edit *e, uint32_t at, struct offset *offset)
{
    const struct nf_module *m = e->m;
    const uint32_t *words = m->words + at;
    uint32_t first = nf_first_part_index(nf_opcode(m, at));
    const struct nf_type *type = nf_type(m, nf_type_of(m, nf_base_pointer(m, at))->element);
    if (first == 5) add_index(e, offset, nf_chain_index(m, at, 0), type->size);
    for (uint32_t i = first; i < nf_length(m, at); i++) {
        const struct nf_type *part = nf_part_of(m, type, words[i]);
        int64_t member;
        if (type->kind != NF_KIND_STRUCT)
            add_index(e, offset, words[i], part->size);
        else if (nf_constant(m, words[i], &member))
            offset->known += type->offsets[member];
        type = part;
    }
    return nf_base_pointer(m, at);
}

/* Adds to the offset the distances by which known chains compute `pointer` from a base, which is returned. */
static uint32_t add_chains(struct nf_edit *e, uint32_t pointer, struct offset *offset)
{
    uint32_t at;
    for (int i = 0; i < MOST_CHAINS && (at = known_chain(e->m, pointer)); i++)
        pointer = add_chain(e, at, offset);
    return pointer;
}

static uint32_t pointer_to_bytes(struct nf_edit *e, uint32_t storage)
{
    return nf_edit_define(e, OpTypePointer, 0, (uint32_t[]){storage, nf_edit_int_type(e, 8)}, 2);
}

/* Emits the pointer at the offset, as a pointer to bytes. */
static uint32_t offset_pointer(struct nf_edit *e, uint32_t pointer, uint32_t type, const struct offset *offset)
{
    const uint32_t steps[] = {offset->rest, offset->known ? address_constant(e, offset->known) : 0};
    if (e->m->address_bits == 64) nf_edit_need(e, NF_CAPABILITY_INT64);
    pointer = emit(e, OpBitcast, type, &pointer, 1);
    for (int i = 0; i < 2; i++)
        if (steps[i]) pointer = emit(e, OpInBoundsPtrAccessChain, type, (uint32_t[]){pointer, steps[i]}, 2);
    return pointer;
}

/* Consecutive pieces in memory: the type of pointers to a piece, and the pointer to the first. */
struct run {
    uint32_t pointer_type, first;
};

/* Returns the type that the index in word `cut` of the access chain at `at` indexes, and adds to `*bytes` the distance
 * by which this index and those after it move. Returns NULL if they are not constants inside of that type. */
static const struct nf_type *indexed_by(const struct nf_module *m, uint32_t at, uint32_t cut, uint64_t *bytes)
{
    const struct nf_type *type = nf_type(m, nf_type_of(m, nf_base_pointer(m, at))->element), *whole = NULL;
    for (uint32_t i = nf_first_part_index(nf_opcode(m, at)); i < nf_length(m, at); i++) {
        const struct nf_type *part = nf_part_of(m, type, nf_word(m, at, i));
        int64_t index = 0;
        if (i == cut) whole = type;
        if (!part || (whole && !nf_constant(m, nf_word(m, at, i), &index))) return NULL;
        if (whole) *bytes += type->kind == NF_KIND_STRUCT ? type->offsets[index] : (uint64_t)index * part->size;
        type = part;
    }
    return whole && *bytes < whole->size ? whole : NULL;
}

/* Finds the shortest tail of the indices of the access chain at `at` that moves by a multiple of `size` bytes within a
 * type of at least `size` bytes, all its indices being constants inside of that type. Returns the word of the tail's
 * first index, and sets `*whole` to that type and `*steps` to the multiple. Returns 0 if there is no such tail;
 * `*whole` and `*steps` are then undefined. */
static uint32_t aligned_indices(const struct nf_module *m, uint32_t at, uint32_t size, const struct nf_type **whole,
                                uint64_t *steps)
{
    for (uint32_t cut = nf_length(m, at) - 1; cut >= nf_first_part_index(nf_opcode(m, at)); cut--) {
        uint64_t bytes = 0;
        *whole = indexed_by(m, at, cut, &bytes);
        *steps = bytes / size;
        if (*whole && bytes % size == 0 && (*whole)->size >= size) return cut;
    }
    return 0;
}

/* Emits a cast of the pointer to a pointer to a piece, and moves it by a number of pieces. */
static uint32_t step_in_pieces(struct nf_edit *e, uint32_t pointer, uint32_t pointer_type, uint64_t steps)
{
    pointer = emit(e, OpBitcast, pointer_type, &pointer, 1);
    if (!steps) return pointer;
    if (e->m->address_bits == 64) nf_edit_need(e, NF_CAPABILITY_INT64);
    return emit(e, OpInBoundsPtrAccessChain, pointer_type, (uint32_t[]){pointer, address_constant(e, steps)}, 2);
}

/* Emits the pointer to the first piece, as a number of pieces from the smallest object around it that begins at a
 * piece: Mesa crashes if a load through a cast of a pointer to a narrower number is only found to be dead after its own
 * passes. Returns 0 if the pointer is not of this kind. */
static uint32_t pointer_in_pieces(struct nf_edit *e, uint32_t pointer, uint32_t pointer_type, uint32_t size)
{
    const struct nf_module *m = e->m;
    const struct nf_type *whole = NULL;
    uint64_t steps;
    pointer = nf_without_casts(m, pointer);
    uint32_t at = m->def[pointer];
    if (!at || nf_role_at(m, at) != NF_ROLE_chain || nf_type_of(m, pointer)->kind != NF_KIND_POINTER) return 0;
    if (nf_type(m, nf_type_of(m, pointer)->element)->size >= size) return 0;
    uint32_t cut = aligned_indices(m, at, size, &whole, &steps), object = nf_base_pointer(m, at);
    if (!cut) return 0;
    if (cut > NF_CHAIN_HEAD) {
        uint32_t head[NF_CHAIN_HEAD] = {nf_opcode(m, at), 0, 0, object};
        uint32_t to_whole[] = {nf_type_of(m, pointer)->storage, whole->id};
        head[1] = nf_edit_define(e, OpTypePointer, 0, to_whole, 2);
        object = head[2] = nf_build_id(&e->build);
        nf_emit_chain(e, at, head, NF_CHAIN_HEAD, cut);
    }
    return step_in_pieces(e, object, pointer_type, steps);
}

/* Emits the pointer to the first piece, of `size` bytes. In local memory a member is addressed from the variable, in
 * pieces or, if it does not begin at one, as bytes; see is_packed_part(). */
static struct run begin_run(struct nf_edit *e, uint32_t pointer, uint32_t type, uint32_t size)
{
    struct offset offset = {0, 0};
    uint32_t storage = nf_type_of(e->m, pointer)->storage;
    struct run run = {nf_edit_define(e, OpTypePointer, 0, (uint32_t[]){storage, type}, 2), 0};
    if (storage != NF_STORAGE_WORKGROUP) run.first = pointer_in_pieces(e, pointer, run.pointer_type, size);
    if (run.first) return run;
    if (storage == NF_STORAGE_WORKGROUP) pointer = add_chains(e, pointer, &offset);
    if (!offset.rest && offset.known % size == 0) {
        run.first = step_in_pieces(e, pointer, run.pointer_type, offset.known / size);
        return run;
    }
    uint32_t bytes = pointer_to_bytes(e, storage);
    pointer = offset_pointer(e, pointer, bytes, &offset);
    run.first = bytes == run.pointer_type ? pointer : emit(e, OpBitcast, run.pointer_type, &pointer, 1);
    return run;
}

static uint32_t element_pointer(struct nf_edit *e, struct run run, uint32_t index)
{
    if (index == 0) return run.first;
    return emit(e, OpInBoundsPtrAccessChain, run.pointer_type, (uint32_t[]){run.first, nf_edit_number(e, index)}, 2);
}

static uint32_t count_components(const struct access *a)
{
    return a->value->kind == NF_KIND_VECTOR ? a->value->count : 1;
}

static uint32_t load_component(struct nf_edit *e, const struct access *a, struct run run, uint32_t number)
{
    uint32_t pieces[MOST_PIECES];
    for (uint32_t i = 0; i < a->pieces; i++) {
        uint32_t from = element_pointer(e, run, number * a->pieces + i);
        pieces[i] = emit(e, OpLoad, a->piece_type, (uint32_t[]){from, a->operands[0], a->operands[1]}, 3);
    }
    uint32_t whole = emit(e, OpCompositeConstruct, a->whole_type, pieces, a->pieces);
    return emit(e, OpBitcast, a->component->id, &whole, 1);
}

static void load(struct nf_edit *e, const struct access *a, uint32_t result)
{
    uint32_t components[NF_MOST_COMPONENTS];
    struct run run = begin_run(e, a->pointer, a->piece_type, a->operands[1]);
    uint32_t count = count_components(a);
    for (uint32_t i = 0; i < count; i++)
        components[i] = load_component(e, a, run, i);
    uint32_t words[NF_MOST_COMPONENTS + 2] = {a->value->id, result};
    memcpy(words + 2, components, count * sizeof *components);
    nf_edit_emit(e, count > 1 ? OpCompositeConstruct : OpCopyObject, words, count + 2);
}

static void store_piece(struct nf_edit *e, uint32_t pointer, uint32_t piece, const uint32_t operands[2])
{
    nf_edit_emit(e, OpStore, (uint32_t[]){pointer, piece, operands[0], operands[1]}, 4);
}

static void store(struct nf_edit *e, const struct access *a, uint32_t value)
{
    struct run run = begin_run(e, a->pointer, a->piece_type, a->operands[1]);
    uint32_t count = count_components(a);
    for (uint32_t n = 0; n < count; n++) {
        uint32_t component =
            count > 1 ? emit(e, OpCompositeExtract, a->component->id, (uint32_t[]){value, n}, 2) : value;
        uint32_t whole = emit(e, OpBitcast, a->whole_type, &component, 1);
        for (uint32_t i = 0; i < a->pieces; i++) {
            uint32_t piece = emit(e, OpCompositeExtract, a->piece_type, (uint32_t[]){whole, i}, 2);
            uint32_t to = element_pointer(e, run, n * a->pieces + i);
            store_piece(e, to, piece, a->operands);
        }
    }
}

/* Writes the copy, piece by piece. If target and source may overlap, all loads precede the stores. */
static void copy(struct nf_edit *e, const struct copy *c)
{
    uint32_t type = nf_edit_int_type(e, 8 * c->operands[1]), pieces[MOST_COPIED];
    struct run to = begin_run(e, c->to, type, c->operands[1]), from = begin_run(e, c->from, type, c->operands[1]);
    for (uint32_t i = 0; i < c->pieces; i++) {
        pieces[i] = emit(e, OpLoad, type, (uint32_t[]){element_pointer(e, from, i), c->operands[0], c->operands[1]}, 3);
        if (!c->overlaps) store_piece(e, element_pointer(e, to, i), pieces[i], c->operands);
    }
    for (uint32_t i = 0; c->overlaps && i < c->pieces; i++)
        store_piece(e, element_pointer(e, to, i), pieces[i], c->operands);
}

/* Returns true if the chain at `at` selects a part of a structure in local memory that may be less aligned than its
 * type is elsewhere. Mesa assumes that such a part, and any pointer derived from it, has the alignment of its type. */
static bool is_packed_part(const struct nf_module *m, uint32_t at)
{
    if (nf_role_at(m, at) != NF_ROLE_chain || !nf_has_fault(m->options->profile, NF_FAULT_MESA_MISALIGNED_LOCAL))
        return false;
    uint32_t id = nf_value_id(m, at);
    if (nf_type_of(m, id)->storage != NF_STORAGE_WORKGROUP || known_chain(m, id) != at) return false;
    const struct nf_type *type = nf_type(m, nf_type_of(m, nf_base_pointer(m, at))->element);
    uint32_t align = nf_type(m, nf_type_of(m, id)->element)->align;
    bool packed = type->align < align;
    for (uint32_t i = nf_first_part_index(nf_opcode(m, at)); i < nf_length(m, at); i++) {
        type = nf_part_of(m, type, nf_word(m, at, i));
        packed |= type->align < align;
    }
    return packed;
}

/* Emits the chain at `at` as a step over bytes. */
static void step_over_bytes(struct nf_edit *e, uint32_t at)
{
    struct offset offset = {0, 0};
    uint32_t id = nf_value_id(e->m, at), pointer = add_chains(e, id, &offset);
    pointer = offset_pointer(e, pointer, pointer_to_bytes(e, NF_STORAGE_WORKGROUP), &offset);
    nf_edit_emit(e, OpBitcast, (uint32_t[]){nf_value_type(e->m, at), id, pointer}, 3);
}

static bool rewrite(struct nf_edit *e, uint32_t at, void *data)
{
    (void)data;
    struct access a;
    struct copy c;
    if (is_packed_part(e->m, at)) {
        step_over_bytes(e, at);
        return true;
    }
    if (find_copy(e->m, at, &c)) {
        copy(e, &c);
        return true;
    }
    if (!find_access(e->m, at, &a)) return false;
    find_types(e, &a);
    if (nf_opcode(e->m, at) == OpLoad)
        load(e, &a, nf_value_id(e->m, at));
    else
        store(e, &a, nf_store_object(e->m, at));
    return true;
}

bool nf_workaround_mesa_split_accesses(struct nf_module *m, struct nf_words *out)
{
    struct nf_edit e = nf_edit_begin(m);
    struct access a;
    struct copy c;
    bool any = false;
    for (uint32_t at = m->body_at; at < m->count && !any; at = nf_next(m, at))
        any = find_access(m, at, &a) || find_copy(m, at, &c) || is_packed_part(m, at);
    if (any) *out = nf_edit_functions(&e, rewrite, NULL);
    return any;
}
