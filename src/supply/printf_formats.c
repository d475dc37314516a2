/* SPDX-License-Identifier: Apache-2.0 */
/*
 * printf_formats.c - replaces format strings of printf that are computed at run time, for a driver that requires
 * constant formats.
 *
 *     %f = OpFunctionParameter %_ptr_UniformConstant_uchar       calls pass "item %d\n" or "row %d\n"
 *     %r = OpExtInst %uint %std printf %f %i
 *
 *     %r = OpFunctionCall %uint %nonflat_printf %f %i           f is the address of "item %d\n": printf("item %d\n", i)
 *                                                               f is the address of "row %d\n":  printf("row %d\n", i)
 *                                                               else nothing is printed, and the result is -1
 *
 * SYCL's printf, and the wrappers that programs write, are functions that take the format as a parameter: the
 * instruction has a constant format only where all of them are inlined. The same applies to the strings that %s prints.
 * For each string to which the pointer may point there is a separate printf, with a copy of the string that has no
 * other use: the original may have to be in global memory, because its address is taken. A pointer that may be in
 * several storage classes is an integer at this stage, its flat address, which for a string is the device's address.
 *
 * The hard case is a pointer about which nothing is known: it may be the address of any string, and nothing is printed
 * if it is another address, such as one in the middle of a string. A printf is left as it is if no string of the module
 * fits, or if the combinations of strings would need more than MOST_ARMS calls of printf.
 *
 * needs: a module that was read, and its types.  gives: the words of a new module, to be read again.
 */
#include "supply/internal.h"

enum { MOST_PRINTED = 31, MOST_ARMS = 256, FORMAT_WORD = 5 };

/* A module-scope constant that is a string terminated by zero. */
struct text {
    uint32_t variable, copy, storage;
    char values[MOST_PRINTED + 1]; /* the string as a format: the conversion letter of each value */
    bool is_format;                /* it has at most MOST_PRINTED conversions */
};

struct formats {
    struct nf_edit to;
    struct nf_values_of values;
    struct text *texts;
    uint32_t count;
    struct nf_words variables, helpers;
};

/* ---- Strings of the module ---- */

/* Returns the string that initializes the variable, or NULL. */
static char *read_text(const struct nf_module *m, uint32_t variable)
{
    uint32_t at = m->def[variable], initializer = nf_length(m, at) > 4 ? nf_variable_initializer(m, at) : 0;
    const struct nf_type *array = nf_type(m, nf_type(m, nf_value_type(m, at))->element);
    if (array->kind != NF_KIND_ARRAY || nf_type(m, array->element)->size != 1 || !initializer) return NULL;
    uint32_t from = m->def[initializer], length = nf_length(m, from);
    if (nf_opcode(m, from) != OpConstantComposite) return NULL;
    char *bytes = NF_NEW(m->arena, char, length);
    for (uint32_t i = 0; i < nf_constituent_count(m, from); i++) {
        int64_t value;
        if (!nf_constant(m, nf_constituent(m, from, i), &value)) return NULL;
        bytes[i] = (char)value;
    }
    return bytes[length - 4] ? NULL : bytes;
}

static void read_conversions(const char *bytes, struct text *text)
{
    uint32_t count = 0;
    for (const char *c = strchr(bytes, '%'); c; c = strchr(c, '%')) {
        c += 1 + strspn(c + 1, "-+ #0123456789.vhl");
        if (!*c || count > MOST_PRINTED) break;
        if (*c != '%' && count < MOST_PRINTED) text->values[count] = *c;
        count += *c++ != '%';
    }
    text->is_format = count <= MOST_PRINTED;
}

static void find_texts(struct formats *f)
{
    const struct nf_module *m = f->to.m;
    f->texts = NF_NEW(m->arena, struct text, m->variable_count + 1);
    for (uint32_t i = 0; i < m->variable_count; i++) {
        uint32_t id = m->variables[i], storage = nf_variable_storage_class(m, m->def[id]);
        bool constant = storage == NF_STORAGE_UNIFORM_CONSTANT ||
                        (storage == NF_STORAGE_CROSS_WORKGROUP && m->linkage[id] & NF_IS_CONSTANT);
        char *bytes = constant ? read_text(m, id) : NULL;
        if (!bytes) continue;
        struct text *text = &f->texts[f->count++];
        text->variable = id;
        text->storage = storage;
        read_conversions(bytes, text);
    }
}

/* ---- Classifying pointers ---- */

static struct text *text_of(const struct formats *f, uint32_t id)
{
    uint32_t root = nf_root_of(f->to.m, id);
    for (uint32_t i = 0; i < f->count; i++)
        if (f->texts[i].variable == root) return &f->texts[i];
    return NULL;
}

/* Returns true for the type of pointers to several storage classes, which are integers at this stage. */
static bool is_address(const struct nf_module *m, const struct nf_type *type)
{
    return type->kind == NF_KIND_INT && nf_width_of(m, type) == m->address_bits;
}

/* Returns true if `id` is computed in a function and may point to one of the strings. A module-scope constant that is
 * not a string of the module is left to the driver. */
static bool is_computed(const struct formats *f, uint32_t id)
{
    const struct nf_module *m = f->to.m;
    const struct nf_type *type = nf_type_of(m, id);
    if (is_address(m, type)) return true;
    bool constant = type->kind == NF_KIND_POINTER &&
                    (type->storage == NF_STORAGE_UNIFORM_CONSTANT || type->storage == NF_STORAGE_CROSS_WORKGROUP);
    return constant && !text_of(f, id) && m->def[nf_root_of(m, id)] >= m->body_at;
}

/* Returns true if a driver cannot read `id` as a constant string: it is computed, or the string is in global memory. */
static bool is_unreadable(const struct formats *f, uint32_t id)
{
    const struct text *text = text_of(f, id);
    return is_computed(f, id) || (text && text->storage == NF_STORAGE_CROSS_WORKGROUP);
}

/* ---- One printf ---- */

struct printing {
    struct formats *f;
    uint32_t at, count, type;              /* the instruction, its number of values, its result type */
    uint32_t parameters[MOST_PRINTED + 1]; /* ids of the helper function's parameters: the format and the values */
    const struct text *chosen[MOST_PRINTED + 1];
    const struct text *format;
    struct nf_words out;
};

static uint32_t operand(const struct printing *p, uint32_t i)
{
    return nf_extended_operand(p->f->to.m, p->at, i);
}

/* Returns true if the printf conversion `letter` prints values of `type`. */
static bool is_of_kind(const struct nf_module *m, const struct nf_type *type, char letter)
{
    if (type->kind == NF_KIND_VECTOR) type = nf_type(m, type->element);
    if (strchr("sp", letter)) return type->kind == NF_KIND_POINTER || is_address(m, type);
    return type->kind == (strchr("aefgAEFG", letter) ? NF_KIND_FLOAT : NF_KIND_INT);
}

static bool matches_values(const struct printing *p, const struct text *text)
{
    const struct nf_module *m = p->f->to.m;
    bool good = text->is_format && strlen(text->values) == p->count;
    for (uint32_t i = 1; i <= p->count && good; i++)
        good = is_of_kind(m, nf_type_of(m, operand(p, i)), text->values[i - 1]);
    return good;
}

static bool is_text_value(const struct text *format, uint32_t i)
{
    return i == 0 || format->values[i - 1] == 's';
}

/* Returns true if the pointer may be the address of `text`. With `text` NULL it only requests the set of values of
 * `id`. */
static bool may_point(struct formats *f, uint32_t id, const struct text *text)
{
    const struct nf_values *set = nf_values_request(&f->values, id);
    bool found = set->any;
    for (uint32_t k = 0; text && k < set->count && !found; k++)
        found = set->at[k] == text->variable;
    return found && text && text->storage == nf_type_of(f->to.m, id)->storage;
}

/* As may_point(), for a pointer or an integer that may be an address. Returns true for a chain of selects that is too
 * long to follow, and for every other integer but an XOR. */
static bool may_be_address_of(struct formats *f, uint32_t id, const struct text *text, int depth)
{
    enum { DEEP = 8 };
    const struct nf_module *m = f->to.m;
    uint32_t at = m->def[id], opcode = nf_opcode(m, at);
    if (!is_address(m, nf_type_of(m, id))) return may_point(f, id, text);
    if (depth > DEEP) return true;
    if (opcode == OpConvertPtrToU) return may_point(f, nf_value_operand(m, at, 0), text);
    if (opcode != OpSelect) return opcode != OpBitwiseXor;
    bool first = may_be_address_of(f, nf_select_true(m, at), text, depth + 1);
    return may_be_address_of(f, nf_select_false(m, at), text, depth + 1) || first;
}

/* Returns true if operand `i` may be `text`; if the operand is the format, `text` must also match the values. */
static bool may_be(const struct printing *p, const struct text *text, uint32_t i)
{
    return may_be_address_of(p->f, operand(p, i), text, 0) && (i > 0 || matches_values(p, text));
}

static uint32_t define(struct printing *p, uint32_t opcode, uint32_t type, const uint32_t *words, uint32_t count)
{
    return nf_edit_define(&p->f->to, opcode, type, words, count);
}

static uint32_t byte_pointer(struct printing *p, uint32_t storage)
{
    uint32_t byte = define(p, OpTypeInt, 0, (uint32_t[]){8, 0}, 2);
    return define(p, OpTypePointer, 0, (uint32_t[]){storage, byte}, 2);
}

/* Emits a pointer to the copy of `text` that only printf uses. */
static uint32_t emit_copy_pointer(struct printing *p, struct text *text)
{
    const struct nf_module *m = p->f->to.m;
    uint32_t at = m->def[text->variable];
    uint32_t pointer = define(p, OpTypePointer, 0,
                              (uint32_t[]){NF_STORAGE_UNIFORM_CONSTANT, nf_type(m, nf_value_type(m, at))->element}, 2);
    if (!text->copy) {
        text->copy = nf_build_id(&p->f->to.build);
        nf_build(&p->f->variables, OpVariable,
                 (uint32_t[]){pointer, text->copy, NF_STORAGE_UNIFORM_CONSTANT, nf_variable_initializer(m, at)}, 4);
    }
    uint32_t id = nf_build_id(&p->f->to.build), type = byte_pointer(p, NF_STORAGE_UNIFORM_CONSTANT);
    nf_build(&p->out, OpBitcast, (uint32_t[]){type, id, text->copy}, 3);
    return id;
}

/* Emits the printf with the constants chosen so far. Returns its result. */
static uint32_t emit_printf(struct printing *p, uint32_t id)
{
    uint32_t words[FORMAT_WORD + MOST_PRINTED + 1] = {p->type, id, p->f->to.m->ext_opencl,
                                                      nf_extended_number(p->f->to.m, p->at)};
    for (uint32_t i = 0; i <= p->count; i++)
        words[4 + i] = p->chosen[i] ? emit_copy_pointer(p, (struct text *)p->chosen[i]) : p->parameters[i];
    nf_build(&p->out, OpExtInst, words, 5 + p->count);
    return id;
}

static void emit_return(struct printing *p, uint32_t value)
{
    nf_build(&p->out, OpReturnValue, &value, 1);
}

static uint32_t emit_address(struct printing *p, uint32_t pointer)
{
    uint32_t type = define(p, OpTypeInt, 0, (uint32_t[]){p->f->to.m->address_bits, 0}, 2);
    uint32_t id = nf_build_id(&p->f->to.build);
    nf_build(&p->out, OpConvertPtrToU, (uint32_t[]){type, id, pointer}, 3);
    return id;
}

/* Emits, into the current block, comparisons that choose the strings of operand `i` and of the following operands, and
 * the printf for each combination; if no string equals the operand, the result is -1. An operand that is a constant
 * string is set in p->chosen, because in the helper it is only a parameter. */
static void emit_choice(struct printing *p, uint32_t i)
{
    struct formats *f = p->f;
    while (i <= p->count && !(is_text_value(p->format, i) && is_computed(f, operand(p, i)))) {
        p->chosen[i] = is_text_value(p->format, i) ? text_of(f, operand(p, i)) : NULL;
        i++;
    }
    if (i > p->count) {
        emit_return(p, emit_printf(p, nf_build_id(&f->to.build)));
        return;
    }
    uint32_t truth = define(p, OpTypeBool, 0, NULL, 0);
    for (uint32_t k = 0; k < f->count; k++) {
        if (!may_be(p, &f->texts[k], i)) continue;
        uint32_t same = nf_build_id(&f->to.build), yes = nf_build_id(&f->to.build), no = nf_build_id(&f->to.build);
        bool number = is_address(f->to.m, nf_type_of(f->to.m, operand(p, i)));
        uint32_t given = number ? p->parameters[i] : emit_address(p, p->parameters[i]);
        uint32_t own = emit_address(p, f->texts[k].variable);
        nf_build(&p->out, OpIEqual, (uint32_t[]){truth, same, given, own}, 4);
        nf_build(&p->out, OpBranchConditional, (uint32_t[]){same, yes, no}, 3);
        nf_build(&p->out, OpLabel, &yes, 1);
        p->chosen[i] = &f->texts[k];
        if (i == 0) p->format = &f->texts[k];
        emit_choice(p, i + 1);
        p->chosen[i] = NULL;
        nf_build(&p->out, OpLabel, &no, 1);
    }
    emit_return(p, define(p, OpConstant, p->type, (uint32_t[]){UINT32_MAX}, 1));
}

/* Returns the number of calls of printf needed for the choices from operand `i` on, MOST_ARMS + 1 if there are more
 * than MOST_ARMS. */
static uint32_t count_arms(const struct printing *p, const struct text *format, uint32_t i)
{
    uint32_t all = 1;
    for (; i <= p->count; i++) {
        uint32_t own = 0;
        if (!is_text_value(format, i) || !is_computed(p->f, operand(p, i))) continue;
        for (uint32_t k = 0; k < p->f->count; k++)
            own += may_be(p, &p->f->texts[k], i);
        all = all * own > MOST_ARMS ? MOST_ARMS + 1 : all * own;
    }
    return all;
}

static uint32_t count_all_arms(const struct printing *p)
{
    uint32_t all = 0;
    if (p->format) return count_arms(p, p->format, 1);
    for (uint32_t k = 0; k < p->f->count && all <= MOST_ARMS; k++)
        if (may_be(p, &p->f->texts[k], 0)) all += count_arms(p, &p->f->texts[k], 1);
    return all;
}

static uint32_t emit_helper(struct printing *p)
{
    struct formats *f = p->f;
    const struct nf_module *m = f->to.m;
    uint32_t types[MOST_PRINTED + 2] = {p->type}, id = nf_build_id(&f->to.build), label = nf_build_id(&f->to.build);
    for (uint32_t i = 0; i <= p->count; i++)
        types[i + 1] = nf_type_of(m, operand(p, i))->id;
    uint32_t type = define(p, OpTypeFunction, 0, types, p->count + 2);
    nf_build(&p->out, OpFunction, (uint32_t[]){p->type, id, 0, type}, 4);
    for (uint32_t i = 0; i <= p->count; i++) {
        p->parameters[i] = nf_build_id(&f->to.build);
        nf_build(&p->out, OpFunctionParameter, (uint32_t[]){types[i + 1], p->parameters[i]}, 2);
    }
    nf_build(&p->out, OpLabel, &label, 1);
    emit_choice(p, 0);
    nf_build(&p->out, OpFunctionEnd, NULL, 0);
    nf_append_words(&f->helpers, p->out.at, p->out.count);
    return id;
}

/* ---- The module ---- */

static bool is_printf(const struct nf_module *m, uint32_t at)
{
    return nf_opcode(m, at) == OpExtInst && nf_role_at(m, at) == NF_ROLE_printf &&
           nf_length(m, at) <= FORMAT_WORD + 1 + MOST_PRINTED;
}

/* Returns true if `at` is a printf whose format, or a string for %s, cannot be read by the driver; then `p` describes
 * the printf. A printf with a constant format that does not match the values stays as it is. */
static bool set_up(struct formats *f, uint32_t at, struct printing *p)
{
    const struct nf_module *m = f->to.m;
    if (!is_printf(m, at)) return false;
    *p = (struct printing){.f = f, .at = at, .count = nf_length(m, at) - FORMAT_WORD - 1, .type = nf_value_type(m, at)};
    p->out.arena = m->arena;
    bool hidden = is_unreadable(f, operand(p, 0));
    p->format = text_of(f, operand(p, 0));
    if (!is_computed(f, operand(p, 0)) && (!p->format || !matches_values(p, p->format))) return false;
    for (uint32_t i = 1; i <= p->count && !hidden; i++)
        hidden = is_text_value(p->format, i) && is_unreadable(f, operand(p, i));
    return hidden;
}

static void emit_call(struct formats *f, struct printing *p)
{
    const struct nf_module *m = f->to.m;
    uint32_t words[3 + MOST_PRINTED + 1] = {p->type, nf_value_id(m, p->at), emit_helper(p)};
    memcpy(words + 3, m->words + p->at + FORMAT_WORD, (p->count + 1) * sizeof *words);
    nf_edit_emit(&f->to, OpFunctionCall, words, 4 + p->count);
}

bool nf_supply_printf_formats(struct nf_module *m, struct nf_words *out)
{
    struct formats f = {.to = nf_edit_begin(m), .variables = {.arena = m->arena}, .helpers = {.arena = m->arena}};
    struct printing p;
    bool any = false;
    for (uint32_t at = m->body_at; at < m->count && !any; at = nf_next(m, at))
        any = is_printf(m, at);
    if (!any) return false;
    find_texts(&f);
    f.values = nf_values_begin(m);
    any = false;
    for (uint32_t at = m->body_at; at < m->count; at = nf_next(m, at)) {
        if (!set_up(&f, at, &p)) continue;
        any = true;
        for (uint32_t i = 0; i <= p.count; i++)
            may_be_address_of(&f, operand(&p, i), NULL, 0);
    }
    if (!any) return false;
    nf_values_solve(&f.values);
    for (uint32_t at = m->body_at; at < m->count; at = nf_next(m, at)) {
        uint32_t arms = set_up(&f, at, &p) ? count_all_arms(&p) : 0;
        if (arms > 0 && arms <= MOST_ARMS)
            emit_call(&f, &p);
        else
            nf_edit_keep(&f.to, at, nf_next(m, at));
    }
    nf_append_words(&f.to.out, f.helpers.at, f.helpers.count);
    nf_append_words(&f.to.build.definitions, f.variables.at, f.variables.count);
    nf_edit_module_scope(&f.to);
    nf_edit_keep(&f.to, NF_HEADER_WORDS, m->body_at);
    *out = nf_edit_end(&f.to);
    return true;
}
