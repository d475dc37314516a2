/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_process.c - unit tests of the state of another process, as layer/base/process.c determines it.
 */
#define _GNU_SOURCE
#include "layer/base/base.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_a_descriptor_nothing_is_known),
        cmocka_unit_test(a_process_that_has_ended),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
