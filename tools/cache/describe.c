/* SPDX-License-Identifier: Apache-2.0 */
/*
 * describe.c - `nonflat cache describe`: writes to a file a device's answers to the queries on which a specialized
 * module depends. A query that the device refuses, or whose answer has more than 32 KiB, is left out. `nonflat cache
 * warm --profile` fills a cache by that file on a machine without the device.
 *
 *     device 102b "pthread-haswell"        CL_DEVICE_NAME, a string
 *     device 100d :40000000                CL_DEVICE_ADDRESS_BITS, bytes
 *
 * The device is queried in a child process, because drivers may crash, and without the layer, whose answers differ.
 */
#define _GNU_SOURCE
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tools/cache/cache.h"

static const cl_platform_info platform_queries[] = {CL_PLATFORM_NAME, CL_PLATFORM_VENDOR, CL_PLATFORM_VERSION,
                                                    CL_PLATFORM_PROFILE, CL_PLATFORM_EXTENSIONS};

/* Queries of cl_khr_spir and cl_intel_required_subgroup_size, which the headers lack. */
#define CL_DEVICE_SPIR_VERSIONS 0x40E0
#define CL_DEVICE_SUB_GROUP_SIZES_INTEL 0x4108

/* All queries that determine the layer's record of a device (layer/device), except CL_DEVICE_PLATFORM and
 * CL_DEVICE_PARENT_DEVICE, whose results are handles. The test layer/described_queries compares this list with the
 * layer's sources. */
static const cl_device_info device_queries[] = {
    CL_DEVICE_TYPE,
    CL_DEVICE_VENDOR_ID,
    CL_DEVICE_NAME,
    CL_DEVICE_VENDOR,
    CL_DEVICE_VERSION,
    CL_DRIVER_VERSION,
    CL_DEVICE_PROFILE,
    CL_DEVICE_EXTENSIONS,
    CL_DEVICE_EXTENSIONS_WITH_VERSION,
    CL_DEVICE_ADDRESS_BITS,
    CL_DEVICE_IL_VERSION,
    CL_DEVICE_ILS_WITH_VERSION,
    CL_DEVICE_GENERIC_ADDRESS_SPACE_SUPPORT,
    CL_DEVICE_MAX_GLOBAL_VARIABLE_SIZE,
    CL_DEVICE_GLOBAL_VARIABLE_PREFERRED_TOTAL_SIZE,
    CL_DEVICE_GLOBAL_MEM_SIZE,
    CL_DEVICE_SVM_CAPABILITIES,
    CL_DEVICE_ATOMIC_MEMORY_CAPABILITIES,
    CL_DEVICE_WORK_GROUP_COLLECTIVE_FUNCTIONS_SUPPORT,
    CL_DEVICE_OPENCL_C_VERSION,
    CL_DEVICE_OPENCL_C_FEATURES,
    CL_DEVICE_IMAGE_SUPPORT,
    CL_DEVICE_COMPILER_AVAILABLE,
    CL_DEVICE_DOUBLE_FP_CONFIG,
    CL_DEVICE_MAX_WORK_GROUP_SIZE,
    CL_DEVICE_SUB_GROUP_SIZES_INTEL,
    CL_DEVICE_SPIR_VERSIONS,
    NF_CL_DEVICE_REMOTE_SERVER_IP,
};

/* ---- text of a description ---- */

static bool is_text(const unsigned char *value, size_t size)
{
    if (size == 0 || value[size - 1] != '\0') return false;
    for (size_t i = 0; i + 1 < size; i++)
        if (!isprint(value[i]) || value[i] == '"') return false;
    return true;
}

static void print_answer(FILE *into, const char *whose, unsigned query, const unsigned char *value, size_t size)
{
    fprintf(into, "%s %04x ", whose, query);
    if (is_text(value, size)) {
        fprintf(into, "\"%s\"\n", (const char *)value);
        return;
    }
    fputc(':', into);
    for (size_t i = 0; i < size; i++)
        fprintf(into, "%02x", value[i]);
    fputc('\n', into);
}

static void describe_platform(const struct nf_cache_opencl *cl, cl_platform_id platform, FILE *into)
{
    for (size_t i = 0; i < sizeof platform_queries / sizeof *platform_queries; i++) {
        unsigned char value[NF_CACHE_ANSWER_MOST];
        size_t size = 0;
        if (cl->platform_info(platform, platform_queries[i], sizeof value, value, &size) == CL_SUCCESS)
            print_answer(into, "platform", platform_queries[i], value, size);
    }
}

static void describe_device(const struct nf_cache_opencl *cl, cl_device_id device, FILE *into)
{
    for (size_t i = 0; i < sizeof device_queries / sizeof *device_queries; i++) {
        unsigned char value[NF_CACHE_ANSWER_MOST];
        size_t size = 0;
        /* Some drivers accept only a buffer of exactly the size of the answer. */
        if (cl->device_info(device, device_queries[i], 0, NULL, &size) == CL_SUCCESS && size <= sizeof value &&
            cl->device_info(device, device_queries[i], size, value, NULL) == CL_SUCCESS)
            print_answer(into, "device", device_queries[i], value, size);
    }
}

/* ---- the command ---- */

/* Writes the description of the first device whose name matches. Returns the exit status. */
static int describe(const char *pattern, const char *path)
{
    struct nf_cache_opencl cl;
    char name[NF_CACHE_NAME_SIZE], *text = NULL;
    size_t size = 0;
    cl_platform_id platform = NULL;
    if (!nf_cache_open_loader(&cl)) return nf_print_error("cache describe: there is no OpenCL loader");
    cl_device_id device = nf_cache_find_device(&cl, pattern, 0, name);
    if (!device) return nf_print_error("cache describe: no OpenCL device is called '%s'", pattern);
    FILE *into = open_memstream(&text, &size);
    if (!into) return nf_print_error("out of memory");
    fprintf(into, "# An OpenCL device, for nonflat cache warm --profile: %s\n", name);
    if (cl.device_info(device, CL_DEVICE_PLATFORM, sizeof platform, &platform, NULL) == CL_SUCCESS)
        describe_platform(&cl, platform, into);
    describe_device(&cl, device, into);
    bool good = fclose(into) == 0;
    int status = good ? nf_write_whole(path, text, size) : nf_print_error("out of memory");
    free(text);
    return status ? NF_EXIT_TROUBLE : NF_EXIT_DONE;
}

int nf_cache_describe(struct nf_cache_folder *f, const struct nf_arguments *arguments)
{
    (void)f;
    const char *pattern = arguments->value[NF_KEY_DEVICE];
    int status = 0;
    pid_t child = fork();
    if (child < 0) return nf_print_error("cache describe: %s", strerror(errno));
    if (child == 0) {
        unsetenv("OPENCL_LAYERS");
        setenv("NONFLAT_MODE", "off", 1); /* a system-wide file may load the layer */
        exit(describe(pattern ? pattern : "*", arguments->rest[1]));
    }
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        ;
    if (!WIFEXITED(status)) return nf_print_error("cache describe: a driver ended the process");
    return WEXITSTATUS(status);
}
