/* SPDX-License-Identifier: Apache-2.0 */
/*
 * transfers.c - algebraic laws of transfer functions: the effect of nodes on the sets that flow through them, alone and
 * composed.
 *
 * A transfer is the function from set to set of a kind of node (nf_transfer()), or of a path of nodes (nf_propagate()).
 * Summaries and instances depend on these laws:
 *
 *     monotone       a <= b gives t(a) <= t(b): the least solution exists, and one for more seeds is sound
 *     joins          t(a) | t(b) <= t(a | b): sets may be joined before a node instead of behind it; that loses precision only
 *     composition    a path may be cut anywhere: the solution of the first part, as seed of the second one, gives the same
 *     order          the order in which nodes, edges and seeds are added changes nothing
 *
 * There are eleven bits of evidence, so single transfers are checked for all 2,048 sets and all pairs of sets. Paths of
 * three nodes are checked for all sets and all kinds, on graphs that are built like those of infer/. Graphs with joins
 * and cycles are random; their solutions are compared with those of a second solver without a work list.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "graph/graph.h"

#include "../harness/allocator.h"

enum { SETS = 2 * NF_NULL, KINDS = NF_NODE_DISTANCE + 1, NODES = 12, EDGES = 24, GRAPHS = 4000 };
_Static_assert(NF_NULL == 1 << 10 && NF_SPACES < 1 << 5, "SETS is one more than the set with all bits of evidence");

/* Without a default case, the compiler reports a missing kind; KINDS must then be increased. */
static const char *name_of(enum nf_node_kind kind)
{
    switch (kind) {
    case NF_NODE_PLAIN: return "plain";
    case NF_NODE_EXPOSED: return "exposed";
    case NF_NODE_IF_ANY: return "if any";
    case NF_NODE_IF_ADDRESS: return "if address";
    case NF_NODE_APART: return "apart";
    case NF_NODE_UNITED: return "united";
    case NF_NODE_CHANGED: return "changed";
    case NF_NODE_DISTANCE: return "distance";
    }
    return "?";
}

static nf_set passed(unsigned kind, unsigned set)
{
    return nf_transfer((enum nf_node_kind)kind, (nf_set)set);
}

static void expect(bool holds, const char *law, unsigned kind, unsigned a, unsigned b)
{
    if (!holds) fail_msg("%s: kind '%s', sets 0x%03x and 0x%03x", law, name_of((enum nf_node_kind)kind), a, b);
}

/* ---- One node ---- */

static void each_is_monotone(void **state)
{
    (void)state;
    for (unsigned kind = 0; kind < KINDS; kind++)
        for (unsigned set = 0; set < SETS; set++)
            for (unsigned bit = 1; bit < SETS; bit <<= 1)
                expect(!(passed(kind, set) & ~passed(kind, set | bit)), "monotone", kind, set, set | bit);
}

static void each_passes_nothing_of_nothing(void **state)
{
    (void)state;
    for (unsigned kind = 0; kind < KINDS; kind++)
        expect(!passed(kind, 0), "nothing of nothing", kind, 0, 0);
}

/* A node may add only the evidence that an integer is a number, or for null that it is a count. A space, or any other
 * evidence, must come from the input. */
static void none_invents_evidence(void **state)
{
    (void)state;
    for (unsigned kind = 0; kind < KINDS; kind++)
        for (unsigned set = 0; set < SETS; set++)
            expect(!(passed(kind, set) & ~(set | NF_NUMBER | (set & NF_NULL ? NF_COUNT : 0u))), "no invention", kind,
                   set, 0);
}

/* A callee's node of the same kind may precede its caller's. */
static void twice_is_once(void **state)
{
    (void)state;
    for (unsigned kind = 0; kind < KINDS; kind++)
        for (unsigned set = 0; set < SETS; set++)
            expect(passed(kind, passed(kind, set)) == passed(kind, set), "twice is once", kind, set, 0);
}

/* @return true if some two sets give more when joined before the node. */
static bool loses_by_joining(unsigned kind)
{
    bool loses = false;
    for (unsigned a = 0; a < SETS; a++)
        for (unsigned b = 0; b < a; b++) {
            unsigned apart = passed(kind, a) | passed(kind, b), together = passed(kind, a | b);
            expect(!(apart & ~together), "joins", kind, a, b);
            loses |= apart != together;
        }
    return loses;
}

/* Joining sets before a gate costs precision; before other nodes it costs nothing, so summaries preserve only the
 * gates. */
static void joins_lose_at_gates_alone(void **state)
{
    static const bool is_gate[KINDS] = {
        [NF_NODE_IF_ANY] = true, [NF_NODE_IF_ADDRESS] = true, [NF_NODE_APART] = true, [NF_NODE_DISTANCE] = true};
    (void)state;
    for (unsigned kind = 0; kind < KINDS; kind++)
        expect(loses_by_joining(kind) == is_gate[kind], "joins lose precision at gates, and there alone", kind, 0, 0);
}

/* ---- Graphs ---- */

struct world {
    struct nf_arena arena;
    struct nf_module m;
    nf_set *masks;
    uint32_t count; /* nodes */
};

/* An empty graph, whose nodes and edges are numbered from 1 as those of infer/. */
static void begin(struct world *w)
{
    *w = (struct world){.arena.allocator = malloc_allocator};
    w->m.arena = &w->arena;
    if (setjmp(w->arena.failure.back)) fail_msg("%s", w->arena.failure.text);
    w->m.graph = NF_NEW(&w->arena, struct nf_graph, 1);
    w->m.graph->node_count = w->m.graph->edge_count = w->m.graph->region_count = 1;
}

static uint32_t add(struct world *w, unsigned kind)
{
    return kind == NF_NODE_PLAIN ? nf_node(&w->m, 0) : nf_node_of_kind(&w->m, (enum nf_node_kind)kind);
}

/* Storage for the sets of all nodes; node 1 has masks[0]. */
static void close(struct world *w)
{
    w->count = w->m.graph->node_count - 1;
    w->masks = NF_NEW(&w->arena, nf_set, w->count + 1);
}

static void solve(struct world *w)
{
    nf_propagate(&w->m, w->masks, 1, w->count);
}

/* Builds a path: a plain node, one node of each kind in `kinds`, and a plain node. */
static void begin_path(struct world *w, const unsigned *kinds, unsigned length)
{
    begin(w);
    uint32_t last = add(w, NF_NODE_PLAIN);
    for (unsigned i = 0; i < length; i++) {
        uint32_t node = add(w, kinds[i]);
        nf_edge(&w->m, last, node);
        last = node;
    }
    nf_edge(&w->m, last, add(w, NF_NODE_PLAIN));
    close(w);
}

/* @return the set at the end of the path if `set` is at its beginning. */
static nf_set through(struct world *path, nf_set set)
{
    memset(path->masks, 0, path->count * sizeof *path->masks);
    path->masks[0] = set;
    solve(path);
    return path->masks[path->count - 1];
}

/* Checks that a path of three nodes maps each set as its first two nodes and then its third, and as its first node and
 * then its last two. */
static void check_path(const unsigned kinds[3])
{
    struct world whole, front, third, first, rear;
    begin_path(&whole, kinds, 3);
    begin_path(&front, kinds, 2);
    begin_path(&third, kinds + 2, 1);
    begin_path(&first, kinds, 1);
    begin_path(&rear, kinds + 1, 2);
    for (unsigned set = 0; set < SETS; set++) {
        nf_set out = through(&whole, (nf_set)set);
        if (through(&third, through(&front, (nf_set)set)) != out || through(&rear, through(&first, (nf_set)set)) != out)
            fail_msg("composition: kinds '%s', '%s', '%s', set 0x%03x", name_of((enum nf_node_kind)kinds[0]),
                     name_of((enum nf_node_kind)kinds[1]), name_of((enum nf_node_kind)kinds[2]), set);
        assert_int_equal(out, passed(kinds[2], passed(kinds[1], passed(kinds[0], set))));
    }
    struct world *const all[] = {&whole, &front, &third, &first, &rear};
    for (unsigned i = 0; i < sizeof all / sizeof *all; i++)
        nf_arena_free(&all[i]->arena);
}

static void paths_may_be_cut_anywhere(void **state)
{
    (void)state;
    for (unsigned i = 0; i < KINDS * KINDS * KINDS; i++)
        check_path((const unsigned[]){i % KINDS, i / KINDS % KINDS, i / KINDS / KINDS});
}

/* ---- Graphs with joins and cycles ---- */

static uint32_t below(uint32_t limit)
{
    static uint64_t random = 1;
    random = random * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(random >> 33) % limit;
}

/* A graph as a list: the numbers of nodes and edges do not depend on the order in which they are added. */
struct plan {
    unsigned kinds[NODES];
    nf_set seeds[NODES];
    uint32_t from[EDGES], to[EDGES];
};

static struct plan random_plan(void)
{
    struct plan plan;
    for (uint32_t i = 0; i < NODES; i++) {
        plan.kinds[i] = below(KINDS);
        plan.seeds[i] = below(3) ? 0 : (nf_set)(1u << below(10));
    }
    /* nf_edge() adds no edge from a node to itself. */
    for (uint32_t i = 0; i < EDGES; i++)
        plan.from[i] = below(NODES), plan.to[i] = (plan.from[i] + 1 + below(NODES - 1)) % NODES;
    return plan;
}

static void shuffle(uint32_t *order, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        order[i] = i;
    for (uint32_t i = count; i-- > 1;) {
        uint32_t other = below(i + 1), swapped = order[i];
        order[i] = order[other], order[other] = swapped;
    }
}

/* The solution by definition: the smallest sets that contain the seeds and the transfer of every edge, computed in
 * rounds over all edges. */
static void solve_by_rounds(const struct plan *plan, const nf_set *seeds, nf_set *sets)
{
    bool grown = true;
    memcpy(sets, seeds, NODES * sizeof *sets);
    while (grown) {
        grown = false;
        for (uint32_t i = 0; i < EDGES; i++) {
            nf_set brings = passed(plan->kinds[plan->from[i]], sets[plan->from[i]]);
            grown |= (brings & ~sets[plan->to[i]]) != 0;
            sets[plan->to[i]] |= brings;
        }
    }
}

/* The plan's graph, with nodes and edges in random order; `node` maps each planned node to its node. */
static void build_shuffled(struct world *w, const struct plan *plan, uint32_t *node)
{
    uint32_t order[EDGES];
    begin(w);
    shuffle(order, NODES);
    for (uint32_t i = 0; i < NODES; i++)
        node[order[i]] = add(w, plan->kinds[order[i]]);
    shuffle(order, EDGES);
    for (uint32_t i = 0; i < EDGES; i++)
        nf_edge(&w->m, node[plan->from[order[i]]], node[plan->to[order[i]]]);
    close(w);
}

static void expect_solution(const struct world *w, const uint32_t *node, const nf_set *sets, const char *law)
{
    for (uint32_t i = 0; i < NODES; i++)
        if (w->masks[node[i] - 1] != sets[i])
            fail_msg("%s: 0x%03x at a node of kind '%s', 0x%03x is right", law, w->masks[node[i] - 1],
                     name_of((enum nf_node_kind)w->m.graph->nodes[node[i]].kind), sets[i]);
}

static void the_least_solution_is_found_in_any_order(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < GRAPHS; i++) {
        struct plan plan = random_plan();
        struct world w;
        uint32_t node[NODES];
        nf_set sets[NODES];
        build_shuffled(&w, &plan, node);
        for (uint32_t k = 0; k < NODES; k++)
            w.masks[node[k] - 1] = plan.seeds[k];
        solve(&w);
        solve_by_rounds(&plan, plan.seeds, sets);
        expect_solution(&w, node, sets, "the least solution");
        nf_arena_free(&w.arena);
    }
}

/* An additional caller of a solved instance: the result is that of both callers at once. */
static void seeds_may_come_later(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < GRAPHS; i++) {
        struct plan plan = random_plan();
        struct world w;
        uint32_t node[NODES], order[NODES];
        nf_set sets[NODES];
        build_shuffled(&w, &plan, node);
        shuffle(order, NODES);
        for (uint32_t k = 0; k < NODES; k++) {
            w.masks[node[order[k]] - 1] |= plan.seeds[order[k]];
            if (below(2)) solve(&w);
        }
        solve(&w);
        solve_by_rounds(&plan, plan.seeds, sets);
        expect_solution(&w, node, sets, "seeds that come later");
        nf_arena_free(&w.arena);
    }
}

/* A solution for more seeds contains the one for fewer: an open instance is sound for each of its callers. */
static void solutions_are_monotone(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < GRAPHS; i++) {
        struct plan plan = random_plan();
        struct world w;
        uint32_t node[NODES], at = below(NODES);
        nf_set fewer[NODES];
        build_shuffled(&w, &plan, node);
        for (uint32_t k = 0; k < NODES; k++)
            w.masks[node[k] - 1] = plan.seeds[k];
        solve(&w);
        for (uint32_t k = 0; k < NODES; k++)
            fewer[k] = w.masks[node[k] - 1], w.masks[node[k] - 1] = plan.seeds[k];
        w.masks[node[at] - 1] |= (nf_set)(1u << below(10));
        solve(&w);
        for (uint32_t k = 0; k < NODES; k++)
            assert_false(fewer[k] & ~w.masks[node[k] - 1]);
        nf_arena_free(&w.arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(each_is_monotone),
                                       cmocka_unit_test(each_passes_nothing_of_nothing),
                                       cmocka_unit_test(none_invents_evidence),
                                       cmocka_unit_test(twice_is_once),
                                       cmocka_unit_test(joins_lose_at_gates_alone),
                                       cmocka_unit_test(paths_may_be_cut_anywhere),
                                       cmocka_unit_test(the_least_solution_is_found_in_any_order),
                                       cmocka_unit_test(seeds_may_come_later),
                                       cmocka_unit_test(solutions_are_monotone)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
