/* SPDX-License-Identifier: Apache-2.0 */
/*
 * mesa_private_half_access.c - volatile vload_half and vstore_half for private pointers whose variable is unknown.
 *
 *     %x = OpExtInst %float %std vload_half %n %p          %q = OpPtrAccessChain %_ptr_ushort %halves_of_p %n
 *                                                          %h = OpLoad %ushort %q Volatile|Aligned 2
 *                                                               OpStore %place_in_room %h Aligned 2
 *                                                          %x = OpExtInst %float %std vload_half %ulong_0 %room
 *
 * The access must be volatile (mesa_private_store_forwarding.c), but these instructions cannot be volatile. The
 * conversion and its rounding are left to the driver: the halves are copied between memory and a private variable of
 * the function, each as a volatile 16-bit integer, and the instruction accesses that variable.
 *
 * The hard case: elements of vloada_half3 are four halves apart, and elements of vload_half3 are three halves apart, so
 * the offset is multiplied accordingly.
 *
 * needs: a module that was read, and its types.  gives: instructions in the module that is being edited.
 */
#include "workarounds/internal.h"

enum { MOST_HALVES = 16, HALF_SIZE = 2 };

/* The properties of a vload_half or vstore_half. The pointer is in the word after the offset. */
struct halves {
    bool loads, aligned;
    uint32_t offset_at, count; /* the word of the offset; the number of halves */
};

static bool is_aligned(uint32_t number)
{
    return number >= NF_STD_VLOADA_HALFN;
}

static bool is_load(uint32_t number)
{
    return number == NF_STD_VLOAD_HALF || number == NF_STD_VLOAD_HALFN || number == NF_STD_VLOADA_HALFN;
}

static struct halves halves_at(const struct nf_module *m, uint32_t at)
{
    struct halves h = {.loads = is_load(nf_extended_number(m, at)), .aligned = is_aligned(nf_extended_number(m, at))};
    const struct nf_type *floats =
        h.loads ? nf_type(m, nf_value_type(m, at)) : nf_type_of(m, nf_extended_operand(m, at, 0));
    h.offset_at = h.loads ? 5 : 6;
    h.count = floats->kind == NF_KIND_VECTOR ? floats->count : 1;
    return h;
}

uint32_t nf_half_access_pointer(const struct nf_module *m, uint32_t at)
{
    if (nf_opcode(m, at) != OpExtInst || nf_extended_set(m, at) != m->ext_opencl) return 0;
    uint32_t number = nf_extended_number(m, at);
    if (number < NF_STD_VLOAD_HALF || number > NF_STD_VSTOREA_HALFN_R) return 0;
    struct halves h = halves_at(m, at);
    return h.count <= MOST_HALVES ? nf_word(m, at, h.offset_at + 1) : 0;
}

uint32_t nf_first_component(struct nf_edit *e, uint32_t pointer, uint32_t type, uint32_t offset, uint32_t count)
{
    const struct nf_type *address = nf_type_of(e->m, offset);
    uint32_t number[] = {count, 0};
    int64_t value;
    if (nf_constant(e->m, offset, &value) && value == 0) return pointer;
    uint32_t times = nf_edit_define(e, OpConstant, address->id, number, (uint32_t)(address->size / sizeof *number));
    uint32_t index = nf_edit_value(e, OpIMul, address->id, offset, times);
    return nf_edit_value(e, OpPtrAccessChain, type, pointer, index);
}

static uint32_t short_type(struct nf_edit *e)
{
    nf_edit_need(e, NF_CAPABILITY_INT16);
    return nf_edit_define(e, OpTypeInt, 0, (uint32_t[]){16, 0}, 2);
}

static uint32_t pointer_type(struct nf_edit *e, uint32_t pointee)
{
    return nf_edit_define(e, OpTypePointer, 0, (uint32_t[]){NF_STORAGE_FUNCTION, pointee}, 2);
}

uint32_t nf_emit_half_buffer(struct nf_edit *e)
{
    uint32_t most = nf_edit_number(e, MOST_HALVES), id = nf_build_id(&e->build);
    uint32_t array = nf_edit_define(e, OpTypeArray, 0, (uint32_t[]){short_type(e), most}, 2);
    nf_edit_emit(e, OpVariable, (uint32_t[]){pointer_type(e, array), id, NF_STORAGE_FUNCTION}, 3);
    return id;
}

/* Emits copies of `count` 16-bit integers, volatile on the side of memory: the source if `loads`, else the target. */
static void emit_copies(struct nf_edit *e, uint32_t target, uint32_t source, uint32_t count, bool loads)
{
    uint32_t type = short_type(e), pointer = pointer_type(e, type);
    uint32_t hidden = NF_MEMORY_VOLATILE | NF_MEMORY_ALIGNED;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t number = nf_edit_number(e, i), value = nf_build_id(&e->build);
        uint32_t from = nf_edit_value(e, OpPtrAccessChain, pointer, source, number);
        uint32_t to = nf_edit_value(e, OpPtrAccessChain, pointer, target, number);
        nf_edit_emit(e, OpLoad, (uint32_t[]){type, value, from, loads ? hidden : NF_MEMORY_ALIGNED, HALF_SIZE}, 5);
        nf_edit_emit(e, OpStore, (uint32_t[]){to, value, loads ? NF_MEMORY_ALIGNED : hidden, HALF_SIZE}, 4);
    }
}

/* Emits the instruction with the variable as pointer and offset 0, in the variant that requires no alignment. */
static void emit_instruction(struct nf_edit *e, uint32_t at, const struct halves *h, uint32_t room)
{
    uint32_t words[10], length = nf_length(e->m, at);
    memcpy(words, e->m->words + at, length * sizeof *words);
    uint32_t none = nf_edit_define(e, OpConstantNull, nf_type_of(e->m, words[h->offset_at])->id, NULL, 0);
    uint32_t type = nf_type_of(e->m, words[h->offset_at + 1])->id;
    words[h->offset_at + 1] = nf_edit_value(e, OpBitcast, type, room, 0);
    words[h->offset_at] = none;
    if (words[4] == NF_STD_VLOADA_HALFN) words[4] = NF_STD_VLOAD_HALFN;
    if (h->aligned && !h->loads) words[4] -= NF_STD_VSTOREA_HALFN_R - NF_STD_VSTORE_HALFN_R;
    nf_edit_emit(e, OpExtInst, words + 1, length - 1);
}

void nf_emit_half_access(struct nf_edit *e, uint32_t at, uint32_t room)
{
    struct halves h = halves_at(e->m, at);
    uint32_t offset = nf_word(e->m, at, h.offset_at), pointer = pointer_type(e, short_type(e));
    uint32_t apart = h.aligned && h.count == 3 ? 4 : h.count;
    uint32_t halves = nf_edit_value(e, OpBitcast, pointer, nf_word(e->m, at, h.offset_at + 1), 0);
    uint32_t casted = nf_edit_value(e, OpBitcast, pointer, room, 0);
    uint32_t first = nf_first_component(e, halves, pointer, offset, apart);
    if (h.loads) emit_copies(e, casted, first, h.count, true);
    emit_instruction(e, at, &h, room);
    if (!h.loads) emit_copies(e, first, casted, h.count, false);
}
