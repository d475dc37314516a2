/* SPDX-License-Identifier: Apache-2.0 */
/*
 * faults.c - the known faults of a driver. Takes the names that platform, device and driver report; gives numbers of
 * nf_fault, in ascending order. The rows are generated from src/workarounds/faults.txt, which has the versions that
 * were measured.
 *
 * The hard case is a driver that was never measured: such a driver is assumed to have the faults that many drivers have
 * and whose workarounds cost next to nothing.
 */
#include "layer/base/base.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum driver { DRIVER_UNMEASURED, DRIVER_RUSTICL, DRIVER_INTEL_CPU, DRIVER_OCLGRIND };

static const struct row {
    nf_fault fault;
    enum driver driver;
    const char *device; /* beginning of the device's name; or '!' and, with commas, beginnings that it must not have */
    int first, last;    /* major releases of the driver */
} rows[] = {
#include "layer/base/faults.inc"
};
enum { ROWS = sizeof rows / sizeof *rows };
_Static_assert((int)ROWS <= (int)NF_CL_FAULTS, "a profile has room for all faults");

static bool is_driver(enum driver driver, const struct nf_cl_driver_names *names)
{
    switch (driver) {
    case DRIVER_UNMEASURED: return !nf_cl_takes_all(names) && !nf_cl_is_oclgrind(names);
    case DRIVER_RUSTICL: return nf_cl_is_rusticl(names);
    case DRIVER_INTEL_CPU: return nf_cl_is_intel_processor(names);
    case DRIVER_OCLGRIND: return nf_cl_is_oclgrind(names);
    }
    return false;
}

static bool is_device(const char *beginnings, const char *name)
{
    if (*beginnings != '!') return strncmp(name, beginnings, strlen(beginnings)) == 0;
    for (const char *other = beginnings + 1; *other;) {
        size_t length = strcspn(other, ",");
        if (strncmp(name, other, length) == 0) return false;
        other += length + (other[length] == ',');
    }
    return true;
}

void nf_cl_set_faults(nf_profile *profile, uint32_t faults[NF_CL_FAULTS], const struct nf_cl_driver_names *names,
                      const char *device)
{
    int release = atoi(names->driver);
    profile->faults = faults;
    profile->fault_count = 0;
    for (size_t i = 0; i < ROWS; i++)
        if (is_driver(rows[i].driver, names) && is_device(rows[i].device, device) && release >= rows[i].first &&
            release <= rows[i].last)
            faults[profile->fault_count++] = rows[i].fault;
}

void nf_cl_unite_faults(nf_profile *profile, uint32_t faults[NF_CL_FAULTS], const nf_profile *other)
{
    uint32_t all[NF_CL_FAULTS];
    size_t count = 0, i = 0, j = 0;
    while ((i < profile->fault_count || j < other->fault_count) && count < NF_CL_FAULTS) {
        uint32_t a = i < profile->fault_count ? profile->faults[i] : UINT32_MAX;
        uint32_t b = j < other->fault_count ? other->faults[j] : UINT32_MAX;
        all[count++] = a < b ? a : b;
        i += a <= b;
        j += b <= a;
    }
    memcpy(faults, all, count * sizeof *all);
    profile->faults = faults;
    profile->fault_count = count;
}

bool nf_cl_same_faults(const nf_profile *a, const nf_profile *b)
{
    size_t bytes = a->fault_count * sizeof *a->faults;
    return a->fault_count == b->fault_count && (!bytes || memcmp(a->faults, b->faults, bytes) == 0);
}
