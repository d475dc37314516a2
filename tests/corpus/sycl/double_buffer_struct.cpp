// SPDX-License-Identifier: Apache-2.0
// A struct with front and back pointers that change places; both local.
/* TRUTH
{"kernels": [{"name": "__sycl_kernel_k", "args": ["zero:256", "buffer:int:{range(64)}"],
  "expect": {"0": "int:{[i // 16 * 16 + (i % 16 + 3) % 16 for i in range(64)]}"}, "ambiguous": 0}], "wrong_on": {"native": "the compiler puts addresses of local variables into the initialiser of a constant; they are null there"}}
*/
struct Buffers {
    int *front, *back;
    NOINLINE void flip() {
        int *t = front;
        front = back;
        back = t;
    }
};
KERNEL k(int *out, int *in) {
    LOCAL int one[16], two[16];
    Buffers b{one, two};
    b.front[lid()] = in[gid()];
    meet();
    for (int i = 0; i < 3; i++) {
        b.back[lid()] = b.front[(lid() + 1) % 16];
        b.flip();
        meet();
    }
    out[gid()] = b.front[lid()];
}
