/* SPDX-License-Identifier: Apache-2.0 */
/*
 * dump.c - prints the results of a run, the buffers and the text of printf, or compares them with the results of
 * another run.
 *
 * By design, an address of private or local memory that a kernel has stored has other bits in a specialized module than
 * in the original, so such bytes are equal if their provenance has the same address space.
 */
#include "judge.h"

#include <inttypes.h>
#include <string.h>

static unsigned element_size(const char *name)
{
    switch (name[0] == 'u' ? name[1] : name[0]) {
    case 'c':
    case 'b': return 1;
    case 's': return 2;
    case 'i':
    case 'f': return 4;
    case 'h': return name[1] == 'e' ? 1 : 2;
    default: return 8;
    }
}

static void print_number(FILE *to, const char *element, uint64_t bits, unsigned size)
{
    if (size == 1 && (element[0] == 'h' || element[0] == 'b'))
        fprintf(to, " %02" PRIx64, bits);
    else if (element[0] == 'f' || element[0] == 'd' || !strcmp(element, "half"))
        fprintf(to, size == 8 ? " %.17g" : " %.9g", nfj_to_double(bits, size * 8));
    else if (element[0] == 'u')
        fprintf(to, " %" PRIu64, bits);
    else
        fprintf(to, " %" PRId64, sign_extend(bits, size * 8));
}

static void print_element(const struct judge *j, FILE *to, const char *element, const struct cell *cell, unsigned size)
{
    static const char *const names[] = {"private", "local", "global", "constant", "code", "input", "generic"};
    if (cell->undef) {
        fprintf(to, " ?");
        return;
    }
    const struct object *o = cell->prov == PROV_MIXED ? NULL : &j->objects.at[PROV_INDEX(cell->prov)];
    if (size == 8 && cell->prov && o) {
        uint64_t flat = cell->bits - nfj_flat_base(j->module, o->space) - o->base;
        uint64_t raw = cell->bits - o->base;
        if (o->argument >= 0 && o->space == SPACE_GLOBAL && raw <= o->size) {
            fprintf(to, " &arg%d+%" PRIu64, o->argument, raw);
            return;
        }
        if (raw <= o->size || flat <= o->size) {
            fprintf(to, " &%s", names[o->space]);
            return;
        }
    }
    print_number(to, element, cell->bits, size);
}

static void print_buffer(const struct judge *j, FILE *to, int number, const struct argument *a)
{
    const struct object *o = &j->objects.at[a->object];
    unsigned size = element_size(a->element);
    if (j->options->hex) {
        fprintf(to, "arg%d ", number);
        for (uint64_t at = 0; at < o->size; at++)
            fprintf(to, "%02x", o->data[at]);
        fprintf(to, "\n");
        return;
    }
    fprintf(to, "arg %d %s:", number, a->element);
    for (uint64_t at = 0; at + size <= o->size; at += size) {
        struct cell cell;
        nfj_load_leaf(o, at, size, &cell);
        print_element(j, to, a->element, &cell, size);
    }
    fprintf(to, "\n");
}

void nfj_dump(const struct judge *j, FILE *to)
{
    if (j->output.count) fprintf(to, "%.*s", (int)j->output.count, j->output.at);
    for (int i = 0; i < j->options->arg_count; i++)
        if (j->options->args[i].kind == ARG_BUFFER) print_buffer(j, to, i, &j->options->args[i]);
}

/* Returns true if byte `at` is equal in both, or is part of an address that cannot be compared. */
static bool same_byte(const struct judge *a, const struct object *x, const struct judge *b, const struct object *y,
                      uint64_t at)
{
    if (x->data[at] == y->data[at] || (x->undef && x->undef[at])) return true;
    uint32_t p = x->has_prov ? x->prov[at] : 0, q = y->has_prov ? y->prov[at] : 0;
    if (!p || !q || p == PROV_MIXED || q == PROV_MIXED) return p && q;
    const struct object *to = &a->objects.at[PROV_INDEX(p)], *other = &b->objects.at[PROV_INDEX(q)];
    return to->space == other->space && to->space != SPACE_GLOBAL;
}

static void tell_difference(const struct judge *a, const struct judge *b, int number, uint64_t at)
{
    const struct argument *argument = &a->options->args[number];
    unsigned size = element_size(argument->element);
    struct cell x, y;
    at = at / size * size;
    nfj_load_leaf(&a->objects.at[argument->object], at, size, &x);
    nfj_load_leaf(&b->objects.at[argument->object], at, size, &y);
    fprintf(stderr, "difference: argument %d, element %" PRIu64 ":", number, at / size);
    print_element(a, stderr, argument->element, &x, size);
    fprintf(stderr, " in %s,", a->module->path);
    print_element(b, stderr, argument->element, &y, size);
    fprintf(stderr, " in %s\n", b->module->path);
}

/* @return the number of different buffers; printf's output counts as one. */
uint32_t nfj_compare(const struct judge *a, const struct judge *b)
{
    uint32_t differences = 0;
    for (int i = 0; i < a->options->arg_count; i++) {
        if (a->options->args[i].kind != ARG_BUFFER) continue;
        const struct object *x = &a->objects.at[a->options->args[i].object];
        const struct object *y = &b->objects.at[b->options->args[i].object];
        for (uint64_t at = 0; at < x->size; at++)
            if (!same_byte(a, x, b, y, at)) {
                tell_difference(a, b, i, at);
                differences++;
                break;
            }
    }
    if (a->output.count != b->output.count ||
        (a->output.count && memcmp(a->output.at, b->output.at, a->output.count))) {
        fprintf(stderr, "difference: what printf wrote\n");
        differences++;
    }
    return differences;
}
