/* SPDX-License-Identifier: Apache-2.0 */
/*
 * surroundings.c - reasons for an unexpected device or loader, or a missing device: drivers that show devices only if a
 * variable is set, device files without permission, loaders of virtual environments.
 *
 * needs: the list of devices.  gives: facts for advice; none of these facts is a fault.
 */
#define _GNU_SOURCE
#include <glob.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/doctor/doctor.h"

/* Returns true if a file in the folder matches `pattern` and, unless `unless` is 0, does not permit that access
 * (R_OK...) to this process. Sets `path` to that file; if the result is false, to the last file that matches, if
 * any. */
static bool find(const char *folder, const char *pattern, char path[4096], int unless)
{
    glob_t found;
    char whole[PATH_MAX];
    bool is_there = false;
    snprintf(whole, sizeof whole, "%s/%s", folder, pattern);
    if (glob(whole, 0, NULL, &found) != 0) return false;
    for (size_t i = 0; i < found.gl_pathc && !is_there; i++) {
        is_there = !unless || access(found.gl_pathv[i], unless) < 0;
        snprintf(path, 4096, "%s", found.gl_pathv[i]);
    }
    globfree(&found);
    return is_there;
}

bool nf_doctor_rusticl_is_off(const struct nf_doctor_list *list)
{
    char path[4096];
    const char *vendors = getenv("OCL_ICD_VENDORS");
    if (!find(vendors && *vendors ? vendors : "/etc/OpenCL/vendors", "*rusticl*.icd", path, 0)) return false;
    for (size_t i = 0; i < list->count; i++)
        if (strstr(list->devices[i].platform, "rusticl")) return false;
    return true;
}

bool nf_doctor_inaccessible_device_file(char path[4096])
{
    return find("/dev/dri", "renderD*", path, R_OK | W_OK);
}

/* Programs of a virtual environment that bring a loader, such as the SYCL run-time, use this loader instead of the
 * system's. */
bool nf_doctor_other_loader(const char *loader, char path[4096])
{
    static const char *const variables[] = {"VIRTUAL_ENV", "CONDA_PREFIX"};
    for (size_t i = 0; i < sizeof variables / sizeof *variables; i++) {
        const char *folder = getenv(variables[i]);
        char own[PATH_MAX], used[PATH_MAX];
        if (!folder || !*folder || !find(folder, "lib/libOpenCL.so.1", path, 0)) continue;
        if (realpath(path, own) && realpath(loader, used) && strcmp(own, used) != 0) return true;
    }
    return false;
}
