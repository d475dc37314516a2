// SPDX-License-Identifier: Apache-2.0
// A word becomes an address by constants in its halves, each under a condition: by atomics of 32 bits, and by stores.
/* TRUTH
{"kernels": [
  {"name": "bitmap", "args": ["zero:8", "buffer:uint:1,2,30,4", "local:64"], "expect": {"0": "uint:30"}, "global": 1, "local": 1},
  {"name": "by_or", "args": ["zero:8", "buffer:uint:1,2,30,4", "local:64"], "expect": {"0": "uint:30"}, "global": 1, "local": 1},
  {"name": "by_add", "args": ["zero:8", "buffer:uint:1,2,30,4", "local:64"], "expect": {"0": "uint:30"}, "global": 1, "local": 1},
  {"name": "by_xor", "args": ["zero:8", "buffer:uint:1,2,30,4", "local:64"], "expect": {"0": "uint:30"}, "global": 1, "local": 1},
  {"name": "by_and", "args": ["zero:8", "buffer:uint:1,2,30,4", "local:64"], "expect": {"0": "uint:30"}, "global": 1, "local": 1},
  {"name": "by_stores", "args": ["zero:8", "buffer:uint:1,2,30,4", "local:64"], "expect": {"0": "uint:30"}, "global": 1, "local": 1}]}
*/
#define BEGIN(w) local ulong word; local uint *map = (local uint *)&word; uint own = 99; near[1] = in[2]; ulong p = (ulong)(uint *)&near[1]; word = w;
#define END out[0] = *(uint *)(in[0] == 7 ? (ulong)(uint *)&own : word);
kernel void bitmap(global uint *out, global const uint *in, local uint *near)
{
    BEGIN(0)
#pragma unroll
    for (uint k = 0; k < 64; k++)
        if (p & 1ul << k) atomic_or(&map[k / 32], 1u << (k & 31));
    END
}
#define R8(M, k) M(k) M(k + 1) M(k + 2) M(k + 3) M(k + 4) M(k + 5) M(k + 6) M(k + 7)
#define R48(M) R8(M, 0) R8(M, 8) R8(M, 16) R8(M, 24) R8(M, 32) R8(M, 40)
#define OR(k) if (p >> (k) & 1) atomic_or(map + (k) / 32, 1u << (k) % 32);
#define ADD(k) if (p >> (k) & 1) atomic_add(map + (k) / 32, 1u << (k) % 32);
#define XOR(k) if (p >> (k) & 1) atomic_xor(map + (k) / 32, 1u << (k) % 32);
#define AND(k) if (!(p >> (k) & 1)) atomic_and(map + (k) / 32, ~(1u << (k) % 32));
kernel void by_or(global uint *out, global const uint *in, local uint *near) { BEGIN(0) R48(OR) END }
kernel void by_add(global uint *out, global const uint *in, local uint *near) { BEGIN(0) R48(ADD) END }
kernel void by_xor(global uint *out, global const uint *in, local uint *near) { BEGIN(0) R48(XOR) END }
kernel void by_and(global uint *out, global const uint *in, local uint *near) { BEGIN(~0ul) R48(AND) R8(AND, 48) R8(AND, 56) END }
/* Each byte of the upper half is compared with all constants, and the one that is equal is stored. */
#define B(k, b) if (t == b) bytes[k] = b;
#define B8(k, b) B(k, b) B(k, b + 1) B(k, b + 2) B(k, b + 3) B(k, b + 4) B(k, b + 5) B(k, b + 6) B(k, b + 7)
#define B64(k, b) B8(k, b) B8(k, b + 8) B8(k, b + 16) B8(k, b + 24) B8(k, b + 32) B8(k, b + 40) B8(k, b + 48) B8(k, b + 56)
#define B256(k) t = p >> 8 * k; B64(k, 0) B64(k, 64) B64(k, 128) B64(k, 192)
kernel void by_stores(global uint *out, global const uint *in, local uint *near)
{
    uint own = 99;
    uchar t;
    near[1] = in[2];
    ulong p = (ulong)(uint *)&near[1], w = (uint)p;
    uchar *bytes = (uchar *)&w;
    B256(4) B256(5) B256(6) B256(7)
    out[0] = *(uint *)(in[0] == 7 ? (ulong)(uint *)&own : w);
}
