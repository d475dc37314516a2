/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_translator.c - devices that accept bitcode only: the output of the translator program reaches the driver, and
 * every malfunction of the translator is a failed build with a reason, and nothing worse.
 */
#define _GNU_SOURCE
#include "common.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static const unsigned char magic[4] = {'B', 'C', 0xC0, 0xDE};

static char spir[64], runs[96], arguments[96], flooded[112]; /* the translator of this test, and the files that it
                                                              * writes */

/* Replaces the translator, so that nothing that is stored about the previous one is used. */
static void change_translator(const char *behavior)
{
    static time_t seconds = 1000000000;
    struct timespec stamp[2] = {{seconds, 0}, {seconds, 0}};
    seconds++;
    assert_int_equal(utimensat(AT_FDCWD, spir, stamp, 0), 0);
    setenv("FAKE_SPIR", behavior, 1);
}

/* Returns the number of the translator's runs since the last call. */
static int count_runs(void)
{
    int count = 0, c;
    FILE *file = fopen(runs, "r");
    while (file && (c = fgetc(file)) != EOF)
        count += c == '\n';
    if (file) fclose(file);
    unlink(runs);
    return count;
}

/* Builds for the bitcode device while the translator behaves like `behavior`. */
static cl_program build_with(cl_context context, const char *behavior, cl_int expected)
{
    change_translator(behavior);
    cl_program program = make_program(context, &generic_module);
    assert_int_equal(clBuildProgram(program, 0, NULL, "-cl-std=CL2.0 -cl-mad-enable", NULL, NULL), expected);
    return program;
}

static void bitcode_reaches_the_driver(void **unused)
{
    (void)unused;
    int binaries = stub->created_binary;
    cl_context context = make_context(STUB_SPIR);
    cl_program program = build_with(context, "fine", CL_SUCCESS);
    assert_int_equal(stub->created_binary, binaries + 1);
    assert_memory_equal(stub->module.data, magic, 4);
    assert_true(stub->module.size > 24);
    assert_string_equal(stub->options, "-cl-mad-enable -x spir -spir-std=1.2");
    char options[64];
    clGetProgramBuildInfo(program, devices[0][STUB_SPIR], CL_PROGRAM_BUILD_OPTIONS, sizeof options, options, NULL);
    assert_string_equal(options, "-cl-std=CL2.0 -cl-mad-enable");
    size_t size = 0;
    clGetProgramInfo(program, CL_PROGRAM_IL, 0, NULL, &size);
    assert_int_equal(size, generic_module.size);
    clReleaseProgram(program);
    clReleaseContext(context);
}

static void khr_entry_is_offered(void **unused)
{
    (void)unused;
    assert_non_null(extension(0, "clCreateProgramWithILKHR"));
}

static void one_program_for_several_devices(void **unused)
{
    (void)unused;
    cl_device_id list[] = {devices[0][STUB_SPIR], devices[0][STUB_SPIR_3]};
    cl_context context = make_context_of(2, list);
    cl_program program = build_with(context, "fine", CL_SUCCESS);
    cl_kernel kernel = clCreateKernel(program, "k", NULL);
    assert_non_null(kernel);
    clReleaseKernel(kernel);
    clReleaseProgram(program);
    clReleaseContext(context);
}

/* The translator ends with the process that started it, or when it exceeds a limit. */
static void it_is_limited(void **unused)
{
    char line[256], limits[64];
    (void)unused;
    setenv("FAKE_SPIR_ARGUMENTS", arguments, 1);
    cl_context context = make_context(STUB_SPIR);
    clReleaseProgram(build_with(context, "fine", CL_SUCCESS));
    FILE *file = fopen(arguments, "r");
    assert_non_null(file);
    assert_non_null(fgets(line, sizeof line, file));
    fclose(file);
    snprintf(limits, sizeof limits, "--parent=%ld --memory=8 --seconds=2", (long)getpid());
    assert_non_null(strstr(line, limits));
    clReleaseContext(context);
    unsetenv("FAKE_SPIR_ARGUMENTS");
    unlink(arguments);
}

static void failures(void **unused)
{
    static const struct {
        const char *behavior, *reason;
    } cases[] = {
        {"refuse", "function 'foo' is not on this device"},
        {"crash", "crashed"},
        {"garbage", "no complete bitcode"},
        {"silent", "no complete bitcode"},
        {"cut", "crashed"},
        {"cut_well", "no complete bitcode"},
        {"longer", "no complete bitcode"},
        {"flood", "gave more than 8 megabytes"},
        {"noisy", "a message that"},
        {"hang", "did not end within 2 seconds"},
        {"stop", "did not end within 2 seconds"},
    };
    char said[8192];
    (void)unused;
    cl_context context = make_context(STUB_SPIR);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        cl_build_status status = 0;
        cl_int error = 0;
        cl_program program = build_with(context, cases[i].behavior, CL_BUILD_PROGRAM_FAILURE);
        const char *log = build_log(program, devices[0][STUB_SPIR]);
        assert_int_equal(strncmp(log, "nonflat: ", 9), 0);
        snprintf(said, sizeof said, "%s", log);
        if (!strstr(log, cases[i].reason))
            fail_msg("%s: the log does not say '%s' but: %s", cases[i].behavior, cases[i].reason, log);
        clGetProgramBuildInfo(program, devices[0][STUB_SPIR], CL_PROGRAM_BUILD_STATUS, sizeof status, &status, NULL);
        assert_int_equal(status, CL_BUILD_ERROR);
        assert_null(clCreateKernel(program, "k", &error));
        assert_int_equal(error, CL_INVALID_PROGRAM_EXECUTABLE);
        /* The time limit also ends endless output, with the same log; but then all of the output would have been
         * read. */
        if (access(flooded, F_OK) == 0) fail_msg("%s: twice as much as is kept was read to its end", cases[i].behavior);
        /* The failed build is not repeated. */
        count_runs();
        assert_int_equal(clBuildProgram(program, 0, NULL, "", NULL, NULL), CL_BUILD_PROGRAM_FAILURE);
        assert_string_equal(build_log(program, devices[0][STUB_SPIR]), said);
        assert_int_equal(count_runs(), 0);
        /* The same program can be built once there is another translator. */
        change_translator("fine");
        assert_int_equal(clBuildProgram(program, 0, NULL, "", NULL, NULL), CL_SUCCESS);
        clReleaseProgram(program);
    }
    clReleaseContext(context);
}

/* Failures that concern files or processes are not stored, so the next build runs the translator again. */
static void trouble_is_for_once(void **unused)
{
    (void)unused;
    cl_context context = make_context(STUB_SPIR);
    cl_program program = build_with(context, "trouble", CL_BUILD_PROGRAM_FAILURE);
    assert_non_null(strstr(build_log(program, devices[0][STUB_SPIR]), "cannot read its input"));
    setenv("FAKE_SPIR", "fine", 1);
    assert_int_equal(clBuildProgram(program, 0, NULL, "", NULL, NULL), CL_SUCCESS);
    clReleaseProgram(program);
    clReleaseContext(context);
}

/* A translator that was killed from outside, such as by the system when memory is exhausted, is no refusal: it is run
 * once more, and again at the next build. */
static void somebody_kills_it(void **unused)
{
    (void)unused;
    cl_context context = make_context(STUB_SPIR);
    count_runs();
    clReleaseProgram(build_with(context, "killed_once", CL_SUCCESS));
    assert_int_equal(count_runs(), 2);
    cl_program program = build_with(context, "killed", CL_BUILD_PROGRAM_FAILURE);
    assert_non_null(strstr(build_log(program, devices[0][STUB_SPIR]), "was killed by another process"));
    assert_int_equal(count_runs(), 2);
    setenv("FAKE_SPIR", "fine", 1);
    assert_int_equal(clBuildProgram(program, 0, NULL, "", NULL, NULL), CL_SUCCESS);
    clReleaseProgram(program);
    clReleaseContext(context);
}

/* Computes the shortened name like nonflat-spir. */
static void shorten(const char *name, char *shorter)
{
    uint64_t hash = 14695981039346656037u;
    for (const char *c = name; *c; c++)
        hash = (hash ^ (unsigned char)*c) * 1099511628211u;
    sprintf(shorter, "%.200s_%016llx", name, (unsigned long long)hash);
}

static void long_kernel_names_are_shortened_and_back(void **unused)
{
    char name[512] = "_ZTS", shorter[512], seen[1024], wanted[1024];
    size_t size = 0;
    cl_int error = -1;
    (void)unused;
    for (int i = 0; i < 74; i++)
        strcat(name, "long");
    shorten(name, shorter);
    snprintf(stub->names, sizeof stub->names, "k;%s", shorter);
    setenv("FAKE_SPIR", "fine", 1);
    cl_context context = make_context(STUB_SPIR);
    cl_program program = make_program(context, &long_module);
    assert_int_equal(clBuildProgram(program, 0, NULL, "", NULL, NULL), CL_SUCCESS);
    cl_kernel kernel = clCreateKernel(program, name, &error), other = clCreateKernel(program, "k", NULL);
    assert_int_equal(error, CL_SUCCESS);
    assert_non_null(other);
    assert_int_equal(clGetKernelInfo(kernel, CL_KERNEL_FUNCTION_NAME, sizeof seen, seen, &size), CL_SUCCESS);
    assert_string_equal(seen, name);
    assert_int_equal(size, strlen(name) + 1);
    assert_int_equal(clGetKernelInfo(kernel, CL_KERNEL_FUNCTION_NAME, 250, seen, NULL), CL_INVALID_VALUE);
    assert_int_equal(clGetKernelInfo(other, CL_KERNEL_FUNCTION_NAME, sizeof seen, seen, NULL), CL_SUCCESS);
    assert_string_equal(seen, "k");
    snprintf(wanted, sizeof wanted, "k;%s", name);
    assert_int_equal(clGetProgramInfo(program, CL_PROGRAM_KERNEL_NAMES, 0, NULL, &size), CL_SUCCESS);
    assert_int_equal(size, strlen(wanted) + 1);
    assert_int_equal(clGetProgramInfo(program, CL_PROGRAM_KERNEL_NAMES, size, seen, NULL), CL_SUCCESS);
    assert_string_equal(seen, wanted);
    assert_null(clCreateKernel(program, "nothing", &error));
    assert_int_equal(error, CL_INVALID_KERNEL_NAME);
    name[299] = '!'; /* a name of the same length that does not exist */
    assert_null(clCreateKernel(program, name, &error));
    assert_int_equal(error, CL_INVALID_KERNEL_NAME);
    *stub->names = '\0';
    clReleaseKernel(kernel);
    clReleaseKernel(other);
    clReleaseProgram(program);
    clReleaseContext(context);
}

static void malformed_is_for_us_to_judge(void **unused)
{
    cl_int error = 0;
    (void)unused;
    cl_context context = make_context(STUB_SPIR);
    assert_null(clCreateProgramWithIL(context, generic_module.data, generic_module.size - 6, &error));
    assert_int_equal(error, CL_INVALID_VALUE);
    clReleaseContext(context);
}

/* A host that ignores its children, or reaps them all in a handler, makes their exit status unavailable to the
 * layer. */
static void hosts_with_habits(void **unused)
{
    (void)unused;
    cl_context context = make_context(STUB_SPIR);
    signal(SIGCHLD, SIG_IGN);
    cl_program program = build_with(context, "fine", CL_SUCCESS);
    clReleaseProgram(program);
    static const char *const bad[] = {"refuse", "cut", "cut_well"};
    for (size_t i = 0; i < 3; i++) {
        program = build_with(context, bad[i], CL_BUILD_PROGRAM_FAILURE);
        /* The exit status is unknown, so the failure is not stored. */
        setenv("FAKE_SPIR", "fine", 1);
        assert_int_equal(clBuildProgram(program, 0, NULL, "", NULL, NULL), CL_SUCCESS);
        clReleaseProgram(program);
    }
    signal(SIGCHLD, SIG_DFL);
    /* No standard streams, and a descriptor that must not be inherited. */
    int saved[3], spare = open("/dev/null", O_RDONLY);
    for (int i = 0; i < 3; i++) {
        saved[i] = fcntl(i, F_DUPFD_CLOEXEC, 20);
        close(i);
    }
    change_translator("fine");
    program = clCreateProgramWithIL(context, generic_module.data, generic_module.size, NULL);
    cl_int error = clBuildProgram(program, 0, NULL, "", NULL, NULL);
    for (int i = 0; i < 3; i++) {
        dup2(saved[i], i);
        close(saved[i]);
    }
    close(spare);
    assert_int_equal(error, CL_SUCCESS);
    assert_memory_equal(stub->module.data, magic, 4);
    clReleaseProgram(program);
    clReleaseContext(context);
}

/* A limit on file sizes belongs to the host; its signal would end the host. */
static void no_files_are_needed(void **unused)
{
    struct rlimit before, none = {0, 0};
    (void)unused;
    cl_context context = make_context(STUB_SPIR);
    getrlimit(RLIMIT_FSIZE, &before);
    none.rlim_max = before.rlim_max;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &none), 0);
    change_translator("refuse");
    unsetenv("FAKE_SPIR_RUNS"); /* the fake translator must not write files either */
    cl_program program = clCreateProgramWithIL(context, generic_module.data, generic_module.size, NULL);
    cl_int error = clBuildProgram(program, 0, NULL, "", NULL, NULL);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    setenv("FAKE_SPIR_RUNS", runs, 1);
    assert_int_equal(error, CL_BUILD_PROGRAM_FAILURE);
    assert_non_null(strstr(build_log(program, devices[0][STUB_SPIR]), "function 'foo' is not on this device"));
    clReleaseProgram(program);
    clReleaseContext(context);
}

/* Returns the generic module with a string of 240,000 bytes, inserted where debug instructions may stand. */
static struct bytes make_long(void)
{
    enum { STRING = 60000 };
    const size_t words = generic_module.size / 4;
    const uint32_t *from = (const uint32_t *)(void *)generic_module.data;
    struct bytes module = {malloc((words + STRING) * 4), (words + STRING) * 4};
    uint32_t *to = (uint32_t *)(void *)module.data;
    size_t at = 5;
    while ((from[at] & 0xffff) != 5 && (from[at] & 0xffff) != 71 &&
           (from[at] & 0xffff) != 19) /* OpName, OpDecorate or a type */
        at += from[at] >> 16;
    memcpy(to, from, at * 4);
    to[3] = from[3] + 1;
    to[at] = (uint32_t)STRING << 16 | 7;
    to[at + 1] = from[3];
    memset(to + at + 2, 'x', (STRING - 3) * 4);
    to[at + STRING - 1] = 0;
    memcpy(to + at + STRING, from + at, (words - at) * 4);
    return module;
}

/* More than the capacity of any pipe, whether it is read or not. */
static void long_modules_arrive(void **unused)
{
    struct bytes module = make_long();
    (void)unused;
    cl_context context = make_context(STUB_SPIR);
    cl_program program = make_program(context, &module);
    change_translator("fine");
    assert_int_equal(clBuildProgram(program, 0, NULL, "", NULL, NULL), CL_SUCCESS);
    assert_true(stub->module.size > 240000);
    clReleaseProgram(program);
    program = make_program(context, &module);
    change_translator("refuse");
    assert_int_equal(clBuildProgram(program, 0, NULL, "", NULL, NULL), CL_BUILD_PROGRAM_FAILURE);
    assert_non_null(strstr(build_log(program, devices[0][STUB_SPIR]), "function 'foo' is not on this device"));
    clReleaseProgram(program);
    clReleaseContext(context);
    free(module.data);
}

static void no_child_is_left(void **unused)
{
    (void)unused;
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
    assert_int_equal(errno, ECHILD);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(bitcode_reaches_the_driver, check_nothing_left),
        cmocka_unit_test(khr_entry_is_offered),
        cmocka_unit_test_teardown(one_program_for_several_devices, check_nothing_left),
        cmocka_unit_test_teardown(it_is_limited, check_nothing_left),
        cmocka_unit_test_teardown(failures, check_nothing_left),
        cmocka_unit_test_teardown(trouble_is_for_once, check_nothing_left),
        cmocka_unit_test_teardown(somebody_kills_it, check_nothing_left),
        cmocka_unit_test_teardown(long_kernel_names_are_shortened_and_back, check_nothing_left),
        cmocka_unit_test_teardown(malformed_is_for_us_to_judge, check_nothing_left),
        cmocka_unit_test_teardown(hosts_with_habits, check_nothing_left),
        cmocka_unit_test_teardown(no_files_are_needed, check_nothing_left),
        cmocka_unit_test_teardown(long_modules_arrive, check_nothing_left),
        cmocka_unit_test(no_child_is_left),
    };
    char command[256];
    snprintf(spir, sizeof spir, "/tmp/nonflat-spir-%ld", (long)getpid());
    snprintf(runs, sizeof runs, "%s.runs", spir);
    snprintf(flooded, sizeof flooded, "%s.flooded", runs);
    snprintf(arguments, sizeof arguments, "%s.arguments", spir);
    snprintf(command, sizeof command, "cp '%s' '%s' && chmod 700 '%s'", getenv("TEST_SPIR"), spir, spir);
    if (system(command) != 0) return 1;
    setenv("NONFLAT_SPIR", spir, 1);
    setenv("FAKE_SPIR_RUNS", runs, 1);
    int failed = cmocka_run_group_tests(tests, find_stub, free_modules);
    unlink(runs);
    unlink(flooded);
    unlink(spir);
    return failed;
}
