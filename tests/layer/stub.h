/* SPDX-License-Identifier: Apache-2.0 */
/*
 * stub.h - the interface between tests and the stub driver: settings of its behavior, and a record of the calls that
 * reached it. A test gets it by clGetExtensionFunctionAddressForPlatform(platform, "stubState"), so that it
 * belongs to the copy of the driver that the loader has loaded.
 *
 * The devices of each of the two platforms have different capabilities; a test creates a context over one or several of
 * them.
 */
#ifndef STUB_H
#define STUB_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

enum stub_device {
    STUB_IL,        /* OpenCL 3.0, SPIR-V up to 1.4, no generic pointers */
    STUB_KHR,       /* OpenCL 1.2, SPIR-V by the function of the KHR extension only */
    STUB_SPIR,      /* OpenCL 1.2, bitcode only */
    STUB_GENERIC,   /* OpenCL 3.0, SPIR-V, generic pointers */
    STUB_GENERIC_2, /* OpenCL 2.1, SPIR-V: accepts generic pointers without reporting them */
    STUB_NOTHING,   /* OpenCL 1.2, without a usable compiler */
    STUB_IL_2,      /* a second device like STUB_IL */
    STUB_SPIR_3,    /* OpenCL 3.0, bitcode only; reports no program-scope variables */
    STUB_FAST,      /* like STUB_IL, but reports to be Intel's CPU device: its binaries are cached */
    STUB_GPU,       /* like STUB_GENERIC, but a GPU */
    STUB_INTEL_GPU, /* like STUB_GPU, but reports to be Intel's */
    STUB_SOURCE,    /* OpenCL 1.2, OpenCL C only */
    STUB_SOURCE_3,  /* OpenCL 3.0, OpenCL C only, with halves and images, without doubles */
    STUB_DEVICES
};

struct stub_bytes {
    size_t size;
    unsigned char data[65536];
};

enum { STUB_ARGUMENTS = 8 };

/* The last kernel launch. */
struct stub_launch {
    enum stub_device device;
    int from_bitcode; /* the kernel's program was made from bitcode */
    int from_source;  /* the kernel's program was made from OpenCL C */
    uint64_t values[STUB_ARGUMENTS];
};

struct stub_state {
    /* Settings of the behavior of the driver. */
    atomic_int fail_create;    /* the error of the next clCreateProgramWith*, 0: none */
    atomic_int fail_build;     /* the error of every build, 0: none */
    atomic_int async;          /* build callbacks are called later, from another thread */
    char names[1024];          /* names of the kernels of every program, separated by ';'; "": one kernel "k" */
    atomic_int lose_callback;  /* builds fail without calling back */
    atomic_uint fail_devices;  /* builds for these devices fail: a bit for each kind */
    atomic_int arguments;      /* number of arguments of every kernel; kernels of bitcode with moved variables have one
                                * more */
    atomic_int fail_argument;  /* the error of the next clSetKernelArg for a kernel made from bitcode, 0: none */
    atomic_int slow_binaries;  /* seconds that a query for a binary takes */
    atomic_int fail_changed;   /* the error of building IL without generic pointers, 0: none */
    atomic_int slow_changed;   /* milliseconds that building such IL takes */
    atomic_int end_changed;    /* the status that the process ends with when such IL is built, 0: it does not */
    atomic_int refuse_changed; /* the error of creating a program of such IL, 0: none */
    _Atomic(int *) touch;      /* every build writes to this address */
    atomic_int strict_links;   /* a link with -cl-finite-math-only is refused, as PoCL does */
    atomic_int told_binaries;  /* a binary contains the stub_sum() of the module from which it was built */
    atomic_int asleep;         /* number of builds of such IL, and of queries for binaries, which may take long */
    /* The answers to queries, to be set before the first query. A mask of kinds has a bit for each kind, as in
     * fail_devices. */
    char platform[64];      /* the platforms' name; "": "Stub" */
    char name[64];          /* the devices' name; "": "stub device" */
    char driver[64];        /* the text after the number in the devices' version; "": "stub" */
    atomic_uint remote;     /* kinds that answer PoCL's query for the address of a server */
    atomic_uint gpus;       /* kinds that report the type GPU, in addition to the kinds that always do */
    atomic_uint system_svm; /* kinds with fine-grained system SVM */
    atomic_uint narrow;     /* kinds with addresses of 32 bits */
    atomic_uint old;        /* kinds that compile OpenCL C 1.1 */
    atomic_int language;    /* 20: all compile OpenCL C 2.0 at most; 30: 3.0 with atomics that have orders and scopes */
    atomic_uint unknown;    /* kinds that refuse the query for their version */
    atomic_uint silent;     /* kinds with sub-groups of 8, 16 or 32 that refuse queries about a kernel's sub-groups */
    atomic_uint eights;     /* kinds with sub-groups of 8 only */
    atomic_ullong global_size; /* of all; 0: the query is an error */
    /* Records of the calls that reached the driver. */
    atomic_int foreign;                              /* number of foreign handles: always a defect of the layer */
    atomic_int contexts, programs, kernels, buffers; /* live objects */
    atomic_int created_il, created_khr, created_binary, created_source, built, compiled, linked, specs;
    atomic_int deepest;       /* maximal nesting depth of brackets in a source */
    struct stub_bytes module; /* the last IL or binary */
    char text[65536];         /* the last source */
    char options[1024];       /* options of the last build */
    struct stub_launch launch;
    atomic_int launches, exec_infos;
    uint32_t spec_id;
    uint64_t spec_value;
};

typedef struct stub_state *(*stub_state_fn)(void);

/* Returns a checksum by which modules differ (FNV-1a). */
static inline uint64_t stub_sum(const unsigned char *data, size_t size)
{
    uint64_t sum = 0xcbf29ce484222325u;
    for (size_t i = 0; i < size; i++)
        sum = (sum ^ data[i]) * 0x100000001b3u;
    return sum;
}

#endif
