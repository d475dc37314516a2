/* SPDX-License-Identifier: Apache-2.0 */
/*
 * translate.cpp - the shim over SPIRV-LLVM-Translator, which has no C interface.
 *
 * Takes SPIR-V bytes, gives an LLVM module whose builtins are those of OpenCL C 1.2. The library may abort the
 * process instead of returning an error: main.c turns that into a message.
 */
#include "spir.h"

#include <LLVMSPIRVLib/LLVMSPIRVLib.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>

#include <cstring>
#include <sstream>
#include <string>

extern "C" LLVMModuleRef nf_translate(LLVMContextRef context, const unsigned char *spirv, size_t size, char **message)
{
    SPIRV::TranslatorOpts options;
    options.enableAllExtensions();
    options.enableGenArgNameMD();
    options.setDesiredBIsRepresentation(SPIRV::BIsRepresentation::OpenCL12);

    std::istringstream stream(std::string(reinterpret_cast<const char *>(spirv), size));
    std::string error;
    llvm::Module *module = nullptr;
    if (llvm::readSpirv(*llvm::unwrap(context), options, stream, module, error) && module) return llvm::wrap(module);
    *message = strdup(error.empty() ? "unknown reason" : error.c_str());
    return nullptr;
}
