/* SPDX-License-Identifier: Apache-2.0 */
/*
 * flat.c - addresses as integers: one flat address space, as GPUs have it (docs/inference.md describes the forms).
 *
 *     %i = OpConvertPtrToU %ulong %p              p is local, the middle of its window is 0x220000000000,
 *     %b = OpIAdd %ulong %i %0x220000001000      the integer of device address 0
 *
 *     %m = OpIAdd %ulong %x %0x80000000           and back: the window begins 2^31 below its middle,
 *     %h = OpShiftRightLogical %ulong %m %32      x is a local address if h is 0x2200,
 *     %l = OpIEqual %bool %h %0x2200
 *     %d = OpISub %ulong %x %0x220000001000      and d is its device address
 *
 * Oclgrind keeps the number of a buffer in bits 48 to 63; it is moved to bit 32. On a device of unknown form, an
 * address that does not fit into its window lies in a second window of 2^60 bytes, with the space in bits 60 to 63.
 * Where all memories share the address space of a process, which ends at 2^47, the first window has 2^44 integers that
 * the process does not use. The window represents the addresses from 0x71 * 2^40 up and, wrapped around, below 2^40.
 *
 * The hard case is null. Null is 0 in every form, but the device address 0 may be a valid private or local address. So
 * a conversion compares the pointer with null in its own space, unless the pointer is known to point into a variable.
 *
 * needs: the profile.  gives: integers of pointers, pointers of integers, and the space of an integer.
 */
#include "rewrite/internal.h"

/* ---- Windows ---- */

enum { TAG_BITS = 60, DEFAULT_WINDOW_BIT = 45, NUMBER_BIT = 48, PACKED_NUMBER_BIT = 32, PACKED_SPACE_BIT = 45 };
enum { NULL_OFFSET = 4096, SHIFTED_BITS = 16, WRAPPED_BITS = 44, DISTANCE_BIT = 41 }; /* no count has bit 41 */

static const struct nf_windows *windows_of(const struct nf_output *o, nf_set space)
{
    return &o->windows[space == NF_LOCAL];
}

/* Adds a window whose middle is `base`, unless the caller sets `start`. Except in a tiny window, device address 0 has
 * the integer `base` + NULL_OFFSET: alignments are kept, and `base`, which masks can compute, is not null. */
static void add_window(struct nf_output *o, nf_set space, uint64_t base, uint32_t bits)
{
    struct nf_windows *windows = &o->windows[space == NF_LOCAL];
    windows->at[windows->count++] = (struct nf_window){base + (bits >= SHIFTED_BITS ? NULL_OFFSET : 0), bits, 0};
}

void nf_begin_addresses(struct nf_output *o)
{
    static const nf_profile any;
    const struct nf_module *m = o->m;
    const nf_profile *profile = m->options->profile ? m->options->profile : &any;
    uint32_t bits = nf_window_bits(m), apart = bits > DISTANCE_BIT ? bits : DISTANCE_BIT;
    uint64_t base = profile->private_window || profile->local_window ? 0 : (uint64_t)1 << DEFAULT_WINDOW_BIT;
    if (nf_keeps_generic(o) || nf_is_flat(m) || !nf_has_windows(m)) return;
    o->numbered = profile->address_form == NF_ADDRESSES_NUMBERED && m->address_bits != 32;
    if (o->numbered) return;
    if (profile->address_form == NF_ADDRESSES_FLAT && !base) { /* only for 64-bit addresses, see nf_has_windows() */
        const uint64_t first_address = (uint64_t)0x71 << 40, lead = -first_address & NF_PROCESS_ADDRESSES;
        add_window(o, NF_PRIVATE, profile->private_window + lead, WRAPPED_BITS);
        add_window(o, NF_LOCAL, profile->local_window + lead, WRAPPED_BITS);
        o->windows[0].at[0].start = profile->private_window;
        o->windows[1].at[0].start = profile->local_window;
    } else {
        add_window(o, NF_PRIVATE, base ? base : profile->private_window, bits);
        add_window(o, NF_LOCAL, base ? base + ((uint64_t)1 << apart) : profile->local_window, bits);
    }
    if (profile->address_form == NF_ADDRESSES_WINDOWS || m->address_bits == 32) return;
    add_window(o, NF_PRIVATE, (uint64_t)1 << TAG_BITS, TAG_BITS);
    add_window(o, NF_LOCAL, (uint64_t)2 << TAG_BITS, TAG_BITS);
}

bool nf_has_identity_address(const struct nf_output *o, nf_set space)
{
    if (o->numbered) return !(space & (NF_PRIVATE | NF_LOCAL | NF_GLOBAL));
    return !(space & (NF_PRIVATE | NF_LOCAL)) || !windows_of(o, space)->count;
}

bool nf_can_compute_space(const struct nf_output *o)
{
    return o->numbered || o->windows[0].count || o->m->analysis->flat;
}

static uint32_t emit_binary(struct nf_output *o, uint32_t opcode, uint32_t a, uint64_t b)
{
    return NF_EMIT_NEW(o, opcode, o->address_type, a, nf_address_constant(o, b));
}

/* Emits a bool that is true if the integer lies in the window, half of which may lie below its base. */
static uint32_t emit_is_in(struct nf_output *o, uint32_t integer, const struct nf_window *w)
{
    uint32_t moved = w->start ? integer : emit_binary(o, OpIAdd, integer, (uint64_t)1 << (w->bits - 1));
    uint32_t high = emit_binary(o, OpShiftRightLogical, moved, w->bits);
    return NF_EMIT_NEW(o, OpIEqual, nf_bool_type(o), high, nf_address_constant(o, w->base >> w->bits));
}

/* Emits the sign extension of the low `bits` of the address: devices with narrower addresses convert them to integers
 * either sign-extended or zero-extended. */
static uint32_t with_sign(struct nf_output *o, uint32_t address, uint32_t bits)
{
    if (bits == 32 && o->m->address_bits == 64) {
        uint32_t lower = NF_EMIT_NEW(o, OpUConvert, nf_uint_type(o), address);
        return NF_EMIT_NEW(o, OpSConvert, o->address_type, lower);
    }
    uint32_t above = o->m->address_bits - bits;
    return emit_binary(o, OpShiftRightArithmetic, emit_binary(o, OpShiftLeftLogical, address, above), above);
}

/* Emits the integer of a device address in the window, or an integer outside of it if the address does not fit. */
static uint32_t emit_at_base(struct nf_output *o, uint32_t address, const struct nf_window *w)
{
    uint32_t sum = emit_binary(o, OpIAdd, address, w->base - w->start);
    if (!w->start) return sum;
    return emit_binary(o, OpIAdd, emit_binary(o, OpBitwiseAnd, sum, NF_PROCESS_ADDRESSES), w->start);
}

static uint32_t emit_into_window(struct nf_output *o, uint32_t address, nf_set space)
{
    const struct nf_windows *windows = windows_of(o, space);
    const struct nf_window *w = &windows->at[0];
    uint64_t middle = w->base & -((uint64_t)1 << w->bits); /* a lone window wraps: each address has an integer in it */
    if (windows->count == 1)
        return emit_binary(o, OpIAdd, with_sign(o, emit_binary(o, OpIAdd, address, w->base - middle), w->bits), middle);
    uint32_t near = emit_at_base(o, address, w), fits = emit_is_in(o, near, w);
    uint32_t far = emit_binary(o, OpIAdd, address, windows->at[1].base);
    return NF_EMIT_NEW(o, OpSelect, o->address_type, fits, near, far);
}

static uint32_t emit_out_of_window(struct nf_output *o, uint32_t integer, nf_set space)
{
    const struct nf_windows *windows = windows_of(o, space);
    uint32_t near = emit_binary(o, OpISub, integer, windows->at[0].base);
    if (windows->at[0].start) near = emit_binary(o, OpBitwiseAnd, near, NF_PROCESS_ADDRESSES);
    if (windows->count == 1) return near;
    uint32_t far = emit_binary(o, OpISub, integer, windows->at[1].base);
    return NF_EMIT_NEW(o, OpSelect, o->address_type, emit_is_in(o, integer, &windows->at[1]), far, near);
}

/* ---- Numbered buffers ---- */

/* Emits the exchange of the buffer's number, in bits 48 to 63, with bits 32 to 47. An address may lie below its buffer:
 * offsets lie in [-2^31, 2^31), so 2^31 is added before the exchange and subtracted after it. */
static uint32_t emit_exchanged(struct nf_output *o, uint32_t address)
{
    uint32_t x = emit_binary(o, OpIAdd, address, NF_HALF_OF_OFFSETS);
    uint32_t low = emit_binary(o, OpBitwiseAnd, x, 0xffffffffu);
    uint32_t number = emit_binary(o, OpShiftRightLogical, x, NUMBER_BIT);
    uint32_t down = emit_binary(o, OpShiftLeftLogical, number, PACKED_NUMBER_BIT);
    uint32_t high = emit_binary(o, OpShiftRightLogical, x, PACKED_NUMBER_BIT);
    uint32_t up = emit_binary(o, OpShiftLeftLogical, high, NUMBER_BIT);
    uint32_t both = NF_EMIT_NEW(o, OpBitwiseOr, o->address_type, down, up);
    return emit_binary(o, OpISub, NF_EMIT_NEW(o, OpBitwiseOr, o->address_type, both, low), NF_HALF_OF_OFFSETS);
}

/* Returns the integer of device address 0 in the space; 0 for global memory, whose addresses are only exchanged. */
static uint64_t packed_base(nf_set space)
{
    uint64_t number = space == NF_PRIVATE ? 1 : space == NF_LOCAL ? 2 : 0;
    return number ? (number << PACKED_SPACE_BIT) + NULL_OFFSET : 0;
}

/* Emits the conversion of a device address to a flat address: the number of a buffer at bit 32, where a private address
 * already has it, and the space in bits 45 and 46. */
static uint32_t emit_packed(struct nf_output *o, uint32_t address, nf_set space)
{
    uint32_t packed = space == NF_PRIVATE ? address : emit_exchanged(o, address);
    return packed_base(space) ? emit_binary(o, OpIAdd, packed, packed_base(space)) : packed;
}

static uint32_t emit_unpacked(struct nf_output *o, uint32_t integer, nf_set space)
{
    uint32_t bits = packed_base(space) ? emit_binary(o, OpISub, integer, packed_base(space)) : integer;
    return space == NF_PRIVATE ? bits : emit_exchanged(o, bits);
}

static uint32_t emit_is_packed(struct nf_output *o, uint32_t integer, nf_set space)
{
    uint32_t above = emit_binary(o, OpIAdd, integer, NF_HALF_OF_OFFSETS);
    uint32_t high = emit_binary(o, OpShiftRightLogical, above, PACKED_SPACE_BIT);
    return NF_EMIT_NEW(o, OpIEqual, nf_bool_type(o), high,
                       nf_address_constant(o, packed_base(space) >> PACKED_SPACE_BIT));
}

/* ---- Concrete pointers ---- */

/* Emits a null test on integers: OpPtrEqual needs SPIR-V 1.4, and shipped translators cannot read it. */
static uint32_t emit_is_null(struct nf_output *o, uint32_t pointer, uint32_t type)
{
    uint32_t address = NF_EMIT_NEW(o, OpConvertPtrToU, o->address_type, pointer);
    uint32_t null_address = NF_EMIT_NEW(o, OpConvertPtrToU, o->address_type, nf_null(o, type));
    return NF_EMIT_NEW(o, OpIEqual, nf_bool_type(o), address, null_address);
}

/* Returns true if the conversion of an address of the space to an integer maps null to 0 without a test. */
static bool maps_null(const struct nf_output *o, nf_set space)
{
    return o->numbered && space == NF_GLOBAL;
}

bool nf_has_short_window(const struct nf_output *o, nf_set space)
{
    const struct nf_window *window = o->m->address_bits == 64 ? nf_first_window(o, space) : NULL;
    return window && window->bits == 32 && windows_of(o, space)->count == 1;
}

uint32_t nf_distance_in_window(struct nf_output *o, uint32_t pointer, uint32_t type, nf_set space)
{
    return NF_EMIT_NEW(o, OpUConvert, nf_uint_type(o), nf_escaped_address(o, pointer, type, space));
}

uint32_t nf_pointer_to_integer(struct nf_output *o, uint32_t pointer, uint32_t type, nf_set space, bool non_null)
{
    uint32_t address = nf_escaped_address(o, pointer, type, space);
    if (nf_has_identity_address(o, space)) return address;
    uint32_t integer = o->numbered ? emit_packed(o, address, space) : emit_into_window(o, address, space);
    if (non_null || maps_null(o, space)) return integer;
    uint32_t is_null = emit_is_null(o, pointer, type);
    return NF_EMIT_NEW(o, OpSelect, o->address_type, is_null, nf_address_constant(o, 0), integer);
}

/* Emits the pointer with the device address `address`, or null if its flat address `integer` is 0. */
static uint32_t emit_pointer(struct nf_output *o, uint32_t integer, uint32_t address, uint32_t type, nf_set space)
{
    uint32_t pointer = NF_EMIT_NEW(o, OpConvertUToPtr, type, address);
    if (maps_null(o, space)) return pointer;
    uint32_t is_null = NF_EMIT_NEW(o, OpIEqual, nf_bool_type(o), integer, nf_address_constant(o, 0));
    return NF_EMIT_NEW(o, OpSelect, type, is_null, nf_null(o, type), pointer);
}

static uint32_t emit_address(struct nf_output *o, uint32_t integer, nf_set space)
{
    return o->numbered ? emit_unpacked(o, integer, space) : emit_out_of_window(o, integer, space);
}

uint32_t nf_pointer_from_integer(struct nf_output *o, uint32_t integer, uint32_t type, nf_set space)
{
    if (nf_has_identity_address(o, space)) return NF_EMIT_NEW(o, OpConvertUToPtr, type, integer);
    return emit_pointer(o, integer, emit_address(o, integer, space), type, space);
}

static uint32_t emit_is_of(struct nf_output *o, uint32_t integer, nf_set space)
{
    const struct nf_windows *windows = windows_of(o, space);
    if (o->numbered) return emit_is_packed(o, integer, space);
    uint32_t is = emit_is_in(o, integer, &windows->at[0]);
    if (windows->count == 1) return is;
    return NF_EMIT_NEW(o, OpLogicalOr, nf_bool_type(o), is, emit_is_in(o, integer, &windows->at[1]));
}

/* Emits the device address of an integer that may be outside of all windows. With 64-bit addresses, an integer below
 * 2^32 is the low half of a flat address; with 32-bit addresses, one outside of the window is the device address. */
static uint32_t emit_address_or_raw(struct nf_output *o, uint32_t integer, nf_set space)
{
    if (o->m->address_bits == 32) {
        uint32_t is_of = emit_is_of(o, integer, space);
        return NF_EMIT_NEW(o, OpSelect, o->address_type, is_of, emit_address(o, integer, space), integer);
    }
    uint32_t high = emit_binary(o, OpShiftRightLogical, integer, 32);
    uint32_t is_short = NF_EMIT_NEW(o, OpIEqual, nf_bool_type(o), high, nf_address_constant(o, 0));
    uint32_t low = emit_binary(o, OpISub, integer, (uint32_t)windows_of(o, space)->at[0].base);
    return NF_EMIT_NEW(o, OpSelect, o->address_type, is_short, low, emit_address(o, integer, space));
}

uint32_t nf_concrete_from_integer(struct nf_output *o, uint32_t integer, uint32_t type, nf_set space)
{
    if (nf_has_identity_address(o, space) || o->numbered) return nf_pointer_from_integer(o, integer, type, space);
    return emit_pointer(o, integer, emit_address_or_raw(o, integer, space), type, space);
}

uint32_t nf_pointer_from_raw(struct nf_output *o, uint32_t integer, uint32_t type, nf_set space)
{
    uint32_t raw = NF_EMIT_NEW(o, OpConvertUToPtr, type, integer);
    if (nf_has_identity_address(o, space)) return raw;
    uint32_t pointer = nf_pointer_from_integer(o, integer, type, space), is = emit_is_of(o, integer, space);
    uint32_t null = NF_EMIT_NEW(o, OpIEqual, nf_bool_type(o), integer, nf_address_constant(o, 0));
    is = NF_EMIT_NEW(o, OpLogicalOr, nf_bool_type(o), is, null); /* 0, the flat null, is outside of all windows */
    return NF_EMIT_NEW(o, OpSelect, type, is, pointer, raw);
}

const struct nf_window *nf_first_window(const struct nf_output *o, nf_set space)
{
    return nf_has_identity_address(o, space) || o->numbered ? NULL : &windows_of(o, space)->at[0];
}

/* ---- Tuples ---- */

/* Emits a bool that is true if the integer, converted to `pointer` and back, is the same integer. It is false for two
 * kinds of integers in a window: in the first window, device address 0 if that is null (masks and sums may compute it);
 * in the second, addresses that fit into the first. */
static uint32_t emit_is_address(struct nf_output *o, uint32_t integer, nf_set space, nf_set evidence, uint32_t pointer,
                                uint32_t type)
{
    const struct nf_windows *windows = windows_of(o, space);
    uint32_t condition = nf_bool_type(o);
    if (o->numbered) return emit_is_of(o, integer, space);
    uint32_t is = emit_is_in(o, integer, &windows->at[0]);
    if (evidence & NF_ANY_VALUE) {
        uint32_t valid = NF_EMIT_NEW(o, OpLogicalNot, condition, emit_is_null(o, pointer, type));
        is = NF_EMIT_NEW(o, OpLogicalAnd, condition, is, valid);
    }
    if (windows->count == 1) return is;
    uint32_t address = emit_binary(o, OpISub, integer, windows->at[1].base);
    uint32_t fits = emit_is_in(o, emit_at_base(o, address, &windows->at[0]), &windows->at[0]);
    uint32_t beyond = NF_EMIT_NEW(o, OpLogicalNot, condition, fits);
    uint32_t far = emit_is_in(o, integer, &windows->at[1]);
    return NF_EMIT_NEW(o, OpLogicalOr, condition, is, NF_EMIT_NEW(o, OpLogicalAnd, condition, far, beyond));
}

/* Emits the tag of an integer that may be an address in any space of the tuple's set; the parts of the tuple exist
 * already. The default is the first of global, constant, local and private that is in the set: an integer that is not
 * an address of another space in the set gets this tag. */
static uint32_t tag_of_integer(struct nf_output *o, const struct nf_tuple *tuple, nf_set evidence,
                               uint32_t generic_type)
{
    nf_set set = tuple->set, rest = set & NF_GLOBAL     ? NF_GLOBAL
                                    : set & NF_CONSTANT ? NF_CONSTANT
                                    : set & NF_LOCAL    ? NF_LOCAL
                                                        : NF_PRIVATE;
    uint32_t tag = nf_uint(o, rest);
    for (nf_set space = NF_PRIVATE; space <= NF_LOCAL; space = (nf_set)(space << 1)) {
        if (!(set & space) || space == rest || nf_has_identity_address(o, space)) continue;
        uint32_t is = emit_is_address(o, tuple->integer, space, evidence, tuple->part[nf_number(space)],
                                      nf_part_type(o, generic_type, space));
        tag = NF_EMIT_NEW(o, OpSelect, nf_uint_type(o), is, nf_uint(o, space), tag);
    }
    return tag;
}

static void check_memory_form(const struct nf_output *o, nf_set set, const char *moves)
{
    if (nf_can_compute_space(o) || nf_single(set)) return;
    nf_fail(o->m->arena, NF_REFUSED, o->body.at,
            "a pointer that may be in several spaces %s memory, and 32-bit addresses have no bits for its space",
            moves);
}

uint32_t nf_tuple_to_integer(struct nf_output *o, const struct nf_tuple *tuple, uint32_t generic_type, bool non_null)
{
    uint32_t integer = 0;
    if (tuple->dead && !tuple->made) return nf_address_constant(o, 0);
    if (tuple->integer) return tuple->integer;
    check_memory_form(o, tuple->set, "goes into");
    for (unsigned n = 0; n < NF_PARTS; n++) {
        nf_set space = nf_space(n);
        if (!(tuple->set & space)) continue;
        uint32_t type = nf_part_type(o, generic_type, space);
        uint32_t one = nf_pointer_to_integer(o, tuple->part[n], type, space, non_null);
        if (integer) one = NF_EMIT_NEW(o, OpSelect, o->address_type, nf_has_tag(o, tuple, space), one, integer);
        integer = one;
    }
    return integer;
}

struct nf_tuple nf_tuple_from_integer(struct nf_output *o, uint32_t integer, nf_set set, nf_set evidence,
                                      uint32_t generic_type)
{
    struct nf_tuple tuple = {.set = set, .made = true, .integer = integer};
    check_memory_form(o, set, "comes from");
    for (unsigned n = 0; n < NF_PARTS; n++) {
        nf_set space = nf_space(n);
        if (set & space)
            tuple.part[n] = nf_pointer_from_integer(o, integer, nf_part_type(o, generic_type, space), space);
    }
    if (!nf_single(set)) tuple.tag = tag_of_integer(o, &tuple, evidence, generic_type);
    return tuple;
}
