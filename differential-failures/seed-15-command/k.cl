struct pair { int *f0; int k; int *f1; };
union bits { int *p; ulong u; uint h[2]; uchar b[8]; };
struct node { struct node *next; int v; };
struct blob { int x; int y[3]; ulong z; };
struct deep { struct pair s[2]; int *t[2]; };
struct headed { int n[2]; int *f0; int *f1; };
struct bytes_first { uchar n[8]; int *f0; int *f1; };
struct between { int *first; int *t[4]; int *last; };
int *f2_15(int *p, int *q, int k) {
    int *t1[2];
    t1[0] = p;
    t1[1] = q;
    return t1[((q[0] & 65535) & 1)];
}
kernel void k_15(global int *a, global int *b, global int *out, global ulong *hp, local int *la, int n, struct blob arg) {
    int gid = (int)get_global_id(0);
    int lid = (int)get_local_id(0);
    int acc = 1;
    int pa[8];
    global ulong *hw = (hp + (gid * 16));
    for (int i = 0; i < 8; ++i) {
        pa[i] = ((i * 5) + gid);
        (la + (lid * 8))[i] = ((i * 7) + lid);
    }
    (*((int **)(hw + 4))) = ((int *)&pa[0]);
    int *p7 = (*((int **)(hw + 4)));
    int e16 = (p7[0] & 65535);
    acc = (((acc * 3) + ((int)atomic_compare_exchange_strong_explicit((volatile atomic_int *)(f2_15(((int *)(la + (lid * 8))), ((int *)&pa[0]), ((68 + (n & 65535)) & 65535))), ((int *)&e16), 45, memory_order_relaxed, memory_order_relaxed, memory_scope_work_group) & 65535)) & 1048575);
    (out + (gid * 48))[0] = acc;
    for (int i = 0; i < 8; ++i) {
        (out + (gid * 48))[(i + 2)] = pa[i];
    }
    for (int i = 0; i < 16; ++i) {
        hw[i] = 0ul;
    }
}
