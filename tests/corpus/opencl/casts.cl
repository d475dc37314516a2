// SPDX-License-Identifier: Apache-2.0
// to_global, to_local and to_private of pointers whose space is known, and of one whose space is not.
/* TRUTH
{"kernels": [{"name": "k", "args": ["zero:256", "buffer:int:{range(64)}"],
  "expect": {"0": "int:{[(i if i % 2 else 50) + 1 + 2 + 4 for i in range(64)]}"},
  "ambiguous": 0}], "wrong_on": {"native": "to_global gives a pointer for a private address"}}
*/
__attribute__((noinline)) int where(int *p) {
    if (to_global(p)) return 1;
    if (to_local(p)) return 2;
    if (to_private(p)) return 4;
    return 8;
}
kernel void k(global int *out, global int *in) {
    local int scratch[16];
    int i = get_global_id(0), mine = 50;
    int *p = in[i] & 1 ? (int *)&in[i] : &mine;
    global int *g = to_global(p);
    int v;
    if (g) v = *g;
    else v = mine;
    out[i] = v + where((int *)&in[i]) + where((int *)scratch) + where(&mine);
}
