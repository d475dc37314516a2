// SPDX-License-Identifier: Apache-2.0
// Errors have the line numbers of this file.
kernel void k(global int *out)
{
    int x = ;
    out[0] = y;
}
