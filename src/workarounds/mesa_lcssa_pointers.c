/* SPDX-License-Identifier: Apache-2.0 */
/*
 * mesa_lcssa_pointers.c - carries pointers out of loops as integers.
 *
 *     %after = OpLabel                                     %i = OpConvertPtrToU %ulong %last
 *     ...                                                  %low = OpBitwiseAnd %ulong %i %ulong_1
 *     OpBranch %merge                                      %high = OpBitwiseAnd %ulong %i %ulong_18446744073709551614
 *     %merge = OpLabel                                     %j = OpIAdd %ulong %low %high
 *     %p = OpPhi %_ptr %last %after %none %other           %n = OpPhi %ulong %j %after %k %other
 *                                                          %p = OpConvertUToPtr %_ptr %n
 *
 * When Mesa before 26 unrolls a loop, it loses a pointer that is defined in the loop and used by a phi after it. Mesa
 * makes an LCSSA phi for a value that a phi directly after the loop uses, but none for a pointer that a later phi uses
 * (nir_convert_loop_to_lcssa rematerializes pointers at their uses, which is impossible for a phi). The phi silently
 * gets an undefined value. Integers do get an LCSSA phi. The integer must be the result of an arithmetic instruction,
 * because NIR has no instruction for the conversion of a pointer; Mesa does not fold the sum of %low and %high, but
 * LLVM does later. Mesa also loses pointers that two phis of a loop pass to each other, as in a conditional swap.
 *
 * needs: a module that was read, and its types.  gives: the words of a new module, to be read again.
 */
#include "workarounds/internal.h"

/* Limit of the edges followed in one function. Once it is exceeded, each further pointer phi with an operand that the
 * function defines is converted. */
enum { MOST_STEPS = 1 << 22 };

/* The blocks of one function, numbered from 0 in module order. */
struct blocks {
    const struct nf_module *m;
    uint32_t count, capacity;
    uint32_t *at;     /* by block: its OpLabel */
    uint32_t *number; /* by id of a label: the number of its block plus 1, 0: no block */
    uint32_t *seen;   /* by block: the last search that reached it */
    uint32_t *stack;
    uint32_t search, steps;
};

/* The integer `id` that holds the pointer `value` at the end of the block with label `block`. */
struct phi_integer {
    uint32_t value, block, id;
};

struct lcssa {
    struct nf_edit to;
    struct blocks blocks;
    bool *as_integer; /* by id: a phi that becomes a phi of integers */
    struct phi_integer *integers;
    uint32_t integer_count, integer_capacity;
    struct nf_words pointers; /* conversions to emit after the current phis: type, result, integer */
};

/* ---- Finding the phis ---- */

static void find_blocks(struct blocks *b, struct nf_arena *arena, const struct nf_function *f)
{
    const struct nf_module *m = b->m;
    b->count = b->steps = 0;
    for (uint32_t at = f->body; at && at < f->end; at = nf_next(m, at)) {
        if (nf_opcode(m, at) != OpLabel) continue;
        NF_RESERVE(arena, b->at, b->capacity, (size_t)b->count + 1);
        b->at[b->count++] = at;
        b->number[nf_declared_id(m, at)] = b->count;
    }
    b->seen = NF_NEW(arena, uint32_t, (size_t)b->count + 1);
    b->stack = NF_NEW(arena, uint32_t, (size_t)b->count + 1);
    b->search = 0;
}

/* Returns the number of the block that contains the instruction at `at`. */
static uint32_t block_of(const struct blocks *b, uint32_t at)
{
    uint32_t low = 0, high = b->count;
    while (high - low > 1) {
        uint32_t middle = (low + high) / 2;
        if (b->at[middle] <= at)
            low = middle;
        else
            high = middle;
    }
    return low;
}

static uint32_t end_of_block(const struct nf_module *m, uint32_t at)
{
    while (!nf_ends_block(nf_opcode(m, at)))
        at = nf_next(m, at);
    return at;
}

/* Pushes the successors of a block that the current search has not reached. Returns the new height of the stack. */
static uint32_t push_following(struct blocks *b, uint32_t block, uint32_t height)
{
    struct nf_operands walk = nf_walk(b->m, end_of_block(b->m, b->at[block]));
    while (nf_operands_next(&walk)) {
        uint32_t number = walk.kind == NF_OPERAND_ID ? b->number[nf_current_operand(&walk)] : 0;
        b->steps++;
        if (!number || b->seen[number - 1] == b->search) continue;
        b->seen[number - 1] = b->search;
        b->stack[height++] = number - 1;
    }
    return height;
}

/* Returns true if a path leads from `block` back to it without passing through `other`. */
static bool is_on_cycle_avoiding(struct blocks *b, uint32_t block, uint32_t other)
{
    if (block == other) return false;
    b->seen[other] = ++b->search;
    uint32_t height = push_following(b, block, 0);
    while (height && b->seen[block] != b->search)
        height = push_following(b, b->stack[height - 1], height - 1);
    return b->seen[block] == b->search;
}

static bool is_pointer(const struct nf_module *m, uint32_t type_id)
{
    const struct nf_type *type = nf_type(m, type_id);
    if (type->kind != NF_KIND_POINTER) return false;
    return type->storage == NF_STORAGE_FUNCTION || type->storage == NF_STORAGE_WORKGROUP ||
           type->storage == NF_STORAGE_CROSS_WORKGROUP || type->storage == NF_STORAGE_UNIFORM_CONSTANT;
}

/* Returns true if the phi at `at` has an incoming value that is a phi of `block`. */
static bool has_operand_from_phi_of(const struct blocks *b, uint32_t at, uint32_t block)
{
    const struct nf_module *m = b->m;
    for (uint32_t i = 0; i < nf_phi_count(m, at); i++) {
        uint32_t from = m->def[nf_phi_value(m, at, i)];
        if (from >= m->body_at && nf_opcode(m, from) == OpPhi && block_of(b, from) == block) return true;
    }
    return false;
}

/* Returns true if the phi at `at` gets a pointer from a loop that does not contain the phi, or from a phi of another
 * block that in turn gets a pointer from a phi of this block; or if the searches of the function have taken more than
 * MOST_STEPS steps. */
static bool needs_integer_phi(struct blocks *b, const struct nf_function *f, uint32_t at)
{
    const struct nf_module *m = b->m;
    if (nf_opcode(m, at) != OpPhi || !is_pointer(m, nf_value_type(m, at))) return false;
    uint32_t own = block_of(b, at);
    for (uint32_t i = 0; i < nf_phi_count(m, at); i++) {
        uint32_t from = m->def[nf_phi_value(m, at, i)];
        if (from < f->body) continue;
        if (b->steps > MOST_STEPS || is_on_cycle_avoiding(b, block_of(b, from), own)) return true;
        if (nf_opcode(m, from) == OpPhi && block_of(b, from) != own && has_operand_from_phi_of(b, from, own))
            return true;
    }
    return false;
}

/* ---- Rewriting the function ---- */

static uint32_t address_type(struct lcssa *l)
{
    if (l->to.m->address_bits == 64) nf_edit_need(&l->to, NF_CAPABILITY_INT64);
    return nf_edit_define(&l->to, OpTypeInt, 0, (uint32_t[]){l->to.m->address_bits, 0}, 2);
}

static uint32_t constant(struct lcssa *l, uint32_t low, uint32_t high)
{
    return nf_edit_define(&l->to, OpConstant, address_type(l), (uint32_t[]){low, high}, l->to.m->address_bits / 32);
}

static uint32_t emit(struct lcssa *l, uint32_t opcode, uint32_t left, uint32_t right)
{
    return nf_edit_value(&l->to, opcode, address_type(l), left, right);
}

/* Returns the id of the integer that holds `value` at the end of `block`, and requests that emit_integers() emit it. */
static uint32_t integer_of(struct lcssa *l, uint32_t value, uint32_t block)
{
    for (uint32_t i = l->integer_count; i-- > 0;)
        if (l->integers[i].value == value && l->integers[i].block == block) return l->integers[i].id;
    NF_RESERVE(l->to.m->arena, l->integers, l->integer_capacity, (size_t)l->integer_count + 1);
    l->integers[l->integer_count++] = (struct phi_integer){value, block, nf_build_id(&l->to.build)};
    return l->integers[l->integer_count - 1].id;
}

/* Emits the requested integers of `block`, before its merge instruction or terminator. */
static void emit_integers(struct lcssa *l, uint32_t block)
{
    for (uint32_t i = 0; i < l->integer_count; i++) {
        if (l->integers[i].block != block) continue;
        uint32_t whole = emit(l, OpConvertPtrToU, l->integers[i].value, 0);
        uint32_t low = emit(l, OpBitwiseAnd, whole, constant(l, 1, 0));
        uint32_t high = emit(l, OpBitwiseAnd, whole, constant(l, ~(uint32_t)1, ~(uint32_t)0));
        nf_edit_emit(&l->to, OpIAdd, (uint32_t[]){address_type(l), l->integers[i].id, low, high}, 4);
    }
}

static void emit_phi(struct lcssa *l, uint32_t at)
{
    const struct nf_module *m = l->to.m;
    uint32_t number = nf_build_id(&l->to.build), start = l->to.out.count;
    nf_edit_keep(&l->to, at, nf_next(m, at));
    l->to.out.at[start + 1] = address_type(l);
    l->to.out.at[start + 2] = number;
    for (uint32_t i = 0; i < nf_phi_count(m, at); i++)
        l->to.out.at[start + 3 + 2 * i] = integer_of(l, nf_phi_value(m, at, i), nf_phi_parent(m, at, i));
    nf_append_words(&l->pointers, (uint32_t[]){nf_value_type(m, at), nf_value_id(m, at), number}, 3);
}

static void emit_pointers(struct lcssa *l)
{
    for (uint32_t i = 0; i < l->pointers.count; i += 3)
        nf_edit_emit(&l->to, OpConvertUToPtr, l->pointers.at + i, 3);
    l->pointers.count = 0;
}

/* Requests the integers of all phis, because a predecessor may precede or follow the block of the phi. */
static void request_integers(struct lcssa *l, const struct nf_function *f)
{
    const struct nf_module *m = l->to.m;
    for (uint32_t at = f->body; at < f->end; at = nf_next(m, at)) {
        if (nf_opcode(m, at) != OpPhi || !l->as_integer[nf_value_id(m, at)]) continue;
        for (uint32_t i = 0; i < nf_phi_count(m, at); i++)
            integer_of(l, nf_phi_value(m, at, i), nf_phi_parent(m, at, i));
    }
}

static void rewrite_function(struct lcssa *l, const struct nf_function *f)
{
    const struct nf_module *m = l->to.m;
    uint32_t block = 0;
    bool done = true;
    l->integer_count = 0;
    request_integers(l, f);
    for (uint32_t at = f->at; at < f->end; at = nf_next(m, at)) {
        uint32_t opcode = nf_opcode(m, at);
        bool phi = opcode == OpPhi, line = nf_debug_at(m, at) != NF_DEBUG_NONE;
        if (opcode == OpLabel) {
            block = nf_declared_id(m, at);
            done = false;
        }
        if (!phi && !line && opcode != OpLabel) emit_pointers(l);
        if (!done && nf_begins_block_end(m, at)) {
            emit_integers(l, block);
            done = true;
        }
        if (phi && l->as_integer[nf_value_id(m, at)])
            emit_phi(l, at);
        else
            nf_edit_keep(&l->to, at, nf_next(m, at));
    }
}

/* Marks the phis of a function that become integers. Returns true if there are any. */
static bool find_phis(struct lcssa *l, const struct nf_function *f)
{
    const struct nf_module *m = l->to.m;
    bool any = false;
    if (!f->body) return false;
    find_blocks(&l->blocks, m->arena, f);
    for (uint32_t at = f->body; at < f->end; at = nf_next(m, at)) {
        if (!needs_integer_phi(&l->blocks, f, at)) continue;
        l->as_integer[nf_value_id(m, at)] = any = true;
    }
    return any;
}

bool nf_workaround_mesa_lcssa_pointers(struct nf_module *m, struct nf_words *out)
{
    struct lcssa l = {.to = nf_edit_begin(m), .blocks = {.m = m}, .pointers = {.arena = m->arena}};
    bool any = false;
    l.as_integer = NF_NEW(m->arena, bool, m->bound);
    l.blocks.number = NF_NEW(m->arena, uint32_t, m->bound);
    for (uint32_t i = 1; i < m->function_count; i++) {
        const struct nf_function *f = &m->functions[i];
        if (find_phis(&l, f)) {
            rewrite_function(&l, f);
            any = true;
        } else {
            nf_edit_keep(&l.to, f->at, f->end);
        }
    }
    if (!any) return false;
    nf_edit_module_scope(&l.to);
    nf_edit_keep(&l.to, NF_HEADER_WORDS, m->body_at);
    *out = nf_edit_end(&l.to);
    return true;
}
