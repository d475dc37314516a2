struct pair { int *f0; int k; int *f1; };
union bits { int *p; ulong u; uint h[2]; uchar b[8]; };
struct node { struct node *next; int v; };
struct blob { int x; int y[3]; ulong z; };
struct deep { struct pair s[2]; int *t[2]; };
struct headed { int n[2]; int *f0; int *f1; };
struct bytes_first { uchar n[8]; int *f0; int *f1; };
int *f3_20079(int *p, int *q, int k) {
    int acc = (k & 255);
    int q1[4];
    for (int i2 = 0; i2 < 4; ++i2) {
        q1[i2] = (i2 + 3);
    }
    return ((((int)get_group_id(0) == 2) != 0) ? p : q);
}
struct pair f4_20079(struct pair s, int *p, int k) {
    int acc = (k & 255);
    s.k = (((s.k & 65535) + k) & 65535);
    if ((((((93 * 8) & 65535) & 7) < 5) != 0)) {
        s.f0 = p;
    } else {
        s.f0 = s.f1;
    }
    return s;
}
int f5_20079(struct node *n, int k) {
    int acc = (k & 255);
    for (struct node *e = n; (e != ((struct node *)0)); e = e->next) {
        acc = (((acc * 3) + (e->v & 65535)) & 1048575);
        e->v = (acc & 65535);
    }
    return acc;
}
int f8_20079(struct blob *o, int k) {
    int acc = (k & 255);
    int q6[4];
    for (int i7 = 0; i7 < 4; ++i7) {
        q6[i7] = (i7 + 3);
    }
    acc = (((acc * 3) + (o->x & 65535)) & 1048575);
    acc = (((acc * 3) + (o->y[(k & 1)] & 65535)) & 1048575);
    o->y[2] = (acc & 65535);
    return acc;
}
int f12_20079(int *p, int k) {
    int acc = (k & 255);
    int q9[4];
    for (int i10 = 0; i10 < 4; ++i10) {
        q9[i10] = (i10 + 3);
    }
    int *p11 = ((int *)&q9[0]);
    switch (((((acc & 65535) * 5) & 65535) & 32771)) {
        case 0: {
            p11 = p;
        } break;
        case 1: {
            p11 = p;
        } break;
        default: {
        } break;
    }
    (*p11) = ((((*p11) & 65535) + (p11[0] & 65535)) & 65535);
    return acc;
}
kernel void k_20079(global int *a, global int *b, global int *out, global ulong *hp, local int *la, int n, struct blob arg) {
    local int lb[4];
    local struct node ln[1];
    local ulong lw[2];
    local float lf[1];
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
    local struct pair lp[1];
    struct pair pp;
    struct blob po = arg;
    local struct blob lo[1];
    lo[lid] = po;
    (*((struct blob *)(hw + 8))) = po;
    (*((int **)(hw + 4))) = f3_20079(((int *)(b + (gid * 8))), ((int *)&pa[3]), (((acc & 65535) + (n & 65535)) & 65535));
    int *p13 = ((int *)(b + (gid * 8)));
    __builtin_memcpy(((int **)&p13), ((int **)(hw + 4)), 8);
    acc = (((acc * 3) + (p13[((((n & 65535) ^ 62) & 65535) & 3)] & 65535)) & 1048575);
    for (int i14 = 0; i14 < 2; ++i14) {
        acc = (((acc * 3) + ((*((int **)(hw + 4)))[i14] & 65535)) & 1048575);
    }
    atomic_fetch_max_explicit((volatile atomic_int *)(p13), (n & 65535), memory_order_relaxed, memory_scope_work_group);
    int e15 = (n & 65535);
    acc = (((acc * 3) + ((int)atomic_compare_exchange_strong_explicit((volatile atomic_int *)(p13), ((int *)&e15), (((int *)&pa[0])[5] & 65535), memory_order_relaxed, memory_order_relaxed, memory_scope_work_group) & 65535)) & 1048575);
    acc = (((acc * 3) + (e15 & 65535)) & 1048575);
    int *p16 = ((int *)(la + (lid * 8)));
    for (int i17 = 0; i17 < 3; ++i17) {
        acc = (((acc * 3) + (p16[((int)get_local_id(0) & 3)] & 65535)) & 1048575);
        p16 = (((i17 & 1) != 0) ? (((((n & 65535) & 7) < 6) != 0) ? ((int *)&lb[(lid * 4)]) : f3_20079(((int *)(la + (lid * 8))), ((int *)(b + (gid * 8))), ((*((int *)&x)) & 65535))) : ((int *)(la + (lid * 8))));
    }
    ulong u18 = ((ulong)p16);
    ulong k20 = 933822341813ul;
    u18 = (u18 ^ k20);
    int *p19 = ((int *)(u18 ^ k20));
    acc = (((acc * 3) + (p19[0] & 65535)) & 1048575);
    int *p21 = p16;
    for (int i22 = 0; i22 < 2; ++i22) {
        (*p21) = ((((*p21) & 65535) + (f12_20079(p16, (((int *)(la + (lid * 8)))[((((int *)&pa[0])[(((7 * 6) & 65535) & 7)] & 65535) & 7)] & 65535)) & 65535)) & 65535);
        p21 = (((i22 & 1) != 0) ? f3_20079(((int *)(b + (gid * 8))), ((int *)(b + (gid * 8))), (p13[((((int *)&lb[(lid * 4)])[1] & 65535) & 3)] & 65535)) : p16);
    }
    for (int i28 = 0; i28 < 2; ++i28) {
        ((struct node *)(hw + 2))->v = (int)get_global_id(0);
        ((struct node *)(hw + 2))->next = ((struct node *)&ln[lid]);
        ((struct node *)&ln[lid])->v = (acc & 65535);
        ((struct node *)&ln[lid])->next = ((struct node *)0);
        for (struct node *e23 = ((struct node *)(hw + 2)); (e23 != ((struct node *)0)); e23 = e23->next) {
            acc = (((acc * 3) + (e23->v & 65535)) & 1048575);
        }
        if ((((int)get_local_id(0) == 0) != 0)) {
            ((struct node *)(hw + 2))->v = 66;
            ((struct node *)(hw + 2))->next = ((struct node *)&pn[0]);
            ((struct node *)&pn[0])->v = 17;
            ((struct node *)&pn[0])->next = ((struct node *)&pn[1]);
            ((struct node *)&pn[1])->v = (acc & 65535);
            ((struct node *)&pn[1])->next = ((struct node *)hw);
            ((struct node *)hw)->v = (((acc & 65535) ^ (acc & 65535)) & 65535);
            ((struct node *)hw)->next = ((struct node *)&ln[lid]);
            ((struct node *)&ln[lid])->v = (int)get_global_id(0);
            ((struct node *)&ln[lid])->next = ((struct node *)0);
            for (struct node *e24 = ((struct node *)(hw + 2)); (e24 != ((struct node *)0)); e24 = e24->next) {
                acc = (((acc * 3) + (e24->v & 65535)) & 1048575);
                e24->v = (((n & 65535) + (acc & 65535)) & 65535);
            }
            acc = (((acc * 3) + (((struct node *)(hw + 2))->next->v & 65535)) & 1048575);
        }
        ulong u25 = ((ulong)p19);
        int *p26 = ((int *)((u25 & 18446744073709551360ul) | (u25 & 255ul)));
        for (int i27 = 0; i27 < 3; ++i27) {
            acc = (((acc * 3) + (p26[i27] & 65535)) & 1048575);
        }
    }
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
