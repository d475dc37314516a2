/* SPDX-License-Identifier: Apache-2.0 */
/*
 * json.c - prints the result of `nonflat scan --json`: one object. The man page describes its fields.
 */
#include <stdio.h>
#include <string.h>

#include "tools/scan/scan.h"

/* Returns the length of the UTF-8 sequence at `text` in bytes, 0 if it is invalid. */
static int utf8_length(const unsigned char *text)
{
    int length = text[0] < 0x80                      ? 1
                 : text[0] >= 0xc2 && text[0] < 0xe0 ? 2
                 : text[0] >= 0xe0 && text[0] < 0xf0 ? 3
                 : text[0] >= 0xf0 && text[0] < 0xf5 ? 4
                                                     : 0;
    for (int i = 1; i < length; i++)
        if ((text[i] & 0xc0) != 0x80) return 0;
    return length;
}

/* Prints a JSON string. Each byte that is not valid UTF-8 is replaced by U+FFFD. */
static void put_string(const char *text)
{
    const unsigned char *at = (const unsigned char *)text;
    putchar('"');
    while (*at) {
        int length = utf8_length(at);
        if (length == 0)
            fputs("\xef\xbf\xbd", stdout);
        else if (*at == '"' || *at == '\\')
            printf("\\%c", *at);
        else if (*at < 0x20)
            printf("\\u%04x", *at);
        else
            fwrite(at, 1, (size_t)length, stdout);
        at += length ? length : 1;
    }
    putchar('"');
}

static void put_member(const char *name, const char *text, const char *behind)
{
    printf("\"%s\": ", name);
    put_string(text);
    fputs(behind, stdout);
}

static const char *verdict_of(const struct nf_sums *s)
{
    if (s->runs[NF_RUNS_NO] + s->runs[NF_RUNS_MALFORMED]) return "no";
    return s->runs[NF_RUNS_DISPATCH] ? "dispatch" : "yes";
}

static void put_example(const struct nf_ambiguity *a)
{
    fputs(", \"example\": {", stdout);
    put_member("kernel", a->kernel, ", ");
    put_member("function", a->function, ", ");
    put_member("instruction", a->instruction, ", ");
    put_member("source", a->source, ", \"because\": [");
    for (const char *line = a->because; *line;) {
        char text[1024];
        size_t length = strcspn(line, "\n");
        snprintf(text, sizeof text, "%.*s", (int)length, line);
        if (line != a->because) fputs(", ", stdout);
        put_string(text);
        line += length + (line[length] == '\n');
    }
    fputs("]}", stdout);
}

static void put_tally(const char *name, const char *what, const struct nf_tally *tally, const char *indent)
{
    printf(",\n%s\"%s\": [", indent, name);
    for (size_t i = 0; i < tally->count; i++) {
        printf("%s\n%s  {\"%s\": %zu, ", i ? "," : "", indent, what, tally->entries[i].count);
        put_member("why", tally->entries[i].text, "");
        if (tally->entries[i].example) put_example(tally->entries[i].example);
        putchar('}');
    }
    printf("%s%s]", tally->count ? "\n" : "", tally->count ? indent : "");
}

static void put_counts(const char *indent, const nf_counts *c)
{
    printf("%s\"accesses\": {\"generic\": %u, \"static\": %u, \"predicated\": %u, \"dispatched\": %u, \"dead\": %u, "
           "\"unknown\": %u}",
           indent, c->generic, c->is_static, c->predicated, c->dispatched, c->dead, c->unknown);
}

static void put_sums(const struct nf_sums *s, const char *indent)
{
    printf("%s\"modules\": %zu,\n%s\"bytes\": %zu,\n%s\"malformed\": %zu,\n", indent, s->modules, indent, s->bytes,
           indent, s->malformed);
    printf("%s\"kernels\": {\"all\": %llu, \"generic\": %llu, \"static\": %llu, \"refused\": %llu},\n", indent,
           (unsigned long long)s->kernels, (unsigned long long)s->generic_kernels,
           (unsigned long long)s->static_kernels, (unsigned long long)s->refused_kernels);
    printf(
        "%s\"accesses\": {\"generic\": %llu, \"static\": %llu, \"predicated\": %llu, \"dispatched\": %llu, \"dead\": "
        "%llu, \"unknown\": %llu},\n",
        indent, (unsigned long long)s->generic, (unsigned long long)s->is_static, (unsigned long long)s->predicated,
        (unsigned long long)s->dispatched, (unsigned long long)s->dead, (unsigned long long)s->unknown);
    printf("%s\"verdict\": \"%s\",\n%s\"runs\": {\"yes\": %zu, \"dispatch\": %zu, \"no\": %zu}", indent, verdict_of(s),
           indent, s->runs[NF_RUNS_YES], s->runs[NF_RUNS_DISPATCH], s->runs[NF_RUNS_NO] + s->runs[NF_RUNS_MALFORMED]);
    put_tally("because", "modules", &s->reasons, indent);
    put_tally("ambiguous", "accesses", &s->ambiguities, indent);
}

static void put_module(const struct nf_scan *scan, const struct nf_file *file, size_t i)
{
    static const char *const words[] = {"yes", "dispatch", "no", "malformed"};
    const struct nf_found *found = &file->finds.modules[i];
    const struct nf_assessment *a = &scan->assessments[file->modules[i]];
    printf("        {\"index\": %zu, \"offset\": %llu, \"bytes\": %zu, \"version\": \"%u.%u\", \"compressed\": %s, "
           "\"kernels\": %u,\n",
           file->modules[i], (unsigned long long)found->offset, found->size, a->summary.version >> 16 & 0xff,
           a->summary.version >> 8 & 0xff, found->packing & NF_PACKED_ZSTD ? "true" : "false", a->summary.kernels);
    put_counts("         ", &a->counts);
    printf(", \"runs\": \"%s\"}", words[a->runs]);
}

static void put_file(const struct nf_scan *scan, const struct nf_file *file)
{
    struct nf_sums sums;
    nf_scan_sum_file(scan, file, &sums);
    fputs("    {\n      ", stdout);
    put_member("path", file->path, ",\n");
    printf("      \"new_modules\": %zu,\n", file->first_found);
    printf("      \"shared_memory\": %s,\n", nf_shared_memory_call(file->bytes, file->size) ? "true" : "false");
    put_sums(&sums, "      ");
    if (scan->list_modules) {
        fputs(",\n      \"list\": [", stdout);
        for (size_t i = 0; i < file->finds.count; i++) {
            fputs(i ? ",\n" : "\n", stdout);
            put_module(scan, file, i);
        }
        fputs("\n      ]", stdout);
    }
    fputs("\n    }", stdout);
    nf_sums_free(&sums);
}

void nf_scan_print_json(const struct nf_scan *scan)
{
    bool first = true;
    fputs("{\n  ", stdout);
    put_member("nonflat", nf_version(), ",\n  ");
    put_member("device", scan->device->name, ",\n  \"files\": [");
    for (size_t i = 0; i < scan->files.count; i++) {
        if (scan->files.list[i].finds.count == 0) continue;
        fputs(first ? "\n" : ",\n", stdout);
        first = 0;
        put_file(scan, &scan->files.list[i]);
    }
    fputs("\n  ],\n  \"total\": {\n", stdout);
    put_sums(&scan->total, "    ");
    fputs("\n  }\n}\n", stdout);
}
