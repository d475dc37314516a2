// SPDX-License-Identifier: Apache-2.0
// An integer is added to the lower half of an address, which is combined with the upper half again: it then points to
// another member, which holds an address in another memory. Each kernel widens the sum in a different way.
/* TRUTH
{"kernels": [
  {"name": "in_a_value", "args": ["zero:4", "int:8"], "expect": {"0": "int:7"}, "global": 1, "local": 1},
  {"name": "in_a_variable", "args": ["zero:4", "int:8"], "expect": {"0": "int:7"}, "global": 1, "local": 1},
  {"name": "in_a_loop", "args": ["zero:4", "int:8"], "expect": {"0": "int:7"}, "global": 1, "local": 1},
  {"name": "in_an_argument", "args": ["zero:4", "int:8"], "expect": {"0": "int:7"}, "global": 1, "local": 1},
  {"name": "in_a_function", "args": ["zero:4", "int:8"], "expect": {"0": "int:7"}, "global": 1, "local": 1},
  {"name": "in_a_result", "args": ["zero:4", "int:8"], "expect": {"0": "int:7"}, "global": 1, "local": 1},
  {"name": "in_memory", "args": ["zero:4", "int:8"], "expect": {"0": "int:7"}, "global": 1, "local": 1},
  {"name": "in_a_vector", "args": ["zero:4", "int:8"], "expect": {"0": "int:7"}, "global": 1, "local": 1},
  {"name": "in_a_float", "args": ["zero:4", "int:8"], "expect": {"0": "int:7"}, "global": 1, "local": 1},
  {"name": "at_the_host", "args": ["zero:16", "int:8"], "expect": {"0": "int:7,0,0,0"}, "global": 1, "local": 1}]}
*/
typedef struct {
    int *first, *second;
} pair;

#define BEGIN                                                                                                                    \
    local int there[1];                                                                                                          \
    int here[1] = {3};                                                                                                           \
    there[0] = 7;                                                                                                                \
    pair both = {here, there};                                                                                                   \
    ulong word = (ulong)&both;                                                                                                   \
    uint low = (uint)word, step = n;

int read(ulong word, uint low)
{
    return **(int **)((word >> 32 << 32) | low);
}

__attribute__((noinline)) int read_beside(ulong word, uint low, uint step)
{
    return **(int **)((word >> 32 << 32) | (low + step));
}

__attribute__((noinline)) int read_later(ulong word, uint low)
{
    return **(int **)((word >> 32 << 32) | low);
}

__attribute__((noinline)) uint added(uint low, uint step)
{
    return low + step;
}

kernel void in_a_value(global int *out, int n)
{
    BEGIN
    out[0] = **(int **)((word >> 32 << 32) | (low + step));
}

kernel void in_a_variable(global int *out, int n)
{
    BEGIN
    uint sum = low;
    sum += step;
    out[0] = read(word, sum);
}

kernel void in_a_loop(global int *out, int n)
{
    BEGIN
    for (int i = 0; i < n; i += 4)
        low += 4;
    out[0] = **(int **)((word >> 32 << 32) + low);
}

kernel void in_an_argument(global int *out, int n)
{
    BEGIN
    out[0] = read_later(word, low + step);
}

kernel void in_a_function(global int *out, int n)
{
    BEGIN
    out[0] = read_beside(word, low, step);
}

kernel void in_a_result(global int *out, int n)
{
    BEGIN
    out[0] = **(int **)((word >> 32 << 32) | added(low, step));
}

kernel void in_memory(global int *out, int n)
{
    BEGIN
    volatile uint sum[1] = {low};
    sum[0] += step;
    out[0] = **(int **)((word >> 32 << 32) | sum[0]);
}

kernel void in_a_vector(global int *out, int n)
{
    BEGIN
    uint2 halves = {low + step, word >> 32};
    out[0] = **(int **)as_ulong(halves);
}

kernel void in_a_float(global int *out, int n)
{
    BEGIN
    float sum = as_float(low + step);
    out[0] = **(int **)((word >> 32 << 32) | as_uint(sum));
}

kernel void at_the_host(global int *out, int n)
{
    BEGIN
    out[2] = low + step;
    out[3] = word >> 32;
    int found = **(int **)((uint)out[2] | (ulong)(uint)out[3] << 32);
    out[2] = out[3] = 0;
    out[0] = found;
}
