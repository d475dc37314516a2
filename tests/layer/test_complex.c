/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_complex.c - complex numbers in kernels whose compiler calls functions of its own library, which the layer
 * supplies: products have the bits that this compiler's have, quotients those of the example in C11, G.5.1, which are
 * close to this compiler's where both are finite, and absolute values are within two units in the last place of
 * hypot(). Inputs are all combinations of special numbers, and random bits. Exit status 77, and a reason, if there is
 * no driver.
 *     layer_complex float|double
 * For a device without denormal floats, the second argument `flushes` omits the inputs whose results depend on denormal
 * floats.
 */
#define _GNU_SOURCE
#define CL_TARGET_OPENCL_VERSION 300
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl.h>

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    SPECIAL = 13,
    RANDOM = 20000,
    COMBINATIONS = SPECIAL * SPECIAL * SPECIAL * SPECIAL,
    ALL = COMBINATIONS + RANDOM
};
enum { INPUTS = 4, OUTPUTS = 8, REPORTED = 5 };

static bool flushes;
static int failures;

static void check(bool good, const char *what)
{
    if (good) return;
    fprintf(stderr, "FAILED: %s\n", what);
    exit(1);
}

static unsigned long long random_bits(void)
{
    static unsigned long long state = 88172645463325252u;
    state ^= state << 13;
    state ^= state >> 7;
    return state ^= state << 17;
}

static cl_program build(cl_context context, cl_device_id device, const char *type)
{
    static unsigned char module[1 << 14];
    char path[4096], log[4096] = "";
    cl_int error = -1;
    snprintf(path, sizeof path, "%s/complex_%s.spv", getenv("TEST_MODULES"), type);
    FILE *file = fopen(path, "rb");
    check(file != NULL, path);
    const size_t size = fread(module, 1, sizeof module, file);
    fclose(file);
    cl_program program = clCreateProgramWithIL(context, module, size, &error);
    check(error == CL_SUCCESS, "no program");
    error = clBuildProgram(program, 0, NULL, NULL, NULL, NULL);
    if (error != CL_SUCCESS) clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, sizeof log, log, NULL);
    check(error == CL_SUCCESS, log);
    return program;
}

static void run(cl_device_id device, const char *type, size_t size, void *in, void *out)
{
    cl_int error = -1;
    const size_t count = ALL;
    cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &error);
    check(error == CL_SUCCESS, "no context");
    cl_command_queue queue = clCreateCommandQueue(context, device, 0, &error);
    check(error == CL_SUCCESS, "no queue");
    cl_program program = build(context, device, type);
    cl_kernel kernel = clCreateKernel(program, "k", &error);
    check(error == CL_SUCCESS, "no kernel");
    cl_mem from = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, ALL * INPUTS * size, in, &error);
    check(error == CL_SUCCESS, "no buffer");
    cl_mem to = clCreateBuffer(context, CL_MEM_READ_WRITE, ALL * OUTPUTS * size, NULL, &error);
    check(error == CL_SUCCESS, "no second buffer");
    clSetKernelArg(kernel, 0, sizeof(cl_mem), &from);
    clSetKernelArg(kernel, 1, sizeof(cl_mem), &to);
    error = clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &count, NULL, 0, NULL, NULL);
    check(error == CL_SUCCESS, "no launch");
    error = clEnqueueReadBuffer(queue, to, CL_TRUE, 0, ALL * OUTPUTS * size, out, 0, NULL, NULL);
    check(error == CL_SUCCESS, "no result");
    clReleaseMemObject(from);
    clReleaseMemObject(to);
    clReleaseKernel(kernel);
    clReleaseProgram(program);
    clReleaseCommandQueue(queue);
    clReleaseContext(context);
}

/* For one type: the inputs, the example of C11, and the comparison of one work-item's results. */
#define TYPE(T, suffix, BITS, least, most, normal, epsilon)                                                              \
    static bool same_##T(T a, T b)                                                                                       \
    {                                                                                                                    \
        return (isnan(a) && isnan(b)) || (a == b && signbit(a) == signbit(b));                                           \
    }                                                                                                                    \
    /* Returns true unless one of the inputs is subnormal, for which the example is not precise. */                      \
    static bool is_normal_##T(const T in[INPUTS])                                                                        \
    {                                                                                                                    \
        bool normal_ones = true;                                                                                         \
        for (int i = 0; i < INPUTS; i++)                                                                                 \
            normal_ones = normal_ones && fpclassify(in[i]) != FP_SUBNORMAL;                                              \
        return normal_ones;                                                                                              \
    }                                                                                                                    \
    static void fill_##T(T *in)                                                                                          \
    {                                                                                                                    \
        const T numbers[SPECIAL] = {0,    -(T)0,   1,      (T)-1.5,   (T)INFINITY, -(T)INFINITY, (T)NAN,                 \
                                    most, -(most), normal, -(normal), least * 3,   (T)1 / 3};                            \
        for (size_t i = 0; i < COMBINATIONS; i++)                                                                        \
            for (size_t j = 0, rest = i; j < INPUTS; j++, rest /= SPECIAL)                                               \
                in[i * INPUTS + j] = numbers[rest % SPECIAL];                                                            \
        for (size_t i = COMBINATIONS * INPUTS; i < ALL * INPUTS; i++) {                                                  \
            BITS bits = (BITS)random_bits();                                                                             \
            memcpy(in + i, &bits, sizeof bits);                                                                          \
            if (i & 32) in[i] = (T)((double)random_bits() / 0x1p63 - 1); /* of similar size */                           \
        }                                                                                                                \
        for (size_t i = 0; i < ALL * INPUTS; i++)                                                                        \
            if (flushes && fpclassify(in[i]) == FP_SUBNORMAL) in[i] = 0;                                                 \
    }                                                                                                                    \
    /* The example for quotients of C11, G.5.1. */                                                                       \
    static void divide_##T(T a, T b, T c, T d, T quotient[2])                                                            \
    {                                                                                                                    \
        int scale = 0;                                                                                                   \
        T exponent = logb##suffix(fmax##suffix(fabs##suffix(c), fabs##suffix(d)));                                       \
        if (isfinite(exponent)) {                                                                                        \
            scale = (int)exponent;                                                                                       \
            c = scalbn##suffix(c, -scale), d = scalbn##suffix(d, -scale);                                                \
        }                                                                                                                \
        T divisor = c * c + d * d;                                                                                       \
        T x = scalbn##suffix((a * c + b * d) / divisor, -scale),                                                         \
          y = scalbn##suffix((b * c - a * d) / divisor, -scale);                                                         \
        if (isnan(x) && isnan(y)) {                                                                                      \
            if (divisor == 0 && (!isnan(a) || !isnan(b))) {                                                              \
                x = copysign##suffix((T)INFINITY, c) * a;                                                                \
                y = copysign##suffix((T)INFINITY, c) * b;                                                                \
            } else if ((isinf(a) || isinf(b)) && isfinite(c) && isfinite(d)) {                                           \
                a = copysign##suffix(isinf(a) ? 1 : 0, a), b = copysign##suffix(isinf(b) ? 1 : 0, b);                    \
                x = (T)INFINITY * (a * c + b * d), y = (T)INFINITY * (b * c - a * d);                                    \
            } else if (isinf(exponent) && exponent > 0 && isfinite(a) && isfinite(b)) {                                  \
                c = copysign##suffix(isinf(c) ? 1 : 0, c), d = copysign##suffix(isinf(d) ? 1 : 0, d);                    \
                x = 0 * (a * c + b * d), y = 0 * (b * c - a * d);                                                        \
            }                                                                                                            \
        }                                                                                                                \
        quotient[0] = x, quotient[1] = y;                                                                                \
    }                                                                                                                    \
    static void compare_##T(const T in[INPUTS], const T out[OUTPUTS])                                                    \
    {                                                                                                                    \
        T product[2], quotient[2], hosts[2];                                                                             \
        /* C has no literal for a complex number with an infinite or signed part in every compiler; its memory is that \
         * of two numbers. */ \
        _Complex T z, w, result;                                                                                         \
        memcpy(&z, in, sizeof z), memcpy(&w, in + 2, sizeof w);                                                          \
        result = z * w, memcpy(product, &result, sizeof product);                                                        \
        result = z / w, memcpy(hosts, &result, sizeof hosts);                                                            \
        divide_##T(in[0], in[1], in[2], in[3], quotient);                                                                \
        T length = hypot##suffix(in[0], in[1]), ulp = nextafter##suffix(length, (T)INFINITY) - length;                   \
        bool good = same_##T(product[0], out[0]) && same_##T(product[1], out[1]);                                        \
        good = good && same_##T(quotient[0], out[2]) && same_##T(quotient[1], out[3]);                                   \
        if (isfinite(hosts[0]) && isfinite(hosts[1]) && isfinite(out[2]) && isfinite(out[3]) && is_normal_##T(in))       \
            good = good && hypot##suffix(hosts[0] - out[2], hosts[1] - out[3]) <=                                        \
                               8 * (epsilon)*hypot##suffix(hosts[0], hosts[1]) + 8 * (least);                            \
        good = good && (same_##T(length, out[4]) || fabs##suffix(length - out[4]) <= 2 * ulp);                           \
        for (int i = 0; flushes && i < 5; i++)                                                                           \
            good = good || fabs##suffix(out[i]) < 1 / (most)*16;                                                         \
        if (good || failures++ >= REPORTED) return;                                                                      \
        fprintf(stderr, "FAILED: (%a, %a), (%a, %a): product (%a, %a) is (%a, %a)\n", in[0], in[1], in[2], in[3],        \
                product[0], product[1], out[0], out[1]);                                                                 \
        fprintf(stderr, "    quotient (%a, %a), here (%a, %a), is (%a, %a); absolute value %a is %a\n", quotient[0],     \
                quotient[1], hosts[0], hosts[1], out[2], out[3], length, out[4]);                                        \
    }                                                                                                                    \
    static void test_##T(cl_device_id device)                                                                            \
    {                                                                                                                    \
        static T in[ALL * INPUTS], out[ALL * OUTPUTS];                                                                   \
        fill_##T(in);                                                                                                    \
        run(device, #T, sizeof(T), in, out);                                                                             \
        for (size_t i = 0; i < ALL; i++)                                                                                 \
            compare_##T(in + i * INPUTS, out + i * OUTPUTS);                                                             \
    }
TYPE(float, f, unsigned, 0x1p-149f, 0x1.fffffep127f, 0x1p-126f, 0x1p-23f)
TYPE(double, , unsigned long long, 0x1p-1074, 0x1.fffffffffffffp1023, 0x1p-1022, 0x1p-52)

int main(int count, char **arguments)
{
    cl_platform_id platform;
    cl_device_id device;
    cl_uint found = 0;
    check(count >= 2, "usage: layer_complex float|double [flushes]");
    flushes = count > 2;
    if (clGetPlatformIDs(1, &platform, &found) != CL_SUCCESS || found == 0 ||
        clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL) != CL_SUCCESS) {
        puts("SKIPPED: no OpenCL driver here");
        return 77;
    }
    if (strcmp(arguments[1], "float") == 0)
        test_float(device);
    else
        test_double(device);
    printf("%d work-items, %d failures\n", ALL, failures);
    return failures > 0;
}
