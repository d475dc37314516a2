/* SPDX-License-Identifier: Apache-2.0 */
/*
 * helper.h - code that the helper programs share: reading the input, messages of one line on standard error, an exit
 * status if a library ends the process, and resource limits. The layer runs these programs as separate processes
 * because they may end abnormally.
 *
 * May use: nothing.
 */
#ifndef NONFLAT_ALONE_H
#define NONFLAT_ALONE_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
    NF_EXIT_OK = 0,
    NF_EXIT_REFUSED = 1,
    NF_EXIT_USAGE = 2,
    NF_EXIT_MALFORMED = 3,
    NF_EXIT_LIMIT = 4 /* --memory or --seconds exceeded, a crash other than an abort, or the parent has ended */
};

/* ---- error.c ----------------------------------------------------------------------------------------------------- */

/* Must be called first. Installs handlers for crashes; `program` precedes every message; `trouble` precedes the reason
 * if LLVM or a driver ends the process. */
void nf_helper_begin(const char *program, const char *trouble);
/* Prints LLVM's reason and ends the process; the handler for LLVMInstallFatalErrorHandler(). */
void nf_helper_die(const char *reason);
/* Prints one line to standard error, with the program's name before it. */
void nf_helper_error(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Ends the process from a signal handler, after printing `what` and, in parentheses, `number` and `unit`. */
void nf_helper_stop(int status, const char *what, unsigned long number, const char *unit);

/* ---- words.c ----------------------------------------------------------------------------------------------------- */

/* Returns true if the argument begins with `name`, and then sets `*value` to the rest. */
bool nf_helper_take_value(const char *argument, const char *name, const char **value);
/* Returns true if the argument is `name`, and then sets `*flag` to true. */
bool nf_helper_take_flag(const char *argument, const char *name, bool *flag);
/* Prints NONFLAT: and `size`, the number of bytes written so far, so that a reader can detect truncated output. */
void nf_helper_write_end(size_t size);

/* ---- limits.c ---------------------------------------------------------------------------------------------------- */

/*
 * Applies a command-line argument to the process if it is one of these, with a positive number; else returns false:
 *
 *     --memory=MB     lowers the limits of the address space and of the size of output files; turns core files off
 *     --seconds=N     lowers the limit of the processor time
 *     --parent=PID    ends the process when the thread that started it ends, or if the process PID has ended already
 */
bool nf_helper_take_limit(const char *argument);
/* Reports that memory is exhausted and ends the process; the out-of-memory handler of C++ and LLVM. */
void nf_helper_out_of_memory(void);

/* ---- memory.cpp -------------------------------------------------------------------------------------------------- */

/* Installs nf_helper_out_of_memory() as the handler of C++ and of LLVM. */
void nf_helper_watch_memory(void);

/* ---- read.c ------------------------------------------------------------------------------------------------------ */

struct nf_bytes {
    unsigned char *data;
    size_t size;
};

/* Reads a whole file, or standard input for "-". `*bytes` must be zeros before; `data` is then malloc'ed, with an
 * additional zero byte. @return false after nf_helper_error(); then `data` may have a part of the file. */
bool nf_read_file(const char *path, struct nf_bytes *bytes);

/* ---- calls.c: for programs that use LLVM, whose types the declarations need -------------------------------------- */

struct LLVMOpaqueBuilder;
struct LLVMOpaqueValue;

/* May replace `call`, and then must erase it. */
typedef void nf_helper_call_fn(struct LLVMOpaqueBuilder *builder, struct LLVMOpaqueValue *call, const void *data);
/* Calls `replace` for each call instruction with the function as its callee, in any order, with `data`; other uses of
 * the function are ignored. */
void nf_helper_each_call(struct LLVMOpaqueValue *function, nf_helper_call_fn *replace, const void *data);

#ifdef __cplusplus
}
#endif

#endif
