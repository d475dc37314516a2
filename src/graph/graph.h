/* SPDX-License-Identifier: Apache-2.0 */
/*
 * graph.h - the constraint graph: what may hold which address, and what that address points to.
 *
 * A *node* stands for one value or memory cell: its set (solved later), and the place that its address points to. Sets
 * flow along one-way edges (inclusion); places unify (Steensgaard), so that recursive types need no special care. A
 * *region* is a piece of memory with cells at byte offsets. One region of each function's graph is the host's memory H.
 *
 * In: nodes, edges, accesses, copies, as infer/ asks for them. Out: the set of every node. May use: base, module.
 */
#ifndef NF_GRAPH_H
#define NF_GRAPH_H

#include "module/module.h"

/* What a node does to the set that flows into it; what flows out is nf_passed(). Only such a node, never an edge, changes
 * a set, so that a path of edges means the same whether it is short or long, in one function or through a summary. */
enum nf_node_kind {
    NF_NODE_PLAIN,   /* everything passes */
    NF_NODE_EXPOSED, /* the exposed addresses of a kernel: what was a number before it was exposed is no number here */
    NF_NODE_IF_NUMBER, /* passes only what may be a computed number: an address that is compared with such a one */
    NF_NODE_IF_ANY, /* passes that, any word of the host's, and what has left its window: what an address is ordered against */
    NF_NODE_IF_ADDRESS, /* passes only what holds the address of an object: the index of an access chain */
    NF_NODE_UNITED,     /* passes everything, and a number for two words of the host's: the sum of two addresses */
    NF_NODE_DISTANCE,   /* the same, but of the addresses only what may be in several spaces: their difference */
};

struct nf_node {
    uint32_t region; /* what its address points to, 0: nothing known yet */
    int32_t offset;  /* where in it, bytes */
    uint32_t edges;  /* head of its outgoing edges */
    nf_set base;     /* evidence that it has in any case */
    uint8_t kind;    /* an nf_node_kind */
    uint32_t origin; /* word offset of the instruction it stands for: for explanations */
};

enum { NF_MAX_NODES = 1 << 26 };

struct nf_edge {
    uint32_t to, next; /* the node that it leads to; the next edge of the node that it leaves */
};

/* A value: the node's address plus `offset` bytes. Of an aggregate: where its parts lie, as if it were in memory. */
struct nf_value {
    uint32_t node; /* 0: carries no address */
    int32_t offset;
};

/* A place: offset bytes into a region that is a root. */
struct nf_place {
    uint32_t region, offset;
};

/* Room for the time in records of which there are many; once it has run out every look is a whole one. */
enum { NF_CLOCK_BITS = 30, NF_CLOCK_END = (1 << 29) - 1 };

struct nf_cell {
    uint32_t offset, size, node;
    uint32_t made : NF_CLOCK_BITS - 1;   /* when, by the graph's clock */
    uint32_t from_host : 1, to_host : 1; /* joined with the host's memory already */
};

/* Offsets in [low, high) repeat every `stride` bytes: an array whose elements are one. `bare`: an array without
 * bounds that was only entered at its first element: it may prove to be part of one whose bounds are known.
 * `latent`: an array whose elements are still apart, because nobody has used an index that is not known. */
struct nf_zone {
    uint32_t low, high, stride;
    uint32_t
        element; /* type id of the elements, if a walk over such stays among them; NF_OPEN: it need not; 0: unsaid */
    bool bare, latent;
};

#define NF_OPEN UINT32_MAX /* nf_zone.element: whatever walks there may walk on behind the array */
enum { NF_MAX_ZONES = 8, NF_MAX_CELLS = 192, NF_FEW_CELLS = 4, NF_MAX_GROWTH = 255, NF_MAX_OFFSET = 1 << 30 };
#define NF_TO_END 0x7fffffffu

struct nf_region {
    uint32_t parent, delta; /* not a root: lies `delta` bytes into its parent */
    struct nf_cell *cells;  /* by offset, disjoint */
    struct nf_zone *zones;  /* outer before inner */
    uint32_t cell_count, cell_capacity, zone_count, zone_capacity;
    uint32_t copies;                      /* head of the list of copies that read or write it */
    uint32_t extent;                      /* bytes from its beginning that were named by constant offsets */
    uint32_t changed : NF_CLOCK_BITS - 1; /* when something else than its cells did last */
    uint32_t host : 1;
    uint32_t grown : 8;   /* how often a cell became larger; at NF_MAX_GROWTH there is only one left */
    uint32_t stored : 1;  /* something may be written into it */
    uint32_t loaded : 1;  /* something may be read from it */
    uint32_t wide : 1;    /* something as long as an address may be read from it or written into it */
    uint32_t watched : 1; /* a view that is copied as bytes: it needs all cells of what it is a view of */
};

/* The bytes [source, source + size) are also found at target: memcpy, whole-struct load and store. A *view* is more:
 * every access through target is also one of source, so that a pointer may point to several regions without making
 * them one. */
struct nf_copy {
    uint32_t target, target_offset, source, source_offset;
    uint32_t size;                 /* bytes, or NF_TO_END */
    uint32_t seen : NF_CLOCK_BITS; /* when it was looked at last: older cells have their twins */
    uint32_t view : 1, queued : 1;
};
struct nf_copy_link {
    uint32_t copy, next;
};

struct nf_graph {
    struct nf_node *nodes;
    uint32_t node_count, node_capacity;
    struct nf_edge *edges;
    uint32_t edge_count, edge_capacity;
    struct nf_region *regions;
    uint32_t region_count, region_capacity;
    struct nf_copy *copies;
    uint32_t copy_count, copy_capacity;
    struct nf_copy_link *links;
    uint32_t link_count, link_capacity;
    uint64_t promised; /* cells that calls of the functions summarized so far will take */
    uint32_t clock;    /* counts the looks at copies, up to NF_CLOCK_END */
    uint32_t *queue;   /* copies to look at again */
    uint32_t queue_count, queue_capacity;
    struct nf_pair *pairs; /* places to unify */
    uint32_t pair_count, pair_capacity;
    bool numbers_point; /* numbers and exposed addresses point into the host's memory: see infer/numbers.c */
    bool indices_point; /* an index of an access chain points to what its result points to: see there, too */
    /* the function that is being constrained: */
    uint32_t host;         /* its region H */
    uint32_t host_store;   /* what is stored into H */
    uint32_t host_wide;    /* what a load of an address from H gives */
    uint32_t exposed;      /* the addresses that are exposed, X: what a computed number may be */
    uint32_t origin;       /* the instruction that new nodes stand for */
    uint32_t aligned;      /* what its addresses are multiples of, 0: unknown */
    uint32_t offset_views; /* see nf_meet() */
};

/* ---- graph.c: nodes, edges, places ------------------------------------------------------------------------------- */

uint32_t nf_node(struct nf_module *m, nf_set base);
/* Would `more` nodes be too many for a module of this size? Its regions have to do with few cells then: memory must
 * stay near linear, whatever is copied onto itself or called how often. */
bool nf_is_crowded(const struct nf_module *m, uint64_t more);
/* A node of another kind than NF_NODE_PLAIN. */
uint32_t nf_node_of_kind(struct nf_module *m, enum nf_node_kind kind);
void nf_edge(struct nf_module *m, uint32_t from, uint32_t to);
uint32_t nf_region(struct nf_module *m);
/* Begin a new component: its own host memory. */
void nf_begin_host(struct nf_module *m);
struct nf_place nf_place_of(struct nf_module *m, struct nf_value value); /* made if there is none */
struct nf_place nf_find(struct nf_module *m, uint32_t region, uint32_t offset);
bool nf_is_host(struct nf_module *m, struct nf_value value);
/* The two addresses may be the same place. */
void nf_unify(struct nf_module *m, struct nf_value a, struct nf_value b);
/* The address `value` may be any number of `stride` bytes (1: any number) away from where it says; `count` 0:
 * unknown; `element` 0: to either side, also out of the array that it lies in. */
void nf_spread(struct nf_module *m, struct nf_value value, uint32_t stride, uint32_t count, uint32_t element);
/* There is an array of `count` elements of `stride` bytes at `value`: nothing is one yet. */
void nf_declare_array(struct nf_module *m, struct nf_value value, uint32_t stride, uint32_t count, uint32_t element);
/* The node of the cell at an address; `store` matters in the host's memory only. */
uint32_t nf_cell_at(struct nf_module *m, struct nf_value address, uint32_t size, bool store);
/* What `from` holds may be in `to`: the set flows, the places unify. */
void nf_flow(struct nf_module *m, struct nf_value from, struct nf_value to);
/* The graph is not needed any more: the sets are in the instances. */
void nf_free_graph(struct nf_module *m);

/* ---- cells.c: cells and zones ------------------------------------------------------------------------------------ */

/* May a cell of the region be read or written as something that is as long as an address? One of a byte may be any of them. */
bool nf_is_wide(const struct nf_module *m, const struct nf_region *r, const struct nf_cell *cell);

/* All bytes of the region are one cell from now on. */
void nf_collapse(struct nf_module *m, uint32_t region);

/* ---- exposure.c: addresses that leave the sight of the analysis, and numbers ---------------------------------------- */

/* The address may be found again in any number of the kernel. */
void nf_expose(struct nf_module *m, struct nf_value v);
/* A new node for a computed number. */
struct nf_value nf_make_number(struct nf_module *m);
/* The same as nf_expose(), for both nodes, if either may be a number. */
void nf_expose_if_number(struct nf_module *m, uint32_t address, uint32_t other, bool ordered);
/* `node` is what a callee exposes. */
void nf_unify_exposed(struct nf_module *m, uint32_t node);
/* A part of a word is read or written at an address: `size` bytes, fewer than an address has. */
void nf_read_part(struct nf_module *m, struct nf_value address, uint32_t size);
void nf_write_part(struct nf_module *m, struct nf_value address, uint32_t size);

/* ---- copies.c: copies and views ---------------------------------------------------------------------------------- */

/* Accesses through `view` are accesses of `of`. */
void nf_view(struct nf_module *m, struct nf_value view, struct nf_value of);
void nf_copy_memory(struct nf_module *m, struct nf_value target, struct nf_value source, uint32_t size);
/* The same for two roots; offsets and size are those of `like`. */
void nf_copy_regions(struct nf_module *m, uint32_t target, uint32_t source, const struct nf_copy *like);
/* Everything that was asked for is done: no queued work is left. */
void nf_settle(struct nf_module *m);
/* ---- solve.c ----------------------------------------------------------------------------------------------------- */

/* Solve: let the sets in `masks` (of nodes `first` to `first + count`) flow along all edges until nothing changes. */
void nf_propagate(struct nf_module *m, nf_set *masks, uint32_t first, uint32_t count);
/* What flows out of a node of that kind that holds `set`: nf_propagate() applies it. */
nf_set nf_passed(enum nf_node_kind kind, nf_set set);

#endif
