// SPDX-License-Identifier: Apache-2.0
// Work-items exchange local and global addresses: sorted in local memory, in a table that all fill by compare-and-swap, in sums of the
// group, in slots whose own addresses they exchange.
/* TRUTH
{"kernels": [
  {"name": "bitonic", "args": ["zero:512", "buffer:uint:{[(i * 2654435761 % 2**32) >> 3 for i in range(1, 65)]}", "zero:65536", "local:8192"],
   "expect": {"0": "uint:110944891,290457685,580915375,760428169,1452288431,1751476421,1811314027,1990826821,2101771711,2235572571,2281284505,2534760561,4286236991,290457685,475365845,774553835,110944893,290457687,580915377,760428171,1452288433,1751476423,1811314029,1990826823,2101771713,2235572573,2281284507,2534760563,4286236993,290457687,475365847,774553837,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0"}, "global": 32, "local": 16},
  {"name": "radix", "args": ["zero:512", "buffer:uint:{[(i * 2654435761 % 2**32) >> 3 for i in range(1, 65)]}", "zero:65536", "local:8192"],
   "expect": {"0": "uint:1145728313,1145728313,1145728313,1145728313,1145728313,1145728313,1145728313,1145728313,1145728313,1145728313,1145728313,1145728313,1145728313,1145728313,1145728313,1145728313,1358399105,1358399105,1358399105,1358399105,1358399105,1358399105,1358399105,1358399105,1358399105,1358399105,1358399105,1358399105,1358399105,1358399105,1358399105,1358399105,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0"}, "global": 32, "local": 16},
  {"name": "cas_table", "args": ["zero:512", "buffer:uint:{[(i * 2654435761 % 2**32) >> 3 for i in range(1, 65)]}", "zero:65536", "local:8192"],
   "expect": {"0": "uint:3844517832,3844517832,3844517832,3844517832,3844517832,3844517832,3844517832,3844517832,3844517832,3844517832,3844517832,3844517832,3844517832,3844517832,3844517832,3844517832,3844517840,3844517840,3844517840,3844517840,3844517840,3844517840,3844517840,3844517840,3844517840,3844517840,3844517840,3844517840,3844517840,3844517840,3844517840,3844517840,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0"}, "global": 32, "local": 16},
  {"name": "slots_of_slots", "args": ["zero:512", "buffer:uint:{[(i * 2654435761 % 2**32) >> 3 for i in range(1, 65)]}", "zero:65536", "local:8192"],
   "expect": {"0": "uint:2860532404,3454543231,3152657565,3917450885,2816487948,932240857,4092598527,3215192843,3010126399,3065598844,3242413962,3588344096,2068517973,1620373234,3823329336,3723812426,2860532409,3454543236,3152657570,3917450890,2816487953,932240862,4092598532,3215192848,3010126404,3065598849,3242413967,3588344101,2068517978,1620373239,3823329341,3723812431,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0"}, "global": 32, "local": 16}]}
*/
typedef unsigned char uchar;
typedef unsigned short ushort;
typedef unsigned int uint;
typedef unsigned long ulong;
typedef ulong ulong2 __attribute__((ext_vector_type(2)));
#define NOINLINE __attribute__((noinline))
#define offset_of(type, member) __builtin_offsetof(type, member)
#define KERNEL(name) kernel void name(global uint *out, global const uint *in, global ulong *far, local ulong *near)
/* Arrays of the type in three memories; AT(i) is the address of element i of the array that in[i] selects. */
#define MEMORIES(type, n)                                                                                              \
    type own[n];                                                                                                       \
    type *m[3] = {own, (type *)near, (type *)far}
#define AT(i) (m[in[i] % 3] + (i))
#define ID uint i = get_local_id(0), n = get_local_size(0), g = get_global_id(0)
#define SYNC barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE)
/* Each item owns a local and a global word. */
#define OWN(k) (in[(k)] & 4 ? (uint *)&near_w[(k)] : (uint *)&far_w[get_group_id(0) * 16 + (k)])
#define HEAD                                                                                                           \
    ID;                                                                                                                \
    local uint *near_w = (local uint *)(near + 512);                                                                   \
    global uint *far_w = (global uint *)far;                                                                           \
    near_w[i] = in[i] * 3 + get_group_id(0);                                                                           \
    far_w[g] = in[i] * 5 + get_group_id(0);                                                                            \
    SYNC;

/* Bitonic sort of pointers by address in local memory; then by what they point to. */
KERNEL(bitonic)
{
    HEAD local ulong *t = near;
    t[i] = (ulong)OWN(i);
    SYNC;
    for (uint k = 2; k <= n; k <<= 1)
        for (uint j = k >> 1; j; j >>= 1) {
            uint l = i ^ j;
            if (l > i) {
                ulong a = t[i], b = t[l];
                if ((a > b) == !(i & k)) {
                    t[i] = b;
                    t[l] = a;
                }
            }
            SYNC;
        }
    uint ok = i == 0 || t[i - 1] < t[i];
    SYNC;
    for (uint k = 2; k <= n; k <<= 1)
        for (uint j = k >> 1; j; j >>= 1) {
            uint l = i ^ j;
            if (l > i) {
                ulong a = t[i], b = t[l];
                if ((*(uint *)a > *(uint *)b) == !(i & k)) {
                    t[i] = b;
                    t[l] = a;
                }
            }
            SYNC;
        }
    out[g] = *(uint *)t[i] * 2 + ok;
}

/* Radix sort by the bytes of the addresses; a checksum of what was there stays. */
KERNEL(radix)
{
    HEAD local ulong *t = near, *u = near + 16;
    local uint *count = (local uint *)(near + 40);
    t[i] = (ulong)OWN(i);
    SYNC;
    for (uint d = 0; d < 64; d += 4) {
        if (i < 16) count[i] = 0;
        SYNC;
        if (i == 0) {
            for (uint k = 0; k < n; k++)
                count[t[k] >> d & 15]++;
            uint c = 0;
            for (uint k = 0; k < 16; k++) {
                uint z = count[k];
                count[k] = c;
                c += z;
            }
            for (uint k = 0; k < n; k++)
                u[count[t[k] >> d & 15]++] = t[k];
        }
        SYNC;
        t[i] = u[i];
        SYNC;
    }
    uint s = 0;
    for (uint k = 0; k < n; k++)
        s += *(uint *)t[k] * *(uint *)t[k];
    out[g] = s * 2 + (i == 0 || t[i - 1] < t[i]);
}

/* A hash table of pointers in local memory by compare-and-swap of pointers themselves. */
KERNEL(cas_table)
{
    HEAD volatile local atomic_ulong *t = (volatile local atomic_ulong *)near;
    atomic_init(t + i, 0);
    atomic_init(t + 16 + i, 0);
    SYNC;
    ulong p = (ulong)OWN(i & ~1u);
    uint h = (uint)(p * 0x9e3779b97f4a7c15ul >> 59), c = 0;
    for (;;) {
        ulong e = 0;
        if (atomic_compare_exchange_strong(t + h, &e, p) || e == p) break;
        h = (h + 1) & 31;
    }
    SYNC;
    uint s = 0;
    for (uint k = 0; k < 32; k++) {
        ulong v = atomic_load(t + k);
        if (v) s += *(uint *)v, c++;
    }
    out[g] = s + c;
}

/* Pointers to pointers: items exchange the addresses of local slots that hold global or local pointers. */
KERNEL(slots_of_slots)
{
    HEAD local uint *local *a = 0;
    uint *local *slot = (uint * local *)near;
    uint **local *top = (uint * *local *)(near + 64);
    slot[i] = OWN(i);
    top[i] = (uint **)&slot[(i + 3) % n];
    SYNC;
    uint *swap = *top[i];
    SYNC;
    *top[i] = OWN((i * 7) % n);
    SYNC;
    out[g] = *swap + 3 * *slot[i] + **top[(i + 1) % n];
}
