/* SPDX-License-Identifier: Apache-2.0 */
/*
 * device.h - properties of devices, and the device queries that the layer answers.
 *
 * Takes a device handle. Gives a record of its properties, for which the driver is queried once, unless a later loader
 * gives the handle to another device, and the driver's answers to queries plus the layer's additions. May use: base,
 * translate. `translate` is used to determine whether a translator is installed.
 *
 * A device is "served" if the layer handles programs in IL for it, and "native" if it gets SPIR-V and has generic
 * pointers itself.
 */
#ifndef NONFLAT_LAYER_DEVICE_H
#define NONFLAT_LAYER_DEVICE_H

#include "layer/base/base.h"
#include "layer/translate/translate.h"

/* ---- device.c: the record of a device ---------------------------------------------------------------------------- */

enum nf_cl_delivery {
    NF_CL_DELIVER_NOTHING, /* the device has no compiler that the layer can use */
    NF_CL_DELIVER_IL,      /* clCreateProgramWithIL */
    NF_CL_DELIVER_IL_KHR,  /* clCreateProgramWithILKHR */
    NF_CL_DELIVER_SPIR,    /* clCreateProgramWithBinary of SPIR 1.2 bitcode */
    NF_CL_DELIVER_SOURCE   /* clCreateProgramWithSource of OpenCL C */
};

/* Returns true if the driver gets SPIR-V. Otherwise the layer adds IL support: it then reports errors in modules, links
 * them, and applies the values of specialization constants. */
static inline bool nf_cl_takes_il(enum nf_cl_delivery delivery)
{
    return delivery == NF_CL_DELIVER_IL || delivery == NF_CL_DELIVER_IL_KHR;
}

struct nf_cl_device {
    cl_device_id id;
    cl_platform_id platform;
    cl_uint version;             /* major * 100 + minor */
    char builder[NF_CL_BUILDER]; /* platform name of the driver that builds for it; see nf_cl_builder() */
    bool elsewhere;              /* the device belongs to another machine or process */
    cl_uint address_bits;
    enum nf_cl_delivery delivery;
    uint32_t il_version; /* newest accepted version as in the SPIR-V header, 0: none */
    uint32_t c_version;  /* version of OpenCL C that its compiler takes, as in nf_options; 0 unless it gets source */
    uint32_t c_features; /* NF_C_*: features of its compiler; 0 unless it gets source */
    bool generic;        /* has generic pointers natively */
    struct nf_cl_device_config config;
    const char *family;       /* selects the translator's table of the driver's built-in functions */
    bool source;              /* the layer compiles programs in OpenCL C for it */
    struct nf_cl_facts facts; /* the properties that source can test; only if `source` is set */
    bool served;              /* the layer handles each program in IL for it; else only those that create.c selects */
    bool native;              /* accepts SPIR-V with generic pointers: the layer is optional */
    nf_mode by_default;       /* the mode if no setting gives one */
    bool native_specs;        /* the driver supports clSetProgramSpecializationConstant */
    bool cache_binaries; /* the layer caches the driver's binaries: by a setting, or as a load is faster than a build */
    bool guarded;        /* builds are first tried in another process: by a setting, or as the driver may abort */
    bool launch_tried;   /* launches are tried there, too, because the driver may compile only then */
    nf_profile profile;  /* the SPIR-V that the device accepts; the record owns the lists */
    uint32_t faults[NF_CL_FAULTS]; /* faults of its driver, to which the profile points */
    bool wrong_memory_queries;     /* its explicit casts from generic succeed for any memory */
    bool waits_on_generic_only;    /* waits for events of async copies only through generic pointers */
    char *identity;                /* the driver's description of the device; the record is reused if it is equal */
    unsigned epoch;                /* nf_cl_epoch() when the device was last identified */
    bool out_of_memory;            /* host memory was exhausted: the record is incomplete */
    struct nf_cl_device *chain;    /* next record in the bucket of the hash table */
};

/* Returns the record of `device`, valid until nf_cl_device_forget(); NULL if `device` is NULL, if the driver does not
 * report the version of OpenCL, or if host memory is exhausted. A sub-device has the record of its root device. */
const struct nf_cl_device *nf_cl_device_find(cl_device_id device);
/* As nf_cl_device_find(). Sets `*out_of_memory` to whether there is no record because host memory is exhausted, so that
 * the properties of the device are unknown. */
const struct nf_cl_device *nf_cl_device_query(cl_device_id device, bool *out_of_memory);
/* Returns the parent of a sub-device, or NULL. */
cl_device_id nf_cl_device_parent(cl_device_id device);
/* Returns true if builds for the device can be tried in a separate process. */
bool nf_cl_device_can_try(const struct nf_cl_device *device);
/* Frees all records. */
void nf_cl_device_forget(void);

/* ---- facts.c: properties that source can test -------------------------------------------------------------------- */

#define NF_CL_GENERIC_FEATURE "__opencl_c_generic_address_space"
#define NF_CL_VARIABLES_FEATURE "__opencl_c_program_scope_global_variables"

/* Returns the number of OpenCL C features that the layer adds to the device's features, and sets `names` to their
 * names, which are static. */
size_t nf_cl_facts_supplied(const struct nf_cl_device *device, const char *names[2]);

/* Fills device->facts with the results of queries. Returns false if the extensions or the features cannot be queried,
 * or host memory is exhausted. */
bool nf_cl_facts_query(struct nf_cl_device *device);
/* Frees the strings of the facts. */
void nf_cl_facts_free(struct nf_cl_facts *facts);

/* ---- compiler.c: features of the OpenCL C compiler --------------------------------------------------------------- */

/* Returns true if the device has a compiler of OpenCL C 1.2 or newer. */
bool nf_cl_has_compiler(struct nf_cl_device *device);
/* Sets c_version and c_features of the record for that compiler. */
void nf_cl_query_compiler(struct nf_cl_device *device, const char *extensions);

/* ---- profile.c: the SPIR-V that a device accepts ----------------------------------------------------------------- */

/* Fills the profile of the record, except for addresses and faults. needs: the members before it, and the device's list
 * of OpenCL extensions. Returns false if host memory is exhausted. */
bool nf_cl_query_profile(struct nf_cl_device *device, const char *extensions);
/* Frees the lists of the profile. */
void nf_cl_profile_free(const nf_profile *profile);
/* Returns true if both profiles list the same extensions and capabilities. */
bool nf_cl_profile_same_lists(const nf_profile *a, const nf_profile *b);

/* ---- addresses.c: private and local addresses as integers -------------------------------------------------------- */

/* Sets the address form and the windows of the record's profile, and logs them, unless the device never gets a
 * specialized module. needs: delivery, settings and address bits in the record, and the names that the device
 * reports. */
void nf_cl_query_addresses(struct nf_cl_device *device, const struct nf_cl_driver_names *names, const char *name);

/* ---- info.c: clGetDeviceInfo ------------------------------------------------------------------------------------- */

cl_int CL_API_CALL nf_cl_get_device_info(cl_device_id device, cl_device_info name, size_t size, void *value,
                                         size_t *size_ret);

#endif
