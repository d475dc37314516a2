/* SPDX-License-Identifier: Apache-2.0 */
/*
 * reasons.c - the reasons why the layer leaves source to the driver. Takes the handle of a driver program, and a
 * reason. The build log then has the reason before the driver's log, whether or not the driver's build succeeds.
 *
 *     "nonflat: this source is left to the driver: k computes with integers of 128 bits ..."
 *     input.cl:3:4: error: ...
 *
 * A reason is valid until the program is built again or released. Errors in the source are not among the reasons,
 * because the driver's compiler reports them too.
 */
#define _GNU_SOURCE
#include "layer/program/program.h"

#include <stdlib.h>
#include <string.h>

struct reason {
    cl_program handle;
    char *text;
    struct reason *next;
};

static struct reason *reasons;
static atomic_uint count;
static struct nf_cl_lock lock = NF_CL_LOCK_INIT;

char *nf_cl_reason_of(const char *log)
{
    static const char prefix[] = "nonflat-cl: ";
    const char *at = log ? strstr(log, prefix) : NULL;
    while (at && at != log && at[-1] != '\n' && at[-1] != ' ')
        at = strstr(at + 1, prefix);
    if (at) return strndup(at + sizeof prefix - 1, strcspn(at + sizeof prefix - 1, "\n"));
    if (!log || !*log || strstr(log, " error: ")) return NULL;
    size_t length = strlen(log);
    while (length && log[length - 1] == '\n')
        length--;
    return strndup(log, length);
}

/* Needs the lock. Returns the link to the reason of the program, or the end of the list. */
static struct reason **place_of(cl_program handle)
{
    struct reason **at = &reasons;
    while (*at && (*at)->handle != handle)
        at = &(*at)->next;
    return at;
}

void nf_cl_reason_keep(cl_program handle, char *text)
{
    struct reason *added = text ? calloc(1, sizeof *added) : NULL, *old = NULL;
    if (!added) free(text);
    if (!added && !atomic_load(&count)) return;
    nf_cl_lock_acquire(&lock);
    struct reason **at = place_of(handle);
    old = *at;
    if (old) *at = old->next;
    if (old) atomic_fetch_sub(&count, 1);
    if (added) {
        *added = (struct reason){handle, text, reasons};
        reasons = added;
        atomic_fetch_add(&count, 1);
    }
    nf_cl_lock_release(&lock);
    if (old) free(old->text);
    free(old);
}

/* Returns a copy of the reason, malloc'ed, or NULL. */
static char *find(cl_program handle)
{
    if (!atomic_load(&count)) return NULL;
    nf_cl_lock_acquire(&lock);
    const struct reason *reason = *place_of(handle);
    char *text = reason ? strdup(reason->text) : NULL;
    nf_cl_lock_release(&lock);
    return text;
}

void nf_cl_reason_release(cl_program handle)
{
    cl_uint references = 0;
    if (!atomic_load(&count)) return;
    if (NF_CL_CALL(clGetProgramInfo, CL_INVALID_PROGRAM, handle, CL_PROGRAM_REFERENCE_COUNT, sizeof references,
                   &references, NULL) == CL_SUCCESS &&
        references == 1)
        nf_cl_reason_keep(handle, NULL);
}

bool nf_cl_reason_log(cl_program handle, cl_device_id device, size_t size, void *value, size_t *size_ret, cl_int *error)
{
    char *text = find(handle), *log = text ? nf_cl_driver_log(handle, device) : NULL;
    bool known = text && log; /* else the driver answers the query, and validates its arguments */
    char *both = known ? nf_cl_format("nonflat: this source is left to the driver: %s\n%s", text, log) : NULL;
    if (known) *error = both ? nf_cl_answer(both, strlen(both) + 1, size, value, size_ret) : CL_OUT_OF_HOST_MEMORY;
    free(both);
    free(log);
    free(text);
    return known;
}
