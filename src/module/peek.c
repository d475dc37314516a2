/* SPDX-License-Identifier: Apache-2.0 */
/*
 * peek.c - properties of a module that need no complete reading: its version, its kernels, its use of generic pointers.
 *
 * A caller decides by these properties whether it needs the rest of the library at all, so the search for them
 * allocates no memory and ends as early as possible: the functions are read only if a capability or a type of generic
 * pointers precedes them.
 *
 * needs: the bytes of a module.  gives: an nf_summary; or NF_MALFORMED if there is no SPIR-V header, if the size is not
 * a multiple of 4, or if an instruction that was read has an invalid length.
 */
#include "module/internal.h"

struct peek {
    const uint8_t *bytes;
    bool swapped;
};

static uint32_t word_at(const struct peek *p, size_t at)
{
    uint32_t word;
    memcpy(&word, p->bytes + 4 * at, 4);
    return p->swapped ? nf_swapped(word) : word;
}

static void note_linkage(nf_summary *summary, uint32_t type)
{
    summary->has_imports |= type == NF_LINKAGE_IMPORT;
    summary->has_exports |= type != NF_LINKAGE_IMPORT;
}

/* Records the declaration in one instruction of `length` words. Words after its end count as 0. */
static void note_instruction(nf_summary *summary, const struct peek *p, size_t at, size_t length)
{
    uint32_t first = length > 1 ? word_at(p, at + 1) : 0, second = length > 2 ? word_at(p, at + 2) : 0;
    switch (nf_opcode_of(word_at(p, at))) {
    case OpEntryPoint: summary->kernels += first == NF_EXECUTION_MODEL_KERNEL; break;
    case OpMemoryModel: summary->address_bits = nf_address_bits_of(first); break;
    case OpCapability: summary->uses_generic |= first == NF_CAPABILITY_GENERIC_POINTER; break;
    case OpTypePointer:
    case OpTypeUntypedPointerKHR: summary->uses_generic |= second == NF_STORAGE_GENERIC; break;
    case OpGenericCastToPtrExplicit:
    case OpGenericPtrMemSemantics: summary->asks_memory = 1; break;
    case OpDecorate:
        if (second == NF_DECORATION_LINKAGE) note_linkage(summary, word_at(p, at + length - 1));
        break;
    default: break;
    }
}

/* Returns true if the bytes are whole words that begin with a SPIR-V header. Initializes `*p` in any case. */
static bool begin(struct peek *p, const void *bytes, size_t size)
{
    *p = (struct peek){.bytes = bytes};
    if (size / 4 < NF_HEADER_WORDS || size % 4) return false;
    p->swapped = word_at(p, 0) != NF_MAGIC;
    return word_at(p, 0) == NF_MAGIC;
}

/* Returns the length of the instruction at `at`, 0 if it reaches beyond the `count` words of the module. */
static size_t length_at(const struct peek *p, size_t at, size_t count)
{
    size_t length = nf_length_of(word_at(p, at));
    return length <= count - at ? length : 0;
}

nf_status nf_peek(const void *bytes, size_t size, nf_summary *summary)
{
    struct peek p;
    size_t count = size / 4;
    memset(summary, 0, sizeof *summary);
    if (!begin(&p, bytes, size)) return NF_MALFORMED;
    summary->version = word_at(&p, 1);
    for (size_t at = NF_HEADER_WORDS, length; at < count; at += length) {
        length = length_at(&p, at, count);
        if (!length) return NF_MALFORMED;
        if (nf_opcode_of(word_at(&p, at)) == OpFunction && !summary->uses_generic) break;
        note_instruction(summary, &p, at, length);
    }
    return NF_OK;
}

bool nf_peek_for(const void *bytes, size_t size, uint32_t opcode)
{
    struct peek p;
    size_t count = size / 4;
    if (!begin(&p, bytes, size)) return false;
    for (size_t at = NF_HEADER_WORDS, length = 1; at < count && length; at += length) {
        if (nf_opcode_of(word_at(&p, at)) == opcode) return true;
        length = length_at(&p, at, count);
    }
    return false;
}
