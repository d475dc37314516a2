/* SPDX-License-Identifier: Apache-2.0 */
/*
 * summary.c - `nonflat run --summary`: runs the command in a child instead of executing it in place, and prints one
 * line about the layer's work in it and in its child processes.
 *
 * At the normal end of a process the layer appends a line of NAME=NUMBER pairs to the file that NONFLAT_SUMMARY names;
 * a process that a signal ends, or _exit(), appends none. Unknown names are ignored, and missing names count as 0.
 */
#define _GNU_SOURCE

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tools/run/run.h"

static const char *const names[] = {"modules", "kernels", "generic", "static", "predicated", "dispatched", "refused",
                                    "hits",    "misses",  "time_us", "builds", "loads",      "saved_us"};
enum {
    MODULES,
    KERNELS,
    GENERIC,
    STATIC,
    PREDICATED,
    DISPATCHED,
    REFUSED,
    HITS,
    MISSES,
    TIME,
    BUILDS,
    LOADS,
    SAVED,
    FIELDS
};

static volatile sig_atomic_t command_pid;

/* Forwards a signal to the command. */
static void forward(int number)
{
    if (command_pid > 0) kill((pid_t)command_pid, number);
}

static void add_line(char *line, unsigned long long sums[FIELDS])
{
    char *rest = NULL;
    for (char *word = strtok_r(line, " \n", &rest); word; word = strtok_r(NULL, " \n", &rest)) {
        size_t length = strcspn(word, "=");
        for (int i = 0; i < FIELDS && word[length]; i++)
            if (strlen(names[i]) == length && strncmp(names[i], word, length) == 0)
                sums[i] += strtoull(word + length + 1, NULL, 10);
    }
}

static const char *plural(unsigned long long count)
{
    return count == 1 ? "" : "s";
}

static void print_summary(const char *path)
{
    unsigned long long s[FIELDS] = {0};
    char line[1024];
    FILE *file = fopen(path, "re");
    while (file && fgets(line, sizeof line, file))
        add_line(line, s);
    if (file) fclose(file);
    if (s[MODULES] + s[REFUSED] + s[LOADS] == 0) {
        nf_print_error("no OpenCL program was created from SPIR-V through the layer");
        return;
    }
    char refused[64] = "", saved[128] = "";
    const bool as_they_are = s[HITS] + s[MISSES] + s[REFUSED] == 0; /* on a CPU with generic pointers */
    if (s[LOADS] || (as_they_are && s[BUILDS]))
        snprintf(saved, sizeof saved, "; %llu of %llu builds of the driver saved, %.2f s", s[LOADS],
                 s[LOADS] + s[BUILDS], (double)s[SAVED] / 1e6);
    if (s[REFUSED]) snprintf(refused, sizeof refused, " (%llu refused)", s[REFUSED]);
    if (as_they_are)
        nf_print_error("%llu module%s left as %s%s", s[MODULES], plural(s[MODULES]),
                       s[MODULES] == 1 ? "it is" : "they are", saved);
    else
        nf_print_error(
            "%llu module%s%s, %llu kernel%s: %llu of %llu generic accesses made static, %llu predicated, %llu "
            "dispatched; %llu of %llu from the cache; %.1f ms%s",
            s[MODULES], plural(s[MODULES]), refused, s[KERNELS], plural(s[KERNELS]), s[STATIC], s[GENERIC],
            s[PREDICATED], s[DISPATCHED], s[HITS], s[HITS] + s[MISSES], (double)s[TIME] / 1000, saved);
}

/* Waits for the command, and meanwhile ignores SIGINT and SIGQUIT and forwards SIGTERM and SIGHUP to it. Returns the
 * command's exit status as a shell shows it; NF_EXIT_TROUBLE if waiting fails. */
static int wait_for(pid_t child)
{
    static const int numbers[] = {SIGINT, SIGQUIT, SIGTERM, SIGHUP};
    struct sigaction action = {0};
    int status = 0;
    command_pid = child;
    /* A terminal sends the first two to the command as well. */
    for (int i = 0; i < 4; i++) {
        action.sa_handler = i < 2 ? SIG_IGN : forward;
        sigaction(numbers[i], &action, NULL);
    }
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR) return NF_EXIT_TROUBLE;
    command_pid = 0;
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

/* Starts the command in the child. Writes a byte to `failed` if that fails; otherwise exec closes the pipe. */
static _Noreturn void start_in_child(char **command, int (*start)(char **, const void *), const void *what, int failed)
{
    int status = start(command, what);
    ssize_t sent = write(failed, "x", 1);
    _exit(sent == 1 ? status : NF_EXIT_TROUBLE);
}

int nf_run_with_summary(char **command, int (*start)(char **command, const void *what), const void *what)
{
    const char *given = getenv("TMPDIR"), *folder = given && *given == '/' ? given : "/tmp";
    char path[4096], byte;
    int failed[2];
    snprintf(path, sizeof path, "%s/nonflat-summary-XXXXXX", folder);
    int descriptor = mkostemp(path, O_CLOEXEC);
    if (descriptor < 0) return nf_print_error("run: cannot make a file in %s: %s", folder, strerror(errno));
    close(descriptor);
    setenv("NONFLAT_SUMMARY", path, 1);
    pid_t child = pipe2(failed, O_CLOEXEC) < 0 ? -1 : fork();
    if (child == 0) start_in_child(command, start, what, failed[1]);
    int status = NF_EXIT_TROUBLE;
    if (child < 0) {
        nf_print_error("run: cannot start a process: %s", strerror(errno));
    } else {
        close(failed[1]);
        bool is_started = read(failed[0], &byte, 1) == 0;
        status = wait_for(child);
        if (is_started) print_summary(path);
    }
    unlink(path);
    return status;
}
