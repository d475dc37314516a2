/* SPDX-License-Identifier: Apache-2.0 */
/*
 * altered.c - a libnonflat.so with one deliberate error, which NONFLAT_ALTERED names, to test that nonflat-compare
 * finds differences.
 *
 * All functions except nf_specialize() and nf_link() are those of the real library, to which it is linked.
 */
#define _GNU_SOURCE
#include <nonflat/nonflat.h>

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

static __typeof__(nf_specialize) *find_real(void)
{
    void *found = dlsym(RTLD_NEXT, "nf_specialize");
    __typeof__(nf_specialize) *real;
    memcpy(&real, &found, sizeof real);
    return real;
}

static __typeof__(nf_link) *find_real_link(void)
{
    void *found = dlsym(RTLD_NEXT, "nf_link");
    __typeof__(nf_link) *real;
    memcpy(&real, &found, sizeof real);
    return real;
}

static void alter_text(const char *text)
{
    if (*text) ((char *)(uintptr_t)text)[strlen(text) - 1] ^= 1;
}

static void alter_output(const nf_result *result)
{
    size_t size = nf_result_size(result);
    if (size) ((unsigned char *)(uintptr_t)nf_result_bytes(result))[size - 1] ^= 1;
}

static void alter_inference(const nf_result *result)
{
    size_t count;
    for (size_t i = 0; i < nf_result_instance_count(result); i++) {
        const nf_pointer_info *pointers = nf_result_pointers(result, i, &count);
        if (count) ((nf_pointer_info *)(uintptr_t)pointers)->spaces ^= 1;
    }
}

__attribute__((visibility("default"))) nf_status nf_specialize(const void *module, size_t size,
                                                               const nf_options *options, nf_result **result)
{
    const char *what = getenv("NONFLAT_ALTERED");
    nf_status status = find_real()(module, size, options, result);
    if (!what || !*result) return status;
    if (strcmp(what, "log") == 0) alter_text(nf_result_log(*result));
    if (strcmp(what, "report") == 0) alter_text(nf_result_report(*result));
    if (strcmp(what, "output") == 0) alter_output(*result);
    if (strcmp(what, "inference") == 0) alter_inference(*result);
    if (strcmp(what, "trace") == 0 && options->dump_line) options->dump_line(options->dump_user, "");
    if (strcmp(what, "crash") == 0) abort();
    return strcmp(what, "status") == 0 && status == NF_REFUSED ? NF_MALFORMED : status;
}

__attribute__((visibility("default"))) nf_status nf_link(const nf_link_input *inputs, size_t count,
                                                         const nf_options *options, nf_result **result)
{
    const char *what = getenv("NONFLAT_ALTERED");
    nf_status status = find_real_link()(inputs, count, options, result);
    if (what && *result && strcmp(what, "link") == 0) alter_output(*result);
    return status;
}
