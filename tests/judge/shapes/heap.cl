// SPDX-License-Identifier: Apache-2.0
// A heap (priority queue) of words: a 16-bit priority above the address of the job, so that whole words are compared.
#include "storage.h"

struct job {
    uint number, cost;
};
struct memory {
    struct job jobs[20];
    ulong heap[20];
};

NOINLINE void push(ulong *heap, uint count, uint priority, const struct job *job)
{
    ulong w = (ulong)priority << 48 | (ulong)job;
    uint at = count;
    for (; at && heap[(at - 1) / 2] >> 48 > w >> 48; at = (at - 1) / 2)
        heap[at] = heap[(at - 1) / 2];
    heap[at] = w;
}

NOINLINE ulong pop(ulong *heap, uint count)
{
    ulong top = heap[0], last = heap[count - 1];
    uint at = 0;
    for (uint child; (child = 2 * at + 1) < count; at = child) {
        if (child + 1 < count && heap[child + 1] >> 48 < heap[child] >> 48) child++;
        if (heap[child] >> 48 >= last >> 48) break;
        heap[at] = heap[child];
    }
    heap[at] = last;
    return top;
}

SHAPE(struct memory)
{
    uint s = 0;
    for (uint i = 0; i < 20; i++) {
        struct job *job = &PICK(i)->jobs[i];
        job->number = i;
        job->cost = in[i];
        push(m0->heap, i, in[i] >> 16, job);
    }
    for (uint i = 0; i < 20; i++) {
        ulong w = pop(m0->heap, 20 - i);
        const struct job *job = (const struct job *)(w & 0x0000fffffffffffful);
        s = s * 3 + job->cost + job->number;
    }
    out[0] = plain(s);
}
