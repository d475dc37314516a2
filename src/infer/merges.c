/* SPDX-License-Identifier: Apache-2.0 */
/*
 * merges.c - hint mode: ambiguous pointers that never leave the values of their function.
 *
 *     %p = OpSelect %_ptr_Generic_int %c %l %g       l is local, g global: each was proven
 *     %q = OpInBoundsPtrAccessChain %_ptr_Generic_int %p %i
 *     %v = OpLoad %int %q
 *
 * On a device whose generic accesses are dearer than a branch such pointers are not left generic: each is a tag and a
 * pointer for each space, as where there is no generic space at all. That is for webs of pointers - what phis, selects and
 * chains make of each other - that are closed: all that comes in from elsewhere has one space, and all that is done with
 * them is to load and to store through them. What comes from memory or goes there, to a call, an atomic or a comparison
 * would need tags in integers, and that was measured to be longer than what is generic (docs/acceleration.md). It is for all
 * webs of a function or none: where one pointer stays generic, tags of others were longer than what they replace, too.
 *
 * The hard case: a web is of a function, but whether it is closed depends on the instance, as a parameter may be local for one
 * caller and generic for another. So the answer for a web is kept with the instance that it is about.
 *
 * needs: instances.  gives: answers to modes.c, so that report and rewriting agree.
 */
#include "infer/internal.h"

struct nf_merges {
    uint32_t *root; /* by id: of its web, on the way there; 0: it is in none */
    uint32_t *next; /* by id: the next of its web, in a ring */
    uint8_t *open;  /* by id of a root: something else is done with one of the web */
    uint8_t *leaf;  /* by id: it is not made of others of its web */
    uint8_t *use;   /* by id of a root: what is gained by tags; ENOUGH or less */
    /* By id of a root: the instance that was asked about last, and what came of it. */
    const struct nf_instance **asked;
    uint8_t *closed;
    uint8_t *whole; /* by instance: enum whole */
};

/* Are all webs of an instance closed in which a pointer may be in several spaces? */
enum whole { NOT_ASKED, IS_WHOLE, IS_NOT };

/* A pointer that is chosen, and loaded through once, there and then, is as long with a tag as without, and where that is in the
 * middle of a large kernel its scheduler waits more often: so that is not enough by itself. */
enum { ONE_LOAD = 1, ENOUGH };

/* ---- Webs ---- */

static void add_use(struct nf_merges *w, uint32_t root, uint32_t use)
{
    use += w->use[root];
    w->use[root] = (uint8_t)(use < ENOUGH ? use : ENOUGH);
}

static uint32_t root_of(struct nf_merges *w, uint32_t id)
{
    while (w->root[id] != id)
        id = w->root[id] = w->root[w->root[id]];
    return id;
}

static void join(struct nf_merges *w, uint32_t a, uint32_t b)
{
    a = root_of(w, a), b = root_of(w, b);
    if (a == b) return;
    uint32_t next = w->next[a];
    w->next[a] = w->next[b];
    w->next[b] = next;
    w->root[b] = a;
    w->open[a] |= w->open[b];
    add_use(w, a, w->use[b]);
}

/* Does the instruction make its result of the pointers that it takes, and of nothing else that has a space? */
static bool makes_of_others(const struct nf_module *m, uint32_t at)
{
    switch (nf_role_at(m, at)) {
    case NF_ROLE_phi:
    case NF_ROLE_select: return true;
    case NF_ROLE_chain: return nf_opcode(m, at) < OpUntypedAccessChainKHR;
    case NF_ROLE_copy: return nf_opcode(m, at) == OpCopyObject;
    case NF_ROLE_bitcast: return nf_is_generic_value(m, nf_operand(m, at, 0));
    default: return false;
    }
}

/* A load or a store of something through the pointer that is word `word` of it. */
static bool goes_through(const struct nf_module *m, uint32_t at, uint32_t word)
{
    uint32_t opcode = nf_opcode(m, at);
    return (opcode == OpLoad && word == 3) || (opcode == OpStore && word == 1);
}

/* What is null points nowhere; any other constant has been somewhere else. */
static bool is_nothing(const struct nf_module *m, uint32_t id)
{
    uint32_t opcode = nf_opcode(m, m->def[id]);
    return opcode == OpConstantNull || opcode == OpUndef;
}

/* What the access at `at` through the pointer is worth, in the block that begins at `block`. */
static uint32_t use_of(const struct nf_module *m, uint32_t at, uint32_t pointer, uint32_t block)
{
    uint32_t made = m->def[pointer];
    bool chosen = nf_opcode(m, made) == OpSelect && made > block;
    return chosen && nf_opcode(m, at) == OpLoad ? ONE_LOAD : ENOUGH;
}

static void note_instruction(const struct nf_module *m, struct nf_merges *w, uint32_t at, uint32_t block)
{
    uint32_t id = nf_result_id(m, at);
    bool pointer = id && nf_is_generic_value(m, id), makes = pointer && makes_of_others(m, at);
    if (pointer && !makes) w->leaf[id] = 1;
    if (makes && nf_opcode(m, at) == OpPhi) add_use(w, root_of(w, id), ENOUGH);
    struct nf_ids ids = nf_ids_at(m, at);
    while (nf_ids_next(&ids)) {
        uint32_t operand = m->words[at + ids.at];
        if (!nf_is_generic_value(m, operand)) continue;
        if (m->def[operand] < m->body_at) {
            if (makes && !is_nothing(m, operand)) w->open[root_of(w, id)] = 1;
        } else if (makes) {
            join(w, id, operand);
        } else if (!goes_through(m, at, ids.at)) {
            w->open[root_of(w, operand)] = 1;
        } else {
            add_use(w, root_of(w, operand), use_of(m, at, operand, block));
        }
    }
}

static struct nf_merges *find_webs(const struct nf_module *m)
{
    struct nf_merges *w = NF_NEW(m->arena, struct nf_merges, 1);
    w->root = NF_NEW_ARRAY(m->arena, uint32_t, m->bound);
    w->next = NF_NEW_ARRAY(m->arena, uint32_t, m->bound);
    w->open = NF_NEW(m->arena, uint8_t, m->bound);
    w->leaf = NF_NEW(m->arena, uint8_t, m->bound);
    w->use = NF_NEW(m->arena, uint8_t, m->bound);
    w->asked = NF_NEW(m->arena, const struct nf_instance *, m->bound);
    w->closed = NF_NEW(m->arena, uint8_t, m->bound);
    w->whole = NF_NEW(m->arena, uint8_t, m->analysis->instance_count);
    for (uint32_t id = 0; id < m->bound; id++)
        w->root[id] = w->next[id] = id;
    for (uint32_t i = 1; i < m->function_count; i++) {
        const struct nf_function *f = &m->functions[i];
        uint32_t block = f->parameters;
        for (uint32_t at = f->parameters; at < f->end; at = nf_next(m, at)) {
            if (nf_opcode(m, at) == OpLabel) block = at;
            if (f->unknown_ops)
                w->open[nf_result_id(m, at)] = 1; /* any word may be a use */
            else
                note_instruction(m, w, at, block);
        }
    }
    return w;
}

/* ---- Answers ---- */

static bool fits(const struct nf_merges *w, uint32_t id, nf_set set)
{
    return !(set & ~(unsigned)NF_TAGGED) && (!w->leaf[id] || !set || nf_single(set));
}

static bool is_closed(const struct nf_module *m, const struct nf_instance *instance, struct nf_merges *w, uint32_t root)
{
    uint32_t id = root;
    if (w->open[root] || w->use[root] < ENOUGH) return false;
    do {
        if (!fits(w, id, nf_set_of(m, instance, id))) return false;
        id = w->next[id];
    } while (id != root);
    return true;
}

/* The same for the web of `id`, remembered. */
static bool is_in_closed(const struct nf_module *m, const struct nf_instance *instance, struct nf_merges *w,
                         uint32_t id)
{
    uint32_t root = root_of(w, id);
    if (w->asked[root] != instance) {
        w->asked[root] = instance;
        w->closed[root] = is_closed(m, instance, w, root);
    }
    return w->closed[root];
}

static bool is_ambiguous(const struct nf_module *m, const struct nf_instance *instance, uint32_t id)
{
    if (!id || !nf_is_generic_value(m, id)) return false;
    nf_set set = nf_set_of(m, instance, id);
    return set && !nf_single(set);
}

static bool is_whole(const struct nf_module *m, const struct nf_instance *instance, struct nf_merges *w)
{
    const struct nf_function *f = &m->functions[instance->function];
    for (uint32_t at = f->parameters; at < f->end; at = nf_next(m, at)) {
        uint32_t id = nf_result_id(m, at);
        if (is_ambiguous(m, instance, id) && !is_in_closed(m, instance, w, id)) return false;
    }
    return true;
}

bool nf_is_merged(const struct nf_module *m, const struct nf_instance *instance, uint32_t id)
{
    const nf_profile *profile = m->options->profile;
    if (!profile || !(profile->flags & NF_PROFILE_TAGGED_MERGES) || m->def[id] < m->body_at) return false;
    if (!m->analysis->merges) m->analysis->merges = find_webs(m);
    struct nf_merges *w = m->analysis->merges;
    uint8_t *whole = &w->whole[instance - m->analysis->instances];
    if (*whole == NOT_ASKED) *whole = is_whole(m, instance, w) ? IS_WHOLE : IS_NOT;
    return *whole == IS_WHOLE && is_in_closed(m, instance, w, id);
}

static bool goes_through_one(const struct nf_module *m, const struct nf_instance *instance, uint32_t at)
{
    struct nf_ids ids = nf_ids_at(m, at);
    while (nf_ids_next(&ids)) {
        uint32_t id = m->words[at + ids.at];
        if (!goes_through(m, at, ids.at) || !nf_is_generic_value(m, id)) continue;
        if (__builtin_popcount(nf_set_of(m, instance, id)) > 1 && nf_is_merged(m, instance, id)) return true;
    }
    return false;
}

static bool merges_in(const struct nf_module *m, const struct nf_instance *instance)
{
    const struct nf_function *f = &m->functions[instance->function];
    for (uint32_t at = f->body; at < f->end; at = nf_next(m, at))
        if (goes_through_one(m, instance, at)) return true;
    return false;
}

bool nf_merges_any(const struct nf_module *m)
{
    for (uint32_t i = 1; i < m->analysis->instance_count; i++)
        if (nf_instance_at(m, i)->live && merges_in(m, nf_instance_at(m, i))) return true;
    return false;
}
