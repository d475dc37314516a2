// SPDX-License-Identifier: Apache-2.0
// Algorithms of the C++ library on memory that is chosen at run time: their recursion depth is computed from the number of leading zeros of
// a difference of two addresses; that number is not an address.
/* TRUTH
{"kernels": [
 {"name": "middle", "args": ["zero:64", "local:1024", "zero:2048"], "expect": {"0": "int:{[(lambda v: sorted(set(v))[len(set(v)) // 2] * 100 + len(set(v)))([(i * 7 + g * 5) % 23 for i in range(32)]) for g in range(16)]}"}, "global": 16, "local": 8},
 {"name": "depth", "args": ["zero:64", "local:1024", "zero:2048"], "expect": {"0": "int:{[(g + 1).bit_length() - 1 for g in range(16)]}"}, "global": 16, "local": 8}
]}
*/
static long log_of(long n)
{
    return 63 - clz(n);
}

static long distance_of(const int *first, const int *last)
{
    return last - first;
}

static void insertion_sort(int *first, int *last)
{
    for (int *i = first + 1; i < last; i++) {
        int v = *i, *j = i;
        for (; j > first && j[-1] > v; j--)
            *j = j[-1];
        *j = v;
    }
}

static void select_nth(int *first, int *nth, int *last, long limit)
{
    for (; last - first > 3 && limit; limit--) {
        int pivot = first[(last - first) / 2], *a = first, *b = last - 1;
        while (a <= b) {
            while (*a < pivot)
                a++;
            while (*b > pivot)
                b--;
            if (a <= b) {
                int t = *a;
                *a++ = *b;
                *b-- = t;
            }
        }
        if (nth <= b)
            last = b + 1;
        else if (nth >= a)
            first = a;
        else
            return;
    }
    insertion_sort(first, last);
}

static int *unique_of(int *first, int *last)
{
    int *result = first;
    while (++first != last)
        if (*result != *first) *++result = *first;
    return result + 1;
}

static int *chosen(int g, int *own, local int *tile, global int *heap)
{
    int *p = own;
    if (g > 4) p = tile + get_local_id(0) * 32;
    if (g > 10) p = heap + g * 32;
    return p;
}

kernel void middle(global int *out, local int *tile, global int *heap)
{
    int g = get_global_id(0), own[32], *p = chosen(g, own, tile, heap), *end = p + 32;
    for (int i = 0; i < 32; i++)
        p[i] = (i * 7 + g * 5) % 23;
    insertion_sort(p, end);
    end = unique_of(p, end);
    select_nth(p, p + (end - p) / 2, end, 2 * log_of(distance_of(p, end)));
    out[g] = p[(end - p) / 2] * 100 + (int)(end - p);
}

kernel void depth(global int *out, local int *tile, global int *heap)
{
    int g = get_global_id(0), own[32], *p = chosen(g, own, tile, heap);
    out[g] = (int)log_of(distance_of(p, p + g + 1));
}
