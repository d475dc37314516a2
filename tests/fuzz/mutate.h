/* SPDX-License-Identifier: Apache-2.0 */
/*
 * mutate.h - the module that the mutator changes. grow.c adds instructions to it, mutate.c makes all other changes.
 */
#ifndef FUZZ_MUTATE_H
#define FUZZ_MUTATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "spirv/spirv.h"

enum { MAX_WORDS = 32 * 1024, MAX_INSTRUCTIONS = 16 * 1024, MAX_IDS = 16 * 1024, MAX_LENGTH = 64 };

struct mutant {
    uint64_t random;
    uint32_t *words, count, capacity;
    uint32_t at[MAX_INSTRUCTIONS], instructions;
    uint32_t body;         /* index of the first OpFunction */
    uint32_t ext;          /* id of an imported instruction set */
    uint32_t def[MAX_IDS]; /* by id: position of its definition, or 0 */
    uint32_t ids;          /* one above the largest defined id */
};

uint32_t mutate_pick(struct mutant *m, uint32_t count); /* a random number below `count` */
bool mutate_scan(struct mutant *m);
uint32_t mutate_type(const struct mutant *m, uint32_t id);
uint32_t mutate_word(const struct mutant *m, uint32_t id, uint32_t index);
uint32_t mutate_opcode(const struct mutant *m, uint32_t id);
uint32_t mutate_new_id(struct mutant *m);
bool mutate_insert(struct mutant *m, uint32_t at, const uint32_t *words, uint32_t length);

/* Adds a new instruction to a block, with operands that are available there. */
void mutate_grow(struct mutant *m);

#endif
