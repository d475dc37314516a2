/* SPDX-License-Identifier: Apache-2.0 */
/*
 * posix.h - POSIX functions for the tests of the layer on Windows: the compiler includes this file before each test
 * (-include). A test that needs a function that Windows lacks, such as fork() or a shell, is skipped at that call, and
 * the reason is printed.
 */
#ifndef TESTS_LAYER_WINDOWS_POSIX_H
#define TESTS_LAYER_WINDOWS_POSIX_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <malloc.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* Skips the current test. */
static inline int lacks(const char *what)
{
    print_message("needs %s\n", what);
    skip();
    return -1;
}
#define fork() lacks("fork()")
/* In shell.c: shell commands that consist of settings and a test program. */
int run_in_shell(const char *command);
FILE *open_in_shell(const char *command, const char *how);
int close_in_shell(FILE *file);
#define popen open_in_shell
#define pclose close_in_shell
#define system run_in_shell
#define usleep(time) nanosleep(&(struct timespec){(time) / 1000000, (long)((time) % 1000000 * 1000)}, NULL)
#define setenv(name, value, replace) _putenv_s(name, value)
#define unsetenv(name) _putenv_s(name, "")

static inline char *strndup(const char *text, size_t size)
{
    size_t length = strnlen(text, size);
    char *copy = calloc(length + 1, 1);
    return copy ? memcpy(copy, text, length) : NULL;
}

#endif
