// SPDX-License-Identifier: Apache-2.0
// At -O2 the address of the local array, with a flag in its lowest bits that is removed again, is a constant vector of two integers.
/* TRUTH
{"kernels": [{"name": "halves", "args": ["zero:8", "buffer:ulong:10,1,30"], "expect": {"0": "ulong:30"}, "global": 1, "local": 1,
  "ambiguous": 1, "why": "the host chooses between local and private memory"}],
  "wrong_on": {"native": "Intel's driver crashes on constants that are computed from an address",
  "oclgrind": "Oclgrind computes constants that are made of an address wrongly"}}
*/
typedef uint uint2v __attribute__((ext_vector_type(2)));

kernel void halves(global ulong *out, global const ulong *in)
{
    local ulong near[2];
    ulong own = in[0];
    near[0] = in[0], near[1] = in[0];
    union {
        ulong word;
        uint2v halves;
    } u;
    u.word = (ulong)(ulong *)&near[1];
    u.halves.x &= ~7u;
    *(ulong *)(in[1] ? u.word : (ulong)(ulong *)&own) = in[2];
    out[0] = near[1];
}
