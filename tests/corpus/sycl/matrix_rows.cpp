// SPDX-License-Identifier: Apache-2.0
// A matrix of row pointers; operator[] gives back a row; local and global matrices.
/* TRUTH
{"kernels": [{"name": "__sycl_kernel_k", "args": ["zero:256", "buffer:int:{range(64)}"],
  "expect": {"0": "int:{[sum(range(i // 16 * 16, i // 16 * 16 + 16)) + 120 for i in range(64)]}"}, "ambiguous": 0}]}
*/
struct Matrix {
    int *rows[4];
    int *operator[](int r) const { return rows[r]; }
};
NOINLINE int sum(const Matrix &m) {
    int s = 0;
    for (int r = 0; r < 4; r++)
        for (int c = 0; c < 4; c++)
            s += m[r][c];
    return s;
}
KERNEL k(int *out, int *in) {
    LOCAL int scratch[16];
    int *l = scratch;
    Matrix near, far;
    l[lid()] = lid();
    for (int r = 0; r < 4; r++) {
        near.rows[r] = l + 4 * r;
        far.rows[r] = in + (gid() - lid()) + 4 * r;
    }
    meet();
    out[gid()] = sum(far) + sum(near);
}
