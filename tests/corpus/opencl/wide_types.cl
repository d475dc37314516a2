// SPDX-License-Identifier: Apache-2.0
// Loads and stores of every width through generic pointers: char, short, long, vectors, structs; volatile too.
// OPTIONS: -fno-slp-vectorize
/* TRUTH
{"kernels": [{"name": "k", "args": ["zero:512", "buffer:int:{range(64)}"],
  "expect": {"0": "long:{[i % 100 + (i + 1) + (i + 2) + 4 * i + 6 + (i + 5) + (i + 6) for i in range(64)]}"}, "ambiguous": 0}]}
*/
struct mixed { char c; short s; long l; int4 v; };
__attribute__((noinline)) void put(struct mixed *m, int i) {
    m->c = (char)(i % 100);
    m->s = (short)(i + 1);
    m->l = i + 2;
    m->v = (int4)(i, i + 1, i + 2, i + 3);
}
__attribute__((noinline)) long get(const struct mixed *m) { return m->c + m->s + m->l + m->v.x + m->v.y + m->v.z + m->v.w; }
__attribute__((noinline)) long look(volatile int *p) { return *p + *p + 1; }
kernel void k(global long *out, global int *in) {
    local struct mixed scratch[16];
    struct mixed mine;
    volatile int v = in[get_global_id(0)] + 5;
    put(&mine, in[get_global_id(0)]);
    put((struct mixed *)&scratch[get_local_id(0)], in[get_global_id(0)]);
    mine = scratch[get_local_id(0)];
    out[get_global_id(0)] = get(&mine) + look(&v);
}
