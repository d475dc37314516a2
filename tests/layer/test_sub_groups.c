/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_sub_groups.c - queries about the sub-groups of a kernel that the driver refuses. The layer answers them if the
 * kernel's code does not depend on the sub-group size, or requires one; otherwise the driver's error is returned.
 */
#include "common.h"

#include <stdlib.h>
#include <string.h>

enum { COMPILE_SUB_GROUP_SIZE = 0x410A, INFO_UNKNOWN = 0x7fff };
enum {
    OP_ENTRY_POINT = 15,
    OP_CAPABILITY = 17,
    OP_MEMORY_MODEL = 14,
    OP_TYPE_INT = 21,
    OP_TYPE_VOID = 19,
    OP_FUNCTION = 54,
    OP_RETURN = 253
};

/* ---- modules: the plain one with additional instructions --------------------------------------------------------- */

static uint32_t words[256];
static size_t count;

static size_t find_word(uint32_t opcode)
{
    size_t at = 5;
    while (at < count && (words[at] & 0xffff) != opcode)
        at += words[at] >> 16;
    assert_true(at < count);
    return at;
}

static void insert(uint32_t before, const uint32_t *added, size_t length)
{
    size_t at = find_word(before);
    assert_true(count + length <= 256);
    memmove(words + at + length, words + at, (count - at) * sizeof *words);
    memcpy(words + at, added, length * sizeof *words);
    count += length;
}

static void begin(void)
{
    assert_true(plain_module.size <= sizeof words);
    memcpy(words, plain_module.data, plain_module.size);
    count = plain_module.size / sizeof *words;
}

static void add_capability(uint32_t capability)
{
    insert(OP_MEMORY_MODEL, (uint32_t[]){2u << 16 | OP_CAPABILITY, capability}, 2);
}

static void require_size(uint32_t size)
{
    uint32_t kernel = words[find_word(OP_ENTRY_POINT) + 2];
    add_capability(58);
    insert(OP_TYPE_VOID, (uint32_t[]){4u << 16 | 16, kernel, 35, size}, 4);
}

/* Adds an instruction of `length` words whose operand number `at` is the scope. */
static void use_scope(uint32_t opcode, uint32_t length, uint32_t at, uint32_t scope)
{
    uint32_t id = words[3]++, type = words[find_word(OP_TYPE_INT) + 1], instruction[9] = {length << 16 | opcode};
    for (uint32_t i = 1; i < length; i++)
        instruction[i] = i == at ? id : type;      /* the driver is a stub, so the other operands have no effect */
    if (opcode > 225) instruction[2] = words[3]++; /* its result */
    insert(OP_FUNCTION, (uint32_t[]){4u << 16 | 43, type, id, scope}, 4);
    insert(OP_RETURN, instruction, length);
}

/* ---- questions ---- */

struct subject {
    cl_context context;
    cl_program program;
    cl_kernel kernel;
};

static struct subject open_subject(enum stub_device kind)
{
    struct bytes module = {(unsigned char *)words, count * sizeof *words};
    struct subject s = {make_context(kind), NULL, NULL};
    s.program = make_program(s.context, &module);
    assert_int_equal(clBuildProgram(s.program, 0, NULL, "", NULL, NULL), CL_SUCCESS);
    s.kernel = clCreateKernel(s.program, "k", NULL);
    assert_non_null(s.kernel);
    return s;
}

static void close_subject(const struct subject *s)
{
    clReleaseKernel(s->kernel);
    clReleaseProgram(s->program);
    clReleaseContext(s->context);
}

/* Returns the answer for a work-group of 20 x 3, or the error, which is negative. */
static long query_sub_group(const struct subject *s, enum stub_device kind, cl_kernel_sub_group_info name)
{
    const size_t local[] = {20, 3}, sub_groups = 2;
    bool by_count = name == CL_KERNEL_LOCAL_SIZE_FOR_SUB_GROUP_COUNT;
    size_t answer = 0, size = 0;
    cl_int error =
        clGetKernelSubGroupInfo(s->kernel, devices[0][kind], name, by_count ? sizeof sub_groups : sizeof local,
                                by_count ? &sub_groups : local, sizeof answer, &answer, &size);
    if (error != CL_SUCCESS) return error;
    assert_int_equal(size, sizeof answer);
    return (long)answer;
}

/* Returns the sub-group size that the layer reports for the module, or a negative error. */
static long size_of(void)
{
    struct subject s = open_subject(STUB_IL);
    long size = query_sub_group(&s, STUB_IL, CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE);
    close_subject(&s);
    return size;
}

static void what_nobody_can_tell_is_one_of_the_devices(void **unused)
{
    (void)unused;
    begin();
    struct subject s = open_subject(STUB_IL);
    assert_int_equal(query_sub_group(&s, STUB_IL, CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE), 16);
    assert_int_equal(query_sub_group(&s, STUB_IL, CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE), 4); /* 60 work-items */
    assert_int_equal(query_sub_group(&s, STUB_IL, CL_KERNEL_LOCAL_SIZE_FOR_SUB_GROUP_COUNT), 32);
    assert_int_equal(query_sub_group(&s, STUB_IL, COMPILE_SUB_GROUP_SIZE), 0);
    assert_int_equal(query_sub_group(&s, STUB_IL, INFO_UNKNOWN), CL_INVALID_VALUE);
    close_subject(&s);
}

static void a_required_size_is_the_answer(void **unused)
{
    (void)unused;
    begin();
    require_size(32);
    struct subject s = open_subject(STUB_IL);
    assert_int_equal(query_sub_group(&s, STUB_IL, CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE), 32);
    assert_int_equal(query_sub_group(&s, STUB_IL, CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE), 2);
    assert_int_equal(query_sub_group(&s, STUB_IL, COMPILE_SUB_GROUP_SIZE), 32);
    close_subject(&s);
}

static void in_every_dimension_and_no_more_than_fits(void **unused)
{
    size_t answer[3] = {7, 7, 7}, sub_groups = 3, size = 0;
    (void)unused;
    begin();
    struct subject s = open_subject(STUB_IL);
    cl_int error = clGetKernelSubGroupInfo(s.kernel, NULL, CL_KERNEL_LOCAL_SIZE_FOR_SUB_GROUP_COUNT, sizeof sub_groups,
                                           &sub_groups, sizeof answer, answer, &size);
    /* The stub answers queries without a device. */
    assert_int_equal(error, CL_SUCCESS);
    error = clGetKernelSubGroupInfo(s.kernel, devices[0][STUB_IL], CL_KERNEL_LOCAL_SIZE_FOR_SUB_GROUP_COUNT,
                                    sizeof sub_groups, &sub_groups, sizeof answer, answer, &size);
    assert_int_equal(error, CL_SUCCESS);
    assert_int_equal(size, sizeof answer);
    assert_int_equal(answer[0], 48);
    assert_int_equal(answer[1], 1);
    assert_int_equal(answer[2], 1);
    sub_groups = 1 << 20;
    error = clGetKernelSubGroupInfo(s.kernel, devices[0][STUB_IL], CL_KERNEL_LOCAL_SIZE_FOR_SUB_GROUP_COUNT,
                                    sizeof sub_groups, &sub_groups, sizeof answer, answer, NULL);
    assert_int_equal(error, CL_SUCCESS);
    assert_int_equal(answer[0] + answer[1] + answer[2], 0);
    close_subject(&s);
}

static void a_question_without_its_input_is_an_error(void **unused)
{
    size_t answer = 0;
    (void)unused;
    begin();
    struct subject s = open_subject(STUB_IL);
    for (cl_uint name = CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE; name <= CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE; name++)
        assert_int_equal(
            clGetKernelSubGroupInfo(s.kernel, devices[0][STUB_IL], name, 0, NULL, sizeof answer, &answer, NULL),
            CL_INVALID_VALUE);
    const size_t local = 8;
    assert_int_equal(clGetKernelSubGroupInfo(s.kernel, devices[0][STUB_IL], CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE,
                                             sizeof local, &local, sizeof answer / 2, &answer, NULL),
                     CL_INVALID_VALUE); /* the buffer is too small */
    close_subject(&s);
}

/* Only the driver knows the sub-group size of these modules. */
static void what_the_code_can_tell_stays_with_the_driver(void **unused)
{
    static const struct {
        uint32_t opcode, length, at;
    } with_scope[] = {{224, 4, 1}, {224, 4, 2}, {225, 3, 1}, {234, 7, 4}, {264, 6, 3}, {259, 9, 3}};
    (void)unused;
    for (size_t i = 0; i < sizeof with_scope / sizeof *with_scope; i++)
        for (uint32_t scope = 2; scope <= 3; scope++) {
            begin();
            if (with_scope[i].opcode == 264) add_capability(18);
            use_scope(with_scope[i].opcode, with_scope[i].length, with_scope[i].at, scope);
            if (with_scope[i].opcode == 224) { /* the other scope of the barrier is the work-group */
                uint32_t id = words[3]++, type = words[find_word(OP_TYPE_INT) + 1];
                words[find_word(224) + 3 - with_scope[i].at] = id;
                insert(OP_FUNCTION, (uint32_t[]){4u << 16 | 43, type, id, 2}, 4);
            }
            assert_int_equal(size_of(), scope == 3 ? CL_INVALID_VALUE : 16);
        }
    for (uint32_t built_in = 26; built_in <= 41; built_in++) {
        if (built_in == 35) continue; /* there is none */
        begin();
        insert(OP_TYPE_VOID, (uint32_t[]){4u << 16 | 71, 1, 11, built_in}, 4);
        assert_int_equal(size_of(), built_in >= 36 ? CL_INVALID_VALUE : 16);
    }
    begin(); /* an unknown capability */
    add_capability(4711);
    assert_int_equal(size_of(), CL_INVALID_VALUE);
    begin(); /* an unknown function */
    uint32_t type = words[find_word(OP_FUNCTION) + 4], id = words[3]++;
    insert(OP_FUNCTION,
           (uint32_t[]){5u << 16 | OP_FUNCTION, words[find_word(OP_TYPE_VOID) + 1], id, 0, type, 1u << 16 | 56}, 6);
    assert_int_equal(size_of(), CL_INVALID_VALUE);
}

static void an_answer_of_the_driver_stands(void **unused)
{
    (void)unused;
    begin();
    struct subject s = open_subject(STUB_IL_2);
    long theirs = query_sub_group(&s, STUB_IL_2, CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE);
    assert_true(theirs > 32);
    close_subject(&s);
}

static int set_up(void **unused)
{
    int failed = find_stub(unused);
    if (!failed) stub->silent = 1u << STUB_IL;
    return failed;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(what_nobody_can_tell_is_one_of_the_devices, check_nothing_left),
        cmocka_unit_test_teardown(a_required_size_is_the_answer, check_nothing_left),
        cmocka_unit_test_teardown(in_every_dimension_and_no_more_than_fits, check_nothing_left),
        cmocka_unit_test_teardown(a_question_without_its_input_is_an_error, check_nothing_left),
        cmocka_unit_test_teardown(what_the_code_can_tell_stays_with_the_driver, check_nothing_left),
        cmocka_unit_test_teardown(an_answer_of_the_driver_stands, check_nothing_left),
    };
    return cmocka_run_group_tests(tests, set_up, free_modules);
}
