/* SPDX-License-Identifier: Apache-2.0 */
/*
 * group.c - operations of several work-items: barriers, reductions, scans, votes, broadcasts, shuffles, async copies.
 * A work-item that reaches such an instruction waits; when all items of the scope have arrived, the scheduler executes
 * it for all of them at once.
 */
#include "judge.h"

#include <math.h>
#include <string.h>

enum { SHUFFLE_INTEL = 5571, SHUFFLE_DOWN_INTEL, SHUFFLE_UP_INTEL, SHUFFLE_XOR_INTEL, ROTATE = 4431 };

/* Returns the scalar operation that a reduction or a scan applies, 0 for other instructions. */
static uint16_t scalar_op(uint16_t op)
{
    static const struct {
        uint16_t group, scalar;
    } table[] = {
        {SpvOpGroupIAdd, SpvOpIAdd},
        {SpvOpGroupFAdd, SpvOpFAdd},
        {SpvOpGroupFMin, 5614},
        {SpvOpGroupUMin, SpvOpAtomicUMin},
        {SpvOpGroupSMin, SpvOpAtomicSMin},
        {SpvOpGroupFMax, 5615},
        {SpvOpGroupUMax, SpvOpAtomicUMax},
        {SpvOpGroupSMax, SpvOpAtomicSMax},
        {SpvOpGroupNonUniformIAdd, SpvOpIAdd},
        {SpvOpGroupNonUniformFAdd, SpvOpFAdd},
        {SpvOpGroupNonUniformIMul, SpvOpIMul},
        {SpvOpGroupNonUniformFMul, SpvOpFMul},
        {SpvOpGroupNonUniformSMin, SpvOpAtomicSMin},
        {SpvOpGroupNonUniformUMin, SpvOpAtomicUMin},
        {SpvOpGroupNonUniformFMin, 5614},
        {SpvOpGroupNonUniformSMax, SpvOpAtomicSMax},
        {SpvOpGroupNonUniformUMax, SpvOpAtomicUMax},
        {SpvOpGroupNonUniformFMax, 5615},
        {SpvOpGroupNonUniformBitwiseAnd, SpvOpBitwiseAnd},
        {SpvOpGroupNonUniformBitwiseOr, SpvOpBitwiseOr},
        {SpvOpGroupNonUniformBitwiseXor, SpvOpBitwiseXor},
        {SpvOpGroupNonUniformLogicalAnd, SpvOpLogicalAnd},
        {SpvOpGroupNonUniformLogicalOr, SpvOpLogicalOr},
        {SpvOpGroupNonUniformLogicalXor, SpvOpLogicalNotEqual},
        {6401, SpvOpIMul}, /* the reductions of SPV_KHR_uniform_group_instructions */
        {6402, SpvOpFMul},
        {6403, SpvOpBitwiseAnd},
        {6404, SpvOpBitwiseOr},
        {6405, SpvOpBitwiseXor},
        {6406, SpvOpLogicalAnd},
        {6407, SpvOpLogicalOr},
        {6408, SpvOpLogicalNotEqual},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (table[i].group == op) return table[i].scalar;
    return 0;
}

static uint64_t identity(uint16_t op, unsigned bits)
{
    uint64_t top = UINT64_C(1) << (bits - 1);
    switch (op) {
    case SpvOpIMul: return 1;
    case SpvOpFMul: return nfj_from_double(1.0, bits);
    case SpvOpBitwiseAnd:
    case SpvOpLogicalAnd:
    case SpvOpAtomicUMin: return mask_of(bits);
    case SpvOpAtomicSMin: return top - 1;
    case SpvOpAtomicSMax: return top;
    case 5614: return nfj_from_double((double)INFINITY, bits);
    case 5615: return nfj_from_double(-(double)INFINITY, bits);
    default: return 0;
    }
}

static struct cell combine(uint16_t op, unsigned bits, const struct cell *a, const struct cell *b)
{
    struct cell r;
    nfj_join(&r, a, b);
    r.bits = nfj_operate(op, bits, a->bits, b->bits);
    r.spare = 0;
    r.undef = r.undef ? mask_of(bits) : 0;
    return r;
}

/* Reduces or scans component `k` of the operand over the `count` work-items `who`. */
static void reduce(struct item **who, uint32_t count, const struct inst *in, uint16_t op, uint32_t k)
{
    int32_t operation = in->b;
    int32_t source = operand(who[0], in, 2);
    uint32_t cluster = count;
    if (operation == SpvGroupOperationClusteredReduce) cluster = (uint32_t)value(who[0], operand(who[0], in, 3))->bits;
    for (uint32_t first = 0; first < count; first += cluster) {
        struct cell sum = {identity(op, in->bits), 0, 0, 0};
        uint32_t end = first + cluster < count ? first + cluster : count;
        for (uint32_t i = first; i < end; i++) {
            const struct cell *x = value(who[i], source) + k;
            if (operation == SpvGroupOperationExclusiveScan) who[i]->frame[in->dst + (int32_t)k] = sum;
            sum = i == first ? *x : combine(op, in->bits, &sum, x);
            if (operation == SpvGroupOperationInclusiveScan) who[i]->frame[in->dst + (int32_t)k] = sum;
        }
        if (operation == SpvGroupOperationReduce || operation == SpvGroupOperationClusteredReduce)
            for (uint32_t i = first; i < end; i++)
                who[i]->frame[in->dst + (int32_t)k] = sum;
    }
}

static void set_all(struct item **who, uint32_t count, const struct inst *in, uint64_t bits)
{
    for (uint32_t i = 0; i < count; i++)
        who[i]->frame[in->dst] = (struct cell){bits, 0, 0, 0};
}

static void vote(struct item **who, uint32_t count, const struct inst *in)
{
    uint64_t all = 1, any = 0;
    bool same = true;
    const struct cell *first = value(who[0], in->b);
    uint32_t n = nfj_type(who[0]->module, who[0]->module->ids[who[0]->module->words[in->word + 4]].type)->cells;
    for (uint32_t i = 0; i < count; i++) {
        const struct cell *x = value(who[i], in->b);
        all &= x->bits;
        any |= x->bits;
        for (uint32_t k = 0; k < n; k++)
            same &= x[k].bits == first[k].bits;
    }
    if (in->op == SpvOpGroupNonUniformAllEqual)
        set_all(who, count, in, same);
    else
        set_all(who, count, in, in->op == SpvOpGroupAll || in->op == SpvOpGroupNonUniformAll ? all : any);
}

static uint32_t lane(const struct item *item)
{
    return item->local % item->judge->options->subgroup;
}

static void copy_from(struct item *to, const struct item *from, const struct inst *in, int32_t source)
{
    if (from)
        memcpy(to->frame + in->dst, value(from, source), in->n * sizeof(struct cell));
    else
        for (uint32_t k = 0; k < in->n; k++)
            to->frame[in->dst + (int32_t)k] = (struct cell){0, mask_of(in->bits), 0, 0};
}

static struct item *in_lane(struct item **who, uint32_t count, uint64_t number)
{
    for (uint32_t i = 0; i < count; i++)
        if (lane(who[i]) == number) return who[i];
    return NULL;
}

/* Returns the work-item of the group whose local id, of one to three components, is the operand. */
static struct item *by_local_id(struct item **who, uint32_t count, const struct inst *in)
{
    const struct module *m = who[0]->module;
    const struct cell *id = value(who[0], in->c);
    uint32_t n = nfj_type(m, m->ids[m->words[in->word + 5]].type)->cells;
    const uint64_t *size = who[0]->judge->options->local;
    uint64_t linear = id[0].bits;
    if (n > 1) linear += id[1].bits * size[0];
    if (n > 2) linear += id[2].bits * size[0] * size[1];
    for (uint32_t i = 0; i < count; i++)
        if (who[i]->local == linear) return who[i];
    return NULL;
}

static void broadcast(struct item **who, uint32_t count, const struct inst *in)
{
    struct item *from;
    bool wide = value(who[0], in->a)->bits < SpvScopeSubgroup;
    if (in->op == SpvOpGroupNonUniformBroadcastFirst)
        from = who[0];
    else if (in->op == SpvOpGroupBroadcast && wide)
        from = by_local_id(who, count, in);
    else
        from = in_lane(who, count, value(who[0], in->c)->bits);
    for (uint32_t i = 0; i < count; i++)
        copy_from(who[i], from, in, in->b);
}

static void ballot(struct item **who, uint32_t count, const struct inst *in)
{
    uint64_t bits[4] = {0};
    for (uint32_t i = 0; i < count; i++)
        if (value(who[i], in->b)->bits & 1) bits[lane(who[i]) / 32 & 3] |= UINT64_C(1) << lane(who[i]) % 32;
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t k = 0; k < 4; k++)
            who[i]->frame[in->dst + (int32_t)k] = (struct cell){bits[k], 0, 0, 0};
}

/* Returns the lane from which the work-item reads; the operands are scope, value and lane number. */
static uint64_t source_lane(const struct item *item, const struct inst *in)
{
    uint64_t own = lane(item), by = value(item, in->c)->bits, size = item->judge->options->subgroup;
    switch (in->op) {
    case SpvOpGroupNonUniformShuffleXor: return own ^ by;
    case SpvOpGroupNonUniformShuffleUp: return own - by;
    case SpvOpGroupNonUniformShuffleDown: return own + by;
    case SpvOpGroupNonUniformQuadBroadcast: return own / 4 * 4 + by;
    case SpvOpGroupNonUniformQuadSwap: return own ^ (by + 1);
    case ROTATE: return (own + by) % size;
    default: return by;
    }
}

static void shuffle(struct item **who, uint32_t count, const struct inst *in)
{
    for (uint32_t i = 0; i < count; i++)
        copy_from(who[i], in_lane(who, count, source_lane(who[i], in)), in, in->b);
}

/* Executes the shuffles of Intel's extension: operands are a value and a lane; those of up and down are two values,
 * which form one sequence, and a distance. */
static void shuffle_intel(struct item **who, uint32_t count, const struct inst *in)
{
    uint32_t size = who[0]->judge->options->subgroup;
    for (uint32_t i = 0; i < count; i++) {
        uint64_t own = lane(who[i]);
        if (in->op == SHUFFLE_INTEL || in->op == SHUFFLE_XOR_INTEL) {
            uint64_t by = value(who[i], in->b)->bits;
            uint64_t from = in->op == SHUFFLE_INTEL ? by : own ^ by;
            copy_from(who[i], in_lane(who, count, from), in, in->a);
            continue;
        }
        uint64_t by = value(who[i], in->c)->bits;
        bool up = in->op == SHUFFLE_UP_INTEL;
        uint64_t at = up ? own + size - by : own + by; /* index in the sequence of both values */
        copy_from(who[i], in_lane(who, count, at % size), in, at < size ? in->a : in->b);
    }
}

/* Executes an async copy, once for the whole group. */
static void async_copy(struct item *item, const struct inst *in)
{
    const struct module *m = item->module;
    const uint32_t *w = m->words + in->word;
    const struct type *to_type = nfj_type(m, m->ids[w[4]].type), *from_type = nfj_type(m, m->ids[w[5]].type);
    struct cell to = *value(item, in->b), from = *value(item, in->c);
    uint64_t count = value(item, operand(item, in, 3))->bits, stride = value(item, operand(item, in, 4))->bits;
    uint64_t size = nfj_type(m, to_type->element)->size;
    bool to_global = to_type->space == SPACE_GLOBAL;
    for (uint64_t i = 0; i < count; i++) {
        nfj_copy(item, in, &to, to_type->space, &from, from_type->space, size);
        to.bits += size * (to_global ? stride : 1);
        from.bits += size * (to_global ? 1 : stride);
    }
}

void nfj_group_step(struct judge *judge, struct item **who, uint32_t count, const struct inst *in)
{
    uint16_t op = scalar_op(in->op);
    if (op) {
        for (uint32_t k = 0; k < in->n; k++)
            reduce(who, count, in, op, k);
        return;
    }
    switch (in->op) {
    case SpvOpControlBarrier:
    case SpvOpGroupWaitEvents:
    case 6143: return; /* OpControlBarrierWaitINTEL */
    case SpvOpGroupAll:
    case SpvOpGroupAny:
    case SpvOpGroupNonUniformAll:
    case SpvOpGroupNonUniformAny:
    case SpvOpGroupNonUniformAllEqual: vote(who, count, in); return;
    case SpvOpGroupBroadcast:
    case SpvOpGroupNonUniformBroadcast:
    case SpvOpGroupNonUniformBroadcastFirst: broadcast(who, count, in); return;
    case SpvOpGroupNonUniformElect:
        set_all(who, count, in, 0);
        who[0]->frame[in->dst].bits = 1;
        return;
    case SpvOpGroupNonUniformBallot: ballot(who, count, in); return;
    case SHUFFLE_INTEL:
    case SHUFFLE_DOWN_INTEL:
    case SHUFFLE_UP_INTEL:
    case SHUFFLE_XOR_INTEL: shuffle_intel(who, count, in); return;
    case SpvOpGroupAsyncCopy:
        async_copy(who[0], in);
        set_all(who, count, in, 1);
        return;
    default: break;
    }
    if (in->op == ROTATE || (in->op >= SpvOpGroupNonUniformShuffle && in->op <= SpvOpGroupNonUniformQuadSwap))
        shuffle(who, count, in);
    else
        nfj_cannot(judge->module, "opcode %u at word %u", in->op, in->word);
}

/* ---- Alone
 * --------------------------------------------------------------------------------------------------------------------
 */

static void op_nothing(struct item *item, const struct inst *in)
{
    (void)item;
    (void)in;
}

static uint64_t ballot_bit(const struct cell *ballot, uint64_t i)
{
    return i < 128 ? ballot[i / 32].bits >> i % 32 & 1 : 0;
}

static uint64_t count_ballot(const struct item *item, const struct inst *in, const struct cell *of)
{
    uint64_t count = 0, end = item->judge->options->subgroup;
    if (in->b == SpvGroupOperationInclusiveScan)
        end = lane(item) + 1;
    else if (in->b == SpvGroupOperationExclusiveScan)
        end = lane(item);
    for (uint64_t i = 0; i < end; i++)
        count += ballot_bit(of, i);
    return count;
}

static uint64_t find_ballot(const struct item *item, const struct cell *of, bool last)
{
    uint64_t found = 0, size = item->judge->options->subgroup;
    for (uint64_t i = 0; i < size; i++)
        if (ballot_bit(of, i)) {
            found = i;
            if (!last) break;
        }
    return found;
}

static void op_ballot(struct item *item, const struct inst *in)
{
    const struct cell *of = value(item, in->op == SpvOpGroupNonUniformBallotBitCount ? in->c : in->b);
    struct cell r = {0, 0, 0, 0};
    switch (in->op) {
    case SpvOpGroupNonUniformInverseBallot: r.bits = ballot_bit(of, lane(item)); break;
    case SpvOpGroupNonUniformBallotBitExtract: r.bits = ballot_bit(of, value(item, in->c)->bits); break;
    case SpvOpGroupNonUniformBallotBitCount: r.bits = count_ballot(item, in, of); break;
    default: r.bits = find_ballot(item, of, in->op == SpvOpGroupNonUniformBallotFindMSB); break;
    }
    item->frame[in->dst] = r;
}

/* Reads a block: element i of a work-item is element lane + i * (sub-group size) of the block. */
static void op_block_read(struct item *item, const struct inst *in)
{
    struct cell pointer = *value(item, in->a);
    const struct type *type = nfj_type(item->module, in->type);
    uint32_t element = type->op == SpvOpTypeVector ? type->element : in->type;
    uint64_t size = type->bits / 8;
    pointer.bits += lane(item) * size;
    for (uint32_t i = 0; i < in->n; i++) {
        nfj_load(item, in, &pointer, in->space, element, item->frame + in->dst + i);
        pointer.bits += size * item->judge->options->subgroup;
    }
}

static void op_block_write(struct item *item, const struct inst *in)
{
    struct cell pointer = *value(item, in->a);
    uint32_t type_id = item->module->ids[item->module->words[in->word + 2]].type;
    const struct type *type = nfj_type(item->module, type_id);
    uint32_t element = type->op == SpvOpTypeVector ? type->element : type_id;
    uint64_t size = type->bits / 8;
    pointer.bits += lane(item) * size;
    for (uint32_t i = 0; i < type->cells; i++) {
        nfj_store(item, in, &pointer, in->space, element, value(item, in->b) + i);
        pointer.bits += size * item->judge->options->subgroup;
    }
}

#define REDUCTION(op)                                                                                                  \
    {                                                                                                                  \
        op, "vlv", nfj_wait                                                                                            \
    }

const struct opinfo nfj_group_ops[] = {
    {SpvOpControlBarrier, "v", nfj_wait},
    {6142, "v", op_nothing}, /* OpControlBarrierArriveINTEL */
    {6143, "v", nfj_wait},
    {SpvOpGroupAsyncCopy, "v", nfj_wait},
    {SpvOpGroupWaitEvents, "v", nfj_wait},
    {SpvOpGroupAll, "v", nfj_wait},
    {SpvOpGroupAny, "v", nfj_wait},
    {SpvOpGroupBroadcast, "v", nfj_wait},
    REDUCTION(SpvOpGroupIAdd),
    REDUCTION(SpvOpGroupFAdd),
    REDUCTION(SpvOpGroupFMin),
    REDUCTION(SpvOpGroupUMin),
    REDUCTION(SpvOpGroupSMin),
    REDUCTION(SpvOpGroupFMax),
    REDUCTION(SpvOpGroupUMax),
    REDUCTION(SpvOpGroupSMax),
    REDUCTION(6401),
    REDUCTION(6402),
    REDUCTION(6403),
    REDUCTION(6404),
    REDUCTION(6405),
    REDUCTION(6406),
    REDUCTION(6407),
    REDUCTION(6408),
    {SpvOpGroupNonUniformElect, "v", nfj_wait},
    {SpvOpGroupNonUniformAll, "v", nfj_wait},
    {SpvOpGroupNonUniformAny, "v", nfj_wait},
    {SpvOpGroupNonUniformAllEqual, "v", nfj_wait},
    {SpvOpGroupNonUniformBroadcast, "v", nfj_wait},
    {SpvOpGroupNonUniformBroadcastFirst, "v", nfj_wait},
    {SpvOpGroupNonUniformBallot, "v", nfj_wait},
    {SpvOpGroupNonUniformInverseBallot, "v", op_ballot},
    {SpvOpGroupNonUniformBallotBitExtract, "v", op_ballot},
    {SpvOpGroupNonUniformBallotBitCount, "vlv", op_ballot},
    {SpvOpGroupNonUniformBallotFindLSB, "v", op_ballot},
    {SpvOpGroupNonUniformBallotFindMSB, "v", op_ballot},
    {SpvOpGroupNonUniformShuffle, "v", nfj_wait},
    {SpvOpGroupNonUniformShuffleXor, "v", nfj_wait},
    {SpvOpGroupNonUniformShuffleUp, "v", nfj_wait},
    {SpvOpGroupNonUniformShuffleDown, "v", nfj_wait},
    REDUCTION(SpvOpGroupNonUniformIAdd),
    REDUCTION(SpvOpGroupNonUniformFAdd),
    REDUCTION(SpvOpGroupNonUniformIMul),
    REDUCTION(SpvOpGroupNonUniformFMul),
    REDUCTION(SpvOpGroupNonUniformSMin),
    REDUCTION(SpvOpGroupNonUniformUMin),
    REDUCTION(SpvOpGroupNonUniformFMin),
    REDUCTION(SpvOpGroupNonUniformSMax),
    REDUCTION(SpvOpGroupNonUniformUMax),
    REDUCTION(SpvOpGroupNonUniformFMax),
    REDUCTION(SpvOpGroupNonUniformBitwiseAnd),
    REDUCTION(SpvOpGroupNonUniformBitwiseOr),
    REDUCTION(SpvOpGroupNonUniformBitwiseXor),
    REDUCTION(SpvOpGroupNonUniformLogicalAnd),
    REDUCTION(SpvOpGroupNonUniformLogicalOr),
    REDUCTION(SpvOpGroupNonUniformLogicalXor),
    {SpvOpGroupNonUniformQuadBroadcast, "v", nfj_wait},
    {SpvOpGroupNonUniformQuadSwap, "v", nfj_wait},
    {ROTATE, "v", nfj_wait},
    {SHUFFLE_INTEL, "v", nfj_wait},
    {SHUFFLE_DOWN_INTEL, "v", nfj_wait},
    {SHUFFLE_UP_INTEL, "v", nfj_wait},
    {SHUFFLE_XOR_INTEL, "v", nfj_wait},
    {SpvOpSubgroupBlockReadINTEL, "v", op_block_read},
    {SpvOpSubgroupBlockWriteINTEL, "v", op_block_write},
    {0, NULL, NULL},
};
