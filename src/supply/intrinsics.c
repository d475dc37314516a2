/* SPDX-License-Identifier: Apache-2.0 */
/*
 * intrinsics.c - replaces imported functions that compilers assume to exist, and that a device lacks.
 *
 *     %1 = OpFunctionCall %void %llvm_memmove_p0_p0_i64 %to %from %size %false
 *     %2 = OpFunctionCall %bool %llvm_is_constant_i64 %n
 *
 *     %1 = OpFunctionCall %void %nonflat_move_7_7 %to %from %size
 *     %2 = OpCopyObject %bool %false
 *
 * Translators leave LLVM's intrinsics as imported functions where SPIR-V has no exact equivalent. Their names determine
 * their effects; an import whose name is not in the tables below stays. Pointers have concrete storage classes here, so
 * memory intrinsics become calls of the library's loops for these classes; hints are removed, and a query whether a
 * fact is known returns false. Imports without uses are removed as well, because a linker would still try to resolve
 * them.
 *
 * Functions of the host's C++ library are also left as imports, in code that would throw an exception. Such code is
 * assumed never to run: the calls are removed, or return zeros. A function pointer to an exception's destructor becomes
 * null. In bitcode, the tables of its class (vtable and type info) become all zeros, because a linker would look for
 * them. Devices that take bitcode have LLVM's memory intrinsics, so they keep these.
 *
 * A failing SYCL assert calls __devicelib_assert_fail, which some drivers provide. For the others, whose build would
 * fail, it becomes a function that prints the line and the ids, but not the strings: %s takes literals only.
 *
 * For products and quotients of complex numbers, C compilers call functions of their own run-time library, in SPIR-V as
 * well, with the types that such a function has on the host: a number is two scalars, a vector, a structure or an array
 * of two. Each call becomes a call of Nonflat's library, whose functions take scalars and return a vector:
 *
 *     %1 = OpFunctionCall %struct %__muldc3 %a %b %c %d   %2 = OpFunctionCall %v2double %nonflat_product_64 %a %b %c %d
 *                                                         %3 = OpCompositeExtract %double %2 0
 *                                                         %4 = OpCompositeExtract %double %2 1
 *                                                         %1 = OpCompositeConstruct %struct %3 %4
 *
 * needs: a module that was read, and its types.  gives: the words of a new module, to be read again.
 */
#include <stdio.h>

#include "supply/internal.h"

enum replacement { NOT_KNOWN, MOVE, FILL, NOTHING, FIRST, ZEROS, ONES, ASSERT, COMPLEX };
enum {
    ASSERT_PARAMETERS = 10
}; /* parameters: text, file, line, function, three components of the global id, three of the local id */

static const struct intrinsic {
    const char *prefix;
    enum replacement replacement;
} intrinsics[] = {
    {"llvm.memcpy.", MOVE},
    {"llvm.memmove.", MOVE},
    {"llvm.memset.", FILL},
    {"llvm.assume", NOTHING},
    {"llvm.donothing", NOTHING},
    {"llvm.prefetch", NOTHING},
    {"llvm.lifetime.", NOTHING},
    {"llvm.invariant.end", NOTHING},
    {"llvm.stackrestore", NOTHING},
    {"llvm.experimental.noalias.scope.decl", NOTHING},
    {"llvm.var.annotation", NOTHING},
    {"llvm.debugtrap", NOTHING},
    {"llvm.expect.", FIRST},
    {"llvm.annotation.", FIRST},
    {"llvm.ptr.annotation.", FIRST},
    {"llvm.launder.invariant.group", FIRST},
    {"llvm.strip.invariant.group", FIRST},
    {"llvm.ssa.copy", FIRST},
    {"llvm.is.constant.", ZEROS},
    {"llvm.stacksave", ZEROS},
    {"llvm.invariant.start", ZEROS},
    {"llvm.objectsize.", ONES},
    {"__devicelib_assert_fail", ASSERT},
};

/* The functions of complex numbers: complete names, the library's function, the size of a scalar in bytes, and the
 * number of scalars among the arguments. */
static const struct complex {
    const char *name, *replacement;
    uint32_t size, scalars;
} complex_functions[] = {
    {"__mulsc3", "nonflat_product_32", 4, 4},
    {"__muldc3", "nonflat_product_64", 8, 4},
    {"__divsc3", "nonflat_quotient_of_complex_32", 4, 4},
    {"__divdc3", "nonflat_quotient_of_complex_64", 8, 4},
    {"cabsf", "nonflat_absolute_32", 4, 2},
    {"cabs", "nonflat_absolute_64", 8, 2},
};

enum { MEMORY = 3 }; /* number of rows at the beginning of the table that concern memory */

struct intrinsics {
    struct nf_edit to;
    struct nf_library library;
    uint8_t *replacement; /* by function: its replacement, an enum replacement */
    bool *removed;        /* by id: a removed function, or defined in a removed function */
    uint32_t imported;    /* the id of OpenCL.std if it has to be imported, else 0 */
};

static bool takes_bitcode(const struct nf_module *m)
{
    return m->options->profile->flags & NF_PROFILE_SPIR12;
}

static const struct complex *complex_named(const char *name)
{
    for (size_t i = 0; i < sizeof complex_functions / sizeof *complex_functions; i++)
        if (strcmp(name, complex_functions[i].name) == 0) return &complex_functions[i];
    return NULL;
}

bool nf_is_intrinsic(const char *name)
{
    for (size_t i = 0; i < sizeof intrinsics / sizeof *intrinsics; i++)
        if (strncmp(name, intrinsics[i].prefix, strlen(intrinsics[i].prefix)) == 0) return true;
    return complex_named(name) || nf_is_cxx_runtime(name);
}

static enum replacement classify_name(const struct nf_module *m, const char *name)
{
    for (size_t i = takes_bitcode(m) ? MEMORY : 0; i < sizeof intrinsics / sizeof *intrinsics; i++)
        if (strncmp(name, intrinsics[i].prefix, strlen(intrinsics[i].prefix)) == 0) return intrinsics[i].replacement;
    if (complex_named(name)) return COMPLEX;
    return nf_is_cxx_runtime(name) ? ZEROS : NOT_KNOWN;
}

/* Returns 1 if the type is a floating-point scalar of `size` bytes, 2 if it consists of two such scalars; else a number
 * that no function has. */
static uint32_t count_scalars(const struct nf_module *m, uint32_t type_id, uint32_t size)
{
    const struct nf_type *type = nf_type(m, type_id);
    enum { NO_COUNT = 16 };
    if (type->kind == NF_KIND_FLOAT) return type->size == size ? 1 : NO_COUNT;
    if (type->kind == NF_KIND_STRUCT) {
        bool two = type->count == 2 && nf_member_type(m, type->at, 0) == nf_member_type(m, type->at, 1);
        return two && count_scalars(m, nf_member_type(m, type->at, 0), size) == 1 ? 2 : NO_COUNT;
    }
    bool pair = (type->kind == NF_KIND_VECTOR || type->kind == NF_KIND_ARRAY) && type->count == 2;
    return pair && count_scalars(m, type->element, size) == 1 ? 2 : NO_COUNT;
}

/* Returns true if the function has as many scalars as its name implies, in any of their forms. */
static bool is_complex(const struct nf_module *m, const struct nf_function *f)
{
    const struct complex *complex = complex_named(nf_linkage_name(m, f->id));
    const uint32_t *types = m->words + m->def[f->type] + 3;
    uint32_t scalars = 0;
    for (uint32_t i = 0; complex && i < f->parameter_count; i++)
        scalars += count_scalars(m, types[i], complex->size);
    return complex && scalars == complex->scalars &&
           count_scalars(m, f->result_type, complex->size) == complex->scalars / 2;
}

static bool is_concrete(const struct nf_module *m, uint32_t type_id)
{
    const struct nf_type *type = nf_type(m, type_id);
    return type->kind == NF_KIND_POINTER && type->storage != NF_STORAGE_GENERIC && type->element;
}

/* Returns an array by id: the id is used by an instruction other than OpName and OpDecorate. */
static bool *find_used(const struct nf_module *m)
{
    bool *used = NF_NEW(m->arena, bool, m->bound);
    for (uint32_t at = NF_HEADER_WORDS; at < m->count; at = nf_next(m, at)) {
        struct nf_operands walk = nf_walk(m, at);
        bool annotation = nf_is_name_or_decoration(m, at);
        while (!annotation && nf_operands_next(&walk))
            if (walk.kind == NF_OPERAND_ID && nf_current_operand(&walk) < m->bound)
                used[nf_current_operand(&walk)] = true;
    }
    return used;
}

static bool is_assert(const struct nf_module *m, const struct nf_function *f)
{
    const uint32_t *types = m->words + m->def[f->type] + 3;
    bool is = f->parameter_count == ASSERT_PARAMETERS && nf_type(m, f->result_type)->kind == NF_KIND_VOID;
    for (uint32_t i = 2; is && i < ASSERT_PARAMETERS; i++)
        is = i == 3 || (nf_type(m, types[i])->kind == NF_KIND_INT && nf_type(m, types[i])->size == (i == 2 ? 4 : 8));
    return is;
}

/* Returns the replacement of the function; NOT_KNOWN if the function has a body, its name is unknown, or its type does
 * not match its name, and for a memory function unless addresses have 64 bits. */
static enum replacement classify(const struct nf_module *m, const struct nf_function *f)
{
    const uint32_t *types = m->words + m->def[f->type] + 3;
    enum replacement replacement = f->body ? NOT_KNOWN : classify_name(m, nf_linkage_name(m, f->id));
    bool memory = replacement == MOVE || replacement == FILL;
    if (memory && (f->parameter_count < 3 || m->address_bits != 64 || !is_concrete(m, types[0]))) return NOT_KNOWN;
    if (memory && nf_type(m, types[2])->kind != NF_KIND_INT) return NOT_KNOWN;
    if (replacement == MOVE && !is_concrete(m, types[1])) return NOT_KNOWN;
    if ((replacement == ASSERT && !is_assert(m, f)) || (replacement == COMPLEX && !is_complex(m, f))) return NOT_KNOWN;
    if (replacement == ZEROS && nf_type(m, f->result_type)->kind == NF_KIND_VOID) return NOTHING;
    if (replacement == FIRST && (!f->parameter_count || types[0] != f->result_type)) return NOT_KNOWN;
    return replacement;
}

/* ---- Calls ---- */

static uint32_t byte_pointer(struct intrinsics *n, uint32_t pointer, uint32_t *storage)
{
    const struct nf_type *type = nf_type_of(n->to.m, pointer);
    uint32_t byte = nf_edit_define(&n->to, OpTypeInt, 0, (uint32_t[]){8, 0}, 2);
    uint32_t wanted = nf_edit_define(&n->to, OpTypePointer, 0, (uint32_t[]){type->storage, byte}, 2);
    *storage = type->storage;
    return wanted == type->id ? pointer : nf_edit_value(&n->to, OpBitcast, wanted, pointer, 0);
}

static uint32_t long_size(struct intrinsics *n, uint32_t size)
{
    uint32_t wanted = nf_edit_define(&n->to, OpTypeInt, 0, (uint32_t[]){64, 0}, 2);
    return nf_type_of(n->to.m, size)->id == wanted ? size : nf_edit_value(&n->to, OpUConvert, wanted, size, 0);
}

static void emit_memory_call(struct intrinsics *n, uint32_t at, bool moves)
{
    uint32_t type = nf_value_type(n->to.m, at), result = nf_value_id(n->to.m, at), data = nf_argument(n->to.m, at, 1);
    char name[40];
    uint32_t to, from = 0, target = byte_pointer(n, nf_argument(n->to.m, at, 0), &to);
    uint32_t second = moves ? byte_pointer(n, data, &from) : data, size = long_size(n, nf_argument(n->to.m, at, 2));
    if (moves)
        snprintf(name, sizeof name, "nonflat_move_%u_%u", to, from);
    else
        snprintf(name, sizeof name, "nonflat_fill_%u", to);
    uint32_t function = nf_library_import(&n->library, name);
    nf_edit_emit(&n->to, OpFunctionCall, (uint32_t[]){type, result, function, target, second, size}, 6);
}

/* Requests a function of the library that may use OpenCL.std, which emit_import() imports if the module does not. */
static uint32_t import_with_std(struct intrinsics *n, const char *name)
{
    struct nf_module *m = n->to.m;
    if (!m->ext_opencl) m->ext_opencl = n->imported = nf_build_id(&n->to.build);
    return nf_library_import(&n->library, name);
}

static uint32_t extract(struct intrinsics *n, uint32_t type, uint32_t id, uint32_t index)
{
    uint32_t part = nf_build_id(&n->to.build);
    nf_edit_emit(&n->to, OpCompositeExtract, (uint32_t[]){type, part, id, index}, 4);
    return part;
}

static void emit_complex_call(struct intrinsics *n, uint32_t at)
{
    const struct nf_module *m = n->to.m;
    const struct complex *complex = complex_named(nf_linkage_name(m, nf_callee(m, at)));
    uint32_t scalar = nf_edit_define(&n->to, OpTypeFloat, 0, (uint32_t[]){complex->size * 8}, 1), count = 3;
    uint32_t type = nf_value_type(m, at), result = nf_value_id(m, at);
    bool pair = complex->scalars == 4;
    uint32_t call[7] = {scalar, pair ? nf_build_id(&n->to.build) : result, import_with_std(n, complex->replacement)};
    if (pair) call[0] = nf_edit_define(&n->to, OpTypeVector, 0, (uint32_t[]){scalar, 2}, 2);
    for (uint32_t i = 0; count < complex->scalars + 3; i++) {
        uint32_t id = nf_argument(m, at, i);
        if (nf_type_of(m, id)->kind == NF_KIND_FLOAT) {
            call[count++] = id;
            continue;
        }
        call[count++] = extract(n, scalar, id, 0);
        call[count++] = extract(n, scalar, id, 1);
    }
    nf_edit_emit(&n->to, OpFunctionCall, call, count);
    if (!pair) return;
    uint32_t parts[] = {type, result, extract(n, scalar, call[1], 0), extract(n, scalar, call[1], 1)};
    nf_edit_emit(&n->to, OpCompositeConstruct, parts, 4);
}

/* Emits a call of the library's assert, which calls printf. */
static void emit_assert_call(struct intrinsics *n, uint32_t at)
{
    const struct nf_module *m = n->to.m;
    const uint32_t *words = m->words + at;
    uint32_t call[ASSERT_PARAMETERS] = {nf_value_type(m, at), nf_value_id(m, at),
                                        import_with_std(n, "nonflat_assert_failed"), nf_argument(m, at, 2)};
    memcpy(call + 4, words + 8, 6 * sizeof *call);
    nf_edit_emit(&n->to, OpFunctionCall, call, ASSERT_PARAMETERS);
}

static void emit_import(struct intrinsics *n)
{
    struct nf_words words = {.arena = n->to.m->arena};
    nf_append_word(&words, n->imported);
    nf_append_string(&words, "OpenCL.std");
    nf_edit_emit(&n->to, OpExtInstImport, words.at, words.count);
}

static uint32_t all_ones(struct intrinsics *n, uint32_t type)
{
    uint32_t wide = nf_type(n->to.m, type)->size == 8;
    return nf_edit_define(&n->to, OpConstant, type, (uint32_t[]){UINT32_MAX, UINT32_MAX}, 1 + wide);
}

static void emit_value(struct intrinsics *n, uint32_t at, enum replacement replacement)
{
    uint32_t type = nf_value_type(n->to.m, at), result = nf_value_id(n->to.m, at);
    uint32_t value = replacement == FIRST  ? nf_argument(n->to.m, at, 0)
                     : replacement == ONES ? all_ones(n, type)
                                           : nf_edit_define(&n->to, OpConstantNull, type, NULL, 0);
    nf_edit_emit(&n->to, OpCopyObject, (uint32_t[]){type, result, value}, 3);
}

static bool rewrite_call(struct nf_edit *e, uint32_t at, void *data)
{
    struct intrinsics *n = data;
    const struct nf_module *m = e->m;
    enum replacement replacement =
        nf_opcode(m, at) == OpFunctionCall ? n->replacement[m->index_of[nf_callee(m, at)]] : NOT_KNOWN;
    switch (replacement) {
    case NOT_KNOWN: return false;
    case MOVE:
    case FILL: emit_memory_call(n, at, replacement == MOVE); return true;
    case NOTHING: return true;
    case ASSERT: emit_assert_call(n, at); return true;
    case COMPLEX: emit_complex_call(n, at); return true;
    default: emit_value(n, at, replacement); return true;
    }
}

/* ---- The module ---- */

/* Marks the ids of removed functions and all ids defined in them: translators decorate parameters as well. */
static void find_removed(struct intrinsics *n)
{
    const struct nf_module *m = n->to.m;
    n->removed = NF_NEW(m->arena, bool, m->bound);
    for (uint32_t i = 1; i < m->function_count; i++)
        for (uint32_t at = m->functions[i].at; n->replacement[i] && at < m->functions[i].end; at = nf_next(m, at))
            n->removed[nf_result_id(m, at)] = true;
}

/* Returns true if `at` is a pointer to a function of the host's C++ library. Such a function is recognized by its
 * name if it has a body, because it has lost its linkage decoration by then. */
static bool points_to_runtime(struct nf_module *m, uint32_t at)
{
    if (nf_opcode(m, at) != OpConstantFunctionPointerINTEL) return false;
    uint32_t function = nf_function_pointed_to(m, at);
    return nf_is_cxx_runtime(nf_linkage_name(m, function)) ||
           nf_is_cxx_runtime(nf_function_name(m, &m->functions[m->index_of[function]]));
}

/* Returns true if `id` is an imported table of a class of the host's C++ library. */
static bool is_runtime_table(const struct nf_module *m, uint32_t id)
{
    return takes_bitcode(m) && (m->linkage[id] & ~NF_IS_CONSTANT) == 1 + NF_LINKAGE_IMPORT &&
           nf_match(m, id, OpVariable) && nf_is_cxx_runtime(nf_linkage_name(m, id));
}

static void emit_table(struct intrinsics *n, uint32_t at)
{
    uint32_t zeros = nf_build_id(&n->to.build), pointee = nf_type(n->to.m, nf_value_type(n->to.m, at))->element;
    nf_edit_emit(&n->to, OpConstantNull, (uint32_t[]){pointee, zeros}, 2);
    nf_edit_emit(&n->to, OpVariable,
                 (uint32_t[]){nf_value_type(n->to.m, at), nf_value_id(n->to.m, at),
                              nf_variable_storage_class(n->to.m, at), zeros},
                 4);
}

/* Returns true for the capability and the extension of function pointers. */
static bool needs_function_pointers(const struct nf_module *m, uint32_t at)
{
    uint32_t opcode = nf_opcode(m, at);
    return (opcode == OpCapability && nf_capability_at(m, at) == NF_CAPABILITY_FUNCTION_POINTERS) ||
           (opcode == OpExtension && strcmp(nf_string(m, at + 1), "SPV_INTEL_function_pointers") == 0);
}

/* Returns true if the module declares function pointers and uses none, except constant pointers to the host's C++
 * library. */
static bool has_no_function_pointers(struct nf_module *m)
{
    if (!nf_declares(m, NF_CAPABILITY_FUNCTION_POINTERS)) return false;
    for (uint32_t at = NF_HEADER_WORDS; at < m->count; at = nf_next(m, at)) {
        bool points = nf_opcode(m, at) == OpConstantFunctionPointerINTEL && !points_to_runtime(m, at);
        if (points || nf_opcode(m, at) == OpFunctionPointerCallINTEL) return false;
    }
    return true;
}

/* Emits a pointer to an empty structure in place of a pointer to a function: Mesa has no function pointer types. */
static void emit_pointer_to_nothing(struct intrinsics *n, uint32_t at)
{
    uint32_t nothing = nf_build_id(&n->to.build);
    nf_edit_emit(&n->to, OpTypeStruct, &nothing, 1);
    nf_edit_emit(&n->to, OpTypePointer,
                 (uint32_t[]){nf_declared_id(n->to.m, at), nf_pointer_storage_class(n->to.m, at), nothing}, 3);
}

static void rewrite_definition(struct intrinsics *n, uint32_t at, bool pointless)
{
    struct nf_module *m = n->to.m;
    bool pointer = nf_opcode(m, at) == OpTypePointer;
    if (points_to_runtime(m, at))
        nf_edit_emit(&n->to, OpConstantNull, m->words + at + 1, 2);
    else if (pointless && pointer && nf_type(m, nf_pointee_type(m, at))->kind == NF_KIND_FUNCTION)
        emit_pointer_to_nothing(n, at);
    else if (is_runtime_table(m, nf_result_id(m, at)))
        emit_table(n, at);
    else
        nf_edit_keep(&n->to, at, nf_next(m, at));
}

static void rewrite_module_scope(struct intrinsics *n)
{
    struct nf_module *m = n->to.m;
    bool pointless = has_no_function_pointers(m);
    for (uint32_t at = NF_HEADER_WORDS; at < m->body_at; at = nf_next(m, at)) {
        bool annotation = nf_is_name_or_decoration(m, at);
        if (annotation && nf_annotated_id(m, at) < m->bound && n->removed[nf_annotated_id(m, at)]) continue;
        if (nf_is_linkage(m, at) && is_runtime_table(m, nf_annotated_id(m, at))) continue;
        if (pointless && needs_function_pointers(m, at)) continue;
        if (nf_opcode(m, at) == OpMemoryModel && n->imported) emit_import(n);
        rewrite_definition(n, at, pointless);
    }
}

bool nf_supply_intrinsics(struct nf_module *m, struct nf_words *out)
{
    struct intrinsics n = {.to = nf_edit_begin(m)};
    bool any = has_no_function_pointers(m), imports = false;
    for (uint32_t at = NF_HEADER_WORDS; at < m->body_at; at = nf_next(m, at))
        any |= points_to_runtime(m, at) || is_runtime_table(m, nf_result_id(m, at));
    n.library.to = &n.to;
    n.replacement = NF_NEW(m->arena, uint8_t, m->function_count);
    for (uint32_t i = 1; i < m->function_count && !imports; i++)
        imports = !m->functions[i].body;
    const bool *used = imports ? find_used(m) : NULL;
    for (uint32_t i = 1; i < m->function_count; i++) {
        bool unused = imports && !m->functions[i].body && !used[m->functions[i].id];
        n.replacement[i] = (uint8_t)(unused ? NOTHING : classify(m, &m->functions[i]));
        any |= n.replacement[i] != NOT_KNOWN;
    }
    if (!any) return false;
    for (uint32_t i = 1; i < m->function_count; i++)
        for (uint32_t at = m->functions[i].at; !n.replacement[i] && at < m->functions[i].end; at = nf_next(m, at))
            if (!rewrite_call(&n.to, at, &n)) nf_edit_keep(&n.to, at, nf_next(m, at));
    nf_library_emit(&n.library);
    nf_edit_module_scope(&n.to);
    find_removed(&n);
    rewrite_module_scope(&n);
    *out = nf_edit_end(&n.to);
    return true;
}
