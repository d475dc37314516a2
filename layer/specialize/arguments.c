/* SPDX-License-Identifier: Apache-2.0 */
/*
 * arguments.c - reads facts about the arguments of a kernel from a module. Takes the module, which the core has
 * accepted; gives a record in the form of nonflat-cl's notes: a line of attributes, which is empty, and for each
 * argument a line with address space, access, type, type qualifiers and name, separated by tabs.
 *
 *     OpName %p "data"    OpFunctionParameter %_ptr_CrossWorkgroup_float %p    ->    1  none  float*    data
 *
 * Compilers may store the types as written in the source, in OpString "kernel_arg_type.KERNEL.float*,int,", and the
 * qualifiers likewise. Without these, a type is described from SPIR-V, where integers have no sign.
 */
#define _GNU_SOURCE
#include "layer/specialize/module_words.h"
#include "layer/specialize/specialize.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

enum {
    OP_NAME = 5,
    OP_STRING = 7,
    OP_ENTRY_POINT = 15,
    OP_TYPE_VOID = 19,
    OP_TYPE_INT = 21,
    OP_TYPE_FLOAT = 22,
    OP_TYPE_VECTOR = 23,
    OP_TYPE_IMAGE = 25,
    OP_TYPE_SAMPLER = 26,
    OP_TYPE_STRUCT = 30,
    OP_TYPE_POINTER = 32,
    OP_TYPE_PIPE = 38,
    OP_FUNCTION = 54,
    OP_PARAMETER = 55,
    OP_DECORATE = 71,
    RESTRICT = 19,
    VOLATILE = 21,
    PARAMETER_ATTRIBUTE = 38,
    NO_ALIAS = 4,
    NO_WRITE = 6,
    DEEPEST_TYPE = 4
};

/* A module with the positions of the instruction that defines each type and of the instruction that names each id. */
struct index {
    const struct nf_cl_bytes *module;
    size_t words, function; /* the position of the kernel's OpFunction, 0: not found */
    uint32_t bound, kernel; /* the kernel's id */
    size_t *type_at, *name_at;
};

static uint32_t word(const struct index *index, size_t at)
{
    return at < index->words ? nf_cl_word_at(index->module, at) : 0;
}

static uint32_t opcode(const struct index *index, size_t at)
{
    return at ? nf_cl_opcode_of(word(index, at)) : 0;
}

/* Returns the position of the next instruction, or 0 at the end. */
static size_t next(const struct index *index, size_t at)
{
    size_t length = nf_cl_length_of(word(index, at));
    return length && length < index->words - at ? at + length : 0;
}

static bool is_text(const struct index *index, size_t at, uint32_t first, const char *wanted)
{
    char *text = nf_cl_string_at(index->module, at, first);
    bool is = text && strcmp(text, wanted) == 0;
    free(text);
    return is;
}

static void note(struct index *index, size_t at, const char *kernel)
{
    uint32_t op = opcode(index, at), id = word(index, at + 1);
    if (op == OP_ENTRY_POINT && is_text(index, at, 3, kernel)) index->kernel = word(index, at + 2);
    if (op == OP_NAME && id < index->bound) index->name_at[id] = at;
    if (op >= OP_TYPE_VOID && op <= OP_TYPE_PIPE && id < index->bound) index->type_at[id] = at;
    if (op == OP_FUNCTION && word(index, at + 2) == index->kernel) index->function = at;
}

/* Fills the index, up to the kernel's function. @return false if out of memory, if the module lacks the kernel, or if
 * its ids are too large for its size. */
static bool fill(struct index *index, const char *kernel)
{
    index->bound = index->words > NF_CL_HEADER_WORDS ? word(index, 3) : 0;
    if (index->bound > index->words) return false; /* most ids would be undefined */
    index->type_at = calloc(index->bound + 1, sizeof *index->type_at);
    index->name_at = calloc(index->bound + 1, sizeof *index->name_at);
    if (!index->type_at || !index->name_at) return false;
    for (size_t at = NF_CL_HEADER_WORDS; at && !index->function; at = next(index, at))
        note(index, at, kernel);
    return index->function;
}

/* ---- types ---- */

static size_t type_of(const struct index *index, uint32_t id)
{
    return id < index->bound ? index->type_at[id] : 0;
}

/* The text that is being written. */
struct record {
    struct nf_cl_bytes text; /* with a NUL after it that is not counted */
    bool whole;              /* `text` is complete; false if memory was exhausted */
};

static void __attribute__((format(NF_CL_PRINTF, 2, 3))) say(struct record *out, const char *format, ...)
{
    char *text = NULL;
    va_list arguments;
    va_start(arguments, format);
    int length = vasprintf(&text, format, arguments);
    va_end(arguments);
    out->whole = out->whole && length >= 0 && nf_cl_append(&out->text, text, (size_t)length);
    if (out->whole) ((char *)out->text.data)[out->text.size] = '\0';
    if (length >= 0) free(text);
}

static void print_name(struct record *out, const struct index *index, uint32_t id, const char *otherwise)
{
    size_t at = id < index->bound ? index->name_at[id] : 0;
    char *name = at ? nf_cl_string_at(index->module, at, 2) : NULL;
    for (char *c = name; c && *c; c++)
        if (*c == '\t' || *c == '\n') *c = ' ';
    say(out, "%s", name ? name : otherwise);
    free(name);
}

static void print_number(struct record *out, uint32_t bits, const char *const names[4])
{
    say(out, "%s", names[bits == 8 ? 0 : bits == 16 ? 1 : bits == 64 ? 3 : 2]);
}

static void print_image(struct record *out, const struct index *index, size_t at)
{
    static const char *const dimensions[] = {"1d", "2d", "3d", "2d", "2d", "1d_buffer"};
    uint32_t dimension = word(index, at + 3), depth = word(index, at + 4), array = word(index, at + 5);
    say(out, "image%s%s%s_t", dimensions[dimension < 6 ? dimension : 1], array ? "_array" : "",
        depth == 1 ? "_depth" : "");
}

/* Prints the type at `at`; `depth` limits the nesting of pointers and vectors. */
static void print_type(struct record *out, const struct index *index, size_t at, int depth)
{
    static const char *const integers[] = {"uchar", "ushort", "uint", "ulong"}, *const floats[] = {"half", "half",
                                                                                                   "float", "double"};
    switch (depth > DEEPEST_TYPE ? 0 : opcode(index, at)) {
    case OP_TYPE_INT: print_number(out, word(index, at + 2), integers); return;
    case OP_TYPE_FLOAT: print_number(out, word(index, at + 2), floats); return;
    case OP_TYPE_VECTOR:
        print_type(out, index, type_of(index, word(index, at + 2)), depth + 1);
        say(out, "%u", word(index, at + 3));
        return;
    case OP_TYPE_IMAGE: print_image(out, index, at); return;
    case OP_TYPE_SAMPLER: say(out, "%s", "sampler_t"); return;
    case OP_TYPE_POINTER:
        print_type(out, index, type_of(index, word(index, at + 3)), depth + 1);
        say(out, "*");
        return;
    case OP_TYPE_STRUCT: print_name(out, index, word(index, at + 1), "struct"); return;
    default: say(out, "%s", "void");
    }
}

/* ---- arguments ---- */

/* Returns the address space as an index into nonflat-cl's list of memories. */
static int memory_of(const struct index *index, size_t type)
{
    static const int memories[] = {[0] = 2, [4] = 3, [5] = 1};
    uint32_t storage = word(index, type + 2);
    if (opcode(index, type) == OP_TYPE_IMAGE) return 1;
    return opcode(index, type) == OP_TYPE_POINTER && storage < 6 ? memories[storage] : 0;
}

static const char *access_of(const struct index *index, size_t type)
{
    static const char *const words[] = {"read_only", "write_only", "read_write"};
    enum { WITH_ACCESS = 10 };
    if (opcode(index, type) != OP_TYPE_IMAGE) return "none";
    uint32_t access = nf_cl_length_of(word(index, type)) >= WITH_ACCESS ? word(index, type + 9) : 0;
    return words[access < 3 ? access : 0];
}

static bool is_decorated(const struct index *index, uint32_t id, uint32_t decoration, uint32_t value)
{
    for (size_t at = NF_CL_HEADER_WORDS; at && at < index->function; at = next(index, at))
        if (opcode(index, at) == OP_DECORATE && word(index, at + 1) == id && word(index, at + 2) == decoration &&
            (decoration != PARAMETER_ATTRIBUTE || word(index, at + 3) == value))
            return true;
    return false;
}

static void print_qualifiers(struct record *out, const struct index *index, uint32_t id, size_t type)
{
    if (opcode(index, type) == OP_TYPE_PIPE) say(out, "%s", "pipe");
    if (opcode(index, type) != OP_TYPE_POINTER) return;
    if (is_decorated(index, id, PARAMETER_ATTRIBUTE, NO_WRITE) || memory_of(index, type) == 2) say(out, "%s", "const ");
    if (is_decorated(index, id, RESTRICT, 0) || is_decorated(index, id, PARAMETER_ATTRIBUTE, NO_ALIAS))
        say(out, "%s", "restrict ");
    if (is_decorated(index, id, VOLATILE, 0)) say(out, "%s", "volatile ");
}

/* Prints element `number` of the list that the compiler stored as a string that begins with `label`, such as
 * "kernel_arg_type.KERNEL.". @return false if there is none. */
static bool print_stored(struct record *out, const struct index *index, const char *label, uint32_t number)
{
    bool found = false;
    for (size_t at = NF_CL_HEADER_WORDS; at && at < index->function && !found; at = next(index, at)) {
        char *text = opcode(index, at) == OP_STRING ? nf_cl_string_at(index->module, at, 2) : NULL;
        const char *element = text && strncmp(text, label, strlen(label)) == 0 ? text + strlen(label) : NULL;
        for (uint32_t i = 0; i < number && element; i++)
            element = (element = strchr(element, ',')) ? element + 1 : NULL;
        found = element && strchr(element, ',');
        if (found) say(out, "%.*s", (int)strcspn(element, ",\t\n"), element);
        free(text);
    }
    return found;
}

static void print_argument(struct record *out, const struct index *index, const char *labels[2], size_t at,
                           uint32_t number)
{
    size_t type = type_of(index, word(index, at + 1)), shown = type;
    bool by_value = opcode(index, type) == OP_TYPE_POINTER && memory_of(index, type) == 0;
    if (by_value) shown = type_of(index, word(index, type + 3));
    say(out, "%d\t%s\t", memory_of(index, type), access_of(index, type));
    if (!print_stored(out, index, labels[0], number)) print_type(out, index, shown, 0);
    say(out, "\t");
    if (!print_stored(out, index, labels[1], number)) print_qualifiers(out, index, word(index, at + 2), shown);
    say(out, "\t");
    print_name(out, index, word(index, at + 2), "");
    say(out, "\n");
}

char *nf_cl_kernel_record(const struct nf_cl_bytes *module, const char *kernel)
{
    struct index index = {.module = module, .words = module->size / sizeof(uint32_t)};
    char *types = nf_cl_format("kernel_arg_type.%s.", kernel),
         *qualifiers = nf_cl_format("kernel_arg_type_qual.%s.", kernel);
    const char *labels[] = {types, qualifiers};
    struct record record = {{NULL, 0}, false};
    uint32_t number = 0;
    if (types && qualifiers && fill(&index, kernel)) {
        record.whole = true;
        say(&record, "\n");
        for (size_t at = next(&index, index.function); at && opcode(&index, at) == OP_PARAMETER; at = next(&index, at))
            print_argument(&record, &index, labels, at, number++);
    }
    if (!record.whole) free(record.text.data);
    free(index.type_at);
    free(index.name_at);
    free(types);
    free(qualifiers);
    return record.whole ? record.text.data : NULL;
}
