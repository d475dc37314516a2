/* SPDX-License-Identifier: Apache-2.0 */
#include "layer.h"
nf_status nf_cl_link_modules(const struct nf_cl_link_input *inputs, size_t count, bool library,
                             struct nf_cl_bytes *output, char **message)
{
    (void)inputs;
    (void)count;
    (void)library;
    (void)output;
    (void)message;
    return NF_OUT_OF_MEMORY;
}
