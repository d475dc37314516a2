/* SPDX-License-Identifier: Apache-2.0 */
/*
 * invariants.c - each invariant of src/check/ is violated once, and the check must report it. A small module is read,
 * and its graph and solution are computed as by nf_specialize(); then one word, or one field, is changed.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "check/check.h"
#include "infer/infer.h"
#include "prepare/prepare.h"
#include "spirv/spirv.h"

#include "../harness/allocator.h"

enum {
    VOID = 1,
    UINT,
    GENERIC,
    GLOBAL,
    FUNCTION,
    KERNEL,
    PARAMETER,
    ENTRY,
    CELL,
    CAST,
    VALUE,
    HOLDER,
    UNDEFINED,
    BOUND
};

#define OP(opcode, length) ((uint32_t)(length) << 16 | (opcode))

/* A kernel that stores a generic pointer in a variable, loads it again, and loads through it. */
static const uint32_t module[] = {
    0x07230203,
    0x00010000,
    0,
    BOUND,
    0,
    OP(OpCapability, 2),
    4, /* Addresses */
    OP(OpCapability, 2),
    6, /* Kernel */
    OP(OpCapability, 2),
    38, /* GenericPointer */
    OP(OpMemoryModel, 3),
    2,
    2,
    OP(OpEntryPoint, 4),
    6,
    KERNEL,
    'k',
    OP(OpTypeVoid, 2),
    VOID,
    OP(OpTypeInt, 4),
    UINT,
    32,
    0,
    OP(OpTypePointer, 4),
    GLOBAL,
    5,
    UINT,
    OP(OpTypePointer, 4),
    GENERIC,
    8,
    UINT,
    OP(OpTypePointer, 4),
    HOLDER,
    7,
    GENERIC,
    OP(OpTypeFunction, 4),
    FUNCTION,
    VOID,
    GLOBAL,
    OP(OpFunction, 5),
    VOID,
    KERNEL,
    0,
    FUNCTION,
    OP(OpFunctionParameter, 3),
    GLOBAL,
    PARAMETER,
    OP(OpLabel, 2),
    ENTRY,
    OP(OpVariable, 4),
    HOLDER,
    CELL,
    7,
    OP(OpPtrCastToGeneric, 4),
    GENERIC,
    CAST,
    PARAMETER,
    OP(OpStore, 3),
    CELL,
    CAST,
    OP(OpLoad, 4),
    GENERIC,
    VALUE,
    CELL,
    OP(OpReturn, 1),
    OP(OpFunctionEnd, 1),
};

struct world {
    struct nf_arena arena;
    nf_options options;
    struct nf_module m;
};

/* Reads the module and infers; then violates an invariant, runs the check, and copies its message to `message`. */
static void check_broken(void (*spoil)(struct nf_module *m), void (*check)(struct nf_module *m), char message[256])
{
    struct world *w = calloc(1, sizeof *w);
    assert_non_null(w);
    *w = (struct world){.arena.allocator = malloc_allocator, .options = NF_OPTIONS_INIT};
    w->m = (struct nf_module){.arena = &w->arena, .options = &w->options};
    if (setjmp(w->arena.failure.back) == 0) {
        nf_read(&w->m, module, sizeof module);
        nf_types(&w->m);
        nf_constrain(&w->m, (struct nf_suspicion){false, false, false, false});
        nf_instances(&w->m);
        if (spoil) spoil(&w->m);
        check(&w->m);
    }
    snprintf(message, 256, "%.255s", w->arena.failure.status ? w->arena.failure.text : "");
    nf_arena_free(&w->arena);
    free(w);
}

static void check_words(struct nf_module *m)
{
    nf_check_module(m, "a stage");
}

static void define_twice(struct nf_module *m)
{
    m->words[m->def[VALUE] + 2] = CAST;
}

static void use_undefined(struct nf_module *m)
{
    m->words[m->def[VALUE] + 3] = UNDEFINED;
}

static void lose_parameter(struct nf_module *m)
{
    m->functions[1].parameter_count++;
}

static void lead_nowhere(struct nf_module *m)
{
    m->graph->edges[m->graph->nodes[m->analysis->values[CAST].node].edges].to = m->graph->node_count;
}

static struct nf_region *first_region_with_cells(struct nf_module *m)
{
    for (uint32_t i = 1; i < m->graph->region_count; i++)
        if (!m->graph->regions[i].parent && m->graph->regions[i].cell_count) return &m->graph->regions[i];
    fail_msg("no region has cells");
    return NULL;
}

static void empty_cell(struct nf_module *m)
{
    first_region_with_cells(m)->cells[0].size = 0;
}

static void merge_with_itself(struct nf_module *m)
{
    struct nf_region *r = first_region_with_cells(m);
    r->parent = (uint32_t)(r - m->graph->regions);
}

static void lose_set(struct nf_module *m)
{
    struct nf_instance *instance = nf_instance_at(m, m->functions[1].analysis->instances);
    instance->masks[m->analysis->values[VALUE].node - instance->first_node] = 0;
}

static void lose_callee(struct nf_module *m)
{
    nf_instance_at(m, 1)->callees[0] = 0;
}

static void each_is_named(void **state)
{
    static const struct {
        void (*spoil)(struct nf_module *m), (*check)(struct nf_module *m);
        const char *message;
    } cases[] = {
        {define_twice, check_words, "another definition has the id"},
        {use_undefined, check_words, "nothing defines"},
        {lose_parameter, check_words, "the number of parameters differs"},
        {lead_nowhere, nf_check_graph, "an edge leads nowhere"},
        {empty_cell, nf_check_graph, "cells overlap"},
        {merge_with_itself, nf_check_graph, "it is merged with itself"},
        {lose_set, nf_check_solution, "node"},
        {lose_callee, nf_check_solution, "a call has no instance"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char message[256] = "";
        check_broken(cases[i].spoil, cases[i].check, message);
        if (!strstr(message, "internal error") || !strstr(message, cases[i].message))
            fail_msg("case %zu: '%s' does not say '%s'", i, message, cases[i].message);
    }
}

static void whole_is_silent(void **state)
{
    void (*const checks[])(struct nf_module * m) = {check_words, nf_check_graph, nf_check_solution};
    (void)state;
    for (size_t i = 0; i < sizeof checks / sizeof *checks; i++) {
        char message[256] = "";
        check_broken(NULL, checks[i], message);
        assert_string_equal(message, "");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(each_is_named), cmocka_unit_test(whole_is_silent)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
