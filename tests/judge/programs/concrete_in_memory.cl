// SPDX-License-Identifier: Apache-2.0
// Private and local pointers that are stored as integers and loaded as pointers, and the reverse.
/* TRUTH
{"kernels": [
  {"name": "into_pointer", "args": ["zero:256"], "expect": {"0": "int:{[3 * g for g in range(64)]}"}},
  {"name": "from_pointer", "args": ["zero:256"], "expect": {"0": "int:{[5 * g for g in range(64)]}"}}]}
*/
typedef union { private int *p; local int *l; ulong u; uint2 w; } any;
__attribute__((noinline)) int read_p(any *a) { return *a->p; }
__attribute__((noinline)) int read_l(any *a) { return *a->l; }
__attribute__((noinline)) void write_p(any *a, private int *p) { a->p = p; }
kernel void into_pointer(global int *out) {
    local int tile[16];
    int g = get_global_id(0), l = get_local_id(0), x = g;
    any a, b;
    tile[l] = 2 * g;
    a.u = (ulong)&x;
    b.u = (ulong)&tile[l];
    out[g] = read_p(&a) + read_l(&b);
}
kernel void from_pointer(global int *out) {
    local int tile[16];
    int g = get_global_id(0), l = get_local_id(0), x = g;
    any a, b;
    tile[l] = 2 * g;
    write_p(&a, &x);
    b.l = &tile[l];
    private int *p = (private int *)a.u;
    int *q = (int *)b.u;
    local int *m = (local int *)b.u;
    out[g] = *p + *m + *q;
}
