/* SPDX-License-Identifier: Apache-2.0 */
/*
 * coarse.h - what a test can ask of the strict coarse-grained device (coarse.c): that it refuses a map or an unmap.
 */
#ifndef USM_COARSE_H
#define USM_COARSE_H

/* The name by which clGetExtensionFunctionAddressForPlatform gives a coarse_refuse_one_fn. */
#define COARSE_REFUSE_ONE "coarse_refuse_one"

/* What is refused ends with that. */
#define COARSE_REFUSED (-5)

/* `after` maps (or unmaps) from now on go well, and the next one does not: it says so at once, or it is a command that
 * fails `later`. */
typedef void (*coarse_refuse_one_fn)(int unmap, unsigned after, int later);

#endif
