struct pair { int *f0; int k; int *f1; };
union bits { int *p; ulong u; uint h[2]; uchar b[8]; };
struct node { struct node *next; int v; };
struct blob { int x; int y[3]; ulong z; };
struct deep { struct pair s[2]; int *t[2]; };
struct headed { int n[2]; int *f0; int *f1; };
struct bytes_first { uchar n[8]; int *f0; int *f1; };
int f12_20079(int *p, int k) {
    int acc = (k & 255);
    int q9[4];
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
}
