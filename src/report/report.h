/* SPDX-License-Identifier: Apache-2.0 */
/*
 * report.h - what was done and why: as text, as structures, as lines of a trace; and what the call leaves behind.
 *
 * In: a module, its instances, the output. Out: counts, the report, the result. May use: base, spirv, module, infer.
 */
#ifndef NF_REPORT_H
#define NF_REPORT_H

#include "infer/infer.h"

/* What is said of a call, filled as it goes on. */
struct nf_account {
    struct nf_text log, report;
    nf_counts counts;
    nf_ambiguous_access *ambiguities;
    uint32_t ambiguity_count, ambiguity_capacity;
};

/* ---- why.c: why an access is ambiguous ---- */
/* Who flows into whom, for one component of the call graph: built when its first ambiguity is explained. */
struct nf_backward {
    uint32_t component, *heads, *from, *next, *previous, *queue, count;
};
struct nf_ambiguous_access nf_explain(struct nf_module *m, uint32_t instance, uint32_t at, uint32_t pointer,
                                      struct nf_backward *b);

/* ---- report.c: what was done with each generic access ---- */
bool nf_accesses_generic(const struct nf_module *m, uint32_t at);
static inline bool nf_is_generic_access(const struct nf_module *m, uint32_t at)
{
    bool may_be = nf_takes_generic(m, at) || m->analysis->gather_nodes; /* most take nothing generic, which is known */
    return may_be && nf_accesses_generic(m, at);
}
/* What the access at `at` is in this instance, and the pointer that makes it so. */
nf_verdict nf_judge(const struct nf_module *m, const struct nf_instance *instance, uint32_t at, uint32_t *pointer);
void nf_count_accesses(struct nf_module *m, struct nf_account *account);
void nf_write_report(const struct nf_module *m, struct nf_account *account, nf_outcome outcome, uint64_t microseconds);

/* ---- structure.c: what was inferred, as a structure for callers ---- */
struct nf_inference {
    nf_instance_info *instances;
    struct nf_inference_ends {
        uint32_t pointers, calls, accesses; /* where this instance's end and the next one's begin */
    } * ends;
    nf_pointer_info *pointers;
    nf_call_info *calls;
    nf_access_info *accesses;
    uint32_t instance_count, pointer_count, call_count, access_count;
    uint32_t pointer_capacity, call_capacity, access_capacity;
};
void nf_collect_inference(struct nf_module *m, struct nf_inference *inference);

/* ---- result.c: what the call leaves behind ---- */
nf_status nf_keep_result(const struct nf_module *m, const struct nf_account *account, nf_outcome outcome,
                         struct nf_words *output, const struct nf_inference *inference, const void *module, size_t size,
                         nf_result **result);

/* ---- trace.c: what a stage saw, if the options ask for it ---- */
void nf_dump_read(struct nf_module *m);
void nf_dump_constraints(struct nf_module *m);
void nf_dump_solution(struct nf_module *m);
void nf_dump_written(struct nf_module *m, const nf_counts *counts, const struct nf_words *output);

#endif
