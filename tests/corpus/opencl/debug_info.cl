// SPDX-License-Identifier: Apache-2.0
// With debug information: generic variables of a function that is called with pointers to two memories.
// OPTIONS: -g
// LEVELS: O0
/* TRUTH
{"kernels": [{"name": "k", "args": ["zero:256", "buffer:int:{range(64)}"],
  "expect": {"0": "int:{[4 * i + 6 for i in range(64)]}"}, "ambiguous": 0}]}
*/
struct cursor { int *at; int left; };
__attribute__((noinline)) int drain(struct cursor *c) {
    int total = 0;
    while (c->left-- > 0) {
        int *now = c->at++;
        total += *now;
    }
    return total;
}
kernel void k(global int *out, global int *in) {
    local int scratch[32];
    int i = get_global_id(0), l = get_local_id(0), pair[2] = {1, 2};
    scratch[2 * l] = in[i];
    scratch[2 * l + 1] = 3 * in[i] + 3;
    struct cursor own = {pair, 2}, shared = {(int *)&scratch[2 * l], 2};
    out[i] = drain(&own) + drain(&shared);
}
