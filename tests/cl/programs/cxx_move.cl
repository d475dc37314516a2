// SPDX-License-Identifier: Apache-2.0
// options: -cl-std=CLC++
// expect: 1100 2101 3102 4103 5104 6105 7106 8107
template <class T> struct remove_ref {
    using type = T;
};
template <class T> struct remove_ref<T &> {
    using type = T;
};
template <class T> typename remove_ref<T>::type &&move(T &&t)
{
    return static_cast<typename remove_ref<T>::type &&>(t);
}
struct owner {
    int *p;
    owner(int *p) : p(p)
    {
    }
    owner(owner &&o) : p(o.p)
    {
        o.p = nullptr;
    }
    owner(const owner &) = delete;
};
int use(owner o)
{
    return o.p ? *o.p : -1;
}
kernel void k(global int *out, global int *in)
{
    size_t i = get_global_id(0);
    int x = i;
    owner a(&x), b(&in[i + 1]);
    int r = use(move(a));
    out[i] = r + (a.p == nullptr) * 100 + use(move(b)) * 1000;
}
