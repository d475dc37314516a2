// SPDX-License-Identifier: Apache-2.0
// A device without images.
// TO: c:fp64
// TEXT-REFUSED: the device has no images

kernel void k(read_only image2d_t i, sampler_t s, global float4 *o)
{
    o[0] = read_imagef(i, s, (float2)(0.5f));
}
