/* SPDX-License-Identifier: Apache-2.0 */
/*
 * error.c - messages for failures of a program that contains LLVM or a driver, also if these end the process: LLVM's
 * libraries abort on input that they do not support, and the layer needs an exit status and one line of output.
 */
#include "layer/helper/helper.h"

#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const char *program_name = "nonflat";
static const char *trouble_words = "LLVM fails";

void nf_helper_error(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fprintf(stderr, "%s: ", program_name);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
}

static void write_in_handler(const char *text)
{
    ssize_t ignored = write(STDERR_FILENO, text, strlen(text));
    (void)ignored;
}

/* Reports a crash. LLVM refuses input by aborting. Other signals may be caused by the stack limit, which the host sets:
 * the same input may succeed in another process. */
static void on_crash(int signal_number)
{
    write_in_handler(program_name);
    write_in_handler(": ");
    write_in_handler(trouble_words);
    write_in_handler(": it ended with ");
    write_in_handler(signal_number == SIGABRT ? "an abort\n" : "a crash\n");
    _exit(signal_number == SIGABRT ? NF_EXIT_REFUSED : NF_EXIT_LIMIT);
}

static void say_number(unsigned long number)
{
    char digits[24], *at = digits + sizeof digits - 1;
    *at = '\0';
    do
        *--at = (char)('0' + number % 10);
    while (number /= 10);
    write_in_handler(at);
}

void nf_helper_stop(int status, const char *what, unsigned long number, const char *unit)
{
    write_in_handler(program_name);
    write_in_handler(": ");
    write_in_handler(what);
    write_in_handler(" (");
    say_number(number);
    write_in_handler(" ");
    write_in_handler(unit);
    write_in_handler(")\n");
    _exit(status);
}

void nf_helper_die(const char *reason)
{
    nf_helper_error("%s: %s", trouble_words, reason);
    _exit(NF_EXIT_REFUSED);
}

void nf_helper_begin(const char *program, const char *trouble)
{
    static unsigned char stack[1 << 16]; /* the crash may be an overflow of the regular stack */
    stack_t alternate = {.ss_sp = stack, .ss_size = sizeof stack};
    program_name = program;
    trouble_words = trouble;
    sigaltstack(&alternate, NULL);
    struct sigaction action = {.sa_handler = on_crash, .sa_flags = SA_ONSTACK};
    static const int signals[] = {SIGABRT, SIGSEGV, SIGBUS, SIGILL, SIGFPE};
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
        sigaction(signals[i], &action, NULL);
}
