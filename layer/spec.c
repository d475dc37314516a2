/* SPDX-License-Identifier: Apache-2.0 */
/*
 * spec.c - clSetProgramSpecializationConstant. Where the driver has the module and the call, it judges and keeps the
 * value. Everywhere else the value is checked against the module's own SpecId decorations and kept for the next build,
 * which gives it to the constant before anything is inferred.
 */
#include "layer.h"
#include "numbers.h"

#include <stdlib.h>
#include <string.h>

uint32_t nf_cl_word_at(const struct nf_cl_bytes *module, size_t index)
{
    uint32_t magic, word;
    memcpy(&magic, module->data, sizeof(magic));
    memcpy(&word, (const char *)module->data + index * sizeof(word), sizeof(word));
    return magic == 0x07230203u ? word : __builtin_bswap32(word);
}

static void set_word(struct nf_cl_bytes *module, size_t index, uint32_t word)
{
    uint32_t magic;
    memcpy(&magic, module->data, sizeof(magic));
    word = magic == 0x07230203u ? word : __builtin_bswap32(word);
    memcpy((char *)module->data + index * sizeof(word), &word, sizeof(word));
}

/* Step through the instructions before the first function. @return the position of the next instruction that
 * `wants` accepts, or 0. */
static size_t find(const struct nf_cl_bytes *module, bool (*wants)(const struct nf_cl_bytes *, size_t, uint32_t),
                   uint32_t key)
{
    size_t words = module->size / sizeof(uint32_t), at = NF_CL_HEADER_WORDS;
    while (at < words) {
        uint32_t first = nf_cl_word_at(module, at), length = first >> 16;
        if (length == 0 || length > words - at || (first & 0xffff) == NF_CL_OP_FUNCTION) return 0;
        if (wants(module, at, key)) return at;
        at += length;
    }
    return 0;
}

static bool is_spec_id(const struct nf_cl_bytes *module, size_t at, uint32_t id)
{
    return nf_cl_word_at(module, at) == (4u << 16 | NF_CL_OP_DECORATE) &&
           nf_cl_word_at(module, at + 2) == NF_CL_DECORATION_SPEC_ID && nf_cl_word_at(module, at + 3) == id;
}

static bool is_spec_constant(const struct nf_cl_bytes *module, size_t at, uint32_t result)
{
    uint32_t first = nf_cl_word_at(module, at), op = first & 0xffff;
    return op >= NF_CL_OP_SPEC_TRUE && op <= NF_CL_OP_SPEC_CONSTANT && first >> 16 >= 3 &&
           nf_cl_word_at(module, at + 2) == result;
}

static bool is_scalar_type(const struct nf_cl_bytes *module, size_t at, uint32_t result)
{
    uint32_t first = nf_cl_word_at(module, at), op = first & 0xffff;
    return op >= NF_CL_OP_TYPE_BOOL && op <= NF_CL_OP_TYPE_FLOAT &&
           first >> 16 >= (op == NF_CL_OP_TYPE_BOOL ? 2u : 3u) && nf_cl_word_at(module, at + 1) == result;
}

/* @return the size in bytes of the spec constant with that SpecId, 0 when the module has none. */
static size_t spec_size(const struct nf_cl_bytes *module, uint32_t id)
{
    size_t decoration = find(module, is_spec_id, id);
    size_t constant = decoration ? find(module, is_spec_constant, nf_cl_word_at(module, decoration + 1)) : 0;
    size_t type = constant ? find(module, is_scalar_type, nf_cl_word_at(module, constant + 1)) : 0;
    if (!type) return 0;
    return (nf_cl_word_at(module, type) & 0xffff) == NF_CL_OP_TYPE_BOOL ? 1 : nf_cl_word_at(module, type + 2) / 8;
}

/* Give the spec constant of `value` that value as its default, in a module of either byte order. */
static void apply(struct nf_cl_bytes *module, const nf_spec_value *value)
{
    size_t decoration = find(module, is_spec_id, value->id);
    size_t constant = decoration ? find(module, is_spec_constant, nf_cl_word_at(module, decoration + 1)) : 0;
    if (!constant) return;
    uint32_t first = nf_cl_word_at(module, constant), op = first & 0xffff;
    if (op != NF_CL_OP_SPEC_CONSTANT) {
        op = value->value & 0xff ? NF_CL_OP_SPEC_TRUE : NF_CL_OP_SPEC_FALSE;
        set_word(module, constant, (first & 0xffff0000u) | op);
    }
    for (uint32_t i = 3; op == NF_CL_OP_SPEC_CONSTANT && i < first >> 16 && i < 5; i++)
        set_word(module, constant + i, (uint32_t)(value->value >> (i - 3) * 32));
}

/* A copy of the module whose spec constants have the values as their defaults: for drivers that know only defaults. */
bool nf_cl_spec_apply(const struct nf_cl_bytes *module, const nf_spec_value *specs, size_t count,
                      struct nf_cl_bytes *copy)
{
    copy->size = module->size;
    copy->data = malloc(module->size ? module->size : 1);
    if (!copy->data) return false;
    memcpy(copy->data, module->data, module->size);
    for (size_t i = 0; i < count; i++)
        apply(copy, &specs[i]);
    return true;
}

/* Needs the program's lock. */
static cl_int keep(struct nf_cl_program *program, uint32_t id, size_t size, const void *value)
{
    size_t i = 0;
    while (i < program->spec_count && program->specs[i].id != id)
        i++;
    if (i == program->spec_count) {
        nf_spec_value *more = realloc(program->specs, (i + 1) * sizeof(*more));
        if (!more) return CL_OUT_OF_HOST_MEMORY;
        program->specs = more;
        program->spec_count++;
    }
    nf_spec_value fresh = {id, (uint32_t)size, 0};
    memcpy(&fresh.value, value, size);
    program->specs[i] = fresh;
    program->spec_state++;
    return CL_SUCCESS;
}

/* The driver's own answer where it has the module. */
static cl_int forward(struct nf_cl_program *program, cl_uint id, size_t size, const void *value)
{
    for (cl_uint i = 0; i < program->group_count; i++) {
        struct nf_cl_group *group = &program->groups[i];
        if (!group->native_specs || !group->inner || group->binary_log) continue;
        cl_int error =
            NF_CL_CALL(clSetProgramSpecializationConstant, CL_INVALID_OPERATION, group->inner, id, size, value);
        if (error != CL_SUCCESS) return error;
    }
    return CL_SUCCESS;
}

cl_int nf_cl_program_set_spec(struct nf_cl_program *program, cl_uint id, size_t size, const void *value)
{
    if (program->linked) return CL_INVALID_PROGRAM;
    size_t expected = spec_size(&program->module, id);
    if (!value) return expected == 0 ? CL_INVALID_SPEC_ID : CL_INVALID_VALUE;
    pthread_mutex_lock(program->lock);
    program->spec_state++; /* before the driver has it: a build meanwhile may see either value */
    pthread_mutex_unlock(program->lock);
    cl_int error = forward(program, id, size, value);
    if (error != CL_SUCCESS) return error;
    if (expected == 0) return CL_INVALID_SPEC_ID;
    if (expected != size || size > sizeof(uint64_t)) return CL_INVALID_VALUE;
    pthread_mutex_lock(program->lock);
    error = keep(program, id, size, value);
    pthread_mutex_unlock(program->lock);
    return error;
}
