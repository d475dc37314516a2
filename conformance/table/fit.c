/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fit.c - nonflat-fit: specializes many modules for a device that accepts SPIR-V 1.0 without extensions, and prints the
 * result of each.
 *
 * In:
 *     nonflat-fit CAPABILITIES LIST FLAGS     the device's capabilities as numbers separated by commas, a list of files,
 *                                             the flags of its nf_profile
 *
 * Out: one line with a JSON object on standard output for each module: the declarations before and after, the status of
 * the core, the opcodes of a refused module, and whether SPIRV-Tools accepts the output as SPIR-V 1.0 if it accepts the
 * input. conformance/fit_table evaluates that with SPIRV-Headers' grammar. Exit status: 0 whatever the results are, 2
 * usage or file errors.
 */
#include "list.h"
#include "scan.h"

#include <nonflat/nonflat.h>
#include <spirv-tools/libspirv.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    HEADER_WORDS = 5,
    OP_EXTENSION = 10,
    OP_CAPABILITY = 17,
    OP_TYPE_INT = 21,
    OP_TYPE_FLOAT = 22,
    OP_ATOMIC_LOAD = 227,
    OP_ATOMIC_STORE = 228,
    OP_ATOMIC_XOR = 242,
    OPCODES = 1 << 16,
    CAPABILITY_LIMIT = 256
};

typedef struct fitting {
    spv_context newest, oldest;
    nf_profile profile;
    nf_options options;
} fitting;

/* Writes "PREFIXversion":..., "PREFIXcapabilities":[...], "PREFIXextensions":[...]. */
static void put_declarations(const char *prefix, const struct module *module)
{
    const char *comma = "";
    printf(",\"%sversion\":%u,\"%scapabilities\":[", prefix, module->words[1], prefix);
    for (uint32_t at = HEADER_WORDS; at < module->count; at += module->words[at] >> 16)
        if ((module->words[at] & 0xffff) == OP_CAPABILITY) {
            printf("%s%u", comma, module->words[at + 1]);
            comma = ",";
        }
    printf("],\"%sextensions\":[", prefix);
    comma = "";
    for (uint32_t at = HEADER_WORDS; at < module->count; at += module->words[at] >> 16)
        if ((module->words[at] & 0xffff) == OP_EXTENSION) {
            fputs(comma, stdout);
            put_string((const char *)(module->words + at + 1));
            comma = ",";
        }
    putchar(']');
}

static int is_type(const struct module *module, uint32_t id, uint32_t opcode, uint32_t width)
{
    uint32_t at = id < module->bound ? module->definition[id] : 0;
    return at && (module->words[at] & 0xffff) == opcode && module->words[at + 2] == width;
}

/* Returns true for a 64-bit atomic, by its result type; OpAtomicStore has none, so the type of its value counts. */
static int is_wide_atomic(const struct module *module, uint32_t at)
{
    uint32_t opcode = module->words[at] & 0xffff, length = module->words[at] >> 16;
    if (opcode < OP_ATOMIC_LOAD || opcode > OP_ATOMIC_XOR || length < 5) return 0;
    uint32_t value = module->words[at + 4];
    uint32_t type = opcode != OP_ATOMIC_STORE ? module->words[at + 1] : value < module->bound ? module->type[value] : 0;
    return is_type(module, type, OP_TYPE_INT, 64);
}

/* Writes the uses of capabilities that have no opcode of their own. */
static void put_wide(const struct module *module)
{
    int floats = 0, atomics = 0;
    for (uint32_t at = HEADER_WORDS; at < module->count; at += module->words[at] >> 16) {
        uint32_t opcode = module->words[at] & 0xffff;
        floats |= opcode == OP_TYPE_FLOAT && module->words[at + 2] == 64;
        atomics |= is_wide_atomic(module, at);
    }
    printf(",\"float64\":%s,\"atomics64\":%s", floats ? "true" : "false", atomics ? "true" : "false");
}

static void put_opcodes(const struct module *module)
{
    static unsigned char seen[OPCODES];
    const char *comma = "";
    memset(seen, 0, sizeof seen);
    printf(",\"opcodes\":[");
    for (uint32_t at = HEADER_WORDS; at < module->count; at += module->words[at] >> 16) {
        uint32_t opcode = module->words[at] & 0xffff;
        if (seen[opcode]++ == 0) {
            printf("%s%u", comma, opcode);
            comma = ",";
        }
    }
    putchar(']');
}

static int is_valid(spv_context context, const uint32_t *words, size_t count, char *message, size_t room)
{
    spv_diagnostic diagnostic = NULL;
    spv_result_t result = spvValidateBinary(context, words, count, &diagnostic);
    if (message) snprintf(message, room, "%s", diagnostic ? diagnostic->error : "");
    spvDiagnosticDestroy(diagnostic);
    return result == SPV_SUCCESS;
}

/* Returns true if the input is valid without alias information, which SPIRV-Tools rejects anywhere. */
static int is_valid_input(const fitting *f, const struct module *input)
{
    uint32_t *copy = malloc(input->count * sizeof *copy);
    int valid = copy && is_valid(f->newest, copy, without_aliases(input, copy), NULL, 0);
    free(copy);
    return valid;
}

static void put_output(const fitting *f, const struct module *input, const nf_result *result)
{
    struct module output;
    char message[256];
    if (module_open(&output, nf_result_bytes(result), nf_result_size(result) / 4)) {
        printf(",\"invalid\":\"not well-formed\"");
        return;
    }
    put_declarations("out_", &output);
    int valid = is_valid(f->oldest, output.words, output.count, message, sizeof message);
    printf(",\"valid\":%s", valid ? "true" : "false");
    if (!valid && is_valid_input(f, input)) {
        printf(",\"invalid\":");
        put_string(message);
    }
    module_close(&output);
}

static void fit_module(void *user, const char *path, const uint32_t *words, size_t size)
{
    const fitting *f = user;
    struct module input;
    nf_result *result = NULL;
    printf("{\"file\":");
    put_string(path);
    if (module_open(&input, words, size / 4)) {
        printf(",\"status\":\"not well-formed\"}\n");
        return;
    }
    put_declarations("", &input);
    nf_status status = nf_specialize(words, size, &f->options, &result);
    printf(",\"status\":");
    put_string(nf_status_string(status));
    printf(",\"taken\":%s", status == NF_OK ? "true" : "false");
    if (status == NF_OK) {
        put_output(f, &input, result);
    } else {
        put_opcodes(&input);
        put_wide(&input);
        printf(",\"log\":");
        put_string(result ? nf_result_log(result) : "");
    }
    printf("}\n");
    nf_result_free(result);
    module_close(&input);
}

int main(int argc, char **argv)
{
    static uint32_t capabilities[CAPABILITY_LIMIT];
    fitting f = {.profile = NF_PROFILE_INIT, .options = NF_OPTIONS_INIT};
    if (argc != 4) {
        fprintf(stderr, "usage: nonflat-fit CAPABILITIES LIST FLAGS\n");
        return 2;
    }
    for (char *at = argv[1]; *at && f.profile.capability_count < CAPABILITY_LIMIT; at += *at == ',') {
        char *end = at;
        capabilities[f.profile.capability_count++] = (uint32_t)strtoul(at, &end, 10);
        if (end == at) return 2;
        at = end;
    }
    f.profile.flags = (uint32_t)strtoul(argv[3], NULL, 0);
    f.profile.max_version = 0x10000;
    f.profile.extension_count = SIZE_MAX;
    f.profile.capabilities = capabilities;
    f.options.profile = &f.profile;
    f.newest = spvContextCreate(SPV_ENV_UNIVERSAL_1_6);
    f.oldest = spvContextCreate(SPV_ENV_UNIVERSAL_1_0);
    int bad = for_each_module(argv[2], fit_module, &f);
    spvContextDestroy(f.newest);
    spvContextDestroy(f.oldest);
    if (bad) fprintf(stderr, "nonflat-fit: cannot read %s\n", argv[2]);
    return bad ? 2 : 0;
}
