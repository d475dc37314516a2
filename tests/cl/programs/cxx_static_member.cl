// SPDX-License-Identifier: Apache-2.0
// One object for the work-group, one for each work-item, of a class with a static function.
// options: -cl-std=CLC++
// expect: 0 1 2 3 4 5 6 7

struct Acc {
    int total;
    void add(int v)
    {
        total += v;
    }
    int get() const
    {
        return total;
    }
    static int base()
    {
        return 7;
    }
};
kernel void k(global int *out, global int *in)
{
    int g = get_global_id(0), l = get_local_id(0);
    __local Acc a;
    if (l == 0) {
        a.total = Acc::base();
        a.add(3);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    Acc p{g};
    p.add(1);
    out[g] = a.get() == 10 && p.get() == g + 1 ? g : -1;
}
