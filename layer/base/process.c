/* SPDX-License-Identifier: Apache-2.0 */
/*
 * process.c - identifies a process in files that several machines share, and determines whether it still runs. Takes a
 * record that a process wrote about itself, perhaps on another machine; gives the state of that process: it runs, has
 * ended, or is unknown here.
 *
 *     host A, process 4711, begun at tick 815   ->   on A: /proc/4711/stat tells; on B: unknown
 *
 * Hazard: process IDs are reused, and each machine and each container counts its own. So the record also has the start
 * time, the kernel's boot ID and the PID namespace.
 */
#define _GNU_SOURCE
#include "layer/base/base.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Reads the beginning of a file of /proc as a string; "" if it cannot be read. Returns 0 or the error. */
static int read_start(const char *path, char *text, size_t size)
{
    int file = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t got = file >= 0 ? read(file, text, size - 1) : -1;
    int error = got < 0 ? errno : 0;
    if (file >= 0) close(file);
    text[got > 0 ? got : 0] = '\0';
    return error;
}

/* Returns the start time of a process in clock ticks: field 22 of /proc/PID/stat. Field 2, the command, may contain
 * blanks and parentheses; the last ')' of the line ends it. Returns 0 if there is no such process, if it has ended and
 * its parent has not noticed, or if /proc is unreadable; `*error` is then the error of reading it, or 0. */
static uint64_t find_start(int64_t process, int *error)
{
    enum { FIRST_BEHIND = 3, STARTED = 22 };
    char name[48], text[1024];
    snprintf(name, sizeof name, "/proc/%lld/stat", (long long)process);
    *error = read_start(name, text, sizeof text);
    const char *at = strrchr(text, ')');
    if (at && (strncmp(at, ") Z", 3) == 0 || strncmp(at, ") X", 3) == 0)) return 0;
    for (int field = FIRST_BEHIND - 1; at && field < STARTED; field++)
        at = strchr(at + 1, ' ');
    return at ? strtoull(at + 1, NULL, 10) : 0;
}

static struct nf_cl_process here; /* the machine and its namespace; the other fields change after a fork */
static pthread_once_t here_once = PTHREAD_ONCE_INIT;

static void find_machine(void)
{
    struct stat info;
    read_start("/proc/sys/kernel/random/boot_id", here.machine, sizeof here.machine);
    if (stat("/proc/self/ns/pid", &info) == 0) here.pid_namespace = info.st_ino;
}

struct nf_cl_process nf_cl_process_self(void)
{
    static _Atomic(int64_t) known; /* the process whose start time is `started` */
    static _Atomic(uint64_t) started;
    pthread_once(&here_once, find_machine);
    struct nf_cl_process self = here;
    int ignored;
    self.id = getpid();
    if (atomic_load(&known) != self.id) {
        atomic_store(&started, find_start(self.id, &ignored));
        atomic_store(&known, self.id);
    }
    self.started = atomic_load(&started);
    return self;
}

enum nf_cl_liveness nf_cl_process_state(const struct nf_cl_process *process)
{
    pthread_once(&here_once, find_machine);
    bool same = *here.machine && process->started && process->pid_namespace == here.pid_namespace &&
                memcmp(process->machine, here.machine, sizeof here.machine) == 0;
    if (!same) return NF_CL_NOT_KNOWN_HERE;
    int error;
    if (find_start(process->id, &error) == process->started) return NF_CL_RUNS;
    /* Any other error, such as too many open files, does not tell whether the process exists. */
    return error && error != ENOENT && error != ESRCH ? NF_CL_NOT_KNOWN_HERE : NF_CL_ENDED;
}
