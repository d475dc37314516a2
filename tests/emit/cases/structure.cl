// SPDX-License-Identifier: Apache-2.0
// Structured control flow stays structured: a loop with break and continue, a switch with shared cases, nested conditions.
// TEXT: for (;;) {
// TEXT: break;
// TEXT-NOT: goto
// TEXT: switch (
// TEXT: case 1u:
// TEXT-NEXT: case 2u: {
// TEXT-NOT: goto
// TEXT: kernel void structure(

kernel void structure(global int *o, uint n)
{
    int s = 0;
    for (uint i = 0; i < n; i++) {
        if (o[i] == 7) continue;
        if (o[i] < 0) break;
        s += o[i] * 3;
    }
    switch (n) {
    case 1:
    case 2: s += 100; break;
    case 8: s += o[7] > 3 ? 1000 : 2000; break;
    default: s -= 5;
    }
    o[8] = s;
}
// KERNEL structure 1 1
// ARG int 1 2 7 4 -1 9 9 9 0
// VALUE int 8
// EXPECT int 1 2 7 4 -1 9 9 9 1021
