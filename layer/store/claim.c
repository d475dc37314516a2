/* SPDX-License-Identifier: Apache-2.0 */
/*
 * claim.c - lets one of many processes that start together create an entry, while the others wait for it. Takes a key
 * without an entry; gives a claim, or the entry that another process has created in the meantime.
 *
 *     process 1:      no entry, creates module-....claim   ->   specializes, stores, removes the claim
 *     process 2..n:   no entry, the claim exists           ->   wait, poll less and less often   ->   entry
 *
 * A claim is a file that open(O_CREAT | O_EXCL) creates, which network file systems support, and that names its
 * process. A claim only saves work: an entry is correct whichever process creates it. So after every problem the work
 * is done without a claim: a folder that cannot be written, a wait longer than `cache-wait`, a claim that was released
 * without an entry.
 *
 * Hazard: the process of a claim may be killed. Processes of the same machine that see it in /proc detect that at once,
 * and one of them replaces the claim; all others use the age of the claim. The claim is replaced by rename(), because
 * the other processes treat a claim that disappears as released. If several processes replace it at the same time, the
 * last process owns it: each checks again after a pause. A process that needs longer than that pause between its last
 * check and rename() does the work as well.
 *
 * Hazard: the entry may be written by a job that this thread itself would have to run, or that waits for the end of a
 * fork(). The worker thread and a thread inside fork() wait for nothing.
 *
 * Hazard: a client of a network file system remembers for some time that a file does not exist. Creating a file in the
 * folder updates the client, so a process whose wait ended with the release of the claim creates the claim again before
 * it looks for the entry. A process whose wait ended by `cache-wait` looks without that.
 */
#define _GNU_SOURCE
#include "layer/store/store.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { CLOCK_DRIFT = 3600 /* seconds by which the clocks of machines may differ */ };
static const uint64_t first_pause = 1000, longest_pause = 1000000; /* microseconds */
static const struct timespec settling = {0, 20000000};             /* 20 milliseconds: see replace() */

/* Creates a file that names this process. Returns 0, the error of openat(), or ENOSPC if the file could not be
 * written. */
static int create_file(int folder, const char *name)
{
    const struct nf_cl_process self = nf_cl_process_self();
    int file = openat(folder, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (file < 0) return errno;
    bool good = nf_cl_write_fully(file, &self, sizeof self);
    if (close(file) != 0) good = false;
    if (!good) unlinkat(folder, name, 0);
    return good ? 0 : ENOSPC;
}

enum state { RELEASED, HELD, ABANDONED };

/* Returns the state of a claim. Sets `*holder` to the process that it names, all zeros if it names none. */
static enum state claim_state(int folder, const char *name, struct nf_cl_process *holder)
{
    struct stat info;
    enum state state = HELD;
    memset(holder, 0, sizeof *holder);
    int file = openat(folder, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (file < 0) return errno == ENOENT || errno == ESTALE ? RELEASED : HELD;
    if (fstat(file, &info) == 0) {
        time_t age = time(NULL) - info.st_mtim.tv_sec;
        if (age > (time_t)nf_cl_config()->cache_wait || age < -CLOCK_DRIFT) state = ABANDONED;
    }
    bool whole = nf_cl_read_fully(file, holder, sizeof *holder);
    close(file);
    if (!whole) memset(holder, 0, sizeof *holder);
    return whole && nf_cl_process_state(holder) == NF_CL_ENDED ? ABANDONED : state;
}

/* Replaces an abandoned claim. Returns 0 if this process has the claim then, EEXIST if another process has it, or the
 * error. */
static int replace(int folder, const char *name)
{
    static atomic_uint number;
    const struct nf_cl_process self = nf_cl_process_self();
    struct nf_cl_process holder;
    char temporary[NF_CL_NAME_MAX];
    nf_cl_name_temporary(temporary, atomic_fetch_add(&number, 1) + (1u << 31)); /* a number that store.c does not use */
    int error = create_file(folder, temporary);
    if (error) return error;
    if (claim_state(folder, name, &holder) != ABANDONED) /* another process replaces it at the same time */
        error = EEXIST;
    else if (renameat(folder, temporary, folder, name) != 0)
        error = errno;
    if (error) {
        unlinkat(folder, temporary, 0);
        return error;
    }
    nanosleep(&settling, NULL);
    claim_state(folder, name, &holder);
    return memcmp(&holder, &self, sizeof self) == 0 ? 0 : EEXIST;
}

/* Pauses for a quarter of the time since `start`, but for 1 millisecond to 1 second, so that many waiting processes
 * cause few requests to a file server. */
static void pause_since(uint64_t start)
{
    uint64_t pause = (nf_cl_microseconds() - start) / 4;
    if (pause < first_pause) pause = first_pause;
    if (pause > longest_pause) pause = longest_pause;
    struct timespec rest = {(time_t)(pause / 1000000), (long)(pause % 1000000 * 1000)};
    nanosleep(&rest, NULL);
}

/* Creates the claim, or replaces an abandoned one; waits while another process has it. Sets `*waited` to whether the
 * claim was held or already released when it was last examined. Returns false on an error, and after the longest wait
 * (`cache_wait`): then the work is done without a claim. */
static bool obtain(int folder, const char *name, bool *waited)
{
    const uint64_t start = nf_cl_microseconds(), most = (uint64_t)nf_cl_config()->cache_wait * 1000000u;
    struct nf_cl_process holder;
    int error = create_file(folder, name);
    *waited = false;
    while (error == EEXIST) {
        enum state state = claim_state(folder, name, &holder);
        *waited = state != ABANDONED;
        if (state == ABANDONED) error = replace(folder, name);
        if (state == RELEASED) error = create_file(folder, name);
        if (error == EEXIST && nf_cl_microseconds() - start >= most) return false;
        if (state == HELD) pause_since(start);
    }
    return error == 0;
}

bool nf_cl_store_get_or_claim(const char *kind, const struct nf_cl_bytes *key, struct nf_cl_bytes *value,
                              struct nf_cl_claim *claim)
{
    const struct nf_cl_config *config = nf_cl_config();
    char name[NF_CL_NAME_MAX];
    bool waited;
    *claim = (struct nf_cl_claim){.owner = getpid()};
    if (nf_cl_store_get(kind, key, value)) return true;
    if (!config->cache || !config->cache_wait || nf_cl_is_forking() || nf_cl_is_worker()) return false;
    int folder = nf_cl_make_folder(config->cache);
    if (folder < 0) return false;
    nf_cl_name_entry(name, kind, key);
    nf_cl_name_claim(claim->name, name);
    bool is_claimed = obtain(folder, claim->name, &waited);
    bool good = nf_cl_store_get_from(folder, name, false, key, value);
    /* If there is still no entry after a wait, the work stores no entry: all processes may do the work at the same
     * time. */
    if (is_claimed && (good || waited)) unlinkat(folder, claim->name, 0);
    if (!is_claimed || good || waited) *claim->name = '\0';
    close(folder);
    return good;
}

/* A child of fork() has a copy of the claim, but does not own the claim. */
void nf_cl_claim_release(struct nf_cl_claim *claim)
{
    if (*claim->name && claim->owner == getpid()) nf_cl_store_drop_name(claim->name);
    *claim->name = '\0';
}
