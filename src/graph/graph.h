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

struct nf_node {
    uint32_t region; /* what its address points to, 0: nothing known yet */
    int32_t offset;  /* where in it, bytes */
    uint32_t edges;  /* head of its outgoing edges */
    nf_set base;     /* evidence that it has in any case */
    uint16_t marks;  /* NF_MARK_*; most are for the form of its address as an integer (infer/classes.c) */
    uint32_t origin; /* word offset of the instruction it stands for: for explanations */
};

enum {
    NF_MARK_COMPARED = 1,   /* something may be told of whether it is null */
    NF_MARK_INTEGER = 8,    /* some instruction computes with it as a number */
    NF_MARK_CONSTANT = 4,   /* holds addresses that constants are made of: nothing can be added to them */
    NF_MARK_CANONICAL = 2,  /* a constant of the module: its integer is canonical wherever it is used */
    NF_MARK_CLEARED = 16,   /* memory: the last bytes of a word, which are set to 0 alone */
    NF_MARK_CUT = 32,       /* memory: the same, some bits of which are masked off alone */
    NF_MARK_PLACED = 64,    /* memory: a word, or half a one: what is above its addresses stays there */
    NF_MARK_GIVEN = 128,    /* the last bytes themselves: a callee puts a number there that the caller knows */
    NF_MARK_MASKED = 256,   /* the last bytes themselves: some bits are masked off */
    NF_MARK_COUNTED = 512,  /* the last bytes themselves: a number is put there with the others of its half */
    NF_MARK_PIECES = 1024,  /* memory that is accessed in pieces */
    NF_MARK_WHOLE = 2048,   /* such memory, in which somebody writes pieces and somebody reads addresses */
    NF_MARK_COVERED = 4096, /* memory: all bytes of a word are written as shorter numbers */
    NF_MARK_PUT = 8192,     /* memory: something is put over the last bytes of a word, whatever is there */
    NF_MARK_SWAPPED =
        16384,             /* the last bytes themselves: the same, in what is an address for certain or by an atomic */
    NF_MARK_ENDED = 32768, /* memory: the last bytes of a word are set to 0, and not all of it */
    NF_MARKS_OF_TOP = NF_MARK_GIVEN | NF_MARK_MASKED | NF_MARK_COUNTED | NF_MARK_SWAPPED,
    NF_MARKS_IN_MEMORY = NF_MARK_CLEARED | NF_MARK_CUT | NF_MARK_PLACED | NF_MARK_PIECES | NF_MARK_WHOLE |
                         NF_MARK_COVERED | NF_MARK_PUT | NF_MARK_ENDED | NF_MARKS_OF_TOP
};

/* What a function does that may find addresses in the host's memory: it reads whole ones, or pieces; it puts pieces together
 * that may be the host's, or any, which is known sooner. And may it return a sum of pieces, which points anywhere where they
 * did without the graph's knowing? */
enum { NF_READS_WIDE = 1, NF_READS_NARROW = 2, NF_PUTS_PIECES = 4, NF_SUMS_NARROW = 8, NF_HAS_PIECES = 16 };

/* An edge's filters: NARROW evidence that is shifted or put together may make a whole address; what is wide and gets
 * narrow is NARROW; top bits may get lost, be elsewhere, be divided with the others, or get mixed with a number there; all may get down. */
#define NF_EDGE_PROMOTE 0x80000000u
#define NF_EDGE_LOSE 0x40000000u
#define NF_EDGE_SHED 0x20000000u
#define NF_EDGE_NARROW 0x10000000u
#define NF_EDGE_MIX 0x08000000u
#define NF_EDGE_MARK 0x04000000u
#define NF_EDGE_DOWN 0x02000000u
/* With NARROW or PROMOTE: what is above an address, or above the upper half of one, stays there. With neither: a tag is
 * found again if no number is above it. */
#define NF_EDGE_KEEP 0x01000000u
/* What was above addresses gets down with the rest. */
#define NF_EDGE_LOWERS (NF_EDGE_DOWN | NF_EDGE_MIX)
#define NF_EDGE_FILTERS 0xff000000u
#define NF_EDGE_FILTER_SHIFT 24
#define NF_EDGE_FILTER_COUNT 256
/* The two that no way has together: what is left has nothing of an address by itself. It is made of bits above all
 * addresses; with DOWN of the lowest; with MIX it is a remainder of no power of two. With SHED or LOSE it may have
 * something; with MARK it is put together with others behind that. */
#define NF_EDGE_TOP (NF_EDGE_PROMOTE | NF_EDGE_NARROW)
#define NF_EDGE_END (NF_EDGE_TOP | NF_EDGE_DOWN)
#define NF_EDGE_REST (NF_EDGE_TOP | NF_EDGE_MIX)
/* A part, or anything, that is only a few bits, or a remainder of a small number: none of the host's is a piece of an address. */
#define NF_EDGE_FEW (NF_EDGE_TOP | NF_EDGE_KEEP)
/* And what gets above addresses. */
#define NF_EDGE_ABOVE (NF_EDGE_TOP | NF_EDGE_LOSE | NF_EDGE_MARK)
/* Nothing flows, but as integers the two have one form: they are compared. */
#define NF_EDGE_MEET 0x00800000u
/* The same for pointers, of which each may be a number instead of an address. */
#define NF_EDGE_MEET_NUMBERS (NF_EDGE_MEET | NF_EDGE_NARROW)
static inline bool nf_meets_as_numbers(uint32_t edge)
{
    return (edge & NF_EDGE_MEET_NUMBERS) == NF_EDGE_MEET_NUMBERS;
}
#define NF_EDGE_NODE(to) ((to) & ~(NF_EDGE_FILTERS | NF_EDGE_MEET))
enum { NF_MAX_NODES = 0x007fffff };
/* Does it leave nothing of an address? */
static inline bool nf_is_part(uint32_t filters)
{
    return (filters & (NF_EDGE_TOP | NF_EDGE_SHED | NF_EDGE_LOSE)) == NF_EDGE_TOP;
}
/* Does it leave what is above an address where it is? */
static inline bool nf_keeps_above(uint32_t filters)
{
    return !(filters & NF_EDGE_TOP) || filters & NF_EDGE_KEEP;
}
static inline bool nf_leaves_few(uint32_t filters)
{
    return (filters & NF_EDGE_FEW) == NF_EDGE_FEW;
}
static inline bool nf_is_open_mask(uint32_t filters)
{
    return (filters & (NF_EDGE_TOP | NF_EDGE_KEEP)) == NF_EDGE_KEEP;
}
/* nf_edge_filters() but for KEEP. */
static inline uint32_t nf_edge_filters_but_keep(uint32_t first, uint32_t second)
{
    uint32_t moves = second & NF_EDGE_MIX ? NF_EDGE_MIX : NF_EDGE_SHED | (second & NF_EDGE_DOWN);
    bool above = (first & NF_EDGE_ABOVE) == NF_EDGE_ABOVE;
    /* What was above addresses is a number again. */
    if (above && second & (NF_EDGE_TOP | NF_EDGE_LOWERS)) return (first & ~NF_EDGE_ABOVE) | (second & NF_EDGE_FILTERS);
    if (nf_is_part(first) && nf_is_part(second)) return first;
    /* A number over a part is over no tag. */
    if (nf_is_part(first) && !(second & (NF_EDGE_LOSE | NF_EDGE_TOP))) second &= ~NF_EDGE_MARK;
    bool changes = second & (NF_EDGE_LOSE | NF_EDGE_MARK | NF_EDGE_MIX);
    if (nf_is_part(first) && !changes) return second & NF_EDGE_PROMOTE ? first | NF_EDGE_MARK : first;
    if (nf_is_part(second) && !(first & moves)) return second & NF_EDGE_FILTERS;
    if (nf_is_part(second)) second |= NF_EDGE_SHED;
    if (second & NF_EDGE_NARROW) first &= ~NF_EDGE_PROMOTE;
    if (second & NF_EDGE_PROMOTE) first &= ~NF_EDGE_NARROW;
    if (second & NF_EDGE_LOSE) first &= ~NF_EDGE_MARK;
    return (first | second) & NF_EDGE_FILTERS;
}
/* The filters of a way of two edges, the one with `first` before the one with `second`. */
static inline uint32_t nf_edge_filters(uint32_t first, uint32_t second)
{
    uint32_t filters = nf_edge_filters_but_keep(first & ~NF_EDGE_KEEP, second & ~NF_EDGE_KEEP),
             kind = filters & NF_EDGE_TOP;
    if (nf_leaves_few(first) || nf_leaves_few(second))
        return filters | NF_EDGE_FEW | (kind == NF_EDGE_TOP ? 0 : NF_EDGE_SHED);
    bool keeps = kind && kind != NF_EDGE_TOP && nf_keeps_above(first) && nf_keeps_above(second);
    if (nf_is_open_mask(second) && first & NF_EDGE_MARK) filters |= NF_EDGE_LOSE;
    keeps |= !kind && (nf_is_open_mask(first) || nf_is_open_mask(second));
    return keeps ? filters | NF_EDGE_KEEP : filters;
}
struct nf_edge {
    uint32_t to; /* node and filters */
    uint32_t next;
};

/* A value: the node's address plus `offset` bytes. Of an aggregate: where its parts lie, as if it were in memory. */
struct nf_value {
    uint32_t node; /* 0: carries no address */
    int32_t offset;
};

/* Something shorter than an address that is stored, and where. */
struct nf_put {
    struct nf_value address;
    uint8_t size; /* bytes */
    bool zero;    /* the constant; else: */
    bool number;  /* it has nothing of an address for certain */
    bool whole;   /* it is put there as it is, whatever lies there */
    bool moves;   /* one of the elements from there on, which is not known ... */
    bool sweeps;  /* ... but all of them in turn, as who clears memory does */
    bool in_word; /* those elements are one word's */
};

/* A place: offset bytes into a region that is a root. */
struct nf_place {
    uint32_t region, offset;
};

/* Room for the time in records of which there are many; once it has run out every look is a whole one. */
enum { NF_CLOCK_BITS = 30, NF_CLOCK_END = (1 << 29) - 1 };

struct nf_cell {
    uint32_t offset, size;
    uint32_t node : 24;
    uint32_t zeros : 8; /* which of a word's bytes are set to 0 so */
    uint32_t top : 24;  /* node of the last two bytes of a word, or of half a one; 0: nobody accesses these alone */
    uint32_t puts : 8;  /* which of a word's bytes are stored to alone, or with others that are no whole word */
    uint32_t made : NF_CLOCK_BITS - 1;   /* when, by the graph's clock */
    uint32_t from_host : 1, to_host : 1; /* joined with the host's memory already ... */
    uint32_t from_wide : 1;              /* ... with what is as long as an address there */
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
    uint32_t cut : 1;     /* something shorter than an address may be written into it */
    uint32_t wide : 1;    /* something as long as an address may be read from it or written into it */
    uint32_t watched : 1; /* a view that is copied as bytes: it needs all cells of what it is a view of */
};

/* The bytes [source, source + size) are also found at target: memcpy, whole-struct load and store. A *view* is more:
 * every access through target is also one of source, so that a pointer may point to several regions without making
 * them one. */
struct nf_copy {
    uint32_t target, target_offset, source, source_offset;
    uint32_t size : 31;            /* bytes, or NF_TO_END */
    uint32_t words : 1;            /* whole words are copied, whatever is known of the offsets */
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
    struct nf_pair *late; /* those of narrow cells of the host's memory: see nf_unify_pieces() */
    uint32_t late_count, late_capacity;
    struct nf_put *puts; /* of the functions that are being constrained */
    uint32_t put_count, put_capacity;
    bool has_tops;    /* what is above addresses is taken out of words */
    bool pieces_wait; /* narrow cells of the host's memory wait for nf_unify_pieces() */
    uint8_t finds;    /* NF_READS_WIDE...: of the functions that are being constrained, with all that they call */
    /* the function that is being constrained: */
    uint32_t host;                               /* its region H */
    uint32_t host_store, host_wide, host_narrow; /* what is stored into H; what a wide, a narrow load from H gives */
    uint32_t origin;                             /* the instruction that new nodes stand for */
    uint32_t aligned;                            /* what its addresses are multiples of, 0: unknown */
    uint32_t offset_views;                       /* see nf_meet() */
    uint32_t first_region, first_copy;           /* its first ones */
};

/* ---- graph.c: nodes, edges, places ------------------------------------------------------------------------------- */

uint32_t nf_node(struct nf_module *m, nf_set base);
/* Would `more` nodes be too many for a module of this size? Its regions have to do with few cells then: memory must
 * stay near linear, whatever is copied onto itself or called how often. */
bool nf_is_crowded(const struct nf_module *m, uint64_t more);
void nf_edge(struct nf_module *m, uint32_t from, uint32_t to, uint32_t filters);
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

/* ---- wholes.c: words that are put together of pieces, and what is above the addresses in them --------------------- */

/* NF_MARK_GIVEN, NF_MARK_MASKED or NF_MARK_COUNTED is what happens to these one or two bytes, if they turn out to be the last ones of a
 * word. @return their node. */
uint32_t nf_note_top(struct nf_module *m, struct nf_value address, uint32_t size, uint16_t mark);

/* Something shorter than an address is stored. */
void nf_note_put(struct nf_module *m, struct nf_put put);

/* Of all regions since g->first_region: pieces make a whole address only where short numbers are written and addresses
 * read. Words that are always accessed whole are no pieces, wherever in an arena they lie; numbers of 32 bits, however
 * their places overlap, are none if nobody reads more. What was noted meets the words that it is stored into. */
void nf_find_wholes(struct nf_module *m);

/* ---- copies.c: copies and views ---------------------------------------------------------------------------------- */

/* Accesses through `view` are accesses of `of`. */
void nf_view(struct nf_module *m, struct nf_value view, struct nf_value of);
void nf_copy_memory(struct nf_module *m, struct nf_value target, struct nf_value source, uint32_t size);
/* The same for two roots; offsets and size are those of `like`. */
void nf_copy_regions(struct nf_module *m, uint32_t target, uint32_t source, const struct nf_copy *like);
/* Everything that was asked for is done: no queued work is left. */
void nf_settle(struct nf_module *m);
/* Of the root: numbers that a kernel writes for the host may be pieces of addresses. What these point to can be found in
 * the host's memory only if it reads addresses there, or numbers, and puts pieces together. */
void nf_unify_pieces(struct nf_module *m);
/* What the node holds is such a number, and gets to the other one: one of the two is the host's. */
void nf_keep_piece(struct nf_module *m, uint32_t node, uint32_t to);

/* ---- solve.c ----------------------------------------------------------------------------------------------------- */

/* Solve: let the sets in `masks` (of nodes `first` to `first + count`) flow along all edges until nothing changes. */
void nf_propagate(struct nf_module *m, nf_set *masks, uint32_t first, uint32_t count);
/* The same where nothing else will come from callers: so a pointer that is made of digits of the host's alone is global. */
void nf_propagate_all(struct nf_module *m, nf_set *masks, uint32_t first, uint32_t count);

#endif
