/* SPDX-License-Identifier: Apache-2.0 */
kernel void k(global int *a)
{
    a[get_global_id(0)] += N;
}
