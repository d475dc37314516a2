/* SPDX-License-Identifier: Apache-2.0 */
/*
 * memory.c - creates objects, determines the object that a pointer reaches, and reports wrong accesses.
 *
 * The address ranges of all spaces overlap, so that a pointer used in the wrong space also points into an object there,
 * and only the provenance shows the error. A generic pointer, which original modules and those of the mode `hint` have,
 * holds a flat address: the numeric address plus a base of its space, as on flat hardware.
 */
#include "judge.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#define MAX_REPORTS 20

static const char *const space_names[] = {"private", "local", "global", "constant", "code", "input", "generic"};

uint64_t nfj_flat_base(const struct module *m, enum space space)
{
    static const uint64_t wide[] = {UINT64_C(0x200000000000), UINT64_C(0x100000000000), 0, 0,
                                    UINT64_C(0x300000000000), UINT64_C(0x400000000000), 0};
    /* The windows of a device with 32-bit addresses and at most 2 GiB of global memory. */
    static const uint64_t narrow[] = {0xe0000000, 0xf0000000, 0, 0, 0xa0000000, 0xb0000000, 0};
    return m->address_bits == 64 ? wide[space] : narrow[space];
}

enum space nfj_flat_space(const struct module *m, uint64_t flat)
{
    uint64_t reach = m->address_bits == 64 ? UINT64_C(0x100000000000) : 0x10000000;
    static const enum space spaces[] = {SPACE_PRIVATE, SPACE_LOCAL, SPACE_CODE, SPACE_INPUT};
    for (size_t i = 0; i < sizeof spaces / sizeof *spaces; i++)
        if (flat - nfj_flat_base(m, spaces[i]) < reach) return spaces[i];
    return SPACE_GLOBAL;
}

uint64_t nfj_null(const struct judge *judge, enum space space)
{
    bool high = judge->options->zero_private && (space == SPACE_PRIVATE || space == SPACE_LOCAL);
    return high ? mask_of(judge->module->address_bits) : 0;
}

uint32_t nfj_prov(const struct judge *judge, uint32_t object)
{
    return object | (uint32_t)judge->objects.at[object].generation << 24;
}

struct cell nfj_pointer_to(const struct judge *judge, uint32_t object, enum space space)
{
    const struct object *o = &judge->objects.at[object];
    struct cell cell = {o->base, 0, nfj_prov(judge, object), 0};
    if (space == SPACE_GENERIC) cell.bits += nfj_flat_base(judge->module, o->space);
    return cell;
}

/* ---- Objects ----------------------------------------------------------------------------------------------------- */

static uint32_t take_object(struct judge *judge)
{
    if (judge->free_objects.count) return judge->free_objects.at[--judge->free_objects.count];
    struct object none = {0};
    if (!judge->objects.count) PUSH(judge->objects, none); /* index 0 denotes no object */
    if (judge->objects.count > 0xfffffe) nfj_cannot(judge->module, "too many objects");
    PUSH(judge->objects, none);
    return judge->objects.count - 1;
}

static void set_object(struct object *o, enum space space, uint64_t base, uint64_t size, const char *name)
{
    uint8_t generation = o->generation;
    *o = (struct object){.base = base, .size = size, .name = name, .argument = -1, .space = (uint8_t)space};
    o->generation = generation;
    o->alive = true;
}

/* Creates a zero-filled object at module scope, or a buffer. */
uint32_t nfj_new_object(struct judge *judge, enum space space, uint64_t size, uint64_t align, const char *name)
{
    uint32_t number = take_object(judge);
    struct object *o = &judge->objects.at[number];
    enum space range = space == SPACE_CONSTANT ? SPACE_GLOBAL : space;
    uint64_t *next = &judge->next_address[range];
    *next = nfj_round_up(*next, align > 64 ? align : 64);
    set_object(o, space, *next, size, name);
    o->data = nfj_alloc(size);
    *next += size + 1;
    PUSH(judge->by_space[range], number);
    return number;
}

void nfj_set_undefined(struct object *o, uint64_t offset, uint64_t size)
{
    if (!o->undef) o->undef = nfj_alloc(o->size);
    memset(o->undef + offset, 0xff, size);
}

/* Allocates memory in the item's own stack. */
static uint8_t *take_bytes(struct item *item, uint64_t size)
{
    size = nfj_round_up(size, 8);
    while (item->chunk < item->chunks.count && item->chunks.at[item->chunk].size - item->used < size) {
        item->chunk++;
        item->used = 0;
    }
    if (item->chunk == item->chunks.count) {
        struct chunk chunk = {.size = size > 8192 ? (uint32_t)size : 8192};
        if (size > UINT32_MAX) nfj_cannot(item->module, "a private variable of %llu bytes", (unsigned long long)size);
        chunk.bytes = nfj_alloc(chunk.size);
        PUSH(item->chunks, chunk);
        item->used = 0;
    }
    uint8_t *bytes = item->chunks.at[item->chunk].bytes + item->used;
    item->used += (uint32_t)size;
    return bytes;
}

/* Creates a private object that lives until the frame ends; its contents are undefined. */
uint32_t nfj_push_variable(struct item *item, uint64_t size, uint64_t align, const char *name)
{
    struct judge *judge = item->judge;
    uint32_t number = take_object(judge);
    struct object *o = &judge->objects.at[number];
    item->address = nfj_round_up(item->address, align > 16 ? align : 16);
    set_object(o, SPACE_PRIVATE, item->address, size, name);
    uint8_t *bytes = take_bytes(item, size * 6);
    o->prov = (uint32_t *)(void *)bytes;
    o->data = bytes + size * 4;
    o->undef = o->data + size;
    memset(o->data, 0xa5, size);
    memset(o->undef, 0xff, size);
    o->owner = item->number;
    item->address += size + 1;
    PUSH(item->vars, number);
    return number;
}

void nfj_pop_variables(struct item *item, const struct frame *frame)
{
    struct judge *judge = item->judge;
    while (item->vars.count > frame->vars) {
        uint32_t number = item->vars.at[--item->vars.count];
        struct object *o = &judge->objects.at[number];
        o->alive = false;
        if (++o->generation != 0xff) PUSH(judge->free_objects, number);
    }
    item->address = frame->address;
    item->chunk = frame->chunk;
    item->used = frame->used;
}

/* ---- Reports ----------------------------------------------------------------------------------------------------- */

/* Prints a report, once for each instruction; the run continues. */
void nfj_report(struct item *item, const struct inst *in, const char *format, ...)
{
    struct judge *judge = item->judge;
    const struct module *m = item->module;
    if (judge->reported[in->word]) return;
    judge->reported[in->word] = 1;
    if (++judge->reports > MAX_REPORTS) return;
    const char *name = item->function ? m->ids[item->function->id].name : NULL;
    bool has_result, has_type;
    nfj_result_of((uint16_t)in->op, &has_result, &has_type);
    fprintf(stderr, "%s: report: kernel %s, item %llu,%llu,%llu: in %%%u %s: %s ", m->path, judge->options->kernel,
            (unsigned long long)item->global_id[0], (unsigned long long)item->global_id[1],
            (unsigned long long)item->global_id[2], item->function ? item->function->id : 0, name ? name : "",
            nfj_op_name(in->op));
    if (has_result && has_type) fprintf(stderr, "%%%u ", m->words[in->word + 2]);
    fprintf(stderr, "at word %u: ", in->word);
    va_list list;
    va_start(list, format);
    vfprintf(stderr, format, list);
    va_end(list);
    fprintf(stderr, "\n");
}

static void describe(const struct object *o, char *to, size_t size)
{
    if (o->argument >= 0)
        snprintf(to, size, "the %s of argument %d", o->space == SPACE_LOCAL ? "local memory" : "buffer", o->argument);
    else
        snprintf(to, size, "%s object %s (%llu bytes)", space_names[o->space],
                 o->name && *o->name ? o->name : "(unnamed)", (unsigned long long)o->size);
}

/* ---- The object that a pointer reaches --------------------------------------------------------------------------- */

static struct object *object_of(const struct judge *judge, uint32_t prov)
{
    if (prov == 0 || prov == PROV_MIXED || PROV_INDEX(prov) >= judge->objects.count) return NULL;
    return &judge->objects.at[PROV_INDEX(prov)];
}

/* Returns true if memory of `o` may be accessed through a pointer of `space`. */
static bool admits(const struct object *o, enum space space, bool write)
{
    if (space == SPACE_GENERIC)
        return o->space == SPACE_PRIVATE || o->space == SPACE_LOCAL || o->space == SPACE_GLOBAL ||
               (o->space == SPACE_CONSTANT && !write);
    if (space == SPACE_CONSTANT) return o->space == SPACE_CONSTANT || o->space == SPACE_GLOBAL;
    return o->space == space;
}

/* Returns the offset in `o` of the address `bits` of a pointer of `space`. */
static uint64_t offset_in(const struct module *m, const struct object *o, enum space space, uint64_t bits)
{
    uint64_t base = space == SPACE_GENERIC ? nfj_flat_base(m, o->space) : 0;
    uint64_t offset = bits - base - o->base;
    /* An integer that was converted from a pointer of a concrete class may be converted to a generic one. With 32-bit
     * addresses this is not permitted: a flat address that loses its highest bits, by a shift left and right again,
     * would equal the numeric address. */
    if (space == SPACE_GENERIC && m->address_bits == 64 && (offset & mask_of(m->address_bits)) > o->size &&
        bits - o->base <= o->size)
        offset = bits - o->base;
    return offset & mask_of(m->address_bits);
}

/* Returns the object at numeric address `raw` among `count` objects, or NULL. */
static struct object *find_among(const struct judge *judge, const uint32_t *at, uint32_t count, uint64_t raw)
{
    uint32_t low = 0, high = count;
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        if (judge->objects.at[at[middle]].base <= raw)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == 0) return NULL;
    struct object *o = &judge->objects.at[at[low - 1]];
    return raw - o->base < o->size ? o : NULL;
}

static struct object *find(const struct item *item, enum space space, uint64_t raw)
{
    struct judge *judge = item->judge;
    enum space range = space == SPACE_CONSTANT ? SPACE_GLOBAL : space;
    struct object *o = NULL;
    if (space == SPACE_PRIVATE) o = find_among(judge, item->vars.at, item->vars.count, raw);
    return o ? o : find_among(judge, judge->by_space[range].at, judge->by_space[range].count, raw);
}

static struct object *find_any(const struct item *item, enum space space, uint64_t bits)
{
    const struct module *m = item->module;
    if (space != SPACE_GENERIC) return find(item, space, bits);
    enum space real = nfj_flat_space(m, bits);
    return find(item, real, (bits - nfj_flat_base(m, real)) & mask_of(m->address_bits));
}

static bool is_current(const struct item *item, const struct object *o, uint32_t prov)
{
    if (!o->alive || o->generation != PROV_GENERATION(prov)) return false;
    return o->owner == 0 || (o->space == SPACE_LOCAL ? o->owner == item->judge->group : o->owner == item->number);
}

static void explain(struct item *item, const struct inst *in, const struct object *o, const struct cell *pointer,
                    enum space space, uint64_t offset, uint64_t size, bool write)
{
    char what[160];
    if (!o) {
        bool null = pointer->bits == nfj_null(item->judge, space);
        nfj_report(item, in, null ? "a null %s pointer is used" : "%s address 0x%llx belongs to no object",
                   space_names[space], (unsigned long long)pointer->bits);
        return;
    }
    describe(o, what, sizeof what);
    if (!o->alive || o->generation != PROV_GENERATION(pointer->prov))
        nfj_report(item, in, "a dangling %s pointer (0x%llx) is used", space_names[space],
                   (unsigned long long)pointer->bits);
    else if (!is_current(item, o, pointer->prov))
        nfj_report(item, in, "%s belongs to another %s", what, o->space == SPACE_LOCAL ? "group" : "item");
    else if (!admits(o, space, write))
        nfj_report(item, in, "%s is %s through a %s pointer", what, write ? "written" : "read", space_names[space]);
    else if (write && (o->read_only || space == SPACE_CONSTANT))
        nfj_report(item, in, "%s is constant and is written", what);
    else
        nfj_report(item, in, "%llu bytes at offset %lld of %s", (unsigned long long)size,
                   (long long)sign_extend(offset, item->module->address_bits), what);
}

/* Returns the object that `pointer` reaches, and sets the offset in it; NULL after a report. */
struct object *nfj_access(struct item *item, const struct inst *in, const struct cell *pointer, enum space space,
                          uint64_t size, bool write, uint64_t *offset)
{
    struct object *o = object_of(item->judge, pointer->prov);
    *offset = o ? offset_in(item->module, o, space, pointer->bits) : 0;
    if (pointer->undef) {
        nfj_report(item, in, "the address is undefined");
        return NULL;
    }
    uint32_t prov = pointer->prov;
    if (!o || *offset > o->size) {
        struct object *other = find_any(item, space, pointer->bits);
        /* A pointer outside its object is an error even if it reaches another object of the same space. */
        if (other && (!o || !admits(o, space, write))) {
            o = other;
            prov = nfj_prov(item->judge, (uint32_t)(o - item->judge->objects.at));
            *offset = offset_in(item->module, o, space, pointer->bits);
        }
    }
    if (o && is_current(item, o, prov) && admits(o, space, write) && *offset <= o->size && o->size - *offset >= size &&
        !(write && (o->read_only || space == SPACE_CONSTANT)))
        return o;
    explain(item, in, o, pointer, space, *offset, size, write);
    return NULL;
}

/* ---- Moving values ----------------------------------------------------------------------------------------------- */

static uint64_t gather(const uint8_t *from, uint32_t size)
{
    uint64_t bits = 0;
    switch (size) {
    case 8: memcpy(&bits, from, 8); return bits;
    case 4: memcpy(&bits, from, 4); return bits;
    default: memcpy(&bits, from, size); return bits;
    }
}

static uint32_t gather_prov(const uint32_t *from, uint32_t size)
{
    uint32_t prov = 0;
    for (uint32_t i = 0; i < size; i++)
        if (from[i] && from[i] != prov) prov = prov ? PROV_MIXED : from[i];
    return prov;
}

void nfj_load_leaf(const struct object *o, uint64_t offset, uint32_t size, struct cell *to)
{
    to->bits = gather(o->data + offset, size);
    to->undef = o->undef ? gather(o->undef + offset, size) : 0;
    to->prov = o->has_prov ? gather_prov(o->prov + offset, size) : 0;
}

static void need_prov(struct object *o)
{
    if (!o->prov)
        o->prov = nfj_alloc(o->size * sizeof *o->prov);
    else
        memset(o->prov, 0, o->size * sizeof *o->prov);
    o->has_prov = true;
}

void nfj_store_leaf(struct object *o, uint64_t offset, uint32_t size, const struct cell *from)
{
    memcpy(o->data + offset, &from->bits, size);
    if (from->undef && !o->undef) o->undef = nfj_alloc(o->size);
    if (o->undef) memcpy(o->undef + offset, &from->undef, size);
    if (from->prov && !o->has_prov) need_prov(o);
    if (o->has_prov)
        for (uint32_t i = 0; i < size; i++)
            o->prov[offset + i] = from->prov;
}

void nfj_load(struct item *item, const struct inst *in, const struct cell *pointer, enum space space, uint32_t type,
              struct cell *to)
{
    struct type *t = item->module->types[type];
    uint64_t offset;
    const struct object *o = nfj_access(item, in, pointer, space, t->size, false, &offset);
    if (!o) {
        for (uint32_t i = 0; i < t->cells; i++)
            to[i] = (struct cell){0, UINT64_MAX, 0, 0};
        return;
    }
    const struct leaf *leaves = t->leaves ? t->leaves : nfj_leaves(item->module, t);
    for (uint32_t i = 0; i < t->cells; i++)
        nfj_load_leaf(o, offset + leaves[i].offset, leaves[i].size, &to[i]);
    if (t->bits == 1)
        for (uint32_t i = 0; i < t->cells; i++)
            to[i].bits &= 1;
}

void nfj_store(struct item *item, const struct inst *in, const struct cell *pointer, enum space space, uint32_t type,
               const struct cell *from)
{
    struct type *t = item->module->types[type];
    uint64_t offset;
    struct object *o = nfj_access(item, in, pointer, space, t->size, true, &offset);
    if (!o) return;
    const struct leaf *leaves = t->leaves ? t->leaves : nfj_leaves(item->module, t);
    for (uint32_t i = 0; i < t->cells; i++)
        nfj_store_leaf(o, offset + leaves[i].offset, leaves[i].size, &from[i]);
}

/* Copies bytes with their undefined bits and provenances. */
void nfj_copy(struct item *item, const struct inst *in, const struct cell *to, enum space to_space,
              const struct cell *from, enum space from_space, uint64_t size)
{
    uint64_t to_offset, from_offset;
    if (size == 0) return;
    struct object *source = nfj_access(item, in, from, from_space, size, false, &from_offset);
    struct object *target = nfj_access(item, in, to, to_space, size, true, &to_offset);
    if (!source || !target) return;
    memmove(target->data + to_offset, source->data + from_offset, size);
    if (source->undef && !target->undef) target->undef = nfj_alloc(target->size);
    if (source->undef)
        memmove(target->undef + to_offset, source->undef + from_offset, size);
    else if (target->undef)
        memset(target->undef + to_offset, 0, size);
    if (source->has_prov && !target->has_prov) need_prov(target);
    if (source->has_prov)
        memmove(target->prov + to_offset, source->prov + from_offset, size * sizeof *target->prov);
    else if (target->has_prov)
        memset(target->prov + to_offset, 0, size * sizeof *target->prov);
}
