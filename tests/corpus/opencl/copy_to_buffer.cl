// SPDX-License-Identifier: Apache-2.0
// A structure that contains a private address is copied as a whole into a global buffer, and the address is loaded from there.
/* TRUTH
{"kernels": [{"name": "k", "args": ["zero:256", "zero:1024", "buffer:int:{range(64)}"],
  "expect": {"0": "int:{[2 * i + 8 for i in range(64)]}"}, "ambiguous": 0,
  "conservative": {"O0": 2, "O2": 2}, "why": "what is read from a buffer may be a host address or one that the kernel stored"}]}
*/
struct pair { int *own; int *far; };
kernel void k(global int *out, global ulong *room, global int *in) {
    int i = get_global_id(0), mine = in[i] + 8;
    volatile global struct pair *stash = (volatile global struct pair *)room;
    struct pair p = {&mine, (int *)&in[i]};
    *(global struct pair *)&stash[i] = p;
    out[i] = *stash[i].own + *stash[i].far;
}
