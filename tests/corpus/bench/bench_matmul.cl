// SPDX-License-Identifier: Apache-2.0
// Matrix product with a tile of one row in local memory, the inner product in a function.
/* TRUTH
{"kernels": [{"name": "matmul_generic", "args": ["zero:256", "buffer:float:{[j % 5 for j in range(64)]}", "buffer:float:{[j % 3 for j in range(64)]}", "int:8"], "local": 8,
   "expect": {"0": "float:{[sum(((i // 8 * 8 + k) % 5) * ((k * 8 + i % 8) % 3) for k in range(8)) for i in range(64)]}"}, "ambiguous": 0},
 {"name": "matmul_explicit", "args": ["zero:256", "buffer:float:{[j % 5 for j in range(64)]}", "buffer:float:{[j % 3 for j in range(64)]}", "int:8"], "local": 8,
   "expect": {"0": "float:{[sum(((i // 8 * 8 + k) % 5) * ((k * 8 + i % 8) % 3) for k in range(8)) for i in range(64)]}"}, "ambiguous": 0}]}
*/
__attribute__((noinline)) float dot_row(const float *row, const float *column, int n) {
    float sum = 0;
    for (int k = 0; k < n; k++) sum += row[k] * column[k * n];
    return sum;
}
__attribute__((noinline)) float dot_near(const local float *row, const global float *column, int n) {
    float sum = 0;
    for (int k = 0; k < n; k++) sum += row[k] * column[k * n];
    return sum;
}
kernel void matmul_generic(global float *out, global float *a, global float *b, int n) {
    local float row[256];
    int r = get_group_id(0), c = get_local_id(0);
    row[c] = a[r * n + c];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[r * n + c] = dot_row((const float *)row, (const float *)&b[c], n);
}
kernel void matmul_explicit(global float *out, global float *a, global float *b, int n) {
    local float row[256];
    int r = get_group_id(0), c = get_local_id(0);
    row[c] = a[r * n + c];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[r * n + c] = dot_near(row, &b[c], n);
}
