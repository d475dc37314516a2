// SPDX-License-Identifier: Apache-2.0
// options: -cl-std=CL2.0
// expect: 1 2 4 1 2 4 1 2
// Program-scope variables that no kernel writes need nothing from the layer.
global int weights[3] = {1, 2, 4};
global int first;
kernel void k(global int *out, global int *in)
{
    size_t i = get_global_id(0);
    out[i] = weights[in[i] % 3] + first;
}
