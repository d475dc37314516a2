/* SPDX-License-Identifier: Apache-2.0 */
/*
 * main.c - nonflat-compare: checks whether two builds of the core have the same results, byte for byte.
 *
 * Takes: nonflat-compare [--trace] [--jobs N] LIST OLD.so NEW.so     two builds' libnonflat.so, a list of modules
 *        nonflat-compare LIST ONE.so                                 each module once, nothing compared: for callgrind
 *
 * Gives: a line on standard output for each module with a difference, with the first difference and the way of
 * specializing it (ways.c), or of linking it with itself; then the counts. The program compares the status, the
 * outcome, the output, the log, the report except for its time, the counts, all results of nf_result_instance() and
 * similar functions, and with --trace each line of the trace of all stages. A crash of one build is a difference, too.
 * Exit status: 0 all results are the same, 1 there is a difference, 2 wrong usage or a file error.
 */
#define _XOPEN_SOURCE 700
#include "library.h"
#include "ways.h"
#include "../table/list.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MANY = 64, DIFFERENT = 1, TROUBLE = 2 };

struct figures {
    unsigned long modules, runs, done, refused, malformed, different;
    unsigned long long bytes;
};

struct comparison {
    struct library old, new;
    bool trace;
    unsigned job, jobs, seen; /* this process handles every `jobs`th module, beginning with number `job` */
    struct figures figures;
};

/* ---- One call, and the data that remains of it ------------------------------------------------------------------- */

struct run {
    nf_status status;
    nf_result *result;
    uint64_t lines, hash; /* of the trace */
};

/* FNV-1a hash, including the end of the line. */
static void hash_line(void *user, const char *line)
{
    struct run *run = user;
    const unsigned char *at = (const unsigned char *)line;
    do
        run->hash = (run->hash ^ *at) * 0x100000001b3u;
    while (*at++);
    run->lines++;
}

static struct run specialize(const struct library *library, nf_options options, bool trace, const void *module,
                             size_t size)
{
    struct run run = {.hash = 0xcbf29ce484222325u};
    if (trace) {
        options.dump = "rcsw";
        options.dump_line = hash_line;
        options.dump_user = &run;
    }
    run.status = library->nf_specialize(module, size, &options, &run.result);
    return run;
}

/* ---- The name of the difference; NULL: none ---------------------------------------------------------------------- */

/* Compares the reports, except for the number after "time_us". */
static bool same_report(const char *a, const char *b)
{
    static const char field[] = "\"time_us\": ";
    const char *time_a = strstr(a, field), *time_b = strstr(b, field);
    if (!time_a || !time_b) return strcmp(a, b) == 0;
    if (time_a - a != time_b - b || memcmp(a, b, (size_t)(time_a - a)) != 0) return false;
    time_a += sizeof field - 1;
    time_b += sizeof field - 1;
    return strcmp(time_a + strspn(time_a, "0123456789"), time_b + strspn(time_b, "0123456789")) == 0;
}

static bool same_bytes(const void *a, size_t a_size, const void *b, size_t b_size)
{
    return a_size == b_size && (a_size == 0 || memcmp(a, b, a_size) == 0);
}

/* Compares the lists that `function` returns for instance `index`, in both builds. */
#define SAME_LIST(c, old, new, function, index)                                                                        \
    same_list((c)->old.function((old), (index), &old_count), (c)->new.function((new), (index), &new_count),            \
              sizeof *(c)->old.function((old), (index), &old_count), &old_count, &new_count)

static bool same_list(const void *a, const void *b, size_t size, const size_t *a_count, const size_t *b_count)
{
    return same_bytes(a, size * *a_count, b, size * *b_count);
}

static bool same_instances(const struct comparison *c, const nf_result *old, const nf_result *new)
{
    size_t count = c->old.nf_result_instance_count(old), old_count, new_count;
    if (count != c->new.nf_result_instance_count(new)) return false;
    for (size_t i = 0; i < count; i++) {
        const nf_instance_info *a = c->old.nf_result_instance(old, i), *b = c->new.nf_result_instance(new, i);
        if (memcmp(a, b, sizeof *a) != 0 || !SAME_LIST(c, old, new, nf_result_pointers, i) ||
            !SAME_LIST(c, old, new, nf_result_calls, i) || !SAME_LIST(c, old, new, nf_result_accesses, i))
            return false;
    }
    return true;
}

/* Compares the ambiguities without their texts and chains, which are also in the report. */
static bool same_ambiguities(const struct comparison *c, const nf_result *old, const nf_result *new)
{
    size_t old_count = 0, new_count = 0;
    const nf_ambiguous_access *a = c->old.nf_result_ambiguities(old, &old_count);
    const nf_ambiguous_access *b = c->new.nf_result_ambiguities(new, &new_count);
    if (old_count != new_count) return false;
    for (size_t i = 0; i < old_count; i++)
        if (a[i].word != b[i].word || a[i].pointer != b[i].pointer || a[i].function != b[i].function ||
            a[i].kernel != b[i].kernel || a[i].spaces != b[i].spaces || a[i].verdict != b[i].verdict)
            return false;
    return true;
}

static bool same_counts(const struct comparison *c, const nf_result *old, const nf_result *new)
{
    nf_counts a = c->old.nf_result_counts(old), b = c->new.nf_result_counts(new);
    return memcmp(&a, &b, sizeof a) == 0;
}

static const char *difference(const struct comparison *c, const struct run *old, const struct run *new)
{
    const nf_result *a = old->result, *b = new->result;
    if (old->status != new->status) return "status";
    if (!a || !b) return a == b ? NULL : "result";
    if (strcmp(c->old.nf_result_log(a), c->new.nf_result_log(b)) != 0) return "log";
    if (c->old.nf_result_outcome(a) != c->new.nf_result_outcome(b)) return "outcome";
    if (!same_bytes(c->old.nf_result_bytes(a), c->old.nf_result_size(a), c->new.nf_result_bytes(b),
                    c->new.nf_result_size(b)))
        return "output";
    if (!same_report(c->old.nf_result_report(a), c->new.nf_result_report(b))) return "report";
    if (!same_counts(c, a, b)) return "counts";
    if (!same_ambiguities(c, a, b)) return "ambiguities";
    if (!same_instances(c, a, b)) return "inference";
    return old->lines == new->lines && old->hash == new->hash ? NULL : "trace";
}

/* ---- Modules ---- */

static void count_run(struct figures *figures, const struct run *run)
{
    figures->runs++;
    figures->done += run->status == NF_OK;
    figures->refused += run->status == NF_REFUSED;
    figures->malformed += run->status == NF_MALFORMED;
}

static const char *compare_one_way(struct comparison *c, const struct way *way, const void *words, size_t size)
{
    struct run old = specialize(&c->old, way->options, c->trace, words, size);
    struct run new = specialize(&c->new, way->options, c->trace, words, size);
    const char *what = difference(c, &old, &new);
    count_run(&c->figures, &old);
    c->figures.bytes += old.result ? c->old.nf_result_size(old.result) : 0;
    c->old.nf_result_free(old.result);
    c->new.nf_result_free(new.result);
    return what;
}

/* Links a module as a library, alone and with itself; the latter is refused if definitions would be duplicated. */
static const char *compare_linked(struct comparison *c, const void *words, size_t size, size_t count)
{
    const nf_link_input input = {words, size, NULL, 0}, inputs[] = {input, input};
    nf_options options = NF_OPTIONS_INIT;
    options.library = 1;
    struct run old = {NF_OK, NULL, 0, 0}, new = old;
    old.status = c->old.nf_link(inputs, count, &options, &old.result);
    new.status = c->new.nf_link(inputs, count, &options, &new.result);
    const char *what = difference(c, &old, &new);
    c->old.nf_result_free(old.result);
    c->new.nf_result_free(new.result);
    return what;
}

static bool same_summary(const struct comparison *c, const void *words, size_t size)
{
    nf_summary a, b;
    memset(&a, 0, sizeof a);
    memset(&b, 0, sizeof b);
    return c->old.nf_summarize(words, size, &a) == c->new.nf_summarize(words, size, &b) &&
           memcmp(&a, &b, sizeof a) == 0;
}

static void compare_module(void *user, const char *path, const uint32_t *words, size_t size)
{
    struct comparison *c = user;
    if (c->seen++ % c->jobs != c->job) return;
    c->figures.modules++;
    bool differs = !same_summary(c, words, size);
    if (differs) printf("DIFFERENT %s: summary\n", path);
    for (unsigned i = 0; i < way_count(); i++) {
        struct way way = way_at(i);
        const char *what = compare_one_way(c, &way, words, size);
        if (what) printf("DIFFERENT %s: %s (%s)\n", path, what, way.name);
        differs |= what != NULL;
    }
    for (size_t count = 1; count <= 2 && c->old.nf_link && c->new.nf_link; count++) {
        const char *what = compare_linked(c, words, size, count);
        if (what) printf("DIFFERENT %s: %s (%zu linked)\n", path, what, count);
        differs |= what != NULL;
    }
    c->figures.different += differs;
}

static void specialize_module(void *user, const char *path, const uint32_t *words, size_t size)
{
    const struct library *library = user;
    (void)path;
    nf_options options = NF_OPTIONS_INIT;
    struct run run = specialize(library, options, false, words, size);
    library->nf_result_free(run.result);
}

/* ---- Processes ---- */

/* The work of one process, which writes its counts to the pipe. */
static int do_job(struct comparison *c, const char *list, int pipe)
{
    if (for_each_module(list, compare_module, c)) return TROUBLE;
    fflush(stdout);
    return write(pipe, &c->figures, sizeof c->figures) == sizeof c->figures ? 0 : TROUBLE;
}

static void add_figures(struct figures *sum, const struct figures *one)
{
    sum->modules += one->modules;
    sum->runs += one->runs;
    sum->done += one->done;
    sum->refused += one->refused;
    sum->malformed += one->malformed;
    sum->different += one->different;
    sum->bytes += one->bytes;
}

/* @return 0, or the reason why a process did not finish. */
static int run_jobs(struct comparison *c, const char *list, struct figures *sum)
{
    int ends[2], worst = 0, status;
    if (pipe(ends)) return TROUBLE;
    fflush(stdout);
    for (c->job = 0; c->job < c->jobs; c->job++) {
        pid_t child = fork();
        if (child < 0) return TROUBLE;
        if (child == 0) _exit(do_job(c, list, ends[1]));
    }
    close(ends[1]);
    while (wait(&status) > 0) {
        if (WIFSIGNALED(status)) printf("DIFFERENT: a build ended by signal %d\n", WTERMSIG(status));
        if (status && worst != TROUBLE) worst = WIFSIGNALED(status) ? DIFFERENT : TROUBLE;
    }
    for (struct figures one; read(ends[0], &one, sizeof one) == sizeof one;)
        add_figures(sum, &one);
    return worst;
}

static int compare(struct comparison *c, const char *list)
{
    struct figures sum = {0};
    int status = run_jobs(c, list, &sum);
    printf("%lu modules, %lu runs in %u ways: %lu done (%llu bytes of output), %lu refused, %lu malformed; %lu modules "
           "come out differently\n",
           sum.modules, sum.runs, way_count(), sum.done, sum.bytes, sum.refused, sum.malformed, sum.different);
    if (status == TROUBLE || !sum.modules) {
        fprintf(stderr, "nonflat-compare: not everything in %s was compared\n", list);
        return TROUBLE;
    }
    return status || sum.different ? DIFFERENT : 0;
}

int main(int argc, char **argv)
{
    struct comparison c = {.jobs = 1};
    int at = 1;
    if (at < argc && strcmp(argv[at], "--trace") == 0) c.trace = ++at;
    if (at + 1 < argc && strcmp(argv[at], "--jobs") == 0) {
        c.jobs = (unsigned)strtoul(argv[at + 1], NULL, 10);
        at += 2;
    }
    if ((argc - at != 2 && argc - at != 3) || !c.jobs || c.jobs > MANY) {
        fprintf(stderr, "usage: nonflat-compare [--trace] [--jobs N] LIST OLD.so [NEW.so]\n");
        return TROUBLE;
    }
    if (!library_open(&c.old, argv[at + 1])) return TROUBLE;
    if (argc - at == 2) return for_each_module(argv[at], specialize_module, &c.old) ? TROUBLE : 0;
    return library_open(&c.new, argv[at + 2]) ? compare(&c, argv[at]) : TROUBLE;
}
