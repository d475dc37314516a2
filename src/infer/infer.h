/* SPDX-License-Identifier: Apache-2.0 */
/*
 * infer.h - infers the address spaces that each generic pointer may be in, for the whole module.
 *
 * Takes a prepared module with its types. Gives the graph, and for each function that is called its instances (clones,
 * one for each solution of its sets, up to a limit). An instance has, for every node of its function's SCC of the call
 * graph, the set of address spaces that the node may be in. May use: base, spirv, module, graph.
 */
#ifndef NF_INFER_H
#define NF_INFER_H

#include "graph/graph.h"
#include "module/module.h"

/* A call: the call site, and the position in the graph of its copy of the callee's summary. */
struct nf_call {
    uint32_t at, callee; /* word offset of the call instruction, 0 for a call by the host; index of the callee */
    uint32_t base;       /* the node that is the copy of the summary's node 0; 0 for a call inside one SCC */
};

/* The results of inference for a function. */
struct nf_function_analysis {
    uint32_t component; /* strongly connected component (SCC) of the call graph; callees have lower numbers */
    uint32_t first_node, last_node;         /* the nodes of its SCC: [first, last) */
    uint32_t *parameter_nodes, return_node; /* by parameter; of the result; 0: it carries no address */
    uint32_t host_store, host;              /* of its SCC: the first node of enum nf_host_node; the region H */
    bool *written_arguments; /* by parameter of a root: the function may write the memory that it points to */
    struct nf_call *calls;
    uint32_t call_count, call_capacity;
    uint32_t call_sites; /* number of call sites; once its SCC has constraints, without those inside the SCC */
    uint32_t copied_in, copied_to; /* the last SCC into which its summary was copied; the copy's first node */
    struct nf_function_summary *summary;
    uint32_t instances, instance_count; /* newest first, linked by nf_instance.next */
};

/* The results of inference for a module: made by nf_constrain(), completed by nf_instances() and nf_find_flat(). */
struct nf_analysis {
    uint32_t *order, order_count; /* indices of functions, callees first */
    struct nf_value *values;      /* by id */
    uint8_t *promotable;    /* by id: true for a variable that holds a pointer and is only loaded and stored whole */
    uint8_t *takes_generic; /* by word offset, one bit each: see nf_takes_generic() */
    struct nf_instance *instances; /* index 0 does not exist */
    uint32_t instance_count, instance_capacity;
    uint32_t *gather_nodes;   /* by word offset: see nf_gather_node(); NULL if the module has no gathers */
    uint32_t *cell_nodes;     /* by id: see nf_cell_node(); NULL if no cell was recorded */
    uint8_t *far;             /* by id: the leading index of the access chain, if not 0, leads out of all windows */
    nf_set *constant_sets;    /* by id: the evidence of generic constant expressions; NULL if there are none */
    struct nf_merges *merges; /* made at the first query (merges.c) */
    bool converts_concrete_pointers; /* hint mode: a private or local pointer becomes an integer or is stored */
    bool shares_host;                /* there are variables that all kernels may write, so kernels share one H */
    bool flat;                       /* one address space for all pointers: see nf_is_flat() */
    bool solved;                     /* the instances and their sets are known */
};

/* ---- constrain.c: instructions -> graph, one SCC of the call graph after the other ---- */
/* Facts that a solution shows (numbers.c): a pointer is converted from a computed number; the index of a chain holds an
 * address; a constant moves the integer of an address; a number is computed from an integer that may be in several
 * spaces. */
struct nf_suspicion {
    bool numbers, indices, steps, distances;
};
/* Builds the graph, with edges and regions for the known facts. Unless `known.numbers`, numbers point to no memory. */
void nf_constrain(struct nf_module *m, struct nf_suspicion known);
/* Returns true if the instruction at `at`, in the body of a function, has a generic pointer among its operands. */
static inline bool nf_takes_generic(const struct nf_module *m, uint32_t at)
{
    return m->analysis->takes_generic[at / 8] >> at % 8 & 1;
}
/* Returns true if the instruction has a generic pointer among its operands, or as its result. */
static inline bool nf_touches_generic(const struct nf_module *m, uint32_t at)
{
    return nf_takes_generic(m, at) || nf_is_generic_value(m, nf_result_id(m, at));
}

/* ---- known_bits.c: the bits of an integer that can be set ---- */
/* Returns the width in bits of an integer or a float, or of each component of a vector of these; else 0. */
uint32_t nf_number_width(const struct nf_module *m, uint32_t id);
/* ---- memory.c: gathers ---- */
/* Returns the vector's type if the instruction gathers or scatters through a vector of generic pointers, else NULL. */
const struct nf_type *nf_gathered_type(const struct nf_module *m, uint32_t at);
/* Returns the node of all pointers of the vector of the gather or scatter `at`; 0 if they can only be null. */
static inline uint32_t nf_gather_node(const struct nf_module *m, uint32_t at)
{
    return m->analysis->gather_nodes ? m->analysis->gather_nodes[at] : 0;
}

/* ---- components.c: strongly connected components of the call graph, callees first ---- */
/* Returns the indices of functions 1 to *count, callees first; sets nf_function_analysis.component and call_sites. */
uint32_t *nf_components(struct nf_module *m, uint32_t *count);
/* Returns true if the function has a body and may be called from outside of the module: a kernel, an exported function
 * of a library, or, in a module without kernels, any function. */
bool nf_is_root(const struct nf_module *m, const struct nf_function *f);

/* ---- summary.c: the graph of an SCC, reduced to the part that callers can access ---- */
/* The first nodes of each SCC and of each summary: nf_graph.host_store, host_wide and exposed. */
enum nf_host_node { NF_HOST_STORE, NF_HOST_WIDE, NF_HOST_EXPOSED, NF_HOST_NODES };
/* Makes the summary of a function whose SCC is constrained; replaces its earlier summary. */
void nf_summarize_function(struct nf_module *m, struct nf_function *f);
void nf_drop_summary(struct nf_module *m, struct nf_function *f);
/* Returns the number of cells of the function's summary beyond NF_FEW_CELLS in each region. */
uint32_t nf_summary_surplus(const struct nf_function *f);
/* Collapses regions with more than NF_FEW_CELLS cells in the function's graph, which must be summarized again. */
void nf_collapse_large_regions(struct nf_module *m, const struct nf_function *f);
/* Copies the callee's summary into the graph and returns its first node: node i of the summary becomes that node + i.
 * If `share_host` is true, H and X of the callee become H and X of the caller; otherwise the copy has its own. */
uint32_t nf_apply_summary(struct nf_module *m, const struct nf_function *callee, bool share_host);
/* Return the copy of the node of parameter `index`, and of the result; 0 if it carries no address. `base` is the result
 * of nf_apply_summary(), the first copied node, at which the copies of enum nf_host_node begin. */
uint32_t nf_summary_parameter(const struct nf_function *callee, uint32_t index, uint32_t base);
uint32_t nf_summary_result(const struct nf_function *callee, uint32_t base);
/* Gives the id of the `index`th module-scope variable that the callee accesses, and the address of its copy. Returns
 * false if there are no more. */
bool nf_summary_variable(const struct nf_function *callee, uint32_t index, uint32_t base, uint32_t *id,
                         struct nf_value *copy);
uint32_t nf_summary_node_count(const struct nf_function *callee);
/* Returns the node of the callee's own graph that node `index` of the summary represents. */
uint32_t nf_summary_actual(const struct nf_function *callee, uint32_t index);

/* ---- instances.c: the instances (clones) of each function ---- */
/* A clone of a function: the solved evidence of its nodes for one or more call sites. The output has one function for
 * each live instance whose `same_as` is the instance itself. */
struct nf_instance {
    uint32_t function;    /* index */
    uint32_t next;        /* next instance of the same function; 0: the last */
    nf_set *masks;        /* the solution: the evidence of each node, by node - first_node */
    uint32_t first_node;  /* first node of its SCC */
    uint64_t key, code;   /* hashes: of the masks; of the spaces of the function's pointers */
    uint32_t *callees;    /* by index into the function's calls: the instance that is called */
    uint32_t same_as;     /* the instance that is emitted in its place, because both need the same code; or itself */
    uint32_t emitted_id;  /* rewrite/rewrite.c: id of the function that is emitted for it */
    uint32_t caller;      /* the instance that called it first: of a kernel, 1 (the root function); 0: none */
    uint32_t kernel;      /* function index of the kernel from which it was reached first; 0: none */
    bool root;            /* callable from outside, or by its address although no known call reaches it */
    bool open;            /* its sets grow with each further caller: see instance_for() and find_all() */
    bool takes_no_tuples; /* called indirectly or from outside, or its ids must stay: no parameter is a tuple */
    bool queued, live;    /* the instance is in the work list; it is reachable */
    uint32_t solution;    /* the instance that owns the masks: itself, or another one in the same SCC */
    uint32_t exposed;     /* the node X of its SCC */
};
/* Finds and solves all instances, and merges live ones that need the same code. Frees the summaries. */
void nf_instances(struct nf_module *m);
/* Returns the instance with that index. The pointer is invalid once another instance is added. */
static inline struct nf_instance *nf_instance_at(const struct nf_module *m, uint32_t index)
{
    return &m->analysis->instances[index];
}
/* Returns the evidence of `node`, a node of the function's SCC, in the instance; 0 for node 0. A computed number may be
 * any exposed address, so the spaces of X are added to its evidence. */
static inline nf_set nf_evidence(const struct nf_instance *instance, uint32_t node)
{
    nf_set set = node ? instance->masks[node - instance->first_node] : 0;
    return set & NF_NUMBER ? set | (instance->masks[instance->exposed - instance->first_node] & NF_SPACES) : set;
}
/* Returns the evidence that the node passes to its successors: its transfer function, applied to its own evidence. */
nf_set nf_evidence_from(const struct nf_module *m, const struct nf_instance *instance, uint32_t node);

/* ---- numbers.c: pointers converted from numbers, and indices that hold addresses --------------------------------- */
/* Adds to `known` the facts that the solution shows. Returns true if some are new: the module is then solved again. */
bool nf_collect_suspicions(struct nf_module *m, struct nf_suspicion *known);

/* ---- values.c: the addresses that values carry ---- */
/* Returns the node of the cell from which the concrete pointer `id` was loaded or extracted; 0: none is recorded. */
static inline uint32_t nf_cell_node(const struct nf_module *m, uint32_t id)
{
    return m->analysis->cell_nodes ? m->analysis->cell_nodes[id] : 0;
}

/* ---- chains.c: access chains ---- */
/* Returns the position, in the instruction, of the word that is the base pointer of an access chain, also in a constant
 * expression. For another instruction with a result, it is the first operand. */
uint32_t nf_base_word(const struct nf_module *m, uint32_t at);
/* Returns the evidence of the leading index of the access chain at `at` if the index may hold the address of an object,
 * so that the result may be in another memory than the base; otherwise 0. */
nf_set nf_evidence_of_index(const struct nf_module *m, const struct nf_instance *instance, uint32_t at);

/* ---- evidence.c: the spaces that a pointer may be in, by its evidence ---- */
/* Returns the evidence of the pointer `id` in an instance, which may be NULL for a constant. */
nf_set nf_evidence_of_pointer(const struct nf_module *m, const struct nf_instance *instance, uint32_t id);
/* Returns true if the constant is a generic pointer converted from an integer other than 0. */
bool nf_is_number_constant(const struct nf_module *m, uint32_t id);
/* Returns the spaces of a pointer with that evidence; 0 if it can only be null or undefined. */
nf_set nf_spaces_of(nf_set evidence);
/* Returns the spaces that the generic pointer `id` may be in, in an instance; 0 if it can only be null or undefined.
 * `instance` may be NULL for a constant. */
static inline nf_set nf_set_of(const struct nf_module *m, const struct nf_instance *instance, uint32_t id)
{
    return nf_spaces_of(nf_evidence_of_pointer(m, instance, id));
}

/* ---- mode_policy.c: the spaces that a pointer has in the output, by mode ---- */
/* In hint mode, the set of a pointer that stays Generic: the value of NF_FROM_HOST, which no set of spaces contains. */
enum { NF_GENERIC = 1 << 5 };

/* Returns the spaces that the generic value `id` has in the output. Sets *dead if it can only be null or undefined. */
nf_set nf_effective_set(const struct nf_module *m, const struct nf_instance *instance, uint32_t id, bool *dead);
/* Returns nf_effective_set() for a value with that evidence, without merges (merges.c). */
nf_set nf_effective(const struct nf_module *m, nf_set evidence, bool *dead);
/* Returns the spaces of the pointers that represent the value `id` in the output. If nf_is_flat(), a global pointer
 * represents several spaces, except in dynamic mode. On a device with windows, a value with NF_LOOSE or NF_COUNT also
 * has a global part, which keeps all bits of the integer. */
nf_set nf_value_set(const struct nf_module *m, const struct nf_instance *instance, uint32_t id, bool *dead);
/* Returns nf_value_set() for a value with that evidence, without merges. */
nf_set nf_value_set_by(const struct nf_module *m, nf_set evidence);
/* Computes the result of nf_is_flat(). The instances must be known. */
void nf_find_flat(struct nf_module *m);
/* Returns true if the device has one address space for all memories, the mode is not `hint`, and no live instance
 * queries the space of an ambiguous pointer, so that pointers need neither tags nor windows. */
static inline bool nf_is_flat(const struct nf_module *m)
{
    return m->analysis->flat;
}
/* Returns the effective set of the pointer `id` through which the instruction at `at` accesses memory; for a gather or
 * a scatter, of all pointers of the vector. */
nf_set nf_pointer_set(const struct nf_module *m, const struct nf_instance *instance, uint32_t at, uint32_t id,
                      bool *dead);
/* Returns the node of the pointer `id`, or of that vector; 0 for a constant. */
uint32_t nf_pointer_node(const struct nf_module *m, uint32_t at, uint32_t id);

/* ---- merges.c: hint mode, ambiguous pointers that never leave the SSA values of their function ---- */
/* Returns true if the ambiguous pointer `id` becomes a tuple in hint mode, instead of staying generic. */
bool nf_is_merged(const struct nf_module *m, const struct nf_instance *instance, uint32_t id);
/* Returns true if the pointer of any access is merged. */
bool nf_merges_any(const struct nf_module *m);

/* ---- predicates.c: pointers whose space a condition decides ---- */
/* Returns true if a condition in its function selects between the two spaces of `id`, and may replace the tag. */
bool nf_is_split(const struct nf_module *m, const struct nf_instance *instance, uint32_t id);

#endif
