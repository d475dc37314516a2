// SPDX-License-Identifier: Apache-2.0
// An allocator that rounds addresses up as integers; a chunk is local until that pool is used up, then global.
/* TRUTH
{"kernels": [{"name": "k", "args": ["zero:512", "zero:8192"],
 "expect": {"0": "long:{[36+44+30+4000]*64}"}, "ambiguous": {"O0": 9, "O2": 7}, "why": "chunks and list nodes in one of two memories"}]}
*/
typedef struct { char *at, *end; } pool;
typedef struct { pool near, far; int fell; } arena;
static void *bump(pool *p, ulong size, ulong align) {
    ulong a = ((ulong)p->at + align - 1) & ~(align - 1);
    if (a + size > (ulong)p->end) return 0;
    p->at = (char *)(a + size);
    return (void *)a;
}
static void *get(arena *a, ulong size, ulong align) {
    void *p = bump(&a->near, size, align);
    if (!p) { p = bump(&a->far, size, align); a->fell++; }
    return p;
}
struct cell { long value; struct cell *next; };
kernel void k(global long *out, global char *heap) {
    local char room[16 * 72] __attribute__((aligned(16)));
    int g = get_global_id(0), l = get_local_id(0);
    arena a = {{(char *)room + l * 72, (char *)room + l * 72 + 72}, {(char *)heap + g * 128, (char *)heap + g * 128 + 128}, 0};
    struct cell *list = 0;
    long bytes = 0;
    for (int i = 0; i < 8; i++) {
        char *c = get(&a, 3, 1);
        c[0] = i; c[1] = i + 1; c[2] = 0;
        bytes += c[0] - c[1] + 1;
        if (i % 2) continue;
        struct cell *n = get(&a, sizeof *n, 8);
        n->value = i * 3; n->next = list; list = n;
    }
    long sum = bytes;
    for (; list; list = list->next) sum += list->value;
    out[g] = sum + 44 + 30 + 4000;
}
