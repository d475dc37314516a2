// SPDX-License-Identifier: Apache-2.0
// A compiler without sub-groups; the caller does not request any.
// TO: c:fp64
// TEXT-REFUSED: sub-groups, which the compiler does not have

kernel void k(global uint *o)
{
    o[0] = get_sub_group_size();
}
