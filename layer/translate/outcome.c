/* SPDX-License-Identifier: Apache-2.0 */
/*
 * outcome.c - frees what the run of a helper program leaves in this process: the outcome, and the lists of its
 * arguments and environment variables.
 */
#include "layer/translate/translate.h"

#include <stdlib.h>

void nf_cl_outcome_free(struct nf_cl_outcome *outcome)
{
    free(outcome->output.data);
    free(outcome->error_output);
    free(outcome->message);
    *outcome = (struct nf_cl_outcome){.message = NULL};
}

char **nf_cl_strings_check(char **list, size_t count)
{
    bool good = true;
    for (size_t i = 0; i < count; i++)
        good = good && list[i];
    if (good) return list;
    for (size_t i = 0; i < count; i++)
        free(list[i]);
    free(list);
    return NULL;
}

void nf_cl_strings_free(char **list)
{
    for (size_t i = 0; list && list[i]; i++)
        free(list[i]);
    free(list);
}
