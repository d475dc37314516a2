/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_results.c - the cache in memory (layer/specialize/cache.c): two requests that differ in one property of the
 * profile must have results of their own. The argument is a module. The file also tests queries about program-scope
 * variables (words.c).
 */
#include "layer/specialize/specialize.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

static const char *path;
static struct nf_cl_bytes module;

static int read_module(void **unused)
{
    FILE *file = fopen(path, "rb");
    (void)unused;
    if (!file) return 1;
    module.data = malloc(1 << 16);
    module.size = fread(module.data, 1, 1 << 16, file);
    fclose(file);
    return 0;
}

static int free_module(void **unused)
{
    (void)unused;
    nf_cl_cache_forget();
    free(module.data);
    return 0;
}

/* Returns true if the cache has a result for the profile. */
static bool is_cached(const nf_profile *profile)
{
    const struct nf_cl_request request = {.module = module.data, .size = module.size, .profile = profile};
    bool hit = false;
    struct nf_cl_result *result = nf_cl_cache_get(&request, &hit);
    assert_non_null(result);
    nf_cl_cache_put(result);
    return hit;
}

static void each_property_has_its_own_result(void **unused)
{
    nf_profile profiles[8];
    uint32_t fault = nf_fault_number("mesa_lcssa_pointers");
    (void)unused;
    for (int i = 0; i < 8; i++)
        profiles[i] = (nf_profile)NF_PROFILE_INIT;
    profiles[1].max_version = 0x10200;
    profiles[2].flags = NF_PROFILE_CONSTANT_SCOPES;
    profiles[3].extension_count = SIZE_MAX;
    profiles[4].address_form = NF_ADDRESSES_FLAT;
    profiles[5].faults = &fault;
    profiles[5].fault_count = 1;
    profiles[6].max_work_group_size = 256;
    profiles[7].subgroup_sizes = 8;
    for (int i = 0; i < 8; i++)
        assert_false(is_cached(&profiles[i]));
    for (int i = 0; i < 8; i++)
        assert_true(is_cached(&profiles[i]));
}

/* A module of a program-scope variable, with type 1 and id 2, and one more instruction. */
struct variable_module {
    uint32_t header[5], variable[4], function[5], access[5];
};

static struct variable_module variable_module(uint32_t opcode, const uint32_t *access)
{
    enum { FUNCTION = 5u << 16 | 54, CROSS_WORKGROUP = 5 };
    return (struct variable_module){{0x07230203, 0x10600, 0, 9, 0},
                                    {4u << 16 | opcode, 1, 2, CROSS_WORKGROUP},
                                    {FUNCTION, 3, 4, 0, 5},
                                    {access[0], access[1], access[2], access[3], access[4]}};
}

/* Untyped variables count like typed variables. */
static void variables_are_found(void **unused)
{
    static const uint32_t opcodes[] = {59, 4418}; /* OpVariable, OpUntypedVariableKHR */
    static const uint32_t load[] = {4u << 16 | 61, 6, 7, 2, 1u << 16},
                          store[] = {3u << 16 | 62, 2, 7, 1u << 16, 1u << 16};
    (void)unused;
    for (int i = 0; i < 2; i++) {
        struct variable_module read = variable_module(opcodes[i], load), written = variable_module(opcodes[i], store);
        const struct nf_cl_bytes first = {&read, sizeof read}, second = {&written, sizeof written};
        assert_true(nf_cl_has_variables(&first));
        assert_false(nf_cl_writes_variables(&first));
        assert_true(nf_cl_has_variables(&second));
        assert_true(nf_cl_writes_variables(&second));
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(each_property_has_its_own_result),
                                       cmocka_unit_test(variables_are_found)};
    path = argc > 1 ? argv[1] : "";
    return cmocka_run_group_tests(tests, read_module, free_module);
}
