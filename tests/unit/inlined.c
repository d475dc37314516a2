/* SPDX-License-Identifier: Apache-2.0 */
/*
 * inlined.c - compares the inference result of a module with calls with that of the same module inlined, access by
 * access.
 *
 *     inlined_test < LIST       each line of LIST: the file of the module with calls, and that of the inlined module
 *
 * Starting at each kernel, an access of a callee counts once for each chain of calls that leads to it, with the
 * instance for that chain. The order is that of an inliner which replaces a call by the blocks of the callee, so that
 * both modules have the same accesses in the same order.
 *
 * The output is one line for each pair: the file, the number of accesses, the numbers with one space and with several
 * in the inlined form, and a verdict. `same`: equal spaces everywhere. `wider`: the form with calls has more spaces
 * somewhere, which costs precision. `lost`: the form with calls lacks a space, or the mark of an address that may have
 * left its window, so that an access may go to the wrong memory. `apart`: the accesses are different. Lines that begin
 * with a blank give the places. The exit status is 1 if a module cannot be read or inferred; the caller judges the
 * verdicts.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <spirv-tools/libspirv.h>

#include "infer/infer.h"
#include "prepare/prepare.h"
#include "report/report.h"

#include "../harness/allocator.h"

/* The inference result of one access: the evidence for its pointer, and its position. */
struct access {
    nf_set evidence;
    nf_verdict verdict;
    uint32_t opcode, pointer, function;
};

struct analyzed {
    struct nf_arena arena;
    nf_options options;
    struct nf_module m;
    struct access *accesses;
    uint32_t count, capacity;
    spv_binary binary;
};

enum { NAME = 256, DEPTH = 64 };

/* ---- One module ---- */

/* @return the file as a string, malloc'ed, or NULL. */
static char *read_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (!file) return NULL;
    size_t count = 0, room = 1 << 16;
    char *text = malloc(room);
    while (text && (count += fread(text + count, 1, room - count - 1, file)) == room - 1) {
        char *more = realloc(text, room *= 2);
        if (!more) free(text);
        text = more;
    }
    fclose(file);
    if (text) text[count] = 0;
    return text;
}

static spv_binary assemble(const char *path)
{
    spv_context context = spvContextCreate(SPV_ENV_UNIVERSAL_1_6);
    spv_binary binary = NULL;
    spv_diagnostic diagnostic = NULL;
    char *text = read_file(path);
    if (!text)
        printf("%s cannot be read\n", path);
    else if (spvTextToBinary(context, text, strlen(text), &binary, &diagnostic) != SPV_SUCCESS)
        printf("%s: line %zu: %s\n", path, diagnostic ? diagnostic->position.line + 1 : 0,
               diagnostic ? diagnostic->error : "not assembled");
    free(text);
    spvDiagnosticDestroy(diagnostic);
    spvContextDestroy(context);
    return binary;
}

/* Runs the stages up to the instances, as in src/nonflat.c. */
static void infer(struct nf_module *m, const spv_binary binary)
{
    struct nf_words lowered;
    nf_read(m, binary->code, binary->wordCount * sizeof *binary->code);
    nf_order(m);
    if (nf_lower_byte_chains(m, &lowered)) nf_read_again(m, &lowered);
    if (nf_lower_builtins(m, &lowered)) nf_read_again(m, &lowered);
    if (nf_lower_imports(m, &lowered)) nf_read_again(m, &lowered);
    if (nf_lower_integer_tests(m, &lowered)) nf_read_again(m, &lowered);
    if (nf_lower_initializers(m, &lowered)) nf_read_again(m, &lowered);
    if (nf_lower_address_constants(m, &lowered)) nf_read_again(m, &lowered);
    nf_drop_inbounds(m);
    nf_fold(m);
    nf_types(m);
    nf_constrain(m, (struct nf_suspicion){false, false, false, false});
    nf_instances(m);
    for (struct nf_suspicion known = {false, false, false, false}; nf_collect_suspicions(m, &known);) {
        nf_constrain(m, known);
        nf_instances(m);
    }
}

static void note_access(struct analyzed *a, const struct nf_instance *instance, uint32_t at)
{
    const struct nf_module *m = &a->m;
    struct access access = {.opcode = nf_opcode(m, at), .function = m->functions[instance->function].id};
    access.verdict = nf_access_verdict(m, instance, at, &access.pointer);
    uint32_t node = nf_pointer_node(m, at, access.pointer);
    access.evidence = node ? nf_evidence(instance, node) : nf_evidence_of_pointer(m, instance, access.pointer);
    NF_RESERVE(&a->arena, a->accesses, a->capacity, (size_t)a->count + 1);
    a->accesses[a->count++] = access;
}

/* Collects the accesses of one function as called here, and those of its callees at their calls. A call to a function
 * without a body, or to one that is already in the chain of calls, contributes none. */
static void walk(struct analyzed *a, uint32_t index, uint32_t depth, uint32_t *chain)
{
    const struct nf_module *m = &a->m;
    const struct nf_instance *instance = nf_instance_at(m, index);
    const struct nf_function *f = &m->functions[instance->function];
    uint32_t call = 0;
    for (uint32_t i = 0; i < depth; i++)
        if (chain[i] == instance->function) return;
    if (depth == DEPTH || !f->body) return;
    chain[depth] = instance->function;
    for (uint32_t at = f->body; at < f->end; at = nf_next(m, at)) {
        if (nf_is_generic_access(m, at)) note_access(a, instance, at);
        for (; call < f->analysis->call_count && f->analysis->calls[call].at == at; call++)
            walk(a, instance->callees[call], depth + 1, chain);
    }
}

static void walk_kernels(struct analyzed *a)
{
    const struct nf_module *m = &a->m;
    uint32_t chain[DEPTH];
    for (uint32_t f = 1; f < m->function_count; f++)
        for (uint32_t i = 1; m->functions[f].entry_at && i < m->analysis->instance_count; i++)
            if (nf_instance_at(m, i)->function == f && nf_instance_at(m, i)->root) walk(a, i, 0, chain);
}

/* Returns through the arena's failure handler if memory is exhausted, as the stages do. */
static void try_to_analyze(struct analyzed *a)
{
    if (setjmp(a->arena.failure.back)) return;
    infer(&a->m, a->binary);
    if (a->m.analysis) walk_kernels(a);
}

/* @return true if the module could be read and inferred. */
static bool analyze(struct analyzed *a, const char *path)
{
    static const nf_options defaults = NF_OPTIONS_INIT;
    *a = (struct analyzed){.arena.allocator = malloc_allocator, .options = defaults};
    a->m.arena = &a->arena;
    a->m.options = &a->options;
    a->binary = assemble(path);
    if (!a->binary) return false;
    try_to_analyze(a);
    if (a->arena.failure.status == NF_OK) return true;
    printf("%s: %s\n", path, a->arena.failure.text);
    return false;
}

static void forget(struct analyzed *a)
{
    if (a->binary) spvBinaryDestroy(a->binary);
    nf_arena_free(&a->arena);
}

/* ---- Two modules ---- */

/* Returns the spaces in the evidence, and whether the address may have left its window, which each bit of NF_ANY_VALUE
 * states. An unknown address (NF_UNKNOWN alone) counts as one without spaces here, because additional evidence removes
 * spaces from it. */
static unsigned seen(const struct access *access)
{
    return nf_spaces_of((nf_set)(access->evidence & ~NF_UNKNOWN)) | (access->evidence & NF_ANY_VALUE ? NF_LOOSE : 0);
}

static void print_difference(uint32_t index, const struct access *calls, const struct access *inlined)
{
    printf(" access %u, %s, function %u: evidence 0x%03x through %%%u with calls, 0x%03x through %%%u inlined\n", index,
           nf_op_find(calls->opcode)->name, calls->function, calls->evidence, calls->pointer, inlined->evidence,
           inlined->pointer);
}

static const char *compare(const struct analyzed *calls, const struct analyzed *inlined)
{
    bool wider = false, lost = false;
    if (calls->count != inlined->count) return "apart";
    for (uint32_t i = 0; i < calls->count; i++) {
        const struct access *a = &calls->accesses[i], *b = &inlined->accesses[i];
        if (a->opcode != b->opcode) return "apart";
        wider |= (seen(a) & ~seen(b)) != 0;
        lost |= (seen(b) & ~seen(a)) != 0;
        if (seen(a) != seen(b)) print_difference(i, a, b);
    }
    return lost ? "lost" : wider ? "wider" : "same";
}

static void print_verdict(const char *path, const struct analyzed *inlined, const char *verdict)
{
    uint32_t single = 0, several = 0;
    for (uint32_t i = 0; i < inlined->count; i++) {
        nf_set spaces = nf_spaces_of(inlined->accesses[i].evidence);
        single += nf_single(spaces);
        several += spaces && !nf_single(spaces);
    }
    printf("%s %u %u %u %s\n", path, inlined->count, single, several, verdict);
}

int main(void)
{
    char paths[2][NAME];
    int status = 0;
    while (scanf("%255s %255s", paths[0], paths[1]) == 2) {
        struct analyzed calls, inlined = {.binary = NULL};
        if (analyze(&calls, paths[0]) && analyze(&inlined, paths[1]))
            print_verdict(paths[0], &inlined, compare(&calls, &inlined));
        else
            status = 1;
        forget(&calls);
        forget(&inlined);
    }
    return status;
}
