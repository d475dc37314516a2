/* SPDX-License-Identifier: Apache-2.0 */
/*
 * config.c - the property: whatever a settings file contains, the settings are within their bounds, a privileged
 * process differs only in that it ignores some, and no memory leaks. The input is the file.
 *
 * The source file of the settings is part of this target, because settings are otherwise read only once per process;
 * its messages are discarded, and the file is in memory.
 */
#define _GNU_SOURCE
#include "layer/base/base.h"

#define nf_cl_print_error(text) ((void)(text))
#include "layer/base/config.c"

#include "property.h"

enum { MOST = 64 * 1024 };

static void drop_rules(void)
{
    while (rules) {
        struct rule *next = rules->next;
        free(rules->pattern);
        free(rules->value);
        free(rules);
        rules = next;
    }
    last_rule = &rules;
}

static void drop_texts(void)
{
    const char **texts[] = {&config.dump,  &config.summary,      &config.spir,    &config.cl,
                            &config.cache, &config.system_cache, &config.log_file};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        free((void *)*texts[i]);
        *texts[i] = NULL;
    }
}

static void check_device(const char *name, const char *vendor)
{
    struct nf_cl_device_config found = nf_cl_config_for(name, vendor);
    if (found.mode > NF_MODE_OFF || found.binaries > NF_CL_OFF) fuzz_fail("settings of a device out of bounds");
    if (found.mode != NF_MODE_AUTO && !found.mode_given) fuzz_fail("a mode that nobody gave");
}

static void check(void)
{
    if (config.level > NF_CL_DEBUG || config.spir_timeout - 1 >= 86400 || config.spir_memory - 1 >= 1u << 24 ||
        !config.cache_limit || config.cache_limit > (uint64_t)1 << 44 || config.cache_wait > 86400)
        fuzz_fail("settings out of bounds");
    const char *paths[] = {config.summary, config.spir, config.cl, config.cache, config.system_cache};
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++)
        if (paths[i] && *paths[i] && *paths[i] != '/') fuzz_fail("a path that is not absolute: %s", paths[i]);
    if (config.secure && (config.dump || config.spir || config.cl || config.cache || config.summary))
        fuzz_fail("a privileged process takes what it must not");
    check_device("Intel(R) Xeon(R) Processor", "Intel(R) Corporation");
    check_device(NULL, "vendor");
    check_device("pocl", NULL);
}

static void try_text(const uint8_t *data, size_t size, bool secure)
{
    static const struct nf_cl_config defaults = {
        .level = NF_CL_ERROR, .spir_timeout = 120, .spir_memory = 2048, .cache_limit = 1 << 30};
    static char text[MOST + 1];
    if (size) memcpy(text, data, size);
    text[size] = '\0';
    config = defaults;
    config.secure = secure;
    take_lines("settings", (char *)fuzz_at_an_edge(text, size + 1));
    check();
    fuzz_taken += !secure && (rules || memcmp(&config, &defaults, sizeof config));
    drop_texts();
    drop_rules();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static bool started;
    if (!started && setenv("NONFLAT_CONFIG", "off", 1)) abort();
    started = true;
    if (size > MOST || nf_cl_config() != &config) return 0;
    drop_texts();
    try_text(data, size, false);
    try_text(data, size, true);
    return 0;
}
