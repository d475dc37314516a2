/* SPDX-License-Identifier: Apache-2.0 */
/*
 * copies.h - copies between global and local memory by the whole work-group.
 *
 * Each work-item copies every n-th element, and waiting is a barrier, after which all copies of the group are complete.
 * In a device's own version every work-item may copy everything without waiting, so that a late work-item overwrites
 * later stores of an early work-item; the table of such a device omits these functions. The event is unused.
 */

#define COPY(T, TO, FROM, at_to, at_from)                                                                              \
    event_t OVERLOAD CONVERGENT async_work_group_strided_copy(TO T *to, const FROM T *from, size_t count,              \
                                                              size_t stride, event_t event)                            \
    {                                                                                                                  \
        for (size_t i = get_local_linear_id(); i < count; i += group_size())                                           \
            to[at_to] = from[at_from];                                                                                 \
        return event;                                                                                                  \
    }                                                                                                                  \
    event_t OVERLOAD CONVERGENT async_work_group_copy(TO T *to, const FROM T *from, size_t count, event_t event)       \
    {                                                                                                                  \
        for (size_t i = get_local_linear_id(); i < count; i += group_size())                                           \
            to[i] = from[i];                                                                                           \
        return event;                                                                                                  \
    }

/* The stride applies to global memory. */
#define COPIES(T)                                                                                                      \
    COPY(T, __local, __global, i, i *stride)                                                                           \
    COPY(T, __global, __local, i *stride, i)

#define WIDE_COPIES(T, n) COPIES(T##n)
#define ALL_COPIES(T) COPIES(T) FOR_SIZES(WIDE_COPIES, T)

FOR_INTEGERS(ALL_COPIES)
ALL_COPIES(half)
ALL_COPIES(float)
ALL_COPIES(double)

void OVERLOAD CONVERGENT wait_group_events(int count, __private event_t *events)
{
    barrier(LOCAL_FENCE | GLOBAL_FENCE);
}
