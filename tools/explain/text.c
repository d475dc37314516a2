/* SPDX-License-Identifier: Apache-2.0 */
/*
 * text.c - writes the contents of the page for a terminal: calls as a tree, each function as lines with '-' before and
 * '+' after, pointers in the color of their space. Each line of the input also names the spaces of its generic
 * pointers, as far as they fit into 255 bytes. Lines far from any difference and any ambiguous access are only counted,
 * unless all are requested. The tree of calls has at most 13 levels.
 */
#include <stdlib.h>
#include <string.h>

#include "tools/explain/explain.h"

struct printer {
    const struct nf_explain *e;
    FILE *file;
    bool in_color;
    char notes[256]; /* the spaces of the pointers in the current line */
};

static const char *color_of(const char *space_class)
{
    static const char *const colors[][2] = {{"private", "\033[34m"},     {"local", "\033[32m"}, {"global", "\033[33m"},
                                            {"constant", "\033[35m"},    {"code", "\033[36m"},  {"input", "\033[36m"},
                                            {"ambiguous", "\033[1;31m"}, {"null", "\033[2m"}};
    for (size_t i = 0; i < sizeof colors / sizeof colors[0]; i++)
        if (strcmp(colors[i][0], space_class) == 0) return colors[i][1];
    return "";
}

static void begin_color(const struct printer *p, const char *code)
{
    if (p->in_color) fputs(code, p->file);
}

static void end_color(const struct printer *p)
{
    if (p->in_color) fputs("\033[0m", p->file);
}

/* Writes text from the module, with '?' for the control characters of ASCII, which could move the cursor. */
static void put_safely(FILE *file, const char *text, size_t length)
{
    for (size_t i = 0; i < length && text[i]; i++)
        putc((unsigned char)text[i] < 0x20 || text[i] == 0x7f ? '?' : text[i], file);
}

static void put_plain(void *user, const char *text, size_t length)
{
    put_safely(((struct printer *)user)->file, text, length);
}

static void put_id(void *user, uint32_t id, const char *shown, const char *space_class, const char *title)
{
    struct printer *p = user;
    (void)id;
    if (*space_class) begin_color(p, color_of(space_class));
    put_safely(p->file, shown, strlen(shown));
    if (*space_class) end_color(p);
    if (!strstr(title, "generic") && strcmp(space_class, "ambiguous") != 0) return;
    size_t used = strlen(p->notes);
    const char *what = strrchr(title, ' ');
    if (what) snprintf(p->notes + used, sizeof p->notes - used, "%s%s is%s", used ? ", " : "", shown, what);
}

static void print_line(struct printer *p, char sign, bool is_output, uint32_t word)
{
    const struct nf_listing *listing = is_output ? &p->e->out_lines : &p->e->in_lines;
    struct nf_painter painter = {put_plain, put_id, p};
    p->notes[0] = '\0';
    if (!listing->line[word]) return;
    begin_color(p, sign == ' ' ? "" : "\033[2m");
    fprintf(p->file, "  %c ", sign);
    end_color(p);
    nf_paint_line(p->e, is_output, listing->line[word], &painter);
    if (*p->notes && !is_output) {
        begin_color(p, "\033[2m");
        fputs("   ; ", p->file);
        put_safely(p->file, p->notes, strlen(p->notes));
        end_color(p);
    }
    putc('\n', p->file);
}

static void print_source(struct printer *p, const struct nf_source_walk *walk, char *last, size_t size)
{
    char place[512], line[512];
    nf_source_place(walk, place, sizeof place);
    if (!*place || strcmp(place, last) == 0) return;
    snprintf(last, size, "%s", place);
    begin_color(p, "\033[2;3m");
    fputs("  ", p->file);
    put_safely(p->file, nf_source_short(place), strlen(nf_source_short(place)));
    fputs("  ", p->file);
    nf_source_line(walk, line, sizeof line);
    put_safely(p->file, line, strlen(line));
    end_color(p);
    putc('\n', p->file);
}

static void print_name(struct printer *p, const char *name)
{
    char text[512];
    nf_short_name(name, text, sizeof text);
    put_safely(p->file, text, strlen(text));
}

/* Prints the callers that pass the space, if the chain begins at a parameter. */
static void print_callers(struct printer *p, const char *because, uint8_t space)
{
    uint32_t parameter = nf_parameter_of_chain(because), at = 0, argument = 0;
    const struct nf_view_function *caller;
    while (parameter && (caller = nf_next_caller(p->e, parameter, space, &at, &argument)) != NULL) {
        char name[512], shown[96], text[64];
        bool is_generic = false;
        uint8_t spaces = nf_spaces_of_id(p->e, 0, argument, &is_generic);
        nf_id_text(&p->e->in, argument, shown, sizeof shown);
        nf_view_function_name(&p->e->in, caller, name, sizeof name);
        fputs("        called by ", p->file);
        print_name(p, name);
        fputs(" with ", p->file);
        put_safely(p->file, shown, strlen(shown));
        fprintf(p->file, ": %s\n", nf_spaces_text(spaces, "|", text));
    }
}

static void print_access(struct printer *p, const nf_ambiguous_access *a)
{
    char text[64];
    begin_color(p, "\033[1;31m");
    fprintf(p->file, "    ^ ambiguous: %s", nf_spaces_text((uint8_t)a->spaces, " or ", text));
    end_color(p);
    fprintf(p->file, "; %s, because\n", nf_verdict_text(p->e, a->verdict));
    for (int i = 0; i < 5; i++) {
        if (!a->because[i]) continue;
        fputs("        ", p->file);
        put_safely(p->file, a->because[i], strlen(a->because[i]));
        putc('\n', p->file);
        print_callers(p, a->because[i], (uint8_t)(1u << i));
    }
}

/* Returns true unless the instruction is debug information, which is shown as source lines. */
static bool is_shown_line(const struct nf_view *view, uint32_t word)
{
    return word && !nf_view_is_debug(view, word);
}

static void print_row(struct printer *p, const struct nf_row *row, const struct nf_source_walk *walk, char *last,
                      size_t size)
{
    bool has_output = p->e->out.words != NULL, is_same = row->is_same || !has_output;
    uint32_t in = is_shown_line(&p->e->in, row->in) ? row->in : 0;
    if (in) print_source(p, walk, last, size);
    if (in) print_line(p, is_same ? ' ' : '-', 0, in);
    const nf_ambiguous_access *access = in ? nf_access_at(p->e, in) : NULL;
    if (access) print_access(p, access);
    if (!is_same && is_shown_line(&p->e->out, row->out)) print_line(p, '+', 1, row->out);
}

/* Returns for each row whether it is shown: it differs or has an ambiguous access, or is close to such a row; or all
 * rows are shown, on request or without an output. NULL if memory is exhausted. */
static uint8_t *find_near(const struct printer *p, const struct nf_row *rows, size_t count)
{
    enum { CONTEXT = 2 };
    uint8_t *near = calloc(count + 1, 1);
    bool is_all = p->e->shows_all || !p->e->out.words;
    for (size_t i = 0; near && i < count; i++) {
        bool differs =
            !rows[i].is_same && (is_shown_line(&p->e->in, rows[i].in) || is_shown_line(&p->e->out, rows[i].out));
        size_t from = i < CONTEXT ? 0 : i - CONTEXT, to = i + CONTEXT < count ? i + CONTEXT : count - 1;
        if (is_all || differs || (rows[i].in && nf_access_at(p->e, rows[i].in))) memset(near + from, 1, to - from + 1);
    }
    return near;
}

static void print_left_lines(struct printer *p, size_t count)
{
    if (count == 0) return;
    begin_color(p, "\033[2m");
    fprintf(p->file, "    ... %zu line%s as before\n", count, count == 1 ? "" : "s");
    end_color(p);
}

static void print_rows(struct printer *p, const struct nf_row *rows, size_t count)
{
    struct nf_source_walk walk = {.view = &p->e->in, .sources = p->e->sources};
    char last[512] = "";
    size_t left = 0;
    uint8_t *near = find_near(p, rows, count);
    for (size_t i = 0; near && i < count; i++) {
        if (rows[i].in) nf_source_step(&walk, rows[i].in);
        if (!near[i]) {
            left += (size_t)is_shown_line(&p->e->in, rows[i].in);
            continue;
        }
        print_left_lines(p, left);
        left = 0;
        print_row(p, &rows[i], &walk, last, sizeof last);
    }
    print_left_lines(p, left);
    free(near);
}

static void print_version(struct printer *p, const struct nf_view_function *in, const struct nf_view_function *out)
{
    size_t count = 0;
    struct nf_row *rows = nf_match_lines(p->e, in, out, &count);
    nf_facts_show(p->e->facts, out);
    if (rows) print_rows(p, rows, count);
    nf_facts_show(p->e->facts, NULL);
    free(rows);
}

/* Prints a heading with the readable name, followed by the mangled name. */
static void print_heading(struct printer *p, const char *what, const char *name)
{
    char text[512];
    begin_color(p, "\033[1m");
    fprintf(p->file, "\n%s ", what);
    print_name(p, name);
    end_color(p);
    if (strcmp(nf_short_name(name, text, sizeof text), name) != 0) {
        fputs("  ", p->file);
        put_safely(p->file, name, strlen(name));
    }
    putc('\n', p->file);
}

static void print_function(struct printer *p, uint32_t index)
{
    const struct nf_explain *e = p->e;
    const struct nf_view_function *function = &e->in.functions[index];
    char name[512];
    int versions = 0;
    print_heading(p, function->entry ? "kernel" : "function",
                  nf_view_function_name(&e->in, function, name, sizeof name));
    for (uint32_t i = 0; i < e->out.function_count; i++) {
        char signature[512], clone[32];
        if (e->origin[i] != index + 1) continue;
        nf_clone_text(e, i, clone);
        fprintf(p->file, " after%s%s: %s\n", *clone ? ", clone " : "", clone,
                nf_signature(e, 1, &e->out.functions[i], signature, sizeof signature));
        print_version(p, function, &e->out.functions[i]);
        versions++;
    }
    if (!versions) print_version(p, function, NULL);
}

/* ---- Calls ---- */

static void print_calls(struct printer *p, uint32_t index, int depth)
{
    enum { DEEPEST = 12 };
    const struct nf_explain *e = p->e;
    const struct nf_view_function *function = &e->out.functions[index];
    char name[512], signature[512], clone[32];
    const struct nf_view_function *from = e->origin[index] ? &e->in.functions[e->origin[index] - 1] : NULL;
    nf_view_function_name(from ? &e->in : &e->out, from ? from : function, name, sizeof name);
    nf_clone_text(e, index, clone);
    nf_signature(e, 1, function, signature, sizeof signature);
    fprintf(p->file, "%*s", 2 + 2 * depth, "");
    print_name(p, name);
    fprintf(p->file, " %s%s%s%s\n", signature, *clone ? " [clone " : "", clone, *clone ? "]" : "");
    uint8_t *seen = depth < DEEPEST ? calloc(1, (size_t)e->out.function_count + 1) : NULL;
    for (uint32_t at = function->at; seen && at < function->end; at += nf_view_length(&e->out, at)) {
        if (nf_view_opcode(&e->out, at) != NF_SPV_FUNCTION_CALL || nf_view_length(&e->out, at) < 4) continue;
        uint32_t id = e->out.words[at + 3], callee = id < e->out.bound ? e->out.function_index[id] : 0;
        if (!callee || seen[callee - 1] || nf_is_helper(&e->out, &e->out.functions[callee - 1])) continue;
        seen[callee - 1] = 1;
        print_calls(p, callee - 1, depth + 1);
    }
    free(seen);
}

static void print_tree(struct printer *p)
{
    const struct nf_explain *e = p->e;
    char name[512];
    if (!e->out.words) return;
    print_heading(p, "who calls whom,", "after");
    for (uint32_t i = 0; i < e->out.function_count; i++) {
        const struct nf_view_function *f = &e->out.functions[i];
        if (!f->entry) continue;
        if (!e->kernel || strcmp(nf_view_function_name(&e->out, f, name, sizeof name), e->kernel) == 0)
            print_calls(p, i, 0);
    }
}

static void print_left_out(struct printer *p)
{
    char name[512];
    for (uint32_t i = 0; i < p->e->in.function_count; i++)
        if (p->e->is_shown[i] && !nf_has_output_version(p->e, i))
            print_heading(p, "no kernel reaches",
                          nf_view_function_name(&p->e->in, &p->e->in.functions[i], name, sizeof name));
}

void nf_explain_print(const struct nf_explain *e, FILE *file, bool in_color)
{
    struct printer p = {.e = e, .file = file, .in_color = in_color};
    const nf_counts *c = &e->counts;
    static const char *const spaces[] = {"private", "local", "global", "constant", "ambiguous", "null"};
    fprintf(file, "%s: %u kernel%s, %u function%s; ", e->path, e->in.kernel_count, e->in.kernel_count == 1 ? "" : "s",
            e->in.function_count, e->in.function_count == 1 ? "" : "s");
    if (e->is_unchanged)
        fprintf(file, "it comes out as it is, byte for byte%s\n", e->mode == NF_MODE_OFF ? ", as the mode is off" : "");
    else
        fprintf(file,
                "%u function%s after, %u of them clones\n"
                "%u access%s through generic pointers: %u static, %u predicated, %u dispatched, %u dead, %u unknown\n",
                c->functions, c->functions == 1 ? "" : "s", c->clones, c->generic, c->generic == 1 ? "" : "es",
                c->is_static, c->predicated, c->dispatched, c->dead, c->unknown);
    if (in_color) fputs("colors:", file);
    for (size_t i = 0; in_color && i < sizeof spaces / sizeof spaces[0]; i++)
        fprintf(file, " %s%s\033[0m", color_of(spaces[i]), spaces[i]);
    if (in_color) putc('\n', file);
    if (e->in.function_count) print_tree(&p);
    for (uint32_t i = 0; i < e->in.function_count; i++)
        if (e->is_shown[i] && nf_has_output_version(e, i)) print_function(&p, i);
    print_left_out(&p);
}
