/* SPDX-License-Identifier: Apache-2.0 */
/*
 * transfers.c - buffer and image commands that access coarse-grained shared memory. The driver accesses a host pointer
 * on the CPU, so the memory that it points to is in the host view during the command. A read or write of a buffer that
 * aliases such memory (buffer.c), other than of a rectangle, becomes an SVM copy. A map of it does nothing, because the
 * host may access the memory whenever no command uses it, and neither does a read or write with the aliased bytes as
 * its host pointer. Invalid calls are passed to the driver, which returns the
 * error.
 */
#include "layer/usm/usm.h"

enum {
    NOT_READ = CL_MEM_HOST_WRITE_ONLY | CL_MEM_HOST_NO_ACCESS, /* flags of objects that the host must not read */
    NOT_WRITTEN = CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_NO_ACCESS
};

/* ---- transfers between an object and the host ---- */

struct transfer {
    cl_command_type type;
    cl_mem object;
    size_t offset, size;                   /* buffer: bytes */
    const size_t *origin, *other, *region; /* rectangle: buffer origin, host origin, size; image: origin, NULL, size */
    size_t pitches[4];
    void *pointer;
};

static cl_int call_transfer(cl_command_queue queue, const void *what, cl_uint wait_count, const cl_event *wait,
                            cl_event *event)
{
    const struct transfer *t = what;
    const size_t *p = t->pitches;
    switch (t->type) {
    case CL_COMMAND_READ_BUFFER:
        return NF_CL_CALL(clEnqueueReadBuffer, CL_INVALID_OPERATION, queue, t->object, CL_FALSE, t->offset, t->size,
                          t->pointer, wait_count, wait, event);
    case CL_COMMAND_WRITE_BUFFER:
        return NF_CL_CALL(clEnqueueWriteBuffer, CL_INVALID_OPERATION, queue, t->object, CL_FALSE, t->offset, t->size,
                          t->pointer, wait_count, wait, event);
    case CL_COMMAND_READ_BUFFER_RECT:
        return NF_CL_CALL(clEnqueueReadBufferRect, CL_INVALID_OPERATION, queue, t->object, CL_FALSE, t->origin,
                          t->other, t->region, p[0], p[1], p[2], p[3], t->pointer, wait_count, wait, event);
    case CL_COMMAND_WRITE_BUFFER_RECT:
        return NF_CL_CALL(clEnqueueWriteBufferRect, CL_INVALID_OPERATION, queue, t->object, CL_FALSE, t->origin,
                          t->other, t->region, p[0], p[1], p[2], p[3], t->pointer, wait_count, wait, event);
    case CL_COMMAND_READ_IMAGE:
        return NF_CL_CALL(clEnqueueReadImage, CL_INVALID_OPERATION, queue, t->object, CL_FALSE, t->origin, t->region,
                          p[0], p[1], t->pointer, wait_count, wait, event);
    default:
        return NF_CL_CALL(clEnqueueWriteImage, CL_INVALID_OPERATION, queue, t->object, CL_FALSE, t->origin, t->region,
                          p[0], p[1], t->pointer, wait_count, wait, event);
    }
}

/* Enqueues the transfer if it accesses coarse-grained memory of this library and the queue is registered: then returns
 * true, with the result in `*error`. Otherwise returns false, and does nothing. */
static bool enqueue_transfer(cl_command_queue queue, const struct transfer *transfer, cl_bool blocking,
                             cl_uint wait_count, const cl_event *wait, cl_event *event, cl_int *error)
{
    char *memory = nf_usm_buffer_memory(transfer->object);
    bool accesses_shared = memory || nf_usm_is_coarse(transfer->pointer);
    struct nf_usm_queue *known = accesses_shared ? nf_usm_queue_find(queue) : NULL;
    if (!known) return false;
    struct nf_usm_command command = {.type = transfer->type,
                                     .blocking = blocking,
                                     .host_count = 1,
                                     .hosts = {transfer->pointer},
                                     .call_driver = call_transfer,
                                     .what = transfer};
    *error = nf_usm_access_set_of(memory, NULL, &command.accesses);
    if (*error == CL_SUCCESS) *error = nf_usm_enqueue(known, &command, wait_count, wait, event);
    return true;
}

static cl_int call_nothing(cl_command_queue queue, const void *what, cl_uint wait_count, const cl_event *wait,
                           cl_event *event)
{
    const struct nf_usm_transfer nothing = {.type = 0};
    (void)what;
    return nf_usm_enqueue_transfer(nf_usm_queue_find(queue), &nothing, wait_count, wait, event);
}

/* Enqueues a command without work that needs the memory in the host view, its view while no command uses it: a map or
 * unmap of a buffer, or a transfer between a buffer and the bytes that it aliases. */
static cl_int enqueue_host_view(struct nf_usm_queue *queue, cl_command_type type, char *memory, cl_bool blocking,
                                cl_uint wait_count, const cl_event *wait, cl_event *event)
{
    const struct nf_usm_command command = {.type = type,
                                           .renamed = true,
                                           .blocking = blocking,
                                           .host_count = 1,
                                           .hosts = {memory},
                                           .call_driver = call_nothing};
    return nf_usm_enqueue(queue, &command, wait_count, wait, event);
}

/* Enqueues the transfer of a buffer that aliases shared memory as an SVM copy, unless the buffer aliases the bytes of
 * the host pointer: an SVM copy may not overlap, and there is nothing to copy. Returns false if the queue is not
 * registered; otherwise `*error` has the result. */
static bool enqueue_within(cl_command_queue queue, const struct nf_usm_transfer *work, cl_uint wait_count,
                           const cl_event *wait, cl_event *event, cl_int *error)
{
    struct nf_usm_queue *known = nf_usm_queue_find(queue);
    if (known && work->target == work->source)
        *error = enqueue_host_view(known, work->type, work->target, work->blocking, wait_count, wait, event);
    else if (known)
        *error = nf_usm_enqueue_transfer(known, work, wait_count, wait, event);
    return known != NULL;
}

cl_int CL_API_CALL nf_usm_enqueue_read_buffer(cl_command_queue queue, cl_mem buffer, cl_bool blocking, size_t offset,
                                              size_t size, void *pointer, cl_uint wait_count, const cl_event *wait,
                                              cl_event *event)
{
    const struct transfer transfer = {
        .type = CL_COMMAND_READ_BUFFER, .object = buffer, .offset = offset, .size = size, .pointer = pointer};
    char *memory = nf_usm_buffer_memory(buffer);
    const struct nf_usm_transfer work = {CL_COMMAND_READ_BUFFER,         blocking, pointer,
                                         memory + (memory ? offset : 0), 0,        size};
    const bool is_right = memory && pointer && nf_usm_buffer_has(buffer, offset, size, NOT_READ);
    cl_int error;
    if (is_right && enqueue_within(queue, &work, wait_count, wait, event, &error)) return error;
    if (enqueue_transfer(queue, &transfer, blocking, wait_count, wait, event, &error)) return error;
    return NF_CL_CALL(clEnqueueReadBuffer, CL_INVALID_OPERATION, queue, buffer, blocking, offset, size, pointer,
                      wait_count, wait, event);
}

cl_int CL_API_CALL nf_usm_enqueue_write_buffer(cl_command_queue queue, cl_mem buffer, cl_bool blocking, size_t offset,
                                               size_t size, const void *pointer, cl_uint wait_count,
                                               const cl_event *wait, cl_event *event)
{
    const struct transfer transfer = {
        .type = CL_COMMAND_WRITE_BUFFER, .object = buffer, .offset = offset, .size = size, .pointer = (void *)pointer};
    char *memory = nf_usm_buffer_memory(buffer);
    const struct nf_usm_transfer work = {
        CL_COMMAND_WRITE_BUFFER, blocking, memory + (memory ? offset : 0), pointer, 0, size};
    const bool is_right = memory && pointer && nf_usm_buffer_has(buffer, offset, size, NOT_WRITTEN);
    cl_int error;
    if (is_right && enqueue_within(queue, &work, wait_count, wait, event, &error)) return error;
    if (enqueue_transfer(queue, &transfer, blocking, wait_count, wait, event, &error)) return error;
    return NF_CL_CALL(clEnqueueWriteBuffer, CL_INVALID_OPERATION, queue, buffer, blocking, offset, size, pointer,
                      wait_count, wait, event);
}

cl_int CL_API_CALL nf_usm_enqueue_read_buffer_rect(cl_command_queue queue, cl_mem buffer, cl_bool blocking,
                                                   const size_t *origin, const size_t *host_origin,
                                                   const size_t *region, size_t row, size_t slice, size_t host_row,
                                                   size_t host_slice, void *pointer, cl_uint wait_count,
                                                   const cl_event *wait, cl_event *event)
{
    const struct transfer transfer = {CL_COMMAND_READ_BUFFER_RECT,        buffer, 0, 0, origin, host_origin, region,
                                      {row, slice, host_row, host_slice}, pointer};
    cl_int error;
    if (enqueue_transfer(queue, &transfer, blocking, wait_count, wait, event, &error)) return error;
    return NF_CL_CALL(clEnqueueReadBufferRect, CL_INVALID_OPERATION, queue, buffer, blocking, origin, host_origin,
                      region, row, slice, host_row, host_slice, pointer, wait_count, wait, event);
}

cl_int CL_API_CALL nf_usm_enqueue_write_buffer_rect(cl_command_queue queue, cl_mem buffer, cl_bool blocking,
                                                    const size_t *origin, const size_t *host_origin,
                                                    const size_t *region, size_t row, size_t slice, size_t host_row,
                                                    size_t host_slice, const void *pointer, cl_uint wait_count,
                                                    const cl_event *wait, cl_event *event)
{
    const struct transfer transfer = {
        CL_COMMAND_WRITE_BUFFER_RECT,       buffer,         0, 0, origin, host_origin, region,
        {row, slice, host_row, host_slice}, (void *)pointer};
    cl_int error;
    if (enqueue_transfer(queue, &transfer, blocking, wait_count, wait, event, &error)) return error;
    return NF_CL_CALL(clEnqueueWriteBufferRect, CL_INVALID_OPERATION, queue, buffer, blocking, origin, host_origin,
                      region, row, slice, host_row, host_slice, pointer, wait_count, wait, event);
}

cl_int CL_API_CALL nf_usm_enqueue_read_image(cl_command_queue queue, cl_mem image, cl_bool blocking,
                                             const size_t *origin, const size_t *region, size_t row, size_t slice,
                                             void *pointer, cl_uint wait_count, const cl_event *wait, cl_event *event)
{
    const struct transfer transfer = {CL_COMMAND_READ_IMAGE, image, 0, 0, origin, NULL, region, {row, slice}, pointer};
    cl_int error;
    if (enqueue_transfer(queue, &transfer, blocking, wait_count, wait, event, &error)) return error;
    return NF_CL_CALL(clEnqueueReadImage, CL_INVALID_OPERATION, queue, image, blocking, origin, region, row, slice,
                      pointer, wait_count, wait, event);
}

cl_int CL_API_CALL nf_usm_enqueue_write_image(cl_command_queue queue, cl_mem image, cl_bool blocking,
                                              const size_t *origin, const size_t *region, size_t row, size_t slice,
                                              const void *pointer, cl_uint wait_count, const cl_event *wait,
                                              cl_event *event)
{
    const struct transfer transfer = {CL_COMMAND_WRITE_IMAGE, image,          0, 0, origin, NULL, region,
                                      {row, slice},           (void *)pointer};
    cl_int error;
    if (enqueue_transfer(queue, &transfer, blocking, wait_count, wait, event, &error)) return error;
    return NF_CL_CALL(clEnqueueWriteImage, CL_INVALID_OPERATION, queue, image, blocking, origin, region, row, slice,
                      pointer, wait_count, wait, event);
}

/* ---- copies and fills of objects that may alias shared memory: the driver's own commands ---- */

struct between {
    cl_command_type type;
    cl_mem source, target; /* source is NULL for a fill */
    const size_t *from, *to, *region;
    size_t offset, pitches[4];  /* `offset`: in the only buffer, or in the target of a buffer copy */
    size_t source_offset, size; /* offset in the source of a buffer copy; bytes of a buffer copy or fill */
    const void *pattern;        /* or the color of an image fill */
    size_t pattern_size;
};

static cl_int call_between(cl_command_queue queue, const void *what, cl_uint wait_count, const cl_event *wait,
                           cl_event *event)
{
    const struct between *b = what;
    const size_t *p = b->pitches;
    switch (b->type) {
    case CL_COMMAND_COPY_BUFFER:
        return NF_CL_CALL(clEnqueueCopyBuffer, CL_INVALID_OPERATION, queue, b->source, b->target, b->source_offset,
                          b->offset, b->size, wait_count, wait, event);
    case CL_COMMAND_FILL_BUFFER:
        return NF_CL_CALL(clEnqueueFillBuffer, CL_INVALID_OPERATION, queue, b->target, b->pattern, b->pattern_size,
                          b->offset, b->size, wait_count, wait, event);
    case CL_COMMAND_COPY_BUFFER_RECT:
        return NF_CL_CALL(clEnqueueCopyBufferRect, CL_INVALID_OPERATION, queue, b->source, b->target, b->from, b->to,
                          b->region, p[0], p[1], p[2], p[3], wait_count, wait, event);
    case CL_COMMAND_COPY_IMAGE:
        return NF_CL_CALL(clEnqueueCopyImage, CL_INVALID_OPERATION, queue, b->source, b->target, b->from, b->to,
                          b->region, wait_count, wait, event);
    case CL_COMMAND_COPY_IMAGE_TO_BUFFER:
        return NF_CL_CALL(clEnqueueCopyImageToBuffer, CL_INVALID_OPERATION, queue, b->source, b->target, b->from,
                          b->region, b->offset, wait_count, wait, event);
    case CL_COMMAND_COPY_BUFFER_TO_IMAGE:
        return NF_CL_CALL(clEnqueueCopyBufferToImage, CL_INVALID_OPERATION, queue, b->source, b->target, b->offset,
                          b->to, b->region, wait_count, wait, event);
    default:
        return NF_CL_CALL(clEnqueueFillImage, CL_INVALID_OPERATION, queue, b->target, b->pattern, b->to, b->region,
                          wait_count, wait, event);
    }
}

static cl_int enqueue_between(cl_command_queue queue, const struct between *between, cl_uint wait_count,
                              const cl_event *wait, cl_event *event)
{
    char *source = nf_usm_buffer_memory(between->source), *target = nf_usm_buffer_memory(between->target);
    struct nf_usm_queue *known = source || target ? nf_usm_queue_find(queue) : NULL;
    if (!known) return call_between(queue, between, wait_count, wait, event);
    struct nf_usm_command command = {.type = between->type, .call_driver = call_between, .what = between};
    cl_int error = nf_usm_access_set_of(source, target, &command.accesses);
    return error != CL_SUCCESS ? error : nf_usm_enqueue(known, &command, wait_count, wait, event);
}

cl_int CL_API_CALL nf_usm_enqueue_copy_buffer(cl_command_queue queue, cl_mem source, cl_mem target, size_t from,
                                              size_t to, size_t size, cl_uint wait_count, const cl_event *wait,
                                              cl_event *event)
{
    const struct between between = {.type = CL_COMMAND_COPY_BUFFER,
                                    .source = source,
                                    .target = target,
                                    .source_offset = from,
                                    .offset = to,
                                    .size = size};
    return enqueue_between(queue, &between, wait_count, wait, event);
}

cl_int CL_API_CALL nf_usm_enqueue_fill_buffer(cl_command_queue queue, cl_mem buffer, const void *pattern,
                                              size_t pattern_size, size_t offset, size_t size, cl_uint wait_count,
                                              const cl_event *wait, cl_event *event)
{
    const struct between between = {.type = CL_COMMAND_FILL_BUFFER,
                                    .target = buffer,
                                    .pattern = pattern,
                                    .pattern_size = pattern_size,
                                    .offset = offset,
                                    .size = size};
    return enqueue_between(queue, &between, wait_count, wait, event);
}

cl_int CL_API_CALL nf_usm_enqueue_copy_buffer_rect(cl_command_queue queue, cl_mem source, cl_mem target,
                                                   const size_t *from, const size_t *to, const size_t *region,
                                                   size_t row, size_t slice, size_t target_row, size_t target_slice,
                                                   cl_uint wait_count, const cl_event *wait, cl_event *event)
{
    const struct between between = {.type = CL_COMMAND_COPY_BUFFER_RECT,
                                    .source = source,
                                    .target = target,
                                    .from = from,
                                    .to = to,
                                    .region = region,
                                    .pitches = {row, slice, target_row, target_slice}};
    return enqueue_between(queue, &between, wait_count, wait, event);
}

cl_int CL_API_CALL nf_usm_enqueue_copy_image(cl_command_queue queue, cl_mem source, cl_mem target, const size_t *from,
                                             const size_t *to, const size_t *region, cl_uint wait_count,
                                             const cl_event *wait, cl_event *event)
{
    const struct between between = {
        .type = CL_COMMAND_COPY_IMAGE, .source = source, .target = target, .from = from, .to = to, .region = region};
    return enqueue_between(queue, &between, wait_count, wait, event);
}

cl_int CL_API_CALL nf_usm_enqueue_copy_image_to_buffer(cl_command_queue queue, cl_mem source, cl_mem target,
                                                       const size_t *from, const size_t *region, size_t offset,
                                                       cl_uint wait_count, const cl_event *wait, cl_event *event)
{
    const struct between between = {.type = CL_COMMAND_COPY_IMAGE_TO_BUFFER,
                                    .source = source,
                                    .target = target,
                                    .from = from,
                                    .region = region,
                                    .offset = offset};
    return enqueue_between(queue, &between, wait_count, wait, event);
}

cl_int CL_API_CALL nf_usm_enqueue_copy_buffer_to_image(cl_command_queue queue, cl_mem source, cl_mem target,
                                                       size_t offset, const size_t *to, const size_t *region,
                                                       cl_uint wait_count, const cl_event *wait, cl_event *event)
{
    const struct between between = {.type = CL_COMMAND_COPY_BUFFER_TO_IMAGE,
                                    .source = source,
                                    .target = target,
                                    .to = to,
                                    .region = region,
                                    .offset = offset};
    return enqueue_between(queue, &between, wait_count, wait, event);
}

cl_int CL_API_CALL nf_usm_enqueue_fill_image(cl_command_queue queue, cl_mem image, const void *color, const size_t *to,
                                             const size_t *region, cl_uint wait_count, const cl_event *wait,
                                             cl_event *event)
{
    const struct between between = {
        .type = CL_COMMAND_FILL_IMAGE, .target = image, .pattern = color, .to = to, .region = region};
    return enqueue_between(queue, &between, wait_count, wait, event);
}

/* ---- maps ---- */

void *CL_API_CALL nf_usm_enqueue_map_buffer(cl_command_queue queue, cl_mem buffer, cl_bool blocking, cl_map_flags flags,
                                            size_t offset, size_t size, cl_uint wait_count, const cl_event *wait,
                                            cl_event *event, cl_int *error)
{
    char *memory = nf_usm_buffer_memory(buffer);
    const cl_mem_flags closed = (flags & CL_MAP_READ ? NOT_READ : 0) | (flags & ~CL_MAP_READ ? NOT_WRITTEN : 0);
    const bool is_right = memory && nf_usm_buffer_has(buffer, offset, size, closed);
    struct nf_usm_queue *known = is_right ? nf_usm_queue_find(queue) : NULL;
    if (known) {
        cl_int result = enqueue_host_view(known, CL_COMMAND_MAP_BUFFER, memory, blocking, wait_count, wait, event);
        if (error) *error = result;
        return result == CL_SUCCESS ? memory + offset : NULL;
    }
    if (nf_cl_next()->clEnqueueMapBuffer)
        return nf_cl_next()->clEnqueueMapBuffer(queue, buffer, blocking, flags, offset, size, wait_count, wait, event,
                                                error);
    if (error) *error = CL_INVALID_OPERATION;
    return NULL;
}

/* Arguments of clEnqueueMapImage. The driver may keep an image in memory of its own; mapping and unmapping the image
 * transfer the data from and to host memory, so they are real commands. */
struct image_map {
    cl_mem image;
    cl_map_flags flags;
    const size_t *origin, *region;
    size_t *row, *slice;
    void **mapped;
};

static cl_int call_map_image(cl_command_queue queue, const void *what, cl_uint wait_count, const cl_event *wait,
                             cl_event *event)
{
    const struct image_map *m = what;
    cl_int error = CL_INVALID_OPERATION;
    if (nf_cl_next()->clEnqueueMapImage)
        *m->mapped = nf_cl_next()->clEnqueueMapImage(queue, m->image, CL_FALSE, m->flags, m->origin, m->region, m->row,
                                                     m->slice, wait_count, wait, event, &error);
    return error;
}

void *CL_API_CALL nf_usm_enqueue_map_image(cl_command_queue queue, cl_mem image, cl_bool blocking, cl_map_flags flags,
                                           const size_t *origin, const size_t *region, size_t *row, size_t *slice,
                                           cl_uint wait_count, const cl_event *wait, cl_event *event, cl_int *error)
{
    void *mapped = NULL;
    char *memory = nf_usm_buffer_memory(image);
    struct nf_usm_queue *known = memory ? nf_usm_queue_find(queue) : NULL;
    const struct image_map map = {image, flags, origin, region, row, slice, &mapped};
    const struct nf_usm_command command = {.type = CL_COMMAND_MAP_IMAGE,
                                           .blocking = blocking,
                                           .host_count = 1,
                                           .hosts = {memory},
                                           .call_driver = call_map_image,
                                           .what = &map};
    if (known) {
        cl_int result = nf_usm_enqueue(known, &command, wait_count, wait, event);
        if (error) *error = result;
        return result == CL_SUCCESS ? mapped : NULL;
    }
    if (nf_cl_next()->clEnqueueMapImage)
        return nf_cl_next()->clEnqueueMapImage(queue, image, blocking, flags, origin, region, row, slice, wait_count,
                                               wait, event, error);
    if (error) *error = CL_INVALID_OPERATION;
    return NULL;
}

struct image_unmap {
    cl_mem image;
    void *pointer;
};

static cl_int call_unmap_image(cl_command_queue queue, const void *what, cl_uint wait_count, const cl_event *wait,
                               cl_event *event)
{
    const struct image_unmap *u = what;
    return NF_CL_CALL(clEnqueueUnmapMemObject, CL_INVALID_OPERATION, queue, u->image, u->pointer, wait_count, wait,
                      event);
}

static bool is_buffer(cl_mem object)
{
    cl_mem_object_type type = CL_MEM_OBJECT_BUFFER;
    NF_CL_CALL(clGetMemObjectInfo, CL_INVALID_MEM_OBJECT, object, CL_MEM_TYPE, sizeof type, &type, NULL);
    return type == CL_MEM_OBJECT_BUFFER;
}

cl_int CL_API_CALL nf_usm_enqueue_unmap(cl_command_queue queue, cl_mem object, void *pointer, cl_uint wait_count,
                                        const cl_event *wait, cl_event *event)
{
    char *memory = nf_usm_buffer_memory(object);
    struct nf_usm_queue *known = memory ? nf_usm_queue_find(queue) : NULL;
    const struct image_unmap unmap = {object, pointer};
    const struct nf_usm_command command = {.type = CL_COMMAND_UNMAP_MEM_OBJECT,
                                           .host_count = 1,
                                           .hosts = {memory},
                                           .call_driver = call_unmap_image,
                                           .what = &unmap};
    if (known && !is_buffer(object)) return nf_usm_enqueue(known, &command, wait_count, wait, event);
    if (known) return enqueue_host_view(known, CL_COMMAND_UNMAP_MEM_OBJECT, memory, CL_FALSE, wait_count, wait, event);
    return NF_CL_CALL(clEnqueueUnmapMemObject, CL_INVALID_OPERATION, queue, object, pointer, wait_count, wait, event);
}
