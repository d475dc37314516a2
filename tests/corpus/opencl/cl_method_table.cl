// SPDX-License-Identifier: Apache-2.0
// NO_LLVM: indirect calls are an extension there
// Objects with a table of methods, as a vtable has it: the objects lie in private and in local memory.
// OPTIONS: --spirv-ext=+SPV_INTEL_function_pointers
/* TRUTH
{"kernels": [{"name": "k", "args": ["zero:256", "buffer:int:{range(64)}"],
  "expect": {"0": "int:{[(i * i if i % 2 else 3 * i) + i * i for i in range(64)]}"},
  "ambiguous": {"O0": 3, "O2": 1}, "conservative": {"O0": 2, "O2": 2},
  "why": "square and four get objects in both memories; area gets one, but any method of the type may be called"}],
 "drivers": "SPIRV-LLVM-Translator 15 writes function pointers in a form that no driver here takes"}
*/
#pragma OPENCL EXTENSION __cl_clang_function_pointers : enable
struct shape;
struct methods { int (*area)(struct shape *); int (*sides)(struct shape *); };
struct shape { struct methods *table; int width, height; };
__attribute__((noinline)) int area(struct shape *s) { return s->width * s->height; }
__attribute__((noinline)) int square(struct shape *s) { return s->width * s->width; }
__attribute__((noinline)) int four(struct shape *s) { return 4 + 0 * s->width; }
kernel void k(global int *out, global int *in) {
    local struct shape shared[16];
    int i = get_global_id(0), l = get_local_id(0);
    struct methods oblong_methods = {area, four}, square_methods = {square, four};
    struct shape own = {in[i] & 1 ? &square_methods : &oblong_methods, in[i], 3};
    shared[l].table = &square_methods;
    shared[l].width = in[i];
    struct shape *s = (struct shape *)&shared[l];
    out[i] = own.table->area(&own) + s->table->area(s) + own.table->sides(&own) - s->table->sides(s);
}
