/* SPDX-License-Identifier: Apache-2.0 */
/*
 * main.c - nonflat-try: builds SPIR-V or OpenCL C from standard input with a driver, in a process that the build may end.
 *
 * Unlike the other programs it has no limits of memory and time: a driver may reserve more memory than it uses, and
 * slow builds are not its subject.
 */
#include "layer/build_test/build_test.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#define PROGRAM "nonflat-try"

static const char help[] =
    "usage: nonflat-try --platform=NAME --device=NAME --driver=VERSION [options] < IN\n"
    "Have a driver build a module, to see whether it ends the process.\n"
    "\n"
    "  --loader=FILE        the OpenCL loader (libOpenCL.so.1)\n"
    "  --options=TEXT       the options of the build, as clBuildProgram takes them\n"
    "  --compile            compile only\n"
    "  --launch             also launch the kernels of a copy that return at once, as some drivers compile only then;\n"
    "                       no further kernel is launched after 2 seconds; not with --source\n"
    "  --source             the input is OpenCL C, and no module\n"
    "  --spec=ID:SIZE:VALUE a value of a specialization constant, as a number; may be repeated\n"
    "  --end-mark           write NONFLAT: and the length behind all, so that a reader knows that it is whole\n"
    "  --parent=PID         end when that process ends, which has started this one\n"
    "  --memory=MB, --seconds=N\n"
    "                       without effect\n"
    "  --help, --version\n"
    "\n"
    "Exit status: 0 the driver has answered, whatever it said; 2 wrong usage, or no such device.\n";

static bool take_spec(const char *argument, struct nf_try_request *request)
{
    const char *text;
    struct nf_try_spec spec;
    if (!nf_helper_take_value(argument, "--spec=", &text) || request->spec_count == NF_TRY_SPECS) return false;
    if (sscanf(text, "%" SCNu32 ":%zu:%" SCNu64, &spec.id, &spec.size, &spec.value) != 3) return false;
    if (spec.size == 0 || spec.size > sizeof spec.value) return false;
    request->specs[request->spec_count++] = spec;
    return true;
}

static bool is_without_effect(const char *argument)
{
    const char *value;
    return nf_helper_take_value(argument, "--memory=", &value) || nf_helper_take_value(argument, "--seconds=", &value);
}

static bool parse(int count, char **arguments, struct nf_try_request *request, bool *end_mark)
{
    for (int i = 1; i < count; i++) {
        const char *argument = arguments[i];
        if (!is_without_effect(argument) && !nf_helper_take_limit(argument) && !take_spec(argument, request) &&
            !nf_helper_take_value(argument, "--loader=", &request->loader) &&
            !nf_helper_take_value(argument, "--platform=", &request->platform) &&
            !nf_helper_take_value(argument, "--device=", &request->device) &&
            !nf_helper_take_value(argument, "--driver=", &request->driver) &&
            !nf_helper_take_value(argument, "--options=", &request->options) &&
            !nf_helper_take_flag(argument, "--compile", &request->compile) &&
            !nf_helper_take_flag(argument, "--launch", &request->launch) &&
            !nf_helper_take_flag(argument, "--source", &request->source) &&
            !nf_helper_take_flag(argument, "--end-mark", end_mark)) {
            nf_helper_error("unknown argument '%s'; --help lists what there is", argument);
            return false;
        }
    }
    if (request->platform && request->device && request->driver) return true;
    nf_helper_error("--platform, --device and --driver are needed; --help lists what there is");
    return false;
}

static int run(const struct nf_try_request *request, bool end_mark)
{
    static const char building[] = "building\n";
    if (!nf_try_find(request)) return NF_EXIT_USAGE;
    fputs(building, stdout);
    fflush(stdout);
    nf_try_build(request);
    if (end_mark) nf_helper_write_end(sizeof building - 1);
    return fflush(stdout) == 0 ? NF_EXIT_OK : NF_EXIT_USAGE;
}

int main(int count, char **arguments)
{
    static struct nf_try_request request = {.loader = "libOpenCL.so.1", .options = ""};
    const struct rlimit none = {0, 0};
    bool end_mark = false;
    if (count == 2 && strcmp(arguments[1], "--help") == 0) return fputs(help, stdout) < 0;
    if (count == 2 && strcmp(arguments[1], "--version") == 0) return printf(PROGRAM " %s\n", NF_BUILD_TEST_VERSION) < 0;
    nf_helper_begin(PROGRAM, "the driver fails");
    setrlimit(RLIMIT_CORE, &none);
    int status = NF_EXIT_USAGE;
    if (parse(count, arguments, &request, &end_mark) && nf_read_file("-", &request.module))
        status = run(&request, end_mark);
    _exit(status); /* skips the drivers' exit handlers, which are not under test */
}
