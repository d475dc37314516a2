struct pair { int *f0; int k; int *f1; };
union bits { int *p; ulong u; uint h[2]; uchar b[8]; };
struct node { struct node *next; int v; };
struct blob { int x; int y[3]; ulong z; };
struct deep { struct pair s[2]; int *t[2]; };
struct headed { int n[2]; int *f0; int *f1; };
struct bytes_first { uchar n[8]; int *f0; int *f1; };
struct between { int *first; int *t[4]; int *last; };
__attribute__((noinline)) int *f1_10(int *p, int *q, int k) {
    int acc = (k & 255);
    return ((((int)get_global_id(0) == 1) != 0) ? p : q);
}
__attribute__((noinline)) int f10_10(int *p, int k) {
    int acc = (k & 255);
    int o2 = (p[((p[2] & 65535) & 3)] & 65535);
    ulong u3 = ((ulong)((int *)((int *)&o2)));
    u3 = (u3 * 2ul);
    acc = (((acc * 3) + ((*((int *)(u3 >> 1))) & 65535)) & 1048575);
    (*((int *)(u3 >> 1))) = ((91 ^ (k & 65535)) & 65535);
    acc = (((acc * 3) + (o2 & 65535)) & 1048575);
    int *p4 = (p + 1);
    int *p5 = (p + 0);
    acc = (((acc * 3) + ((((ulong)p4) == ((ulong)p5)) & 65535)) & 1048575);
    struct pair s6;
    s6.f0 = p;
    s6.k = (((p[3] & 65535) ^ (int)get_group_id(0)) & 65535);
    s6.f1 = p;
    struct pair s7;
    (*((struct pair *)&s7)) = s6;
    s7.f0 = s6.f1;
    int4 v8 = vload4(0, s7.f0);
    acc = (((acc * 3) + ((v8.s3 ^ v8.s3) & 65535)) & 1048575);
    acc = (((acc * 3) + (s7.k & 65535)) & 1048575);
    int4 v9 = vload4(0, s7.f1);
    acc = (((acc * 3) + ((v9.s2 ^ v9.s3) & 65535)) & 1048575);
    return acc;
}
int f13_10(struct blob *o, int k) {
    int acc = (k & 255);
    int q11[4];
    for (int i12 = 0; i12 < 4; ++i12) {
        q11[i12] = (i12 + 3);
    }
    acc = (((acc * 3) + (o->x & 65535)) & 1048575);
    acc = (((acc * 3) + (o->y[(k & 1)] & 65535)) & 1048575);
    return acc;
}
__attribute__((noinline)) int f18_10(int *p, int k) {
    int acc = (k & 255);
    int q14[4];
    for (int i15 = 0; i15 < 4; ++i15) {
        q14[i15] = (i15 + 3);
    }
    struct deep s16;
    s16.s[0].f0 = ((int *)&q14[0]);
    s16.s[0].f1 = p;
    s16.s[0].k = ((40 + 83) & 65535);
    s16.t[0] = ((int *)&q14[0]);
    s16.s[1].f0 = p;
    s16.s[1].f1 = p;
    s16.s[1].k = 3;
    s16.t[1] = ((int *)&q14[0]);
    (*s16.s[(94 & 1)].f0) = ((((*s16.s[(94 & 1)].f0) & 65535) + (s16.t[1][(6 & 3)] & 65535)) & 65535);
    acc = (((acc * 3) + (s16.s[(94 & 1)].k & 65535)) & 1048575);
    for (int i17 = 0; i17 < 2; ++i17) {
        acc = (((acc * 3) + (s16.t[(94 & 1)][i17] & 65535)) & 1048575);
    }
    return acc;
}
kernel void k_10(global int *a, global int *b, global int *out, global ulong *hp, local int *la, int n, struct blob arg) {
    local int lb[16];
    local struct node ln[4];
    local ulong lw[8];
    local float lf[4];
    int gid = (int)get_global_id(0);
    int lid = (int)get_local_id(0);
    int acc = 1;
    int pa[8];
    int x = 33;
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
    local struct pair lp[4];
    struct pair pp;
    ulong u19 = ((ulong)((int *)&pa[3]));
    u19 = (u19 ^ 18446744073709551615ul);
    int *p20 = ((int *)(u19 ^ 18446744073709551615ul));
    (*p20) = ((((*p20) & 65535) + (((int *)&pa[0])[1] & 65535)) & 65535);
    struct between s21;
    s21.first = ((int *)(la + (lid * 8)));
    s21.last = ((int *)&lb[(lid * 4)]);
    s21.t[0] = ((int *)&pa[3]);
    s21.t[1] = ((((((85 ^ (acc & 65535)) & 65535) & 7) < 6) != 0) ? f1_10(((int *)(la + (lid * 8))), ((int *)(a + (gid * 8))), (p20[0] & 65535)) : ((int *)(la + (lid * 8))));
    s21.t[2] = ((int *)&lb[(lid * 4)]);
    s21.t[3] = ((((((acc & 65535) | (n & 65535)) & 65535) & 1) != 0) ? ((int *)(b + (gid * 8))) : ((int *)(a + (gid * 8))));
    int **pp22 = ((int **)&s21.t[(((((int *)&pa[3])[(7 & 3)] & 65535) & 1) + 1)]);
    for (int i23 = 0; i23 < 3; ++i23) {
        acc = (((acc * 3) + (pp22[(-1)][i23] & 65535)) & 1048575);
    }
    (*pp22[0]) = ((((*pp22[0]) & 65535) + (((((int *)&pa[3])[((((int *)&pa[3])[((int)get_global_id(0) & 3)] & 65535) & 3)] & 65535) ^ (((int *)(b + (gid * 8)))[((((int *)(la + (lid * 8)))[((n & 65535) & 7)] & 65535) & 7)] & 65535)) & 65535)) & 65535);
    struct between s24;
    s24.first = ((int *)(b + (gid * 8)));
    s24.last = (((int *)(b + (gid * 8))) + 2);
    s24.t[0] = (((94 & 1) != 0) ? ((int *)(b + (gid * 8))) : p20);
    s24.t[1] = p20;
    s24.t[2] = ((int *)&pa[3]);
    s24.t[3] = ((int *)&pa[0]);
    int **pp25 = ((int **)&s24.t[(((((acc & 65535) * 7) & 65535) & 1) + 1)]);
    vstore4(((int4)(((30 ^ (acc & 65535)) & 65535), (((acc & 65535) ^ (n & 65535)) & 65535), (acc & 65535), (int)get_local_id(0))), 0, pp25[2]);
    for (int i26 = 0; i26 < 2; ++i26) {
        acc = (((acc * 3) + (pp25[(-1)][i26] & 65535)) & 1048575);
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    ulong w27 = work_group_broadcast(((ulong)((int *)(a + (gid * 8)))), 2);
    
    
    int *p28 = ((int *)w27);
    acc = (((acc * 3) + (p28[0] & 65535)) & 1048575);
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    ulong w29 = work_group_broadcast(((ulong)(((((((n & 65535) * 8) & 65535) & 7) < 3) != 0) ? ((int *)&lb[(lid * 4)]) : ((int *)(a + (gid * 8))))), 1);
    
    
    int *p30 = ((int *)w29);
    acc = (((acc * 3) + (p30[2] & 65535)) & 1048575);
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    if (((((int)get_global_id(0) & 7) < 4) != 0)) {
        (*((int **)&ps)) = ((((int)get_group_id(0) == 2) != 0) ? ((int *)(la + (lid * 8))) : f1_10(((int *)(a + (gid * 8))), ((int *)(a + (gid * 8))), (((acc & 65535) | (acc & 65535)) & 65535)));
        int *p31 = (*((int **)&ps));
        vstore4(((int4)((((acc & 65535) + (n & 65535)) & 65535), (((int *)&pa[3])[(((83 ^ 82) & 65535) & 3)] & 65535), (p31[1] & 65535), (acc & 65535))), 0, p31);
    } else {
        int *p32 = ((((n & 65535) & 1) != 0) ? ((int *)&pa[0]) : ((((int)get_group_id(0) & 2) != 0) ? f1_10(((int *)(b + (gid * 8))), ((int *)&pa[0]), (acc & 65535)) : (((int *)&pa[0]) + 0)));
        (*p32) = ((((*p32) & 65535) + (n & 65535)) & 65535);
    }
    int o33 = (((int *)&pa[3])[((int)get_global_id(0) & 3)] & 65535);
    ulong u34 = ((ulong)((int *)((int *)&o33)));
    u34 = (u34 ^ 18446744073709551615ul);
    acc = (((acc * 3) + ((*((int *)(u34 ^ 18446744073709551615ul))) & 65535)) & 1048575);
    (*((int *)(u34 ^ 18446744073709551615ul))) = (int)get_local_id(0);
    acc = (((acc * 3) + (o33 & 65535)) & 1048575);
    ((struct node *)hw)->v = (acc & 65535);
    ((struct node *)hw)->next = ((struct node *)&pn[0]);
    ((struct node *)&pn[0])->v = (((int *)(a + (gid * 8)))[3] & 65535);
    ((struct node *)&pn[0])->next = ((struct node *)&ln[lid]);
    ((struct node *)&ln[lid])->v = (acc & 65535);
    ((struct node *)&ln[lid])->next = ((struct node *)0);
    for (struct node *e35 = ((struct node *)hw); (e35 != ((struct node *)0)); e35 = e35->next) {
        acc = (((acc * 3) + (e35->v & 65535)) & 1048575);
    }
    acc = (((acc * 3) + (((struct node *)hw)->next->v & 65535)) & 1048575);
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
