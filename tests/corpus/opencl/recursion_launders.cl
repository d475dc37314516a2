// SPDX-License-Identifier: Apache-2.0
// A private address is passed down a recursion in the parameter of a global one, and is returned as the result.
/* TRUTH
{"kernels": [{"name": "k", "args": ["zero:256", "buffer:int:{range(64)}"],
  "expect": {"0": "int:{[(i if i % 2 else 100 + i) for i in range(64)]}"},
  "ambiguous": {"O0": 1, "O2": 1}, "why": "the number of steps decides whether the private or the global pointer comes back"}],
 "drivers": "no driver takes recursion that its optimizer cannot make a loop; SPIR 1.2 has none"}
*/
__attribute__((noinline)) int *turn(int *a, int *b, int n, volatile int *steps) {
    *steps += 1;
    if (n == 0) return a;
    int *back = turn(b, a, n - 1, steps);
    *steps += 1;
    return back;
}
kernel void k(global int *out, global int *in) {
    int i = get_global_id(0), mine = 100 + i;
    volatile int steps = 0;
    out[i] = *turn(&mine, (int *)&in[i], in[i] & 3, &steps);
}
