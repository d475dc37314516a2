/* SPDX-License-Identifier: Apache-2.0 */
/*
 * stub.h - what a test sees of the stub driver: how it shall behave, and what reached it. A test finds it by
 * clGetExtensionFunctionAddressForPlatform(platform, "stubState"), so it is the very copy that the loader loaded.
 *
 * The devices of each of the two platforms differ on purpose; a context over one or several of them is a test's
 * setting.
 */
#ifndef STUB_H
#define STUB_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

enum stub_device {
    STUB_IL,        /* OpenCL 3.0, SPIR-V up to 1.4, no generic pointers */
    STUB_KHR,       /* OpenCL 1.2, SPIR-V by the KHR call only */
    STUB_SPIR,      /* OpenCL 1.2, bitcode only */
    STUB_GENERIC,   /* OpenCL 3.0, SPIR-V, generic pointers */
    STUB_GENERIC_2, /* OpenCL 2.1, SPIR-V: generic pointers without saying so */
    STUB_NOTHING,   /* OpenCL 1.2, no compiler that is worth the name */
    STUB_IL_2,      /* as STUB_IL, a second one */
    STUB_SPIR_3,    /* OpenCL 3.0, bitcode only; says no module-scope variables */
    STUB_FAST,      /* as STUB_IL, but says that it is Intel's for processors: its binaries are kept */
    STUB_GPU,       /* as STUB_GENERIC, a GPU */
    STUB_INTEL_GPU, /* as STUB_GPU, says that it is Intel's */
    STUB_SOURCE,    /* OpenCL 1.2, OpenCL C only */
    STUB_SOURCE_3,  /* OpenCL 3.0, OpenCL C only, with halves and images, without doubles */
    STUB_DEVICES
};

struct stub_bytes {
    size_t size;
    unsigned char data[65536];
};

enum { STUB_ARGUMENTS = 8 };

/* The last kernel that was launched. */
struct stub_launch {
    enum stub_device device;
    int from_bitcode; /* its program was made from bitcode */
    int from_source;  /* its program was made from OpenCL C */
    uint64_t values[STUB_ARGUMENTS];
};

struct stub_state {
    /* how to behave */
    atomic_int fail_create;    /* the error of the next clCreateProgramWith*, 0: none */
    atomic_int fail_build;     /* the error of every build, 0: none */
    atomic_int async;          /* call build callbacks from another thread, later */
    char names[1024];          /* the kernels of every program, between ';'; "" is "k" */
    atomic_int lose_callback;  /* fail without calling back */
    atomic_uint fail_devices;  /* builds for these fail: a bit for each kind */
    atomic_int arguments;      /* how many every kernel has; those of bitcode with moved variables have one more */
    atomic_int fail_argument;  /* the error of the next argument of a kernel made from bitcode, 0: none */
    atomic_int slow_binaries;  /* seconds until a binary is given */
    atomic_int fail_changed;   /* the error of building IL without generic pointers, 0: none */
    atomic_int slow_changed;   /* milliseconds that building such IL takes */
    atomic_int end_changed;    /* the status that the process ends with when such IL is built, 0: it does not */
    atomic_int refuse_changed; /* the error of creating a program of such IL, 0: none */
    _Atomic(int *) touch;      /* every build writes there */
    atomic_int told_binaries;  /* a binary tells the module that it was built from, by stub_sum() */
    atomic_int asleep;         /* counts the times that the driver took, or could have */
    /* what it says of itself, before anybody asks; kinds are bits, as in fail_devices */
    char platform[64];      /* the platforms' name, "" is "Stub" */
    char name[64];          /* the devices' name, "" is "stub device" */
    char driver[64];        /* what follows the number in the devices' version, "" is "stub" */
    atomic_uint remote;     /* these answer PoCL's query for the address of a server */
    atomic_uint gpus;       /* these say that they are GPUs, beside those that always do */
    atomic_uint system_svm; /* these have fine-grained system SVM */
    atomic_uint narrow;     /* these have addresses of 32 bits */
    atomic_uint old;        /* these compile OpenCL C 1.1 */
    atomic_int language;    /* 20: all compile OpenCL C 2.0 at most; 30: 3.0 with atomics that have orders and scopes */
    atomic_uint silent;     /* these have sub-groups of 8, 16 or 32, and refuse questions about those of a kernel */
    atomic_ullong global_size; /* of all; 0: the query is an error */
    /* what came */
    atomic_int foreign; /* handles that are not the driver's own: always a defect of the layer */
    atomic_int contexts, programs, kernels, buffers; /* alive */
    atomic_int created_il, created_khr, created_binary, created_source, built, compiled, linked, specs;
    atomic_int deepest;       /* how many brackets have been open at a time in a source */
    struct stub_bytes module; /* the last IL or binary */
    char text[65536];         /* the last source */
    char options[1024];       /* of the last build */
    struct stub_launch launch;
    atomic_int launches, exec_infos;
    uint32_t spec_id;
    uint64_t spec_value;
};

typedef struct stub_state *(*stub_state_fn)(void);

/* A sum by which modules differ (FNV-1a). */
static inline uint64_t stub_sum(const unsigned char *data, size_t size)
{
    uint64_t sum = 0xcbf29ce484222325u;
    for (size_t i = 0; i < size; i++)
        sum = (sum ^ data[i]) * 0x100000001b3u;
    return sum;
}

#endif
