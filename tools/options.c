/* SPDX-License-Identifier: Apache-2.0 */
/*
 * options.c - the options of a subcommand, from a table. "--name value" and "--name=value" mean the same.
 *
 * Not getopt_long: it permutes, abbreviates ("--mo") and words its complaints differently on every C library.
 */
#include <string.h>

#include "command.h"

/* @return the option that `argument` names, or NULL; `*attached` is what follows its '=', or NULL. */
static const nf_option *find_option(const char *argument, const nf_option *options, size_t count, const char **attached)
{
    for (size_t i = 0; i < count; i++) {
        size_t length = strlen(options[i].name);
        if (strncmp(argument, options[i].name, length) != 0) continue;
        *attached = argument[length] == '=' ? argument + length + 1 : NULL;
        if (argument[length] == '\0' || *attached) return &options[i];
    }
    return NULL;
}

/* Take the option at argv[i] and its argument. @return the index of the last element taken, or -1. */
static int take_one(const char *subcommand, int i, int argc, char **argv, const nf_option *options, size_t count)
{
    const char *attached = NULL;
    const nf_option *option = find_option(argv[i], options, count, &attached);
    if (!option) {
        nf_complain("%s: unknown option '%s'; try 'nonflat %s --help'", subcommand, argv[i], subcommand);
        return -1;
    }
    if (option->flag) {
        if (attached) {
            nf_complain("%s: option '%s' takes no argument", subcommand, option->name);
            return -1;
        }
        *option->flag = 1;
        return i;
    }
    if (!attached && i + 1 >= argc) {
        nf_complain("%s: option '%s' needs an argument", subcommand, option->name);
        return -1;
    }
    *option->value = attached ? attached : argv[i + 1];
    return attached ? i : i + 1;
}

int nf_take_options(const char *subcommand, int argc, char **argv, const nf_option *options, size_t option_count,
                    int stop_early)
{
    int left = 0;
    int i = 1;
    for (; i < argc; i++) {
        if (strcmp(argv[i], "--") == 0) {
            i++;
            break;
        }
        int is_option = argv[i][0] == '-' && argv[i][1] != '\0';
        if (!is_option && stop_early) break;
        if (!is_option) {
            argv[left++] = argv[i];
            continue;
        }
        i = take_one(subcommand, i, argc, argv, options, option_count);
        if (i < 0) return -1;
    }
    while (i < argc)
        argv[left++] = argv[i++];
    argv[left] = NULL;
    return left;
}

int nf_mode_from_name(const char *name, nf_mode *mode)
{
    static const char *const names[] = {[NF_MODE_AUTO] = "auto",
                                        [NF_MODE_STATIC] = "static",
                                        [NF_MODE_HINT] = "hint",
                                        [NF_MODE_DYNAMIC] = "dynamic",
                                        [NF_MODE_OFF] = "off"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (strcmp(name, names[i]) != 0) continue;
        *mode = (nf_mode)i;
        return 1;
    }
    return 0;
}
