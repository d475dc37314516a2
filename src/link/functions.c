/* SPDX-License-Identifier: Apache-2.0 */
/*
 * functions.c - writes the functions of all units, and wrappers for imports whose type differs from their export's.
 *
 *     module 1: %f = OpFunction, import, of %ptr_char    %f = OpFunction of %ptr_char
 *     module 2: %g = OpFunction, export, of %ptr_int     %p = OpBitcast %ptr_int %parameter
 *                                                        %r = OpFunctionCall %int %g %p
 *                                                        OpReturnValue %r
 *
 * The hard case is shown above: a compiler without pointee types guesses one type where a function is imported, and
 * another where it is defined. The wrapper casts between pointers of the same storage class.
 *
 * needs: the globals of all units.  gives: declarations and functions.
 */
#include "link/internal.h"

/* ---- Types of the output ---- */

/* Returns the words of the OpTypeFunction `id`, or NULL. */
static const uint32_t *function_type(const struct nf_linker *linker, uint32_t id)
{
    const struct nf_words *globals = &linker->sections[NF_SECTION_GLOBALS];
    for (uint32_t at = 0; at < globals->count; at += nf_length_of(globals->at[at]))
        if (nf_opcode_of(globals->at[at]) == OpTypeFunction && globals->at[at + 1] == id) return globals->at + at;
    return NULL;
}

/* Returns true if both types are pointers of the same storage class. */
static bool is_pointer_pair(const struct nf_linker *linker, uint32_t a, uint32_t b)
{
    const struct nf_words *globals = &linker->sections[NF_SECTION_GLOBALS];
    uint32_t storage[2] = {UINT32_MAX, UINT32_MAX};
    for (uint32_t at = 0; at < globals->count; at += nf_length_of(globals->at[at])) {
        const uint32_t *words = globals->at + at;
        if (nf_opcode_of(words[0]) != OpTypePointer) continue;
        if (words[1] == a) storage[0] = words[2];
        if (words[1] == b) storage[1] = words[2];
    }
    return storage[0] == storage[1] && storage[0] != UINT32_MAX;
}

/* Returns true if two function types differ in the pointees of parameters and result only. */
static bool can_cast(const struct nf_linker *linker, const uint32_t *from, const uint32_t *to)
{
    bool good = from && to && from[0] == to[0];
    for (uint32_t i = 2; good && i < nf_length_of(from[0]); i++)
        good = from[i] == to[i] || is_pointer_pair(linker, from[i], to[i]);
    return good;
}

static bool is_void(const struct nf_linker *linker, uint32_t id)
{
    const struct nf_words *globals = &linker->sections[NF_SECTION_GLOBALS];
    for (uint32_t at = 0; at < globals->count; at += nf_length_of(globals->at[at]))
        if (globals->at[at] == nf_first_word(OpTypeVoid, 2) && globals->at[at + 1] == id) return true;
    return false;
}

/* ---- Wrappers ---- */

static void put(struct nf_linker *linker, uint32_t opcode, const uint32_t *operands, uint32_t count)
{
    nf_build(&linker->sections[NF_SECTION_FUNCTIONS], opcode, operands, count);
}

/* Returns the id of `value` as a value of `type`: its own id, or the id of a cast. */
static uint32_t cast(struct nf_linker *linker, uint32_t value, uint32_t from, uint32_t type)
{
    if (from == type) return value;
    const uint32_t operands[] = {type, linker->bound++, value};
    put(linker, OpBitcast, operands, 3);
    return operands[1];
}

/* Writes the body of `import`, which calls `target`; `from` and `to` are the words of their function types. */
static void put_wrapper(struct nf_linker *linker, uint32_t import, const uint32_t *from, uint32_t target,
                        const uint32_t *to)
{
    uint32_t parameters = nf_length_of(from[0]) - 3, first = linker->bound;
    uint32_t *call = NF_NEW(linker->arena, uint32_t, parameters + 3);
    linker->bound += parameters;
    put(linker, OpFunction, (const uint32_t[]){from[2], import, 0, from[1]}, 4);
    for (uint32_t i = 0; i < parameters; i++)
        put(linker, OpFunctionParameter, (const uint32_t[]){from[3 + i], first + i}, 2);
    put(linker, OpLabel, (const uint32_t[]){linker->bound++}, 1);
    for (uint32_t i = 0; i < parameters; i++)
        call[3 + i] = cast(linker, first + i, from[3 + i], to[3 + i]);
    call[0] = to[2];
    call[1] = linker->bound++;
    call[2] = target;
    put(linker, OpFunctionCall, call, parameters + 3);
    if (is_void(linker, to[2]))
        put(linker, OpReturn, NULL, 0);
    else
        put(linker, OpReturnValue, (const uint32_t[]){cast(linker, call[1], to[2], from[2])}, 1);
    put(linker, OpFunctionEnd, NULL, 0);
}

static void reconcile_one(struct nf_linker *linker, struct nf_unit *unit, const struct nf_symbol *symbol)
{
    const struct nf_unit *owner = NULL;
    const struct nf_symbol *found = nf_find_symbol(linker, symbol->name, &owner);
    if (found == symbol || !found->at || !symbol->at) return;
    bool function = nf_opcode(&unit->m, symbol->at) == OpFunction;
    uint32_t word = function ? 4 : 1;
    uint32_t from = unit->map[nf_word(&unit->m, symbol->at, word)],
             to = owner->map[nf_word(&owner->m, found->at, word)];
    if (from == to) return;
    const uint32_t *from_type = function ? function_type(linker, from) : NULL;
    const uint32_t *to_type = function ? function_type(linker, to) : NULL;
    if (!can_cast(linker, from_type, to_type))
        nf_fail(linker->arena, NF_REFUSED, 0, "'%s' has different types in the linked programs", symbol->name);
    uint32_t target = unit->map[symbol->id];
    unit->map[symbol->id] = unit->base + symbol->id;
    put_wrapper(linker, unit->map[symbol->id], from_type, target, to_type);
}

void nf_reconcile(struct nf_linker *linker)
{
    for (uint32_t i = 0; i < linker->unit_count; i++)
        for (uint32_t j = 0; j < linker->units[i].symbol_count; j++)
            if (linker->units[i].symbols[j].kind == NF_LINKAGE_IMPORT)
                reconcile_one(linker, &linker->units[i], &linker->units[i].symbols[j]);
}

/* ---- The functions of a unit ---- */

/* Walks all words after the globals, because debug information may stand between functions. */
void nf_append_functions(struct nf_linker *linker, const struct nf_unit *unit)
{
    const struct nf_module *m = &unit->m;
    enum nf_section section = NF_SECTION_FUNCTIONS;
    bool dropped = false;
    for (uint32_t at = m->body_at; at < m->count; at = nf_next(m, at)) {
        if (nf_opcode(m, at) == OpFunction) {
            uint32_t id = nf_result_id(m, at);
            dropped = unit->dropped[id];
            section = m->functions[m->index_of[id]].body ? NF_SECTION_FUNCTIONS : NF_SECTION_DECLARATIONS;
        }
        if (!dropped) nf_append_mapped(linker, unit, at, section);
        if (nf_opcode(m, at) == OpFunctionEnd) dropped = false;
    }
}
