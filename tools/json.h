/* SPDX-License-Identifier: Apache-2.0 */
/*
 * json.h - the little JSON that the command needs: reading the core's report, and writing strings.
 */
#ifndef NF_TOOLS_JSON_H
#define NF_TOOLS_JSON_H

#include <stddef.h>
#include <stdio.h>

typedef struct nf_json nf_json;

/* @return the root of a well-formed text, or NULL. Freed with nf_json_free(). */
nf_json *nf_json_read(const char *text);
void nf_json_free(nf_json *root);

/* All take NULL and give NULL, 0 or "" for what is not there. */
const nf_json *nf_json_member(const nf_json *object, const char *name);
const nf_json *nf_json_first(const nf_json *container);
const nf_json *nf_json_next(const nf_json *item);
const char *nf_json_text(const nf_json *value); /* of a string, or the digits of a number */
double nf_json_number(const nf_json *value);

/* Write `text` as a JSON string with its quotes. Bytes that are no UTF-8 are replaced. */
void nf_json_put(FILE *file, const char *text);

#endif
