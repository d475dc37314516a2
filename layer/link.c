/* SPDX-License-Identifier: Apache-2.0 */
/*
 * link.c - several SPIR-V modules to one. Takes the modules of a clLinkProgram; gives one module in which imports are
 * their exports, so that inference sees callers and callees together.
 *
 * Ids of a unit are shifted behind those of the units before it. Types, constants and instruction sets that say the
 * same with the same decorations become one; so do arrays whose lengths are one number of different types, as compilers
 * choose different ones. An import becomes the id of its export; where the two were declared with
 * other pointee types, as happens to pointers that a compiler guessed, it becomes a small function that casts and
 * calls.
 *
 * Each section of the output is a list of words; the sections are put together in the order that SPIR-V asks for.
 */
#include "linker.h"

#include "spirv/spirv.h"

#include <stdlib.h>
#include <string.h>

enum section {
    CAPABILITIES,
    EXTENSIONS,
    IMPORTS,
    MEMORY_MODEL,
    ENTRY_POINTS,
    MODES,
    SOURCES,
    NAMES,
    PROCESSED,
    ANNOTATIONS,
    GLOBALS,
    DECLARATIONS,
    FUNCTIONS,
    SECTIONS
};

enum { ARRAY_LENGTH = 3 }; /* word of OpTypeArray */

struct words {
    uint32_t *data;
    size_t count, capacity;
};

/* A type, constant or import that the output has, to be found again. */
struct known {
    uint64_t hash;
    uint32_t id;
    bool used;
    size_t at;    /* in its section */
    size_t unit;  /* whose decorations count */
    size_t there; /* its position in that unit */
};

struct linker {
    struct nf_cl_unit *units;
    size_t unit_count;
    struct words sections[SECTIONS];
    struct known *known;
    size_t known_size; /* a power of two */
    uint32_t bound, version;
    bool library, out_of_memory;
    char *message;
};

/* ---- output ---- */

static uint32_t *extend(struct linker *linker, enum section section, size_t count)
{
    struct words *words = &linker->sections[section];
    if (words->count + count > words->capacity) {
        size_t capacity = (words->count + count) * 2 + 64;
        uint32_t *data = realloc(words->data, capacity * sizeof *data);
        if (!data) {
            linker->out_of_memory = true;
            return NULL;
        }
        words->data = data;
        words->capacity = capacity;
    }
    words->count += count;
    return words->data + words->count - count;
}

static void emit(struct linker *linker, enum section section, const uint32_t *words, size_t count)
{
    uint32_t *target = extend(linker, section, count);
    if (target) memcpy(target, words, count * sizeof *words);
}

static void fail(struct linker *linker, char *message)
{
    if (linker->message)
        free(message);
    else
        linker->message = message;
    linker->out_of_memory = linker->out_of_memory || !linker->message;
}

static bool going(const struct linker *linker)
{
    return !linker->message && !linker->out_of_memory;
}

/* ---- ids ---- */

static unsigned selector_words(const struct nf_cl_unit *unit, size_t at)
{
    return nf_cl_op(unit, at) == NF_CL_OP_SWITCH && unit->wide[unit->type[unit->words[at + 1]]] ? 2 : 1;
}

/* Give the ids of a copy of the instruction at `at` their places in the output. */
static void map_ids(const struct nf_cl_unit *unit, size_t at, uint32_t *copy)
{
    const struct nf_op *op = nf_op_find(nf_cl_op(unit, at));
    enum nf_ext_set set = NF_EXT_OTHER;
    if (op->opcode == NF_CL_OP_EXT_INST) set = (enum nf_ext_set)unit->ext_set[unit->words[at + 3]];
    for (uint32_t i = 1; i < 1u + (op->result & 1) + (op->result >> 1); i++)
        copy[i] = unit->map[unit->words[at + i]];
    struct nf_operands walk =
        nf_operands_begin(unit->words + at, nf_cl_length(unit, at), set, selector_words(unit, at));
    while (nf_operands_next(&walk))
        if (walk.kind == NF_OPERAND_ID) copy[walk.at] = unit->map[unit->words[at + walk.at]];
}

static void emit_mapped(struct linker *linker, const struct nf_cl_unit *unit, size_t at, enum section section)
{
    uint32_t length = nf_cl_length(unit, at);
    uint32_t *copy = extend(linker, section, length);
    if (!copy) return;
    memcpy(copy, unit->words + at, length * sizeof *copy);
    map_ids(unit, at, copy);
}

static void place_units(struct linker *linker)
{
    uint32_t base = 0;
    for (size_t i = 0; i < linker->unit_count; i++) {
        struct nf_cl_unit *unit = &linker->units[i];
        unit->base = base;
        if (unit->bound > UINT32_MAX / 4 - base) {
            fail(linker, nf_cl_format("too many ids to link"));
            return;
        }
        for (uint32_t id = 1; id < unit->bound; id++)
            unit->map[id] = base + id;
        base += unit->bound;
        uint32_t version = unit->words[1];
        linker->version = version > linker->version ? version : linker->version;
    }
    linker->bound = base + 1;
}

/* ---- symbols ---- */

static bool has_body(const struct nf_cl_unit *unit, size_t at)
{
    for (at += nf_cl_length(unit, at); at < unit->count; at += nf_cl_length(unit, at)) {
        if (nf_cl_op(unit, at) == NF_CL_OP_FUNCTION_END) return false;
        if (nf_cl_op(unit, at) == NF_CL_OP_LABEL) return true;
    }
    return false;
}

/* @return the first symbol of that name that is an import, or that is none. */
static const struct nf_cl_symbol *find_kind(const struct linker *linker, const char *name, bool import,
                                            const struct nf_cl_unit **owner)
{
    for (size_t i = 0; i < linker->unit_count; i++) {
        const struct nf_cl_unit *unit = &linker->units[i];
        for (size_t j = 0; j < unit->symbol_count; j++) {
            bool is_import = unit->symbols[j].kind == NF_CL_LINKAGE_IMPORT;
            if (is_import != import || strcmp(unit->symbols[j].name, name) != 0) continue;
            *owner = unit;
            return &unit->symbols[j];
        }
    }
    return NULL;
}

/* @return what stands for `name` in the output: its export, else the first import of it. */
static const struct nf_cl_symbol *find_symbol(const struct linker *linker, const char *name,
                                              const struct nf_cl_unit **owner)
{
    const struct nf_cl_symbol *found = find_kind(linker, name, false, owner);
    return found ? found : find_kind(linker, name, true, owner);
}

/* Nothing of this function is in the output: neither it nor what its body defines. */
static void drop_function(struct nf_cl_unit *unit, size_t at)
{
    for (; at < unit->count; at += nf_cl_length(unit, at)) {
        const struct nf_op *op = nf_op_find(nf_cl_op(unit, at));
        if (op->result & 2) unit->dropped[unit->words[at + 1 + (op->result & 1)]] = true;
        if (op->opcode == NF_CL_OP_FUNCTION_END) return;
    }
}

static void drop_symbol(struct nf_cl_unit *unit, const struct nf_cl_symbol *symbol)
{
    if (symbol->at && nf_cl_op(unit, symbol->at) == NF_CL_OP_FUNCTION) drop_function(unit, symbol->at);
    unit->dropped[symbol->id] = true;
}

/* Names that a driver itself has a function for. */
static bool is_drivers_own(const char *name)
{
    static const char *const prefixes[] = {"llvm.", "__spirv_", "__devicelib_", "__itt_", "__assert"};
    for (size_t i = 0; i < sizeof prefixes / sizeof prefixes[0]; i++)
        if (strncmp(name, prefixes[i], strlen(prefixes[i])) == 0) return true;
    return false;
}

static void resolve_import(struct linker *linker, struct nf_cl_unit *unit, const struct nf_cl_symbol *symbol)
{
    const struct nf_cl_unit *owner = NULL;
    const struct nf_cl_symbol *found = find_symbol(linker, symbol->name, &owner);
    if (found->kind == NF_CL_LINKAGE_IMPORT && !linker->library && !is_drivers_own(symbol->name))
        fail(linker, nf_cl_format("'%s' is not defined in any of the linked programs", symbol->name));
    if (found == symbol || !found->at || !symbol->at) return;
    if (nf_cl_op(unit, symbol->at) != nf_cl_op(owner, found->at)) {
        fail(linker, nf_cl_format("'%s' is a function here and a variable there", symbol->name));
        return;
    }
    drop_symbol(unit, symbol);
    unit->map[symbol->id] = owner->map[found->id];
}

static void resolve_export(struct linker *linker, struct nf_cl_unit *unit, const struct nf_cl_symbol *symbol)
{
    const struct nf_cl_unit *owner = NULL;
    const struct nf_cl_symbol *first = find_kind(linker, symbol->name, false, &owner);
    if (first == symbol) return;
    if (symbol->kind != NF_CL_LINKAGE_ONCE || first->kind != NF_CL_LINKAGE_ONCE) {
        fail(linker, nf_cl_format("'%s' is defined in more than one of the linked programs", symbol->name));
        return;
    }
    drop_symbol(unit, symbol);
    unit->map[symbol->id] = owner->map[first->id];
}

static void resolve(struct linker *linker)
{
    for (size_t i = 0; i < linker->unit_count; i++) {
        struct nf_cl_unit *unit = &linker->units[i];
        for (size_t j = 0; j < unit->symbol_count && going(linker); j++) {
            if (unit->symbols[j].kind == NF_CL_LINKAGE_IMPORT)
                resolve_import(linker, unit, &unit->symbols[j]);
            else
                resolve_export(linker, unit, &unit->symbols[j]);
        }
    }
}

/* ---- globals: what says the same becomes one ---- */

static uint64_t hash_words(const uint32_t *words, size_t count)
{
    uint64_t hash = 1469598103934665603ull;
    for (size_t i = 0; i < count; i++)
        hash = (hash ^ words[i]) * 1099511628211ull;
    return hash;
}

/* Which instructions mean the same wherever they stand? */
static bool can_merge(uint32_t op)
{
    return op == NF_CL_OP_EXT_INST_IMPORT || (op >= NF_CL_OP_TYPE_VOID && op < NF_CL_OP_TYPE_FORWARD_POINTER) ||
           (op >= NF_CL_OP_CONSTANT_TRUE && op <= NF_CL_OP_CONSTANT_NULL);
}

static bool decorates(const struct nf_cl_unit *unit, size_t at, uint32_t id)
{
    uint32_t op = nf_cl_op(unit, at);
    bool decoration = op == NF_CL_OP_DECORATE || op == NF_CL_OP_MEMBER_DECORATE || op == NF_CL_OP_DECORATE_ID ||
                      op == NF_CL_OP_DECORATE_STRING || op == NF_CL_OP_MEMBER_DECORATE_STRING;
    return decoration && unit->words[at + 1] == id;
}

/* @return the position of the first decoration of `id` at or behind `at`, or 0. */
static size_t next_decoration(const struct nf_cl_unit *unit, size_t at, uint32_t id)
{
    for (; at < unit->functions; at += nf_cl_length(unit, at))
        if (decorates(unit, at, id)) return at;
    return 0;
}

/* Are two ids decorated alike, in the same order? Compilers write the decorations of one type in one order. */
static bool same_decorations(const struct nf_cl_unit *a, uint32_t a_id, const struct nf_cl_unit *b, uint32_t b_id)
{
    size_t at = next_decoration(a, NF_CL_HEADER_WORDS, a_id), other = next_decoration(b, NF_CL_HEADER_WORDS, b_id);
    while (at && other) {
        uint32_t length = nf_cl_length(a, at);
        if (a->words[at] != b->words[other] ||
            memcmp(a->words + at + 2, b->words + other + 2, (length - 2) * sizeof(uint32_t)) != 0)
            return false;
        at = next_decoration(a, at + length, a_id);
        other = next_decoration(b, other + length, b_id);
    }
    return !at && !other;
}

/* The length of the array type at `at`. @return false when it is no array, or its length is no plain number. */
static bool array_length(const struct nf_cl_unit *unit, size_t at, uint64_t *length)
{
    if (nf_cl_op(unit, at) != NF_CL_OP_TYPE_ARRAY) return false;
    size_t constant = unit->constant[unit->words[at + ARRAY_LENGTH]];
    if (!constant || nf_cl_op(unit, constant) != NF_CL_OP_CONSTANT) return false;
    const uint32_t *words = unit->words + constant;
    *length = words[3] | (nf_cl_length(unit, constant) > 4 ? (uint64_t)words[4] << 32 : 0);
    return true;
}

/* Which word of the instruction at `at` is its result? */
static uint32_t result_word(const struct nf_cl_unit *unit, size_t at)
{
    return 1u + (nf_op_find(nf_cl_op(unit, at))->result & 1);
}

/* A hash of what the instruction at `at` says, of which `copy` is the one with the output's ids. */
static uint64_t hash_instruction(const struct nf_cl_unit *unit, size_t at, uint32_t *copy)
{
    uint32_t result = result_word(unit, at), id = copy[result], length_id = 0;
    uint64_t length;
    bool array = array_length(unit, at, &length);
    copy[result] = 0;
    if (array) {
        length_id = copy[ARRAY_LENGTH];
        copy[ARRAY_LENGTH] = (uint32_t)length;
    }
    uint64_t hash = hash_words(copy, copy[0] >> 16);
    copy[result] = id;
    if (array) copy[ARRAY_LENGTH] = length_id;
    return hash;
}

/* Does the instruction at `at`, of which `copy` is the one with the output's ids, say what `known` says? */
static bool says_the_same(const struct linker *linker, const struct known *known, enum section section,
                          const struct nf_cl_unit *unit, size_t at, const uint32_t *copy)
{
    const struct nf_cl_unit *owner = &linker->units[known->unit];
    if (nf_cl_op(owner, known->there) != nf_cl_op(unit, at)) return false;
    const uint32_t *other = linker->sections[section].data + known->at;
    uint32_t result = result_word(unit, at), skipped = result;
    uint64_t length, other_length;
    if (array_length(unit, at, &length) && array_length(owner, known->there, &other_length) && length == other_length)
        skipped = ARRAY_LENGTH;
    for (uint32_t i = 0; i < copy[0] >> 16; i++)
        if (i != result && i != skipped && copy[i] != other[i]) return false;
    return true;
}

/* Emit the instruction, or map its result to one that says the same. */
static void merge(struct linker *linker, size_t unit_index, size_t at, enum section section)
{
    struct nf_cl_unit *unit = &linker->units[unit_index];
    uint32_t result = result_word(unit, at), old = unit->words[at + result];
    size_t start = linker->sections[section].count;
    emit_mapped(linker, unit, at, section);
    if (!going(linker)) return;
    uint32_t *copy = linker->sections[section].data + start;
    uint64_t hash = hash_instruction(unit, at, copy);
    for (size_t i = hash & (linker->known_size - 1);; i = (i + 1) & (linker->known_size - 1)) {
        struct known *known = &linker->known[i];
        if (!known->used) {
            *known = (struct known){hash, copy[result], true, start, unit_index, at};
            return;
        }
        if (known->hash != hash || known->unit == unit_index || !says_the_same(linker, known, section, unit, at, copy))
            continue;
        const struct nf_cl_unit *owner = &linker->units[known->unit];
        if (!same_decorations(owner, owner->words[known->there + result], unit, old)) continue;
        linker->sections[section].count = start;
        unit->map[old] = known->id;
        unit->dropped[old] = true;
        return;
    }
}

static bool make_table(struct linker *linker)
{
    size_t globals = 0;
    for (size_t i = 0; i < linker->unit_count; i++) {
        const struct nf_cl_unit *unit = &linker->units[i];
        for (size_t at = NF_CL_HEADER_WORDS; at < unit->functions; at += nf_cl_length(unit, at))
            globals += can_merge(nf_cl_op(unit, at));
    }
    linker->known_size = 2;
    while (linker->known_size < globals * 2)
        linker->known_size *= 2;
    linker->known = calloc(linker->known_size, sizeof *linker->known);
    linker->out_of_memory = linker->out_of_memory || !linker->known;
    return linker->known != NULL;
}

/* ---- the sections before the functions ---- */

static enum section section_of(uint32_t op)
{
    switch (op) {
    case NF_CL_OP_CAPABILITY: return CAPABILITIES;
    case NF_CL_OP_EXTENSION: return EXTENSIONS;
    case NF_CL_OP_EXT_INST_IMPORT: return IMPORTS;
    case NF_CL_OP_MEMORY_MODEL: return MEMORY_MODEL;
    case NF_CL_OP_ENTRY_POINT: return ENTRY_POINTS;
    case NF_CL_OP_EXECUTION_MODE:
    case NF_CL_OP_EXECUTION_MODE_ID: return MODES;
    case NF_CL_OP_SOURCE_CONTINUED:
    case NF_CL_OP_SOURCE:
    case NF_CL_OP_SOURCE_EXTENSION:
    case NF_CL_OP_STRING: return SOURCES;
    case NF_CL_OP_NAME:
    case NF_CL_OP_MEMBER_NAME: return NAMES;
    case NF_CL_OP_MODULE_PROCESSED: return PROCESSED;
    case NF_CL_OP_DECORATE_ID:
    case NF_CL_OP_DECORATE_STRING:
    case NF_CL_OP_MEMBER_DECORATE_STRING: return ANNOTATIONS;
    default: return op >= NF_CL_OP_DECORATE && op <= NF_CL_OP_GROUP_MEMBER_DECORATE ? ANNOTATIONS : GLOBALS;
    }
}

/* Is the very instruction in the section already? For the short lists at the head of a module. */
static bool listed(const struct linker *linker, enum section section, const uint32_t *words)
{
    const struct words *list = &linker->sections[section];
    for (size_t at = 0; at < list->count; at += list->data[at] >> 16)
        if (list->data[at] == words[0] && memcmp(list->data + at, words, (words[0] >> 16) * sizeof *words) == 0)
            return true;
    return false;
}

static void emit_memory_model(struct linker *linker, const uint32_t *words)
{
    const struct words *model = &linker->sections[MEMORY_MODEL];
    if (model->count == 0)
        emit(linker, MEMORY_MODEL, words, words[0] >> 16);
    else if (memcmp(model->data, words, 3 * sizeof *words) != 0)
        fail(linker, nf_cl_format("the linked programs have different memory models"));
}

/* Instructions that say something of an id that the output does not take from this unit. */
static bool speaks_of_dropped(const struct nf_cl_unit *unit, size_t at, enum section section)
{
    return (section == NAMES || section == ANNOTATIONS) && unit->dropped[unit->words[at + 1]];
}

static bool is_spec_id(const struct nf_cl_unit *unit, size_t at)
{
    return nf_cl_op(unit, at) == NF_CL_OP_DECORATE && unit->words[at + 2] == NF_CL_DECORATION_SPEC_ID;
}

static void emit_global(struct linker *linker, size_t unit_index, size_t at)
{
    struct nf_cl_unit *unit = &linker->units[unit_index];
    uint32_t op = nf_cl_op(unit, at);
    bool variable = op == NF_CL_OP_VARIABLE;
    if (variable && unit->dropped[unit->words[at + 2]]) return;
    if (can_merge(op))
        merge(linker, unit_index, at, section_of(op));
    else
        emit_mapped(linker, unit, at, section_of(op));
}

static void emit_first(struct linker *linker, size_t unit_index, size_t at)
{
    struct nf_cl_unit *unit = &linker->units[unit_index];
    const uint32_t *words = unit->words + at;
    enum section section = section_of(nf_cl_op(unit, at));
    if ((section == CAPABILITIES || section == EXTENSIONS) && !listed(linker, section, words))
        emit(linker, section, words, words[0] >> 16);
    else if (section == MEMORY_MODEL)
        emit_memory_model(linker, words);
    else if (section == SOURCES)
        emit_mapped(linker, unit, at, section);
    else if (section == IMPORTS || section == GLOBALS)
        emit_global(linker, unit_index, at);
}

/* What names ids comes when the map is complete. */
static void emit_second(struct linker *linker, size_t unit_index, size_t at)
{
    struct nf_cl_unit *unit = &linker->units[unit_index];
    enum section section = section_of(nf_cl_op(unit, at));
    bool second = section == ENTRY_POINTS || section == MODES || section == NAMES || section == ANNOTATIONS ||
                  section == PROCESSED;
    if (second && !speaks_of_dropped(unit, at, section) && !is_spec_id(unit, at))
        emit_mapped(linker, unit, at, section);
}

/* ---- functions ---- */

/* The type of a function as the output has it: words of its OpTypeFunction. */
static const uint32_t *function_type(const struct linker *linker, uint32_t id)
{
    const struct words *globals = &linker->sections[GLOBALS];
    for (size_t at = 0; at < globals->count; at += globals->data[at] >> 16)
        if ((globals->data[at] & 0xffff) == NF_CL_OP_TYPE_FUNCTION && globals->data[at + 1] == id)
            return globals->data + at;
    return NULL;
}

static bool is_pointer_pair(const struct linker *linker, uint32_t a, uint32_t b)
{
    const struct words *globals = &linker->sections[GLOBALS];
    uint32_t storage[2] = {UINT32_MAX, UINT32_MAX};
    for (size_t at = 0; at < globals->count; at += globals->data[at] >> 16) {
        const uint32_t *words = globals->data + at;
        if ((words[0] & 0xffff) != NF_CL_OP_TYPE_POINTER) continue;
        if (words[1] == a) storage[0] = words[2];
        if (words[1] == b) storage[1] = words[2];
    }
    return storage[0] == storage[1] && storage[0] != UINT32_MAX;
}

static bool can_cast(const struct linker *linker, const uint32_t *from, const uint32_t *to)
{
    bool good = from && to && from[0] == to[0];
    for (uint32_t i = 2; good && i < from[0] >> 16; i++)
        good = from[i] == to[i] || is_pointer_pair(linker, from[i], to[i]);
    return good;
}

/* @return the id of `value` as a `type`: itself, or a cast. */
static uint32_t cast(struct linker *linker, uint32_t value, uint32_t from, uint32_t type)
{
    if (from == type) return value;
    const uint32_t words[] = {4u << 16 | NF_CL_OP_BITCAST, type, linker->bound++, value};
    emit(linker, FUNCTIONS, words, 4);
    return words[2];
}

/* The body of `import`, which calls `target`: types are words of the two OpTypeFunction. */
static void emit_wrapper(struct linker *linker, uint32_t import, const uint32_t *from, uint32_t target,
                         const uint32_t *to)
{
    uint32_t parameters = (from[0] >> 16) - 3, first = linker->bound;
    linker->bound += parameters;
    const uint32_t head[] = {5u << 16 | NF_CL_OP_FUNCTION, from[2], import, 0, from[1]};
    emit(linker, FUNCTIONS, head, 5);
    for (uint32_t i = 0; i < parameters; i++) {
        const uint32_t words[] = {3u << 16 | NF_CL_OP_FUNCTION_PARAMETER, from[3 + i], first + i};
        emit(linker, FUNCTIONS, words, 3);
    }
    const uint32_t label[] = {2u << 16 | NF_CL_OP_LABEL, linker->bound++};
    emit(linker, FUNCTIONS, label, 2);
    uint32_t *arguments = calloc(parameters + 1, sizeof *arguments);
    linker->out_of_memory = linker->out_of_memory || !arguments;
    for (uint32_t i = 0; arguments && i < parameters; i++)
        arguments[i] = cast(linker, first + i, from[3 + i], to[3 + i]);
    const uint32_t call[] = {(4u + parameters) << 16 | NF_CL_OP_FUNCTION_CALL, to[2], linker->bound++, target};
    emit(linker, FUNCTIONS, call, 4);
    if (arguments) emit(linker, FUNCTIONS, arguments, parameters);
    free(arguments);
    bool nothing = false;
    const struct words *globals = &linker->sections[GLOBALS];
    for (size_t at = 0; at < globals->count; at += globals->data[at] >> 16)
        nothing = nothing || (globals->data[at] == (2u << 16 | NF_CL_OP_TYPE_VOID) && globals->data[at + 1] == to[2]);
    const uint32_t value = nothing ? 0 : cast(linker, call[2], to[2], from[2]);
    const uint32_t plain[] = {1u << 16 | NF_CL_OP_RETURN}, with[] = {2u << 16 | NF_CL_OP_RETURN_VALUE, value};
    emit(linker, FUNCTIONS, nothing ? plain : with, nothing ? 1 : 2);
    const uint32_t end[] = {1u << 16 | NF_CL_OP_FUNCTION_END};
    emit(linker, FUNCTIONS, end, 1);
}

/* An import whose type is not its export's gets a body that casts; callers go on calling it. */
static void reconcile(struct linker *linker, struct nf_cl_unit *unit, const struct nf_cl_symbol *symbol)
{
    const struct nf_cl_unit *owner = NULL;
    const struct nf_cl_symbol *found = find_symbol(linker, symbol->name, &owner);
    if (found == symbol || !found->at || !symbol->at) return;
    bool function = nf_cl_op(unit, symbol->at) == NF_CL_OP_FUNCTION;
    uint32_t word = function ? 4 : 1;
    uint32_t from = unit->map[unit->words[symbol->at + word]], to = owner->map[owner->words[found->at + word]];
    if (from == to) return;
    const uint32_t *from_type = function ? function_type(linker, from) : NULL;
    const uint32_t *to_type = function ? function_type(linker, to) : NULL;
    if (!can_cast(linker, from_type, to_type)) {
        fail(linker, nf_cl_format("'%s' has different types in the linked programs", symbol->name));
        return;
    }
    uint32_t target = unit->map[symbol->id];
    unit->map[symbol->id] = unit->base + symbol->id;
    emit_wrapper(linker, unit->map[symbol->id], from_type, target, to_type);
}

static void reconcile_all(struct linker *linker)
{
    for (size_t i = 0; i < linker->unit_count; i++)
        for (size_t j = 0; j < linker->units[i].symbol_count && going(linker); j++)
            if (linker->units[i].symbols[j].kind == NF_CL_LINKAGE_IMPORT)
                reconcile(linker, &linker->units[i], &linker->units[i].symbols[j]);
}

static void emit_functions(struct linker *linker, const struct nf_cl_unit *unit)
{
    enum section section = FUNCTIONS;
    bool dropped = false;
    for (size_t at = unit->functions; at < unit->count && going(linker); at += nf_cl_length(unit, at)) {
        if (nf_cl_op(unit, at) == NF_CL_OP_FUNCTION) {
            dropped = unit->dropped[unit->words[at + 2]];
            section = has_body(unit, at) ? FUNCTIONS : DECLARATIONS;
        }
        if (!dropped) emit_mapped(linker, unit, at, section);
        if (nf_cl_op(unit, at) == NF_CL_OP_FUNCTION_END) dropped = false;
    }
}

/* ---- the whole ---- */

static void for_globals(struct linker *linker, void (*act)(struct linker *, size_t, size_t))
{
    for (size_t i = 0; i < linker->unit_count; i++)
        for (size_t at = NF_CL_HEADER_WORDS; at < linker->units[i].functions && going(linker);
             at += nf_cl_length(&linker->units[i], at))
            act(linker, i, at);
}

/* Two kernels of one name cannot be told apart. */
static void check_entry_points(struct linker *linker)
{
    const struct words *list = &linker->sections[ENTRY_POINTS];
    for (size_t a = 0; a < list->count; a += list->data[a] >> 16)
        for (size_t b = 0; b < a; b += list->data[b] >> 16)
            if (strcmp((const char *)(list->data + a + 3), (const char *)(list->data + b + 3)) == 0)
                fail(linker, nf_cl_format("the kernel '%s' is in more than one of the linked programs",
                                          (const char *)(list->data + a + 3)));
}

static void join(struct linker *linker)
{
    place_units(linker);
    if (!going(linker) || !make_table(linker)) return;
    resolve(linker);
    for_globals(linker, emit_first);
    if (going(linker)) reconcile_all(linker);
    for_globals(linker, emit_second);
    for (size_t i = 0; i < linker->unit_count && going(linker); i++)
        emit_functions(linker, &linker->units[i]);
    if (going(linker)) check_entry_points(linker);
}

static void put_together(struct linker *linker, struct nf_cl_bytes *output)
{
    size_t count = NF_CL_HEADER_WORDS;
    for (int i = 0; i < SECTIONS; i++)
        count += linker->sections[i].count;
    uint32_t *words = malloc(count * sizeof *words);
    linker->out_of_memory = linker->out_of_memory || !words;
    if (!words) return;
    const uint32_t header[NF_CL_HEADER_WORDS] = {0x07230203u, linker->version, 0, linker->bound, 0};
    memcpy(words, header, sizeof header);
    count = NF_CL_HEADER_WORDS;
    for (int i = 0; i < SECTIONS; i++) {
        if (linker->sections[i].count)
            memcpy(words + count, linker->sections[i].data, linker->sections[i].count * sizeof *words);
        count += linker->sections[i].count;
    }
    output->data = words;
    output->size = count * sizeof *words;
}

static nf_status read_units(struct linker *linker, const struct nf_cl_link_input *inputs, size_t count)
{
    nf_status status = NF_OK;
    linker->units = calloc(count, sizeof *linker->units);
    if (!linker->units) return NF_OUT_OF_MEMORY;
    for (size_t i = 0; i < count && status == NF_OK; i++) {
        linker->unit_count++;
        status = nf_cl_unit_read(&inputs[i], &linker->units[i], &linker->message);
    }
    return status;
}

nf_status nf_cl_link_modules(const struct nf_cl_link_input *inputs, size_t count, bool library,
                             struct nf_cl_bytes *output, char **message)
{
    struct linker linker = {.library = library};
    nf_status status = read_units(&linker, inputs, count);
    if (status == NF_OK) {
        join(&linker);
        if (going(&linker)) put_together(&linker, output);
        status = linker.out_of_memory ? NF_OUT_OF_MEMORY : linker.message ? NF_REFUSED : NF_OK;
    }
    for (size_t i = 0; i < linker.unit_count; i++)
        nf_cl_unit_free(&linker.units[i]);
    for (int i = 0; i < SECTIONS; i++)
        free(linker.sections[i].data);
    free(linker.units);
    free(linker.known);
    *message = linker.message;
    return status;
}
