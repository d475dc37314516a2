// SPDX-License-Identifier: Apache-2.0
// Flags, masks and XORs that move an address inside its object.
/* TRUTH
{"kernels": [
  {"name": "xor_with_counter_not_spread", "args": ["zero:16", "local:16"], "expect": {"0": "int:10,20"}, "global": 1, "local": 1},
  {"name": "flag_that_moves", "args": ["zero:16", "local:16"], "expect": {"0": "int:20"}, "global": 1, "local": 1},
  {"name": "cell_of_its_second_word", "args": ["zero:16", "local:16"], "expect": {"0": "int:10"}, "global": 1, "local": 1},
  {"name": "lane_swapped_half", "args": ["zero:16", "local:16"], "expect": {"0": "int:20"}, "global": 1, "local": 1},
  {"name": "aligned_stack_pointer", "args": ["zero:16", "local:16"], "expect": {"0": "int:20"}, "global": 1, "local": 1},
  {"name": "offset_in_the_low_bits", "args": ["zero:16", "local:16"], "expect": {"0": "int:10,20"}, "global": 1, "local": 1}]}
*/
kernel void xor_with_counter_not_spread(global uint *out, local int *loc)
{
    int own[1] = {10};
    loc[0] = 20;
    struct {
        int *a, *b;
    } t __attribute__((aligned(16))) = {own, (int *)loc};
    for (ulong i = 0; i < 16; i += 8)
        out[i / 8] = **(int **)((ulong)&t ^ i);
}
struct flag_that_moves_pair {
    int *a, *b;
} __attribute__((aligned(16)));
kernel void flag_that_moves(global uint *out, local int *loc)
{
    int own[1] = {10};
    loc[0] = 20;
    struct flag_that_moves_pair t = {own, (int *)loc};
    volatile ulong at = (ulong)&t.a;
    out[0] = **(int **)(at ^ 8);
}
struct cell_of_its_second_word_pair {
    int *a, *b;
} __attribute__((aligned(16)));
__attribute__((noinline)) struct cell_of_its_second_word_pair *cell_of_its_second_word_pair_of(int **link)
{
    return (struct cell_of_its_second_word_pair *)((ulong)link & ~15ul);
}
kernel void cell_of_its_second_word(global uint *out, local int *loc)
{
    int own[1] = {10};
    loc[0] = 20;
    struct cell_of_its_second_word_pair t = {own, (int *)loc};
    out[0] = *cell_of_its_second_word_pair_of(&t.b)->a;
}
kernel void lane_swapped_half(global uint *out, local int *loc)
{
    int own[1] = {10};
    loc[0] = 20;
    ulong w = (ulong)(int *)own, x = (ulong)(int *)loc;
    uint *h = (uint *)&w;
    *(uint *)((ulong)h ^ 4) = x >> 32;
    *h = x;
    out[0] = *(int *)w;
}
struct aligned_stack_pointer_frame {
    int *a, *b, *c, *d;
} __attribute__((aligned(32)));
kernel void aligned_stack_pointer(global uint *out, local int *loc)
{
    int own[1] = {10};
    loc[0] = 20;
    struct aligned_stack_pointer_frame f = {own, own, own, own};
    ulong sp = (ulong)&f.d & ~15ul;
    *(int **)sp = (int *)loc;
    out[0] = *f.c;
}
struct offset_in_the_low_bits_pair {
    int *a, *b;
} __attribute__((aligned(16)));
__attribute__((noinline)) int *offset_in_the_low_bits_get(ulong w)
{
    return *(int **)((w & ~15ul) + 8 * (w & 1));
}
kernel void offset_in_the_low_bits(global uint *out, local int *loc)
{
    int own[1] = {10};
    loc[0] = 20;
    struct offset_in_the_low_bits_pair t = {own, (int *)loc};
    out[0] = *offset_in_the_low_bits_get((ulong)&t);
    out[1] = *offset_in_the_low_bits_get((ulong)&t | 1);
}
