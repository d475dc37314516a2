/* SPDX-License-Identifier: Apache-2.0 */
/*
 * words.c - command-line arguments, and the mark at the end of the output.
 */
#include "layer/helper/helper.h"

#include <stdio.h>
#include <string.h>

bool nf_helper_take_value(const char *argument, const char *name, const char **value)
{
    size_t length = strlen(name);
    if (strncmp(argument, name, length) != 0) return false;
    *value = argument + length;
    return true;
}

bool nf_helper_take_flag(const char *argument, const char *name, bool *flag)
{
    if (strcmp(argument, name) != 0) return false;
    return *flag = true;
}

void nf_helper_write_end(size_t size)
{
    printf("NONFLAT:%016llx", (unsigned long long)size);
}
