/* SPDX-License-Identifier: Apache-2.0 */
/*
 * profiles.c - the property of modes.c, for devices that lack features: supplied features, workarounds, removed
 * instructions, specialization constants. The missing features, and the mode, are a hash of the input.
 */
#include "property.h"

#include <string.h>

static uint64_t hash_of(const uint8_t *data, size_t size)
{
    uint64_t hash = 0xcbf29ce484222325u;
    for (size_t i = 0; i < size; i++)
        hash = (hash ^ data[i]) * 0x100000001b3u;
    hash ^= hash >> 29;
    return hash * 0x9e3779b97f4a7c15u;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const nf_mode modes[] = {NF_MODE_AUTO, NF_MODE_DYNAMIC, NF_MODE_AUTO, NF_MODE_HINT};
    static const uint32_t versions[] = {0, 0x00010000, 0x00010200, 0x00010400};
    static const uint32_t capabilities[] = {4, 5, 6, 9, 10, 11, 22, 39}; /* a device has the first 3 to 8 */
    static const char *const extensions[] = {"SPV_KHR_expect_assume", "SPV_KHR_no_integer_wrap_decoration"};
    static const nf_spec_value values[] = {{0, 4, 3}, {1, 4, 7}, {2, 1, 1}, {7, 8, 1ull << 40}};
    enum { FLAGS = 11, FAULTS = 32 };
    const uint8_t *edge = fuzz_at_an_edge(data, size);
    if (!edge) return 0;
    uint64_t hash = hash_of(edge, size), other = hash >> 32;
    nf_profile profile = {.struct_size = sizeof profile, .max_version = versions[other % 4]};
    profile.flags = (uint32_t)hash & ((1u << FLAGS) - 1);
    if (other >> 2 & 1) profile.flags &= (uint32_t)(hash >> 13); /* fewer flags at once */
    uint32_t faults[FAULTS];
    for (uint32_t i = 0; i < FAULTS; i++)
        if (hash >> (i + 24) & hash >> i & 1) faults[profile.fault_count++] = i;
    profile.faults = faults;
    if (other >> 3 & 1) profile.extension_count = SIZE_MAX;
    if (other >> 4 & 1) profile.extensions = extensions, profile.extension_count = 1 + (other >> 5 & 1);
    if (other >> 6 & 1) profile.capabilities = capabilities, profile.capability_count = 3 + (other >> 7) % 6;
    nf_options options = NF_OPTIONS_INIT;
    options.check = 1;
    options.mode = modes[other >> 10 & 3];
    options.library = other >> 12 & 1;
    options.profile = &profile;
    options.spec_values = values;
    options.spec_value_count = other >> 13 & 1 ? 4 : 0;
    struct fuzz_run run;
    fuzz_start_with(&run, edge, size, &options);
    if (nf_result_outcome(run.result) == NF_UNCHANGED && memcmp(nf_result_bytes(run.result), edge, size) != 0)
        fuzz_fail("%s: unchanged, but other bytes", run.what);
    fuzz_finish(&run);
    return 0;
}
