/* SPDX-License-Identifier: Apache-2.0 */
/*
 * trial.c - tries a driver's build in another process, by nonflat-try. Takes the module and its build. Reports how the
 * trial ended. layer/build_test/wire.h defines the messages.
 *
 * An earlier trial may have left a driver in a broken state. Therefore, if a trial fails in a process that has tried
 * other modules before, it is repeated in a new process, and the second result counts. A trial is also repeated once if
 * its process was killed from outside, such as by the kernel's out-of-memory killer.
 */
#define _GNU_SOURCE
#include "layer/translate/translate.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>

enum transfer { DONE, TIMED_OUT, BROKEN };
enum { OUTPUT_MOST = 1 << 20 };

/* The state of one trial in one process. */
struct exchange {
    const struct nf_cl_trial *trial;
    struct nf_cl_tester *tester;
    uint64_t end; /* microseconds */
    bool began, returned, reported;
    bool built; /* the driver has built the module, so the process can try other builds */
    int status; /* wait status, if `reported` */
    struct nf_cl_tried *tried;
};

/* ---- transfers ---- */

/* Waits until the socket is ready. @return false if the time limit expires first. */
static bool is_ready(const struct exchange *x, short events)
{
    for (;;) {
        const uint64_t now = nf_cl_microseconds();
        struct pollfd list = {x->tester->socket, events, 0};
        if (now >= x->end) return false;
        const uint64_t left = (x->end - now) / 1000 + 1;
        if (poll(&list, 1, left < 1000 ? (int)left : 1000) > 0) return true;
    }
}

static bool is_to_be_repeated(int error)
{
    return error == EINTR || error == EAGAIN || error == EWOULDBLOCK;
}

static enum transfer send_all(const struct exchange *x, const void *data, size_t size)
{
    for (const char *at = data; size > 0;) {
        if (!is_ready(x, POLLOUT)) return TIMED_OUT;
        ssize_t done = send(x->tester->socket, at, size, MSG_NOSIGNAL);
        if (done < 0 && is_to_be_repeated(errno)) continue;
        if (done < 0) return BROKEN;
        at += done;
        size -= (size_t)done;
    }
    return DONE;
}

static enum transfer take(const struct exchange *x, void *data, size_t size)
{
    for (char *at = data; size > 0;) {
        if (!is_ready(x, POLLIN)) return TIMED_OUT;
        ssize_t got = recv(x->tester->socket, at, size, 0);
        if (got < 0 && is_to_be_repeated(errno)) continue;
        if (got <= 0) return BROKEN;
        at += got;
        size -= (size_t)got;
    }
    return DONE;
}

/* ---- request and answer ---- */

static enum transfer send_request(const struct exchange *x)
{
    const struct nf_cl_trial *trial = x->trial;
    const struct nf_try_head head = {trial->flags, (uint32_t)trial->spec_count, strlen(trial->options),
                                     trial->module->size};
    const struct nf_cl_bytes parts[] = {{(void *)(uintptr_t)&head, sizeof head},
                                        {(void *)(uintptr_t)trial->specs, trial->spec_count * sizeof *trial->specs},
                                        {(void *)(uintptr_t)trial->options, strlen(trial->options)},
                                        *trial->module};
    struct nf_cl_bytes request = {NULL, 0}; /* one message, so that the reader wakes up only once */
    bool good = true;
    for (size_t i = 0; good && i < sizeof parts / sizeof *parts; i++)
        good = nf_cl_append(&request, parts[i].data, parts[i].size);
    enum transfer done = good ? send_all(x, request.data, request.size) : BROKEN;
    free(request.data);
    return done;
}

/* Receives log and binary, `size` bytes; BROKEN if these are too many, memory is exhausted or the connection ends,
 * TIMED_OUT if the time limit expires. */
static enum transfer take_built(const struct exchange *x, uint64_t size)
{
    enum { MOST = 1 << 30 };
    if (size == 0) return DONE;
    struct nf_cl_bytes built = {size <= MOST ? malloc((size_t)size) : NULL, (size_t)size};
    enum transfer done = built.data ? take(x, built.data, built.size) : BROKEN;
    if (done == DONE)
        x->tried->built = built;
    else
        free(built.data);
    return done;
}

/* Receives one answer. @return TIMED_OUT or BROKEN if its head does not arrive, and BROKEN also for an answer of an
 * unknown kind. Bytes after the head that do not arrive are no failure. */
static enum transfer take_answer(struct exchange *x)
{
    struct nf_try_answer answer;
    enum transfer done = take(x, &answer, sizeof answer);
    if (done != DONE) return done;
    switch (answer.word) {
    case NF_TRY_BEGINS:
        x->began = true;
        x->tester->watcher = answer.number;
        return DONE;
    case NF_TRY_RETURNS:
        x->returned = true;
        x->built = answer.number == 0 && take_built(x, answer.size) == DONE;
        return DONE;
    case NF_TRY_ENDS:
        x->reported = true;
        x->status = answer.number;
        x->tried->output = answer.size <= OUTPUT_MOST ? calloc(1, (size_t)answer.size + 1) : NULL;
        if (x->tried->output) take(x, x->tried->output, (size_t)answer.size); /* receives the part that has arrived */
        return DONE;
    default: return BROKEN;
    }
}

/* Requests the trial and receives the answers. @return DONE if `x->returned` or `x->reported` is set, TIMED_OUT if the
 * time limit expires first, BROKEN if the connection ends or an answer is not valid. */
static enum transfer converse(struct exchange *x)
{
    enum transfer done = send_request(x);
    if (done == TIMED_OUT) return done;
    while (!x->returned && !x->reported) { /* also if sending failed: nonflat-try may have reported its end */
        done = take_answer(x);
        if (done != DONE) return done;
    }
    return DONE;
}

/* ---- result of the trial ---- */

/* Returns true if, by the wait status, the process was killed from outside or exceeded a limit of the host. */
static bool was_stopped_externally(int status)
{
    return nf_cl_was_killed(status) ||
           (WIFSIGNALED(status) && (WTERMSIG(status) == SIGXCPU || WTERMSIG(status) == SIGALRM));
}

/* Sets the result of the trial. @return true if the process was killed from outside, or probably was. */
static bool evaluate(const struct exchange *x, enum transfer done)
{
    struct nf_cl_tried *tried = x->tried;
    const char *colon = tried->output && *tried->output ? ": " : "", *output = tried->output ? tried->output : "";
    const bool killed = x->reported ? was_stopped_externally(x->status) : done == BROKEN;
    tried->validity = killed || !x->began ? NF_CL_TRANSIENT : x->returned ? NF_CL_PERMANENT : NF_CL_THIS_PROCESS;
    if (x->returned) {
        tried->end = NF_CL_RETURNED;
    } else if (done == TIMED_OUT) {
        tried->end = x->began ? NF_CL_STOPPED : NF_CL_UNTRIED;
        tried->message = nf_cl_format("the trial of this build did not end within %u seconds and was stopped",
                                      nf_cl_config()->spir_timeout);
    } else if (killed) {
        tried->end = NF_CL_UNTRIED;
        tried->message = nf_cl_format(
            "the process that tries this build %s%s%s",
            x->reported ? "was killed by another process" : "could not be started, or was killed", colon, output);
    } else {
        tried->end = x->began ? NF_CL_DIED : NF_CL_UNTRIED;
        tried->message = WIFSIGNALED(x->status) ? nf_cl_format("the process that tries this build crashed (%s)%s%s",
                                                               strsignal(WTERMSIG(x->status)), colon, output)
                                                : nf_cl_format("the process that tries this build ended (%d)%s%s",
                                                               WEXITSTATUS(x->status), colon, output);
    }
    return killed;
}

/* Tries the build once, in a new process if `anew`. Sets `*used` to whether the process had tried other builds before.
 * @return true if the trial must be repeated. */
static bool try_once(const struct nf_cl_trial *trial, bool anew, bool *used, struct nf_cl_tried *tried)
{
    int error = 0;
    *tried = (struct nf_cl_tried){.end = NF_CL_UNTRIED};
    struct exchange x = {.trial = trial, .tried = tried};
    x.tester = nf_cl_tester_take(trial->arguments, trial->variables, anew, &error);
    *used = x.tester && x.tester->watcher;
    if (!x.tester) {
        tried->message = nf_cl_format("%s could not be started: %s", trial->arguments[0], strerror(error));
        return false;
    }
    x.end = nf_cl_microseconds() + (uint64_t)nf_cl_config()->spir_timeout * 1000000;
    enum transfer done = converse(&x);
    const bool killed = evaluate(&x, done);
    nf_cl_tester_give(x.tester, x.returned && x.built);
    return !x.returned && (*used || killed);
}

void nf_cl_try(const struct nf_cl_trial *trial, struct nf_cl_tried *tried)
{
    bool used = false, again = try_once(trial, false, &used, tried);
    if (again && used) {
        nf_cl_tried_free(tried);
        again = try_once(trial, true, &used, tried);
    }
    if (again) {
        nf_cl_tried_free(tried);
        try_once(trial, true, &used, tried);
    }
}

void nf_cl_tried_free(struct nf_cl_tried *tried)
{
    free(tried->output);
    free(tried->message);
    free(tried->built.data);
    *tried = (struct nf_cl_tried){.end = NF_CL_UNTRIED};
}
