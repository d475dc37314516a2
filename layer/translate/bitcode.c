/* SPDX-License-Identifier: Apache-2.0 */
/*
 * bitcode.c - cache of the translator's results on disk, because the translator starts slowly. Takes a driver family
 * and a specialized module; gives bitcode, or the reason for a failure. The key contains the identity of the
 * translator's file, because another version may give another result. A refusal that is a property of the module is
 * stored on disk as well; a refusal caused by time or memory limits is kept in this process only (refused.c); the
 * outcome of a translator that was killed, could not be started, or whose exit status is unknown, is not stored. With
 * the setting `dump` the translator runs in any case.
 */
#define _GNU_SOURCE
#include "layer/store/store.h"
#include "layer/translate/translate.h"

#include <stdlib.h>
#include <string.h>

static const char kind[] = "bitcode", refusal[] = "refusal";

static bool make_key(const char *family, const void *module, size_t size, struct nf_cl_bytes *key)
{
    char *label = nf_cl_format("bitcode of %zu bytes for %s", size, family);
    bool good = label && nf_cl_append_head(key, label) && nf_cl_append_program(key, nf_cl_translator()) &&
                nf_cl_append_text(key, family) && nf_cl_append(key, module, size);
    free(label);
    return good;
}

/* Returns the message of a stored refusal, malloc'ed, or NULL. */
static char *stored_refusal(const struct nf_cl_bytes *key)
{
    struct nf_cl_bytes value = {NULL, 0};
    if (!nf_cl_store_get(refusal, key, &value)) return NULL;
    char *message = value.size ? strndup(value.data, value.size) : NULL;
    free(value.data);
    return message;
}

/* Stores the outcome according to its validity. Takes ownership of the key's data. */
static void remember(struct nf_cl_bytes *key, bool disk, const struct nf_cl_translation *t)
{
    struct nf_cl_bytes message = {t->message, t->message ? strlen(t->message) : 0};
    if (t->validity == NF_CL_PERMANENT && disk)
        nf_cl_store_put_later(t->message ? refusal : kind, key, t->message ? &message : &t->bitcode);
    else if (t->validity != NF_CL_TRANSIENT && t->message)
        nf_cl_failure_note(key, t->message);
}

bool nf_cl_bitcode_get(const char *family, const void *module, size_t size, struct nf_cl_bytes *bitcode, char **message,
                       char **entry)
{
    const struct nf_cl_config *config = nf_cl_config();
    struct nf_cl_bytes key = {NULL, 0};
    struct nf_cl_claim claim = {.name = ""};
    struct nf_cl_translation t;
    bool keyed = !config->dump && make_key(family, module, size, &key);
    bool disk = keyed && (config->cache || config->system_cache);
    *message = NULL;
    *entry = disk ? nf_cl_store_name(kind, &key) : NULL;
    bool good = disk && nf_cl_store_get_or_claim(kind, &key, bitcode, &claim);
    if (!good && keyed) *message = nf_cl_failure_find(&key);
    if (!good && disk && !*message) *message = stored_refusal(&key);
    if (!good && !*message) {
        good = nf_cl_translate(family, module, size, &t);
        *bitcode = t.bitcode;
        *message = t.message;
        if (keyed) remember(&key, disk, &t);
        if (!good && !*message) *message = nf_cl_format("out of memory");
    }
    nf_cl_claim_release_later(&claim);
    free(key.data);
    return good;
}

void nf_cl_bitcode_drop(const char *entry)
{
    if (entry) nf_cl_store_drop_later(entry);
}
