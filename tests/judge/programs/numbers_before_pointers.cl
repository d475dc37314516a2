// SPDX-License-Identifier: Apache-2.0
// A structure that begins with integers is copied as bytes or words: its pointers are copied, too.
/* TRUTH
{"kernels": [
  {"name": "hdr", "args": ["zero:16", "buffer:int:7,8,9,10"],
   "expect": {"0": "int:42"}, "global": 1, "local": 1},
  {"name": "dims", "args": ["zero:16", "buffer:int:7,8,9,10,0,0"],
   "expect": {"0": "int:16,17,12,13"}, "global": 4, "local": 4},
  {"name": "words", "args": ["zero:16", "buffer:int:7,8,9,10,0,0"],
   "expect": {"0": "int:49"}, "global": 1, "local": 1},
  {"name": "absorb2", "args": ["zero:16", "buffer:int:7,8,1,10", "local:64"],
   "expect": {"0": "int:42"}, "global": 1, "local": 1}]}
*/
struct hdr_s {
    uchar hdr[8];
    int *p;
};
kernel void hdr(global int *out, global int *in)
{
    int x = 42;
    struct hdr_s s, t;
    for (int i = 0; i < 8; i++)
        s.hdr[i] = i;
    s.p = out[3] ? (int *)in : &x;
    for (int i = 0; i < (int)sizeof(s) - out[2]; i++)
        ((uchar *)&t)[i] = ((uchar *)&s)[i];
    out[0] = *t.p;
}
struct dims_t {
    int dims[4];
    int *data;
};
void dims_copy(int *d, const int *s, int n)
{
    for (int i = 0; i < n; i++)
        d[i] = s[i];
}
kernel void dims(global int *out, global int *in)
{
    local struct dims_t lt;
    int x = 42;
    struct dims_t s;
    if (get_local_id(0) == 0) {
        s.dims[0] = in[0];
        s.dims[1] = in[1];
        s.dims[2] = 3;
        s.dims[3] = 4;
        s.data = (int *)&in[2];
        dims_copy((int *)&lt, (int *)&s, 6);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_local_id(0)] = lt.data[0] + lt.dims[get_local_id(0)];
}
struct words_t {
    int dims[4];
    int *data;
};
kernel void words(global int *out, global int *in)
{
    int x = 42;
    struct words_t s, t;
    s.dims[0] = in[0];
    s.dims[1] = in[1];
    s.dims[2] = 3;
    s.dims[3] = 4;
    s.data = out[1] ? (int *)&in[2] : &x;
    int *d = (int *)&t, *f = (int *)&s;
    for (int i = 0; i < 6 + out[1]; i++)
        d[i] = f[i];
    out[0] = t.data[0] + t.dims[out[2]];
}
struct absorb2_s {
    int dims[4];
    int *data;
};
kernel void absorb2(global int *out, global int *in, local struct absorb2_s *p)
{
    int x = 42;
    p[0].data = (int *)in;
    p[0].dims[in[2]] = 5;
    p[1].data = &x;
    struct absorb2_s *g = p;
    out[0] = *g[in[2]].data;
}
