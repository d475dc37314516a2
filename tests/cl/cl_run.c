/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cl_run.c - builds a program from source on the first device and runs its kernel `k` with 8 work-items in groups of 4.
 *
 *     cl_run FILE.cl           prints `out`; exit status 0 if it is as the file's line "// expect:" says
 *     cl_run --macros FILE     the file is a list of names: prints those that are macros, and their expansions; the
 *                              variable OPTIONS has the build options
 *     cl_run --binary FILE.cl  writes the program's binary
 *
 * Lines that begin with "// options:" and "// expect:" give the build options and the expected output; "// prints:"
 * gives the expected output of printf, for scripts. "// device: WORD" requires an extension: on a device without it,
 * the exit status is 77. The kernel takes `global int *out` of 8 elements and `global int *in` of 64, which holds 0, 1,
 * 2...
 */
#define CL_TARGET_OPENCL_VERSION 300
#include "open_first.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ITEMS = 8, GROUP = 4, INPUTS = 64, TEXT = 1 << 20 };

static cl_context context;
static cl_device_id device;

static void check(cl_int error, const char *what)
{
    if (error == CL_SUCCESS) return;
    printf("FAILED: %s: %d\n", what, error);
    exit(1);
}

static char *read_text(const char *path)
{
    char *text = calloc(1, TEXT);
    FILE *file = fopen(path, "r");
    if (!text || !file || fread(text, 1, TEXT - 1, file) == 0) {
        printf("FAILED: cannot read %s\n", path);
        exit(2);
    }
    fclose(file);
    return text;
}

/* Returns the rest of the line that begins with `word`, malloc'ed; "" if there is none. */
static char *line_of(const char *text, const char *word)
{
    const char *at = strstr(text, word);
    char *line = calloc(1, TEXT);
    if (at && line) strncat(line, at + strlen(word), strcspn(at + strlen(word), "\n"));
    return line;
}

static cl_program build(const char *text, const char *options)
{
    cl_int error;
    cl_program program = clCreateProgramWithSource(context, 1, &text, NULL, &error);
    check(error, "clCreateProgramWithSource");
    error = clBuildProgram(program, 1, &device, options, NULL, NULL);
    if (error == CL_SUCCESS) return program;
    char *log = calloc(1, TEXT);
    clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, TEXT, log, NULL);
    printf("FAILED: clBuildProgram: %d\n%s\n", error, log);
    exit(1);
}

static void run(cl_program program, cl_int *out, size_t count)
{
    cl_int error, input[INPUTS];
    size_t items = ITEMS, group = GROUP;
    for (int i = 0; i < INPUTS; i++)
        input[i] = i;
    for (size_t i = 0; i < count; i++)
        out[i] = -1;
    cl_command_queue queue = clCreateCommandQueue(context, device, 0, &error);
    check(error, "clCreateCommandQueue");
    cl_mem into = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, count * sizeof *out, out, &error);
    cl_mem from = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof input, input, &error);
    check(error, "clCreateBuffer");
    cl_kernel kernel = clCreateKernel(program, "k", &error);
    check(error, "clCreateKernel");
    check(clSetKernelArg(kernel, 0, sizeof into, &into), "clSetKernelArg");
    check(clSetKernelArg(kernel, 1, sizeof from, &from), "clSetKernelArg");
    check(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, &group, 0, NULL, NULL), "clEnqueueNDRangeKernel");
    check(clEnqueueReadBuffer(queue, into, CL_TRUE, 0, count * sizeof *out, out, 0, NULL, NULL), "reading");
    check(clFinish(queue), "clFinish");
    clReleaseKernel(kernel);
    clReleaseProgram(program);
    clReleaseMemObject(into);
    clReleaseMemObject(from);
    clReleaseCommandQueue(queue);
}

static int expect(const char *text, const char *options)
{
    cl_int out[ITEMS];
    char *rest = line_of(text, "// expect:");
    int wrong = 0;
    run(build(text, options), out, ITEMS);
    for (int i = 0; i < ITEMS; i++) {
        char *end;
        long wanted = strtol(rest, &end, 10);
        wrong += end == rest || wanted != out[i];
        rest = end;
        printf("%d ", out[i]);
    }
    puts(wrong ? "FAILED: not as expected" : "");
    return wrong != 0;
}

/* Prints NAME=VALUE for every name that is a macro of the compiler that builds this source. If the layer is active, the
 * name of a feature in the source makes the layer build it. */
static int show_macros(char *names, const char *options)
{
    static const char head[] = "// __opencl_c_generic_address_space\n#define JOIN(...) #__VA_ARGS__\n"
                               "#define SHOW(...) JOIN(__VA_ARGS__)\n",
                      kernel[] =
                          ";\nkernel void k(global int *out, global int *in)\n{\n"
                          "    global char *to = (global char *)out;\n"
                          "    if (get_global_id(0) == 0) for (uint i = 0; i < sizeof text; i++) to[i] = text[i];\n}\n";
    static cl_int out[TEXT / sizeof(cl_int)];
    char *text = malloc(TEXT), *end = text;
    int count = 0;
    end += sprintf(end, "%s", head);
    for (char *name = strtok(names, " \n"); name; name = strtok(NULL, " \n"), count++)
        end += sprintf(end, "#ifdef %s\n#define M%d \"%s=\" SHOW(%s) \"\\n\"\n#else\n#define M%d \"\"\n#endif\n", name,
                       count, name, name, count);
    end += sprintf(end, "constant char text[] =");
    for (int i = 0; i < count; i++)
        end += sprintf(end, " M%d", i);
    sprintf(end, "%s", kernel);
    run(build(text, options), out, sizeof out / sizeof *out);
    free(text);
    return fputs((const char *)out, stdout) < 0;
}

static int write_binary(cl_program program)
{
    size_t size = 0;
    check(clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, NULL), "CL_PROGRAM_BINARY_SIZES");
    unsigned char *bytes = malloc(size + 1);
    check(clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof bytes, &bytes, NULL), "CL_PROGRAM_BINARIES");
    return fwrite(bytes, 1, size, stdout) != size;
}

static int device_has(const char *extension)
{
    char *all = calloc(1, TEXT);
    while (*extension == ' ')
        extension++;
    check(clGetDeviceInfo(device, CL_DEVICE_EXTENSIONS, TEXT, all, NULL), "CL_DEVICE_EXTENSIONS");
    return strstr(all, extension) != NULL;
}

int main(int count, char **arguments)
{
    const char *mode = count == 3 ? arguments[1] : "";
    if (count < 2 || count > 3) return 2;
    char *text = read_text(arguments[count - 1]);
    char *options = line_of(text, "// options:");
    check(open_first(&device, &context), "opening the first device");
    if (!device_has(line_of(text, "// device:"))) return 77;
    if (strcmp(mode, "--macros") == 0) return show_macros(text, getenv("OPTIONS"));
    if (strcmp(mode, "--binary") == 0) return write_binary(build(text, options));
    return expect(text, options);
}
