// SPDX-License-Identifier: Apache-2.0
// A struct of pointers copied byte by byte into local memory and used from there.
/* TRUTH
{"kernels": [{"name": "k", "args": ["zero:256", "buffer:int:{range(64)}"],
  "expect": {"0": "int:{[2 * i + 9 for i in range(64)]}"}, "ambiguous": 0,
  "conservative": {"O0": 2, "O2": 2}, "why": "bytes at a running offset may be of either pointer"}]}
*/
struct pair { int *mine; global int *far; int *near; };
kernel void k(global int *out, global int *in) {
    local struct pair pairs[16];
    local int scratch[16];
    int i = get_global_id(0), l = get_local_id(0);
    int nine = 9;
    struct pair p;
    scratch[l] = i;
    p.mine = &nine;
    p.far = &in[i];
    p.near = &scratch[l];
    volatile local char *to = (volatile local char *)&pairs[l];
    for (int b = 0; b < (int)sizeof p; b++) to[b] = ((char *)&p)[b];
    out[i] = *pairs[l].mine + *pairs[l].far + *pairs[l].near;
}
