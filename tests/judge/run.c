/* SPDX-License-Identifier: Apache-2.0 */
/*
 * run.c - the main loop, the instructions of control flow, and those that move whole values.
 */
#include "judge.h"

#include <string.h>

#define MAX_CELLS (1u << 25)

static const struct opinfo *const tables[] = {nfj_run_ops,     nfj_arith_ops,  nfj_convert_ops,
                                              nfj_compare_ops, nfj_memory_ops, nfj_pointer_ops,
                                              nfj_atomic_ops,  nfj_group_ops,  nfj_ext_ops};

#define LAST_OP 6500

const struct opinfo *nfj_opinfo(uint16_t op)
{
    static const struct opinfo *by_op[LAST_OP];
    if (!by_op[SpvOpLoad])
        for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
            for (const struct opinfo *info = tables[i]; info->run; info++)
                by_op[info->op] = info;
    return op < LAST_OP ? by_op[op] : NULL;
}

void nfj_unknown(struct item *item, const struct inst *in)
{
    const struct module *m = item->module;
    if (in->op == SpvOpNop) nfj_cannot(m, "control runs off a function");
    nfj_cannot(m, "%s (%u) at word %u", nfj_op_name(in->op), in->op, in->word);
}

void nfj_run_item(struct item *item)
{
    uint64_t left = item->budget;
    while (left && item->state == RUNNING) {
        const struct inst *in = item->pc++;
        left--;
        in->run(item, in);
    }
    item->judge->steps += item->budget - left;
    if (item->judge->steps > item->judge->options->max_steps)
        nfj_cannot(item->module, "it does not end within %llu instructions (--max-steps)",
                   (unsigned long long)item->judge->options->max_steps);
}

/* ---- Calls ------------------------------------------------------------------------------------------------------- */

/*
 * Opens a frame for `f`. The caller writes the arguments to the returned cells, which are the parameters of `f`, and
 * then makes the frame the item's current one.
 */
struct cell *nfj_enter(struct item *item, struct function *f, int32_t dst)
{
    uint32_t base = item->cells.at ? (uint32_t)(item->frame - item->cells.at) : 0;
    if (!f->has_body) {
        const struct id_info *id = &item->module->ids[f->id];
        nfj_cannot(item->module, "a call of %s, which has no body", id->linkage ? id->linkage : "a function");
    }
    if (!f->code) nfj_decode(item->module, f);
    if (item->top + f->cells > MAX_CELLS) nfj_cannot(item->module, "calls too deep");
    if (item->top + f->cells > item->cells.room) {
        item->cells.at = nfj_grow(item->cells.at, &item->cells.room, item->top + f->cells, sizeof *item->cells.at);
        item->frame = item->cells.at + base;
    }
    struct frame frame = {.function = item->function,
                          .back = item->pc,
                          .base = base,
                          .dst = dst,
                          .cells = f->cells,
                          .vars = item->vars.count,
                          .address = item->address,
                          .chunk = item->chunk,
                          .used = item->used};
    PUSH(item->frames, frame);
    struct cell *to = item->cells.at + item->top;
    item->top += f->cells;
    item->function = f;
    item->pc = f->code;
    return to;
}

/* Returns true if the pointer points to a by-value argument that all items share. */
static bool is_shared(const struct item *item, const struct cell *pointer)
{
    const struct options *o = item->judge->options;
    for (int i = 0; o->sharing && i < o->arg_count; i++)
        if (o->args[i].kind == ARG_VALUE && pointer->prov && PROV_INDEX(pointer->prov) == o->args[i].object)
            return true;
    return false;
}

/* A by-value parameter gets a copy of the object that the caller's pointer points to. A driver that shares the values
 * makes no copy for the function called by an entry point. */
static void copy_by_value(struct item *item, const struct inst *in, uint32_t parameter, const struct type *pointer,
                          struct cell *argument)
{
    struct judge *j = item->judge;
    const struct type *type = nfj_type(item->module, pointer->element);
    uint32_t number = nfj_push_variable(item, type->size, type->align, item->module->ids[parameter].name);
    struct cell copy = nfj_pointer_to(j, number, SPACE_PRIVATE);
    nfj_copy(item, in, &copy, SPACE_PRIVATE, argument, pointer->space, type->size);
    *argument = copy;
}

static void call(struct item *item, const struct inst *in, struct function *f)
{
    const char *import = item->module->ids[f->id].linkage;
    if (!f->has_body && import && nfj_imported(item, in, import)) return;
    struct cell *to = nfj_enter(item, f, in->dst), *frame = to;
    const struct type *type = nfj_type(item->module, f->type);
    if (type->count != in->nops - 1u)
        nfj_cannot(item->module, "a call at word %u with %u arguments of %u", in->word, in->nops - 1u, type->count);
    for (uint32_t i = 0; i < type->count; i++) {
        uint32_t cells = item->module->types[type->members[i]]->cells;
        memcpy(to, value(item, operand(item, in, i + 1)), cells * sizeof *to);
        if (item->module->ids[f->parameters[i]].by_value && !is_shared(item, to))
            copy_by_value(item, in, f->parameters[i], item->module->types[type->members[i]], to);
        to += cells;
    }
    item->frame = frame;
}

static void op_call(struct item *item, const struct inst *in)
{
    if (in->a < 0) nfj_unknown(item, in);
    call(item, in, &item->module->functions.at[in->a]);
}

/* Returns true if `pointer` is the address of function object `number`, as a concrete or as a generic pointer. */
static bool calls(const struct item *item, const struct cell *pointer, uint32_t number)
{
    const struct module *m = item->module;
    uint64_t offset = pointer->bits - item->judge->objects.at[number].base;
    if (pointer->undef || (pointer->prov && PROV_INDEX(pointer->prov) != number)) return false;
    /* In modules the address of a function has Function class, so a cast to generic treats it as private. */
    return offset == 0 || offset == nfj_flat_base(m, SPACE_CODE) || offset == nfj_flat_base(m, SPACE_PRIVATE);
}

static void op_pointer_call(struct item *item, const struct inst *in)
{
    struct module *m = item->module;
    const struct cell *pointer = value(item, in->a);
    for (uint32_t i = 0; i < m->functions.count; i++)
        if (m->functions.at[i].object && calls(item, pointer, m->functions.at[i].object)) {
            call(item, in, &m->functions.at[i]);
            return;
        }
    nfj_report(item, in, "a call of 0x%llx, which is no function", (unsigned long long)pointer->bits);
    item->state = FINISHED;
}

static void leave(struct item *item)
{
    const struct frame *frame = &item->frames.at[--item->frames.count];
    nfj_pop_variables(item, frame);
    item->top -= frame->cells;
    item->pc = frame->back;
    item->function = frame->function;
    item->frame = item->cells.at + frame->base;
    if (item->frames.count == 0) item->state = FINISHED;
}

static void op_return(struct item *item, const struct inst *in)
{
    (void)in;
    leave(item);
}

static void op_return_value(struct item *item, const struct inst *in)
{
    const struct cell *from = value(item, in->a);
    const struct type *type = nfj_type(item->module, item->function->type);
    uint32_t cells = item->module->types[type->element]->cells;
    int32_t dst = item->frames.at[item->frames.count - 1].dst;
    leave(item);
    if (item->state == RUNNING) memmove(item->frame + dst, from, cells * sizeof *from);
}

/* ---- Branches ---------------------------------------------------------------------------------------------------- */

/* Assigns the phis of the target, all at once. */
static void move_many(struct item *item, const struct edge *edge)
{
    const struct move *moves = item->module->moves.at + edge->moves;
    if (edge->cells > item->scratch_room)
        item->scratch = nfj_grow(item->scratch, &item->scratch_room, edge->cells, sizeof *item->scratch);
    struct cell *at = item->scratch;
    for (uint32_t i = 0; i < edge->count; i++) {
        memcpy(at, value(item, moves[i].src), moves[i].n * sizeof *at);
        at += moves[i].n;
    }
    at = item->scratch;
    for (uint32_t i = 0; i < edge->count; i++) {
        memcpy(item->frame + moves[i].dst, at, moves[i].n * sizeof *at);
        at += moves[i].n;
    }
}

static void follow(struct item *item, int32_t number)
{
    const struct edge *edge = &item->module->edges.at[number];
    if (edge->count == 1) {
        const struct move *move = item->module->moves.at + edge->moves;
        memmove(item->frame + move->dst, value(item, move->src), move->n * sizeof(struct cell));
    } else if (edge->count) {
        move_many(item, edge);
    }
    item->pc = edge->target;
}

static void op_branch(struct item *item, const struct inst *in)
{
    follow(item, in->a);
}

static void check_decision(struct item *item, const struct inst *in, const struct cell *cell)
{
    if (cell->undef & mask_of(in->sbits) && item->judge->options->strict)
        nfj_report(item, in, "an undefined value decides the way");
}

static void op_branch_conditional(struct item *item, const struct inst *in)
{
    const struct cell *condition = value(item, in->a);
    check_decision(item, in, condition);
    follow(item, condition->bits & 1 ? in->b : in->c);
}

static void op_switch(struct item *item, const struct inst *in)
{
    const int32_t *pool = item->module->pool.at + in->ops;
    const struct cell *selector = value(item, pool[0]);
    uint64_t mask = mask_of(in->sbits);
    check_decision(item, in, selector);
    for (int32_t i = 0; i < pool[2]; i++) {
        const int32_t *of = pool + 3 + 3 * i;
        uint64_t literal = (uint32_t)of[0] | (uint64_t)(uint32_t)of[1] << 32;
        if ((literal & mask) == selector->bits) {
            follow(item, of[2]);
            return;
        }
    }
    follow(item, pool[1]);
}

static void op_unreachable(struct item *item, const struct inst *in)
{
    nfj_report(item, in, "control reaches it");
    item->state = FINISHED;
}

/* ---- Whole values ------------------------------------------------------------------------------------------------ */

static void op_undef(struct item *item, const struct inst *in)
{
    uint64_t mask = in->bits ? mask_of(in->bits) : UINT64_MAX;
    for (uint32_t i = 0; i < in->n; i++)
        item->frame[in->dst + (int32_t)i] = (struct cell){0, mask, 0, 0};
}

static void op_copy(struct item *item, const struct inst *in)
{
    memmove(item->frame + in->dst, value(item, in->a), in->n * sizeof(struct cell));
}

/* Returns the undefined bits of a choice between two values whose condition is undefined: those in which the values
 * differ. */
static uint64_t undefined_of_either(const struct cell *a, const struct cell *b, unsigned bits)
{
    if (!bits || (a->prov && b->prov && a->prov != b->prov)) return bits ? mask_of(bits) : UINT64_MAX;
    return a->undef | b->undef | ((a->bits ^ b->bits) & mask_of(bits));
}

static void op_select(struct item *item, const struct inst *in)
{
    const struct cell *condition = value(item, in->a), *yes = value(item, in->b), *no = value(item, in->c);
    struct cell *to = item->frame + in->dst;
    const uint32_t *w = item->module->words + in->word;
    bool spec = (w[0] & 0xffff) == SpvOpSpecConstantOp;
    uint32_t id = w[spec ? 4 : 3];
    bool by_component = item->module->types[item->module->ids[id].type]->op == SpvOpTypeVector;
    for (uint32_t i = 0; i < in->n; i++) {
        const struct cell *c = &condition[by_component ? i : 0];
        uint64_t undefined = c->undef & 1 ? undefined_of_either(&yes[i], &no[i], in->bits) : 0;
        to[i] = c->bits & 1 ? yes[i] : no[i];
        to[i].undef |= undefined;
    }
}

static void op_composite_construct(struct item *item, const struct inst *in)
{
    struct cell *to = item->frame + in->dst;
    const uint32_t *w = item->module->words + in->word;
    for (uint32_t i = 0; i < in->nops; i++) {
        uint32_t cells = nfj_type(item->module, item->module->ids[w[3 + i]].type)->cells;
        memmove(to, value(item, operand(item, in, i)), cells * sizeof *to);
        to += cells;
    }
}

/* Returns the cell and the type that the literals from operand `i` on select in `type`. */
static uint32_t step_in(struct item *item, const struct inst *in, uint32_t type, uint32_t i)
{
    uint32_t cell = 0;
    uint64_t offset;
    for (; i < in->nops; i++)
        cell +=
            nfj_chain_step(item->module, nfj_type(item->module, type), (uint32_t)operand(item, in, i), &type, &offset);
    return cell;
}

/* Returns the id of operand `i`: in an OpSpecConstantOp the opcode precedes the operands. */
static uint32_t operand_id(const struct item *item, const struct inst *in, uint32_t i)
{
    const uint32_t *w = item->module->words + in->word;
    return w[3 + i + ((w[0] & 0xffff) == SpvOpSpecConstantOp)];
}

static void op_composite_extract(struct item *item, const struct inst *in)
{
    uint32_t type = item->module->ids[operand_id(item, in, 0)].type;
    memmove(item->frame + in->dst, value(item, in->a) + step_in(item, in, type, 1), in->n * sizeof(struct cell));
}

static void op_composite_insert(struct item *item, const struct inst *in)
{
    struct cell *to = item->frame + in->dst;
    uint32_t type = item->module->ids[operand_id(item, in, 0)].type;
    memmove(to, value(item, in->b), in->n * sizeof *to);
    memmove(to + step_in(item, in, in->type, 2), value(item, in->a), item->module->types[type]->cells * sizeof *to);
}

static void op_vector_shuffle(struct item *item, const struct inst *in)
{
    struct cell *to = item->frame + in->dst, all[32];
    const struct cell *a = value(item, in->a), *b = value(item, in->b);
    uint32_t first = nfj_type(item->module, item->module->ids[operand_id(item, in, 0)].type)->count;
    for (uint32_t i = 0; i < in->n; i++) {
        uint32_t index = (uint32_t)operand(item, in, i + 2);
        if (index == UINT32_MAX)
            all[i] = (struct cell){0, mask_of(in->bits), 0, 0};
        else
            all[i] = index < first ? a[index] : b[index - first];
    }
    memcpy(to, all, in->n * sizeof *to);
}

static void op_vector_extract(struct item *item, const struct inst *in)
{
    const struct cell *index = value(item, in->b);
    uint32_t count = nfj_type(item->module, item->module->ids[operand_id(item, in, 0)].type)->count;
    if (index->undef || index->bits >= count) {
        op_undef(item, in);
        return;
    }
    item->frame[in->dst] = value(item, in->a)[index->bits];
}

static void op_vector_insert(struct item *item, const struct inst *in)
{
    struct cell *to = item->frame + in->dst;
    const struct cell *index = value(item, in->c);
    struct cell component = *value(item, in->b);
    if (index->undef || index->bits >= in->n) {
        op_undef(item, in);
        return;
    }
    memmove(to, value(item, in->a), in->n * sizeof *to);
    to[index->bits] = component;
}

static void op_nothing(struct item *item, const struct inst *in)
{
    (void)item;
    (void)in;
}

const struct opinfo nfj_run_ops[] = {
    {SpvOpFunctionCall, "fv", op_call},
    {5601, "v", op_pointer_call}, /* OpFunctionPointerCallINTEL */
    {SpvOpReturn, "", op_return},
    {SpvOpReturnValue, "v", op_return_value},
    {SpvOpBranch, "l", op_branch},
    {SpvOpBranchConditional, "vl", op_branch_conditional},
    {SpvOpSwitch, "vl", op_switch},
    {SpvOpUnreachable, "", op_unreachable},
    {SpvOpUndef, "", op_undef},
    {SpvOpCopyObject, "v", op_copy},
    {SpvOpCopyLogical, "v", op_copy},
    {SpvOpExpectKHR, "v", op_copy},
    {SpvOpSelect, "v", op_select},
    {SpvOpCompositeConstruct, "v", op_composite_construct},
    {SpvOpCompositeExtract, "vl", op_composite_extract},
    {SpvOpCompositeInsert, "vvl", op_composite_insert},
    {SpvOpVectorShuffle, "vvl", op_vector_shuffle},
    {SpvOpVectorExtractDynamic, "v", op_vector_extract},
    {SpvOpVectorInsertDynamic, "v", op_vector_insert},
    {SpvOpAssumeTrueKHR, "v", op_nothing},
    {0, NULL, NULL},
};
