/* SPDX-License-Identifier: Apache-2.0 */
/*
 * translate.c - runs the translator program `nonflat-spir`: SPIR-V on its standard input, SPIR 1.2 bitcode on its
 * standard output, messages on standard error. It carries LLVM, which aborts its process on some modules, so it never
 * lives in ours.
 *
 * Its three streams are nameless files, not pipes: nothing can block on a full pipe, and nothing raises SIGPIPE. It is
 * started with every other descriptor closed, in a process group of its own, and waited for by its own process id; when
 * its time is up the group is killed. It limits its own memory and processor time, and ends when our thread does.
 */
#define _GNU_SOURCE
#include "layer/translate/translate.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

enum { IN, OUT, ERR, STREAMS };
enum { STATUS_UNKNOWN = -1, STATUS_TIMEOUT = -2 };
static const size_t MESSAGE_MAX = 4096;

/* ---- files ---- */

/* A nameless file whose number is not one of the child's three. */
static int nameless_file(void)
{
    int file = memfd_create("nonflat", MFD_CLOEXEC);
    if (file < 0 || file >= STREAMS) return file;
    int high = fcntl(file, F_DUPFD_CLOEXEC, STREAMS);
    close(file);
    return high;
}

/* Read a file from its beginning; the bytes end with a NUL that is not counted. */
static bool read_file(int file, size_t most, struct nf_cl_bytes *bytes)
{
    struct stat info;
    if (fstat(file, &info) != 0 || info.st_size < 0) return false;
    size_t size = (size_t)info.st_size < most ? (size_t)info.st_size : most;
    char *data = malloc(size + 1);
    size_t done = 0;
    while (data && done < size) {
        ssize_t got = pread(file, data + done, size - done, (off_t)done);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) break;
        done += (size_t)got;
    }
    if (!data) return false;
    data[done] = '\0';
    bytes->data = data;
    bytes->size = done;
    return true;
}

/* ---- the process ---- */

/* A privileged process gives it nothing of its environment; others keep their preloads to themselves. */
static char **make_environment(void)
{
    static char *const clean[] = {"PATH=/usr/bin:/bin", "LC_ALL=C", NULL};
    size_t count = 0, kept = 0;
    char *const *source = nf_cl_config()->secure ? clean : environ;
    while (source[count])
        count++;
    char **copy = calloc(count + 1, sizeof *copy);
    for (size_t i = 0; copy && i < count; i++)
        if (strncmp(source[i], "LD_PRELOAD=", 11) != 0) copy[kept++] = source[i];
    return copy;
}

static int set_attributes(posix_spawnattr_t *attributes)
{
    sigset_t none, all;
    sigemptyset(&none);
    sigfillset(&all);
    posix_spawnattr_setsigmask(attributes, &none);
    posix_spawnattr_setsigdefault(attributes, &all);
    posix_spawnattr_setpgroup(attributes, 0);
    return posix_spawnattr_setflags(attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
}

static int start(char *const arguments[], const int files[STREAMS], pid_t *child)
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    char **environment = make_environment();
    if (!environment) return ENOMEM;
    posix_spawn_file_actions_init(&actions);
    posix_spawnattr_init(&attributes);
    int error = set_attributes(&attributes);
    for (int i = 0; i < STREAMS && !error; i++)
        error = posix_spawn_file_actions_adddup2(&actions, files[i], i);
    if (!error) error = posix_spawn_file_actions_addclosefrom_np(&actions, STREAMS);
    if (!error) error = posix_spawn(child, arguments[0], &actions, &attributes, arguments, environment);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    free(environment);
    return error;
}

static double seconds_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/* Sleep until the child may have ended, `left` seconds at most. */
static void doze(int handle, double left)
{
    if (handle >= 0) {
        struct pollfd wait = {handle, POLLIN, 0};
        poll(&wait, 1, (int)(left * 1000) + 1);
    } else {
        struct timespec pause = {0, 2000000};
        nanosleep(&pause, NULL);
    }
}

/* @return its wait status, STATUS_TIMEOUT, or STATUS_UNKNOWN when the host ignores or reaps its children. */
static int wait_for(pid_t child, unsigned timeout)
{
    double end = seconds_now() + timeout;
    int handle = (int)syscall(SYS_pidfd_open, child, 0), status = 0;
    for (;;) {
        pid_t got = waitpid(child, &status, WNOHANG);
        double left = end - seconds_now();
        if (got == child || (got < 0 && errno != EINTR)) {
            status = got == child ? status : STATUS_UNKNOWN;
            break;
        }
        if (left <= 0) {
            kill(-child, SIGKILL);
            kill(child, SIGKILL);
            while (waitpid(child, &status, 0) < 0 && errno == EINTR)
                ;
            status = STATUS_TIMEOUT;
            break;
        }
        doze(handle, left);
    }
    if (handle >= 0) close(handle);
    return status;
}

/* ---- the outcome ---- */

static bool is_bitcode(const struct nf_cl_bytes *bytes)
{
    const unsigned char *data = bytes->data;
    return bytes->size >= 4 && data[0] == 'B' && data[1] == 'C' && data[2] == 0xC0 && data[3] == 0xDE;
}

/* @return what went wrong in words, or NULL when nothing did. */
static char *judge(int status, const struct nf_cl_bytes *bitcode, const char *said)
{
    const char *colon = *said ? ": " : "";
    if (status == STATUS_TIMEOUT)
        return nf_cl_format("the translator did not end within %u seconds and was stopped%s%s",
                            nf_cl_config()->spir_timeout, colon, said);
    if (status != STATUS_UNKNOWN && WIFSIGNALED(status))
        return nf_cl_format("the translator crashed (%s)%s%s", strsignal(WTERMSIG(status)), colon, said);
    if (status != STATUS_UNKNOWN && WEXITSTATUS(status) == 127 && !*said)
        return nf_cl_format("the translator could not be started");
    if (status != STATUS_UNKNOWN && WEXITSTATUS(status) != 0)
        return nf_cl_format("the translator refused the module (%d)%s%s", WEXITSTATUS(status), colon, said);
    if (!is_bitcode(bitcode)) return nf_cl_format("the translator gave no bitcode%s%s", colon, said);
    return NULL;
}

static char *run(const char *path, const char *family, bool globals, const int files[STREAMS],
                 struct nf_cl_bytes *bitcode)
{
    pid_t child = -1;
    const struct nf_cl_config *config = nf_cl_config();
    char *options[] = {nf_cl_format("--device=%s", family), nf_cl_format("--parent=%ld", (long)getpid()),
                       nf_cl_format("--memory=%u", config->spir_memory),
                       nf_cl_format("--seconds=%u", config->spir_timeout)};
    char *arguments[] = {
        (char *)path, options[0], options[1], options[2], options[3], "--short-names", globals ? "--globals" : NULL,
        NULL};
    int error = options[0] && options[1] && options[2] && options[3] ? start(arguments, files, &child) : ENOMEM;
    for (size_t i = 0; i < sizeof options / sizeof options[0]; i++)
        free(options[i]);
    if (error) return nf_cl_format("the translator %s could not be started: %s", path, strerror(error));
    int status = wait_for(child, config->spir_timeout);
    struct nf_cl_bytes said = {NULL, 0};
    if (!read_file(files[OUT], SIZE_MAX, bitcode) || !read_file(files[ERR], MESSAGE_MAX, &said)) {
        free(said.data);
        return nf_cl_format("out of memory");
    }
    char *problem = judge(status, bitcode, said.data);
    free(said.data);
    return problem;
}

bool nf_cl_translate(const char *family, bool globals, const void *module, size_t size, struct nf_cl_bytes *bitcode,
                     char **message)
{
    int files[STREAMS] = {nameless_file(), nameless_file(), nameless_file()};
    const char *path = nf_cl_translator();
    bitcode->data = NULL;
    bitcode->size = 0;
    if (!path)
        *message = nf_cl_format("this device takes bitcode only, and the translator nonflat-spir was not found");
    else if (files[IN] < 0 || files[OUT] < 0 || files[ERR] < 0 || !nf_cl_write_fully(files[IN], module, size) ||
             lseek(files[IN], 0, SEEK_SET) != 0)
        *message = nf_cl_format("cannot make a temporary file: %s", strerror(errno));
    else
        *message = run(path, family, globals, files, bitcode);
    for (int i = 0; i < STREAMS; i++)
        if (files[i] >= 0) close(files[i]);
    if (!*message) return true;
    free(bitcode->data);
    bitcode->data = NULL;
    bitcode->size = 0;
    return false;
}
