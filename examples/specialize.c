/* SPDX-License-Identifier: Apache-2.0 */
/*
 * specialize.c - a complete program with the library: reads a SPIR-V module, writes one without generic pointers, and
 * prints how many accesses were specialized.
 *     specialize IN.spv OUT.spv
 */
#include <nonflat/nonflat.h>

#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    static unsigned char module[16 << 20];
    FILE *in = argc == 3 ? fopen(argv[1], "rb") : NULL;
    if (!in) {
        fprintf(stderr, "usage: specialize IN.spv OUT.spv\n");
        return 2;
    }
    size_t size = fread(module, 1, sizeof module, in);
    fclose(in);

    nf_options options = NF_OPTIONS_INIT;
    nf_profile device = NF_PROFILE_INIT;
    device.max_version = 0x00010200; /* a driver that supports SPIR-V 1.2 and nothing newer */
    options.profile = &device;
    nf_result *result = NULL;
    nf_status status = nf_specialize(module, size, &options, &result);
    if (status != NF_OK) {
        fprintf(stderr, "%s: %s\n%s", argv[1], nf_status_string(status), result ? nf_result_log(result) : "");
        nf_result_free(result);
        return (int)status;
    }

    nf_counts counts = nf_result_counts(result);
    printf("%u generic accesses: %u static, %u split, %u dispatched\n", counts.generic, counts.is_static,
           counts.predicated, counts.dispatched);
    FILE *out = fopen(argv[2], "wb");
    size_t written = out ? fwrite(nf_result_bytes(result), 1, nf_result_size(result), out) : 0;
    int failed = !out || written != nf_result_size(result) || fclose(out) != 0;
    nf_result_free(result);
    return failed ? 2 : 0;
}
