// SPDX-License-Identifier: Apache-2.0
// options: -cl-std=CL2.0
// expect: 6950 16448 6962 17216 6974 17600 6986 16705
kernel void k(global int *out, global int *in)
{
    int i = get_global_id(0);
    float f = 1.0f + i;
    local ushort us[8];
    us[get_local_id(0) * 2] = 0x1234;
    us[get_local_id(0) * 2 + 1] = i;
    uchar *b = i & 1 ? (uchar *)&f : (uchar *)&us[get_local_id(0) * 2];
    int r = 0;
    for (int j = 0; j < 4; j++)
        r = r * 5 + b[j];
    out[i] = r + *(ushort *)(b + 2);
}
