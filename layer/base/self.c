/* SPDX-License-Identifier: Apache-2.0 */
/*
 * self.c - the identity of the library into which this file is linked. Takes an address in that library. Gives the
 * library's description, made at the first call; it does not change.
 */
#include "layer/base/base.h"

static struct nf_cl_object self;
static pthread_once_t self_once = PTHREAD_ONCE_INIT;

static void find_self(void)
{
    nf_cl_object_find(&self, &self);
}

const struct nf_cl_object *nf_cl_object_self(void)
{
    pthread_once(&self_once, find_self);
    return &self;
}
