/* SPDX-License-Identifier: Apache-2.0 */
/*
 * addresses.c - parses --addresses FORM[:PRIVATE,LOCAL] into the fields of a profile for the integers of private and
 * local addresses.
 *
 *     windows:0x200000000000,0x220000000000    windows of 4 GB
 *     windows:0xe0000000,0xf0000000            windows of 256 MB, for a device whose addresses have 32 bits
 *     flat
 */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "tools/specialize/specialize.h"

static const char *const forms[] = {[NF_ADDRESSES_UNKNOWN] = "unknown",
                                    [NF_ADDRESSES_WINDOWS] = "windows",
                                    [NF_ADDRESSES_FLAT] = "flat",
                                    [NF_ADDRESSES_NUMBERED] = "numbered"};

static bool take_form(const char *text, size_t length, nf_profile *profile)
{
    for (uint32_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        if (strlen(forms[i]) != length || strncmp(forms[i], text, length) != 0) continue;
        profile->address_form = i;
        return true;
    }
    return false;
}

/* Parses a hexadecimal number, with or without 0x. Returns false if it does not end at `end`, or exceeds 64 bits. */
static bool take_base(const char *text, const char *end, uint64_t *base)
{
    char *after = NULL;
    if (!isxdigit((unsigned char)*text)) return false;
    errno = 0;
    *base = strtoull(text, &after, 16);
    return after == end && errno == 0;
}

/* Returns the binary logarithm of the windows' size in bytes. If both windows begin below 2^32, the device has 32-bit
 * addresses, and each window has a sixteenth of them; in the flat form each window has 2^44 bytes, as nf_profile
 * requires. */
static uint32_t bits_of(const nf_profile *profile)
{
    if (profile->address_form == NF_ADDRESSES_FLAT) return 44;
    return profile->private_window <= UINT32_MAX && profile->local_window <= UINT32_MAX ? 28 : 32;
}

static int take_windows(const char *text, nf_profile *profile)
{
    const char *comma = strchr(text, ',');
    if (!comma || !take_base(text, comma, &profile->private_window) ||
        !take_base(comma + 1, text + strlen(text), &profile->local_window))
        return nf_print_error("specialize: '%s' is not a pair of addresses such as 0x200000000000,0x220000000000",
                              text);
    if (profile->address_form == NF_ADDRESSES_NUMBERED)
        return nf_print_error("specialize: the form '%s' has no windows", forms[profile->address_form]);
    uint32_t bits = bits_of(profile);
    if (profile->address_form != NF_ADDRESSES_FLAT) profile->window_bits = bits;
    uint64_t within = (UINT64_C(1) << bits) - 1;
    if ((profile->private_window | profile->local_window) & within)
        return nf_print_error("specialize: '%s': each window begins at a multiple of its size, 0x%llx", text,
                              (unsigned long long)within + 1);
    if (!profile->private_window || !profile->local_window || profile->private_window == profile->local_window)
        return nf_print_error("specialize: '%s': the two windows must differ, and none begins at 0", text);
    return NF_EXIT_DONE;
}

int nf_parse_addresses(const char *text, nf_profile *profile)
{
    size_t length = strcspn(text, ":");
    if (!take_form(text, length, profile))
        return nf_print_error(
            "specialize: unknown form of addresses '%.*s'; the forms are unknown, windows, flat and numbered",
            (int)length, text);
    return text[length] ? take_windows(text + length + 1, profile) : NF_EXIT_DONE;
}
