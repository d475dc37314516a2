/* SPDX-License-Identifier: Apache-2.0 */
/*
 * scan.c - `nonflat scan`: finds the SPIR-V modules in files and folders, within the limits of nf_find_modules(), and
 * reports whether a device can run each of them.
 *
 * Steps: collect files, find modules (on several threads), remove duplicates, assess modules (on several threads), sum
 * up, print.
 */
#define _XOPEN_SOURCE 700

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "tools/scan/scan.h"

static void search_file(void *user, size_t index)
{
    struct nf_file *file = &((struct nf_scan *)user)->files.list[index];
    nf_file_map(file);
    if (file->bytes) nf_find_modules(file->bytes, file->size, &file->finds);
}

static void assess_module(void *user, size_t index)
{
    struct nf_scan *scan = user;
    nf_assess(scan->modules[index]->bytes, scan->modules[index]->size, scan->device, &scan->assessments[index]);
}

/* Writes every distinct module to FOLDER/NNNNN.spv, NNNNN being its index in at least five digits, up to the first
 * error. Returns 0, or -1 after printing the error. */
static int extract(const struct nf_scan *scan, const char *folder)
{
    size_t length = strlen(folder) + 32;
    char *path = malloc(length);
    if (!path) return nf_print_error("out of memory"), -1;
    int status = mkdir(folder, 0777) < 0 && errno != EEXIST ? -1 : 0;
    if (status < 0) nf_print_error("scan: cannot make the folder %s: %s", folder, strerror(errno));
    for (size_t i = 0; status == 0 && i < scan->module_count; i++) {
        snprintf(path, length, "%s/%05zu.spv", folder, i);
        status = nf_write_whole(path, scan->modules[i]->bytes, scan->modules[i]->size);
    }
    free(path);
    return status;
}

/* Prints errors about files, and about compressed images in files, that could not be read. Returns the number of such
 * files; images do not count. */
static size_t print_file_errors(const struct nf_scan *scan)
{
    size_t failed = 0;
    for (size_t i = 0; i < scan->files.count; i++) {
        const struct nf_file *file = &scan->files.list[i];
        if (file->failed) nf_print_error("scan: cannot read %s: %s", file->path, strerror(file->failed));
        if (file->finds.unread)
            nf_print_error("scan: %s: %zu compressed images could not be read%s", file->path, file->finds.unread,
#ifdef NONFLAT_ZSTD
                           ""
#else
                           ": this command was built without libzstd"
#endif
            );
        failed += file->failed != 0;
    }
    return failed;
}

/* Fills `scan` with the modules of its files and their assessments. Returns the exit status so far. */
static int look_and_assess(struct nf_scan *scan, const struct nf_arguments *a, size_t jobs)
{
    nf_run_on_all_cores(scan->files.count, jobs, search_file, scan, "looking for modules");
    scan->modules = nf_files_distinct(&scan->files, &scan->module_count);
    if (!scan->modules) return nf_print_error("out of memory");
    int status = print_file_errors(scan) ? NF_EXIT_TROUBLE : NF_EXIT_DONE;
    if (scan->module_count == 0) return status ? status : nf_print_no_module("scan", &scan->files, a->rest);
    scan->assessments = calloc(scan->module_count, sizeof *scan->assessments);
    if (!scan->assessments) return nf_print_error("out of memory");
    nf_run_on_all_cores(scan->module_count, jobs, assess_module, scan, "assessing modules  ");
    for (size_t i = 0; i < scan->module_count; i++)
        nf_sum_up(&scan->total, &scan->assessments[i], scan->modules[i]->size);
    nf_sums_sort(&scan->total);
    return status;
}

static int verdict_status(const struct nf_scan *scan)
{
    if (scan->total.runs[NF_RUNS_MALFORMED]) return NF_EXIT_MALFORMED;
    return scan->total.runs[NF_RUNS_NO] ? NF_EXIT_REFUSED : NF_EXIT_DONE;
}

static int scan_and_print(struct nf_scan *scan, const struct nf_arguments *a, size_t jobs)
{
    int status = look_and_assess(scan, a, jobs);
    if (scan->module_count == 0 || !scan->assessments) return status;
    if (a->value[NF_KEY_EXTRACT] && extract(scan, a->value[NF_KEY_EXTRACT]) < 0) return NF_EXIT_TROUBLE;
    if (a->value[NF_KEY_JSON])
        nf_scan_print_json(scan);
    else
        nf_scan_print_text(scan);
    if (nf_finish_output()) return NF_EXIT_TROUBLE;
    return status ? status : verdict_status(scan);
}

static void free_scan(struct nf_scan *scan)
{
    for (size_t i = 0; scan->assessments && i < scan->module_count; i++)
        nf_assessment_free(&scan->assessments[i]);
    free(scan->assessments);
    free(scan->modules);
    nf_sums_free(&scan->total);
    nf_files_free(&scan->files);
}

int nf_command_scan(const struct nf_arguments *a)
{
    struct nf_scan scan = {.list_modules = a->value[NF_KEY_MODULES] != NULL};
    struct nf_device_profile device;
    char *end = NULL;
    const char *jobs_text = a->value[NF_KEY_JOBS] ? a->value[NF_KEY_JOBS] : "0";
    unsigned long jobs = strtoul(jobs_text, &end, 10);
    if (*end || end == jobs_text || jobs > 1024 || (a->value[NF_KEY_JOBS] && jobs == 0))
        return nf_print_error("scan: '%s' is not a number of jobs", jobs_text);
    if (a->rest_count == 0) return nf_print_error("scan: no file given; try 'nonflat scan --help'");
    int status = nf_device_profile_read("scan", a, &device) < 0 ? NF_EXIT_TROUBLE : NF_EXIT_DONE;
    for (int i = 0; status == NF_EXIT_DONE && i < a->rest_count; i++)
        if (nf_collect(&scan.files, a->rest[i]) < 0) status = NF_EXIT_TROUBLE;
    scan.device = &device;
    if (status == NF_EXIT_DONE) status = scan_and_print(&scan, a, jobs);
    free_scan(&scan);
    nf_device_profile_free(&device);
    return status;
}
