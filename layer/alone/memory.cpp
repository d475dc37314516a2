/* SPDX-License-Identifier: Apache-2.0 */
/*
 * memory.cpp - out-of-memory handling in LLVM and C++, which would otherwise abort as for any other error.
 */
#include "layer/alone/alone.h"

#include <llvm/Support/ErrorHandling.h>

#include <new>

extern "C" void nf_alone_watch_memory(void)
{
    std::set_new_handler(nf_alone_memory_over);
    llvm::install_bad_alloc_error_handler([](void *, const char *, bool) { nf_alone_memory_over(); });
}
