/* SPDX-License-Identifier: Apache-2.0 */
/*
 * alone.h - what the programs share that the layer starts because their process may end: reading their input, one line on
 * standard error, an exit status where a library of theirs ends the process, and limits of what they may use up.
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
    NF_EXIT_LIMIT = 4 /* more than --memory or --seconds allow, or a crash */
};

/* ---- complain.c -------------------------------------------------------------------------------------------------- */

/* Call first: the program's name stands in front of every complaint, and `trouble` before what LLVM died of. */
void nf_alone_begin(const char *program, const char *trouble);
/* The end, with LLVM's reason: for LLVMInstallFatalErrorHandler(). */
void nf_alone_die(const char *reason);
/* One line on standard error, with the program's name in front. */
void nf_complain(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Ends the process from inside a signal handler: what is said, and behind it a number of something in brackets. */
void nf_alone_stop(int status, const char *what, unsigned long number, const char *unit);

/* ---- words.c ----------------------------------------------------------------------------------------------------- */

/* Is the word `name`, with a value behind it? */
bool nf_alone_take_value(const char *argument, const char *name, const char **value);
/* Is it `name`? Then the flag is set. */
bool nf_alone_take_flag(const char *argument, const char *name, bool *flag);
/* Write NONFLAT: and how many bytes have been written, so that a reader knows that they are all there. */
void nf_alone_write_end(size_t size);

/* ---- limits.c ---------------------------------------------------------------------------------------------------- */

/* Take one of these words of a command line, and do as it says from now on. @return false when it is none of them.
 *
 *     --memory=MB     no more memory, and no longer output
 *     --seconds=N     no more processor time
 *     --parent=PID    end when that process ends, which has started this one */
bool nf_alone_take_limit(const char *argument);
/* For the handlers that C++ and LLVM call when memory ends: says so, and ends the process. */
void nf_alone_memory_over(void);

/* ---- memory.cpp -------------------------------------------------------------------------------------------------- */

/* Have them call it. */
void nf_alone_watch_memory(void);

/* ---- read.c ------------------------------------------------------------------------------------------------------ */

struct nf_bytes {
    unsigned char *data;
    size_t size;
};

/* Read a whole file, or standard input for "-". `data` is malloc'ed, with a zero after its end. */
bool nf_read_file(const char *path, struct nf_bytes *bytes);

/* ---- calls.c: for those with LLVM, whose types these are --------------------------------------------------------- */

struct LLVMOpaqueBuilder;
struct LLVMOpaqueValue;

/* May put something in the place of the call, which it erases then. */
typedef void nf_alone_call_fn(struct LLVMOpaqueBuilder *builder, struct LLVMOpaqueValue *call, const void *data);
/* Each call of the function, in any order; uses that are no calls of it are passed over. `data` is handed on. */
void nf_alone_each_call(struct LLVMOpaqueValue *function, nf_alone_call_fn *replace, const void *data);

#ifdef __cplusplus
}
#endif

#endif
