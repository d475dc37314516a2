// SPDX-License-Identifier: Apache-2.0
// A warning, and a build that succeeds.
#warning careful
kernel void k(global int *out)
{
    char c = 300;
    out[0] = c;
}
