/* SPDX-License-Identifier: Apache-2.0 */
/*
 * explain_facts.c - what the core inferred, from its report (what stays ambiguous, and why) and from its trace of the
 * solution (the spaces of each generic pointer in each instance of each function):
 *
 *     s  instance 4 of %57 (open), called from 2, emitted as 4: %60 {local} %61 {private, global}
 */
#define _XOPEN_SOURCE 700

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "explain.h"
#include "json.h"

static const struct {
    const char *name;
    uint8_t bit;
} space_names[] = {{"private", NF_SHOWN_PRIVATE},   {"local", NF_SHOWN_LOCAL}, {"global", NF_SHOWN_GLOBAL},
                   {"constant", NF_SHOWN_CONSTANT}, {"code", NF_SHOWN_CODE},   {"input", NF_SHOWN_INPUT}};
enum { SPACE_NAMES = sizeof space_names / sizeof space_names[0] };

/* ---- The trace ---- */

/* "{private, global}" -> bits. */
static uint8_t read_set(const char *text, const char **end)
{
    uint8_t set = 0;
    size_t length = strcspn(text, "}");
    for (int i = 0; i < SPACE_NAMES; i++) {
        const char *found = strstr(text, space_names[i].name);
        if (found && found < text + length) set |= space_names[i].bit;
    }
    *end = text + length + (text[length] == '}');
    return set;
}

static void read_pointers(nf_shown_instance *instance, const char *text)
{
    size_t capacity = 0;
    while ((text = strchr(text, '%')) != NULL) {
        if (instance->pointer_count == capacity) {
            capacity = capacity ? capacity * 2 : 8;
            void *larger = realloc(instance->pointers, capacity * sizeof *instance->pointers);
            if (!larger) return;
            instance->pointers = larger;
        }
        uint32_t id = (uint32_t)strtoul(text + 1, NULL, 10);
        text += strcspn(text, "{");
        instance->pointers[instance->pointer_count].id = id;
        instance->pointers[instance->pointer_count++].spaces = read_set(text, &text);
    }
}

void nf_facts_take_line(void *user, const char *line)
{
    nf_facts *facts = user;
    nf_shown_instance instance = {0};
    if (sscanf(line, "s instance %u of %%%u", &instance.number, &instance.function) != 2) return;
    const char *called = strstr(line, "called from "), *emitted = strstr(line, "emitted as ");
    if (called) instance.caller = (uint32_t)strtoul(called + 12, NULL, 10);
    if (emitted) instance.emitted_as = (uint32_t)strtoul(emitted + 11, NULL, 10);
    void *larger = realloc(facts->instances, (facts->instance_count + 1) * sizeof *facts->instances);
    if (!larger) return;
    facts->instances = larger;
    if (emitted) read_pointers(&instance, emitted);
    facts->instances[facts->instance_count++] = instance;
}

/* ---- The report ---- */

static char *join_lines(const nf_json *list, const char *between)
{
    char *text = NULL;
    size_t size = 0;
    FILE *file = open_memstream(&text, &size);
    if (!file) return NULL;
    for (const nf_json *item = nf_json_first(list); item; item = nf_json_next(item))
        fprintf(file, "%s%s", item == nf_json_first(list) ? "" : between, nf_json_text(item));
    fclose(file);
    return text;
}

static void read_access(const nf_json *item, nf_shown_access *access)
{
    const char *instruction = nf_json_text(nf_json_member(item, "instruction"));
    const char *pointer = strchr(instruction, '%'), *word = strstr(instruction, "(word ");
    *access = (nf_shown_access){word ? (uint32_t)strtoul(word + 6, NULL, 10) : 0,
                                pointer ? (uint32_t)strtoul(pointer + 1, NULL, 10) : 0,
                                strdup(nf_json_text(nf_json_member(item, "kernel"))),
                                strdup(nf_json_text(nf_json_member(item, "function"))),
                                strndup(instruction, word ? (size_t)(word - instruction) : strlen(instruction)),
                                strdup(nf_json_text(nf_json_member(item, "source"))),
                                join_lines(nf_json_member(item, "spaces"), " or "),
                                join_lines(nf_json_member(item, "because"), "\n"),
                                0};
}

static void read_accesses(nf_facts *facts, const char *report)
{
    nf_json *root = nf_json_read(report);
    const nf_json *first = nf_json_first(nf_json_member(root, "ambiguous"));
    size_t count = 0;
    for (const nf_json *item = first; item; item = nf_json_next(item))
        count++;
    facts->accesses = count ? calloc(count, sizeof *facts->accesses) : NULL;
    for (const nf_json *item = first; item && facts->accesses; item = nf_json_next(item))
        read_access(item, &facts->accesses[facts->access_count++]);
    nf_json_free(root);
}

int nf_facts_finish(nf_facts *facts, uint32_t bound, const char *report)
{
    facts->bound = bound;
    facts->spaces = calloc((size_t)bound + 1, 1);
    facts->is_followed = calloc((size_t)bound + 1, 1);
    if (!facts->spaces || !facts->is_followed) return -1;
    for (size_t i = 0; i < facts->instance_count; i++) {
        const nf_shown_instance *instance = &facts->instances[i];
        for (size_t k = 0; k < instance->pointer_count; k++) {
            if (instance->pointers[k].id >= bound) continue;
            facts->spaces[instance->pointers[k].id] |= instance->pointers[k].spaces;
            facts->is_followed[instance->pointers[k].id] = 1;
        }
    }
    read_accesses(facts, report);
    return 0;
}

void nf_facts_free(nf_facts *facts)
{
    for (size_t i = 0; i < facts->instance_count; i++)
        free(facts->instances[i].pointers);
    for (size_t i = 0; i < facts->access_count; i++) {
        nf_shown_access *access = &facts->accesses[i];
        free(access->kernel);
        free(access->function);
        free(access->instruction);
        free(access->source);
        free(access->spaces);
        free(access->because);
    }
    free(facts->instances);
    free(facts->accesses);
    free(facts->spaces);
    free(facts->is_followed);
    memset(facts, 0, sizeof *facts);
}

/* Does the instruction at `at` have this name and use this pointer? */
static int is_access(const nf_explain *e, uint32_t at, const char *name, size_t length, uint32_t pointer)
{
    int is_used = 0;
    for (uint32_t i = 1; i < nf_view_length(&e->in, at); i++)
        is_used |= e->in.words[at + i] == pointer && nf_view_result(&e->in, at) != pointer;
    const char *line = is_used ? e->in_lines.line[at] : NULL, *found = line ? strstr(line, name) : NULL;
    return found && (found == line || found[-1] == ' ') && (!found[length] || found[length] == ' ');
}

static int is_taken(const nf_explain *e, const nf_shown_access *access, uint32_t word)
{
    for (const nf_shown_access *other = e->facts.accesses; other < access; other++)
        if (other->word == word) return 1;
    return 0;
}

/* The core reports words of its own copy, in which blocks may lie in another order. */
void nf_facts_place(nf_explain *e)
{
    for (size_t i = 0; i < e->facts.access_count; i++) {
        nf_shown_access *access = &e->facts.accesses[i];
        char name[64];
        snprintf(name, sizeof name, "%.*s", (int)strcspn(access->instruction, " "), access->instruction);
        uint32_t at = NF_SPV_HEADER_WORDS;
        while (at < e->in.count && (!is_access(e, at, name, strlen(name), access->pointer) || is_taken(e, access, at)))
            at += nf_view_length(&e->in, at);
        access->word = at < e->in.count ? at : 0;
    }
}

const nf_shown_access *nf_access_at(const nf_explain *e, uint32_t word)
{
    for (size_t i = 0; i < e->facts.access_count; i++) {
        const nf_shown_access *access = &e->facts.accesses[i];
        int is_generic = 0;
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
    case 0: return NF_SHOWN_CONSTANT;
    case 1: return NF_SHOWN_INPUT;
    case 4: return NF_SHOWN_LOCAL;
    case 5:
    case 5936:
    case 5937: return NF_SHOWN_GLOBAL;
    case 6:
    case 7: return NF_SHOWN_PRIVATE;
    case 5605: return NF_SHOWN_CODE;
    default: return 0;
    }
}

uint8_t nf_spaces_of_id(const nf_explain *e, int is_output, uint32_t id, int *is_generic)
{
    const nf_view *view = is_output ? &e->out : &e->in;
    uint32_t at = id < view->bound && view->def ? view->def[id] : 0;
    *is_generic = 0;
    if (!at || nf_view_length(view, at) < 3 || view->is_type[id]) return 0;
    uint32_t storage = nf_view_storage(view, view->words[at + 1]);
    *is_generic = storage == NF_SPV_STORAGE_GENERIC;
    if (!*is_generic) return space_of_storage(storage);
    for (size_t i = 0; !is_output && e->instance && i < e->instance->pointer_count; i++)
        if (e->instance->pointers[i].id == id) return e->instance->pointers[i].spaces;
    return !is_output && id < e->facts.bound ? e->facts.spaces[id] : 0;
}

const char *nf_spaces_text(uint8_t spaces, char text[64])
{
    text[0] = '\0';
    for (int i = 0; i < SPACE_NAMES; i++)
        if (spaces & space_names[i].bit)
            snprintf(text + strlen(text), 64 - strlen(text), "%s%s", *text ? "|" : "", space_names[i].name);
    return *text ? text : "null";
}

const char *nf_space_class(uint8_t spaces, int is_generic)
{
    if (spaces & (spaces - 1)) return "ambiguous";
    for (int i = 0; i < SPACE_NAMES; i++)
        if (spaces == space_names[i].bit) return space_names[i].name;
    return is_generic ? "null" : "";
}

/* ---- Callers ---- */

uint32_t nf_parameter_of_chain(const char *line)
{
    static const char begin[] = "from a caller by OpFunctionParameter %";
    size_t length = strcspn(line, "\n");
    const char *found = strstr(line, begin);
    return found && found < line + length ? (uint32_t)strtoul(found + sizeof begin - 1, NULL, 10) : 0;
}

/* Which function has the parameter, and the how manieth it is. */
static const nf_view_function *owner_of(const nf_view *view, uint32_t parameter, uint32_t *index)
{
    for (uint32_t i = 0; i < view->function_count; i++) {
        const nf_view_function *f = &view->functions[i];
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

const nf_view_function *nf_next_caller(const nf_explain *e, uint32_t parameter, uint32_t *at, uint32_t *argument)
{
    const nf_view *view = &e->in;
    uint32_t index;
    const nf_view_function *owner = owner_of(view, parameter, &index), *caller = NULL;
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
        return caller;
    }
    return NULL;
}

/* ---- Lines ---- */

static void paint_id(const nf_explain *e, int is_output, uint32_t id, const nf_painter *painter)
{
    const nf_view *view = is_output ? &e->out : &e->in;
    char shown[96], title[256] = "", spaces_text[64];
    int is_generic = 0;
    uint8_t spaces = nf_spaces_of_id(e, is_output, id, &is_generic);
    nf_id_text(view, id, shown, sizeof shown);
    const char *space_class = nf_space_class(spaces, is_generic);
    if (is_generic && !is_output && !e->facts.is_followed[id])
        snprintf(title, sizeof title, "%%%u: nobody reaches it", id);
    else if (*space_class)
        snprintf(title, sizeof title, "%%%u: %s%s", id, is_generic ? "generic, found to be " : "",
                 nf_spaces_text(spaces, spaces_text));
    painter->id(painter->user, id, shown, space_class, title);
}

void nf_paint_line(const nf_explain *e, int is_output, const char *line, const nf_painter *painter)
{
    int in_string = 0;
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
