// SPDX-License-Identifier: Apache-2.0
// options: -cl-std=CL2.0
// expect: -18655 -19645 -20635 -21625 -22615 -23605 -24595 -25585
static int scan(const char *s, const char **rest)
{
    int value = 0, sign = 1;
again:
    switch (*s) {
    case ' ': s++; goto again;
    case '-': sign = -1; /* fall through */
    case '+': s++;
    default: break;
    }
    do {
        if (*s < '0' || *s > '9') goto done;
        value = value * 10 + *s - '0';
    } while (*++s);
done:
    if (rest) *rest = s;
    return sign * value;
}
kernel void k(global int *out, global int *in)
{
    local char l[4][12];
    char p[12] = "  -17 +42x";
    const char *at = p;
    int i = get_global_id(0), me = get_local_id(0);
    for (int n = 0; n < 12; n++) l[me][n] = p[n];
    p[3] = '1' + i;
    l[me][7] = '0' + in[i];
    int sum = scan(at, &at);
    sum = sum * 100 + scan(at, &at);
    at = l[me];
    sum += scan(at, &at) * 1000;
    out[i] = sum + scan(at, 0) + (*at == ' ');
}
