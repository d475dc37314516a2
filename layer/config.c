/* SPDX-License-Identifier: Apache-2.0 */
/*
 * config.c - the settings of the layer, from NONFLAT_* variables. Takes the process's environment; gives one read-only
 * record. In a privileged process (AT_SECURE) the user's environment is not believed: every setting is its default.
 */
#define _GNU_SOURCE
#include "layer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>

static struct nf_cl_config config;
static pthread_once_t config_once = PTHREAD_ONCE_INIT;

static const char *const mode_names[] = {"auto", "static", "hint", "dynamic", "off"};
static const char *const level_names[] = {"off", "error", "warning", "info", "debug"};

static int find_name(const char *const *names, int count, const char *text)
{
    for (int i = 0; i < count; i++)
        if (strcmp(names[i], text) == 0) return i;
    return -1;
}

/* @return the value of a variable that is set and not empty, copied: the application may change its environment. */
static const char *variable(const char *name)
{
    const char *value = getenv(name);
    return value && *value ? strdup(value) : NULL;
}

static void read_mode(void)
{
    const char *text = getenv("NONFLAT_MODE");
    if (!text || !*text) return;
    int mode = find_name(mode_names, 5, text);
    if (mode < 0) {
        fprintf(stderr, "nonflat: NONFLAT_MODE=%s is not one of auto, static, hint, dynamic, off; ignored\n", text);
        return;
    }
    config.mode = (nf_mode)mode;
    config.mode_given = true;
}

/* NONFLAT_LOG is a level, a file, or LEVEL:FILE. */
static void read_log(void)
{
    const char *text = getenv("NONFLAT_LOG");
    if (!text || !*text) return;
    for (int i = 0; i < 5; i++) {
        size_t length = strlen(level_names[i]);
        if (strncmp(text, level_names[i], length) != 0 || (text[length] != '\0' && text[length] != ':')) continue;
        config.level = (enum nf_cl_level)i;
        if (text[length] == ':' && text[length + 1] != '\0') config.log_file = strdup(text + length + 1);
        return;
    }
    config.level = NF_CL_INFO;
    config.log_file = strdup(text);
}

static void read_timeout(void)
{
    const char *text = getenv("NONFLAT_SPIR_TIMEOUT");
    char *end = NULL;
    if (!text || !*text) return;
    unsigned long seconds = strtoul(text, &end, 10);
    if (*end != '\0' || seconds == 0 || seconds > 86400)
        fprintf(stderr, "nonflat: NONFLAT_SPIR_TIMEOUT=%s is not a number of seconds; ignored\n", text);
    else
        config.spir_timeout = (unsigned)seconds;
}

/* NONFLAT_CACHE is a folder, or "off"; without it, $XDG_CACHE_HOME/nonflat or ~/.cache/nonflat. */
static void read_cache(void)
{
    const char *given = getenv("NONFLAT_CACHE"), *base = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    const char *megabytes = getenv("NONFLAT_CACHE_SIZE");
    char *end = NULL;
    if (given && *given == '/')
        config.cache = strdup(given);
    else if (given && *given && strcmp(given, "off") != 0)
        fprintf(stderr, "nonflat: NONFLAT_CACHE=%s is neither an absolute path nor off; no cache is used\n", given);
    else if (!(given && *given) && base && *base == '/')
        config.cache = nf_cl_format("%s/nonflat", base);
    else if (!(given && *given) && home && *home == '/')
        config.cache = nf_cl_format("%s/.cache/nonflat", home);
    const char *system = getenv("NONFLAT_CACHE_SYSTEM");
    config.system_cache = system && *system == '/' ? strdup(system) : NULL;
    unsigned long long size = megabytes && *megabytes ? strtoull(megabytes, &end, 10) : 0;
    if (end && (*end != '\0' || size == 0 || size > (1u << 24)))
        fprintf(stderr, "nonflat: NONFLAT_CACHE_SIZE=%s is not a number of megabytes; ignored\n", megabytes);
    else if (size)
        config.cache_limit = size << 20;
}

static void read_config(void)
{
    config.mode = NF_MODE_AUTO;
    config.level = NF_CL_ERROR;
    config.spir_timeout = 120;
    config.cache_limit = (uint64_t)1 << 30;
    config.secure = getauxval(AT_SECURE) != 0;
    if (config.secure) return;
    read_mode();
    read_log();
    read_timeout();
    read_cache();
    config.dump = variable("NONFLAT_DUMP");
    config.spir = variable("NONFLAT_SPIR");
}

const struct nf_cl_config *nf_cl_config(void)
{
    pthread_once(&config_once, read_config);
    return &config;
}
