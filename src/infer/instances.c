/* SPDX-License-Identifier: Apache-2.0 */
/*
 * instances.c - finds the instances (clones) of each function, by the spaces that its callers pass.
 *
 *     %x = OpFunctionCall %int %f %private        instance 1 of f: parameter {private}
 *     %y = OpFunctionCall %int %f %local          instance 2 of f: parameter {local}
 *
 * Starting at the root, the copy of the callee's summary at each call has been solved in the caller: it has the sets of
 * parameters, memory cells and host memory at that call. These sets seed the callee's own graph, whose solution is an
 * *instance*; calls with equal solutions share one. Instances whose differences do not affect the code are merged
 * afterwards, callees first.
 *
 * The hard case: the number of instances may grow exponentially with the depth of calls, so it is bounded. Beyond the
 * bound one *open* instance takes the union of the sets of all further callers, which is always correct and sometimes
 * ambiguous. Functions that are called through pointers, have unknown instructions, or are roots but no kernels, have
 * an open instance as well.
 *
 * needs: the graph, summaries.  gives: instances, with sets for all nodes and an instance for every call.
 */
#include "infer/internal.h"

/* Limits. The instances beyond the first of each function that need code of their own may have GROWTH times the words
 * of the module, plus SPARE_WORDS: without a limit, a chain of functions, each of which swaps two of its pointer
 * arguments, would have an instance for every permutation. */
enum { MAX_INSTANCES_OF_FUNCTION = 64, SPARE_INSTANCES = 4096, GROWTH = 1, SPARE_WORDS = 2048 };

static uint64_t hash_masks(const nf_set *masks, uint32_t count)
{
    uint64_t hash = 0xcbf29ce484222325u;
    for (uint32_t i = 0; i < count; i++)
        hash = (hash ^ masks[i]) * 0x100000001b3u;
    return hash;
}

static uint32_t node_count(const struct nf_function *f)
{
    return f->analysis->last_node - f->analysis->first_node;
}

/* Adds an instance of `function`, which takes over `masks`, and returns its index. */
static uint32_t add_instance(struct nf_module *m, uint32_t function, nf_set *masks, uint64_t key)
{
    struct nf_analysis *a = m->analysis;
    struct nf_function_analysis *f = m->functions[function].analysis;
    uint32_t made = a->instance_count++;
    NF_RESERVE(m->arena, a->instances, a->instance_capacity, (size_t)made + 1);
    a->instances[made] = (struct nf_instance){.function = function,
                                              .next = f->instances,
                                              .masks = masks,
                                              .first_node = f->first_node,
                                              .exposed = f->host_store + NF_HOST_EXPOSED,
                                              .key = key,
                                              .same_as = made,
                                              .solution = made,
                                              .callees = NF_NEW(m->arena, uint32_t, f->call_count + 1)};
    f->instances = made;
    f->instance_count++;
    return made;
}

nf_set nf_evidence_from(const struct nf_module *m, const struct nf_instance *instance, uint32_t node)
{
    return nf_transfer(m->graph->nodes[node].kind, instance->masks[node - instance->first_node]);
}

static uint32_t open_instance(struct nf_module *m, const struct nf_function *f)
{
    for (uint32_t i = f->analysis->instances; i; i = nf_instance_at(m, i)->next)
        if (nf_instance_at(m, i)->open) return i;
    return 0;
}

static uint32_t find_instance(struct nf_module *m, const struct nf_function *f, const nf_set *masks, uint64_t key)
{
    for (uint32_t i = f->analysis->instances; i; i = nf_instance_at(m, i)->next) {
        const struct nf_instance *instance = nf_instance_at(m, i);
        if (instance->open || instance->key != key) continue;
        if (instance->masks == masks || !memcmp(instance->masks, masks, node_count(f) * sizeof *masks)) return i;
    }
    return 0;
}

struct work {
    struct nf_module *m;
    uint64_t written; /* words of the instances so far that need code of their own, except the first of each function */
    uint32_t *queue, count, capacity;
};

static void enqueue(struct work *w, uint32_t instance)
{
    if (nf_instance_at(w->m, instance)->queued) return;
    nf_instance_at(w->m, instance)->queued = true;
    NF_RESERVE(w->m->arena, w->queue, w->capacity, (size_t)w->count + 1);
    w->queue[w->count++] = instance;
}

static bool widen(nf_set *masks, const nf_set *more, uint32_t count)
{
    bool grown = false;
    for (uint32_t i = 0; i < count; i++) {
        grown |= (more[i] & ~masks[i]) != 0;
        masks[i] |= more[i];
    }
    return grown;
}

/* Returns the open instance of `function`, after adding `masks`, which it takes over or frees. */
static uint32_t join_open(struct work *w, uint32_t function, nf_set *masks)
{
    struct nf_module *m = w->m;
    const struct nf_function *f = &m->functions[function];
    uint32_t found = open_instance(m, f);
    if (!found) {
        found = add_instance(m, function, masks, 0);
        nf_instance_at(m, found)->open = true;
        enqueue(w, found);
    } else if (widen(nf_instance_at(m, found)->masks, masks, node_count(f))) {
        nf_propagate(m, nf_instance_at(m, found)->masks, f->analysis->first_node, node_count(f));
        enqueue(w, found);
    }
    if (nf_instance_at(m, found)->masks != masks) nf_arena_drop(m->arena, masks);
    return found;
}

/* Returns the sets of the callee's nodes, solved for one call in an instance of the caller. */
static nf_set *seeded_masks(struct nf_module *m, const struct nf_instance *caller, const struct nf_call *call)
{
    const struct nf_function *callee = &m->functions[call->callee];
    uint32_t count = node_count(callee), own = m->functions[caller->function].analysis->first_node;
    nf_set *masks = nf_base_sets(m, callee->analysis->first_node, count);
    if (!call->base) {
        memcpy(masks, caller->masks, count * sizeof *masks);
        return masks;
    }
    for (uint32_t i = 0; i < nf_summary_node_count(callee); i++)
        masks[nf_summary_actual(callee, i) - callee->analysis->first_node] |= caller->masks[call->base + i - own];
    nf_propagate(m, masks, callee->analysis->first_node, count);
    return masks;
}

/* Returns a hash of the spaces that determine the function's code; instances with the same code are emitted once. */
static uint64_t hash_code(struct nf_module *m, const struct nf_function *f, const nf_set *masks)
{
    uint64_t hash = 0xcbf29ce484222325u;
    bool dead;
    for (uint32_t at = f->parameters; at < f->end; at = nf_next(m, at)) {
        if (!nf_is_generic(m, nf_result_type(m, at))) continue;
        uint32_t node = m->analysis->values[nf_result_id(m, at)].node;
        nf_set evidence = node ? masks[node - f->analysis->first_node] : 0;
        hash = (hash ^ nf_effective(m, evidence, &dead)) * 0x100000001b3u;
    }
    return hash;
}

/* Returns true if one more instance with this code would exceed the limit of words; otherwise counts what it adds. */
static bool grows_too_much(struct work *w, const struct nf_function *f, uint64_t code)
{
    uint64_t limit = (uint64_t)GROWTH * w->m->count + SPARE_WORDS, words = f->end - f->at;
    if (!f->analysis->instances) return false;
    for (uint32_t i = f->analysis->instances; i; i = nf_instance_at(w->m, i)->next)
        if (nf_instance_at(w->m, i)->code == code) return false;
    if (w->written + words > limit) return true;
    w->written += words;
    return false;
}

static uint32_t instance_for(struct work *w, uint32_t caller, const struct nf_call *call)
{
    struct nf_module *m = w->m;
    struct nf_function *f = &m->functions[call->callee];
    const struct nf_instance *from = nf_instance_at(m, caller);
    bool indirect = call->at && nf_opcode(m, call->at) == OpFunctionPointerCallINTEL;
    bool from_outside = !call->at && !f->entry_at;
    /* An instruction with unknown operands has ids that cannot be renamed in a copy: one instance at most. */
    bool only_one = call->at && f->unknown_ops;
    if (indirect || from_outside || only_one) {
        uint32_t open = join_open(w, call->callee, seeded_masks(m, from, call));
        nf_instance_at(m, open)->takes_no_tuples = true;
        return open;
    }
    /* Caller and callee in one SCC share their masks, unless the caller's masks may grow. */
    bool shared = !call->base && !from->open;
    nf_set *masks = shared ? from->masks : seeded_masks(m, from, call);
    uint64_t key = shared ? from->key : hash_masks(masks, node_count(f));
    uint32_t found = find_instance(m, f, masks, key);
    bool full = m->analysis->instance_count > 4 * m->function_count + SPARE_INSTANCES;
    bool too_many = f->analysis->instance_count >= MAX_INSTANCES_OF_FUNCTION || (full && f->analysis->instance_count);
    uint64_t code = found ? 0 : hash_code(m, f, masks);
    too_many |= !found && call->at && grows_too_much(w, f, code);
    if (!found && call->at && too_many) return join_open(w, call->callee, shared ? seeded_masks(m, from, call) : masks);
    if (found) {
        if (!shared) nf_arena_drop(m->arena, masks);
        return found;
    }
    found = add_instance(m, call->callee, masks, key);
    nf_instance_at(m, found)->code = code;
    if (shared) nf_instance_at(m, found)->solution = nf_instance_at(m, caller)->solution;
    enqueue(w, found);
    return found;
}

static void find_callees(struct work *w, uint32_t index)
{
    struct nf_module *m = w->m;
    const struct nf_function *f = &m->functions[nf_instance_at(m, index)->function];
    for (uint32_t i = 0; i < f->analysis->call_count; i++) {
        uint32_t callee = instance_for(w, index, &f->analysis->calls[i]);
        struct nf_instance *c = nf_instance_at(m, callee), *self = nf_instance_at(m, index);
        if (!c->caller) c->caller = index;
        if (!c->kernel) c->kernel = self->kernel;
        if (!f->analysis->calls[i].at) {
            c->root = true;
            c->kernel = m->functions[c->function].entry_at ? c->function : 0;
        }
        self->callees[i] = callee;
    }
}

/* Returns the sets of the function's nodes without evidence from any caller. */
static nf_set *intrinsic_masks(struct nf_module *m, const struct nf_function *f)
{
    nf_set *masks = nf_base_sets(m, f->analysis->first_node, node_count(f));
    nf_propagate(m, masks, f->analysis->first_node, node_count(f));
    return masks;
}

/* Processes the work list until it is empty. Each entry may add further entries. */
static void empty_queue(struct work *w)
{
    for (uint32_t next = 0; next < w->count; next++) {
        uint32_t index = w->queue[next];
        nf_instance_at(w->m, index)->queued = false;
        find_callees(w, index);
    }
    w->count = 0;
}

/* Finds all instances, from the root on. A function whose address is taken has one even if no known call reaches it. */
static void find_all(struct nf_module *m)
{
    struct work w = {.m = m};
    struct nf_function *root = &m->functions[0];
    m->analysis->instance_count = 1;
    NF_RESERVE(m->arena, m->analysis->instances, m->analysis->instance_capacity, 16);
    enqueue(&w, add_instance(m, 0, intrinsic_masks(m, root), 0));
    empty_queue(&w);
    for (uint32_t i = 1; i < m->function_count; i++) {
        if (!m->functions[i].address_taken || !m->functions[i].body || open_instance(m, &m->functions[i])) continue;
        struct nf_instance *open = nf_instance_at(m, join_open(&w, i, intrinsic_masks(m, &m->functions[i])));
        open->root = open->takes_no_tuples = true;
        empty_queue(&w);
    }
    nf_arena_drop(m->arena, w.queue);
}

/* ---- Instances that need the same code ---- */

/* Marks the instances that are reachable from the root or through function pointers, and their functions. */
static void mark_live(struct nf_module *m)
{
    uint32_t *stack = NF_NEW(m->arena, uint32_t, m->analysis->instance_count), depth = 0;
    for (uint32_t i = 1; i < m->analysis->instance_count; i++) {
        const struct nf_function *f = &m->functions[nf_instance_at(m, i)->function];
        if (i != 1 && !(nf_instance_at(m, i)->open && f->address_taken)) continue;
        nf_instance_at(m, i)->live = true;
        m->functions[nf_instance_at(m, i)->function].reachable = true;
        stack[depth++] = i;
    }
    while (depth) {
        const struct nf_instance *instance = nf_instance_at(m, stack[--depth]);
        for (uint32_t i = 0; i < m->functions[instance->function].analysis->call_count; i++) {
            struct nf_instance *callee = nf_instance_at(m, instance->callees[i]);
            m->functions[callee->function].reachable = true;
            if (callee->live) continue;
            callee->live = true;
            stack[depth++] = instance->callees[i];
        }
    }
}

/* Writes to `ids` the generic pointers of the function, whose sets determine its code, and returns their number. */
static uint32_t deciding_ids(struct nf_module *m, const struct nf_function *f, uint32_t *ids)
{
    uint32_t count = 0;
    for (uint32_t at = f->parameters; at < f->end; at = nf_next(m, at))
        if (nf_is_generic(m, nf_result_type(m, at))) ids[count++] = nf_result_id(m, at);
    return count;
}

/* Returns true if gathers and scatters, and the indices of access chains, have equal evidence in both instances:
 * deciding_ids() omits them. */
static bool same_operands(const struct nf_module *m, const struct nf_instance *x, const struct nf_instance *y)
{
    const struct nf_function *f = &m->functions[x->function];
    for (uint32_t at = f->body; at < f->end; at = nf_next(m, at)) {
        uint32_t node = nf_gather_node(m, at);
        if (nf_evidence(x, node) != nf_evidence(y, node)) return false;
        if (nf_role_at(m, at) != NF_ROLE_chain || !nf_takes_generic(m, at)) continue;
        if (nf_evidence_of_index(m, x, at) != nf_evidence_of_index(m, y, at)) return false;
    }
    return true;
}

static bool same_code(struct nf_module *m, uint32_t a, uint32_t b, const uint32_t *ids, uint32_t count)
{
    const struct nf_instance *x = nf_instance_at(m, a), *y = nf_instance_at(m, b);
    bool dead;
    if (x->open != y->open || x->takes_no_tuples != y->takes_no_tuples || !same_operands(m, x, y)) return false;
    const struct nf_function *f = &m->functions[x->function];
    for (uint32_t i = 0; i < count; i++) {
        nf_set known = nf_evidence(x, m->analysis->values[ids[i]].node),
               other = nf_evidence(y, m->analysis->values[ids[i]].node);
        if (nf_spaces_of(known) != nf_spaces_of(other) || (known ^ other) & NF_ANY_VALUE) return false;
        if (nf_effective_set(m, x, ids[i], &dead) != nf_effective_set(m, y, ids[i], &dead)) return false;
    }
    for (uint32_t i = 0; i < f->analysis->call_count; i++) {
        uint32_t p = nf_instance_at(m, x->callees[i])->same_as, q = nf_instance_at(m, y->callees[i])->same_as;
        bool both_recursive = x->callees[i] == a && y->callees[i] == b;
        if (p != q && !both_recursive) return false;
    }
    return true;
}

static uint32_t last_twin(const struct nf_module *m, uint32_t i)
{
    while (nf_instance_at(m, i)->same_as != i)
        i = nf_instance_at(m, i)->same_as;
    return i;
}

/* Merges the live instances of a function that need the same code, after the instances of its callees. */
static void merge_twins(struct nf_module *m, uint32_t function, uint32_t *ids)
{
    struct nf_function *f = &m->functions[function];
    uint32_t count = f->analysis->instance_count > 1 ? deciding_ids(m, f, ids) : 0;
    for (uint32_t i = f->analysis->instances; i && f->analysis->instance_count > 1; i = nf_instance_at(m, i)->next) {
        if (!nf_instance_at(m, i)->live || nf_instance_at(m, i)->root) continue;
        for (uint32_t k = f->analysis->instances; k; k = nf_instance_at(m, k)->next) {
            bool candidate = k != i && nf_instance_at(m, k)->live && nf_instance_at(m, k)->same_as == k &&
                             !nf_instance_at(m, k)->root;
            if (!candidate || nf_instance_at(m, i)->same_as != i || !same_code(m, i, k, ids, count)) continue;
            nf_instance_at(m, i)->same_as = k;
        }
    }
    for (uint32_t i = f->analysis->instances; i; i = nf_instance_at(m, i)->next)
        nf_instance_at(m, i)->same_as = last_twin(m, i);
}

void nf_instances(struct nf_module *m)
{
    find_all(m);
    mark_live(m);
    uint32_t *ids = NF_NEW_ARRAY(m->arena, uint32_t, m->bound);
    for (uint32_t i = 0; i < m->analysis->order_count; i++)
        merge_twins(m, m->analysis->order[i], ids);
    nf_arena_drop(m->arena, ids);
    for (uint32_t i = 0; i < m->function_count; i++)
        nf_drop_summary(m, &m->functions[i]);
    m->analysis->solved = true;
}
