// SPDX-License-Identifier: Apache-2.0
// The minimum of some bytes in either memory, as a 32-bit integer; without bytes it is a constant that no byte can be.
/* TRUTH
{"kernels": [{"name": "k", "args": ["buffer:char:1,2,-2,-1,-16,-128,127,16", "zero:32", "local:8", "int:6"],
  "global": 8, "local": 4, "expect": {"1": "int:-80,-639,-8,-2,-80,-639,1502,1503"}, "ambiguous": {"O0": 1, "O2": 1, "llvm-O0": 1, "llvm-O2": 1}, "why": "the host chooses the memory"},
 {"name": "k", "args": ["buffer:char:9,-7,5,3,-16,-128,127,16", "zero:32", "local:8", "int:6"],
  "global": 8, "local": 4, "expect": {"1": "int:45,-34,27,18,-80,-639,1502,1503"}, "ambiguous": {"O0": 1, "O2": 1, "llvm-O0": 1, "llvm-O2": 1}, "why": "the host chooses the memory"}]}
*/
kernel void k(global char *in, global int *out, local char *near, int n) {
    int me = get_global_id(0), own = get_local_id(0);
    near[own] = in[me];
    near[own + 4] = 100;
    barrier(CLK_LOCAL_MEM_FENCE);
    char *from = in[0] > 3 ? (char *)near : (char *)in;
    int r = 300;
    if (me < n) {
        char least = 127;
        for (int i = own; i < n; i += get_local_size(0)) least = min(least, from[i]);
        r = least;
    }
    out[me] = r * 5 + own;
}
