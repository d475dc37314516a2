// SPDX-License-Identifier: Apache-2.0
// Words whose high bits give their kind: an integer from the host, an address, the end of a list. Tests, shifts, masks
// and sums of these bits do not change the address, so that each member of a cell keeps its own contents, in one memory.
/* TRUTH
{"kernels": [{"name": "run", "args": ["zero:4", "buffer:int:1,2,3,4,5", "int:2"], "expect": {"0": "int:349"}, "global": 1, "local": 1}]}
*/
#define TAG_INT 0xfff9ul
#define TAG_CONS 0xfffaul
#define TAG_NIL 0xfffbul
typedef struct cell { ulong head, tail; } cell;
ulong box_int(int v) { return TAG_INT << 48 | (uint)v; }
ulong box_cons(cell *c) { return TAG_CONS << 48 | (ulong)c; }
uint tag(ulong w) { return w >> 48; }
cell *cons_of(ulong w) { return (cell *)(w & 0xfffffffffffful); }
kernel void run(global int *out, global const int *in, int n)
{
    cell pool[8];
    int used = 0;
    ulong list = TAG_NIL << 48;
    for (int i = 0; i < 4; i++) {
        cell *c = &pool[used++];
        c->head = box_int(in[i]);
        c->tail = list;
        list = box_cons(c);
    }
    cell *top = &pool[used++];
    top->head = list; top->tail = box_int(in[n]);
    ulong w = box_cons(top);
    int sum = 0;
    if (tag(w) == TAG_CONS) {
        ulong h = cons_of(w)->head;
        while (tag(h) == TAG_CONS) { cell *c = cons_of(h); sum = sum * 2 + (tag(c->head) == TAG_INT ? (int)(uint)c->head : 1000); h = c->tail; }
        ulong t = cons_of(w)->tail;
        if (tag(t) == TAG_INT) sum += 100 * (int)(uint)t;
    }
    out[0] = sum;
}
