/* SPDX-License-Identifier: Apache-2.0 */
/*
 * refused.c - cache of failures in memory. Some inputs take minutes to fail, and an application that builds its kernels
 * one by one would repeat the failure for each. Takes whole keys, which are compared in full, and gives the message.
 * The size of the list is limited; the oldest entries are removed first.
 */
#define _GNU_SOURCE
#include "layer/translate/translate.h"

#include <stdlib.h>
#include <string.h>

enum { ENTRIES = 64 };
static const size_t bytes_max = (size_t)16 << 20;

struct refused {
    struct nf_cl_bytes key;
    char *message;
    struct refused *older;
};

static struct refused *newest;
static struct nf_cl_lock lock = NF_CL_LOCK_INIT;

static void free_refused(struct refused *entry)
{
    free(entry->key.data);
    free(entry->message);
    free(entry);
}

static bool matches_key(const struct refused *entry, const struct nf_cl_bytes *key)
{
    return entry->key.size == key->size && memcmp(entry->key.data, key->data, key->size) == 0;
}

char *nf_cl_failure_find(const struct nf_cl_bytes *key)
{
    char *message = NULL;
    nf_cl_lock_acquire(&lock);
    for (const struct refused *at = newest; at && !message; at = at->older)
        if (matches_key(at, key)) message = strdup(at->message);
    nf_cl_lock_release(&lock);
    return message;
}

/* Removes the oldest entries beyond the limits. Needs the lock. */
static void forget_oldest(void)
{
    size_t count = 0, bytes = 0;
    struct refused **at = &newest;
    while (*at && count < ENTRIES && bytes + (*at)->key.size <= bytes_max) {
        count++;
        bytes += (*at)->key.size;
        at = &(*at)->older;
    }
    while (*at) {
        struct refused *old = *at;
        *at = old->older;
        free_refused(old);
    }
}

void nf_cl_failure_note(struct nf_cl_bytes *key, const char *message)
{
    struct refused *entry = calloc(1, sizeof *entry);
    if (!entry) return;
    entry->key = *key;
    *key = (struct nf_cl_bytes){NULL, 0};
    entry->message = strdup(message);
    if (!entry->message) {
        free_refused(entry);
        return;
    }
    nf_cl_lock_acquire(&lock);
    entry->older = newest;
    newest = entry;
    forget_oldest();
    nf_cl_lock_release(&lock);
}
