/* SPDX-License-Identifier: Apache-2.0 */
/*
 * annotations.c - writes names and decorations for each copy of their target.
 *
 *     OpName %f "f"                  OpName %f "f"
 *     OpDecorate %x Restrict         OpName %f_2 "f.42"
 *                                    OpDecorate %x Restrict
 *                                    OpDecorate %x_2 Restrict
 *
 * The hard case is a name that drivers interpret: a kernel's name on a function that the kernel calls, and the name of
 * an intrinsic. Such a name is omitted if it no longer fits the function.
 *
 * needs: the bodies, and the copies of each id (nf_copies).  gives: annotations.
 */
#include "rewrite/internal.h"

/* Marks the ids whose copies are recorded: annotated ids in bodies, and, for debug information, functions. */
void nf_find_annotated(struct nf_output *o)
{
    struct nf_module *m = o->m;
    for (uint32_t at = NF_HEADER_WORDS; at < m->body_at; at = nf_next(m, at)) {
        if (nf_is_annotation(nf_opcode(m, at)) && nf_is_defined_in_body(m, nf_annotated_id(m, at)))
            o->copies.annotated[nf_annotated_id(m, at)] = 1;
    }
    for (uint32_t i = 1; i < m->function_count; i++)
        o->copies.annotated[m->functions[i].id] = 1;
}

/* Writes a unique name for a clone of a function: some consumers merge functions of the same name. */
static void put_copy_name(struct nf_output *o, struct nf_words *out, uint32_t at, uint32_t copy)
{
    struct nf_module *m = o->m;
    struct nf_text name = {.arena = m->arena};
    nf_print(&name, "%s.%u", nf_string(m, at + 2), copy);
    nf_append_words(out, (uint32_t[]){nf_first_word(OpName, name.count / 4 + 3), copy}, 2);
    nf_append_string(out, name.at);
    nf_arena_drop(m->arena, name.at);
}

/* ---- Names of kernels ---- */

enum { LONGEST_NAME = 1024 };

/* Fills in the key of the name that begins at word `at`. Returns the number of its words; 0 if the name is too long. */
static uint32_t name_key(const struct nf_module *m, uint32_t at, uint32_t key[LONGEST_NAME])
{
    uint32_t length = (uint32_t)strlen(nf_string(m, at)) / 4 + 1;
    if (length >= LONGEST_NAME) return 0;
    key[0] = NF_NAME_KEY;
    memcpy(key + 1, m->words + at, length * sizeof *key);
    return length + 1;
}

void nf_note_kernel_names(struct nf_output *o)
{
    struct nf_module *m = o->m;
    uint32_t key[LONGEST_NAME];
    for (uint32_t at = NF_HEADER_WORDS; at < m->body_at; at = nf_next(m, at)) {
        if (nf_opcode(m, at) != OpEntryPoint) continue;
        uint32_t kernel = nf_entry_point_function(m, at), length = name_key(m, at + 3, key);
        if (!nf_find_made(&o->build, (uint32_t[]){NF_COPIES_KEY, kernel}, 2)) continue;
        if (length && !nf_find_made(&o->build, key, length)) nf_note_made(&o->build, key, length, kernel);
    }
}

/* Returns true if the annotation gives a function the name of a kernel that copies its by-value arguments. clang moves
 * a kernel's body to a function with the kernel's name, which the kernel calls. Drivers take that function for the
 * kernel and so skip the copies; so the name is omitted, but not in a library or in hint mode. */
static bool is_name_of_kernel(struct nf_output *o, uint32_t at)
{
    struct nf_module *m = o->m;
    uint32_t key[LONGEST_NAME], target = nf_annotated_id(m, at);
    bool linkage = nf_is_linkage(m, at);
    if ((!linkage && nf_opcode(m, at) != OpName) || m->options->library || m->options->mode == NF_MODE_HINT)
        return false;
    if (!nf_match(m, target, OpFunction)) return false;
    const struct nf_function *f = &m->functions[m->index_of[target]];
    if (f->entry_at || f->imported) return false;
    uint32_t length = name_key(m, at + (linkage ? 3 : 2), key);
    return length && nf_find_made(&o->build, key, length);
}

/* Returns true if the annotation names a function after an LLVM intrinsic, and its parameters differ from the
 * intrinsic's. LLVM's translator writes a memset of unknown size as a function with such a name and a body. Translators
 * to LLVM IR drop the body, and emit a call of the intrinsic with the first three parameters. */
static bool is_name_of_intrinsic(struct nf_output *o, uint32_t at)
{
    static const char prefix[] = "spirv.llvm_";
    struct nf_module *m = o->m;
    bool linkage = nf_is_linkage(m, at);
    if (!linkage && nf_opcode(m, at) != OpName) return false;
    return nf_find_made(&o->build, (uint32_t[]){NF_RESHAPED_KEY, nf_annotated_id(m, at)}, 2) &&
           strncmp(nf_string(m, at + (linkage ? 3 : 2)), prefix, strlen(prefix)) == 0;
}

void nf_emit_annotation(struct nf_output *o, struct nf_words *out, uint32_t at)
{
    struct nf_module *m = o->m;
    uint32_t target = nf_annotated_id(m, at), length = nf_length(m, at);
    bool spec_id = nf_decorates(m, at, NF_DECORATION_SPEC_ID);
    if (is_name_of_kernel(o, at) || is_name_of_intrinsic(o, at)) return;
    if (spec_id && nf_opcode(m, m->def[target]) < OpSpecConstantTrue) return; /* folded to an ordinary constant */
    if (target >= m->bound || !nf_is_defined_in_body(m, target)) {
        if (nf_is_emitted(o, target)) nf_append_words(out, m->words + at, length);
        return;
    }
    bool linkage = nf_is_linkage(m, at);
    for (uint32_t c = o->copies.first[target]; c; c = o->copies.at[c - 1].next) {
        uint32_t copy = o->copies.at[c - 1].id;
        enum nf_copy_kind kind = o->copies.at[c - 1].kind;
        bool fits = kind == NF_COPY_SAME || (kind == NF_COPY_MADE && nf_decorates(m, at, NF_DECORATION_ALIGNMENT));
        if ((linkage && copy != target) || (!fits && nf_opcode(m, at) != OpName)) continue;
        if (copy != target && nf_opcode(m, at) == OpName && nf_opcode(m, m->def[target]) == OpFunction) {
            put_copy_name(o, out, at, copy);
            continue;
        }
        nf_append_words(out, m->words + at, length);
        out->at[out->count - length + 1] = copy;
    }
}
