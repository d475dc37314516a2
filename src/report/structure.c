/* SPDX-License-Identifier: Apache-2.0 */
/*
 * structure.c - collects the inferred spaces as a structure, for tools that show them and compilers that use them.
 *
 *     instance 0: kernel %k       pointers: %p {local}             calls: word 90 -> instance 1    accesses: none
 *     instance 1: function %f     pointers: %7 {local}, %9 {local} calls: none                     word 131, %9: static
 *
 * Live instances get new, consecutive numbers. Equal instances, which are emitted as one function, are separate entries
 * here, because the sets of their pointers may differ in precision.
 *
 * needs: instances, and the function ids that rewriting assigns.  gives: arrays in the arena; result.c copies them.
 */
#include "report/report.h"

enum { ROOT = 1 }; /* the artificial instance of function 0, which calls all roots */

static uint32_t *number_instances(struct nf_module *m, struct nf_inference *inference)
{
    uint32_t *numbers = NF_NEW(m->arena, uint32_t, m->analysis->instance_count);
    for (uint32_t i = ROOT + 1; i < m->analysis->instance_count; i++)
        if (nf_instance_at(m, i)->live) numbers[i] = inference->instance_count++;
    return numbers;
}

/* Adds the instruction's result if it is a generic pointer, and its access if the access is generic. */
static void collect_instruction(struct nf_module *m, struct nf_inference *inference, const struct nf_instance *instance,
                                uint32_t at)
{
    uint32_t id = nf_result_id(m, at), pointer = 0;
    if (id && nf_is_generic(m, nf_result_type(m, at))) {
        NF_RESERVE(m->arena, inference->pointers, inference->pointer_capacity, (size_t)inference->pointer_count + 1);
        inference->pointers[inference->pointer_count++] = (nf_pointer_info){id, nf_set_of(m, instance, id)};
    }
    if (!nf_is_generic_access(m, at)) return;
    nf_verdict verdict = nf_access_verdict(m, instance, at, &pointer);
    NF_RESERVE(m->arena, inference->accesses, inference->access_capacity, (size_t)inference->access_count + 1);
    inference->accesses[inference->access_count++] = (nf_access_info){nf_input_word(m, at), pointer, verdict};
}

static void collect_calls(struct nf_module *m, struct nf_inference *inference, const struct nf_instance *instance,
                          const uint32_t *numbers)
{
    const struct nf_function *f = &m->functions[instance->function];
    for (uint32_t i = 0; i < f->analysis->call_count; i++) {
        if (!f->analysis->calls[i].at) continue;
        NF_RESERVE(m->arena, inference->calls, inference->call_capacity, (size_t)inference->call_count + 1);
        inference->calls[inference->call_count++] =
            (nf_call_info){nf_input_word(m, f->analysis->calls[i].at), numbers[instance->callees[i]]};
    }
}

static void collect_instance(struct nf_module *m, struct nf_inference *inference, uint32_t index,
                             const uint32_t *numbers)
{
    const struct nf_instance *instance = nf_instance_at(m, index);
    const struct nf_function *f = &m->functions[instance->function];
    uint32_t number = numbers[index];
    bool from_outside = instance->root || instance->caller <= ROOT || !nf_instance_at(m, instance->caller)->live;
    inference->instances[number] = (nf_instance_info){f->id, nf_instance_at(m, instance->same_as)->emitted_id, 0,
                                                      from_outside ? number : numbers[instance->caller]};
    for (uint32_t at = f->parameters; at < f->end; at = nf_next(m, at))
        collect_instruction(m, inference, instance, at);
    collect_calls(m, inference, instance, numbers);
    inference->ends[number] =
        (struct nf_inference_ends){inference->pointer_count, inference->call_count, inference->access_count};
}

/* Adds 1 to the number of kernels of the kernel's instance `kernel` and of each instance that it reaches by calls.
 * `seen` holds, by instance, the last kernel instance that reached it. */
static void count_kernel(struct nf_module *m, struct nf_inference *inference, uint32_t kernel, const uint32_t *numbers,
                         uint32_t *seen, uint32_t *stack)
{
    uint32_t depth = 0;
    stack[depth++] = kernel;
    seen[kernel] = kernel;
    while (depth) {
        uint32_t index = stack[--depth];
        const struct nf_instance *instance = nf_instance_at(m, index);
        inference->instances[numbers[index]].kernels++;
        for (uint32_t i = 0; i < m->functions[instance->function].analysis->call_count; i++) {
            uint32_t callee = instance->callees[i];
            if (seen[callee] == kernel) continue;
            seen[callee] = kernel;
            stack[depth++] = callee;
        }
    }
}

static void count_kernels(struct nf_module *m, struct nf_inference *inference, const uint32_t *numbers)
{
    uint32_t *seen = NF_NEW(m->arena, uint32_t, m->analysis->instance_count),
             *stack = NF_NEW(m->arena, uint32_t, m->analysis->instance_count);
    for (uint32_t i = ROOT + 1; i < m->analysis->instance_count; i++) {
        const struct nf_instance *instance = nf_instance_at(m, i);
        if (instance->live && instance->root && m->functions[instance->function].entry_at)
            count_kernel(m, inference, i, numbers, seen, stack);
    }
}

void nf_collect_inference(struct nf_module *m, struct nf_inference *inference)
{
    if (!m->analysis || !m->analysis->solved || !m->options->keep_inference) return;
    uint32_t *numbers = number_instances(m, inference);
    inference->instances = NF_NEW(m->arena, nf_instance_info, inference->instance_count + 1);
    inference->ends = NF_NEW(m->arena, struct nf_inference_ends, inference->instance_count + 1);
    for (uint32_t i = ROOT + 1; i < m->analysis->instance_count; i++)
        if (nf_instance_at(m, i)->live) collect_instance(m, inference, i, numbers);
    count_kernels(m, inference, numbers);
}
