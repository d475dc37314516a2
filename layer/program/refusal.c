/* SPDX-License-Identifier: Apache-2.0 */
/*
 * refusal.c - what a driver's compiler does with generic pointers on a device that has none. Most refuse them, and then
 * what such a compiler takes is its own affair. Some take them all the same and compute nonsense, so that nothing can be
 * left to them that may have any.
 *
 * Asked by a small build, once for each driver and language, and remembered on disk. It is one that every compiler takes,
 * as errors are printed where the user sees them: what an unnamed pointer is becomes the size of a work-group. When the
 * build fails all the same, or nothing is said of the size, nothing is left to the driver.
 */
#define _GNU_SOURCE
#include "layer/program/program.h"
#include "layer/store/store.h"

#include <stdlib.h>
#include <string.h>

static const char kind[] = "refusal";
static const char probe[] = "#ifdef __cplusplus\n"
                            "template <class T> struct size { static constexpr int of = 2; };\n"
                            "template <> struct size<__private int *> { static constexpr int of = 1; };\n"
                            "#define SIZE size<int *>::of\n"
                            "#else\n"
                            "#define SIZE (__builtin_types_compatible_p(int *, __private int *) ? 1 : 2)\n"
                            "#endif\n"
                            "__kernel __attribute__((reqd_work_group_size(SIZE, 1, 1))) void k(__global int *out)\n"
                            "{ out[0] = 1; }\n";

struct answer {
    const struct nf_cl_device *device;
    char standard[16]; /* of -cl-std */
    bool refuses;
    struct answer *next;
};

static struct answer *answers; /* for good: there are few */
static struct nf_cl_lock lock = NF_CL_LOCK_INIT;

/* The last -cl-std counts. */
static void find_standard(const char *options, char standard[16])
{
    static const char word[] = "-cl-std=";
    const char *last = "";
    for (const char *at = options; (at = strstr(at, word)) != NULL;)
        last = at += sizeof word - 1;
    size_t length = strcspn(last, " \t\"'");
    length = length < 15 ? length : 15;
    memcpy(standard, last, length);
    standard[length] = '\0';
}

static const struct answer *look(const struct nf_cl_device *device, const char *standard)
{
    nf_cl_hold(&lock);
    const struct answer *at = answers;
    while (at && (at->device != device || strcmp(at->standard, standard) != 0))
        at = at->next;
    nf_cl_give(&lock);
    return at;
}

static void note(const struct nf_cl_device *device, const char *standard, bool refuses)
{
    struct answer *answer = calloc(1, sizeof *answer);
    if (!answer) return;
    answer->device = device;
    strcpy(answer->standard, standard);
    answer->refuses = refuses;
    nf_cl_hold(&lock);
    answer->next = answers;
    answers = answer;
    nf_cl_give(&lock);
}

/* ---- the build ---- */

/* The first size of the probe's work-group; 0 when it is not known. */
static size_t ask_size(cl_program program, cl_device_id device)
{
    size_t sizes[3] = {0, 0, 0};
    cl_int error = CL_INVALID_OPERATION;
    cl_kernel kernel = nf_cl_next()->clCreateKernel ? nf_cl_next()->clCreateKernel(program, "k", &error) : NULL;
    if (kernel) {
        error = NF_CL_CALL(clGetKernelWorkGroupInfo, CL_INVALID_KERNEL, kernel, device,
                           CL_KERNEL_COMPILE_WORK_GROUP_SIZE, sizeof sizes, sizes, NULL);
        NF_CL_CALL(clReleaseKernel, CL_INVALID_KERNEL, kernel);
    }
    return error == CL_SUCCESS ? sizes[0] : 0;
}

static bool build_probe(const struct nf_cl_origin *origin, const char *standard)
{
    size_t size_found = 0;
    const char *text = probe;
    cl_int error = CL_INVALID_OPERATION;
    char *options = nf_cl_format("-cl-std=%s", standard);
    cl_program program = NULL;
    if (options && nf_cl_next()->clCreateProgramWithSource)
        program = nf_cl_next()->clCreateProgramWithSource(origin->context, 1, &text, NULL, &error);
    if (program) {
        error = NF_CL_CALL(clBuildProgram, CL_INVALID_OPERATION, program, 1, origin->devices, options, NULL, NULL);
        if (error == CL_SUCCESS) size_found = ask_size(program, origin->devices[0]);
        NF_CL_CALL(clReleaseProgram, CL_INVALID_PROGRAM, program);
    }
    free(options);
    return size_found == 1;
}

static bool append_info(struct nf_cl_bytes *key, cl_device_id device, cl_device_info name)
{
    char text[512] = "";
    NF_CL_CALL(clGetDeviceInfo, CL_INVALID_DEVICE, device, name, sizeof text - 1, text, NULL);
    return nf_cl_append_text(key, text);
}

static bool make_key(const struct nf_cl_device *device, const char *standard, struct nf_cl_bytes *key)
{
    char platform[512] = "";
    NF_CL_CALL(clGetPlatformInfo, CL_INVALID_PLATFORM, device->platform, CL_PLATFORM_VERSION, sizeof platform - 1,
               platform, NULL);
    return nf_cl_append_head(key, "a compiler and unnamed pointers") && nf_cl_append_text(key, platform) &&
           append_info(key, device->id, CL_DEVICE_NAME) && append_info(key, device->id, CL_DEVICE_VERSION) &&
           append_info(key, device->id, CL_DRIVER_VERSION) && nf_cl_append_text(key, standard);
}

static bool ask(const struct nf_cl_origin *origin, const struct nf_cl_device *device, const char *standard)
{
    const struct nf_cl_config *config = nf_cl_config();
    struct nf_cl_bytes key = {NULL, 0}, value = {NULL, 0};
    bool disk = (config->cache || config->system_cache) && make_key(device, standard, &key), refuses;
    if (disk && nf_cl_store_get(kind, &key, &value) && value.size == sizeof refuses) {
        refuses = *(const char *)value.data != 0;
    } else {
        refuses = build_probe(origin, standard);
        const struct nf_cl_bytes answer = {&refuses, sizeof refuses};
        if (disk) nf_cl_store_put_later(kind, &key, &answer);
    }
    free(value.data);
    free(key.data);
    nf_cl_log(NF_CL_INFO, "to the driver's compiler unnamed pointers are %s in %s",
              refuses ? "private" : "generic, or what they are is not known,", standard);
    return refuses;
}

bool nf_cl_compiler_refuses(const struct nf_cl_origin *origin)
{
    char standard[16];
    const struct nf_cl_device *device = nf_cl_device_find(origin->devices[0]);
    find_standard(origin->source.options, standard);
    const struct answer *known = look(device, standard);
    if (known) return known->refuses;
    bool refuses = ask(origin, device, standard);
    note(device, standard, refuses);
    return refuses;
}
