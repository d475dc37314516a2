/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_source.c - devices that get OpenCL C: because they accept nothing else, or because the setting `delivery`
 * requests it. The driver gets a text with suitable options; the application sees its own module. With
 * NONFLAT_DELIVERY=source the same is tested on the kind of device whose number is TEST_KIND.
 */
#define _GNU_SOURCE
#include "common.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static enum stub_device kind = STUB_SOURCE;
static const char *self;
static char folder[96];
static struct bytes doubles_module, arguments_module;

static cl_program build(cl_context context, const struct bytes *module, const char *options, cl_int expected)
{
    cl_program program = make_program(context, module);
    assert_int_equal(clBuildProgram(program, 0, NULL, options, NULL, NULL), expected);
    return program;
}

static void release(cl_program program, cl_context context)
{
    clReleaseProgram(program);
    clReleaseContext(context);
}

static cl_build_status status_of(cl_program program, cl_device_id device)
{
    cl_build_status status = 77;
    clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_STATUS, sizeof status, &status, NULL);
    return status;
}

static size_t size_of(cl_program program, cl_program_info name)
{
    size_t size = 77;
    assert_int_equal(clGetProgramInfo(program, name, 0, NULL, &size), CL_SUCCESS);
    return size;
}

/* ---- the text that reaches the driver, and the results that the application sees --------------------------------- */

static void text_reaches_the_driver(void **unused)
{
    (void)unused;
    cl_context context = make_context(kind);
    int il = stub->created_il + stub->created_khr + stub->created_binary, sources = stub->created_source;
    cl_program program = build(context, &generic_module, "-cl-mad-enable", CL_SUCCESS);
    assert_int_equal(stub->created_source, sources + 1);
    assert_int_equal(stub->created_il + stub->created_khr + stub->created_binary, il);
    assert_non_null(strstr(stub->text, "kernel void k(global "));
    assert_non_null(strstr(stub->text, "= 7u;"));
    assert_int_equal(status_of(program, devices[0][kind]), CL_BUILD_SUCCESS);
    cl_int error = -1;
    cl_kernel kernel = clCreateKernel(program, "k", &error);
    assert_int_equal(error, CL_SUCCESS);
    clReleaseKernel(kernel);
    release(program, context);
}

/* Returns the option for the language version of the text. */
static const char *version(void)
{
    return stub->language == 30 ? "-cl-std=CL3.0" : stub->language == 20 ? "-cl-std=CL2.0" : "-cl-std=CL1.2";
}

/* Options that concern the generated code are passed on; options that would change the meaning of the text, or its
 * treatment, are dropped. The version of the language is the oldest version with the features that the text can use. */
static void options_are_those_of_the_text(void **unused)
{
    static const char *const cases[][2] = {
        {NULL, ""},
        {"", ""},
        {"-cl-std=CL3.0", ""},
        {"-cl-fast-relaxed-math -cl-opt-disable -g -w", "-cl-fast-relaxed-math -cl-opt-disable -g -w "},
        {"-D global=local -DN=4 -I dir -Idir -D AB -cl-mad-enable", "-cl-mad-enable "},
        {"-cl-single-precision-constant -Werror -cl-kernel-arg-info", "-cl-kernel-arg-info "},
        {"-cl-no-subgroup-ifp -cl-uniform-work-group-size -foo", "-foo "},
    };
    (void)unused;
    cl_context context = make_context(kind);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char seen[256], expected[256];
        cl_program program = build(context, &generic_module, cases[i][0], CL_SUCCESS);
        snprintf(expected, sizeof expected, "%s%s", cases[i][1], version());
        assert_string_equal(stub->options, expected);
        clGetProgramBuildInfo(program, devices[0][kind], CL_PROGRAM_BUILD_OPTIONS, sizeof seen, seen, NULL);
        assert_string_equal(seen, cases[i][0] ? cases[i][0] : "");
        clReleaseProgram(program);
    }
    clReleaseContext(context);
}

static void the_program_is_one_of_il(void **unused)
{
    (void)unused;
    cl_context context = make_context(kind);
    cl_program program = make_program(context, &generic_module);
    for (int built = 0; built < 2; built++) {
        char text[8] = "unset";
        assert_int_equal(size_of(program, CL_PROGRAM_SOURCE), 1);
        assert_int_equal(clGetProgramInfo(program, CL_PROGRAM_SOURCE, sizeof text, text, NULL), CL_SUCCESS);
        assert_string_equal(text, "");
        assert_int_equal(size_of(program, CL_PROGRAM_IL), generic_module.size);
        if (!built) assert_int_equal(clBuildProgram(program, 0, NULL, "", NULL, NULL), CL_SUCCESS);
    }
    assert_int_equal(size_of(program, CL_PROGRAM_KERNEL_NAMES), 2);
    assert_int_equal(size_of(program, CL_PROGRAM_BINARIES), sizeof(void *));
    assert_null(clCreateProgramWithIL(context, generic_module.data, generic_module.size - 6, NULL));
    release(program, context);
}

static void the_log_has_both_reports(void **unused)
{
    (void)unused;
    cl_context context = make_context(kind);
    cl_program program = build(context, &generic_module, "", CL_SUCCESS);
    const char *log = build_log(program, devices[0][kind]), *theirs = strstr(log, "the stub's log");
    assert_int_equal(strncmp(log, "nonflat: 1 generic accesses: 1 static", 37), 0);
    assert_non_null(theirs);
    release(program, context);
}

static void a_build_that_fails(void **unused)
{
    cl_int error = 0;
    (void)unused;
    cl_context context = make_context(kind);
    stub->fail_build = CL_BUILD_PROGRAM_FAILURE;
    cl_program program = build(context, &generic_module, "", CL_BUILD_PROGRAM_FAILURE);
    stub->fail_build = 0;
    assert_non_null(strstr(build_log(program, devices[0][kind]), "the stub's log"));
    assert_null(clCreateKernel(program, "k", &error));
    assert_int_equal(error, CL_INVALID_PROGRAM_EXECUTABLE);
    assert_int_equal(clBuildProgram(program, 0, NULL, "", NULL, NULL), CL_SUCCESS);
    clReleaseProgram(program);
    stub->fail_create = CL_OUT_OF_RESOURCES;
    program = build(context, &generic_module, "", CL_OUT_OF_RESOURCES);
    release(program, context);
}

/* ---- features of the compiler ------------------------------------------------------------------------------------ */

static void what_the_compiler_lacks_is_refused(void **unused)
{
    (void)unused;
    cl_context context = make_context(STUB_SOURCE);
    cl_program program = build(context, &doubles_module, "", CL_SUCCESS);
    assert_non_null(strstr(stub->text, "cl_khr_fp64"));
    release(program, context);
    context = make_context(STUB_SOURCE_3);
    int sources = stub->created_source;
    program = build(context, &doubles_module, "", CL_BUILD_PROGRAM_FAILURE);
    assert_int_equal(stub->created_source, sources);
    assert_int_equal(status_of(program, devices[0][STUB_SOURCE_3]), CL_BUILD_ERROR);
    assert_non_null(strstr(build_log(program, devices[0][STUB_SOURCE_3]), "double"));
    release(program, context);
}

static void each_compiler_gets_its_text(void **unused)
{
    cl_device_id list[] = {devices[0][STUB_SOURCE], devices[0][STUB_SOURCE_3], devices[0][STUB_IL]};
    (void)unused;
    int sources = stub->created_source, il = stub->created_il;
    cl_context context = make_context_of(3, list);
    cl_program program = build(context, &generic_module, "", CL_SUCCESS);
    assert_int_equal(stub->created_source, sources + 2);
    assert_int_equal(stub->created_il, il + 1);
    release(program, context);
}

static void too_old_a_compiler(void **unused)
{
    cl_int error = 0;
    (void)unused;
    stub->old = 1u << STUB_SOURCE; /* of the second platform, which has not been queried yet */
    cl_context context = make_context_of(1, &devices[1][STUB_SOURCE]);
    assert_null(clCreateProgramWithIL(context, generic_module.data, generic_module.size, &error));
    assert_int_equal(error, CL_INVALID_OPERATION);
    stub->old = 0;
    clReleaseContext(context);
}

/* The module, for addresses of 32 bits. */
static void *copy_of_width_32(void)
{
    enum { HEADER_WORDS = 5, MEMORY_MODEL = 3 << 16 | 14, PHYSICAL_32 = 1 };
    uint32_t *words = malloc(generic_module.size);
    assert_non_null(words);
    memcpy(words, generic_module.data, generic_module.size);
    uint32_t *at = words + HEADER_WORDS;
    while (*at != MEMORY_MODEL)
        at += *at >> 16;
    at[1] = PHYSICAL_32;
    return words;
}

/* Pointers of the module have 64 bits, whatever a compiler makes of them. Pointers of another module have the width
 * that the device has. */
static void addresses_of_another_width(void **unused)
{
    (void)unused;
    stub->narrow = 1u << STUB_SOURCE_3;
    cl_context context = make_context_of(1, &devices[1][STUB_SOURCE_3]);
    int sources = stub->created_source;
    cl_program program = build(context, &generic_module, "", CL_BUILD_PROGRAM_FAILURE);
    assert_int_equal(stub->created_source, sources);
    assert_non_null(strstr(build_log(program, devices[1][STUB_SOURCE_3]), "addresses of 64 bits"));
    clReleaseProgram(program);
    struct bytes narrow_module = {copy_of_width_32(), generic_module.size};
    program = build(context, &narrow_module, "", CL_SUCCESS);
    assert_int_equal(stub->created_source, sources + 1);
    free(narrow_module.data);
    stub->narrow = 0;
    release(program, context);
}

/* ---- names, links, values ---- */

/* Returns the OpenCL C name that is computed from the module's. */
static void hash_name(const char *name, const char *kept, char *c_name)
{
    uint64_t hash = stub_sum((const unsigned char *)name, strlen(name));
    sprintf(c_name, "%.200s_%016llx", kept, (unsigned long long)hash);
}

/* Checks that the kernel `name` of the module is `c_name` in the driver. */
static void expect_name(const struct bytes *module, const char *name, const char *c_name)
{
    cl_context context = make_context(STUB_SOURCE);
    char seen[512];
    cl_int error = -1;
    snprintf(stub->names, sizeof stub->names, "%s", c_name);
    cl_program program = build(context, module, "", CL_SUCCESS);
    assert_non_null(strstr(stub->text, c_name));
    cl_kernel kernel = clCreateKernel(program, name, &error);
    assert_int_equal(error, CL_SUCCESS);
    assert_int_equal(clGetKernelInfo(kernel, CL_KERNEL_FUNCTION_NAME, sizeof seen, seen, NULL), CL_SUCCESS);
    assert_string_equal(seen, name);
    assert_int_equal(clGetProgramInfo(program, CL_PROGRAM_KERNEL_NAMES, sizeof seen, seen, NULL), CL_SUCCESS);
    assert_string_equal(seen, name);
    assert_null(clCreateKernel(program, "nothing", &error));
    assert_int_equal(error, CL_INVALID_KERNEL_NAME);
    *stub->names = '\0';
    clReleaseKernel(kernel);
    release(program, context);
}

static void kernels_keep_their_names(void **unused)
{
    char name[512] = "_ZTS", c_name[512];
    (void)unused;
    hash_name("main", "main", c_name);
    expect_name(&doubles_module, "main", c_name);
    for (int i = 0; i < 74; i++)
        strcat(name, "long");
    hash_name(name, name, c_name);
    expect_name(&long_module, name, c_name);
}

/* Queries return names and types of the module, and not those of the text. */
static void arguments_are_those_of_the_module(void **unused)
{
    static const struct {
        const char *name, *type;
        cl_kernel_arg_address_qualifier address;
        cl_kernel_arg_access_qualifier access;
        cl_kernel_arg_type_qualifier qualifiers;
    } arguments[] = {
        {"data", "float4*", CL_KERNEL_ARG_ADDRESS_GLOBAL, CL_KERNEL_ARG_ACCESS_NONE, CL_KERNEL_ARG_TYPE_CONST},
        {"table", "uint*", CL_KERNEL_ARG_ADDRESS_CONSTANT, CL_KERNEL_ARG_ACCESS_NONE, CL_KERNEL_ARG_TYPE_CONST},
        {"tile", "uchar*", CL_KERNEL_ARG_ADDRESS_LOCAL, CL_KERNEL_ARG_ACCESS_NONE, CL_KERNEL_ARG_TYPE_VOLATILE},
        {"count", "uint", CL_KERNEL_ARG_ADDRESS_PRIVATE, CL_KERNEL_ARG_ACCESS_NONE, CL_KERNEL_ARG_TYPE_NONE},
        {"picture", "image2d_t", CL_KERNEL_ARG_ADDRESS_GLOBAL, CL_KERNEL_ARG_ACCESS_WRITE_ONLY,
         CL_KERNEL_ARG_TYPE_NONE},
        {"pair", "struct.pair", CL_KERNEL_ARG_ADDRESS_PRIVATE, CL_KERNEL_ARG_ACCESS_NONE, CL_KERNEL_ARG_TYPE_NONE},
    };
    enum { COUNT = sizeof arguments / sizeof *arguments };
    (void)unused;
    stub->arguments = COUNT;
    cl_context context = make_context(STUB_SOURCE_3);
    cl_program program = build(context, &arguments_module, "-cl-kernel-arg-info", CL_SUCCESS);
    cl_kernel kernel = clCreateKernel(program, "k", NULL);
    for (cl_uint i = 0; i < COUNT; i++) {
        char text[64];
        cl_kernel_arg_address_qualifier address = 0;
        cl_kernel_arg_access_qualifier access = 0;
        cl_kernel_arg_type_qualifier qualifiers = 77;
        assert_int_equal(clGetKernelArgInfo(kernel, i, CL_KERNEL_ARG_NAME, sizeof text, text, NULL), CL_SUCCESS);
        assert_string_equal(text, arguments[i].name);
        clGetKernelArgInfo(kernel, i, CL_KERNEL_ARG_TYPE_NAME, sizeof text, text, NULL);
        assert_string_equal(text, arguments[i].type);
        clGetKernelArgInfo(kernel, i, CL_KERNEL_ARG_ADDRESS_QUALIFIER, sizeof address, &address, NULL);
        assert_int_equal(address, arguments[i].address);
        clGetKernelArgInfo(kernel, i, CL_KERNEL_ARG_ACCESS_QUALIFIER, sizeof access, &access, NULL);
        assert_int_equal(access, arguments[i].access);
        clGetKernelArgInfo(kernel, i, CL_KERNEL_ARG_TYPE_QUALIFIER, sizeof qualifiers, &qualifiers, NULL);
        assert_int_equal(qualifiers, arguments[i].qualifiers);
    }
    stub->arguments = 1;
    clReleaseKernel(kernel);
    release(program, context);
}

static void modules_are_linked_before(void **unused)
{
    cl_int error = -1;
    (void)unused;
    cl_context context = make_context(kind);
    cl_program parts[] = {make_program(context, &caller_module), make_program(context, &callee_module)};
    int sources = stub->created_source, compiled = stub->compiled, links = stub->linked;
    for (int i = 0; i < 2; i++) {
        assert_int_equal(clCompileProgram(parts[i], 0, NULL, "", 0, NULL, NULL, NULL, NULL), CL_SUCCESS);
        assert_int_equal(status_of(parts[i], devices[0][kind]), CL_BUILD_SUCCESS);
    }
    cl_program library = clLinkProgram(context, 0, NULL, "-create-library", 1, &parts[1], NULL, NULL, &error);
    assert_int_equal(error, CL_SUCCESS);
    cl_program both[] = {parts[0], library};
    assert_int_equal(stub->created_source, sources); /* the driver has got nothing yet */
    cl_program linked = clLinkProgram(context, 0, NULL, "", 2, both, NULL, NULL, &error);
    assert_int_equal(error, CL_SUCCESS);
    assert_int_equal(stub->created_source, sources + 1);
    assert_int_equal(stub->compiled, compiled);
    assert_int_equal(stub->linked, links);
    assert_string_equal(stub->options, version());
    cl_kernel kernel = clCreateKernel(linked, "k", &error);
    assert_int_equal(error, CL_SUCCESS);
    clReleaseKernel(kernel);
    clReleaseProgram(linked);
    clReleaseProgram(library);
    clReleaseProgram(parts[0]);
    release(parts[1], context);
}

static void spec_values_are_in_the_text(void **unused)
{
    const uint32_t value = 305419896;
    (void)unused;
    cl_context context = make_context(kind);
    cl_program program = build(context, &spec_module, "", CL_SUCCESS);
    int before = stub->specs;
    assert_null(strstr(stub->text, "305419896"));
    assert_int_equal(clSetProgramSpecializationConstant(program, 5, sizeof value, &value), CL_SUCCESS);
    assert_int_equal(clBuildProgram(program, 0, NULL, "", NULL, NULL), CL_SUCCESS);
    assert_int_equal(stub->specs, before);
    assert_non_null(strstr(stub->text, "305419896"));
    release(program, context);
}

/* ---- the cache ---- */

/* In a separate process: builds twice. @return the number of texts that the driver got, plus 10 for each binary. */
static int look(const char *options)
{
    cl_context context = make_context(STUB_SOURCE);
    int sources = stub->created_source, binaries = stub->created_binary;
    cl_program program = build(context, &generic_module, options, CL_SUCCESS);
    cl_int error = -1;
    cl_kernel kernel = clCreateKernel(program, "k", &error);
    bool good = kernel && strstr(build_log(program, devices[0][STUB_SOURCE]), "the stub's log") &&
                size_of(program, CL_PROGRAM_SOURCE) == 1 && strstr(stub->options, version());
    clReleaseKernel(kernel);
    release(program, context);
    struct timespec pause = {0, 1000000};
    for (int i = 0; i < 5000 && stub->programs; i++) /* waits until the binary has been read for the cache */
        nanosleep(&pause, NULL);
    return good ? stub->created_source - sources + 10 * (stub->created_binary - binaries) : 99;
}

/* In a separate process: checks whether a device of that kind gets the module with doubles. */
static int look_for_doubles(enum stub_device which)
{
    cl_context context = make_context(which);
    cl_program program = make_program(context, &doubles_module);
    cl_int error = clBuildProgram(program, 0, NULL, "", NULL, NULL);
    release(program, context);
    return error == CL_SUCCESS ? 0 : error == CL_BUILD_PROGRAM_FAILURE ? 3 : 99;
}

static int run(const char *settings, const char *options)
{
    char command[4096];
    snprintf(command, sizeof command, "NONFLAT_CACHE='%s' %s '%s' '%s'", folder, settings, self, options);
    return WEXITSTATUS(system(command));
}

static void the_second_start_takes_the_binary(void **unused)
{
    (void)unused;
    assert_int_equal(run("", "-a"), 1);
    assert_int_equal(run("", "-a"), 10);
    assert_int_equal(run("", "-b"), 1); /* other options make another build */
    assert_int_equal(run("NONFLAT_BINARIES=off", "-a"), 1);
    assert_int_equal(run("", "-a"), 10);
}

/* A text in the cache is not used for another compiler. */
static void each_compiler_has_its_entry(void **unused)
{
    char which[16];
    (void)unused;
    for (int again = 0; again < 2; again++) {
        snprintf(which, sizeof which, "%d", STUB_SOURCE);
        assert_int_equal(run("NONFLAT_BINARIES=off", which), 0);
        snprintf(which, sizeof which, "%d", STUB_SOURCE_3);
        assert_int_equal(run("NONFLAT_BINARIES=off", which), 3);
    }
}

static int clean(void **unused)
{
    char command[128];
    (void)unused;
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    return system(command);
}

static void read_module(const char *name, struct bytes *module)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s.spv", getenv("TEST_MODULES"), name);
    FILE *file = fopen(path, "rb");
    module->data = malloc(1 << 12);
    module->size = file ? fread(module->data, 1, 1 << 12, file) : 0;
    if (file) fclose(file);
}

#define TEST(name) cmocka_unit_test_teardown(name, check_nothing_left)

/* Finds the stub, whose compilers take the language that TEST_LANGUAGE names. */
static int choose_language(void **unused)
{
    const char *language = getenv("TEST_LANGUAGE");
    find_stub(unused);
    if (language) stub->language = atoi(language);
    return 0;
}

int main(int count, char **arguments)
{
    const struct CMUnitTest tests[] = {
        TEST(text_reaches_the_driver),
        TEST(options_are_those_of_the_text),
        TEST(the_program_is_one_of_il),
        TEST(the_log_has_both_reports),
        TEST(a_build_that_fails),
        TEST(what_the_compiler_lacks_is_refused),
        TEST(each_compiler_gets_its_text),
        TEST(too_old_a_compiler),
        TEST(addresses_of_another_width),
        TEST(kernels_keep_their_names),
        TEST(arguments_are_those_of_the_module),
        TEST(modules_are_linked_before),
        TEST(spec_values_are_in_the_text),
        cmocka_unit_test_teardown(the_second_start_takes_the_binary, clean),
        cmocka_unit_test_teardown(each_compiler_has_its_entry, clean),
    };
    const struct CMUnitTest by_setting[] = {
        TEST(text_reaches_the_driver),     TEST(options_are_those_of_the_text),
        TEST(the_program_is_one_of_il),    TEST(the_log_has_both_reports),
        TEST(a_build_that_fails),          TEST(modules_are_linked_before),
        TEST(spec_values_are_in_the_text),
    };
    const char *number = getenv("TEST_KIND");
    self = arguments[0];
    read_module("doubles", &doubles_module);
    read_module("arguments", &arguments_module);
    if (count == 2) {
        find_stub(NULL);
        int which = atoi(arguments[1]);
        int status = which ? look_for_doubles((enum stub_device)which) : look(arguments[1]);
        free_modules(NULL);
        free(doubles_module.data);
        free(arguments_module.data);
        return status;
    }
    if (number) kind = (enum stub_device)atoi(number);
    snprintf(folder, sizeof folder, "/tmp/nonflat-source-%ld", (long)getpid());
    int failed = number ? cmocka_run_group_tests(by_setting, choose_language, free_modules)
                        : cmocka_run_group_tests(tests, find_stub, free_modules);
    free(doubles_module.data);
    free(arguments_module.data);
    return failed;
}
