/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_cache.c - the entries that a second process finds in the cache of the first process. The test starts itself
 * again for each process; an application must see the same results with and without a hit.
 */
#define _GNU_SOURCE
#include "common.h"

#include <linux/seccomp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#ifndef SYS_chmod /* newer processors have one of the two */
#define SYS_chmod SYS_fchmodat
#endif

static const char *self;
static char folder[96];

/* The observations of a process, which it writes to its standard output for comparison. */
struct seen {
    int created_il, created_binary;
    char log[256], options[64], names[16];
    size_t il_size, binary_size;
};

static cl_program prepare(cl_context context, const struct bytes *module, uint32_t value)
{
    cl_program program = make_program(context, module);
    if (value) assert_int_equal(clSetProgramSpecializationConstant(program, 5, 4, &value), CL_SUCCESS);
    return program;
}

enum twist { PLAIN, SPOIL, AGAIN, SANDBOX };

/* From this call on, a change of a file's permissions ends the process. */
static void forbid_rights(void)
{
    static const unsigned forbidden[] = {SYS_chmod, SYS_fchmod, SYS_fchmodat};
    forbid_calls(forbidden, sizeof forbidden / sizeof *forbidden, SECCOMP_RET_KILL_PROCESS);
}

/* In the child: builds with `options`, and `value` for the spec constant, and prints its observations. */
static void look(const char *options, uint32_t value, enum twist twist)
{
    struct seen seen = {0};
    cl_device_id device = devices[0][STUB_FAST];
    cl_context context = make_context(STUB_FAST);
    cl_program program = prepare(context, value ? &spec_module : &generic_module, value);
    int il = stub->created_il, binary = stub->created_binary;
    if (twist == SPOIL) stub->fail_create = CL_INVALID_BINARY;
    assert_int_equal(clBuildProgram(program, 0, NULL, options, NULL, NULL), CL_SUCCESS);
    seen.created_il = stub->created_il - il;
    seen.created_binary = stub->created_binary - binary;
    snprintf(seen.log, sizeof seen.log, "%s", build_log(program, device));
    clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_OPTIONS, sizeof seen.options, seen.options, NULL);
    clGetProgramInfo(program, CL_PROGRAM_KERNEL_NAMES, sizeof seen.names, seen.names, NULL);
    clGetProgramInfo(program, CL_PROGRAM_IL, 0, NULL, &seen.il_size);
    clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof(size_t), &seen.binary_size, NULL);
    if (twist == AGAIN) { /* with other options, so the binary is another one */
        assert_int_equal(clBuildProgram(program, 0, NULL, "-other", NULL, NULL), CL_SUCCESS);
        assert_string_equal(stub->options, "-other");
    }
    clReleaseProgram(program);
    clReleaseContext(context);
    struct timespec pause = {0, 1000000};
    for (int i = 0; i < 5000 && stub->programs; i++) /* waits until the binary has been read for the cache */
        nanosleep(&pause, NULL);
    assert_int_equal(stub->programs, 0);
    fwrite(&seen, sizeof seen, 1, stdout);
}

static struct seen run(const char *options, unsigned value, enum twist twist)
{
    char command[4096];
    struct seen seen;
    snprintf(command, sizeof command, "NONFLAT_CACHE='%s' '%s' look '%s' %u %d", folder, self, options, value,
             (int)twist);
    FILE *child = popen(command, "r");
    assert_non_null(child);
    assert_int_equal(fread(&seen, sizeof seen, 1, child), 1);
    assert_int_equal(pclose(child), 0);
    return seen;
}

static void same(const struct seen *a, const struct seen *b)
{
    assert_string_equal(a->log, b->log);
    assert_string_equal(a->options, b->options);
    assert_string_equal(a->names, b->names);
    assert_int_equal(a->il_size, b->il_size);
    assert_int_equal(a->binary_size, b->binary_size);
}

static void second_process_takes_the_binary(void **unused)
{
    (void)unused;
    struct seen first = run("-a", 0, PLAIN), second = run("-a", 0, AGAIN);
    assert_int_equal(first.created_il, 1);
    assert_int_equal(first.created_binary, 0);
    assert_int_equal(second.created_il, 0);
    assert_int_equal(second.created_binary, 1);
    assert_string_equal(second.options, "-a");
    assert_non_null(strstr(second.log, "the stub's log"));
    same(&first, &second);
}

/* The process creates the cache folder, and writes to it. */
static void a_sandbox_lets_no_rights_be_changed(void **unused)
{
    (void)unused;
    assert_int_equal(run("-a", 0, SANDBOX).created_il, 1);
    assert_int_equal(run("-a", 0, SANDBOX).created_binary, 1);
}

static void what_matters_is_in_the_key(void **unused)
{
    char below[1024];
    (void)unused;
    snprintf(below, sizeof(below), "%s:%s", getenv("TEST_BELOW"), getenv("TEST_LAYER"));
    assert_int_equal(run("-b", 0, PLAIN).created_il, 1);
    assert_int_equal(run("-b", 0, PLAIN).created_il, 0);
    assert_int_equal(run("-c", 0, PLAIN).created_il, 1); /* options */
    assert_int_equal(run("-b", 3, PLAIN).created_il, 1); /* another module */
    assert_int_equal(run("-b", 4, PLAIN).created_il, 1); /* a spec value */
    assert_int_equal(run("-b", 4, PLAIN).created_il, 0);
    setenv("CL_CONFIG_SOMETHING", "1", 1); /* a variable that the driver reads */
    assert_int_equal(run("-b", 0, PLAIN).created_il, 1);
    unsetenv("CL_CONFIG_SOMETHING");
    setenv("OPENCL_LAYERS", below, 1); /* a layer between Nonflat and the driver */
    assert_int_equal(run("-b", 0, PLAIN).created_il, 1);
    assert_int_equal(run("-b", 0, PLAIN).created_il, 0);
    snprintf(below, sizeof(below), "%s:%s", getenv("TEST_LAYER"), getenv("TEST_BELOW")); /* a layer above Nonflat */
    setenv("OPENCL_LAYERS", below, 1);
    assert_int_equal(run("-b", 0, PLAIN).created_il, 0);
    setenv("OPENCL_LAYERS", getenv("TEST_LAYER"), 1);
    setenv("NONFLAT_MODE", "dynamic", 1);
    assert_int_equal(run("-b", 0, PLAIN).created_il, 1);
    unsetenv("NONFLAT_MODE");
    assert_int_equal(run("-b", 0, PLAIN).created_il, 0);
}

/* @return true if a file of the cache contains `text`. */
static bool is_kept(const char *text)
{
    char command[256];
    snprintf(command, sizeof(command), "grep -rqa -- '%s' '%s'", text, folder);
    return system(command) == 0;
}

/* The key contains a hash of each environment variable that drivers read, and no other variable. */
static void the_environment_is_not_kept(void **unused)
{
    (void)unused;
    assert_int_equal(run("-i", 0, PLAIN).created_il, 1);
    setenv("NEO4J_PASSWORD", "geheimnis", 1);
    assert_int_equal(run("-i", 0, PLAIN).created_il, 0);
    setenv("CL_CONFIG_TOKEN", "geheimnis", 1);
    assert_int_equal(run("-i", 0, PLAIN).created_il, 1);
    assert_int_equal(run("-i", 0, PLAIN).created_il, 0);
    assert_true(is_kept("CL_CONFIG_TOKEN"));
    assert_false(is_kept("geheimnis"));
    setenv("CL_CONFIG_TOKEN", "other", 1);
    assert_int_equal(run("-i", 0, PLAIN).created_il, 1);
    unsetenv("CL_CONFIG_TOKEN");
    unsetenv("NEO4J_PASSWORD");
    assert_int_equal(run("-i", 0, PLAIN).created_binary, 1);
    setenv("NEOReadDebugKeys", "1", 1); /* any other variable may be relevant now, so nothing is loaded */
    assert_int_equal(run("-i", 0, PLAIN).created_binary, 0);
    unsetenv("NEOReadDebugKeys");
}

/* A build with the options is a miss, then a hit, and a miss again once that file has another time. */
static void misses_when_changed(const char *options, const char *file)
{
    char command[2048];
    assert_int_equal(run(options, 0, PLAIN).created_il, 1);
    assert_int_equal(run(options, 0, PLAIN).created_il, 0);
    snprintf(command, sizeof(command), "touch -d '2001-01-01' '%s'", file);
    assert_int_equal(system(command), 0);
    assert_int_equal(run(options, 0, PLAIN).created_il, 1);
}

/* The same driver in another file, then a newer file in its place. */
static void another_driver_is_a_miss(void **unused)
{
    char command[2048], vendors[128], before[512];
    (void)unused;
    snprintf(before, sizeof(before), "%s", getenv("OCL_ICD_VENDORS"));
    snprintf(vendors, sizeof(vendors), "%s-vendors", folder);
    snprintf(command, sizeof(command),
             "mkdir '%s' && cp \"$(cat '%s'/stub.icd)\" '%s/stub.so' && echo '%s/stub.so' > '%s/stub.icd'", vendors,
             before, vendors, vendors, vendors);
    assert_int_equal(run("-j", 0, PLAIN).created_il, 1);
    assert_int_equal(system(command), 0);
    setenv("OCL_ICD_VENDORS", vendors, 1);
    snprintf(command, sizeof(command), "%s/stub.so", vendors);
    misses_when_changed("-j", command);
    setenv("OCL_ICD_VENDORS", before, 1);
    assert_int_equal(run("-j", 0, PLAIN).created_il, 0);
    snprintf(command, sizeof(command), "rm -rf '%s'", vendors);
    assert_int_equal(system(command), 0);
}

/* A layer between Nonflat and the driver counts as another one if its file has changed. */
static void another_layer_below_is_a_miss(void **unused)
{
    char command[2048], below[256], layers[4096], before[4096];
    (void)unused;
    snprintf(before, sizeof(before), "%s", getenv("OPENCL_LAYERS"));
    snprintf(below, sizeof(below), "%s-below.so", folder);
    snprintf(command, sizeof(command), "cp '%s' '%s'", getenv("TEST_BELOW"), below);
    assert_int_equal(system(command), 0);
    snprintf(layers, sizeof(layers), "%s:%s", below, getenv("TEST_LAYER"));
    setenv("OPENCL_LAYERS", layers, 1);
    misses_when_changed("-l", below);
    setenv("OPENCL_LAYERS", before, 1);
    unlink(below);
}

static void a_refused_binary_is_a_miss(void **unused)
{
    (void)unused;
    struct seen first = run("-d", 0, PLAIN), second = run("-d", 0, SPOIL), third = run("-d", 0, PLAIN);
    assert_int_equal(second.created_binary, 1); /* tried, and refused */
    assert_int_equal(second.created_il, 1);
    assert_int_equal(third.created_binary, 1);
    same(&first, &second);
    same(&first, &third);
}

/* Sixteen processes at once, with an empty cache. */
static void a_cold_cache_for_many(void **unused)
{
    enum { MANY = 16 };
    char command[4096];
    FILE *children[MANY];
    struct seen first = {0}, seen;
    int built = 0;
    (void)unused;
    snprintf(command, sizeof command, "NONFLAT_CACHE='%s' '%s' look -e 0 0", folder, self);
    for (int i = 0; i < MANY; i++)
        assert_non_null(children[i] = popen(command, "r"));
    for (int i = 0; i < MANY; i++) {
        assert_int_equal(fread(&seen, sizeof seen, 1, children[i]), 1);
        assert_int_equal(pclose(children[i]), 0);
        if (i == 0) first = seen;
        same(&first, &seen);
        built += seen.created_il;
    }
    assert_int_equal(built, 1); /* by one process, for all of them */
    assert_int_equal(run("-e", 0, PLAIN).created_il, 0);
}

static void the_administrators_cache_is_only_read(void **unused)
{
    char command[256], user[64];
    (void)unused;
    strcpy(user, folder);
    run("-f", 0, PLAIN);
    setenv("NONFLAT_CACHE_SYSTEM", folder, 1);
    strcat(folder, "-user"); /* from now on the folder of the user */
    assert_int_equal(run("-f", 0, PLAIN).created_il, 0);
    assert_int_equal(run("-g", 0, PLAIN).created_il, 1);
    unsetenv("NONFLAT_CACHE_SYSTEM");
    assert_int_equal(run("-g", 0, PLAIN).created_il, 0); /* the entry is in the user's folder */
    assert_int_equal(run("-f", 0, PLAIN).created_il, 1); /* the user's folder has no entry of the administrator's */
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    assert_int_equal(system(command), 0);
    strcpy(folder, user);
    assert_int_equal(run("-g", 0, PLAIN).created_il, 1); /* no entry was written to the administrator's folder */
}

static void shell(const char *format, ...)
{
    char command[4096];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(command, sizeof command, format, arguments);
    va_end(arguments);
    assert_int_equal(system(command), 0);
}

/* Of two read-only folders, the second is searched if the first lacks the entry, has a damaged one, or does not
 * exist. */
static void folders_are_searched_in_their_order(void **unused)
{
    char list[512];
    (void)unused;
    run("-m", 0, PLAIN);
    shell("mv '%s' '%s-b'", folder, folder);
    run("-n", 0, PLAIN);
    shell("mv '%s' '%s-a'", folder, folder);
    snprintf(list, sizeof list, "%s-none:%s-a:%s-b", folder, folder, folder);
    setenv("NONFLAT_CACHE_SYSTEM", list, 1);
    assert_int_equal(run("-m", 0, PLAIN).created_il, 0);
    assert_int_equal(run("-n", 0, PLAIN).created_il, 0);
    shell("for file in '%s'-b/binary-*; do echo x > \"$file\"; done", folder);
    assert_int_equal(run("-m", 0, PLAIN).created_il, 1);
    shell("test -e '%s' && ls '%s'-b/binary-* > /dev/null", folder, folder); /* no entry of a read-only folder is
                                                                              * removed */
    unsetenv("NONFLAT_CACHE_SYSTEM");
    shell("rm -rf '%s-a' '%s-b'", folder, folder);
}

/* A read-only folder may belong to the owner of the layer, who is neither root nor the user; it may not belong to
 * anyone else. */
static void the_owner_of_the_layer_is_trusted(void **unused)
{
    char layer[512], copy[128];
    (void)unused;
    if (geteuid() != 0) {
        print_message("SKIPPED: no right to give files away\n");
        return;
    }
    snprintf(layer, sizeof layer, "%s", getenv("OPENCL_LAYERS"));
    snprintf(copy, sizeof copy, "%s.so", folder);
    run("-o", 0, PLAIN);
    shell("mv '%s' '%s-b' && chown -R 1234 '%s-b' && cp '%s' '%s'", folder, folder, folder, layer, copy);
    snprintf(layer, sizeof layer, "%s-b", folder);
    setenv("NONFLAT_CACHE_SYSTEM", layer, 1);
    snprintf(layer, sizeof layer, "%s", getenv("OPENCL_LAYERS"));
    setenv("OPENCL_LAYERS", copy, 1);
    shell("chown 1234 '%s'", copy);
    assert_int_equal(run("-o", 0, PLAIN).created_il, 0);
    shell("chmod -R g+w '%s-b'", folder);
    assert_int_equal(run("-o", 0, PLAIN).created_il, 1);
    shell("chmod -R g-w '%s-b' && chown 1235 '%s'; rm -rf '%s'", folder, copy, folder);
    assert_int_equal(run("-o", 0, PLAIN).created_il, 1);
    unsetenv("NONFLAT_CACHE_SYSTEM");
    setenv("OPENCL_LAYERS", layer, 1);
    shell("rm -rf '%s-b' '%s'", folder, copy);
}

/* The same file with another build id is another build. */
static void another_build_of_the_layer_is_a_miss(void **unused)
{
    char layer[512], copy[128], command[2048];
    (void)unused;
    snprintf(layer, sizeof layer, "%s", getenv("OPENCL_LAYERS"));
    snprintf(copy, sizeof copy, "%s.so", folder);
    snprintf(command, sizeof command,
             "cp '%s' '%s' && objcopy --dump-section .note.gnu.build-id='%s.id' '%s' && "
             "printf '\\000' | dd of='%s.id' bs=1 seek=30 conv=notrunc status=none && "
             "printf '\\377' | dd of='%s.id' bs=1 seek=31 conv=notrunc status=none && "
             "objcopy --update-section .note.gnu.build-id='%s.id' '%s' && rm '%s.id'",
             layer, copy, folder, copy, folder, folder, folder, copy, folder);
    run("-h", 0, PLAIN);
    assert_int_equal(system(command), 0);
    setenv("OPENCL_LAYERS", copy, 1);
    assert_int_equal(run("-h", 0, PLAIN).created_il, 1);
    assert_int_equal(run("-h", 0, PLAIN).created_il, 0);
    setenv("OPENCL_LAYERS", layer, 1);
    assert_int_equal(run("-h", 0, PLAIN).created_il, 0);
    unlink(copy);
}

static void a_hit_in_memory_is_quick(void **unused)
{
    struct timespec start, end;
    enum { ROUNDS = 200 };
    (void)unused;
    cl_context context = make_context(STUB_IL);
    clReleaseProgram(make_program(context, &generic_module));
    clock_gettime(CLOCK_MONOTONIC, &start);
    for (int i = 0; i < ROUNDS; i++)
        clReleaseProgram(make_program(context, &generic_module));
    clock_gettime(CLOCK_MONOTONIC, &end);
    double each = ((double)(end.tv_sec - start.tv_sec) * 1e6 + (double)(end.tv_nsec - start.tv_nsec) / 1e3) / ROUNDS;
    printf("create and release: %.1f us\n", each);
    assert_true(each < 500); /* far above the usual time, for busy machines */
    clReleaseContext(context);
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
        cmocka_unit_test_teardown(second_process_takes_the_binary, clean),
        cmocka_unit_test_teardown(a_sandbox_lets_no_rights_be_changed, clean),
        cmocka_unit_test_teardown(what_matters_is_in_the_key, clean),
        cmocka_unit_test_teardown(the_environment_is_not_kept, clean),
        cmocka_unit_test_teardown(another_driver_is_a_miss, clean),
        cmocka_unit_test_teardown(another_layer_below_is_a_miss, clean),
        cmocka_unit_test_teardown(a_refused_binary_is_a_miss, clean),
        cmocka_unit_test_teardown(a_cold_cache_for_many, clean),
        cmocka_unit_test_teardown(the_administrators_cache_is_only_read, clean),
        cmocka_unit_test_teardown(folders_are_searched_in_their_order, clean),
        cmocka_unit_test_teardown(the_owner_of_the_layer_is_trusted, clean),
        cmocka_unit_test_teardown(another_build_of_the_layer_is_a_miss, clean),
        cmocka_unit_test(a_hit_in_memory_is_quick),
    };
    self = arguments[0];
    if (count == 5) {
        if (atoi(arguments[4]) == SANDBOX) forbid_rights(); /* applies to threads that are started later, too */
        find_stub(NULL);
        look(arguments[2], (uint32_t)atoi(arguments[3]), (enum twist)atoi(arguments[4]));
        return free_modules(NULL);
    }
    snprintf(folder, sizeof folder, "/tmp/nonflat-cache-%ld", (long)getpid());
    return cmocka_run_group_tests(tests, find_stub, free_modules);
}
