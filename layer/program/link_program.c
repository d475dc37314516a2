/* SPDX-License-Identifier: Apache-2.0 */
/*
 * link_program.c - clLinkProgram with a program of the layer among the inputs. Modules are linked as SPIR-V before
 * specialization, so that inference processes exported functions together with their callers; the result is a program
 * of the layer over the linked module.
 *
 * The driver links programs that it has compiled itself: for devices that accept the original modules, for devices
 * whose compilers got the source, and if an input has no IL (created from a binary, or from source that the driver
 * compiled). Options are validated here for libraries only, because the layer builds no library, so that no driver
 * rejects them. Inputs are pinned and read, never changed, because other threads may use them.
 */
#define _GNU_SOURCE
#include "layer/program/program.h"

#include <stdlib.h>
#include <string.h>

/* The inputs as modules; `owned` are copies of IL from drivers, and modules compiled from source. */
struct inputs {
    cl_uint count;
    struct nf_cl_program **programs; /* pinned; NULL for a driver program */
    struct nf_cl_bytes *owned;
    nf_spec_value **specs; /* copies, because another thread may set a value */
    nf_link_input *modules;
    cl_device_id from_source; /* a device for which the layer compiles source, or NULL */
    bool all_il;
};

static void free_inputs(struct inputs *inputs)
{
    for (cl_uint i = 0; i < inputs->count; i++) {
        if (inputs->programs && inputs->programs[i]) nf_cl_program_unpin(inputs->programs[i]);
        if (inputs->owned) free(inputs->owned[i].data);
        if (inputs->specs) free(inputs->specs[i]);
    }
    free(inputs->programs);
    free(inputs->owned);
    free(inputs->specs);
    free(inputs->modules);
}

/* Returns true if the program was compiled for the device, or linked to a library. */
static bool has_part(struct nf_cl_program *program, cl_device_id device)
{
    const struct nf_cl_target *target = nf_cl_program_target(program, device);
    nf_cl_lock_acquire(program->lock);
    bool has = target && target->attempted && !target->failed && target->kind != CL_PROGRAM_BINARY_TYPE_EXECUTABLE;
    nf_cl_lock_release(program->lock);
    return has;
}

static bool take_layer_module(struct inputs *inputs, cl_uint i, struct nf_cl_program *program)
{
    uint64_t state;
    nf_link_input *module = &inputs->modules[i];
    module->module = program->module.data;
    module->size = program->module.size;
    bool good = nf_cl_program_copy_specs(program, &inputs->specs[i], &module->spec_value_count, &state);
    module->spec_values = inputs->specs[i];
    return good;
}

/* Returns true if the driver has compiled the program for the device, so that the layer can compile its source as well.
 * The build status is tested because Oclgrind reports a binary type before the compilation. */
static bool is_part(cl_program program, cl_device_id device)
{
    cl_program_binary_type kind = CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT;
    cl_build_status status = CL_BUILD_SUCCESS;
    NF_CL_CALL(clGetProgramBuildInfo, CL_INVALID_PROGRAM, program, device, CL_PROGRAM_BINARY_TYPE, sizeof kind, &kind,
               NULL);
    NF_CL_CALL(clGetProgramBuildInfo, CL_INVALID_PROGRAM, program, device, CL_PROGRAM_BUILD_STATUS, sizeof status,
               &status, NULL);
    return status == CL_BUILD_SUCCESS &&
           (kind == CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT || kind == CL_PROGRAM_BINARY_TYPE_LIBRARY);
}

/* Gets the module of a driver program: its IL, or, if the layer compiled the source of another input, the module
 * compiled from its source. @return false if it has neither. */
static bool take_driver_module(struct inputs *inputs, cl_uint i, cl_program program, cl_device_id from_source)
{
    struct nf_cl_bytes *module = &inputs->owned[i];
    if (!nf_cl_fetch_module(program, CL_PROGRAM_IL, module) &&
        !(from_source && nf_cl_source_module(program, from_source, module)))
        return false;
    inputs->modules[i] = (nf_link_input){module->data, module->size, NULL, 0};
    return true;
}

/* Returns a device for which the layer has compiled source of an input, or NULL. */
static cl_device_id any_from_source(const struct inputs *inputs)
{
    cl_device_id any = NULL;
    for (cl_uint i = 0; i < inputs->count && !any; i++) {
        const struct nf_cl_program *program = inputs->programs[i];
        for (cl_uint j = 0;
             program && (program->from_source || program->of_source) && j < program->device_count && !any; j++)
            if (!nf_cl_target_is_left_to_driver(program, &program->targets[j])) any = program->targets[j].device;
    }
    return any;
}

/* Returns true if all inputs are for devices that accept the original modules; the driver has then compiled them
 * itself. */
static bool all_native(const struct inputs *inputs)
{
    bool native = !inputs->from_source;
    for (cl_uint i = 0; i < inputs->count; i++)
        native = native && (!inputs->programs[i] || nf_cl_all_native(inputs->programs[i]));
    return native;
}

/* Collects the inputs. `link_device`: from nf_cl_link_device(), may be NULL; the layer compiles the source of the
 * driver's programs for this device if it has compiled no input from source. */
static cl_int collect(cl_uint count, const cl_program *programs, cl_device_id link_device, struct inputs *inputs)
{
    inputs->count = count;
    inputs->programs = calloc(count, sizeof *inputs->programs);
    inputs->owned = calloc(count, sizeof *inputs->owned);
    inputs->specs = calloc(count, sizeof *inputs->specs);
    inputs->modules = calloc(count, sizeof *inputs->modules);
    inputs->all_il = true;
    if (!inputs->programs || !inputs->owned || !inputs->specs || !inputs->modules) return CL_OUT_OF_HOST_MEMORY;
    for (cl_uint i = 0; i < count; i++) {
        struct nf_cl_program *program = nf_cl_program_get(programs[i]);
        inputs->programs[i] = program;
        if (!programs[i]) return CL_INVALID_PROGRAM;
        if (program && !take_layer_module(inputs, i, program)) return CL_OUT_OF_HOST_MEMORY;
    }
    inputs->from_source = any_from_source(inputs);
    if (!inputs->from_source) inputs->from_source = link_device;
    for (cl_uint i = 0; i < count; i++)
        if (!inputs->programs[i] && !take_driver_module(inputs, i, programs[i], inputs->from_source))
            inputs->all_il = false;
    return CL_SUCCESS;
}

/* Sets `*none` to whether no input is compiled for the device. @return an error if only some inputs are. Driver
 * programs do not count, because the driver checks them, unless the layer compiles their source. */
static cl_int check_inputs_for_device(const struct inputs *inputs, const cl_program *programs, cl_device_id device,
                                      bool *none)
{
    bool from_source = inputs->from_source != NULL;
    cl_uint requested = 0, parts = 0;
    for (cl_uint i = 0; i < inputs->count; i++) {
        if (!inputs->programs[i] && !from_source) continue;
        parts += inputs->programs[i] ? has_part(inputs->programs[i], device) : is_part(programs[i], device);
        requested++;
    }
    *none = parts == 0;
    return *none || parts == requested ? CL_SUCCESS : CL_INVALID_OPERATION;
}

/* Removes from `devices` those for which no input is compiled, and sets `*count` to the number of the others. @return
 * an error if an input lacks a device that another input has, or if no device is left. */
static cl_int keep_linkable(const struct inputs *inputs, const cl_program *programs, cl_device_id *devices,
                            cl_uint *count)
{
    cl_int error = CL_SUCCESS;
    cl_uint kept = 0;
    for (cl_uint i = 0; i < *count && error == CL_SUCCESS; i++) {
        bool none;
        error = check_inputs_for_device(inputs, programs, devices[i], &none);
        if (!none) devices[kept++] = devices[i];
    }
    *count = kept;
    return error == CL_SUCCESS && kept == 0 ? CL_INVALID_OPERATION : error;
}

/* Appends the inputs' facts about their kernels. */
static void join_notes(const struct inputs *inputs, struct nf_cl_program *linked)
{
    for (cl_uint i = 0; i < inputs->count; i++)
        if (inputs->programs[i] && inputs->programs[i]->notes.size)
            nf_cl_append(&linked->notes, inputs->programs[i]->notes.data, inputs->programs[i]->notes.size);
}

/* ---- linking ---- */

/* Returns the driver program of an input for `device`; any of its driver programs if `device` is NULL. */
static cl_program driver_input(const struct inputs *inputs, cl_uint i, cl_program handle, cl_device_id device,
                               struct nf_cl_driver_program **held)
{
    if (!device || !inputs->programs[i]) return nf_cl_program_translate(handle, held);
    *held = nf_cl_program_executable_for(inputs->programs[i], device).driver_program;
    return *held ? (*held)->program : NULL;
}

cl_program nf_cl_link_by_driver(cl_context context, cl_uint device_count, const cl_device_id *devices,
                                const char *options, cl_uint input_count, const cl_program *programs,
                                nf_cl_notify notify, void *user, cl_int *error)
{
    cl_int result = CL_INVALID_OPERATION;
    cl_program linked = NULL;
    if (nf_cl_next()->clLinkProgram)
        linked = nf_cl_next()->clLinkProgram(context, device_count, devices, options, input_count, programs, notify,
                                             user, &result);
    bool may_repeat = !linked && result == CL_INVALID_LINKER_OPTIONS && options && !notify &&
                      !nf_cl_has_word(options, "-create-library");
    char *fewer = may_repeat ? nf_cl_without_permissions(options) : NULL;
    if (fewer)
        linked = nf_cl_next()->clLinkProgram(context, device_count, devices, fewer, input_count, programs, NULL, user,
                                             &result);
    free(fewer);
    if (error) *error = result;
    return linked;
}

/* Links driver programs with the driver. Returns the application's program, or NULL with `*error` set:
 * CL_INVALID_OPERATION if an input has no driver program. `driver_device`: one of the devices whose compilers got the
 * source, or NULL. */
static cl_program link_inputs_by_driver(cl_context context, cl_uint device_count, const cl_device_id *devices,
                                        const char *options, const struct inputs *inputs, const cl_program *handles,
                                        cl_device_id driver_device, nf_cl_notify notify, void *user, cl_int *error)
{
    cl_program *by_driver = calloc(inputs->count, sizeof *by_driver), linked = NULL;
    struct nf_cl_driver_program **held = calloc(inputs->count, sizeof *held);
    *error = by_driver && held ? CL_SUCCESS : CL_OUT_OF_HOST_MEMORY;
    for (cl_uint i = 0; by_driver && held && i < inputs->count; i++) {
        by_driver[i] = driver_input(inputs, i, handles[i], driver_device, &held[i]);
        if (!by_driver[i]) *error = CL_INVALID_OPERATION;
    }
    if (*error == CL_SUCCESS)
        linked = nf_cl_link_by_driver(context, device_count, devices, options, inputs->count, by_driver, notify, user,
                                      error);
    for (cl_uint i = 0; held && i < inputs->count; i++)
        nf_cl_driver_program_release(held[i]);
    free(held);
    free(by_driver);
    return linked;
}

/* Records the result of a link without a driver: a library, or the message with the reason of the failure. */
static void set_outcome(struct nf_cl_program *program, bool library, const char *options, char *message)
{
    nf_cl_lock_acquire(program->lock);
    program->library = library;
    for (cl_uint i = 0; i < program->device_count; i++) {
        struct nf_cl_target *target = &program->targets[i];
        target->attempted = true;
        target->failed = message != NULL;
        target->deferred = !message;
        target->kind = library ? CL_PROGRAM_BINARY_TYPE_LIBRARY : CL_PROGRAM_BINARY_TYPE_NONE;
        target->options = strdup(options ? options : "");
    }
    for (cl_uint i = 0; message && i < program->group_count; i++) {
        free(program->groups[i].report);
        program->groups[i].report = nf_cl_format("nonflat: %s\n", message);
    }
    nf_cl_lock_release(program->lock);
}

/* Builds the linked module for the devices for which the driver has not linked. */
static cl_int build_linked(struct nf_cl_program *program, const char *options, nf_cl_notify notify, void *user)
{
    struct nf_cl_call call = {.options = options, .notify = notify, .user = user};
    cl_device_id *devices = calloc(program->device_count + 1, sizeof *devices);
    if (!devices) return CL_OUT_OF_HOST_MEMORY;
    for (cl_uint i = 0; i < program->device_count; i++)
        if (!nf_cl_target_is_left_to_driver(program, &program->targets[i]))
            devices[call.device_count++] = program->targets[i].device;
    call.devices = call.device_count ? devices : NULL;
    cl_int error = call.device_count ? nf_cl_build(program, &call) : CL_SUCCESS;
    if (!call.device_count && notify) notify(program->handle, user);
    free(devices);
    return error;
}

static cl_int finish(struct nf_cl_program *program, const struct inputs *inputs, const char *options, char *message,
                     nf_cl_notify notify, void *user)
{
    bool library = nf_cl_has_word(options, "-create-library");
    if (message || library) {
        set_outcome(program, library, options, message);
        if (notify) notify(program->handle, user);
        return message ? CL_LINK_PROGRAM_FAILURE : CL_SUCCESS;
    }
    const struct nf_cl_link_inputs linked = {inputs->count, inputs->programs, inputs->from_source != NULL};
    char *build = nf_cl_link_options(&linked, options);
    cl_int error = build ? build_linked(program, build, notify, user) : CL_OUT_OF_HOST_MEMORY;
    free(build);
    if (error == CL_INVALID_BUILD_OPTIONS) return CL_INVALID_LINKER_OPTIONS;
    return error == CL_BUILD_PROGRAM_FAILURE ? CL_LINK_PROGRAM_FAILURE : error;
}

/* Links the modules to a copy owned by the layer, or sets `*message` to the reason for a failure, without its
 * newline. */
static nf_status link_to_bytes(const struct inputs *inputs, bool library, struct nf_cl_bytes *module, char **message)
{
    nf_options options = NF_OPTIONS_INIT;
    options.library = library;
    nf_result *result = NULL;
    nf_status status = nf_link(inputs->modules, inputs->count, &options, &result);
    const void *bytes = result ? nf_result_bytes(result) : NULL;
    if (bytes) {
        module->size = nf_result_size(result);
        module->data = malloc(module->size);
        if (module->data)
            memcpy(module->data, bytes, module->size);
        else
            status = NF_OUT_OF_MEMORY;
    } else if (result) {
        const char *log = nf_result_log(result);
        *message = strndup(log, strcspn(log, "\n"));
        if (!*message) status = NF_OUT_OF_MEMORY;
    }
    nf_result_free(result);
    return status;
}

/* The arguments of a link. */
struct link {
    cl_context context;
    cl_uint device_count;
    const cl_device_id *devices;
    const char *options;
    const struct inputs *inputs;
    const cl_program *handles;
    bool *by_driver; /* per device: the driver links the result of its own compiler */
    cl_uint driver_linked_count;
};

/* Returns false if the driver would crash: PoCL 3.1 assumes that the devices of a linked program are the first devices
 * of its inputs, and ends the process otherwise. */
static bool can_driver_link(const struct link *link, const cl_device_id *devices)
{
    for (cl_uint i = 0; i < link->inputs->count; i++) {
        const struct nf_cl_program *program = link->inputs->programs[i];
        for (cl_uint j = 0; program && j < link->driver_linked_count; j++) {
            const struct nf_cl_device *device = nf_cl_device_find(devices[j]);
            bool orderly = j < program->device_count && program->targets[j].device == devices[j];
            if (!orderly && device && strcmp(device->family, "pocl") == 0) return false;
        }
    }
    return true;
}

/* Links for the devices that are left to the driver. @return the driver program, also of a failed link, or NULL; sets
 * `*error` to the result of the link. */
static struct nf_cl_driver_program *link_by_driver(const struct link *link, cl_int *error)
{
    cl_device_id *devices = calloc(link->driver_linked_count, sizeof *devices);
    cl_uint count = 0;
    cl_program linked = NULL;
    *error = CL_OUT_OF_HOST_MEMORY;
    if (!devices) return NULL;
    for (cl_uint i = 0; i < link->device_count; i++)
        if (link->by_driver[i]) devices[count++] = link->devices[i];
    if (can_driver_link(link, devices))
        linked = link_inputs_by_driver(link->context, count, devices, link->options, link->inputs, link->handles,
                                       devices[0], NULL, NULL, error);
    else
        *error = CL_LINK_PROGRAM_FAILURE;
    free(devices);
    struct nf_cl_driver_program *driver_program = linked ? nf_cl_driver_program_new(linked) : NULL;
    if (linked && !driver_program) *error = CL_OUT_OF_HOST_MEMORY;
    return driver_program;
}

static void note_driver_link(struct nf_cl_program *program, cl_int error)
{
    nf_cl_lock_acquire(program->lock);
    for (cl_uint i = 0; i < program->device_count; i++)
        if (nf_cl_target_is_left_to_driver(program, &program->targets[i])) {
            struct nf_cl_group *group = &program->groups[program->targets[i].group];
            program->targets[i].attempted = true;
            program->targets[i].failed = error != CL_SUCCESS;
            if (!group->driver_program && !group->report)
                group->report =
                    strdup("nonflat: this driver cannot link a program for only some devices of its context\n");
        }
    nf_cl_lock_release(program->lock);
}

static cl_program link_modules(const struct link *link, nf_cl_notify notify, void *user, cl_int *error)
{
    struct nf_cl_bytes module = {NULL, 0};
    struct nf_cl_driver_program *driver_program = NULL;
    char *message = NULL;
    cl_int driver_error = CL_SUCCESS;
    nf_status status = link_to_bytes(link->inputs, nf_cl_has_word(link->options, "-create-library"), &module, &message);
    *error = status == NF_OUT_OF_MEMORY ? CL_OUT_OF_HOST_MEMORY : CL_SUCCESS;
    if (*error == CL_SUCCESS && link->driver_linked_count) driver_program = link_by_driver(link, &driver_error);
    if (driver_error != CL_SUCCESS && driver_error != CL_LINK_PROGRAM_FAILURE) *error = driver_error;
    if (*error != CL_SUCCESS) {
        nf_cl_driver_program_release(driver_program);
        free(module.data);
        free(message);
        return NULL;
    }
    struct nf_cl_program *program =
        nf_cl_program_new(link->context, link->devices, link->device_count, module,
                          link->driver_linked_count ? link->by_driver : NULL, driver_program, error);
    if (program) {
        program->linked = true;
        program->of_source = link->inputs->from_source != NULL;
        program->link_options = strdup(link->options ? link->options : "");
        join_notes(link->inputs, program);
        nf_cl_program_pin(program); /* the callback may release the program */
        note_driver_link(program, driver_error);
        *error = finish(program, link->inputs, link->options, message, notify, user);
        if (*error == CL_SUCCESS) *error = driver_error;
        nf_cl_program_unpin(program);
    }
    free(message);
    return program ? program->handle : NULL;
}

/* Determines the devices for which the driver links the results of its own compiler. @return false if out of memory. */
static bool find_driver_linked(struct link *link)
{
    link->by_driver = calloc(link->device_count + 1, sizeof *link->by_driver);
    for (cl_uint i = 0; link->by_driver && i < link->device_count; i++) {
        for (cl_uint j = 0; j < link->inputs->count; j++) {
            struct nf_cl_program *program = link->inputs->programs[j];
            const struct nf_cl_target *target = program ? nf_cl_program_target(program, link->devices[i]) : NULL;
            link->by_driver[i] = link->by_driver[i] || nf_cl_target_is_left_to_driver(program, target);
        }
        link->driver_linked_count += link->by_driver[i];
    }
    return link->by_driver != NULL;
}

/* Links the modules, or lets the driver link. @return the linked program, or NULL, with `*error` set. */
static cl_program link_inputs(struct link *link, cl_uint device_count, const cl_device_id *devices, nf_cl_notify notify,
                              void *user, cl_int *error)
{
    cl_program linked = NULL;
    bool modules = link->inputs->all_il && !all_native(link->inputs);
    if (!find_driver_linked(link))
        *error = CL_OUT_OF_HOST_MEMORY;
    else if (modules && nf_cl_has_word(link->options, "-create-library") && !nf_cl_are_library_options(link->options))
        *error = CL_INVALID_LINKER_OPTIONS;
    else if (modules)
        linked = link_modules(link, notify, user, error);
    else
        linked = link_inputs_by_driver(link->context, device_count, devices, link->options, link->inputs, link->handles,
                                       NULL, notify, user, error);
    free(link->by_driver);
    return linked;
}

/* Returns the device of the context that `device` denotes, or NULL. If no driver takes IL, a sub-device may denote
 * its parent, because PoCL's contexts list the parents. Other drivers validate the handle themselves, and it may be
 * invalid, so it is not read. */
static cl_device_id context_device(const cl_device_id *all, cl_uint count, cl_device_id device)
{
    bool may_ask = true;
    for (cl_uint i = 0; i < count; i++) {
        const struct nf_cl_device *known = nf_cl_device_find(all[i]);
        may_ask = may_ask && known && known->served && !nf_cl_takes_il(known->delivery);
    }
    for (; device; device = may_ask ? nf_cl_device_parent(device) : NULL)
        for (cl_uint i = 0; i < count; i++)
            if (all[i] == device) return device;
    return NULL;
}

/* Translates the list, or all devices if `count` is 0, to devices of the context, without duplicates; the caller frees
 * `*chosen`. @return CL_SUCCESS, the error of the list, or CL_OUT_OF_HOST_MEMORY. */
static cl_int choose_devices(cl_context context, cl_uint count, const cl_device_id *devices, cl_device_id **chosen,
                             cl_uint *chosen_count)
{
    cl_uint known = 0;
    cl_device_id *all = nf_cl_context_devices(context, &known);
    *chosen = all ? calloc(count + known + 1, sizeof **chosen) : NULL;
    cl_int error = *chosen ? CL_SUCCESS : CL_OUT_OF_HOST_MEMORY;
    for (cl_uint i = 0; i < (count ? count : known) && error == CL_SUCCESS; i++) {
        cl_device_id device = context_device(all, known, count ? devices[i] : all[i]);
        cl_uint j = 0;
        while (j < *chosen_count && (*chosen)[j] != device)
            j++;
        if (!device)
            error = CL_INVALID_DEVICE;
        else if (j == *chosen_count)
            (*chosen)[(*chosen_count)++] = device;
    }
    free(all);
    return error;
}

cl_device_id nf_cl_link_device(const char *options, cl_uint count, const cl_program *programs)
{
    cl_device_id device = NULL;
    bool library = options && nf_cl_has_word(options, "-create-library");
    for (cl_uint i = 0; library && i < count && !device; i++)
        device = nf_cl_source_device(programs[i]);
    return device;
}

cl_program nf_cl_link(cl_context context, cl_uint device_count, const cl_device_id *devices, const char *options,
                      cl_uint input_count, const cl_program *programs, nf_cl_notify notify, void *user, cl_int *error)
{
    NF_CL_UNCANCELED;
    struct inputs inputs = {0};
    cl_program linked = NULL;
    cl_device_id *chosen = NULL;
    cl_uint chosen_count = 0;
    cl_int result = CL_SUCCESS;
    if (!context)
        result = CL_INVALID_CONTEXT;
    else if ((device_count == 0) != (devices == NULL) || (!notify && user))
        result = CL_INVALID_VALUE;
    else
        result = choose_devices(context, device_count, devices, &chosen, &chosen_count);
    cl_device_id link_device = nf_cl_link_device(options, input_count, programs);
    if (result == CL_SUCCESS) result = collect(input_count, programs, link_device, &inputs);
    if (result == CL_SUCCESS) result = keep_linkable(&inputs, programs, chosen, &chosen_count);
    struct link link = {context, chosen_count, chosen, options, &inputs, programs, NULL, 0};
    if (result == CL_SUCCESS) linked = link_inputs(&link, device_count, devices, notify, user, &result);
    free_inputs(&inputs);
    free(chosen);
    if (error) *error = result;
    return linked;
}
