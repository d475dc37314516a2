/* SPDX-License-Identifier: Apache-2.0 */
/*
 * pack.c - packs modules as compilers do, for the tests of `nonflat scan`:
 *     pack swap IN OUT       the module in the other byte order
 *     pack zstd IN OUT       one Zstandard frame, as device images compressed by a compiler are
 *     pack stream IN OUT     one whose header does not give the length of its contents
 *     pack bundle OUT IN...  an offload bundle with one entry for each input
 * Exit status 77 when it was built without libzstd and needs it.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef HAVE_ZSTD
#include <zstd.h>
#endif

static unsigned char *read_file(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    unsigned char *bytes = malloc(1 << 24);
    if (!file || !bytes) exit(2);
    *size = fread(bytes, 1, 1 << 24, file);
    fclose(file);
    return bytes;
}

static int write_file(const char *path, const void *bytes, size_t size)
{
    FILE *file = fopen(path, "wb");
    if (!file || fwrite(bytes, 1, size, file) != size || fclose(file) != 0) return 2;
    return 0;
}

static int swap(const char *in, const char *out)
{
    size_t size;
    unsigned char *bytes = read_file(in, &size);
    for (size_t i = 0; i + 4 <= size; i += 4) {
        unsigned char word[4] = {bytes[i + 3], bytes[i + 2], bytes[i + 1], bytes[i]};
        memcpy(bytes + i, word, 4);
    }
    return write_file(out, bytes, size);
}

#ifdef HAVE_ZSTD
static int compress(const char *in, const char *out, int with_size)
{
    size_t size, bound;
    unsigned char *bytes = read_file(in, &size);
    void *frame = malloc(bound = ZSTD_compressBound(size));
    ZSTD_CCtx *context = ZSTD_createCCtx();
    ZSTD_CCtx_setParameter(context, ZSTD_c_contentSizeFlag, with_size);
    size_t length = ZSTD_compress2(context, frame, bound, bytes, size);
    return ZSTD_isError(length) ? 2 : write_file(out, frame, length);
}
#else
static int compress(const char *in, const char *out, int with_size)
{
    (void)in;
    (void)out;
    (void)with_size;
    return 77;
}
#endif

static size_t put_number(unsigned char *target, uint64_t value)
{
    for (int i = 0; i < 8; i++)
        target[i] = (unsigned char)(value >> 8 * i);
    return 8;
}

static int bundle(const char *out, char **inputs, int count)
{
    static const char magic[] = "__CLANG_OFFLOAD_BUNDLE__", target[] = "sycl-spir64-unknown-unknown";
    unsigned char *whole = calloc(1, 1 << 24);
    size_t at = sizeof magic - 1, data = 65536;
    memcpy(whole, magic, at);
    at += put_number(whole + at, (uint64_t)count);
    for (int i = 0; i < count; i++) {
        size_t size;
        unsigned char *bytes = read_file(inputs[i], &size);
        at += put_number(whole + at, data);
        at += put_number(whole + at, size);
        at += put_number(whole + at, sizeof target - 1);
        memcpy(whole + at, target, sizeof target - 1);
        at += sizeof target - 1;
        memcpy(whole + data, bytes, size);
        data += size;
        free(bytes);
    }
    return write_file(out, whole, data);
}

int main(int argc, char **argv)
{
    if (argc == 4 && strcmp(argv[1], "swap") == 0) return swap(argv[2], argv[3]);
    if (argc == 4 && strcmp(argv[1], "zstd") == 0) return compress(argv[2], argv[3], 1);
    if (argc == 4 && strcmp(argv[1], "stream") == 0) return compress(argv[2], argv[3], 0);
    if (argc > 3 && strcmp(argv[1], "bundle") == 0) return bundle(argv[2], argv + 3, argc - 3);
    return 2;
}
