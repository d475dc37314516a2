// SPDX-License-Identifier: Apache-2.0
// options: -cl-std=CL2.0
// clang represents a block by a generic pointer; the device lacks device-side queues.
kernel void k(global int *out, global int *in)
{
    enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), ^{ out[0] = in[0]; });
}
