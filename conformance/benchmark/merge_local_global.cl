// SPDX-License-Identifier: Apache-2.0
// A merge of local and global pointers inside a loop, which no condition of the loop can resolve.
kernel void merge_generic(global int *out, global int *in, int n) {
    local int near[64];
    near[get_local_id(0)] = in[get_global_id(0)] * 3;
    barrier(CLK_LOCAL_MEM_FENCE);
    int *at = near;
    int sum = 0;
    for (int i = 0; i < n; i++) {
        sum += *at;
        if (sum & 1)
            at = (int *)&in[i];
        else
            at = &near[sum & 7];
    }
    out[get_global_id(0)] = sum;
}
kernel void merge_explicit(global int *out, global int *in, int n) {
    local int near[64];
    near[get_local_id(0)] = in[get_global_id(0)] * 3;
    barrier(CLK_LOCAL_MEM_FENCE);
    local int *at_near = near;
    global int *at_far = in;
    int sum = 0, is_far = 0;
    for (int i = 0; i < n; i++) {
        sum += is_far ? *at_far : *at_near;
        is_far = sum & 1;
        if (is_far)
            at_far = &in[i];
        else
            at_near = &near[sum & 7];
    }
    out[get_global_id(0)] = sum;
}
