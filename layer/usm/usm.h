/* SPDX-License-Identifier: Apache-2.0 */
/*
 * usm.h - cl_intel_unified_shared_memory for devices that have shared virtual memory (SVM) and nothing more.
 *
 * In: the extension's calls, and those core calls that meet its pointers. Out: SVM calls to the driver; every call
 * about a device, context, queue or kernel that is not served goes on as it came. May use: base. It is a library of its
 * own, libnonflat_usm.so, useful with Nonflat's inference and without.
 *
 *     clSharedMemAllocINTEL          ->  clSVMAlloc, or a slot of a slab that came from it
 *     clEnqueueMemcpyINTEL           ->  clEnqueueSVMMemcpy, whose event says CL_COMMAND_MEMCPY_INTEL
 *     clSetKernelArgMemPointerINTEL  ->  clSetKernelArgSVMPointer
 *     INDIRECT_..._ACCESS_INTEL      ->  remembered; where the driver needs it, every allocation is named at the launch
 */
#ifndef NONFLAT_LAYER_USM_H
#define NONFLAT_LAYER_USM_H

#include "layer/base/base.h"

struct nf_usm_block;
struct nf_usm_context;
struct nf_usm_slab;

/* ---- handles.c: what we know of a handle of the driver's ---------------------------------------------------------- */

/* The start of every record. A record lives as long as the application holds the handle: it is counted by the
 * application's own calls, because drivers' reference counts also hold what commands in flight and other objects hold. */
struct nf_usm_record {
    const void *handle;
    unsigned held; /* by the application */
    struct nf_usm_record *next;
};

enum nf_usm_kind {
    NF_USM_CONTEXT,
    NF_USM_QUEUE,
    NF_USM_KERNEL,
    NF_USM_EVENT,
    NF_USM_BUFFER,
    NF_USM_ADDRESS,
    NF_USM_WAIT, /* by a number of its own */
    NF_USM_KINDS
};

/* Make `record` the one of its handle, held once. @return a record that the handle's predecessor left, or NULL. */
struct nf_usm_record *nf_usm_enter(enum nf_usm_kind kind, struct nf_usm_record *record);
/* @return the record of `handle`, or NULL: then it is not served. */
struct nf_usm_record *nf_usm_find(enum nf_usm_kind kind, const void *handle);
/* The application holds the handle once more. */
void nf_usm_retain(enum nf_usm_kind kind, const void *handle);
/* The application lets it go once. @return the record, which is out of the table, when that was the last time. Call it
 * before the driver's: afterwards the handle may be another object's already. */
struct nf_usm_record *nf_usm_release(enum nf_usm_kind kind, const void *handle);
/* The handle is that of another object now, which is not served. @return the record of the earlier one, out of the table. */
struct nf_usm_record *nf_usm_drop(enum nf_usm_kind kind, const void *handle);
/* Some static lock for the small lists of the record of `handle`. */
struct nf_cl_lock *nf_usm_lock_of(const void *handle);

/* ---- device.c: which devices are served, and by which of the driver's functions ----------------------------------- */

/* The driver's functions for SVM: the core's, those of cl_arm_shared_virtual_memory, or what stands for them (addresses.c). */
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
    cl_kernel_exec_info pointers_info; /* the name under which set_info takes a list of pointers */
};

struct nf_usm_device {
    cl_device_id id;
    unsigned epoch; /* in which it was asked */
    bool served;
    bool is_cpu;
    bool has_svm; /* else it has device memory alone */
    cl_device_svm_capabilities svm;
    cl_ulong largest; /* bytes of one allocation */
    struct nf_usm_svm calls;
    struct nf_usm_device *next;
};

/* @return what is known of a device or of the device that it is a part of; NULL when memory ends. */
const struct nf_usm_device *nf_usm_device_find(cl_device_id device);
/* @return the device that it is a part of; NULL: it is whole. */
cl_device_id nf_usm_device_parent(cl_device_id device);
/* @return whether a device of the platform is served. */
bool nf_usm_platform_served(cl_platform_id platform);
/* @return whether any platform's is. */
bool nf_usm_any_served(void);
/* @return the driver's own function of that name for what is not served, NULL without. */
nf_cl_function nf_usm_native_of_context(cl_context context, const char *name);
nf_cl_function nf_usm_native_of_queue(cl_command_queue queue, const char *name);
nf_cl_function nf_usm_native_of_kernel(cl_kernel kernel, const char *name);
void nf_usm_device_forget(void);

/* ---- info.c: what devices and platforms say ----------------------------------------------------------------------- */

cl_int CL_API_CALL nf_usm_get_device_info(cl_device_id device, cl_device_info name, size_t size, void *value,
                                          size_t *size_ret);
cl_int CL_API_CALL nf_usm_get_platform_info(cl_platform_id platform, cl_platform_info name, size_t size, void *value,
                                            size_t *size_ret);

/* ---- uses.c: which commands in flight may use which memory -------------------------------------------------------- */

/* What a command can reach; never changed once it is there. */
struct nf_usm_reach {
    atomic_uint users;
    unsigned types; /* NF_USM_REACHES of each type of allocation that it reaches indirectly */
    size_t count;
    const void *pointers[]; /* in order */
};
#define NF_USM_REACHES(type) (1u << ((type)-CL_MEM_TYPE_UNKNOWN_INTEL))

/* Commands, some of them complete by now. */
struct nf_usm_uses {
    size_t count, room;
    size_t enough; /* uses at which it is looked which of them are over */
    struct nf_usm_use {
        cl_event event;
        struct nf_usm_reach *reach;
        uint64_t queue;      /* the number of its queue, 0: one that keeps no order, or not known */
        uint64_t begin, end; /* of its enqueueing, by the clock of its queue */
    } * list;
};

/* @return a reach of those pointers, held once; NULL when memory ends. */
struct nf_usm_reach *nf_usm_reach_new(unsigned types, size_t count, const void *const *pointers);
/* Make a reach of those of the two that are not NULL, if one is. @return CL_SUCCESS, or the error when memory ends: a command
 * whose reach is not known must not run, as it would use memory that the host has. */
cl_int nf_usm_reach_of(const void *one, const void *two, struct nf_usm_reach **reach);
void nf_usm_reach_put(struct nf_usm_reach *reach);
/* A command has begun its life. Takes over its event and reach, and holds them until it is known to be over. */
void nf_usm_uses_add(struct nf_usm_context *context, struct nf_usm_use use);
/* `*uses` are the commands of all queues of the block's context that may use it, and are not complete; NULL: none.
 * @return CL_SUCCESS, or the error when memory ends, and they are not known. */
cl_int nf_usm_uses_of(const struct nf_usm_block *block, struct nf_usm_uses **uses);
/* @return whether all are complete; those that are go, up to the first that is not. */
bool nf_usm_uses_over(struct nf_usm_uses *uses);
/* Wait for all of them, or for those that are running. */
void nf_usm_uses_wait(struct nf_usm_uses *uses, bool all);
void nf_usm_uses_free(struct nf_usm_uses *uses);

/* ---- context.c: contexts ------------------------------------------------------------------------------------------ */

enum { NF_USM_CLASSES = 13 }; /* sizes of slots: 64 bytes to 256 KiB */
enum { NF_USM_KEPT = 16 };

/* Memory of larger blocks that are free, the oldest first: memory.c. */
struct nf_usm_kept {
    unsigned count;
    size_t bytes;
    struct nf_usm_block *blocks[NF_USM_KEPT];
};

struct nf_usm_context {
    struct nf_usm_record record;
    unsigned epoch;    /* of the loader that it came through: its queues may be gone with a driver */
    atomic_uint users; /* the application, and its queues */
    cl_uint device_count;
    cl_device_id *devices;
    struct nf_usm_svm calls;
    cl_svm_mem_flags flags; /* of clSVMAlloc */
    bool has_svm;           /* else there is device memory alone */
    bool fine;              /* the host may touch memory while it is not mapped */
    bool names_all;         /* kernels reach nothing that is not an argument or named */
    cl_ulong largest;
    struct nf_usm_slab *slabs[NF_USM_CLASSES]; /* those with a free slot first */
    struct nf_usm_kept kept;
    atomic_uint retired_count;
    struct nf_usm_block *retired, *last_retired; /* freed by the application, but commands may still use them */
    struct nf_usm_uses uses;                     /* the commands in flight */
    atomic_uint waiting;                         /* user events that are not set yet */
    struct nf_usm_block *blocks;                 /* all that are live, where launches name them: names_all */
    uint64_t filled;                             /* turns that have been filled with their blocks */
    struct nf_usm_turn *pending;  /* commands that wait for blocks to be in their view, the oldest first */
    struct nf_usm_wait *waits;    /* for events that are not known to be over */
    atomic_uint looks;            /* calls of nf_usm_waits_look that are not answered */
    cl_command_queue *own_queues; /* one a device, for mapping; made when they are needed */
    _Atomic(char *) scratch;      /* two bytes of SVM to copy within, for commands that do nothing */
};

/* The application has got a context. @return it; when memory ends it is one that is not served. */
cl_context nf_usm_context_enter(cl_context handle);
struct nf_usm_context *nf_usm_context_find(cl_context context);
bool nf_usm_context_has(const struct nf_usm_context *context, cl_device_id device);
/* One user less; the last one takes the record along. */
void nf_usm_context_put(struct nf_usm_context *context);

/* ---- blocks.c: from a pointer to the allocation that it points into ----------------------------------------------- */

enum nf_usm_view { NF_USM_HOST_VIEW, NF_USM_DEVICE_VIEW };

/* One allocation of the application's. Records are never given back to the system, so that a look-up needs no lock. */
struct nf_usm_block {
    char *base;
    size_t size;
    atomic_uint live; /* 0: free, or freed */
    cl_unified_shared_memory_type_intel type;
    cl_mem_alloc_flags_intel flags;
    cl_device_id device; /* NULL for the host's */
    struct nf_usm_context *context;
    struct nf_usm_slab *slab; /* NULL: it has driver memory of its own */
    void *memory;             /* that memory */
    size_t room;              /* bytes of it that begin at `base` */
    struct nf_usm_uses *uses; /* of a retired block: the commands that it waits for */
    struct nf_usm_block *next;

    /* Where the context is not fine-grained, under its lock: */
    enum nf_usm_view view, home;         /* who may touch it, and who may while no command uses it */
    bool moving;                         /* from one to the other */
    bool doomed;                         /* freed by the application: the last of the turns gives it back */
    unsigned users;                      /* commands that it is in its view for */
    unsigned turns;                      /* commands that have it among what they may use */
    uint64_t seen;                       /* the context's `filled` when a turn got it last: no turn has it twice */
    struct nf_usm_block *after, **place; /* in the context's list */
};

enum { NF_USM_PAGE = 4096 };

/* @return the allocation that `pointer` points into, NULL when it points into none. Takes no lock. */
struct nf_usm_block *nf_usm_block_find(const void *pointer);
/* A block begins at `base`, or a slab of slots, and has that page and those behind it for itself. @return false when memory
 * ends. */
bool nf_usm_beginning_set(const char *base, struct nf_usm_block *block, struct nf_usm_slab *slab);
void nf_usm_beginning_clear(const char *base);
/* @return a record of the store, cleared; NULL when memory ends. */
struct nf_usm_block *nf_usm_block_new(void);
void nf_usm_block_give(struct nf_usm_block *block);

/* ---- addresses.c: device memory where there is no SVM ------------------------------------------------------------- */

extern const struct nf_usm_svm nf_usm_address_calls;

/* ---- memory.c: the driver's memory, in slabs and by itself -------------------------------------------------------- */

/* Driver memory for slots of one size. */
struct nf_usm_slab {
    char *base;
    size_t slot;
    unsigned class, count, used;
    unsigned free; /* the first free slot + 1; the next one's number stands in `next_free` */
    void *memory;
    struct nf_usm_slab *next, **place;
    unsigned *next_free;
    struct nf_usm_block blocks[];
};

/* @return a block of `size` bytes, not yet live; NULL when the driver gives none. */
struct nf_usm_block *nf_usm_memory_take(struct nf_usm_context *context, size_t size, size_t alignment);
/* Give a block back that nothing uses any more. */
void nf_usm_memory_give(struct nf_usm_block *block);
/* Give the driver back what is kept for blocks to come: it has no more memory. */
void nf_usm_memory_relieve(struct nf_usm_context *context);
/* @return two bytes that a command may copy from one to the other; NULL when the driver gives none. */
char *nf_usm_scratch(struct nf_usm_context *context);
/* Give the driver back what no block lives in. */
void nf_usm_memory_trim(struct nf_usm_context *context);

/* ---- context_calls.c: contexts as the application makes them, keeps them and lets them go ---------------------------- */

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

/* ---- allocate.c: allocation, free, questions ---------------------------------------------------------------------- */

/* Give back what the application has freed and no command uses any more, up to so many of those that are still used: each
 * allocation and free looks at a few, so that thousands that wait cost each no more than a few do. */
void nf_usm_sweep(struct nf_usm_context *context, unsigned looks);
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

/* ---- waits.c: hearing that an event is over ------------------------------------------------------------------------ */

/* One wait, in memory of the caller's. */
struct nf_usm_wait {
    struct nf_usm_record record;
    struct nf_usm_context *context;
    cl_event event; /* held by the caller */
    void (*then)(void *user, cl_int status);
    void *user;
    struct nf_usm_wait *after, **place; /* in the context's list */
    bool is_looked_at;                  /* somebody has found it there, and tells of it, unless the driver does */
};

/* Call wait->then once the event is over, with its status, on whatever thread; `wait` has all but the record set. It may be
 * gone when this returns. */
void nf_usm_wait_for(struct nf_usm_wait *wait);
/* Look for events that are over and of which nobody tells. Call it after what may have made one fail. */
void nf_usm_waits_look(struct nf_usm_context *context);
/* @return the status of an event, negative when it has failed. */
cl_int nf_usm_status_of(cl_event event);

/* ---- turns.c: whose view of coarse-grained memory it is, and for how long ------------------------------------------- */

/* A command's turn with the blocks that it may use: from its enqueuing to its completion. */
struct nf_usm_turn;
struct nf_usm_queue;

/* What a command needs: blocks of `reach` in the device's view, and those that its host pointers lead to in the host's.
 * @return NULL when it needs none of ours, with CL_SUCCESS in `error`, or when it cannot be had. */
struct nf_usm_turn *nf_usm_turn_new(struct nf_usm_queue *queue, const struct nf_usm_reach *reach, size_t host_count,
                                    const void *const *hosts, cl_int *error);
/* Begin once what the command waits for is complete. @return an event for the command to wait for, NULL: see `error`. */
cl_event nf_usm_turn_begin(struct nf_usm_turn *turn, cl_uint wait_count, const cl_event *wait, cl_int *error);
/* End once `command` is complete: NULL when it could not be enqueued. Takes over `turn`. `event` gets an event that is
 * complete when all is again as the host expects it. */
cl_int nf_usm_turn_end(struct nf_usm_turn *turn, cl_event command, cl_event *event);
/* A turn that has not begun is not wanted. */
void nf_usm_turn_drop(struct nf_usm_turn *turn);
/* The driver's pointers of all the blocks of a turn, `*count` of them; NULL when memory ends. */
const void **nf_usm_turn_memories(const struct nf_usm_turn *turn, size_t *count);
/* A block is new, and to be seen by the host or not. @return CL_SUCCESS, or why the driver does not let it. */
cl_int nf_usm_block_enlist(struct nf_usm_block *block);
/* The application frees a block. @return whether it may be given back now; if not, the last turn does that. */
bool nf_usm_block_delist(struct nf_usm_block *block);

/* ---- queue.c: queues ---------------------------------------------------------------------------------------------- */

struct nf_usm_queue {
    struct nf_usm_record record;
    struct nf_usm_context *context;
    const struct nf_usm_device *device;
    bool in_order;
    uint64_t number;            /* of an order-keeping queue: no other has it, before or after; else 0 */
    atomic_uint_fast64_t clock; /* beginnings and ends of enqueueing, in the order that they had */
};

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

/* ---- buffer.c: buffers and images that are other names of coarse-grained shared memory -------------------------------- */

/* @return the shared memory that a buffer or image is another name of, or NULL. */
char *nf_usm_buffer_memory(cl_mem buffer);
/* @return whether the buffer has that part, and was made without any of the flags that close it. */
bool nf_usm_buffer_has(cl_mem buffer, size_t offset, size_t size, cl_mem_flags closed);
/* @return whether memory there needs a look: it is ours, and coarse-grained. */
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

/* ---- kernel.c: what a kernel can reach ---------------------------------------------------------------------------- */

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
/* Name memory to the driver for the kernel's next launch, beside what the application names. */
cl_int nf_usm_kernel_name(cl_kernel kernel, size_t count, const void *const *memories);
/* @return what a launch of the kernel reaches, held once for the caller; NULL: nothing of ours, or memory ended, as `*error`
 * says. */
struct nf_usm_reach *nf_usm_kernel_reach(cl_kernel kernel, cl_int *error);

/* ---- enqueue.c: one way for all commands ------------------------------------------------------------------------- */

/* A command before it is enqueued. */
struct nf_usm_command {
    cl_command_type type; /* as the application knows it */
    bool renamed;         /* the driver knows it as another */
    bool blocking;
    struct nf_usm_reach *reach; /* held; NULL: nothing of ours */
    size_t host_count;
    const void *hosts[2]; /* memory that the driver touches as the host does */
    cl_kernel kernel;     /* of a launch that may reach what is no argument */
    /* Give it to the driver, not blocking. */
    cl_int (*give)(cl_command_queue queue, const void *what, cl_uint wait_count, const cl_event *wait, cl_event *event);
    const void *what;
};

/* Enqueue it, with the memory in the view that it needs. Takes over its reach. */
cl_int nf_usm_enqueue(struct nf_usm_queue *queue, const struct nf_usm_command *command, cl_uint wait_count,
                      const cl_event *wait, cl_event *event);

/* A copy or fill. */
struct nf_usm_work {
    cl_command_type type;
    bool blocking;
    void *target;
    const void *source; /* or the pattern of a fill */
    size_t pattern;     /* its size, 0: a copy */
    size_t size;        /* 0: it does nothing, in its place in the queue */
};

cl_int nf_usm_enqueue_work(struct nf_usm_queue *queue, const struct nf_usm_work *work, cl_uint wait_count,
                           const cl_event *wait, cl_event *event);

/* ---- commands.c: launches, copies, fills -------------------------------------------------------------------------- */

cl_int CL_API_CALL nf_usm_enqueue_nd_range_kernel(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions,
                                                  const size_t *offset, const size_t *global, const size_t *local,
                                                  cl_uint wait_count, const cl_event *wait, cl_event *event);
cl_int CL_API_CALL nf_usm_enqueue_task(cl_command_queue queue, cl_kernel kernel, cl_uint wait_count,
                                       const cl_event *wait, cl_event *event);
/* clEnqueueCommandBufferKHR, and the first driver's that was asked for. */
cl_int CL_API_CALL nf_usm_enqueue_command_buffer(cl_uint queue_count, cl_command_queue *queues, void *buffer,
                                                 cl_uint wait_count, const cl_event *wait, cl_event *event);
void nf_usm_command_buffers_are(nf_cl_function function);
/* clCommandNDRangeKernelKHR */
cl_int CL_API_CALL nf_usm_record_kernel(void *buffer, cl_command_queue queue, const void *properties, cl_kernel kernel,
                                        cl_uint dimensions, const size_t *offset, const size_t *global,
                                        const size_t *local, cl_uint count, const cl_uint *wait, cl_uint *point,
                                        void *changeable);
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

/* ---- transfers.c: commands on buffers and images that meet coarse-grained shared memory ------------------------------ */

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

/* ---- event.c: events of ours say what the application asked for --------------------------------------------------- */

/* The application has just got `event`, of a command that it knows as `type`. What the command did and when is known of
 * `command`, which this takes over; NULL: of the event itself. */
void nf_usm_event_is(cl_event event, cl_command_type type, cl_event command);
/* Is this thread in a call-back for an event? Nothing may be waited for there. */
bool nf_usm_in_callback(void);

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

/* ---- table.c: every call that we take part in, and by its name ---------------------------------------------------- */

/* A parameter name that only this layer answers, for a NULL event: how a second copy notices the first. */
#define NF_USM_PROBE_PARAM ((cl_event_info)0x4e46554du)
#define NF_USM_PROBE_ANSWER 0x6e6f6e666c617475ull

extern const cl_icd_dispatch nf_usm_dispatch;

#endif
