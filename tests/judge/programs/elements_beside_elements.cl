// SPDX-License-Identifier: Apache-2.0
// Known steps from an unknown element of an array: before it, after it, and after its address was stored or passed.
/* TRUTH
{"kernels": [
  {"name": "before", "args": ["zero:16", "buffer:int:7,8,1,10"], "expect": {"0": "int:42,7"}, "global": 1, "local": 1},
  {"name": "behind", "args": ["zero:16", "buffer:int:7,8,1,10"], "expect": {"0": "int:7"}, "global": 1, "local": 1},
  {"name": "between", "args": ["zero:16", "buffer:int:7,8,1,10"], "expect": {"0": "int:42,7"}, "global": 1, "local": 1},
  {"name": "called", "args": ["zero:16", "buffer:int:7,8,1,10"], "expect": {"0": "int:42"}, "global": 1, "local": 1},
  {"name": "walked", "args": ["zero:16", "buffer:int:7,8,1,10"], "expect": {"0": "int:49"}, "global": 1, "local": 1},
  {"name": "records", "args": ["zero:16", "buffer:int:7,8,1,10"], "expect": {"0": "int:42"}, "global": 1, "local": 1}]}
*/
kernel void before(global int *out, global int *in)
{
    int x = 42;
    int *p[2] = {&x, (int *)in};
    int **q = &p[in[2]];
    out[0] = *q[-1];
    out[1] = *q[0];
}
kernel void behind(global int *out, global int *in)
{
    int x = 42;
    struct {
        int *p[2], *last;
    } s;
    s.p[0] = &x, s.p[1] = (int *)in, s.last = &x;
    int **q = &s.p[in[2] - 2];
    out[0] = *q[2];
}
kernel void between(global int *out, global int *in)
{
    int x = 42;
    struct {
        int *first, *p[2], *last;
    } s;
    s.first = (int *)in, s.p[0] = &x, s.p[1] = (int *)in, s.last = (int *)in;
    int **q = &s.p[in[2]];
    out[0] = *q[-1];
    out[1] = *q[0];
}
__attribute__((noinline)) int take(int **q)
{
    return *q[-1];
}
kernel void called(global int *out, global int *in)
{
    int x = 42;
    struct {
        int *first, *p[2];
    } s;
    s.first = (int *)in, s.p[0] = &x, s.p[1] = (int *)in;
    out[0] = take(&s.p[in[2]]);
}
kernel void walked(global int *out, global int *in)
{
    int x = 42, sum = 0;
    struct {
        int *first, *p[2];
    } s;
    s.first = (int *)in, s.p[0] = &x, s.p[1] = (int *)in;
    for (int **q = s.p + in[2] + 1; q != s.p; q--)
        sum += *q[-1];
    out[0] = sum;
}
kernel void records(global int *out, global int *in)
{
    int x = 42;
    struct record {
        int *a, *b;
    };
    struct {
        int *first;
        struct record r[2];
    } s;
    s.first = (int *)in, s.r[0].a = s.r[1].a = (int *)in, s.r[0].b = &x, s.r[1].b = (int *)in;
    struct record *e = &s.r[in[2]];
    out[0] = *(e - 1)->b;
}
