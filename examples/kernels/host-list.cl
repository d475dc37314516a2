/* SPDX-License-Identifier: Apache-2.0 */
/* An address that the host wrote is global, whether it is a pointer or an integer, after any number of loads.
 * expect: static 3, predicated 0, dispatched 0 */
struct node {
    struct node *next;
    int value;
};

kernel void walk(global const struct node *first, ulong other, global int *out)
{
    int sum = *(int *)other;
    for (const struct node *n = first->next; n; n = n->next)
        sum += n->value;
    out[get_global_id(0)] = sum;
}
