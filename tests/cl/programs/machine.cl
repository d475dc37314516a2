// SPDX-License-Identifier: Apache-2.0
// options: -cl-std=CL2.0
// expect: -998 1994 -5976 23880 -119998 -1006 2024 -6120
/* A small virtual machine with its stack in one memory and its program in another. */
enum { PUSH, ADD, MUL, DUP, SWAP, LOAD, STORE, JUMP_IF, STOP };
typedef struct {
    const uchar *at;
    int *top, *memory;
} state;
static int pop(state *s)
{
    return *--s->top;
}
static void push(state *s, int v)
{
    *s->top++ = v;
}
static int run(const uchar *code, int *stack, int *memory)
{
    state s = {code, stack, memory};
    for (int steps = 0; steps < 200; steps++) {
        int a, b;
        switch (*s.at++) {
        case PUSH: push(&s, *s.at++); break;
        case ADD: push(&s, pop(&s) + pop(&s)); break;
        case MUL:
            a = pop(&s);
            b = pop(&s);
            push(&s, a * b);
            break;
        case DUP: push(&s, s.top[-1]); break;
        case SWAP:
            a = pop(&s);
            b = pop(&s);
            push(&s, a);
            push(&s, b);
            break;
        case LOAD: push(&s, s.memory[*s.at++]); break;
        case STORE: s.memory[*s.at++] = pop(&s); break;
        case JUMP_IF:
            b = *s.at++;
            if (pop(&s)) s.at = code + b;
            break;
        case STOP: return pop(&s);
        }
    }
    return -1;
}
kernel void k(global int *out, global int *in)
{
    uchar code[] = {PUSH, 1, STORE, 1, /* 4: */ LOAD, 0, LOAD, 1, MUL, STORE, 1, LOAD, 0, PUSH, 255, ADD, STORE, 0, LOAD, 0, PUSH, 0,
                    ADD, JUMP_IF, 4, LOAD, 1, STOP};
    local int stacks[4][8];
    int memory[2], i = get_global_id(0);
    code[14] = 1;
    code[12] = 0;
    memory[0] = -(i % 5) - 1;
    memory[1] = 0;
    int first = run(code, stacks[get_local_id(0)], memory);
    local uchar shared[4][32];
    for (int n = 0; n < (int)sizeof code; n++) shared[get_local_id(0)][n] = code[n];
    int stack[8];
    memory[0] = -(i % 4) - 2;
    out[i] = first * 1000 + run(shared[get_local_id(0)], stack, memory);
}
