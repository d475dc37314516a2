/* SPDX-License-Identifier: Apache-2.0 */
/*
 * callgraph.c - draws the call graph of the output as inline SVG, in layers from kernels on the left to leaves on the
 * right. Clones of one function have the name of that function; helper functions (nf_is_helper) are omitted, and their
 * callers are marked.
 *
 * Steps: nodes and edges; layers by the longest path from a kernel, without back edges; the order within a layer by the
 * average position of the callers; boxes and curves.
 */
#include <stdlib.h>
#include <string.h>

#include "tools/explain/explain.h"

enum { MOST_NODES = 400, BOX_WIDTH = 230, BOX_HEIGHT = 44, GAP_X = 70, GAP_Y = 16, MARGIN = 12, LABEL = 29 };

struct node {
    uint32_t function; /* index of the function in the view */
    uint32_t layer, place;
    bool dispatches;         /* calls a helper function, such as one that branches on the tag */
    uint8_t state;           /* of the search for cycles: 0 new, 1 on the stack, 2 done */
    double average_position; /* average position of the callers */
};

struct graph {
    const struct nf_explain *e;
    const struct nf_view *view;
    bool is_output;
    struct node nodes[MOST_NODES];
    size_t count, left_out;
    uint32_t *node_of; /* by function: 1 + index of its node; 0: none */
    struct edge {
        uint32_t from, to;
        bool is_back;
    } * edges;
    size_t edge_count, edge_capacity;
};

static void add_node(struct graph *g, uint32_t function)
{
    if (g->node_of[function]) return;
    if (g->count == MOST_NODES) {
        g->left_out++;
        return;
    }
    g->nodes[g->count] = (struct node){.function = function};
    g->node_of[function] = (uint32_t)++g->count;
}

static void add_edge(struct graph *g, uint32_t from, uint32_t to)
{
    for (size_t i = 0; i < g->edge_count; i++)
        if (g->edges[i].from == from && g->edges[i].to == to) return;
    if (g->edge_count == g->edge_capacity) {
        size_t capacity = g->edge_capacity ? g->edge_capacity * 2 : 64;
        void *larger = realloc(g->edges, capacity * sizeof *g->edges);
        if (!larger) return;
        g->edges = larger;
        g->edge_capacity = capacity;
    }
    g->edges[g->edge_count++] = (struct edge){from, to, 0};
}

/* Adds the callees of node `from`, and edges to them. */
static void follow_calls(struct graph *g, uint32_t from)
{
    const struct nf_view_function *caller = &g->view->functions[g->nodes[from].function];
    for (uint32_t at = caller->at; at < caller->end; at += nf_view_length(g->view, at)) {
        if (nf_view_opcode(g->view, at) != NF_SPV_FUNCTION_CALL || nf_view_length(g->view, at) < 4) continue;
        uint32_t id = g->view->words[at + 3], index = id < g->view->bound ? g->view->function_index[id] : 0;
        if (!index) continue;
        if (nf_is_helper(g->view, &g->view->functions[index - 1])) {
            g->nodes[from].dispatches = 1;
            continue;
        }
        add_node(g, index - 1);
        if (g->node_of[index - 1]) add_edge(g, from, g->node_of[index - 1] - 1);
    }
}

static bool is_selected_kernel(const struct graph *g, uint32_t function)
{
    char name[512];
    const struct nf_view_function *f = &g->view->functions[function];
    if (!f->entry) return false;
    return !g->e->kernel || strcmp(nf_view_function_name(g->view, f, name, sizeof name), g->e->kernel) == 0;
}

static void collect(struct graph *g)
{
    for (uint32_t i = 0; i < g->view->function_count; i++)
        if (is_selected_kernel(g, i)) add_node(g, i);
    for (uint32_t i = 0; i < g->count; i++)
        follow_calls(g, i);
}

/* Marks back edges by a depth-first search; the recursion is at most MOST_NODES deep. */
static void mark_back_edges(struct graph *g, uint32_t from)
{
    g->nodes[from].state = 1;
    for (size_t i = 0; i < g->edge_count; i++) {
        if (g->edges[i].from != from) continue;
        struct node *to = &g->nodes[g->edges[i].to];
        if (to->state == 1) g->edges[i].is_back = true;
        if (to->state == 0) mark_back_edges(g, g->edges[i].to);
    }
    g->nodes[from].state = 2;
}

static void find_layers(struct graph *g)
{
    for (uint32_t i = 0; i < g->count; i++)
        if (g->nodes[i].state == 0) mark_back_edges(g, i);
    for (bool is_new = true; is_new;) {
        is_new = false;
        for (size_t i = 0; i < g->edge_count; i++) {
            const struct node *from = &g->nodes[g->edges[i].from];
            struct node *to = &g->nodes[g->edges[i].to];
            if (g->edges[i].is_back || to->layer > from->layer) continue;
            to->layer = from->layer + 1;
            is_new = true;
        }
    }
}

static void average_caller_position(struct graph *g, struct node *n)
{
    double sum = 0, callers = 0;
    for (size_t i = 0; i < g->edge_count; i++) {
        if (&g->nodes[g->edges[i].to] != n || g->edges[i].is_back) continue;
        sum += g->nodes[g->edges[i].from].place;
        callers++;
    }
    n->average_position = callers > 0 ? sum / callers : 0;
}

static int compare_positions(const void *left, const void *right)
{
    const struct node *a = *(struct node *const *)left, *b = *(struct node *const *)right;
    if (a->average_position < b->average_position || a->average_position > b->average_position)
        return a->average_position < b->average_position ? -1 : 1;
    return a->function < b->function ? -1 : a->function > b->function;
}

/* Assigns positions within layers. Returns the number of nodes in the largest layer, and sets `*layers` to the number
 * of layers. */
static uint32_t find_places(struct graph *g, uint32_t *layers)
{
    struct node *row[MOST_NODES];
    uint32_t fullest = 0;
    *layers = 0;
    for (uint32_t layer = 0;; layer++) {
        uint32_t count = 0;
        for (size_t i = 0; i < g->count; i++)
            if (g->nodes[i].layer == layer) row[count++] = &g->nodes[i];
        if (count == 0) return fullest;
        for (uint32_t i = 0; i < count; i++)
            average_caller_position(g, row[i]);
        qsort(row, count, sizeof row[0], compare_positions);
        for (uint32_t i = 0; i < count; i++)
            row[i]->place = i;
        fullest = count > fullest ? count : fullest;
        *layers = layer + 1;
    }
}

static int left_of(const struct node *n)
{
    return MARGIN + (int)n->layer * (BOX_WIDTH + GAP_X);
}

static int top_of(const struct node *n)
{
    return MARGIN + (int)n->place * (BOX_HEIGHT + GAP_Y);
}

static void draw_edge(const struct graph *g, const struct edge *edge, FILE *file)
{
    const struct node *from = &g->nodes[edge->from], *to = &g->nodes[edge->to];
    int x = left_of(from) + BOX_WIDTH, y = top_of(from) + BOX_HEIGHT / 2, u = left_of(to),
        v = top_of(to) + BOX_HEIGHT / 2;
    if (edge->is_back)
        fprintf(file, "<path class=\"edge back\" d=\"M%d %d C%d %d %d %d %d %d\"/>\n", x, y, x + GAP_X, y + BOX_HEIGHT,
                u - GAP_X, v + BOX_HEIGHT, u, v);
    else
        fprintf(file, "<path class=\"edge\" d=\"M%d %d C%d %d %d %d %d %d\"/>\n", x, y, x + GAP_X / 2, y, u - GAP_X / 2,
                v, u - 4, v);
}

/* Writes a text, truncated to the width of a box. */
static void put_label(FILE *file, const char *text)
{
    nf_put_escaped(file, text, LABEL);
    if (strlen(text) > LABEL) fputs("\xe2\x80\xa6", file);
}

static void draw_node(const struct graph *g, const struct node *n, FILE *file)
{
    const struct nf_view_function *f = &g->view->functions[n->function];
    char name[512], title[1024], short_name[256], signature[512], clone[32] = "";
    uint32_t origin = g->is_output ? g->e->origin[n->function] : n->function + 1;
    const struct nf_view_function *from = origin ? &g->e->in.functions[origin - 1] : f;
    const struct nf_view *named = origin ? &g->e->in : g->view;
    nf_view_function_name(named, from, name, sizeof name);
    if (g->is_output) nf_clone_text(g->e, n->function, clone);
    nf_signature(g->e, g->is_output, f, signature, sizeof signature);
    snprintf(title, sizeof title, "%s %s", name, signature);
    fprintf(file, "<a href=\"#f%u\"><g class=\"node%s%s%s\"><title>", from->id, f->entry ? " kernel" : "",
            *clone ? " clone" : "", n->dispatches ? " dispatches" : "");
    nf_put_escaped(file, title, sizeof title);
    fprintf(file, "</title><rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" rx=\"6\"/>", left_of(n), top_of(n),
            BOX_WIDTH, BOX_HEIGHT);
    fprintf(file, "<text x=\"%d\" y=\"%d\">", left_of(n) + 10, top_of(n) + 18);
    put_label(file, nf_short_name(name, short_name, sizeof short_name));
    fprintf(file, "</text><text class=\"small\" x=\"%d\" y=\"%d\">", left_of(n) + 10, top_of(n) + 34);
    snprintf(title, sizeof title, "%s%s%s", *clone ? clone : "", *clone ? " " : "", signature);
    put_label(file, title);
    fputs("</text></g></a>\n", file);
}

void nf_draw_callgraph(const struct nf_explain *e, FILE *file)
{
    struct graph *g = calloc(1, sizeof *g);
    if (!g) return;
    g->e = e;
    g->is_output = e->out.function_count > 0;
    g->view = g->is_output ? &e->out : &e->in;
    g->node_of = calloc((size_t)g->view->function_count + 1, sizeof *g->node_of);
    if (g->node_of) collect(g);
    find_layers(g);
    uint32_t layers = 0, fullest = find_places(g, &layers);
    int width = 2 * MARGIN + (int)layers * BOX_WIDTH + ((int)layers - 1) * GAP_X;
    int height = 2 * MARGIN + (int)fullest * (BOX_HEIGHT + GAP_Y) - GAP_Y;
    if (g->count) {
        fprintf(file, "<svg role=\"img\" aria-label=\"call graph\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\">\n",
                width, height, width, height);
        fputs("<defs><marker id=\"tip\" viewBox=\"0 0 8 8\" refX=\"4\" refY=\"4\" markerWidth=\"7\" markerHeight=\"7\" "
              "orient=\"auto\"><path d=\"M0 0 L8 4 L0 8 z\"/></marker></defs>\n",
              file);
        for (size_t i = 0; i < g->edge_count; i++)
            draw_edge(g, &g->edges[i], file);
        for (size_t i = 0; i < g->count; i++)
            draw_node(g, &g->nodes[i], file);
        fputs("</svg>\n", file);
    }
    if (g->left_out) fprintf(file, "<p>More than %d functions: %zu are not shown.</p>\n", MOST_NODES, g->left_out);
    free(g->node_of);
    free(g->edges);
    free(g);
}
