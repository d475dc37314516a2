/* SPDX-License-Identifier: Apache-2.0 */
/*
 * text.c - prints the result of `nonflat scan` as text: a block for each file with modules, a block for all if there
 * are several such files, and the most frequent groups of ambiguities.
 */
#include <stdio.h>
#include <string.h>

#include "tools/scan/scan.h"

enum { MOST_GROUPS = 10 };

static const char *plural(uint64_t count)
{
    return count == 1 ? "" : "s";
}

static void print_runs(const struct nf_sums *s, const struct nf_device_profile *device)
{
    size_t no = s->runs[NF_RUNS_NO] + s->runs[NF_RUNS_MALFORMED];
    const char *verdict = no ? "no" : s->runs[NF_RUNS_DISPATCH] ? "with dispatch" : "yes";
    bool is_any = strcmp(device->name, "any") == 0, is_bitcode = (device->profile.flags & NF_PROFILE_SPIR12) != 0;
    printf("  runs on %s: %s%s", is_any ? "a device without generic pointers" : device->name, verdict,
           is_bitcode && !no ? ", if the bitcode translator takes it" : "");
    if (s->runs[NF_RUNS_DISPATCH] || no)
        printf(" (modules: %zu yes, %zu with dispatch, %zu no)", s->runs[NF_RUNS_YES], s->runs[NF_RUNS_DISPATCH], no);
    putchar('\n');
    for (size_t i = 0; i < s->reasons.count; i++)
        printf("    no, because: %s (%zu module%s)\n", s->reasons.entries[i].text, s->reasons.entries[i].count,
               plural(s->reasons.entries[i].count));
}

static void print_sums(const struct nf_sums *s, const struct nf_device_profile *device)
{
    uint64_t open = s->generic_kernels - s->static_kernels - s->refused_kernels;
    printf("  %llu kernel%s, %llu need generic pointers: %llu become entirely static, %llu not quite",
           (unsigned long long)s->kernels, plural(s->kernels), (unsigned long long)s->generic_kernels,
           (unsigned long long)s->static_kernels, (unsigned long long)open);
    if (s->refused_kernels) printf(", %llu cannot be done", (unsigned long long)s->refused_kernels);
    printf("\n  %llu access%s through generic pointers: %llu static, %llu predicated, %llu dispatched, %llu dead, %llu "
           "unknown\n",
           (unsigned long long)s->generic, s->generic == 1 ? "" : "es", (unsigned long long)s->is_static,
           (unsigned long long)s->predicated, (unsigned long long)s->dispatched, (unsigned long long)s->dead,
           (unsigned long long)s->unknown);
    print_runs(s, device);
}

static void print_packing(const struct nf_file *file)
{
    int packing = 0;
    for (size_t i = 0; i < file->finds.count; i++)
        packing |= file->finds.modules[i].packing;
    if (packing & NF_PACKED_BUNDLE) fputs(", in an offload bundle", stdout);
    if (packing & NF_PACKED_ZSTD) fputs(", compressed", stdout);
}

static void print_modules(const struct nf_scan *scan, const struct nf_file *file)
{
    static const char *const words[] = {"yes", "with dispatch", "no", "malformed"};
    for (size_t i = 0; i < file->finds.count; i++) {
        const struct nf_assessment *a = &scan->assessments[file->modules[i]];
        printf("    %05zu at %llu, %zu bytes, SPIR-V %u.%u, %u kernel%s, %u of %u accesses static: %s\n",
               file->modules[i], (unsigned long long)file->finds.modules[i].offset, file->finds.modules[i].size,
               a->summary.version >> 16 & 0xff, a->summary.version >> 8 & 0xff, a->summary.kernels,
               plural(a->summary.kernels), a->counts.is_static, a->counts.generic, words[a->runs]);
    }
}

static void print_file(const struct nf_scan *scan, const struct nf_file *file, const char *gap)
{
    struct nf_sums sums;
    nf_scan_sum_file(scan, file, &sums);
    printf("%s%s\n  %zu module%s", gap, file->path, sums.modules, plural(sums.modules));
    if (file->first_found < sums.modules) printf(" (%zu of them seen for the first time)", file->first_found);
    print_packing(file);
    putchar('\n');
    print_sums(&sums, scan->device);
    const char *call = nf_shared_memory_call(file->bytes, file->size);
    if (call)
        printf(
            "  allocates shared memory (%s): a device without it needs SVM, and 'nonflat run' or libnonflat_usm.so\n",
            call);
    if (scan->list_modules) print_modules(scan, file);
    nf_sums_free(&sums);
}

static void print_example(const struct nf_ambiguity *a)
{
    printf("      for example %s in %s", a->instruction, a->function);
    if (*a->source) printf(" at %s", a->source);
    putchar('\n');
    for (const char *line = a->because; *line;) {
        size_t length = strcspn(line, "\n");
        printf("        %.*s\n", (int)length, line);
        line += length + (line[length] == '\n');
    }
}

static void print_ambiguities(const struct nf_tally *tally)
{
    if (tally->count == 0) return;
    puts("\nwhat stays ambiguous, and why");
    for (size_t i = 0; i < tally->count && i < MOST_GROUPS; i++) {
        printf("  %zu access%s: %s\n", tally->entries[i].count, tally->entries[i].count == 1 ? "" : "es",
               tally->entries[i].text);
        print_example(tally->entries[i].example);
    }
    if (tally->count > MOST_GROUPS) printf("  and %zu other kinds; --json lists them\n", tally->count - MOST_GROUPS);
}

void nf_scan_print_text(const struct nf_scan *scan)
{
    size_t with_modules = 0;
    for (size_t i = 0; i < scan->files.count; i++) {
        if (scan->files.list[i].finds.count == 0) continue;
        print_file(scan, &scan->files.list[i], with_modules++ ? "\n" : "");
    }
    if (with_modules > 1) {
        printf("\nin all: %zu distinct modules in %zu files, %.1f MB\n", scan->module_count, with_modules,
               (double)scan->total.bytes / 1e6);
        print_sums(&scan->total, scan->device);
    }
    print_ambiguities(&scan->total.ambiguities);
}
