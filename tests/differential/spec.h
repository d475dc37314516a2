/* SPDX-License-Identifier: Apache-2.0 */
/*
 * spec.h - kernel arguments as text, so that one line describes a run of a kernel.
 *
 *     buffer:TYPE:1,2,3   a buffer with these elements (char uchar short ushort int uint long ulong float double)
 *     hex:0011aabb        a buffer with these bytes
 *     zero:BYTES          a buffer of zero bytes
 *     same:N              the buffer of argument N, not a copy
 *     local:BYTES         local memory
 *     TYPE:5              a scalar of that type
 *     bytes:0011aabb      a by-value argument with these bytes (a struct)
 */
#ifndef NONFLAT_TESTS_SPEC_H
#define NONFLAT_TESTS_SPEC_H

#include <stddef.h>

enum spec_kind { SPEC_BUFFER, SPEC_SAME, SPEC_LOCAL, SPEC_VALUE };

struct spec {
    enum spec_kind kind;
    size_t size;          /* size in bytes of the buffer, of the local memory or of the value */
    unsigned char *bytes; /* initial contents or value; NULL for local memory and SPEC_SAME */
    unsigned same;        /* index of the argument, for SPEC_SAME */
};

/* Parses `text` into `*out`. @return 0, or -1 if `text` is not in the language above. */
int spec_parse(const char *text, struct spec *out);
void spec_free(struct spec *spec);

#endif
