/* SPDX-License-Identifier: Apache-2.0 */
/*
 * import_bodies.c - defines memchr, strlen and the conversions of bfloat16, which a SYCL compiler leaves as imports.
 *
 *     OpDecorate %f LinkageAttributes "memchr" Import
 *     %f = OpFunction %generic None %type             %f = OpFunction %generic None %type
 *     %p = OpFunctionParameter %generic               %p = OpFunctionParameter %generic
 *     %c = OpFunctionParameter %uint                  %c = OpFunctionParameter %uint
 *     %n = OpFunctionParameter %ulong                 %n = OpFunctionParameter %ulong
 *     OpFunctionEnd                                   ...a loop...
 *                                                     OpFunctionEnd
 *
 * Some CPU drivers define these functions or resolve them in the host's C library; other drivers do not, and the
 * generic pointers of an import cannot be specialized. With a body the import becomes an ordinary function, which
 * inference can analyze. A library keeps its imports.
 *
 * needs: a module that was read.  gives: the words of a new module, to be read again.
 */
#include "prepare/internal.h"

static const struct known {
    const char *name;
    bool is_prefix;
    /* Returns true if the function has the types that its name implies. */
    bool (*fits)(const struct nf_module *m, const struct nf_function *f);
    void (*put)(struct nf_edit *e, const struct nf_function *f); /* emits the body, after the parameters */
} bodies[] = {
    {"memchr", false, nf_can_lower_memchr, nf_lower_memchr},
    {"strlen", false, nf_can_lower_strlen, nf_lower_strlen},
    {NF_TO_BFLOAT, true, nf_can_lower_bfloat16, nf_lower_bfloat16},
    {NF_FROM_BFLOAT, true, nf_can_lower_bfloat16, nf_lower_bfloat16},
};

struct bodies {
    struct nf_edit to;
    const struct known **what; /* by function; NULL: it is not replaced */
};

static const struct known *named(const char *name)
{
    for (size_t i = 0; i < sizeof bodies / sizeof *bodies; i++) {
        bool same = bodies[i].is_prefix ? !strncmp(name, bodies[i].name, strlen(bodies[i].name))
                                        : !strcmp(name, bodies[i].name);
        if (same) return &bodies[i];
    }
    return NULL;
}

bool nf_has_import_body(const char *name)
{
    return named(name) != NULL;
}

static bool has_any(const struct nf_module *m)
{
    for (uint32_t at = NF_HEADER_WORDS; at < m->body_at; at = nf_next(m, at))
        if (nf_is_linkage(m, at) && named(nf_string(m, at + 3))) return true;
    return false;
}

/* Returns true if no other instruction (such as OpLine) stands between the parameters. */
static bool is_dense(const struct nf_module *m, const struct nf_function *f)
{
    for (uint32_t i = 0; i < f->parameter_count; i++)
        if (nf_opcode(m, f->parameters + 3 * i) != OpFunctionParameter) return false;
    return true;
}

static const struct known *known_as(const struct nf_module *m, const struct nf_function *f)
{
    const struct known *known = f->body ? NULL : named(nf_linkage_name(m, f->id));
    return known && is_dense(m, f) && known->fits(m, f) ? known : NULL;
}

static void put_function(struct bodies *b, const struct nf_function *f, const struct known *known)
{
    const struct nf_module *m = b->to.m;
    for (uint32_t at = f->at; at < f->end; at = nf_next(m, at)) {
        if (nf_opcode(m, at) == OpFunctionEnd) known->put(&b->to, f);
        nf_edit_keep(&b->to, at, nf_next(m, at));
    }
}

static bool is_import(const struct bodies *b, uint32_t at)
{
    const struct nf_module *m = b->to.m;
    if (!nf_is_linkage(m, at)) return false;
    uint32_t id = nf_annotated_id(m, at), function = id < m->bound ? m->def[id] : 0;
    return function && nf_opcode(m, function) == OpFunction && b->what[m->index_of[id]];
}

bool nf_lower_imports(struct nf_module *m, struct nf_words *lowered)
{
    struct bodies b = {.to = nf_edit_begin(m)};
    bool any = false;
    if (m->options->library || !has_any(m)) return false;
    nf_types(m);
    b.what = NF_NEW(m->arena, const struct known *, m->function_count);
    for (uint32_t i = 1; i < m->function_count; i++) {
        b.what[i] = known_as(m, &m->functions[i]);
        any |= b.what[i] != NULL;
    }
    if (!any) return false;
    for (unsigned replaced = 0; replaced < 2; replaced++) /* declarations precede definitions */
        for (uint32_t i = 1; i < m->function_count; i++) {
            if ((b.what[i] != NULL) != replaced) continue;
            if (replaced)
                put_function(&b, &m->functions[i], b.what[i]);
            else
                nf_edit_keep(&b.to, m->functions[i].at, m->functions[i].end);
        }
    nf_edit_module_scope(&b.to);
    for (uint32_t at = NF_HEADER_WORDS; at < m->body_at; at = nf_next(m, at))
        if (!is_import(&b, at)) nf_edit_keep(&b.to, at, nf_next(m, at));
    *lowered = nf_edit_end(&b.to);
    return true;
}
