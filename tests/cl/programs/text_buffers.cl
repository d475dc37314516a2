// SPDX-License-Identifier: Apache-2.0
// options: -cl-std=CL2.0
// expect: 6311 6311 6311 6311 6311 6311 6311 6311
uint length(const char *s)
{
    uint n = 0;
    while (s[n]) n++;
    return n;
}
void append(char *to, const char *from)
{
    to += length(to);
    while ((*to++ = *from++));
}
int compare(const char *a, const char *b)
{
    while (*a && *a == *b) a++, b++;
    return *a - *b;
}
void number(char *to, int value)
{
    char digits[12];
    int count = 0;
    do digits[count++] = '0' + value % 10;
    while (value /= 10);
    while (count) *to++ = digits[--count];
    *to = 0;
}
kernel void k(global int *out, global int *in)
{
    local char shared[4][24];
    char mine[24] = {0}, piece[12];
    size_t i = get_global_id(0);
    char *row = shared[get_local_id(0)];
    row[0] = 0;
    number(piece, in[i + 7] * 37);
    append(row, piece);
    append(mine, row);
    append(mine, piece);
    out[i] = length(mine) * 1000 + length(row) * 100 + (compare(mine, row) > 0) * 10 + (compare(row, piece) == 0);
}
