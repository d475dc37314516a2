/* SPDX-License-Identifier: Apache-2.0 */
/*
 * known_imports.c - the effects of functions without a body, by the names that compilers and libraries give them.
 *
 *     llvm.memmove.p4.p4.i64(to, from, size, volatile)      copies bytes, captures no pointer
 *     __devicelib_frexpf(x, exponent)                       stores one number through each pointer, captures none
 *     __devicelib_assert_fail(text, file, line, ...)        reads strings, which compilers place in global memory
 *     __cxa_throw(exception, type, destructor)              never runs on a device
 *
 * The hard case is any other function: it must be assumed to capture all of its arguments and to return any of them.
 *
 * needs: the linkage name of a function.  gives: an enum nf_import.
 */
#include "module/module.h"

/* Memory functions: their arguments are the target, the source or the value, and the size. */
static const struct {
    const char *name;
    bool prefix;
    enum nf_import what;
} memory_functions[] = {
    {"llvm.memmove.", true, NF_IMPORT_MOVE},        {"llvm.memcpy.", true, NF_IMPORT_MOVE},
    {"llvm.memset.", true, NF_IMPORT_FILL},         {"__devicelib_memcpy", false, NF_IMPORT_MOVE},
    {"__devicelib_memmove", false, NF_IMPORT_MOVE}, {"__devicelib_memset", false, NF_IMPORT_FILL},
};

/* Mathematical functions that return a second result through a pointer; their names without prefix and type suffix. */
static const char *const math_functions[] = {"frexp", "modf", "remquo", "sincos", "lgamma_r", "fract"};
static const char *const math_prefixes[] = {"__devicelib_", "__imf_", "__spirv_ocl_"};

static bool is_math_name(const char *name, const char *known)
{
    size_t length = strlen(known);
    if (strncmp(name, known, length) != 0) return false;
    const char *suffix = name + length;
    return !*suffix || !strcmp(suffix, "f") || !strcmp(suffix, "f16");
}

static bool is_known_math(const char *name)
{
    for (size_t p = 0; p < sizeof math_prefixes / sizeof *math_prefixes; p++) {
        size_t length = strlen(math_prefixes[p]);
        if (strncmp(name, math_prefixes[p], length) != 0) continue;
        for (size_t i = 0; i < sizeof math_functions / sizeof *math_functions; i++)
            if (is_math_name(name + length, math_functions[i])) return true;
    }
    return false;
}

/* Returns true if every generic pointer parameter has a pointee of known size, and the result is not a generic
 * pointer. */
static bool has_sized_pointees(const struct nf_module *m, const struct nf_function *f)
{
    if (nf_is_generic(m, f->result_type)) return false;
    for (uint32_t i = 0; i < f->parameter_count; i++) {
        const struct nf_type *type = nf_type(m, nf_type_of_parameter(m, f, i));
        if (nf_is_generic(m, type->id) && (type->kind != NF_KIND_POINTER || !nf_type(m, type->element)->size))
            return false;
    }
    return true;
}

/* Returns the effect of a memory function of that name; NF_IMPORT_UNKNOWN for any other name. */
static enum nf_import memory_function(const char *name)
{
    for (size_t i = 0; i < sizeof memory_functions / sizeof *memory_functions; i++) {
        const char *known = memory_functions[i].name;
        bool same = memory_functions[i].prefix ? !strncmp(name, known, strlen(known)) : !strcmp(name, known);
        if (same) return memory_functions[i].what;
    }
    return NF_IMPORT_UNKNOWN;
}

static bool takes_global(const char *name)
{
    return !strcmp(name, "__devicelib_assert_fail") || nf_is_cxx_runtime(name);
}

bool nf_is_known_import(const char *name)
{
    return memory_function(name) != NF_IMPORT_UNKNOWN || takes_global(name) || is_known_math(name);
}

enum nf_import nf_import_of(const struct nf_module *m, const struct nf_function *f)
{
    const char *name = nf_linkage_name(m, f->id);
    enum nf_import memory = memory_function(name);
    if (memory != NF_IMPORT_UNKNOWN && f->parameter_count >= 3) return memory;
    if (takes_global(name)) return NF_IMPORT_GLOBAL;
    return is_known_math(name) && has_sized_pointees(m, f) ? NF_IMPORT_OUT : NF_IMPORT_UNKNOWN;
}
