/* SPDX-License-Identifier: Apache-2.0 */
/*
 * usm.h - implements cl_intel_unified_shared_memory and cl_khr_unified_svm on devices that have only shared virtual
 * memory (SVM), the Intel extension on devices that have only cl_khr_unified_svm, and its device allocations on devices
 * without SVM whose buffers have addresses (addresses.c).
 *
 * Takes the extensions' calls, and the core calls that can receive their pointers. Gives SVM calls to the driver. A
 * call is passed through unchanged if its device, context, queue or kernel is not served. May use: base. This folder is
 * a library of its own, libnonflat_usm.so, and works with or without the library that infers address spaces.
 *
 *     clSharedMemAllocINTEL,         ->  clSVMAlloc, or a slot of a slab that clSVMAlloc returned
 *     clSVMAllocWithPropertiesKHR
 *     clEnqueueMemcpyINTEL           ->  clEnqueueSVMMemcpy, whose event reports CL_COMMAND_MEMCPY_INTEL
 *     clSetKernelArgMemPointerINTEL  ->  clSetKernelArgSVMPointer
 *     INDIRECT_..._ACCESS_INTEL      ->  recorded; if the driver needs it, the launch lists every allocation that the
 *                                        kernel may access in CL_KERNEL_EXEC_INFO_SVM_PTRS
 *
 * A device is *served* if this library provides an extension for it; a context with such a device is served, too, and
 * so are the queues of the device and the kernels and allocations of the context. An object is *registered* if it has a
 * record here (handles.c).
 */
#ifndef NONFLAT_LAYER_USM_H
#define NONFLAT_LAYER_USM_H

#include "layer/base/base.h"
#include "layer/usm/unified_svm.h"

struct nf_usm_block;
struct nf_usm_context;
struct nf_usm_slab;

/* ---- handles.c: records of driver handles ------------------------------------------------------------------------ */

/* The first member of every record. A record is in its table as long as the application holds references to the handle.
 * These references are counted here, by the application's own calls, because the driver's reference count also includes
 * references by commands in flight and by other objects. */
struct nf_usm_record {
    const void *handle;
    unsigned held; /* references that the application holds */
    struct nf_usm_record *next;
};

enum nf_usm_kind {
    NF_USM_CONTEXT,
    NF_USM_QUEUE,
    NF_USM_KERNEL,
    NF_USM_EVENT,
    NF_USM_BUFFER,
    NF_USM_ADDRESS,
    NF_USM_WAIT, /* the handle is a unique number */
    NF_USM_KINDS
};

/* Registers `record` under its handle, with one reference, and replaces a stale record of an earlier object that had
 * the same handle. Returns the stale record, which the caller frees, or NULL. */
struct nf_usm_record *nf_usm_register(enum nf_usm_kind kind, struct nf_usm_record *record);
/* Returns the record of `handle`, or NULL if the handle is not registered. */
struct nf_usm_record *nf_usm_find(enum nf_usm_kind kind, const void *handle);
/* Adds one reference of the application, if the handle is registered. */
void nf_usm_retain(enum nf_usm_kind kind, const void *handle);
/* Removes one reference of the application. Returns the record, already removed from the table, if that was the last
 * reference, else NULL. Call it before the driver's release function: later another object may have the handle. */
struct nf_usm_record *nf_usm_release(enum nf_usm_kind kind, const void *handle);
/* Removes and returns the record of `handle`, because the handle now belongs to another object, which has no record;
 * NULL if there is none. */
struct nf_usm_record *nf_usm_drop(enum nf_usm_kind kind, const void *handle);
/* Returns one of a fixed set of static locks, for lists in the record of `handle`. Several handles may share one
 * lock. */
struct nf_cl_lock *nf_usm_lock_of(const void *handle);

/* ---- device.c: the served devices, and their SVM functions ------------------------------------------------------- */

/* The SVM functions of a device: from the core, from cl_arm_shared_virtual_memory, or replacements that use buffers
 * (addresses.c). */
struct nf_usm_svm {
    void *(CL_API_CALL *alloc)(cl_context, cl_svm_mem_flags, size_t, cl_uint);
    void(CL_API_CALL *free)(cl_context, void *);
    cl_int(CL_API_CALL *copy)(cl_command_queue, cl_bool, void *, const void *, size_t, cl_uint, const cl_event *,
                              cl_event *);
    cl_int(CL_API_CALL *fill)(cl_command_queue, void *, const void *, size_t, size_t, cl_uint, const cl_event *,
                              cl_event *);
    cl_int(CL_API_CALL *map)(cl_command_queue, cl_bool, cl_map_flags, void *, size_t, cl_uint, const cl_event *,
                             cl_event *);
    cl_int(CL_API_CALL *unmap)(cl_command_queue, void *, cl_uint, const cl_event *, cl_event *);
    cl_int(CL_API_CALL *set_argument)(cl_kernel, cl_uint, const void *);
    cl_int(CL_API_CALL *set_info)(cl_kernel, cl_kernel_exec_info, size_t, const void *);
    cl_kernel_exec_info pointers_info; /* the driver's parameter name for set_info with a list of pointers */
    /* The driver's clSVMAllocWithPropertiesKHR, used in place of `alloc`; NULL: the driver lacks it. */
    clSVMAllocWithPropertiesKHR_fn alloc_of_type;
};

/* The driver's own type of memory for one type of Intel's allocations (CL_MEM_TYPE_..._INTEL). */
struct nf_usm_native_type {
    cl_uint index; /* argument of alloc_of_type */
    cl_svm_capabilities_khr capabilities;
};

enum { NF_USM_INTEL_TYPES = 4 };                                    /* unknown, host, device, shared */
#define NF_USM_TYPE_NUMBER(type) ((type)-CL_MEM_TYPE_UNKNOWN_INTEL) /* below NF_USM_INTEL_TYPES */

struct nf_usm_device {
    cl_device_id id;
    unsigned epoch; /* the epoch in which the device was queried */
    bool served;
    bool is_cpu;
    bool has_svm;     /* SVM by the core or by Arm's extension */
    bool has_unified; /* the driver lists cl_khr_unified_svm, in whatever version */
    bool is_typed;    /* its memory comes from alloc_of_type, with the types `native` */
    cl_device_svm_capabilities svm;
    cl_ulong largest; /* bytes, maximum of one allocation */
    struct nf_usm_svm calls;
    struct nf_usm_native_type native[NF_USM_INTEL_TYPES];
    struct nf_usm_device *next;
};

/* Returns the record of a device, or of its root device if it is a sub-device; NULL if `device` is NULL or host memory
 * is exhausted. A record is never freed. */
const struct nf_usm_device *nf_usm_device_find(cl_device_id device);
/* Returns the parent of a sub-device, NULL for a root device. */
cl_device_id nf_usm_device_parent(cl_device_id device);
/* The extensions that this library provides, as bits. */
enum { NF_USM_OFFERS_INTEL = 1, NF_USM_OFFERS_KHR = 2 };

/* Returns the extensions that the library provides for a device, 0 if it is not served. */
unsigned nf_usm_device_offers(cl_device_id device);
/* Returns the extensions that the library provides for at least one of the first NF_USM_DEVICES_MAX devices of the
 * platform. cl_khr_unified_svm is not among them if the driver has it for any device of the platform, because the
 * driver has then assigned the platform's indices of the types of memory. */
unsigned nf_usm_platform_offers(cl_platform_id platform);
/* Returns the extensions that the library provides for at least one device of at least one platform. */
unsigned nf_usm_any_offers(void);
enum { NF_USM_DEVICES_MAX = 64 };
/* Sets `devices` to at most NF_USM_DEVICES_MAX devices of the platform, and returns their count. */
cl_uint nf_usm_platform_devices(cl_platform_id platform, cl_device_id devices[NF_USM_DEVICES_MAX]);
/* Each returns the driver's extension function `name`, for objects that are not served; NULL if the driver has none. */
nf_cl_function nf_usm_native_of_context(cl_context context, const char *name);
nf_cl_function nf_usm_native_of_queue(cl_command_queue queue, const char *name);
nf_cl_function nf_usm_native_of_kernel(cl_kernel kernel, const char *name);

/* ---- types.c: the types of memory of cl_khr_unified_svm ---------------------------------------------------------- */

enum nf_usm_type {
    NF_USM_TYPE_COARSE_BUFFER,
    NF_USM_TYPE_FINE_BUFFER,
    NF_USM_TYPE_DEVICE,
    NF_USM_TYPE_HOST,
    NF_USM_TYPE_SHARED,
    NF_USM_TYPE_SYSTEM,
    NF_USM_TYPES
};

/* Returns the CL_MEM_TYPE_*_INTEL of the blocks of which memory of the type consists; 0: it is the driver's own SVM. */
cl_unified_shared_memory_type_intel nf_usm_type_to_intel(enum nf_usm_type type);
/* Returns the type of cl_khr_unified_svm for which nf_usm_type_to_intel() returns `intel`, NF_USM_TYPES if there is
 * none. */
enum nf_usm_type nf_usm_type_of_intel(cl_unified_shared_memory_type_intel intel);
/* Returns the capabilities of a type on a device, 0 if the device does not support it. */
cl_svm_capabilities_khr nf_usm_type_capabilities(const struct nf_usm_device *device, enum nf_usm_type type);
/* Sets `listed` to the types that a device of the platform supports, in the order of their indices, and `common` to the
 * capabilities that each has on all devices that support it. Returns their count. */
cl_uint nf_usm_platform_types(cl_platform_id platform, enum nf_usm_type listed[NF_USM_TYPES],
                              cl_svm_capabilities_khr common[NF_USM_TYPES]);
/* Returns true if the kernels of the device can access all SVM, not only their arguments and listed pointers. */
bool nf_usm_device_accesses_all(const struct nf_usm_device *device);

/* ---- choice.c: the choice of a type of memory -------------------------------------------------------------------- */

/* Returns the index of the type that has all required capabilities, the most of the desired capabilities, and then the
 * fewest others; CL_UINT_MAX if no type has them. An element 0 of `capabilities`: the type is not supported. */
cl_uint nf_usm_best_type(const cl_svm_capabilities_khr *capabilities, cl_uint count, cl_svm_capabilities_khr required,
                         cl_svm_capabilities_khr desired);

/* ---- info.c: clGetDeviceInfo and clGetPlatformInfo --------------------------------------------------------------- */

cl_int CL_API_CALL nf_usm_get_device_info(cl_device_id device, cl_device_info name, size_t size, void *value,
                                          size_t *size_ret);
cl_int CL_API_CALL nf_usm_get_platform_info(cl_platform_id platform, cl_platform_info name, size_t size, void *value,
                                            size_t *size_ret);

/* ---- uses.c: the commands in flight, and the allocations that they may access ------------------------------------ */

/* The allocations that a command may access. Immutable after its construction; reference-counted by `users`. */
struct nf_usm_access_set {
    atomic_uint users;
    unsigned types; /* mask of NF_USM_TYPE_BIT: the types of allocations that the command may access indirectly */
    size_t count;
    const void *pointers[]; /* sorted by address */
};
#define NF_USM_TYPE_BIT(type) (1u << ((type)-CL_MEM_TYPE_UNKNOWN_INTEL))

/* A list of commands. Some of them may be complete already. */
struct nf_usm_in_flight {
    size_t count, room;
    size_t reserved; /* number of commands that may be added without an allocation */
    size_t prune_at; /* the count at which complete commands are removed from the list */
    struct nf_usm_use {
        cl_event event;
        struct nf_usm_access_set *accesses;
        uint64_t queue;      /* the `number` of its in-order queue; 0: an out-of-order or unknown queue */
        uint64_t begin, end; /* before and after the enqueue call, by the clock of the queue */
    } * list;
};

/* Returns a new access set with one reference; NULL if host memory is exhausted. Copies and sorts `pointers`. */
struct nf_usm_access_set *nf_usm_access_set_new(unsigned types, size_t count, const void *const *pointers);
/* Sets `*accesses` to a new access set of the pointers that are not NULL, or to NULL if both are. Returns CL_SUCCESS,
 * or CL_OUT_OF_HOST_MEMORY: then the caller must not enqueue the command, because it could access memory that is mapped
 * to the host. */
cl_int nf_usm_access_set_of(const void *one, const void *two, struct nf_usm_access_set **accesses);
/* Drops one reference; frees the access set if it was the last. NULL is allowed. */
void nf_usm_access_set_put(struct nf_usm_access_set *accesses);
/* Reserves room for a command in the context's list. Returns false if host memory is exhausted: then the caller must
 * not enqueue the command, because the memory that it accesses could be freed. nf_usm_in_flight_add() uses the room,
 * and nf_usm_in_flight_cancel() returns it. */
bool nf_usm_in_flight_reserve(struct nf_usm_context *context);
void nf_usm_in_flight_cancel(struct nf_usm_context *context);
/* Adds an enqueued command to the context's list, in which room was reserved for it. Takes over its event and its
 * access set, and holds both until the completion of the command is observed. */
void nf_usm_in_flight_add(struct nf_usm_context *context, struct nf_usm_use use);
/* Sets `*uses` to the incomplete commands of the block's context, in any queue, that may access the block, as a list
 * that the caller frees with nf_usm_in_flight_free(); NULL if there are none. Returns CL_SUCCESS, or
 * CL_OUT_OF_HOST_MEMORY if the commands could not be listed. */
cl_int nf_usm_in_flight_of(const struct nf_usm_block *block, struct nf_usm_in_flight **uses);
/* Returns true if an incomplete command of the context has `pointer` as the first pointer of its access set. */
bool nf_usm_in_flight_lists(struct nf_usm_context *context, const void *pointer);
/* Removes ended commands from the list until its first command has not ended. Returns true if none is left. */
bool nf_usm_in_flight_prune(struct nf_usm_in_flight *uses);
/* Waits for the commands of the list that are running, or with `all` for all of them. */
void nf_usm_in_flight_wait(struct nf_usm_in_flight *uses, bool all);
/* Frees a list, with its references to events. NULL is allowed. */
void nf_usm_in_flight_free(struct nf_usm_in_flight *uses);

/* ---- context.c: contexts ----------------------------------------------------------------------------------------- */

enum { NF_USM_CLASSES = 13 }; /* slot sizes: 64 bytes to 256 KiB */
enum { NF_USM_REUSABLE_MAX = 16 };

/* The parameters with which the application requested an allocation. */
struct nf_usm_request {
    bool has_properties; /* the list of clSVMAllocWithPropertiesKHR was not NULL */
    unsigned char count; /* number of properties in that list */
    cl_ushort names[3];  /* names of the properties, in order */
    cl_svm_alloc_access_flags_khr access;
    size_t asked_alignment, alignment; /* requested alignment, 0: the default; actual alignment */
    cl_device_id device;               /* associated with the allocation; NULL: none */
};

/* The driver's SVM that the application has allocated in a context, sorted by address. */
struct nf_usm_svm_list {
    size_t count, room;
    struct nf_usm_svm_memory **items;
};

/* Freed blocks with driver memory of their own, for reuse by later allocations, oldest first (memory.c). */
struct nf_usm_reusable {
    unsigned count;
    size_t bytes;
    struct nf_usm_block *blocks[NF_USM_REUSABLE_MAX];
};

struct nf_usm_context {
    struct nf_usm_record record;
    unsigned epoch;    /* epoch of the loader through which it was created; a later loader may not have the driver of
                        * its queues */
    atomic_uint users; /* references by the application, by objects and by memory */
    cl_uint device_count;
    cl_device_id *devices;
    struct nf_usm_svm calls;
    cl_svm_mem_flags flags; /* argument of clSVMAlloc */
    bool has_svm;           /* otherwise only device allocations are available */
    bool fine;              /* fine-grained: the host may access memory that is not mapped */
    bool needs_listing;     /* kernels can access only arguments and listed pointers */
    bool is_core;           /* `calls` are the functions of core OpenCL */
    cl_ulong largest;
    cl_uint type_count; /* number of types of cl_khr_unified_svm; 0: the library does not provide that extension here */
    enum nf_usm_type types[NF_USM_TYPES];               /* the types, in the order in which the platform lists them */
    cl_svm_capabilities_khr capabilities[NF_USM_TYPES]; /* of types[i], on all devices; 0: a device lacks the type */
    struct nf_usm_svm_list svm;                         /* the driver's SVM that the application has allocated */
    struct nf_usm_slab *slabs[NF_USM_CLASSES];          /* slabs that have a free slot */
    struct nf_usm_reusable reusable;
    atomic_uint retired_count;
    struct nf_usm_block *retired, *last_retired; /* freed by a blocking free that could not wait for the commands */
    struct nf_usm_in_flight uses;                /* commands in flight */
    atomic_uint waiting;                         /* number of user events whose status is not set yet */
    struct nf_usm_block *blocks;                 /* all live blocks; only maintained if needs_listing */
    uint64_t turns_made;                         /* number of turns whose entries were collected so far */
    struct nf_usm_turn *pending;  /* turns that wait until their blocks can change the view, oldest first */
    struct nf_usm_wait *waits;    /* waits for events whose completion has not been observed */
    atomic_uint looks;            /* calls of nf_usm_waits_poll() that are not processed yet */
    cl_command_queue *own_queues; /* one per device, for maps and unmaps; created on demand */
    _Atomic(char *) scratch;      /* two bytes of SVM: commands without work copy one to the other */
};

/* Registers a context that the application created. Returns `handle`. Without served devices, or if host memory is
 * exhausted, it is not registered: its calls are passed through. */
cl_context nf_usm_context_register(cl_context handle);
/* Returns the record of a context, NULL if it is not served. */
struct nf_usm_context *nf_usm_context_find(cl_context context);
/* Returns true if the device, or an ancestor of it, belongs to the context. */
bool nf_usm_context_has(const struct nf_usm_context *context, cl_device_id device);
/* Drops one reference; frees the record with the last reference. */
void nf_usm_context_put(struct nf_usm_context *context);

/* ---- blocks.c: from a pointer to its allocation ------------------------------------------------------------------ */

enum nf_usm_view { NF_USM_HOST_VIEW, NF_USM_DEVICE_VIEW };

/* One allocation of the application. Records are reused and never freed, so that a lookup needs no lock. */
struct nf_usm_block {
    _Atomic(char *) base; /* lookups read it and the size without a lock */
    atomic_size_t size;
    atomic_uint generation; /* incremented by each allocation and each free: odd while the application has the block */
    cl_unified_shared_memory_type_intel type;
    cl_mem_alloc_flags_intel flags;
    struct nf_usm_request request; /* Intel's functions set only `device` and `alignment` */
    struct nf_usm_context *context;
    struct nf_usm_slab *slab;      /* NULL: the block has driver memory of its own */
    void *memory;                  /* the driver memory of the block, as clSVMAlloc returned it */
    size_t room;                   /* bytes of `memory` from `base` on */
    struct nf_usm_in_flight *uses; /* if the block is retired: the commands that may still access it */
    struct nf_usm_block *next;

    /* Used if kernels can access only listed pointers (needs_listing), under the context's lock: */
    enum nf_usm_view view, idle_view;    /* the current view, and the view while no command uses the block */
    bool in_transition;                  /* a map or unmap is in progress */
    bool freed_in_use;                   /* freed by the application; the last turn releases the memory */
    unsigned users;                      /* turns that have acquired the block in its current view */
    unsigned turns;                      /* turns that list the block, acquired or not */
    uint64_t last_turn;                  /* `turns_made` when a turn last listed it; detects duplicates */
    struct nf_usm_block *after, **place; /* links of the context's list */
};

enum { NF_USM_PAGE = 4096 };

/* Returns the live allocation that contains `pointer`, or NULL. Takes no lock. */
struct nf_usm_block *nf_usm_block_find(const void *pointer);
/* Registers the page of `base` as the first page of a block or of a slab, of which the other argument is NULL. No other
 * block or slab may begin in that page. Returns false if host memory is exhausted. */
bool nf_usm_page_map_set(const char *base, struct nf_usm_block *block, struct nf_usm_slab *slab);
/* Removes the registration of the page of `base`. */
void nf_usm_page_map_clear(const char *base);
/* Returns an unused block record, or NULL if host memory is exhausted. A reused record keeps its old contents. */
struct nf_usm_block *nf_usm_block_new(void);
/* Returns a record to the pool of unused records. */
void nf_usm_block_recycle(struct nf_usm_block *block);

/* ---- addresses.c: device allocations on devices without SVM ------------------------------------------------------ */

/* The functions for a device without SVM: only those that device allocations need. */
extern const struct nf_usm_svm nf_usm_address_calls;

/* ---- memory.c: driver memory, in slabs and for single blocks ----------------------------------------------------- */

/* Driver memory that is divided into slots of one size. */
struct nf_usm_slab {
    _Atomic(char *) base;        /* lookups read it without a lock */
    size_t slot;                 /* slot, class and count do not change during the life of the record */
    unsigned class, count, used; /* index of the slot size; number of slots; slots in use */
    unsigned free;               /* index of the first free slot + 1, 0: none; `next_free` links the others */
    void *memory;
    struct nf_usm_slab *next, **place;
    unsigned *next_free;
    struct nf_usm_block blocks[];
};

/* The purpose of an allocation, which matters if the driver has types of memory. */
struct nf_usm_placement {
    cl_unified_shared_memory_type_intel type;
    cl_device_id device; /* the device of the allocation, NULL: none */
};
/* The placement of memory that any device and the host may access. */
#define NF_USM_ANYWHERE ((struct nf_usm_placement){CL_MEM_TYPE_HOST_INTEL, NULL})

/* Returns a block of `size` bytes, not yet live; NULL if the driver or the host has no memory for it. */
struct nf_usm_block *nf_usm_memory_allocate(struct nf_usm_context *context, struct nf_usm_placement placement,
                                            size_t size, size_t alignment);
/* Releases the memory of a block, which no command may access any more, or retains it for reuse. */
void nf_usm_memory_release(struct nf_usm_block *block);
/* Frees the driver memory that is retained for reuse. Call it when an allocation of the driver has failed. */
void nf_usm_memory_free_reusable(struct nf_usm_context *context);
/* Returns two bytes of device-accessible memory, between which a command may copy; NULL if the driver has no memory.
 * The context owns them. */
char *nf_usm_scratch(struct nf_usm_context *context);
/* Frees all driver memory of the context in which no block lives, also the bytes of nf_usm_scratch(). */
void nf_usm_memory_free_unused(struct nf_usm_context *context);

/* ---- context_calls.c: creation, retain and release of contexts --------------------------------------------------- */

cl_context CL_API_CALL nf_usm_create_context(const cl_context_properties *properties, cl_uint count,
                                             const cl_device_id *devices,
                                             void(CL_CALLBACK *notify)(const char *, const void *, size_t, void *),
                                             void *user, cl_int *error);
cl_context CL_API_CALL nf_usm_create_context_from_type(const cl_context_properties *properties, cl_device_type type,
                                                       void(CL_CALLBACK *notify)(const char *, const void *, size_t,
                                                                                 void *),
                                                       void *user, cl_int *error);
cl_int CL_API_CALL nf_usm_retain_context(cl_context context);
cl_int CL_API_CALL nf_usm_release_context(cl_context context);

/* ---- allocate.c: allocation, free, queries ----------------------------------------------------------------------- */

/* Returns a new, live block, or NULL. Sets `*error` to the result; `error` may be NULL. Copies `*request`. */
struct nf_usm_block *nf_usm_allocate(struct nf_usm_context *context, cl_unified_shared_memory_type_intel type,
                                     const struct nf_usm_request *request, cl_mem_alloc_flags_intel flags, size_t size,
                                     cl_int *error);
/* Frees the block that begins at `pointer`, without waiting for commands. Returns false if no block of the context
 * begins there. */
bool nf_usm_free_block(struct nf_usm_context *context, void *pointer);

/* Releases the retired blocks whose last command has completed. Stops after it has found `looks` blocks that are still
 * in use: a constant number, so that the cost of a call does not grow with their number; all of them if the driver has
 * no memory for an allocation, and at the end of the context. */
void nf_usm_release_retired(struct nf_usm_context *context, unsigned looks);
void *CL_API_CALL nf_usm_host_alloc(cl_context context, const cl_mem_properties_intel *properties, size_t size,
                                    cl_uint alignment, cl_int *error);
void *CL_API_CALL nf_usm_device_alloc(cl_context context, cl_device_id device,
                                      const cl_mem_properties_intel *properties, size_t size, cl_uint alignment,
                                      cl_int *error);
void *CL_API_CALL nf_usm_shared_alloc(cl_context context, cl_device_id device,
                                      const cl_mem_properties_intel *properties, size_t size, cl_uint alignment,
                                      cl_int *error);
cl_int CL_API_CALL nf_usm_free(cl_context context, void *pointer);
cl_int CL_API_CALL nf_usm_blocking_free(cl_context context, void *pointer);
cl_int CL_API_CALL nf_usm_get_alloc_info(cl_context context, const void *pointer, cl_mem_info_intel name, size_t size,
                                         void *value, size_t *size_ret);

/* ---- svm_list.c: the driver's own SVM that the application has allocated ----------------------------------------- */

/* One allocation. */
struct nf_usm_svm_memory {
    char *base;
    size_t size;
    enum nf_usm_type type;
    struct nf_usm_request request;
};

/* Adds an allocation, in place of an older one at the same address, and takes it over. Returns false if host memory is
 * exhausted; then the caller keeps it. */
bool nf_usm_svm_add(struct nf_usm_context *context, struct nf_usm_svm_memory *memory);
/* Copies to `*found` the allocation that contains `pointer`. Returns false if there is none. */
bool nf_usm_svm_find(struct nf_usm_context *context, const void *pointer, struct nf_usm_svm_memory *found);
/* Removes the allocation that begins at `pointer`. The caller frees it. Returns NULL if there is none. */
struct nf_usm_svm_memory *nf_usm_svm_take(struct nf_usm_context *context, const void *pointer);
/* Frees the list. */
void nf_usm_svm_forget_all(struct nf_usm_context *context);

/* ---- waits.c: notification of the end of an event ---------------------------------------------------------------- */

/* One wait. The caller owns the memory, which must stay valid until `then` is called. */
struct nf_usm_wait {
    struct nf_usm_record record;
    struct nf_usm_context *context;
    cl_event event; /* the caller holds a reference */
    void (*then)(void *user, cl_int status);
    void *user;
    struct nf_usm_wait *after, **place; /* links of the context's list */
    bool is_claimed;                    /* nf_usm_waits_poll() is about to call `then` */
};

/* Calls wait->then with the status of the event once the event is complete or has failed, on any thread and possibly
 * before this function returns. The caller sets all members but the record and the links. `wait` may be freed before
 * this returns. */
void nf_usm_wait_for(struct nf_usm_wait *wait);
/* Calls `then` of each wait in the context whose event has ended, because some drivers make no callback for an event
 * that fails. Call it after each action that may have made an event fail. */
void nf_usm_waits_poll(struct nf_usm_context *context);
/* Returns the execution status of an event, negative if it has failed. */
cl_int nf_usm_status_of(cl_event event);

/* ---- ownership.c: ownership of coarse-grained memory ------------------------------------------------------------- */

/* The turn of one command: its claim on the blocks that it may access, from enqueue to completion. */
struct nf_usm_turn;
struct nf_usm_queue;

/* Creates the turn of a command that needs the blocks of `accesses` in the device view and the blocks of its `hosts`
 * pointers in the host view. Returns NULL with CL_SUCCESS in `error` if it needs no block of this context, or NULL with
 * an error. */
struct nf_usm_turn *nf_usm_turn_new(struct nf_usm_queue *queue, const struct nf_usm_access_set *accesses,
                                    size_t host_count, const void *const *hosts, cl_int *error);
/* Acquires the blocks once the wait list, and in an in-order queue all earlier commands, are complete. Returns the
 * event that the command must wait for, or NULL and sets `error`. */
cl_event nf_usm_turn_acquire(struct nf_usm_turn *turn, cl_uint wait_count, const cl_event *wait, cl_int *error);
/* Ends the turn once `command` is complete; NULL: the command could not be enqueued. Takes over `turn`. Sets `*event`,
 * if `event` is not NULL, to an event that completes when the blocks that no other turn uses have their idle view.
 * Returns CL_SUCCESS, or the error for which there is no such event; the turn ends in either case. */
cl_int nf_usm_turn_release(struct nf_usm_turn *turn, cl_event command, cl_event *event);
/* Destroys a turn for which nf_usm_turn_acquire() has not returned an event. */
void nf_usm_turn_cancel(struct nf_usm_turn *turn);
/* Returns an array of the driver's pointers of all blocks of the turn, `*count` of them, which the caller frees; NULL
 * if host memory is exhausted. */
const void **nf_usm_turn_memories(const struct nf_usm_turn *turn, size_t *count);
/* Initializes the view of a new block. With needs_listing also adds it to the context's list and, if it is
 * coarse-grained and the host may access it, maps it. Returns CL_SUCCESS, or the error for which it cannot be
 * mapped. */
cl_int nf_usm_block_register(struct nf_usm_block *block);
/* Removes a block that the application frees from the context's list, if it is in that list. Returns true if the caller
 * may release its memory now; if false, the last turn that lists it does. */
bool nf_usm_block_unregister(struct nf_usm_block *block);

/* ---- queue.c: queues --------------------------------------------------------------------------------------------- */

struct nf_usm_queue {
    struct nf_usm_record record;
    struct nf_usm_context *context;
    const struct nf_usm_device *device;
    bool in_order;
    uint64_t number;            /* unique among in-order queues of the process; 0: out-of-order */
    atomic_uint_fast64_t clock; /* ticks at the beginning and at the end of each enqueue call */
};

/* Returns the record of a queue, NULL if it is not served. */
struct nf_usm_queue *nf_usm_queue_find(cl_command_queue queue);
cl_command_queue CL_API_CALL nf_usm_create_queue(cl_context context, cl_device_id device,
                                                 cl_command_queue_properties properties, cl_int *error);
cl_command_queue CL_API_CALL nf_usm_create_queue_with_properties(cl_context context, cl_device_id device,
                                                                 const cl_queue_properties *properties, cl_int *error);
/* clCreateCommandQueueWithPropertiesKHR */
cl_command_queue CL_API_CALL nf_usm_create_queue_khr(cl_context context, cl_device_id device,
                                                     const cl_queue_properties *properties, cl_int *error);
cl_int CL_API_CALL nf_usm_retain_queue(cl_command_queue queue);
cl_int CL_API_CALL nf_usm_release_queue(cl_command_queue queue);

/* ---- buffer.c: buffers and images that alias coarse-grained shared memory ---------------------------------------- */

/* Returns the shared memory that a buffer or image aliases, or NULL. */
char *nf_usm_buffer_memory(cl_mem buffer);
/* Returns true if the range lies within the buffer and the buffer has none of the flags `closed`, which forbid the
 * access. */
bool nf_usm_buffer_has(cl_mem buffer, size_t offset, size_t size, cl_mem_flags closed);
/* Returns true if `pointer` lies in an allocation of a coarse-grained context. */
bool nf_usm_is_coarse(const void *pointer);
cl_mem CL_API_CALL nf_usm_create_buffer(cl_context context, cl_mem_flags flags, size_t size, void *pointer,
                                        cl_int *error);
cl_mem CL_API_CALL nf_usm_create_buffer_with_properties(cl_context context, const cl_mem_properties *properties,
                                                        cl_mem_flags flags, size_t size, void *pointer, cl_int *error);
cl_mem CL_API_CALL nf_usm_create_sub_buffer(cl_mem whole, cl_mem_flags flags, cl_buffer_create_type type,
                                            const void *region, cl_int *error);
cl_mem CL_API_CALL nf_usm_create_image(cl_context context, cl_mem_flags flags, const cl_image_format *format,
                                       const cl_image_desc *desc, void *pointer, cl_int *error);
cl_mem CL_API_CALL nf_usm_create_image_with_properties(cl_context context, const cl_mem_properties *properties,
                                                       cl_mem_flags flags, const cl_image_format *format,
                                                       const cl_image_desc *desc, void *pointer, cl_int *error);
cl_int CL_API_CALL nf_usm_retain_buffer(cl_mem buffer);
cl_int CL_API_CALL nf_usm_release_buffer(cl_mem buffer);

/* ---- kernel.c: the allocations that a kernel may access ---------------------------------------------------------- */

cl_kernel CL_API_CALL nf_usm_create_kernel(cl_program program, const char *name, cl_int *error);
cl_int CL_API_CALL nf_usm_create_kernels_in_program(cl_program program, cl_uint count, cl_kernel *kernels,
                                                    cl_uint *count_ret);
cl_kernel CL_API_CALL nf_usm_clone_kernel(cl_kernel source, cl_int *error);
cl_int CL_API_CALL nf_usm_retain_kernel(cl_kernel kernel);
cl_int CL_API_CALL nf_usm_release_kernel(cl_kernel kernel);
cl_int CL_API_CALL nf_usm_set_kernel_arg(cl_kernel kernel, cl_uint index, size_t size, const void *value);
cl_int CL_API_CALL nf_usm_set_kernel_arg_svm_pointer(cl_kernel kernel, cl_uint index, const void *value);
/* clSetKernelArgMemPointerINTEL */
cl_int CL_API_CALL nf_usm_set_kernel_arg_pointer(cl_kernel kernel, cl_uint index, const void *value);
cl_int CL_API_CALL nf_usm_set_kernel_exec_info(cl_kernel kernel, cl_kernel_exec_info name, size_t size,
                                               const void *value);
/* Lists `memories` to the driver for the next launch of the kernel, in addition to the application's lists (SVM_PTRS,
 * USM_PTRS). */
cl_int nf_usm_kernel_list_memories(cl_kernel kernel, size_t count, const void *const *memories);
/* Returns the access set of a launch of the kernel, with one reference for the caller. NULL with CL_SUCCESS in
 * `*error`: the launch cannot access any allocation of this library; NULL with an error: host memory is exhausted. */
struct nf_usm_access_set *nf_usm_kernel_access_set(cl_kernel kernel, cl_int *error);

/* ---- enqueue.c: the common path of all commands ------------------------------------------------------------------ */

/* A command before it is enqueued. */
struct nf_usm_command {
    cl_command_type type; /* type that the event reports to the application */
    bool renamed;         /* the application gets `type` instead of the type of the driver's event */
    bool blocking;
    struct nf_usm_access_set *accesses; /* holds a reference; NULL: no allocation of this library */
    size_t host_count;
    const void *hosts[2]; /* host memory that the driver accesses on the CPU */
    cl_kernel kernel;     /* kernel of a launch that may access memory other than its arguments */
    /* Enqueues the command in the driver, non-blocking. */
    cl_int (*call_driver)(cl_command_queue queue, const void *what, cl_uint wait_count, const cl_event *wait,
                          cl_event *event);
    const void *what;
};

/* Enqueues a command, with the memory that it accesses in the view that it needs. Takes over its access set. */
cl_int nf_usm_enqueue(struct nf_usm_queue *queue, const struct nf_usm_command *command, cl_uint wait_count,
                      const cl_event *wait, cl_event *event);

/* A copy or fill. */
struct nf_usm_transfer {
    cl_command_type type;
    bool blocking;
    void *target;
    const void *source; /* or the pattern of a fill */
    size_t pattern;     /* bytes of the pattern; 0: a copy */
    size_t size;        /* bytes; 0: the command has no work, but an event and a place in the queue */
};

cl_int nf_usm_enqueue_transfer(struct nf_usm_queue *queue, const struct nf_usm_transfer *work, cl_uint wait_count,
                               const cl_event *wait, cl_event *event);

/* ---- commands.c: launches, copies, fills ------------------------------------------------------------------------- */

cl_int CL_API_CALL nf_usm_enqueue_nd_range_kernel(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions,
                                                  const size_t *offset, const size_t *global, const size_t *local,
                                                  cl_uint wait_count, const cl_event *wait, cl_event *event);
cl_int CL_API_CALL nf_usm_enqueue_task(cl_command_queue queue, cl_kernel kernel, cl_uint wait_count,
                                       const cl_event *wait, cl_event *event);
/* Replaces clEnqueueCommandBufferKHR. nf_usm_note_command_buffer_function() records a driver's function of that name,
 * if it is the first that the application requests through this loader (nf_cl_epoch()). */
cl_int CL_API_CALL nf_usm_enqueue_command_buffer(cl_uint queue_count, cl_command_queue *queues, void *buffer,
                                                 cl_uint wait_count, const cl_event *wait, cl_event *event);
void nf_usm_note_command_buffer_function(nf_cl_function function);
/* clCommandNDRangeKernelKHR */
cl_int CL_API_CALL nf_usm_record_kernel(void *buffer, cl_command_queue queue, const void *properties, cl_kernel kernel,
                                        cl_uint dimensions, const size_t *offset, const size_t *global,
                                        const size_t *local, cl_uint count, const cl_uint *wait, cl_uint *point,
                                        void *changeable);
/* Each enqueues a copy or a fill, or returns the error of its arguments. */
cl_int nf_usm_enqueue_copy_work(struct nf_usm_queue *queue, const struct nf_usm_transfer *work, cl_uint wait_count,
                                const cl_event *wait, cl_event *event);
cl_int nf_usm_enqueue_fill_work(struct nf_usm_queue *queue, const struct nf_usm_transfer *work, cl_uint wait_count,
                                const cl_event *wait, cl_event *event);
cl_int CL_API_CALL nf_usm_enqueue_copy(cl_command_queue queue, cl_bool blocking, void *target, const void *source,
                                       size_t size, cl_uint wait_count, const cl_event *wait, cl_event *event);
cl_int CL_API_CALL nf_usm_enqueue_fill(cl_command_queue queue, void *target, const void *pattern, size_t pattern_size,
                                       size_t size, cl_uint wait_count, const cl_event *wait, cl_event *event);
cl_int CL_API_CALL nf_usm_enqueue_set(cl_command_queue queue, void *target, cl_int value, size_t size,
                                      cl_uint wait_count, const cl_event *wait, cl_event *event);
cl_int CL_API_CALL nf_usm_enqueue_migrate(cl_command_queue queue, const void *pointer, size_t size,
                                          cl_mem_migration_flags flags, cl_uint wait_count, const cl_event *wait,
                                          cl_event *event);
cl_int CL_API_CALL nf_usm_enqueue_advise(cl_command_queue queue, const void *pointer, size_t size,
                                         cl_mem_advice_intel advice, cl_uint wait_count, const cl_event *wait,
                                         cl_event *event);

/* ---- transfers.c: buffer and image commands that access coarse-grained shared memory ----------------------------- */

cl_int CL_API_CALL nf_usm_enqueue_read_buffer(cl_command_queue queue, cl_mem buffer, cl_bool blocking, size_t offset,
                                              size_t size, void *pointer, cl_uint wait_count, const cl_event *wait,
                                              cl_event *event);
cl_int CL_API_CALL nf_usm_enqueue_write_buffer(cl_command_queue queue, cl_mem buffer, cl_bool blocking, size_t offset,
                                               size_t size, const void *pointer, cl_uint wait_count,
                                               const cl_event *wait, cl_event *event);
cl_int CL_API_CALL nf_usm_enqueue_read_buffer_rect(cl_command_queue queue, cl_mem buffer, cl_bool blocking,
                                                   const size_t *origin, const size_t *host_origin,
                                                   const size_t *region, size_t row, size_t slice, size_t host_row,
                                                   size_t host_slice, void *pointer, cl_uint wait_count,
                                                   const cl_event *wait, cl_event *event);
cl_int CL_API_CALL nf_usm_enqueue_write_buffer_rect(cl_command_queue queue, cl_mem buffer, cl_bool blocking,
                                                    const size_t *origin, const size_t *host_origin,
                                                    const size_t *region, size_t row, size_t slice, size_t host_row,
                                                    size_t host_slice, const void *pointer, cl_uint wait_count,
                                                    const cl_event *wait, cl_event *event);
cl_int CL_API_CALL nf_usm_enqueue_read_image(cl_command_queue queue, cl_mem image, cl_bool blocking,
                                             const size_t *origin, const size_t *region, size_t row, size_t slice,
                                             void *pointer, cl_uint wait_count, const cl_event *wait, cl_event *event);
cl_int CL_API_CALL nf_usm_enqueue_write_image(cl_command_queue queue, cl_mem image, cl_bool blocking,
                                              const size_t *origin, const size_t *region, size_t row, size_t slice,
                                              const void *pointer, cl_uint wait_count, const cl_event *wait,
                                              cl_event *event);
cl_int CL_API_CALL nf_usm_enqueue_copy_buffer(cl_command_queue queue, cl_mem source, cl_mem target, size_t from,
                                              size_t to, size_t size, cl_uint wait_count, const cl_event *wait,
                                              cl_event *event);
cl_int CL_API_CALL nf_usm_enqueue_fill_buffer(cl_command_queue queue, cl_mem buffer, const void *pattern,
                                              size_t pattern_size, size_t offset, size_t size, cl_uint wait_count,
                                              const cl_event *wait, cl_event *event);
cl_int CL_API_CALL nf_usm_enqueue_copy_buffer_rect(cl_command_queue queue, cl_mem source, cl_mem target,
                                                   const size_t *from, const size_t *to, const size_t *region,
                                                   size_t row, size_t slice, size_t target_row, size_t target_slice,
                                                   cl_uint wait_count, const cl_event *wait, cl_event *event);
cl_int CL_API_CALL nf_usm_enqueue_copy_image(cl_command_queue queue, cl_mem source, cl_mem target, const size_t *from,
                                             const size_t *to, const size_t *region, cl_uint wait_count,
                                             const cl_event *wait, cl_event *event);
cl_int CL_API_CALL nf_usm_enqueue_copy_image_to_buffer(cl_command_queue queue, cl_mem source, cl_mem target,
                                                       const size_t *from, const size_t *region, size_t offset,
                                                       cl_uint wait_count, const cl_event *wait, cl_event *event);
cl_int CL_API_CALL nf_usm_enqueue_copy_buffer_to_image(cl_command_queue queue, cl_mem source, cl_mem target,
                                                       size_t offset, const size_t *to, const size_t *region,
                                                       cl_uint wait_count, const cl_event *wait, cl_event *event);
cl_int CL_API_CALL nf_usm_enqueue_fill_image(cl_command_queue queue, cl_mem image, const void *color, const size_t *to,
                                             const size_t *region, cl_uint wait_count, const cl_event *wait,
                                             cl_event *event);
void *CL_API_CALL nf_usm_enqueue_map_image(cl_command_queue queue, cl_mem image, cl_bool blocking, cl_map_flags flags,
                                           const size_t *origin, const size_t *region, size_t *row, size_t *slice,
                                           cl_uint wait_count, const cl_event *wait, cl_event *event, cl_int *error);
void *CL_API_CALL nf_usm_enqueue_map_buffer(cl_command_queue queue, cl_mem buffer, cl_bool blocking, cl_map_flags flags,
                                            size_t offset, size_t size, cl_uint wait_count, const cl_event *wait,
                                            cl_event *event, cl_int *error);
cl_int CL_API_CALL nf_usm_enqueue_unmap(cl_command_queue queue, cl_mem object, void *pointer, cl_uint wait_count,
                                        const cl_event *wait, cl_event *event);

/* ---- event.c: the events that the application gets --------------------------------------------------------------- */

/* Registers `event`, which the application has just received, with the type of the requested command. Its times come
 * from `command`, whose reference this function takes over; NULL: its own. Not registered if out of memory. */
void nf_usm_event_register(cl_event event, cl_command_type type, cl_event command);
/* Returns true if this thread is inside a callback of an event. A callback must not wait for other events. */
bool nf_usm_in_callback(void);
/* Adds to the number of callbacks that this thread is inside. */
void nf_usm_callbacks_add(int by);

cl_int CL_API_CALL nf_usm_get_event_info(cl_event event, cl_event_info name, size_t size, void *value,
                                         size_t *size_ret);
cl_int CL_API_CALL nf_usm_get_event_profiling_info(cl_event event, cl_profiling_info name, size_t size, void *value,
                                                   size_t *size_ret);
cl_int CL_API_CALL nf_usm_retain_event(cl_event event);
cl_int CL_API_CALL nf_usm_release_event(cl_event event);
cl_int CL_API_CALL nf_usm_set_event_callback(cl_event event, cl_int type,
                                             void(CL_CALLBACK *notify)(cl_event, cl_int, void *), void *user);
cl_event CL_API_CALL nf_usm_create_user_event(cl_context context, cl_int *error);
cl_int CL_API_CALL nf_usm_set_user_event_status(cl_event event, cl_int status);

/* ---- table.c: the dispatch table, and extension functions by name ------------------------------------------------ */

/* A parameter name that only this library answers, for a NULL event: by it the library detects a second copy of itself
 * in the chain. */
#define NF_USM_PROBE_PARAM ((cl_event_info)0x4e46554du)
#define NF_USM_PROBE_ANSWER 0x6e6f6e666c617475ull

extern const cl_icd_dispatch nf_usm_dispatch;

#endif
