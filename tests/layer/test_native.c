/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_native.c - devices with generic pointers of their own: which module reaches their driver, and that the result is
 * never worse than without the layer. The stub driver fails, takes long or refuses only if the module is not the
 * application's. The test starts itself again for each process that shares a cache.
 */
#define _GNU_SOURCE
#include "common.h"

#include <dlfcn.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static const char *self;
static char folder[96];

/* ---- the module that reaches the driver -------------------------------------------------------------------------- */

/* Returns true if the driver got the application's module. */
static bool driver_saw_own(void)
{
    return stub->module.size == generic_module.size &&
           memcmp(stub->module.data, generic_module.data, generic_module.size) == 0;
}

static void expect_build(cl_program program, cl_int expected)
{
    assert_int_equal(clBuildProgram(program, 0, NULL, "-cl-mad-enable", NULL, NULL), expected);
}

static void a_gpu_gets_what_is_proven(void **unused)
{
    (void)unused;
    cl_context context = make_context(STUB_GPU);
    cl_program program = make_program(context, &generic_module);
    expect_build(program, CL_SUCCESS);
    assert_false(driver_saw_own());
    assert_string_equal(build_log(program, devices[0][STUB_GPU]), "the stub's log"); /* as without the layer */
    size_t size = 0;
    clGetProgramInfo(program, CL_PROGRAM_IL, 0, NULL, &size);
    assert_int_equal(size, generic_module.size);
    clReleaseProgram(program);
    program = make_program(context, &plain_module); /* no gain is expected, so the driver gets the original bytes */
    expect_build(program, CL_SUCCESS);
    assert_int_equal(stub->module.size, plain_module.size);
    assert_memory_equal(stub->module.data, plain_module.data, plain_module.size);
    clReleaseProgram(program);
    clReleaseContext(context);
}

/* For a module without local pointers the driver's compiler finds the same spaces as the layer. */
static void an_intel_gpu_gets_what_it_does_not_know(void **unused)
{
    (void)unused;
    cl_context context = make_context(STUB_INTEL_GPU);
    cl_program program = make_program(context, &generic_module);
    expect_build(program, CL_SUCCESS);
    assert_true(driver_saw_own());
    clReleaseProgram(program);
    program = make_program(context, &local_module);
    expect_build(program, CL_SUCCESS);
    assert_false(stub->module.size == local_module.size &&
                 memcmp(stub->module.data, local_module.data, local_module.size) == 0);
    clReleaseProgram(program);
    clReleaseContext(context);
}

static void a_processor_gets_its_bytes(void **unused)
{
    static const enum stub_device kinds[] = {STUB_GENERIC, STUB_GENERIC_2};
    (void)unused;
    for (int i = 0; i < 2; i++) {
        cl_context context = make_context(kinds[i]);
        cl_program program = make_program(context, &generic_module);
        assert_memory_equal(stub->module.data, generic_module.data, generic_module.size); /* the driver validates it */
        expect_build(program, CL_SUCCESS);
        assert_int_equal(stub->module.size, generic_module.size);
        assert_memory_equal(stub->module.data, generic_module.data, generic_module.size);
        clReleaseProgram(program);
        clReleaseContext(context);
    }
}

/* The driver compiles and links modules for such a device on its own. */
static void linking_is_the_drivers(void **unused)
{
    (void)unused;
    cl_context context = make_context(STUB_GPU);
    cl_program parts[] = {make_program(context, &caller_module), make_program(context, &callee_module)};
    int linked = stub->linked, compiled = stub->compiled;
    cl_int error = -1;
    for (int i = 0; i < 2; i++)
        assert_int_equal(clCompileProgram(parts[i], 0, NULL, "", 0, NULL, NULL, NULL, NULL), CL_SUCCESS);
    cl_program program = clLinkProgram(context, 0, NULL, "", 2, parts, NULL, NULL, &error);
    assert_int_equal(error, CL_SUCCESS);
    assert_int_equal(stub->compiled, compiled + 2);
    assert_int_equal(stub->linked, linked + 1);
    clReleaseProgram(program);
    clReleaseProgram(parts[0]);
    clReleaseProgram(parts[1]);
    clReleaseContext(context);
}

static void CL_CALLBACK count_call(cl_program program, void *user)
{
    (void)program;
    ++*(int *)user;
}

/* A driver may refuse the options of a link that only permit other code, as PoCL does. The link is then repeated
 * without them, unless the driver has called the callback for the refused link. */
static void a_link_without_the_options_that_are_refused(void **unused)
{
    (void)unused;
    static const char options[] = " -cl-mad-enable\t-cl-finite-math-only -cl-no-subgroup-ifp -cl-fast-relaxed-math";
    cl_context context = make_context(STUB_GPU);
    cl_program part = make_program(context, &callee_module);
    int linked = stub->linked, calls = 0;
    cl_int error = -1;
    assert_int_equal(clCompileProgram(part, 0, NULL, "", 0, NULL, NULL, NULL, NULL), CL_SUCCESS);
    stub->strict_links = 1;
    cl_program program = clLinkProgram(context, 0, NULL, options, 1, &part, NULL, NULL, &error);
    assert_int_equal(error, CL_SUCCESS);
    assert_int_equal(stub->linked, linked + 1);
    assert_string_equal(stub->options, "-cl-mad-enable");
    clReleaseProgram(program);
    assert_null(clLinkProgram(context, 0, NULL, options, 1, &part, count_call, &calls, &error));
    assert_int_equal(error, CL_INVALID_LINKER_OPTIONS);
    assert_int_equal(calls, 1);
    assert_null(clLinkProgram(context, 0, NULL, "-create-library -cl-finite-math-only", 1, &part, NULL, NULL, &error));
    assert_int_equal(error, CL_INVALID_LINKER_OPTIONS);
    stub->strict_links = 0;
    program = clLinkProgram(context, 0, NULL, options, 1, &part, NULL, NULL, &error);
    assert_int_equal(error, CL_SUCCESS);
    assert_string_equal(stub->options, options); /* a driver that accepts them gets them */
    clReleaseProgram(program);
    clReleaseProgram(part);
    clReleaseContext(context);
}

/* ---- failures of the driver ---- */

static cl_build_status status_of(cl_program program, cl_device_id device)
{
    cl_build_status status = CL_BUILD_NONE;
    clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_STATUS, sizeof status, &status, NULL);
    return status;
}

/* However the driver handles the specialized module, the application sees the same results as without the layer. */
static void expect_own(const char *options, void(CL_CALLBACK *notify)(cl_program, void *))
{
    cl_device_id device = devices[0][STUB_GPU];
    cl_context context = make_context(STUB_GPU);
    cl_program program = make_program(context, &generic_module);
    int calls = 0;
    cl_int error = CL_SUCCESS;
    assert_int_equal(clBuildProgram(program, 1, &device, options, notify, notify ? &calls : NULL), CL_SUCCESS);
    struct timespec pause = {0, 1000000};
    for (int i = 0; i < 5000 && notify && !calls; i++)
        nanosleep(&pause, NULL);
    assert_int_equal(calls, notify != NULL);
    assert_true(driver_saw_own());
    assert_string_equal(stub->options, options);
    assert_int_equal(status_of(program, device), CL_BUILD_SUCCESS);
    assert_string_equal(build_log(program, device), "the stub's log");
    cl_kernel kernel = clCreateKernel(program, "k", &error);
    assert_int_equal(error, CL_SUCCESS);
    clReleaseKernel(kernel);
    clReleaseProgram(program);
    clReleaseContext(context);
}

static void a_build_that_fails(void **unused)
{
    static const cl_int errors[] = {CL_BUILD_PROGRAM_FAILURE, CL_OUT_OF_RESOURCES, CL_OUT_OF_HOST_MEMORY,
                                    CL_INVALID_PROGRAM, -9999};
    char options[32];
    (void)unused;
    for (size_t i = 0; i < sizeof errors / sizeof *errors; i++) {
        stub->fail_changed = errors[i];
        snprintf(options, sizeof options, "-Derror=%zu", i); /* the failure is not stored yet */
        expect_own(options, NULL);
        snprintf(options, sizeof options, "-Dnotified=%zu", i);
        expect_own(options, count_call);
        stub->async = 1;
        snprintf(options, sizeof options, "-Dlater=%zu", i);
        expect_own(options, count_call);
        stub->async = 0;
    }
    stub->fail_changed = 0;
}

/* In a context of several devices, only the builds of specialized modules fail, and the application does not notice. */
static void a_build_that_fails_for_one_of_several(void **unused)
{
    const cl_device_id several[] = {devices[0][STUB_GENERIC], devices[0][STUB_GPU], devices[0][STUB_INTEL_GPU]};
    (void)unused;
    cl_context context = make_context_of(3, several);
    for (int way = 0; way < 3; way++) {
        cl_program program = make_program(context, way == 2 ? &local_module : &generic_module);
        int calls = 0;
        cl_int error = -1;
        stub->fail_changed = CL_BUILD_PROGRAM_FAILURE;
        assert_int_equal(clBuildProgram(program, way ? 3 : 0, way ? several : NULL, way ? "-Dnotified" : "-Dseveral",
                                        way ? count_call : NULL, way ? &calls : NULL),
                         CL_SUCCESS);
        struct timespec pause = {0, 1000000};
        for (int i = 0; i < 5000 && way && !calls; i++)
            nanosleep(&pause, NULL);
        stub->fail_changed = 0;
        assert_int_equal(calls, way != 0);
        for (int i = 0; i < 3; i++) {
            assert_int_equal(status_of(program, several[i]), CL_BUILD_SUCCESS);
            assert_string_equal(build_log(program, several[i]), "the stub's log");
        }
        cl_kernel kernel = clCreateKernel(program, "k", &error);
        assert_int_equal(error, CL_SUCCESS);
        clReleaseKernel(kernel);
        clReleaseProgram(program);
    }
    clReleaseContext(context);
}

static void a_program_that_is_not_made(void **unused)
{
    (void)unused;
    stub->refuse_changed = CL_INVALID_VALUE;
    expect_own("-Drefused", NULL);
    expect_own("-Drefused", count_call);
    stub->refuse_changed = 0;
}

static void a_build_that_takes_too_long(void **unused)
{
    struct timespec pause = {0, 1000000};
    (void)unused;
    stub->slow_changed = 5000; /* NONFLAT_BUILD_TIMEOUT is 4 seconds in this test */
    expect_own("-Dslow", NULL);
    stub->slow_changed = 0;
    for (int i = 0; i < 5000 && stub->programs; i++) /* the build that continues in its own thread */
        nanosleep(&pause, NULL);
    assert_int_equal(stub->programs, 0);
    expect_own("-Dslow", NULL); /* the result is stored */
}

/* An error in the arguments of the call is no reason to build the original module. */
static void a_wrong_call(void **unused)
{
    static const cl_int errors[] = {CL_INVALID_BUILD_OPTIONS, CL_INVALID_OPERATION};
    (void)unused;
    for (size_t i = 0; i < sizeof errors / sizeof *errors; i++) {
        cl_context context = make_context(STUB_GPU);
        cl_program program = make_program(context, &generic_module);
        int built = stub->built;
        stub->fail_changed = errors[i];
        expect_build(program, errors[i]);
        assert_int_equal(stub->built, built + 1);
        stub->fail_changed = 0;
        clReleaseProgram(program);
        clReleaseContext(context);
    }
}

/* Neither module builds: the application gets the driver's answer for its own module. */
static void both_fail(void **unused)
{
    (void)unused;
    cl_context context = make_context(STUB_GPU);
    cl_program program = make_program(context, &generic_module);
    stub->fail_changed = stub->fail_build = CL_BUILD_PROGRAM_FAILURE;
    assert_int_equal(clBuildProgram(program, 0, NULL, "-Dboth", NULL, NULL), CL_BUILD_PROGRAM_FAILURE);
    stub->fail_changed = stub->fail_build = 0;
    assert_true(driver_saw_own());
    assert_int_equal(status_of(program, devices[0][STUB_GPU]), CL_BUILD_ERROR);
    clReleaseProgram(program);
    clReleaseContext(context);
}

static void known_failures_are_not_tried_again(void **unused)
{
    (void)unused;
    stub->fail_changed = CL_BUILD_PROGRAM_FAILURE;
    int built = stub->built;
    expect_own("-Dagain", NULL);
    assert_int_equal(stub->built, built + 2);
    expect_own("-Dagain", NULL);
    assert_int_equal(stub->built, built + 3);
    expect_own("-Dothers", NULL); /* these options have no stored result */
    assert_int_equal(stub->built, built + 5);
    stub->fail_changed = 0;
}

/* ---- in other processes ---- */

struct seen {
    int built, created_binary, own;
};

/* Effects of a specialized module other than errors. */
enum { ENDS = 1000, IS_SLOW, IS_LATE, STATUS_OF_END = 77 };

/* Runs in the child process: builds a program on the device. `failure`: the error code of builds of the specialized
 * module, or its effect. */
static void look(enum stub_device kind, cl_int failure)
{
    cl_context context = make_context(kind);
    cl_program program = make_program(context, &generic_module);
    stub->fail_changed = failure < ENDS ? failure : 0;
    stub->end_changed = failure == ENDS ? STATUS_OF_END : 0;
    stub->slow_changed = failure == IS_SLOW || failure == IS_LATE ? 2000 : 0;
    expect_build(program, CL_SUCCESS);
    struct seen seen = {stub->built, stub->created_binary, driver_saw_own()};
    /* If the program came from the cache, the driver has a binary only. */
    if (seen.created_binary)
        assert_int_equal(clCompileProgram(program, 0, NULL, "", 0, NULL, NULL, NULL, NULL), CL_SUCCESS);
    clReleaseProgram(program);
    clReleaseContext(context);
    struct timespec pause = {0, 1000000};
    for (int i = 0; i < 5000 && stub->programs && failure != IS_LATE; i++)
        nanosleep(&pause, NULL);
    fwrite(&seen, sizeof seen, 1, stdout);
}

/* Skips the test on Windows, which lacks the feature. */
static void skip_on_windows(const char *what)
{
#ifdef _WIN32
    lacks(what);
#else
    (void)what;
#endif
}

static struct seen run(enum stub_device kind, cl_int failure, const char *settings)
{
    char command[4096];
    struct seen seen = {0};
    snprintf(command, sizeof command, "%s NONFLAT_LOG=warning:%s.log NONFLAT_CACHE='%s' '%s' look %d %d", settings,
             folder, folder, self, (int)kind, (int)failure);
    FILE *child = popen(command, "r");
    assert_non_null(child);
    assert_int_equal(fread(&seen, sizeof seen, 1, child), 1);
    assert_int_equal(pclose(child), 0);
    return seen;
}

static void binaries_are_kept(void **unused)
{
    static const enum stub_device kinds[] = {STUB_GENERIC, STUB_GENERIC_2, STUB_GPU};
    (void)unused;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        struct seen first = run(kinds[i], 0, ""), second = run(kinds[i], 0, "");
        assert_int_equal(first.created_binary, 0);
        assert_int_equal(second.created_binary, 1);
        assert_int_equal(run(kinds[i], 0, "NONFLAT_BINARIES=off").created_binary, 0);
        assert_int_equal(run(kinds[i], 0, "NONFLAT_MODE=off").created_binary, 0);
    }
}

/* A root without /proc: the CPU for which a binary was built cannot be determined. */
__attribute__((visibility("default"))) FILE *fopen(const char *path, const char *how)
{
    typedef FILE *(*open_file)(const char *, const char *);
    static open_file next;
    if (!next) next = (open_file)(uintptr_t)dlsym(RTLD_NEXT, "fopen");
    return getenv("TEST_NO_PROC") && strncmp(path, "/proc/", 6) == 0 ? NULL : next(path, how);
}

static void nothing_is_kept_for_an_unknown_processor(void **unused)
{
    (void)unused;
    skip_on_windows("/proc");
    for (int again = 0; again < 2; again++)
        assert_int_equal(run(STUB_GENERIC, 0, "TEST_NO_PROC=1").created_binary, 0);
}

/* ---- source ---- */

struct source_seen {
    int built, created_binary;
    cl_uint references;
    char attributes[32], log[64];
    int calls;
};

/* In the child: builds source and queries its kernel. */
static void look_at_source(const char *text, const char *options, bool notified)
{
    struct source_seen seen = {0};
    cl_int error = -1;
    cl_device_id device = devices[0][STUB_GENERIC];
    cl_context context = make_context(STUB_GENERIC);
    cl_program program = clCreateProgramWithSource(context, 1, &text, NULL, &error);
    assert_int_equal(error, CL_SUCCESS);
    assert_int_equal(
        clBuildProgram(program, 0, NULL, options, notified ? count_call : NULL, notified ? &seen.calls : NULL),
        CL_SUCCESS);
    cl_kernel kernel = clCreateKernel(program, "k", &error);
    assert_int_equal(error, CL_SUCCESS);
    clGetKernelInfo(kernel, CL_KERNEL_ATTRIBUTES, sizeof seen.attributes, seen.attributes, NULL);
    cl_program own = NULL;
    clGetKernelInfo(kernel, CL_KERNEL_PROGRAM, sizeof own, &own, NULL);
    assert_ptr_equal(own, program);
    assert_int_equal(clBuildProgram(program, 0, NULL, "-other", NULL, NULL), CL_INVALID_OPERATION);
    clReleaseKernel(kernel);
    clGetProgramInfo(program, CL_PROGRAM_REFERENCE_COUNT, sizeof seen.references, &seen.references, NULL);
    snprintf(seen.log, sizeof seen.log, "%s", build_log(program, device));
    seen.built = stub->built;
    seen.created_binary = stub->created_binary;
    assert_int_equal(clBuildProgram(program, 0, NULL, "-other", NULL, NULL), CL_SUCCESS); /* the driver's again */
    assert_string_equal(stub->options, "-other");
    clReleaseProgram(program);
    clReleaseContext(context);
    struct timespec pause = {0, 1000000};
    for (int i = 0; i < 5000 && stub->programs; i++)
        nanosleep(&pause, NULL);
    assert_int_equal(stub->programs, 0);
    fwrite(&seen, sizeof seen, 1, stdout);
}

static struct source_seen run_source(const char *text, const char *options, bool notified)
{
    char command[4096];
    struct source_seen seen = {0};
    snprintf(command, sizeof command, "NONFLAT_CACHE='%s' '%s' source '%s' '%s' %d", folder, self, text, options,
             notified);
    FILE *child = popen(command, "r");
    assert_non_null(child);
    assert_int_equal(fread(&seen, sizeof seen, 1, child), 1);
    assert_int_equal(pclose(child), 0);
    return seen;
}

static void source_is_kept(void **unused)
{
    (void)unused;
    struct source_seen first = run_source("kernel void k() {}", "-a", false);
    struct source_seen second = run_source("kernel void k() {}", "-a", false);
    assert_int_equal(first.created_binary, 0);
    assert_int_equal(second.created_binary, 1);
    assert_string_equal(first.attributes, "plain");
    assert_string_equal(second.attributes, "plain"); /* the driver does not find them in its binary */
    assert_string_equal(second.log, first.log);
    assert_int_equal(second.references, first.references);
    struct source_seen third = run_source("kernel void k() {}", "-a", true);
    assert_int_equal(third.created_binary, 1);
    assert_int_equal(third.calls, 1);
    assert_int_equal(run_source("kernel void k() {}", "-b", false).created_binary, 0);
    assert_int_equal(run_source("kernel void k() { }", "-a", false).created_binary, 0);
}

/* Source that depends on more than its text and options is left to the driver. */
static void source_that_depends_is_not_kept(void **unused)
{
    static const char *const texts[] = {
        "#include \"a.h\"",     "#inc\\\nlude <a.h>", "int a[] = {\n#embed <a>\n};",    "char *a = __TIME__;",
        "#in?\?/\nclude <a.h>", "#import \"a.h\"",    "__asm__(\".incbin \\\"a\\\"\");"};
    (void)unused;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        for (int again = 0; again < 2; again++)
            assert_int_equal(run_source(texts[i], "", false).created_binary, 0);
    for (int again = 0; again < 2; again++)
        assert_int_equal(run_source("kernel void k() {}", "-I .", false).created_binary, 0);
    for (int again = 0; again < 2; again++)
        assert_int_equal(run_source("kernel void k() {}", "-imacros a.h", false).created_binary, 0);
}

/* Returns the number of lines of the log which say that the driver got the application's module; -1 without a log. */
static int lines_of(const char *name)
{
    char line[1024];
    int lines = 0;
    FILE *log = fopen(name, "r");
    while (log && fgets(line, sizeof line, log))
        lines += strstr(line, "is given to the driver unchanged") != NULL;
    if (log) fclose(log);
    return log ? lines : -1;
}

static void failures_are_remembered(void **unused)
{
    char name[160];
    (void)unused;
    snprintf(name, sizeof name, "%s.log", folder);
    unlink(name);
    struct seen first = run(STUB_GPU, CL_BUILD_PROGRAM_FAILURE, ""), second = run(STUB_GPU, 0, "");
    assert_int_equal(first.built, 2);
    assert_true(first.own);
    assert_int_equal(second.built, 1); /* the binary of the original module */
    assert_int_equal(second.created_binary, 1);
    assert_int_equal(lines_of(name), 1); /* logged once, not again by the second process */
    struct seen third = run(STUB_GPU, 0, "NONFLAT_BINARIES=off");
    assert_int_equal(third.built, 1);
    assert_true(third.own);
    struct seen fourth = run(STUB_GPU, CL_OUT_OF_RESOURCES, "CL_CONFIG_OTHER=1"); /* a different key */
    assert_int_equal(fourth.built, 2);
    assert_false(run(STUB_GPU, 0, "CL_CONFIG_OTHER=1").own);
    unlink(name);
}

static void print_look(char *command, size_t size, int happens)
{
    snprintf(command, size, "NONFLAT_LOG=warning:%s.log NONFLAT_CACHE='%s' '%s' look %d %d > /dev/null", folder, folder,
             self, (int)STUB_GPU, happens);
}

/* Makes the driver end every process; an empty variable means no. */
static void set_end(bool ends)
{
    if (ends)
        setenv("STUB_END_CHANGED", "1", 1);
    else
        unsetenv("STUB_END_CHANGED");
}

/* The driver ends the first process; the second one runs a trial, which ends, too: it gets the original module, and so
 * do all later ones. */
static void an_end_is_remembered(void **unused)
{
    char name[160], command[1024];
    (void)unused;
    skip_on_windows("nonflat-try");
    snprintf(name, sizeof name, "%s.log", folder);
    unlink(name);
    print_look(command, sizeof command, 0);
    set_end(true);
    int status = system(command);
    assert_true(WIFSIGNALED(status) || WEXITSTATUS(status) == 128 + SIGABRT);
    assert_true(run(STUB_GPU, 0, "").own);
    assert_int_equal(run(STUB_GPU, 0, "").created_binary, 1); /* the binary of the original module */
    assert_true(run(STUB_GPU, 0, "NONFLAT_BINARIES=off").own);
    set_end(false);
    assert_true(run(STUB_GPU, 0, "NONFLAT_BINARIES=off").own);      /* the result is stored, so nothing is tried */
    assert_int_equal(lines_of(name), 1);                            /* logged once */
    assert_int_equal(run(STUB_GPU, 0, "CL_CONFIG_OTHER=1").own, 0); /* a different key */
    unlink(name);
}

/* Another process killed the first process while it built; the driver can build the module, and does so from the second
 * process on. */
static void a_kill_is_no_end(void **unused)
{
    char name[160], command[1024];
    (void)unused;
    skip_on_windows("nonflat-try");
    snprintf(name, sizeof name, "%s.log", folder);
    unlink(name);
    print_look(command, sizeof command, ENDS);
    assert_int_equal(WEXITSTATUS(system(command)), STATUS_OF_END);
    assert_int_equal(run(STUB_GPU, 0, "").own, 0);
    assert_int_equal(run(STUB_GPU, 0, "").created_binary, 1);
    assert_int_equal(run(STUB_GPU, 0, "NONFLAT_BINARIES=off").own, 0);
    assert_int_equal(access(name, F_OK), -1); /* no log, because nothing was refused */
}

/* The driver ends the application's processes but not a trial: two processes end, not more. */
static void what_a_trial_does_not_show(void **unused)
{
    char command[1024];
    (void)unused;
    skip_on_windows("nonflat-try");
    setenv("NONFLAT_BINARIES", "off", 1);
    print_look(command, sizeof command, ENDS);
    for (int i = 0; i < 2; i++)
        assert_int_equal(WEXITSTATUS(system(command)), STATUS_OF_END);
    for (int i = 0; i < 2; i++)
        assert_true(run(STUB_GPU, ENDS, "").own);
    unsetenv("NONFLAT_BINARIES");
}

/* The driver ends the application's processes but not a trial, and binaries are cached: the second process does not
 * build, because the trial returns its binary, which is stored for all later processes. */
static void a_trial_returns_its_binary(void **unused)
{
    char command[1024];
    (void)unused;
    skip_on_windows("nonflat-try");
    print_look(command, sizeof command, ENDS);
    assert_int_equal(WEXITSTATUS(system(command)), STATUS_OF_END);
    for (int i = 0; i < 2; i++) {
        struct seen got = run(STUB_GPU, ENDS, "");
        assert_int_equal(got.own, 0);
        assert_int_equal(got.created_binary, 1);
    }
}

/* The mark of a process of another machine is ignored, because that process may be running. So each machine loses two
 * processes of its own. */
static void a_mark_of_another_machine(void **unused)
{
    char command[1024], name[160];
    (void)unused;
    skip_on_windows("nonflat-try");
    snprintf(name, sizeof name, "%s.boot", folder);
    FILE *file = fopen(name, "w");
    assert_non_null(file);
    fputs("01234567-89ab-cdef-0123-456789abcdef\n", file);
    fclose(file);
    print_look(command, sizeof command, ENDS);
    assert_int_equal(WEXITSTATUS(system(command)), STATUS_OF_END);
    setenv("LD_PRELOAD", getenv("TEST_FILES"), 1);
    setenv("FILES_BOOT_ID", name, 1);
    setenv("NONFLAT_CACHE_WAIT", "1", 1); /* limits the wait for the claim of the first process */
    setenv("NONFLAT_BINARIES", "off", 1);
    for (int i = 0; i < 2; i++)
        assert_int_equal(WEXITSTATUS(system(command)), STATUS_OF_END);
    assert_true(run(STUB_GPU, ENDS, "").own);
    unsetenv("NONFLAT_BINARIES");
    unsetenv("LD_PRELOAD");
    unsetenv("FILES_BOOT_ID");
    unsetenv("NONFLAT_CACHE_WAIT");
    unlink(name);
}

/* The build continues during exit, and the driver has registered its exit handler after the layer. */
static void an_end_waits_for_a_build(void **unused)
{
    (void)unused;
    assert_true(run(STUB_GPU, IS_LATE, "STUB_TAKEN_APART=1 NONFLAT_BUILD_TIMEOUT=1").own);
}

/* A process that is still building has not crashed; its module is built, and no failure is recorded. */
static void two_at_once_are_no_end(void **unused)
{
    char command[1024];
    (void)unused;
    print_look(command, sizeof command, IS_SLOW);
    FILE *first = popen(command, "r");
    assert_non_null(first);
    usleep(700000);
    assert_int_equal(run(STUB_GPU, 0, "").own, 0);
    assert_int_equal(pclose(first), 0);
    assert_int_equal(run(STUB_GPU, 0, "NONFLAT_BINARIES=off").own, 0);
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
        cmocka_unit_test_teardown(a_gpu_gets_what_is_proven, check_nothing_left),
        cmocka_unit_test_teardown(an_intel_gpu_gets_what_it_does_not_know, check_nothing_left),
        cmocka_unit_test_teardown(a_processor_gets_its_bytes, check_nothing_left),
        cmocka_unit_test_teardown(linking_is_the_drivers, check_nothing_left),
        cmocka_unit_test_teardown(a_link_without_the_options_that_are_refused, check_nothing_left),
        cmocka_unit_test_teardown(a_build_that_fails, check_nothing_left),
        cmocka_unit_test_teardown(a_build_that_fails_for_one_of_several, check_nothing_left),
        cmocka_unit_test_teardown(a_program_that_is_not_made, check_nothing_left),
        cmocka_unit_test_teardown(a_build_that_takes_too_long, check_nothing_left),
        cmocka_unit_test_teardown(a_wrong_call, check_nothing_left),
        cmocka_unit_test_teardown(both_fail, check_nothing_left),
        cmocka_unit_test_teardown(known_failures_are_not_tried_again, check_nothing_left),
        cmocka_unit_test_teardown(binaries_are_kept, clean),
        cmocka_unit_test_teardown(nothing_is_kept_for_an_unknown_processor, clean),
        cmocka_unit_test_teardown(failures_are_remembered, clean),
        cmocka_unit_test_teardown(an_end_is_remembered, clean),
        cmocka_unit_test_teardown(a_kill_is_no_end, clean),
        cmocka_unit_test_teardown(what_a_trial_does_not_show, clean),
        cmocka_unit_test_teardown(a_trial_returns_its_binary, clean),
        cmocka_unit_test_teardown(a_mark_of_another_machine, clean),
        cmocka_unit_test_teardown(an_end_waits_for_a_build, clean),
        cmocka_unit_test_teardown(two_at_once_are_no_end, clean),
        cmocka_unit_test_teardown(source_is_kept, clean),
        cmocka_unit_test_teardown(source_that_depends_is_not_kept, clean),
    };
    self = arguments[0];
    snprintf(folder, sizeof folder, "/tmp/nonflat-native-%ld", (long)getpid());
    if (count == 4) {
        find_stub(NULL);
        look((enum stub_device)atoi(arguments[2]), atoi(arguments[3]));
        return free_modules(NULL);
    }
    if (count == 5) {
        find_stub(NULL);
        look_at_source(arguments[2], arguments[3], atoi(arguments[4]));
        return free_modules(NULL);
    }
    return cmocka_run_group_tests(tests, find_stub, free_modules);
}
