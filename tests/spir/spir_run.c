/* SPDX-License-Identifier: Apache-2.0 */
/*
 * spir_run.c - builds SPIR 1.2 bitcode on the first OpenCL device, runs its kernels and compares the contents of their
 * buffers.
 *
 *     spir_run CASE.cl CASE.bc [OPTIONS]        CASE.bc may also be OpenCL C, named *.cl
 *
 * Comments of the source from which the bitcode was compiled define the run:
 *     // KERNEL name global-size local-size
 *     // ARG type value...            a buffer; "type zero N" and "type iota N" fill N elements
 *     // IMAGE width height           a read-only image of four floats a pixel, which count from 0 on
 *     // LOCAL bytes                  a __local argument
 *     // VALUE type value             a by-value argument
 *     // EXPECT type value...         the first elements of the next buffer, in argument order, after the run; "skip":
 *                                     the buffer may have any contents
 * Sizes with more dimensions are written 4,2. Exit status: 0 as expected, 1 not, 2 the driver could not be used.
 */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINE_LIMIT = 4096, ARGUMENT_LIMIT = 16, EXIT_DRIVER = 2 };

typedef struct runner {
    cl_context context;
    cl_device_id device;
    cl_command_queue queue;
    cl_program program;
    cl_kernel kernel;
    cl_uint dimensions;
    size_t global[3], local[3];
    cl_mem buffers[ARGUMENT_LIMIT];
    unsigned arguments, buffer_count, expected;
    bool launched;
    int failures;
    char name[LINE_LIMIT];
} runner;

static void need(cl_int error, const char *what)
{
    if (error == CL_SUCCESS) return;
    fprintf(stderr, "spir_run: %s: error %d\n", what, error);
    exit(EXIT_DRIVER);
}

/* ---- Values in text ---------------------------------------------------------------------------------------------- */

static size_t type_size(const char *type)
{
    if (strcmp(type, "char") == 0) return 1;
    if (strcmp(type, "half") == 0 || strcmp(type, "short") == 0) return 2;
    if (strcmp(type, "long") == 0 || strcmp(type, "double") == 0) return 8;
    return 4;
}

static void put(const char *type, const char *text, unsigned char *at)
{
    float f = strtof(text, NULL);
    double d = strtod(text, NULL);
    long long integer = (long long)strtoull(text, NULL, 0);
    if (text[0] == '-') integer = strtoll(text, NULL, 0);
    if (strcmp(type, "float") == 0)
        memcpy(at, &f, sizeof f);
    else if (strcmp(type, "double") == 0)
        memcpy(at, &d, sizeof d);
    else
        memcpy(at, &integer, type_size(type)); /* little-endian, as all supported devices; half as its bits */
}

/* Returns the bytes of "type value..." and in `*count` the number of elements, malloc'ed. */
static unsigned char *parse_values(char *text, char type[32], size_t *count)
{
    unsigned char *data = NULL;
    *count = 0;
    char *word = strtok(text, " \n");
    if (!word) return NULL;
    snprintf(type, 32, "%s", word);
    size_t size = type_size(type);
    bool zero = false, iota = false;
    while ((word = strtok(NULL, " \n"))) {
        if (zero || iota) {
            size_t n = strtoul(word, NULL, 10);
            data = calloc(n, size);
            for (size_t i = 0; data && iota && i < n; i++) {
                char number[32];
                snprintf(number, sizeof number, "%zu", i);
                put(type, number, data + i * size);
            }
            *count = n;
            return data;
        }
        zero = strcmp(word, "zero") == 0;
        iota = strcmp(word, "iota") == 0;
        if (zero || iota) continue;
        unsigned char *larger = realloc(data, (*count + 1) * size);
        if (!larger) break;
        data = larger;
        put(type, word, data + (*count)++ * size);
    }
    return data;
}

static cl_uint parse_sizes(const char *text, size_t sizes[3])
{
    cl_uint count = 0;
    char *end = NULL;
    for (const char *at = text; count < 3 && *at; at = *end == ',' ? end + 1 : end) {
        sizes[count++] = strtoul(at, &end, 10);
        if (end == at) break;
        if (*end != ',') break;
    }
    return count;
}

/* ---- One directive each ------------------------------------------------------------------------------------------ */

static void start_kernel(runner *r, char *text)
{
    char global[64], local[64];
    cl_int error;
    if (sscanf(text, "%4000s %63s %63s", r->name, global, local) != 3) need(CL_INVALID_VALUE, "KERNEL line");
    r->kernel = clCreateKernel(r->program, r->name, &error);
    need(error, r->name);
    r->dimensions = parse_sizes(global, r->global);
    parse_sizes(local, r->local);
    r->arguments = r->buffer_count = r->expected = 0;
    r->launched = false;
}

static void give_buffer(runner *r, char *text)
{
    char type[32];
    size_t count;
    cl_int error;
    unsigned char *data = parse_values(text, type, &count);
    cl_mem buffer =
        clCreateBuffer(r->context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, count * type_size(type), data, &error);
    need(error, "clCreateBuffer");
    free(data);
    need(clSetKernelArg(r->kernel, r->arguments++, sizeof buffer, &buffer), "clSetKernelArg");
    r->buffers[r->buffer_count++] = buffer;
}

static void give_value(runner *r, char *text)
{
    char type[32];
    size_t count;
    unsigned char *data = parse_values(text, type, &count);
    need(clSetKernelArg(r->kernel, r->arguments++, count * type_size(type), data), "clSetKernelArg");
    free(data);
}

static void give_image(runner *r, char *text)
{
    cl_image_format format = {CL_RGBA, CL_FLOAT};
    cl_image_desc shape = {.image_type = CL_MEM_OBJECT_IMAGE2D};
    cl_int error;
    if (sscanf(text, "%zu %zu", &shape.image_width, &shape.image_height) != 2) need(CL_INVALID_VALUE, "IMAGE line");
    size_t count = 4 * shape.image_width * shape.image_height;
    float *pixels = calloc(count + 1, sizeof *pixels);
    if (!pixels) need(CL_OUT_OF_HOST_MEMORY, "memory");
    for (size_t i = 0; i < count; i++)
        pixels[i] = (float)i;
    cl_mem image = clCreateImage(r->context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, &format, &shape, pixels, &error);
    need(error, "clCreateImage");
    free(pixels);
    need(clSetKernelArg(r->kernel, r->arguments++, sizeof image, &image), "clSetKernelArg");
}

static void launch(runner *r)
{
    if (r->launched) return;
    r->launched = true;
    need(clEnqueueNDRangeKernel(r->queue, r->kernel, r->dimensions, NULL, r->global, r->local, 0, NULL, NULL),
         "clEnqueueNDRangeKernel");
    need(clFinish(r->queue), "clFinish");
}

static double as_number(const char *type, const unsigned char *at)
{
    float f;
    double d;
    long long integer = 0;
    memcpy(&f, at, sizeof f);
    if (strcmp(type, "float") == 0) return f;
    if (type_size(type) == 8) memcpy(&d, at, sizeof d);
    if (strcmp(type, "double") == 0) return d;
    memcpy(&integer, at, type_size(type));
    return (double)integer;
}

static void expect(runner *r, char *text)
{
    char type[32];
    size_t count;
    launch(r);
    cl_mem buffer = r->buffers[r->expected++];
    unsigned char *wanted = parse_values(text, type, &count);
    if (strcmp(type, "skip") == 0) {
        free(wanted);
        return;
    }
    size_t size = type_size(type);
    unsigned char *got = calloc(count + 1, size);
    if (!got || !wanted) need(CL_OUT_OF_HOST_MEMORY, "memory");
    need(clEnqueueReadBuffer(r->queue, buffer, CL_TRUE, 0, count * size, got, 0, NULL, NULL), "clEnqueueReadBuffer");
    for (size_t i = 0; i < count; i++)
        if (memcmp(got + i * size, wanted + i * size, size) != 0) {
            printf("FAILED: kernel %s, buffer %u, element %zu: %.17g, not %.17g\n", r->name, r->expected - 1, i,
                   as_number(type, got + i * size), as_number(type, wanted + i * size));
            r->failures++;
        }
    free(got);
    free(wanted);
}

/* @return true if the line was a directive. */
static bool obey(runner *r, char *line)
{
    if (strncmp(line, "; ", 2) == 0) line += 2; /* in SPIR-V assembly */
    static const struct {
        const char *word;
        void (*act)(runner *, char *);
    } directives[] = {{"// KERNEL ", start_kernel},
                      {"// ARG ", give_buffer},
                      {"// IMAGE ", give_image},
                      {"// VALUE ", give_value},
                      {"// EXPECT ", expect}};
    for (size_t i = 0; i < sizeof directives / sizeof *directives; i++)
        if (strncmp(line, directives[i].word, strlen(directives[i].word)) == 0) {
            directives[i].act(r, line + strlen(directives[i].word));
            return true;
        }
    if (strncmp(line, "// LOCAL ", 9) != 0) return false;
    need(clSetKernelArg(r->kernel, r->arguments++, strtoul(line + 9, NULL, 10), NULL), "clSetKernelArg");
    return true;
}

/* ---- The driver -------------------------------------------------------------------------------------------------- */

static void open_device(runner *r)
{
    cl_platform_id platform;
    cl_int error;
    need(clGetPlatformIDs(1, &platform, NULL), "clGetPlatformIDs");
    need(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &r->device, NULL), "clGetDeviceIDs");
    r->context = clCreateContext(NULL, 1, &r->device, NULL, NULL, &error);
    need(error, "clCreateContext");
    r->queue = clCreateCommandQueue(r->context, r->device, 0, &error);
    need(error, "clCreateCommandQueue");
}

static void build(runner *r, const char *path, const char *options)
{
    FILE *file = fopen(path, "rb");
    if (!file || fseek(file, 0, SEEK_END)) need(CL_INVALID_VALUE, path);
    size_t size = (size_t)ftell(file);
    rewind(file);
    unsigned char *data = malloc(size + 1);
    if (!data || fread(data, 1, size, file) != size) need(CL_INVALID_VALUE, path);
    fclose(file);
    cl_int status, error;
    const unsigned char *binary = data;
    bool is_source = strlen(path) > 3 && strcmp(path + strlen(path) - 3, ".cl") == 0;
    const char *text = (const char *)data;
    if (is_source)
        r->program = clCreateProgramWithSource(r->context, 1, &text, &size, &error);
    else
        r->program = clCreateProgramWithBinary(r->context, 1, &r->device, &size, &binary, &status, &error);
    need(error, is_source ? "clCreateProgramWithSource" : "clCreateProgramWithBinary");
    if (!is_source) options = "-x spir -spir-std=1.2";
    if (clBuildProgram(r->program, 1, &r->device, options, NULL, NULL) != CL_SUCCESS) {
        static char log[1 << 16];
        clGetProgramBuildInfo(r->program, r->device, CL_PROGRAM_BUILD_LOG, sizeof log - 1, log, NULL);
        printf("FAILED: the build: %s\n", log);
        exit(1);
    }
    free(data);
}

int main(int count, char **arguments)
{
    if (count < 3 || count > 4) {
        fputs("usage: spir_run CASE.cl CASE.bc [OPTIONS]\n", stderr);
        return EXIT_DRIVER;
    }
    static runner r;
    static char line[LINE_LIMIT];
    int obeyed = 0;
    open_device(&r);
    build(&r, arguments[2], count > 3 ? arguments[3] : "");
    FILE *source = fopen(arguments[1], "r");
    if (!source) need(CL_INVALID_VALUE, arguments[1]);
    while (fgets(line, sizeof line, source))
        obeyed += obey(&r, line);
    fclose(source);
    if (obeyed == 0) need(CL_INVALID_VALUE, "no directives in the source");
    printf("%s\n", r.failures ? "FAILED" : "as expected");
    return r.failures != 0;
}
