/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_settings.c - effects of settings in the layer: by device, NONFLAT_DUMP, the summary. The test starts itself
 * again for each process.
 */
#define _GNU_SOURCE
#include "common.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *self;
static char folder[64];

static int clean(void **unused);

/* In the child: builds one module `count` times. @return true if the driver got generic pointers. */
static int build(const char *name, int count)
{
    enum stub_device kind = getenv("TEST_BITCODE") ? STUB_SPIR : STUB_IL;
    const struct bytes *module = strcmp(name, "generic") == 0 ? &generic_module : &plain_module;
    cl_context context = make_context(kind);
    for (int i = 0; i < count; i++) {
        cl_program program = make_program(context, module);
        stub->fail_create = getenv("TEST_FAIL_CREATE") ? CL_INVALID_BINARY : CL_SUCCESS;
        stub->fail_build = getenv("TEST_FAIL_BUILD") ? CL_BUILD_PROGRAM_FAILURE : CL_SUCCESS;
        assert_int_equal(clBuildProgram(program, 0, NULL, "", NULL, NULL), CL_SUCCESS);
        clReleaseProgram(program);
    }
    clReleaseContext(context);
    if (kind == STUB_SPIR) return memcmp(stub->module.data, "BC\xC0\xDE", 4) != 0;
    return driver_saw_generic();
}

/* @return 1 if the driver got generic pointers, 0 if not. */
static int run(const char *variables, const char *module, int count)
{
    char command[4096];
    snprintf(command, sizeof command, "%s '%s' build %s %d", variables, self, module, count);
    int status = system(command);
    assert_true(status >= 0 && status != 127 << 8);
    return status >> 8;
}

static void write_file(const char *text)
{
    char path[128];
    snprintf(path, sizeof path, "%s/conf", folder);
    FILE *file = fopen(path, "w");
    fputs(text, file);
    fclose(file);
    chmod(path, 0600);
    setenv("NONFLAT_CONFIG", path, 1);
}

/* Returns the last bytes of a file in the folder whose name ends with `ending`; "" if there is none. */
static const char *read_ending(const char *ending, size_t *size)
{
    static char text[65536];
    char path[512];
    DIR *list = opendir(folder);
    *text = '\0';
    for (struct dirent *at; list && (at = readdir(list)) != NULL;) {
        size_t length = strlen(at->d_name);
        if (length < strlen(ending) || strcmp(at->d_name + length - strlen(ending), ending) != 0) continue;
        snprintf(path, sizeof path, "%s/%s", folder, at->d_name);
        FILE *file = fopen(path, "rb");
        size_t got = fread(text, 1, sizeof text - 1, file);
        text[got] = '\0';
        if (size) *size = got;
        fclose(file);
    }
    if (list) closedir(list);
    return text;
}

static void a_device_may_be_left_alone(void **unused)
{
    (void)unused;
    write_file("[device stub*]\nmode = off\n");
    assert_int_equal(run("", "generic", 1), 1);
    assert_int_equal(run("NONFLAT_MODE=auto", "generic", 1), 0);
    write_file("[device another]\nmode = off\n");
    assert_int_equal(run("", "generic", 1), 0);
    write_file("[application layer_settings]\nmode = off\n");
    assert_int_equal(run("", "generic", 1), 1);
}

static void dump_has_input_output_and_report(void **unused)
{
    size_t size = 0;
    char variables[128];
    (void)unused;
    snprintf(variables, sizeof variables, "NONFLAT_DUMP='%s'", folder);
    assert_int_equal(run(variables, "generic", 1), 0);
    assert_memory_equal(read_ending(".in.spv", &size), generic_module.data, generic_module.size);
    assert_int_equal(size, generic_module.size);
    assert_memory_equal(read_ending(".out.spv", &size), generic_module.data, 4);
    assert_memory_not_equal(read_ending(".out.spv", &size), generic_module.data, generic_module.size);
    assert_non_null(strstr(read_ending(".json", NULL), "\"result\""));
}

static unsigned field(const char *line, const char *name)
{
    const char *at = strstr(line, name);
    assert_non_null(at);
    return (unsigned)strtoul(at + strlen(name), NULL, 10);
}

static void summary_is_one_line_per_process(void **unused)
{
    char variables[512];
    size_t size = 0;
    (void)unused;
    snprintf(variables, sizeof variables, "NONFLAT_CACHE='%s/cache' NONFLAT_SUMMARY='%s/summary'", folder, folder);
    run(variables, "generic", 0);
    assert_string_equal(read_ending("summary", &size), "");
    run(variables, "generic", 3);
    const char *line = read_ending("summary", &size);
    assert_int_equal(strncmp(line, "pid=", 4), 0);
    assert_int_equal(field(line, " modules="), 3);
    assert_int_equal(field(line, " kernels="), 3);
    assert_true(field(line, " generic=") >= 3);
    assert_int_equal(field(line, " static="), field(line, " generic="));
    assert_int_equal(field(line, " hits="), 2);
    assert_int_equal(field(line, " misses="), 1);
    assert_int_equal(field(line, " refused="), 0);
    assert_ptr_equal(strchr(line, '\n'), line + size - 1);
    run(variables, "generic", 1);
    line = strchr(read_ending("summary", &size), '\n') + 1;
    assert_int_equal(field(line, " hits="), 1);
    assert_int_equal(field(line, " kernels="), 1);
    assert_ptr_equal(strchr(line, '\n') + 1, line + strlen(line));
}

/* The second process needs no translator, as long as the translator has not changed. */
static void bitcode_is_kept(void **unused)
{
    char variables[512], command[1024];
    (void)unused;
    snprintf(command, sizeof command, "cp '%s' '%s/spir' && chmod 700 '%s/spir'", getenv("TEST_SPIR"), folder, folder);
    assert_int_equal(system(command), 0);
    snprintf(variables, sizeof variables,
             "TEST_BITCODE=1 NONFLAT_LOG=off NONFLAT_SPIR='%s/spir' NONFLAT_CACHE='%s/cache'", folder, folder);
    setenv("FAKE_SPIR", "fine", 1);
    assert_int_equal(run(variables, "generic", 1), 0);
    setenv("FAKE_SPIR", "refuse", 1);
    assert_int_equal(run(variables, "generic", 1), 0);
    assert_int_not_equal(run(variables, "plain", 1), 0); /* this module is not in the cache */
    snprintf(command, sizeof command, "echo >>'%s/spir'", folder);
    assert_int_equal(system(command), 0);
    assert_int_not_equal(run(variables, "generic", 1), 0); /* another translator */
    unsetenv("FAKE_SPIR");
}

/* Calls `run()` with a translator of this test. */
static int run_with(const char *before, const char *behaviour)
{
    char variables[1024];
    snprintf(variables, sizeof variables,
             "TEST_BITCODE=1 NONFLAT_LOG=off NONFLAT_SPIR='%s/spir' NONFLAT_CACHE='%s/cache' FAKE_SPIR=%s %s", folder,
             folder, behaviour, before);
    return run(variables, "generic", 1);
}

static void change_translator(void)
{
    char command[256];
    snprintf(command, sizeof command, "echo >>'%s/spir'", folder);
    assert_int_equal(system(command), 0);
}

static void what_is_not_sure_is_not_kept(void **unused)
{
    static const struct {
        const char *environment, *translator;
        bool is_right;
    } runs[] = {
        /* Half of the output, and the exit status of the translator is unknown. */
        {"env --ignore-signal=CHLD", "cut", false},
        {"env --ignore-signal=CHLD", "cut_well", false},
        {"env --ignore-signal=CHLD", "fine", true},
        {"", "crash", false}, /* the output was complete, but that is not certain */
        {"", "hang", false},
        {"", "fine", true},
        {"", "crash", true},
        /* A translation that the driver refuses is repeated. */
        {"TEST_FAIL_CREATE=1", "crash", false},
        {"", "crash", false},
        {"", "fine", true},
        {"TEST_FAIL_BUILD=1", "crash", false},
        {"", "crash", false},
        /* A translation that was just made is not kept either. */
        {"TEST_FAIL_BUILD=1", "fine", false},
        {"", "crash", false},
        /* A refusal by the translator is cached, until there is another translator. */
        {"", "refuse", false},
        {"", "fine", false},
    };
    char command[1024];
    (void)unused;
    snprintf(command, sizeof command, "cp '%s' '%s/spir' && chmod 700 '%s/spir'", getenv("TEST_SPIR"), folder, folder);
    assert_int_equal(system(command), 0);
    for (size_t i = 0; i < sizeof runs / sizeof runs[0]; i++)
        if ((run_with(runs[i].environment, runs[i].translator) == 0) != runs[i].is_right)
            fail_msg("run %zu, with %s and %s", i, runs[i].environment, runs[i].translator);
    change_translator();
    assert_int_equal(run_with("", "fine"), 0);
}

/* A translator next to the layer is used only if each user with write access to it also has write access to the
 * layer. */
static void the_translator_beside(void **unused)
{
    static const struct {
        const char *command;
        bool is_taken;
    } changes[] = {
        {"true", true},
        {"chmod 777 place", false},
        {"chmod 720 place/nonflat-spir", false},
        {"chmod 722 place/nonflat-spir", false},
        {"mkdir -m 777 open && mv place/nonflat-spir open && ln -s ../open/nonflat-spir place", false},
        /* Files of a user whose umask is 002. */
        {"chmod 775 place place/*", true},
        {"chmod 775 place place/nonflat-spir", true},
        {"chmod 775 place place/* && { chgrp daemon place/layer.so || chmod 777 place; }", false},
        {"chmod 777 place place/*", false},
    };
    char command[1024], variables[1024];
    (void)unused;
    unsetenv("NONFLAT_SPIR");
    for (size_t i = 0; i < sizeof changes / sizeof changes[0]; i++) {
        clean(NULL);
        snprintf(command, sizeof command,
                 "cd '%s' && mkdir -m 755 place && cp '%s' place/layer.so && cp '%s' place/nonflat-spir && "
                 "chmod 755 place/* && %s",
                 folder, getenv("TEST_LAYER"), getenv("TEST_SPIR"), changes[i].command);
        assert_int_equal(system(command), 0);
        snprintf(variables, sizeof variables,
                 "TEST_BITCODE=1 OPENCL_LAYERS='%s/place/layer.so' NONFLAT_CACHE=off FAKE_SPIR_RUNS='%s/runs' "
                 "NONFLAT_LOG='%s/log'",
                 folder, folder, folder);
        assert_int_equal(run(variables, "generic", 1) == 0, changes[i].is_taken);
        assert_int_equal(*read_ending("runs", NULL) != '\0', changes[i].is_taken);
        assert_int_equal(strstr(read_ending("log", NULL), "may write to it") != NULL, !changes[i].is_taken);
    }
}

static int clean(void **unused)
{
    char command[256];
    (void)unused;
    unsetenv("NONFLAT_CONFIG");
    snprintf(command, sizeof command, "rm -rf '%s' && mkdir -m 700 '%s'", folder, folder);
    return system(command);
}

#define TEST(name) cmocka_unit_test_setup(name, clean)

int main(int count, char **arguments)
{
    const struct CMUnitTest tests[] = {
        TEST(a_device_may_be_left_alone),      TEST(dump_has_input_output_and_report),
        TEST(summary_is_one_line_per_process), TEST(bitcode_is_kept),
        TEST(what_is_not_sure_is_not_kept),    TEST(the_translator_beside),
    };
    self = arguments[0];
    if (count == 4) {
        find_stub(NULL);
        int status = build(arguments[2], atoi(arguments[3]));
        free_modules(NULL);
        return status;
    }
    snprintf(folder, sizeof folder, "/tmp/nonflat-settings-%ld", (long)getpid());
    int failed = cmocka_run_group_tests(tests, find_stub, free_modules);
    clean(NULL);
    return rmdir(folder) == 0 ? failed : 1;
}
