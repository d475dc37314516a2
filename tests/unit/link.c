/* SPDX-License-Identifier: Apache-2.0 */
/*
 * link.c - tests of nf_link() through its interface: its cost, the types that it considers equal, and its error
 * messages. Memory use stays within 64 times the input for any id bound, and a module with sparse ids links as one with
 * dense ids.
 */
#include "nonflat/nonflat.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

struct bytes {
    void *data;
    size_t size;
};

static size_t asked; /* bytes, never decreased */

static void *count_allocation(void *user, size_t size)
{
    (void)user;
    asked += size;
    return malloc(size);
}

static void count_release(void *user, void *memory)
{
    (void)user;
    free(memory);
}

/* The fixed cost of a call: tables for the few thousand ids that the reader allows a module in addition to its
 * words. */
enum { ANY_CALL = 64 * 1024 };

static struct bytes read_module(const char *name)
{
    char path[4096];
    struct bytes bytes = {malloc(1 << 16), 0};
    snprintf(path, sizeof path, "%s/%s.spv", getenv("TEST_MODULES"), name);
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    bytes.size = fread(bytes.data, 1, 1 << 16, file);
    fclose(file);
    return bytes;
}

/* Links; if the result is NF_OK, the caller owns the output. The message of a failure is in `log`. */
static char log_text[1024];
static nf_status link_these(const struct bytes *modules, size_t count, bool library, struct bytes *output)
{
    nf_link_input inputs[2] = {{modules[0].data, modules[0].size, NULL, 0}, {NULL, 0, NULL, 0}};
    if (count > 1) inputs[1] = (nf_link_input){modules[1].data, modules[1].size, NULL, 0};
    const nf_allocator allocator = {count_allocation, count_release, NULL};
    nf_options options = NF_OPTIONS_INIT;
    options.library = library;
    options.allocator = &allocator;
    nf_result *result = NULL;
    asked = 0;
    nf_status status = nf_link(inputs, count, &options, &result);
    assert_non_null(result);
    assert_string_equal(nf_result_report(result), "{}");
    snprintf(log_text, sizeof log_text, "%s", nf_result_log(result));
    *output = (struct bytes){NULL, nf_result_size(result)};
    if (status == NF_OK) output->data = memcpy(malloc(output->size), nf_result_bytes(result), output->size);
    assert_int_equal(status == NF_OK, !*log_text);
    nf_result_free(result);
    return status;
}

/* Memory use stays within its limit for a module that is only a header, and for one with a single type, whatever power
 * of two their id bound is. */
static void bound_costs_nothing(void **unused)
{
    (void)unused;
    for (uint32_t bound = 1; bound < 1u << 22; bound *= 2) {
        uint32_t words[] = {0x07230203u, 0x10000u, 0, bound, 0, 2u << 16 | 19, bound - 1};
        for (size_t size = 20; size <= sizeof words; size += 8) {
            struct bytes module = {words, size}, output;
            link_these(&module, 1, true, &output);
            assert_true(asked <= 64 * size + ANY_CALL);
            free(output.data);
        }
    }
}

/* A module that consists of 5,000 different types fills the table of known types. */
static void types_cost_a_bounded_factor(void **unused)
{
    (void)unused;
    enum { TYPES = 5000, SIZE = (5 + TYPES * 4) * 4 };
    uint32_t *words = calloc(1, SIZE), at = 5;
    const uint32_t header[] = {0x07230203u, 0x10000u, 0, 4000000, 0};
    memcpy(words, header, sizeof header);
    for (uint32_t i = 0; i < TYPES; i++, at += 4) {
        words[at] = 4u << 16 | 21; /* OpTypeInt */
        words[at + 1] = 3999999 - 700 * i;
        words[at + 2] = 8 + i;
    }
    struct bytes module = {words, SIZE}, output;
    assert_int_equal(link_these(&module, 1, true, &output), NF_OK);
    assert_true(asked <= 64 * SIZE);
    assert_true(((uint32_t *)output.data)[3] >= TYPES && ((uint32_t *)output.data)[3] <= TYPES + 3);
    free(output.data);
    free(words);
}

static void far_ids_link(void **unused)
{
    (void)unused;
    struct bytes modules[] = {read_module("caller"), read_module("scattered")}, output;
    assert_int_equal(link_these(modules, 2, false, &output), NF_OK);
    assert_true(asked <= 64 * (modules[0].size + modules[1].size));
    nf_summary summary;
    assert_int_equal(nf_summarize(output.data, output.size, &summary), NF_OK);
    assert_int_equal(summary.kernels, 1);
    assert_false(summary.has_imports);
    assert_true(((uint32_t *)output.data)[3] >= 10 && ((uint32_t *)output.data)[3] <= 60);
    nf_result *result = NULL;
    assert_int_equal(nf_specialize(output.data, output.size, NULL, &result), NF_OK);
    nf_result_free(result);
    free(output.data);
    for (int i = 0; i < 2; i++)
        free(modules[i].data);
}

/* A module with an id at or above the bound is malformed, wherever the id is. */
static void ids_are_below_the_bound(void **unused)
{
    (void)unused;
    struct bytes module = read_module("scattered"), output;
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

/* @return the position of the first instruction with that opcode at or after `at`, 0: none. */
static size_t next_of(const struct bytes *module, size_t at, uint32_t opcode)
{
    const uint32_t *words = module->data;
    for (; at < module->size / 4; at += words[at] >> 16)
        if ((words[at] & 0xffff) == opcode) return at;
    return 0;
}

enum { FIRST = 5, CONSTANT = 43, SPEC_CONSTANT = 50, TYPE_ARRAY = 28 };

/* Two compilers write the length of one array with 32 and with 64 bits. */
static void array_lengths_are_numbers(void **unused)
{
    (void)unused;
    struct bytes user = read_module("table_user"), owner = read_module("table_owner"), output;
    for (int order = 0; order < 2; order++) {
        struct bytes modules[] = {order ? owner : user, order ? user : owner};
        assert_int_equal(link_these(modules, 2, false, &output), NF_OK);
        size_t array = next_of(&output, FIRST, TYPE_ARRAY);
        assert_true(array >= FIRST && array <= output.size / 4);
        assert_int_equal(next_of(&output, array + 4, TYPE_ARRAY), 0);
        nf_result *result = NULL;
        assert_int_equal(nf_specialize(output.data, output.size, NULL, &result), NF_OK);
        nf_result_free(result);
        free(output.data);
    }
    free(user.data);
    free(owner.data);
}

/* Arrays of different lengths have different types, even if only the upper halves of the lengths differ. */
static void other_array_lengths_are_others(void **unused)
{
    (void)unused;
    struct bytes modules[] = {read_module("table_user"), read_module("table_owner")}, output;
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

/* Modules of the other byte order link to the same bytes, in this host's order. */
static void byte_order_of_the_inputs_is_no_matter(void **unused)
{
    (void)unused;
    struct bytes modules[] = {read_module("caller"), read_module("callee")}, output, same;
    assert_int_equal(link_these(modules, 2, false, &output), NF_OK);
    uint32_t *words = modules[1].data;
    for (size_t i = 0; i < modules[1].size / 4; i++)
        words[i] = words[i] >> 24 | (words[i] >> 8 & 0xff00) | (words[i] << 8 & 0xff0000) | words[i] << 24;
    assert_int_equal(link_these(modules, 2, false, &same), NF_OK);
    assert_int_equal(output.size, same.size);
    assert_memory_equal(output.data, same.data, same.size);
    free(output.data);
    free(same.data);
    for (int i = 0; i < 2; i++)
        free(modules[i].data);
}

/* A specialization constant becomes an ordinary one, with its default or with the value given for this module. */
static void specialization_constants_are_frozen(void **unused)
{
    (void)unused;
    struct bytes module = read_module("callee");
    const nf_spec_value values[] = {{5, 4, 1234}, {6, 4, 4321}};
    for (size_t given = 0; given <= 2; given += 2) {
        const nf_link_input input = {module.data, module.size, given ? values : NULL, given};
        nf_options options = NF_OPTIONS_INIT;
        nf_result *result = NULL;
        options.library = 1;
        assert_int_equal(nf_link(&input, 1, &options, &result), NF_OK);
        struct bytes output = {malloc(nf_result_size(result)), nf_result_size(result)};
        memcpy(output.data, nf_result_bytes(result), output.size);
        const uint32_t *words = output.data;
        size_t constant = next_of(&output, FIRST, CONSTANT);
        assert_true(constant >= FIRST && constant <= output.size / 4);
        assert_int_equal(words[constant + 3], given ? 1234 : 7);
        assert_int_equal(next_of(&output, FIRST, SPEC_CONSTANT), 0);
        free(output.data);
        nf_result_free(result);
    }
    free(module.data);
}

/* Equal types of untyped pointers are one type in the output. */
static void untyped_pointers_are_one_type(void **unused)
{
    enum { TYPE = 4417 }; /* OpTypeUntypedPointerKHR */
    (void)unused;
    struct bytes modules[] = {read_module("untyped_user"), read_module("untyped_owner")}, output;
    assert_int_equal(link_these(modules, 2, false, &output), NF_OK);
    size_t first = next_of(&output, FIRST, TYPE), second = next_of(&output, first + 3, TYPE);
    assert_true(first && second);
    assert_int_equal(next_of(&output, second + 3, TYPE), 0);
    free(output.data);
    for (int i = 0; i < 2; i++)
        free(modules[i].data);
}

/* A program may import functions that later stages replace by instructions, or define. */
static void replaced_imports_stay(void **unused)
{
    (void)unused;
    struct bytes module = read_module("replaced_imports"), output;
    assert_int_equal(link_these(&module, 1, false, &output), NF_OK);
    free(output.data);
    free(module.data);
}

/* Error messages name the module, the symbol or the kernel concerned. */
static void failures_say_of_what(void **unused)
{
    (void)unused;
    struct bytes modules[] = {read_module("caller"), read_module("callee")}, output;
    assert_int_equal(link_these(modules, 1, false, &output), NF_REFUSED);
    assert_non_null(strstr(log_text, "' is not defined in any of the linked programs\n"));
    struct bytes twice[] = {modules[1], modules[1]};
    assert_int_equal(link_these(twice, 2, true, &output), NF_REFUSED);
    assert_non_null(strstr(log_text, "' is defined in more than one of the linked programs\n"));
    struct bytes kernels[] = {modules[0], modules[0]};
    assert_int_equal(link_these(kernels, 2, true, &output), NF_REFUSED);
    assert_non_null(strstr(log_text, "the kernel '"));
    modules[1].size -= 4;
    assert_int_equal(link_these(modules, 2, false, &output), NF_MALFORMED);
    assert_ptr_equal(strstr(log_text, "module 2: error: "), log_text);
    for (int i = 0; i < 2; i++)
        free(modules[i].data);
}

static void arguments_are_checked(void **unused)
{
    (void)unused;
    struct bytes module = read_module("callee");
    nf_link_input input = {module.data, module.size, NULL, 0};
    nf_result *result = (nf_result *)&module;
    assert_int_equal(nf_link(&input, 1, NULL, NULL), NF_INVALID_ARGUMENT);
    assert_int_equal(nf_link(&input, 0, NULL, &result), NF_INVALID_ARGUMENT);
    assert_null(result);
    assert_int_equal(nf_link(NULL, 1, NULL, &result), NF_INVALID_ARGUMENT);
    input.spec_value_count = 1;
    assert_int_equal(nf_link(&input, 1, NULL, &result), NF_INVALID_ARGUMENT);
    input = (nf_link_input){NULL, 0, NULL, 0};
    assert_int_equal(nf_link(&input, 1, NULL, &result), NF_INVALID_ARGUMENT);
    input = (nf_link_input){module.data, module.size, NULL, 0};
    nf_options options = NF_OPTIONS_INIT;
    options.struct_size = 1;
    assert_int_equal(nf_link(&input, 1, &options, &result), NF_INVALID_ARGUMENT);
    free(module.data);
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
        cmocka_unit_test(byte_order_of_the_inputs_is_no_matter),
        cmocka_unit_test(specialization_constants_are_frozen),
        cmocka_unit_test(untyped_pointers_are_one_type),
        cmocka_unit_test(replaced_imports_stay),
        cmocka_unit_test(failures_say_of_what),
        cmocka_unit_test(arguments_are_checked),
    };
    return cmocka_run_group_tests_name("link", tests, NULL, NULL);
}
