/* SPDX-License-Identifier: Apache-2.0 */
/*
 * specialize.c - `nonflat specialize`: reads a module from a file, specializes it with the core library, and writes the
 * result, the report and the trace, as requested.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/device/device.h"
#include "tools/specialize/specialize.h"

/* Checks the options. Returns NF_EXIT_DONE, or NF_EXIT_TROUBLE after printing an error. */
static int check_request(const struct nf_arguments *a)
{
    const char *output = a->value[NF_KEY_OUTPUT], *report = a->value[NF_KEY_REPORT];
    if (a->rest_count == 0) return nf_print_error("specialize: no input given; try 'nonflat specialize --help'");
    if (a->rest_count > 1) return nf_print_error("specialize: one input at a time, but there is also '%s'", a->rest[1]);
    if (!output && !report) return nf_print_error("specialize: no output given; use -o OUT.spv");
    if (output && report && strcmp(output, "-") == 0 && strcmp(report, "-") == 0)
        return nf_print_error("specialize: module and report cannot both go to standard output");
    const char *letters = a->value[NF_KEY_TRACE];
    if (letters && (!*letters || letters[strspn(letters, "rcsw")]))
        return nf_print_error("specialize: unknown stages '%s'; the letters are r, c, s and w", letters);
    return NF_EXIT_DONE;
}

static void print_trace(void *user, const char *line)
{
    (void)user;
    fprintf(stderr, "%s\n", line);
}

/* Returns 0, or -1 after printing an error. */
static int write_report(const char *path, const nf_result *result)
{
    const char *report = nf_result_report(result);
    size_t length = strlen(report);
    char *line = malloc(length + 2);
    if (!line) {
        nf_print_error("out of memory");
        return -1;
    }
    memcpy(line, report, length);
    if (length == 0 || report[length - 1] != '\n') line[length++] = '\n';
    int status = nf_write_whole(path, line, length);
    free(line);
    return status;
}

/* Writes the module and the report if the options request them. Returns the exit status. */
static int deliver(const struct nf_arguments *a, const unsigned char *module, size_t size, nf_status status,
                   const nf_result *result)
{
    const char *output = a->value[NF_KEY_OUTPUT], *report = a->value[NF_KEY_REPORT];
    if (result && *nf_result_log(result)) nf_print_module_error(a->rest[0], module, size, nf_result_log(result));
    if (status == NF_OUT_OF_MEMORY) return nf_print_error("out of memory");
    if (status == NF_INVALID_ARGUMENT) return nf_print_error("specialize: %s", nf_status_string(status));
    if (status == NF_OK && output && nf_write_whole(output, nf_result_bytes(result), nf_result_size(result)) < 0)
        return NF_EXIT_TROUBLE;
    if (report && write_report(report, result) < 0) return NF_EXIT_TROUBLE;
    return (int)status;
}

/* Sets `device` according to the options. A named device has the address form of its driver, unless --addresses gives
 * another. The layer allocates a buffer for module-scope variables if a device has no writable ones, but here the user
 * has to allocate it. So without --no-globals a module that writes such a variable is refused, or, for a device that
 * takes SPIR 1.2 bitcode, keeps its variables. Returns NF_EXIT_DONE, or NF_EXIT_TROUBLE after printing an error. */
static int read_device(const struct nf_arguments *a, struct nf_device_profile *device)
{
    if (nf_device_profile_read("specialize", a, device) < 0) return NF_EXIT_TROUBLE;
    device->profile.flags &= ~(uint32_t)NF_PROFILE_GLOBALS_IN_MEMORY;
    if (a->value[NF_KEY_NO_GLOBALS])
        device->profile.flags |= NF_PROFILE_NO_WRITABLE_GLOBALS | NF_PROFILE_GLOBALS_IN_MEMORY;
    if (a->value[NF_KEY_MERGES]) device->profile.flags |= NF_PROFILE_TAGGED_MERGES;
    const char *addresses = a->value[NF_KEY_ADDRESSES], *faults = a->value[NF_KEY_FAULTS];
    if (addresses && nf_parse_addresses(addresses, &device->profile)) return NF_EXIT_TROUBLE;
    return faults ? nf_parse_faults(faults, &device->profile) : NF_EXIT_DONE;
}

/* Returns the exit status. */
static int specialize(const struct nf_arguments *a, const nf_options *options)
{
    size_t size = 0;
    int trouble;
    unsigned char *module = nf_read_module(a->rest[0], a->value[NF_KEY_OPTIONS], &size, &trouble);
    if (!module) return trouble;
    nf_result *result = NULL;
    nf_status status = nf_specialize(module, size, options, &result);
    int exit_status = deliver(a, module, size, status, result);
    nf_result_free(result);
    free(module);
    return exit_status;
}

int nf_command_specialize(const struct nf_arguments *a)
{
    struct nf_device_profile device = {0};
    nf_options options = NF_OPTIONS_INIT;
    const char *mode = a->value[NF_KEY_MODE];
    int status = check_request(a);
    if (status) return status;
    if (mode && !nf_mode_from_name(mode, &options.mode))
        return nf_print_error("specialize: unknown mode '%s'; the modes are auto, static, hint, dynamic and off", mode);
    options.library = a->value[NF_KEY_LIBRARY] != NULL;
    options.dump = a->value[NF_KEY_TRACE];
    options.dump_line = print_trace;
    options.profile = &device.profile;
    status = read_device(a, &device);
    const char *to = a->value[NF_KEY_TO];
    if (!status && to) status = nf_parse_output(to, &options, &device.profile);
    if (!status) status = specialize(a, &options);
    nf_device_profile_free(&device);
    return status;
}
