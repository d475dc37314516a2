/* SPDX-License-Identifier: Apache-2.0 */
/*
 * watch.c - starts the process that runs the driver, and waits for it. This process is not a child of the application,
 * because an application may wait for all of its children, and would then also wait for this process, or get the signal
 * of its end. For this reason the process that the layer has started ends immediately.
 *
 *     application ── starts, waits for ──> (ends)
 *         │                                   └── this process ── waits for ──> the process with the driver
 *         └────────────────────── socket ────────────┴───────────────────────────────────┘
 */
#include "layer/build_test/build_test.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum { KEPT_MOST = 1 << 15 };

/* The end of the child's output: the last KEPT_MOST bytes, and up to as many that were read since drop_old_output(). */
static char kept_output[2 * KEPT_MOST];
static size_t kept_size;

static void drop_old_output(void)
{
    if (kept_size <= KEPT_MOST) return;
    memmove(kept_output, kept_output + kept_size - KEPT_MOST, KEPT_MOST);
    kept_size = KEPT_MOST;
}

/* Reads the available output, or a part of it if the process prints without end. @return false at the end of the
 * output. */
static bool read_output(int file)
{
    enum { MOST_READS = 64 };
    for (int i = 0; i < MOST_READS; i++) {
        drop_old_output();
        ssize_t got = read(file, kept_output + kept_size, sizeof kept_output - kept_size);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return errno == EAGAIN || errno == EWOULDBLOCK;
        if (got == 0) return false;
        kept_size += (size_t)got;
    }
    return true;
}

static void on_child(int signal_number)
{
    (void)signal_number;
}

/* Reads the output of the process until it ends. Kills it if the layer's end of the socket is closed. @return its wait
 * status. */
static int wait_for(pid_t child, int socket, int output, const sigset_t *signals)
{
    struct pollfd list[] = {{socket, 0, 0}, {output, POLLIN, 0}};
    int status = 0;
    for (;;) {
        pid_t got = waitpid(child, &status, WNOHANG);
        if (list[1].fd >= 0 && !read_output(output)) list[1].fd = -1; /* also once after the child has ended */
        if (got == child || (got < 0 && errno != EINTR)) break;
        ppoll(list, 2, NULL, signals); /* SIGCHLD is delivered only here */
        if (!(list[0].revents & (POLLHUP | POLLERR))) continue;
        kill(-child, SIGKILL);
        kill(child, SIGKILL);
        list[0].fd = -1;
    }
    kill(-child, SIGKILL); /* processes that the driver has started */
    return status;
}

/* Sends the report, without waiting: the layer may have ended, or may not read it. */
static void report(int socket, int status)
{
    drop_old_output();
    const struct nf_try_answer ends = {NF_TRY_ENDS, status, kept_size};
    if (send(socket, &ends, sizeof ends, MSG_NOSIGNAL | MSG_DONTWAIT) == (ssize_t)sizeof ends)
        send(socket, kept_output, kept_size, MSG_NOSIGNAL | MSG_DONTWAIT);
}

/* Prepares the process that runs the driver: its output goes to the watcher, and it is killed when the watcher ends. */
static void become_child(const int output[2], const sigset_t *signals)
{
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    dup2(output[1], STDOUT_FILENO);
    dup2(output[1], STDERR_FILENO);
    close(output[0]);
    close(output[1]);
    signal(SIGCHLD, SIG_DFL);
    sigprocmask(SIG_SETMASK, signals, NULL);
}

bool nf_try_start(int socket)
{
    struct sigaction action = {.sa_handler = on_child};
    sigset_t child_only, before;
    int output[2];
    sigemptyset(&child_only);
    sigaddset(&child_only, SIGCHLD);
    sigaction(SIGCHLD, &action, NULL);
    sigprocmask(SIG_BLOCK, &child_only, &before);
    const pid_t self = getpid();
    pid_t child = pipe2(output, O_CLOEXEC) == 0 ? fork() : -1;
    if (child < 0) {
        nf_helper_error("the process for the driver cannot be started: %s", strerror(errno));
        return false;
    }
    if (child == 0) {
        become_child(output, &before);
        if (getppid() != self) _exit(NF_EXIT_LIMIT);
        return true;
    }
    setpgid(child, child);
    close(output[1]);
    fcntl(output[0], F_SETFL, O_NONBLOCK);
    report(socket, wait_for(child, socket, output[0], &before));
    _exit(NF_EXIT_OK);
}
