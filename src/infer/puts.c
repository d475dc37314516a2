/* SPDX-License-Identifier: Apache-2.0 */
/*
 * puts.c - what is stored into words that may be addresses, and is shorter than these.
 *
 *     union { char *p; uchar b[8]; } w;
 *     w.b[7] = kind;                                  a number takes the place of the tag
 *     for (int i = 6; i < 8; i++) w.b[i] = 0;         so does zero, and the address below is wanted
 *     for (int i = 0; i < 8; i++) w.b[i] = 0;         memory is cleared
 *
 * Here is seen what is put where; whether an address lies there only once the graph is complete (graph/cells.c).
 *
 * The hard case is a loop: which bytes it sets is known of one that begins at the first, and taken to come to the last; any
 * other sets the last ones for all that is known. So does none in an arena that is no word's bytes: what lies there is known
 * of no single byte, and whoever clears some of it would be said to take tags off.
 *
 * needs: values of the operands.  gives: notes for the graph.
 */
#include "infer/parts.h"

enum { FAR = 16, DEEP = 4, WORD = 8 };

/* How the address that is stored to comes from a word of memory. */
struct way {
    bool moves, sweeps; /* by an index that is not known; which begins at 0 */
    bool inside;        /* by one that is known and not 0 */
    bool beyond;        /* ... and leads to another word */
    bool in_word;       /* all that behind where a word is */
    uint32_t from;      /* it is found so far: the parameter of the function that it comes from, or something else */
};

/* Does a number of the function's count from 0 on? So does a phi, or a variable, that is given no other constant. */
static bool begins_at_zero(const struct nf_constrainer *c, uint32_t id)
{
    const struct nf_module *m = c->m;
    uint32_t at = m->def[id];
    int64_t number;
    bool zero = false;
    for (int i = 0; i < FAR && at >= m->body_at; i++, at = m->def[id]) {
        if (nf_opcode(m, at) != OpUConvert && nf_opcode(m, at) != OpSConvert) break;
        id = m->words[at + 3];
    }
    if (at >= m->body_at && nf_opcode(m, at) == OpPhi) {
        for (uint32_t word = 3; word < nf_length(m, at); word += 2) {
            if (!nf_is_number(m, m->words[at + word], &number)) continue;
            if (number) return false;
            zero = true;
        }
        return zero;
    }
    if (at < m->body_at || nf_opcode(m, at) != OpLoad || !nf_is_own_variable(m, m->words[at + 3])) return false;
    return (c->counts[m->words[at + 3]] & (NF_FROM_ZERO | NF_FROM_OTHER)) == NF_FROM_ZERO;
}

/* Is it a number or an address of 64 bits, or a union with one? Not two halves that are a structure's, or an array. */
static bool is_word_type(const struct nf_module *m, const struct nf_type *type)
{
    if (type->size != WORD) return false;
    if (type->kind != NF_KIND_STRUCT) return type->kind != NF_KIND_ARRAY && type->kind != NF_KIND_VECTOR;
    return type->count == 1 && is_word_type(m, nf_type(m, m->words[type->at + 2]));
}

/* Does the pointer lead to a word, or, if which of several it is does not matter, to an array of words? */
static bool is_word(const struct nf_module *m, uint32_t pointer, bool any)
{
    const struct nf_type *type = nf_type_of(m, pointer);
    if (type->kind != NF_KIND_POINTER || !type->element) return false;
    type = nf_type(m, type->element);
    while (any && type->kind == NF_KIND_ARRAY)
        type = nf_type(m, type->element);
    return is_word_type(m, type);
}

/* Is the index one that leads from word to word, to the same of its bytes, as 8 * n + 7 of bytes? */
static bool is_step_of_words(const struct nf_module *m, uint32_t index, const struct nf_type *type, int64_t *member)
{
    uint32_t further, multiple = nf_multiple_before(m, index, &further);
    *member = further;
    return type->size < WORD && multiple * type->size % WORD == 0;
}

/* The indices of a chain that are not known, behind the one that chooses a word. */
static void follow_chain(const struct nf_constrainer *c, uint32_t at, struct way *way)
{
    const struct nf_module *m = c->m;
    uint32_t opcode = nf_opcode(m, at);
    bool first = opcode == OpPtrAccessChain || opcode == OpInBoundsPtrAccessChain;
    const struct nf_type *type = nf_type(m, nf_type_of(m, nf_operand(m, at, 0))->element);
    struct way own = {.sweeps = true, .in_word = is_word_type(m, type) && !first};
    for (uint32_t i = 1; i < nf_operand_count(m, at); i++) {
        uint32_t index = nf_operand(m, at, i);
        int64_t member = 0;
        bool known = nf_is_number(m, index, &member) || (first && i == 1 && is_step_of_words(m, index, type, &member));
        if (!known) own.moves = true, own.sweeps &= begins_at_zero(c, index);
        own.inside |= known && member;
        way->beyond |= first && i == 1 && known && (member < 0 || (uint64_t)member * type->size >= WORD);
        if (i > 1 || !first) {
            if (type->kind == NF_KIND_STRUCT && known && member >= 0 && member < type->count)
                type = nf_type(m, m->words[type->at + 2 + (uint32_t)member]);
            else if (type->element && type->kind != NF_KIND_POINTER)
                type = nf_type(m, type->element);
        }
        if (is_word_type(m, type)) own = (struct way){.sweeps = true, .in_word = true};
    }
    way->sweeps &= own.sweeps;
    way->moves |= own.moves;
    way->inside |= own.inside;
    way->in_word |= own.in_word;
}

/* Where a pointer comes from that is one step on each time around a loop; in a variable, in unoptimized code. */
static uint32_t before_loop(const struct nf_constrainer *c, uint32_t at)
{
    const struct nf_module *m = c->m;
    if (nf_opcode(m, at) == OpLoad) return nf_is_own_variable(m, m->words[at + 3]) ? c->first[m->words[at + 3]] : 0;
    for (uint32_t word = 3; word < nf_length(m, at); word += 2)
        if (m->def[m->words[at + word]] < at) return m->words[at + word];
    return 0;
}

/* Is it a pointer that unoptimized code keeps in a variable, and does not change? */
static bool is_kept(const struct nf_constrainer *c, uint32_t at)
{
    const struct nf_module *m = c->m;
    return nf_opcode(m, at) == OpLoad && !(c->counts[m->words[at + 3]] & NF_STORED_AGAIN);
}

static struct way way_to(const struct nf_constrainer *c, uint32_t id)
{
    const struct nf_module *m = c->m;
    struct way way = {.sweeps = true};
    for (int steps = 0; steps < FAR && id && !way.in_word; steps++) {
        uint32_t at = m->def[way.from = id];
        if (at < m->body_at || nf_type_of(m, id)->kind != NF_KIND_POINTER) break;
        way.in_word = is_word(m, id, !way.moves);
        if (way.in_word) break;
        switch (nf_role_at(m, at)) {
        case NF_ROLE_chain:
            follow_chain(c, at, &way);
            id = nf_operand(m, at, 0);
            /* A member of a structure that is longer than a word lies where it lies. */
            if (way.beyond || nf_type(m, nf_type_of(m, id)->element)->size > WORD) return way;
            break;
        case NF_ROLE_cast:
        case NF_ROLE_bitcast:
        case NF_ROLE_copy: id = nf_operand(m, at, 0); break;
        case NF_ROLE_load:
        case NF_ROLE_phi:
            id = before_loop(c, at);
            if (!is_kept(c, at)) way.moves = true, way.sweeps = false;
            break;
        default: return way;
        }
    }
    return way;
}

bool nf_is_in_word(const struct nf_constrainer *c, uint32_t pointer)
{
    return way_to(c, pointer).in_word;
}

/* Is a number of `size` bytes that lies in memory something that it is made of? */
static bool is_made_of(const struct nf_constrainer *c, uint32_t id, uint32_t size, int depth)
{
    const struct nf_module *m = c->m;
    uint32_t at = m->def[id = nf_kept(c, id)];
    if (at < m->body_at) return false;
    if (depth > DEEP) return true;
    enum nf_role role = nf_role_at(m, at);
    if (role == NF_ROLE_load) return nf_type_of(m, id)->size == size && !nf_is_own_variable(m, m->words[at + 3]);
    if (role == NF_ROLE_call) return false;
    struct nf_ids ids = nf_ids_at(m, at);
    while (nf_ids_next(&ids))
        if (is_made_of(c, m->words[at + ids.at], size, depth + 1)) return true;
    return false;
}

/* Is it a number as it was passed or lay in memory, not one that was computed of what it is put over? */
static bool is_plain(const struct nf_constrainer *c, uint32_t id)
{
    const struct nf_module *m = c->m;
    uint32_t at = m->def[id];
    for (int i = 0; i < FAR && at >= m->body_at; i++, at = m->def[id]) {
        enum nf_role role = nf_role_at(m, at);
        if (role == NF_ROLE_load || nf_opcode(m, at) == OpFunctionParameter) return true;
        if (role != NF_ROLE_convert) break;
        id = m->words[at + 3];
    }
    return !is_made_of(c, id, (uint32_t)nf_type_of(m, id)->size, 0);
}

/* Is it a number that a caller passes, in a variable of its own perhaps? */
static bool is_given(const struct nf_constrainer *c, uint32_t id)
{
    const struct nf_module *m = c->m;
    uint32_t at = m->def[id = nf_kept(c, id)];
    if (at >= m->body_at && (nf_opcode(m, at) == OpUConvert || nf_opcode(m, at) == OpSConvert))
        at = m->def[nf_kept(c, m->words[at + 3])];
    return at >= m->body_at && nf_opcode(m, at) == OpFunctionParameter;
}

void nf_note_short(struct nf_constrainer *c, uint32_t at, struct nf_value address)
{
    struct nf_module *m = c->m;
    uint32_t id = m->words[at + 2];
    const struct nf_type *type = nf_type_of(m, id);
    int64_t number = 1;
    if (type->aggregate || !type->size || type->size >= WORD || !address.node || nf_is_host(m, address)) return;
    bool constant = nf_is_number(m, id, &number) || nf_opcode(m, m->def[id]) == OpConstantNull;
    if (nf_opcode(m, m->def[id]) == OpConstantNull) number = 0;
    bool none = constant || !nf_value_of(c, id).node;
    struct way way = way_to(c, m->words[at + 1]);
    nf_note_put(m, (struct nf_put){.address = address,
                                   .size = (uint8_t)type->size,
                                   .zero = constant && !number,
                                   .number = none && (!constant || number),
                                   .whole = none || is_plain(c, id),
                                   .moves = way.moves,
                                   .sweeps = way.moves && way.sweeps,
                                   .in_word = way.in_word});
    if (!constant && type->kind == NF_KIND_INT && type->size <= 2 && is_given(c, id))
        nf_note_top(m, address, (uint32_t)type->size, NF_MARK_GIVEN);
}

/* ---- Functions that fill memory ---- */

enum { FILLS_ALL = 16, FILLS_SOME = 32 }; /* from where a parameter points on; or from behind that */

/* Where its pointers come from is noted by id, so that it is known of which function they are. */
static bool note_filled(struct nf_constrainer *c, struct way way, uint32_t how)
{
    const struct nf_module *m = c->m;
    uint8_t *known = &c->counts[way.from];
    if (!way.from || way.in_word || nf_opcode(m, m->def[way.from]) != OpFunctionParameter) return false;
    if (way.inside || (way.moves && !way.sweeps)) how = FILLS_SOME;
    bool more = !(*known & how);
    *known |= (uint8_t)how;
    return more;
}

bool nf_note_filling(struct nf_constrainer *c, uint32_t at)
{
    const struct nf_module *m = c->m;
    uint32_t id = m->words[at + 2];
    const struct nf_type *type = nf_type_of(m, id);
    int64_t number;
    bool zero = nf_is_number(m, id, &number) ? !number : is_given(c, id);
    if (!zero || type->kind != NF_KIND_INT || type->size >= WORD) return false;
    struct way way = way_to(c, m->words[at + 1]);
    return way.moves && note_filled(c, way, FILLS_ALL);
}

bool nf_note_filling_call(struct nf_constrainer *c, uint32_t parameter, uint32_t argument)
{
    return c->counts[parameter] && note_filled(c, way_to(c, argument), c->counts[parameter]);
}

void nf_note_filled(struct nf_constrainer *c, uint32_t parameter, uint32_t argument)
{
    struct nf_value address = nf_value_of(c, argument);
    if (!c->counts[parameter] || !address.node || nf_is_host(c->m, address)) return;
    struct way way = way_to(c, argument);
    bool all = c->counts[parameter] == FILLS_ALL && !way.moves && !way.inside;
    nf_note_put(c->m,
                (struct nf_put){
                    .address = address, .size = 1, .zero = true, .moves = true, .sweeps = all, .in_word = way.in_word});
}
