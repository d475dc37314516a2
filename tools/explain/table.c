/* SPDX-License-Identifier: Apache-2.0 */
/*
 * table.c - writes one function of the page: a table of its lines before and after, grouped by source line. Debug
 * information becomes the headings of the groups and has no rows.
 */
#include <stdlib.h>
#include <string.h>

#include "tools/explain/explain.h"

static void put_text(FILE *file, const char *text)
{
    nf_put_escaped(file, text, strlen(text));
}

static void put_plain(void *user, const char *text, size_t length)
{
    nf_put_escaped(user, text, length);
}

static void put_id(void *user, uint32_t id, const char *shown, const char *space_class, const char *title)
{
    FILE *file = user;
    bool is_helper = strncmp(shown, "%nonflat.", 9) == 0;
    if (is_helper) fprintf(file, "<a href=\"#h%u\">", id);
    if (*space_class) {
        fprintf(file, "<span class=\"%s\" title=\"", space_class);
        put_text(file, title);
        fputs("\">", file);
    }
    put_text(file, shown);
    fputs(*space_class ? "</span>" : is_helper ? "</a>" : "", file);
}

/* Writes the anchor of an ambiguous access, "w" and its word, at the first line that shows it. */
static void put_access_name(const struct nf_explain *e, uint32_t word, FILE *file)
{
    const nf_ambiguous_access *access = nf_access_at(e, word);
    uint8_t *has_anchor = access ? &e->facts->has_anchor[access - e->facts->accesses] : NULL;
    if (!has_anchor || *has_anchor) return;
    *has_anchor = 1;
    fprintf(file, " id=\"w%u\"", word);
}

static void put_cell(const struct nf_explain *e, bool is_output, uint32_t word, bool is_alone, FILE *file)
{
    const struct nf_listing *listing = is_output ? &e->out_lines : &e->in_lines;
    struct nf_painter painter = {put_plain, put_id, file};
    fprintf(file, "<td%s", !word || !is_alone ? "" : is_output ? " class=\"come\"" : " class=\"gone\"");
    if (word && !is_output) put_access_name(e, word, file);
    fputs(">", file);
    if (word && listing->line[word]) nf_paint_line(e, is_output, listing->line[word], &painter);
    fputs("</td>", file);
}

/* Begins a new group if the source line differs from `last`, the line of the current group. */
static void put_source(const struct nf_source_walk *walk, char *last, size_t size, FILE *file)
{
    char place[512], line[512];
    nf_source_place(walk, place, sizeof place);
    if (!*place || strcmp(place, last) == 0) return;
    snprintf(last, size, "%s", place);
    fputs("</tbody><tbody><tr class=\"source\"><td colspan=\"2\" title=\"", file);
    put_text(file, place);
    fputs("\">", file);
    put_text(file, nf_source_short(place));
    fputs("<code>", file);
    put_text(file, nf_source_line(walk, line, sizeof line));
    fputs("</code></td></tr>\n", file);
}

/* Begins a row. The anchor of the row is the id that the instruction defines; ids in explanations of ambiguity link to
 * this anchor. */
static void open_row(const struct nf_explain *e, struct nf_row r, bool differs, bool has_names, FILE *file)
{
    uint32_t id = r.in && has_names ? nf_view_result(&e->in, r.in) : 0;
    fprintf(file, "<tr class=\"%s%s\"", differs ? "differs" : "same", r.in && nf_access_at(e, r.in) ? " hit" : "");
    if (id) fprintf(file, " id=\"i%u\"", id);
    fputs(">", file);
}

static void put_rows(const struct nf_explain *e, const struct nf_row *rows, size_t count, bool has_names, FILE *file)
{
    struct nf_source_walk walk = {.view = &e->in, .sources = e->sources};
    char last[512] = "";
    for (size_t i = 0; i < count; i++) {
        struct nf_row r = rows[i];
        bool differs = !r.is_same && e->out.words;
        if (r.in) nf_source_step(&walk, r.in);
        if (r.in && nf_view_is_debug(&e->in, r.in)) r.in = 0;
        if (r.out && nf_view_is_debug(&e->out, r.out)) r.out = 0;
        if (!r.in && !r.out) continue;
        if (r.in) put_source(&walk, last, sizeof last, file);
        open_row(e, r, differs, has_names, file);
        put_cell(e, 0, r.in, differs, file);
        if (e->out.words) put_cell(e, 1, r.out, differs, file);
        fputs("</tr>\n", file);
    }
}

/* Returns true if any row differs, except for debug information. */
static bool has_changes(const struct nf_explain *e, const struct nf_row *rows, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        int in_counts = rows[i].in && !nf_view_is_debug(&e->in, rows[i].in);
        int out_counts = rows[i].out && !nf_view_is_debug(&e->out, rows[i].out);
        if (!rows[i].is_same && (in_counts || out_counts)) return true;
    }
    return false;
}

static void put_summary(const struct nf_explain *e, const struct nf_view_function *out, int changes, FILE *file)
{
    char signature[512], clone[32];
    uint32_t index = (uint32_t)(out - e->out.functions);
    nf_clone_text(e, index, clone);
    fprintf(file, "<summary>after%s%s: <code>", *clone ? ", clone " : "", clone);
    put_text(file, nf_signature(e, 1, out, signature, sizeof signature));
    fprintf(file, "</code>%s</summary>\n", changes ? "" : " <span class=\"faint\">as it was</span>");
}

void nf_explain_table(const struct nf_explain *e, const struct nf_view_function *in, const struct nf_view_function *out,
                      bool is_first, FILE *file)
{
    size_t count = 0;
    struct nf_row *rows = nf_match_lines(e, in, out, &count);
    if (!rows) return;
    nf_facts_show(e->facts, out);
    int changes = !out || has_changes(e, rows, count);
    fprintf(file, "<details%s>\n", is_first && changes ? " open" : "");
    if (out)
        put_summary(e, out, changes, file);
    else
        fputs("<summary>before</summary>\n", file);
    fprintf(file, "<div class=\"lines\"><table class=\"l\"><thead><tr><th>before</th>%s</tr></thead><tbody>\n",
            out ? "<th>after</th>" : "");
    put_rows(e, rows, count, is_first, file);
    fputs("</tbody></table></div>\n</details>\n", file);
    nf_facts_show(e->facts, NULL);
    free(rows);
}

void nf_explain_helper(const struct nf_explain *e, const struct nf_view_function *helper, FILE *file)
{
    char name[256], signature[512];
    fprintf(file, "<details id=\"h%u\"><summary><code>", helper->id);
    put_text(file, nf_view_function_name(&e->out, helper, name, sizeof name));
    fputs(" ", file);
    put_text(file, nf_signature(e, 1, helper, signature, sizeof signature));
    fputs("</code></summary>\n<div class=\"lines\"><table class=\"l\"><tbody>\n", file);
    for (uint32_t at = helper->at; at < helper->end; at += nf_view_length(&e->out, at)) {
        if (nf_view_is_debug(&e->out, at)) continue;
        fputs("<tr class=\"differs\">", file);
        put_cell(e, 1, at, 1, file);
        fputs("</tr>\n", file);
    }
    fputs("</tbody></table></div>\n</details>\n", file);
}
