/* SPDX-License-Identifier: Apache-2.0 */
/*
 * memory.c - writes loads, stores and copies.
 *
 *     OpLoad %uint %p Aligned 4                 *v5
 *     OpLoad %uint %p Volatile                  *(volatile global u32 *)v5
 *     OpLoad %uint %p Aligned 1                 ((global P1 *)v5)->v, a packed structure
 *     OpCopyMemorySized %p %q %16 Aligned 4     *(global B2 *)v5 = *(const private B2 *)v6, 16 bytes
 *
 * The types of scalars and structures may alias, so that the compiler assumes nothing about the object that a pointer
 * points to. OpCopyMemory is an assignment of the type that is pointed to. A copy of a constant number of bytes, below
 * 2 GiB, is an assignment of a structure of that size; any other copy is a loop.
 *
 * needs: the types.  gives: OpenCL C text.
 */
#include "emit/internal.h"

struct nf_memory_operands nf_memory_of(const struct nf_insn *i, uint32_t index)
{
    return nf_memory_operands(i->operands, i->count, index);
}

bool nf_is_volatile_access(const struct nf_insn *i)
{
    return nf_memory_of(i, 1).mask & NF_MEMORY_VOLATILE;
}

bool nf_is_unaligned_pointer(struct nf_emitter *e, const struct nf_insn *i, uint32_t id)
{
    bool is_copy = i->form->kind == NF_FORM_copy_memory || i->form->kind == NF_FORM_copy_sized;
    bool is_access = i->form->kind == NF_FORM_load || i->form->kind == NF_FORM_store;
    if (is_copy || !is_access || id != i->operands[0]) return is_copy;
    struct nf_memory_operands memory = nf_memory_of(i, i->form->kind == NF_FORM_load ? 1 : 2);
    uint32_t natural = nf_type(e->m, nf_type_of(e->m, id)->element)->align;
    uint32_t promised = memory.mask & NF_MEMORY_ALIGNED && memory.align ? memory.align : natural;
    return promised < nf_assumed_alignment(e, id);
}

/* Writes the lvalue of an access through the pointer. */
static void say_access(struct nf_emitter *e, uint32_t pointer, struct nf_memory_operands memory)
{
    const struct nf_type *p = nf_type_of(e->m, pointer), *pointee = nf_type(e->m, p->element);
    bool is_volatile = memory.mask & NF_MEMORY_VOLATILE || nf_decorations_of(e, pointer)->is_volatile;
    bool is_unaligned = memory.mask & NF_MEMORY_ALIGNED && memory.align < pointee->align && memory.align;
    if (!is_volatile && !is_unaligned) {
        nf_say_object(e, pointer);
        return;
    }
    nf_say_string(e, is_unaligned ? "((" : "*(");
    if (is_volatile) nf_say_string(e, "volatile ");
    nf_say_space(e, p);
    nf_say_char(e, ' ');
    if (is_unaligned)
        nf_say_unaligned_type(e, p->element, memory.align);
    else
        nf_say_memory_type(e, p->element);
    nf_say_string(e, " *)");
    nf_say_postfix(e, pointer);
    if (is_unaligned) nf_say_string(e, ")->v");
}

void nf_form_load(struct nf_emitter *e, const struct nf_insn *i)
{
    uint32_t built_in = nf_loaded_built_in(e, i);
    const struct nf_type *type = nf_type(e->m, i->type);
    if (built_in) {
        nf_say_built_in(e, built_in, i);
        return;
    }
    if (type->kind == NF_KIND_OPAQUE && nf_opcode(e->m, type->at) != OpTypeEvent)
        nf_refuse(e, i->at, "a sampler or an image in memory");
    nf_load_begin(e, i->type);
    say_access(e, i->operands[0], nf_memory_of(i, 1));
    nf_load_end(e, i->type);
}

/* Returns true for a volatile store that must show a driver's compiler that a 64-bit address escapes
 * (rewrite/escapes.c). */
static bool shows_escape(const struct nf_emitter *e, const struct nf_insn *i)
{
    return nf_memory_of(i, 2).mask & NF_MEMORY_VOLATILE && e->m->address_bits == 64 &&
           nf_space_of(e->m, nf_type_of(e->m, i->operands[0])) == NF_PRIVATE &&
           nf_type_of(e->m, i->operands[1])->kind == NF_KIND_POINTER &&
           nf_has_fault(e->m->options->profile, NF_FAULT_INTEL_ESCAPING_ADDRESSES);
}

/* Writes a store for which shows_escape() returns true. The compiler detects the escape of an address that is stored
 * into a variable of pointer type, but not of an address that becomes an integer or is stored into an integer variable,
 * the form of pointers in memory in this text. */
static void say_escape(struct nf_emitter *e, const struct nf_insn *i)
{
    nf_say(e, "{ %tvolatile kept = %v; ", nf_type_of(e->m, i->operands[1])->id, i->operands[1]);
    say_access(e, i->operands[0], nf_memory_of(i, 2));
    nf_say_string(e, " = *(volatile private u64 *)&kept; }");
}

void nf_form_store(struct nf_emitter *e, const struct nf_insn *i)
{
    if (shows_escape(e, i)) {
        say_escape(e, i);
        return;
    }
    say_access(e, i->operands[0], nf_memory_of(i, 2));
    nf_say_string(e, " = ");
    nf_say_stored(e, i->operands[1]);
    nf_say_char(e, ';');
}

/* Returns the memory operands of the source of a copy, which are the target's operands unless the source has its
 * own. */
static struct nf_memory_operands source_operands(const struct nf_insn *i, uint32_t index)
{
    struct nf_memory_operands target = nf_memory_of(i, index);
    return target.end < i->count ? nf_memory_of(i, target.end) : target;
}

void nf_form_copy_memory(struct nf_emitter *e, const struct nf_insn *i)
{
    say_access(e, i->operands[0], nf_memory_of(i, 2));
    nf_say_string(e, " = ");
    say_access(e, i->operands[1], source_operands(i, 2));
    nf_say_char(e, ';');
}

static uint32_t promised_alignment(struct nf_memory_operands memory)
{
    return memory.mask & NF_MEMORY_ALIGNED && memory.align ? memory.align : 1;
}

/* Writes `*(SPACE B1 *)pointer`. */
static void say_bytes_at(struct nf_emitter *e, uint32_t pointer, uint32_t size, uint32_t align,
                         struct nf_memory_operands memory, bool is_source)
{
    nf_say_string(e, "*(");
    if (is_source) nf_say_string(e, "const ");
    if (memory.mask & NF_MEMORY_VOLATILE) nf_say_string(e, "volatile ");
    nf_say_space(e, nf_type_of(e->m, pointer));
    nf_say_char(e, ' ');
    nf_say_bytes_type(e, size, align);
    nf_say(e, " *)%p", pointer);
}

void nf_form_copy_sized(struct nf_emitter *e, const struct nf_insn *i)
{
    int64_t size;
    bool is_known = nf_constant(e->m, i->operands[2], &size);
    const struct nf_type *target = nf_type_of(e->m, i->operands[0]), *source = nf_type_of(e->m, i->operands[1]);
    if (is_known && size == 0) return;
    if (is_known && size > 0 && size < INT32_MAX) {
        /* An assignment needs one type, so both have the alignment that holds for either. */
        struct nf_memory_operands to = nf_memory_of(i, 3), from = source_operands(i, 3);
        uint32_t align = promised_alignment(to), other = promised_alignment(from);
        if (other < align) align = other;
        say_bytes_at(e, i->operands[0], (uint32_t)size, align, to, false);
        nf_say_string(e, " = ");
        say_bytes_at(e, i->operands[1], (uint32_t)size, align, from, true);
        nf_say_char(e, ';');
        return;
    }
    nf_say_copy_function(e, target, source);
    nf_say_string(e, "((");
    nf_say_space(e, target);
    nf_say(e, " u8 *)%p, (const ", i->operands[0]);
    nf_say_space(e, source);
    nf_say(e, " u8 *)%p, %v);", i->operands[1], i->operands[2]);
}
