/* SPDX-License-Identifier: Apache-2.0 */
/*
 * drivers.c - finds the drivers with which a process that lists devices crashes or hangs.
 *
 * needs: the .icd files that the loader reads, in the folder that OCL_ICD_VENDORS or the system names. gives: the
 * drivers with which a child crashes or hangs when it lists the devices of that driver alone. The hard case: no driver
 * crashes alone, because the crash needs two drivers that are incompatible with each other. Then the list is empty, as
 * it is if no driver could be tried, and doctor.c reports one fault of all drivers together.
 */
#define _GNU_SOURCE
#include <glob.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/doctor/doctor.h"

/* Returns how a process ends that lists the devices of this driver alone, in the form of nf_doctor_list.end_signal; 0
 * also if that cannot be tried. */
static int signal_of(const char *icd, const char *layers, const char *folder)
{
    struct nf_doctor_list *list = calloc(1, sizeof *list);
    char link[PATH_MAX], target[PATH_MAX];
    int end_signal = 0;
    snprintf(link, sizeof link, "%s/driver.icd", folder);
    if (list && realpath(icd, target) && symlink(target, link) == 0) {
        nf_doctor_list_devices(layers, list);
        end_signal = list->end_signal;
        unlink(link);
    }
    free(list);
    return end_signal;
}

size_t nf_doctor_find_crashing(const char *layers, struct nf_doctor_death *deaths, size_t most)
{
    const char *given = getenv("OCL_ICD_VENDORS");
    char *vendors = strdup(given && *given ? given : "/etc/OpenCL/vendors"), pattern[PATH_MAX];
    char folder[] = "/tmp/nonflat-doctor-XXXXXX";
    bool is_file = vendors && strlen(vendors) > 4 && strcmp(vendors + strlen(vendors) - 4, ".icd") == 0;
    size_t count = 0;
    glob_t found;
    int length = snprintf(pattern, sizeof pattern, "%s%s", vendors ? vendors : "", is_file ? "" : "/*.icd");
    if (vendors && length > 0 && (size_t)length < sizeof pattern && mkdtemp(folder)) {
        setenv("OCL_ICD_VENDORS", folder, 1);
        if (glob(pattern, 0, NULL, &found) == 0) {
            for (size_t i = 0; i < found.gl_pathc && count < most; i++) {
                deaths[count].end_signal = signal_of(found.gl_pathv[i], layers, folder);
                snprintf(deaths[count].icd, sizeof deaths[count].icd, "%s", found.gl_pathv[i]);
                count += deaths[count].end_signal != 0;
            }
            globfree(&found);
        }
        rmdir(folder);
        if (given)
            setenv("OCL_ICD_VENDORS", vendors, 1);
        else
            unsetenv("OCL_ICD_VENDORS");
    }
    free(vendors);
    return count;
}
