// SPDX-License-Identifier: Apache-2.0
// options: -cl-std=CL2.0
// expect: -41630 -88938 -112894 -192222 -41630 -88938 -112894 -192222
typedef struct {
    int key;
    short tag[2];
} item;
static bool before(const item *a, const item *b)
{
    return a->key < b->key || (a->key == b->key && a->tag[1] < b->tag[1]);
}
static void swap(item *a, item *b)
{
    item t = *a;
    *a = *b;
    *b = t;
}
static void sift(item *heap, int at, int count)
{
    for (int child; (child = 2 * at + 1) < count; at = child) {
        if (child + 1 < count && before(&heap[child], &heap[child + 1])) child++;
        if (!before(heap + at, heap + child)) break;
        swap(heap + at, heap + child);
    }
}
static void heap_sort(item *items, int count)
{
    for (int i = count / 2 - 1; i >= 0; i--) sift(items, i, count);
    for (int i = count - 1; i > 0; i--) {
        swap(items, items + i);
        sift(items, 0, i);
    }
}
static int order(const item *items, int count)
{
    int sum = 0;
    for (int i = 0; i < count; i++) sum = sum * 7 + items[i].key + items[i].tag[1];
    return sum;
}
kernel void k(global int *out, global int *in)
{
    local item l[4][6];
    item p[6];
    int id = get_global_id(0), row = get_local_id(0);
    for (int i = 0; i < 6; i++) {
        p[i].key = (in[i] * 5 + id) % 4;
        p[i].tag[0] = 0;
        p[i].tag[1] = (short)(6 - i);
        l[row][i] = p[i];
        l[row][i].key ^= 1;
    }
    heap_sort(p, 6);
    heap_sort(l[row], 6);
    out[id] = order(p, 6) - order(l[row], 6) * 3;
}
