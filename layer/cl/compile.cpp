/* SPDX-License-Identifier: Apache-2.0 */
/*
 * compile.cpp - the interface to clang: compiles source in memory to an LLVM module.
 *
 * Takes arguments of `clang -cc1` and the files in memory. Each file that is read from the disk, each folder that is
 * looked up there, and each path that does not exist is noted, because the compiled module may depend on it. The check
 * of the source (nf_check) is not noted.
 *
 * The source can also be checked as by a compiler without generic pointers, to predict whether such a driver accepts
 * it: then the driver builds it; otherwise the layer does not call the driver, because drivers print their errors to
 * the terminal.
 */
#include "cl.h"

#include <clang/CodeGen/CodeGenAction.h>
#include <clang/Frontend/CompilerInstance.h>
#include <clang/Frontend/CompilerInvocation.h>
#include <clang/Frontend/FrontendActions.h>
#include <clang/Frontend/TextDiagnosticPrinter.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/VirtualFileSystem.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Transforms/Utils/PromoteMemToReg.h>

#include <memory>
#include <set>
#include <string>
#include <vector>

namespace
{

namespace vfs = llvm::vfs;

/* A file on disk with the contents that were noted. */
class NotedFile : public vfs::File
{
  public:
    NotedFile(vfs::Status status, std::unique_ptr<llvm::MemoryBuffer> contents)
        : file_status(std::move(status)), contents(std::move(contents))
    {
    }
    llvm::ErrorOr<vfs::Status> status() override
    {
        return file_status;
    }
    llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>> getBuffer(const llvm::Twine &name, int64_t, bool, bool) override
    {
        return llvm::MemoryBuffer::getMemBufferCopy(contents->getBuffer(), name);
    }
    std::error_code close() override
    {
        return std::error_code();
    }

  private:
    vfs::Status file_status;
    std::unique_ptr<llvm::MemoryBuffer> contents;
};

/* The file system, with a note of each file that is read, each folder that is looked up, and each path that does not
 * exist. */
class NotedDisk : public vfs::ProxyFileSystem
{
  public:
    NotedDisk() : ProxyFileSystem(vfs::getRealFileSystem())
    {
    }

    llvm::ErrorOr<vfs::Status> status(const llvm::Twine &path) override
    {
        auto found = ProxyFileSystem::status(path);
        if (!found)
            note("absent", path, "");
        else if (found->isDirectory())
            note("folder", path, "");
        return found;
    }

    llvm::ErrorOr<std::unique_ptr<vfs::File>> openFileForRead(const llvm::Twine &path) override
    {
        auto file = ProxyFileSystem::openFileForRead(path);
        if (!file) {
            note("absent", path, "");
            return file;
        }
        auto found = (*file)->status();
        if (!found) return found.getError();
        auto contents = (*file)->getBuffer(path, -1, true, true);
        if (!contents) return contents.getError();
        note("file", path, (*contents)->getBuffer());
        return std::make_unique<NotedFile>(*found, std::move(*contents));
    }

  private:
    std::set<std::string> noted;

    void note(const char *kind, const llvm::Twine &path, llvm::StringRef value)
    {
        llvm::SmallString<256> name;
        path.toVector(name);
        makeAbsolute(name);
        llvm::StringRef rest = name;
        if (rest.consume_front(NF_CL_MEMORY)) return; /* such files exist in memory only */
        if (noted.insert((kind + name).str()).second) nf_note(kind, name.c_str(), value.data(), value.size());
    }
};

using Files = llvm::IntrusiveRefCntPtr<vfs::FileSystem>;

Files make_files(Files disk, const struct nf_file *files, size_t count)
{
    llvm::IntrusiveRefCntPtr<vfs::InMemoryFileSystem> memory(new vfs::InMemoryFileSystem);
    llvm::IntrusiveRefCntPtr<vfs::OverlayFileSystem> all(new vfs::OverlayFileSystem(std::move(disk)));
    for (size_t i = 0; i < count; i++)
        memory->addFile(files[i].name, 0,
                        llvm::MemoryBuffer::getMemBuffer(llvm::StringRef(files[i].data, files[i].size), files[i].name));
    all->pushOverlay(memory);
    return all;
}

void replace_all(std::string &text, const std::string &old, const std::string &fresh)
{
    for (size_t at = 0; (at = text.find(old, at)) != std::string::npos; at += fresh.size())
        text.replace(at, old.size(), fresh);
}

/* Prints the messages with the file names of the application. */
void show(std::string log)
{
    replace_all(log, NF_CL_SOURCE, NF_CL_INPUT);
    replace_all(log, NF_CL_ROOT, "");
    fwrite(log.data(), 1, log.size(), stderr);
}

bool run(clang::CompilerInstance &compiler, clang::FrontendAction &action, const struct nf_texts *arguments,
         bool generic, Files files, llvm::raw_ostream &log)
{
    /* Options select warnings, so the parser of the options needs its own diagnostics. */
#if NF_LLVM_MAJOR < 21
    llvm::IntrusiveRefCntPtr<clang::DiagnosticOptions> defaults(new clang::DiagnosticOptions);
    clang::DiagnosticsEngine reader(new clang::DiagnosticIDs, defaults,
                                    new clang::TextDiagnosticPrinter(log, defaults.get()));
#else
    clang::DiagnosticOptions defaults;
    clang::DiagnosticsEngine reader(new clang::DiagnosticIDs, defaults,
                                    new clang::TextDiagnosticPrinter(log, defaults));
#endif
    llvm::ArrayRef<const char *> words(arguments->items, arguments->count);
    if (!clang::CompilerInvocation::CreateFromArgs(compiler.getInvocation(), words, reader)) return false;
#if NF_LLVM_MAJOR < 20
    compiler.createDiagnostics(new clang::TextDiagnosticPrinter(log, &compiler.getDiagnosticOpts()));
    compiler.createFileManager(std::move(files));
#elif NF_LLVM_MAJOR < 21
    compiler.createDiagnostics(*files, new clang::TextDiagnosticPrinter(log, &compiler.getDiagnosticOpts()));
    compiler.createFileManager(std::move(files));
#elif NF_LLVM_MAJOR < 22
    compiler.createDiagnostics(*files, new clang::TextDiagnosticPrinter(log, compiler.getDiagnosticOpts()));
    compiler.createFileManager(std::move(files));
#else
    compiler.setVirtualFileSystem(std::move(files));
    compiler.createDiagnostics(new clang::TextDiagnosticPrinter(log, compiler.getDiagnosticOpts()));
    compiler.createFileManager();
#endif
    if (!generic) compiler.getLangOpts().OpenCLGenericAddressSpace = 0;
#if NF_LLVM_MAJOR < 17
    compiler.getCodeGenOpts().OpaquePointers = 0;
#endif
    compiler.setVerboseOutputStream(log); /* clang also prints the number of errors here */
    return compiler.ExecuteAction(action);
}

/* Makes `extern inline` functions internal. Their bodies exist for inlining only, no other module defines them, and in
 * SPIR-V a function with a body cannot be an import. */
void make_inline_functions_internal(llvm::Module &module)
{
    for (llvm::Function &function : module)
        if (function.hasAvailableExternallyLinkage()) function.setLinkage(llvm::GlobalValue::InternalLinkage);
}

/* Removes the metadata with the version of C++ for OpenCL. With this metadata, newer translators leave built-in
 * functions as imports, because they translate these functions for OpenCL C only, which has the same functions. The
 * corresponding OpenCL C version is in another metadata node. */
void drop_cxx_metadata(llvm::Module &module)
{
    if (llvm::NamedMDNode *version = module.getNamedMetadata("opencl.cxx.version")) version->eraseFromParent();
}

bool is_sampler(llvm::Type *type)
{
#if NF_LLVM_MAJOR < 17
    auto *pointer = llvm::dyn_cast<llvm::PointerType>(type);
    auto *pointee = pointer && !pointer->isOpaque()
                        ? llvm::dyn_cast<llvm::StructType>(pointer->getNonOpaquePointerElementType())
                        : nullptr;
    return pointee && pointee->hasName() && pointee->getName().startswith("opencl.sampler_t");
#else
    auto *target = llvm::dyn_cast<llvm::TargetExtType>(type);
    return target && target->getName() == "spirv.Sampler";
#endif
}

/* Promotes variables of samplers to registers. Without optimization a sampler argument is stored to a variable, whose
 * type differs in the translator, which ends the process on that store. OpenCL C has no samplers in memory, so no such
 * variable is needed. */
void promote_samplers(llvm::Function &function)
{
    std::vector<llvm::AllocaInst *> variables;
    for (llvm::Instruction &instruction : llvm::instructions(function)) {
        auto *variable = llvm::dyn_cast<llvm::AllocaInst>(&instruction);
        if (variable && is_sampler(variable->getAllocatedType()) && llvm::isAllocaPromotable(variable))
            variables.push_back(variable);
    }
    if (variables.empty()) return;
    llvm::DominatorTree tree(function);
    llvm::PromoteMemToReg(variables, tree);
}

} // namespace

extern "C" LLVMModuleRef nf_compile(LLVMContextRef context, const struct nf_texts *arguments,
                                    const struct nf_file *files, size_t file_count)
{
    std::string text;
    llvm::raw_string_ostream log(text);
    clang::CompilerInstance compiler;
    clang::EmitLLVMOnlyAction action(llvm::unwrap(context));
    bool good = run(compiler, action, arguments, true, make_files(new NotedDisk, files, file_count), log);
    show(log.str());
    std::unique_ptr<llvm::Module> module = good ? action.takeModule() : nullptr;
    if (module) {
        make_inline_functions_internal(*module);
        drop_cxx_metadata(*module);
        for (llvm::Function &function : *module)
            if (!function.isDeclaration()) promote_samplers(function);
    }
    return llvm::wrap(module.release());
}

extern "C" bool nf_check(const struct nf_texts *arguments, const struct nf_file *files, size_t file_count)
{
    clang::CompilerInstance compiler;
    clang::SyntaxOnlyAction action;
    return run(compiler, action, arguments, false, make_files(vfs::getRealFileSystem(), files, file_count),
               llvm::nulls());
}
