/* SPDX-License-Identifier: Apache-2.0 */
/*
 * build.c - builds programs with the driver of one device. The device is the first one with the requested names of
 * platform and device, and the requested version of the driver. Takes a module or OpenCL C, and its build options.
 * Gives the driver's error code, if the driver returns. The loader is opened by name, because the application may have
 * a loader of its own.
 */
#define CL_TARGET_OPENCL_VERSION 300
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS /* clCreateCommandQueue(), which every driver has */
#include <CL/cl.h>

#include "layer/build_test/build_test.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { LAUNCH_SECONDS = 2 };

typedef cl_program(CL_API_CALL *create_fn)(cl_context, const void *, size_t, cl_int *);

static void *library;
static cl_platform_id platform;
static cl_device_id device;
static cl_context context;

/* Declares a pointer to an OpenCL function. ISO C has no cast between object and function pointers; POSIX guarantees
 * equal sizes. */
#define FUNCTION(name)                                                                                                 \
    __typeof__(name) *call_##name;                                                                                     \
    void *address_of_##name = dlsym(library, #name);                                                                   \
    memcpy(&call_##name, &address_of_##name, sizeof call_##name)

/* ---- the device ---- */

static bool is_platform(cl_platform_id candidate, const char *name)
{
    FUNCTION(clGetPlatformInfo);
    char text[1024] = "";
    return call_clGetPlatformInfo(candidate, CL_PLATFORM_NAME, sizeof text - 1, text, NULL) == CL_SUCCESS &&
           strcmp(text, name) == 0;
}

static bool says(cl_device_id candidate, cl_device_info name, const char *expected)
{
    FUNCTION(clGetDeviceInfo);
    char text[1024] = "";
    return call_clGetDeviceInfo(candidate, name, sizeof text - 1, text, NULL) == CL_SUCCESS &&
           strcmp(text, expected) == 0;
}

static bool find_on(cl_platform_id candidate, const struct nf_try_device *wanted)
{
    enum { MOST = 64 };
    FUNCTION(clGetDeviceIDs);
    cl_device_id devices[MOST];
    cl_uint count = 0;
    if (call_clGetDeviceIDs(candidate, CL_DEVICE_TYPE_ALL, MOST, devices, &count) != CL_SUCCESS) return false;
    for (cl_uint i = 0; i < count && i < MOST; i++) {
        if (!says(devices[i], CL_DEVICE_NAME, wanted->device) || !says(devices[i], CL_DRIVER_VERSION, wanted->driver))
            continue;
        platform = candidate;
        device = devices[i];
        return true;
    }
    return false;
}

/* Finds the wanted device, and sets `platform` and `device`. Returns false if there is none. */
static bool find_device(const struct nf_try_device *wanted)
{
    enum { MOST = 64 };
    FUNCTION(clGetPlatformIDs);
    cl_platform_id platforms[MOST];
    cl_uint count = 0;
    call_clGetPlatformIDs(MOST, platforms, &count);
    for (cl_uint i = 0; i < count && i < MOST; i++)
        if (is_platform(platforms[i], wanted->platform) && find_on(platforms[i], wanted)) return true;
    return false;
}

bool nf_try_find(const struct nf_try_device *wanted)
{
    cl_int error = CL_SUCCESS;
    library = dlopen(wanted->loader, RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        nf_helper_error("%s", dlerror());
        return false;
    }
    FUNCTION(clCreateContext);
    if (!find_device(wanted)) {
        nf_helper_error("the loader lists no device '%s' of platform '%s'", wanted->device, wanted->platform);
        return false;
    }
    context = call_clCreateContext(NULL, 1, &device, NULL, NULL, &error);
    if (!context) nf_helper_error("cannot create a context for the device '%s' (error %d)", wanted->device, error);
    return context;
}

/* ---- the build ---- */

static cl_program create(const struct nf_bytes *module)
{
    FUNCTION(clCreateProgramWithIL);
    FUNCTION(clGetExtensionFunctionAddressForPlatform);
    cl_int error = CL_SUCCESS;
    cl_program program =
        call_clCreateProgramWithIL ? call_clCreateProgramWithIL(context, module->data, module->size, &error) : NULL;
    if (program || !call_clGetExtensionFunctionAddressForPlatform) return program;
    create_fn other;
    void *address = call_clGetExtensionFunctionAddressForPlatform(platform, "clCreateProgramWithILKHR");
    memcpy(&other, &address, sizeof other);
    return other ? other(context, module->data, module->size, &error) : NULL;
}

static cl_program create_from_source(const struct nf_bytes *text)
{
    FUNCTION(clCreateProgramWithSource);
    const char *begin = (const char *)text->data;
    cl_int error = CL_SUCCESS;
    return call_clCreateProgramWithSource(context, 1, &begin, NULL, &error);
}

static void set_specs(cl_program program, const struct nf_try_request *request)
{
    FUNCTION(clSetProgramSpecializationConstant);
    for (size_t i = 0; i < request->head.spec_count && call_clSetProgramSpecializationConstant; i++) {
        const struct nf_try_spec *spec = &request->specs[i];
        call_clSetProgramSpecializationConstant(program, spec->id, spec->size, &spec->value);
    }
}

/* ---- kernels ---- */

struct kernels {
    cl_kernel *list;
    cl_uint count;
};

/* Creates all kernels, because some drivers compile only then. @return an empty list if the driver creates none, or
 * memory is exhausted. */
static struct kernels make_kernels(cl_program program)
{
    FUNCTION(clCreateKernelsInProgram);
    struct kernels made = {NULL, 0};
    if (call_clCreateKernelsInProgram(program, 0, NULL, &made.count) != CL_SUCCESS || made.count == 0) return made;
    made.list = calloc(made.count, sizeof(cl_kernel));
    if (made.list && call_clCreateKernelsInProgram(program, made.count, made.list, NULL) == CL_SUCCESS) return made;
    free(made.list);
    return (struct kernels){NULL, 0};
}

static void release_kernels(struct kernels *made)
{
    FUNCTION(clReleaseKernel);
    for (cl_uint i = 0; made->list && i < made->count; i++)
        call_clReleaseKernel(made->list[i]);
    free(made->list);
}

/* Returns memory for an argument that is a buffer: ROOM bytes before its address, and as many after it, with undefined
 * contents. All launches share it. NULL: the driver has not allocated it.
 *
 * Although an idle kernel returns at once, Mesa's llvmpipe 26 executes its loads from uniform addresses, such as the
 * address of the first element of a buffer (src/workarounds/mesa_uniform_loads.c): a null buffer would end the
 * process. */
static cl_mem argument_memory(void)
{
    enum { ROOM = 4 << 20 };
    static cl_mem memory;
    static bool tried;
    FUNCTION(clCreateBuffer);
    FUNCTION(clCreateSubBuffer);
    static const cl_buffer_region upper = {ROOM, ROOM};
    cl_mem whole = tried ? NULL : call_clCreateBuffer(context, 0, 2 * (size_t)ROOM, NULL, NULL);
    tried = true;
    if (whole) memory = call_clCreateSubBuffer(whole, 0, CL_BUFFER_CREATE_TYPE_REGION, &upper, NULL);
    return memory;
}

/* Returns true if the argument is a pointer to global or constant memory according to the driver. Images are listed as
 * global, too, and have an access qualifier. */
static bool is_buffer(cl_kernel kernel, cl_uint index)
{
    FUNCTION(clGetKernelArgInfo);
    cl_kernel_arg_address_qualifier space = CL_KERNEL_ARG_ADDRESS_PRIVATE;
    cl_kernel_arg_access_qualifier access = CL_KERNEL_ARG_ACCESS_NONE;
    call_clGetKernelArgInfo(kernel, index, CL_KERNEL_ARG_ADDRESS_QUALIFIER, sizeof space, &space, NULL);
    call_clGetKernelArgInfo(kernel, index, CL_KERNEL_ARG_ACCESS_QUALIFIER, sizeof access, &access, NULL);
    bool shared = space == CL_KERNEL_ARG_ADDRESS_GLOBAL || space == CL_KERNEL_ARG_ADDRESS_CONSTANT;
    return shared && access == CL_KERNEL_ARG_ACCESS_NONE;
}

/* Sets the argument to the first of these values that the driver accepts: the memory of argument_memory(), for a
 * pointer to global or constant memory; zeros of the size of a handle; local memory; zeros of another size. @return
 * false if the driver accepts none, as for an image, a sampler or a structure of more than LARGEST bytes. */
static bool set_argument(cl_kernel kernel, cl_uint index)
{
    enum { LARGEST = 4096, LOCAL = 1024 };
    static const char zeros[LARGEST];
    FUNCTION(clSetKernelArg);
    const cl_mem memory = is_buffer(kernel, index) ? argument_memory() : NULL;
    if (memory && call_clSetKernelArg(kernel, index, sizeof memory, &memory) == CL_SUCCESS) return true;
    if (call_clSetKernelArg(kernel, index, sizeof(cl_mem), zeros) == CL_SUCCESS) return true;
    if (call_clSetKernelArg(kernel, index, LOCAL, NULL) == CL_SUCCESS) return true;
    for (size_t size = 1; size <= LARGEST; size++)
        if (call_clSetKernelArg(kernel, index, size, zeros) == CL_SUCCESS) return true;
    return false;
}

static bool set_arguments(cl_kernel kernel)
{
    FUNCTION(clGetKernelInfo);
    cl_uint count = 0;
    bool good = call_clGetKernelInfo(kernel, CL_KERNEL_NUM_ARGS, sizeof count, &count, NULL) == CL_SUCCESS;
    for (cl_uint i = 0; i < count && good; i++)
        good = set_argument(kernel, i);
    return good;
}

/* Launches one work-group of the size that the kernel demands, and waits for it. */
static void launch(cl_command_queue queue, cl_kernel kernel)
{
    FUNCTION(clGetKernelWorkGroupInfo);
    FUNCTION(clEnqueueNDRangeKernel);
    FUNCTION(clFinish);
    size_t size[NF_TRY_IDLE_DIMENSIONS] = {0};
    call_clGetKernelWorkGroupInfo(kernel, device, CL_KERNEL_COMPILE_WORK_GROUP_SIZE, sizeof size, size, NULL);
    for (int i = 0; i < NF_TRY_IDLE_DIMENSIONS; i++)
        if (size[i] == 0) size[i] = 1;
    if (call_clEnqueueNDRangeKernel(queue, kernel, NF_TRY_IDLE_DIMENSIONS, NULL, size, size, 0, NULL, NULL) ==
        CL_SUCCESS)
        call_clFinish(queue);
}

/* Launches the kernels whose arguments set_argument() can set; begins no launch after the time limit. */
static void launch_all(const struct kernels *made)
{
    FUNCTION(clCreateCommandQueue);
    FUNCTION(clReleaseCommandQueue);
    const time_t end = time(NULL) + LAUNCH_SECONDS;
    cl_command_queue queue = call_clCreateCommandQueue(context, device, 0, NULL);
    for (cl_uint i = 0; queue && made->list && i < made->count && time(NULL) <= end; i++)
        if (set_arguments(made->list[i])) launch(queue, made->list[i]);
    if (queue) call_clReleaseCommandQueue(queue);
}

/* ---- steps of a request ---- */

static void release(cl_program program)
{
    FUNCTION(clReleaseProgram);
    if (program) call_clReleaseProgram(program);
}

static bool has_flag(const struct nf_try_request *request, uint32_t flag)
{
    return request->head.flags & flag;
}

static cl_program make_program(const struct nf_try_request *request, const struct nf_bytes *input)
{
    cl_program program = has_flag(request, NF_TRY_SOURCE) ? create_from_source(input) : create(input);
    if (program) set_specs(program, request);
    return program;
}

static cl_int build(cl_program program, const struct nf_try_request *request)
{
    FUNCTION(clBuildProgram);
    return call_clBuildProgram(program, 1, &device, request->options, NULL, NULL);
}

/* Launches the kernels of the idle copy, because some drivers compile only then. */
static void try_launches(const struct nf_try_request *request)
{
    struct nf_bytes idle;
    if (!nf_try_make_idle(&request->module, &idle)) return;
    cl_program program = make_program(request, &idle);
    if (program && build(program, request) == CL_SUCCESS) {
        struct kernels made = make_kernels(program);
        launch_all(&made);
        release_kernels(&made);
    }
    release(program);
    free(idle.data);
}

/* Queries the log and the binary, and stores one after the other. Leaves `*built` empty if the driver has no binary, a
 * query fails, or memory is exhausted. */
static void fetch(cl_program program, struct nf_bytes *built)
{
    FUNCTION(clGetProgramInfo);
    FUNCTION(clGetProgramBuildInfo);
    size_t size = 0, log_size = 0;
    if (call_clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, NULL) != CL_SUCCESS || !size ||
        call_clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, 0, NULL, &log_size) != CL_SUCCESS)
        return;
    unsigned char *data = calloc(1, log_size + 1 + size);
    if (!data ||
        call_clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, log_size, data, NULL) != CL_SUCCESS) {
        free(data);
        return;
    }
    log_size = strlen((const char *)data) + 1;
    unsigned char *binary = data + log_size;
    if (call_clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof binary, &binary, NULL) == CL_SUCCESS)
        *built = (struct nf_bytes){data, log_size + size};
    else
        free(data);
}

static void try_kernels(cl_program program, const struct nf_try_request *request)
{
    struct kernels made = make_kernels(program);
    if (made.list && has_flag(request, NF_TRY_LAUNCH)) try_launches(request);
    release_kernels(&made);
}

int32_t nf_try_build(const struct nf_try_request *request, struct nf_bytes *built)
{
    FUNCTION(clCompileProgram);
    *built = (struct nf_bytes){NULL, 0};
    cl_program program = make_program(request, &request->module);
    cl_int error = CL_INVALID_PROGRAM;
    if (program && has_flag(request, NF_TRY_COMPILE))
        error = call_clCompileProgram(program, 1, &device, request->options, 0, NULL, NULL, NULL, NULL);
    else if (program && (error = build(program, request)) == CL_SUCCESS)
        try_kernels(program, request);
    if (program && error == CL_SUCCESS && has_flag(request, NF_TRY_BINARY)) fetch(program, built);
    release(program);
    return error;
}
