/* SPDX-License-Identifier: Apache-2.0 */
/* ways.c - see ways.h. */
#include "ways.h"

#include <stdio.h>

/* The capabilities of OpenCL 1.2 drivers with SPIR-V 1.0: Matrix to Int8, without pipes, device enqueue and generic
 * pointers. */
static const uint32_t old_capabilities[] = {0, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 20, 22, 39, 43, 44, 46};

#define SIZED .struct_size = sizeof(nf_profile)
#define ALL(list) .faults = list, .fault_count = sizeof list / sizeof *list

static const nf_profile old_device = {SIZED, .max_version = 0x10000, .extension_count = SIZE_MAX,
                                      .capabilities = old_capabilities,
                                      .capability_count = sizeof old_capabilities / sizeof *old_capabilities};
static const nf_profile bitcode_device = {SIZED, .max_version = 0x10200, .flags = NF_PROFILE_SPIR12};
static const uint32_t careful_faults[] = {NF_FAULT_INTEL_ESCAPING_ADDRESSES};
static const nf_profile careful_device = {SIZED, .max_version = 0x10400, .flags = NF_PROFILE_NO_WRITABLE_GLOBALS,
                                          ALL(careful_faults)};

/* Profiles like those that the layer has for Mesa's llvmpipe, with the faults of the releases 25 and 26. */
enum {
    MESA = NF_PROFILE_CONSTANT_SCOPES | NF_PROFILE_VALIDATES | NF_PROFILE_NO_INTRINSICS | NF_PROFILE_NO_COLLECTIVES |
           NF_PROFILE_CONSTANT_FORMATS | NF_PROFILE_NO_WRITABLE_GLOBALS | NF_PROFILE_GLOBALS_IN_MEMORY |
           NF_PROFILE_DEVICE_SCOPE | NF_PROFILE_PARTIAL_LISTS
};
static const uint32_t faults_25[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 16, 17, 18, 20};
static const uint32_t faults_26[] = {1, 2, 3, 4, 5, 6, 9, 10, 11, 12, 14, 15, 16, 17, 18, 19, 20};
static const nf_profile mesa_25 = {SIZED, .max_version = 0x10400, .flags = MESA, .address_form = NF_ADDRESSES_WINDOWS,
                                   ALL(faults_25)};
static const nf_profile mesa_26 = {SIZED, .max_version = 0x10600, .flags = MESA, .address_form = NF_ADDRESSES_WINDOWS,
                                   ALL(faults_26)};

/* Values for specialization constants with these ids: the module is specialized with them, or refused because of the
 * size. */
static const nf_spec_value spec_values[] = {{0, 4, 1}, {1, 4, 2}, {2, 1, 1}, {3, 8, 3}, {7, 4, 12}, {10, 2, 5}};

static const struct device {
    const char *name;
    const nf_profile *profile;
    int library;
    size_t spec_value_count;
} devices[] = {
    {"any device", NULL, 0, 0},
    {"SPIR-V 1.0", &old_device, 0, 0},
    {"bitcode", &bitcode_device, 0, 0},
    {"library, escapes hidden, no globals", &careful_device, 1, 0},
    {"Mesa 25", &mesa_25, 0, 0},
    {"Mesa 26", &mesa_26, 0, 0},
    {"constants given", NULL, 0, sizeof spec_values / sizeof *spec_values},
};

static const struct {
    const char *name;
    nf_mode mode;
} modes[] = {{"auto", NF_MODE_AUTO}, {"static", NF_MODE_STATIC}, {"hint", NF_MODE_HINT}, {"dynamic", NF_MODE_DYNAMIC}};

enum { MODES = sizeof modes / sizeof *modes, DEVICES = sizeof devices / sizeof *devices };

unsigned way_count(void)
{
    return MODES * DEVICES;
}

struct way way_at(unsigned index)
{
    const struct device *device = &devices[index / MODES];
    struct way way = {.options = NF_OPTIONS_INIT};
    way.options.mode = modes[index % MODES].mode;
    way.options.profile = device->profile;
    way.options.library = device->library;
    way.options.spec_values = spec_values;
    way.options.spec_value_count = device->spec_value_count;
    way.options.keep_inference = 1;
    snprintf(way.name, sizeof way.name, "%s, %s", modes[index % MODES].name, device->name);
    return way;
}
