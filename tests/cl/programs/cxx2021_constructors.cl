// SPDX-License-Identifier: Apache-2.0
// options: -cl-std=CLC++2021
// expect: 336513 336552 336513 336552 336513 336552 336513 336552
struct point {
    int x, y;
    point() : x(3), y(4)
    {
    }
    point(int a) : x(a)
    {
        y = a;
        for (int i = 0; i < 3; i++)
            y += i * a;
    }
    point(const point &o) : x(o.y), y(o.x)
    {
    }
};
struct deep {
    point p[2];
    float f;
    deep() : f(1.5f)
    {
        p[1] = point(9);
        p[0].x++;
    }
};
global point grid[3];
global deep d;
global point copy = d.p[1];
constant int table[3] = {1, 2, 3};
int look(int i)
{
    return table[i] * 10;
}
global int looked = look(2) + grid[1].y;
kernel void k(global int *out, global int *in)
{
    int i = get_global_id(0);
    point mine(2);
    point *p = i & 1 ? (point *)&mine : (point *)&grid[2];
    out[i] = p->x + p->y * 10 + d.p[0].x * 100 + d.p[1].y * 1000 + (int)(d.f * 2) * 100000 + copy.x + looked;
}
