// SPDX-License-Identifier: Apache-2.0
// By-value arguments whose addresses are passed on: each work-item has its own copy of the arguments that are written somewhere.
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
  {"name": "as_number", "args": ["zero:16", "int:5;int:6"],
   "expect": {"0": "int:6,16,26,36"}, "global": 4, "local": 4},
  {"name": "in_host_memory", "args": ["int:5;int:6", "zero:32", "same:1", "zero:16"],
   "expect": {"3": "int:6,16,26,36"}, "global": 4, "local": 4},
  {"name": "by_vector", "args": ["zero:16", "int:5;int:6"],
   "expect": {"0": "int:1,12,23,34"}, "global": 4, "local": 4},
  {"name": "by_function", "args": ["zero:16", "int:5;int:6"],
   "expect": {"0": "int:6,16,26,36"}, "global": 4, "local": 4},
  {"name": "by_copy", "args": ["zero:16", "int:5;int:6"],
   "expect": {"0": "int:1,12,23,34"}, "global": 4, "local": 4},
  {"name": "by_atomic", "args": ["zero:16", "int:5;int:6"],
   "expect": {"0": "int:56,66,76,86"}, "global": 4, "local": 4},
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
kernel void as_number(global int *out, struct pair v)
{
    ulong three_times = (ulong)&v.a * 3;
    store_at(three_times * 0xaaaaaaaaaaaaaaabul, get_local_id(0)); /* the inverse of 3 */
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_local_id(0)] = value_of(&v);
}
kernel void in_host_memory(struct pair v, global ulong *slots, global ulong *same_slots, global int *out)
{
    slots[get_local_id(0)] = (ulong)&v.a;
    *(int *)same_slots[get_local_id(0)] = get_local_id(0);
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_local_id(0)] = value_of(&v);
}
kernel void by_vector(global int *out, struct pair v)
{
    vstore2((int2)(get_local_id(0), get_local_id(0) + 1), 0, &v.a);
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_local_id(0)] = value_of(&v);
}
kernel void by_function(global int *out, struct pair v)
{
    frexp((float)(1 << get_local_id(0)) / 2, &v.a); /* exponents 0 to 3: 1/2, 1, 2, 4 */
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_local_id(0)] = value_of(&v);
}
kernel void by_copy(global int *out, struct pair v)
{
    struct pair other = {get_local_id(0), get_local_id(0) + 1};
    v = other;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_local_id(0)] = value_of(&v);
}
kernel void by_atomic(global int *out, struct pair v)
{
    atomic_fetch_add_explicit((atomic_int *)&v.a, get_local_id(0), memory_order_relaxed, memory_scope_work_group);
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
