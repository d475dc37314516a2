/* SPDX-License-Identifier: Apache-2.0 */
/*
 * specialize.c - the part of the `nonflat` command that wrong_rules.py needs. The program is linked with a core that
 * has a deliberate error, so it depends on the core alone.
 *
 *     specialize IN.spv OUT.spv [windows|numbered|process]
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "nonflat/nonflat.h"

static void *load(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    char *bytes = NULL;
    long length = -1;
    if (file && !fseek(file, 0, SEEK_END)) length = ftell(file);
    if (length > 0 && !fseek(file, 0, SEEK_SET) && (bytes = malloc((size_t)length)))
        *size = fread(bytes, 1, (size_t)length, file);
    if (file) fclose(file);
    return bytes;
}

static int write_result(const char *path, const nf_result *result)
{
    FILE *file = fopen(path, "wb");
    size_t size = nf_result_size(result);
    if (!file || fwrite(nf_result_bytes(result), 1, size, file) != size || fclose(file)) {
        perror(path);
        return 2;
    }
    return 0;
}

static void set_form(nf_profile *profile, const char *form)
{
    profile->address_form = strcmp(form, "numbered") == 0  ? NF_ADDRESSES_NUMBERED
                            : strcmp(form, "process") == 0 ? NF_ADDRESSES_FLAT
                                                           : NF_ADDRESSES_WINDOWS;
    if (profile->address_form != NF_ADDRESSES_FLAT) return;
    profile->private_window = (uint64_t)3 << 44;
    profile->local_window = (uint64_t)4 << 44;
}

int main(int argc, char **argv)
{
    size_t size = 0;
    void *module = argc == 3 || argc == 4 ? load(argv[1], &size) : NULL;
    if (!module) {
        fprintf(stderr, "usage: %s IN.spv OUT.spv [windows|numbered|process]\n", argv[0]);
        return 2;
    }
    nf_options options = NF_OPTIONS_INIT;
    nf_profile profile = NF_PROFILE_INIT;
    if (argc == 4) set_form(&profile, argv[3]);
    options.profile = &profile;
    nf_result *result = NULL;
    int status = (int)nf_specialize(module, size, &options, &result);
    if (status)
        fputs(result ? nf_result_log(result) : "no result\n", stderr);
    else
        status = write_result(argv[2], result);
    nf_result_free(result);
    free(module);
    return status;
}
