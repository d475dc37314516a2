/* SPDX-License-Identifier: Apache-2.0 */
/*
 * shell.c - executes the shell commands of the tests that consist of settings and a test program:
 *
 *     NONFLAT_CACHE='/tmp/x' NONFLAT_BINARIES=off 'test_native.exe' look 3 0 > /dev/null
 *
 * Any other command skips the test. A setting that is an absolute path gets the current drive.
 */
#include "posix.h"

#include <direct.h>
#include <fcntl.h>
#include <io.h>
#include <process.h>
#include <stdbool.h>
#include <stdio.h>

#undef system

enum { WORDS_MOST = 16, WORD_MOST = 1024, PIPES_MOST = 8 };

struct command {
    char words[WORDS_MOST][WORD_MOST];
    size_t count, settings; /* number of words, and of settings among them, which come first */
    char before[WORDS_MOST][WORD_MOST];
};

/* The output of a child is compared byte for byte. */
static __attribute__((constructor)) void write_bytes(void)
{
    _setmode(1, _O_BINARY);
}

/* Splits a command at its blanks; words may be quoted. */
static void split(const char *text, struct command *command)
{
    memset(command, 0, sizeof *command);
    for (text += strspn(text, " "); *text && command->count < WORDS_MOST; text += strspn(text, " ")) {
        char *into = command->words[command->count++];
        bool quoted = false;
        for (; *text && (quoted || *text != ' '); text++) {
            if (*text == '\'')
                quoted = !quoted;
            else
                *into++ = *text;
        }
    }
    while (command->settings < command->count && strchr(command->words[command->settings], '=') &&
           strncmp(command->words[command->settings], "-", 1) != 0)
        command->settings++;
    if (command->count >= 2 && strcmp(command->words[command->count - 1], "/dev/null") == 0) command->count -= 2;
}

static void set(struct command *command, bool back)
{
    for (size_t i = 0; i < command->settings; i++) {
        char name[WORD_MOST], value[WORD_MOST + 2];
        const char *equals = strchr(command->words[i], '='), *old;
        snprintf(name, sizeof name, "%.*s", (int)(equals - command->words[i]), command->words[i]);
        char drive[] = {(char)('A' + _getdrive() - 1), ':', '\0'};
        snprintf(value, sizeof value, "%s%s", equals[1] == '/' ? drive : "", equals + 1);
        if (!back && (old = getenv(name))) snprintf(command->before[i], WORD_MOST, "%s", old);
        _putenv_s(name, back ? command->before[i] : value);
    }
}

/* Quotes a word as the C library of the child parses it. */
static void quote(const char *word, char *into)
{
    *into++ = '"';
    for (; *word; word++) {
        if (*word == '"') *into++ = '\\';
        *into++ = *word;
    }
    strcpy(into, "\"");
}

/* Parses a command, and skips the test if it starts anything but a test program. */
static void take(const char *text, struct command *command)
{
    split(text, command);
    const char *end = strrchr(command->words[command->settings], '.');
    if (command->settings >= command->count || !end || strcmp(end, ".exe") != 0) lacks("a POSIX shell");
}

/* Starts the command. Returns the process, or its exit status after `_P_WAIT`. */
static intptr_t start(struct command *command, int how)
{
    static char quoted[WORDS_MOST][2 * WORD_MOST];
    const char *arguments[WORDS_MOST + 1] = {NULL};
    for (size_t i = command->settings; i < command->count; i++) {
        quote(command->words[i], quoted[i]);
        arguments[i - command->settings] = quoted[i];
    }
    set(command, false);
    intptr_t result = _spawnv(how, command->words[command->settings], arguments);
    set(command, true);
    return result;
}

static void remove_files(const char *folder)
{
    char command[WORD_MOST + 32], path[WORD_MOST];
    snprintf(path, sizeof path, "%s", folder);
    for (char *at = path; (at = strchr(at, '/'));)
        *at = '\\';
    snprintf(command, sizeof command, "rmdir /s /q %s 2>NUL", path);
    system(command);
}

int run_in_shell(const char *text)
{
    struct command command;
    split(text, &command);
    if (strcmp(command.words[0], "rm") != 0) {
        take(text, &command);
        return (int)start(&command, _P_WAIT);
    }
    for (size_t i = 2; i < command.count; i++)
        remove_files(command.words[i]);
    return 0;
}

static struct {
    FILE *file;
    intptr_t process;
} pipes[PIPES_MOST];

FILE *open_in_shell(const char *text, const char *how)
{
    struct command command;
    int ends[2], output;
    size_t place = 0;
    take(text, &command);
    while (place < PIPES_MOST && pipes[place].file)
        place++;
    if (place == PIPES_MOST || _pipe(ends, 65536, _O_BINARY | _O_NOINHERIT) != 0) return NULL;
    fflush(stdout);
    output = _dup(1);
    _dup2(ends[1], 1);
    pipes[place].process = start(&command, _P_NOWAIT);
    _dup2(output, 1);
    _close(output);
    _close(ends[1]);
    (void)how;
    return pipes[place].file = _fdopen(ends[0], "rb");
}

int close_in_shell(FILE *file)
{
    int status = -1;
    fclose(file);
    for (size_t i = 0; i < PIPES_MOST; i++) {
        if (pipes[i].file != file) continue;
        _cwait(&status, pipes[i].process, 0);
        pipes[i].file = NULL;
    }
    return status;
}
