struct pair { int *f0; int k; int *f1; };
union bits { int *p; ulong u; uint h[2]; uchar b[8]; };
struct node { struct node *next; int v; };
struct blob { int x; int y[3]; ulong z; };
struct deep { struct pair s[2]; int *t[2]; };
struct headed { int n[2]; int *f0; int *f1; };
struct bytes_first { uchar n[8]; int *f0; int *f1; };
struct between { int *first; int *t[4]; int *last; };
__attribute__((noinline)) int *f1_10(int *p, int *q, int k) {
    return ((((int)get_global_id(0) == 1) != 0) ? p : q);
}
kernel void k_10(global int *a, global int *b, global int *out, global ulong *hp, local int *la, int n, struct blob arg) {
    local int lb[16];
    local struct node ln[4];
    int gid = (int)get_global_id(0);
    int lid = (int)get_local_id(0);
    int acc = 1;
    int pa[8];
    struct node pn[2];
    global ulong *hw = (hp + (gid * 16));
    for (int i = 0; i < 8; ++i) {
        pa[i] = ((i * 5) + gid);
        (la + (lid * 8))[i] = ((i * 7) + lid);
    }
    for (int i = 0; i < 4; ++i) {
        lb[((lid * 4) + i)] = (i + 11);
    }
    ulong u19 = ((ulong)((int *)&pa[3]));
    u19 = (u19 ^ 18446744073709551615ul);
    int *p20 = ((int *)(u19 ^ 18446744073709551615ul));
    struct between s21;
    s21.t[1] = ((((((85 ^ (acc & 65535)) & 65535) & 7) < 6) != 0) ? f1_10(((int *)(la + (lid * 8))), ((int *)(a + (gid * 8))), (p20[0] & 65535)) : ((int *)(la + (lid * 8))));
    s21.t[2] = ((int *)&lb[(lid * 4)]);
    int **pp22 = ((int **)&s21.t[(((((int *)&pa[3])[(7 & 3)] & 65535) & 1) + 1)]);
    (*pp22[0]) = ((((*pp22[0]) & 65535) + (((((int *)&pa[3])[((((int *)&pa[3])[((int)get_global_id(0) & 3)] & 65535) & 3)] & 65535) ^ (((int *)(b + (gid * 8)))[((((int *)(la + (lid * 8)))[((n & 65535) & 7)] & 65535) & 7)] & 65535)) & 65535)) & 65535);
    ((struct node *)hw)->next = ((struct node *)&pn[0]);
    ((struct node *)&pn[0])->next = ((struct node *)&ln[lid]);
    ((struct node *)&ln[lid])->next = ((struct node *)0);
    for (struct node *e35 = ((struct node *)hw); (e35 != ((struct node *)0)); e35 = e35->next) {
    }
    for (int i = 0; i < 16; ++i) {
        hw[i] = 0ul;
    }
}
