/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_results.c - the cache in memory (layer/specialize/cache.c): two requests that differ in one property of the
 * profile must have results of their own. The argument is a module.
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

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(each_property_has_its_own_result)};
    path = argc > 1 ? argv[1] : "";
    return cmocka_run_group_tests(tests, read_module, free_module);
}
