// SPDX-License-Identifier: Apache-2.0
// Functions whose result tells the sign of an integer, the difference of an address and a number: a saturating conversion, of which the
// lowest byte is read, and a select by the highest bit, whose result is an index. A program finds the address with them, bit by bit. And
// functions for the masks of sub-groups, which read the bits of any vector.
/* TRUTH
{"kernels": [
  {"name": "saturated", "args": ["zero:8", "buffer:ulong:10,1,30", "local:64"], "expect": {"0": "ulong:30"}, "global": 1, "local": 1},
  {"name": "selected", "args": ["zero:8", "buffer:ulong:10,1,30", "local:64"], "expect": {"0": "ulong:30"}, "global": 1, "local": 1},
  {"name": "selected_in_memory", "args": ["zero:8", "buffer:ulong:10,1,30", "local:64"], "expect": {"0": "ulong:30"}, "global": 1, "local": 1},
  {"name": "in_masks", "args": ["zero:8", "buffer:ulong:10,1,30", "local:64"], "expect": {"0": "ulong:30"}, "global": 1, "local": 1}]}
*/
#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable
#define ARGUMENTS global ulong *out, global const ulong *in, local ulong *near
/* The result is chosen at run time: the address, or one of local memory. */
#define BEGIN                                                                                                          \
    ulong own[2] = {in[0], in[0]}, x = 0, p = (ulong)(ulong *)&own[in[1]];                                             \
    near[0] = in[0];
#define END                                                                                                            \
    *(ulong *)(in[1] ? x : (ulong)(ulong *)near) = in[2];                                                              \
    out[0] = own[1];

kernel void saturated(ARGUMENTS)
{
    BEGIN
    for (int i = 47; i >= 2; i--) {
        ulong with = x | 1ul << i, distance = convert_ulong_sat((long)(p + 1 - with)); /* odd, or 0 */
        if ((uchar)distance) x = with;
    }
    END
}
kernel void selected(ARGUMENTS)
{
    ulong either[2];
    BEGIN
    for (int i = 47; i >= 0; i--) {
        either[0] = x, either[1] = x | 1ul << i;
        long2 distance = (long)(p - either[1]), index = select((long2)1, (long2)0, distance);
        x = either[index.x];
    }
    END
}
/* The word is 1 if the address is greater than the number, else 0. */
kernel void selected_in_memory(ARGUMENTS)
{
    local long word;
    ulong either[2];
    BEGIN
    for (int i = 47; i >= 0; i--) {
        either[0] = x, either[1] = x | 1ul << i;
        word = 1;
        atom_min(&word, (long)(p - either[1]) + 1);
        atom_max(&word, 0l);
        x = either[word];
    }
    END
}
kernel void in_masks(ARGUMENTS)
{
    BEGIN
    uint4 mask = as_uint4((ulong2)(p, 0));
    for (uint i = 0; i < 48; i++)
        if (sub_group_ballot_bit_extract(mask, i)) x |= 1ul << i;
    END
}
