/* SPDX-License-Identifier: Apache-2.0 */
/*
 * report.h - counts the accesses by the form in which they are written, explains those that are ambiguous, lists the
 * inferred spaces for callers that keep them, writes a trace, and makes the result of the call.
 *
 * Takes a module, its instances and the output. Makes the counts, the report and the result of the call. May use: base,
 * spirv, module, infer.
 */
#ifndef NF_REPORT_H
#define NF_REPORT_H

#include "infer/infer.h"

/* The log, report and counts of one call of nf_specialize(), filled by its stages. */
struct nf_account {
    struct nf_text log, report;
    nf_counts counts;
    nf_ambiguous_access *ambiguities;
    uint32_t ambiguity_count, ambiguity_capacity;
};

/* ---- why.c: why an access is ambiguous ---- */
/* The edges of the graph in reverse, for one SCC of the call graph: built when its first ambiguity is explained.
 * Node numbers are relative to the SCC's first node. By node: `heads`, index of the first edge that ends there
 * (0: none), and, in a search, `previous`, the node from which it was reached, + 1 (0: not reached). By edge, with
 * indices from 1 to below `count`: `from`, the node where it begins, and `next`, the next edge that ends at the same
 * node. */
struct nf_backward {
    uint32_t component, *heads, *from, *next, *previous, *queue, count;
};
/* Explains why the access at `at` through `pointer` is ambiguous in the instance: one chain for each space. `b` is
 * zeroed before the first call, and built anew when the SCC changes. */
struct nf_ambiguous_access nf_explain(struct nf_module *m, uint32_t instance, uint32_t at, uint32_t pointer,
                                      struct nf_backward *b);

/* ---- report.c: the form in which each generic access was written ---- */
/* Return true if the instruction accesses memory through a generic pointer. nf_is_generic_access() is faster: it first
 * tests a precomputed bit. */
bool nf_accesses_generic(const struct nf_module *m, uint32_t at);
static inline bool nf_is_generic_access(const struct nf_module *m, uint32_t at)
{
    bool may_be = nf_takes_generic(m, at) || m->analysis->gather_nodes; /* false for most instructions */
    return may_be && nf_accesses_generic(m, at);
}
/* Returns the verdict of the access at `at` in this instance: the worst verdict of its generic pointers. Writes the id
 * of that pointer to `*pointer`, which is not set if there is none. */
nf_verdict nf_access_verdict(const struct nf_module *m, const struct nf_instance *instance, uint32_t at,
                             uint32_t *pointer);
/* Counts the generic accesses of reachable functions by verdict, and explains those that are neither static nor dead,
 * at most 1000. In static mode each explained access is an error in the log. */
void nf_count_accesses(struct nf_module *m, struct nf_account *account);
/* Writes the JSON report to the account. */
void nf_write_report(const struct nf_module *m, struct nf_account *account, nf_outcome outcome, uint64_t microseconds);

/* ---- structure.c: the inferred spaces, as a structure for callers ------------------------------------------------ */
/* The instances, and all their pointers, calls and accesses in three arrays, ordered by instance. */
struct nf_inference {
    nf_instance_info *instances;
    struct nf_inference_ends {
        uint32_t pointers, calls, accesses; /* by instance: index after its last entry in each array */
    } * ends;
    nf_pointer_info *pointers;
    nf_call_info *calls;
    nf_access_info *accesses;
    uint32_t instance_count, pointer_count, call_count, access_count;
    uint32_t pointer_capacity, call_capacity, access_capacity;
};
/* Fills the structure from the arena if options->keep_inference is set and the module is solved. */
void nf_collect_inference(struct nf_module *m, struct nf_inference *inference);

/* ---- result.c: the result of the call ---- */
/* The output in OpenCL C, and the renamed kernels; an empty text: the output is a module. */
struct nf_text_output {
    struct nf_text text;
    nf_renamed_kernel *renamed;
    uint32_t renamed_count;
};
/* Makes the nf_result with the caller's allocator. Takes ownership of the memory of `output` or `text`, without a copy;
 * copies all other data and, if both are empty, the input `module`. The result of a failed call has no output. Returns
 * the call's status; or NF_OUT_OF_MEMORY, without setting `*result`, if the allocator fails. */
nf_status nf_keep_result(const struct nf_module *m, const struct nf_account *account, nf_outcome outcome,
                         struct nf_words *output, const struct nf_text_output *text,
                         const struct nf_inference *inference, const void *module, size_t size, nf_result **result);

/* ---- trace.c: the traces of four stages, if the options request them ---- */
void nf_dump_read(struct nf_module *m);
void nf_dump_constraints(struct nf_module *m);
void nf_dump_solution(struct nf_module *m);
void nf_dump_written(struct nf_module *m, const nf_counts *counts, const struct nf_words *output);

#endif
