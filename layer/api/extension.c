/* SPDX-License-Identifier: Apache-2.0 */
/*
 * extension.c - extension functions that take a program or IL. A driver would crash on a program of the layer, so the
 * application gets functions that replace it by the driver's program. The driver's function is looked up for the
 * platform of the device first, because two platforms may have different functions; if that platform has none, without
 * a platform.
 */
#include "layer/api/api.h"

#include <stdlib.h>
#include <string.h>

static cl_device_id queue_device(cl_command_queue queue)
{
    cl_device_id device = NULL;
    if (queue)
        NF_CL_CALL(clGetCommandQueueInfo, CL_INVALID_COMMAND_QUEUE, queue, CL_QUEUE_DEVICE, sizeof device, &device,
                   NULL);
    return device;
}

/* Replaces a program of the layer by the driver's program for the device; fails with CL_INVALID_PROGRAM_EXECUTABLE if
 * there is none. A handle that is not a program of the layer stays as it is. For a device that the program does not
 * have, any driver program is used, so that the driver returns its error. The caller releases `*held`, which may be
 * NULL, when the driver's function has returned. */
static cl_int to_driver_program(cl_program *program, cl_device_id device, struct nf_cl_driver_program **held)
{
    struct nf_cl_program *layer_program = nf_cl_program_get(*program);
    *held = NULL;
    if (!layer_program) return CL_SUCCESS;
    bool known = nf_cl_program_target(layer_program, device) != NULL;
    *held = (known ? nf_cl_program_executable_for(layer_program, device) : nf_cl_program_executable(layer_program))
                .driver_program;
    nf_cl_program_unpin(layer_program);
    *program = *held ? (*held)->program : NULL;
    return *program ? CL_SUCCESS : CL_INVALID_PROGRAM_EXECUTABLE;
}

/* ---- functions that take a program or IL ---- */

cl_program CL_API_CALL nf_cl_create_program_with_il_khr(cl_context context, const void *il, size_t length,
                                                        cl_int *error)
{
    return nf_cl_program_create(context, il, length, true, error);
}

typedef cl_int(CL_API_CALL *variable_pointer_fn)(cl_device_id, cl_program, const char *, size_t *, void **);

static cl_int CL_API_CALL get_variable_pointer(cl_device_id device, cl_program program, const char *name,
                                               size_t *size_ret, void **pointer_ret)
{
    variable_pointer_fn call =
        (variable_pointer_fn)nf_cl_driver_extension(device, "clGetDeviceGlobalVariablePointerINTEL");
    if (!call) return device ? CL_INVALID_OPERATION : CL_INVALID_DEVICE;
    struct nf_cl_driver_program *held;
    cl_int error = to_driver_program(&program, device, &held);
    if (error == CL_SUCCESS) error = call(device, program, name, size_ret, pointer_ret);
    nf_cl_driver_program_release(held);
    return error;
}

typedef cl_int(CL_API_CALL *function_pointer_fn)(cl_device_id, cl_program, const char *, cl_ulong *);

static cl_int CL_API_CALL get_function_pointer(cl_device_id device, cl_program program, const char *name,
                                               cl_ulong *pointer_ret)
{
    function_pointer_fn call = (function_pointer_fn)nf_cl_driver_extension(device, "clGetDeviceFunctionPointerINTEL");
    if (!call) return device ? CL_INVALID_OPERATION : CL_INVALID_DEVICE;
    struct nf_cl_driver_program *held;
    cl_int error = to_driver_program(&program, device, &held);
    if (error == CL_SUCCESS) error = call(device, program, name, pointer_ret);
    nf_cl_driver_program_release(held);
    return error;
}

/* The type of the functions that read or write a program-scope variable or a pipe; those that write take const host
 * memory. */
typedef cl_int(CL_API_CALL *variable_fn)(cl_command_queue, cl_program, const char *, cl_bool, size_t, size_t, void *,
                                         cl_uint, const cl_event *, cl_event *);
typedef cl_int(CL_API_CALL *pipe_fn)(cl_command_queue, cl_program, const char *, cl_bool, void *, size_t, cl_uint,
                                     const cl_event *, cl_event *);

static cl_int variable(const char *function, cl_command_queue queue, cl_program program, const char *name,
                       cl_bool blocking, size_t size, size_t offset, void *memory, cl_uint wait_count,
                       const cl_event *wait, cl_event *event)
{
    cl_device_id device = queue_device(queue);
    variable_fn call = (variable_fn)nf_cl_driver_extension(device, function);
    if (!call) return device ? CL_INVALID_OPERATION : CL_INVALID_COMMAND_QUEUE;
    struct nf_cl_driver_program *held;
    cl_int error = to_driver_program(&program, device, &held);
    if (error == CL_SUCCESS)
        error = call(queue, program, name, blocking, size, offset, memory, wait_count, wait, event);
    nf_cl_driver_program_release(held);
    return error;
}

static cl_int CL_API_CALL read_variable(cl_command_queue queue, cl_program program, const char *name, cl_bool blocking,
                                        size_t size, size_t offset, void *memory, cl_uint wait_count,
                                        const cl_event *wait, cl_event *event)
{
    return variable("clEnqueueReadGlobalVariableINTEL", queue, program, name, blocking, size, offset, memory,
                    wait_count, wait, event);
}

static cl_int CL_API_CALL write_variable(cl_command_queue queue, cl_program program, const char *name, cl_bool blocking,
                                         size_t size, size_t offset, const void *memory, cl_uint wait_count,
                                         const cl_event *wait, cl_event *event)
{
    return variable("clEnqueueWriteGlobalVariableINTEL", queue, program, name, blocking, size, offset, (void *)memory,
                    wait_count, wait, event);
}

static cl_int host_pipe(const char *function, cl_command_queue queue, cl_program program, const char *name,
                        cl_bool blocking, void *memory, size_t size, cl_uint wait_count, const cl_event *wait,
                        cl_event *event)
{
    cl_device_id device = queue_device(queue);
    pipe_fn call = (pipe_fn)nf_cl_driver_extension(device, function);
    if (!call) return device ? CL_INVALID_OPERATION : CL_INVALID_COMMAND_QUEUE;
    struct nf_cl_driver_program *held;
    cl_int error = to_driver_program(&program, device, &held);
    if (error == CL_SUCCESS) error = call(queue, program, name, blocking, memory, size, wait_count, wait, event);
    nf_cl_driver_program_release(held);
    return error;
}

static cl_int CL_API_CALL read_pipe(cl_command_queue queue, cl_program program, const char *name, cl_bool blocking,
                                    void *memory, size_t size, cl_uint wait_count, const cl_event *wait,
                                    cl_event *event)
{
    return host_pipe("clEnqueueReadHostPipeINTEL", queue, program, name, blocking, memory, size, wait_count, wait,
                     event);
}

static cl_int CL_API_CALL write_pipe(cl_command_queue queue, cl_program program, const char *name, cl_bool blocking,
                                     const void *memory, size_t size, cl_uint wait_count, const cl_event *wait,
                                     cl_event *event)
{
    return host_pipe("clEnqueueWriteHostPipeINTEL", queue, program, name, blocking, (void *)memory, size, wait_count,
                     wait, event);
}

/* ---- by name ---- */

static const struct {
    const char *name;
    nf_cl_function function;
} extensions[] = {
    {"clGetDeviceGlobalVariablePointerINTEL", (nf_cl_function)get_variable_pointer},
    {"clGetDeviceFunctionPointerINTEL", (nf_cl_function)get_function_pointer},
    {"clEnqueueReadGlobalVariableINTEL", (nf_cl_function)read_variable},
    {"clEnqueueWriteGlobalVariableINTEL", (nf_cl_function)write_variable},
    {"clEnqueueReadHostPipeINTEL", (nf_cl_function)read_pipe},
    {"clEnqueueWriteHostPipeINTEL", (nf_cl_function)write_pipe},
};

nf_cl_function nf_cl_program_extension(const char *name)
{
    for (size_t i = 0; i < sizeof extensions / sizeof extensions[0]; i++)
        if (strcmp(extensions[i].name, name) == 0) return extensions[i].function;
    return NULL;
}
