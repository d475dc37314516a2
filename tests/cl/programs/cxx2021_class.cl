// SPDX-License-Identifier: Apache-2.0
// options: -cl-std=CLC++2021
// expect: 9022 9022 9022 10022 12022 14022 16022 18022
namespace shapes
{
class box
{
    int w, h;
    int *log;

  public:
    box(int w, int h, int *log) : w(w), h(h), log(log)
    {
        *log += 1;
    }
    ~box()
    {
        *log += 10;
    }
    int area() const
    {
        return w * h;
    }
    box &grow(int by)
    {
        w += by;
        return *this;
    }
    bool operator<(const box &other) const
    {
        return area() < other.area();
    }
};
} // namespace shapes
template <typename T> const T &larger(const T &a, const T &b)
{
    return a < b ? b : a;
}
kernel void k(global int *out, global int *in)
{
    size_t i = get_global_id(0);
    int log = 0, r;
    {
        shapes::box a(i, 2, &log), b(3, 3, &log);
        a.grow(1).grow(1);
        r = larger(a, b).area();
    }
    out[i] = r * 1000 + log;
}
