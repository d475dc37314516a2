// SPDX-License-Identifier: Apache-2.0
// expect: 3 4 5 6 7 8 9 10
union halves {
    struct {
        uint low;
        ulong other;
    } first;
    uint all[4];
};
__attribute__((noinline)) uint second(union halves h, int i) { return h.all[i]; }
kernel void k(global int *out, global int *in)
{
    union halves h;
    size_t i = get_global_id(0);
    h.first.low = in[i];
    h.first.other = in[i];
    h.all[1] = in[i] + 3;
    out[i] = second(h, in[1]);
}
