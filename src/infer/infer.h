/* SPDX-License-Identifier: Apache-2.0 */
/*
 * infer.h - which spaces every generic pointer may be in, for the whole program.
 *
 * In: a prepared module with its types. Out: the graph, and for each function the instances that it is needed in, each
 * with a set for every node. May use: base, spirv, module, graph.
 */
#ifndef NF_INFER_H
#define NF_INFER_H

#include "graph/graph.h"
#include "module/module.h"

/* A call of a function outside the caller's own component: where the callee's summary was copied to. */
struct nf_call {
    uint32_t at, callee; /* the call instruction; index of the function */
    uint32_t base;       /* node that the summary's node 0 became; 0 inside one component */
};

/* What is inferred of a function. */
struct nf_function_analysis {
    uint32_t component;             /* strongly connected component of the call graph; callees have lower numbers */
    uint32_t first_node, last_node; /* the nodes of its component: [first, last) */
    uint32_t *parameter_nodes, return_node;
    uint32_t host_store, host; /* its component's host memory: the first of its three nodes, and the region */
    struct nf_call *calls;
    uint32_t call_count, call_capacity;
    uint32_t call_sites; /* how often it may be called; once its component is constrained: from outside of that */
    uint32_t copied_in, copied_to; /* the component that its summary was copied into last, and the first node there */
    struct nf_function_summary *summary;
    uint32_t instances, instance_count; /* newest first, linked by nf_instance.next */
};

/* What is inferred of a module: made by nf_constrain(), filled by nf_instances(), and not changed afterwards. */
struct nf_analysis {
    uint32_t *order, order_count; /* functions, callees first */
    struct nf_value *values;      /* by id */
    uint8_t *promotable;          /* by id: a variable of a pointer that is only loaded and stored as a whole */
    uint8_t *takes_generic;       /* by word, a bit: nf_takes_generic() */
    struct nf_instance *instances;
    uint32_t instance_count, instance_capacity;
    uint32_t *gather_nodes;   /* by word: see nf_gather_node(); NULL when there is none */
    uint32_t *cell_nodes;     /* by id: see nf_cell_node(); NULL when there is none */
    nf_set *constant_sets;    /* by id: evidence for generic constant expressions; NULL when there is none */
    struct nf_merges *merges; /* made when first asked (merges.c) */
    bool has_numbers;         /* some pointer is made of a constant number */
    bool bare_integers;       /* some pointer that is private or local by its type becomes an integer */
    bool flat;                /* all pointers are addresses in one space: see nf_is_flat() */
    bool solved;              /* the instances and their sets are known */
};

/* ---- constrain.c: instructions -> graph, one component of the call graph after the other ---- */
void nf_constrain(struct nf_module *m);
/* The same anew, where pointers are made of numbers: these and what is exposed point into the host's memory. */
void nf_constrain_with_numbers(struct nf_module *m);
/* Is an operand of the instruction, which is one of a function's body, a generic pointer? */
static inline bool nf_takes_generic(const struct nf_module *m, uint32_t at)
{
    return m->analysis->takes_generic[at / 8] >> at % 8 & 1;
}

/* ---- bits.c: how many bits of a number can be set ---- */
/* A constant integer, or a vector of equal ones. */
bool nf_is_number(const struct nf_module *m, uint32_t id, int64_t *value);
/* The highest bit that is set in a number that is not 0. */
uint32_t nf_log2(uint64_t value);
/* Of an integer, or of each component of a vector of them. */
uint32_t nf_number_width(const struct nf_module *m, uint32_t id);
/* What is added to `before`, or subtracted from it, to make the number; 0 where that is made otherwise. */
uint32_t nf_step_from(const struct nf_module *m, uint32_t id, uint32_t before);
/* Is it so made by a constant? */
bool nf_goes_on_from(const struct nf_module *m, uint32_t id, uint32_t before);
/* ---- memory.c: gathers ---- */

/* A gather or a scatter through a vector of generic pointers: the vector's type, NULL for any other instruction; the
 * node that stands for all its pointers, 0 when they can only be null. */
const struct nf_type *nf_gathered_type(const struct nf_module *m, uint32_t at);
uint32_t nf_gather_node(const struct nf_module *m, uint32_t at);

/* ---- components.c: strongly connected components of the call graph, callees first ---- */
uint32_t *nf_components(struct nf_module *m, uint32_t *count);
/* Is the function called from outside? */
bool nf_is_root(const struct nf_module *m, const struct nf_function *f);

/* ---- imports.c: what is known of functions without a body ---- */
enum nf_import {
    NF_IMPORT_UNKNOWN, /* may keep what it is given */
    NF_IMPORT_MOVE,    /* (target, source, size, ...): memmove, memcpy */
    NF_IMPORT_FILL,    /* (target, byte, size, ...): memset */
    NF_IMPORT_OUT,     /* writes one pointee through each generic pointer, keeps none */
    NF_IMPORT_GLOBAL   /* takes and gives global memory only, and keeps nothing */
};
enum nf_import nf_import_of(const struct nf_module *m, const struct nf_function *f);

/* ---- summary.c: a component's graph reduced to what callers see ---- */
enum nf_host_node { NF_HOST_STORE, NF_HOST_WIDE, NF_HOST_EXPOSED, NF_HOST_NODES };
void nf_summarize_function(struct nf_module *m, struct nf_function *f);
/* Nothing asks for it any more. */
void nf_drop_summary(struct nf_module *m, struct nf_function *f);
/* How many cells its summary has beyond NF_FEW_CELLS in each region; give these up, before it is summarized again. */
uint32_t nf_summary_surplus(const struct nf_function *f);
void nf_thin_summary(struct nf_module *m, const struct nf_function *f);
/* Copy the callee's summary into the graph; node i of the summary becomes the returned node + i. With `share_host` the
 * callee's host memory is the caller's, otherwise it is one of its own. */
uint32_t nf_apply_summary(struct nf_module *m, const struct nf_function *callee, bool share_host);
/* The copied node of parameter `index`, of the result, of the host's memory; 0 when it carries no address. */
uint32_t nf_summary_parameter(const struct nf_function *callee, uint32_t index, uint32_t base);
uint32_t nf_summary_result(const struct nf_function *callee, uint32_t base);
uint32_t nf_summary_host(enum nf_host_node which, uint32_t base);
/* Module-scope variables that the callee touches: the `index`th one's id, and a value that points to its copy. */
bool nf_summary_variable(const struct nf_function *callee, uint32_t index, uint32_t base, uint32_t *id,
                         struct nf_value *copy);
/* The summary's nodes: how many, and which node of the callee's own graph the `index`th one stands for. */
uint32_t nf_summary_node_count(const struct nf_function *callee);
uint32_t nf_summary_actual(const struct nf_function *callee, uint32_t index);

/* ---- instances.c: which function is needed for which spaces ---- */
struct nf_instance {
    uint32_t function; /* index */
    uint32_t next;     /* of the same function */
    nf_set *masks;     /* by node, from first_node, which is the function's */
    uint32_t first_node;
    uint64_t key, code;  /* hashes of the masks, and of what they make of the function's pointers */
    uint32_t *callees;   /* by index in the function's calls: instance */
    uint32_t same_as;    /* a twin that is emitted in its place, or itself */
    uint32_t emitted_id; /* rewrite/rewrite.c: id of the function that is emitted for it */
    uint32_t caller;     /* the instance that first asked for it, 0 for a root */
    uint32_t kernel;     /* the function index of the kernel it was first reached from, 0 when none */
    bool root;           /* called from outside: a kernel, an exported function */
    bool open;           /* takes what any further caller brings: recursive, indirect, or past the bound */
    bool anywhere;       /* of the open ones: callers that are not seen, or may call another: no tuples are passed */
    bool queued, live;
    uint32_t solution; /* the instance whose masks these are: of its component, or itself */
    uint32_t exposed;  /* the node of the addresses that are exposed in its kernel */
};
void nf_instances(struct nf_module *m);
static inline struct nf_instance *nf_instance_at(const struct nf_module *m, uint32_t index)
{
    return &m->analysis->instances[index];
}
/* The evidence for `node`, one of the function's own, in an instance of it; none for node 0. A number may be any address
 * that is exposed. */
static inline nf_set nf_evidence(const struct nf_instance *instance, uint32_t node)
{
    nf_set set = node ? instance->masks[node - instance->first_node] : 0;
    return set & NF_NUMBER ? set | (instance->masks[instance->exposed - instance->first_node] & NF_SPACES) : set;
}
/* The evidence that the node passes on to those that it flows into. */
nf_set nf_evidence_from(const struct nf_module *m, const struct nf_instance *instance, uint32_t node);

/* ---- numbers.c: pointers made of computed numbers ---- */

/* Is some pointer made of a computed number? Then numbers point into memory: nf_constrain_with_numbers(). */
bool nf_finds_numbers(const struct nf_module *m);

/* ---- values.c: what a value carries ---- */

/* The memory cell that the concrete pointer `id` is loaded or extracted from; 0 when it was not noted. */
uint32_t nf_cell_node(const struct nf_module *m, uint32_t id);

/* ---- chains.c: access chains ---- */

/* The evidence that the index of the access chain at `at` holds the address of an object, and may lead from the chain's base
 * into another memory; 0: it does not. */
nf_set nf_evidence_of_index(const struct nf_module *m, const struct nf_instance *instance, uint32_t at);

/* ---- sets.c: which spaces a pointer may be in ---- */

/* Set of the value `id` (of generic pointer type) by the masks of an instance; constants need no masks. */
nf_set nf_set_of(const struct nf_module *m, const struct nf_instance *instance, uint32_t id);
nf_set nf_evidence_of_pointer(const struct nf_module *m, const struct nf_instance *instance, uint32_t id);
/* Is the constant a number, not 0, as a generic pointer? */
bool nf_is_number_constant(const struct nf_module *m, uint32_t id);
/* The spaces that a set's evidence allows; 0 when the pointer can only be null or undefined. */
nf_set nf_spaces_of(nf_set evidence);

/* ---- modes.c: what the mode makes of them ---- */

/* Hint mode: a pointer that stays generic, as if Generic were one more space. */
enum { NF_GENERIC = 1 << 5 };

/* The set that a generic value has in the code; *dead: it can only be null. */
nf_set nf_effective_set(const struct nf_module *m, const struct nf_instance *instance, uint32_t id, bool *dead);
nf_set nf_effective(const struct nf_module *m, nf_set evidence, bool *dead);
/* The spaces for which a value has a pointer in the code, where `set` are those that it may be in: on a device with one address
 * space a global pointer stands for all; one that is a loose integer has a global part, which keeps all its bits. */
nf_set nf_value_set_of(const struct nf_module *m, nf_set set, nf_set evidence);
nf_set nf_value_set(const struct nf_module *m, const struct nf_instance *instance, uint32_t id, bool *dead);
/* Finds whether all pointers of the module are addresses in one space: once the instances are known. */
void nf_find_flat(struct nf_module *m);
/* Is the device's memory one address space, and is nothing asked of it that needs windows? */
static inline bool nf_is_flat(const struct nf_module *m)
{
    return m->analysis->flat;
}
/* The same for the pointer `id`, or the vector of pointers, that the access at `at` goes through; and its node, 0 for
 * what is of the module scope. */
nf_set nf_pointer_set(const struct nf_module *m, const struct nf_instance *instance, uint32_t at, uint32_t id,
                      bool *dead);
uint32_t nf_pointer_node(const struct nf_module *m, uint32_t at, uint32_t id);

/* ---- merges.c: hint mode, ambiguous pointers that never leave the values of their function ---- */

/* Is `id`, which is ambiguous, one of those that have a tag and a pointer for each space, where the rest stays generic? */
bool nf_is_merged(const struct nf_module *m, const struct nf_instance *instance, uint32_t id);
/* Does any access go through one? */
bool nf_merges_any(const struct nf_module *m);

/* ---- predicates.c: pointers whose space a condition decides ---- */

/* Does a condition of its own function decide the space of `id`? */
bool nf_is_split(const struct nf_module *m, const struct nf_instance *instance, uint32_t id);

#endif
