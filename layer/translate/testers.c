/* SPDX-License-Identifier: Apache-2.0 */
/*
 * testers.c - keeps the processes of nonflat-try from one trial of a build to the next, because starting a driver takes
 * longer than most builds. Takes the command and its environment. Gives a socket to a process that runs the command and
 * that no other thread uses at the same time.
 *
 *     thread 1: trial ── process A ── trial ── process A ...
 *     thread 2:    trial ── process B              (ends after some seconds without a request)
 *
 * A process is reused only for the same device, environment, working directory and user. A tester is not a child of
 * this process, so a host that waits for all of its children does not wait for the tester, and gets no signal at its
 * end (layer/build_test/watch.c). A tester ends when the socket is closed, and therefore also if this process is
 * killed.
 *
 * Hazards: a child of fork() inherits the sockets. The fork handler closes them there; otherwise the process would not
 * notice the end of its owner, and two processes could send it requests. A host may close descriptors that it did not
 * open, and open files under their numbers: before a socket is reused, it is compared with the socket that was opened.
 * If this process is the init process of a container, or a subreaper, the tester becomes its child, and is waited for.
 */
#define _GNU_SOURCE
#include "layer/translate/translate.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MOST_IDLE = 4 };

static struct nf_cl_lock lock = NF_CL_LOCK_INIT;
static struct nf_cl_tester *all; /* the testers that can be reused, idle or busy */
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pid_t owner; /* the process that started them */

/* ---- the end of a tester ---- */

/* Returns true if the descriptor still is the socket. */
static bool is_same_socket(const struct nf_cl_tester *tester)
{
    struct stat now;
    return fstat(tester->socket, &now) == 0 && now.st_dev == tester->opened.st_dev &&
           now.st_ino == tester->opened.st_ino;
}

/* Returns true if orphaned processes become children of this process. */
static bool adopts_orphans(void)
{
    int subreaper = 0;
    return getpid() == 1 || (prctl(PR_GET_CHILD_SUBREAPER, &subreaper) == 0 && subreaper);
}

static void wait_for(pid_t process)
{
    while (waitpid(process, NULL, 0) < 0 && errno == EINTR)
        ;
}

/* Closes the socket, so that the process ends, and frees the record, which must not be in the list. */
static void discard(struct nf_cl_tester *tester)
{
    if (tester->socket >= 0 && is_same_socket(tester)) close(tester->socket);
    if (tester->starter > 0) { /* the starter ends after the first answer; until then it may hang, and is killed */
        if (!tester->watcher) kill(tester->starter, SIGKILL);
        wait_for(tester->starter);
    }
    if (tester->watcher > 0 && adopts_orphans()) wait_for(tester->watcher);
    free(tester->key.data);
    free(tester);
}

/* Returns true if an idle process has ended, or is about to end, or if its descriptor is not the socket any more. */
static bool has_ended(const struct nf_cl_tester *tester)
{
    struct pollfd list = {tester->socket, POLLIN, 0};
    return !is_same_socket(tester) || poll(&list, 1, 0) != 0;
}

/* ---- list of reusable testers ---- */

static void take_out(const struct nf_cl_tester *tester)
{
    for (struct nf_cl_tester **at = &all; *at; at = &(*at)->next) {
        if (*at != tester) continue;
        *at = tester->next;
        return;
    }
}

/* Removes from the list the idle processes of nonflat-try that have ended, or with `every` all idle processes. @return
 * the list of the removed records. needs: the lock. */
static struct nf_cl_tester *take_idle(bool every)
{
    struct nf_cl_tester *taken = NULL;
    for (struct nf_cl_tester **at = &all; *at;) {
        struct nf_cl_tester *tester = *at;
        if (tester->busy || !(every || has_ended(tester))) {
            at = &tester->next;
            continue;
        }
        *at = tester->next;
        tester->next = taken;
        taken = tester;
    }
    return taken;
}

static void discard_all(struct nf_cl_tester *list)
{
    while (list) {
        struct nf_cl_tester *next = list->next;
        discard(list);
        list = next;
    }
}

/* Closes the sockets in a child of fork(), which has none of the threads that use them. */
static void forget(void)
{
    while (all) {
        struct nf_cl_tester *next = all->next;
        all->starter = all->watcher = 0; /* these are children of the parent process */
        discard(all);
        all = next;
    }
    owner = getpid();
}

static void prepare(void)
{
    owner = getpid();
    pthread_atfork(NULL, NULL, forget);
}

/* Returns true if processes can be reused: not inside fork(), and not in a child that clone() made without fork
 * handlers. */
static bool can_keep(void)
{
    pthread_once(&once, prepare);
    return !nf_cl_is_forking() && getpid() == owner;
}

static struct nf_cl_tester *find(const struct nf_cl_bytes *key)
{
    for (struct nf_cl_tester *tester = all; tester; tester = tester->next)
        if (!tester->busy && tester->key.size == key->size && memcmp(tester->key.data, key->data, key->size) == 0)
            return tester;
    return NULL;
}

/* ---- start ---- */

/* Appends what a tester has from this process and what may determine the behavior of a driver in it: the arguments, the
 * environment, the current folder, the user and the group. @return false if out of memory. */
static bool append_key(struct nf_cl_bytes *key, char *const *arguments, char *const *environment)
{
    struct stat folder = {0};
    bool good = true;
    for (size_t i = 0; good && arguments[i]; i++)
        good = nf_cl_append_text(key, arguments[i]);
    for (size_t i = 0; good && environment[i]; i++)
        good = nf_cl_append_text(key, environment[i]);
    if (stat(".", &folder) != 0) folder = (struct stat){0};
    const uint64_t others[] = {folder.st_dev, folder.st_ino, getuid(), geteuid(), getgid(), getegid()};
    return good && nf_cl_append(key, others, sizeof others);
}

/* Opens the socket, and sets `streams` to the descriptors that become descriptors 0 to 2 of the program. @return false,
 * with errno set, if that fails. */
static bool open_streams(struct nf_cl_tester *tester, int streams[NF_CL_STREAMS])
{
    int held[NF_CL_STREAMS], ends[2] = {-1, -1}, count = nf_cl_hold_low(held);
    bool good = socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) == 0;
    tester->socket = ends[0];
    streams[0] = ends[1];
    streams[1] = streams[2] = nf_cl_open_placeholder();
    good = good && streams[1] >= 0 && fcntl(ends[0], F_SETFL, O_NONBLOCK) == 0 && fstat(ends[0], &tester->opened) == 0;
    const int error = errno;
    while (count > 0)
        close(held[--count]);
    errno = error;
    return good;
}

static struct nf_cl_tester *start(char *const *arguments, char *const *environment, int *error)
{
    struct nf_cl_tester *tester = calloc(1, sizeof *tester);
    int streams[NF_CL_STREAMS] = {-1, -1, -1};
    *error = ENOMEM;
    if (!tester) return NULL;
    *error = open_streams(tester, streams) ? 0 : errno;
    if (!*error) *error = nf_cl_spawn(arguments, environment, streams, &tester->starter);
    for (int i = 0; i < 2; i++)
        if (streams[i] >= 0) close(streams[i]);
    if (!*error) return tester;
    tester->starter = 0;
    discard(tester);
    return NULL;
}

/* ---- use ---- */

struct nf_cl_tester *nf_cl_tester_take(char *const *arguments, char *const *own, bool anew, int *error)
{
    struct nf_cl_bytes key = {NULL, 0};
    struct nf_cl_tester *tester = NULL, *ended = NULL;
    char **environment = nf_cl_make_environment(own, true);
    const bool keeps = environment && can_keep() && append_key(&key, arguments, environment);
    *error = ENOMEM;
    if (keeps) {
        nf_cl_lock_acquire(&lock);
        ended = take_idle(false);
        tester = anew ? NULL : find(&key);
        if (tester) tester->busy = true;
        nf_cl_lock_release(&lock);
    }
    discard_all(ended);
    if (!tester && environment) {
        tester = start(arguments, environment, error);
        if (tester && keeps) {
            tester->key = key;
            key = (struct nf_cl_bytes){NULL, 0};
            tester->busy = true;
            nf_cl_lock_acquire(&lock);
            tester->next = all;
            all = tester;
            nf_cl_lock_release(&lock);
        }
    }
    free(environment);
    free(key.data);
    return tester;
}

/* Returns the oldest idle tester if there are more than MOST_IDLE, or NULL. needs: the lock. */
static struct nf_cl_tester *find_surplus(void)
{
    struct nf_cl_tester *oldest = NULL;
    unsigned idle = 0;
    for (struct nf_cl_tester *tester = all; tester; tester = tester->next) {
        if (tester->busy) continue;
        idle++;
        oldest = tester;
    }
    return idle > MOST_IDLE ? oldest : NULL;
}

void nf_cl_tester_give(struct nf_cl_tester *tester, bool good)
{
    struct nf_cl_tester *ended = tester;
    if (tester->starter > 0 && tester->watcher) {
        wait_for(tester->starter);
        tester->starter = 0;
    }
    if (tester->key.data) { /* the tester can be reused, and is in the list */
        nf_cl_lock_acquire(&lock);
        tester->busy = !good;
        if (good) ended = find_surplus();
        if (ended) take_out(ended);
        nf_cl_lock_release(&lock);
    }
    if (ended) discard(ended);
}

void nf_cl_testers_end(void)
{
    if (!can_keep()) return;
    nf_cl_lock_acquire(&lock);
    struct nf_cl_tester *idle = take_idle(true);
    nf_cl_lock_release(&lock);
    discard_all(idle);
}
