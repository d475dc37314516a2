// SPDX-License-Identifier: Apache-2.0
// Eight bytes at an unknown byte of two words that hold a private pointer are cleared, which leaves a half of it in each
// word. Such a half is a number: it stays as it is in a pointer that is loaded, merged with others, and converted back.
/* TRUTH
{"kernels": [
  {"name": "by_memset", "args": ["zero:32", "buffer:ulong:4,0"], "expect": {"0": "ulong:1,1"}},
  {"name": "by_length", "args": ["zero:32", "buffer:ulong:4,0,8"], "expect": {"0": "ulong:1,1"}},
  {"name": "by_loop", "args": ["zero:32", "buffer:ulong:4,0"], "expect": {"0": "ulong:1,1"}},
  {"name": "by_word", "args": ["zero:32", "buffer:ulong:4,0"], "expect": {"0": "ulong:1,1"}},
  {"name": "by_structure", "args": ["zero:32", "buffer:ulong:4,0"], "expect": {"0": "ulong:1,1"}}]}
*/
#define HALVES(clear) \
    int mine = 5; \
    int *slot[2] = {&mine, &mine}; \
    uchar *bytes = (uchar *)slot + in[0]; \
    clear; \
    int *low = in[1] ? &mine : slot[0], *high = in[1] ? &mine : slot[1]; \
    out[0] = (ulong)low == ((ulong)(int *)&mine & 0xffffffff); \
    out[1] = (ulong)high == ((ulong)(int *)&mine & 0xffffffff00000000);

typedef struct { uint first, second; } __attribute__((packed)) pair;
typedef struct { ulong word; } __attribute__((packed)) word;

kernel void by_memset(global ulong *out, global const ulong *in) { HALVES(__builtin_memset(bytes, 0, 8)) }
kernel void by_length(global ulong *out, global const ulong *in) { HALVES(__builtin_memset(bytes, 0, in[2])) }
kernel void by_loop(global ulong *out, global const ulong *in) { HALVES(for (int i = 0; i < 8; i++) bytes[i] = 0) }
kernel void by_word(global ulong *out, global const ulong *in) { HALVES(((word *)bytes)->word = 0) }
kernel void by_structure(global ulong *out, global const ulong *in) { HALVES(pair none = {0}; *(pair *)bytes = none) }
