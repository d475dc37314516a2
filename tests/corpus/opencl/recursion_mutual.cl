// SPDX-License-Identifier: Apache-2.0
// Two functions call each other and exchange a private and a local pointer: even() always ends with the private one, odd() with the local one.
/* TRUTH
{"kernels": [{"name": "k", "args": ["zero:256", "buffer:int:{range(64)}"],
  "expect": {"0": "int:{[100 if i % 4 % 2 == 0 else i for i in range(64)]}"},
  "ambiguous": 0}], "drivers": "no driver takes recursion that its optimizer cannot make a loop; SPIR 1.2 has none"}
*/
__attribute__((noinline)) int odd(int *a, int *b, int n);
__attribute__((noinline)) int even(int *a, int *b, int n) { return n == 0 ? *a : odd(b, a, n - 1); }
__attribute__((noinline)) int odd(int *a, int *b, int n) { return n == 0 ? *a : even(b, a, n - 1); }
kernel void k(global int *out, global int *in) {
    local int scratch[16];
    int i = get_global_id(0), mine = 100;
    scratch[get_local_id(0)] = in[i];
    out[i] = even(&mine, (int *)&scratch[get_local_id(0)], in[i] % 4);
}
