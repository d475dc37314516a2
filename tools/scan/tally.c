/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tally.c - computes sums over modules, and the number of occurrences of each reason and each ambiguity. A new reason
 * or ambiguity for which memory is exhausted is left out.
 */
#define _XOPEN_SOURCE 700

#include <stdlib.h>
#include <string.h>

#include "tools/scan/scan.h"

static void count_text(struct nf_tally *tally, const char *text, size_t length, const struct nf_ambiguity *example)
{
    for (size_t i = 0; i < tally->count; i++) {
        struct nf_tally_entry *entry = &tally->entries[i];
        if (strncmp(entry->text, text, length) != 0 || entry->text[length]) continue;
        entry->count++;
        return;
    }
    if (tally->count == tally->capacity) {
        size_t capacity = tally->capacity ? tally->capacity * 2 : 16;
        struct nf_tally_entry *larger = realloc(tally->entries, capacity * sizeof *larger);
        if (!larger) return;
        tally->entries = larger;
        tally->capacity = capacity;
    }
    char *copy = strndup(text, length);
    if (copy) tally->entries[tally->count++] = (struct nf_tally_entry){copy, 1, example};
}

void nf_sum_up(struct nf_sums *sums, const struct nf_assessment *a, size_t bytes)
{
    sums->modules++;
    sums->bytes += bytes;
    sums->runs[a->runs]++;
    sums->malformed += a->runs == NF_RUNS_MALFORMED;
    sums->kernels += a->summary.kernels;
    sums->generic_modules += a->summary.uses_generic != 0;
    sums->generic_kernels += a->generic_kernels;
    sums->static_kernels += a->static_kernels;
    if (a->status == NF_REFUSED) sums->refused_kernels += a->generic_kernels;
    sums->generic += a->counts.generic;
    sums->is_static += a->counts.is_static;
    sums->predicated += a->counts.predicated;
    sums->dispatched += a->counts.dispatched;
    sums->dead += a->counts.dead;
    sums->unknown += a->counts.unknown;
    for (const char *line = a->reasons; line && *line;) {
        size_t length = strcspn(line, "\n");
        count_text(&sums->reasons, line, length, NULL);
        line += length + (line[length] == '\n');
    }
    for (size_t i = 0; i < a->ambiguity_count; i++)
        count_text(&sums->ambiguities, a->ambiguities[i].group, strlen(a->ambiguities[i].group), &a->ambiguities[i]);
}

static int by_count(const void *left, const void *right)
{
    const struct nf_tally_entry *a = left, *b = right;
    return a->count < b->count ? 1 : a->count > b->count ? -1 : strcmp(a->text, b->text);
}

static void sort_tally(struct nf_tally *tally)
{
    if (tally->count) qsort(tally->entries, tally->count, sizeof *tally->entries, by_count);
}

void nf_sums_sort(struct nf_sums *sums)
{
    sort_tally(&sums->reasons);
    sort_tally(&sums->ambiguities);
}

static void free_tally(struct nf_tally *tally)
{
    for (size_t i = 0; i < tally->count; i++)
        free(tally->entries[i].text);
    free(tally->entries);
}

void nf_scan_sum_file(const struct nf_scan *scan, const struct nf_file *file, struct nf_sums *sums)
{
    memset(sums, 0, sizeof *sums);
    for (size_t i = 0; i < file->finds.count; i++)
        nf_sum_up(sums, &scan->assessments[file->modules[i]], file->finds.modules[i].size);
    nf_sums_sort(sums);
}

void nf_sums_free(struct nf_sums *sums)
{
    free_tally(&sums->reasons);
    free_tally(&sums->ambiguities);
    memset(sums, 0, sizeof *sums);
}
