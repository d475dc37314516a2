struct pair { int *f0; int k; int *f1; };
union bits { int *p; ulong u; uint h[2]; uchar b[8]; };
struct node { struct node *next; int v; };
struct blob { int x; int y[3]; ulong z; };
struct deep { struct pair s[2]; int *t[2]; };
struct headed { int n[2]; int *f0; int *f1; };
struct bytes_first { uchar n[8]; int *f0; int *f1; };
struct between { int *first; int *t[4]; int *last; };
int *f2_15(int *p, int *q, int k) {
    int acc = (k & 255);
    int *t1[2];
    t1[0] = p;
    t1[1] = q;
    return t1[((q[0] & 65535) & 1)];
}
void f3_15(int **d, int *q, int k) {
    int acc = (k & 255);
    if (((((q[2] & 65535) & 7) < 2) != 0)) {
        (*d) = q;
    } else {
        acc = (((acc * 3) + ((*d)[((int)get_local_id(0) & 3)] & 65535)) & 1048575);
    }
    return;
}
__attribute__((noinline)) int f6_15(struct blob *o, int k) {
    int acc = (k & 255);
    int q4[4];
    for (int i5 = 0; i5 < 4; ++i5) {
        q4[i5] = (i5 + 3);
    }
    acc = (((acc * 3) + (o->x & 65535)) & 1048575);
    acc = (((acc * 3) + (o->y[(k & 1)] & 65535)) & 1048575);
    return acc;
}
kernel void k_15(global int *a, global int *b, global int *out, global ulong *hp, local int *la, int n, struct blob arg) {
    local int lb[8];
    local struct node ln[2];
    local ulong lw[4];
    local float lf[2];
    int gid = (int)get_global_id(0);
    int lid = (int)get_local_id(0);
    int acc = 1;
    int pa[8];
    int x = 13;
    struct node pn[2];
    float pf[1];
    int *ps = ((int *)0);
    ulong pw = 0ul;
    global ulong *hw = (hp + (gid * 16));
    for (int i = 0; i < 8; ++i) {
        pa[i] = ((i * 5) + gid);
        (la + (lid * 8))[i] = ((i * 7) + lid);
    }
    for (int i = 0; i < 4; ++i) {
        lb[((lid * 4) + i)] = (i + 11);
    }
    lw[(lid * 2)] = 0ul;
    lw[((lid * 2) + 1)] = 0ul;
    lf[lid] = 0.0f;
    pf[0] = 0.0f;
    local struct pair lp[2];
    struct pair pp;
    struct blob po = arg;
    local struct blob lo[2];
    lo[lid] = po;
    (*((struct blob *)(hw + 8))) = po;
    (*((int **)(hw + 4))) = ((int *)&pa[0]);
    int *p7 = (*((int **)(hw + 4)));
    int4 v8 = vload4(0, p7);
    acc = (((acc * 3) + ((v8.s2 ^ v8.s3) & 65535)) & 1048575);
    (*(((ulong *)&lw[(lid * 2)]) + 1)) = ((ulong)((int *)(la + (lid * 8))));
    int *p9 = (*((int **)(((ulong *)&lw[(lid * 2)]) + 1)));
    for (int i10 = 0; i10 < 2; ++i10) {
        acc = (((acc * 3) + (p9[i10] & 65535)) & 1048575);
    }
    int *p11 = ((int *)(b + (gid * 8)));
    for (int i12 = 0; i12 < 2; ++i12) {
        int4 v13 = vload4(0, p11);
        acc = (((acc * 3) + ((v13.s1 ^ v13.s3) & 65535)) & 1048575);
        p11 = (((i12 & 1) != 0) ? ((int *)(b + (gid * 8))) : p11);
    }
    struct between s14;
    s14.first = f2_15(p11, p7, (((int *)(a + (gid * 8)))[3] & 65535));
    s14.last = ((((acc & 65535) & 1) != 0) ? ((int *)(b + (gid * 8))) : p7);
    s14.t[0] = ((int *)(a + (gid * 8)));
    s14.t[1] = ((int *)&lb[(lid * 4)]);
    s14.t[2] = ((int *)&pa[3]);
    s14.t[3] = f2_15(p9, ((int *)(b + (gid * 8))), (((n & 65535) ^ (n & 65535)) & 65535));
    int **pp15 = ((int **)&s14.t[(((((int *)&lb[(lid * 4)])[(6 & 3)] & 65535) & 1) + 1)]);
    acc = (((acc * 3) + (pp15[2][1] & 65535)) & 1048575);
    acc = (((acc * 3) + (pp15[0][((((n & 65535) + 83) & 65535) & 3)] & 65535)) & 1048575);
    acc = (((acc * 3) + (atomic_fetch_max_explicit((volatile atomic_int *)(f2_15(((int *)(la + (lid * 8))), ((int *)&pa[0]), ((68 + (n & 65535)) & 65535))), (((acc & 65535) * 8) & 65535), memory_order_relaxed, memory_scope_work_group) & 65535)) & 1048575);
    int e16 = (p7[0] & 65535);
    acc = (((acc * 3) + ((int)atomic_compare_exchange_strong_explicit((volatile atomic_int *)(f2_15(((int *)(la + (lid * 8))), ((int *)&pa[0]), ((68 + (n & 65535)) & 65535))), ((int *)&e16), 45, memory_order_relaxed, memory_order_relaxed, memory_scope_work_group) & 65535)) & 1048575);
    acc = (((acc * 3) + (e16 & 65535)) & 1048575);
    (out + (gid * 48))[0] = acc;
    (out + (gid * 48))[1] = x;
    for (int i = 0; i < 8; ++i) {
        (out + (gid * 48))[(i + 2)] = pa[i];
        (out + (gid * 48))[(i + 10)] = la[((lid * 8) + i)];
    }
    for (int i = 0; i < 4; ++i) {
        (out + (gid * 48))[(i + 18)] = lb[((lid * 4) + i)];
    }
    (out + (gid * 48))[22] = ((int)lf[lid]);
    (out + (gid * 48))[23] = ((int)pf[0]);
    for (int i = 0; i < 16; ++i) {
        hw[i] = 0ul;
    }
}
