/* SPDX-License-Identifier: Apache-2.0 */
/*
 * device_profile.c - converts --device and related options to a profile of the core library.
 *
 * The named devices are a device that lacks only generic pointers ("any"), several tested devices, the minimum that the
 * OpenCL specification requires of each device of a version, and Microsoft's OpenCLOn12 as its source describes it. The
 * other options change the named device, or describe one from scratch.
 */
#define _XOPEN_SOURCE 700

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "spirv/spirv.h"
#include "tools/device/device.h"

/* The capabilities that the OpenCL SPIR-V environment requires of every full-profile device. */
#define OPENCL_1_2 "Addresses Float16Buffer Int64 Int16 Int8 Kernel Linkage Vector16"

static const struct {
    const char *name;
    bool takes_generic;
    uint32_t version, flags;
    nf_address_form form;
    const char *capabilities, *extensions; /* separated by spaces; NULL: any */
} devices[] = {
    {"any", 0, 0, 0, NF_ADDRESSES_UNKNOWN, NULL, NULL},
    {"pocl-3.1", 0, 0, NF_PROFILE_SPIR12 | NF_PROFILE_NO_WRITABLE_GLOBALS, NF_ADDRESSES_FLAT, NULL, NULL},
    {"oclgrind-21.10", 0, 0, NF_PROFILE_SPIR12 | NF_PROFILE_NO_WRITABLE_GLOBALS, NF_ADDRESSES_NUMBERED, NULL, NULL},
    {"intel-cpu", 1, 0x10400, 0, NF_ADDRESSES_FLAT, NULL, NULL},
    {"intel-fpga-emulation", 0, 0x10400, 0, NF_ADDRESSES_FLAT, NULL, NULL},
    {"opencl-1.2", 0, 0x10000, NF_PROFILE_NO_WRITABLE_GLOBALS, NF_ADDRESSES_UNKNOWN,
     OPENCL_1_2 " Groups ImageBasic LiteralSampler Sampled1D Image1D SampledBuffer ImageBuffer Float64 Matrix", ""},
    {"openclon12", 0, 0x10000,
     NF_PROFILE_NO_WRITABLE_GLOBALS | NF_PROFILE_CONSTANT_SCOPES | NF_PROFILE_DEVICE_SCOPE | NF_PROFILE_VALIDATES |
         NF_PROFILE_NO_INTRINSICS | NF_PROFILE_NO_COLLECTIVES,
     NF_ADDRESSES_UNKNOWN, OPENCL_1_2 " ImageBasic LiteralSampler Sampled1D Image1D SampledBuffer ImageBuffer Matrix",
     ""},
    {"opencl-3.0-minimal", 0, 0x10000, NF_PROFILE_NO_WRITABLE_GLOBALS, NF_ADDRESSES_UNKNOWN, OPENCL_1_2 " Matrix", ""},
};

static bool find_capability(const char *name, size_t length, uint32_t *number)
{
    if (nf_capability_find(name, length, number)) return true;
    char *end = NULL;
    unsigned long value = isdigit((unsigned char)*name) ? strtoul(name, &end, 10) : 0;
    *number = (uint32_t)value;
    return end == name + length && value <= UINT32_MAX;
}

/* Finds the next word of a list that is separated by spaces or commas: sets `*list` to its beginning, and returns its
 * length. */
static size_t next_word(const char **list)
{
    *list += strspn(*list, " ,");
    return strcspn(*list, " ,");
}

static int set_capabilities(struct nf_device_profile *device, const char *list)
{
    size_t count = 0;
    free(device->capabilities);
    /* With room for UINT32_MAX, which stands for "none", because an empty list means "any". */
    device->capabilities = calloc(strlen(list) / 2 + 2, sizeof *device->capabilities);
    if (!device->capabilities) return nf_print_error("out of memory"), -1;
    for (size_t length; (length = next_word(&list)) > 0; list += length) {
        if (length == 4 && strncmp(list, "none", 4) == 0) continue;
        if (find_capability(list, length, &device->capabilities[count++])) continue;
        nf_print_error("%s: unknown SPIR-V capability '%.*s'", device->subcommand, (int)length, list);
        return -1;
    }
    if (count == 0) device->capabilities[count++] = UINT32_MAX;
    device->profile.capabilities = device->capabilities;
    device->profile.capability_count = count;
    return 0;
}

static void free_extensions(struct nf_device_profile *device)
{
    for (size_t i = 0; device->extensions && device->extensions[i]; i++)
        free(device->extensions[i]);
    free(device->extensions);
    device->extensions = NULL;
}

static int set_extensions(struct nf_device_profile *device, const char *list)
{
    size_t count = 0;
    free_extensions(device);
    device->extensions = calloc(strlen(list) / 2 + 2, sizeof *device->extensions);
    if (!device->extensions) return nf_print_error("out of memory"), -1;
    for (size_t length; (length = next_word(&list)) > 0; list += length) {
        if (length == 4 && strncmp(list, "none", 4) == 0) continue;
        if (strncmp(list, "SPV_", 4) != 0) {
            nf_print_error("%s: '%.*s' is not a SPIR-V extension: they begin with SPV_", device->subcommand,
                           (int)length, list);
            return -1;
        }
        device->extensions[count] = strndup(list, length);
        if (!device->extensions[count++]) return nf_print_error("out of memory"), -1;
    }
    device->profile.extensions = (const char *const *)device->extensions;
    device->profile.extension_count = count ? count : SIZE_MAX;
    return 0;
}

static int take_named(const char *name, struct nf_device_profile *device)
{
    for (size_t i = 0; i < sizeof devices / sizeof devices[0]; i++) {
        if (strcmp(devices[i].name, name) != 0) continue;
        device->name = devices[i].name;
        device->takes_generic = devices[i].takes_generic;
        device->profile.max_version = devices[i].version;
        device->profile.flags = devices[i].flags;
        device->profile.address_form = devices[i].form;
        if (devices[i].capabilities && set_capabilities(device, devices[i].capabilities) < 0) return -1;
        return devices[i].extensions ? set_extensions(device, devices[i].extensions) : 0;
    }
    nf_print_error("%s: unknown device '%s'; the devices are " NF_DEVICE_NAMES, device->subcommand, name);
    return -1;
}

static int take_version(const char *text, struct nf_device_profile *device)
{
    unsigned major = 0, minor = 0;
    int end = 0;
    if (sscanf(text, "%u.%u%n", &major, &minor, &end) == 2 && !text[end] && major == 1 && minor < 256) {
        device->profile.max_version = major << 16 | minor << 8;
        return 0;
    }
    nf_print_error("%s: '%s' is not a version of SPIR-V such as 1.2", device->subcommand, text);
    return -1;
}

int nf_device_profile_read(const char *subcommand, const struct nf_arguments *a, struct nf_device_profile *device)
{
    const char *name = a->value[NF_KEY_DEVICE], *version = a->value[NF_KEY_IL];
    const char *capabilities = a->value[NF_KEY_CAPABILITIES], *extensions = a->value[NF_KEY_EXTENSIONS];
    *device = (struct nf_device_profile){.subcommand = subcommand, .profile = NF_PROFILE_INIT};
    if (take_named(name ? name : "any", device) < 0) return -1;
    if (!name && (version || capabilities || extensions)) device->name = "the device described";
    if (version && take_version(version, device) < 0) return -1;
    if (capabilities && set_capabilities(device, capabilities) < 0) return -1;
    if (extensions && set_extensions(device, extensions) < 0) return -1;
    if (a->value[NF_KEY_SPIR12]) device->profile.flags |= NF_PROFILE_SPIR12;
    if (a->value[NF_KEY_NO_GLOBALS]) device->profile.flags |= NF_PROFILE_NO_WRITABLE_GLOBALS;
    /* The layer places variables in a buffer if the device has no writable module-scope variables. */
    if (device->profile.flags & NF_PROFILE_NO_WRITABLE_GLOBALS) device->profile.flags |= NF_PROFILE_GLOBALS_IN_MEMORY;
    if (capabilities && nf_takes_capability(&device->profile, NF_CAPABILITY_GENERIC_POINTER))
        device->takes_generic = true;
    return 0;
}

void nf_device_profile_free(struct nf_device_profile *device)
{
    free(device->capabilities);
    free_extensions(device);
    memset(device, 0, sizeof *device);
}

bool nf_takes_capability(const nf_profile *profile, uint32_t capability)
{
    for (size_t i = 0; i < profile->capability_count; i++)
        if (profile->capabilities[i] == capability) return true;
    return profile->capability_count == 0;
}

bool nf_takes_extension(const nf_profile *profile, const char *name)
{
    if (profile->extension_count == SIZE_MAX) return false;
    for (size_t i = 0; i < profile->extension_count; i++)
        if (strcmp(profile->extensions[i], name) == 0) return true;
    return profile->extension_count == 0;
}
