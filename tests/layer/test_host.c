/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_host.c - effects of other code in the process on the layer while it builds: canceled threads, small stacks, a
 * changing environment, no free descriptors.
 */
#define _GNU_SOURCE
#include "common.h"

#include <dirent.h>
#include <errno.h>
#include <fenv.h>
#include <limits.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#ifndef SYS_readlink /* newer processors have one of the two */
#define SYS_readlink SYS_readlinkat
#endif

static void sleep_for(long milliseconds)
{
    struct timespec time = {milliseconds / 1000, milliseconds % 1000 * 1000000};
    while (nanosleep(&time, &time) != 0 && errno == EINTR)
        ;
}

static int count_descriptors(void)
{
    int count = 0;
    DIR *list = opendir("/proc/self/fd");
    assert_non_null(list);
    while (readdir(list))
        count++;
    closedir(list);
    return count;
}

/* Builds with new options, so that the translator runs. */
static cl_int build_anew(cl_program program)
{
    static atomic_int number;
    char options[32];
    snprintf(options, sizeof options, "-n%d", atomic_fetch_add(&number, 1));
    return clBuildProgram(program, 0, NULL, options, NULL, NULL);
}

/* ---- cancellation of a thread that builds ------------------------------------------------------------------------ */

static void *build_it(void *program)
{
    build_anew(program);
    return NULL;
}

static void a_canceled_thread_leaves_nothing_behind(void **unused)
{
    (void)unused;
    cl_context context = make_context(STUB_SPIR);
    cl_program program = make_program(context, &generic_module);
    assert_int_equal(build_anew(program), CL_SUCCESS);
    int before = count_descriptors();
    for (int i = 0; i < 12; i++) {
        pthread_t thread;
        setenv("FAKE_SPIR", i % 3 ? "fine" : "slow", 1);
        cl_program other = make_program(context, i % 2 ? &spec_module : &generic_module);
        assert_int_equal(pthread_create(&thread, NULL, build_it, other), 0);
        sleep_for(i * 5);
        pthread_cancel(thread);
        pthread_join(thread, NULL);
        setenv("FAKE_SPIR", "fine", 1);
        assert_int_not_equal(build_anew(other), CL_INVALID_OPERATION); /* the program would still count as being
                                                                        * built */
        clReleaseProgram(other);
    }
    assert_int_equal(count_descriptors(), before);
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1); /* no child process remains */
    clReleaseProgram(program);
    clReleaseContext(context);
}

/* ---- the environment changes ------------------------------------------------------------------------------------- */

static atomic_bool go_on;

enum { COMING_AND_GOING = 64 };

static void name_variable(int number, char into[32])
{
    snprintf(into, 32, "OCL_NAME_%d=value", number);
}

/* Removes and adds variables in the existing list, as unsetenv() does; setenv() is not used, because it may free the
 * list. */
static void *change_environment(void *variables)
{
    char(*texts)[32] = variables;
    while (atomic_load(&go_on)) {
        char name[32];
        size_t end = 0;
        for (int i = 0; i < COMING_AND_GOING; i++) {
            snprintf(name, sizeof name, "OCL_NAME_%d", i);
            unsetenv(name);
        }
        while (environ[end])
            end++;
        for (int i = 0; i < COMING_AND_GOING; i++, end++) {
            environ[end + 1] = NULL;
            environ[end] = texts[i];
        }
    }
    return NULL;
}

/* No code can read an environment that grows in another thread, because the C library frees the old list; one whose
 * entries change in place can be read at any time. */
static void the_environment_changes(void **unused)
{
    (void)unused;
    pthread_t thread;
    cl_context context = make_context(STUB_SPIR), fast = make_context(STUB_FAST);
    char **before = environ, texts[COMING_AND_GOING][32];
    size_t count = 0;
    while (before[count])
        count++;
    char **list = calloc(count + COMING_AND_GOING + 1, sizeof *list);
    assert_non_null(list);
    memcpy(list, before, count * sizeof *list);
    for (int i = 0; i < COMING_AND_GOING; i++)
        name_variable(i, list[count + (size_t)i] = texts[i]);
    environ = list;
    atomic_store(&go_on, true);
    assert_int_equal(pthread_create(&thread, NULL, change_environment, texts), 0);
    for (int i = 0; i < 10; i++) {
        cl_program program = make_program(context, &generic_module), other = make_program(fast, &generic_module);
        build_anew(program);
        build_anew(other);
        clReleaseProgram(program);
        clReleaseProgram(other);
    }
    atomic_store(&go_on, false);
    pthread_join(thread, NULL);
    environ = before;
    free(list);
    clReleaseContext(context);
    clReleaseContext(fast);
}

/* ---- a small stack ----------------------------------------------------------------------------------------------- */

/* Asserts nothing, because cmocka supports one thread only. */
static void *use_program(void *context)
{
    char text[256];
    cl_program program = clCreateProgramWithIL(context, generic_module.data, generic_module.size, NULL);
    intptr_t error = program ? build_anew(program) : CL_INVALID_PROGRAM;
    clGetProgramInfo(program, CL_PROGRAM_KERNEL_NAMES, sizeof text, text, NULL);
    if (program) clReleaseProgram(program);
    return (void *)error;
}

static void a_thread_has_a_small_stack(void **unused)
{
    static const enum stub_device kinds[] = {STUB_IL, STUB_SPIR, STUB_FAST};
    (void)unused;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        pthread_attr_t attributes;
        pthread_t thread;
        void *error = NULL;
        cl_context context = make_context(kinds[i]);
        pthread_attr_init(&attributes);
        assert_int_equal(pthread_attr_setstacksize(&attributes, 48 * 1024), 0);
        assert_int_equal(pthread_create(&thread, &attributes, use_program, context), 0);
        pthread_join(thread, &error);
        pthread_attr_destroy(&attributes);
        assert_int_equal((intptr_t)error, CL_SUCCESS);
        clReleaseContext(context);
    }
}

/* ---- no descriptors ---------------------------------------------------------------------------------------------- */

/* Opens files up to the limit, except for `free` descriptors; the translator inherits none of them. */
static int use_up(int files[], int most, int free)
{
    int count = 0;
    while (count < most && (files[count] = dup(STDERR_FILENO)) >= 0)
        count++;
    for (int i = 0; i < free && count > 0; i++)
        close(files[--count]);
    return count;
}

static void descriptors_end(void **unused)
{
    enum { LIMIT = 64, MOST_FREE = 12 };
    (void)unused;
    struct rlimit all, few;
    int files[LIMIT], good = 0;
    cl_context context = make_context(STUB_SPIR);
    getrlimit(RLIMIT_NOFILE, &all);
    few = (struct rlimit){LIMIT, all.rlim_max};
    setrlimit(RLIMIT_NOFILE, &few);
    for (int i = 0; i <= MOST_FREE; i++) {
        cl_program program = make_program(context, &generic_module);
        int count = use_up(files, LIMIT, i);
        cl_int error = build_anew(program);
        while (count > 0)
            close(files[--count]);
        good += error == CL_SUCCESS;
        assert_true(error == CL_SUCCESS || error == CL_BUILD_PROGRAM_FAILURE);
        if (error != CL_SUCCESS) assert_true(strlen(build_log(program, devices[0][STUB_SPIR])) > 0);
        clReleaseProgram(program);
    }
    setrlimit(RLIMIT_NOFILE, &all);
    assert_true(good > 0 && good < MOST_FREE);
    clReleaseContext(context);
}

/* ---- tests in separate processes --------------------------------------------------------------------------------- */

/* @return how a child that runs `work` ends: its exit status, or 128 plus the signal. */
static int in_child(int (*work)(void))
{
    int status = -1;
    pid_t child = fork();
    if (child == 0) {
        alarm(60);
        _exit(work());
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static const char printed[] = "what nobody reads\n";

/* Returns how many of `count` builds give a bitcode device the correct translated module. */
static int build_many(int count)
{
    cl_context context = make_context(STUB_SPIR);
    int good = 0;
    for (int i = 0; i < count; i++) {
        cl_program program = make_program(context, i % 2 ? &spec_module : &generic_module);
        bool built = build_anew(program) == CL_SUCCESS && stub->module.size > 100;
        good += built && !memmem(stub->module.data, stub->module.size, printed, sizeof printed - 1);
        clReleaseProgram(program);
    }
    clReleaseContext(context);
    return good;
}

/* ---- a host without the first three descriptors that writes to them ---------------------------------------------- */

static void *print(void *unused)
{
    while (atomic_load(&go_on))
        for (int i = 0; i < 3; i++)
            if (write(i, printed, sizeof printed - 1) < 0) continue;
    return unused;
}

static int build_without_streams(void)
{
    pthread_t thread;
    for (int i = 0; i < 3; i++)
        close(i);
    atomic_store(&go_on, true);
    if (pthread_create(&thread, NULL, print, NULL) != 0) return 1;
    int good = build_many(20);
    atomic_store(&go_on, false);
    pthread_join(thread, NULL);
    return good == 20 ? 0 : 2;
}

static void what_a_host_prints_goes_nowhere(void **unused)
{
    (void)unused;
    assert_int_equal(in_child(build_without_streams), 0);
}

/* ---- signals ----------------------------------------------------------------------------------------------------- */

static atomic_int alarms;

static void count_alarm(int signal)
{
    (void)signal;
    atomic_fetch_add(&alarms, 1);
}

static int build_under_alarms(void)
{
    const struct sigaction action = {.sa_handler = count_alarm}; /* without SA_RESTART, so that system calls are
                                                                  * interrupted */
    const struct itimerval often = {{0, 200}, {0, 200}}, never = {{0, 0}, {0, 0}};
    sigaction(SIGALRM, &action, NULL);
    setitimer(ITIMER_REAL, &often, NULL);
    int good = build_many(20);
    setitimer(ITIMER_REAL, &never, NULL);
    return good == 20 && atomic_load(&alarms) > 20 ? 0 : 1;
}

static void signals_come_all_the_time(void **unused)
{
    (void)unused;
    assert_int_equal(in_child(build_under_alarms), 0);
}

static void *page;

static void make_writable(int signal)
{
    (void)signal;
    if (mprotect(page, (size_t)sysconf(_SC_PAGESIZE), PROT_READ | PROT_WRITE) != 0) _exit(3);
}

/* Hosts with a garbage collector write to protected pages and handle the signal. */
static int build_with_faults(void)
{
    static const enum stub_device kinds[] = {STUB_IL, STUB_GPU, STUB_GENERIC};
    const struct sigaction action = {.sa_handler = make_writable};
    size_t size = (size_t)sysconf(_SC_PAGESIZE);
    sigaction(SIGSEGV, &action, NULL);
    sigaction(SIGBUS, &action, NULL);
    page = mmap(NULL, size, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (page == MAP_FAILED) return 1;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        cl_context context = make_context(kinds[i]);
        cl_program program = make_program(context, &generic_module);
        mprotect(page, size, PROT_READ);
        atomic_store(&stub->touch, page);
        if (build_anew(program) != CL_SUCCESS) return 2;
        atomic_store(&stub->touch, NULL);
        clReleaseProgram(program);
        clReleaseContext(context);
    }
    return 0;
}

static void a_fault_in_a_build_is_the_hosts(void **unused)
{
    (void)unused;
    assert_int_equal(in_child(build_with_faults), 0);
}

/* Some hosts enable a signal for inexact floating-point results. */
static int build_exactly(void)
{
    feenableexcept(FE_ALL_EXCEPT);
    return build_many(2) == 2 ? 0 : 1;
}

static void inexact_numbers_raise_signals(void **unused)
{
    (void)unused;
    assert_int_equal(in_child(build_exactly), 0);
}

/* ---- a sandbox --------------------------------------------------------------------------------------------------- */

/* Processes may be started, and files written; less common system calls end the process. */
static int build_in_sandbox(void)
{
    static const unsigned forbidden[] = {SYS_process_vm_readv, SYS_pidfd_open, SYS_memfd_create, SYS_ptrace, SYS_kcmp,
                                         SYS_readlink,         SYS_readlinkat, SYS_personality};
    forbid_calls(forbidden, sizeof forbidden / sizeof *forbidden, SECCOMP_RET_KILL_PROCESS);
    return build_many(2) == 2 ? 0 : 1;
}

/* Neither threads nor processes can be started: modules that need none are built, and the others fail with the
 * reason. */
static int build_alone(void)
{
    static const enum stub_device kinds[] = {STUB_IL, STUB_GPU, STUB_FAST, STUB_GENERIC};
    static const unsigned starting[] = {SYS_clone, SYS_clone3};
    forbid_calls(starting, 2, SECCOMP_RET_ERRNO | EPERM);
    for (size_t i = 0; i <= sizeof kinds / sizeof *kinds; i++) {
        enum stub_device kind = i ? kinds[i - 1] : STUB_SPIR;
        cl_context context = make_context(kind);
        cl_program program = make_program(context, &generic_module);
        cl_int error = build_anew(program);
        if (error != (kind == STUB_SPIR ? CL_BUILD_PROGRAM_FAILURE : CL_SUCCESS)) return 2;
        if (error != CL_SUCCESS && !strstr(build_log(program, devices[0][kind]), "could not be started")) return 3;
        clReleaseProgram(program);
        clReleaseContext(context);
    }
    return check_nothing_left(NULL) ? 4 : 0;
}

static void nothing_can_be_started(void **unused)
{
    (void)unused;
    assert_int_equal(in_child(build_alone), 0);
}

static void a_sandbox_forbids_what_few_need(void **unused)
{
    (void)unused;
    assert_int_equal(in_child(build_in_sandbox), 0);
}

/* Builds in a process that is in the sandbox from its start, so that the layer also reads its settings and searches for
 * its programs there. */
static int begin_in_sandbox(void)
{
    static const unsigned links[] = {SYS_readlink, SYS_readlinkat};
    forbid_calls(links, sizeof links / sizeof *links, SECCOMP_RET_KILL_PROCESS);
    find_stub(NULL);
    int status = build_in_sandbox();
    free_modules(NULL);
    unlink(getenv("NONFLAT_CONFIG"));
    return status;
}

/* Writes settings for another application, so that the layer has to determine the name of this one. */
static void write_settings(void)
{
    static const char text[] = "[application another]\nmode = off\n";
    char path[] = "/tmp/nonflat-settings-XXXXXX";
    int file = mkstemp(path);
    if (file < 0 || write(file, text, sizeof text - 1) < 0) _exit(3);
    close(file);
    setenv("NONFLAT_CONFIG", path, 1);
}

static int begin_anew(void)
{
    write_settings();
    setenv("NONFLAT_GUARD", "on", 1); /* the trial program is searched for next to the layer */
    execl("/proc/self/exe", "layer_host", "sandbox", (char *)NULL);
    return 2;
}

static void a_sandbox_from_the_start_on(void **unused)
{
    (void)unused;
    assert_int_equal(in_child(begin_anew), 0);
}

int main(int count, char *arguments[])
{
    if (count > 1 && strcmp(arguments[1], "sandbox") == 0) return begin_in_sandbox();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(a_canceled_thread_leaves_nothing_behind, check_nothing_left),
        cmocka_unit_test_teardown(the_environment_changes, check_nothing_left),
        cmocka_unit_test_teardown(a_thread_has_a_small_stack, check_nothing_left),
        cmocka_unit_test_teardown(descriptors_end, check_nothing_left),
        cmocka_unit_test(what_a_host_prints_goes_nowhere),
        cmocka_unit_test(signals_come_all_the_time),
        cmocka_unit_test(a_fault_in_a_build_is_the_hosts),
        cmocka_unit_test(inexact_numbers_raise_signals),
        cmocka_unit_test(a_sandbox_forbids_what_few_need),
        cmocka_unit_test(a_sandbox_from_the_start_on),
        cmocka_unit_test(nothing_can_be_started),
    };
    return cmocka_run_group_tests(tests, find_stub, free_modules);
}
