/* SPDX-License-Identifier: Apache-2.0 */
/*
 * summary.c - run statistics: one line of NAME=NUMBER pairs, appended to the file of the setting `summary` when the
 * process ends normally. Takes the counts of each program once; several processes may share the file. A child of fork()
 * starts with zero counts. A process that gave the layer no module, and loaded no binary from the cache, writes
 * nothing.
 */
#define _GNU_SOURCE
#include "layer/specialize/specialize.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

enum {
    MODULES,
    KERNELS,
    GENERIC,
    STATIC,
    PREDICATED,
    DISPATCHED,
    DEAD,
    UNKNOWN,
    REFUSED,
    HITS,
    MISSES,
    TIME,
    BUILDS,
    LOADS,
    SAVED,
    FIELDS
};

static const char *const names[FIELDS] = {"modules",    "kernels", "generic", "static",  "predicated",
                                          "dispatched", "dead",    "unknown", "refused", "hits",
                                          "misses",     "time_us", "builds",  "loads",   "saved_us"};
static atomic_ullong sums[FIELDS];
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void forget(void)
{
    for (int i = 0; i < FIELDS; i++)
        atomic_store(&sums[i], 0);
}

static void write_line(void)
{
    if (atomic_load(&sums[MODULES]) + atomic_load(&sums[LOADS]) == 0) return;
    char *line = nf_cl_format("pid=%ld", (long)getpid());
    for (int i = 0; i < FIELDS && line; i++) {
        char *more = nf_cl_format("%s %s=%llu%s", line, names[i], atomic_load(&sums[i]), i + 1 < FIELDS ? "" : "\n");
        free(line);
        line = more;
    }
    int file = nf_cl_open_to_append(nf_cl_config()->summary);
    if (file < 0 || !line || !nf_cl_write_line(file, line))
        nf_cl_log(NF_CL_WARNING, "cannot write the summary %s", nf_cl_config()->summary);
    if (file >= 0) close(file);
    free(line);
}

static void prepare(void)
{
    pthread_atfork(NULL, NULL, forget);
    atexit(write_line);
}

static void add(int field, unsigned long long number)
{
    atomic_fetch_add_explicit(&sums[field], number, memory_order_relaxed);
}

void nf_cl_stats_count(const struct nf_cl_result *special, bool hit)
{
    if (!nf_cl_config()->summary) return;
    const nf_counts *counts = &special->counts;
    pthread_once(&once, prepare);
    add(MODULES, 1);
    add(KERNELS, counts->kernels);
    add(REFUSED, special->status != NF_OK);
    add(hit ? HITS : MISSES, 1);
    if (special->status != NF_OK) return; /* there is no output */
    add(GENERIC, counts->generic);
    add(STATIC, counts->is_static);
    add(PREDICATED, counts->predicated);
    add(DISPATCHED, counts->dispatched);
    add(DEAD, counts->dead);
    add(UNKNOWN, counts->unknown);
}

void nf_cl_stats_pass(void)
{
    if (!nf_cl_config()->summary) return;
    pthread_once(&once, prepare);
    add(MODULES, 1);
}

void nf_cl_stats_build(void)
{
    if (!nf_cl_config()->summary) return;
    pthread_once(&once, prepare);
    add(BUILDS, 1);
}

void nf_cl_stats_load(uint64_t saved)
{
    if (!nf_cl_config()->summary) return;
    pthread_once(&once, prepare);
    add(LOADS, 1);
    add(SAVED, saved);
}

uint64_t nf_cl_stats_clock(void)
{
    return nf_cl_config()->summary ? nf_cl_microseconds() : 0;
}

void nf_cl_stats_time(uint64_t since)
{
    if (since) add(TIME, nf_cl_stats_clock() - since);
}
