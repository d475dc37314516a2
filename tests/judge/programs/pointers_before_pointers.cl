// SPDX-License-Identifier: Apache-2.0
// A structure that begins with an array of pointers is copied as an array of pointers.
/* TRUTH
{"kernels": [
  {"name": "first_a", "args": ["zero:16", "buffer:int:7,8,0,1,2,3,0,1,1,0", "local:1024", "zero:1024"],
   "expect": {"0": "int:0"}, "global": 1, "local": 1},
  {"name": "first_b", "args": ["zero:16", "buffer:int:7,8,0,1,2,3,0,1,1,0", "local:1024", "zero:1024"],
   "expect": {"0": "int:0"}, "global": 1, "local": 1}]}
*/
typedef int *first_a_ip;
struct first_a_s1 {
    short m0;
    short m1[3];
    int *q;
};
struct first_a_s2 {
    int *m0;
    int m1;
    int *m2;
    int *m3;
};
struct first_a_s3 {
    int m0;
    struct first_a_s2 m1;
};
struct first_a_s4 {
    int *m0[2];
    int *m1;
    struct first_a_s3 m2;
    int *m3;
};
__attribute__((noinline)) void first_a_first_a_cp(first_a_ip *d, first_a_ip *s, int n)
{
    for (int i = 0; i < n; i++)
        d[i] = s[i];
}
kernel void first_a(global int *out, global int *in, local ulong *la, global ulong *hp)
{
    int x = 42, x2 = 43;
    local int ly[2];
    ly[0] = 5;
    int k0 = in[2], k1 = in[3], k2 = in[4], k3 = in[5], acc = 1;
    global int *cnd = in + 6;
    local struct first_a_s1 o6;
    struct first_a_s1 o7;
    struct first_a_s4 o8;
    struct first_a_s4 o9;
    struct first_a_s4 o10;
    o7.q = (int *)(in + 1);
    o10.m0[1] = (int *)(in + 1);
    o10.m1 = (int *)&x2;
    first_a_first_a_cp((first_a_ip *)&o6, (first_a_ip *)&o7, 2 + k0);
    for (int i = 0; i < 9 + k0; i++)
        ((first_a_ip *)&o9)[i] = ((first_a_ip *)&o10)[i];
    acc = acc * 3 + *o9.m1;
}
typedef int *first_b_ip;
struct first_b_s1 {
    int *m0;
    int *m1;
    int m2;
};
struct first_b_s2 {
    int *m0[4];
    int *m1[3][15];
    struct first_b_s1 m2[3];
};
struct first_b_s3 {
    ulong m0;
    short m1;
    int m2;
    int *q;
};
struct first_b_s4 {
    int *m0;
    short m1;
    uchar m2;
    int *m3;
};
struct first_b_s5 {
    struct first_b_s3 m0;
    uchar m1;
    int *m2;
    struct first_b_s4 m3;
};
struct first_b_s6 {
    struct first_b_s5 m0;
    int *m1[10][2];
    uchar m2[2][3];
};
kernel void first_b(global int *out, global int *in, local ulong *la, global ulong *hp)
{
    int x = 42, x2 = 43;
    local int ly[2];
    ly[0] = 5;
    int k0 = in[2], k1 = in[3], k2 = in[4], k3 = in[5], acc = 1;
    global int *cnd = in + 6;
    struct first_b_s2 o8;
    struct first_b_s2 o9;
    local struct first_b_s6 o10;
    struct first_b_s6 o12;
    o8.m1[1][12] = (int *)&x2;
    o8.m1[2][1] = (int *)&x2;
    for (int i = 0; i < 58 + k0; i++)
        ((first_b_ip *)&o9)[i] = ((first_b_ip *)&o8)[i];
    acc = acc * 3 + *o9.m1[1][12];
}
