// SPDX-License-Identifier: Apache-2.0
// options: -cl-std=CLC++
// expect: 10101 40404 70707 101010 131313 161616 191919 222222
int get(const int *p)
{
    return *p;
}
kernel void k(global int *out, global int *in)
{
    local int l[4];
    size_t i = get_global_id(0), j = get_local_id(0);
    l[j] = i * 3;
    int *g = &l[j];
    local int *back = addrspace_cast<local int *>(g);
    const int *c = g;
    int *m = const_cast<int *>(c);
    *m += 1;
    char *bytes = reinterpret_cast<char *>(m);
    out[i] = *back + get(c) * 100 + bytes[0] * 10000 + (m == nullptr);
}
