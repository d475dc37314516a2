/* SPDX-License-Identifier: Apache-2.0 */
/*
 * merges.c - hint mode: finds ambiguous pointers that never leave the SSA values of their function.
 *
 *     %p = OpSelect %_ptr_Generic_int %c %l %g       l is local, g global: each was proven
 *     %q = OpInBoundsPtrAccessChain %_ptr_Generic_int %p %i
 *     %v = OpLoad %int %q
 *
 * On a device whose generic accesses cost more than a branch, such pointers become tuples, a tag and one pointer for
 * each space, as on devices without a generic address space. This is done for closed webs. A web is a set of pointers
 * that phis, selects and access chains make of each other. It is closed if all pointers that enter it have one space,
 * and if its pointers are only used for loads and stores. A pointer that comes from memory, or goes to memory, to a
 * call, to an atomic or to a comparison, would need a tag in an integer, which was measured to take more instructions
 * than generic accesses (docs/acceleration.md). Either all webs of a function become tuples or none does: next to a
 * pointer that stays generic, tuples were measured to take more instructions as well.
 *
 * The hard case: a web belongs to a function, but whether it is closed depends on the instance, since a parameter may
 * be local for one caller and generic for another. So the result for a web is cached for one instance.
 *
 * needs: instances.  gives: the predicate for mode_policy.c, which report and rewriting use.
 */
#include "infer/internal.h"

/* The webs of all functions, in union-find form. A web is identified by one of its pointers, the root. */
struct nf_merges {
    uint32_t *root; /* by id: the parent in the union-find forest; a root's is itself */
    uint32_t *next; /* by id: the next pointer of the web, in a ring */
    uint8_t *open;  /* by id of a root: a pointer of the web has a use other than a load or a store */
    uint8_t *leaf;  /* by id: the pointer enters the web from elsewhere */
    uint8_t *use;   /* by id of a root: the benefit of a tuple, up to ENOUGH */
    /* By id of a root: the instance of the last query, and its result. */
    const struct nf_instance **asked;
    uint8_t *closed;
    uint8_t *whole; /* by instance: enum whole */
};

/* Whether all webs of an instance that contain an ambiguous pointer are closed. */
enum whole { NOT_ASKED, IS_WHOLE, IS_NOT };

/* nf_merges.use. A pointer that is selected and immediately loaded through, once, takes as many instructions with a tag
 * as without, and in a large kernel the driver's scheduler inserts more waits. So such a load alone is not enough. */
enum { ONE_LOAD = 1, ENOUGH };

/* ---- Webs ---- */

/* Adds to the benefit of the web with that root. */
static void add_use(struct nf_merges *w, uint32_t root, uint32_t use)
{
    use += w->use[root];
    w->use[root] = (uint8_t)(use < ENOUGH ? use : ENOUGH);
}

/* Returns the root of the web of `id`. */
static uint32_t root_of(struct nf_merges *w, uint32_t id)
{
    while (w->root[id] != id)
        id = w->root[id] = w->root[w->root[id]];
    return id;
}

/* Merges the webs of two pointers. */
static void join_webs(struct nf_merges *w, uint32_t a, uint32_t b)
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

/* Returns true if the spaces of the instruction's result are those of its pointer operands. */
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

/* Returns true if the instruction is a load or a store through the pointer in its word `word`. */
static bool is_access_through(const struct nf_module *m, uint32_t at, uint32_t word)
{
    uint32_t opcode = nf_opcode(m, at);
    return (opcode == OpLoad && word == 3) || (opcode == OpStore && word == 1);
}

/* Returns true for null and undefined pointers, which have no space. Any other constant pointer opens the web. */
static bool is_null(const struct nf_module *m, uint32_t id)
{
    uint32_t opcode = nf_opcode(m, m->def[id]);
    return opcode == OpConstantNull || opcode == OpUndef;
}

/* Returns the benefit of the access at `at` through the pointer, in the basic block that begins at `block`. */
static uint32_t use_of(const struct nf_module *m, uint32_t at, uint32_t pointer, uint32_t block)
{
    uint32_t made = m->def[pointer];
    bool chosen = nf_opcode(m, made) == OpSelect && made > block;
    return chosen && nf_opcode(m, at) == OpLoad ? ONE_LOAD : ENOUGH;
}

/* Adds an instruction to the webs of its function. */
static void add_to_webs(const struct nf_module *m, struct nf_merges *w, uint32_t at, uint32_t block)
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
            if (makes && !is_null(m, operand)) w->open[root_of(w, id)] = 1;
        } else if (makes) {
            join_webs(w, id, operand);
        } else if (!is_access_through(m, at, ids.at)) {
            w->open[root_of(w, operand)] = 1;
        } else {
            add_use(w, root_of(w, operand), use_of(m, at, operand, block));
        }
    }
}

/* Finds the webs of all functions. */
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
                w->open[nf_result_id(m, at)] = 1; /* any word of an unknown instruction may be a use */
            else
                add_to_webs(m, w, at, block);
        }
    }
    return w;
}

/* ---- Queries ---- */

/* Returns true if a pointer with these spaces may be in a closed web; one that enters the web must have a single
 * space. */
static bool is_allowed(const struct nf_merges *w, uint32_t id, nf_set set)
{
    return !(set & ~(unsigned)NF_TAGGED) && (!w->leaf[id] || !set || nf_single(set));
}

/* Returns true if the web with that root is closed in the instance, and a tuple has enough benefit. */
static bool is_closed(const struct nf_module *m, const struct nf_instance *instance, struct nf_merges *w, uint32_t root)
{
    uint32_t id = root;
    if (w->open[root] || w->use[root] < ENOUGH) return false;
    do {
        if (!is_allowed(w, id, nf_set_of(m, instance, id))) return false;
        id = w->next[id];
    } while (id != root);
    return true;
}

/* Returns the same for the web of `id`; caches the result. */
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

/* Returns true if `id` is a generic pointer that may be in several spaces. */
static bool is_ambiguous(const struct nf_module *m, const struct nf_instance *instance, uint32_t id)
{
    if (!id || !nf_is_generic_value(m, id)) return false;
    nf_set set = nf_set_of(m, instance, id);
    return set && !nf_single(set);
}

/* Returns true if all ambiguous pointers of the instance are in closed webs. */
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

/* Returns true if the instruction accesses memory through a merged pointer. */
static bool accesses_merged(const struct nf_module *m, const struct nf_instance *instance, uint32_t at)
{
    struct nf_ids ids = nf_ids_at(m, at);
    while (nf_ids_next(&ids)) {
        uint32_t id = m->words[at + ids.at];
        if (!is_access_through(m, at, ids.at) || !nf_is_generic_value(m, id)) continue;
        if (__builtin_popcount(nf_set_of(m, instance, id)) > 1 && nf_is_merged(m, instance, id)) return true;
    }
    return false;
}

/* Returns true if the instance accesses memory through a merged pointer. */
static bool has_merged_access(const struct nf_module *m, const struct nf_instance *instance)
{
    const struct nf_function *f = &m->functions[instance->function];
    for (uint32_t at = f->body; at < f->end; at = nf_next(m, at))
        if (accesses_merged(m, instance, at)) return true;
    return false;
}

bool nf_merges_any(const struct nf_module *m)
{
    for (uint32_t i = 1; i < m->analysis->instance_count; i++)
        if (nf_instance_at(m, i)->live && has_merged_access(m, nf_instance_at(m, i))) return true;
    return false;
}
