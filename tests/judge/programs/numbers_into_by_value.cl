// SPDX-License-Identifier: Apache-2.0
// By-value arguments into which only integers are written: each work-item has its own copy.
/* TRUTH
{"kernels": [
  {"name": "byval", "args": ["zero:16", "int:5;int:6"],
   "expect": {"0": "int:56,16,56,56"}, "global": 4, "local": 4},
  {"name": "constant_store_callee", "args": ["zero:16", "int:5;int:6"],
   "expect": {"0": "int:56,16,56,56"}, "global": 4, "local": 4},
  {"name": "byval_out", "args": ["zero:16", "float:5;float:6"],
   "expect": {"0": "int:56,26,56,56"}, "global": 4, "local": 4}]}
*/
struct byval_v {
    int a, b;
};
__attribute__((noinline)) int byval_get(struct byval_v *v)
{
    return v->a * 10 + v->b;
}
kernel void byval(global int *out, struct byval_v v)
{
    if (get_local_id(0) == 1) v.a = 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_local_id(0)] = byval_get(&v);
}
struct constant_store_callee_v {
    int a, b;
};
__attribute__((noinline)) void constant_store_callee_set(struct constant_store_callee_v *v)
{
    v->a = 1;
}
__attribute__((noinline)) int constant_store_callee_get(struct constant_store_callee_v *v)
{
    return v->a * 10 + v->b;
}
kernel void constant_store_callee(global int *out, struct constant_store_callee_v v)
{
    if (get_local_id(0) == 1) constant_store_callee_set(&v);
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_local_id(0)] = constant_store_callee_get(&v);
}
struct byval_out_v {
    float a, b;
};
__attribute__((noinline)) int byval_out_get(struct byval_out_v *v)
{
    return v->a * 10 + v->b;
}
kernel void byval_out(global int *out, struct byval_out_v v)
{
    if (get_local_id(0) == 1) fract(2.5f, &v.a);
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_local_id(0)] = byval_out_get(&v);
}
