/* SPDX-License-Identifier: Apache-2.0 */
/*
 * searches.c - functions of the C library that search memory, and that a SYCL compiler leaves as imports.
 *
 *     OpDecorate %f LinkageAttributes "memchr" Import
 *     %f = OpFunction %generic None %type             %f = OpFunction %generic None %type
 *     %p = OpFunctionParameter %generic               %p = OpFunctionParameter %generic
 *     %c = OpFunctionParameter %uint                  %c = OpFunctionParameter %uint
 *     %n = OpFunctionParameter %ulong                 %n = OpFunctionParameter %ulong
 *     OpFunctionEnd                                   ...a loop...
 *                                                     OpFunctionEnd
 *
 * std::string_view and std::char_traits come to memchr and strlen. Some drivers for processors take these from the
 * host's own C library, no other has them, and nobody could change an import's generic pointers. With a body they are the
 * program's own code, which inference knows what to do with.
 *
 * needs: read.  gives: the words of a module to be read again.
 */
#include "prepare/prepare.h"

/* What an import is replaced by; its parameters' types must be those of C. */
enum search { NONE, MEMCHR, STRLEN };

struct searches {
    struct nf_edit to;
    uint8_t *what; /* by function */
};

static bool is_integer(const struct nf_module *m, uint32_t type, uint32_t bits)
{
    return nf_width_of(m, nf_type(m, type)) == bits;
}

static enum search named(const char *name)
{
    return strcmp(name, "memchr") == 0 ? MEMCHR : strcmp(name, "strlen") == 0 ? STRLEN : NONE;
}

static bool has_any(const struct nf_module *m)
{
    for (uint32_t at = NF_HEADER_WORDS; at < m->body_at; at = nf_next(m, at))
        if (nf_is_linkage(m, at) && named(nf_string(m, at + 3))) return true;
    return false;
}

/* Do its parameters stand one behind the other? */
static bool is_dense(const struct nf_module *m, const struct nf_function *f)
{
    for (uint32_t i = 0; i < f->parameter_count; i++)
        if (nf_opcode(m, f->parameters + 3 * i) != OpFunctionParameter) return false;
    return true;
}

static enum search search_of(const struct nf_module *m, const struct nf_function *f)
{
    const uint32_t *types = m->words + m->def[f->type] + 3;
    enum search what = f->body ? NONE : named(nf_linkage_name(m, f->id));
    if (!what || f->parameter_count != (what == MEMCHR ? 3 : 1) || !is_dense(m, f)) return NONE;
    if (!nf_is_generic(m, types[0]) || !is_integer(m, nf_type(m, types[0])->element, 8)) return NONE;
    if (what == STRLEN) return is_integer(m, f->result_type, m->address_bits) ? STRLEN : NONE;
    bool fits = f->result_type == types[0] && is_integer(m, types[1], 32) && is_integer(m, types[2], m->address_bits);
    return fits ? MEMCHR : NONE;
}

static uint32_t emit(struct searches *s, uint32_t opcode, uint32_t type, uint32_t first, uint32_t second)
{
    uint32_t id = nf_build_id(&s->to.build);
    nf_edit_emit(&s->to, opcode, (uint32_t[]){type, id, first, second}, second ? 4 : 3);
    return id;
}

static void put_label(struct searches *s, uint32_t id)
{
    nf_edit_emit(&s->to, OpLabel, &id, 1);
}

static void branch(struct searches *s, uint32_t condition, uint32_t yes, uint32_t no)
{
    if (condition)
        nf_edit_emit(&s->to, OpBranchConditional, (uint32_t[]){condition, yes, no}, 3);
    else
        nf_edit_emit(&s->to, OpBranch, &yes, 1);
}

enum { ENTRY, HEAD, BODY, NEXT, FOUND, NOWHERE, LABELS };

/* Behind its parameters: look at each byte; memchr ends behind the last one, too. */
static void put_body(struct searches *s, const struct nf_function *f, bool memchr)
{
    const struct nf_module *m = s->to.m;
    const uint32_t *own = m->words + f->parameters; /* three words each */
    uint32_t pointer_type = own[1], pointer = own[2], wide = memchr ? own[7] : f->result_type, labels[LABELS];
    uint32_t byte = nf_type(m, pointer_type)->element, truth = nf_edit_define(&s->to, OpTypeBool, 0, NULL, 0);
    uint32_t one[2] = {1, 0}, words = m->address_bits / 32,
             wanted = nf_edit_define(&s->to, OpConstantNull, byte, NULL, 0);
    for (unsigned i = 0; i < LABELS; i++)
        labels[i] = nf_build_id(&s->to.build);
    uint32_t index = nf_build_id(&s->to.build), next = nf_build_id(&s->to.build);
    put_label(s, labels[ENTRY]);
    if (memchr) wanted = emit(s, OpUConvert, byte, own[5], 0);
    branch(s, 0, labels[HEAD], 0);
    put_label(s, labels[HEAD]);
    uint32_t first = nf_edit_define(&s->to, OpConstantNull, wide, NULL, 0);
    nf_edit_emit(&s->to, OpPhi, (uint32_t[]){wide, index, first, labels[ENTRY], next, labels[NEXT]}, 6);
    branch(s, memchr ? emit(s, OpULessThan, truth, index, own[8]) : 0, labels[BODY], labels[NOWHERE]);
    put_label(s, labels[BODY]);
    uint32_t at = emit(s, OpInBoundsPtrAccessChain, pointer_type, pointer, index), value = nf_build_id(&s->to.build);
    nf_edit_emit(&s->to, OpLoad, (uint32_t[]){byte, value, at, NF_MEMORY_ALIGNED, 1}, 5);
    branch(s, emit(s, OpIEqual, truth, value, wanted), labels[FOUND], labels[NEXT]);
    put_label(s, labels[NEXT]);
    uint32_t step = nf_edit_define(&s->to, OpConstant, wide, one, words);
    nf_edit_emit(&s->to, OpIAdd, (uint32_t[]){wide, next, index, step}, 4);
    branch(s, 0, labels[HEAD], 0);
    put_label(s, labels[FOUND]);
    nf_edit_emit(&s->to, OpReturnValue, memchr ? &at : &index, 1);
    if (!memchr) return;
    put_label(s, labels[NOWHERE]);
    uint32_t null = nf_edit_define(&s->to, OpConstantNull, f->result_type, NULL, 0);
    nf_edit_emit(&s->to, OpReturnValue, &null, 1);
}

static void put_function(struct searches *s, const struct nf_function *f, enum search what)
{
    const struct nf_module *m = s->to.m;
    for (uint32_t at = f->at; at < f->end; at = nf_next(m, at)) {
        if (nf_opcode(m, at) == OpFunctionEnd) put_body(s, f, what == MEMCHR);
        nf_edit_keep(&s->to, at, nf_next(m, at));
    }
}

static bool is_import(const struct searches *s, uint32_t at)
{
    const struct nf_module *m = s->to.m;
    if (nf_opcode(m, at) != OpDecorate || m->words[at + 2] != NF_DECORATION_LINKAGE) return false;
    uint32_t id = m->words[at + 1], function = id < m->bound ? m->def[id] : 0;
    return function && nf_opcode(m, function) == OpFunction && s->what[m->index_of[id]];
}

bool nf_lower_searches(struct nf_module *m, struct nf_words *lowered)
{
    struct searches s = {.to = nf_edit_begin(m)};
    bool any = false;
    if (m->options->library || !has_any(m)) return false;
    nf_types(m);
    s.what = NF_NEW(m->arena, uint8_t, m->function_count);
    for (uint32_t i = 1; i < m->function_count; i++) {
        s.what[i] = (uint8_t)search_of(m, &m->functions[i]);
        any |= s.what[i] != NONE;
    }
    if (!any) return false;
    for (unsigned replaced = 0; replaced < 2; replaced++) /* declarations come first */
        for (uint32_t i = 1; i < m->function_count; i++) {
            if ((s.what[i] != NONE) != replaced) continue;
            if (replaced)
                put_function(&s, &m->functions[i], s.what[i]);
            else
                nf_edit_keep(&s.to, m->functions[i].at, m->functions[i].end);
        }
    nf_edit_module_scope(&s.to);
    for (uint32_t at = NF_HEADER_WORDS; at < m->body_at; at = nf_next(m, at))
        if (!is_import(&s, at)) nf_edit_keep(&s.to, at, nf_next(m, at));
    *lowered = nf_edit_end(&s.to);
    return true;
}
