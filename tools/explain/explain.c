/* SPDX-License-Identifier: Apache-2.0 */
/*
 * explain.c - `nonflat explain`: shows the spaces that the core inferred for one module, and the specialized module,
 * function by function, on the terminal or as an HTML page.
 */
#define _XOPEN_SOURCE 700

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/explain/explain.h"

/* Prints that there is no kernel of that name, and the names of the kernels. Returns NF_EXIT_TROUBLE. */
static int print_missing_kernel(const struct nf_explain *e)
{
    enum { MOST_NAMED = 8 };
    char names[2048] = "", name[512];
    uint32_t count = 0;
    for (uint32_t i = 0; i < e->in.function_count; i++) {
        if (!e->in.functions[i].entry || count++ >= MOST_NAMED) continue;
        size_t used = strlen(names);
        nf_view_function_name(&e->in, &e->in.functions[i], name, sizeof name);
        snprintf(names + used, sizeof names - used, "%s %s", count > 1 ? "," : "", name);
    }
    return nf_print_error("explain: %s has no kernel '%s'; there %s%s%s", e->path, e->kernel, count == 1 ? "is" : "are",
                          count ? names : " none", count > MOST_NAMED ? " and others" : "");
}

/* Selects the functions that the kernel reaches; without a kernel, all functions. Returns NF_EXIT_DONE, or another
 * status after printing an error. */
static int choose_functions(struct nf_explain *e)
{
    uint32_t count = e->in.function_count;
    char name[512];
    e->is_shown = calloc(1, (size_t)count + 1);
    if (!e->is_shown) return nf_print_error("out of memory");
    if (!e->kernel) {
        memset(e->is_shown, 1, count);
        return NF_EXIT_DONE;
    }
    for (uint32_t i = 0; i < count; i++) {
        const struct nf_view_function *f = &e->in.functions[i];
        if (!f->entry || strcmp(nf_view_function_name(&e->in, f, name, sizeof name), e->kernel) != 0) continue;
        return nf_view_reach(&e->in, i, e->is_shown) < 0 ? nf_print_error("out of memory") : NF_EXIT_DONE;
    }
    return print_missing_kernel(e);
}

/* Makes the listings, facts and matches of the two views. Returns NF_EXIT_DONE, or another status after printing an
 * error. */
static int gather(struct nf_explain *e, const nf_result *result)
{
    int trouble = choose_functions(e);
    if (trouble) return trouble;
    if (nf_listing_make(&e->in, &e->in_lines) < 0 || nf_facts_open(e->facts, result, e->in.bound) < 0)
        return nf_print_error("out of memory");
    if (e->out.words && nf_listing_make(&e->out, &e->out_lines) < 0) return nf_print_error("out of memory");
    return nf_match_functions(e) < 0 ? nf_print_error("out of memory") : NF_EXIT_DONE;
}

/* Returns 1 for colors, 0 for none, -1 after printing an error. */
static int choose_color(const char *given)
{
    const char *no = getenv("NO_COLOR"), *terminal = getenv("TERM");
    if (!given || strcmp(given, "auto") == 0)
        return isatty(STDOUT_FILENO) && !(no && *no) && !(terminal && strcmp(terminal, "dumb") == 0);
    if (strcmp(given, "always") == 0) return 1;
    if (strcmp(given, "never") == 0) return 0;
    nf_print_error("explain: unknown color mode '%s'; the modes are auto, always and never", given);
    return -1;
}

static int write_page(const struct nf_explain *e, const char *path)
{
    char *page = NULL;
    size_t size = 0;
    FILE *file = open_memstream(&page, &size);
    if (!file) return nf_print_error("out of memory");
    nf_explain_page(e, file);
    bool is_short = ferror(file) || fclose(file) == EOF || !page;
    int status = is_short                               ? nf_print_error("out of memory")
                 : nf_write_whole(path, page, size) < 0 ? NF_EXIT_TROUBLE
                                                        : 0;
    free(page);
    return status;
}

static int show(struct nf_explain *e, const nf_result *result, const char *page, bool in_color)
{
    int trouble = gather(e, result);
    if (trouble) return trouble;
    if (page) {
        trouble = write_page(e, page);
    } else {
        nf_explain_print(e, stdout, in_color);
        trouble = nf_finish_output();
    }
    return trouble ? trouble : (int)e->status;
}

static void free_explain(struct nf_explain *e)
{
    nf_view_close(&e->in);
    nf_view_close(&e->out);
    nf_listing_free(&e->in_lines);
    nf_listing_free(&e->out_lines);
    nf_facts_close(e->facts);
    free(e->is_shown);
    free(e->origin);
}

/* Specializes the module and prints the result. Returns the exit status. */
static int explain(struct nf_explain *e, const unsigned char *module, size_t size, const struct nf_arguments *a,
                   nf_options *options)
{
    int in_color = choose_color(a->value[NF_KEY_COLOR]);
    if (in_color < 0) return NF_EXIT_TROUBLE;
    nf_result *result = NULL;
    options->keep_inference = 1;
    e->mode = options->mode;
    e->status = nf_specialize(module, size, options, &result);
    e->log = result ? nf_result_log(result) : "";
    if (result) e->counts = nf_result_counts(result);
    e->is_unchanged = result && nf_result_outcome(result) == NF_UNCHANGED;
    int status = (int)e->status;
    if (e->status == NF_OK || e->status == NF_REFUSED) {
        bool is_short = nf_view_open(&e->in, module, size) < 0;
        if (!is_short && e->status == NF_OK)
            is_short = nf_view_open(&e->out, nf_result_bytes(result), nf_result_size(result)) < 0;
        status = is_short ? nf_print_error("out of memory") : show(e, result, a->value[NF_KEY_HTML], in_color);
    } else if (e->status == NF_OUT_OF_MEMORY || !result) {
        status = nf_print_error("out of memory");
    }
    if (e->status != NF_OK && status == (int)e->status) nf_print_module_error(e->path, module, size, e->log);
    nf_result_free(result);
    return status;
}

int nf_command_explain(const struct nf_arguments *a)
{
    nf_options options = NF_OPTIONS_INIT;
    const char *mode = a->value[NF_KEY_MODE];
    if (a->rest_count == 0) return nf_print_error("explain: no input given; try 'nonflat explain --help'");
    if (a->rest_count > 1) return nf_print_error("explain: one input at a time, but there is also '%s'", a->rest[1]);
    if (mode && !nf_mode_from_name(mode, &options.mode))
        return nf_print_error("explain: unknown mode '%s'; the modes are auto, static, hint, dynamic and off", mode);
    options.library = a->value[NF_KEY_LIBRARY] != NULL;
    struct nf_facts facts = {0};
    struct nf_sources sources = {.reads_files = a->value[NF_KEY_SOURCE] != NULL};
    struct nf_explain e = {.path = a->rest[0],
                           .kernel = a->value[NF_KEY_KERNEL],
                           .shows_all = a->value[NF_KEY_ALL] != NULL,
                           .sources = &sources,
                           .facts = &facts};
    size_t size = 0;
    int status;
    unsigned char *module = nf_read_module(a->rest[0], a->value[NF_KEY_OPTIONS], &size, &status);
    if (!module) return status;
    status = explain(&e, module, size, a, &options);
    free_explain(&e);
    nf_sources_free(&sources);
    free(module);
    return status;
}
