/* SPDX-License-Identifier: Apache-2.0 */
/*
 * shape.h - declarations that the files of the shape runner share.
 *
 * The runner takes one .spvasm file, specializes it in every mode and checks the properties of every module
 * (properties.c), then the expectations in the file's comments (expect.c, text.c, json_path.c). shape.c has the
 * sequence of checks. The runner does not use the core's reader: the code under test and its checks are independent.
 */
#ifndef NF_TESTS_SHAPE_H
#define NF_TESTS_SHAPE_H

#include <stddef.h>
#include <stdint.h>

#include "nonflat/nonflat.h"

#define NF_MODE_COUNT 5

/* SPIR-V as words in the host's byte order. */
typedef struct words {
    uint32_t *data;
    size_t count;
} words;

/* ---- shape.c -------------------------------------------------------------------------------------------------- */

/* Counts and prints one failure. */
void shape_fail(const char *format, ...) __attribute__((format(printf, 1, 2)));

extern const char *const shape_mode_names[NF_MODE_COUNT];

/* ---- expect.c ------------------------------------------------------------------------------------------------- */

/* One "; KEYWORD[-MODE]: text" line. */
typedef struct expectation {
    const char *keyword; /* REPORT, STATUS, LOG */
    int mode;            /* an nf_mode; -1: every mode that the RUN-MODE lines list */
    const char *text;
} expectation;

typedef struct expectations {
    expectation *list;
    size_t count;
    int checked[NF_MODE_COUNT]; /* the modes of the RUN-MODE lines; auto if there is none */
    int validates_input;        /* 0: the validator does not accept the input */
    int validates_output;       /* 0: the validator does not accept the output either */
    int library;
    int has_profile;    /* 0: the profile is NULL */
    nf_profile profile; /* flags, faults and the form of addresses */
    uint32_t faults[4];
    nf_spec_value spec[8];
    size_t spec_count;
    int target; /* the result of text_target() */
} expectations;

/* Reads the comments of `source`, which is split into strings and must outlive the result. */
void expect_read(char *source, expectations *e);
/* @return the expected status in `mode`, or -1 if the file gives none. */
int expect_status(const expectations *e, int mode);
/* Returns true if `item` applies to `mode`. */
int expect_applies(const expectations *e, const expectation *item, int mode);

/* ---- text.c --------------------------------------------------------------------------------------------------- */

/* @return the validator's number for "opencl2.2" and similar names, or -1. */
int text_target(const char *name);
words text_assemble(int target, const char *source);
/*
 * Returns the module as text, one instruction a line; inside functions each line ends with the storage classes of its
 * pointer operands in order, as in "OpStore %12 %uint_1 ; @Workgroup". Instructions that the disassembler does not know
 * are written as "Op4417 0x00000003 ...". @return malloc'ed.
 */
char *text_disassemble(words module);
/* @return the validator's first message, malloc'ed, or NULL if there is none. */
char *text_validate(int target, words module);

/* ---- properties.c --------------------------------------------------------------------------------------------- */

/* @return a description of something generic in the module, or NULL if there is nothing. */
const char *find_generic(words module);
words swap_bytes(words module);
/* Fails if properties that a host program can query differ between the modules: kernels in order, their parameters,
 * spec ids. */
void check_interface(words before, words after);

/* ---- json_path.c ---------------------------------------------------------------------------------------------- */

/* Writes the value at `path` ("accesses.static", "ambiguous.0.spaces", "ambiguous.length") to `value`. @return 1 if it
 * exists, else 0. */
int json_value(const char *json, const char *path, char *value, size_t size);
/* @return true if `json` is one complete, well-formed JSON value. */
int json_well_formed(const char *json);

#endif
