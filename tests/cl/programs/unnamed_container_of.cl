// SPDX-License-Identifier: Apache-2.0
// options: -cl-std=CL2.0
// expect: 1090003 2090103 3090203 4090303 5090403 6090503 7090603 8090703
struct node {
    int before;
    struct {
        int value;
    } link;
    int after;
};
#define offset(type, member) ((size_t) __builtin_offsetof(type, member))
int around(int *value)
{
    struct node *n = (struct node *)((char *)value - offset(struct node, link.value));
    return n->before * 100 + n->after;
}
kernel void k(global int *out, global int *in)
{
    local struct node l[4];
    size_t i = get_global_id(0), j = get_local_id(0);
    struct node x = {i, {2}, 3};
    l[j].before = i + 1;
    l[j].after = 9;
    out[i] = around(&x.link.value) + 10000 * around(&l[j].link.value);
}
