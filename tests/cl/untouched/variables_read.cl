// SPDX-License-Identifier: Apache-2.0
// options: -cl-std=CL2.0
// expect: 1 2 4 1 2 4 1 2
// Program-scope variables that nobody writes need nothing of ours.
global int weights[3] = {1, 2, 4};
global int first;
kernel void k(global int *out, global int *in)
{
    size_t i = get_global_id(0);
    out[i] = weights[in[i] % 3] + first;
}
