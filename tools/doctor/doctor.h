/* SPDX-License-Identifier: Apache-2.0 */
/*
 * doctor.h - `nonflat doctor`.
 *
 * Takes the loader, drivers, caches and settings of this machine. Prints a description of these, the results of tests,
 * and the problems to fix. Drivers are called in child processes only. May use: base, layer/base, public.
 */
#ifndef NF_TOOLS_DOCTOR_H
#define NF_TOOLS_DOCTOR_H

#include <stdint.h>

#include "tools/base/base.h"

/* ---- probe.c ----------------------------------------------------------------------------------------------------- */

enum { NF_MOST_DEVICES = 64, NF_DOCTOR_TEXT = 256 };

/* The properties of a device, which the child sends through a pipe as one record. */
struct nf_doctor_device {
    uint32_t platform_index, device_index;
    uint32_t version; /* of OpenCL: 301 is 3.1; 0: not readable */
    bool has_generic, takes_spir, takes_source;
    uint64_t type; /* cl_device_type */
    int il_by;     /* 0: no IL, 1: clCreateProgramWithIL, 2: clCreateProgramWithILKHR */
    bool no_writable_globals;
    bool has_shared_memory; /* the device lists cl_intel_unified_shared_memory */
    bool elsewhere;         /* in another machine or process */
    char platform[NF_DOCTOR_TEXT], name[NF_DOCTOR_TEXT], vendor[NF_DOCTOR_TEXT];
    char builder[NF_DOCTOR_TEXT]; /* the platform name of the driver that builds for it: nf_cl_builder() */
    char driver[NF_DOCTOR_TEXT], il[NF_DOCTOR_TEXT];
    char addresses[NF_DOCTOR_TEXT]; /* the form of private and local addresses as integers, and the reason */
};

struct nf_doctor_list {
    bool found_loader, layer_loaded;
    int platforms_error; /* result of clGetPlatformIDs */
    char loader[NF_DOCTOR_TEXT], loader_version[NF_DOCTOR_TEXT];
    struct nf_doctor_device devices[NF_MOST_DEVICES];
    size_t count;
    int end_signal; /* signal that ended the child; 0: none; -1: the child took too long */
};

/* The steps of the probe, in order. */
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
    int step, error; /* the last step that was begun, and its OpenCL error */
    int end_signal;
    bool idle;                /* the launch succeeded, and no work-item stored a result */
    double build_ms;          /* time to create and build the program; 0: not built */
    char log[NF_DOCTOR_TEXT]; /* first line of the build log, if the build failed */
};

/* Each runs its queries in a child with OPENCL_LAYERS set to `layers` (NULL: unset), and waits for the answers, for at
 * most 90 seconds; then it ends the child. The list has at most NF_MOST_DEVICES devices. If no child can be started,
 * the result is zero, as if there were no loader. */
void nf_doctor_list_devices(const char *layers, struct nf_doctor_list *list);
void nf_doctor_run_probe(const char *layers, const struct nf_doctor_device *device, struct nf_doctor_run *run);

/* ---- drivers.c --------------------------------------------------------------------------------------------------- */

struct nf_doctor_death {
    char icd[4096]; /* the driver's .icd file */
    int end_signal; /* as in nf_doctor_list */
};

/* Finds the drivers with which a process that lists devices crashes or hangs, by running each driver alone. Fills
 * `deaths`, and returns the number of such drivers, at most `most`; a driver that cannot be tried, for lack of memory
 * or of a temporary folder, is not counted. */
size_t nf_doctor_find_crashing(const char *layers, struct nf_doctor_death *deaths, size_t most);

/* ---- caches.c ---------------------------------------------------------------------------------------------------- */

struct nf_doctor_cache {
    char path[4096];          /* "": there is no cache */
    bool exists, is_writable; /* writable, if the folder does not exist: it can be created */
    size_t files, old_files;  /* old: modified before the time that the caller gave */
    uint64_t bytes;
};

/* Examines the layer's cache at `path`, which is NULL if the cache is off. */
void nf_doctor_examine_layer_cache(struct nf_doctor_cache *cache, const char *path);
/* Examines the persistent cache of the SYCL run-time; files that were modified before `than`, in seconds since 1970,
 * are old. */
void nf_doctor_examine_sycl_cache(struct nf_doctor_cache *cache, int64_t than);

/* ---- surroundings.c ---------------------------------------------------------------------------------------------- */

/* Returns true if the folder of .icd files has one for Mesa's rusticl, but none of the listed devices is rusticl's. */
bool nf_doctor_rusticl_is_off(const struct nf_doctor_list *list);
/* Returns true, and sets `path`, if there is a GPU device file (/dev/dri/renderD*) that this user may not open for
 * reading and writing. */
bool nf_doctor_inaccessible_device_file(char path[4096]);
/* Returns true, and sets `path` to that loader, if an active environment (VIRTUAL_ENV, CONDA_PREFIX) has a loader other
 * than `loader`. */
bool nf_doctor_other_loader(const char *loader, char path[4096]);

/* ---- doctor.c ---------------------------------------------------------------------------------------------------- */

int nf_command_doctor(const struct nf_arguments *arguments);

#endif
