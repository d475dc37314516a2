/* SPDX-License-Identifier: Apache-2.0 */
/*
 * notes.c - writes facts that are not in the module: the files that the compiler searched for, by which a cache detects
 * an outdated module, and the source's declarations of each kernel, of which SPIR-V retains only a part.
 *
 * A record is a line "KIND LENGTH SIZE", followed by a name of LENGTH bytes and a value of SIZE bytes:
 *     file     path                its contents
 *     folder   path                nothing
 *     absent   path                nothing
 *     passes   nothing             nothing; a compiler without generic pointers accepts the source
 *     kernel   name                a line with its attributes; for each argument a line with address space, access,
 *                                  type, type qualifiers and name, separated by tabs
 * The last record is "module 0 0"; the module follows it.
 */
#include "cl.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *text;
static size_t text_size;
static FILE *stream;

static FILE *open_notes(void)
{
    if (!stream) stream = open_memstream(&text, &text_size);
    return stream;
}

void nf_note(const char *kind, const char *name, const char *value, size_t size)
{
    FILE *notes = open_notes();
    if (!notes) return;
    fprintf(notes, "%s %zu %zu\n%s", kind, strlen(name), size, name);
    fwrite(value, 1, size, notes);
}

/* ---- kernels ---- */

enum { ADDRESS, ACCESS, TYPE, QUALIFIER, NAME, COLUMNS };
static const char *const columns[COLUMNS] = {"kernel_arg_addr_space", "kernel_arg_access_qual", "kernel_arg_type",
                                             "kernel_arg_type_qual", "kernel_arg_name"};

/* Returns the operands of the function's metadata node `name` as values in a malloc'ed array, or NULL. */
static LLVMValueRef *operands_of(LLVMValueRef function, const char *name, unsigned *count)
{
    LLVMContextRef context = LLVMGetModuleContext(LLVMGetGlobalParent(function));
    unsigned kind = LLVMGetMDKindIDInContext(context, name, (unsigned)strlen(name));
    size_t entries = 0;
    LLVMValueMetadataEntry *all = LLVMGlobalCopyAllMetadata(function, &entries);
    LLVMValueRef *operands = NULL;
    *count = 0;
    for (size_t i = 0; i < entries; i++) {
        if (LLVMValueMetadataEntriesGetKind(all, (unsigned)i) != kind) continue;
        LLVMValueRef node = LLVMMetadataAsValue(context, LLVMValueMetadataEntriesGetMetadata(all, (unsigned)i));
        unsigned found = (unsigned)LLVMGetMDNodeNumOperands(node);
        operands = calloc(found + 1, sizeof *operands);
        if (!operands) break;
        LLVMGetMDNodeOperands(node, operands);
        *count = found;
        break;
    }
    LLVMDisposeValueMetadataEntries(all);
    return operands;
}

static void print_operand(FILE *out, LLVMValueRef operand)
{
    unsigned length = 0;
    if (LLVMIsAConstantInt(operand)) {
        fprintf(out, "%llu", LLVMConstIntGetZExtValue(operand));
        return;
    }
    const char *words = LLVMGetMDString(operand, &length);
    if (words) fprintf(out, "%.*s", (int)length, words);
}

static void print_arguments(FILE *out, LLVMValueRef kernel)
{
    LLVMValueRef *operands[COLUMNS];
    unsigned counts[COLUMNS], count = LLVMCountParams(kernel);
    for (int i = 0; i < COLUMNS; i++)
        operands[i] = operands_of(kernel, columns[i], &counts[i]);
    for (unsigned argument = 0; argument < count; argument++)
        for (int i = 0; i < COLUMNS; i++) {
            if (operands[i] && argument < counts[i]) print_operand(out, operands[i][argument]);
            fputc(i == COLUMNS - 1 ? '\n' : '\t', out);
        }
    for (int i = 0; i < COLUMNS; i++)
        free(operands[i]);
}

/* Prints an attribute such as "reqd_work_group_size(8,1,1)". */
static void print_sizes(FILE *out, LLVMValueRef kernel, const char *name)
{
    unsigned count;
    LLVMValueRef *sizes = operands_of(kernel, name, &count);
    if (sizes && count) fprintf(out, "%s(", name);
    for (unsigned i = 0; sizes && i < count; i++) {
        print_operand(out, sizes[i]);
        fputc(i + 1 < count ? ',' : ')', out);
    }
    if (sizes && count) fputc(' ', out);
    free(sizes);
}

/* Returns the name of a scalar type in OpenCL C without its sign; vec_type_hint allows only these types. */
static const char *scalar_name(LLVMTypeRef type)
{
    LLVMTypeKind kind = LLVMGetTypeKind(type);
    if (kind == LLVMHalfTypeKind) return "half";
    if (kind == LLVMFloatTypeKind) return "float";
    if (kind == LLVMDoubleTypeKind) return "double";
    switch (kind == LLVMIntegerTypeKind ? LLVMGetIntTypeWidth(type) : 0) {
    case 8: return "char";
    case 16: return "short";
    case 64: return "long";
    default: return "int";
    }
}

/* Prints "vec_type_hint(float4)". The metadata has an undefined value of the type, and its signedness. */
static void print_type(FILE *out, LLVMTypeRef type, LLVMValueRef is_signed)
{
    bool vector = LLVMGetTypeKind(type) == LLVMVectorTypeKind;
    LLVMTypeRef element = vector ? LLVMGetElementType(type) : type;
    bool integer = LLVMGetTypeKind(element) == LLVMIntegerTypeKind;
    bool is_unsigned = integer && LLVMIsAConstantInt(is_signed) && !LLVMConstIntGetZExtValue(is_signed);
    fprintf(out, "vec_type_hint(%s%s", is_unsigned ? "u" : "", scalar_name(element));
    if (vector) fprintf(out, "%u", LLVMGetVectorSize(type));
    fputs(") ", out);
}

static void print_hint(FILE *out, LLVMValueRef kernel)
{
    unsigned count;
    LLVMValueRef *parts = operands_of(kernel, "vec_type_hint", &count);
    if (parts && count == 2) print_type(out, LLVMTypeOf(parts[0]), parts[1]);
    free(parts);
}

static void note_kernel(LLVMValueRef kernel)
{
    char *value = NULL;
    size_t size = 0, length;
    FILE *out = open_memstream(&value, &size);
    if (!out) return;
    print_sizes(out, kernel, "work_group_size_hint");
    print_sizes(out, kernel, "reqd_work_group_size");
    print_hint(out, kernel);
    fputc('\n', out);
    print_arguments(out, kernel);
    fclose(out);
    nf_note("kernel", LLVMGetValueName2(kernel, &length), value, size);
    free(value);
}

void nf_note_kernels(LLVMModuleRef module)
{
    const unsigned spir_kernel = 76; /* llvm::CallingConv::SPIR_KERNEL */
    for (LLVMValueRef function = LLVMGetFirstFunction(module); function; function = LLVMGetNextFunction(function))
        if (LLVMGetFunctionCallConv(function) == spir_kernel && !LLVMIsDeclaration(function)) note_kernel(function);
}

bool nf_notes_write(size_t *size)
{
    FILE *notes = open_notes();
    if (!notes || fclose(notes) != 0) return false;
    stream = NULL;
    bool good = fwrite(text, 1, text_size, stdout) == text_size;
    *size = text_size;
    free(text);
    text = NULL;
    return good;
}
