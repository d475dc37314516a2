// SPDX-License-Identifier: Apache-2.0
// Constant steps back to an earlier element of an array: from the end of a walk, and from an element that a callee or a table
// gets. All elements of an array share the cells of the first, so a step back from it seems to lead out of the array.
/* TRUTH
{"kernels": [
  {"name": "end_of_a_stack", "args": ["zero:8", "buffer:uint:7", "local:256", "uint:3"], "expect": {"0": "uint:5,7"}, "global": 1, "local": 1},
  {"name": "end_of_an_array", "args": ["zero:8", "buffer:uint:7", "uint:3"], "expect": {"0": "uint:5,7"}, "global": 1, "local": 1},
  {"name": "end_in_a_callee", "args": ["zero:8", "buffer:uint:7", "uint:3"], "expect": {"0": "uint:5,7"}, "global": 1, "local": 1},
  {"name": "negative_index", "args": ["zero:8", "buffer:uint:7", "uint:1"], "expect": {"0": "uint:5,7"}, "global": 1, "local": 1},
  {"name": "table_of_elements", "args": ["zero:8", "buffer:uint:7", "uint:1"], "expect": {"0": "uint:5,7"}, "global": 1, "local": 1},
  {"name": "between_rows", "args": ["zero:8", "buffer:uint:7", "uint:1"], "expect": {"0": "uint:5,7"}, "global": 1, "local": 1},
  {"name": "array_in_element_before", "args": ["zero:8", "buffer:uint:7", "uint:1"], "expect": {"0": "uint:5,7"}, "global": 1, "local": 1}]}
*/
struct triple {
    uint *first, *second, *third;
};
__attribute__((noinline)) uint *second_before(struct triple *t) { return t[-1].second; }
__attribute__((noinline)) uint *set_second(struct triple *t, int i, uint *to)
{
    t[i].second = to;
    return t[-1].second;
}

kernel void end_of_a_stack(global uint *out, global uint *in, local ulong *words, uint n)
{
    uint own = 5;
    uint **top = (uint **)words;
    for (uint i = 0; i < n; i++) {
        top[0] = top[2] = in;
        top[1] = &own;
        top += 3;
    }
    out[0] = *top[-2];
    out[1] = *top[-1];
}

kernel void end_of_an_array(global uint *out, global uint *in, uint n)
{
    uint own = 5;
    struct triple t[4], *end = t;
    for (uint i = 0; i < 4; i++)
        t[i].first = t[i].third = in;
    for (uint i = 0; i < n; i++) {
        end->second = &own;
        end++;
    }
    out[0] = *end[-1].second;
    out[1] = *t[n - 2].first;
}

kernel void end_in_a_callee(global uint *out, global uint *in, uint n)
{
    uint own = 5;
    struct triple t[4], *end = t;
    for (uint i = 0; i < 4; i++)
        t[i].first = t[i].third = in;
    while (end < t + n) {
        end->second = &own;
        end++;
    }
    out[0] = *second_before(end);
    out[1] = *t[n - 2].first;
}

kernel void negative_index(global uint *out, global uint *in, uint one)
{
    uint own = 5;
    struct triple t[3] = {{in, in, in}, {in, in, in}, {in, in, in}};
    out[0] = *set_second(t + one, -(int)one, &own);
    out[1] = *t[one].third;
}

kernel void table_of_elements(global uint *out, global uint *in, uint one)
{
    uint own = 5;
    struct triple t[4];
    for (uint i = 0; i < 4; i++) {
        t[i].first = t[i].third = in;
        t[i].second = &own;
    }
    struct triple *at[3] = {t, t + 1, t + 3};
    out[0] = *at[one][-1].second;
    out[1] = *t[one].first;
}

/* Compilers combine the choice of the row and the step out of it into one access chain. */
kernel void between_rows(global uint *out, global uint *in, uint n)
{
    uint own = 5;
    struct {
        uint *first, *rows[2][2], *last;
    } t;
    t.first = t.last = in;
    t.rows[0][0] = t.rows[1][0] = in;
    t.rows[0][1] = t.rows[1][1] = &own;
    out[0] = *t.rows[n][-1];
    out[1] = *t.rows[n - 1][2];
}

struct item {
    uint *v[3], *last;
};

/* The step back is in front of a variable index into an array inside the element. */
kernel void array_in_element_before(global uint *out, global uint *in, uint n)
{
    uint own = 5;
    struct item x[2], *e = &x[n - 1];
    x[0].v[0] = x[0].v[1] = x[0].v[2] = x[0].last = in;
    x[1] = x[0];
    for (uint i = 0; i < n; i++)
        e++;
    e[-1].v[n] = &own;
    out[0] = *x[0].v[1];
    out[1] = *x[0].last;
}
