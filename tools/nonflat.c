/* SPDX-License-Identifier: Apache-2.0 */
/*
 * nonflat.c - the `nonflat` command: picks the subcommand named by the first argument.
 */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "command.h"

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

int nf_finish_output(void)
{
    if (fflush(stdout) == EOF || ferror(stdout))
        return nf_complain("cannot write to standard output: %s", strerror(errno ? errno : EIO));
    return NF_EXIT_DONE;
}

/* `nonflat help` and `nonflat help SUBCOMMAND`, as many other commands have them. */
static int help_on(const char *name)
{
    const nf_subcommand *subcommand = name ? nf_find_subcommand(name) : NULL;
    if (name && !subcommand) return nf_complain("unknown subcommand '%s'; try 'nonflat --help'", name);
    return subcommand ? nf_print_help(subcommand) : nf_print_usage();
}

int main(int argc, char **argv)
{
    if (argc < 2) return nf_complain("no subcommand given; try 'nonflat --help'");
    if (strcmp(argv[1], "help") == 0) return help_on(argv[2]);
    const char *name = argv[1];
    if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0) return nf_print_usage();
    if (strcmp(name, "--version") == 0) return nf_print_version();
    const nf_subcommand *subcommand = nf_find_subcommand(name);
    if (!subcommand && *name == '-') return nf_complain("unknown option '%s'; try 'nonflat --help'", name);
    if (!subcommand) return nf_complain("unknown subcommand '%s'; try 'nonflat --help'", name);
    nf_arguments arguments;
    if (nf_take_options(subcommand, argc - 1, argv + 1, &arguments) < 0) return NF_EXIT_TROUBLE;
    if (arguments.value[NF_KEY_HELP]) return nf_print_help(subcommand);
    return subcommand->run(&arguments);
}
