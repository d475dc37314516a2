/* SPDX-License-Identifier: Apache-2.0 */
/*
 * help.c - prints --help, from the table of subcommands.
 */
#include <stdio.h>
#include <string.h>

#include "tools/help/help.h"

#define STATUSES "0 done, 1 refused, with the reason, 2 invalid usage or a file error, 3 malformed SPIR-V"

int nf_print_usage(const struct nf_subcommand *table)
{
    fputs("usage: nonflat SUBCOMMAND [options]\n\n", stdout);
    for (; table->name; table++)
        printf("  %-14s %s\n", table->name, table->purpose);
    fputs("\n"
          "  --help, -h     print this text; 'nonflat SUBCOMMAND --help' prints the options of a subcommand\n"
          "  --version      print the version, and the libraries that the command was built with\n"
          "\n"
          "exit status: " STATUSES "\n",
          stdout);
    return nf_finish_output();
}

static void print_option(const struct nf_option *option, int width)
{
    char left[64];
    snprintf(left, sizeof left, "%s%s%s%s%s", option->name, option->alias ? ", " : "",
             option->alias ? option->alias : "", option->argument ? " " : "", option->argument ? option->argument : "");
    const char *line = option->help;
    for (bool first = true; line; first = 0) {
        const char *end = strchr(line, '\n');
        int length = end ? (int)(end - line) : (int)strlen(line);
        printf("  %-*s  %.*s\n", width, first ? left : "", length, line);
        line = end ? end + 1 : NULL;
    }
}

int nf_print_help(const struct nf_subcommand *subcommand)
{
    printf("usage: nonflat %s %s\n\n%s\n\n", subcommand->name, subcommand->synopsis, subcommand->details);
    int width = 0;
    for (size_t i = 0; i < subcommand->option_count; i++) {
        const struct nf_option *o = &subcommand->options[i];
        int length = (int)strlen(o->name) + (o->alias ? 2 + (int)strlen(o->alias) : 0) +
                     (o->argument ? 1 + (int)strlen(o->argument) : 0);
        width = length > width ? length : width;
    }
    width = width < 10 ? 10 : width;
    for (size_t i = 0; i < subcommand->option_count; i++)
        print_option(&subcommand->options[i], width);
    print_option(&nf_help_option, width);
    printf("\nexit status: %s\n", subcommand->statuses ? subcommand->statuses : STATUSES);
    return nf_finish_output();
}
