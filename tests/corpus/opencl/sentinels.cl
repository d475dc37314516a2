// SPDX-License-Identifier: Apache-2.0
// Ends of lists and free slots are constant integers: each keeps its value as a pointer, alone, selected beside
// an address, through calls, from an array that is initialized with it, and in memory beside addresses.
/* TRUTH
{"kernels": [{"name": "k", "args": ["buffer:uint:17,3,99,4,25,6,1,0", "zero:96", "local:128"],
  "expect": {"1": "uint:154,1,1,0,1,1,0,1,1,0,0,0,0,1,0,1,0,3,1,1,1,154,1,1"}, "ambiguous": 0}]}
*/
typedef struct node {
    struct node *next;
    uint value;
} node;
#define LAST ((node *)-1)
#define FREE ((node *)1)

node *choose(node *n, uint free) { return free ? FREE : n; }

uint sum_of(node *n) {
    uint sum = 0;
    for (; n != LAST; n = n->next) sum += n->value;
    return sum;
}

node *find(node *n, uint value) {
    while (n != LAST) {
        if (n->value == value) return n;
        n = n->next;
    }
    return LAST;
}

uint list(node *nodes, global const uint *in, global uint *out) {
    node *table[3] = {LAST, nodes, FREE};
    for (int i = 0; i < 6; i++) {
        nodes[i].value = in[i];
        nodes[i].next = i < 5 ? &nodes[i + 1] : LAST;
    }
    out[0] = sum_of(nodes);
    node *found = find(nodes, in[3]), *none = find(nodes, 12345);
    out[1] = found == &nodes[3];
    out[2] = none == LAST;
    out[3] = found == none;
    out[4] = found != FREE;
    out[5] = choose(nodes, in[6]) == FREE;
    out[6] = choose(nodes, in[7]) == FREE;
    out[7] = choose(nodes, in[7]) == nodes;
    for (int i = 0; i < 3; i++) {
        out[8 + 3 * i] = table[(i + in[7]) % 3] == LAST;
        out[9 + 3 * i] = table[(i + in[7]) % 3] == FREE;
        out[10 + 3 * i] = table[(i + in[7]) % 3] == nodes;
    }
    nodes[2].next = FREE;
    return 3;
}

kernel void k(global const uint *in, global uint *out, local node *shared) {
    node own[6];
    if (get_global_id(0)) return;
    out[17] = list(own, in, out);
    node *end = in[6] ? LAST : FREE;
    out[18] = end == LAST;
    out[19] = own[2].next == FREE && own[1].next != FREE;
    out[20] = (ulong)own[2].next == 1;
    list((node *)shared, in, out);
    out[21] = out[0];
    out[22] = shared[2].next == FREE && shared[5].next == LAST;
    out[23] = shared[5].next > own[2].next;
}
