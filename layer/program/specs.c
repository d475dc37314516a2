/* SPDX-License-Identifier: Apache-2.0 */
/*
 * specs.c - clSetProgramSpecializationConstant. Drivers that set specialization constants themselves get the value
 * first, and may reject it. Then the value is checked against the module's SpecId decorations, and stored for later
 * builds. For other drivers, a build sets it as the constant's default before inference.
 */
#include "layer/program/program.h"

#include <stdlib.h>
#include <string.h>

/* Stores a value in the record. Needs the program's lock. @return CL_SUCCESS or CL_OUT_OF_HOST_MEMORY. */
static cl_int keep(struct nf_cl_program *program, uint32_t id, size_t size, const void *value)
{
    size_t i = 0;
    while (i < program->spec_count && program->specs[i].id != id)
        i++;
    if (i == program->spec_count) {
        nf_spec_value *more = realloc(program->specs, (i + 1) * sizeof *more);
        if (!more) return CL_OUT_OF_HOST_MEMORY;
        program->specs = more;
        program->spec_count++;
    }
    nf_spec_value new_value = {id, (uint32_t)size, 0};
    memcpy(&new_value.value, value, size);
    program->specs[i] = new_value;
    program->spec_state++;
    return CL_SUCCESS;
}

/* Passes the value to the driver programs whose drivers set specialization constants themselves, except loaded
 * binaries. Stops at the first error of a driver, and returns it. */
static cl_int forward(struct nf_cl_program *program, cl_uint id, size_t size, const void *value)
{
    for (cl_uint i = 0; i < program->group_count; i++) {
        const struct nf_cl_group *group = &program->groups[i];
        nf_cl_lock_acquire(program->lock);
        bool has_it = group->native_specs && nf_cl_group_state(group) != NF_CL_LOADED;
        struct nf_cl_driver_program *driver_program =
            has_it ? nf_cl_driver_program_retain(group->driver_program) : NULL;
        nf_cl_lock_release(program->lock);
        if (!driver_program) continue;
        cl_int error = NF_CL_CALL(clSetProgramSpecializationConstant, CL_INVALID_OPERATION, driver_program->program, id,
                                  size, value);
        nf_cl_driver_program_release(driver_program);
        if (error != CL_SUCCESS) return error;
    }
    return CL_SUCCESS;
}

cl_int nf_cl_program_set_spec(struct nf_cl_program *program, cl_uint id, size_t size, const void *value)
{
    if (program->linked) return CL_INVALID_PROGRAM;
    size_t expected = nf_cl_spec_size(&program->module, id);
    if (!value) return expected == 0 ? CL_INVALID_SPEC_ID : CL_INVALID_VALUE;
    nf_cl_lock_acquire(program->lock);
    program->spec_state++; /* before the driver gets the value: the program of a concurrent build becomes outdated */
    nf_cl_lock_release(program->lock);
    cl_int error = forward(program, id, size, value);
    if (error != CL_SUCCESS) return error;
    if (expected == 0) return CL_INVALID_SPEC_ID;
    if (expected != size || size > sizeof(uint64_t)) return CL_INVALID_VALUE;
    nf_cl_lock_acquire(program->lock);
    error = keep(program, id, size, value);
    nf_cl_lock_release(program->lock);
    return error;
}

/* Copies under the lock, because another thread may set a value at the same time. The array is one element longer, so
 * that it is NULL only if out of memory. */
bool nf_cl_program_copy_specs(struct nf_cl_program *program, nf_spec_value **specs, size_t *count, uint64_t *state)
{
    nf_cl_lock_acquire(program->lock);
    *count = program->spec_count;
    *state = program->spec_state;
    *specs = malloc((*count + 1) * sizeof **specs);
    if (*specs && *count) memcpy(*specs, program->specs, *count * sizeof **specs);
    nf_cl_lock_release(program->lock);
    return *specs != NULL;
}
