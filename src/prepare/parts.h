/* SPDX-License-Identifier: Apache-2.0 */
/* parts.h - what only the files of this folder share: bodies of imports, which import_bodies.c asks for by name. */
#ifndef NF_PREPARE_PARTS_H
#define NF_PREPARE_PARTS_H

#include "prepare/prepare.h"

/* ---- memchr_strlen.c: memchr and strlen ---- */
bool nf_fits_memchr(const struct nf_module *m, const struct nf_function *f);
void nf_put_memchr(struct nf_edit *e, const struct nf_function *f);
bool nf_fits_strlen(const struct nf_module *m, const struct nf_function *f);
void nf_put_strlen(struct nf_edit *e, const struct nf_function *f);

/* ---- bfloat16.c: numbers of 16 bits that are the upper half of a float ---- */
#define NF_TO_BFLOAT "__devicelib_ConvertFToBF16INTEL"
#define NF_FROM_BFLOAT "__devicelib_ConvertBF16ToFINTEL"
bool nf_fits_bfloats(const struct nf_module *m, const struct nf_function *f);
void nf_put_bfloats(struct nf_edit *e, const struct nf_function *f);

#endif
