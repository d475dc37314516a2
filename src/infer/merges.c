/* SPDX-License-Identifier: Apache-2.0 */
/*
 * merges.c - hint mode: finds ambiguous pointers that never leave the SSA values of their function.
 *
 *     %p = OpSelect %_ptr_Generic_int %c %l %g       l is local, g global: each was proven
 *     %q = OpInBoundsPtrAccessChain %_ptr_Generic_int %p %i
 *     %v = OpLoad %int %q
 *
 * On a device whose generic accesses cost more than a branch, such pointers become tuples, a tag and one pointer for
 * each space, if they are in closed webs. A web is a set of pointers that phis, selects, access chains, copies and
 * bitcasts derive from each other. A web is closed if each pointer that enters it has at most one space, and if its
 * pointers are only used for loads and stores. Any other use would need a tag in an integer, which takes more
 * instructions than generic accesses (measured: docs/acceleration.md). A tuple in a function with another pointer that
 * stays generic also takes more instructions.
 *
 * The hard case: a web belongs to a function, but whether it is closed depends on the instance, since a parameter may
 * be local for one caller and generic for another. So the result for a web is cached for one instance.
 *
 * needs: the instances.  gives: the predicate for mode_policy.c, which report and rewriting use.
 */
#include "infer/internal.h"

/* The webs of all functions, in union-find form. A web is identified by one of its pointers, the root. */
struct nf_merges {
    struct pointer {
        uint32_t parent; /* in the union-find forest; a root's is itself */
        uint32_t next;   /* the next pointer of the web, in a ring */
        bool leaf;       /* the pointer enters the web from outside */
        /* Of a root: */
        bool open;                         /* it has a use other than loads and stores, or a constant enters it */
        uint8_t use;                       /* the benefit of a tuple, up to ENOUGH */
        bool closed;                       /* the last query found the web closed */
        const struct nf_instance *queried; /* the instance of that query */
    } * at;                                /* by id */
    uint8_t *closure;                      /* by instance: a cached enum closure */
};

/* A cached result of has_closed_webs(): whether all webs with an ambiguous pointer of the instance are closed. */
enum closure { NOT_TESTED, ALL_CLOSED, SOME_OPEN };

/* nf_merges.use. A pointer that is selected and only loaded through once, immediately, takes as many instructions with
 * a tag as without, and more waits in the schedule of a large kernel. So the tag has no benefit. */
enum { ONE_LOAD = 1, ENOUGH };

/* ---- Webs ---- */

static void add_use(struct nf_merges *w, uint32_t root, uint32_t use)
{
    use += w->at[root].use;
    w->at[root].use = (uint8_t)(use < ENOUGH ? use : ENOUGH);
}

static uint32_t root_of(struct nf_merges *w, uint32_t id)
{
    while (w->at[id].parent != id)
        id = w->at[id].parent = w->at[w->at[id].parent].parent;
    return id;
}

static void join_webs(struct nf_merges *w, uint32_t a, uint32_t b)
{
    a = root_of(w, a), b = root_of(w, b);
    if (a == b) return;
    uint32_t next = w->at[a].next;
    w->at[a].next = w->at[b].next;
    w->at[b].next = next;
    w->at[b].parent = a;
    w->at[a].open |= w->at[b].open;
    add_use(w, a, w->at[b].use);
}

/* Returns true for the instructions that join their result and their pointer operands in one web: phi, select, typed
 * access chains, OpCopyObject, and bitcasts of generic pointers. */
static bool derives_from_operands(const struct nf_module *m, uint32_t at)
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

static bool is_access_through(const struct nf_module *m, uint32_t at, uint32_t word)
{
    uint32_t opcode = nf_opcode(m, at);
    return (opcode == OpLoad && word == 3) || (opcode == OpStore && word == 1);
}

/* Returns true for null and undefined pointers, which have no space. Any other constant pointer opens the web. */
static bool is_null_or_undef(const struct nf_module *m, uint32_t id)
{
    uint32_t opcode = nf_opcode(m, m->def[id]);
    return opcode == OpConstantNull || opcode == OpUndef;
}

static uint32_t use_of(const struct nf_module *m, uint32_t at, uint32_t pointer, uint32_t block)
{
    uint32_t made = m->def[pointer];
    bool chosen = nf_opcode(m, made) == OpSelect && made > block;
    return chosen && nf_opcode(m, at) == OpLoad ? ONE_LOAD : ENOUGH;
}

static void add_to_webs(const struct nf_module *m, struct nf_merges *w, uint32_t at, uint32_t block)
{
    uint32_t id = nf_result_id(m, at);
    bool pointer = id && nf_is_generic_value(m, id), derives = pointer && derives_from_operands(m, at);
    if (pointer && !derives) w->at[id].leaf = true;
    if (derives && nf_opcode(m, at) == OpPhi) add_use(w, root_of(w, id), ENOUGH);
    struct nf_ids ids = nf_ids_at(m, at);
    while (nf_ids_next(&ids)) {
        uint32_t operand = nf_current_id(&ids);
        if (!nf_is_generic_value(m, operand)) continue;
        if (m->def[operand] < m->body_at) {
            if (derives && !is_null_or_undef(m, operand)) w->at[root_of(w, id)].open = true;
        } else if (derives) {
            join_webs(w, id, operand);
        } else if (!is_access_through(m, at, ids.at)) {
            w->at[root_of(w, operand)].open = true;
        } else {
            add_use(w, root_of(w, operand), use_of(m, at, operand, block));
        }
    }
}

static struct nf_merges *find_webs(const struct nf_module *m)
{
    struct nf_merges *w = NF_NEW(m->arena, struct nf_merges, 1);
    w->at = NF_NEW_ARRAY(m->arena, struct pointer, m->bound);
    w->closure = NF_NEW(m->arena, uint8_t, m->analysis->instance_count);
    for (uint32_t id = 0; id < m->bound; id++)
        w->at[id].parent = w->at[id].next = id;
    for (uint32_t i = 1; i < m->function_count; i++) {
        const struct nf_function *f = &m->functions[i];
        uint32_t block = f->parameters;
        for (uint32_t at = f->parameters; at < f->end; at = nf_next(m, at)) {
            if (nf_opcode(m, at) == OpLabel) block = at;
            if (f->unknown_ops)
                w->at[nf_result_id(m, at)].open = true; /* any word of an unknown instruction may be a use */
            else
                add_to_webs(m, w, at, block);
        }
    }
    return w;
}

/* ---- Queries ---- */

/* Returns true if a tuple has enough benefit for the web with that root, and the web is closed in the instance: a tag
 * can express the spaces of its pointers, and a pointer that enters the web from outside has one space at most. */
static bool is_closed(const struct nf_module *m, const struct nf_instance *instance, struct nf_merges *w, uint32_t root)
{
    uint32_t id = root;
    if (w->at[root].open || w->at[root].use < ENOUGH) return false;
    do {
        nf_set set = nf_set_of(m, instance, id);
        if (set & ~(unsigned)NF_TAGGED || (w->at[id].leaf && set && !nf_single(set))) return false;
        id = w->at[id].next;
    } while (id != root);
    return true;
}

static bool is_in_closed(const struct nf_module *m, const struct nf_instance *instance, struct nf_merges *w,
                         uint32_t id)
{
    uint32_t root = root_of(w, id);
    if (w->at[root].queried != instance) {
        w->at[root].queried = instance;
        w->at[root].closed = is_closed(m, instance, w, root);
    }
    return w->at[root].closed;
}

static bool is_ambiguous(const struct nf_module *m, const struct nf_instance *instance, uint32_t id)
{
    if (!id || !nf_is_generic_value(m, id)) return false;
    nf_set set = nf_set_of(m, instance, id);
    return set && !nf_single(set);
}

static bool has_closed_webs(const struct nf_module *m, const struct nf_instance *instance, struct nf_merges *w)
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
    uint8_t *closure = &w->closure[instance - m->analysis->instances];
    if (*closure == NOT_TESTED) *closure = has_closed_webs(m, instance, w) ? ALL_CLOSED : SOME_OPEN;
    return *closure == ALL_CLOSED && is_in_closed(m, instance, w, id);
}

static bool accesses_merged(const struct nf_module *m, const struct nf_instance *instance)
{
    const struct nf_function *f = &m->functions[instance->function];
    for (uint32_t at = f->body; at < f->end; at = nf_next(m, at)) {
        uint32_t opcode = nf_opcode(m, at);
        if (opcode != OpLoad && opcode != OpStore) continue;
        uint32_t id = opcode == OpLoad ? nf_load_pointer(m, at) : nf_store_pointer(m, at);
        if (is_ambiguous(m, instance, id) && nf_is_merged(m, instance, id)) return true;
    }
    return false;
}

bool nf_merges_any(const struct nf_module *m)
{
    for (uint32_t i = 1; i < m->analysis->instance_count; i++)
        if (nf_instance_at(m, i)->live && accesses_merged(m, nf_instance_at(m, i))) return true;
    return false;
}
