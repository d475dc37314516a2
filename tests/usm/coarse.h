/* SPDX-License-Identifier: Apache-2.0 */
/*
 * coarse.h - a function of the strict coarse-grained device (coarse.c) for tests, which makes it refuse a map or an
 * unmap.
 */
#ifndef USM_COARSE_H
#define USM_COARSE_H

/* The name with which clGetExtensionFunctionAddressForPlatform returns a coarse_refuse_one_fn. */
#define COARSE_REFUSE_ONE "coarse_refuse_one"

/* Only one call is refused. */
#define COARSE_REFUSED (-5)

/* The next `after` maps (or unmaps) succeed, and the one after them fails: with an error code, or as a command that
 * fails `later`. */
typedef void (*coarse_refuse_one_fn)(int unmap, unsigned after, int later);

#endif
