/* SPDX-License-Identifier: Apache-2.0 */
/*
 * api.c - the promises of nonflat.h: arguments, ownership, memory, threads.
 *
 *     api_test FOLDER-OF-SHAPES
 */
#include <setjmp.h>
#include <stdbool.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "shape.h"

static const char *folder;

void shape_fail(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vprint_error(format, arguments);
    va_end(arguments);
    fail();
}

static words load(const char *shape)
{
    static char source[1 << 16];
    char path[512];
    snprintf(path, sizeof path, "%s/%s.spvasm", folder, shape);
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    size_t length = fread(source, 1, sizeof source - 1, file);
    fclose(file);
    source[length] = '\0';
    return text_assemble(text_target("opencl2.2"), source);
}

/* ---- Arguments -------------------------------------------------------------------------------------------------- */

static void invalid_arguments(void **state)
{
    (void)state;
    words module = load("select-mixed");
    nf_result *result = (nf_result *)&module;
    assert_int_equal(nf_specialize(NULL, 100, NULL, &result), NF_INVALID_ARGUMENT);
    assert_null(result);
    assert_int_equal(nf_specialize(module.data, module.count * 4, NULL, NULL), NF_INVALID_ARGUMENT);
    nf_options options = NF_OPTIONS_INIT;
    options.struct_size = 3;
    assert_int_equal(nf_specialize(module.data, module.count * 4, &options, &result), NF_INVALID_ARGUMENT);
    options = (nf_options)NF_OPTIONS_INIT;
    options.mode = (nf_mode)77;
    assert_int_equal(nf_specialize(module.data, module.count * 4, &options, &result), NF_INVALID_ARGUMENT);
    const uint32_t faults[] = {UINT32_MAX, 0, NF_FAULT_MESA_ATOMIC_STORES};
    nf_profile profile = {.max_version = 0x00010200}; /* no size, as in the first version of the structure */
    options = (nf_options)NF_OPTIONS_INIT;
    options.profile = &profile;
    assert_int_equal(nf_specialize(module.data, module.count * 4, &options, &result), NF_INVALID_ARGUMENT);
    profile = (nf_profile)NF_PROFILE_INIT;
    profile.struct_size++;
    assert_int_equal(nf_specialize(module.data, module.count * 4, &options, &result), NF_INVALID_ARGUMENT);
    profile = (nf_profile)NF_PROFILE_INIT;
    profile.capability_count = 1;
    assert_int_equal(nf_specialize(module.data, module.count * 4, &options, &result), NF_INVALID_ARGUMENT);
    profile = (nf_profile)NF_PROFILE_INIT;
    profile.extension_count = 1;
    assert_int_equal(nf_specialize(module.data, module.count * 4, &options, &result), NF_INVALID_ARGUMENT);
    profile.extension_count = SIZE_MAX; /* no extension is supported, so there is no list */
    assert_int_equal(nf_specialize(module.data, module.count * 4, &options, &result), NF_OK);
    nf_result_free(result);
    options.spec_value_count = 1;
    assert_int_equal(nf_specialize(module.data, module.count * 4, &options, &result), NF_INVALID_ARGUMENT);
    options.spec_value_count = 0;
    profile = (nf_profile)NF_PROFILE_INIT;
    profile.fault_count = 3;
    assert_int_equal(nf_specialize(module.data, module.count * 4, &options, &result), NF_INVALID_ARGUMENT);
    profile.faults = faults; /* numbers that this version does not know are ignored */
    assert_int_equal(nf_specialize(module.data, module.count * 4, &options, &result), NF_OK);
    nf_result_free(result);
    nf_summary summary;
    assert_int_equal(nf_summarize(NULL, 0, &summary), NF_INVALID_ARGUMENT);
    assert_int_equal(nf_summarize(module.data, module.count * 4, NULL), NF_INVALID_ARGUMENT);
    nf_result_free(NULL);
    free(module.data);
}

/* The text ends with a NUL byte, renamed kernels are listed, and an older caller without the member gets a module. */
static void text_output(void **state)
{
    (void)state;
    static const char source[] = "OpCapability Addresses\nOpCapability Kernel\nOpMemoryModel Physical64 OpenCL\n"
                                 "OpEntryPoint Kernel %f \"step\"\nOpEntryPoint Kernel %g \"fine\"\n"
                                 "%void = OpTypeVoid\n%type = OpTypeFunction %void\n"
                                 "%f = OpFunction %void None %type\n%a = OpLabel\nOpReturn\nOpFunctionEnd\n"
                                 "%g = OpFunction %void None %type\n%b = OpLabel\nOpReturn\nOpFunctionEnd\n";
    words module = text_assemble(text_target("opencl2.2"), source);
    nf_options options = NF_OPTIONS_INIT;
    nf_result *result = NULL;
    size_t count = 0;
    options.output = NF_OUTPUT_OPENCL_C;
    assert_int_equal(nf_specialize(module.data, module.count * 4, &options, &result), NF_OK);
    const char *text = nf_result_bytes(result);
    assert_int_equal(strlen(text), nf_result_size(result));
    assert_int_equal(nf_result_outcome(result), NF_SPECIALIZED);
    const nf_renamed_kernel *renamed = nf_result_renamed_kernels(result, &count);
    assert_int_equal(count, 1);
    assert_string_equal(renamed[0].name, "step");
    char c_name[NF_C_KERNEL_NAME_SIZE];
    nf_c_kernel_name("step", c_name);
    assert_string_equal(renamed[0].c_name, c_name);
    assert_non_null(strstr(text, c_name));
    assert_non_null(strstr(text, "void fine("));
    nf_result_free(result);
    options.struct_size = offsetof(nf_options, output);
    assert_int_equal(nf_specialize(module.data, module.count * 4, &options, &result), NF_OK);
    assert_null(nf_result_renamed_kernels(result, &count));
    assert_memory_equal(nf_result_bytes(result), module.data, module.count * 4);
    nf_result_free(result);
    options.struct_size = sizeof options;
    options.output = (nf_output_kind)2;
    assert_int_equal(nf_specialize(module.data, module.count * 4, &options, &result), NF_INVALID_ARGUMENT);
    free(module.data);
}

/* A kernel keeps its name unless the name is, or resembles, one of the language or of the text. */
static void kernel_names(void **state)
{
    (void)state;
    static const char *const kept[] = {"isolate", "is_even", "f8", "float5", "HALF_SUM", "_ZTS4main", "M", "u8x"};
    static const char *const changed[] = {"isnan",    "f32",   "u8",        "float4",        "ulong16",
                                          "__global", "a.b",   "main",      "step",          "get_x",
                                          "INT_MAX",  "sinpi", "image2d_t", "float_to_half2"};
    char c_name[NF_C_KERNEL_NAME_SIZE];
    for (size_t i = 0; i < sizeof kept / sizeof *kept; i++) {
        nf_c_kernel_name(kept[i], c_name);
        assert_string_equal(c_name, kept[i]);
    }
    for (size_t i = 0; i < sizeof changed / sizeof *changed; i++) {
        nf_c_kernel_name(changed[i], c_name);
        assert_string_not_equal(c_name, changed[i]);
    }
}

static void strings(void **state)
{
    (void)state;
    char version[32];
    snprintf(version, sizeof version, "%d.%d.%d", NF_VERSION_MAJOR, NF_VERSION_MINOR, NF_VERSION_PATCH);
    assert_string_equal(nf_version(), version);
    for (int status = 0; status <= NF_OUT_OF_MEMORY; status++)
        assert_true(strlen(nf_status_string((nf_status)status)) > 1);
    assert_non_null(nf_status_string((nf_status)1234));
}

static void any_alignment(void **state)
{
    (void)state;
    words module = load("select-mixed");
    nf_result *aligned = NULL, *shifted = NULL;
    unsigned char *bytes = malloc(module.count * 4 + 1);
    memcpy(bytes + 1, module.data, module.count * 4);
    assert_int_equal(nf_specialize(module.data, module.count * 4, NULL, &aligned), NF_OK);
    assert_int_equal(nf_specialize(bytes + 1, module.count * 4, NULL, &shifted), NF_OK);
    assert_int_equal(nf_result_size(aligned), nf_result_size(shifted));
    assert_memory_equal(nf_result_bytes(aligned), nf_result_bytes(shifted), nf_result_size(aligned));
    assert_int_equal((size_t)nf_result_bytes(shifted) % 4, 0);
    nf_result_free(aligned);
    nf_result_free(shifted);
    free(bytes);
    free(module.data);
}

static void instructions(void **state)
{
    enum { WAIT_EVENTS = 260, FUNCTION = 54 };
    words waits = load("wait-events"), other = load("select-mixed");
    assert_int_equal(nf_has_instruction(waits.data, waits.count * 4, WAIT_EVENTS), 1);
    assert_int_equal(nf_has_instruction(other.data, other.count * 4, WAIT_EVENTS), 0);
    assert_int_equal(nf_has_instruction(other.data, other.count * 4, FUNCTION), 1);
    assert_int_equal(nf_has_instruction(other.data, 6, FUNCTION), 0);
    assert_int_equal(nf_has_instruction(NULL, 0, FUNCTION), 0);
    free(waits.data);
    free(other.data);
    (void)state;
}

static void names_of_faults(void **state)
{
    (void)state;
    assert_string_equal(nf_fault_name(NF_FAULT_MESA_LCSSA_POINTERS), "mesa_lcssa_pointers");
    assert_int_equal(nf_fault_number("mesa_lcssa_pointers"), NF_FAULT_MESA_LCSSA_POINTERS);
    for (uint32_t i = 1; nf_fault_name(i); i++)
        assert_int_equal(nf_fault_number(nf_fault_name(i)), i);
    assert_null(nf_fault_name(0));
    assert_null(nf_fault_name(UINT32_MAX));
    assert_int_equal(nf_fault_number("mesa_lcssa"), 0);
    assert_int_equal(nf_fault_number(""), 0);
    assert_int_equal(nf_fault_number(NULL), 0);
}

/* Three kernels require 16 work-items, on a device with sub-groups of 32 and 64. Only a kernel that has operations on
 * sub-groups, here in a function that it calls, gets a warning; a barrier of the work-group is no operation on
 * sub-groups. An execution mode of something other than a kernel has no effect. */
static void unmet_subgroup_sizes(void **unused)
{
    enum { EXECUTION_MODE = 16, TYPE_VOID = 19 };
    static const char source[] =
        "OpCapability Addresses\nOpCapability Kernel\nOpCapability SubgroupDispatch\nOpMemoryModel Physical64 OpenCL\n"
        "OpEntryPoint Kernel %f \"shares\" %lane\nOpEntryPoint Kernel %g \"fast\"\nOpEntryPoint Kernel %w \"waits\"\n"
        "OpExecutionMode %f SubgroupSize 16\nOpExecutionMode %w SubgroupSize 16\n"
        "OpExecutionMode %g SubgroupSize 16\nOpDecorate %lane BuiltIn SubgroupLocalInvocationId\n"
        "%void = OpTypeVoid\n%uint = OpTypeInt 32 0\n%group = OpConstant %uint 2\n"
        "%none = OpConstant %uint 0\n%input = OpTypePointer Input %uint\n"
        "%lane = OpVariable %input Input\n%type = OpTypeFunction %void\n%get = OpTypeFunction %uint\n"
        "%f = OpFunction %void None %type\n%a = OpLabel\n%n = OpFunctionCall %uint %h\nOpReturn\nOpFunctionEnd\n"
        "%g = OpFunction %void None %type\n%b = OpLabel\nOpReturn\nOpFunctionEnd\n"
        "%h = OpFunction %uint None %get\n%c = OpLabel\n%v = OpLoad %uint %lane Aligned 4\nOpReturnValue %v\n"
        "OpFunctionEnd\n%w = OpFunction %void None %type\n%d = OpLabel\nOpControlBarrier %group %group %none\n"
        "OpReturn\nOpFunctionEnd\n";
    words module = text_assemble(text_target("opencl2.2"), source);
    nf_profile profile = NF_PROFILE_INIT;
    nf_options options = NF_OPTIONS_INIT;
    nf_result *result = NULL;
    (void)unused;
    options.profile = &profile;
    profile.subgroup_sizes = 32 | 64;
    assert_int_equal(nf_specialize(module.data, module.count * 4, &options, &result), NF_OK);
    assert_string_equal(nf_result_log(result),
                        "warning: kernel 'shares' requires sub-groups of 16 work-items and has operations on "
                        "sub-groups, but the device has sub-groups of 32 and 64: results may be wrong\n");
    nf_result_free(result);
    profile.subgroup_sizes = 16 | 32 | 64;
    assert_int_equal(nf_specialize(module.data, module.count * 4, &options, &result), NF_OK);
    assert_string_equal(nf_result_log(result), "");
    nf_result_free(result);
    profile.subgroup_sizes = 32 | 64;
    profile.struct_size = offsetof(nf_profile, subgroup_sizes); /* an older caller does not have the member */
    assert_int_equal(nf_specialize(module.data, module.count * 4, &options, &result), NF_OK);
    assert_string_equal(nf_result_log(result), "");
    nf_result_free(result);
    profile.struct_size = sizeof profile;
    uint32_t type = 0, *text = module.data;
    for (size_t at = 5; at < module.count; at += text[at] >> 16)
        if ((text[at] & 0xffff) == TYPE_VOID) type = text[at + 1];
    for (size_t at = 5; at < module.count; at += text[at] >> 16)
        if ((text[at] & 0xffff) == EXECUTION_MODE) text[at + 1] = type;
    assert_int_equal(nf_specialize(module.data, module.count * 4, &options, &result), NF_OK);
    assert_string_equal(nf_result_log(result), "");
    nf_result_free(result);
    free(module.data);
}

/* Returns the number of instructions with that opcode in the module. */
static size_t count_opcode(const nf_result *result, uint32_t opcode)
{
    const uint32_t *text = nf_result_bytes(result);
    size_t count = 0;
    for (size_t at = 5; at < nf_result_size(result) / 4; at += text[at] >> 16)
        count += (text[at] & 0xffff) == opcode;
    return count;
}

/* The result of an instruction with unknown effects (here of inline assembly, which assemblers lack) may be an address,
 * also if all its operands are too short for one. */
static void unknown_instructions(void **unused)
{
    enum { CALL = 57, ASM_CALL = 5611 };
    words module = load("integer-of-halves-from-import");
    uint32_t *words = (uint32_t *)module.data;
    nf_result *result = NULL;
    (void)unused;
    for (size_t at = 5; at < module.count; at += words[at] >> 16)
        if ((words[at] & 0xffff) == CALL) words[at] = (words[at] & 0xffff0000) | ASM_CALL;
    assert_int_equal(nf_specialize(words, module.count * 4, NULL, &result), NF_OK);
    assert_non_null(strstr(nf_result_report(result), "\"static\": 0, \"predicated\": 0, \"dispatched\": 1"));
    nf_result_free(result);
    free(module.data);
}

/* Decorations of groups apply to their targets, also those of groups for members of structures. */
static void decoration_groups(void **unused)
{
    static const char source[] =
        "OpCapability Addresses\nOpCapability Kernel\nOpCapability GenericPointer\nOpCapability Int64\n"
        "OpMemoryModel Physical64 OpenCL\nOpEntryPoint Kernel %k \"k\"\nOpName %members \"members\"\n"
        "OpDecorate %members Volatile\nOpDecorate %members Alignment 4\n%members = OpDecorationGroup\n"
        "OpDecorate %kept Constant\nOpGroupMemberDecorate %members %pair 0 %pair 1\n"
        "%void = OpTypeVoid\n%uint = OpTypeInt 32 0\n%one = OpConstant %uint 1\n%pair = OpTypeStruct %uint %uint\n"
        "%private = OpTypePointer Function %pair\n%generic = OpTypePointer Generic %pair\n"
        "%constant = OpTypePointer UniformConstant %uint\n%g_uint = OpTypePointer Generic %uint\n"
        "%kept = OpVariable %constant UniformConstant %one\n%type = OpTypeFunction %void\n"
        "%k = OpFunction %void None %type\n%a = OpLabel\n%v = OpVariable %private Function\n"
        "%p = OpPtrCastToGeneric %generic %v\n%to = OpInBoundsAccessChain %g_uint %p %one\nOpStore %to %one\n"
        "OpReturn\nOpFunctionEnd\n";
    enum { MEMBER_DECORATE = 72, GROUP = 73, GROUP_MEMBERS = 75 };
    words module = text_assemble(text_target("opencl2.2"), source);
    nf_result *result = NULL;
    (void)unused;
    assert_int_equal(nf_specialize(module.data, module.count * 4, NULL, &result), NF_OK);
    assert_int_equal(count_opcode(result, MEMBER_DECORATE), 4);
    assert_int_equal(count_opcode(result, GROUP) + count_opcode(result, GROUP_MEMBERS), 0);
    nf_result_free(result);
    free(module.data);
}

/* LLVM's SPIR-V back end (generator 43) writes a move of two elements of an array by one element as a copy. Both loads
 * must precede both stores: a driver may copy element by element. Other generators' copies do not overlap. */
static void moves_of_llvm(void **unused)
{
    enum { COPY_SIZED = 64, LOAD = 61, STORE = 62, GENERATOR = 2, LLVM_BACK_END = 43 };
    static const char source[] =
        "OpCapability Addresses\nOpCapability Kernel\nOpCapability GenericPointer\nOpCapability Int64\n"
        "OpMemoryModel Physical64 OpenCL\nOpEntryPoint Kernel %k \"k\"\n"
        "%void = OpTypeVoid\n%uint = OpTypeInt 32 0\n%ulong = OpTypeInt 64 0\n%one = OpConstant %ulong 1\n"
        "%eight = OpConstant %ulong 8\n%three = OpConstant %uint 3\n%array = OpTypeArray %uint %three\n"
        "%private = OpTypePointer Function %array\n%generic = OpTypePointer Generic %array\n"
        "%g_uint = OpTypePointer Generic %uint\n%type = OpTypeFunction %void\n"
        "%k = OpFunction %void None %type\n%a = OpLabel\n%v = OpVariable %private Function\n"
        "%p = OpPtrCastToGeneric %generic %v\n%from = OpBitcast %g_uint %p\n"
        "%to = OpInBoundsPtrAccessChain %g_uint %from %one\nOpCopyMemorySized %to %from %eight Aligned 4\n"
        "OpReturn\nOpFunctionEnd\n";
    words module = text_assemble(text_target("opencl2.2"), source);
    nf_result *result = NULL;
    (void)unused;
    for (int llvm = 0; llvm <= 1; llvm++) {
        ((uint32_t *)module.data)[GENERATOR] = llvm ? LLVM_BACK_END << 16 : 0;
        assert_int_equal(nf_specialize(module.data, module.count * 4, NULL, &result), NF_OK);
        assert_int_equal(count_opcode(result, COPY_SIZED), !llvm);
        assert_int_equal(count_opcode(result, LOAD), llvm ? 2 : 0);
        const uint32_t *text = nf_result_bytes(result);
        bool stored = false;
        for (size_t at = 5; at < nf_result_size(result) / 4; at += text[at] >> 16) {
            stored |= (text[at] & 0xffff) == STORE;
            assert_false(stored && (text[at] & 0xffff) == LOAD);
        }
        nf_result_free(result);
    }
    free(module.data);
}

/* LLVM's SPIR-V back end writes the alignment of the target of a copy only. Here the source is a member of a packed
 * structure at byte 1, so the pieces of the split copy are bytes. Other generators' alignment is that of both. */
static void alignment_of_llvm(void **unused)
{
    enum { LOAD = 61, GENERATOR = 2, LLVM_BACK_END = 43 };
    static const char source[] =
        "OpCapability Addresses\nOpCapability Kernel\nOpCapability Int64\nOpCapability Int8\n"
        "OpMemoryModel Physical64 OpenCL\nOpEntryPoint Kernel %k \"k\"\nOpDecorate %packed CPacked\n"
        "%void = OpTypeVoid\n%uint = OpTypeInt 32 0\n%ulong = OpTypeInt 64 0\n%uchar = OpTypeInt 8 0\n"
        "%one = OpConstant %uint 1\n%eight = OpConstant %ulong 8\n%packed = OpTypeStruct %uchar %ulong\n"
        "%p_packed = OpTypePointer Function %packed\n%p_ulong = OpTypePointer Function %ulong\n"
        "%type = OpTypeFunction %void\n%k = OpFunction %void None %type\n%a = OpLabel\n"
        "%v = OpVariable %p_packed Function\n%to = OpVariable %p_ulong Function\n"
        "%from = OpInBoundsAccessChain %p_ulong %v %one\nOpCopyMemorySized %to %from %eight Aligned 8\n"
        "OpReturn\nOpFunctionEnd\n";
    static const uint32_t fault = NF_FAULT_MESA_MEMORY_COPIES;
    words module = text_assemble(text_target("opencl2.2"), source);
    nf_profile profile = NF_PROFILE_INIT;
    nf_options options = NF_OPTIONS_INIT;
    nf_result *result = NULL;
    (void)unused;
    profile.faults = &fault;
    profile.fault_count = 1;
    options.profile = &profile;
    for (int llvm = 0; llvm <= 1; llvm++) {
        ((uint32_t *)module.data)[GENERATOR] = llvm ? LLVM_BACK_END << 16 : 0;
        assert_int_equal(nf_specialize(module.data, module.count * 4, &options, &result), NF_OK);
        assert_int_equal(count_opcode(result, LOAD), llvm ? 8 : 1);
        nf_result_free(result);
    }
    free(module.data);
}

static void unlisted_capabilities(void **unused)
{
    enum { CAPABILITY = 17, KERNEL = 6, FLOAT64 = 10, UNNAMED = 9999, LENGTH = 2 << 16 };
    const uint32_t words[] = {0x07230203, 0x00010000,          0,      9,
                              0,          LENGTH | CAPABILITY, KERNEL, LENGTH | CAPABILITY,
                              FLOAT64,    LENGTH | CAPABILITY, UNNAMED};
    const uint32_t listed[] = {KERNEL, 4};
    const nf_profile all = {0}, some = {.capabilities = listed, .capability_count = 2};
    char text[32] = "";
    (void)unused;
    assert_int_equal(nf_unlisted_capabilities(words, sizeof words, &some, text, sizeof text), strlen("Float64, 9999"));
    assert_string_equal(text, "Float64, 9999");
    assert_int_equal(nf_unlisted_capabilities(words, sizeof words, &some, text, 6), strlen("Float64, 9999"));
    assert_string_equal(text, "Float");
    assert_int_equal(nf_unlisted_capabilities(words, sizeof words - 9, &some, text, sizeof text), 0);
    assert_string_equal(text, "");
    assert_int_equal(nf_unlisted_capabilities(words, sizeof words, &all, text, sizeof text), 0);
    assert_int_equal(nf_unlisted_capabilities(NULL, 0, &some, text, sizeof text), 0);
    assert_int_equal(nf_unlisted_capabilities(words, sizeof words, NULL, NULL, 0), 0);
}

static void summaries(void **state)
{
    (void)state;
    const struct {
        const char *shape;
        nf_summary wanted;
    } cases[] = {{"nothing-generic", {0x00010200, 1, 64, 0, 0, 0, 0}},
                 {"two-kernels-share-a-function", {0x00010200, 2, 64, 1, 0, 0, 0}},
                 {"physical32-static", {0x00010200, 1, 32, 1, 0, 0, 0}},
                 {"library-keeps-exported", {0x00010200, 0, 64, 1, 1, 0, 0}},
                 {"generic-cast-explicit-ambiguous", {0x00010200, 1, 64, 1, 0, 0, 1}},
                 {"import-memmove", {0x00010200, 1, 64, 1, 0, 1, 0}}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        words module = load(cases[i].shape);
        nf_summary is;
        assert_int_equal(nf_summarize(module.data, module.count * 4, &is), NF_OK);
        assert_int_equal(is.version, cases[i].wanted.version);
        assert_int_equal(is.kernels, cases[i].wanted.kernels);
        assert_int_equal(is.address_bits, cases[i].wanted.address_bits);
        assert_int_equal(!!is.uses_generic, cases[i].wanted.uses_generic);
        assert_int_equal(!!is.has_exports, cases[i].wanted.has_exports);
        assert_int_equal(!!is.has_imports, cases[i].wanted.has_imports);
        assert_int_equal(!!is.asks_memory, cases[i].wanted.asks_memory);
        assert_int_equal(nf_summarize(module.data, 6, &is), NF_MALFORMED);
        free(module.data);
    }
}

/* ---- Inference --------------------------------------------------------------------------------------------------- */

static nf_result *specialize_keeping(const char *shape, nf_mode mode, nf_status wanted)
{
    words module = load(shape);
    nf_options options = NF_OPTIONS_INIT;
    nf_result *result = NULL;
    options.mode = mode;
    options.keep_inference = 1;
    assert_int_equal(nf_specialize(module.data, module.count * 4, &options, &result), wanted);
    free(module.data);
    return result;
}

/* Two contexts of one function: two instances with different evidence, both called from the kernel. */
static void instances_of_two_contexts(void **state)
{
    (void)state;
    nf_result *result = specialize_keeping("call-two-contexts", NF_MODE_AUTO, NF_OK);
    size_t kernels = 0, seen = 0, count, calls = 0;
    assert_int_equal(nf_result_instance_count(result), 3);
    for (size_t i = 0; i < 3; i++) {
        const nf_instance_info *info = nf_result_instance(result, i);
        assert_int_equal(info->kernels, 1);
        assert_int_not_equal(info->output, 0);
        const nf_call_info *call = nf_result_calls(result, i, &count);
        for (size_t k = 0; k < count; k++)
            assert_int_equal(nf_result_instance(result, call[k].instance)->caller, i);
        calls += count;
        if (info->caller == i) {
            kernels++;
            continue;
        }
        const nf_pointer_info *pointers = nf_result_pointers(result, i, &count);
        assert_int_equal(count, 1);
        seen |= pointers[0].spaces;
        const nf_access_info *accesses = nf_result_accesses(result, i, &count);
        assert_true(count >= 1);
        assert_int_equal(accesses[0].verdict, NF_VERDICT_STATIC);
        assert_int_equal(accesses[0].pointer, pointers[0].id);
    }
    assert_int_equal(kernels, 1);
    assert_int_equal(calls, 2);
    assert_true(seen == (NF_SPACE_PRIVATE | NF_SPACE_LOCAL) || seen == (NF_SPACE_PRIVATE | NF_SPACE_GLOBAL) ||
                seen == (NF_SPACE_LOCAL | NF_SPACE_GLOBAL));
    nf_result_free(result);
}

/* A refusal keeps the inference result, which is most useful then. */
static void refusals_explain_themselves(void **state)
{
    (void)state;
    nf_result *result = specialize_keeping("phi-alternates", NF_MODE_STATIC, NF_REFUSED);
    size_t count = 0;
    const nf_ambiguous_access *ambiguous = nf_result_ambiguities(result, &count);
    assert_true(count >= 1);
    assert_true(ambiguous[0].verdict == NF_VERDICT_DISPATCHED);
    assert_int_equal(__builtin_popcount(ambiguous[0].spaces), 2);
    for (unsigned n = 0; n < 5; n++)
        assert_int_equal(ambiguous[0].because[n] != NULL, ambiguous[0].spaces >> n & 1);
    assert_string_equal(ambiguous[0].kernel_name, "k");
    assert_true(nf_result_instance_count(result) >= 1);
    assert_int_equal(nf_result_instance(result, 0)->output, 0);
    nf_result_free(result);
}

/* Some compilers wrote phis with an operand of another type than the phi. The core refuses such a module as malformed,
 * because the rewritten phi would refer to an id without a definition. */
static void phi_of_other_type_is_malformed(void **state)
{
    (void)state;
    enum { PHI = 7 << 16 | 245 };
    words module = load("mem-semantics-ambiguous");
    size_t first = 0, last = 0;
    for (size_t at = 5; at < module.count; at += module.data[at] >> 16) {
        if (module.data[at] != PHI) continue;
        first = first ? first : at;
        last = at;
    }
    assert_true(first && last > first);
    module.data[last + 5] = module.data[first + 2]; /* a phi of integers has a pointer as its operand */
    nf_result *result = NULL;
    assert_int_equal(nf_specialize(module.data, module.count * 4, NULL, &result), NF_MALFORMED);
    assert_non_null(strstr(nf_result_log(result), "OpPhi"));
    nf_result_free(result);
    free(module.data);
}

/* The module of the shape `debug-info-100`, with its debug instruction set renamed to one that assemblers do not
 * know. */
static nf_status specialize_with_set(const char *name, nf_result **result)
{
    words module = load("debug-info-100");
    size_t at = 5, old_length, new_length = 2 + strlen(name) / 4 + 1;
    while ((module.data[at] & 0xffff) != 11) /* OpExtInstImport */
        at += module.data[at] >> 16;
    old_length = module.data[at] >> 16;
    assert_true(new_length <= old_length);
    memset(&module.data[at + 2], 0, (old_length - 2) * 4);
    memcpy(&module.data[at + 2], name, strlen(name));
    module.data[at] = (uint32_t)new_length << 16 | 11;
    memmove(&module.data[at + new_length], &module.data[at + old_length], (module.count - at - old_length) * 4);
    nf_status status = nf_specialize(module.data, (module.count - old_length + new_length) * 4, NULL, result);
    free(module.data);
    return status;
}

static void sets_of_extended_instructions(void **state)
{
    (void)state;
    static const char *const known[] = {"OpenCL.DebugInfo.100", "SPIRV.debug", "Vendor.debug", "NonSemantic.Vendor"};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        nf_result *result = NULL;
        assert_int_equal(specialize_with_set(known[i], &result), NF_OK);
        assert_int_equal(nf_result_counts(result).is_static, 1);
        nf_result_free(result);
    }
    nf_result *result = NULL;
    assert_int_equal(specialize_with_set("Vendor.mathematics", &result), NF_REFUSED);
    assert_non_null(strstr(nf_result_log(result), "\"Vendor.mathematics\""));
    nf_result_free(result);
}

static void inference_only_when_asked(void **state)
{
    (void)state;
    words module = load("call-two-contexts");
    nf_options options = NF_OPTIONS_INIT;
    nf_result *result = NULL;
    size_t count = 1;
    options.keep_inference = 1;
    options.struct_size =
        offsetof(nf_options, keep_inference); /* a caller that was compiled before the member existed */
    assert_int_equal(nf_specialize(module.data, module.count * 4, &options, &result), NF_OK);
    assert_int_equal(nf_result_instance_count(result), 0);
    assert_null(nf_result_ambiguities(result, &count));
    assert_int_equal(count, 0);
    nf_result_free(result);
    free(module.data);
}

static nf_outcome hint_outcome(const char *shape, uint32_t flags, size_t spec_values)
{
    words module = load(shape);
    const nf_profile profile = {.struct_size = sizeof profile, .flags = flags};
    const nf_spec_value value = {.id = 3, .size = 4, .value = 1};
    nf_options options = NF_OPTIONS_INIT;
    options.mode = NF_MODE_HINT;
    options.profile = &profile;
    options.spec_values = &value;
    options.spec_value_count = spec_values;
    options.keep_inference = 1;
    nf_result *result = NULL;
    assert_int_equal(nf_specialize(module.data, module.count * 4, &options, &result), NF_OK);
    nf_outcome outcome = nf_result_outcome(result);
    nf_result_free(result);
    free(module.data);
    return outcome;
}

/* Spaces that the driver infers itself are left to it; the specialization matters for a local pointer that becomes
 * generic. */
static void hints_that_a_driver_needs(void **state)
{
    (void)state;
    assert_int_equal(hint_outcome("atomic-static", 0, 0), NF_SPECIALIZED);
    assert_int_equal(hint_outcome("atomic-static", NF_PROFILE_TAKES_GLOBAL, 0), NF_UNCHANGED); /* all in one function,
                                                                                                * so the driver infers
                                                                                                * it */
    assert_int_equal(hint_outcome("gains-by-a-callee", NF_PROFILE_TAKES_GLOBAL, 0), NF_SPECIALIZED);
    assert_int_equal(hint_outcome("untyped-pointers", NF_PROFILE_TAKES_GLOBAL, 0), NF_SPECIALIZED);
    assert_int_equal(hint_outcome("atomic-static-private", 0, 0), NF_SPECIALIZED);
    assert_int_equal(hint_outcome("atomic-static-private", NF_PROFILE_TAKES_GLOBAL, 0), NF_UNCHANGED);
    assert_int_equal(hint_outcome("atomic-static-private", NF_PROFILE_TAKES_GLOBAL, 1), NF_SPECIALIZED);
    /* A select of private and global pointers is worth specializing; a phi of one space is not. */
    const uint32_t tagged = NF_PROFILE_TAKES_GLOBAL | NF_PROFILE_TAGGED_MERGES;
    assert_int_equal(hint_outcome("merged-without-local", tagged, 0), NF_SPECIALIZED);
    assert_int_equal(hint_outcome("merged-without-local", NF_PROFILE_TAKES_GLOBAL, 0), NF_UNCHANGED);
    assert_int_equal(hint_outcome("phi-undef-operand", tagged, 0), NF_UNCHANGED);
}

/* ---- Memory ----------------------------------------------------------------------------------------------------- */

typedef struct budget {
    long left; /* number of allocations before one fails; -1: none fails */
    long made, held;
} budget;

static void *allocate(void *user, size_t size)
{
    budget *b = user;
    if (b->left == 0) return NULL;
    b->left -= b->left > 0;
    b->made++;
    b->held++;
    return malloc(size ? size : 1);
}

static void release(void *user, void *memory)
{
    budget *b = user;
    if (memory) b->held--;
    free(memory);
}

/* Fails the n-th allocation, for every n. */
static void no_memory(void **state)
{
    (void)state;
    const char *const shapes[] = {"phi-alternates", "linked-list-mixed", "call-two-contexts", "debug-info-100",
                                  "import-unknown-refused"};
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++) {
        words module = load(shapes[i]);
        for (long n = 0;; n++) {
            budget b = {n, 0, 0};
            const nf_allocator allocator = {allocate, release, &b};
            nf_options options = NF_OPTIONS_INIT;
            options.allocator = &allocator;
            nf_result *result = NULL;
            nf_status status = nf_specialize(module.data, module.count * 4, &options, &result);
            nf_result_free(result);
            assert_int_equal(b.held, 0);
            if (status != NF_OUT_OF_MEMORY) break;
            assert_true(n < 100000);
        }
        free(module.data);
    }
}

/* ---- Threads ---------------------------------------------------------------------------------------------------- */

typedef struct job {
    words module;
    const nf_result *wanted;
    int different;
} job;

static void *work(void *user)
{
    job *j = user;
    for (int i = 0; i < 50; i++) {
        nf_result *result = NULL;
        nf_specialize(j->module.data, j->module.count * 4, NULL, &result);
        j->different += nf_result_size(result) != nf_result_size(j->wanted) ||
                        memcmp(nf_result_bytes(result), nf_result_bytes(j->wanted), nf_result_size(result)) != 0;
        nf_result_free(result);
    }
    return NULL;
}

static void threads(void **state)
{
    (void)state;
    enum { COUNT = 8 };
    const char *const shapes[] = {"phi-alternates", "linked-list-mixed"};
    pthread_t thread[COUNT];
    job jobs[COUNT];
    nf_result *wanted[2] = {NULL, NULL};
    words modules[2];
    for (int i = 0; i < 2; i++) {
        modules[i] = load(shapes[i]);
        assert_int_equal(nf_specialize(modules[i].data, modules[i].count * 4, NULL, &wanted[i]), NF_OK);
    }
    for (int i = 0; i < COUNT; i++) {
        jobs[i] = (job){modules[i % 2], wanted[i % 2], 0};
        assert_int_equal(pthread_create(&thread[i], NULL, work, &jobs[i]), 0);
    }
    for (int i = 0; i < COUNT; i++) {
        pthread_join(thread[i], NULL);
        assert_int_equal(jobs[i].different, 0);
    }
    for (int i = 0; i < 2; i++) {
        nf_result_free(wanted[i]);
        free(modules[i].data);
    }
}

int main(int argc, char **argv)
{
    if (argc != 2) {
        fprintf(stderr, "usage: api_test FOLDER-OF-SHAPES\n");
        return 2;
    }
    folder = argv[1];
    const struct CMUnitTest tests[] = {cmocka_unit_test(invalid_arguments),
                                       cmocka_unit_test(text_output),
                                       cmocka_unit_test(names_of_faults),
                                       cmocka_unit_test(kernel_names),
                                       cmocka_unit_test(strings),
                                       cmocka_unit_test(any_alignment),
                                       cmocka_unit_test(instructions),
                                       cmocka_unit_test(unmet_subgroup_sizes),
                                       cmocka_unit_test(unknown_instructions),
                                       cmocka_unit_test(decoration_groups),
                                       cmocka_unit_test(moves_of_llvm),
                                       cmocka_unit_test(alignment_of_llvm),
                                       cmocka_unit_test(unlisted_capabilities),
                                       cmocka_unit_test(summaries),
                                       cmocka_unit_test(instances_of_two_contexts),
                                       cmocka_unit_test(refusals_explain_themselves),
                                       cmocka_unit_test(phi_of_other_type_is_malformed),
                                       cmocka_unit_test(sets_of_extended_instructions),
                                       cmocka_unit_test(inference_only_when_asked),
                                       cmocka_unit_test(hints_that_a_driver_needs),
                                       cmocka_unit_test(no_memory),
                                       cmocka_unit_test(threads)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
