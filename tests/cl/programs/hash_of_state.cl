// SPDX-License-Identifier: Apache-2.0
// options: -cl-std=CL2.0
// expect: 1377578197 36573113 -498029502 1553472506 1685106238 1832694892 -937525261 -329124867
typedef struct {
    uint state[5];
    uint *w;
} sha;
uint rol(uint v, int n)
{
    return rotate(v, (uint)n);
}
void rounds(sha *c, const uint *in, int n)
{
    uint a = c->state[0], b = c->state[1], d = c->state[2], e = c->state[3], f = c->state[4];
    for (int t = 0; t < n; t++) {
        uint w =
            t < 16 ? in[t & 15] : rol(c->w[(t - 3) & 15] ^ c->w[(t - 8) & 15] ^ c->w[(t - 14) & 15] ^ c->w[t & 15], 1);
        c->w[t & 15] = w;
        uint x = rol(a, 5) + bitselect(e, d, b) + f + w + (t < 20 ? 0x5A827999u : 0x6ED9EBA1u);
        f = e;
        e = d;
        d = rol(b, 30);
        b = a;
        a = x;
    }
    c->state[0] += a;
    c->state[1] += b;
    c->state[2] += d;
    c->state[3] += e;
    c->state[4] += f;
}
kernel void k(global int *out, global int *in)
{
    local uint lw[4][16];
    uint pw[16];
    local sha ls[4];
    sha ps;
    local uint msg[16];
    size_t i = get_global_id(0), l = get_local_id(0);
    for (int j = (int)l; j < 16; j += 4)
        msg[j] = j * 0x01010101u;
    barrier(CLK_LOCAL_MEM_FENCE);
    sha *c = i & 1 ? (sha *)&ps : &ls[l];
    c->w = i & 2 ? (uint *)pw : lw[l];
    for (int j = 0; j < 5; j++)
        c->state[j] = 0x67452301u * (j + 1) + (uint)i;
    rounds(c, i & 4 ? (const uint *)msg : (const uint *)in, 40);
    out[i] = (int)(c->state[0] ^ c->state[4]);
}
