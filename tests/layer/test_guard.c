/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_guard.c - drivers that end the process: a build is first tried in another process, and if that dies, the build
 * fails with a message. The test layer dying.c, below Nonflat, ends its process in several ways. The test starts itself
 * again for each process that shares a cache.
 */
#define _GNU_SOURCE
#include "common.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static const char *self;
static char folder[96], builds[128], processes[128];

static int count_lines(const char *path, const char *word)
{
    char line[600];
    int count = 0;
    FILE *file = fopen(path, "r");
    while (file && fgets(line, sizeof line, file))
        count += strncmp(line, word, strlen(word)) == 0;
    if (file) fclose(file);
    return count;
}

/* Returns the number of lines since the last call: builds that were tried, or done. */
static int count_builds(const char *word)
{
    return count_lines(builds, word);
}

static int count_processes(void)
{
    return count_lines(processes, "");
}

static void forget_builds(void)
{
    unlink(builds);
    unlink(processes);
}

/* No process that has tried builds before is used from now on: the environment differs. */
static void use_new_processes(void)
{
    static int number;
    char text[16];
    snprintf(text, sizeof text, "%d", ++number);
    setenv("TEST_TRIAL", text, 1);
}

static cl_build_status status_of(cl_program program)
{
    cl_build_status status = CL_BUILD_NONE;
    clGetProgramBuildInfo(program, devices[0][STUB_IL], CL_PROGRAM_BUILD_STATUS, sizeof status, &status, NULL);
    return status;
}

static void expect_death(cl_program program, const char *options)
{
    assert_int_equal(clBuildProgram(program, 0, NULL, options, NULL, NULL), CL_BUILD_PROGRAM_FAILURE);
    assert_int_equal(status_of(program), CL_BUILD_ERROR);
    const char *log = build_log(program, devices[0][STUB_IL]);
    assert_non_null(strstr(log, "the driver ended the separate process"));
    assert_non_null(strstr(log, "panicked at stub.rs"));
    cl_int error = CL_SUCCESS;
    assert_null(clCreateKernel(program, "k", &error));
    assert_int_equal(error, CL_INVALID_PROGRAM_EXECUTABLE);
}

static void a_death_is_a_failed_build(void **unused)
{
    static const char *const ways[] = {"-Ddie=abort", "-Ddie=crash", "-Ddie=exit", "-Ddie=kernels", "-Ddie=launch"};
    (void)unused;
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        cl_context context = make_context(STUB_IL);
        cl_program program = make_program(context, &generic_module);
        use_new_processes();
        forget_builds();
        expect_death(program, ways[i]);
        expect_death(program, ways[i]); /* its result is stored now */
        assert_int_equal(count_builds("tried"), 1);
        assert_int_equal(count_builds("built"), 0);
        assert_int_equal(clBuildProgram(program, 0, NULL, "-Dlive", NULL, NULL), CL_SUCCESS);
        assert_int_equal(status_of(program), CL_BUILD_SUCCESS);
        assert_int_equal(count_builds("tried"), 2);
        assert_int_equal(count_builds("built"), 1);
        cl_int error = -1;
        cl_kernel kernel = clCreateKernel(program, "k", &error);
        assert_int_equal(error, CL_SUCCESS);
        clReleaseKernel(kernel);
        clReleaseProgram(program);
        clReleaseContext(context);
    }
}

/* A driver may depend on preloaded libraries, as Mesa's GPU drivers do if a preloaded library emulates the device. */
static void the_trial_has_the_preloads(void **unused)
{
    (void)unused;
    cl_context context = make_context(STUB_IL);
    cl_program program = make_program(context, &generic_module);
    forget_builds();
    setenv("LD_PRELOAD", "libm.so.6", 1);
    assert_int_equal(clBuildProgram(program, 0, NULL, "-Ddie=bare", NULL, NULL), CL_SUCCESS);
    unsetenv("LD_PRELOAD");
    assert_int_equal(count_builds("tried"), 1);
    assert_int_equal(count_builds("built"), 1);
    clReleaseProgram(program);
    clReleaseContext(context);
}

static void the_reason_comes_last(void **unused)
{
    (void)unused;
    cl_context context = make_context(STUB_IL);
    cl_program program = make_program(context, &generic_module);
    assert_int_equal(clBuildProgram(program, 0, NULL, "-Ddie=talkative", NULL, NULL), CL_BUILD_PROGRAM_FAILURE);
    assert_non_null(
        strstr(build_log(program, devices[0][STUB_IL]), "\na shader that is dumped\nthe reason, at last\naborting\n"));
    clReleaseProgram(program);
    clReleaseContext(context);
}

/* Returns a copy of the generic module that also declares Float64, which the stub's devices do not report. */
static struct bytes with_doubles(void)
{
    enum { HEADER = 20 };
    static const uint32_t declaration[] = {2 << 16 | 17, 10};
    struct bytes module = {malloc(generic_module.size + sizeof declaration), generic_module.size + sizeof declaration};
    char *bytes = (char *)module.data;
    assert_non_null(bytes);
    memcpy(bytes, generic_module.data, HEADER);
    memcpy(bytes + HEADER, declaration, sizeof declaration);
    memcpy(bytes + HEADER + sizeof declaration, (const char *)generic_module.data + HEADER,
           generic_module.size - HEADER);
    return module;
}

static void it_names_what_the_device_does_not_list(void **unused)
{
    static const char name[] = "the module declares Float64, Int64, which the device does not list";
    struct bytes module = with_doubles();
    (void)unused;
    cl_context context = make_context(STUB_IL);
    cl_program program = make_program(context, &module);
    assert_int_equal(clBuildProgram(program, 0, NULL, "-Ddie=abort", NULL, NULL), CL_BUILD_PROGRAM_FAILURE);
    assert_non_null(strstr(build_log(program, devices[0][STUB_IL]), name));
    assert_int_equal(clBuildProgram(program, 0, NULL, "-Dlive", NULL, NULL), CL_SUCCESS);
    assert_null(strstr(build_log(program, devices[0][STUB_IL]), name));
    clReleaseProgram(program);
    program = make_program(context, &module);
    atomic_store(&stub->fail_build, CL_BUILD_PROGRAM_FAILURE);
    assert_int_equal(clBuildProgram(program, 0, NULL, "-Dlive=not", NULL, NULL), CL_BUILD_PROGRAM_FAILURE);
    atomic_store(&stub->fail_build, CL_SUCCESS);
    assert_non_null(strstr(build_log(program, devices[0][STUB_IL]), name));
    clReleaseProgram(program);
    clReleaseContext(context);
    free((void *)module.data);
}

/* A trial builds the module that would be built; it launches a larger copy, in the dimensions in which its kernels
 * return at once. */
static void it_is_the_drivers_own_module(void **unused)
{
    enum { TRIED, COPIED, LAUNCHED, BUILT, LINES };
    static const char *const expected[LINES] = {"tried", "copied", "launched", "built"};
    char word[16];
    size_t numbers[LINES];
    (void)unused;
    cl_context context = make_context(STUB_IL);
    cl_program program = make_program(context, &generic_module);
    forget_builds();
    assert_int_equal(clBuildProgram(program, 0, NULL, "-Dlook", NULL, NULL), CL_SUCCESS);
    FILE *file = fopen(builds, "r");
    assert_non_null(file);
    for (int i = 0; i < LINES; i++) {
        assert_int_equal(fscanf(file, "%15s %zu%*[^\n]", word, &numbers[i]), 2);
        assert_string_equal(word, expected[i]);
    }
    fclose(file);
    assert_int_equal(numbers[TRIED], numbers[BUILT]);
    assert_int_equal(numbers[TRIED], stub->module.size);
    assert_true(numbers[COPIED] > numbers[TRIED]);
    assert_int_equal(numbers[LAUNCHED], 3);
    assert_false(driver_saw_generic());
    clReleaseProgram(program);
    clReleaseContext(context);
}

/* OpenCL C text is tried with the options that the driver gets. */
static void a_text_is_tried_too(void **unused)
{
    char line[256] = "";
    (void)unused;
    cl_context context = make_context(STUB_SOURCE);
    cl_program program = make_program(context, &generic_module);
    use_new_processes();
    forget_builds();
    assert_int_equal(clBuildProgram(program, 0, NULL, "-D N -cl-die=abort", NULL, NULL), CL_BUILD_PROGRAM_FAILURE);
    assert_non_null(strstr(build_log(program, devices[0][STUB_SOURCE]), "the driver ended the separate process"));
    FILE *file = fopen(builds, "r");
    assert_non_null(file);
    assert_non_null(fgets(line, sizeof line, file));
    fclose(file);
    assert_string_equal(line, "tried 0 -cl-die=abort -cl-std=CL1.2\n");
    assert_int_equal(count_builds("built"), 0);
    assert_int_equal(clBuildProgram(program, 0, NULL, "-D N", NULL, NULL), CL_SUCCESS);
    assert_int_equal(count_builds("tried"), 2);
    assert_int_equal(count_builds("built"), 1);
    clReleaseProgram(program);
    clReleaseContext(context);
}

static void compiling_is_tried_too(void **unused)
{
    (void)unused;
    cl_context context = make_context(STUB_IL);
    cl_program program = make_program(context, &callee_module);
    assert_int_equal(clCompileProgram(program, 0, NULL, "-Ddie=abort", 0, NULL, NULL, NULL, NULL),
                     CL_COMPILE_PROGRAM_FAILURE);
    assert_int_equal(clCompileProgram(program, 0, NULL, "-Dlive", 0, NULL, NULL, NULL, NULL), CL_SUCCESS);
    clReleaseProgram(program);
    clReleaseContext(context);
}

static void CL_CALLBACK count_call(cl_program program, void *user)
{
    (void)program;
    ++*(int *)user;
}

static void the_callback_comes_once(void **unused)
{
    (void)unused;
    int calls = 0;
    cl_context context = make_context(STUB_IL);
    cl_program program = make_program(context, &generic_module);
    assert_int_equal(clBuildProgram(program, 0, NULL, "-Ddie=abort -Dcall", count_call, &calls),
                     CL_BUILD_PROGRAM_FAILURE);
    assert_int_equal(calls, 1);
    clReleaseProgram(program);
    clReleaseContext(context);
}

/* NONFLAT_SPIR_TIMEOUT is 12 seconds in this test. The build would not end in this process either, so it is not
 * started. */
static void a_trial_that_does_not_end(void **options)
{
    cl_context context = make_context(STUB_IL);
    cl_program program = make_program(context, &generic_module);
    use_new_processes();
    forget_builds();
    for (int again = 0; again < 2; again++) {
        assert_int_equal(clBuildProgram(program, 0, NULL, *options, NULL, NULL), CL_BUILD_PROGRAM_FAILURE);
        assert_int_equal(status_of(program), CL_BUILD_ERROR);
        assert_non_null(strstr(build_log(program, devices[0][STUB_IL]), "did not end it within 12 seconds"));
        assert_int_equal(count_builds("tried"), 1);
        assert_int_equal(count_builds("built"), 0);
    }
    assert_int_equal(clBuildProgram(program, 0, NULL, "-Dlive", NULL, NULL), CL_SUCCESS);
    clReleaseProgram(program);
    clReleaseContext(context);
}

/* A host that ignores SIGCHLD cannot get the exit statuses of its children. */
static void a_host_that_ignores_its_children(void **unused)
{
    (void)unused;
    cl_context context = make_context(STUB_IL);
    cl_program program = make_program(context, &generic_module);
    signal(SIGCHLD, SIG_IGN);
    expect_death(program, "-Ddie=abort -Dignored");
    assert_int_equal(clBuildProgram(program, 0, NULL, "-Dlive -Dignored", NULL, NULL), CL_SUCCESS);
    signal(SIGCHLD, SIG_DFL);
    clReleaseProgram(program);
    clReleaseContext(context);
}

/* ---- the process that tries ---- */

/* A context, and a program that is built with new options each time, so that no trial has a cached result. */
struct host {
    cl_context context;
    cl_program program;
};

static struct host begin_host(void)
{
    use_new_processes();
    forget_builds();
    cl_context context = make_context(STUB_IL);
    return (struct host){context, make_program(context, &generic_module)};
}

static cl_int build_more(const struct host *host, const char *option)
{
    static atomic_int number;
    char options[64];
    snprintf(options, sizeof options, "-Dn=%d%s", atomic_fetch_add(&number, 1), option);
    return clBuildProgram(host->program, 0, NULL, options, NULL, NULL);
}

static void end_host(const struct host *host)
{
    clReleaseProgram(host->program);
    clReleaseContext(host->context);
}

/* Returns the process that has tried builds last, 0 if there is none. */
static pid_t last_process(void)
{
    char line[32];
    long found = 0;
    FILE *file = fopen(processes, "r");
    while (file && fgets(line, sizeof line, file))
        found = strtol(line, NULL, 10);
    if (file) fclose(file);
    return (pid_t)found;
}

/* A zombie has ended, even before its parent has waited for it. */
static bool is_alive(pid_t process)
{
    char path[32], line[256] = "";
    snprintf(path, sizeof path, "/proc/%ld/stat", (long)process);
    FILE *file = fopen(path, "r");
    if (!file) return false;
    bool good = fgets(line, sizeof line, file) && !strstr(line, ") Z ");
    fclose(file);
    return good;
}

static bool ends_within(pid_t process, int seconds)
{
    for (int i = 0; i < seconds * 20 && is_alive(process); i++)
        usleep(50000);
    return !is_alive(process);
}

static void one_process_tries_many_builds(void **unused)
{
    enum { MANY = 20 };
    (void)unused;
    const struct host host = begin_host();
    for (int i = 0; i < MANY; i++)
        assert_int_equal(build_more(&host, ""), CL_SUCCESS);
    assert_int_equal(count_builds("tried"), MANY);
    assert_int_equal(count_builds("built"), MANY);
    assert_int_equal(count_processes(), 1);
    setenv("TEST_TRIAL", "another", 1); /* which a driver might read */
    assert_int_equal(build_more(&host, ""), CL_SUCCESS);
    assert_int_equal(count_processes(), 2);
    end_host(&host);
}

/* If a process that has tried another module ends, the cause is unknown: the trial is repeated in a new process, which
 * ends as well with the first driver, and builds the module with the second driver. */
static void the_verdict_is_that_of_a_new_process(void **unused)
{
    (void)unused;
    const struct host host = begin_host();
    assert_int_equal(build_more(&host, ""), CL_SUCCESS);
    assert_int_equal(build_more(&host, " -Ddie=abort"), CL_BUILD_PROGRAM_FAILURE);
    assert_int_equal(count_builds("tried"), 3);
    assert_int_equal(count_processes(), 2);
    assert_int_equal(build_more(&host, ""), CL_SUCCESS);
    assert_int_equal(build_more(&host, " -Ddie=worn"), CL_SUCCESS);
    assert_int_equal(count_builds("tried"), 6);
    assert_int_equal(count_processes(), 4);
    assert_int_equal(count_builds("built"), 3);
    end_host(&host);
}

/* A build that the driver refuses may leave the driver broken, so the process that tried it tries no other build. */
static void a_failed_build_is_the_last(void **unused)
{
    (void)unused;
    const struct host host = begin_host();
    for (int i = 0; i < 2; i++)
        assert_int_equal(build_more(&host, " -Drefused"), CL_SUCCESS);
    assert_int_equal(count_builds("tried"), 2);
    assert_int_equal(count_processes(), 2);
    end_host(&host);
}

/* A host that waits for all of its children does not wait for a process of nonflat-try. */
static void it_is_no_child(void **unused)
{
    (void)unused;
    const struct host host = begin_host();
    assert_int_equal(build_more(&host, ""), CL_SUCCESS);
    assert_true(is_alive(last_process()));
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
    assert_int_equal(errno, ECHILD);
    end_host(&host);
}

static void *build_slowly(void *host)
{
    assert_int_equal(build_more(host, " -Dslow"), CL_SUCCESS);
    return NULL;
}

/* Each thread has a process of its own, and both are kept. */
static void two_threads_have_two(void **unused)
{
    (void)unused;
    struct host hosts[] = {begin_host(), {0}};
    hosts[1].context = make_context(STUB_IL);
    hosts[1].program = make_program(hosts[1].context, &generic_module);
    for (int again = 0; again < 2; again++) {
        pthread_t threads[2];
        for (int i = 0; i < 2; i++)
            assert_int_equal(pthread_create(&threads[i], NULL, build_slowly, &hosts[i]), 0);
        for (int i = 0; i < 2; i++)
            pthread_join(threads[i], NULL);
    }
    assert_int_equal(count_builds("tried"), 4);
    assert_int_equal(count_processes(), 2);
    for (int i = 0; i < 2; i++)
        end_host(&hosts[i]);
}

static bool has_sockets(void)
{
    struct stat info;
    for (int file = 3; file < 256; file++)
        if (fstat(file, &info) == 0 && S_ISSOCK(info.st_mode)) return true;
    return false;
}

/* A child has a process of its own, and does not keep its parent's alive. */
static void a_child_asks_another(void **unused)
{
    int status = 0;
    (void)unused;
    const struct host host = begin_host();
    assert_int_equal(build_more(&host, ""), CL_SUCCESS);
    assert_true(has_sockets());
    const pid_t process = last_process();
    pid_t child = fork();
    if (child == 0) {
        if (has_sockets()) _exit(1);
        if (build_more(&host, " -Dchild") != CL_SUCCESS) _exit(2);
        _exit(last_process() == process ? 3 : 0);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    assert_true(ends_within(last_process(), 5));
    assert_int_equal(build_more(&host, ""), CL_SUCCESS);
    assert_int_equal(count_processes(), 2);
    assert_true(is_alive(process));
    end_host(&host);
}

/* Daemons close all descriptors, and files that they open later get the same numbers. */
static void a_host_closes_the_socket(void **unused)
{
    char path[160];
    int files[32];
    enum { FILES = sizeof files / sizeof *files };
    struct stat info;
    (void)unused;
    const struct host host = begin_host();
    assert_int_equal(build_more(&host, ""), CL_SUCCESS);
    for (int file = 3; file < 256; file++)
        if (fstat(file, &info) == 0 && S_ISSOCK(info.st_mode)) close(file);
    assert_true(ends_within(last_process(), 5));
    snprintf(path, sizeof path, "%s.file", builds);
    for (int i = 0; i < FILES; i++)
        assert_true((files[i] = open(path, O_CREAT | O_RDWR | O_CLOEXEC, 0600)) >= 0);
    assert_int_equal(build_more(&host, ""), CL_SUCCESS);
    for (int i = 0; i < FILES; i++) {
        assert_int_equal(fstat(files[i], &info), 0);
        assert_int_equal(info.st_size, 0);
        close(files[i]);
    }
    unlink(path);
    assert_int_equal(count_processes(), 2);
    end_host(&host);
}

static void it_ends_when_it_is_idle(void **unused)
{
    (void)unused;
    const struct host host = begin_host();
    assert_int_equal(build_more(&host, ""), CL_SUCCESS);
    const pid_t process = last_process();
    assert_true(is_alive(process));
    assert_true(ends_within(process, 20));
    assert_int_equal(build_more(&host, ""), CL_SUCCESS);
    assert_int_equal(count_processes(), 2);
    end_host(&host);
}

/* The process that tries builds ends with its host, while it is idle and while it builds. */
static void it_ends_with_the_host(void **unused)
{
    (void)unused;
    for (int busy = 0; busy < 2; busy++) {
        const struct host host = begin_host();
        pid_t child = fork();
        if (child == 0) {
            build_more(&host, busy ? " -Ddie=sleep" : "");
            pause();
        }
        while (count_builds(busy ? "tried" : "built") == 0)
            usleep(10000);
        const pid_t process = last_process();
        assert_true(is_alive(process));
        kill(child, SIGKILL);
        assert_int_equal(waitpid(child, NULL, 0), child);
        assert_true(ends_within(process, 5));
        end_host(&host);
    }
}

/* ---- in other processes ---- */

/* In the child: returns the result of the build. */
static int build_in_child(const char *options)
{
    cl_context context = make_context(STUB_IL);
    cl_program program = make_program(context, &generic_module);
    if (strstr(options, "-Dignored")) signal(SIGCHLD, SIG_IGN);
    bool built = clBuildProgram(program, 0, NULL, options, NULL, NULL) == CL_SUCCESS;
    clReleaseProgram(program);
    clReleaseContext(context);
    return built ? 0 : 3;
}

/* @return the exit status of a process with these settings. */
static int run(const char *settings, const char *options)
{
    char command[4096];
    forget_builds();
    snprintf(command, sizeof command, "NONFLAT_CACHE='%s' %s '%s' '%s' 2> /dev/null", folder, settings, self, options);
    return system(command);
}

static void it_is_remembered(void **unused)
{
    (void)unused;
    for (int again = 0; again < 2; again++) {
        assert_int_equal(WEXITSTATUS(run("", "-Ddie=crash")), 3);
        assert_int_equal(count_builds("tried"), !again);
        assert_int_equal(count_builds("built"), 0);
        assert_int_equal(run("", "-Dlive"), 0);
        assert_int_equal(count_builds("tried"), !again);
        assert_int_equal(count_builds("built"), 1);
    }
}

/* The system killed the trial, which is not the driver's fault. The trial is repeated once, and again by the next
 * process. */
static void a_trial_that_was_killed(void **unused)
{
    (void)unused;
    for (int i = 0; i < 2; i++) {
        assert_int_equal(run("", "-Ddie=killed"), 0);
        assert_int_equal(count_builds("tried"), 2);
        assert_int_equal(count_builds("built"), 1);
    }
}

/* A host that ignores SIGCHLD cannot get the exit statuses of its children, but the process of the trial is not its
 * child, so the end of the trial is stored. */
static void it_is_known_how_it_ended(void **unused)
{
    (void)unused;
    for (int again = 0; again < 2; again++) {
        assert_int_equal(WEXITSTATUS(run("", "-Ddie=crash -Dignored")), 3);
        assert_int_equal(count_builds("tried"), !again);
        assert_int_equal(count_builds("built"), 0);
    }
}

static void it_can_be_switched_off(void **unused)
{
    (void)unused;
    for (int i = 0; i < 2; i++) { /* auto applies to drivers with known faults only */
        const char *off = i ? "NONFLAT_GUARD=auto" : "NONFLAT_GUARD=off";
        assert_int_equal(run(off, "-Dlive"), 0);
        assert_int_equal(count_builds("tried"), 0);
        assert_int_not_equal(run(off, "-Ddie=abort"), 0);
        assert_int_equal(count_builds("built"), 1); /* the build ended the process */
    }
}

static int clean(void **unused)
{
    char command[128];
    (void)unused;
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    return system(command);
}

int main(int count, char **arguments)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(a_death_is_a_failed_build, check_nothing_left),
        cmocka_unit_test_teardown(the_trial_has_the_preloads, check_nothing_left),
        cmocka_unit_test_teardown(the_reason_comes_last, check_nothing_left),
        cmocka_unit_test_teardown(it_names_what_the_device_does_not_list, check_nothing_left),
        cmocka_unit_test_teardown(it_is_the_drivers_own_module, check_nothing_left),
        cmocka_unit_test_teardown(a_text_is_tried_too, check_nothing_left),
        cmocka_unit_test_teardown(compiling_is_tried_too, check_nothing_left),
        cmocka_unit_test_teardown(the_callback_comes_once, check_nothing_left),
        cmocka_unit_test_prestate_setup_teardown(a_trial_that_does_not_end, NULL, check_nothing_left, "-Ddie=sleep"),
        cmocka_unit_test_prestate_setup_teardown(a_trial_that_does_not_end, NULL, check_nothing_left, "-Ddie=hang"),
        cmocka_unit_test_teardown(a_host_that_ignores_its_children, check_nothing_left),
        cmocka_unit_test_teardown(one_process_tries_many_builds, check_nothing_left),
        cmocka_unit_test_teardown(the_verdict_is_that_of_a_new_process, check_nothing_left),
        cmocka_unit_test_teardown(a_failed_build_is_the_last, check_nothing_left),
        cmocka_unit_test_teardown(it_is_no_child, check_nothing_left),
        cmocka_unit_test_teardown(two_threads_have_two, check_nothing_left),
        cmocka_unit_test_teardown(a_child_asks_another, check_nothing_left),
        cmocka_unit_test_teardown(a_host_closes_the_socket, check_nothing_left),
        cmocka_unit_test_teardown(it_ends_when_it_is_idle, check_nothing_left),
        cmocka_unit_test_teardown(it_ends_with_the_host, check_nothing_left),
        cmocka_unit_test_teardown(it_is_remembered, clean),
        cmocka_unit_test_teardown(a_trial_that_was_killed, clean),
        cmocka_unit_test_teardown(it_is_known_how_it_ended, clean),
        cmocka_unit_test_teardown(it_can_be_switched_off, clean),
    };
    self = arguments[0];
    if (count == 2) {
        find_stub(NULL);
        int status = build_in_child(arguments[1]);
        free_modules(NULL);
        return status;
    }
    snprintf(folder, sizeof folder, "/tmp/nonflat-guard-%ld", (long)getpid());
    snprintf(builds, sizeof builds, "/tmp/nonflat-guard-%ld.builds", (long)getpid());
    snprintf(processes, sizeof processes, "/tmp/nonflat-guard-%ld.processes", (long)getpid());
    setenv("TEST_BUILDS", builds, 1);
    setenv("TEST_PROCESSES", processes, 1);
    int failed = cmocka_run_group_tests(tests, find_stub, free_modules);
    forget_builds();
    return failed;
}
