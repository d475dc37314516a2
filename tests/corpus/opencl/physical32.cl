// SPDX-License-Identifier: Apache-2.0
// For a device whose addresses have 32 bits: pointers of one space in memory and integers, of two in variables only.
// OPTIONS: -target spir-unknown-unknown
/* TRUTH
{"kernels": [{"name": "k", "args": ["zero:256", "buffer:int:{range(64)}"],
  "expect": {"0": "int:{[3 * i + (50 if i % 2 else i) for i in range(64)]}"},
  "ambiguous": {"O0": 1}, "why": "the last pointer is private or global"}],
 "drivers": "no driver here has addresses of 32 bits"}
*/
struct pair { int *first; uint bits; };
__attribute__((noinline)) int sum(struct pair *p) { return *p->first + *(int *)p->bits; }
kernel void k(global int *out, global int *in) {
    local int scratch[16];
    int i = get_global_id(0), l = get_local_id(0), fifty = 50;
    scratch[l] = 2 * in[i];
    struct pair p = {(int *)&in[i], (uint)(int *)&scratch[l]};
    int *either = in[i] & 1 ? &fifty : (int *)&in[i];
    out[i] = sum(&p) + *either;
}
