/* SPDX-License-Identifier: Apache-2.0 */
/*
 * llvm_absent.c - symbols to which Debian's archives of LLVM 15 refer and which nonflat-spir and nonflat-cl do not
 * need: Polly's passes, debug information from servers, colors of terminals; and a function that older C libraries
 * lack.
 */
#define _GNU_SOURCE
#include <stdint.h>
#include <stdlib.h>
#include <sys/random.h>

unsigned arc4random(void);
void curl_global_cleanup(void);
int setupterm(const char *terminal, int file, int *error);
int tigetnum(const char *name);
void *set_curterm(void *terminal);
int del_curterm(void *terminal);

/* llvm::PassPluginLibraryInfo, which getPollyPluginInfo() returns. */
struct plugin {
    uint32_t version;
    const char *name, *release;
    void (*add_passes)(void *builder);
};
struct plugin polly(void) __asm__("_Z18getPollyPluginInfov");

/* glibc has it since 2.36. */
unsigned arc4random(void)
{
    unsigned number;
    if (getrandom(&number, sizeof number, 0) != sizeof number) abort();
    return number;
}

/* The error 0 means that the terminal is not known. */
int setupterm(const char *terminal, int file, int *error)
{
    (void)terminal, (void)file;
    if (error) *error = 0;
    return -1;
}

int tigetnum(const char *name)
{
    (void)name;
    return -1;
}

void *set_curterm(void *terminal)
{
    (void)terminal;
    return NULL;
}

int del_curterm(void *terminal)
{
    (void)terminal;
    return 0;
}

void curl_global_cleanup(void)
{
}

static void add_no_pass(void *builder)
{
    (void)builder;
}

/* clang queries every plug-in with which it was built for its passes. */
struct plugin polly(void)
{
    return (struct plugin){1, "Polly", "", add_no_pass};
}
