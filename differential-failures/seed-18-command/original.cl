struct pair { int *f0; int k; int *f1; };
union bits { int *p; ulong u; uint h[2]; uchar b[8]; };
struct node { struct node *next; int v; };
struct blob { int x; int y[3]; ulong z; };
struct deep { struct pair s[2]; int *t[2]; };
struct headed { int n[2]; int *f0; int *f1; };
struct bytes_first { uchar n[8]; int *f0; int *f1; };
struct between { int *first; int *t[4]; int *last; };
__attribute__((noinline)) int *f3_18(int *p, int *q, int k) {
    int acc = (k & 255);
    int q1[4];
    for (int i2 = 0; i2 < 4; ++i2) {
        q1[i2] = (i2 + 3);
    }
    if ((((int)get_group_id(0) & 2) != 0)) {
        return p;
    }
    return q;
}
int f13_18(int *p, int k) {
    int acc = (k & 255);
    int q4[4];
    for (int i5 = 0; i5 < 4; ++i5) {
        q4[i5] = (i5 + 3);
    }
    struct pair s6;
    struct pair s7;
    ((struct pair *)&s7)->f0 = ((int *)&q4[0]);
    ((struct pair *)&s7)->f1 = p;
    ((struct pair *)&s7)->k = (p[((((k & 65535) ^ (k & 65535)) & 65535) & 3)] & 65535);
    (*((struct pair *)&s6)) = (*((struct pair *)&s7));
    struct pair *q8 = ((((int)get_global_id(0) & 2) != 0) ? ((struct pair *)&s7) : ((struct pair *)&s6));
    for (int i9 = 0; i9 < 2; ++i9) {
        acc = (((acc * 3) + (q8->f0[i9] & 65535)) & 1048575);
    }
    acc = (((acc * 3) + (q8->k & 65535)) & 1048575);
    (*((struct pair *)&s6)->f1) = ((((*((struct pair *)&s6)->f1) & 65535) + (int)get_global_id(0)) & 65535);
    ((struct pair *)&s6)->f0 = p;
    ((struct pair *)&s6)->f1 = p;
    ((struct pair *)&s6)->k = ((40 * 3) & 65535);
    (*((struct pair *)&s7)) = (*((struct pair *)&s6));
    struct pair *q10 = (((((((acc & 65535) ^ 89) & 65535) & 7) < 1) != 0) ? ((struct pair *)&s6) : ((struct pair *)&s7));
    int4 v11 = vload4(0, q10->f0);
    acc = (((acc * 3) + ((v11.s2 ^ v11.s3) & 65535)) & 1048575);
    acc = (((acc * 3) + (q10->k & 65535)) & 1048575);
    acc = (((acc * 3) + (((struct pair *)&s7)->f1[(91 & 3)] & 65535)) & 1048575);
    (*((int **)&((struct pair *)&s6)->f1)) = ((struct pair *)&s7)->f0;
    if (((((acc & 65535) & 7) < 3) != 0)) {
        (*((int **)&((struct pair *)&s6)->f1)) = (*((int **)&((struct pair *)&s6)->f1));
    }
    int *p12 = (*((int **)&((struct pair *)&s6)->f1));
    acc = (((acc * 3) + (p12[0] & 65535)) & 1048575);
    return acc;
}
struct pair f14_18(struct pair s, int *p, int k) {
    int acc = (k & 255);
    s.k = (((s.k & 65535) + k) & 65535);
    if ((((int)get_global_id(0) & 2) != 0)) {
        s.f1 = p;
    } else {
        s.f1 = s.f0;
    }
    return s;
}
int f17_18(struct node *n, int k) {
    int acc = (k & 255);
    int q15[4];
    for (int i16 = 0; i16 < 4; ++i16) {
        q15[i16] = (i16 + 3);
    }
    for (struct node *e = n; (e != ((struct node *)0)); e = e->next) {
        acc = (((acc * 3) + (e->v & 65535)) & 1048575);
    }
    return acc;
}
__attribute__((noinline)) int f18_18(struct blob *o, int k) {
    int acc = (k & 255);
    acc = (((acc * 3) + (o->x & 65535)) & 1048575);
    acc = (((acc * 3) + (o->y[(k & 1)] & 65535)) & 1048575);
    o->y[2] = (acc & 65535);
    return acc;
}
kernel void k_18(global int *a, global int *b, global int *out, global ulong *hp, local int *la, int n, struct blob arg) {
    local int lb[16];
    local struct node ln[4];
    local ulong lw[8];
    local float lf[4];
    int gid = (int)get_global_id(0);
    int lid = (int)get_local_id(0);
    int acc = 1;
    int pa[8];
    int x = 26;
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
    struct blob po = arg;
    local struct blob lo[4];
    lo[lid] = po;
    (*((struct blob *)(hw + 8))) = po;
    struct pair s19;
    s19.f0 = f3_18(f3_18(((int *)(b + (gid * 8))), ((int *)(a + (gid * 8))), (((int *)&pa[3])[1] & 65535)), ((int *)(b + (gid * 8))), ((32 * 3) & 65535));
    s19.k = (n & 65535);
    s19.f1 = ((((int)get_global_id(0) == 3) != 0) ? ((((int)get_global_id(0) & 2) != 0) ? ((int *)(b + (gid * 8))) : ((int *)&lb[(lid * 4)])) : ((int *)&lb[(lid * 4)]));
    struct pair s20 = f14_18(s19, (((int *)(b + (gid * 8))) + 0), 26);
    acc = (((acc * 3) + (s20.f0[((((int *)&pa[3])[((((int *)(b + (gid * 8)))[(((61 * 6) & 65535) & 7)] & 65535) & 3)] & 65535) & 3)] & 65535)) & 1048575);
    acc = (((acc * 3) + (s20.k & 65535)) & 1048575);
    s20.f1[((((acc & 65535) | (acc & 65535)) & 65535) & 3)] = (((int)get_global_id(0) | (((acc & 65535) * 2) & 65535)) & 65535);
    ulong u21 = ((ulong)s20.f1);
    ulong k23 = ((ulong)(((int *)&lb[(lid * 4)])[((((int *)(a + (gid * 8)))[((n & 65535) & 7)] & 65535) & 3)] & 65535));
    u21 = (u21 ^ k23);
    int *p22 = ((int *)(u21 ^ k23));
    (*p22) = ((((*p22) & 65535) + (f13_18(((((int)get_global_id(0) == 0) != 0) ? ((int *)(la + (lid * 8))) : ((int *)(la + (lid * 8)))), (((int *)&lb[(lid * 4)])[1] & 65535)) & 65535)) & 65535);
    float f24 = modf((((float)((((int *)&lb[(lid * 4)])[0] & 65535) & 63)) * 0.25f), ((float *)&lf[lid]));
    acc = (((acc * 3) + (((int)(*((float *)&lf[lid]))) & 65535)) & 1048575);
    acc = (((acc * 3) + (((int)(f24 * 16.0f)) & 65535)) & 1048575);
    int *p25 = (s20.f0 + 3);
    int *p26 = ((int *)(b + (gid * 8)));
    acc = (((acc * 3) + ((((ulong)p25) == ((ulong)p26)) & 65535)) & 1048575);
    (*((ulong *)(hw + 5))) = ((ulong)(((int *)&pa[3]) + 1));
    (*((ulong *)(hw + 5))) += 4ul;
    int *p27 = ((int *)(*((ulong *)(hw + 5))));
    (*p27) = ((((*p27) & 65535) + (s20.f0[1] & 65535)) & 65535);
    if ((((int)get_local_id(0) & 2) != 0)) {
        int *p28 = p27;
        (*p28) = ((((*p28) & 65535) + (acc & 65535)) & 65535);
        __builtin_memcpy(f3_18(((int *)(b + (gid * 8))), ((int *)(a + (gid * 8))), ((54 | (n & 65535)) & 65535)), (((int *)(a + (gid * 8))) + 3), 8);
        acc = (((acc * 3) + (f3_18(((int *)(b + (gid * 8))), ((int *)(a + (gid * 8))), ((54 | (n & 65535)) & 65535))[0] & 65535)) & 1048575);
    }
    lw[(lid * 2)] = ((ulong)((((((int *)(b + (gid * 8)))[1] & 65535) & 1) != 0) ? ((int *)(la + (lid * 8))) : ((int *)(a + (gid * 8)))));
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    int *p29 = ((int *)lw[((lid ^ 1) * 2)]);
    acc = (((acc * 3) + (p29[3] & 65535)) & 1048575);
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    int *p30 = ((((((((int *)(la + (lid * 8)))[7] & 65535) & 7) < 1) != 0) ? ((int *)&pa[3]) : f3_18(((int *)(a + (gid * 8))), ((int *)(a + (gid * 8))), ((32 | (acc & 65535)) & 65535))) + 2);
    int *p31 = ((((((((int *)(la + (lid * 8)))[7] & 65535) & 7) < 1) != 0) ? ((int *)&pa[3]) : f3_18(((int *)(a + (gid * 8))), ((int *)(a + (gid * 8))), ((32 | (acc & 65535)) & 65535))) + 3);
    acc = (((acc * 3) + ((p30 == p31) & 65535)) & 1048575);
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    { event_t done = async_work_group_copy(la, a, 32, 0); wait_group_events(1, &done); }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    (*((ulong *)(hw + 5))) = ((ulong)((int *)&pa[3]));
    (*((ulong *)(hw + 5))) += 4ul;
    int *p32 = ((int *)(*((ulong *)(hw + 5))));
    for (int i33 = 0; i33 < 2; ++i33) {
        acc = (((acc * 3) + (p32[i33] & 65535)) & 1048575);
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
