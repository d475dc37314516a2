/* SPDX-License-Identifier: Apache-2.0 */
/*
 * link.c - links several modules to one: the steps and their order.
 *
 *     module 1: %f = OpFunction, import "f"              (gone)
 *               %r = OpFunctionCall %int %f %x           %101 = OpFunctionCall %100 %212 %102
 *     module 2: %g = OpFunction, export "f"              %212 = OpFunction
 *
 * The ids of a unit are shifted by the bounds of the preceding units, and an import becomes the id of its export. Each
 * section of the output is a list of words, and the sections are concatenated in SPIR-V's order. The hard case is an
 * instruction that may name any id, such as a decoration: it is written after the ids of all units are mapped.
 *
 * needs: the bytes of the modules.  gives: the words of the linked module.
 */
#include "link/internal.h"

static void place_units(struct nf_linker *linker)
{
    uint32_t base = 0;
    for (uint32_t i = 0; i < linker->unit_count; i++) {
        struct nf_unit *unit = &linker->units[i];
        unit->base = base;
        if (unit->m.bound > UINT32_MAX / 4 - base) nf_fail(linker->arena, NF_REFUSED, 0, "too many ids to link");
        for (uint32_t id = 1; id < unit->m.bound; id++)
            unit->map[id] = base + id;
        base += unit->m.bound;
        linker->version = unit->m.version > linker->version ? unit->m.version : linker->version;
    }
    linker->bound = base + 1;
}

/* ---- The sections before the functions ---- */

/* Returns true if the list has an instruction of the same words. The search is linear: the lists are short. */
static bool is_listed(const struct nf_words *list, const uint32_t *words)
{
    for (uint32_t at = 0; at < list->count; at += nf_length_of(list->at[at]))
        if (list->at[at] == words[0] && memcmp(list->at + at, words, nf_length_of(words[0]) * sizeof *words) == 0)
            return true;
    return false;
}

static void put_memory_model(struct nf_linker *linker, const uint32_t *words)
{
    struct nf_words *model = &linker->sections[NF_SECTION_MEMORY_MODEL];
    if (model->count == 0)
        nf_append_words(model, words, nf_length_of(words[0]));
    else if (memcmp(model->at, words, 3 * sizeof *words) != 0)
        nf_fail(linker->arena, NF_REFUSED, 0, "the linked programs have different memory models");
}

static void put_global(struct nf_linker *linker, uint32_t unit_index, uint32_t at)
{
    struct nf_unit *unit = &linker->units[unit_index];
    uint32_t opcode = nf_opcode(&unit->m, at);
    if (opcode == OpVariable && unit->dropped[nf_result_id(&unit->m, at)]) return;
    if (nf_can_merge(opcode))
        nf_merge(linker, unit_index, at, nf_section_of(opcode));
    else
        nf_append_mapped(linker, unit, at, nf_section_of(opcode));
}

/* Writes an instruction of a section that completes the maps of ids, or needs no ids: capabilities, extensions, memory
 * model, sources, imports, types, constants and variables. Writes nothing for any other. */
static void put_defining(struct nf_linker *linker, uint32_t unit_index, uint32_t at)
{
    struct nf_unit *unit = &linker->units[unit_index];
    const uint32_t *words = unit->m.words + at;
    enum nf_section section = nf_section_of(nf_opcode(&unit->m, at));
    struct nf_words *list = &linker->sections[section];
    if ((section == NF_SECTION_CAPABILITIES || section == NF_SECTION_EXTENSIONS) && !is_listed(list, words))
        nf_append_words(list, words, nf_length_of(words[0]));
    else if (section == NF_SECTION_MEMORY_MODEL)
        put_memory_model(linker, words);
    else if (section == NF_SECTION_SOURCES)
        nf_append_mapped(linker, unit, at, section);
    else if (section == NF_SECTION_IMPORTS || section == NF_SECTION_GLOBALS)
        put_global(linker, unit_index, at);
}

/* Returns true if the instruction is a name or an annotation of an id that this unit does not define in the output. */
static bool annotates_dropped(const struct nf_unit *unit, uint32_t at, enum nf_section section)
{
    return (section == NF_SECTION_NAMES || section == NF_SECTION_ANNOTATIONS) &&
           unit->dropped[nf_annotated_id(&unit->m, at)];
}

static bool is_spec_id(const struct nf_module *m, uint32_t at)
{
    return nf_decorates(m, at, NF_DECORATION_SPEC_ID);
}

/* Writes, once the maps are complete, an instruction of a section that refers to ids of other sections. */
static void put_referring(struct nf_linker *linker, uint32_t unit_index, uint32_t at)
{
    struct nf_unit *unit = &linker->units[unit_index];
    enum nf_section section = nf_section_of(nf_opcode(&unit->m, at));
    bool second = section == NF_SECTION_ENTRY_POINTS || section == NF_SECTION_MODES || section == NF_SECTION_NAMES ||
                  section == NF_SECTION_ANNOTATIONS || section == NF_SECTION_PROCESSED;
    if (second && !annotates_dropped(unit, at, section) && !is_spec_id(&unit->m, at))
        nf_append_mapped(linker, unit, at, section);
}

static void for_globals(struct nf_linker *linker, void (*act)(struct nf_linker *, uint32_t, uint32_t))
{
    for (uint32_t i = 0; i < linker->unit_count; i++)
        for (uint32_t at = NF_HEADER_WORDS; at < linker->units[i].m.body_at; at = nf_next(&linker->units[i].m, at))
            act(linker, i, at);
}

/* ---- The whole module ---- */

/* Refuses two kernels of the same name. */
static void check_entry_points(struct nf_linker *linker)
{
    const struct nf_words *list = &linker->sections[NF_SECTION_ENTRY_POINTS];
    const char *bytes = nf_bytes_of(linker->arena, list->at, list->count);
    for (uint32_t a = 0; a < list->count; a += nf_length_of(list->at[a]))
        for (uint32_t b = 0; b < a; b += nf_length_of(list->at[b]))
            if (strcmp(bytes + 4 * (a + 3), bytes + 4 * (b + 3)) == 0)
                nf_fail(linker->arena, NF_REFUSED, 0, "the kernel '%s' is in more than one of the linked programs",
                        bytes + 4 * (a + 3));
}

static void concatenate_sections(struct nf_linker *linker, struct nf_words *output)
{
    const uint32_t header[NF_HEADER_WORDS] = {NF_MAGIC, linker->version, 0, linker->bound, 0};
    nf_append_words(output, header, NF_HEADER_WORDS);
    for (int i = 0; i < NF_SECTION_COUNT; i++)
        nf_append_words(output, linker->sections[i].at, linker->sections[i].count);
}

static void read_units(struct nf_linker *linker, struct nf_linking *linking)
{
    linker->units = NF_NEW(linking->arena, struct nf_unit, linking->count);
    for (size_t i = 0; i < linking->count; i++) {
        struct nf_module *m = &linker->units[i].m;
        *m = (struct nf_module){.arena = linking->arena, .options = linking->options};
        linking->broken = m;
        linking->number = i + 1;
        nf_unit_read(&linker->units[linker->unit_count++], &linking->inputs[i]);
    }
    linking->broken = NULL;
}

void nf_link_modules(struct nf_linking *linking, struct nf_words *output)
{
    struct nf_linker linker = {.arena = linking->arena, .library = linking->options->library != 0};
    for (int i = 0; i < NF_SECTION_COUNT; i++)
        linker.sections[i].arena = linking->arena;
    read_units(&linker, linking);
    place_units(&linker);
    nf_merge_begin(&linker);
    nf_resolve(&linker);
    for_globals(&linker, put_defining);
    nf_reconcile(&linker);
    for_globals(&linker, put_referring);
    for (uint32_t i = 0; i < linker.unit_count; i++)
        nf_append_functions(&linker, &linker.units[i]);
    check_entry_points(&linker);
    concatenate_sections(&linker, output);
}
