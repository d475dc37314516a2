// SPDX-License-Identifier: Apache-2.0
// LLVM intrinsics and OpenCL 2 integer functions: an interpreter implements few of them, a compiler all.
// CHECK: define spir_kernel void @bits
// CHECK-pocl: call i32 @llvm.fshl.i32
// CHECK-NOT: @llvm.bitreverse
// CHECK-oclgrind-NOT: @llvm.fshl

kernel void bits(global uint *v, global ulong *w)
{
    uint x = v[0];
    v[1] = __builtin_bitreverse32(x);
    v[2] = x << 7 | x >> 25;
    v[3] = ctz(x);
    v[4] = clz(x);
    v[5] = popcount(x);
    w[1] = ctz(w[0]);
    w[2] = __builtin_bitreverse64(w[0]);
}
// KERNEL bits 1 1
// ARG int 0x12345678 0 0 0 0 0
// ARG long 0x100 0 0
// EXPECT int 0x12345678 0x1e6a2c48 0x1a2b3c09 3 3 13
// EXPECT long 0x100 8 0x0080000000000000

/* On vectors, whose components an interpreter may ignore but for the first. */
kernel void vectors(global uint4 *v)
{
    uint4 x = v[0], s = v[1];
    v[2] = (x << 7u) | (x >> 25u);
    v[3] = (x << (s & 31u)) | (x >> (-s & 31u));
    v[4] = (uint4)(__builtin_bswap32(x.s0), __builtin_bswap32(x.s1), __builtin_bswap32(x.s2), __builtin_bswap32(x.s3));
}
// KERNEL vectors 1 1
// ARG int 1 2 3 0xf0000000 4 8 12 16 0 0 0 0 0 0 0 0 0 0 0 0
// EXPECT int 1 2 3 0xf0000000 4 8 12 16 128 256 384 120 16 512 12288 61440 0x01000000 0x02000000 0x03000000 0xf0

kernel void copies(global int *in, global int *out)
{
    struct { int v[12]; } here;
    __builtin_memcpy(&here, in, sizeof here);
    int sum = 0;
    for (int i = 0; i < 12; i++)
        sum += here.v[(i * in[12]) % 12];
    out[0] = sum;
    __builtin_memset(out + 1, 1, 8);
}
// KERNEL copies 1 1
// ARG int iota 13
// ARG int zero 3
// EXPECT skip
// EXPECT int 0 16843009 16843009
