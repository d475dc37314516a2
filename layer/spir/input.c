/* SPDX-License-Identifier: Apache-2.0 */
/*
 * input.c - validation of the input before the translator library reads it.
 *
 * The library trusts its input: it reads past the end of a truncated instruction. Therefore the header and every
 * instruction's length are checked here, and a module in the other byte order is swapped. Generic pointers are refused,
 * because PoCL builds bitcode that has them, and computes wrong results.
 */
#include "spir.h"

#include <string.h>

enum { TYPE_POINTER = 32, TYPE_FORWARD_POINTER = 39, TYPE_UNTYPED_POINTER = 4417, STORAGE_GENERIC = 8 }; /* of SPIR-V */
enum { MAGIC = 0x07230203, HEADER_WORDS = 5, ID_LIMIT = 1 << 24 };

static uint32_t swapped(uint32_t word)
{
    return word >> 24 | (word >> 8 & 0xff00) | (word << 8 & 0xff0000) | word << 24;
}

static uint32_t word_at(const struct nf_bytes *bytes, size_t index)
{
    uint32_t word;
    memcpy(&word, bytes->data + 4 * index, 4);
    return word;
}

static void swap_all(struct nf_bytes *bytes)
{
    for (size_t i = 0; i < bytes->size / 4; i++) {
        uint32_t word = swapped(word_at(bytes, i));
        memcpy(bytes->data + 4 * i, &word, 4);
    }
}

static bool check_header(struct nf_bytes *bytes)
{
    if (bytes->size == 0) {
        nf_helper_error("malformed: the input is empty");
        return false;
    }
    if (bytes->size < 4 * HEADER_WORDS || bytes->size % 4) {
        nf_helper_error("malformed: %zu bytes are not a SPIR-V module", bytes->size);
        return false;
    }
    if (swapped(word_at(bytes, 0)) == MAGIC) swap_all(bytes);
    if (word_at(bytes, 0) != MAGIC) {
        nf_helper_error("malformed: the input does not begin with SPIR-V's magic number");
        return false;
    }
    uint32_t bound = word_at(bytes, 3);
    if (bound == 0 || bound > ID_LIMIT) {
        nf_helper_error("malformed: word 3: id bound %u is 0 or too large", bound);
        return false;
    }
    return true;
}

bool nf_check_spirv(struct nf_bytes *bytes)
{
    if (!check_header(bytes)) return false;
    size_t words = bytes->size / 4;
    size_t length;
    for (size_t at = HEADER_WORDS; at < words; at += length) {
        length = word_at(bytes, at) >> 16;
        if (length == 0 || length > words - at) {
            nf_helper_error("malformed: word %zu: an instruction of %zu words does not fit into the module", at,
                            length);
            return false;
        }
    }
    return true;
}

/* The storage class is the second operand of each instruction that declares a pointer type. */
bool nf_check_no_generic(const struct nf_bytes *bytes)
{
    for (size_t at = HEADER_WORDS; at < bytes->size / 4; at += word_at(bytes, at) >> 16) {
        uint32_t opcode = word_at(bytes, at) & 0xffff;
        bool pointer = opcode == TYPE_POINTER || opcode == TYPE_FORWARD_POINTER || opcode == TYPE_UNTYPED_POINTER;
        if (!pointer || word_at(bytes, at) >> 16 < 3 || word_at(bytes, at + 2) != STORAGE_GENERIC) continue;
        nf_helper_error("the module has generic pointers, which SPIR 1.2 does not have");
        return false;
    }
    return true;
}
