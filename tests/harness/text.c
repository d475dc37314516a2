/* SPDX-License-Identifier: Apache-2.0 */
/*
 * text.c - converts modules to text and back, and validates them, by SPIRV-Tools.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <spirv-tools/libspirv.h>
#include <spirv/unified1/spirv.h>

#include "shape.h"

/* A growing string. */
typedef struct text {
    char *data;
    size_t length, capacity;
} text;

/* The facts about each id that the annotations need. */
typedef struct id_facts {
    uint32_t type;          /* id of its type; 0 for a type */
    uint32_t pointer_class; /* 1 + the storage class of a pointer type; 0 for anything else */
} id_facts;

typedef struct annotator {
    id_facts *ids;
    size_t bound;
    int inside; /* within a function */
    const char *line;
    text out;
} annotator;

static void append(text *t, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void append(text *t, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    if (t->length + (size_t)length + 1 > t->capacity) {
        t->capacity = 2 * (t->length + (size_t)length) + 4096;
        t->data = realloc(t->data, t->capacity);
        if (!t->data) abort();
    }
    va_start(arguments, format);
    vsnprintf(t->data + t->length, t->capacity - t->length, format, arguments);
    va_end(arguments);
    t->length += (size_t)length;
}

int text_target(const char *name)
{
    spv_target_env target;
    return spvParseTargetEnv(name, &target) ? (int)target : -1;
}

words text_assemble(int target, const char *source)
{
    words module = {NULL, 0};
    spv_context context = spvContextCreate((spv_target_env)target);
    spv_binary binary = NULL;
    spv_diagnostic diagnostic = NULL;
    if (spvTextToBinary(context, source, strlen(source), &binary, &diagnostic) == SPV_SUCCESS) {
        module.count = binary->wordCount;
        module.data = malloc(module.count * sizeof *module.data);
        if (!module.data) abort();
        memcpy(module.data, binary->code, module.count * sizeof *module.data);
    } else {
        shape_fail("line %zu does not assemble: %s", diagnostic->position.line + 1, diagnostic->error);
    }
    spvBinaryDestroy(binary);
    spvDiagnosticDestroy(diagnostic);
    spvContextDestroy(context);
    return module;
}

char *text_validate(int target, words module)
{
    spv_context context = spvContextCreate((spv_target_env)target);
    spv_diagnostic diagnostic = NULL;
    char *message = NULL;
    if (spvValidateBinary(context, module.data, module.count, &diagnostic) != SPV_SUCCESS)
        message = strdup(diagnostic ? diagnostic->error : "no reason given");
    spvDiagnosticDestroy(diagnostic);
    spvContextDestroy(context);
    return message;
}

static spv_result_t note_id(void *user, const spv_parsed_instruction_t *i)
{
    annotator *a = user;
    if (i->result_id == 0 || i->result_id >= a->bound) return SPV_SUCCESS;
    a->ids[i->result_id].type = i->type_id;
    if (i->opcode == SpvOpTypePointer) a->ids[i->result_id].pointer_class = i->words[2] + 1;
    return SPV_SUCCESS;
}

static void append_class(annotator *a, uint32_t id)
{
    static const char *const names[] = {"UniformConstant", "Input",          "Uniform",       "Output",
                                        "Workgroup",       "CrossWorkgroup", "Private",       "Function",
                                        "Generic",         "PushConstant",   "AtomicCounter", "Image"};
    uint32_t type = id < a->bound ? a->ids[id].type : 0;
    uint32_t class = type ? a->ids[type].pointer_class : 0;
    if (class == 0) return;
    if (class - 1 < sizeof names / sizeof names[0])
        append(&a->out, " @%s", names[class - 1]);
    else
        append(&a->out, " @Class%u", class - 1);
}

/* Copies the instruction's line of the disassembly and appends the storage classes of its pointer operands. */
static spv_result_t annotate(void *user, const spv_parsed_instruction_t *i)
{
    annotator *a = user;
    size_t length = strcspn(a->line, "\n");
    append(&a->out, "%.*s ;", (int)length, a->line);
    a->line += length + (a->line[length] == '\n');
    if (i->opcode == SpvOpFunction) a->inside = 1;
    if (i->opcode == SpvOpFunctionEnd) a->inside = 0;
    for (uint16_t n = 0; a->inside && n < i->num_operands; n++)
        if (i->operands[n].type == SPV_OPERAND_TYPE_ID) append_class(a, i->words[i->operands[n].offset]);
    append(&a->out, "\n");
    return SPV_SUCCESS;
}

/* For modules with instructions that this version of SPIRV-Tools does not know. */
static char *dump_words(words module)
{
    text out = {NULL, 0, 0};
    for (size_t at = 5, count; at < module.count; at += count) {
        count = module.data[at] >> 16;
        append(&out, "Op%u", module.data[at] & 0xffff);
        for (size_t i = 1; i < count && at + i < module.count; i++)
            append(&out, " 0x%08x", module.data[at + i]);
        append(&out, "\n");
        if (count == 0) break;
    }
    return out.data;
}

char *text_disassemble(words module)
{
    spv_context context = spvContextCreate(SPV_ENV_UNIVERSAL_1_6);
    spv_text plain = NULL;
    annotator a = {.bound = module.data[3]};
    a.ids = calloc(a.bound, sizeof *a.ids);
    if (!a.ids) abort();
    uint32_t options = SPV_BINARY_TO_TEXT_OPTION_NO_HEADER | SPV_BINARY_TO_TEXT_OPTION_FRIENDLY_NAMES;
    int known = spvBinaryToText(context, module.data, module.count, options, &plain, NULL) == SPV_SUCCESS &&
                spvBinaryParse(context, &a, module.data, module.count, NULL, note_id, NULL) == SPV_SUCCESS;
    if (known) {
        a.line = plain->str;
        spvBinaryParse(context, &a, module.data, module.count, NULL, annotate, NULL);
    }
    spvTextDestroy(plain);
    spvContextDestroy(context);
    free(a.ids);
    return known ? a.out.data : dump_words(module);
}
