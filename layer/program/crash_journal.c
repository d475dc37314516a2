/* SPDX-License-Identifier: Apache-2.0 */
/*
 * crash_journal.c - marks on disk for builds of specialized modules, on devices that accept the original module: a
 * process writes a mark before the build and removes it afterwards. Takes the key of a cache query before the driver
 * gets the specialized module; gives later processes the answer whether this process ended during the build.
 *
 *     first process:   writes a mark; driver: SIGSEGV
 *     second process:  finds the mark, its process is gone   ->   nonflat-try builds the module: SIGSEGV
 *                                                            ->   original module, for a week
 *
 * A mark is a cache entry, so there is no journal without a cache. A mark identifies its process: the marks of running
 * processes are ignored. Marks from other machines are ignored as well, because their processes may still run. A
 * process that was killed for another reason leaves a mark as well; therefore nonflat-try repeats the build before the
 * module is rejected. If the process ends during a build that nonflat-try survived, the module is rejected without
 * another trial. The same holds where nonflat-try cannot be used.
 */
#define _GNU_SOURCE
#include "layer/program/program.h"
#include "layer/store/store.h"

#include <stdlib.h>
#include <string.h>

static const char kind[] = "attempt";

struct mark {
    uint64_t expires; /* seconds of the real-time clock */
    struct nf_cl_process process;
    int64_t step; /* enum nf_cl_build_step */
};

void nf_cl_journal_begin(const struct nf_cl_bytes *key, enum nf_cl_build_step step)
{
    const struct mark mark = {nf_cl_store_expiry(), nf_cl_process_self(), step};
    const struct nf_cl_bytes value = {(void *)(uintptr_t)&mark, sizeof mark};
    nf_cl_store_put(kind, key, &value);
}

void nf_cl_journal_end(const struct nf_cl_bytes *key)
{
    nf_cl_store_drop(kind, key);
}

const char nf_cl_journal_message[] = "a process ended while the driver built the specialized module";

enum nf_cl_build_step nf_cl_journal_last(const struct nf_cl_bytes *key)
{
    struct nf_cl_bytes value = {NULL, 0};
    struct mark mark = {0};
    if (!nf_cl_store_get(kind, key, &value)) return NF_CL_NO_STEP;
    bool whole = value.size == sizeof mark;
    if (whole) memcpy(&mark, value.data, sizeof mark);
    free(value.data);
    if (whole && nf_cl_process_state(&mark.process) != NF_CL_ENDED) return NF_CL_NO_STEP;
    if (whole && !nf_cl_store_has_expired(mark.expires)) return (enum nf_cl_build_step)mark.step;
    nf_cl_journal_end(key);
    return NF_CL_NO_STEP;
}
