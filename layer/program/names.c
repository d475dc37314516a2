/* SPDX-License-Identifier: Apache-2.0 */
/*
 * names.c - kernel names that a driver does not support. nonflat-spir shortens long names for drivers that derive file
 * names from them. Translates the application's kernel names to the driver's and back, so that the application always
 * sees the names of its module.
 */
#define _GNU_SOURCE
#include "layer/program/program.h"

#include "layer/spir/short_name.h"

#include <stdlib.h>

/* Returns the entry point of the module whose short form is `shorter`, fresh, or NULL. */
static char *long_name(const struct nf_cl_bytes *module, const char *shorter)
{
    char *name;
    for (size_t at = 0; (name = nf_cl_next_entry(module, &at)) != NULL; free(name)) {
        char own[NF_NAME_SIZE] = "";
        if (nf_name_is_long(name)) nf_shorten_name(name, own);
        if (*own && strcmp(own, shorter) == 0) return name;
    }
    return NULL;
}

/* Returns true if a driver of the program may know kernels by short names. */
static bool may_be_short(const struct nf_cl_program *program)
{
    for (cl_uint i = 0; i < program->group_count; i++)
        if (program->groups[i].delivery == NF_CL_DELIVER_SPIR) return true;
    return false;
}

cl_kernel nf_cl_create_named(struct nf_cl_program *program, cl_program driver_program, const char *name, cl_int *error)
{
    cl_int own = CL_SUCCESS;
    char shorter[NF_NAME_SIZE];
    if (name && may_be_short(program) && nf_name_is_long(name)) {
        nf_shorten_name(name, shorter);
        cl_kernel kernel = nf_cl_next()->clCreateKernel(driver_program, shorter, &own);
        if (kernel || own != CL_INVALID_KERNEL_NAME) {
            if (error) *error = own;
            return kernel;
        }
    }
    return nf_cl_next()->clCreateKernel(driver_program, name, error);
}

char *nf_cl_original_names(const struct nf_cl_program *program, const char *names, bool hidden)
{
    struct nf_cl_bytes own = {NULL, 0};
    bool good = true;
    for (const char *at = names;; at++) {
        size_t length = strcspn(at, ";");
        char *name = strndup(at, length);
        bool bitcode = name && may_be_short(program);
        char *longer = bitcode && length == NF_NAME_KEPT + 17 ? long_name(&program->module, name) : NULL;
        const char *shown = longer ? longer : name;
        if (!hidden || !nf_cl_globals_is_initializer(name))
            good = good && name && (own.size == 0 || nf_cl_append(&own, ";", 1)) &&
                   nf_cl_append(&own, shown, strlen(shown));
        free(longer);
        free(name);
        at += length;
        if (!*at) break;
    }
    good = good && nf_cl_append(&own, "", 1);
    if (good) return own.data;
    free(own.data);
    return NULL;
}
