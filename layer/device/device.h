/* SPDX-License-Identifier: Apache-2.0 */
/*
 * device.h - what devices can do, and what they say of it.
 *
 * In: a device's handle. Out: a record that is asked for once, and the driver's answers with what we supply added to
 * them. May use: base, translate. It asks
 * translate whether there is a translator.
 */
#ifndef NONFLAT_LAYER_DEVICE_H
#define NONFLAT_LAYER_DEVICE_H

#include "layer/base/base.h"
#include "layer/translate/translate.h"

/* ---- device.c: the record ---------------------------------------------------------------------------------------- */

enum nf_cl_delivery {
    NF_CL_DELIVER_NOTHING, /* the device takes neither SPIR-V nor bitcode */
    NF_CL_DELIVER_IL,      /* clCreateProgramWithIL */
    NF_CL_DELIVER_IL_KHR,  /* clCreateProgramWithILKHR */
    NF_CL_DELIVER_SPIR     /* clCreateProgramWithBinary of SPIR 1.2 bitcode */
};

struct nf_cl_device {
    cl_device_id id;
    cl_platform_id platform;
    cl_uint version; /* major * 100 + minor */
    cl_uint address_bits;
    enum nf_cl_delivery delivery;
    uint32_t il_version; /* newest SPIR-V version word taken, 0: none */
    bool generic;        /* it has generic pointers itself */
    struct nf_cl_device_config config;
    const char *family;       /* what the translator calls the driver: which built-in functions it has */
    bool source;              /* and between it and programs that come as source */
    struct nf_cl_facts facts; /* what these can ask; only with `source` */
    bool served;              /* we stand between it and programs made from IL */
    bool native;              /* it takes SPIR-V with generic pointers as it is: it can do without us */
    nf_mode by_default;       /* the mode where no setting says one */
    bool native_specs;        /* clSetProgramSpecializationConstant reaches the driver's own module */
    bool cache_binaries;      /* its builds are slow and its binaries load quickly */
    bool guarded;             /* its driver is known to end the process: builds are tried in another one first */
    nf_profile profile;       /* what it takes of SPIR-V; its lists live as long as the record */
    bool any_memory;          /* it has generic pointers, and says of each that it points to whatever is asked for */
    bool generic_waits;       /* and waits for events of copies through generic pointers alone */
    char *identity;    /* what it says of itself: the record is right again for a later loader where this is the same */
    unsigned epoch;    /* of the loader for which it was asked last */
    bool memory_ended; /* there was no room for an answer: what is recorded is not what the device has */
    struct nf_cl_device *chain; /* next in the table's bucket */
};

/* @return the record of `device`, alive until the layer is unloaded; NULL for a device that answers nothing. A
 * sub-device has its parent's record. */
const struct nf_cl_device *nf_cl_device_find(cl_device_id device);
/* The same, and whether there is none because memory has ended: what the device would want is not known then. */
const struct nf_cl_device *nf_cl_device_ask(cl_device_id device, bool *memory_ended);
/* @return the device that a sub-device is a part of, or NULL. */
cl_device_id nf_cl_device_parent(cl_device_id device);
/* Can what its driver does with a module be tried in another process? */
bool nf_cl_device_can_try(const struct nf_cl_device *device);
/* Forget every record. */
void nf_cl_device_forget(void);

/* ---- facts.c: what source can ask about a device ------------------------------------------------------------------ */

#define NF_CL_GENERIC_FEATURE "__opencl_c_generic_address_space"
#define NF_CL_VARIABLES_FEATURE "__opencl_c_program_scope_global_variables"

/* @return how many features of OpenCL C we supply to source on the device, beside those that it has: their names. */
size_t nf_cl_facts_supplied(const struct nf_cl_device *device, const char *names[2]);

/* Ask the driver for the facts of the record. @return false when it does not tell. */
bool nf_cl_facts_ask(struct nf_cl_device *device);
void nf_cl_facts_free(struct nf_cl_facts *facts);

/* ---- profile.c: what a device takes of SPIR-V -------------------------------------------------------------------- */

/* needs: everything else in the record; the device's OpenCL extensions. @return false when memory ends. */
bool nf_cl_ask_profile(struct nf_cl_device *device, const char *extensions);
void nf_cl_profile_free(const nf_profile *profile);
/* Can one list serve both? */
bool nf_cl_profile_same_lists(const nf_profile *a, const nf_profile *b);

/* ---- addresses.c: private and local addresses as integers --------------------------------------------------------- */

/* Set the form and the windows of the record's profile, and log them. needs: what the device takes, its settings and its
 * address bits; what it says of itself. */
void nf_cl_ask_addresses(struct nf_cl_device *device, const struct nf_cl_said *said, const char *name);

/* ---- info.c: clGetDeviceInfo ------------------------------------------------------------------------------------- */

cl_int CL_API_CALL nf_cl_get_device_info(cl_device_id device, cl_device_info name, size_t size, void *value,
                                         size_t *size_ret);

#endif
