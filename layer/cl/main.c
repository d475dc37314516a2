/* SPDX-License-Identifier: Apache-2.0 */
/*
 * main.c - nonflat-cl: OpenCL C source on standard input or in a file, SPIR-V on standard output.
 *
 * The compiler is a separate program for the same reasons as nonflat-spir: LLVM may end the process, a driver's process
 * must not contain two versions of LLVM, and applications without such source need no compiler.
 */
#include "cl.h"

#include <llvm-c/ErrorHandling.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PROGRAM "nonflat-cl"
enum { OWN_FILES = 3 }; /* the source and two headers */

extern const unsigned char nf_opencl_header[];
extern const size_t nf_opencl_header_size;

struct request {
    struct nf_target target;
    const char *options, *input;
    const char *source_name;
    const char **headers; /* SIZE:NAME of each header, in the order of the headers in the input */
    size_t header_count;
    bool notes, end_mark;
};

/* ---- files in memory ---- */

static bool set_file(struct nf_file *file, const char *folder, const char *name, const void *data, size_t size)
{
    char *path = malloc(strlen(folder) + strlen(name) + 1);
    if (!path) {
        nf_helper_error("out of memory");
        return false;
    }
    strcat(strcpy(path, folder), name);
    *file = (struct nf_file){path, data, size};
    return true;
}

/* Splits "SIZE:NAME". @return the name, or NULL if the text has another form. */
static const char *read_header(const char *text, size_t *size)
{
    char *end;
    *size = strtoull(text, &end, 10);
    return end > text && *end == ':' && end[1] ? end + 1 : NULL;
}

/* Divides the input into the source and the headers that follow it. If there are headers, a zero byte follows the
 * source and each header. `device`: the contents of the device's header. @return false, after nf_helper_error(), if a
 * header has no name or does not fit the input, or if out of memory. */
static bool set_files(const struct request *request, const struct nf_bytes *input, const char *device,
                      struct nf_file *files)
{
    size_t end = input->size, size;
    if (!set_file(&files[0], NF_CL_SYSTEM, "opencl-c-base.h", nf_opencl_header, nf_opencl_header_size) ||
        !set_file(&files[1], "", NF_CL_DEVICE, device, strlen(device)))
        return false;
    for (size_t i = request->header_count; i-- > 0;) {
        const char *name = read_header(request->headers[i], &size);
        if (!name || size >= end) {
            nf_helper_error("--header=%s does not fit the input", request->headers[i]);
            return false;
        }
        end -= size + 1;
        if (!set_file(&files[OWN_FILES + i], NF_CL_ROOT, name, input->data + end, size)) return false;
        input->data[end + size] = '\0';
    }
    if (request->header_count) end -= end > 0;
    input->data[end] = '\0';
    return set_file(&files[2], "", NF_CL_SOURCE, input->data, end);
}

/* ---- the stages ---- */

static bool write_all(const struct request *request, const struct nf_bytes *spirv)
{
    size_t size = spirv->size, notes_size = 0;
    bool good = true;
    if (request->notes) {
        nf_note("module", "", "", 0);
        good = nf_notes_write(&notes_size);
    }
    fwrite(spirv->data, 1, size, stdout);
    if (request->end_mark) nf_helper_write_end(notes_size + size);
    good = good && fflush(stdout) == 0 && !ferror(stdout);
    if (!good) nf_helper_error("cannot write standard output");
    return good;
}

static bool legalize(LLVMModuleRef module)
{
    if (nf_has_odd_integers(module)) {
        if (!nf_legalize(module)) return false;
        if (nf_has_odd_integers(module)) {
            nf_helper_error(
                "the source computes with integers of 128 bits, which `long long` and literals with `ll` have");
            return false;
        }
    }
    nf_widen_switches(module);
    return true;
}

/* Adds a note if the source would be accepted by a compiler for this device that has no generic pointers. */
static void note_check(const struct request *request, const char *source, const struct nf_file *files)
{
    struct nf_target target = request->target;
    struct nf_texts arguments = {NULL, 0};
    target.supplied = NULL;
    if (nf_arguments(&target, request->options, source, &arguments) &&
        nf_check(&arguments, files, request->header_count + OWN_FILES))
        nf_note("passes", "", "", 0);
    nf_texts_free(&arguments);
}

static int compile(const struct request *request, const struct nf_texts *arguments, const struct nf_file *files)
{
    LLVMContextRef context = LLVMContextCreate();
#if NF_LLVM_MAJOR < 17
    LLVMContextSetOpaquePointers(context, 0); /* the translator needs pointee types */
#endif
    LLVMModuleRef module = nf_compile(context, arguments, files, request->header_count + OWN_FILES);
    struct nf_bytes spirv = {NULL, 0};
    int status = NF_EXIT_REFUSED;
    bool good = module && nf_initialize(module);
    if (good && request->notes) nf_note_kernels(module);
    if (good) nf_loop_recursion(module);
    if (good) nf_bound_dimensions(module);
    if (good && nf_exchange_floats(module) && legalize(module) && nf_write(module, &spirv))
        status = write_all(request, &spirv) ? NF_EXIT_OK : NF_EXIT_USAGE;
    free(spirv.data);
    if (module) LLVMDisposeModule(module);
    LLVMContextDispose(context);
    return status;
}

static int run(const struct request *request)
{
    struct nf_bytes input = {NULL, 0};
    struct nf_texts arguments = {NULL, 0};
    struct nf_file *files = calloc(request->header_count + OWN_FILES, sizeof *files);
    int status = NF_EXIT_USAGE;
    char *device = nf_device_header(&request->target, request->options);
    if (files && device && nf_read_file(request->input, &input) && set_files(request, &input, device, files)) {
        status = NF_EXIT_REFUSED;
        /* Source that is a file on disk keeps its name, because it may include files of its folder. */
        bool on_disk = strcmp(request->input, "-") != 0 && request->header_count == 0;
        const char *source = on_disk ? request->input : NF_CL_SOURCE;
        if (nf_arguments(&request->target, request->options, source, &arguments)) {
            if (request->notes) note_check(request, source, files);
            status = compile(request, &arguments, files);
        }
    }
    for (size_t i = 0; files && i < request->header_count + OWN_FILES; i++)
        free((char *)files[i].name);
    nf_texts_free(&arguments);
    free(files);
    free(device);
    free(input.data);
    return status;
}

/* ---- command line ---- */

static const char help[] =
    "usage: nonflat-cl [options] < KERNELS.cl > OUT.spv\n"
    "Compile OpenCL C or C++ for OpenCL to SPIR-V, with the macros and the features of a device.\n"
    "\n"
    "  --options=TEXT       the build options, in the syntax of clBuildProgram\n"
    "  --version=N          __OPENCL_VERSION__ of the device (300)\n"
    "  --address-bits=N     32 or 64 (64)\n"
    "  --extensions=LIST    the extensions of the device, separated by blanks; default: all of the compiler\n"
    "  --features=LIST      the features of OpenCL C 3.0 that the device has, separated by blanks\n"
    "  --supplied=LIST      features that the device lacks and Nonflat supplies; for OpenCL C 2.0 and newer\n"
    "  --embedded           the device has the embedded profile\n"
    "  --no-images          the device has no images\n"
    "  --header=SIZE:NAME   the input has, behind the source, a header of SIZE bytes that #include finds as NAME;\n"
    "                       one option for each header, in their order. A zero byte follows the source and\n"
    "                       each header\n"
    "  --input=FILE         read FILE instead of standard input\n"
    "  --notes              write records of the files read and of the kernels before the module\n"
    "  --end-mark           write NONFLAT: and the length behind the output, to mark it as complete\n"
    "  --memory=MB, --seconds=N\n"
    "                       the limits of memory, and of processor time\n"
    "  --parent=PID         end when the parent process, PID, ends\n"
    "  --help, --version\n"
    "\n"
    "Exit status: 0 done, 1 refused with the reason, 2 wrong usage or file trouble,\n"
    "4 the limit of memory, of processor time or of the stack was reached.\n";

static bool take_number(const char *argument, const char *name, unsigned *value)
{
    const char *digits;
    char *end;
    if (!nf_helper_take_value(argument, name, &digits)) return false;
    unsigned long number = strtoul(digits, &end, 10);
    if (*end || end == digits || number > 10000) return false;
    *value = (unsigned)number;
    return true;
}

static bool parse(int count, char **arguments, struct request *request)
{
    struct nf_target *target = &request->target;
    for (int i = 1; i < count; i++) {
        const char *argument = arguments[i];
        if (nf_helper_take_value(argument, "--header=", &request->headers[request->header_count])) {
            request->header_count++;
            continue;
        }
        if (!nf_helper_take_limit(argument) && !nf_helper_take_value(argument, "--options=", &request->options) &&
            !nf_helper_take_value(argument, "--input=", &request->input) &&
            !nf_helper_take_value(argument, "--extensions=", &target->extensions) &&
            !nf_helper_take_value(argument, "--features=", &target->features) &&
            !nf_helper_take_value(argument, "--supplied=", &target->supplied) &&
            !take_number(argument, "--version=", &target->version) &&
            !take_number(argument, "--address-bits=", &target->address_bits) &&
            !nf_helper_take_flag(argument, "--embedded", &target->embedded) &&
            !nf_helper_take_flag(argument, "--no-images", &target->no_images) &&
            !nf_helper_take_flag(argument, "--notes", &request->notes) &&
            !nf_helper_take_flag(argument, "--end-mark", &request->end_mark)) {
            nf_helper_error("unknown argument '%s'; --help lists the options", argument);
            return false;
        }
    }
    return true;
}

/* Changes to / if the working directory no longer exists: LLVM's file systems query its name without checking that it
 * exists. */
static void leave_deleted_folder(void)
{
    char *here = getcwd(NULL, 0);
    if (!here && chdir("/") != 0) nf_helper_die("there is no working directory");
    free(here);
}

int main(int count, char **arguments)
{
    if (count == 2 && strcmp(arguments[1], "--help") == 0) return fputs(help, stdout) < 0;
    if (count == 2 && strcmp(arguments[1], "--version") == 0)
        return printf(PROGRAM " %s (LLVM %s)\n", NF_CL_VERSION, NF_LLVM_VERSION) < 0;
    nf_helper_begin(PROGRAM, "the compiler cannot do this program");
    LLVMInstallFatalErrorHandler(nf_helper_die);
    nf_helper_watch_memory();
    leave_deleted_folder();
    struct request request = {.target = {.version = 300, .address_bits = 64}, .options = "", .input = "-"};
    request.headers = calloc((size_t)count + 1, sizeof *request.headers);
    int status = NF_EXIT_USAGE;
    if (request.headers && parse(count, arguments, &request)) status = run(&request);
    free(request.headers);
    return status;
}
