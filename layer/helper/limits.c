/* SPDX-License-Identifier: Apache-2.0 */
/*
 * limits.c - resource limits of a program that the application's process starts and waits for: LLVM uses gigabytes and
 * minutes for some modules of a few kilobytes. Takes command-line arguments. A program that exceeds its limit of memory
 * or time prints one line and ends; a program whose parent has ended ends silently.
 */
#include "layer/helper/helper.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

static unsigned long memory_limit, time_limit;

/* Returns true if `argument` is `name` and a positive number. */
static bool take_number(const char *argument, const char *name, unsigned long *number)
{
    size_t length = strlen(name);
    char *end;
    if (strncmp(argument, name, length) != 0) return false;
    errno = 0;
    *number = strtoul(argument + length, &end, 10);
    return argument[length] >= '1' && argument[length] <= '9' && *end == '\0' && errno == 0;
}

/* Lowers a limit; a lower existing limit remains. */
static void limit(int resource, rlim_t soft, rlim_t hard)
{
    struct rlimit now;
    if (getrlimit(resource, &now) != 0) return;
    if (hard < now.rlim_max) now.rlim_max = hard;
    if (soft < now.rlim_cur) now.rlim_cur = soft;
    if (now.rlim_cur > now.rlim_max) now.rlim_cur = now.rlim_max;
    setrlimit(resource, &now);
}

static void on_time_limit(int signal_number)
{
    (void)signal_number;
    nf_helper_stop(NF_EXIT_LIMIT, "more processor time is needed than it may take", time_limit, "seconds");
}

void nf_helper_out_of_memory(void)
{
    nf_helper_stop(NF_EXIT_LIMIT, "more memory is needed than it may take", memory_limit, "megabytes");
}

static void limit_memory(unsigned long megabytes)
{
    rlim_t bytes = (rlim_t)megabytes << 20;
    memory_limit = megabytes;
    limit(RLIMIT_AS, bytes, bytes);
    limit(RLIMIT_FSIZE, bytes, bytes); /* no output file may be larger */
    limit(RLIMIT_CORE, 0, RLIM_INFINITY);
}

/* Returns the time limit, or the host's limit for its children if that is lower. At the hard limit the kernel kills the
 * process without a message. The layer would take that for a kill from outside and run the process again, so the
 * process ends itself earlier. */
static unsigned long effective_time_limit(unsigned long seconds)
{
    struct rlimit now;
    if (getrlimit(RLIMIT_CPU, &now) != 0) return seconds;
    if (now.rlim_max > 1 && now.rlim_max <= seconds) seconds = (unsigned long)now.rlim_max - 1;
    return now.rlim_cur > 0 && now.rlim_cur < seconds ? (unsigned long)now.rlim_cur : seconds;
}

static void limit_time(unsigned long seconds)
{
    struct sigaction action = {.sa_handler = on_time_limit, .sa_flags = SA_ONSTACK};
    seconds = effective_time_limit(seconds);
    time_limit = seconds;
    sigaction(SIGXCPU, &action, NULL);
    limit(RLIMIT_CPU, seconds, seconds + 2);
}

/* Ends the process with its parent. The kernel sends the signal when the thread that created this process ends, which
 * may have happened already. A script may be between the two processes. If the parent is outside of this PID namespace,
 * getppid() returns 0. */
static void follow(unsigned long parent)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    unsigned long now = (unsigned long)getppid();
    if (now != parent && now != 0 && kill((pid_t)parent, 0) != 0 && errno == ESRCH) _exit(NF_EXIT_LIMIT);
}

bool nf_helper_take_limit(const char *argument)
{
    unsigned long number;
    if (take_number(argument, "--memory=", &number))
        limit_memory(number);
    else if (take_number(argument, "--seconds=", &number))
        limit_time(number);
    else if (take_number(argument, "--parent=", &number))
        follow(number);
    else
        return false;
    return true;
}
