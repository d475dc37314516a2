/* SPDX-License-Identifier: Apache-2.0 */
/*
 * reject.c - malformed modules made from a valid one: the library must never crash or hang, and must report an error
 * with its position and reason.
 *
 *     reject_test FILE.spvasm
 *
 * Assembles the file and gives the library
 *  - every prefix of it: one that is cut inside an instruction is malformed;
 *  - it with every single bit flipped, and every word replaced by values that often break readers;
 *  - it with a wrong header, with instructions of length 0 and beyond the end, cut short, with strings that never end;
 *  - the same in the other byte order.
 * A module that the validator accepts, however it was damaged, must not be called malformed, and its output must
 * validate.
 */

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "shape.h"

#define SECONDS_PER_MODULE 2

static char doing[200]; /* description of the current case */
static sigjmp_buf after_signal;
static int failures;
static int runs, malformed, refused, done;

void shape_fail(const char *format, ...)
{
    if (failures++ > 30) return; /* enough failures to see the pattern */
    va_list arguments;
    va_start(arguments, format);
    printf("FAIL %s: ", doing);
    vprintf(format, arguments);
    putchar('\n');
    va_end(arguments);
}

/* A crash or a hang counts as another failure. After SIGABRT the heap may be corrupt, so the test ends. */
static void on_signal(int number)
{
    if (number == SIGABRT) {
        ssize_t put = write(STDOUT_FILENO, doing, strlen(doing));
        put += write(STDOUT_FILENO, ": the heap is broken\n", 21);
        _exit(put > 0 ? 1 : 2);
    }
    siglongjmp(after_signal, number);
}

static void check_error(nf_status status, const nf_result *result)
{
    const char *log = nf_result_log(result);
    char value[32] = "";
    if (strlen(log) < 10) shape_fail("status %d without a reason", (int)status);
    int locates = strpbrk(log, "0123456789") || strstr(log, "magic"); /* the magic number is always at the beginning */
    if (status == NF_MALFORMED && !locates) shape_fail("no offset in: %s", log);
    if (nf_result_bytes(result) || nf_result_size(result)) shape_fail("an output although it failed");
    json_value(nf_result_report(result), "result", value, sizeof value);
    if (strcmp(value, "refused") != 0) shape_fail("the report's result is '%s'", value);
}

/* The validator accepts the input: the library must process it. */
static void check_accepted(words input, nf_status status, const nf_result *result)
{
    /* The validator does not check the operands of constant operations, so its verdict does not count there. */
    for (size_t at = 5; at < input.count; at += input.data[at] >> 16)
        if ((input.data[at] & 0xffff) == 52) return; /* OpSpecConstantOp */
    if (status == NF_MALFORMED) shape_fail("valid, but called malformed: %s", nf_result_log(result));
    if (status != NF_OK) return;
    words output = {(uint32_t *)nf_result_bytes(result), nf_result_size(result) / 4};
    char *message = text_validate(text_target("opencl2.2"), output);
    if (message) shape_fail("valid, but the output is not: %s", message);
    free(message);
}

/* Gives `bytes` to the library. `wanted` is a status, or -1 if only consistency is checked. */
static void try_bytes(const void *bytes, size_t size, int mode, int wanted)
{
    /* A copy of the exact size, so that sanitizers detect every read beyond the end. */
    void *volatile copy = malloc(size ? size : 1);
    if (!copy) abort();
    memcpy(copy, bytes, size);
    nf_options options = NF_OPTIONS_INIT;
    options.mode = (nf_mode)mode;
    nf_result *result = NULL;
    int signal_number = sigsetjmp(after_signal, 1);
    if (signal_number) {
        alarm(0);
        shape_fail("%s", signal_number == SIGALRM ? "hang" : "crash");
        return;
    }
    alarm(SECONDS_PER_MODULE);
    nf_status status = nf_specialize(copy, size, &options, &result);
    alarm(0);
    free(copy);
    runs++;
    malformed += status == NF_MALFORMED;
    refused += status == NF_REFUSED;
    done += status == NF_OK;
    if (wanted >= 0 && (int)status != wanted) shape_fail("status %d, not %d", (int)status, wanted);
    if (!result)
        shape_fail("no result, status %d", (int)status);
    else if (status != NF_OK)
        check_error(status, result);
    if (result && wanted < 0 && size % 4 == 0 && size >= 20) {
        words input = {(uint32_t *)bytes, size / 4};
        char *message = text_validate(text_target("opencl2.2"), input);
        if (!message) check_accepted(input, status, result);
        free(message);
    }
    nf_result_free(result);
}

static void try_prefixes(words module)
{
    size_t boundary = 5;
    for (size_t size = 0; size < module.count * 4; size++) {
        while (boundary * 4 < size)
            boundary += module.data[boundary] >> 16;
        int whole = size >= 20 && boundary * 4 == size;
        snprintf(doing, sizeof doing, "the first %zu bytes", size);
        try_bytes(module.data, size, NF_MODE_AUTO, whole ? -1 : NF_MALFORMED);
    }
}

static void try_bit_flips(words module, int mode)
{
    for (size_t at = 0; at < module.count; at++) {
        for (int bit = 0; bit < 32; bit++) {
            snprintf(doing, sizeof doing, "word %zu with bit %d flipped, mode %d", at, bit, mode);
            module.data[at] ^= UINT32_C(1) << bit;
            try_bytes(module.data, module.count * 4, mode, -1);
            module.data[at] ^= UINT32_C(1) << bit;
        }
    }
}

static void try_words(words module, int mode)
{
    const uint32_t values[] = {0,          1,          2,          module.data[3] - 1, module.data[3],
                               0x7fffffff, 0x80000000, 0xffffffff, 0x00010000,         0xffff0000};
    for (size_t at = 0; at < module.count; at++) {
        uint32_t kept = module.data[at];
        for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
            snprintf(doing, sizeof doing, "word %zu is 0x%08x, mode %d", at, values[i], mode);
            module.data[at] = values[i];
            try_bytes(module.data, module.count * 4, mode, -1);
        }
        module.data[at] = kept;
    }
}

static void try_header(words module)
{
    const struct {
        const char *what;
        size_t at;
        uint32_t value;
    } wrong[] = {{"a wrong magic number", 0, 0x07230204},
                 {"text instead of a module", 0, 0x4320704f},
                 {"an ELF file", 0, 0x464c457f},
                 {"a bound of 0", 3, 0},
                 {"a bound of 1", 3, 1},
                 {"a bound that is too small", 3, module.data[3] - 1},
                 {"the largest bound", 3, 0xffffffff},
                 {"a huge bound", 3, 0x10000000}};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        uint32_t kept = module.data[wrong[i].at];
        snprintf(doing, sizeof doing, "%s", wrong[i].what);
        module.data[wrong[i].at] = wrong[i].value;
        try_bytes(module.data, module.count * 4, NF_MODE_AUTO, NF_MALFORMED);
        module.data[wrong[i].at] = kept;
    }
}

/* Every instruction with a length of 0, and with one that exceeds the module. */
static void try_lengths(words module)
{
    for (size_t at = 5, length; at < module.count; at += length) {
        uint32_t kept = module.data[at];
        length = kept >> 16;
        snprintf(doing, sizeof doing, "the instruction at word %zu has length 0", at);
        module.data[at] = kept & 0xffff;
        try_bytes(module.data, module.count * 4, NF_MODE_AUTO, NF_MALFORMED);
        snprintf(doing, sizeof doing, "the instruction at word %zu ends beyond the module", at);
        module.data[at] = (uint32_t)(module.count - at + 1) << 16 | (kept & 0xffff);
        try_bytes(module.data, module.count * 4, NF_MODE_AUTO, NF_MALFORMED);
        module.data[at] = kept;
    }
}

/* The kernel's name without its terminator. */
static void try_endless_string(words module)
{
    for (size_t at = 5; at < module.count; at += module.data[at] >> 16) {
        if ((module.data[at] & 0xffff) != 15) continue; /* OpEntryPoint */
        size_t last = at + (module.data[at] >> 16) - 1;
        uint32_t kept = module.data[last];
        snprintf(doing, sizeof doing, "a kernel's name that never ends");
        module.data[last] = 0x61616161;
        try_bytes(module.data, module.count * 4, NF_MODE_AUTO, NF_MALFORMED);
        module.data[last] = kept;
    }
}

/* An instruction with an unknown opcode and a result, as another instruction of a block or outside of all. */
static void try_unknown(words module, uint32_t result)
{
    enum { UNKNOWN = 0x3fff, LENGTH = 3 };
    words longer = {malloc((module.count + LENGTH) * 4), module.count + LENGTH};
    uint32_t type = 0, in_function = 0, in_block = 0;
    for (size_t at = 5, length; longer.data && at < module.count; at += length) {
        uint32_t opcode = module.data[at] & 0xffff;
        length = module.data[at] >> 16;
        if (opcode == 21 || opcode == 32) type = module.data[at + 1]; /* an integer type, or a pointer type */
        const uint32_t unknown[LENGTH] = {LENGTH << 16 | UNKNOWN, type, result};
        memcpy(longer.data, module.data, at * 4);
        memcpy(longer.data + at, unknown, sizeof unknown);
        memcpy(longer.data + at + LENGTH, module.data + at, (module.count - at) * 4);
        longer.data[3]++;
        snprintf(doing, sizeof doing, "an unknown instruction before word %zu, result %u", at, result);
        for (int mode = NF_MODE_AUTO; mode <= NF_MODE_DYNAMIC; mode++)
            try_bytes(longer.data, longer.count * 4, mode, in_function && !in_block ? NF_MALFORMED : -1);
        in_function = opcode == 54 || (in_function && opcode != 56); /* OpFunction, OpFunctionEnd */
        in_block =
            opcode == 248 || (in_block && !(opcode >= 249 && opcode <= 255)); /* OpLabel; OpBranch to OpUnreachable */
    }
    free(longer.data);
}

/* Each instruction with its opcode replaced by an unknown one: its result, if it has one, is used as before. */
static void try_unknown_in_place(words module)
{
    for (size_t at = 5, length; at < module.count; at += length) {
        uint32_t kept = module.data[at];
        length = kept >> 16;
        module.data[at] = (kept & 0xffff0000) | 0x3fff;
        for (int mode = NF_MODE_AUTO; mode <= NF_MODE_DYNAMIC; mode++) {
            snprintf(doing, sizeof doing, "the instruction at word %zu is unknown, mode %d", at, mode);
            try_bytes(module.data, module.count * 4, mode, -1);
        }
        module.data[at] = kept;
    }
}

/* Returns true if the operands of the instruction are those of another instruction set or opcode in it, all of which
 * are required: those of OpenCL.std (except printf) and of OpSpecConstantOp. */
static int needs_its_last_word(words module, size_t at)
{
    static uint32_t std;
    const uint32_t *w = module.data + at;
    if ((w[0] & 0xffff) == 11 && !strcmp((const char *)(w + 2), "OpenCL.std")) std = w[1]; /* OpExtInstImport */
    return (w[0] & 0xffff) == 52 || ((w[0] & 0xffff) == 12 && std && w[3] == std && w[4] != 184);
}

/* Gives the module to the library without the last word of one instruction, for each instruction that needs it. A
 * library that reads beyond the end of the instruction would read the next one, or memory outside of the module. */
static void try_cut_short(words module)
{
    words shorter = {malloc(module.count * 4), module.count - 1};
    for (size_t at = 5, length; shorter.data && at < module.count; at += length) {
        length = module.data[at] >> 16;
        if (!needs_its_last_word(module, at)) continue;
        memcpy(shorter.data, module.data, at * 4);
        memcpy(shorter.data + at, module.data + at, (length - 1) * 4);
        memcpy(shorter.data + at + length - 1, module.data + at + length, (module.count - at - length) * 4);
        shorter.data[at] -= 1 << 16;
        snprintf(doing, sizeof doing, "the instruction at word %zu without its last word", at);
        try_bytes(shorter.data, shorter.count * 4, NF_MODE_AUTO, NF_MALFORMED);
    }
    free(shorter.data);
}

static void try_other_byte_order(words module)
{
    words swapped = swap_bytes(module);
    for (size_t size = 0; size < swapped.count * 4; size += 3) {
        snprintf(doing, sizeof doing, "the first %zu bytes in the other byte order", size);
        try_bytes(swapped.data, size, NF_MODE_AUTO, size < 20 || size % 4 ? NF_MALFORMED : -1);
    }
    free(swapped.data);
}

/* The tests run on a separate stack, because endless recursion is one of the possible crashes. */
static void catch_signals(void)
{
    static char stack[1 << 16];
    const stack_t other = {.ss_sp = stack, .ss_size = sizeof stack};
    sigaltstack(&other, NULL);
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_ONSTACK};
    const int caught[] = {SIGSEGV, SIGBUS, SIGFPE, SIGABRT, SIGALRM};
    for (size_t i = 0; i < sizeof caught / sizeof caught[0]; i++)
        sigaction(caught[i], &action, NULL);
}

int main(int argc, char **argv)
{
    static char source[1 << 16];
    FILE *file = argc == 2 ? fopen(argv[1], "rb") : NULL;
    if (!file || fread(source, 1, sizeof source - 1, file) == 0) {
        fprintf(stderr, "usage: reject_test FILE.spvasm\n");
        return 2;
    }
    fclose(file);
    setvbuf(stdout, NULL, _IOLBF, 0);
    catch_signals();
    words module = text_assemble(text_target("opencl2.2"), source);
    if (!module.data) return 1;
    try_prefixes(module);
    try_header(module);
    try_lengths(module);
    try_endless_string(module);
    try_unknown(module, module.data[3]);
    try_unknown(module, 0x7fffffff); /* far above the bound */
    try_unknown_in_place(module);
    try_cut_short(module);
    try_other_byte_order(module);
    try_bit_flips(module, NF_MODE_AUTO);
    try_words(module, NF_MODE_AUTO);
    try_words(module, NF_MODE_DYNAMIC);
    printf("%d modules: %d malformed, %d refused, %d done; %d failures\n", runs, malformed, refused, done, failures);
    free(module.data);
    return failures != 0;
}
