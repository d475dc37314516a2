/* SPDX-License-Identifier: Apache-2.0 */
/*
 * explain_html.c - one page about one module: what came of it, the picture of its calls, and each function before and
 * after, side by side. One file without scripts and without anything from elsewhere.
 */
#include <stdlib.h>
#include <string.h>

#include "explain.h"

static void put_text(FILE *file, const char *text)
{
    nf_put_escaped(file, text, strlen(text));
}

/* ---- The head ---- */

static const struct {
    const char *name, *meaning;
    size_t offset;
} classes[] = {{"static", "one space proven", offsetof(nf_counts, is_static)},
               {"predicated", "split on the merge's own condition", offsetof(nf_counts, predicated)},
               {"dispatched", "decided at run time by a tag", offsetof(nf_counts, dispatched)},
               {"dead", "never reached, or by a null pointer only", offsetof(nf_counts, dead)},
               {"unknown", "a hole in the analysis", offsetof(nf_counts, unknown)}};
enum { CLASSES = sizeof classes / sizeof classes[0] };

static uint32_t count_of(const nf_counts *counts, int i)
{
    uint32_t count;
    memcpy(&count, (const char *)counts + classes[i].offset, sizeof count);
    return count;
}

static void put_bar(const nf_counts *c, FILE *file)
{
    if (c->generic == 0) {
        fputs("<p>No memory is accessed through a generic pointer.</p>\n", file);
        return;
    }
    fprintf(file, "<p>%u memory access%s through generic pointers:</p>\n<div class=\"bar\">", c->generic,
            c->generic == 1 ? "" : "es");
    for (int i = 0; i < CLASSES; i++)
        if (count_of(c, i))
            fprintf(file, "<i class=\"s-%s\" style=\"width:%.2f%%\"></i>", classes[i].name,
                    100.0 * count_of(c, i) / c->generic);
    fputs("</div>\n<p>", file);
    for (int i = 0; i < CLASSES; i++)
        if (count_of(c, i))
            fprintf(file, "<i class=\"dot s-%s\"></i>%u %s <span class=\"faint\">(%s)</span> &ensp; ", classes[i].name,
                    count_of(c, i), classes[i].name, classes[i].meaning);
    fputs("</p>\n", file);
}

static void put_head(const nf_explain *e, FILE *file)
{
    fputs("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
          "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n<title>",
          file);
    put_text(file, e->path);
    fprintf(file, " - nonflat explain</title>\n<style>\n%s</style></head>\n<body>\n<h1>", nf_explain_style);
    put_text(file, e->path);
    fprintf(file,
            "</h1>\n<p class=\"faint\">%u kernel%s, %u function%s; SPIR-V %u.%u; by nonflat %s. %u function%s in the "
            "output, %u of them clones.</p>\n",
            e->in.kernel_count, e->in.kernel_count == 1 ? "" : "s", e->in.function_count,
            e->in.function_count == 1 ? "" : "s", e->in.version >> 16 & 0xff, e->in.version >> 8 & 0xff, nf_version(),
            e->counts.functions, e->counts.functions == 1 ? "" : "s", e->counts.clones);
    if (e->status != NF_OK) {
        fputs("<div class=\"why\"><b>This module cannot be specialised.</b> ", file);
        put_text(file, e->log);
        fputs("</div>\n", file);
    }
    put_bar(&e->counts, file);
    fputs("<p class=\"legend\"><span class=\"private\">private</span><span class=\"local\">local</span>"
          "<span class=\"global\">global</span><span class=\"constant\">constant</span>"
          "<span class=\"ambiguous\">several: ambiguous</span><span class=\"null\">null</span></p>\n",
          file);
    fputs("<h3>Who calls whom, after</h3>\n<p class=\"faint\">Thick: kernels. Dashed: clones of one function, each for "
          "other spaces. Red: something in it is decided at run time.</p>\n<div class=\"graph\">\n",
          file);
    nf_draw_callgraph(e, file);
    fputs("</div>\n", file);
}

/* ---- Lines ---- */

static void put_plain(void *user, const char *text, size_t length)
{
    nf_put_escaped(user, text, length);
}

static void put_id(void *user, uint32_t id, const char *shown, const char *space_class, const char *title)
{
    FILE *file = user;
    (void)id;
    if (!*space_class) {
        put_text(file, shown);
        return;
    }
    fprintf(file, "<span class=\"%s\" title=\"", space_class);
    put_text(file, title);
    fputs("\">", file);
    put_text(file, shown);
    fputs("</span>", file);
}

static void put_cell(const nf_explain *e, int is_output, uint32_t word, int is_alone, FILE *file)
{
    const nf_listing *listing = is_output ? &e->out_lines : &e->in_lines;
    nf_painter painter = {put_plain, put_id, file};
    fprintf(file, "<td%s>", !word || !is_alone ? "" : is_output ? " class=\"come\"" : " class=\"gone\"");
    if (word && listing->line[word]) nf_paint_line(e, is_output, listing->line[word], &painter);
    fputs("</td>", file);
}

static void put_source_row(const nf_source_walk *walk, char *last, size_t size, FILE *file)
{
    char place[512], line[512];
    nf_source_place(walk, place, sizeof place);
    if (!*place || strcmp(place, last) == 0) return;
    snprintf(last, size, "%s", place);
    fputs("<tr class=\"source\"><td colspan=\"2\">", file);
    put_text(file, place);
    fputs("&ensp;", file);
    put_text(file, nf_source_line(walk, line, sizeof line));
    fputs("</td></tr>\n", file);
}

static int is_line(const nf_view *view, uint32_t word)
{
    uint32_t opcode = word ? nf_view_opcode(view, word) : 0;
    return opcode == NF_SPV_LINE || opcode == NF_SPV_NO_LINE;
}

static void put_rows(const nf_explain *e, const nf_row *rows, size_t count, FILE *file)
{
    nf_source_walk walk = {.view = &e->in};
    char last[512] = "";
    for (size_t i = 0; i < count; i++) {
        nf_row r = rows[i];
        if (r.in) nf_source_step(&walk, r.in);
        /* Debug lines have become rows of source. */
        if (is_line(&e->in, r.in)) r.in = 0;
        if (is_line(&e->out, r.out)) r.out = 0;
        if (!r.in && !r.out) continue;
        if (r.in) put_source_row(&walk, last, sizeof last, file);
        int differs = !r.is_same;
        fprintf(file, "<tr%s>", r.in && nf_access_at(e, r.in) ? " class=\"hit\"" : "");
        put_cell(e, 0, r.in, differs && e->out.words, file);
        put_cell(e, 1, r.out, differs, file);
        fputs("</tr>\n", file);
    }
}

static void put_listing(const nf_explain *all, const nf_view_function *in, const nf_view_function *out, FILE *file)
{
    size_t count = 0;
    nf_explain copy = *all, *e = &copy; /* with the spaces of this instance */
    copy.instance = nf_match_instance(all, in, out);
    nf_row *rows = nf_match_lines(e, in, out, &count);
    if (!rows) return;
    fputs("<div class=\"scroll\"><table class=\"l\"><thead><tr><th>before</th><th>after</th></tr></thead><tbody>\n",
          file);
    put_rows(e, rows, count, file);
    fputs("</tbody></table></div>\n", file);
    free(rows);
}

/* ---- Functions ---- */

/* Who hands over what, below the last line of the reasons that end at a parameter. */
static void put_callers(const nf_explain *e, const char *because, FILE *file)
{
    uint32_t parameter = because ? nf_parameter_of_chain(because) : 0, at = 0, argument = 0;
    const nf_view_function *caller;
    while (parameter && (caller = nf_next_caller(e, parameter, &at, &argument)) != NULL) {
        char name[512], shown[96], text[64];
        int is_generic = 0;
        uint8_t spaces = nf_spaces_of_id(e, 0, argument, &is_generic);
        nf_id_text(&e->in, argument, shown, sizeof shown);
        fprintf(file, "<li>called by <a href=\"#f%u\">", caller->id);
        put_text(file, nf_view_function_name(&e->in, caller, name, sizeof name));
        fprintf(file, "</a> with <span class=\"%s\">", nf_space_class(spaces, is_generic));
        put_text(file, shown);
        fprintf(file, "</span>: %s</li>\n", nf_spaces_text(spaces, text));
    }
}

static void put_ambiguities(const nf_explain *e, const nf_view_function *function, FILE *file)
{
    for (size_t i = 0; i < e->facts.access_count; i++) {
        const nf_shown_access *a = &e->facts.accesses[i];
        if (a->word < function->at || a->word >= function->end) continue;
        fputs("<div class=\"why\"><code>", file);
        put_text(file, a->instruction);
        fputs("</code>", file);
        if (*a->source) fputs(" at ", file);
        put_text(file, a->source);
        fputs(" may be <b>", file);
        put_text(file, a->spaces);
        fputs("</b>, because<ul>\n", file);
        for (const char *line = a->because; line && *line;) {
            size_t length = strcspn(line, "\n"), word = strcspn(line, ":");
            fprintf(file, "<li><span class=\"%.*s\">%.*s</span>", (int)word, line, (int)word, line);
            nf_put_escaped(file, line + word, length - word);
            fputs("</li>\n", file);
            line += length + (line[length] == '\n');
        }
        put_callers(e, a->because, file);
        fputs("</ul></div>\n", file);
    }
}

static void put_parameter(const nf_explain *e, const nf_shown_instance *instance, uint32_t id, FILE *file)
{
    char text[64];
    (void)e;
    for (size_t i = 0; i < instance->pointer_count; i++)
        if (instance->pointers[i].id == id)
            fprintf(file, "<td><span class=\"%s\">%s</span></td>", nf_space_class(instance->pointers[i].spaces, 1),
                    nf_spaces_text(instance->pointers[i].spaces, text));
}

/* For each instance, the spaces of the generic parameters: why there are clones. */
static void put_instances(const nf_explain *e, const nf_view_function *function, FILE *file)
{
    uint32_t ids[16], count = 0, instances = 0;
    for (uint32_t at = function->at; at < function->end && count < 16; at += nf_view_length(&e->in, at)) {
        int is_generic = 0;
        if (nf_view_opcode(&e->in, at) == NF_SPV_LABEL) break;
        if (nf_view_opcode(&e->in, at) != NF_SPV_FUNCTION_PARAMETER) continue;
        nf_spaces_of_id(e, 0, nf_view_result(&e->in, at), &is_generic);
        if (is_generic) ids[count++] = nf_view_result(&e->in, at);
    }
    for (size_t i = 0; i < e->facts.instance_count; i++)
        instances += e->facts.instances[i].function == function->id;
    if (instances < 2 || count == 0) return;
    fprintf(file, "<p>Analysed %u times, for what it is called with:</p>\n<table class=\"sets\"><tr>", instances);
    for (uint32_t i = 0; i < count; i++) {
        char name[96] = "";
        if (e->in.name[ids[i]]) nf_view_string(&e->in, e->in.name[ids[i]], name, sizeof name);
        fprintf(file, "<th>%%%u ", ids[i]);
        put_text(file, name);
        fputs("</th>", file);
    }
    fputs("</tr>\n", file);
    for (size_t i = 0; i < e->facts.instance_count; i++) {
        if (e->facts.instances[i].function != function->id) continue;
        fputs("<tr>", file);
        for (uint32_t k = 0; k < count; k++)
            put_parameter(e, &e->facts.instances[i], ids[k], file);
        fputs("</tr>\n", file);
    }
    fputs("</table>\n", file);
}

static void put_versions(const nf_explain *e, uint32_t index, FILE *file)
{
    const nf_view_function *function = &e->in.functions[index];
    uint32_t versions = 0;
    for (uint32_t i = 0; i < e->out.function_count; i++) {
        char signature[512], clone[32];
        if (e->origin[i] != index + 1) continue;
        nf_clone_text(e, i, clone);
        nf_signature(e, 1, &e->out.functions[i], signature, sizeof signature);
        fprintf(file, "<details%s><summary>after%s%s: <code>", versions ? "" : " open", *clone ? ", clone " : "",
                clone);
        put_text(file, signature);
        fputs("</code></summary>\n", file);
        put_listing(e, function, &e->out.functions[i], file);
        fputs("</details>\n", file);
        versions++;
    }
    if (!versions) put_listing(e, function, NULL, file);
}

static void put_function(const nf_explain *e, uint32_t index, FILE *file)
{
    const nf_view_function *function = &e->in.functions[index];
    char name[512], short_name[512];
    nf_view_function_name(&e->in, function, name, sizeof name);
    fprintf(file, "<h2 id=\"f%u\">%s ", function->id, function->entry ? "kernel" : "function");
    put_text(file, nf_short_name(name, short_name, sizeof short_name));
    fputs("</h2>\n", file);
    if (strcmp(name, short_name) != 0) {
        fputs("<p class=\"faint\"><code>", file);
        put_text(file, name);
        fputs("</code></p>\n", file);
    }
    put_ambiguities(e, function, file);
    put_instances(e, function, file);
    put_versions(e, index, file);
}

static void put_left_out(const nf_explain *e, FILE *file)
{
    char name[512];
    int count = 0;
    for (uint32_t i = 0; i < e->in.function_count; i++) {
        if (!e->is_shown[i] || nf_is_left(e, i)) continue;
        fputs(count++ ? ", " : "<h2>Not in the output</h2>\n<p>No kernel reaches ", file);
        put_text(file, nf_view_function_name(&e->in, &e->in.functions[i], name, sizeof name));
    }
    if (count) fputs(".</p>\n", file);
}

void nf_explain_page(const nf_explain *e, FILE *file)
{
    put_head(e, file);
    for (uint32_t i = 0; i < e->in.function_count; i++)
        if (e->is_shown[i] && nf_is_left(e, i)) put_function(e, i, file);
    put_left_out(e, file);
    fputs("</body></html>\n", file);
}
