/* SPDX-License-Identifier: Apache-2.0 */
/*
 * memory.cpp - the end of memory under LLVM: it and C++ would end with an abort like any other.
 */
#include "layer/alone/alone.h"

#include <llvm/Support/ErrorHandling.h>

#include <new>

extern "C" void nf_alone_watch_memory(void)
{
    std::set_new_handler(nf_alone_memory_over);
    llvm::install_bad_alloc_error_handler([](void *, const char *, bool) { nf_alone_memory_over(); });
}
