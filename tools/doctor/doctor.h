/* SPDX-License-Identifier: Apache-2.0 */
/*
 * doctor.h - `nonflat doctor`.
 *
 * In: this machine's loader, drivers, caches and settings. Out: what there is, what works, and what to fix. The drivers
 * are asked in child processes. May use: base, layer/base, public.
 */
#ifndef NF_TOOLS_DOCTOR_H
#define NF_TOOLS_DOCTOR_H

#include <stdint.h>

#include "tools/base/base.h"

/* ---- probe.c ----------------------------------------------------------------------------------------------------- */

enum { NF_MOST_DEVICES = 64, NF_DOCTOR_TEXT = 256 };

/* What a device says of itself; sent through a pipe as it is. */
struct nf_doctor_device {
    uint32_t platform_index, device_index;
    uint32_t version; /* of OpenCL: 301 is 3.1; 0 when it cannot be read */
    bool has_generic, takes_spir;
    uint64_t type; /* cl_device_type */
    int il_by;     /* 0: no IL, 1: clCreateProgramWithIL, 2: clCreateProgramWithILKHR */
    bool no_writable_globals;
    bool has_shared_memory; /* cl_intel_unified_shared_memory */
    char platform[NF_DOCTOR_TEXT], name[NF_DOCTOR_TEXT], vendor[NF_DOCTOR_TEXT];
    char driver[NF_DOCTOR_TEXT], il[NF_DOCTOR_TEXT];
    char addresses[NF_DOCTOR_TEXT]; /* what private and local ones look like as integers, and why */
};

struct nf_doctor_list {
    bool found_loader, layer_loaded;
    int platforms_error; /* of clGetPlatformIDs */
    char loader[NF_DOCTOR_TEXT], loader_version[NF_DOCTOR_TEXT];
    struct nf_doctor_device devices[NF_MOST_DEVICES];
    size_t count;
    int died_of; /* the signal that ended the child, 0 for none; -1: it took too long */
};

/* How far the probe kernel got, in order. */
enum nf_step {
    NF_STEP_NOTHING,
    NF_STEP_CONTEXT,
    NF_STEP_CREATE,
    NF_STEP_BUILD,
    NF_STEP_KERNEL,
    NF_STEP_RUN,
    NF_STEP_COMPARE,
    NF_STEP_RIGHT
};

struct nf_doctor_run {
    int step, error; /* the step that was begun last, and the OpenCL error that it ended with */
    int died_of;
    double build_ms;          /* what creating and building the program took; 0: it was not built */
    char log[NF_DOCTOR_TEXT]; /* the first line of the build log, when building failed */
};

/* Each starts a child with OPENCL_LAYERS set to `layers` (NULL: unset), asks there, and waits for it. */
void nf_doctor_list_devices(const char *layers, struct nf_doctor_list *list);
void nf_doctor_run_probe(const char *layers, const struct nf_doctor_device *device, struct nf_doctor_run *run);

/* ---- drivers.c --------------------------------------------------------------------------------------------------- */

struct nf_doctor_death {
    char icd[4096]; /* the driver's file */
    int died_of;    /* as in a list */
};

/* The drivers that end the process when devices are listed, each asked by itself. @return how many, at most `most`. */
size_t nf_doctor_find_dying(const char *layers, struct nf_doctor_death *deaths, size_t most);

/* ---- caches.c ---------------------------------------------------------------------------------------------------- */

struct nf_doctor_cache {
    char path[4096];
    bool exists, is_writable; /* when it does not exist: the nearest folder above it is */
    size_t files, old_files;  /* old: changed before `than` */
    uint64_t bytes;
};

/* Nonflat's own at `path`; NULL: it is off. */
void nf_doctor_look_own_cache(struct nf_doctor_cache *cache, const char *path);
/* The SYCL runtime's persistent one; old files are those from before `than`, a time in seconds. */
void nf_doctor_look_sycl_cache(struct nf_doctor_cache *cache, int64_t than);

/* ---- surroundings.c ---------------------------------------------------------------------------------------------- */

/* Mesa's rusticl is installed, and none of its devices is among these. */
bool nf_doctor_rusticl_is_off(const struct nf_doctor_list *list);
/* A GPU's device file that this user may not open. */
bool nf_doctor_closed_node(char path[4096]);
/* This virtual environment has a loader of its own, and `loader` is another. */
bool nf_doctor_other_loader(const char *loader, char path[4096]);

/* ---- doctor.c ---------------------------------------------------------------------------------------------------- */

int nf_command_doctor(const struct nf_arguments *arguments);

#endif
