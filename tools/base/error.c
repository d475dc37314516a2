/* SPDX-License-Identifier: Apache-2.0 */
/*
 * error.c - error messages of the subcommands, and the final flush of standard output.
 */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "tools/base/base.h"

int nf_print_error(const char *format, ...)
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
        return nf_print_error("cannot write to standard output: %s", strerror(errno ? errno : EIO));
    return NF_EXIT_DONE;
}
