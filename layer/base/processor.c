/* SPDX-License-Identifier: Apache-2.0 */
/*
 * processor.c - identifies the CPU of this machine. A driver's compiled programs are valid for one CPU only, and some
 * drivers miscompile for some CPUs. Takes /proc/cpuinfo; gives its lines about model and features of the first CPU,
 * read once.
 */
#define _GNU_SOURCE
#include "layer/base/base.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char processor[16384];
static pthread_once_t processor_once = PTHREAD_ONCE_INIT;

static void read_processor(void)
{
    static const char *const wanted[] = {"model name", "flags", "Features", "CPU part", "CPU implementer"};
    char *line = NULL;
    size_t capacity = 0, used = 0;
    ssize_t got = 0;
    FILE *file = fopen("/proc/cpuinfo", "re");
    while (file && (got = getline(&line, &capacity, file)) > 1) {
        bool take = false;
        for (size_t i = 0; i < sizeof wanted / sizeof wanted[0]; i++)
            take = take || strncmp(line, wanted[i], strlen(wanted[i])) == 0;
        size_t length = strlen(line);
        if (!take || length >= sizeof processor - used) continue;
        memcpy(processor + used, line, length);
        used += length;
    }
    if (got < 0 && !feof(file)) *processor = '\0'; /* an incomplete description could match another CPU */
    free(line);
    if (file) fclose(file);
}

const char *nf_cl_processor(void)
{
    pthread_once(&processor_once, read_processor);
    return processor;
}
