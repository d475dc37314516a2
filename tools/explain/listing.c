/* SPDX-License-Identifier: Apache-2.0 */
/*
 * listing.c - disassembles a module into one line per instruction, indexed by the word at which the instruction begins.
 *
 * The listing is made by SPIRV-Tools, if SPIRV-Tools was available at build time. Without SPIRV-Tools, or for a module
 * that they cannot read, the core's table of instructions gives names and ids; other operands are printed as a number
 * if they have one word, else as "...".
 */
#define _XOPEN_SOURCE 700

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "spirv/spirv.h"
#include "tools/explain/explain.h"

#ifdef NONFLAT_SPIRV_TOOLS
#include <spirv-tools/libspirv.h>

const char *nf_disassembler_name(char text[64])
{
    snprintf(text, 64, "SPIRV-Tools %s", spvSoftwareVersionString());
    return text;
}

/* Splits the text into lines, each of which ends with "; 0x0000ABCD", the offset of its instruction. */
static void cut_lines(struct nf_listing *listing)
{
    for (char *line = listing->text, *end; line && *line; line = end) {
        end = strchr(line, '\n');
        if (end) *end++ = '\0';
        char *offset = strstr(line, "; 0x");
        for (char *later = offset; later && (later = strstr(later + 1, "; 0x"));)
            offset = later;
        unsigned long byte = offset ? strtoul(offset + 2, NULL, 16) : 0;
        if (!offset || byte / 4 >= listing->count) continue;
        while (offset > line && offset[-1] == ' ')
            offset--;
        *offset = '\0';
        listing->line[byte / 4] = line + strspn(line, " ");
    }
}

static int list_by_tools(const struct nf_view *view, struct nf_listing *listing)
{
    spv_context context = spvContextCreate(SPV_ENV_UNIVERSAL_1_6);
    spv_text text = NULL;
    spv_diagnostic diagnostic = NULL;
    const uint32_t options = SPV_BINARY_TO_TEXT_OPTION_NO_HEADER | SPV_BINARY_TO_TEXT_OPTION_SHOW_BYTE_OFFSET;
    spv_result_t result = spvBinaryToText(context, view->words, view->count, options, &text, &diagnostic);
    spvDiagnosticDestroy(diagnostic);
    if (result == SPV_SUCCESS && text) {
        listing->text = malloc(text->length + 1);
        if (listing->text) {
            memcpy(listing->text, text->str, text->length);
            listing->text[text->length] = '\0';
            cut_lines(listing);
        }
    }
    spvTextDestroy(text);
    spvContextDestroy(context);
    return listing->text != NULL;
}
#else
const char *nf_disassembler_name(char text[64])
{
    snprintf(text, 64, "by the core's table, without SPIRV-Tools");
    return text;
}

static int list_by_tools(const struct nf_view *view, struct nf_listing *listing)
{
    (void)view;
    (void)listing;
    return 0;
}
#endif

/* Prints one instruction by the core's table. */
static void put_instruction(const struct nf_view *view, uint32_t at, FILE *file)
{
    const struct nf_op *op = nf_op_find(nf_view_opcode(view, at));
    const uint32_t *words = view->words + at;
    uint32_t length = nf_view_length(view, at), fixed = (op->result & 1u) + (op->result >> 1u);
    if (op->result & 2 && length > fixed) fprintf(file, "%%%u = ", words[fixed]);
    if (op->opcode == 0xffff)
        fprintf(file, "Op%u", nf_view_opcode(view, at));
    else
        fputs(op->name, file);
    if (op->result & 1 && length > 1) fprintf(file, " %%%u", words[1]);
    struct nf_operands walk = nf_operands_begin(words, length, NF_EXT_OTHER, 1);
    while (nf_operands_next(&walk)) {
        if (walk.kind == NF_OPERAND_ID)
            fprintf(file, " %%%u", words[walk.at]);
        else if (walk.length == 1)
            fprintf(file, " %u", words[walk.at]);
        else
            fputs(" ...", file);
    }
    putc('\0', file);
}

static int list_by_table(const struct nf_view *view, struct nf_listing *listing)
{
    size_t size = 0;
    long *begin = calloc((size_t)view->count + 1, sizeof *begin);
    FILE *file = begin ? open_memstream(&listing->text, &size) : NULL;
    if (file) {
        for (uint32_t at = NF_SPV_HEADER_WORDS; at < view->count; at += nf_view_length(view, at)) {
            begin[at] = ftell(file) + 1;
            put_instruction(view, at, file);
        }
        fclose(file);
        for (uint32_t at = 0; listing->text && at < view->count; at++)
            if (begin[at]) listing->line[at] = listing->text + begin[at] - 1;
    }
    free(begin);
    return listing->text != NULL;
}

int nf_listing_make(const struct nf_view *view, struct nf_listing *listing)
{
    listing->count = view->count;
    listing->line = calloc((size_t)view->count + 1, sizeof *listing->line);
    if (!listing->line) return -1;
    return list_by_tools(view, listing) || list_by_table(view, listing) ? 0 : -1;
}

void nf_listing_free(struct nf_listing *listing)
{
    free(listing->text);
    free(listing->line);
    memset(listing, 0, sizeof *listing);
}
