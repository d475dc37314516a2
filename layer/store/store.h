/* SPDX-License-Identifier: Apache-2.0 */
/*
 * store.h - the cache on disk, as the layer and the `nonflat cache` command see it.
 *
 * In: a key of any length and a value. Out: the value, for whoever asks with the very same key, in this process or any
 * later one. An entry is a file that holds key and value in full and a sum over both; entries appear whole, by
 * rename(), so a reader sees all of one or nothing. May use: base, public.
 *
 *     header | key: version, label, build of the layer, the question in full | value
 */
#ifndef NONFLAT_LAYER_STORE_H
#define NONFLAT_LAYER_STORE_H

#include "layer/base/base.h"

/* ---- store.c: one entry ------------------------------------------------------------------------------------------ */

/* @return a hash of the bytes: to find things by, never to take them for equal. */
uint64_t nf_cl_hash(const void *data, size_t size);
/* Append a hash of 128 bits, of what the file need not have in itself. */
bool nf_cl_append_hash(struct nf_cl_bytes *key, const void *data, size_t size);
/* Every key begins so: our version, a label for people, and which build of the layer it is. */
bool nf_cl_append_head(struct nf_cl_bytes *key, const char *label);

/* `kind` names what is stored, in small letters. The value is the caller's. @return whether there was one. */
bool nf_cl_store_get(const char *kind, const struct nf_cl_bytes *key, struct nf_cl_bytes *value);
/* Write an entry. Whatever goes wrong, there is only no entry. */
void nf_cl_store_put(const char *kind, const struct nf_cl_bytes *key, const struct nf_cl_bytes *value);
void nf_cl_store_drop(const char *kind, const struct nf_cl_bytes *key);
/* @return the name that an entry has or would have, fresh; NULL when memory ends. */
char *nf_cl_store_name(const char *kind, const struct nf_cl_bytes *key);
void nf_cl_store_drop_name(const char *name);

/* When what took too long may be tried again: the machine may have been busy. In seconds of the real-time clock. */
uint64_t nf_cl_store_expiry(void);
/* Is that time over? Never for 0. */
bool nf_cl_store_is_over(uint64_t expires);

/* Is the whole of an open entry as it was written? Puts its version and label into `text` as "VERSION LABEL". */
bool nf_cl_entry_check(int file, const struct stat *info, char *text, size_t size);

/* ---- names.c: what its files are called -------------------------------------------------------------------------- */

enum { NF_CL_NAME_MAX = 96 };

/* The file that says that a folder is a cache of ours. */
extern const char nf_cl_marker[];

void nf_cl_name_entry(char name[NF_CL_NAME_MAX], const char *kind, const struct nf_cl_bytes *key);
/* A name for an entry that is being written; `number` differs from call to call in a process. */
void nf_cl_name_temporary(char name[NF_CL_NAME_MAX], unsigned number);
/* Is that such a name? */
bool nf_cl_is_entry(const char *name);
bool nf_cl_is_temporary(const char *name);

/* ---- folder.c: the folder ---------------------------------------------------------------------------------------- */

/* Open a folder that can be trusted; `others`: it may be the administrator's, which is only read. One of the user's
 * that holds files of somebody else's making, and not our marker, is none. @return -1 when there is none. */
int nf_cl_open_folder(const char *path, bool others);
/* The same for the user's own, made and marked when it is not there. */
int nf_cl_make_folder(const char *path);
/* @return the name of a file in an open folder because of which it is not taken for a cache of ours, fresh, or NULL. */
char *nf_cl_find_foreign(int folder);

struct nf_cl_found {
    char name[NF_CL_NAME_MAX];
    struct timespec used; /* last use */
    uint64_t size;
};

/* The entries of an open folder, longest unused first; no other file counts. What killed writers left is removed on
 * the way. @return a fresh list, NULL when it is empty. */
struct nf_cl_found *nf_cl_list_folder(int folder, size_t *count, uint64_t *total);
/* Remove what was longest unused until no more than `limit` bytes are left. @return how many entries went. */
size_t nf_cl_shrink_folder(int folder, uint64_t limit);

/* ---- later.c: writing that nobody waits for ---------------------------------------------------------------------- */

/* nf_cl_store_put() as a job. Takes the key, whatever happens, and copies the value. */
void nf_cl_store_put_later(const char *kind, struct nf_cl_bytes *key, const struct nf_cl_bytes *value);
/* Remove the entry of that name, after everything that was to be put before. */
void nf_cl_store_drop_later(const char *name);

#endif
