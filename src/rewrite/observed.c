/* SPDX-License-Identifier: Apache-2.0 */
/*
 * observed.c - who sees the tag of an address.
 *
 *     %w = OpBitwiseOr %ulong %address %count_48_up     a count above an address that may be in several spaces
 *     %n = OpShiftRightLogical %ulong %w %48            the count, with the tag in it: refused
 *
 * In the canonical form the top bits of an address are not those that the program put there. What tells words apart by
 * them, compares what has lost them, or reads a number that was put among them would get a wrong answer, and is refused
 * by name.
 *
 * The hard case is a word that is copied in pieces: its top is taken down like a number, but it only goes up again, or into
 * memory as bytes. Whoever reads those and computes with them is caught there.
 *
 * needs: the evidence and forms of the instance that is written.  gives: refusals.
 */
#include "rewrite/parts.h"

/* No device has all its memory below HIGH, and no address has its top bit set but a global one, whatever its form. */
enum { HIGH = 40, SIGN = 63 };

static const char looked_at_message[] =
    "the top bits of an address are looked at, as a number, where its space stands: it may be in several";

/* Is `id` a number that `test` holds for, or a vector of numbers with such a one? */
static bool has_number(const struct nf_module *m, uint32_t id, bool (*test)(int64_t value))
{
    uint32_t at = m->def[id];
    int64_t value;
    if (nf_constant(m, id, &value)) return test(value);
    for (uint32_t i = 3; nf_opcode(m, at) == OpConstantComposite && i < nf_length(m, at); i++)
        if (nf_constant(m, m->words[at + i], &value) && test(value)) return true;
    return false;
}

static bool is_whatever(int64_t value)
{
    (void)value;
    return true;
}

static bool is_to_top(int64_t value)
{
    return value >= HIGH && value < SIGN;
}

static bool masks_below_top(int64_t value)
{
    return !((uint64_t)value & (((uint64_t)1 << HIGH) - 1));
}

static bool is_between(int64_t value)
{
    return value >= (int64_t)1 << HIGH && value < (int64_t)3 << NF_TAG_AT;
}

/* The integer whose top bits `id` is made of alone, or 0. Compilers test several at once, in vectors. */
static uint32_t top_of(const struct nf_module *m, uint32_t id)
{
    uint32_t at = m->def[id];
    if (at >= m->body_at && nf_opcode(m, at) == OpUConvert) at = m->def[m->words[at + 3]];
    if (at < m->body_at || nf_operand_count(m, at) != 2) return 0;
    switch (nf_opcode(m, at)) {
    case OpShiftRightLogical:
    case OpShiftRightArithmetic: return has_number(m, m->words[at + 4], is_to_top) ? m->words[at + 3] : 0;
    case OpBitwiseAnd: return has_number(m, m->words[at + 4], masks_below_top) ? m->words[at + 3] : 0;
    default: return 0;
    }
}

static bool is_number(const struct nf_module *m, uint32_t id)
{
    return has_number(m, id, is_whatever);
}

/* Is it a number that addresses are below, and those with a tag are not? `word >> 48 != 0` is written `word < 1 << 48` by
 * compilers. */
static bool is_bound(const struct nf_module *m, uint32_t id)
{
    uint32_t at = m->def[id];
    if (at >= m->body_at && nf_opcode(m, at) == OpConvertPtrToU) at = m->def[id = m->words[at + 3]];
    if (at >= m->body_at && nf_opcode(m, at) == OpConvertUToPtr) id = m->words[at + 3];
    return has_number(m, id, is_between);
}

/* Is it the smallest or largest of what lies in memory and a number that is above addresses, but below some tags? */
static bool is_bounded_in_memory(const struct nf_module *m, uint32_t at)
{
    int64_t value;
    switch (nf_opcode(m, at)) {
    case OpAtomicUMin:
    case OpAtomicSMin:
    case OpAtomicUMax:
    case OpAtomicSMax:
        return nf_constant(m, nf_operand(m, at, 3), &value) && value >= (int64_t)1 << HIGH &&
               value < (int64_t)6 << NF_TAG_AT;
    default: return false;
    }
}

/* The integer whose top bits are looked at by a comparison, a switch, or a count of zeros before the first one; or 0. */
static uint32_t looked_at(const struct nf_module *m, uint32_t at)
{
    if (nf_role_at(m, at) == NF_ROLE_top_bits)
        return nf_opcode(m, at) == OpExtInst ? m->words[at + 5] : nf_operand(m, at, 0);
    if (nf_opcode(m, at) == OpSwitch) return top_of(m, nf_operand(m, at, 0));
    if (nf_role_at(m, at) == NF_ROLE_atomic) return is_bounded_in_memory(m, at) ? nf_result_id(m, at) : 0;
    if (nf_role_at(m, at) != NF_ROLE_compare_bits) return 0;
    uint32_t x = nf_operand(m, at, 0), y = nf_operand(m, at, 1);
    if (is_number(m, x) || is_bound(m, x)) x = y, y = nf_operand(m, at, 0);
    bool orders = nf_opcode(m, at) != OpIEqual && nf_opcode(m, at) != OpINotEqual;
    return orders && is_bound(m, y) ? x : is_number(m, y) ? top_of(m, x) : 0;
}

/* Of what has a tag. */
static nf_set evidence_of(const struct nf_output *o, uint32_t id)
{
    return nf_form_of(o, id) ? 0 : nf_evidence_of(o, id);
}

/* A program that tells addresses from other words by their top bits sees the tag there. */
static void check_test(struct nf_output *o, uint32_t at)
{
    const struct nf_module *m = o->m;
    uint32_t address = looked_at(m, at);
    if (!address) return;
    if (evidence_of(o, address) & (NF_PRIVATE | NF_LOCAL) && !nf_is_distance(m, address))
        nf_fail(o->m->arena, NF_REFUSED, at,
                "the top bits of an address are looked at, where its space stands: it may be in several");
}

/* An address that has lost its tag is no other's equal. */
static void check_compared(struct nf_output *o, uint32_t at)
{
    const struct nf_module *m = o->m;
    if (nf_role_at(m, at) != NF_ROLE_compare_bits) return;
    nf_set a = evidence_of(o, nf_operand(m, at, 0)), b = evidence_of(o, nf_operand(m, at, 1));
    bool addresses = a & (NF_PRIVATE | NF_LOCAL) && b & (NF_PRIVATE | NF_LOCAL);
    if (addresses && (a ^ b) & NF_LOST)
        nf_fail(o->m->arena, NF_REFUSED, at,
                "an address is compared whose top bits were taken off, and with them its space: it may be in several");
}

static bool reaches_top(int64_t value)
{
    return value >= (int64_t)1 << HIGH || value < -((int64_t)1 << HIGH);
}

/* Has one of the vector's pointers a tag as a number? Where nobody comes, one may be made of itself. */
static bool has_tags(const struct nf_output *o, uint32_t id)
{
    enum { MOST = 16 };
    const struct nf_module *m = o->m;
    uint32_t at = m->def[id];
    for (int i = 0; i < MOST && at >= m->body_at && nf_opcode(m, at) == OpCompositeInsert; i++, at = m->def[id]) {
        if (evidence_of(o, m->words[at + 3]) & (NF_PRIVATE | NF_LOCAL)) return true;
        id = m->words[at + 4];
    }
    return evidence_of(o, id) & (NF_PRIVATE | NF_LOCAL);
}

void nf_check_vector(struct nf_output *o, uint32_t at)
{
    const struct nf_module *m = o->m;
    uint32_t id = nf_result_id(m, at);
    if (nf_opcode(m, at) != OpConvertPtrToU || !has_tags(o, nf_operand(m, at, 0))) return;
    for (uint32_t use = o->body.f->body; use < o->body.f->end; use = nf_next(m, use)) {
        const struct nf_op *op = nf_op_find(nf_opcode(m, use));
        if (!nf_result_id(m, use) || nf_is_unknown(op) || op->ids < 2 || nf_operand_count(m, use) != 2) continue;
        uint32_t left = nf_operand(m, use, 0), right = nf_operand(m, use, 1);
        if ((left == id && has_number(m, right, reaches_top)) || (right == id && has_number(m, left, reaches_top)))
            nf_fail(m->arena, NF_REFUSED, use, looked_at_message);
    }
}

/* ---- Numbers that are read out of the top of a word ---- */

/* What is wider may be half an address; these are bytes and words of one, or numbers. All addresses are below TOP. */
enum { NARROW = 16, HALF = 32, TOP = 48 };

/* A number that was taken out of the top of a word, and how often it was looked at what becomes of it. With a number put
 * there before, a sum of the word and its top shows the tag; else it is one of two bijections. */
struct top {
    const struct nf_output *o;
    bool marked;
    int depth;
};

static bool is_piece(struct top *top, uint32_t id);

/* Does the instruction at `use` take `id` for no more than bits of a word, on their way to another place? */
static bool moves_piece(struct top *top, uint32_t use, uint32_t id)
{
    const struct nf_module *m = top->o->m;
    uint32_t result = nf_result_id(m, use), opcode = nf_opcode(m, use);
    bool sums = opcode == OpBitwiseXor || opcode == OpIAdd || opcode == OpISub;
    if (opcode == OpBitwiseOr || (sums && !top->marked)) {
        uint32_t other = m->words[use + (m->words[use + 3] == id ? 4 : 3)];
        return nf_bits_of(m, other) > HALF || (opcode == OpBitwiseOr && is_piece(top, result));
    }
    switch (opcode) {
    case OpShiftLeftLogical: return m->words[use + 3] == id;
    case OpStore: return nf_number_width(m, id) <= NARROW;
    case OpUConvert: return nf_number_width(m, result) <= NARROW || is_piece(top, result);
    case OpBitwiseAnd: return is_piece(top, result);
    default: return nf_debug_at(m, use) != NF_DEBUG_NONE;
    }
}

static bool is_piece(struct top *top, uint32_t id)
{
    enum { DEEP = 16 };
    const struct nf_output *o = top->o;
    const struct nf_module *m = o->m;
    if (top->depth++ > DEEP) return false;
    for (uint32_t at = o->body.f->body; at < o->body.f->end; at = nf_next(m, at)) {
        struct nf_ids ids = nf_ids_at(m, at);
        while (nf_ids_next(&ids))
            if (m->words[at + ids.at] == id && !moves_piece(top, at, id)) return false;
    }
    return true;
}

/* By how many bits the instruction takes its first operand down, 0: not at all. */
static uint32_t bits_down(const struct nf_module *m, uint32_t at)
{
    int64_t value;
    if (!nf_takes_down(nf_opcode(m, at))) return 0;
    bool known = nf_is_number(m, nf_operand(m, at, 1), &value);
    if (nf_opcode(m, at) != OpUDiv) return known && value >= 0 && value < 64 ? (uint32_t)value : HIGH;
    return known && value > 0 && !(value & (value - 1)) ? nf_log2((uint64_t)value) : 0;
}

/* A remainder has something of all bits, but by a power of two. */
static bool is_remainder_of_top(const struct nf_module *m, uint32_t at)
{
    int64_t by;
    if (nf_role_at(m, at) != NF_ROLE_remainder || nf_number_width(m, nf_result_id(m, at)) != 64) return false;
    return !nf_is_number(m, nf_operand(m, at, 1), &by) || by <= 0 || by & (by - 1);
}

/* Does the instruction read a number where the tag of its operand stands, which has the evidence? */
static bool reads_tag(const struct nf_output *o, uint32_t at, nf_set evidence)
{
    const struct nf_module *m = o->m;
    struct top top = {.o = o, .marked = evidence & NF_MARKED};
    if (top.marked && is_remainder_of_top(m, at)) return true;
    if (evidence & NF_LOST && !top.marked) return false;
    /* What stood above the bits of every address is a number now. */
    uint32_t down = bits_down(m, at);
    return (top.marked ? down >= HIGH : down >= TOP && down < SIGN) && !is_piece(&top, nf_result_id(m, at));
}

static void check_read(struct nf_output *o, uint32_t at)
{
    const struct nf_module *m = o->m;
    if (nf_role_at(m, at) != NF_ROLE_remainder && !bits_down(m, at)) return;
    uint32_t id = nf_operand(m, at, 0);
    nf_set evidence = evidence_of(o, id);
    if (evidence & (NF_PRIVATE | NF_LOCAL) && nf_number_width(m, id) == 64 && reads_tag(o, at, evidence))
        nf_fail(m->arena, NF_REFUSED, at, looked_at_message);
}

/* ---- Numbers that were followed from the top of a word ---- */

static bool uses(const struct nf_module *m, uint32_t at, uint32_t id)
{
    struct nf_ids ids = nf_ids_at(m, at);
    while (nf_ids_next(&ids))
        if (m->words[at + ids.at] == id) return true;
    return false;
}

/* May it be the host's memory that the pointer points to? */
static bool is_for_host(const struct nf_output *o, uint32_t pointer)
{
    return nf_set_of(o->m, nf_instance_at(o->m, o->body.instance), pointer) & NF_GLOBAL;
}

/* Does the sum, or what else is computed with `id`, only go back to where the top was? */
static bool is_put_back(const struct nf_output *o, uint32_t id)
{
    const struct nf_module *m = o->m;
    int64_t mask;
    for (uint32_t at = o->body.f->body; at < o->body.f->end; at = nf_next(m, at)) {
        if (!uses(m, at, id) || nf_debug_at(m, at) != NF_DEBUG_NONE) continue;
        uint32_t opcode = nf_opcode(m, at), result = nf_result_id(m, at);
        bool cuts = opcode == OpUConvert && nf_number_width(m, result) <= NARROW;
        cuts |= opcode == OpBitwiseAnd && nf_is_number(m, m->words[at + 4], &mask) && mask >= 0 && mask < 1 << NARROW;
        bool stores = opcode == OpStore && m->words[at + 2] == id && nf_number_width(m, id) <= NARROW;
        if (!cuts && !stores) return false;
    }
    return true;
}

/* Is a sum, or what is like one, of the top and something longer: a hash? Or is it the top's own change? */
static bool is_blind_sum(const struct nf_output *o, uint32_t at, uint32_t id, uint8_t seen)
{
    const struct nf_module *m = o->m;
    uint32_t other = m->words[at + (m->words[at + 3] == id ? 4 : 3)];
    return (!(seen & NF_SEEN_MARKED) && nf_bits_of(m, other) > HALF) || is_put_back(o, nf_result_id(m, at));
}

/* Does the instruction, which uses `id` in word `word`, only move what was seen? */
static bool moves_seen(const struct nf_output *o, uint32_t at, uint32_t word, uint8_t seen)
{
    const struct nf_module *m = o->m;
    uint32_t id = m->words[at + word];
    switch (nf_role_at(m, at)) {
    case NF_ROLE_store: return nf_number_width(m, id) <= NARROW || !is_for_host(o, m->words[at + 1]);
    case NF_ROLE_select: return word != 3; /* the condition */
    case NF_ROLE_load:
    case NF_ROLE_phi:
    case NF_ROLE_copy:
    case NF_ROLE_pass:
    case NF_ROLE_bitcast:
    case NF_ROLE_convert:
    case NF_ROLE_construct:
    case NF_ROLE_extract:
    case NF_ROLE_insert:
    case NF_ROLE_shuffle:
    case NF_ROLE_mask:
    case NF_ROLE_return:
    case NF_ROLE_call: return true;
    default: break;
    }
    switch (nf_opcode(m, at)) {
    case OpBitwiseOr: return true;
    case OpShiftLeftLogical:
    case OpShiftRightLogical:
    case OpShiftRightArithmetic: return word == 3;
    case OpIAdd:
    case OpISub:
    case OpBitwiseXor: return is_blind_sum(o, at, id, seen);
    default: return nf_debug_at(m, at) != NF_DEBUG_NONE;
    }
}

/* What has become longer since is a hash, or a word again; but a comparison with a constant tells kinds apart. */
static bool looks_at_seen(const struct nf_output *o, uint32_t at, uint32_t word)
{
    const struct nf_module *m = o->m;
    uint32_t id = m->words[at + word];
    uint8_t seen = nf_seen(m, nf_instance_at(m, o->body.instance), id);
    if (!seen || nf_type_of(m, id)->kind == NF_KIND_POINTER || moves_seen(o, at, word, seen)) return false;
    if (nf_bits_of(m, id) <= HALF || nf_opcode(m, at) == OpSwitch) return true;
    return nf_role_at(m, at) == NF_ROLE_compare_bits &&
           (is_number(m, m->words[at + 3]) || is_number(m, m->words[at + 4]));
}

void nf_check_seen(struct nf_output *o)
{
    const struct nf_module *m = o->m;
    if (!nf_instance_at(m, nf_instance_at(m, o->body.instance)->solution)->seen) return;
    for (uint32_t at = o->body.f->body; at < o->body.f->end; at = nf_next(m, at)) {
        struct nf_ids ids = nf_ids_at(m, at);
        while (nf_ids_next(&ids))
            if (looks_at_seen(o, at, ids.at)) nf_fail(m->arena, NF_REFUSED, at, looked_at_message);
    }
}

void nf_check_observed(struct nf_output *o, uint32_t at)
{
    if (nf_hints(o) || o->m->address_bits == 32) return;
    check_test(o, at);
    check_compared(o, at);
    check_read(o, at);
}
