/* SPDX-License-Identifier: Apache-2.0 */
/*
 * options.c - parses the options of a subcommand by its table. "--name value" and "--name=value" are equivalent.
 *
 * getopt_long() is not used, because it reorders arguments, accepts abbreviations ("--mo"), and has other error
 * messages in each C library.
 */
#include <string.h>

#include "tools/base/base.h"

const struct nf_option nf_help_option = {NF_KEY_HELP, "--help", "-h", NULL, NULL, "print this text"};

/* Returns true if `argument` is `name`, or `name` with "=" and a value; then `*attached` is that value, or NULL without
 * "=". `name` may be NULL. */
static bool is_called(const char *argument, const char *name, const char **attached)
{
    size_t length = name ? strlen(name) : 0;
    if (!name || strncmp(argument, name, length) != 0) return false;
    *attached = argument[length] == '=' ? argument + length + 1 : NULL;
    return argument[length] == '\0' || *attached;
}

/* Returns the option that `argument` names, with `*attached` set to the text after '=' or to NULL; NULL if there is
 * none. */
static const struct nf_option *find_option(const struct nf_subcommand *subcommand, const char *argument,
                                           const char **attached)
{
    for (size_t i = 0; i < subcommand->option_count; i++) {
        const struct nf_option *option = &subcommand->options[i];
        if (is_called(argument, option->name, attached) || is_called(argument, option->alias, attached)) return option;
    }
    const struct nf_option *help = &nf_help_option;
    return is_called(argument, help->name, attached) || is_called(argument, help->alias, attached) ? help : NULL;
}

/* Parses the option at argv[i] and its argument. Returns the index in `argv` of the last element that belongs to the
 * option, or -1 after printing an error. */
static int take_one(const struct nf_subcommand *subcommand, int i, int argc, char **argv,
                    struct nf_arguments *arguments)
{
    const char *attached = NULL;
    const struct nf_option *option = find_option(subcommand, argv[i], &attached);
    int name_length = (int)strcspn(argv[i], "=");
    if (!option) {
        nf_print_error("%s: unknown option '%s'; try 'nonflat %s --help'", subcommand->name, argv[i], subcommand->name);
        return -1;
    }
    if (!option->argument && attached) {
        nf_print_error("%s: option '%.*s' takes no argument", subcommand->name, name_length, argv[i]);
        return -1;
    }
    if (option->argument && !attached && i + 1 >= argc) {
        nf_print_error("%s: option '%s' needs an argument", subcommand->name, argv[i]);
        return -1;
    }
    arguments->value[option->key] = !option->argument ? "" : attached ? attached : argv[i + 1];
    return option->argument && !attached ? i + 1 : i;
}

int nf_parse_options(const struct nf_subcommand *subcommand, int argc, char **argv, struct nf_arguments *arguments)
{
    int left = 0;
    int i = 1;
    memset(arguments, 0, sizeof *arguments);
    for (; i < argc; i++) {
        if (strcmp(argv[i], "--") == 0) {
            i++;
            break;
        }
        bool is_option = argv[i][0] == '-' && argv[i][1] != '\0';
        if (!is_option && subcommand->stops_early) break;
        if (!is_option) {
            argv[left++] = argv[i];
            continue;
        }
        i = take_one(subcommand, i, argc, argv, arguments);
        if (i < 0) return -1;
    }
    while (i < argc)
        argv[left++] = argv[i++];
    argv[left] = NULL;
    arguments->rest = argv;
    arguments->rest_count = left;
    return 0;
}

bool nf_mode_from_name(const char *name, nf_mode *mode)
{
    static const char *const names[] = {[NF_MODE_AUTO] = "auto",
                                        [NF_MODE_STATIC] = "static",
                                        [NF_MODE_HINT] = "hint",
                                        [NF_MODE_DYNAMIC] = "dynamic",
                                        [NF_MODE_OFF] = "off"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (strcmp(name, names[i]) != 0) continue;
        *mode = (nf_mode)i;
        return true;
    }
    return false;
}
