// SPDX-License-Identifier: Apache-2.0
// All operations on generic pointers, in the original module.
// RUN: --kernel mixed --global 3 --arg zero:12 --arg buffer:int:5,6,7
// CHECK: arg 0 int: 0 17 7
// RUN: --kernel spaces --arg zero:32 --arg buffer:int:5,6,7
// CHECK: arg 0 int: 1 1 1 0 0 0 1 3
// RUN: --kernel chase --arg zero:8 --arg buffer:long:1;ptr:2;long:10;ptr:2+16 --arg buffer:long:100;ptr:null;long:1000;ptr:null
// CHECK: arg 0 int: 101 1010
// RUN: --kernel kept --arg zero:16:ulong --arg same:0+8
// CHECK: arg 0 ulong: &private &arg0+8
// RUN: --kernel value --global 2 --arg zero:8 --arg int:3;int:0;ptr:0
// CHECK: arg 0 int: 3 4
int __attribute__((noinline)) get(int *p) { return *p; }
kernel void mixed(global int *out, global int *in) {
    local int l;
    int p = get_global_id(0) * 17, *q = &p;
    l = 4;
    if (get_global_id(0) == 2)
        q = &in[2];
    out[get_global_id(0)] = get(q);
}
kernel void spaces(global int *out, global int *in) {
    local int l;
    int p;
    int *a = in, *b = &l, *c = &p;
    out[0] = to_global(a) == in;
    out[1] = to_local(b) == &l;
    out[2] = to_private(c) == &p;
    out[3] = to_local(a) != 0;
    out[4] = to_global(b) != 0;
    out[5] = a == b || b == c;
    out[6] = get_fence(b) == CLK_LOCAL_MEM_FENCE;
    out[7] = (int)((in + 3) - in);
}
struct node {
    long v;
    struct node *next;
};
kernel void chase(global int *out, global struct node *n, global struct node *unused) {
    for (int i = 0; i < 2; i++) {
        struct node *at = n + i;
        for (out[i] = 0; at; at = at->next)
            out[i] += at->v;
    }
}
kernel void kept(global ulong *out, global ulong *next) {
    int mine;
    out[0] = (ulong)(int *)&mine;
    out[1] = (ulong)next;
}
struct pair {
    int a, b;
    global int *to;
};
kernel void value(global int *out, struct pair p) {
    p.a += get_global_id(0);
    struct pair *q = &p;
    q->to[get_global_id(0)] = q->a;
}
