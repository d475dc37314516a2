/* SPDX-License-Identifier: Apache-2.0 */
/*
 * mathematics.c - replaces functions of OpenCL.std that the libraries of some drivers of Mesa lack.
 *
 *     %s = OpExtInst %float %std sincos %x %p              %s = OpFunctionCall %float %nonflat_sin_32 %x
 *                                                          %c = OpFunctionCall %float %nonflat_cos_32 %x
 *                                                          OpStore %p %c
 *
 * Mesa 26.2 with the libclc of LLVM lacks fma and all functions that use it: the driver reports 'nir_shader not fully
 * linked'. The library's functions are as accurate as OpenCL requires. Vectors are split into components. half is
 * computed as float, except fma, which has a function of its own because float would round twice. remquo of half, and
 * all functions of double, are left to the driver. Mesa 25.0 lacks asin, exp2 and log of half only, so these become the
 * driver's own functions of float.
 *
 * needs: a module that was read, and its types.  gives: the words of a new module, to be read again.
 */
#include "supply/internal.h"

enum { ASIN = 3, COS = 14, EXP2 = 20, FMA = 26, LOG = 37, REMAINDER = 51 }; /* of OpenCL.std */
enum { REMQUO = 52, SIN = 57, SINCOS = 58, TAN = 62, MOST_PARTS = 16 };

struct replaced {
    uint32_t number, arguments; /* number of the instruction in OpenCL.std; number of operands that are values */
    const char *name, *second;  /* the library's functions: for the result, for the stored second result */
};
static const struct replaced half_functions[] = {{ASIN, 1, NULL, NULL}, {EXP2, 1, NULL, NULL}, {LOG, 1, NULL, NULL}};
static const struct replaced functions[] = {
    {COS, 1, "nonflat_cos_32", NULL},
    {67, 1, "nonflat_cos_32", NULL}, /* half_cos; below, half_sin and half_tan */
    {SIN, 1, "nonflat_sin_32", NULL},
    {78, 1, "nonflat_sin_32", NULL},
    {TAN, 1, "nonflat_tan_32", NULL},
    {80, 1, "nonflat_tan_32", NULL},
    {SINCOS, 1, "nonflat_sin_32", "nonflat_cos_32"},
    {FMA, 3, "nonflat_fma_32", NULL},
    {REMQUO, 2, NULL, "nonflat_quotient_32"},
};

struct mathematics {
    struct nf_edit to;
    struct nf_library library;
};

static const struct nf_type *element_of(const struct nf_module *m, uint32_t type_id)
{
    return nf_scalar_of(m, nf_type(m, type_id));
}

static const struct replaced *find(const struct nf_module *m, uint32_t at)
{
    if (nf_opcode(m, at) != OpExtInst || !m->ext_opencl || nf_extended_set(m, at) != m->ext_opencl) return NULL;
    uint32_t number = nf_extended_number(m, at), type = nf_value_type(m, at);
    const struct nf_type *element = element_of(m, type);
    bool half = element->size == 2 && number != REMQUO;
    if (element->kind != NF_KIND_FLOAT || !(element->size == 4 || half)) return NULL;
    const nf_profile *profile = m->options->profile;
    if (half && nf_has_fault(profile, NF_FAULT_MESA_MISSING_HALF))
        for (size_t i = 0; i < sizeof half_functions / sizeof *half_functions; i++)
            if (half_functions[i].number == number) return &half_functions[i];
    if (nf_has_fault(profile, NF_FAULT_MESA_MISSING_FMA))
        for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
            if (functions[i].number == number) return &functions[i];
    return NULL;
}

static uint32_t emit(struct mathematics *n, uint32_t opcode, uint32_t type, const uint32_t *operands, uint32_t count)
{
    uint32_t words[MOST_PARTS + 2] = {type, nf_build_id(&n->to.build)};
    memcpy(words + 2, operands, count * sizeof *operands);
    nf_edit_emit(&n->to, opcode, words, count + 2);
    return words[1];
}

static uint32_t float_type(struct mathematics *n)
{
    return nf_edit_define(&n->to, OpTypeFloat, 0, (uint32_t[]){32}, 1);
}

/* Emits component `index` of the value as a float; MOST_PARTS means a scalar. */
static uint32_t argument(struct mathematics *n, uint32_t id, uint32_t index)
{
    const struct nf_type *element = element_of(n->to.m, nf_type_of(n->to.m, id)->id);
    if (index < MOST_PARTS) id = emit(n, OpCompositeExtract, element->id, (uint32_t[]){id, index}, 2);
    return element->size == 4 ? id : emit(n, OpFConvert, float_type(n), &id, 1);
}

/* Emits a call of the library for one component, and converts the result to the type `result`. Without a name it calls
 * the driver's function `number`, on floats. */
static uint32_t call(struct mathematics *n, const char *name, uint32_t number, uint32_t result, const uint32_t *ids,
                     uint32_t count, uint32_t index)
{
    bool whole = nf_type(n->to.m, result)->kind == NF_KIND_INT;
    uint32_t returned = whole ? nf_edit_define(&n->to, OpTypeInt, 0, (uint32_t[]){32, 0}, 2) : float_type(n);
    uint32_t operands[5] = {name ? nf_library_import(&n->library, name) : n->to.m->ext_opencl, number};
    const uint32_t first = name ? 1 : 2;
    for (uint32_t i = 0; i < count; i++)
        operands[first + i] = argument(n, ids[i], index);
    uint32_t id = emit(n, name ? OpFunctionCall : OpExtInst, returned, operands, first + count);
    return returned == result ? id : emit(n, OpFConvert, result, &id, 1);
}

/* Emits the calls for all components, and composes their results. */
static uint32_t compute(struct mathematics *n, const char *name, uint32_t number, uint32_t type_id, const uint32_t *ids,
                        uint32_t count)
{
    const struct nf_type *type = nf_type(n->to.m, type_id);
    uint32_t parts[MOST_PARTS];
    if (type->kind != NF_KIND_VECTOR) return call(n, name, number, type_id, ids, count, MOST_PARTS);
    uint32_t length = type->count < MOST_PARTS ? type->count : MOST_PARTS;
    for (uint32_t i = 0; i < length; i++)
        parts[i] = call(n, name, number, type->element, ids, count, i);
    return emit(n, OpCompositeConstruct, type_id, parts, length);
}

static bool rewrite(struct nf_edit *e, uint32_t at, void *data)
{
    struct mathematics *n = data;
    const struct nf_module *m = e->m;
    const struct replaced *r = find(m, at);
    if (!r) return false;
    uint32_t number = nf_extended_number(m, at), type = nf_value_type(m, at);
    const uint32_t *operands = m->words + at + 5;
    const char *name = number == FMA && element_of(m, type)->size == 2 ? "nonflat_fma_16" : r->name;
    uint32_t result =
        number != REMQUO
            ? compute(n, name, number, type, operands, r->arguments)
            : emit(n, OpExtInst, type, (uint32_t[]){nf_extended_set(m, at), REMAINDER, operands[0], operands[1]}, 4);
    if (r->second) {
        uint32_t pointer = operands[r->arguments], pointee = nf_type_of(m, pointer)->element;
        uint32_t second = compute(n, r->second, 0, pointee, operands, r->arguments);
        nf_edit_emit(e, OpStore, (uint32_t[]){pointer, second}, 2);
    }
    nf_edit_emit(e, OpCopyObject, (uint32_t[]){type, nf_value_id(m, at), result}, 3);
    return true;
}

bool nf_supply_mathematics(struct nf_module *m, struct nf_words *out)
{
    struct mathematics n = {.to = nf_edit_begin(m)};
    bool any = false;
    for (uint32_t at = m->body_at; at < m->count && !any; at = nf_next(m, at))
        any = find(m, at) != NULL;
    if (!any) return false;
    n.library.to = &n.to;
    for (uint32_t at = m->body_at; at < m->count; at = nf_next(m, at))
        if (!rewrite(&n.to, at, &n)) nf_edit_keep(&n.to, at, nf_next(m, at));
    nf_library_emit(&n.library);
    nf_edit_module_scope(&n.to);
    nf_edit_keep(&n.to, NF_HEADER_WORDS, m->body_at);
    *out = nf_edit_end(&n.to);
    return true;
}
