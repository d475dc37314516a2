/* SPDX-License-Identifier: Apache-2.0 */
/*
 * addresses.c - chooses how private and local addresses of a device are represented as integers. Takes the device's
 * answers about its memory, and the setting `addresses`; gives the form and the windows of a profile, and the reason as
 * text.
 *
 *     PoCL on a CPU        flat; modules that query the space of a pointer use long windows, which the layer reserves
 *                          in this process for the first such module
 *     rusticl on llvmpipe  windows that the layer reserves in this process, as global addresses are host addresses
 *     rusticl on a GPU     windows in the middle of the address space, at the library's default addresses
 *
 * Hazard: a global address inside a window would be treated as a private or local address. Therefore a 32-bit device
 * has windows, with the bases 0xE0000000 and 0xF0000000, only if it reports at most 2 GiB of global memory, and its
 * global addresses are not host addresses.
 */
#include "layer/base/base.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static nf_address_form choose_form(const struct nf_cl_spaces *memory, enum nf_cl_addresses choice)
{
    nf_address_form form =
        choice == NF_CL_ADDRESSES_AUTO ? nf_cl_address_form(memory->names) : (nf_address_form)(choice - 1);
    /* A 32-bit address has no bits 48 to 63, in which the numbered form has the number of the buffer. */
    return form == NF_ADDRESSES_NUMBERED && memory->address_bits == 32 ? NF_ADDRESSES_UNKNOWN : form;
}

/* Returns true if global addresses are host addresses. The buffers of llvmpipe are in this process even if llvmpipe
 * reports no fine-grained system SVM. */
static bool has_host_addresses(const struct nf_cl_spaces *memory)
{
    return memory->svm & CL_DEVICE_SVM_FINE_GRAIN_SYSTEM || strncmp(memory->name, "llvmpipe", 8) == 0;
}

static const char *place_in_32_bits(nf_profile *profile, const struct nf_cl_spaces *memory)
{
    const cl_ulong most = (cl_ulong)2 << 30;
    if (has_host_addresses(memory) || memory->global_size == 0 || memory->global_size > most)
        return "none, as global memory may take all 32 bits";
    profile->window_bits = 28;
    profile->private_window = UINT64_C(0xE0000000);
    profile->local_window = UINT64_C(0xF0000000);
    return "above global memory, which has at most 2 GiB";
}

static const char *place_windows(nf_profile *profile, const struct nf_cl_spaces *memory)
{
    if (memory->address_bits == 32) return place_in_32_bits(profile, memory);
    profile->window_bits = 32;
    if (!has_host_addresses(memory)) return "in the middle of the address space, far from where memory is given out";
    /* Half of a window lies below its base, so the first base is one window size above the addresses of a process. */
    uint64_t first = memory->elsewhere ? 0 : nf_cl_reserve_windows();
    profile->private_window = first ? first : (UINT64_C(1) << 47) + NF_CL_WINDOW_BYTES;
    profile->local_window = profile->private_window + NF_CL_WINDOW_DISTANCE;
    if (memory->elsewhere) return "above the addresses of a process, as global addresses are those of another one";
    return first ? "reserved in this process, as global addresses are the host's"
                 : "above the addresses of a process, as none can be reserved in this one";
}

/* Sets the windows of the profile for modules that query the space of a pointer, if the driver is known to use
 * addresses of this process, and these have 47 bits, as on x86-64. */
static void place_long_windows(nf_profile *profile, const struct nf_cl_spaces *memory)
{
#ifdef __x86_64__
    bool measured = nf_cl_address_form(memory->names) == NF_ADDRESSES_FLAT;
    if (!measured || memory->address_bits != 64 || memory->elsewhere) return;
    profile->private_window = NF_CL_LONG_WINDOWS;
    profile->local_window = NF_CL_LONG_WINDOWS + NF_CL_LONG_WINDOW_BYTES;
#else
    (void)profile, (void)memory;
#endif
}

void nf_cl_reserve_for_queries(nf_profile *profile)
{
    bool given = profile->address_form == NF_ADDRESSES_FLAT && profile->private_window;
    if (given && !nf_cl_reserve_long_windows()) profile->private_window = profile->local_window = 0;
}

const char *nf_cl_set_addresses(nf_profile *profile, const struct nf_cl_spaces *memory, enum nf_cl_addresses choice)
{
    static const char *const reasons[] = {[NF_ADDRESSES_UNKNOWN] = "nothing is known of this driver's addresses",
                                          [NF_ADDRESSES_FLAT] = "all memories share one address space",
                                          [NF_ADDRESSES_NUMBERED] =
                                              "the high 16 bits of an address are the number of its buffer"};
    nf_address_form form = choose_form(memory, choice);
    profile->address_form = form;
    profile->window_bits = 0;
    profile->private_window = profile->local_window = 0;
    if (form == NF_ADDRESSES_WINDOWS) return place_windows(profile, memory);
    if (form == NF_ADDRESSES_FLAT) place_long_windows(profile, memory);
    return choice == NF_CL_ADDRESSES_AUTO ? reasons[form] : "the setting addresses says so";
}

void nf_cl_describe_addresses(const nf_profile *profile, const char *why, char text[NF_CL_ADDRESSES_TEXT])
{
    static const char *const names[] = {"unknown", "windows", "flat", "numbered"};
    const char *name = names[profile->address_form];
    if (profile->address_form == NF_ADDRESSES_WINDOWS && profile->private_window)
        snprintf(text, NF_CL_ADDRESSES_TEXT, "%s: private at 0x%" PRIx64 " and local at 0x%" PRIx64 ", %s", name,
                 profile->private_window, profile->local_window, why);
    else
        snprintf(text, NF_CL_ADDRESSES_TEXT, "%s: %s", name, why);
}

bool nf_cl_same_addresses(const nf_profile *a, const nf_profile *b)
{
    return a->address_form == b->address_form && a->window_bits == b->window_bits &&
           a->private_window == b->private_window && a->local_window == b->local_window;
}
