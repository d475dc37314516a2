/* SPDX-License-Identifier: Apache-2.0 */
/*
 * graph.h - the constraint graph: which values may hold which addresses, and which memory those addresses point to.
 *
 * A *node* (a constraint variable) represents one value or one memory cell. A node has evidence, which is solved later,
 * and the place that its address points to. Evidence flows along one-way edges (inclusion); places are unified
 * (Steensgaard), so that recursive types need no special treatment. A *region* is an abstract object with cells at byte
 * offsets. Each SCC of the call graph has one region for all memory of the host, H, and one node for all exposed
 * addresses, X. docs/glossary.md defines *number*, *exposed* and *loose*.
 *
 * Takes nodes, edges, accesses and copies that infer/ requests. Gives each node's evidence. May use: base, module.
 */
#ifndef NF_GRAPH_H
#define NF_GRAPH_H

#include "module/module.h"

/* The transfer function of a node, nf_transfer(): maps the set of evidence that flows in to the set that flows out. */
enum nf_node_kind {
    NF_NODE_PLAIN,      /* passes the whole set */
    NF_NODE_EXPOSED,    /* X, the exposed addresses of a kernel: removes NF_ANY_VALUE */
    NF_NODE_IF_ANY,     /* from compared integers to X: passes a set that has NF_NUMBER, NF_LOOSE or NF_FROM_HOST */
    NF_NODE_IF_ADDRESS, /* for the index of an access chain: passes a set that has the private, local or global space */
    NF_NODE_APART,      /* for operands of arithmetic: passes the spaces and NF_FROM_HOST of a set of several spaces */
    NF_NODE_UNITED,     /* for operands of a sum, AND, OR...: passes the set, with NF_NUMBER if it has NF_FROM_HOST */
    NF_NODE_CHANGED,    /* for an integer that a count changes: passes the set, with NF_COUNT in place of NF_NULL */
    NF_NODE_DISTANCE,   /* for a difference: as _UNITED; of a non-null address in one space passes at most NF_NUMBER */
};

/* A constraint variable: a value or a memory cell. Node 0 does not exist: index 0 means "no address". */
struct nf_node {
    uint32_t region; /* the region that its address points into; 0: none is known yet */
    int32_t offset;  /* bytes from the beginning of that region */
    uint32_t edges;  /* head of the list of its outgoing edges */
    nf_set base;     /* the set that it has even if nothing flows into it */
    uint8_t kind;    /* an nf_node_kind */
    uint32_t origin; /* word offset of the instruction for which it was made; explanations name it */
};

enum { NF_MAX_NODES = 1 << 26 };

struct nf_edge {
    uint32_t to, next; /* the target node; the next outgoing edge of the source node */
};

/* A value: the address that `node` holds, plus `offset` bytes. An aggregate in SSA is treated like memory: its value is
 * the address of memory that holds its members. */
struct nf_value {
    uint32_t node; /* 0: the value carries no address */
    int32_t offset;
};

/* A place: `offset` bytes into the region `region`, which is a root (it was not merged into another). */
struct nf_place {
    uint32_t region, offset;
};

/* Time stamps are bit-fields, because there are many cells and copies. At NF_CLOCK_END the clock stops, and each visit
 * of a copy processes all cells. */
enum { NF_CLOCK_BITS = 30, NF_CLOCK_END = (1 << 29) - 1 };

/* The bytes [offset, offset + size) of a region, which hold one value. */
struct nf_cell {
    uint32_t offset, size, node;
    uint32_t made : NF_CLOCK_BITS - 1; /* nf_graph.clock when the cell was made */
    uint32_t from_host : 1,            /* the content of H already flows into the cell */
        to_host : 1;                   /* the cell's content already flows into H */
};

/* An array: the offsets in [low, high) repeat every `stride` bytes, so that all elements share the cells of the first.
 * `bare`: the bounds are unknown, and the array was entered at its first element only, so it may prove to be part of an
 * array whose bounds are known. `latent`: the elements are still separate, because every index so far was constant. */
struct nf_zone {
    uint32_t low, high, stride;
    uint32_t element; /* type id, if pointer arithmetic stays in the array; NF_OPEN: it may leave; 0: unknown */
    bool bare, latent;
};

#define NF_OPEN UINT32_MAX /* nf_zone.element: pointer arithmetic may leave the array */
/* Limits of a region: zones; cells; cells in a crowded graph, see nf_is_graph_too_large(); enlargements of a cell or
 * a zone, which then covers the region; the largest offset, in bytes. Too many zones or cells collapse the region. */
enum { NF_MAX_ZONES = 8, NF_MAX_CELLS = 192, NF_FEW_CELLS = 4, NF_MAX_GROWTH = 255, NF_MAX_OFFSET = 1 << 30 };
#define NF_TO_END 0x7fffffffu    /* a nf_zone.high or a size that extends to the end of the region */
#define NF_ANY_BYTES 0x80000000u /* the size of a copy that may also end inside a pointer-sized word */

/* An abstract object. Region 0 does not exist. */
struct nf_region {
    uint32_t parent, delta; /* if parent is not 0: merged into that region, `delta` bytes from its beginning */
    struct nf_cell *cells;  /* in the order of their offsets, disjoint */
    struct nf_zone *zones;  /* in the order of their size, largest first */
    uint32_t cell_count, cell_capacity, zone_count, zone_capacity;
    uint32_t copies;                      /* head of the list of copies that read or write the region */
    uint32_t extent;                      /* the end, in bytes, of all accesses and copies at constant offsets */
    uint32_t changed : NF_CLOCK_BITS - 1; /* nf_graph.clock when `uses` last changed or a region was merged into it */
    uint32_t host : 1;                    /* the region is H */
    uint32_t grown : 8;   /* how many times a cell or a zone was enlarged; at NF_MAX_GROWTH it covers the region */
    uint32_t uses : 11;   /* bits of enum nf_use, and evidence of all cells: NF_OF_CELLS */
    uint32_t flagged : 4; /* 1 + the offset in a word of the addresses that get or lose flags; 0: none */
};

/* nf_region.uses. NF_STORED: stores of addresses, or of possible parts of addresses. NF_WIDE: loads or stores that are
 * at least as wide as an address. NF_WATCHED: copies as bytes (a watched view has all cells of its sources).
 * NF_WRITTEN: any stores. NF_RAW: raw storage, which may contain arrays that its type does not declare: a buffer, or an
 * object with an array of numbers. Stores at unknown places give evidence to every cell: NF_CUT, of constants to parts
 * of words; NF_COUNTED, of counts; NF_ZEROED, of zeros. */
enum nf_use { NF_STORED = 1, NF_WIDE = 2, NF_WATCHED = 4, NF_WRITTEN = 8, NF_RAW = 16 };
enum { NF_CUT = NF_LOOSE, NF_COUNTED = NF_COUNT, NF_ZEROED = NF_NULL, NF_OF_CELLS = NF_LOOSE | NF_COUNT | NF_NULL };
enum { NF_FLAGS_ANYWHERE = 15 }; /* nf_region.flagged: at several offsets */

/* A copy: the bytes [source, source + size) are also found at `target`, as after memcpy or a load and a store of a
 * whole struct. A *view* is stronger: every access through `target` is also an access of `source`. So a pointer may
 * point to several regions that remain separate. */
struct nf_copy {
    uint32_t target, target_offset, source, source_offset;
    uint32_t size;                 /* bytes, NF_TO_END or NF_ANY_BYTES */
    uint32_t seen : NF_CLOCK_BITS; /* nf_graph.clock at its last visit: cells that are older have been copied */
    uint32_t view : 1, queued : 1; /* the copy is a view; the copy waits in nf_graph.queue */
};
/* An entry of nf_region.copies. */
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
    uint64_t promised; /* surplus cells (nf_summary_surplus()) that calls of the summarized functions will add */
    uint32_t clock;    /* counts the visits of copies, up to NF_CLOCK_END */
    uint32_t *queue;   /* copies to visit */
    uint32_t queue_count, queue_capacity;
    struct nf_pair *pairs; /* pairs of addresses whose places are to be unified */
    uint32_t pair_count, pair_capacity;
    bool numbers_point_to_host; /* numbers and exposed addresses point into H: see infer/numbers.c */
    bool unifies_indices;       /* indices of access chains are unified with the results: see infer/numbers.c */
    bool tracks_distances;      /* numbers that are computed from a distance have its spaces: see infer/numbers.c */
    bool steps_out;             /* some step may leave the array of its element: see infer/element_stride.c */
    /* State of the SCC and of the instruction that are being constrained: */
    uint32_t host;         /* the region H of the SCC */
    uint32_t host_store;   /* the node into which all values that are stored into H flow */
    uint32_t host_wide;    /* the node of all loads from H that are at least as wide as an address */
    uint32_t exposed;      /* X: the node of the exposed addresses; a number may equal any of them */
    uint32_t origin;       /* word offset of the instruction for which new nodes are made */
    uint32_t offset_views; /* number of views that nf_join_values() made between offsets of one region */
};

/* ---- graph.c: nodes, edges, places ------------------------------------------------------------------------------- */
/* Returns a new node of kind NF_NODE_PLAIN with that base. Fails with NF_OUT_OF_MEMORY beyond NF_MAX_NODES. */
uint32_t nf_node(struct nf_module *m, nf_set base);
/* Returns true if the graph, with `more` further nodes, is too large for the size of the module. A region that gets a
 * new cell then collapses if it has more than NF_FEW_CELLS: memory stays near linear even with many calls or copies. */
bool nf_is_graph_too_large(const struct nf_module *m, uint64_t more);
/* Returns a new node of a kind other than NF_NODE_PLAIN. */
uint32_t nf_node_of_kind(struct nf_module *m, enum nf_node_kind kind);
/* Adds an edge from one node to another; does nothing if either is 0, or both are the same. */
void nf_edge(struct nf_module *m, uint32_t from, uint32_t to);
uint32_t nf_region(struct nf_module *m); /* returns a new region without cells */
/* Makes H and X for a new SCC of the call graph: nf_graph.host, host_store, host_wide and exposed. */
void nf_begin_host(struct nf_module *m);
/* Returns the place to which `value`, which has a node, points; makes or extends its region if necessary. */
struct nf_place nf_place_of(struct nf_module *m, struct nf_value value);
/* Returns the root of `region`, and the offset in that root of the byte at `offset` of `region`; always 0 in H. */
struct nf_place nf_find(struct nf_module *m, uint32_t region, uint32_t offset);
bool nf_is_host(struct nf_module *m, struct nf_value value); /* returns true if the address points into H */
/* Unifies the places to which `a` and `b` point, if both have a node, and then performs all queued work. */
void nf_unify(struct nf_module *m, struct nf_value a, struct nf_value b);
/* Declares that `value` may point to any of `count` elements of `stride` bytes that begin at its offset or, if `count`
 * is 0, any multiple of `stride` (1: any number of) bytes away, in either direction. `element`: the type id of the
 * elements, if an address with an unknown count stays in the array that contains it; 0 or NF_OPEN: it may leave it. */
void nf_smear_offsets(struct nf_module *m, struct nf_value value, uint32_t stride, uint32_t count, uint32_t element);
/* Declares an array of `count` elements of `stride` bytes at `value` that are still separate (a latent zone). */
void nf_declare_array(struct nf_module *m, struct nf_value value, uint32_t stride, uint32_t count, uint32_t element);
/* Returns the node of the cell that an access of `size` bytes at `address` loads from, or stores into if `store` is
 * true; for H, host_wide or host_store. Returns 0 if `address` carries no address. */
uint32_t nf_cell_at(struct nf_module *m, struct nf_value address, uint32_t size, bool store);
/* Declares that an operation changes the lowest bits of the address, which moves it within the word to which it points.
 * If all such addresses into a region have the same offset in a word, the address keeps its offset; otherwise it may
 * have moved to another word, so all words of the region share their cells. */
void nf_note_flags(struct nf_module *m, struct nf_value address);
/* Adds `use` to the uses of the region into which `address` points; does nothing without a node. */
void nf_note_use_at(struct nf_module *m, struct nf_value address, uint32_t use);
/* Declares that `to` may hold the same addresses as `from`: adds an edge and unifies the places. */
void nf_flow(struct nf_module *m, struct nf_value from, struct nf_value to);
/* Frees the graph; the instances have copies of the sets. */
void nf_free_graph(struct nf_module *m);

/* ---- cells.c: cells and zones ------------------------------------------------------------------------------------ */
/* Merges all bytes of the region that are a multiple of `stride` bytes apart; 1: the region becomes one cell. */
void nf_collapse(struct nf_module *m, uint32_t region, uint32_t stride);
/* Returns true if the address may be inside a pointer-sized word, because of its offset or the stride of an array. */
bool nf_may_cut_words(struct nf_module *m, struct nf_value address);

/* ---- exposure.c: addresses whose bits the analysis no longer follows, and numbers -------------------------------- */
/* Exposes the address `v`: any number of the kernel may equal it. Does nothing if `v` has no node. */
void nf_expose(struct nf_module *m, struct nf_value v);
struct nf_value nf_make_number(struct nf_module *m); /* returns a new value with NF_NUMBER */
/* Exposes both nodes if either has NF_NUMBER, NF_LOOSE or NF_FROM_HOST. Either may be 0. */
void nf_expose_if_number(struct nf_module *m, uint32_t address, uint32_t other);
/* If numbers point into H, unifies the place of `node`, the copy of a callee's X, with the place of the caller's X. */
void nf_unify_exposed(struct nf_module *m, uint32_t node);
/* Handle a load and a store of `size` bytes at `address` that may access a part of a pointer-sized word. A load exposes
 * the word; a store makes it a number or, if it stores 0 (`zero`), a loose address of any byte of the same region. */
void nf_read_part(struct nf_module *m, struct nf_value address, uint32_t size);
void nf_write_part(struct nf_module *m, struct nf_value address, uint32_t size, bool zero);
/* Records that accesses may put the word in `cell` together from parts of several words: it is a number, and loose. */
void nf_mark_number(struct nf_module *m, uint32_t cell);

/* ---- copies.c: copies and views ---------------------------------------------------------------------------------- */
/* Makes the memory at `view` a view of the memory at `of`: each access of `view` is also an access of `of`. */
void nf_view(struct nf_module *m, struct nf_value view, struct nf_value of);
/* Adds a copy of `size` bytes (or NF_TO_END, NF_ANY_BYTES) from `source` to `target`. nf_run_pending() performs it. */
void nf_copy_memory(struct nf_module *m, struct nf_value target, struct nf_value source, uint32_t size);
/* Adds a copy between two roots, with the offsets, the size and the kind of `like`. */
void nf_copy_regions(struct nf_module *m, uint32_t target, uint32_t source, const struct nf_copy *like);
/* Performs all queued unifications and copies, until none is left. */
void nf_run_pending(struct nf_module *m);
/* ---- solve.c ----------------------------------------------------------------------------------------------------- */
/* Returns a new array of the sets that the nodes [first, first + count) have before anything flows into them. */
nf_set *nf_base_sets(struct nf_module *m, uint32_t first, uint32_t count);
/* Solves the graph: propagates the sets in `masks`, of the nodes [first, first + count), until nothing changes. */
void nf_propagate(struct nf_module *m, nf_set *masks, uint32_t first, uint32_t count);
/* Returns the set that flows out of a node of that kind that holds `set`: the node's transfer function. */
nf_set nf_transfer(enum nf_node_kind kind, nf_set set);

#endif
