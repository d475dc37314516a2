// SPDX-License-Identifier: Apache-2.0
// options: -cl-std=CL2.0
// Generic pointers occur only in clang's calls of read_pipe(): the actual error is that the device has no pipes, as its driver says.
kernel void k(read_only pipe int from, global int *out)
{
    int x = 0;
    read_pipe(from, &x);
    out[0] = x;
}
