// SPDX-License-Identifier: Apache-2.0
// Pointers to links: to the variable that holds the root of a tree or the first node of a list, or to a link in any of its nodes, which are
// in another memory. A store through such a pointer must reach everything that it may point to, and nothing else.
/* TRUTH
{"kernels": [
  {"name": "tree", "args": ["zero:128", "buffer:int:{[i * 37 % 16 for i in range(16)]}", "local:512", "zero:512"],
   "expect": {"0": "int:{[i * 37 % 16 * 16 + i for i in range(16)] + [1000 + i * 37 % 16 for i in range(16)]}"}, "global": 1, "local": 1},
  {"name": "list", "args": ["zero:64", "buffer:int:{[i * 37 % 16 for i in range(16)]}", "local:512", "zero:512"],
   "expect": {"0": "int:{[i for i in range(16) if i % 3] + [-1] * 6}"}, "global": 1, "local": 1},
  {"name": "parts", "args": ["zero:64", "local:64", "zero:64"],
   "expect": {"0": "int:{[7, 9, 11, 8, 7, 9] + [0] * 10}"}, "global": 1, "local": 1}]}
*/
struct node {
    int key, value;
    struct node *left, *right;
};
struct node **find(struct node **at, int key)
{
    if (!*at || (*at)->key == key) return at;
    return find(key < (*at)->key ? &(*at)->left : &(*at)->right, key);
}
kernel void tree(global int *out, global const int *in, local struct node *near, global struct node *far)
{
    struct node *root = 0;
    for (int i = 0; i < 16; i++) {
        struct node **at = &root, *n = i & 1 ? (struct node *)&near[i] : (struct node *)&far[i];
        while (*at)
            at = in[i] < (*at)->key ? &(*at)->left : &(*at)->right;
        n->key = in[i];
        n->value = i;
        n->left = n->right = 0;
        *at = n;
    }
    for (int i = 0; i < 16; i++) {
        struct node *n = *find(&root, in[i]);
        out[i] = n->key * 16 + n->value;
    }
    for (int i = 0; i < 16; i++) {
        struct node **at = find(&root, in[i]), own = **at;
        own.value = 1000;
        *at = &own;
        out[16 + i] = (*find(&root, in[i]))->value + (*at)->key;
        *at = i & 1 ? (struct node *)&near[i] : (struct node *)&far[i];
    }
}

struct item {
    struct item *next;
    int key;
};
struct head {
    int count;
    struct item *first, **last;
};
void insert(struct item **at, struct item *x)
{
    while (*at && (*at)->key < x->key)
        at = &(*at)->next;
    x->next = *at;
    *at = x;
}
kernel void list(global int *out, global const int *in, local struct item *near, global struct item *far)
{
    struct head head = {0, 0, &head.first};
    for (int i = 0; i < 16; i++) {
        struct item *x = i & 1 ? (struct item *)&near[i] : (struct item *)&far[i];
        x->key = in[i];
        x->next = 0;
        *head.last = x;
        head.last = &x->next;
        head.count++;
    }
    struct item *sorted = 0;
    while (head.first) {
        struct item *x = head.first;
        head.first = x->next;
        insert(&sorted, x);
    }
    for (struct item **at = &sorted; *at;) {
        if ((*at)->key % 3)
            at = &(*at)->next;
        else
            *at = (*at)->next;
    }
    for (int i = 0; i < 16; i++) {
        out[i] = sorted ? sorted->key : -1;
        sorted = sorted ? sorted->next : 0;
    }
}

// Pointers to links in an array and in a structure.
struct pair {
    int first;
    int *a, *b;
};
void put(int ***links, int count, int *value)
{
    for (int i = 0; i < count; i++)
        *links[i] = value;
}
kernel void parts(global int *out, local int *near, global int *far)
{
    int own = 7;
    near[0] = 9;
    far[0] = 11;
    struct pair x = {1, &own, (int *)near}, y = {2, (int *)far, &own};
    int *alone = &own, **links[4] = {&x.a, &y.b, &alone, &x.b};
    out[0] = **links[0];
    out[1] = *x.b;
    out[2] = *y.a;
    put(links + 1, 2, (int *)near);
    near[0] = 8;
    out[3] = *y.b;
    out[4] = *x.a;
    put(links + 3, 1, alone);
    near[0] = 9;
    out[5] = *x.b;
}
