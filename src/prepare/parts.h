/* SPDX-License-Identifier: Apache-2.0 */
/* parts.h - shared by the files of this folder only: the functions that import_bodies.c calls to define an import. */
#ifndef NF_PREPARE_PARTS_H
#define NF_PREPARE_PARTS_H

#include "prepare/prepare.h"

/* ---- memchr_strlen.c: memchr and strlen ---- */
bool nf_fits_memchr(const struct nf_module *m, const struct nf_function *f);
void nf_put_memchr(struct nf_edit *e, const struct nf_function *f);
bool nf_fits_strlen(const struct nf_module *m, const struct nf_function *f);
void nf_put_strlen(struct nf_edit *e, const struct nf_function *f);

/* ---- bfloat16.c: conversions between float and bfloat16, which is the high 16 bits of a float ---- */
#define NF_TO_BFLOAT "__devicelib_ConvertFToBF16INTEL"
#define NF_FROM_BFLOAT "__devicelib_ConvertBF16ToFINTEL"
bool nf_fits_bfloats(const struct nf_module *m, const struct nf_function *f);
void nf_put_bfloats(struct nf_edit *e, const struct nf_function *f);

#endif
