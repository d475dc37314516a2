/* SPDX-License-Identifier: Apache-2.0 */
/*
 * completion.c - `nonflat completion SHELL`: prints a completion script for bash, zsh or fish, from the table of
 * subcommands. A choice that begins with '@' selects the shell's own completion of files, folders or commands.
 */
#include <stdio.h>
#include <string.h>

#include "tools/help/help.h"

/* Prints the options of a subcommand for bash. */
static void print_names(const struct nf_subcommand *subcommand)
{
    for (size_t i = 0; i < subcommand->option_count; i++)
        printf("%s%s%s ", subcommand->options[i].name, subcommand->options[i].alias ? " " : "",
               subcommand->options[i].alias ? subcommand->options[i].alias : "");
    fputs("--help", stdout);
}

/* Prints the bash code that completes an argument. */
static void print_bash_choices(const char *choices)
{
    if (!choices)
        fputs("COMPREPLY=()", stdout);
    else if (strcmp(choices, "@folder") == 0)
        fputs("COMPREPLY=($(compgen -d -- \"$word\"))", stdout);
    else if (strcmp(choices, "@command") == 0)
        fputs("COMPREPLY=($(compgen -c -- \"$word\"))", stdout);
    else if (choices[0] == '@')
        fputs("COMPREPLY=($(compgen -f -- \"$word\"))", stdout);
    else
        printf("COMPREPLY=($(compgen -W '%s' -- \"$word\"))", choices);
}

static void print_bash_options(const struct nf_subcommand *subcommand)
{
    for (size_t i = 0; i < subcommand->option_count; i++) {
        const struct nf_option *option = &subcommand->options[i];
        if (!option->argument) continue;
        printf("        %s,%s", subcommand->name, option->name);
        if (option->alias) printf("|%s,%s", subcommand->name, option->alias);
        fputs(") ", stdout);
        print_bash_choices(option->choices);
        fputs("; return ;;\n", stdout);
    }
}

static void print_bash(const struct nf_subcommand *table)
{
    fputs("# bash completion for nonflat\n"
          "_nonflat() {\n"
          "    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} sub=${COMP_WORDS[1]} i\n"
          "    if [ \"$COMP_CWORD\" -eq 1 ]; then\n"
          "        COMPREPLY=($(compgen -W '",
          stdout);
    for (size_t i = 0; table[i].name; i++)
        printf("%s ", table[i].name);
    fputs("--help --version' -- \"$word\"))\n"
          "        return\n"
          "    fi\n"
          "    for ((i = 2; i < COMP_CWORD; i++)); do\n"
          "        if [ \"${COMP_WORDS[i]}\" = -- ]; then COMPREPLY=($(compgen -c -f -- \"$word\")); return; fi\n"
          "    done\n"
          "    case $sub,$before in\n",
          stdout);
    for (size_t i = 0; table[i].name; i++)
        print_bash_options(&table[i]);
    fputs("    esac\n    case $sub,$word in\n", stdout);
    for (size_t i = 0; table[i].name; i++) {
        printf("        %s,-*) COMPREPLY=($(compgen -W '", table[i].name);
        print_names(&table[i]);
        fputs("' -- \"$word\")) ;;\n", stdout);
        printf("        %s,*) ", table[i].name);
        print_bash_choices(table[i].rest);
        fputs(" ;;\n", stdout);
    }
    fputs("    esac\n}\ncomplete -o filenames -F _nonflat nonflat\n", stdout);
}

/* Prints the first line of `text` within a single-quoted string, and escapes quotes and the characters `special`. */
static void print_quoted(const char *text, const char *special)
{
    for (; *text && *text != '\n'; text++) {
        if (*text == '\'')
            fputs("'\\''", stdout);
        else if (strchr(special, *text))
            printf("\\%c", *text);
        else
            putchar(*text);
    }
}

static const char *zsh_action(const char *choices)
{
    if (!choices) return " ";
    if (strcmp(choices, "@folder") == 0) return "_files -/";
    if (strcmp(choices, "@command") == 0) return "_command_names -e";
    return choices[0] == '@' ? "_files" : NULL;
}

static void print_zsh_argument(const char *choices)
{
    if (zsh_action(choices))
        fputs(zsh_action(choices), stdout);
    else
        printf("(%s)", choices);
}

static void print_zsh_option(const struct nf_option *option)
{
    const char *names[] = {option->name, option->alias};
    for (int i = 0; i < 2 && names[i]; i++) {
        printf(" \\\n                '%s[", names[i]);
        print_quoted(option->help, "[]:");
        putchar(']');
        if (option->argument) {
            putchar(':');
            print_quoted(option->argument, ":");
            putchar(':');
            print_zsh_argument(option->choices);
        }
        putchar('\'');
    }
}

static void print_zsh(const struct nf_subcommand *table)
{
    fputs("#compdef nonflat\n"
          "_nonflat() {\n"
          "    local state\n"
          "    local -a subcommands=(\n",
          stdout);
    for (size_t i = 0; table[i].name; i++) {
        printf("        '%s:", table[i].name);
        print_quoted(table[i].purpose, ":");
        fputs("'\n", stdout);
    }
    fputs("    )\n"
          "    if ((CURRENT == 2)); then\n"
          "        _describe subcommand subcommands\n"
          "        compadd -- --help --version\n"
          "        return\n"
          "    fi\n"
          "    shift words\n"
          "    ((CURRENT--))\n"
          "    case $words[1] in\n",
          stdout);
    for (size_t i = 0; table[i].name; i++) {
        printf("        %s)\n            _arguments", table[i].name);
        for (size_t k = 0; k < table[i].option_count; k++)
            print_zsh_option(&table[i].options[k]);
        print_zsh_option(&nf_help_option);
        fputs(" \\\n                '*:argument:", stdout);
        print_zsh_argument(table[i].rest);
        fputs("' ;;\n", stdout);
    }
    fputs("    esac\n}\nif [ \"$funcstack[1]\" = _nonflat ]; then _nonflat \"$@\"; else compdef _nonflat nonflat; fi\n",
          stdout);
}

static void print_fish_argument(const char *choices)
{
    if (!choices)
        fputs(" -x", stdout);
    else if (strcmp(choices, "@folder") == 0)
        fputs(" -x -a '(__fish_complete_directories)'", stdout);
    else if (choices[0] == '@')
        fputs(" -r -F", stdout);
    else
        printf(" -x -a '%s'", choices);
}

static void print_fish_option(const struct nf_subcommand *subcommand, const struct nf_option *option)
{
    printf("complete -c nonflat -n '__fish_seen_subcommand_from %s' -l %s", subcommand->name, option->name + 2);
    if (option->alias) printf(" -s %s", option->alias + 1);
    if (option->argument) print_fish_argument(option->choices);
    fputs(" -d '", stdout);
    print_quoted(option->help, "");
    fputs("'\n", stdout);
}

static void print_fish(const struct nf_subcommand *table)
{
    fputs("# fish completion for nonflat\n"
          "complete -c nonflat -n __fish_use_subcommand -f\n"
          "complete -c nonflat -n __fish_use_subcommand -l help -s h -d 'the subcommands'\n"
          "complete -c nonflat -n __fish_use_subcommand -l version -d 'the version'\n",
          stdout);
    for (size_t i = 0; table[i].name; i++) {
        const struct nf_subcommand *subcommand = &table[i];
        printf("complete -c nonflat -n __fish_use_subcommand -a %s -d '", subcommand->name);
        print_quoted(subcommand->purpose, "");
        fputs("'\n", stdout);
        for (size_t k = 0; k < subcommand->option_count; k++)
            print_fish_option(subcommand, &subcommand->options[k]);
        print_fish_option(subcommand, &nf_help_option);
        if (!subcommand->rest || subcommand->rest[0] == '@') continue;
        printf("complete -c nonflat -n '__fish_seen_subcommand_from %s' -f -a '%s'\n", subcommand->name,
               subcommand->rest);
    }
}

int nf_command_completion(const struct nf_arguments *a)
{
    const char *shell = a->rest_count > 0 ? a->rest[0] : "";
    if (a->rest_count != 1) return nf_print_error("completion: name one shell: bash, zsh or fish");
    if (strcmp(shell, "bash") == 0)
        print_bash(a->table);
    else if (strcmp(shell, "zsh") == 0)
        print_zsh(a->table);
    else if (strcmp(shell, "fish") == 0)
        print_fish(a->table);
    else
        return nf_print_error("completion: unknown shell '%s'; the shells are bash, zsh and fish", shell);
    return nf_finish_output();
}
