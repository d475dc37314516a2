/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cache.h - `nonflat cache`.
 *
 * Takes the layer's cache on disk, files with modules to fill it, archives of caches, and descriptions of devices.
 * Prints lists of entries and the results of checks; adds entries to the cache or removes them; writes archives and
 * descriptions. May use: base, layer/store, modules.
 */
#ifndef NF_TOOLS_CACHE_H
#define NF_TOOLS_CACHE_H

#include "layer/store/store.h"
#include "tools/base/base.h"

/* An open cache folder and its entries. */
struct nf_cache_folder {
    const char *path;
    int handle;                  /* -1: the folder does not exist yet */
    bool others;                 /* the folder belongs to another user, and is only read */
    struct nf_cl_found *entries; /* least recently used first */
    size_t count;
    uint64_t total;
};

/* ---- entry.c ----------------------------------------------------------------------------------------------------- */

/* Reads the whole file of an entry; the caller frees `entry->data` in any case. Returns false if the file is not
 * trusted, larger than the cache may be, or cannot be read, or memory is exhausted. It does not check the contents. */
bool nf_cache_read_entry(const struct nf_cache_folder *f, const struct nf_cl_found *found, struct nf_cl_bytes *entry);

/* ---- archive.c --------------------------------------------------------------------------------------------------- */

/* Run `nonflat cache export FILE` and `import FILE`. Like every verb, each takes the folder and the arguments, and
 * returns the exit status. */
int nf_cache_export(struct nf_cache_folder *f, const struct nf_arguments *arguments);
int nf_cache_import(struct nf_cache_folder *f, const struct nf_arguments *arguments);

/* ---- opencl.c ---------------------------------------------------------------------------------------------------- */

enum { NF_CACHE_NAME_SIZE = 128, NF_CACHE_ANSWER_MOST = 32768 };

/* The OpenCL functions that the command calls. */
struct nf_cache_opencl {
    __typeof__(clGetPlatformIDs) *get_platforms;
    __typeof__(clGetDeviceIDs) *get_devices;
    __typeof__(clGetPlatformInfo) *platform_info;
    __typeof__(clGetDeviceInfo) *device_info;
    __typeof__(clCreateContext) *create_context;
    __typeof__(clCreateProgramWithIL) *create;
    __typeof__(clBuildProgram) *build;
    __typeof__(clGetProgramBuildInfo) *build_info;
    __typeof__(clReleaseProgram) *release;
};

/* Looks up the functions of the OpenCL loader, which also loads layers. Returns false if there is no loader, or it
 * lacks a function. */
bool nf_cache_open_loader(struct nf_cache_opencl *cl);
/* Loads the layer in the file `path` over the table `driver`, and looks up its functions. Returns false if the layer
 * cannot be loaded, or rejects the table. */
bool nf_cache_open_layer(struct nf_cache_opencl *cl, const char *path, const cl_icd_dispatch *driver);
/* Returns the device with the index `number` among the devices whose names match the pattern, and sets `name`; NULL if
 * there are not so many. Searches the first 64 devices of each of the first 16 platforms. */
cl_device_id nf_cache_find_device(const struct nf_cache_opencl *cl, const char *pattern, size_t number,
                                  char name[NF_CACHE_NAME_SIZE]);

/* ---- describe.c -------------------------------------------------------------------------------------------------- */

/* Runs `nonflat cache describe FILE`. */
int nf_cache_describe(struct nf_cache_folder *f, const struct nf_arguments *arguments);

/* ---- described.c ------------------------------------------------------------------------------------------------- */

/* Returns the table of a driver with the device that the file `path` describes, or NULL after printing an error. The
 * function may be called once. */
const cl_icd_dispatch *nf_cache_described(const char *path);

/* ---- warm.c ------------------------------------------------------------------------------------------------------ */

/* Runs `nonflat cache warm FILE...`. The layers in its child processes open the folder themselves. */
int nf_cache_warm(struct nf_cache_folder *f, const struct nf_arguments *arguments);

/* ---- cache.c ----------------------------------------------------------------------------------------------------- */

int nf_command_cache(const struct nf_arguments *arguments);

#endif
