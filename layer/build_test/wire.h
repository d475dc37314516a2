/* SPDX-License-Identifier: Apache-2.0 */
/*
 * wire.h - the messages between the layer and nonflat-try, through a socket. Both run on one machine, so integers have
 * the byte order and the alignment of the processor. For each build the layer sends a request:
 *
 *     struct nf_try_head | struct nf_try_spec ... | the options, without a NUL | the module or the text
 *
 * and receives answers, each a struct nf_try_answer and the bytes that it announces: NF_TRY_BEGINS, then
 * NF_TRY_RETURNS. NF_TRY_ENDS replaces either of them if the process that runs the driver has ended; it has the end of
 * the output of that process, and is the last answer.
 */
#ifndef NONFLAT_TRY_WIRE_H
#define NONFLAT_TRY_WIRE_H

#include <stdint.h>

/* The version of these messages. */
#define NF_TRY_PROTOCOL "--protocol=2"

/* Flags of a request. */
enum {
    NF_TRY_COMPILE = 1, /* clCompileProgram instead of clBuildProgram */
    NF_TRY_LAUNCH = 2,  /* kernels of the idle copy are also launched */
    NF_TRY_SOURCE = 4,  /* the input is OpenCL C */
    NF_TRY_BINARY = 8 /* NF_TRY_RETURNS has the driver's log and its binary, if the build succeeds and there are both */
};

struct nf_try_head {
    uint32_t flags, spec_count;
    uint64_t options_size, module_size;
};

struct nf_try_spec {
    uint32_t id, size;
    uint64_t value;
};

enum { NF_TRY_BEGINS = 1, NF_TRY_RETURNS, NF_TRY_ENDS };

struct nf_try_answer {
    uint32_t word;
    int32_t number; /* BEGINS: id of the process that sends ENDS; RETURNS: error code of the build; ENDS: wait status */
    /* Number of bytes that follow. RETURNS: the log with its NUL, and the binary, or none; ENDS: the last that the
     * process printed. */
    uint64_t size;
};

#endif
