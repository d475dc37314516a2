/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_mixed.c - a context whose devices get a module in different forms: a kernel of it works on each device,
 * arguments that the application sets reach all of them, and a launch or a query reaches the intended one. The file
 * also tests the argument that the layer adds if program-scope variables are in a buffer of its own: the application
 * cannot access it.
 */
#define _GNU_SOURCE
#include "common.h"

#include <string.h>
#include <time.h>

enum { MOST = 4 };

/* A context over devices of platform 0, a built program and a kernel of it, and a queue for each device. */
struct mixed {
    cl_uint count;
    enum stub_device kinds[MOST];
    cl_device_id list[MOST];
    cl_context context;
    cl_command_queue queues[MOST];
    cl_program program;
    cl_kernel kernel;
};

static struct mixed open_devices(cl_uint count, const enum stub_device *kinds)
{
    struct mixed mixed = {.count = count};
    for (cl_uint i = 0; i < count; i++) {
        mixed.kinds[i] = kinds[i];
        mixed.list[i] = devices[0][kinds[i]];
    }
    mixed.context = make_context_of(count, mixed.list);
    for (cl_uint i = 0; i < count; i++)
        mixed.queues[i] = clCreateCommandQueueWithProperties(mixed.context, mixed.list[i], NULL, NULL);
    mixed.program = make_program(mixed.context, &generic_module);
    return mixed;
}

static void make_kernel(struct mixed *mixed)
{
    cl_int error = -1;
    assert_int_equal(clBuildProgram(mixed->program, 0, NULL, "", NULL, NULL), CL_SUCCESS);
    mixed->kernel = clCreateKernel(mixed->program, "k", &error);
    assert_int_equal(error, CL_SUCCESS);
}

static void close_devices(struct mixed *mixed)
{
    if (mixed->kernel) assert_int_equal(clReleaseKernel(mixed->kernel), CL_SUCCESS);
    assert_int_equal(stub->kernels, 0);
    assert_int_equal(clReleaseProgram(mixed->program), CL_SUCCESS);
    for (cl_uint i = 0; i < mixed->count; i++)
        clReleaseCommandQueue(mixed->queues[i]);
    clReleaseContext(mixed->context);
}

static cl_int launch(cl_command_queue queue, cl_kernel kernel)
{
    const size_t one = 1;
    return clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &one, NULL, 0, NULL, NULL);
}

/* Launches the kernel on every device, which must execute its own kernel with these arguments. */
static void launch_all(const struct mixed *mixed, cl_kernel kernel, const uint64_t *values)
{
    for (cl_uint i = 0; i < mixed->count; i++)
        for (int task = 0; task < 2; task++) {
            memset(&stub->launch, 0xff, sizeof stub->launch);
            cl_int error =
                task ? clEnqueueTask(mixed->queues[i], kernel, 0, NULL, NULL) : launch(mixed->queues[i], kernel);
            assert_int_equal(error, CL_SUCCESS);
            assert_int_equal(stub->launch.device, mixed->kinds[i]);
            assert_int_equal(stub->launch.from_bitcode, mixed->kinds[i] == STUB_SPIR || mixed->kinds[i] == STUB_SPIR_3);
            assert_int_equal(stub->launch.from_source, mixed->kinds[i] == STUB_SOURCE);
            assert_memory_equal(stub->launch.values, values, (size_t)stub->arguments * sizeof *values);
        }
}

/* Sets a buffer, local memory, and a null buffer. */
static void set_arguments(cl_kernel kernel, uint64_t *values)
{
    values[0] = 0x1122334455667788;
    values[1] = 96;
    values[2] = 0;
    const cl_mem nothing = NULL;
    assert_int_equal(clSetKernelArg(kernel, 0, sizeof values[0], &values[0]), CL_SUCCESS);
    assert_int_equal(clSetKernelArg(kernel, 1, 96, NULL), CL_SUCCESS);
    assert_int_equal(clSetKernelArg(kernel, 2, sizeof nothing, &nothing), CL_SUCCESS);
}

static const enum stub_device orders[][MOST] = {
    {STUB_IL, STUB_SPIR},     {STUB_SPIR, STUB_IL},   {STUB_KHR, STUB_IL, STUB_SPIR, STUB_IL_2},
    {STUB_SOURCE, STUB_SPIR}, {STUB_IL, STUB_SOURCE},
};

static struct mixed open_order(int order)
{
    return open_devices(order == 2 ? 4 : 2, orders[order]);
}

static void a_kernel_works_on_every_device(void **unused)
{
    (void)unused;
    for (int order = 0; order < (int)(sizeof orders / sizeof *orders); order++) {
        uint64_t values[STUB_ARGUMENTS];
        struct mixed mixed = open_order(order);
        make_kernel(&mixed);
        assert_int_equal(stub->kernels, order == 2 ? 3 : 2);
        for (cl_uint i = 0; i < mixed.count; i++)
            assert_int_equal(launch(mixed.queues[i], mixed.kernel), CL_INVALID_KERNEL_ARGS);
        set_arguments(mixed.kernel, values);
        launch_all(&mixed, mixed.kernel, values);
        values[0] = 5;
        assert_int_equal(clSetKernelArg(mixed.kernel, 0, sizeof values[0], &values[0]), CL_SUCCESS);
        launch_all(&mixed, mixed.kernel, values);
        close_devices(&mixed);
    }
}

static void all_kernels_of_a_program(void **unused)
{
    uint64_t values[STUB_ARGUMENTS];
    cl_kernel kernels[3] = {NULL};
    cl_uint count = 0;
    (void)unused;
    strcpy(stub->names, "k;second");
    struct mixed mixed = open_order(0);
    assert_int_equal(clBuildProgram(mixed.program, 0, NULL, "", NULL, NULL), CL_SUCCESS);
    assert_int_equal(clCreateKernelsInProgram(mixed.program, 1, kernels, &count), CL_INVALID_VALUE);
    assert_int_equal(clCreateKernelsInProgram(mixed.program, 3, kernels, &count), CL_SUCCESS);
    assert_int_equal(count, 2);
    for (cl_uint i = 0; i < count; i++) {
        set_arguments(kernels[i], values);
        launch_all(&mixed, kernels[i], values);
        assert_int_equal(clReleaseKernel(kernels[i]), CL_SUCCESS);
    }
    *stub->names = '\0';
    close_devices(&mixed);
}

static void a_clone_has_the_arguments(void **unused)
{
    uint64_t values[STUB_ARGUMENTS], others[STUB_ARGUMENTS];
    cl_int error = -1;
    (void)unused;
    struct mixed mixed = open_order(0);
    make_kernel(&mixed);
    set_arguments(mixed.kernel, values);
    cl_kernel clone = clCloneKernel(mixed.kernel, &error);
    assert_int_equal(error, CL_SUCCESS);
    memcpy(others, values, sizeof values);
    others[0] = 77;
    assert_int_equal(clSetKernelArg(clone, 0, sizeof others[0], &others[0]), CL_SUCCESS);
    launch_all(&mixed, clone, others);
    launch_all(&mixed, mixed.kernel, values);
    assert_int_equal(clReleaseKernel(mixed.kernel), CL_SUCCESS);
    launch_all(&mixed, clone, others);
    mixed.kernel = clone;
    close_devices(&mixed);
}

static void lives(void **unused)
{
    uint64_t values[STUB_ARGUMENTS];
    cl_program seen = NULL;
    (void)unused;
    struct mixed mixed = open_order(0);
    make_kernel(&mixed);
    assert_int_equal(clBuildProgram(mixed.program, 1, &mixed.list[1], "", NULL, NULL), CL_INVALID_OPERATION);
    assert_int_equal(clRetainKernel(mixed.kernel), CL_SUCCESS);
    assert_int_equal(clRetainProgram(mixed.program), CL_SUCCESS);
    assert_int_equal(clReleaseProgram(mixed.program), CL_SUCCESS);
    assert_int_equal(clReleaseProgram(mixed.program), CL_SUCCESS); /* the kernel keeps the program alive */
    assert_int_equal(clReleaseKernel(mixed.kernel), CL_SUCCESS);
    assert_int_equal(stub->kernels, 2);
    set_arguments(mixed.kernel, values);
    launch_all(&mixed, mixed.kernel, values);
    assert_int_equal(clGetKernelInfo(mixed.kernel, CL_KERNEL_PROGRAM, sizeof seen, &seen, NULL), CL_SUCCESS);
    assert_ptr_equal(seen, mixed.program);
    assert_int_equal(clRetainProgram(mixed.program), CL_SUCCESS);
    assert_int_equal(clReleaseKernel(mixed.kernel), CL_SUCCESS);
    mixed.kernel = NULL;
    assert_int_equal(clBuildProgram(mixed.program, 0, NULL, "", NULL, NULL), CL_SUCCESS);
    close_devices(&mixed);
}

/* ---- queries about a device -------------------------------------------------------------------------------------- */

typedef cl_int(CL_API_CALL *local_size_fn)(cl_command_queue, cl_kernel, cl_uint, const size_t *, const size_t *,
                                           size_t *);
typedef cl_int(CL_API_CALL *pointer_fn)(cl_kernel, cl_uint, const void *);
typedef cl_int(CL_API_CALL *sub_group_fn)(cl_kernel, cl_device_id, cl_kernel_sub_group_info, size_t, const void *,
                                          size_t, void *, size_t *);

/* Looks the function up by platform, or by name alone. */
static void look_up(int way, const char *name, void *function)
{
    void *address = way ? clGetExtensionFunctionAddress(name) : extension(0, name);
    assert_non_null(address);
    memcpy(function, &address, sizeof address);
}

static void questions_reach_the_one_that_is_meant(void **unused)
{
    static const char *const names[] = {"clGetKernelSuggestedLocalWorkSizeKHR",
                                        "clGetKernelSuggestedLocalWorkSizeINTEL"};
    const size_t global = 128;
    size_t answer = 0, again = 0;
    (void)unused;
    struct mixed mixed = open_order(2);
    make_kernel(&mixed);
    for (cl_uint i = 0; i < mixed.count; i++) {
        const size_t wanted = mixed.kinds[i] == STUB_SPIR ? 64 : 128;
        assert_int_equal(clGetKernelWorkGroupInfo(mixed.kernel, mixed.list[i], CL_KERNEL_WORK_GROUP_SIZE, sizeof answer,
                                                  &answer, &again),
                         CL_SUCCESS);
        assert_int_equal(answer, wanted);
        assert_int_equal(again, sizeof answer);
        answer = 0;
        assert_int_equal(clGetKernelSubGroupInfo(mixed.kernel, mixed.list[i], CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE,
                                                 sizeof global, &global, sizeof answer, &answer, NULL),
                         CL_SUCCESS);
        assert_int_equal(answer, wanted);
        sub_group_fn sub_group;
        look_up(0, "clGetKernelSubGroupInfoKHR", &sub_group);
        answer = 0;
        assert_int_equal(
            sub_group(mixed.kernel, mixed.list[i], 0, sizeof global, &global, sizeof answer, &answer, NULL),
            CL_SUCCESS);
        assert_int_equal(answer, wanted);
        for (int way = 0; way < 3; way++) { /* without a platform, loaders know only names with the suffix of an
                                             * extension */
            local_size_fn local_size;
            look_up(way == 2, names[way > 0], &local_size);
            answer = 0;
            assert_int_equal(local_size(mixed.queues[i], mixed.kernel, 1, NULL, &global, &answer), CL_SUCCESS);
            assert_int_equal(answer, wanted);
        }
    }
    assert_int_equal(
        clGetKernelWorkGroupInfo(mixed.kernel, NULL, CL_KERNEL_WORK_GROUP_SIZE, sizeof answer, &answer, NULL),
        CL_INVALID_DEVICE);
    assert_int_equal(clGetKernelWorkGroupInfo(mixed.kernel, devices[0][STUB_FAST], CL_KERNEL_WORK_GROUP_SIZE,
                                              sizeof answer, &answer, NULL),
                     CL_INVALID_DEVICE);
    close_devices(&mixed);
}

typedef cl_int(CL_API_CALL *command_fn)(void *, cl_command_queue, const void *, cl_kernel, cl_uint, const size_t *,
                                        const size_t *, const size_t *, cl_uint, const cl_uint *, cl_uint *, void **);

/* In the stub driver a command buffer is its queue. */
static void commands_take_the_one_for_their_queue(void **unused)
{
    uint64_t values[STUB_ARGUMENTS];
    const size_t one = 1;
    command_fn command;
    (void)unused;
    look_up(0, "clCommandNDRangeKernelKHR", &command);
    struct mixed mixed = open_order(2), plain = open_devices(1, orders[0]);
    make_kernel(&plain);
    set_arguments(plain.kernel, values);
    make_kernel(&mixed);
    set_arguments(mixed.kernel, values);
    for (cl_uint i = 0; i < mixed.count; i++) {
        cl_uint point = 0;
        void *made = NULL, *buffer = mixed.queues[i];
        assert_int_equal(
            command(buffer, mixed.queues[i], NULL, mixed.kernel, 1, NULL, &one, NULL, 0, NULL, &point, &made),
            CL_SUCCESS);
        assert_int_equal(stub->launch.device, mixed.kinds[i]);
        assert_int_equal(stub->launch.from_bitcode, mixed.kinds[i] == STUB_SPIR);
        assert_int_equal(point, 5);
        assert_ptr_equal(made, buffer);
        /* The layer does not know the queue of a command buffer. */
        int before = stub->launches;
        assert_int_equal(command(buffer, NULL, NULL, mixed.kernel, 1, NULL, &one, NULL, 0, NULL, &point, &made),
                         CL_INVALID_OPERATION);
        assert_int_equal(stub->launches, before);
        assert_int_equal(
            command(plain.queues[0], NULL, NULL, plain.kernel, 1, NULL, &one, NULL, 0, NULL, &point, &made),
            CL_SUCCESS);
    }
    assert_int_equal(clReleaseKernel(plain.kernel), CL_SUCCESS);
    plain.kernel = NULL;
    close_devices(&mixed);
    close_devices(&plain);
}

/* ---- other functions that set arguments -------------------------------------------------------------------------- */

static void pointers_reach_all(void **unused)
{
    (void)unused;
    struct mixed mixed = open_order(0);
    make_kernel(&mixed);
    for (int way = 0; way < 3; way++) {
        uint64_t values[STUB_ARGUMENTS] = {0};
        pointer_fn set = clSetKernelArgSVMPointer;
        if (way) look_up(way - 1, "clSetKernelArgMemPointerINTEL", &set);
        for (cl_uint i = 0; i < 3; i++) {
            values[i] = (uint64_t)(uintptr_t)&values[i];
            assert_int_equal(set(mixed.kernel, i, &values[i]), CL_SUCCESS);
        }
        assert_int_equal(set(mixed.kernel, 3, NULL), CL_INVALID_ARG_INDEX);
        launch_all(&mixed, mixed.kernel, values);
    }
    cl_bool yes = CL_TRUE;
    int before = stub->exec_infos;
    assert_int_equal(clSetKernelExecInfo(mixed.kernel, CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM, sizeof yes, &yes),
                     CL_SUCCESS);
    assert_int_equal(stub->exec_infos, before + 2);
    close_devices(&mixed);
}

static void wrong_arguments(void **unused)
{
    const uint64_t value = 1;
    (void)unused;
    struct mixed mixed = open_order(0);
    make_kernel(&mixed);
    assert_int_equal(clSetKernelArg(mixed.kernel, 3, sizeof value, &value), CL_INVALID_ARG_INDEX);
    assert_int_equal(clSetKernelArg(mixed.kernel, 0, 0, NULL), CL_INVALID_ARG_SIZE);
    assert_int_equal(clSetKernelArg(mixed.kernel, 0, 5000, &value), CL_INVALID_ARG_SIZE);
    stub->fail_argument = CL_INVALID_MEM_OBJECT; /* of the second driver kernel */
    assert_int_equal(clSetKernelArg(mixed.kernel, 0, sizeof value, &value), CL_INVALID_MEM_OBJECT);
    stub->fail_argument = CL_INVALID_MEM_OBJECT;
    assert_int_equal(clSetKernelArgSVMPointer(mixed.kernel, 0, &value), CL_INVALID_MEM_OBJECT);
    assert_int_equal(clSetKernelArg(NULL, 0, sizeof value, &value), CL_INVALID_KERNEL);
    assert_int_equal(launch(NULL, mixed.kernel), CL_INVALID_COMMAND_QUEUE);
    close_devices(&mixed);
}

/* ---- builds for some of the devices ------------------------------------------------------------------------------ */

static void a_kernel_works_where_the_program_was_built(void **unused)
{
    uint64_t values[STUB_ARGUMENTS];
    (void)unused;
    for (int failing = 0; failing < 2; failing++)
        for (cl_uint chosen = 0; chosen < 2; chosen++) {
            cl_int error = -1;
            struct mixed mixed = open_order(0);
            if (failing) stub->fail_devices = 1u << mixed.kinds[!chosen];
            error = clBuildProgram(mixed.program, !failing, failing ? NULL : &mixed.list[chosen], "", NULL, NULL);
            assert_int_equal(error, failing ? CL_BUILD_PROGRAM_FAILURE : CL_SUCCESS);
            stub->fail_devices = 0;
            size_t size = 0;
            assert_int_equal(clGetProgramInfo(mixed.program, CL_PROGRAM_KERNEL_NAMES, 0, NULL, &size), CL_SUCCESS);
            mixed.kernel = clCreateKernel(mixed.program, "k", &error);
            assert_int_equal(error, CL_SUCCESS);
            set_arguments(mixed.kernel, values);
            assert_int_equal(launch(mixed.queues[chosen], mixed.kernel), CL_SUCCESS);
            assert_int_equal(stub->launch.device, mixed.kinds[chosen]);
            assert_int_equal(launch(mixed.queues[!chosen], mixed.kernel), CL_INVALID_PROGRAM_EXECUTABLE);
            close_devices(&mixed);
        }
}

/* Building for one device keeps the compiled module of the other, although the driver program is replaced. */
static void what_was_compiled_stays(void **unused)
{
    const enum stub_device kinds[] = {STUB_IL, STUB_IL_2};
    const cl_program_binary_type types[] = {CL_PROGRAM_BINARY_TYPE_EXECUTABLE, CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT};
    (void)unused;
    for (int compiled = 0; compiled < 2; compiled++) {
        struct mixed mixed = open_devices(2, kinds);
        if (compiled)
            assert_int_equal(clCompileProgram(mixed.program, 0, NULL, "", 0, NULL, NULL, NULL, NULL), CL_SUCCESS);
        assert_int_equal(clBuildProgram(mixed.program, 1, mixed.list, "", NULL, NULL), CL_SUCCESS);
        for (int i = 0; i < 2; i++) {
            cl_build_status status = 1;
            cl_program_binary_type type = 0x7777;
            clGetProgramBuildInfo(mixed.program, mixed.list[i], CL_PROGRAM_BUILD_STATUS, sizeof status, &status, NULL);
            clGetProgramBuildInfo(mixed.program, mixed.list[i], CL_PROGRAM_BINARY_TYPE, sizeof type, &type, NULL);
            assert_int_equal(status, i == 0 || compiled ? CL_BUILD_SUCCESS : CL_BUILD_NONE);
            assert_int_equal(type, i == 0 || compiled ? types[i] : CL_PROGRAM_BINARY_TYPE_NONE);
        }
        close_devices(&mixed);
    }
}

static void CL_CALLBACK count_calls(cl_program program, void *user)
{
    (void)program;
    atomic_fetch_add((atomic_int *)user, 1);
}

/* A link for all devices has one callback, one kernel, and the value of a spec constant in every device's module. */
static void linked_for_every_device(void **unused)
{
    const uint32_t value = 0x12345678;
    uint64_t values[STUB_ARGUMENTS];
    (void)unused;
    for (int async = 0; async < 2; async++) {
        struct timespec pause = {0, 1000000};
        cl_int error = -1;
        atomic_int called = 0;
        struct mixed mixed = open_order(2);
        cl_program parts[] = {make_program(mixed.context, &caller_module), make_program(mixed.context, &callee_module)};
        assert_int_equal(clSetProgramSpecializationConstant(parts[1], 5, sizeof value, &value), CL_SUCCESS);
        for (int i = 0; i < 2; i++)
            assert_int_equal(clCompileProgram(parts[i], 0, NULL, "", 0, NULL, NULL, NULL, NULL), CL_SUCCESS);
        stub->async = async;
        cl_program linked = clLinkProgram(mixed.context, 0, NULL, "", 2, parts, count_calls, &called, &error);
        assert_int_equal(error, CL_SUCCESS);
        for (int i = 0; i < 5000 && !atomic_load(&called); i++)
            nanosleep(&pause, NULL);
        nanosleep(&pause, NULL);
        assert_int_equal(called, 1);
        stub->async = 0;
        clReleaseProgram(parts[0]);
        clReleaseProgram(parts[1]);
        clReleaseProgram(mixed.program);
        mixed.program = linked;
        mixed.kernel = clCreateKernel(linked, "k", &error);
        assert_int_equal(error, CL_SUCCESS);
        assert_int_equal(stub->kernels, 3);
        set_arguments(mixed.kernel, values);
        launch_all(&mixed, mixed.kernel, values);
        close_devices(&mixed);
        for (int i = 0; i < 5000 && stub->programs; i++) /* the driver's threads release them */
            nanosleep(&pause, NULL);
    }
}

/* A link is for the devices for which all its inputs are compiled. A device for which some inputs are compiled and
 * others are not is an error; one for which none is compiled is left out. Devices are bits in this test. */
static void linked_where_all_is_compiled(void **unused)
{
    static const struct {
        unsigned caller, callee, built, list, linked;
    } cases[] = {
        {3, 3, 0, 0, 3}, {3, 3, 0, 2, 2}, {3, 1, 0, 0, 0}, {3, 1, 0, 1, 1}, {3, 1, 0, 2, 0}, {1, 2, 0, 0, 0},
        {2, 2, 0, 0, 2}, {2, 2, 0, 1, 0}, {2, 2, 0, 3, 2}, {0, 3, 0, 0, 0}, {3, 3, 1, 0, 0}, {3, 3, 1, 2, 2},
    };
    static const enum stub_device kinds[][2] = {{STUB_IL, STUB_IL_2}, {STUB_IL, STUB_SPIR}};
    (void)unused;
    for (size_t i = 0; i < 2 * sizeof cases / sizeof *cases; i++) {
        struct mixed mixed = open_devices(2, kinds[i & 1]);
        cl_program parts[] = {make_program(mixed.context, &caller_module), make_program(mixed.context, &callee_module)};
        const unsigned compiled[] = {cases[i / 2].caller, cases[i / 2].callee};
        const unsigned list = cases[i / 2].list, linked = cases[i / 2].linked;
        cl_int error = 1;
        for (int j = 0; j < 4; j++)
            if (compiled[j / 2] >> (j & 1) & 1)
                assert_int_equal(clCompileProgram(parts[j / 2], 1, &mixed.list[j & 1], "", 0, NULL, NULL, NULL, NULL),
                                 CL_SUCCESS);
        if (cases[i / 2].built) assert_int_equal(clBuildProgram(parts[1], 1, mixed.list, "", NULL, NULL), CL_SUCCESS);
        cl_program program = clLinkProgram(mixed.context, (list & 1) + (list >> 1),
                                           list ? &mixed.list[list == 2] : NULL, "", 2, parts, NULL, NULL, &error);
        assert_int_equal(error, linked ? CL_SUCCESS : CL_INVALID_OPERATION);
        assert_int_equal(program != NULL, linked != 0);
        for (int j = 0; j < 2 && program; j++) {
            cl_build_status status = CL_BUILD_NONE;
            clGetProgramBuildInfo(program, mixed.list[j], CL_PROGRAM_BUILD_STATUS, sizeof status, &status, NULL);
            assert_int_equal(status, linked >> j & 1 ? CL_BUILD_SUCCESS : CL_BUILD_NONE);
        }
        if (program) clReleaseProgram(program);
        clReleaseProgram(parts[0]);
        clReleaseProgram(parts[1]);
        close_devices(&mixed);
    }
}

static void no_kernel_is_half_made(void **unused)
{
    cl_kernel kernels[2] = {NULL};
    cl_int error = 0;
    (void)unused;
    struct mixed mixed = open_order(0);
    assert_null(clCreateKernel(mixed.program, "k", &error));
    assert_int_equal(error, CL_INVALID_PROGRAM_EXECUTABLE);
    assert_int_equal(clBuildProgram(mixed.program, 0, NULL, "", NULL, NULL), CL_SUCCESS);
    assert_null(clCreateKernel(mixed.program, "nothing", &error));
    assert_int_equal(error, CL_INVALID_KERNEL_NAME);
    assert_null(clCreateKernel(mixed.program, NULL, &error));
    assert_int_equal(error, CL_INVALID_VALUE);
    strcpy(stub->names, "nonflat_globals_8;k"); /* the buffer of the bitcode kernel cannot be set */
    for (int round = 0; round < 4; round++) {   /* nor be initialized, at first */
        stub->fail_argument = CL_OUT_OF_RESOURCES;
        if (round % 2)
            error = clCreateKernelsInProgram(mixed.program, 2, kernels, NULL);
        else
            assert_null(clCreateKernel(mixed.program, "k", &error));
        assert_int_equal(error, CL_OUT_OF_RESOURCES);
        assert_int_equal(stub->fail_argument, 0);
        assert_int_equal(stub->kernels, 0);
        if (round == 1) clReleaseKernel(clCreateKernel(mixed.program, "k", NULL));
    }
    *stub->names = '\0';
    close_devices(&mixed);
}

/* ---- the argument that the layer adds ---------------------------------------------------------------------------- */

static void the_argument_of_ours_is_out_of_reach(void **unused)
{
    static const enum stub_device kinds[][2] = {{STUB_SPIR_3}, {STUB_SPIR, STUB_IL}, {STUB_IL, STUB_SPIR}};
    (void)unused;
    strcpy(stub->names, "nonflat_globals_8;k");
    for (int i = 0; i < 3; i++) {
        uint64_t values[STUB_ARGUMENTS];
        char name[16];
        cl_uint count = 0;
        struct mixed mixed = open_devices(i ? 2 : 1, kinds[i]);
        make_kernel(&mixed);
        cl_kernel clone = clCloneKernel(mixed.kernel, NULL), kernels[2] = {mixed.kernel, clone};
        for (int j = 0; j < 2; j++) {
            clGetKernelInfo(kernels[j], CL_KERNEL_NUM_ARGS, sizeof count, &count, NULL);
            assert_int_equal(count, 3);
            set_arguments(kernels[j], values);
            for (cl_uint at = 3; at < 6; at++) {
                assert_int_equal(clSetKernelArg(kernels[j], at, sizeof values[0], &values[0]), CL_INVALID_ARG_INDEX);
                assert_int_equal(clSetKernelArgSVMPointer(kernels[j], at, values), CL_INVALID_ARG_INDEX);
                assert_int_equal(clGetKernelArgInfo(kernels[j], at, CL_KERNEL_ARG_NAME, sizeof name, name, NULL),
                                 CL_INVALID_ARG_INDEX);
            }
            launch_all(&mixed, kernels[j], values);
        }
        assert_int_equal(clReleaseKernel(clone), CL_SUCCESS);
        close_devices(&mixed);
    }
    *stub->names = '\0';
}

static void CL_CALLBACK on_built(cl_program program, void *user)
{
    (void)program;
    atomic_fetch_add((atomic_int *)user, 1);
}

/* An application that gets an error frees the callback's data itself, even if part of the build succeeded. */
static void an_error_has_no_callback(void **unused)
{
    static const enum stub_device kinds[] = {STUB_IL, STUB_NOTHING};
    const struct timespec pause = {0, 20000000};
    (void)unused;
    for (int async = 0; async < 2; async++) {
        atomic_int called = 0;
        struct mixed mixed = open_devices(2, kinds);
        stub->async = async;
        stub->built = 0;
        assert_int_equal(clBuildProgram(mixed.program, 0, NULL, "", on_built, &called), CL_INVALID_OPERATION);
        assert_int_equal(stub->built, 1);
        nanosleep(&pause, NULL);
        assert_int_equal(atomic_load(&called), 0);
        stub->async = 0;
        close_devices(&mixed);
    }
}

#define TEST(name) cmocka_unit_test_teardown(name, check_nothing_left)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_kernel_works_on_every_device),
        TEST(all_kernels_of_a_program),
        TEST(a_clone_has_the_arguments),
        TEST(lives),
        TEST(questions_reach_the_one_that_is_meant),
        TEST(commands_take_the_one_for_their_queue),
        TEST(pointers_reach_all),
        TEST(wrong_arguments),
        TEST(a_kernel_works_where_the_program_was_built),
        TEST(what_was_compiled_stays),
        TEST(linked_for_every_device),
        TEST(linked_where_all_is_compiled),
        TEST(no_kernel_is_half_made),
        TEST(an_error_has_no_callback),
        TEST(the_argument_of_ours_is_out_of_reach),
    };
    if (find_stub(NULL)) return 1;
    stub->arguments = 3;
    return cmocka_run_group_tests(tests, NULL, free_modules);
}
