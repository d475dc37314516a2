// SPDX-License-Identifier: Apache-2.0
// By-value arguments whose addresses are passed on: each work-item has its own copy of those that are written somewhere.
/* TRUTH
{"kernels": [
  {"name": "only_read", "args": ["zero:16", "int:5;int:6"],
   "expect": {"0": "int:112,113,114,115"}, "global": 4, "local": 4},
  {"name": "written_two_calls_down", "args": ["zero:16", "int:5;int:6"],
   "expect": {"0": "int:56,66,76,86"}, "global": 4, "local": 4},
  {"name": "read_after_write_through_another", "args": ["zero:16", "int:5;int:6"],
   "expect": {"0": "int:505,506,507,508"}, "global": 4, "local": 4},
  {"name": "kept_by_callee", "args": ["zero:16", "int:5;int:6"],
   "expect": {"0": "int:6,16,26,36"}, "global": 4, "local": 4},
  {"name": "given_back", "args": ["zero:16", "int:5;int:6"],
   "expect": {"0": "int:6,16,26,36"}, "global": 4, "local": 4},
  {"name": "as_integer", "args": ["zero:16", "int:5;int:6"],
   "expect": {"0": "int:6,16,26,36"}, "global": 4, "local": 4},
  {"name": "one_of_two", "args": ["zero:16", "int:5;int:6", "int:7;int:8"],
   "expect": {"0": "int:56078,56178,256078,56378"}, "global": 4, "local": 4},
  {"name": "by_another_name", "args": ["zero:16", "int:5;int:6"],
   "expect": {"0": "int:6,16,26,36"}, "global": 4, "local": 4}]}
*/
#define CALLEE __attribute__((noinline))
struct pair {
    int a, b;
};
CALLEE int value_of(struct pair *p)
{
    return p->a * 10 + p->b;
}
CALLEE int twice(struct pair *p)
{
    return value_of(p) + value_of(p);
}
kernel void only_read(global int *out, struct pair v)
{
    out[get_local_id(0)] = twice(&v) + (int)get_local_id(0);
}
CALLEE void raise(struct pair *p, int by)
{
    p->a += by;
}
CALLEE int raise_later(struct pair *p, int by)
{
    raise(p, by);
    return value_of(p);
}
kernel void written_two_calls_down(global int *out, struct pair v)
{
    out[get_local_id(0)] = raise_later(&v, get_local_id(0));
}
CALLEE int before_and_after(struct pair *read, struct pair *write, int by)
{
    int before = read->a;
    write->a += by;
    return before * 100 + read->a;
}
kernel void read_after_write_through_another(global int *out, struct pair v)
{
    out[get_local_id(0)] = before_and_after(&v, &v, get_local_id(0));
}
CALLEE void keep(struct pair **where, struct pair *p)
{
    *where = p;
}
kernel void kept_by_callee(global int *out, struct pair v)
{
    struct pair *kept;
    keep(&kept, &v);
    kept->a = get_local_id(0);
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_local_id(0)] = value_of(&v);
}
CALLEE struct pair *same(struct pair *p)
{
    return p;
}
kernel void given_back(global int *out, struct pair v)
{
    same(&v)->a = get_local_id(0);
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_local_id(0)] = value_of(&v);
}
CALLEE void store_at(ulong address, int value)
{
    *(int *)address = value;
}
kernel void as_integer(global int *out, struct pair v)
{
    store_at((ulong)&v.a, get_local_id(0));
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_local_id(0)] = value_of(&v);
}
kernel void one_of_two(global int *out, struct pair v, struct pair w)
{
    struct pair *chosen = get_local_id(0) == 2 ? &v : &w;
    raise(chosen, get_local_id(0) == 2 ? 20 : get_local_id(0) * 10);
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_local_id(0)] = value_of(&v) * 1000 + value_of(&w);
}
kernel void by_another_name(global int *out, struct pair v)
{
    int *place = &v.a;
    *place = get_local_id(0);
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_local_id(0)] = value_of(&v);
}
