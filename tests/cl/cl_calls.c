/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cl_calls.c - queries about a source program that the layer has built, and calls for it: the results are the same as
 * natively. Runs through the layer on a real driver.
 */
#define _GNU_SOURCE
#define CL_TARGET_OPENCL_VERSION 300
#include "open_first.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static cl_context context;
static cl_device_id device;
static int failures;

static void check(int good, const char *what, int line)
{
    if (!good) printf("FAILED: line %d: %s\n", line, what);
    failures += !good;
}
#define CHECK(condition) check(condition, #condition, __LINE__)

static const char options[] = "-cl-std=CL2.0";
static const char generic[] = "typedef float4 quad;\n"
                              "int first(int *p) { return *p; }\n"
                              "__kernel __attribute__((reqd_work_group_size(1, 1, 1)))\n"
                              "void k(__global int *restrict out, __global const int *in, quad q, __local char *l)\n"
                              "{ int x = 5; out[0] = first(&x) + first(out); }\n";

static void open_device(void)
{
    cl_int error = open_first(&device, &context);
    if (error == CL_SUCCESS) return;
    printf("FAILED: no device: %d\n", error);
    exit(1);
}

static cl_program make(const char *text)
{
    return clCreateProgramWithSource(context, 1, &text, NULL, NULL);
}

static cl_uint references(cl_program program)
{
    cl_uint count = 0;
    CHECK(clGetProgramInfo(program, CL_PROGRAM_REFERENCE_COUNT, sizeof count, &count, NULL) == CL_SUCCESS);
    return count;
}

static cl_build_status status_of(cl_program program)
{
    cl_build_status status = CL_BUILD_NONE;
    CHECK(clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_STATUS, sizeof status, &status, NULL) == CL_SUCCESS);
    return status;
}

static const char *log_of(cl_program program)
{
    static char log[1 << 16];
    log[0] = '\0';
    clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, sizeof log, log, NULL);
    return log;
}

/* Returns the result of a kernel of a program with one buffer (and possibly more arguments), which holds 2 before. */
static int run_named(cl_program program, const char *name, cl_uint arguments)
{
    cl_int error, value = 2;
    size_t one = 1;
    cl_kernel kernel = clCreateKernel(program, name, &error);
    if (error != CL_SUCCESS) return -1000 + error;
    cl_command_queue queue = clCreateCommandQueue(context, device, 0, &error);
    cl_mem buffer = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof value, &value, &error);
    cl_float quad[4] = {0};
    CHECK(clSetKernelArg(kernel, 0, sizeof buffer, &buffer) == CL_SUCCESS);
    if (arguments > 1) CHECK(clSetKernelArg(kernel, 1, sizeof buffer, &buffer) == CL_SUCCESS);
    if (arguments > 2) CHECK(clSetKernelArg(kernel, 2, sizeof quad, quad) == CL_SUCCESS);
    if (arguments > 3) CHECK(clSetKernelArg(kernel, 3, 16, NULL) == CL_SUCCESS);
    CHECK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &one, &one, 0, NULL, NULL) == CL_SUCCESS);
    CHECK(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, sizeof value, &value, 0, NULL, NULL) == CL_SUCCESS);
    clReleaseMemObject(buffer);
    clReleaseCommandQueue(queue);
    clReleaseKernel(kernel);
    return value;
}

static int run(cl_program program, cl_uint arguments)
{
    return run_named(program, "k", arguments);
}

/* ---- what is asked ---- */
static int is_version_3(void)
{
    char version[256] = "";
    clGetDeviceInfo(device, CL_DEVICE_VERSION, sizeof version, version, NULL);
    return strncmp(version, "OpenCL 3", 8) == 0;
}

static int has_feature(const char *name)
{
    static cl_name_version list[64];
    size_t size = 0;
    int found = 0;
    CHECK(clGetDeviceInfo(device, CL_DEVICE_OPENCL_C_FEATURES, sizeof list, list, &size) == CL_SUCCESS);
    for (size_t i = 0; i < size / sizeof *list; i++)
        found += strcmp(list[i].name, name) == 0;
    return found;
}

/* Returns true if source without generic pointers, which contains an #error under the condition, builds. The macros
 * that the layer defines for its own compilation must not be visible. */
static cl_int builds_where(const char *condition)
{
    char text[512], seen[512] = "";
    cl_build_status status = CL_BUILD_NONE;
    snprintf(text, sizeof text, "kernel void k(global int *out)\n{\n#%s\n#  error refused\n#endif\n}\n", condition);
    cl_program program = make(text);
    cl_int error = clBuildProgram(program, 1, &device, "-cl-std=CL3.0", NULL, NULL);
    CHECK(clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_OPTIONS, sizeof seen, seen, NULL) == CL_SUCCESS);
    CHECK(strstr(seen, "-cl-std=CL3.0") && !strstr(seen, "-D"));
    CHECK(clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_STATUS, sizeof status, &status, NULL) == CL_SUCCESS);
    CHECK(status == (error == CL_SUCCESS ? CL_BUILD_SUCCESS : CL_BUILD_ERROR));
    CHECK(!strstr(log_of(program), "refused") == (error == CL_SUCCESS));
    clReleaseProgram(program);
    return error;
}

/* A device of OpenCL 3.0 reports which features work; an older one does not support the queries. */
static void device_info(void)
{
    cl_bool generic_pointers = CL_FALSE;
    size_t bytes = 0;
    cl_int error = clGetDeviceInfo(device, CL_DEVICE_GENERIC_ADDRESS_SPACE_SUPPORT, sizeof generic_pointers,
                                   &generic_pointers, NULL);
    if (!is_version_3()) return;
    CHECK(error == CL_SUCCESS && generic_pointers == CL_TRUE);
    CHECK(has_feature("__opencl_c_generic_address_space") == 1);
    CHECK(has_feature("__opencl_c_program_scope_global_variables") == 1);
    CHECK(clGetDeviceInfo(device, CL_DEVICE_MAX_GLOBAL_VARIABLE_SIZE, sizeof bytes, &bytes, NULL) == CL_SUCCESS);
    CHECK(bytes >= 65536);
    CHECK(builds_where("ifdef __opencl_c_generic_address_space") == CL_BUILD_PROGRAM_FAILURE);
    CHECK(builds_where("ifndef __opencl_c_generic_address_space") == CL_SUCCESS);
    CHECK(builds_where("ifdef __opencl_c_program_scope_global_variables") == CL_BUILD_PROGRAM_FAILURE);
    CHECK(builds_where("ifndef __opencl_c_program_scope_global_variables") == CL_SUCCESS);
}

static void program_info(void)
{
    char text[2048] = "";
    size_t size = 77;
    cl_uint number = 0;
    cl_program program = make(generic);
    CHECK(references(program) == 1);
    CHECK(clRetainProgram(program) == CL_SUCCESS);
    CHECK(clBuildProgram(program, 1, &device, options, NULL, NULL) == CL_SUCCESS);
    CHECK(status_of(program) == CL_BUILD_SUCCESS);
    CHECK(references(program) == 2);
    CHECK(clReleaseProgram(program) == CL_SUCCESS);
    CHECK(references(program) == 1);
    cl_kernel kernels[] = {clCreateKernel(program, "k", NULL), clCreateKernel(program, "k", NULL)};
    CHECK(references(program) == 3); /* each kernel has a reference to its program */
    CHECK(clRetainKernel(kernels[0]) == CL_SUCCESS && references(program) == 3);
    CHECK(clReleaseKernel(kernels[0]) == CL_SUCCESS && clReleaseKernel(kernels[0]) == CL_SUCCESS);
    CHECK(clReleaseKernel(kernels[1]) == CL_SUCCESS && references(program) == 1);
    CHECK(clGetProgramInfo(program, CL_PROGRAM_SOURCE, sizeof text, text, NULL) == CL_SUCCESS);
    CHECK(strcmp(text, generic) == 0);
    cl_int error = clGetProgramInfo(program, CL_PROGRAM_IL, 0, NULL, &size);
    CHECK(error != CL_SUCCESS || size == 0);
    CHECK(clGetProgramInfo(program, CL_PROGRAM_KERNEL_NAMES, sizeof text, text, NULL) == CL_SUCCESS);
    CHECK(strcmp(text, "k") == 0);
    CHECK(clGetProgramInfo(program, CL_PROGRAM_NUM_DEVICES, sizeof number, &number, NULL) == CL_SUCCESS && number == 1);
    CHECK(clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_OPTIONS, sizeof text, text, NULL) == CL_SUCCESS);
    CHECK(strcmp(text, options) == 0);
    CHECK(run(program, 4) == 7);
    CHECK(clReleaseProgram(program) == CL_SUCCESS);
}

/* The kernel that initializes the layer's buffer for variables is hidden. */
static void variables_info(void)
{
    char text[256];
    size_t count = 0;
    cl_program program = make("global int counter = 2;\nint bump(int *p) { return *p += 5; }\n"
                              "__kernel void k(__global int *out) { out[0] = bump(&counter); }\n");
    CHECK(clBuildProgram(program, 1, &device, options, NULL, NULL) == CL_SUCCESS);
    CHECK(clGetProgramInfo(program, CL_PROGRAM_KERNEL_NAMES, sizeof text, text, NULL) == CL_SUCCESS &&
          !strcmp(text, "k"));
    CHECK(clGetProgramInfo(program, CL_PROGRAM_NUM_KERNELS, sizeof count, &count, NULL) == CL_SUCCESS && count == 1);
    CHECK(run(program, 1) == 7);
    clReleaseProgram(program);
}

/* Each kernel's local memory size counts only its own variables. */
static void local_memory(void)
{
    static const struct {
        const char *name;
        cl_ulong least, most;
    } kernels[] = {{"k", 0, 64}, {"l", 4096, 4160}, {"m", 1024, 1088}};
    cl_program program =
        make("int first(int *p) { return *p; }\n"
             "__kernel void k(__global int *out) { out[0] = first(out) + 5; }\n"
             "__kernel void l(__global int *out) { __local int w[1024]; w[out[1]] = 1; out[0] = first(w); }\n"
             "__kernel void m(__global int *out) { __local int w[256]; w[out[1]] = 1; out[0] = first(w); }\n");
    CHECK(clBuildProgram(program, 1, &device, options, NULL, NULL) == CL_SUCCESS);
    for (size_t i = 0; i < sizeof kernels / sizeof *kernels; i++) {
        cl_ulong size = 0;
        cl_kernel kernel = clCreateKernel(program, kernels[i].name, NULL);
        CHECK(clGetKernelWorkGroupInfo(kernel, device, CL_KERNEL_LOCAL_MEM_SIZE, sizeof size, &size, NULL) ==
              CL_SUCCESS);
        CHECK(size >= kernels[i].least && size <= kernels[i].most);
        clReleaseKernel(kernel);
    }
    CHECK(run(program, 1) == 7);
    clReleaseProgram(program);
}

static void kernel_info(void)
{
    static const struct {
        const char *type, *name;
        cl_kernel_arg_address_qualifier address;
        cl_kernel_arg_type_qualifier qualifiers;
    } expected[] = {{"int*", "out", CL_KERNEL_ARG_ADDRESS_GLOBAL, CL_KERNEL_ARG_TYPE_RESTRICT},
                    {"int*", "in", CL_KERNEL_ARG_ADDRESS_GLOBAL, CL_KERNEL_ARG_TYPE_CONST},
                    {"quad", "q", CL_KERNEL_ARG_ADDRESS_PRIVATE, CL_KERNEL_ARG_TYPE_NONE},
                    {"char*", "l", CL_KERNEL_ARG_ADDRESS_LOCAL, CL_KERNEL_ARG_TYPE_NONE}};
    char text[256];
    cl_int error;
    cl_program program = make(generic), its = NULL;
    CHECK(clBuildProgram(program, 1, &device, "-cl-std=CL2.0 -cl-kernel-arg-info", NULL, NULL) == CL_SUCCESS);
    cl_kernel kernel = clCreateKernel(program, "k", &error);
    CHECK(error == CL_SUCCESS);
    for (cl_uint i = 0; i < 4; i++) {
        cl_kernel_arg_address_qualifier address = 0;
        cl_kernel_arg_type_qualifier qualifiers = 77;
        CHECK(clGetKernelArgInfo(kernel, i, CL_KERNEL_ARG_TYPE_NAME, sizeof text, text, NULL) == CL_SUCCESS);
        CHECK(strcmp(text, expected[i].type) == 0);
        CHECK(clGetKernelArgInfo(kernel, i, CL_KERNEL_ARG_NAME, sizeof text, text, NULL) == CL_SUCCESS);
        CHECK(strcmp(text, expected[i].name) == 0);
        clGetKernelArgInfo(kernel, i, CL_KERNEL_ARG_ADDRESS_QUALIFIER, sizeof address, &address, NULL);
        CHECK(address == expected[i].address);
        clGetKernelArgInfo(kernel, i, CL_KERNEL_ARG_TYPE_QUALIFIER, sizeof qualifiers, &qualifiers, NULL);
        CHECK(qualifiers == expected[i].qualifiers);
    }
    CHECK(clGetKernelArgInfo(kernel, 4, CL_KERNEL_ARG_NAME, sizeof text, text, NULL) == CL_INVALID_ARG_INDEX);
    CHECK(clGetKernelInfo(kernel, CL_KERNEL_ATTRIBUTES, sizeof text, text, NULL) == CL_SUCCESS);
    CHECK(strcmp(text, "reqd_work_group_size(1,1,1)") == 0);
    CHECK(clGetKernelInfo(kernel, CL_KERNEL_PROGRAM, sizeof(cl_program), &its, NULL) == CL_SUCCESS && its == program);
    CHECK(clBuildProgram(program, 1, &device, options, NULL, NULL) == CL_INVALID_OPERATION); /* the program has a
                                                                                              * kernel */
    CHECK(clReleaseProgram(program) == CL_SUCCESS);
    CHECK(clGetKernelInfo(kernel, CL_KERNEL_PROGRAM, sizeof its, &its, NULL) == CL_SUCCESS && its == program);
    clReleaseKernel(kernel);
}

/* ---- builds ---- */
static volatile int called;

static void CL_CALLBACK on_built(cl_program program, void *user)
{
    called += program == *(cl_program *)user;
}

/* A driver may build the program after the call returns, as rusticl 26.2 does. */
static void build_and_wait(cl_program program)
{
    called = 0;
    clBuildProgram(program, 1, &device, options, on_built, &program);
    for (int i = 0; i < 300 && !called; i++)
        usleep(100000);
    CHECK(called == 1);
}

static void builds(void)
{
    cl_program program = make(generic);
    build_and_wait(program);
    CHECK(run(program, 4) == 7);
    CHECK(clBuildProgram(program, 1, &device, "-cl-std=CL1.2", NULL, NULL) != CL_SUCCESS); /* built by the driver, with
                                                                                            * an error */
    CHECK(status_of(program) == CL_BUILD_ERROR);
    CHECK(clBuildProgram(program, 0, NULL, options, NULL, NULL) == CL_SUCCESS);
    CHECK(run(program, 4) == 7);
    CHECK(clBuildProgram(program, 1, NULL, options, NULL, NULL) == CL_INVALID_VALUE);
    CHECK(run(program, 4) == 7);
    clReleaseProgram(program);

    /* Whichever compiler builds the source, each error is reported once: an unnamed pointer to private memory, and an
     * actual error. */
    program = make("int first(int *p) { return *p; }\n"
                   "__kernel void k(__global int *out) { int x = 7; out[0] = first(&x); }\n");
    build_and_wait(program);
    CHECK(run(program, 1) == 7);
    clReleaseProgram(program);
    program = make("__kernel void k(__global int *out) { int *p = undeclared; }\n");
    build_and_wait(program);
    clReleaseProgram(program);

    program = make("__kernel void k(__global int *out)\n{\n    undeclared(out);\n}\nint f(int *p) { return *p; }\n");
    CHECK(clBuildProgram(program, 1, &device, options, NULL, NULL) == CL_BUILD_PROGRAM_FAILURE);
    CHECK(strstr(log_of(program), ":3:") != NULL);
    clReleaseProgram(program);

    /* Code that is correct with generic pointers is not reported along with an actual error. */
    program = make("int f(int *p) { return *p; }\n__kernel void k(__global int *out)\n{\n    undeclared(out);\n"
                   "    out[0] = f(out);\n}\n");
    build_and_wait(program);
    CHECK(status_of(program) == CL_BUILD_ERROR);
    CHECK(strstr(log_of(program), ":4:5") != NULL && strstr(log_of(program), "address space") == NULL);
    CHECK(clCompileProgram(program, 1, &device, options, 0, NULL, NULL, NULL, NULL) != CL_SUCCESS);
    CHECK(strstr(log_of(program), ":4:5") != NULL && strstr(log_of(program), "address space") == NULL);
    CHECK(clBuildProgram(program, 1, &device, "-cl-std=CL1.2", NULL, NULL) == CL_BUILD_PROGRAM_FAILURE);
    clReleaseProgram(program);

    /* clang uses a generic pointer for events, without an access through it, so there is nothing to report. */
    program = make("__kernel void k(__global int *out)\n{\n    __local int l[4];\n"
                   "    event_t e = async_work_group_copy(l, out, 1, 0);\n    wait_group_events(1, &e);\n    out[0] = "
                   "*l + 3;\n}\n");
    CHECK(clBuildProgram(program, 1, &device, options, NULL, NULL) == CL_SUCCESS);
    CHECK(strstr(log_of(program), "nonflat:") == NULL);
    CHECK(run(program, 1) == 5);
    clReleaseProgram(program);

    /* Most drivers do not support C++, and report nothing else. */
    program = make("__kernel void k(__global int *out)\n{\n    undeclared(out);\n}\n");
    CHECK(clBuildProgram(program, 1, &device, "-cl-std=CLC++", NULL, NULL) == CL_BUILD_PROGRAM_FAILURE);
    CHECK(status_of(program) == CL_BUILD_ERROR);
    CHECK(strstr(log_of(program), ":3:") != NULL);
    clReleaseProgram(program);

    /* The last language option takes effect. */
    program = make("__kernel void k(__global int *out) { auto five = 5; out[0] = five; }\n");
    CHECK(clBuildProgram(program, 1, &device, "-cl-std=CL2.0 -cl-std=CLC++2021", NULL, NULL) == CL_SUCCESS);
    CHECK(run(program, 1) == 5);
    clReleaseProgram(program);

    program = make(generic);
    cl_int native = clBuildProgram(program, 1, &device, "-cl-nonsense", NULL, NULL);
    CHECK(native != CL_SUCCESS);
    CHECK(clBuildProgram(program, 1, &device, "-cl-std=CL2.0 -cl-nonsense", NULL, NULL) == native);
    clReleaseProgram(program);

    program = make("int first(int *p) { int unused; return *p; }\n#warning look here\n"
                   "__kernel void k(__global int *out) { out[0] = first(out); }\n");
    CHECK(clBuildProgram(program, 1, &device, options, NULL, NULL) == CL_SUCCESS);
    CHECK(strstr(log_of(program), "input.cl:2:2: warning: look here") != NULL);
    clReleaseProgram(program);
}

/* ---- parts ---- */
static cl_program compile(const char *text, const char *how, cl_uint count, cl_program *headers, const char **names)
{
    cl_program program = make(text);
    cl_int error = clCompileProgram(program, 1, &device, how, count, headers, names, NULL, NULL);
    CHECK(error == CL_SUCCESS);
    if (error != CL_SUCCESS) puts(log_of(program));
    return program;
}

static int link_and_run(cl_program one, cl_program other)
{
    const cl_program parts[] = {one, other};
    cl_int error;
    cl_program linked = clLinkProgram(context, 1, &device, NULL, 2, parts, NULL, NULL, &error);
    CHECK(error == CL_SUCCESS);
    if (error != CL_SUCCESS && linked) puts(log_of(linked));
    if (!linked) return -1;
    int value = run(linked, 1);
    clReleaseProgram(linked);
    return value;
}

/* A library is accepted whose unnamed pointers are private. The program that is linked with it has generic pointers, or
 * none. */
static void private_library(void)
{
    const cl_program part =
        compile("static int own(int *p) { return *p * 2; }\nint helper(int *p) { return own(p) + 1; }\n", options, 0,
                NULL, NULL);
    cl_program user =
        compile("int helper(int *p);\n__kernel void k(__global int *out) { __local int l; l = 5; out[0] = "
                "helper(&l) * 100 + helper(out); }\n",
                options, 0, NULL, NULL);
    cl_program other =
        compile("int helper(int *p);\n__kernel void k(__global int *out) { int x = 5; out[0] = helper(&x); }\n",
                options, 0, NULL, NULL);
    cl_int error;
    cl_program library = clLinkProgram(context, 1, &device, "-create-library", 1, &part, NULL, NULL, &error);
    CHECK(error == CL_SUCCESS && library);
    if (library) CHECK(link_and_run(user, library) == 1105);
    if (library) CHECK(link_and_run(library, other) == 11);
    cl_program all[] = {part, user, other, library};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (all[i]) clReleaseProgram(all[i]);
}

static void parts(void)
{
    const char *names[] = {"sub/value.h"};
    cl_program header = make("#define VALUE 30\nint helper(int x);\n");
    cl_program ours =
        compile("#include \"sub/value.h\"\nint first(int *p) { return *p; }\n"
                "__kernel void k(__global int *out) { int x = VALUE; out[0] = first(&x) + helper(first(out)); }\n",
                options, 1, &header, names);
    cl_program plain =
        compile("#include \"sub/value.h\"\nint helper(int x) { return x * VALUE; }\n", "", 1, &header, names);
    cl_program newer = compile("int helper(int x) { return x * SCALE; }\n", "-cl-std=CL2.0 -DSCALE=100", 0, NULL, NULL);
    cl_program generic_too = compile("int read(int *p) { return to_local(p) ? 0 : *p; }\n"
                                     "inline int helper(int x) { return read(&x) * 1000; }\n",
                                     options, 0, NULL, NULL);
    CHECK(link_and_run(ours, plain) == 90);
    CHECK(link_and_run(newer, ours) == 230);
    CHECK(link_and_run(ours, generic_too) == 2030);

    const cl_program inputs[] = {generic_too};
    cl_int error;
    cl_program library = clLinkProgram(context, 1, &device, "-create-library", 1, inputs, NULL, NULL, &error);
    CHECK(error == CL_SUCCESS && library);
    if (library) CHECK(link_and_run(ours, library) == 2030);
    private_library();
    cl_program all[] = {header, ours, plain, newer, generic_too, library};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (all[i]) clReleaseProgram(all[i]);
}

/* ---- options of links ---- */
static const char *options_of(cl_program program)
{
    static char text[512];
    text[0] = '\0';
    CHECK(clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_OPTIONS, sizeof text, text, NULL) == CL_SUCCESS);
    return text;
}

static cl_program_binary_type type_of(cl_program program)
{
    cl_program_binary_type type = CL_PROGRAM_BINARY_TYPE_NONE;
    CHECK(clGetProgramBuildInfo(program, device, CL_PROGRAM_BINARY_TYPE, sizeof type, &type, NULL) == CL_SUCCESS);
    return type;
}

static cl_int link_with(cl_program part, const char *how, cl_program *linked)
{
    cl_int error = CL_SUCCESS;
    *linked = clLinkProgram(context, 1, &device, how, 1, &part, NULL, NULL, &error);
    return error;
}

static void good_link(cl_program part, const char *how, cl_program_binary_type type)
{
    cl_program linked;
    CHECK(link_with(part, how, &linked) == CL_SUCCESS && linked);
    if (!linked) return;
    CHECK(status_of(linked) == CL_BUILD_SUCCESS);
    CHECK(type_of(linked) == type);
    CHECK(strcmp(options_of(linked), how) == 0);
    if (type == CL_PROGRAM_BINARY_TYPE_EXECUTABLE) CHECK(run(linked, 4) == 7);
    clReleaseProgram(linked);
}

static void link_options(void)
{
    static const char *const for_programs[] = {"",
                                               "-cl-denorms-are-zero",
                                               "-cl-no-signed-zeroes",
                                               "-cl-no-subgroup-ifp",
                                               "  -cl-fast-relaxed-math\t-cl-finite-math-only ",
                                               "-enable-link-options"};
    static const char *const for_libraries[] = {"-create-library", "-create-library -enable-link-options",
                                                "-create-library\t-enable-link-options",
                                                "-create-library -enable-link-options -cl-fast-relaxed-math"};
    static const char *const wrong[] = {"-create-library -cl-nonsense", "-create-library nonsense",
                                        "-create-library -create_library"};
    const cl_program part = compile(generic, "-cl-std=CL2.0 -cl-mad-enable", 0, NULL, NULL);
    cl_program linked, library;
    for (size_t i = 0; i < sizeof for_programs / sizeof *for_programs; i++)
        good_link(part, for_programs[i], CL_PROGRAM_BINARY_TYPE_EXECUTABLE);
    for (size_t i = 0; i < sizeof for_libraries / sizeof *for_libraries; i++)
        good_link(part, for_libraries[i], CL_PROGRAM_BINARY_TYPE_LIBRARY);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        CHECK(link_with(part, wrong[i], &linked) == CL_INVALID_LINKER_OPTIONS);
        CHECK(!linked);
    }
    CHECK(link_with(part, "-create-library", &library) == CL_SUCCESS);
    if (library) good_link(library, "-cl-fast-relaxed-math", CL_PROGRAM_BINARY_TYPE_EXECUTABLE);
    if (library) good_link(library, "-create-library", CL_PROGRAM_BINARY_TYPE_LIBRARY);
    if (library) clReleaseProgram(library);
    clReleaseProgram(part);
}

/* A program that was never compiled, or that was built, is no valid input of a link, even if the layer has its
 * source. */
static void wrong_parts(void)
{
    cl_int error;
    const cl_program ours = compile("int helper(int x);\nint first(int *p) { return *p; }\n"
                                    "__kernel void k(__global int *out) { out[0] = helper(first(out)); }\n",
                                    options, 0, NULL, NULL);
    const cl_program parts[] = {ours, make("int helper(int x) { return x; }\n")};
    CHECK(!clLinkProgram(context, 1, &device, "", 2, parts, NULL, NULL, &error) && error == CL_INVALID_OPERATION);
    CHECK(clBuildProgram(parts[1], 1, &device, "", NULL, NULL) == CL_SUCCESS);
    CHECK(!clLinkProgram(context, 1, &device, "", 2, parts, NULL, NULL, &error) && error == CL_INVALID_OPERATION);
    clReleaseProgram(parts[0]);
    clReleaseProgram(parts[1]);
}

/* A feature name in a header, or in an option, counts as well. */
static void features_named_elsewhere(void)
{
    static const char asks[] =
        "#ifdef __opencl_c_generic_address_space\n#define VALUE 30\n#else\n#define VALUE 10\n#endif\n";
    const char *name = "asks.h";
    if (!is_version_3()) return;
    cl_program header = make(asks), linked;
    cl_program part = compile("#include \"asks.h\"\n__kernel void k(__global int *out) { out[0] = VALUE; }\n",
                              "-cl-std=CL3.0", 1, &header, &name);
    CHECK(link_with(part, "", &linked) == CL_SUCCESS);
    if (linked) CHECK(run(linked, 1) == 30);
    if (linked) clReleaseProgram(linked);
    clReleaseProgram(part);
    clReleaseProgram(header);

    cl_program program = make("#if ASKED\n#define VALUE 30\n#else\n#define VALUE 10\n#endif\n"
                              "__kernel void k(__global int *out) { out[0] = VALUE; }\n");
    CHECK(clBuildProgram(program, 1, &device, "-cl-std=CL3.0 -DASKED=__opencl_c_generic_address_space", NULL, NULL) ==
          CL_SUCCESS);
    CHECK(run(program, 1) == 30);
    clReleaseProgram(program);
}

/* A variable that one part defines and another one writes is shared by all kernels, even without generic pointers. */
static void shared_variable(void)
{
    const cl_program parts[] = {
        compile("global int count = 2;\n__kernel void k(__global int *out) { out[0] = count; }\n", options, 0, NULL,
                NULL),
        compile("extern global int count;\n__kernel void w(__global int *out) { count += 5; out[0] = count; }\n",
                options, 0, NULL, NULL)};
    cl_int error;
    cl_program linked = clLinkProgram(context, 1, &device, "", 2, parts, NULL, NULL, &error);
    CHECK(error == CL_SUCCESS && linked);
    if (linked) CHECK(run(linked, 1) == 2 && run_named(linked, "w", 1) == 7 && run(linked, 1) == 7);
    if (linked) clReleaseProgram(linked);
    clReleaseProgram(parts[0]);
    clReleaseProgram(parts[1]);
}

/* Headers that programs include under a condition are often empty. */
static void empty_header(void)
{
    const char *names[] = {"config.h"};
    cl_program header = make("");
    cl_program part = compile("#include \"config.h\"\nint first(int *p) { return *p; }\n"
                              "__kernel void k(__global int *out) { int x = 5; out[0] = first(&x) + first(out); }\n",
                              options, 1, &header, names);
    cl_program linked;
    CHECK(link_with(part, "", &linked) == CL_SUCCESS);
    if (linked) CHECK(run(linked, 1) == 7);
    if (linked) clReleaseProgram(linked);
    clReleaseProgram(part);
    clReleaseProgram(header);
}

/* A header may have the same name that the log uses for the source. */
static void header_of_that_name(void)
{
    const char *names[] = {"input.cl"};
    cl_program header = make("#define VALUE 30\n");
    cl_program part =
        compile("#include \"input.cl\"\nint first(int *p) { return *p; }\n"
                "__kernel void k(__global int *out) { int x = VALUE; out[0] = first(&x) + first(out); }\n",
                options, 1, &header, names);
    cl_program linked;
    CHECK(link_with(part, "", &linked) == CL_SUCCESS);
    if (linked) CHECK(run(linked, 1) == 32);
    if (linked) clReleaseProgram(linked);
    clReleaseProgram(part);
    clReleaseProgram(header);
}

/* Drivers of 1.2 may not know an option that a program can do without: with generic pointers the program is built
 * nevertheless. */
static void sub_group_option(void)
{
    cl_program program = make(generic);
    CHECK(clBuildProgram(program, 1, &device, "-cl-std=CL2.0 -cl-no-subgroup-ifp", NULL, NULL) == CL_SUCCESS);
    CHECK(strcmp(options_of(program), "-cl-std=CL2.0 -cl-no-subgroup-ifp") == 0);
    CHECK(run(program, 4) == 7);
    clReleaseProgram(program);
}

/* ---- samplers ---- */
static void samplers(void)
{
    static const char text[] =
        "constant sampler_t edge = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;\n"
        "int first(int *p) { return *p; }\n"
        "int get(read_only image2d_t i, sampler_t s, int2 at) { return read_imagei(i, s, at).x; }\n"
        "int deep(read_only image2d_t i, sampler_t s, int2 at) { return get(i, s, at) + 1; }\n"
        "kernel void k(global int *out, read_only image2d_t i, sampler_t s)\n"
        "{\n"
        "    const sampler_t border = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;\n"
        "    int x = 1000;\n"
        "    out[0] = first(&x) + first(out) + deep(i, s, (int2)(9, 9)) + 10 * get(i, edge, (int2)(9, 9)) +\n"
        "             100 * get(i, border, (int2)(9, 9));\n"
        "}\n";
    const cl_image_format format = {CL_RGBA, CL_SIGNED_INT32};
    const cl_image_desc shape = {.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 1, .image_height = 1};
    cl_int error, value = 2, texel[4] = {3, 0, 0, 1};
    cl_bool images = CL_FALSE;
    size_t one = 1;
    clGetDeviceInfo(device, CL_DEVICE_IMAGE_SUPPORT, sizeof images, &images, NULL);
    if (!images) return;
    cl_program program = make(text);
    CHECK(clBuildProgram(program, 1, &device, options, NULL, NULL) == CL_SUCCESS);
    cl_kernel kernel = clCreateKernel(program, "k", &error);
    CHECK(error == CL_SUCCESS);
    cl_command_queue queue = clCreateCommandQueue(context, device, 0, &error);
    cl_mem buffer = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof value, &value, &error);
    cl_mem image = clCreateImage(context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, &format, &shape, texel, &error);
    cl_sampler sampler = clCreateSampler(context, CL_FALSE, CL_ADDRESS_CLAMP_TO_EDGE, CL_FILTER_NEAREST, &error);
    CHECK(clSetKernelArg(kernel, 0, sizeof buffer, &buffer) == CL_SUCCESS);
    CHECK(clSetKernelArg(kernel, 1, sizeof image, &image) == CL_SUCCESS);
    CHECK(clSetKernelArg(kernel, 2, sizeof sampler, &sampler) == CL_SUCCESS);
    CHECK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &one, &one, 0, NULL, NULL) == CL_SUCCESS);
    CHECK(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, sizeof value, &value, 0, NULL, NULL) == CL_SUCCESS);
    CHECK(value == 1036);
    clReleaseSampler(sampler);
    clReleaseMemObject(image);
    clReleaseMemObject(buffer);
    clReleaseCommandQueue(queue);
    clReleaseKernel(kernel);
    clReleaseProgram(program);
}

/* ---- binaries ---- */
/* The binary of a program that the layer compiled is one of the driver's: a program can be made from it and computes
 * the same result. */
static void binaries(void)
{
    size_t size = 0;
    cl_int error, status = -1;
    cl_program program = make(generic);
    CHECK(clBuildProgram(program, 1, &device, options, NULL, NULL) == CL_SUCCESS);
    CHECK(clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, NULL) == CL_SUCCESS && size > 0);
    unsigned char *bytes = calloc(1, size + 1);
    CHECK(clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof bytes, &bytes, NULL) == CL_SUCCESS);
    const unsigned char *binary = bytes;
    cl_program again = clCreateProgramWithBinary(context, 1, &device, &size, &binary, &status, &error);
    CHECK(error == CL_SUCCESS && status == CL_SUCCESS);
    if (error == CL_SUCCESS) {
        CHECK(clBuildProgram(again, 1, &device, "", NULL, NULL) == CL_SUCCESS);
        CHECK(run(again, 4) == 7);
        clReleaseProgram(again);
    }
    free(bytes);
    clReleaseProgram(program);
}

/* ---- headers on disk ---- */
static void write_header(const char *folder, int value)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/value.h", folder);
    remove(path);
    FILE *file = value ? fopen(path, "w") : NULL;
    if (file) fprintf(file, "#define VALUE %d\n", value);
    if (file) fclose(file);
}

static int build_with_header(const char *folder)
{
    char how[4200];
    snprintf(how, sizeof how, "-cl-std=CL2.0 -I %s", folder);
    cl_program program =
        make("#include \"value.h\"\nint first(int *p) { return *p; }\n"
             "__kernel void k(__global int *out) { int x = VALUE; out[0] = first(&x) + first(out); }\n");
    int value = clBuildProgram(program, 1, &device, how, NULL, NULL) == CL_SUCCESS ? run(program, 1) : 0;
    clReleaseProgram(program);
    return value;
}

static void headers_change(const char *folder)
{
    CHECK(mkdir(folder, 0700) == 0 || errno == EEXIST);
    write_header(folder, 10);
    CHECK(build_with_header(folder) == 12);
    CHECK(build_with_header(folder) == 12);
    write_header(folder, 20);
    CHECK(build_with_header(folder) == 22);
    write_header(folder, 0);
    CHECK(build_with_header(folder) == 0);
    write_header(folder, 30);
    CHECK(build_with_header(folder) == 32);
}

int main(int count, char **arguments)
{
    if (count != 2) return 2;
    open_device();
    device_info();
    program_info();
    variables_info();
    kernel_info();
    local_memory();
    builds();
    parts();
    link_options();
    wrong_parts();
    features_named_elsewhere();
    shared_variable();
    empty_header();
    header_of_that_name();
    sub_group_option();
    samplers();
    binaries();
    headers_change(arguments[1]);
    clReleaseContext(context);
    puts(failures ? "" : "passed");
    return failures != 0;
}
