/* SPDX-License-Identifier: Apache-2.0 */
/*
 * many.c - an application that builds COUNT different modules, and prints for each the input of the driver: for a
 * module that was built, its checksum; for a binary that was loaded, the checksum that the binary contains. So its
 * output must be the same with and without a cache. Each process of conformance/cache_many is this program.
 *
 *     many COUNT MILLISECONDS       the driver takes so long for each module
 *     -> "0 93d765ec0f1e7b1d\n1 ..." on standard output, "built=2 loaded=0" on standard error
 */
#define _GNU_SOURCE
#include "common.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { GENERATOR = 2 }; /* a word of a module that may have any value */

/* Returns the checksum of the module from which the driver's last program was made. */
static uint64_t last_sum(void)
{
    uint64_t sum = stub_sum(stub->module.data, stub->module.size);
    if (stub->module.size == 4 + sizeof sum && memcmp(stub->module.data, "stub", 4) == 0)
        memcpy(&sum, stub->module.data + 4, sizeof sum);
    return sum;
}

static void build(cl_context context, uint32_t number)
{
    struct bytes module = {malloc(generic_module.size), generic_module.size};
    if (!module.data) exit(3);
    memcpy(module.data, generic_module.data, module.size);
    memcpy(module.data + GENERATOR * sizeof number, &number, sizeof number);
    cl_program program = make_program(context, &module);
    if (clBuildProgram(program, 0, NULL, "", NULL, NULL) != CL_SUCCESS) exit(4);
    printf("%" PRIu32 " %016" PRIx64 "\n", number, last_sum());
    clReleaseProgram(program);
    free(module.data);
}

int main(int count, char **arguments)
{
    if (count != 3) return 2;
    find_stub(NULL);
    stub->told_binaries = 1;
    stub->slow_changed = atoi(arguments[2]);
    cl_context context = make_context(STUB_FAST);
    int binaries = stub->created_binary;
    for (int i = 0; i < atoi(arguments[1]); i++)
        build(context, (uint32_t)i);
    clReleaseContext(context);
    fprintf(stderr, "built=%d loaded=%d\n", stub->created_il, stub->created_binary - binaries);
    return 0;
}
