/* SPDX-License-Identifier: Apache-2.0 */
/*
 * faults.c - parses --faults NAME,NAME,... into the list of faults of a profile.
 */
#include <string.h>

#include "tools/specialize/specialize.h"

int nf_parse_faults(const char *text, nf_profile *profile)
{
    enum { MOST_FAULTS = 256, LONGEST_NAME = 64 };
    static uint32_t faults[MOST_FAULTS];
    profile->faults = faults;
    for (size_t length; *text; text += length + (text[length] == ',')) {
        char name[LONGEST_NAME] = "";
        length = strcspn(text, ",");
        if (length < sizeof name) memcpy(name, text, length);
        uint32_t fault = nf_fault_number(name);
        if (!fault) return nf_print_error("specialize: unknown fault '%.*s'", (int)length, text);
        if (profile->fault_count == MOST_FAULTS) return nf_print_error("specialize: too many faults");
        faults[profile->fault_count++] = fault;
    }
    return NF_EXIT_DONE;
}
