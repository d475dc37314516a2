/* SPDX-License-Identifier: Apache-2.0 */
/*
 * source.c - parses --to c[:FEATURE,...]: output in OpenCL C, and the features of its compiler.
 *
 *     --to c                          OpenCL C 1.2 with double, 64-bit atomics, images, sub-groups of one work-item
 *     --to c:fp64,images              OpenCL C 1.2 with only these features
 *     --to c:2.0,variables            OpenCL C 2.0 with variables at program scope
 */
#include <string.h>

#include "tools/specialize/specialize.h"

static const struct {
    const char *name;
    uint32_t version, features, profile_flags;
} words[] = {
    {"1.2", 120, 0, 0},
    {"2.0", 200, 0, 0},
    {"3.0", 300, 0, 0},
    {"fp64", 0, NF_C_FP64, 0},
    {"fp16", 0, NF_C_FP16, 0},
    {"int64-atomics", 0, NF_C_INT64_ATOMICS, 0},
    {"images", 0, NF_C_IMAGES, 0},
    {"subgroups", 0, NF_C_SUBGROUPS, 0},
    {"single-subgroups", 0, NF_C_SINGLE_SUBGROUPS, 0},
    {"collectives", 0, NF_C_COLLECTIVES, 0},
    {"variables", 0, NF_C_PROGRAM_SCOPE_VARIABLES, 0},
    {"acq-rel", 0, NF_C_ATOMIC_ORDER_ACQ_REL, 0},
    {"seq-cst", 0, NF_C_ATOMIC_ORDER_SEQ_CST, 0},
    {"device-scope", 0, NF_C_ATOMIC_SCOPE_DEVICE, 0},
    {"all-devices-scope", 0, NF_C_ATOMIC_SCOPE_ALL_DEVICES, 0},
    {"globals-in-memory", 0, 0, NF_PROFILE_GLOBALS_IN_MEMORY},
};

static bool take_word(const char *word, size_t length, nf_options *options, nf_profile *profile)
{
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (strlen(words[i].name) != length || strncmp(words[i].name, word, length) != 0) continue;
        if (words[i].version) options->c_version = words[i].version;
        options->c_features |= words[i].features;
        profile->flags |= words[i].profile_flags;
        return true;
    }
    return false;
}

int nf_parse_output(const char *text, nf_options *options, nf_profile *profile)
{
    size_t length = strcspn(text, ":");
    if (strncmp(text, "spirv", 6) == 0) return NF_EXIT_DONE;
    if (length != 1 || text[0] != 'c')
        return nf_print_error("specialize: unknown form of output '%.*s'; the forms are spirv and c", (int)length,
                              text);
    options->output = NF_OUTPUT_OPENCL_C;
    if (!text[length]) {
        options->c_features = NF_C_FP64 | NF_C_INT64_ATOMICS | NF_C_IMAGES | NF_C_SINGLE_SUBGROUPS;
        profile->flags |= NF_PROFILE_GLOBALS_IN_MEMORY;
    }
    for (const char *word = text[length] ? text + length + 1 : ""; *word;) {
        size_t end = strcspn(word, ",");
        if (!take_word(word, end, options, profile))
            return nf_print_error("specialize: unknown feature '%.*s' of an OpenCL C compiler", (int)end, word);
        word += word[end] ? end + 1 : end;
    }
    return NF_EXIT_DONE;
}
