/* SPDX-License-Identifier: Apache-2.0 */
/*
 * translate.h - SPIR-V in, SPIR 1.2 bitcode out, for drivers that take no SPIR-V.
 *
 * In: a specialized module and the family of the device, whose built-in functions differ. Out: bitcode, or the reason
 * why there is none. The work is done by a program of its own (spir/), which carries LLVM. It uses base/ and store/.
 */
#ifndef NONFLAT_LAYER_TRANSLATE_H
#define NONFLAT_LAYER_TRANSLATE_H

#include "layer/base/base.h"

/* ---- translator.c: where the program is -------------------------------------------------------------------------- */

/* @return the path of a translator that can be started, or NULL. */
const char *nf_cl_translator(void);

/* ---- translate.c: one run of it ---------------------------------------------------------------------------------- */

/* Translate SPIR-V to SPIR 1.2 bitcode for devices of `family`; `globals`: variables may be moved to memory that
 * kernels get. On failure `*message` says why. Both outputs are the caller's. */
bool nf_cl_translate(const char *family, bool globals, const void *module, size_t size, struct nf_cl_bytes *bitcode,
                     char **message);

/* ---- bitcode.c: the same, remembered ----------------------------------------------------------------------------- */

/* As nf_cl_translate(). */
bool nf_cl_bitcode_get(const char *family, bool globals, const void *module, size_t size, struct nf_cl_bytes *bitcode,
                       char **message);

#endif
