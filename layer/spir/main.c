/* SPDX-License-Identifier: Apache-2.0 */
/*
 * main.c - nonflat-spir: SPIR-V on standard input or in a file, SPIR 1.2 bitcode, or text of LLVM, on standard output.
 *
 * The translator is a separate program because the SPIR-V translator library ends the process on modules that it does
 * not support. In a separate process only that process ends, with an exit status and one line of output.
 */
#include "spir.h"

#include <llvm-c/BitWriter.h>
#include <llvm-c/Core.h>
#include <llvm-c/ErrorHandling.h>
#include <llvm-c/Target.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PROGRAM "nonflat-spir"

struct options {
    const char *device;
    const char *builtins;
    const char *input;
    bool text, short_names, end_mark;
};

/* ---- The stages -------------------------------------------------------------------------------------------------- */

static bool rewrite(LLVMModuleRef module, const struct nf_device *device, const struct options *chosen)
{
    if (!nf_drop_unused(module)) return false;
    nf_convert_printf_vectors(module, device);
    nf_complete_phis(module);
    nf_lower_intrinsics(module, device);
    if (!nf_link_library(module, device)) return false;
    nf_lower_intrinsics(module, device); /* intrinsics in the library's own code */
    if (!nf_link_library(module, device)) return false;
    if (!nf_fit_names(module, device, chosen->short_names)) return false;
    if (!nf_inline(module, device)) return false;
    if (!nf_split_locals(module)) return false;
    return nf_check(module, device);
}

static void write_text(LLVMModuleRef module)
{
    char *assembly = LLVMPrintModuleToString(module);
    fputs(assembly, stdout);
    LLVMDisposeMessage(assembly);
}

static void write_bitcode(LLVMModuleRef module, bool end_mark)
{
    LLVMMemoryBufferRef buffer = LLVMWriteBitcodeToMemoryBuffer(module);
    size_t size = LLVMGetBufferSize(buffer);
    fwrite(LLVMGetBufferStart(buffer), 1, size, stdout);
    if (end_mark) nf_helper_write_end(size);
    LLVMDisposeMemoryBuffer(buffer);
}

static bool write_module(LLVMModuleRef module, const struct options *chosen)
{
    if (chosen->text)
        write_text(module);
    else
        write_bitcode(module, chosen->end_mark);
    if (fflush(stdout) == 0 && !ferror(stdout)) return true;
    nf_helper_error("cannot write standard output");
    return false;
}

static int translate(const struct nf_bytes *spirv, const struct nf_device *device, const struct options *chosen)
{
    LLVMContextRef context = LLVMContextCreate();
    LLVMContextSetOpaquePointers(context, 0); /* consumers of SPIR 1.2 support typed pointers only */
    char *message = NULL;
    LLVMModuleRef module = nf_translate(context, spirv->data, spirv->size, &message);
    if (!module) {
        nf_helper_error("the SPIR-V translator library cannot read this module: %s", message);
        free(message);
        LLVMContextDispose(context);
        return NF_EXIT_REFUSED;
    }
    int status = NF_EXIT_REFUSED;
    struct nf_device of_module = *device;
    of_module.narrow = LLVMPointerSize(LLVMGetModuleDataLayout(module)) == 4;
    if (rewrite(module, &of_module, chosen)) status = write_module(module, chosen) ? NF_EXIT_OK : NF_EXIT_USAGE;
    LLVMDisposeModule(module);
    LLVMContextDispose(context);
    return status;
}

static int run(const struct options *chosen)
{
    struct nf_device device;
    struct nf_bytes table = {0};
    struct nf_bytes spirv = {0};
    if (chosen->builtins) {
        if (!nf_read_file(chosen->builtins, &table)) return NF_EXIT_USAGE;
        device = (struct nf_device){chosen->builtins, {(const char *)table.data, NULL}, false};
    } else if (!nf_device_find(chosen->device, &device)) {
        nf_helper_error("unknown device '%s'; the devices are pocl, oclgrind and generic, others need --builtins=FILE",
                        chosen->device);
        return NF_EXIT_USAGE;
    }
    int status = NF_EXIT_MALFORMED;
    if (!nf_read_file(chosen->input, &spirv))
        status = NF_EXIT_USAGE;
    else if (nf_check_spirv(&spirv))
        status = nf_check_no_generic(&spirv) ? translate(&spirv, &device, chosen) : NF_EXIT_REFUSED;
    free(spirv.data);
    free(table.data);
    return status;
}

/* ---- Command line ------------------------------------------------------------------------------------------------ */

static const char help[] =
    "usage: nonflat-spir [options] < IN.spv > OUT.bc\n"
    "Translate a SPIR-V module without generic pointers into SPIR 1.2 bitcode.\n"
    "\n"
    "  --device=NAME    the device that will build it: pocl, oclgrind, or generic (what both have; the default)\n"
    "  --builtins=FILE  read the table of the device's functions from FILE\n"
    "  --input=FILE     read FILE instead of standard input\n"
    "  --short-names    rename kernels whose names are too long for the device\n"
    "  --text           write LLVM assembly, not bitcode\n"
    "  --end-mark       write NONFLAT: and the length behind the output, to mark it as complete\n"
    "  --memory=MB, --seconds=N\n"
    "                   the limits of memory, and of processor time\n"
    "  --parent=PID     end when the parent process, PID, ends\n"
    "  --help, --version\n"
    "\n"
    "Exit status: 0 done, 1 refused with the reason, 2 wrong usage or file trouble, 3 not a SPIR-V module,\n"
    "4 the limit of memory, of processor time or of the stack was reached.\n";

static bool parse(int count, char **arguments, struct options *chosen)
{
    for (int i = 1; i < count; i++) {
        const char *argument = arguments[i];
        if (strcmp(argument, "--text") == 0)
            chosen->text = true;
        else if (strcmp(argument, "--short-names") == 0)
            chosen->short_names = true;
        else if (strcmp(argument, "--end-mark") == 0)
            chosen->end_mark = true;
        else if (!nf_helper_take_limit(argument) && !nf_helper_take_value(argument, "--device=", &chosen->device) &&
                 !nf_helper_take_value(argument, "--builtins=", &chosen->builtins) &&
                 !nf_helper_take_value(argument, "--input=", &chosen->input)) {
            nf_helper_error("unknown argument '%s'; --help lists the options", argument);
            return false;
        }
    }
    return true;
}

int main(int count, char **arguments)
{
    if (count == 2 && strcmp(arguments[1], "--help") == 0) return fputs(help, stdout) < 0;
    if (count == 2 && strcmp(arguments[1], "--version") == 0)
        return printf(PROGRAM " %s (LLVM %s)\n", NF_SPIR_VERSION, NF_LLVM_VERSION) < 0;
    nf_helper_begin(PROGRAM, "the SPIR-V translator library cannot read this module");
    LLVMInstallFatalErrorHandler(nf_helper_die);
    nf_helper_watch_memory();
    struct options chosen = {.device = "generic", .input = "-"};
    if (!parse(count, arguments, &chosen)) return NF_EXIT_USAGE;
    return run(&chosen);
}
