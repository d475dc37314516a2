// SPDX-License-Identifier: Apache-2.0
// The address of an array element at a variable index is passed on as a pointer, and a constant that is added to its
// integer leads to the member behind the array.
/* TRUTH
{"kernels": [{"name": "a", "args": ["zero:16", "buffer:int:7,8,1,10"], "expect": {"0": "int:5"}, "global": 1, "local": 1}]}
*/
struct T {
    int *v[4];
    int *tail;
};
__attribute__((noinline)) int *next(int **p)
{
    return *(int **)((ulong)p + 8);
}
kernel void a(global int *out, global int *in)
{
    struct T t;
    int x = 42;
    local int y;
    y = 5;
    for (int i = 0; i < 4; i++)
        t.v[i] = &x;
    t.tail = &y;
    out[0] = *next(&t.v[in[2] + 2]);
}
