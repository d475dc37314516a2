/* SPDX-License-Identifier: Apache-2.0 */
/*
 * structure.c - writes the body of a function: its blocks as loops, conditions and jumps.
 *
 *     entry:  OpBranchConditional %c %a %b          if (c) {
 *     a:      ... OpBranch %end                         ...
 *     b:      ... OpBranch %end                     } else {
 *     end:    ...                                       ...
 *                                                   }
 *                                                   ...
 *
 * Every reachable block is written once, in the place that flow.c gives it, and control reaches its targets by falling
 * through where the text that follows is the target, else by break, continue or goto. So the text is correct for any
 * control flow, including irreducible, and the place of a block only affects readability. Compilers limit how deep
 * braces nest: a block that would exceed the limit is written at the end of the function, with a label.
 *
 * The text is produced by tasks on a stack, because recursion over the blocks could be as deep as the module has
 * blocks. The tasks run twice: first without writing, to find the labels to which jumps lead.
 *
 * needs: the control flow (flow.c) and the uses of each id (uses.c).  gives: the body in e->to.
 */
#include "emit/internal.h"

enum { DEEPEST = 48 }; /* nested braces; compilers accept 256 */

enum task_kind {
    TASK_BLOCK,
    TASK_ARM,
    TASK_ELSE,
    TASK_CLOSE,
    TASK_CLOSE_LOOP,
    TASK_CASE,
    TASK_CLOSE_CASE,
    TASK_CLOSE_SWITCH
};

struct task {
    enum task_kind kind;
    uint32_t from, block; /* TASK_BLOCK: the block; TASK_ARM: the edge; TASK_CASE: the switch, the case's index */
    uint32_t next;        /* the block that control reaches after the text of this task; NF_NO_BLOCK: none */
    uint32_t break_target, continue_target; /* TASK_CLOSE_LOOP and TASK_CLOSE_SWITCH: the outer targets to restore */
};

struct writer {
    struct nf_emitter *e;
    struct nf_flow *flow;
    struct task *stack;
    uint32_t count, capacity;
    uint32_t *deferred, deferred_count, deferred_capacity;
    uint32_t break_target, continue_target; /* the blocks to which break and continue jump; NF_NO_BLOCK: none */
};

static void push(struct writer *w, struct task task)
{
    NF_RESERVE(w->e->arena, w->stack, w->capacity, (size_t)w->count + 1);
    w->stack[w->count++] = task;
}

static void say_line(struct writer *w, const char *text)
{
    nf_say_indent(w->e);
    nf_say_string(w->e, text);
    nf_say_char(w->e, '\n');
}

static void say_label(struct writer *w, uint32_t number)
{
    nf_say(w->e, "L%u", w->flow->blocks[number].label);
}

/* ---- Edges ---- */

static void say_goto(struct writer *w, uint32_t to)
{
    w->flow->blocks[to].needs_label = true;
    nf_say_indent(w->e);
    nf_say_string(w->e, "goto ");
    say_label(w, to);
    nf_say_string(w->e, ";\n");
}

/* Writes the jump to a block, unless control falls through to it. */
static void say_jump(struct writer *w, uint32_t to, uint32_t next)
{
    if (to == next) return;
    if (to == w->break_target)
        say_line(w, "break;");
    else if (to == w->continue_target)
        say_line(w, "continue;");
    else
        say_goto(w, to);
}

/* Writes a jump to a block that is to be written at the end of the function. */
static void defer(struct writer *w, uint32_t to)
{
    NF_RESERVE(w->e->arena, w->deferred, w->deferred_capacity, (size_t)w->deferred_count + 1);
    w->deferred[w->deferred_count++] = to;
    say_goto(w, to);
}

static bool is_deep(const struct writer *w)
{
    return w->e->indent >= DEEPEST;
}

/* Writes an edge: the values of the phis, then the target itself or a jump to it. */
static void say_arm(struct writer *w, uint32_t from, uint32_t to, uint32_t next)
{
    nf_say_copies(w->e, &w->flow->blocks[from], &w->flow->blocks[to]);
    if (!nf_is_nested(w->flow, from, to))
        say_jump(w, to, next);
    else if (is_deep(w))
        defer(w, to);
    else
        push(w, (struct task){.kind = TASK_BLOCK, .block = to, .next = next});
}

/* Returns true if the edge needs no text. */
static bool is_empty(const struct writer *w, uint32_t from, uint32_t to, uint32_t next)
{
    return to == next && !nf_is_nested(w->flow, from, to) &&
           !nf_has_copies(w->e, &w->flow->blocks[from], &w->flow->blocks[to]);
}

/* Returns true if the text of the edge ends with a jump, so that the text after it needs no else. */
static bool is_jump(const struct writer *w, uint32_t from, uint32_t to, uint32_t next)
{
    return to != next && !nf_is_nested(w->flow, from, to);
}

/* ---- Terminators ---- */

static void open_if(struct writer *w, uint32_t condition, bool negated)
{
    nf_say_indent(w->e);
    nf_say_string(w->e, negated ? "if (!(" : "if (");
    nf_say_unparenthesized(w->e, condition);
    nf_say_string(w->e, negated ? ")) {\n" : ") {\n");
    w->e->indent++;
}

static struct task arm_task(uint32_t from, uint32_t to, uint32_t next)
{
    return (struct task){.kind = TASK_ARM, .from = from, .block = to, .next = next};
}

static void say_conditional(struct writer *w, uint32_t from, uint32_t next)
{
    const struct nf_block_info *block = &w->flow->blocks[from];
    uint32_t condition = nf_branch_condition(w->e->m, block->end);
    uint32_t yes = w->flow->successors[block->successors], no = w->flow->successors[block->successors + 1];
    bool jumps = is_jump(w, from, yes, next),
         negated = !jumps && (is_jump(w, from, no, next) || is_empty(w, from, yes, next));
    uint32_t first = negated ? no : yes, second = negated ? yes : no;
    if (yes == no) {
        say_arm(w, from, yes, next);
        return;
    }
    open_if(w, condition, negated);
    if (is_jump(w, from, first, next)) {
        say_arm(w, from, first, next);
        w->e->indent--;
        say_line(w, "}");
        say_arm(w, from, second, next);
        return;
    }
    push(w, (struct task){.kind = TASK_CLOSE});
    if (!is_empty(w, from, second, next)) {
        push(w, arm_task(from, second, next));
        push(w, (struct task){.kind = TASK_ELSE});
    }
    push(w, arm_task(from, first, next));
}

/* Writes the labels of all cases with the same block as target number `target`, the first of these cases. */
static void say_cases(struct writer *w, uint32_t from, uint32_t target)
{
    const struct nf_module *m = w->e->m;
    const struct nf_block_info *block = &w->flow->blocks[from];
    uint32_t bits = nf_width_of(m, nf_type_of(m, nf_switch_selector(m, block->end))), width = bits > 32 ? 2 : 1;
    const uint32_t *same = w->flow->same + block->successors;
    for (uint32_t s = target; s != NF_NO_BLOCK; s = same[s]) {
        if (s > target) nf_say_char(w->e, '\n');
        nf_say_indent(w->e);
        if (s == 0) {
            nf_say_string(w->e, "default:");
            continue;
        }
        const uint32_t *literal = m->words + block->end + 3 + (s - 1) * (width + 1);
        nf_say_string(w->e, "case ");
        nf_say_integer(w->e, literal[0] | (width == 2 ? (uint64_t)literal[1] << 32 : 0), bits);
        nf_say_char(w->e, ':');
    }
    nf_say_string(w->e, " {\n");
}

/* Links the targets of a switch that are the same block, each to the next target, and sets first_case of the block to
 * the number of the first of them. */
static void link_cases(struct writer *w, uint32_t from)
{
    const struct nf_block_info *block = &w->flow->blocks[from];
    for (uint32_t s = 0; s < block->successor_count; s++)
        w->flow->blocks[w->flow->successors[block->successors + s]].first_case = NF_NO_BLOCK;
    for (uint32_t s = block->successor_count; s-- > 0;) {
        struct nf_block_info *to = &w->flow->blocks[w->flow->successors[block->successors + s]];
        w->flow->same[block->successors + s] = to->first_case;
        to->first_case = s;
    }
}

/* Writes the head of a switch, and pushes a task for each block to which it branches: the first block last, because the
 * last task runs first. */
static void say_switch(struct writer *w, uint32_t from, uint32_t next)
{
    const struct nf_block_info *block = &w->flow->blocks[from];
    nf_say_indent(w->e);
    nf_say_string(w->e, "switch (");
    nf_say_unparenthesized(w->e, nf_switch_selector(w->e->m, block->end));
    nf_say_string(w->e, ") {\n");
    push(w, (struct task){
                .kind = TASK_CLOSE_SWITCH, .break_target = w->break_target, .continue_target = w->continue_target});
    w->break_target = next;
    link_cases(w, from);
    for (uint32_t s = block->successor_count; s-- > 0;)
        if (w->flow->blocks[w->flow->successors[block->successors + s]].first_case == s)
            push(w, (struct task){.kind = TASK_CASE, .from = from, .block = s, .next = next});
}

static void say_return(struct writer *w, uint32_t at)
{
    struct nf_emitter *e = w->e;
    uint32_t opcode = nf_opcode(e->m, at);
    bool is_void = nf_type(e->m, e->function->result_type)->kind == NF_KIND_VOID;
    bool is_last = is_void && w->count == 0 && w->deferred_count == 0;
    if (is_last) return;
    nf_say_indent(e);
    nf_say_string(e, is_void ? "return" : "return ");
    if (opcode == OpReturnValue)
        nf_say_unparenthesized(e, nf_returned_value(e->m, at));
    else if (!is_void)
        nf_say_zero(e, e->function->result_type);
    nf_say_string(e, ";\n");
}

static void say_terminator(struct writer *w, uint32_t number, uint32_t next)
{
    const struct nf_block_info *block = &w->flow->blocks[number];
    switch (nf_opcode(w->e->m, block->end)) {
    case OpBranch: say_arm(w, number, w->flow->successors[block->successors], next); break;
    case OpBranchConditional: say_conditional(w, number, next); break;
    case OpSwitch: say_switch(w, number, next); break;
    case OpReturn:
    case OpReturnValue:
    case OpUnreachable: say_return(w, block->end); break;
    default:
        nf_refuse(w->e, block->end, "%s has no form in OpenCL C", nf_op_find(nf_opcode(w->e->m, block->end))->name);
    }
}

/* ---- Blocks ---- */

static void say_line_directive(struct nf_emitter *e, uint32_t at)
{
    const struct nf_module *m = e->m;
    uint32_t file = nf_line_file(m, at), def = m->def[file];
    nf_say(e, "#line %u", nf_line_number(m, at));
    if (file != e->line_file && def && nf_opcode(m, def) == OpString) {
        const char *name = nf_string(m, def + 2);
        nf_say_char(e, ' ');
        nf_say_literal(e, name, strlen(name));
    }
    e->line_file = file;
    nf_say_char(e, '\n');
}

static void say_statements(struct writer *w, const struct nf_block_info *block)
{
    struct nf_emitter *e = w->e;
    uint32_t line = 0;
    for (uint32_t at = nf_next(e->m, block->at); at < block->end; at = nf_next(e->m, at)) {
        if (nf_opcode(e->m, at) == OpLine) line = at;
        if (nf_opcode(e->m, at) == OpNoLine) line = 0;
        struct nf_insn i = nf_insn_at(e, at);
        if (!nf_is_written(e, &i)) continue;
        if (line) say_line_directive(e, line);
        nf_say_statement(e, &i);
    }
}

/* Pushes the blocks of a list so that each falls through to the following block, and the last block to `next`. Returns
 * the first block, or `next` if the list is empty. */
static uint32_t push_list(struct writer *w, uint32_t list, uint32_t next)
{
    uint32_t begin = w->count;
    for (uint32_t number = list; number != NF_NO_BLOCK; number = w->flow->blocks[number].next) {
        uint32_t behind = w->flow->blocks[number].next;
        push(w, (struct task){.kind = TASK_BLOCK, .block = number, .next = behind == NF_NO_BLOCK ? next : behind});
    }
    for (uint32_t i = begin, j = w->count; i + 1 < j; i++) {
        struct task swap = w->stack[i];
        w->stack[i] = w->stack[--j];
        w->stack[j] = swap;
    }
    return list == NF_NO_BLOCK ? next : list;
}

static void say_block(struct writer *w, uint32_t number, uint32_t next)
{
    struct nf_emitter *e = w->e;
    const struct nf_block_info *block = &w->flow->blocks[number];
    if (block->is_header && is_deep(w)) {
        defer(w, number);
        return;
    }
    if (block->needs_label && !e->dry) {
        say_label(w, number);
        nf_say_string(e, ":;\n");
    }
    if (block->is_header) {
        uint32_t behind = push_list(w, block->exits, next);
        push(w, (struct task){
                    .kind = TASK_CLOSE_LOOP, .break_target = w->break_target, .continue_target = w->continue_target});
        say_line(w, "for (;;) {");
        e->indent++;
        w->break_target = behind;
        w->continue_target = number;
        next = number;
    }
    next = push_list(w, block->merges, next);
    nf_declare_phis(e, block);
    if (!e->dry) say_statements(w, block);
    say_terminator(w, number, next);
}

/* ---- The whole body ---- */

/* Writes the labels of one block's cases, and the arm in braces. */
static void say_case(struct writer *w, const struct task *task)
{
    say_cases(w, task->from, task->block);
    const struct nf_block_info *block = &w->flow->blocks[task->from];
    uint32_t to = w->flow->successors[block->successors + task->block];
    w->e->indent++;
    push(w, (struct task){.kind = TASK_CLOSE_CASE});
    say_arm(w, task->from, to, task->next);
}

static void close_brace(struct writer *w, const struct task *task)
{
    if (task->kind == TASK_CLOSE_LOOP || task->kind == TASK_CLOSE_SWITCH) {
        w->break_target = task->break_target;
        w->continue_target = task->continue_target;
    }
    if (task->kind == TASK_CLOSE_CASE) say_line(w, "break;");
    if (task->kind != TASK_CLOSE_SWITCH) w->e->indent--;
    say_line(w, "}");
}

static void run(struct writer *w)
{
    while (w->count) {
        struct task task = w->stack[--w->count];
        switch (task.kind) {
        case TASK_BLOCK: say_block(w, task.block, task.next); break;
        case TASK_ARM: say_arm(w, task.from, task.block, task.next); break;
        case TASK_ELSE:
            w->e->indent--;
            say_line(w, "} else {");
            w->e->indent++;
            break;
        case TASK_CASE: say_case(w, &task); break;
        default: close_brace(w, &task); break;
        }
    }
}

static void say_all(struct nf_emitter *e, struct nf_flow *flow)
{
    struct writer w = {.e = e, .flow = flow, .break_target = NF_NO_BLOCK, .continue_target = NF_NO_BLOCK};
    e->indent = 1;
    push(&w, (struct task){.kind = TASK_BLOCK, .block = 0, .next = NF_NO_BLOCK});
    run(&w);
    for (uint32_t i = 0; i < w.deferred_count; i++) {
        e->indent = 1;
        push(&w, (struct task){.kind = TASK_BLOCK, .block = w.deferred[i], .next = NF_NO_BLOCK});
        run(&w);
    }
    nf_arena_drop(e->arena, w.stack);
    nf_arena_drop(e->arena, w.deferred);
}

void nf_say_body(struct nf_emitter *e, struct nf_flow *flow)
{
    e->dry = true;
    say_all(e, flow);
    e->dry = false;
    say_all(e, flow);
}
