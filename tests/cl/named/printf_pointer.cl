// SPDX-License-Identifier: Apache-2.0
// options: -cl-std=CL1.2
// expect: 0 0 0 0 0 0 0 0
/* For %s, rusticl accepts only a string literal. */
void show(const char *tag, int *p)
{
    printf("%s\n", p ? "there" : "none");
    if (tag) printf("%d%%\n", *p);
}
kernel void k(global int *out, global int *in)
{
    size_t i = get_global_id(0);
    int x = 42;
    char tag = 't';
    if (i == 0) show(&tag, &x);
    if (i == 1) printf("no arguments\n");
    out[i] = 0;
}
