/* SPDX-License-Identifier: Apache-2.0 */
/*
 * bitcode.c - remembers on disk what the translator program gave, which starts slowly. Takes a device and a specialized
 * module; gives bitcode. The key has the translator's file in it: another one may give something else. What it refused
 * is not remembered, as its reason may be a time-out or a missing package.
 */
#define _GNU_SOURCE
#include "layer/store/store.h"
#include "layer/translate/translate.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const char kind[] = "bitcode";

static bool make_key(const char *family, bool globals, const void *module, size_t size, struct nf_cl_bytes *key)
{
    const char *path = nf_cl_translator();
    struct stat info;
    if (!path || stat(path, &info) != 0) return false;
    const int64_t stamp[] = {info.st_size, info.st_mtim.tv_sec, info.st_mtim.tv_nsec, (int64_t)info.st_ino,
                             (int64_t)info.st_dev};
    char *label = nf_cl_format("bitcode of %zu bytes for %s", size, family);
    bool good = label && nf_cl_append_head(key, label) && nf_cl_append_text(key, path) &&
                nf_cl_append(key, stamp, sizeof stamp) && nf_cl_append_text(key, family) &&
                nf_cl_append(key, &globals, sizeof globals) && nf_cl_append(key, module, size);
    free(label);
    return good;
}

bool nf_cl_bitcode_get(const char *family, bool globals, const void *module, size_t size, struct nf_cl_bytes *bitcode,
                       char **message)
{
    const struct nf_cl_config *config = nf_cl_config();
    struct nf_cl_bytes key = {NULL, 0};
    *message = NULL;
    bool disk =
        !config->dump && (config->cache || config->system_cache) && make_key(family, globals, module, size, &key);
    if (disk && nf_cl_store_get(kind, &key, bitcode)) {
        free(key.data);
        return true;
    }
    bool good = nf_cl_translate(family, globals, module, size, bitcode, message);
    if (good && disk) nf_cl_store_put_later(kind, &key, bitcode);
    free(key.data);
    return good;
}
