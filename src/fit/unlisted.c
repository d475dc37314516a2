/* SPDX-License-Identifier: Apache-2.0 */
/*
 * unlisted.c - the capabilities that a module declares and a device does not list. A driver may accept more than it
 * lists; with a profile of partial lists, these capabilities cause no refusal, and are the likely reason if the driver
 * fails.
 *
 *     OpCapability Float64             the device lists Kernel, Addresses, Int64    ->    "Float64"
 *
 * needs: the bytes of a module, and a profile.  gives: the names of the capabilities.
 */
#include "fit/internal.h"

struct unlisted {
    char *text;
    size_t size, length; /* the size of `text`; the length of all names, which may be greater */
};

static void add_text(struct unlisted *u, const char *text)
{
    for (; *text; text++, u->length++)
        if (u->length + 1 < u->size) u->text[u->length] = *text;
}

size_t nf_unlisted_capabilities(const void *module, size_t size, const nf_profile *profile, char *text,
                                size_t text_size)
{
    struct unlisted u = {text, text_size, 0};
    uint32_t words[2];
    for (size_t at = 4 * (size_t)NF_HEADER_WORDS; module && profile && at + sizeof words <= size; at += sizeof words) {
        char number[16];
        memcpy(words, (const char *)module + at, sizeof words);
        if (words[0] != (2u << 16 | OpCapability)) break;
        if (nf_fit_takes_capability(profile, words[1])) continue;
        add_text(&u, u.length ? ", " : "");
        add_text(&u, nf_capability_name(words[1], number));
    }
    if (text_size) text[u.length < text_size ? u.length : text_size - 1] = '\0';
    return u.length;
}
