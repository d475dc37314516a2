// SPDX-License-Identifier: Apache-2.0
// Stencil: three points over a window kept in private memory, one function for window and row.
/* TRUTH
{"kernels": [{"name": "stencil_generic", "args": ["zero:256", "buffer:float:{[j % 7 for j in range(66)]}", "int:4"], "expect": {"0": "float:{[(i % 7 + (i + 1) % 7 + (i + 2) % 7) * 4 for i in range(64)]}"}, "ambiguous": 0},
 {"name": "stencil_explicit", "args": ["zero:256", "buffer:float:{[j % 7 for j in range(66)]}", "int:4"], "expect": {"0": "float:{[(i % 7 + (i + 1) % 7 + (i + 2) % 7) * 4 for i in range(64)]}"}, "ambiguous": 0}]}
*/
__attribute__((noinline)) float three(const float *p) { return p[0] + p[1] + p[2]; }
__attribute__((noinline)) float three_far(const global float *p) { return p[0] + p[1] + p[2]; }
__attribute__((noinline)) float three_near(const private float *p) { return p[0] + p[1] + p[2]; }
kernel void stencil_generic(global float *out, global float *in, int rounds) {
    int i = get_global_id(0);
    float sum = 0, window[3];
    for (int r = 0; r < rounds; r += 2) {
        for (int j = 0; j < 3; j++) window[j] = in[i + j];
        sum += three((const float *)&in[i]) + three(window);
    }
    out[i] = sum;
}
kernel void stencil_explicit(global float *out, global float *in, int rounds) {
    int i = get_global_id(0);
    float sum = 0, window[3];
    for (int r = 0; r < rounds; r += 2) {
        for (int j = 0; j < 3; j++) window[j] = in[i + j];
        sum += three_far(&in[i]) + three_near(window);
    }
    out[i] = sum;
}
