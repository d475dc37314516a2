/* SPDX-License-Identifier: Apache-2.0 */
/*
 * stub_kernels.c - the stub driver's kernels: a test sets the number of their arguments (stub.h), they store their
 * arguments, and a launch records the values that the kernel would have got.
 */
#define _GNU_SOURCE
#include "stub_objects.h"

/* ---- kernels ---- */

/* Like drivers that derive file names from kernel names, it refuses names of more than 250 characters. */
static bool has_kernel(cl_program program, const char *name)
{
    const char *at = strstr(kernel_names(program), name);
    return strlen(name) <= 250 && at && (at[strlen(name)] == '\0' || at[strlen(name)] == ';');
}

static cl_kernel CL_API_CALL create_kernel(cl_program program, const char *name, cl_int *error)
{
    cl_int failure = !own(program, PROGRAM)       ? CL_INVALID_PROGRAM
                     : !program->is_built         ? CL_INVALID_PROGRAM_EXECUTABLE
                     : !name                      ? CL_INVALID_VALUE
                     : !has_kernel(program, name) ? CL_INVALID_KERNEL_NAME
                                                  : CL_SUCCESS;
    set_error(error, failure);
    if (failure) return NULL;
    cl_kernel kernel = make(sizeof *kernel, KERNEL);
    stub_dispatch.clRetainProgram(program);
    kernel->program = program;
    snprintf(kernel->name, sizeof kernel->name, "%s", name);
    atomic_fetch_add(&stub_data.kernels, 1);
    atomic_fetch_add(&program->kernels, 1);
    return kernel;
}

static cl_int CL_API_CALL create_kernels(cl_program program, cl_uint count, cl_kernel *kernels, cl_uint *count_ret)
{
    cl_int error = CL_SUCCESS;
    if (!own(program, PROGRAM)) return CL_INVALID_PROGRAM;
    if (!program->is_built) return CL_INVALID_PROGRAM_EXECUTABLE;
    size_t there = count_kernels(program);
    if (kernels && count < there) return CL_INVALID_VALUE;
    const char *names = kernel_names(program);
    for (size_t i = 0; kernels && i < there; i++) {
        char name[256];
        snprintf(name, sizeof name, "%.*s", (int)strcspn(names, ";"), names);
        names += strcspn(names, ";") + 1;
        kernels[i] = create_kernel(program, name, &error);
    }
    if (count_ret) *count_ret = (cl_uint)there;
    return error;
}

static cl_int CL_API_CALL retain_kernel(cl_kernel kernel)
{
    if (!own(kernel, KERNEL)) return CL_INVALID_KERNEL;
    atomic_fetch_add(&kernel->object.references, 1);
    return CL_SUCCESS;
}

static cl_int CL_API_CALL release_kernel(cl_kernel kernel)
{
    if (!own(kernel, KERNEL)) return CL_INVALID_KERNEL;
    if (atomic_fetch_sub(&kernel->object.references, 1) == 1) {
        atomic_fetch_sub(&stub_data.kernels, 1);
        atomic_fetch_sub(&kernel->program->kernels, 1);
        stub_dispatch.clReleaseProgram(kernel->program);
        free(kernel);
    }
    return CL_SUCCESS;
}

static cl_kernel CL_API_CALL clone_kernel(cl_kernel kernel, cl_int *error)
{
    if (!own(kernel, KERNEL)) {
        set_error(error, CL_INVALID_KERNEL);
        return NULL;
    }
    cl_kernel clone = create_kernel(kernel->program, kernel->name, error);
    if (clone) memcpy(clone->arguments, kernel->arguments, sizeof clone->arguments);
    return clone;
}

/* ---- arguments and launches ---- */

static bool is_built_for(cl_kernel kernel, cl_device_id device)
{
    return atomic_load(&kernel->program->built_for) >> device->kind & 1;
}

/* Like programs from nonflat-spir: they have a kernel that fills the buffer of moved variables, and an additional
 * argument in the others. */
static cl_uint count_arguments(cl_kernel kernel)
{
    cl_uint count = (cl_uint)atomic_load(&stub_data.arguments);
    if (!has_filler(kernel->program) || !strstr(kernel_names(kernel->program), FILLER)) return count;
    return strncmp(kernel->name, FILLER, strlen(FILLER)) == 0 ? 1 : count + 1;
}

static cl_int set_argument(cl_kernel kernel, cl_uint index, uint64_t value)
{
    if (!own(kernel, KERNEL)) return CL_INVALID_KERNEL;
    if (index >= count_arguments(kernel)) return CL_INVALID_ARG_INDEX;
    cl_int failure = kernel->program->from_bitcode ? atomic_exchange(&stub_data.fail_argument, 0) : CL_SUCCESS;
    if (failure == CL_SUCCESS) kernel->arguments[index] = (struct argument){true, value};
    return failure;
}

static cl_int CL_API_CALL set_kernel_arg(cl_kernel kernel, cl_uint index, size_t size, const void *value)
{
    uint64_t word = size;
    if (size == 0 || size > 4096) return CL_INVALID_ARG_SIZE;
    if (value) word = 0;
    if (value) memcpy(&word, value, size < sizeof word ? size : sizeof word);
    return set_argument(kernel, index, word);
}

static cl_int CL_API_CALL set_pointer(cl_kernel kernel, cl_uint index, const void *value)
{
    return set_argument(kernel, index, (uint64_t)(uintptr_t)value);
}

static cl_int CL_API_CALL set_exec_info(cl_kernel kernel, cl_kernel_exec_info name, size_t size, const void *value)
{
    (void)name, (void)size, (void)value;
    if (!own(kernel, KERNEL)) return CL_INVALID_KERNEL;
    atomic_fetch_add(&stub_data.exec_infos, 1);
    return CL_SUCCESS;
}

static cl_int launch(cl_command_queue queue, cl_kernel kernel)
{
    if (!own(queue, QUEUE)) return CL_INVALID_COMMAND_QUEUE;
    if (!own(kernel, KERNEL)) return CL_INVALID_KERNEL;
    if (!is_built_for(kernel, queue->device)) { /* a real driver ends the process in this case */
        atomic_fetch_add(&stub_data.foreign, 1);
        return CL_INVALID_PROGRAM_EXECUTABLE;
    }
    pthread_mutex_lock(&stub_lock);
    stub_data.launch =
        (struct stub_launch){queue->device->kind, kernel->program->from_bitcode, kernel->program->source != NULL, {0}};
    bool all = true;
    for (cl_uint i = 0; i < count_arguments(kernel); i++) {
        all = all && kernel->arguments[i].set;
        stub_data.launch.values[i] = kernel->arguments[i].value;
    }
    if (count_arguments(kernel) == (cl_uint)atomic_load(&stub_data.arguments) + 1) /* the buffer for variables */
        all = all && own((const void *)(uintptr_t)stub_data.launch.values[count_arguments(kernel) - 1], BUFFER);
    pthread_mutex_unlock(&stub_lock);
    atomic_fetch_add(&stub_data.launches, 1);
    return all ? CL_SUCCESS : CL_INVALID_KERNEL_ARGS;
}

static cl_int CL_API_CALL enqueue_nd_range(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions,
                                           const size_t *offset, const size_t *global, const size_t *local,
                                           cl_uint count, const cl_event *wait, cl_event *event)
{
    (void)offset, (void)global, (void)local, (void)count, (void)wait, (void)event;
    return queue && kernel && dimensions == 0 ? CL_INVALID_WORK_DIMENSION : launch(queue, kernel);
}

static cl_int CL_API_CALL enqueue_task(cl_command_queue queue, cl_kernel kernel, cl_uint count, const cl_event *wait,
                                       cl_event *event)
{
    (void)count, (void)wait, (void)event;
    return launch(queue, kernel);
}

static cl_int CL_API_CALL finish(cl_command_queue queue)
{
    return own(queue, QUEUE) ? CL_SUCCESS : CL_INVALID_COMMAND_QUEUE;
}

/* The answer differs between a kernel of bitcode and one of SPIR-V. */
static size_t work_group_size(cl_kernel kernel)
{
    return kernel->program->from_bitcode ? 64 : 128;
}

static cl_int CL_API_CALL get_local_size(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions,
                                         const size_t *offset, const size_t *global, size_t *local)
{
    (void)dimensions, (void)offset, (void)global;
    if (!own(queue, QUEUE)) return CL_INVALID_COMMAND_QUEUE;
    if (!own(kernel, KERNEL)) return CL_INVALID_KERNEL;
    *local = work_group_size(kernel);
    return is_built_for(kernel, queue->device) ? CL_SUCCESS : CL_INVALID_PROGRAM_EXECUTABLE;
}

/* A command buffer is its queue in this driver, and a command runs at once. */
static cl_int CL_API_CALL command_nd_range(void *buffer, cl_command_queue queue, const void *properties,
                                           cl_kernel kernel, cl_uint dimensions, const size_t *offset,
                                           const size_t *global, const size_t *local, cl_uint count,
                                           const cl_uint *wait, cl_uint *point, void **command)
{
    (void)properties, (void)dimensions, (void)offset, (void)global, (void)local, (void)count, (void)wait;
    if (point) *point = 5;
    if (command) *command = buffer;
    return launch(queue ? queue : buffer, kernel);
}

/* ---- buffers ---- */

static cl_mem CL_API_CALL create_buffer(cl_context context, cl_mem_flags flags, size_t size, void *memory,
                                        cl_int *error)
{
    (void)flags, (void)size, (void)memory;
    set_error(error, own(context, CONTEXT_MAGIC) ? CL_SUCCESS : CL_INVALID_CONTEXT);
    atomic_fetch_add(&stub_data.buffers, 1);
    return make(sizeof(struct object), BUFFER);
}

static cl_int CL_API_CALL release_buffer(cl_mem buffer)
{
    if (!own(buffer, BUFFER)) return CL_INVALID_MEM_OBJECT;
    atomic_fetch_sub(&stub_data.buffers, 1);
    free(buffer);
    return CL_SUCCESS;
}

static cl_int CL_API_CALL get_kernel_info(cl_kernel kernel, cl_kernel_info name, size_t size, void *value,
                                          size_t *size_ret)
{
    if (!own(kernel, KERNEL)) return CL_INVALID_KERNEL;
    if (name == CL_KERNEL_PROGRAM) return give(&kernel->program, sizeof kernel->program, size, value, size_ret);
    if (name == CL_KERNEL_CONTEXT)
        return give(&kernel->program->context, sizeof kernel->program->context, size, value, size_ret);
    if (name == CL_KERNEL_FUNCTION_NAME) return give_text(kernel->name, size, value, size_ret);
    cl_uint count = count_arguments(kernel);
    /* Like real drivers, it has this information for source, but not for binaries. */
    if (name == CL_KERNEL_ATTRIBUTES) return give_text(kernel->program->source ? "plain" : "", size, value, size_ret);
    if (name == CL_KERNEL_NUM_ARGS) return give(&count, sizeof count, size, value, size_ret);
    return CL_INVALID_VALUE;
}

static cl_int CL_API_CALL get_arg_info(cl_kernel kernel, cl_uint index, cl_kernel_arg_info name, size_t size,
                                       void *value, size_t *size_ret)
{
    if (!own(kernel, KERNEL)) return CL_INVALID_KERNEL;
    const cl_kernel_arg_type_qualifier nothing = 0;
    if (index >= count_arguments(kernel) && count_arguments(kernel)) return CL_INVALID_ARG_INDEX;
    if (kernel->program->source && (name == CL_KERNEL_ARG_NAME || name == CL_KERNEL_ARG_TYPE_NAME))
        return give_text("of the text", size, value, size_ret);
    if (kernel->program->source)
        return give(&nothing, sizeof nothing / (name == CL_KERNEL_ARG_TYPE_QUALIFIER ? 1 : 2), size, value, size_ret);
    return index == 0 && name == CL_KERNEL_ARG_NAME ? give_text("argument", size, value, size_ret) : CL_INVALID_VALUE;
}

static cl_int CL_API_CALL get_work_group_info(cl_kernel kernel, cl_device_id device, cl_kernel_work_group_info name,
                                              size_t size, void *value, size_t *size_ret)
{
    if (!own(kernel, KERNEL)) return CL_INVALID_KERNEL;
    cl_context context = kernel->program->context;
    if (!device && context->count == 1) device = context->devices[0];
    if (!own(device, DEVICE)) return CL_INVALID_DEVICE;
    const size_t most = work_group_size(kernel);
    if (!is_built_for(kernel, device)) return CL_INVALID_DEVICE;
    return name == CL_KERNEL_WORK_GROUP_SIZE ? give(&most, sizeof most, size, value, size_ret) : CL_INVALID_VALUE;
}

static cl_int CL_API_CALL get_sub_group_info(cl_kernel kernel, cl_device_id device, cl_kernel_sub_group_info name,
                                             size_t input_size, const void *input, size_t size, void *value,
                                             size_t *size_ret)
{
    (void)name, (void)input_size, (void)input;
    if (device && atomic_load(&stub_data.silent) >> device->kind & 1) return CL_INVALID_VALUE;
    return get_work_group_info(kernel, device, CL_KERNEL_WORK_GROUP_SIZE, size, value, size_ret);
}

/* ---- the table ---- */

const cl_icd_dispatch stub_kernel_calls = {
    .clSetKernelArg = set_kernel_arg,
    .clSetKernelArgSVMPointer = set_pointer,
    .clSetKernelExecInfo = set_exec_info,
    .clEnqueueNDRangeKernel = enqueue_nd_range,
    .clEnqueueTask = enqueue_task,
    .clGetKernelSubGroupInfo = get_sub_group_info,
    .clGetKernelSubGroupInfoKHR = get_sub_group_info,
    .clFinish = finish,
    .clCreateBuffer = create_buffer,
    .clReleaseMemObject = release_buffer,
    .clCreateKernel = create_kernel,
    .clCreateKernelsInProgram = create_kernels,
    .clRetainKernel = retain_kernel,
    .clReleaseKernel = release_kernel,
    .clGetKernelInfo = get_kernel_info,
    .clGetKernelArgInfo = get_arg_info,
    .clGetKernelWorkGroupInfo = get_work_group_info,
    .clCloneKernel = clone_kernel,
};

typedef void (*function)(void);

void *stub_kernel_function(const char *name)
{
    static const struct {
        const char *name;
        function function;
    } functions[] = {
        {"clSetKernelArgMemPointerINTEL", (function)set_pointer},
        {"clGetKernelSuggestedLocalWorkSizeKHR", (function)get_local_size},
        {"clGetKernelSuggestedLocalWorkSizeINTEL", (function)get_local_size},
        {"clCommandNDRangeKernelKHR", (function)command_nd_range},
        {"clGetKernelSubGroupInfoKHR", (function)get_sub_group_info},
    };
    void *address = NULL;
    for (size_t i = 0; i < sizeof functions / sizeof functions[0]; i++)
        if (strcmp(functions[i].name, name) == 0) memcpy(&address, &functions[i].function, sizeof address);
    return address;
}
