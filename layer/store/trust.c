/* SPDX-License-Identifier: Apache-2.0 */
/*
 * trust.c - decides whose cache folders and entries are read, because an entry contains code that will be executed.
 * Takes the properties of a file; the file is trusted if it belongs to the user and no other user may write it.
 *
 *     cache:         the user's
 *     cache-system:  the user's, root's, or those of the owner of the layer's file
 *
 * The owner of the layer's file can already change the layer's code, so trust in the owner's cache adds no risk.
 * Installations by Spack or EasyBuild belong to an owner other than root and the user. A privileged process trusts root
 * and its own user only.
 */
#define _GNU_SOURCE
#include "layer/store/store.h"

bool nf_cl_is_trusted_entry(const struct stat *info, bool others)
{
    struct stat own;
    if (nf_cl_is_trusted_file(info, others)) return true;
    if (!others || nf_cl_config()->secure || (info->st_mode & 022)) return false;
    const char *layer = nf_cl_object_self()->path;
    return *layer && stat(layer, &own) == 0 && own.st_uid == info->st_uid;
}
