// SPDX-License-Identifier: Apache-2.0
// A compiler without double.
// TO: c:images
// TEXT-REFUSED: the compiler has no double (cl_khr_fp64)

kernel void k(global double *o)
{
    o[0] = o[1] * 2.0;
}
