/* SPDX-License-Identifier: Apache-2.0 */
/*
 * refusal.c - what a driver's compiler does with generic pointers on a device that has none. Most refuse them, and then
 * what such a compiler takes is its own affair. Some take them all the same and compute nonsense, so that nothing can be
 * left to them that may have any.
 *
 * Asked by a small build, once for each driver and language, and remembered on disk.
 */
#define _GNU_SOURCE
#include "layer/program/program.h"
#include "layer/store/store.h"

#include <stdlib.h>
#include <string.h>

static const char kind[] = "refusal";
static const char probe[] = "__attribute__((noinline)) int first(int *p) { return *p; }\n"
                            "kernel void k(global int *out) { int x = 3; out[0] = first(&x) + first(out + 1); }\n";

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

static bool build_probe(const struct nf_cl_origin *origin, const char *standard)
{
    const char *text = probe;
    cl_int error = CL_INVALID_OPERATION;
    char *options = nf_cl_format("-cl-std=%s", standard);
    cl_program program = NULL;
    if (options && nf_cl_next()->clCreateProgramWithSource)
        program = nf_cl_next()->clCreateProgramWithSource(origin->context, 1, &text, NULL, &error);
    if (program) {
        error = NF_CL_CALL(clBuildProgram, CL_INVALID_OPERATION, program, 1, origin->devices, options, NULL, NULL);
        NF_CL_CALL(clReleaseProgram, CL_INVALID_PROGRAM, program);
    }
    free(options);
    return error != CL_SUCCESS;
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
    return nf_cl_append_head(key, "a compiler and generic pointers") && nf_cl_append_text(key, platform) &&
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
    nf_cl_log(NF_CL_INFO, "the driver's compiler %s generic pointers in %s",
              refuses ? "refuses" : "takes, without having them,", standard);
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
