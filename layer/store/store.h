/* SPDX-License-Identifier: Apache-2.0 */
/*
 * store.h - the cache on disk, for the layer and the `nonflat cache` command.
 *
 * Takes a key and a value of any length that the size limit of the cache allows. Gives the value, for an equal key, in
 * any process that uses the folder, until the entry is removed. An entry is a file with the whole key, the value and a
 * checksum of both; it is created by rename(), so that readers see a complete entry or none. Nothing depends on locks,
 * which network file systems may lack. May use: base, public.
 *
 *     header | key: version, label, build of the layer, all inputs of the result | value
 */
#ifndef NONFLAT_LAYER_STORE_H
#define NONFLAT_LAYER_STORE_H

#include "layer/base/base.h"

enum { NF_CL_NAME_MAX = 96 };

/* ---- store.c: one entry ------------------------------------------------------------------------------------------ */

/* Returns a hash of the bytes, for lookups only; it does not prove equality. */
uint64_t nf_cl_hash(const void *data, size_t size);
/* Appends a 128-bit hash of data that need not be in the file itself. @return false if out of memory. */
bool nf_cl_append_hash(struct nf_cl_bytes *key, const void *data, size_t size);
/* Appends the beginning of a key: version, label for the user, the layer's build id. @return false if out of memory. */
bool nf_cl_append_head(struct nf_cl_bytes *key, const char *label);

/* Looks an entry up in the read-only folders, then in the user's cache. `kind` names the kind of value, in lower-case
 * letters. The caller owns the value. @return false if there is none; then `*value` is unchanged. */
bool nf_cl_store_get(const char *kind, const struct nf_cl_bytes *key, struct nf_cl_bytes *value);
/* Writes an entry to the user's cache, in place of an older one. @return false if that fails, if there is no writable
 * cache, or if the entry would exceed the limit of the cache. */
bool nf_cl_store_put(const char *kind, const struct nf_cl_bytes *key, const struct nf_cl_bytes *value);
/* Removes the entry of that key from the user's cache, if there is one. */
void nf_cl_store_drop(const char *kind, const struct nf_cl_bytes *key);
/* Returns the file name of an entry, whether it exists or not, malloc'ed; NULL if out of memory. */
char *nf_cl_store_name(const char *kind, const struct nf_cl_bytes *key);
/* As nf_cl_store_drop(), for the entry with that file name. */
void nf_cl_store_drop_name(const char *name);

/* Returns the expiry time for an entry about an exceeded time limit or the end of a process, which may be caused by a
 * busy machine: a week from now, in seconds of the real-time clock. */
uint64_t nf_cl_store_expiry(void);
/* Returns true if that time has passed, or is more than a week ahead, which means that the clock was wrong; false for
 * 0. */
bool nf_cl_store_has_expired(uint64_t expires);

/* Returns true if an open entry is intact, and not larger than the limit of the cache. Then sets `text` to its version
 * and label, "VERSION LABEL", or to "?" if its key does not begin with them, or if one of them has 400 bytes or
 * more. */
bool nf_cl_entry_check(int file, const struct stat *info, char *text, size_t size);
/* Returns true if the bytes of an entry are intact. Then sets `key` and `value` to their places in it. */
bool nf_cl_entry_split(const struct nf_cl_bytes *entry, struct nf_cl_bytes *key, struct nf_cl_bytes *value);

/* Looks the entry of that name up in one open folder, or in none if `folder` is -1. `others`: as for
 * nf_cl_open_folder(); if it is not set, a file of that name that is not a valid entry for the key is removed. For
 * claim.c. */
bool nf_cl_store_get_from(int folder, const char *name, bool others, const struct nf_cl_bytes *key,
                          struct nf_cl_bytes *value);

/* ---- claim.c: one process does the work for all ------------------------------------------------------------------ */

/* The right to make an entry, which one process has, and after a rare race two (claim.c); `name` is "" if this process
 * does not have the right. The caller need not zero the structure before it calls nf_cl_store_get_or_claim(). */
struct nf_cl_claim {
    char name[NF_CL_NAME_MAX];
    pid_t owner;
};

/* As nf_cl_store_get(). If there is no entry, claims the work that makes it; if another process has claimed it, waits
 * for the entry, for `cache-wait` seconds at most. Inside fork() and on the worker thread it neither claims nor waits.
 * @return false if the caller must do the work, with or without a claim, and then release the claim. */
bool nf_cl_store_get_or_claim(const char *kind, const struct nf_cl_bytes *key, struct nf_cl_bytes *value,
                              struct nf_cl_claim *claim);
/* Releases a claim; does nothing without one. */
void nf_cl_claim_release(struct nf_cl_claim *claim);

/* ---- names.c: file names ----------------------------------------------------------------------------------------- */

/* The name of the file that marks a folder as a cache of Nonflat. */
extern const char nf_cl_marker[];

void nf_cl_name_entry(char name[NF_CL_NAME_MAX], const char *kind, const struct nf_cl_bytes *key);
/* Generates the name of the claim for the entry of that name. */
void nf_cl_name_claim(char name[NF_CL_NAME_MAX], const char *entry);
/* Generates a name for a file that is being written, which no process of any machine has; `number` must be unique
 * within the process. */
void nf_cl_name_temporary(char name[NF_CL_NAME_MAX], unsigned number);
/* Return true for the name of an entry, and for the name of a claim or of a file that is being written. */
bool nf_cl_is_entry(const char *name);
bool nf_cl_is_temporary(const char *name);

/* ---- trust.c: whose files are read ------------------------------------------------------------------------------- */

/* Returns true if the file or folder may be read: it belongs to the user or, if `others` is set, to root or, unless the
 * process is privileged, the owner of the layer; and no other user may write it. */
bool nf_cl_is_trusted_entry(const struct stat *info, bool others);

/* ---- folder.c: the folder ---------------------------------------------------------------------------------------- */

/* Opens a trusted folder. `others`: it may also belong to root or the owner of the layer, and is only read. A folder of
 * the user is rejected if it contains other files and has no marker. @return a descriptor, or -1. */
int nf_cl_open_folder(const char *path, bool others);
/* As nf_cl_open_folder(), for the user's own folder, which is marked. If it does not exist, it is created, with at most
 * one missing folder above it, in a folder of the user or of root. */
int nf_cl_make_folder(const char *path);
/* Returns the name of a file that prevents the use of the open folder as a cache, malloc'ed; NULL if there is none, the
 * folder has the marker, or cannot be listed. */
char *nf_cl_find_foreign(int folder);

struct nf_cl_found {
    char name[NF_CL_NAME_MAX];
    struct timespec used; /* time of the last use */
    uint64_t size;
};

/* Lists the entries of an open folder, least recently used first; other files are ignored. Removes temporary files that
 * are so old that their processes were killed. @return a malloc'ed list, NULL if there is no entry or the folder cannot
 * be read; if memory is exhausted, the list, `*count` and `*total` are incomplete. */
struct nf_cl_found *nf_cl_list_folder(int folder, size_t *count, uint64_t *total);
/* If the entries have more than `limit` bytes, removes the least recently used ones until they have at most nine tenths
 * of it. @return the number of entries whose removal was tried. */
size_t nf_cl_shrink_folder(int folder, uint64_t limit);
/* To be called after write number `turn` of this process, counted from 0. Calls nf_cl_shrink_folder() with the limit of
 * the settings after the writes 64, 128..., and after write 0 unless a process has shrunk the folder within a minute. */
void nf_cl_tidy_folder(int folder, unsigned turn);

/* ---- later.c: writes in the background --------------------------------------------------------------------------- */

/* Queues nf_cl_store_put() as a job (nf_cl_defer()). Takes over the key's data and sets `key->data` to NULL, unless
 * memory is exhausted: the caller frees `key->data` in any case. Copies the value; `kind` must be a constant. */
void nf_cl_store_put_later(const char *kind, struct nf_cl_bytes *key, const struct nf_cl_bytes *value);
/* Queues nf_cl_claim_release(), after all writes queued before; does nothing without a claim. */
void nf_cl_claim_release_later(struct nf_cl_claim *claim);
/* Queues the removal of the entry of that name, after all writes queued before; does nothing if memory is exhausted. */
void nf_cl_store_drop_later(const char *name);

#endif
