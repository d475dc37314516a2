/* SPDX-License-Identifier: Apache-2.0 */
/*
 * wholes.c - once all accesses are known: which cells are words that are put together of pieces, and what is put above
 * the addresses in them.
 *
 *     union { char *p; ushort s[4]; } w;
 *     w.p = a;                              a tag stands in w's last bytes, if a may be in several memories
 *     w.s[3] = 0;                           and is taken off here: the word is marked, and what is loaded from it refused
 *
 * What is stored in pieces is noted when it is met, and not looked at before now: only then is it known whether the bytes became
 * one word, a cell of each element, or the middle of something else.
 *
 * The hard case is a view: what is put into it is put into all that it is a view of, which may be views themselves.
 *
 * needs: cells, copies; what was noted.  gives: marks of cells, for the solution and for refusals.
 */
#include "graph/parts.h"

static bool makes_wholes(const struct nf_region *r)
{
    return !r->parent && r->cut && r->wide;
}

uint32_t nf_note_top(struct nf_module *m, struct nf_value address, uint32_t size, uint16_t mark)
{
    uint32_t node = nf_cell_at(m, address, size, true);
    if (!nf_is_host(m, address)) m->graph->nodes[node].marks |= mark;
    return node;
}

void nf_note_put(struct nf_module *m, struct nf_put put)
{
    struct nf_graph *g = m->graph;
    if (!put.address.node || m->address_bits != 8 * NF_WORD) return;
    NF_RESERVE(m->arena, g->puts, g->put_capacity, (size_t)g->put_count + 1);
    g->puts[g->put_count++] = put;
}

/* The index of the cell whose top is at the place; or r->cell_count. */
static uint32_t word_below(const struct nf_module *m, struct nf_place place)
{
    const struct nf_region *r = &m->graph->regions[place.region];
    if (r->host) return r->cell_count;
    uint32_t offset = nf_fold_offset(r, place.offset), index = nf_first_cell_after(r, offset);
    if (index == r->cell_count || r->cells[index].offset > offset) return r->cell_count;
    return nf_is_top(m, &r->cells[index], offset) ? index : r->cell_count;
}

/* Are the bytes from `offset` on a word, all of which became one because which of them is accessed is not known? */
static bool is_joined_word(const struct nf_region *r, uint32_t offset)
{
    bool word = r->extent <= NF_WORD;
    for (uint32_t i = 0; i < r->zone_count; i++) {
        const struct nf_zone *z = &r->zones[i];
        if (z->latent || z->stride != 1 || offset < z->low || offset >= z->high) continue;
        if (z->high - z->low == NF_WORD) return true;
        word &= z->high == NF_TO_END;
    }
    return word;
}

/* The cell of the word that something is put into at the place, or NULL; and which of its bytes that may be. */
static struct nf_cell *word_of(struct nf_module *m, const struct nf_put *put, struct nf_place place, uint32_t *bytes)
{
    struct nf_region *r = &m->graph->regions[place.region];
    if (r->host) return NULL;
    uint32_t offset = nf_fold_offset(r, place.offset);
    struct nf_cell *cell = nf_cell_around(r, nf_first_cell_after(r, offset), offset, 1);
    if (!cell) return NULL;
    *bytes = 0xff;
    if (cell->size == 1 && put->moves && put->in_word && is_joined_word(r, offset)) return cell;
    if (cell->size != NF_WORD || (put->moves && !put->in_word)) return NULL;
    if (!put->moves) *bytes = ((1u << put->size) - 1) << (offset - cell->offset) & 0xff;
    return cell;
}

/* Is the cell half a word, the upper one of two that are no elements of an array? Or a variable: compilers split them. */
static bool is_upper_half(const struct nf_region *r, uint32_t index)
{
    const struct nf_cell *cell = &r->cells[index];
    if (cell->size == NF_HALF && r->extent == NF_HALF && !r->zone_count) return true;
    if (cell->size != NF_HALF || cell->offset % NF_WORD != NF_HALF || !index) return false;
    if (cell[-1].size != NF_HALF || cell[-1].offset + NF_HALF != cell->offset) return false;
    for (uint32_t i = 0; i < r->zone_count; i++)
        if (!r->zones[i].latent && r->zones[i].stride % NF_WORD && r->zones[i].high > cell->offset) return false;
    return true;
}

/* Is the cell each element of an array of halves? What is masked in one of them is above an address in half of them. */
static bool is_any_half(const struct nf_region *r, const struct nf_cell *cell)
{
    for (uint32_t i = 0; cell->size == NF_HALF && i < r->zone_count; i++) {
        const struct nf_zone *z = &r->zones[i];
        if (!z->latent && z->stride == NF_HALF && cell->offset >= z->low && cell->offset < z->high) return true;
    }
    return false;
}

/* What happens above an address happens to its tag. Half a word may be a number that lies beside another one: what is in
 * it is above an address only if a number is put there and masked off again. */
static void mark_word(struct nf_module *m, struct nf_place top, uint32_t marks)
{
    const struct nf_region *r = &m->graph->regions[top.region];
    uint32_t index = word_below(m, top);
    if (index == r->cell_count) return;
    const struct nf_cell *cell = &r->cells[index];
    struct nf_node *node = &m->graph->nodes[cell->node];
    bool counts = marks & NF_MARK_COUNTED && is_upper_half(r, index);
    if (marks & NF_MARK_GIVEN && cell->size == NF_WORD) node->marks |= NF_MARK_CLEARED;
    if (marks & NF_MARK_MASKED &&
        (cell->size == NF_WORD || counts || (marks & NF_MARK_SWAPPED && is_any_half(r, cell))))
        node->marks |= NF_MARK_CUT;
    if (node->marks & NF_MARK_CUT) node->marks |= NF_MARK_INTEGER;
}

enum { BYTES_OF_TOP = 0xc0 };

/* Which bytes of words are written as shorter numbers? Who writes all of them makes one of these, or clears memory. */
static void cover_word(struct nf_module *m, struct nf_place at, uint32_t index)
{
    const struct nf_put *put = &m->graph->puts[index];
    uint32_t bytes;
    struct nf_cell *cell = word_of(m, put, at, &bytes);
    if (!cell || (put->moves && !put->sweeps)) return;
    cell->puts |= bytes & 0xff;
    if (put->zero) cell->zeros |= bytes & 0xff;
    if (cell->puts == 0xff) m->graph->nodes[cell->node].marks |= NF_MARK_COVERED;
}

/* In the top of a word a number takes the place of a tag; and who sets it to 0 wants the address below it, or clears the
 * word. */
static void place_put(struct nf_module *m, struct nf_place at, uint32_t index)
{
    const struct nf_put *put = &m->graph->puts[index];
    uint32_t bytes;
    const struct nf_cell *cell = word_of(m, put, at, &bytes);
    if (!cell || (bytes & BYTES_OF_TOP) == 0) return;
    struct nf_node *word = &m->graph->nodes[cell->node];
    bool over = put->size <= NF_TOP && !put->moves;
    if (over && put->number) word->base |= NF_ABOVE;
    if (over && put->whole) word->marks |= NF_MARK_PUT;
    /* In what may be another structure than the word's, half a number that is 0 says nothing. */
    bool own = put->in_word || (put->size <= NF_TOP && !(word->marks & NF_MARK_PIECES));
    bool ends = put->zero && !put->sweeps && put->size <= (put->in_word ? NF_HALF : NF_TOP);
    if (ends) word->marks |= NF_MARK_CLEARED | (cell->zeros != 0xff ? NF_MARK_ENDED : 0);
    if (ends && (put->moves || (own && cell->puts != 0xff))) word->marks |= NF_MARK_CUT;
    word->marks |= NF_MARK_INTEGER;
}

typedef void mark_function(struct nf_module *m, struct nf_place top, uint32_t what);

static void mark_everywhere(struct nf_module *m, mark_function *mark, uint32_t what)
{
    const struct nf_graph *g = m->graph;
    for (uint32_t i = g->first_region; i < g->region_count; i++)
        for (uint32_t c = 0; c < g->regions[i].cell_count; c++)
            mark(m, (struct nf_place){i, g->regions[i].cells[c].offset + g->regions[i].cells[c].size - 1}, what);
}

/* Marks the word whose top is at the place; and, as its region may be a view, those of all that it is a view of. */
static void mark_through_views(struct nf_module *m, struct nf_place top, mark_function *mark, uint32_t what)
{
    enum { MOST = 256 };
    struct nf_place places[MOST]; /* most are never used, so that they are not cleared */
    places[0] = top;
    for (uint32_t i = 0, count = 1; i < count; i++) {
        mark(m, places[i], what);
        for (uint32_t l = m->graph->regions[places[i].region].copies; l; l = m->graph->links[l].next) {
            struct nf_place next = places[i];
            if (!nf_behind_view(m, &m->graph->copies[m->graph->links[l].copy], &next)) continue;
            uint32_t known = 0;
            while (known < count && (places[known].region != next.region || places[known].offset != next.offset))
                known++;
            if (known == MOST) {
                mark_everywhere(m, mark, what);
                return;
            }
            if (known == count) places[count++] = next;
        }
    }
}

static void place_puts(struct nf_module *m)
{
    struct nf_graph *g = m->graph;
    for (uint32_t i = 0; i < g->put_count; i++)
        mark_through_views(m, nf_place_of(m, g->puts[i].address), cover_word, i);
    for (uint32_t i = 0; i < g->put_count; i++)
        mark_through_views(m, nf_place_of(m, g->puts[i].address), place_put, i);
    g->put_count = 0;
}

/* What is known of the top of a word, or of two bytes that may be one. */
static void place_top(struct nf_module *m, uint32_t region, uint32_t index)
{
    const struct nf_cell *cell = &m->graph->regions[region].cells[index];
    struct nf_node *node = &m->graph->nodes[cell->node];
    struct nf_place top = {region, cell->offset + cell->size - NF_TOP};
    uint16_t marks = cell->top ? m->graph->nodes[cell->top].marks & NF_MARKS_OF_TOP : 0;
    node->marks &= (uint16_t)~NF_MARK_PLACED;
    if (nf_is_word(m, cell)) node->marks |= NF_MARK_PLACED;
    if (cell->size == 1 && node->marks & NF_MARK_SWAPPED) node->marks |= NF_MARK_CUT | NF_MARK_INTEGER;
    if (cell->size <= NF_TOP) marks = node->marks & NF_MARKS_OF_TOP, top.offset = cell->offset;
    if (marks) mark_through_views(m, top, mark_word, marks);
}

void nf_find_wholes(struct nf_module *m)
{
    struct nf_graph *g = m->graph;
    nf_spread_cuts(m);
    for (uint32_t i = g->first_region; i < g->region_count; i++) {
        const struct nf_region *r = &g->regions[i];
        for (uint32_t c = 0; !r->parent && c < r->cell_count; c++) {
            struct nf_node *node = &g->nodes[r->cells[c].node];
            place_top(m, i, c);
            if (!(node->marks & NF_MARK_PIECES) || !makes_wholes(r)) continue;
            node->marks |= NF_MARK_WHOLE;
            g->finds |= NF_HAS_PIECES;
        }
    }
    place_puts(m);
}
