/* SPDX-License-Identifier: Apache-2.0 */
/*
 * html.c - writes one HTML page about a module: a summary, the call graph, and each function before and after, side by
 * side. The page is one file without scripts or external resources.
 */
#include <stdlib.h>
#include <string.h>

#include "tools/explain/explain.h"

static void put_text(FILE *file, const char *text)
{
    nf_put_escaped(file, text, strlen(text));
}

/* ---- The head ---- */

static const struct {
    const char *name;
    nf_verdict verdict;
    size_t offset;
} classes[] = {{"static", NF_VERDICT_STATIC, offsetof(nf_counts, is_static)},
               {"predicated", NF_VERDICT_PREDICATED, offsetof(nf_counts, predicated)},
               {"dispatched", NF_VERDICT_DISPATCHED, offsetof(nf_counts, dispatched)},
               {"dead", NF_VERDICT_DEAD, offsetof(nf_counts, dead)},
               {"unknown", NF_VERDICT_UNKNOWN, offsetof(nf_counts, unknown)}};
enum { CLASSES = sizeof classes / sizeof classes[0] };

static uint32_t count_of(const nf_counts *counts, int i)
{
    uint32_t count;
    memcpy(&count, (const char *)counts + classes[i].offset, sizeof count);
    return count;
}

static void put_bar(const struct nf_explain *e, FILE *file)
{
    const nf_counts *c = &e->counts;
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
                    count_of(c, i), classes[i].name, nf_verdict_text(e, classes[i].verdict));
    fputs("</p>\n", file);
}

static uint32_t count_generic_types(const struct nf_view *view)
{
    uint32_t count = 0;
    for (uint32_t id = 0; id < view->bound; id++)
        count += view->is_type[id] && nf_view_storage(view, id) == NF_SPV_STORAGE_GENERIC;
    return count;
}

static void put_lines(FILE *file, const char *text)
{
    while (*text) {
        size_t length = strcspn(text, "\n");
        nf_put_escaped(file, text, length);
        text += length + (text[length] == '\n');
        if (*text) fputs("<br>\n", file);
    }
}

static void put_head(const struct nf_explain *e, FILE *file)
{
    fputs("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
          "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n<title>",
          file);
    put_text(file, e->path);
    fprintf(file, " - nonflat explain</title>\n<style>\n%s</style></head>\n<body>\n<h1>", nf_explain_style);
    put_text(file, e->path);
    fprintf(file, "</h1>\n<p class=\"faint\">%u kernel%s, %u function%s; SPIR-V %u.%u; by nonflat %s.",
            e->in.kernel_count, e->in.kernel_count == 1 ? "" : "s", e->in.function_count,
            e->in.function_count == 1 ? "" : "s", e->in.version >> 16 & 0xff, e->in.version >> 8 & 0xff, nf_version());
    if (e->is_unchanged)
        fputs(" It comes out as it is, byte for byte.", file);
    else if (e->status == NF_OK)
        fprintf(file, " %u function%s in the output, %u of them clones.", e->counts.functions,
                e->counts.functions == 1 ? "" : "s", e->counts.clones);
    fputs("</p>\n", file);
    if (e->status != NF_OK) {
        fputs("<div class=\"why\"><b>This module cannot be specialized.</b> ", file);
        put_lines(file, e->log);
        fputs("</div>\n", file);
    }
    put_bar(e, file);
    if (e->status == NF_OK)
        fprintf(file, "<p>Types of generic pointers: %u before, %u after.</p>\n", count_generic_types(&e->in),
                count_generic_types(&e->out));
    fputs("<p class=\"legend\"><span class=\"private\">private</span><span class=\"local\">local</span>"
          "<span class=\"global\">global</span><span class=\"constant\">constant</span>"
          "<span class=\"ambiguous\">several: ambiguous</span><span class=\"null\">null</span></p>\n",
          file);
    if (e->out.words)
        fprintf(file, "<input type=\"checkbox\" id=\"only\"%s><label for=\"only\">only what differs</label>\n",
                e->shows_all ? "" : " checked");
    fprintf(file, "<main>\n<h3>Who calls whom%s</h3>\n", e->out.words ? ", after" : "");
    fputs("<p class=\"faint\">Thick: kernels. Dashed: clones of one function, each for other spaces. Red: something in "
          "it is "
          "decided at run time.</p>\n<div class=\"graph\">\n",
          file);
    nf_draw_callgraph(e, file);
    fputs("</div>\n", file);
}

/* ---- Functions ---- */

/* Writes the callers that pass the space, below a chain that begins at a parameter. */
static void put_callers(const struct nf_explain *e, const char *because, uint8_t space, FILE *file)
{
    uint32_t parameter = nf_parameter_of_chain(because), at = 0, argument = 0;
    const struct nf_view_function *caller;
    while (parameter && (caller = nf_next_caller(e, parameter, space, &at, &argument)) != NULL) {
        char name[512], shown[96], text[64];
        bool is_generic = false;
        uint8_t spaces = nf_spaces_of_id(e, 0, argument, &is_generic);
        nf_id_text(&e->in, argument, shown, sizeof shown);
        fprintf(file, "<li>called by <a href=\"#f%u\">", caller->id);
        put_text(file, nf_view_function_name(&e->in, caller, name, sizeof name));
        fprintf(file, "</a> with <span class=\"%s\">", nf_space_class(spaces, is_generic));
        put_text(file, shown);
        fprintf(file, "</span>: %s</li>\n", nf_spaces_text(spaces, "|", text));
    }
}

/* Writes one word of a chain (the explanation of one space): an id is a link to its line, a file path loses its
 * folders. */
static void put_chain_word(FILE *file, const char *word, size_t length)
{
    size_t digits = *word == '%' ? strspn(word + 1, "0123456789") : 0;
    while (digits == 0 && memchr(word, '/', length)) {
        word++;
        length--;
    }
    if (digits) fprintf(file, "<a href=\"#i%.*s\">%%%.*s</a>", (int)digits, word + 1, (int)digits, word + 1);
    nf_put_escaped(file, word + (digits ? digits + 1 : 0), length - (digits ? digits + 1 : 0));
}

static void put_chain(FILE *file, const char *text)
{
    while (*text) {
        size_t blanks = strspn(text, " "), letters = strcspn(text + blanks, " ");
        fputs(blanks ? " " : "", file);
        put_chain_word(file, text + blanks, letters);
        text += blanks + letters;
    }
}

/* Writes a chain, which begins with the name of its space, and the callers. */
static void put_reason(const struct nf_explain *e, const char *because, uint8_t space, FILE *file)
{
    size_t word = strcspn(because, ":");
    fprintf(file, "<li><span class=\"%.*s\">%.*s</span>", (int)word, because, (int)word, because);
    put_chain(file, because + word);
    fputs("</li>\n", file);
    put_callers(e, because, space, file);
}

static void put_ambiguity(const struct nf_explain *e, const nf_ambiguous_access *a, FILE *file)
{
    char text[64];
    fprintf(file, "<div class=\"why\"><a href=\"#w%u\"><code>%s %%%u</code></a>", a->word, a->opcode_name, a->pointer);
    if (*a->source) fputs(" at ", file);
    put_text(file, nf_source_short(a->source));
    fprintf(file, " may be <b>%s</b>: %s, because<ul>\n", nf_spaces_text((uint8_t)a->spaces, " or ", text),
            nf_verdict_text(e, a->verdict));
    for (int i = 0; i < 5; i++)
        if (a->because[i]) put_reason(e, a->because[i], (uint8_t)(1u << i), file);
    fputs("</ul></div>\n", file);
}

static void put_ambiguities(const struct nf_explain *e, const struct nf_view_function *function, FILE *file)
{
    for (size_t i = 0; i < e->facts->access_count; i++) {
        const nf_ambiguous_access *access = &e->facts->accesses[i];
        if (access->word >= function->at && access->word < function->end) put_ambiguity(e, access, file);
    }
}

static void put_parameter(const nf_pointer_info *pointers, size_t count, uint32_t id, FILE *file)
{
    char text[64];
    for (size_t i = 0; i < count; i++)
        if (pointers[i].id == id)
            fprintf(file, "<td><span class=\"%s\">%s</span></td>", nf_space_class((uint8_t)pointers[i].spaces, 1),
                    nf_spaces_text((uint8_t)pointers[i].spaces, "|", text));
}

/* Writes the spaces of the generic parameters, of which at most 16 are shown, for each instance if there are several;
 * differences between them are the reason for the clones. */
static void put_instances(const struct nf_explain *e, const struct nf_view_function *function, FILE *file)
{
    uint32_t ids[16], count = 0, instances = 0;
    for (uint32_t at = function->at; at < function->end && count < 16; at += nf_view_length(&e->in, at)) {
        bool is_generic = false;
        if (nf_view_opcode(&e->in, at) == NF_SPV_LABEL) break;
        if (nf_view_opcode(&e->in, at) != NF_SPV_FUNCTION_PARAMETER) continue;
        nf_spaces_of_id(e, 0, nf_view_result(&e->in, at), &is_generic);
        if (is_generic) ids[count++] = nf_view_result(&e->in, at);
    }
    for (size_t i = 0; i < nf_result_instance_count(e->facts->result); i++)
        instances += nf_result_instance(e->facts->result, i)->function == function->id;
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
    for (size_t i = 0; i < nf_result_instance_count(e->facts->result); i++) {
        size_t pointer_count = 0;
        const nf_pointer_info *pointers = nf_result_pointers(e->facts->result, i, &pointer_count);
        if (nf_result_instance(e->facts->result, i)->function != function->id) continue;
        fputs("<tr>", file);
        for (uint32_t k = 0; k < count; k++)
            put_parameter(pointers, pointer_count, ids[k], file);
        fputs("</tr>\n", file);
    }
    fputs("</table>\n", file);
}

static void put_versions(const struct nf_explain *e, uint32_t index, FILE *file)
{
    const struct nf_view_function *function = &e->in.functions[index];
    uint32_t versions = 0;
    for (uint32_t i = 0; i < e->out.function_count; i++)
        if (e->origin[i] == index + 1) nf_explain_table(e, function, &e->out.functions[i], versions++ == 0, file);
    if (!versions) nf_explain_table(e, function, NULL, 1, file);
}

static void put_function(const struct nf_explain *e, uint32_t index, FILE *file)
{
    const struct nf_view_function *function = &e->in.functions[index];
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

static void put_left_out(const struct nf_explain *e, FILE *file)
{
    char name[512];
    int count = 0;
    for (uint32_t i = 0; i < e->in.function_count; i++) {
        if (!e->is_shown[i] || nf_has_output_version(e, i)) continue;
        fputs(count++ ? ", " : "<h2>Not in the output</h2>\n<p>No kernel reaches ", file);
        put_text(file, nf_view_function_name(&e->in, &e->in.functions[i], name, sizeof name));
    }
    if (count) fputs(".</p>\n", file);
}

static void put_helpers(const struct nf_explain *e, FILE *file)
{
    int count = 0;
    for (uint32_t i = 0; i < e->out.function_count; i++) {
        if (!nf_is_helper(&e->out, &e->out.functions[i])) continue;
        if (count++ == 0)
            fputs("<h2>What decides at run time</h2>\n<p class=\"faint\">Each gets a tag (1 private, 2 local, 4 "
                  "global) and "
                  "a pointer for each space, or the 64 bits that hold both.</p>\n",
                  file);
        nf_explain_helper(e, &e->out.functions[i], file);
    }
}

/* Appends the callees of `f` to the queue that are not in it yet. */
static void queue_callees(const struct nf_explain *e, const struct nf_view_function *f, uint32_t *queue, uint32_t *tail,
                          uint8_t *is_queued)
{
    for (uint32_t at = f->at; at < f->end; at += nf_view_length(&e->in, at)) {
        if (nf_view_opcode(&e->in, at) != NF_SPV_FUNCTION_CALL || nf_view_length(&e->in, at) < 4) continue;
        uint32_t id = e->in.words[at + 3], callee = id < e->in.bound ? e->in.function_index[id] : 0;
        if (!callee || is_queued[callee - 1]) continue;
        is_queued[callee - 1] = 1;
        queue[(*tail)++] = callee - 1;
    }
}

/* Writes each kernel followed by the functions that it calls; then the functions that no kernel calls. */
static void put_functions(const struct nf_explain *e, FILE *file)
{
    uint32_t count = e->in.function_count, head = 0, tail = 0;
    uint8_t *is_queued = calloc(1, (size_t)count + 1);
    uint32_t *queue = calloc((size_t)count + 1, sizeof *queue);
    for (int kernels = 1; is_queued && queue && kernels >= 0; kernels--) {
        for (uint32_t i = 0; i < count; i++) {
            if (is_queued[i] || (kernels && !e->in.functions[i].entry)) continue;
            is_queued[i] = 1;
            queue[tail++] = i;
            for (; head < tail; head++) {
                if (e->is_shown[queue[head]] && nf_has_output_version(e, queue[head]))
                    put_function(e, queue[head], file);
                queue_callees(e, &e->in.functions[queue[head]], queue, &tail, is_queued);
            }
        }
    }
    free(is_queued);
    free(queue);
}

void nf_explain_page(const struct nf_explain *e, FILE *file)
{
    put_head(e, file);
    put_functions(e, file);
    put_helpers(e, file);
    put_left_out(e, file);
    fputs("</main></body></html>\n", file);
}
