// SPDX-License-Identifier: Apache-2.0
// A function without a definition: it is reported, with a kernel that calls it (through another function), before a driver gets the module.
// REFUSED: kernel 'caller' calls 'nowhere_to_be_found', which device
int nowhere_to_be_found(int x);

__attribute__((noinline)) int between(int x)
{
    return nowhere_to_be_found(x) + 1;
}

kernel void caller(global int *v)
{
    v[0] = between(v[1]);
}
