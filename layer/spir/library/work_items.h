/* SPDX-License-Identifier: Apache-2.0 */
/*
 * work_items.h - the work-item functions that OpenCL 2.0 added.
 */

size_t OVERLOAD get_enqueued_local_size(uint dimension)
{
    return get_local_size(dimension);
}

size_t OVERLOAD get_local_linear_id(void)
{
    return (get_local_id(2) * get_local_size(1) + get_local_id(1)) * get_local_size(0) + get_local_id(0);
}

size_t OVERLOAD get_global_linear_id(void)
{
    size_t x = get_global_id(0) - get_global_offset(0);
    size_t y = get_global_id(1) - get_global_offset(1);
    size_t z = get_global_id(2) - get_global_offset(2);
    return (z * get_global_size(1) + y) * get_global_size(0) + x;
}

static size_t group_size(void)
{
    return get_local_size(0) * get_local_size(1) * get_local_size(2);
}
