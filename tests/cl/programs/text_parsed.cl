// SPDX-License-Identifier: Apache-2.0
// options: -cl-std=CL2.0
// expect: 60 100 140 180 220 260 300 340
void advance(const char **at)
{
    while (**at == ' ')
        ++*at;
}
int number(const char **at)
{
    int n = 0;
    advance(at);
    while (**at >= '0' && **at <= '9')
        n = n * 10 + *(*at)++ - '0';
    return n;
}
int parse(const char *text)
{
    int s = number(&text);
    for (;;) {
        advance(&text);
        switch (*text) {
        case '+':
            text++;
            s += number(&text);
            break;
        case '*':
            text++;
            s *= number(&text);
            break;
        default: return s;
        }
    }
}
constant char prog[] = "12 + 3 *  4";
kernel void k(global int *out, global int *in)
{
    char own[16];
    local char shared[4][16];
    size_t i = get_global_id(0), l = get_local_id(0);
    char *t = i & 1 ? (char *)own : shared[l];
    for (int j = 0; j < 12; j++)
        t[j] = prog[j];
    t[0] = '1' + (char)i;
    out[i] = parse(t);
}
