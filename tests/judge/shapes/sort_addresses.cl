// SPDX-License-Identifier: Apache-2.0
// Addresses are sorted as integers, as free blocks are before they are joined: by quicksort, whose pivot is the mean of two addresses.
#include "storage.h"

struct memory {
    uint blocks[16];
    ulong addresses[16];
};

NOINLINE void sort(ulong *a, int first, int last)
{
    while (first < last) {
        ulong pivot = a[first] / 2 + a[last] / 2;
        int i = first, j = last;
        while (i <= j) {
            while (a[i] < pivot)
                i++;
            while (a[j] > pivot)
                j--;
            if (i <= j) {
                ulong t = a[i];
                a[i++] = a[j];
                a[j--] = t;
            }
        }
        sort(a, first, j);
        first = i;
    }
}

NOINLINE uint check(const ulong *a, uint count)
{
    uint s = 0, ordered = 1;
    for (uint i = 0; i < count; i++) {
        s += *(const uint *)a[i] * 2654435761u >> 7;
        if (i && a[i - 1] >= a[i]) ordered = 0;
    }
    return s * 2 + ordered;
}

SHAPE(struct memory)
{
    for (uint i = 0; i < 16; i++)
        PICK(i)->blocks[i] = in[i];
    for (uint i = 0; i < 16; i++)
        m0->addresses[i] = (ulong)&PICK(i * 7 % 16)->blocks[i * 7 % 16];
    sort(m0->addresses, 0, 15);
    out[0] = plain(check(m0->addresses, 16));
}
