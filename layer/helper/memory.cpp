/* SPDX-License-Identifier: Apache-2.0 */
/*
 * memory.cpp - out-of-memory handling in LLVM and C++, which would otherwise abort as for any other error.
 */
#include "layer/helper/helper.h"

#include <llvm/Support/ErrorHandling.h>

#include <new>

extern "C" void nf_helper_watch_memory(void)
{
    std::set_new_handler(nf_helper_out_of_memory);
    llvm::install_bad_alloc_error_handler([](void *, const char *, bool) { nf_helper_out_of_memory(); });
}
