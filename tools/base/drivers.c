/* SPDX-License-Identifier: Apache-2.0 */
/*
 * drivers.c - determines whether a program finds an OpenCL driver, and which driver to install if the program finds
 * none.
 *
 * needs: the .icd files that loaders read, /sys for the GPUs, and apt-get.  gives: an enum nf_drivers, and advice as a
 * sentence. No driver is loaded, so this takes no noticeable time. The hard case: an environment of
 * Python or conda may have drivers of its own. find_prefix() finds them by the path of the program; VIRTUAL_ENV and
 * CONDA_PREFIX name active environments.
 */
#define _GNU_SOURCE
#include <glob.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tools/base/base.h"

/* A kind of GPU, identified by its driver in the Linux kernel, and the package with its OpenCL driver. */
static const struct gpu {
    const char *kernel_driver, *owner, *package;
    const char *rusticl; /* the value of RUSTICL_ENABLE, or NULL */
} gpus[] = {{"amdgpu", "AMD's GPU", "mesa-opencl-icd", "radeonsi"},
            {"radeon", "AMD's GPU", "mesa-opencl-icd", "radeonsi"},
            {"i915", "Intel's GPU", "intel-opencl-icd", NULL},
            {"xe", "Intel's GPU", "intel-opencl-icd", NULL},
            {"nvidia", "NVIDIA's GPU", "nvidia-opencl-icd", NULL},
            {"nouveau", "NVIDIA's GPU", "mesa-opencl-icd", "nouveau"},
            {"msm", "Qualcomm's GPU", "mesa-opencl-icd", "freedreno"},
            {"panfrost", "the Mali GPU", "mesa-opencl-icd", "panfrost"},
            {"panthor", "the Mali GPU", "mesa-opencl-icd", "panfrost"},
            {"asahi", "Apple's GPU", "mesa-opencl-icd", "asahi"}};

/* Returns the number of .icd files in the folder, and adds to `*others` the number of those whose names do not contain
 * "rusticl". */
static size_t count_drivers(const char *folder, size_t *others)
{
    char pattern[PATH_MAX];
    glob_t found;
    snprintf(pattern, sizeof pattern, "%s/*.icd", folder);
    if (glob(pattern, 0, NULL, &found) != 0) return 0;
    size_t count = found.gl_pathc;
    for (size_t i = 0; i < count; i++)
        *others += strstr(found.gl_pathv[i] + strlen(folder), "rusticl") == NULL;
    globfree(&found);
    return count;
}

/* As count_drivers(), for the environment of Python or conda whose folder is `prefix`. */
static size_t count_in_environment(const char *prefix, size_t *others)
{
    char folder[PATH_MAX];
    if (!prefix || !*prefix) return 0;
    snprintf(folder, sizeof folder, "%s/etc/OpenCL/vendors", prefix);
    return count_drivers(folder, others);
}

/* Sets `prefix` to the parent of the program's folder, which is the folder in `program`, or the first folder in PATH
 * with an executable entry of that name; to "" if there is none. A link is not followed: the interpreter of an
 * environment is a link to the system's interpreter. */
static void find_prefix(const char *program, char prefix[PATH_MAX])
{
    const char *path = getenv("PATH"), *slash = strrchr(program, '/');
    *prefix = '\0';
    if (slash) {
        snprintf(prefix, PATH_MAX, "%.*s/..", (int)(slash - program), program);
        return;
    }
    while (path && *path && !*prefix) {
        char whole[PATH_MAX];
        int length = (int)strcspn(path, ":");
        snprintf(whole, sizeof whole, "%.*s/%s", length, path, program);
        if (access(whole, X_OK) == 0) snprintf(prefix, PATH_MAX, "%.*s/..", length, path);
        path += length + (path[length] == ':');
    }
}

enum nf_drivers nf_find_drivers(const char *root, const char *program)
{
    const char *vendors = getenv("OCL_ICD_VENDORS"), *files = getenv("OCL_ICD_FILENAMES");
    const char *enabled = getenv("RUSTICL_ENABLE");
    char folder[PATH_MAX], prefix[PATH_MAX];
    size_t others = 0, count;
    struct stat is;
    if (files && *files) return NF_DRIVERS_SOME;
    if (vendors && *vendors) {
        if (stat(vendors, &is) != 0 || !S_ISDIR(is.st_mode))
            return NF_DRIVERS_SOME; /* a file, or missing: loaders differ in how they treat this */
        count = count_drivers(vendors, &others);
    } else {
        snprintf(folder, sizeof folder, "%s/etc/OpenCL/vendors", root);
        find_prefix(program, prefix);
        count = count_drivers(folder, &others) + count_in_environment(prefix, &others) +
                count_in_environment(getenv("VIRTUAL_ENV"), &others) +
                count_in_environment(getenv("CONDA_PREFIX"), &others);
    }
    if (count == 0) return NF_DRIVERS_NONE;
    return others == 0 && !(enabled && *enabled) ? NF_DRIVERS_RUSTICL_OFF : NF_DRIVERS_SOME;
}

/* Returns the kind of the first GPU whose kernel driver the table lists; NULL: there is no such GPU. */
static const struct gpu *find_gpu(const char *root)
{
    char pattern[PATH_MAX], target[PATH_MAX];
    const struct gpu *kind = NULL;
    glob_t found;
    snprintf(pattern, sizeof pattern, "%s/sys/class/drm/renderD*/device/driver", root);
    if (glob(pattern, 0, NULL, &found) != 0) return NULL;
    for (size_t i = 0; i < found.gl_pathc && !kind; i++) {
        ssize_t length = readlink(found.gl_pathv[i], target, sizeof target - 1);
        if (length < 0) continue;
        target[length] = '\0';
        const char *slash = strrchr(target, '/');
        for (size_t k = 0; k < sizeof gpus / sizeof *gpus && !kind; k++)
            if (strcmp(gpus[k].kernel_driver, slash ? slash + 1 : target) == 0) kind = &gpus[k];
    }
    globfree(&found);
    return kind;
}

const char *nf_describe_drivers(const char *root, enum nf_drivers drivers, char text[512])
{
    const struct gpu *gpu = find_gpu(root);
    char apt[PATH_MAX], of_gpu[256] = "";
    snprintf(apt, sizeof apt, "%s/usr/bin/apt-get", root);
    bool is_debian = access(apt, X_OK) == 0;
    if (drivers == NF_DRIVERS_RUSTICL_OFF) {
        const char *own = gpu ? gpu->rusticl : NULL;
        snprintf(text, 512,
                 "Mesa's rusticl is the only driver, and it may show no device unless a variable is set: %s%s%s",
                 own ? "RUSTICL_ENABLE=" : "", own ? own : "",
                 own ? ", or for the processor RUSTICL_ENABLE=llvmpipe" : "for the processor RUSTICL_ENABLE=llvmpipe");
        return text;
    }
    if (gpu)
        snprintf(of_gpu, sizeof of_gpu, "; for %s %s%s%s", gpu->owner, gpu->package,
                 gpu->rusticl ? ", and then RUSTICL_ENABLE=" : "", gpu->rusticl ? gpu->rusticl : "");
    snprintf(text, 512, "install a driver%s: for the processor pocl-opencl-icd%s",
             is_debian ? " with apt" : " (names of Debian's packages)", of_gpu);
    return text;
}
