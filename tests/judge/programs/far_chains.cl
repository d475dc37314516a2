// SPDX-License-Identifier: Apache-2.0
// Access chains that lead out of every object and back: a tag that is added to a pointer above its address, and constants
// that are longer than a window. The pointer in between is kept in a variable, passed, or converted to an integer.
/* TRUTH
{"kernels": [
  {"name": "tag_as_integer", "args": ["zero:8", "buffer:uint:7,9,3", "local:64"], "expect": {"0": "uint:7,9"}, "global": 1, "local": 1},
  {"name": "tag_and_back", "args": ["zero:8", "buffer:uint:7,9,3", "local:64"], "expect": {"0": "uint:7,9"}, "global": 1, "local": 1},
  {"name": "far_constant", "args": ["zero:8", "buffer:uint:7,9,3", "local:64"], "expect": {"0": "uint:7,9"}, "global": 1, "local": 1},
  {"name": "far_elements", "args": ["zero:8", "buffer:uint:7,9,3", "local:64"], "expect": {"0": "uint:7,9"}, "global": 1, "local": 1}]}
*/
typedef unsigned int uint;
typedef unsigned long ulong;
typedef struct {
    uint words[4];
} block;

__attribute__((noinline)) char *kept(char *p)
{
    char *volatile q = p;
    return q;
}
/* Reads through `p` after the macro THERE_AND_BACK has changed it twice. The address is private or local, by a word of the host. */
#define KERNEL(name)                                                                                                   \
    kernel void name(global uint *out, global const uint *in, local uint *near)                                        \
    {                                                                                                                  \
        uint own = in[0];                                                                                              \
        near[0] = in[1];                                                                                               \
        ulong tag = in[2];                                                                                             \
        for (uint i = 0; i + 1 < tag; i++) {                                                                           \
            char *p = kept(i ? (char *)near : (char *)&own);                                                           \
            THERE_AND_BACK                                                                                             \
            out[i] = *(uint *)p;                                                                                       \
        }                                                                                                              \
    }

#define THERE_AND_BACK p = (char *)((ulong)kept(p + (tag << 48)) - (tag << 48));
KERNEL(tag_as_integer)

#undef THERE_AND_BACK
#define THERE_AND_BACK p = kept(p + (tag << 48)), p -= tag << 48;
KERNEL(tag_and_back)

#undef THERE_AND_BACK
#define THERE_AND_BACK p = kept(p + 0x123456789000), p = kept(p - 0x123456789000);
KERNEL(far_constant)

#undef THERE_AND_BACK
#define THERE_AND_BACK                                                                                                 \
    block *b = (block *)kept((char *)((block *)p + (1ul << 40)));                                                      \
    p = (char *)(b - (1ul << 40));
KERNEL(far_elements)
