// SPDX-License-Identifier: Apache-2.0
// Slices in one word: 48 bits of address and 16 of length; a subslice changes both.
#include "storage.h"

typedef ulong slice;
struct memory {
    uint numbers[4][16];
};

slice make(const uint *first, uint count)
{
    return (ulong)first | (ulong)count << 48;
}

uint count_of(slice s)
{
    return (uint)(s >> 48);
}

uint *first_of(slice s)
{
    return (uint *)((long)(s << 16) >> 16);
}

slice part(slice s, uint from, uint count)
{
    return make(first_of(s) + from, count);
}

NOINLINE void merge_sort(slice s, slice room)
{
    uint n = count_of(s), middle = n / 2, i = 0, j = middle;
    if (n < 2) return;
    merge_sort(part(s, 0, middle), room);
    merge_sort(part(s, middle, n - middle), room);
    uint *from = first_of(s), *to = first_of(room);
    for (uint k = 0; k < n; k++)
        to[k] = j == n || (i < middle && from[i] <= from[j]) ? from[i++] : from[j++];
    for (uint k = 0; k < n; k++)
        from[k] = to[k];
}

SHAPE(struct memory)
{
    for (uint i = 0; i < 3; i++) {
        uint *numbers = PICK(i)->numbers[i];
        for (uint j = 0; j < 16; j++)
            numbers[j] = in[i * 16 + j];
        merge_sort(make(numbers, 16), make(PICK(i + 3)->numbers[3], 16));
        for (uint j = 0; j < 16; j++)
            out[i * 16 + j] = plain(numbers[j]);
    }
}
