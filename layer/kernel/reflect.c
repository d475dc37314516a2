/* SPDX-License-Identifier: Apache-2.0 */
/*
 * reflect.c - attributes and argument information of the kernels that the layer compiled from source or wrote in OpenCL
 * C, which the driver cannot find in its input. Takes the compiler's notes, which have for each kernel a line of
 * attributes, and for each argument a line "ADDRESS\tACCESS\tTYPE\tQUALIFIERS\tNAME"; or the words of the module, which
 * contain the same information about arguments, if the compiler stored types and qualifiers as strings, and no
 * attributes.
 */
#define _GNU_SOURCE
#include "layer/kernel/kernel.h"

#include <stdlib.h>
#include <string.h>

enum { ADDRESS, ACCESS, TYPE, QUALIFIERS, NAME, COLUMNS };

bool nf_cl_is_reflected(const struct nf_cl_kernel *kernel)
{
    const struct nf_cl_program *program = kernel->program;
    const struct nf_cl_group *group = &program->groups[kernel->parts[0].group];
    return program->notes.size || (group->delivery == NF_CL_DELIVER_SOURCE && !group->by_driver);
}

/* Returns the value of the kernel's note, or the same facts from its module, as a string that the caller frees, or
 * NULL. */
static char *find_record(const struct nf_cl_kernel *kernel, const char *own)
{
    struct nf_cl_bytes notes = kernel->program->notes;
    struct nf_cl_note note;
    if (own && !notes.size) return nf_cl_kernel_record(&kernel->program->module, own);
    while (own && nf_cl_notes_next(&notes, &note))
        if (nf_cl_note_is(&note, "kernel") && note.name_length == strlen(own) &&
            memcmp(note.name, own, note.name_length) == 0)
            return nf_cl_format("%.*s", (int)note.value_size, note.value);
    return NULL;
}

/* Splits line `index` of a text in place, and sets `columns` to its columns. Returns false if a line or a column is
 * missing. */
static bool split_line(char *text, cl_uint index, char *columns[COLUMNS])
{
    for (cl_uint i = 0; i < index && text; i++)
        text = (text = strchr(text, '\n')) ? text + 1 : NULL;
    char *end = text ? strchr(text, '\n') : NULL;
    if (!end) return false;
    *end = '\0';
    for (int i = 0; i < COLUMNS; i++) {
        if (!text) return false;
        columns[i] = text;
        text = strchr(text, '\t');
        if (text) *text++ = '\0';
    }
    return true;
}

/* ---- conversion of qualifiers in text form to constants ---- */

static cl_kernel_arg_address_qualifier address_of(const char *number)
{
    static const cl_kernel_arg_address_qualifier spaces[] = {
        CL_KERNEL_ARG_ADDRESS_PRIVATE, CL_KERNEL_ARG_ADDRESS_GLOBAL, CL_KERNEL_ARG_ADDRESS_CONSTANT,
        CL_KERNEL_ARG_ADDRESS_LOCAL};
    unsigned long index = strtoul(number, NULL, 10);
    return spaces[index < 4 ? index : 0];
}

static cl_kernel_arg_access_qualifier access_of(const char *word)
{
    if (strcmp(word, "read_only") == 0) return CL_KERNEL_ARG_ACCESS_READ_ONLY;
    if (strcmp(word, "write_only") == 0) return CL_KERNEL_ARG_ACCESS_WRITE_ONLY;
    return strcmp(word, "read_write") == 0 ? CL_KERNEL_ARG_ACCESS_READ_WRITE : CL_KERNEL_ARG_ACCESS_NONE;
}

static cl_kernel_arg_type_qualifier qualifiers_of(const char *words)
{
    cl_kernel_arg_type_qualifier all = CL_KERNEL_ARG_TYPE_NONE;
    if (strstr(words, "const")) all |= CL_KERNEL_ARG_TYPE_CONST;
    if (strstr(words, "restrict")) all |= CL_KERNEL_ARG_TYPE_RESTRICT;
    if (strstr(words, "volatile")) all |= CL_KERNEL_ARG_TYPE_VOLATILE;
    return strstr(words, "pipe") ? all | CL_KERNEL_ARG_TYPE_PIPE : all;
}

static cl_int answer(char *columns[COLUMNS], cl_kernel_arg_info name, size_t size, void *value, size_t *size_ret)
{
    const cl_kernel_arg_address_qualifier address = address_of(columns[ADDRESS]);
    const cl_kernel_arg_access_qualifier access = access_of(columns[ACCESS]);
    const cl_kernel_arg_type_qualifier qualifiers = qualifiers_of(columns[QUALIFIERS]);
    switch (name) {
    case CL_KERNEL_ARG_ADDRESS_QUALIFIER: return nf_cl_answer(&address, sizeof address, size, value, size_ret);
    case CL_KERNEL_ARG_ACCESS_QUALIFIER: return nf_cl_answer(&access, sizeof access, size, value, size_ret);
    case CL_KERNEL_ARG_TYPE_QUALIFIER: return nf_cl_answer(&qualifiers, sizeof qualifiers, size, value, size_ret);
    case CL_KERNEL_ARG_TYPE_NAME: return nf_cl_answer(columns[TYPE], strlen(columns[TYPE]) + 1, size, value, size_ret);
    case CL_KERNEL_ARG_NAME: return nf_cl_answer(columns[NAME], strlen(columns[NAME]) + 1, size, value, size_ret);
    default: return CL_INVALID_VALUE;
    }
}

/* ---- queries ---- */

bool nf_cl_reflect_argument(const struct nf_cl_kernel *kernel, const char *own, cl_uint index, cl_kernel_arg_info name,
                            size_t size, void *value, size_t *size_ret, cl_int *error)
{
    char *columns[COLUMNS], *record = find_record(kernel, own);
    bool found = record && split_line(record, index + 1, columns);
    if (found) *error = answer(columns, name, size, value, size_ret);
    free(record);
    return found;
}

bool nf_cl_reflect_attributes(const struct nf_cl_kernel *kernel, const char *own, size_t size, void *value,
                              size_t *size_ret, cl_int *error)
{
    char *record = find_record(kernel, own), *end = record ? strchr(record, '\n') : NULL;
    if (end) {
        while (end > record && end[-1] == ' ')
            end--;
        *end = '\0';
        *error = nf_cl_answer(record, (size_t)(end - record) + 1, size, value, size_ret);
    }
    free(record);
    return end != NULL;
}
