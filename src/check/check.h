/* SPDX-License-Identifier: Apache-2.0 */
/*
 * check.h - invariants that hold between the stages of the core, for tests, and for debugging a wrong result.
 *
 * Takes the module after a stage, its graph and its solution. Gives nothing, or a refusal whose text begins with
 * "internal error" and names the stage. May use: base, spirv, module, graph, infer. The checks change nothing, and run
 * only if nf_options.check is set.
 */
#ifndef NF_CHECK_H
#define NF_CHECK_H

#include "module/module.h"

/* ---- module.c ---- */

/* Checks a module that was read, with the definitions and functions that reading recorded. `stage`: the name of the
 * stage that made the module, for messages. */
void nf_check_module(struct nf_module *m, const char *stage);
/* Reads the words that `stage` has written, if there are any, and checks them like nf_check_module(). Refuses the
 * module if it has a generic pointer, unless `keeps_generic` is true. */
void nf_check_output(struct nf_module *m, const struct nf_words *output, const char *stage, bool keeps_generic);

/* ---- graph.c ---- */

/* Checks the graph that nf_constrain() made. */
void nf_check_graph(struct nf_module *m);
/* Checks the instances: their sets are a solution of the graph. Must be called before the graph is freed. */
void nf_check_solution(struct nf_module *m);

#endif
