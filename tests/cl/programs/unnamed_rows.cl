// SPDX-License-Identifier: Apache-2.0
// options: -cl-std=CL2.0
// expect: 0 2 6 12 20 30 42 56
typedef int row[4];
typedef struct {
    row r[2];
} grid;
int *cell(grid *g, int y, int x)
{
    return &g->r[y][x];
}
int (*rows(grid *g))[4]
{
    return g->r;
}
kernel void k(global int *out, global int *in)
{
    int i = get_global_id(0);
    grid g;
    local grid l[4];
    grid *b = &l[get_local_id(0)];
    for (int y = 0; y < 2; y++)
        for (int x = 0; x < 4; x++) {
            *cell(&g, y, x) = (y * 4 + x) * 2;
            *cell(b, y, x) = y * 4 + x;
        }
    int s = 0;
    for (int n = 0; n <= i; n++)
        s += rows(n & 1 ? b : &g)[n / 4][n % 4] * (n & 1 ? 2 : 1);
    out[i] = s;
}
