// SPDX-License-Identifier: Apache-2.0
// Structures with pointers copied between places of which neither is in a known memory.
/* TRUTH
{"kernels": [{"name": "__sycl_kernel_k", "args": ["zero:256", "zero:2048", "buffer:int:{range(64)}"],
  "expect": {"0": "int:{[i if i % 4 == 1 else 2 * i + 7 for i in range(64)]}"},
  "ambiguous": 4, "why": "a copy to local or global, one from there to private or local, and the two uses of the latter"}]}
*/
struct Record {
    int *where;
    int many;
    long filler[2];
};
NOINLINE void copy(Record *to, const Record *from) { *to = *from; }
KERNEL k(int *out, Record *far, int *in) {
    LOCAL char room[16 * sizeof(Record)];
    Record *near = reinterpret_cast<Record *>(room) + lid();
    Record mine{&in[gid()], in[gid()] + 7, {1, 2}};
    Record *to = in[gid()] & 1 ? near : far + gid();
    copy(to, &mine);
    Record *back = in[gid()] & 2 ? &mine : near;
    back->many = 0;
    if (back != to)
        copy(back, to);
    out[gid()] = *back->where + back->many;
}
