// SPDX-License-Identifier: Apache-2.0
// Forms of OpenCL C that compilers are known to get wrong, in the output for a module: on every driver, each must compute the results of
// this source. Unoptimized modules keep goto, packed and aliased accesses.
// MORE: -O0

kernel void goto_loop(global uint *o, uint n)
{
    uint i;
    uint s;
    {
        i = 0;
        s = 0;
        goto B;
    }
A : {
    s = s * 3 + i; // LLVM compiles a plain sum to a 33-bit integer, which Oclgrind does not support
    i++;
    goto B;
}
B : {
    if (i < n) goto A;
    goto C;
}
C : {
    o[0] = s;
}
}
// KERNEL goto_loop 64 64
// ARG int zero 64
// VALUE int 4
// EXPECT int 0x12 0x0 0x0 0x0

kernel void goto_loop_barrier(global uint *o, uint n)
{
    local uint t[64];
    uint i;
    {
        i = 0;
        goto B;
    }
A : {
    t[get_local_id(0)] = i;
    barrier(CLK_LOCAL_MEM_FENCE);
    o[get_local_id(0)] = t[(get_local_id(0) + 1) & 63];
    barrier(CLK_LOCAL_MEM_FENCE);
    i++;
    goto B;
}
B : {
    if (i < n) goto A;
    goto C;
}
C : {
}
}
// KERNEL goto_loop_barrier 64 64
// ARG int zero 64
// VALUE int 4
// EXPECT int 0x3 0x3 0x3 0x3

kernel void irreducible(global uint *o, uint n)
{
    uint s = 0, i = 0;
    if (n & 1) goto B;
A : {
    s = s * 3 + 1;
    i++;
    if (i > 9) goto E;
}
B : {
    s = s + 7;
    i++;
    if (i < n * 2) goto A;
}
E : {
    o[0] = s;
}
}
// KERNEL irreducible 64 64
// ARG int zero 64
// VALUE int 4
// EXPECT int 0x140 0x0 0x0 0x0

kernel void goto_into_block(global uint *o, uint n)
{
    uint s = n;
    if (n > 3) goto X;
    {
        s = 5;
    X:
        s += 2;
    }
    o[0] = s;
}
// KERNEL goto_into_block 64 64
// ARG int zero 64
// VALUE int 4
// EXPECT int 0x6 0x0 0x0 0x0

kernel void label_decl_block(global uint *o, uint n)
{
    goto L1;
L2 : {
    uint a = n;
    o[0] = a;
    goto L3;
}
L1 : {
    uint a = 1;
    n += a;
    goto L2;
}
L3 : {
}
}
// KERNEL label_decl_block 64 64
// ARG int zero 64
// VALUE int 4
// EXPECT int 0x5 0x0 0x0 0x0

typedef struct __attribute__((packed, aligned(1), may_alias)) {
    uint v;
} P;
kernel void packed(global uint *o, uint n)
{
    uchar b[8];
    for (int i = 0; i < 8; i++)
        b[i] = i * n;
    o[0] = ((private P *)(b + 1))->v;
    ((global P *)((global uchar *)o + 5))->v = 0x01020304;
}
// KERNEL packed 64 64
// ARG int zero 64
// VALUE int 4
// EXPECT int 0x100c0804 0x2030400 0x1 0x0

typedef float may_alias_a_f __attribute__((may_alias));
typedef uint may_alias_a_u __attribute__((may_alias));
kernel void may_alias(global uint *o, uint n)
{
    uint x[2];
    x[0] = n;
    x[1] = 1;
  private
    may_alias_a_f *f = (private may_alias_a_f *)x;
    f[n & 1] = 2.0f;
    o[0] = *(private may_alias_a_u *)x;
    o[1] = x[1];
}
// KERNEL may_alias 64 64
// ARG int zero 64
// VALUE int 4
// EXPECT int 0x40000000 0x1 0x0 0x0

typedef struct {
    uint a;
    ulong b;
} compound_S;
static compound_S compound_f(uint x)
{
    return (compound_S){x, 7uL};
}
kernel void compound(global uint *o, uint n)
{
    compound_S s = compound_f(n);
    compound_S t = n > 2u ? s : (compound_S){0};
    o[0] = t.a + (uint)t.b;
    o[1] = ((uint4)(1u, 2u, n, 4u)).z;
}
// KERNEL compound 64 64
// ARG int zero 64
// VALUE int 4
// EXPECT int 0xb 0x4 0x0 0x0

typedef struct {
    uint a;
    float4 v;
    struct {
        uchar x[3];
    } z;
} S;
constant S const_struct_c = {3u, (float4)(1.0f, 0x1.8p+1f, -2.0f, 0.0f), {{1, 2, 3}}};
kernel void const_struct(global uint *o, uint n)
{
    o[0] = const_struct_c.a + (uint)const_struct_c.v.y + const_struct_c.z.x[n & 3];
}
// KERNEL const_struct 64 64
// ARG int zero 64
// VALUE int 4
// EXPECT int 0x7 0x0 0x0 0x0

constant uint const_bits_c[3] = {0x7fc00123u, 0xff800000u, 1u};
kernel void const_bits(global uint *o, uint n)
{
    o[0] = as_uint(*(constant float *)&const_bits_c[n & 1]);
}
// KERNEL const_bits 64 64
// ARG int zero 64
// VALUE int 4
// EXPECT int 0x7fc00123 0x0 0x0 0x0

kernel void vector_subscript(global uint *o, uint n)
{
    uint4 v = (uint4)(1, 2, 3, 4);
    v[n & 3] = 9;
    o[0] = v.x;
    o[1] = v[(n + 1) & 3];
}
// KERNEL vector_subscript 64 64
// ARG int zero 64
// VALUE int 4
// EXPECT int 0x9 0x2 0x0 0x0

static uint local_passed_f(local uint *p, uint i)
{
    return p[i];
}
kernel void local_passed(global uint *o, uint n)
{
    local uint t[64];
    t[get_local_id(0)] = get_local_id(0) * 3;
    barrier(CLK_LOCAL_MEM_FENCE);
    o[get_local_id(0)] = local_passed_f(t, 63 - get_local_id(0));
}
// KERNEL local_passed 64 64
// ARG int zero 64
// VALUE int 4
// EXPECT int 0xbd 0xba 0xb7 0xb4

typedef struct {
    uint a[64];
} T;
kernel void local_struct(global uint *o, uint n)
{
    local T t;
    t.a[get_local_id(0)] = n;
    barrier(CLK_LOCAL_MEM_FENCE);
    o[get_local_id(0)] = (*(&t)).a[(long)0uL];
}
// KERNEL local_struct 64 64
// ARG int zero 64
// VALUE int 4
// EXPECT int 0x4 0x4 0x4 0x4

typedef struct {
} empty_struct_E;
typedef struct {
    empty_struct_E e;
    uint x;
} empty_struct_S;
kernel void empty_struct(global uint *o, uint n)
{
    empty_struct_S s;
    s.x = n;
    o[0] = s.x + (uint)sizeof(empty_struct_E);
}
// KERNEL empty_struct 64 64
// ARG int zero 64
// VALUE int 4
// EXPECT int 0x4 0x0 0x0 0x0

#pragma OPENCL FP_CONTRACT OFF

kernel void contract(global uint *o, uint n)
{
    float a = 1.0f + n * 0x1p-23f;
    float c = a * a - 1.0f;
    o[0] = as_uint(c);
}
// KERNEL contract 64 64
// ARG int zero 64
// VALUE int 4
// EXPECT int 0x35800000 0x0 0x0 0x0

#pragma OPENCL FP_CONTRACT OFF
static float contract_fn_f(float a)
{
    float r = a * a;
    float q = r - 1.0f;
    return q;
}
kernel void contract_fn(global uint *o, uint n)
{
    o[0] = as_uint(contract_fn_f(1.0f + n * 0x1p-23f));
}
// KERNEL contract_fn 64 64
// ARG int zero 64
// VALUE int 4
// EXPECT int 0x35800000 0x0 0x0 0x0

typedef struct {
    ulong p;
    uint v;
} N;
kernel void private_in_memory(global uint *o, uint n)
{
    N a[3];
    a[0].v = 1;
    a[1].v = n;
    a[2].v = 5;
    a[0].p = (ulong)&a[n & 1];
    a[1].p = (ulong)&a[2];
    a[2].p = 0;
    a[0].p = (ulong)&a[1];
    uint s = 0;
  private
    N *q = &a[0];
    for (;;) {
        s += q->v;
        if (!q->p) break;
        q = (private N *)q->p;
    }
    o[0] = s;
}
// KERNEL private_in_memory 64 64
// ARG int zero 64
// VALUE int 4
// EXPECT int 0xa 0x0 0x0 0x0

kernel void store_half(global uint *o, uint n)
{
    if (get_global_id(0)) return;
    vstore_half((float)n, 0, (global half *)o);
    o[1] = (uint)vload_half(0, (global half *)o);
}
// KERNEL store_half 64 64
// ARG int zero 64
// VALUE int 4
// EXPECT int 0x4400 0x4 0x0 0x0

typedef struct __attribute__((packed, aligned(4), may_alias)) {
    uchar a[4000];
} B;
kernel void big_copy(global uint *o, uint n)
{
    uint x[1000];
    for (int i = 0; i < 1000; i++)
        x[i] = i * n;
    uint y[1000];
    *(private B *)y = *(const private B *)x;
    o[0] = y[999];
}
// KERNEL big_copy 64 64
// ARG int zero 64
// VALUE int 4
// EXPECT int 0xf9c 0x0 0x0 0x0

static uint unreachable_f(uint x)
{
    if (x < 9) {
        return 3;
    }
    __builtin_unreachable();
}
kernel void unreachable(global uint *o, uint n)
{
    o[0] = unreachable_f(n);
}
// KERNEL unreachable 64 64
// ARG int zero 64
// VALUE int 4
// EXPECT int 0x3 0x0 0x0 0x0

kernel void sgn_wrap(global uint *o, uint n)
{
    o[0] = (uint)((int)n + (int)0x7fffffff);
    o[1] = (uint)((char)200u >> 1u);
    o[2] = (uint)(long)(int)(0x80000000u);
}
// KERNEL sgn_wrap 64 64
// ARG int zero 64
// VALUE int 4
// EXPECT int 0x80000003 0xffffffe4 0x80000000 0x0

kernel void prints(global uint *o, uint n)
{
    printf("a%u\012", n);
    o[0] = n;
}
// KERNEL prints 64 64
// ARG int zero 64
// VALUE int 4
// EXPECT int 0x4 0x0 0x0 0x0

kernel void fbuiltin_ptr(global uint *o, uint n)
{
    float i;
    int e;
    float f = modf((float)n + 0.5f, (private float *)&i);
    float m = frexp((float)n, (private int *)&e);
    o[0] = (uint)i + e;
    o[1] = as_uint(f);
    o[2] = as_uint(m);
}
// KERNEL fbuiltin_ptr 64 64
// ARG int zero 64
// VALUE int 4
// EXPECT int 0x7 0x3f000000 0x3f000000 0x0

kernel __attribute__((reqd_work_group_size(64, 1, 1))) void reqd(global uint *o, uint n)
{
    o[0] = n;
}
// KERNEL reqd 64 64
// ARG int zero 64
// VALUE int 4
// EXPECT int 0x4 0x0 0x0 0x0

kernel void select_vec(global uint *o, uint n)
{
    char4 c = (char4)(-1, 0, -1, 0);
    uint4 v = select((uint4)(1u), (uint4)(n), convert_int4(c));
    o[0] = v.x;
    o[1] = v.y;
}
// KERNEL select_vec 64 64
// ARG int zero 64
// VALUE int 4
// EXPECT int 0x4 0x1 0x0 0x0

kernel void bool_store(global uint *o, uint n)
{
    bool b = n > 3u;
    uchar m = b;
    o[0] = m;
    o[1] = b ? 5u : 6u;
}
// KERNEL bool_store 64 64
// ARG int zero 64
// VALUE int 4
// EXPECT int 0x1 0x5 0x0 0x0

typedef struct {
    uint m0;
} __attribute__((aligned(64))) A;
kernel void static_const_fn(global uint *o, uint n)
{
    A x __attribute__((aligned(128)));
    x.m0 = n;
    o[0] = (uint)((ulong)&x & 127) + *(volatile private uint *)&x.m0;
}
// KERNEL static_const_fn 64 64
// ARG int zero 64
// VALUE int 4
// EXPECT int 0x4 0x0 0x0 0x0

kernel void work_linear(global uint *o, uint n)
{
    o[get_local_id(0)] =
        (uint)(((get_local_id(2) * get_local_size(1) + get_local_id(1)) * get_local_size(0)) + get_local_id(0));
}
// KERNEL work_linear 64 64
// ARG int zero 64
// VALUE int 4
// EXPECT int 0x0 0x1 0x2 0x3
