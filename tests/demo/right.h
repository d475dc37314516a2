/* SPDX-License-Identifier: Apache-2.0 */
/*
 * right.h - the results of each kernel of demo.cl, computed by the host. Takes the input of the launch and a work-item;
 * gives the number that the work-item has to store. The header does not use OpenCL.
 */
#ifndef NONFLAT_TESTS_DEMO_RIGHT_H
#define NONFLAT_TESTS_DEMO_RIGHT_H

enum { COUNT = 1024, GROUP = 64 };

static inline int right_sum(const int *in, int id)
{
    int group = 0;
    for (int i = id / GROUP * GROUP; i < id / GROUP * GROUP + GROUP; i++)
        group += in[i];
    return 10 * in[id] + 3 * group + 5 * in[id];
}

static inline int right_smallest(const int *in, int id)
{
    int best = in[id] / 2;
    for (int i = id / GROUP * GROUP; i < id / GROUP * GROUP + GROUP; i++)
        best = in[i] < best ? in[i] : best;
    return in[COUNT - 1 - id] < best ? in[COUNT - 1 - id] : best;
}

static inline int right_where(const int *in, int id)
{
    int best = in[id] / 50, where = 1;
    for (int i = id / GROUP * GROUP; i < id / GROUP * GROUP + GROUP; i++) {
        where = in[i] < best ? 2 : where;
        best = in[i] < best ? in[i] : best;
    }
    return in[COUNT - 1 - id] < best ? 3 : where;
}

static inline int right_list(const int *in, int id)
{
    int sum = 0;
    for (int i = 4; i >= 0; i--)
        sum = 2 * sum + in[id] + i * i;
    return sum;
}

#endif
