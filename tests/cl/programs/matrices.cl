// SPDX-License-Identifier: Apache-2.0
// options: -cl-std=CL2.0
// expect: 471 1174 2181 3492 5107 7026 9249 11776
typedef float row[4];
static void multiply(row *to, const float (*a)[4], const float (*b)[4])
{
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++) {
            float sum = 0;
            for (int n = 0; n < 4; n++) sum += a[i][n] * b[n][j];
            to[i][j] = sum;
        }
}
static void transpose(row *m)
{
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < i; j++) {
            float t = m[i][j];
            m[i][j] = m[j][i];
            m[j][i] = t;
        }
}
kernel void k(global int *out, global int *in)
{
    local float shared[4][4][4];
    float mine[4][4], result[4][4];
    int id = get_global_id(0);
    row *s = shared[get_local_id(0)];
    for (int i = 0; i < 16; i++) {
        mine[i / 4][i % 4] = (float)(in[i] % 5 + id);
        s[i / 4][i % 4] = (float)(in[i + 3] % 3);
    }
    transpose(s);
    multiply(result, mine, s);
    transpose(result);
    multiply(s, result, mine);
    float trace = 0;
    for (int i = 0; i < 4; i++) trace += s[i][i] * (i + 1);
    out[id] = (int)trace;
}
