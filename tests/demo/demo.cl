/* SPDX-License-Identifier: Apache-2.0 */
/*
 * demo.cl - ordinary OpenCL C 2.0. A pointer without an address space is a generic one: it may point to private, local or global memory.
 * clang translates each to a Generic pointer of SPIR-V.
 */

/* One function for all memories. */
int total(const int *values, int count)
{
    int sum = 0;
    for (int i = 0; i < count; i++)
        sum += values[i];
    return sum;
}

/* Called with private, local and global pointers: three memories, one function. */
kernel void sums(global const int *in, global int *out, local int *tile)
{
    int id = (int)get_global_id(0), lid = (int)get_local_id(0), size = (int)get_local_size(0);
    int mine[4];
    for (int i = 0; i < 4; i++)
        mine[i] = in[id] * (i + 1);
    tile[lid] = in[id];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[id] = total(mine, 4) + 3 * total(tile, size) + 5 * total(in + id, 1);
}

const int *smaller(const int *a, const int *b)
{
    return *b < *a ? b : a;
}

/* Which memory contains the smallest number is known only at run time. */
const int *find_smallest(const int *mine, const int *tile, const int *other, int size)
{
    const int *best = mine;
    for (int i = 0; i < size; i++)
        best = smaller(best, &tile[i]);
    return smaller(best, other);
}

kernel void smallest(global const int *in, global int *out, local int *tile)
{
    int id = (int)get_global_id(0), lid = (int)get_local_id(0), size = (int)get_local_size(0);
    int mine = in[id] / 2;
    tile[lid] = in[id];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[id] = *find_smallest(&mine, tile, in + get_global_size(0) - 1 - id, size);
}

/* The program queries the memory of a pointer: 1 private, 2 local, 3 global. */
kernel void where(global const int *in, global int *out, local int *tile)
{
    int id = (int)get_global_id(0), lid = (int)get_local_id(0), size = (int)get_local_size(0);
    int mine = in[id] / 50;
    tile[lid] = in[id];
    barrier(CLK_LOCAL_MEM_FENCE);
    const int *best = find_smallest(&mine, tile, in + get_global_size(0) - 1 - id, size);
    out[id] = to_private((int *)best) ? 1 : to_local((int *)best) ? 2 : to_global((int *)best) ? 3 : 0;
}

struct node {
    int value;
    struct node *next;
};

/* A list whose nodes are in private memory, with links stored in memory. */
kernel void list(global const int *in, global int *out, local int *tile)
{
    int id = (int)get_global_id(0);
    struct node nodes[5];
    struct node *head = 0;
    for (int i = 0; i < 5; i++) {
        nodes[i].value = in[id] + i * i;
        nodes[i].next = head;
        head = &nodes[i];
    }
    int sum = 0;
    for (const struct node *n = head; n; n = n->next)
        sum = 2 * sum + n->value;
    tile[get_local_id(0)] = sum;
    out[id] = sum;
}
