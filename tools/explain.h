/* SPDX-License-Identifier: Apache-2.0 */
/*
 * explain.h - what the files of `nonflat explain` share, in the order in which the data travels:
 *
 *     listing.c        a module -> its text, line by line
 *     explain_facts.c  the core's report and trace -> spaces of each pointer, ambiguities
 *     explain_source.c lines of source, where they can be had
 *     explain_match.c  functions and lines of the output -> those of the input that they come from
 *     callgraph.c      the output's calls -> a picture
 *     explain_text.c; explain_html.c, explain_table.c, explain_style.c   what is printed
 */
#ifndef NF_TOOLS_EXPLAIN_H
#define NF_TOOLS_EXPLAIN_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "nonflat/nonflat.h"
#include "view.h"

/* ---- listing.c ------------------------------------------------------------------------------------------------ */

typedef struct nf_listing {
    char *text;  /* lines parted by NUL */
    char **line; /* by word: the instruction that begins there, or NULL; ids are "%NUMBER" */
    uint32_t count;
} nf_listing;

/* By SPIRV-Tools when this command was built with it and it can read the module. @return 0, or -1: no memory. */
int nf_listing_make(const nf_view *view, nf_listing *listing);
void nf_listing_free(nf_listing *listing);
/* What lists modules in this build, for --version. */
const char *nf_listing_maker(void);

/* ---- explain_facts.c ------------------------------------------------------------------------------------------ */

/* Spaces as bits. Not the core's: these are only shown. */
enum nf_shown_space {
    NF_SHOWN_PRIVATE = 1,
    NF_SHOWN_LOCAL = 2,
    NF_SHOWN_GLOBAL = 4,
    NF_SHOWN_CONSTANT = 8,
    NF_SHOWN_CODE = 16,
    NF_SHOWN_INPUT = 32
};

/* One analysis of one function: each distinct tuple of argument spaces has its own. */
typedef struct nf_shown_instance {
    uint32_t number, function, caller, emitted_as; /* `function`: an id; the others are instance numbers */
    struct nf_shown_pointer {
        uint32_t id;
        uint8_t spaces;
    } * pointers;
    size_t pointer_count;
} nf_shown_instance;

typedef struct nf_shown_access {
    uint32_t word, pointer;
    char *kernel, *function, *instruction, *source, *spaces;
    char *because;  /* a line for each space */
    int has_anchor; /* on the page: its line has been named */
} nf_shown_access;

typedef struct nf_facts {
    nf_shown_instance *instances;
    size_t instance_count;
    nf_shown_access *accesses;
    size_t access_count;
    uint8_t *spaces;      /* by id of the input: of a generic pointer, over all instances */
    uint8_t *is_followed; /* by id: it is a generic pointer of a function that is reached */
    uint32_t bound;
} nf_facts;

typedef struct nf_explain {
    const char *path, *kernel; /* kernel: NULL for all */
    struct nf_sources *sources;
    nf_status status;
    nf_counts counts;
    const char *log;
    nf_view in, out; /* `out` is empty when the module was refused */
    nf_listing in_lines, out_lines;
    nf_facts facts;
    uint8_t *is_shown;                 /* by index of the input's functions */
    const nf_shown_instance *instance; /* whose spaces are shown; NULL: of all together */
    uint32_t *origin; /* by index of the output's functions: 1 + index of the input's, 0: made by the core */
} nf_explain;

/* The dump_line of the core's options while it works: keeps the solution. `facts` is the nf_facts. */
void nf_facts_take_line(void *facts, const char *line);
/* needs: every line taken. gives: spaces by id, ambiguities. @return 0, or -1: no memory. */
int nf_facts_finish(nf_facts *facts, uint32_t bound, const char *report);
void nf_facts_free(nf_facts *facts);
/* needs: the input's view and listing. gives: each access's word where the input has the instruction. */
void nf_facts_place(nf_explain *e);

/* The spaces of a value of the input or of the output; 0 when it is no pointer. `*is_generic`: its type is. */
uint8_t nf_spaces_of_id(const nf_explain *e, int is_output, uint32_t id, int *is_generic);
/* "private|global", "null" for an empty set of a generic pointer. */
const char *nf_spaces_text(uint8_t spaces, char text[64]);
/* One word for colours: "private", ..., "ambiguous", "null"; "" for what is no pointer. */
const char *nf_space_class(uint8_t spaces, int is_generic);
/* The ambiguity of the instruction at `word`, or NULL; NULL also when the shown instance has none there. */
const nf_shown_access *nf_access_at(const nf_explain *e, uint32_t word);

/* The calls that bring `parameter` (an id of the input) its spaces: the first one behind `*at` (0 to begin), which is
 * moved to it. @return the caller, NULL when there is no more; `*argument` is the id that it hands over. */
const nf_view_function *nf_next_caller(const nf_explain *e, uint32_t parameter, uint32_t *at, uint32_t *argument);
/* The parameter that a chain begins with when its evidence comes "from a caller", else 0. */
uint32_t nf_parameter_of_chain(const char *line);

/* Give a line in pieces: text, and ids by their names. */
typedef struct nf_painter {
    void (*plain)(void *user, const char *text, size_t length);
    void (*id)(void *user, uint32_t id, const char *shown, const char *space_class, const char *title);
    void *user;
} nf_painter;
void nf_paint_line(const nf_explain *e, int is_output, const char *line, const nf_painter *painter);

/* ---- explain_source.c ------------------------------------------------------------------------------------------- */

typedef struct nf_source_text {
    uint32_t file; /* id of the OpString */
    char *text;    /* NULL: not to be had */
} nf_source_text;

/* The files' texts that were asked for so far. Zero it, say whether files may be read that the module only names. */
typedef struct nf_sources {
    int reads_files;
    nf_source_text *list;
    size_t count;
} nf_sources;
void nf_sources_free(nf_sources *sources);

/* Walks the lines of source that instructions of one function come from. Zero it, set `view` and `sources`, and call
 * nf_source_step() for each word. */
typedef struct nf_source_walk {
    const nf_view *view;
    nf_sources *sources;
    uint32_t file, line; /* id of the OpString, line number; 0 when not known */
} nf_source_walk;
void nf_source_step(nf_source_walk *walk, uint32_t at);
/* "folder/file:line", "" when not known; the same without the folders; and the line's own text, "" when not to be had.
 */
const char *nf_source_place(const nf_source_walk *walk, char *text, size_t size);
const char *nf_source_short(const char *place);
const char *nf_source_line(const nf_source_walk *walk, char *text, size_t size);

/* ---- explain_match.c ------------------------------------------------------------------------------------------ */

/* Fill `origin`. @return 0, or -1: no memory. */
int nf_match_functions(nf_explain *e);
int nf_is_helper(const nf_view *output, const nf_view_function *function);

/* The analysis of `in` that `out` was emitted for, by the spaces of the parameters; NULL when none fits. */
const nf_shown_instance *nf_match_instance(const nf_explain *e, const nf_view_function *in,
                                           const nf_view_function *out);

/* Lines of a function beside lines of what came of it; a word is 0 where a side has nothing. */
typedef struct nf_row {
    uint32_t in, out;
    int is_same; /* but for the numbers of the ids */
} nf_row;
/* @return malloc'ed rows, their number in `*count`; NULL: no memory. `out` may be NULL. */
nf_row *nf_match_lines(const nf_explain *e, const nf_view_function *in, const nf_view_function *out, size_t *count);

/* ---- explain_names.c ------------------------------------------------------------------------------------------- */

/* How an id is called in a listing: a type or a constant integer by what it is, the rest by its name or number. */
const char *nf_id_text(const nf_view *view, uint32_t id, char *text, size_t size);
/* A name short enough for a heading: of a mangled C++ name the last of its identifiers. */
const char *nf_short_name(const char *name, char *text, size_t size);
/* Where a function's parameters point: "(private, value, global)". */
const char *nf_signature(const nf_explain *e, int is_output, const nf_view_function *function, char *text, size_t size);
/* Write `text` so that HTML and SVG show it as it is. */
void nf_put_escaped(FILE *file, const char *text, size_t length);
/* Is something of this function in the output? Also when there is none. */
int nf_is_left(const nf_explain *e, uint32_t in_index);
/* Which of the functions of the output that come from the same function this is: "2 of 3", "" when there is one. */
const char *nf_clone_text(const nf_explain *e, uint32_t out_index, char text[32]);

/* ---- callgraph.c ---------------------------------------------------------------------------------------------- */

/* Write the output's functions that the shown kernels reach, with who calls whom, as inline SVG. */
void nf_draw_callgraph(const nf_explain *e, FILE *file);

/* ---- explain_text.c, explain_html.c, explain_table.c, explain_style.c ------------------------------------------- */

void nf_explain_print(const nf_explain *e, FILE *file, int in_colour);
void nf_explain_page(const nf_explain *e, FILE *file);
/* A function beside what came of it; `out` may be NULL. Only the first one that differs is open. */
void nf_explain_table(const nf_explain *e, const nf_view_function *in, const nf_view_function *out, int is_first,
                      FILE *file);
/* A function that the core made. */
void nf_explain_helper(const nf_explain *e, const nf_view_function *helper, FILE *file);
extern const char nf_explain_style[];

#endif
