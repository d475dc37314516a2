// SPDX-License-Identifier: Apache-2.0
// options: -cl-std=CL2.0
// expect: 16 24 32 40 48 56 64 72
int4 four(const int *p) { return vload4(0, p); }
void put(int4 v, int *p) { vstore4(v, 0, p); }
kernel void k(global int *out, global int *in)
{
    local int l[16];
    size_t i = get_global_id(0);
    int a[4];
    put(four(in + i) * 2, a);
    put(four(a) + 1, l + 4 * get_local_id(0));
    int4 v = four(l + 4 * get_local_id(0));
    out[i] = v.x + v.y + v.z + v.w;
}
