/* SPDX-License-Identifier: Apache-2.0 */
/*
 * specialize.c - `nonflat specialize`: one module from a file, through the core library, to a file.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"

static const char usage[] =
    "usage: nonflat specialize IN.spv -o OUT.spv [options]\n"
    "\n"
    "Writes IN.spv without the generic address space to OUT.spv; '-' is standard input or output.\n"
    "A module with nothing generic in it comes out as it is, byte for byte.\n"
    "\n"
    "  -o OUT.spv        where the module goes; may be left out when there is a --report\n"
    "  --mode MODE       auto     proven spaces, then run-time tags for the rest (default)\n"
    "                    static   an ambiguous pointer is an error that explains itself\n"
    "                    hint     the rest stays generic\n"
    "                    dynamic  run-time tags for everything\n"
    "                    off      the module as it is\n"
    "  --report FILE     write a JSON report; '-' is standard output\n"
    "  --library         exported functions may be called from other modules\n"
    "  --spir12          give the module the forms that SPIR 1.2 translators know\n"
    "  --trace LETTERS   trace stages on standard error: r read, c constraints, s solution, w rewriting\n"
    "  --help, -h        this text\n"
    "\n"
    "exit status: 0 done, 1 refused with the reason, 2 usage or file trouble, 3 malformed SPIR-V\n";

typedef struct request {
    const char *input, *output, *report, *mode, *trace;
    int library, spir12, help;
} request;

/* @return NF_EXIT_DONE, or NF_EXIT_TROUBLE after a complaint. */
static int read_request(int argc, char **argv, request *r)
{
    const nf_option options[] = {
        {"-o", &r->output, NULL},       {"--output", &r->output, NULL}, {"--mode", &r->mode, NULL},
        {"--report", &r->report, NULL}, {"--trace", &r->trace, NULL},   {"--library", NULL, &r->library},
        {"--spir12", NULL, &r->spir12}, {"--help", NULL, &r->help},     {"-h", NULL, &r->help},
    };
    int left = nf_take_options("specialize", argc, argv, options, sizeof options / sizeof options[0], 0);
    if (left < 0) return NF_EXIT_TROUBLE;
    if (r->help) return NF_EXIT_DONE;
    if (left == 0) return nf_complain("specialize: no input given; try 'nonflat specialize --help'");
    if (left > 1) return nf_complain("specialize: one input at a time, but there is also '%s'", argv[1]);
    r->input = argv[0];
    if (!r->output && !r->report) return nf_complain("specialize: no output given; use -o OUT.spv");
    if (r->output && r->report && strcmp(r->output, "-") == 0 && strcmp(r->report, "-") == 0)
        return nf_complain("specialize: module and report cannot both go to standard output");
    return NF_EXIT_DONE;
}

static void print_trace(void *user, const char *line)
{
    (void)user;
    fprintf(stderr, "%s\n", line);
}

/* Print each line of the result's log after "nonflat: ". */
static void print_log(const nf_result *result)
{
    for (const char *line = result ? nf_result_log(result) : ""; *line;) {
        size_t length = strcspn(line, "\n");
        if (length > 0) nf_complain("%.*s", (int)length, line);
        line += length + (line[length] == '\n');
    }
}

/* @return 0, or -1 after a complaint. */
static int write_report(const char *path, const nf_result *result)
{
    const char *report = nf_result_report(result);
    size_t length = strlen(report);
    char *line = malloc(length + 2);
    if (!line) {
        nf_complain("out of memory");
        return -1;
    }
    memcpy(line, report, length);
    if (length == 0 || report[length - 1] != '\n') line[length++] = '\n';
    int status = nf_write_whole(path, line, length);
    free(line);
    return status;
}

/* Write what was asked for. @return the exit status. */
static int deliver(const request *r, nf_status status, const nf_result *result)
{
    print_log(result);
    if (status == NF_OUT_OF_MEMORY) return nf_complain("out of memory");
    if (status == NF_INVALID_ARGUMENT) return nf_complain("specialize: %s", nf_status_string(status));
    if (status == NF_OK && r->output && nf_write_whole(r->output, nf_result_bytes(result), nf_result_size(result)) < 0)
        return NF_EXIT_TROUBLE;
    if (r->report && write_report(r->report, result) < 0) return NF_EXIT_TROUBLE;
    return (int)status;
}

int nf_command_specialize(int argc, char **argv)
{
    request r = {NULL, NULL, NULL, "auto", NULL, 0, 0, 0};
    int trouble = read_request(argc, argv, &r);
    if (trouble) return trouble;
    if (r.help) return nf_put_text(usage);

    nf_options options = NF_OPTIONS_INIT;
    nf_profile profile = {0};
    if (!nf_mode_from_name(r.mode, &options.mode))
        return nf_complain("specialize: no mode '%s'; there are auto, static, hint, dynamic and off", r.mode);
    options.library = r.library;
    if (r.spir12) profile.flags = NF_PROFILE_SPIR12;
    options.profile = r.spir12 ? &profile : NULL;
    options.dump = r.trace;
    options.dump_line = print_trace;

    size_t size = 0;
    unsigned char *module = nf_read_whole(r.input, &size);
    if (!module) return NF_EXIT_TROUBLE;
    nf_result *result = NULL;
    nf_status status = nf_specialize(module, size, &options, &result);
    int exit_status = deliver(&r, status, result);
    nf_result_free(result);
    free(module);
    return exit_status;
}
