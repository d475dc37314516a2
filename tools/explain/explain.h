/* SPDX-License-Identifier: Apache-2.0 */
/*
 * explain.h - `nonflat explain`: a module before and after, with the space of every pointer and the reasons.
 *
 * In: a module's file. Out: text, or a page. May use: base, public, src/spirv, modules.
 * The data travels
 *
 *     listing.c     a module -> its text, line by line
 *     facts.c       the core's inference -> spaces of each pointer, ambiguities
 *     source.c      lines of source, where they can be had
 *     match.c       functions and lines of the output -> those of the input that they come from
 *     callgraph.c   the output's calls -> a picture
 *     text.c; html.c, table.c, style.c   what is printed
 */
#ifndef NF_TOOLS_EXPLAIN_H
#define NF_TOOLS_EXPLAIN_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "tools/modules/modules.h"

/* ---- listing.c --------------------------------------------------------------------------------------------------- */

struct nf_listing {
    char *text;  /* lines parted by NUL */
    char **line; /* by word: the instruction that begins there, or NULL; ids are "%NUMBER" */
    uint32_t count;
};

/* By SPIRV-Tools when this command was built with it and it can read the module. @return 0, or -1: no memory. */
int nf_listing_make(const struct nf_view *view, struct nf_listing *listing);
void nf_listing_free(struct nf_listing *listing);
/* What lists modules in this build, for --version. */
const char *nf_listing_maker(char text[64]);

/* ---- facts.c ----------------------------------------------------------------------------------------------------- */

/* Shown beside the core's NF_SPACE_*: built-in variables. */
enum { NF_SHOWN_INPUT = 32 };

struct nf_facts {
    const nf_result *result;
    const nf_ambiguous_access *accesses;
    size_t access_count;
    uint32_t output;      /* the function of the output that is shown, by id; 0: all of them */
    uint8_t *all_spaces;  /* by id of the input: of a generic pointer, over all instances */
    uint8_t *own_spaces;  /* by id: in the instances that became `output`; with a bit that says that they are known */
    uint8_t *is_followed; /* by id: it is a generic pointer of a function that is reached */
    uint8_t *has_anchor;  /* by access: on the page, its line has been named */
    uint32_t bound;
};

struct nf_explain {
    const char *path, *kernel; /* kernel: NULL for all */
    struct nf_sources *sources;
    bool shows_all;    /* also lines that stay as they are */
    bool is_unchanged; /* the output is the input, byte for byte */
    nf_mode mode;
    nf_status status;
    nf_counts counts;
    const char *log;
    struct nf_view in, out; /* `out` is empty when the module was refused */
    struct nf_listing in_lines, out_lines;
    struct nf_facts *facts;
    uint8_t *is_shown; /* by index of the input's functions */
    uint32_t *origin;  /* by index of the output's functions: 1 + index of the input's, 0: made by the core */
};

/* `result` must outlive the facts. Spaces are those of all instances. @return 0, or -1: no memory. */
int nf_facts_open(struct nf_facts *facts, const nf_result *result, uint32_t bound);
void nf_facts_close(struct nf_facts *facts);
/* From now on, spaces are those in what was emitted as this function; with NULL, of all instances together. */
void nf_facts_show(struct nf_facts *facts, const struct nf_view_function *output);

/* The spaces of a value of the input or of the output; 0 when it is no pointer. `*is_generic`: its type is. */
uint8_t nf_spaces_of_id(const struct nf_explain *e, bool is_output, uint32_t id, bool *is_generic);
/* "private|global", "null" for an empty set of a generic pointer; with another text than "|" between. */
const char *nf_spaces_text(uint8_t spaces, const char *between, char text[64]);
/* One word for colours: "private", ..., "ambiguous", "null"; "" for what is no pointer. */
const char *nf_space_class(uint8_t spaces, bool is_generic);
/* Where a function's parameters point: "(private, value, global)". */
const char *nf_signature(const struct nf_explain *e, bool is_output, const struct nf_view_function *function,
                         char *text, size_t size);
/* What became of an access, in words. */
const char *nf_verdict_text(const struct nf_explain *e, nf_verdict verdict);
/* The ambiguity of the instruction at `word`, or NULL; NULL also when what is shown has none there. */
const nf_ambiguous_access *nf_access_at(const struct nf_explain *e, uint32_t word);

/* The calls that bring `parameter` (an id of the input) the space: the first one behind `*at` (0 to begin), which is
 * moved to it. @return the caller, NULL when there is no more; `*argument` is the id that it hands over. */
const struct nf_view_function *nf_next_caller(const struct nf_explain *e, uint32_t parameter, uint8_t space,
                                              uint32_t *at, uint32_t *argument);
/* The parameter that a chain begins with when its evidence comes "from a caller", else 0. */
uint32_t nf_parameter_of_chain(const char *line);

/* Give a line in pieces: text, and ids by their names. */
struct nf_painter {
    void (*plain)(void *user, const char *text, size_t length);
    void (*id)(void *user, uint32_t id, const char *shown, const char *space_class, const char *title);
    void *user;
};
void nf_paint_line(const struct nf_explain *e, bool is_output, const char *line, const struct nf_painter *painter);

/* ---- source.c ---------------------------------------------------------------------------------------------------- */

struct nf_source_text {
    uint32_t file; /* id of the OpString */
    char *text;    /* NULL: not to be had */
};

/* The files' texts that were asked for so far. Zero it, say whether files may be read that the module only names. */
struct nf_sources {
    bool reads_files;
    struct nf_source_text *list;
    size_t count;
};
void nf_sources_free(struct nf_sources *sources);

/* Walks the lines of source that instructions of one function come from. Zero it, set `view` and `sources`, and call
 * nf_source_step() for each word. */
struct nf_source_walk {
    const struct nf_view *view;
    struct nf_sources *sources;
    uint32_t file, line; /* id of the OpString, line number; 0 when not known */
};
void nf_source_step(struct nf_source_walk *walk, uint32_t at);
/* "folder/file:line", "" when not known; the same without the folders; the line's own text, "" when not to be had. */
const char *nf_source_place(const struct nf_source_walk *walk, char *text, size_t size);
const char *nf_source_short(const char *place);
const char *nf_source_line(const struct nf_source_walk *walk, char *text, size_t size);

/* ---- match.c ----------------------------------------------------------------------------------------------------- */

/* Fill `origin`. @return 0, or -1: no memory. */
int nf_match_functions(struct nf_explain *e);
bool nf_is_helper(const struct nf_view *output, const struct nf_view_function *function);

/* Lines of a function beside lines of what came of it; a word is 0 where a side has nothing. */
struct nf_row {
    uint32_t in, out;
    bool is_same; /* but for the numbers of the ids */
};
/* @return malloc'ed rows, their number in `*count`; NULL: no memory. `out` may be NULL. */
struct nf_row *nf_match_lines(const struct nf_explain *e, const struct nf_view_function *in,
                              const struct nf_view_function *out, size_t *count);

/* ---- names.c ----------------------------------------------------------------------------------------------------- */

/* How an id is called in a listing: a type or a constant integer by what it is, the rest by its name or number. */
const char *nf_id_text(const struct nf_view *view, uint32_t id, char *text, size_t size);
/* A name short enough for a heading: of a mangled C++ name the last of its identifiers. */
const char *nf_short_name(const char *name, char *text, size_t size);
/* Write `text` so that HTML and SVG show it as it is. */
void nf_put_escaped(FILE *file, const char *text, size_t length);
/* Is something of this function in the output? Also when there is none. */
bool nf_is_left(const struct nf_explain *e, uint32_t in_index);
/* Which of the functions of the output that come from the same function this is: "2 of 3", "" when there is one. */
const char *nf_clone_text(const struct nf_explain *e, uint32_t out_index, char text[32]);

/* ---- callgraph.c ------------------------------------------------------------------------------------------------- */

/* Write the output's functions that the shown kernels reach, with who calls whom, as inline SVG. */
void nf_draw_callgraph(const struct nf_explain *e, FILE *file);

/* ---- text.c, html.c, table.c, style.c ---------------------------------------------------------------------------- */

void nf_explain_print(const struct nf_explain *e, FILE *file, bool in_color);
void nf_explain_page(const struct nf_explain *e, FILE *file);
/* A function beside what came of it; `out` may be NULL. Only the first one that differs is open. */
void nf_explain_table(const struct nf_explain *e, const struct nf_view_function *in, const struct nf_view_function *out,
                      bool is_first, FILE *file);
/* A function that the core made. */
void nf_explain_helper(const struct nf_explain *e, const struct nf_view_function *helper, FILE *file);
extern const char nf_explain_style[];

/* ---- explain.c --------------------------------------------------------------------------------------------------- */

int nf_command_explain(const struct nf_arguments *arguments);

#endif
