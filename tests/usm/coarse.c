/* SPDX-License-Identifier: Apache-2.0 */
/*
 * coarse.c - a test layer that turns any CPU driver into a strict one that has coarse-grained SVM only. SVM memory is
 * inaccessible by default: the host may access it only while it is mapped, a kernel only if it is an argument or
 * listed. OPENCL_LAYERS lists this layer before the layer under test, so that it is between that layer and the driver:
 *
 *     OPENCL_LAYERS=/abs/libnonflat_coarse.so:/abs/libnonflat_usm.so
 *
 * Implementation: SVM memory consists of pages of this layer. A region counts the commands that use it and its maps,
 * and its pages are readable and writable while either count is not 0. Native kernels change both counts, so in the
 * order in which the commands really run. A command that uses a region which is mapped, an unmap without a map, a free
 * of a region in use: each prints a line "coarse: ..." on standard error, and ends the process. An access to protected
 * pages is a fault.
 *
 * The events of its commands are those of native kernels, and report that type. coarse.h has the function by which a
 * test makes it refuse a map or an unmap.
 */
#define _GNU_SOURCE
#include "coarse.h"
#include "test_layer.h"

#include <pthread.h>
#include <search.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { PAGE = 4096, ARGUMENTS = 256 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void __attribute__((format(printf, 1, 2), noreturn)) violation(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fputs("coarse: ", stderr);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    abort();
}

/* ---- regions ---- */

struct region {
    char *base;
    size_t size; /* whole pages */
    cl_context context;
    unsigned users, mapped;
    unsigned long step; /* number of the last step that visited it */
};

static void *regions; /* a tree, because tests have thousands */

/* Overlapping regions compare equal. */
static int compare(const void *a, const void *b)
{
    const struct region *x = a, *y = b;
    if (x->base + x->size <= y->base) return -1;
    return y->base + y->size <= x->base;
}

/* needs: the lock. */
static struct region *find(const void *pointer)
{
    const struct region there = {.base = (char *)pointer, .size = 1};
    struct region **found = pointer ? tfind(&there, &regions, compare) : NULL;
    return found ? *found : NULL;
}

/* needs: the lock. */
static void protect(struct region *region)
{
    int open = region->users || region->mapped ? PROT_READ | PROT_WRITE : PROT_NONE;
    if (mprotect(region->base, region->size, open) != 0) violation("mprotect failed");
}

static void *CL_API_CALL svm_alloc(cl_context context, cl_svm_mem_flags flags, size_t size, cl_uint alignment)
{
    if ((flags & (CL_MEM_SVM_FINE_GRAIN_BUFFER | CL_MEM_SVM_ATOMICS)) || size == 0 || alignment > 128) return NULL;
    struct region *region = calloc(1, sizeof *region);
    region->size = (size + PAGE - 1) / PAGE * PAGE;
    /* A protected page on each side, so that an overrun is a fault. */
    char *base = mmap(NULL, region->size + 2 * PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (base == MAP_FAILED) {
        free(region);
        return NULL;
    }
    region->base = base + PAGE;
    region->context = context;
    pthread_mutex_lock(&lock);
    tsearch(region, &regions, compare);
    pthread_mutex_unlock(&lock);
    return region->base;
}

static void CL_API_CALL svm_free(cl_context context, void *pointer)
{
    (void)context;
    if (!pointer) return;
    pthread_mutex_lock(&lock);
    struct region *region = find(pointer);
    if (!region || region->base != pointer) violation("clSVMFree of %p, which is no SVM", pointer);
    if (region->users) violation("clSVMFree of %p, which a command uses", pointer);
    tdelete(region, &regions, compare);
    pthread_mutex_unlock(&lock);
    munmap(region->base - PAGE, region->size + 2 * PAGE);
    free(region);
}

/* ---- the memory that a kernel may access ------------------------------------------------------------------------- */

struct kernel {
    cl_kernel handle;
    void *arguments[ARGUMENTS];
    void **listed;
    size_t listed_count;
    struct kernel *next;
};

/* Buffers and images over SVM. */
struct buffer {
    cl_mem handle;
    void *pointer;
    struct buffer *next;
};

static struct kernel *kernels;
static struct buffer *buffers;

/* needs: the lock. */
static struct kernel *find_kernel(cl_kernel handle)
{
    struct kernel *kernel = kernels;
    while (kernel && kernel->handle != handle)
        kernel = kernel->next;
    if (!kernel && (kernel = calloc(1, sizeof *kernel)) != NULL) {
        kernel->handle = handle;
        kernel->next = kernels;
        kernels = kernel;
    }
    return kernel;
}

static void forget_kernel(cl_kernel handle)
{
    pthread_mutex_lock(&lock);
    struct kernel *kernel = find_kernel(handle);
    free(kernel->listed);
    memset(kernel->arguments, 0, sizeof kernel->arguments);
    kernel->listed = NULL;
    kernel->listed_count = 0;
    pthread_mutex_unlock(&lock);
}

/* needs: the lock. @return the SVM below a buffer, or NULL. */
static void *below(cl_mem handle)
{
    struct buffer *buffer = buffers;
    while (buffer && buffer->handle != handle)
        buffer = buffer->next;
    return buffer ? buffer->pointer : NULL;
}

static void set_argument(cl_kernel handle, cl_uint index, void *pointer)
{
    if (index >= ARGUMENTS) violation("argument %u", index);
    pthread_mutex_lock(&lock);
    find_kernel(handle)->arguments[index] = pointer;
    pthread_mutex_unlock(&lock);
}

static cl_int CL_API_CALL set_kernel_arg(cl_kernel kernel, cl_uint index, size_t size, const void *value)
{
    cl_mem buffer = NULL;
    void *pointer = NULL;
    cl_int error = next.clSetKernelArg(kernel, index, size, value);
    if (error != CL_SUCCESS) return error;
    if (size == sizeof buffer && value) {
        memcpy(&buffer, value, sizeof buffer);
        pthread_mutex_lock(&lock);
        pointer = below(buffer);
        pthread_mutex_unlock(&lock);
    }
    set_argument(kernel, index, pointer);
    return error;
}

static cl_int CL_API_CALL set_kernel_arg_svm_pointer(cl_kernel kernel, cl_uint index, const void *value)
{
    pthread_mutex_lock(&lock);
    bool known = !value || find(value);
    pthread_mutex_unlock(&lock);
    if (!known) return CL_INVALID_ARG_VALUE;
    cl_int error = next.clSetKernelArgSVMPointer(kernel, index, value);
    if (error == CL_SUCCESS) set_argument(kernel, index, (void *)value);
    return error;
}

static cl_int CL_API_CALL set_kernel_exec_info(cl_kernel handle, cl_kernel_exec_info name, size_t size,
                                               const void *value)
{
    if (name != CL_KERNEL_EXEC_INFO_SVM_PTRS) return CL_INVALID_VALUE;
    if (!value || size == 0 || size % sizeof(void *)) return CL_INVALID_VALUE;
    pthread_mutex_lock(&lock);
    struct kernel *kernel = find_kernel(handle);
    free(kernel->listed);
    kernel->listed = malloc(size);
    memcpy(kernel->listed, value, size);
    kernel->listed_count = size / sizeof(void *);
    for (size_t i = 0; i < kernel->listed_count; i++)
        if (!find(kernel->listed[i])) violation("%p is listed for a kernel and is no SVM", kernel->listed[i]);
    pthread_mutex_unlock(&lock);
    return CL_SUCCESS;
}

static cl_int CL_API_CALL release_kernel(cl_kernel kernel)
{
    cl_uint count = 0;
    if (next.clGetKernelInfo(kernel, CL_KERNEL_REFERENCE_COUNT, sizeof count, &count, NULL) == CL_SUCCESS && count == 1)
        forget_kernel(kernel);
    return next.clReleaseKernel(kernel);
}

static cl_kernel CL_API_CALL create_kernel(cl_program program, const char *name, cl_int *error)
{
    cl_kernel kernel = next.clCreateKernel(program, name, error);
    if (kernel) forget_kernel(kernel);
    return kernel;
}

static cl_kernel CL_API_CALL clone_kernel(cl_kernel source, cl_int *error)
{
    cl_kernel clone = next.clCloneKernel(source, error);
    if (!clone) return clone;
    forget_kernel(clone);
    pthread_mutex_lock(&lock);
    struct kernel *to = find_kernel(clone), *from = find_kernel(source);
    if (!to || !from) abort();
    memcpy(to->arguments, from->arguments, sizeof to->arguments);
    to->listed = malloc((from->listed_count + 1) * sizeof(void *));
    if (from->listed_count) memcpy(to->listed, from->listed, from->listed_count * sizeof(void *));
    to->listed_count = from->listed_count;
    pthread_mutex_unlock(&lock);
    return clone;
}

struct step;

/* ---- recorded commands: a command buffer uses the memory of all its commands ------------------------------------- */

struct recorded {
    const void *buffer;
    void *pointer;     /* memory that a kernel uses; NULL: a copy or fill, which runs after the driver's commands */
    struct step *step; /* without its regions */
    struct recorded *next;
};

static struct recorded *recorded;

static void note_recorded(const void *buffer, void *pointer, struct step *step)
{
    struct recorded *new = calloc(1, sizeof *new);
    pthread_mutex_lock(&lock);
    *new = (struct recorded){buffer, pointer, step, recorded};
    recorded = new;
    pthread_mutex_unlock(&lock);
}

/* The driver's functions, which are looked up by name. */
static void *their_record, *their_copy, *their_fill, *their_enqueue;

typedef cl_int(CL_API_CALL *record_fn)(void *, cl_command_queue, const void *, cl_kernel, cl_uint, const size_t *,
                                       const size_t *, const size_t *, cl_uint, const cl_uint *, cl_uint *, void *);

static cl_int CL_API_CALL record_kernel(void *buffer, cl_command_queue queue, const void *properties, cl_kernel handle,
                                        cl_uint dimensions, const size_t *offset, const size_t *global,
                                        const size_t *local, cl_uint count, const cl_uint *wait, cl_uint *point,
                                        void *command)
{
    record_fn call;
    memcpy(&call, &their_record, sizeof call);
    for (cl_uint i = 0; i < ARGUMENTS; i++) {
        pthread_mutex_lock(&lock);
        void *pointer = find_kernel(handle)->arguments[i];
        pthread_mutex_unlock(&lock);
        if (pointer) note_recorded(buffer, pointer, NULL);
    }
    return call(buffer, queue, properties, handle, dimensions, offset, global, local, count, wait, point, command);
}

/* ---- steps: changes of regions while commands run ---------------------------------------------------------------- */

enum step_kind { OPEN, CLOSE, MAP, UNMAP, COPY, FILL };

/* The state of a command that uses regions: shared by its OPEN and its CLOSE, which frees it. */
enum use { NOT_BEGUN, BEGUN, REFUSED };

struct step {
    enum step_kind kind;
    enum use *use; /* shared with the other step of the command; NULL: the command has one step */
    size_t count;
    struct region **regions;
    void *target;
    const void *source;
    size_t size, unit;
    char pattern[128];
};

/* needs: the lock. */
static void change(struct region *region, enum step_kind kind)
{
    switch (kind) {
    case OPEN:
        if (region->mapped) violation("a command uses %p, which is mapped", (void *)region->base);
        region->users++;
        break;
    case CLOSE: region->users--; break;
    case MAP:
        if (region->users) violation("%p is mapped while a command uses it", (void *)region->base);
        region->mapped++;
        break;
    default:
        if (region->mapped == 0) violation("%p is unmapped, and was not mapped", (void *)region->base);
        region->mapped--;
        break;
    }
    protect(region);
}

/* A command that the driver refused uses no memory. */
static void change_all(const struct step *step, enum step_kind kind)
{
    pthread_mutex_lock(&lock);
    if (step->use && *step->use == NOT_BEGUN) *step->use = BEGUN;
    const bool refused = step->use && *step->use == REFUSED;
    for (size_t i = 0; i < step->count && !refused; i++)
        change(step->regions[i], kind);
    pthread_mutex_unlock(&lock);
}

static void work(const struct step *step)
{
    if (step->kind == COPY) memcpy(step->target, step->source, step->size);
    for (size_t at = 0; step->kind == FILL && at < step->size; at += step->unit)
        memcpy((char *)step->target + at, step->pattern, step->unit);
}

static void CL_CALLBACK run_step(void *argument)
{
    struct step *step = *(struct step **)argument;
    bool works = step->kind == COPY || step->kind == FILL;
    change_all(step, works ? OPEN : step->kind);
    if (works) {
        work(step);
        change_all(step, CLOSE);
    }
    if (step->kind == CLOSE) free(step->use);
    free(step->regions);
    free(step);
}

static cl_context context_of(cl_command_queue queue)
{
    cl_context context = NULL;
    next.clGetCommandQueueInfo(queue, CL_QUEUE_CONTEXT, sizeof context, &context, NULL);
    return context;
}

/* needs: the lock. @return a step for the regions to which the pointers lead, each region once, as far as they belong
 * to the queue's context. A region of another context is ordinary host memory for this queue, which may be accessed
 * while it is mapped. */
static struct step *make_step(cl_command_queue queue, enum step_kind kind, size_t count, void *const *pointers)
{
    static unsigned long made;
    const cl_context context = context_of(queue);
    struct step *step = calloc(1, sizeof *step);
    step->kind = kind;
    step->regions = calloc(count + 1, sizeof(struct region *));
    made++;
    for (size_t i = 0; i < count; i++) {
        struct region *region = find(pointers[i]);
        if (!region || region->context != context || region->step == made) continue;
        region->step = made;
        step->regions[step->count++] = region;
    }
    return step;
}

static struct step *make_step_of(cl_command_queue queue, enum step_kind kind, void *a, const void *b)
{
    void *pointers[] = {a, (void *)b};
    pthread_mutex_lock(&lock);
    struct step *step = make_step(queue, kind, 2, pointers);
    pthread_mutex_unlock(&lock);
    return step;
}

static cl_int enqueue(cl_command_queue queue, struct step *step, cl_uint wait_count, const cl_event *wait,
                      cl_event *event)
{
    return next.clEnqueueNativeKernel(queue, run_step, &step, sizeof step, 0, NULL, NULL, wait_count, wait, event);
}

static cl_int enqueue_and_wait(cl_command_queue queue, cl_bool blocking, struct step *step, cl_uint wait_count,
                               const cl_event *wait, cl_event *event)
{
    cl_event own = NULL;
    cl_int error = enqueue(queue, step, wait_count, wait, &own);
    if (error == CL_SUCCESS && blocking) error = next.clWaitForEvents(1, &own);
    if (error == CL_SUCCESS && event)
        *event = own;
    else if (own)
        next.clReleaseEvent(own);
    return error;
}

/* ---- the commands ---- */

/* A command of the driver, and its arguments. */
struct command {
    cl_int (*give)(cl_command_queue queue, const void *what, cl_uint wait_count, const cl_event *wait, cl_event *event);
    const void *what;
};

/* Enqueues a command of the driver that uses the regions of these pointers. */
static cl_int enqueue_using(cl_command_queue queue, size_t count, void *const *pointers, struct command command,
                            cl_uint wait_count, const cl_event *wait, cl_event *event)
{
    cl_event opened = NULL, done = NULL;
    pthread_mutex_lock(&lock);
    struct step *open = make_step(queue, OPEN, count, pointers), *close = make_step(queue, CLOSE, count, pointers);
    pthread_mutex_unlock(&lock);
    if (open->count == 0) {
        free(open->regions), free(close->regions), free(open), free(close);
        return command.give(queue, command.what, wait_count, wait, event);
    }
    enum use *use = open->use = close->use = calloc(1, sizeof *use);
    cl_int error = enqueue(queue, open, wait_count, wait, &opened);
    if (error != CL_SUCCESS) return error;
    error = command.give(queue, command.what, 1, &opened, &done);
    pthread_mutex_lock(&lock);
    if (error != CL_SUCCESS && *use == NOT_BEGUN) *use = REFUSED;
    pthread_mutex_unlock(&lock);
    cl_int closed = enqueue(queue, close, 1, error == CL_SUCCESS ? &done : &opened, error == CL_SUCCESS ? event : NULL);
    /* `opened` and `done` are retained: PoCL 3.1 crashes if an event fails that was released while others wait for
     * it. */
    return error != CL_SUCCESS ? error : closed;
}

struct launch {
    cl_kernel kernel;
    cl_uint dimensions;
    const size_t *offset, *global, *local;
};

static cl_int give_launch(cl_command_queue queue, const void *what, cl_uint wait_count, const cl_event *wait,
                          cl_event *event)
{
    const struct launch *l = what;
    return next.clEnqueueNDRangeKernel(queue, l->kernel, l->dimensions, l->offset, l->global, l->local, wait_count,
                                       wait, event);
}

static cl_int enqueue_launch(cl_command_queue queue, const struct launch *launch, cl_uint wait_count,
                             const cl_event *wait, cl_event *event)
{
    pthread_mutex_lock(&lock);
    struct kernel *kernel = find_kernel(launch->kernel);
    size_t count = ARGUMENTS + kernel->listed_count;
    void **pointers = malloc(count * sizeof *pointers);
    memcpy(pointers, kernel->arguments, sizeof kernel->arguments);
    if (kernel->listed_count) memcpy(pointers + ARGUMENTS, kernel->listed, kernel->listed_count * sizeof(void *));
    pthread_mutex_unlock(&lock);
    cl_int error =
        enqueue_using(queue, count, pointers, (struct command){give_launch, launch}, wait_count, wait, event);
    free(pointers);
    return error;
}

static cl_int CL_API_CALL enqueue_nd_range(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions,
                                           const size_t *offset, const size_t *global, const size_t *local,
                                           cl_uint wait_count, const cl_event *wait, cl_event *event)
{
    const struct launch launch = {kernel, dimensions, offset, global, local};
    return enqueue_launch(queue, &launch, wait_count, wait, event);
}

static cl_int CL_API_CALL enqueue_task(cl_command_queue queue, cl_kernel kernel, cl_uint wait_count,
                                       const cl_event *wait, cl_event *event)
{
    const size_t one = 1;
    const struct launch launch = {.kernel = kernel, .dimensions = 1, .global = &one, .local = &one};
    return enqueue_launch(queue, &launch, wait_count, wait, event);
}

static cl_int CL_API_CALL svm_memcpy(cl_command_queue queue, cl_bool blocking, void *target, const void *source,
                                     size_t size, cl_uint wait_count, const cl_event *wait, cl_event *event)
{
    const uintptr_t to = (uintptr_t)target, from = (uintptr_t)source;
    if (!target || !source || size == 0) return CL_INVALID_VALUE;
    if (to < from + size && from < to + size) return CL_MEM_COPY_OVERLAP;
    struct step *step = make_step_of(queue, COPY, target, source);
    step->target = target;
    step->source = source;
    step->size = size;
    return enqueue_and_wait(queue, blocking, step, wait_count, wait, event);
}

static cl_int CL_API_CALL svm_memfill(cl_command_queue queue, void *target, const void *pattern, size_t unit,
                                      size_t size, cl_uint wait_count, const cl_event *wait, cl_event *event)
{
    if (!target || !pattern || unit == 0 || unit > 128 || size == 0 || size % unit) return CL_INVALID_VALUE;
    struct step *step = make_step_of(queue, FILL, target, NULL);
    step->target = target;
    step->size = size;
    step->unit = unit;
    memcpy(step->pattern, pattern, unit);
    return enqueue_and_wait(queue, CL_FALSE, step, wait_count, wait, event);
}

/* ---- maps, and refused maps -------------------------------------------------------------------------------------- */

static struct {
    int left[2]; /* number of maps and of unmaps that succeed before one fails; negative: all succeed */
    bool later;
} refusals = {{-1, -1}, false};

static void refuse_one(int unmap, unsigned after, int later)
{
    pthread_mutex_lock(&lock);
    refusals.left[unmap != 0] = (int)after;
    refusals.later = later;
    pthread_mutex_unlock(&lock);
}

static bool is_refused(bool unmap)
{
    pthread_mutex_lock(&lock);
    bool refused = refusals.left[unmap] == 0;
    if (refusals.left[unmap] >= 0) refusals.left[unmap]--;
    pthread_mutex_unlock(&lock);
    return refused;
}

/* Does not execute `step`: returns an error, or an event that fails. */
static cl_int refuse(cl_command_queue queue, struct step *step, cl_event *event)
{
    free(step->regions), free(step);
    if (!refusals.later || !event) return COARSE_REFUSED;
    *event = next.clCreateUserEvent(context_of(queue), NULL);
    return next.clSetUserEventStatus(*event, COARSE_REFUSED);
}

static cl_int CL_API_CALL svm_map(cl_command_queue queue, cl_bool blocking, cl_map_flags flags, void *pointer,
                                  size_t size, cl_uint wait_count, const cl_event *wait, cl_event *event)
{
    if (!pointer || size == 0 || flags == 0) return CL_INVALID_VALUE;
    struct step *step = make_step_of(queue, MAP, pointer, NULL);
    if (step->count == 0) violation("clEnqueueSVMMap of %p, which is no SVM", pointer);
    if (is_refused(false)) return refuse(queue, step, event);
    return enqueue_and_wait(queue, blocking, step, wait_count, wait, event);
}

static cl_int CL_API_CALL svm_unmap(cl_command_queue queue, void *pointer, cl_uint wait_count, const cl_event *wait,
                                    cl_event *event)
{
    struct step *step = make_step_of(queue, UNMAP, pointer, NULL);
    if (step->count == 0) violation("clEnqueueSVMUnmap of %p, which is no SVM", pointer);
    if (is_refused(true)) return refuse(queue, step, event);
    return enqueue_and_wait(queue, CL_FALSE, step, wait_count, wait, event);
}

/* ---- buffers over SVM: a command on one uses the SVM memory ------------------------------------------------------ */

/* Records an object over SVM memory, or removes the record, because drivers reuse handles. */
static cl_mem note(cl_mem made, void *pointer)
{
    if (!made) return made;
    pthread_mutex_lock(&lock);
    struct buffer *buffer = buffers;
    while (buffer && buffer->handle != made)
        buffer = buffer->next;
    if (!buffer) {
        buffer = calloc(1, sizeof *buffer);
        buffer->handle = made;
        buffer->next = buffers;
        buffers = buffer;
    }
    buffer->pointer = find(pointer) ? pointer : NULL;
    pthread_mutex_unlock(&lock);
    return made;
}

static cl_mem CL_API_CALL create_buffer(cl_context context, cl_mem_flags flags, size_t size, void *pointer,
                                        cl_int *error)
{
    cl_mem made = next.clCreateBuffer(context, flags, size, pointer, error);
    return note(made, flags & CL_MEM_USE_HOST_PTR ? pointer : NULL);
}

static cl_mem CL_API_CALL create_sub_buffer(cl_mem whole, cl_mem_flags flags, cl_buffer_create_type type,
                                            const void *region, cl_int *error)
{
    pthread_mutex_lock(&lock);
    void *pointer = below(whole);
    pthread_mutex_unlock(&lock);
    return note(next.clCreateSubBuffer(whole, flags, type, region, error), pointer);
}

static cl_mem CL_API_CALL create_image(cl_context context, cl_mem_flags flags, const cl_image_format *format,
                                       const cl_image_desc *desc, void *pointer, cl_int *error)
{
    cl_mem made = next.clCreateImage(context, flags, format, desc, pointer, error);
    return note(made, flags & CL_MEM_USE_HOST_PTR ? pointer : NULL);
}

static cl_int enqueue_on(cl_command_queue queue, cl_mem a, cl_mem b, struct command command, cl_uint wait_count,
                         const cl_event *wait, cl_event *event)
{
    pthread_mutex_lock(&lock);
    void *pointers[] = {a ? below(a) : NULL, b ? below(b) : NULL};
    pthread_mutex_unlock(&lock);
    return enqueue_using(queue, 2, pointers, command, wait_count, wait, event);
}

struct part {
    cl_mem source, target;
    size_t from, to, size;
    const void *pattern;
    size_t unit;
};

struct rectangle {
    cl_mem source, target;
    const size_t *from, *to, *region, *pitches;
    const void *color;
    size_t offset;
    void *host;
};

static cl_int give_copy(cl_command_queue queue, const void *what, cl_uint wait_count, const cl_event *wait,
                        cl_event *event)
{
    const struct part *p = what;
    return next.clEnqueueCopyBuffer(queue, p->source, p->target, p->from, p->to, p->size, wait_count, wait, event);
}

static cl_int CL_API_CALL copy_buffer(cl_command_queue queue, cl_mem source, cl_mem target, size_t from, size_t to,
                                      size_t size, cl_uint wait_count, const cl_event *wait, cl_event *event)
{
    const struct part part = {.source = source, .target = target, .from = from, .to = to, .size = size};
    return enqueue_on(queue, source, target, (struct command){give_copy, &part}, wait_count, wait, event);
}

static cl_int give_fill(cl_command_queue queue, const void *what, cl_uint wait_count, const cl_event *wait,
                        cl_event *event)
{
    const struct part *p = what;
    return next.clEnqueueFillBuffer(queue, p->target, p->pattern, p->unit, p->to, p->size, wait_count, wait, event);
}

static cl_int CL_API_CALL fill_buffer(cl_command_queue queue, cl_mem buffer, const void *pattern, size_t unit,
                                      size_t offset, size_t size, cl_uint wait_count, const cl_event *wait,
                                      cl_event *event)
{
    const struct part part = {.target = buffer, .to = offset, .size = size, .pattern = pattern, .unit = unit};
    return enqueue_on(queue, buffer, NULL, (struct command){give_fill, &part}, wait_count, wait, event);
}

static cl_int give_copy_rect(cl_command_queue queue, const void *what, cl_uint wait_count, const cl_event *wait,
                             cl_event *event)
{
    const struct rectangle *r = what;
    const size_t *p = r->pitches;
    return next.clEnqueueCopyBufferRect(queue, r->source, r->target, r->from, r->to, r->region, p[0], p[1], p[2], p[3],
                                        wait_count, wait, event);
}

static cl_int CL_API_CALL copy_rect(cl_command_queue queue, cl_mem source, cl_mem target, const size_t *from,
                                    const size_t *to, const size_t *region, size_t row, size_t slice, size_t target_row,
                                    size_t target_slice, cl_uint wait_count, const cl_event *wait, cl_event *event)
{
    const size_t pitches[] = {row, slice, target_row, target_slice};
    const struct rectangle r = {
        .source = source, .target = target, .from = from, .to = to, .region = region, .pitches = pitches};
    return enqueue_on(queue, source, target, (struct command){give_copy_rect, &r}, wait_count, wait, event);
}

static cl_int give_read_rect(cl_command_queue queue, const void *what, cl_uint wait_count, const cl_event *wait,
                             cl_event *event)
{
    const struct rectangle *r = what;
    const size_t *p = r->pitches;
    return next.clEnqueueReadBufferRect(queue, r->source, CL_FALSE, r->from, r->to, r->region, p[0], p[1], p[2], p[3],
                                        r->host, wait_count, wait, event);
}

static cl_int CL_API_CALL read_rect(cl_command_queue queue, cl_mem source, cl_bool blocking, const size_t *from,
                                    const size_t *to, const size_t *region, size_t row, size_t slice, size_t host_row,
                                    size_t host_slice, void *pointer, cl_uint wait_count, const cl_event *wait,
                                    cl_event *event)
{
    const size_t pitches[] = {row, slice, host_row, host_slice};
    const struct rectangle r = {
        .source = source, .from = from, .to = to, .region = region, .pitches = pitches, .host = pointer};
    pthread_mutex_lock(&lock);
    bool uses = below(source) != NULL;
    pthread_mutex_unlock(&lock);
    if (!uses)
        return next.clEnqueueReadBufferRect(queue, source, blocking, from, to, region, row, slice, host_row, host_slice,
                                            pointer, wait_count, wait, event);
    if (blocking) violation("a blocking read of a buffer over SVM");
    return enqueue_on(queue, source, NULL, (struct command){give_read_rect, &r}, wait_count, wait, event);
}

static cl_int give_fill_image(cl_command_queue queue, const void *what, cl_uint wait_count, const cl_event *wait,
                              cl_event *event)
{
    const struct rectangle *r = what;
    return next.clEnqueueFillImage(queue, r->target, r->color, r->to, r->region, wait_count, wait, event);
}

static cl_int CL_API_CALL fill_image(cl_command_queue queue, cl_mem image, const void *color, const size_t *to,
                                     const size_t *region, cl_uint wait_count, const cl_event *wait, cl_event *event)
{
    const struct rectangle r = {.target = image, .to = to, .region = region, .color = color};
    return enqueue_on(queue, image, NULL, (struct command){give_fill_image, &r}, wait_count, wait, event);
}

static cl_int give_copy_image(cl_command_queue queue, const void *what, cl_uint wait_count, const cl_event *wait,
                              cl_event *event)
{
    const struct rectangle *r = what;
    return next.clEnqueueCopyImage(queue, r->source, r->target, r->from, r->to, r->region, wait_count, wait, event);
}

static cl_int CL_API_CALL copy_image(cl_command_queue queue, cl_mem source, cl_mem target, const size_t *from,
                                     const size_t *to, const size_t *region, cl_uint wait_count, const cl_event *wait,
                                     cl_event *event)
{
    const struct rectangle r = {.source = source, .target = target, .from = from, .to = to, .region = region};
    return enqueue_on(queue, source, target, (struct command){give_copy_image, &r}, wait_count, wait, event);
}

static cl_int give_image_to_buffer(cl_command_queue queue, const void *what, cl_uint wait_count, const cl_event *wait,
                                   cl_event *event)
{
    const struct rectangle *r = what;
    return next.clEnqueueCopyImageToBuffer(queue, r->source, r->target, r->from, r->region, r->offset, wait_count, wait,
                                           event);
}

static cl_int CL_API_CALL image_to_buffer(cl_command_queue queue, cl_mem source, cl_mem target, const size_t *from,
                                          const size_t *region, size_t offset, cl_uint wait_count, const cl_event *wait,
                                          cl_event *event)
{
    const struct rectangle r = {.source = source, .target = target, .from = from, .region = region, .offset = offset};
    return enqueue_on(queue, source, target, (struct command){give_image_to_buffer, &r}, wait_count, wait, event);
}

static cl_int give_buffer_to_image(cl_command_queue queue, const void *what, cl_uint wait_count, const cl_event *wait,
                                   cl_event *event)
{
    const struct rectangle *r = what;
    return next.clEnqueueCopyBufferToImage(queue, r->source, r->target, r->offset, r->to, r->region, wait_count, wait,
                                           event);
}

static cl_int CL_API_CALL buffer_to_image(cl_command_queue queue, cl_mem source, cl_mem target, size_t offset,
                                          const size_t *to, const size_t *region, cl_uint wait_count,
                                          const cl_event *wait, cl_event *event)
{
    const struct rectangle r = {.source = source, .target = target, .to = to, .region = region, .offset = offset};
    return enqueue_on(queue, source, target, (struct command){give_buffer_to_image, &r}, wait_count, wait, event);
}

static cl_int give_read_image(cl_command_queue queue, const void *what, cl_uint wait_count, const cl_event *wait,
                              cl_event *event)
{
    const struct rectangle *r = what;
    return next.clEnqueueReadImage(queue, r->source, CL_FALSE, r->from, r->region, r->pitches[0], r->pitches[1],
                                   r->host, wait_count, wait, event);
}

static cl_int CL_API_CALL read_image(cl_command_queue queue, cl_mem image, cl_bool blocking, const size_t *from,
                                     const size_t *region, size_t row, size_t slice, void *pointer, cl_uint wait_count,
                                     const cl_event *wait, cl_event *event)
{
    const size_t pitches[] = {row, slice};
    const struct rectangle r = {.source = image, .from = from, .region = region, .pitches = pitches, .host = pointer};
    pthread_mutex_lock(&lock);
    bool uses = below(image) != NULL;
    pthread_mutex_unlock(&lock);
    if (!uses)
        return next.clEnqueueReadImage(queue, image, blocking, from, region, row, slice, pointer, wait_count, wait,
                                       event);
    if (blocking) violation("a blocking read of an image over SVM");
    return enqueue_on(queue, image, NULL, (struct command){give_read_image, &r}, wait_count, wait, event);
}

/* ---- queries about the device ------------------------------------------------------------------------------------ */

/* With COARSE_REMOTE set, the device is one of another machine, as PoCL lists them, and reports the extension for
 * shared memory, which must not be used: its functions are the driver's, which lacks them. */
static cl_int get_remote_info(cl_device_id device, cl_device_info name, size_t size, void *value, size_t *size_ret)
{
    static const char address[] = "127.0.0.1", more[] = " cl_intel_unified_shared_memory";
    char text[8192] = "";
    if (name == 0x4503) return give(address, sizeof address, size, value, size_ret);
    cl_int error = next.clGetDeviceInfo(device, name, sizeof text - sizeof more, text, NULL);
    strcat(text, more);
    return error == CL_SUCCESS ? give(text, strlen(text) + 1, size, value, size_ret) : error;
}

static cl_int CL_API_CALL get_device_info(cl_device_id device, cl_device_info name, size_t size, void *value,
                                          size_t *size_ret)
{
    const cl_device_svm_capabilities coarse = CL_DEVICE_SVM_COARSE_GRAIN_BUFFER;
    cl_device_svm_capabilities theirs = 0;
    if (name == CL_DEVICE_SVM_CAPABILITIES &&
        next.clGetDeviceInfo(device, name, sizeof theirs, &theirs, NULL) == CL_SUCCESS && theirs)
        return give(&coarse, sizeof coarse, size, value, size_ret);
    if ((name == CL_DEVICE_EXTENSIONS || name == 0x4503) && getenv("COARSE_REMOTE"))
        return get_remote_info(device, name, size, value, size_ret);
    return next.clGetDeviceInfo(device, name, size, value, size_ret);
}

/* ---- command buffers ---- */

/* Recording as before version 0.9.5 of the extension, which the tests' driver implements. The driver does not know
 * memory of this layer. */
static cl_int CL_API_CALL record_copy(void *buffer, cl_command_queue queue, void *target, const void *source,
                                      size_t size, cl_uint count, const cl_uint *wait, cl_uint *point, void *command)
{
    struct step *step = calloc(1, sizeof *step);
    (void)queue, (void)count, (void)wait, (void)point, (void)command;
    *step = (struct step){.kind = COPY, .target = target, .source = source, .size = size};
    note_recorded(buffer, NULL, step);
    return CL_SUCCESS;
}

static cl_int CL_API_CALL record_fill(void *buffer, cl_command_queue queue, void *target, const void *pattern,
                                      size_t unit, size_t size, cl_uint count, const cl_uint *wait, cl_uint *point,
                                      void *command)
{
    struct step *step = calloc(1, sizeof *step);
    (void)queue, (void)count, (void)wait, (void)point, (void)command;
    *step = (struct step){.kind = FILL, .target = target, .size = size, .unit = unit};
    memcpy(step->pattern, pattern, unit);
    note_recorded(buffer, NULL, step);
    return CL_SUCCESS;
}

typedef cl_int(CL_API_CALL *enqueue_buffer_fn)(cl_uint, cl_command_queue *, void *, cl_uint, const cl_event *,
                                               cl_event *);

static cl_int give_buffer(cl_command_queue queue, const void *what, cl_uint wait_count, const cl_event *wait,
                          cl_event *event)
{
    enqueue_buffer_fn call;
    memcpy(&call, &their_enqueue, sizeof call);
    return call(1, &queue, (void *)(uintptr_t)what, wait_count, wait, event);
}

/* Runs a recorded copy or fill after `*last`, which becomes its event. */
static cl_int enqueue_recorded(cl_command_queue queue, const struct step *of, cl_event *last)
{
    struct step *step = make_step_of(queue, of->kind, of->target, of->source), own = *step;
    cl_event event = NULL;
    *step = *of;
    step->count = own.count;
    step->regions = own.regions;
    cl_int error = enqueue(queue, step, 1, last, &event);
    next.clReleaseEvent(*last);
    *last = event;
    return error;
}

static cl_int CL_API_CALL enqueue_buffer(cl_uint count, cl_command_queue *queues, void *buffer, cl_uint wait_count,
                                         const cl_event *wait, cl_event *event)
{
    void *pointers[ARGUMENTS] = {NULL};
    const struct step *steps[ARGUMENTS] = {NULL};
    size_t used = 0, ran = 0;
    cl_event last = NULL;
    if (count != 1) violation("a command buffer for %u queues", count);
    pthread_mutex_lock(&lock);
    for (struct recorded *at = recorded; at && used < ARGUMENTS && ran < ARGUMENTS; at = at->next) {
        if (at->buffer == buffer && at->step) steps[ran++] = at->step; /* they are disjoint: any order will do */
        if (at->buffer == buffer && at->pointer) pointers[used++] = at->pointer;
    }
    pthread_mutex_unlock(&lock);
    struct step *nothing = used ? NULL : make_step(queues[0], OPEN, 0, NULL); /* then the driver's buffer is empty */
    cl_int error =
        used ? enqueue_using(queues[0], used, pointers, (struct command){give_buffer, buffer}, wait_count, wait, &last)
             : enqueue(queues[0], nothing, wait_count, wait, &last);
    for (size_t i = 0; i < ran && error == CL_SUCCESS; i++)
        error = enqueue_recorded(queues[0], steps[i], &last);
    if (event)
        *event = last;
    else if (last)
        next.clReleaseEvent(last);
    return error;
}

/* ---- functions by name ---- */

typedef void (*function)(void);

static const struct {
    const char *name;
    function ours;
    void **theirs; /* NULL: the driver lacks the function */
} by_name[] = {{COARSE_REFUSE_ONE, (function)refuse_one, NULL},
               {"clCommandNDRangeKernelKHR", (function)record_kernel, &their_record},
               {"clCommandSVMMemcpyKHR", (function)record_copy, &their_copy},
               {"clCommandSVMMemFillKHR", (function)record_fill, &their_fill},
               {"clEnqueueCommandBufferKHR", (function)enqueue_buffer, &their_enqueue}};

static void *CL_API_CALL get_extension(cl_platform_id platform, const char *name)
{
    void *address = next.clGetExtensionFunctionAddressForPlatform(platform, name);
    for (size_t i = 0; i < sizeof by_name / sizeof by_name[0]; i++) {
        if (strcmp(by_name[i].name, name) != 0) continue;
        if (by_name[i].theirs) *by_name[i].theirs = address;
        if (address || !by_name[i].theirs) memcpy(&address, &by_name[i].ours, sizeof address);
        break;
    }
    return address;
}

/* ---- the calls that it intercepts -------------------------------------------------------------------------------- */

const char test_layer_name[] = "coarse";

const cl_icd_dispatch test_layer_calls = {
    .clGetDeviceInfo = get_device_info,
    .clGetExtensionFunctionAddressForPlatform = get_extension,
    .clCreateBuffer = create_buffer,
    .clCreateSubBuffer = create_sub_buffer,
    .clCreateImage = create_image,
    .clEnqueueCopyBuffer = copy_buffer,
    .clEnqueueFillBuffer = fill_buffer,
    .clEnqueueCopyBufferRect = copy_rect,
    .clEnqueueReadBufferRect = read_rect,
    .clEnqueueFillImage = fill_image,
    .clEnqueueCopyImage = copy_image,
    .clEnqueueCopyBufferToImage = buffer_to_image,
    .clEnqueueReadImage = read_image,
    .clEnqueueCopyImageToBuffer = image_to_buffer,
    .clCreateKernel = create_kernel,
    .clCloneKernel = clone_kernel,
    .clReleaseKernel = release_kernel,
    .clSetKernelArg = set_kernel_arg,
    .clSetKernelArgSVMPointer = set_kernel_arg_svm_pointer,
    .clSetKernelExecInfo = set_kernel_exec_info,
    .clEnqueueNDRangeKernel = enqueue_nd_range,
    .clEnqueueTask = enqueue_task,
    .clSVMAlloc = svm_alloc,
    .clSVMFree = svm_free,
    .clEnqueueSVMMemcpy = svm_memcpy,
    .clEnqueueSVMMemFill = svm_memfill,
    .clEnqueueSVMMap = svm_map,
    .clEnqueueSVMUnmap = svm_unmap,
};
