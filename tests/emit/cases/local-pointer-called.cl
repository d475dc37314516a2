// SPDX-License-Identifier: Apache-2.0
// A function that gets an address in local memory is inlined: clang puts the variable in place of a parameter that is always the
// same, and PoCL 3.1 takes that for another variable than the kernel's (a lock-free stack of the corpus lost its nodes).
// TEXT: inline __attribute__((always_inline)) void push_{{[0-9]+}}(local
// TEXT: static uint plain_{{[0-9]+}}(uint

__attribute__((noinline)) void push(local int *head, int value)
{
    for (int old = *head, i = 0; i < 2; i++) {
        *head = old * 3 + value + i;
        old = *head;
    }
}

__attribute__((noinline)) int plain(int x)
{
    return x * 5 + 1;
}

kernel void called(global int *out)
{
    local int head;
    head = 1;
    push(&head, plain(2));
    push(&head, plain(3));
    *out = head;
}
// KERNEL called 1 1
// ARG int zero 1
// EXPECT int 551
