// SPDX-License-Identifier: Apache-2.0
// A private address is stored in one member of a union, and loaded from another one to which only global addresses are stored; and the reverse.
/* TRUTH
{"kernels": [{"name": "k", "args": ["zero:256", "buffer:int:{range(64)}"],
  "expect": {"0": "int:{[30 + 2 * i for i in range(64)]}"}, "ambiguous": 0}]}
*/
union word { int *pointer; ulong bits; uint halves[2]; uchar bytes[8]; };
__attribute__((noinline)) int read(union word *w) { return *w->pointer; }
kernel void k(global int *out, global int *in) {
    int i = get_global_id(0), ten = 10, twenty = 20;
    union word a, b, c;
    a.pointer = (int *)&in[i];
    b.bits = (ulong)&ten;
    c.pointer = &twenty;
    union word d;
    for (int j = 0; j < 8; j++) d.bytes[j] = c.bytes[j];
    union word e;
    e.halves[0] = a.halves[0];
    e.halves[1] = a.halves[1];
    out[i] = read(&a) + read(&b) + read(&d) + read(&e);
}
