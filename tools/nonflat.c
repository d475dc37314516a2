/* SPDX-License-Identifier: Apache-2.0 */
/*
 * nonflat.c - the `nonflat` command: runs the subcommand that the first argument names, or prints the version or a help
 * text.
 */
#include <stdio.h>
#include <string.h>
#ifdef NONFLAT_ZSTD
#include <zstd.h>
#endif

#include "tools/commands.h"
#include "tools/explain/explain.h"
#include "tools/help/help.h"

static const struct nf_subcommand *find_subcommand(const char *name)
{
    const struct nf_subcommand *at = nf_subcommands;
    while (at->name && strcmp(at->name, name) != 0)
        at++;
    return at->name ? at : NULL;
}

#ifdef __clang__
#define COMPILER "clang " __clang_version__
#else
#define COMPILER "gcc " __VERSION__
#endif

static int print_version(void)
{
    char maker[64];
    printf("nonflat %s\nbuilt with %s for %s\n", nf_version(), COMPILER, NONFLAT_TARGET);
#ifdef NONFLAT_ZSTD
    printf("compressed images: zstd %s\n", ZSTD_versionString());
#else
    puts("compressed images: not read, built without libzstd");
#endif
    printf("listings: %s\n", nf_disassembler_name(maker));
    return nf_finish_output();
}

/* Runs `nonflat help` and `nonflat help SUBCOMMAND`, which many other commands offer. */
static int help_on(const char *name)
{
    const struct nf_subcommand *subcommand = name ? find_subcommand(name) : NULL;
    if (name && !subcommand) return nf_print_error("unknown subcommand '%s'; try 'nonflat --help'", name);
    return subcommand ? nf_print_help(subcommand) : nf_print_usage(nf_subcommands);
}

int main(int argc, char **argv)
{
    if (argc < 2) return nf_print_error("no subcommand given; try 'nonflat --help'");
    if (strcmp(argv[1], "help") == 0) return help_on(argv[2]);
    const char *name = argv[1];
    if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0) return nf_print_usage(nf_subcommands);
    if (strcmp(name, "--version") == 0) return print_version();
    const struct nf_subcommand *subcommand = find_subcommand(name);
    if (!subcommand && *name == '-') return nf_print_error("unknown option '%s'; try 'nonflat --help'", name);
    if (!subcommand) return nf_print_error("unknown subcommand '%s'; try 'nonflat --help'", name);
    struct nf_arguments arguments;
    if (nf_parse_options(subcommand, argc - 1, argv + 1, &arguments) < 0) return NF_EXIT_TROUBLE;
    if (arguments.value[NF_KEY_HELP]) return nf_print_help(subcommand);
    arguments.table = nf_subcommands;
    return subcommand->run(&arguments);
}
