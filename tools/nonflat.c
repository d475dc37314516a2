/* SPDX-License-Identifier: Apache-2.0 */
/*
 * nonflat.c - the `nonflat` command: picks the subcommand named by the first argument.
 */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "command.h"

static const char usage[] =
    "usage: nonflat SUBCOMMAND [options]\n"
    "\n"
    "  specialize IN.spv -o OUT.spv   take the generic address space out of a SPIR-V module\n"
    "  run -- COMMAND [ARGUMENT...]   start a program with the Nonflat OpenCL layer\n"
    "\n"
    "  --help, -h                     this text; 'nonflat SUBCOMMAND --help' for its options\n"
    "  --version                      the version\n"
    "\n"
    "exit status: 0 done, 1 refused with the reason, 2 usage or file trouble, 3 malformed SPIR-V\n";

int nf_complain(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fputs("nonflat: ", stderr);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    return NF_EXIT_TROUBLE;
}

int nf_put_text(const char *text)
{
    if (fputs(text, stdout) == EOF || fflush(stdout) == EOF) return nf_complain("cannot write to standard output");
    return NF_EXIT_DONE;
}

int main(int argc, char **argv)
{
    if (argc < 2) return nf_complain("no subcommand given; try 'nonflat --help'");
    const char *name = argv[1];
    if (strcmp(name, "specialize") == 0) return nf_command_specialize(argc - 1, argv + 1);
    if (strcmp(name, "run") == 0) return nf_command_run(argc - 1, argv + 1);
    if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0) return nf_put_text(usage);
    if (strcmp(name, "--version") == 0) {
        char line[64];
        snprintf(line, sizeof line, "nonflat %s\n", nf_version());
        return nf_put_text(line);
    }
    return nf_complain("unknown subcommand '%s'; try 'nonflat --help'", name);
}
