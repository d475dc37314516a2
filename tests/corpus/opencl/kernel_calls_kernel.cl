// SPDX-License-Identifier: Apache-2.0
// A kernel that another kernel calls: as an entry point its pointers come from the host, in the call they do not.
/* TRUTH
{"kernels": [{"name": "k", "args": ["zero:256", "buffer:int:{range(64)}"],
  "expect": {"0": "int:{[2 * i + 5 for i in range(64)]}"}, "ambiguous": 0},
 {"name": "step", "args": ["zero:256", "buffer:int:{range(64)}"], "expect": {"0": "int:{range(64)}"}, "ambiguous": 0}]}
*/
__attribute__((noinline)) int read(int *p) { return *p; }
kernel void step(global int *out, global int *in) {
    int mine = 5;
    int *p = (int *)&in[get_global_id(0)];
    out[get_global_id(0)] += read(p) + read(&mine) - mine;
}
kernel void k(global int *out, global int *in) {
    local int scratch[16];
    scratch[get_local_id(0)] = in[get_global_id(0)] + 5;
    step(out, in);
    out[get_global_id(0)] += read((int *)&scratch[get_local_id(0)]);
}
