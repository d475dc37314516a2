/* SPDX-License-Identifier: Apache-2.0 */
/*
 * driver.c - clBuildProgram and clCompileProgram with the application's arguments, for source programs of the driver.
 * Takes the call; passes it to the driver, with driver programs in place of headers that were created from IL.
 */
#include "layer/program/program.h"

#include <stdlib.h>

/* Returns true if the handle is the driver's own, with or without a record of the layer; false for a program of the
 * layer that was created from IL or by a link. */
static bool has_source(cl_program handle)
{
    struct nf_cl_program *program = nf_cl_program_get(handle);
    bool has = !program || program->from_source;
    if (program) nf_cl_program_unpin(program);
    return has;
}

/* Calls clCompileProgram. A header that was created from IL has no source; the driver gets its driver program
 * instead. */
static cl_int compile_by_driver(cl_program handle, const struct nf_cl_call *call, nf_cl_notify notify, void *user)
{
    cl_uint count = call->headers ? call->header_count : 0;
    cl_program *copy = count ? calloc(count, sizeof *copy) : NULL;
    struct nf_cl_driver_program **held = count ? calloc(count, sizeof *held) : NULL;
    cl_int error = (count && (!copy || !held)) ? CL_OUT_OF_HOST_MEMORY : CL_SUCCESS;
    for (cl_uint i = 0; error == CL_SUCCESS && i < count; i++) {
        bool itself = has_source(call->headers[i]);
        copy[i] = itself ? call->headers[i] : nf_cl_program_translate(call->headers[i], &held[i]);
        if (!copy[i] && call->headers[i]) error = CL_INVALID_PROGRAM;
    }
    if (error == CL_SUCCESS)
        error = NF_CL_CALL(clCompileProgram, CL_INVALID_PROGRAM, handle, call->device_count, call->devices,
                           call->options, call->header_count, copy ? copy : call->headers, call->names, notify, user);
    for (cl_uint i = 0; held && i < count; i++)
        nf_cl_driver_program_release(held[i]);
    free(held);
    free(copy);
    return error;
}

cl_int nf_cl_call_driver(cl_program handle, const struct nf_cl_call *call, nf_cl_notify notify, void *user)
{
    if (call->compile) return compile_by_driver(handle, call, notify, user);
    return NF_CL_CALL(clBuildProgram, CL_INVALID_PROGRAM, handle, call->device_count, call->devices, call->options,
                      notify, user);
}
