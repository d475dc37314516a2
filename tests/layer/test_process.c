/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_process.c - unit tests of two files of layer/base: the state of another process, as process.c determines it, and
 * the jobs of worker.c in a child of fork().
 */
#define _GNU_SOURCE
#include "layer/base/base.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#include <stdatomic.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static int exit_status(pid_t child)
{
    int status = -1;
    assert_int_equal(waitpid(child, &status, 0), child);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* ---- process.c --------------------------------------------------------------------------------------------------- */

/* A process that runs has not ended for a process that cannot open any file. */
static void without_a_descriptor_nothing_is_known(void **unused)
{
    const struct nf_cl_process self = nf_cl_process_self();
    const struct rlimit none = {0, 0};
    (void)unused;
    assert_int_equal(nf_cl_process_state(&self), NF_CL_RUNS);
    pid_t child = fork();
    if (child == 0) {
        if (nf_cl_process_state(&self) != NF_CL_RUNS || setrlimit(RLIMIT_NOFILE, &none) != 0) _exit(2);
        _exit(nf_cl_process_state(&self) != NF_CL_NOT_KNOWN_HERE);
    }
    assert_int_equal(exit_status(child), 0);
}

/* A process has ended even if its parent has not waited for it. */
static void a_process_that_has_ended(void **unused)
{
    int ends[2];
    struct nf_cl_process process;
    siginfo_t info;
    (void)unused;
    assert_int_equal(pipe(ends), 0);
    pid_t child = fork();
    if (child == 0) {
        process = nf_cl_process_self();
        _exit(write(ends[1], &process, sizeof process) != sizeof process);
    }
    assert_int_equal(read(ends[0], &process, sizeof process), sizeof process);
    assert_int_equal(waitid(P_PID, (id_t)child, &info, WEXITED | WNOWAIT), 0);
    assert_int_equal(nf_cl_process_state(&process), NF_CL_ENDED);
    assert_int_equal(exit_status(child), 0);
    assert_int_equal(nf_cl_process_state(&process), NF_CL_ENDED);
    close(ends[0]);
    close(ends[1]);
}

/* ---- worker.c ---------------------------------------------------------------------------------------------------- */

static atomic_int begun, allowed, counted;

static void await(atomic_int *flag)
{
    const struct timespec pause = {0, 1000000};
    while (!atomic_load(flag))
        nanosleep(&pause, NULL);
}

static void run_long(struct nf_cl_job *job)
{
    (void)job;
    atomic_store(&begun, 1);
    await(&allowed);
}

static void run_count(struct nf_cl_job *job)
{
    (void)job;
    atomic_fetch_add(&counted, 1);
}

static void run_end(struct nf_cl_job *job)
{
    (void)job;
    _exit(atomic_load(&counted));
}

/* A job that waits when the process forks runs once, in the parent. */
static void a_child_runs_its_own_jobs(void **unused)
{
    static struct nf_cl_job running = {.run = run_long}, waiting = {.run = run_count, .weight = 100},
                            own = {.run = run_end};
    (void)unused;
    nf_cl_defer(&running);
    await(&begun);
    nf_cl_defer(&waiting);
    pid_t child = fork();
    if (child == 0) {
        nf_cl_defer(&own);
        pause(); /* until the worker ends the process */
    }
    assert_int_equal(exit_status(child), 0);
    atomic_store(&allowed, 1);
    await(&counted);
    assert_int_equal(counted, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_a_descriptor_nothing_is_known),
        cmocka_unit_test(a_process_that_has_ended),
        cmocka_unit_test(a_child_runs_its_own_jobs),
    };
    alarm(30); /* ends the process if a child waits forever */
    return cmocka_run_group_tests(tests, NULL, NULL);
}
