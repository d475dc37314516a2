/* SPDX-License-Identifier: Apache-2.0 */
/*
 * args.c - converts kernel arguments from their text to bytes and objects.
 *
 *     buffer:TYPE:V,V,...[;TYPE:V,...]   a buffer in global memory      zero:BYTES[:TYPE]   one filled with zero
 *     same:N[+OFFSET]                    the buffer of argument N       local:BYTES         local memory
 *     hex:0011aabb                       a buffer of these bytes        null                a null pointer
 *     TYPE:V,V,...[;TYPE:V,...]          a value, a vector, a structure
 *     struct:ITEM,ITEM,...               a structure without padding; ITEM is TYPE:V or @N[+OFFSET]
 *
 * TYPE is char, uchar, short, ushort, int, uint, long, ulong, half, float, double, bytes (hexadecimal, no commas) or
 * ptr, whose values are `null` or N[+OFFSET], addresses in the buffer of argument N.
 */
#include "judge.h"

#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name;
    unsigned size;
} elements[] = {{"char", 1},  {"uchar", 1}, {"short", 2}, {"ushort", 2}, {"int", 4}, {"uint", 4},  {"long", 8},
                {"ulong", 8}, {"half", 2},  {"float", 4}, {"double", 8}, {"hex", 1}, {"bytes", 1}, {"ptr", 8}};

static unsigned size_of(const char *name, size_t length)
{
    for (size_t i = 0; i < sizeof elements / sizeof *elements; i++)
        if (strlen(elements[i].name) == length && !strncmp(elements[i].name, name, length)) return elements[i].size;
    return 0;
}

static void append(struct argument *a, const void *bytes, size_t size)
{
    a->bytes = realloc(a->bytes, a->size + size);
    if (!a->bytes) nfj_usage("out of memory");
    memcpy(a->bytes + a->size, bytes, size);
    a->size += size;
}

static int parse_target(const struct argument *a, const char *text, char **end, uint64_t *offset)
{
    long target = strtol(text, end, 0);
    if (*end == text || target < 0 || target > 1000)
        nfj_usage("argument %s: which buffer is meant by %s", a->text, text);
    *offset = **end == '+' ? strtoull(*end + 1, end, 0) : 0;
    return (int)target;
}

static const char *append_pointer(struct argument *a, const char *text)
{
    uint64_t zero = 0;
    struct fixup fixup = {.at = a->size};
    char *end = NULL;
    if (!strncmp(text, "null", 4)) {
        append(a, &zero, 8);
        return text + 4;
    }
    fixup.target = parse_target(a, text, &end, &fixup.offset);
    PUSH(a->fixups, fixup);
    append(a, &zero, 8);
    return end;
}

static const char *append_hex(struct argument *a, const char *text)
{
    unsigned byte;
    int used;
    while (sscanf(text, "%2x%n", &byte, &used) == 1 && used == 2) {
        uint8_t b = (uint8_t)byte;
        append(a, &b, 1);
        text += 2;
    }
    return text;
}

static const char *append_number(struct argument *a, const char *text, const char *type, unsigned size)
{
    char *end = NULL;
    bool is_float = type[0] == 'f' || type[0] == 'd' || !strncmp(type, "half", 4);
    uint64_t bits = is_float         ? nfj_from_double(strtod(text, &end), size * 8)
                    : text[0] == '-' ? (uint64_t)strtoll(text, &end, 0)
                                     : strtoull(text, &end, 0);
    if (end == text) nfj_usage("argument %s: no number at '%s'", a->text, text);
    append(a, &bits, size);
    return end;
}

/* TYPE:V,V,... @return what follows. */
static const char *parse_list(struct argument *a, const char *text)
{
    const char *colon = strchr(text, ':');
    unsigned size = colon ? size_of(text, (size_t)(colon - text)) : 0;
    if (!size) nfj_usage("argument %s: no type at '%s'", a->text, text);
    if (!a->element[0]) snprintf(a->element, sizeof a->element, "%.*s", (int)(colon - text), text);
    const char *at = colon + 1;
    while (*at && *at != ';') {
        if (!strncmp(text, "ptr:", 4))
            at = append_pointer(a, at);
        else if (!strncmp(text, "hex:", 4) || !strncmp(text, "bytes:", 6))
            at = append_hex(a, at);
        else
            at = append_number(a, at, text, size);
        if (*at == ',')
            at++;
        else if (*at && *at != ';')
            nfj_usage("argument %s: '%s' is not understood", a->text, at);
    }
    return at;
}

static void parse_lists(struct argument *a, const char *text)
{
    while (*(text = parse_list(a, text)) == ';')
        text++;
}

/* Parses items between commas, each TYPE:V or @N[+OFFSET], an address in the buffer of argument N. */
static void parse_struct(struct argument *a, const char *text)
{
    char item[80];
    for (; *text; text += *text == ',') {
        size_t length = strcspn(text, ",");
        snprintf(item, sizeof item, "%.*s", (int)length, text);
        if (item[0] == '@')
            append_pointer(a, item + 1);
        else
            parse_list(a, item);
        text += length;
    }
}

static uint64_t parse_size(const struct argument *a, const char *text, char **end)
{
    uint64_t size = strtoull(text, end, 0);
    if (*end == text || size > UINT64_C(1) << 32) nfj_usage("argument %s: no size", a->text);
    return size;
}

static void parse_zero(struct argument *a, const char *text)
{
    char *end = NULL;
    a->kind = ARG_BUFFER;
    a->size = parse_size(a, text, &end);
    a->bytes = nfj_alloc(a->size);
    snprintf(a->element, sizeof a->element, "%s", *end == ':' ? end + 1 : a->size % 4 ? "uchar" : "int");
    if (!size_of(a->element, strlen(a->element))) nfj_usage("argument %s: no type %s", a->text, a->element);
}

void nfj_parse_argument(struct argument *a, const char *text)
{
    char *end = NULL;
    a->text = text;
    if (!strncmp(text, "buffer:", 7)) {
        a->kind = ARG_BUFFER;
        parse_lists(a, text + 7);
    } else if (!strncmp(text, "zero:", 5)) {
        parse_zero(a, text + 5);
    } else if (!strncmp(text, "local:", 6)) {
        a->kind = ARG_LOCAL;
        a->size = parse_size(a, text + 6, &end);
    } else if (!strncmp(text, "same:", 5)) {
        a->kind = ARG_SAME;
        a->same = parse_target(a, text + 5, &end, &a->offset);
    } else if (!strncmp(text, "hex:", 4)) {
        a->kind = ARG_BUFFER;
        parse_lists(a, text);
    } else if (!strcmp(text, "null")) {
        a->kind = ARG_NULL;
    } else if (!strncmp(text, "struct:", 7)) {
        a->kind = ARG_VALUE;
        parse_struct(a, text + 7);
    } else {
        a->kind = ARG_VALUE;
        parse_lists(a, text);
    }
}

/* Returns the argument that owns the buffer of argument `number`: for `same:N`, argument N. */
static struct argument *target_of(struct options *o, const char *text, int number)
{
    if (number >= o->arg_count || o->args[number].kind != ARG_BUFFER)
        nfj_usage("argument %s: argument %d is no buffer", text, number);
    return &o->args[number];
}

static void fix_up(struct judge *j, struct options *o, struct argument *a, const struct fixup *fixup)
{
    const struct argument *target = target_of(o, a->text, fixup->target);
    struct cell cell = nfj_pointer_to(j, target->object, SPACE_GLOBAL);
    cell.bits += fixup->offset;
    memcpy(a->bytes + fixup->at, &cell.bits, 8);
    if (a->kind == ARG_BUFFER) nfj_store_leaf(&j->objects.at[a->object], fixup->at, 8, &cell);
}

/* Creates the objects for the arguments of a run, and writes their addresses where other arguments refer to them. */
void nfj_bind_arguments(struct judge *j, struct options *o)
{
    for (int i = 0; i < o->arg_count; i++) {
        struct argument *a = &o->args[i];
        if (a->kind != ARG_BUFFER && a->kind != ARG_LOCAL) continue;
        a->object = nfj_new_object(j, a->kind == ARG_LOCAL ? SPACE_LOCAL : SPACE_GLOBAL, a->size, 128, NULL);
        j->objects.at[a->object].argument = (int16_t)i;
        if (a->kind == ARG_LOCAL)
            PUSH(j->locals, a->object);
        else
            memcpy(j->objects.at[a->object].data, a->bytes, a->size);
    }
    for (int i = 0; i < o->arg_count; i++) {
        struct argument *a = &o->args[i];
        if (a->kind == ARG_SAME) a->object = target_of(o, a->text, a->same)->object;
        for (uint32_t k = 0; k < a->fixups.count; k++)
            fix_up(j, o, a, &a->fixups.at[k]);
    }
}
