/* SPDX-License-Identifier: Apache-2.0 */
/*
 * run.c - runs a helper program: LLVM, and some drivers, end the process on some inputs, which must not happen in the
 * application's process. The input is passed by standard input, the output by standard output, messages by standard
 * error.
 *
 * The program runs with all other descriptors closed, in its own process group, and the layer waits for its process id;
 * if the program exceeds its time or output limit, the layer kills the group. The program limits its own memory and
 * processor time, and ends when the thread that started it ends. The program's input goes through a socket, because
 * only a socket can be written without SIGPIPE after the reader has closed it; files, even unnamed files, would cause
 * SIGXFSZ above the host's file size limit.
 *
 * A program that is killed from outside, such as by the kernel's out-of-memory killer, is run once more; if it is
 * killed again, the outcome is not cached.
 *
 * Hazard: a host may ignore or reap all of its children, and the exit status is then unknown. Therefore the output has
 * an end mark with its length, and output with unknown exit status is used but never cached:
 *
 *     output | "NONFLAT:" | its length, 16 hexadecimal digits
 */
#define _GNU_SOURCE
#include "layer/translate/translate.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum { IN, OUT, ERR, STREAMS = NF_CL_STREAMS };
enum { STATUS_UNKNOWN = -1, STATUS_TIMEOUT = -2, STATUS_OUTPUT = -3 };
enum { MARK_SIZE = 24 };
enum { DONE, REFUSED, TROUBLE, MALFORMED, LIMIT }; /* exit statuses; TROUBLE: with files or arguments */

/* The state of one run. */
struct run {
    int parent_end[STREAMS], child_end[STREAMS]; /* ends of this process and of the child; -1: closed */
    const struct nf_cl_run *job;
    size_t part, done; /* index of the part of the input that is being written, and bytes of it written so far */
    struct nf_cl_bytes read[STREAMS];
    bool out_of_memory, too_long;
    pid_t child;
};

/* ---- the streams ---- */

static void shut(int *file)
{
    if (*file >= 0) close(*file);
    *file = -1;
}

static bool open_streams(struct run *run)
{
    int held[STREAMS], count = nf_cl_hold_low(held);
    bool good = true;
    for (int i = 0; i < STREAMS && good; i++) {
        int ends[2] = {-1, -1};
        good = (i == IN ? socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) : pipe2(ends, O_CLOEXEC)) == 0;
        run->parent_end[i] = ends[0];
        run->child_end[i] = ends[1];
        good = good && fcntl(run->parent_end[i], F_SETFL, O_NONBLOCK) == 0;
    }
    const int error = errno;
    while (count > 0)
        close(held[--count]);
    errno = error;
    return good;
}

static void close_streams(struct run *run)
{
    for (int i = 0; i < STREAMS; i++) {
        shut(&run->parent_end[i]);
        shut(&run->child_end[i]);
    }
}

/* Writes as much input as the child accepts. A child that has closed its input is not an error here: its exit status
 * states whether it has failed. */
static void feed(struct run *run)
{
    while (run->parent_end[IN] >= 0 && run->part < run->job->input_count) {
        const struct nf_cl_bytes *part = &run->job->input[run->part];
        if (run->done == part->size) {
            run->part++;
            run->done = 0;
            continue;
        }
        ssize_t done = send(run->parent_end[IN], (const char *)part->data + run->done, part->size - run->done,
                            MSG_NOSIGNAL | MSG_DONTWAIT);
        if (done < 0 && errno == EINTR) continue;
        if (done < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) return;
        if (done < 0) break;
        run->done += (size_t)done;
    }
    shut(&run->parent_end[IN]);
}

/* Reads the available output until `most` bytes of the stream are stored. @return true if there was more, of which it
 * has dropped a part. */
static bool drain(struct run *run, int stream, size_t most)
{
    char part[8192]; /* small, because the host's thread may have a small stack */
    bool more = false;
    while (run->parent_end[stream] >= 0) {
        struct nf_cl_bytes *bytes = &run->read[stream];
        ssize_t got = read(run->parent_end[stream], part, sizeof part);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) return more;
        if (got <= 0) {
            shut(&run->parent_end[stream]);
            return more;
        }
        size_t kept = (size_t)got < most - bytes->size ? (size_t)got : most - bytes->size;
        more = more || kept < (size_t)got;
        run->out_of_memory = run->out_of_memory || !nf_cl_append(bytes, part, kept);
        if (more) return true; /* the caller decides whether to read on */
    }
    return more;
}

static void pump(struct run *run)
{
    feed(run);
    if (drain(run, OUT, (size_t)nf_cl_config()->spir_memory << 20)) run->too_long = true;
    drain(run, ERR, run->job->message_limit);
}

/* ---- the process ---- */

/* Waits until a stream is ready, at most `left` milliseconds. */
static void wait_for_stream(const struct run *run, uint64_t left)
{
    struct pollfd list[] = {
        {run->parent_end[IN], POLLOUT, 0}, {run->parent_end[OUT], POLLIN, 0}, {run->parent_end[ERR], POLLIN, 0}};
    bool open = run->parent_end[OUT] >= 0 || run->parent_end[ERR] >= 0;
    int longest = open ? 100 : 1; /* ms; if the child ends, both streams close, unless a grandchild has them open */
    poll(list, sizeof list / sizeof list[0], left < (uint64_t)longest ? (int)left : longest);
}

static void stop(pid_t child)
{
    kill(-child, SIGKILL);
    kill(child, SIGKILL);
    while (waitpid(child, NULL, 0) < 0 && errno == EINTR)
        ;
}

/* Waits for the child and transfers data. @return its wait status, STATUS_TIMEOUT, STATUS_OUTPUT, or STATUS_UNKNOWN if
 * the host ignores or reaps its children, or memory is exhausted. */
static int wait_for(struct run *run, unsigned timeout)
{
    const uint64_t end = nf_cl_microseconds() + (uint64_t)timeout * 1000000;
    int status = 0;
    for (;;) {
        pid_t got = waitpid(run->child, &status, WNOHANG);
        const uint64_t now = nf_cl_microseconds(), left = now < end ? end - now : 0;
        bool over = got == run->child || (got < 0 && errno != EINTR);
        if (over && got < 0) status = STATUS_UNKNOWN;
        pump(run); /* also once after the end, to read the rest of the output */
        if (over) break;
        if (left == 0 || run->too_long || run->out_of_memory) {
            stop(run->child);
            status = run->too_long ? STATUS_OUTPUT : left == 0 ? STATUS_TIMEOUT : STATUS_UNKNOWN;
            break;
        }
        wait_for_stream(run, left / 1000 + 1);
    }
    return status;
}

/* ---- the outcome ---- */

/* Removes the end mark. @return false if it is missing or wrong. */
static bool is_whole(struct nf_cl_bytes *bytes)
{
    char mark[MARK_SIZE + 1];
    if (bytes->size < MARK_SIZE) return false;
    size_t size = bytes->size - MARK_SIZE;
    snprintf(mark, sizeof mark, "NONFLAT:%016llx", (unsigned long long)size);
    if (memcmp((const char *)bytes->data + size, mark, MARK_SIZE) != 0) return false;
    bytes->size = size;
    return true;
}

/* Returns the validity of an outcome: NF_CL_PERMANENT for a complete output and for properties of the input;
 * NF_CL_THIS_PROCESS for exceeded limits, crashes and incomplete output; NF_CL_TRANSIENT for problems with files and
 * processes, or kills from outside. */
static enum nf_cl_validity validity_of(int status, bool good)
{
    if (status == STATUS_UNKNOWN || nf_cl_was_killed(status)) return NF_CL_TRANSIENT;
    if (good) return NF_CL_PERMANENT;
    if (status < 0 || WIFSIGNALED(status)) return NF_CL_THIS_PROCESS;
    switch (WEXITSTATUS(status)) {
    case REFUSED:
    case MALFORMED: return NF_CL_PERMANENT;
    case DONE:
    case LIMIT: return NF_CL_THIS_PROCESS;
    default: return NF_CL_TRANSIENT;
    }
}

/* Removes the end mark of complete output. Sets the message of a failure, and the validity of the outcome. */
static void set_message(const struct nf_cl_run *job, int status, struct nf_cl_outcome *t)
{
    const char *error_output = t->error_output, *colon = *error_output ? ": " : "";
    if (status == STATUS_TIMEOUT)
        t->message = nf_cl_format("%s did not end within %u seconds and was stopped%s%s", job->name,
                                  nf_cl_config()->spir_timeout, colon, error_output);
    else if (status == STATUS_OUTPUT)
        t->message = nf_cl_format("%s gave more than %u megabytes and was stopped%s%s", job->name,
                                  nf_cl_config()->spir_memory, colon, error_output);
    else if (nf_cl_was_killed(status))
        t->message = nf_cl_format("%s was killed by another process (%s)%s%s", job->name, strsignal(WTERMSIG(status)),
                                  colon, error_output);
    else if (status != STATUS_UNKNOWN && WIFSIGNALED(status))
        t->message = nf_cl_format("%s crashed (%s)%s%s", job->name, strsignal(WTERMSIG(status)), colon, error_output);
    else if (status != STATUS_UNKNOWN && WEXITSTATUS(status) == 127 && !*error_output)
        t->message = nf_cl_format("%s could not be started", job->name);
    else if (status != STATUS_UNKNOWN && WEXITSTATUS(status) != 0)
        t->message =
            nf_cl_format("%s refused the %s (%d)%s%s", job->name, job->takes, WEXITSTATUS(status), colon, error_output);
    else if (!is_whole(&t->output))
        t->message = nf_cl_format("%s wrote no complete %s%s%s", job->name, job->gives, colon, error_output);
    t->validity = validity_of(status, !t->message);
}

static void set_outcome(struct run *run, int status, struct nf_cl_outcome *t)
{
    bool good = !run->out_of_memory && nf_cl_append(&run->read[ERR], "", 1);
    t->output = run->read[OUT];
    t->error_output = run->read[ERR].data;
    run->read[OUT] = run->read[ERR] = (struct nf_cl_bytes){NULL, 0};
    if (good)
        set_message(run->job, status, t);
    else
        t->message = nf_cl_format("out of memory");
}

/* Starts the program with its arguments and its limits, and closes the child's ends. @return 0 or an error number. */
static int start(struct run *run)
{
    const struct nf_cl_config *config = nf_cl_config();
    char *limits[] = {nf_cl_format("--parent=%ld", (long)getpid()), nf_cl_format("--memory=%u", config->spir_memory),
                      nf_cl_format("--seconds=%u", config->spir_timeout), strdup("--end-mark")};
    enum { LIMITS = sizeof limits / sizeof limits[0] };
    size_t count = 0;
    while (run->job->arguments[count])
        count++;
    char **arguments = calloc(count + LIMITS + 1, sizeof *arguments),
         **environment = nf_cl_make_environment(NULL, false);
    int error = arguments && environment && limits[0] && limits[1] && limits[2] && limits[3] ? 0 : ENOMEM;
    if (!error) {
        memcpy(arguments, run->job->arguments, count * sizeof *arguments);
        memcpy(arguments + count, limits, sizeof limits);
        error = nf_cl_spawn(arguments, environment, run->child_end, &run->child);
    }
    for (size_t i = 0; i < LIMITS; i++)
        free(limits[i]);
    for (int i = 0; i < STREAMS; i++)
        shut(&run->child_end[i]);
    free(environment);
    free(arguments);
    return error;
}

/* Runs the program once. @return true if it was killed from outside. */
static bool run_once(const struct nf_cl_run *job, struct nf_cl_outcome *t)
{
    struct run run = {.parent_end = {-1, -1, -1}, .child_end = {-1, -1, -1}, .job = job};
    int error = 0, status = 0;
    *t = (struct nf_cl_outcome){.validity = NF_CL_TRANSIENT};
    if (!open_streams(&run))
        t->message = nf_cl_format("cannot open a pipe to %s: %s", job->name, strerror(errno));
    else if ((error = start(&run)) != 0)
        t->message = nf_cl_format("%s %s could not be started: %s", job->name, job->arguments[0], strerror(error));
    else
        set_outcome(&run, status = wait_for(&run, nf_cl_config()->spir_timeout), t);
    close_streams(&run);
    free(run.read[OUT].data);
    free(run.read[ERR].data);
    return nf_cl_was_killed(status);
}

bool nf_cl_run(const struct nf_cl_run *job, struct nf_cl_outcome *t)
{
    if (run_once(job, t)) { /* killed from outside, whatever the input; a second kill is final */
        nf_cl_outcome_free(t);
        run_once(job, t);
    }
    return !t->message && t->output.data;
}
