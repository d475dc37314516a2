// SPDX-License-Identifier: Apache-2.0
// An expression parser with its own stacks, over text in global, local and private memory.
/* TRUTH
{"kernels": [{"name": "k", "args": ["zero:256", "buffer:char:{list(b'1+2*3-(4-1)*2;10/3+7;((8));2*(3+4)*5;' .ljust(64, bytes(1)))}", "buffer:int:{[0,14,21,27]}"],
 "expect": {"0": "int:{[[1+6-6, 10//3+7, 8, 70][g%4] + 38 for g in range(64)]}"}, "ambiguous": {"O0": 4, "O2": 3}, "why": "the text is local or global"}],
 "wrong_on": {"fpga": "its compiler crashes, natively too, on clang-22's phi with one entry for two edges of a switch"}}
*/
typedef struct { const char *at; int depth; } text;
static int number(text *t) { int n = 0; while (*t->at >= '0' && *t->at <= '9') n = n * 10 + *t->at++ - '0'; return n; }
/* explicit stacks, as OpenCL C has no recursion */
static int apply(int a, char op, int b) { return op == '+' ? a + b : op == '-' ? a - b : op == '*' ? a * b : a / b; }
static int level(char c) { return c == '*' || c == '/' ? 2 : c == '+' || c == '-' ? 1 : 0; }
static int evaluate(text *t) {
    int values[16], *v = values;
    char ops[16], *o = ops;
    for (;;) {
        char c = *t->at;
        if (c >= '0' && c <= '9') { *v++ = number(t); continue; }
        if (c == '(') { *o++ = c; t->at++; continue; }
        int l = level(c);
        while (o != ops && o[-1] != '(' && level(o[-1]) >= l) { --o; --v; v[-1] = apply(v[-1], *o, *v); }
        if (c == ')') { --o; t->at++; continue; }
        if (!l) return values[0];
        *o++ = c; t->at++;
    }
}
constant char fixed[] = "2*(9+10);";
kernel void k(global int *out, global const char *in, global const int *starts) {
    local char near[64];
    char own[16];
    int g = get_global_id(0), l = get_local_id(0);
    for (int i = l; i < 64; i += 16) near[i] = in[i];
    for (int i = 0; i < (int)sizeof fixed; i++) own[i] = fixed[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    text a = {(g & 4 ? (const char *)in : (const char *)near) + starts[g % 4], 0}, b = {own, 0};
    out[g] = evaluate(&a) + evaluate(&b);
}
