/* SPDX-License-Identifier: Apache-2.0 */
/*
 * shape.h - what the files of the shape runner share.
 *
 * The runner takes one .spvasm file, specialises it in every mode and checks what must hold for every module
 * (properties.c), then what the file's own comments ask for (expect.c, text.c, json_path.c). shape.c is the order of
 * it. Nothing here uses the core's reader: what is checked and what checks share no code.
 */
#ifndef NF_TESTS_SHAPE_H
#define NF_TESTS_SHAPE_H

#include <stddef.h>
#include <stdint.h>

#include "nonflat/nonflat.h"

#define NF_MODE_COUNT 5

/* SPIR-V as words in this machine's byte order. */
typedef struct words {
    uint32_t *data;
    size_t count;
} words;

/* ---- shape.c -------------------------------------------------------------------------------------------------- */

/* Count and print one failure. */
void shape_fail(const char *format, ...) __attribute__((format(printf, 1, 2)));

extern const char *const shape_mode_names[NF_MODE_COUNT];

/* ---- expect.c ------------------------------------------------------------------------------------------------- */

/* One "; KEYWORD[-MODE]: text" line. */
typedef struct expectation {
    const char *keyword; /* REPORT, STATUS, LOG */
    int mode;            /* of nf_mode; -1: every mode that the RUN-MODE line lists */
    const char *text;
} expectation;

typedef struct expectations {
    expectation *list;
    size_t count;
    int checked[NF_MODE_COUNT]; /* the modes of the RUN-MODE lines; only auto when there is none */
    int validates_input;        /* 0: the file says that the validator cannot know this */
    int validates_output;       /* 0: nor what becomes of it */
    int library;
    int has_profile;    /* 0: any device */
    nf_profile profile; /* flags, faults and the form of addresses */
    uint32_t faults[4];
    nf_spec_value spec[8];
    size_t spec_count;
    int target; /* what text_target() gave */
} expectations;

/* Read the comments of `source`, which is cut into strings and must outlive the result. */
void expect_read(char *source, expectations *e);
/* @return the status wanted in `mode`, or -1 when the file does not say. */
int expect_status(const expectations *e, int mode);
/* Whether `item` is about `mode`. */
int expect_applies(const expectations *e, const expectation *item, int mode);

/* ---- text.c --------------------------------------------------------------------------------------------------- */

/* @return the validator's number for "opencl2.2" and its like, or -1. */
int text_target(const char *name);
words text_assemble(int target, const char *source);
/*
 * The module as text, one instruction a line; inside functions each line ends with the storage classes of its pointer
 * operands in order, as in "OpStore %12 %uint_1 ; @Workgroup". What the disassembler does not know comes as "Op4417
 * 0x00000003 ...". @return malloc'ed.
 */
char *text_disassemble(words module);
/* @return the validator's first message, malloc'ed, or NULL when it finds nothing. */
char *text_validate(int target, words module);

/* ---- properties.c --------------------------------------------------------------------------------------------- */

/* @return what is generic in the module, or NULL when nothing is. */
const char *find_generic(words module);
words swap_bytes(words module);
/* Fail when what a host program can ask of a module differs: kernels in order, their parameters, spec ids. */
void check_interface(words before, words after);

/* ---- json_path.c ---------------------------------------------------------------------------------------------- */

/* Put the value at `path` ("accesses.static", "ambiguous.0.spaces", "ambiguous.length") into `value`. @return 1 or
 * 0. */
int json_value(const char *json, const char *path, char *value, size_t size);
/* @return whether `json` is one whole, well-formed JSON value. */
int json_well_formed(const char *json);

#endif
