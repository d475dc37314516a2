/* SPDX-License-Identifier: Apache-2.0 */
/*
 * facts.c - the core's inference: the spaces of each generic pointer, in one output function or in all instances, and
 * the ambiguous accesses.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/explain/explain.h"

static const struct {
    const char *name;
    uint8_t bit;
} space_names[] = {{"private", NF_SPACE_PRIVATE},   {"local", NF_SPACE_LOCAL}, {"global", NF_SPACE_GLOBAL},
                   {"constant", NF_SPACE_CONSTANT}, {"code", NF_SPACE_CODE},   {"input", NF_SHOWN_INPUT}};
enum { SPACE_NAMES = sizeof space_names / sizeof space_names[0], KNOWN = 0x80 };

/* ---- The inference ---- */

/* Visits the generic pointers of the instances that became the function `output`, of all instances if it is 0: marks
 * them as reached, and adds the spaces of each to `spaces`, or clears their entries if `is_joined` is false. */
static void collect_spaces(const struct nf_facts *facts, uint32_t output, bool is_joined, uint8_t *spaces)
{
    for (size_t i = 0; i < nf_result_instance_count(facts->result); i++) {
        size_t count = 0;
        if (output && nf_result_instance(facts->result, i)->output != output) continue;
        const nf_pointer_info *pointers = nf_result_pointers(facts->result, i, &count);
        for (size_t k = 0; k < count; k++) {
            if (pointers[k].id >= facts->bound) continue;
            facts->is_reached[pointers[k].id] = 1;
            spaces[pointers[k].id] = is_joined ? spaces[pointers[k].id] | KNOWN | (uint8_t)pointers[k].spaces : 0;
        }
    }
}

int nf_facts_open(struct nf_facts *facts, const nf_result *result, uint32_t bound)
{
    facts->result = result;
    facts->bound = bound;
    facts->accesses = nf_result_ambiguities(result, &facts->access_count);
    facts->all_spaces = calloc((size_t)bound + 1, 1);
    facts->own_spaces = calloc((size_t)bound + 1, 1);
    facts->is_reached = calloc((size_t)bound + 1, 1);
    facts->has_anchor = calloc(facts->access_count + 1, 1);
    if (!facts->all_spaces || !facts->own_spaces || !facts->is_reached || !facts->has_anchor) return -1;
    collect_spaces(facts, 0, 1, facts->all_spaces);
    return 0;
}

void nf_facts_show(struct nf_facts *facts, const struct nf_view_function *output)
{
    if (facts->output) collect_spaces(facts, facts->output, 0, facts->own_spaces);
    facts->output = output ? output->id : 0;
    if (facts->output) collect_spaces(facts, facts->output, 1, facts->own_spaces);
}

void nf_facts_close(struct nf_facts *facts)
{
    free(facts->all_spaces);
    free(facts->own_spaces);
    free(facts->is_reached);
    free(facts->has_anchor);
    memset(facts, 0, sizeof *facts);
}

const nf_ambiguous_access *nf_access_at(const struct nf_explain *e, uint32_t word)
{
    for (size_t i = 0; i < e->facts->access_count; i++) {
        const nf_ambiguous_access *access = &e->facts->accesses[i];
        bool is_generic = false;
        if (access->word != word) continue;
        uint8_t spaces = nf_spaces_of_id(e, 0, access->pointer, &is_generic);
        return spaces & (spaces - 1) ? access : NULL;
    }
    return NULL;
}

/* ---- Spaces ---- */

static uint8_t space_of_storage(uint32_t storage)
{
    switch (storage) {
    case 0: return NF_SPACE_CONSTANT;
    case 1: return NF_SHOWN_INPUT;
    case 4: return NF_SPACE_LOCAL;
    case 5:
    case 5936:
    case 5937: return NF_SPACE_GLOBAL;
    case 6:
    case 7: return NF_SPACE_PRIVATE;
    case 5605: return NF_SPACE_CODE;
    default: return 0;
    }
}

uint8_t nf_spaces_of_id(const struct nf_explain *e, bool is_output, uint32_t id, bool *is_generic)
{
    const struct nf_view *view = is_output ? &e->out : &e->in;
    uint32_t at = id < view->bound && view->def ? view->def[id] : 0;
    *is_generic = false;
    if (!at || nf_view_length(view, at) < 3 || view->is_type[id]) return 0;
    if (nf_view_opcode(view, at) == NF_SPV_FUNCTION) return 0; /* OpFunction has the type of the return value */
    uint32_t storage = nf_view_storage(view, view->words[at + 1]);
    *is_generic = storage == NF_SPV_STORAGE_GENERIC;
    if (!*is_generic) return space_of_storage(storage);
    if (is_output || id >= e->facts->bound) return 0;
    uint8_t own = e->facts->own_spaces[id]; /* 0 as well if `id` belongs to another function */
    return (own & KNOWN ? own : e->facts->all_spaces[id]) & ~KNOWN;
}

const char *nf_spaces_text(uint8_t spaces, const char *between, char text[64])
{
    text[0] = '\0';
    for (int i = 0; i < SPACE_NAMES; i++)
        if (spaces & space_names[i].bit)
            snprintf(text + strlen(text), 64 - strlen(text), "%s%s", *text ? between : "", space_names[i].name);
    return *text ? text : "null";
}

const char *nf_space_class(uint8_t spaces, bool is_generic)
{
    if (spaces & (spaces - 1)) return "ambiguous";
    for (int i = 0; i < SPACE_NAMES; i++)
        if (spaces == space_names[i].bit) return space_names[i].name;
    return is_generic ? "null" : "";
}

const char *nf_signature(const struct nf_explain *e, bool is_output, const struct nf_view_function *function,
                         char *text, size_t size)
{
    const struct nf_view *view = is_output ? &e->out : &e->in;
    size_t used = (size_t)snprintf(text, size, "(");
    for (uint32_t at = function->at; at < function->end; at += nf_view_length(view, at)) {
        if (nf_view_opcode(view, at) == NF_SPV_LABEL) break;
        if (nf_view_opcode(view, at) != NF_SPV_FUNCTION_PARAMETER || used + 64 > size) continue;
        bool is_generic = false;
        char spaces_text[64];
        uint8_t spaces = nf_spaces_of_id(e, is_output, nf_view_result(view, at), &is_generic);
        const char *what = spaces || is_generic ? nf_spaces_text(spaces, "|", spaces_text) : "value";
        if (is_generic && e->is_unchanged) what = ""; /* nothing was inferred */
        used += (size_t)snprintf(text + used, size - used, "%s%s%s%s", used > 1 ? ", " : "",
                                 is_generic ? "generic" : "", is_generic && *what ? ": " : "", what);
    }
    snprintf(text + used, size - used, ")");
    return text;
}

const char *nf_verdict_text(const struct nf_explain *e, nf_verdict verdict)
{
    if (e->mode == NF_MODE_HINT && verdict > NF_VERDICT_STATIC) return "stays generic";
    switch (verdict) {
    case NF_VERDICT_DEAD: return "never reached, or by a null pointer only";
    case NF_VERDICT_STATIC: return "one space proven";
    case NF_VERDICT_PREDICATED: return "split on the merge's own condition";
    case NF_VERDICT_DISPATCHED: return "decided at run time by a tag";
    case NF_VERDICT_UNKNOWN: return "not understood, so decided at run time by a tag";
    }
    return "";
}

/* ---- Callers ---- */

uint32_t nf_parameter_of_chain(const char *line)
{
    static const char begin[] = "from a caller by OpFunctionParameter %";
    size_t length = strcspn(line, "\n");
    const char *found = strstr(line, begin);
    return found && found < line + length ? (uint32_t)strtoul(found + sizeof begin - 1, NULL, 10) : 0;
}

/* Returns the function that has `parameter`, and the index of the parameter; NULL if there is none. */
static const struct nf_view_function *owner_of(const struct nf_view *view, uint32_t parameter, uint32_t *index)
{
    for (uint32_t i = 0; i < view->function_count; i++) {
        const struct nf_view_function *f = &view->functions[i];
        *index = 0;
        for (uint32_t at = f->at; at < f->end; at += nf_view_length(view, at)) {
            if (nf_view_opcode(view, at) == NF_SPV_LABEL) break;
            if (nf_view_opcode(view, at) != NF_SPV_FUNCTION_PARAMETER) continue;
            if (nf_view_result(view, at) == parameter) return f;
            ++*index;
        }
    }
    return NULL;
}

const struct nf_view_function *nf_next_caller(const struct nf_explain *e, uint32_t parameter, uint8_t space,
                                              uint32_t *at, uint32_t *argument)
{
    const struct nf_view *view = &e->in;
    uint32_t index;
    const struct nf_view_function *owner = owner_of(view, parameter, &index), *caller = NULL;
    uint32_t word = *at ? *at + nf_view_length(view, *at) : NF_SPV_HEADER_WORDS;
    for (; owner && word < view->count; word += nf_view_length(view, word)) {
        if (nf_view_opcode(view, word) == NF_SPV_FUNCTION && nf_view_length(view, word) > 2 &&
            view->words[word + 2] < view->bound)
            caller = &view->functions[view->function_index[view->words[word + 2]] - 1];
        if (nf_view_opcode(view, word) != NF_SPV_FUNCTION_CALL || nf_view_length(view, word) < 5 + index) continue;
        if (view->words[word + 3] != owner->id) continue;
        for (uint32_t i = 0; !caller && i < view->function_count; i++)
            if (view->functions[i].at < word && word < view->functions[i].end) caller = &view->functions[i];
        *at = word;
        *argument = view->words[word + 4 + index];
        bool is_generic = false;
        if (nf_spaces_of_id(e, 0, *argument, &is_generic) & space) return caller;
    }
    return NULL;
}

/* ---- Lines ---- */

static void paint_id(const struct nf_explain *e, bool is_output, uint32_t id, const struct nf_painter *painter)
{
    const struct nf_view *view = is_output ? &e->out : &e->in;
    char shown[96], title[256] = "", spaces_text[64];
    bool is_generic = false;
    uint8_t spaces = nf_spaces_of_id(e, is_output, id, &is_generic);
    nf_id_text(view, id, shown, sizeof shown);
    const char *space_class = nf_space_class(spaces, is_generic);
    if (is_generic && !is_output && !e->facts->is_reached[id])
        snprintf(title, sizeof title, "%%%u: nobody reaches it", id);
    else if (*space_class)
        snprintf(title, sizeof title, "%%%u: %s%s", id, is_generic ? "generic, found to be " : "",
                 nf_spaces_text(spaces, "|", spaces_text));
    painter->id(painter->user, id, shown, space_class, title);
}

void nf_paint_line(const struct nf_explain *e, bool is_output, const char *line, const struct nf_painter *painter)
{
    bool in_string = false;
    const char *begin = line, *at = line;
    for (; *at; at++) {
        if (*at == '\\' && in_string && at[1]) {
            at++;
            continue;
        }
        if (*at == '"') in_string = !in_string;
        if (*at != '%' || in_string || at[1] < '0' || at[1] > '9') continue;
        char *end = NULL;
        uint32_t id = (uint32_t)strtoul(at + 1, &end, 10);
        painter->plain(painter->user, begin, (size_t)(at - begin));
        paint_id(e, is_output, id, painter);
        begin = end;
        at = end - 1;
    }
    painter->plain(painter->user, begin, (size_t)(at - begin));
}
