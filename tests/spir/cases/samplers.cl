// SPDX-License-Identifier: Apache-2.0
// Samplers that the program defines: one at program scope and one in a kernel. A driver without samplers at build time still has the
// function that creates one.
// CHECK: call {{.*}} @__translate_sampler_initializer(i32 {{[0-9]+}})
constant sampler_t nearest = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;

kernel void sampled(read_only image2d_t image, global float *out)
{
    const sampler_t border = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;
    int i = get_global_id(0);
    out[i] = read_imagef(image, nearest, (int2)(i, 1)).y;
    out[i + 4] = read_imagef(image, border, (int2)(i, 0)).z;
}
// KERNEL sampled 4 1
// IMAGE 3 2
// ARG float zero 8
// EXPECT float 13 17 21 21 2 6 10 0
