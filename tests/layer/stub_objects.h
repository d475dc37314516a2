/* SPDX-License-Identifier: Apache-2.0 */
/*
 * stub_objects.h - declarations that the two files of the stub driver share: its objects, and functions that check
 * arguments and return answers.
 */
#ifndef STUB_OBJECTS_H
#define STUB_OBJECTS_H

#define CL_TARGET_OPENCL_VERSION 300
#define CL_USE_DEPRECATED_OPENCL_1_0_APIS
#define CL_USE_DEPRECATED_OPENCL_1_1_APIS
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#define CL_USE_DEPRECATED_OPENCL_2_0_APIS
#define CL_USE_DEPRECATED_OPENCL_2_1_APIS
#define CL_USE_DEPRECATED_OPENCL_2_2_APIS
#include <CL/cl.h>
#include <CL/cl_ext.h>
#include <CL/cl_icd.h>

#include "stub.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum magic {
    PLATFORM = 0x504c4154,
    DEVICE = 0x44455649,
    CONTEXT_MAGIC = 0x434f4e54,
    QUEUE = 0x51554555,
    BUFFER = 0x42554646,
    PROGRAM = 0x50524f47,
    KERNEL = 0x4b45524e,
    FORMER = 0x0ddba11
};
enum { PLATFORMS = 2 };

/* Every object begins with this structure, of which the loader reads the first word. */
struct object {
    const cl_icd_dispatch *dispatch;
    enum magic magic;
    atomic_int references;
};

struct _cl_platform_id {
    struct object object;
};

struct _cl_device_id {
    struct object object;
    enum stub_device kind;
    cl_platform_id platform;
};

struct _cl_context {
    struct object object;
    cl_uint count;
    cl_device_id devices[STUB_DEVICES];
};

struct _cl_command_queue {
    struct object object;
    cl_device_id device;
};

struct _cl_program {
    struct object object;
    cl_context context;
    atomic_bool is_built, is_compiled, has_failed;
    bool from_bitcode;
    cl_uint count; /* number of devices for which the bitcode is */
    cl_device_id devices[STUB_DEVICES];
    atomic_uint built_for, compiled_for; /* a bit for each kind of device */
    atomic_int kernels;                  /* alive */
    void *il;
    size_t il_size;
    char *source; /* NULL: the object has none */
};

struct argument {
    bool set;
    uint64_t value; /* the first bytes of the value, or the size of local memory */
};

struct _cl_kernel {
    struct object object;
    char name[512];
    cl_program program;
    struct argument arguments[STUB_ARGUMENTS];
};

/* stub_driver.c */
extern cl_icd_dispatch stub_dispatch;
extern struct stub_state stub_data;
extern pthread_mutex_t stub_lock;
/* stub_kernels.c: its part of the dispatch table, and of the functions that are looked up by name. */
extern const cl_icd_dispatch stub_kernel_calls;
void *stub_kernel_function(const char *name);

/* Returns true if `handle` is an object of this driver. A foreign handle is recorded; the function reads its second
 * word as a real driver would. */
static inline bool own(const void *handle, enum magic magic)
{
    const struct object *object = handle;
    if (!handle) return false;
    if (object->magic == magic) return true;
    atomic_fetch_add(&stub_data.foreign, 1);
    fprintf(stderr, "stub: a handle that is not mine\n");
    return false;
}

static inline void *make(size_t size, enum magic magic)
{
    struct object *object = calloc(1, size);
    object->dispatch = &stub_dispatch;
    object->magic = magic;
    atomic_init(&object->references, 1);
    return object;
}

static inline void set_error(cl_int *error, cl_int value)
{
    if (error) *error = value;
}

static inline cl_int give(const void *data, size_t data_size, size_t size, void *value, size_t *size_ret)
{
    if (value && size < data_size) return CL_INVALID_VALUE;
    if (value && data_size) memcpy(value, data, data_size);
    if (size_ret) *size_ret = data_size;
    return CL_SUCCESS;
}

static inline cl_int give_text(const char *text, size_t size, void *value, size_t *size_ret)
{
    return give(text, strlen(text) + 1, size, value, size_ret);
}

/* The name of the kernel that is added when variables are moved; it comes first. */
#define FILLER "nonflat_globals_"

/* Returns true if the program has that kernel: programs of bitcode, and texts that contain it. */
static inline bool has_filler(cl_program program)
{
    return program->from_bitcode || (program->source && strstr(program->source, FILLER));
}

static inline const char *kernel_names(cl_program program)
{
    const char *names = *stub_data.names ? stub_data.names : "k";
    bool skips = !has_filler(program) && strncmp(names, FILLER, strlen(FILLER)) == 0;
    return skips ? strchr(names, ';') + 1 : names;
}

static inline size_t count_kernels(cl_program program)
{
    size_t count = 1;
    for (const char *at = kernel_names(program); (at = strchr(at, ';')) != NULL; at++)
        count++;
    return count;
}

#endif
