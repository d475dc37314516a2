// SPDX-License-Identifier: Apache-2.0
// options: -cl-std=CLC++
// expect: 15036 13018 11000 9162 12184 15206 18228 21250
struct base {
    int id;
    explicit base(int v) : id(v) {}
    int tell() const { return id * 2; }
};
struct extra {
    float f = 1.5f;
    float doubled() const { return f * 2; }
};
struct both : base, extra {
    int list[2];
    both(int v, int w) : base(v), list{v, w} {}
    int tell() const { return base::tell() + list[1]; }
    both &self() { return *this; }
};
template <class T> T *larger(T *a, T *b)
{
    return a->tell() < b->tell() ? b : a;
}
int read(const base &b)
{
    return b.tell();
}
int read(const extra *e)
{
    return (int)e->doubled();
}
__kernel void k(__global int *out, __global int *in)
{
    int i = get_global_id(0);
    both a(i, in[i]), b(7 - i, 1);
    both *most = larger(&a, &b);
    most->self().list[0] += 100;
    base *plain = most;
    extra *more = &b;
    out[i] = most->tell() * 1000 + read(*plain) * 10 + read(more) + a.list[0] - b.list[0];
}
