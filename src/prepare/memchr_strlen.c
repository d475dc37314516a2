/* SPDX-License-Identifier: Apache-2.0 */
/*
 * memchr_strlen.c - bodies of memchr and strlen, which std::string_view and std::char_traits call. import_bodies.c
 * finds the imports; its head shows an import before and after.
 *
 *     memchr(p, c, n)     for (i = 0; i < n; i++) if (p[i] == (uchar)c) return p + i;  return null;
 *     strlen(p)           for (i = 0;; i++) if (p[i] == 0) return i;
 *
 * needs: the types.  gives: the instructions between a function's parameters and its end, in the module that is being
 * edited.
 */
#include "prepare/internal.h"

static bool is_integer(const struct nf_module *m, uint32_t type, uint32_t bits)
{
    return nf_width_of(m, nf_type(m, type)) == bits;
}

/* Returns the types of the parameters if there are `count` and the first is a generic pointer to bytes, otherwise
 * NULL. */
static const uint32_t *searched_types(const struct nf_module *m, const struct nf_function *f, uint32_t count)
{
    const uint32_t *types = m->words + m->def[f->type] + 3;
    bool fits =
        f->parameter_count == count && nf_is_generic(m, types[0]) && is_integer(m, nf_type(m, types[0])->element, 8);
    return fits ? types : NULL;
}

bool nf_can_lower_memchr(const struct nf_module *m, const struct nf_function *f)
{
    const uint32_t *types = searched_types(m, f, 3);
    return types && f->result_type == types[0] && is_integer(m, types[1], 32) &&
           is_integer(m, types[2], m->address_bits);
}

bool nf_can_lower_strlen(const struct nf_module *m, const struct nf_function *f)
{
    return searched_types(m, f, 1) && is_integer(m, f->result_type, m->address_bits);
}

static void put_label(struct nf_edit *e, uint32_t id)
{
    nf_edit_emit(e, OpLabel, &id, 1);
}

static void branch(struct nf_edit *e, uint32_t condition, uint32_t yes, uint32_t no)
{
    if (condition)
        nf_edit_emit(e, OpBranchConditional, (uint32_t[]){condition, yes, no}, 3);
    else
        nf_edit_emit(e, OpBranch, &yes, 1);
}

enum { ENTRY, HEAD, BODY, NEXT, FOUND, NOWHERE, LABELS };

/* Emits the body: a loop over the bytes. For memchr the loop has a bound, and the function a second return. */
static void put_body(struct nf_edit *e, const struct nf_function *f, bool memchr)
{
    const struct nf_module *m = e->m;
    const uint32_t *own = m->words + f->parameters; /* each parameter has three words */
    uint32_t pointer_type = own[1], pointer = own[2], wide = memchr ? own[7] : f->result_type, labels[LABELS];
    uint32_t byte = nf_type(m, pointer_type)->element, truth = nf_edit_define(e, OpTypeBool, 0, NULL, 0);
    uint32_t one[2] = {1, 0}, words = m->address_bits / 32, wanted = nf_edit_define(e, OpConstantNull, byte, NULL, 0);
    for (unsigned i = 0; i < LABELS; i++)
        labels[i] = nf_build_id(&e->build);
    uint32_t index = nf_build_id(&e->build), next = nf_build_id(&e->build);
    put_label(e, labels[ENTRY]);
    if (memchr) wanted = nf_edit_value(e, OpUConvert, byte, own[5], 0);
    branch(e, 0, labels[HEAD], 0);
    put_label(e, labels[HEAD]);
    uint32_t first = nf_edit_define(e, OpConstantNull, wide, NULL, 0);
    nf_edit_emit(e, OpPhi, (uint32_t[]){wide, index, first, labels[ENTRY], next, labels[NEXT]}, 6);
    branch(e, memchr ? nf_edit_value(e, OpULessThan, truth, index, own[8]) : 0, labels[BODY], labels[NOWHERE]);
    put_label(e, labels[BODY]);
    uint32_t at = nf_edit_value(e, OpInBoundsPtrAccessChain, pointer_type, pointer, index),
             value = nf_build_id(&e->build);
    nf_edit_emit(e, OpLoad, (uint32_t[]){byte, value, at, NF_MEMORY_ALIGNED, 1}, 5);
    branch(e, nf_edit_value(e, OpIEqual, truth, value, wanted), labels[FOUND], labels[NEXT]);
    put_label(e, labels[NEXT]);
    uint32_t step = nf_edit_define(e, OpConstant, wide, one, words);
    nf_edit_emit(e, OpIAdd, (uint32_t[]){wide, next, index, step}, 4);
    branch(e, 0, labels[HEAD], 0);
    put_label(e, labels[FOUND]);
    nf_edit_emit(e, OpReturnValue, memchr ? &at : &index, 1);
    if (!memchr) return;
    put_label(e, labels[NOWHERE]);
    uint32_t null = nf_edit_define(e, OpConstantNull, f->result_type, NULL, 0);
    nf_edit_emit(e, OpReturnValue, &null, 1);
}

void nf_lower_memchr(struct nf_edit *e, const struct nf_function *f)
{
    put_body(e, f, true);
}

void nf_lower_strlen(struct nf_edit *e, const struct nf_function *f)
{
    put_body(e, f, false);
}
