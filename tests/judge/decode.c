/* SPDX-License-Identifier: Apache-2.0 */
/*
 * decode.c - decodes a function body to a flat array of instructions, each with its handler: operands are resolved to
 * references, access chains are reduced to scaled indices, and each branch has the moves for the phis of its target.
 */
#include "judge.h"

#include <string.h>

enum { SKIPPED = 0, EMITTED = 1 };

#define UNTYPED_ACCESS_CHAIN 4419
#define UNTYPED_IN_BOUNDS_ACCESS_CHAIN 4420
#define UNTYPED_PTR_ACCESS_CHAIN 4423
#define UNTYPED_IN_BOUNDS_PTR_ACCESS_CHAIN 4424

static int32_t ref_of(const struct module *m, uint32_t id)
{
    return id < m->bound && m->ids[id].defined ? m->ids[id].ref : -1;
}

static const struct type *type_of(const struct module *m, uint32_t id)
{
    uint32_t type = id < m->bound ? m->ids[id].type : 0;
    return type && type < m->bound ? m->types[type] : NULL;
}

/* Debug information, and other instruction sets without semantics. */
static bool is_skipped_set(const struct module *m, uint32_t set)
{
    if (set >= m->bound || !m->ids[set].word) return false;
    const char *name = (const char *)(m->words + m->ids[set].word + 2);
    return strstr(name, "Debug") || !strcmp(name, "SPIRV.debug") || !strncmp(name, "NonSemantic.", 12);
}

static int emits(const struct module *m, uint32_t word)
{
    switch (m->words[word] & 0xffff) {
    case SpvOpNop:
    case SpvOpLine:
    case SpvOpNoLine:
    case SpvOpLabel:
    case SpvOpPhi:
    case SpvOpLoopMerge:
    case SpvOpSelectionMerge:
    case SpvOpFunction:
    case SpvOpFunctionParameter:
    case SpvOpFunctionEnd:
    case SpvOpLoopControlINTEL: return SKIPPED;
    case SpvOpExtInst: return is_skipped_set(m, m->words[word + 3]) ? SKIPPED : EMITTED;
    default: return EMITTED;
    }
}

/* ---- Access chains ----------------------------------------------------------------------------------------------- */

static void add_index(struct module *m, uint32_t id, uint64_t stride, uint64_t *constant, uint32_t *count)
{
    int32_t ref = ref_of(m, id);
    unsigned bits = type_of(m, id) ? type_of(m, id)->bits : 32;
    if (ref < -1) {
        *constant += (uint64_t)sign_extend(m->constants.at[~ref].bits, bits) * stride;
        return;
    }
    PUSH(m->pool, ref);
    PUSH(m->pool, (int32_t)stride);
    PUSH(m->pool, (int32_t)bits);
    ++*count;
}

/* Decodes the indices of an access chain that select members and elements; an earlier index that steps over whole
 * pointees is not among them. */
static void add_steps(struct module *m, uint32_t pointee, const uint32_t *index, const uint32_t *end,
                      uint64_t *constant, uint32_t *count)
{
    for (; index < end; index++) {
        const struct type *type = nfj_type(m, pointee);
        uint32_t next = 0;
        uint64_t offset = 0;
        if (type->op == SpvOpTypeStruct) {
            nfj_chain_step(m, type, (uint32_t)m->constants.at[~ref_of(m, *index)].bits, &next, &offset);
            *constant += offset;
        } else {
            next = type->element;
            add_index(m, *index, nfj_type(m, next)->size, constant, count);
        }
        pointee = next;
    }
}

/* Decodes an access chain. Its operands in the pool are: base, constant offset (low, high), count, then (index, stride,
 * bits) for each varying index. */
static void decode_chain(struct module *m, struct inst *in, uint32_t first, uint32_t end)
{
    const uint32_t *w = m->words + first;
    bool untyped = in->op >= UNTYPED_ACCESS_CHAIN && in->op <= UNTYPED_IN_BOUNDS_PTR_ACCESS_CHAIN;
    uint32_t pointee = untyped ? *w++ : 0;
    uint32_t base = *w++;
    const struct type *pointer = type_of(m, base);
    if (!pointer || pointer->op != SpvOpTypePointer)
        if (!untyped) nfj_cannot(m, "an access chain on %%%u, which is no pointer", base);
    if (!untyped) pointee = pointer->element;
    bool steps_first = in->op == SpvOpPtrAccessChain || in->op == SpvOpInBoundsPtrAccessChain ||
                       in->op == UNTYPED_PTR_ACCESS_CHAIN || in->op == UNTYPED_IN_BOUNDS_PTR_ACCESS_CHAIN;
    uint64_t constant = 0;
    uint32_t count = 0, at = m->pool.count;
    for (int i = 0; i < 4; i++)
        PUSH(m->pool, ref_of(m, base));
    if (steps_first) add_index(m, *w++, nfj_type(m, pointee)->size, &constant, &count);
    add_steps(m, pointee, w, m->words + end, &constant, &count);
    m->pool.at[at + 1] = (int32_t)(uint32_t)constant;
    m->pool.at[at + 2] = (int32_t)(uint32_t)(constant >> 32);
    m->pool.at[at + 3] = (int32_t)count;
    in->ops = at;
    in->nops = 4;
    in->a = m->pool.at[at];
}

static bool is_chain(uint16_t op)
{
    return op == SpvOpAccessChain || op == SpvOpInBoundsAccessChain || op == SpvOpPtrAccessChain ||
           op == SpvOpInBoundsPtrAccessChain || op == UNTYPED_ACCESS_CHAIN || op == UNTYPED_IN_BOUNDS_ACCESS_CHAIN ||
           op == UNTYPED_PTR_ACCESS_CHAIN || op == UNTYPED_IN_BOUNDS_PTR_ACCESS_CHAIN;
}

/* ---- Single instructions ----------------------------------------------------------------------------------------- */

static int32_t decode_operand(struct module *m, char kind, uint32_t word)
{
    if (kind == 'v') return ref_of(m, word);
    if (kind == 'f') return word < m->bound ? (int32_t)m->ids[word].function - 1 : -1;
    return (int32_t)word;
}

static void decode_operands(struct module *m, struct inst *in, const char *form, uint32_t first, uint32_t end)
{
    in->ops = m->pool.count;
    for (uint32_t i = first; i < end; i++) {
        PUSH(m->pool, decode_operand(m, *form, m->words[i]));
        in->nops++;
        if (form[0] && form[1]) form++;
    }
    const int32_t *ops = m->pool.at + in->ops;
    in->a = in->nops > 0 ? ops[0] : 0;
    in->b = in->nops > 1 ? ops[1] : 0;
    in->c = in->nops > 2 ? ops[2] : 0;
}

static void note_first_operand(struct module *m, struct inst *in, const char *form, uint32_t first, uint32_t end)
{
    const char *v = strchr(form, 'v');
    uint32_t at = v ? first + (uint32_t)(v - form) : end;
    const struct type *type = at < end ? type_of(m, m->words[at]) : NULL;
    if (!type) return;
    in->sbits = type->bits;
    in->space = type->space;
    in->is_float = type->is_float;
    if (!in->type && (in->op == SpvOpStore || in->op == SpvOpAtomicStore) && end - first > 1) {
        uint32_t object = m->words[first + (in->op == SpvOpStore ? 1 : 3)];
        in->type = object < m->bound ? m->ids[object].type : 0;
    }
}

/* Decodes the operation `op` whose operands after the result are the words [first, end); its result is that of the
 * instruction at `word`. */
struct inst nfj_decode_one(struct module *m, uint32_t word, uint16_t op, uint32_t first, uint32_t end)
{
    struct inst in = {.run = nfj_unknown, .op = op, .word = word};
    bool has_result, has_type;
    nfj_result_of((uint16_t)(m->words[word] & 0xffff), &has_result, &has_type);
    if (has_result && has_type) {
        in.type = m->words[word + 1];
        const struct type *type = nfj_type(m, in.type);
        in.n = type->cells;
        in.bits = type->bits;
        in.dst = ref_of(m, m->words[word + 2]);
    }
    const struct opinfo *info = nfj_opinfo(op);
    if (!info) return in;
    in.run = info->run;
    if (is_chain(op))
        decode_chain(m, &in, first, end);
    else
        decode_operands(m, &in, info->form, first, end);
    note_first_operand(m, &in, info->form, first, end);
    if (!in.type && (op == SpvOpStore || op == SpvOpAtomicStore)) nfj_cannot(m, "a store at word %u of no value", word);
    return in;
}

/* ---- Control flow ------------------------------------------------------------------------------------------------ */

static void add_move(struct module *m, struct edge *edge, const uint32_t *phi, uint32_t from)
{
    uint32_t length = phi[0] >> 16;
    for (uint32_t i = 3; i + 1 < length; i += 2)
        if (phi[i + 1] == from) {
            struct move move = {ref_of(m, phi[2]), ref_of(m, phi[i]), nfj_type(m, phi[1])->cells};
            edge->cells += move.n;
            edge->count++;
            PUSH(m->moves, move);
            return;
        }
    nfj_cannot(m, "phi %%%u has no value for block %%%u", phi[2], from);
}

/* Returns the edge from block `from` to block `to`, with the moves for its phis. */
static int32_t add_edge(struct module *m, struct function *f, uint32_t from, uint32_t to)
{
    struct edge edge = {.target = f->code + m->ids[to].ref, .moves = m->moves.count};
    uint32_t word = m->ids[to].word + 2;
    for (;; word += m->words[word] >> 16) {
        if (emits(m, word)) break; /* lines and debug scopes may stand before phis and between them */
        if ((m->words[word] & 0xffff) == SpvOpPhi) add_move(m, &edge, m->words + word, from);
    }
    PUSH(m->edges, edge);
    return (int32_t)m->edges.count - 1;
}

/* Decodes an OpSwitch. Its operands in the pool are: selector, default edge, number of cases, then (low, high, edge)
 * for each case. */
static void decode_switch(struct module *m, struct function *f, struct inst *in, uint32_t block)
{
    const uint32_t *w = m->words + in->word;
    uint32_t length = w[0] >> 16, wide = in->sbits > 32 ? 2 : 1;
    in->ops = m->pool.count;
    PUSH(m->pool, ref_of(m, w[1]));
    PUSH(m->pool, add_edge(m, f, block, w[2]));
    PUSH(m->pool, (int32_t)((length - 3) / (wide + 1)));
    for (uint32_t i = 3; i + wide < length; i += wide + 1) {
        PUSH(m->pool, (int32_t)w[i]);
        PUSH(m->pool, wide == 2 ? (int32_t)w[i + 1] : 0);
        int32_t edge = add_edge(m, f, block, w[i + wide]);
        PUSH(m->pool, edge);
    }
}

static void decode_branch(struct module *m, struct function *f, struct inst *in, uint32_t block)
{
    const uint32_t *w = m->words + in->word;
    switch (in->op) {
    case SpvOpBranch: in->a = add_edge(m, f, block, w[1]); break;
    case SpvOpBranchConditional:
        in->b = add_edge(m, f, block, w[2]);
        in->c = add_edge(m, f, block, w[3]);
        break;
    case SpvOpSwitch: decode_switch(m, f, in, block); break;
    default: break;
    }
}

/* ---- Functions --------------------------------------------------------------------------------------------------- */

static uint32_t next_word(const struct module *m, uint32_t word)
{
    return word + (m->words[word] >> 16);
}

static bool at_end(const struct module *m, uint32_t word)
{
    return word >= m->word_count || (m->words[word] & 0xffff) == SpvOpFunctionEnd;
}

/* Assigns every result its place in the frame, and every label its instruction. @return the number of instructions. */
static uint32_t place(struct module *m, struct function *f)
{
    uint32_t count = 0;
    for (uint32_t word = next_word(m, f->first); !at_end(m, word); word = next_word(m, word)) {
        const uint32_t *w = m->words + word;
        bool has_result, has_type;
        nfj_result_of((uint16_t)(w[0] & 0xffff), &has_result, &has_type);
        if ((w[0] & 0xffff) == SpvOpLabel)
            m->ids[w[1]].ref = (int32_t)count;
        else if (has_result && has_type && w[1] < m->bound && m->types[w[1]]) {
            m->ids[w[2]].ref = (int32_t)f->cells;
            m->ids[w[2]].defined = true;
            f->cells += m->types[w[1]]->cells;
        }
        count += (uint32_t)emits(m, word);
    }
    return count;
}

void nfj_decode(struct module *m, struct function *f)
{
    uint32_t count = place(m, f), block = 0;
    f->code = nfj_alloc((count + 1) * sizeof *f->code);
    struct inst *to = f->code;
    for (uint32_t word = next_word(m, f->first); !at_end(m, word); word = next_word(m, word)) {
        uint16_t op = (uint16_t)(m->words[word] & 0xffff);
        if (op == SpvOpLabel) block = m->words[word + 1];
        if (!emits(m, word)) continue;
        bool has_result, has_type;
        nfj_result_of((uint16_t)op, &has_result, &has_type);
        *to = nfj_decode_one(m, word, op, word + 1 + has_result + has_type, next_word(m, word));
        decode_branch(m, f, to, block);
        to++;
    }
    to->run = nfj_unknown;
}

/* Prints the opcodes of the functions' instructions that have no handler. @return their number. */
uint32_t nfj_check(const struct module *m)
{
    static bool seen[65536];
    uint32_t count = 0;
    for (uint32_t i = 0; i < m->functions.count; i++)
        for (uint32_t word = m->functions.at[i].first; !at_end(m, word); word = next_word(m, word)) {
            uint16_t op = (uint16_t)(m->words[word] & 0xffff);
            if (!emits(m, word) || nfj_opinfo(op) || seen[op]) continue;
            seen[op] = true;
            count++;
            printf("%s: cannot interpret %s (%u) at word %u\n", m->path, nfj_op_name(op), op, word);
        }
    return count;
}
