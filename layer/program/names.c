/* SPDX-License-Identifier: Apache-2.0 */
/*
 * names.c - kernel names that a driver does not support. nonflat-spir shortens long names for drivers that derive file
 * names from kernel names; OpenCL C does not allow every name for a kernel. Translates the application's kernel names
 * to the driver's and back, so that the application gets the names of its module.
 */
#define _GNU_SOURCE
#include "layer/program/program.h"

#include "layer/spir/short_name.h"

#include <stdlib.h>

enum { NAME_SIZE = NF_NAME_SIZE, DIGITS = 16 };
_Static_assert((int)NAME_SIZE >= (int)NF_C_KERNEL_NAME_SIZE, "there is room for either name");

/* Writes the name of a kernel in the group's driver. @return false, with `changed` unspecified, if it is `name`. */
static bool driver_name(const struct nf_cl_group *group, const char *name, char changed[NAME_SIZE])
{
    bool bitcode = group->delivery == NF_CL_DELIVER_SPIR && nf_name_is_long(name);
    bool source = group->delivery == NF_CL_DELIVER_SOURCE && !group->by_driver;
    if (bitcode) nf_shorten_name(name, changed);
    if (source) nf_c_kernel_name(name, changed);
    return (bitcode || source) && strcmp(name, changed) != 0;
}

/* Returns true if the name ends like a changed name: with '_' and a hash. */
static bool may_be_changed(const char *name)
{
    size_t length = strlen(name);
    return length > DIGITS && name[length - DIGITS - 1] == '_' &&
           strspn(name + length - DIGITS, "0123456789abcdef") == DIGITS;
}

/* Returns true if the kernel `name` of the module has the name `shown` in a driver of the program. */
static bool is_known_as(const struct nf_cl_program *program, const char *name, const char *shown)
{
    char changed[NAME_SIZE];
    for (cl_uint i = 0; i < program->group_count; i++)
        if (driver_name(&program->groups[i], name, changed) && strcmp(changed, shown) == 0) return true;
    return false;
}

/* Returns the name in the module of the kernel whose name in a driver is `shown`, malloc'ed, or NULL. */
static char *module_name(const struct nf_cl_program *program, const char *shown)
{
    char *name;
    size_t at = 0;
    if (!may_be_changed(shown)) return NULL;
    while ((name = nf_cl_next_entry(&program->module, &at)) != NULL && !is_known_as(program, name, shown))
        free(name);
    return name;
}

cl_kernel nf_cl_create_named(struct nf_cl_program *program, const struct nf_cl_executable *executable, const char *name,
                             cl_int *error)
{
    cl_program driver_program = executable->driver_program->program;
    cl_int own = CL_SUCCESS;
    char changed[NAME_SIZE];
    if (name && driver_name(&program->groups[executable->group], name, changed)) {
        cl_kernel kernel = nf_cl_next()->clCreateKernel(driver_program, changed, &own);
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
        char *other = name ? module_name(program, name) : NULL;
        const char *shown = other ? other : name;
        if (!hidden || !nf_cl_globals_is_initializer(name))
            good = good && name && (own.size == 0 || nf_cl_append(&own, ";", 1)) &&
                   nf_cl_append(&own, shown, strlen(shown));
        free(other);
        free(name);
        at += length;
        if (!*at) break;
    }
    good = good && nf_cl_append(&own, "", 1);
    if (good) return own.data;
    free(own.data);
    return NULL;
}
