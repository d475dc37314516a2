/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_link.c - the SPIR-V linker by itself: what it costs, and which types it takes for one. Memory stays within 64
 * times the input whatever the id bound says, and a module whose ids lie far apart links as one whose ids are close
 * together. The linker's functions of the standard library are wrapped at link time, so that what it asks for can be
 * counted.
 */
#include "layer/linker.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static size_t asked; /* bytes, never taken back */

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *memory, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *memory, size_t size);

void *__wrap_malloc(size_t size)
{
    asked += size;
    return __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size)
{
    asked += count * size;
    return __real_calloc(count, size);
}

void *__wrap_realloc(void *memory, size_t size)
{
    asked += size;
    return __real_realloc(memory, size);
}

enum { UNITS_AND_MESSAGE = 1024 };

static struct nf_cl_bytes read_module(const char *name)
{
    char path[4096];
    struct nf_cl_bytes bytes = {__real_malloc(1 << 16), 0};
    snprintf(path, sizeof(path), "%s/%s.spv", getenv("TEST_MODULES"), name);
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    bytes.size = fread(bytes.data, 1, 1 << 16, file);
    fclose(file);
    return bytes;
}

static nf_status link_these(const struct nf_cl_bytes *modules, size_t count, bool library, struct nf_cl_bytes *output)
{
    struct nf_cl_link_input inputs[2] = {{modules[0].data, modules[0].size, NULL, 0}, {NULL, 0, NULL, 0}};
    if (count > 1) inputs[1] = (struct nf_cl_link_input){modules[1].data, modules[1].size, NULL, 0};
    char *message = NULL;
    *output = (struct nf_cl_bytes){NULL, 0};
    asked = 0;
    nf_status status = nf_cl_link_modules(inputs, count, library, output, &message);
    free(message);
    return status;
}

/* Nothing but a header, and a header with one type, of every bound. */
static void bound_costs_nothing(void **unused)
{
    (void)unused;
    for (uint32_t bound = 1; bound < 1u << 22; bound *= 2) {
        uint32_t words[] = {0x07230203u, 0x10000u, 0, bound, 0, 2u << 16 | 19, bound - 1};
        for (size_t size = 20; size <= sizeof(words); size += 8) {
            struct nf_cl_bytes module = {words, size}, output;
            link_these(&module, 1, true, &output);
            assert_in_range(asked, 0, 64 * size + UNITS_AND_MESSAGE);
            free(output.data);
        }
    }
}

/* A module of types only fills the table of what is known. */
static void types_cost_a_bounded_factor(void **unused)
{
    (void)unused;
    enum { TYPES = 5000, SIZE = (5 + TYPES * 4) * 4 };
    uint32_t *words = calloc(1, SIZE), at = 5;
    const uint32_t header[] = {0x07230203u, 0x10000u, 0, 4000000, 0};
    memcpy(words, header, sizeof(header));
    for (uint32_t i = 0; i < TYPES; i++, at += 4) {
        words[at] = 4u << 16 | 21; /* OpTypeInt */
        words[at + 1] = 3999999 - 700 * i;
        words[at + 2] = 8 + i;
    }
    struct nf_cl_bytes module = {words, SIZE}, output;
    assert_int_equal(link_these(&module, 1, true, &output), NF_OK);
    assert_in_range(asked, 0, 64 * SIZE);
    assert_in_range(((uint32_t *)output.data)[3], TYPES, TYPES + 2);
    free(output.data);
    free(words);
}

static void far_ids_link(void **unused)
{
    (void)unused;
    struct nf_cl_bytes modules[] = {read_module("caller"), read_module("scattered")}, output;
    assert_int_equal(link_these(modules, 2, false, &output), NF_OK);
    assert_in_range(asked, 0, 64 * (modules[0].size + modules[1].size));
    nf_summary summary;
    assert_int_equal(nf_summarize(output.data, output.size, &summary), NF_OK);
    assert_int_equal(summary.kernels, 1);
    assert_false(summary.has_imports);
    assert_in_range(((uint32_t *)output.data)[3], 10, 60);
    nf_result *result = NULL;
    assert_int_equal(nf_specialize(output.data, output.size, NULL, &result), NF_OK);
    nf_result_free(result);
    free(output.data);
    for (int i = 0; i < 2; i++)
        free(modules[i].data);
}

/* An id at or above the bound is malformed wherever it stands. */
static void ids_are_below_the_bound(void **unused)
{
    (void)unused;
    struct nf_cl_bytes module = read_module("scattered"), output;
    for (size_t at = 5; at < module.size / 4; at++) {
        uint32_t *words = module.data, before = words[at];
        if (before < 1000000 || before > 4100003) continue;
        words[at] = words[3];
        assert_int_equal(link_these(&module, 1, true, &output), NF_MALFORMED);
        words[at] = before;
    }
    assert_int_equal(link_these(&module, 1, true, &output), NF_OK);
    free(output.data);
    free(module.data);
}

/* @return the position of the first instruction with that opcode at or behind `at`, 0: none. */
static size_t next_of(const struct nf_cl_bytes *module, size_t at, uint32_t opcode)
{
    const uint32_t *words = module->data;
    for (; at < module->size / 4; at += words[at] >> 16)
        if ((words[at] & 0xffff) == opcode) return at;
    return 0;
}

enum { FIRST = 5, CONSTANT = 43, TYPE_ARRAY = 28 };

/* Two compilers write one array's length as a number of 32 bits and as one of 64. */
static void array_lengths_are_numbers(void **unused)
{
    (void)unused;
    struct nf_cl_bytes user = read_module("table_user"), owner = read_module("table_owner"), output;
    for (int order = 0; order < 2; order++) {
        struct nf_cl_bytes modules[] = {order ? owner : user, order ? user : owner};
        assert_int_equal(link_these(modules, 2, false, &output), NF_OK);
        size_t array = next_of(&output, FIRST, TYPE_ARRAY);
        assert_in_range(array, FIRST, output.size / 4);
        assert_int_equal(next_of(&output, array + 4, TYPE_ARRAY), 0);
        nf_result *result = NULL;
        assert_int_equal(nf_specialize(output.data, output.size, NULL, &result), NF_OK);
        nf_result_free(result);
        free(output.data);
    }
    free(user.data);
    free(owner.data);
}

/* Other lengths make other types, also where only the upper half of the number differs. */
static void other_array_lengths_are_others(void **unused)
{
    (void)unused;
    struct nf_cl_bytes modules[] = {read_module("table_user"), read_module("table_owner")}, output;
    size_t length = next_of(&modules[1], FIRST, CONSTANT);
    uint32_t *words = modules[1].data;
    assert_int_equal(words[length] >> 16, 5);
    assert_int_equal(words[length + 3], 4);
    for (int half = 0; half < 2; half++) {
        words[length + 3 + half]++;
        assert_int_equal(link_these(modules, 2, false, &output), NF_REFUSED);
        words[length + 3 + half]--;
    }
    assert_int_equal(link_these(modules, 2, false, &output), NF_OK);
    free(output.data);
    for (int i = 0; i < 2; i++)
        free(modules[i].data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bound_costs_nothing),
        cmocka_unit_test(types_cost_a_bounded_factor),
        cmocka_unit_test(far_ids_link),
        cmocka_unit_test(ids_are_below_the_bound),
        cmocka_unit_test(array_lengths_are_numbers),
        cmocka_unit_test(other_array_lengths_are_others),
    };
    return cmocka_run_group_tests_name("link", tests, NULL, NULL);
}
