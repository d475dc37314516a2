/* SPDX-License-Identifier: Apache-2.0 */
/*
 * write.cpp - the interface to SPIRV-LLVM-Translator: writes an LLVM module as SPIR-V.
 *
 * The library may end the process instead of returning an error; nf_helper_begin() turns this into one line of output.
 */
#include "cl.h"

#include <LLVMSPIRVLib/LLVMSPIRVLib.h>
#include <llvm/IR/Module.h>

#include <cstdlib>
#include <cstring>
#include <sstream>
#include <string>
#include <vector>

/* Returns true if the module, in native byte order, has an integer type of more than 64 bits. */
static bool has_wide_type(const std::string &bytes)
{
    enum { HEADER = 5, TYPE_INT = 21, WIDTH = 2, MOST = 64 };
    std::vector<uint32_t> words(bytes.size() / sizeof(uint32_t));
    memcpy(words.data(), bytes.data(), words.size() * sizeof(uint32_t));
    for (size_t at = HEADER; at + WIDTH < words.size() && words[at] >> 16; at += words[at] >> 16)
        if ((words[at] & 0xffff) == TYPE_INT && words[at + WIDTH] > MOST) return true;
    return false;
}

extern "C" bool nf_write(LLVMModuleRef module, struct nf_bytes *spirv)
{
    /* Version 1.3, because the translators emit 1.4 and newer incompletely: an entry point lists no variables, and
     * OpAtomicCompareExchangeWeak is still used. Without this limit they would select 1.4 for a module with certain
     * decorations. */
    SPIRV::TranslatorOpts options(SPIRV::VersionNumber::SPIRV_1_3);
    options.enableAllExtensions(); /* the core removes hints that a device does not support */
#if NF_LLVM_MAJOR >= 19 /* a hint for the minimum precision of functions, on which rusticl ends the process */
    options.setAllowedToUseExtension(SPIRV::ExtensionID::SPV_INTEL_fp_max_error, false);
#endif
#if NF_LLVM_MAJOR >= 20
    options.setAllowedToUseExtension(SPIRV::ExtensionID::SPV_KHR_untyped_pointers, false);
#endif
    options.setDesiredBIsRepresentation(SPIRV::BIsRepresentation::OpenCL20);
    std::ostringstream stream;
    std::string error;
    if (!llvm::writeSpirv(llvm::unwrap(module), options, stream, error)) {
        nf_helper_error("the source cannot be written as SPIR-V: %s", error.empty() ? "unknown reason" : error.c_str());
        return false;
    }
    const std::string bytes = stream.str();
    if (has_wide_type(bytes)) {
        nf_helper_error("a type contains integers of 128 bits, which `long long` has");
        return false;
    }
    spirv->size = bytes.size();
    spirv->data = static_cast<unsigned char *>(malloc(bytes.size() + 1));
    if (!spirv->data) {
        nf_helper_error("out of memory");
        return false;
    }
    memcpy(spirv->data, bytes.data(), bytes.size());
    return true;
}
