/* SPDX-License-Identifier: Apache-2.0 */
/*
 * assert.h - the function that a failed assert() of SYCL calls. The work-item continues, because OpenCL C cannot
 * terminate it. The texts are not printed, because %s takes literals only.
 */

int printf(__constant const char *format, ...);

void __devicelib_assert_fail(__global const char *text, __global const char *file, int line,
                             __global const char *function, ulong global_x, ulong global_y, ulong global_z,
                             ulong local_x, ulong local_y, ulong local_z)
{
    printf("line %d: global id: [%lu,%lu,%lu], local id: [%lu,%lu,%lu] an assertion failed.\n", line, global_x,
           global_y, global_z, local_x, local_y, local_z);
}
