/* SPDX-License-Identifier: Apache-2.0 */
/*
 * spawn.c - starts a helper program from the application's process: with three descriptors only, in its own process
 * group, with the default action of all signals. Takes arguments, environment and descriptors. Gives the process id.
 */
#define _GNU_SOURCE
#include "layer/translate/translate.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

int nf_cl_open_placeholder(void)
{
    return open("/", O_PATH | O_DIRECTORY | O_CLOEXEC);
}

int nf_cl_hold_low(int held[NF_CL_STREAMS])
{
    int count = 0;
    while (count < NF_CL_STREAMS) {
        int file = nf_cl_open_placeholder();
        if (file >= NF_CL_STREAMS) close(file);
        if (file < 0 || file >= NF_CL_STREAMS) break;
        held[count++] = file;
    }
    return count;
}

/* ---- the environment ---- */

/* Returns true for a variable that the program does not inherit: a variable of `own`, or LD_PRELOAD unless the program
 * uses the application's driver. */
static bool is_replaced(const char *variable, char *const *own, bool takes_preloads)
{
    size_t name = strcspn(variable, "=") + 1;
    while (own && *own && strncmp(*own, variable, name) != 0)
        own++;
    return (strncmp(variable, "LD_PRELOAD=", 11) == 0 && !takes_preloads) || (own && *own);
}

char **nf_cl_make_environment(char *const *own, bool takes_preloads)
{
    static char path[] = "PATH=/usr/bin:/bin", locale[] = "LC_ALL=C";
    size_t count = 0, kept = 0, more = 0;
    bool secure = nf_cl_config()->secure;
    while (!secure && nf_cl_variable(count))
        count++;
    while (own && own[more])
        more++;
    char **copy = calloc(count + more + 3, sizeof *copy), *variable;
    if (copy && secure) {
        copy[kept++] = path;
        copy[kept++] = locale;
    }
    for (size_t i = 0; copy && !secure && i < count && (variable = nf_cl_variable(i)); i++)
        if (!is_replaced(variable, own, takes_preloads)) copy[kept++] = variable;
    if (copy && more) memcpy(copy + kept, own, more * sizeof *copy);
    return copy;
}

/* ---- the process ---- */

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

int nf_cl_spawn(char *const arguments[], char *const environment[], const int streams[NF_CL_STREAMS], pid_t *child)
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    posix_spawn_file_actions_init(&actions);
    posix_spawnattr_init(&attributes);
    int error = set_attributes(&attributes);
    for (int i = 0; i < NF_CL_STREAMS && !error; i++)
        error = posix_spawn_file_actions_adddup2(&actions, streams[i], i);
    if (!error) error = posix_spawn_file_actions_addclosefrom_np(&actions, NF_CL_STREAMS);
    if (!error) error = posix_spawn(child, arguments[0], &actions, &attributes, arguments, environment);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return error;
}

bool nf_cl_was_killed(int status)
{
    if (status < 0 || !WIFSIGNALED(status)) return false;
    int by = WTERMSIG(status);
    return by == SIGKILL || by == SIGTERM || by == SIGINT || by == SIGHUP || by == SIGQUIT;
}
