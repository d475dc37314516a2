// SPDX-License-Identifier: Apache-2.0
// The lines of errors are those of this file.
kernel void k(global int *out)
{
    int x = ;
    out[0] = y;
}
