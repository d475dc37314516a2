// SPDX-License-Identifier: Apache-2.0
// options: -cl-std=CLC++2021
// expect: 21112231 21111231 21113231 21112231 21111231 21113231 21112231 21111231
struct acc {
    int v;
    void add(int n)
    {
        v += n;
    }
    int where() __global
    {
        return 1;
    }
    int where() __local
    {
        return 2;
    }
    int where() __private
    {
        return 3;
    }
    int get() const
    {
        return v;
    }
};
template <class T> struct sp {
    static constexpr int of = 0;
};
template <class T> struct sp<__global T> {
    static constexpr int of = 1;
};
template <class T> struct sp<__local T> {
    static constexpr int of = 2;
};
template <class T> int kind(T *p)
{
    return sp<T>::of;
}
kernel void k(global int *out, global int *in)
{
    __local acc l[4];
    acc p;
    int i = get_global_id(0), g = get_local_id(0);
    l[g].v = 1;
    p.v = 2;
    __global acc *q = reinterpret_cast<__global acc *>(out + i);
    q->v = 3;
    acc *any = i % 3 == 0 ? &p : i % 3 == 1 ? (acc *)&l[g] : (acc *)q;
    any->add(10);
    acc &ref = *any;
    ref.add(100);
    auto back = addrspace_cast<__private acc *>(static_cast<acc *>(&p));
    out[i] = any->get() * 1000 + l[g].where() * 100 + p.where() * 10 + q->where() + kind(out) * 1000000 +
             kind(&l[0]) * 10000000 + back->v * 0;
}
