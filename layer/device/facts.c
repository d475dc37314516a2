/* SPDX-License-Identifier: Apache-2.0 */
/*
 * facts.c - collects the properties that source can test: extensions, features of OpenCL C 3.0, version, images,
 * profile. Takes a device's record; gives the facts that the driver reports (before OpenCL 3.0 the features follow from
 * extensions and image support), and the features that the layer adds: generic pointers, and program-scope variables if
 * the layer places them in a buffer.
 */
#define _GNU_SOURCE
#include "layer/device/device.h"

#include <stdlib.h>
#include <string.h>

static cl_int query(cl_device_id device, cl_device_info name, size_t size, void *value)
{
    return NF_CL_CALL(clGetDeviceInfo, CL_INVALID_DEVICE, device, name, size, value, NULL);
}

/* Replaces `*text` by a longer string with `word` appended. Returns false if host memory is exhausted. */
static bool add_word(char **text, const char *word)
{
    char *longer = nf_cl_format("%s%s%s", *text, **text ? " " : "", word);
    if (!longer) return false;
    free(*text);
    *text = longer;
    return true;
}

static char *query_extensions(struct nf_cl_device *device)
{
    size_t size = 0;
    if (NF_CL_CALL(clGetDeviceInfo, CL_INVALID_DEVICE, device->id, CL_DEVICE_EXTENSIONS, 0, NULL, &size) != CL_SUCCESS)
        return NULL;
    char *text = calloc(1, size + 1);
    device->out_of_memory |= !text;
    if (text && size) query(device->id, CL_DEVICE_EXTENSIONS, size, text);
    return text;
}

/* Appends the features that a device of OpenCL 3.0 reports. Returns false if the query fails, or if host memory is
 * exhausted, and then sets out_of_memory. */
static bool add_named(struct nf_cl_device *device, char **features)
{
    size_t size = 0;
    if (NF_CL_CALL(clGetDeviceInfo, CL_INVALID_DEVICE, device->id, CL_DEVICE_OPENCL_C_FEATURES, 0, NULL, &size) !=
        CL_SUCCESS)
        return false;
    cl_name_version *list = calloc(1, size + sizeof *list);
    bool told = list && query(device->id, CL_DEVICE_OPENCL_C_FEATURES, size, list) == CL_SUCCESS, good = told;
    for (size_t i = 0; good && i < size / sizeof *list; i++) {
        list[i].name[CL_NAME_VERSION_MAX_NAME_SIZE - 1] = '\0';
        good = nf_cl_has_word(*features, list[i].name) || add_word(features, list[i].name);
    }
    device->out_of_memory |= !list || (told && !good);
    free(list);
    return good;
}

/* Appends the features of a device older than 3.0: 64-bit integers, images if it has them, and the features that its
 * extensions imply. Returns false if out of memory. */
static bool add_known(const struct nf_cl_facts *facts, char **features)
{
    static const struct {
        const char *extension, *feature;
    } pairs[] = {{"cl_khr_fp64", "__opencl_c_fp64"}, {"cl_khr_3d_image_writes", "__opencl_c_3d_image_writes"}};
    bool good = add_word(features, "__opencl_c_int64");
    if (good && !facts->no_images) good = add_word(features, "__opencl_c_images");
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs && good; i++)
        if (nf_cl_has_word(facts->extensions, pairs[i].extension)) good = add_word(features, pairs[i].feature);
    return good;
}

size_t nf_cl_facts_supplied(const struct nf_cl_device *device, const char *names[2])
{
    names[0] = NF_CL_GENERIC_FEATURE;
    names[1] = NF_CL_VARIABLES_FEATURE;
    return device->profile.flags & NF_PROFILE_NO_WRITABLE_GLOBALS ? 2 : 1;
}

bool nf_cl_facts_query(struct nf_cl_device *device)
{
    const char *supplied[2];
    size_t count = nf_cl_facts_supplied(device, supplied);
    struct nf_cl_facts *facts = &device->facts;
    cl_bool images = CL_TRUE;
    char profile[64] = "";
    query(device->id, CL_DEVICE_IMAGE_SUPPORT, sizeof images, &images);
    query(device->id, CL_DEVICE_PROFILE, sizeof profile - 1, profile);
    facts->version = device->version / 100 * 100 + device->version % 100 * 10; /* 102 becomes 120 */
    facts->address_bits = device->address_bits;
    facts->no_images = !images;
    facts->embedded = strcmp(profile, "EMBEDDED_PROFILE") == 0;
    facts->extensions = query_extensions(device);
    facts->features = strdup("");
    facts->supplied = strdup("");
    bool good = facts->extensions && facts->features && facts->supplied;
    for (size_t i = 0; i < count && good; i++)
        good = add_word(&facts->supplied, supplied[i]);
    device->out_of_memory |= facts->extensions && !good;
    if (good && device->version >= 300) {
        good = add_named(device, &facts->features);
    } else if (good) {
        good = add_known(facts, &facts->features);
        device->out_of_memory |= !good;
    }
    if (!good) nf_cl_facts_free(facts);
    return good;
}

void nf_cl_facts_free(struct nf_cl_facts *facts)
{
    free(facts->extensions);
    free(facts->features);
    free(facts->supplied);
    facts->extensions = facts->features = facts->supplied = NULL;
}
