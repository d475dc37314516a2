/* SPDX-License-Identifier: Apache-2.0 */
/*
 * main.c - nonflat-try: builds SPIR-V or OpenCL C that comes through a socket with a driver, in a process that a build
 * may end.
 *
 * Unlike the other programs it has no limit of memory: a driver may reserve more memory than it uses.
 */
#include "layer/build_test/build_test.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#define PROGRAM "nonflat-try"

static const char help[] =
    "usage: nonflat-try " NF_TRY_PROTOCOL " --platform=NAME --device=NAME --driver=VERSION [options]\n"
    "Build modules in a process of its own, to find out whether the driver ends the process. Nonflat's\n"
    "layer starts this program, with a socket as its standard input, and sends it the modules. It ends\n"
    "with the process of the layer, and some seconds after the last build.\n"
    "\n"
    "  --loader=FILE  the OpenCL loader (libOpenCL.so.1)\n"
    "  --seconds=N    the time limit of one build (120)\n"
    "  --help, --version\n"
    "\n"
    "Exit status: 0, or 2 for wrong usage.\n";

struct arguments {
    struct nf_try_device device;
    const char *seconds;
    bool right_protocol;
};

static bool parse(int count, char **given, struct arguments *parsed)
{
    struct nf_try_device *device = &parsed->device;
    for (int i = 1; i < count; i++) {
        const char *argument = given[i];
        if (!nf_helper_take_value(argument, "--loader=", &device->loader) &&
            !nf_helper_take_value(argument, "--platform=", &device->platform) &&
            !nf_helper_take_value(argument, "--device=", &device->device) &&
            !nf_helper_take_value(argument, "--driver=", &device->driver) &&
            !nf_helper_take_value(argument, "--seconds=", &parsed->seconds) &&
            !nf_helper_take_flag(argument, NF_TRY_PROTOCOL, &parsed->right_protocol)) {
            nf_helper_error("unknown argument '%s'; --help lists the options", argument);
            return false;
        }
    }
    if (device->platform && device->device && device->driver && parsed->right_protocol) return true;
    nf_helper_error(NF_TRY_PROTOCOL ", --platform, --device and --driver are needed; --help lists the options");
    return false;
}

/* Moves the socket from standard input to a higher descriptor. Standard input becomes a copy of standard output, so
 * that a driver cannot read requests from it. @return the socket's descriptor. */
static int take_socket(void)
{
    int socket = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    dup2(STDOUT_FILENO, STDIN_FILENO);
    return socket;
}

int main(int count, char **given)
{
    struct arguments arguments = {.device = {.loader = "libOpenCL.so.1"}, .seconds = "120"};
    const struct rlimit none = {0, 0};
    if (count == 2 && strcmp(given[1], "--help") == 0) return fputs(help, stdout) < 0;
    if (count == 2 && strcmp(given[1], "--version") == 0) return printf(PROGRAM " %s\n", NF_BUILD_TEST_VERSION) < 0;
    nf_helper_begin(PROGRAM, "the driver fails");
    if (!parse(count, given, &arguments)) return NF_EXIT_USAGE;
    const int socket = take_socket();
    setrlimit(RLIMIT_CORE, &none);
    pid_t child = fork();
    if (child != 0) _exit(child < 0 ? NF_EXIT_USAGE : NF_EXIT_OK);
    setsid(); /* signals of a terminal do not reach it */
    if (!nf_try_start(socket)) _exit(NF_EXIT_USAGE);
    _exit(nf_try_serve(socket, &arguments.device, (unsigned)strtoul(arguments.seconds, NULL, 10))); /* skips the
                                                                  * drivers' exit handlers, which are not under test */
}
