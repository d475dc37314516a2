/* SPDX-License-Identifier: Apache-2.0 */
/*
 * pointers_through_pointers.c - lets integers carry the addresses for which a module uses pointers of another memory.
 *
 *     %i = OpConvertPtrToU %ulong %private             %i = OpConvertPtrToU %ulong %private
 *     %l = OpConvertUToPtr %_ptr_Workgroup_uint %i     %k = OpConvertPtrToU %ulong %local
 *     %m = OpSelect %_ptr_Workgroup_uint %c %l %local  %j = OpSelect %ulong %c %i %k
 *     %n = OpConvertPtrToU %ulong %m                   %n = OpCopyObject %ulong %j
 *     OpStore %p %m                                    %q = OpBitcast %_ptr_Function_ulong %p
 *                                                      OpStore %q %j
 *
 * LLVM at -O1 and above replaces a union of pointers by a value of the type of one member, and converts the pointers of
 * the other members to that type and back; for LLVM all these conversions keep the bits. A local pointer has no room for
 * the address of another memory, so each pointer that derives from such a conversion gets an integer beside it, which
 * replaces the pointer where the module converts it to an integer or stores it.
 *
 * The hard case is a phi: its integer is a phi as well, and the integers of its operands stand behind their definitions.
 * The address of a parameter, a variable or a phi is converted once the first other instruction of its block begins.
 *
 * needs: a module that was read.  gives: the words of a new module, to be read again, with constant expressions that
 * address_constants.c lowers.
 */
#include "prepare/prepare.h"

struct carried {
    uint32_t word;     /* the integer type of an address */
    bool *derives;     /* by id: the pointer derives from a conversion of a pointer of another memory */
    uint32_t *integer; /* by id: the integer of the pointer; 0: it has none */
    uint32_t *pending; /* parameters, variables and phis of the block whose integers are still to be emitted */
    uint32_t pending_count;
};

static bool is_concrete(const struct nf_module *m, uint32_t id)
{
    uint32_t type = m->def[id] ? nf_defined_type(m, id) : 0;
    return type && nf_is_pointer_type_at(m, m->def[type]) && !nf_is_generic_type_at(m, m->def[type]);
}

/* Returns the pointer of another storage class from which the instruction converts a pointer by an integer; 0: none. */
static uint32_t pointer_before(const struct nf_module *m, uint32_t at)
{
    uint32_t integer = nf_opcode(m, at) == OpConvertUToPtr ? nf_value_operand(m, at, 0) : 0;
    uint32_t from = integer ? nf_match_conversion(m, m->def[integer], OpConvertPtrToU) : 0;
    if (!from || m->def[integer] < m->body_at || !is_concrete(m, nf_value_id(m, at))) return 0;
    if (nf_scalar_width(m, m->def[nf_defined_type(m, integer)]) != m->address_bits) return 0;
    uint32_t type = m->def[nf_defined_type(m, from)], to = m->def[nf_value_type(m, at)];
    return nf_pointer_storage_class(m, type) != nf_pointer_storage_class(m, to) ? from : 0;
}

/* Returns true if the instruction gives the bits of one of its operands, which may be pointers of the result's type. */
static bool passes_on(const struct nf_module *m, uint32_t at)
{
    uint32_t opcode = nf_opcode(m, at);
    return opcode == OpPhi || opcode == OpSelect || opcode == OpBitcast || opcode == OpCopyObject;
}

/* Returns operand `i` of an instruction for which passes_on() is true, among those that may be its result; 0: none. */
static uint32_t source(const struct nf_module *m, uint32_t at, uint32_t i)
{
    if (nf_opcode(m, at) == OpPhi) return i < nf_phi_count(m, at) ? nf_phi_value(m, at, i) : 0;
    if (nf_opcode(m, at) == OpSelect) return i < 2 ? nf_value_operand(m, at, 1 + i) : 0;
    return i < 1 ? nf_value_operand(m, at, 0) : 0;
}

/* Marks the pointers that derive from a conversion, until no further one is found. */
static void find_derived(struct carried *c, const struct nf_module *m)
{
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t at = m->body_at; at < m->count; at = nf_next(m, at)) {
            bool derives = pointer_before(m, at) != 0;
            if (!derives && !passes_on(m, at)) continue;
            uint32_t id = nf_value_id(m, at);
            if (c->derives[id] || !is_concrete(m, id)) continue;
            for (uint32_t i = 0, from; !derives && (from = source(m, at, i)); i++)
                derives = c->derives[from];
            changed |= c->derives[id] = derives;
        }
    }
}

/* Returns the pointer whose bits the instruction converts to an integer or stores, if it derives from a conversion. */
static uint32_t used_pointer(const struct carried *c, const struct nf_module *m, uint32_t at)
{
    uint32_t opcode = nf_opcode(m, at), id = 0;
    if (opcode == OpConvertPtrToU) id = nf_value_operand(m, at, 0);
    if (opcode == OpStore) id = nf_store_object(m, at);
    return id && c->derives[id] ? id : 0;
}

/* Gives an integer to each pointer that needs one: those that are used, and the sources of those that have one. */
static void assign_integers(struct carried *c, struct nf_edit *e)
{
    const struct nf_module *m = e->m;
    for (uint32_t at = m->body_at; at < m->count; at = nf_next(m, at)) {
        uint32_t used = used_pointer(c, m, at);
        if (used && !c->integer[used]) c->integer[used] = nf_build_id(&e->build);
    }
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t at = m->body_at; at < m->count; at = nf_next(m, at)) {
            if (!passes_on(m, at) || !c->derives[nf_value_id(m, at)] || !c->integer[nf_value_id(m, at)]) continue;
            for (uint32_t i = 0, from; (from = source(m, at, i)); i++) {
                if (c->integer[from] || m->def[from] < m->body_at) continue;
                c->integer[from] = nf_build_id(&e->build);
                changed = true;
            }
        }
    }
}

/* Returns the integer of the pointer; that of a module-scope variable is a constant expression. */
static uint32_t integer_of(struct carried *c, struct nf_edit *e, uint32_t id)
{
    uint32_t opcode = nf_opcode(e->m, e->m->def[id]);
    if (c->integer[id]) return c->integer[id];
    if (opcode == OpConstantNull || opcode == OpUndef) return nf_edit_define(e, OpConstantNull, c->word, NULL, 0);
    return nf_edit_define(e, OpSpecConstantOp, c->word, (uint32_t[]){OpConvertPtrToU, id}, 2);
}

static void emit_conversion(struct carried *c, struct nf_edit *e, uint32_t id)
{
    nf_edit_emit(e, OpConvertPtrToU, (uint32_t[]){c->word, c->integer[id], id}, 3);
}

/* Emits the integer of the pointer that the instruction at `at`, which was emitted, defines. */
static void emit_integer(struct carried *c, struct nf_edit *e, uint32_t at, uint32_t id)
{
    const struct nf_module *m = e->m;
    uint32_t opcode = nf_opcode(m, at), made = c->integer[id];
    bool derives = c->derives[id];
    if (derives && opcode == OpPhi) {
        uint32_t start = e->out.count;
        nf_edit_keep(e, at, nf_next(m, at));
        e->out.at[start + 1] = c->word, e->out.at[start + 2] = made;
        for (uint32_t i = 0; i < nf_phi_count(m, at); i++)
            e->out.at[start + 3 + 2 * i] = integer_of(c, e, nf_phi_value(m, at, i));
    } else if (derives && opcode == OpSelect) {
        uint32_t yes = integer_of(c, e, source(m, at, 0)), no = integer_of(c, e, source(m, at, 1));
        nf_edit_emit(e, OpSelect, (uint32_t[]){c->word, made, nf_select_condition(m, at), yes, no}, 5);
    } else if (derives && passes_on(m, at)) {
        nf_edit_emit(e, OpCopyObject, (uint32_t[]){c->word, made, integer_of(c, e, source(m, at, 0))}, 3);
    } else if (derives && opcode == OpConvertUToPtr) {
        nf_edit_emit(e, OpCopyObject, (uint32_t[]){c->word, made, nf_value_operand(m, at, 0)}, 3);
    } else if (opcode == OpPhi || opcode == OpVariable || opcode == OpFunctionParameter) {
        c->pending[c->pending_count++] = id;
    } else {
        emit_conversion(c, e, id);
    }
}

static void emit_store(struct carried *c, struct nf_edit *e, uint32_t at, uint32_t object)
{
    const struct nf_module *m = e->m;
    uint32_t pointer = nf_store_pointer(m, at), type = m->def[nf_defined_type(m, pointer)];
    uint32_t to_word = nf_edit_define(e, OpTypePointer, 0, (uint32_t[]){nf_pointer_storage_class(m, type), c->word}, 2);
    uint32_t cast = nf_edit_value(e, OpBitcast, to_word, pointer, 0);
    uint32_t start = e->out.count;
    nf_edit_keep(e, at, nf_next(m, at));
    e->out.at[start + 1] = cast, e->out.at[start + 2] = integer_of(c, e, object);
}

static bool begins_block(uint32_t opcode)
{
    return opcode == OpFunction || opcode == OpFunctionParameter || opcode == OpLabel || opcode == OpVariable ||
           opcode == OpPhi || opcode == OpLine || opcode == OpNoLine || opcode == OpExtInst; /* debug information */
}

static bool rewrite(struct nf_edit *e, uint32_t at, void *data)
{
    struct carried *c = data;
    const struct nf_module *m = e->m;
    uint32_t used = used_pointer(c, m, at), opcode = nf_opcode(m, at);
    for (; c->pending_count && !begins_block(opcode); c->pending_count--)
        emit_conversion(c, e, c->pending[c->pending_count - 1]);
    if (used && opcode == OpStore) {
        emit_store(c, e, at, used);
        return true;
    }
    if (used && nf_value_type(m, at) == c->word) {
        nf_edit_emit(e, OpCopyObject, (uint32_t[]){c->word, nf_value_id(m, at), c->integer[used]}, 3);
        return true;
    }
    uint32_t id = nf_result_type(m, at) ? nf_value_id(m, at) : 0;
    if (!id || !c->integer[id]) return false;
    nf_edit_keep(e, at, nf_next(m, at));
    emit_integer(c, e, at, id);
    return true;
}

bool nf_lower_pointers_through_pointers(struct nf_module *m, struct nf_words *lowered)
{
    struct carried c = {0};
    bool found = false;
    for (uint32_t at = m->body_at; at < m->count && !found; at = nf_next(m, at))
        found = pointer_before(m, at) != 0;
    if (!found) return false;
    c.derives = NF_NEW_ARRAY(m->arena, bool, m->bound);
    c.integer = NF_NEW_ARRAY(m->arena, uint32_t, m->bound);
    c.pending = NF_NEW_ARRAY(m->arena, uint32_t, m->bound);
    find_derived(&c, m);
    struct nf_edit e = nf_edit_begin(m);
    assign_integers(&c, &e);
    c.word = nf_edit_int_type(&e, m->address_bits);
    if (m->address_bits == 64) nf_edit_need(&e, NF_CAPABILITY_INT64);
    *lowered = nf_edit_functions(&e, rewrite, &c);
    return true;
}
