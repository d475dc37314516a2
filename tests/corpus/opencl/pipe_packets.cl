// SPDX-License-Identifier: Apache-2.0
// Packets of a pipe, which are handed over through generic pointers.
/* TRUTH
{"kernels": [{"name": "k", "args": [], "expect": {}, "ambiguous": 0}], "refused": "a generic pointer to the packet of a pipe",
 "run": "the host program of these tests makes no pipes"}
*/
kernel void k(global int *out, read_only pipe int from, write_only pipe int to) {
    int packet = 0;
    if (read_pipe(from, &packet) == 0) {
        packet += 1;
        write_pipe(to, &packet);
    }
    out[get_global_id(0)] = packet;
}
