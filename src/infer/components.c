/* SPDX-License-Identifier: Apache-2.0 */
/*
 * components.c - strongly connected components (SCCs) of the call graph (Tarjan 1972), callees before callers.
 *
 *     a calls b, b calls c, c calls b        SCCs: {b, c} is 1, {a} is 2
 *
 * An indirect call may call every function whose address is taken. The hard case is a chain of calls as long as the
 * module: the walk has an explicit stack instead of recursion.
 *
 * needs: a module that was read.  gives: each function's SCC (from 1) and call_sites, and the order.
 */
#include "infer/infer.h"

struct frame {
    uint32_t function, at; /* the function; the position in its body at which the walk continues */
    uint32_t indirect;     /* the next function that an indirect call at `at` may call */
};

/* The state of Tarjan's algorithm. By function: `number`, the order of the first visits, from 1, and `low`, the
 * smallest number of an unfinished SCC that it reaches. `stack`: the functions of unfinished SCCs. `order`:
 * the result, callees first. */
struct walk {
    struct nf_module *m;
    uint32_t *number, *low, *stack, *order;
    struct frame *frames;
    uint32_t next_number, stack_count, frame_count, order_count, component_count;
};

static void enter(struct walk *w, uint32_t function)
{
    w->number[function] = w->low[function] = ++w->next_number;
    w->stack[w->stack_count++] = function;
    const struct nf_function *f = &w->m->functions[function];
    w->frames[w->frame_count++] = (struct frame){function, f->body ? f->body : f->end, 1};
}

/* Returns the next function that the frame's function may call, and counts the call site; 0 at the end of the body. */
static uint32_t next_callee(struct nf_module *m, struct frame *frame)
{
    const struct nf_function *f = &m->functions[frame->function];
    for (; frame->at < f->end; frame->at = nf_next(m, frame->at)) {
        if (nf_opcode(m, frame->at) == OpFunctionCall) {
            uint32_t callee = m->index_of[nf_callee(m, frame->at)];
            frame->at = nf_next(m, frame->at);
            m->functions[callee].analysis->call_sites++;
            return callee;
        }
        if (nf_opcode(m, frame->at) != OpFunctionPointerCallINTEL) continue;
        for (; frame->indirect < m->function_count; frame->indirect++)
            if (m->functions[frame->indirect].address_taken) {
                m->functions[frame->indirect].analysis->call_sites++;
                return frame->indirect++;
            }
        frame->indirect = 1;
    }
    return 0;
}

/* Ends the visit of a function. If the walk visited it first in its SCC, the SCC is complete. */
static void leave(struct walk *w, uint32_t function)
{
    if (w->low[function] != w->number[function]) return;
    w->component_count++;
    uint32_t member;
    do {
        member = w->stack[--w->stack_count];
        w->m->functions[member].analysis->component = w->component_count;
        w->order[w->order_count++] = member;
    } while (member != function);
}

static void visit(struct walk *w, uint32_t root)
{
    enter(w, root);
    while (w->frame_count) {
        struct frame *frame = &w->frames[w->frame_count - 1];
        uint32_t callee = next_callee(w->m, frame), function = frame->function;
        if (!callee) {
            w->frame_count--;
            leave(w, function);
            uint32_t parent = w->frame_count ? w->frames[w->frame_count - 1].function : 0;
            if (parent && w->low[function] < w->low[parent]) w->low[parent] = w->low[function];
        } else if (!w->number[callee]) {
            enter(w, callee);
        } else if (!w->m->functions[callee].analysis->component && w->number[callee] < w->low[function]) {
            w->low[function] = w->number[callee];
        }
    }
}

uint32_t *nf_components(struct nf_module *m, uint32_t *count)
{
    uint32_t functions = m->function_count;
    struct walk w = {.m = m};
    w.number = NF_NEW(m->arena, uint32_t, functions);
    w.low = NF_NEW(m->arena, uint32_t, functions);
    w.stack = NF_NEW(m->arena, uint32_t, functions);
    w.order = NF_NEW(m->arena, uint32_t, functions);
    w.frames = NF_NEW(m->arena, struct frame, functions);
    for (uint32_t i = 1; i < functions; i++)
        if (!w.number[i]) visit(&w, i);
    *count = w.order_count;
    return w.order;
}

bool nf_is_root(const struct nf_module *m, const struct nf_function *f)
{
    bool library = m->options->library || !m->kernel_count;
    return f->body && (f->entry_at || (library && f->exported) || (!m->kernel_count && library && !f->imported));
}
