/* SPDX-License-Identifier: Apache-2.0 */
/*
 * explain.h - `nonflat explain`: a module before and after specialization, with the address spaces of its pointers, and
 * the reasons of ambiguity.
 *
 * Takes the file of a module or of source. Gives text or an HTML page. May use: base, public, src/spirv, modules. The
 * data flow:
 *
 *     listing.c     a module -> its text, line by line
 *     facts.c       the core's inference -> spaces of each pointer, ambiguities
 *     source.c      lines of source, where available
 *     match.c       functions and lines of the output -> functions and lines of the input from which they were made
 *     callgraph.c   the output's calls -> a picture
 *     text.c; html.c, table.c, style.c   the printed text; the page
 */
#ifndef NF_TOOLS_EXPLAIN_H
#define NF_TOOLS_EXPLAIN_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "tools/modules/modules.h"

/* ---- listing.c --------------------------------------------------------------------------------------------------- */

struct nf_listing {
    char *text;  /* lines, separated by NUL */
    char **line; /* by word: the line of the instruction that begins there, or NULL; ids are "%NUMBER" */
    uint32_t count;
};

/* Lists a module: by SPIRV-Tools, if this command was built with SPIRV-Tools and they can read the module, else by the
 * core's table of instructions. Returns 0, or -1 if memory is exhausted. */
int nf_listing_make(const struct nf_view *view, struct nf_listing *listing);
void nf_listing_free(struct nf_listing *listing);
/* Returns a description of the disassembler of this build, for --version. */
const char *nf_disassembler_name(char text[64]);

/* ---- facts.c ----------------------------------------------------------------------------------------------------- */

/* A space in addition to the core's NF_SPACE_*: built-in variables. */
enum { NF_SHOWN_INPUT = 32 };

struct nf_facts {
    const nf_result *result;
    const nf_ambiguous_access *accesses;
    size_t access_count;
    uint32_t output;     /* id of the output function that is shown; 0: all instances */
    uint8_t *all_spaces; /* by id of the input: spaces of a generic pointer in all instances */
    uint8_t *own_spaces; /* by id: KNOWN (facts.c) and the spaces in the instances that became `output`; 0: in none */
    uint8_t *is_reached; /* by id: is a generic pointer of a function that has an instance */
    uint8_t *has_anchor; /* the anchor of the access is already on the page */
    uint32_t bound;
};

struct nf_explain {
    const char *path, *kernel; /* kernel: NULL: all kernels */
    struct nf_sources *sources;
    bool shows_all;    /* unchanged lines are shown as well */
    bool is_unchanged; /* the output equals the input, byte for byte */
    nf_mode mode;
    nf_status status;
    nf_counts counts;
    const char *log;
    struct nf_view in, out; /* `out` is empty if the module was refused */
    struct nf_listing in_lines, out_lines;
    struct nf_facts *facts;
    uint8_t *is_shown; /* by index of the input functions: the selected kernel reaches it, or none is selected */
    uint32_t *origin;  /* by index of the output functions: 1 + index of the input function; 0: none */
};

/* Collects the spaces of all instances. `result` must outlive the facts. Returns 0, or -1 if memory is exhausted. */
int nf_facts_open(struct nf_facts *facts, const nf_result *result, uint32_t bound);
void nf_facts_close(struct nf_facts *facts);
/* Selects the instances of which nf_spaces_of_id() returns the spaces: the instances that were emitted as `output`, or
 * all if it is NULL. */
void nf_facts_show(struct nf_facts *facts, const struct nf_view_function *output);

/* Returns the spaces of a value of the input or of the output; 0 if the value is not a pointer, is a generic pointer of
 * a function that has no instance, or is a generic pointer of the output, as the mode `hint` has. Sets `*is_generic` to
 * whether the type of the value is a generic pointer. */
uint8_t nf_spaces_of_id(const struct nf_explain *e, bool is_output, uint32_t id, bool *is_generic);
/* Returns text such as "private|global", with `between` in place of "|"; "null" for an empty set of a generic
 * pointer. */
const char *nf_spaces_text(uint8_t spaces, const char *between, char text[64]);
/* Returns a word that selects the color: "private", ..., "ambiguous", "null"; "" for a value other than a pointer. */
const char *nf_space_class(uint8_t spaces, bool is_generic);
/* Writes the spaces of a function's parameters, such as "(private, value, global)", without those for which `text` has
 * no room. Returns `text`. */
const char *nf_signature(const struct nf_explain *e, bool is_output, const struct nf_view_function *function,
                         char *text, size_t size);
/* Describes how an access was specialized. */
const char *nf_verdict_text(const struct nf_explain *e, nf_verdict verdict);
/* Returns the ambiguity of the instruction at `word`; NULL if there is none, or if in the selected instances the
 * pointer has one space or none. */
const nf_ambiguous_access *nf_access_at(const struct nf_explain *e, uint32_t word);

/* Finds the next call, after word `*at` (0 at first), that passes a pointer in `space` for `parameter`, an id of the
 * input, and sets `*at` to it. Returns the caller and the id of the argument, or NULL if there is no further call. */
const struct nf_view_function *nf_next_caller(const struct nf_explain *e, uint32_t parameter, uint8_t space,
                                              uint32_t *at, uint32_t *argument);
/* Returns the parameter with which a chain (the explanation of one space) begins if its evidence comes "from a caller",
 * else 0. */
uint32_t nf_parameter_of_chain(const char *line);

/* The callbacks of nf_paint_line(), which calls them for each stretch of plain text and each id of a line, in order. */
struct nf_painter {
    void (*plain)(void *user, const char *text, size_t length);
    void (*id)(void *user, uint32_t id, const char *shown, const char *space_class, const char *title);
    void *user;
};
void nf_paint_line(const struct nf_explain *e, bool is_output, const char *line, const struct nf_painter *painter);

/* ---- source.c ---------------------------------------------------------------------------------------------------- */

struct nf_source_text {
    uint32_t file; /* id of its OpString */
    char *text;    /* NULL: not available */
};

/* The texts of a module's source files that were read so far. Zero it before use. `reads_files`: files that the module
 * names, without containing their text, may be read, up to 16 MiB each. */
struct nf_sources {
    bool reads_files;
    struct nf_source_text *list;
    size_t count;
};
void nf_sources_free(struct nf_sources *sources);

/* Tracks the source line of the instructions of one function. Zero it, set `view` and `sources`, and call
 * nf_source_step() for each instruction. */
struct nf_source_walk {
    const struct nf_view *view;
    struct nf_sources *sources;
    uint32_t file, line; /* id of the OpString, line number; 0: unknown */
};
void nf_source_step(struct nf_source_walk *walk, uint32_t at);
/* nf_source_place returns "path:line" with the path as in the module, or "" if the line is unknown; nf_source_short
 * returns the part of such a text after the last folder name; nf_source_line returns the source text of the line
 * without its indentation, or "" if that text is not available. */
const char *nf_source_place(const struct nf_source_walk *walk, char *text, size_t size);
const char *nf_source_short(const char *place);
const char *nf_source_line(const struct nf_source_walk *walk, char *text, size_t size);

/* ---- match.c ----------------------------------------------------------------------------------------------------- */

/* Sets `e->origin`. Returns 0, or -1 if memory is exhausted. */
int nf_match_functions(struct nf_explain *e);
/* Returns true if the name of the function begins with "nonflat.", as those of the functions that src/rewrite adds. */
bool nf_is_helper(const struct nf_view *output, const struct nf_view_function *function);

/* A row: an instruction of a function and the matching instruction of its output, as words; 0: none on that side. */
struct nf_row {
    uint32_t in, out;
    bool is_same; /* equal except for the numbers of ids */
};
/* Returns malloc'ed rows, and sets `*count` to their number. If memory is exhausted, returns NULL or no rows, or marks
 * equal instructions as different. `out` may be NULL. */
struct nf_row *nf_match_lines(const struct nf_explain *e, const struct nf_view_function *in,
                              const struct nf_view_function *out, size_t *count);

/* ---- names.c ----------------------------------------------------------------------------------------------------- */

/* Returns the text for an id in a listing: a constant integer of at most 64 bits, and a scalar, vector, array, struct
 * or pointer type, is spelled out; other ids have their name or number. */
const char *nf_id_text(const struct nf_view *view, uint32_t id, char *text, size_t size);
/* Returns a short name for a heading: the last identifier of a mangled C++ name; a name without such an identifier
 * unchanged. */
const char *nf_short_name(const char *name, char *text, size_t size);
/* Writes `text`, up to `length` bytes or its end, with the characters escaped that are special in HTML and SVG, and '?'
 * for control characters other than tabs. */
void nf_put_escaped(FILE *file, const char *text, size_t length);
/* Returns true if the output contains a version of this function, or if there is no output. */
bool nf_has_output_version(const struct nf_explain *e, uint32_t in_index);
/* Writes the position of a function among the output functions from the same input function: "2 of 3"; "" if there is
 * only one such function. */
const char *nf_clone_text(const struct nf_explain *e, uint32_t out_index, char text[32]);

/* ---- callgraph.c ------------------------------------------------------------------------------------------------- */

/* Draws the call graph of the output functions that the shown kernels reach, at most 400, as inline SVG; of the input
 * functions if there is no output. Helper functions (nf_is_helper) are left out. */
void nf_draw_callgraph(const struct nf_explain *e, FILE *file);

/* ---- text.c, html.c, table.c, style.c ---------------------------------------------------------------------------- */

void nf_explain_print(const struct nf_explain *e, FILE *file, bool in_color);
void nf_explain_page(const struct nf_explain *e, FILE *file);
/* Writes a function next to its output version, which may be NULL. On the page the pair is unfolded only if the version
 * `is_first` of the function's versions and differs from the input, or is NULL. Writes nothing if memory is
 * exhausted. */
void nf_explain_table(const struct nf_explain *e, const struct nf_view_function *in, const struct nf_view_function *out,
                      bool is_first, FILE *file);
/* Writes a helper function of the output (nf_is_helper). */
void nf_explain_helper(const struct nf_explain *e, const struct nf_view_function *helper, FILE *file);
extern const char nf_explain_style[];

/* ---- explain.c --------------------------------------------------------------------------------------------------- */

int nf_command_explain(const struct nf_arguments *arguments);

#endif
